"""Chromosomes: the parts of a genome that evolution changes. A ranking of some elements, or ratios between them.

Both come from Peter Fulla's models of Dominion strategies (2012): some of the admissible elements are used, the
others are not, and at first none is. A mutation either changes the used elements among each other, or how many there
are, each half of the time. With m elements in use one more is added with probability exp(m * ADDING), otherwise one
is removed: about four stay in use where it makes no difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import mean

import numpy as np

ADDING = -math.log(2.0) / 4.0
RATE = 0.5
STRENGTH = 1.0
RANK_STEP = 3.0  # by how many places a rank changes at strength 1


@dataclass(frozen=True)
class Mutation:
    """How much chromosomes change."""

    rate: float = RATE
    """The probability that a gene changes."""
    strength: float = STRENGTH
    """The standard deviation of its change."""
    adding: float = ADDING
    """With m elements in use one more is added with probability exp(m * adding)."""


MUTATION = Mutation()


@dataclass(frozen=True)
class Ranks:
    """Some of the elements in an order, the best first."""

    elements: tuple[str, ...]
    used: tuple[str, ...] = ()

    def mutated(self, rng: np.random.Generator, how: Mutation = MUTATION) -> Ranks:
        if rng.random() < 0.5:
            return self.reordered(rng, how.rate, how.strength)
        used = list(self.used)
        if grows(len(used), len(self.elements), rng, how.adding):
            new = one_of([element for element in self.elements if element not in used], rng)
            used.insert(int(rng.integers(len(used) + 1)), new)
        elif used:
            used.pop(int(rng.integers(len(used))))
        return replace(self, used=tuple(used))

    def mixed(self, other: Ranks, rng: np.random.Generator) -> Ranks:
        """Of two rankings: each element of either stays by the toss of a coin, in the order of its mean place."""
        chosen = [element for element in self.elements if rng.random() < 0.5]
        places: dict[str, list[int]] = {}
        for ranks in (self.used, other.used):
            for place, element in enumerate(ranks):
                places.setdefault(element, []).append(place)
        both = [element for element in places if len(places[element]) == 2 or element in chosen]
        return replace(self, used=tuple(sorted(both, key=lambda element: mean(places[element]))))

    def reordered(self, rng: np.random.Generator, rate: float, strength: float) -> Ranks:
        """Some places are moved up or down; then all are sorted by their new places."""
        places = [
            place + (RANK_STEP * strength * rng.standard_normal() if rng.random() < rate else 0.0)
            for place in range(len(self.used))
        ]
        order = sorted(range(len(places)), key=places.__getitem__)
        return replace(self, used=tuple(self.used[i] for i in order))


@dataclass(frozen=True)
class Ratios:
    """Some of the elements with positive numbers that add up to 1."""

    elements: tuple[str, ...]
    used: tuple[tuple[str, float], ...] = ()

    def mutated(self, rng: np.random.Generator, how: Mutation = MUTATION) -> Ratios:
        if rng.random() < 0.5:
            return self.scaled(rng, how.rate, how.strength)
        used = list(self.used)
        if grows(len(used), len(self.elements), rng, how.adding):
            known = {element for element, _ in used}
            new = one_of([element for element in self.elements if element not in known], rng)
            used.append((new, 1.0 - rng.random()))
        elif used:
            used.pop(int(rng.integers(len(used))))
        return replace(self, used=normalised(used))

    def mixed(self, other: Ratios, rng: np.random.Generator) -> Ratios:
        """Of two: the mean where both use an element; what one of them uses stays by the toss of a coin."""
        chosen = [element for element in self.elements if rng.random() < 0.5]
        values: dict[str, list[float]] = {}
        for ratios in (self.used, other.used):
            for element, value in ratios:
                values.setdefault(element, []).append(value)
        kept = [(element, mean(of)) for element, of in values.items() if len(of) == 2 or element in chosen]
        return replace(self, used=normalised(kept))

    def scaled(self, rng: np.random.Generator, rate: float, strength: float) -> Ratios:
        """Some numbers are multiplied by exp(x), x from a normal distribution."""
        used = [
            (element, value * math.exp(strength * rng.standard_normal()) if rng.random() < rate else value)
            for element, value in self.used
        ]
        return replace(self, used=normalised(used))


def grows(used: int, elements: int, rng: np.random.Generator, adding: float = ADDING) -> bool:
    """Whether an element is added (or one removed): no choice where none is used, or all are."""
    if used == elements:
        return False
    return used == 0 or bool(rng.random() < math.exp(used * adding))


def one_of(elements: list[str], rng: np.random.Generator) -> str:
    return elements[int(rng.integers(len(elements)))]


def normalised(used: list[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """The same ratios; the largest first, and all add up to 1."""
    total = sum(value for _, value in used)
    return tuple(sorted(((element, value / total) for element, value in used), key=lambda pair: -pair[1]))
