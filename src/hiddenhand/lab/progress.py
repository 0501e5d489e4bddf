"""A progress bar on stderr, for people: where stderr is no terminal, nothing is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown_progress(unit: str = "games") -> Iterator[Callable[[int, int], None] | None]:
    """What to tell of the work done and wanted; None where nobody watches. `unit`: what is counted."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,  # a thread of its own could receive Ctrl-C in our place
        transient=True,
    )
    with bar:
        task = bar.add_task(unit, total=None)

        def show(done: int, wanted: int) -> None:
            bar.update(task, completed=done, total=wanted, refresh=True)

        yield show
