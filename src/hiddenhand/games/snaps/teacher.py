"""Watching a teacher: the records of the games that four of him play, and the samples in them.

A record is the seed of a deal and the actions, so a game of any length fits into 33 bytes; everything else comes back
when it is replayed. A sample is a decision between several actions: what the player knew, what he might do, what he
did. A teacher must not cheat: what he sees and his pupil does not, nobody could learn from him.
"""

from collections import namedtuple
from functools import lru_cache
from typing import Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.games.snaps.cards import CARDS, NONE, Array
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
        raise UserError(f"{text} cannot be a teacher: it sees the cards of the others, which its pupil does not")
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
        records[g, : len(table.actions)] = table.actions
    return records


def watch_elsewhere(workers: Any, game: Game, teacher: str, seed: int, first: int, games: int) -> Array:
    """The same records, watched by other processes, each a part of them."""
    parts = np.array_split(np.arange(first, first + games), min(games, workers.lanes))
    options = tuple(game.options.items())
    futures = [
        workers.submit(watch_part, game.spec, options, teacher, seed, int(part[0]), len(part)) for part in parts
    ]
    return np.concatenate([future.result() for future in futures])


def watch_part(
    game: str, options: tuple[tuple[str, Any], ...], teacher: str, seed: int, first: int, games: int
) -> Array:
    return watch(*seated(game, options, teacher), seed, first, games)


@lru_cache(maxsize=1)
def seated(game: str, options: tuple[tuple[str, Any], ...], teacher: str) -> tuple[Game, Agent]:
    """The game and the teacher, made once in a process."""
    of = resolver.game(game, dict(options))
    return of, teacher_of(of, teacher)


@rule
def begin_again(states, seed, number, rng):
    """Deal game `number` of a teacher into states[1]; states[0] is the game before the deal."""
    copy(states[1], states[0])
    rng[0] = split(split(seed, number), 0)
    deal(states[1], rng)


@rule
def replay(states, seed, numbers, records, samples):
    """Write the samples of these games; returns how many. numbers int64[games], records int8[games, LONGEST]."""
    s, view = states[1], states[2]
    rng = np.zeros(1, np.uint64)
    actions = np.empty(CARDS, np.int64)
    slots = np.empty(CARDS, np.int64)
    count = 0
    for g in range(len(numbers)):
        begin_again(states, seed, numbers[g], rng)
        for i in range(LONGEST):
            action = np.int64(records[g, i])
            if action == NONE or turn(s) == OVER:
                break
            n = legal(s, actions)
            if n > 1:
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
    """Room to replay records into samples."""

    def __init__(self, game: Game, seed: int, games: int) -> None:
        self.seed = np.uint64(seed)
        self.states = new_records(game.state, 3)
        self.states[0] = game.blank()[0]
        room = games * MOST_SAMPLES
        self.room = Observed(
            np.zeros((room, INPUTS), np.float32), np.zeros(room, np.int64), np.zeros((room, OUTPUTS), np.bool_)
        )

    def of(self, numbers: Array, records: Array) -> Observed:
        """(inputs, chosen, allowed) of the games with these numbers: windows, good until the next call."""
        count = replay(self.states, self.seed, numbers, records, self.room)
        return Observed(*(part[:count] for part in self.room))
