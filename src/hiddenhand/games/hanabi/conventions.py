"""How trustful players read hints: as messages or as promises (after a thesis on agents for Hanabi, Wroclaw 2020).

All players must read a hint alike, so the reading rests on what everyone knows: the piles, the discards and what was
told, and nobody's cards. This public record is kept in the agent's memory and brought up to date from the log of the
view; from a memory of zeros it is rebuilt from the first move on.

A hint is read by the first of these rules that applies:

1. It names a rank, comes from the player just before, and touches the card that the receiver, who has nothing to
   play, was about to discard and which may be critical: it is a message, to save that card.
2. It comes from the player just before, when a promised card was about to be played: that promise is void (a veto),
   and the reading goes on.
3. No card touched can be playable, or all that can be are surely playable: it is a message.
4. It is a promise: the cards touched that can be playable are.

A promised card is believed to be one of those that were playable when the hint was given, or became so until the
receiver's next turn. It is played as long as it can be one of these and playable; on the last life, only if the hint
touched no other card. The thesis says in rule 1 "a rescue hint" and in rule 3 "a rank that cannot be played"; that
saving hints name ranks, and that the card saved may be critical, are our choices, so that more hints are promises.

By the letter of the thesis (`letter` in the record) rule 1 holds for every hint that touches the card about to be
discarded, rule 3 only for a rank of which no card is playable, and a promise is about all cards touched and stays
until it is taken back.
"""

import numpy as np

from hiddenhand.games.hanabi.deduction import FREE, surely
from hiddenhand.games.hanabi.hand_knowledge import SEATS, lowest_rank, named_cards, spare_slot
from hiddenhand.games.hanabi.rules import (
    CARDS,
    COLOURS,
    COPIES,
    DECK_SIZE,
    DISCARD,
    HINT,
    MOST_LIVES,
    NONE,
    RANKS,
    SLOTS,
    hint_parts,
)
from hiddenhand.kernel import copy, record_type, rule

RECORD = record_type(
    [
        ("done", "i8"),  # moves taken into account
        ("letter", "i8"),  # 1 if hints are read by the letter of the thesis
        ("deck", "i8"),  # cards left
        ("lives", "i8"),
        ("playable", "i8"),  # sets of cards
        ("useless", "i8"),
        ("critical", "i8"),
        ("piles", "i8", (COLOURS,)),
        ("gone", "i8", (CARDS,)),
        ("possible", "i8", (SEATS, SLOTS)),  # what a card can be, 0 where there is none
        ("touched", "i8", (SEATS, SLOTS)),
        ("promise", "i8", (SEATS, SLOTS)),  # the cards that a promise says it is one of, 0 without a promise
        ("promise_size", "i8", (SEATS, SLOTS)),  # how many cards the promise was about
        ("fresh", "i8", (SEATS,)),  # 1 until the seat has moved after a promise
    ]
)
"""The public record."""
EMPTY = np.zeros(1, RECORD)

SAVES, INFORMS, PROMISES = 1, 2, 3  # readings: two sorts of messages, and a promise
NEVER = 100


@rule
def planned_play(cards, promise, size, playable, lives):
    """The slot that the owner of a hand would play, or NONE; each argument but the last two is a row.

    First the surely playable card of the lowest rank. Then a promised card that may be playable: first those of known
    rank, the lowest first; older cards before newer ones.
    """
    best, least = NONE, NEVER
    for slot in range(SLOTS):
        can = cards[slot]
        if can & playable == 0:
            continue
        cost, rank = NEVER, lowest_rank(can)
        if surely(can, playable):
            cost = rank
        elif promise[slot] & can & playable != 0 and (lives > 1 or size[slot] == 1):
            cost = RANKS + rank if surely(can, named_cards(1, rank)) else 2 * RANKS
        if cost < least:
            best, least = slot, cost
    return best


@rule
def reading(m, players, actor, target, hint, slots, after):
    """How a hint (0 to 4 a colour, 5 to 9 a rank) that touches these slots is read, if `m` is the public record
    before it: (SAVES, INFORMS or PROMISES; the slots promised, as bits; the slot vetoed, or NONE).

    `after` receives what the target's cards can be, for everyone, once the hint is given.
    """
    named = named_cards(hint // COLOURS, hint % COLOURS)
    cards, playable = m.possible[target], m.playable
    for slot in range(SLOTS):
        after[slot] = cards[slot] & (named if (slots >> slot) & 1 else ~named)
    vetoed = NONE
    if (actor + 1) % players == target:
        plan = planned_play(cards, m.promise[target], m.promise_size[target], playable, m.lives)
        if plan == NONE:
            spare = spare_slot(cards, m.touched[target], m.useless, m.critical, 0)
            saving = m.letter != 0 or (hint >= COLOURS and after[spare] & m.critical != 0)
            if saving and (slots >> spare) & 1:
                return SAVES, 0, NONE
        elif not surely(cards[plan], playable):
            vetoed = plan
    if m.letter != 0:
        if hint >= COLOURS and named & playable == 0:
            return INFORMS, 0, vetoed
        return PROMISES, slots, vetoed
    promised = 0
    for slot in range(SLOTS):
        if (slots >> slot) & 1 and after[slot] & playable != 0 and not surely(after[slot], playable):
            promised |= 1 << slot
    return INFORMS if promised == 0 else PROMISES, promised, vetoed


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
        m.promise[target, vetoed] = 0
    for slot in range(SLOTS):
        m.possible[target, slot] = after[slot]
        if (slots >> slot) & 1:
            m.touched[target, slot] = 1
        if (promised >> slot) & 1:
            m.promise[target, slot] = FREE if m.letter != 0 else m.playable
            m.promise_size[target, slot] = count_bits(slots)
            m.fresh[target] = 1


@rule
def take_away(m, seat, slot):
    """A card leaves a hand; the younger ones move up, and a new one comes while the deck lasts."""
    last = SLOTS - 1
    while m.possible[seat, last] == 0:
        last -= 1
    for part in (m.possible, m.touched, m.promise, m.promise_size):
        for i in range(slot, last):
            part[seat, i] = part[seat, i + 1]
        part[seat, last] = 0
    if m.deck > 0:
        m.deck -= 1
        m.possible[seat, last] = FREE


@rule
def see_card(m, card, success):
    """A card is played, rightly or not, or discarded."""
    if success:
        m.piles[card // RANKS] += 1
        if card % RANKS < RANKS - 1:
            for seat in range(SEATS):
                for slot in range(SLOTS):
                    if m.promise[seat, slot] != 0 and m.fresh[seat] != 0:
                        m.promise[seat, slot] |= 1 << (card + 1)
    else:
        m.gone[card] += 1
    sort_cards(m)


@rule
def sort_cards(m):
    """Bring the sets of playable, useless and critical cards up to date; what is used up is in no hand."""
    playable, useless, critical, alive = 0, 0, 0, 0
    for colour in range(COLOURS):
        lost = False
        for rank in range(RANKS):
            card = colour * RANKS + rank
            done = rank < m.piles[colour]
            left = COPIES[card] - m.gone[card]
            if left > (1 if done else 0):
                alive |= 1 << card
            lost |= left == 0
            if done or lost:
                useless |= 1 << card
            elif left == 1:
                critical |= 1 << card
            if rank == m.piles[colour]:
                playable |= 1 << card
    m.playable, m.useless, m.critical = playable, useless, critical
    for seat in range(SEATS):
        for slot in range(SLOTS):
            m.possible[seat, slot] &= alive


@rule
def begin_record(v, m, letter):
    """The public record before the first move."""
    copy(m, EMPTY[0])
    m.letter = letter
    m.lives = MOST_LIVES
    m.deck = DECK_SIZE - np.int64(v.players) * np.int64(v.hand_size)
    for seat in range(np.int64(v.players)):
        for slot in range(np.int64(v.hand_size)):
            m.possible[seat, slot] = FREE
    sort_cards(m)


@rule
def hear(v, m, letter):
    """Bring the public record up to date with the log of a view."""
    if m.done == 0 or m.done > v.moves_made:
        begin_record(v, m, letter)
    for move in range(m.done, np.int64(v.moves_made)):
        actor, action = np.int64(v.log_actor[move]), np.int64(v.log_action[move])
        m.fresh[actor] = 0
        if action >= HINT:
            target, kind, value = hint_parts(action)
            hint = COLOURS * kind + value
            hear_hint(m, np.int64(v.players), actor, target, hint, np.int64(v.log_touched[move]))
        else:
            success = v.log_success[move] != 0
            if action < DISCARD and not success:
                m.lives -= 1
            take_away(m, actor, action % DISCARD)
            see_card(m, np.int64(v.log_card[move]), success)
        m.done = move + 1
