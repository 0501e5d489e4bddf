"""Figures: the few kinds of pictures that the laboratory draws, all in one style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")  # readable with any colour vision


def new_figure(width: float, height: float) -> Any:
    """A figure without a window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def draw_curve(
    values: Sequence[float], path: Path, title: str, across: str, upwards: str, apart: float = 1.0
) -> None:
    """One line of values in order, so far apart from left to right."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    axes.plot(apart * np.arange(1, len(values) + 1), values, color=COLOURS[0])
    axes.set(title=title, xlabel=across, ylabel=upwards)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def draw_lines(lines: Mapping[str, Sequence[float]], path: Path, title: str, across: str, upwards: str) -> None:
    """Several lines over 1, 2, 3, ..., each with its name."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    for i, (name, values) in enumerate(lines.items()):
        axes.plot(np.arange(1, len(values) + 1), values, "o-", color=COLOURS[i % len(COLOURS)], label=name)
    axes.set(title=title, xlabel=across, ylabel=upwards)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=110)


def draw_runs(
    curves: Sequence[Sequence[float]], path: Path, title: str, upwards: str, mark: float | None = None, says: str = ""
) -> None:
    """One line for each run of an evolution, shares by generation, and a thick one for the median of several.

    Perhaps also a level to compare them with.
    """
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    for i, curve in enumerate(curves):
        style = "-" if i < len(COLOURS) else "--"
        axes.plot(np.arange(1, len(curve) + 1), curve, style, color=COLOURS[i % len(COLOURS)], linewidth=1.2)
    if len(curves) > 2:
        axes.plot(*median_run(curves), color="#222222", linewidth=2.6)
    if mark is not None:
        axes.axhline(mark, color="#666666", linestyle=":", label=f"{says}: {mark:.2f}")
        figure.legend(loc="outside lower right", frameon=False)
    axes.set(title=title, xlabel="generation", ylabel=upwards, ylim=(0.0, 1.0))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def draw_medians(named: Mapping[str, Sequence[Sequence[float]]], path: Path, title: str, upwards: str) -> None:
    """The median of the runs of several evolutions, by their names."""
    figure = new_figure(8, 5)
    axes = figure.add_subplot()
    for i, (name, curves) in enumerate(named.items()):
        style = ("-", "--", ":")[i // len(COLOURS) % 3]
        axes.plot(*median_run(curves), style, color=COLOURS[i % len(COLOURS)], linewidth=1.4, label=name)
    axes.set(title=title, xlabel="generation", ylabel=upwards, ylim=(0.0, 1.0))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)
    if named:
        figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    figure.savefig(path, dpi=110)


def median_run(curves: Sequence[Sequence[float]]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Generations, and the median of the runs in each of them, as far as all have come."""
    length = min(map(len, curves), default=0)
    return np.arange(1, length + 1), np.median([curve[:length] for curve in curves], axis=0)


def draw_histograms(
    columns: Mapping[str, Sequence[float] | np.ndarray[Any, Any]], path: Path, title: str, across: str, highest: int
) -> None:
    """How often each whole number from 0 to `highest` occurs, one panel per column, mean and sd above it."""
    figure = new_figure(3.4 * len(columns), 3.2)
    figure.suptitle(title)
    shared = None
    for i, (name, values) in enumerate(columns.items()):
        axes = figure.add_subplot(1, len(columns), i + 1, sharey=shared)
        shared = shared or axes
        numbers = np.asarray(values)
        shares = np.bincount(numbers.astype(np.int64), minlength=highest + 1) / max(1, len(numbers))
        axes.bar(np.arange(highest + 1), 100 * shares, color=COLOURS[i % len(COLOURS)], width=0.9)
        axes.set_title(f"{name}\nmean {numbers.mean():.2f}, sd {numbers.std(ddof=1):.2f}", fontsize=9)
        axes.set_xlabel(across)
        if i == 0:
            axes.set_ylabel("% of games")
    figure.savefig(path, dpi=110)


def draw_calibration(panels: Mapping[str, Mapping[str, Sequence[tuple[float, float, float]]]], path: Path) -> None:
    """Chances that were given beside how often it was so, one panel per game.

    By the name of a belief, its groups: the mean chance, how often it was so, and the group's share of all.
    """
    across = min(4, len(panels))
    down = -(-len(panels) // across)
    figure = new_figure(2.7 * across, 2.8 * down)
    for i, (title, beliefs) in enumerate(panels.items()):
        axes = figure.add_subplot(down, across, i + 1)
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8)
        for j, (name, groups) in enumerate(beliefs.items()):
            given, often, share = zip(*groups, strict=True)
            sizes = 12.0 + 120.0 * np.sqrt(share)
            axes.scatter(given, often, sizes, color=COLOURS[j], alpha=0.75, label=name, linewidths=0)
        axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
        axes.set_title(title, fontsize=9)
        axes.set_aspect("equal")
        axes.grid(alpha=0.3)
        if i == 0:
            axes.legend(fontsize=7, loc="upper left")
            axes.set(xlabel="chance that was given", ylabel="how often it was so")
    figure.savefig(path, dpi=110)


def draw_grid(
    rows: Mapping[float, Sequence[float]], columns: Sequence[float], path: Path, title: str, names: tuple[str, str]
) -> None:
    """Numbers in a grid, darker where they are higher; names: of the rows and of the columns."""
    figure = new_figure(1.5 + 0.62 * len(columns), 1.5 + 0.45 * len(rows))
    axes = figure.add_subplot()
    values = np.array(list(rows.values()))
    axes.imshow(values, cmap="Blues", aspect="auto")
    middle = (values.min() + values.max()) / 2
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            colour = "white" if value > middle else "black"
            axes.text(j, i, f"{value:.1f}", ha="center", va="center", fontsize=8, color=colour)
    axes.set_xticks(range(len(columns)), [f"{column:g}" for column in columns])
    axes.set_yticks(range(len(rows)), [f"{row:g}" for row in rows])
    axes.set(title=title, ylabel=names[0], xlabel=names[1])
    figure.savefig(path, dpi=110)


def draw_gaussian_process(path: Path) -> None:
    """A Gaussian process after five observations: its mean, its doubt, and some functions that it believes in."""

    def kernel(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = np.exp(-((left[:, None] - right[None, :]) ** 2) / 2.0)
        return found

    seen = np.array([-4.0, -2.5, -0.5, 1.0, 3.5])
    heard = np.sin(seen)
    across = np.linspace(-5.0, 5.0, 200)
    weights = np.linalg.solve(kernel(seen, seen) + 1e-6 * np.eye(len(seen)), kernel(seen, across)).T
    mean = weights @ heard
    covariance = kernel(across, across) - weights @ kernel(seen, across)
    doubt = np.sqrt(np.clip(np.diag(covariance), 0.0, None))
    draws = np.random.default_rng(1).multivariate_normal(mean, covariance + 1e-8 * np.eye(len(across)), size=4)
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    axes.fill_between(across, mean - 2 * doubt, mean + 2 * doubt, color="#cccccc", label="two standard deviations")
    for draw in draws:
        axes.plot(across, draw, color=COLOURS[4], linewidth=0.8)
    axes.plot(across, mean, color=COLOURS[5], label="mean")
    axes.plot(seen, heard, "+", color=COLOURS[2], markersize=12, markeredgewidth=2, label="observations")
    axes.legend()
    figure.savefig(path, dpi=110)
