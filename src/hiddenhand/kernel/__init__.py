"""The compiled floor: what the author of a game or of an algorithm imports."""

from typing import Any

from hiddenhand.kernel.binding import Rules, bind, generic
from hiddenhand.kernel.bits import count_bits, highest_of, lowest_bit, write_bits
from hiddenhand.kernel.contract import CHANCE, OVER, UNTOLD
from hiddenhand.kernel.records import allocate, assign, copy, copy_shared, digest, new_records, record_type, unowned
from hiddenhand.kernel.rng import below, derive, draw, game_seed, mix, pick, shuffle, split, stream, uniform
from hiddenhand.kernel.rule import Rule, inlined, rule

__all__ = [
    "CHANCE",
    "OVER",
    "UNTOLD",
    "Rule",
    "Rules",
    "allocate",
    "assign",
    "below",
    "bind",
    "copy",
    "copy_shared",
    "count_bits",
    "derive",
    "digest",
    "draw",
    "game_seed",
    "generic",
    "highest_of",
    "inlined",
    "lowest_bit",
    "mix",
    "new_records",
    "pick",
    "record_type",
    "rule",
    "shuffle",
    "split",
    "stream",
    "uniform",
    "unowned",
    "write_bits",
]

FORMER = {"room": "allocate", "borrow": "unowned"}
"""Names of the release before, and what they are called now."""


def __getattr__(name: str) -> Any:
    if name not in FORMER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import warnings

    warnings.warn(f"{__name__}.{name} is called {FORMER[name]} now", DeprecationWarning, stacklevel=2)
    return globals()[FORMER[name]]
