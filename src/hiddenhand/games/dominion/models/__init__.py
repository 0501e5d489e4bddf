"""Models of strategies whose parameters are evolved, and the agents that play by them.

After Peter Fulla, "Automatický hráč hry Dominion" (An automatic player of Dominion; bachelor's thesis, Comenius
University Bratislava, 2012); the numbers of sections in this package are his. `menu_model` is our own.
"""

from hiddenhand.games.dominion.models import evolvable
from hiddenhand.games.dominion.models.agents import genome, published, published_size
from hiddenhand.games.dominion.models.menu_model import MENU_MODEL

MODELS = {**evolvable.MODELS, "menu": MENU_MODEL}

__all__ = ["MODELS", "genome", "published", "published_size"]
