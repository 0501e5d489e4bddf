"""The agents for snaps of J. Barič (Comenius University, 2009): the numbers of his chapter 6, the first lead that a
network learned, the beliefs compared, a tournament that he had planned, and the decision that he put at 295 days."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import comb
from pathlib import Path

import numpy as np

from hiddenhand.belief.table import raised, set_chance
from hiddenhand.core.resolver import game
from hiddenhand.games.snaps.first_lead import OBSERVED, curve_rows, learning_curves, watch_leads
from hiddenhand.lab.figures import draw_lines
from hiddenhand.lab.interrupts import Interrupted
from hiddenhand.lab.reproduce.report import Parts, Report, Rows
from hiddenhand.lab.snaps_calibration import calibrate, draw_calibration
from hiddenhand.lab.snaps_opening import average_opening_lead
from hiddenhand.lab.standings import written_cell
from hiddenhand.lab.tournament import tournament

AGENTS = ("cheater", "pimc", "pimc:belief=table", "pimc:belief=weighted", "rules", "random")
GAMES = 8000  # of each pair: 2,000 deals in four seatings
TEACHER = "pimc"
SEED = 5
LEADS = 7000  # 5,000 to learn from and 2,000 to be tested on

Progress = Callable[[int, int], None]


def reproduce(
    folder: Path, games: int = GAMES, workers: int = 1, progress: Progress | None = None, opening: int | None = None
) -> Parts:
    """Do everything and write the pictures and the page into a folder.

    opening   how many of the 17,153,136 deals to average over for the opening lead; all if None
    """
    done = Parts(page=str(folder / "snaps.html"))
    report = Report("Snaps: a hidden partner")
    parts: list[tuple[str, float, Callable[[Progress], Rows]]] = [
        ("The numbers of chapter 6", 1, lambda tell: worked_numbers()),
        ("Beliefs: mean loss before each trick, in nats", 60, lambda tell: beliefs(games // 4, folder, report, tell)),
        ("The first lead, learned by watching", 200, lambda tell: first_lead(folder, report, tell)),
        ("Tournament: mean payoff of the row against the column", 2000, lambda tell: cross(games, workers, tell)),
        ("The opening lead, averaged over every deal", 1200, lambda tell: opening_lead(folder, opening, tell)),
    ]
    whole = sum(weight for _, weight, _ in parts)
    before = 0.0
    try:
        for title, weight, make in parts:
            start = time.perf_counter()
            report.heading(title)
            rows = make(scaled(progress, before, weight, whole))
            done.parts[title], done.seconds[title] = rows, time.perf_counter() - start
            report.table(rows)
            report.text(f"{done.seconds[title]:.0f} seconds.")
            before += weight
    except KeyboardInterrupt:
        report.save(folder / "snaps.html")
        said = f"{len(done.parts)} of {len(parts)} parts are done; the opening lead goes on where it stopped"
        raise Interrupted(said, done) from None
    report.save(folder / "snaps.html")
    return done


def scaled(progress: Progress | None, before: float, weight: float, whole: float) -> Progress:
    """Progress of a part as progress of everything, in thousandths."""

    def tell(done: int, wanted: int) -> None:
        if progress is not None:
            progress(int(1000 * (before + weight * done / max(wanted, 1)) / whole), 1000)

    return tell


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


def beliefs(deals: int, folder: Path, report: Report, tell: Progress) -> Rows:
    result = calibrate(deals=max(1, deals), seed=SEED, progress=tell)
    for path in draw_calibration(result, folder):
        report.picture(path, "The mean loss of each belief, trick by trick; an even guess among three costs 1.10")
    return result.rows()


def first_lead(folder: Path, report: Report, tell: Progress) -> Rows:
    """The learning curve of the thesis's network, and of two that see more."""
    curves = learning_curves(watch_leads(game("snaps"), TEACHER, SEED, LEADS, tell))
    path = folder / "snaps_first_lead.png"
    across = "games observed: " + ", ".join(f"{n:,}" for n in OBSERVED)
    draw_lines(curves, path, "The first lead: agreement with the teacher on fresh deals", across, "share of deals")
    report.picture(path, f"The teacher is {TEACHER}; the thesis reports success after about 60 games")
    return curve_rows(curves)


def cross(games: int, workers: int, tell: Progress) -> Rows:
    result = tournament("snaps", AGENTS, games=games, seed=SEED, workers=workers, progress=tell)
    rows = [["", *AGENTS]]
    for i, name in enumerate(AGENTS):
        cells = [result.cross(i, j) for j in range(len(AGENTS))]
        rows.append([name, *(written_cell(cell) for cell in cells)])
    return rows


def opening_lead(folder: Path, most: int | None, tell: Progress) -> Rows:
    """Every card of an opening lead in every deal: the thesis reckoned with 295 days."""
    lead = average_opening_lead(folder / "snaps_opening_lead.json", most=most, progress=tell)
    rows = [["lead", "mean payoff", "deals won"]]
    for text, mean, won in zip(lead.names, lead.means, lead.won):
        rows.append([text, f"{mean:+.4f}", f"{won / lead.done:.2%}"])
    rows.append([f"{lead.done:,} of {lead.possible:,} deals", f"{lead.seconds:,.0f} s", "295 days (thesis)"])
    return rows
