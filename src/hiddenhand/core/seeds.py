"""Seeds of tables: from one number, or one secret, the deal, the dice and every decision of a game.

A seed below 2**64 is a number that somebody chose, so that a game can be repeated. A larger one is a secret of 128
random bits, drawn for people: what they see of a game must not tell them the rest of it. From a secret everything is
derived by a keyed hash, so that no stream of numbers leads back to it or to another stream. What an agent is shown
of its own randomness leads back to nothing in either case.
"""

from __future__ import annotations

from hashlib import blake2b
from secrets import randbits

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.kernel import derive
from hiddenhand.kernel.rng import decision_seed, seat_keys

CHOSEN = 2**64
"""Seeds below are numbers that were chosen; the others are secrets."""
MOST = 2**129
EXACT = 2**53
"""Whole numbers below this survive any reader of JSON."""
PLY, SEAT = b"ply", b"seat"


def new_secret() -> int:
    """A seed for people, whom nobody is to guess it."""
    return 2**128 + randbits(128)


class Seeds:
    """All seeds of one table."""

    def __init__(self, seed: int, players: int) -> None:
        if not 0 <= seed < MOST:
            raise UserError("a seed is a whole number from 0 to 2**64 - 1, not {seed}", seed=seed)
        self.seed = seed
        self.secret = seed >= CHOSEN
        if self.secret:
            self.keys = [self.hashed(SEAT, seat) for seat in range(players)]
        else:
            keys = np.zeros(players, np.uint64)
            seat_keys.plain(np.uint64(seed), keys)
            self.keys = keys.tolist()

    def ply(self, number: int) -> int:
        """Of what chance does at ply 1, 2, ...; 0 is the deal."""
        return self.hashed(PLY, number) if self.secret else derive(self.seed, number)

    def decision(self, seat: int, ply: int) -> int:
        """Of what a seat draws when it decides ply 1, 2, ..."""
        return int(decision_seed.plain(self.keys[seat], ply))

    def hashed(self, purpose: bytes, number: int) -> int:
        key = self.seed.to_bytes(17)
        return int.from_bytes(blake2b(number.to_bytes(8), digest_size=8, key=key, person=purpose).digest())


def seed_to_json(seed: int) -> int | str:
    """As a number if every reader keeps all its digits, else as text."""
    return seed if seed < EXACT else str(seed)


def seed_from_json(value: object) -> int | None:
    """A seed as `seed_to_json` writes it; None for anything else."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 40:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST else None
