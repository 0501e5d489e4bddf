"""A game in the terminal: `play`. People in any seats, agents in the others, advice with reasons; or a test bench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.evening import Evening
from hiddenhand.cli.options import Options, read_options
from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.table import Table

GameName = Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game; connect_four if left out.")]
Seats = Annotated[list[int] | None, typer.Option("--seat", metavar="N", help="Your seat; may be repeated. [0]")]
Against = Annotated[
    list[str] | None,
    typer.Option("--against", "-a", metavar="AGENT", help="Who sits in the other seats: one for all, or one each."),
]
Adviser = Annotated[str | None, typer.Option("--adviser", metavar="AGENT", help="Who answers when you type ?")]
Seed = Annotated[int | None, typer.Option("--seed", "-s", metavar="S", help="Determines the deal. [random]")]
From = Annotated[Path | None, typer.Option("--from", metavar="FILE", help="Go on with a saved game.")]
Save = Annotated[Path, typer.Option("--save", metavar="FILE", help="Where the game is saved when you leave.")]
Watch = Annotated[bool, typer.Option("--watch", help="Agents in all seats; you look on.")]
Open = Annotated[
    bool, typer.Option("--open", help="A test bench, not a game: everybody's cards, and what the agents believe.")
]
Delay = Annotated[
    float | None,
    typer.Option(
        "--delay", metavar="SECONDS", min=0.0, help="An agent takes at least so long for a move. [0; 5 with --open]"
    ),
]

BENCH_DELAY = 5.0


def play(
    game: GameName = None,
    seat: Seats = None,
    against: Against = None,
    adviser: Adviser = None,
    seed: Seed = None,
    option: Options = None,
    from_file: From = None,
    save: Save = Path("hiddenhand-game.json"),
    watch: Watch = False,
    open_cards: Open = False,
    delay: Delay = None,
) -> None:
    """Play in the terminal. Type ? for advice with reasons."""
    from hiddenhand.core import resolver
    from hiddenhand.core.record import load_record
    from hiddenhand.core.table import Table

    if from_file is not None:
        table = load_record(from_file).replay()
        table.go_on()
    else:
        chosen = resolver.game(game or "connect_four", **read_options(option, game or "connect_four"))
        table = Table(chosen, fresh_seed() if seed is None else seed)
    if watch and seat:
        raise UserError("--watch leaves no seat to a person: leave out --seat")
    people = [] if watch else sorted(set(seat if seat is not None else [0]))
    for number in people:
        if not 0 <= number < table.game.players:
            raise UserError(f"{table.game.name} has seats 0 to {table.game.players - 1}, not {number}")
    agents = opponents(table, people, against or [])
    expert = resolver.agent(table.game, adviser or resolver.champion(table.game))
    if delay is None:
        delay = BENCH_DELAY if open_cards else 0.0
    status = Evening(table, people, agents, expert, save, open_cards, delay).play()
    if status:
        raise typer.Exit(status)


def fresh_seed() -> int:
    from secrets import randbits

    return randbits(32)


def opponents(table: Table, people: list[int], texts: list[str]) -> dict[int, Agent]:
    """Who sits in the seats that no person has taken."""
    from hiddenhand.core import resolver

    free = [seat for seat in range(table.game.players) if seat not in people]
    texts = texts or [resolver.champion(table.game)]
    if len(texts) == 1:
        texts = texts * len(free)
    if len(texts) != len(free):
        raise UserError(f"{len(free)} seats are free, but {len(texts)} agents were given")
    return {seat: resolver.agent(table.game, text) for seat, text in zip(free, texts)}


def register(app: typer.Typer) -> None:
    app.command()(play)
