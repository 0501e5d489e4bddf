"""`hiddenhand.planning` alone is enough to read a world, to plan in it, and to say why."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import hiddenhand.planning as planning
from hiddenhand.planning import (
    LookupPlanner,
    Plan,
    Pomdp,
    Tracker,
    World,
    check,
    explain_plan,
    planner,
    precalculate,
    read_model,
    read_world,
    summarise,
    write_pomdp,
)

pytestmark = pytest.mark.fast


@pytest.fixture(scope="module")
def tiger():
    return read_world("tiger")


def test_a_world_is_read_planned_in_and_explained(tiger):
    assert isinstance(tiger, World)
    belief = tiger.uniform(tiger.visible(["silence"]))
    plan = planner("exact", tiger).plan(belief, horizon=4)
    assert isinstance(plan, Plan)
    assert tiger.action_text(plan.action) == "{deed=>listen}"
    told = explain_plan(tiger, belief, 4)
    assert told.action == "listen"
    assert told.value == pytest.approx(plan.value)
    assert told.sentences()[0].startswith("I listen, to know where the tiger is: ")
    assert "listen is worth" in told.sentences()[1]
    assert explain_plan(tiger, belief, 4, why_not="open_left").contrast.other == "open_left"


def test_what_was_reckoned_before_is_looked_up(tiger):
    belief = tiger.uniform(tiger.visible(["silence"]))
    stored = LookupPlanner(tiger, [precalculate(tiger, depth=3, granularity=3)]).plan(belief, 3)
    assert stored.value == pytest.approx(planner("reachable", tiger).plan(belief, 3).value)


def test_a_belief_is_followed(tiger):
    watching = Tracker(tiger, tiger.visible(["silence"]))
    watching.watch(tiger.action(["listen"]), tiger.visible(["growl_left"]))
    assert watching.belief.max() == pytest.approx(0.85)


def test_a_world_is_checked_summarised_and_written_as_a_model(tiger, tmp_path):
    assert not check(tiger.specification)
    assert summarise(tiger, depth=2, leaves=3, steps=5).leaves <= 3
    file = tmp_path / "tiger.pomdp"
    file.write_text(write_pomdp(tiger.pomdp(0.95)))
    model = read_model(file)
    assert isinstance(model, Pomdp)
    assert np.allclose(model.start, tiger.pomdp().start)


def test_all_names_are_there_and_none_is_a_folder_of_the_package():
    folders = {entry.stem for entry in Path(planning.__file__).parent.iterdir()}
    for name in planning.__all__:
        assert name not in folders
        assert getattr(planning, name) is not None
    for folder in ("language", "model", "planners", "explain", "play"):
        assert import_module(f"hiddenhand.planning.{folder}") is getattr(planning, folder)


def test_importing_it_costs_next_to_nothing():
    code = "import sys, hiddenhand.planning; print(sorted({'numpy', 'scipy', 'numba', 'lark'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
