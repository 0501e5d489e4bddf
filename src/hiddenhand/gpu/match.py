"""Whole matches on a graphics card: one game to a thread, between compiled policies.

The loop is the CPU's own, and so are seeds and results. Policies are compiled into it, instead of being called by
their addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, blank_state, match_loop, metrics_of
from hiddenhand.gpu.binding import NUMPY, Binder
from hiddenhand.gpu.cuda import compiled, cuda, private, require_gpu
from hiddenhand.gpu.records import reader
from hiddenhand.gpu.search_match import SearchMatchRunner
from hiddenhand.kernel import loop
from hiddenhand.kernel.loop import LoopWorkspace, Results, Seating, rows_of_bytes
from hiddenhand.kernel.records import WORD
from hiddenhand.lab.match_runner import Chunk, MatchRunner, empty_chunk
from hiddenhand.search.policy_improvement import BlueprintSearch

if TYPE_CHECKING:
    from hiddenhand.kernel.numba_compat import CUDADispatcher as Kernel
    from hiddenhand.kernel.numba_compat import DeviceNDArray

THREADS = 128
"""In a block."""


def match_runner_for(agents: Sequence[Agent]) -> type[MatchRunner]:
    """What plays these agents' games on a card."""
    if any(isinstance(agent, BlueprintSearch) for agent in agents):
        return SearchMatchRunner
    return CudaMatchRunner


class CudaMatchRunner(MatchRunner):
    """A match runner whose games are played on a graphics card."""

    kernel: Any = None

    def chunk(self, first: int, count: int) -> Chunk:
        self.require()
        return super().chunk(first, count)

    def warm_up(self) -> None:
        self.require()
        self.run_loop(empty_chunk(self.game, 0, 1))

    def require(self) -> None:
        for agent in self.agents:
            if not isinstance(agent, PolicyAgent):
                raise UserError(
                    "{agent} is no compiled policy: on a card only those can play, and search on a network",
                    agent=agent,
                )
        require_gpu()

    def run_loop(self, chunk: Chunk) -> None:
        """All games of the chunk in one launch."""
        game, seating = self.game, self.seating(chunk)
        metrics = np.zeros((chunk.count, max(1, len(metrics_of(game)))))
        there: Any = Results(*map(cuda.to_device, (chunk.payoffs, chunk.moves, metrics, np.zeros(4, np.int64))))
        blocks = -(-chunk.count // THREADS)
        arguments = seating, self.which, self.cheats_there, self.given, self.blank, there
        if self.kernel is None:
            self.kernel = self.made_for(arguments)
        self.kernel[blocks, THREADS](*arguments)
        payoffs, moves, metrics, fault = (array.copy_to_host() for array in there)
        chunk.payoffs[:], chunk.moves[:], chunk.metrics[:] = payoffs, moves, metrics[:, : len(metrics_of(game))]
        kind, number, seat, action = fault.tolist()
        if kind == loop.ENDLESS:
            raise self.endless(number)
        if kind != loop.NOTHING:
            raise self.illegal(number, seat, action)

    def made_for(self, arguments: tuple[Any, ...]) -> Kernel:
        try:
            return compiled(cuda.jit(kernel(self.game, self.policies), lto=False), arguments)
        except UserError as error:
            who = " and ".join(dict.fromkeys(map(str, self.agents)))
            raise UserError(
                "{who} cannot play {name} on a card: {error}", who=who, name=self.game.name, error=error
            ) from None

    @cached_property
    def which(self) -> DeviceNDArray:
        """int64[agents]: by what the loop knows the policies."""
        return cuda.to_device(np.arange(len(self.policies)))

    @cached_property
    def cheats_there(self) -> DeviceNDArray:
        return cuda.to_device(self.cheats)

    @cached_property
    def given(self) -> DeviceNDArray:
        return cuda.to_device(self.parameters)

    @cached_property
    def blank(self) -> DeviceNDArray:
        return cuda.to_device(np.array(blank_state(self.game)))


def kernel(game: Game, agents: Sequence[PolicyAgent]) -> Callable[..., None]:
    """What a thread does: play its game."""
    binder = Binder()
    binder.made[loop.ask] = asking(game, agents, binder)
    play_games = binder.function(match_loop(game))
    empty, width = NUMPY.empty, rows_of_bytes([np.zeros(1, agent.policy.memory) for agent in agents]).shape[1] // WORD
    state, view, seats, most = game.rules.state, game.rules.view, game.players, game.most_actions

    def play(
        seating: Seating,
        which: DeviceNDArray,
        cheats: DeviceNDArray,
        parameters: DeviceNDArray,
        blank: DeviceNDArray,
        results: Results,
    ) -> None:
        i = np.int64(cuda.grid(1))
        if i >= len(results.moves):
            return
        states, views = empty(1, state), empty(1, view)
        actions, chances, gains = empty(most, np.int64), empty(most, np.float64), empty(seats, np.float64)
        rng, keys, memories = empty(1, np.uint64), empty(seats, np.uint64), empty((seats, width), np.uint64)
        mine = Seating(
            seating.seed,
            seating.first + i,  # type: ignore[arg-type]
            seating.seats,
            seating.rotate,
            seating.deals_shared,
            seating.opening,
            seating.longest,
        )
        play_games(
            mine,
            loop.PolicyTable(which, cheats, parameters, memories),
            LoopWorkspace(blank, states, views, gains, actions, chances, rng, keys),
            Results(results.payoffs[i : i + 1], results.moves[i : i + 1], results.metrics[i : i + 1], results.fault),
        )

    return play


def asking(game: Game, agents: Sequence[PolicyAgent], binder: Binder) -> Callable[..., int]:
    """`ask` for these agents: the loop names one by its place among them."""

    def asked(*arguments: Any) -> int:
        raise NotImplementedError

    @private.overload(asked, target="cuda")
    def of_kind(which, record, seat, actions, memory, parameters, rng):
        """Cheaters are given the state and the others the view: only those are compiled that are given this."""
        from numba import from_dtype

        looks_at = {True: from_dtype(game.rules.state), False: from_dtype(game.rules.view)}
        chosen = chain([(i, agent) for i, agent in enumerate(agents) if looks_at[agent.cheats] == record], binder)

        def ask(which, record, seat, actions, memory, parameters, rng):
            return chosen(which, record, seat, actions, memory, parameters, rng)

        return ask

    return asked


def chain(agents: Sequence[tuple[int, PolicyAgent]], binder: Binder) -> Kernel:
    """A device function that asks one of these agents, by its number."""
    if not agents:

        @cuda.jit(device=True)
        def nobody(which, record, seat, actions, memory, parameters, rng):
            return np.int64(-1)

        return nobody
    (number, agent), *others = agents
    decide, rest = binder.function(agent.policy.rule), chain(others, binder)
    as_memory, as_parameters = reader(agent.policy.memory), reader(agent.parameters.dtype)

    @cuda.jit(device=True)
    def ask(which, record, seat, actions, memory, parameters, rng):
        if which == number:
            return np.int64(decide(record, seat, actions, as_memory(memory), as_parameters(parameters), rng))
        return rest(which, record, seat, actions, memory, parameters, rng)

    return ask
