"""Expectiminimax with Star1 and Star2 (Ballard, 1983), step by step: `search/expectiminimax.py`, to be watched.

A chance node keeps for every outcome a low and a high. Star1 searches an outcome in the window in which it can still
move the mean across alpha or beta; Star2 first tries one move after every outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE
from hiddenhand.search.stepwise.plain import Walk, bound_text, why_cut
from hiddenhand.search.stepwise.positions import TreePosition
from hiddenhand.search.stepwise.steps import number_text, window_text


@dataclass
class Star:
    """Expectiminimax in progress. lowest, highest: payoffs of the game."""

    walk: Walk
    pruning: str
    lowest: float
    highest: float

    def search(self, position: TreePosition, alpha: float, beta: float) -> tuple[float, bool]:
        """The value, and whether it was searched (a leaf is looked up)."""
        if position.leaf:
            value = position.values[self.walk.me]
            self.walk.leaf(position, number_text(value))
            return value, False
        if position.mover == CHANCE:
            return ChanceNode(self, position, alpha, beta).value(), True
        return self.moves(position, alpha, beta), True

    def moves(self, position: TreePosition, alpha: float, beta: float, probed: float | None = None) -> float:
        """A node of one of the sides as in alpha-beta; `probed`: what its first move is known to be worth."""
        walk, children = self.walk, position.children
        walk.enter(position, window_text(alpha, beta))
        floor, ceiling, maximises = alpha, beta, walk.maximises(position)
        best, tried, pruned = (-inf if maximises else inf), 0, False
        if probed is not None:
            best, tried = probed, 1
            walk.best[id(position)] = children[0]
            alpha, beta = (max(alpha, best), beta) if maximises else (alpha, min(beta, best))
        while tried < len(children) and alpha < beta:
            child = children[tried]
            tried += 1
            value, _ = self.search(child, alpha, beta)
            better = value > best if maximises else value < best
            if better:
                best = value
                walk.best[id(position)] = child
                alpha, beta = (max(alpha, best), beta) if maximises else (alpha, min(beta, best))
            walk.back(position, child, number_text(best), better, window_text(alpha, beta))
        if tried < len(children):
            pruned = True
            walk.cut(position, children[tried:], why_cut(position, maximises, best, floor, ceiling))
        walk.done(position, bound_text(best, floor, ceiling, pruned))
        return best

    def probe(self, position: TreePosition, alpha: float, beta: float) -> float:
        """The first move only: a low where MAX moves, a high where MIN does."""
        walk = self.walk
        maximises, child = walk.maximises(position), position.children[0]
        alpha, beta = (-inf, beta) if maximises else (alpha, inf)
        walk.enter(position, window_text(alpha, beta))
        value, _ = self.search(child, alpha, beta)
        number = walk.numbered.of(position)
        walk.best[id(position)] = child
        bound = f"{'≥' if maximises else '≤'} {number_text(value)}"
        walk.log.show(number, "open", bound, note="")
        walk.log.step(
            "back",
            number,
            Text("Probe: one move tells that {node} is worth {value}.", node=position.name, value=bound),
            walk.line(position),
        )
        return value


class ChanceNode:
    """A chance node in progress."""

    def __init__(self, star: Star, position: TreePosition, alpha: float, beta: float) -> None:
        self.star, self.walk, self.position = star, star.walk, position
        self.alpha, self.beta = alpha, beta
        self.children = position.children
        self.odds = [child.probability or 0.0 for child in self.children]
        self.lows = [star.lowest] * len(self.children)
        self.highs = [star.highest] * len(self.children)
        self.is_cut = False

    def mean(self, numbers: list[float], without: int = -1) -> float:
        total = 0.0
        for i, chance in enumerate(self.odds):
            if i != without:
                total += chance * numbers[i]
        return total

    def value(self) -> float:
        self.walk.enter(self.position, window_text(self.alpha, self.beta))
        if self.star.pruning == "star2":
            self.probe_all()
        for i in range(len(self.children)):
            if not self.is_cut and self.lows[i] != self.highs[i]:
                self.search(i)
        lower, upper = self.mean(self.lows), self.mean(self.highs)
        found = upper if self.is_cut and upper <= self.alpha else lower
        self.tell_cut(found)
        for child in self.children:  # those that were only probed keep the bound that this gave
            if self.walk.log.shown[self.walk.numbered.of(child)]["look"] == "open":
                self.walk.log.show(self.walk.numbered.of(child), "done")
        self.walk.done(self.position, bound_text(found, self.alpha, self.beta, lower != upper))
        return found

    def window(self, i: int) -> tuple[float, float]:
        """In which outcome i can still move the mean across alpha or beta."""
        low = (self.alpha - self.mean(self.highs, i)) / self.odds[i]
        return low, (self.beta - self.mean(self.lows, i)) / self.odds[i]

    def probe_all(self) -> None:
        """Star2: one move after every outcome, until the node is cut."""
        for i, child in enumerate(self.children):
            if self.is_cut:
                return
            if child.leaf:
                value, _ = self.star.search(child, *self.window(i))
                self.settle(i, value, value)
            elif child.mover == CHANCE:  # one outcome more would bound nothing; but it was looked at
                self.walk.log.visited += 1
            else:
                value = self.star.probe(child, *self.window(i))
                maximises = self.walk.maximises(child)
                self.settle(i, value if maximises else None, None if maximises else value)

    def search(self, i: int) -> None:
        child, plain = self.children[i], self.star.pruning == "none"
        alpha, beta = (-inf, inf) if plain else self.window(i)
        if self.star.pruning == "star2" and not child.leaf and child.mover != CHANCE:
            probed = self.lows[i] if self.walk.maximises(child) else self.highs[i]
            value, searched = self.star.moves(child, alpha, beta, probed), True
        else:
            value, searched = self.star.search(child, alpha, beta)
        if plain or not searched:
            self.settle(i, value, value)
        elif value >= beta:
            self.is_cut = True
            self.settle(i, value, None)
        elif value <= alpha:
            self.is_cut = True
            self.settle(i, None, value)
        else:
            self.settle(i, value, value)

    def settle(self, i: int, low: float | None, high: float | None) -> None:
        """What an outcome is known to be worth; the node is cut when its mean must lie outside the window."""
        if low is not None and high is not None:
            self.lows[i] = self.highs[i] = low
        elif low is not None:
            self.lows[i] = max(self.lows[i], low)
        elif high is not None:
            self.highs[i] = min(self.highs[i], high)
        lower, upper = self.mean(self.lows), self.mean(self.highs)
        self.is_cut = self.is_cut or lower >= self.beta or upper <= self.alpha
        between = number_text(lower) if lower == upper else f"{number_text(lower)}..{number_text(upper)}"
        number = self.walk.numbered.of(self.position)
        self.walk.log.show(number, value=between)
        says = Text(
            "At {node}: with {below} the mean lies at {value}.",
            node=self.position.name,
            below=self.children[i].name,
            value=between,
        )
        self.walk.log.step("back", number, says, self.walk.line(self.position))

    def tell_cut(self, found: float) -> None:
        """Mark what was not looked at, and say why."""
        if not self.walk.unseen(self.children):
            return
        name, value, sure = self.position.name, number_text(found), number_text(self.alpha)
        reason = Text("Cut: what is left of {node} cannot change its value {value}.", node=name, value=value)
        if self.is_cut and found <= self.alpha:
            reason = Text(
                "Cut: the mean of {node} is at most {value}, and MAX is sure of {sure} elsewhere.",
                node=name,
                value=value,
                sure=sure,
            )
        elif self.is_cut:
            reason = Text(
                "Cut: the mean of {node} is at least {value}, and MIN can hold it to {sure}.",
                node=name,
                value=value,
                sure=number_text(self.beta),
            )
        self.walk.cut(self.position, self.children, reason)
