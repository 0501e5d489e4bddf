"""Every function says what it takes and gives, but the compiled ones: their types are the contract's.

mypy is strict about all that is annotated; this holds that all of it is, which mypy could only ask of whole modules.
"""

import ast
from pathlib import Path

import pytest

import hiddenhand

pytestmark = pytest.mark.fast

PACKAGE = Path(hiddenhand.__file__).parent
COMPILED = {
    "rule",
    "inlined",
    "generic",
    "policy",
    "instruction",
    "plainly",
    "generates",
    "jit",
    "intrinsic",
    "overload",
}
WITHOUT_BODIES = PACKAGE / "kernel" / "contract.py"  # the meaning of each rule: what a game compiles in its place


def unannotated(path):
    """The functions of a file that ought to be annotated and are not, with their lines."""
    missing = []

    def visit(node, inside_class):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                if not compiled(child):
                    if not annotated(child, inside_class):
                        missing.append(f"{path.relative_to(PACKAGE)}:{child.lineno} {child.name}")
                    visit(child, False)
            else:
                visit(child, isinstance(child, ast.ClassDef))

    visit(ast.parse(path.read_text(encoding="utf-8")), False)
    return missing


def compiled(function):
    return any(name_of(decorator) in COMPILED for decorator in function.decorator_list)


def name_of(decorator):
    if isinstance(decorator, ast.Call):
        return name_of(decorator.func)
    return decorator.attr if isinstance(decorator, ast.Attribute) else decorator.id


def annotated(function, inside_class):
    given = function.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    static = any(name_of(decorator) == "staticmethod" for decorator in function.decorator_list)
    if inside_class and not static:
        arguments = arguments[1:]
    return function.returns is not None and all(argument.annotation is not None for argument in arguments)


def test_functions_are_annotated():
    assert [
        line for path in sorted(PACKAGE.rglob("*.py")) if path != WITHOUT_BODIES for line in unannotated(path)
    ] == []
