"""Looking ahead: where all worlds are known, what a search finds is the best answer, worked out by hand."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.policy import policy
from hiddenhand.core.view import legal_actions, seen_by
from hiddenhand.kernel import OVER, assign, new_records, stream
from hiddenhand.search import BlueprintSearch

FOLD, CALL, RAISE = 0, 1, 2


@policy("bets if nobody has; a bet it calls with a pair, and otherwise folds")
def timid(view, seat, actions, memory, parameters, rng):
    if actions[0] != FOLD:
        return RAISE
    return CALL if view.card // 2 == view.open // 2 else FOLD


def timid_by_hand(s, seat, actions):
    if FOLD not in actions:
        return RAISE
    return CALL if int(s.cards[seat]) // 2 == int(s.open) // 2 else FOLD


def second_rounds(game, seeds):
    """Tables with a choice in the second round."""
    for seed in seeds:
        table = game.deal(seed)
        while not table.over and not (table.state.street == 1 and table.turn == seed % 2):
            table.play(
                RAISE if (seed // 2 + len(table.history)) % 3 == 0 and RAISE in table.legal_actions() else CALL
            )
        if not table.over:
            yield table


def worlds_of(table):
    """The state with every card that the other may hold."""
    for card in set(range(6)) - {int(table.state.cards[table.turn]), int(table.state.open)}:
        world = after(table.game, table.state)
        world.cards[1 - table.turn] = card
        yield world


def after(game, state, *actions):
    copied = new_records(game.rules.state, 1)[0]
    assign(copied, state)
    for action in actions:
        game.rules.play(copied, action, stream(0))
    return copied


def worths(game, states, me):
    """What each move is worth on average over states that look alike, if the best ones follow; the other is timid."""
    found = {}
    for action in legal_actions(game, states[0]):
        total, groups = 0.0, {}
        for state in states:
            now = after(game, state, action)
            while (turn := game.rules.turn(now)) not in (OVER, me):
                now = after(game, now, timid_by_hand(now, turn, legal_actions(game, now)))
            if turn == OVER:
                gains = np.zeros(2)
                game.rules.payoff(now, gains)
                total += gains[me]
            else:
                groups.setdefault(seen_by(game, now, me), []).append(now)
        total += sum(len(group) * max(worths(game, group, me).values()) for group in groups.values())
        found[action] = total / len(states)
    return found


@pytest.fixture(scope="module")
def leduc():
    return hh.game("leduc")


def searching(game, **settings):
    """A search on `timid`, to whom nothing that was done before tells anything."""
    agent = BlueprintSearch(game, blueprint="random", mistakes=1.0, bound=0.0, playouts=2000, **settings)
    agent.policy = PolicyAgent(game, timid)
    agent.models = [agent.policy]
    return agent


def test_it_finds_the_best_answer_where_one_step_does_not(leduc):
    near, far = searching(leduc, steps=1), searching(leduc, steps=2)
    lost = {near: 0.0, far: 0.0}
    for table in second_rounds(leduc, range(30)):
        expected = worths(leduc, list(worlds_of(table)), table.turn)
        for agent in lost:
            lost[agent] += max(expected.values()) - expected[table.ask(agent).action]
        tried = far.compare(table.view())
        assert tried.certain
        for i, action in enumerate(table.legal_actions()):
            assert tried.mean(i) == pytest.approx(expected[action], abs=1e-9)
    assert lost[far] == pytest.approx(0.0)
    assert lost[near] > 5.0  # who checks first, and raises then, wins the bet as well
