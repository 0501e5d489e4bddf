"""How wide a text is at most, without asking a font: pictures are drawn by many programs, each with fonts of its own.

The widths are those of DejaVu Sans, one of the widest common fonts, in parts of the size of the letters.
"""

NARROW, MIDDLE, WIDE = 0.42, 0.66, 1.0
THIN = frozenset("ijlI.,:;'|![]()/ tfr-·")
BROAD = frozenset("mwMW@%=∞≤≥→…")
BOLD = 1.12


def text_width(text: str, size: float, bold: bool = False) -> float:
    """In the units of `size`."""
    total = sum(NARROW if letter in THIN else WIDE if letter in BROAD else MIDDLE for letter in text)
    return total * size * (BOLD if bold else 1.0)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """The words of a text in lines that are no wider than `width`, if no word is."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
