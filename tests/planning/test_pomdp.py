"""Beliefs and their change, by hand and by counting."""

from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.core.errors import IllegalAction, UserError
from textbook import PROBLEMS, problem
from textbook.tiger import LEFT, LISTEN

pytestmark = pytest.mark.fast


def test_the_first_growl():
    tiger = problem("tiger")
    belief, chance = tiger.after(tiger.start, LISTEN, 0)
    assert chance == pytest.approx(0.5)
    assert belief == pytest.approx([0.85, 0.15])
    belief, chance = tiger.after(belief, LISTEN, 0)
    assert chance == pytest.approx(0.85**2 + 0.15**2)
    assert belief == pytest.approx(np.array([0.7225, 0.0225]) / 0.745)
    assert tiger.reward(belief, LEFT) == pytest.approx(-100 * belief[0] + 10 * belief[1])


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "rock_sample_7_8"])
def test_rows_sum_to_one(name):
    model = problem(name)
    for table in model.transitions + model.observing:
        assert np.asarray(table.sum(axis=1)) == pytest.approx(1.0)
    assert model.start.sum() == pytest.approx(1.0)


def test_sizes_are_those_of_the_literature():
    sizes = {name: (len(m.states), len(m.actions), len(m.observations)) for name in PROBLEMS if (m := problem(name))}
    assert sizes == {
        "tiger": (2, 3, 2),
        "hallway": (60, 5, 21),
        "hallway2": (92, 5, 17),
        "tag": (870, 5, 30),
        "rock_sample_4_4": (257, 9, 3),
        "rock_sample_5_5": (801, 10, 3),
        "rock_sample_7_8": (12545, 13, 3),
    }


def test_the_belief_is_the_frequency_of_states():
    model = problem("hallway")
    rng = np.random.default_rng(5)
    action, seen, reached = 1, np.zeros(21), np.zeros((21, 60))
    for _ in range(5_000):
        state = int(rng.choice(60, p=model.start))
        following, observation, _ = model.simulate(state, action, rng)
        seen[observation] += 1
        reached[observation, following] += 1
    assert seen / seen.sum() == pytest.approx(model.chances(model.start, action), abs=0.035)
    common = int(seen.argmax())
    belief, chance = model.after(model.start, action, common)
    assert chance == pytest.approx(model.chances(model.start, action)[common])
    assert reached[common] / seen[common] == pytest.approx(belief, abs=0.09)


def test_an_impossible_observation_is_named():
    model = problem("tag")
    belief = model.belief_in("robot-3-7")
    with pytest.raises(UserError, match=r"robot-9 is impossible after north .* possible: robot-13"):
        model.after(belief, model.action_named("north"), model.observation_named("robot-9"))


def test_unknown_names_are_errors():
    tiger = problem("tiger")
    with pytest.raises(UserError, match=r"no action 'lissen' \(did you mean listen\?\)"):
        tiger.action_named("lissen")
    with pytest.raises(UserError, match="from 0 to 1"):
        tiger.with_discount(1.5)
    with pytest.raises(UserError, match="is called 'tigger'"):
        problem("tigger")


def test_illegal_actions_are_refused():
    tiger = problem("tiger")
    legal = tiger.legal.copy()
    legal[LEFT] = False
    model = replace(tiger, legal=legal)
    assert model.legal_actions(model.start) == [0, 2]
    with pytest.raises(IllegalAction, match="open-left is not legal here; legal: listen, open-right"):
        model.chances(model.start, LEFT)
