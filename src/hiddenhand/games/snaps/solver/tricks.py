"""The play of the cards for the solver: sets of cards as bits, and a stack with one level for each card played.

A card is one bit. The suits are exchanged so that trumps are bits 18 to 23: then a card beats another in a trick if
it is of the suit led or a trump, and its bit is higher. Counting bits takes one instruction of the processor each.

Everything the search needs lies in one record `m`: a few numbers about the deal, the levels of the stack, the history
of good moves, and the table of positions. Level p is the position after p cards have been played. Players are
numbered by their place: 0 is the chooser, 1 who plays after him.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, PAIR, RANKS, SEATS, SUIT, SUITS, VALUES
from hiddenhand.kernel import allocate, count_bits, highest_of, inlined, lowest_bit, record_type, rule

# --- cards as bits --------------------------------------------------------------------------------

TRUMP_SUIT = SUITS - 1
TRUMPS = SUIT << (TRUMP_SUIT * RANKS)
OVERS = sum((PAIR & -PAIR) << (RANKS * suit) for suit in range(SUITS))
WORTH = VALUES.astype(np.int64)  # points of each card


@inlined
def suit_of_card(card):
    """The mask of the suit that a card (a bit) belongs to."""
    return np.int64(SUIT) << (lowest_bit(card) // RANKS * RANKS)


@inlined
def points(mask):
    total = 0
    while mask != 0:
        total += WORTH[lowest_bit(mask)]
        mask &= mask - 1
    return total


@inlined
def pairs(hand):
    """The kings and overs that make marriages in this hand."""
    return (hand >> 1 & hand & OVERS) * 3


@inlined
def trumps_on_top(mask, trump):
    """A mask with the suit `trump` exchanged for the top one; doing it twice changes nothing."""
    mask = np.int64(mask)
    low = np.int64(trump) * RANKS
    high = TRUMP_SUIT * RANKS
    difference = (mask >> low ^ mask >> high) & SUIT
    return mask ^ (difference << low | difference << high) if low != high else mask


# --- the stack ------------------------------------------------------------------------------------

LEVELS = CARDS + 1
TRICK_ENDS = HAND + 1
LAST_TRICK = CARDS - SEATS  # the level before it
ALWAYS = np.int64(1)  # what to do about marriages: announce them
TABLE_BITS = (14, 13, 11, 8, 1, 1, 1)  # by tricks played: the logarithm of the size of the table
KEY, FOUND = 0, 1  # the two words of an entry of the table

MEMORY = record_type(
    [
        ("generation", "i8"),  # the number of the deal
        ("nodes", "i8"),  # positions searched
        ("others", "i8"),  # a mask of the places that oppose the chooser
        ("relaxed", "i8"),  # the option
        ("strict", "i8"),  # a mask of the sides that cannot announce and claim at once
        ("hands", "i8", (SEATS,)),  # by place
        # at each level
        ("moves", "i8", (LEVELS,)),  # cards not tried yet
        ("card", "i8", (LEVELS,)),  # the card tried now
        ("gain", "i8", (LEVELS,)),  # points that it won,
        ("gainer", "i8", (LEVELS,)),  # and for which side
        ("tabled", "i8", (LEVELS,)),  # cards in the present trick
        ("high", "i8", (LEVELS,)),  # the highest card of the suit led in it
        ("best", "i8", (LEVELS,)),  # the card that wins it so far,
        ("taker", "i8", (LEVELS,)),  # and who played that
        ("pot", "i8", (LEVELS,)),  # its points
        ("need", "i8", (2, LEVELS)),  # points that the chooser's side lacks, and the others
        ("pending", "i8", (LEVELS,)),  # bonus of the chooser's side that counts with its first trick
        ("most", "i8", (LEVELS,)),  # bounds for which the moves tried so far have failed: see the searches
        ("least", "i8", (LEVELS,)),
        # of each trick
        ("leader", "i8", (TRICK_ENDS,)),  # who led it,
        ("led", "i8", (TRICK_ENDS,)),  # the suit led,
        ("taken", "i8", (TRICK_ENDS,)),  # and a mask of the sides that had taken a trick before
        # what is remembered
        ("history", "i8", (SEATS, SEATS, CARDS)),  # [place in the trick, player, card]: how often the card was good
        ("entries", "i8"),  # how many entries of the table are used: a power of two
        ("table", "i8", (1 << TABLE_BITS[0], 2)),  # what was found about positions
    ]
)


@rule
def new_memory(plays):
    """The memory of the solver for positions after `plays` cards or more: an array of one record, smaller for later
    positions."""
    memory = allocate(MEMORY, 1)
    memory[0].nodes = 0
    fit_table(memory[0], plays)
    return memory


@rule
def fit_table(m, plays):
    """Empty the table, and give it the size that suits positions after so many cards."""
    m.entries = table_size(plays)
    forget(m)


@rule
def table_size(plays):
    return np.int64(1) << TABLE_BITS[plays // SEATS]


@rule
def forget(m):
    """Empty the table and begin to count deals again."""
    m.generation = 0
    for slot in range(m.entries):
        m.table[slot, KEY] = 0


@rule
def new_deal(m):
    """Forget what was found: the hands are others, or the same with other rules."""
    m.generation += 1
    for place in range(SEATS):
        for player in range(SEATS):
            for card in range(CARDS):
                m.history[place, player, card] = 0


@inlined
def mover(m, p):
    return (m.leader[p >> 2] + p) & 3


@inlined
def side_of(m, place):
    return m.others >> place & 1


@inlined
def all_hands(m):
    return m.hands[0] | m.hands[1] | m.hands[2] | m.hands[3]


@inlined
def duties(m, p, hand):
    """The cards of the mover's hand that he may play."""
    if p & 3 == 0:
        return hand
    follows = hand & m.led[p >> 2]
    if follows != 0:
        if m.relaxed != 0 and m.best[p] > m.high[p]:
            return follows
        better = follows & -(m.high[p] << 1)
        return better if better != 0 else follows
    trumps = hand & TRUMPS
    if trumps != 0:
        better = trumps & -(m.best[p] << 1)
        return better if better != 0 else trumps
    return hand


@inlined
def advance(m, p, card, announces):
    """Play a card at level p, with its marriage if it has one and `announces`; level p + 1 is ready then."""
    trick = p >> 2
    place = mover(m, p)
    hand = m.hands[place]
    m.hands[place] = hand ^ card
    m.card[p] = card
    m.gain[p] = 0
    q = p + 1
    m.need[0, q] = m.need[0, p]
    m.need[1, q] = m.need[1, p]
    m.pending[q] = m.pending[p]
    if p & 3 == 0:
        m.led[trick] = suit_of_card(card)
        m.tabled[q] = card
        m.high[q] = card
        m.best[q] = card
        m.taker[q] = place
        m.pot[q] = WORTH[lowest_bit(card)]
        if announces != 0 and pairs(hand) & card != 0:
            announce(m, p, side_of(m, place), 40 if card & TRUMPS else 20)
        return
    m.tabled[q] = m.tabled[p] | card
    m.high[q] = max(m.high[p], card & m.led[trick])
    m.pot[q] = m.pot[p] + WORTH[lowest_bit(card)]
    if card & (m.led[trick] | TRUMPS) > m.best[p]:
        m.best[q] = card
        m.taker[q] = place
    else:
        m.best[q] = m.best[p]
        m.taker[q] = m.taker[p]
    if q & 3 == 0:
        end_trick(m, p, trick)


@inlined
def announce(m, p, side, bonus):
    """A marriage is announced with the lead at level p."""
    if m.taken[p >> 2] >> side & 1 == 0:
        m.pending[p + 1] = bonus  # only the chooser can lead before his side has a trick
        return
    m.gain[p] = bonus
    m.gainer[p] = side
    m.need[side, p + 1] -= bonus


@inlined
def end_trick(m, p, trick):
    """The card at level p was the last of its trick."""
    q = p + 1
    taker = m.taker[q]
    side = side_of(m, taker)
    gain = m.pot[q]
    if side == 0:
        gain += m.pending[q]
        m.pending[q] = 0
    m.gain[p] = gain
    m.gainer[p] = side
    m.need[side, q] -= gain
    m.tabled[q] = 0
    m.leader[trick + 1] = taker
    m.taken[trick + 1] = m.taken[trick] | np.int64(1) << side


@inlined
def take_back(m, p):
    """Undo the card played at level p."""
    m.hands[mover(m, p)] |= m.card[p]


@inlined
def taker_of_last(m, p):
    """Who takes the last trick: everybody has one card."""
    taker = mover(m, p)
    best = m.hands[taker]
    strong = suit_of_card(best) | TRUMPS
    leader = taker
    for i in range(1, SEATS):
        place = (leader + i) & 3
        card = m.hands[place] & strong
        if card > best:
            best = card
            taker = place
    return taker


@inlined
def alike(m, p, card):
    """The cards in the hand of the mover at level p that are as strong as `card`, which is back in it.

    No card of another hand or of the trick lies between; either all of them belong to a marriage or none does.
    """
    hand = m.hands[mover(m, p)]
    suit = suit_of_card(card)
    rest = (all_hands(m) ^ hand | m.tabled[p]) & suit
    same = hand & suit
    over = rest & -card
    if over != 0:
        same &= (over & -over) - 1
    under = rest & (card - 1)
    if under != 0:
        same &= -highest_of(under)
    married = pairs(hand)
    return same & married if card & married != 0 else same & ~married


# --- tricks that a leader is sure of --------------------------------------------------------------


@inlined
def sure_cards(m, leader):
    """Cards with which the leader can take a trick each, whatever the others do.

    The trumps above all others; and if these draw every trump there is, his other trumps, and in each suit the cards
    above all others.
    """
    hand = m.hands[leader]
    rest = np.int64(0)
    longest = 0
    for i in range(1, SEATS):
        other = m.hands[(leader + i) & 3]
        rest |= other
        longest = max(longest, count_bits(other & TRUMPS))
    sure = on_top(hand, rest, TRUMPS)
    if count_bits(sure) < longest:
        return sure
    sure |= hand & TRUMPS
    for suit in range(TRUMP_SUIT):
        sure |= on_top(hand, rest, np.int64(SUIT) << (suit * RANKS))
    return sure


@inlined
def on_top(hand, rest, suit):
    """The cards of a suit that are above all of the rest."""
    below = rest & suit
    if below == 0:
        return hand & suit
    return hand & suit & -(highest_of(below) << 1)
