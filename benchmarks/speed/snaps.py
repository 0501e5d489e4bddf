"""Snaps: how fast deals are solved with open cards, possible deals counted and drawn, and games played.

There is no peer; the column "theirs" gives the rate that we mean to exceed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hiddenhand.core.resolver import agent, game
from hiddenhand.games.snaps.beliefs.deals import draw_deal
from hiddenhand.games.snaps.cards import CARDS, RANKS, SUIT, SUITS, count, points_in
from hiddenhand.games.snaps.knowledge import possible_deals
from hiddenhand.games.snaps.rules import name_card
from hiddenhand.games.snaps.solver import POINTS, WIN, new_memory, solve
from hiddenhand.games.snaps.state import TRICKS, deal
from hiddenhand.kernel import rule, stream
from rows import Row, games_per_second, per_second

BAR = "the rate wanted"


def rows() -> Iterator[Row]:
    yield Row("who wins a deal, open cards", "deals/s", solved(WIN, 1000), BAR, 8000.0, 1.0)
    yield Row("points of a deal, open cards", "deals/s", solved(POINTS, 100), BAR, 1000.0, 1.0)
    yield Row("positions searched for it", "nodes/s", searched(), "-", None)
    yield Row("possible deals counted", "counts/s", opening(count_deals, 10_000), "-", None)
    yield Row("possible deals drawn", "deals/s", opening(draw_deals, 50_000, stream(1)), BAR, 500_000.0, 1.0)
    yield Row("opening leads by pimc, 100 worlds", "decisions/s", leads("pimc", 0), BAR, 50.0, 1.0)
    yield Row("leads to trick 3, all deals averaged", "decisions/s", leads("averaging:time=60", 2), BAR, 1.0, 1.0)
    yield Row(
        "leads to trick 2, all deals averaged", "decisions/s", leads("averaging:time=600", 1, 2), BAR, 1 / 90, 1.0
    )
    yield Row("random games", "games/s", games_per_second(game("snaps"), "random"), "-", None)


def solved(objective: Any, deals: int) -> float:
    """Random deals solved in a second, a sensible card named."""
    state, memory, rng = game("snaps").deal().state, new_memory(0), stream(1)
    solve_deals(state, 1, objective, memory, rng)

    def work() -> int:
        solve_deals(state, deals, objective, memory, rng)
        return deals

    return per_second(work)


def searched() -> float:
    """Positions that the search for the points visits in a second."""
    state, memory, rng = game("snaps").deal().state, new_memory(0), stream(1)

    def work() -> int:
        before = int(memory["nodes"][0])
        solve_deals(state, 100, POINTS, memory, rng)
        return int(memory["nodes"][0]) - before

    return per_second(work)


def opening(job: Callable[..., Any], times: int, *more: Any) -> float:
    """How often a job is done in a second from the view of the chooser before the first lead."""
    table = game("snaps").deal(1)
    table.play(int(sensible_card(table.state.hands[0])))
    while table.turn != 0:
        table.play("pass")
    view = table.view(0).record
    job(view, 0, 1, *more)

    def work() -> int:
        job(view, 0, times, *more)
        return times

    return per_second(work)


def leads(text: str, tricks: int, deals: int = 20) -> float:
    """Leads that an agent decides in a second, after so many tricks of games by rules; the mean of so many deals."""
    chosen = game("snaps")
    rules, thinker = agent(chosen, "rules"), agent(chosen, text)
    spent, decided = 0.0, 0
    for seed in range(deals + 1):  # the first compiles
        table = chosen.deal(seed)
        while (not table.over and table.state.plays < 4 * tricks) or table.state.phase < TRICKS:
            table.play(table.ask(rules).action)
        if not table.over and len(table.legal_actions()) > 1:
            view = table.view()
            start = time.perf_counter()
            thinker.decide(view)
            spent += time.perf_counter() - start if decided else 0.0
            decided += 1
    return (decided - 1) / spent


# --- the work that is timed, in compiled loops ----------------------------------------------------


@rule
def sensible_card(hand):
    """The highest card that is missing in the longest suit of a hand; of equally long ones, in the richest."""
    best = -1
    named = 0
    for suit in range(SUITS):
        held = np.int64(hand) >> (RANKS * suit) & SUIT
        strength = 100 * count(held) + points_in(held)
        if strength > best:
            best = strength
            named = RANKS * suit
            for rank in range(RANKS):
                if held >> rank & 1 == 0:
                    named = RANKS * suit + rank
    return named


@rule
def solve_deals(s, deals, objective, memory, rng):
    """Deal, name a sensible card and solve, so many times; returns the sum of the values."""
    total = 0
    for _ in range(deals):
        deal(s, rng)
        name_card(s, sensible_card(s.hands[s.chooser]))
        total += solve(s, objective, memory)
    return total


@rule
def count_deals(s, seat, times):
    """Count the deals that a seat holds possible, so many times; returns the number."""
    total = 0.0
    for _ in range(times):
        total = possible_deals(s, seat).total
    return total


@rule
def draw_deals(s, seat, deals, rng):
    """Draw so many of the deals that a seat holds possible; returns a number that depends on all of them."""
    possible = possible_deals(s, seat)
    weights, slots, ways = possible.weights, possible.slots, possible.ways
    owners = np.empty(CARDS, np.int64)
    total = 0
    for _ in range(deals):
        draw_deal(weights, slots, ways, rng, owners)
        total += owners[0]
    return total
