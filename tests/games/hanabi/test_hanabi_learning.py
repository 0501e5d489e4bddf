"""Learning and tuning: the memory of rewards, going on after an interruption, and what comes of it."""

import json

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.games.hanabi.learning import MEMORY, REMEMBERED, ActionValues, Reinforced, median_of, reward
from hiddenhand.games.hanabi.reinforced import (
    CAUTIOUS,
    CHOICE,
    ENTRIES,
    LEARNED,
    MACRO_TABLE,
    action_of,
    choose,
    read_table,
)
from hiddenhand.kernel import new_records
from hiddenhand.lab import training
from hiddenhand.lab.runner import Interrupted
from hiddenhand.lab.statistics import FAILS, HOLDS, NOT_SHOWN
from hiddenhand.lab.training import train
from hiddenhand.lab.tuning import tune
from hiddenhand.learning.bayesian import MODELS, BayesianSearch, GaussianProcess, matern
from hiddenhand.studies.hanabi.thesis import PLAYERS, STATEMENTS, THESIS, statements


def test_an_entry_is_the_mean_of_its_last_rewards_the_latest_weighing_most():
    memory, values, scores = new_records(MEMORY, 1), np.zeros(1), np.zeros(1)
    tables = ActionValues(memory, values, scores, 0.0, REMEMBERED, None)
    rewards = np.sin(np.arange(1000) * 0.7).astype(np.float32).astype(float)
    for n, amount in enumerate(rewards, start=1):
        reward(tables, 0, amount)
        if n in (1, 7, 399, 400, 401, 1000):
            kept = rewards[max(0, n - REMEMBERED) : n]
            weights = np.arange(1, len(kept) + 1)
            assert values[0] == pytest.approx((weights * kept).sum() / weights.sum(), abs=1e-6)
    assert memory[0].visits == 1000
    assert memory[0].penalties == (rewards < 0).sum()


def test_the_median_of_recent_games():
    recent = np.array([3, 25, 7, 7, 1])
    assert median_of(recent, 5) == 7
    assert median_of(recent, 1) == 3


def test_reinforced_learns():
    learner = Reinforced(hh.game("hanabi", players=2), seed=3, games=12_000)
    first = learner.learn(1000).mean()
    learner.learn(10_000)
    last = learner.learn(1000).mean()
    assert first < 14.0
    assert last > first + 3.0


def test_reinforced_learns_beside_others(tmp_path):
    """One learner beside trustful partners, in every seat by turns; only its own choices are remembered."""
    game = hh.game("hanabi", players=3)
    learner = Reinforced(game, seed=3, games=9000, partners="trustful+distrustful", exploration=0.2, memory=100)
    alone = Reinforced(game, seed=3, games=9000)
    first = learner.learn(1000).mean()
    alone.learn(1000)
    assert learner.memory.visits.sum() < 0.5 * alone.memory.visits.sum()
    assert learner.memory.count.max() == 100
    learner.learn(7000)
    assert learner.learn(1000).mean() > first + 1.0
    team = learner.team(learner.player())
    assert [player.name for player in team] == ["reinforced2", "trustful", "distrustful"]


def test_settings_of_a_training(tmp_path, capsys):
    with pytest.raises(UserError, match=r"reinforced has no setting 'patners' \(did you mean partners\?\)"):
        train("hanabi", "reinforced", settings={"patners": "hat"})
    with pytest.raises(
        UserError, match="setting memory of reinforced must be a whole number from 1 to 400, not 1000"
    ):
        train("hanabi", "reinforced", settings={"memory": "1000"})
    with pytest.raises(UserError, match="nobody can learn beside smart_cheater"):
        train("hanabi", "reinforced", settings={"partners": "smart_cheater"})
    assert main(["train", "hanabi", "reinforced", "--set", "memory"]) == 2
    assert "settings of reinforced are written name=value" in capsys.readouterr().err


def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(tmp_path, monkeypatch, own_store):
    """The signal falls into a compiled lesson, and is heard before what was learned is noted."""
    whole = train("hanabi", "reinforced", games=6000, seed=2, output=tmp_path / "whole.npz", players=2)
    inner = Reinforced.learn

    def interrupted(self, games):
        scores = inner(self, games)
        if self.done > 3000:
            raise KeyboardInterrupt
        return scores

    again = {"games": 6000, "seed": 2, "output": tmp_path / "part.npz", "store": str(own_store), "players": 2}
    with monkeypatch.context() as patch:
        patch.setattr(Reinforced, "learn", interrupted)
        with pytest.raises(Interrupted, match="3,000 of 6,000 games done; the same command with --resume"):
            train("hanabi", "reinforced", **again)
    left = hh.match("hanabi", [f"reinforced:file={tmp_path / 'part-unfinished.npz'}"] * 2, games=100, seed=5)
    assert left.payoffs.mean() > 5.0, "what three thousand games have taught it"
    assert not (tmp_path / "part.npz").exists()
    with pytest.raises(UserError, match="of another training: seed was 2, not 3"):
        train("hanabi", "reinforced", **{**again, "seed": 3}, resume=True)
    rest = train("hanabi", "reinforced", **again, resume=True)
    assert (rest.curve, rest.mean) == (whole.curve, whole.mean)
    assert (tmp_path / "whole.npz").read_bytes() == (tmp_path / "part.npz").read_bytes()
    assert (tmp_path / "whole.png").read_bytes() == (tmp_path / "part.png").read_bytes()
    assert train("hanabi", "reinforced", **again, resume=True) == rest, "it is finished: nothing is learned again"


def test_training_says_what_is_wrong(tmp_path):
    with pytest.raises(
        UserError, match=r"hanabi has no learner 'nobody'; learners: dmc, mmd, nashpg, ppo, reinforced"
    ):
        train("hanabi", "nobody")
    with pytest.raises(UserError, match="tictactoe has no learner 'reinforced'; learners: dmc, mmd, nashpg, ppo"):
        train("tictactoe", "reinforced")
    with pytest.raises(UserError, match="resume needs a store"):
        train("hanabi", "reinforced", output=tmp_path / "x.npz", resume=True, players=2)


def test_when_to_try_what_was_learned():
    times = [done for done in range(1000, 100_001, 1000) if training.is_time_to_try(done, 100_000)]
    assert len(times) in range(15, 30)
    assert min(times) > 50_000
    assert times[-1] == 100_000


@pytest.mark.parametrize(("players", "thesis"), [(2, 18.94), (4, 18.69)])
def test_the_shipped_tables_play_as_well_as_the_thesis_says(players, thesis):
    """1000 deals that were never learned from; four standard errors of room."""
    for rules in ("lenient", "strict"):
        team, options = [f"reinforced{players}"] * players, {"players": players, "rules": rules}
        assert hh.match("hanabi", team, games=1000, seed=123_456, **options).payoffs[:, 0].mean() > thesis


def test_a_table_is_cautious_where_it_has_learned_nothing():
    """By a table of zeros every turn is one that was never met: nobody plays a card that may be wrong."""
    table = hh.game("hanabi", rules="strict").deal(3)
    choice = np.zeros(CHOICE, np.int64)
    values = np.zeros(ENTRIES)
    values[MACRO_TABLE:].reshape(-1, 3)[:] = CAUTIOUS
    choose(table.view().record, 0, values, choice)
    assert action_of(choice) >= 10, "with all tokens there it hints"
    assert set(map(tuple, read_table(LEARNED / "reinforced2.npz")[MACRO_TABLE:].reshape(-1, 3))) >= {CAUTIOUS}


def test_a_gaussian_process_believes_what_it_saw():
    """Its mean and its doubt by hand: two points, one kernel; far away it knows nothing."""
    points, values = np.array([[0.0], [1.0]]), np.array([1.0, 3.0])
    process = GaussianProcess(points, values)
    share = (1.0 - process.noise) * float(matern(np.array(1.0 / process.length)))
    inverse = np.linalg.inv([[1.0, share], [share, 1.0]])
    near = (1.0 - process.noise) * matern(np.array([0.25, 0.75]) / process.length)
    mean, sd = process.believes(np.array([[0.25]]))
    assert mean[0] == pytest.approx(2.0 + near @ inverse @ np.array([-1.0, 1.0]))
    assert sd[0] == pytest.approx(np.sqrt(1.0 - process.noise - near @ inverse @ near))
    far = process.believes(np.array([[1000.0]]))
    assert far[0][0] == pytest.approx(2.0)
    assert far[1][0] == pytest.approx(np.sqrt(1.0 - process.noise))


@pytest.mark.parametrize("model", MODELS)
def test_bayesian_search_finds_a_hill(model):
    bounds = {"x": (-1.0, 1.0), "y": (0.0, 4.0)}
    search = BayesianSearch(bounds, {"x": -0.9, "y": 0.1}, seed=1, model=model)
    again = BayesianSearch(bounds, {"x": -0.9, "y": 0.1}, seed=1, model=model)
    for number in range(90):
        point = search.propose()
        if number == 60:
            for known in search.evaluated:
                again.tell(*known)
        if number >= 60:
            assert again.propose() == point, "what is random comes from the number of the evaluation"
        value = -((point["x"] - 0.5) ** 2) - (point["y"] - 3.0) ** 2
        search.tell(point, value)
        if number >= 60:
            again.tell(point, value)
    best = search.best(1)[0]
    assert abs(best["x"] - 0.5) < 0.3
    assert abs(best["y"] - 3.0) < 0.6
    assert again.values() == search.values()


def test_tuning_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    arguments = "tune hanabi trustful --players 2 --evaluations 4 --games 10 --model gaussian".split()
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["text"].startswith("trustful:")
    assert json.loads((tmp_path / "trustful2.json").read_text())["parameters"]
    assert main(["match", "hanabi", found["text"], found["text"], "--games", "5"]) == 0
    assert main([*arguments, "--resume"]) == 0
    assert (tmp_path / "trustful2.png").exists()
    with pytest.raises(UserError, match="has no parameters that could be tuned"):
        tune("hanabi", "cheater", players=2)
    with pytest.raises(UserError, match="model must be parzen or gaussian, not 'crystal'"):
        tune("hanabi", "trustful", players=2, model="crystal")
    capsys.readouterr()


def test_statements_of_the_thesis_are_judged_by_the_scores():
    """The printed means as if they were ours: statements about means hold; of teams not played nothing is said."""
    scores = {
        (name,) * players: np.tile([mean - spread, mean + spread], 500)
        for name, (_, rows) in THESIS.items()
        for players, (mean, spread) in zip(PLAYERS, rows)
    }
    told = {row[1]: row for row in statements(scores)[1:]}
    assert len(told) == len(STATEMENTS)
    for text in (
        "distrustful scores more than simple_distrustful",
        "tuned for two players it is better with two",
        "tuned for four players it is worse with two",
        "the best that do not cheat, with 2, 3, 4 and 5 players",
        "reinforced2 falls with the number of players",
    ):
        assert told[text][4] == HOLDS, text
        if "reinforced" not in text:  # it has no other reading
            assert told[text][5] == "-", "nothing was played by the letter"
    assert told["tuned for two players it is better with two"][3] == "19.07 to 17.94"
    few = {row[1]: row for row in statements({team: points[:10] for team, points in scores.items()})[1:]}
    assert few["the best that do not cheat, with 2, 3, 4 and 5 players"][4] == NOT_SHOWN
    scores["trustful", "trustful"] = scores["trustful", "trustful"] + 2
    again = {row[1]: row for row in statements(scores)[1:]}
    assert again["tuned for two players it is better with two"][4] == FAILS


def test_the_reproduction_writes_everything(tmp_path, capsys):
    assert main(["reproduce", "hanabi", "--games", "2", "--folder", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "smart_cheater" in printed
    assert "24.72 (0.79)" in printed
    assert "**19.07 (3.16)**" in printed
    page = (tmp_path / "hanabi.html").read_text()
    assert page.count("<img") == len(list(tmp_path.glob("*.png")))
    for figure in [*range(1, 13)]:
        assert list(tmp_path.glob(f"figure_4_{figure}_*.png")), figure
    for figure in (1, 2, 3, 4):
        assert list(tmp_path.glob(f"figure_6_{figure}_*.png")), figure
    assert "<b>19.07 (3.16)</b>" in page
    assert main(["reproduce", "chess"]) == 2
