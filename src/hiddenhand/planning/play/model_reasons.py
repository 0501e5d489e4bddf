"""A plan in a general model as a decision with its reasons."""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.planning.model.pomdp import Floats, Pomdp
from hiddenhand.planning.planners.protocol import Plan
from hiddenhand.planning.play.pictures import MOST_SHOWN

LEAST_SHOWN = 0.0005


def told(model: Pomdp, belief: Floats, plan: Plan, why_not: str | None = None) -> Decision:
    """A plan as a decision with its reasons; `why_not` names an action to compare it with."""
    legal = model.legal_actions(belief)
    return Decision(
        plan.action,
        model.actions[plan.action],
        plan.value,
        alternatives=[
            Alternative(a, model.actions[a], float(plan.values[a]), "as good" if a in plan.ties[1:] else "")
            for a in legal
        ],
        belief=likeliest(model, belief),
        reasons=reasons_of(model, belief, plan, why_not),
        counts={} if plan.depth is None else {"depth": plan.depth},
    )


def reasons_of(model: Pomdp, belief: Floats, plan: Plan, why_not: str | None) -> list[str]:
    """What the plan is worth, how it compares, and what is believed."""
    name = model.actions
    ahead = "played for ever" if plan.depth is None else f"over {plan.depth} step{'' if plan.depth == 1 else 's'}"
    reasons = [f"{name[plan.action]} is worth {plan.value:.6g}, {ahead}, discount {model.discount:g}."]
    if plan.bounds is not None:
        reasons.append(f"The best plan is worth from {plan.bounds[0]:.6g} to {plan.bounds[1]:.6g}.")
    if why_not is not None:
        other = model.action_named(why_not)
        model.require_legal(belief, other)
        worth = float(plan.values[other])
        reasons.append(f"Why not {why_not}? It is worth {worth:.6g}, {plan.value - worth:.6g} less.")
    elif plan.tied:
        others = ", ".join(name[a] for a in plan.ties if a != plan.action)
        reasons.append(f"It is a tie: {others} would be just as good; the first in order is chosen.")
    elif plan.runner_up is not None:
        reasons.append(f"The next best, {name[plan.runner_up]}, is worth {plan.gap:.6g} less.")
    state, chance = likeliest(model, belief)[0]
    return [*reasons, f"The likeliest state is {state}, {chance:.1%}."]


def likeliest(model: Pomdp, belief: Any) -> list[tuple[str, float]]:
    """The likeliest states, best first."""
    order = np.argsort(-np.asarray(belief), kind="stable")[:MOST_SHOWN]
    return [(model.states[int(i)], float(belief[i])) for i in order if belief[i] >= LEAST_SHOWN]
