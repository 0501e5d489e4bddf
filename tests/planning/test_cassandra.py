"""The `.pomdp` format: every form of every statement, and what is said of broken files."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.planning.language.pomdp_reading import parse_pomdp, read_pomdp
from hiddenhand.planning.language.pomdp_writing import write_pomdp
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.planners.point_based.solver import solve
from textbook import AN_HOUR, problem

TIGER = """# the tiger
discount : 0.95
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: tiger-left tiger-right

T: listen
identity
T:open-left uniform
T: 2 : * : * 0.5

O: listen
0.85 0.15
0.15 0.85
O: open-left
uniform
O: open-right : * uniform

R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100   # eaten
R: open-left : tiger-right : * : * 10
R: open-right : * : * : * -100
R: open-right : 0 : * : * 10.0
"""

HEAD = "discount: 0.9\nvalues: reward\nstates: 3\nactions: a b\nobservations: x y\n"
REST = "T: * identity\nO: * uniform\n"


def same(one, other):
    assert one.discount == other.discount
    assert one.start == pytest.approx(other.start)
    assert one.rewards == pytest.approx(other.rewards)
    for mine, theirs in zip(one.transitions + one.observing, other.transitions + other.observing):
        assert abs(mine - theirs).max() < 1e-12


def test_the_tiger_in_many_forms():
    read = parse_pomdp(TIGER)
    same(read, problem("tiger"))
    assert read.states == ("tiger-left", "tiger-right")
    assert read.actions == ("listen", "open-left", "open-right")


def test_costs_are_negated():
    cost = parse_pomdp(TIGER.replace("values: reward", "values: cost"))
    assert cost.rewards == pytest.approx(-problem("tiger").rewards)


@pytest.mark.parametrize(
    ("line", "belief"),
    [
        ("", [1 / 3, 1 / 3, 1 / 3]),
        ("start: uniform", [1 / 3, 1 / 3, 1 / 3]),
        ("start: 0.2 0.3\n 0.5", [0.2, 0.3, 0.5]),
        ("start: 0.333333 0.333333 0.333333", [1 / 3, 1 / 3, 1 / 3]),
        ("start: 2", [0, 0, 1]),
        ("start include: 0 2", [0.5, 0, 0.5]),
        ("start exclude : 0", [0, 0.5, 0.5]),
    ],
)
def test_starts(line, belief):
    assert parse_pomdp(HEAD + line + "\n" + REST).start == pytest.approx(belief)


def test_states_to_start_in_may_be_named_without_include():
    named = HEAD.replace("states: 3", "states: left middle right")
    assert named != HEAD
    assert parse_pomdp(named + "start: left right\n" + REST).start.tolist() == [0.5, 0.0, 0.5]
    with pytest.raises(UserError, match=r"there is no state 'rihgt' \(did you mean right\?\)"):
        parse_pomdp(named + "start: left rihgt\n" + REST)


def test_rows_entries_and_reset():
    text = HEAD + "start: 0.5 0.5 0.0\n" + "T: * : * : * 0.0\nT: a identity\nT: a : 1 0.25 0.25 0.5\n"
    text += "T: a : 2 reset\nT: b : * : 0 0.4\nT: b : * : 2 0.6\nT: b : 1 uniform\n"
    text += "O: a\n1 0 .5 0.5 0.0 1.0\nO: b : * 0.25 0.75\nO: b : 2 : x 1\nO: b : 2 : y 0\n"
    model = parse_pomdp(text)
    assert model.transitions[0].toarray() == pytest.approx(np.array([[1, 0, 0], [0.25, 0.25, 0.5], [0.5, 0.5, 0]]))
    third = 1 / 3
    expected = np.array([[0.4, 0, 0.6], [third, third, third], [0.4, 0, 0.6]])
    assert model.transitions[1].toarray() == pytest.approx(expected)
    assert model.observing[0].toarray() == pytest.approx(np.array([[1, 0], [0.5, 0.5], [0, 1]]))
    assert model.observing[1].toarray() == pytest.approx(np.array([[0.25, 0.75], [0.25, 0.75], [1, 0]]))


def test_rewards_agree_with_the_full_table():
    """Random statements of every form, folded by the reader and by brute force over the whole table."""
    rng = random.Random(3)
    numbers = np.random.default_rng(3)
    for _ in range(20):
        lines, table = [], np.zeros((2, 3, 3, 2))

        def place(names):
            chosen = rng.choice([None, *range(len(names))])
            return ("*", slice(None)) if chosen is None else (names[chosen], chosen)

        for _ in range(25):
            texts, places = zip(*(place(names) for names in ("ab", "012", "012", "xy")))
            given = rng.choice([2, 3, 4, 4, 4])
            shape = table.shape[given:]
            values = numbers.integers(-9, 9, shape)
            table[places[:given]] = values
            lines.append(f"R: {' : '.join(texts[:given])} {' '.join(map(str, values.ravel()))}")
        moves, sights = numbers.dirichlet([1, 1, 1], (2, 3)), numbers.dirichlet([1, 1], (2, 3))
        text = HEAD
        for a in range(2):
            text += (
                f"T: {a}\n{' '.join(map(str, moves[a].ravel()))}\nO: {a}\n{' '.join(map(str, sights[a].ravel()))}\n"
            )
        expected = np.einsum("ast,atz,astz->as", moves, sights, table)
        assert parse_pomdp(text + "\n".join(lines)).rewards == pytest.approx(expected)


@pytest.mark.parametrize("name", ["hallway", "tag", "rock_sample_4_4"])
def test_what_is_written_is_read_back(name):
    model = problem(name)
    read = parse_pomdp(write_pomdp(model, f"{name}\nby hiddenhand"))
    same(read, model)
    assert read.actions == model.actions


def test_illegal_actions_are_written_as_a_loss():
    """So great a loss that not even listening once more is worth it: the spread of payoffs for 20 steps."""
    tiger = problem("tiger")
    legal = np.array([[True, True], [True, False], [False, True]])
    read = parse_pomdp(write_pomdp(replace(tiger, legal=legal)))
    assert read.rewards[1, 1] == read.rewards[2, 0] == pytest.approx(-100.0 - 20.0 * 101.0)
    assert read.rewards[1, 0] == -100.0


END = """values { value closed, opened, lost, press, wait, good, bad; }
variables {
    input variable door:{closed, opened, lost};
    hidden variable luck:{good, bad};
    output variable deed:{press, wait};
}
knowledge {
    payoff "in":10.0 { requires initial value door == opened; }
    payoff "out":-1.0 { requires initial value door == closed; }
    action {deed=>press}:{
        case "over" { requires not initial value door == closed; illegal; }
        case "luck" {
            requires initial value luck == good;
            probability "":1.0 { requires terminal value door == opened; requires terminal value luck == good; }
        }
        case "none" {
            probability "":1.0 { requires terminal value door == lost; requires terminal value luck == bad; }
        }
    }
    action {deed=>wait}:{
        case "over" { requires not initial value door == closed; illegal; }
        case "" {
            probability "":1.0 {
                requires terminal value door == closed;
                requires terminal value luck == initial value luck;
            }
        }
    }
}
"""


def test_a_world_that_ends_is_worth_the_same_when_it_is_exported(tmp_path, capsys):
    """Pressing pays 10 half the time and then it is over, in the file too, for any program that reads such files."""
    (tmp_path / "door.svarog").write_text(END)
    out = tmp_path / "door.pomdp"
    assert main(["svarog", "check", str(tmp_path / "door.svarog")]) == 0
    assert "it ends there" in capsys.readouterr().out
    assert main(["svarog", "export", str(tmp_path / "door.svarog"), "--output", str(out), "--discount", "0.9"]) == 0
    text = out.read_text()
    names = [
        word for line in text.splitlines()[:8] if line[:1] in "sao" and "start" not in line for word in line.split()
    ]
    assert len(names) == 6 + 2 + 3 + 3
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*:?", name) for name in names)
    before = solve(read_world(tmp_path / "door.svarog").pomdp().with_discount(0.9), precision=1e-6, seconds=AN_HOUR)
    after = solve(read_pomdp(out), precision=1e-6, seconds=AN_HOUR)
    assert (before.lower, after.lower) == pytest.approx((5.0, 5.0), abs=1e-5)
    assert (before.upper, after.upper) == pytest.approx((5.0, 5.0), abs=1e-5)


@pytest.mark.parametrize("name", ["dorban", "ferryman", "tiger"])
def test_worlds_are_worth_the_same_when_they_are_exported(name):
    pomdp = read_world(name).pomdp().with_discount(0.5)
    before, after = (
        solve(model, precision=0.01, seconds=AN_HOUR) for model in (pomdp, parse_pomdp(write_pomdp(pomdp)))
    )
    assert before.lower <= after.upper + 1e-9
    assert after.lower <= before.upper + 1e-9
    assert before.upper - before.lower <= 0.01
    assert after.upper - after.lower <= 0.01


def test_names_may_be_those_of_statements():
    """An action R and a state T: a word after the colon of a heading is a name."""
    text = "discount: 0.9\nvalues: reward\nstates: T stop\nactions: R O\nobservations: 1\n"
    text += (
        "T: R : T : stop 1.0\nT: R : stop : stop 1\nT:O\nidentity\nO: *\nuniform\nR: R : T : * : * 5\nR: O:*:*:* 1\n"
    )
    model = parse_pomdp(text)
    assert model.transitions[0].toarray().tolist() == [[0, 1], [0, 1]]
    assert model.rewards.tolist() == [[5, 0], [1, 1]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.85 0.15\n0.15", "0.85 0.35\n0.15", r"line 13, column 1: the row O: listen : tiger-left sums to 1.2, not"),
        ("O: open-left\nuniform", "", r"the row O: open-left : tiger-left is missing"),
        ("T: 2 : * : * 0.5", "T: 2 : * : * 0.4", r"line 11, column 1: the row T: open-right : tiger-left sums to 0"),
        ("O: listen\n0.85", "O: listen\n0.8x", r"line 14, column 1: .* '0.8x' is none"),
        ("O: listen\n0.85", "O: listen\n1.85", r"line 14, column 1: a probability must be from 0 to 1, not 1.85"),
        ("0.15 0.85", "0.15", r"line 14, column 1: expected the probabilities as 4 numbers, found 3"),
        ("T: listen", "T: lisen", r"line 8, column 4: there is no action 'lisen' \(did you mean listen\?\)"),
        ("T: 2", "T: 3", r"line 11, column 4: action 3 does not exist: they are numbered from 0 to 2"),
        ("values: reward", "values: rewards", r"line 3, column 9: values must be 'reward' or 'cost'"),
        ("discount : 0.95", "discount : 95", r"line 2, column 12: the discount must be from 0 to 1"),
        ("discount : 0.95", "", r"the discount is missing"),
        ("observations: tiger-left tiger-right", "", r"the observations must be listed first"),
        ("states: tiger-left tiger-right", "states: a a", r"line 4, column 9: the state 'a' is listed twice"),
        ("states: tiger-left tiger-right", "states: a 2b", r"line 4, column 11: '2b' cannot be the name of a state"),
        ("R: listen : * : * : * -1", "R: listen -1", r"expected ': state' after the action"),
        ("R: listen : * : * : * -1", "R: listen : * : * : * 1e400", r"line 20, .* must be a finite number"),
        ("R: listen : * : * : * -1", "R: listen : * : * : * one", r"expected the reward as a number, not 'one'"),
        ("R: listen : * : * : * -1", "R: listen : * : * : * : * -1", r"line 20, column 23: expected a number"),
        ("T: listen\nidentity", "T: listen :\n", r"line 10, column 1: there is no state 'T'"),
        ("R: open-right : 0 : * : * 10.0\n", "R: open-right : \n", r"expected a state or \*"),
        ("# the tiger", "tiger!", r"line 1, column 1: expected a statement such as"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(old, new, message):
    assert old in TIGER
    with pytest.raises(UserError, match=message) as error:
        parse_pomdp(TIGER.replace(old, new), "tiger.pomdp")
    assert str(error.value).startswith("tiger.pomdp, line ")
    assert "\n" not in str(error.value)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(UserError, match=r"cannot read .*nothing\.pomdp"):
        read_pomdp(tmp_path / "nothing.pomdp")
    (tmp_path / "tiger.pomdp").write_text(TIGER)
    same(read_pomdp(tmp_path / "tiger.pomdp"), problem("tiger"))


def test_broken_files_never_give_a_traceback():
    rng = random.Random(11)
    pieces = [
        ":",
        "*",
        "T:",
        "O:",
        "R:",
        "start:",
        "uniform",
        "0.5",
        "-1",
        "1e999",
        "nan",
        "states: 0",
        "\0",
        "é",
        " ",
    ]
    said = []
    for _ in range(600):
        text = TIGER
        for _ in range(rng.randint(1, 4)):
            low = rng.randrange(len(text))
            text = text[:low] + rng.choice([*pieces, ""]) + text[low + rng.randint(0, 12) :]
        try:
            parse_pomdp(text)
        except UserError as error:
            said.append(str(error))
    assert len(said) > 300
    assert not any("\n" in line for line in said)


def test_a_thousand_states_are_read_table_by_table():
    rng = np.random.default_rng(0)
    rows = rng.dirichlet(np.ones(1000), 1000).round(8)
    body = "\n".join(" ".join(map(str, row)) for row in rows)
    text = "discount: 0.95\nvalues: cost\nstates: 1000\nactions: 2\nobservations: 3\n"
    text += f"T: * : * : * 0.0\nT: 0\n{body}\nT: 1 identity\nO: * uniform\nR: * : * : 7 : * 1.0\n"
    model = parse_pomdp(text)
    assert -model.rewards[0] == pytest.approx(rows[:, 7] / rows.sum(axis=1))
