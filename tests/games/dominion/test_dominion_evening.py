"""A game of Dominion at the terminal: what a person reads, may ask and may take back."""

import pytest

from dominion_tables import play, position, seat
from hiddenhand.cli.evening import Evening
from hiddenhand.core.resolver import agent, game
from hiddenhand.games.dominion.screen import meaning, news


def evening(table, tmp_path, opponent="bigmoney"):
    players = {1: agent(table.game, opponent)}
    return Evening(table, [0], players, agent(table.game, "bigmoney"), tmp_path / "game.json")


def test_a_whole_game_with_advice_taken(tmp_path, capsys, monkeypatch):
    """The person types what the adviser says; the log tells every purchase of the opponent."""
    table = game("dominion").deal(seed=5)
    night = evening(table, tmp_path, "thesis")
    asked = []

    def read(prompt):
        asked.append(prompt)
        return "?" if len(asked) % 2 else table.ask(night.expert).text

    monkeypatch.setattr("builtins.input", read)
    assert night.play() == 0
    told = capsys.readouterr().out
    bought = [move for mover, move in zip(table.movers, table.moves) if mover == 1 and move.startswith("buy ")]
    assert len(bought) > 10
    assert all(f"seat 1 (thesis): {move} (" in told for move in bought)
    assert told.count("my move: ") == sum(mover == 0 for mover in table.movers)
    assert "The game is over: seat 0" in told


def played_until(wanted):
    """A game between two buyers of Woodcutters and Villages, up to a moment of seat 0's turn."""
    table = game("dominion").deal(seed=3)
    buyer = agent(table.game, "menu:Woodcutter up to 2, Village up to 2, Silver")
    while not (table.turn == 0 and wanted(table)):
        table.play(table.ask(buyer).action)
    return table


def test_a_purchase_with_another_buy_left_may_be_taken_back(tmp_path, capsys):
    table = played_until(lambda table: table.state.buys == 2)
    before = len(table.moves)
    table.play("buy Copper")
    evening(table, tmp_path).undo()
    assert len(table.moves) == before
    assert capsys.readouterr().err == ""


def test_drawing_cannot_be_taken_back(tmp_path, capsys):
    table = played_until(lambda table: "play Village" in map(table.text, table.legal()))
    table.play("play Village")
    evening(table, tmp_path).undo()
    assert table.moves[-1] == "play Village"
    assert "showed you something" in capsys.readouterr().err


def test_the_turn_cannot_be_taken_back_after_the_opponent_moved(tmp_path, capsys):
    table = game("dominion").deal(seed=5)
    table.play("done")
    table.play("done")
    evening(table, tmp_path).undo()
    assert table.moves == ["done", "done"]
    assert "somebody has moved since" in capsys.readouterr().err


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
