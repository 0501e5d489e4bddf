"""Mistakes in a user's own file, told in one line: the file, the line, what is wrong, and the nearest name.

A rule is compiled, and what the compiler says of a wrong name or type is a page about itself. What runs as plain
Python ends in a traceback through our code. Of both, users need the line in the file that they wrote.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, ParamSpec, TypeVar

from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.core.files import MODULE

P = ParamSpec("P")
T = TypeVar("T")
PLACE = re.compile(r'File "([^"]+)", line (\d+)|at (\S+\.py) \((\d+)\)')
"""How the compiler writes a place in a file."""
NO_NAME = re.compile(r"name '(\w+)' is not defined")
NO_NUMBER = re.compile(r"Cannot cast Literal\[str\]\((.*)\) to (\w+)")
NOISE = re.compile(r"Failed in|During:|File \"|\s*$|.*<source elided>")
"""Lines of the compiler's report that do not say what is wrong."""


def tells_own_faults(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate what runs a user's code: a mistake in his file becomes a UserError, anything else stays what it is."""

    @functools.wraps(function)
    def run(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return function(*arguments, **named)
        except Exception as error:
            fault = own_fault(error)
            if fault is None:
                raise
            raise fault from (None if compiler_says(error) else error)

    return run


def own_fault(error: BaseException) -> UserError | None:
    """What is wrong in a user's own file, if that is where an error comes from."""
    modules = {str(module.__file__): module for name, module in [*sys.modules.items()] if name.startswith(MODULE)}
    if isinstance(error, (UserError, AssertionError)) or not modules:
        return None
    wrong, names = what_is_wrong(error)
    place = place_of(error, modules) or place_of_name(wrong, modules)
    if place is None:
        return None
    file, line = place
    if not names and wrong:
        names = names_in(modules[file])
    hint = did_you_mean(wrong, names) if wrong else ""
    return UserError(
        "{file}, line {line}: {wrong}{hint}", file=file, line=line, wrong=message_of(error, wrong), hint=hint
    )


def compiler_says(error: BaseException) -> bool:
    """Whether an error comes out of the compiler."""
    return any("numba" in Path(frame.tb_frame.f_code.co_filename).parts for frame in frames(error.__traceback__))


def frames(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def what_is_wrong(error: BaseException) -> tuple[str, list[str]]:
    """The name that does not exist, if that is what is wrong, and the names that there are."""
    last = [*frames(error.__traceback__)][-1].tb_frame if error.__traceback__ else None
    if isinstance(error, KeyError) and last is not None and hasattr(last.f_locals.get("self"), "fields"):
        return str(error.args[0]), [*last.f_locals["self"].fields]  # a field of a record that the compiler looks for
    if isinstance(error, AttributeError) and error.name:
        fields = getattr(getattr(error.obj, "dtype", None), "names", None)
        return error.name, list(fields or (name for name in dir(error.obj) if not name.startswith("_")))
    if found := re.search(r"object has no attribute '(\w+)'", str(error)):
        return found[1], []
    found = NO_NAME.search(str(error))
    return (found[1] if found else ""), []


def place_of(error: BaseException, modules: dict[str, ModuleType]) -> tuple[str, int] | None:
    """The innermost line of a user's file in a traceback, or the last one that the compiler names."""
    for frame in reversed([*frames(error.__traceback__)]):
        if frame.tb_frame.f_code.co_filename in modules:
            return frame.tb_frame.f_code.co_filename, frame.tb_lineno
        location: Any = getattr(frame.tb_frame.f_locals.get("self"), "loc", None)  # of what the compiler looked at
        if getattr(location, "filename", None) in modules and getattr(location, "line", None):
            return location.filename, location.line
    for found in reversed(PLACE.findall(str(error))):
        for file in modules:
            if str(Path(found[0] or found[2]).resolve()) == str(Path(file).resolve()):
                return file, int(found[1] or found[3])
    return None


def place_of_name(wrong: str, modules: dict[str, ModuleType]) -> tuple[str, int] | None:
    """Where a file uses a name that does not exist: the compiler does not say."""
    for file in modules if wrong else ():
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name) and node.id == wrong and wrong not in vars(modules[file]):
                return file, node.lineno
    return None


def names_in(module: ModuleType) -> list[str]:
    """What a file calls by name: its own names, and the fields of its records."""
    fields = [name for value in vars(module).values() for name in getattr(value, "names", None) or ()]
    return [*(name for name in vars(module) if not name.startswith("_")), *map(str, fields)]


def message_of(error: BaseException, wrong: str) -> str:
    """What is wrong, in a few words."""
    if isinstance(error, KeyError) and wrong:
        return f"there is no field {wrong!r}"
    if isinstance(error, AttributeError) and "'record' object" in str(error):
        return f"there is no field {wrong!r}"
    lines = [line.strip() for line in str(error).splitlines() if not NOISE.match(line)]
    told = lines[0] if lines else ""
    if found := NO_NUMBER.match(told):
        return f"{found[1]!r} is a text, where a number ({found[2]}) is needed"
    if compiler_says(error):
        return re.sub(r"^(\w+Error): ", "", told) if told else "this cannot be compiled"
    return f"{type(error).__name__}: {told}"


def place_of_method(owner: object, name: str) -> str:
    """A method of a user's class by its file and line, or by its name."""
    function = inspect.unwrap(getattr(type(owner), name))
    code = getattr(function, "__code__", None)
    called = f"{type(owner).__name__}.{name}"
    return called if code is None else f"{code.co_filename}, line {code.co_firstlineno}: {called}"
