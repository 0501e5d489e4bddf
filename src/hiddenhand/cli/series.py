"""An series: several deals in a row, everybody moving on by a seat, and the score; at the end every deal again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hiddenhand.core.session import PERSON
from hiddenhand.kernel.rule import Mode, Rule, in_mode
from hiddenhand.lab.tables import in_columns

if TYPE_CHECKING:
    from hiddenhand.core.review import JudgedMove, Review
    from hiddenhand.core.session import Session


class Series:
    """The deals of an series, as they are finished."""

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
        """What a player has got in each deal: in deal d he sits d seats further on."""
        return [
            session.table.payoffs()[(player + number) % len(self.players)]
            for number, session in enumerate(self.played)
        ]

    def score(self) -> list[str]:
        """A row a player: what every deal brought, and the sum; the best first."""
        rows = [["", *(f"deal {number + 1}" for number in range(len(self.played))), "score"]]
        order = sorted(range(len(self.players)), key=lambda player: -sum(self.gains(player)))
        for player in order:
            gains = self.gains(player)
            rows.append([self.players[player], *(f"{gain:+g}" for gain in gains), f"{sum(gains):+g}"])
        return in_columns(rows, "<" + ">" * (len(self.played) + 1))


def players_of(session: Session) -> list[str]:
    """The players by name, in the order of the seats in which they begin."""
    people = len(session.people)
    named = []
    for seat, who in enumerate(session.seats):
        kind = who.partition(":")[0]
        alone = people == 1 if who == PERSON else session.seats.count(who) == 1
        name = "you" if who == PERSON and people == 1 else kind
        named.append(name if alone else f"{name} (at first in seat {seat})")
    return named


@contextmanager
def compiled() -> Iterator[None]:
    """Within it, nothing runs uncompiled that can be compiled: for what takes long at the end of a game."""
    with in_mode(Mode.COMPILE if Rule.mode is Mode.PATIENT else Rule.mode):
        yield


def review_lines(done: Review, number: int, outcome: str) -> list[str]:
    """A deal gone through: the moves that threw something away, each in a line."""
    head = f"Deal {number}: {outcome}."
    slips = [move for move in done.moves if move.mark and move.loss]
    if not slips:
        return [head, f"  Nobody threw anything away, says {done.reviewer}."]
    return [head, *(f"  {slip_line(move)}" for move in slips)]


def slip_line(move: JudgedMove) -> str:
    """ "move 12, seat 3: hK, a blunder (from +1 to -1); better: hA; of the deals ..."."""
    text = (
        f"move {move.move}, seat {move.seat}: {move.played}, {article(move.mark)} "
        f"({move.value:+g} became {move.got:+g}); better: {move.best}"
    )
    if not move.shares:
        return text
    played, best = map(percent, move.shares)
    return f"{text}. Of the deals that could be imagined, {move.played} wins {played}, {move.best} {best}"


def percent(share: float) -> str:
    """Neither all nor none: in the deal as it was, the slip loses and the better move wins."""
    return f"{min(max(share, 0.01), 0.99):.0%}"


def article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
