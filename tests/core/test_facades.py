"""The public face: every name is there, keeps its meaning, and loads nothing that was not asked for."""

import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.fast

FACADES = [
    "hiddenhand",
    "hiddenhand.author",
    "hiddenhand.search",
    "hiddenhand.planning",
    "hiddenhand.learning",
    "hiddenhand.lab",
]
LAZY = [name for name in FACADES if name != "hiddenhand.author"]


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("package", FACADES)
def test_every_public_name_is_there_and_documented(package):
    module = import_module(package)
    assert module.__doc__
    assert module.__all__ == list(dict.fromkeys(module.__all__))
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        thing = getattr(module, name)
        assert isinstance(thing, int | Mapping) or thing.__doc__, f"{package}.{name} says nothing about itself"


@pytest.mark.parametrize("package", LAZY)
def test_a_facade_offers_what_it_imports_for_type_checkers(package):
    module = import_module(package)
    homes = vars(module)["_homes"]
    assert set(homes) == set(module.__all__)
    for name, place in homes.items():
        home, _, there = place.partition(":")
        assert getattr(module, name) is (getattr(import_module(home), there) if there else import_module(home))


@pytest.mark.parametrize("package", LAZY)
def test_no_module_hides_a_public_name(package):
    """In every order: the name first, the module of that name first, and again afterwards."""
    for name in [name for name in import_module(package).__all__ if find_spec(f"{package}.{name}") is not None]:
        ask = f"assert callable(module.{name}), module.{name}\n"
        load = f"importlib.import_module('{package}.{name}')\n"
        for order in (ask + load + ask, load + ask + load + ask, "from m import *\n" + load + ask):
            start = f"import importlib, {package} as module\nimport sys; sys.modules['m'] = module\n"
            done = run(start + order + f"from {package} import {name}; assert callable({name})")
            assert done.returncode == 0, done.stderr


def test_the_games_are_a_package_and_a_function():
    program = (
        "import hiddenhand as hh\n"
        "{0}assert 'kuhn' in hh.games()\n"
        "import hiddenhand.games.kuhn as kuhn\n"
        "assert kuhn is hh.games.kuhn and hh.game('kuhn').name == 'kuhn' and 'kuhn' in hh.games()\n"
    )
    for first in ("", "hh.game('kuhn')\n", "import hiddenhand.games\n", "from hiddenhand.games import leduc\n"):
        done = run(program.format(first))
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("package", LAZY)
def test_importing_loads_nothing_heavy(package):
    heavy = ("numba", "scipy", "matplotlib", "fastapi", "optuna", "sqlalchemy", "hiddenhand.web")
    done = run(f"import sys, {package}; print([name for name in {heavy!r} if name in sys.modules])")
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


@pytest.mark.parametrize("package", LAZY)
def test_public_names_of_the_release_before_are_found_with_a_warning(package):
    module = import_module(package)
    for old, new in vars(module)["_former"].items():
        assert old not in module.__all__
        with pytest.warns(DeprecationWarning, match=f"{old} is called {new} now"):
            assert getattr(module, old) is getattr(module, new)


def test_what_is_not_public_is_refused_as_python_does():
    import hiddenhand

    with pytest.raises(AttributeError, match="module 'hiddenhand' has no attribute 'gmae'"):
        hiddenhand.gmae  # noqa: B018


def test_python_dash_m(capsys):
    done = subprocess.run([sys.executable, "-m", "hiddenhand", "version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("hiddenhand ")
