"""Reviews: a game that hides nothing any more is gone through move by move, in the worker processes.

A review is worked out once for a table and a reviewer, as long as somebody looks at it; the part that is done is sent
whenever it is asked for.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.review import Asked, plan, review_of
from hiddenhand.core.session import in_silence
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.workers.pool import Requester
from hiddenhand.web.workers.process import EXPLAIN

if TYPE_CHECKING:
    from hiddenhand.web.tables.live_table import LiveTable

FORGOTTEN = 20.0
"""Seconds after which a review that nobody asks for is not worked on any further."""
MOST = 4
"""Reviews of one table that are kept."""


class GameReview:
    """The review of one game by one reviewer."""

    def __init__(self, live: LiveTable, who: str | None) -> None:
        self.live = live
        self.epoch = live.epoch
        self.plies = len(live.session.steps)
        self.reviewer, self.questions = plan(live.session, who)
        self.found: list[Asked] = []
        self.error = ""
        self.asked_at = time.monotonic()
        self.worker: asyncio.Task[None] | None = None

    def look(self, address: str) -> outgoing.ReviewInfo:
        """The part that is done so far; work on the rest goes on."""
        self.asked_at = time.monotonic()
        if self.worker is None and len(self.found) < len(self.questions) and not self.error:
            self.worker = asyncio.create_task(self.work(address))
        if self.error:
            raise UserError(self.error)
        done = review_of(self.live.session, self.reviewer, self.found)
        return outgoing.ReviewInfo(
            reviewer=self.reviewer,
            stake=done.stake,
            done=len(self.found),
            total=len(self.questions),
            moves=[outgoing.ReviewedMoveInfo(**move.to_json()) for move in done.moves],
        )

    async def work(self, address: str) -> None:
        live = self.live
        requester = Requester(address, live.id, lambda: True)
        try:
            while len(self.found) < len(self.questions) and time.monotonic() - self.asked_at < FORGOTTEN:
                ply, question = self.questions[len(self.found)]
                told = await live.tables.scheduler.answer(live.session, EXPLAIN, question, requester, in_silence)
                self.found.append((ply, Decision.from_json(told)))
        except UserError as error:
            self.error = error.text
        finally:
            self.worker = None


def review(live: LiveTable, who: str | None, address: str) -> outgoing.ReviewInfo:
    """The review of the game at a table, as far as it is done; a UserError while something is hidden there."""
    if not live.session.revealed:
        raise UserError("a review would show what is hidden; ask when the game is over")
    now = (live.epoch, len(live.session.steps))
    found = live.reviews.get(who or "")
    if found is None or (found.epoch, found.plies) != now:
        live.reviews.pop(who or "", None)
        while len(live.reviews) >= MOST:
            live.reviews.pop(next(iter(live.reviews)))
        found = live.reviews[who or ""] = GameReview(live, who)
    return found.look(address)
