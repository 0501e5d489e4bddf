"""Why somebody may not do something at a table of snaps: each duty and each right by its name."""

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.games.snaps.cards import CARDS, KING, OVER_KNAVE, RANKS, SUIT, best_cards, mate
from hiddenhand.games.snaps.rules import can_announce, legal_cards, may_claim, may_double, worth
from hiddenhand.games.snaps.state import (
    CHOOSING,
    DOST,
    ENOUGH,
    KONTRA,
    KONTRA_ROUND,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    PASS,
    REKONTRA,
    TRICKS,
)
from hiddenhand.games.snaps.texts import SUIT_NAMES, card_name


def refusal(s: np.record, action: int) -> str:
    if s.phase == CHOOSING:
        return "" if action < CARDS else Text("the chooser names the trump card first")
    if s.phase != TRICKS:
        return refused_answer(s, action)
    if action in (KONTRA, REKONTRA):
        return Text("the stakes are doubled before the first trick only")
    if action == PASS:
        return Text("nobody may pass in a trick")
    if action == DOST:
        return refused_claim(s, 0)
    return refused_card(s, action % CARDS) or (refused_marriage(s, action) if action >= MARRIAGE else "")


def refused_answer(s: np.record, action: int) -> str:
    """While everybody is asked about kontra, or about rekontra."""
    asked = KONTRA if s.phase == KONTRA_ROUND else REKONTRA
    if action == PASS:
        return ""
    if action not in (KONTRA, REKONTRA):
        return Text("first everybody is asked whether the stakes are doubled")
    if action != asked:
        return Text("kontra has been said already") if action == KONTRA else Text("nobody has said kontra")
    if may_double(s):
        return ""
    if action == KONTRA:
        return Text("you hold the named card, so you play with the chooser and not against him")
    return Text("only the chooser's side may say rekontra, and you do not hold the named card")


def refused_card(s: np.record, card: int) -> str:
    """Which duty a card breaks; empty if none."""
    hand = int(s.hands[s.mover])
    if not hand >> card & 1:
        return Text("you do not hold that card")
    if int(legal_cards(s)) >> card & 1:
        return ""
    suit, trump = card // RANKS, int(s.named) // RANKS
    led, high, high_trump = (int(part) for part in best_cards(s.played, s.plays & ~3, s.plays, trump))
    if holds(hand, led):
        if suit != led:
            return Text("you hold {suit}, and must follow suit", suit=SUIT_NAMES[led])
        return Text("you can beat the {card}, so you must", card=card_name(high))
    if suit != trump:
        return Text("you have no {suit}, so you must trump", suit=SUIT_NAMES[led])
    return Text("you can beat the {card} with a higher trump, so you must", card=card_name(high_trump))


def holds(hand: int, suit: int) -> bool:
    """Whether there are cards of a suit in a hand."""
    return hand >> (suit * RANKS) & SUIT != 0


def refused_marriage(s: np.record, action: int) -> str:
    """Why a marriage cannot be announced with a card that may be played."""
    card, hand = action % CARDS, int(s.hands[s.mover])
    if s.plays & 3:
        return Text("a marriage is announced only when you lead")
    if card % RANKS not in (OVER_KNAVE, KING):
        return Text("a marriage is announced with its king or its over")
    if not can_announce(hand, card):
        return Text("you do not hold the {card} as well", card=card_name(mate(card)))
    if action < MARRIAGE_AND_CLAIM:
        return ""
    if s.strict_claim:
        return Text("by these rules dost is not said in the same breath as a marriage")
    return refused_claim(s, int(worth(s, card)))


def refused_claim(s: np.record, more: int) -> str:
    """Why dost cannot be said, with `more` points for a marriage just announced."""
    if s.auto_claim:
        return Text("by these rules {n} points win by themselves, and nobody says dost", n=ENOUGH)
    if not may_claim(s, more):
        return Text("your side cannot have {n} points yet, as far as you can tell", n=ENOUGH)
    return ""
