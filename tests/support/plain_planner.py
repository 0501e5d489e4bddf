"""A planner that is the definition and nothing else: no memory, no cleverness. To compare advice with.

Q(b, a, n): over all visible states that may be reached, their probability times their payoff and what the best action
is worth from there; with no steps to go, nothing.
"""

from dataclasses import dataclass

import numpy as np

TIE = 1e-9


@dataclass
class PlainAdvice:
    action: int
    value: float
    values: np.ndarray
    depth: int
    ties: tuple
    runner_up: int | None
    gap: float


class PlainPlanner:
    def __init__(self, world):
        self.world = world
        self.model = world.pomdp()

    def after(self, belief, action, visible):
        return self.model.after(belief, action, visible)[0]

    def plan(self, belief, depth):
        values = self.values(belief, depth)
        best = values.max()
        ties = tuple(np.flatnonzero(values > best - TIE * max(1.0, abs(best))).tolist())
        others = [a for a in np.flatnonzero(np.isfinite(values)).tolist() if a != ties[0]]
        second = max(others, key=lambda a: (values[a], -a)) if others else None
        gap = np.inf if second is None else best - values[second]
        return PlainAdvice(ties[0], float(best), values, depth, ties, second, float(gap))

    def values(self, belief, depth):
        visible = self.world.visible_of[int(np.argmax(belief))]
        return np.array(
            [
                self.value(belief, a, depth) if self.world.legal[visible, a] else -np.inf
                for a in range(len(self.world.actions))
            ]
        )

    def value(self, belief, action, depth):
        if depth == 0:
            return 0.0
        reached = np.asarray(belief @ self.world.transitions[action])
        total = 0.0
        for visible in np.unique(self.world.visible_of[reached > 0.0]).tolist():
            part = np.where(self.world.visible_of == visible, reached, 0.0)
            following = self.values(part / part.sum(), depth - 1).max() if depth > 1 else 0.0
            total += part.sum() * (self.world.payoffs[visible] + following)
        return total
