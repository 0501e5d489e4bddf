"""What a seat of Hanabi knows: its view, the cards it does not see, and the worlds that may be the true one."""

import numpy as np

from hiddenhand.games.hanabi.deduction import by_hints, count_unseen, left_cards, unseen_by
from hiddenhand.games.hanabi.rules import CARDS, DECK_SIZE, DISCARD, HINT, NONE, RANKS, SEATS, SLOTS, begin, held
from hiddenhand.kernel import below, copy, copy_shared, count_bits, lowest_bit, rule, shuffle

TRIES = 100_000  # to draw one's own hand; see `redeal`
LEAPS = 8  # one step of `vary` in so many leads to any world


@rule
def observe(s, seat, view):
    """Everything but one's own cards and the deck."""
    copy_shared(view, s)
    for slot in range(SLOTS):
        view.hands[seat, slot] = NONE


@rule
def can_be(s, seat, slot, card):
    """Whether the hints that a seat got allow this card in this slot."""
    colour_fits = np.int64(s.colours[seat, slot]) >> (card // RANKS) & 1
    rank_fits = np.int64(s.ranks[seat, slot]) >> (card % RANKS) & 1
    return colour_fits == 1 and rank_fits == 1


@rule
def redeal(s, seat, rng):
    """One's own hand and the deck: every arrangement of the unseen cards that the hints allow is equally likely.

    Each slot draws one of the unseen cards that fit it, whatever the other slots draw. If two slots draw the same
    card, all start again: so every arrangement that remains has the same chance. It cannot take long. If m_1 <= m_2
    <= ... cards fit the slots, there are m_1 m_2 ... draws, and once one of them is good at least the product of all
    max(1, m_i - i + 1) are (R. Rado, "On the number of systems of distinct representatives of sets", 1967). For five
    slots that is one in 120 at worst: that all TRIES fail happens less than once in 10^360 times.
    """
    counts = np.empty(CARDS, np.int64)
    count_unseen(s, seat, seat, counts)
    unseen = np.empty(DECK_SIZE, np.int64)  # in the order of their numbers, not as they really lie
    n = 0
    for card in range(CARDS):
        for _ in range(counts[card]):
            unseen[n] = card
            n += 1
    mine = held(s, seat)
    fitting = np.empty((SLOTS, DECK_SIZE), np.int64)
    fits = np.zeros(SLOTS, np.int64)
    for slot in range(mine):
        for i in range(n):
            if can_be(s, seat, slot, unseen[i]):
                fitting[slot, fits[slot]] = i
                fits[slot] += 1
    draw_distinct(fitting, fits, mine, s.hands[seat], unseen, rng)
    for slot in range(mine):
        counts[s.hands[seat, slot]] -= 1
    shuffle_deck(s, counts, rng)


@rule
def draw_distinct(fitting, fits, mine, hand, unseen, rng):
    """Fill the hand: each slot one of its fitting cards, no card twice."""
    for _ in range(TRIES):
        taken = 0
        slot = 0
        while slot < mine:
            i = fitting[slot, below(rng, fits[slot])]
            if taken >> i & 1:
                break
            taken |= 1 << i
            hand[slot] = unseen[i]
            slot += 1
        if slot == mine:
            break


@rule
def shuffle_deck(s, counts, rng):
    """Make the deck of these numbers of copies of each card, in an arbitrary order."""
    left = 0
    for card in range(CARDS):
        for _ in range(counts[card]):
            s.deck[left] = card
            left += 1
    shuffle(rng, s.deck, left)


@rule
def worlds(s, seat):
    """Each card of one's own hand is any of those that hints and counting leave it, whatever the others are."""
    left = unseen_by(s, seat, seat)
    total = 1
    for slot in range(held(s, seat)):
        total *= count_bits(by_hints(s, seat, slot) & left)
    return total


@rule
def world(s, seat, number, rng):
    """The number has a digit for each slot. The weight: in how many ways the unseen copies can lie so."""
    counts = np.empty(CARDS, np.int64)
    count_unseen(s, seat, seat, counts)
    left = left_cards(counts)
    weight = 1.0
    for slot in range(held(s, seat)):
        cards = by_hints(s, seat, slot) & left
        kinds = count_bits(cards)
        for _ in range(number % kinds):
            cards &= cards - 1
        number //= kinds
        card = lowest_bit(cards)
        if counts[card] == 0:
            return 0.0
        weight *= counts[card]
        counts[card] -= 1
        s.hands[seat, slot] = card
    shuffle_deck(s, counts, rng)
    return weight


@rule
def vary(s, seat, rng):
    """One of one's own cards changes places with another or with one of the deck, if the hints allow it.

    Which worlds can be reached so may depend on the hints: now and then any world is drawn.
    """
    mine = held(s, seat)
    if mine == 0 or below(rng, LEAPS) == 0:
        redeal(s, seat, rng)
        return
    slot, other = below(rng, mine), below(rng, mine + s.deck_left)
    card = np.int64(s.hands[seat, slot])
    if other >= mine:
        drawn = np.int64(s.deck[other - mine])
        if can_be(s, seat, slot, drawn):
            s.hands[seat, slot] = drawn
            s.deck[other - mine] = card
    elif can_be(s, seat, slot, s.hands[seat, other]) and can_be(s, seat, other, card):
        s.hands[seat, slot] = s.hands[seat, other]
        s.hands[seat, other] = card


@rule
def rewind(s, first, actions):
    """Every card goes back to its place in the deck: where each slot's card came from is followed through the log."""
    copy(first, s)
    places = np.empty((SEATS, SLOTS), np.int64)
    left = DECK_SIZE
    for seat in range(s.players):
        for slot in range(s.hand_size):
            left -= 1
            places[seat, slot] = left
    for move in range(s.moves_made):
        action = np.int64(s.log_action[move])
        actions[move] = action
        if action < HINT:
            seat, slot = np.int64(s.log_actor[move]), action % DISCARD
            first.deck[places[seat, slot]] = s.log_card[move]
            for i in range(slot, s.hand_size - 1):
                places[seat, i] = places[seat, i + 1]
            left -= 1  # below 0 once the deck is empty: then there is no card in that slot
            places[seat, s.hand_size - 1] = left
    for seat in range(s.players):
        for slot in range(held(s, seat)):
            first.deck[places[seat, slot]] = s.hands[seat, slot]
    begin(first)
    return np.int64(s.moves_made)
