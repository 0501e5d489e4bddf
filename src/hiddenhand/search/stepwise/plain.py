"""Minimax, max^n and alpha-beta as they stand in books, step by step over a tree of positions.

They give the values of the compiled searches and visit the same nodes; the compiled ones are a thousand times faster,
these can be read, and watched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE
from hiddenhand.search.stepwise.positions import TreePosition
from hiddenhand.search.stepwise.shapes import Numbered, value_text
from hiddenhand.search.stepwise.steps import Recorder, number_text, window_text


@dataclass
class Walk:
    """A search in progress.

    me      the seat that searches: values are its payoffs
    best    for each position the child that is best so far
    """

    numbered: Numbered
    log: Recorder
    me: int
    best: dict[int, TreePosition] = field(default_factory=dict)

    def maximises(self, position: TreePosition) -> bool:
        return self.numbered.naming.who(position) == "MAX"

    def line(self, position: TreePosition) -> list[int]:
        """From the root through `position` and the best moves below it."""
        path = [position]
        while path[0].parent is not None:
            path.insert(0, path[0].parent)
        while id(path[-1]) in self.best:
            path.append(self.best[id(path[-1])])
        return [self.numbered.of(each) for each in path]

    def unseen(self, positions: list[TreePosition]) -> list[int]:
        """The nodes of these and below them that were not looked at."""
        numbers = [self.numbered.of(each) for position in positions for each in position.walk()]
        return [number for number in numbers if number not in self.log.shown]

    # ---- what every search tells

    def enter(self, position: TreePosition, window: str = "") -> None:
        number = self.numbered.of(position)
        self.log.visited += 1
        self.log.show(number, "open", note=window)
        who = self.log.nodes[number]["who"]
        says = Text("At {node}: {who} to move, in the window {window}.", node=position.name, who=who, window=window)
        if not window:
            says = Text("At {node}: {who} to move.", node=position.name, who=who)
        self.log.step("enter", number, says, self.line(position))

    def leaf(self, position: TreePosition, value: str) -> None:
        number = self.numbered.of(position)
        self.log.visited += 1
        self.log.show(number, "done", value)
        says = (
            Text("EVAL says {value} of {node}.", value=value, node=position.name)
            if position.estimated
            else Text("{node} pays {value}.", node=position.name, value=value)
        )
        self.log.step("leaf", number, says, self.line(position))

    def back(self, position: TreePosition, child: TreePosition, value: str, better: bool, window: str = "") -> None:
        """A value has come back to a position."""
        number = self.numbered.of(position)
        child_value = self.log.shown[self.numbered.of(child)]["value"]
        if position.mover == CHANCE:
            says = Text(
                "At {node}: with {below} the sum so far is {value}.",
                node=position.name,
                below=child.name,
                value=value,
            )
        elif better:
            says = Text(
                "At {node}: {below} is worth {value}, the best so far.",
                node=position.name,
                below=child.name,
                value=child_value,
            )
        else:
            says = Text(
                "At {node}: {below} is worth {value}, no better than {best}.",
                node=position.name,
                below=child.name,
                value=child_value,
                best=value,
            )
        self.log.show(number, value=value, note=window)
        self.log.step("back", number, says, self.line(position))

    def done(self, position: TreePosition, value: str) -> None:
        number = self.numbered.of(position)
        self.log.show(number, "done", value, note="")
        self.log.step(
            "done",
            number,
            Text("Done: {node} is worth {value}.", node=position.name, value=value),
            self.line(position),
        )

    def cut(self, position: TreePosition, children: list[TreePosition], reason: str) -> None:
        """What has not been looked at below these children need not be."""
        number = self.numbered.of(position)
        for node in self.unseen(children):
            self.log.cut += 1
            self.log.show(node, "cut")
        self.log.step("cut", number, reason, self.line(position))


def minimax(walk: Walk, position: TreePosition) -> float:
    """The best value for the side that moves; at chance, the mean."""
    if position.leaf:
        walk.leaf(position, number_text(position.values[walk.me]))
        return position.values[walk.me]
    walk.enter(position)
    chance, maximises = position.mover == CHANCE, walk.maximises(position)
    best = 0.0 if chance else -inf if maximises else inf
    for child in position.children:
        value = minimax(walk, child)
        better = not chance and (value > best if maximises else value < best)
        if chance:
            best += (child.probability or 0.0) * value
        elif better:
            best = value
            walk.best[id(position)] = child
        walk.back(position, child, number_text(best), better)
    walk.done(position, number_text(best))
    return best


def max_n(walk: Walk, position: TreePosition) -> list[float]:
    """Every mover takes the vector in which its own number is largest; at chance, the mean vector."""
    if position.leaf:
        walk.leaf(position, vector_text(position.values))
        return position.values
    walk.enter(position)
    seat = position.mover
    best, chosen = [0.0] * walk.numbered.naming.game.players, False
    for child in position.children:
        values = max_n(walk, child)
        better = seat != CHANCE and (not chosen or values[seat] > best[seat])
        if seat == CHANCE:
            best = [had + (child.probability or 0.0) * value for had, value in zip(best, values)]
        elif better:
            best, chosen = values, True
            walk.best[id(position)] = child
        walk.back(position, child, vector_text(best), better)
    walk.done(position, vector_text(best))
    return best


def alphabeta(walk: Walk, position: TreePosition, alpha: float, beta: float) -> tuple[float, bool]:
    """The value, and whether anything below was cut: it is a bound then if it lies outside the window."""
    if position.leaf:
        walk.leaf(position, number_text(position.values[walk.me]))
        return position.values[walk.me], False
    walk.enter(position, window_text(alpha, beta))
    floor, ceiling = alpha, beta
    maximises = walk.maximises(position)
    best, pruned = (-inf if maximises else inf), False
    for tried, child in enumerate(position.children, 1):
        value, cut_below = alphabeta(walk, child, alpha, beta)
        pruned = pruned or cut_below
        better = value > best if maximises else value < best
        if better:
            best = value
            walk.best[id(position)] = child
            alpha, beta = (max(alpha, best), beta) if maximises else (alpha, min(beta, best))
        walk.back(position, child, number_text(best), better, window_text(alpha, beta))
        if alpha >= beta and tried < len(position.children):
            pruned = True
            walk.cut(position, position.children[tried:], why_cut(position, maximises, best, floor, ceiling))
            break
    walk.done(position, bound_text(best, floor, ceiling, pruned))
    return best, pruned


def why_cut(position: TreePosition, maximises: bool, best: float, floor: float, ceiling: float) -> str:
    value = number_text(best)
    if maximises:
        sure = number_text(ceiling)
        return Text(
            "Cut: MAX gets at least {value} from {node}, and MIN can hold it to {sure} elsewhere.",
            value=value,
            node=position.name,
            sure=sure,
        )
    sure = number_text(floor)
    return Text(
        "Cut: MIN can hold MAX to {value} after {node}, and MAX is sure of {sure} elsewhere.",
        value=value,
        node=position.name,
        sure=sure,
    )


def bound_text(value: float, floor: float, ceiling: float, pruned: bool) -> str:
    """A value that rests on cut branches is a bound where it lies outside the window."""
    if pruned and value <= floor:
        return f"≤ {number_text(value)}"
    if pruned and value >= ceiling:
        return f"≥ {number_text(value)}"
    return number_text(value)


def vector_text(values: list[float]) -> str:
    return value_text(values, vector=True)
