"""Curves as one SVG: lines with their 95 % intervals, axes, and a legend."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hiddenhand.core.svg import Point, document, element, line, points, text
from hiddenhand.lab.curves import Curve, CurvePoint, thinned

SIZE, PAD, ROW = (560.0, 280.0), 46.0, 18.0
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""Those that are told apart with any colour vision."""
STYLE = """
.chart text { font: 12px "DejaVu Sans", Verdana, sans-serif; fill: #1b1b1b; } .chart .paper { fill: white; }
.chart .end { text-anchor: end; } .chart .middle { text-anchor: middle; } .chart .grid { stroke: #ddd; }
"""
TICKS = 5


def line_chart(curves: Sequence[Curve]) -> str:
    """All curves in one picture; they count and measure the same. Empty where there is no point."""
    shown = [(curve.name, thinned(curve.points)) for curve in curves if curve.points]
    if not shown:
        return ""
    known = [point for _, dots in shown for point in dots]
    across = span([point.step for point in known])
    upwards = span([height for point in known for height in heights(point)])
    (width, height), first = SIZE, curves[0]

    def at(step: float, value: float) -> Point:
        return (
            PAD + (step - across[0]) / (across[1] - across[0]) * (width - 2 * PAD),
            height - PAD - (value - upwards[0]) / (upwards[1] - upwards[0]) * (height - 2 * PAD),
        )

    parts = [text(first.upwards, PAD, PAD / 2), text(first.across, width / 2, height - 8, "middle")]
    for value in ticks(*upwards):
        y = at(across[0], value)[1]
        parts += [line((PAD, y), (width - PAD, y), "grid"), text(f"{value:g}", PAD - 5, y + 4, "end")]
    parts += [text(f"{step:g}", at(step, 0.0)[0], height - PAD + 16, "middle") for step in ticks(*across)]
    for number, (name, dots) in enumerate(shown):
        colour = COLOURS[number % len(COLOURS)]
        band = [at(point.step, point.high) for point in dots if point.high is not None]
        band += [at(point.step, point.low) for point in reversed(dots) if point.low is not None]
        if band:
            parts.append(element("polygon", points=points(band), fill=colour, fill_opacity="0.15"))
        path = points(at(point.step, point.value) for point in dots)
        parts.append(element("polyline", points=path, fill="none", stroke=colour, stroke_width="2"))
        y = height + ROW * number
        parts += [line((PAD, y - 4), (PAD + 20, y - 4), stroke=colour, stroke_width="2"), text(name, PAD + 26, y)]
    return document(first.upwards, STYLE, (width, height + ROW * len(shown)), parts, "chart")


def heights(point: CurvePoint) -> list[float]:
    """The value of a point, and the ends of its interval."""
    return [height for height in (point.value, point.low, point.high) if height is not None]


def span(values: Sequence[float]) -> tuple[float, float]:
    """From the smallest to the largest value, and never nothing."""
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def ticks(low: float, high: float) -> list[float]:
    """A few round numbers from `low` to `high`."""
    rough = (high - low) / TICKS
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(each * unit for each in (1.0, 2.0, 5.0, 10.0) if each * unit >= rough)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
