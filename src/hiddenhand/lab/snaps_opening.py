"""An opening lead in snaps, averaged over every deal that the leader cannot tell from the true one: 17,153,136.

What has been added up is kept in a file, every few seconds, so that the work can be broken off and goes on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from hiddenhand.core.resolver import agent, game
from hiddenhand.games.snaps.averaging import count_possible, part_of_average
from hiddenhand.games.snaps.state import TRICKS

SEED = 1
STEP = 2000  # deals between two looks at the clock
KEEP_EVERY = 5.0  # seconds

Progress = Callable[[int, int], None]


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


def average_opening_lead(
    path: Path, seed: int = SEED, most: int | None = None, progress: Progress | None = None
) -> OpeningLead:
    """Deal, let the rule agent name a card, and judge every lead with open cards in all deals, or in `most`."""
    chosen = game("snaps")
    table = chosen.deal(seed=seed)
    namer = agent(chosen, "rules")
    table.play(table.ask(namer).action)
    while table.state.phase != TRICKS:
        table.play("pass")
    view = table.view(table.turn)
    actions = np.array(view.actions, np.int64)
    possible = int(count_possible(view.record, view.seat))
    wanted = possible if most is None else min(possible, most)
    names = [view.text(a) for a in view.actions]
    lead = kept(path, seed, wanted) or OpeningLead(
        seed, names, possible, wanted, 0, [0] * len(names), [0] * len(names), 0.0
    )
    part_of_average(view.record, view.seat, actions, wanted, 0, 0)  # compiles what is not compiled yet
    saved = time.perf_counter()
    try:
        while lead.done < wanted:
            start = time.perf_counter()
            end = min(lead.done + STEP, wanted)
            part = part_of_average(view.record, view.seat, actions, wanted, lead.done, end)
            lead.sums = [a + int(b) for a, b in zip(lead.sums, part.sums)]
            lead.won = [a + int(b) for a, b in zip(lead.won, part.won)]
            lead.done = end
            lead.seconds += time.perf_counter() - start
            if progress is not None:
                progress(lead.done, wanted)
            if time.perf_counter() - saved > KEEP_EVERY:
                keep(path, lead)
                saved = time.perf_counter()
    finally:
        keep(path, lead)
    return lead


def keep(path: Path, lead: OpeningLead) -> None:
    """Write what there is, all or nothing."""
    half = path.with_suffix(".part")
    half.write_text(json.dumps(asdict(lead)), encoding="utf-8")
    half.replace(path)


def kept(path: Path, seed: int, wanted: int) -> OpeningLead | None:
    """What an earlier run has left, if it was the same work."""
    if not path.is_file():
        return None
    try:
        lead = OpeningLead(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        return None
    return lead if (lead.seed, lead.wanted) == (seed, wanted) else None
