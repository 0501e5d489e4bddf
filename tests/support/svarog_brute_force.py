"""A Svarog interpreter that knows no short cuts: every pair of states, every condition, one by one.

Written from the description of the language alone, to compare the tables of a `World` with. A state
is a dict of values; `calls` is the list of parameters of the calls under way.
"""

from itertools import product

from hiddenhand.planning.language import syntax as x

NOTHING = ("nothing",)


class Interpreter:
    def __init__(self, specification):
        self.specification = specification
        self.order = [v.name for v in specification.values]
        self.inputs = specification.of_kind("input")
        self.hidden = specification.of_kind("hidden")
        self.outputs = specification.of_kind("output")

    def product(self, variables):
        domains = [[n for n in self.order if n in {v.name for v in variable.values}] for variable in variables]
        return [dict(zip((v.name for v in variables), names)) for names in product(*domains)]

    def value(self, e, before, after, calls):
        if isinstance(e, x.StringLiteral):
            return ("text", e.text)
        if isinstance(e, x.StateValue):
            return ("value", {"initial": before, "terminal": after}[e.when][self.variable(e.variable, calls)])
        if isinstance(e, x.Name):
            for call in reversed(calls):
                if e.name in call:
                    return call[e.name]
            return ("value", e.name)
        function = self.specification.functions[e.function]
        call = {}
        for parameter, argument in zip(function.parameters, e.arguments):
            if parameter.kind == "variable":
                call[parameter.name] = ("variable", self.variable(argument.name, calls))
            else:
                call[parameter.name] = self.value(argument, before, after, calls)
        result = self.run(function.body, before, after, [*calls, call])
        return NOTHING if result is None else result

    def variable(self, name, calls):
        for call in reversed(calls):
            if name in call:
                return call[name][1]
        return name

    def run(self, body, before, after, calls):
        for statement in body:
            if isinstance(statement, x.Return):
                return self.value(statement.expression, before, after, calls)
            if self.holds(statement.condition, before, after, calls):
                result = self.run(statement.body, before, after, calls)
                if result is not None:
                    return result
        return None

    def holds(self, c, before, after=None, calls=()):
        if isinstance(c, x.Equal):
            left = self.value(c.left, before, after, list(calls))
            return left == self.value(c.right, before, after, list(calls)) and left != NOTHING
        if isinstance(c, x.Not):
            return not self.holds(c.part, before, after, calls)
        together = all if isinstance(c, x.And) else any
        return together(self.holds(part, before, after, calls) for part in c.parts)

    def impossible(self, state):
        return any(all(self.holds(c, state) for c in block.requires) for block in self.specification.impossible)

    def payoff(self, visible):
        amount = 0.0
        for block in self.specification.payoffs:
            if all(self.holds(c, visible) for c in block.requires):
                amount = block.amount
        return amount

    def cases(self, action):
        return [c for block in self.specification.actions if block.query.as_dict() == action for c in block.cases]

    def legal(self, visible, action):
        return not any(c.illegal and all(self.holds(r, visible) for r in c.requires) for c in self.cases(action))

    def chance(self, before, action, after):
        for case in self.cases(action):
            if not case.illegal and all(self.holds(c, before, after) for c in case.requires):
                for probability in case.probabilities:
                    if all(self.holds(c, before, after) for c in probability.requires):
                        return probability.chance
                return 0.0
        return 0.0
