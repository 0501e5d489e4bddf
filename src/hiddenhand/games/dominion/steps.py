"""The kinds of steps on the stack: work, and questions. What the stack is stands in `stack`."""

# work
START, EFFECT, THREATEN, HIT, DRAW, DRAW_TO_SEVEN, PASS_ALL, TAKE_SILVER = range(8)
# questions answered by yes or no
REVEAL = 8  # show a Moat against the attack?
FLIP = 9  # Chancellor: put the deck into the discard pile?
LEND = 10  # Moneylender of the second edition: trash a Copper?
JUDGE = 11  # Spy: is the target's top card discarded?
SET_ASIDE = 12  # Library: set aside the Action just drawn? It is in `drawn`; the count is the same if all know it
PLAY_TOP = 13  # Vassal: play the Action just discarded (the step's card)?
REACT = 14  # show a Diplomat against the attack?
SCRAP = 15  # Mining Village: trash it for two coins?
SELL_ESTATE = 16  # Baron: discard an Estate for four coins?
SELL_TWO = 17  # Mill: discard two cards for two coins?
# a question answered by the number of one of the things that the step's card offers
CHOICE = 18  # the count is what was chosen already, as bits, and 16 for every choice still to be made
# questions answered by a card in hand
DISCARD = 19  # the step's count of cards must go
DISCARD_ANY = 20  # Cellar: as many as liked; the count is how many so far
TRASH_ANY = 21  # Chapel, Masquerade: up to the count
PUT_BACK = 22  # Bureaucrat: a Victory card goes on the deck
TRADE_IN = 23  # Remodel, Mine, Replace, Upgrade: trash a card for a better one
DOUBLE = 24  # Throne Room: play an Action twice
PUT_ON_DECK = 25  # Artisan, Courtyard, Secret Passage: a card goes on the deck, or into it, under the count of others
TRASH = 26  # Steward, Trading Post: the step's count of cards must go
PASS = 27  # Masquerade: a card for the next player
UNVEIL = 28  # Courtier: show a card
# questions answered by a card elsewhere
GAIN = 29  # a card of the supply that costs at most the count; with Mine a Treasure, with Upgrade exactly the count
RECALL = 30  # Harbinger: a card of the discard pile goes on the deck
STEAL = 31  # Thief: which of the two Treasures shown is trashed
KEEP = 32  # Thief: gain a trashed Treasure
SURRENDER = 33  # Bandit: which of the two Treasures shown is trashed
SENTRY_TRASH = 34  # of the count of topmost cards
SENTRY_DISCARD = 35
SENTRY_ORDER = 36  # which of the two lies on top
NAME = 37  # Wishing Well: any card of the game
SWINDLE = 38  # Swindler: a card of the supply that costs exactly the count, for the target
SCRAP_PILE = 39  # Lurker: an Action of the supply is trashed
SALVAGE = 40  # Lurker: an Action of the trash is gained
ARRANGE = 41  # Patrol: which of the count of topmost cards is put back first, under the others

FIRST_QUESTION = REVEAL
YES_OR_NO = SELL_TWO  # the last of them
IN_HAND = UNVEIL  # the last that is answered by a card in hand
