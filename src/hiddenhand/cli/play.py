"""A game in the terminal: `play`. People in any seats, agents in the others, advice with reasons; or a test bench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.options import Moves, Options, Position, begun_at, read_options
from hiddenhand.cli.output import add_words_of
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Advisers, OpponentHistory, load

if TYPE_CHECKING:
    from hiddenhand.core.agent_pool import AgentPool
    from hiddenhand.core.game import Game
    from hiddenhand.core.session import Session

GameName = Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game; connect_four if left out.")]
Seats = Annotated[list[int] | None, typer.Option("--seat", metavar="N", help="Your seat; may be repeated. [0]")]
Against = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        "-a",
        metavar="AGENT",
        help="Who sits in the other seats: one for all, or one each. [the second level]",
    ),
]
Adviser = Annotated[str | None, typer.Option("--adviser", metavar="AGENT", help="Who answers when you type ?")]
Seed = Annotated[int | None, typer.Option("--seed", "-s", metavar="S", help="Determines the deal. [random]")]
From = Annotated[Path | None, typer.Option("--from", metavar="FILE", help="Go on with a saved game.")]
Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Where the game is saved, finished or not. [among your data]"),
]
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
Deals = Annotated[
    int, typer.Option("--deals", metavar="N", min=1, help="A series of N deals, seats moving on; then a review.")
]
Step = Annotated[
    bool, typer.Option("--step", help="With --watch or --open: agents wait for Enter; back, why and belief.")
]
GatherIn = Annotated[
    Path | None,
    typer.Option("--experience", metavar="FILE", help="What is seen of the others is added to this file."),
]

BENCH_DELAY = 5.0


def play(
    game: GameName = None,
    seat: Seats = None,
    against: Against = None,
    adviser: Adviser = None,
    seed: Seed = None,
    option: Options = None,
    position: Position = None,
    moves: Moves = "",
    from_file: From = None,
    save: Save = None,
    watch: Watch = False,
    open_cards: Open = False,
    delay: Delay = None,
    deals: Deals = 1,
    step: Step = False,
    experience: GatherIn = None,
) -> None:
    """Play in the terminal. Type ? for advice with reasons."""
    from hiddenhand.cli.terminal import Habits, Terminal
    from hiddenhand.core import resolver
    from hiddenhand.core.background_compile import patiently
    from hiddenhand.core.session import PERSON

    if watch and seat:
        raise UserError("--watch leaves no seat to a person: leave out --seat")
    if step and not (watch or open_cards):
        raise UserError("--step is for a test bench: add --watch or --open")
    if from_file is not None and (position is not None or moves):
        raise UserError("a saved game goes on where it was: leave out --position and --moves")
    if experience is not None:
        begin_experience(game, from_file, experience)
    people = [] if watch else None if seat is None else sorted(set(seat))
    with patiently() as background:
        if from_file is not None:
            session = saved_session(from_file, people, against or [])
        else:
            name = game or "connect_four"
            options = begun_at(read_options(option, name), position)
            session = new_session(resolver.game(name, options), seed, people, against or [], moves)
        add_words_of(session.game)
        session.open_cards = open_cards
        session.pace = background
        if adviser is not None:
            with session.agents.lend(session.game, adviser):
                pass  # it exists and can play this
        if delay is None:
            delay = BENCH_DELAY if open_cards and not step else 0.0
        agents = [who for who in session.seats if who != PERSON]
        judge = session.game.extra(Advisers, Advisers()).reviewer
        reviewer = [judge] if deals > 1 and judge else []
        asked = adviser or session.adviser((session.people or [0])[0])
        background.prepare(session.game, [*agents, asked, *reviewer])
        status = Terminal(session, Habits(adviser, save, delay, deals, step, experience, from_file)).play()
    if status:
        raise typer.Exit(status)


def begin_experience(name: str | None, from_file: Path | None, path: Path) -> None:
    """The file of experience, empty if there is none yet: agents may be told to read it."""
    from hiddenhand.core import resolver
    from hiddenhand.core.record import load_record

    played = None if from_file is None else load_record(from_file)
    game = resolver.game(name or "connect_four") if played is None else resolver.game_of_record(played)
    history = game.extra(OpponentHistory)
    if history is None:
        raise UserError("in {name} no experience is gathered", name=game.name)
    load(history.maker).open(game, path).save(path)


def new_session(
    game: Game, seed: int | None, people: list[int] | None, against: list[str], moves: str = ""
) -> Session:
    """A new game, after some moves; somebody in the first seat unless it is said who sits where."""
    from hiddenhand.core.agent_pool import AgentPool
    from hiddenhand.core.seeds import new_secret
    from hiddenhand.core.session import Deal, Session

    agents = AgentPool()
    people = [0] if people is None else people
    if len(against) > 1:
        from hiddenhand.core.game import for_players

        game = for_players(game, len(people) + len(against))
    seats = seated(game, people, against, agents)
    deal = Deal(game, new_secret() if seed is None else seed)
    table = game.deal(deal.seed, rolls=bool(moves))
    table.play_all(moves)
    return Session(deal, seats, agents=agents, actions=table.history)


def saved_session(path: Path, people: list[int] | None, against: list[str]) -> Session:
    """A saved game, between those who played it unless it is said otherwise."""
    from hiddenhand.core.agent_pool import AgentPool
    from hiddenhand.core.record import load_record
    from hiddenhand.core.session import PERSON, Deal, Session

    record = load_record(path)
    game, agents = record.replay().game, AgentPool()
    played = record.agents or []
    if people is None:
        people = [seat for seat, who in enumerate(played) if who == PERSON] or [0]
    if not against and len(played) == game.players:
        against = [played[seat] for seat in range(game.players) if seat not in people]
        if PERSON in against:
            against = []
    seats = seated(game, people, against, agents)
    deal = Deal(game, record.seed, record.dealt)
    return Session(deal, seats, opening=record.opening, agents=agents, actions=record.actions)


def seated(game: Game, people: list[int], texts: list[str], agents: AgentPool) -> list[str]:
    """Who sits where: people, and agents in the seats that they leave free."""
    from hiddenhand.core import resolver
    from hiddenhand.core.session import PERSON

    for number in people:
        if not 0 <= number < game.players:
            raise UserError(
                "{game} has seats 0 to {last}, not {seat}", game=game.name, last=game.players - 1, seat=number
            )
    free = [seat for seat in range(game.players) if seat not in people]
    texts = texts or [resolver.usual_opponent(game)]
    if len(texts) == 1:
        texts = texts * len(free)
    if len(texts) != len(free):
        raise UserError("{n} seats are free, but {given} agents were given", n=len(free), given=len(texts))
    seats = [PERSON] * game.players
    for seat, text in zip(free, texts):
        with agents.lend(game, text) as agent:
            seats[seat] = str(agent)
    return seats


def register(app: typer.Typer) -> None:
    app.command()(play)
