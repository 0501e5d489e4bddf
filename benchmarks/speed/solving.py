"""Solving: iterations of CFR+ on one core, beside OpenSpiel's in C++ (extra `bench`).

Both alternate the seats, average linearly, and come to the same strategies (`tests/search/test_cfr.py`). The tree
and the sequence form are built before the clock runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hiddenhand.core.resolver import game
from hiddenhand.search import RegretMinimiser, sequence_form
from rows import Row, per_second

GAMES = (
    ("Kuhn poker", "kuhn", {}, "kuhn_poker", 300),
    ("Leduc hold'em", "leduc", {}, "leduc_poker", 100),
    ("liar's dice, 4 faces", "liars_dice", {"faces": 4}, "liars_dice(dice_sides=4)", 100),
    ("liar's dice, 6 faces", "liars_dice", {"faces": 6}, "liars_dice", 5),
    (
        "Goofspiel, 5 cards",
        "goofspiel",
        {"cards": 5},
        "turn_based_simultaneous_game(game=goofspiel(num_cards=5,imp_info=True,points_order=descending))",
        20,
    ),
)


def rows() -> Iterator[Row]:
    try:
        import pyspiel
    except ImportError:
        pyspiel = None
    for title, name, options, their_name, chunk in GAMES:
        theirs = their_iterations(pyspiel, their_name) if pyspiel else None
        ours = our_iterations(name, options, chunk)
        yield Row(f"CFR+, {title}", "iterations/s", ours, "OpenSpiel, C++", theirs)


def our_iterations(name: str, options: dict[str, Any], chunk: int) -> float:
    solver = RegretMinimiser(sequence_form(game(name, options)))
    solver.run(1)

    def run() -> int:
        solver.run(chunk)
        return chunk

    return per_second(run)


def their_iterations(pyspiel: Any, name: str) -> float:
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))

    def run() -> int:
        solver.evaluate_and_update_policy()
        return 1

    return per_second(run)
