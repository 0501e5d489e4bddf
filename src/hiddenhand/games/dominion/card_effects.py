"""What the cards do: the work on the stack."""

from hiddenhand.games.dominion.cards import (
    ACTION,
    ADVENTURER,
    ARTISAN,
    ASKS,
    ASKS_COUNT,
    ATTACK,
    BANDIT,
    BASE_SET,
    BUREAUCRAT,
    CHANCELLOR,
    CHOSEN,
    COINS,
    COPPER,
    COUNCIL_ROOM,
    CURSE,
    DIPLOMAT,
    FEAST,
    FIRST,
    GOLD,
    LIBRARY,
    MERCHANT,
    MILITIA,
    MINION,
    MOAT,
    MONEYLENDER,
    MORE_ACTIONS,
    MORE_BUYS,
    MORE_CARDS,
    POACHER,
    REPLACE,
    SENTRY,
    SILVER,
    SPY,
    SWINDLER,
    THIEF,
    TORTURER,
    TREASURE,
    VASSAL,
    VICTORY,
    WIDTH,
    WITCH,
)
from hiddenhand.games.dominion.intrigue_effects import DIPLOMATIC, intrigue, pass_all, swindle
from hiddenhand.games.dominion.stack import (
    GONE,
    holds,
    leave,
    must_discard,
    next_seat,
    offer,
    push,
    seat_before,
    strike,
)
from hiddenhand.games.dominion.steps import (
    DRAW_TO_SEVEN,
    EFFECT,
    FLIP,
    HIT,
    JUDGE,
    KEEP,
    LEND,
    PASS_ALL,
    PLAY_TOP,
    PUT_BACK,
    PUT_ON_DECK,
    REACT,
    REVEAL,
    SENTRY_TRASH,
    SET_ASIDE,
    START,
    STEAL,
    SURRENDER,
    TAKE_SILVER,
    THREATEN,
    TRADE_IN,
)
from hiddenhand.games.dominion.zones import (
    NOTHING,
    discard_hand,
    draw,
    gain,
    gain_to_hand,
    lose,
    put_in_hand,
    put_on_deck,
    put_on_discard,
    show_hand,
    take_from_supply,
    take_known_top,
    take_top,
    top_is_open,
    trash_from_hand,
    trash_from_play,
    uncover,
)
from hiddenhand.kernel import rule

SEVEN = 7  # the hand that a Library fills
MILITIA_LEAVES = 3
LENT = 3  # coins of a Moneylender
MINION_SPARES, MINION_DRAWS = 4, 4  # the hand that a Minion leaves alone, and the one that it gives


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
def effect(s, card, seat, gone, rng):
    """What a card gives at once, then what it asks for; GONE if it has left the table since it was played first."""
    s.actions += MORE_ACTIONS[card]
    s.buys += MORE_BUYS[card]
    s.coins += COINS[card]
    draw(s, seat, MORE_CARDS[card], rng)
    if ATTACK[card]:
        attack(s, card, seat)
    elif card >= BASE_SET:
        intrigue(s, card, seat, gone, rng)
    else:
        base(s, card, seat, gone, rng)
    if CHOSEN[card] > 0:
        offer(s, card, seat, CHOSEN[card])
    if ASKS[card] != START:
        push(s, ASKS[card], card, seat, seat, ASKS_COUNT[card])


@rule
def base(s, card, seat, gone, rng):
    """What a card of the base set does, beyond what its record says, that is no attack."""
    if card == CHANCELLOR:
        chancellor(s, seat)
    elif card == FEAST:
        if gone != GONE:
            leave(s, FEAST)
            trash_from_play(s, seat, FEAST)
    elif card == MONEYLENDER:
        moneylender(s, seat)
    elif card == COUNCIL_ROOM:
        others_draw(s, seat, rng)
    elif card == ADVENTURER:
        adventure(s, seat, rng)
    elif card == MERCHANT:
        s.merchants += 1
    elif card == VASSAL:
        vassal(s, seat, rng)
    elif card == POACHER:
        must_discard(s, card, seat, min(s.empty_piles, s.hand_sizes[seat]))
    elif card == SENTRY:
        push(s, SENTRY_TRASH, card, seat, seat, uncover(s, seat, 2, False, rng))
    elif card == ARTISAN:  # which asks for the card to gain first
        push(s, PUT_ON_DECK, card, seat, seat, 0)


@rule
def chancellor(s, seat):
    if s.deck_sizes[seat] + s.top_sizes[seat] > 0:
        push(s, FLIP, CHANCELLOR, seat, seat, 0)


@rule
def moneylender(s, seat):
    """In the first edition it must be used, in the second it may."""
    if s.hands[seat, COPPER] > 0:
        if s.edition == FIRST:
            lend(s, seat)
        else:
            push(s, LEND, MONEYLENDER, seat, seat, 0)


@rule
def others_draw(s, seat, rng):
    other = next_seat(s, seat)
    while other != seat:
        draw(s, other, 1, rng)
        other = next_seat(s, other)


@rule
def attack(s, card, seat):
    """The attacker's own share of an attack, and a step for each victim."""
    if card == MINION:
        offer(s, card, seat, 1)
        return
    if card == REPLACE:
        push(s, TRADE_IN, card, seat, seat, 0)
        return
    if card == BUREAUCRAT:
        if s.supply[SILVER] > 0:
            take_from_supply(s, seat, SILVER)
            put_on_deck(s, seat, SILVER, True)
    elif card == BANDIT:
        gain(s, seat, GOLD)
    elif card == THIEF:
        for treasure in range(len(s.loot)):
            s.loot[treasure] = 0
        push(s, KEEP, card, seat, seat, 0)
    strike(s, card, seat)
    if card == SPY:  # the Spy's player shows his own card first, and no Moat helps against oneself
        push(s, HIT, card, seat, seat, 0)


@rule
def hit(s, card, seat, victim, rng):  # noqa: C901  (a branch for each card)
    """What an attack does to one victim."""
    if victim != seat and s.immune >> victim & 1:
        return
    if card == WITCH:
        gain(s, victim, CURSE)
    elif card == MILITIA:
        must_discard(s, card, victim, s.hand_sizes[victim] - MILITIA_LEAVES)
    elif card == BUREAUCRAT:
        push(s, PUT_BACK, card, victim, victim, 0)
        if not holds(s, victim, VICTORY):
            show_hand(s, victim)
    elif card == SPY:
        if uncover(s, victim, 1, True, rng) == 1:
            push(s, JUDGE, card, seat, victim, 1)
    elif card == THIEF:
        rob(s, card, seat, victim, COPPER, rng)
    elif card == BANDIT:
        rob(s, card, seat, victim, SILVER, rng)
    elif card == SWINDLER:
        swindle(s, seat, victim, rng)
    elif card == TORTURER:
        offer(s, card, victim, 1)
    elif card == REPLACE:
        gain(s, victim, CURSE)
    elif card == MINION:
        if s.hand_sizes[victim] > MINION_SPARES:
            discard_hand(s, victim)
            draw(s, victim, MINION_DRAWS, rng)


@rule
def rob(s, card, seat, victim, least, rng):
    """Thief and Bandit: two cards are shown; one Treasure, `least` or better, is trashed, the rest discarded."""
    count = uncover(s, victim, 2, True, rng)
    found = NOTHING
    kinds = 0
    for i in range(s.top_sizes[victim] - count, s.top_sizes[victim]):
        shown = s.own_tops[victim, i]
        if TREASURE[shown] and shown >= least and shown != found:
            found = shown
            kinds += 1
    if kinds == 2 and card == THIEF:
        push(s, STEAL, card, seat, victim, count)
    elif kinds == 2:
        push(s, SURRENDER, card, victim, victim, count)
    else:
        take_booty(s, card, victim, found, count)


@rule
def take_booty(s, card, victim, treasure, count):
    """Trash the Treasure, if any, from the top cards shown, and discard the others."""
    if treasure != NOTHING:
        take_known_top(s, victim, treasure)
        lose(s, victim, treasure)
        count -= 1
        if card == THIEF:
            s.loot[treasure] += 1
    discard_tops(s, victim, count)


@rule
def discard_tops(s, seat, count):
    """The topmost cards, known to all, are discarded."""
    for _ in range(count):
        n = s.top_sizes[seat] - 1
        s.top_sizes[seat] = n
        put_on_discard(s, seat, s.own_tops[seat, n])


@rule
def lend(s, seat):
    trash_from_hand(s, seat, COPPER)
    s.coins += LENT


@rule
def vassal(s, seat, rng):
    card = take_top(s, seat, True, rng)
    if card != NOTHING:
        put_on_discard(s, seat, card)
        if ACTION[card]:
            push(s, PLAY_TOP, card, seat, seat, 0)


@rule
def adventure(s, seat, rng):
    """Show cards until two Treasures have appeared; the others are discarded, and not shuffled in before that."""
    treasures = 0
    while treasures < 2:
        card = take_top(s, seat, True, rng)
        if card == NOTHING:
            break
        if TREASURE[card]:
            treasures += 1
            put_in_hand(s, seat, card, True)
        else:
            s.aside[card] += 1
    discard_aside(s, seat)


@rule
def discard_aside(s, seat):
    for card in range(WIDTH):
        for _ in range(s.aside[card]):
            put_on_discard(s, seat, card)
        s.aside[card] = 0


@rule
def draw_to_seven(s, seat, rng):
    """Library: draw on; of an Action it is asked whether to set it aside, and the others do not see which it is."""
    while s.hand_sizes[seat] < SEVEN:
        known = top_is_open(s, seat)
        card = take_top(s, seat, False, rng)
        if card == NOTHING:
            break
        put_in_hand(s, seat, card, known)
        if ACTION[card]:
            s.drawn = card + 1
            push(s, DRAW_TO_SEVEN, LIBRARY, seat, seat, 0)
            push(s, SET_ASIDE, LIBRARY, seat, seat, card + 1 if known else 0)
            return
    discard_aside(s, seat)


@rule
def work(s, rng):
    """Do the topmost step, which is not a question."""
    n = s.steps - 1
    s.steps = n
    kind, card, seat = s.step_kinds[n], s.step_cards[n], s.step_seats[n]
    if kind == START:
        start(s, card, seat, s.step_counts[n])
    elif kind == EFFECT:
        effect(s, card, seat, s.step_counts[n], rng)
    elif kind == THREATEN:
        threaten(s, card, s.step_targets[n], s.step_counts[n])
    elif kind == HIT:
        hit(s, card, seat, s.step_targets[n], rng)
    elif kind == DRAW_TO_SEVEN:
        draw_to_seven(s, seat, rng)
    elif kind == PASS_ALL:
        pass_all(s)
    elif kind == TAKE_SILVER:
        if s.supply[SILVER] > 0:
            gain_to_hand(s, seat, SILVER)
    else:
        draw(s, seat, s.step_counts[n], rng)
