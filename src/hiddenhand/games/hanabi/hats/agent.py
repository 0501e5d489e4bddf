"""What to do with what one knows: play, discard or hint.

The rules ("modules") are tried in this order:

    PLAY    play a card that is surely playable
    GAMBLE  play a card that is very likely playable, if a wrong one would not end the game
    FREE    discard a card that everyone knows to be useless, if there is time for it
    SAFE    discard a card that will not be missed, if there is time for it and there are few tokens
    HINT    give the hint that says the number which the others need
    WORST   discard the card that will be missed least

There is time for a discard if the deck holds at least as many cards as points are still to be made, since every
discard uses up one card of the deck. There is also time if nobody else holds a playable card: what everybody waits
for must then come from the deck, and tokens will be needed when it has come.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.games.hanabi.deduction import (
    count_unseen,
    critical_cards,
    left_cards,
    playable_cards,
    share,
    useless_cards,
)
from hiddenhand.games.hanabi.hats.board import MEMORY, bits, first_card, held, is_one, named_cards, restore, save
from hiddenhand.games.hanabi.hats.coded_answers import catch_up, tell
from hiddenhand.games.hanabi.hats.numbers import class_of, free_discards, hint_classes
from hiddenhand.games.hanabi.rules import (
    CARDS,
    COLOURS,
    DISCARD,
    MOST_HINTS,
    NONE,
    RANKS,
    SEATS,
    SLOTS,
    highest,
    hint_action,
    touches,
)
from hiddenhand.kernel import rule

PLAY, GAMBLE, FREE, SAFE, HINT, WORST = 0, 1, 2, 3, 4, 5

GOOD_ODDS = 0.8  # for a gamble while there are tokens,
LATE_ODDS = 0.2  # once the deck is empty,
LAST_ODDS = 0.1  # and then without tokens
FEW_TOKENS = 4  # below this many, SAFE comes before HINT
STEPS = SEATS + 1  # from a player round to himself, and one more
NOT_MISSED = 0.6  # the most that a safe discard may cost


# ---- what I know


@rule
def privately(board, v, me, mine, counts):
    """What I know of my own cards: the public knowledge, less what I see elsewhere. counts: what I do not see."""
    count_unseen(v, me, me, counts)
    fixed = 0
    changed = True
    for slot in range(held(board, me)):
        mine[slot] = board.possible[me, slot]
    while changed:
        changed = False
        for slot in range(held(board, me)):
            if (fixed >> slot) & 1 == 0:
                left = left_cards(counts)
                if mine[slot] & left != 0:
                    mine[slot] &= left
                if is_one(mine[slot]):
                    counts[first_card(mine[slot])] -= 1
                    fixed |= 1 << slot
                    changed = True


@rule
def seen(v, card):
    """Whether I see somebody hold this card."""
    for who in range(np.int64(v.players)):
        for slot in range(np.int64(v.hand_size)):
            if v.hands[who, slot] == card:
                return True
    return False


@rule
def someone_can_play(v, playable):
    """Whether I see a playable card."""
    for card in range(CARDS):
        if (playable >> card) & 1 and seen(v, card):
            return True
    return False


@rule
def points_to_make(v):
    """The points that are still possible."""
    total = 0
    for colour in range(COLOURS):
        total += highest(v, colour) - np.int64(v.piles[colour])
    return total


# ---- playing


@rule
def play_score(v, cards, critical):
    """How good it is to play one of these cards: low ranks, fives for their token, and what opens the way."""
    total, n = 0.0, 0
    for card in range(CARDS):
        if (cards >> card) & 1:
            n += 1
            total += 10.0 - card % RANKS
            if card % RANKS == RANKS - 1 and v.hints < MOST_HINTS:
                total += 3.0
            if card % RANKS < RANKS - 1 and seen(v, card + 1):
                total += 4.0
            if (critical >> card) & 1:
                total += 0.5
    return total / n


@rule
def sure_play(v, mine, playable):
    """The best of the cards that are surely playable, or NONE."""
    critical = critical_cards(v)
    best, choice = -1.0, NONE
    for slot in range(SLOTS):
        if mine[slot] != 0 and mine[slot] & ~playable == 0:
            score = play_score(v, mine[slot], critical)
            if score > best:
                best, choice = score, slot
    return choice


@rule
def likeliest_play(mine, counts, playable):
    """The slot that is most probably playable, and its chance."""
    best, choice = 0.0, NONE
    for slot in range(SLOTS):
        chance = share(mine[slot], playable, counts)
        if chance > best:
            best, choice = chance, slot
    return choice, best


@rule
def bar(v):
    """The odds that a gamble needs now; more than 1: none is good enough."""
    if v.lives < 2:
        return 2.0
    if v.turns_left == 1:
        return 0.0001  # nothing to lose
    if v.turns_left != NONE:
        return LAST_ODDS if v.hints == 0 else LATE_ODDS
    return GOOD_ODDS if v.hints > 0 else 2.0


# ---- hinting


@rule
def choose_hint(v, board, me):
    """The hint that says the right number; of several, the one whose plain meaning tells the receiver most."""
    kept = np.zeros((SEATS, SLOTS), np.int64)
    classes = np.zeros(3, np.int64)
    save(board, kept)
    first = np.zeros(STEPS, np.int64)
    for step in range(1, board.players):
        first[step + 1] = first[step] + hint_classes(board, (me + step) % board.players, classes)
    number = tell(board, me, me, 0, first[board.players])
    step = 1
    while number >= first[step + 1]:
        step += 1
    target = (me + step) % board.players
    possible_after = np.zeros((SEATS, SLOTS), np.int64)
    save(board, possible_after)
    restore(board, kept)
    hint_classes(board, target, classes)
    return plainest_hint(v, board, target, classes, number - first[step], possible_after)


@rule
def plainest_hint(v, board, target, classes, number, possible_after):
    """Of the hints that say a number, the one that leaves fewest possibilities of useful cards; NONE: there is none.

    possible_after: the cards that will be possible in each slot once the number is known.
    """
    useless = useless_cards(board)
    best, choice = 1e9, NONE
    for kind in range(2):
        for value in range(5):
            touched = touches(v, target, kind, value)
            if touched == 0 or class_of(classes, kind, touched) != number:
                continue
            left = 0.0
            for slot in range(held(board, target)):
                named = named_cards(kind, value)
                cards = possible_after[target, slot] & (named if (touched >> slot) & 1 else ~named)
                if cards & ~useless != 0:
                    left += np.log2(bits(cards & ~useless) + (0.5 if cards & useless != 0 else 0.0))
            if left < best:
                best, choice = left, hint_action(target, kind, value)
    return choice


# ---- discarding


@rule
def discard_cost(v, cards, counts, useless, critical):
    """How much a card that is one of these will be missed."""
    total, weight = 0.0, 0
    for card in range(CARDS):
        if (cards >> card) & 1:
            copies = max(counts[card], 1)
            weight += copies
            if (critical >> card) & 1:
                total += copies * (20.0 - card % RANKS)
            elif (useless >> card) & 1 == 0:
                total += copies * (0.5 if seen(v, card) else 5.0 - card % RANKS)
    return total / weight if weight > 0 else 0.0


@rule
def cheapest_discard(v, mine, counts):
    """The card that will be missed least, and how much."""
    useless = useless_cards(v)
    critical = critical_cards(v)
    best, choice = 1e9, 0
    for slot in range(SLOTS):
        if mine[slot] != 0:
            cost = discard_cost(v, mine[slot], counts, useless, critical)
            if cost < best:
                best, choice = cost, slot
    return choice, best


@rule
def free_discard(board, me):
    """Which of my publicly useless cards to discard, so that the discard says the right number."""
    kept = np.zeros((SEATS, SLOTS), np.int64)
    save(board, kept)
    free = free_discards(board, me)
    number = tell(board, me, me, 0, bits(free))
    restore(board, kept)
    slot = 0
    while (free >> slot) & 1 == 0 or number > 0:
        number -= (free >> slot) & 1
        slot += 1
    return slot


# ---- the agent


@rule
def decide(v, me, memory):
    """The action, and the module that chose it."""
    board = catch_up(v, me, memory)
    playable = playable_cards(v)
    mine = np.zeros(SLOTS, np.int64)
    counts = np.zeros(CARDS, np.int64)
    privately(board, v, me, mine, counts)
    slot = sure_play(v, mine, playable)
    if slot != NONE:
        return slot, PLAY
    slot, odds = likeliest_play(mine, counts, playable)
    if odds >= bar(v):
        return slot, GAMBLE
    has_free = free_discards(board, me) != 0
    slot, cost = cheapest_discard(v, mine, counts)
    in_time = v.deck_left >= points_to_make(v) or not someone_can_play(v, playable)
    if has_free and v.hints < MOST_HINTS and (in_time or v.hints == 0):
        return DISCARD + free_discard(board, me), FREE
    if in_time and v.hints < FEW_TOKENS and cost < NOT_MISSED:
        return DISCARD + slot, SAFE
    if v.hints > 0:
        action = choose_hint(v, board, me)
        if action != NONE:
            return action, HINT
    return DISCARD + slot, WORST


@policy(
    Text("every hint tells all others something by arithmetic: for three to five players who all do so"),
    memory=MEMORY,
)
def hat(view, seat, actions, memory, parameters, rng):
    action, _ = decide(view, seat, memory)
    for i in range(len(actions)):
        if actions[i] == action:
            return action
    return actions[len(actions) - 1]  # somebody does not keep to the agreement, and we may not discard
