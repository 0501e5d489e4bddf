"""Façades: packages that offer names defined elsewhere, each loaded when it is first asked for.

    if TYPE_CHECKING:
        from hiddenhand.lab.match import match

    __all__ = ["match"]
    facade(__name__)

The imports that type checkers follow are read from the source, and made on first use. Importing the package then
costs next to nothing, and a public name keeps its meaning: Python binds every module that it imports in the package
around it, so a module `lab/match.py` would otherwise take the place of the function `lab.match` as soon as anybody
imports it.
"""

import ast
import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


class Facade(ModuleType):
    """A package whose public names are loaded on first use and are never hidden by its modules."""

    _homes: Mapping[str, str] = {}
    """By public name, where it is defined: `module:name`, or a module."""

    _former: Mapping[str, str] = {}
    """Names of the release before, and what they are called now."""

    def __getattr__(self, name: str) -> Any:
        if name in self._former:
            now = self._former[name]
            warnings.warn(f"{self.__name__}.{name} is called {now} now", DeprecationWarning, stacklevel=2)
            return getattr(self, now)
        if name not in self._homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module, _, there = self._homes[name].partition(":")
        value = getattr(import_module(module), there) if there else import_module(module)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and self._homes.get(name, value.__name__) != value.__name__:
            return
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *self._homes})


def facade(package: str, former: Mapping[str, str] | None = None, modules: Mapping[str, str] | None = None) -> None:
    """Make a façade of a package that is being imported.

    former    public names of the release before, and the new ones; they are still found, with a warning
    modules   names that stand for whole modules, whatever the imports say
    """
    module = sys.modules[package]
    module.__dict__["_homes"] = {**imports_of(module), **(modules or {})}
    module.__dict__["_former"] = former or {}
    module.__class__ = Facade


def imports_of(module: ModuleType) -> dict[str, str]:
    """The names that `if TYPE_CHECKING:` imports at the top of a package, and where they are defined."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    blocks = (node for node in ast.parse(source).body if isinstance(node, ast.If))
    imports = (line for line in next(blocks).body if isinstance(line, ast.ImportFrom))
    return {each.name: f"{line.module}:{each.name}" for line in imports for each in line.names}
