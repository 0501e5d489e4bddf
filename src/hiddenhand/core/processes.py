"""Processes that are started to work for this one: they leave the processor to people, and do not outlive it."""

from __future__ import annotations

import os
import time
from contextlib import suppress

LOOK = 0.5
"""Seconds after which a process looks again whether its parent is there."""


def stand_back(process: int, politeness: int) -> None:
    """Let a process that was just started leave the processor to others; its imports are work too."""
    if hasattr(os, "setpriority"):  # not on Windows
        with suppress(OSError):  # it is gone already
            os.setpriority(os.PRIO_PROCESS, process, politeness)


def leave_with_parent() -> None:
    """In a thread: a parent that is killed cannot stop this process, which then has another."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
