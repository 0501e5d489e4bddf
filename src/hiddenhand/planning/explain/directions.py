"""Directions in which a belief may change.

Towards certainty of a state; towards certainty that a hidden variable has a value, or has not; and from some states
to another one, all else unchanged. The last kind is where the nearest change lies as long as values are straight:
then probability is best taken from where the rival is weakest and given to where it is strongest. Which states those
are is found by a small step towards each state.

A direction is given by its end, a belief (S,) over the same visible state. On the way there the belief is
(1 - t) * now + t * end; the share of probability that has been moved is t times the total variation between the two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.question import PlanQuestion
from hiddenhand.planning.model.pomdp import Floats

MOST_CERTAINTIES = 64
EVERY_PAIR = 6
"""With so many possible states or fewer, probability is moved from every state to every other one."""
SMALL_STEP = 1e-3
NOTHING = 1e-12


@dataclass(frozen=True, eq=False)
class Direction:
    """Something that may become more likely."""

    towards: str
    holds: Floats
    """(S,) one for the states in which it is true."""
    end: Floats
    """(S,) the belief in which it is certain."""
    length: float
    """The probability that is moved on the whole way."""


def directions(question: PlanQuestion) -> list[Direction]:
    """All directions worth trying; where very much is hidden, only the likeliest states."""
    found: list[Direction] = []
    keys: set[bytes] = set()
    for towards, holds, end in [*conditioned(question), *certainties(question), *transfers(question)]:
        length = 0.5 * float(np.abs(end - question.belief).sum())
        key = np.round(end, 12).tobytes()
        if length > NOTHING and key not in keys:
            keys.add(key)
            found.append(Direction(towards, holds, end, length))
    return found


def conditioned(question: PlanQuestion) -> list[tuple[str, Floats, Floats]]:
    """As if somebody said what one hidden variable is, or is not; the rest stays in proportion."""
    world, belief = question.world, question.belief
    inside = world.states_of(question.visible)
    found: list[tuple[str, Floats, Floats]] = []
    for place, axis in enumerate(world.hidden):
        for value in axis.values:
            holds = np.zeros(len(belief))
            for state in inside:
                holds[state] = world.states[state][1][place] == value
            fails = np.zeros(len(belief))
            fails[inside.start : inside.stop] = 1.0 - holds[inside.start : inside.stop]
            yes, no = float(belief @ holds), float(belief @ fails)
            if min(yes, no) > NOTHING:
                fact = Text(f"{axis.name}=>{value}")
                found.append((fact, holds, belief * holds / yes))
                found.append((Text("not {fact}", fact=fact), fails, belief * fails / no))
    return found


def certainties(question: PlanQuestion) -> list[tuple[str, Floats, Floats]]:
    """Certainty of one state."""
    found: list[tuple[str, Floats, Floats]] = []
    for state in likely_states(question):
        end = np.zeros(len(question.belief))
        end[state] = 1.0
        found.append((question.hidden(state), end, end))
    return found


def likely_states(question: PlanQuestion) -> list[int]:
    """The possible states, if there are not too many; otherwise the likeliest, in order."""
    inside = np.array(question.world.states_of(question.visible))
    likely = inside[np.argsort(-question.belief[inside], kind="stable")][:MOST_CERTAINTIES]
    return [int(state) for state in np.sort(likely)]


def transfers(question: PlanQuestion) -> list[tuple[str, Floats, Floats]]:
    """From some states to another one."""
    states = likely_states(question)
    givers = [state for state in states if question.belief[state] > 0.0]
    if len(states) < 3:
        return []  # towards certainty says it all
    if len(states) <= EVERY_PAIR:
        return [transfer(question, [giver], taker) for taker in states for giver in givers if giver != taker]
    found = []
    for favour in favours(question, states):
        taker = max(states, key=lambda state: favour[state])
        order = sorted((g for g in givers if favour[g] < favour[taker]), key=lambda state: favour[state])
        count = 1
        while order:  # the weakest, the two weakest, the four weakest, ...
            found.append(transfer(question, order[:count], taker))
            if count >= len(order):
                break
            count *= 2
    return found


def favours(question: PlanQuestion, states: list[int]) -> list[dict[int, float]]:
    """For every rival of the advised action: how much a small step towards each state favours it."""
    steps = np.repeat((1.0 - SMALL_STEP) * question.belief[None, :], len(states), axis=0)
    steps[np.arange(len(states)), states] += SMALL_STEP
    values = np.array([advice.values for advice in question.planner.plan_all(steps, question.depth)])
    mine = question.advice.action
    return [
        dict(zip(states, (values[:, rival] - values[:, mine]).tolist())) for rival in question.legal if rival != mine
    ]


def transfer(question: PlanQuestion, givers: list[int], taker: int) -> tuple[str, Floats, Floats]:
    end = question.belief.copy()
    end[taker] += end[givers].sum()
    end[givers] = 0.0
    holds = np.zeros(len(end))
    holds[taker] = 1.0
    cost = question.hidden(givers[0]) if len(givers) == 1 else Text("{n} other states", n=len(givers))
    return Text("{state} (at the cost of {cost})", state=question.hidden(taker), cost=cost), holds, end
