"""Whole games of backgammon and Dorban with the keyboard alone, and boards that Tab leads to.

(Those of Hanabi, snaps and Dominion are in test_browser_cards.)
"""

import pytest

GAMES = {
    "backgammon": ("me random", {}),
    "dorban": ("me", {"steps": 6}),
    "hanabi": ("me trustful", {"players": 2}),
    "snaps": ("me rules rules rules", {}),
}
PRESSED = (
    ".drawing .target[role=button]",
    ".drawing [data-action]",
    ".drawing .hanabi-card:not([aria-disabled=true])",
    ".drawing [data-several]",
    ".drawing [data-place][role=button]",
)
"""What a move begins with, or goes on with, the most decided first."""


def pressed(person):
    """What is pressed next."""
    return person.any_of(*PRESSED)


def by_keys(person):
    """One move: Enter on what can be pressed, and on what that opens, until the game has gone on."""
    before = person.ply()
    for _ in range(3):
        person.page.locator(pressed(person)).first.press("Enter")
        person.page.wait_for_timeout(50)
        if person.page.query_selector(".drawing .target, .drawing .chosen, .drawing .choices") is None:
            break
        if person.ply() != before or person.over():
            break
    person.wait_for("([before]) => document.querySelector('.clock output').innerText !== before", before)


@pytest.mark.parametrize("game", ["backgammon", "dorban"])
def test_a_whole_game_with_the_keyboard_alone(person, site, game):
    seats, options = GAMES[game]
    person.sit(site.table(game, seats, options=options, seed=4))
    person.play_by_clicks(by_keys)
    assert person.status() == "The game is over"


@pytest.mark.parametrize("game", GAMES)
def test_tab_leads_to_the_board(person, site, game):
    """And what has the focus is seen to have it."""
    seats, options = GAMES[game]
    person.sit(site.table(game, seats, options=options, seed=4))
    assert person.my_turn()
    selector = pressed(person)
    for _ in range(120):
        if person.page.evaluate("([wanted]) => document.activeElement.matches(wanted)", [selector]):
            break
        person.page.keyboard.press("Tab")
    else:
        raise AssertionError(f"Tab does not lead to {selector}")
    assert person.page.evaluate("() => document.activeElement.matches(':focus-visible')")
    person.page.keyboard.press("Enter")
    person.wait_for("() => document.querySelector('.choices, .target, .chosen, .log button')")
