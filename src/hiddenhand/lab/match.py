"""Match: many games between the same agents, and a fair account of them.

    >>> print(hiddenhand.match("connect_four", ["random", "random"], games=1000))

The seed of the match determines every game; how it is cut into chunks and who plays them does not matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.lab.chunking import played
from hiddenhand.lab.executors import Runner, open_runner
from hiddenhand.lab.interrupts import Interrupted, Interrupts
from hiddenhand.lab.journal import Journal, Sheet
from hiddenhand.lab.result import DUPLICATE, FIXED, ROTATE, MatchResult
from hiddenhand.lab.setup import Setup

if TYPE_CHECKING:
    from hiddenhand.lab.store import Store

Progress = Callable[[int, int], None]
"""Told how many games are done, and of how many."""

Watch = Callable[[MatchResult], None]
"""Shown the result of the games finished so far, a few times a second at most."""

WATCH_EVERY = 0.25


def match(
    game: Game | str,
    agents: Sequence[str | Agent],
    games: int = 100,
    seed: int = 0,
    rotate: bool = False,
    duplicate: bool = False,
    opening: int = 0,
    workers: int = 1,
    cluster: str | None = None,
    store: Store | str | None = None,
    resume: bool = False,
    records: int = 0,
    progress: Progress | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> MatchResult:
    """Play `games` games of `game` between `agents`, one per seat.

    rotate      agents move on by one seat from game to game
    duplicate   every deal is played in every seating (the number of games is rounded up to whole deals)
    opening     so many moves at the start of each game are drawn at random, the same in every seating: without
                chance or hidden cards, deterministic agents would otherwise repeat one and the same game
    workers     processes to play in; cluster: the address of a Dask scheduler, or "local"
    store       where results are kept: an SQLAlchemy URL, the path of an SQLite file, or an open Store
    resume      continue the match from what the store has of it
    records     keep the records of so many games, the first ones
    progress    told how far it is; watch: shown what has come of it so far

    Agents may be given as objects instead of texts; then workers and store are out of the question.
    Ctrl-C raises Interrupted, a KeyboardInterrupt that carries the result of the games that were finished.
    """
    if rotate and duplicate:
        raise UserError("rotate and duplicate exclude each other: duplicate play rotates already")
    seating = DUPLICATE if duplicate else ROTATE if rotate else FIXED
    setup = Setup(game, agents, games, seed, seating, opening, records, options)
    with ExitStack() as stack:
        shelf = open_shelf(store, resume, stack)
        runner = open_runner(workers, cluster)
        stack.callback(runner.stop)
        return play_match(setup, runner, shelf, resume, progress, watch)


def open_shelf(store: Store | str | None, resume: bool, stack: ExitStack) -> Store | None:
    """The store to use, opened here if it is given by its address."""
    if store is None:
        if resume:
            raise UserError("resume needs a store to take the finished games from")
        return None
    from hiddenhand.lab.store import Store

    return store if isinstance(store, Store) else stack.enter_context(Store(store))


def play_match(
    setup: Setup,
    runner: Runner,
    store: Store | None,
    resume: bool,
    progress: Progress | None,
    watch: Watch | None = None,
) -> MatchResult:
    """Play what is not yet known of a match, and keep it."""
    if setup.job is None and (store is not None or not runner.here):
        raise UserError(
            "agents given as objects play in this process only, without a store: give their texts instead"
        )
    sheet = Sheet(setup)
    journal = Journal(sheet, store, resume)
    with Interrupts() as interrupts:
        try:
            play_gaps(setup, sheet, journal, runner, interrupts, progress, watch)
            with interrupts.welcome():
                for number in range(setup.records):
                    if number not in sheet.records:
                        sheet.records[number] = setup.players.record(number)
        except KeyboardInterrupt:
            journal.write()
            raise Interrupted(told(sheet, store), sheet.result()) from None
        result = sheet.result()
        journal.close(result)
    return result


def play_gaps(
    setup: Setup,
    sheet: Sheet,
    journal: Journal,
    runner: Runner,
    interrupts: Interrupts,
    progress: Progress | None,
    watch: Watch | None,
) -> None:
    """Play every game that the sheet does not have; what is finished is kept, whatever happens."""
    gaps = sheet.gaps()
    report = progress or (lambda done, wanted: None)
    report(sheet.done, setup.games)
    if not gaps:
        return
    get_ready, play = setup.tasks(runner)
    with interrupts.welcome():
        setup.players.warm_up()  # here first: others then find the compiled code
        if not runner.here:
            runner.prepare(get_ready)
    journal.start_clock()
    shown = time.monotonic()
    try:
        for chunk in played(play, gaps, setup.deals_shared, runner, interrupts):
            sheet.add(chunk)
            journal.add(chunk)
            report(sheet.done, setup.games)
            if watch is not None and time.monotonic() - shown > WATCH_EVERY:
                journal.write()
                watch(sheet.result())
                shown = time.monotonic()
    except (BrokenExecutor, CancelledError):
        raise UserError("the workers were lost: a process was killed or the cluster went away") from None
    finally:
        journal.write()


def told(sheet: Sheet, store: Store | None) -> str:
    """What to say after Ctrl-C."""
    so_far = f"{sheet.done} of {sheet.setup.games} games done"
    return f"{so_far}; the same command with --resume goes on from there" if store is not None else so_far
