"""Rules compiled for a graphics card without having one: as PTX, the assembler's text of NVIDIA's cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.game import Game, encoding_of
from hiddenhand.gpu import match, vector_env
from hiddenhand.gpu.binding import Binder
from hiddenhand.gpu.cuda import cuda, exact_sums, private, reason
from hiddenhand.kernel import contract
from hiddenhand.kernel.loop import Results, Seating
from hiddenhand.kernel.rule import Rule
from hiddenhand.kernel.vector_step import BatchConfig, GameBatch

ARCHITECTURE = (9, 0)


class CudaDevice(NamedTuple):
    """All that the compiler asks of a card."""

    compute_capability: tuple[int, int] = ARCHITECTURE


@contextmanager
def imagined_card() -> Iterator[None]:
    """Let numba-cuda compile for a card that is not there, and without the library that it asks for its versions."""
    answers: list[tuple[Any, str, Any]] = [
        (private.dispatcher, "get_current_device", CudaDevice),
        (private.nvrtc, "get_supported_ccs", lambda: [ARCHITECTURE]),
        (private.cuda_paths, "_get_nvrtc_path", lambda: None),
    ]
    kept = [getattr(module, name) for module, name, _ in answers]
    for module, name, answer in answers:
        setattr(module, name, answer)
    try:
        yield
    finally:
        for (module, name, _), former in zip(answers, kept, strict=True):
            setattr(module, name, former)


def ptx(binder: Binder, rule: Rule, arguments: tuple[Any, ...]) -> str:
    """The text of a rule for arguments of these types."""
    with imagined_card(), exact_sums():
        function = binder.rebuilt(rule.function)
        code, _ = cuda.compile(function, arguments, cc=ARCHITECTURE, abi="numba", output="ptx")
    return str(code)


def argument_types(game: Game) -> dict[str, tuple[Any, ...]]:
    """What each rule of the contract is given."""
    from numba import from_dtype, types

    s, view, rng = from_dtype(game.rules.state), from_dtype(game.rules.view), types.uint64[::1]
    whole, real = types.int64[::1], types.float64[::1]
    number = types.int64
    return {
        "deal": (s, rng),
        "turn": (s,),
        "legal": (s, whole),
        "play": (s, number, rng),
        "payoff": (s, real),
        "observe": (s, number, view),
        "redeal": (s, number, rng),
        "rewind": (s, s, whole),
        "vary": (s, number, rng),
        "worlds": (s, number),
        "world": (s, number, number, rng),
        "odds": (s, real),
        "evaluate": (s, real),
        "features": (s, real),
        "judge": (s, types.float32[::1], real),
        "order": (s, whole, number),
        "quiet": (s,),
        "endgame": (s, types.uint8[::1]),
        "side": (s, number),
        "likely": (s, number, whole, number, rng),
        "measure": (s, real),
        "encode": (view, number, types.float32[:]),
        "relative": (view, number, number),
    }


def refused(game: Game) -> dict[str, str]:
    """The rules of a game that do not compile, each with the reason."""
    binder, found = Binder(), {}
    kinds = argument_types(game)
    for stub in (*contract.REQUIRED, *contract.OPTIONAL):
        try:
            ptx(binder, game.rules.table[stub], kinds[stub.__name__])
        except Exception as error:
            found[stub.__name__] = reason(error)
    return found


def step_kernel(game: Game) -> str:
    """The text of a step of many games."""
    from numba import from_dtype, types

    real, whole, flat = types.float32, types.int64, types.Array
    seen = types.uint8 if encoding_of(game).bits else types.float32
    rows = [whole, types.boolean, types.int16, seen, real, real, types.float64, types.boolean, whole, whole, whole]
    across = ("legal", "meant", "observation", "rewards", "gains", "values")
    kinds = [
        flat(kind, 2, "F") if name in across else flat(kind, 1, "C")
        for name, kind in zip(GameBatch._fields, rows, strict=True)
    ]
    terms = types.NamedTuple([types.uint64, whole, whole], BatchConfig)
    blank = flat(from_dtype(game.rules.state), 1, "C")
    arguments = (whole, terms, types.NamedTuple(kinds, GameBatch), blank, flat(whole, 2, "C"), flat(whole, 1, "C"))
    return whole_kernel(vector_env.kernel(game), arguments)


def imagining_kernel(game: Game) -> str:
    """The text of what is done with imagined worlds."""
    from numba import types

    whole, words = types.int64[::1], types.int64[:, ::1]
    return whole_kernel(
        vector_env.imagining_kernel(game), (types.int64, words, whole, whole, whole, words, types.float64[::1])
    )


def match_kernel(game: Game, agents: Sequence[PolicyAgent]) -> str:
    """The text of a match between these agents."""
    from numba import from_dtype, types

    whole = types.int64
    seating = types.NamedTuple([types.uint64, whole, whole, types.boolean, whole, whole, whole], Seating)
    payoffs = types.float64[:, ::1]
    results = types.NamedTuple([payoffs, whole[::1], payoffs, whole[::1]], Results)
    blank = types.Array(from_dtype(game.rules.state), 1, "C")
    arguments = (seating, whole[::1], whole[::1], types.uint8[:, ::1], blank, results)
    return whole_kernel(match.kernel(game, agents), arguments)


def whole_kernel(kernel: Callable[..., None], arguments: tuple[Any, ...]) -> str:
    with imagined_card(), exact_sums():
        code, _ = cuda.compile(kernel, arguments, device=False, cc=ARCHITECTURE, abi="numba", output="ptx")
    return str(code)
