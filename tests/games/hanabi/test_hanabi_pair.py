"""`pair`: what it scores, that its messages are true, and that it looks at nothing it may not see."""

import os
import subprocess
import sys

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.games.hanabi.deduction import FREE
from hiddenhand.games.hanabi.pair import decision
from hiddenhand.games.hanabi.pair.decision import best_three, best_two, read_log
from hiddenhand.games.hanabi.pair.memory import MEMORY, set_kinds
from hiddenhand.games.hanabi.pair.tree import MOST, PLAYABLE, grow, leaf_of, set_layers, set_steps
from hiddenhand.games.hanabi.rules import NONE
from hiddenhand.kernel import derive, new_records, stream

LETTERS = "rygbw"

RULES = {
    decision.PLAY: "Rule 1",
    decision.WAIT: "Rule 2",
    decision.LIKELY_PLAY: "Rule 3",
    decision.LAST_HINT: "Rule 4",
    decision.LAST_PLAY: "Rule 5",
    decision.HELP: "Rule 6",
    decision.TELL: "Rule 7",
    decision.THROW_AWAY: "Rule 8",
    decision.NOTHING_TRUE: "Rule 9",
}


def cards(text):
    """A set of cards: "r1 y2"."""
    return sum(1 << (5 * LETTERS.index(word[0]) + int(word[1]) - 1) for word in text.split())


def mean(players, games, **options):
    return (
        hh.match("hanabi", ["pair"] * players, games=games, seed=11, players=players, **options).payoffs[:, 0].mean()
    )


@pytest.mark.parametrize(
    ("players", "least", "options"),
    [(2, 23.85, {}), (2, 23.4, {"rules": "strict"}), (3, 23.7, {}), (4, 22.6, {}), (5, 22.1, {})],
)
def test_scores(players, least, options):
    """Bounds five standard errors below the means of 10,000 games."""
    assert mean(players, 600, **options) > least


def played(seed, **options):
    """The tables of a game between two of them, before each move."""
    of = game("hanabi", **options)
    player = hh.agent(of, "pair")
    table = of.deal(seed)
    while not table.over:
        yield table, player
        table.play(table.ask(player).action)


@pytest.mark.parametrize("options", [{}, {"rules": "strict"}, {"players": 3}])
def test_what_everybody_knows_is_true(options):
    """Before every move the true hands are among those that everybody thinks possible; all seats agree."""
    for seed in range(5):
        for table, _ in played(seed, **options):
            s = table.state
            memories = []
            for seat in range(s.players):
                memory = new_records(MEMORY, 1)[0]
                read_log(table.view(seat).record, memory)
                memories.append(memory)
                assert memory.tobytes() == memories[0].tobytes()
            for seat in range(s.players):
                for slot in range(s.hand_size):
                    can_be = int(memories[0].can_be[seat, slot])
                    card = int(s.hands[seat, slot])
                    assert can_be == 0 if card == NONE else can_be >> card & 1


def test_sure_plays_never_fail():
    """A misplay is always one that was only likely."""
    allowed = (RULES[decision.LIKELY_PLAY], RULES[decision.LAST_PLAY], RULES[decision.NOTHING_TRUE])
    for seed in range(12):
        for table, player in played(seed):
            decided = table.ask(player, explain=True)
            card = int(table.state.hands[table.turn, decided.action % 5])
            if decided.action < 5 and table.state.piles[card // 5] != card % 5:
                assert any(rule in " ".join(decided.reasons) for rule in allowed)


def test_explains_the_rule_and_the_message():
    fired = set()
    for table, player in played(3):
        decided = table.ask(player, explain=True)
        text = " ".join(decided.reasons)
        (number,) = [number for number, rule in RULES.items() if rule in text]
        fired.add(number)
        assert "By the code" in text
        if number == decision.PLAY and decided.action < 5:
            assert f"Card {decided.action + 1} is surely playable" in text
    assert {decision.PLAY, decision.HELP, decision.TELL, decision.THROW_AWAY} <= fired


def test_decides_by_what_it_sees():
    """The hidden cards redealt, or nothing remembered: the same decision."""
    of = game("hanabi")
    for number, (table, player) in enumerate(played(4)):
        other = Table(of, table.seed)
        for action in table.history:
            other.play(action)
        of.rules.redeal(other.state, other.turn, stream(derive(8, number)))
        assert other.ask(player).action == table.ask(player).action


def test_another_game_in_the_memory_is_noticed():
    *_, (first, _) = played(1)
    *_, (second, _) = played(2)
    memory, fresh = new_records(MEMORY, 1)[0], new_records(MEMORY, 1)[0]
    read_log(first.view(0).record, memory)
    read_log(second.view(0).record, memory)
    read_log(second.view(0).record, fresh)
    assert memory.tobytes() == fresh.tobytes()


def test_leaves_share_out_all_hands():
    """Any hand lies in exactly one leaf."""
    memory = new_records(MEMORY, 1)[0]
    read_log(game("hanabi").deal(0).view(0).record, memory)
    kinds, layers, steps = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(26, np.int64)
    set_kinds(memory, kinds)
    assert kinds[PLAYABLE] == cards("r1 y1 g1 b1 w1")
    set_layers(np.array([3, 2, 2, 2, 1] * 5), layers)
    set_steps(np.zeros(5, np.int64), 0, steps)
    leaves = np.zeros((MOST, 5), np.int64)
    assert (memory.can_be[1] == FREE).all()
    assert grow(memory.can_be[1], layers, kinds, steps, 10, leaves) == 10
    rng = np.random.default_rng(1)
    for _ in range(300):
        hand = rng.integers(0, 25, 5)
        inside = [all(int(leaf[slot]) >> hand[slot] & 1 for slot in range(5)) for leaf in leaves[:10]]
        assert sum(inside) == 1
        assert leaf_of(hand, leaves, 10) == inside.index(True)


def test_last_turns():
    playable = cards("r4 y5")
    assert best_two(cards("r4"), cards("r5"), playable) == 2
    assert best_two(cards("r5"), cards("r4"), playable) == 1
    assert best_three(cards("r4 y5"), cards("r5"), playable) == 3
    assert best_three(cards("r5"), cards("r4 y5"), playable) == 2


SHORT = """
import hiddenhand as hh
of = hh.agent("hanabi", "pair").game
player, table = hh.agent(of, "pair"), of.deal(6)
for _ in range({moves}):
    table.play(table.ask(player).action)
print(table.history)
"""


def test_uncompiled_is_the_same():
    code = SHORT.format(moves=24)
    run = [sys.executable, "-c", code]
    plain = subprocess.run(
        run, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True
    )
    fast = subprocess.run(run, capture_output=True, text=True, check=True)
    assert plain.stdout == fast.stdout
