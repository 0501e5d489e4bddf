"""What was gathered of opponents: `experience`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hiddenhand.cli.options import GameName
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import OpponentHistory, load


def experience(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where it is kept; begun if it is not there.")],
    from_records: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="RECORDS", help="Saved games to add: a file or a folder; may be repeated."),
    ] = None,
    who: Annotated[
        str | None, typer.Option("--who", metavar="NAME", help="Of whom to tell: an agent, or person. [who is known]")
    ] = None,
) -> None:
    """What is known of opponents from earlier games, as tables; no game is counted twice."""
    from hiddenhand.core import resolver
    from hiddenhand.lab.saved_games import saved_games

    of = resolver.game(game)
    history = of.extra(OpponentHistory)
    if history is None:
        raise UserError("in {name} no experience is gathered", name=of.name)
    if not from_records and not file.is_file():
        raise UserError("there is no file {file}; --from adds games to it", file=file)
    known = load(history.maker).open(of, file)
    if from_records:
        games = saved_games(of, from_records)
        added = known.add(games)
        known.save(file)
        print(f"{added:,} of {len(games):,} games were new; {file} has them now")
    print("\n".join(known.lines(who)))


def register(app: typer.Typer) -> None:
    app.command()(experience)
