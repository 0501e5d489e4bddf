"""The loop as the original prints it, with `--compat svarog`. Where that one stops, this one says why and goes on."""

from __future__ import annotations

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.protocol import Planner
from hiddenhand.planning.play.advising import PROMPT, Console, Document, document
from hiddenhand.planning.play.original_listing import named, six


def loop_as_original(
    world: World, console: Console, adviser: Planner, exact: ExactPlanner, depth: int
) -> list[Document]:
    """Advise until the input ends. Values that are too many on a line are passed over, as in the original."""
    names = "".join(f"{axis.name} " for axis in world.inputs)
    console.say(f"loop with depth {depth}\nI expect the values of the variables: {names}\n")
    steps: list[Document] = []
    belief: Floats | None = None
    action = -1
    while (line := console.ask(PROMPT)) is not None:
        words = line.split()[: len(world.inputs)]
        if not words:
            continue
        try:
            visible = world.visible(words)
            following = world.uniform(visible) if belief is None else exact.after(belief, action, visible)
            plan = adviser.plan(following, depth)
        except UserError as error:
            message = str(error) if belief is None else f"{error}; the belief is kept"
            console.refuse(message)
            steps.append({"input": words, "refused": message})
            continue
        belief, action = following, plan.action
        console.say(f"{believed(world, belief)}optimal action:\n{named(world.outputs, world.actions[action])}\n")
        steps.append(document(world, visible, belief, plan))
    console.say("eof\n")
    return steps


def believed(world: World, belief: Floats) -> str:
    cases = "".join(
        f"case {named(world.hidden, world.states[state][1])}:{six(float(belief[state]))};\n"
        for state in np.flatnonzero(belief > 0.0).tolist()
    )
    return f"{{\n{cases}}}\n"
