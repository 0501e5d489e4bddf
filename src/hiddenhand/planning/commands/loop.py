"""The loop: somebody says what is visible, step by step, and is told what to believe and what to do.

It is assumed that the advice is followed. A line that makes no sense, or that the model calls impossible, is answered
with one clear line; the belief stays what it was and the next line is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hiddenhand.core.errors import UserError
from hiddenhand.planning.commands.advising import Adviser
from hiddenhand.planning.commands.listing import belief_document
from hiddenhand.planning.exact import Advice
from hiddenhand.planning.knowledge.lookup import Found
from hiddenhand.planning.world import World

if TYPE_CHECKING:
    from hiddenhand.planning.commands.running import Console, Document

PROMPT = "svarog> "
LEAST_SHOWN = 0.0005


def advise(world: World, adviser: Adviser, depth: int, console: Console) -> list[Document]:
    """Advise until the input ends; every step, and every line that was refused."""
    console.say(" ".join(axis.name for axis in world.inputs) + "\n")
    steps: list[Document] = []
    belief: NDArray[np.float64] | None = None
    action = -1
    while (line := console.ask(PROMPT)) is not None:
        if not line.strip():
            continue
        try:
            visible = world.visible(line.split())
            following = world.uniform(visible) if belief is None else adviser.planner.after(belief, action, visible)
            advice = adviser.decide(following, depth)
        except UserError as error:
            message = str(error) if belief is None else f"{error}; the belief is kept"
            console.refuse(message)
            steps.append({"input": line.split(), "refused": message})
            continue
        belief, action = following, advice.action
        console.say("".join(f"{text}\n" for text in told(world, following, advice)))
        steps.append(document(world, visible, following, advice))
    return steps


def told(world: World, belief: NDArray[np.float64], advice: Advice | Found) -> list[str]:
    """The belief and the advice in words."""
    lines = ["belief:"]
    lines += [
        f"  {case['probability']:6.1%}  {case['state']}" for case in belief_document(world, belief, LEAST_SHOWN)
    ]
    return [*lines, f"optimal action: {world.action_text(advice.action)}", reason(world, advice)]


def reason(world: World, advice: Advice | Found) -> str:
    """What the advice is worth, and how it compares."""
    if isinstance(advice, Found):
        return f"worth {advice.value:.6g} as precalculated ({advice.rule.replace('_', ' ')})"
    worth = f"worth {advice.value:.6g} over {advice.depth} step{'s' if advice.depth != 1 else ''}"
    equals = [world.action_text(other) for other in advice.ties if other != advice.action]
    if equals:
        return f"{worth}; a tie: {', '.join(equals)} would be as good"
    if advice.runner_up is None:
        return f"{worth}; nothing else is legal"
    return f"{worth}; next best {world.action_text(advice.runner_up)}, {advice.gap:.6g} less"


def document(world: World, visible: int, belief: NDArray[np.float64], advice: Advice | Found) -> Document:
    found: Document = {
        "input": list(world.visible_states[visible]),
        "belief": belief_document(world, belief),
        "action": world.action_text(advice.action),
        "value": float(advice.value),
    }
    if isinstance(advice, Found):
        return {**found, "rule": advice.rule}
    legal = np.flatnonzero(world.legal[visible]).tolist()
    values = {world.action_text(action): float(advice.values[action]) for action in legal}
    return {**found, "values": values, "ties": [world.action_text(action) for action in advice.ties]}
