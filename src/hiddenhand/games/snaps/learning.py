"""The learners of snaps, by name: `hiddenhand train snaps statistics`."""

from hiddenhand.games.snaps.beliefs.gathering import Statistics

LEARNERS = {learner.name: learner for learner in (Statistics,)}
