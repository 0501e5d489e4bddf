"""How a trustful player reads hints: as messages or as promises (chapter 4.7 of the thesis).

All players must read a hint alike, so the reading rests on what everyone knows: the piles, the discards and what was
told, and nobody's cards. This public record is kept in the agent's memory and brought up to date from the log of moves;
from a memory of zeros it is rebuilt from the first move on.

A hint is read in this way, by the first rule that applies:

1. It comes from the player just before, touches the card that was about to be discarded, and that card may be
   critical: it is a message, to save that card.
2. It comes from the player just before, when a promised card was about to be played: that promise is void (a veto),
   and the reading goes on.
3. It names a rank, and no card touched can be playable now: a message.
4. It is a promise: the cards touched can be played.
"""

import numpy as np

from hiddenhand.games.hanabi.deduction import (
    CARDS,
    COPIES,
    FREE,
    NONE,
    RANKS,
    SEATS,
    SLOTS,
    named_cards,
)
from hiddenhand.kernel import rule

# The public record: where each part begins.
DONE = 0  # moves taken into account
DECK = 1
LIVES = 2
PLAYABLE, USELESS, CRITICAL, ALIVE = 3, 4, 5, 6  # sets of cards; alive: not all copies lie open
PILES = 7
GONE = PILES + 5
POSSIBLE = GONE + CARDS  # by seat and slot: what a card can be, 0 where there is none
TOUCHED = POSSIBLE + 25
PROMISE = TOUCHED + 25  # the cards that a promise says it is one of, 0 without a promise
SIZE = PROMISE + 25  # how many cards the promise was about
FRESH = SIZE + 25  # by seat: 1 until the seat has moved after a promise
LENGTH = FRESH + SEATS

MESSAGE_SAVES, MESSAGE_RANK, PROMISES = 1, 2, 3  # readings


@rule
def lowest_rank(cards):
    rank = 0
    while rank < RANKS and cards & named_cards(1, rank) == 0:
        rank += 1
    return rank


@rule
def planned_play(cards, promise, size, playable, lives):
    """The slot that a hand would play, or NONE: first the surely playable card of the lowest rank; then a promised
    card that may be playable, one of known rank first, lower ranks before higher ones, older cards before newer ones.
    On the last life only promises about a single card count. The rows have SLOTS entries each."""
    best, least = NONE, 100
    for slot in range(SLOTS):
        can = cards[slot]
        if can == 0 or can & playable == 0:
            continue
        cost = 100
        rank = lowest_rank(can)
        if can & ~playable == 0:
            cost = rank
        elif promise[slot] & can & playable != 0 and (lives > 1 or size[slot] == 1):
            cost = 10 + rank if can & ~named_cards(1, rank) == 0 else 20
        if cost < least:
            best, least = slot, cost
    return best


@rule
def planned_discard(cards, touched, useless, critical):
    """The slot that a hand would discard: a useless card; the oldest one untouched; the oldest that may be
    dispensable; the oldest."""
    best, least = 0, 4
    for slot in range(SLOTS):
        can = cards[slot]
        if can == 0:
            continue
        cost = 3
        if can & ~useless == 0:
            cost = 0
        elif touched[slot] == 0:
            cost = 1
        elif can & ~critical != 0:
            cost = 2
        if cost < least:
            best, least = slot, cost
    return best


@rule
def reading(m, players, actor, target, hint, slots, after):
    """How a hint (0..4 colours, 5..9 ranks) that touches these slots is read: (reading, slots promised, slot vetoed).

    `after` receives what the target's cards can be, for everyone, once the hint is given.
    """
    named = named_cards(hint // 5, hint % 5)
    cards = m[POSSIBLE + 5 * target : POSSIBLE + 5 * target + 5]
    promise = m[PROMISE + 5 * target : PROMISE + 5 * target + 5]
    size = m[SIZE + 5 * target : SIZE + 5 * target + 5]
    playable = m[PLAYABLE]
    for slot in range(SLOTS):
        after[slot] = cards[slot] & (named if (slots >> slot) & 1 else ~named)
    vetoed = NONE
    if (actor + 1) % players == target:
        plan = planned_play(cards, promise, size, playable, m[LIVES])
        if plan != NONE and cards[plan] & ~playable != 0:
            vetoed = plan
        if plan == NONE:
            touched = m[TOUCHED + 5 * target : TOUCHED + 5 * target + 5]
            spare = planned_discard(cards, touched, m[USELESS], m[CRITICAL])
            if (slots >> spare) & 1 and after[spare] & m[CRITICAL] != 0 and hint >= 5:
                return MESSAGE_SAVES, 0, vetoed
    promised = 0
    for slot in range(SLOTS):
        if (slots >> slot) & 1 and after[slot] & playable != 0 and after[slot] & ~playable != 0:
            promised |= 1 << slot
    if promised == 0:
        return MESSAGE_RANK, 0, vetoed
    return PROMISES, promised, vetoed


@rule
def count_bits(mask):
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@rule
def hear_hint(m, players, actor, target, hint, slots):
    """Take a hint into the public record."""
    after = np.empty(SLOTS, np.int64)
    _, promised, vetoed = reading(m, players, actor, target, hint, slots, after)
    if vetoed != NONE:
        m[PROMISE + 5 * target + vetoed] = 0
    for slot in range(SLOTS):
        i = 5 * target + slot
        m[POSSIBLE + i] = after[slot]
        if (slots >> slot) & 1:
            m[TOUCHED + i] = 1
        if (promised >> slot) & 1:
            m[PROMISE + i] = m[PLAYABLE]
            m[SIZE + i] = count_bits(slots)
            m[FRESH + target] = 1


@rule
def take_away(m, seat, slot):
    """A card leaves a hand; the younger ones move up, and a new one comes while the deck lasts."""
    last = SLOTS - 1
    while m[POSSIBLE + 5 * seat + last] == 0:
        last -= 1
    for part in (POSSIBLE, TOUCHED, PROMISE, SIZE):
        for i in range(5 * seat + slot, 5 * seat + last):
            m[part + i] = m[part + i + 1]
        m[part + 5 * seat + last] = 0
    if m[DECK] > 0:
        m[DECK] -= 1
        m[POSSIBLE + 5 * seat + last] = FREE


@rule
def see_card(m, card, success):
    """A card is played, rightly or wrongly, or discarded."""
    if success:
        m[PILES + card // RANKS] += 1
        if card % RANKS < RANKS - 1:
            for i in range(SEATS * SLOTS):
                if m[PROMISE + i] != 0 and m[FRESH + i // SLOTS] != 0:
                    m[PROMISE + i] |= 1 << (card + 1)
    else:
        m[GONE + card] += 1
    sort_cards(m)


@rule
def sort_cards(m):
    """Bring the sets of playable, useless, critical and possible cards up to date."""
    playable, useless, critical, alive = 0, 0, 0, 0
    for colour in range(5):
        lost = False
        for rank in range(RANKS):
            card = colour * RANKS + rank
            done = rank < m[PILES + colour]
            left = COPIES[card] - m[GONE + card]
            if left > (1 if done else 0):
                alive |= 1 << card
            if left == 0 and not done:
                lost = True
            if done or lost:
                useless |= 1 << card
            else:
                if rank == m[PILES + colour]:
                    playable |= 1 << card
                if left == 1:
                    critical |= 1 << card
    m[PLAYABLE], m[USELESS], m[CRITICAL], m[ALIVE] = playable, useless, critical, alive
    for i in range(SEATS * SLOTS):
        m[POSSIBLE + i] &= alive


@rule
def begin_record(v, m):
    """The public record before the first move."""
    for i in range(LENGTH):
        m[i] = 0
    m[LIVES] = 3
    m[DECK] = 50 - np.int64(v.players) * np.int64(v.hand_size)
    for seat in range(np.int64(v.players)):
        for slot in range(np.int64(v.hand_size)):
            m[POSSIBLE + 5 * seat + slot] = FREE
    sort_cards(m)


@rule
def hear(v, m):
    """Bring the public record up to date with the log."""
    if m[DONE] == 0 or m[DONE] > v.moves_made:
        begin_record(v, m)
    for move in range(m[DONE], np.int64(v.moves_made)):
        actor, action = np.int64(v.log_actor[move]), np.int64(v.log_action[move])
        m[FRESH + actor] = 0
        if action >= 10:
            target = (action - 10) // 10
            hear_hint(m, np.int64(v.players), actor, target, (action - 10) % 10, np.int64(v.log_touched[move]))
        else:
            take_away(m, actor, action % 5)
            success = action < 5 and v.log_success[move] != 0
            if action < 5 and not success:
                m[LIVES] -= 1
            see_card(m, np.int64(v.log_card[move]), success)
        m[DONE] = move + 1
