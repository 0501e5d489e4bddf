"""The stack of steps: things that are still to be done, and the questions among them.

A card that needs several decisions pushes steps onto the stack, and the topmost step is done first. A step is either
work (START a card, let its EFFECT happen, HIT one victim, ...) or a question to a seat. `turn`, `legal` and `play` do
not know any cards: they ask the topmost question and pass its answer on.

An answer is an action. Where a card is chosen, STOP (0) declines or ends the choice, and 1 + card chooses that card.
Where the answer is yes or no, YES (1) agrees. If a card offers several things, each has its number, from 0 on.
"""

from hiddenhand.games.dominion.state import PILES
from hiddenhand.games.dominion.steps import CHOICE, DISCARD, HIT, START, TRASH
from hiddenhand.kernel import rule

STOP = 0
NO, YES = 0, 1
CHOOSE = 1  # CHOOSE + card

CHOICES_LEFT = 4  # the bit from which on the count of a CHOICE says how many are to be made
GONE = 1  # the count of a START or an EFFECT: the card that is played again has left the table meanwhile


@rule
def push(s, kind, card, seat, target, count):
    n = s.steps
    s.step_kinds[n] = kind
    s.step_cards[n] = card
    s.step_seats[n] = seat
    s.step_targets[n] = target
    s.step_counts[n] = count
    s.steps = n + 1


@rule
def leave(s, card):
    """The card whose effect is at work leaves the table: should a Throne Room play it again, it will be gone.

    What is played again next stands right under what happens now.
    """
    under = s.steps - 1
    if under >= 0 and s.step_kinds[under] == START and s.step_cards[under] == card:
        s.step_counts[under] = GONE


# ---- steps that several cards push, and who sits beside whom


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
    """Ask the seat to choose this many of the things that a card offers."""
    push(s, CHOICE, card, seat, seat, choices << CHOICES_LEFT)
