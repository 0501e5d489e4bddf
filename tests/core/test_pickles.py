"""Whatever a user holds can be pickled, copied and taken to another process; records find their game again."""

import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import RecordError, UserError
from hiddenhand.core.record import load_record
from own_files import AGENTS, NIM


def again(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.fixture(scope="module")
def leduc():
    return hh.game("leduc")


def begun(game, seed=7, plies=4):
    table = game.deal(seed)
    agent = hh.agent(game, "random")
    while not table.over and len(table.history) < plies:
        table.play(table.ask(agent).action)
    return table


def test_a_game_is_the_same_game_with_its_options():
    game = hh.game("hanabi", players=3)
    other = again(game)
    assert other.rules is game.rules
    assert (other.options, other._given) == (game.options, game._given)
    assert copy.deepcopy(game) is game


@pytest.mark.parametrize("made", [again, copy.deepcopy], ids=["pickled", "copied"])
def test_a_table_goes_on_by_itself(leduc, made):
    table = begun(leduc)
    before, other = table.state.tobytes(), made(table)
    assert other.history == table.history
    while not other.over:
        other.play(other.legal_actions()[-1])
    assert table.state.tobytes() == before
    other.undo(len(other.history))
    assert not any(mover >= 0 for mover in other.movers)


def test_a_view_takes_no_secret_along(leduc):
    told = 0
    for seed in range(8):
        table = begun(leduc, seed)
        table.memory[1 - table.turn, "somebody"] = np.ones(1)
        view = table.view()
        other = again(view)
        assert other.record.tobytes() == view.record.tobytes()
        assert other.legal_actions() == view.legal_actions()
        assert other.imagine().tobytes() == view.imagine().tobytes()
        assert {seat for seat, _ in other._memory} == {table.turn}
        told += view.imagine().tobytes() == table.state.tobytes()
        assert (table.state.tobytes() in pickle.dumps(view)) == (view.imagine().tobytes() == table.state.tobytes())
    assert told < 8


def test_agents_decide_alike(leduc):
    table = begun(leduc)
    for text in ("random", "ismcts:simulations=40"):
        agent = hh.agent(leduc, text)
        decision = agent.explain(table.view())
        assert again(agent).explain(table.view()) == again(decision) == copy.deepcopy(decision)


def test_many_games_at_once_go_on_alike(leduc):
    env = hh.VectorEnv(leduc, 5, seed=3)
    for _ in range(3):
        env.step(env.legal.argmax(axis=1))
    other = again(env)
    for _ in range(20):
        actions = env.legal.argmax(axis=1)
        env.step(actions)
        other.step(actions)
        assert (env.observation == other.observation).all()
        assert (env.rewards == other.rewards).all()


def test_results_say_the_same():
    played = hh.match("kuhn", ["random", "random"], games=20, records=2, store=None)
    met = hh.tournament("kuhn", ["random", "cfr:iterations=20"], games=4, store=None)
    for result in (played, met):
        assert again(result).to_json() == copy.deepcopy(result).to_json() == result.to_json()
    reviews = hh.review(played, "cfr:iterations=20")
    assert again(reviews) == reviews == [hh.review(record, "cfr:iterations=20") for record in played.records]
    with pytest.raises(UserError, match="records=N"):
        hh.review(met, "random")


OPEN = """
import pickle, sys
from pathlib import Path
for thing in pickle.loads(Path(sys.argv[1]).read_bytes()):
    print(thing)
"""


def test_own_games_and_agents_are_found_in_another_process(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    (tmp_path / "agents.py").write_text(AGENTS)
    game = hh.game(str(tmp_path / "nim.py"))
    agent = hh.agent(game, f"{tmp_path / 'agents.py'}:Clever:place=1")
    (tmp_path / "kept").write_bytes(pickle.dumps([game.rules.key, agent, agent.decide(game.deal().view())]))
    command = [sys.executable, "-c", OPEN, str(tmp_path / "kept")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert str(agent) in said
    (tmp_path / "nim.py").write_text(NIM.replace("heap + 1", "heap + 2"))
    refused = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert "nim.py are no longer those of nim-" in refused


def test_the_record_of_an_own_game_travels(tmp_path, monkeypatch):
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    (home / "nim.py").write_text(NIM)
    table = begun(hh.game(str(home / "nim.py")), plies=9)
    table.record().save(home / "game.json")
    record = load_record(home / "game.json")
    assert (record.game, record.rules) == ("nim.py", table.game.rules.key)

    (home / "game.json").rename(away / "game.json")  # the game stays where it was
    assert load_record(away / "game.json").replay().payoffs() == table.payoffs()
    (home / "nim.py").rename(away / "nim.py")  # beside the record
    record = load_record(away / "game.json")
    assert record.replay().history == table.history
    assert record.is_of(hh.game(str(away / "nim.py")))
    monkeypatch.chdir(away)  # or where I am
    record.folder = None
    assert record.replay().history == table.history

    (away / "nim.py").write_text(NIM.replace('"""Nim', '"""The game of Nim'))  # the rules are the same
    assert record.replay().history == table.history
    (away / "nim.py").write_text(NIM.replace("heap + 1", "heap + 2"))
    assert not record.is_of(hh.game("nim.py"))
    with pytest.raises(RecordError, match=r"bring back the file as it was"):
        record.replay()
    monkeypatch.chdir(home)
    with pytest.raises(RecordError, match=r"nim\.py is neither where it was nor here"):
        record.replay()


def test_a_record_with_the_whole_path_of_its_game_is_still_read(tmp_path):
    path, beside = tmp_path / "nim.py", tmp_path / "records" / "nim.py"
    path.write_text(NIM)
    table = begun(hh.game(str(path)), plies=9)
    old = {**table.record().to_json(), "game": str(path)}
    del old["rules"], old["file"]
    beside.parent.mkdir()
    beside.with_name("game.json").write_text(json.dumps(old))
    record = load_record(beside.with_name("game.json"))
    assert record.replay().over
    assert record.is_of(table.game)
    path.rename(beside)
    assert record.replay().history == table.history
