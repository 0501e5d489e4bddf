"""The rules of snaps, compiled. The package's own text says how cards and actions are numbered.

Everything public stands in the state as it happens: who played what, who cannot hold which card (`lacks`), who
certainly holds one (`shows`). Only the hands and the holder of the named card are hidden.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, HAND, KING, NONE, OVER_KNAVE, RANKS, SEATS, VALUES, bit, mate, suit_of
from hiddenhand.games.snaps.duties import allowed, best_cards, revealed, trick_winner
from hiddenhand.kernel import OVER, record_type, rule, shuffle

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


# --- the deal -------------------------------------------------------------------------------------


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


# --- sides ----------------------------------------------------------------------------------------


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
    """A mask of seats: who may have been dealt the named card, as far as this seat can tell."""
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


@rule
def best_total(s, seat, more):
    """The most points that this seat's side can have, as far as it can tell, with `more` of a bonus.

    Exact from 66 on; below that a number below 66.
    """
    everything = more
    for other in range(SEATS):
        everything += s.points[other] + s.bonus[other]
    if everything < ENOUGH:
        return everything  # not yet worth a closer look
    holders = possible_holders(s, seat)
    best = 0
    for holder in range(SEATS):
        if holders >> holder & 1:
            best = max(best, total_with(s, side_with(s, seat, holder), holder, more))
    return best


# --- whose turn, and what he may do ---------------------------------------------------------------


@rule
def turn(s):
    return OVER if s.phase == FINISHED else np.int64(s.mover)


@rule
def legal(s, out):
    if s.phase == CHOOSING:
        for card in range(CARDS):
            out[card] = card
        return CARDS
    if s.phase == TRICKS:
        return legal_in_trick(s, out)
    out[0] = PASS
    if not may_double(s):
        return 1
    out[1] = KONTRA if s.phase == KONTRA_ROUND else REKONTRA
    return 2


@rule
def may_double(s):
    """Whether the mover is on the side that may say kontra, or rekontra, now."""
    with_chooser = s.mover == s.chooser or s.hands[s.mover] & bit(s.named) != 0
    return with_chooser if s.phase == REKONTRA_ROUND else not with_chooser


@rule
def legal_cards(s):
    """The mask of the cards that the mover may play."""
    first = s.plays & ~3
    hand = np.int64(s.hands[s.mover])
    if first == s.plays:
        return hand
    led, high, high_trump = best_cards(s.played, first, s.plays, trump_of(s))
    return allowed(hand, led, high, high_trump, trump_of(s), s.relaxed)


@rule
def legal_in_trick(s, out):
    cards = legal_cards(s)
    n = 0
    for card in range(CARDS):
        if cards >> card & 1:
            out[n] = card
            n += 1
    if s.plays & 3 == 0:
        n = legal_marriages(s, out, n)
    # nobody is offered a claim that he himself knows to be false
    if s.auto_claim == 0 and best_total(s, s.mover, 0) >= ENOUGH:
        out[n] = DOST
        n += 1
    return n


@rule
def legal_marriages(s, out, n):
    """Leads that announce a marriage, without and with a claim that may be true."""
    hand = np.int64(s.hands[s.mover])
    for card in range(CARDS):
        if can_announce(hand, card):
            out[n] = MARRIAGE + card
            n += 1
    if s.auto_claim != 0 or s.strict_claim != 0:
        return n
    for card in range(CARDS):
        if can_announce(hand, card) and best_total(s, s.mover, worth(s, card)) >= ENOUGH:
            out[n] = MARRIAGE_AND_CLAIM + card
            n += 1
    return n


@rule
def can_announce(hand, card):
    rank = card % RANKS
    return rank in (OVER_KNAVE, KING) and hand >> card & 1 and hand >> mate(card) & 1


@rule
def worth(s, card):
    """What a marriage of this card's suit is worth."""
    return 40 if suit_of(card) == trump_of(s) else 20


# --- what an action does --------------------------------------------------------------------------


@rule
def play(s, action, rng):
    if s.phase == CHOOSING:
        name_card(s, action)
    elif s.phase == KONTRA_ROUND:
        answer_kontra(s, action)
    elif s.phase == REKONTRA_ROUND:
        answer_rekontra(s, action)
    elif action == DOST:
        claim(s)
    else:
        play_card(s, action)


@rule
def name_card(s, card):
    s.named = card
    s.seen_first = 0
    for seat in range(SEATS):
        if s.hands[seat] & bit(card):
            s.holder = seat
    if s.announced_sumec != 0:
        if s.holder == s.chooser:
            s.shows[s.chooser] |= bit(card)
        else:
            s.lacks[s.chooser] |= bit(card)
    s.phase = KONTRA_ROUND
    s.answers = 0
    s.mover = after(s, s.chooser)


@rule
def answer_kontra(s, action):
    if action == KONTRA:
        s.doubled_by = s.mover
        s.lacks[s.mover] |= bit(s.named)
        if s.with_rekontra != 0:
            s.phase = REKONTRA_ROUND
            s.answers = 0
            s.mover = s.chooser
        else:
            first_lead(s)
        return
    s.answers += 1
    s.mover = after(s, s.mover)
    if s.answers == SEATS - 1:
        first_lead(s)


@rule
def answer_rekontra(s, action):
    """Everybody but the one who said kontra is asked, the chooser first."""
    if action == REKONTRA:
        s.redoubled_by = s.mover
        if s.mover != s.chooser:
            s.shows[s.mover] |= bit(s.named)
        first_lead(s)
        return
    s.answers += 1
    s.mover = after(s, s.mover)
    if s.mover == s.doubled_by:
        s.mover = after(s, s.mover)
    if s.answers == SEATS - 1:
        first_lead(s)


@rule
def first_lead(s):
    s.phase = TRICKS
    s.mover = s.chooser


@rule
def claim(s):
    """The mover says "dost": his side wins if it has enough points, and loses if not."""
    mine = side(s, s.mover)
    s.claimant = s.mover
    if total_with(s, mine, s.holder, 0) >= ENOUGH:
        finish(s, mine, CLAIM)
    else:
        finish(s, 1 - mine, FALSE_CLAIM)


@rule
def finish(s, winner, ending):
    s.winner = winner
    s.ending = ending
    s.phase = FINISHED


@rule
def play_card(s, action):
    card = action % CARDS
    if action >= MARRIAGE:
        announce(s, card)
        if action >= MARRIAGE_AND_CLAIM:
            claim(s)
            return
        if s.auto_claim != 0:
            claim_for(s, side(s, s.mover))
            if s.phase == FINISHED:
                return
    learn_from(s, card)
    s.hands[s.mover] &= ~bit(card)
    s.shows[s.mover] &= ~bit(card)
    s.played[s.plays] = card
    s.played_by[s.plays] = s.mover
    s.plays += 1
    if s.plays & 3 == 0:
        end_trick(s)
    else:
        s.mover = after(s, s.mover)


@rule
def announce(s, card):
    s.announced[s.plays >> 2] = worth(s, card)
    s.bonus[s.mover] += worth(s, card)
    s.shows[s.mover] |= bit(card) | bit(mate(card))


@rule
def claim_for(s, which):
    """With automatic claims: a side that has enough has won."""
    if total_with(s, which, s.holder, 0) >= ENOUGH:
        finish(s, which, CLAIM)
        return
    # that the deal goes on is public, and tells whose points were not added up
    for holder in range(SEATS):
        if total_with(s, 0, holder, 0) >= ENOUGH or total_with(s, 1, holder, 0) >= ENOUGH:
            s.lacks[holder] |= bit(s.named)


@rule
def learn_from(s, card):
    """What everybody can tell about the mover's hand when he plays a card."""
    first = s.plays & ~3
    if first < s.plays:
        led, high, high_trump = best_cards(s.played, first, s.plays, trump_of(s))
        s.lacks[s.mover] |= revealed(card, led, high, high_trump, trump_of(s), s.relaxed)
    for seat in range(SEATS):
        s.lacks[seat] |= bit(card)


@rule
def end_trick(s):
    first = s.plays - 4
    taker = np.int64(s.played_by[first + trick_winner(s.played, first, trump_of(s))])
    for i in range(first, s.plays):
        s.points[taker] += VALUES[s.played[i]]
    s.tricks[taker] += 1
    s.mover = taker
    if s.plays == CARDS:
        finish(s, side(s, taker), LAST_TRICK)
    elif s.auto_claim != 0:
        claim_for(s, side(s, taker))


# --- the end --------------------------------------------------------------------------------------


@rule
def stake(s):
    """How much each of the two opponents wins or loses."""
    losers = 1 - s.winner
    stake = 1
    if s.schwarz != 0:
        tricks = 0
        for seat in range(SEATS):
            if side(s, seat) == losers:
                tricks += s.tricks[seat]
        stake = 3 if tricks == 0 else 2 if total_with(s, losers, s.holder, 0) < SCHWARZ else 1
    if s.doubled_by != NONE:
        stake *= 2
    if s.redoubled_by != NONE:
        stake *= 2
    return stake


@rule
def payoff(s, out):
    amount = np.float64(stake(s))
    for seat in range(SEATS):
        out[seat] = amount if side(s, seat) == s.winner else -amount
    if s.holder == s.chooser:
        out[s.chooser] *= SEATS - 1


@rule
def measure(s, out):
    """chooser_won, sumec, kontra, claimed, false_claim, chooser_points."""
    out[0] = 1.0 if s.winner == 0 else 0.0
    out[1] = 1.0 if s.holder == s.chooser else 0.0
    out[2] = 1.0 if s.doubled_by != NONE else 0.0
    out[3] = 1.0 if s.ending == CLAIM else 0.0
    out[4] = 1.0 if s.ending == FALSE_CLAIM else 0.0
    out[5] = np.float64(total_with(s, 0, s.holder, 0))


@rule
def evaluate(s, out):
    """The points that are ahead, on a scale on which 66 win."""
    lead = 0.0
    if s.named != NONE:
        lead = (total_with(s, 0, s.holder, 0) - total_with(s, 1, s.holder, 0)) / ENOUGH
    lead = min(max(lead, -1.0), 1.0)
    for seat in range(SEATS):
        out[seat] = lead if side(s, seat) == 0 else -lead
    alone = s.holder == s.chooser or s.named == NONE
    if alone:
        out[s.chooser] *= SEATS - 1
