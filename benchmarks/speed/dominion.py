"""Dominion: BigMoney against itself beside pyminion (extra `bench`), decks full of Actions, evolution and search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hiddenhand.core.resolver import game
from rows import Row, games_per_second, per_second

ENGINE = (
    "menu:Province when count(Gold) >= 1, Duchy when supply(Province) <= 4, Estate when supply(Province) <= 2, "
    "Festival up to 4, Gold, Market up to 4, Library up to 1, Throne Room up to 2, Smithy up to 2, "
    "Village up to 4, Bureaucrat up to 1, Cellar up to 1, Silver"
)
ATTACKS = (
    "menu:Province, Duchy when supply(Province) <= 4, Gold, Witch up to 2, Laboratory up to 4, Thief up to 1, "
    "Village up to 2, Cellar up to 1, Silver"
)


def rows() -> Iterator[Row]:
    theirs = their_games()
    ours = games_per_second(game("dominion"), "bigmoney")
    yield Row("BigMoney mirror", "games/s", ours, "pyminion, Python", theirs, 100.0)
    for name, kingdom, agent in (("engine", "Village Square", ENGINE), ("attacks", "Size Distortion", ATTACKS)):
        ours = games_per_second(game("dominion", kingdom=kingdom), agent)
        yield Row(f"{name} mirror, {kingdom}", "games/s", ours, "-", None)
    yield Row("BigMoney, 4 players", "games/s", games_per_second(game("dominion", players=4), "bigmoney"), "-", None)
    yield Row("random play, First Game", "games/s", games_per_second(game("dominion"), "random"), "-", None)


def their_games() -> float | None:
    """The same mirror by pyminion, if it is installed."""
    try:
        from pyminion.bots.bot import Bot, BotDecider
        from pyminion.expansions.base import base_set, duchy, estate, gold, province, silver
        from pyminion.game import Game
    except ImportError:
        return None

    class BigMoney(BotDecider):  # type: ignore[misc]
        def buy_priority(self, player: Any, game: Any) -> Iterator[Any]:
            coins, left = player.state.money, game.supply.pile_length("Province")
            if coins >= 8:
                yield province
            if coins >= 5 and left <= 5:
                yield duchy
            if coins >= 2 and left <= 2:
                yield estate
            if coins >= 6:
                yield gold
            if coins >= 3:
                yield silver

    def play() -> int:
        bots = [Bot(decider=BigMoney(), player_id=name) for name in ("first", "second")]
        Game(players=bots, expansions=[base_set], random_order=False, log_stdout=False).play()
        return 1

    return per_second(play)
