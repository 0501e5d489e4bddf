"""Names: every name of a specification must mean something, and something that is allowed where it stands.

A function finds its parameters, and those of the functions that called it, before anything global: the language looks
names up along the calls, not along the text. So the body of a function is gone through once for every way in which
its parameters can be bound to variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

from hiddenhand.core.errors import did_you_mean, one_of
from hiddenhand.core.text import Text, Value
from hiddenhand.planning.language import syntax
from hiddenhand.planning.language.syntax import Fault, SourcePosition

MOST_NESTED = 50

A_VALUE = "(a value)"
ANY_VARIABLE = "(any variable)"
Bindings = Mapping[str, str]
"""What each parameter stands for: the name of a variable, or one of the two above."""


@dataclass(frozen=True)
class Context:
    """Where an expression stands, and what it may look at there."""

    owner: str
    kinds: tuple[str, ...] = ("input", "hidden")
    terminal: bool = True
    line: int = 0

    def may(self) -> str:
        return Text("input variables") if self.kinds == ("input",) else Text("input and hidden variables")


def check_names(specification: syntax.Specification) -> None:
    """Raise a `Fault` at the first name that means nothing, or nothing that is allowed there."""
    NameChecker(specification).everything()


class NameChecker:
    def __init__(self, specification: syntax.Specification) -> None:
        self.specification = specification
        self.values = {value.name for value in specification.values}
        self.variables = {variable.name: variable for variable in specification.variables}
        self.domains = {variable.name: {v.name for v in variable.values} for variable in specification.variables}
        self.functions = specification.functions
        self.calls: list[tuple[syntax.Function, dict[str, str], Context]] = []
        self.seen: set[tuple[object, ...]] = set()
        self.known_queries: set[tuple[int, tuple[str, ...]]] = set()

    def everything(self) -> None:
        self.declarations()
        for item in self.specification.knowledge:
            self.item(item)
        for function in self.functions.values():
            unknown = {p.name: A_VALUE if p.kind == "value" else ANY_VARIABLE for p in function.parameters}
            if not any(seen[0] == function.name for seen in self.seen):
                self.enter(
                    function,
                    unknown,
                    Context(Text("the function {name}", name=function.name), line=function.place.line),
                )
                self.follow_calls()
        for command in self.specification.commands:
            self.command(command)

    def fault(self, place: SourcePosition, message: str, /, **values: Value) -> Fault:
        return Fault(self.specification.file, place, message, **values)

    # --- declarations ---

    def declarations(self) -> None:
        self.unique(self.specification.values, "value")
        self.unique(self.specification.variables, "variable")
        for variable in self.specification.variables:
            for value in variable.values:
                if value.name not in self.values:
                    raise self.unknown(value.place, "value", value.name, self.values)
            self.unique(variable.values, f"value of {variable.name}")
        end = self.specification.variables[-1].place if self.specification.variables else SourcePosition(1, 1)
        for kind in ("input", "output"):
            if not self.specification.of_kind(kind):
                raise self.fault(end, "there is no {kind} variable; a world needs at least one", kind=kind)
        functions = [item for item in self.specification.knowledge if isinstance(item, syntax.Function)]
        self.unique(functions, "function")
        for function in functions:
            self.unique(function.parameters, f"parameter of {function.name}")

    def unique(
        self, things: Iterable[syntax.Value | syntax.Variable | syntax.Function | syntax.Parameter], what: str
    ) -> None:
        first: dict[str, SourcePosition] = {}
        for thing in things:
            if thing.name in first:
                line = first[thing.name].line
                raise self.fault(
                    thing.place,
                    'the {what} "{name}" is there already, on line {n}',
                    what=what,
                    name=thing.name,
                    n=line,
                )
            first[thing.name] = thing.place

    def unknown(self, place: SourcePosition, what: str, name: str, known: Iterable[str]) -> Fault:
        names = sorted(known)
        return self.fault(
            place,
            'unknown {what} "{name}"{hint}; there are: {list}',
            what=what,
            name=name,
            hint=did_you_mean(name, names),
            list=one_of(names) if names else Text("none"),
        )

    # --- knowledge ---

    def item(self, item: syntax.Knowledge) -> None:
        if isinstance(item, syntax.Impossible):
            self.conditions(item.requires, Context(f'impossible "{item.name}"', terminal=False, line=item.place.line))
        elif isinstance(item, syntax.Payoff):
            self.conditions(item.requires, Context(f'payoff "{item.name}"', ("input",), False, item.place.line))
        elif isinstance(item, syntax.Action):
            self.query(item.query, ("output",), Text("the action"))
            for case in item.cases:
                self.case(case)
        elif isinstance(item, syntax.Precalculated):
            self.precalculated(item)

    def case(self, case: syntax.Case) -> None:
        if case.illegal:
            self.conditions(case.requires, Context(f'illegal case "{case.name}"', ("input",), False, case.place.line))
        else:
            self.conditions(case.requires, Context(f'case "{case.name}"', line=case.place.line))
        for probability in case.probabilities:
            context = Context(f'probability "{probability.name}"', line=probability.place.line)
            self.conditions(probability.requires, context)

    def conditions(self, requires: tuple[syntax.Logical, ...], context: Context) -> None:
        for condition in requires:
            self.logical(condition, {}, context, 0)
        self.follow_calls()

    def logical(self, condition: syntax.Logical, bound: Bindings, context: Context, nested: int) -> None:
        self.not_too_deep(condition.place, nested)
        if isinstance(condition, syntax.Equal):
            self.expression(condition.left, bound, context, nested + 1)
            self.expression(condition.right, bound, context, nested + 1)
        elif isinstance(condition, syntax.Not):
            self.logical(condition.part, bound, context, nested + 1)
        else:
            for part in condition.parts:
                self.logical(part, bound, context, nested + 1)

    def expression(self, expression: syntax.Expression, bound: Bindings, context: Context, nested: int) -> None:
        self.not_too_deep(expression.place, nested)
        if isinstance(expression, syntax.Name):
            self.value_or_parameter(expression, bound)
        elif isinstance(expression, syntax.StateValue):
            self.state_value(expression, bound, context)
        elif isinstance(expression, syntax.Call):
            self.call(expression, bound, context, nested)

    def value_or_parameter(self, name: syntax.Name, bound: Bindings) -> None:
        if name.name in bound or name.name in self.values:
            return
        if name.name in self.variables:
            raise self.fault(
                name.place,
                '"{name}" is a variable, here a value is expected; write "initial value {name}" or "terminal '
                "value "
                '{name}"',
                name=name.name,
            )
        raise self.unknown(name.place, "value", name.name, self.values | set(bound))

    def state_value(self, expression: syntax.StateValue, bound: Bindings, context: Context) -> None:
        name = expression.variable
        meant = bound.get(name, name)
        if meant == A_VALUE:
            raise self.fault(
                expression.place,
                'the parameter "{name}" is a value; only a variable has a value in a state',
                name=name,
            )
        if expression.when == "terminal" and not context.terminal:
            raise self.fault(
                expression.place,
                '{what} is about one state: only "initial value" makes sense there',
                what=self.named(context),
            )
        if meant == ANY_VARIABLE:
            return
        if meant not in self.variables:
            raise self.unknown(expression.place, "variable", name, [*self.variables, *bound])
        kind = self.variables[meant].kind
        if kind not in context.kinds:
            raise self.fault(
                expression.place,
                '{what} may look only at {kinds}; "{name}" is {kind}',
                what=self.named(context),
                kinds=context.may(),
                name=meant,
                kind=kind,
            )

    def named(self, context: Context) -> Text:
        return Text("{what} (line {line})", what=context.owner, line=context.line)

    def call(self, call: syntax.Call, bound: Bindings, context: Context, nested: int) -> None:
        function = self.functions.get(call.function)
        if function is None:
            raise self.unknown(call.place, "function", call.function, self.functions)
        wanted = len(function.parameters)
        if len(call.arguments) != wanted:
            raise self.fault(
                call.place,
                Text.plural(
                    'the function "{name}" takes {n} argument, not {given}',
                    'the function "{name}" takes {n} arguments, not {given}',
                    n=wanted,
                    name=function.name,
                    given=len(call.arguments),
                ),
            )
        inner = dict(bound)
        for parameter, argument in zip(function.parameters, call.arguments):
            if parameter.kind == "variable":
                inner[parameter.name] = self.variable_argument(parameter, argument, bound)
            else:
                self.expression(argument, bound, context, nested + 1)
                inner[parameter.name] = A_VALUE
        self.enter(function, inner, context)

    def variable_argument(self, parameter: syntax.Parameter, argument: syntax.Expression, bound: Bindings) -> str:
        if not isinstance(argument, syntax.Name):
            raise self.fault(
                argument.place, 'the parameter "{name}" takes the bare name of a variable', name=parameter.name
            )
        meant = bound.get(argument.name, argument.name)
        if meant == A_VALUE or (meant != ANY_VARIABLE and meant not in self.variables):
            raise self.unknown(argument.place, "variable", argument.name, self.variables)
        return meant

    def enter(self, function: syntax.Function, bound: dict[str, str], context: Context) -> None:
        """Go through the body later, unless it has been gone through just so."""
        key = (function.name, tuple(sorted(bound.items())), context.kinds, context.terminal)
        if key not in self.seen:
            self.seen.add(key)
            self.calls.append((function, bound, context))

    def follow_calls(self) -> None:
        while self.calls:
            function, bound, context = self.calls.pop()
            self.statements(function.body, bound, context, 0)

    def statements(
        self, statements: tuple[syntax.Statement, ...], bound: Bindings, context: Context, nested: int
    ) -> None:
        for statement in statements:
            self.not_too_deep(statement.place, nested)
            if isinstance(statement, syntax.Return | syntax.Evaluated):
                self.expression(statement.expression, bound, context, nested + 1)
            else:
                self.logical(statement.condition, bound, context, nested + 1)
                self.statements(statement.body, bound, context, nested + 1)

    def not_too_deep(self, place: SourcePosition, nested: int) -> None:
        if nested > MOST_NESTED:
            raise self.fault(place, "this is nested more than {n} deep", n=MOST_NESTED)

    # --- queries ---

    def query(self, query: syntax.Query, kinds: tuple[str, ...], what: str, optional: tuple[str, ...] = ()) -> None:
        """Every variable of these kinds must be named once, with a value it can have."""
        key = (id(query), kinds + optional)
        if key in self.known_queries:
            return
        named: set[str] = set()
        for assignment in query.assignments:
            self.assignment(assignment, kinds + optional, what)
            if assignment.variable in named:
                raise self.fault(
                    assignment.place, '{what} names the variable "{name}" twice', what=what, name=assignment.variable
                )
            named.add(assignment.variable)
        missing = [v.name for v in self.variables.values() if v.kind in kinds and v.name not in named]
        if missing:
            raise self.fault(
                query.place,
                "{what} must name every {kinds} variable; missing: {list}",
                what=what,
                kinds=" and ".join(kinds),
                list=one_of(missing),
            )
        self.known_queries.add(key)

    def assignment(self, assignment: syntax.Assignment, kinds: tuple[str, ...], what: str) -> None:
        allowed = [v.name for v in self.variables.values() if v.kind in kinds]
        variable = self.variables.get(assignment.variable)
        if variable is None:
            raise self.unknown(assignment.place, "variable", assignment.variable, allowed)
        if variable.kind not in kinds:
            raise self.fault(
                assignment.place,
                '{what} names {kinds} variables only; "{name}" is {kind}',
                what=what,
                kinds=" and ".join(kinds),
                name=variable.name,
                kind=variable.kind,
            )
        if assignment.value not in self.domains[variable.name]:
            values = [v.name for v in variable.values]
            raise self.fault(
                assignment.value_place,
                'the variable "{name}" has no value "{value}"{hint}; it has: {list}',
                name=variable.name,
                value=assignment.value,
                hint=did_you_mean(assignment.value, values),
                list=one_of(values),
            )

    def precalculated(self, item: syntax.Precalculated) -> None:
        lines: dict[tuple[tuple[str, str], ...], int] = {}
        for state in item.states:
            self.query(state.query, ("input",), Text("the visible state"))
            key = tuple(sorted(state.query.as_dict().items()))
            if key in lines:
                raise self.fault(state.place, "this visible state is there already, on line {n}", n=lines[key])
            lines[key] = state.place.line
            for belief in state.beliefs:
                self.belief(belief.cases, belief.place)
                self.query(belief.action, ("output",), Text("the action"))
                if belief.value is not None and not isfinite(belief.value):
                    raise self.fault(belief.place, "the value of the stored action is too large")

    def belief(
        self, cases: tuple[syntax.BeliefCase, ...], place: SourcePosition, optional: tuple[str, ...] = ()
    ) -> None:
        total = 0.0
        for case in cases:
            self.query(case.query, ("hidden",), Text("a state of the belief"), optional)
            if not 0.0 <= case.probability <= 1.0:
                raise self.fault(
                    case.place,
                    "a probability lies between {a} and {b}, {value} does not",
                    a=0.0,
                    b=1.0,
                    value=case.probability,
                )
            total += case.probability
        if total <= 0.0:
            raise self.fault(place, "the belief gives no state a positive probability")

    # --- commands ---

    def command(self, command: syntax.Command) -> None:
        if isinstance(command, syntax.TestCommand) and command.query is not None:
            self.query(command.query, ("input", "hidden"), Text("the state to test"))
        elif isinstance(command, syntax.Cout):
            for shown in command.shown:
                if shown.query is not None:
                    self.query(shown.query, ("input",), Text("the visible state"))
        elif isinstance(command, syntax.GivenInput):
            self.query(command.query, ("input",), Text("the input"))
        elif isinstance(command, syntax.GivenAction):
            self.query(command.query, ("output",), Text("the action"))
        elif isinstance(command, syntax.GivenBelief):
            self.belief(command.cases, command.place, optional=("input",))
