"""Default play: a sensible answer to every question of a turn but what to buy.

Strategies differ in what they buy; how the cards are then used seldom needs a strategy of its own. Four ideas answer
all questions: how useful a card is when it is drawn, whether I am glad to lose it, in which order Actions are played,
and whether the game is about to end. A policy calls `default_answer` where it has nothing of its own to say.
"""

from hiddenhand.games.dominion.default_play.answers import default_answer, default_choice
from hiddenhand.games.dominion.default_play.reasons import default_reason

__all__ = ["default_answer", "default_choice", "default_reason"]
