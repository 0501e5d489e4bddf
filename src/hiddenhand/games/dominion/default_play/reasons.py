"""Why the default play answers as it does: one number for each of its rules, and the sentence that says it."""

from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.default_play.worth import LEAST_MONEY
from hiddenhand.games.dominion.steps import CHOOSE, STOP

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
) = range(46)  # fmt: skip

SENTENCES = {
    PLAYS_FIRST: "{card} is the first in the order of play of the Actions that do some good with this hand.",
    PLAYS_THRONE: "Throne Room comes first: it is to double another Action of my hand.",
    PLAYS_NOTHING: "None of the Actions in my hand does any good now.",
    FINISHES_BUYING: "What to buy is no question of the default play: it buys nothing.",
    SHOWS_MOAT: "Showing a Moat costs nothing and spares me the attack.",
    FLIPS_POOR_DECK: "The cards left in my deck are on average less useful than those to shuffle them with.",
    KEEPS_GOOD_DECK: "The cards left in my deck are on average no less useful than those to shuffle them with.",
    LENDS: "Three coins are worth more than a Copper.",
    DISCARDS_OWN_TOP: "My top card is no better than a Copper.",
    LEAVES_OWN_TOP: "My top card is better than a Copper.",
    DISCARDS_THEIR_TOP: "The other's top card is better than a Copper.",
    LEAVES_THEIR_TOP: "The other's top card is no better than a Copper.",
    SETS_ASIDE: "I have no action left to play it with.",
    KEEPS_ACTION: "I have an action left to play it with.",
    PLAYS_TOP: "It does some good now and costs no action.",
    LEAVES_TOP: "It would do no good with this hand.",
    DISCARDS_DEAD: "{card} does nothing when it is drawn.",
    DISCARDS_SURPLUS: "I hold more Actions than I can play, and {card} is the least useful that gives no action.",
    DISCARDS_LEAST: "{card} is the least useful card in my hand.",
    STOPS_DISCARDING: "None of these cards is a Victory card or a Curse.",
    TRASHES_CURSE: "A Curse does nothing when it is drawn, and costs a point.",
    TRASHES_ESTATE: "An Estate does nothing when it is drawn, and its point matters little so early.",
    TRASHES_COPPER: f"Without this Copper my Treasures are still worth {LEAST_MONEY} coins or more.",
    STOPS_TRASHING: "None of these cards is a Curse, an Estate early in the game, or a Copper that I can spare.",
    PUTS_BACK: "One Victory card is as idle in my hand as another.",
    MINES_SILVER: "A Silver becomes a Gold.",
    MINES_COPPER: "A Copper becomes a Silver.",
    MINES_NOTHING: "No Treasure in my hand can become a better one.",
    MINES_FORCED: "A Treasure must go, though none can become a better one; {card} is the least useful.",
    REMODELS_FOR_POINTS: "The game is about to end, and {card} can become a card that brings more points.",
    REMODELS_LEAST: "{card} is the card I can spare best.",
    DOUBLES_FIRST: "{card} is the first in the order of play of the Actions that do some good with this hand.",
    DOUBLES_FORCED: "An Action must be doubled, and {card} does little harm.",
    DOUBLES_NOTHING: "None of the Actions in my hand does any good now.",
    SAVES_ACTION: "{card} cannot be played any more this turn, but can be the next.",
    DECKS_LEAST: "{card} is the least useful card in my hand this turn.",
    GAINS_TREASURE: "{card} is the best Treasure to be had.",
    GAINS_POINTS: "The game is about to end, and {card} brings the most points.",
    GAINS_DEAREST: "{card} is the most useful card to be had.",
    RECALLS_BEST: "{card} is the most useful card in my discard pile.",
    RECALLS_NOTHING: "Nothing in my discard pile is better than a Copper.",
    STEALS_BEST: "{card} is the better of the two Treasures.",
    KEEPS_LOOT: "{card} makes my deck better.",
    LEAVES_LOOT: "A Copper would make my deck worse.",
    SURRENDERS_LEAST: "{card} is the lesser of the two Treasures.",
    TOPS_BEST: "{card} is at least as useful as the other, so I draw it first.",
}


def default_reason(why: int, action: int) -> str:
    """The sentence for a rule of the default play that gave this action."""
    return SENTENCES[why].format(card="" if action == STOP else NAMES[action - CHOOSE])
