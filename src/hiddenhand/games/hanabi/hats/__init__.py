"""The agent `hat`: hat guessing, the information strategy of Hanabi.

After Cox, De Silva, Deorsey, Kenter, Retter and Tobin, "How to make the perfect fireworks display: two strategies for
Hanabi" (2015). One hint tells every other player something, because it says a number and not what it seems to say.
It is meant for three to five players who all keep to the agreement; with two it plays, but a hint has one hearer.

    board.py      what is publicly known of each card
    numbers.py    which number a hint or a discard says
    questions.py  what the number tells each player
    agent.py      what to do with all this
    reasons.py    in words
"""

from hiddenhand.games.hanabi.hats import reasons  # noqa: F401  (it adds the words to the agent)
from hiddenhand.games.hanabi.hats.agent import hat

__all__ = ["hat"]
