"""The command line: one JSON document, one line of error, the right exit status."""

import json
import os
import subprocess
import sys
from unittest.mock import Mock

import pytest
import typer

from hiddenhand.cli import FAMILIES, main, make_app
from hiddenhand.core import resolver

MATCH = ["match", "tictactoe", "random", "random"]


def run(*arguments, **more):
    command = [sys.executable, "-m", "hiddenhand.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def imported_by(statement):
    """The top-level modules that a fresh Python has after a statement."""
    code = f"{statement}; import sys; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    return set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )


def test_importing_hiddenhand_costs_next_to_nothing():
    assert not imported_by("import hiddenhand") & {"numba", "numpy", "typer", "rich", "sqlalchemy"}


def test_help_loads_nothing_heavy():
    loaded = imported_by("from hiddenhand.cli import make_app, main; make_app(); main(['version'])")
    assert not loaded & {"numba", "numpy", "sqlalchemy", "distributed"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mach"], "No such command 'mach'"),
        (["match"], "Missing argument 'GAME'; see hiddenhand match --help"),
        (["match", "tictactoe"], "Missing argument 'AGENT"),
        (["match", "tictactoe", "random"], "tictactoe has 2 seats, but 1 agent was given"),
        (["match", "tictacto", "random", "random"], "unknown game 'tictacto' (did you mean tictactoe?)"),
        (["match", "none.py", "random", "random"], "there is no file none.py"),
        (["match", "tictactoe", "random", "clever"], "unknown agent 'clever' for tictactoe"),
        (["match", "tictactoe", "random", "random:depth=3"], "random has no parameter 'depth'"),
        ([*MATCH, "--games", "0"], "games must be a whole number from 1 to 100000000, not 0"),
        ([*MATCH, "--games", "many"], "Invalid value for '--games'"),
        ([*MATCH, "--seed", "-1"], "seed must be a whole number from 0 to 18446744073709551615, not -1"),
        ([*MATCH, "--workers", "0"], "workers must be a whole number from 1 to 1024, not 0"),
        ([*MATCH, "--records", "-1"], "records must be a whole number from 0 to"),
        ([*MATCH, "--option", "size=4"], "tictactoe has no option 'size'; it has: position"),
        ([*MATCH, "--option", "size"], "an option of tictactoe is written name=value"),
        ([*MATCH, "--option", "a=1", "--option", "a=2"], "option a of tictactoe was given twice"),
        ([*MATCH, "--rotate", "--duplicate"], "rotate and duplicate exclude each other"),
        ([*MATCH, "--no-store", "--resume"], "--no-store and --resume exclude each other"),
        ([*MATCH, "--no-store", "--store", "x"], "--no-store and --store exclude each other"),
        ([*MATCH, "--store", "no://where"], "the store no://where cannot be used"),
        ([*MATCH, "--fast"], "No such option: --fast"),
        (["tournament", "tictactoe", "random", "random"], "random was given twice"),
        (["perft", "tictactoe"], "Missing option '--depth'"),
        (["perft", "tictactoe", "--depth", "0"], "depth must be a whole number from 1 to 9, not 0"),
        (["agents", "chess960"], "unknown game 'chess960'"),
        (["serve", "--bring", "tree,swarog"], "nobody can bring 'swarog' (did you mean svarog?)"),
        (["records", "nothing/1"], "has no record 'nothing/1'"),
        (["bench", "foo"], "unknown benchmark 'foo'"),
        (["svarog", "check", "mine.pomdp"], "is a model, and no world of the Svarog language: `svarog solve`"),
        (["svarog", "map", "mine.pomdpx", "--output", "map.svg"], "`svarog online` plays it"),
        (["match", "leduc", "alphabeta", "random"], "it has hidden information; use pimc or ismcts"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(arguments, message, capsys):
    assert main(arguments) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


def test_errors_leave_no_traceback_in_a_real_process():
    done = run("match", "tictactoe", "random")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: tictactoe has 2 seats, but 1 agent was given\n"


def test_an_option_out_of_range(bids, capsys):
    assert main(["match", bids, "low", "high", "--option", "players=9"]) == 2
    assert "option players of bids must be a whole number from 2 to 4, not 9" in capsys.readouterr().err


def test_no_command_shows_the_help(capsys):
    assert main([]) == 0
    assert "tournament" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["games", "agents", "match", "tournament", "perft", "records", "version"])
def test_every_command_has_help(command, capsys):
    assert main([command, "--help"]) == 0
    assert "Usage: hiddenhand" in capsys.readouterr().out


def json_of(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    out, error = capsys.readouterr()
    assert error == ""
    return json.loads(out)


def test_match(capsys, own_store):
    document = json_of(capsys, *MATCH, "--games", "20", "--seed", "3", "--rotate")
    assert (document["game"], document["games"], document["seed"]) == ("tictactoe", 20, 3)
    assert own_store.exists()
    again = json_of(capsys, *MATCH, "--games", "20", "--seed", "3", "--rotate", "--resume")
    assert again == document


def test_match_for_people(capsys):
    assert main([*MATCH, "--games", "20"]) == 0
    out, error = capsys.readouterr()
    assert "Tic-tac-toe: 20 games" in out
    assert error == "", "no progress bar where nobody watches"


def test_match_without_store(capsys, own_store):
    assert main([*MATCH, "--no-store"]) == 0
    assert not own_store.exists()


def test_a_game_with_options(capsys, bids):
    document = json_of(capsys, "match", bids, "low", "high", "slow:work=7", "-o", "players=3", "-n", "4")
    assert document["options"] == {"players": 3}
    assert [seat["agent"] for seat in document["seats"]] == ["low", "high", "slow:work=7"]


def test_tournament(capsys, bids):
    document = json_of(capsys, "tournament", bids, "low", "high", "random", "--games", "10")
    assert len(document["matches"]) == 3
    assert main(["tournament", bids, "low", "high", "--games", "10"]) == 0
    assert "Bradley-Terry" in capsys.readouterr().out


def test_the_list_of_games_is_kept_until_the_package_changes(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("HIDDENHAND_CACHE", str(tmp_path))
    monkeypatch.setattr(resolver, "definition", (definition := Mock(wraps=resolver.definition)))
    first = json_of(capsys, "games")
    loaded = definition.call_count
    assert first == json_of(capsys, "games")
    assert definition.call_count == loaded >= len(first)
    kept = tmp_path / "hiddenhand" / "compiled" / "games.json"
    for damage in ("{", '{"files": "another", "games": []}'):
        kept.write_text(damage)
        assert json_of(capsys, "games") == first
    assert definition.call_count == 3 * loaded
    assert json.loads(kept.read_text())["games"]


def test_games_and_agents(capsys, bids):
    names = [game["name"] for game in json_of(capsys, "games")]
    assert {"tictactoe", "connect_four", "reversi"} <= set(names)
    agents = {agent["name"]: agent for agent in json_of(capsys, "agents", bids)}
    assert agents["slow"]["parameters"]["work"]["default"] == 1000
    assert agents["cheat"]["cheats"]
    assert main(["games"]) == 0
    assert main(["agents", bids]) == 0
    out = capsys.readouterr().out
    assert "Tic-tac-toe" in out
    assert "work=1000" in out


def test_perft(capsys):
    document = json_of(capsys, "perft", "tictactoe", "--depth", "5")
    assert [line["paths"] for line in document["perft"]] == [9, 72, 504, 3024, 15120]
    assert main(["perft", "connect_four", "--depth", "4"]) == 0
    assert "2,401" in capsys.readouterr().out


def test_records(capsys):
    assert main(["records"]) == 0
    assert "no matches" in capsys.readouterr().out
    assert main([*MATCH, "--games", "4", "--records", "2"]) == 0
    capsys.readouterr()
    entry = json_of(capsys, "records")[0]
    assert (entry["game"], entry["agents"], entry["done"]) == ("tictactoe", ["random", "random"], 4)
    assert main(["records"]) == 0
    assert entry["id"] in capsys.readouterr().out
    assert main(["records", entry["records"][1]]) == 0
    assert json.loads(capsys.readouterr().out)["format"] == "hiddenhand record"


def test_version(capsys):
    import hiddenhand

    assert main(["version"]) == main(["--version"]) == 0
    assert capsys.readouterr().out == f"hiddenhand {hiddenhand.__version__}\n" * 2


def test_a_reader_that_leaves_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "hiddenhand.cli", "games"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert done.stderr == ""


def test_every_command_is_found_in_its_family_alone():
    def commands(app):
        return {typer.main.get_command_name(c.name or c.callback.__name__) for c in app.registered_commands} | {
            group.name for group in app.registered_groups
        }

    assert commands(make_app()) == {command for family in FAMILIES.values() for command in family}
    for family in FAMILIES.values():
        for command in family:
            assert commands(make_app(command)) == set(family)
