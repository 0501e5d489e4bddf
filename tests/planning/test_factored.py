"""Aspects: what is believed of each hidden variable by itself is exact, and the plan for one keeps its promise."""

from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.kernel import stream
from hiddenhand.planning.language.pomdpx_reading import parse_factored
from hiddenhand.planning.model.factored import Multiplied
from hiddenhand.planning.model.simulator import drawn_starts, move, simulator_of
from hiddenhand.planning.planners.factored.plan_order import joint_value, most_urgent, urgency, value_at
from hiddenhand.planning.planners.factored.subproblems import (
    plan_for,
    reward_correction,
    situation,
    subproblem_of,
    subproblems_of,
    update_belief,
)
from textbook.rock_sample_file import LARGER, rock_sample_file

SIZE = 4


@pytest.fixture(scope="module")
def rocks():
    return parse_factored(rock_sample_file(SIZE).encode(), "rocks")


@pytest.fixture(scope="module")
def subproblems(rocks):
    return subproblems_of(rocks)


def test_what_is_believed_of_each_rock_is_exact(rocks, subproblems):
    """Beside Bayes' rule on all states, along a walk, and so is the chance to see what is seen; whatever is paid is
    what the belief expects."""
    simulator, model = simulator_of(rocks), Multiplied(rocks).pomdp()
    sizes = [len(variable.values) for variable in rocks.names.before]
    s = drawn_starts(rocks, 1, np.random.default_rng(4))[0]
    whole, belief, rng = model.start, subproblems.start.copy(), stream(2)
    choices = np.random.default_rng(1)
    for step in range(40):
        action = int(choices.integers(5, 9)) if step % 2 else int(choices.integers(0, 5))
        here = situation(subproblems, s)
        if subproblems.terminal[here]:
            break
        expected = model.reward(whole, action)
        difference = reward_correction(subproblems, belief, action, here, s)
        seen, rewards = move(simulator, s, action, rng)
        assert rewards + difference == pytest.approx(expected)
        chance = update_belief(subproblems, belief, action, here, s)
        whole, likely = model.after(whole, action, int(seen))
        assert chance == pytest.approx(likely)
        table = whole.reshape(sizes)
        for f in range(SIZE):
            others = tuple(axis for axis in range(len(sizes)) if axis != 1 + f)
            mine = belief[subproblems.first[f] : subproblems.first[f + 1]]
            assert mine == pytest.approx(table.sum(axis=others), abs=1e-12)
    assert step > 10
    assert not np.allclose(belief, subproblems.start)


def test_a_plan_promises_what_can_be_had(rocks, subproblems):
    """With a rock that is known, what somebody gets who sees everything; else no more than that on average, and no
    less than the worst of it."""
    for f in range(SIZE):
        model = Multiplied(subproblem_of(rocks, [0, 1 + f])).pomdp()
        seeing = np.zeros(len(model.states))
        for _ in range(600):
            tables = zip(model.rewards, model.transitions)
            seeing = np.max([rewards + model.discount * (moves @ seeing) for rewards, moves in tables], axis=0)
        seeing = seeing.reshape(-1, 2)
        for g in range(len(seeing)):
            for x in range(2):
                assert told(subproblems, f, g, x) == pytest.approx(seeing[g, x], abs=0.01)
            for chance in (0.2, 0.5, 0.93):
                most = chance * seeing[g, 1] + (1.0 - chance) * seeing[g, 0]
                assert seeing[g].min() - 0.01 < told(subproblems, f, g, chance) < most + 1e-9


def told(subproblems, f, g, chance):
    """What is promised if the second value has this chance."""
    belief = np.tile([1.0 - chance, float(chance)], SIZE)
    return plan_for(subproblems, f, g, belief)[0]


def test_a_plan_takes_its_time_and_ends_somewhere(rocks, subproblems):
    """A good rock is fetched: as many steps as it is far away, and one to take it. A bad one takes no time."""
    cells = [value.removeprefix("c") for value in rocks.names.before[0].values]
    first, places = LARGER[SIZE]
    g = cells.index("{}-{}".format(*first))
    for f, place in enumerate(places):
        belief = np.tile([1.0, 0.0], SIZE)
        far = abs(first[0] - place[0]) + abs(first[1] - place[1]) + 1
        _, _, at = plan_for(subproblems, f, g, belief)
        assert subproblems.delay[at] == pytest.approx(0.95**far, abs=1e-3)
        assert cells[subproblems.ending[at]] == "{}-{}".format(*place)
        _, lost, _, _ = urgency(subproblems, f, g, belief)
        assert lost == pytest.approx(1.0 - 0.95**far, abs=1e-3)
        urgent, lost, _, _ = urgency(subproblems, f, g, np.tile([0.0, 1.0], SIZE))
        assert (urgent, lost) == pytest.approx((0.0, 0.0))


def test_cases_weigh_what_is_believed(subproblems):
    for chance in (0.03, 0.2, 0.5, 0.61, 0.99):
        belief = np.tile([chance, 1.0 - chance], SIZE)
        for f in range(SIZE):
            drawn = [value_at(subproblems, f, belief, rank) for rank in subproblems.scenarios[:, f]]
            good = [part for x, part in drawn if x == 0]
            bad = [part for x, part in drawn if x == 1]
            if good and bad:
                assert sum(good) / len(drawn) == pytest.approx(chance)
                assert sum(bad) / len(drawn) == pytest.approx(1.0 - chance)


def test_one_plan_after_the_other_earns_what_is_reckoned(rocks, subproblems):
    """Following what is most urgent, beside what the plans are said to be worth together."""
    simulator, rng = simulator_of(rocks), stream(5)
    starts = drawn_starts(rocks, 600, np.random.default_rng(3))
    totals = []
    for s in starts:
        s, belief, total, weight = s.copy(), subproblems.start.copy(), 0.0, 1.0
        for _ in range(60):
            here = situation(subproblems, s)
            if subproblems.terminal[here]:
                break
            action, _ = most_urgent(subproblems, here, belief)
            _, rewards = move(simulator, s, action, rng)
            update_belief(subproblems, belief, action, here, s)
            total, weight = total + weight * rewards, weight * rocks.discount
        totals.append(total)
    done = np.zeros(SIZE, dtype=bool)
    reckoned = joint_value(subproblems, situation(subproblems, starts[0]), subproblems.start, done)
    assert np.mean(totals) == pytest.approx(reckoned, abs=1.5)
    assert np.mean(totals) > 17.0


def test_there_are_none_where_hidden_variables_are_tied(rocks):
    """A sensor that tells of two rocks, or one rock that moves by another."""
    sensor = rocks.sights[1]
    both = replace(
        sensor,
        given=(*sensor.given, rocks.names.after[1]),
        table=np.repeat(sensor.table[..., None, :], 2, axis=-2),
    )
    assert subproblems_of(replace(rocks, sights=[rocks.sights[0], both, *rocks.sights[2:]])) is None
    rock = rocks.moves[2]
    tied = replace(
        rock, given=(*rock.given, rocks.names.before[1]), table=np.repeat(rock.table[..., None, :], 2, axis=-2)
    )
    assert subproblems_of(replace(rocks, moves=[*rocks.moves[:2], tied, *rocks.moves[3:]])) is None
    assert subproblems_of(replace(rocks, discount=1.0)) is None
