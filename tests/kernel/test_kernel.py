"""The compiled floor: random numbers, records, the cache, and array bounds."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.kernel import (
    assign,
    below,
    derive,
    digest,
    draw,
    new_records,
    pick,
    record_type,
    shuffle,
    stream,
    uniform,
)
from hiddenhand.kernel.compiling import source_hash


def chi_square(counts, expected):
    return float(((np.asarray(counts) - expected) ** 2 / expected).sum())


def test_splitmix_gives_the_published_numbers():
    rng = stream(1234567)
    assert [int(draw(rng)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_below_is_uniform():
    rng, counts = stream(3), np.zeros(7)
    for _ in range(70_000):
        counts[below(rng, 7)] += 1
    assert chi_square(counts, 10_000) < 38.3  # 6 degrees of freedom, once in a million


def test_shuffle_is_uniform():
    rng, seen = stream(4), {}
    for _ in range(24_000):
        cards = np.arange(4)
        shuffle(rng, cards, 4)
        seen[tuple(cards.tolist())] = seen.get(tuple(cards.tolist()), 0) + 1
    assert len(seen) == 24
    assert chi_square(list(seen.values()), 1000) < 71.4  # 23 degrees of freedom, once in a million


def test_pick_follows_the_weights():
    rng, weights, counts = stream(5), np.array([1.0, 0.0, 2.0, 5.0]), np.zeros(4)
    for _ in range(40_000):
        counts[pick(rng, weights, 4)] += 1
    assert counts[1] == 0
    assert chi_square(counts[[0, 2, 3]], np.array([5000, 10_000, 25_000])) < 27.7


def test_uniform_stays_below_one():
    rng = stream(6)
    numbers = [uniform(rng) for _ in range(10_000)]
    assert min(numbers) >= 0.0
    assert max(numbers) < 1.0
    assert abs(np.mean(numbers) - 0.5) < 0.015


def test_split_seeds_do_not_meet():
    seeds = {derive(seed, key) for seed in range(200) for key in range(200)}
    assert len(seeds) == 40_000


def test_records_are_whole_words_and_fingerprints_differ():
    kind = record_type([("a", "i1"), ("b", "f8"), ("c", "i2", (3,))])
    assert kind.itemsize % 8 == 0
    first, second = new_records(kind, 2)
    first.a, first.c[1] = 3, -7
    assert digest(first, 0) != digest(second, 0)
    assign(second, first)
    assert digest(first, 0) == digest(second, 0)
    assert digest(first, 0) != digest(first, 1)


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


RNG = """
import numpy as np
from hiddenhand.kernel import *
rng = stream(9)
cards = np.arange(9)
shuffle(rng, cards, 9)
weights = np.array([1.0, 2.0, 3.0])
r = new_records(record_type([("a", "i8", (3,)), ("b", "f8")]), 1)[0]
r.a[1], r.b = 5, 2.5
print(int(draw(rng)), [int(below(rng, 5)) for _ in range(9)], cards.tolist(), float(uniform(rng)))
print(int(pick(rng, weights, 3)), derive(7, 8), int(game_seed(np.uint64(5), 6)), int(digest(r, 3)))
"""


def test_random_numbers_are_the_same_without_compilation():
    assert run(RNG) == run(RNG, NUMBA_DISABLE_JIT="1")


def test_importing_hiddenhand_loads_nothing_heavy():
    names = ("numba", "numpy", "typer", "rich", "sqlalchemy")
    heavy = run(f"import hiddenhand, sys; print([name for name in {names} if name in sys.modules])")
    assert heavy.strip() == "[]"


def test_the_cache_is_keyed_by_the_sources(tmp_path, monkeypatch):
    from hiddenhand.kernel import compiling

    (tmp_path / "games").mkdir()
    (tmp_path / "cli").mkdir()
    (tmp_path / "games" / "a.py").write_text("x = 1")
    monkeypatch.setattr(compiling, "PACKAGE", tmp_path)
    first = source_hash()
    (tmp_path / "cli" / "b.py").write_text("y = 1")
    assert source_hash() == first
    (tmp_path / "games" / "a.py").write_text("x = 2")
    assert source_hash() != first


@pytest.mark.slow
def test_the_second_start_compiles_nothing(tmp_path):
    code = """
import hiddenhand as hh
hh.match("connect_four", ["random", "random"], games=3)
hh.match("tictactoe", ["alphabeta", "uct:simulations=10"], games=2)
hh.match("kuhn", ["ismcts:simulations=10", "pimc:worlds=2"], games=2)
"""
    run(code, HIDDENHAND_CACHE=str(tmp_path))
    kept = {path: path.stat().st_mtime_ns for path in Path(tmp_path).rglob("*.nb[ci]")}
    assert len(kept) > 20
    run(code, HIDDENHAND_CACHE=str(tmp_path))
    assert {path: path.stat().st_mtime_ns for path in Path(tmp_path).rglob("*.nb[ci]")} == kept


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect_four", "kuhn"])
def test_checking_indices_changes_nothing(name):
    """Tests run with every index checked, people without: both play the same games."""
    code = f"import hiddenhand as hh; print(hh.match({name!r}, ['random'] * 2, games=20, seed=3).payoffs.tolist())"
    here = hh.match(name, ["random"] * 2, games=20, seed=3)
    assert run(code, NUMBA_BOUNDSCHECK="0").strip() == str(here.payoffs.tolist())
