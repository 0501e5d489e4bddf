"""A guest: one connection's presence at one table, with the seats that its token holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hiddenhand.web.hearing import WATCHER


class Guest:
    """Somebody at a table."""

    def __init__(self, send_text: Callable[[str], None]) -> None:
        self.send_text = send_text
        self.seats: tuple[int, ...] = ()
        self.ear = WATCHER
        """Whose knowledge is shown."""
        self.asking = False
        """A question is being answered; one at a time."""

    def send(self, message: dict[str, Any]) -> None:
        self.send_text(written(message))


def written(message: dict[str, Any]) -> str:
    """A message as it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
