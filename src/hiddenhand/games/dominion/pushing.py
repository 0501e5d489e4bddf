"""Steps that several cards push, and who sits beside whom."""

from hiddenhand.games.dominion.state import (
    PILES,
)
from hiddenhand.games.dominion.steps import (
    CHOICE,
    CHOICES_LEFT,
    DISCARD,
    HIT,
    TRASH,
    push,
)
from hiddenhand.kernel import rule


@rule
def next_seat(s, seat):
    return seat + 1 if seat + 1 < s.players else 0


@rule
def seat_before(s, seat):
    return seat - 1 if seat > 0 else s.players - 1


@rule
def strike(s, card, seat):
    """Push a HIT for every other player; the next in turn order comes first."""
    victim = seat_before(s, seat)
    while victim != seat:
        push(s, HIT, card, seat, victim, 0)
        victim = seat_before(s, victim)


@rule
def holds(s, seat, kind):
    """Whether a card of this kind is in a hand."""
    for i in range(PILES):
        if s.hands[seat, s.piles[i]] > 0 and kind[s.piles[i]]:
            return True
    return False


@rule
def must_discard(s, card, seat, count):
    if count > 0:
        push(s, DISCARD, card, seat, seat, count)


@rule
def must_trash(s, card, seat):
    """Steward, Trading Post: two cards of the hand, or as many as there are."""
    if s.hand_sizes[seat] > 0:
        push(s, TRASH, card, seat, seat, min(s.hand_sizes[seat], 2))


@rule
def offer(s, card, seat, choices):
    """Ask for so many of the things that a card offers."""
    push(s, CHOICE, card, seat, seat, choices << CHOICES_LEFT)
