"""Precalculated knowledge: for every visible state a list of beliefs, each with its best action and what it is worth.

Which beliefs: a grid, if that is small enough, otherwise the certainties ("too complex"). The grid of granularity g
has all counts 0 .. g-1 for each possible state, divided by their sum; the first state's count runs fastest. The
document of Svarog calls more than 1000 beliefs too many, the program more than 1024.

`precalculate` asks the exact planner in advance. The work falls into units, one for each visible state, that can be
done in any order and in any process. Each begins from scratch, although a planner that remembers the others would be
faster: so the result is the same to the last digit, whoever does what when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.protocol import among_best, checked_depth

MOST_STORED = {"document": 1000, "svarog": 1024}
LARGEST_COUNT = 3.40282e38  # the largest that the original can print


@dataclass(frozen=True, eq=False)
class Block:
    """What is known for one visible state with k possible states: n entries."""

    visible: int
    too_complex: bool
    beliefs: Floats
    """(n, k) over the possible states of the visible state, in order."""
    actions: NDArray[np.intp]
    """(n,)"""
    values: Floats
    """(n,)"""

    @property
    def size(self) -> int:
        """How many states are possible here."""
        return int(self.beliefs.shape[1])

    def __len__(self) -> int:
        return len(self.actions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Block) and (
            (self.visible, self.too_complex) == (other.visible, other.too_complex)
            and np.array_equal(self.beliefs, other.beliefs)
            and np.array_equal(self.actions, other.actions)
            and np.array_equal(self.values, other.values)
        )


@dataclass(frozen=True)
class Knowledge:
    """The blocks of some or all visible states, in ascending order."""

    depth: int
    granularity: int
    blocks: dict[int, Block]

    def __len__(self) -> int:
        """How many beliefs are stored."""
        return sum(len(block) for block in self.blocks.values())

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks.values())


def with_blocks(knowledge: Knowledge, blocks: dict[int, Block]) -> Knowledge:
    """The same knowledge and these blocks where it has none yet."""
    together = blocks | knowledge.blocks
    return Knowledge(knowledge.depth, knowledge.granularity, {v: together[v] for v in sorted(together)})


def merge(first: Knowledge, second: Knowledge) -> Knowledge:
    """All that the first knows, and what only the second knows."""
    if (first.depth, first.granularity) != (second.depth, second.granularity):
        raise UserError(
            "knowledge of depth {depth} and granularity {granularity} cannot be merged with "
            "knowledge of depth {other_depth} and granularity {other_granularity}; both must agree",
            depth=first.depth,
            granularity=first.granularity,
            other_depth=second.depth,
            other_granularity=second.granularity,
        )
    return with_blocks(first, second.blocks)


# --- which beliefs are stored ---


def grid_size(states: int, granularity: int) -> float:
    """The number of beliefs in the grid; only approximate beyond 2 ** 53."""
    if states * np.log10(granularity) > 38.0:
        return LARGEST_COUNT
    return float(granularity**states - 1)


def is_too_complex(states: int, granularity: int, most: int = MOST_STORED["document"]) -> bool:
    return grid_size(states, granularity) > most


def grid(states: int, granularity: int) -> Floats:
    """(n, k) all beliefs of the grid."""
    numbers = np.arange(1, granularity**states)
    counts = numbers[:, None] // granularity ** np.arange(states) % granularity
    found: Floats = counts / counts.sum(axis=1, keepdims=True)
    return found


def stored_beliefs(states: int, granularity: int, too_complex: bool) -> Floats:
    """(n, k) the beliefs for which a visible state with k possible states is precalculated."""
    return np.eye(states) if too_complex else grid(states, granularity)


@dataclass(frozen=True)
class Estimate:
    """How much is to be precalculated for one visible state."""

    visible: int
    possible_states: int
    grid_size: float
    too_complex: bool

    @property
    def stored(self) -> int:
        return self.possible_states if self.too_complex else int(self.grid_size)


def estimate(world: World, granularity: int, most: int = MOST_STORED["document"]) -> list[Estimate]:
    """How much is to be precalculated, for every visible state in which there is something to decide."""
    checked_granularity(granularity)
    found = []
    for visible in units(world):
        states = len(world.states_of(visible))
        size = grid_size(states, granularity)
        found.append(Estimate(visible, states, size, size > most))
    return found


def units(world: World) -> list[int]:
    """The visible states that are possible and in which some action is legal: each is a piece of work of its own."""
    return [int(visible) for visible in np.flatnonzero(world.possible & world.legal.any(axis=1))]


def checked_granularity(granularity: int) -> int:
    if granularity < 2:
        raise UserError(
            "the granularity must be a whole number of at least 2, not {granularity}", granularity=granularity
        )
    return granularity


def precalculate(
    world: World,
    depth: int,
    granularity: int,
    compat: str = "document",
    visible_states: Iterable[int] | None = None,
    known: Knowledge | None = None,
) -> Knowledge:
    """The best actions for all visible states, or for the given ones.

    compat    whose limit makes a grid too complex: the `document`'s (1000 beliefs) or the program's (`svarog`, 1024)
    known     what was precalculated before, and need not be again
    """
    most = limit(compat)
    planner = ExactPlanner(world)
    wanted = units(world) if visible_states is None else list(visible_states)
    knowledge = begun(depth, granularity, known)
    blocks = {
        visible: precalculate_block(planner, world, visible, depth, granularity, most)
        for visible in wanted
        if visible not in knowledge.blocks
    }
    return with_blocks(knowledge, blocks)


def begun(depth: int, granularity: int, known: Knowledge | None = None) -> Knowledge:
    """Knowledge to be added to: what was known before, if it is of this kind, or nothing yet."""
    fresh = Knowledge(checked_depth(depth), checked_granularity(granularity), {})
    if known is None:
        return fresh
    if (known.depth, known.granularity) != (depth, granularity):
        raise UserError(
            "what was precalculated has depth {depth} and granularity {granularity}, not "
            "{other_depth} and {other_granularity}",
            depth=known.depth,
            granularity=known.granularity,
            other_depth=depth,
            other_granularity=granularity,
        )
    return known


def precalculate_block(
    planner: ExactPlanner,
    world: World,
    visible: int,
    depth: int,
    granularity: int,
    most: int = MOST_STORED["document"],
) -> Block:
    """One unit of the work: one visible state."""
    states = world.states_of(visible)
    if not states:
        raise UserError("the visible state {visible} is impossible", visible=world.visible_text(visible))
    if not world.legal[visible].any():
        raise UserError("no action is legal in the visible state {visible}", visible=world.visible_text(visible))
    too_complex = is_too_complex(len(states), granularity, most)
    beliefs = stored_beliefs(len(states), granularity, too_complex)
    planner.forget()
    inside = beliefs > 0.0
    starts = np.concatenate(([0], np.cumsum(inside.sum(axis=1))))
    nodes = planner.graph.numbered(starts, states.start + np.nonzero(inside)[1], beliefs[inside])
    values = planner.action_values(nodes, depth)
    actions = np.argmax(among_best(values), axis=1)
    best = values[np.arange(len(actions)), actions] + 0.0  # no negative zero
    return Block(visible, too_complex, beliefs, actions, best)


def limit(compat: str) -> int:
    if compat not in MOST_STORED:
        raise UserError(
            "there is no compat {compat}; it is one of: {list}", compat=repr(compat), list=one_of(list(MOST_STORED))
        )
    return MOST_STORED[compat]
