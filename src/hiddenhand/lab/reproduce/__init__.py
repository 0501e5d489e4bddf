"""Reproductions: published tables and figures, made again with ours beside them. Each module here is one work.

hiddenhand reproduce hanabi
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError, did_you_mean, one_of


def names() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.name != "report"]


def reproduce(name: str, folder: Path, **arguments: Any) -> Any:
    """Reproduce one work into a folder; prints nothing, returns something to print."""
    if name not in names():
        raise UserError(
            f"nothing called {name!r}{did_you_mean(name, names())} is reproduced; there is: {one_of(names())}"
        )
    make = import_module(f"{__name__}.{name}").reproduce
    for argument in arguments:
        if argument not in signature(make).parameters:
            raise UserError(f"the reproduction of {name} has no {argument} to choose")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {folder}: {error.strerror}") from None
    return make(folder, **arguments)
