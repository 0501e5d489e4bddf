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
    from hiddenhand.lab.run_comparison import RunComparison, compare_runs
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
    "RunComparison",
    "Running",
    "Store",
    "Summary",
    "TournamentResult",
    "TrainingResult",
    "TuningResult",
    "WorkPlan",
    "compare_runs",
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

facade(__name__)
