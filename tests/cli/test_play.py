"""Playing, saving, going on and asking why, in the terminal."""

import json
import re

import pytest

from hiddenhand.cli import main
from hiddenhand.core import resolver
from hiddenhand.core.record import load_record


@pytest.fixture
def type_lines(typed_patiently, compiled_here):
    return typed_patiently


@pytest.fixture
def typed_patiently(monkeypatch, tmp_path):
    """Run `hiddenhand play ...` with these lines typed; a person at a terminal unless `script`."""
    monkeypatch.chdir(tmp_path)

    def run(command, lines, script=False):
        typed = iter(lines)

        def answer(prompt=""):
            print(prompt, end="")
            line = next(typed, EOFError())
            if isinstance(line, BaseException):
                raise line
            print(line)
            return line

        monkeypatch.setattr("builtins.input", answer)
        monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: not script})())
        return main(["play", *command.split()])

    return run


def test_a_whole_game(typed_patiently, capsys):
    lines = ["b2", "a3", "c3", "a1", "c1", "a2", "b1", "b3", "c2"]
    assert typed_patiently("tictactoe --against random --seed 3", lines) == 0
    printed = capsys.readouterr()
    assert re.search(
        r"The game is over: player 1 (won|lost|drew) \([+-][01]\), player 2 (won|lost|drew)", printed.out
    )
    assert "player 2 (random): " in printed.out


def test_advice_reasons_and_commands(type_lines, capsys):
    lines = ["?", "4", "why", "moves", "help", "undo", "undo", "save here.json", "quit"]
    assert type_lines("connect_four --against alphabeta:depth=4 --adviser alphabeta:depth=4 --seed 1", lines) == 0
    printed = capsys.readouterr()
    assert printed.out.count("positions, and estimated what lies beyond") == 2
    assert "moves: 1  2  3  4  5  6  7" in printed.out
    assert "there is nothing to take back" in printed.err
    assert printed.out.count("moves: 1  2  3  4  5  6  7") == 4, "an undo shows the table once"
    assert load_record("here.json").actions == []


def test_a_slip_is_forgiven_at_a_terminal_and_an_error_in_a_script(type_lines, capsys):
    assert type_lines("tictactoe --against random", ["d9", "a1"]) == 0
    assert "error: 'd9' is not legal here; legal: a3, b3" in capsys.readouterr().err
    assert type_lines("tictactoe --against random", ["d9", "a1"], script=True) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_refused_move_has_its_reason(type_lines, capsys, kept):
    assert type_lines("connect_four --seat 0 --seat 1", [*"444444", "4", "quit"]) == 0
    assert capsys.readouterr().err == "error: 4 is not legal: the column is full\n"
    assert len(load_record(kept()).moves) == 6


def test_the_rules_and_the_words(type_lines, capsys):
    assert (
        type_lines("snaps --against random --seed 1", ["help sumec", "help", "rules", "help nonsense", "quit"]) == 0
    )
    printed = capsys.readouterr()
    assert "plays alone against three" in printed.out.partition("## How to play")[0]
    assert printed.out.count("## How to play") == printed.out.count("## Words") == 2
    assert printed.out.count("what would a good player do, and why?") == 1
    assert printed.err == "error: nothing is known about 'nonsense'\n"


@pytest.mark.parametrize(("end", "status"), [(EOFError(), 0), (KeyboardInterrupt(), 130), ("quit", 0)])
def test_leaving_loses_nothing(type_lines, capsys, kept, end, status):
    assert type_lines("reversi --against random --seed 5", ["d3", end]) == status
    saved = load_record(kept())
    assert saved.moves[0] == "d3"
    assert saved.agents == ["person", "random"]
    assert f"go on with: hiddenhand play --from {kept()}" in capsys.readouterr().out
    assert type_lines(f"--from {kept()} --against random", ["quit"]) == 0
    assert load_record(kept()).moves == saved.moves


def test_several_moves_in_one_line(type_lines, capsys, kept):
    assert type_lines("backgammon --against random --seed 2 --seat 0 --seat 1", ["moves", "quit"]) == 0
    moves = capsys.readouterr().out.split("moves: ")[1].splitlines()[0].split("  ")
    first = moves[0]
    assert type_lines("backgammon --against random --seed 2 --seat 0 --seat 1", [first, "quit"]) == 0
    second = capsys.readouterr().out.split("moves: ")[2].splitlines()[0].split("  ")[0]
    assert type_lines("backgammon --seed 2 --seat 0 --seat 1", [f"{first} {second}", "quit"]) == 0
    assert load_record(kept()).moves[1:3] == [first, second]


def test_hidden_moves_stay_hidden(type_lines, capsys):
    """What the screen says of the other's moves is what the rules let this seat hear."""
    assert type_lines("blind_tictactoe --against random --seed 4 --seat 1", ["b2", "a1", "quit"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("player 1 (random)")]
    assert set(told) == {"player 1 (random): a mark is placed"}
    assert type_lines("kuhn --against random --seed 1", ["why", "bet", "quit"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("chance: you get") == 1


def test_a_person_in_every_seat(type_lines, capsys):
    lines = ["a3", "b3", "a2", "b2", "a1"]
    assert type_lines("tictactoe --seat 0 --seat 1", lines) == 0
    assert "player 1 won (+1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("tictactoe --seat 2", "tictactoe has seats 0 to 1, not 2"),
        ("chess960", "unknown game 'chess960'"),
        ("tictactoe --against nobody", "unknown agent 'nobody'"),
        ("tictactoe --against random --against random", "1 seats are free, but 2 agents were given"),
        ("--from nowhere.json", "cannot read nowhere.json"),
        ("tree --option file=nowhere", "there is no file nowhere"),
    ],
)
def test_wrong_input(type_lines, capsys, command, message):
    assert type_lines(command, []) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_explain_a_saved_game(type_lines, capsys, tmp_path):
    assert (
        main(
            ["match", "connect_four", "alphabeta:depth=3", "random", "--games", "1", "--records", "1", "--seed", "4"]
        )
        == 0
    )
    capsys.readouterr()
    assert main(["records", "--json"]) == 0
    name = json.loads(capsys.readouterr().out)[0]["records"][0]
    assert main(["explain", name, "--move", "3", "--json"]) == 0
    decision = json.loads(capsys.readouterr().out)
    assert decision["agent"] == "alphabeta:depth=3"
    assert decision["text"] == decision["played"]  # asked again, the agent gives the move that it played
    assert len(decision["alternatives"]) == 7
    assert main(["explain", name]) == 0
    assert "says: my move: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{broken", "is not valid JSON: line 1 column 2"),
        ('{"format": "x"}', "is not a hiddenhand record"),
        ('{"seed": ' + 60_000 * "1" + "}", "has a number with too many digits"),
    ],
)
def test_explain_refuses_damaged_files(tmp_path, capsys, text, message):
    (tmp_path / "game.json").write_text(text)
    assert main(["explain", str(tmp_path / "game.json")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_explain_names_the_moves_there_are(type_lines, capsys, kept):
    assert type_lines("tictactoe --against random --seed 3", ["b2", "quit"]) == 0
    assert main(["explain", str(kept()), "--move", "9"]) == 2
    assert "there is no decision at move 9: the record has moves 1 to 2" in capsys.readouterr().err


def test_trace_draws(tmp_path, capsys):
    picture = tmp_path / "tree.svg"
    assert main(["trace", "tree", "alphabeta:table=0", "--option", "file=pruning", "--svg", str(picture)]) == 0
    assert picture.read_text().startswith("<svg")
    assert main(["trace", "connect_four", "minimax:depth=6"]) == 2
    assert "ask for a smaller depth" in capsys.readouterr().err


def test_watching_agents(type_lines, capsys):
    """Nobody types; every move is shown as it is made."""
    assert type_lines("tictactoe --watch --against random --seed 3", []) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Tic-tac-toe: player 1 random, player 2 random\n")
    assert "Type a move" not in printed
    moves = printed.count("player 1 (random): ") + printed.count("player 2 (random): ")
    assert 5 <= moves <= 9
    assert printed.count("The game is over: ") == 1
    assert type_lines("tictactoe --watch --seat 0", []) == 2
    assert "leave out --seat" in capsys.readouterr().err


def test_an_agent_takes_at_least_its_time(type_lines, capsys, monkeypatch):
    now, waited = [0.0], []
    monkeypatch.setattr("hiddenhand.cli.terminal.time.monotonic", lambda: now[0])
    monkeypatch.setattr("hiddenhand.cli.terminal.time.sleep", waited.append)
    assert type_lines("tictactoe --watch --against random --seed 3 --delay 0.05", []) == 0
    moves = capsys.readouterr().out.count(" (random): ")
    assert moves >= 5
    assert waited == [0.05] * moves


@pytest.mark.parametrize(
    ("command", "seconds"), [("--open", 5.0), ("--watch --open", 5.0), ("--watch", 0.0), ("", 0.0)]
)
def test_the_test_bench_waits_five_seconds(type_lines, monkeypatch, command, seconds):
    """Unless it is told otherwise, and only there; what the agent thinks is part of its time."""
    waited, clock = [], iter(range(1000))  # it thinks for a second
    monkeypatch.setattr("hiddenhand.cli.terminal.time.monotonic", lambda: float(next(clock)))
    monkeypatch.setattr("hiddenhand.cli.terminal.time.sleep", waited.append)
    assert type_lines(f"tictactoe --against random --seed 3 {command}", ["b2", "quit"]) == 0
    assert waited
    assert set(waited) == {max(0.0, seconds - 1.0)}


def test_leaving_while_an_agent_thinks(type_lines, monkeypatch, capsys, kept):
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("hiddenhand.cli.terminal.time.sleep", sleep)
    assert type_lines("reversi --watch --delay 1 --against random --seed 5", []) == 130
    assert len(load_record(kept()).moves) == 2
    assert f"go on with: hiddenhand play --from {kept()}" in capsys.readouterr().out


def test_the_bench_shows_what_is_hidden(type_lines, capsys):
    """A game that says nothing of its own about an open table shows the screens of all seats, and true moves."""
    assert type_lines("blind_tictactoe --open --delay 0 --against random --seed 3", ["b2", "why", "quit"]) == 0
    printed = capsys.readouterr()
    assert printed.out.count("--- player 2 sees") >= 2
    assert re.search(r"^player 2 \(random\): [abc][123]$", printed.out, re.MULTILINE)
    assert "my move: " in printed.out
    assert "that would show what you may not see" not in printed.err


def test_after_the_last_move(type_lines, capsys, own_store, kept):
    """Hands are shown, the result is explained, every move can be asked why, the game is kept, and dealt again."""
    lines = [
        "bet",
        "why 4",
        "why 3",
        "why 4 not fold",
        "why 9",
        "why 1",
        "log",
        "look 3",
        "nonsense",
        "?",
        "save mine.json",
    ]
    assert type_lines("kuhn --against random --seed 1", [*lines, "next", "log", "quit"]) == 0
    printed = capsys.readouterr()
    first, _, second = printed.out.partition("Kuhn poker: player 1 person")[2].partition(
        "Kuhn poker: player 1 person"
    )
    assert "--- player 2 sees\nyour card: J" in first
    assert "The game is over: player 1 won (+1), player 2 lost (-1)" in first
    assert "move 4, player 2 (random): fold\nmy move: fold" in first
    assert "move 3, player 1 (person): bet\nmy move: " in first  # what a good player would have done
    assert "  - fold is my move." in first
    assert "   2  chance: J" in first
    assert "so far: nothing" in first.partition("look 3")[2]
    assert "there is no move 9: 4 have been made" in printed.err
    assert "move 1 was made by chance" in printed.err
    assert "'nonsense' is no command" in printed.err
    assert "your card: " in second
    assert "The game is over" not in second
    finished = list((own_store.parent / "games").glob("kuhn-*-00000001.json"))
    assert [f"saved in {path}" in first for path in finished] == [True]
    assert load_record(finished[0]).moves == load_record("mine.json").moves == ["Q", "J", "bet", "fold"]
    assert load_record(finished[0]).payoffs == [1.0, -1.0]
    assert load_record(kept()).seed != 1  # the second deal was left unfinished


def test_no_game_overwrites_another(type_lines, capsys, kept, own_store):
    """Games that were left lie beside each other; going on with one goes on with its file."""
    assert type_lines("tictactoe --seat 0 --seat 1", ["a1", "quit"]) == 0
    first = kept()
    assert type_lines("connect_four --seat 0 --seat 1", ["4", "quit"]) == 0
    assert len(list((own_store.parent / "games").glob("*.json"))) == 2
    assert type_lines(f"--from {first}", ["b2", "quit"]) == 0
    assert load_record(first).moves == ["a1", "b2"]
    assert type_lines("tictactoe --seat 0 --seat 1", ["c3", f"save {first}", "quit"]) == 0
    assert "is there already, with something else in it: choose another name" in capsys.readouterr().err
    assert load_record(first).moves == ["a1", "b2"]
    assert type_lines(f"tictactoe --seat 0 --seat 1 --save {first}", ["c3", "quit"]) == 0
    assert load_record(first).moves == ["a1", "b2"]
    assert load_record(first.with_stem(f"{first.stem}-2")).moves == ["c3"]


def test_finished_games_are_saved_where_it_was_asked_for(type_lines, capsys):
    assert type_lines("kuhn --against random --seed 1 --save mine.json", ["bet", "next", "bet", "call"]) == 0
    assert load_record("mine.json").seed == 1
    assert load_record("mine-2.json").seed != 1
    assert type_lines("--from mine.json", ["why 4", "branch 3", KeyboardInterrupt()]) == 130
    printed = capsys.readouterr().out
    assert "move 4, player 2 (random): fold" in printed
    assert len(load_record("mine.json").moves) == 4, "what is played on from the middle is another game"
    assert load_record("mine-3.json").moves == ["Q", "J"]


def test_a_beginner_can_beat_whoever_sits_there_and_hears_of_the_next_level(type_lines, capsys):
    """Whoever meets a perfect player in the first game can only lose it."""
    line = winning_line(resolver.game("tictactoe").deal(seed=3), resolver.usual_opponent(resolver.game("tictactoe")))
    assert type_lines("tictactoe --seed 3", [*line, "quit"]) == 0
    out = capsys.readouterr().out
    assert "player 1 won" in out
    assert "Next level: Perfect (looks at everything to the end, and never loses): --against alphabeta\n" in out
    assert type_lines("tictactoe --seed 3 --seat 0 --seat 1", ["a1", "b1", "a2", "b2", "a3", "quit"]) == 0
    assert "Next level" not in capsys.readouterr().out


def winning_line(table, other, played=()):
    """What the first player has to type to win against an agent that plays the same in the same position."""
    agent = resolver.agent(table.game, other)
    for action in table.legal_actions():
        then = table.game.deal(seed=3)
        for move in (*played, action):
            then.play(move)
        words = [table.action_name(action)]
        if not then.over:
            answer = then.ask(agent).action
            then.play(answer)
            if then.over:
                continue
            further = winning_line(then, other, (*played, action, answer))
            if further is None:
                continue
            words += further
        elif then.payoffs()[0] <= 0:
            continue
        return words
    return None
