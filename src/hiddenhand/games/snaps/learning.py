"""The learners of snaps, by name: `hiddenhand train snaps self_taught`."""

from hiddenhand.games.snaps.beliefs.gathering import Statistics
from hiddenhand.games.snaps.networks.imitation import Imitation
from hiddenhand.games.snaps.networks.self_play import SelfTaught

LEARNERS = {learner.name: learner for learner in (SelfTaught, Imitation, Statistics)}
