"""Beliefs from behaviour are those that all deals give, gone through one by one: late in Hanabi and in snaps."""

import random

import pytest

import hiddenhand as hh
from enumeration import enumerated
from hiddenhand.belief.marginals import shares_of_worlds
from hiddenhand.belief.particle_filter import ParticleFilter
from tellers import teller

FEW = {"hanabi": 1, "snaps": 9}  # cards in the deck, cards in hands: few enough to go through all deals


def left(table):
    s = table.state
    return int(s.deck_left) if table.game.name == "hanabi" else 24 - int(s.plays)


def late_positions(game, count):
    """A table with somebody to move, late in games in which every third move is any; one a game."""
    agent, seed, found = teller(game), 0, 0
    while found < count:
        table, pick, before = game.deal(seed), random.Random(seed), found
        while not table.over and found < count and found == before:
            if left(table) <= FEW[game.name]:
                found += 1
                yield table
            # nothing that ends the game early
            safe = [
                action for action in table.legal_actions() if action not in range(5) and action < 48
            ] or table.legal_actions()
            table.play(pick.choice(safe) if pick.random() < 0.3 else table.ask(agent).action)
        seed += 1


@pytest.mark.parametrize(("name", "count"), [("hanabi", 2), ("snaps", 5)])
def test_late_beliefs_are_those_of_all_deals(name, count):
    game = hh.game(name)
    agents = [teller(game)] * game.players
    particle_filter = ParticleFilter(game, agents[:1], mistakes=0.1)
    told = 0
    for table in late_positions(game, count):
        seat = table.turn
        belief = particle_filter.belief(table.view())
        assert belief.exact
        chances = {}
        for world, weight in zip(belief.states, belief.weights.tolist(), strict=True):
            facts = frozenset(game.people.facts(world, seat).items())
            chances[facts] = chances.get(facts, 0.0) + weight
        expected = enumerated(table, seat, agents, 0.1)
        assert chances == pytest.approx(expected, abs=1e-12)
        told += belief.information.min() < 0.9
    assert told > 0


def test_few_worlds_are_counted():
    """The other has one of the five cards that a seat of Leduc poker does not see, each as likely."""
    table = hh.game("leduc").deal(3)
    others = dict(shares_of_worlds(table, 1)["other"])
    assert len(others) == 5
    assert set(others.values()) == {0.2}
