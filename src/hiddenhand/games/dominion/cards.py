"""The cards of Dominion: what they cost, what kind they are, what they give at once, and what they say.

A card is its place in TABLE: first the seven basic cards that are in every game, then the 32 kingdom cards of the
first edition (2008) and the second (2016), by cost and name, then the 26 of Intrigue in its second edition (2016),
likewise. New cards come last: saved games know cards by their numbers. The texts are our own words.
"""

from typing import NamedTuple

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.games.dominion.steps import (
    DISCARD_ANY,
    DOUBLE,
    DRAW_TO_SEVEN,
    GAIN,
    NAME,
    PUT_ON_DECK,
    RECALL,
    START,
    TRADE_IN,
    TRASH_ANY,
    UNVEIL,
)

FIRST, SECOND = 1, 2
BOTH = FIRST | SECOND


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
    offers: tuple[int, int] = (0, 0)  # how many things to choose from, and how many are chosen at once
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
    CardDefinition("Chancellor", 3, "action", coins=2, editions=FIRST, text=Text(
        "You may put your whole deck into your discard pile.")),
    CardDefinition("Harbinger", 3, "action", 1, 1, editions=SECOND, asks=(RECALL, 0), text=Text(
        "You may put a card from your discard pile on your deck.")),
    CardDefinition("Merchant", 3, "action", 1, 1, editions=SECOND, text=Text(
        "The first Silver you play this turn gives one coin more.")),
    CardDefinition("Vassal", 3, "action", coins=2, editions=SECOND, text=Text(
        "Discard your top card; if it is an Action, you may play it.")),
    CardDefinition("Village", 3, "action", 1, 2),
    CardDefinition("Woodcutter", 3, "action", buys=1, coins=2, editions=FIRST),
    CardDefinition("Workshop", 3, "action", asks=(GAIN, 4), text=Text(
        "Gain a card that costs at most 4.")),
    CardDefinition("Bureaucrat", 4, "action-attack", text=Text(
        "Gain a Silver onto your deck. Every other player puts a Victory card from his hand on his deck, or shows "
        "a hand without one.")),
    CardDefinition("Feast", 4, "action", editions=FIRST, asks=(GAIN, 5), text=Text(
        "Trash this card. Gain a card that costs at most 5.")),
    CardDefinition("Gardens", 4, "victory", text=Text(
        "Worth a point for every ten cards you own.")),
    CardDefinition("Militia", 4, "action-attack", coins=2, text=Text(
        "Every other player discards down to three cards.")),
    CardDefinition("Moneylender", 4, "action", text=Text(
        "Trash a Copper from your hand for three coins.")),
    CardDefinition("Poacher", 4, "action", 1, 1, coins=1, editions=SECOND, text=Text(
        "Discard a card for every empty pile of the supply.")),
    CardDefinition("Remodel", 4, "action", asks=(TRADE_IN, 0), text=Text(
        "Trash a card from your hand; gain one that costs at most 2 more.")),
    CardDefinition("Smithy", 4, "action", 3),
    CardDefinition("Spy", 4, "action-attack", 1, 1, editions=FIRST, text=Text(
        "Every player, you too, shows the top card of his deck; you say whether it is discarded or stays.")),
    CardDefinition("Thief", 4, "action-attack", editions=FIRST, text=Text(
        "Every other player shows his top two cards. Trash one Treasure of each, discard the rest; gain any of "
        "those trashed.")),
    CardDefinition("Throne Room", 4, "action", asks=(DOUBLE, 0), text=Text(
        "Choose an Action in your hand and play it twice.")),
    CardDefinition("Bandit", 5, "action-attack", editions=SECOND, text=Text(
        "Gain a Gold. Every other player shows his top two cards, trashes a Treasure among them other than Copper "
        "and discards the rest.")),
    CardDefinition("Council Room", 5, "action", 4, buys=1, text=Text(
        "Every other player draws a card.")),
    CardDefinition("Festival", 5, "action", 0, 2, 1, 2),
    CardDefinition("Laboratory", 5, "action", 2, 1),
    CardDefinition("Library", 5, "action", asks=(DRAW_TO_SEVEN, 0), text=Text(
        "Draw until you hold seven cards; Actions may be set aside as you draw them.")),
    CardDefinition("Market", 5, "action", 1, 1, 1, 1),
    CardDefinition("Mine", 5, "action", asks=(TRADE_IN, 0), text=Text(
        "Trash a Treasure from your hand; gain one that costs at most 3 more into your hand.")),
    CardDefinition("Sentry", 5, "action", 1, 1, editions=SECOND, text=Text(
        "Look at your top two cards; trash or discard any of them, put the rest back in any order.")),
    CardDefinition("Witch", 5, "action-attack", 2, text=Text(
        "Every other player gains a Curse.")),
    CardDefinition("Adventurer", 6, "action", editions=FIRST, text=Text(
        "Show cards of your deck until two Treasures have appeared. Take those into your hand and discard the "
        "others.")),
    CardDefinition("Artisan", 6, "action", editions=SECOND, asks=(GAIN, 5), text=Text(
        "Gain a card that costs at most 5 into your hand. Put a card from your hand on your deck.")),
    CardDefinition("Courtyard", 2, "action", 3, editions=SECOND, asks=(PUT_ON_DECK, 0), text=Text(
        "Put a card from your hand on your deck.")),
    CardDefinition("Lurker", 2, "action", 0, 1, editions=SECOND, offers=(2, 1), text=Text(
        "Choose one: trash an Action from the supply, or gain an Action from the trash.")),
    CardDefinition("Pawn", 2, "action", editions=SECOND, offers=(4, 2), text=Text(
        "Choose two different ones: a card, an action, a buy, a coin.")),
    CardDefinition("Masquerade", 3, "action", 2, editions=SECOND, text=Text(
        "Everybody who holds cards passes one to the next of them, all at once. Then you may trash a card from "
        "your hand.")),
    CardDefinition("Shanty Town", 3, "action", 0, 2, editions=SECOND, text=Text(
        "Show your hand; if there is no Action in it, draw two cards.")),
    CardDefinition("Steward", 3, "action", editions=SECOND, offers=(3, 1), text=Text(
        "Choose one: draw two cards, two coins, or trash two cards from your hand.")),
    CardDefinition("Swindler", 3, "action-attack", coins=2, editions=SECOND, text=Text(
        "Every other player trashes the top card of his deck and gains one of the same cost that you choose.")),
    CardDefinition("Wishing Well", 3, "action", 1, 1, editions=SECOND, asks=(NAME, 0), text=Text(
        "Name a card, then show the top card of your deck; if it is the one, take it into your hand.")),
    CardDefinition("Baron", 4, "action", buys=1, editions=SECOND, text=Text(
        "You may discard an Estate for four coins; otherwise gain an Estate.")),
    CardDefinition("Bridge", 4, "action", buys=1, coins=1, editions=SECOND, text=Text(
        "All cards cost one less this turn.")),
    CardDefinition("Conspirator", 4, "action", coins=2, editions=SECOND, text=Text(
        "If it is the third Action of this turn or a later one: a card and an action.")),
    CardDefinition("Diplomat", 4, "action-reaction", 2, editions=SECOND, text=Text(
        "With five cards or fewer in hand after drawing: two actions. Shown when another plays an Attack while "
        "you hold five cards or more: draw two cards, then discard three.")),
    CardDefinition("Ironworks", 4, "action", editions=SECOND, asks=(GAIN, 4), text=Text(
        "Gain a card that costs at most 4. For an Action an action, for a Treasure a coin, for a Victory card a "
        "card.")),
    CardDefinition("Mill", 4, "action-victory", 1, 1, points=1, editions=SECOND, text=Text(
        "You may discard two cards for two coins.")),
    CardDefinition("Mining Village", 4, "action", 1, 2, editions=SECOND, text=Text(
        "You may trash this card for two coins.")),
    CardDefinition("Secret Passage", 4, "action", 2, 1, editions=SECOND, text=Text(
        "Put a card from your hand on your deck, or somewhere into it.")),
    CardDefinition("Courtier", 5, "action", editions=SECOND, asks=(UNVEIL, 0), offers=(4, 0), text=Text(
        "Show a card from your hand. For every kind that it is, choose another one: an action, a buy, three "
        "coins, gain a Gold.")),
    CardDefinition("Duke", 5, "victory", editions=SECOND, text=Text(
        "Worth a point for every Duchy you own.")),
    CardDefinition("Minion", 5, "action-attack", 0, 1, editions=SECOND, offers=(2, 0), text=Text(
        "Choose one: two coins; or discard your hand and draw four cards, and everybody else who holds five cards "
        "or more does so too.")),
    CardDefinition("Patrol", 5, "action", 3, editions=SECOND, text=Text(
        "Show the top four cards of your deck. Take Victory cards and Curses into your hand and put the rest back "
        "in any order.")),
    CardDefinition("Replace", 5, "action-attack", editions=SECOND, text=Text(
        "Trash a card from your hand; gain one that costs at most 2 more. An Action or a Treasure goes on your "
        "deck; for a Victory card every other player gains a Curse.")),
    CardDefinition("Torturer", 5, "action-attack", 3, editions=SECOND, offers=(2, 0), text=Text(
        "Every other player discards two cards or gains a Curse into his hand, as he likes.")),
    CardDefinition("Trading Post", 5, "action", editions=SECOND, text=Text(
        "Trash two cards from your hand; for two, gain a Silver into your hand.")),
    CardDefinition("Upgrade", 5, "action", 1, 1, editions=SECOND, asks=(TRADE_IN, 0), text=Text(
        "Trash a card from your hand; gain one that costs exactly 1 more.")),
    CardDefinition("Harem", 6, "treasure-victory", coins=2, points=2, editions=SECOND),
    CardDefinition("Nobles", 6, "action-victory", points=2, editions=SECOND, offers=(2, 1), text=Text(
        "Choose one: draw three cards, or two actions.")),
)
# fmt: on

NAMES = tuple(card.name for card in TABLE)
CARDS = len(TABLE)
BASIC = 7
BASE_SET = 39  # the cards before this one are of the base set, the others of Intrigue
WIDTH = 72  # the length of an array with one number per card: CARDS, rounded up to whole words

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
OFFERS, CHOSEN = (np.array([card.offers[i] for card in TABLE]) for i in range(2))
KINDS = np.array([1 + card.kind.count("-") for card in TABLE])  # how many kinds a card is of
