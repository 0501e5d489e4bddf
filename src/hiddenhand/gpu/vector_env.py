"""Games in lockstep on a graphics card: one to a thread, their states across, the arrays torch tensors.

The states lie word by word, the games side by side: neighbouring threads read neighbouring words. A thread takes the
state of its game into its own memory, plays there, and puts it back. In the same way the arrays that learners see are
transposed views: their rows are games, but in memory the games are side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, blank_state, stepper
from hiddenhand.core.vector import KEPT, new_arrays, require_sound
from hiddenhand.gpu.binding import NUMPY, Binder
from hiddenhand.gpu.cuda import compiled, cuda, require_gpu, torch
from hiddenhand.gpu.records import get_word, set_word
from hiddenhand.kernel import vector_step
from hiddenhand.kernel.loop import LoopWorkspace
from hiddenhand.kernel.records import WORD
from hiddenhand.kernel.vector_step import (
    COUNT_WORLDS,
    DEAL,
    ILLEGAL,
    REWIND,
    SHOW,
    STEP,
    BatchConfig,
    GameBatch,
    Told,
)

if TYPE_CHECKING:
    from torch import Tensor
    from torch.cuda import CUDAGraph

    from hiddenhand.kernel.numba_compat import CUDADispatcher as Kernel
    from hiddenhand.kernel.numba_compat import DeviceNDArray

THREADS = 128
"""In a block."""
REGISTERS: int | None = None
"""Of a thread at most: with fewer, more threads are under way at once."""


class CudaBackend:
    """The games in a card's memory."""

    kernel: Any = None
    imagining: Any = None

    def __init__(self, game: Game, count: int, seed: int, threads: int | None) -> None:
        if threads is not None:
            raise UserError("threads are of the CPU: leave them out on a card")
        require_gpu()
        self.game = game
        self.count = count
        self.seed = seed
        self.states = torch().zeros((game.rules.state.itemsize // WORD, count), dtype=torch().int64, device="cuda")
        self.arrays: Any = tensors(game, count)
        self.arrays.numbers[:] = torch().arange(count)
        self.blank = cuda.to_device(np.array(blank_state(game)))
        self.seen = type(self.arrays)(*(cuda.as_cuda_array(tensor) for tensor in self.arrays))
        self.across = cuda.as_cuda_array(self.states)
        self.chosen = torch().zeros(count, dtype=torch().int64, device="cuda")
        self.launch(DEAL, self.arrays.turn)
        self.check()

    @property
    def config(self) -> BatchConfig:
        return BatchConfig(np.uint64(self.seed), self.count, self.game.longest)

    def launch(self, what: int, choices: Tensor) -> None:
        """Run the kernel, a thread to each game, in the order of what torch does."""
        stream = cuda.external_stream(torch().cuda.current_stream().cuda_stream)
        arguments = what, self.config, self.seen, self.blank, self.across, cuda.as_cuda_array(choices)
        if self.kernel is None:
            self.kernel = self.compiled(arguments)
        self.kernel[-(-self.count // THREADS), THREADS, stream](*arguments)

    def compiled(self, arguments: tuple[Any, ...]) -> Kernel:
        try:
            return compiled(kernel_of(self.game, kernel), arguments)
        except UserError as error:
            raise UserError("{name} cannot be played on a card: {error}", name=self.game.name, error=error) from None

    def step(self, choices: Tensor) -> None:
        chosen = torch().as_tensor(choices, dtype=torch().int64, device="cuda").contiguous()
        if chosen.shape != (self.count,):
            raise UserError(
                "a step takes {count} actions, not an array of shape {shape}",
                count=self.count,
                shape=tuple(chosen.shape),
            )
        if torch().cuda.is_current_stream_capturing():  # somebody records several steps
            self.launch(STEP, chosen)
            return
        self.chosen.copy_(chosen)
        self.recorded.replay()

    @cached_property
    def recorded(self) -> CUDAGraph:
        """A step as a CUDA graph: passing all arrays again would take longer than a step of a small game."""
        graph = torch().cuda.CUDAGraph()
        with torch().cuda.graph(graph):
            self.launch(STEP, self.chosen)
        return graph

    def check(self) -> None:
        """Wait for the card, and raise what went wrong on it."""
        kind, number = self.arrays.fault.tolist()
        if kind == ILLEGAL:
            raise UserError(
                "an action that was not legal was chosen in place {number} of {name}",
                number=number,
                name=self.game.name,
            )
        require_sound(self.game, kind, number)

    def save(self) -> dict[str, Any]:
        kept = {name: getattr(self.arrays, name).clone() for name in KEPT}
        return {"seed": np.array(self.seed, np.uint64), "states": self.states.clone(), **kept}

    def restore(self, saved: Mapping[str, Any]) -> None:
        missing = [name for name in ("seed", "states", *KEPT) if name not in saved]
        if missing or tuple(saved["states"].shape) != tuple(self.states.shape):
            raise UserError(
                "what was saved is not {count} games of {name} on a card", count=self.count, name=self.game.name
            )
        if int(saved["seed"]) != self.seed:
            self.seed = int(saved["seed"])
            self.__dict__.pop("recorded", None)  # it has the other seed
        self.states.copy_(saved["states"])
        for name in KEPT:
            getattr(self.arrays, name).copy_(saved[name])
        self.show()

    def show(self) -> None:
        self.launch(SHOW, self.arrays.turn)

    @property
    def words(self) -> Tensor:
        return self.states.T

    def imagine(self, what: int, seats: Tensor, numbers: Tensor, seeds: Tensor) -> Told:
        wide = self.game.longest if what == REWIND else 1
        moves = torch().zeros((wide, self.count), dtype=torch().int64, device="cuda")
        told = torch().zeros(self.count, dtype=torch().float64, device="cuda")
        stream = cuda.external_stream(torch().cuda.current_stream().cuda_stream)
        given = (self.across, *(cuda.as_cuda_array(each) for each in (seats, numbers, seeds, moves, told)))
        if self.imagining is None:
            self.imagining = compiled(kernel_of(self.game, imagining_kernel), (what, *given))
        self.imagining[-(-self.count // THREADS), THREADS, stream](what, *given)
        if what != COUNT_WORLDS:
            self.show()
        return Told(moves.T, told)


KERNELS: dict[tuple[Any, ...], Any] = {}
"""Those of this process, by the rules and what else they were made for."""


def kernel_of(game: Game, maker: Callable[[Game], Callable[..., None]]) -> Kernel:
    """A kernel of the game, by its `maker`, made once."""
    key = maker, game.rules, game.players, game.most_actions, REGISTERS
    if key not in KERNELS:
        KERNELS[key] = cuda.jit(maker(game), lto=False, max_registers=REGISTERS)
    return KERNELS[key]


def tensors(game: Game, count: int) -> GameBatch:
    """`Games` of tensors."""
    return new_arrays(game, count, empty_there)


def empty_there(shape: tuple[int, ...], kind: np.typing.DTypeLike) -> Tensor:
    """A tensor of zeros whose first index is the last in memory."""
    made = torch().zeros(shape[::-1], dtype=getattr(torch(), np.dtype(kind).name), device="cuda")
    return made.T if len(shape) == 2 else made


def kernel(game: Game) -> Callable[..., None]:
    """What a thread does with its game: deal it, show it, or make a move in it."""
    work_on = Binder().function(stepper(game, vector_step.work_on))
    empty, words = NUMPY.empty, game.rules.state.itemsize // WORD
    state, view, seats, most = game.rules.state, game.rules.view, game.players, game.most_actions

    def work(
        what: int, config: BatchConfig, games: GameBatch, blank: DeviceNDArray, across: DeviceNDArray, choices: Tensor
    ) -> None:
        i = np.int64(cuda.grid(1))
        if i >= config.places:
            return
        states, views = empty(1, state), empty(1, view)
        actions, chances, gains = empty(most, np.int64), empty(most, np.float64), empty(seats, np.float64)
        rng, keys = empty(1, np.uint64), empty(1, np.uint64)
        workspace = LoopWorkspace(blank, states, views, gains, actions, chances, rng, keys)
        s = states[0]
        for word in range(words):
            set_word(s, word, across[word, i])
        number = choices[i]
        if what == STEP and not (0 <= number < games.legal.shape[1] and games.legal[i, number]):
            games.fault[0], games.fault[1] = ILLEGAL, i
            return
        work_on(what, config, games, workspace, s, i, number)
        for word in range(words):
            across[word, i] = np.int64(get_word(s, word))

    return work


def imagining_kernel(game: Game) -> Callable[..., None]:
    """What a thread does with the imagined world in its place."""
    imagine = Binder().function(game.rules.bind(vector_step.imagine))
    empty, words, longest, state = NUMPY.empty, game.rules.state.itemsize // WORD, game.longest, game.rules.state

    def work(
        what: int,
        across: DeviceNDArray,
        seats: DeviceNDArray,
        numbers: DeviceNDArray,
        seeds: DeviceNDArray,
        moves: DeviceNDArray,
        told: DeviceNDArray,
    ) -> None:
        i = np.int64(cuda.grid(1))
        if i >= len(seats):
            return
        states, firsts, rng, made = empty(1, state), empty(1, state), empty(1, np.uint64), empty(longest, np.int64)
        s = states[0]
        for word in range(words):
            set_word(s, word, across[word, i])
        rng[0] = seeds[i]
        told[i] = imagine(what, s, firsts[0], made, seats[i], numbers[i], rng)
        if what == REWIND:
            for k in range(np.int64(told[i])):
                moves[k, i] = made[k]
        for word in range(words):
            across[word, i] = np.int64(get_word(s, word))

    return work
