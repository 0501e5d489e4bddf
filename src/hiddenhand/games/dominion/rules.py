"""The course of a game: turns, buying, the end, and the winners.

Treasures are played by themselves when the buy phase begins: with these cards nobody can gain by
keeping one back. A question with only one answer is not asked.
"""

import numpy as np

from hiddenhand.games.dominion.answers import answer
from hiddenhand.games.dominion.cards import (
    ACTION,
    COINS,
    COPPER,
    DUCHY,
    DUKE,
    ESTATE,
    GARDENS,
    GOLD,
    HAREM,
    POINTS,
    PROVINCE,
    SILVER,
    price,
)
from hiddenhand.games.dominion.questions import only_answer, write_answers
from hiddenhand.games.dominion.stack import CHOOSE, STOP, next_seat
from hiddenhand.games.dominion.state import ACTIONS_PHASE, BASIC, BUY_PHASE, HAND, MOST_TURNS, PILES, WIDTH
from hiddenhand.games.dominion.steps import FIRST_QUESTION
from hiddenhand.games.dominion.work import play_action, work
from hiddenhand.games.dominion.zones import NOTHING, discard_play_and_hand, draw, gain, leave_hand
from hiddenhand.kernel import OVER, rule

COPPERS, ESTATES = 7, 3  # that everybody starts with


@rule
def deal(s, rng):
    for seat in range(s.players):
        s.owned[seat, COPPER] = COPPERS
        s.owned[seat, ESTATE] = ESTATES
        for i in range(COPPERS + ESTATES):
            s.decks[seat, i] = COPPER if i < COPPERS else ESTATE
        s.deck_sizes[seat] = COPPERS + ESTATES
        draw(s, seat, HAND, rng)
    begin_turn(s, 0)


@rule
def begin_turn(s, seat):
    s.current = seat
    s.turns[seat] += 1
    s.actions = 1
    s.buys = 1
    s.coins = 0
    s.merchants = 0
    s.bridges = 0
    s.played = 0
    s.phase = ACTIONS_PHASE
    if not holds_action(s):
        begin_buying(s)


@rule
def holds_action(s):
    for i in range(BASIC, PILES):
        card = s.piles[i]
        if s.hands[s.current, card] > 0 and ACTION[card]:
            return True
    return False


@rule
def begin_buying(s):
    """Every Treasure is played; with Merchants the first Silver gives more."""
    s.phase = BUY_PHASE
    seat = s.current
    if s.hands[seat, SILVER] > 0:
        s.coins += s.merchants
    for treasure in range(COPPER, GOLD + 1):
        count = s.hands[seat, treasure]
        s.coins += count * COINS[treasure]
        s.in_play[treasure] += count
        s.hand_sizes[seat] -= count
        s.hands[seat, treasure] = 0
        s.shown[seat, treasure] = 0
    if s.hands[seat, HAREM] > 0:
        count = s.hands[seat, HAREM]
        s.coins += count * COINS[HAREM]
        s.in_play[HAREM] += count
        s.hand_sizes[seat] -= count
        s.hands[seat, HAREM] = 0
        s.shown[seat, HAREM] = 0


@rule
def turn(s):
    if s.over != 0:
        return OVER
    if s.steps > 0:
        return np.int64(s.step_seats[s.steps - 1])
    return np.int64(s.current)


@rule
def legal(s, out):
    if s.steps > 0:
        return write_answers(s, out)
    out[0] = STOP
    n = 1
    if s.phase == ACTIONS_PHASE:
        for i in range(BASIC, PILES):
            card = s.piles[i]
            if s.hands[s.current, card] > 0 and ACTION[card]:
                out[n] = CHOOSE + card
                n += 1
        return n
    for i in range(PILES):
        card = s.piles[i]
        if s.supply[card] > 0 and price(s, card) <= s.coins:
            out[n] = CHOOSE + card
            n += 1
    return n


@rule
def play(s, action, rng):
    if s.steps > 0:
        answer(s, action, rng)
    elif s.phase == BUY_PHASE:
        buy(s, action)
    elif action == STOP:
        begin_buying(s)
    else:
        leave_hand(s, s.current, action - CHOOSE)
        s.actions -= 1
        play_action(s, action - CHOOSE)
    go_on(s, rng)


@rule
def buy(s, action):
    if action == STOP:
        s.buys = 0
        return
    card = action - CHOOSE
    s.buys -= 1
    s.coins -= price(s, card)
    gain(s, s.current, card)


@rule
def go_on(s, rng):
    """Carry out everything that needs no decision, up to the next question that leaves a choice."""
    while s.steps > 0:
        if s.step_kinds[s.steps - 1] < FIRST_QUESTION:
            work(s, rng)
        else:
            forced = only_answer(s)
            if forced < 0:
                return
            answer(s, forced, rng)
    if s.phase == ACTIONS_PHASE and (s.actions == 0 or not holds_action(s)):
        begin_buying(s)
    if s.phase == BUY_PHASE and s.buys == 0:
        end_turn(s, rng)


@rule
def end_turn(s, rng):
    discard_play_and_hand(s)
    draw(s, s.current, HAND, rng)
    seat = next_seat(s, s.current)
    if s.supply[PROVINCE] == 0 or s.empty_piles >= 3 or s.turns[seat] == MOST_TURNS:
        s.over = 1
    else:
        begin_turn(s, seat)


# ---- the end


@rule
def points(s, seat):
    """What a player's cards are worth."""
    return points_with(s, seat, NOTHING)


@rule
def points_with(s, seat, more):
    """The same with one card more."""
    total, cards, gardens, dukes, duchies = 0, 0, 0, 0, 0
    for i in range(PILES):
        card = s.piles[i]
        count = np.int64(s.owned[seat, card]) + (1 if card == more else 0)
        cards += count
        total += count * POINTS[card]
        if card == GARDENS:
            gardens = count
        elif card == DUKE:
            dukes = count
        elif card == DUCHY:
            duchies = count
    return total + gardens * (cards // 10) + dukes * duchies


@rule
def standing(s, seat):
    """What decides the game: points, then fewer turns."""
    return points(s, seat) * (MOST_TURNS + 1) - s.turns[seat]


@rule
def payoff(s, out):
    """Every loser pays 1; the winners share it."""
    best = standing(s, 0)
    for seat in range(1, s.players):
        best = max(best, standing(s, seat))
    winners = 0
    for seat in range(s.players):
        if standing(s, seat) == best:
            winners += 1
    for seat in range(s.players):
        out[seat] = (s.players - winners) / winners if standing(s, seat) == best else -1.0


@rule
def measure(s, out):
    """Turns of the first player; whether piles other than the Provinces ended the game; the points of each seat."""
    out[0] = s.turns[0]
    out[1] = 1.0 if s.supply[PROVINCE] > 0 and s.empty_piles >= 3 else 0.0
    for seat in range(s.players):
        out[2 + seat] = points(s, seat)


@rule
def evaluate(s, out):
    """EVAL: the chance of each player by points, and by the money that will still buy some."""
    total = 0.0
    left = s.supply[PROVINCE] / 8.0
    for seat in range(s.players):
        money = 0
        cards = 0
        for card in range(WIDTH):
            cards += np.int64(s.owned[seat, card])
        for i in range(PILES):
            card = s.piles[i]
            worth = COINS[card] + (2 if ACTION[card] else 0)
            money += s.owned[seat, card] * worth
        prospect = points(s, seat) + 20.0 * left * money / max(cards, 1)
        out[seat] = np.exp(prospect / 8.0)
        total += out[seat]
    for seat in range(s.players):
        out[seat] = s.players * out[seat] / total - 1.0
