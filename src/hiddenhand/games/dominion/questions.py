"""The legal answers to the topmost question."""

import numpy as np

from hiddenhand.games.dominion.cards import (
    ACTION,
    FIRST,
    GOLD,
    MINE,
    OFFERS,
    SECRET_PASSAGE,
    SILVER,
    TREASURE,
    UPGRADE,
    VICTORY,
    price,
)
from hiddenhand.games.dominion.stack import CHOOSE, NO, STOP, YES
from hiddenhand.games.dominion.state import MOST_TOPS
from hiddenhand.games.dominion.steps import (
    CHOICE,
    DISCARD_ANY,
    DOUBLE,
    GAIN,
    IN_HAND,
    KEEP,
    NAME,
    PUT_BACK,
    RECALL,
    SALVAGE,
    SCRAP_PILE,
    SENTRY_DISCARD,
    SENTRY_TRASH,
    STEAL,
    SURRENDER,
    SWINDLE,
    TRADE_IN,
    TRASH_ANY,
    YES_OR_NO,
)
from hiddenhand.games.dominion.zones import in_discard
from hiddenhand.kernel import rule


@rule
def things_offered(s, card, seat):
    """How many things a card offers: a Secret Passage every place in the deck, by the cards that lie above it."""
    if card == SECRET_PASSAGE:
        return min(np.int64(s.deck_sizes[seat] + s.top_sizes[seat]), MOST_TOPS - 1) + 1
    return OFFERS[card]


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
def may_choose(s, kind, card):
    """Whether the topmost question may be answered by this card."""
    step = s.steps - 1
    seat = s.step_seats[step]
    if kind > IN_HAND:
        return may_choose_elsewhere(s, kind, seat, card, s.step_counts[step])
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
def may_choose_elsewhere(s, kind, seat, card, count):
    """The same for a card of the supply, the trash, a deck or a discard pile."""
    step = s.steps - 1
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
    if kind == NAME:
        return True
    if kind == SWINDLE:
        return s.supply[card] > 0 and price(s, card) == count
    if kind == SCRAP_PILE:
        return s.supply[card] > 0 and ACTION[card]
    if kind == SALVAGE:
        return s.trash[card] > 0 and ACTION[card]
    return among_tops(s, seat, card, count)  # of a Sentry or a Patrol


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
