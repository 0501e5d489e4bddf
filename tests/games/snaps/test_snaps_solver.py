"""The solver of snaps against brute force, in every option that bears on the play."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hiddenhand.core.resolver import game
from hiddenhand.games.snaps.rules import legal, play
from hiddenhand.games.snaps.solver import POINTS, WIN, new_memory, solve, solve_moves
from hiddenhand.games.snaps.solver.memory import DEALS
from hiddenhand.games.snaps.state import (
    DOST,
    ENOUGH,
    FINISHED,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    STATE,
    TRICKS,
    side,
    total_with,
)
from hiddenhand.kernel import assign, below, new_records, rule, stream
from snaps_brute_force import MOST_ACTIONS, BruteForce

OPTIONS = [
    {"claim": claim, "strict_claim": strict, "schwarz": schwarz, "relax_if_trumped": relaxed}
    for claim, strict in (("manual", False), ("manual", True), ("auto", False))
    for schwarz, relaxed in itertools.product((False, True), repeat=2)
]


@rule
def play_without_claims(s, plays, rng):
    """Play at random to the given number of cards, with many marriages, and claim nothing."""
    out = np.zeros(MOST_ACTIONS, np.int64)
    while s.phase != FINISHED and (s.phase != TRICKS or s.plays < plays):
        n = legal(s, out)
        action = out[below(rng, n)]
        for i in range(n):
            if MARRIAGE <= out[i] < MARRIAGE_AND_CLAIM and below(rng, 2) == 0:
                action = out[i]
        if MARRIAGE_AND_CLAIM <= action <= DOST:
            action = out[0]
        play(s, action, rng)


def positions(options, plays, count, seed):
    """Positions after so many cards; often somebody could have claimed before, and did not."""
    table = game("snaps", **options)
    rng = stream(seed)
    s = new_records(STATE, 1)[0]
    for number in itertools.count():
        assign(s, table.deal(1000 * seed + number).state)
        play_without_claims(s, plays, rng)
        if s.phase == TRICKS:
            count -= 1
            yield s
        if count == 0:
            return


def moves_in(s):
    out = np.zeros(MOST_ACTIONS, np.int64)
    return out[: legal(s, out)].copy()


def compare(s, brute, memory, objective):
    """The values of the position and of every move; returns those of the moves."""
    actions = moves_in(s)
    values = np.zeros(len(actions), np.int64)
    solve_moves(s, actions, len(actions), objective, memory, values)
    expected = [brute.value_of_move(s, action, objective) for action in actions]
    assert values.tolist() == expected, (s.plays, actions, s)
    assert solve(s, objective, memory) == brute.value(s, objective)
    return expected


@pytest.mark.parametrize("objective", [WIN, POINTS], ids=["win", "points"])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: " ".join(str(v) for v in o.values()))
def test_endgames_of_three_tricks(options, objective):
    brute, memory = BruteForce(), new_memory(12)
    seen = set()
    for plays, count in ((12, 22), (13, 8), (14, 6), (15, 6), (17, 4), (20, 2), (23, 2)):
        for s in positions({**options, "chooser": plays % 4}, plays, count, seed=plays):
            seen |= set(compare(s, brute, memory, objective))
    assert len(seen) >= (6 if options["schwarz"] and objective == WIN else 2)


def test_whole_deals():
    """Here brute force looks repeated positions up, as plain minimax over a deal would take days."""
    brute, memory = BruteForce(1 << 20), new_memory(0)
    for number in range(20):
        objective = number % 2
        s = next(positions(OPTIONS[number % len(OPTIONS)], plays=0, count=1, seed=number))
        brute.forget()
        assert solve(s, objective, memory) == brute.value(s, objective)
        if number < 4:
            compare(s, brute, memory, objective)


def test_longer_endgames():
    brute, memory = BruteForce(1 << 18), new_memory(4)
    for number, options in enumerate(OPTIONS):
        for s in positions(options, plays=4 + number % 8, count=3, seed=number):
            for objective in (WIN, POINTS):
                brute.forget()
                compare(s, brute, memory, objective)


def test_claims_at_the_root():
    """A true claim wins, a false one loses, and not to claim can throw the deal away."""
    memory, seen = new_memory(12), set()
    for s in positions({"claim": "manual"}, plays=16, count=400, seed=3):
        actions = moves_in(s)
        values = np.zeros(len(actions), np.int64)
        solve_moves(s, actions, len(actions), WIN, memory, values)
        if DOST in actions:
            mine = side(s, s.mover)
            true = total_with(s, mine, s.holder, 0) >= ENOUGH
            assert values[-1] == (1 if true else -1)
            seen.add((true, int(values[0])))
    assert seen == {(True, 1), (True, -1), (False, 1), (False, -1)}


def test_the_discussion_of_kontra_is_the_position_before_the_first_lead():
    table = game("snaps", rekontra=True).deal(4)
    table.play("name hA")
    memory = new_memory(0)
    before = solve(table.state, WIN, memory), solve(table.state, POINTS, memory)
    while table.state.phase != TRICKS:
        table.play(table.legal_actions()[-1])
        assert (solve(table.state, WIN, memory), solve(table.state, POINTS, memory)) == before


def test_memory_serves_any_number_of_worlds():
    """Results do not depend on what was solved before, nor on the size of the table."""
    fresh = []
    for s in positions({"claim": "auto"}, plays=3, count=30, seed=8):
        fresh.append((solve(s, WIN, new_memory(0)), solve(s, POINTS, new_memory(0))))
    used = new_memory(20)
    used["generation"][0] = DEALS - 40  # the count of deals begins again on the way
    again = [
        (solve(s, WIN, used), solve(s, POINTS, used)) for s in positions({"claim": "auto"}, plays=3, count=30, seed=8)
    ]
    assert again == fresh
    assert used["generation"][0] < 40


FOLDERS = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "support")]


def test_uncompiled_code_gives_the_same():
    program = (
        f"import sys; sys.path[:0] = {FOLDERS}\n"
        "from test_snaps_solver import *\n"
        "print([(int(solve(s, WIN, new_memory(12))), int(solve(s, POINTS, new_memory(12))))\n"
        "       for options in OPTIONS[3::4] for s in positions(options, plays=13, count=3, seed=1)])\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        ).stdout
        for environment in (dict(os.environ), {**os.environ, "NUMBA_DISABLE_JIT": "1"})
    ]
    assert told[0] == told[1]
    assert len(told[0]) > 50
