"""One run: an evolution, its course so far, and its hall of fame."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hiddenhand.learning.evolution import Evolution, Fitness


@dataclass
class Run:
    """One evolution and its course so far."""

    evolution: Evolution[Any]
    deals: int
    """The seed of the games that decide fitness, split by generation."""
    measuring: int
    """The seed of the games that measure the best of each generation: always the same, to be compared."""
    places: int = 0
    """In the hall of fame."""
    hall: list[Any] = field(default_factory=list)
    """The best genomes of earlier generations, the latest last: opponents of the next generation."""
    curve: list[float] = field(default_factory=list)
    best: Any = None
    """The genome that was measured best."""
    best_wins: float = -1.0

    def advance(self, selected: list[tuple[Any, Fitness]], wins: float) -> None:
        """Go on to the next generation with these parents; the first of them won this share of its games."""
        champion = selected[0][0]
        self.evolution.advance(selected)
        self.curve.append(wins)
        if wins > self.best_wins:
            self.best, self.best_wins = champion, wins
        if self.places:
            others = [genome for genome in self.hall if genome != champion]
            self.hall = [*others, champion][-self.places :]
