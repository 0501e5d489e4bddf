"""Possible states: those that no `impossible` block rules out, in the order of the language.

Variables are added one by one, the last one running fastest and values in their global order; a block is applied as
soon as all that it looks at is there, so that most of the product is never written down.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.planning.conditions import Conditions, NotYetKnown, Situations
from hiddenhand.planning.language import syntax

MOST_STATES = 4_000_000


def every_state(conditions: Conditions, variables: tuple[syntax.Variable, ...]) -> Situations:
    """The whole product of these variables."""
    return without(conditions, variables, ())


def possible_states(conditions: Conditions, variables: tuple[syntax.Variable, ...]) -> Situations:
    """The states over these variables that can occur."""
    return without(conditions, variables, conditions.specification.impossible)


def without(
    conditions: Conditions, variables: tuple[syntax.Variable, ...], impossible: tuple[syntax.Impossible, ...]
) -> Situations:
    states = Situations(1, {})
    open_blocks = list(impossible)
    for variable in (None, *variables):
        if variable is not None:
            domain = conditions.domain(variable)
            if states.count * len(domain) > MOST_STATES:
                raise UserError(
                    f"{conditions.specification.file}: the world has more than {MOST_STATES} states; "
                    "fewer variables, fewer values or more `impossible` blocks would help"
                )
            states, _ = states.spread(("initial", variable.name), domain)
        for block in tuple(open_blocks):
            try:
                ruled_out = conditions.all_hold(block.requires, states)
            except NotYetKnown:
                continue
            open_blocks.remove(block)  # what was known decided it: more variables cannot change the answer
            if ruled_out.any():
                states = states.take(np.flatnonzero(~ruled_out))
    return states
