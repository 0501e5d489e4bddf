"""Matches in which `search` plays on a network, many games in lockstep: see `search/many_games.py`.

The games are played in blocks, each with random numbers of its own, so that it does not matter how the match is cut
into chunks. Who does not search must be the blueprint itself. Where several seats search, they read each other as
players who do: how likely those leave the blueprint, and when, is learnt from other games before.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.table import Table
from hiddenhand.core.vector import VectorEnv, as_tensor
from hiddenhand.kernel.rng import MASK
from hiddenhand.lab.match_runner import MatchRunner
from hiddenhand.learning.network_agent import Network, shipped
from hiddenhand.search.policy_improvement import BlueprintSearch

Array = np.ndarray[Any, Any]

if TYPE_CHECKING:
    import torch

    from hiddenhand.search.many_games import Answer, Effort, ManyGames

BLOCK = 100
"""Games that are played at once."""
PLACES = 1 << 19
"""Worlds that are played at once: what the memory of a card holds."""
LEARNING = 1_000_000
"""Seeds of the games that are learnt from lie so far from those of the games that count."""


class SearchMatchRunner(MatchRunner):
    """A match runner whose games are searched in lockstep, on a graphics card (or, slowly, without one)."""

    device = "cuda"
    places = PLACES
    learnt_from = 300
    """Games with one seat searching, from which joint search learns."""
    block: int | None = None
    """The first game of the block that was played last."""
    actions: Array
    """int64[games, plies]: what was played in it, -1 after the end."""

    marks = {"search": "in many games at once"}

    @property
    def searchers(self) -> list[int]:
        """The places of those who search, among the agents."""
        return [place for place, agent in enumerate(self.agents) if isinstance(agent, BlueprintSearch)]

    @cached_property
    def searcher(self) -> BlueprintSearch:
        """Who searches."""
        found = {str(agent): agent for agent in self.agents if isinstance(agent, BlueprintSearch)}
        if len(found) > 1:
            raise UserError("all who search in many games at once must search alike")
        searcher = next(iter(found.values()))
        for agent in self.agents:
            if not isinstance(agent, BlueprintSearch) and not same(agent, searcher.policy):
                raise UserError(
                    "{agent} cannot play there: who does not search must be the blueprint, {blueprint}",
                    agent=agent,
                    blueprint=searcher.policy,
                )
        if self.opening:
            raise UserError("search in many games at once has no drawn opening")
        return searcher

    @cached_property
    def effort(self) -> Effort:
        from hiddenhand.search.many_games import effort_of

        return effort_of(self.searcher)

    @cached_property
    def many(self) -> ManyGames:
        """The games, ready to be searched."""
        from hiddenhand.search.many_games import ManyGames, Reading

        many = ManyGames(self.game, answer_of(self.searcher, self.device), self.effort, self.places, self.device)
        if len(self.searchers) > 1 and self.effort.glance:
            reading = Reading(self.device)
            seats = [[seat] for seat in range(self.game.players)]
            many.play(self.learnt_from, (self.seed + LEARNING) & MASK, seats, learning=reading)
            many.reading = reading
        return many

    @cached_property
    def table(self) -> VectorEnv:
        """Where the games are played."""
        return VectorEnv(self.game, BLOCK, self.seed, self.device)

    def warm_up(self) -> None:
        if self.device == "cuda":
            from hiddenhand.gpu.cuda import require_gpu, torch

            require_gpu()
            assert torch()
        assert self.many

    def play_game(self, number: int) -> Table:
        """One game of its block, set on a table."""
        first = number // BLOCK * BLOCK
        if self.block != first:
            self.actions, self.block = self.play_block(first), first
        table = self.deal(number)
        table.company = self.company(self.shift(number))
        for action in self.actions[number - first]:
            if action < 0:
                break
            table.play(int(action))
        return table

    def play_block(self, first: int) -> Array:
        """What is played in the games from this one on."""
        import torch

        numbers, table = np.arange(first, first + BLOCK), self.table
        words = np.stack([np.frombuffer(self.deal(int(number)).state.tobytes(), np.int64) for number in numbers])
        as_tensor(table.numbers)[:] = torch.as_tensor(numbers // self.deals_shared)
        table.put(torch.as_tensor(words, device=self.device), 0)
        seats, searchers = self.game.players, self.searchers
        searching = [[(place + self.shift(int(number))) % seats for place in searchers] for number in numbers]
        found = self.many.play(BLOCK, (self.seed + first) & MASK, searching, table=table)
        actions: Array = found.actions
        return actions


def same(agent: Agent, blueprint: Agent) -> bool:
    """Whether an agent is the blueprint, however it is written."""
    return type(agent) is type(blueprint) and agent.values == blueprint.values


def answer_of(agent: BlueprintSearch, device: str) -> Answer:
    """The network of an agent's blueprint, as the search asks it."""
    import torch

    from hiddenhand.learning.ppo import PPO

    blueprint = agent.policy
    if not isinstance(blueprint, Network) or blueprint.parameters.temperature > 0.0:
        raise UserError(
            "search in many games at once needs a network as its blueprint, with temperature=0; {agent} is none",
            agent=blueprint,
        )
    file = str(blueprint.values["file"] or shipped(agent.game))
    learner = PPO(agent.game, 1, 0, device=device, start=file)
    layers = learner.layers(learner.mean)
    padded: dict[int, torch.Tensor] = {}

    def answer(observation: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        count, size = observation.shape
        if count not in padded:
            padded[count] = torch.zeros((count, learner.inputs), dtype=observation.dtype, device=learner.device)
        padded[count][:, :size] = observation
        log_probs, value = learner.forward(layers, padded[count], legal)
        return log_probs, value * learner.scale

    return answer
