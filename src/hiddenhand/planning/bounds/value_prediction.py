"""A guess at what a belief is worth, from similar beliefs: SARSOP's reason for walking on (Kurniawati et al., 2008).

Beliefs with a similar first upper bound and a similar entropy share a bin, and the mean of the lower bounds of those
visited is the guess. Alone in its bin, a belief is worth its upper bound.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.planning.bounds.visited_beliefs import Graph

BINS = 10


class Prediction:
    """The bins of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.low = float(graph.corner.min())
        self.width = max(float(graph.corner.max()) - self.low, 1e-9)
        self.widest = max(float(np.log(len(graph.corner))), 1e-9)
        self.bin_of: dict[int, tuple[int, int]] = {}
        self.told: dict[int, float] = {}
        self.count: dict[tuple[int, int], int] = {}
        self.total: dict[tuple[int, int], float] = {}

    def value(self, number: int) -> float:
        """The guess for a node, within its bounds."""
        lower, upper = float(self.graph.nodes[number]["lower"]), float(self.graph.nodes[number]["upper"])
        key = self.bin_of.get(number)
        if key is None:
            key = self.bin_of[number] = self.find(number)
            self.count[key] = self.count.get(key, 0) + 1
            self.told[number] = 0.0
        self.total[key] = self.total.get(key, 0.0) + lower - self.told[number]
        self.told[number] = lower
        if self.count[key] == 1:
            return upper
        return min(upper, max(lower, self.total[key] / self.count[key]))

    def find(self, number: int) -> tuple[int, int]:
        node = self.graph.nodes[number]
        belief = self.graph.pool[node["start"] : node["end"]]
        chances = belief["chance"]
        first_upper = float((self.graph.first_upper[:, belief["place"]] @ chances).max())
        entropy = -float(chances @ np.log(chances))
        return int(BINS * (first_upper - self.low) / self.width), int(BINS * entropy / self.widest)
