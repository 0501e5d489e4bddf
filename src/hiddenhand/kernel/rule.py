"""Rules: functions that run as plain Python and compiled, with the same results.

`@rule` makes a Rule of a function. What a call from Python does depends on the mode of the process:

- COMPILE (matches, training, searches): the first call compiles the function, or finds its compiled code on disk;
- PLAIN_UNTIL_COMPILED (tables for people): it runs as plain Python at once, and changes over as soon as another
  process has put its compiled code on disk (see `core/background_compile.py`);
- PLAIN (NUMBA_DISABLE_JIT=1): it always runs as plain Python.

Compiled code calls other rules directly, whatever the mode. Numba itself is imported with the first compiled call.

Set NUMBA_BOUNDSCHECK=1 to check every array index of compiled code.
"""

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from numba import types

    from hiddenhand.kernel.compiler import Part, RuleDispatcher

__all__ = [
    "Instruction",
    "Mode",
    "NotCompiled",
    "Rule",
    "Uncompiled",
    "in_mode",
    "inlined",
    "instruction",
    "recheck_cache",
    "rule",
    "set_mode",
]


class Mode(Enum):
    """What calling a rule from Python does."""

    COMPILE = "compile"
    PLAIN_UNTIL_COMPILED = "plain until compiled"
    PLAIN = "plain"


Function = Callable[..., Any]
RULES: WeakSet["Rule"] = WeakSet()
"""All rules in use; the rules of a game that is no longer referenced are collected with it."""
ALWAYS_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


class NotCompiled(Exception):
    """There is no compiled code for these arguments, and this process does not compile."""


class Rule:
    """A function of the compiled floor: a rule of a game, or a part of one."""

    __name__: str
    mode = Mode.PLAIN if ALWAYS_PLAIN else Mode.COMPILE
    cache_version = 0
    """Goes up whenever another process may have put compiled code on disk."""

    def __init__(self, function: Function, inline: bool = False, returns: str = "") -> None:
        functools.update_wrapper(self, function)
        self.__name__: str = function.__name__
        self.function = function
        """What is compiled."""
        self.plain = function
        """What runs uncompiled: the same function, unless `plainly` gives another."""
        self.inline = inline
        self.returns = returns
        """The type that Python is given, as Numba names it; empty: whatever the function gives."""
        self.checked_version = 0
        self._part: Part | None = None
        self._entry: RuleDispatcher | None = None
        self.start_over()
        RULES.add(self)

    def __call__(self, *arguments: Any) -> Any:
        return self.run(*arguments)

    def plainly(self, function: Function) -> "Rule":
        """Decorate the plain Python that gives the same result, where the compiled text would not."""
        self.plain = function
        self.start_over()
        return self

    def start_over(self) -> None:
        """Decide again, at the next call, how to run."""
        ways = {
            Mode.COMPILE: self.run_compiled,
            Mode.PLAIN_UNTIL_COMPILED: self.run_plain_until_compiled,
            Mode.PLAIN: self.plain,
        }
        self.run: Function = ways[Rule.mode]

    def run_compiled(self, *arguments: Any) -> Any:
        self.run = self.entry
        return self.run(*arguments)

    def run_plain_until_compiled(self, *arguments: Any) -> Any:
        """Plain Python, until there is compiled code for arguments of these types on disk."""
        if self.checked_version != Rule.cache_version:
            self.checked_version = Rule.cache_version
            if self.entry.load(arguments):
                self.run = self.run_if_loaded
                return self.run(*arguments)
        return self.plain(*arguments)

    def run_if_loaded(self, *arguments: Any) -> Any:
        try:
            return self.entry(*arguments)
        except NotCompiled:
            return self.plain(*arguments)

    @property
    def entry(self) -> "RuleDispatcher":
        """The compiled function as Python calls it."""
        if self._entry is None:
            from hiddenhand.kernel.numba_compat import compiler

            self._entry = compiler().RuleDispatcher(self)
        return self._entry

    @property
    def part(self) -> "Part":
        """The compiled function as other compiled functions call it."""
        if self._part is None:
            from hiddenhand.kernel.numba_compat import compiler

            self._part = compiler().Part(self)
        return self._part

    @property
    def _numba_type_(self) -> "types.Type":  # how Numba sees a rule that compiled code names
        return self.part._numba_type_


class Uncompiled(Rule):
    """A rule that only Python can run, since it calls what no compiler reads: that of another library's game."""

    def start_over(self) -> None:
        self.run = self.plain


class Instruction(Rule):
    """A rule whose compiled form is written for the compiler itself: `generates` gives it, as Numba's intrinsics."""

    def generates(self, function: Function) -> "Instruction":
        """Decorate f(typing_context, *argument types) -> (signature, generator of code)."""
        self.function = function
        return self

    @property
    def part(self) -> "Part":
        if self._part is None:
            from hiddenhand.kernel.numba_compat import instruction_type

            self._part = instruction_type(self.function)
        return self._part

    @property
    def _numba_type_(self) -> "types.Type":
        return self.part


if TYPE_CHECKING:  # mypy looks into no function that is compiled: for it, these decorators are the one that says so
    from typing import no_type_check as inlined
    from typing import no_type_check as instruction
    from typing import no_type_check as rule

if not TYPE_CHECKING:  # not `else`: the reference would take it for something that is not there at run time

    def rule(function: Function) -> Rule:
        """Mark a function as a rule of a game, or as a part of one."""
        return Rule(function)

    def inlined(function: Function) -> Rule:
        """A rule so small, and called so often, that it is compiled into each of its callers."""
        return Rule(function, inline=True)

    def instruction(function: Function) -> Instruction:
        """A rule that is given here as plain Python; its `generates` says what the compiler makes of it."""
        return Instruction(function)


def set_mode(mode: Mode) -> None:
    """How rules run from now on in this process; NUMBA_DISABLE_JIT=1 is stronger."""
    if not ALWAYS_PLAIN:
        Rule.mode = mode
        for each in list(RULES):
            each.start_over()


@contextmanager
def in_mode(mode: Mode) -> Iterator[None]:
    """Within it, rules run so; afterwards as before."""
    before = Rule.mode
    set_mode(mode)
    try:
        yield
    finally:
        set_mode(before)


def recheck_cache() -> None:
    """Compiled code may have come to disk: rules that run uncompiled look for theirs at their next call."""
    Rule.cache_version += 1
