"""Limits: how much one connection, one address and all together may ask for."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, replace

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

KB = 1024
KEPT_FREE = 64
"""Open files that are left to the server itself, and to connections that are about to be closed."""
MANY = 8192
"""Open files, where nobody says how many are allowed."""


def files_allowed() -> int:
    """How many files, connections included, this process may have open."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else -1
    return soft if soft >= 0 else MANY


@dataclass(frozen=True)
class Rate:
    """A limit of how often something may happen: in a second on average, and at once after a pause."""

    a_second: float
    at_once: float


@dataclass(frozen=True)
class Limits:
    """What the server allows. The defaults suit a household; a benchmark sets higher ones."""

    messages: Rate = Rate(40, 120)
    """From one socket."""
    frames: Rate = Rate(2, 60)
    """Frames of one socket besides its messages: pings, pongs, parts of messages."""
    received: Rate = Rate(128 * KB, 2048 * KB)
    """Bytes from one socket."""
    requests: Rate = Rate(50, 300)
    """From one address, over HTTP; sockets are asked for so, too."""
    creations: Rate = Rate(2, 60)
    """New tables from one address."""
    checks: Rate = Rate(4, 40)
    """Texts of one address that are looked at while they are written."""
    reading: float = 10.0
    """Seconds that a text which somebody brings may take to be read."""
    opening: float = 2.0
    """Seconds of work that it may take if it is kept: the server reads it again for its tables."""
    reader_memory: int = 768
    """Megabytes that the process may take up in which such texts are read."""
    texts: int = 500
    """Texts of visitors that are kept."""
    texts_size: int = 16 * 1024 * KB
    """Bytes that they may take up together."""
    sockets: int = 2000
    sockets_per_address: int = 1000
    connections_per_address: int = 1000
    """Connections that are not sockets: a browser has a few."""
    tables_per_socket: int = 64
    live_tables: int = 2000
    """Tables in memory; the others wait in the store."""
    jobs_waiting: int = 32
    """Matches and tournaments of all addresses together."""
    jobs_per_address: int = 8
    decision: float = 60.0
    """Seconds that an agent may think about a move."""
    question: float = 30.0
    """Seconds that an agent may think about a question."""
    worker_memory: int = 1024
    """Megabytes that one process may take up in which agents think."""
    job_memory: int = 2048
    """Megabytes that a match or a tournament may take up."""
    message_size: int = 64 * KB
    body_size: int = 512 * KB
    outbox: int = 1000
    """Messages that may wait for a reader before it is let go."""
    outbox_size: int = 1024 * KB
    """Bytes that may wait for a reader, besides its longest message."""
    outboxes_size: int = 64 * 1024 * KB
    """Bytes that may wait for all readers; then the one furthest behind is let go."""

    def within(self, files: int) -> Limits:
        """The same, as far as so many open files allow, and so that no address takes all of them."""
        places = max(files - KEPT_FREE, 4)
        return replace(
            self,
            sockets=min(self.sockets, places * 3 // 4),
            sockets_per_address=min(self.sockets_per_address, places // 2),
            connections_per_address=min(self.connections_per_address, places // 4),
        )


class TokenBucket:
    """A token bucket: it fills at a steady rate up to its capacity, and every permission takes a token."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.level = rate.at_once
        self.at = time.monotonic()

    def take(self, count: int = 1) -> bool:
        """Take so many tokens, if there are as many; whether there were."""
        now = time.monotonic()
        self.level = min(self.rate.at_once, self.level + (now - self.at) * self.rate.a_second)
        self.at = now
        if self.level < count:
            return False
        self.level -= count
        return True


class TokenBuckets:
    """One bucket for each address; the addresses seen last are remembered."""

    MOST = 4096

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.of: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        bucket = self.of.setdefault(address, TokenBucket(self.rate))
        self.of.move_to_end(address)
        if len(self.of) > self.MOST:
            self.of.popitem(last=False)
        return bucket.take()
