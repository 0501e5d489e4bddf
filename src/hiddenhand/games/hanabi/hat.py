"""The agent `hat`: hat guessing, the information strategy, for three to five players.

After Cox, De Silva, Deorsey, Kenter, Retter and Tobin, "How to make the perfect fireworks display: two strategies
for Hanabi" (2015). One hint tells every other player something: see `hat_knowledge`.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.games.hanabi.deduction import (
    CARDS,
    COPIES,
    NONE,
    OF_COLOURS,
    OF_RANKS,
    RANKS,
    SLOTS,
    by_hints,
    count_unseen,
    critical_cards,
    left_cards,
    playable_cards,
    share,
    touched_slots,
    useless_cards,
)
from hiddenhand.games.hanabi.hat_knowledge import (
    DISCARD,
    HINT,
    MEMORY,
    bits,
    catch_up,
    class_of,
    count_public,
    first_card,
    free_discards,
    held,
    hint_classes,
    is_one,
    tell,
)
from hiddenhand.kernel import rule


@rule
def privately(board, v, me, mine, counts):
    """What I know of my own cards: the public knowledge, less what I see elsewhere."""
    count_unseen(v, me, me, counts)
    n = held(board, me)
    for slot in range(n):
        mine[slot] = board.possible[me, slot]
    fixed = 0
    changed = True
    while changed:
        changed = False
        left = left_cards(counts)
        for slot in range(n):
            if (fixed >> slot) & 1 == 0:
                if mine[slot] & left != 0:
                    mine[slot] &= left
                if is_one(mine[slot]):
                    counts[first_card(mine[slot])] -= 1
                    left = left_cards(counts)
                    fixed |= 1 << slot
                    changed = True
    return n


@rule
def play_score(v, me, cards, critical):
    """How much we want to play a card that is one of these, all playable."""
    worst = 0.0
    total = 0.0
    for card in range(CARDS):
        if (cards >> card) & 1:
            score = 10.0 - card % RANKS
            if card % RANKS == 4:
                score += 3.0 if v.hints < 8 else 0.0
            if (critical >> card) & 1:
                score += 0.5
            if card % RANKS < 4 and seen(v, card + 1):
                score += 2.0
            worst += score
            total += 1.0
    return worst / total


@rule
def seen(v, card):
    """Whether somebody holds this card, as far as I see."""
    for who in range(np.int64(v.players)):
        for slot in range(np.int64(v.hand_size)):
            if v.hands[who, slot] == card:
                return True
    return False


@rule
def choose_play(v, board, me, mine, n, playable, critical):
    best, choice = -1.0, NONE
    for slot in range(n):
        if mine[slot] & ~playable == 0:
            score = play_score(v, me, mine[slot], critical)
            if score > best:
                best, choice = score, slot
    return choice


@rule
def save(board, kept):
    for who in range(5):
        for slot in range(SLOTS):
            kept[who, slot] = board.possible[who, slot]


@rule
def restore(board, kept):
    for who in range(5):
        for slot in range(SLOTS):
            board.possible[who, slot] = kept[who, slot]


@rule
def choose_hint(v, board, me, scratch):
    """The hint that says the right number; among several, the one that tells its target most."""
    kept = np.zeros((5, SLOTS), np.int64)
    save(board, kept)
    classes = np.zeros(3, np.int64)
    total = 0
    for step in range(1, board.players):
        total += hint_classes(board, (me + step) % board.players, classes)
    number = tell(board, me, me, 0, total)
    after = np.zeros((5, SLOTS), np.int64)
    save(board, after)
    restore(board, kept)
    first = 0
    for step in range(1, board.players):
        who = (me + step) % board.players
        n = hint_classes(board, who, classes)
        if number < first + n:
            restore(board, after)
            choice = best_in_class(v, board, who, classes, number - first)
            restore(board, kept)
            return choice
        first += n
    return NONE


@rule
def best_in_class(v, board, who, classes, number):
    """Of the hints that say the same number, the one that leaves fewest possibilities by what it says itself."""
    best, choice = 1e9, NONE
    counts = np.zeros(CARDS, np.int64)
    count_public(board, counts)
    useless = useless_cards(board)
    for kind in range(2):
        for value in range(5):
            touched = touched_slots(v, who, kind, value)
            if touched != 0 and class_of(classes, kind, touched) == number:
                left = 0.0
                named = OF_COLOURS[1 << value] if kind == 0 else OF_RANKS[1 << value]
                for slot in range(held(board, who)):
                    told = named if (touched >> slot) & 1 else ~named
                    cards = board.possible[who, slot]
                    if cards & told & ~useless != 0:
                        left += np.log2(float(bits(cards & told & ~useless)) + 0.5 * (cards & told & useless != 0))
                if left < best:
                    best, choice = left, HINT + 10 * who + 5 * kind + value
    return choice


@rule
def discard_cost(v, cards, counts, useless, critical):
    """What we expect to lose if a card that is one of these goes."""
    total = 0.0
    weight = 0.0
    for card in range(CARDS):
        if (cards >> card) & 1:
            cost = 0.0
            if (useless >> card) & 1 == 0:
                if (critical >> card) & 1:
                    cost = 20.0 - card % RANKS
                elif seen(v, card):
                    cost = 0.5
                else:
                    cost = 5.0 - card % RANKS
            total += cost * max(counts[card], 1)
            weight += max(counts[card], 1)
    return total / weight


@rule
def choose_discard(v, board, me, mine, n, counts, useless, critical):
    best, choice = 1e9, 0
    for slot in range(n):
        cost = discard_cost(v, mine[slot], counts, useless, critical)
        if cost < best:
            best, choice = cost, slot
    return choice


@rule
def slot_number(mask, number):
    for slot in range(SLOTS):
        if (mask >> slot) & 1:
            if number == 0:
                return slot
            number -= 1
    return 0


@rule
def likeliest_play(mine, n, counts, playable):
    """The slot that is most probably playable, and its chance."""
    best, choice = 0.0, NONE
    for slot in range(n):
        chance = share(mine[slot], playable, counts)
        if chance > best:
            best, choice = chance, slot
    return choice, best


@rule
def unaware(board, me, playable):
    """How many others hold a card that they could play, and know of none."""
    n = 0
    for who in range(board.players):
        if who != me:
            holds, ready = False, False
            for slot in range(held(board, who)):
                holds = holds or (playable >> board.hands[who, slot]) & 1 == 1
                ready = ready or board.possible[who, slot] & ~playable == 0
            if holds:
                n += 1
    return n


@rule
def free_discard(board, me, scratch):
    """Which of my publicly useless cards to discard, so that it says the right number."""
    free = free_discards(board, me)
    total = bits(free)
    if total < 2:
        return slot_number(free, 0)
    kept = np.zeros((5, SLOTS), np.int64)
    save(board, kept)
    number = tell(board, me, me, 0, total)
    restore(board, kept)
    return slot_number(free, number)


@rule
def decide(v, me, memory, parameters):
    board = catch_up(v, me, memory)
    playable = playable_cards(v)
    useless = useless_cards(v)
    critical = critical_cards(v)
    mine = np.zeros(SLOTS, np.int64)
    counts = np.zeros(CARDS, np.int64)
    scratch = np.zeros(CARDS, np.int64)
    n = privately(board, v, me, mine, counts)
    slot = choose_play(v, board, me, mine, n, playable, critical)
    if slot != NONE:
        return slot, 0
    risky, odds = likeliest_play(mine, n, counts, playable)
    if v.lives >= 2:
        bar = 2.0
        if v.turns_left == 1:
            bar = 0.0001
        elif v.turns_left != NONE and v.hints == 0:
            bar = parameters[5]
        elif v.hints == 0:
            bar = parameters[6]
        elif v.turns_left != NONE:
            bar = parameters[7]
        else:
            bar = parameters[8]
        if odds >= bar:
            return risky, 4
    free = free_discards(board, me)
    needed = 25
    for colour in range(5):
        needed -= np.int64(v.piles[colour])
    slack = np.int64(v.deck_left) - needed
    if unaware(board, me, playable) == 0:
        slack = slack - parameters[9]
    else:
        slack = slack - parameters[10]
    slot3 = choose_discard(v, board, me, mine, n, counts, useless, critical)
    cost = discard_cost(v, mine[slot3], counts, useless, critical)
    if free == 0 and v.hints < parameters[2] and slack >= parameters[3] and cost < parameters[4]:
        return DISCARD + slot3, 3
    if v.hints > 0 and not (free != 0 and v.hints < parameters[0] and slack >= parameters[1]):
        return choose_hint(v, board, me, scratch), 1
    if free != 0 and v.hints < 8:
        return DISCARD + free_discard(board, me, scratch), 2
    return DISCARD + slot3, 3  # OLD choose_discard(v, board, me, mine, n, counts, useless, critical), 3


@policy("one hint tells every other player something: hat guessing, for three to five players", memory=MEMORY,
    settings={c: Setting(d, '', low=-1000.0, high=1000.0) for c, d in zip('abcdefghijkl', (8.,0.,4.,0.,0.6,.1,2.,.2,.8,-10.,0.,0.))})
def hat(view, seat, actions, memory, parameters, rng):
    action, module = decide(view, seat, memory, parameters)
    for i in range(len(actions)):
        if actions[i] == action:
            return action
    return actions[len(actions) - 1]
