"""Precalculation: which beliefs, in which order, and that what is stored is what the definition says."""

import os
import signal
from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.lab.precalculating import PrecalculationPlan
from hiddenhand.lab.precalculating import precalculate as precalculate_file
from hiddenhand.lab.runner import Interrupted, Running
from hiddenhand.lab.store import Store
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.planners import knowledge_files as knowledge_file
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import (
    estimate,
    grid,
    grid_size,
    is_too_complex,
    merge,
    precalculate,
    units,
)
from hiddenhand.planning.worlds import world_file
from planning_brute_force import BruteForce


@pytest.fixture(scope="module")
def dorban():
    return read_world(world_file("dorban"))


@pytest.fixture(scope="module")
def knowledge(dorban):
    return precalculate(dorban, 4, 2)


# --- which beliefs ---


def test_the_grid_of_the_document():
    """Two states with granularity 2, three states with granularity 2; the first state runs fastest."""
    assert grid(2, 2).tolist() == [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    third = 1.0 / 3.0
    assert grid(3, 2).tolist() == pytest.approx(
        np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0], [0, 0, 1], [0.5, 0, 0.5], [0, 0.5, 0.5], [third] * 3])
    )


def test_a_finer_grid_keeps_its_repetitions():
    counts = [[1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [1, 2], [2, 2]]
    assert grid(2, 3) == pytest.approx(np.array(counts) / np.sum(counts, axis=1, keepdims=True))


def test_too_complex_for_the_document_and_for_the_program():
    assert not is_too_complex(9, 2, 1000)
    assert is_too_complex(10, 2, 1000)  # 1023
    assert not is_too_complex(10, 2, 1024)
    assert is_too_complex(11, 2, 1024)
    assert grid_size(32, 2) == 4294967295.0
    assert np.isfinite(grid_size(100_000, 9))


def test_dorban_has_the_published_counts(dorban, knowledge):
    assert len(knowledge) == 5025
    assert len(knowledge.blocks) == 120
    assert list(knowledge.blocks) == units(dorban) == sorted(knowledge.blocks)
    assert sorted({len(block) for block in knowledge}) == [1, 15, 32, 255]
    assert [block.size for block in knowledge if block.too_complex] == [32] * 15
    estimates = estimate(dorban, 2)
    assert [e.visible for e in estimates] == list(knowledge.blocks)
    assert [e.stored for e in estimates] == [len(block) for block in knowledge]


# --- what is stored ---


def test_attack_where_everyone_is_together(dorban, knowledge):
    block = knowledge.blocks[dorban.visible(["none", "place_Warszawa", "true", "true", "true", "true"])]
    assert dorban.actions[block.actions[0]] == ("attack_vampire",)
    assert block.values[0] == pytest.approx(198.967, abs=5e-4)


def test_every_entry_is_the_best_action_and_legal(dorban, knowledge):
    planner = ExactPlanner(dorban)
    for block in knowledge:
        inside = dorban.states_of(block.visible)
        beliefs = np.zeros((len(block), len(dorban.states)))
        beliefs[:, inside.start : inside.stop] = block.beliefs
        for advice, action, value in zip(planner.plan_all(beliefs, 4), block.actions, block.values):
            assert dorban.legal[block.visible, action]
            assert action == advice.action
            assert value == pytest.approx(advice.value, abs=1e-9)


def test_entries_against_the_definition(dorban, knowledge):
    brute_force = BruteForce(dorban)
    rng = np.random.default_rng(4)
    for block in rng.choice(np.array(list(knowledge), dtype=object), 12, replace=False):
        start = dorban.states_of(block.visible).start
        entry = int(rng.integers(len(block)))
        belief = {start + int(i): float(block.beliefs[entry, i]) for i in np.flatnonzero(block.beliefs[entry])}
        values = {action: brute_force.value(belief, action, 4) for action in brute_force.legal(belief)}
        assert block.values[entry] == pytest.approx(max(values.values()), abs=1e-9)
        assert values[block.actions[entry]] == pytest.approx(max(values.values()), abs=1e-9)


def test_halves_make_the_whole_in_any_order(dorban, knowledge):
    wanted = units(dorban)
    odd, even = (precalculate(dorban, 4, 2, visible_states=half) for half in (wanted[1::2], reversed(wanted[::2])))
    assert merge(odd, even) == merge(even, odd) == knowledge
    assert precalculate(dorban, 4, 2, known=odd) == knowledge
    with pytest.raises(UserError, match="both must agree"):
        merge(odd, precalculate(dorban, 3, 2, visible_states=wanted[:1]))
    with pytest.raises(UserError, match="depth 4 and granularity 2"):
        precalculate(dorban, 4, 3, known=odd)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"depth": 4, "granularity": 1}, "granularity must be a whole number of at least 2"),
        ({"depth": -1, "granularity": 2}, "depth of planning"),
        ({"depth": 1, "granularity": 2, "compat": "perun"}, "one of: document, svarog"),
        ({"depth": 1, "granularity": 2, "visible_states": [0]}, "is impossible"),
    ],
)
def test_what_cannot_be_precalculated(dorban, arguments, match):
    with pytest.raises(UserError, match=match):
        precalculate(dorban, **arguments)


# --- as a piece of work ---


def test_interrupted_work_goes_on_where_it_stopped(tmp_path, dorban, knowledge, own_store):
    output = tmp_path / "dorban.knowledge"
    plan = PrecalculationPlan("dorban", 4, 2, compact=True)

    def stop_in_the_middle(done, wanted):
        assert wanted == 120
        if done >= 40:
            raise KeyboardInterrupt

    seen = []
    with Store(str(own_store)) as store:
        with pytest.raises(Interrupted, match="--resume") as interrupted:
            precalculate_file.run(plan, Running(store, progress=stop_in_the_middle, output=str(output)))
        before = int(interrupted.value.message.split()[0])
        assert 40 <= before < 120
        assert not output.exists()
        again = Running(store, resume=True, progress=lambda done, wanted: seen.append(done), output=str(output))
        with pytest.raises(UserError, match="of another precalculation: depth was 4, not 3"):
            precalculate_file.run(replace(plan, depth=3), again)
        done = precalculate_file.run(plan, again)
    assert min(seen) == before
    assert done.beliefs == 5025
    assert knowledge_file.read(output, dorban) == [knowledge]


def test_two_workers_write_the_same_file(tmp_path):
    plan = PrecalculationPlan("ferryman", 4, 2, compact=True)
    one = precalculate_file.run(plan, Running(output=str(tmp_path / "one")))
    two = precalculate_file.run(plan, Running(output=str(tmp_path / "two")), workers=2)
    assert one.beliefs == two.beliefs == 180
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_cluster_that_loses_a_worker_writes_the_same_file(tmp_path):
    distributed = pytest.importorskip("distributed")
    plan = PrecalculationPlan("dorban", 2, 2, compact=True)
    here, there = tmp_path / "here", tmp_path / "there"
    precalculate_file.run(plan, Running(output=str(here)))
    killed = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster:

        def lose_a_worker(done, wanted):
            if not killed and 0 < done < wanted:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        running = Running(progress=lose_a_worker, output=str(there))
        precalculate_file.run(plan, running, cluster=cluster.scheduler_address)
    assert killed
    assert there.read_bytes() == here.read_bytes()
