"""The laboratory: matches and tournaments with fair accounts of them, and agents that learn, are tuned or evolve.

Everything random comes from one seed, so that the same plan gives the same result with any number of workers; long
work is kept in a `Store` and goes on where it was interrupted (see `runner`).
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.lab.evolution import evolve
    from hiddenhand.lab.match import match
    from hiddenhand.lab.match_result import MatchResult
    from hiddenhand.lab.runner import Interrupted
    from hiddenhand.lab.statistics import Summary, summarise
    from hiddenhand.lab.store import Store
    from hiddenhand.lab.tournament import tournament
    from hiddenhand.lab.tournament_result import TournamentResult
    from hiddenhand.lab.training import TrainingResult, train
    from hiddenhand.lab.tuning import TuningResult, tune

__all__ = [
    "Interrupted",
    "MatchResult",
    "Store",
    "Summary",
    "TournamentResult",
    "TrainingResult",
    "TuningResult",
    "evolve",
    "match",
    "summarise",
    "tournament",
    "train",
    "tune",
]

facade(__name__)
