"""Many games at once, for learners: every step one move in each of n games, everything as arrays.

    env = hiddenhand.VectorEnv("hanabi", 4096, seed=1, players=2)
    while learning:
        actions = choose(env.observation, env.legal)      # int64[n]
        env.step(actions)                                 # env.rewards, env.done, ...

The arrays stay the same objects; each step writes them anew. Chance is resolved inside, and a finished game is dealt
anew within the same step. The games are those of the match with this seed: place i plays its games i, i + n, ...
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from hiddenhand.core import html, resolver
from hiddenhand.core.devices import CPU, from_device
from hiddenhand.core.errors import IllegalAction, UserError
from hiddenhand.core.game import Game, blank_state, encoding_of, stepper
from hiddenhand.core.text import Seat
from hiddenhand.kernel import new_records, vector_step
from hiddenhand.kernel.loop import new_workspace
from hiddenhand.kernel.vector_step import (
    COUNT_WORLDS,
    DEAL,
    REWIND,
    SET_WORLD,
    SHOW,
    STEP,
    BatchConfig,
    GameBatch,
    Told,
)

MOST_GAMES = 1 << 24
FEWEST_EACH = 256
"""A thread that gets fewer games than this is not worth its while."""

KEPT = ("rewards", "gains", "done", "numbers", "plies")
"""What is saved beside the states; all else follows from these."""

Array = np.ndarray[Any, Any]


class Backend(Protocol):
    """Who holds the games, on whatever device."""

    arrays: Any
    """`GameBatch`, of that device's arrays."""

    def step(self, choices: Any) -> None: ...

    def save(self) -> dict[str, Any]: ...

    def restore(self, saved: Mapping[str, Any]) -> None: ...

    def check(self) -> None: ...

    @property
    def words(self) -> Any: ...

    def show(self) -> None: ...

    def imagine(self, what: int, seats: Any, numbers: Any, seeds: Any) -> Told: ...


class VectorEnv:
    """n games in lockstep.

    Actions have the numbers that the mover knows them by (the rule `relative`): with them all seats can share one
    network. In most games these are the actions themselves.

    device    "cpu", or "cuda": everything stays on the graphics card, the arrays are torch tensors
    threads   on the CPU; left out, as many as there are cores. Their number does not change the results
    options   of the game
    """

    def __init__(
        self, game: Game | str, n: int, seed: int = 0, device: str = CPU, threads: int | None = None, **options: Any
    ) -> None:
        if not 1 <= n <= MOST_GAMES:
            raise UserError("n must be a whole number from 1 to {most_games}, not {n}", most_games=MOST_GAMES, n=n)
        if not 0 <= seed < 2**64:
            raise UserError("a seed is a whole number from 0 to 2**64 - 1, not {seed}", seed=seed)
        if threads is not None and threads < 1:
            raise UserError("threads must be at least 1, not {threads}", threads=threads)
        self.game = resolver.game(game, options)
        self.count = n
        self.seed = seed
        self.device = device
        self.seats = self.game.players
        self.actions = self.game.rules.action_count
        self.observation_size = encoding_of(self.game).length
        made: Callable[..., Backend] = CpuBackend if device == CPU else from_device(device, "CudaBackend")
        self._threads = threads
        self._holder = made(self.game, n, seed, threads)
        arrays = self._holder.arrays
        self.turn: Any = arrays.turn
        """int64[n]: the seat to move."""
        self.legal: Any = arrays.legal
        """bool[n, actions]"""
        self.observation: Any = arrays.observation
        """[n, observation_size]: what the mover sees, by the rule `encode`; uint8 if that is bits, else float32."""
        self.rewards: Any = arrays.rewards
        """float32[n, seats]: payoffs of the games that ended in the last step, else 0."""
        self.gains: Any = arrays.gains
        """float32[n, seats]: EVAL after the last step minus EVAL before it; of a game that ended, its last EVAL."""
        self.values: Any = arrays.values
        """float64[n, seats]: EVAL now."""
        self.done: Any = arrays.done
        """bool[n]: whether a game ended in the last step; all else is already of the next one."""
        self.numbers: Any = arrays.numbers
        """int64[n]: which game of the match is being played."""
        self.meant: Any = arrays.meant
        """int16[n, actions]: the actions that the numbers mean, where they are legal."""

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.game}, {self.count:,} games, seed {self.seed}, {self.device}>"

    def _repr_html_(self) -> str:
        shown = {name: getattr(self, name) for name in ("turn", "legal", "observation", "rewards", "done")}
        rows = [(name, str(array.dtype), str(tuple(array.shape))) for name, array in shown.items()]
        return html.fragment(repr(self)[1:-1], html.table(("array", "type", "shape"), rows))

    def step(self, actions: Any) -> None:
        """Play one move in every game: int64[n], legal numbers of actions."""
        self._holder.step(actions)

    def check(self) -> None:
        """Raise what went wrong. On the CPU every step does; a card is not waited for, and illegal actions of before
        are told here."""
        self._holder.check()

    def save(self) -> dict[str, Any]:
        """All games as they stand: arrays by name."""
        return self._holder.save()

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on exactly from where `save` was called, here or in another environment like this."""
        self._holder.restore(saved)

    def __getstate__(self) -> dict[str, Any]:
        made = {
            "game": self.game,
            "n": self.count,
            "seed": self.seed,
            "device": self.device,
            "threads": self._threads,
        }
        return {"made": made, "saved": self.save()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__init__(**kept["made"])  # type: ignore[misc]
        self.restore(kept["saved"])

    # --- imagined worlds, for searches

    @property
    def words(self) -> Any:
        """int64[n, words]: the states themselves, hidden things included, as they stand now."""
        return self._holder.words

    def put(self, words: Any, plies: Any) -> None:
        """Go on from these states, taken from `words` of here or elsewhere, after so many plies each: int64[n]."""
        arrays = self._holder.arrays
        self.words[:] = words
        arrays.plies[:] = plies
        arrays.rewards[:], arrays.gains[:], arrays.done[:] = 0.0, 0.0, False
        self._holder.show()

    def count_worlds(self, seats: Any) -> Any:
        """float64[n]: how many worlds can be listed for this seat in every game, by the rule `worlds`."""
        return self._holder.imagine(COUNT_WORLDS, seats, seats, seats).numbers

    def set_worlds(self, seats: Any, numbers: Any, seeds: Any) -> Any:
        """Put world `numbers` (int64[n]) of the seat's list in the place of every game; where it is -1, what the seat
        cannot know is drawn anew. float64[n]: their weights, by the rule `world`; 1 where drawn."""
        return self._holder.imagine(SET_WORLD, seats, numbers, seeds).numbers

    def rewind(self) -> Any:
        """Go back to the deal in every game: the moves since, int64[n, longest]."""
        if "rewind" not in self.game.rules.given:
            raise UserError(
                "the states of {name} do not tell how they came about: it has no rule rewind", name=self.game.name
            )
        arrays = self._holder.arrays
        arrays.plies[:] = 0
        return self._holder.imagine(REWIND, arrays.turn, arrays.turn, arrays.turn).moves


class CpuBackend:
    """The games in this computer's memory, stepped by threads."""

    def __init__(self, game: Game, count: int, seed: int, threads: int | None) -> None:
        self.game = game
        self.terms = BatchConfig(np.uint64(seed), count, game.longest)
        self.states = new_records(game.rules.state, count)
        self.arrays = new_arrays(game, count)
        self.arrays.numbers[:] = range(count)
        self.stretches = stretches(count, threads or cores())
        self.workspaces = [
            new_workspace(blank_state(game), game.rules.view, game.players, game.most_actions) for _ in self.stretches
        ]
        self.task = stepper(game, vector_step.work_on_games)
        self.work(DEAL, self.arrays.turn)

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self.stretches))

    def work(self, what: int, choices: Array) -> None:
        """Do this with every game, a thread to each stretch; the first is this thread's own."""
        own, *others = [
            partial(self.task, what, self.terms, self.arrays, room, self.states, choices, stretch)
            for room, stretch in zip(self.workspaces, self.stretches, strict=True)
        ]
        under_way = [self.pool.submit(other) for other in others]
        own()
        for each in under_way:
            each.result()
        self.check()

    def check(self) -> None:
        require_sound(self.game, *self.arrays.fault.tolist())

    def step(self, choices: Array) -> None:
        chosen = np.ascontiguousarray(choices, np.int64)
        if chosen.shape != self.arrays.turn.shape:
            raise UserError(
                "a step takes {n} actions, not an array of shape {shape}", n=len(self.arrays.turn), shape=chosen.shape
            )
        wrong = int(vector_step.first_illegal(self.arrays.legal, chosen))
        if wrong >= 0:
            raise self.illegal(wrong, int(chosen[wrong]))
        self.work(STEP, chosen)

    def illegal(self, i: int, number: int) -> IllegalAction:
        legal = np.flatnonzero(self.arrays.legal[i]).tolist()
        return IllegalAction(
            "action {number} is not legal for {who} in place {i} of {name}; legal: {legal}. No game has moved",
            number=number,
            who=Seat(self.arrays.turn[i]),
            i=i,
            name=self.game.name,
            legal=", ".join(map(str, legal)),
        )

    def save(self) -> dict[str, Array]:
        kept = {name: getattr(self.arrays, name).copy() for name in KEPT}
        return {"seed": np.array(self.terms.seed), "states": np.array(self.states), **kept}

    def restore(self, saved: Mapping[str, Any]) -> None:
        check_saved(saved, self.game, len(self.states))
        self.terms = self.terms._replace(seed=np.uint64(saved["seed"]))
        np.copyto(self.states, saved["states"])
        for name in KEPT:
            np.copyto(getattr(self.arrays, name), saved[name])
        self.show()

    def show(self) -> None:
        self.work(SHOW, self.arrays.turn)

    @property
    def words(self) -> Array:
        return np.asarray(self.states).view(np.int64).reshape(len(self.states), -1)

    def imagine(self, what: int, seats: Array, numbers: Array, seeds: Array) -> Told:
        count = len(self.states)
        told = Told(np.zeros((count, self.game.longest if what == REWIND else 1), np.int64), np.zeros(count))
        first = new_records(self.game.rules.state, 1)
        whole = [np.ascontiguousarray(each, np.int64) for each in (seats, numbers, seeds)]
        self.game.rules.bind(vector_step.imagine_games)(what, self.states, first, *whole, told)
        if what != COUNT_WORLDS:
            self.show()
        return told


def new_arrays(game: Game, count: int, empty: Callable[[tuple[int, ...], Any], Any] = np.zeros) -> GameBatch:
    """Arrays for so many games, made by `empty(shape, type)`."""
    each, every, seats = (count,), (count, game.rules.action_count), (count, game.players)
    return GameBatch(
        turn=empty(each, np.int64),
        legal=empty(every, np.bool_),
        meant=empty(every, np.int16),
        observation=empty((count, encoding_of(game).length), np.uint8 if encoding_of(game).bits else np.float32),
        rewards=empty(seats, np.float32),
        gains=empty(seats, np.float32),
        values=empty(seats, np.float64),
        done=empty(each, np.bool_),
        numbers=empty(each, np.int64),
        plies=empty(each, np.int64),
        fault=empty((2,), np.int64),
    )


def stretches(count: int, threads: int) -> list[tuple[int, int]]:
    """The games of each thread: the first, and the one after the last."""
    parts = max(1, min(threads, count // FEWEST_EACH))
    edges = [count * part // parts for part in range(parts + 1)]
    return list(pairwise(edges))


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def require_sound(game: Game, kind: int, number: int) -> None:
    """Refuse to go on after a fault that the step met."""
    if kind == vector_step.ENDLESS:
        raise UserError(
            "game {number} of {name} is longer than it declares ({longest} plies)",
            number=number,
            name=game.name,
            longest=game.longest,
        )
    if kind == vector_step.EMPTY:
        raise UserError("game {number} of {name} was over before anybody moved", number=number, name=game.name)
    if kind == vector_step.UNNUMBERED:
        raise UserError(
            "game {number} of {name} has an action whose number is not from 0 to {action_count}: "
            "say all_actions in its define(...)",
            number=number,
            name=game.name,
            action_count=game.rules.action_count - 1,
        )


def check_saved(saved: Mapping[str, Any], game: Game, count: int) -> None:
    missing = [name for name in ("seed", "states", *KEPT) if name not in saved]
    if missing:
        raise UserError("what was saved has no {missing}", missing=missing[0])
    states = saved["states"]
    if states.dtype != game.rules.state or len(states) != count:
        raise UserError("what was saved is not {count} games of {name}", count=count, name=game.name)


def as_tensor(array: Any) -> Any:
    """What an environment shows, as a torch tensor that follows its steps."""
    import torch

    return array if isinstance(array, torch.Tensor) else torch.from_numpy(array)
