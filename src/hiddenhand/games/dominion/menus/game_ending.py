"""What a purchase means for the end of the game: whether it ends the game, and who has won then."""

import numpy as np

from hiddenhand.games.dominion.cards import POINTS, PROVINCE
from hiddenhand.games.dominion.rules import points, points_with, standing
from hiddenhand.games.dominion.state import MOST_TURNS
from hiddenhand.kernel import rule

GOES_ON, LOSES, TIES, WINS = range(4)


@rule
def outcome_of_buying(view, seat, card):
    """What becomes of the game if I buy this card and nothing else."""
    last = view.supply[card] == 1
    if not last or (card != PROVINCE and view.empty_piles < 2):
        return GOES_ON
    mine = standing_with(view, seat, card)
    outcome = WINS
    for other in range(view.players):
        if other != seat:
            theirs = standing(view, other)
            if theirs > mine:
                return LOSES
            if theirs == mine:
                outcome = TIES
    return outcome


@rule
def standing_with(view, seat, card):
    """My points and turns, as they decide the game, with one card more."""
    return points_with(view, seat, card) * (MOST_TURNS + 1) - view.turns[seat]


@rule
def opens_the_last(view, seat, card):
    """Whether this is the last Province but one, and another player who then buys the last would beat me."""
    if card != PROVINCE or view.supply[PROVINCE] != 2:
        return False
    mine = standing_with(view, seat, PROVINCE)
    for other in range(view.players):
        if other != seat and standing(view, other) + POINTS[PROVINCE] * (MOST_TURNS + 1) - 1 > mine:
            return True  # the 1 is for the turn in which he buys it
    return False


@rule
def lead(view, seat):
    """By how many points I am ahead of the best of the others."""
    best = -MOST_TURNS
    for other in range(view.players):
        if other != seat:
            best = max(best, np.int64(points(view, other)))
    return np.int64(points(view, seat)) - best
