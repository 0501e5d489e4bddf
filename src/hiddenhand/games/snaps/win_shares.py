"""In what share of the deals that a player could imagine does a card win? The games' side of a review.

Every deal that agrees with all that he had seen counts the same; if there are many, a sample of them is looked at. In
each, all cards lie open and the play is solved: so it is told how much of a slip could be seen at the table, and how
much only by whoever knows all hands.
"""

from collections.abc import Sequence

import numpy as np

from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.deals import numbered_deal
from hiddenhand.games.snaps.beliefs.exact import draw_exact, lay_out
from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS, bit
from hiddenhand.games.snaps.knowledge import possible_deals
from hiddenhand.games.snaps.rules import name_card
from hiddenhand.games.snaps.solver import WIN, new_memory, solve, solve_moves
from hiddenhand.games.snaps.state import CHOOSING, STATE, TRICKS
from hiddenhand.kernel import allocate, copy, rule, uniform

MOST = 400  # deals that are looked at


@rule
def count_wins(view, seat, actions, most, rng, wins):
    """Count in wins int64[actions] the deals that each action wins with open cards; returns how many deals there
    were.

    There are at most `most`. If more are possible, their list is cut into `most` equal parts, and one deal is drawn
    from each.
    """
    deals = possible_deals(view, seat)
    total = deals.total
    owners = np.empty(CARDS, np.int64)
    hands = np.empty(SEATS, np.int64)
    values = np.empty(len(actions))
    world = allocate(STATE, 1)
    memory = new_memory(view.plays)
    n = np.int64(min(total, np.float64(most)))
    for i in range(n):
        number = np.float64(i)
        if total > n:
            number = min(np.floor((i + uniform(rng)) * (total / n)), total - 1.0)
        numbered_deal(deals.weights, deals.slots, deals.ways, number, owners)
        lay_out(view, seat, deals, owners, hands)
        imagine_hands(world[0], view, hands)
        solve_moves(world[0], actions, len(actions), WIN, memory, values)
        for k in range(len(actions)):
            if values[k] > 0:
                wins[k] += 1
    return n


@rule
def count_named(view, seat, cards, rng, hands, wins):
    """Count in wins int64[cards] the deals that the chooser wins with open cards if he names each of these cards.

    hands int64[deals, 4]: room for the deals that are drawn
    """
    draw_exact(view, seat, rng, hands)
    world = allocate(STATE, 1)
    memory = new_memory(0)
    for i in range(len(hands)):
        for k in range(len(cards)):
            copy(world[0], view)
            for other in range(SEATS):
                world[0].hands[other] = hands[i, other]
            name_card(world[0], cards[k])
            if solve(world[0], WIN, memory) > 0:
                wins[k] += 1


@rule
def imagine_hands(world, view, hands):
    """Make `world` the state in which the view's seat sits, with these four hands, int64[4]."""
    copy(world, view)
    world.holder = NONE
    for seat in range(SEATS):
        world.hands[seat] = hands[seat]
        if hands[seat] & bit(view.named):
            world.holder = seat
    for i in range(view.plays):
        if view.played[i] == view.named:
            world.holder = view.played_by[i]


def shares(view: View, actions: Sequence[int]) -> list[float]:
    """For each of these actions, the share of the deals it wins; empty where kontra is the question."""
    wins = np.zeros(len(actions), np.int64)
    if view.record.phase == CHOOSING:
        hands = np.zeros((MOST, SEATS), np.int64)
        count_named(view.record, view.seat, np.array(actions, np.int64), view.stream(), hands, wins)
        return [float(won / MOST) for won in wins]
    if view.record.phase != TRICKS:
        return []
    n = count_wins(view.record, view.seat, np.array(actions, np.int64), MOST, view.stream(), wins)
    return [float(won / n) for won in wins]
