"""Planning when part of the state is hidden: worlds and models, planners, and the reasons for what they advise.

    from hiddenhand.planning import explain_plan, planner, read_world

    tiger = read_world("tiger")                            # a world of ours, or a .svarog file
    belief = tiger.uniform(tiger.visible(["silence"]))     # of somebody who knows only what is visible
    plan = planner("exact", tiger).plan(belief, horizon=4)
    print(tiger.action_text(plan.action), plan.value)
    print("\\n".join(explain_plan(tiger, belief, 4).sentences()))

Everything is loaded on first use.
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.planning.explain.explanation import Explanation, explain_plan
    from hiddenhand.planning.explain.summary import PolicySummary, summarise
    from hiddenhand.planning.language.checking import check
    from hiddenhand.planning.language.pomdp_reading import read_pomdp
    from hiddenhand.planning.language.pomdp_writing import write_pomdp
    from hiddenhand.planning.model.pomdp import Pomdp
    from hiddenhand.planning.model.world import Tracker, World
    from hiddenhand.planning.model.world_building import read_model, read_world
    from hiddenhand.planning.planners import PLANNERS, planner
    from hiddenhand.planning.planners.exact import ExactPlanner
    from hiddenhand.planning.planners.knowledge import precalculate
    from hiddenhand.planning.planners.lookup import LookupPlanner
    from hiddenhand.planning.planners.lookup_losses import compare_rules
    from hiddenhand.planning.planners.point_based import PointBasedPlanner
    from hiddenhand.planning.planners.protocol import Plan, Planner
    from hiddenhand.planning.planners.reachable import ReachablePlanner
    from hiddenhand.planning.play import game_from_file

__all__ = [
    "PLANNERS",
    "ExactPlanner",
    "Explanation",
    "LookupPlanner",
    "Plan",
    "Planner",
    "PointBasedPlanner",
    "PolicySummary",
    "Pomdp",
    "ReachablePlanner",
    "Tracker",
    "World",
    "check",
    "compare_rules",
    "explain_plan",
    "game_from_file",
    "planner",
    "precalculate",
    "read_model",
    "read_pomdp",
    "read_world",
    "summarise",
    "write_pomdp",
]

facade(__name__, former={"Summary": "PolicySummary"})
