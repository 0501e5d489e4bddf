"""The state of a deal of snaps: one record, its options, and the deal itself.

Everything public stands in it as it happens: who played what, who cannot hold which card (`lacks`), who certainly
holds one (`shows`). Only the hands and the holder of the named card are hidden.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, NONE, SEATS, bit
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


def configure(s, options):
    s.direction = options["direction"]
    s.choose_after = options["choose_after"]
    s.announced_sumec = options["sumec"] == "announced"
    s.relaxed = options["relax_if_trumped"]
    s.auto_claim = options["claim"] == "auto"
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
