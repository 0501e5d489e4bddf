"""hiddenhand: a laboratory for decision-making under hidden information.

    >>> import hiddenhand as hh
    >>> table = hh.game("tictactoe").deal(seed=7)
    >>> table.turn
    0

Here is what a user of games and agents needs. Writers of games and agents find their tools in `hiddenhand.author`.
The methods are in `hiddenhand.search`, `hiddenhand.planning` and `hiddenhand.learning`, and experiments in
`hiddenhand.lab`.
Everything is loaded on first use, so that `import hiddenhand` itself costs next to nothing.
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.decision import Alternative, Decision
    from hiddenhand.core.errors import IllegalAction, RecordError, UserError
    from hiddenhand.core.game import Game
    from hiddenhand.core.record import Record, load_record
    from hiddenhand.core.resolver import agent, agents, champion, game, games
    from hiddenhand.core.review import Review, review
    from hiddenhand.core.session import Session
    from hiddenhand.core.table import Table
    from hiddenhand.core.vector import VectorEnv
    from hiddenhand.core.view import View
    from hiddenhand.lab.match import match
    from hiddenhand.lab.solving import best_response, exploitability, nash_conv, solve, value
    from hiddenhand.lab.tournament import tournament
    from hiddenhand.search.solving.strategy import Strategy

__version__ = "0.2.0"

__all__ = [
    "Agent",
    "Alternative",
    "Decision",
    "Game",
    "IllegalAction",
    "Record",
    "RecordError",
    "Review",
    "Session",
    "Strategy",
    "Table",
    "UserError",
    "VectorEnv",
    "View",
    "agent",
    "agents",
    "best_response",
    "champion",
    "exploitability",
    "game",
    "games",
    "load_record",
    "match",
    "nash_conv",
    "review",
    "solve",
    "tournament",
    "value",
]

facade(__name__, modules={"games": "hiddenhand.games"})
