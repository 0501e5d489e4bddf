"""Games of files that are kept in memory: the last ones asked for, as far as they have room.

On a server visitors bring any number of them, and a few lines of text can make millions of numbers. So their bytes
are counted, those of games too that only a table holds. A game that nobody holds any more goes with its rules.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.core.game import Game
    from hiddenhand.kernel import Rules

SHARED = (type, ModuleType, CodeType)
"""What belongs to no game, wherever it is met."""

COMPILERS = ("numba", "llvmlite")
"""Packages whose objects belong to no game: a compiled rule leads to everything that the process has compiled."""


class GameCache:
    """A game for each key, the last ones asked for.

    most, most_bytes    how many are kept, and how many bytes all games may take up that were made here and still live
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self.most, self.most_bytes = most, most_bytes
        self.lock = threading.RLock()
        self.games: OrderedDict[Hashable, Game] = OrderedDict()
        self.sizes: WeakKeyDictionary[Rules, int] = WeakKeyDictionary()
        """Bytes of each that somebody holds: every copy of a game has its rules."""
        self.of_strangers: WeakSet[Rules] = WeakSet()
        """Those that were asked for by strangers."""

    def get(self, key: Hashable, make: Callable[[], Game], bounded: bool = False) -> Game:
        """The game of this key, made if it is not there.

        bounded   a stranger asks for it: refused if all games that strangers asked for have no room with it
        """
        with self.lock:
            if key not in self.games:
                game = make()
                self.sizes[game.rules] = bytes_of(game)
                self.games[key] = game
                del game
            self.games.move_to_end(key)
            self.make_room()
            if bounded:
                self.of_strangers.add(self.games[key].rules)
                if sum(self.sizes[rules] for rules in self.of_strangers) > self.most_bytes:
                    del self.games[key]
                    raise UserError(
                        "tables with worlds and models of visitors take up all the memory; try again later"
                    )
            return self.games[key]

    def make_room(self) -> None:
        """Forget those that were not asked for longest, but not the last one."""
        while len(self.games) > self.most:
            self.games.popitem(last=False)
        while len(self.games) > 1 and self.size() > self.most_bytes:
            self.games.popitem(last=False)
            gc.collect()  # rules and games point to each other

    def size(self) -> int:
        return sum(self.sizes.values())

    def clear(self) -> None:
        with self.lock:
            self.games.clear()


def bytes_of(thing: object) -> int:
    """About how many bytes of memory something takes up, with all that it alone leads to."""
    seen, waiting, total = set[int](), [thing], 0
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, SHARED) or type(each).__module__.partition(".")[0] in COMPILERS:
            continue
        seen.add(id(each))
        total += sys.getsizeof(each)
        if isinstance(each, FunctionType):  # not the names of its whole module
            waiting += [each.__closure__, each.__defaults__]
        else:
            waiting += gc.get_referents(each)
    return total
