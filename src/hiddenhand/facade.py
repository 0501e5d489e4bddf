"""Façades: packages that offer names defined elsewhere, each loaded when it is first asked for.

    facade(__name__, {"match": "hiddenhand.lab.match:match", ...})

at the end of a package's `__init__` makes it one. Importing the package then costs next to nothing, and a public name
keeps its meaning: Python binds every module that it imports in the package around it, so a module `lab/match.py`
would otherwise take the place of the function `lab.match` as soon as anybody imports it. Without a colon, the public
name is the module itself.
"""

import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
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


def facade(package: str, homes: Mapping[str, str], former: Mapping[str, str] | None = None) -> None:
    """Make a façade of a package that is being imported. `former`: public names of the release before, and the new
    ones; they are still found, with a warning."""
    module = sys.modules[package]
    module.__dict__["_homes"] = homes
    module.__dict__["_former"] = former or {}
    module.__class__ = Facade
