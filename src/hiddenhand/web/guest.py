"""A guest: one connection's presence at one table, with the seats that its token holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hiddenhand.web.hearing import WATCHER


class Guest:
    """Somebody at a table."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self.send = send
        self.seats: tuple[int, ...] = ()
        self.ear = WATCHER
        """Whose knowledge is shown."""
        self.asking = False
        """A question is being answered; one at a time."""
