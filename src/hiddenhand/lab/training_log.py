"""Where the curves of a training go: a CSV file beside its output and, while it learns and if that is wanted,
TensorBoard (`--log tensorboard:FOLDER`) or Weights & Biases (`--log wandb:PROJECT`)."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.lab.curves import Curve, CurvePoint

Log = Callable[[str, float, float], None]
"""log(curve, step, value)"""


def write_curves(curves: Sequence[Curve], path: Path) -> None:
    """A CSV file with a row for each point."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["curve", *CurvePoint._fields])
        rows.writerows([str(curve.name), *point] for curve in curves for point in curve.points)


def to_tensorboard(folder: str, plan: Mapping[str, Any]) -> Log:
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(folder)

    def log(curve: str, step: float, value: float) -> None:
        writer.add_scalar(curve, value, int(step))
        writer.flush()

    return log


def to_wandb(project: str, plan: Mapping[str, Any]) -> Log:
    import wandb

    run = wandb.init(project=project, config=dict(plan))

    def log(curve: str, step: float, value: float) -> None:
        run.log({curve: value, "step": step})

    return log


LOGS: Mapping[str, Callable[[str, Mapping[str, Any]], Log]] = {"tensorboard": to_tensorboard, "wandb": to_wandb}


def new_log(text: str, plan: Mapping[str, Any]) -> Log:
    """What `--log` names; a UserError if there is no such log, or if it is not installed."""
    name, _, where = text.partition(":")
    if name not in LOGS or not where:
        raise UserError("--log takes tensorboard:FOLDER or wandb:PROJECT, not {text}", text=repr(text))
    try:
        return LOGS[name](where, plan)
    except ModuleNotFoundError:
        raise UserError("--log {name} needs more: pip install {name}", name=name) from None
