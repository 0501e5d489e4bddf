"""The runner: carries out work that can be broken off at any instant and goes on as if nothing had happened.

Matches, training, tuning, evolution, precalculation and reproductions are all done here. Each is a `Resumable`: it
does its work in steps. A step changes nothing; what it has found is added afterwards, all at once. Ctrl-C (SIGINT)
and SIGTERM may break off a step, but they wait while something is added, kept in the store or written to a file. So
what the store has is always what was added, never half of it; and since everything random is derived from a seed and
the number of the step, a step that is repeated gives the same.
"""

from __future__ import annotations

import logging
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text

if TYPE_CHECKING:
    from hiddenhand.lab.store import Store

LOG = logging.getLogger("hiddenhand.lab")
KEEP_EVERY = 2.0
"""Seconds of work that a process loses if it is killed without warning."""
KEEPING_SHARE = 0.05
"""The share of the time that saving may take; large work is saved less often."""

Progress = Callable[[int, int], None]
"""progress(done, wanted): called with what is done and what is wanted, in the units of the work."""

Parts = Mapping[str, Mapping[str, Any]]
"""The saved state of some work: named parts, each of them a few named arrays and values that JSON can hold."""


RECORD = "record "
"""A part whose name is this and a number is the record of a game; the store lists it separately."""


class WorkResult(Protocol):
    """What came of some work, or what there is of it so far."""

    def to_json(self) -> Any:
        """The result as JSON; a line of text where there is none yet."""
        ...

    def progress_curves(self) -> Sequence[Any]:
        """The curves that show how it went, or goes."""
        ...


class Resumable(Protocol):
    """Work that is done in steps, and can be stopped and go on between any two of them."""

    kind: str
    """What it is, in a word: `match`, `training`."""
    unit: str
    """What is counted: `games`, `generations`."""

    @property
    def plan(self) -> dict[str, Any]:
        """All that determines the result, as JSON; work with another plan is other work."""
        ...

    @property
    def result_type(self) -> Callable[..., Any] | None:
        """Makes the result of work whose files are written from the values of its `to_json`."""
        ...

    @property
    def done(self) -> int: ...

    @property
    def wanted(self) -> int: ...

    @property
    def over(self) -> bool: ...

    def prepare(self) -> None:
        """Compile and start what the steps need."""
        ...

    def step(self) -> Any:
        """Do the next piece of work and return it. Nothing may change that `snapshot` and `result` can see."""
        ...

    def add(self, piece: Any) -> None:
        """Add what a step has returned to the state of the work."""
        ...

    def snapshot(self) -> Parts:
        """The parts that have changed since the last snapshot; a part replaces the one of the same name."""
        ...

    def restore(self, parts: Parts) -> None:
        """Set the state of the work to that of all parts that snapshots have returned."""
        ...

    def result(self, seconds: float) -> Any:
        """The result; before the end, what there is of it so far (a `SoFar` of `curves`, if that is no result yet).

        At the end, the files of the result are written here.
        """
        ...


@dataclass(frozen=True)
class WorkEntry:
    """Some work as the store lists it."""

    kind: str
    plan: dict[str, Any]
    output: str
    wanted: int


@dataclass(frozen=True)
class Running:
    """How work is carried out; none of it changes the result."""

    store: Store | None = None
    """Where it is kept."""
    resume: bool = False
    """Go on from what the store has of it."""
    progress: Progress | None = None
    watch: Callable[[Any], None] | None = None
    """Shown the result so far, a few times a second at most, while the work goes on."""
    output: str = ""
    """The file that the result is written to. The same work for another file is kept separately."""


WATCH_EVERY = 0.25
GO_ON = Text("the same command with --resume goes on from there")


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Ctrl-C: `result` holds what was finished, `message` says how to go on."""

    def __init__(self, message: str, result: Any, signal_number: int = signal.SIGINT) -> None:
        super().__init__(message)
        self.message = message
        self.result = result
        self.signal_number = signal_number

    @property
    def status(self) -> int:
        """The exit status that a shell expects after this signal."""
        return 128 + self.signal_number


class Interruptions:
    """The signals that ask us to stop. Inside `noticed`, they are raised as KeyboardInterrupt; inside `held`, they
    wait. Work may contain work: the innermost of these decides."""

    def __init__(self) -> None:
        self.signal_number: int | None = None
        """The signal that came, if one came."""
        self.hearing = False

    def arrive(self, number: int, frame: FrameType | None) -> None:
        self.signal_number = number
        if self.hearing:
            self.hearing = False  # once is enough: what follows is tidying up
            raise KeyboardInterrupt

    def check(self) -> None:
        if self.signal_number is not None:
            raise KeyboardInterrupt

    @contextmanager
    def noticed(self) -> Iterator[None]:
        self.check()
        before, self.hearing = self.hearing, True
        try:
            yield
        finally:
            self.hearing = before
        self.check()  # Python drops what a signal raises inside some callbacks

    @contextmanager
    def held(self) -> Iterator[None]:
        before, self.hearing = self.hearing, False
        try:
            yield
        finally:
            self.hearing = before and self.signal_number is None
        if before:
            self.check()

    @contextmanager
    def in_charge(self) -> Iterator[None]:
        """Signals come here, in the main thread of a process: Python gives them to no other."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        ours = self.arrive
        before = {number: signal.getsignal(number) for number in STOPPING}
        if before[signal.SIGINT] == ours:  # work inside of work
            yield
            return
        self.signal_number = None
        for number in STOPPING:
            signal.signal(number, ours)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            self.signal_number = None


STOPPING = (signal.SIGINT, signal.SIGTERM)
INTERRUPTIONS = Interruptions()


def run(work: Resumable, running: Running) -> Any:
    """Carry out some work; its result. Broken off, it raises Interrupted with the result so far."""
    if running.resume and running.store is None:
        raise UserError("resume needs a store to go on from")
    if running.output:
        check_output(Path(running.output))
    with INTERRUPTIONS.in_charge(), INTERRUPTIONS.held():
        keeper = Keeper(work, running)
        if keeper.document is not None and work.result_type is not None:
            return work.result_type(**keeper.document)
        try:
            report(work, running)
            if not work.over:
                with INTERRUPTIONS.noticed():
                    work.prepare()
                keeper.start_clock()
                go_on(work, running, keeper)
            keeper.stop_clock()
            result = work.result(keeper.seconds)
        except KeyboardInterrupt:
            keeper.keep()
            raise interrupted(work, keeper, work.result(keeper.seconds)) from None
        except BaseException:
            keeper.keep()
            raise
        keeper.finish(result)
        if INTERRUPTIONS.signal_number is not None:  # too late, but whoever called us should know
            raise interrupted(work, keeper, result)
    return result


def check_output(path: Path) -> None:
    """Refuse, before any work, a file that could not be written after it; a folder that is missing is made."""
    if path.is_dir():
        raise UserError("{path} cannot be written: it is a folder", path=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except (FileExistsError, NotADirectoryError):
        raise UserError("{path} cannot be written: {parent} is no folder", path=path, parent=path.parent) from None
    except OSError as error:
        raise UserError("{path} cannot be written: {why}", path=path, why=error.strerror) from None


def go_on(work: Resumable, running: Running, keeper: Keeper) -> None:
    """Step by step to the end."""
    shown = time.monotonic()
    while not work.over:
        with INTERRUPTIONS.noticed():
            piece = work.step()
        work.add(piece)
        report(work, running)
        keeper.keep_now_and_then()
        if running.watch is not None and not work.over and time.monotonic() - shown > WATCH_EVERY:
            running.watch(work.result(keeper.seconds))
            shown = time.monotonic()


def report(work: Resumable, running: Running) -> None:
    if running.progress is not None:
        running.progress(work.done, work.wanted)


def interrupted(work: Resumable, keeper: Keeper, result: Any) -> Interrupted:
    """What to say after Ctrl-C."""
    message = Text("{done:,} of {wanted:,} {unit} done", done=work.done, wanted=work.wanted, unit=work.unit)
    if keeper.store is not None and not keeper.failed:
        message = Text("{message}; {how}", message=message, how=GO_ON)
    return Interrupted(message, result, INTERRUPTIONS.signal_number or signal.SIGINT)


class Keeper:
    """Keeps work in the store every few seconds, and the time that it takes."""

    def __init__(self, work: Resumable, running: Running) -> None:
        self.work = work
        self.store = running.store
        self.output = str(Path(running.output).absolute()) if running.output else ""
        self.before = 0.0
        self.started: float | None = None
        self.kept = time.perf_counter()
        self.pause = KEEP_EVERY
        self.failed = False
        self.document: dict[str, Any] | None = None
        """The result, where the work was finished before and its files are there."""
        if self.store is not None and running.resume:
            self.open(self.store, running)
        elif self.store is not None:
            with self.at_any_price():
                self.open(self.store, running)
            if self.failed:
                self.store = None

    def open(self, store: Store, running: Running) -> None:
        work = self.work
        self.key = store.begin(WorkEntry(work.kind, work.plan, self.output, work.wanted), running.resume)
        if running.resume:
            if self.output and Path(self.output).exists():
                self.document = store.document(self.key)
            parts, self.before = store.load(self.key)
            if parts:
                try:
                    work.restore(parts)
                except (ValueError, LookupError, TypeError):
                    raise UserError(
                        "the store {url} is damaged: what it has of this work cannot be read", url=store.url
                    ) from None

    def start_clock(self) -> None:
        self.started = time.perf_counter()

    def stop_clock(self) -> None:
        self.before, self.started = self.seconds, None

    @property
    def seconds(self) -> float:
        """Of all runs together, preparations left out."""
        return self.before if self.started is None else self.before + time.perf_counter() - self.started

    def keep_now_and_then(self) -> None:
        if time.perf_counter() - self.kept > self.pause:
            self.keep()

    def keep(self) -> None:
        start = time.perf_counter()
        if self.store is not None:
            with self.at_any_price():
                self.store.keep(self.key, self.work.snapshot(), self.work.done, self.seconds)
        self.kept = time.perf_counter()
        self.pause = max(KEEP_EVERY, (self.kept - start) / KEEPING_SHARE)

    def finish(self, result: WorkResult) -> None:
        self.keep()
        if self.store is not None:
            with self.at_any_price():
                self.store.finish(self.key, result.to_json(), forget=bool(self.output))

    @contextmanager
    def at_any_price(self) -> Iterator[None]:
        """A store that fails on the way, on a full disk say, must not cost the work itself: it is said, once."""
        try:
            yield
        except UserError as error:
            if not self.failed:
                LOG.warning("hiddenhand: what follows is not kept: %s", error)
            self.failed = True
