"""Where do agents of snaps lose? Deals that they play among themselves, judged afterwards with open cards.

With open cards every position is won by one side. A decision matters if some of its moves win and others lose; it
throws a win if it takes one that loses. A deal that was won for a side with open cards when the first card was led,
and that this side lost, is a lost win of the chooser's side or of the defenders. Nobody sees the cards, so that no
agent can avoid all of this; but of two agents the better one throws less.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hiddenhand.core.processes import Workers
from hiddenhand.core.resolver import agent, game
from hiddenhand.games.snaps.cards import NONE, SEATS
from hiddenhand.games.snaps.solver import WIN, new_memory, solve_moves
from hiddenhand.games.snaps.state import TRICK_COUNT, TRICKS, side
from hiddenhand.kernel import derive
from hiddenhand.lab.executors import losses_reported
from hiddenhand.lab.parts import Found, WorkPart, gather
from hiddenhand.lab.runner import Running
from hiddenhand.lab.statistics import wilson
from hiddenhand.lab.tables import first_column_left
from hiddenhand.lab.work_kinds import working

ROLES = ("the chooser", "his partner", "the defenders")
AT_ONCE = 400  # deals in a piece of the work
IN_A_TASK = 20  # and in what one process does at a time

Counts = dict[str, int]


@dataclass(frozen=True)
class LossesPlan:
    """Whose deals, and how many."""

    agents: Sequence[str]
    deals: int = 4000
    seed: int = 1


@dataclass
class Losses:
    """What was counted in the deals of each agent."""

    deals: int
    counts: dict[str, Counts]

    def rows(self) -> list[list[str]]:
        """A table: one column for each agent."""
        rows = [["", *self.counts]]
        for title, part, whole in QUESTIONS:
            rows.append([title, *(share(counts[part], counts[whole]) for counts in self.counts.values())])
        return rows

    def __str__(self) -> str:
        return "\n".join(first_column_left(self.rows()))

    def to_json(self) -> dict[str, Any]:
        return vars(self)


QUESTIONS = [
    ("deals with a thrown win", "deals thrown", "deals"),
    ("decisions that matter, thrown", "thrown", "matter"),
    ("the chooser's side loses an open-card win", "attack lost", "attack"),
    ("the defenders lose an open-card win", "defence lost", "defence"),
    ("kontra won", "kontra won", "kontra"),
    *((f"thrown in trick {trick + 1}", f"thrown in trick {trick + 1}", "thrown") for trick in range(TRICK_COUNT)),
    *((f"thrown by {role}", f"thrown by {role}", "thrown") for role in ROLES),
]


def share(part: int, whole: int) -> str:
    """A share in per cent with its 95 % interval, and of how many."""
    if whole == 0:
        return "-"
    low, high = wilson(part / whole, whole)
    return f"{100 * part / whole:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {whole:,}"


def lost_wins(plan: LossesPlan, running: Running | None = None, workers: int | Workers = 1) -> Losses:
    """Let each agent play deals in all four seats, and count its mistakes."""
    of = game("snaps")
    identity = {**vars(plan), "rules": of.rules.key, "version": of.version}
    with working(workers) as pool:
        pieces = [
            WorkPart(f"{name}, deals from {first}", partial(count_block, pool, plan, name, first), AT_ONCE)
            for name in plan.agents
            for first in range(0, plan.deals, AT_ONCE)
        ]
        found = gather("lost wins", identity, pieces, running or Running())
    counts = {name: new_counts() for name in plan.agents}
    for piece, made in zip(pieces, found):
        add(counts[piece.name.rpartition(", deals from ")[0]], made["counts"])
    return Losses(plan.deals, counts)


def new_counts() -> Counts:
    return dict.fromkeys((key for _, *keys in QUESTIONS for key in keys), 0)


def add(counts: Counts, more: Counts) -> None:
    for key, number in more.items():
        counts[key] += number


def count_block(pool: Workers, plan: LossesPlan, name: str, first: int, running: Running) -> Found:
    """Some deals of one agent, by all who work."""
    end = min(first + AT_ONCE, plan.deals)
    starts = range(first, end, IN_A_TASK)
    counts = new_counts()
    with losses_reported():
        tasks: list[Future[Counts]] = [
            pool.submit(count_deals, name, plan.seed, start, min(start + IN_A_TASK, end)) for start in starts
        ]
        for task in tasks:
            add(counts, task.result())
    return {"counts": counts}


def count_deals(name: str, seed: int, first: int, end: int) -> Counts:
    """Play these deals and count."""
    of = game("snaps")
    player = agent(of, name)
    counts = new_counts()
    for number in range(first, end):
        count_deal(of.deal(seed=derive(seed, number)), player, counts)
    return counts


def count_deal(table: Any, player: Any, counts: Counts) -> None:
    state, thrown, open_winner = table.state, 0, NONE
    while not table.over:
        actions = table.legal_actions()
        chosen = table.ask(player).action
        if state.phase == TRICKS and (len(actions) > 1 or open_winner == NONE):
            values = values_of(state, actions)
            mine = int(side(state, state.mover))
            if open_winner == NONE:
                open_winner = mine if values.max() > 0 else 1 - mine
            if values.max() > 0 > values.min():
                lost = bool(values[actions.index(chosen)] < 0)
                counts["matter"] += 1
                counts["thrown"] += lost
                counts[f"thrown in trick {int(state.plays) // SEATS + 1}"] += lost
                counts[f"thrown by {ROLES[0 if state.mover == state.chooser else 1 if mine == 0 else 2]}"] += lost
                thrown += lost
        table.play(chosen)
    count_end(state, open_winner, counts)
    counts["deals thrown"] += thrown > 0


def count_end(state: np.record, open_winner: int, counts: Counts) -> None:
    """A finished deal, and who would have won it with open cards."""
    counts["deals"] += 1
    which = "attack" if open_winner == 0 else "defence"
    counts[which] += 1
    counts[f"{which} lost"] += int(state.winner != open_winner)
    if state.doubled_by != NONE:
        counts["kontra"] += 1
        counts["kontra won"] += int(state.winner == 1)


def values_of(state: np.record, actions: list[int]) -> np.ndarray[Any, Any]:
    """What each action wins for the side of the mover, with open cards."""
    values = np.zeros(len(actions), np.int64)
    solve_moves(state, np.array(actions, np.int64), len(actions), WIN, new_memory(state.plays), values)
    return values
