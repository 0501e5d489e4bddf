"""Stored beliefs, read quickly: the regular blocks `on belief (...) {...}` of a file of precalculated knowledge.

The grammar recognises such a block as a whole, so its form is known to be right; here it is taken apart. The same
states and actions return thousands of times and are kept once, with the place where they first stood: an unknown name
among them is thus reported where a reader of the file meets it first.
"""

from __future__ import annotations

import re

from hiddenhand.planning.language.syntax import Assignment, BeliefCase, Place, Query, StoredBelief

ENTRY = re.compile(r"(\{[^{}]*\})\s*:\s*([^\s;]+)\s*;")
ASSIGNMENT = re.compile(r"(\w+)\s*=>\s*(\w+)")


class StoredBeliefs:
    """Reads the stored beliefs of one file."""

    def __init__(self) -> None:
        self.queries: dict[str, Query] = {}

    def read(self, text: str, place: Place) -> StoredBelief:
        """The block that starts at this place. Its last entry is the action, the others are states."""
        entries = list(ENTRY.finditer(text))
        cases = []
        for entry in entries[:-1]:
            query = self.query(entry[1], text, entry.start(), place)
            cases.append(BeliefCase(query, float(entry[2]), moved(place, text, entry.start())))
        last = entries[-1]
        return StoredBelief(tuple(cases), self.query(last[1], text, last.start(), place), float(last[2]), place)

    def query(self, written: str, text: str, start: int, place: Place) -> Query:
        known = self.queries.get(written)
        if known is None:
            assignments = tuple(
                Assignment(m[1], m[2], moved(place, text, start + m.start(1)), moved(place, text, start + m.start(2)))
                for m in ASSIGNMENT.finditer(written)
            )
            known = self.queries[written] = Query(assignments, moved(place, text, start))
        return known


def moved(place: Place, text: str, offset: int) -> Place:
    """The place `offset` characters after the start of the text, which itself stands at `place`."""
    lines = text.count("\n", 0, offset)
    if not lines:
        return Place(place.line, place.column + offset)
    return Place(place.line + lines, offset - text.rfind("\n", 0, offset))
