"""`hiddenhand svarog`: every command prints text or one JSON document, and whatever is wrong is one line."""

import json
from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.planning.language import read_file, read_text, to_text
from hiddenhand.planning.language.pomdp_reading import read_pomdp
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.planners.knowledge_files import from_tree
from hiddenhand.planning.worlds import world_file
from plain_planner import PlainPlanner

EAR = """
values { value silence, noise; value left, right; value listen, wait; }
variables { input variable noticed:{silence, noise}; hidden variable tiger:{left, right}; output variable deed:{listen, wait}; }
knowledge {
  payoff "a noise":1.0 { requires initial value noticed == noise; }
  action {deed=>listen}:{
    case "on the left" { requires initial value tiger == left;
      probability "heard":1.0 { requires terminal value noticed == noise; requires terminal value tiger == left; } }
    case "on the right" {
      probability "not heard":0.6 { requires terminal value noticed == silence; requires terminal value tiger == right; }
      probability "heard":0.4 { requires terminal value noticed == noise; requires terminal value tiger == right; } } }
  action {deed=>wait}:{
    case "only in silence" { requires initial value noticed == noise; illegal; }
    case "" { probability "":1.0 { requires terminal value noticed == silence; requires terminal value tiger == initial value tiger; } } }
}
"""  # noqa: E501

HELPED = ("run", "check", "print", "export", "precalculate", "estimate", "merge", "solve")


@pytest.fixture
def viewer(tmp_path):
    """Writes the little world with these commands, and gives the name of the file."""

    def write(commands="", text=EAR):
        path = tmp_path / "viewer.svarog"
        path.write_text(text + commands)
        return str(path)

    return write


@pytest.fixture
def typed(monkeypatch):
    """Lets somebody type these lines, and then nothing more."""

    def type_lines(*lines):
        left = list(lines)

        def read(prompt=""):
            print(prompt, end="")
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr("builtins.input", read)

    return type_lines


def said(capsys, *arguments, status=0):
    assert main(["svarog", *arguments]) == status
    return capsys.readouterr()


def document(capsys, *arguments, status=0):
    out, _ = said(capsys, *arguments, "--json", status=status)
    return json.loads(out)


# --- check and print ---


def test_check_counts_the_world_of_dorban(capsys):
    found = document(capsys, "check", "dorban")
    counts = ("visible_states", "possible_visible_states", "possible_states", "actions", "legal_pairs")
    assert [found[name] for name in counts] == [360, 120, 825, 7, 330]
    assert (found["errors"], found["findings"]) == (0, [])
    out, _ = said(capsys, "check", "dorban")
    assert "825 possible states" in out
    assert "nothing to report" in out


def test_check_reports_a_row_that_sums_to_more_than_one(capsys, viewer):
    file = viewer(text=EAR.replace(":0.6", ":0.8"))
    out, _ = said(capsys, "check", file, status=1)
    assert f"{file}:9:5: error: the probabilities of case" in out
    assert "sum to 1.2, not to 1" in out
    found = document(capsys, "check", file, status=1)
    assert found["errors"] == 1
    assert found["findings"][0]["line"] == 9


def test_print_comes_back_as_the_same_tree(capsys):
    for name in ("dorban", "tiger", "ferryman"):
        out, _ = said(capsys, "print", name)
        assert read_text(out) == read_file(world_file(name))
    assert read_text(document(capsys, "print", "tiger")["text"]) == read_file(world_file("tiger"))


# --- run ---


def test_run_lists_and_tests(capsys, viewer):
    out, _ = said(capsys, "run", viewer("test(); cout << visible states << states << eol;"))
    assert out == (
        "the probabilities of all 6 rows (a state and a legal action) sum to 1\n"
        "{noticed=>silence}: 2 possible states\n{noticed=>noise}: 2 possible states\n"
        "{noticed=>silence, tiger=>left}\n{noticed=>silence, tiger=>right}\n"
        "{noticed=>noise, tiger=>left}\n{noticed=>noise, tiger=>right}\n\n"
    )
    out, _ = said(capsys, "run", viewer("cout << perkun;"))
    assert out.count("set(") == 8  # 2 x 1 + 2 x 2 for listening, 2 for waiting in silence
    step = "set({noticed=>silence, tiger=>right},{deed=>listen},{noticed=>noise, tiger=>right},0.400000);\n"
    assert step in out
    out, _ = said(capsys, "run", viewer("test({noticed=>noise, tiger=>right});"))
    assert "{deed=>listen}: the probabilities sum to 1\n    0.6  {noticed=>silence, tiger=>right}" in out
    assert "{deed=>wait}: illegal" in out


def test_run_prints_knowledge_that_reads_back(capsys, viewer):
    out, _ = said(capsys, "run", viewer("cout << knowledge;"))
    head = EAR[: EAR.index("knowledge {")]
    assert read_text(head + out).knowledge == read_text(EAR).knowledge


def test_test_names_the_wrong_rows(capsys, viewer):
    """What is an error for `check` is one for `run`, even if nothing is planned."""
    out, error = said(capsys, "run", viewer("test();", EAR.replace(":0.6", ":0.8")), status=2)
    assert "sum to 1.2, not to 1" in error
    assert out.count("{deed=>listen}: the probabilities sum to 1.2, not to 1") == 2
    assert out.endswith("2 of 6 rows do not sum to 1\n")
    said(capsys, "run", viewer(QUESTION + "solve(1);", EAR.replace(":0.6", ":0.8")), status=2)
    assert "status is 2 as well" in " ".join(said(capsys, "run", "--help")[0].split())


QUESTION = "input {noticed=>silence}; belief {case {tiger=>left}:0.25; case {tiger=>right}:0.75;}; "


def test_one_question(capsys, viewer):
    """One step of listening: a noise with 0.25 * 1 + 0.75 * 0.4."""
    out, _ = said(capsys, "run", viewer(QUESTION + "action {deed=>listen}; solve(1); cout << result << eol;"))
    assert out == "result   0.550000\n"
    # two steps: after a noise (0.25 : 0.30) only listening is legal, after silence it must be the right side
    expected = 0.55 + 0.55 * (0.25 + 0.30 * 0.4) / 0.55 + 0.45 * 0.4
    found = document(capsys, "run", viewer(QUESTION + "action {deed=>listen}; solve(2);"))
    assert found["commands"][-1]["result"] == pytest.approx(expected)
    found = document(capsys, "run", viewer(QUESTION + "solve(1);"))
    assert found["commands"][-1]["result"] == pytest.approx(0.55)


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ("cout << result;", "there is no result before a solve"),
        ("solve(2);", "solve needs an input {...}; before it"),
        ("belief {case {tiger=>left}:1.0;};", "belief needs an input {...}; before it"),
        (QUESTION.replace("0.75", "0.5"), "the probabilities of this belief sum to 0.75, not to 1"),
        (
            QUESTION.replace("silence", "noise") + "action {deed=>wait}; solve(2);",
            "the action {deed=>wait} is illegal in {noticed=>noise}; legal: {deed=>listen}",
        ),
        ("loop(3)", 'viewer.svarog:16:8: expected ";", not the end of the file'),
        ("input {noticed=>bang};", 'the variable "noticed" has no value "bang"'),
        ("input {};", "missing: noticed"),
    ],
)
def test_commands_that_make_no_sense(commands, message, capsys, viewer):
    _, error = said(capsys, "run", viewer(commands), status=2)
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


def test_a_file_without_commands(capsys, viewer):
    assert said(capsys, "run", viewer()).out.endswith("viewer.svarog has no commands\n")


# --- loop ---


def test_the_loop_says_what_to_believe_and_what_to_do(capsys, typed):
    typed("growl_left", "growl_left", "growl_left")
    out, error = said(capsys, "run", "tiger")
    assert error == ""
    lines = out.splitlines()
    assert lines[0] == "noticed"
    assert lines[1] == "svarog> belief:"
    assert out.count("optimal action: {deed=>listen}\n") == 2
    assert "   85.0%  {tiger=>left}\n   15.0%  {tiger=>right}\n" in out
    assert "optimal action: {deed=>open_right}\n" in out
    assert lines[-1] == "svarog> "


def test_the_loop_as_data_agrees_with_the_definition(capsys, typed):
    line = "none place_Krakow false none true false"
    world = read_world(world_file("dorban"))
    plain = PlainPlanner(world)
    file_depth = world.specification.commands[0].depth
    typed(line)
    (loop,) = document(capsys, "run", "dorban")["commands"]
    (step,) = loop["steps"]
    assert loop["depth"] == file_depth
    belief = world.uniform(world.visible(line.split()))
    assert len(step["belief"]) == 8
    values = plain.values(belief, file_depth)
    for action, value in step["values"].items():
        number = [world.action_text(a) for a in range(7)].index(action)
        assert value == pytest.approx(values[number])
    assert len(step["values"]) == np.isfinite(values).sum()
    assert step["action"] == world.action_text(plain.plan(belief, file_depth).action)


def test_an_impossible_observation_keeps_the_belief(capsys, typed):
    """Of three lines the second cannot be seen; the third is answered as if it had not been typed."""
    typed("growl_left", "treasure", "growl_left")
    out, error = said(capsys, "run", "tiger", status=2)
    assert "the observation {noticed=>treasure} is impossible after {deed=>listen}" in error
    assert "possible: {noticed=>growl_left}, {noticed=>growl_right}; the belief is kept" in error
    assert error.count("\n") == 1
    assert "   85.0%  {tiger=>left}" in out
    typed("growl_left", "treasure", "growl_left")
    (loop,) = document(capsys, "run", "tiger", status=2)["commands"]
    assert "refused" in loop["steps"][1]
    assert loop["steps"][2]["belief"][0] == {"state": "{tiger=>left}", "probability": pytest.approx(0.85)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("none place_Krakw false none false false", "where_is_dorban has no value 'place_Krakw' (did you mean"),
        ("none place_Krakow", "a visible state has 6 values"),
        ("none place_Krakow false none false false true", "a visible state has 6 values"),
        ("none place_Krakow true none false false", "is impossible in dorban"),
    ],
)
def test_lines_that_make_no_sense(line, message, capsys, typed):
    typed(line, "", "   ")
    out, error = said(capsys, "run", "dorban", status=2)
    assert message in error
    assert error.count("\n") == 1
    assert "belief:" not in out


def test_the_end_of_the_input_ends_the_loop(capsys, typed):
    typed()
    out, error = said(capsys, "run", "dorban")
    assert error == ""
    assert out.endswith("svarog> \n")


# --- files ---


@pytest.mark.parametrize("command", ["run", "check", "print"])
def test_files_that_cannot_be_read(command, capsys, tmp_path, viewer):
    _, error = said(capsys, command, "dorbann", status=2)
    assert error == (
        "error: there is no world or file 'dorbann' (did you mean dorban?); worlds: dorban, ferryman, tiger\n"
    )
    _, error = said(capsys, command, str(tmp_path), status=2)
    assert "there is no world or file" in error
    broken = tmp_path / "broken.svarog"
    broken.write_text("values { value a; }\nvariables { input x; }")
    _, error = said(capsys, command, str(broken), status=2)
    assert error == f'error: {broken}:2:19: expected "variable", not "x"\n'
    broken.write_bytes(b"values \xff\0")
    _, error = said(capsys, command, str(broken), status=2)
    assert "is not a text file" in error


def test_a_world_that_cannot_be_planned_in(capsys, viewer, typed):
    typed("silence")
    _, error = said(capsys, "run", viewer("loop(2);", EAR.replace(":0.6", ":0.8")), status=2)
    assert "sum to 1.2, not to 1" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("command", HELPED)
def test_every_command_has_help(command, capsys):
    assert f"Usage: hiddenhand svarog {command}" in said(capsys, command, "--help").out


def test_usage(capsys):
    assert said(capsys, "sing", status=2).err == "error: No such command 'sing'; see hiddenhand svarog --help\n"
    assert "see hiddenhand svarog run --help" in said(capsys, "run", status=2).err
    for command in ("precalculate", "estimate"):
        more = ["--output", "x"] if command == "precalculate" else []
        assert "depth" in said(capsys, command, "tiger", "--depth", "-1", *more, status=2).err
        assert "granularity must be" in said(capsys, command, "tiger", "-g", "1", *more, status=2).err
        assert "compat" in said(capsys, command, "tiger", "--compat", "us", *more, status=2).err


# --- precalculated knowledge ---

EVERYBODY = "none place_Krakow true true true true"


@pytest.fixture
def dorban42(tmp_path, capsys):
    path = tmp_path / "dorban42.svarog"
    out, _ = said(capsys, "precalculate", "dorban", "--depth", "4", "--granularity", "2", "--output", str(path))
    assert "5025 beliefs of 120 visible states (15 too complex for a grid)" in out
    return path


def test_a_precalculated_file_advises_as_the_original_does(capsys, typed, dorban42):
    typed(EVERYBODY)
    out, _ = said(capsys, "run", str(dorban42))
    assert "optimal action: {optimal_action=>attack_vampire}\nworth 198.967 as precalculated (nearest)\n" in out
    typed(EVERYBODY)
    ((step,),) = [c["steps"] for c in document(capsys, "run", str(dorban42), "--compat", "svarog")["commands"]]
    assert step["value"] == pytest.approx(198.967, abs=1e-3)
    assert step["rule"] == "nearest_listed"


def test_merging_two_halves_gives_the_whole(capsys, tmp_path, dorban42):
    tree = read_file(dorban42)
    (section,) = tree.precalculated
    others = tuple(item for item in tree.knowledge if item is not section)
    halves = []
    for i in range(2):
        half = replace(section, states=section.states[i::2])
        halves.append(tmp_path / f"half{i}.svarog")
        halves[i].write_text(to_text(replace(tree, knowledge=(*others, half))))
    merged = tmp_path / "merged.svarog"
    out, _ = said(capsys, "merge", *map(str, halves), "--output", str(merged))
    assert out == f"{merged}: 5025 beliefs of 120 visible states\n"
    assert merged.read_text() == dorban42.read_text()


def test_merging_what_does_not_fit(capsys, tmp_path):
    files = [tmp_path / "a.svarog", tmp_path / "b.npz"]
    said(capsys, "precalculate", "tiger", "--depth", "1", "--output", str(files[0]))
    said(capsys, "precalculate", "tiger", "--depth", "2", "--compact", "--output", str(files[1]))
    more = ["--output", str(tmp_path / "c")]
    assert (
        "depth 1 and granularity 2 cannot be merged" in said(capsys, "merge", *map(str, files), *more, status=2).err
    )
    assert "--world" in said(capsys, "merge", str(files[1]), str(files[1]), *more, status=2).err
    assert "15 beliefs" in said(capsys, "merge", str(files[1]), str(files[1]), "--world", "tiger", *more).out
    assert "tiger holds no precalculated" in said(capsys, "merge", "tiger", str(files[0]), *more, status=2).err
    assert "there is no world or file" in said(capsys, "merge", str(files[0]), "nothing", *more, status=2).err


def test_estimate_counts_beliefs(capsys, viewer):
    found = document(capsys, "estimate", "dorban", "--granularity", "2")
    assert found["stored"] == 45 * 1 + 45 * 15 + 15 * 255 + 15 * 32
    sizes = [(s["possible_states"], s["too_complex"]) for s in found["visible_states"]]
    assert [sizes.count(size) for size in ((1, False), (4, False), (8, False), (32, True))] == [45, 45, 15, 15]
    out, _ = said(capsys, "estimate", "tiger")
    assert out.startswith("precalculated (4,2)\n{\non visible state ({noticed=>silence })\n")
    assert said(capsys, "run", viewer("cout << estimate(3,4);")).out.count("max_amount_of_beliefs = 15.0000;") == 2


def test_cout_precalculates_one_visible_state(capsys, viewer):
    """What is printed is a whole specification; in a noise only listening is legal."""
    for compat in ("document", "svarog"):
        file = viewer("cout << precalculate(1,2,{noticed=>noise}) << eol;")
        out, _ = said(capsys, "run", file, "--compat", compat)
        (section,) = read_text(out).precalculated
        (state,) = section.states
        # worth 1 on the left, 0.4 on the right, 0.7 if nothing is known
        assert [belief.value for belief in state.beliefs] == [1.0, 0.4, 0.7]
        assert read_text(out).commands == ()
        expected, found = build_world(read_text(EAR)), build_world(read_text(out))
        for one, other in zip(expected.transitions, found.transitions):
            assert (one != other).nnz == 0
        estimated, _ = said(capsys, "run", viewer("cout << estimate(1,2) << eol;"), "--compat", compat)
        assert len(read_text(estimated).precalculated[0].states) == 2
        assert from_tree(found, read_text(estimated).precalculated[0]).blocks == {}


# --- models ---


def test_export_reads_back(capsys, tmp_path):
    path = tmp_path / "ferry.pomdp"
    found = document(capsys, "export", "ferryman", "--output", str(path), "--discount", "0.9")
    assert (found["states"], found["actions"], found["observations"], found["discount"]) == (60, 4, 24, 0.9)
    back, world = read_pomdp(path), read_world(world_file("ferryman")).pomdp(0.9)
    assert back.discount == 0.9
    assert back.start == pytest.approx(world.start)
    for a in range(4):
        legal = world.legal[a]
        assert back.transitions[a].toarray()[legal] == pytest.approx(world.transitions[a].toarray()[legal])
        assert back.rewards[a][legal] == pytest.approx(world.rewards[a][legal])
        assert (back.rewards[a][~legal] < world.rewards[a][legal].min()).all()


def test_export_of_nonsense(capsys, tmp_path):
    out = ["--output", str(tmp_path / "t.pomdp")]
    assert "a discount must be" in said(capsys, "export", "tiger", *out, "--discount", "2", status=2).err
    assert "noticed has no value 'bang'" in said(capsys, "export", "tiger", *out, "--start", "bang", status=2).err
    assert "cannot write" in said(capsys, "export", "tiger", "--output", str(tmp_path / "no" / "x"), status=2).err


def test_solve_finds_the_published_value_of_the_tiger(capsys):
    found = document(capsys, "solve", "tiger", "--seconds", "3600")
    assert 19.3 < found["lower"] <= 19.3722
    assert found["lower"] <= found["upper"] < 19.4
    assert found["action"] == "{deed=>listen}"
    assert found["ended"] == "precision"


def test_solve_refuses_what_it_cannot_read(capsys, tmp_path):
    _, error = said(capsys, "solve", str(tmp_path / "none.pomdp"), status=2)
    assert "No such file" in error
