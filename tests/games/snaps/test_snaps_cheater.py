"""The cheater of snaps plays perfectly: no player who knows all cards could do better."""

import itertools

import numpy as np
import pytest

from hiddenhand.core.resolver import agent, game
from hiddenhand.games.snaps.cheater import judge_names
from hiddenhand.games.snaps.solver import WIN, new_memory, solve
from hiddenhand.games.snaps.state import CHOOSING, DOST, KONTRA, PASS, REKONTRA, TRICKS, side
from hiddenhand.lab.match import match

OPTIONS = [
    {"claim": claim, "strict_claim": strict, "schwarz": schwarz, "rekontra": rekontra, "choose_after": cards}
    for (claim, strict), schwarz, (rekontra, cards) in itertools.product(
        (("manual", False), ("manual", True), ("auto", False)), (False, True), ((False, 6), (True, 2))
    )
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: " ".join(str(v) for v in o.values()))
def test_it_keeps_what_the_solver_promises(options):
    """Four cheaters: the value never changes after the card is named, and is what they get."""
    table = game("snaps", chooser=3, **options).deal(11)
    player = agent("snaps", "cheater")
    memory = new_memory(0)
    promised = None
    while not table.over:
        if table.state.phase != CHOOSING:
            value = solve(table.state, WIN, memory)
            promised = value if promised is None else promised
            assert value == promised
        table.play(table.ask(player).action)
    alone = table.state.holder == 3
    doubled = (2 if table.state.doubled_by >= 0 else 1) * (2 if table.state.redoubled_by >= 0 else 1)
    assert table.payoffs()[3] == promised * doubled * (3 if alone else 1)


def test_it_names_the_card_that_brings_most():
    player = agent("snaps", "cheater")
    for seed in range(5):
        table = game("snaps").deal(seed)
        values, margins = np.zeros((2, 24), np.int64)
        judge_names(table.state, values, margins)
        decision = table.ask(player, explain=True)
        assert decision.value == values[decision.action] == values.max()
        for card in range(0, 24, 5):
            after = game("snaps").deal(seed)
            after.play(card)
            alone = after.state.holder == 0
            assert values[card] == solve(after.state, WIN, new_memory(0)) * (3 if alone else 1)


def test_it_doubles_exactly_when_its_side_wins():
    player, seen = agent("snaps", "cheater"), set()
    for seed in range(12):
        table = game("snaps", rekontra=True).deal(seed)
        table.play(seed)
        while table.state.phase != TRICKS:
            wins = (solve(table.state, WIN, new_memory(0)) > 0) == (side(table.state, table.turn) == 0)
            action = table.ask(player, explain=True).action
            may = len(table.legal_actions()) > 1
            assert (action != PASS) == (may and wins)
            seen.add(action)
            table.play(table.legal_actions()[-1])
    assert seen == {PASS, KONTRA, REKONTRA}


def test_it_explains_the_values_and_the_line_of_play():
    player = agent("snaps", "cheater")
    table = game("snaps").deal(3)
    while not table.over:
        decision = table.ask(player, explain=True)
        assert decision.action == table.ask(player).action
        if table.state.phase == TRICKS and len(table.legal_actions()) > 1:
            assert decision.value == max(a.value for a in decision.alternatives)
            assert decision.line[0] == f"{table.turn}:{table.action_name(decision.action)}"
            assert decision.line[-1] == ("the chooser's side wins" if decision_wins(table, decision) else LOST)
        table.play(decision.action)
    assert DOST in table.history or table.state.ending == 0


LOST = "the chooser's opponents win"


def decision_wins(table, decision):
    return (decision.value > 0) == (side(table.state, table.turn) == 0)


def test_it_beats_those_who_do_not_know_the_cards():
    result = match(game("snaps"), ["cheater", "random", "random", "random"], games=100, seed=1)
    assert result.summary(0).mean > 1.0
