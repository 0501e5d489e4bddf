"""Limits of memory for the worker processes: how much one takes up, and how it ends when that is too much."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

MB = 1 << 20
TOO_LARGE = 77
"""The exit status of a process that needed too much memory."""
LOOK = 0.1
"""Seconds between two checks."""


def leave_when_too_large(most: int) -> None:
    """In a thread: end this process as soon as it takes up more bytes than it may."""
    while resident() <= most:
        time.sleep(LOOK)
    os._exit(TOO_LARGE)


def resident() -> int:
    """The bytes of memory that this process takes up; where the system does not tell it, the most so far."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else 1024 * most
