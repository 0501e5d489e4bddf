"""The rules of snaps, compiled: whose turn it is, what he may do, what that does, and what the end is worth.

The package's own text says how cards and actions are numbered; the record is in `state`.
"""

import numpy as np

from hiddenhand.games.snaps.cards import (
    CARDS,
    KING,
    NONE,
    OVER_KNAVE,
    RANKS,
    SEATS,
    VALUES,
    allowed,
    best_cards,
    bit,
    mate,
    revealed,
    suit_of,
    trick_winner,
)
from hiddenhand.games.snaps.knowledge import best_total
from hiddenhand.games.snaps.state import (
    CHOOSING,
    CLAIM,
    DOST,
    ENOUGH,
    FALSE_CLAIM,
    FINISHED,
    KONTRA,
    KONTRA_ROUND,
    LAST_TRICK,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    PASS,
    REKONTRA,
    REKONTRA_ROUND,
    SCHWARZ,
    TRICKS,
    after,
    side,
    total_with,
    trump_of,
)
from hiddenhand.kernel import OVER, rule


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
    if may_claim(s, 0):
        out[n] = DOST
        n += 1
    return n


@rule
def may_claim(s, more):
    """Whether the mover may say dost, with `more` of a bonus just announced: not if he knows that it is false.

    With free claims he may say it and lose.
    """
    if s.auto_claim != 0:
        return False
    return s.free_claim != 0 or best_total(s, s.mover, more) >= ENOUGH


@rule
def legal_marriages(s, out, n):
    """Leads that announce a marriage, without and with a claim."""
    hand = np.int64(s.hands[s.mover])
    for card in range(CARDS):
        if can_announce(hand, card):
            out[n] = MARRIAGE + card
            n += 1
    if s.strict_claim != 0:
        return n
    for card in range(CARDS):
        if can_announce(hand, card) and may_claim(s, worth(s, card)):
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


# --- the end of a deal ----------------------------------------------------------------------------


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
