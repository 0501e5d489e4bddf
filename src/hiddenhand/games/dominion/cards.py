"""The cards of Dominion: everything about a card that is its own, in one record.

A card is its place in TABLE: first the seven basic cards that are in every game, then the 32 kingdom cards of the
first edition (2008) and the second (2016), by cost and name, then the 26 of Intrigue in its second edition (2016),
likewise. New cards come last: saved games know cards by their numbers. The texts are our own words.

What a record says in numbers is done for every card alike (see `work`). The rest is done by the rules of the card,
which stand above the table in its order:

    effect   (s, card, seat, gone, rng)     when it is played; GONE if it has left the table since it was played first
    hit      (s, card, seat, victim, rng)   what an attack does to each victim
    chosen   (s, card, seat, things, rng)   when the seat has chosen of the things offered: bit i for the thing i

What follows from an answer stands in `answers`, by question (see `steps`), since several cards ask the same; what the
default play answers stands in `default_play.answers`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.games.dominion.stack import (
    GONE,
    holds,
    leave,
    must_discard,
    must_trash,
    next_seat,
    offer,
    push,
    seat_before,
    strike,
)
from hiddenhand.games.dominion.state import WIDTH
from hiddenhand.games.dominion.steps import (
    ARRANGE,
    DISCARD_ANY,
    DOUBLE,
    DRAW_TO_SEVEN,
    FLIP,
    GAIN,
    HIT,
    JUDGE,
    KEEP,
    LEND,
    NAME,
    PASS,
    PASS_ALL,
    PLAY_TOP,
    PUT_BACK,
    PUT_ON_DECK,
    RECALL,
    SALVAGE,
    SCRAP,
    SCRAP_PILE,
    SELL_ESTATE,
    SELL_TWO,
    SENTRY_TRASH,
    SET_ASIDE,
    START,
    STEAL,
    SURRENDER,
    SWINDLE,
    TAKE_SILVER,
    TRADE_IN,
    TRASH_ANY,
    UNVEIL,
)
from hiddenhand.games.dominion.zones import (
    NOTHING,
    discard_hand,
    draw,
    gain,
    gain_to_hand,
    leave_hand,
    lose,
    mix,
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
from hiddenhand.kernel import Rule, rule

FIRST, SECOND = 1, 2
BOTH = FIRST | SECOND

SEVEN = 7  # the hand that a Library fills
MILITIA_LEAVES = 3
LENT = 3  # coins of a Moneylender
MINION_SPARES, MINION_DRAWS = 4, 4  # the hand that a Minion leaves alone, and the one that it gives
PATROLLED = 4  # cards that a Patrol shows
DIPLOMATIC = 5  # the hand with which a Diplomat may be shown, and up to which it gives actions


# ---- what several cards do


@rule
def price(s, card):
    """What a card costs now."""
    return max(COST[card] - s.bridges, 0)


@rule
def attack(s, card, seat, gone, rng):
    strike(s, card, seat)


@rule
def curse(s, card, seat, victim, rng):
    gain(s, victim, CURSE)


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


# ---- the base set


@rule
def chancellor(s, card, seat, gone, rng):
    if s.deck_sizes[seat] + s.top_sizes[seat] > 0:
        push(s, FLIP, card, seat, seat, 0)


@rule
def merchant(s, card, seat, gone, rng):
    s.merchants += 1


@rule
def vassal(s, card, seat, gone, rng):
    top = take_top(s, seat, True, rng)
    if top != NOTHING:
        put_on_discard(s, seat, top)
        if ACTION[top]:
            push(s, PLAY_TOP, top, seat, seat, 0)


@rule
def bureaucrat(s, card, seat, gone, rng):
    if s.supply[SILVER] > 0:
        take_from_supply(s, seat, SILVER)
        put_on_deck(s, seat, SILVER, True)
    strike(s, card, seat)


@rule
def bureaucrat_hits(s, card, seat, victim, rng):
    push(s, PUT_BACK, card, victim, victim, 0)
    if not holds(s, victim, VICTORY):
        show_hand(s, victim)


@rule
def feast(s, card, seat, gone, rng):
    if gone != GONE:
        leave(s, card)
        trash_from_play(s, seat, card)


@rule
def militia_hits(s, card, seat, victim, rng):
    must_discard(s, card, victim, s.hand_sizes[victim] - MILITIA_LEAVES)


@rule
def moneylender(s, card, seat, gone, rng):
    """In the first edition it must be used, in the second it may."""
    if s.hands[seat, COPPER] > 0:
        if s.edition == FIRST:
            lend(s, seat)
        else:
            push(s, LEND, card, seat, seat, 0)


@rule
def lend(s, seat):
    trash_from_hand(s, seat, COPPER)
    s.coins += LENT


@rule
def poacher(s, card, seat, gone, rng):
    must_discard(s, card, seat, min(s.empty_piles, s.hand_sizes[seat]))


@rule
def spy(s, card, seat, gone, rng):
    """The player shows his own card first, and no Moat helps against oneself."""
    strike(s, card, seat)
    push(s, HIT, card, seat, seat, 0)


@rule
def spy_hits(s, card, seat, victim, rng):
    if uncover(s, victim, 1, True, rng) == 1:
        push(s, JUDGE, card, seat, victim, 1)


@rule
def thief(s, card, seat, gone, rng):
    for treasure in range(len(s.loot)):
        s.loot[treasure] = 0
    push(s, KEEP, card, seat, seat, 0)
    strike(s, card, seat)


@rule
def thief_hits(s, card, seat, victim, rng):
    rob(s, card, seat, victim, COPPER, rng)


@rule
def bandit(s, card, seat, gone, rng):
    gain(s, seat, GOLD)
    strike(s, card, seat)


@rule
def bandit_hits(s, card, seat, victim, rng):
    rob(s, card, seat, victim, SILVER, rng)


@rule
def council_room(s, card, seat, gone, rng):
    other = next_seat(s, seat)
    while other != seat:
        draw(s, other, 1, rng)
        other = next_seat(s, other)


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
def sentry(s, card, seat, gone, rng):
    push(s, SENTRY_TRASH, card, seat, seat, uncover(s, seat, 2, False, rng))


@rule
def adventurer(s, card, seat, gone, rng):
    """Show cards until two Treasures have appeared; the others are discarded, and not shuffled in before that."""
    treasures = 0
    while treasures < 2:
        top = take_top(s, seat, True, rng)
        if top == NOTHING:
            break
        if TREASURE[top]:
            treasures += 1
            put_in_hand(s, seat, top, True)
        else:
            s.aside[top] += 1
    discard_aside(s, seat)


@rule
def discard_aside(s, seat):
    for card in range(WIDTH):
        for _ in range(s.aside[card]):
            put_on_discard(s, seat, card)
        s.aside[card] = 0


@rule
def artisan(s, card, seat, gone, rng):
    """The card to gain is asked for first."""
    push(s, PUT_ON_DECK, card, seat, seat, 0)


# ---- Intrigue


@rule
def lurker_chosen(s, card, seat, things, rng):
    push(s, SCRAP_PILE if things & 1 else SALVAGE, card, seat, seat, 0)


@rule
def pawn_chosen(s, card, seat, things, rng):
    s.actions += things >> 1 & 1
    s.buys += things >> 2 & 1
    s.coins += things >> 3 & 1
    draw(s, seat, things & 1, rng)


@rule
def masquerade(s, card, seat, gone, rng):
    """Everybody who holds cards chooses one, the player first; then all are passed; then he may trash one."""
    push(s, TRASH_ANY, card, seat, seat, 1)
    push(s, PASS_ALL, card, seat, seat, 0)
    other = seat_before(s, seat)
    while True:
        if s.hand_sizes[other] > 0:
            push(s, PASS, card, other, other, 0)
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
def shanty_town(s, card, seat, gone, rng):
    show_hand(s, seat)
    if not holds(s, seat, ACTION):
        draw(s, seat, 2, rng)


@rule
def steward_chosen(s, card, seat, things, rng):
    draw(s, seat, 2 * (things & 1), rng)
    s.coins += 2 * (things >> 1 & 1)
    if things >> 2 & 1:
        must_trash(s, card, seat)


@rule
def swindler_hits(s, card, seat, victim, rng):
    """The victim's top card is trashed, and the attacker chooses one of the same cost for him."""
    top = take_top(s, victim, True, rng)
    if top != NOTHING:
        lose(s, victim, top)
        push(s, SWINDLE, card, seat, victim, price(s, top))


@rule
def baron(s, card, seat, gone, rng):
    if s.hands[seat, ESTATE] > 0:
        push(s, SELL_ESTATE, card, seat, seat, 0)
    else:
        gain(s, seat, ESTATE)


@rule
def bridge(s, card, seat, gone, rng):
    s.bridges += 1


@rule
def conspirator(s, card, seat, gone, rng):
    if s.played >= 3:
        s.actions += 1
        draw(s, seat, 1, rng)


@rule
def diplomat(s, card, seat, gone, rng):
    if s.hand_sizes[seat] <= DIPLOMATIC:
        s.actions += 2


@rule
def mill(s, card, seat, gone, rng):
    if s.hand_sizes[seat] >= 2:
        push(s, SELL_TWO, card, seat, seat, 0)


@rule
def mining_village(s, card, seat, gone, rng):
    if gone != GONE:
        push(s, SCRAP, card, seat, seat, 0)


@rule
def secret_passage(s, card, seat, gone, rng):
    """First the place in the deck is chosen, then the card that is put there."""
    if s.hand_sizes[seat] > 0:
        if s.deck_sizes[seat] + s.top_sizes[seat] > 0:
            offer(s, card, seat, 1)
        else:
            push(s, PUT_ON_DECK, card, seat, seat, 0)


@rule
def courtier_chosen(s, card, seat, things, rng):
    s.actions += things & 1
    s.buys += things >> 1 & 1
    s.coins += 3 * (things >> 2 & 1)
    if things >> 3 & 1:
        gain(s, seat, GOLD)


@rule
def minion_chosen(s, card, seat, things, rng):
    if things & 1:
        s.coins += 2
    else:
        discard_hand(s, seat)
        draw(s, seat, MINION_DRAWS, rng)
        strike(s, card, seat)


@rule
def minion_hits(s, card, seat, victim, rng):
    if s.hand_sizes[victim] > MINION_SPARES:
        discard_hand(s, victim)
        draw(s, victim, MINION_DRAWS, rng)


@rule
def patrol(s, card, seat, gone, rng):
    """Four cards are shown; Victory cards and Curses come into the hand, the rest is put back in any order, which
    nobody else sees."""
    left = uncover(s, seat, PATROLLED, True, rng)
    top = s.top_sizes[seat] - 1
    for i in range(top, top - left, -1):
        shown = np.int64(s.own_tops[seat, i])
        if VICTORY[shown] or shown == CURSE:
            take_known_top(s, seat, shown)
            put_in_hand(s, seat, shown, True)
            left -= 1
    if left > 1:
        mix(s, seat, left)
        push(s, ARRANGE, card, seat, seat, left)


@rule
def torturer_hits(s, card, seat, victim, rng):
    offer(s, card, victim, 1)


@rule
def torturer_chosen(s, card, seat, things, rng):
    if things & 1:
        must_discard(s, card, seat, min(s.hand_sizes[seat], 2))
    elif s.supply[CURSE] > 0:
        gain_to_hand(s, seat, CURSE)


@rule
def trading_post(s, card, seat, gone, rng):
    if s.hand_sizes[seat] >= 2:
        push(s, TAKE_SILVER, card, seat, seat, 0)
    must_trash(s, card, seat)


@rule
def nobles_chosen(s, card, seat, things, rng):
    draw(s, seat, 3 * (things & 1), rng)
    s.actions += 2 * (things >> 1 & 1)


# ---- the records


class CardDefinition(NamedTuple):
    name: str
    cost: int
    kind: str
    cards: int = 0  # what it gives at once: cards, actions, buys, coins
    actions: int = 0
    buys: int = 0
    coins: int = 0
    points: int = 0
    editions: int = BOTH
    asks: tuple[int, int] = (START, 0)  # the step that follows at once, and its count; START: none
    effect: Callable[..., None] | None = None
    hit: Callable[..., None] | None = None
    chosen: Callable[..., None] | None = None
    things: tuple[str, ...] = ()  # that it offers to choose from
    choices: int = 0  # how many of them are chosen at once
    text: str = ""


# fmt: off
TABLE = (
    CardDefinition("Copper", 0, "treasure", coins=1),
    CardDefinition("Silver", 3, "treasure", coins=2),
    CardDefinition("Gold", 6, "treasure", coins=3),
    CardDefinition("Estate", 2, "victory", points=1),
    CardDefinition("Duchy", 5, "victory", points=3),
    CardDefinition("Province", 8, "victory", points=6),
    CardDefinition("Curse", 0, "curse", points=-1),
    CardDefinition("Cellar", 2, "action", actions=1, asks=(DISCARD_ANY, 0), text=Text(
        "Discard any number of cards from your hand, then draw as many.")),
    CardDefinition("Chapel", 2, "action", asks=(TRASH_ANY, 4), text=Text(
        "Trash up to four cards from your hand.")),
    CardDefinition("Moat", 2, "action-reaction", cards=2, text=Text(
        "Shown when another plays an Attack, it spares you that attack.")),
    CardDefinition("Chancellor", 3, "action", coins=2, editions=FIRST, effect=chancellor, text=Text(
        "You may put your whole deck into your discard pile.")),
    CardDefinition("Harbinger", 3, "action", 1, 1, editions=SECOND, asks=(RECALL, 0), text=Text(
        "You may put a card from your discard pile on your deck.")),
    CardDefinition("Merchant", 3, "action", 1, 1, editions=SECOND, effect=merchant, text=Text(
        "The first Silver you play this turn gives one coin more.")),
    CardDefinition("Vassal", 3, "action", coins=2, editions=SECOND, effect=vassal, text=Text(
        "Discard your top card; if it is an Action, you may play it.")),
    CardDefinition("Village", 3, "action", 1, 2),
    CardDefinition("Woodcutter", 3, "action", buys=1, coins=2, editions=FIRST),
    CardDefinition("Workshop", 3, "action", asks=(GAIN, 4), text=Text(
        "Gain a card that costs at most 4.")),
    CardDefinition("Bureaucrat", 4, "action-attack", effect=bureaucrat, hit=bureaucrat_hits, text=Text(
        "Gain a Silver onto your deck. Every other player puts a Victory card from his hand on his deck, or shows "
        "a hand without one.")),
    CardDefinition("Feast", 4, "action", editions=FIRST, asks=(GAIN, 5), effect=feast, text=Text(
        "Trash this card. Gain a card that costs at most 5.")),
    CardDefinition("Gardens", 4, "victory", text=Text(
        "Worth a point for every ten cards you own.")),
    CardDefinition("Militia", 4, "action-attack", coins=2, effect=attack, hit=militia_hits, text=Text(
        "Every other player discards down to three cards.")),
    CardDefinition("Moneylender", 4, "action", effect=moneylender, text=Text(
        "Trash a Copper from your hand for three coins.")),
    CardDefinition("Poacher", 4, "action", 1, 1, coins=1, editions=SECOND, effect=poacher, text=Text(
        "Discard a card for every empty pile of the supply.")),
    CardDefinition("Remodel", 4, "action", asks=(TRADE_IN, 0), text=Text(
        "Trash a card from your hand; gain one that costs at most 2 more.")),
    CardDefinition("Smithy", 4, "action", 3),
    CardDefinition("Spy", 4, "action-attack", 1, 1, editions=FIRST, effect=spy, hit=spy_hits, text=Text(
        "Every player, you too, shows the top card of his deck; you say whether it is discarded or stays.")),
    CardDefinition("Thief", 4, "action-attack", editions=FIRST, effect=thief, hit=thief_hits, text=Text(
        "Every other player shows his top two cards. Trash one Treasure of each, discard the rest; gain any of "
        "those trashed.")),
    CardDefinition("Throne Room", 4, "action", asks=(DOUBLE, 0), text=Text(
        "Choose an Action in your hand and play it twice.")),
    CardDefinition("Bandit", 5, "action-attack", editions=SECOND, effect=bandit, hit=bandit_hits, text=Text(
        "Gain a Gold. Every other player shows his top two cards, trashes a Treasure among them other than Copper "
        "and discards the rest.")),
    CardDefinition("Council Room", 5, "action", 4, buys=1, effect=council_room, text=Text(
        "Every other player draws a card.")),
    CardDefinition("Festival", 5, "action", 0, 2, 1, 2),
    CardDefinition("Laboratory", 5, "action", 2, 1),
    CardDefinition("Library", 5, "action", asks=(DRAW_TO_SEVEN, 0), text=Text(
        "Draw until you hold seven cards; Actions may be set aside as you draw them.")),
    CardDefinition("Market", 5, "action", 1, 1, 1, 1),
    CardDefinition("Mine", 5, "action", asks=(TRADE_IN, 0), text=Text(
        "Trash a Treasure from your hand; gain one that costs at most 3 more into your hand.")),
    CardDefinition("Sentry", 5, "action", 1, 1, editions=SECOND, effect=sentry, text=Text(
        "Look at your top two cards; trash or discard any of them, put the rest back in any order.")),
    CardDefinition("Witch", 5, "action-attack", 2, effect=attack, hit=curse, text=Text(
        "Every other player gains a Curse.")),
    CardDefinition("Adventurer", 6, "action", editions=FIRST, effect=adventurer, text=Text(
        "Show cards of your deck until two Treasures have appeared. Take those into your hand and discard the "
        "others.")),
    CardDefinition("Artisan", 6, "action", editions=SECOND, asks=(GAIN, 5), effect=artisan, text=Text(
        "Gain a card that costs at most 5 into your hand. Put a card from your hand on your deck.")),
    CardDefinition("Courtyard", 2, "action", 3, editions=SECOND, asks=(PUT_ON_DECK, 0), text=Text(
        "Put a card from your hand on your deck.")),
    CardDefinition("Lurker", 2, "action", 0, 1, editions=SECOND, choices=1, chosen=lurker_chosen,
        things=(Text("trash an Action"), Text("gain an Action")), text=Text(
        "Choose one: trash an Action from the supply, or gain an Action from the trash.")),
    CardDefinition("Pawn", 2, "action", editions=SECOND, choices=2, chosen=pawn_chosen,
        things=(Text("a card"), Text("an action"), Text("a buy"), Text("a coin")), text=Text(
        "Choose two different ones: a card, an action, a buy, a coin.")),
    CardDefinition("Masquerade", 3, "action", 2, editions=SECOND, effect=masquerade, text=Text(
        "Everybody who holds cards passes one to the next of them, all at once. Then you may trash a card from "
        "your hand.")),
    CardDefinition("Shanty Town", 3, "action", 0, 2, editions=SECOND, effect=shanty_town, text=Text(
        "Show your hand; if there is no Action in it, draw two cards.")),
    CardDefinition("Steward", 3, "action", editions=SECOND, choices=1, chosen=steward_chosen,
        things=(Text("two cards"), Text("two coins"), Text("trash two")), text=Text(
        "Choose one: draw two cards, two coins, or trash two cards from your hand.")),
    CardDefinition("Swindler", 3, "action-attack", coins=2, editions=SECOND, effect=attack,
        hit=swindler_hits, text=Text(
        "Every other player trashes the top card of his deck and gains one of the same cost that you choose.")),
    CardDefinition("Wishing Well", 3, "action", 1, 1, editions=SECOND, asks=(NAME, 0), text=Text(
        "Name a card, then show the top card of your deck; if it is the one, take it into your hand.")),
    CardDefinition("Baron", 4, "action", buys=1, editions=SECOND, effect=baron, text=Text(
        "You may discard an Estate for four coins; otherwise gain an Estate.")),
    CardDefinition("Bridge", 4, "action", buys=1, coins=1, editions=SECOND, effect=bridge, text=Text(
        "All cards cost one less this turn.")),
    CardDefinition("Conspirator", 4, "action", coins=2, editions=SECOND, effect=conspirator, text=Text(
        "If it is the third Action of this turn or a later one: a card and an action.")),
    CardDefinition("Diplomat", 4, "action-reaction", 2, editions=SECOND, effect=diplomat, text=Text(
        "With five cards or fewer in hand after drawing: two actions. Shown when another plays an Attack while "
        "you hold five cards or more: draw two cards, then discard three.")),
    CardDefinition("Ironworks", 4, "action", editions=SECOND, asks=(GAIN, 4), text=Text(
        "Gain a card that costs at most 4. For an Action an action, for a Treasure a coin, for a Victory card a "
        "card.")),
    CardDefinition("Mill", 4, "action-victory", 1, 1, points=1, editions=SECOND, effect=mill, text=Text(
        "You may discard two cards for two coins.")),
    CardDefinition("Mining Village", 4, "action", 1, 2, editions=SECOND, effect=mining_village, text=Text(
        "You may trash this card for two coins.")),
    CardDefinition("Secret Passage", 4, "action", 2, 1, editions=SECOND, effect=secret_passage, text=Text(
        "Put a card from your hand on your deck, or somewhere into it.")),
    CardDefinition("Courtier", 5, "action", editions=SECOND, asks=(UNVEIL, 0), chosen=courtier_chosen,
        things=(Text("an action"), Text("a buy"), Text("three coins"), Text("a Gold")), text=Text(
        "Show a card from your hand. For every kind that it is, choose another one: an action, a buy, three "
        "coins, gain a Gold.")),
    CardDefinition("Duke", 5, "victory", editions=SECOND, text=Text(
        "Worth a point for every Duchy you own.")),
    CardDefinition("Minion", 5, "action-attack", 0, 1, editions=SECOND, hit=minion_hits, choices=1,
        chosen=minion_chosen, things=(Text("two coins"), Text("a new hand")), text=Text(
        "Choose one: two coins; or discard your hand and draw four cards, and everybody else who holds five cards "
        "or more does so too.")),
    CardDefinition("Patrol", 5, "action", 3, editions=SECOND, effect=patrol, text=Text(
        "Show the top four cards of your deck. Take Victory cards and Curses into your hand and put the rest back "
        "in any order.")),
    CardDefinition("Replace", 5, "action-attack", editions=SECOND, asks=(TRADE_IN, 0), hit=curse, text=Text(
        "Trash a card from your hand; gain one that costs at most 2 more. An Action or a Treasure goes on your "
        "deck; for a Victory card every other player gains a Curse.")),
    CardDefinition("Torturer", 5, "action-attack", 3, editions=SECOND, effect=attack, hit=torturer_hits,
        chosen=torturer_chosen, things=(Text("discard two"), Text("gain a Curse")), text=Text(
        "Every other player discards two cards or gains a Curse into his hand, as he likes.")),
    CardDefinition("Trading Post", 5, "action", editions=SECOND, effect=trading_post, text=Text(
        "Trash two cards from your hand; for two, gain a Silver into your hand.")),
    CardDefinition("Upgrade", 5, "action", 1, 1, editions=SECOND, asks=(TRADE_IN, 0), text=Text(
        "Trash a card from your hand; gain one that costs exactly 1 more.")),
    CardDefinition("Harem", 6, "treasure-victory", coins=2, points=2, editions=SECOND),
    CardDefinition("Nobles", 6, "action-victory", points=2, editions=SECOND, choices=1, chosen=nobles_chosen,
        things=(Text("three cards"), Text("two actions")), text=Text(
        "Choose one: draw three cards, or two actions.")),
)
# fmt: on

NAMES = tuple(card.name for card in TABLE)
CARDS = len(TABLE)
BASE_SET = 39  # the cards before this one are of the base set, the others of Intrigue

(
    COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE,
    CELLAR, CHAPEL, MOAT, CHANCELLOR, HARBINGER, MERCHANT, VASSAL, VILLAGE, WOODCUTTER, WORKSHOP,
    BUREAUCRAT, FEAST, GARDENS, MILITIA, MONEYLENDER, POACHER, REMODEL, SMITHY, SPY, THIEF, THRONE_ROOM,
    BANDIT, COUNCIL_ROOM, FESTIVAL, LABORATORY, LIBRARY, MARKET, MINE, SENTRY, WITCH, ADVENTURER, ARTISAN,
    COURTYARD, LURKER, PAWN, MASQUERADE, SHANTY_TOWN, STEWARD, SWINDLER, WISHING_WELL,
    BARON, BRIDGE, CONSPIRATOR, DIPLOMAT, IRONWORKS, MILL, MINING_VILLAGE, SECRET_PASSAGE,
    COURTIER, DUKE, MINION, PATROL, REPLACE, TORTURER, TRADING_POST, UPGRADE, HAREM, NOBLES,
) = range(CARDS)  # fmt: skip

COST = np.array([card.cost for card in TABLE])
COINS = np.array([card.coins for card in TABLE])
POINTS = np.array([card.points for card in TABLE])
MORE_CARDS = np.array([card.cards for card in TABLE])
MORE_ACTIONS = np.array([card.actions for card in TABLE])
MORE_BUYS = np.array([card.buys for card in TABLE])
TREASURE = np.array(["treasure" in card.kind for card in TABLE])
VICTORY = np.array(["victory" in card.kind for card in TABLE])
ACTION = np.array(["action" in card.kind for card in TABLE])
ATTACK = np.array(["attack" in card.kind for card in TABLE])
ASKS, ASKS_COUNT = (np.array([card.asks[i] for card in TABLE]) for i in range(2))
OFFERS = np.array([len(card.things) for card in TABLE])
CHOICES = np.array([card.choices for card in TABLE])
KINDS = np.array([1 + card.kind.count("-") for card in TABLE])  # how many kinds a card is of


def by_card(name: str, parameters: str) -> Rule:
    """A rule that calls the rule of this name in the record of `card`, if there is one."""
    rules = {card: getattr(definition, name) for card, definition in enumerate(TABLE) if getattr(definition, name)}
    lines = [f"    if card == {card}: {each.__name__}({parameters})" for card, each in rules.items()]
    names = {"__name__": __name__, **{each.__name__: each for each in rules.values()}}
    exec("\n".join([f"def {name}({parameters}):", *lines]), names)
    return Rule(names[name])


effect = by_card("effect", "s, card, seat, gone, rng")
hit = by_card("hit", "s, card, seat, victim, rng")
chosen = by_card("chosen", "s, card, seat, things, rng")
