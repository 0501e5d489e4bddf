"""The state of a game of Dominion, and what a seat sees of it.

Cards are held as counts by card (arrays of WIDTH numbers), since copies are alike and their order seldom matters.
Only a deck has an order, and even there nobody knows it: `decks[seat]` holds the unknown part in no order at all, and
each card drawn from it is drawn at random, which is the same as shuffling beforehand. Cards on a deck that somebody
knows lie above it in `tops[seat]`, the topmost last.

The first part of the record is public, and the same in STATE and VIEW, so that a view is made by one copy:

    owned   what a player owns anywhere: gained and trashed in the open, so everybody can count it
    seen    what everybody knows to lie in a discard pile: gains, cards played, cards discarded by an effect. The hand
            that is discarded at the end of a turn is `unseen`, and a shuffle ends this knowledge
    shown   what everybody knows to be in a hand: gained into it, shown, or drawn from a top that all knew
    tops    the topmost cards of a deck, as far as somebody knows them, and those that lie above such a card: UNKNOWN
            where only the owner knows the card (see `own_tops`), UNSEEN where nobody does
    mixed   some of these cards that all know, but only their owner in which order they lie: here they are ascending

A card that is being resolved leaves steps on a stack: work to be done, or a question that waits for the answer of a
seat (see `stack`). Everything on the stack is public.
"""

from hiddenhand.kernel import record_type

SEATS = 4
WIDTH = 72  # the length of an array with one number per card, in whole words
MOST_CARDS = 320  # that one player can own: more than there are
MOST_TOPS = 60  # on one deck
MOST_STEPS = 32
BASIC, TEN = 7, 10  # kinds of cards that are in every game, and of kingdom cards
PILES = BASIC + TEN
MOST_TURNS = 300  # of one player: a game in which nobody buys anything ends here
HAND = 5
UNKNOWN, UNSEEN = -1, -2

ACTIONS_PHASE, BUY_PHASE = 0, 1

PUBLIC = [
    ("players", "i1"),
    ("edition", "i1"),
    ("over", "i1"),
    ("current", "i1"),  # the seat whose turn it is
    ("phase", "i1"),
    ("immune", "i1"),  # bit i: seat i has shown a Moat against the attack being resolved
    ("merchants", "i1"),  # played this turn
    ("bridges", "i1"),  # played this turn: all cards cost so much less
    ("played", "i1"),  # Actions this turn, each play of a Throne Room counted
    ("empty_piles", "i1"),
    ("actions", "i2"),  # left this turn
    ("buys", "i2"),
    ("coins", "i2"),
    ("steps", "i2"),  # how many are on the stack
    ("turns", "i2", (SEATS,)),  # begun by each seat
    ("hand_sizes", "i2", (SEATS,)),
    ("deck_sizes", "i2", (SEATS,)),  # of the unknown part
    ("top_sizes", "i2", (SEATS,)),
    ("discard_sizes", "i2", (SEATS,)),
    ("dumped", "i2", (SEATS,)),  # of them came unseen from a deck, by a Chancellor
    ("piles", "i1", (PILES,)),  # the cards of the supply, ascending
    ("loot", "i1", (3,)),  # Copper, Silver and Gold that this Thief has trashed so far
    ("supply", "i1", (WIDTH,)),
    ("in_play", "i1", (WIDTH,)),  # before the current player
    ("aside", "i1", (WIDTH,)),  # set aside by a Library
    ("trash", "i1", (WIDTH,)),
    ("owned", "i1", (SEATS, WIDTH)),
    ("seen", "i1", (SEATS, WIDTH)),
    ("shown", "i1", (SEATS, WIDTH)),
    ("tops", "i1", (SEATS, MOST_TOPS)),
    ("mixed_from", "i1", (SEATS,)),  # the place of the lowest of the cards that lie mixed on a deck
    ("mixed_size", "i1", (SEATS,)),  # how many they are; 0: none
    ("step_kinds", "i1", (MOST_STEPS,)),  # what to do or to ask
    ("step_cards", "i1", (MOST_STEPS,)),  # the card that caused it
    ("step_seats", "i1", (MOST_STEPS,)),  # who does it or answers
    ("step_targets", "i1", (MOST_STEPS,)),  # whose cards it is about
    ("step_counts", "i2", (MOST_STEPS,)),
]
STATE = record_type(
    [
        *PUBLIC,
        ("hands", "i1", (SEATS, WIDTH)),
        ("unseen", "i1", (SEATS, WIDTH)),  # the rest of each discard pile
        ("own_tops", "i1", (SEATS, MOST_TOPS)),
        ("decks", "i1", (SEATS, MOST_CARDS)),
        ("passing", "i1", (SEATS,)),  # 1 + the card that a seat passes in a Masquerade; 0 if it has not chosen
        ("drawn", "i1"),  # 1 + the Action that a Library has just drawn and asks about; 0 at other times
    ]
)
VIEW = record_type(
    [
        *PUBLIC,
        ("hand", "i1", (WIDTH,)),  # mine
        ("discard", "i1", (WIDTH,)),  # mine, all of it: I saw what I discarded
        ("my_tops", "i1", (MOST_TOPS,)),  # UNKNOWN where I do not know the card
        ("my_passing", "i1"),  # 1 + the card that I pass; 0
        ("drawn", "i1"),  # 1 + the Action that my Library has just drawn; 0
    ]
)
