"""Blind tic-tac-toe against a model of its own: every state the game can reach, per view, and uniform
redeals."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from hiddenhand.core.resolver import game
from hiddenhand.games import blind_tictactoe as blind
from hiddenhand.kernel import assign, new_records, stream

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
HAS_LINE = [any(marks & line == line for line in LINES) for marks in range(512)]


def successors(state):
    """The rules once more, as plain as can be. A state is (marks, marks, found, found, mover, winner)."""
    marks, found, mover, winner = list(state[:2]), list(state[2:4]), state[4], state[5]
    if winner >= 0 or marks[0] | marks[1] == 511:
        return
    other = 1 - mover
    for cell in range(9):
        bit = 1 << cell
        if (marks[mover] | found[mover]) & bit:
            continue
        m, f, next_mover, won = marks.copy(), found.copy(), mover, -1
        if marks[other] & bit:
            f[mover] |= bit
        else:
            m[mover] |= bit
            next_mover = other
            won = mover if HAS_LINE[m[mover]] else -1
        yield (*m, *f, next_mover, won)


def view_of(state, seat):
    moves = (state[0] | state[1]).bit_count()
    return (seat, state[seat], state[2 + seat], moves, state[4], state[5])


@pytest.fixture(scope="module")
def worlds():
    """Every view and the states that it can stand for: all histories, found once per state."""
    start = (0, 0, 0, 0, 0, -1)
    reached, front = {start}, [start]
    while front:
        front = [s for state in front for s in successors(state)]
        front = list(set(front) - reached)
        reached.update(front)
    by_view = defaultdict(list)
    for state in reached:
        for seat in range(2):
            by_view[view_of(state, seat)].append(state)
    return by_view


def load(record, state):
    record.marks[0], record.marks[1], record.found[0], record.found[1] = state[:4]
    record.mover, record.winner = state[4:]
    record.moves = (state[0] | state[1]).bit_count()


def read(s):
    return (
        int(s.marks[0]),
        int(s.marks[1]),
        int(s.found[0]),
        int(s.found[1]),
        int(s.mover),
        int(s.winner),
    )


def chosen_views(worlds):
    """Some views of every kind: with the game going on, won, lost or drawn, few and many worlds."""
    kinds = defaultdict(list)
    for view in sorted(worlds):
        seat, _, _, moves, mover, winner = view
        kinds[seat, moves, mover, winner].append(view)
    rng = np.random.default_rng(1)
    return [views[i] for views in kinds.values() for i in rng.choice(len(views), min(3, len(views)), False)]


def test_redeal_is_exactly_uniform_over_reachable_states(worlds):
    redeal = game("blind_tictactoe").rules.redeal
    record = new_records(game("blind_tictactoe").state, 2)
    rng = stream(11)
    views = chosen_views(worlds)
    assert {view[5] for view in views} == {-1, 0, 1}
    for view in views:
        states = worlds[view]
        load(record[0], states[0])
        tally: Counter[tuple[int, ...]] = Counter()
        draws = 15 * len(states)
        for _ in range(draws):
            assign(record[1], record[0])
            redeal(record[1], view[0], rng)
            tally[read(record[1])] += 1
        assert set(tally) <= set(states), view
        chi = sum((tally[s] - 15) ** 2 / 15 for s in states)
        freedom = len(states) - 1
        assert chi <= freedom + 5 * (2 * freedom) ** 0.5, view


def test_redeal_can_reach_every_state_and_no_other(worlds):
    """For all views: what the draws choose among is what the game can reach."""
    record = new_records(blind.STATE, 1)[0]
    for view, states in worlds.items():
        load(record, states[0])
        seat, mine, found = view[:3]
        count = view[3] - mine.bit_count()
        marks = [
            m
            for m in range(512)
            if m & mine == 0 and m & found == found and blind.may_be_marks(record, m, count, 1 - seat)
        ]
        finds = [f for f in range(512) if f & mine == f and blind.may_be_found(record, f, 1 - seat)]
        assert {(m, f) for m in marks for f in finds} == {(s[1 - seat], s[3 - seat]) for s in states}, view


def test_umpire_tells_the_mover_alone():
    table = game("blind_tictactoe").deal()
    table.play("b2")
    before = table.view(0).record.tobytes()
    assert (table.hear(4, 1), table.hear(4, 0)) == ("b2 is taken", "")
    assert (table.hear(5, 1), table.hear(5, 0)) == ("c2", "a mark is placed")
    table.play("b2")
    assert table.turn == 1
    assert table.view(0).record.tobytes() == before
    assert "b2" not in [table.text(a) for a in table.legal()]
    assert table.view(1).record.found == 1 << 4
    assert "X" in table.view(1).screen()
    table.play("a1")
    assert table.turn == 0
    assert len(table.legal()) == 8


def test_longest_game():
    """Each seat runs into four marks: 17 plies, the most there can be."""
    table = game("blind_tictactoe").deal()
    order = ["a3", "b3", "c3", "b2", "a2", "c2", "b1", "a1", "c1"]
    taken: list[str] = []
    for cell in order:
        for other in taken:
            if other in [table.text(a) for a in table.legal()]:
                table.play(other)
        table.play(cell)
        taken.append(cell)
    assert table.over
    assert len(table.actions) == 17 == table.game.longest
    assert table.payoffs() == [0.0, 0.0]
