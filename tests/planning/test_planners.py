"""All planners answer to one protocol, and agree where they should."""

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.planners import PLANNERS, planner
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import precalculate
from hiddenhand.planning.planners.lookup import LookupPlanner
from hiddenhand.planning.planners.reachable import ReachablePlanner
from hiddenhand.planning.worlds import world_file
from textbook import AN_HOUR, tiger

pytestmark = pytest.mark.fast


@pytest.fixture(scope="module")
def ferryman():
    return read_world(world_file("ferryman"))


def starts(world):
    return [world.uniform(int(visible)) for visible in np.flatnonzero(world.possible & world.legal.any(axis=1))]


def test_the_reachable_beliefs_give_the_exact_plan(ferryman):
    exact, reachable = ExactPlanner(ferryman), ReachablePlanner(ferryman)
    for belief in starts(ferryman):
        for horizon in (0, 1, 3, 5):
            one, other = exact.plan(belief, horizon), reachable.plan(belief, horizon)
            assert (one.action, one.ties, one.depth) == (other.action, other.ties, other.depth)
            assert one.values == pytest.approx(other.values, abs=1e-9)


def test_what_is_stored_is_looked_up_and_the_rest_is_planned(ferryman):
    exact = ExactPlanner(ferryman)
    knowledge = precalculate(ferryman, 2, 2)
    lookup = LookupPlanner(ferryman, [knowledge], otherwise=exact)
    for belief in starts(ferryman):
        stored = lookup.plan(belief, 2)
        assert (stored.looked_up_by, stored.depth) == ("nearest", 2)
        assert stored.value == pytest.approx(exact.plan(belief, 2).value)
        assert lookup.plan(belief, 3).values == pytest.approx(exact.plan(belief, 3).values)
    with pytest.raises(UserError, match="nothing is precalculated for 3 steps"):
        LookupPlanner(ferryman, [knowledge]).plan(starts(ferryman)[0], 3)


def test_bounds_hold_the_value_and_agree_with_a_long_exact_plan():
    model = tiger()
    bounded = planner("point_based", model, precision=0.01, seconds=AN_HOUR).plan(model.start, 1)
    assert bounded.depth is None
    assert bounded.bounds[0] <= 19.3713 <= bounded.bounds[1] + 1e-3
    assert bounded.bounds[1] - bounded.bounds[0] < 0.02
    assert model.actions[bounded.action] == "listen"
    assert bounded.action == planner("exact", model).plan(model.start, 8).action


def test_planners_are_found_by_name(ferryman):
    assert set(PLANNERS) == {"exact", "reachable", "point_based", "lookup"}
    assert isinstance(planner("reachable", ferryman, discount=0.9), ReachablePlanner)
    with pytest.raises(UserError, match=r"no planner 'exakt'.*exact"):
        planner("exakt", ferryman)
