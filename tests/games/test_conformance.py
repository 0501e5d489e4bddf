"""Every game holds every property of the conformance suite."""

from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.core.resolver import game, games
from hiddenhand.games.blind_tictactoe import legal as legal_blindly
from hiddenhand.games.blind_tictactoe import observe as observe_blindly
from hiddenhand.games.blind_tictactoe import play as play_blindly
from hiddenhand.games.goofspiel import observe as observe_bids
from hiddenhand.games.kuhn import redeal, rewind, world
from hiddenhand.kernel import OVER, below, copy, rule, shuffle
from hiddenhand.testing import (
    CHECKS,
    check_game,
    check_hidden,
    check_nothing_kept,
    check_private,
    check_rewind,
    check_simultaneous,
    check_tells_nothing,
    check_vary,
    check_worlds,
)

FAST = ("kuhn", "tictactoe")
"""Games small enough for `make check`."""


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.fast] if name in FAST else []) for name in games()]
)
def test_conforms(name, check):
    check(game(name))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("blind_tictactoe", {"abrupt": True}),
        ("dark_hex", {"abrupt": True}),
        ("dark_hex", {"size": 4}),
        ("goofspiel", {"order": "random", "cards": 6}),
        ("kuhn", {"players": 3}),
        ("kuhn", {"players": 5, "ranks": 13}),
        ("leduc", {"players": 3}),
        ("leduc", {"players": 5, "ranks": 13}),
        ("liars_dice", {"dice": 2, "faces": 3}),
    ],
)
def test_variants_conform(name, options):
    """Options that change what is hidden: each of these games is compiled once for all its variants."""
    check_game(name, **options)


def changed(name, **rules):
    """The game with other rules in the place of its own."""
    of = game(name)
    return replace(of, rules=of.rules.replaced(**rules))


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


@pytest.mark.parametrize("sampler", [keep_everything, swap_sometimes, any_card])
def test_bad_samplers_are_caught(sampler):
    with pytest.raises(AssertionError):
        check_sampler(changed("kuhn", redeal=sampler))


@rule
def keep_the_hand(s, seat, rng):
    """Shuffles the deck of Hanabi and leaves one's own hand as it is."""
    shuffle(rng, s.deck, s.deck_left)


def test_a_sampler_that_keeps_a_part_is_caught():
    with pytest.raises(AssertionError, match="redeal"):
        check_nothing_kept(changed("hanabi", redeal=keep_the_hand))


@rule
def turn_by_names(s):
    """Looks at what seat 0 has named, though that never changes whose turn it is."""
    if s.winner != -1 or s.moves == 9 or (s.moves > 0 and s.names[0] == 0):
        return OVER
    return np.int64(s.mover)


@rule
def play_and_tell(s, action, rng):
    """The other learns which of its marks was found."""
    before = s.found[s.mover]
    mover = np.int64(s.mover)
    play_blindly(s, action, rng)
    s.found[1 - mover] |= s.found[mover] & ~before


@rule
def observe_names(s, seat, view):
    observe_blindly(s, seat, view)
    view.names += s.names[1 - seat]


@rule
def legal_by_names(s, out):
    return max(1, legal_blindly(s, out) - (s.names[1 - s.mover] > 2))


@pytest.mark.parametrize(
    "rules",
    [
        {"turn": turn_by_names},
        {"play": play_and_tell},
        {"observe": observe_names},
        {"legal": legal_by_names},
    ],
    ids=lambda rules: next(iter(rules)),
)
def test_what_is_not_private_is_seen(rules):
    with pytest.raises(AssertionError, match=f"{next(iter(rules))} .*the private entries of seat"):
        check_private(changed("blind_tictactoe", **rules))


@rule
def observe_both(s, seat, view):
    observe_bids(s, seat, view)
    view.points[0] += s.bids[0, s.made] if s.made < s.count else 0


def test_a_bid_that_is_seen_in_its_round_is_caught():
    with pytest.raises(AssertionError, match="somebody sees what seat 0 chose in this round"):
        check_simultaneous(changed("goofspiel", observe=observe_both))


@rule
def forget_the_cards(s, first, actions):
    """The moves from where they began, with the cards as they lie: no deal of the game."""
    copy(first, s)
    for i in range(s.made):
        first.moves[i] = -1
        actions[i] = s.moves[i]
    first.made = 0
    return np.int64(s.made)


@rule
def forget_the_order(s, first, actions):
    """Deals the higher card first, whoever has it."""
    n = rewind(s, first, actions)
    if n > 1 and actions[0] < actions[1]:
        actions[0], actions[1] = actions[1], actions[0]
    return n


@rule
def one_world(s, seat):
    return 1


@rule
def twice_as_likely(s, seat, number, rng):
    world(s, seat, number, rng)
    return 1.0 + number


@rule
def towards_the_king(s, seat, rng):
    """The higher of two cards is kept three times out of four."""
    before = s.cards[1 - seat]
    redeal(s, seat, rng)
    if before > s.cards[1 - seat] and below(rng, 2) == 0:
        s.cards[1 - seat] = before


@rule
def no_step(s, seat, rng):
    pass


@pytest.mark.parametrize(
    ("check", "match", "rules"),
    [
        (check_rewind, "another deal", {"rewind": forget_the_cards}),
        (check_rewind, "another state", {"rewind": forget_the_order}),
        (check_worlds, "not listed", {"worlds": one_world}),
        (check_worlds, "as their weights say", {"world": twice_as_likely}),
        (check_vary, "more often than back", {"vary": towards_the_king}),
        (check_vary, "does not reach", {"vary": no_step}),
        (check_vary, "never draws", {"vary": any_card}),
    ],
)
def test_wrong_worlds_are_caught(check, match, rules):
    with pytest.raises(AssertionError, match=match):
        check(changed("kuhn", **rules))


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
    of = game(name)
    with pytest.raises(AssertionError, match=match):
        check_tells_nothing(replace(of, people=replace(of.people, tells_nothing=says)))
