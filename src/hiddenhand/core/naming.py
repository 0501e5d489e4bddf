"""Names for seats: games speak of players as `seat 2`; whoever shows a text to people puts the name in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

SEAT = re.compile(r"\b[Ss]eat (\d{1,2})\b")


def with_names(text: str, names: Sequence[str]) -> str:
    """A text in which every seat has its player's name."""
    return SEAT.sub(lambda found: names[int(found[1])] if int(found[1]) < len(names) else found[0], text)


def told_apart(names: Sequence[str]) -> list[str]:
    """The same names; those that several have are numbered."""
    seen: Counter[str] = Counter()
    several = {name for name, times in Counter(names).items() if times > 1}
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} {seen[name]}" if name in several else name)
    return found
