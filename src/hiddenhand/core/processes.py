"""Those who work for this process: what is known of them; their priority; they end with it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Protocol

LOOK = 0.5
"""Seconds between two looks whether the parent is still there."""


class Workers(Protocol):
    """What work needs to know of those who do it."""

    capacity: int
    here: bool
    """Whether `submit` works in this very process, so that any object can be handed over."""

    def prepare(self, task: Callable[[], None]) -> None: ...

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]: ...

    def stop(self) -> None: ...


def set_niceness(process: int, niceness: int) -> None:
    """Lower the priority of a process that was just started, before it spends time on its imports."""
    if hasattr(os, "setpriority"):  # not on Windows
        with suppress(OSError):  # it is gone already
            os.setpriority(os.PRIO_PROCESS, process, niceness)


def leave_with_parent() -> None:
    """End this process when its parent is gone: a parent that is killed cannot stop it. Runs in a thread."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
