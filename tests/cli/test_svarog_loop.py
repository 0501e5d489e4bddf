"""The loop with a person: choices by number and by their beginning, other deeds, reasons, and contradictions."""

import json

import pytest

from hiddenhand.cli import main

LAMP = """
values { value dark, bright; value left, right; value push, pull, wait; }
variables { input variable lamp:{dark, bright}, bell:{dark, bright}; hidden variable wire:{left, right};
            output variable deed:{push, pull, wait}; }
knowledge {
  function lit(value side) { if (initial value wire == side) { return bright; } return dark; }
  impossible "both" { requires initial value lamp == bright; requires initial value bell == bright; }
  payoff "light":1.0 { requires initial value lamp == bright; }
  action {deed=>push}:{ case "the lamp" { probability "by the wire":1.0 {
    requires terminal value lamp == lit(left); requires terminal value bell == dark;
    requires terminal value wire == initial value wire; } } }
  action {deed=>pull}:{ case "the bell" { probability "by the wire":1.0 {
    requires terminal value lamp == dark; requires terminal value bell == lit(right);
    requires terminal value wire == initial value wire; } } }
  action {deed=>wait}:{
    case "no light, no waiting" { requires initial value lamp == dark; illegal; }
    case "" { probability "nothing happens":1.0 { requires terminal value lamp == dark;
      requires terminal value bell == dark; requires terminal value wire == initial value wire; } } }
}
loop(3);
"""


@pytest.fixture
def typed(monkeypatch, capsys, tmp_path):
    """Runs the loop with these lines: what was printed, what was complained, and the steps as data."""
    file = tmp_path / "lamp.svarog"
    file.write_text(LAMP)

    def type_lines(*lines, status=0):
        for more in ([], ["--json"]):
            left = list(lines)

            def read(prompt="", left=left):
                print(prompt, end="")
                if not left:
                    raise EOFError
                return left.pop(0)

            monkeypatch.setattr("builtins.input", read)
            assert main(["svarog", "run", str(file), *more]) == status
            out, error = capsys.readouterr()
            if not more:
                text, complaints = out, error
        return text, complaints, json.loads(out)["commands"][0]["steps"]

    return type_lines


def test_numbers_and_beginnings(typed):
    """The wire is left or right: pushing shows which. Both can be chosen by their numbers."""
    out, _, steps = typed("d dark", "1", "DARK br", status=2)
    assert "to be seen then:\n  1   50.0%  lamp=>dark\n  2   50.0%  lamp=>bright\n" in out
    assert steps[0]["input"] == ["dark", "dark"]
    assert steps[1]["belief"] == [{"state": "{wire=>right}", "probability": 1.0}]
    assert "the observation {lamp=>dark, bell=>bright} is impossible after" in steps[2]["refused"]
    _, error, _ = typed("dark dark", "7", status=2)
    assert error == "error: there is no choice 7; there are 2; the belief is kept\n"
    assert "lamp has no value 'x'" in typed("x dark", status=2)[1]


def test_something_else_was_done(typed):
    out, _, steps = typed("dark dark", "did pul", "2")
    assert "done: {deed=>pull}\nto be seen then:\n  1   50.0%  bell=>dark\n  2   50.0%  bell=>bright\n" in out
    assert steps[1] == {"did": "{deed=>pull}"}
    assert steps[2]["belief"] == [{"state": "{wire=>right}", "probability": 1.0}]
    _, error, _ = typed("dark dark", "did p", "did wait", "did", "did 2", status=2)
    first, second, third = error.splitlines()
    assert "the action 'p' could be push, pull" in first
    assert "wait is illegal here (no light, no waiting); legal: push, pull" in second
    assert "there is no legal action" in third


def test_why_undo_and_reset(typed):
    out, _, steps = typed("dark dark", "why", "why not pull", "1", "undo", "2", "reset", "bright dark", "quit", "1")
    assert "push is worth" in out
    assert any("Why not pull?" in reason for reason in steps[2]["why"])
    assert steps[3]["belief"] == [{"state": "{wire=>right}", "probability": 1.0}]
    assert steps[4] == {"undone": True}
    assert steps[5]["belief"] == [{"state": "{wire=>left}", "probability": 1.0}]
    assert steps[6] == {"reset": True}
    assert steps[7]["belief"][0]["probability"] == 0.5
    assert len(steps) == 8
    _, error, _ = typed("undo", "why", "did push", "accept", status=2)
    assert error.count("say first what is visible: lamp bell\n") == 3
    assert "there is nothing to accept" in error
    assert "did ACTION" in typed("help", "dark dark", "choices")[0]


def test_a_contradiction_is_explained_and_survived(typed):
    """The wire was on the right by the first answer and is on the left by the second."""
    out, error, steps = typed("dark dark", "dark dark", "did push", "bright dark", "accept")
    assert error.count("\n") == 1
    assert "the observation {lamp=>bright, bell=>dark} is impossible after {deed=>push}" in error
    assert 'After {deed=>push} lamp can only be dark, by case "the lamp", "by the wire" (line 9).\n' in out
    assert "which was ruled out: {wire=>left}.\n" in out
    assert steps[3]["nearest"] == [{"state": "{wire=>left}", "probability": 1.0}]
    assert steps[4]["belief"] == steps[3]["nearest"]
    assert steps[4]["accepted"]


def test_a_contradiction_that_no_state_explains(typed):
    """Pulling never lights the lamp: what was expected of the wire stays."""
    out, _, steps = typed("dark dark", "did pull", "bright dark", "accept")
    assert 'After {deed=>pull} lamp can only be dark, by case "the bell"' in out
    assert "It could be seen after {deed=>push}: was that done?\n" in out
    assert "what was expected of the hidden variables, as far as it fits" in out
    assert [case["probability"] for case in steps[2]["nearest"]] == [0.5, 0.5]


def test_what_can_never_be_seen(typed):
    out, error, steps = typed("dark dark", "bright bright", "accept", status=2)
    assert 'Impossible "both" (line 7) rules it out.\n' in out
    assert "nearest" not in steps[1]
    assert "there is nothing to accept" in error
    _, error, _ = typed("bright bright", status=2)
    assert 'is impossible in lamp; Impossible "both" (line 7) rules it out.' in error
