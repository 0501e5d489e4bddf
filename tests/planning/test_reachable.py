"""Planning over the reachable beliefs: the published row of Dorban, and what a short simulation by hand gives."""

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.reachable import Reachable, from_all_starts
from hiddenhand.planning.worlds import world_file
from planning_brute_force import BruteForce


@pytest.fixture(scope="module")
def dorban():
    return read_world(world_file("dorban"))


@pytest.fixture(scope="module")
def reachable(dorban):
    return from_all_starts(ExactPlanner(dorban), dorban)


def test_planning_deeper_pays_as_published(reachable):
    assert len(reachable) == 906
    assert len(reachable.starts) == 120
    by_depth = [reachable.earned(reachable.replanning(depth), 50) for depth in (1, 2, 3, 4, 5, 6, 8)]
    published = [135, 497, 638, 679, 707, 719, 722.8]
    assert [earned[reachable.starts].mean() for earned in by_depth] == pytest.approx(published, abs=0.5)
    assert reachable.values(50)[reachable.starts].mean() == pytest.approx(722.82, abs=0.005)


def test_the_best_plan_is_that_of_the_exact_planner(dorban, reachable):
    planner = ExactPlanner(dorban)
    policies, values = reachable.plan(6)
    for place in range(0, len(reachable), 37):
        advice = planner.plan(reachable.belief(place), 6)
        assert advice.value == pytest.approx(values[place], abs=1e-9)
        assert policies[0][place] == advice.action
        assert policies[2][place] == planner.plan(reachable.belief(place), 4).action
        assert reachable.replanning(4)[place] == policies[2][place]


def test_what_a_policy_earns_is_what_playing_it_earns(dorban, reachable):
    """Every course of four steps under the policy of depth 2, one by one."""
    brute_force, planner = BruteForce(dorban), ExactPlanner(dorban)
    policy = reachable.replanning(2)

    def earned(belief, steps):
        if steps == 0:
            return 0.0
        dense = np.zeros(len(dorban.states))
        for state, weight in belief.items():
            dense[state] = weight
        action = planner.plan(dense, 2).action
        total = 0.0
        for visible, part in brute_force.outcomes(belief, action).items():
            chance = sum(part.values())
            after = {state: weight / chance for state, weight in part.items()}
            total += chance * (dorban.payoffs[visible] + earned(after, steps - 1))
        return total

    values = reachable.earned(policy, 4)
    for place in range(0, len(reachable), 151):
        belief = reachable.belief(place)
        start = {int(state): float(belief[state]) for state in np.flatnonzero(belief)}
        assert values[place] == pytest.approx(earned(start, 4), abs=1e-9)


def test_the_depth_that_is_provably_enough(reachable):
    settled = reachable.settle(50)
    assert settled.loss <= 1e-6
    assert settled.values == pytest.approx(reachable.values(50), abs=1e-6)
    assert settled.values[reachable.starts].mean() == pytest.approx(722.82, abs=0.005)
    assert np.array_equal(settled.policy, reachable.replanning(settled.depth))
    # one step less does lose something, somewhere
    less = reachable.replanning(settled.depth - 1)
    worth, most = reachable.values(settled.depth - 1), 0.0
    for left in range(settled.depth, 51):
        worth = reachable.step(less, worth)
        most = max(most, float((reachable.values(left) - worth).max()))
    assert most > 1e-6


def test_the_tiger_for_ever():
    """19.3711 to 19.3721 by SARSOP's bounds, with a discount of 0.95."""
    tiger = read_world(world_file("tiger"))
    reachable = Reachable(ExactPlanner(tiger, discount=0.95), [tiger.uniform(tiger.visible(["silence"]))])
    settled = reachable.settle(50, tolerance=1e-6)
    assert 19.3711 <= settled.values[reachable.starts[0]] <= 19.3721
    assert settled.loss <= 1e-6
    assert (settled.values <= reachable.earned(settled.policy, 1000) + 1e-9).all()
    assert (reachable.values(1000) <= settled.values + settled.loss + 1e-9).all()


def test_too_many_beliefs_are_refused(dorban):
    with pytest.raises(UserError, match="more than 300 beliefs"):
        from_all_starts(ExactPlanner(dorban, most_beliefs=300), dorban)
