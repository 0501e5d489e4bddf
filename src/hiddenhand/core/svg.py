"""Pictures as SVG: its elements as text, the document around them, and how wide a text is without asking a font.

Pictures are drawn by many programs, each with fonts of its own. The widths of letters are those of DejaVu Sans, one
of the widest common fonts, in parts of the size of the letters.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

NARROW, MIDDLE, WIDE = 0.42, 0.66, 1.0
THIN = frozenset("ijlI.,:;'|![]()/ tfr-·")
BROAD = frozenset("mwMW@%=∞≤≥→…")
BOLD = 1.12

Point = tuple[float, float]


def element(name: str, *inside: str, kind: str = "", **attributes: str | float | None) -> str:
    """One element with what is inside; `kind` is its class. In the name of an attribute an underscore stands for a
    hyphen; one that is None is left out. A float is written with one digit behind the point."""
    given = {"class": kind or None, **attributes}
    written = "".join(
        f' {key.replace("_", "-")}="{f"{value:.1f}" if isinstance(value, float) else escape(str(value))}"'
        for key, value in given.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def text(words: str, x: float, y: float, kind: str = "") -> str:
    """A line of text."""
    return element("text", escape(words), kind=kind, x=x, y=y)


def rect(x: float, y: float, width: float, height: float, kind: str = "", **attributes: str | float | None) -> str:
    return element("rect", kind=kind, x=x, y=y, width=width, height=height, **attributes)


def line(start: Point, end: Point, kind: str = "", **attributes: str | float | None) -> str:
    return element("line", kind=kind, x1=start[0], y1=start[1], x2=end[0], y2=end[1], **attributes)


def circle(x: float, y: float, r: float, *inside: str, kind: str = "") -> str:
    return element("circle", *inside, kind=kind, cx=x, cy=y, r=r)


def points(places: Iterable[Point]) -> str:
    """Places as a polygon or a polyline wants them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def path(*steps: str | Point, kind: str = "") -> str:
    """A path: letters, and the places that they lead to."""
    return element(
        "path", kind=kind, d=" ".join(s if isinstance(s, str) else f"{s[0]:.1f},{s[1]:.1f}" for s in steps)
    )


def document(name: str, style: str, size: Point, inside: Iterable[str], kind: str = "", paper: str = "paper") -> str:
    """The whole picture on white paper; `name` is what it is called for somebody who cannot see it, `size` its width
    and height, `kind` its class, and `paper` the class of the paper."""
    width, height = (f"{side:.0f}" for side in size)
    return (
        element(
            "svg",
            f"\n<style>{style}</style>\n",
            element("rect", kind=paper, width=width, height=height),
            *(f"\n{part}" for part in inside),
            "\n",
            xmlns="http://www.w3.org/2000/svg",
            kind=kind,
            viewBox=f"0 0 {width} {height}",
            width=width,
            height=height,
            role="img",
            aria_label=name,
        )
        + "\n"
    )


def text_width(words: str, size: float, bold: bool = False) -> float:
    """In the units of `size`."""
    total = sum(NARROW if letter in THIN else WIDE if letter in BROAD else MIDDLE for letter in words)
    return total * size * (BOLD if bold else 1.0)


def wrapped(words: str, size: float, width: float) -> list[str]:
    """The words of a text in lines that are no wider than `width`, if no word is."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
