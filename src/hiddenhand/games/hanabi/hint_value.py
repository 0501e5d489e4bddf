"""The value of a hint to a trustful player: the plays that it leads to, given how the hint will be read.

The plays of the receiver are simulated one after the other, from its next turn on, until it has nothing to play or
plays a wrong card. The piles then hold what the players before it will have played.

- A card that it would not have played without the hint counts 1. `completes` is added if the card becomes surely
  playable. This is multiplied by `chain` if a later player holds the next card of the colour, and by `rank` for each
  rank below 5.
- A wrong play, or the play of a card that somebody else is about to play, adds `false` (a negative number). If it is
  not the first play, it counts only a part of that, because a veto may still prevent it.
- Every other useful card of which the hint says something new adds `information`.
- The sum is multiplied by `already` if the receiver had a right play anyway, and by `distance` for each seat on the
  way to it.
- A right play that the hint makes impossible costs more than a play is worth.
"""

from collections import namedtuple

import numpy as np

from hiddenhand.games.hanabi.conventions import count_bits, hear, planned_play, reading
from hiddenhand.games.hanabi.deduction import FREE, avalanche, single, surely
from hiddenhand.games.hanabi.distrustful import power
from hiddenhand.games.hanabi.hand_knowledge import SEATS, deduce_all, named_cards
from hiddenhand.games.hanabi.rules import CARDS, COLOURS, NONE, RANKS, SLOTS, touches
from hiddenhand.kernel import rule

LATER = 0.3  # the part of `false` that a later play counts
UNDONE = 2.0  # for each right play undone

# What seat `me` makes of a position: known[seat, slot] is what a card can be, for its owner; `unseen` the copies of
# each card that I do not see. For the other seats: `then` are the cards playable in its next turn, `plans` the slot
# that it will play (or NONE), `right` whether that is right, `due` the cards that it will play sooner or later.
# `cards`, `promise` and `size` are a hand after an imagined hint.
Outlook = namedtuple("Outlook", "me players known unseen then plans right due cards promise size")
# All that a decision rests on: the public record, the agent's parameters, and the outlook.
Scene = namedtuple("Scene", "record weights me players known unseen then plans right due cards promise size")
# What counts for one sort of tip; a hint's worth must be above `mark`.
TipWeights = namedtuple("TipWeights", "mark completes false distance rank information already chain")
Tip = namedtuple("Tip", ["worth", "plays", "wrong", "reading"])


@rule
def after_play(playable, card):
    """The playable cards once one of them is played."""
    playable &= ~(1 << card)
    if card % RANKS < RANKS - 1:
        playable |= 1 << (card + 1)
    return playable


@rule
def survey(v, me, record, letter):
    """The outlook of seat `me`. The public record is brought up to date."""
    hear(v, record, letter)
    known = np.empty((SEATS, SLOTS), np.int64)
    unseen = np.empty(CARDS, np.int64)
    deduce_all(v, me, letter, unseen, known)
    rows = np.zeros((7, SLOTS), np.int64)
    o = Outlook(
        np.int64(me), np.int64(v.players), known, unseen,
        rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6],
    )  # fmt: skip
    playable = record.playable
    for i in range(1, o.players):
        playable = foresee(v, record, o, (me + i) % o.players, playable)
    return o


@rule
def foresee(v, record, o, seat, playable):
    """Fill in what a seat will play from its next turn on; returns what is playable after that turn."""
    o.then[seat] = playable
    for slot in range(SLOTS):
        o.cards[slot] = o.known[seat, slot]
    promise, size = record.promise[seat], record.promise_size[seat]
    plan = planned_play(o.cards, promise, size, playable, record.lives)
    o.plans[seat] = plan
    next_turn = playable
    while plan != NONE:
        card = np.int64(v.hands[seat, plan])
        if (playable >> card) & 1 == 0:
            break
        playable = after_play(playable, card)
        o.due[seat] |= 1 << card
        o.cards[plan] = 0
        if o.right[seat] == 0:
            o.right[seat] = 1
            next_turn = playable
        plan = planned_play(o.cards, promise, size, playable, record.lives)
    return next_turn


@rule
def due_elsewhere(s, target):
    """The cards that somebody but the target will play: those due, and those that I know that I hold."""
    found = 0
    for seat in range(s.players):
        if seat != target:
            found |= s.due[seat]
    for slot in range(SLOTS):
        if single(s.known[s.me, slot]):
            found |= s.known[s.me, slot]
    return found


@rule
def imagine_hint(v, s, target, hint):
    """Write the target's hand, as it is after a hint of mine, into s.cards, s.promise and s.size.

    Returns how it is read, and the slots touched (as bits) that it says something new about.
    """
    named = named_cards(hint // COLOURS, hint % COLOURS)
    slots = touches(v, target, hint // COLOURS, hint % COLOURS)
    how, promised, vetoed = reading(s.record, s.players, s.me, target, hint, slots, s.cards)
    news = 0
    for slot in range(SLOTS):
        before = s.known[target, slot]
        s.cards[slot] = before & (named if (slots >> slot) & 1 else ~named)
        s.promise[slot] = 0 if slot == vetoed else s.record.promise[target, slot]
        s.size[slot] = s.record.promise_size[target, slot]
        if (promised >> slot) & 1:
            s.promise[slot] = FREE if s.record.letter != 0 else s.record.playable | s.then[target]
            s.size[slot] = count_bits(slots)
        if (slots >> slot) & 1 and s.cards[slot] != before:
            news |= 1 << slot
    return how, news


@rule
def play_worth(v, s, target, slot, card, playable, weights):
    """The worth of a right play that a hint leads to."""
    worth = 1.0
    if surely(s.cards[slot], playable):
        worth += weights.completes
    if avalanche(v, target, card) > 0:
        worth *= weights.chain
    return worth * power(weights.rank, RANKS - 1 - card % RANKS)


@rule
def play_out(v, s, target, elsewhere, weights):
    """Let the target play the hand in s.cards; the cards played are taken out there.

    Returns the worth of its new plays, their number, 1 if the very first is wrong, and the cards played rightly.
    """
    worth, plays, played = 0.0, 0, 0
    playable = s.then[target]
    while True:
        slot = planned_play(s.cards, s.promise, s.size, playable, s.record.lives)
        if slot == NONE:
            return worth, plays, 0, played
        card = np.int64(v.hands[target, slot])
        if (playable & ~elsewhere) >> card & 1 == 0:
            first = played == 0
            return worth + weights.false * (1.0 if first else LATER), plays, 1 if first else 0, played
        if (s.due[target] >> card) & 1 == 0:
            worth += play_worth(v, s, target, slot, card, playable, weights)
            plays += 1
        played |= 1 << card
        playable = after_play(playable, card)
        s.cards[slot] = 0


@rule
def weigh(v, s, target, hint, weights):
    """A hint (0 to 4 a colour, 5 to 9 a rank) by the weights of a sort of tip: its worth, how many cards it leads to
    play, 1 if the first play is wrong, and how it is read."""
    how, news = imagine_hint(v, s, target, hint)
    elsewhere = due_elsewhere(s, target)
    worth, plays, wrong, played = play_out(v, s, target, elsewhere, weights)
    for slot in range(SLOTS):
        card = np.int64(v.hands[target, slot])
        if (news >> slot) & 1 and s.cards[slot] != 0 and (s.record.useless | elsewhere) >> card & 1 == 0:
            worth += weights.information
    if s.right[target] != 0 and worth > 0.0:
        worth *= weights.already
    if s.record.letter == 0:
        worth -= UNDONE * count_bits(s.due[target] & ~played)
    if worth > 0.0:
        worth *= power(weights.distance, (target - s.me) % s.players)
    return Tip(worth, plays, wrong, how)
