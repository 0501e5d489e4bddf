"""The names of all kinds of work, what they are, and where they are defined.

Nothing is loaded here: a command line that lists them is quick. An installed package adds kinds of its own by entry
points of the group `hiddenhand.work`: `census = "my_package.census:census"`.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import NamedTuple

GROUP = "hiddenhand.work"


class WorkName(NamedTuple):
    """A kind of work before it is loaded."""

    place: str
    """`module:name`, where it is defined by the decorator `work`."""
    summary: str


KINDS = {
    "match": WorkName("hiddenhand.lab.match:match", "Play many games between agents, one per seat."),
    "tournament": WorkName(
        "hiddenhand.lab.tournament:tournament", "Let every agent meet every other: cross table and ratings."
    ),
    "train": WorkName(
        "hiddenhand.lab.training:train",
        "Let an agent learn a game, by playing it with itself, by watching a teacher, or from saved games.",
    ),
    "tune": WorkName(
        "hiddenhand.lab.tuning:tune",
        "Tune the parameters of an agent by Bayesian optimisation, in self-play on common deals.",
    ),
    "evolve": WorkName(
        "hiddenhand.lab.evolution:evolve",
        "Let strategies evolve: mutants of the best play against an opponent, generation after generation.",
    ),
    "solve": WorkName(
        "hiddenhand.lab.solving:solve",
        "Find an equilibrium of a game of two with hidden information, and say how far from it the strategy is.",
    ),
    "exploitability": WorkName(
        "hiddenhand.lab.solving:exploitability",
        "How much a perfect opponent wins from an agent: exact best responses on the whole game.",
    ),
    "precalculate": WorkName(
        "hiddenhand.lab.precalculating:precalculate",
        "Precalculate the best action for a grid of beliefs in every visible state, and write it to a file.",
    ),
    "endgames": WorkName(
        "hiddenhand.lab.endgames:endgames",
        "Find the value of every position with few pieces, backwards from the end of the game.",
    ),
    "reproduce": WorkName(
        "hiddenhand.studies:reproduce",
        "Play a published table anew: ours beside theirs, the figures as pictures, and one HTML page.",
    ),
}


@cache
def work_names() -> dict[str, WorkName]:
    """All kinds of work by name, those of installed packages too."""
    installed = {
        point.name: WorkName(point.value, f"Work of the package {point.dist.name if point.dist else point.module}.")
        for point in entry_points(group=GROUP)
    }
    return {**KINDS, **{name: found for name, found in installed.items() if name not in KINDS}}
