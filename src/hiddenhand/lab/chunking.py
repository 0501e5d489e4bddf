"""Cutting a match into chunks of about half a second each, and keeping every worker supplied with them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait

from hiddenhand.lab.executors import Runner
from hiddenhand.lab.interrupts import Interrupts
from hiddenhand.lab.playing import Chunk

AIM = 0.5
"""Seconds that a chunk should take: short enough for a lively progress bar and a prompt Ctrl-C."""

GROWTH = 8
MOST = 1 << 20
LAST_CALL = 1.0
"""Seconds that chunks under way are given to finish after Ctrl-C."""

Gap = tuple[int, int]
"""Games still to play: the first, and the one after the last."""


class Pace:
    """Learns from each chunk how large the next should be. `unit`: games that stay together (one deal)."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.size = unit

    def learn(self, chunk: Chunk) -> None:
        fitting = int(AIM * chunk.count / max(chunk.seconds, 1e-9))
        largest = min(GROWTH * self.size, MOST)
        self.size = max(self.unit, min(fitting, largest) // self.unit * self.unit)

    def share(self, left: int, lanes: int) -> int:
        """The size of the next chunk, if so many games are left for so many lanes."""
        fair = math.ceil(left / lanes / self.unit) * self.unit
        return max(self.unit, min(self.size, fair))


def played(
    play: Callable[[int, int], Chunk], gaps: list[Gap], unit: int, runner: Runner, interrupts: Interrupts
) -> Iterator[Chunk]:
    """Play all gaps; the chunks come in the order in which they are finished.

    After Ctrl-C the chunks that are finished, or nearly so, still come; then KeyboardInterrupt is raised.
    """
    pace = Pace(unit)
    waiting = list(gaps)
    under_way: set[Future[Chunk]] = set()
    try:
        while waiting or under_way:
            while waiting and len(under_way) < runner.lanes:
                with interrupts.welcome():
                    future = runner.submit(play, *next_range(waiting, pace, runner.lanes))
                under_way.add(future)
            with interrupts.welcome():
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                under_way.discard(future)
                chunk = future.result()
                pace.learn(chunk)
                yield chunk
    except KeyboardInterrupt:
        done, _ = wait(under_way, timeout=LAST_CALL)
        for future in done:
            if future.exception() is None:
                yield future.result()
        raise


def next_range(waiting: list[Gap], pace: Pace, lanes: int) -> tuple[int, int]:
    """Take the next chunk off the front of what is waiting: its first game and its size."""
    first, end = waiting.pop(0)
    left = end - first + sum(stop - start for start, stop in waiting)
    count = min(pace.share(left, lanes), end - first)
    if first + count < end:
        waiting.insert(0, (first + count, end))
    return first, count
