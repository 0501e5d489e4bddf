"""Review: exactly the moves that lose value are marked, by what they lose; what is hidden stays so."""

import json
from functools import cache

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.event_log import WATCHER
from hiddenhand.core.review import OTHERWISE, plan, review
from hiddenhand.core.session import PERSON, Deal, Session
from hiddenhand.games.snaps.rules import side
from hiddenhand.games.snaps.solver import WIN, new_memory, solve
from hiddenhand.games.snaps.state import TRICKS


def played(name, agents, seed, **options):
    """A finished game, to be looked at."""
    game = hh.game(name, **options)
    table = game.deal(seed=seed)
    players = [hh.agent(game, text) for text in agents.split()]
    while not table.over:
        table.play(table.ask(players[table.turn]).action)
    return Session(Deal(game, seed), agents.split(), recorded=True, actions=table.history)


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def worth(cells, mover):
    """Tic-tac-toe by brute force, for the mover: 1, 0 or -1."""
    if any(cells[a] == cells[b] == cells[c] == 1 - mover for a, b, c in LINES):
        return -1
    free = [cell for cell in range(9) if cells[cell] is None]
    return max((-worth(after(cells, cell, mover), 1 - mover) for cell in free), default=0)


def after(cells, cell, mover):
    return (*cells[:cell], mover, *cells[cell + 1 :])


def test_in_tictactoe_exactly_the_moves_that_lose_value():
    lost = 0
    for seed in range(20):
        session = played("tictactoe", "random random", seed)
        cells, mover, expected = (None,) * 9, 0, {}
        for number, cell in enumerate(session.table.history, start=1):
            best, got = worth(cells, mover), -worth(after(cells, cell, mover), 1 - mover)
            expected[number] = best - got
            cells, mover = after(cells, cell, mover), 1 - mover
        found = review(session, "alphabeta")
        assert {move.move: move.loss for move in found.moves} == expected
        assert {move.move for move in found.marked} == {move for move, loss in expected.items() if loss}
        lost += len(found.marked)
    assert lost > 20


def thrown_wins(session):
    """The moves of a deal of snaps after which a side that would have won, all cards open, no longer would."""
    table, found = session.deal.table(), []
    for number, action in enumerate(session.table.history, start=1):
        state, mover = table.state, table.turn
        before = chooser_wins(state) if state.phase == TRICKS else None
        ours = before is not None and (side(state, mover) == 0) == before
        table.play(action)
        if before is not None and ours and (table_won(table) != before):
            found.append(number)
    return found


def chooser_wins(state):
    return int(solve(state, WIN, new_memory(state.plays))) > 0


def table_won(table):
    if not table.over:
        return chooser_wins(table.state)
    return table.payoffs()[int(table.state.chooser)] > 0


def test_in_snaps_exactly_the_wins_that_were_thrown():
    count = 0
    for seed in range(20):
        session = played("snaps", "rules rules random rules", seed)
        found = review(session)
        assert found.reviewer == "cheater"
        marked = [move.move for move in found.moves if move.loss and move.value > 0 > move.got]
        tricks = [move for move in marked if phase_at(session, move) == TRICKS]
        assert tricks == thrown_wins(session)
        count += len(tricks)
    assert count > 5


def phase_at(session, move):
    return int(session.replay(session.table.history[: move - 1]).state.phase)


def test_a_reviewer_without_values_says_what_it_would_have_done():
    session = played("hanabi", "trustful random", 1, players=2)
    found = review(session, "trustful")
    assert {move.mark for move in found.moves if move.seat == 0} == {""}  # it would do the same again
    assert OTHERWISE in {move.mark for move in found.moves if move.seat == 1}
    assert all((move.best == move.played) == (not move.mark) for move in found.moves)
    assert all(move.loss is None for move in found.moves)


@pytest.mark.parametrize(
    ("seats", "reviewer"),
    [("person hat hat", "hat"), ("hat person hat", "hat"), ("trustful trustful", "trustful")],
)
def test_the_reviewer_suits_the_company(seats, reviewer):
    """Beside hats a promise is none: what trustful would have done is no measure of a move."""
    session = played("hanabi", seats.replace(PERSON, "random"), 1, players=len(seats.split()))
    session.seats = seats.split()
    who, questions = plan(session, None)
    assert who == reviewer
    assert {question.who for _, question in questions} == {reviewer}
    person = next((ply for ply, step in enumerate(session.steps) if session.seats[step.mover] == PERSON), None)
    if person is not None:
        assert session.ask_why(WATCHER, person, []).who == reviewer


def test_what_the_mover_did_not_know_is_not_used():
    """The same view is judged alike, whatever the other holds."""
    judgements = set()
    for seed in range(30):
        table = hh.game("kuhn").deal(seed=seed)
        view = table.view(0)
        if int(view.record.card) != 1:
            continue
        table.play("bet")
        table.play("fold")
        session = Session(Deal(table.game, seed), [PERSON] * 2, recorded=True, actions=table.history)
        first = review(session, "cfr").moves[0]
        judgements.add((round(first.value, 6), round(first.got, 6)))
    assert len(judgements) == 1


def test_a_live_hidden_game_is_not_reviewed():
    game = hh.game("leduc")
    session = Session(Deal(game, 1), [PERSON, PERSON])
    with pytest.raises(UserError, match="ask when the game is over"):
        review(session)


def test_the_opening_is_nobodys_fault():
    session = played("connect_four", "random random", 3)
    drawn = Session(session.deal, session.seats, recorded=True, opening=4, actions=session.table.history)
    assert review(drawn, "alphabeta:depth=1").moves[0].move == 5


def test_at_the_command_line(tmp_path, capsys):
    session = played("tictactoe", "random random", 2)
    session.record().save(tmp_path / "game.json")
    assert hh.review(hh.load_record(tmp_path / "game.json"), "alphabeta") == review(session, "alphabeta")
    assert main(["review", str(tmp_path / "game.json"), "--agent", "alphabeta"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Tic-tac-toe, judged by alphabeta: ")
    assert "The game ended: " in printed
    assert main(["review", str(tmp_path / "game.json"), "--agent", "alphabeta", "--seat", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {move["seat"] for move in document["moves"]} == {1}
    assert np.isclose(document["stake"], 1.0)
    for wrong, message in ((["--seat", "7"], "seats 0 to 1"), (["--agent", "nobody"], "unknown agent")):
        assert main(["review", str(tmp_path / "game.json"), *wrong]) == 2
        assert message in capsys.readouterr().err
