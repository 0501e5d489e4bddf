"""Hat guessing in Hanabi: knowledge that everyone shares and that is never wrong, and the play that rests on it."""

import os
import subprocess
import sys

import numpy as np
import pytest

import hiddenhand
from hiddenhand.core import resolver
from hiddenhand.core.view import same
from hiddenhand.games.hanabi.deduction import FREE, OF_COLOURS, OF_RANKS, playable_cards
from hiddenhand.games.hanabi.hats import agent as hats
from hiddenhand.games.hanabi.hats.board import MEMORY, held
from hiddenhand.games.hanabi.hats.coded_answers import catch_up
from hiddenhand.games.hanabi.hats.numbers import class_of, hint_classes
from hiddenhand.games.hanabi.rules import HINT, touches
from hiddenhand.kernel import new_records


def public(table, seat):
    """What a seat holds to be public, worked out afresh from its view."""
    memory = new_records(MEMORY, 1)[0]
    board = catch_up(table.view(seat).record, seat, memory)
    return memory, board


def self_play(players, seeds, **options):
    """The tables of games between `hat`s, before every move, with the move."""
    game = resolver.game("hanabi", players=players, **options)
    agent = resolver.agent(game, "hat")
    for seed in seeds:
        table = game.deal(seed)
        while not table.over:
            action = table.ask(agent).action
            yield table, action
            table.play(action)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_public_knowledge_is_shared_and_true(players):
    for table, _ in self_play(players, range(5), empty_hints=False):
        memory, board = public(table, 0)
        for seat in range(1, players):
            assert same(public(table, seat)[0], memory)
        for seat in range(players):
            for slot in range(5):
                card = int(table.state.hands[seat, slot])
                possible = int(board.possible[seat, slot])
                assert possible == 0 if card < 0 else possible >> card & 1


@pytest.mark.parametrize("players", [3, 5])
def test_memory_holds_what_the_log_says(players):
    game = resolver.game("hanabi", players=players)
    agent = resolver.agent(game, "hat")
    table = game.deal(11)
    while not table.over:
        seat = table.turn
        action = table.ask(agent).action
        assert same(table.view(seat).memory(MEMORY, "hat"), public(table, seat)[0])
        table.play(action)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_number_can_be_said_without_empty_hints(players):
    classes = np.zeros(3, np.int64)
    for table, _ in self_play(players, range(3)):
        _, board = public(table, table.turn)
        for target in range(players):
            if target != table.turn and held(board, target) > 0:
                total = hint_classes(board, target, classes)
                said = set()
                for kind in range(2):
                    for value in range(5):
                        mask = touches(table.state, target, kind, value)
                        if mask != 0:
                            said.add(class_of(classes, kind, mask))
                assert said == set(range(total))


def test_the_number_of_hints_by_what_is_known():
    """Nothing known: three. Surely two colours, surely two ranks: four. Surely three colours: five."""
    game = resolver.game("hanabi", players=3)
    _, board = public(game.deal(0), 0)
    classes = np.zeros(3, np.int64)
    assert hint_classes(board, 1, classes) == 3
    board.possible[1, 0] = OF_COLOURS[1]
    board.possible[1, 1] = OF_COLOURS[30] & OF_RANKS[1]
    board.possible[1, 2] = OF_RANKS[30]
    assert hint_classes(board, 1, classes) == 4
    board.possible[1, 1] = OF_COLOURS[2] & OF_RANKS[1]
    board.possible[1, 3] = OF_COLOURS[4]
    assert hint_classes(board, 1, classes) == 5


def test_the_first_hint_tells_everyone_which_card_is_a_one():
    """Every other player that holds a 1 knows of a playable card afterwards."""
    aware = holders = 0
    for seed in range(40):
        table, action = next(self_play(4, [seed]))
        assert action >= HINT
        table.play(action)
        _, board = public(table, 0)
        playable = playable_cards(table.state)
        for seat in range(1, 4):
            ones = [slot for slot in range(4) if table.state.hands[seat, slot] % 5 == 0]
            holders += bool(ones)
            aware += any(board.possible[seat, slot] & ~playable == 0 for slot in range(4))
    assert aware == holders


# A mean of n games with standard deviation s lies 5 s / sqrt(n) below the true one once in three million times.
@pytest.mark.parametrize(
    ("players", "mean", "deviation"), [(2, 21.59, 2.1), (3, 24.88, 0.43), (4, 24.95, 0.29), (5, 24.92, 0.34)]
)
@pytest.mark.parametrize("rules", ["thesis", "strict"])
def test_figures(players, mean, deviation, rules):
    games = 1000
    result = hiddenhand.match("hanabi", ["hat"] * players, games=games, seed=5, players=players, rules=rules)
    assert result.payoffs[:, 0].mean() > mean - 5 * deviation / games**0.5
    assert result.metrics[:, 1].sum() == 0


def test_empty_hints_change_nothing():
    allowed = hiddenhand.match("hanabi", ["hat"] * 4, games=200, seed=2, players=4, empty_hints=True)
    forbidden = hiddenhand.match("hanabi", ["hat"] * 4, games=200, seed=2, players=4, empty_hints=False)
    assert (allowed.payoffs == forbidden.payoffs).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_legal_among_players_who_know_no_agreement(players):
    for rules in ("thesis", "strict"):
        agents = ["hat", "random", "hat", "random", "hat"][:players]
        hiddenhand.match("hanabi", agents, games=300, seed=1, players=players, rules=rules)


def test_same_decision_whatever_is_hidden():
    game = resolver.game("hanabi", players=3)
    rng = np.array([7], np.uint64)
    for table, action in self_play(3, range(2)):
        view = table.view()
        world = view.imagine(rng)
        record = view.record.copy()
        game.rules.observe(world, view.seat, record)
        assert hats.decide(record, view.seat, new_records(MEMORY, 1)[0])[0] == action


WORDS = {
    hats.PLAY: "is surely playable",
    hats.GAMBLE: "with a chance of",
    hats.FREE: "Everyone knows that card",
    hats.SAFE: "comes before a hint",
    hats.HINT: "It says the number",
    hats.WORST: "There is no token for a hint",
}


@pytest.mark.parametrize("players", [3, 4])
def test_explanations(players):
    agent = resolver.agent(resolver.game("hanabi", players=players), "hat")
    seen = set()
    for table, action in self_play(players, range(6)):
        view = table.view()
        module = hats.decide(view.record, view.seat, new_records(MEMORY, 1)[0])[1]
        decision = agent.explain(view)
        text = " ".join(decision.reasons)
        assert decision.action == action
        assert WORDS[module] in text
        seen.add(module)
        if module == hats.HINT:
            assert text.count("learns from it") == players - 1
    assert seen >= {hats.PLAY, hats.FREE, hats.HINT}


SCORES = """
import hiddenhand
print(hiddenhand.match("hanabi", ["hat"] * 3, games=2, seed=3, players=3).payoffs.tolist())
"""


def test_uncompiled_is_the_same():
    printed = [
        subprocess.run(
            [sys.executable, "-c", SCORES],
            env={**os.environ, "NUMBA_DISABLE_JIT": jit},
            capture_output=True,
            text=True,
        ).stdout
        for jit in ("0", "1")
    ]
    assert printed[0] == printed[1] != ""


def test_nothing_known_at_first():
    _, board = public(resolver.game("hanabi", players=5).deal(1), 2)
    assert (board.possible[:, :4] == FREE).all()
