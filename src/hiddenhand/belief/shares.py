"""Shares of worlds: what each hidden thing of a seat's picture may be, for any game that says its `facts`.

Worlds that fit all that the seat knows are drawn; the chance of a fact is its share among them. The draw depends on
nothing but the seat's view, so that it tells nothing that the seat could not have worked out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiddenhand.core.errors import UserError
from hiddenhand.core.view import own_view
from hiddenhand.kernel import new_records

if TYPE_CHECKING:
    from hiddenhand.core.table import Table

WORLDS = 400
"""How many are drawn: the chances are right to about five in a hundred."""

Shares = dict[str, list[tuple[str, float]]]


def shares_of_worlds(table: Table, seat: int, worlds: int = WORLDS) -> Shares:
    """By the name of a thing, what it may be and how likely, the likeliest first."""
    game = table.game
    if game.facts is None or not game.hidden:
        raise UserError(f"{game.title} has nothing hidden that could be told in shares of worlds")
    view = own_view(game, table.state, seat)
    rng, world = view.stream(), new_records(game.state, 1)[0]
    counted: dict[str, Counter[str]] = {}
    for _ in range(worlds):
        view.imagine(rng, world)
        for name, fact in game.facts(world, seat).items():
            counted.setdefault(name, Counter())[fact] += 1
    return {name: [(fact, n / worlds) for fact, n in facts.most_common()] for name, facts in counted.items()}
