"""Shares of worlds: what each hidden thing of a seat's picture may be, for any game that says its `facts`.

The chance of a fact is its share among the worlds that fit all that the seat knows. Where the game lists its worlds
(see `worlds` in the contract) and they are few, all of them are counted; else some are drawn. The draw depends on
nothing but the seat's view, so that it tells nothing that the seat could not have worked out. A belief from behaviour
brings its own worlds, with weights.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.view import own_view
from hiddenhand.kernel import new_records

if TYPE_CHECKING:
    from hiddenhand.belief.particle_filter import Posterior
    from hiddenhand.core.game import Game
    from hiddenhand.core.table import Table

WORLDS = 400
"""The most worlds that are all counted; of more, this many are drawn, and shares have an error of about 5 %."""

Shares = dict[str, list[tuple[str, float]]]
Case = tuple[dict[str, str], float]
"""The facts of a world, and its weight."""


def shares_of_worlds(table: Table, seat: int) -> Shares:
    """By the name of a thing, what it may be and how likely, the likeliest first."""
    return counted(cases_of(table, seat))


def cases_of(table: Table, seat: int) -> list[Case]:
    """The worlds that a seat may be in: all of them if they can be listed and are few, else some that are drawn."""
    game = table.game
    facts = facts_of(game)
    view = own_view(game, table.state, seat)
    rng, world = view.stream(), new_records(game.rules.state, 1)[0]
    count = int(game.rules.worlds(view.imagine(rng, world), seat))
    found = []
    for number in range(count if 0 < count <= WORLDS else 0):
        weight = float(game.rules.world(view.imagine(rng, world), seat, number, rng))
        if weight > 0.0:
            found.append((facts(world, seat), weight))
    return found or [(facts(view.imagine(rng, world), seat), 1.0) for _ in range(WORLDS)]


def facts_of(game: Game) -> Callable[[Any, int], dict[str, str]]:
    """What a world says of each hidden thing; refused where a game has nothing of that kind."""
    if game.people.facts is None or not game.hidden:
        raise UserError("{title} has nothing hidden that could be told in shares of worlds", title=game.title)
    return game.people.facts


def shares_of_belief(game: Game, seat: int, belief: Posterior) -> Shares:
    """The same by a belief from behaviour; nothing where the game tells no facts."""
    if game.people.facts is None:
        return {}
    weighed = zip(belief.states, belief.weights.tolist(), strict=True)
    return counted((game.people.facts(world, seat), weight) for world, weight in weighed if weight > 0.0)


def counted(cases: Iterable[Case]) -> Shares:
    """The shares of facts among worlds with weights."""
    found: dict[str, defaultdict[str, float]] = {}
    total = 0.0
    for facts, weight in cases:
        total += weight
        for name, fact in facts.items():
            found.setdefault(name, defaultdict(float))[fact] += weight
    return {
        name: sorted(((fact, weight / total) for fact, weight in facts.items()), key=lambda share: -share[1])
        for name, facts in found.items()
    }
