"""The process in which an experiment is carried out; it sends its progress and its results over a pipe.

The process works in the folder of the experiment, where its files are kept: what it says of them are bare names.
"""

from __future__ import annotations

import math
import os
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Files
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import EVERYTHING
from hiddenhand.lab.executors import ThisProcess, leave_with_parent
from hiddenhand.lab.match_result import MatchResult
from hiddenhand.lab.runner import Running, WorkResult
from hiddenhand.lab.work_kinds import work_kind
from hiddenhand.web.errors import for_strangers
from hiddenhand.web.workers.memory import leave_when_too_large

BARS = 24
TELL_EVERY = 0.1
"""Seconds."""


@dataclass(frozen=True)
class ExperimentTask:
    """What the process of an experiment needs to know."""

    job: str
    kind: str
    order: dict[str, Any]
    folder: Path
    """Where it works, and where what it has written stays."""
    files: Files
    """All that may be opened there."""
    memory: int
    """The bytes that the process may take up."""


def work(task: ExperimentTask, pipe: Connection) -> None:
    """The main function of the process: carry out the experiment, and send its progress and its result."""
    EVERYTHING.files = task.files
    threading.Thread(target=leave_with_parent, daemon=True).start()
    threading.Thread(target=leave_when_too_large, args=(task.memory,), daemon=True).start()
    os.chdir(task.folder)
    try:
        game = EVERYTHING.game(task.order["game"], task.order["options"])
        result = carry_out(task, game, pipe)
        found = {**shown(result), "agent": player(task, game, result), "headline": result.headline()}
        pipe.send({"state": "done", **found, "kept": getattr(result, "records", [])})
    except KeyboardInterrupt:  # nobody wants it any more
        return
    except UserError as error:
        pipe.send({"state": "failed", "error": for_strangers(task.files, error.text)})
    except Exception as error:
        pipe.send({"state": "failed", "error": task.files.told(f"{type(error).__name__}: {error}")})
    pipe.close()


def carry_out(task: ExperimentTask, game: Game, pipe: Connection) -> Any:
    """Do the work; how far it is, and the result so far, are sent now and then."""
    sent = -math.inf

    def progress(done: int, total: int) -> None:
        nonlocal sent
        if time.monotonic() - sent > TELL_EVERY or done == total:
            sent = time.monotonic()
            pipe.send({"done": done, "total": total})

    kind = work_kind(task.kind)
    assert kind.page is not None
    fields = {field.name: task.order[field.name] for field in kind.fields if field.name in task.order}
    fields.pop("game", None)
    running = Running(None, False, progress, lambda result: pipe.send(shown(result)), kind.page.file)
    return kind.carry_out(kind.plan.of_order(game, **fields), running, ThisProcess())


# ---- what came of it


def shown(result: WorkResult) -> dict[str, Any]:
    """The fields of the experiment that show the result so far: numbers, histogram, curves."""
    found = result.to_json()
    return {
        "result": found if isinstance(found, dict) else None,
        "histogram": histogram(result) if isinstance(result, MatchResult) and result.games else None,
        "curves": [curve.to_json() for curve in result.progress_curves()],
    }


def histogram(result: MatchResult) -> dict[str, Any]:
    """How often each payoff came, for each agent; many different payoffs are put into bars of equal width."""
    values = np.unique(result.payoffs)
    found = {"agents": result.agents, "best": result.payoffs.max(axis=0).tolist()}
    if len(values) > BARS:
        edges = np.linspace(values[0], values[-1], BARS + 1)
        counts = [np.histogram(column, edges)[0].tolist() for column in result.payoffs.T]
        return {**found, "edges": edges.tolist(), "counts": counts}
    counts = [[int(np.sum(column == value)) for value in values] for column in result.payoffs.T]
    return {**found, "values": values.tolist(), "counts": counts}


def player(task: ExperimentTask, game: Game, result: object) -> str:
    """The agent that plays with what the experiment has found, as text; empty if there is none."""
    page = work_kind(task.kind).page
    found = getattr(result, "player", None)
    return found(game, f"{task.job}/{page.file}") if found is not None and page is not None else ""
