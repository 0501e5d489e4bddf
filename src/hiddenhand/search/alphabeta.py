"""Alpha-beta: minimax's answer from far fewer nodes.

alpha is what the maximising side is already sure of, beta what the minimising side is; a branch in which alpha
reaches beta cannot matter and is cut. On top of that, each of them optional:

- iterative deepening: depth 1, 2, 3, ..., each search ordering the next; a time limit ends it after any node;
- a table of positions already searched, reached again by another order of moves;
- ordering: first the table's move, then moves that cut elsewhere on this level, then the game's own order;
- quiescence: at the depth limit, positions that the game calls unquiet are searched a few moves further, against the
  horizon effect.

Sides, not seats, oppose each other, so partners maximise together (`side` in the contract). An entry of the table
counts only for the same remaining depth: the value is exactly that of minimax to the same depth.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.kernel import digest, generic, new_records, record_type, rule
from hiddenhand.kernel.contract import order, quiet
from hiddenhand.search import driver
from hiddenhand.search.driver import ESTIMATED, EVERYTHING, MAXIMISES, REMEMBERED, SEARCHED
from hiddenhand.search.minimax import improve, take_side
from hiddenhand.search.tree_search import TreeSearch

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
ENTRY = record_type([("key", "u8"), ("value", "f8"), ("action", "i4"), ("depth", "i2"), ("bound", "i2")])


class AlphaBetaWorkspace(NamedTuple):
    """What alpha-beta needs besides the stack."""

    table: Any  # ENTRY[a power of two], or of length 0 for none
    killers: np.ndarray[Any, Any]  # int64[levels, 2]: the last two moves that cut on each level, -1 for none
    salt: np.uint64  # tells this decision's entries from older ones
    ordering: bool
    further: int  # moves that unquiet positions are searched beyond the depth limit


@rule
def bring_forward(actions, count, wanted):
    """Move one action to the front, if it is there."""
    for i in range(count):
        if actions[i] == wanted:
            for j in range(i, 0, -1):
                actions[j] = actions[j - 1]
            actions[0] = wanted
            return


@rule
def fingerprint(s, salt):
    """The key of a position in this search. The salt leaves the lower bits alone, and so the place in the table: the
    same search visits the same nodes whatever was searched before."""
    return digest(s, 0) ^ (salt << np.uint64(26))


@rule
def recall(table, key, depth, window):
    """What the table says: (whether it settles the value, the value, the best action or -1)."""
    alpha, beta = window
    entry = table[key & np.uint64(len(table) - 1)]
    if entry.key != key or entry.bound == 0:
        return False, 0.0, -1
    settles = entry.depth == depth and (
        entry.bound == EXACT
        or (entry.bound == AT_LEAST and entry.value >= beta)
        or (entry.bound == AT_MOST and entry.value <= alpha)
    )
    return settles, entry.value, np.int64(entry.action)


@rule
def remember(table, frame, depth):
    """Keep what was found out about the position of a frame."""
    entry = table[frame.key & np.uint64(len(table) - 1)]
    entry.key = frame.key
    entry.value = frame.best
    entry.action = frame.action
    entry.depth = depth
    if frame.best <= frame.floor:
        entry.bound = AT_MOST
    elif frame.best >= frame.ceiling:
        entry.bound = AT_LEAST
    else:
        entry.bound = EXACT


@rule
def narrow(frame, value):
    """The best value so far is what one side is sure of from now on."""
    if frame.kind == MAXIMISES:
        frame.alpha = max(frame.alpha, value)
    else:
        frame.beta = min(frame.beta, value)


@rule
def next_move(frame):
    """The number of the next move, or -1: none is left, or the window is closed. That is the cut."""
    if frame.tried == frame.count or frame.alpha >= frame.beta:
        return -1
    frame.tried += 1
    return frame.tried - 1


@generic
def look_up(search, workspace, d, depth, window):
    """Ask the table about the position on level d: (whether it settles the value, the value)."""
    frame = search.frames[d]
    frame.key = fingerprint(search.states[d], workspace.salt)
    settles, value, frame.hint = recall(workspace.table, frame.key, depth, window)
    return settles, value


@generic
def enter(search, workspace, d):
    """Order the moves: promising ones first mean early cuts."""
    if d == 0 and len(workspace.table) > 0:
        look_up(search, workspace, 0, search.limit, EVERYTHING)
    elif d == 0:
        search.frames[0].hint = -1
    frame, actions = search.frames[d], search.actions[d]
    if workspace.ordering:
        order(search.states[d], actions, frame.count)
        bring_forward(actions, frame.count, workspace.killers[d, 1])
        bring_forward(actions, frame.count, workspace.killers[d, 0])
    if frame.hint >= 0:
        bring_forward(actions, frame.count, frame.hint)
    frame.floor = frame.alpha
    frame.ceiling = frame.beta
    take_side(search, d)


@generic
def choose(search, workspace, d):
    """The next move, in the present window."""
    frame = search.frames[d]
    return next_move(frame), (frame.alpha, frame.beta)


@generic
def treat(search, workspace, d, mover, plies):
    """At the depth limit only unquiet positions are searched on; above it the table may know the answer."""
    limit = search.limit
    if d >= limit:
        if d >= limit + workspace.further or d + 1 >= len(search.states) or quiet(search.states[d]):
            return ESTIMATED
    above, frame = search.frames[d - 1], search.frames[d]
    frame.hint = -1
    if len(workspace.table) > 0 and d < limit:
        settles, value = look_up(search, workspace, d, limit - d, (above.alpha, above.beta))
        if settles:
            search.work[0].hits += 1
            search.values[search.me] = value
            return REMEMBERED
    return SEARCHED


@generic
def combine(search, workspace, d, value, how):
    """As in minimax, and the window closes by what is now certain."""
    frame = search.frames[d]
    better = improve(frame, search.actions[d, frame.tried - 1], value)
    if better:
        narrow(frame, value)
    return better


@generic
def close(search, workspace, d):
    """Remember the move that cut, and what is known of the position."""
    frame, killers = search.frames[d], workspace.killers
    if frame.tried < frame.count and frame.action != killers[d, 0]:
        killers[d, 1] = killers[d, 0]
        killers[d, 0] = frame.action
    if len(workspace.table) > 0 and d < search.limit:
        remember(workspace.table, frame, search.limit - d)
    return frame.best


class AlphaBeta(TreeSearch):
    """Alpha-beta with everything that makes it strong; each part can be switched off."""

    name = "alphabeta"
    summary = Text("looks ahead as minimax does, and skips what cannot change the move")
    plugs = {
        driver.enter: enter,
        driver.choose: choose,
        driver.treat: treat,
        driver.combine: combine,
        driver.close: close,
    }
    settings = {
        **TreeSearch.settings,
        "deepening": Setting(True, Text("look 1 move ahead, then 2, then 3, and so on")),
        "ordering": Setting(True, Text("try promising moves first")),
        "table": Setting(18, Text("positions it remembers: 2 to this power; 0 for none"), low=0, high=26, ceiling=20),
        "quiescence": Setting(4, Text("so many moves further where something is about to happen"), low=0, high=32),
    }
    ordering: bool
    table: int
    quiescence: int
    entries: Any = None

    @classmethod
    def refuses(cls, game: Game) -> str:
        refusal = super().refuses(game)
        return refusal or (Text("chance moves in it; use expectiminimax") if game.chance.outcomes else "")

    def workspace(self, levels: int) -> AlphaBetaWorkspace:
        if self.entries is None:
            self.entries = new_records(ENTRY, 1 << self.table if self.table else 0)
            self.searches = 0
            self.killers = np.full((self.levels(self.limit()), 2), -1, np.int64)
        return AlphaBetaWorkspace(
            self.entries, self.killers, np.uint64(self.searches), self.ordering, self.quiescence
        )

    def forget(self) -> None:
        """A new decision owes nothing to earlier ones: old entries no longer match."""
        self.workspace(0)
        self.searches += 1
        self.killers.fill(-1)
