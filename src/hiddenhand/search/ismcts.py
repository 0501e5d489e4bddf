"""Information-set MCTS: UCT when things are hidden.

Two changes to UCT (see `uct`, whose kernel this is). Every simulation first redeals what the searching seat cannot
know, so the games are played in worlds that its knowledge allows. And a node is not a state but what its mover knows:
each player, the opponents too, chooses from its own knowledge and never from the cards that happen to lie on this
table. So no plan can rest on seeing through the cards (the flaw of `pimc`).
"""

from hiddenhand.core.game import Game
from hiddenhand.core.text import Text
from hiddenhand.search.uct import UCT


class ISMCTS(UCT):
    """Monte Carlo tree search over what the players know."""

    name = "ismcts"
    summary = Text("plays games in its head, each in another world that is possible (information-set Monte Carlo)")
    hidden = True

    @classmethod
    def refuses(cls, game: Game) -> str:
        return "" if game.hidden else Text("nothing is hidden in it; use uct")
