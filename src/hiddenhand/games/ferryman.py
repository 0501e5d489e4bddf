"""The ferryman in the fog: which channel holds the sandbank, and does anybody wait across the river?

He can take soundings, call into the fog, or cross by one of two channels and hope. A traveller on board pays at the
other bank; running aground costs dear. In the night the sand may shift. An episode has 50 steps.

The world is our own; its rules stand in `planning/worlds/ferryman.svarog`.
"""

from hiddenhand.core.text import Text
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.play.world_game import world_game

GAME = world_game("ferryman", read_world("ferryman"), title=Text("The ferryman in the fog"), about=__doc__)
