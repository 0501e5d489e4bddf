"""Contradictions: something was seen that the model holds impossible. Which clauses say so, and how to go on?

A visible state that no state has is ruled out by `impossible` blocks, and there is no belief for it. Any other may be
impossible after what was done and believed: then the clauses of that step say what could have been seen instead, and
there is a belief to go on with, the nearest of three:

- if the step can be explained from a state that looked the same and had been ruled out before, then as if nothing had
  been known before the step;
- else what was expected of the hidden variables, as far as it fits what is seen;
- else nothing but what is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.errors import one_of
from hiddenhand.core.text import Text
from hiddenhand.planning.language import syntax
from hiddenhand.planning.model.conditions import Conditions, Situations
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World, joined

MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Contradiction:
    """Why something cannot have been seen, and what may be believed if it was."""

    reasons: list[str]
    belief: Floats | None
    """(S,) the nearest belief; None if what was seen can never be seen."""
    source: str
    """Where that belief comes from, in words."""


def contradiction(world: World, belief: Floats, action: int, visible: int) -> Contradiction:
    """What to say and to believe, if with this belief (S,) this was done and then this was seen."""
    if not world.states_of(visible):
        return Contradiction(why_never(world, visible), None, "")
    before = int(world.visible_of[int(np.argmax(belief))])
    reasons = [*why_not_now(world, belief, action, visible), *other_actions(world, belief, before, visible)]
    reached = world.uniform(before) @ world.transitions[action]
    explained = seen_part(world, reached, visible)
    if explained is not None:
        states = explaining(world, before, action, visible)
        reasons.append(
            Text(
                "It could be seen if this had been true before, which was ruled out: {states}.",
                states=one_of(states, MOST_NAMED),
            )
        )
        source = Text("as if nothing but what was visible had been known before this step")
        return Contradiction(reasons, explained, source)
    fitting = same_hidden(world, belief @ world.transitions[action], visible)
    if fitting is not None:
        source = Text("what was expected of the hidden variables, as far as it fits")
        return Contradiction(reasons, fitting, source)
    return Contradiction(reasons, world.uniform(visible), Text("nothing but what is visible now"))


# --- why ---


def why_never(world: World, visible: int, hidden: tuple[str, ...] | None = None) -> list[str]:
    """The `impossible` blocks that rule a visible state out, or one state of it."""
    blocks = ruling_out(world, visible, hidden)
    named: list[str] = [Text('"{case}" (line {n})', case=block.name, n=block.place.line) for block in blocks]
    if hidden is not None:
        return [Text("It is ruled out by impossible {blocks}.", blocks=all_of(named))] if named else []
    if len(named) == 1:
        return [Text("Impossible {block} rules it out.", block=named[0])]
    return [Text("Impossible {blocks} rule out all its states.", blocks=one_of(named, 5))] if named else []


def ruling_out(world: World, visible: int, hidden: tuple[str, ...] | None) -> list[syntax.Impossible]:
    """The blocks that rule out at least one of these states, in the order of the file."""
    conditions = Conditions(world.specification)
    known = world.visible_values(visible)
    if hidden is not None:
        known |= dict(zip((axis.name for axis in world.hidden), hidden))
    columns: dict[Any, Any] = {
        ("initial", name): np.array([conditions.number("value", value)], dtype=np.int32)
        for name, value in known.items()
    }
    states = Situations(1, columns)
    for variable in world.specification.of_kind("hidden"):
        if variable.name not in known:
            states, _ = states.spread(("initial", variable.name), conditions.domain(variable))
    return [block for block in world.specification.impossible if conditions.all_hold(block.requires, states).any()]


def why_not_now(world: World, belief: Floats, action: int, visible: int) -> list[str]:
    """What the clauses of this step allow instead."""
    rows, causes = world.transitions[action], world.causes[action]
    reached: set[int] = set()
    used: dict[int, None] = {}
    for state in np.flatnonzero(belief).tolist():
        for entry in range(rows.indptr[state], rows.indptr[state + 1]):
            reached.add(int(world.visible_of[rows.indices[entry]]))
            used[int(causes[entry])] = None
    clauses = one_of([clause_text(*world.clauses[clause]) for clause in sorted(used)], MOST_NAMED)
    name = world.action_text(action)
    limits = []
    for place, axis in enumerate(world.inputs):
        allowed = {world.visible_states[other][place] for other in reached}
        if world.visible_states[visible][place] not in allowed:
            values = alternatives([Text(value) for value in axis.values if value in allowed])
            limits.append(Text("{variable} can only be {values}", variable=Text(axis.name), values=values))
    if limits:
        said = Text.joined(", ", limits)
        return [Text("After {action} {limits}, by {clauses}.", action=name, limits=said, clauses=clauses)]
    return [
        Text(
            "Each value could be seen after {action}, but not all of them together, by {clauses}.",
            action=name,
            clauses=clauses,
        )
    ]


def other_actions(world: World, belief: Floats, before: int, visible: int) -> list[str]:
    """The actions after which it could have been seen with this belief."""
    names = [
        world.action_text(action)
        for action in np.flatnonzero(world.legal[before]).tolist()
        if seen_part(world, belief @ world.transitions[action], visible) is not None
    ]
    listed = one_of(names, MOST_NAMED)
    return [Text("It could be seen after {actions}: was that done?", actions=listed)] if names else []


def all_of(blocks: list[str]) -> str:
    """`a and b and c`."""
    *before, last = blocks
    return Text("{blocks} and {last}", blocks=all_of(before), last=last) if before else last


def alternatives(values: list[Text]) -> Text:
    """`a or b or c`."""
    *before, last = values
    return Text("{values} or {last}", values=alternatives(before), last=last) if before else last


def clause_text(case: syntax.Case, clause: syntax.Probability) -> Text:
    return Text('case "{case}", "{name}" (line {n})', case=case.name, name=clause.name, n=clause.place.line)


def explaining(world: World, before: int, action: int, visible: int) -> list[str]:
    """The hidden states from which the step can show this."""
    rows, inside = world.transitions[action], world.states_of(visible)
    return [
        joined(world.hidden, world.states[state][1])
        for state in world.states_of(before)
        if any(int(after) in inside for after in rows.indices[rows.indptr[state] : rows.indptr[state + 1]])
    ]


# --- beliefs ---


def seen_part(world: World, reached: Floats, visible: int) -> Floats | None:
    """The belief in the states that look like this, if there is any."""
    belief = np.where(world.visible_of == visible, reached, 0.0)
    total = float(belief.sum())
    return belief / total if total > 0.0 else None


def same_hidden(world: World, reached: Floats, visible: int) -> Floats | None:
    """The belief with the same hidden variables in the states that look like this, if some fit."""
    expected: dict[tuple[str, ...], float] = {}
    for state in np.flatnonzero(reached).tolist():
        hidden = world.states[state][1]
        expected[hidden] = expected.get(hidden, 0.0) + float(reached[state])
    belief = np.zeros(len(world.states))
    for state in world.states_of(visible):
        belief[state] = expected.get(world.states[state][1], 0.0)
    total = float(belief.sum())
    return belief / total if total > 0.0 else None
