"""The settings of `pimc`, and where compiled code finds them."""

from hiddenhand.core.settings import Setting
from hiddenhand.games.snaps.beliefs.drawing import KINDS

WORLDS, BELIEF, DOUBT, PARTICLES, NOISE = range(5)
MODEL = PARTICLES  # the model of the others: particles, noise, then what was counted
SETTINGS = {
    "worlds": Setting(100, "deals to imagine", low=1, high=100_000),
    "belief": Setting("exact", "what the imagined deals agree with", choices=KINDS),
    "doubt": Setting(1.0, "standard errors by which a move must beat what the rules would play", low=0.0, high=10.0),
    "particles": Setting(1000, "deals that are weighed, where the others' play counts", low=10, high=100_000),
    "noise": Setting(0.1, "share of moves that the model of the others does not foresee", low=0.0, high=1.0),
}
