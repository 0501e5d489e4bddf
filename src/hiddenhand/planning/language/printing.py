"""Printing: a tree becomes text that reads back as the same tree.

Precalculated knowledge is laid out as the original program lays it out, character by character, so that files can be
compared and exchanged. Comments are not part of the tree and do not come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hiddenhand.planning.language import syntax


def to_text(specification: syntax.Specification, digits: int | None = None) -> str:
    """The whole file. `digits` bounds the digits of stored values; without it every number reads back unchanged."""
    lines = [*values(specification.values), "", *variables(specification.variables), "", "knowledge {"]
    for item in specification.knowledge:
        lines += [*knowledge(item, digits), ""]
    lines += ["}", ""]
    for command in specification.commands:
        lines += command_lines(command)
    return "\n".join(lines).rstrip("\n") + "\n"


# --- numbers ---


def number(value: float, digits: int | None = None) -> str:
    """As the original prints it: six digits with all their zeros (6.00000, 0.0500000); more if they are needed."""
    text = f"{value:#.{digits or 6}g}"
    if digits is None and float(text) != value:
        text = repr(value)
    mantissa, exponent, power = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    if mantissa.endswith("."):
        mantissa += "0"
    return mantissa + exponent + power


# --- values and variables ---


def values(found: tuple[syntax.Value, ...]) -> list[str]:
    lines = [f"    value {', '.join(v.name for v in found[i : i + 8])};" for i in range(0, len(found), 8)]
    return ["values {", *lines, "}"]


def variables(found: tuple[syntax.Variable, ...]) -> list[str]:
    lines = [f"    {v.kind} variable {v.name}:{{{', '.join(x.name for x in v.values)}}};" for v in found]
    return ["variables {", *lines, "}"]


# --- knowledge ---


def knowledge(item: syntax.Knowledge, digits: int | None = None) -> list[str]:
    """One item of the knowledge section."""
    if isinstance(item, syntax.Function):
        return function(item)
    if isinstance(item, syntax.Impossible):
        return [f"impossible {quoted(item.name)} {{", *requires(item.requires, 1), "}"]
    if isinstance(item, syntax.Payoff):
        return [f"payoff {quoted(item.name)}:{number(item.amount)} {{", *requires(item.requires, 1), "}"]
    if isinstance(item, syntax.Action):
        return [f"action {query(item.query)}:{{", *(line for case in item.cases for line in case_lines(case)), "}"]
    return list(precalculated(item, digits))


def function(item: syntax.Function) -> list[str]:
    parameters = ", ".join(f"{p.kind} {p.name}" for p in item.parameters)
    return [f"function {item.name}({parameters}) {{", *statements(item.body, 1), "}"]


def statements(body: tuple[syntax.Statement, ...], level: int) -> Iterator[str]:
    indent = "    " * level
    for statement in body:
        if isinstance(statement, syntax.Return):
            yield f"{indent}return {expression(statement.expression)};"
        elif isinstance(statement, syntax.Evaluated):
            yield f"{indent}{expression(statement.expression)};"
        else:
            yield f"{indent}if ({logical(statement.condition)}) {{"
            yield from statements(statement.body, level + 1)
            yield f"{indent}}}"


def case_lines(case: syntax.Case) -> Iterator[str]:
    yield f"    case {quoted(case.name)} {{"
    yield from requires(case.requires, 2)
    if case.illegal:
        yield "        illegal;"
    for probability in case.probabilities:
        yield f"        probability {quoted(probability.name)}:{number(probability.chance)} {{"
        yield from requires(probability.requires, 3)
        yield "        }"
    yield "    }"


def requires(conditions: tuple[syntax.Logical, ...], level: int) -> list[str]:
    return [f"{'    ' * level}requires {logical(condition)};" for condition in conditions]


def logical(condition: syntax.Logical) -> str:
    if isinstance(condition, syntax.Equal):
        return f"{expression(condition.left)} == {expression(condition.right)}"
    if isinstance(condition, syntax.Not):
        return f"not {in_brackets(condition.part, syntax.And | syntax.Or)}"
    if isinstance(condition, syntax.And):
        return " and ".join(in_brackets(part, syntax.Or) for part in condition.parts)
    return " or ".join(logical(part) for part in condition.parts)


def in_brackets(condition: syntax.Logical, kinds: object) -> str:
    """The condition, in brackets if it is of a kind that binds less tightly."""
    text = logical(condition)
    return f"({text})" if isinstance(condition, kinds) else text  # type: ignore[arg-type]


def expression(found: syntax.Expression) -> str:
    if isinstance(found, syntax.Name):
        return found.name
    if isinstance(found, syntax.StringLiteral):
        return quoted(found.text)
    if isinstance(found, syntax.StateValue):
        return f"{found.when} value {found.variable}"
    return f"{found.function}({', '.join(expression(argument) for argument in found.arguments)})"


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def query(found: syntax.Query) -> str:
    return "{" + ", ".join(f"{a.variable}=>{a.value}" for a in found.assignments) + "}"


# --- precalculated knowledge, in the layout of the original ---


def precalculated(item: syntax.Precalculated, digits: int | None) -> Iterator[str]:
    yield f"precalculated ({item.depth},{item.granularity})"
    yield "{"
    for state in item.states:
        yield from stored_state(state, digits)
    yield "}"


def stored_state(state: syntax.StoredState, digits: int | None) -> Iterator[str]:
    yield f"on visible state ({original_query(state.query)})"
    yield "\t{"
    if state.amount_of_possible_states is not None:
        yield f"amount_of_possible_states = {number(state.amount_of_possible_states, digits)};"
    if state.max_amount_of_beliefs is not None:
        yield f"max_amount_of_beliefs = {number(state.max_amount_of_beliefs, digits)};"
    if state.too_complex:
        yield "too complex;"
    for belief in state.beliefs:
        yield "on belief ({"
        yield from belief_cases(belief.cases, digits)
        yield "}"
        yield ")"
        yield "\t\t{"
        value = "" if belief.value is None else f" : {number(belief.value, digits):>10}"
        yield f"\t\taction {original_query(belief.action)}{value};"
        yield "\t\t}"
    yield "\t}"


def belief_cases(cases: Iterable[syntax.BeliefCase], digits: int | None) -> Iterator[str]:
    for case in cases:
        yield f"case {original_query(case.query)}:{number(case.probability, digits)};"


def original_query(found: syntax.Query) -> str:
    return "{" + ",".join(f"{a.variable}=>{a.value} " for a in found.assignments) + "}"


# --- commands ---


def command_lines(command: syntax.Command) -> list[str]:
    if isinstance(command, syntax.Loop):
        return [f"loop({command.depth});"]
    if isinstance(command, syntax.TestCommand):
        return [f"test({query(command.query) if command.query is not None else ''});"]
    if isinstance(command, syntax.Cout):
        return ["cout << " + " << ".join(shown(part) for part in command.shown) + ";"]
    if isinstance(command, syntax.GivenInput):
        return [f"input {query(command.query)};"]
    if isinstance(command, syntax.GivenBelief):
        return ["belief {", *belief_cases(command.cases, None), "};"]
    if isinstance(command, syntax.GivenAction):
        return [f"action {query(command.query)};"]
    return [f"solve({command.depth});"]


def shown(part: syntax.Shown) -> str:
    if part.what not in ("estimate", "precalculate"):
        return part.what
    state = f",{query(part.query)}" if part.query is not None else ""
    return f"{part.what}({part.depth},{part.granularity}{state})"
