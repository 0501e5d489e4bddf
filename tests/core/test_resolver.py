"""Whatever a user brings: games and agents from files outside the package, wherever the text of one can stand."""

import gc
import json
import subprocess
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Allowed
from hiddenhand.core.game_cache import GameCache, bytes_of
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.kernel.rule import RULES
from hiddenhand.planning.worlds import worlds
from own_files import NIM, ONE_AGENT, write_own_files

LINE_UPS = {
    "nim.py": ["agents.py:Clever:place=1", "agents.py:last"],
    "world.svarog": ["planner:depth=2"],
    "model.pomdp": ["planner:depth=2"],
    "lecture.tree": ["only.py", "alphabeta"],
    "kuhn": ["agents.py:Clever", "random"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_own_files(tmp_path)


def played(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def complaint(capsys, *arguments):
    assert main(list(arguments)) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.count("\n") == 1
    return error.removeprefix("error: ").strip()


# ---- the same text everywhere


@pytest.mark.parametrize("game", LINE_UPS)
def test_a_match_with_workers_is_the_same_as_without(game, capsys):
    one = played(capsys, "match", game, *LINE_UPS[game], "--games", "6", "--seed", "3", "--no-store")
    two = played(
        capsys, "match", game, *LINE_UPS[game], "--games", "6", "--seed", "3", "--no-store", "--workers", "2"
    )
    for result in (one, two):
        for measured in ("seconds", "games_per_second"):
            result.pop(measured, None)
    assert one == two


@pytest.mark.parametrize("game", ["nim.py", "world.svarog", "model.pomdp"])
def test_a_match_on_a_cluster(game, capsys):
    pytest.importorskip("distributed")
    found = played(capsys, "match", game, *LINE_UPS[game], "--games", "4", "--no-store", "--cluster", "local")
    assert found["games"] == 4


def test_a_tournament_of_files(capsys):
    found = played(capsys, "tournament", "nim.py", "agents.py:Clever", "agents.py:last", "random", "--games", "4")
    assert len(found["agents"]) == 3


@pytest.mark.parametrize("game", LINE_UPS)
def test_a_kept_game_is_explained_from_another_folder(game, capsys, tmp_path, monkeypatch):
    assert main(["match", game, *LINE_UPS[game], "--games", "2", "--records", "1"]) == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    capsys.readouterr()
    assert main(["records", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)[0]["records"][0]
    found = played(capsys, "explain", record)
    assert found["text"] == found["played"]


@pytest.mark.usefixtures("compiled_here")
@pytest.mark.parametrize("game", LINE_UPS)
def test_a_game_at_the_terminal(game, capsys, monkeypatch):
    lines = iter(["?", "moves", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    against = ["--against", LINE_UPS[game][-1]] if len(LINE_UPS[game]) > 1 else []
    assert main(["play", game, "--seed", "1", *against]) == 0, capsys.readouterr().err
    assert "my move:" in capsys.readouterr().out


def test_a_search_in_a_file_is_traced(capsys, folder):
    (folder / "searcher.py").write_text(
        "from hiddenhand.search import AlphaBeta\n\n\nclass Short(AlphaBeta):\n    name = 'short'\n"
    )
    assert main(["trace", "lecture.tree", "searcher.py:depth=2"]) == 0
    assert "3" in capsys.readouterr().out


# ---- what is wrong is said in one line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "nowhere.py", "random"], "there is no file nowhere.py"),
        (["match", "nim.txt", "random"], "file ends in .py, .svarog, .pomdp, .pomdpx, .tree; nim.txt does not"),
        (["match", "only.py", "random"], "only.py defines no GAME"),
        (["match", "kuhn", "nowhere.py", "random"], "there is no file nowhere.py"),
        (["match", "kuhn", "nim.py", "random"], "nim.py holds no agent: no class made of Agent, and no @policy"),
        (["match", "kuhn", "agents.py", "random"], "agents.py holds several agents; say which"),
        (["match", "kuhn", "agents.py:place=1", "random"], "agents.py holds several agents; say which"),
        (["match", "kuhn", "agents.py:Clevr", "random"], "agents.py holds no agent 'Clevr' (did you mean Clever?)"),
        (["match", "kuhn", "agents.py:Clever:place=99", "random"], "parameter place of agents.py:Clever must be"),
        (["match", "kuhn", "agents.py:Clever:plce=1", "random"], "agents.py:Clever has no parameter 'plce'"),
        (["match", "kuhn", "bot:./my_bot", "random"], "there is no file ./my_bot"),
        (["match", "broken.py", "random"], "broken.py cannot be loaded: line 3: "),
        (["match", "kuhn", "broken.py", "random"], "broken.py cannot be loaded: line 3: "),
        (["match", "careless.py", "random"], "careless.py cannot be loaded: line 2: NameError"),
        (["match", "kuhn", "moody.py", "random"], "moody.py:Moody cannot be made: line 6: RuntimeError: not today"),
        (["match", "broken.pomdp", "random"], "broken.pomdp"),
        (["match", "broken.svarog", "random"], "broken.svarog"),
        (["match", "broken.tree", "random"], "broken.tree, line 1, column"),
        (["match", "hanabi", "reinforced:file=nowhere.npz", "random"], "there is no file nowhere.npz"),
        (["match", "hanabi", "reinforced:file=nim.py", "random"], "nim.py cannot be read: it is no .npz file"),
    ],
)
def test_errors_are_one_line(arguments, message, capsys, folder):
    (folder / "nim.txt").write_text(NIM)
    (folder / "broken.py").write_text("one = 1\n\ndef wrong(:\n")
    (folder / "careless.py").write_text("one = 1\ntwo = unknown\n")
    (folder / "moody.py").write_text(
        "from hiddenhand.author import Agent\n\n\nclass Moody(Agent):\n    def __init__(self, game):\n"
        "        raise RuntimeError('not today')\n"
    )
    for suffix in ("pomdp", "svarog", "tree"):
        (folder / f"broken.{suffix}").write_text("what is this?\n")
    assert message in complaint(capsys, *arguments)


# ---- agents know their texts


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("tictactoe", "random"),
        ("tictactoe", "alphabeta:depth=3,deepening=no"),
        ("tictactoe", "agents.py:Clever:place=2"),
        ("tictactoe", "agents.py:last"),
        ("tictactoe", "only.py"),
        ("model.pomdp", "planner:depth=2"),
    ],
)
def test_the_text_of_an_agent_gives_an_equal_one(game, text, tmp_path, monkeypatch):
    agent = hh.agent(game, text)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    where = hh.game(game)
    monkeypatch.chdir(elsewhere)
    again = hh.agent(where, str(agent))
    assert str(again) == str(agent)
    assert again.values == agent.values
    assert resolver.text_of(agent) == str(agent)


def test_objects_have_their_defaults_and_go_to_workers(own_store):
    from hiddenhand.search import AlphaBeta

    game = hh.game("tictactoe")
    agent = AlphaBeta(game, depth=2)
    assert agent.values == hh.agent(game, "alphabeta:depth=2").values
    with pytest.raises(UserError, match="alphabeta has no parameter 'dept'"):
        AlphaBeta(game, dept=2)
    here = hh.match(game, [agent, "random"], games=8, seed=1)
    there = hh.match(game, [agent, "random"], games=8, seed=1, workers=2, store=str(own_store))
    assert np.array_equal(here.payoffs, there.payoffs)


def test_a_class_of_an_imported_file_goes_to_workers(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    import agents  # the file of a user

    game = hh.game("tictactoe")
    clever = agents.Clever(game, place=1)
    assert str(clever) == f"{folder / 'agents.py'}:Clever:place=1"
    assert hh.match(game, [clever, "random"], games=4, workers=2).payoffs.shape == (4, 2)
    sys.modules.pop("agents")


def test_what_was_made_in_a_notebook_stays_there(folder):
    program = (
        f"{ONE_AGENT}\nimport hiddenhand as hh\ngame = hh.game('tictactoe')\n"
        "print(hh.match(game, [Only(game), 'random'], games=2).payoffs.shape)\n"
        "try:\n    hh.match(game, [Only(game), 'random'], games=2, workers=2)\n"
        "except hh.UserError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "(2, 2)",
        "Only was made in __main__, where no other process finds it: write its class into a file of its own and "
        "name it FILE.py:CLASS",
    ]


def test_a_changed_file_is_another_agent_and_another_match(own_store, folder):
    first = hh.match("tictactoe", ["only.py", "random"], games=4, store=str(own_store))
    (folder / "only.py").write_text(ONE_AGENT.replace("legal_actions()[0]", "legal_actions()[-1]"))
    second = hh.match("tictactoe", ["only.py", "random"], games=4, store=str(own_store), resume=True)
    assert first.to_json()["moves"] != second.to_json()["moves"] or not np.array_equal(first.payoffs, second.payoffs)


# ---- installed packages


def test_entry_points(monkeypatch, folder):
    points = {
        resolver.GAMES: {"their_nim": EntryPoint("their_nim", "their_package:GAME", resolver.GAMES)},
        resolver.AGENTS: {
            "their_agent": EntryPoint("their_agent", "their_agents:Clever", resolver.AGENTS),
            "their_broken": EntryPoint("their_broken", "nowhere:Nobody", resolver.AGENTS),
        },
    }
    (folder / "their_package.py").write_text(NIM)
    (folder / "their_agents.py").write_text((folder / "agents.py").read_text())
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(resolver, "installed", lambda group: points[group])
    assert "their_nim" in hh.games()
    game = hh.game("their_nim")
    assert game.origin.spec == "their_nim"
    agent = hh.agent(game, "their_agent:place=1")
    assert str(agent) == "their_agent:place=1"
    assert "their_agent" in hh.agents(game)
    assert "their_broken" not in hh.agents(game)
    with pytest.raises(UserError, match=r"their_broken \(nowhere:Nobody\) cannot be loaded: ModuleNotFoundError"):
        hh.agent(game, "their_broken")


# ---- settings that name files


def test_a_file_setting_is_read_whole(folder):
    known = {
        "file": Setting("", "what was trained", kind="file"),
        "tree": Setting("coin", choices=("coin",), kind="file"),
    }
    assert read_settings({}, known, "x", "parameter") == {"file": "", "tree": "coin"}
    read = read_settings({"file": "nim.py", "tree": "coin"}, known, "x", "parameter")
    assert read == {"file": str(folder / "nim.py"), "tree": "coin"}
    with pytest.raises(UserError, match="parameter tree of x must be a file or one of coin: there is no file cion"):
        read_settings({"tree": "cion"}, known, "x", "parameter")
    with pytest.raises(TypeError, match="kind of a setting"):
        Setting(3, kind="file")


def test_only_what_is_allowed_is_opened(folder, tmp_path):
    nothing, inside = Allowed(), Allowed([folder])
    with pytest.raises(UserError, match="files are not opened here"):
        nothing.find("nim.py")
    assert inside.find("nim.py") == inside.find(str(folder / "nim.py")) == folder / "nim.py"
    assert inside.written(folder / "nim.py") == "nim.py"
    outside = tmp_path.parent / f"{tmp_path.name}-secret.py"
    outside.write_text("")
    (folder / "link.py").symlink_to(outside)
    (folder / "fifo.py").mkdir()
    for text in ("../" + outside.name, str(outside), "link.py", "fifo.py", "a\0b", "x" * 5000, "~/.bashrc", ""):
        with pytest.raises(UserError, match="there is no file"):
            inside.find(text)
    assert "link.py" not in inside.listed()
    with pytest.raises(UserError, match="there is no folder nowhere"):
        Allowed(["nowhere"])
    strangers = resolver.Resolver(inside)
    assert strangers.game("nim.py").origin.spec == "nim.py"
    assert str(strangers.agent("nim.py", "agents.py:Clever:place=1")) == "agents.py:Clever:place=1"
    assert set(strangers.games()) >= {"nim.py", "world.svarog", "model.pomdp", "lecture.tree", "kuhn"}


def test_what_a_program_has_written_itself_is_opened_but_not_offered(folder, tmp_path):
    own = tmp_path / "own"
    (own / "one").mkdir(parents=True)
    for place in (own, own / "one"):
        (place / "tiger.svarog").write_text((worlds()["tiger"]).read_text())
    files = Allowed([], [own])
    assert files.find("one/tiger.svarog") == own / "one" / "tiger.svarog"
    assert files.written(own / "one" / "tiger.svarog") == "one/tiger.svarog"
    assert files.listed() == []
    for text in ("nim.py", "../nim.py", "one", str(folder / "nim.py"), "one/../../nim.py"):
        with pytest.raises(UserError, match="files are not opened here"):
            files.find(text)
    strangers = resolver.Resolver(files)
    text = "planner:knowledge=one/tiger.svarog"
    assert strangers.character(strangers.game("tiger"), text).text == text, "nobody is told where the folder is"
    assert str(strangers.agent("tiger", text)) == text
    whole = f"planner:knowledge={own / 'one' / 'tiger.svarog'}"
    assert str(resolver.agent("tiger", whole)) == whole, "at one's own machine a file is written as ever"


# ---- a model as a game


def test_a_model_pays_what_the_exact_plan_promises():
    """Played with as many steps as the planner looks ahead, the mean payoff is the value of the first belief."""
    from hiddenhand.planning import ExactPlanner, read_pomdp

    promised = ExactPlanner(read_pomdp("model.pomdp"), 1.0).value([0.5, 0.5], 4)
    result = hh.match("model.pomdp", ["planner:depth=4"], games=2000, seed=5, steps=4, discount=1)
    error = result.payoffs.std() / np.sqrt(2000)
    assert abs(result.payoffs.mean() - promised) < 5 * error


# ---- names that were different


def test_agents_and_values_are_found_by_their_former_names():
    old, new = (resolver.agent("dominion", name) for name in ("thesis", "published"))
    assert old.parameters.tobytes() == new.parameters.tobytes()
    assert "thesis" not in resolver.agents("dominion")
    assert resolver.game("hanabi", rules="thesis").options["bomb"] == "piles"
    assert "thesis" not in resolver.game("hanabi").settings["rules"].allowed()


def test_a_former_value_is_not_any_value():
    setting = Setting("b", choices=("b", "c"), former={"a": "b"})
    assert read_settings({"x": "a"}, {"x": setting}, "it", "option") == {"x": "b"}
    with pytest.raises(UserError, match="option x of it must be one of b, c, not d"):
        read_settings({"x": "d"}, {"x": setting}, "it", "option")


def test_games_that_nobody_holds_leave_nothing_behind(folder, monkeypatch):
    """Neither their rules nor their tables, though a server is brought any number of them."""
    monkeypatch.setattr(resolver, "FILE_GAMES", GameCache(2, 10**9))
    play_worlds(folder, 2)
    gc.collect()
    rules = len(RULES)
    play_worlds(folder, 6)
    gc.collect()
    assert len(RULES) <= rules
    assert len(resolver.FILE_GAMES.sizes) == 2


def play_worlds(folder, count):
    text = (folder / "model.pomdp").read_text()
    for number in range(count):
        file = folder / f"{number}.pomdp"
        file.write_text(f"{text}\n# {number}\n")
        resolver.game(file.name).deal(seed=1).view(0).screen()


def test_what_is_compiled_is_not_counted_as_the_bytes_of_a_game(folder):
    """Compiled rules lead to everything that the process has compiled: to hundreds of megabytes on a server."""
    game = resolver.game("nim.py")
    before = bytes_of(game)
    game.rules.turn(game.deal(seed=1).state)  # compiled
    assert 0 < before <= bytes_of(game) < 2 * before


def test_the_bytes_of_remembered_games_are_bounded(folder, monkeypatch):
    """Those in use count too: when they take up all the room, strangers bring no more."""
    monkeypatch.setattr(resolver, "FILE_GAMES", GameCache(100, 10**9))
    play_worlds(folder, 5)
    size = max(resolver.FILE_GAMES.sizes.values())
    monkeypatch.setattr(resolver, "FILE_GAMES", GameCache(100, 3 * size))
    strangers = resolver.Resolver(Allowed([folder]), strangers=True)
    for number in range(5):
        strangers.game(f"{number}.pomdp")
    assert len(resolver.FILE_GAMES.games) <= 3
    held = [strangers.game(f"{number}.pomdp") for number in range(3)]
    with pytest.raises(UserError, match="take up all the memory"):
        held.append(strangers.game("3.pomdp"))
    assert len(held) == 3
    assert resolver.game("3.pomdp").name == "3"  # the owner of the machine knows best
    del held
    strangers.game("4.pomdp")
