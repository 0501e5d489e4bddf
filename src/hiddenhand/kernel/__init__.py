"""The compiled floor: what the author of a game or of an algorithm imports."""

from hiddenhand.kernel.binding import Rules, bind, generic
from hiddenhand.kernel.compiling import COMPILED, compiled, rule
from hiddenhand.kernel.contract import CHANCE, OVER
from hiddenhand.kernel.records import assign, copy, digest, new_records, record_type
from hiddenhand.kernel.rng import below, derive, draw, game_seed, mix, pick, shuffle, split, stream, uniform

__all__ = [
    "CHANCE",
    "COMPILED",
    "OVER",
    "Rules",
    "assign",
    "below",
    "bind",
    "compiled",
    "copy",
    "derive",
    "digest",
    "draw",
    "game_seed",
    "generic",
    "mix",
    "new_records",
    "pick",
    "record_type",
    "rule",
    "shuffle",
    "split",
    "stream",
    "uniform",
]
