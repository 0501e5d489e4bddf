"""The stack of steps: things that are still to be done, and the questions among them.

A card that needs several decisions pushes steps onto the stack, and the topmost step is done first. A step is either
work (START a card, let its EFFECT happen, HIT one victim, ...) or a question to a seat. `turn`, `legal` and `play` do
not know any cards: they ask the topmost question and pass its answer on.

An answer is an action. Where a card is chosen, STOP (0) declines or ends the choice, and 1 + card chooses that card.
Where the answer is yes or no, YES (1) agrees. If a card offers several things, each has its number, from 0 on.
"""

import numpy as np

from hiddenhand.games.dominion.cards import (
    ACTION,
    COST,
    FIRST,
    GOLD,
    MINE,
    OFFERS,
    SECRET_PASSAGE,
    SILVER,
    TREASURE,
    UPGRADE,
    VICTORY,
)
from hiddenhand.games.dominion.state import (
    MOST_TOPS,
    PILES,
)
from hiddenhand.games.dominion.steps import (
    ARRANGE,
    CHOICE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    GAIN,
    HIT,
    KEEP,
    NAME,
    PUT_BACK,
    RECALL,
    SALVAGE,
    SCRAP_PILE,
    SENTRY_DISCARD,
    SENTRY_ORDER,
    SENTRY_TRASH,
    START,
    STEAL,
    SURRENDER,
    SWINDLE,
    TRADE_IN,
    TRASH,
    TRASH_ANY,
    YES_OR_NO,
)
from hiddenhand.games.dominion.zones import in_discard
from hiddenhand.kernel import rule

STOP = 0
NO, YES = 0, 1
CHOOSE = 1  # CHOOSE + card

CHOICES_LEFT = 4  # the bit from which on the count of a CHOICE says how many are to be made
GONE = 1  # the count of a START or an EFFECT: the card that is played again has left the table meanwhile


@rule
def push(s, kind, card, seat, target, count):
    n = s.steps
    s.step_kinds[n] = kind
    s.step_cards[n] = card
    s.step_seats[n] = seat
    s.step_targets[n] = target
    s.step_counts[n] = count
    s.steps = n + 1


@rule
def leave(s, card):
    """The card whose effect is at work leaves the table: should a Throne Room play it again, it will be gone.

    What is played again next stands right under what happens now.
    """
    under = s.steps - 1
    if under >= 0 and s.step_kinds[under] == START and s.step_cards[under] == card:
        s.step_counts[under] = GONE


@rule
def things_offered(s, card, seat):
    """How many things a card offers: a Secret Passage every place in the deck, by the cards that lie above it."""
    if card == SECRET_PASSAGE:
        return min(np.int64(s.deck_sizes[seat] + s.top_sizes[seat]), MOST_TOPS - 1) + 1
    return OFFERS[card]


@rule
def price(s, card):
    """What a card costs now."""
    return max(COST[card] - s.bridges, 0)


@rule
def may_gain(s, card, by, most):
    """Whether a card that lets one gain others, up to this cost, may take this one from the supply."""
    if s.supply[card] == 0 or price(s, card) > most:
        return False
    return TREASURE[card] if by == MINE else by != UPGRADE or price(s, card) == most


@rule
def may_stop(s, kind):
    """Whether the topmost question may be answered by STOP."""
    if kind in (DISCARD_ANY, TRASH_ANY, RECALL, KEEP):
        return True
    if kind in (SENTRY_TRASH, SENTRY_DISCARD):
        return True
    # the second edition says "you may" for Throne Room and Mine
    return s.edition != FIRST and (kind == DOUBLE or (kind == TRADE_IN and s.step_cards[s.steps - 1] == MINE))


@rule
def among_tops(s, seat, card, count):
    """Whether the card is among the `count` topmost cards of a deck, which are known."""
    n = s.top_sizes[seat]
    for i in range(max(n - count, 0), n):
        if s.own_tops[seat, i] == card:
            return True
    return False


@rule
def may_choose(s, kind, card):  # noqa: C901  (a branch for each question)
    """Whether the topmost question may be answered by this card."""
    step = s.steps - 1
    seat = s.step_seats[step]
    count = s.step_counts[step]
    if kind == GAIN:
        return may_gain(s, card, s.step_cards[step], count)
    if kind == RECALL:
        return in_discard(s, seat, card) > 0
    if kind == KEEP:
        return card <= GOLD and s.loot[card] > 0  # Thieves never meet the Treasures of later editions
    if kind == STEAL:
        return TREASURE[card] and among_tops(s, s.step_targets[step], card, count)
    if kind == SURRENDER:
        return TREASURE[card] and card >= SILVER and among_tops(s, seat, card, count)
    if kind in (SENTRY_TRASH, SENTRY_DISCARD, SENTRY_ORDER, ARRANGE):
        return among_tops(s, seat, card, count)
    if kind == NAME:
        return True
    if kind == SWINDLE:
        return s.supply[card] > 0 and price(s, card) == count
    if kind == SCRAP_PILE:
        return s.supply[card] > 0 and ACTION[card]
    if kind == SALVAGE:
        return s.trash[card] > 0 and ACTION[card]
    if s.hands[seat, card] == 0:
        return False
    if kind == PUT_BACK:
        return VICTORY[card]
    if kind == TRADE_IN:
        return s.step_cards[step] != MINE or TREASURE[card]
    if kind == DOUBLE:
        return ACTION[card]
    return True


@rule
def write_answers(s, out):
    """The legal answers to the topmost question, in ascending order; returns how many."""
    kind = s.step_kinds[s.steps - 1]
    if kind <= YES_OR_NO:
        out[0] = NO
        out[1] = YES
        return 2
    n = 0
    if kind == CHOICE:
        by, chosen = s.step_cards[s.steps - 1], s.step_counts[s.steps - 1]
        for thing in range(things_offered(s, by, s.step_seats[s.steps - 1])):
            if by == SECRET_PASSAGE or chosen >> thing & 1 == 0:
                out[n] = thing
                n += 1
        return n
    if may_stop(s, kind):
        out[n] = STOP
        n += 1
    for i in range(len(s.piles)):
        card = np.int64(s.piles[i])
        if may_choose(s, kind, card):
            out[n] = CHOOSE + card
            n += 1
    return n


@rule
def only_answer(s):
    """The answer to the topmost question if there is but one, STOP if there is none; -1 if it must be asked."""
    kind = s.step_kinds[s.steps - 1]
    if kind <= CHOICE:
        return -1
    stop = may_stop(s, kind)
    answer = STOP
    for i in range(len(s.piles)):
        card = np.int64(s.piles[i])
        if may_choose(s, kind, card):
            if stop or answer != STOP:
                return -1
            answer = CHOOSE + card
    return answer


# ---- steps that several cards push, and who sits beside whom


@rule
def next_seat(s, seat):
    return seat + 1 if seat + 1 < s.players else 0


@rule
def seat_before(s, seat):
    return seat - 1 if seat > 0 else s.players - 1


@rule
def strike(s, card, seat):
    """Push a HIT for every other player; the next in turn order comes first."""
    victim = seat_before(s, seat)
    while victim != seat:
        push(s, HIT, card, seat, victim, 0)
        victim = seat_before(s, victim)


@rule
def holds(s, seat, kind):
    """Whether a card of this kind is in a hand."""
    for i in range(PILES):
        if s.hands[seat, s.piles[i]] > 0 and kind[s.piles[i]]:
            return True
    return False


@rule
def must_discard(s, card, seat, count):
    if count > 0:
        push(s, DISCARD, card, seat, seat, count)


@rule
def must_trash(s, card, seat):
    """Steward, Trading Post: two cards of the hand, or as many as there are."""
    if s.hand_sizes[seat] > 0:
        push(s, TRASH, card, seat, seat, min(s.hand_sizes[seat], 2))


@rule
def offer(s, card, seat, choices):
    """Ask the seat to choose this many of the things that a card offers."""
    push(s, CHOICE, card, seat, seat, choices << CHOICES_LEFT)
