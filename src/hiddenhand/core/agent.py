"""Agent: whoever decides. A Python agent implements `decide(view)`; a compiled policy is wrapped into one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.policy import Policy
from hiddenhand.core.settings import Setting
from hiddenhand.kernel.loop import policy_for_loop

if TYPE_CHECKING:
    from hiddenhand.core.game import Game
    from hiddenhand.core.view import View


class Agent:
    """Decides for a seat from its view alone, and can say why.

    A subclass gives `name`, `summary` and `settings`; its settings become attributes. What it draws at random comes
    from `view.stream()`, so that the same position gives the same decision whenever it is asked.
    """

    name = ""
    summary = ""
    settings: Mapping[str, Setting] = {}
    cheats = False
    """Whether it is shown the true state; only a declared cheater is."""

    def __init__(self, game: Game, **values: Any) -> None:
        self.game = game
        self.values = values
        for name, value in values.items():
            setattr(self, name, value)

    def __str__(self) -> str:
        given = [
            f"{name}={'yes' if value is True else 'no' if value is False else value}"
            for name, value in self.values.items()
            if name in self.settings and value != self.settings[name].default
        ]
        return self.name + (":" + ",".join(given) if given else "")

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why this agent cannot play the game; empty if it can."""
        return ""

    @classmethod
    def settings_for(cls, game: Game) -> Mapping[str, Setting]:
        """The settings, with the defaults that suit this game."""
        return cls.settings

    def decide(self, view: View) -> Decision:
        """The action to play, quickly."""
        raise NotImplementedError

    def explain(self, view: View) -> Decision:
        """The very action that `decide` gives, with everything the agent can say about it."""
        return self.decide(view)


class PolicyAgent(Agent):
    """A compiled policy at a Python table."""

    def __init__(self, game: Game, policy: Policy, **values: Any) -> None:
        super().__init__(game, **values)
        self.policy = policy
        self.name = policy.name
        self.summary = policy.summary
        self.settings = policy.settings
        self.cheats = policy.cheats
        self.parameters = policy.parameters(game, values)

    @property
    def for_loop(self) -> Any:
        """This policy as the match loop calls it."""
        looks_at = self.game.state if self.cheats else self.game.view
        return policy_for_loop(self.policy.rule, looks_at, self.policy.memory, self.parameters.dtype)

    def __str__(self) -> str:
        return super().__str__() if self.policy.reads is None else f"{self.name}:{self.values['source']}"

    def decide(self, view: View) -> Decision:
        record = view.truth if self.cheats else view.record
        actions = np.array(view.actions, np.int64)
        memory = view.memory(self.policy.memory, str(self))
        action = int(self.policy.rule(record, view.seat, actions, memory, self.parameters, view.stream()))
        return Decision(action, view.text(action))

    def explain(self, view: View) -> Decision:
        decision = self.decide(view)
        decision.alternatives = [Alternative(a, view.text(a)) for a in view.actions]
        if self.policy.explanation is not None:
            told = self.policy.explanation(view, decision.action, self.parameters)
            if isinstance(told, Decision):
                return told
            decision.reasons = told
        return decision
