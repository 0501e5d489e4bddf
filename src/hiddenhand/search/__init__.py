"""Search: agents that know no particular game, and what they are made of."""

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
"""The agents by name. Each is loaded when it is asked for."""
