"""Match: many games between the same agents, and a fair account of them.

    >>> print(hiddenhand.match("connect_four", ["random", "random"], games=1000))

The seed of the match determines every game; how it is cut into chunks and who plays them does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hiddenhand.core.agent import Agent
from hiddenhand.core.devices import CPU
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.own_faults import tells_own_faults
from hiddenhand.core.text import Text
from hiddenhand.lab.executors import open_workers
from hiddenhand.lab.match_plan import MatchPlan, Setup
from hiddenhand.lab.match_result import DUPLICATE, FIXED, ROTATE, MatchResult
from hiddenhand.lab.match_work import MatchWork
from hiddenhand.lab.runner import Progress, Running, run

if TYPE_CHECKING:
    from hiddenhand.lab.store import Store


def match(  # noqa: PLR0913  (what a user may say; inside it is a plan)
    game: Game | str,
    agents: Sequence[str | Agent],
    games: int = 100,
    seed: int = 0,
    rotate: bool = False,
    duplicate: bool = False,
    opening: int = 0,
    workers: int = 1,
    cluster: str | None = None,
    device: str = CPU,
    store: Store | str | None = None,
    resume: bool = False,
    records: int = 0,
    progress: Progress | None = None,
    watch: Callable[[MatchResult], None] | None = None,
    **options: Any,
) -> MatchResult:
    """Play `games` games of `game` between `agents`, one per seat.

    rotate      agents move on by one seat from game to game
    duplicate   every deal is played in every seating (the number of games is rounded up to whole deals)
    opening     so many moves at the start of each game are drawn at random, the same in every seating: without
                chance or hidden cards, deterministic agents would otherwise repeat one and the same game
    workers     processes to play in; cluster: the address of a Dask scheduler, or "local"
    device      "cuda": on a graphics card, between compiled policies alone; the same games
    store       where results are kept: an SQLAlchemy URL, the path of an SQLite file, or an open Store
    resume      continue the match from what the store has of it
    records     keep the records of so many games, the first ones
    progress    told how far it is; watch: shown what has come of it so far

    Agents may be given as objects instead of texts. Workers and a store need their texts too, and refuse those that
    have none, such as an agent whose class was written in a notebook.
    Ctrl-C raises Interrupted, a KeyboardInterrupt that carries the result of the games that were finished.
    """
    if rotate and duplicate:
        raise UserError(Text("rotate and duplicate exclude each other: duplicate play rotates already"))
    seating = DUPLICATE if duplicate else ROTATE if rotate else FIXED
    plan = MatchPlan(game, agents, games, seed, seating, opening, records, options)
    with open_store(store) as opened:
        return play_match(plan, Running(opened, resume, progress, watch), workers, cluster, device)


@contextmanager
def open_store(store: Store | str | None) -> Iterator[Store | None]:
    """The store to use, opened here if it is given by its address."""
    if not isinstance(store, str):
        yield store
        return
    from hiddenhand.lab.store import Store

    with Store(store) as opened:
        yield opened


@tells_own_faults
def play_match(
    plan: MatchPlan, running: Running, workers: int = 1, cluster: str | None = None, device: str = CPU
) -> MatchResult:
    """Play what is not yet known of a match, and keep it."""
    if device != CPU and (workers > 1 or cluster is not None):
        raise UserError(
            Text("workers and a cluster are for the CPU: leave them out with device {device}", device=device)
        )
    setup = Setup(plan, device)
    if running.store is not None:
        setup.require_texts()
    pool = open_workers(workers, cluster)
    try:
        result: MatchResult = run(MatchWork(setup, pool), running)
    finally:
        pool.stop()
    return result
