"""A plan in a general model as a decision with its reasons."""

from __future__ import annotations

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.text import Text
from hiddenhand.planning.explain.headline import LEAST_DIFFERENCE, nothing_text, only_text, rough, rounded, worth_text
from hiddenhand.planning.explain.question import amount
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
            Alternative(a, model.actions[a], float(plan.values[a]), Text("as good") if a in plan.ties[1:] else "")
            for a in legal
        ],
        belief=likeliest(model, belief),
        reasons=reasons_of(model, belief, plan, why_not),
        counts={} if plan.depth is None else {"depth": plan.depth},
    )


def reasons_of(model: Pomdp, belief: Floats, plan: Plan, why_not: str | None) -> list[str]:
    """What the plan is worth, how it compares, and what is believed."""
    name = model.actions
    legal = model.legal_actions(belief)
    reasons = [headline(model, belief, plan, legal), worth_of(plan, name[plan.action], model.discount)]
    if plan.bounds is not None:
        reasons.append(Text("The best plan is worth from {a:.6g} to {b:.6g}.", a=plan.bounds[0], b=plan.bounds[1]))
    reasons.append(compared(model, belief, plan, why_not))
    state, chance = likeliest(model, belief)[0]
    return [
        *(reason for reason in reasons if reason),
        Text("The likeliest state is {state}, {chance:.1%}.", state=state, chance=chance),
    ]


def compared(model: Pomdp, belief: Floats, plan: Plan, why_not: str | None) -> str:
    """The planned action compared with the one that is asked about, or else with the next best."""
    name = model.actions
    if why_not is not None:
        asked = model.action_named(why_not)
        model.require_legal(belief, asked)
        if asked == plan.action:
            return Text("{text} is my move.", text=name[asked])
        worth = float(plan.values[asked])
        if asked in plan.ties:
            return Text(
                "Why not {action}? It is worth {value:.6g}, as much as {other}.",
                action=name[asked],
                value=worth,
                other=name[plan.action],
            )
        return Text(
            "Why not {action}? It is worth {value:.6g}, {less:.6g} less.",
            action=name[asked],
            value=worth,
            less=plan.value - worth,
        )
    if plan.tied:
        others = Text.joined(", ", [name[a] for a in plan.ties if a != plan.action])
        return Text("It is a tie: {others} would be just as good; the first in order is chosen.", others=others)
    if plan.runner_up is not None:
        return Text("The next best, {move}, is worth {less:.6g} less.", move=name[plan.runner_up], less=plan.gap)
    return ""


def worth_of(plan: Plan, action: str, discount: float) -> Text:
    """What the plan is worth, and over how many steps."""
    if plan.depth is None:
        return Text(
            "{action} is worth {value:.6g}, played for ever, discount {discount:g}.",
            action=action,
            value=plan.value,
            discount=discount,
        )
    return Text.plural(
        "{action} is worth {value:.6g}, over {n} step, discount {discount:g}.",
        "{action} is worth {value:.6g}, over {n} steps, discount {discount:g}.",
        n=plan.depth,
        action=action,
        value=plan.value,
        discount=discount,
    )


def headline(model: Pomdp, belief: Floats, plan: Plan, legal: list[int]) -> str:
    """One sentence: that the action tells more of the state than the next best, or pays more at once, or is worth
    more; with the number that decides."""
    deed = Text("I choose “{action}”", action=model.actions[plan.action])
    if len(legal) == 1:
        return only_text(deed)
    others = [action for action in legal if action not in plan.ties and np.isfinite(plan.values[action])]
    if not others:
        return nothing_text(deed, amount(plan.value))
    rival = max(others, key=lambda action: (float(plan.values[action]), -action))
    known, elsewhere = (known_after(model, belief, action) for action in (plan.action, rival))
    now = float(belief.max())
    if min(known - now, known - elsewhere) >= LEAST_DIFFERENCE:
        chance, before = rounded(known, now)
        return Text(
            "{deed}, to know more: the likeliest state is then true in {chance} of cases instead of {now}.",
            deed=deed,
            chance=chance,
            now=before,
        )
    paid, other = (float(model.rewards[action] @ belief) for action in (plan.action, rival))
    gap = rough(plan.value - float(plan.values[rival]))
    if paid > max(other, 0.0):
        return Text(
            "{deed}: that pays {paid} at once on average; the next best, {other}, is worth {gap} less.",
            deed=deed,
            paid=rough(paid),
            other=model.actions[rival],
            gap=gap,
        )
    return worth_text(deed, model.actions[rival], gap)


def known_after(model: Pomdp, belief: Floats, action: int) -> float:
    """How likely the state that is held likeliest after the next observation is the true one."""
    reached = belief @ model.transitions[action]
    joint = model.observing[action].multiply(reached[:, None])
    return float(joint.tocsc().max(axis=0).sum())


def likeliest(model: Pomdp, belief: Floats) -> list[tuple[str, float]]:
    """The likeliest states, best first."""
    order = np.argsort(-np.asarray(belief), kind="stable")[:MOST_SHOWN]
    return [(model.states[int(i)], float(belief[i])) for i in order if belief[i] >= LEAST_SHOWN]
