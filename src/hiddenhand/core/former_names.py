"""Names of the release before: they still work, with a warning that says what is written now."""

from __future__ import annotations

import warnings
from typing import Any


class FormerName:
    """An attribute that is called otherwise now: `moves = FormerName("legal_moves")`.

    called   what was an attribute is a method now, which is called
    """

    def __init__(self, now: str, called: bool = False) -> None:
        self.now, self.called = now, called

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is None:
            return self
        brackets = "()" if self.called else ""
        kind = owner.__name__
        message = f"{kind}.{self.name} is called {kind}.{self.now}{brackets} now"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        value = getattr(instance, self.now)
        return value() if self.called else value
