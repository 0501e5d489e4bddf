"""The play of the cards for the solver: sets of cards as bits, and a stack with one level for each card played.

A card is one bit. The suits are exchanged so that trumps are bits 18 to 23: then a card beats another in a trick if
it is of the suit led or a trump, and its bit is higher. Counting bits takes one instruction of the processor each.

Everything the search needs lies in one array `m` of int64, made by `new_memory`: a few numbers about the deal, the
levels of the stack, the history of good moves, and the table of positions. `m[NEED + p]` and so on is the number of
that name at level p, the position after p cards have been played. Players are numbered by their place: 0 is the
chooser, 1 who plays after him.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, PAIR, RANKS, SEATS, SUIT, SUITS, VALUES
from hiddenhand.kernel import count_bits, highest_of, inlined, lowest_bit, rule

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

GENERATION, NODES, OTHERS, RELAXED, STRICT = range(5)  # OTHERS: a mask of the places that oppose the chooser
HANDS = 8  # the four hands
LEVELS = 32  # room for the levels 0 to 24 of each number below
FIELDS = 17
(
    MOVES,  # cards not tried yet
    CARD,  # the card tried now
    GAIN,  # points that it won,
    GAINER,  # and for which side
    TABLED,  # cards in the present trick
    HIGH,  # the highest card of the suit led in it
    BEST,  # the card that wins it so far,
    TAKER,  # and who played that
    POT,  # its points
    NEED,  # points that the chooser's side lacks,
    NEED_1,  # and the others
    PENDING,  # bonus of the chooser's side that counts with its first trick
    MOST,  # bounds for which the moves tried so far have failed: see the searches
    LEAST,
    LEADER,  # of each trick: who led it,
    LED,  # the suit led,
    TAKEN,  # and a mask of the sides that had taken a trick before
) = (HANDS + SEATS + LEVELS * field for field in range(FIELDS))
HISTORY = HANDS + SEATS + LEVELS * FIELDS  # [place in the trick, player, card]: how often the card was good
HISTORIES = SEATS * SEATS * CARDS
TABLE = HISTORY + HISTORIES
LAST_TRICK = CARDS - SEATS  # the level before it
ALWAYS = np.int64(1)  # what to do about marriages: announce them
TABLE_BITS = (14, 13, 11, 8, 1, 1, 1)  # by tricks played: the logarithm of the size of the table


@rule
def new_memory(plays):
    """Room for solving positions after `plays` cards or more; cheaper the later."""
    return np.zeros(TABLE + (np.int64(2) << TABLE_BITS[plays // SEATS]), np.int64)


@rule
def new_deal(m):
    """Forget what was found: the hands are others, or the same with other rules."""
    m[GENERATION] += 1
    for i in range(HISTORY, HISTORY + HISTORIES):
        m[i] = 0


@inlined
def mover(m, p):
    return (m[LEADER + (p >> 2)] + p) & 3


@inlined
def side_of(m, place):
    return m[OTHERS] >> place & 1


@inlined
def all_hands(m):
    return m[HANDS] | m[HANDS + 1] | m[HANDS + 2] | m[HANDS + 3]


@inlined
def duties(m, p, hand):
    """The cards of the mover's hand that he may play."""
    if p & 3 == 0:
        return hand
    follows = hand & m[LED + (p >> 2)]
    if follows != 0:
        if m[RELAXED] != 0 and m[BEST + p] > m[HIGH + p]:
            return follows
        better = follows & -(m[HIGH + p] << 1)
        return better if better != 0 else follows
    trumps = hand & TRUMPS
    if trumps != 0:
        better = trumps & -(m[BEST + p] << 1)
        return better if better != 0 else trumps
    return hand


@inlined
def advance(m, p, card, announces):
    """Play a card at level p, with its marriage if it has one and `announces`; level p + 1 is ready then."""
    trick = p >> 2
    place = mover(m, p)
    hand = m[HANDS + place]
    m[HANDS + place] = hand ^ card
    m[CARD + p] = card
    m[GAIN + p] = 0
    q = p + 1
    m[NEED + q] = m[NEED + p]
    m[NEED_1 + q] = m[NEED_1 + p]
    m[PENDING + q] = m[PENDING + p]
    if p & 3 == 0:
        m[LED + trick] = suit_of_card(card)
        m[TABLED + q] = card
        m[HIGH + q] = card
        m[BEST + q] = card
        m[TAKER + q] = place
        m[POT + q] = WORTH[lowest_bit(card)]
        if announces != 0 and pairs(hand) & card != 0:
            announce(m, p, side_of(m, place), 40 if card & TRUMPS else 20)
        return
    m[TABLED + q] = m[TABLED + p] | card
    m[HIGH + q] = max(m[HIGH + p], card & m[LED + trick])
    m[POT + q] = m[POT + p] + WORTH[lowest_bit(card)]
    if card & (m[LED + trick] | TRUMPS) > m[BEST + p]:
        m[BEST + q] = card
        m[TAKER + q] = place
    else:
        m[BEST + q] = m[BEST + p]
        m[TAKER + q] = m[TAKER + p]
    if q & 3 == 0:
        end_trick(m, p, trick)


@inlined
def announce(m, p, side, bonus):
    """A marriage is announced with the lead at level p."""
    if m[TAKEN + (p >> 2)] >> side & 1 == 0:
        m[PENDING + p + 1] = bonus  # only the chooser can lead before his side has a trick
        return
    m[GAIN + p] = bonus
    m[GAINER + p] = side
    m[NEED + LEVELS * side + p + 1] -= bonus


@inlined
def end_trick(m, p, trick):
    """The card at level p was the last of its trick."""
    q = p + 1
    taker = m[TAKER + q]
    side = side_of(m, taker)
    gain = m[POT + q]
    if side == 0:
        gain += m[PENDING + q]
        m[PENDING + q] = 0
    m[GAIN + p] = gain
    m[GAINER + p] = side
    m[NEED + LEVELS * side + q] -= gain
    m[TABLED + q] = 0
    m[LEADER + trick + 1] = taker
    m[TAKEN + trick + 1] = m[TAKEN + trick] | np.int64(1) << side


@inlined
def take_back(m, p):
    """Undo the card played at level p."""
    m[HANDS + mover(m, p)] |= m[CARD + p]


@inlined
def taker_of_last(m, p):
    """Who takes the last trick: everybody has one card."""
    taker = mover(m, p)
    best = m[HANDS + taker]
    strong = suit_of_card(best) | TRUMPS
    leader = taker
    for i in range(1, SEATS):
        place = (leader + i) & 3
        card = m[HANDS + place] & strong
        if card > best:
            best = card
            taker = place
    return taker


@inlined
def alike(m, p, card):
    """The cards in the hand of the mover at level p that are as strong as `card`, which is back in it.

    No card of another hand or of the trick lies between; either all of them belong to a marriage or none does.
    """
    hand = m[HANDS + mover(m, p)]
    suit = suit_of_card(card)
    rest = (all_hands(m) ^ hand | m[TABLED + p]) & suit
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
    hand = m[HANDS + leader]
    rest = np.int64(0)
    longest = 0
    for i in range(1, SEATS):
        other = m[HANDS + ((leader + i) & 3)]
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
