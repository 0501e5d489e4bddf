"""What happens when a question is answered."""

import numpy as np

from hiddenhand.games.dominion.cards import ARTISAN, COST, MINE, MOAT
from hiddenhand.games.dominion.effects import discard_tops, lend, play_action, take_booty
from hiddenhand.games.dominion.steps import (
    CHOOSE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    DRAW,
    FLIP,
    GAIN,
    JUDGE,
    KEEP,
    LEND,
    PLAY_TOP,
    PUT_BACK,
    PUT_ON_DECK,
    RECALL,
    REPLACE,
    REVEAL,
    SENTRY_DISCARD,
    SENTRY_ORDER,
    SENTRY_TRASH,
    SET_ASIDE,
    START,
    STEAL,
    STOP,
    SURRENDER,
    TRASH_ANY,
    YES,
    YES_OR_NO,
    push,
)
from hiddenhand.games.dominion.zones import (
    discard_deck,
    discard_from_hand,
    gain,
    gain_to_hand,
    leave_discard,
    leave_hand,
    leave_hand_unseen,
    lose,
    order_tops,
    put_on_deck,
    put_on_discard,
    take_known_top,
    trash_from_hand,
)
from hiddenhand.kernel import rule

REMODEL_ADDS, MINE_ADDS = 2, 3  # how much more than the trashed card the gained one may cost


@rule
def answer(s, action):
    """Take the topmost question off the stack and do what its answer means."""
    n = s.steps - 1
    s.steps = n
    kind, by, seat, target = s.step_kinds[n], s.step_cards[n], s.step_seats[n], s.step_targets[n]
    count = np.int64(s.step_counts[n])
    if kind <= YES_OR_NO:
        if action == YES:
            agree(s, kind, by, seat, target)
    elif action == STOP:
        stop(s, kind, by, seat, count)
    else:
        choose(s, kind, by, seat, target, count, np.int64(action - CHOOSE))


@rule
def agree(s, kind, by, seat, target):
    if kind == REVEAL:
        s.immune |= 1 << seat
        s.shown[seat, MOAT] = max(s.shown[seat, MOAT], 1)
    elif kind == FLIP:
        discard_deck(s, seat)
    elif kind == LEND:
        lend(s, seat)
    elif kind == JUDGE:
        discard_tops(s, target, 1)
    elif kind == SET_ASIDE:
        leave_hand(s, seat, by)
        s.aside[by] += 1
    elif kind == PLAY_TOP:
        leave_discard(s, seat, by)
        play_action(s, by)


@rule
def stop(s, kind, by, seat, count):
    """What follows a choice that is ended (or a question without an answer)."""
    if kind == DISCARD_ANY and count > 0:
        push(s, DRAW, by, seat, seat, count)
    elif kind == SENTRY_TRASH and count > 0:
        push(s, SENTRY_DISCARD, by, seat, seat, count)
    elif kind == SENTRY_DISCARD and count == 2:
        push(s, SENTRY_ORDER, by, seat, seat, count)


@rule
def choose(s, kind, by, seat, target, count, card):  # noqa: C901  (a branch for each question)
    if kind == DISCARD:
        discard_from_hand(s, seat, card)
        if count > 1:
            push(s, DISCARD, by, seat, seat, count - 1)
    elif kind == DISCARD_ANY:
        discard_from_hand(s, seat, card)
        push(s, DISCARD_ANY, by, seat, seat, count + 1)
    elif kind == TRASH_ANY:
        trash_from_hand(s, seat, card)
        if count > 1:
            push(s, TRASH_ANY, by, seat, seat, count - 1)
    elif kind == PUT_BACK:
        leave_hand(s, seat, card)
        put_on_deck(s, seat, card, True)
    elif kind == REPLACE:
        trash_from_hand(s, seat, card)
        push(s, GAIN, by, seat, seat, COST[card] + (MINE_ADDS if by == MINE else REMODEL_ADDS))
    elif kind == DOUBLE:
        leave_hand(s, seat, card)
        play_action(s, card)
        push(s, START, card, seat, seat, 0)
    elif kind == PUT_ON_DECK:
        leave_hand_unseen(s, seat, card)
        put_on_deck(s, seat, card, False)
    elif kind == GAIN:
        if by in (MINE, ARTISAN):
            gain_to_hand(s, seat, card)
        else:
            gain(s, seat, card)
    elif kind == RECALL:
        leave_discard(s, seat, card)
        put_on_deck(s, seat, card, True)
    elif kind in (STEAL, SURRENDER):
        take_booty(s, by, target, card, count)
    elif kind == KEEP:
        keep(s, by, seat, card)
    elif kind in (SENTRY_TRASH, SENTRY_DISCARD):
        sort_out(s, kind, by, seat, card, count)
    elif kind == SENTRY_ORDER:
        order_tops(s, seat, card)


@rule
def keep(s, by, seat, card):
    """Thief: a Treasure comes back from the trash."""
    s.loot[card] -= 1
    s.trash[card] -= 1
    s.owned[seat, card] += 1
    put_on_discard(s, seat, card)
    push(s, KEEP, by, seat, seat, 0)


@rule
def sort_out(s, kind, by, seat, card, count):
    """Sentry: one of the top cards is trashed or discarded, and the question comes again while cards are left."""
    take_known_top(s, seat, card)
    if kind == SENTRY_TRASH:
        lose(s, seat, card)
    else:
        put_on_discard(s, seat, card)
    if count > 1:
        push(s, kind, by, seat, seat, count - 1)
