"""Binding: one algorithm, compiled for each game with direct calls of that game's rules.

An algorithm that works for every game is written once, as plain functions that call the names of the contract, and
marked `@generic`. `bind(algorithm, rules)` makes a copy of it in which those names mean the rules of one game (and
every other generic function it calls is bound likewise), and the copy is a rule like any other. Calls are direct and
can be inlined: a search runs more than twice as fast as it would through function pointers.

An algorithm can leave gaps of its own in the same way: a function that it calls is a plug-in point, and
`bind(algorithm, rules, plugs={point: function})` puts another generic function in its place, here and in everything
that the algorithm calls. A point that is itself generic is its own default.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np

from hiddenhand.kernel import contract
from hiddenhand.kernel.fingerprint import fingerprint
from hiddenhand.kernel.records import copy, flatten
from hiddenhand.kernel.rng import below
from hiddenhand.kernel.rule import Rule, Uncompiled, rule

__all__ = ["DEFAULTS", "Generic", "Rules", "bind", "generic"]


class Rules:
    """The compiled rules of one game, those that it leaves out replaced by their defaults.

    state, view    the types of the records that they work on
    action_count   how many actions there are, legal or not: all are below this number
    """

    def __init__(
        self,
        name: str,
        functions: Mapping[str, Any],
        state: np.dtype[Any],
        view: np.dtype[Any],
        action_count: int,
    ) -> None:
        missing = [stub.__name__ for stub in contract.REQUIRED if stub.__name__ not in functions]
        if missing:
            raise TypeError(f"the game {name} has no rule {' and no rule '.join(missing)}")
        self.name, self.state, self.view, self.action_count = name, state, view, action_count
        self.functions = dict(functions)
        self.given = {stub.__name__ for stub in contract.OPTIONAL if stub.__name__ in functions}
        self.table: dict[Callable[..., Any], Any] = {}
        defaults = DEFAULTS | {"vary": functions.get("redeal", redeal_nothing)}
        for stub in (*contract.REQUIRED, *contract.OPTIONAL):
            function = functions.get(stub.__name__, defaults.get(stub.__name__))
            self.table[stub] = function
            setattr(self, stub.__name__, function)

    @property
    def uncompiled(self) -> bool:
        """Whether they are run by Python alone, and so is what goes through them."""
        return isinstance(self.functions["play"], Uncompiled)

    @cached_property
    def key(self) -> str:
        """A name for exactly these rules: an edit to any of them gives another."""
        parts = [fingerprint(function) for function in self.table.values() if isinstance(function, Rule)]
        return f"{self.name}-{hashlib.sha256(' '.join(parts).encode()).hexdigest()[:12]}"

    def replaced(self, **functions: Any) -> "Rules":
        """The same rules with some of them exchanged."""
        return Rules(self.name, {**self.functions, **functions}, self.state, self.view, self.action_count)

    def bind(self, algorithm: "Generic", plugs: Mapping[Any, Any] | None = None) -> Rule:
        """An algorithm of the kernel or of a search for this game, compiled if these rules can be."""
        return bind(algorithm, self, plugs)

    def __getattr__(self, name: str) -> Any:  # for the type checker: rules are set in __init__
        raise AttributeError(name)


class Generic:
    """An algorithm waiting for a game."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.bound: WeakKeyDictionary[Rules, dict[Any, Rule]] = WeakKeyDictionary()
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> NoReturn:
        raise TypeError(f"{self.function.__name__} must be bound to a game first")


if TYPE_CHECKING:  # as in `rule`
    from typing import no_type_check as generic

if not TYPE_CHECKING:

    def generic(function: FunctionType) -> Generic:
        """Mark an algorithm that calls the rules of the contract and works for every game."""
        return Generic(function)


def bind(algorithm: Generic, rules: Rules, plugs: Mapping[Any, Any] | None = None) -> Rule:
    """The algorithm, for the game with these rules.

    plugs   functions that stand for others in it: an algorithm with open places calls stubs, and another fills them.
            They are compiled into it: they pass named tuples of arrays to each other, which costs nothing within a
            function and much between two
    """
    known = algorithm.bound.setdefault(rules, {})
    key = tuple((plugs or {}).items())
    if key not in known:
        source = algorithm.function
        names = dict(source.__globals__)
        for name in source.__code__.co_names:
            meaning = names.get(name)
            if plugs and isinstance(meaning, FunctionType | Generic) and meaning in plugs:
                meaning = names[name] = plugs[meaning]
            if isinstance(meaning, Generic):
                names[name] = bind(meaning, rules, plugs)
            elif isinstance(meaning, FunctionType) and meaning in rules.table:
                names[name] = rules.table[meaning]
            if rules.uncompiled and isinstance(names.get(name), Rule):
                names[name] = plainly(names[name])
        function = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
        function.__module__ = source.__module__
        function.__doc__ = source.__doc__
        known[key] = Uncompiled(function) if rules.uncompiled else Rule(function, inline=bool(plugs))
    return known[key]


@cache
def plainly(meaning: Rule) -> Rule:
    """A rule as plain Python through and through: whatever it calls is plain too."""
    if isinstance(meaning, Uncompiled) or not isinstance(meaning.plain, FunctionType):
        return meaning
    source = meaning.plain
    names = dict(source.__globals__)
    for name in source.__code__.co_names:
        if isinstance(names.get(name), Rule):
            names[name] = plainly(names[name])
    return Uncompiled(FunctionType(source.__code__, names, source.__name__, source.__defaults__, source.__closure__))


@rule
def observe_everything(s, seat, view):
    copy(view, s)


@rule
def redeal_nothing(s, seat, rng):
    pass


@rule
def untold(s, first, actions):
    return contract.UNTOLD


@rule
def no_worlds(s, seat):
    return 0


@rule
def no_world(s, seat, number, rng):
    return 0.0


@rule
def no_odds(s, out):
    out[0] = 1.0


@rule
def evaluate_nothing(s, out):
    for seat in range(len(out)):
        out[seat] = 0.0


@rule
def no_features(s, out):
    pass


@rule
def judge_nothing(s, network, out):
    for seat in range(len(out)):
        out[seat] = 0.0


@rule
def order_as_they_are(s, actions, n):
    pass


@rule
def always_quiet(s):
    return True


@rule
def no_endgames(s, codes):
    return -1, False


@rule
def side_is_seat(s, seat):
    return np.int64(seat)


@rule
def any_action(s, seat, actions, n, rng):
    return actions[below(rng, n)]


@rule
def measure_nothing(s, out):
    pass


@rule
def encode_fields(view, seat, out):
    flatten(view, out)


@rule
def as_it_is(view, action, seat):
    return np.int64(action)


DEFAULTS = {
    "observe": observe_everything,
    "redeal": redeal_nothing,
    "rewind": untold,
    "worlds": no_worlds,
    "world": no_world,
    "odds": no_odds,
    "evaluate": evaluate_nothing,
    "features": no_features,
    "judge": judge_nothing,
    "order": order_as_they_are,
    "quiet": always_quiet,
    "endgame": no_endgames,
    "side": side_is_seat,
    "likely": any_action,
    "measure": measure_nothing,
    "encode": encode_fields,
    "relative": as_it_is,
}
