"""Listing: what a world consists of, as text. `cout` and `test` of the language print it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hiddenhand.planning.language import printing, syntax
from hiddenhand.planning.model.world import SUM_TOLERANCE, World, joined
from hiddenhand.planning.planners.knowledge import estimate as estimated
from hiddenhand.planning.planners.knowledge_files import DIGITS, query


def knowledge(world: World) -> str:
    """The knowledge section, as it would be written into a file."""
    items = [line for item in world.specification.knowledge for line in [*printing.knowledge(item), ""]]
    return "\n".join(["knowledge {", *items, "}"]) + "\n"


def visible_states(world: World) -> str:
    """All visible states, with the number of possible states behind each."""
    counts = np.diff(world.first).tolist()
    lines = (f"{world.visible_text(v)}: {states_possible(count)}\n" for v, count in enumerate(counts))
    return "".join(lines)


def states_possible(count: int) -> str:
    return "impossible" if count == 0 else f"{count} possible state{'s' if count > 1 else ''}"


def states(world: World) -> str:
    """The possible states."""
    return "".join(f"{world.state_text(state)}\n" for state in range(len(world.states)))


def perkun(world: World) -> str:
    """Every step that can happen, as the older language Perkun writes it."""
    lines = []
    for action, rows in enumerate(world.transitions):
        name = world.action_text(action)
        for before in range(len(world.states)):
            for entry in range(rows.indptr[before], rows.indptr[before + 1]):
                after, chance = int(rows.indices[entry]), printing.number(float(rows.data[entry]))
                lines.append(f"set({world.state_text(before)},{name},{world.state_text(after)},{chance});\n")
    return "".join(lines)


def estimate(world: World, depth: int, granularity: int, most: int) -> str:
    """The frame of a `precalculated` section: how much there would be to compute."""
    section = frame(world, depth, granularity, most)
    return "".join(f"{line}\n" for line in printing.precalculated(section, DIGITS))


def frame(world: World, depth: int, granularity: int, most: int) -> syntax.Precalculated:
    """A `precalculated` section without beliefs."""
    states = tuple(
        syntax.StoredState(
            query(world.inputs, world.visible_states[unit.visible]),
            float(unit.possible_states),
            unit.grid_size,
            unit.too_complex,
            (),
        )
        for unit in estimated(world, granularity, most)
    )
    return syntax.Precalculated(depth, granularity, states)


# --- rows of probabilities ---


def wrong_rows(world: World) -> list[tuple[str, str, float]]:
    """State, legal action and sum, where the probabilities do not sum to one over possible states."""
    sums = world.sums() - world.lost
    wrong = world.legal[world.visible_of].T & (np.abs(sums - 1.0) > SUM_TOLERANCE)
    return [(world.state_text(s), world.action_text(a), float(sums[a, s])) for a, s in np.argwhere(wrong).tolist()]


def told_rows(world: World, wrong: list[tuple[str, str, float]]) -> list[str]:
    rows = int(world.legal[world.visible_of].sum())
    if not wrong:
        return [f"the probabilities of all {rows} rows (a state and a legal action) sum to 1"]
    lines = [f"{state} {action}: the probabilities sum to {total:.6g}, not to 1" for state, action, total in wrong]
    return [*lines, f"{len(wrong)} of {rows} rows do not sum to 1"]


def rows_of(world: World, state: int) -> list[str]:
    """All that each action may lead to from one state."""
    lines = [f"from {world.state_text(state)}"]
    for action, rows in enumerate(world.transitions):
        name = world.action_text(action)
        if not world.legal[world.visible_of[state], action]:
            lines.append(f"  {name}: illegal")
            continue
        inside = slice(rows.indptr[state], rows.indptr[state + 1])
        lines.append(f"  {name}: the probabilities sum to {rows.data[inside].sum():.6g}")
        for after, chance in zip(rows.indices[inside].tolist(), rows.data[inside].tolist()):
            lines.append(f"    {chance:.6g}  {world.state_text(after)}")
    return lines


# --- beliefs ---


def belief_document(world: World, belief: NDArray[np.float64], least: float = 0.0) -> list[dict[str, Any]]:
    """The states that the belief holds possible, the likeliest first."""
    order = np.argsort(-belief, kind="stable").tolist()
    return [
        {"state": joined(world.hidden, world.states[state][1]), "probability": float(belief[state])}
        for state in order
        if belief[state] > least
    ]
