"""Search: agents that know no particular game, and the tools that they are made of. Each file is one method.

    >>> import hiddenhand as hh
    >>> from hiddenhand.search import AlphaBeta, perft, trace
    >>> perft(hh.game("tictactoe"), 3)
    504
    >>> game = hh.game("tree", file="pruning")
    >>> print(trace(hh.agent(game, "minimax"), game.deal().view()).title)
    A tree of your own, minimax: value 3, 13 nodes

Every agent plays any game that it does not refuse: `AlphaBeta(game, depth=6)`. `Minimax`, `AlphaBeta`,
`Expectiminimax` and `MaxN` search the tree of a game that hides nothing (they are all `TreeSearch`, with one driver),
`UCT` plays it out at random; `PIMC`, `ISMCTS`, `CFR` and `BlueprintSearch` are for hidden information. `trace` shows
the tree that a small search looks at, `watch` gives all its steps, and `perft` counts the paths of moves of a game.

For small games with hidden cards, exactly: `build_tree` makes the whole tree, `solve` finds an equilibrium,
`best_response` and `exploitability` say how far a strategy is from one.
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.search.alphabeta import AlphaBeta
    from hiddenhand.search.best_responses import (
        best_response,
        exploitability,
        strategy_from,
        strategy_value,
        uniform_strategy,
    )
    from hiddenhand.search.cfr import CFR, Solution, solve, strategy_table
    from hiddenhand.search.expectiminimax import Expectiminimax
    from hiddenhand.search.game_tree import GameTree, build_tree
    from hiddenhand.search.maxn import MaxN
    from hiddenhand.search.minimax import Minimax
    from hiddenhand.search.perft import perft
    from hiddenhand.search.pimc import PIMC
    from hiddenhand.search.policy_improvement import BlueprintSearch
    from hiddenhand.search.stepwise import Watched, watch
    from hiddenhand.search.tree_picture import Trace, trace
    from hiddenhand.search.tree_search import SearchResult, TreeSearch
    from hiddenhand.search.uct import ISMCTS, UCT

__all__ = [
    "CFR",
    "ISMCTS",
    "PIMC",
    "UCT",
    "AlphaBeta",
    "BlueprintSearch",
    "Expectiminimax",
    "GameTree",
    "MaxN",
    "Minimax",
    "SearchResult",
    "Solution",
    "Trace",
    "TreeSearch",
    "Watched",
    "best_response",
    "build_tree",
    "exploitability",
    "perft",
    "solve",
    "strategy_from",
    "strategy_table",
    "strategy_value",
    "trace",
    "uniform_strategy",
    "watch",
]

AGENTS = {
    "alphabeta": "hiddenhand.search.alphabeta:AlphaBeta",
    "cfr": "hiddenhand.search.cfr:CFR",
    "expectiminimax": "hiddenhand.search.expectiminimax:Expectiminimax",
    "ismcts": "hiddenhand.search.uct:ISMCTS",
    "maxn": "hiddenhand.search.maxn:MaxN",
    "minimax": "hiddenhand.search.minimax:Minimax",
    "pimc": "hiddenhand.search.pimc:PIMC",
    "search": "hiddenhand.search.policy_improvement:BlueprintSearch",
    "uct": "hiddenhand.search.uct:UCT",
}
"""The agents as the resolver finds them. Each is loaded when it is asked for."""

facade(__name__, former={"Outcome": "SearchResult", "Tree": "GameTree"})
