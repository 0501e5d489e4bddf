"""Why: `explain` for a position or a plan in a world, `review` for a whole game, `trace` for the tree of a search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.explain_plan import (
    PLANNER,
    Believed,
    Situation,
    Start,
    Svg,
    Then,
    WhyNot,
    drawn_in,
    explain_at,
    explain_world,
    is_planner,
    is_world,
)
from hiddenhand.cli.options import AsJson, GameName, Moves, Options, Position, StoreUrl, begun_at, read_options
from hiddenhand.cli.output import add_words_of, print_json, rendered, say, say_all, say_decision, write_file
from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Seat, Text

if TYPE_CHECKING:
    from hiddenhand.core.decision import Decision
    from hiddenhand.core.review import Review
    from hiddenhand.core.session import Session
    from hiddenhand.core.table import Table

RecordName = Annotated[
    str,
    typer.Argument(
        metavar="RECORD",
        help="A record file, a record of the store (1f0c77a2b3d4/0), a world such as dorban, or a game.",
    ),
]
MoveNumber = Annotated[
    int | None, typer.Option("--move", "-m", metavar="N", help="Explain move N of the record. [the last]")
]
AgentText = Annotated[
    str | None, typer.Option("--agent", "-a", metavar="AGENT", help="Who explains. [who played it]")
]


def explain(
    record: RecordName,
    move: MoveNumber = None,
    agent: AgentText = None,
    store: StoreUrl = None,
    why_not: WhyNot = None,
    svg: Svg = None,
    start: Start = None,
    belief: Believed = None,
    then: Then = None,
    option: Options = None,
    position: Position = None,
    moves: Moves = "",
    json: AsJson = False,
) -> None:
    """Explain a move of a saved game, a plan in a world, or what to do in a position of a game.

    What the agent thinks, and what else is worth.
    """
    if is_world(record):
        if move is not None:
            raise UserError("--move is for records; {record} is a world", record=record)
        situation = Situation(record, start, belief or [], then or [])
        explain_world(situation, agent or PLANNER, why_not, svg, json)
        return
    if position is not None or moves or is_game(record):
        explain_position(table_at(record, option, position, moves), agent, why_not, json)
        return
    if start is not None or belief or then:
        raise UserError("--start, --belief and --then are for worlds; a record says by itself what happened")
    from hiddenhand.core.event_log import WATCHER
    from hiddenhand.core.session import PERSON

    session = session_of(record, store)
    game = session.game
    add_words_of(game)
    ply = decision_at(session, move)
    question = session.ask_why(WATCHER, ply, [], agent)
    with session.agents.lend(game, question.who) as expert:
        view = session.view_of(question, expert)
        if svg is not None or (why_not is not None and is_planner(expert)):
            decision: Decision = explain_at(view, expert, why_not, svg)
        else:
            decision = session.answer(question, expert, why_not or "")
    played, seat, drawn = session.steps[ply].text, question.seat, question.drawn
    if json:
        document = {
            "move": ply + 1,
            "seat": seat,
            "agent": question.who,
            "played": played,
            "drawn": drawn,
            **drawn_in(svg),
            **decision.to_json(),
        }
        print_json(document)
        return
    player = session.names[seat] if session.names else session.seats[seat]
    player = Text("somebody") if player == PERSON else player
    how = Text("drawn at random, as part of the opening") if drawn else Text("played by {player}", player=player)
    values = {"game": game.title, "n": ply + 1, "who": Seat(seat), "move": played, "how": how}
    say(Text("{game}, move {n}, {who}: {move}, {how}", **values))
    say(view.screen())
    say_decision(question.who, decision)


def is_game(name: str) -> bool:
    """Whether a name means a game, and not a record."""
    from hiddenhand.core import resolver

    return name in resolver.games() or name.endswith((".py", ".tree"))


def explain_position(table: Table, agent: str | None, why_not: str | None, json: bool) -> None:
    """What an agent would do now: the one that is named, or whom people meet in this game."""
    from hiddenhand.core import resolver

    game = table.game
    add_words_of(game)
    expert = resolver.agent(game, agent or resolver.champion(game))
    decision = table.ask(expert, explain=True)
    if why_not is not None:
        decision.reasons.append(decision.compared_with(table.read(why_not)))
    if json:
        print_json({"seat": table.turn, "agent": str(expert), **decision.to_json()})
        return
    say(Text("{game}, {who} to move", game=game.title, who=Seat(table.turn)))
    say(table.view().screen())
    say_decision(str(expert), decision)


def session_of(record: str, store: str | None) -> Session:
    """The game of a record: a file, or one of the store."""
    from hiddenhand.core.record import load_record, read_record
    from hiddenhand.core.review import opened
    from hiddenhand.lab.store import Store

    if Path(record).exists() or record.endswith(".json"):
        saved = load_record(record)
    else:
        with Store(store) as shelf:
            saved = read_record(shelf.record(record), f"record {record}")
            saved.folder = shelf.folder
    return opened(saved)


def decision_at(session: Session, move: int | None) -> int:
    """The ply of this move, which somebody must have decided; the last one if none is named."""
    decisions = [ply for ply, step in enumerate(session.steps) if step.mover >= 0]
    if not decisions:
        raise UserError("nobody has moved in this record")
    ply = decisions[-1] if move is None else move - 1
    if ply not in decisions:
        there = 0 <= ply < len(session.steps)
        reason = "chance moved there" if there else f"the record has moves 1 to {len(session.steps)}"
        raise UserError("there is no decision at move {move}: {reason}", move=move, reason=reason)
    return ply


Reviewer = Annotated[
    str | None, typer.Option("--agent", "-a", metavar="AGENT", help="Who judges. [who suits the company]")
]
ReviewedSeats = Annotated[
    list[int] | None, typer.Option("--seat", metavar="SEAT", help="Whose moves; repeat it for several. [all]")
]


def review(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A record file, or a record of the store.")],
    agent: Reviewer = None,
    seat: ReviewedSeats = None,
    store: StoreUrl = None,
    json: AsJson = False,
) -> None:
    """Go through a finished game: what every move was worth, what would have been better, and what that cost."""
    from hiddenhand.core.review import review as go_through
    from hiddenhand.lab.progress import shown_progress

    session = session_of(record, store)
    for each in seat or []:
        if not 0 <= each < session.game.players:
            raise UserError(
                "{game} has seats 0 to {last}, not {seat}",
                game=session.game.name,
                last=session.game.players - 1,
                seat=each,
            )
    with shown_progress("moves") as progress:
        found = go_through(session, agent, seat or [], progress)
    print_json(found.to_json()) if json else say_all(review_lines(found, session))


MARKS = {
    "": "",
    "blunder": Text("blunder"),
    "mistake": Text("mistake"),
    "inaccuracy": Text("inaccuracy"),
    "otherwise": Text("otherwise"),
}
"""What the marks of a review are called."""


def review_lines(found: Review, session: Session) -> list[str]:
    """A table of all moves with a bar for what the mover could hope for, and the worst moves in words."""
    from hiddenhand.lab.tables import in_columns

    heads = (Text("move"), Text("player"), Text("played"), Text("best"), Text("loss"), "", Text("better"), "")
    rows = [[rendered(head) for head in heads]]
    for move in found.moves:
        value = "" if move.value is None else f"{move.value:+.3f}"
        loss = f"{move.loss:.3f}" if move.loss and move.loss > 0 else ""
        better = move.best if move.best != move.played else ""
        bar = "" if move.value is None else value_bar(move.value / found.stake)
        texts = [rendered(text) for text in (move.played, value, loss, MARKS[move.mark], better)]
        rows.append([str(move.move), str(move.seat + 1), *texts, bar])
    end = [Text("The game ended: {result}.", result=session.outcome())] if session.over else []
    return [found.headline(), *in_columns(rows, ">>"), *end]


def value_bar(share: float, width: int = 10) -> str:
    """A bar to the left of the middle for what is bad for the mover, to the right for what is good."""
    length = round(abs(share) * width)
    return f"{'#' * length if share < 0 else '':>{width}}|{'#' * length if share >= 0 else '':<{width}}"


def table_at(game: str, option: list[str] | None, position: str | None, moves: str) -> Table:
    """A table where somebody has to decide: in a position, after some moves."""
    from hiddenhand.core import resolver

    table = resolver.game(game, begun_at(read_options(option, game), position)).deal()
    table.play_all(moves)
    if table.over:
        raise UserError("the game is over after these moves" if moves else "the game is over in this position")
    return table


TreeSvg = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the tree into this file.")]


def trace(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A tree search, such as alphabeta:depth=2.")],
    option: Options = None,
    position: Position = None,
    moves: Moves = "",
    svg: TreeSvg = None,
) -> None:
    """Print the tree that a small search looks at: values, windows, and the branches that are cut."""
    from hiddenhand.core import resolver
    from hiddenhand.search import TreeSearch
    from hiddenhand.search import trace as find

    table = table_at(game, option, position, moves)
    searcher = resolver.agent(table.game, agent)
    if not isinstance(searcher, TreeSearch):
        raise UserError("{agent} does not search a tree; try minimax, alphabeta, expectiminimax or maxn", agent=agent)
    found = find(searcher, table.view())
    if svg is None:
        print(found.text())
        return
    write_file(svg, found.svg())
    print(f"{found.title}; drawn in {svg}")


def register(app: typer.Typer) -> None:
    app.command()(explain)
    app.command()(review)
    app.command()(trace)
