"""Where the curves of a training go: a file beside the output, and the logs of others if they are installed."""

import csv
import sys
from types import SimpleNamespace

import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import text_of_game
from hiddenhand.lab.training import train
from hiddenhand.learning.network import read_network

SMALL = {"width": 8, "layers": 1, "trial_games": 20}


def test_every_point_of_the_curves_is_written_and_told_once(tmp_path, monkeypatch):
    told, started = [], []

    def init(project, config):
        started.append((project, config["learner"]))
        return SimpleNamespace(log=told.append)

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init))
    output = tmp_path / "net.safetensors"
    result = train("kuhn", "dmc", games=10_000, seed=3, settings=SMALL, output=output, log="wandb:mine")
    points = [(str(curve.name), *point[:2]) for curve in result.progress_curves() for point in curve.points]
    assert len(points) == 20
    with open(tmp_path / "net.csv") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["curve", "step", "value", "low", "high"]
    assert [(name, float(step), float(value)) for name, step, value, *_ in rows[1:]] == points
    assert started == [("mine", "dmc")]
    assert sorted((*each, each["step"], each[next(iter(each))]) for each in told) == sorted(
        (name, "step", step, value) for name, step, value in points
    )
    about = read_network(output)[1]
    assert about["mean"] == result.mean
    assert about["exploitability"] == result.exploitability[-1]
    again = about["command"].split()
    assert again[:4] == ["hiddenhand", "train", text_of_game(hh.game("kuhn")), "dmc"]
    assert "--games 10000" in about["command"]
    assert "--set width=8" in about["command"]


def test_refusals(monkeypatch):
    for log, message in (("tensorbord:x", "--log takes"), ("wandb", "--log takes"), ("wandb:x", "pip install wandb")):
        monkeypatch.setitem(sys.modules, "wandb", None)
        with pytest.raises(UserError, match=message):
            train("kuhn", "dmc", games=1000, settings=SMALL, log=log)
