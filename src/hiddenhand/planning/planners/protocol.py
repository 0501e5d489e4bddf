"""What every planner is: asked with a belief and the steps that are left, it answers with a plan's first action.

    planner = ExactPlanner(world)                      # or any other, see `planners.PLANNERS`
    plan = planner.plan(belief, horizon=4)
    plan.action, plan.value, plan.values, plan.ties

A belief is an array (S,) over the model's states (for a `World`: its possible states, as `World.uniform` gives it).
Actions are numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hiddenhand.core import html
from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.pomdp import Floats, Pomdp

TIE = 1e-9
"""Values that differ by less, relative to their size (at least 1), are equal."""
MOST_DEPTH = 100_000


@dataclass(frozen=True, repr=False)
class Plan:
    """What to do with one belief, and what every action is worth, as far as the planner knows."""

    action: int
    value: float
    """What the action is worth; where there are bounds, at least."""
    depth: int | None
    """How many steps ahead was planned; None: for ever."""
    values: Floats
    """(A,) what every action is worth, -inf where it is illegal or the planner cannot tell."""
    ties: tuple[int, ...]
    """All actions that are as good as the best, in order; the advised one is the first. One entry: no tie."""
    bounds: tuple[float, float] | None = None
    """What the belief is worth, from below and from above, for a planner that does not know exactly."""
    looked_up_by: str = ""
    """The rule by which the plan was looked up; empty if it was computed."""

    def __repr__(self) -> str:
        ahead = "for ever" if self.depth is None else f"{self.depth} steps ahead"
        return f"<Plan: action {self.action}, value {self.value:+.4g}, {ahead}>"

    def _repr_html_(self) -> str:
        rows = [(str(action), f"{value:+.4g}") for action, value in enumerate(self.values) if np.isfinite(value)]
        return html.fragment(repr(self)[1:-1], html.table(("action", "value"), rows))

    @property
    def tied(self) -> bool:
        return len(self.ties) > 1

    @property
    def runner_up(self) -> int | None:
        """The best of the other legal actions, or None if there is no other."""
        others = np.where(np.arange(len(self.values)) == self.action, -np.inf, self.values)
        best = int(np.argmax(others))
        return best if np.isfinite(others[best]) else None

    @property
    def gap(self) -> float:
        """By how much the runner-up is worse; infinite if there is no other action."""
        other = self.runner_up
        return np.inf if other is None else self.value - float(self.values[other])


class Planner(Protocol):
    """A planner: it gives a plan for a belief and a horizon."""

    @property
    def model(self) -> Pomdp:
        """What is planned in."""

    def plan(self, belief: ArrayLike, horizon: int) -> Plan:
        """The plan for a belief (S,) with `horizon` steps to go.

        A UserError if no action is legal. A planner for endless play takes no notice of the horizon.
        """


def plan_by_values(values: Floats, depth: int | None) -> Plan:
    """The first of the best actions, by their values (A,)."""
    ties = best_actions(values)
    return Plan(ties[0], float(values[ties[0]]), depth, values, ties)


def best_actions(values: Floats) -> tuple[int, ...]:
    """The actions whose values are equal to the largest, in order."""
    return tuple(int(action) for action in np.flatnonzero(among_best(values)))


def among_best(values: Floats) -> NDArray[np.bool_]:
    """Whether each value (..., A) is equal to the largest of its row."""
    best = values.max(axis=-1, keepdims=True)
    found: NDArray[np.bool_] = np.isfinite(values) & (values >= best - TIE * np.maximum(1.0, np.abs(best)))
    return found


def checked_depth(depth: int) -> int:
    if not 0 <= depth <= MOST_DEPTH:
        raise UserError(
            "the depth of planning must be a whole number from 0 to {most}, not {depth}", most=MOST_DEPTH, depth=depth
        )
    return depth
