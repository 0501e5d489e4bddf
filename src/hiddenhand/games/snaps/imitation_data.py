"""Watching a teacher: the games that four of him play, or saved games of people and agents, and the samples in them.

Of a game that is played for the pupil the seed of the deal and the actions are kept, so that it fits into 33 bytes;
everything else comes back when it is replayed. A sample is a decision between several actions: what the player knew,
what he might do, what he did. A teacher must not cheat: what he sees and his pupil does not, nobody could learn from
him.
"""

from collections import namedtuple
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.processes import Workers
from hiddenhand.core.record import Record
from hiddenhand.core.session import PERSON
from hiddenhand.core.text import Text
from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS, Array
from hiddenhand.games.snaps.encoding import INPUTS, OUTPUTS, encode, slots_of
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.rules import legal, play, turn
from hiddenhand.games.snaps.state import deal
from hiddenhand.kernel import OVER, derive, new_records, rule, split
from hiddenhand.kernel.records import copy

LONGEST = 33  # actions in a game, and one behind the last
MOST_SAMPLES = 32

# inputs   float32[samples, INPUTS]: what the player knew
# chosen   int64[samples]: what he did, as an output of a network
# allowed  bool[samples, OUTPUTS]: what he might do
Observed = namedtuple("Observed", "inputs chosen allowed")


def teacher_of(game: Game, text: str) -> Agent:
    """The agent of this name, if he can be learned from."""
    agent = resolver.agent(game, text)
    if agent.cheats:
        raise UserError(cannot_teach(text))
    return agent


def watch(game: Game, teacher: Agent, seed: int, first: int, games: int, until_lead: bool = False) -> Array:
    """The records int8[games, LONGEST] of the games first, first + 1, ...; NONE behind the last action.

    until_lead   each game only to the lead to its first trick
    """
    records = np.full((games, LONGEST), NONE, np.int8)
    for g in range(games):
        table = game.deal(seed=derive(seed, first + g))
        while not (table.over or (until_lead and table.state.plays > 0)):
            table.play(table.ask(teacher).action)
        records[g, : len(table.history)] = table.history
    return records


def watch_elsewhere(
    workers: Workers, game: Game, teacher: str, seed: int, first: int, games: int, until_lead: bool = False
) -> Array:
    """The same records, watched by other processes, each a part of them."""
    parts = np.array_split(np.arange(first, first + games), min(games, workers.capacity))
    options = tuple(game.options.items())
    futures = [
        workers.submit(watch_part, (game.origin.spec, options, teacher), seed, int(part[0]), len(part), until_lead)
        for part in parts
    ]
    return np.concatenate([future.result() for future in futures])


def watch_part(who: tuple[Any, ...], seed: int, first: int, games: int, until_lead: bool) -> Array:
    return watch(*seated(*who), seed, first, games, until_lead)


@lru_cache(maxsize=1)
def seated(game: str, options: tuple[tuple[str, Any], ...], teacher: str) -> tuple[Game, Agent]:
    """The game and the teacher, made once in a process."""
    of = resolver.game(game, dict(options))
    return of, teacher_of(of, teacher)


# --- games on paper, and the samples in them ------------------------------------------------------

EVERYBODY = (1 << SEATS) - 1

# starts   records[games]: each game as it was dealt
# actions  int8[games, LONGEST]; NONE behind the last
# heeded   int64[games]: whose moves are learned from, a mask of seats
# skipped  int64[games]: so many moves at the beginning were drawn by lot, and are nobody's
OnPaper = namedtuple("OnPaper", "starts actions heeded skipped")


@rule
def deal_again(blank, seed, numbers, starts):
    """Deal the games of a teacher with these numbers into starts; blank[0] is the game before the deal."""
    rng = np.zeros(1, np.uint64)
    for g in range(len(numbers)):
        copy(starts[g], blank[0])
        rng[0] = split(split(seed, numbers[g]), 0)
        deal(starts[g], rng)


@rule
def replay(paper, work, samples):
    """Write the samples of these games; returns how many. work: room for a game and for a view."""
    s, view = work[0], work[1]
    rng = np.zeros(1, np.uint64)
    actions = np.empty(CARDS, np.int64)
    slots = np.empty(CARDS, np.int64)
    count = 0
    for g in range(len(paper.actions)):
        copy(s, paper.starts[g])
        for i in range(LONGEST):
            action = np.int64(paper.actions[g, i])
            if action == NONE or turn(s) == OVER:
                break
            n = legal(s, actions)
            if n > 1 and i >= paper.skipped[g] and paper.heeded[g] >> turn(s) & 1:
                observe(s, turn(s), view)
                encode(view, turn(s), samples.inputs[count])
                slots_of(view, turn(s), actions[:n], slots)
                for slot in range(OUTPUTS):
                    samples.allowed[count, slot] = False
                for k in range(n):
                    samples.allowed[count, slots[k]] = True
                    if actions[k] == action:
                        samples.chosen[count] = slots[k]
                count += 1
            play(s, action, rng)
    return count


class Lessons:
    """Room to replay games into samples."""

    def __init__(self, game: Game, seed: int, games: int) -> None:
        self.seed = np.uint64(seed)
        self.blank = blank_state(game)
        self.starts = new_records(game.rules.state, games)
        self.work = new_records(game.rules.state, 2)
        room = games * MOST_SAMPLES
        self.room = Observed(
            np.zeros((room, INPUTS), np.float32), np.zeros(room, np.int64), np.zeros((room, OUTPUTS), np.bool_)
        )

    def of(self, numbers: Array, records: Array) -> Observed:
        """(inputs, chosen, allowed) of the teacher's games with these numbers: windows, good until the next call."""
        return self.of_paper(dealt_again(self.blank, self.seed, numbers, records, self.starts))

    def of_paper(self, paper: OnPaper) -> Observed:
        """The same of any games on paper."""
        count = replay(paper, self.work, self.room)
        return Observed(*(part[:count] for part in self.room))


def dealt_again(blank: Array, seed: np.uint64, numbers: Array, records: Array, starts: Array) -> OnPaper:
    """The games with these numbers; a teacher plays all four seats. `starts` receives their first states."""
    games = len(numbers)
    deal_again(blank, seed, np.asarray(numbers, np.int64), starts)
    return OnPaper(starts[:games], records, np.full(games, EVERYBODY), np.zeros(games, np.int64))


# --- saved games ----------------------------------------------------------------------------------


def on_paper(game: Game, records: Sequence[Record], teacher: str | None = None) -> OnPaper:
    """Saved games, which may differ in their options.

    teacher   whose moves are learned from: an agent, or PERSON; left out: those of people, or of everybody where no
              people play. What a cheater plays is never learned.
    """
    starts = new_records(game.rules.state, len(records))
    actions = np.full((len(records), LONGEST), NONE, np.int8)
    for g, record in enumerate(records):
        record.replay()  # refuses what is against the rules
        starts[g] = record.replay(0).state
        actions[g, : len(record.actions)] = record.actions
    heeded = np.array([heeded_seats(game, record, whose(game, records, teacher)) for record in records])
    return OnPaper(starts, actions, heeded, np.array([record.opening for record in records]))


def whose(game: Game, records: Sequence[Record], teacher: str | None) -> str:
    """Who is learned from; empty for everybody."""
    players = sorted({who for record in records for who in record.agents or []})
    if teacher is None:
        return PERSON if PERSON in players else ""
    if not any(is_called(who, teacher) for who in players):
        raise UserError(
            "nobody called {teacher} plays in these games; there play {names}",
            teacher=teacher,
            names=one_of(players) or Text("unknown"),
        )
    if cheats(game, teacher):
        raise UserError(cannot_teach(teacher))
    return teacher


def cannot_teach(name: str) -> Text:
    return Text(
        "{teacher} cannot be a teacher: it sees the cards of the others, which its pupil does not", teacher=name
    )


def heeded_seats(game: Game, record: Record, teacher: str) -> int:
    """The seats of a game that are learned from, a mask."""
    players = record.agents or [""] * SEATS
    fits = [is_called(who, teacher) if teacher else not cheats(game, who) for who in players]
    return sum(1 << seat for seat in range(SEATS) if fits[seat])


def is_called(who: str, name: str) -> bool:
    """Whether an agent is meant by a name: its whole text, or its kind."""
    return name in (who, who.partition(":")[0])


def cheats(game: Game, text: str) -> bool:
    kind = resolver.find_own(game, text.partition(":")[0])
    return kind is not None and kind.cheats
