"""The recipes for other libraries learn something: each beats random play, where its library is installed."""

import runpy
import warnings
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "examples" / "recipes"


@pytest.mark.parametrize(
    ("recipe", "library", "arguments"),
    [
        ("maskable_ppo", "sb3_contrib", {"steps": 2048, "games": 300}),
        ("jax_policy_gradient", "jax", {"rounds": 45}),
        ("cleanrl_style", "torch", {"rounds": 15, "games": 64}),
        ("torchrl_ppo", "torchrl", {"rounds": 8, "moves": 256}),
    ],
)
def test_a_recipe_beats_random_play(recipe, library, arguments):
    pytest.importorskip(library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of other libraries
        main = runpy.run_path(str(RECIPES / f"{recipe}.py"))["main"]
        assert main(**arguments) > 0.25  # random play in seat 0 has 0.125 in Kuhn poker, -0.078 in Leduc
