"""Every table in a real browser: a whole game played by clicks on its drawing."""

import pytest

from hiddenhand.core import resolver
from hiddenhand.core.table import Table


def first_on_the_drawing(person):
    person.press(".drawing [data-action]")


def hanabi_player(person):
    """Plays its cards blindly: that ends soon."""
    person.page.locator(".hand.mine .hanabi-card").first.click()
    person.press(".hand.mine .choices [data-action]")


def dominion_player(person):
    """The dearest Treasure or Province, or nothing."""
    bought = [f".supply [data-action][aria-label^='buy {card}']" for card in ("Province", "Gold", "Silver")]
    person.press(person.any_of(*bought, ".dominion-hand .choices [data-action]"))


def snaps_player(person):
    """Cards first; of a king with its over, the first of the ways to play it."""
    if person.page.query_selector(".snaps-hand [data-several]"):
        person.page.locator(".snaps-hand [data-several]").first.click()
    person.press(person.any_of(".drawing .snaps-press[data-action]", ".drawing .choices [data-action]"))


def backgammon_player(person):
    """A checker; where two dice fit it, then where it goes."""
    if not person.page.query_selector(".drawing [data-action]"):
        person.page.locator(".drawing [data-place]").first.click()
    person.press(".drawing [data-action]")


def listed_move(person):
    person.press(".move-list button")


TABLES = {
    "tictactoe": ("me random", {}, first_on_the_drawing),
    "connect_four": ("me random", {}, first_on_the_drawing),
    "reversi": ("me random", {}, first_on_the_drawing),
    "blind_tictactoe": ("me random", {}, first_on_the_drawing),
    "battleship": ("me random", {"size": 6, "ships": 2}, first_on_the_drawing),
    "kuhn": ("me random", {}, first_on_the_drawing),
    "leduc": ("me random", {}, first_on_the_drawing),
    "hanabi": ("me simple_distrustful", {"players": 2}, hanabi_player),
    "dominion": ("me bigmoney", {}, dominion_player),
    "snaps": ("me rules rules rules", {}, snaps_player),
    "dorban": ("me", {"steps": 4}, first_on_the_drawing),
    "tree": ("me random", {}, listed_move),
}


@pytest.mark.parametrize("game", TABLES)
def test_a_whole_game_by_clicks(person, site, game):
    seats, options, choose = TABLES[game]
    person.sit(site.table(game, seats, options=options, seed=11))
    person.play_by_clicks(choose)
    assert person.page.inner_text(".outcome b")
    assert person.status() == "The game is over"
    assert person.log()
    record = site.get(f"/api/tables/{person.page.url.rsplit('/', 1)[1]}/record")
    assert record["payoffs"] is not None
    assert len(record["actions"]) == int(person.ply().split("/")[1])


def test_the_end_of_a_game_of_backgammon_by_clicks(person, site):
    """From a saved game, shortly before its end."""
    table = Table(resolver.game("backgammon"), seed=3)
    agent = resolver.agent("backgammon", "random")
    while not table.over:
        table.play(table.ask(agent).action)
    kept = site.post("/api/records", **table.record().to_json())
    seats = [{"who": "me"}, {"who": "agent", "agent": "random"}]
    made = site.post(f"/api/tables/{kept['table']}/branch", ply=len(table.history) - 30, seats=seats)
    person.sit(made)
    person.play_by_clicks(backgammon_player)
    assert "won" in person.page.inner_text(".outcome") or "lost" in person.page.inner_text(".outcome")
