"""The laboratory: matches and tournaments with fair accounts of them, and agents that learn, are tuned or evolve.

Everything random comes from one seed, so that the same plan gives the same result with any number of workers; long
work is kept in a `Store` and goes on where it was interrupted (see `runner`). A kind of work of your own is a plan
and a function with the decorator `work` (see `work_kinds`).
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.lab.evolution import evolve
    from hiddenhand.lab.match import match
    from hiddenhand.lab.match_result import MatchResult
    from hiddenhand.lab.parts import gather, in_parallel
    from hiddenhand.lab.plans import GamePlan, PageField, PlanParameter, WorkPlan
    from hiddenhand.lab.runner import Interrupted, Running
    from hiddenhand.lab.statistics import Summary, summarise
    from hiddenhand.lab.store import Store
    from hiddenhand.lab.tournament import tournament
    from hiddenhand.lab.tournament_result import TournamentResult
    from hiddenhand.lab.training import TrainingResult, train
    from hiddenhand.lab.tuning import TuningResult, tune
    from hiddenhand.lab.work_kinds import PageSupport, work

__all__ = [
    "GamePlan",
    "Interrupted",
    "MatchResult",
    "PageField",
    "PageSupport",
    "PlanParameter",
    "Running",
    "Store",
    "Summary",
    "TournamentResult",
    "TrainingResult",
    "TuningResult",
    "WorkPlan",
    "evolve",
    "gather",
    "in_parallel",
    "match",
    "summarise",
    "tournament",
    "train",
    "tune",
    "work",
]

facade(
    __name__,
    {
        "work": "hiddenhand.lab.work_kinds:work",
        "in_parallel": "hiddenhand.lab.parts:in_parallel",
        "gather": "hiddenhand.lab.parts:gather",
        "Running": "hiddenhand.lab.runner:Running",
        "PageSupport": "hiddenhand.lab.work_kinds:PageSupport",
        "WorkPlan": "hiddenhand.lab.plans:WorkPlan",
        "PlanParameter": "hiddenhand.lab.plans:PlanParameter",
        "PageField": "hiddenhand.lab.plans:PageField",
        "GamePlan": "hiddenhand.lab.plans:GamePlan",
        "Interrupted": "hiddenhand.lab.runner:Interrupted",
        "MatchResult": "hiddenhand.lab.match_result:MatchResult",
        "Store": "hiddenhand.lab.store:Store",
        "Summary": "hiddenhand.lab.statistics:Summary",
        "TournamentResult": "hiddenhand.lab.tournament_result:TournamentResult",
        "TrainingResult": "hiddenhand.lab.training:TrainingResult",
        "TuningResult": "hiddenhand.lab.tuning:TuningResult",
        "evolve": "hiddenhand.lab.evolution:evolve",
        "match": "hiddenhand.lab.match:match",
        "summarise": "hiddenhand.lab.statistics:summarise",
        "tournament": "hiddenhand.lab.tournament:tournament",
        "train": "hiddenhand.lab.training:train",
        "tune": "hiddenhand.lab.tuning:tune",
    },
)
