"""What there is: `games`, `agents`, `version`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from json import dumps as to_json
from json import loads as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hiddenhand.cli.options import AsJson, GameName, Options, read_options
from hiddenhand.cli.output import print_json, print_table, write_file
from hiddenhand.core.svg import document, rect, text, text_width
from hiddenhand.core.text import Text, from_data, to_data

if TYPE_CHECKING:
    from hiddenhand.core.agent import AgentKind
    from hiddenhand.core.game import Game


SOURCES = (".py", ".svarog", ".tree")
"""How the files end that games are made of."""
COLUMNS = ("deterministic", "chance")
ROWS = ("perfect", "hidden")
ROW_NAMES = {"perfect": "perfect information", "hidden": "imperfect information"}
SIZE, LINE, PAD = 13.0, 19.0, 14.0
STYLE = """
  text { font: 13px "DejaVu Sans", Verdana, sans-serif; fill: #1b1b1b; } .head { font-weight: bold; }
  .cell { fill: #f6f8fa; stroke: #555; } .paper { fill: white; }"""

Division = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw them by chance and hidden information instead.")
]


def games(svg: Division = None, json: AsJson = False) -> None:
    """List the games and their options."""
    found = listed()
    if svg is not None:
        write_file(svg, division_svg(found))
        print(f"{len(found)} games; drawn in {svg}")
        return
    if json:
        print_json(found)
        return
    rows = [("game", "players", "information", "chance", "payoffs", "title")]
    for game in found:
        few, many = game["players"]
        players = str(few) if few == many else Text("{low} to {high}", low=few, high=many)
        chance = "yes" if game["chance"] else "no"
        rows.append((game["name"], players, game["information"], chance, game["utility"], game["title"]))
        for name, option in game["options"].items():
            rows.append(
                (f"  {name}={written(option['default'])}", "", "", "", "", f"{option['help']}: {option['allowed']}")
            )
    print_table(rows)


def listed() -> list[dict[str, Any]]:
    """What is listed of every game. To load them all takes a second: of our own games it is kept in the cache, until
    a source of the package is another."""
    from hiddenhand.core import resolver
    from hiddenhand.kernel.disk_cache import cache_directory

    names, own = resolver.games(), resolver.own_games()
    kept = cache_directory() / "games.json"
    with suppress(OSError, ValueError, LookupError, TypeError):
        found = json_of(kept.read_text(encoding="utf-8"))
        if found["files"] == package_files():
            known = dict(zip(own, from_data(found["games"]), strict=True))
            return [known.get(name) or described(resolver.definition(name)) for name in names]
    known = {name: described(resolver.definition(name)) for name in names}
    with suppress(OSError):
        document = {"files": package_files(), "games": to_data([known[name] for name in own])}
        kept.write_text(to_json(document), encoding="utf-8")
    return list(known.values())


def package_files() -> str:
    """A short name for all sources of the package as they are now."""
    sources = [path for path in Path(__file__).parents[1].rglob("*.*") if path.suffix in SOURCES]
    files = sorted((str(path), (seen := path.stat()).st_size, seen.st_mtime_ns) for path in sources)
    return blake2b(repr(files).encode(), digest_size=8).hexdigest()


def described(game: Game) -> dict[str, Any]:
    """What is listed of a game."""
    from hiddenhand.core.game import player_counts

    return {
        "name": game.name,
        "title": game.title,
        "version": game.version,
        "players": list(player_counts(game)),
        "information": "hidden" if game.hidden else "perfect",
        "chance": bool(game.chance),
        "chance_in": list(game.chance.where),
        "utility": game.utility,
        "options": {
            name: {"default": setting.default, "allowed": setting.allowed(), "help": setting.help}
            for name, setting in game.settings.items()
        },
        "agents": sorted(game.agents),
    }


def agents(game: GameName, option: Options = None, json: AsJson = False) -> None:
    """List the agents that can play a game, and their parameters."""
    from hiddenhand.core import resolver

    chosen = resolver.game(game, read_options(option, game))
    found = [describe(name, kind, chosen) for name, kind in sorted(resolver.agents(chosen).items())]
    if json:
        print_json(found)
        return
    rows = []
    for agent in found:
        rows.append((agent["name"], agent["summary"] + (" (sees hidden cards)" if agent["cheats"] else "")))
        if agent["names"]:
            rows.append((f"  {agent['name']}:NAME", Text("one of {list}", list=", ".join(agent["names"]))))
        elif agent["example"]:
            rows.append((f"  {agent['name']}:TEXT or @FILE", f"for example {agent['example']}"))
        for name, parameter in agent["parameters"].items():
            rows.append((f"  {name}={written(parameter['default'])}", f"{parameter['help']}: {parameter['allowed']}"))
    print_table(rows)


def describe(name: str, kind: AgentKind, game: Game) -> dict[str, Any]:
    """What `hiddenhand agents --json` says of an agent."""
    return {
        "name": name,
        "summary": kind.summary,
        "cheats": kind.cheats,
        "example": kind.example,
        "names": kind.names(game) if kind.names is not None else [],
        "parameters": {
            key: {"default": setting.default, "allowed": setting.allowed(), "help": setting.help}
            for key, setting in kind.settings_for(game).items()
        },
    }


def written(value: object) -> str:
    """A default as a user would type it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def version() -> None:
    """Print the version."""
    import hiddenhand

    print(f"hiddenhand {hiddenhand.__version__}")


def register(app: typer.Typer) -> None:
    app.command()(games)
    app.command()(agents)
    app.command()(version)


def division_svg(games: Sequence[dict[str, Any]]) -> str:
    """A table of two columns and two rows, as a picture; `games` as `Game.describe` describes them."""
    cells = {
        (row, column): [game["title"] for game in games if (game["information"], chance_word(game)) == (row, column)]
        for row in ROWS
        for column in COLUMNS
    }
    first = max(text_width(name, SIZE, bold=True) for name in ROW_NAMES.values()) + 2 * PAD
    widths = [
        max(text_width(name, SIZE, bold=True) for row in ROWS for name in [column, *cells[row, column]]) + 2 * PAD
        for column in COLUMNS
    ]
    heights = [LINE * max(len(cells[row, column]) for column in COLUMNS) + 2 * PAD for row in ROWS]
    y = LINE + PAD
    parts = [text(column, x + PAD, LINE, "head") for x, column in zip((first, first + widths[0]), COLUMNS)]
    for row, height in zip(ROWS, heights):
        parts.append(text(ROW_NAMES[row], PAD, y + PAD + SIZE, "head"))
        for x, width, column in zip((first, first + widths[0]), widths, COLUMNS):
            parts.append(rect(x, y, width, height, "cell"))
            for number, title in enumerate(cells[row, column]):
                parts.append(text(title, x + PAD, y + PAD + SIZE + LINE * number))
        y += height
    return document("the division of games", STYLE, (first + sum(widths) + PAD, y + PAD), parts)


def chance_word(game: dict[str, Any]) -> str:
    return "chance" if game["chance"] else "deterministic"
