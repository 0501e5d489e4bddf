"""The commands of a specification, executed in their order, the person's `loop` among them.

What a command says goes to a `Console`, and what came of it is returned as plain data. The commands are those of
Svarog 0.0.9; where that program stops with a crash, these go on or end with one clear line.

In a `loop` somebody says what is visible, step by step, and is told what to believe and what to do; it is assumed
that the advice is followed. A line that makes no sense, or that the model calls impossible, is answered with one
clear line; the belief stays what it was and the next line is tried. The advice is looked up where knowledge was
precalculated deep enough, and reckoned where not: as in the original, the first section of at least the wanted depth
that has the visible state counts. The rule of the look-up is the document's, or its program's (`svarog`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.planning.language import syntax
from hiddenhand.planning.language.printing import number
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import limit, precalculate
from hiddenhand.planning.planners.knowledge_files import from_tree, section_text
from hiddenhand.planning.planners.lookup import LookupPlanner
from hiddenhand.planning.planners.protocol import Plan, Planner
from hiddenhand.planning.play import listing
from hiddenhand.planning.play.listing import belief_document

PROMPT = "svarog> "
LEAST_SHOWN = 0.0005
BELIEF_TOLERANCE = 0.01

Document = dict[str, Any]


class Console(Protocol):
    """Whoever runs the commands: a person at a terminal, or a script."""

    def ask(self, prompt: str) -> str | None:
        """One line of input, None when there is no more."""

    def say(self, text: str) -> None:
        """Print some text, which carries its own line ends."""

    def refuse(self, message: str) -> None:
        """Say what was wrong with a line of input."""


class Run:
    """One specification whose commands are executed."""

    def __init__(self, world: World, console: Console, compat: str = "document") -> None:
        self.world = world
        self.compat = compat
        self.console = console
        self.visible: int | None = None
        self.belief: Floats | None = None
        self.action: int | None = None
        self.result: float | None = None

    def commands(self) -> list[Document]:
        """Execute all commands; what each of them found."""
        return [self.execute(command) for command in self.world.specification.commands]

    def execute(self, command: syntax.Command) -> Document:
        if isinstance(command, syntax.Loop):
            return {"command": "loop", "depth": command.depth, "steps": self.loop(command.depth)}
        if isinstance(command, syntax.Test):
            return {"command": "test", **self.test(command.query)}
        if isinstance(command, syntax.Cout):
            text = "".join(self.shown(part) for part in command.shown)
            self.console.say(text)
            return {"command": "cout", "text": text}
        if isinstance(command, syntax.Solve):
            return {"command": "solve", "depth": command.depth, "result": self.solve(command.depth)}
        return self.given(command)

    @cached_property
    def exact(self) -> ExactPlanner:
        return ExactPlanner(self.world)

    @cached_property
    def adviser(self) -> Planner:
        """Looks up what was precalculated in the world's own file, and plans exactly where nothing was."""
        sections = [from_tree(self.world, section) for section in self.world.specification.precalculated]
        return LookupPlanner(self.world, sections, self.compat, otherwise=self.exact)

    # --- loop and test ---

    def loop(self, depth: int) -> list[Document]:
        """Advise until the input ends; every step, and every line that was refused."""
        world, exact = self.world, self.exact
        self.console.say(" ".join(axis.name for axis in world.inputs) + "\n")
        steps: list[Document] = []
        belief: Floats | None = None
        action = -1
        while (line := self.console.ask(PROMPT)) is not None:
            if not line.strip():
                continue
            try:
                visible = world.visible(line.split())
                following = world.uniform(visible) if belief is None else exact.after(belief, action, visible)
                plan = self.adviser.plan(following, depth)
            except UserError as error:
                message = str(error) if belief is None else f"{error}; the belief is kept"
                self.console.refuse(message)
                steps.append({"input": line.split(), "refused": message})
                continue
            belief, action = following, plan.action
            self.console.say("".join(f"{text}\n" for text in told(world, following, plan)))
            steps.append(document(world, visible, following, plan))
        return steps

    def test(self, query: syntax.Query | None) -> Document:
        """Rows of probabilities that do not sum to one, of all states or of one; with one, all its rows."""
        if query is None:
            wrong = listing.wrong_rows(self.world)
            self.console.say("".join(f"{line}\n" for line in listing.told_rows(self.world, wrong)))
            return {"wrong": [{"state": state, "action": action, "sum": total} for state, action, total in wrong]}
        named = query.as_dict()
        visible = self.world.visible({axis.name: named[axis.name] for axis in self.world.inputs})
        state = self.world.state(visible, {axis.name: named[axis.name] for axis in self.world.hidden})
        lines = listing.rows_of(self.world, state)
        self.console.say("".join(f"{line}\n" for line in lines))
        return {"state": self.world.state_text(state), "rows": lines}

    # --- cout ---

    def shown(self, part: syntax.Shown) -> str:
        """The text of one thing that is printed."""
        plain: dict[str, Callable[[], str]] = {
            "eol": lambda: "\n",
            "knowledge": lambda: listing.knowledge(self.world),
            "visible states": lambda: listing.visible_states(self.world),
            "states": lambda: listing.states(self.world),
            "perkun": lambda: listing.perkun(self.world),
            "result": self.written_result,
        }
        if part.what in plain:
            return plain[part.what]()
        if part.what == "estimate":
            return listing.estimate(self.world, part.depth, part.granularity, limit(self.compat))
        visible = None if part.query is None else [self.world.visible(part.query.as_dict())]
        found = precalculate(self.world, part.depth, part.granularity, self.compat, visible)
        return section_text(self.world, found)

    def written_result(self) -> str:
        if self.result is None:
            raise UserError(f"{self.world.specification.file}: there is no result before a solve(...)")
        return f"result {number(self.result, 6):>10}"

    # --- one question: input, belief, action, solve ---

    def given(self, command: syntax.GivenInput | syntax.GivenBelief | syntax.GivenAction) -> Document:
        if isinstance(command, syntax.GivenInput):
            self.visible = self.world.visible(command.query.as_dict())
            self.world.uniform(self.visible)  # refuses an impossible one
            self.belief = None
            return {"command": "input", "visible": self.world.visible_text(self.visible)}
        if isinstance(command, syntax.GivenBelief):
            self.belief = self.read_belief(command)
            return {"command": "belief", "belief": listing.belief_document(self.world, self.belief)}
        self.action = self.world.action(command.query.as_dict())
        return {"command": "action", "action": self.world.action_text(self.action)}

    def read_belief(self, command: syntax.GivenBelief) -> Floats:
        """(S,) the belief that the command gives."""
        visible = self.asked_for("belief")
        belief = np.zeros(len(self.world.states))
        hidden = [axis.name for axis in self.world.hidden]
        for case in command.cases:
            named = {name: value for name, value in case.query.as_dict().items() if name in hidden}
            belief[self.world.state(visible, named)] += case.probability
        total = float(belief.sum())
        if abs(total - 1.0) > BELIEF_TOLERANCE:
            place = f"{self.world.specification.file}:{command.place.line}:{command.place.column}"
            raise UserError(f"{place}: the probabilities of this belief sum to {total:.6g}, not to 1")
        return belief / total

    def asked_for(self, what: str) -> int:
        """The visible state that was given."""
        if self.visible is None:
            raise UserError(f"{self.world.specification.file}: {what} needs an input {{...}}; before it")
        return self.visible

    def solve(self, depth: int) -> float:
        """What the given action is worth; without one, the best."""
        visible = self.asked_for("solve")
        belief = self.world.uniform(visible) if self.belief is None else self.belief
        if self.action is None:
            self.result = float(self.exact.plan(belief, depth).value)
        else:
            if not self.world.legal[visible, self.action]:
                legal = [self.world.action_text(int(a)) for a in np.flatnonzero(self.world.legal[visible])]
                name = self.world.action_text(self.action)
                raise UserError(f"the action {name} is illegal in {self.world.visible_text(visible)}; "
                                f"legal: {one_of(legal)}")  # fmt: skip
            self.result = float(self.exact.values(belief, depth)[self.action])
        return self.result


def told(world: World, belief: Floats, plan: Plan) -> list[str]:
    """The belief and the plan in words."""
    lines = ["belief:"]
    lines += [
        f"  {case['probability']:6.1%}  {case['state']}" for case in belief_document(world, belief, LEAST_SHOWN)
    ]
    return [*lines, f"optimal action: {world.action_text(plan.action)}", reason(world, plan)]


def reason(world: World, plan: Plan) -> str:
    """What the plan is worth, and how it compares."""
    if plan.looked_up_by:
        return f"worth {plan.value:.6g} as precalculated ({plan.looked_up_by.replace('_', ' ')})"
    worth = f"worth {plan.value:.6g} over {plan.depth} step{'s' if plan.depth != 1 else ''}"
    equals = [world.action_text(other) for other in plan.ties if other != plan.action]
    if equals:
        return f"{worth}; a tie: {', '.join(equals)} would be as good"
    if plan.runner_up is None:
        return f"{worth}; nothing else is legal"
    return f"{worth}; next best {world.action_text(plan.runner_up)}, {plan.gap:.6g} less"


def document(world: World, visible: int, belief: Floats, plan: Plan) -> Document:
    found: Document = {
        "input": list(world.visible_states[visible]),
        "belief": belief_document(world, belief),
        "action": world.action_text(plan.action),
        "value": float(plan.value),
    }
    if plan.looked_up_by:
        return {**found, "rule": plan.looked_up_by}
    legal = np.flatnonzero(world.legal[visible]).tolist()
    values = {world.action_text(action): float(plan.values[action]) for action in legal}
    return {**found, "values": values, "ties": [world.action_text(action) for action in plan.ties]}
