"""A series of deals at the terminal: after each, everybody moves on by a seat; the score, and a review at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiddenhand.cli.output import rendered
from hiddenhand.core.session import PERSON
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel.rule import Mode, Rule, in_mode
from hiddenhand.lab.tables import in_columns

if TYPE_CHECKING:
    from hiddenhand.core.review import JudgedMove, Review
    from hiddenhand.core.session import Session

MARK_WORDS = {
    "blunder": Text("a blunder"),
    "mistake": Text("a mistake"),
    "inaccuracy": Text("an inaccuracy"),
    "otherwise": Text("a matter of taste"),
}
"""The marks of a review, in a sentence."""


class Series:
    """The deals of a series, as they are finished."""

    def __init__(self, first: Session, deals: int) -> None:
        self.deals = deals
        self.players = players_of(first)
        self.played: list[Session] = []

    @property
    def over(self) -> bool:
        return len(self.played) >= self.deals

    def add(self, session: Session) -> None:
        self.played.append(session)

    def gains(self, player: int) -> list[float]:
        """What a player has got in each deal; in deal d the player sits d seats further on."""
        return [
            session.table.payoffs()[(player + number) % len(self.players)]
            for number, session in enumerate(self.played)
        ]

    def score(self) -> list[str]:
        """A table with a row for each player, the best first: what every deal brought, and the sum."""
        deals = [rendered(Text("deal {n}", n=number + 1)) for number in range(len(self.played))]
        rows = [["", *deals, rendered(Text("score"))]]
        order = sorted(range(len(self.players)), key=lambda player: -sum(self.gains(player)))
        for player in order:
            gains = self.gains(player)
            rows.append([rendered(self.players[player]), *(f"{gain:+g}" for gain in gains), f"{sum(gains):+g}"])
        return in_columns(rows, "<" + ">" * (len(self.played) + 1))


def players_of(session: Session) -> list[str]:
    """The players by name, in the order of the seats in which they begin."""
    people = len(session.people)
    named = []
    for seat, who in enumerate(session.seats):
        kind = who.partition(":")[0]
        alone = people == 1 if who == PERSON else session.seats.count(who) == 1
        name = Text("you") if who == PERSON and people == 1 else kind
        named.append(name if alone else Text("{name} (at first {who})", name=name, who=Seat(seat)))
    return named


@contextmanager
def compiled() -> Iterator[None]:
    """Within it, nothing runs uncompiled that can be compiled: for what takes long at the end of a game."""
    with in_mode(Mode.COMPILE if Rule.mode is Mode.PLAIN_UNTIL_COMPILED else Rule.mode):
        yield


def review_lines(done: Review, number: int, outcome: str) -> list[str]:
    """A deal gone through: the moves that threw something away, each in a line."""
    head = Text("Deal {n}: {result}.", n=number, result=outcome)
    slips = [move for move in done.moves if move.mark and move.loss]
    if not slips:
        return [head, Text("  Nobody threw anything away, says {reviewer}.", reviewer=done.reviewer)]
    return [head, *(Text("  {slip}", slip=slip_line(move)) for move in slips)]


def slip_line(move: JudgedMove) -> str:
    """A move that threw something away: what it was, what it cost, and what would have been better."""
    text = Text(
        "move {n}, {who}: {move}, {mark} ({best_value:+g} became {value:+g}); better: {best}",
        n=move.move,
        who=Seat(move.seat),
        move=move.played,
        mark=MARK_WORDS[move.mark],
        best_value=move.value,
        value=move.got,
        best=move.best,
    )
    if not move.shares:
        return text
    played, best = (min(max(share, 0.01), 0.99) for share in move.shares)  # in this deal, one loses and one wins
    return Text(
        "{slip}. Of the deals that could be imagined, {move} wins {share:.0%}, {best} {best_share:.0%}",
        slip=text,
        move=move.played,
        share=played,
        best=move.best,
        best_share=best,
    )
