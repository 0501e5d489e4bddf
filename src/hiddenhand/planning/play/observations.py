"""Which of a world's visible variables say what the last step brought, and nothing else.

What a tiger's growl was makes no difference to what can happen next: it is a report. Where a ferry lies does make
one: it is a fact that stands. A report is told after every step, even if it is the same again; and before the first
step there is none, unless it tells something of what is hidden.
"""

from __future__ import annotations

from typing import Any

from hiddenhand.planning.model.world import Names, World


def reports_of(world: World) -> frozenset[int]:
    """The places, among the visible variables, of those whose value nothing depends on that can happen next."""
    return frozenset(place for place in range(len(world.inputs)) if only_reports(world, place))


def only_reports(world: World, place: int) -> bool:
    """Whether states that differ in this variable alone lead to the same; there must be such states."""
    following: dict[Any, Any] = {}
    compared = False
    for state, (visible, hidden) in enumerate(world.states):
        alike = (without(world.visible_states[visible], place), hidden)
        ways = tuple(way_on(rows, state) for rows in world.transitions)
        compared |= alike in following
        if following.setdefault(alike, ways) != ways:
            return False
    return compared


def without(names: Names, place: int) -> Names:
    return names[:place] + names[place + 1 :]


def way_on(rows: Any, state: int) -> tuple[bytes, bytes]:
    """A row of a sparse table, as something that can be compared."""
    entries = slice(rows.indptr[state], rows.indptr[state + 1])
    return rows.indices[entries].tobytes(), rows.data[entries].tobytes()


def tells_of_hidden(world: World, visible: int, place: int) -> bool:
    """Whether the value of this variable leaves fewer hidden states possible than its other values would."""
    alike = without(world.visible_states[visible], place)
    possible = {hidden for seen, hidden in world.states if without(world.visible_states[seen], place) == alike}
    return len(possible) > len(world.states_of(visible))
