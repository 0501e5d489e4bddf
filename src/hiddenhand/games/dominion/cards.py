"""The cards of Dominion: what they cost, what kind they are, what they give at once, and what they say.

A card is its place in TABLE: first the seven basic cards that are in every game, then the 32 kingdom cards of the
first edition (2008) and the second (2016), by cost and name. The texts are our own words.
"""

from typing import NamedTuple

import numpy as np

FIRST, SECOND = 1, 2
BOTH = FIRST | SECOND


class Card(NamedTuple):
    name: str
    cost: int
    kind: str
    cards: int = 0  # what it gives at once: cards, actions, buys, coins
    actions: int = 0
    buys: int = 0
    coins: int = 0
    points: int = 0
    editions: int = BOTH


TABLE = (
    Card("Copper", 0, "treasure", coins=1),
    Card("Silver", 3, "treasure", coins=2),
    Card("Gold", 6, "treasure", coins=3),
    Card("Estate", 2, "victory", points=1),
    Card("Duchy", 5, "victory", points=3),
    Card("Province", 8, "victory", points=6),
    Card("Curse", 0, "curse", points=-1),
    Card("Cellar", 2, "action", actions=1),
    Card("Chapel", 2, "action"),
    Card("Moat", 2, "action-reaction", cards=2),
    Card("Chancellor", 3, "action", coins=2, editions=FIRST),
    Card("Harbinger", 3, "action", 1, 1, editions=SECOND),
    Card("Merchant", 3, "action", 1, 1, editions=SECOND),
    Card("Vassal", 3, "action", coins=2, editions=SECOND),
    Card("Village", 3, "action", 1, 2),
    Card("Woodcutter", 3, "action", buys=1, coins=2, editions=FIRST),
    Card("Workshop", 3, "action"),
    Card("Bureaucrat", 4, "action-attack"),
    Card("Feast", 4, "action", editions=FIRST),
    Card("Gardens", 4, "victory"),
    Card("Militia", 4, "action-attack", coins=2),
    Card("Moneylender", 4, "action"),
    Card("Poacher", 4, "action", 1, 1, coins=1, editions=SECOND),
    Card("Remodel", 4, "action"),
    Card("Smithy", 4, "action", 3),
    Card("Spy", 4, "action-attack", 1, 1, editions=FIRST),
    Card("Thief", 4, "action-attack", editions=FIRST),
    Card("Throne Room", 4, "action"),
    Card("Bandit", 5, "action-attack", editions=SECOND),
    Card("Council Room", 5, "action", 4, buys=1),
    Card("Festival", 5, "action", 0, 2, 1, 2),
    Card("Laboratory", 5, "action", 2, 1),
    Card("Library", 5, "action"),
    Card("Market", 5, "action", 1, 1, 1, 1),
    Card("Mine", 5, "action"),
    Card("Sentry", 5, "action", 1, 1, editions=SECOND),
    Card("Witch", 5, "action-attack", 2),
    Card("Adventurer", 6, "action", editions=FIRST),
    Card("Artisan", 6, "action", editions=SECOND),
)

TEXTS = {
    "Cellar": "Discard any number of cards from your hand, then draw as many.",
    "Chapel": "Trash up to four cards from your hand.",
    "Moat": "Shown when another plays an Attack, it spares you that attack.",
    "Chancellor": "You may put your whole deck into your discard pile.",
    "Harbinger": "You may put a card from your discard pile on your deck.",
    "Merchant": "The first Silver you play this turn gives one coin more.",
    "Vassal": "Discard your top card; if it is an Action, you may play it.",
    "Workshop": "Gain a card that costs at most 4.",
    "Bureaucrat": "Gain a Silver onto your deck. Every other player puts a Victory card "
    "from his hand on his deck, or shows a hand without one.",
    "Feast": "Trash this card. Gain a card that costs at most 5.",
    "Gardens": "Worth a point for every ten cards you own.",
    "Militia": "Every other player discards down to three cards.",
    "Moneylender": "Trash a Copper from your hand for three coins.",
    "Poacher": "Discard a card for every empty pile of the supply.",
    "Remodel": "Trash a card from your hand; gain one that costs at most 2 more.",
    "Spy": "Every player, you too, shows the top card of his deck; you say whether it is discarded or stays.",
    "Thief": "Every other player shows his top two cards. "
    "Trash one Treasure of each, discard the rest; gain any of those trashed.",
    "Throne Room": "Choose an Action in your hand and play it twice.",
    "Bandit": "Gain a Gold. Every other player shows his top two cards, "
    "trashes a Treasure among them other than Copper and discards the rest.",
    "Council Room": "Every other player draws a card.",
    "Library": "Draw until you hold seven cards; Actions may be set aside as you draw them.",
    "Mine": "Trash a Treasure from your hand; gain one that costs at most 3 more into your hand.",
    "Sentry": "Look at your top two cards; trash or discard any of them, put the rest back in any order.",
    "Witch": "Every other player gains a Curse.",
    "Adventurer": "Show cards of your deck until two Treasures have appeared. "
    "Take those into your hand and discard the others.",
    "Artisan": "Gain a card that costs at most 5 into your hand. Put a card from your hand on your deck.",
}

NAMES = tuple(card.name for card in TABLE)
CARDS = len(TABLE)
BASIC = 7
WIDTH = 40  # the length of an array with one number per card: CARDS, rounded up to whole words

(
    COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE,
    CELLAR, CHAPEL, MOAT, CHANCELLOR, HARBINGER, MERCHANT, VASSAL, VILLAGE, WOODCUTTER, WORKSHOP,
    BUREAUCRAT, FEAST, GARDENS, MILITIA, MONEYLENDER, POACHER, REMODEL, SMITHY, SPY, THIEF, THRONE_ROOM,
    BANDIT, COUNCIL_ROOM, FESTIVAL, LABORATORY, LIBRARY, MARKET, MINE, SENTRY, WITCH, ADVENTURER, ARTISAN,
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
