"""Hanabi: random play against OpenSpiel (extra `bench`), and how fast our agents play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hiddenhand.core.resolver import agents, game
from rows import Row, games_per_second, per_second

AGENTS = ("cheater", "trustful", "distrustful", "reinforced2", "pair", "hat")


def rows() -> Iterator[Row]:
    try:
        import pyspiel
    except ImportError:
        pyspiel = None
    for players in (2, 5):
        theirs = their_games(pyspiel, players) if pyspiel else None
        ours = our_games("random", players)
        yield Row(f"random games, {players} players", "games/s", ours, "OpenSpiel, Python", theirs, 30.0)
    known = agents("hanabi")
    for name in AGENTS:
        if name in known:
            yield Row(f"{name}, 4 players", "games/s", our_games(name, 4), "-", None)


def our_games(name: str, players: int) -> float:
    return games_per_second(game("hanabi", players=players), name)


def their_games(pyspiel: Any, players: int) -> float:
    theirs = pyspiel.load_game("hanabi", {"players": players})
    choose, weigh = random.Random(1).choice, random.Random(2).choices

    def play() -> int:
        state = theirs.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes())
                state.apply_action(weigh(outcomes, odds)[0])
            else:
                state.apply_action(choose(state.legal_actions()))
        return 1

    return per_second(play)
