"""Experience: what is counted of opponents, kept in a file, told as tables, and believed."""

import json

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.games.snaps.beliefs.statistics import CLASSES, ENTRIES, chances_of, learned_statistics
from hiddenhand.games.snaps.cards import ACE, CARDS, RANKS
from hiddenhand.games.snaps.experience import ACE_AT, EVENTS, Experience
from hiddenhand.games.snaps.state import TRICKS
from hiddenhand.kernel import derive
from hiddenhand.lab.runner import Running
from hiddenhand.studies.snaps.acquaintance import SEEN, ask_about

HABIT = "habit"
GAMES = 120


def played(names, games, seed=5):
    """Records of games in which everybody moves on by a seat from deal to deal."""
    game = hh.game("snaps")
    agents = [hh.agent(game, name) for name in names]
    records = []
    for number in range(games):
        table = game.deal(seed=derive(seed, number))
        while not table.over:
            table.play(table.ask(agents[(table.turn - number) % 4]).action)
        records.append(table.record([str(agents[(seat - number) % 4]) for seat in range(4)]))
    return records


@pytest.fixture(scope="module")
def records():
    return played([HABIT, "rules", HABIT, "rules"], GAMES)


@pytest.fixture(scope="module")
def gathered(records):
    experience = Experience(hh.game("snaps"))
    assert experience.add(records) == len(records)
    return experience


def low_leads_from_an_ace(records):
    """(low leads of the habit, those after which it holds the ace, those where the ace may be anywhere), by hand."""
    leads = held = free = 0
    for record in records:
        table = record.replay(0)
        for action in record.actions:
            s = table.state
            side = s.phase == TRICKS and s.plays % 4 == 0 and action < CARDS and action // RANKS != s.named // RANKS
            if record.agents[table.turn] == HABIT and side and action % RANKS < 2 and len(table.legal_actions()) > 1:
                ace = action // RANKS * RANKS + ACE
                leads += 1
                held += int(s.hands[table.turn]) >> ace & 1
                free += ace not in s.played[: s.plays].tolist()
            table.play(action)
    return leads, held, free


def test_counts_are_those_of_the_games(records, gathered):
    leads, held, free = low_leads_from_an_ace(records)
    seen = gathered.opponents[HABIT]
    low = 7  # the class of low leads of another suit
    assert seen.games == len(records)
    assert leads > 20
    assert (seen.held[low, ACE_AT], seen.free[low, ACE_AT]) == (held, free)
    assert held / free > 0.5, "the habit: it leads low from an ace"
    rules = gathered.opponents["rules"]
    assert rules.held[low, ACE_AT] / rules.free[low, ACE_AT] < 0.2
    decisions = sum(len(table.legal_actions()) > 1 for record in records for table in walk(record))
    assert seen.moves.sum() + rules.moves.sum() == decisions


def walk(record):
    table = record.replay(0)
    for action in record.actions:
        yield table
        table.play(action)


def test_no_game_is_counted_twice(records, gathered, tmp_path):
    path = tmp_path / "evenings.json"
    gathered.save(path)
    again = Experience.open(hh.game("snaps"), path)
    assert again.add(records) == 0
    assert (again.opponents[HABIT].moves == gathered.opponents[HABIT].moves).all()
    assert (again.opponents[HABIT].held == gathered.opponents[HABIT].held).all()
    assert again.add(played(["rules"] * 4, 1, seed=9)) == 1
    assert Experience.open(hh.game("snaps"), tmp_path / "new.json").opponents == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{broken", "cannot be read"),
        ("[]", "is no experience with snaps"),
        ('{"format": "hiddenhand experience", "game": "hanabi"}', "is no experience with snaps"),
        ('{"format": "hiddenhand experience", "game": "snaps", "known": 3, "opponents": {}}', "is damaged"),
        (
            json.dumps(
                {
                    "format": "hiddenhand experience",
                    "game": "snaps",
                    "known": [],
                    "opponents": {"person": {"games": 1, "moves": {str(ENTRIES): 1}, "held": [], "free": []}},
                }
            ),
            "is damaged",
        ),
    ],
)
def test_damaged_files_are_refused(tmp_path, text, message):
    path = tmp_path / "evenings.json"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        Experience.open(hh.game("snaps"), path)


def test_chances_add_up_and_begin_with_what_is_usual(gathered):
    usual = learned_statistics()
    np.testing.assert_allclose(chances_of(np.zeros(ENTRIES, np.int64)), usual, atol=1e-9)
    chances = chances_of(gathered.opponents[HABIT].moves).reshape(-1, CLASSES)
    sums = chances.sum(axis=1)
    assert ((np.abs(sums - 1.0) < 1e-9) | (sums == 0.0)).all()
    assert np.abs(chances.reshape(-1) - usual).max() > 0.3


def test_it_is_told_as_tables(gathered):
    told = gathered.lines(HABIT)
    assert told[0] == f"habit, seen in {GAMES} games"
    head, *rows = [line for line in told if line.startswith(("P(card | move)", "leads under", "any move"))]
    assert "its A" in head
    assert len(rows) == 2
    assert any(line.startswith("P(follows | situation)") for line in told)
    assert gathered.lines() == [f"habit: {GAMES} games", f"rules: {GAMES} games"]
    with pytest.raises(UserError, match=r"nothing is known of 'habbit' \(did you mean habit\?\)"):
        gathered.lines("habbit")
    assert EVENTS == 2 * CLASSES


def test_on_the_command_line(records, tmp_path, capsys):
    folder = tmp_path / "games"
    folder.mkdir()
    for number, record in enumerate(records[:3]):
        record.save(folder / f"{number}.json")
    (folder / "notes.json").write_text("no record")
    path = str(tmp_path / "evenings.json")
    assert main(["experience", "snaps", path]) == 2
    assert "there is no file" in capsys.readouterr().err
    assert main(["experience", "snaps", path, "--from", str(folder)]) == 0
    assert "3 of 3 games were new" in capsys.readouterr().out
    assert main(["experience", "snaps", path, "--from", str(folder), "--who", HABIT]) == 0
    printed = capsys.readouterr().out
    assert "0 of 3 games were new" in printed
    assert "P(card | move)" in printed
    assert main(["experience", "hanabi", path]) == 2
    assert "No such command 'experience'" in capsys.readouterr().err


def test_it_is_believed(gathered, tmp_path):
    """After a low lead of the habit, who knows it expects the ace with its player; a stranger does not."""
    path = tmp_path / "evenings.json"
    gathered.save(path)
    game = hh.game("snaps")
    knows, stranger = (hh.agent(game, f"experienced{text}") for text in (f":file={path}", ""))
    habit = hh.agent(game, HABIT)
    seen = []
    for seed in range(40):
        table = game.deal(seed=seed)
        table.company = [HABIT] * 4
        while not table.over and len(seen) < 12:
            action = table.ask(habit).action
            s, mover = table.state, table.turn
            side = s.phase == TRICKS and s.plays % 4 == 0 and action < CARDS and action // RANKS != s.named // RANKS
            table.play(action)
            if side and action % RANKS < 2 and not table.over:
                ace = action // RANKS * RANKS + ACE
                view = table.view((mover + 1) % 4)
                believed = [agent.beliefs(view)[0][mover, ace] for agent in (knows, stranger)]
                if believed[1] > 0.0:  # not where everybody knows who has or had the ace
                    seen.append(believed)
    known, unknown = np.mean(seen, axis=0)
    assert known > unknown + 0.15
    table = game.deal(seed=1)
    table.company = [HABIT, "rules", "person", HABIT]
    while table.state.phase != TRICKS:
        table.play(table.ask(habit).action)
    decision = table.ask(knows, explain=True)
    assert decision.action == table.ask(knows).action
    assert any("never seen seat 2 play" in reason for reason in decision.reasons)
    assert any(f"I know how seat 3 plays from {GAMES} games." in reason for reason in decision.reasons)


def test_who_has_seen_a_habit_guesses_its_cards_better():
    seen, tricks = SEEN.index(30), slice(2, None)
    losses = ask_about("discard", 60, 3, Running())["losses"]
    changes = (losses[seen] - losses[0])[tricks]
    changes = changes[~np.isnan(changes)]
    assert changes.mean() + 4.9 * changes.std() / np.sqrt(len(changes)) < 0.0
