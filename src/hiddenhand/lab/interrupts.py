"""Ctrl-C: taken at once while games are being played, kept waiting while results are being put away."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Ctrl-C: `result` holds what was finished, `message` says how to go on."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.message = message
        self.result = result


class Interrupts:
    """Within `with Interrupts() as interrupts`, Ctrl-C has effect only in `with interrupts.welcome()`."""

    def __init__(self) -> None:
        self.pressed = False
        self.heard = False

    def __enter__(self) -> Interrupts:
        self.in_charge = threading.current_thread() is threading.main_thread()
        if self.in_charge:  # Python allows handlers in the main thread only; it is also the one that gets Ctrl-C
            self.before = signal.signal(signal.SIGINT, self.notice)
        return self

    def __exit__(self, *error: object) -> None:
        if self.in_charge:
            signal.signal(signal.SIGINT, self.before)

    def notice(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        if self.heard:
            raise KeyboardInterrupt

    @contextmanager
    def welcome(self) -> Iterator[None]:
        self.heard = True
        try:
            if self.pressed:
                raise KeyboardInterrupt
            yield
        finally:
            self.heard = False


@contextmanager
def unnoticed_by_children() -> Iterator[None]:
    """Processes started in here never see Ctrl-C: it reaches the whole terminal, but the parent decides."""
    resource_tracker.ensure_running()  # multiprocessing's own; its start would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
