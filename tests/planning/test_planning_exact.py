"""The exact planner against the definition in plain Python, reckoning by hand and published numbers."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from hiddenhand.core.errors import IllegalAction, UserError
from hiddenhand.planning.model.pomdp import Pomdp
from hiddenhand.planning.model.world import Tracker
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.worlds import world_file
from planning_brute_force import BruteForce
from textbook import problem

pytestmark = pytest.mark.fast

ASK, ATTACK, WARSZAWA, KRAKOW, WROCLAW, GDANSK, POZNAN = range(7)


@pytest.fixture(scope="module")
def dorban():
    return read_world(world_file("dorban"))


@pytest.fixture(scope="module")
def tiger():
    return read_world(world_file("tiger"))


def random_belief(world, visible, rng):
    belief = np.zeros(len(world.states))
    inside = world.states_of(visible)
    belief[inside.start : inside.stop] = rng.dirichlet(np.ones(len(inside)))
    return belief


def as_dict(belief):
    return {int(state): float(belief[state]) for state in np.flatnonzero(belief)}


# --- the definition ---


@pytest.mark.parametrize(("name", "depth", "count"), [("dorban", 3, 40), ("ferryman", 3, 20), ("tiger", 4, 10)])
def test_values_are_those_of_the_definition(name, depth, count):
    world = read_world(world_file(name))
    planner, brute_force = ExactPlanner(world), BruteForce(world)
    rng = np.random.default_rng(3)
    for visible in rng.choice(np.flatnonzero(world.possible), count):
        belief = random_belief(world, int(visible), rng)
        advice = planner.plan(belief, depth)
        legal = brute_force.legal(as_dict(belief))
        expected = {action: brute_force.value(as_dict(belief), action, depth) for action in legal}
        assert {a: v for a, v in enumerate(advice.values) if np.isfinite(v)} == pytest.approx(expected, abs=1e-9)
        top = max(expected.values())
        assert advice.ties == tuple(a for a, v in expected.items() if v > top - 1e-8)
        assert advice.action == advice.ties[0]
        assert advice.value == pytest.approx(top, abs=1e-9)
        assert planner.value(belief, depth) == pytest.approx(top, abs=1e-9)


def noisy_model(rng, states=4, actions=3, observations=3):
    """Any model with noisy observations and a discount."""
    steps = rng.dirichlet(np.ones(states) * 0.5, (actions, states))
    shows = rng.dirichlet(np.ones(observations) * 0.5, (actions, states))
    return Pomdp(
        states=tuple(f"s{i}" for i in range(states)),
        actions=tuple(f"a{i}" for i in range(actions)),
        observations=tuple(f"z{i}" for i in range(observations)),
        transitions=tuple(csr_array(t) for t in steps),
        observing=tuple(csr_array(o) for o in shows),
        rewards=rng.normal(size=(actions, states)),
        legal=np.ones((actions, states), dtype=np.bool_),
        start=np.full(states, 1.0 / states),
        discount=0.9,
    )


def dense_value(model, belief, depth):
    """V by dense arithmetic."""
    if depth == 0:
        return 0.0
    values = []
    for action in range(len(model.actions)):
        value = model.rewards[action] @ belief
        reached = belief @ model.transitions[action].toarray()
        for z in range(len(model.observations)):
            joint = reached * model.observing[action].toarray()[:, z]
            if joint.sum() > 0.0:
                value += model.discount * joint.sum() * dense_value(model, joint / joint.sum(), depth - 1)
        values.append(value)
    return max(values)


def test_models_with_noisy_observations_and_a_discount():
    rng = np.random.default_rng(5)
    for _ in range(10):
        model = noisy_model(rng)
        belief = rng.dirichlet(np.ones(4))
        assert ExactPlanner(model).value(belief, 3) == pytest.approx(dense_value(model, belief, 3), abs=1e-10)


def test_the_tiger_by_hand(tiger):
    """Undiscounted, from even odds: listening costs 1; only two equal growls make opening a door worth while."""
    planner = ExactPlanner(tiger)
    start = tiger.uniform(tiger.visible(["silence"]))
    assert planner.value(start, 1) == pytest.approx(-1.0)
    assert planner.value(start, 2) == pytest.approx(-2.0)
    twice = 0.85**2 + 0.15**2
    third = (0.85**2 * 10.0 - 0.15**2 * 100.0) + (1.0 - twice) * -1.0
    assert planner.value(start, 3) == pytest.approx(-2.0 + third)
    assert planner.plan(start, 1).values.tolist() == pytest.approx([-1.0, -45.0, -45.0])


def test_dorban_attacks_where_everyone_is_together(dorban):
    here = dorban.visible(["none", "place_Warszawa", "true", "true", "true", "true"])
    advice = ExactPlanner(dorban).plan(dorban.uniform(here), 4)
    assert advice.action == ATTACK
    assert advice.value == pytest.approx(198.96725, abs=1e-9)
    assert not advice.tied
    assert advice.runner_up == KRAKOW
    assert advice.gap == pytest.approx(198.96725 - 108.4)


def test_a_tie_goes_to_the_first_action_and_is_reported(dorban):
    nothing_seen = dorban.visible(["none", "place_Warszawa", "false", "none", "false", "false"])
    advice = ExactPlanner(dorban).plan(dorban.uniform(nothing_seen), 4)
    assert advice.tied
    assert advice.ties == (KRAKOW, POZNAN)  # the map is the same either way round
    assert advice.action == KRAKOW
    assert advice.gap == pytest.approx(0.0, abs=1e-9)


def test_what_is_remembered_changes_nothing(dorban):
    rng = np.random.default_rng(1)
    beliefs = [random_belief(dorban, int(v), rng) for v in rng.choice(np.flatnonzero(dorban.possible), 30)]
    old = ExactPlanner(dorban)
    old.plan_all(beliefs, 6)
    for belief, together in zip(beliefs, old.plan_all(beliefs, 4)):
        fresh = ExactPlanner(dorban).plan(belief, 4)
        assert fresh.action == together.action
        assert fresh.values == pytest.approx(together.values, abs=1e-9)


def test_with_no_steps_to_go_everything_is_worth_nothing(dorban):
    start = dorban.uniform(int(np.argmax(dorban.possible)))
    advice = ExactPlanner(dorban).plan(start, 0)
    assert advice.value == 0.0
    assert advice.action == int(np.argmax(dorban.legal[np.argmax(dorban.possible)]))


def test_futures_and_beliefs_after_them(dorban):
    planner, brute_force = ExactPlanner(dorban), BruteForce(dorban)
    rng = np.random.default_rng(2)
    for visible in np.flatnonzero(np.diff(dorban.first) == 32):
        belief = random_belief(dorban, int(visible), rng)
        for action in np.flatnonzero(dorban.legal[visible]):
            futures = planner.futures(belief, int(action))
            expected = brute_force.outcomes(as_dict(belief), int(action))
            assert [f.observation for f in futures] == sorted(expected)
            for future in futures:
                part = expected[future.observation]
                assert future.probability == pytest.approx(sum(part.values()))
                assert as_dict(future.belief * future.probability) == pytest.approx(part, abs=1e-11)
                assert planner.after(belief, int(action), future.observation) == pytest.approx(
                    future.belief, abs=1e-11
                )


def ending_model():
    """One action leads from the first state to the second, where nothing is legal any more."""
    return Pomdp(
        states=("open", "shut"),
        actions=("go",),
        observations=("open", "shut"),
        transitions=(csr_array(np.array([[0.5, 0.5], [0.0, 0.0]])),),
        observing=(csr_array(np.eye(2)),),
        rewards=np.array([[1.0, 0.0]]),
        legal=np.array([[True, False]]),
        start=np.array([1.0, 0.0]),
    )


def test_where_nothing_is_legal_it_ends():
    planner = ExactPlanner(ending_model())
    assert planner.value([1.0, 0.0], 3) == pytest.approx(1.0 + 0.5 + 0.25)
    assert planner.value([0.0, 1.0], 3) == 0.0
    with pytest.raises(UserError, match="no action is legal in shut"):
        planner.plan([0.0, 1.0], 3)


# --- what is refused ---


def test_an_impossible_observation_is_named_and_the_belief_kept(dorban):
    here = dorban.visible(["none", "place_Warszawa", "false", "none", "false", "false"])
    tracker = Tracker(dorban, here)
    before = tracker.belief.copy()
    with pytest.raises(UserError) as refused:
        tracker.watch(KRAKOW, here)
    assert "where_is_dorban=>place_Warszawa" in str(refused.value)
    assert "impossible" in str(refused.value)
    assert "belief is kept" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert np.array_equal(tracker.belief, before)
    assert tracker.visible == here
    there = dorban.visible(["none", "place_Krakow", "false", "none", "true", "false"])
    assert tracker.watch(KRAKOW, there) == pytest.approx(0.25 * 0.75)  # the vampire, not Pregor, of four towns
    assert tracker.visible == there
    assert tracker.likely(1)[0][0].startswith("where_is_vampire=>place_Krakow")
    with pytest.raises(IllegalAction, match="legal"):
        tracker.watch(KRAKOW, there)
    assert tracker.visible == there


@pytest.mark.parametrize("belief", [[0.5] * 10, [1.0, 0.0], [np.nan] + [0.0] * 9, [-0.5, 1.5] + [0.0] * 8])
def test_a_belief_that_is_none_is_refused(tiger, belief):
    with pytest.raises(UserError, match="belief"):
        ExactPlanner(tiger).plan(belief, 2)


def test_depth_and_memory_are_bounded(dorban):
    start = dorban.uniform(int(np.argmax(dorban.possible)))
    with pytest.raises(UserError, match="depth of planning"):
        ExactPlanner(dorban).plan(start, -1)
    small = ExactPlanner(dorban, most_beliefs=50)
    with pytest.raises(UserError, match="more than 50 beliefs"):
        small.plan(start, 6)
    assert len(small.graph) <= 50
    assert small.plan(start, 1).values == pytest.approx(ExactPlanner(dorban).plan(start, 1).values)


def test_memory_is_bounded_in_bytes():
    """The refusal says what would allow more, and what was there before stays."""
    hallway = problem("hallway")
    small = ExactPlanner(hallway, memory=3.0)
    with pytest.raises(UserError, match=r"take more than 3 megabytes; plan less deep, or allow more \(memory\)"):
        small.plan(hallway.start, 6)
    assert small.graph.size() <= 3e6
    arrays = (small.graph.states, small.graph.weights, small.graph.edge_following, small.graph.edge_probability)
    assert sum(array.storage.nbytes for array in arrays) <= 6e6
    assert small.plan(hallway.start, 1).values == pytest.approx(ExactPlanner(hallway).plan(hallway.start, 1).values)
    with pytest.raises(UserError, match=r"the model has [\d,]+ steps, .* 0.1 are allowed \(memory\)"):
        ExactPlanner(hallway, memory=0.1)
