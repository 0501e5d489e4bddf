"""Work for the laboratory, done in a process of its own: a match or a tournament, told about as it goes on."""

from __future__ import annotations

import threading
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Files
from hiddenhand.core.resolver import EVERYTHING
from hiddenhand.lab.executors import leave_with_parent
from hiddenhand.lab.match_result import MatchResult
from hiddenhand.lab.tournament_result import TournamentResult
from hiddenhand.web.memory import leave_when_too_large

BARS = 24


def work(kind: str, order: dict[str, Any], line: Connection, files: Files, memory: int) -> None:
    """In the process: do it, and send what there is to tell.

    files    all that may be opened here
    memory   the bytes that this process may take up
    """
    EVERYTHING.files = files
    threading.Thread(target=leave_with_parent, daemon=True).start()
    threading.Thread(target=leave_when_too_large, args=(memory,), daemon=True).start()
    try:
        result = play(kind, order, line)
        line.send({"state": "done", **shown(result), "kept": records_of(result)})
    except KeyboardInterrupt:  # nobody wants it any more
        return
    except UserError as error:
        line.send({"state": "failed", "error": str(error)})
    except Exception as error:
        line.send({"state": "failed", "error": f"{type(error).__name__}: {error}"})
    line.close()


def play(kind: str, order: dict[str, Any], line: Connection) -> MatchResult | TournamentResult:
    from hiddenhand.lab.match import match
    from hiddenhand.lab.tournament import tournament

    seating, options = order.pop("seating"), order.pop("options")
    game, agents = order.pop("game"), order.pop("agents")
    heard: dict[str, Any] = {
        "progress": lambda done, total: line.send({"state": "running", "done": done, "total": total}),
        "watch": lambda result: line.send(shown(result)),
    }
    chosen = EVERYTHING.game(game, options)
    if kind == "tournament":
        return tournament(chosen, agents, **order, **heard)
    seated = {"rotate": seating == "rotate", "duplicate": seating == "duplicate"}
    return match(chosen, agents, **order, **seated, **heard)


def shown(result: MatchResult | TournamentResult) -> dict[str, Any]:
    """The result so far."""
    bars = histogram(result) if isinstance(result, MatchResult) else None
    return {"result": result.to_json(), "histogram": bars}


def histogram(result: MatchResult) -> dict[str, Any]:
    """How often each payoff came, for each agent; many different payoffs are put into bars of equal width."""
    values = np.unique(result.payoffs)
    if len(values) > BARS:
        edges = np.linspace(values[0], values[-1], BARS + 1)
        counts = [np.histogram(column, edges)[0].tolist() for column in result.payoffs.T]
        return {"agents": result.agents, "edges": edges.tolist(), "counts": counts}
    counts = [[int(np.sum(column == value)) for value in values] for column in result.payoffs.T]
    return {"agents": result.agents, "values": values.tolist(), "counts": counts}


def records_of(result: MatchResult | TournamentResult) -> list[dict[str, Any]]:
    if isinstance(result, MatchResult):
        return result.records
    return [record for match in result.matches for record in match.records]
