"""Listing as the original program does it: what `cout` and `test` of the language print with `--compat svarog`.

The original goes through all states, impossible ones too, and its model knows nothing of what is illegal: that
stops a plan, not a step. Numbers have six digits, and what it sums with single precision is summed so here.

Its `test` looks only at steps that stay in the same visible state, because the states of the others are not there
when it looks; good rows are thus reported as wrong. With `--compat svarog` the same is printed; without, the truth.

Two things are not as there. The original writes a condition without its brackets, so that `not (a or b)` would be
read as another one; here the brackets stay. And a grid that is too large gets no comments about impossible states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import printing, syntax
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import Axis, Names, World
from hiddenhand.planning.model.world_building import build_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import estimate as estimated
from hiddenhand.planning.planners.knowledge import stored_beliefs
from hiddenhand.planning.planners.knowledge_files import DIGITS, query
from hiddenhand.planning.planners.protocol import Planner
from hiddenhand.planning.play.advising import PROMPT, Console, Document, document

MOST_LINES = 20_000_000
SPACED = re.compile(r'"(?:[^"\\]|\\.)*"| == |, ', re.DOTALL)
LEAST_SUM, MOST_SUM = np.float32(0.99), np.float32(1.01)


# --- states ---


def named(axes: tuple[Axis, ...], names: Names) -> str:
    """`{x=>a ,y=>b }`."""
    return printing.original_query(query(axes, names))


def visible_states(world: World) -> Iterator[str]:
    """All visible states, possible or not."""
    for names in world.visible_states:
        yield f"{named(world.inputs, names)}\n"


def states(world: World) -> Iterator[str]:
    """All visible states, and after each all its hidden states, possible or not."""
    hidden = "".join(f"{named(world.hidden, names)}\n" for names in hidden_states(world))
    for names in world.visible_states:
        yield f"VISIBLE STATE {named(world.inputs, names)}\n{hidden}"


def hidden_states(world: World) -> list[Names]:
    found: list[Names] = [()]
    for axis in world.hidden:
        found = [(*names, value) for names in found for value in axis.values]
    return found


def unlimited(world: World) -> World:
    """The same world with nothing impossible and nothing illegal: the original's model."""
    kept: list[syntax.Knowledge] = []
    for item in world.specification.knowledge:
        if isinstance(item, syntax.Action):
            kept.append(replace(item, cases=tuple(case for case in item.cases if not case.illegal)))
        elif isinstance(item, syntax.Function | syntax.Payoff):
            kept.append(item)
    return build_world(replace(world.specification, knowledge=tuple(kept)))


# --- the model ---


def perkun(world: World) -> Iterator[str]:
    """The model in the older language Perkun: all pairs of states and every action, with their probability."""
    model = unlimited(world)
    count = len(model.states)
    lines = count * count * len(model.actions)
    if lines > MOST_LINES:
        raise UserError(
            "{file}: the model of all {count:,} states has {lines:,} lines, at most "
            "{most:,} are printed; without --compat svarog only steps that can happen are",
            file=world.specification.file,
            count=count,
            lines=lines,
            most=MOST_LINES,
        )
    axes = model.inputs + model.hidden
    texts = [named(axes, model.visible_states[visible] + hidden) for visible, hidden in model.states]
    actions = [named(model.outputs, names) for names in model.actions]
    yield "model\n{\n"
    for before in range(count):
        for action, rows in zip(actions, model.transitions):
            chances = rows[[before]].toarray().ravel().tolist()
            start = f"set({texts[before]},{action},"
            yield "".join(f"{start}{after},{six(chance)});\n" for after, chance in zip(texts, chances))
    yield "}\n"


def test(world: World) -> Iterator[str]:
    """Every state and legal action whose steps within the visible state do not sum to one."""
    rows = ListingRows(world)
    for state in range(len(rows.model.states)):
        for action in range(len(world.actions)):
            if rows.wrong(state, action):
                impossible = "" if rows.possible[state] else " the state is IMPOSSIBLE"
                yield f"{rows.told(state, action)}{impossible}\n"


def test_one(world: World, asked: syntax.Query) -> Iterator[str]:
    """The same for one state, possible or not, with where its steps lead."""
    rows = ListingRows(world)
    values = asked.as_dict()
    visible = tuple(values[axis.name] for axis in world.inputs)
    hidden = tuple(values[axis.name] for axis in world.hidden)
    state = rows.model.states.index((world.visible(list(visible)), hidden))
    yield f"test query {printing.original_query(asked)}\n"
    yield f"found visible state {named(world.inputs, visible)}\n\n"
    yield f"found state {named(world.hidden, hidden)}\n\n"
    for action in range(len(world.actions)):
        if rows.wrong(state, action):
            yield f"{rows.told(state, action)}\n"
            for after, chance in rows.steps(state, action):
                if chance > 0.0:
                    reached = named(world.hidden, rows.model.states[after][1])
                    yield f"terminal state {reached} probability {six(chance)}\n"


class ListingRows:
    """The rows of probabilities as the original's `test` sees them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.model = unlimited(world)
        can_occur = set(world.states)
        self.possible = [state in can_occur for state in self.model.states]

    def steps(self, state: int, action: int) -> list[tuple[int, float]]:
        """Where the action leads within the visible state; nowhere from an impossible state."""
        if not self.possible[state]:
            return []
        near = self.model.states_of(int(self.model.visible_of[state]))
        chances = self.model.transitions[action][[state]].toarray().ravel()
        return [(after, float(chances[after])) for after in near]

    def sum(self, state: int, action: int) -> np.float32:
        total = np.float32(0.0)
        for _, chance in self.steps(state, action):
            total = np.float32(total + np.float32(chance))
        return total

    def wrong(self, state: int, action: int) -> bool:
        if not self.world.legal[self.model.visible_of[state], action]:
            return False
        return not LEAST_SUM <= self.sum(state, action) <= MOST_SUM

    def told(self, state: int, action: int) -> str:
        hidden = named(self.world.hidden, self.model.states[state][1])
        sum_text = six(float(self.sum(state, action)))
        return (
            f"{sum_text} probability for {hidden} and action {named(self.world.outputs, self.world.actions[action])}"
        )


def six(value: float) -> str:
    return printing.number(value, DIGITS)


# --- the specification ---


def knowledge(world: World) -> Iterator[str]:
    """The items of the knowledge: actions, functions, impossible states, payoffs."""
    specification = world.specification
    for action in specification.actions:
        yield f"{action_text(action)}\n"
    yield from other_items(specification)


def other_items(specification: syntax.Specification) -> Iterator[str]:
    for function in specification.functions.values():
        yield f"{function_text(function)}\n"
    for impossible in specification.impossible:
        yield f"impossible {printing.quoted(impossible.name)} {{\n{requires(impossible.requires)}}}\n\n"
    for payoff in specification.payoffs:
        amount = six(payoff.amount)
        yield f"payoff {printing.quoted(payoff.name)}:{amount} {{\n{requires(payoff.requires)}}}\n\n"


def action_text(action: syntax.Action) -> str:
    cases = "".join(f"{case_text(case)}\n" for case in action.cases)
    return f"action {printing.original_query(action.query)}\n:{{\n{cases}}}\n"


def case_text(case: syntax.Case) -> str:
    illegal = "illegal;\n" if case.illegal else ""
    probabilities = "".join(
        f'probability "" : {six(probability.chance)}{{\n{requires(probability.requires)}}}\n\n'
        for probability in case.probabilities
    )
    return f"case {printing.quoted(case.name)}{{\n{requires(case.requires)}{illegal}{probabilities}}}\n"


def requires(conditions: Iterable[syntax.Logical]) -> str:
    return "".join(f"requires {close(printing.logical(condition))};\n" for condition in conditions)


def close(text: str) -> str:
    """Without the spaces that the original does not write; strings stay as they are."""
    return SPACED.sub(lambda found: {" == ": "==", ", ": ","}.get(found[0], found[0]), text)


def function_text(function: syntax.Function) -> str:
    parameters = ",".join(f"{parameter.kind} {parameter.name}" for parameter in function.parameters)
    return f"function {function.name}({parameters}){{{''.join(map(statement_text, function.body))}}}"


def statement_text(statement: syntax.Statement) -> str:
    if isinstance(statement, syntax.If):
        body = "".join(map(statement_text, statement.body))
        return f"if ({close(printing.logical(statement.condition))}){{{body}}}"
    expression = close(printing.expression(statement.expression))
    return f"return {expression};" if isinstance(statement, syntax.Return) else f"{expression};"


def specification(world: World, depth: int, granularity: int, section: Iterable[str]) -> Iterator[str]:
    """A whole specification with precalculated knowledge."""
    yield "#!svarog\n# this specification contains precalculated knowledge\n# created by hiddenhand\n"
    yield f"# depth = {depth}\n# granularity = {granularity}\n"
    yield f"values\n{{\nvalue {','.join(world.values)};\n}}\nvariables\n{{\n"
    for variable in world.specification.variables:
        values = ",".join(value.name for value in variable.values)
        yield f"{variable.kind} variable {variable.name}:{{{values}}};\n"
    yield "}\nknowledge\n{\n"
    for action in world.specification.actions:
        yield action_text(action)
    yield from other_items(world.specification)
    for line in section:
        yield f"{line}\n"
    yield "}\n"


def estimate(world: World, depth: int, granularity: int, most: int) -> Iterator[str]:
    """A precalculated section with all its beliefs, without their actions."""
    yield f"precalculated ({depth},{granularity})"
    yield "{"
    for unit in estimated(world, granularity, most):
        yield f"on visible state ({named(world.inputs, world.visible_states[unit.visible])})"
        yield "\t{"
        yield f"amount_of_possible_states = {six(float(unit.possible_states))};"
        yield f"max_amount_of_beliefs = {six(unit.grid_size)};"
        if unit.too_complex:
            yield "too complex;"
        hidden = [named(world.hidden, world.states[state][1]) for state in world.states_of(unit.visible)]
        for belief in stored_beliefs(unit.possible_states, granularity, unit.too_complex):
            yield "on belief ({"
            for i in np.flatnonzero(belief > 0.0):
                yield f"case {hidden[i]}:{six(float(belief[i]))};"
            yield "}\n)\n\t\t{\n\t\t}"
        yield "\t}"
    yield "}"


# ---- the loop


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
