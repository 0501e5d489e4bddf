"""An opening lead in snaps, averaged over every deal that the leader cannot tell from the true one: 17,153,136."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.resolver import agent, game
from hiddenhand.core.text import Text
from hiddenhand.games.snaps.averaging import count_possible, part_of_average
from hiddenhand.games.snaps.state import TRICKS
from hiddenhand.lab.runner import Parts, Running, run

SEED = 1
STEP = 2000  # deals at a time


@dataclass
class OpeningLead:
    """What was added up so far."""

    seed: int
    names: list[str]
    possible: int
    wanted: int
    done: int
    sums: list[int]
    won: list[int]
    seconds: float

    @property
    def means(self) -> list[float]:
        return [total / max(1, self.done) for total in self.sums]

    def to_json(self) -> dict[str, Any]:
        return vars(self)


def average_opening_lead(running: Running, seed: int = SEED, most: int | None = None) -> OpeningLead:
    """Deal, let the rule agent name a card, and judge every lead with open cards in all deals, or in `most`."""
    result: OpeningLead = run(OpeningLeadWork(seed, most), running)
    return result


class OpeningLeadWork:
    """The sums over all deals, for the runner."""

    kind = "opening lead"
    unit: str = Text("deals")
    result_type = OpeningLead

    def __init__(self, seed: int, most: int | None) -> None:
        chosen = game("snaps")
        table = chosen.deal(seed=seed)
        namer = agent(chosen, "rules")
        table.play(table.ask(namer).action)
        while table.state.phase != TRICKS:
            table.play("pass")
        self.game = chosen
        self.seed = seed
        self.view = table.view(table.turn)
        self.actions = np.array(self.view.legal_actions(), np.int64)
        self.possible = int(count_possible(self.view.record, self.view.seat))
        self.wanted = self.possible if most is None else min(self.possible, most)
        self.done = 0
        self.sums = np.zeros(len(self.actions), np.int64)
        self.won = np.zeros(len(self.actions), np.int64)

    @property
    def plan(self) -> dict[str, Any]:
        return {
            "game": self.game.origin.spec,
            "rules": self.game.rules.key,
            "version": self.game.version,
            "seed": self.seed,
            "deals": self.wanted,
        }

    @property
    def over(self) -> bool:
        return self.done == self.wanted

    def prepare(self) -> None:
        self.part(0, 0)  # compiles

    def part(self, first: int, end: int) -> Any:
        return part_of_average(self.view.record, self.view.seat, self.actions, self.wanted, first, end)

    def step(self) -> Any:
        end = min(self.done + STEP, self.wanted)
        return end, self.part(self.done, end)

    def add(self, piece: Any) -> None:
        self.done, part = piece
        self.sums = self.sums + part.sums
        self.won = self.won + part.won

    def snapshot(self) -> Parts:
        return {"sums": {"done": self.done, "sums": self.sums, "won": self.won}}

    def restore(self, parts: Parts) -> None:
        kept = parts["sums"]
        self.done, self.sums, self.won = kept["done"], kept["sums"], kept["won"]

    def result(self, seconds: float) -> OpeningLead:
        names = [self.view.action_name(action) for action in self.view.legal_actions()]
        sums, won = self.sums.tolist(), self.won.tolist()
        return OpeningLead(self.seed, names, self.possible, self.wanted, self.done, sums, won, seconds)
