"""Pictures of beliefs and policies, what a look-up tells of itself, and how long precalculation would take."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.planning.explain.belief_drawing import grid_picture, map_picture
from hiddenhand.planning.explain.lookup_reasons import LookedUp
from hiddenhand.planning.explain.policy_map import policy_map
from hiddenhand.planning.explain.question import PlanQuestion
from hiddenhand.planning.language import read_text
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.forecast import forecast, lasting
from hiddenhand.planning.planners.knowledge import Block, Knowledge, limit, precalculate
from hiddenhand.planning.planners.knowledge_files import write
from hiddenhand.planning.planners.lookup import LookupPlanner

SVG = "{http://www.w3.org/2000/svg}"
COIN = """
values { value start; value heads, tails; value A, B; }
variables { input variable seen:{start}; hidden variable coin:{heads, tails}; output variable deed:{A, B}; }
knowledge {
  action {deed=>A}:{ case "" { probability "":1.0 { requires terminal value coin == initial value coin; } } }
  action {deed=>B}:{ case "" { probability "":1.0 { requires terminal value coin == initial value coin; } } }
}
"""
"""Two hidden states and two actions, for the example of the document."""


# --- what was looked up ---


def looked_up(rule, constant):
    """The document's example: three stored beliefs, and 0.3 and 0.7 is believed."""
    world = build_world(read_text(COIN, "coin"))
    stored = Block(
        0, False, np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]]), np.array([0, 1, 1]), np.array([10.0, 5.0, 2.0])
    )
    planner = LookupPlanner(world, [Knowledge(1, 2, {0: stored})], rule, constant=constant)
    belief = np.array([0.3, 0.7])
    return LookedUp(PlanQuestion(world, ExactPlanner(world), belief, 1), planner.found(belief, 1), constant)


def test_the_votes_of_the_document():
    told = looked_up("inverse_distance", 0.0)
    assert told.found.distances == pytest.approx([0.4242640687119286, 0.9899494936611665, 0.282842712474619])
    assert told.found.scores == pytest.approx([23.57022603955158, 12.12183053462653])
    first, votes = told.sentences()
    assert first.startswith("I looked it up (inverse distance): A wins the vote of 3 stored beliefs")
    assert votes == "The votes: A 23.5702 = 10 / 0.424264; B 12.1218 = 5 / 0.989949 + 2 / 0.282843."
    document = told.to_json()
    assert document["scores"] == {"A": pytest.approx(23.57022603955158), "B": pytest.approx(12.12183053462653)}
    assert [entry["distance"] for entry in document["entries"]] == pytest.approx(told.found.distances)
    assert document["as_stored"] is False
    assert "as stored" not in first


def test_the_constant_is_told():
    votes = looked_up("inverse_distance", 0.001).sentences()[1]
    assert "A 23.5148 = 10 / (0.001 + 0.424264)" in votes


def test_the_nearest_is_told_with_its_distance():
    """0.5 and 0.5 is the nearest, 0.28 away: B, worth 2 as stored."""
    told = looked_up("nearest", 0.001)
    assert told.sentences()[0].startswith(
        "I looked it up (nearest): B, worth 2 as stored. Of 3 stored beliefs the nearest is 0.282843 away."
    )
    assert told.to_json()["as_stored"] is True
    met = looked_up("nearest", 0.001)
    met = replace(met, found=replace(met.found, distances=np.zeros(3)))
    assert "one is this very belief" in met.sentences()[0]


def test_an_exact_match_without_a_constant_decides_alone():
    world = build_world(read_text(COIN, "coin"))
    stored = Block(0, False, np.eye(2), np.array([0, 1]), np.array([1.0, 100.0]))
    planner = LookupPlanner(world, [Knowledge(1, 2, {0: stored})], "inverse_distance", constant=0.0)
    assert planner.plan(np.array([1.0, 0.0]), 1).action == 0
    assert planner.plan(np.array([0.9, 0.1]), 1).action == 1  # 1 / 0.14 against 100 / 1.27


def test_the_agent_tells_what_it_looked_up(tmp_path):
    file = tmp_path / "tiger.svarog"
    write(file, read_world("tiger"), precalculate(read_world("tiger"), 4, 2), compact=True)
    agent = hh.agent("tiger", f"planner:knowledge={file},lookup=inverse_distance,constant=0.5")
    table = hh.game("tiger", start="silence").deal(1)
    table.play("listen")
    told = table.ask(agent, explain=True)
    document = told.to_json()["looked_up"]
    assert len(document["entries"]) == 3
    assert any("/ (0.5 + " in reason for reason in told.reasons)
    json.dumps(document, allow_nan=False)


def test_the_whole_belief_is_told(capsys):
    assert main(["explain", "dorban", "--start", "none place_Krakow false none false false", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    for belief in (document["belief"], document["explanation"]["belief"]["likeliest"]):
        assert len(belief) == 32
        assert sum(state["probability"] for state in belief) == pytest.approx(1.0)
    assert main(["explain", "dorban", "--start", "none place_Krakow false none false false"]) == 0
    assert "62.5%  ... 20 more together" in capsys.readouterr().out


def test_a_tie_is_told_once(capsys):
    """Krakow and Gdansk lead to the same futures: they are not told twice, and no tiny change of belief is."""
    start = ["--start", "none place_Warszawa false none true false"]
    assert main(["explain", "dorban", *start, "--why-not", "goto_Gdansk"]) == 0
    told = capsys.readouterr().out
    assert "Why not go to Gdansk? It is worth 9.9125, as much as go to Krakow." in told
    assert "After go to Gdansk" not in told
    assert "if whether Pregor lives: false had a probability of 66.2 % instead of 50.0 %" in told
    assert "I would choose attack the vampire (worth 8 then)" in told


# --- pictures ---


def shapes(drawn, kind):
    return ElementTree.fromstring(drawn).iter(f"{SVG}{kind}")


@pytest.mark.parametrize(
    ("states", "granularity", "basis", "points"),
    [(2, 2, False, 3), (3, 2, False, 7), (3, 2, True, 3), (3, 3, False, 19)],
)
def test_grids_as_in_the_document(states, granularity, basis, points):
    drawn = grid_picture(states, granularity, basis)
    found = list(shapes(drawn, "circle"))
    assert len(found) == points
    named = {circle.find(f"{SVG}title").text for circle in found}
    assert len(named) == points
    if (states, granularity, basis) == (3, 2, False):
        assert named == {
            "(0, 0, 1)", "(0, 1, 0)", "(0, 0.5, 0.5)", "(1, 0, 0)", "(0.5, 0, 0.5)", "(0.5, 0.5, 0)",
            "(0.3333, 0.3333, 0.3333)",
        }  # fmt: skip


def test_the_policy_of_the_tiger_is_a_line():
    """One step ahead a door is opened from 0.9 on."""
    world = read_world("tiger")
    found = policy_map(world, 0, 1)
    assert [found.names[interval.action] for interval in found.intervals] == [
        "open the right door",
        "listen",
        "open the left door",
    ]
    assert [interval.high for interval in found.intervals] == pytest.approx([0.1, 0.9, 1.0], abs=2e-6)
    drawn = map_picture(found)
    assert len(list(shapes(drawn, "polyline"))) == 3
    assert {"10 %", "90 %"} <= {text.text for text in shapes(drawn, "text")}


def test_the_policy_over_three_states_is_a_triangle():
    world = read_world("dorban")
    visible = world.visible(["none", "place_Warszawa", "false", "none", "true", "false"])
    among = [
        ("place_Warszawa", "place_Krakow", "true"),
        ("place_Warszawa", "place_Gdansk", "true"),
        ("place_Warszawa", "place_Wroclaw", "false"),
    ]
    found = policy_map(world, visible, 4, among)
    corner = dict(zip(map(tuple, found.beliefs.tolist()), found.actions.tolist()))
    assert [found.names[corner[tuple(row)]] for row in np.eye(3).tolist()] == [
        "go to Krakow",
        "go to Gdansk",
        "attack the vampire",
    ]
    assert found.states[2] == "where_is_pregor=>place_Wroclaw; is_pregor_alive=>false"
    planner = ExactPlanner(world)
    states = [world.state(visible, hidden) for hidden in among]
    for place in range(0, len(found.beliefs), 97):
        belief = np.zeros(len(world.states))
        belief[states] = found.beliefs[place]
        assert planner.plan(belief, 4).action == found.actions[place]
    drawn = map_picture(found)
    assert len(list(shapes(drawn, "polygon"))) == len(found.beliefs) + 2


def test_pictures_from_the_command_line(tmp_path, capsys):
    file = tmp_path / "map.svg"
    assert main(["svarog", "map", "tiger", "--depth", "1", "--output", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stretches"][0]["to"] == pytest.approx(0.1, abs=2e-6)
    assert file.read_text().startswith("<svg ")
    assert main(["svarog", "grid", "--states", "2", "--output", str(file)]) == 0
    assert "drawn in" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["map", "dorban"], "a map has 2 or 3 different hidden states, not 32; name them with --among, out of: "),
        (["map", "tiger", "--among", "left"], "a map has 2 or 3 different hidden states, not 1"),
        (["map", "tiger", "--among", "left", "--among", "left"], "2 or 3 different hidden states"),
        (["map", "tiger", "--among", "middle"], "tiger has no value 'middle'"),
        (["map", "tiger", "--start", "noise"], "noticed has no value 'noise'"),
        (["grid", "--states", "4"], "beliefs can be drawn over 2 or 3 states, not over 4"),
        (["grid", "--granularity", "1"], "the granularity of a picture must be a whole number from 2 to 20, not 1"),
    ],
)
def test_wrong_pictures_get_one_line(words, message, capsys, tmp_path):
    assert main(["svarog", *words, "--output", str(tmp_path / "a.svg")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


# --- time ---


def test_how_long_it_would_take(capsys):
    """The document: 2 ** 32 - 1 beliefs at one second each are 138 years; so they are, of 360 days each."""
    found = forecast(read_world("dorban"), 2, 2, limit("document"))
    assert found.stored == 5025
    assert (found.largest_states, found.largest) == (32, 2**32 - 1)
    assert found.whole == 45 * 1 + 45 * 15 + 15 * 255 + 15 * (2**32 - 1)
    assert found.largest / (360 * 86400) == pytest.approx(138, abs=0.5)
    assert found.lines()[2].endswith("136 years at 1 second each")
    assert found.seconds < found.largest_seconds < found.whole_seconds
    assert main(["svarog", "estimate", "tiger", "--depth", "2", "--time"]) == 0
    assert re.search(r"^# 15 beliefs to reckon: about ", capsys.readouterr().out, re.MULTILINE)
    assert main(["svarog", "estimate", "tiger", "--depth", "2", "--time", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forecast"]["stored"] == 15


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0004, "0.4 ms"), (1.0, "1 second"), (90.0, "1.5 minutes"), (7200.0, "2 hours"), (86400.0 * 365.0, "1 year")],
)
def test_times_in_words(seconds, text):
    assert lasting(seconds) == text
