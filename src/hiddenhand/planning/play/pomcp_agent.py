"""POMCP as an agent, for worlds and for models alike, with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import draw
from hiddenhand.planning.model.pomdp import Array, Floats, Pomdp
from hiddenhand.planning.model.simulator import Tryable, simulator_of
from hiddenhand.planning.planners.pomcp import ActionEstimates, Guide, guide_of, search
from hiddenhand.planning.play.model_reasons import likeliest
from hiddenhand.planning.play.pomdp_rules import model_of
from hiddenhand.planning.play.world_rules import belief_in, world_of

PARTICLES = 5000
"""States that are drawn from the belief; simulations begin in them."""
SETTINGS: Mapping[str, Setting] = {
    "simulations": Setting(2000, Text("possible futures that it imagines for a move"), low=1, ceiling=20_000),
    "depth": Setting(50, Text("how many steps it imagines at most"), low=1, high=1000),
}


class PomcpAgent(Agent):
    """Plans by POMCP with the model of a game; a subclass says which model, and what is believed."""

    name = "pomcp"
    summary = Text("imagines possible futures from what it believes, and does what went best (POMCP)")
    settings = SETTINGS

    simulations: int
    depth: int

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.model = self.model_for(game)
        factored = self.model.factored
        searched: Tryable = self.model if factored is None else replace(factored, discount=self.model.discount)
        self.guide = guide_of(searched)
        if factored is not None and not len(self.guide.belief):
            searched = self.model
            self.guide = guide_of(searched)
        self.simulator = simulator_of(searched)

    def model_for(self, game: Game) -> Pomdp:
        raise NotImplementedError

    def belief(self, view: View) -> Floats:
        """(S,) what the view lets believe."""
        raise NotImplementedError

    def decide(self, view: View) -> Decision:
        rng = view.stream()
        belief = self.belief(view)
        particles, guide = self.start_of_search(belief, np.random.default_rng(int(draw(rng))))
        left = int(view.record.steps - view.record.step)
        depth, seed = min(self.depth, left), int(draw(rng))
        estimates = search(self.simulator, particles, self.simulations, depth, seed, guide)
        texts = {action: view.action_name(action) for action in view.legal_actions()}
        return Decision(
            estimates.action,
            texts[estimates.action],
            float(estimates.mean[estimates.action]),
            alternatives=[alternative(estimates, action, text) for action, text in texts.items()],
            belief=likeliest(self.model, belief),
            reasons=reasons_of(estimates, texts),
            counts={"simulations": estimates.simulations, "nodes": estimates.nodes},
        )

    def start_of_search(self, belief: Floats, rng: np.random.Generator) -> tuple[Array, Guide]:
        """The particles in which simulations begin, (n, slots), and the guide, for a belief (S,) over all states."""
        if self.model.factored is None or not len(self.guide.belief):
            return drawn(belief, self.simulator.slots, rng), self.guide
        sizes = [len(variable.values) for variable in self.model.factored.names.before]
        table = belief.reshape(sizes) / belief.sum()
        axes = range(len(sizes))
        chances = [table.sum(axis=tuple(a for a in axes if a != slot - 1)) for slot in self.guide.subproblems.hidden]
        here = np.zeros((1, self.simulator.slots), dtype=np.int64)
        here[0, 1 : 1 + len(sizes)] = np.unravel_index(belief.argmax(), sizes)
        return here, self.guide._replace(belief=np.concatenate(chances))


class ModelPomcpAgent(PomcpAgent):
    """In games of general models."""

    def model_for(self, game: Game) -> Pomdp:
        return model_of(game).with_discount(float(game.options["discount"]))

    def belief(self, view: View) -> Floats:
        return np.array(view.record.belief)


class WorldPomcpAgent(PomcpAgent):
    """In worlds of the Svarog language."""

    def model_for(self, game: Game) -> Pomdp:
        self.world = world_of(game)
        return self.world.pomdp()

    def belief(self, view: View) -> Floats:
        return belief_in(self.world, view.record)


def drawn(belief: Floats, slots: int, rng: np.random.Generator) -> Array:
    """(n, slots) states drawn from a belief."""
    particles = np.zeros((PARTICLES, slots), dtype=np.int64)
    particles[:, 1] = rng.choice(len(belief), size=PARTICLES, p=belief / belief.sum())
    return particles


def alternative(estimates: ActionEstimates, action: int, text: str) -> Alternative:
    count = int(estimates.visits[action])
    if not count:
        return Alternative(action, text, None, Text("not tried"))
    return Alternative(action, text, float(estimates.mean[action]), Text("tried {n} times", n=count))


def reasons_of(estimates: ActionEstimates, texts: Mapping[int, str]) -> list[str]:
    """What was tried, and how the best compares."""
    best = estimates.action
    if not estimates.visits.any():
        return [Text("Nothing that I do changes or pays anything any more.")]
    reasons: list[str] = [
        Text(
            "I imagined {n} possible futures from what I believe; {move} began {count} of them and "
            "is worth {mean:.6g} if I do the best after it, give or take {error:.2g}.",
            n=estimates.simulations,
            move=texts[best],
            count=int(estimates.visits[best]),
            mean=estimates.mean[best],
            error=estimates.error[best],
        )
    ]
    others = sorted((a for a in texts if a != best and estimates.visits[a]), key=lambda a: (-estimates.mean[a], a))
    if not others:
        return [*reasons, Text("Nothing else could be done.")]
    rival = others[0]
    reasons.append(
        Text(
            "The next best, {move}, is worth {mean:.6g} after {count} of them.",
            move=texts[rival],
            mean=estimates.mean[rival],
            count=int(estimates.visits[rival]),
        )
    )
    return reasons
