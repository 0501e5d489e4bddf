"""Precalculation: the exact planner asked in advance, for the beliefs that `knowledge` lists.

The work falls into units, one for each visible state, that can be done in any order and in any process. Each begins
from scratch, although a planner that remembers the others would be faster: so the result is the same to the last
digit, whoever does what when.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.planning.exact import Planner, among_best, checked_depth
from hiddenhand.planning.knowledge.blocks import (
    MOST_STORED,
    Block,
    Knowledge,
    checked_granularity,
    is_too_complex,
    stored_beliefs,
    units,
    with_blocks,
)
from hiddenhand.planning.world import World


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
    planner = Planner(world)
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
            f"what was precalculated has depth {known.depth} and granularity {known.granularity}, "
            f"not {depth} and {granularity}"
        )
    return known


def precalculate_block(
    planner: Planner, world: World, visible: int, depth: int, granularity: int, most: int = MOST_STORED["document"]
) -> Block:
    """One unit of the work: one visible state."""
    states = world.states_of(visible)
    if not states:
        raise UserError(f"the visible state {world.visible_text(visible)} is impossible")
    if not world.legal[visible].any():
        raise UserError(f"no action is legal in the visible state {world.visible_text(visible)}")
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
        raise UserError(f"there is no compat {compat!r}; it is one of: {one_of(list(MOST_STORED))}")
    return MOST_STORED[compat]
