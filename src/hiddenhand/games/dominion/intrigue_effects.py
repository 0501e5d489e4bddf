"""What the cards of Intrigue do, but for the attacks of some (see `card_effects`)."""

import numpy as np

from hiddenhand.games.dominion.cards import (
    ACTION,
    BARON,
    BRIDGE,
    CONSPIRATOR,
    CURSE,
    DIPLOMAT,
    ESTATE,
    MASQUERADE,
    MILL,
    MINING_VILLAGE,
    PATROL,
    SECRET_PASSAGE,
    SHANTY_TOWN,
    SWINDLER,
    TRADING_POST,
    VICTORY,
)
from hiddenhand.games.dominion.stack import (
    GONE,
    holds,
    must_trash,
    next_seat,
    offer,
    price,
    push,
    seat_before,
)
from hiddenhand.games.dominion.steps import (
    ARRANGE,
    PASS,
    PASS_ALL,
    PUT_ON_DECK,
    SCRAP,
    SELL_ESTATE,
    SELL_TWO,
    SWINDLE,
    TAKE_SILVER,
    TRASH_ANY,
)
from hiddenhand.games.dominion.zones import (
    NOTHING,
    draw,
    gain,
    leave_hand,
    lose,
    mix,
    put_in_hand,
    show_hand,
    take_known_top,
    take_top,
    uncover,
)
from hiddenhand.kernel import rule

PATROLLED = 4  # cards that a Patrol shows
DIPLOMATIC = 5  # the hand with which a Diplomat may be shown, and up to which it gives actions


@rule
def intrigue(s, card, seat, gone, rng):  # noqa: C901  (a branch for each card)
    """What a card of Intrigue does, beyond what its record says, that is no attack."""
    if card == SECRET_PASSAGE:
        secret_passage(s, seat)
    elif card == MASQUERADE:
        masquerade(s, seat)
    elif card == SHANTY_TOWN:
        show_hand(s, seat)
        if not holds(s, seat, ACTION):
            draw(s, seat, 2, rng)
    elif card == BARON:
        if s.hands[seat, ESTATE] > 0:
            push(s, SELL_ESTATE, card, seat, seat, 0)
        else:
            gain(s, seat, ESTATE)
    elif card == BRIDGE:
        s.bridges += 1
    elif card == CONSPIRATOR:
        if s.played >= 3:
            s.actions += 1
            draw(s, seat, 1, rng)
    elif card == DIPLOMAT:
        if s.hand_sizes[seat] <= DIPLOMATIC:
            s.actions += 2
    elif card == MILL:
        if s.hand_sizes[seat] >= 2:
            push(s, SELL_TWO, card, seat, seat, 0)
    elif card == MINING_VILLAGE:
        if gone != GONE:
            push(s, SCRAP, card, seat, seat, 0)
    elif card == PATROL:
        patrol(s, seat, rng)
    elif card == TRADING_POST:
        if s.hand_sizes[seat] >= 2:
            push(s, TAKE_SILVER, card, seat, seat, 0)
        must_trash(s, card, seat)


@rule
def secret_passage(s, seat):
    """First the place in the deck is chosen, then the card that is put there."""
    if s.hand_sizes[seat] > 0:
        if s.deck_sizes[seat] + s.top_sizes[seat] > 0:
            offer(s, SECRET_PASSAGE, seat, 1)
        else:
            push(s, PUT_ON_DECK, SECRET_PASSAGE, seat, seat, 0)


@rule
def masquerade(s, seat):
    """Everybody who holds cards chooses one, the player first; then all are passed; then he may trash one."""
    push(s, TRASH_ANY, MASQUERADE, seat, seat, 1)
    push(s, PASS_ALL, MASQUERADE, seat, seat, 0)
    other = seat_before(s, seat)
    while True:
        if s.hand_sizes[other] > 0:
            push(s, PASS, MASQUERADE, other, other, 0)
        if other == seat:
            break
        other = seat_before(s, other)


@rule
def pass_all(s):
    """Every card chosen goes to the next player who has chosen one too."""
    for seat in range(s.players):
        if s.passing[seat] > 0:
            leave_hand(s, seat, s.passing[seat] - 1)
            s.owned[seat, s.passing[seat] - 1] -= 1
    for seat in range(s.players):
        if s.passing[seat] > 0:
            to = next_seat(s, seat)
            while s.passing[to] == 0:
                to = next_seat(s, to)
            s.owned[to, s.passing[seat] - 1] += 1
            put_in_hand(s, to, s.passing[seat] - 1, True)
    for seat in range(s.players):
        s.passing[seat] = 0


@rule
def patrol(s, seat, rng):
    """Four cards are shown; Victory cards and Curses come into the hand, the rest is put back in any order, which
    nobody else sees."""
    left = uncover(s, seat, PATROLLED, True, rng)
    top = s.top_sizes[seat] - 1
    for i in range(top, top - left, -1):
        card = np.int64(s.own_tops[seat, i])
        if VICTORY[card] or card == CURSE:
            take_known_top(s, seat, card)
            put_in_hand(s, seat, card, True)
            left -= 1
    if left > 1:
        mix(s, seat, left)
        push(s, ARRANGE, PATROL, seat, seat, left)


@rule
def swindle(s, seat, victim, rng):
    """Swindler: the victim's top card is trashed, and the attacker chooses one of the same cost for him."""
    card = take_top(s, victim, True, rng)
    if card != NOTHING:
        lose(s, victim, card)
        push(s, SWINDLE, SWINDLER, seat, victim, price(s, card))
