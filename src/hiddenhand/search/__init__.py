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

For games with hidden cards, exactly: `sequence_form` is what a game looks like to a solver, `solve` finds an
equilibrium and gives a `Strategy`, `evaluate` says what a strategy is worth and what its best responses are."""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.search.alphabeta import AlphaBeta
    from hiddenhand.search.cfr import CFR, Solved
    from hiddenhand.search.expectiminimax import Expectiminimax
    from hiddenhand.search.game_tree import GameTree, build_tree
    from hiddenhand.search.maxn import MaxN
    from hiddenhand.search.minimax import Minimax
    from hiddenhand.search.perft import perft
    from hiddenhand.search.pimc import PIMC
    from hiddenhand.search.policy_improvement import BlueprintSearch
    from hiddenhand.search.solving.asking import strategy_of_agents
    from hiddenhand.search.solving.fictitious_play import FictitiousPlay
    from hiddenhand.search.solving.mirror_descent import MirrorDescent
    from hiddenhand.search.solving.monte_carlo import MonteCarlo
    from hiddenhand.search.solving.regret_minimisation import RegretMinimiser
    from hiddenhand.search.solving.sequence_form import Evaluation, SequenceForm, evaluate
    from hiddenhand.search.solving.solver import METHODS, solve
    from hiddenhand.search.solving.strategy import Strategy, sequence_form
    from hiddenhand.search.stepwise import Watched, watch
    from hiddenhand.search.tree_picture import Trace, trace
    from hiddenhand.search.tree_search import SearchResult, TreeSearch
    from hiddenhand.search.uct import ISMCTS, UCT

__all__ = [
    "CFR",
    "ISMCTS",
    "METHODS",
    "PIMC",
    "UCT",
    "AlphaBeta",
    "BlueprintSearch",
    "Evaluation",
    "Expectiminimax",
    "FictitiousPlay",
    "GameTree",
    "MaxN",
    "Minimax",
    "MirrorDescent",
    "MonteCarlo",
    "RegretMinimiser",
    "SearchResult",
    "SequenceForm",
    "Solved",
    "Strategy",
    "Trace",
    "TreeSearch",
    "Watched",
    "build_tree",
    "evaluate",
    "perft",
    "sequence_form",
    "solve",
    "strategy_of_agents",
    "trace",
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
    "solved": "hiddenhand.search.cfr:Solved",
    "search": "hiddenhand.search.policy_improvement:BlueprintSearch",
    "uct": "hiddenhand.search.uct:UCT",
}
"""The agents as the resolver finds them. Each is loaded when it is asked for."""

facade(__name__, former={"Outcome": "SearchResult", "Tree": "GameTree"})
