"""A game of Dominion at the terminal: what a person reads, may ask and may take back."""

import pytest

from dominion_tables import play, position, seat
from hiddenhand.cli.terminal import Habits, Terminal
from hiddenhand.core.errors import UserError
from hiddenhand.core.record import load_record
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.session import PERSON, Deal, Session
from hiddenhand.games.dominion.texts import meaning, news


def session(seed, opponent="bigmoney", actions=()):
    return Session(Deal(game("dominion"), seed), [PERSON, opponent], actions=actions)


def test_a_whole_game_with_advice_taken(tmp_path, capsys, monkeypatch):
    """The person types what the adviser says; the log tells every purchase of the opponent."""
    live = session(5, "thesis")
    adviser = agent(live.game, "bigmoney")
    asked = []

    def read(prompt):
        asked.append(prompt)
        if live.over:
            raise EOFError
        return "?" if len(asked) % 2 else live.table.ask(adviser).text

    monkeypatch.setattr("builtins.input", read)
    assert Terminal(live, Habits("bigmoney", tmp_path / "game.json")).play() == 0
    told = capsys.readouterr().out
    table = live.table
    bought = [
        move for mover, move in zip(table.movers, table.history_names) if mover == 1 and move.startswith("buy ")
    ]
    assert len(bought) > 10
    assert all(f"player 2 (thesis): {move} (" in told for move in bought)
    assert told.count("my move: ") == sum(mover == 0 for mover in table.movers)
    assert "The game is over: player 1" in told
    assert load_record(tmp_path / "game.json").actions == table.history


def played_until(wanted):
    """A game between two buyers of Woodcutters and Villages, up to a moment of seat 0's turn."""
    table = game("dominion").deal(seed=3)
    buyer = agent(table.game, "menu:Woodcutter up to 2, Village up to 2, Silver")
    while not (table.turn == 0 and wanted(table)):
        table.play(table.ask(buyer).action)
    return session(3, actions=table.history)


def test_a_purchase_with_another_buy_left_may_be_taken_back():
    live = played_until(lambda table: table.state.buys == 2)
    before = len(live.steps)
    live.play_text("buy Copper")
    live.undo([0])
    assert len(live.steps) == len(live.table.history_names) == before


def test_drawing_cannot_be_taken_back():
    live = played_until(lambda table: "play Village" in map(table.action_name, table.legal_actions()))
    live.play_text("play Village")
    with pytest.raises(UserError, match="may have shown you something"):
        live.undo([0])
    assert live.table.history_names[-1] == "play Village"


def test_the_turn_cannot_be_taken_back_after_the_opponent_moved():
    live = session(5)
    live.play_text("done")
    live.play_text("done")
    with pytest.raises(UserError, match="somebody has moved since"):
        live.undo([0])
    assert live.table.history_names == ["done", "done"]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("smithy", "Smithy, action, costs 4: +3 cards"),
        ("throne room", "Throne Room, action, costs 4: Choose an Action in your hand and play it twice."),
        ("Curse", "Curse, curse, costs 0: -1 point"),
        ("nonsense", ""),
    ],
)
def test_a_card_can_be_looked_up(word, text):
    assert meaning(word) == text


def test_news_tell_what_an_attack_did():
    table = position(seat("Witch", deck="2 Copper"), seat(), seat())
    before = table.state.copy()
    play(table, "play Witch")
    assert news(before, table.state, 1) == ["you gain Curse", "seat 2 gains Curse"]
    assert news(before, table.state, 0) == ["seat 1 gains Curse", "seat 2 gains Curse"]


def test_news_keep_what_only_the_owner_knows():
    table = position(seat("Artisan, Gold, Estate"), seat(), edition="second")
    play(table, "play Artisan", "gain Duchy")
    before = table.state.copy()
    table.play("put back Gold")
    assert news(before, table.state, 0) == ["on your deck lies Gold"]
    assert news(before, table.state, 1) == []
