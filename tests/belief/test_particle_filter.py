"""Beliefs from behaviour: against all deals gone through by hand, exactly and by sampling."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.belief.marginals import shares_of_belief
from hiddenhand.belief.particle_filter import ParticleFilter, belief_from_behaviour
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.policy import policy
from hiddenhand.kernel import CHANCE, record_type

CARDS = 6
TIMES = record_type([("asked", "i8")])


@policy("its card and how often it was asked decide, so that every move tells something", memory=TIMES)
def moody(view, seat, actions, memory, parameters, rng):
    memory.asked += 1
    return actions[(view.card // 2 + memory.asked) % len(actions)]


@policy("the same, always one further", memory=TIMES)
def contrary(view, seat, actions, memory, parameters, rng):
    memory.asked += 1
    return actions[(view.card // 2 + memory.asked + 1) % len(actions)]


def moody_by_hand(card, asked, actions, further=0):
    return actions[(card // 2 + asked + further) % len(actions)]


@pytest.fixture(scope="module")
def leduc():
    return hh.game("leduc")


@pytest.fixture(scope="module")
def model(leduc):
    return PolicyAgent(leduc, moody)


def positions(game, model, count):
    """Tables in which somebody moves, from games of which every other move is any."""
    seed = found = 0
    while found < count:
        table = game.deal(seed)
        while not table.over and found < count:
            found += 1
            yield table
            odd = (seed + len(table.history)) % 2
            table.play(table.legal_actions()[seed % len(table.legal_actions())] if odd else table.ask(model).action)
        seed += 1


def by_hand(table, mistakes, kinds=1):
    """What the seat to move may believe of the other's card: every deal is played again, the models asked by hand."""
    me, shown = table.turn, int(table.state.open)
    mine = int(table.state.cards[me])
    weights = np.zeros(CARDS)
    for other in set(range(CARDS)) - {mine, shown}:
        cards = [mine, other] if me == 0 else [other, mine]
        again, asked, fits = table.game.deal(0, rolls=False), [0, 0], np.ones(kinds)
        coming = [*cards, shown]
        for action in table.history:
            seat = again.turn
            if seat == CHANCE:
                again.play(coming.pop(0))
                continue
            asked[seat] += 1
            if seat != me:
                for kind in range(kinds):
                    same = moody_by_hand(cards[seat], asked[seat], again.legal_actions(), kind) == action
                    fits[kind] *= (1 - mistakes) * same + mistakes / len(again.legal_actions())
            again.play(action)
        weights[other] = fits.mean()
    return weights / weights.sum() if weights.any() else None


def chances(belief, seat):
    """float[6]: of the other's card."""
    return np.bincount(belief.states.cards[:, 1 - seat], belief.weights, CARDS)


@pytest.mark.parametrize("mistakes", [0.0, 0.1, 1.0])
def test_listed_worlds_are_weighed_exactly(leduc, model, mistakes):
    particle_filter = ParticleFilter(leduc, [model], mistakes=mistakes)
    told = 0
    for table in positions(leduc, model, 150):
        view = table.view()
        belief = particle_filter.belief(view)
        expected = by_hand(table, mistakes)
        assert belief.exact
        if expected is not None:  # otherwise nothing fits, and no move told anything
            assert chances(belief, view.seat) == pytest.approx(expected, abs=1e-12)
            told += belief.information.min() < 0.9
    assert told > 30 or mistakes == 1.0


@pytest.mark.parametrize("mistakes", [0.0, 0.1])
def test_of_two_models_a_seat_follows_one(leduc, model, mistakes):
    """The weight of a world is the mean over the models of how well all moves fit; which one it is, they tell."""
    both = [model, PolicyAgent(leduc, contrary)]
    particle_filter = ParticleFilter(leduc, [both], mistakes=mistakes)
    told = 0
    for table in positions(leduc, both[0], 100):
        view = table.view()
        belief = particle_filter.belief(view)
        expected = by_hand(table, mistakes, 2)
        if expected is not None:
            assert chances(belief, view.seat) == pytest.approx(expected, abs=1e-12)
            follows = belief.particles.model_probs[: len(belief), 1 - view.seat]
            assert follows.sum(axis=1) == pytest.approx(1.0)
            told += (belief.weights @ follows).max() > 0.6
    assert told > 30
    with pytest.raises(UserError, match="as many as the others"):
        ParticleFilter(leduc, [both, [*both, model]])


def test_memories_are_those_of_players_who_sat_there(leduc, model):
    """The models have been asked as often as each seat has moved, in every world."""
    particle_filter = ParticleFilter(leduc, [model])
    for table in positions(leduc, model, 60):
        belief = particle_filter.belief(table.view())
        moved = [table.movers.count(seat) for seat in range(2)]
        assert (belief.particles.memories[: len(belief), :, 0, 0] == moved).all()


def test_drawn_worlds_come_near_the_listed_ones(leduc, model):
    """Drawn anew and varied on the way; the same twice."""
    listed, drawn = ParticleFilter(leduc, [model]), ParticleFilter(leduc, [model], worlds=4000, exact=0)
    for table in positions(leduc, model, 40):
        view = table.view()
        exact, sampled = listed.belief(view), drawn.belief(view)
        assert not sampled.exact
        assert np.abs(chances(exact, view.seat) - chances(sampled, view.seat)).sum() / 2 < 0.05
        assert 1.0 <= sampled.effective <= 4000.0
        assert (drawn.belief(view).weights == sampled.weights).all()


def test_a_player_who_draws_at_random_tells_nothing(leduc):
    """Its answers are drawn with the same numbers in every world."""
    uniform = hh.agent(leduc, "random")
    for table in positions(leduc, uniform, 40):
        belief = belief_from_behaviour(table.view(), uniform)
        assert belief.weights == pytest.approx(1.0 / len(belief))


def test_chances_are_told_by_weight(leduc, model):
    table = next(t for t in positions(leduc, model, 100) if len(t.history) > 4)
    view = table.view()
    belief = belief_from_behaviour(view, model)
    shares = dict(shares_of_belief(leduc, view.seat, belief)["other"])
    names = [f"{'JQK'[card // 2]}{'sh'[card % 2]}" for card in range(CARDS)]
    expected = dict(zip(names, chances(belief, view.seat), strict=True))
    assert sum(shares.values()) == pytest.approx(1.0)
    assert all(shares[name] == pytest.approx(expected[name]) for name in shares)


def test_hidden_moves_of_one_who_may_do_anything_are_equally_likely():
    """Where the other's mark lies does not depend on what a few answers happen to be."""
    blind = hh.game("blind_tictactoe")
    particle_filter = ParticleFilter(blind, [hh.agent(blind, "random")])
    table = blind.deal(0)
    for cell in ("b2", "a1"):
        table.play(cell)
    belief = particle_filter.belief(table.view())
    marks = np.bincount(belief.states.marks[:, 1], belief.weights, 512)
    assert belief.exact
    assert marks[16] == 0.0
    assert marks[marks > 0.0] == pytest.approx(1 / 8, rel=0.5)
