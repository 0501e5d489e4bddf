"""A table of checkers endgames, checked against search: `python checkers_endgames.py FILE [POSITIONS [DEPTH]]`.

Random positions of the table, each looked at in two ways that know nothing of retrograde analysis:

1. One move ahead, by the rules of the game: the code must be what the codes after all moves say. For wins and losses
   that is a proof by induction, position by position, since codes go down; a draw must have a move that keeps it, and
   none that wins.
2. Alpha-beta without the table. A win in k moves, k at most `depth`, must be found by a search of k moves (and of as
   many more as jumps of several pieces take); what the table calls a draw, or a longer win or loss, must be neither
   won nor lost for a search of that depth.
"""

import sys

import numpy as np

from hiddenhand.core.endgames import DRAW, LOST, NOTHING, UNKNOWN, better_code, read_endgames
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.table import Table
from hiddenhand.core.view import legal_actions
from hiddenhand.games.checkers import NOBODY
from hiddenhand.games.checkers.position_index import NOWHERE, STARTS, position_at, slices
from hiddenhand.games.checkers.retrograde import code_after, set_position
from hiddenhand.kernel import stream

SEVERAL_JUMPS = 2


def main(path: str, positions: int = 1000, depth: int = 9) -> None:
    checkers = game("checkers")
    codes = read_endgames(path, checkers)
    kinds = [each for each in slices(6) if STARTS[each] + each.size <= len(codes)]
    sizes = np.array([each.size for each in kinds], float)
    random = np.random.default_rng(1)
    player = agent(checkers, f"alphabeta:depth={depth + SEVERAL_JUMPS},table=20,quiescence=0")
    table = Table(checkers)
    done = {"won": 0, "drawn": 0, "lost": 0}
    proved, bounded = 0, 0
    while sum(done.values()) < positions:
        kind = kinds[random.choice(len(kinds), p=sizes / sizes.sum())]
        number = int(random.integers(kind.size))
        code = int(codes[STARTS[kind] + number])
        if code == NOTHING:
            continue
        position = position_at(number, tuple(kind))
        set_position(table.state, position)
        assert one_move_ahead(checkers, table.state, codes) == code, position
        done["drawn" if code == DRAW else "won" if code % 2 == 0 else "lost"] += 1
        if code == LOST:
            continue
        set_position(table.state, position)
        near = code != DRAW and code - 1 <= depth
        player.forget()
        found = player.search(table.state.copy(), 0, code - 1 + SEVERAL_JUMPS if near else depth)
        expected = 0.0 if not near else 1.0 if code % 2 == 0 else -1.0
        assert (found.value == expected) if near else (abs(found.value) < 1.0), (position, code, found)
        proved, bounded = proved + near, bounded + (not near)
    print(f"{positions:,} random positions with up to {kinds[-1].pieces} pieces: {done}")
    print("each has the code that its moves give, by the rules")
    print(
        f"alpha-beta finds the {proved:,} of up to {depth} moves, and no end within {depth} for the other {bounded:,}"
    )


def one_move_ahead(checkers, state, codes):
    """The best code after all moves; a move goes on while the same piece jumps."""
    if state.winner == NOBODY and not legal_actions(checkers, state):
        return LOST
    best = UNKNOWN
    for action in legal_actions(checkers, state):
        after = state.copy()
        checkers.rules.play(after, action, stream(0))
        if after.jumper != NOWHERE:
            found = one_move_ahead(checkers, after, codes)
        else:
            found = int(code_after(codes, after))
        best = int(better_code(best, found))
    return best


if __name__ == "__main__":
    main(sys.argv[1], *(int(number) for number in sys.argv[2:]))
