"""The rules for a graphics card, without having one: they compile, and what cannot be done is said."""

import os

import numpy as np
import pytest

import hiddenhand as hh


def has_compiler():
    """Whether numba-cuda is there and the library that it compiles with."""
    try:
        import numba_cuda  # noqa: F401
        from cuda.pathfinder import load_nvidia_dynamic_lib

        load_nvidia_dynamic_lib("nvvm")
    except (ImportError, RuntimeError):
        return False
    return True


pytestmark = pytest.mark.skipif(
    not os.environ.get("CI") and not has_compiler(), reason="numba-cuda and nvidia-nvvm are not installed"
)


@pytest.mark.parametrize("name", ["leduc", "connect_four", "tiger"])
def test_every_rule_compiles_for_a_card(name):
    from hiddenhand.gpu.ptx import refused

    assert refused(hh.game(name)) == {}


def test_a_step_and_a_match_compile_for_a_card_as_a_whole():
    from hiddenhand.gpu.ptx import imagining_kernel, match_kernel, step_kernel

    game = hh.game("kuhn")
    assert ".visible .entry" in step_kernel(game)
    assert ".visible .entry" in imagining_kernel(game)
    assert ".visible .entry" in match_kernel(game, [hh.agent(game, "random")] * 2)


def test_what_does_not_compile_is_told_with_the_reason():
    from numba.core.errors import TypingError

    from hiddenhand.gpu.binding import Binder
    from hiddenhand.gpu.cuda import cuda, reason
    from hiddenhand.gpu.ptx import ptx
    from hiddenhand.kernel import rule

    @rule
    def unbounded(out):
        made = np.zeros(len(out))
        out[0] = made[0]

    with pytest.raises(TypingError) as error:
        ptx(Binder(), unbounded, (cuda.types.float64[::1],))
    assert "the shape of an array made by zeros is not constant" in reason(error.value)


def test_without_a_card_one_line_says_so():
    from hiddenhand.gpu.cuda import cuda

    if cuda.is_available():
        pytest.skip("there is a card here")
    with pytest.raises(hh.UserError, match="needs an NVIDIA graphics card"):
        hh.VectorEnv("kuhn", 4, device="cuda")
    with pytest.raises(hh.UserError, match="needs an NVIDIA graphics card"):
        hh.match("kuhn", ["random", "random"], device="cuda")
    with pytest.raises(hh.UserError, match="is no compiled policy"):
        hh.match("kuhn", ["random", "pimc"], device="cuda")
    with pytest.raises(hh.UserError, match="leave them out with device cuda"):
        hh.match("kuhn", ["random", "random"], device="cuda", workers=2)
