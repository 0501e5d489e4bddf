"""The planner as an agent of every world that is played as a game.

It plans so many steps ahead at every step, or as many as are left; what it decided for a belief it remembers. With a
file of precalculated knowledge it looks the belief up instead, by one of the rules of `lookup`, and plans only where
the file says nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.game import Game
from hiddenhand.core.view import View
from hiddenhand.planning.deciding import SETTINGS, Decider, PlanDecision
from hiddenhand.planning.played_worlds import belief_in, world_of


class PlannerAgent(Agent):
    """Acts on the exact plan for its belief."""

    name = "planner"
    summary = "plans exactly, so many steps ahead, with its belief of what is hidden"
    settings = SETTINGS

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.world = world_of(game)
        self.decider = Decider(self.world, **values)
        self.decided: dict[tuple[bytes, int], int] = {}
        """The action by visible state and belief, and by the steps left as far as they matter."""

    def decide(self, view: View) -> Decision:
        record = view.record
        left = min(int(record.steps - record.step), self.decider.depth)
        key = (np.append(np.round(record.belief, 12), record.visible).tobytes(), left)
        if key not in self.decided:
            self.decided[key] = self.decider.action(belief_in(self.world, record), left)
        action = self.decided[key]
        return PlanDecision(action, view.text(action))

    def explain(self, view: View) -> Decision:
        return self.reasons(view)

    def reasons(self, view: View, why_not: str | None = None) -> PlanDecision:
        """The decision with everything that can be said about it; `why_not` names an action to compare it with."""
        left = int(view.record.steps - view.record.step)
        decision = self.decider.reasons(belief_in(self.world, view.record), left, why_not)
        decision.text = view.text(decision.action)
        for alternative in decision.alternatives:
            alternative.text = view.text(alternative.action)
        return decision
