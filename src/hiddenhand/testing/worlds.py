"""The worlds that a seat holds possible: how they came about, how they are listed, and how one leads to another."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from scipy.stats import chi2

from hiddenhand.core.game import Game
from hiddenhand.core.table import Table
from hiddenhand.core.view import legal_actions, same, seen_by
from hiddenhand.kernel import UNTOLD, assign, derive, new_records, stream
from hiddenhand.testing.positions import positions

DRAWS, FEW = 1500, 10  # in a position whose worlds are counted, and in others
COUNTED = 3  # positions in which worlds are counted
MOST_LISTED, MOST_COUNTED = 200, 24  # worlds of such a position
STEPS = 3  # from world to world, in every position
TOO_RARE = 1e-6


def check_rewind(game: Game) -> None:
    """A state tells how it came about; so does a redealt one, in which the seat saw and did the very same."""
    if "rewind" not in game.rules.given:
        return
    world = new_records(game.rules.state, 1)[0]
    for number, table in enumerate(positions(game, games=3, seed=6)):
        came = rewound(game, table.state)
        if came is None:
            continue
        dealt = Table(game, table.seed, rolls=False).state
        assert same(came[0], dealt), f"rewind begins with another deal, after {table.history_names}"
        for seat in range(game.players):
            assign(world, table.state)
            game.rules.redeal(world, seat, stream(derive(10, number)))
            assert lived(game, world, seat) == lived(game, table.state, seat), (
                f"in a redealt world seat {seat} would have seen or done something else before, "
                f"after {table.history_names}"
            )


def rewound(game: Game, state: np.record) -> tuple[Any, list[int]] | None:
    """The deal and all moves since; None if the state does not tell."""
    first, actions = new_records(game.rules.state, 1)[0], np.zeros(game.longest, np.int64)
    for name in game.rules.state.names or ():
        if name != "padding":
            first[name] = 1  # whatever is not written shows
    count = int(game.rules.rewind(state, first, actions))
    return None if count == UNTOLD else (first, actions[:count].tolist())


def lived(game: Game, state: np.record, seat: int) -> list[tuple[bytes, int]] | None:
    """What a seat saw and did at each of its decisions until this state."""
    came = rewound(game, state)
    if came is None:
        return None
    now, actions = came
    decisions = []
    for action in actions:
        assert action in legal_actions(game, now), f"rewind gives action {action}, which was not legal"
        if game.rules.turn(now) == seat:
            decisions.append((seen_by(game, now, seat), action))
        game.rules.play(now, action, stream(11))
    assert same(now, state), "played again from the deal, the moves of rewind lead to another state"
    return decisions


def check_worlds(game: Game) -> None:
    """`world` lists what `redeal` draws: worlds that look the same, each as often drawn as its weight says."""
    if "worlds" not in game.rules.given or "world" not in game.rules.given:
        return
    counted = 0
    for number, table in enumerate(positions(game, games=6, seed=7)):
        seat = number % game.players
        count = int(game.rules.worlds(table.state, seat))
        if 0 < count <= MOST_LISTED:
            weights = listed(game, table, seat, count)
            counting = len(weights) > 1 and counted < COUNTED
            counted += counting
            draws = DRAWS if counting else FEW
            check_weights(game, table, seat, weights, drawn(game, table, seat, draws, number))


def check_weights(game: Game, table: Table, seat: int, weights: dict[Any, float], found: Counter[Any]) -> None:
    assert found.keys() <= weights.keys(), f"redeal draws worlds that are not listed, after {table.history_names}"
    share = found.total() / sum(weights.values())
    chi_square = sum((found[fact] - share * weight) ** 2 / (share * weight) for fact, weight in weights.items())
    assert found.total() < DRAWS or chi2.sf(chi_square, len(weights) - 1) > TOO_RARE, (
        f"worlds are not drawn as often as their weights say, after {table.history_names}"
    )


def drawn(game: Game, table: Table, seat: int, draws: int, seed: int) -> Counter[Any]:
    """How often each set of facts occurs in `draws` redealt worlds."""
    found: Counter[Any] = Counter()
    world = new_records(game.rules.state, 1)[0]
    for draw in range(draws):
        assign(world, table.state)
        game.rules.redeal(world, seat, stream(derive(seed, draw)))
        found[told(game, world, seat)] += 1
    return found


def listed(game: Game, table: Table, seat: int, count: int) -> dict[Any, float]:
    """The weights of what may be the case, all worlds of a seat gone through."""
    weights: dict[Any, float] = {}
    world = new_records(game.rules.state, 1)[0]
    for number in range(count):
        assign(world, table.state)
        weight = float(game.rules.world(world, seat, number, stream(number)))
        assert weight >= 0.0, f"world {number} of {count} has the weight {weight}"
        if weight > 0.0:
            check_looks_the_same(game, world, table, seat, "a listed world")
            fact = told(game, world, seat)
            weights[fact] = weights.get(fact, 0.0) + weight
    assert weights, f"of {count} listed worlds none is possible, after {table.history_names}"
    return weights


def told(game: Game, world: np.record, seat: int) -> Any:
    """What the game says of a world: the things that the seat cannot see."""
    return frozenset(game.people.facts(world, seat).items()) if game.people.facts is not None else None


def check_looks_the_same(game: Game, world: np.record, table: Table, seat: int, what: str) -> None:
    assert seen_by(game, world, seat) == seen_by(game, table.state, seat), (
        f"{what} looks different to seat {seat}, after {table.history_names}"
    )
    assert game.rules.turn(world) == table.turn, f"in {what} it is another's turn, after {table.history_names}"


def check_vary(game: Game) -> None:
    """`vary` keeps to the worlds that look the same, reaches them all, and steps back as often as forth."""
    if "vary" not in game.rules.given:
        return
    counted = 0
    world = new_records(game.rules.state, 1)[0]
    for number, table in enumerate(positions(game, games=4, seed=8)):
        seat = number % game.players
        assign(world, table.state)
        for step in range(STEPS):
            game.rules.vary(world, seat, stream(derive(number, step)))
            check_looks_the_same(game, world, table, seat, "a varied world")
        if "rewind" in game.rules.given:
            assert lived(game, world, seat) == lived(game, table.state, seat), (
                f"in a varied world seat {seat} would have seen or done something else, after {table.history_names}"
            )
        if counted < COUNTED and 1 < len(drawn(game, table, seat, FEW, number)) < FEW:
            counted += 1
            check_steps(game, table, seat)


def check_steps(game: Game, table: Table, seat: int) -> None:
    """From one world all are reached; from uniform worlds, as many steps lead from one to another as back."""
    world, rng = new_records(game.rules.state, 1)[0], stream(derive(13, seat))
    possible = drawn(game, table, seat, DRAWS, 12)
    if len(possible) > MOST_COUNTED:
        return
    assign(world, table.state)
    reached = set()
    for _ in range(DRAWS):
        game.rules.vary(world, seat, rng)
        reached.add(told(game, world, seat))
    assert reached >= possible.keys(), f"vary does not reach every possible world, after {table.history_names}"
    assert reached <= possible.keys(), f"vary leads to worlds that redeal never draws, after {table.history_names}"
    steps: Counter[Any] = Counter()
    for _ in range(DRAWS):
        assign(world, table.state)
        game.rules.redeal(world, seat, rng)
        start = told(game, world, seat)
        game.rules.vary(world, seat, rng)
        steps[start, told(game, world, seat)] += 1
    chi_square = [
        (there - steps[end, start]) ** 2 / (there + steps[end, start])
        for (start, end), there in steps.items()
        if start != end
    ]  # every pair of worlds twice, unless all steps were one way
    assert not chi_square or chi2.sf(sum(chi_square) / 2, len(chi_square) / 2) > TOO_RARE, (
        f"vary leads from one world to another more often than back, after {table.history_names}"
    )
