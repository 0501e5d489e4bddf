"""How far away the end of the game is, by the cards that must still be bought for it.

Fulla's text (4.2.4, 6.2) says only that the estimate comes from the least number and cost of cards that must be
bought, falls to 0 at the end, and that about five Provinces make 100. Ours: a card counts PER_CARD, and PER_COIN for
each coin it costs; the estimate is the smaller of all Provinces together and of the three piles that are nearest to
their end. A game for two begins at 152, and five Provinces make 95.

The two numbers were fitted to the two published genomes that have seasons (see `published`): a turn at five Provinces
gives the first its 0.80 (at four or six it gets 0.76), and of ten weightings tried these came near to the second's
0.98, without reaching it. So those two are no independent confirmation of the formula.
"""

from hiddenhand.games.dominion.cards import COST, PROVINCE
from hiddenhand.games.dominion.state import PILES
from hiddenhand.kernel import rule

PER_CARD, PER_COIN = 3, 2
FAR = 1 << 30


@rule
def pile_distance(view, card):
    """What it takes to empty a pile."""
    return view.supply[card] * (PER_CARD + PER_COIN * COST[card])


@rule
def estimate_game_end(view):
    first, second, third = FAR, FAR, FAR  # the three piles nearest to their end, the nearest first
    for i in range(PILES):
        distance = pile_distance(view, view.piles[i])
        if distance < third:
            if distance < first:
                first, second, third = distance, first, second
            elif distance < second:
                second, third = distance, second
            else:
                third = distance
    return min(first + second + third, pile_distance(view, PROVINCE))
