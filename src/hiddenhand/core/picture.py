"""Picture: what a screen draws of a game, as named data. A screen knows no rule and reads no text: it draws this.

`picture(view, seat)` of a game gives a dict. A block in it, made by the functions below, is drawn by the screen that
every game has; a game with a screen of its own gives whatever that screen needs. The things of a picture (a cell, a
card, a place) have names, and a move says with its `objects` which of them it is about: pressing a thing plays it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from typing_extensions import TypedDict

from hiddenhand.core.text import Text

Picture = dict[str, Any]


class Cell(TypedDict):
    """One cell of a board."""

    name: str
    """What moves call it; cells that are pressed for the same move share it."""
    words: str
    """How it is read aloud."""
    mark: str
    """A shape that screens know (cross, nought, disc, stone, king, ship, hit, miss, sunk), or a few letters."""
    owner: int | None
    """The seat whose mark it is."""
    line: bool
    """Whether it belongs to the line, or whatever it is, that has won."""


class Board(TypedDict):
    """Rows of cells, the uppermost first."""

    kind: Literal["board"]
    title: str
    look: Literal["paper", "table", "sea", "rack", "chequered"]
    """How it is drawn; on a chequered board the cells without names are the light ones."""
    columns: int
    column_names: list[str]
    row_names: list[str]
    cells: list[Cell]


class Card(TypedDict):
    """A card, or its back."""

    name: str
    words: str
    face: str
    suit: str
    red: bool
    back: bool


class Cards(TypedDict):
    """Cards that lie together."""

    kind: Literal["cards"]
    title: str
    owner: int | None
    cards: list[Card]


class ChanceBar(TypedDict):
    """How likely something is."""

    what: str
    chance: float


class Chances(TypedDict):
    """A belief: bars."""

    kind: Literal["chances"]
    title: str
    chances: list[ChanceBar]


class Mark(TypedDict):
    """Somebody, or something, who may be in a place."""

    sign: str
    """A shape that screens know, or a sign of a few letters."""
    words: str
    chance: float


class Place(TypedDict):
    """A place of a map; (0, 0) is its top left corner, (1, 1) the bottom right one."""

    name: str
    words: str
    x: float
    y: float
    shade: float
    """From 0 to 1: how dark it is drawn."""
    marks: list[Mark]


class Places(TypedDict):
    """A map of named places and the roads between them."""

    kind: Literal["places"]
    title: str
    places: list[Place]
    roads: list[tuple[str, str]]


class Amount(TypedDict):
    """Something that is counted or has a value."""

    what: str
    amount: str
    owner: int | None


class Amounts(TypedDict):
    """A list of them."""

    kind: Literal["amounts"]
    title: str
    amounts: list[Amount]


class TreeNode(TypedDict):
    """A node of a tree; those nearer to the root come first."""

    name: str
    parent: int
    """Its number in the list; -1 for the root."""
    label: str
    """What is written on the way to it."""
    value: str
    mover: int
    """A seat; -1 at the end, -2 where chance moves."""
    here: bool
    passed: bool


class MoveTree(TypedDict):
    """A tree of moves."""

    kind: Literal["tree"]
    title: str
    nodes: list[TreeNode]


class PlainText(TypedDict):
    """Lines of text, drawn as they are."""

    kind: Literal["text"]
    text: str


class Note(TypedDict):
    """A sentence."""

    kind: Literal["note"]
    text: str


Block = Board | Cards | Chances | Places | Amounts | MoveTree | PlainText | Note


def board_cell(name: str, mark: str = "", owner: int | None = None, words: str = "", line: bool = False) -> Cell:
    """A cell of a board: what moves call it, its mark and whose that is; without words, it is read aloud by these."""
    said = words or f"{name}, {mark or 'empty'}"
    return {"name": name, "words": said, "mark": mark, "owner": owner, "line": line}


def board(
    cells: Iterable[Cell],
    columns: int,
    title: str = "board",
    look: Literal["paper", "table", "sea", "rack", "chequered"] = "paper",
    column_names: Sequence[str] = (),
    row_names: Sequence[str] = (),
) -> Board:
    """A board of cells, row by row from the top, so many in a row."""
    return {
        "kind": "board",
        "title": title,
        "look": look,
        "columns": columns,
        "column_names": list(column_names),
        "row_names": list(row_names),
        "cells": list(cells),
    }


def shown_card(face: str, name: str = "", suit: str = "", red: bool = False, words: str = "") -> Card:
    """A card that is seen: its face, its suit, and the name by which moves are about it."""
    return {"name": name, "words": words or face + suit, "face": face, "suit": suit, "red": red, "back": False}


A_HIDDEN_CARD = Text("a hidden card")


def hidden_card(name: str = "", words: str = A_HIDDEN_CARD) -> Card:
    """The back of a card."""
    return {"name": name, "words": words, "face": "", "suit": "", "red": False, "back": True}


def cards(title: str, held: Iterable[Card], owner: int | None = None) -> Cards:
    """Cards that lie together, such as a hand and whose it is."""
    return {"kind": "cards", "title": title, "owner": owner, "cards": list(held)}


def chances(title: str, likely: Mapping[str, float], most: int = 12) -> Chances:
    """How likely each of some things is: bars, the likeliest first, in the order given where they are equal."""
    order = sorted(likely.items(), key=lambda pair: -pair[1])[:most]
    return {"kind": "chances", "title": title, "chances": [{"what": what, "chance": float(c)} for what, c in order]}


def map_mark(sign: str, words: str, chance: float = 1.0) -> Mark:
    """Something that is in a place of a map, perhaps only with some chance."""
    return {"sign": sign, "words": words, "chance": float(chance)}


def map_place(name: str, at: tuple[float, float], marks: Iterable[Mark] = (), shade: float = 0.0) -> Place:
    """A place of a map; `at` is (across, down), each from 0 to 1. The larger `shade`, the darker it is drawn."""
    found = list(marks)
    said = "".join(f", {each['words']}" for each in found)
    return {"name": name, "words": name + said, "x": at[0], "y": at[1], "shade": float(shade), "marks": found}


def places(title: str, known: Iterable[Place], roads: Iterable[tuple[str, str]] = ()) -> Places:
    """A map: its places, and the roads between two of them, by their names."""
    return {"kind": "places", "title": title, "places": list(known), "roads": list(roads)}


def amounts(title: str, counted: Mapping[str, Any], owners: Mapping[str, int] | None = None) -> Amounts:
    """What is counted or has a value, by name; `owners` says whose each is."""
    owner_of = owners or {}
    return {
        "kind": "amounts",
        "title": title,
        "amounts": [
            {"what": what, "amount": amount_text(amount), "owner": owner_of.get(what)}
            for what, amount in counted.items()
        ],
    }  # fmt: skip


def amount_text(amount: object) -> str:
    """An amount as it is shown."""
    if isinstance(amount, str):
        return amount
    return f"{amount:g}" if isinstance(amount, float) else str(amount)


def tree(title: str, nodes: Iterable[TreeNode]) -> MoveTree:
    """A tree of moves, those nodes first that are nearer to the root."""
    return {"kind": "tree", "title": title, "nodes": list(nodes)}


def plain_text(lines: str) -> PlainText:
    """Lines of text, drawn as they are."""
    return {"kind": "text", "text": lines}


def note(sentence: str) -> Note:
    """A sentence."""
    return {"kind": "note", "text": sentence}
