"""Why not another action? Where the difference in value arises, by what would be seen next.

    Q(b, a, n) = sum over observations o of P(o | b, a) * (payoff(o) + discount * V(b after a and o, n - 1))

so every observation has a share of an action's value, and the shares of the two actions, one taken from the other,
add up to the difference exactly.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import PlanQuestion, amount, percent
from hiddenhand.planning.planners.protocol import TIE

MOST_SHOWN = 4


@dataclass(frozen=True)
class Share:
    """One thing that may be seen after an action, and what it contributes to the action's value."""

    seen: str
    visible: dict[str, str]
    probability: float
    payoff: float
    later: float
    """What the best plan is worth from there, discounted once."""
    contribution: float
    """probability * (payoff + later)"""


@dataclass(frozen=True)
class Difference:
    """What one observation contributes to the advised action, and to the other one."""

    seen: str
    advised: float
    other: float

    @property
    def difference(self) -> float:
        return self.advised - self.other


@dataclass(frozen=True)
class Contrast:
    """Two actions compared."""

    action: str
    value: float
    other: str
    other_value: float
    shares: list[Share]
    other_shares: list[Share]
    by_observation: list[Difference]
    """All that may be seen after either action, the largest difference first."""

    @property
    def gap(self) -> float:
        return self.value - self.other_value

    @property
    def tied(self) -> bool:
        return abs(self.gap) <= TIE * max(1.0, abs(self.value))

    def sentences(self) -> list[str]:
        action, other = Text(self.action), Text(self.other)
        first = self.compared(action, other)
        if self.tied and alike(self.shares, self.other_shares):
            return [first]  # the same futures under other names: to tell them twice says nothing
        lines: list[str] = [
            first,
            Text(
                "At once {action} pays {a} on average and {other} {b}; later it is {c} against {d}.",
                action=action,
                a=amount(at_once(self.shares)),
                other=other,
                b=amount(at_once(self.other_shares)),
                c=amount(afterwards(self.shares)),
                d=amount(afterwards(self.other_shares)),
            ),
        ]
        for name, shares in ((action, self.shares), (other, self.other_shares)):
            parts = [*(share_text(share) for share in likeliest(shares)), *the_rest(shares)]
            lines.append(Text("After {action}: {parts}.", action=name, parts=Text.joined("; ", parts)))
        return lines

    def compared(self, action: Text, other: Text) -> Text:
        """The value of the other action, compared with that of the advised one."""
        if self.tied:
            return Text(
                "Why not {other}? It is worth {value}, as much as {action}.",
                other=other,
                value=amount(self.other_value),
                action=action,
            )
        return Text(
            "Why not {other}? It is worth {value}, {gap} less than {action} ({advised})."
            if self.gap > 0.0
            else "Why not {other}? It is worth {value}, {gap} more than {action} ({advised}).",
            other=other,
            value=amount(self.other_value),
            gap=amount(abs(self.gap)),
            action=action,
            advised=amount(self.value),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "value": self.value,
            "other": self.other,
            "other_value": self.other_value,
            "gap": self.gap,
            "tied": self.tied,
            "at_once": {"action": at_once(self.shares), "other": at_once(self.other_shares)},
            "later": {"action": afterwards(self.shares), "other": afterwards(self.other_shares)},
            "after_action": [asdict(s) for s in self.shares],
            "after_other": [asdict(s) for s in self.other_shares],
            "by_observation": [{**asdict(d), "difference": d.difference} for d in self.by_observation],
        }


def contrast(question: PlanQuestion, action: int, other: int) -> Contrast:
    """Two legal actions compared."""
    mine, theirs = shares_of(question, action), shares_of(question, other)
    both = {share.seen: [0.0, 0.0] for share in (*mine, *theirs)}
    for place, shares in enumerate((mine, theirs)):
        for share in shares:
            both[share.seen][place] += share.contribution
    differences = [Difference(seen, advised, by_other) for seen, (advised, by_other) in both.items()]
    values = question.advice.values
    return Contrast(
        action=question.action_name(action),
        value=float(values[action]),
        other=question.action_name(other),
        other_value=float(values[other]),
        shares=mine,
        other_shares=theirs,
        by_observation=sorted(differences, key=lambda d: -abs(d.difference)),
    )


def shares_of(question: PlanQuestion, action: int) -> list[Share]:
    """What each observation contributes to the value of a legal action, the likeliest first."""
    world, planner = question.world, question.planner
    shares = []
    for future in planner.futures(question.belief, action):
        payoff = float(world.payoffs[future.observation])
        later = planner.model.discount * planner.value(future.belief, question.depth - 1)
        shares.append(
            Share(
                seen=question.seen(future.observation),
                visible=world.visible_values(future.observation),
                probability=future.probability,
                payoff=payoff,
                later=later,
                contribution=future.probability * (payoff + later),
            )
        )
    return sorted(shares, key=lambda share: -share.probability)


def alike(shares: list[Share], others: list[Share]) -> bool:
    """Whether both have the same chances of the same payoffs, now and later."""
    mine, theirs = (sorted((s.probability, s.payoff, s.later) for s in each) for each in (shares, others))
    return len(mine) == len(theirs) and bool(np.allclose(mine, theirs))


def at_once(shares: list[Share]) -> float:
    """The expected payoff of the next step."""
    return sum(share.probability * share.payoff for share in shares)


def afterwards(shares: list[Share]) -> float:
    """The expected worth of all steps after the next."""
    return sum(share.probability * share.later for share in shares)


def likeliest(shares: list[Share]) -> list[Share]:
    return shares[:MOST_SHOWN]


def the_rest(shares: list[Share]) -> list[Text]:
    """How many more there are, and how likely they are together."""
    left = shares[MOST_SHOWN:]
    chance = percent(sum(share.probability for share in left))
    return [Text("and {n} more ({chance} together)", n=len(left), chance=chance)] if left else []


def share_text(share: Share) -> Text:
    return Text(
        "{chance} {seen}, {payoff:+g} and {later} later",
        chance=percent(share.probability),
        seen=share.seen,
        payoff=share.payoff,
        later=amount(share.later),
    )
