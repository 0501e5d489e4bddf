"""A `.pomdp` file as a game: what is hidden, what is believed, and what it pays."""

import json

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import meaning_of
from hiddenhand.core.resolver import agent, game
from hiddenhand.lab.match import match
from hiddenhand.planning import game_from_file, planner, write_pomdp
from hiddenhand.testing import CHECKS
from textbook import hallway, tiger


@pytest.fixture(scope="module")
def model():
    return tiger()


@pytest.fixture(scope="module")
def file(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "two-doors.pomdp"
    path.write_text(write_pomdp(model))
    return path


@pytest.mark.parametrize("check", CHECKS)
def test_it_is_a_game_like_any_other(check, file):
    check(game(str(file), steps=6))


def test_the_belief_is_that_of_bayes_rule(model, file):
    table = game_from_file(file).deal(5)
    belief = model.start
    for action in (0, 0, 1, 0, 2, 0, 0):
        table.play(action)
        belief, _ = model.after(belief, action, int(table.state.seen))
        assert np.array(table.state.belief) == pytest.approx(belief)
        assert "gained" not in table.view().record.dtype.names
        assert "truth" not in table.view().record.dtype.names


def test_the_gain_in_a_state_is_the_mean_of_all_that_led_there(model, file):
    """Over many games in which the same was done and seen, whoever ended in a state gained this on average."""
    of = game_from_file(file)
    met = {}
    for seed in range(3000):
        table = of.deal(seed)
        for action in (0, 1):
            table.play(action)
        s = table.state
        met.setdefault((int(s.truth), int(s.seen)), []).append((float(s.gained), float(s.gain[int(s.truth)])))
    for gains in met.values():
        gained, expected = np.array(gains).T
        assert abs(gained.mean() - expected.mean()) < 5.0 * gained.std() / np.sqrt(len(gains))


def test_a_plan_earns_what_it_is_worth(model, file):
    """Six steps, planned to the end at every step: exactly what the exact planner says, but for chance."""
    of = game(str(file), steps=6)
    played = match(of, [agent(of, "planner:depth=6,method=reachable")], games=2000, seed=3).payoffs[:, 0]
    worth = planner("exact", model).plan(model.start, 6).value
    assert abs(played.mean() - worth) < 5.0 * played.std() / np.sqrt(len(played))


def test_the_planners_agree_and_say_why(file):
    of = game(str(file))
    table = of.deal(1)
    for method in ("exact", "reachable", "point_based"):
        who = agent(of, f"planner:method={method},depth=6")
        told = who.explain(table.view())
        assert told.action == who.decide(table.view()).action
        assert told.text == "listen"
        # who guesses now is right every other time, and after listening whenever the ear was
        assert told.reasons[0] == (
            "I choose “listen”, to know more: the likeliest state is then true in 85 % of cases instead of 50 %."
        )
        assert told.reasons[1].startswith("listen is worth")
        assert [what for what, _ in told.belief] == ["tiger-left", "tiger-right"]


def test_compiled_code_is_found_by_the_contents_and_not_by_the_place(file, tmp_path, model):
    copy = tmp_path / "two-doors.pomdp"
    copy.write_text(file.read_text())
    other = tmp_path / "other" / "two-doors.pomdp"
    other.parent.mkdir()
    other.write_text(write_pomdp(tiger(hearing=0.8)))
    keys = [game_from_file(path).rules.key for path in (file, copy, other)]
    assert keys[0] == keys[1] != keys[2]


def test_a_larger_model_with_certain_steps_too(tmp_path):
    path = tmp_path / "hallway.pomdp"
    path.write_text(write_pomdp(hallway()))
    table = game(str(path), steps=20).deal(2)
    while not table.over:
        table.play(table.legal_actions()[1])
    assert np.array(table.state.belief).sum() == pytest.approx(1.0)
    assert "belief:" in table.view(0).screen()


def test_other_files_are_refused(tmp_path):
    with pytest.raises(UserError, match=r"no \.svarog, no \.pomdp and no \.pomdpx file"):
        game_from_file(tmp_path / "notes.txt")
    broken = tmp_path / "broken.pomdp"
    broken.write_text("discount: 0.9\n")
    with pytest.raises(UserError, match="states are missing"):
        game_from_file(broken)
    with pytest.raises(UserError, match="cannot read"):
        game_from_file(tmp_path / "nowhere.pomdp")


def test_the_names_of_a_model_have_a_meaning(file):
    of = game(str(file))
    assert meaning_of(of, "Listen") == "listen: something that can be done"
    assert meaning_of(of, "right").splitlines() == [
        "tiger-right: something that may be seen after a step",
        "open-right: something that can be done",
    ]
    assert meaning_of(of, "nonsense") == ""


def test_a_model_is_explained_by_itself(file, capsys):
    assert main(["explain", str(file), "--then", "listen: tiger-left", "--why-not", "open-right", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["text"], told["belief"][0]["what"]) == ("listen", "tiger-left")
    assert told["belief"][0]["probability"] == pytest.approx(0.85)
    assert told["reasons"][2].startswith("Why not open-right? It is worth")
    assert main(["explain", str(file), "--why-not", "listen"]) == 0
    said = capsys.readouterr().out
    assert "listen is my move." in said
    assert "0 less" not in said
    assert main(["explain", str(file), "--belief", "tiger-left: 0.98", "--belief", "tiger-right: 0.02"]) == 0
    said = capsys.readouterr().out
    assert "says: my move: open-right" in said
    assert "that pays 7.8 at once on average; the next best, listen, is worth" in said  # 0.98 * 10 - 0.02 * 100
    assert main(["explain", str(file), "--belief", "tiger-lost: 1"]) == 2
    assert "there is no state 'tiger-lost'" in capsys.readouterr().err
    assert main(["explain", str(file), "--start", "silence"]) == 2
    assert "nothing is visible in this model before the first action" in capsys.readouterr().err
    assert main(["explain", str(file), "--then", "listen: silence"]) == 2
