"""Why the default play answers as it does: one number for each of its rules, and the sentence that says it."""

from collections.abc import Callable

from hiddenhand.core.text import Text
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.default_play.card_worth import LEAST_MONEY
from hiddenhand.games.dominion.stack import CHOOSE, STOP

(
    PLAYS_FIRST, PLAYS_THRONE, PLAYS_NOTHING, FINISHES_BUYING,
    SHOWS_MOAT, FLIPS_POOR_DECK, KEEPS_GOOD_DECK, LENDS, DISCARDS_OWN_TOP, LEAVES_OWN_TOP, DISCARDS_THEIR_TOP,
    LEAVES_THEIR_TOP, SETS_ASIDE, KEEPS_ACTION, PLAYS_TOP, LEAVES_TOP,
    DISCARDS_DEAD, DISCARDS_SURPLUS, DISCARDS_LEAST, STOPS_DISCARDING, TRASHES_CURSE, TRASHES_ESTATE,
    TRASHES_COPPER, STOPS_TRASHING, PUTS_BACK,
    MINES_SILVER, MINES_COPPER, MINES_NOTHING, MINES_FORCED, REMODELS_FOR_POINTS, REMODELS_LEAST, DOUBLES_FIRST,
    DOUBLES_FORCED, DOUBLES_NOTHING, SAVES_ACTION, DECKS_LEAST,
    GAINS_TREASURE, GAINS_POINTS, GAINS_DEAREST, RECALLS_BEST, RECALLS_NOTHING, STEALS_BEST, KEEPS_LOOT, LEAVES_LOOT,
    SURRENDERS_LEAST, TOPS_BEST,
    SHOWS_DIPLOMAT, KEEPS_HAND, SCRAPS, KEEPS_VILLAGE, SELLS_ESTATE, SELLS_IDLE, KEEPS_CARDS,
    WANTS_ACTION, WANTS_CARDS, WANTS_COINS, WANTS_GOLD, WANTS_BUY, WANTS_TRASH, WANTS_NEW_HAND, WANTS_ACTION_CARD,
    WANTS_TRASHED_ACTION, WANTS_AWAY, WANTS_NO_CURSE, WANTS_DISCARD,
    TRASHES_LEAST, SHOWS_MOST_KINDS, NAMES_LIKELIEST, GIVES_LEAST, PUTS_LEAST_UNDER,
    DISCARDS_COPPER,
) = range(71)  # fmt: skip

SENTENCES: dict[int, str] = {
    PLAYS_THRONE: Text("Throne Room comes first: it is to double another Action of my hand."),
    PLAYS_NOTHING: Text("None of the Actions in my hand does any good now."),
    FINISHES_BUYING: Text("What to buy is no question of the default play: it buys nothing."),
    SHOWS_MOAT: Text("Showing a Moat costs nothing and spares me the attack."),
    FLIPS_POOR_DECK: Text("The cards left in my deck are on average less useful than those to shuffle them with."),
    KEEPS_GOOD_DECK: Text("The cards left in my deck are on average no less useful than those to shuffle them with."),
    LENDS: Text("Three coins are worth more than a Copper."),
    DISCARDS_OWN_TOP: Text("My top card is no better than a Copper."),
    LEAVES_OWN_TOP: Text("My top card is better than a Copper."),
    DISCARDS_THEIR_TOP: Text("The other's top card is better than a Copper."),
    LEAVES_THEIR_TOP: Text("The other's top card is no better than a Copper."),
    SETS_ASIDE: Text("I have no action left to play it with."),
    KEEPS_ACTION: Text("I have an action left to play it with."),
    PLAYS_TOP: Text("It does some good now and costs no action."),
    LEAVES_TOP: Text("It would do no good with this hand."),
    DISCARDS_COPPER: Text(
        "My cards give more than a coin each on average, so another one is better than this Copper."
    ),
    STOPS_DISCARDING: Text("None of these cards is idle in my hand."),
    TRASHES_CURSE: Text("A Curse does nothing when it is drawn, and costs a point."),
    TRASHES_ESTATE: Text("An Estate does nothing when it is drawn, and its point matters little so early."),
    TRASHES_COPPER: Text("Without this Copper my Treasures are still worth {n} coins or more.", n=LEAST_MONEY),
    STOPS_TRASHING: Text(
        "None of these cards is a Curse, an Estate early in the game, or a Copper that I can spare."
    ),
    MINES_SILVER: Text("A Silver becomes a Gold."),
    MINES_COPPER: Text("A Copper becomes a Silver."),
    MINES_NOTHING: Text("No Treasure in my hand can become a better one."),
    DOUBLES_NOTHING: Text("None of the Actions in my hand does any good now."),
    RECALLS_NOTHING: Text("Nothing in my discard pile is better than a Copper."),
    LEAVES_LOOT: Text("A Copper would make my deck worse."),
    SHOWS_DIPLOMAT: Text("With a Diplomat I draw two cards and give up the three worst."),
    KEEPS_HAND: Text("My hand is good enough, and a Diplomat would cost me a card."),
    SCRAPS: Text("The game is about to end: two coins now are worth more than the village later."),
    KEEPS_VILLAGE: Text("The village is worth more than two coins while the game goes on."),
    SELLS_ESTATE: Text("An Estate does nothing in my hand, and four coins buy much."),
    SELLS_IDLE: Text("I hold two cards or more that do nothing in my hand."),
    KEEPS_CARDS: Text("Too few cards in my hand do nothing."),
    WANTS_ACTION: Text("With an action more I can play on."),
    WANTS_CARDS: Text("More cards are worth most now."),
    WANTS_COINS: Text("More coins are worth most now."),
    WANTS_GOLD: Text("A Gold makes my deck better."),
    WANTS_BUY: Text("A buy more is all that is left to choose."),
    WANTS_TRASH: Text("Two cards in my hand only make my deck worse."),
    WANTS_NEW_HAND: Text("Four new cards are better than this hand."),
    WANTS_ACTION_CARD: Text("An Action worth having lies in the trash."),
    WANTS_TRASHED_ACTION: Text("No Action worth having lies in the trash; what I trash now I may gain later."),
    WANTS_AWAY: Text("The card that I put back is to come late."),
    WANTS_NO_CURSE: Text("No Curse is left that I could gain."),
    WANTS_DISCARD: Text("Two cards less for a turn are better than a Curse for the rest of the game."),
}
"""Rules that say the same of every card."""

SENTENCES_ABOUT: dict[int, Callable[[str], str]] = {
    PLAYS_FIRST: lambda card: Text(
        "{card} is the first in the order of play of the Actions that do some good with this hand.", card=card
    ),
    DISCARDS_DEAD: lambda card: Text("{card} does nothing when it is drawn.", card=card),
    DISCARDS_SURPLUS: lambda card: Text(
        "I hold more Actions than I can play, and {card} is the least useful that gives no action.", card=card
    ),
    DISCARDS_LEAST: lambda card: Text("{card} is the least useful card in my hand.", card=card),
    PUTS_BACK: lambda card: Text("{card} goes back: one Victory card is as idle in my hand as another.", card=card),
    MINES_FORCED: lambda card: Text(
        "A Treasure must go, though none can become a better one; {card} is the least useful.", card=card
    ),
    REMODELS_FOR_POINTS: lambda card: Text(
        "The game is about to end, and {card} can become a card that brings more points.", card=card
    ),
    REMODELS_LEAST: lambda card: Text("{card} is the card I can spare best.", card=card),
    DOUBLES_FIRST: lambda card: Text(
        "{card} is the first in the order of play of the Actions that do some good with this hand.", card=card
    ),
    DOUBLES_FORCED: lambda card: Text("An Action must be doubled, and {card} does little harm.", card=card),
    SAVES_ACTION: lambda card: Text("{card} cannot be played any more this turn, but can be the next.", card=card),
    DECKS_LEAST: lambda card: Text("{card} is the least useful card in my hand this turn.", card=card),
    GAINS_TREASURE: lambda card: Text("{card} is the best Treasure to be had.", card=card),
    GAINS_POINTS: lambda card: Text("The game is about to end, and {card} brings the most points.", card=card),
    GAINS_DEAREST: lambda card: Text("{card} is the most useful card to be had.", card=card),
    RECALLS_BEST: lambda card: Text("{card} is the most useful card in my discard pile.", card=card),
    STEALS_BEST: lambda card: Text("{card} is the better of the two Treasures.", card=card),
    KEEPS_LOOT: lambda card: Text("{card} makes my deck better.", card=card),
    SURRENDERS_LEAST: lambda card: Text("{card} is the lesser of the two Treasures.", card=card),
    TOPS_BEST: lambda card: Text("{card} is at least as useful as the other, so I draw it first.", card=card),
    TRASHES_LEAST: lambda card: Text("{card} is the card I can spare best.", card=card),
    SHOWS_MOST_KINDS: lambda card: Text("{card} is of as many kinds as any card in my hand.", card=card),
    NAMES_LIKELIEST: lambda card: Text("Of {card} most are left in my deck.", card=card),
    GIVES_LEAST: lambda card: Text("{card} is the least useful card at that cost.", card=card),
    PUTS_LEAST_UNDER: lambda card: Text("{card} is the least useful, so the others are to come first.", card=card),
}
"""Rules that speak of the card that was chosen."""


def default_reason(why: int, action: int) -> str:
    """The sentence for a rule of the default play that gave this action."""
    if why in SENTENCES:
        return SENTENCES[why]
    return SENTENCES_ABOUT[why]("" if action == STOP else NAMES[action - CHOOSE])
