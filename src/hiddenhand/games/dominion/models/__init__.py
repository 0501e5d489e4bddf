"""Models of strategies whose parameters are evolved, and the agents that play by them.

After Peter Fulla, "Automatický hráč hry Dominion" (An automatic player of Dominion; bachelor's thesis, Comenius
University Bratislava, 2012); the numbers of sections in this package are his.
"""

from hiddenhand.games.dominion.models.agents import genome, thesis, thesis_size
from hiddenhand.games.dominion.models.evolvable import MODELS

__all__ = ["MODELS", "genome", "thesis", "thesis_size"]
