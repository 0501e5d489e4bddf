"""Beliefs as a picture (SVG): with two states a belief is a point of a line, with three a point of a triangle.

Three kinds of pictures: the beliefs of a grid, as the document of Svarog draws them; the policy as a map over a line,
with what every action is worth above it; and the policy as a map over a triangle.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
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
Point = tuple[float, float]


def grid_picture(states: int, granularity: int, basis: bool) -> str:
    """The beliefs that are stored for two or three states: the grid, or only the certainties."""
    if states not in (2, 3):
        raise UserError(Text("beliefs can be drawn over 2 or 3 states, not over {states}", states=states))
    if not 2 <= granularity <= 20:
        raise UserError(
            Text(
                "the granularity of a picture must be a whole number from 2 to 20, not {granularity}",
                granularity=granularity,
            )
        )
    beliefs = np.unique(np.round(stored_beliefs(states, granularity, basis), 12), axis=0)
    kind = "the certainties" if basis else f"the grid of granularity {granularity}"
    title = f"{len(beliefs)} beliefs over {states} states: {kind}"
    many = len(beliefs) > MOST_POINTS_NAMED
    where = on_square if states == 2 else on_triangle
    parts = square() if states == 2 else triangle([f"certainly state {i}" for i in (1, 2, 3)] if many else [])
    for belief in beliefs:
        x, y = where(belief)
        text = "(" + ", ".join(f"{p:.4g}" for p in belief) + ")"
        parts.append(f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="6"><title>{text}</title></circle>')
        if not many:
            parts.append(f'<text class="small" x="{x + 10.0:.1f}" y="{y - 3.0:.1f}">{text}</text>')
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

    parts = [f'<path class="axis" d="M{left:.1f},{top:.1f} V{bottom:.1f} H{right:.1f}"/>']
    for value in (low, (low + high) / 2.0, high):
        y = at(0.0, value)[1]
        parts.append(
            f'<text class="small end" x="{left - 6.0:.1f}" y="{y + 4.0:.1f}">{amount(round(value, 2))}</text>'
        )
    shares = policy.beliefs[:, 1]
    for place, values in policy.values.items():
        inside = values >= low
        points = " ".join("{:.1f},{:.1f}".format(*at(p, v)) for p, v in zip(shares[inside], values[inside]))
        parts.append(f'<polyline class="curve" stroke="{colour(policy, place)}" points="{points}"/>')
    for interval in policy.intervals:
        x, end = at(interval.low, low)[0], at(interval.high, low)[0]
        parts.append(
            f'<rect x="{x:.1f}" y="{band:.1f}" width="{max(0.5, end - x):.1f}" height="26" '
            f'fill="{colour(policy, interval.action)}"/>'
        )
        if interval.high < 1.0:
            parts.append(f'<line class="cut" x1="{end:.1f}" y1="{top:.1f}" x2="{end:.1f}" y2="{band + 26.0:.1f}"/>')
            parts.append(
                f'<text class="small middle" x="{end:.1f}" y="{band + 40.0:.1f}">{100.0 * interval.high:.4g} %</text>'
            )
    parts.append(f'<text class="small" x="{left:.1f}" y="{bottom + 18.0:.1f}">{escape(policy.states[0])}</text>')
    parts.append(f'<text class="small end" x="{right:.1f}" y="{bottom + 18.0:.1f}">{escape(policy.states[1])}</text>')
    return drawing(policy.title, [*parts, *legend(policy, band + 66.0)])


def square() -> list[str]:
    """The two axes, and the line of all beliefs over two states."""
    (x0, y0), (x1, y1) = on_square((0.0, 0.0)), on_square((1.0, 1.0))
    parts = [
        f'<path class="axis" d="M{x0:.1f},{y1:.1f} V{y0:.1f} H{x1:.1f}"/>',
        '<path class="axis" d="M{:.1f},{:.1f} L{:.1f},{:.1f}"/>'.format(
            *on_square((1.0, 0.0)), *on_square((0.0, 1.0))
        ),
        f'<text class="small middle" x="{(x0 + x1) / 2.0:.1f}" y="{y0 + 36.0:.1f}">probability of state 1</text>',
        f'<text class="small" x="{x0 - 30.0:.1f}" y="{y1 - 14.0:.1f}">probability of state 2</text>',
    ]
    for tick in (0.0, 0.5, 1.0):
        x, y = on_square((tick, tick))
        parts.append(f'<text class="small middle" x="{x:.1f}" y="{y0 + 18.0:.1f}">{tick:g}</text>')
        parts.append(f'<text class="small end" x="{x0 - 8.0:.1f}" y="{y + 4.0:.1f}">{tick:g}</text>')
    return parts


def on_square(belief: Sequence[float] | Floats) -> Point:
    side = HEIGHT - 2.0 * MARGIN
    return MARGIN + 30.0 + side * float(belief[0]), HEIGHT - MARGIN - side * float(belief[1])


# --- three states ---


def triangle_map(policy: PolicyMap) -> str:
    """A small hexagon for every belief, in the colour of the advised action."""
    radius = 1.03 / policy.fineness  # a little more than what fills the triangle, so that no paper shows between them
    outline = " ".join("{:.1f},{:.1f}".format(*on_triangle(corner)) for corner in np.eye(3))
    parts = [f'<clipPath id="inside"><polygon points="{outline}"/></clipPath>', '<g clip-path="url(#inside)">']
    for belief, action in zip(policy.beliefs, policy.actions):
        corners = [
            belief + radius * (corner - 1.0 / 3.0) for corner in np.concatenate((np.eye(3), 2 / 3 - np.eye(3)))
        ]
        path = " ".join("{:.1f},{:.1f}".format(*on_triangle(corners[i])) for i in (0, 5, 1, 3, 2, 4))
        parts.append(f'<polygon points="{path}" fill="{colour(policy, int(action))}"/>')
    return drawing(policy.title, [*parts, "</g>", *triangle(policy.states), *legend(policy, 50.0)])


def triangle(names: Sequence[str]) -> list[str]:
    """The outline, with what is certain at its corners."""
    corners = [on_triangle(row) for row in np.eye(3)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    parts = [f'<polygon class="axis" points="{path}"/>']
    for place, ((x, y), name) in enumerate(zip(corners, names)):
        kind = ("", "end", "middle")[place]
        lines = name.split("; ")
        top = y - 6.0 - LINE * len(lines) if place == 2 else y + 8.0
        for row, line in enumerate(lines, 1):
            at = f'x="{x:.1f}" y="{top + LINE * row:.1f}"'
            parts.append(f'<text class="small {kind}" {at}>{escape(line)}</text>')
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
        parts.append(f'<rect x="12" y="{at - 10.0:.1f}" width="12" height="12" fill="{colour(policy, action)}"/>')
        parts.append(f'<text x="30" y="{at:.1f}">{escape(policy.names[action])}</text>')
    return parts


def drawing(title: str, parts: list[str]) -> str:
    width = max(WIDTH, 7.6 * len(title) + 24.0)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {HEIGHT:.0f}" width="{width:.0f}" '
            f'height="{HEIGHT:.0f}" role="img" aria-label="{escape(title)}">',
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width:.0f}" height="{HEIGHT:.0f}"/>',
            f'<text class="title" x="12" y="22">{escape(title)}</text>',
            *parts,
            "</svg>",
        ]
    )
