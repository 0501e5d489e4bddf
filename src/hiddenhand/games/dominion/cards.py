"""The cards of Dominion: what they cost, what kind they are, what they give at once, and what they say.

A card is its place in TABLE: first the seven basic cards that are in every game, then the 32 kingdom cards of the
first edition (2008) and the second (2016), by cost and name, then the 26 of Intrigue in its second edition (2016),
likewise. New cards come last: saved games know cards by their numbers. The texts are our own words.
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
    Card("Courtyard", 2, "action", 3, editions=SECOND),
    Card("Lurker", 2, "action", 0, 1, editions=SECOND),
    Card("Pawn", 2, "action", editions=SECOND),
    Card("Masquerade", 3, "action", 2, editions=SECOND),
    Card("Shanty Town", 3, "action", 0, 2, editions=SECOND),
    Card("Steward", 3, "action", editions=SECOND),
    Card("Swindler", 3, "action-attack", coins=2, editions=SECOND),
    Card("Wishing Well", 3, "action", 1, 1, editions=SECOND),
    Card("Baron", 4, "action", buys=1, editions=SECOND),
    Card("Bridge", 4, "action", buys=1, coins=1, editions=SECOND),
    Card("Conspirator", 4, "action", coins=2, editions=SECOND),
    Card("Diplomat", 4, "action-reaction", 2, editions=SECOND),
    Card("Ironworks", 4, "action", editions=SECOND),
    Card("Mill", 4, "action-victory", 1, 1, points=1, editions=SECOND),
    Card("Mining Village", 4, "action", 1, 2, editions=SECOND),
    Card("Secret Passage", 4, "action", 2, 1, editions=SECOND),
    Card("Courtier", 5, "action", editions=SECOND),
    Card("Duke", 5, "victory", editions=SECOND),
    Card("Minion", 5, "action-attack", 0, 1, editions=SECOND),
    Card("Patrol", 5, "action", 3, editions=SECOND),
    Card("Replace", 5, "action-attack", editions=SECOND),
    Card("Torturer", 5, "action-attack", 3, editions=SECOND),
    Card("Trading Post", 5, "action", editions=SECOND),
    Card("Upgrade", 5, "action", 1, 1, editions=SECOND),
    Card("Harem", 6, "treasure-victory", coins=2, points=2, editions=SECOND),
    Card("Nobles", 6, "action-victory", points=2, editions=SECOND),
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
    "Courtyard": "Put a card from your hand on your deck.",
    "Lurker": "Choose one: trash an Action from the supply, or gain an Action from the trash.",
    "Pawn": "Choose two different ones: a card, an action, a buy, a coin.",
    "Masquerade": "Everybody who holds cards passes one to the next of them, all at once. "
    "Then you may trash a card from your hand.",
    "Shanty Town": "Show your hand; if there is no Action in it, draw two cards.",
    "Steward": "Choose one: draw two cards, two coins, or trash two cards from your hand.",
    "Swindler": "Every other player trashes the top card of his deck and gains one of the same cost that you choose.",
    "Wishing Well": "Name a card, then show the top card of your deck; if it is the one, take it into your hand.",
    "Baron": "You may discard an Estate for four coins; otherwise gain an Estate.",
    "Bridge": "All cards cost one less this turn.",
    "Conspirator": "If it is the third Action of this turn or a later one: a card and an action.",
    "Diplomat": "With five cards or fewer in hand after drawing: two actions. Shown when another plays an Attack "
    "while you hold five cards or more: draw two cards, then discard three.",
    "Ironworks": "Gain a card that costs at most 4. For an Action an action, for a Treasure a coin, "
    "for a Victory card a card.",
    "Mill": "You may discard two cards for two coins.",
    "Mining Village": "You may trash this card for two coins.",
    "Secret Passage": "Put a card from your hand on your deck, or somewhere into it.",
    "Courtier": "Show a card from your hand. For every kind that it is, choose another one: an action, a buy, "
    "three coins, gain a Gold.",
    "Duke": "Worth a point for every Duchy you own.",
    "Minion": "Choose one: two coins; or discard your hand and draw four cards, and everybody else who holds "
    "five cards or more does so too.",
    "Patrol": "Show the top four cards of your deck. Take Victory cards and Curses into your hand "
    "and put the rest back in any order.",
    "Replace": "Trash a card from your hand; gain one that costs at most 2 more. An Action or a Treasure goes on "
    "your deck; for a Victory card every other player gains a Curse.",
    "Torturer": "Every other player discards two cards or gains a Curse into his hand, as he likes.",
    "Trading Post": "Trash two cards from your hand; for two, gain a Silver into your hand.",
    "Upgrade": "Trash a card from your hand; gain one that costs exactly 1 more.",
    "Nobles": "Choose one: draw three cards, or two actions.",
}

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
KINDS = np.array([1 + card.kind.count("-") for card in TABLE])  # how many kinds a card is of
