"""How rules are compiled where `compiler.py` cannot be used: each by `numba.njit(cache=True)`, as Numba documents it.

It offers the same names as `compiler.py` and gives the same results, and takes several times as long to compile. What
is left of Numba's insides is the address of a compiled function, by which the match loop calls policies.
"""

import os
from collections.abc import Callable
from typing import Any

import numba

from hiddenhand.kernel.disk_cache import cache_directory
from hiddenhand.kernel.numba_compat import named, types
from hiddenhand.kernel.rule import Mode, NotCompiled, Rule

OPTIONS = {"nogil": True, "error_model": "numpy"}
numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = str(cache_directory() / "plain")
"""Both: Numba reads the environment again from time to time."""


def dispatcher_of(of: Rule) -> Any:
    """Numba's dispatcher for a rule, which keeps its code on disk if the rule's text is in a file."""
    options = {**OPTIONS, "forceinline": True} if of.inline else OPTIONS
    try:
        return numba.njit(cache=True, **options)(named(of))
    except RuntimeError:  # Numba keeps nothing of functions whose file it cannot find
        return numba.njit(**options)(named(of))


class PlainPart:
    """A rule as compiled code calls it."""

    compiled = 0
    watch: Callable[[str], None] | None = None
    """Told the name of each rule that is compiled."""

    def __init__(self, of: Rule) -> None:
        PlainPart.compiled += 1
        if PlainPart.watch is not None:
            PlainPart.watch(of.__name__)
        self.dispatcher = dispatcher_of(of)
        self._numba_type_ = self.dispatcher._numba_type_


class PlainRuleDispatcher:
    """A rule as Python calls it."""

    def __init__(self, of: Rule) -> None:
        self.rule = of
        self.cast = int if of.returns else None

    def __call__(self, *arguments: Any) -> Any:
        if Rule.mode is not Mode.COMPILE and not self.dispatcher.overloads:
            raise NotCompiled(self.rule.__name__)
        result = self.dispatcher(*arguments)
        return result if self.cast is None else self.cast(result)

    @property
    def dispatcher(self) -> Any:
        return self.rule.part.dispatcher

    def load(self, arguments: tuple[Any, ...]) -> bool:
        """Whether compiled code for such arguments is there: never, since Numba does not look without compiling."""
        return False

    def address(self, arguments: tuple[Any, ...]) -> int:
        """Where the machine code for these argument types begins; it returns an int64."""
        if Rule.mode is not Mode.COMPILE:
            raise NotCompiled(self.rule.__name__)
        dispatcher = self.dispatcher
        if self.rule.returns:
            dispatcher = numba.njit(getattr(types, self.rule.returns)(*arguments), **OPTIONS)(named(self.rule))
        else:
            dispatcher.compile(arguments)
        found = dispatcher.overloads[arguments]
        self.kept = dispatcher  # its code must outlive the address
        return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))


Part, RuleDispatcher = PlainPart, PlainRuleDispatcher
"""The names by which `kernel.rule` asks for them, as in `compiler.py`."""
