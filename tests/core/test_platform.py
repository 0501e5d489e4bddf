"""The platform knows no game: what one game needs is declared by that game."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

import hiddenhand

SOURCES = Path(hiddenhand.__file__).parent
PLATFORM = ("kernel", "core", "search", "belief", "learning", "planning", "lab", "web", "cli", "gpu", "testing")
NAMES = re.compile(r"\b(hanabi|dominion|snaps|bigmoney|kingdom|leduc|kuhn|backgammon|battleship)\b")


def code_of(text):
    """The tokens of a module without its comments and docstrings."""
    spoken = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, node.end_lineno + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return " ".join(one.string for one in tokens if one.type != tokenize.COMMENT and one.start[0] not in spoken)


@pytest.mark.parametrize("package", PLATFORM)
def test_no_module_of_the_platform_names_a_game(package):
    modules = list((SOURCES / package).rglob("*.py"))
    assert modules
    named = {
        str(path): found for path in modules if (found := NAMES.findall(code_of(path.read_text(encoding="utf-8"))))
    }
    assert named == {}


def test_the_test_sees_a_name():
    assert NAMES.findall(code_of('"""On hanabi."""\nx = 1  # of snaps\n')) == []
    assert NAMES.findall(code_of('game("hanabi")  # of snaps\n')) == ["hanabi"]
