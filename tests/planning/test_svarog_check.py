"""`check`: deliberately bad worlds, each mistake found at its line and nothing else."""

import pytest

from hiddenhand.planning.language import read_file, read_text
from hiddenhand.planning.language.checking import check
from hiddenhand.planning.worlds import worlds

pytestmark = pytest.mark.fast

GOOD = """values { value dark, bright; value dead, sound; value press, wait; }
variables {
  input variable lamp:{dark, bright};
  hidden variable bulb:{dead, sound};
  output variable deed:{press, wait};
}
knowledge {
  function other(value light) {
    if (light == dark) { return bright; }
    return dark;
  }
  impossible "a dead bulb shines" { requires initial value lamp == bright; requires initial value bulb == dead; }
  payoff "light":1.0 { requires initial value lamp == bright; }
  action {deed=>press}:{
    case "dead" {
      requires initial value bulb == dead;
      probability "nothing":1.0 { requires terminal value lamp == dark; requires terminal value bulb == dead; }
    }
    case "sound" {
      probability "it works":0.9 {
        requires terminal value lamp == other(initial value lamp); requires terminal value bulb == sound;
      }
      probability "it burns out":0.1 { requires terminal value lamp == dark; requires terminal value bulb == dead; }
    }
  }
  action {deed=>wait}:{
    case "anyway" {
      probability "all stays":1.0 {
        requires terminal value lamp == initial value lamp; requires terminal value bulb == initial value bulb;
      }
    }
  }
}
"""


@pytest.mark.parametrize("name", sorted(worlds()))
def test_our_own_worlds_are_clean(name):
    assert check(read_file(worlds()[name])) == []


def test_a_good_world_is_clean():
    assert check(read_text(GOOD)) == []


MISTAKES = [
    # what stands there, what to write instead with a mark where the finding should be, severity, message
    ('case "sound" {\n      probability "it works":0.9', '¦case "sound" {\n      probability "it works":1.0', "error",
     'the probabilities of case "sound" of action {deed=>press} sum to 1.1, not to 1, in 2 states, for example in '
     "{lamp=>dark, bulb=>sound}"),
    ('case "sound" {', '¦case "sound" { probability "odd":0.2 { requires terminal value lamp == bright; requires'
     " terminal value bulb == dead; }", "error", "0.2 of the probability of action {deed=>press} goes to impossible"),
    ('case "dead" {', 'case "all" { requires not initial value bulb == dead; probability "":1.0 { requires terminal'
     ' value lamp == dark; requires terminal value bulb == dead; } }\n    case "dead" {', "warning",
     'the case "sound" never decides: "all" (line 15), "dead" (line 16) always come first'),
    ('case "sound" {', '¦case "odd" { requires initial value lamp == dark; requires initial value lamp == bright; }\n'
     'case "sound" {', "warning", 'the case "odd" never decides: no possible state fulfils its conditions'),
    ('case "dead" {', 'case "no" { requires initial value lamp == bright; illegal; }\n¦case "odd" { requires initial'
     ' value lamp == bright; }\ncase "dead" {', "warning",
     'the case "odd" never decides: wherever its conditions hold the action is illegal'),
    ('case "dead" {', '¦case "no" { requires initial value lamp == dead; illegal; }\ncase "dead" {', "warning",
     'the illegal case "no" never applies: no possible visible state fulfils its conditions'),
    ("action {deed=>wait}:{", '¦action {deed=>wait}:{ case "tired" { illegal; }', "warning",
     "action {deed=>wait} is never legal"),
    ('probability "it burns out":0.1 {', '¦probability "twice":0.5 { requires terminal value lamp == other(initial'
     ' value lamp); requires terminal value bulb == sound; }\nprobability "it burns out":0.1 {', "warning",
     'the probability "twice" never applies: earlier ones of its case always come first'),
    ('probability "it burns out":0.1 {', '¦probability "odd":0.5 { requires terminal value lamp == dead; }\n'
     'probability "it burns out":0.1 {', "warning",
     'the probability "odd" never applies: its conditions contradict each other'),
    ('payoff "light"', '¦payoff "odd":5.0 { requires initial value lamp == dead; }\npayoff "light"', "warning",
     'the payoff "odd" never applies: no possible visible state fulfils its conditions'),
    ('payoff "light"', '¦payoff "odd":5.0 { requires initial value lamp == bright; }\npayoff "light"', "warning",
     'the payoff "odd" never applies: later payoffs always take its place'),
    ('payoff "light"', '¦impossible "odd" { requires initial value bulb == bright; }\npayoff "light"', "warning",
     'impossible "odd" rules nothing out: no state fulfils its conditions'),
    ("value press, wait;", "value press, wait, ¦sing;", "warning", 'the value "sing" is never used'),
    ("function other", "function ¦spare() { return dark; }\nfunction other", "warning",
     'the function "spare" is never called'),
    ("return dark;\n", "if (light == bright) { return dark; }\n", "warning",
     'the function "other" may end without a return'),
    ("value press, wait;", "value press, ¦% wait;", "warning",
     "the character '%' means nothing here and is passed over"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "severity", "message"), MISTAKES)
def test_one_mistake_gives_one_finding(old, new, severity, message):
    assert GOOD.count(old) == 1
    before, mark, after = GOOD.replace(old, new).partition("¦")
    findings = check(read_text(before + after, "bad.svarog"))
    assert [f.severity for f in findings if message in f.message] == [severity]
    finding = next(f for f in findings if message in f.message)
    if mark:
        assert finding.place.line == before.count("\n") + 1
        assert finding.place.column == len(before) - before.rfind("\n")
    assert str(finding).startswith(f"bad.svarog:{finding.place.line}:{finding.place.column}: {severity}: ")
    others = [f for f in findings if f is not finding]
    # mass that goes astray also spoils the sum of its row; a case that takes all leaves its followers without work
    assert {f.kind for f in others} <= {"row"}


def test_states_without_any_case_are_found():
    bad = GOOD.replace('case "anyway" {', 'case "by day" { requires initial value lamp == bright;')
    (finding,) = check(read_text(bad))
    assert finding.severity == "error"
    assert finding.message == (
        "no case of action {deed=>wait} applies in 2 states, for example in {lamp=>dark, bulb=>dead}"
    )
    assert bad.split("\n")[finding.place.line - 1].strip() == "action {deed=>wait}:{"


def test_actions_without_any_block_are_found():
    (finding,) = check(read_text(GOOD.replace("{press, wait};", "{press, wait, dark};")))
    assert finding.severity == "error"
    assert finding.message == "no action block says what {deed=>dark} does"
    assert finding.place.line == 5


def test_states_in_which_nothing_is_legal_are_found():
    illegal = 'case "no" { requires initial value lamp == bright; illegal; }\n'
    bad = GOOD.replace('case "dead" {', illegal + 'case "dead" {').replace('case "anyway"', illegal + 'case "anyway"')
    (finding,) = check(read_text(bad))
    assert finding.severity == "warning"
    assert finding.message == "no action is legal in 1 visible state, for example in {lamp=>bright}: it ends there"


def test_cases_that_look_ahead_are_not_called_unreachable():
    ahead = GOOD.replace(
        'case "anyway" {\n      probability "all stays":1.0 {',
        'case "on" { requires terminal value lamp == initial value lamp; probability "all stays":1.0 {',
    )
    assert check(read_text(ahead)) == []
    shadowed = ahead.replace(
        'case "on" {', 'case "first" { requires terminal value lamp == initial value lamp; }\n case "on" {'
    )
    kinds = {(f.kind, f.message.split(":")[0]) for f in check(read_text(shadowed))}
    assert ("unreachable", 'the case "on" never decides') in kinds


def test_stored_beliefs_that_do_not_sum_to_one_are_found():
    stored = """precalculated (2,2) { on visible state ({lamp=>dark}) { amount_of_possible_states = 2.0;
    max_amount_of_beliefs = 3.0;
    on belief ({ case {bulb=>dead}:0.333333; case {bulb=>sound}:0.666667; }) { action {deed=>wait} : 0.0; }
    on belief ({ case {bulb=>dead}:0.3; case {bulb=>sound}:0.3; }) { action {deed=>wait} : 0.0; }
    } } }
"""
    text = GOOD.rstrip().removesuffix("}") + stored
    (finding,) = check(read_text(text))
    assert finding.message == "the probabilities of this stored belief sum to 0.6, not to 1"
    assert text.split("\n")[finding.place.line - 1].lstrip().startswith("on belief ({ case {bulb=>dead}:0.3; ")
