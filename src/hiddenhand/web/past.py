"""The past: any moment of a game, played again from its deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.game import Game
from hiddenhand.core.policy import NOTHING
from hiddenhand.core.table import Table
from hiddenhand.web.hearing import Step, take_step


@dataclass(frozen=True)
class Deal:
    """How a game began."""

    game: Game
    seed: int
    dealt: list[int] | None = None

    def table(self) -> Table:
        """The table before the first ply; chance waits to be asked."""
        return Table(self.game, self.seed, rolls=False, dealt=self.dealt, remembers=False)


def replay(deal: Deal, actions: Sequence[int], agents: Mapping[int, Agent] | None = None) -> Table:
    """The table after these actions. Agents that keep a memory are asked again, so that they have theirs."""
    table = deal.table()
    mindful = {seat: agent for seat, agent in (agents or {}).items() if keeps_memory(agent)}
    for action in actions:
        if table.turn in mindful:
            table.ask(mindful[table.turn])
        table.play(action)
    return table


def steps(deal: Deal, actions: Sequence[int]) -> Iterator[Step]:
    """The same, with what everybody got to know on the way."""
    table = deal.table()
    for action in actions:
        yield take_step(table, action)


def keeps_memory(agent: Agent) -> bool:
    return isinstance(agent, PolicyAgent) and agent.policy.memory is not NOTHING
