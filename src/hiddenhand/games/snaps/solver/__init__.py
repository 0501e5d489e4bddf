"""The solver of snaps: what each move is worth when all cards lie open.

    memory = new_memory(s.plays)                     # once, for as many worlds as one likes
    solve(s, WIN, memory)                            # for the chooser's side
    solve_moves(s, actions, n, WIN, memory, values)  # for the side of the mover, every legal action

`s` is a state with the true hands and holder. All of it is compiled and exact: alpha-beta for two sides with an
explicit stack, a table of positions whose entries hold for a range of scores, and equal cards left out.
"""

from hiddenhand.games.snaps.solver.tricks import (
    fit_table,
    new_memory,
    table_size,
)
from hiddenhand.games.snaps.solver.values import POINTS, WIN, solve, solve_moves

__all__ = ["POINTS", "WIN", "fit_table", "new_memory", "solve", "solve_moves", "table_size"]
