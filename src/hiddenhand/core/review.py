"""Review: a game gone through move by move. What was each move worth, what was the best one, and what did that cost?

The values are those of one agent, the reviewer, who is asked at every decision of the game. Where it searches to the
end, plans or solves, they are exact; elsewhere they are its estimates. In a game with hidden things it is shown what
the mover knew, unless it is one that looks at all cards (a solver, when the game is over).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, overload

from hiddenhand.core import html
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Advisers
from hiddenhand.core.record import Record, read_record
from hiddenhand.core.resolver import find_own
from hiddenhand.core.session import PERSON, Deal, Question, Session
from hiddenhand.core.table import Table
from hiddenhand.core.text import Text
from hiddenhand.core.view import own_view

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

MARKS = ((0.5, "blunder"), (0.2, "mistake"), (0.05, "inaccuracy"))
"""From which share of the stake on a move that costs value is called what."""
OTHERWISE = "otherwise"
"""The mark of a move that the reviewer would not have made, where it cannot say what it cost."""
TINY = 1e-9

Asked = tuple[int, Decision]
"""A ply, and what the reviewer says there."""


@dataclass(frozen=True)
class JudgedMove:
    """One decision of a game."""

    move: int
    """Its number, counted from 1, chance included."""
    seat: int
    played: str
    best: str
    """What the reviewer would have played; the move itself if nothing is better."""
    value: float | None
    """Of the best move, for the seat that moved."""
    got: float | None
    """Of the move that was played."""
    mark: str = ""
    line: tuple[str, ...] = ()
    """How the game might have gone on after the best move."""
    shares: tuple[float, ...] = ()
    """Of a marked move where things are hidden: in what share of the worlds that the mover could imagine it wins,
    and in what share the best one does."""

    @property
    def loss(self) -> float | None:
        return None if self.value is None or self.got is None else self.value - self.got

    def to_json(self) -> dict[str, Any]:
        known = {**vars(self), "line": list(self.line), "loss": self.loss}
        shares = known.pop("shares")
        return {**known, "shares": list(shares)} if shares else known


@dataclass(frozen=True, repr=False)
class Review:
    """All decisions of a game, judged by one reviewer."""

    title: str
    reviewer: str
    stake: float
    """The largest value that was seen, by which losses are measured."""
    moves: list[JudgedMove]

    def headline(self) -> str:
        counts = {mark: sum(each.mark == mark for each in self.moves) for mark in ("blunder", "mistake")}
        told = [
            Text.plural("{n} move", "{n} moves", n=len(self.moves)),
            Text.plural("{n} blunder", "{n} blunders", n=counts["blunder"]),
            Text.plural("{n} mistake", "{n} mistakes", n=counts["mistake"]),
        ]
        values = {"game": self.title, "reviewer": self.reviewer, "counts": Text.joined(", ", told)}
        return Text("{game}, judged by {reviewer}: {counts}", **values)

    def __repr__(self) -> str:
        return f"<Review of {self.headline()}>"

    def __str__(self) -> str:
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows)]
        cells = ([cell.ljust(width) for cell, width in zip(row, widths)] for row in rows)
        return "\n".join([self.headline(), *("  ".join(row).rstrip() for row in cells)])

    def _repr_html_(self) -> str:
        heads = ("move", "seat", "played", "best", "", "better")
        return html.fragment(self.headline(), html.table(heads, self._rows()))

    def _rows(self) -> list[tuple[str, ...]]:
        """Every move: its number, the seat, what was played, the value of the best, the mark, and what is better."""
        return [
            (
                str(move.move),
                str(move.seat),
                move.played,
                "" if move.value is None else f"{move.value:+.3f}",
                move.mark and f"{move.mark} {'' if move.loss is None else f'-{move.loss:.3f}'}".strip(),
                "" if move.best == move.played else move.best,
            )
            for move in self.moves
        ]

    @property
    def marked(self) -> list[JudgedMove]:
        return [move for move in self.moves if move.mark]

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "reviewer": self.reviewer,
            "stake": self.stake,
            "moves": [move.to_json() for move in self.moves],
        }


class HasRecords(Protocol):
    """The result of a match or of a tournament."""

    game: Game

    @property
    def records(self) -> Sequence[Mapping[str, Any]]: ...


OneGame = Session | Table | Record | Mapping[str, Any]
"""A game to be reviewed: a record may be as its file has it."""
Told = Callable[[int, int], None]


@overload
def review(of: OneGame, who: str | None = None, seats: Collection[int] = (), told: Told | None = None) -> Review: ...
@overload
def review(
    of: HasRecords | Sequence[OneGame], who: str | None = None, seats: Collection[int] = (), told: Told | None = None
) -> list[Review]: ...
def review(
    of: OneGame | HasRecords | Sequence[OneGame],
    who: str | None = None,
    seats: Collection[int] = (),
    told: Told | None = None,
) -> Review | list[Review]:
    """Go through a game that can be looked at openly: a record, a table, or a session that is over.

    Of the result of a match, or of a list, all games that were recorded are reviewed.

    who     the reviewer; left out, the one that the game names, or whoever suits the company
    seats   whose decisions are judged; all if empty
    told    is told how many decisions are judged, and of how many
    """
    if isinstance(of, Session | Table | Record | Mapping):
        return reviewed(opened(of), who, seats, told)
    games, records = (None, of) if isinstance(of, Sequence) else (of.game, of.records)
    if not records:
        raise UserError("no game was recorded: a match keeps the first N games with records=N")
    return [reviewed(opened(each, games), who, seats, told) for each in records]


def reviewed(session: Session, who: str | None, seats: Collection[int], told: Told | None) -> Review:
    """The review of a session."""
    reviewer, questions = plan(session, who, seats)
    found: list[Asked] = []
    with session.agents.lend(session.game, reviewer) as agent:
        for number, (ply, question) in enumerate(questions):
            if told is not None:
                told(number, len(questions))
            found.append((ply, session.answer(question, agent)))
    return with_shares(session, review_of(session, reviewer, found))


def plan(session: Session, who: str | None, seats: Collection[int] = ()) -> tuple[str, list[tuple[int, Question]]]:
    """Who reviews a game, and what is asked at which ply; refused where something hidden would be shown."""
    if not session.revealed:
        raise UserError("a review would show what is hidden; ask when the game is over")
    game = session.game
    reviewer = who or game.extra(Advisers, Advisers()).reviewer or session.adviser(first_of(session, seats))
    kind = find_own(game, reviewer.partition(":")[0])
    secret = game.hidden and not (kind is not None and kind.cheats)
    actions = session.table.history
    return reviewer, [
        (ply, Question(actions[:ply], session.steps[ply].mover, reviewer, secret))
        for ply in decisions_of(session, seats)
    ]


def first_of(session: Session, seats: Collection[int]) -> int:
    """The first seat that is judged, a person's if there is one."""
    asked = sorted(seats) or range(session.game.players)
    return next((seat for seat in asked if seat in session.people), asked[0])


def review_of(session: Session, reviewer: str, found: Sequence[Asked]) -> Review:
    """The review that the reviewer's decisions at these plies make."""
    stake = max([TINY, *(abs(value) for _, decision in found for value in values_of(decision).values())])
    moves = [judge_move(session, ply, decision, stake) for ply, decision in found]
    return Review(session.game.title, reviewer, stake, moves)


def with_shares(session: Session, done: Review) -> Review:
    """The same review; of marked moves it is told how often they win in the worlds that the mover could imagine."""
    shares = session.game.people.shares
    if shares is None:
        return done
    return replace(done, moves=[replace(move, shares=shares_of(session, move)) for move in done.moves])


def shares_of(session: Session, move: JudgedMove) -> tuple[float, ...]:
    """Of the move that was played and of the best one; nothing of a move that has no mark."""
    if not move.mark or move.best == move.played or session.game.people.shares is None:
        return ()
    actions = session.table.history
    view = own_view(session.game, session.replay(actions[: move.move - 1]).state, move.seat)
    return tuple(session.game.people.shares(view, [actions[move.move - 1], view.read(move.best)]))


def opened(of: OneGame, game: Game | None = None) -> Session:
    """A game to look at, in which nobody moves; `game` is what was played, where that is known."""
    if isinstance(of, Session):
        return of
    if isinstance(of, Table):
        game = of.game
        of = of.record()
    record = of if isinstance(of, Record) else read_record(of)
    game = record.replay(game=game).game
    agents = record.agents or []
    seats = agents if len(agents) == game.players else [PERSON] * game.players
    deal = Deal(game, record.seed, record.dealt)
    return Session(
        deal,
        seats,
        recorded=True,
        opening=record.opening,
        actions=record.actions,
        names=record.names,
        notes=record.notes,
    )


def decisions_of(session: Session, seats: Collection[int]) -> list[int]:
    """The plies that somebody decided; what was drawn at random as part of the opening is nobody's decision."""
    plies = [ply for ply, step in enumerate(session.steps) if step.mover >= 0][session.opening :]
    return [ply for ply in plies if not seats or session.steps[ply].mover in seats]


def values_of(decision: Decision) -> dict[int, float]:
    """What the reviewer gives for each action, as far as it does."""
    return {other.action: other.value for other in decision.alternatives if other.value is not None}


def judge_move(session: Session, ply: int, decision: Decision, stake: float) -> JudgedMove:
    """One decision beside what the reviewer says of it."""
    step, action, values = session.steps[ply], session.table.history[ply], values_of(decision)
    texts = {other.action: other for other in decision.alternatives}
    if action not in values:
        same = action == decision.action
        best = step.text if same else decision.text
        return JudgedMove(ply + 1, step.mover, step.text, best, None, None, "" if same else OTHERWISE)
    chosen = decision.action if decision.action in values else max(values, key=lambda each: values[each])
    value = max(values.values())
    loss = value - values[action]
    if loss <= TINY * max(1.0, stake):
        return JudgedMove(ply + 1, step.mover, step.text, step.text, value, values[action])
    if values[chosen] < value:
        chosen = max(values, key=lambda each: values[each])
    mark = next((word for share, word in MARKS if loss >= share * stake), "")
    line = tuple(texts[chosen].line)
    return JudgedMove(ply + 1, step.mover, step.text, texts[chosen].text, value, values[action], mark, line)
