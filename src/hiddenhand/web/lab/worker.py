"""The process in which an experiment is carried out; it sends its progress and its results over a pipe.

The process works in the folder of the experiment, where its files are kept: what it says of them are bare names.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Files
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import EVERYTHING
from hiddenhand.core.text import Text
from hiddenhand.lab.evolution.result import EvolutionResult
from hiddenhand.lab.executors import leave_with_parent
from hiddenhand.lab.match_result import MatchResult
from hiddenhand.lab.tournament_result import TournamentResult
from hiddenhand.lab.training import TrainingResult
from hiddenhand.lab.tuning import TuningResult
from hiddenhand.web.errors import for_strangers
from hiddenhand.web.tables.store import LONGEST_SHOWN
from hiddenhand.web.workers.memory import leave_when_too_large

BARS = 24
MOST_NAMED, LONGEST_NAMED = 8, 60
"""So many agents are named in a headline, by so many characters of their texts."""
TELL_EVERY = 0.1
"""Seconds."""
TRAINED, TUNED, EVOLVED, PRECALCULATED = "trained.npz", "tuned.json", "evolved.genome", "knowledge.svarog"
"""The files of experiments."""


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
        result = WORKS[task.kind](game, task.order, callbacks_over(pipe))
        found = {**shown(result), "agent": player(task, game, result), "headline": headline(result)}
        pipe.send({"state": "done", **found, "kept": records_of(result)})
    except KeyboardInterrupt:  # nobody wants it any more
        return
    except UserError as error:
        pipe.send({"state": "failed", "error": for_strangers(task.files, error.text)})
    except Exception as error:
        pipe.send({"state": "failed", "error": task.files.told(f"{type(error).__name__}: {error}")})
    pipe.close()


Callbacks = dict[str, Any]
"""Functions that `lab` calls as the work goes on, by their names there: progress, watch."""


def callbacks_over(pipe: Connection) -> Callbacks:
    """Callbacks that send how far the work is, now and then, and the result so far."""
    sent = -math.inf

    def progress(done: int, total: int) -> None:
        nonlocal sent
        if time.monotonic() - sent > TELL_EVERY or done == total:
            sent = time.monotonic()
            pipe.send({"done": done, "total": total})

    return {"progress": progress, "watch": lambda result: pipe.send(shown(result))}


# ---- the kinds of work


def play_match(game: Game, order: dict[str, Any], callbacks: Callbacks) -> Any:
    from hiddenhand.lab.match import match

    seated = {"rotate": order["seating"] == "rotate", "duplicate": order["seating"] == "duplicate"}
    return match(game, order["agents"], **picked(order, "games seed opening records"), **seated, **callbacks)


def play_tournament(game: Game, order: dict[str, Any], callbacks: Callbacks) -> Any:
    from hiddenhand.lab.tournament import tournament

    return tournament(game, order["agents"], **picked(order, "games seed opening records"), **callbacks)


def train_learner(game: Game, order: dict[str, Any], callbacks: Callbacks) -> Any:
    from hiddenhand.lab.training import train

    return train(game, order["learner"], **picked(order, "games seed teacher"), output=TRAINED, **callbacks)


def tune_agent(game: Game, order: dict[str, Any], callbacks: Callbacks) -> Any:
    from hiddenhand.lab.tuning import tune

    return tune(game, order["agent"], **picked(order, "evaluations games seed"), output=TUNED, **callbacks)


def evolve_model(game: Game, order: dict[str, Any], callbacks: Callbacks) -> Any:
    from hiddenhand.lab.evolution import evolve

    numbers = picked(order, "runs generations mutants games hall polish seed")
    return evolve(game, order["model"], order["opponents"], output=EVOLVED, **numbers, **callbacks)


def precalculate_world(game: Game, order: dict[str, Any], callbacks: Callbacks) -> Any:
    from hiddenhand.lab.precalculating import PrecalculationPlan, precalculate
    from hiddenhand.lab.runner import Running

    world = str(EVERYTHING.files.find(game.origin.spec)) if game.origin.outside else game.name
    plan = PrecalculationPlan(world, order["depth"], order["granularity"])
    return precalculate(plan, Running(None, False, callbacks["progress"], callbacks["watch"], PRECALCULATED))


def picked(order: dict[str, Any], names: str) -> dict[str, Any]:
    return {name: order[name] for name in names.split()}


WORKS: dict[str, Callable[[Game, dict[str, Any], Callbacks], Any]] = {
    "match": play_match,
    "tournament": play_tournament,
    "train": train_learner,
    "tune": tune_agent,
    "evolve": evolve_model,
    "precalculate": precalculate_world,
}
UNITS = {"tune": Text("evaluations"), "evolve": Text("generations"), "precalculate": Text("visible states")}
"""In which unit the progress of each kind of experiment is counted; where none is given, in games."""


# ---- what came of it


def shown(result: Any) -> dict[str, Any]:
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


def headline(result: Any) -> str:
    """The result in a few words, for the list of experiments."""
    if isinstance(result, MatchResult):
        means = {
            name: Text("{agent} {mean:.3f}", agent=name[:LONGEST_NAMED], mean=result.summary(index).mean)
            for index, name in enumerate(result.agents)
        }
        return Text.joined(", ", list(means.values())[:MOST_NAMED])
    if isinstance(result, TournamentResult):
        mean, best = max((result.overall(index).mean, name) for index, name in enumerate(result.agents))
        return Text("{agent} is the best: {mean:.3f}", agent=best[:LONGEST_NAMED], mean=mean)
    if isinstance(result, TrainingResult):
        known: dict[str, Any] = {"learner": result.learner, "mean": result.mean}
        if not result.opponent:
            return Text("{learner}: {mean:.3f}", **known)
        return Text("{learner}: {mean:.3f} against {opponent}", **known, opponent=result.opponent[:LONGEST_NAMED])
    if isinstance(result, TuningResult):
        return Text(
            "{agent}: {before:.3f} before, {after:.3f} after",
            agent=result.agent.partition(":")[0][:LONGEST_NAMED],
            before=result.before,
            after=result.after,
        )
    if isinstance(result, EvolutionResult):
        return Text(
            "{model}: wins or shares {wins:.3f} against {opponent}",
            model=result.model,
            wins=result.wins,
            opponent=result.opponent[:LONGEST_NAMED],
        )
    states = Text.plural("{n} visible state", "{n} visible states", n=result.visible_states)
    return Text.plural("{n} belief of {states}", "{n} beliefs of {states}", n=result.beliefs, states=states)


def player(task: ExperimentTask, game: Game, result: Any) -> str:
    """The agent that plays with what the experiment has found, as text; empty if the game has no such agent."""
    if task.kind == "tune":
        return str(result.text)
    if task.kind == "evolve":
        name = result.agent.partition(":")[0]
        whole = f"{name}:{result.genome}"
        return whole if len(whole) <= LONGEST_SHOWN else f"{name}:@{task.job}/{EVOLVED}"
    if task.kind == "train":
        return reader(game, task.order["learner"], "file", f"{task.job}/{TRAINED}")
    if task.kind == "precalculate":
        return reader(game, "planner", "knowledge", f"{task.job}/{PRECALCULATED}")
    return ""


def reader(game: Game, name: str, setting: str, file: str) -> str:
    """The agent of this name with a file for one of its settings; empty if there is none that takes one."""
    kinds = EVERYTHING.agents(game)
    takes = name in kinds and setting in EVERYTHING.settings_of(kinds[name], game)
    return f"{name}:{setting}={file}" if takes else ""


def records_of(result: Any) -> list[dict[str, Any]]:
    if isinstance(result, MatchResult):
        return result.records
    if isinstance(result, TournamentResult):
        return [record for match in result.matches for record in match.records]
    return []
