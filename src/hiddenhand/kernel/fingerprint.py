"""Fingerprints: what the compiled code of a rule depends on, as one short text.

The fingerprint of a function is a hash of its own code and of everything that its code names: constants, arrays,
record types, and the fingerprints of the rules it calls. Where it was written, its comments and its documentation do
not enter. So compiled code on disk is found again exactly as long as it is right: an edit to one game recompiles
that game alone, and the same text in another file is not compiled again.
"""

import hashlib
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from hiddenhand.kernel.rule import Rule

LENGTH = 20


def fingerprint(rule: Rule) -> str:
    """The fingerprint of a rule, computed once."""
    known: str | None = rule.__dict__.get("_fingerprint")
    if known is None:
        rule.__dict__["_fingerprint"] = ""  # a rule that calls itself
        text = f"{rule.inline}|{of_function(rule.function)}"
        known = hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
        rule.__dict__["_fingerprint"] = known
    return known


def reach(rule: Rule) -> set[Rule]:
    """A rule and all rules that it calls, directly or not."""
    found: set[Rule] = set()
    waiting = [rule]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            function = each.function
            named = [function.__globals__[name] for name in names_in(function.__code__, function.__globals__)]
            enclosed = [cell.cell_contents for cell in function.__closure__ or ()]
            waiting += [value for value in (*named, *enclosed) if isinstance(value, Rule)]
    return found


def of_function(function: FunctionType | Any) -> str:
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    named = {name: function.__globals__[name] for name in sorted(names_in(function.__code__, function.__globals__))}
    return "|".join(
        [
            of_code(function.__code__, function.__doc__),
            *(f"{name}={of_value(value)}" for name, value in named.items()),
            *(of_value(value) for value in cells),
            *(of_value(value) for value in function.__defaults__ or ()),
        ]
    )


def names_in(code: CodeType, known: dict[str, Any]) -> set[str]:
    """The global names that a piece of code uses, inner functions included."""
    found = {name for name in code.co_names if name in known}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= names_in(constant, known)
    return found


def of_code(code: CodeType, documentation: str | None = None) -> str:
    constants = [
        of_code(constant) if isinstance(constant, CodeType) else f"{type(constant).__name__}:{constant!r}"
        for constant in code.co_consts
        if documentation is None or constant != documentation
    ]
    parts = (code.co_code.hex(), code.co_names, code.co_varnames, code.co_argcount, constants)
    return repr(parts) + repr(getattr(code, "co_exceptiontable", b""))


def of_value(value: object) -> str:
    """What compiled code takes of a value that it names."""
    if isinstance(value, Rule):
        return fingerprint(value)
    if isinstance(value, np.ndarray):
        return f"array:{value.dtype!r}:{value.shape}:{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, np.dtype):
        return f"dtype:{value!r}:{value.itemsize}"
    if isinstance(value, type):
        return f"type:{value.__module__}.{value.__qualname__}:{getattr(value, '_fields', '')}"
    if isinstance(value, tuple):
        return f"({','.join(of_value(item) for item in value)})"
    if isinstance(value, (bool, int, float, str, bytes, type(None), np.generic)):
        return f"{type(value).__name__}:{value!r}"
    if isinstance(value, ModuleType):
        return of_module(value)
    if isinstance(value, FunctionType):  # no rule: a helper of an instruction, or a name that only looks like one
        return of_code(value.__code__)
    if isinstance(value, (BuiltinFunctionType, np.ufunc)):
        return f"builtin:{value.__name__}"
    if isinstance(value, list | dict | set):  # compiled code cannot use them, only plain Python can
        return type(value).__name__
    return f"{type(value).__module__}.{type(value).__qualname__}"


def of_module(module: ModuleType) -> str:
    """A library counts by its name; a module of games by its whole text, since any of it may be meant."""
    file = getattr(module, "__file__", None)
    if file and (module.__name__.partition(".")[0] == "hiddenhand" or module.__name__.startswith("hiddenhand_file")):
        with open(file, "rb") as source:
            return f"module:{hashlib.sha256(source.read()).hexdigest()}"
    return f"module:{module.__name__}"
