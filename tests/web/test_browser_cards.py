"""The screens of Hanabi, snaps and Dominion: beliefs, advice, the last move, the end, and play by keyboard."""

import re

import pytest
from test_browser_tables import hanabi_player, snaps_player

SEAT = re.compile(r"\bseat \d")


def drawing(person):
    return person.page.inner_text(".drawing")


def chances_in(texts):
    return [int(re.search(r"(\d+) %", text).group(1)) for text in texts]


def test_chances_of_one_s_own_cards_in_hanabi(person, site):
    person.sit(site.table("hanabi", "me simple_distrustful", options={"players": 2}, seed=11))
    person.my_turn()
    person.page.keyboard.press("c")
    person.page.wait_for_selector(".hand.mine .card-belief")
    beliefs = person.page.locator(".hand.mine .card-belief")
    assert beliefs.count() == person.page.locator(".hand.mine .hanabi-card.back").count() == 5
    for i in range(5):
        likely = chances_in(beliefs.nth(i).locator(".card-chance").all_inner_texts())
        assert len(likely) == 3
        assert likely == sorted(likely, reverse=True)
        assert chances_in([beliefs.nth(i).locator(".card-playable").inner_text()])[0] > 0  # any 1 can be played
    assert person.page.locator(".hand:not(.mine) .card-belief").count() == 0


def test_one_s_own_cards_of_hanabi_are_seen_at_the_end(person, site):
    person.sit(site.table("hanabi", "me simple_distrustful", options={"players": 2}, seed=11))
    person.play_by_clicks(hanabi_player)
    person.page.wait_for_selector(".hand.mine .hanabi-card.face")
    assert person.page.locator(".hand.mine .hanabi-card.back").count() == 0
    assert not SEAT.search(drawing(person))


def enter(person, *selectors):
    """Press Enter on the first of these that is there, and wait until the game has gone on."""
    before = person.ply()
    person.page.locator(person.any_of(*selectors)).first.press("Enter")
    person.wait_for("([before]) => document.querySelector('.clock output').innerText !== before", before)


def hanabi_by_keys(person):
    person.page.locator(".hand.mine .hanabi-card").first.press("Enter")
    enter(person, ".hand.mine .choices [data-action]")


def snaps_by_keys(person):
    if person.page.query_selector(".snaps-hand [data-several]"):
        person.page.locator(".snaps-hand [data-several]").first.press("Enter")
    enter(person, ".drawing .snaps-press[data-action]", ".drawing .choices [data-action]")


def dominion_by_keys(person):
    bought = [f".supply [data-thing={card}][data-action]" for card in ("Province", "Gold", "Silver")]
    enter(person, *bought, ".dominion-hand .choices [data-action]")


KEYBOARDS = {
    "hanabi": ("me simple_distrustful", {"players": 2}, hanabi_by_keys),
    "snaps": ("me rules rules rules", {}, snaps_by_keys),
    "dominion": ("me bigmoney", {}, dominion_by_keys),
}


@pytest.mark.parametrize("game", KEYBOARDS)
def test_a_whole_game_by_keyboard(person, site, game):
    seats, options, choose = KEYBOARDS[game]
    person.sit(site.table(game, seats, options=options, seed=12))
    person.play_by_clicks(choose)
    assert person.status() == "The game is over"


@pytest.mark.parametrize("width", [1280, 700])
def test_the_text_of_no_card_is_cut_off_at_the_edge(person, site, width):
    person.page.set_viewport_size({"width": width, "height": 1000})
    person.sit(site.table("dominion", "me bigmoney", seed=12))
    person.my_turn()
    edge = person.page.evaluate("() => document.querySelector('.drawing').getBoundingClientRect().right")
    tiles = person.page.locator(".kingdom .tile")
    assert tiles.count() == 10
    for i in range(10):
        tiles.nth(i).hover()
        shown = tiles.nth(i).locator(".card-text").bounding_box()
        assert shown["x"] + shown["width"] <= edge


def test_who_may_hold_which_card_of_snaps(person, site):
    person.sit(site.table("snaps", "me rules rules rules", seed=11))
    person.my_turn()
    snaps_player(person)
    person.my_turn()
    person.page.keyboard.press("c")
    person.page.wait_for_selector(".snaps-belief table")
    seen = person.page.locator(".snaps-hand [data-thing], .trick [data-thing]").count()
    columns = person.page.locator(".snaps-belief thead th[scope=col]")
    assert columns.count() == 24 - seen
    rows = [row.locator("td").all_inner_texts() for row in person.page.locator(".snaps-belief tbody tr").all()]
    assert len(rows) == 3
    for column in zip(*rows):
        assert abs(sum(int(chance or 0) for chance in column) - 100) <= 2
    shown = [text for text in person.page.locator(".snaps-player .soft").all_inner_texts() if "%" in text]
    assert abs(sum(chances_in(shown)) - 100) <= 2
    assert len(shown) == 4
    assert not SEAT.search(drawing(person))


def test_a_hint_glows_on_the_pile_that_it_is_about(person, site):
    person.sit(site.table("dominion", "me bigmoney", seed=11))
    person.my_turn()
    person.page.keyboard.press("h")
    person.page.wait_for_selector(".tile.advised")
    advised = person.page.locator(".tile.advised")
    assert advised.count() == 1
    suggested = person.page.inner_text(".why b")
    assert suggested == f"buy {advised.get_attribute('data-thing')}"
    person.press(".tile.advised")
    assert person.log()[0].endswith(suggested)


def test_the_last_move_is_marked(person, site):
    person.sit(site.table("dominion", "me bigmoney", seed=11))
    person.my_turn()
    person.press(".supply [data-action][aria-label^='buy Silver']")
    person.my_turn()
    marked = person.page.locator(".tile.last").get_attribute("data-thing")
    assert f"buy {marked}" in person.log()[-1]
