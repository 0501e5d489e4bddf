"""Every game holds every property of the conformance suite."""

from dataclasses import replace

import pytest

from hiddenhand.core.resolver import game, games
from hiddenhand.kernel import Rules, below, rule, shuffle
from hiddenhand.testing import CHECKS, check_hidden, check_nothing_kept, check_tells_nothing


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", games())
def test_conforms(name, check):
    check(game(name))


def leaking(name, redeal):
    """The game with another `redeal`."""
    of = game(name)
    return replace(of, rules=Rules(f"{name}-leaking", {**of.rules.functions, "redeal": redeal}))


def check_sampler(of):
    check_hidden(of)
    check_nothing_kept(of)


@rule
def keep_everything(s, seat, rng):
    pass


@rule
def swap_sometimes(s, seat, rng):
    """Keeps the other's card unless a coin says otherwise: a sampler that leans towards the truth."""
    if s.cards[1] >= 0 and below(rng, 2) == 0:
        s.cards[1 - seat] = 3 - s.cards[0] - s.cards[1]


@rule
def any_card(s, seat, rng):
    """Forgets that the card in one's own hand cannot be in the other's."""
    if s.cards[1 - seat] >= 0:
        s.cards[1 - seat] = below(rng, 3)


@pytest.mark.parametrize("redeal", [keep_everything, swap_sometimes, any_card])
def test_bad_samplers_are_caught(redeal):
    with pytest.raises(AssertionError):
        check_sampler(leaking("kuhn", redeal))


@rule
def keep_the_hand(s, seat, rng):
    """Shuffles the deck of Hanabi and leaves one's own hand as it is."""
    shuffle(rng, s.deck, s.deck_left)


def test_a_sampler_that_keeps_a_part_is_caught():
    with pytest.raises(AssertionError, match="redeal"):
        check_nothing_kept(leaking("hanabi", keep_the_hand))


@pytest.mark.parametrize(
    ("name", "says", "match"),
    [
        ("battleship", lambda s, action: True, "tells its mover something"),
        ("blind_tictactoe", lambda s, action: True, "tells its mover something"),
        ("dominion", lambda s, action: s.steps == 0, "tells its mover something"),
        ("leduc", lambda s, action: s.street == 1, "tells its mover something"),
        ("battleship", lambda s, action: s.places[1 - s.mover, 4] % 2 == 0, "says of .* what is hidden"),
    ],
)
def test_a_move_that_tells_something_is_seen(name, says, match):
    with pytest.raises(AssertionError, match=match):
        check_tells_nothing(replace(game(name), tells_nothing=says))
