"""Private names of Numba stand in one module; without them plain Numba compiles the rules, to the same results."""

import ast
from pathlib import Path

import pytest
from test_kernel import RNG, run

import hiddenhand
from hiddenhand.kernel import numba_compat

SOURCES = Path(hiddenhand.__file__).parent
PUBLIC = {"numba", "numba.cuda", "numba.extending", "numba.core.errors", "numba_cuda"}
PLAYED = """
import hiddenhand as hh
print(hh.match("kuhn", ["random"] * 2, games=50, seed=3).payoffs.tolist())
print(hh.match("tictactoe", ["alphabeta", "uct:simulations=20"], games=4, seed=3).payoffs.tolist())
print(hh.match("hanabi", ["simple_distrustful"] * 2, games=5, seed=3).payoffs.tolist())
"""
MODULES = "import sys; print('hiddenhand.kernel.plain_compiler' in sys.modules)\n"
WITHOUT = "import numba.core.codegen\ndel numba.core.codegen.JITCodeLibrary\n"


def private_imports(path):
    """The modules of Numba that are imported in a file and that Numba does not document."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            named = [node.module or ""]
        else:
            continue
        yield from (name for name in named if name.startswith("numba") and name not in PUBLIC)


def test_private_names_of_numba_stand_in_one_module():
    found = {str(path.relative_to(SOURCES)): [*private_imports(path)] for path in SOURCES.rglob("*.py")}
    assert [name for name, modules in found.items() if modules] == ["kernel/numba_compat.py"]


@pytest.mark.parametrize("prelude", [WITHOUT, ""], ids=["a name is missing", "asked for"])
def test_plain_numba_gives_the_same_results(prelude, tmp_path):
    asked = {} if prelude else {numba_compat.PLAIN: "1"}
    game = RNG if prelude else RNG + PLAYED
    plain = run(prelude + game + MODULES, PYTHONWARNINGS="ignore", HIDDENHAND_CACHE=str(tmp_path), **asked)
    assert plain.splitlines()[-1] == "True"
    assert [*tmp_path.rglob("*.nbc")], "nothing was kept, or in another place"
    assert run(game + MODULES).splitlines() == [*plain.splitlines()[:-1], "False"]


def test_whoever_compiles_plainly_is_told_why():
    code = (
        "import warnings; from hiddenhand.kernel import numba_compat\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always'); numba_compat.compiler()\n"
        "print(told[0].message)"
    )
    assert "JITCodeLibrary" in run(WITHOUT + code)
    assert numba_compat.PLAIN in run(code, **{numba_compat.PLAIN: "1"})


def test_a_version_that_was_never_tested_is_tried_with_a_small_rule(monkeypatch):
    assert numba_compat.fault_of_first_rule() == ""
    from hiddenhand.kernel import compiler

    def broken(*arguments):
        raise AttributeError("this name is gone")

    monkeypatch.setattr(compiler.RuleDispatcher, "build", broken)
    monkeypatch.setattr(compiler, "loaded", lambda key: None)
    monkeypatch.setattr(compiler, "ENTRIES", {})
    assert "this name is gone" in numba_compat.fault_of_first_rule()
