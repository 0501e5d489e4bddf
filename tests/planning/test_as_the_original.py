"""With `--compat svarog` things are printed as the original program prints them.

The expected texts follow from that program's source; the count of its false alarms was seen when it was run.
"""

from pathlib import Path

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import read_text
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.play import original_listing
from hiddenhand.planning.play.commands import SpecificationRun

DOOR = """
values { value shut, open; value safe, trap; value push, look; }
variables { input variable door:{shut, open}; hidden variable behind:{safe, trap};
            output variable deed:{push, look}; }
knowledge {
  impossible "an open door tells" { requires initial value door == open; requires initial value behind == trap; }
  payoff "in":10.0 { requires initial value door == open and not (initial value door == shut or shut == open); }
  function stays(variable x) { if (initial value x == terminal value x) { return open; } return shut; }
  action {deed=>push}:{
    case "it opens" { requires initial value behind == safe;
      probability "at once":0.75 { requires terminal value door == open; requires terminal value behind == safe; }
      probability "not yet":0.25 { requires stays(door) == open; requires stays(behind) == open; } }
    case "never" { probability "shut":1.0 { requires stays(door) == open; requires stays(behind) == open; } }
    case "done" { requires initial value door == open; illegal; }
  }
  action {deed=>look}:{
    case "" { probability "":1.0 { requires stays(door) == open; requires stays(behind) == open; } } }
}
"""


class Script:
    """Somebody who types these lines."""

    def __init__(self, *lines):
        self.lines = list(lines)
        self.said = ""
        self.refused = []

    def ask(self, prompt):
        return self.lines.pop(0) if self.lines else None

    def say(self, text):
        self.said += text

    def refuse(self, message):
        self.refused.append(message)

    def forgive(self):
        self.refused.pop()


def printed(commands, *lines, compat="svarog"):
    script = Script(*lines)
    SpecificationRun(build_world(read_text(DOOR + commands)), script, compat).commands()
    return script.said


def test_states():
    assert printed("cout << visible states << eol;") == "{door=>shut }\n{door=>open }\n"
    hidden = "{behind=>safe }\n{behind=>trap }\n"
    assert printed("cout << states << eol;") == (
        f"VISIBLE STATE {{door=>shut }}\n{hidden}VISIBLE STATE {{door=>open }}\n{hidden}"
    )


def test_perkun_prints_the_model_of_all_states():
    """Impossible states too, and steps that are illegal: an open door can be pushed in the original's model."""
    out = printed("cout << perkun << eol;")
    lines = out.splitlines()
    assert (lines[0], lines[1], lines[-1]) == ("model", "{", "}")
    assert len(lines) == 3 + 4 * 2 * 4
    assert lines[2] == "set({door=>shut ,behind=>safe },{deed=>push },{door=>shut ,behind=>safe },0.250000);"
    assert lines[4] == "set({door=>shut ,behind=>safe },{deed=>push },{door=>open ,behind=>safe },0.750000);"
    assert "set({door=>open ,behind=>trap },{deed=>push },{door=>open ,behind=>trap },1.00000);" in lines
    assert "set({door=>open ,behind=>safe },{deed=>push },{door=>open ,behind=>safe },0.750000);" in lines
    assert sum(line.endswith(",0.00000);") for line in lines) == 32 - 9


def test_test_has_the_false_alarms_of_the_original():
    """Only what stays in the visible state is counted there, and nothing from an impossible state."""
    assert printed("test();") == (
        "0.250000 probability for {behind=>safe } and action {deed=>push }\n"
        "0.00000 probability for {behind=>trap } and action {deed=>look } the state is IMPOSSIBLE\n"
    )
    assert printed("test();", compat="document").startswith("the probabilities of all 5 rows")


def test_the_count_of_false_alarms_in_three_towns():
    world = read_world(Path(__file__).parents[1] / "support" / "three_towns.svarog")
    alarms = [line for line in original_listing.test(world) if "IMPOSSIBLE" not in line]
    assert len(alarms) == 306
    world.require_sound()  # though every row sums to one


def test_one_state_even_if_it_is_impossible():
    asked = "test({door=>open, behind=>trap});"
    found = "found visible state {door=>open }\n\nfound state {behind=>trap }\n\n"
    head = f"test query {{door=>open ,behind=>trap }}\n{found}"
    assert printed(asked) == head + "0.00000 probability for {behind=>trap } and action {deed=>look }\n"
    assert printed("test({door=>shut, behind=>safe});").splitlines()[5:] == [
        "0.250000 probability for {behind=>safe } and action {deed=>push }",
        "terminal state {behind=>safe } probability 0.250000",
    ]
    assert printed(asked, compat="document") == (
        "{door=>open, behind=>trap} is an impossible state\n"
        'It is ruled out by impossible "an open door tells" (line 6).\n'
    )


def test_knowledge_keeps_the_original_order_and_its_meaning():
    out = printed("cout << knowledge << eol;")
    assert out.startswith(
        'action {deed=>push }\n:{\ncase "it opens"{\nrequires initial value behind==safe;\n'
        'probability "" : 0.750000{\n'
    )
    assert "function stays(variable x){if (initial value x==terminal value x){return open;}return shut;}\n" in out
    assert (
        'payoff "in":10.0000 {\nrequires initial value door==open and not (initial value door==shut or shut==open);'
        in out
    )
    again = build_world(read_text(DOOR[: DOOR.index("knowledge {")] + "knowledge {" + out + "}"))
    before = build_world(read_text(DOOR))
    assert again.payoffs.tolist() == before.payoffs.tolist()
    assert [t.toarray().tolist() for t in again.transitions] == [t.toarray().tolist() for t in before.transitions]


def test_the_result_and_the_loop():
    one = (
        "input {door=>shut}; belief {case {behind=>safe}:1.0;}; action {deed=>push}; solve(1); cout << result << eol;"
    )
    assert printed(one) == "result    7.50000\n"
    assert printed("loop(1);", "shut too many words", "", "open") == (
        "loop with depth 1\nI expect the values of the variables: door \n"
        "{\ncase {behind=>safe }:0.500000;\ncase {behind=>trap }:0.500000;\n}\noptimal action:\n{deed=>push }\n"
        "{\ncase {behind=>safe }:1.00000;\n}\noptimal action:\n{deed=>look }\neof\n"
    )


def test_a_model_too_large_to_print_is_refused(monkeypatch):
    monkeypatch.setattr(original_listing, "MOST_LINES", 31)
    with pytest.raises(UserError, match="the model of all 4 states has 32 lines, at most 31 are printed"):
        printed("cout << perkun << eol;")
