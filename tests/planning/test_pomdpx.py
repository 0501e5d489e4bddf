"""The `.pomdpx` format: tables, diagrams, variables that are seen, and what is said of broken files."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import TextFault, UserError
from hiddenhand.core.resolver import game
from hiddenhand.planning.language.pomdp_reading import parse_pomdp, read_pomdp
from hiddenhand.planning.language.pomdpx_reading import parse_factored
from hiddenhand.planning.model.simulator import simulator_of
from hiddenhand.planning.planners.point_based.policy_evaluation import follow_plan
from hiddenhand.planning.planners.point_based.solver import solve
from hiddenhand.planning.planners.pomcp import particles_like
from textbook import AN_HOUR, problem

TIGER = """<?xml version="1.0" encoding="ISO-8859-1"?>
<pomdpx version="1.0" id="doors">
<Description>Two doors.</Description>
<Discount>0.95</Discount>
<Variable>
  <StateVar vnamePrev="tiger_0" vnameCurr="tiger_1"><ValueEnum>left right</ValueEnum></StateVar>
  <ObsVar vname="growl"><ValueEnum>left right</ValueEnum></ObsVar>
  <ActionVar vname="deed"><ValueEnum>listen open-left open-right</ValueEnum></ActionVar>
  <RewardVar vname="paid"/>
</Variable>
<InitialStateBelief><CondProb><Var>tiger_0</Var><Parent>null</Parent><Parameter type="TBL">
  <Entry><Instance>-</Instance><ProbTable>uniform</ProbTable></Entry>
</Parameter></CondProb></InitialStateBelief>
<StateTransitionFunction><CondProb><Var>tiger_1</Var><Parent>deed tiger_0</Parent><Parameter>
  <Entry><Instance>* - -</Instance><ProbTable>uniform</ProbTable></Entry>
  <Entry><Instance>listen - -</Instance><ProbTable>identity</ProbTable></Entry>
</Parameter></CondProb></StateTransitionFunction>
<ObsFunction><CondProb><Var>growl</Var><Parent>deed tiger_1</Parent><Parameter type="TBL">
  <Entry><Instance>* * -</Instance><ProbTable>0.5 0.5</ProbTable></Entry>
  <Entry><Instance>listen - -</Instance><ProbTable>0.85 0.15 0.15 0.85</ProbTable></Entry>
</Parameter></CondProb></ObsFunction>
<RewardFunction><Func><Var>paid</Var><Parent>deed tiger_0</Parent><Parameter type="TBL">
  <Entry><Instance>listen *</Instance><ValueTable>-1</ValueTable></Entry>
  <Entry><Instance>open-left -</Instance><ValueTable>-100 10</ValueTable></Entry>
  <Entry><Instance>open-right left</Instance><ValueTable>10</ValueTable></Entry>
  <Entry><Instance>open-right right</Instance><ValueTable>-100</ValueTable></Entry>
</Parameter></Func></RewardFunction>
</pomdpx>
"""

# A walker on three places, seen as they are, and a lamp that is not; the lamp may go out when the walker arrives.
WALKER = """<pomdpx version="1.0">
<Discount>0.9</Discount>
<Variable>
  <StateVar vnamePrev="at_0" vnameCurr="at_1" fullyObs="true"><NumValues>3</NumValues></StateVar>
  <StateVar vnamePrev="lamp_0" vnameCurr="lamp_1"><ValueEnum>on off</ValueEnum></StateVar>
  <ActionVar vname="deed"><ValueEnum>go look</ValueEnum></ActionVar>
  <ObsVar vname="sight"><ValueEnum>light dark</ValueEnum></ObsVar>
  <RewardVar vname="step"/><RewardVar vname="goal"/>
</Variable>
<InitialStateBelief>
  <CondProb><Var>lamp_0</Var><Parent>at_0</Parent><Parameter type="TBL">
    <Entry><Instance>s0 -</Instance><ProbTable>0.75 0.25</ProbTable></Entry>
    <Entry><Instance>s1 -</Instance><ProbTable>uniform</ProbTable></Entry>
    <Entry><Instance>s2 on</Instance><ProbTable>1.0</ProbTable></Entry>
  </Parameter></CondProb>
  <CondProb><Var>at_0</Var><Parent>null</Parent><Parameter type="TBL">
    <Entry><Instance>-</Instance><ProbTable>0.5 0.5 0.0</ProbTable></Entry>
  </Parameter></CondProb>
</InitialStateBelief>
<StateTransitionFunction>
  <CondProb><Var>lamp_1</Var><Parent>lamp_0 at_1</Parent><Parameter type="DD"><DAG>
    <Node var="at_1">
      <Edge val="s0"><SubDAG type="template" idref="fades"/></Edge>
      <Edge val="s1"><SubDAG type="persistent" var="lamp_1"/></Edge>
      <Edge val="s2"><SubDAG type="uniform" var="lamp_1"/></Edge>
    </Node></DAG>
    <SubDAGTemplate id="fades"><Node var="lamp_0">
      <Edge val="on"><Node var="lamp_1">
        <Edge val="on"><Terminal>0.6</Terminal></Edge><Edge val="off"><Terminal>0.4</Terminal></Edge>
      </Node></Edge>
      <Edge val="off"><SubDAG type="deterministic" var="lamp_1" val="off"/></Edge>
    </Node></SubDAGTemplate>
  </Parameter></CondProb>
  <CondProb><Var>at_1</Var><Parent>deed at_0</Parent><Parameter type="DD"><DAG>
    <Node var="deed">
      <Edge val="go"><Node var="at_0">
        <Edge val="s0"><SubDAG type="deterministic" var="at_1" val="s1"/></Edge>
        <Edge val="s1"><SubDAG type="deterministic" var="at_1" val="2"/></Edge>
        <Edge val="s2"><SubDAG type="deterministic" var="at_1" val="s0"/></Edge>
      </Node></Edge>
      <Edge val="look"><SubDAG type="persistent" var="at_1"/></Edge>
    </Node></DAG></Parameter></CondProb>
</StateTransitionFunction>
<ObsFunction><CondProb><Var>sight</Var><Parent>deed lamp_1</Parent><Parameter type="TBL">
  <Entry><Instance>go * -</Instance><ProbTable>0.5 0.5</ProbTable></Entry>
  <Entry><Instance>look - -</Instance><ProbTable>0.9 0.1 0.2 0.8</ProbTable></Entry>
</Parameter></CondProb></ObsFunction>
<RewardFunction>
  <Func><Var>step</Var><Parent>deed</Parent><Parameter type="TBL">
    <Entry><Instance>-</Instance><ValueTable>-1 -0.5</ValueTable></Entry></Parameter></Func>
  <Func><Var>goal</Var><Parent>at_0 lamp_1 sight</Parent><Parameter type="TBL">
    <Entry><Instance>s1 on light</Instance><ValueTable>10</ValueTable></Entry></Parameter></Func>
</RewardFunction>
</pomdpx>
"""


def test_the_tiger_is_the_tiger():
    read, tiger = parse_pomdp(TIGER), problem("tiger")
    assert read.actions == tiger.actions
    assert read.states == read.observations == ("left", "right")
    assert (read.discount, read.start.tolist()) == (0.95, [0.5, 0.5])
    assert read.rewards == pytest.approx(tiger.rewards)
    for mine, theirs in zip(read.transitions + read.observing, tiger.transitions + tiger.observing):
        assert abs(mine - theirs).max() < 1e-12


def test_factors_diagrams_and_what_is_seen():
    """Against the same model written out by hand: places 0 to 2, each with the lamp on and off."""
    read = parse_pomdp(WALKER)
    lamps = {0: [[0.6, 0.4], [0.0, 1.0]], 1: [[1.0, 0.0], [0.0, 1.0]], 2: [[0.5, 0.5], [0.5, 0.5]]}
    lights = {0: [[0.5, 0.5], [0.5, 0.5]], 1: [[0.9, 0.1], [0.2, 0.8]]}
    for deed, lead in enumerate(([1, 2, 0], [0, 1, 2])):
        moves, sights = np.zeros((6, 6)), np.zeros((6, 6))
        for at in range(3):
            for lamp in range(2):
                moves[2 * at + lamp, 2 * lead[at] : 2 * lead[at] + 2] = lamps[lead[at]][lamp]
                sights[2 * at + lamp, 2 * at : 2 * at + 2] = lights[deed][lamp]
        paid = np.array([-1.0, -0.5])[deed] + np.zeros(6)
        paid[2:4] += 10 * moves[2:4, 0::2].sum(axis=1) * lights[deed][0][0]
        assert read.transitions[deed].toarray() == pytest.approx(moves)
        assert read.observing[deed].toarray() == pytest.approx(sights)
        assert read.rewards[deed] == pytest.approx(paid)
    assert read.start == pytest.approx([0.375, 0.125, 0.25, 0.25, 0.0, 0.0])
    assert read.states[1] == "at_0=s0 lamp_0=off"
    assert read.observations[-1] == "at_1=s2 sight=dark"


def test_it_is_a_game_and_is_solved(tmp_path, capsys):
    path = tmp_path / "doors.pomdpx"
    path.write_text(TIGER)
    assert main(["svarog", "solve", str(path), "--seconds", "3600", "--json"]) == 0
    assert '"action": "listen"' in capsys.readouterr().out
    assert main(["explain", str(path), "--then", "listen: left"]) == 0
    table = game(str(path), steps=3).deal(1)
    table.play(0)
    assert sorted(np.array(table.state.belief).round(2)) == [0.15, 0.85]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.85 0.15 0.15 0.85", "0.85 0.15 0.15", r"line 20, column 41: expected 4 numbers, found 3"),
        ("0.85 0.15 0.15 0.85", "0.85 0.15 0.15 x", r"line 20, column 41: expected 4 numbers; 'x' is none"),
        ("0.85 0.15 0.15 0.85", "0.85 0.25 0.15 0.85", r"growl given deed listen, tiger_1 left sum to 1.1, not to 1"),
        ("0.5 0.5", "-0.5 1.5", r"the probabilities of growl must be from 0 to 1"),
        ("<Parent>deed tiger_1</Parent>", "<Parent>deed tiger</Parent>", r"'tiger' cannot stand here .*tiger_1"),
        ("open-left -", "open-lfet -", r"deed has no value 'open-lfet' \(did you mean open-left\?\)"),
        ("<Instance>listen *</Instance>", "<Instance>listen</Instance>", r"a value, \* or - for each of deed, t"),
        ("<ValueTable>10<", "<ValueTable>1e999<", r"the numbers must be finite"),
        ("<Var>growl</Var>", "<Var>tiger_1</Var>", r"'tiger_1' cannot stand here"),
        ("<Discount>0.95</Discount>", "", r"expected one <Discount> in <pomdpx>, found 0"),
        ("<Discount>0.95<", "<Discount>2<", r"the discount must be a number from 0 to 1, not '2'"),
        ('vnameCurr="tiger_1"', "", r"<StateVar> needs the attribute vnameCurr"),
        ('vname="growl"', 'vname="deed"', r"the variable 'deed' is declared twice"),
        ("</pomdpx>", "", r"no XML: "),
        ('type="TBL"', 'type="CONT"', r"functions of type TBL and DD are read, not 'CONT'"),
        ('<pomdpx version="1.0" id="doors">', '<!DOCTYPE x [<!ENTITY a "b">]><pomdpx>', r"a document type"),
        ("<ValueEnum>left right</ValueEnum></State", "<NumValues>9999999</NumValues></State", r"number of values"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(old, new, message):
    assert old in TIGER
    with pytest.raises(TextFault, match=message) as error:
        parse_pomdp(TIGER.replace(old, new), "doors.pomdpx")
    assert str(error.value).startswith("doors.pomdpx, line ")
    assert "\n" not in str(error.value)


def test_what_is_seen_is_seen_before_the_first_action(tmp_path):
    """The walker knows where it stands: the plan is worth the mean of what it is worth from there and from there."""
    model = parse_pomdp(WALKER)
    (first, here), (second, there) = model.beginnings()
    assert (first, second) == (0.5, 0.5)
    assert (here.tolist(), there.tolist()) == ([0.75, 0.25, 0, 0, 0, 0], [0, 0, 0.5, 0.5, 0, 0])
    found = solve(model, precision=0.01, seconds=AN_HOUR, walks=400)
    apart = [solve(model.begun(belief), precision=0.01, seconds=AN_HOUR, walks=400) for belief in (here, there)]
    assert found.lower <= (apart[0].upper + apart[1].upper) / 2
    assert found.upper >= (apart[0].lower + apart[1].lower) / 2
    assert found.upper - found.lower < 0.1
    blind = solve(replace(model, seen_first=None), precision=0.01, seconds=AN_HOUR, walks=400)
    assert blind.upper < found.lower - 0.1  # to look first would have been worth something
    earned = follow_plan(found, 2000, seed=1)
    assert abs(earned.mean - found.lower) < 2.5 * earned.error + earned.rest

    file = tmp_path / "walker.pomdpx"
    file.write_text(WALKER)
    of, places = game(str(file)), set()
    for seed in range(8):
        belief = of.deal(seed).view().record.belief
        places.add(tuple(np.flatnonzero(belief).tolist()))
        assert np.asarray(belief).tolist() in (here.tolist(), there.tolist())
    assert places == {(0, 1), (2, 3)}

    for tried in (model, parse_factored(WALKER.encode(), "walker")):
        simulator, rng = simulator_of(tried), np.random.default_rng(1)
        truth = np.zeros(simulator.slots, dtype=np.int64)  # at the first place, with the lamp on
        crowd = particles_like(tried, simulator, truth, 2000, rng)
        lamp = crowd[:, 1] % 2 if tried is model else crowd[:, 2]
        place = crowd[:, 1] // 2 if tried is model else crowd[:, 1]
        assert (place == 0).all()
        assert lamp.mean() == pytest.approx(0.25, abs=0.05)


def best_value(model, belief, steps):
    """What a belief is worth, by a plain recursion."""
    if not steps:
        return 0.0
    values = []
    for action in range(len(model.actions)):
        value = model.rewards[action] @ belief
        for sight in (belief @ model.transitions[action] * model.observing[action].toarray().T).reshape(-1, 6):
            value += model.discount * (
                sight.sum() and sight.sum() * best_value(model, sight / sight.sum(), steps - 1)
            )
        values.append(value)
    return max(values)


def test_a_plan_begins_with_what_is_seen(tmp_path, capsys):
    model, file = parse_pomdp(WALKER), tmp_path / "walker.pomdpx"
    file.write_text(WALKER)
    told = {}
    for start in ([], ["--start", "s0"], ["--start", "at_0=s1"], ["--belief", "at_0=s1 lamp_0=on: 1"]):
        assert main(["explain", str(file), "--agent", "planner:depth=2", "--json", *start]) == 0
        told[" ".join(start)] = json.loads(capsys.readouterr().out)
    here, there, certain = (
        best_value(model, np.array(belief), 2)
        for belief in ([0.75, 0.25, 0, 0, 0, 0], [0, 0, 0.5, 0.5, 0, 0], [0, 0, 1.0, 0, 0, 0])
    )
    assert [each["value"] for each in told.values()] == pytest.approx([here, here, there, certain])
    assert [each["seen_first"] for each in told.values()] == ["s0", "s0", "s1", "s1"]
    assert told["--start s0"]["text"] != told["--start at_0=s1"]["text"]
    assert main(["explain", str(file)]) == 0
    assert "seen before the first action: s0; --start takes any of: s0, s1" in capsys.readouterr().out
    for wrong, said in (
        (["--start", "s2"], "never begins with 's2' visible; it begins with s0, s1"),
        (["--belief", "at_0=s0 lamp_0=on: 0.5", "--belief", "at_0=s1 lamp_0=on: 0.5"], "states that look alike"),
        (["--start", "s0", "--belief", "at_0=s1 lamp_0=on: 1"], "--start says that s0 is visible"),
    ):
        assert main(["explain", str(file), *wrong]) == 2
        assert said in capsys.readouterr().err
    assert main(["svarog", "solve", str(file), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["first_actions"]
    assert first == {
        model.first_sight(belief): model.actions[solve(model.begun(belief)).action(belief)]
        for _, belief in model.beginnings()
    }
    screen = game(str(file)).deal(1).view().screen()
    assert "seen: s" in screen


def test_a_diagram_that_holds_itself_is_refused():
    circle = WALKER.replace(
        '<SubDAG type="deterministic" var="lamp_1" val="off"/>', '<SubDAG type="template" idref="fades"/>'
    )
    with pytest.raises(UserError, match="the template 'fades' holds itself"):
        parse_pomdp(circle)
    with pytest.raises(UserError, match="depends on itself"):
        parse_pomdp(WALKER.replace("<Parent>deed at_0</Parent>", "<Parent>deed at_0 lamp_1</Parent>"))


def test_broken_files_never_give_a_traceback():
    rng = random.Random(5)
    pieces = ["<", "</Entry>", "-", "*", "0", "1e999", "nan", "s1", "deed", "<DAG>", "null", "&amp;", "é", "\0", ""]
    said = []
    for trial in range(300):
        text = (TIGER, WALKER)[trial % 2]
        for _ in range(rng.randint(1, 3)):
            low = rng.randrange(len(text))
            text = text[:low] + rng.choice(pieces) + text[low + rng.randint(0, 12) :]
        try:
            parse_pomdp(text)
        except UserError as error:
            said.append(str(error))
    assert len(said) > 150
    assert not any("\n" in line for line in said)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(UserError, match=r"cannot read .*nothing\.pomdpx"):
        read_pomdp(tmp_path / "nothing.pomdpx")
