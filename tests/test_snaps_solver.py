"""The solver of snaps against brute force, in every option that bears on the play."""

import itertools

import numpy as np
import pytest

from hiddenhand.core.registry import game
from hiddenhand.games.snaps import rules
from hiddenhand.games.snaps.rules import DOST, FINISHED, MARRIAGE, MARRIAGE_AND_CLAIM, STATE, TRICKS
from hiddenhand.games.snaps.solver import POINTS, WIN, new_memory, solve, solve_moves
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
        n = rules.legal(s, out)
        action = out[below(rng, n)]
        for i in range(n):
            if MARRIAGE <= out[i] < MARRIAGE_AND_CLAIM and below(rng, 2) == 0:
                action = out[i]
        if MARRIAGE_AND_CLAIM <= action <= DOST:
            action = out[0]
        rules.play(s, action, rng)


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


def legal(s):
    out = np.zeros(MOST_ACTIONS, np.int64)
    return out[: rules.legal(s, out)].copy()


def compare(s, brute, memory, objective):
    """The values of the position and of every move; returns those of the moves."""
    actions = legal(s)
    values = np.zeros(len(actions), np.int64)
    solve_moves(s, actions, len(actions), objective, memory, values)
    expected = [brute.value_of_move(s, action, objective) for action in actions]
    assert values.tolist() == expected, (s.plays, actions, s)
    assert solve(s, objective, memory) == brute.value(s, objective)
    return expected


@pytest.mark.parametrize("objective", [WIN, POINTS])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: " ".join(str(v) for v in o.values()))
def test_endgames_of_three_tricks(options, objective):
    brute, memory = BruteForce(), new_memory(12)
    seen = set()
    for plays, count in ((12, 22), (13, 8), (14, 6), (15, 6), (17, 4), (20, 2), (23, 2)):
        for s in positions({**options, "chooser": plays % 4}, plays, count, seed=plays):
            seen |= set(compare(s, brute, memory, objective))
    assert len(seen) >= (6 if options["schwarz"] and objective == WIN else 2)
