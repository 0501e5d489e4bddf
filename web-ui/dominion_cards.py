"""Writes the cards of Dominion for the page; its output is kept in `src/tables/dominion_cards.json`."""

import json

from hiddenhand.games.dominion.cards import TABLE
from hiddenhand.games.dominion.screen import meaning


def text_of(name: str) -> str:
    """What a card does, without its name, kind and cost."""
    return meaning(name).partition(": ")[2]


def cards() -> str:
    """One card a line."""
    lines = [
        json.dumps({"name": c.name, "cost": c.cost, "kind": c.kind, "points": c.points, "text": text_of(c.name)})
        for c in TABLE
    ]
    return "[\n  " + ",\n  ".join(lines) + "\n]\n"


if __name__ == "__main__":
    print(cards(), end="")
