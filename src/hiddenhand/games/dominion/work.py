"""The work on the stack: the steps that are done without asking anybody."""

from hiddenhand.games.dominion.cards import (
    ASKS,
    ASKS_COUNT,
    ATTACK,
    CHOICES,
    COINS,
    DIPLOMAT,
    DIPLOMATIC,
    MOAT,
    MORE_ACTIONS,
    MORE_BUYS,
    MORE_CARDS,
    SILVER,
    draw_to_seven,
    effect,
    hit,
    pass_all,
)
from hiddenhand.games.dominion.stack import offer, push, seat_before
from hiddenhand.games.dominion.steps import (
    DRAW_TO_SEVEN,
    EFFECT,
    HIT,
    PASS_ALL,
    REACT,
    REVEAL,
    START,
    TAKE_SILVER,
    THREATEN,
)
from hiddenhand.games.dominion.zones import draw, gain_to_hand
from hiddenhand.kernel import rule


@rule
def play_action(s, card):
    """Play an Action that lies in hand."""
    s.in_play[card] += 1
    push(s, START, card, s.current, s.current, 0)


@rule
def start(s, card, seat, gone):
    """Before an attack does anything, those whom it threatens may show a Moat or a Diplomat, in turn order.

    Who owns one is threatened, whether it is in his hand or not: the stack is public.
    """
    s.played += 1
    push(s, EFFECT, card, seat, seat, gone)
    if ATTACK[card]:
        s.immune = 0
        victim = seat_before(s, seat)
        while victim != seat:
            if s.owned[victim, MOAT] + s.owned[victim, DIPLOMAT] > 0:
                push(s, THREATEN, card, seat, victim, 0)
            victim = seat_before(s, victim)


@rule
def threaten(s, card, victim, declined):
    """Ask for a Diplomat, again and again, until it cannot be shown or is `declined`; then for a Moat."""
    if declined == 0 and s.hands[victim, DIPLOMAT] > 0 and s.hand_sizes[victim] >= DIPLOMATIC:
        push(s, REACT, card, victim, victim, 0)
    elif s.hands[victim, MOAT] > 0:
        push(s, REVEAL, card, victim, victim, 0)


@rule
def resolve(s, card, seat, gone, rng):
    """What a card gives at once, then its own effect, then what it asks for."""
    s.actions += MORE_ACTIONS[card]
    s.buys += MORE_BUYS[card]
    s.coins += COINS[card]
    draw(s, seat, MORE_CARDS[card], rng)
    effect(s, card, seat, gone, rng)
    if CHOICES[card] > 0:
        offer(s, card, seat, CHOICES[card])
    if ASKS[card] != START:
        push(s, ASKS[card], card, seat, seat, ASKS_COUNT[card])


@rule
def work(s, rng):
    """Do the topmost step, which is not a question."""
    n = s.steps - 1
    s.steps = n
    kind, card, seat = s.step_kinds[n], s.step_cards[n], s.step_seats[n]
    if kind == START:
        start(s, card, seat, s.step_counts[n])
    elif kind == EFFECT:
        resolve(s, card, seat, s.step_counts[n], rng)
    elif kind == THREATEN:
        threaten(s, card, s.step_targets[n], s.step_counts[n])
    elif kind == HIT:
        victim = s.step_targets[n]
        if victim == seat or s.immune >> victim & 1 == 0:
            hit(s, card, seat, victim, rng)
    elif kind == DRAW_TO_SEVEN:
        draw_to_seven(s, seat, rng)
    elif kind == PASS_ALL:
        pass_all(s)
    elif kind == TAKE_SILVER:
        if s.supply[SILVER] > 0:
            gain_to_hand(s, seat, SILVER)
    else:
        draw(s, seat, s.step_counts[n], rng)
