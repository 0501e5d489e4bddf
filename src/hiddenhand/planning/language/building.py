"""Building: what the parser found becomes the tree of `syntax`, one small method for each rule of the grammar."""

from __future__ import annotations

from math import isfinite
from typing import Any, cast

from lark import Token, Transformer_NonRecursive, v_args

from hiddenhand.planning.language import syntax
from hiddenhand.planning.language.faults import Fault
from hiddenhand.planning.language.stored_beliefs import StoredBeliefs
from hiddenhand.planning.language.syntax import Place

MOST_DIGITS = 9


def at(token: Token) -> Place:
    return Place(cast(int, token.line), cast(int, token.column))


@v_args(inline=True)
class Builder(Transformer_NonRecursive[Token, Any]):
    """Builds one specification."""

    def __init__(self, file: str, skipped: tuple[tuple[str, Place], ...]) -> None:
        super().__init__()
        self.file = file
        self.skipped = skipped
        self.stored_beliefs = StoredBeliefs()

    def specification(self, values: Any, variables: Any, knowledge: Any, *commands: Any) -> syntax.Specification:
        return syntax.Specification(values, variables, knowledge, commands, self.file, self.skipped)

    # --- values and variables ---

    def values(self, _: Token, *lines: tuple[syntax.Value, ...]) -> tuple[syntax.Value, ...]:
        return tuple(value for line in lines for value in line)

    def value_line(self, *names: Token) -> tuple[syntax.Value, ...]:
        return tuple(syntax.Value(str(name), at(name)) for name in names)

    def variables(self, _: Token, *variables: syntax.Variable) -> tuple[syntax.Variable, ...]:
        return variables

    def variable(self, kind: Any, name: Token, *values: Token) -> syntax.Variable:
        return syntax.Variable(kind.value, str(name), self.value_line(*values), at(name))

    # --- knowledge ---

    def knowledge(self, *items: Any) -> tuple[Any, ...]:
        return items

    def function(self, name: Token, *rest: Any) -> syntax.Function:
        return syntax.Function(str(name), rest[:-1], rest[-1], at(name))

    def parameter(self, kind: Any, name: Token) -> syntax.Parameter:
        return syntax.Parameter(kind.value, str(name), at(name))

    def body(self, *statements: Any) -> tuple[Any, ...]:
        return statements

    def returned(self, keyword: Token, expression: syntax.Expression) -> syntax.Return:
        return syntax.Return(expression, at(keyword))

    def conditional(self, keyword: Token, condition: syntax.Logical, body: Any) -> syntax.If:
        return syntax.If(condition, body, at(keyword))

    def impossible(self, keyword: Token, name: Token, *requires: Any) -> syntax.Impossible:
        return syntax.Impossible(unquoted(name), requires, at(keyword))

    def payoff(self, keyword: Token, name: Token, amount: Token, *requires: Any) -> syntax.Payoff:
        return syntax.Payoff(unquoted(name), self.number(amount), requires, at(keyword))

    def action(self, keyword: Token, query: syntax.Query, *cases: syntax.Case) -> syntax.Action:
        return syntax.Action(query, cases, at(keyword))

    def case(self, keyword: Token, name: Token, *items: Any) -> syntax.Case:
        probabilities = tuple(item for item in items if isinstance(item, syntax.Probability))
        illegal = any(isinstance(item, Token) for item in items)
        requires = tuple(item for item in items if not isinstance(item, syntax.Probability | Token))
        return syntax.Case(unquoted(name), requires, illegal, probabilities, at(keyword))

    def illegal(self, keyword: Token) -> Token:
        return keyword

    def probability(self, keyword: Token, name: Token, chance: Token, *requires: Any) -> syntax.Probability:
        return syntax.Probability(unquoted(name), self.number(chance, 0.0, 1.0), requires, at(keyword))

    def requires(self, condition: syntax.Logical) -> syntax.Logical:
        return condition

    # --- precalculated knowledge ---

    def precalculated(self, keyword: Token, depth: Token, granularity: Token, *states: Any) -> syntax.Precalculated:
        return syntax.Precalculated(self.depth(depth), self.granularity(granularity), states, at(keyword))

    def stored_state(self, keyword: Token, query: Any, amounts: Any, *rest: Any) -> syntax.StoredState:
        too_complex = bool(rest) and rest[0] is TOO_COMPLEX
        possible_states, beliefs = amounts
        return syntax.StoredState(query, possible_states, beliefs, too_complex, rest[too_complex:], at(keyword))

    def amounts(self, states: Token, beliefs: Token) -> tuple[float, float]:
        return self.number(states), self.number(beliefs)

    def too_complex(self) -> object:
        return TOO_COMPLEX

    def stored_belief(self, keyword: Token, *rest: Any) -> syntax.StoredBelief:
        *cases, action, value = rest
        return syntax.StoredBelief(tuple(cases), action, self.number(value), at(keyword))

    def stored_belief_at_once(self, whole: Token) -> syntax.StoredBelief:
        return self.stored_beliefs.read(str(whole), at(whole))

    def belief_case(self, keyword: Token, query: syntax.Query, probability: Token) -> syntax.BeliefCase:
        return syntax.BeliefCase(query, self.number(probability), at(keyword))

    def query(self, brace: Token, *assignments: syntax.Assignment) -> syntax.Query:
        return syntax.Query(assignments, at(brace))

    def assignment(self, variable: Token, value: Token) -> syntax.Assignment:
        return syntax.Assignment(str(variable), str(value), at(variable), at(value))

    # --- expressions ---

    def logical(self, *parts: syntax.Logical) -> syntax.Or:
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, syntax.Or) else (part,))]
        return syntax.Or(tuple(flat), parts[0].place)

    def conjunction(self, *parts: syntax.Logical) -> syntax.And:
        flat = [inner for part in parts for inner in (part.parts if isinstance(part, syntax.And) else (part,))]
        return syntax.And(tuple(flat), parts[0].place)

    def equal(self, left: syntax.Expression, right: syntax.Expression) -> syntax.Equal:
        return syntax.Equal(left, right, left.place)

    def negation(self, part: syntax.Logical) -> syntax.Not:
        return syntax.Not(part, part.place)

    def state_value(self, when: Any, variable: Token) -> syntax.StateValue:
        return syntax.StateValue(when.value, str(variable), at(variable))

    def call(self, function: Token, *arguments: syntax.Expression) -> syntax.Call:
        return syntax.Call(str(function), arguments, at(function))

    def name(self, name: Token) -> syntax.Name:
        return syntax.Name(str(name), at(name))

    def text(self, text: Token) -> syntax.Text:
        return syntax.Text(unquoted(text), at(text))

    # --- commands ---

    def loop(self, keyword: Token, depth: Token) -> syntax.Loop:
        return syntax.Loop(self.depth(depth), at(keyword))

    def test(self, keyword: Token, query: syntax.Query | None = None) -> syntax.Test:
        return syntax.Test(query, at(keyword))

    def cout(self, keyword: Token, *shown: syntax.Shown) -> syntax.Cout:
        return syntax.Cout(shown, at(keyword))

    def shown(self, what: Any, *rest: Any) -> syntax.Shown:
        word: Any = "visible states" if what.type == "VISIBLE" else what.value
        if not rest:
            return syntax.Shown(word, place=at(what))
        query = rest[2] if len(rest) > 2 else None
        return syntax.Shown(word, self.depth(rest[0]), self.granularity(rest[1]), query, at(what))

    def given_input(self, keyword: Token, query: syntax.Query) -> syntax.GivenInput:
        return syntax.GivenInput(query, at(keyword))

    def given_belief(self, keyword: Token, *cases: syntax.BeliefCase) -> syntax.GivenBelief:
        return syntax.GivenBelief(cases, at(keyword))

    def given_action(self, keyword: Token, query: syntax.Query) -> syntax.GivenAction:
        return syntax.GivenAction(query, at(keyword))

    def solve(self, keyword: Token, depth: Token) -> syntax.Solve:
        return syntax.Solve(self.depth(depth), at(keyword))

    # --- numbers ---

    def number(self, token: Token, low: float | None = None, high: float | None = None) -> float:
        value = float(token)
        if not isfinite(value):
            raise Fault(self.file, at(token), f"the number {token} is too large")
        if low is not None and high is not None and not low <= value <= high:
            raise Fault(self.file, at(token), f"a probability lies between {low} and {high}, {token} does not")
        return value

    def whole(self, token: Token, what: str, least: int) -> int:
        if len(token) > MOST_DIGITS or int(token) < least:
            raise Fault(self.file, at(token), f"{what} must be a whole number of at least {least}, not {token:.20}")
        return int(token)

    def depth(self, token: Token) -> int:
        return self.whole(token, "the depth of planning", 0)

    def granularity(self, token: Token) -> int:
        return self.whole(token, "the granularity", 2)


TOO_COMPLEX = object()


def unquoted(token: Token) -> str:
    return str(token)[1:-1]
