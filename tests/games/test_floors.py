"""How well every honest agent plays under every variant of its game's rules, so that none is ruined by one of them.

    .venv/bin/python tests/games/test_floors.py [GAME ...]      prints the table

An agent of a cooperative game plays with itself; in a game against others it plays one seat, which changes, and
`random` the rest; a world has one seat. Compiled policies that decide at once play under every variant; agents that
think, under the rules as they are and under every preset.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from test_agents import CHEATERS, PAIRS, quick

import hiddenhand as hh
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.game import Game, player_counts
from hiddenhand.core.resolver import game, games

SEED = 20_301
GAMES = 200
FEW = {
    "hanabi": 2,
    "adaptive": 20,
    "battleship": 2,
    "kuhn": 400,
    "leduc": 200,
    "tictactoe": 40,
    "goofspiel": 40,
    "dark_hex": 20,
    "liars_dice": 40,
    "tiger": 40,
    "ferryman": 20,
    "dorban": 40,
    "tree": 200,
}
"""How many games are played by an agent that thinks, by its name or its game, where it is not 4."""
SLOW = {"averaging", "best_reply", "experienced", "pimc"}
"""Compiled policies that think."""
VALUES: dict[str, list[Any]] = {"kingdom": ["Size Distortion", "random:7"], "choose_after": [0, 3], "size": [6]}
"""Values to try of options that have no short list of choices."""

FLOORS: dict[str, dict[str, float]] = {
    "backgammon": {"": 0.9},
    "battleship": {"": 0.9},
    "blind_tictactoe": {"": 0.2},
    "checkers": {"": 0.9},
    "connect_four": {"": 0.4},
    "dark_hex": {"": 0.1},
    "dominion": {"": 0.95, "greedy": 0.8},
    "dorban": {"": 50.0},
    "ferryman": {"": 0.0},
    "goofspiel": {"": 0.05},
    "hanabi": {
        "": 19.0,
        "adaptive": 11.0,
        "distrustful": 16.0,
        "erratic": 0.8,
        "inclined": 11.0,
        "ismcts": 0.0,
        "pimc": 0.0,
        "reinforced": 17.5,
        "reinforced2": 17.0,
        "reinforced4": 17.0,
        "search": 10.0,
        "simple_distrustful": 14.0,
        "stopped_clock": 3.5,
    },
    "kuhn": {"": 0.05},
    "leduc": {"": 0.5},
    "liars_dice": {"": 0.05},
    "reversi": {"": 0.9},
    "snaps": {"": 0.5},
    "tictactoe": {"": 0.5},
    "tiger": {"": -150.0},
    "tree": {"": 1.0},
}
"""The least mean payoff by the rules as they are, of each agent or of those that are not named."""
SHARE = 0.5
"""So much of it is the least that an agent must have under any variant, where it is a gain."""
AT_RANDOM = {("hanabi", "erratic"), ("hanabi", "ismcts"), ("hanabi", "pimc")}
"""Those that move at random, or play games out at random: in Hanabi that loses all lives, whatever the rules."""


def variants(of: Game) -> Iterator[dict[str, Any]]:
    """The rules as they are, every preset, every other value of an option that has few, every number of players."""
    base = {"steps": 20} if "steps" in of.settings else {}
    yield dict(base)
    for name, setting in of.settings.items():
        values = VALUES.get(name, list(setting.choices or ()))
        if name == "players":
            values = list(range(player_counts(of)[0], player_counts(of)[1] + 1))
        elif isinstance(setting.default, bool):
            values = [not setting.default]
        yield from ({**base, name: value} for value in values if value != setting.default)
    for name, setting in of.settings.items():
        for preset in setting.presets:
            if preset != setting.default and "players" in of.settings:
                yield from (
                    {name: preset, "players": n} for n in range(player_counts(of)[0] + 1, player_counts(of)[1] + 1)
                )


def is_preset(of: Game, variant: Mapping[str, Any]) -> bool:
    """Whether a variant is the rules as they are or a named preset."""
    return all(name == "steps" or of.settings[name].presets for name in variant)


def thinks(of: Game, agent: str) -> bool:
    made = hh.agent(of, agent)
    return agent.partition(":")[0] in SLOW or made.heavy or not isinstance(made, PolicyAgent)


@cache
def payoffs_of(name: str, agent: str, given: tuple[tuple[str, Any], ...]) -> tuple[float, float]:
    """An agent's mean payoff under a variant, and half its 95 % interval."""
    of, variant = game(name), dict(given)
    players = of.with_options(variant).players
    team = [agent] * players if of.utility == "cooperative" else [agent, *["random"] * (players - 1)]
    count = FEW.get(agent, FEW.get(name, 4)) if thinks(of, agent) else GAMES
    if "players" in of.settings:
        variant["players"] = players
    payoffs = hh.match(name, team, games=count, seed=SEED, rotate=players > 1, **variant).payoffs[:, 0]
    return float(np.mean(payoffs)), float(1.96 * np.std(payoffs) / np.sqrt(len(payoffs)))


def measured(name: str, agent: str) -> Iterator[tuple[dict[str, Any], float, float]]:
    """Every variant that an agent is tried under, its mean and half the interval."""
    of, text = game(name), quick(name, agent)
    for variant in variants(of):
        if is_preset(of, variant) or not thinks(of, text):
            yield variant, *payoffs_of(name, text, tuple(variant.items()))


HONEST = [pair for pair in PAIRS if pair not in CHEATERS and pair[1] != "random"]


@pytest.mark.parametrize(("name", "agent"), HONEST)
def test_no_variant_of_the_rules_ruins_an_agent(name, agent):
    floors, usual = FLOORS[name], {}
    for variant, mean, half in measured(name, agent):
        players = variant.get("players", 2)
        if set(variant) <= {"steps", "players"}:
            usual[players] = mean
            assert mean >= floors.get(agent, floors[""]), variant
        least = SHARE * usual.get(players, usual[2])
        assert mean + half >= least or least < 0.0 or (name, agent) in AT_RANDOM, variant


def main() -> None:
    wanted = sys.argv[1:] or games()
    for name, agent in HONEST:
        if name in wanted:
            for variant, mean, half in measured(name, agent):
                print(f"{name:16} {agent:20} {mean:+9.3f} ± {half:.3f}  {variant}", flush=True)


if __name__ == "__main__":
    main()
