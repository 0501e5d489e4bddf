"""Whole games with the keyboard alone: the boards are reached by Tab and the arrows, and played by Enter or space."""

import pytest

from browsing import LONGEST

GAMES = {
    "backgammon": ("me random", {}),
    "dorban": ("me", {"steps": 5}),
    "hanabi": ("me trustful", {"players": 2}),
    "snaps": ("me rules rules rules", {}),
}
PRESSED = (
    ".drawing .choices [data-action]",
    ".drawing .target[role=button]",
    ".drawing [data-action]",
    ".drawing .hanabi-card:not([aria-disabled=true])",
    ".drawing [data-several]",
    ".drawing [data-place][role=button]",
)
"""What a move begins with, or goes on with, the most decided first."""


def reach(person, selector, most=250):
    """Press Tab until the focus is on something that fits; boards are walked over by the arrows."""
    for _ in range(most):
        if person.page.evaluate("([wanted]) => document.activeElement.matches(wanted)", [selector]):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def move(person):
    """One move on the drawing: press what can be pressed, then what it opens, until the game has gone on."""
    before = person.ply()
    for _ in range(6):
        selector = next(each for each in PRESSED if person.page.query_selector(each))
        reach(person, selector)
        person.page.keyboard.press("Enter")
        person.page.wait_for_timeout(60)
        if person.ply() != before or person.over():
            return
    raise AssertionError("no move was made by the keyboard")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_with_the_keyboard_alone(person, site, game):
    seats, options = GAMES[game]
    person.sit(site.table(game, seats, options=options, seed=4))
    for _ in range(LONGEST):
        if not person.my_turn():
            break
        move(person)
    assert person.over()
