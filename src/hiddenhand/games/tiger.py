"""The tiger behind the door: listen, or open one of two doors?

Behind one door waits a tiger (-100), behind the other a treasure (+10). Listening costs 1 and is right 85 times in
100. After a door was opened the tiger is put behind either door by the toss of a coin. An episode has 50 steps.

The problem is that of L. Kaelbling, M. Littman and A. Cassandra, "Planning and acting in partially observable
stochastic domains" (1998); the rules stand in `planning/worlds/tiger.svarog`.
"""

from hiddenhand.core.text import Text
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.play.world_game import world_game

GAME = world_game("tiger", read_world("tiger"), title=Text("The tiger behind the door"), about=__doc__)
