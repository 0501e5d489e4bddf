"""Studies of one game each: published tables and figures made again.

hiddenhand reproduce hanabi
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.lab.runner import Running, run


def names() -> list[str]:
    """The games that have studies; each has a module `reproduction`."""
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


def reproduce(name: str, folder: Path, running: Running, workers: int = 1, **choices: Any) -> Any:
    """Reproduce one work into a folder; prints nothing, returns something to print."""
    if name not in names():
        raise UserError(
            Text(
                "nothing called {name}{guess} is reproduced; there is: {names}",
                name=repr(name),
                guess=did_you_mean(name, names()),
                names=one_of(names()),
            )
        )
    begin = import_module(f"{__name__}.{name}.reproduction").begin
    for choice in choices:
        if choice not in signature(begin).parameters:
            raise UserError(Text("the reproduction of {name} has no {choice} to choose", name=name, choice=choice))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(Text("cannot make the folder {folder}: {why}", folder=folder, why=error.strerror)) from None
    return run(begin(folder, running, workers, **choices), running)
