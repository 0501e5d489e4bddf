"""The compiled floor: what the author of a game or of an algorithm imports."""

from hiddenhand.kernel.binding import Rules, bind, generic
from hiddenhand.kernel.bits import count_bits, highest_of, lowest_bit, write_bits
from hiddenhand.kernel.contract import CHANCE, OVER, UNTOLD
from hiddenhand.kernel.records import assign, borrow, copy, copy_shared, digest, new_records, record_type, room
from hiddenhand.kernel.rng import below, derive, draw, game_seed, mix, pick, shuffle, split, stream, uniform
from hiddenhand.kernel.rule import Rule, inlined, rule

__all__ = [
    "CHANCE",
    "OVER",
    "UNTOLD",
    "Rule",
    "Rules",
    "assign",
    "below",
    "bind",
    "borrow",
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
    "room",
    "rule",
    "shuffle",
    "split",
    "stream",
    "uniform",
    "write_bits",
]
