"""Planners, all of one protocol: exact, over the reachable beliefs, by bounds at points, and by looking up."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hiddenhand.core.errors import UserError, did_you_mean, one_of

if TYPE_CHECKING:
    from hiddenhand.planning.model.pomdp import Pomdp
    from hiddenhand.planning.model.world import World
    from hiddenhand.planning.planners.protocol import Planner

PLANNERS = {
    "exact": "ExactPlanner",
    "reachable": "ReachablePlanner",
    "point_based": "PointBasedPlanner",
    "lookup": "LookupPlanner",
}
"""The class of each planner, in the module of its name."""


def planner(name: str, model: Pomdp | World, **settings: Any) -> Planner:
    """The planner of that name for a model, with settings of its own."""
    if name not in PLANNERS:
        names = list(PLANNERS)
        raise UserError(
            "there is no planner {name}{hint}; planners: {list}",
            name=repr(name),
            hint=did_you_mean(name, names),
            list=one_of(names),
        )
    found: Planner = getattr(import_module(f"{__name__}.{name}"), PLANNERS[name])(model, **settings)
    return found
