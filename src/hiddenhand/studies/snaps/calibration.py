"""How good are the beliefs of snaps? The loss of each where the cards really lie, trick by trick.

Deals are played by given agents. Before each trick one seat, a different one from deal to deal, says for every card
that it does not see who holds it, and who the chooser's partner is. The loss of a belief is minus the logarithm of
the probability that it gave to the truth: 0 when it was sure and right, ln 3 = 1.10 for an even guess among three. A
probability below `LEAST` counts as LEAST: no belief is ruined by one card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.resolver import agent, game
from hiddenhand.games.snaps.beliefs.kinds import belief_of
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.state import TRICK_COUNT, TRICKS
from hiddenhand.kernel import derive
from hiddenhand.lab.figures import draw_lines
from hiddenhand.lab.parts import Found, WorkPart, gather
from hiddenhand.lab.runner import Running
from hiddenhand.lab.tables import first_column_left

BELIEFS = ("table", "exact", "weighted", "statistics")
LEAST = 1e-3
CERTAIN = 1.0 - 1e-9

AT_ONCE = 50  # deals in a piece of the work

CARD, PARTNER = "card", "partner"
Losses = dict[tuple[str, str, int], list[float]]
"""By what was asked, the belief, and the trick."""


@dataclass(frozen=True)
class CalibrationPlan:
    """Which beliefs are asked, in which deals."""

    deals: int = 2000
    seed: int = 1
    team: Sequence[str] = ("rules",) * SEATS
    beliefs: Sequence[str] = BELIEFS
    particles: int = 1000
    noise: float = 0.1
    options: dict[str, Any] = field(default_factory=dict)
    """Of the game."""


@dataclass
class Calibration:
    """The mean loss of each belief before each trick, of cards and of the partner, with the number of cases."""

    team: list[str]
    deals: int
    cards: dict[str, list[float]]
    partners: dict[str, list[float]]
    card_cases: list[int]
    partner_cases: list[int]
    """The partner counts only where the seat cannot know him."""

    def rows(self) -> list[list[str]]:
        """A table: one row per belief and question, one column per trick."""
        rows = [["loss", *(f"trick {trick + 1}" for trick in range(TRICK_COUNT))]]
        for what, losses in (("cards", self.cards), ("partner", self.partners)):
            rows += [[f"{what}, {name}", *map(number, values)] for name, values in losses.items()]
        rows.append(["cards asked", *map(str, self.card_cases)])
        rows.append(["partners asked", *map(str, self.partner_cases)])
        return rows

    def __str__(self) -> str:
        return "\n".join(first_column_left(self.rows()))

    def to_json(self) -> dict[str, Any]:
        return vars(self)


def number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.3f}"


def calibrate(plan: CalibrationPlan, running: Running | None = None) -> Calibration:
    """Play deals and ask every belief before every trick."""
    of = game("snaps", **plan.options)
    starts = range(0, plan.deals, AT_ONCE)
    pieces = [
        WorkPart(f"deals {first}", partial(ask_in_deals, plan, first), min(AT_ONCE, plan.deals - first))
        for first in starts
    ]
    identity = {**vars(plan), "rules": of.rules.key, "version": of.version}
    found = gather("calibration", identity, pieces, running or Running())

    def losses(what: str) -> dict[str, list[np.ndarray[Any, Any]]]:
        return {
            belief: [
                np.concatenate([piece[f"{what} {belief} {trick}"] for piece in found]) for trick in range(TRICK_COUNT)
            ]
            for belief in plan.beliefs
        }

    cards, partners = losses(CARD), losses(PARTNER)
    counts = [[len(of) for of in what[plan.beliefs[0]]] for what in (cards, partners)]
    return Calibration(list(plan.team), plan.deals, means(cards), means(partners), *counts)


def means(losses: dict[str, list[np.ndarray[Any, Any]]]) -> dict[str, list[float]]:
    """The mean loss of each belief for each trick; not a number where nothing was asked."""
    return {name: [float(of.mean()) if len(of) else np.nan for of in tricks] for name, tricks in losses.items()}


def ask_in_deals(plan: CalibrationPlan, first: int, running: Running) -> Found:
    """The losses in some deals: an array for each question, belief and trick."""
    chosen = game("snaps", **plan.options)
    players = [agent(chosen, name) for name in plan.team]
    losses: Losses = {
        (what, name, trick): [] for what in (CARD, PARTNER) for name in plan.beliefs for trick in range(TRICK_COUNT)
    }
    for number_of_deal in range(first, min(first + AT_ONCE, plan.deals)):
        table = chosen.deal(seed=derive(plan.seed, number_of_deal))
        seat = number_of_deal % SEATS
        asked = -1
        while not table.over:
            view = table.view(table.turn)
            if view.record.phase == TRICKS and view.record.plays == 4 * (asked + 1):
                asked += 1
                ask(table, seat, asked, losses, plan)
            table.play(players[table.turn].decide(view).action)
    return {f"{what} {name} {trick}": np.array(of) for (what, name, trick), of in losses.items()}


def ask(table: Any, seat: int, trick: int, losses: Losses, plan: CalibrationPlan) -> None:
    """Note the losses of every belief of a seat at this moment."""
    hands = [int(table.view(other).record.hands[other]) for other in range(SEATS)]
    view = table.view(seat)
    hidden = [(c, other) for other in range(SEATS) if other != seat for c in range(CARDS) if hands[other] >> c & 1]
    unclear = belief_of(view).holders().max() < CERTAIN
    for name in plan.beliefs:
        belief = belief_of(view, name, plan.particles, plan.noise)
        chances = belief.chances()
        losses[CARD, name, trick] += [loss(chances[other, card]) for card, other in hidden]
        if unclear:
            holder = next(other for other in range(SEATS) if hands[other] >> int(view.record.named) & 1)
            losses[PARTNER, name, trick].append(loss(belief.holders()[holder]))


def loss(chance: float) -> float:
    return float(-np.log(max(chance, LEAST)))


def draw_calibration(result: Calibration, folder: Path) -> list[Path]:
    """Two pictures: the loss of cards and of the partner, trick by trick."""
    paths = [folder / "snaps_beliefs_cards.png", folder / "snaps_beliefs_partner.png"]
    who = ", ".join(dict.fromkeys(result.team))
    title = f"Where is the card? {result.deals:,} deals of {who}"
    draw_lines(result.cards, paths[0], title, "trick", "mean loss (nats)")
    title = f"Who is the partner? {result.deals:,} deals of {who}"
    draw_lines(result.partners, paths[1], title, "trick", "mean loss (nats)")
    return paths
