"""The Svarog language: reading, printing, and mistakes reported where they are."""

import random
import re

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import read_file, read_text, syntax, to_text
from hiddenhand.planning.language.printing import number
from hiddenhand.planning.worlds import world_file, worlds
from svarog_mutations import mutated, tried

pytestmark = pytest.mark.fast

EVERYTHING = """#!svarog
values { value no, yes; value a, b, c; }
variables {
  input variable seen:{no, yes};
  input variable place:{a, b};   # a comment
  hidden variable truth:{no, yes};
  output variable deed:{a, b};
}
knowledge {
  function same(variable x, value y) {
    if (initial value x == y and not terminal value x == y or initial value x == "t") { if (y == y) { return yes; } }
    return no;
  }
  function nothing() { }
  impossible "never" { requires not (initial value seen == no or not initial value truth == no); }
  payoff "some":-1.5e-03 { requires initial value seen == yes; requires initial value place == a; }
  payoff "":100.0 { }
  action {deed=>a}:{
    case "not now" { requires initial value seen == yes; illegal; }
    case "half" {
      requires same(truth, initial value seen) == yes and (initial value seen == no and initial value truth == no);
      probability "this":0.25 { requires terminal value seen == yes; }
      probability "that":0.75 { requires nothing() == "x"; }
    }
  }
  action {deed=>b}:{ }
  precalculated (4,2) {
    on visible state ({seen=>no, place=>a}) {
      amount_of_possible_states = 12.0000; max_amount_of_beliefs = 4.29497e+09; too complex;
      on belief ({ case {truth=>no}:1.0; }) { action {deed=>a} :    198.967; }
      on belief ({ case {truth=>no}:0.5; # half
                   case {truth=>yes}:0.5; }) { action {deed=>b} : -100000.; }
    }
    on visible state ({seen=>no, place=>b}) { amount_of_possible_states = 0.0; max_amount_of_beliefs = 0.0; }
  }
}
loop(4);
test();
test({seen=>no, place=>a, truth=>no});
cout << knowledge << eol; cout << visible states << eol; cout << states << eol; cout << perkun << eol;
cout << estimate(3,2) << eol; cout << precalculate(3,4) << eol; cout << precalculate(3,4,{seen=>no, place=>a}) << eol;
input {seen=>no, place=>a};
belief { case {truth=>no, seen=>no, place=>a}:0.25; case {truth=>yes}:0.75; };
action {deed=>b};
solve(3);
cout << result << eol;
"""


def test_everything_is_read():
    s = read_text(EVERYTHING)
    assert [v.name for v in s.values] == ["no", "yes", "a", "b", "c"]
    assert [(v.kind, v.name) for v in s.variables] == [
        ("input", "seen"),
        ("input", "place"),
        ("hidden", "truth"),
        ("output", "deed"),
    ]
    assert [type(k).__name__ for k in s.knowledge] == (
        "Function Function Impossible Payoff Payoff Action Action Precalculated".split()
    )
    assert s.payoffs[0].amount == -0.0015
    illegal, half = s.actions[0].cases
    assert illegal.illegal
    assert not half.illegal
    assert [p.chance for p in half.probabilities] == [0.25, 0.75]
    stored = s.precalculated[0].states[0]
    assert stored.too_complex
    assert stored.max_amount_of_beliefs == 4.29497e9
    assert [b.value for b in stored.beliefs] == [198.967, -100000.0]
    assert [c.query.as_dict() for c in stored.beliefs[1].cases] == [{"truth": "no"}, {"truth": "yes"}]
    assert [type(c).__name__ for c in s.commands] == (
        "Loop TestCommand TestCommand Cout Cout Cout Cout Cout Cout Cout "
        "GivenInput GivenBelief GivenAction Solve Cout"
    ).split()
    assert s.commands[5].shown[0].what == "states"
    assert s.commands[9].shown[0].query.as_dict() == {"seen": "no", "place": "a"}


def test_not_binds_tightest_then_and_then_or():
    def condition(text):
        return read_text(EVERYTHING.replace("requires terminal value seen == yes;", f"requires {text};"))

    plain = "not terminal value seen == yes and a == b or b == c"
    bracketed = "((not (terminal value seen == yes)) and a == b) or b == c"
    other = "not (terminal value seen == yes and a == b or b == c)"
    assert condition(plain) == condition(bracketed)
    assert condition(plain) != condition(other)


def test_places():
    s = read_text(EVERYTHING)
    lines = EVERYTHING.split("\n")

    def stands(place, text):
        return lines[place.line - 1][place.column - 1 :].startswith(text)

    assert stands(s.payoffs[0].place, "payoff")
    assert stands(s.actions[0].cases[1].place, 'case "half"')
    assert stands(s.actions[0].cases[1].requires[0].place, "same(truth")
    first, second = s.precalculated[0].states[0].beliefs
    assert stands(first.place, "on belief")
    assert stands(first.action.place, "{deed=>a}")
    assert stands(first.cases[0].query.assignments[0].value_place, "no}:1.0")
    assert stands(second.cases[1].query.assignments[0].place, "truth=>yes}:0.5")


@pytest.mark.parametrize("text", [EVERYTHING, *(file.read_text() for file in worlds().values())])
def test_printing_round_trips(text):
    once = read_text(text)
    printed = to_text(once)
    assert read_text(printed) == once
    assert to_text(read_text(printed)) == printed


def test_numbers_are_printed_as_the_original_prints_them_or_exactly():
    assert [number(v) for v in (6.0, 0.05, 198.967, -100.0, 4.29497e9)] == (
        "6.00000 0.0500000 198.967 -100.000 4.29497e+09".split()
    )
    assert number(1 / 3, 6) == "0.333333"
    draw = random.Random(1)
    for _ in range(300):
        value = draw.choice([draw.uniform(-1, 1), draw.uniform(-1e9, 1e9), 10.0 ** draw.randint(-300, 300), 1e5, 1e6])
        assert float(number(value)) == value
        assert re.fullmatch(r"-?\d+\.\d+(e[+-]\d+)?", number(value))


MISTAKES = [
    # what stands there, the mistake with a mark where it should be found, the message
    ("hidden variable truth", "¦hiden variable truth", 'expected "hidden", "input", "output" or "}", not "hiden"'),
    ('"some":-1.5e-03', '"some":¦-1', 'expected a number with a decimal point (such as 1.0), not "-1"'),
    ("value a, b, c;", "value a, b, ¦class;", 'expected a name, not the reserved word "class"'),
    ("value a, b, c;", "value a, b, ¦a;", 'the value "a" is there already, on line 2'),
    ("place:{a, b};", "place:{a, ¦d};", 'unknown value "d"; there are: a, b, c, no, yes'),
    ("place:{a, b};", "place:{a, ¦a};", 'the value of place "a" is there already, on line 5'),
    ("variable place", "variable ¦seen", 'the variable "seen" is there already, on line 4'),
    ("  output variable deed:{a, b};\n", "", "there is no output variable; a world needs at least one"),
    ('payoff "":100.0 { }', 'payoff "":100.0 { requires initial value ¦truth == no; }',
     'payoff "" (line 17) may look only at input variables; "truth" is hidden'),
    ('payoff "":100.0 { }', 'payoff "":100.0 { requires same(seen, no) == no; }',
     '11:53: payoff "" (line 17) is about one state: only "initial value" makes sense there'),
    ("initial value seen == yes; illegal", "initial value ¦truth == yes; illegal",
     'illegal case "not now" (line 19) may look only at input variables; "truth" is hidden'),
    ("initial value seen == yes; illegal", "terminal value ¦seen == yes; illegal",
     'illegal case "not now" (line 19) is about one state: only "initial value" makes sense there'),
    ("action {deed=>a}:{", "action ¦{}:{", "the action must name every output variable; missing: deed"),
    ("action {deed=>a}:{", "action {¦seen=>no}:{", 'the action names output variables only; "seen" is input'),
    ("action {deed=>a}:{", "action {deed=>a, ¦deed=>b}:{", 'the action names the variable "deed" twice'),
    ("action {deed=>a}:{", "action {deed=>¦c}:{", 'the variable "deed" has no value "c"; it has: a, b'),
    ("same(truth, initial value seen)", "¦same(truth)", 'the function "same" takes 2 arguments, not 1'),
    ("same(truth, initial value seen)", "same(¦yes, no)", 'unknown variable "yes"'),
    ("same(truth, initial value seen)", "same(initial value ¦truth, no)", 'the parameter "x" takes the bare name of'),
    ("same(truth, initial value seen)", "¦sane(truth, no)",
     'unknown function "sane" (did you mean same?); there are: nothing, same'),
    ("same(truth, initial value seen)", "¦truth",
     '"truth" is a variable, here a value is expected; write "initial value truth" or "terminal value truth"'),
    ("return no;", "return initial value ¦y;", 'the parameter "y" is a value'),
    ("return no;", "return ¦maybe;", 'unknown value "maybe"'),
    ("function nothing() { }", "function ¦same() { }", 'the function "same" is there already, on line 10'),
    ("variable x, value y", "variable x, value ¦x", 'the parameter of same "x" is there already, on line 10'),
    ('"that":0.75', '"that":¦1.75', "a probability lies between 0.0 and 1.0, 1.75 does not"),
    ('"this":0.25', '¦"this:0.25', 'a string has no closing quote: "this:0.25 { requires terminal value'),
    ("precalculated (4,2)", "precalculated (4,¦1)", "the granularity must be a whole number of at least 2, not 1"),
    ("estimate(3,2)", "estimate(3,¦1)", "the granularity must be a whole number of at least 2, not 1"),
    ("loop(4)", "loop(¦-4)", "the depth of planning must be a whole number of at least 0, not -4"),
    ("loop(4)", "loop(¦four)", 'expected a whole number, not "four"'),
    ("action {deed=>a} :    198.967;", "action {deed=>a} : ¦;", "expected a number with a decimal point"),
    ("on belief ({ case {truth=>no}:1.0; }) { action {deed=>a} :    198.967;",
     "¦on belief ({ case {truth=>no}:1.0; }) { action {deed=>a};",
     "this stored action has no value, as Svarog wrote it before 0.0.9; to mend the file, reckon the values anew: "
     "hiddenhand svarog precalculate w.svarog --depth 4 --granularity 2 --output NEW.svarog"),
    ("amount_of_possible_states = 12.0000", "¦amount_of_states = 12.0000",
     "expected amount_of_possible_states or max_amount_of_beliefs, not amount_of_states"),
    ('case "half" {', '¦cse "half" {', 'expected "case" or "}", not "cse"'),
    ("case {truth=>no}:1.0;", "case {truth=>¦now}:1.0;", 'the variable "truth" has no value "now"'),
    ("case {truth=>no}:1.0;", "case {¦seen=>no}:1.0;", "a state of the belief names hidden variables only"),
    ("case {truth=>no}:1.0;", "case ¦{truth=>no}:1.5;", "a probability lies between 0.0 and 1.0, 1.5 does not"),
    ("on belief ({ case {truth=>no}:1.0;", "¦on belief ({ case {truth=>no}:0.0;", "the belief gives no state a"),
    ("on visible state ({seen=>no, place=>b})", "¦on visible state ({seen=>no, place=>a})",
     "this visible state is there already, on line 28"),
    ("test({seen=>no, place=>a, truth=>no})", "test(¦{seen=>no})",
     "the state to test must name every input and hidden variable; missing: place, truth"),
    ("cout << result << eol;", "cout << result << eol¦", 'expected ";" or "<<", not the end of the file'),
    ("cout << result << eol;", "cout << result << eol; ¦}", 'expected "action", "belief", "cout", "input", "loop",'),
    ("if (y == y)", "if (" + 60 * "not (" + "y == y" + 60 * ")" + ")", "this is nested more than 50 deep"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES)
def test_mistakes_are_reported_where_they_are(old, new, message):
    assert EVERYTHING.count(old) >= 1
    text = EVERYTHING.replace(old, new, 1)
    before, mark, after = text.partition("¦")
    with pytest.raises(UserError) as caught:
        read_text(before + after, "w.svarog")
    said = str(caught.value)
    assert "\n" not in said
    assert message in said
    place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    assert said.startswith(f"w.svarog:{place}: " if mark else "w.svarog:")


def test_files_that_are_no_text(tmp_path):
    with pytest.raises(UserError, match=r"nowhere\.svarog cannot be read: No such file"):
        read_file(tmp_path / "nowhere.svarog")
    (tmp_path / "bytes.svarog").write_bytes(b"values \xff\xfe\0")
    with pytest.raises(UserError, match=r"bytes\.svarog is not a text file: byte 7 is no UTF-8"):
        read_file(tmp_path / "bytes.svarog")
    with pytest.raises(UserError, match='<text>:1:1: expected "values", not the end of the file'):
        read_text("")


def test_unknown_characters_are_passed_over_and_remembered():
    damaged = read_text(EVERYTHING.replace("value no, yes;", "value no@, $ yes;"))
    assert damaged == read_text(EVERYTHING)
    assert [(c, place.line, place.column) for c, place in damaged.skipped] == [("@", 2, 18), ("$", 2, 21)]


def test_a_parameter_may_be_that_of_the_calling_function():
    inner = EVERYTHING.replace("return no;", "return inner();").replace("nothing() { }", "inner() { return y; }")
    read_text(inner.replace("nothing() ==", "same(seen, a) =="))
    with pytest.raises(UserError, match='unknown value "y"'):
        read_text(inner.replace("nothing() ==", "inner() =="))


# --- large files of precalculated knowledge ---


def with_stored_beliefs(sections):
    """The tiger with many stored beliefs in the original's layout."""
    tiger = read_file(world_file("tiger"))

    def query(**names):
        return syntax.Query(tuple(syntax.Assignment(*pair) for pair in names.items()))

    def belief(i):
        left = i / 2000
        cases = tuple(
            syntax.BeliefCase(query(tiger=side), p) for side, p in (("left", left), ("right", 1 - left)) if p > 0
        )
        return syntax.StoredBelief(cases, query(deed="listen"), float(i))

    beliefs = tuple(belief(i) for i in range(2001))
    visible = ["silence", "growl_left", "growl_right", "treasure", "mauled"]
    states = tuple(syntax.StoredState(query(noticed=name), 2.0, 2001.0, False, beliefs) for name in visible)
    stored = tuple(syntax.Precalculated(depth + 1, 2001, states) for depth in range(sections))
    return syntax.Specification(tiger.values, tiger.variables, tiger.knowledge + stored, tiger.commands)


@pytest.fixture(scope="module")
def large():
    return with_stored_beliefs(1)


def test_large_files_are_read_exactly(large):
    text = to_text(large)
    assert len(text) > 1_000_000
    assert read_text(text) == large


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda block: block.replace(";", "", 1), 'expected ";", not "case"'),
        (lambda block: block.replace("tiger=>right", "tiger=>middle"), 'the variable "tiger" has no value "middle"'),
        (lambda block: block.replace("{", "", 1), 'expected "{", not "case"'),
        (lambda block: block.replace("listen", "sleep"), 'the variable "deed" has no value "sleep"'),
        (lambda block: block.replace("listen } :", "listen }"), 'expected ":" or ";", not'),
        (lambda block: block.rstrip().removesuffix("}"), 'expected "}", not "on"'),
    ],
)
def test_a_broken_block_of_a_large_file_is_named_by_its_line(large, damage, message):
    text = to_text(large, 6)
    start = text.index("on belief", int(len(text) * 0.93))
    end = text.index("on belief", start + 1)
    broken = text[:start] + damage(text[start:end]) + text[end:]
    with pytest.raises(UserError) as caught:
        read_text(broken, "large.svarog")
    match = re.match(r"large\.svarog:(\d+):(\d+): ", str(caught.value))
    first = text.count("\n", 0, start) + 1
    assert first <= int(match[1]) <= first + 10
    assert message in str(caught.value)


# --- damage ---


def test_mutations_give_an_error_or_a_world():
    """Random damage to valid files: one clear line, or a file that still means something; never anything else."""
    texts = [EVERYTHING, *(worlds()[name].read_text() for name in ("tiger", "ferryman"))]
    found = []
    for seed in range(120):
        draw = random.Random(seed)
        found.append(tried(mutated(draw.choice(texts), draw)))
    assert set(found) == {"run", "refused"}
