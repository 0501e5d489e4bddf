"""What there is: `games`, `agents`, `version`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hiddenhand.cli.options import AsJson, GameName, Options, read_options
from hiddenhand.cli.output import print_json, print_table, write_file

if TYPE_CHECKING:
    from hiddenhand.core.game import Game


Division = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw them by chance and hidden information instead.")
]


def games(svg: Division = None, json: AsJson = False) -> None:
    """List the games and their options."""
    from hiddenhand.core import resolver

    found = [resolver.definition(name).describe() for name in resolver.games()]
    if svg is not None:
        from hiddenhand.cli.division import division_svg

        write_file(svg, division_svg(found))
        print(f"{len(found)} games; drawn in {svg}")
        return
    if json:
        print_json(found)
        return
    rows = [("game", "players", "information", "chance", "payoffs", "title")]
    for game in found:
        few, many = game["players"]
        players = str(few) if few == many else f"{few} to {many}"
        chance = "yes" if game["chance"] else "no"
        rows.append((game["name"], players, game["information"], chance, game["utility"], game["title"]))
        for name, option in game["options"].items():
            rows.append(
                (f"  {name}={written(option['default'])}", "", "", "", "", f"{option['help']}: {option['allowed']}")
            )
    print_table(rows)


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
            rows.append((f"  {agent['name']}:NAME", f"one of {', '.join(agent['names'])}"))
        elif agent["example"]:
            rows.append((f"  {agent['name']}:TEXT or @FILE", f"for example {agent['example']}"))
        for name, parameter in agent["parameters"].items():
            rows.append((f"  {name}={written(parameter['default'])}", f"{parameter['help']}: {parameter['allowed']}"))
    print_table(rows)


def describe(name: str, kind: Any, game: Game) -> dict[str, Any]:
    """What `hiddenhand agents --json` says of an agent."""
    settings = kind.settings_for(game) if hasattr(kind, "settings_for") else kind.settings
    return {
        "name": name,
        "summary": kind.summary,
        "cheats": kind.cheats,
        "example": getattr(kind, "example", ""),
        "names": names(game) if (names := getattr(kind, "names", None)) is not None else [],
        "parameters": {
            key: {"default": setting.default, "allowed": setting.allowed(), "help": setting.help}
            for key, setting in settings.items()
        },
    }


def written(value: Any) -> str:
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
