"""How well every honest agent plays under every variant of its game's rules, so that none is ruined by one of them.

    .venv/bin/python tests/games/test_floors.py [GAME ...]      prints the table

An agent of a cooperative game plays with itself; in a game against others it plays one seat, which changes, and
`random` the rest; a world has one seat.
"""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from test_agents import CHEATERS, PAIRS, quick

import hiddenhand as hh
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import game, games

SEED = 20_301
GAMES, FEW = 100, 4
"""How many games a compiled policy plays under each variant, and an agent that thinks."""
VALUES: dict[str, list[Any]] = {"kingdom": ["Size Distortion", "random:7"], "choose_after": [0, 3], "size": [6]}
"""Values to try of options that have no short list of choices."""


def variants(of: Game) -> Iterator[dict[str, Any]]:
    """The rules as they are, every preset, every other value of an option that has few, every number of players."""
    base = {"steps": 20} if "steps" in of.settings else {}
    yield dict(base)
    for name, setting in of.settings.items():
        values = VALUES.get(name, list(setting.choices or ()))
        if name == "players":
            values = list(range(of.fewest_players, of.most_players + 1))
        elif isinstance(setting.default, bool):
            values = [not setting.default]
        yield from ({**base, name: value} for value in values if value != setting.default)
    for name, setting in of.settings.items():
        for preset in setting.presets:
            if preset != setting.default and "players" in of.settings:
                yield from ({name: preset, "players": n} for n in range(of.fewest_players + 1, of.most_players + 1))


def is_preset(of: Game, variant: Mapping[str, Any]) -> bool:
    """Whether a variant is the rules as they are or a named preset: an agent that thinks plays only these."""
    return all(name == "steps" or of.settings[name].presets for name in variant)


def mean_payoff(of: Game, agent: str, variant: Mapping[str, Any]) -> tuple[float, float]:
    """An agent's mean payoff under a variant, and half its 95 % interval."""
    players = of.with_options(variant).players
    team = [agent] * players if of.utility == "cooperative" else [agent, *["random"] * (players - 1)]
    count = GAMES if isinstance(hh.agent(of, agent), PolicyAgent) else FEW
    given = {**variant, "players": players} if "players" in of.settings else dict(variant)
    payoffs = hh.match(of.name, team, games=count, seed=SEED, rotate=players > 1, **given).payoffs[:, 0]
    return float(np.mean(payoffs)), float(1.96 * np.std(payoffs) / np.sqrt(len(payoffs)))


HONEST = [pair for pair in PAIRS if pair not in CHEATERS and pair[1] != "random"]


def main() -> None:
    wanted = sys.argv[1:] or games()
    for name, agent in HONEST:
        if name not in wanted:
            continue
        of, text = game(name), quick(name, agent)
        thinks = not isinstance(hh.agent(of, text), PolicyAgent)
        for variant in variants(of):
            if thinks and not is_preset(of, variant):
                continue
            try:
                mean, half = mean_payoff(of, text, variant)
            except hh.UserError as problem:
                print(f"{name:16} {agent:20} {variant}: {problem}")
                continue
            print(f"{name:16} {agent:20} {mean:+9.3f} ± {half:.3f}  {variant}", flush=True)


if __name__ == "__main__":
    main()
