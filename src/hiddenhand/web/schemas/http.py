"""Schemas of requests over HTTP, and checks of the names in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.record import Record
from hiddenhand.core.resolver import Resolver
from hiddenhand.web.schemas.base import IncomingModel
from hiddenhand.web.schemas.socket import AgentText, Ply, Token
from hiddenhand.web.uploads.kinds import Kind

MOST_NAME = 32
FILLERS = "\u115f\u1160\u3164\uffa0"
"""Characters that Unicode counts as letters, although nothing is seen of them."""
MOST_MARKS = 2
"""How many combining marks may follow one letter."""
GameName = Annotated[str, Field(pattern=r"^[^\x00-\x1f]{1,200}$")]
"""A name, or a file that the server's owner allows."""
Seed = Annotated[int, Field(ge=0, lt=2**64)]
LONGEST_OPTION = 4000
OptionName = Annotated[str, Field(max_length=100)]
OptionText = Annotated[str, Field(max_length=LONGEST_OPTION)]
Options = Annotated[dict[OptionName, OptionText | int | float | bool], Field(max_length=32)]
LONGEST_TEXT = 64 * 1024
OwnText = Annotated[str, Field(max_length=LONGEST_TEXT)]


class SeatBody(IncomingModel):
    """Who is to sit in one seat: whoever asks, a friend who gets a link, or an agent."""

    who: Literal["me", "open", "agent"]
    agent: AgentText | None = None
    name: Annotated[str, Field(max_length=200)] | None = None


SeatBodies = Annotated[list[SeatBody], Field(max_length=8)]
Delay = Annotated[float, Field(ge=0, le=10)]


class TableBody(IncomingModel):
    """A new table. Seats left out: me in the first, the champion in the others."""

    game: GameName
    options: Options = Field(default_factory=dict)
    seed: Seed | None = None
    open: bool = False
    seats: SeatBodies | None = None
    delay: Delay = 0.0
    """The fewest seconds that an agent takes for a move."""


class BranchBody(IncomingModel):
    """A new table that begins with the first plies of another one."""

    ply: Ply
    seats: SeatBodies | None = None
    open: bool = False
    delay: Delay = 0.0


class NextDealBody(IncomingModel):
    """Another deal for the same players; whoever asks must hold a seat."""

    token: Token | None = None


class StopBody(IncomingModel):
    """An experiment is to be stopped, by whoever has begun it."""

    token: Token | None = None


class StepSearchBody(IncomingModel):
    """A search to be shown step by step: in a game after some moves, or in a tree that the client writes."""

    agent: AgentText
    game: GameName = "tree"
    options: Options = Field(default_factory=dict)
    text: OwnText = ""
    """The text of the client's own tree, if there is one."""
    moves: Annotated[str, Field(max_length=LONGEST_OPTION)] = ""
    breadth: Annotated[int, Field(ge=0, le=64)] = 0
    order: Literal["legal", "game", "best", "worst", "random"] = "legal"
    boards: bool | None = None
    seed: Seed = 0


class CheckBody(IncomingModel):
    """A text that somebody writes."""

    kind: Kind
    text: OwnText


class UploadBody(IncomingModel):
    """A text that is to be kept; a world, a model or a tree becomes a game of this name."""

    kind: Kind
    text: OwnText
    name: Annotated[str, Field(pattern=r"^\w[\w -]{0,39}$")] = "mine"


def chosen_game(resolver: Resolver, name: str, options: Mapping[str, Any]) -> Game:
    """The game that a stranger names: what the resolver of this server may open."""
    require_short(name, options)
    return resolver.game(name, options)


def recorded_game(resolver: Resolver, record: Record) -> Game:
    """The game of a stranger's record, likewise."""
    require_short(record.game, record.options)
    return resolver.game_of_record(record)


def require_short(name: str, options: Mapping[str, Any]) -> None:
    for option, value in options.items():
        if isinstance(value, str) and len(value) > LONGEST_OPTION:
            raise UserError("option {option} of {name} is too long", option=option, name=name)


def clean_name(name: object) -> str:
    """A player's name: short, printable, with something to be seen, and no markup."""
    text = unicodedata.normalize("NFC", " ".join(str(name).split()))
    if not 1 <= len(text) <= MOST_NAME or not text.isprintable() or set(text) & set('<>&"`\\'):
        raise UserError('a name has 1 to {n} printable characters, and none of < > & " ` \\', n=MOST_NAME)
    if not any(unicodedata.category(letter)[0] in "LN" and letter not in FILLERS for letter in text):
        raise UserError("a name has at least one letter or digit that can be seen")
    marks = "".join("m" if unicodedata.category(letter) in ("Mn", "Me") else " " for letter in text)
    if max(map(len, marks.split()), default=0) > MOST_MARKS:
        raise UserError("in a name at most {n} marks stand above or below one letter", n=MOST_MARKS)
    return text
