"""The state of a deal of snaps: one record, its options, the deal itself, and who plays with whom.

Everything public stands in it as it happens: who played what, who cannot hold which card (`lacks`), who certainly
holds one (`shows`). Only the hands and the holder of the named card are hidden.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, SEATS, bit, suit_of
from hiddenhand.kernel import record_type, rule, shuffle

CHOOSING, KONTRA_ROUND, REKONTRA_ROUND, TRICKS, FINISHED = range(5)  # phases
TRICK_COUNT = HAND
ENOUGH = 66  # points that win with a claim
SCHWARZ = 33  # losers with fewer lose double, with the option of that name

MARRIAGE = 24  # actions: card + MARRIAGE leads a card and announces a marriage,
MARRIAGE_AND_CLAIM = 48  # card + MARRIAGE_AND_CLAIM does so and says "dost" at once
DOST, PASS, KONTRA, REKONTRA = 72, 73, 74, 75

LAST_TRICK, CLAIM, FALSE_CLAIM = range(3)  # how a deal was won

PUBLIC = [
    ("direction", "i1"),  # options: -1 or 1, the seat that plays next;
    ("choose_after", "i1"),  # cards the chooser has seen when he names one;
    ("announced_sumec", "i1"),  # 1 if it is announced that he plays alone;
    ("relaxed", "i1"),  # 1 if a trumped trick frees from beating the suit led;
    ("auto_claim", "i1"),  # 1 if the first side with 66 points wins at once;
    ("free_claim", "i1"),  # 1 if dost may be said even by one who knows that it is false;
    ("strict_claim", "i1"),  # 1 if nobody may claim on announcing a marriage;
    ("schwarz", "i1"),  # 1 if a heavy defeat counts double or threefold;
    ("with_rekontra", "i1"),  # 1 if the chooser's side may answer a kontra
    ("phase", "i1"),
    ("chooser", "i1"),
    ("mover", "i1"),
    ("named", "i1"),  # the trump card; NONE until it is named
    ("doubled_by", "i1"),  # who said kontra, or NONE
    ("redoubled_by", "i1"),
    ("answers", "i1"),  # given in this round of kontra or rekontra
    ("plays", "i1"),  # cards played
    ("winner", "i1"),  # 0: the chooser's side, 1: the others; NONE until the end
    ("ending", "i1"),  # how; NONE until the end
    ("claimant", "i1"),  # who ended the deal with a claim, or NONE
    ("played", "i1", (CARDS,)),  # in order; NONE behind the last
    ("played_by", "i1", (CARDS,)),  # and by whom
    ("announced", "i1", (TRICK_COUNT,)),  # 0, 20 or 40: what the leader of each trick announced
    ("points", "i2", (SEATS,)),  # of the cards each seat has taken
    ("bonus", "i2", (SEATS,)),  # announced by each seat; it counts once the side has a trick
    ("tricks", "i1", (SEATS,)),
    ("lacks", "i4", (SEATS,)),  # masks: cards that everybody can tell a seat does not hold,
    ("shows", "i4", (SEATS,)),  # and those it certainly holds
    ("hands", "i4", (SEATS,)),  # masks; in a view the others' are 0 until the deal is over
    ("seen_first", "i4"),  # while choosing: the cards that the chooser has seen; 0 in the others' views
    ("holder", "i1"),  # of the named card at the start; NONE in the view of a seat that cannot tell
]
STATE = record_type(PUBLIC)
VIEW = STATE


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    s.direction = options["direction"]
    s.choose_after = options["choose_after"]
    s.announced_sumec = options["sumec"] == "announced"
    s.relaxed = options["relax_if_trumped"]
    s.auto_claim = options["claim"] == "auto"
    s.free_claim = options["claim"] == "free"
    s.strict_claim = options["strict_claim"]
    s.schwarz = options["schwarz"]
    s.with_rekontra = options["rekontra"]
    s.chooser = options["chooser"]


@rule
def deal(s, rng):
    cards = np.empty(CARDS, np.int64)
    for card in range(CARDS):
        cards[card] = card
    shuffle(rng, cards, CARDS)
    for seat in range(SEATS):
        s.hands[seat] = 0
        for i in range(HAND):
            s.hands[seat] |= bit(cards[seat * HAND + i])
    s.seen_first = 0
    for i in range(s.choose_after):
        s.seen_first |= bit(cards[s.chooser * HAND + i])
    begin(s)


@rule
def begin(s):
    """A new deal with the hands as they are."""
    s.phase = CHOOSING
    s.mover = s.chooser
    s.named = NONE
    s.holder = NONE
    s.doubled_by = NONE
    s.redoubled_by = NONE
    s.answers = 0
    s.plays = 0
    s.winner = NONE
    s.ending = NONE
    s.claimant = NONE
    for i in range(CARDS):
        s.played[i] = NONE
        s.played_by[i] = NONE
    for i in range(TRICK_COUNT):
        s.announced[i] = 0
    for seat in range(SEATS):
        s.points[seat] = 0
        s.bonus[seat] = 0
        s.tricks[seat] = 0
        s.lacks[seat] = 0
        s.shows[seat] = 0


# --- who plays with whom --------------------------------------------------------------------------


@rule
def after(s, seat):
    """Who plays after this seat."""
    return np.int64((seat + s.direction) & 3)


@rule
def trump_of(s):
    return suit_of(s.named)


@rule
def side_with(s, seat, holder):
    """The side of a seat if `holder` had the named card: 0 is the chooser's."""
    return 0 if seat == s.chooser or seat == holder else 1


@rule
def side(s, seat):
    return side_with(s, seat, s.holder)


@rule
def total_with(s, which, holder, more):
    """The points of a side if `holder` had the named card, with `more` of a bonus just announced.

    A bonus counts once the side has taken a trick.
    """
    points = 0
    bonus = more
    tricks = 0
    for seat in range(SEATS):
        if side_with(s, seat, holder) == which:
            points += s.points[seat]
            bonus += s.bonus[seat]
            tricks += s.tricks[seat]
    return points + bonus if tricks > 0 else points


@rule
def possible_holders(s, seat):
    """A mask of seats: who may have been dealt the named card, by what was shown and said alone (see `knowledge`)."""
    if s.holder != NONE and (s.holder == seat or s.phase == FINISHED):
        return np.int64(1) << s.holder
    card = s.named
    for i in range(s.plays):
        if s.played[i] == card:
            return np.int64(1) << s.played_by[i]
    mask = np.int64(0)
    for other in range(SEATS):
        if s.shows[other] & bit(card):
            return np.int64(1) << other
        if other != seat and s.lacks[other] & bit(card) == 0:
            mask |= np.int64(1) << other
    return mask
