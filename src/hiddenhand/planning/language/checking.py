"""Checking: what is questionable in a specification that reads well.

Errors make plans meaningless, and no planner takes them: probabilities that do not sum to one, steps into impossible
states. Warnings point at what is seldom meant: states in which nothing can be done, where it then ends, and text that
has no effect, such as cases that never decide, actions that are never legal, payoffs that never apply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hiddenhand.core.errors import did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.planning.language import syntax
from hiddenhand.planning.language.syntax import SourcePosition
from hiddenhand.planning.model.conditions import Conditions, every_state, possible_states
from hiddenhand.planning.model.transitions import TransitionFinder, parts_of
from hiddenhand.planning.model.world import SUM_TOLERANCE, World
from hiddenhand.planning.model.world_building import build_world

MOST_STATES_TRIED = 2_000_000
MOST_SKIPPED_NAMED = 5
BELIEF_TOLERANCE = 0.01


@dataclass(frozen=True)
class Finding:
    """One questionable thing: `FILE:LINE:COLUMN: warning: ...`."""

    severity: Literal["error", "warning"]
    kind: str
    message: str
    place: SourcePosition
    file: str

    def __str__(self) -> str:
        return str(self.text)

    @property
    def text(self) -> Text:
        """The finding in a line."""
        severity = Text("error") if self.severity == "error" else Text("warning")
        return Text(
            "{file}:{line}:{column}: {severity}: {message}",
            file=self.file,
            line=self.place.line,
            column=self.place.column,
            severity=severity,
            message=self.message,
        )


def check(specification: syntax.Specification, world: World | None = None) -> list[Finding]:
    """Everything questionable, errors first, each group in the order of the file; `world`: if it is built already."""
    return Checker(specification, world).in_order()


class Checker:
    def __init__(self, specification: syntax.Specification, world: World | None = None) -> None:
        self.specification = specification
        self.world = build_world(specification) if world is None else world
        self.conditions = Conditions(specification)
        variables = specification.of_kind("input") + specification.of_kind("hidden")
        self.variables = variables
        self.seen = every_state(self.conditions, specification.of_kind("input"))
        self.states = possible_states(self.conditions, variables)
        self.finder = TransitionFinder(self.conditions, variables, self.states)

    def in_order(self) -> list[Finding]:
        """All findings, errors first, each group in the order of the file."""
        return sorted(self.findings(), key=lambda f: (f.severity != "error", f.place.line, f.place.column))

    def findings(self) -> Iterator[Finding]:
        for action in range(len(self.world.actions)):
            yield from self.rows(action)
            yield from self.action_findings(action)
        yield from self.stuck()
        yield from self.payoffs()
        yield from self.impossible()
        yield from self.functions()
        yield from self.unused_values()
        yield from self.beliefs()
        yield from self.skipped()
        yield from self.words()

    def error(self, kind: str, place: SourcePosition, message: str) -> Finding:
        return Finding("error", kind, message, place, self.specification.file)

    def warning(self, kind: str, place: SourcePosition, message: str) -> Finding:
        return Finding("warning", kind, message, place, self.specification.file)

    # --- rows of probabilities ---

    def rows(self, action: int) -> Iterator[Finding]:
        """States in which the probabilities of an action do not sum to one, together by the case that decides."""
        world = self.world
        sums = world.sums()[action]
        legal = world.legal[world.visible_of, action]
        wrong = legal & (np.abs(sums - 1.0) > SUM_TOLERANCE)
        name = world.action_text(action)
        for case, states in self.by_case(action, np.flatnonzero(wrong)):
            example = Text("for example in {state}", state=world.state_text(states[0]))
            if case is None and not self.blocks(action):
                yield self.error(
                    "no row", self.declared(), Text("no action block says what {action} does", action=name)
                )
            elif case is None and sums[states[0]] == 0.0:
                place = self.blocks(action)[0].place
                message = Text(
                    "no case of action {action} applies in {states}, {example}",
                    action=name,
                    states=count(states),
                    example=example,
                )
                yield self.error("no row", place, message)
            else:
                place = case.place if case is not None else self.blocks(action)[0].place
                owner = (
                    Text('case "{case}" of action {action}', case=case.name, action=name)
                    if case is not None
                    else Text("action {name}", name=name)
                )
                message = Text(
                    "the probabilities of {what} sum to {sum:.6g}, not to 1, in {states}, {example}",
                    what=owner,
                    sum=sums[states[0]],
                    states=count(states),
                    example=example,
                )
                yield self.error("row", place, message)
        for case, states in self.by_case(action, np.flatnonzero(world.lost[action] > SUM_TOLERANCE)):
            place = case.place if case is not None else self.blocks(action)[0].place
            message = Text(
                "{share:.6g} of the probability of action {action} goes to impossible states, in {states}, for "
                "example in {state}",
                share=world.lost[action, states[0]],
                action=name,
                states=count(states),
                state=world.state_text(states[0]),
            )
            yield self.error("lost", place, message)

    def by_case(self, action: int, states: NDArray[np.intp]) -> list[tuple[syntax.Case | None, list[int]]]:
        decided_by = self.world.decided_by[action]
        groups: dict[int, tuple[syntax.Case | None, list[int]]] = {}
        for state in states.tolist():
            case = decided_by.get(state)
            groups.setdefault(id(case), (case, []))[1].append(state)
        return list(groups.values())

    def blocks(self, action: int) -> list[syntax.Action]:
        meant = dict(zip((axis.name for axis in self.world.outputs), self.world.actions[action]))
        return [block for block in self.specification.actions if block.query.as_dict() == meant]

    def declared(self) -> SourcePosition:
        return self.specification.of_kind("output")[0].place

    # --- actions and cases ---

    def action_findings(self, action: int) -> Iterator[Finding]:
        world = self.world
        blocks = self.blocks(action)
        place = blocks[0].place if blocks else self.declared()
        legal = world.legal[world.visible_of, action]
        if not legal.any():
            yield self.warning(
                "never legal", place, Text("action {action} is never legal", action=world.action_text(action))
            )
            return
        for block in blocks:
            for case in block.cases:
                yield from self.illegal_case(case) if case.illegal else self.case(case, action, np.flatnonzero(legal))

    def illegal_case(self, case: syntax.Case) -> Iterator[Finding]:
        if not (self.conditions.all_hold(case.requires, self.seen) & self.world.possible).any():
            message = Text(
                'the illegal case "{case}" never applies: no possible visible state fulfils its conditions',
                case=case.name,
            )
            yield self.warning("unreachable", case.place, message)
        if case.probabilities:
            message = Text('the illegal case "{case}" has probabilities, which have no effect', case=case.name)
            yield self.warning("no effect", case.probabilities[0].place, message)

    def case(self, case: syntax.Case, action: int, legal: NDArray[np.intp]) -> Iterator[Finding]:
        decided_by = self.world.decided_by[action]
        used = {id(probability) for _, probability in self.world.clauses}
        decides = [s for s, decider in decided_by.items() if decider is case]
        if not decides and not any(id(p) in used for p in case.probabilities):
            yield self.warning("unreachable", case.place, self.why_unreachable(case, action, legal))
            return
        for i, probability in enumerate(case.probabilities):
            if id(probability) not in used:
                yield self.unused_probability(case, i, np.array(decides, dtype=np.intp))

    def why_unreachable(self, case: syntax.Case, action: int, legal: NDArray[np.intp]) -> str:
        holds, _ = self.finder.looking_ahead(case, self.states.take(legal))
        first = {id(c): c for s in legal[holds].tolist() if (c := self.world.decided_by[action].get(s)) is not None}
        if first:
            earlier: list[str] = [
                Text('"{case}" (line {n})', case=c.name, n=c.place.line)
                for c in sorted(first.values(), key=lambda c: c.place.line)
            ]
            return Text(
                'the case "{case}" never decides: {earlier} always comes first'
                if len(earlier) == 1
                else 'the case "{case}" never decides: {earlier} always come first',
                case=case.name,
                earlier=one_of(earlier, 3),
            )
        if holds.any():
            return Text(
                'the case "{case}" never decides: earlier cases always come first, or none of its probabilities can '
                "happen",
                case=case.name,
            )
        anywhere, _ = self.finder.looking_ahead(case, self.states)
        return Text(
            'the case "{case}" never decides: wherever its conditions hold the action is illegal'
            if anywhere.any()
            else 'the case "{case}" never decides: no possible state fulfils its conditions',
            case=case.name,
        )

    def unused_probability(self, case: syntax.Case, i: int, decides: NDArray[np.intp]) -> Finding:
        probability = case.probabilities[i]
        alone = self.finder.pairs(decides, parts_of(probability.requires), [])
        message = Text(
            'the probability "{name}" never applies: earlier ones of its case always come first'
            if next(alone, None) is not None
            else 'the probability "{name}" never applies: its conditions contradict each other',
            name=probability.name,
        )
        return self.warning("unreachable", probability.place, message)

    def stuck(self) -> Iterator[Finding]:
        world = self.world
        stuck = np.flatnonzero(world.possible & ~world.legal.any(axis=1)).tolist()
        if stuck:
            message = Text.plural(
                "no action is legal in {n} visible state, for example in {state}: it ends there",
                "no action is legal in {n} visible states, for example in {state}: it ends there",
                n=len(stuck),
                state=world.visible_text(stuck[0]),
            )
            yield self.warning("end", self.declared(), message)

    # --- payoffs and impossible states ---

    def payoffs(self) -> Iterator[Finding]:
        blocks = self.specification.payoffs
        matches = [self.conditions.all_hold(block.requires, self.seen) & self.world.possible for block in blocks]
        for i, block in enumerate(blocks):
            if not matches[i].any():
                message = Text(
                    'the payoff "{name}" never applies: no possible visible state fulfils its conditions',
                    name=block.name,
                )
                yield self.warning("payoff", block.place, message)
            elif not (matches[i] & ~np.logical_or.reduce([*matches[i + 1 :], np.zeros_like(matches[i])])).any():
                message = Text(
                    'the payoff "{name}" never applies: later payoffs always take its place', name=block.name
                )
                yield self.warning("payoff", block.place, message)

    def impossible(self) -> Iterator[Finding]:
        if prod(len(v.values) for v in self.variables) > MOST_STATES_TRIED:
            return
        everything = every_state(self.conditions, self.variables)
        for block in self.specification.impossible:
            if not self.conditions.all_hold(block.requires, everything).any():
                message = Text(
                    'impossible "{name}" rules nothing out: no state fulfils its conditions', name=block.name
                )
                yield self.warning("impossible", block.place, message)

    # --- functions and values ---

    def functions(self) -> Iterator[Finding]:
        called = {e.function for e in syntax.nodes(self.specification) if isinstance(e, syntax.Call)}
        for function in self.specification.functions.values():
            if function.name not in called:
                yield self.warning(
                    "unused", function.place, Text('the function "{name}" is never called', name=function.name)
                )
            yield from self.without_effect(function.body)
            if not function.body or not isinstance(function.body[-1], syntax.Return):
                message = Text(
                    'the function "{name}" may end without a return; it is then equal to nothing', name=function.name
                )
                yield self.warning("no return", function.place, message)

    def without_effect(self, body: tuple[syntax.Statement, ...]) -> Iterator[Finding]:
        for statement in body:
            if isinstance(statement, syntax.Evaluated):
                yield self.warning(
                    "no effect", statement.place, Text("an expression alone has no effect; return it?")
                )
            elif isinstance(statement, syntax.If):
                yield from self.without_effect(statement.body)

    def unused_values(self) -> Iterator[Finding]:
        used = {value.name for variable in self.specification.variables for value in variable.values}
        used |= {e.name for e in syntax.nodes(self.specification) if isinstance(e, syntax.Name)}
        for value in self.specification.values:
            if value.name not in used:
                yield self.warning("unused", value.place, Text('the value "{name}" is never used', name=value.name))

    # --- precalculated knowledge and stray characters ---

    def beliefs(self) -> Iterator[Finding]:
        for section in self.specification.precalculated:
            for state in section.states:
                for belief in state.beliefs:
                    total = sum(case.probability for case in belief.cases)
                    if abs(total - 1.0) > BELIEF_TOLERANCE:
                        message = Text("the probabilities of this stored belief sum to {n:.6g}, not to 1", n=total)
                        yield self.warning("belief", belief.place, message)

    def words(self) -> Iterator[Finding]:
        """Words in comments for what the file does not name."""
        world, words = self.world, self.specification.words
        axes = (*world.inputs, *world.hidden, *world.outputs)
        known = {axis.name for axis in axes} | set(world.values) | {" ".join(action) for action in world.actions}
        known |= {f"{axis.name}=>{value}" for axis in axes for value in axis.values}
        known |= {f'"{payoff.name}"' for payoff in self.specification.payoffs}
        for name in words.names:
            if name not in known:
                hint = did_you_mean(name, sorted(known))
                message = Text("there are words for {name}, which the file does not name{hint}", name=name, hint=hint)
                yield self.warning("words", SourcePosition(words.lines[name], 1), message)

    def skipped(self) -> Iterator[Finding]:
        for text, place in self.specification.skipped[:MOST_SKIPPED_NAMED]:
            what = Text("the character {letter}", letter=repr(text)) if len(text) == 1 else repr(text)
            message = Text("{what} means nothing here and is passed over", what=what)
            yield self.warning("skipped", place, message)
        more = len(self.specification.skipped) - MOST_SKIPPED_NAMED
        if more > 0:
            place = self.specification.skipped[MOST_SKIPPED_NAMED][1]
            message = Text("{n} more of such things mean nothing and are passed over", n=more)
            yield self.warning("skipped", place, message)


def count(states: list[int]) -> Text:
    return Text.plural("{n} state", "{n} states", n=len(states))
