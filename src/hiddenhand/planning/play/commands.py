"""The commands of a specification, executed in their order, the person's `loop` among them.

What a command says goes to a `Console`, and what came of it is returned as plain data. The commands are those of
Svarog 0.0.9; where that program stops with a crash, these go on or end with one clear line.

The advice of a `loop` is looked up where knowledge was precalculated deep enough, and reckoned where not: as in the
original, the first section of at least the wanted depth that has the visible state counts. The rule of the look-up is
the document's, or its program's (`svarog`); with the latter everything is printed as that program prints it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from types import ModuleType

import numpy as np

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.planning.language import printing, syntax
from hiddenhand.planning.language.printing import number
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World, joined
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import Knowledge, limit, precalculate
from hiddenhand.planning.planners.knowledge_files import DIGITS, from_tree, to_tree, whole_text
from hiddenhand.planning.planners.lookup import CONSTANT, LookupPlanner
from hiddenhand.planning.planners.protocol import Planner
from hiddenhand.planning.play import listing, original_listing
from hiddenhand.planning.play.advising import Advising, Console, Document
from hiddenhand.planning.play.contradictions import why_never
from hiddenhand.planning.play.original_listing import loop_as_original

BELIEF_TOLERANCE = 0.01


class SpecificationRun:
    """One specification whose commands are executed.

    compat    whose rules and whose prints: the `document`'s, or those of the original program (`svarog`)
    keep      whether what is printed is also returned, as data
    constant  what is added to a distance where stored beliefs vote
    """

    def __init__(
        self, world: World, console: Console, compat: str = "document", keep: bool = True, constant: float = CONSTANT
    ) -> None:
        self.world = world
        self.compat = compat
        self.keep = keep
        self.constant = constant
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
        if isinstance(command, syntax.TestCommand):
            return {"command": "test", **self.test(command.query)}
        if isinstance(command, syntax.Cout):
            text = self.say_all(piece for part in command.shown for piece in self.shown(part))
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
        return LookupPlanner(self.world, sections, self.compat, self.exact, self.constant)

    # --- loop and test ---

    def loop(self, depth: int) -> list[Document]:
        """Advise until the input ends; every step, and every line that was refused."""
        if self.compat == "svarog":
            return loop_as_original(self.world, self.console, self.adviser, self.exact, depth)
        return Advising(self.world, self.console, self.adviser, self.exact, depth).run()

    def test(self, query: syntax.Query | None) -> Document:
        """Rows of probabilities that do not sum to one, of all states or of one; with one, all its rows."""
        if self.compat == "svarog":
            lines = (
                original_listing.test(self.world) if query is None else original_listing.test_one(self.world, query)
            )
            return {"text": self.say_all(lines)}
        if query is None:
            wrong = listing.wrong_rows(self.world)
            self.console.say("".join(f"{line}\n" for line in listing.told_rows(self.world, wrong)))
            return {"wrong": [{"state": state, "action": action, "sum": total} for state, action, total in wrong]}
        named = query.as_dict()
        visible = self.world.visible({axis.name: named[axis.name] for axis in self.world.inputs})
        hidden = tuple(named[axis.name] for axis in self.world.hidden)
        name = joined(self.world.inputs + self.world.hidden, self.world.visible_states[visible] + hidden)
        reasons = why_never(self.world, visible, hidden)
        if reasons:
            rows = [f"{name} is an impossible state", *reasons]
        else:
            rows = listing.rows_of(self.world, self.world.state(visible, hidden))
        self.console.say("".join(f"{line}\n" for line in rows))
        return {"state": name, "rows": rows}

    # --- cout ---

    def shown(self, part: syntax.Shown) -> Iterable[str]:
        """The text of one thing that is printed, piece by piece. As the original prints it, everything ends its own
        line, and `eol` adds nothing."""
        original = self.compat == "svarog"
        pages: ModuleType = original_listing if original else listing
        if part.what == "eol":
            return [] if original else ["\n"]
        if part.what == "result":
            return [self.written_result(), "\n" if original else ""]
        if part.what not in ("estimate", "precalculate"):
            found: str | Iterable[str] = getattr(pages, part.what.replace(" ", "_"))(self.world)
            return [found] if isinstance(found, str) else found
        if original and part.what == "estimate":
            lines = original_listing.estimate(self.world, part.depth, part.granularity, limit(self.compat))
        else:
            section = (
                to_tree(self.world, self.precalculated(part))
                if part.what == "precalculate"
                else listing.frame(self.world, part.depth, part.granularity, limit(self.compat))
            )
            if not original:
                return [whole_text(self.world, section, commands=False)]
            lines = printing.precalculated(section, DIGITS)
        return original_listing.specification(self.world, part.depth, part.granularity, lines)

    def precalculated(self, part: syntax.Shown) -> Knowledge:
        visible = None if part.query is None else [self.world.visible(part.query.as_dict())]
        return precalculate(self.world, part.depth, part.granularity, self.compat, visible)

    def say_all(self, pieces: Iterable[str]) -> str:
        """Print the pieces one by one; together they are returned, if they are to be kept."""
        kept = []
        for piece in pieces:
            self.console.say(piece)
            if self.keep:
                kept.append(piece)
        return "".join(kept)

    def written_result(self) -> str:
        if self.result is None:
            raise UserError("{file}: there is no result before a solve(...)", file=self.world.specification.file)
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
            raise UserError(
                "{place}: the probabilities of this belief sum to {total:.6g}, not to 1", place=place, total=total
            )
        return belief / total

    def asked_for(self, what: str) -> int:
        """The visible state that was given."""
        if self.visible is None:
            raise UserError(
                "{file}: {what} needs an input {{...}}; before it", file=self.world.specification.file, what=what
            )
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
                raise UserError(
                    "the action {name} is illegal in {visible}; legal: {legal}",
                    name=name,
                    visible=self.world.visible_text(visible),
                    legal=one_of(legal),
                )
            self.result = float(self.exact.values(belief, depth)[self.action])
        return self.result
