"""Processes that are started to work for this one: they run at a low priority and end with it."""

from __future__ import annotations

import os
import time
from contextlib import suppress

LOOK = 0.5
"""Seconds between two looks whether the parent is still there."""


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
