"""Blind tic-tac-toe: the worlds of a seat are all games that it cannot tell from its own, found by playing them."""

import random
from collections import Counter

import numpy as np
import pytest

from hiddenhand.core.resolver import game
from hiddenhand.core.view import legal_actions, same
from hiddenhand.kernel import OVER, assign, new_records, stream

MOST = 800  # worlds of a position that is gone through


def read(s):
    """All that a state is made of."""
    return tuple(tuple(np.ravel(s[name]).tolist()) for name in s.dtype.names if name != "padding")


GAMES = ({}, {"abrupt": True})


def after(blind, state, *actions):
    copied = new_records(blind.rules.state, 1)[0]
    assign(copied, state)
    for action in actions:
        blind.rules.play(copied, action, stream(0))
    return copied


def worlds_by_hand(table, seat):
    """Every state that looks like this one to a seat: it does what it did, the other whatever it may."""
    blind, now = table.game, table.state
    mine = [int(cell) for cell in now.named[seat, : now.names[seat]]]
    found, front = set(), [blind.deal(0).state]
    seen = table.view(seat).record
    while front:
        state = front.pop()
        view = new_records(blind.rules.view, 1)[0]
        blind.rules.observe(state, seat, view)
        if same(view, seen):
            found.add(read(state))
        mover, names = blind.rules.turn(state), int(state.names[seat])
        if mover == OVER or len(found) > MOST:
            continue
        later = state.names[1 - seat] > now.names[1 - seat] if now.abrupt else state.moves > now.moves
        if later or state.marks[seat] & ~now.marks[seat] or state.found[seat] & ~now.found[seat]:
            continue
        tries = legal_actions(blind, state) if mover != seat else mine[names : names + 1]
        front += [after(blind, state, action) for action in tries if action in legal_actions(blind, state)]
    return found


def some_positions(blind, games):
    for seed in range(games):
        table, pick = blind.deal(0), random.Random(seed)
        while not table.over:
            table.play(pick.choice(table.legal_actions()))
            if pick.random() < 0.4 or table.over:
                yield table, pick.randrange(2)


@pytest.fixture(scope="module", params=GAMES, ids=("classical", "abrupt"))
def gone_through(request):
    """Positions, the seat that looks, and its worlds; of every kind: going on, won, lost and drawn."""
    blind, kinds = game("blind_tictactoe", **request.param), Counter()
    found = []
    for table, seat in some_positions(blind, 60 if request.param else 30):
        kind = (int(table.state.winner), seat, table.turn, int(table.state.moves))
        if kinds[kind] < 1 and int(blind.rules.worlds(table.state, seat)) <= MOST:
            kinds[kind] += 1
            state = after(blind, table.state)
            found.append((state, seat, worlds_by_hand(table, seat)))
    return found


def test_listed_worlds_are_the_games_that_look_the_same(gone_through):
    rules = game("blind_tictactoe").rules
    record = new_records(game("blind_tictactoe").rules.state, 1)[0]
    assert {int(state.winner) for state, _, _ in gone_through} == {-1, 0, 1}
    assert max(len(worlds) for _, _, worlds in gone_through) > 300
    for state, seat, worlds in gone_through:
        listed = Counter()
        for number in range(int(rules.worlds(state, seat))):
            assign(record, state)
            assert rules.world(record, seat, number, stream(0)) == 1.0
            listed[read(record)] += 1
        assert set(listed) == worlds
        assert set(listed.values()) == {1}


def test_redeal_draws_all_of_them_equally_often(gone_through):
    redeal = game("blind_tictactoe").rules.redeal
    record = new_records(game("blind_tictactoe").rules.state, 1)[0]
    rng = stream(11)
    for state, seat, worlds in gone_through:
        if len(worlds) > 200:
            continue
        tally = Counter()
        for _ in range(15 * len(worlds)):
            assign(record, state)
            redeal(record, seat, rng)
            tally[read(record)] += 1
        assert set(tally) <= worlds
        surprise = sum((tally[world] - 15) ** 2 / 15 for world in worlds)
        freedom = len(worlds) - 1
        assert surprise <= freedom + 5 * (2 * freedom) ** 0.5


def test_umpire_tells_the_mover_alone():
    table = game("blind_tictactoe").deal()
    table.play("b2")
    before = table.view(0).record.tobytes()
    assert (table.hear(4, 1), table.hear(4, 0)) == ("b2 is taken", "")
    assert (table.hear(5, 1), table.hear(5, 0)) == ("c2", "a mark is placed")
    table.play("b2")
    assert table.turn == 1
    assert table.view(0).record.tobytes() == before
    assert "b2" not in [table.action_name(a) for a in table.legal_actions()]
    assert table.view(1).record.found == 1 << 4
    assert "X" in table.view(1).screen()
    table.play("a1")
    assert table.turn == 0
    assert len(table.legal_actions()) == 8


def test_longest_game():
    """Each seat runs into four marks: 17 plies, the most there can be."""
    table = game("blind_tictactoe").deal()
    order = ["a3", "b3", "c3", "b2", "a2", "c2", "b1", "a1", "c1"]
    taken: list[str] = []
    for cell in order:
        for other in taken:
            if other in [table.action_name(a) for a in table.legal_actions()]:
                table.play(other)
        table.play(cell)
        taken.append(cell)
    assert table.over
    assert len(table.history) == 17 == table.game.longest
    assert table.payoffs() == [0.0, 0.0]


def test_abrupt_attempts_end_the_turn_and_nobody_hears_the_number_of_marks():
    table = game("blind_tictactoe", abrupt=True).deal()
    table.play("b2")
    assert (table.hear(4, 1), table.hear(4, 0), table.hear(5, 0)) == (
        "b2 is taken",
        "a cell is named",
        "a cell is named",
    )
    other = game("blind_tictactoe", abrupt=True).deal()
    other.play("b2")
    table.play("b2")  # refused
    other.play("a1")  # placed
    assert table.turn == other.turn == 0
    assert table.view(0).record.tobytes() == other.view(0).record.tobytes()
    assert table.view(0).screen() == other.view(0).screen()
    assert table.view(0).picture() == other.view(0).picture()
