"""A class name means one thing: no two modules of the package define classes of the same name."""

import ast
from collections import defaultdict
from pathlib import Path

import hiddenhand

SOURCES = Path(hiddenhand.__file__).parent


def test_no_class_name_stands_for_two_things():
    homes = defaultdict(set)
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(str(path.relative_to(SOURCES)))
    assert len(homes) > 400
    assert {name: sorted(found) for name, found in homes.items() if len(found) > 1} == {}
