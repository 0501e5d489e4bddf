"""The weighted belief of snaps: against likelihoods worked out move by move in every world of small positions."""

from itertools import combinations

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.game import blank_state
from hiddenhand.games.snaps.beliefs.deals import count_ways, new_ways, numbered_deal
from hiddenhand.games.snaps.beliefs.kinds import belief_of, card_chances, imagine, model_of
from hiddenhand.games.snaps.beliefs.statistics import (
    ENTRIES,
    Statistics,
    chances_from,
    for_all,
    learned_statistics,
    statistics_chance,
)
from hiddenhand.games.snaps.beliefs.weighted import STATISTICS, WEIGHTED, Model
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import play
from hiddenhand.games.snaps.state import CHOOSING, begin
from hiddenhand.kernel import assign, new_records, stream
from hiddenhand.studies.snaps.calibration import CalibrationPlan, calibrate, draw_calibration
from snaps_positions import late_positions, legal_actions, view_of

ALL_OF_THEM = 100_000  # particles: more than there are worlds


def small_positions(count, fewest=15, most=20):
    return late_positions(count, fewest, most, seed=1000)


def by_rules(view, seat, actions, action):
    return float(rule_action(view, seat, np.array(actions), len(actions)) == action)


def by_statistics(table):
    def chance(view, seat, actions, action):
        return statistics_chance(view, seat, np.array(actions), len(actions), action, table)

    return chance


def likelihood(position, seat, world, chance, noise):
    """The probability of the others' moves in a world, from what each saw at each moment."""
    s = new_records(position.game.rules.state, 1)[0]
    assign(s, blank_state(position.game)[0])
    for other in range(SEATS):
        s.hands[other] = world[other]
    for i in range(int(position.state.plays)):
        s.hands[position.state.played_by[i]] |= 1 << int(position.state.played[i])
    begin(s)
    total = 1.0
    for action in position.actions:
        if s.mover != seat:
            total *= np.mean([one_move(view, int(s.mover), s, action, chance, noise) for view in views_of_mover(s)])
        play(s, action, stream(0))
    return total


def views_of_mover(s):
    """What the mover may see: one view, or while choosing one for each part of his cards that he may have seen."""
    if s.phase != CHOOSING:
        return [view_of(s, int(s.mover))]
    held = [card for card in range(CARDS) if int(s.hands[s.mover]) >> card & 1]
    views = []
    for seen in combinations(held, int(s.choose_after)):
        s.seen_first = sum(1 << card for card in seen)
        views.append(view_of(s, int(s.mover)))
    return views


def one_move(view, mover, s, action, chance, noise):
    actions = legal_actions(s)
    return (1 - noise) * chance(view, mover, actions, action) + noise / len(actions)


def weighted_by_hand(position, seat, chance, noise):
    """(worlds, their probabilities)"""
    worlds = position.worlds(seat)
    weights = np.array([likelihood(position, seat, world, chance, noise) for world in worlds])
    return np.array(worlds), weights / weights.sum()


def mean_chances(worlds, weights):
    return np.array([[weights @ (worlds[:, seat] >> card & 1) for card in range(CARDS)] for seat in range(SEATS)])


@pytest.fixture(scope="module")
def any_table():
    """Statistics that nobody plays by, every class possible."""
    return chances_from(np.random.default_rng(3).integers(0, 40, ENTRIES))


@pytest.mark.parametrize("kind", [WEIGHTED, STATISTICS])
def test_weighted_belief_is_bayes_rule(kind, any_table):
    """In forty small positions, under random options, both models."""
    uneven = 0
    for position, seat in small_positions(40):
        chance = by_rules if kind == WEIGHTED else by_statistics(any_table)
        worlds, weights = weighted_by_hand(position, seat, chance, 0.1)
        model = Model(kind, float(ALL_OF_THEM), 0.1, for_all(any_table))
        chances = np.zeros((SEATS, CARDS))
        card_chances(model, position.view(seat), seat, stream(1), chances)
        assert chances == pytest.approx(mean_chances(worlds, weights), abs=1e-9)
        uneven += len(weights) > 1 and weights.max() > 1.5 * weights.min()
    assert uneven >= 10


def test_players_who_play_at_random_still_tell_something():
    """Noise 1: whoever had fewer moves to choose from was likelier to make this one (restricted choice).

    So the belief equals the exact one where the number of choices is the same in all worlds, and only there.
    """
    same, different = 0, 0
    for position, seat in small_positions(30):
        worlds, weights = weighted_by_hand(position, seat, by_rules, 1.0)
        found, exact = np.zeros((SEATS, CARDS)), np.zeros((SEATS, CARDS))
        card_chances(model_of("weighted", ALL_OF_THEM, 1.0), position.view(seat), seat, stream(1), found)
        card_chances(model_of("exact", 0, 0.0), position.view(seat), seat, stream(1), exact)
        assert found == pytest.approx(mean_chances(worlds, weights), abs=1e-9)
        if np.ptp(weights) < 1e-12:
            assert found == pytest.approx(exact)
            same += 1
        else:
            different += not np.allclose(found, exact)
    assert same >= 5
    assert different >= 5


def test_worlds_come_with_their_probabilities_and_are_drawn_by_them():
    """All of them if they are not too many; otherwise each as often as its probability asks, fractions by lot."""
    all_there, drawn = 0, 0
    for position, seat in small_positions(20):
        worlds, weights = weighted_by_hand(position, seat, by_rules, 0.2)
        truth = dict(zip(map(tuple, worlds.tolist()), weights))
        model = model_of("weighted", ALL_OF_THEM, 0.2)
        for most in (len(worlds), len(worlds) // 2):
            if most == 0:
                continue
            hands, shares = imagine(model, position.view(seat), seat, most, stream(5))
            found = dict(zip(map(tuple, hands.tolist()), shares))
            assert len(found) == len(hands) <= most
            assert sum(shares) == pytest.approx(1)
            near = 1e-9 if most == len(worlds) else 1 / most + 1e-9
            assert all(abs(found.get(world, 0.0) - weight) < near for world, weight in truth.items())
            all_there += most == len(worlds) > 3
            drawn += 3 < most < len(worlds)
    assert min(all_there, drawn) >= 5


def test_few_particles_come_near():
    """A hundred particles of several hundred worlds: the mean over many drawings is the right chance."""
    position, seat = next((p, s) for p, s in small_positions(40, 13, 14) if len(p.worlds(s)) > 300)
    view = position.view(seat)
    exact, few = np.zeros((SEATS, CARDS)), np.zeros((SEATS, CARDS))
    card_chances(model_of("weighted", ALL_OF_THEM, 0.3), view, seat, stream(1), exact)
    rng = stream(2)
    runs = []
    for _ in range(200):
        card_chances(model_of("weighted", 100, 0.3), view, seat, rng, few)
        runs.append(few.copy())
    error = np.std(runs, axis=0) / np.sqrt(len(runs))
    assert np.all(np.abs(np.mean(runs, axis=0) - exact) < 5 * error + 0.02)
    assert np.std(runs, axis=0).max() > 0.01


def test_numbered_deals_list_every_deal_once():
    random = np.random.default_rng(4)
    weights = (random.random((9, 3)) < 0.75).astype(float)
    weights[:, 2] = 1.0
    slots = np.array([3, 2, 4])
    ways = new_ways(9, slots)
    total = int(count_ways(weights, slots, ways))
    owners = np.zeros(9, np.int64)
    found = set()
    for number in range(total):
        numbered_deal(weights, slots, ways, number, owners)
        assert np.bincount(owners, minlength=3).tolist() == slots.tolist()
        assert all(weights[i, owner] for i, owner in enumerate(owners))
        found.add(tuple(owners.tolist()))
    assert len(found) == total > 50


def test_statistics_are_chances(any_table):
    """Over the legal moves of a view they add up to 1; so do those that come with the package."""
    for table in (any_table, learned_statistics()):
        for position, _ in small_positions(20, 4, 20):
            mover = int(position.state.mover)
            actions = legal_actions(position.state)
            view = position.view(mover)
            total = sum(by_statistics(table)(view, mover, actions, action) for action in actions)
            assert total == pytest.approx(1)


def test_gathering_counts_every_move():
    game = hh.game("snaps")
    learner = Statistics(game, 7, 1000)
    scores = learner.learn(300)
    assert learner.counts[:2048].sum() == 300  # one card is named in each game
    assert set(np.unique(np.abs(scores))) <= {1.0, 2.0, 3.0, 6.0}
    again = Statistics(game, 7, 1000)
    again.learn(100)
    resumed = Statistics(game, 7, 1000)
    resumed.restore(again.snapshot())
    resumed.learn(200)
    assert (resumed.counts == learner.counts).all()
    assert resumed.done == 300
    assert hh.match(game, [learner.player()] * SEATS, games=20, seed=1).payoffs.shape == (20, SEATS)


def test_the_chooser_who_names_the_ten_has_the_ace():
    """A rule player names the best trump that he lacks, or to play alone the best that he has: ace or ten is his."""
    table = hh.game("snaps").deal(seed=8)
    ten, ace = 4, 5
    seat = next(s for s in (1, 2, 3) if not int(table.view(s).record.hands[s]) >> ten & 3)
    table.play(ten)
    for kind in ("weighted", "statistics"):
        belief = belief_of(table.view(seat), kind, particles=4000, noise=0.01)
        worlds, shares = belief.worlds(2000)
        chooser = worlds[:, 0]
        with_partner = chooser >> ten & 1 == 0
        assert shares[with_partner] @ (chooser >> ace & 1)[with_partner] > 0.9 * shares[with_partner].sum()
        assert belief.holders().sum() == pytest.approx(1)
        assert any("seat 0 probably holds the ace of hearts" in told for told in belief.words())
        assert belief.chances()[0, ace] == pytest.approx(shares @ (chooser >> ace & 1), abs=0.03)


def test_calibration(tmp_path):
    """At the first card the exact belief is an even guess among three; a model of the others does better."""
    result = calibrate(CalibrationPlan(deals=40, seed=3, particles=300))
    assert result.cards["exact"][0] == pytest.approx(np.log(3))
    assert result.card_cases[0] == 40 * 18
    assert np.mean(result.cards["weighted"][2:5]) < np.mean(result.cards["exact"][2:5])
    assert len(result.rows()) == 1 + 2 * 4 + 2
    assert "partner, statistics" in str(result)
    assert all(path.stat().st_size > 5000 for path in draw_calibration(result, tmp_path))
