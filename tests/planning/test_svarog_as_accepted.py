"""Files that the original program accepts though they are untidy: they are read, and mean the same as tidy ones."""

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import read_file, read_text, syntax, to_text
from hiddenhand.planning.language.checking import check
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.planners.knowledge_files import from_tree, read

TIDY = """
values { value dark, bright; value left, right; value push, wait; }
variables {
  input variable lamp:{dark, bright};
  input variable bell:{dark, bright};
  hidden variable wire:{left, right};
  output variable deed:{push, wait};
}
knowledge {
  function lit(variable x, value side) { if (initial value x == side) { return bright; } return dark; }
  payoff "light":1.0 { requires initial value lamp == bright; }
  action {deed=>push}:{
    case "by the wire" {
      probability "as it lies":1.0 {
        requires terminal value lamp == lit(wire, left); requires terminal value bell == dark;
        requires terminal value wire == initial value wire;
      }
    }
  }
  action {deed=>wait}:{
    case "" { probability "":1.0 { requires terminal value lamp == dark; requires terminal value bell == dark;
                                   requires terminal value wire == initial value wire; } }
  }
  precalculated (2,2) {
    on visible state ({lamp=>dark, bell=>dark}) { amount_of_possible_states = 2.0; max_amount_of_beliefs = 3.0;
      on belief ({ case {wire=>left}:1.0; }) { action {deed=>push} : 2.0; }
    }
  }
}
"""

UNTIDY = [
    # what stands there, what the original accepts in its place
    ("input variable lamp:{dark, bright};\n  input variable bell", "input variable lamp:{dark, bright}, bell"),
    ("{lamp=>dark, bell=>dark}", "{lamp=>dark, bell=>dark,}"),
    ("action {deed=>push}", "action {deed=>push,}"),
    ("lit(wire, left)", "lit(wire, left,)"),
    ("(variable x, value side)", "(variable x value side,)"),
    (
        'action {deed=>push}:{\n    case "by the wire" {',
        'action {deed=>push}:{ ;; old "words" 1.5 case "by the wire" {',
    ),
    ("      }\n    }\n  }\n  action", "      }\n    };\n  }\n  action"),
    ("amount_of_possible_states = 2.0; max_amount_of_beliefs = 3.0;", "max_amount_of_beliefs = 3.0;"),
    ("amount_of_possible_states = 2.0; max_amount_of_beliefs = 3.0;", ""),
    ("\n  precalculated", "\n  # \xb9 \xe6 \xea\n  precalculated"),
    ("\n  precalculated", "\n  \xb9 precalculated"),
]


@pytest.mark.parametrize(("tidy", "untidy"), UNTIDY)
def test_untidy_files_mean_the_same(tidy, untidy, tmp_path):
    assert TIDY.count(tidy) >= 1
    path = tmp_path / "lamp.svarog"
    path.write_bytes(TIDY.replace(tidy, untidy, 1).encode("latin-1"))
    found, meant = read_file(path), read_text(TIDY)
    assert (found.values, found.variables, found.actions) == (meant.values, meant.variables, meant.actions)
    assert found.functions == meant.functions
    world = build_world(found)
    (section,) = (from_tree(world, section) for section in found.precalculated)
    assert section == from_tree(world, meant.precalculated[0])
    assert not [finding for finding in check(found) if finding.severity == "error"]
    assert read_text(to_text(found)) == found


def test_what_is_passed_over_is_reported():
    found = read_text(TIDY.replace("action {deed=>push}:{", "action {deed=>push}:{ ; old"))
    said = [finding.message for finding in check(found) if finding.kind == "skipped"]
    assert said == [
        "the character ';' means nothing here and is passed over",
        "'old' means nothing here and is passed over",
    ]


def test_strings_with_quotes_and_line_breaks():
    text = TIDY.replace('"by the wire"', r'"by \"the\" wire \\ \n"').replace('"light"', '"light\n   at last"')
    found = read_text(text)
    assert found.actions[0].cases[0].name == r'by "the" wire \ \n'
    assert found.payoffs[0].name == "light at last"  # a name for people: on one line
    assert read_text(to_text(found)) == found
    assert r'case "by \"the\" wire \\ \\n" {' in to_text(found)


def test_a_string_over_two_lines_is_compared_as_it_stands():
    both = TIDY.replace("return bright;", 'return "a\nb";').replace(
        "lit(wire, left);", 'dark and lit(wire, left) == "{}";'
    )
    world = build_world(read_text(both.replace("{}", "a\nb")))
    other = build_world(read_text(both.replace("{}", "a b")))
    assert world.sums()[0].tolist() == [1.0, 0.0] * 4  # the wire on the left
    assert other.sums()[0].tolist() == [0.0] * 8
    assert read_text(to_text(world.specification)) == world.specification


def test_an_expression_alone_has_no_effect():
    found = read_text(TIDY.replace("return dark;", "bright; lit(x, side); return dark;"))
    assert isinstance(found.functions["lit"].body[1], syntax.Evaluated)
    assert read_text(to_text(found)) == found
    transitions = [rows.toarray().tolist() for rows in build_world(found).transitions]
    assert transitions == [rows.toarray().tolist() for rows in build_world(read_text(TIDY)).transitions]
    assert [f.message for f in check(found) if f.kind == "no effect"] == 2 * [
        "an expression alone has no effect; return it?"
    ]
    with pytest.raises(UserError, match='unknown value "brigth"'):
        read_text(TIDY.replace("return dark;", "brigth; return dark;"))


def test_an_old_file_is_mended_as_its_message_says(tmp_path):
    from hiddenhand.cli import main

    old = tmp_path / "old.svarog"
    old.write_text(TIDY.replace("action {deed=>push} : 2.0;", "action {deed=>push};"))
    with pytest.raises(UserError) as caught:
        read_file(old)
    command = str(caught.value).rpartition("hiddenhand ")[2].replace("NEW.svarog", str(tmp_path / "new.svarog"))
    assert main(command.split()) == 0
    world = read_world(tmp_path / "new.svarog")
    (knowledge,) = read(tmp_path / "new.svarog", world)
    assert (knowledge.depth, knowledge.granularity) == (2, 2)
    assert len(knowledge.blocks) == 4


def test_a_frame_without_actions_stores_nothing():
    frame = TIDY.replace("{ action {deed=>push} : 2.0; }", "{ }")
    world = build_world(read_text(frame))
    assert world.specification.precalculated[0].states[0].beliefs == ()
    assert from_tree(world, world.specification.precalculated[0]).blocks == {}
