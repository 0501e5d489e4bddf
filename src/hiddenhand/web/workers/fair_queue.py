"""A fair queue: addresses take turns, and so do the tables of an address; nobody delays others by asking for much."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class FairQueue(Generic[Thing]):
    """A queue of things, by the address and the table from which they come."""

    def __init__(self) -> None:
        self.of: OrderedDict[str, OrderedDict[str, deque[Thing]]] = OrderedDict()

    def __iter__(self) -> Iterator[Thing]:
        return (thing for tables in self.of.values() for things in tables.values() for thing in things)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, thing: Thing, address: str, table: str = "") -> None:
        self.of.setdefault(address, OrderedDict()).setdefault(table, deque()).append(thing)

    def take(self, fits: Callable[[Thing], bool]) -> Thing | None:
        """Take the next thing that fits, or None; its address and its table go to the end of their rows."""
        for address, tables in self.of.items():
            for table, things in tables.items():
                if fits(things[0]):
                    self.of.move_to_end(address)
                    tables.move_to_end(table)
                    taken = things.popleft()
                    self.tidy(address, table)
                    return taken
        return None

    def remove(self, thing: Thing) -> None:
        """Remove a thing, if it is in the queue."""
        for address, tables in self.of.items():
            for table, things in tables.items():
                if thing in things:
                    things.remove(thing)
                    self.tidy(address, table)
                    return

    def tidy(self, address: str, table: str) -> None:
        """Forget this table and this address if nothing of them is left in the queue."""
        if not self.of[address][table]:
            del self.of[address][table]
        if not self.of[address]:
            del self.of[address]
