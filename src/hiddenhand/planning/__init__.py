"""Planning when part of the state is hidden: worlds and models, planners, and the reasons for what they advise.

    from hiddenhand.planning import explain_plan, planner, read_world

    tiger = read_world("tiger")                            # a world of ours, or a .svarog file
    belief = tiger.uniform(tiger.visible(["silence"]))     # of somebody who knows only what is visible
    plan = planner("exact", tiger).plan(belief, horizon=4)
    print(tiger.action_text(plan.action), plan.value)
    print("\\n".join(explain_plan(tiger, belief, 4).sentences()))

Everything is loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiddenhand.planning.explain.explanation import Explanation, explain_plan
    from hiddenhand.planning.explain.summary import Summary, summarise
    from hiddenhand.planning.language.checking import check
    from hiddenhand.planning.language.pomdp_reading import read_pomdp
    from hiddenhand.planning.language.pomdp_writing import write_pomdp
    from hiddenhand.planning.model.pomdp import Pomdp
    from hiddenhand.planning.model.tracking import Tracker
    from hiddenhand.planning.model.world import World
    from hiddenhand.planning.model.world_building import read_model, read_world
    from hiddenhand.planning.planners import PLANNERS, planner
    from hiddenhand.planning.planners.exact import ExactPlanner
    from hiddenhand.planning.planners.knowledge import precalculate
    from hiddenhand.planning.planners.lookup import LookupPlanner
    from hiddenhand.planning.planners.lookup_losses import compare_rules
    from hiddenhand.planning.planners.point_based import PointBasedPlanner
    from hiddenhand.planning.planners.protocol import Plan, Planner
    from hiddenhand.planning.planners.reachable import ReachablePlanner

__all__ = [
    "PLANNERS",
    "ExactPlanner",
    "Explanation",
    "LookupPlanner",
    "Plan",
    "Planner",
    "PointBasedPlanner",
    "Pomdp",
    "ReachablePlanner",
    "Summary",
    "Tracker",
    "World",
    "check",
    "compare_rules",
    "explain_plan",
    "planner",
    "precalculate",
    "read_model",
    "read_pomdp",
    "read_world",
    "summarise",
    "write_pomdp",
]

_HOME = {
    "PLANNERS": "planners",
    "ExactPlanner": "planners.exact",
    "Explanation": "explain.explanation",
    "LookupPlanner": "planners.lookup",
    "Plan": "planners.protocol",
    "Planner": "planners.protocol",
    "PointBasedPlanner": "planners.point_based",
    "Pomdp": "model.pomdp",
    "ReachablePlanner": "planners.reachable",
    "Summary": "explain.summary",
    "Tracker": "model.tracking",
    "World": "model.world",
    "check": "language.checking",
    "compare_rules": "planners.lookup_losses",
    "explain_plan": "explain.explanation",
    "planner": "planners",
    "precalculate": "planners.knowledge",
    "read_model": "model.world_building",
    "read_pomdp": "language.pomdp_reading",
    "read_world": "model.world_building",
    "summarise": "explain.summary",
    "write_pomdp": "language.pomdp_writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
