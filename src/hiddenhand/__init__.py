"""hiddenhand: a laboratory for decision-making under hidden information.

    >>> import hiddenhand as hh
    >>> table = hh.game("tictactoe").deal(seed=7)
    >>> table.turn
    0

Everything is loaded on first use, so that `import hiddenhand` itself costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.decision import Decision
    from hiddenhand.core.game import Game
    from hiddenhand.core.record import Record
    from hiddenhand.core.resolver import agent, agents, game, games
    from hiddenhand.core.table import Table
    from hiddenhand.core.view import View
    from hiddenhand.lab.match import match
    from hiddenhand.lab.tournament import tournament

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Decision",
    "Game",
    "Record",
    "Table",
    "View",
    "agent",
    "agents",
    "game",
    "games",
    "match",
    "tournament",
]

_HOME = {
    "Agent": "core.agent",
    "Decision": "core.decision",
    "Game": "core.game",
    "Record": "core.record",
    "Table": "core.table",
    "View": "core.view",
    "agent": "core.resolver",
    "agents": "core.resolver",
    "game": "core.resolver",
    "games": "core.resolver",
    "match": "lab.match",
    "tournament": "lab.tournament",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'hiddenhand' has no attribute {name!r}")
    value = getattr(import_module(f"hiddenhand.{_HOME[name]}"), name)
    globals()[name] = value  # also hides a submodule of the same name
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
