"""Planning by trying things out: the simulator is the model, and what it finds is near the best."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core.resolver import agent, game
from hiddenhand.kernel import stream
from hiddenhand.planning.language.pomdp_reading import parse_pomdp
from hiddenhand.planning.language.pomdpx_reading import parse_factored
from hiddenhand.planning.model.clauses import Clauses
from hiddenhand.planning.model.simulator import MOVES, drawn_starts, is_legal, move, row_of, simulator_of
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.pomcp import EpisodeSettings, play_episodes, search, update_particles
from textbook import problem
from textbook.rock_sample_file import rock_sample_file


@pytest.fixture(scope="module")
def rocks():
    return rock_sample_file(4)


def test_the_file_of_rocks_is_the_model_of_rocks(rocks):
    """Two descriptions of the same problem, one of them factored: the same rewards and the same beliefs."""
    read, built = parse_pomdp(rocks), problem("rock_sample_4_4")
    order = [read.states.index(name_of(state)) for state in built.states[:-1]]
    terminal = [i for i, state in enumerate(read.states) if "rover_0=over" in state]
    assert len(read.states) == 17 * 16
    for action in range(9):
        assert read.rewards[action][order] == pytest.approx(built.rewards[action][:-1])
        mine = read.transitions[action].toarray()[order]
        theirs = built.transitions[action].toarray()[:-1]
        assert mine[:, order] == pytest.approx(theirs[:, :-1])
        assert mine[:, terminal].sum(axis=1) == pytest.approx(theirs[:, -1])
    assert read.start[order] == pytest.approx(built.start[:-1])


def name_of(state):
    x, y, good = state.split("-")
    rocks = [f"rock{i + 1}_0={'good' if bit == '1' else 'bad'}" for i, bit in enumerate(reversed(good))]
    return " ".join([f"rover_0=c{x}-{y}", *rocks])


@pytest.mark.parametrize("factored", [True, False])
def test_the_simulator_draws_from_the_model(rocks, factored):
    """How often what follows, against the probabilities of the model: from one state, looking at the last rock."""
    model = parse_pomdp(rocks)
    simulator = simulator_of(parse_factored(rocks.encode(), "rocks") if factored else model)
    start = drawn_starts(parse_factored(rocks.encode(), "rocks") if factored else model, 1, np.random.default_rng(2))[
        0
    ]
    state = start.copy()
    rng = stream(7)
    seen = {}
    for _ in range(4000):
        s = state.copy()
        what, rewards = move(simulator, s, 8, rng)
        assert rewards == 0.0
        assert (s[1 : 1 + simulator.variables] == state[1 : 1 + simulator.variables]).all()
        seen[what] = seen.get(what, 0) + 1
    right = 0.5 * (1.0 + 2.0 ** (-np.hypot(1, 2) / 20.0))
    assert len(seen) == 2
    assert max(seen.values()) / 4000 == pytest.approx(right, abs=5 * (right * (1 - right) / 4000) ** 0.5)


def test_variable_by_variable_is_the_model(rocks):
    """Every action from every twentieth state, exactly: where it leads and what it pays, beside the whole model."""
    model, factored = parse_pomdp(rocks), parse_factored(rocks.encode(), "rocks")
    simulator = simulator_of(factored)
    sizes = [len(variable.values) for variable in factored.names.before]
    for state in range(0, len(model.states), 20):
        s = np.zeros(simulator.slots, dtype=np.int64)
        s[1 : 1 + len(sizes)] = np.unravel_index(state, sizes)
        for action in range(len(model.actions)):
            found = {
                int(np.ravel_multi_index(to, sizes)): chance
                for to, chance in chances_from(simulator, s, action).items()
            }
            row = model.transitions[action][[state]].tocoo()
            assert found == pytest.approx(dict(zip(row.coords[1].tolist(), row.data.tolist())))
            then = s.copy()
            assert move(simulator, then, action, stream(state))[1] == model.rewards[action, state]


def test_particles_are_the_belief():
    tiger = problem("tiger")
    simulator = simulator_of(tiger)
    particles = drawn_starts(tiger, 20_000, np.random.default_rng(1))
    real = np.array([0, 0, 0, 0])
    belief = tiger.start
    for heard in (0, 0, 1):
        real[3] = heard
        update_particles(simulator, particles, 0, real, stream(heard))
        belief, _ = tiger.after(belief, 0, heard)
        assert (particles[:, 1] == 0).mean() == pytest.approx(belief[0], abs=0.02)


def test_what_is_tried_is_worth_what_it_is():
    """With few steps left, against the exact planner: the same action, and its value less what trying costs."""
    tiger = problem("tiger")
    exact = ExactPlanner(tiger)
    simulator = simulator_of(tiger)
    for belief, depth in (([0.5, 0.5], 2), ([0.97, 0.03], 1), ([0.85, 0.15], 3)):
        particles = np.zeros((10_000, 4), dtype=np.int64)
        particles[:, 1] = np.arange(10_000) >= 10_000 * belief[0]
        estimates = search(simulator, particles, 20_000, depth, seed=3)
        plan = exact.plan(belief, depth)
        assert estimates.action == plan.action
        assert plan.value - 1.5 < estimates.mean[estimates.action] < plan.value + 0.7
        assert estimates.visits.sum() == 20_000


def test_episodes_earn_what_is_known_to_be_possible(rocks):
    """Much more than leaving at once pays, and not more than the upper bound; the same seed, the same episodes."""
    factored = parse_factored(rocks.encode(), "rocks")
    settings = EpisodeSettings(simulations=400, depth=30, particles=300, steps=40, seed=1)
    played = play_episodes(factored, 12, settings)
    assert 14.0 < played.mean < 19.1 + 3 * played.error
    few = replace(settings, simulations=50, steps=5)
    assert (play_episodes(factored, 3, few).totals == play_episodes(factored, 3, few).totals).all()


def test_it_plays_models_and_worlds_and_says_why(tmp_path, rocks):
    path = tmp_path / "rocks.pomdpx"
    path.write_text(rocks)
    for of in (game(str(path), steps=20), game("tiger", steps=4)):
        who = agent(of, "pomcp:simulations=300")
        view = of.deal(3).view()
        told = who.explain(view)
        assert told.action == who.decide(view).action
        assert told.reasons[0].startswith("I imagined 300 possible futures from what I believe")
        assert sum(int(a.note.split()[1]) for a in told.alternatives if a.value is not None) == 300


def test_a_point_based_plan_is_an_agent_of_worlds():
    of = game("tiger", steps=4)
    who = agent(of, "point_based:walks=30")
    view = of.deal(3).view()
    told = who.explain(view)
    assert told.action == who.decide(view).action
    assert any(reason.startswith("The best plan is worth from") for reason in told.reasons)


def test_the_command_says_what_it_earned(tmp_path, rocks, capsys):
    path = tmp_path / "rocks.pomdpx"
    path.write_text(rocks)
    small = ["--episodes", "2", "--simulations", "50", "--steps", "5"]
    assert main(["svarog", "online", str(path), *small]) == 0
    assert "2 episodes of at most 5 steps earned" in capsys.readouterr().out
    assert main(["svarog", "online", str(path), "--episodes", "1"]) == 2
    assert main(["svarog", "online", str(path), "--simulations", "0"]) == 2


# --- clause by clause ---


def chances_from(simulator, s, action):
    """{next state: chance} of all that the draws of an action may give, from the slots of a state."""
    s = s.copy()
    s[0] = action
    s[1 + simulator.variables : 1 + 2 * simulator.variables] = s[1 : 1 + simulator.variables]
    found = [(s, 1.0)]
    for f in range(*simulator.span[MOVES, action]):
        more = []
        for now, chance in found:
            low, high = row_of(simulator.moves, f, now)
            for k in range(low, high):
                then = now.copy()
                then[simulator.moves.slot[f]] = simulator.moves.value[k]
                more.append((then, chance * simulator.moves.chance[k]))
        found = more
    result = {}
    for then, chance in found:
        key = tuple(then[1 + simulator.variables : 1 + 2 * simulator.variables].tolist())
        result[key] = result.get(key, 0.0) + chance
    return result


@pytest.mark.parametrize("name", ["tiger", "ferryman", "dorban"])
def test_clauses_draw_from_the_world(name):
    """Every step from every tenth state of a world, exactly: where it leads, what it pays and what is legal."""
    world = read_world(name)
    simulator = simulator_of(Clauses(world.specification))
    axes = world.inputs + world.hidden

    def slots(state):
        visible, hidden = world.states[state]
        values = (*world.visible_states[visible], *hidden)
        return [axis.values.index(value) for axis, value in zip(axes, values)]

    for state in range(0, len(world.states), 10):
        s = np.zeros(simulator.slots, dtype=np.int64)
        s[1 : 1 + len(axes)] = slots(state)
        for action in range(len(world.actions)):
            assert is_legal(simulator, s, action) == world.legal[world.visible_of[state], action]
            if not is_legal(simulator, s, action):
                continue
            row = world.transitions[action][[state]].tocoo()
            wanted = {tuple(slots(int(to))): chance for to, chance in zip(row.coords[1], row.data)}
            assert chances_from(simulator, s, action) == pytest.approx(wanted)
            then = s.copy()
            _, rewards = move(simulator, then, action, stream(state))
            reached = next(to for to in row.coords[1] if slots(int(to)) == then[1 : 1 + len(axes)].tolist())
            assert rewards == world.payoffs[world.visible_of[reached]]


def lamps(count, near=4):
    """Every lamp is lit or dark and nobody sees which: one can look at those that are near, and naming one that is
    lit pays."""
    names = [f"lamp{i}" for i in range(count)]
    vector_actions = [f"{its_action}{i}" for i in range(near) for its_action in ("look", "name")]
    hidden = " ".join(f"hidden variable {name}:{{dark, lit}};" for name in names)
    same = " ".join(f"requires terminal value {name} == initial value {name};" for name in names)
    shown, told = [], []
    for i, name in enumerate(names[:near]):
        shown.append(
            f'action {{deed=>look{i}}}:{{ case "" {{ '
            f'probability "":0.9 {{ requires terminal value seen == initial value {name}; {same} }} '
            f'probability "":0.1 {{ requires not terminal value seen == initial value {name}; '
            f"requires not terminal value seen == won; requires not terminal value seen == lost; {same} }} }} }}"
        )
        told += [
            f'action {{deed=>name{i}}}:{{ case "" {{ requires initial value {name} == {value}; '
            f'probability "":1.0 {{ requires terminal value seen == {end}; {same} }} }} }}'
            for value, end in (("lit", "won"), ("dark", "lost"))
        ]
    rewards = [
        f'payoff "":{pay} {{ requires initial value seen == {end}; }}'
        for pay, end in ((10.0, "won"), (-20.0, "lost"))
    ]
    return (
        f"values {{ value dark, lit, won, lost, {', '.join(vector_actions)}; }} "
        f"variables {{ input variable seen:{{dark, lit, won, lost}}; {hidden} "
        f"output variable deed:{{{', '.join(vector_actions)}}}; }} "
        f"knowledge {{ {' '.join(rewards + shown + told)} }}"
    )


def test_a_world_that_cannot_be_written_down_is_played_by_its_clauses(tmp_path, capsys):
    """Forty lamps have 2 ** 42 states: `solve` refuses them. Who finds one that is lit can name it for ever."""
    path = tmp_path / "lamps.svarog"
    path.write_text(lamps(40))
    assert main(["svarog", "solve", str(path)]) == 2
    assert re.search("more than 4000000 states.*svarog online", capsys.readouterr().err)
    path.write_text(lamps(40).replace('"":0.9', '"":0.8'))
    assert main(["svarog", "online", str(path), "--episodes", "2"]) == 2
    assert "do not sum to 1" in capsys.readouterr().err
    path.write_text(lamps(40))
    line = [
        "svarog",
        "online",
        str(path),
        "--episodes",
        "4",
        "--steps",
        "12",
        "--simulations",
        "2000",
        "--depth",
        "8",
    ]
    assert main([*line, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mean"] > 5.0  # who never looks gets nothing at best
