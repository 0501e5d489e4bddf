"""What experience is worth: how well the cards of opponents with a habit are guessed, before and after knowing them.

Opponents of one habit play among themselves; `experienced` sits beside them, has seen so many of their games, and is
asked before each trick who holds every card that it does not see. The loss is that of `calibration`. Of strangers it
expects what is usual.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.table import Table
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.experience import Experience
from hiddenhand.games.snaps.experienced import Experienced
from hiddenhand.games.snaps.predictable_opponent import TELLS
from hiddenhand.games.snaps.state import TRICK_COUNT, TRICKS
from hiddenhand.kernel import derive
from hiddenhand.lab.parts import Found, WorkPart, gather
from hiddenhand.lab.runner import Running
from hiddenhand.studies.snaps.calibration import loss

SEEN = (0, 30, 300)
ASKED_OF = TRICK_COUNT - 1  # before the last trick the cards are mostly known
WATCHED, ASKED = 1, 2  # seeds: the games that are seen, and those in which it is asked


def measure_acquaintance(deals: int, seed: int, running: Running) -> Found:
    """{habit: losses float64[games seen, trick, deals]}"""
    of = game("snaps")
    pieces = [WorkPart(f"habit {tell}", partial(ask_about, tell, deals, seed)) for tell in TELLS]
    plan = {"rules": of.rules.key, "version": of.version, "deals": deals, "seed": seed, "seen": SEEN}
    found = gather("acquaintance", plan, pieces, running)
    return {tell: piece["losses"] for tell, piece in zip(TELLS, found)}


def ask_about(tell: str, deals: int, seed: int, running: Running) -> Found:
    """The mean loss of a card, by how many games were seen, trick and deal."""
    of = game("snaps")
    names = [f"habit:tell={tell}"] * SEATS
    players = [agent(of, name) for name in names]
    observers = [observer_after(seen, players, names, seed) for seen in SEEN]
    losses = np.full((len(SEEN), ASKED_OF, deals), np.nan)
    for deal in range(deals):
        table = of.deal(seed=derive(derive(seed, ASKED), deal))
        table.company = names
        for trick in range(ASKED_OF):
            play_to(table, players, trick)
            if not table.over:
                for i, observer in enumerate(observers):
                    losses[i, trick, deal] = loss_of(observer, table, deal % SEATS)
    return {"losses": losses}


def observer_after(games: int, players: list[Agent], names: list[str], seed: int) -> Experienced:
    """The agent that has seen this many of their games."""
    of = players[0].game
    observer = Experienced(of)
    observer.experience = Experience(of)
    for number in range(games):
        table = of.deal(seed=derive(derive(seed, WATCHED), number))
        play_to(table, players, TRICK_COUNT + 1)
        observer.experience.add([table.record(names)])
    return observer


def play_to(table: Table, players: list[Agent], trick: int) -> None:
    """Until this trick begins, or the end."""
    while not table.over:
        view = table.view(table.turn)
        if view.record.phase == TRICKS and view.record.plays >= SEATS * trick:
            return
        table.play(players[table.turn].decide(view).action)


def loss_of(observer: Experienced, table: Table, seat: int) -> float:
    """Its mean loss over the cards that the seat does not see."""
    chances, _ = observer.beliefs(table.view(seat))
    hands = [int(table.view(other).record.hands[other]) for other in range(SEATS)]
    others = [other for other in range(SEATS) if other != seat]
    return float(np.mean([loss(chances[o, card]) for o in others for card in range(CARDS) if hands[o] >> card & 1]))


def acquaintance_rows(found: Found) -> list[list[str]]:
    """A table: the loss beside strangers, and by how much it changes with the games seen."""
    rows = [["habit, games seen", *(f"trick {trick + 1}" for trick in range(ASKED_OF))]]
    for tell in TELLS:
        losses = np.asarray(found[tell])
        rows.append([f"{tell}, none", *(written(of, "{:.3f}") for of in losses[0])])
        for i, games in enumerate(SEEN[1:], 1):
            rows.append([f"{tell}, {games}", *(written(of, "{:+.3f} ± {:.3f}") for of in losses[i] - losses[0])])
    return rows


def written(losses: np.ndarray[Any, Any], how: str) -> str:
    """The mean and half of its 95 % interval, over the deals that came so far."""
    known = losses[~np.isnan(losses)]
    if len(known) < 2:
        return "-"
    return how.format(known.mean(), 1.96 * known.std(ddof=1) / np.sqrt(len(known)))
