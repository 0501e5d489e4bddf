"""Solving: iterations of CFR+ on one core, beside OpenSpiel in C++ (extra `bench`) and LiteEFG, if it is installed.

All alternate the seats and average linearly, and ours and OpenSpiel's come to the same strategies
(`tests/search/test_cfr.py`). The tree and the sequence form are built before the clock runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
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
    for title, name, options, their_name, chunk in GAMES:
        ours = our_iterations(name, options, chunk)
        for peer, theirs in (("OpenSpiel, C++", open_spiel_iterations), ("LiteEFG", lite_efg_iterations)):
            yield Row(f"CFR+, {title}", "iterations/s", ours, peer, theirs(their_name))


def our_iterations(name: str, options: dict[str, Any], chunk: int) -> float:
    solver = RegretMinimiser(sequence_form(game(name, options)))
    solver.run(1)

    def run() -> int:
        solver.run(chunk)
        return chunk

    return per_second(run)


def open_spiel_iterations(name: str) -> float | None:
    try:
        import pyspiel
    except ImportError:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))

    def run() -> int:
        solver.evaluate_and_update_policy()
        return 1

    return per_second(run)


def lite_efg_iterations(name: str) -> float | None:
    try:
        import LiteEFG
        import pyspiel
        from LiteEFG.baselines import CFRplus
    except ImportError:
        return None
    if "goofspiel" in name:  # it reads no game of simultaneous moves in turns
        return None
    with redirect_stdout(StringIO()):
        environment, method = LiteEFG.OpenSpielEnv(pyspiel.load_game(name)), CFRplus.graph()
    LiteEFG.set_threads(1)
    environment.set_graph(method)

    def run() -> int:
        method.update_graph(environment)
        environment.update_strategy(method.current_strategy())
        return 1

    return per_second(run)
