"""A kind of work: a census counts how many moves the games of an agent with itself take."""

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from hiddenhand.core import resolver
from hiddenhand.core.text import Text
from hiddenhand.lab import GamePlan, PageField, PageSupport, PlanParameter, gather, in_parallel, match, work

BLOCK = 50


@dataclass(frozen=True)
class CensusPlan(GamePlan):
    """Whose games are counted, and how many."""

    agent: Annotated[str, PlanParameter("Who plays.", argument=True, page=PageField("agent", "agent"))]
    games: Annotated[int, PlanParameter("How many games.", 1, 10**6, page=PageField("games", most=5000))] = 200
    seed: Annotated[int, PlanParameter("Determines every game.", 0, page=PageField("seed"))] = 0


@dataclass
class CensusResult:
    """How often there were how many moves."""

    games: int
    lengths: dict[str, int]

    @property
    def usual(self):
        return max(self.lengths, key=self.lengths.get)

    def headline(self):
        return f"{self.usual} moves in most games"

    def progress_curves(self):
        return []

    def to_json(self):
        return {"games": self.games, "usual": int(self.usual), "lengths": self.lengths}

    def __str__(self):
        return "\n".join(f"{moves:>4} moves: {count}" for moves, count in sorted(self.lengths.items()))


@work("census", CensusPlan, unit=Text("games"), page=PageSupport("census"))
def census(plan, running, pool):
    """Count the moves of the games of an agent with itself."""
    of = resolver.text_of_game(plan.game), dict(plan.game.options)
    blocks = range(0, plan.games, BLOCK)
    tasks = {
        f"games from {first}": (lengths, of, plan.agent, plan.seed + first, min(BLOCK, plan.games - first))
        for first in blocks
    }
    found = gather("census", plan.to_json(), in_parallel(pool, tasks), running)
    counted = Counter(moves for part in found for moves in part["moves"])
    return CensusResult(plan.games, {str(moves): count for moves, count in sorted(counted.items())})


def lengths(of, agent, seed, games):
    """The moves of some games, wherever they are played."""
    game = resolver.game(of[0], of[1])
    played = match(game, [agent] * game.players, games=games, seed=seed)
    return {"moves": [int(moves) for moves in played.moves]}
