"""Random numbers: SplitMix64 in a `uint64[1]`, and seeds that split.

Nothing in hiddenhand draws from a global source. A seed is a number; `split(seed, key)` gives an independent seed
for every key; a stream of numbers starts from a seed. So game 17 of a match, or move 5 of a game, has its randomness
whoever plays it, in whatever process, after whatever was played before.

`mix` can be undone, so whoever knows what `split` gave can find the seed. What agents are shown of their randomness
comes from `seat_keys`, which cannot be undone: a decision's seed tells nothing of the deal, nor of other seats.

The generator is the one of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
"""

from typing import Any

import numpy as np

from hiddenhand.kernel.rule import rule

STEP = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
MASK = 0xFFFFFFFFFFFFFFFF

_STEP = np.uint64(STEP)
_FIRST = np.uint64(FIRST)
_SECOND = np.uint64(SECOND)
_32 = np.uint64(32)


@rule
def mix(z):
    """A bijection of 64-bit numbers that looks random."""
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return z ^ (z >> np.uint64(31))


@mix.plainly  # Python's whole numbers do not wrap round by themselves
def mix_plainly(z):
    z = int(z)
    z = ((z ^ (z >> 30)) * FIRST) & MASK
    z = ((z ^ (z >> 27)) * SECOND) & MASK
    return np.uint64(z ^ (z >> 31))


@rule
def draw(rng):
    """The next 64 random bits."""
    rng[0] += _STEP
    return mix(rng[0])


@draw.plainly
def draw_plainly(rng):
    rng[0] = np.uint64((int(rng[0]) + STEP) & MASK)
    return mix.plain(rng[0])


@rule
def split(seed, key):
    """An independent seed for each key."""
    return mix(mix(np.uint64(seed) + _STEP) ^ (np.uint64(key) * _STEP + _SECOND))


@split.plainly
def split_plainly(seed, key):
    first = int(mix.plain((int(seed) + STEP) & MASK))
    return mix.plain(first ^ (((int(key) & MASK) * STEP + SECOND) & MASK))


@rule
def scale(bits, n):
    """The upper half of `bits` (32 bits), scaled to 0 .. n - 1, and what is left over."""
    product = (bits >> _32) * np.uint64(n)
    return np.int64(product >> _32), np.int64(product & np.uint64(0xFFFFFFFF))


@scale.plainly
def scale_plainly(bits, n):
    product = (int(bits) >> 32) * int(n)
    return product >> 32, product & 0xFFFFFFFF


@rule
def below(rng, n):
    """A whole number from 0 to n - 1, each equally likely (n up to 2**31)."""
    number, rest = scale(draw(rng), n)
    if rest < n:
        too_small = (4294967296 - n) % n
        while rest < too_small:
            number, rest = scale(draw(rng), n)
    return number


@rule
def uniform(rng):
    """A number from 0 (inclusive) to 1 (exclusive)."""
    return np.float64(draw(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@rule
def pick(rng, weights, n):
    """An index from 0 to n - 1 with probability in proportion to its weight."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    point = uniform(rng) * total
    last = 0
    for i in range(n):
        if weights[i] > 0.0:
            last = i
            point -= weights[i]
            if point < 0.0:
                return i
    return last


@rule
def shuffle(rng, items, n):
    """Put the first n items into a random order, each order equally likely."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept


@rule
def seat_keys(seed, keys):
    """For every seat of a game a key to its own randomness, from which neither the seed nor another key follows.

    What goes in is added to what `mix` makes of it twice, so that going back is no matter of undoing steps. (That is
    enough among programs, and costs next to nothing in a match. Tables of people use a keyed hash: see `core.seeds`.)
    """
    for seat in range(len(keys)):
        start = np.uint64(seed) ^ (np.uint64(seat + 1) * _SECOND)
        keys[seat] = mix(mix(start) + _FIRST) + start


@seat_keys.plainly
def seat_keys_plainly(seed, keys):
    for seat in range(len(keys)):
        start = int(seed) ^ ((seat + 1) * SECOND & MASK)
        inner = (int(mix.plain(start)) + FIRST) & MASK
        keys[seat] = np.uint64((int(mix.plain(inner)) + start) & MASK)


@rule
def decision_seed(key, ply):
    """The seed of the decision at a ply, for the seat whose key it is."""
    return key ^ (np.uint64(ply) * _FIRST)


@decision_seed.plainly
def decision_seed_plainly(key, ply):
    return np.uint64(int(key) ^ ((int(ply) * FIRST) & MASK))


@rule
def game_seed(seed, number):
    """The seed of game `number` of a match: 53 bits, so that it survives any JSON reader."""
    return split(seed, number) >> np.uint64(11)


def derive(seed: int, key: int) -> int:
    """`split` for use from Python."""
    return int(split.plain(seed & MASK, key))


def stream(seed: int) -> np.ndarray[Any, Any]:
    """A stream of random numbers (uint64[1]) that starts from `seed`."""
    return np.array([seed & MASK], dtype=np.uint64)
