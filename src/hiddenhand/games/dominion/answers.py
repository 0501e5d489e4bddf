"""What happens when a question is answered."""

import numpy as np

from hiddenhand.games.dominion.cards import (
    ACTION,
    ARTISAN,
    DIPLOMAT,
    ESTATE,
    IRONWORKS,
    KINDS,
    MINE,
    MINING_VILLAGE,
    MOAT,
    PATROL,
    REPLACE,
    SECRET_PASSAGE,
    TREASURE,
    UPGRADE,
    VICTORY,
    chosen,
    discard_tops,
    lend,
    price,
    take_booty,
)
from hiddenhand.games.dominion.stack import CHOICES_LEFT, CHOOSE, STOP, YES, leave, must_discard, offer, push, strike
from hiddenhand.games.dominion.steps import (
    ARRANGE,
    CHOICE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    DRAW,
    FLIP,
    GAIN,
    IN_HAND,
    JUDGE,
    KEEP,
    LEND,
    NAME,
    PASS,
    PLAY_TOP,
    PUT_BACK,
    PUT_ON_DECK,
    REACT,
    RECALL,
    REVEAL,
    SALVAGE,
    SCRAP,
    SCRAP_PILE,
    SELL_ESTATE,
    SELL_TWO,
    SENTRY_DISCARD,
    SENTRY_ORDER,
    SENTRY_TRASH,
    SET_ASIDE,
    START,
    STEAL,
    SURRENDER,
    SWINDLE,
    THREATEN,
    TRADE_IN,
    TRASH,
    TRASH_ANY,
    UNVEIL,
    YES_OR_NO,
)
from hiddenhand.games.dominion.work import play_action
from hiddenhand.games.dominion.zones import (
    discard_deck,
    discard_from_hand,
    gain,
    gain_on_deck,
    gain_to_hand,
    leave_discard,
    leave_hand,
    leave_hand_unseen,
    lose,
    order_tops,
    put_in_hand,
    put_into_deck,
    put_on_deck,
    put_on_discard,
    put_under,
    take_known_top,
    take_top,
    trash_from_hand,
    trash_from_play,
)
from hiddenhand.kernel import rule

REMODEL_ADDS, MINE_ADDS, UPGRADE_ADDS = 2, 3, 1  # how much more than the trashed card the gained one may cost
SOLD_ESTATE, SOLD_TWO, SCRAPPED = 4, 2, 2  # coins of a Baron, a Mill and a Mining Village


@rule
def answer(s, action, rng):
    """Take the topmost question off the stack and do what its answer means."""
    n = s.steps - 1
    s.steps = n
    kind, by, seat, target = s.step_kinds[n], s.step_cards[n], s.step_seats[n], s.step_targets[n]
    count = np.int64(s.step_counts[n])
    if kind <= YES_OR_NO:
        if action == YES:
            agree(s, kind, by, seat, target)
        else:
            decline(s, kind, by, seat)
    elif kind == CHOICE:
        pick(s, by, seat, count, action, rng)
    elif action == STOP:
        stop(s, kind, by, seat, count)
    else:
        choose(s, kind, by, seat, target, count, np.int64(action - CHOOSE), rng)


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
        leave_hand(s, seat, s.drawn - 1)
        s.aside[s.drawn - 1] += 1
        s.drawn = 0
    elif kind == PLAY_TOP:
        leave_discard(s, seat, by)
        play_action(s, by)
    elif kind == REACT:
        s.shown[seat, DIPLOMAT] = max(s.shown[seat, DIPLOMAT], 1)
        push(s, THREATEN, by, s.current, seat, 0)
        push(s, DISCARD, DIPLOMAT, seat, seat, 3)
        push(s, DRAW, DIPLOMAT, seat, seat, 2)
    elif kind == SCRAP:
        leave(s, MINING_VILLAGE)
        trash_from_play(s, seat, MINING_VILLAGE)
        s.coins += SCRAPPED
    elif kind == SELL_ESTATE:
        discard_from_hand(s, seat, ESTATE)
        s.coins += SOLD_ESTATE
    elif kind == SELL_TWO:
        must_discard(s, by, seat, 2)
        s.coins += SOLD_TWO


@rule
def decline(s, kind, by, seat):
    if kind == SELL_ESTATE:
        gain(s, seat, ESTATE)
    elif kind == REACT:
        push(s, THREATEN, by, s.current, seat, 1)
    elif kind == SET_ASIDE:
        s.drawn = 0


@rule
def pick(s, by, seat, count, thing, rng):
    """One of the things that a card offers; when all are chosen, they happen."""
    if by == SECRET_PASSAGE:
        push(s, PUT_ON_DECK, by, seat, seat, thing)
        return
    count = (count | 1 << thing) - (1 << CHOICES_LEFT)
    if count >> CHOICES_LEFT > 0:
        push(s, CHOICE, by, seat, seat, count)
        return
    chosen(s, by, seat, count, rng)


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
def choose(s, kind, by, seat, target, count, card, rng):  # noqa: PLR0913  (a step and its answer)
    if kind <= IN_HAND:
        choose_in_hand(s, kind, by, seat, count, card, rng)
    elif kind == GAIN:
        take_gain(s, by, seat, card)
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
    else:
        choose_of_intrigue(s, kind, seat, target, count, card, rng)


@rule
def choose_in_hand(s, kind, by, seat, count, card, rng):
    if kind == DISCARD:
        discard_from_hand(s, seat, card)
        if count > 1:
            push(s, DISCARD, by, seat, seat, count - 1)
    elif kind == DISCARD_ANY:
        discard_from_hand(s, seat, card)
        push(s, DISCARD_ANY, by, seat, seat, count + 1)
    elif kind in (TRASH_ANY, TRASH):
        trash_from_hand(s, seat, card)
        if count > 1:
            push(s, kind, by, seat, seat, count - 1)
    elif kind == PUT_BACK:
        leave_hand(s, seat, card)
        put_on_deck(s, seat, card, True)
    elif kind == TRADE_IN:
        more = MINE_ADDS if by == MINE else UPGRADE_ADDS if by == UPGRADE else REMODEL_ADDS
        trash_from_hand(s, seat, card)
        push(s, GAIN, by, seat, seat, price(s, card) + more)
    elif kind == DOUBLE:
        leave_hand(s, seat, card)
        play_action(s, card)
        push(s, START, card, seat, seat, 0)
    elif kind == PUT_ON_DECK:
        leave_hand_unseen(s, seat, card)
        put_into_deck(s, seat, card, count, rng)
    elif kind == PASS:
        s.passing[seat] = card + 1
    elif kind == UNVEIL:
        s.shown[seat, card] = max(s.shown[seat, card], 1)
        offer(s, by, seat, KINDS[card])


@rule
def take_gain(s, by, seat, card):
    """A card is gained by the effect of another card, which says where it goes and what follows from it."""
    if by in (MINE, ARTISAN):
        gain_to_hand(s, seat, card)
    elif by == REPLACE and (ACTION[card] or TREASURE[card]):
        gain_on_deck(s, seat, card)
    else:
        gain(s, seat, card)
    if by == REPLACE and VICTORY[card]:
        strike(s, by, seat)
    elif by == IRONWORKS:
        s.actions += 1 if ACTION[card] else 0
        s.coins += 1 if TREASURE[card] else 0
        if VICTORY[card]:
            push(s, DRAW, by, seat, seat, 1)


@rule
def choose_of_intrigue(s, kind, seat, target, count, card, rng):
    if kind == NAME:
        top = take_top(s, seat, True, rng)
        if top == card:
            put_in_hand(s, seat, top, True)
        elif top >= 0:
            put_on_deck(s, seat, top, True)
    elif kind == SWINDLE:
        gain(s, target, card)
    elif kind == SCRAP_PILE:
        s.supply[card] -= 1
        s.trash[card] += 1
        if s.supply[card] == 0:
            s.empty_piles += 1
    elif kind == SALVAGE:
        s.trash[card] -= 1
        s.owned[seat, card] += 1
        put_on_discard(s, seat, card)
    elif kind == ARRANGE:
        put_under(s, seat, card, count)
        if count > 2:
            push(s, ARRANGE, PATROL, seat, seat, count - 1)


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
