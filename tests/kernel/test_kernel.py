"""The compiled floor: random numbers, records, the cache, and array bounds."""

import os
import subprocess
import sys

import numpy as np

from hiddenhand.kernel import (
    assign,
    below,
    derive,
    digest,
    draw,
    new_records,
    pick,
    record_type,
    rule,
    shuffle,
    stream,
    uniform,
)
from hiddenhand.kernel.fingerprint import fingerprint
from hiddenhand.kernel.rule import ALWAYS_PLAIN, Mode, Rule, set_mode


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


def function_from(text, **known):
    names = {"rule": rule, "np": np, **known}
    exec(text, names)
    return names["f"]


def test_a_fingerprint_follows_what_the_code_depends_on():
    text = "@rule\ndef f(x):\n    return g(x) + LIMIT + len(TABLE)\n"

    def made(inner="x * 2", limit=3, table=(1, 2), documentation="", outer=text):
        g = function_from(f"@rule\ndef f(x):\n    {documentation!r}\n    return {inner}\n")
        return fingerprint(function_from(outer, g=g, LIMIT=limit, TABLE=np.array(table)))

    first = made()
    assert made() == first
    assert made(documentation="said more clearly") == first
    assert made(outer="# moved to another line\n\n" + text) == first
    changed = [made(inner="x * 3"), made(limit=4), made(table=(1, 3)), made(outer=text.replace("+ len", "- len"))]
    assert len({first, *changed}) == 5


def test_an_edited_rule_is_compiled_anew_and_the_old_one_is_not_used(tmp_path):
    inner, outer = "@rule\ndef g(x):\n    return x + {n}\n", "@rule\ndef f(x):\n    return g(x)\n"
    code = f"from hiddenhand.kernel import rule\n{inner}{outer}"
    for n in (1, 2, 1):
        (tmp_path / "edited.py").write_text(code.format(n=n))
        said = run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import edited; print(edited.f(10))")
        assert said.strip() == str(10 + n)


def test_patient_rules_change_over_when_compiled_code_comes(tmp_path):
    code = """
import sys
from hiddenhand.kernel.rule import Mode, recheck_cache, rule, set_mode
seen = []
@rule
def f(x): return x * 3 + 1
@f.plainly
def plain(x): seen.append(x); return x * 3 + 1
set_mode(Mode.PLAIN_UNTIL_COMPILED)
assert f(5) == 16 and seen == [5] and "numba" not in sys.modules
recheck_cache()
assert f(6) == 19 and seen == [5, 6]
set_mode(Mode.COMPILE)
assert f(7) == 22 and seen == [5, 6]
set_mode(Mode.PLAIN_UNTIL_COMPILED)
recheck_cache()
assert f(8) == 25 and seen == [5, 6]
assert f(0.5) == 2.5 and seen == [5, 6, 0.5]
"""
    run(code, HIDDENHAND_CACHE=str(tmp_path))


def test_the_second_start_compiles_nothing():
    code = """
import hiddenhand as hh
from hiddenhand.kernel.compiler import Part, disk
hh.match("connect_four", ["random", "random"], games=3)
hh.match("tictactoe", ["alphabeta", "uct:simulations=10"], games=2)
hh.match("kuhn", ["ismcts:simulations=10", "pimc:worlds=2"], games=2)
print(Part.compiled, disk().written)
"""
    run(code)
    assert run(code).split() == ["0", "0"]


def test_checking_indices_changes_nothing():
    """Tests run with every index checked and little optimised, people the other way: both play the same games."""
    code = "import hiddenhand as hh\n" + "\n".join(
        f"print(hh.match({name!r}, ['random'] * 2, games=20, seed=3).payoffs.tolist())"
        for name in ("connect_four", "kuhn")
    )
    assert run(code, NUMBA_BOUNDSCHECK="0", NUMBA_OPT="3", NUMBA_LOOP_VECTORIZE="1") == run(code)


def test_an_entry_of_its_own_has_what_its_wrapper_needs(tmp_path):
    """A rule that gives arrays back, first as a part of another entry, then called by itself; in three processes."""
    code = """
import numpy as np
from hiddenhand.kernel import rule
@rule
def inner(n): return np.arange(n), np.zeros(n)
@rule
def outer(n): return inner(n)[0].sum()
assert outer(5) == 10
first, second = inner(4)
assert first.tolist() == [0, 1, 2, 3] and second.dtype == np.float64
"""
    for _ in range(3):
        run(code, HIDDENHAND_CACHE=str(tmp_path))


def test_every_mode_is_left_again():
    before = Rule.mode
    try:
        for mode in (Mode.PLAIN, Mode.PLAIN_UNTIL_COMPILED, Mode.COMPILE):
            set_mode(mode)
            assert Rule.mode is (Mode.PLAIN if ALWAYS_PLAIN else mode)
    finally:
        set_mode(before)
