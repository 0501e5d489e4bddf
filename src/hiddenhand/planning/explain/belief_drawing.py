"""Beliefs as a picture (SVG): with two states a belief is a point of a line, with three a point of a triangle.

Three kinds of pictures: the beliefs of a grid, as the document of Svarog draws them; the policy as a map over a line,
with what every action is worth above it; and the policy as a map over a triangle.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.svg import Point, circle, document, element, line, path, points, rect, text
from hiddenhand.planning.explain.policy_map import PolicyMap
from hiddenhand.planning.explain.question import amount
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.planners.knowledge import stored_beliefs

WIDTH, HEIGHT, MARGIN = 640.0, 520.0, 70.0
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#999933", "#777777")
STYLE = """
  text { font: 12px sans-serif; fill: #1b1b1b; } .title { font-size: 14px; font-weight: bold; }
  .small { font-size: 11px; fill: #444; } .middle { text-anchor: middle; } .end { text-anchor: end; }
  .axis { stroke: #333; stroke-width: 1.5; fill: none; } .paper { fill: white; }
  .point { fill: #4477aa; stroke: white; } .curve { fill: none; stroke-width: 2; }
  .cut { stroke: #888; stroke-dasharray: 4 3; }
"""
MOST_POINTS_NAMED = 16
LINE = 14.0


def grid_picture(states: int, granularity: int, basis: bool) -> str:
    """The beliefs that are stored for two or three states: the grid, or only the certainties."""
    if states not in (2, 3):
        raise UserError("beliefs can be drawn over 2 or 3 states, not over {states}", states=states)
    if not 2 <= granularity <= 20:
        raise UserError(
            "the granularity of a picture must be a whole number from 2 to 20, not {granularity}",
            granularity=granularity,
        )
    beliefs = np.unique(np.round(stored_beliefs(states, granularity, basis), 12), axis=0)
    kind = "the certainties" if basis else f"the grid of granularity {granularity}"
    title = f"{len(beliefs)} beliefs over {states} states: {kind}"
    many = len(beliefs) > MOST_POINTS_NAMED
    where = on_square if states == 2 else on_triangle
    parts = square() if states == 2 else triangle([f"certainly state {i}" for i in (1, 2, 3)] if many else [])
    for belief in beliefs:
        x, y = where(belief)
        name = "(" + ", ".join(f"{p:.4g}" for p in belief) + ")"
        parts.append(circle(x, y, 6, element("title", name), kind="point"))
        if not many:
            parts.append(text(name, x + 10.0, y - 3.0, "small"))
    return drawing(title, parts)


def map_picture(policy: PolicyMap) -> str:
    """What the planner does at every belief over two or three states."""
    return line_map(policy) if len(policy.states) == 2 else triangle_map(policy)


# --- two states ---


def line_map(policy: PolicyMap) -> str:
    """Above, what each action is worth; below, which one is advised."""
    low, high = float(np.nanmin(policy.best) - 0.0), float(np.nanmax(policy.best))
    room = max(high - low, 1e-9)
    low -= 0.35 * room
    high += 0.05 * room
    left, right, top, bottom = MARGIN, WIDTH - 20.0, 40.0, HEIGHT - 150.0
    band = bottom + 34.0

    def at(share: float, value: float) -> Point:
        return left + share * (right - left), bottom - (value - low) / (high - low) * (bottom - top)

    parts = [axes((left, bottom), (right, top))]
    for value in (low, (low + high) / 2.0, high):
        parts.append(text(amount(round(value, 2)), left - 6.0, at(0.0, value)[1] + 4.0, "small end"))
    shares = policy.beliefs[:, 1]
    for place, values in policy.values.items():
        inside = values >= low
        curve = points(at(p, v) for p, v in zip(shares[inside], values[inside]))
        parts.append(element("polyline", kind="curve", stroke=colour(policy, place), points=curve))
    for interval in policy.intervals:
        x, end = at(interval.low, low)[0], at(interval.high, low)[0]
        parts.append(rect(x, band, max(0.5, end - x), 26, fill=colour(policy, interval.action)))
        if interval.high < 1.0:
            parts.append(line((end, top), (end, band + 26.0), "cut"))
            parts.append(text(f"{100.0 * interval.high:.4g} %", end, band + 40.0, "small middle"))
    parts.append(text(policy.states[0], left, bottom + 18.0, "small"))
    parts.append(text(policy.states[1], right, bottom + 18.0, "small end"))
    return drawing(policy.title, [*parts, *legend(policy, band + 66.0)])


def axes(origin: Point, corner: Point) -> str:
    """Two axes: upwards and to the right."""
    return path("M", (origin[0], corner[1]), f"V{origin[1]:.1f} H{corner[0]:.1f}", kind="axis")


def square() -> list[str]:
    """The two axes, and the line of all beliefs over two states."""
    (x0, y0), (x1, y1) = on_square((0.0, 0.0)), on_square((1.0, 1.0))
    parts = [
        axes((x0, y0), (x1, y1)),
        path("M", on_square((1.0, 0.0)), "L", on_square((0.0, 1.0)), kind="axis"),
        text("probability of state 1", (x0 + x1) / 2.0, y0 + 36.0, "small middle"),
        text("probability of state 2", x0 - 30.0, y1 - 14.0, "small"),
    ]
    for tick in (0.0, 0.5, 1.0):
        x, y = on_square((tick, tick))
        parts += [text(f"{tick:g}", x, y0 + 18.0, "small middle"), text(f"{tick:g}", x0 - 8.0, y + 4.0, "small end")]
    return parts


def on_square(belief: Sequence[float] | Floats) -> Point:
    side = HEIGHT - 2.0 * MARGIN
    return MARGIN + 30.0 + side * float(belief[0]), HEIGHT - MARGIN - side * float(belief[1])


# --- three states ---


def triangle_map(policy: PolicyMap) -> str:
    """A small hexagon for every belief, in the colour of the advised action."""
    radius = 1.03 / policy.fineness  # a little more than what fills the triangle, so that no paper shows between them
    outline = points(on_triangle(corner) for corner in np.eye(3))
    hexagons = []
    for belief, action in zip(policy.beliefs, policy.actions):
        corners = [
            belief + radius * (corner - 1.0 / 3.0) for corner in np.concatenate((np.eye(3), 2 / 3 - np.eye(3)))
        ]
        hexagon = points(on_triangle(corners[i]) for i in (0, 5, 1, 3, 2, 4))
        hexagons.append(element("polygon", points=hexagon, fill=colour(policy, int(action))))
    clip = element("clipPath", element("polygon", points=outline), id="inside")
    inside = element("g", *hexagons, clip_path="url(#inside)")
    return drawing(policy.title, [clip, inside, *triangle(policy.states), *legend(policy, 50.0)])


def triangle(names: Sequence[str]) -> list[str]:
    """The outline, with what is certain at its corners."""
    corners = [on_triangle(row) for row in np.eye(3)]
    parts = [element("polygon", kind="axis", points=points(corners))]
    for place, ((x, y), name) in enumerate(zip(corners, names)):
        kind = ("", "end", "middle")[place]
        lines = name.split("; ")
        top = y - 6.0 - LINE * len(lines) if place == 2 else y + 8.0
        parts += [text(words, x, top + LINE * row, f"small {kind}") for row, words in enumerate(lines, 1)]
    return parts


def on_triangle(belief: Sequence[float] | Floats) -> Point:
    """The first state at the left, the second at the right, the third on top."""
    side = WIDTH - 2.0 * MARGIN
    up = side * np.sqrt(3.0) / 2.0 * 0.84  # a little flatter, so that the title has room
    x = MARGIN + side * (float(belief[1]) + float(belief[2]) / 2.0)
    return x, HEIGHT - 60.0 - up * float(belief[2])


# --- the frame ---


def colour(policy: PolicyMap, action: int) -> str:
    return COLOURS[policy.named.index(action) % len(COLOURS)]


def legend(policy: PolicyMap, y: float) -> list[str]:
    """The advised actions; with two states, where each has a curve, all of them."""
    parts = []
    advised = set(policy.actions.tolist())
    for row, action in enumerate(a for a in policy.named if a in advised or len(policy.states) == 2):
        at = y + 18.0 * row
        parts.append(rect(12, at - 10.0, 12, 12, fill=colour(policy, action)))
        parts.append(text(policy.names[action], 30, at))
    return parts


def drawing(title: str, parts: list[str]) -> str:
    width = max(WIDTH, 7.6 * len(title) + 24.0)
    return document(title, STYLE, (width, HEIGHT), [text(title, 12, 22, "title"), *parts])
