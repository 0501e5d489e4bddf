"""The agents for snaps of J. Barič (Comenius University, 2009): the numbers of his chapter 6, the first lead that a
network learned, the beliefs compared, a tournament that he had planned, and the decision that he put at 295 days."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path

import numpy as np

from hiddenhand.core.processes import Workers
from hiddenhand.core.resolver import game
from hiddenhand.games.snaps.beliefs.probability_table import raised, set_chance
from hiddenhand.games.snaps.cards import RANKS, SUIT, SUITS
from hiddenhand.games.snaps.imitation_data import teacher_of, watch
from hiddenhand.games.snaps.lead_network import Leads, accuracy, leads_of, learn_leads
from hiddenhand.lab.figures import draw_lines
from hiddenhand.lab.parts import Found, PartsWork, WorkPart, gather
from hiddenhand.lab.runner import Running
from hiddenhand.lab.tournament import tournament
from hiddenhand.lab.tournament_result import written_cell
from hiddenhand.studies.html_report import Page, ReportTables, Rows, chosen
from hiddenhand.studies.snaps.acquaintance import acquaintance_rows, measure_acquaintance
from hiddenhand.studies.snaps.calibration import Calibration, CalibrationPlan, calibrate, draw_calibration
from hiddenhand.studies.snaps.losses import Losses, LossesPlan, lost_wins
from hiddenhand.studies.snaps.opening_lead import OpeningLead, average_opening_lead

AGENTS = ("cheater", "best_reply", "pimc", "pimc:belief=table", "pimc:belief=weighted", "averaging:time=0.05",
          "imitation", "self_taught", "risky", "rules", "random")  # fmt: skip
SEARCH = "search:blueprint=rules,playouts=600,exact=2000,mistakes=0.2"
HONEST = ("rules", "pimc", "pimc:belief=weighted", "best_reply", SEARCH, "imitation", "self_taught")
GAMES = 8000  # of each pair: 2,000 deals in four seatings
TEACHER = "pimc"
SEED = 5
LEADS = 7000  # 5,000 to learn from and 2,000 to be tested on

AT_ONCE = 100  # leads that are watched at a time


@dataclass(frozen=True)
class Section:
    """A part of the page: how it is made, and how it is shown."""

    title: str
    size: int
    """About how many seconds it takes."""
    make: Callable[[Running], Found]
    show: Callable[[Found, Path, Page], Rows]


def begin(
    folder: Path, running: Running, workers: Workers, games: int = GAMES, opening: int | None = None, part: str = ""
) -> PartsWork:
    """Everything; the pictures and the page are written into a folder.

    opening   how many of the 17,153,136 deals to average over for the opening lead; all if None
    part      how the title of the one part that is wanted begins; all if empty
    """
    sections = [
        Section("The numbers of chapter 6", 1, lambda running: {}, lambda found, folder, page: worked_numbers()),
        Section(
            "Beliefs: mean loss before each trick, in nats", 60, partial(make_beliefs, games // 4), show_beliefs
        ),
        Section(
            "Experience: mean loss beside opponents with a habit, and its change", 100,
            lambda running: measure_acquaintance(max(2, games // 20), SEED, running),
            lambda found, folder, page: acquaintance_rows(found),
        ),
        Section("The first lead, learned by watching", 200, make_first_lead, show_first_lead),
        Section(
            "Tournament: mean payoff of the row against the column", 2000, partial(make_cross, games, workers),
            lambda found, folder, page: found["rows"],
        ),
        Section(
            "Where agents lose: deals among themselves, judged with open cards", 600,
            partial(make_losses, games // 2, workers), show_losses,
        ),
        Section(
            "The opening lead, averaged over every deal", 1200, partial(make_opening_lead, opening),
            show_opening_lead,
        ),
    ]  # fmt: skip
    wanted = chosen([section.title for section in sections], part)
    sections = [section for section in sections if section.title in wanted]
    of = game("snaps")
    plan = {
        "game": of.origin.spec, "rules": of.rules.key, "version": of.version, "agents": AGENTS, "games": games,
        "teacher": TEACHER, "leads": LEADS, "opening": opening, "part": part,
    }  # fmt: skip
    pieces = [WorkPart(section.title, section.make, section.size) for section in sections]
    return PartsWork("reproduction", plan, pieces, partial(write_page, sections, folder), running)


def write_page(sections: list[Section], folder: Path, found: dict[str, Found], seconds: float) -> ReportTables:
    """The sections that there are."""
    done = ReportTables(page=str(folder / "snaps.html"))
    page = Page("Snaps: a hidden partner")
    for section in sections:
        if section.title in found:
            made = found[section.title]
            page.heading(section.title)
            rows = section.show(made, folder, page)
            done.parts[section.title], done.seconds[section.title] = rows, made["seconds"]
            page.table(rows)
            page.text(f"{made['seconds']:.0f} seconds.")
    page.save(Path(done.page))
    return done


def worked_numbers() -> Rows:
    """The thesis's arithmetic beside ours; where it is wrong, ours is right."""
    jack, ace, rounds = 1 / 3, 0.125, 0
    while jack + ace < 1 or max(jack, ace) <= 1 / 3:
        jack, ace, rounds = raised(jack), raised(ace), rounds + 1
    return [
        ["quantity", "the thesis", "ours"],
        ["deals that a player cannot tell apart", "1.7 million", f"{comb(18, 6) * comb(12, 6):,}"],
        ["6.1.1: the others after 0.05", "0.475", f"{others_after(0.05, 1 / 3, 1 / 3):.3f}"],
        ["6.1.3: 1/3 raised once", "11/27", f"{raised(1 / 3):.6f} (11/27 = {11 / 27:.6f})"],
        ["6.1.3: 0.125 raised once", "0.138671875", f"{raised(0.125):.9f}"],
        [f"6.1.3: jack and ace after {rounds} rounds", "0.9133, 0.2333", f"{jack:.4f}, {ace:.4f}"],
        ["6.1.1: player 2's ace then", "0.66", f"{others_after(ace, 0.75, 0.125):.4f}"],
        ["6.1.3: two cards at 1/3", "0.5058", f"{raised(raised(1 / 3)):.4f}"],
    ]


def others_after(chance: float, second: float, third: float) -> float:
    """The second hand's chance once the first one's is set."""
    row = np.array([1.0 - second - third, second, third])
    set_chance(row, 0, chance)
    return float(row[1])


def make_beliefs(deals: int, running: Running) -> Found:
    return vars(calibrate(CalibrationPlan(deals=max(1, deals), seed=SEED), running))


def show_beliefs(found: Found, folder: Path, page: Page) -> Rows:
    result = Calibration(**{name: value for name, value in found.items() if name != "seconds"})
    for path in draw_calibration(result, folder):
        page.picture(path, "The mean loss of each belief, trick by trick; an even guess among three costs 1.10")
    return result.rows()


def make_first_lead(running: Running) -> Found:
    """The learning curve of the thesis's network, and of two that see more."""
    of = game("snaps")
    pieces = [WorkPart(f"leads {first}", partial(watch_some, first)) for first in range(0, LEADS, AT_ONCE)]
    plan = {"rules": of.rules.key, "version": of.version, "teacher": TEACHER, "seed": SEED, "leads": LEADS}
    watched = gather("first leads", plan, pieces, running)
    return {"curves": learning_curves(leads_of(of, SEED, np.concatenate([piece["records"] for piece in watched])))}


def watch_some(first: int, running: Running) -> Found:
    """The records of some games of the teacher, to the first lead."""
    of = game("snaps")
    records = watch(of, teacher_of(of, TEACHER), SEED, first, min(AT_ONCE, LEADS - first), until_lead=True)
    return {"records": records}


def show_first_lead(found: Found, folder: Path, page: Page) -> Rows:
    path = folder / "snaps_first_lead.png"
    across = "games observed: " + ", ".join(f"{n:,}" for n in OBSERVED)
    title = "The first lead: agreement with the teacher on fresh deals"
    draw_lines(found["curves"], path, title, across, "share of deals")
    page.picture(path, f"The teacher is {TEACHER}; the thesis reports success after about 60 games")
    return curve_rows(found["curves"])


def make_cross(games: int, workers: Workers, running: Running) -> Found:
    result = tournament(
        "snaps", AGENTS, games=games, seed=SEED, workers=workers,
        store=running.store, resume=running.resume, progress=running.progress,
    )  # fmt: skip
    rows = [["", *AGENTS]]
    for i, name in enumerate(AGENTS):
        cells = [result.cross(i, j) for j in range(len(AGENTS))]
        rows.append([name, *(written_cell(cell) for cell in cells)])
    return {"rows": rows}


def make_losses(deals: int, workers: Workers, running: Running) -> Found:
    return lost_wins(LossesPlan(HONEST, deals=max(1, deals), seed=SEED), running, workers).to_json()


def show_losses(found: Found, folder: Path, page: Page) -> Rows:
    return Losses(found["deals"], found["counts"]).rows()


def make_opening_lead(most: int | None, running: Running) -> Found:
    """Every card of an opening lead in every deal: the thesis reckoned with 295 days."""
    return {"lead": average_opening_lead(running, most=most).to_json()}


def show_opening_lead(found: Found, folder: Path, page: Page) -> Rows:
    lead = OpeningLead(**found["lead"])
    rows = [["lead", "mean payoff", "deals won"]]
    for text, mean, won in zip(lead.names, lead.means, lead.won):
        rows.append([text, f"{mean:+.4f}", f"{won / lead.done:.2%}"])
    rows.append([f"{lead.done:,} of {lead.possible:,} deals", f"{lead.seconds:,.0f} s", "295 days (thesis)"])
    return rows


# ---- the first lead, learned by watching
#
# Its network had 24 inputs (1 for each card in the hand), 72 hidden units and 24 outputs (the card to lead),
# and "after about 60 games was able to make the first step right" (J. Barič, 2009, section 6.3). Here the same
# network watches the first leads of a teacher, and is then asked about deals that it has not seen; the share of
# its answers that agree with the teacher's is its accuracy, among the cards it holds. In snaps the chooser has
# named a card before he leads, which that network does not see: with `named` it does (24 more inputs), and with
# `sorted_suits` trumps come first and the other suits in the order of the cards held, so that what is learned
# for one suit holds for all.

OBSERVED = (10, 20, 60, 200, 1000, 5000)
FRESH = 2000  # deals on which it is tested
VARIANTS = {
    "the hand (as in the thesis)": (False, False),
    "the hand and the named card": (True, False),
    "both, suits sorted": (True, True),
}


def sort_suits(leads: Leads) -> Leads:
    """The same leads with trumps as the first suit and the others in the order of the cards held."""
    games = np.arange(len(leads.cards))
    keys = (leads.hands.reshape(-1, SUITS, RANKS) << np.arange(RANKS)).sum(axis=2)
    keys[games, leads.named // RANKS] = SUIT + 1
    order = np.argsort(-keys, axis=1, kind="stable")
    places = np.argsort(order, axis=1)
    hands = leads.hands.reshape(-1, SUITS, RANKS)[games[:, None], order].reshape(len(games), -1)
    cards = places[games, leads.cards // RANKS] * RANKS + leads.cards % RANKS
    return Leads(hands, leads.named % RANKS, cards)


def learning_curves(
    leads: Leads, observed: tuple[int, ...] = OBSERVED, fresh: int = FRESH, seed: int = 1
) -> dict[str, list[float]]:
    """{variant: [accuracy after each number of observed games]}; the last `fresh` leads are for testing."""
    curves = {}
    for name, (named, sorted_suits) in VARIANTS.items():
        known = sort_suits(leads) if sorted_suits else leads
        test = known.part(len(known.cards) - fresh, None)
        curves[name] = [accuracy(learn_leads(known.part(0, n), named, seed), test, named) for n in observed]
    return curves


def curve_rows(curves: dict[str, list[float]], observed: tuple[int, ...] = OBSERVED) -> list[list[str]]:
    """The curves as the rows of a table, a row for each number of games, the names first."""
    rows = [["games observed", *curves]]
    for i, games in enumerate(observed):
        rows.append([f"{games:,}", *(f"{curve[i]:.1%}" for curve in curves.values())])
    return rows
