"""The laboratory: matches and tournaments with fair accounts of them, and agents that learn, are tuned or evolve.

Everything random comes from one seed, so that the same plan gives the same result with any number of workers; long
work is kept in a `Store` or a file and goes on where it was interrupted.
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.lab.evolving import evolve
    from hiddenhand.lab.interrupts import Interrupted
    from hiddenhand.lab.match import match
    from hiddenhand.lab.result import MatchResult
    from hiddenhand.lab.standings import TournamentResult
    from hiddenhand.lab.statistics import Summary, summarise
    from hiddenhand.lab.store import Store
    from hiddenhand.lab.tournament import tournament
    from hiddenhand.lab.training import Training, train
    from hiddenhand.lab.tuning import Tuning, tune

__all__ = [
    "Interrupted",
    "MatchResult",
    "Store",
    "Summary",
    "TournamentResult",
    "Training",
    "Tuning",
    "evolve",
    "match",
    "summarise",
    "tournament",
    "train",
    "tune",
]

facade(
    __name__,
    {
        "Interrupted": "hiddenhand.lab.interrupts:Interrupted",
        "MatchResult": "hiddenhand.lab.result:MatchResult",
        "Store": "hiddenhand.lab.store:Store",
        "Summary": "hiddenhand.lab.statistics:Summary",
        "TournamentResult": "hiddenhand.lab.standings:TournamentResult",
        "Training": "hiddenhand.lab.training:Training",
        "Tuning": "hiddenhand.lab.tuning:Tuning",
        "evolve": "hiddenhand.lab.evolving:evolve",
        "match": "hiddenhand.lab.match:match",
        "summarise": "hiddenhand.lab.statistics:summarise",
        "tournament": "hiddenhand.lab.tournament:tournament",
        "train": "hiddenhand.lab.training:train",
        "tune": "hiddenhand.lab.tuning:tune",
    },
)
