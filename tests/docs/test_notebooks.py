"""The notebooks of `examples/notebooks` run from the first cell to the last, without Jupyter."""

import json
from contextlib import chdir
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path, tmp_path):
    names = {"__name__": "__main__"}
    with chdir(tmp_path):
        for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
            assert cell.get("outputs", []) == [], "notebooks are kept without their outputs"
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)


def test_there_are_notebooks():
    assert NOTEBOOKS
