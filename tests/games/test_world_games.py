"""Worlds as games: the belief that the rules keep, what chance does, and one seat in the laboratory."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.event_log import take_step
from hiddenhand.core.game import blank_state
from hiddenhand.core.resolver import game
from hiddenhand.kernel import derive, stream
from hiddenhand.lab.match import match
from hiddenhand.lab.tournament import tournament
from hiddenhand.planning.language import read_text
from hiddenhand.planning.model.world_building import build_world
from hiddenhand.planning.play.world_game import reports_of, world_game
from hiddenhand.planning.play.world_rules import belief_in, world_of
from svarog_brute_force import Interpreter

WORLDS = ("dorban", "tiger", "ferryman")
TOGETHER = "none place_Krakow true true true true"
SIGMAS = 6.0

LAMP = """
values { value off, lit, broken; value press, wait; }
variables { input variable lamp:{off, lit, broken}; hidden variable wire:{off, lit};
            output variable deed:{press, wait}; }
knowledge {
  payoff "light":CHANCE { requires initial value lamp == lit; }
  action {deed=>press}:{
    case "broken" { requires initial value lamp == broken; illegal; }
    case "" { probability "":0.5 { requires terminal value lamp == lit; requires terminal value wire == lit; }
              probability "":0.5 { requires terminal value lamp == broken; requires terminal value wire == off; } } }
  action {deed=>wait}:{ case "never" { illegal; } }
}
"""


def close(count, trials, probability):
    """Whether a count of successes fits its probability."""
    return abs(count - trials * probability) < SIGMAS * np.sqrt(trials * probability * (1.0 - probability)) + 1e-9


def episodes(of, count):
    for seed in range(count):
        table = of.deal(seed)
        while not table.over:
            before = table.state.copy()
            action = table.legal_actions()[derive(seed, len(table.history)) % len(table.legal_actions())]
            table.play(action)
            yield before, action, table.state


# --- beliefs ---


@pytest.mark.parametrize("name", ["tiger", "ferryman"])
def test_the_belief_is_bayes_rule_read_from_the_specification(name):
    """Against an interpreter that evaluates the text of the specification, one condition at a time."""
    of = game(name)
    world = world_of(of)
    interpreter = Interpreter(world.specification)

    def as_dict(state):
        visible, hidden = world.states[state]
        names = [axis.name for axis in world.inputs + world.hidden]
        return dict(zip(names, world.visible_states[visible] + hidden))

    def as_action(action):
        return dict(zip([axis.name for axis in world.outputs], world.actions[action]))

    for before, action, after in episodes(of, 2):
        belief = belief_in(world, before)
        reached = np.zeros(len(world.states))
        for target in world.states_of(int(after.visible)):
            for source in np.flatnonzero(belief).tolist():
                chance = interpreter.chance(as_dict(source), as_action(action), as_dict(target))
                reached[target] += belief[source] * chance
        assert belief_in(world, after) == pytest.approx(reached / reached.sum(), abs=1e-12)
        assert reached[int(after.truth)] > 0.0
        assert after.gained - before.gained == pytest.approx(
            interpreter.payoff(dict(zip([a.name for a in world.inputs], world.visible_states[int(after.visible)])))
        )


def test_the_belief_of_dorban_is_that_of_the_general_model():
    world = world_of(game("dorban"))
    model = world.pomdp()
    for before, action, after in episodes(game("dorban"), 8):
        expected, _ = model.after(belief_in(world, before), action, int(after.visible))
        assert belief_in(world, after) == pytest.approx(expected, abs=1e-12)
        assert world.visible_of[int(after.truth)] == after.visible


def test_a_redeal_is_drawn_from_the_belief():
    of = game("tiger", start="silence")
    seed = next(s for s in range(100) if heard_left_twice(of.deal(s)))
    table = of.deal(seed)
    heard_left_twice(table)
    likely = 0.85**2 / (0.85**2 + 0.15**2)
    assert table.state.belief.tolist() == pytest.approx([likely, 1.0 - likely])
    left = 0
    world = table.state.copy()
    for number in range(4000):
        of.rules.redeal(world, 0, stream(derive(9, number)))
        left += world_of(of).states[int(world.truth)][1] == ("left",)
    assert close(left, 4000, likely)


def heard_left_twice(table):
    for _ in range(2):
        table.play("listen")
        if world_of(table.game).visible_states[int(table.state.visible)] != ("growl_left",):
            return False
    return True


def test_the_view_holds_no_secret():
    of = game("dorban")
    assert set(of.rules.state.names) - set(of.rules.view.names) == {"truth", "start"}


# --- chance ---


def test_a_fight_with_pregor_goes_as_the_specification_says():
    of = game("dorban", start=TOGETHER, steps=1)
    trials, counts = 3000, {}
    for seed in range(trials):
        table = of.deal(seed)
        table.play("attack_vampire")
        seen = world_of(of).visible_states[int(table.state.visible)]
        outcome = (seen[0], seen[3], seen[5])  # won, Pregor looks alive, Pregor follows
        counts[outcome] = counts.get(outcome, 0) + 1
    assert set(counts) == {("true", "true", "true"), ("false", "true", "false"), ("false", "false", "false")}
    assert close(counts["true", "true", "true"], trials, 0.80)
    assert close(counts["false", "true", "false"], trials, 0.15)
    assert close(counts["false", "false", "false"], trials, 0.05)


def test_episodes_begin_in_any_possible_visible_state_and_with_any_state_behind_it():
    world, deals = world_of(game("dorban")), 24_000
    of = game("dorban")
    starts, truths = np.zeros(360), np.zeros(825)
    states = blank_state(of)
    for seed in range(deals):
        of.rules.deal(states[0], stream(derive(seed, 0)))
        starts[states[0].visible] += 1
        truths[states[0].truth] += 1
    possible = np.flatnonzero(world.possible)
    assert starts[possible].sum() == deals
    assert all(close(count, deals, 1 / 120) for count in starts[possible])
    for state, count in enumerate(truths):
        assert close(count, deals, 1 / 120 / len(world.states_of(world.visible_of[state])))


def reckoned_mean(world, steps):
    """What random play is worth on average, step by step over all states at once."""
    states = np.zeros(len(world.states))
    for visible in np.flatnonzero(world.possible).tolist():
        states += world.uniform(visible) / world.possible.sum()
    share = world.legal[world.visible_of] / world.legal[world.visible_of].sum(axis=1, keepdims=True)
    mixed = sum(share[:, [a]] * rows.toarray() for a, rows in enumerate(world.transitions))
    total = 0.0
    for _ in range(steps):
        states = states @ mixed
        total += states @ world.payoffs[world.visible_of]
    return total


@pytest.mark.parametrize("name", WORLDS)
def test_random_play_is_worth_what_can_be_reckoned(name):
    result = match(name, ["random"], games=20_000, seed=5)
    summary = result.summary(0)
    expected = reckoned_mean(world_of(game(name)), 50)
    assert abs(summary.mean - expected) < SIGMAS * summary.sd / np.sqrt(20_000)
    assert set(result.moves) == {50}


# --- what is told ---


def told(of, seed, *moves):
    """What is said of each of these moves."""
    table = of.deal(seed)
    for move in moves:
        yield take_step(table, table.read(move)).news[0]


def test_the_same_observation_is_told_again():
    growls = [news for [news] in told(game("tiger"), 4, *["listen"] * 12)]
    assert set(growls) == {"noticed: growl_left (-1)", "noticed: growl_right (-1)"}
    assert any(first == second for first, second in pairwise(growls))


def test_what_stands_is_told_when_it_changes():
    soundings = [news for [news] in told(game("ferryman", start="quiet west empty"), 1, *["take_soundings"] * 3)]
    assert all(re.fullmatch(r"news: sand_(up|down)stream \(-1\)", news) for news in soundings)
    ferried = {news for seed in range(5) for [news] in told(game("ferryman"), seed, "cross_upstream")}
    assert any("ferry: " in news for news in ferried)


def test_dorban_says_whom_he_meets():
    of = game("dorban", start="none place_Krakow false none false false")
    met = {news for seed in range(40) for [news] in told(of, seed, "goto_Wroclaw")}
    assert {
        f"Dorban goes to Wroclaw and sees {who}" for who in ("nobody", "the vampire", "Pregor, who is dead")
    } <= met
    together = game("dorban", start="none place_Krakow true true false true")
    met = {news for seed in range(40) for [news] in told(together, seed, "goto_Wroclaw")}
    assert met == {f"Dorban and Pregor go to Wroclaw and see {who}" for who in ("nobody", "the vampire")}


def test_a_world_in_which_nothing_is_reported():
    world = build_world(read_text(LAMP.replace("CHANCE", "1.0")))
    assert reports_of(world) == frozenset()
    assert reports_of(world_of(game("tiger"))) == {0}
    assert reports_of(world_of(game("ferryman"))) == {0}


def test_before_the_first_step_nothing_was_observed():
    assert "news: nothing yet" in game("ferryman", start="sand_upstream west empty").deal(1).view().screen()
    # this one tells that somebody waits, so it is no report but a fact
    assert "news: answer" in game("ferryman", start="answer west empty").deal(1).view().screen()


# --- the game as a whole ---


def test_options():
    short = game("tiger", steps=3, start="growl_left")
    assert (short.longest, short.payoffs) == (3, (-300.0, 30.0))
    table = short.deal(1)
    assert table.view().screen().startswith("step 0 of 3, payoff so far +0\nnoticed: nothing yet\n")
    for _ in range(3):
        table.play("listen")
    assert table.over
    assert table.payoffs() == [-3.0]
    assert table.metrics() == {"listening takes time": 3.0, "the treasure": 0.0, "the tiger": 0.0}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": "none place_Krakow"}, "a visible state has 6 values"),
        ({"start": "none place_Rome false none false false"}, "where_is_dorban has no value 'place_Rome'"),
        ({"start": "none place_Krakow true none false false"}, "is impossible in dorban"),
        ({"steps": 0}, "option steps of dorban must be a whole number from 1"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(UserError, match=message):
        game("dorban", **options)


def test_dorban_reads_a_map():
    table = game("dorban", start="none place_Krakow false none false false").deal(3)
    screen = table.view().screen()
    assert "Dorban is in Krakow and sees nobody." in screen
    assert "[KRAKOW]" in screen
    assert screen.count("vampire 25%") == screen.count("Pregor 25%") == 4
    assert "Pregor is alive with a chance of 50%." in screen
    screen = game("dorban", start=TOGETHER).deal(3).view().screen()
    assert "sees the vampire and Pregor, who follows him" in screen
    assert screen.count("100%") == 2


def lamp(payoff):
    """A world of one's own."""
    world = build_world(read_text(LAMP.replace("CHANCE", payoff), "lamp"))
    return world_game("lamp", world, title="A lamp")


def test_an_episode_ends_where_nothing_can_be_done():
    of = lamp("2.0")
    table = of.deal(0)
    while not table.over:
        assert table.legal_actions() == [0]
        table.play("press")
    assert table.state.step < 50
    assert world_of(of).visible_states[int(table.state.visible)] == ("broken",)


def test_another_specification_is_another_game():
    """The same rules, other numbers: nothing compiled for the one may serve the other."""
    one, other = lamp("2.0"), lamp("3.0")
    assert one.rules.key != other.rules.key
    results = [match(of, [hh.agent(of, "random")], games=50, seed=1).payoffs for of in (one, other)]
    assert (results[1] == 1.5 * results[0]).all()
    assert results[0].any()


def test_a_world_with_wrong_rows_is_no_game():
    world = build_world(read_text(LAMP.replace("CHANCE", "1.0").replace(":0.5", ":0.6", 1), "lamp"))
    with pytest.raises(UserError, match=r"sum to 1.1, not to 1"):
        world_game("lamp", world, title="A lamp")


def test_other_games_are_no_worlds():
    with pytest.raises(UserError, match="kuhn is no world"):
        world_of(game("kuhn"))


def test_compiled_code_is_found_again_by_other_processes():
    code = (
        "from hiddenhand.core.resolver import game\n"
        "of = game('tiger'); table = of.deal(1); table.play('listen'); table.view()\n"
        "from hiddenhand.kernel.compiler import Part; print(Part.compiled)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(hh.__file__).parent.parent)}
    runs = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[1].stdout.strip() == "0"


# --- one seat in the laboratory and at the terminal ---


def test_a_match_of_one(tmp_path):
    document = match("dorban", ["random"], games=200, seed=2).to_json()
    (seat,) = document["seats"]
    assert seat["wins"] + seat["ties"] + seat["losses"] == 200
    assert 0 < seat["losses"] < seat["wins"]
    assert set(document["metrics"]) == {"a fight won", "a fight lost", "no fight"}
    fights = document["metrics"]
    assert seat["mean"] == pytest.approx(100.0 * (fights["a fight won"]["mean"] - fights["a fight lost"]["mean"]))


def test_a_tournament_of_loners_has_no_ratings():
    result = tournament("tiger", ["random", "ismcts:simulations=10"], games=4, steps=5)
    document = result.to_json()
    assert document["ratings"] is None
    assert document["played"] == 8
    assert "ismcts" in str(result)
    assert "with the column" not in str(result)


def test_one_person_plays(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    lines = iter(["moves", "listen", "listen", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    assert main(["play", "tiger", "--seed", "4", "--option", "steps=2", "--option", "start=silence"]) == 0
    out = capsys.readouterr().out
    assert "moves: listen  open the left door  open the right door" in out
    assert "noticed: a growl on the " in out
    assert "The game is over: -2: 2 times listening takes time (-2), in 2 steps.\n" in out


def test_too_many_agents(capsys):
    assert main(["match", "dorban", "random", "random"]) == 2
    assert capsys.readouterr().err == "error: dorban has 1 seat, but 2 agents were given\n"
