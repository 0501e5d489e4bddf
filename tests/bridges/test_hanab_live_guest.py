"""An agent of ours at a table of hanab.live: a stand-in for the server speaks as the server's own example expects."""

import asyncio
from collections import Counter

from hanab_live_server import game
from hiddenhand.bridges.hanab_live import LobbyClient, fitting, main
from hiddenhand.games.hanabi.hanab_live import NAMES_COLOUR, NAMES_RANK


def test_a_whole_game_over_websockets():
    """Before every move the guest sees what the seat sees at the true table, though it knows no hidden card."""
    table, compared = asyncio.run(asyncio.wait_for(game(5, "random"), 300))
    assert table.over
    assert compared == len(table.history) > 5


def test_cards_that_fit_what_was_told():
    """Two cards are left of red (0 to 4) and one of green (5 to 9); one of ours is no red, the other a 2."""
    left = Counter({0: 1, 1: 1, 5: 1})
    hints = {10: [(NAMES_COLOUR, 0, False)], 11: [(NAMES_COLOUR, 0, True), (NAMES_RANK, 2, True)]}
    assert fitting([10, 11], hints, left) == {10: 5, 11: 1}
    assert left == Counter({0: 1, 1: 1, 5: 1})
    assert fitting([10, 11], {**hints, 10: [(NAMES_RANK, 2, True)]}, left) is None


def test_in_the_lobby():
    guest = LobbyClient("random")
    assert guest.told("welcome", {"username": "Bot"}) == []
    wish = {"who": "Ann", "recipient": "Bot", "msg": "/join"}
    [(word, said)] = guest.told("chat", wish)
    assert (word, said["recipient"]) == ("chatPM", "Ann")
    guest.told("tableList", [{"id": 3, "players": ["Ann"], "running": False}])
    assert guest.told("chat", wish) == [("tableJoin", {"tableID": 3})]
    assert guest.told("chat", {**wish, "recipient": ""}) == []
    guest.told("tableGone", {"tableID": 3})
    assert guest.told("chat", wish)[0][0] == "chatPM"
    variant = {
        "tableID": 4,
        "playerNames": ["Ann", "Bot"],
        "ourPlayerIndex": 1,
        "options": {"variantName": "Rainbow"},
    }
    assert guest.told("init", variant) == [("tableUnattend", {"tableID": 4})]
    assert guest.told("something new", {}) == []


def test_mistakes_are_said_in_one_line(capsys, monkeypatch):
    monkeypatch.delenv("HANABI_PASSWORD", raising=False)
    assert main(["Bot", "--agent", "trustfull"]) == 2
    assert main(["Bot"]) == 2
    monkeypatch.setenv("HANABI_PASSWORD", "secret")
    assert main(["Bot", "--server", "http://127.0.0.1:9"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in told] == ["error"] * 3
    assert "did you mean trustful" in told[0]
    assert "HANABI_PASSWORD" in told[1]
    assert "does not let Bot in" in told[2]
