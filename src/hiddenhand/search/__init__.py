"""Search: agents that know no particular game, and the tools that they are made of.

Every agent plays any game that it does not refuse: `AlphaBeta(game, depth=6)`. `trace` shows the tree that a small
search looks at, `perft` counts the positions of a game, `solve` finds an equilibrium of a small game with hidden
cards, and `exploitability` says how far a strategy is from one.
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.search.alphabeta import AlphaBeta
    from hiddenhand.search.best_response import exploitability
    from hiddenhand.search.cfr import CFR, Solution, solve
    from hiddenhand.search.expectiminimax import Expectiminimax
    from hiddenhand.search.ismcts import ISMCTS
    from hiddenhand.search.maxn import MaxN
    from hiddenhand.search.minimax import Minimax
    from hiddenhand.search.perft import perft
    from hiddenhand.search.pimc import PIMC
    from hiddenhand.search.trace import Trace, trace
    from hiddenhand.search.tree_search import TreeSearch
    from hiddenhand.search.uct import UCT

__all__ = [
    "CFR",
    "ISMCTS",
    "PIMC",
    "UCT",
    "AlphaBeta",
    "Expectiminimax",
    "MaxN",
    "Minimax",
    "Solution",
    "Trace",
    "TreeSearch",
    "exploitability",
    "perft",
    "solve",
    "trace",
]

AGENTS = {
    "alphabeta": "hiddenhand.search.alphabeta:AlphaBeta",
    "cfr": "hiddenhand.search.cfr:CFR",
    "expectiminimax": "hiddenhand.search.expectiminimax:Expectiminimax",
    "ismcts": "hiddenhand.search.ismcts:ISMCTS",
    "maxn": "hiddenhand.search.maxn:MaxN",
    "minimax": "hiddenhand.search.minimax:Minimax",
    "pimc": "hiddenhand.search.pimc:PIMC",
    "uct": "hiddenhand.search.uct:UCT",
}
"""The agents as the resolver finds them. Each is loaded when it is asked for."""

facade(
    __name__,
    {
        **{place.partition(":")[2]: place for place in AGENTS.values()},
        "Solution": "hiddenhand.search.cfr:Solution",
        "Trace": "hiddenhand.search.trace:Trace",
        "TreeSearch": "hiddenhand.search.tree_search:TreeSearch",
        "exploitability": "hiddenhand.search.best_response:exploitability",
        "perft": "hiddenhand.search.perft:perft",
        "solve": "hiddenhand.search.cfr:solve",
        "trace": "hiddenhand.search.trace:trace",
    },
)
