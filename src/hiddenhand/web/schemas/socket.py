"""What a page may say over its socket, checked strictly: one class for each kind of message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.web.schemas.base import IncomingModel

TableId = Annotated[str, Field(pattern=r"^[a-z0-9]{4,32}$")]
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
Ply = Annotated[int, Field(ge=0, le=10**6)]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
LONGEST_AGENT = 4000
AgentText = Annotated[str, Field(min_length=1, max_length=LONGEST_AGENT)]


class JoinRequest(IncomingModel):
    type: Literal["join"]
    table: TableId
    token: Token | None = None


class PlayRequest(IncomingModel):
    type: Literal["play"]
    table: TableId
    ply: Ply
    action: Annotated[int, Field(ge=0, lt=2**62)]


class LookRequest(IncomingModel):
    type: Literal["look"]
    table: TableId
    ply: Ply
    seat: SeatNumber | None = None
    open: bool = False
    """With the open table of the test bench as text."""


class AdviceRequest(IncomingModel):
    type: Literal["advice"]
    table: TableId
    agent: AgentText | None = None


class WhyRequest(IncomingModel):
    type: Literal["why"]
    table: TableId
    ply: Ply
    agent: AgentText | None = None


class TreeRequest(IncomingModel):
    type: Literal["tree"]
    table: TableId
    ply: Ply
    agent: AgentText | None = None


class BeliefRequest(IncomingModel):
    """What may be hidden here? Asked by whoever may see the moment."""

    type: Literal["belief"]
    table: TableId
    ply: Ply
    seat: SeatNumber | None = None


class PressRequest(IncomingModel):
    """Somebody presses a thing of the picture that no move is about now: why not?"""

    type: Literal["press"]
    table: TableId
    thing: Annotated[str, Field(min_length=1, max_length=100)]


class WriteRequest(IncomingModel):
    """A move as somebody writes it."""

    type: Literal["write"]
    table: TableId
    ply: Ply
    text: Annotated[str, Field(min_length=1, max_length=200)]


class UndoRequest(IncomingModel):
    type: Literal["undo"]
    table: TableId


class RenameRequest(IncomingModel):
    type: Literal["name"]
    table: TableId
    name: str


class LeaveRequest(IncomingModel):
    type: Literal["leave"]
    table: TableId


class RetryRequest(IncomingModel):
    """The agent to move, which has given up, is asked once more."""

    type: Literal["again"]
    table: TableId


class PingRequest(IncomingModel):
    type: Literal["ping"]


SocketRequest = (
    JoinRequest
    | PlayRequest
    | LookRequest
    | AdviceRequest
    | WhyRequest
    | TreeRequest
    | BeliefRequest
    | PressRequest
    | WriteRequest
    | UndoRequest
    | RenameRequest
    | LeaveRequest
    | RetryRequest
    | PingRequest
)
ADAPTER: TypeAdapter[SocketRequest] = TypeAdapter(Annotated[SocketRequest, Field(discriminator="type")])


def read_message(text: str) -> SocketRequest:
    """The message that a text is, or a clear error."""
    try:
        return ADAPTER.validate_json(text)
    except ValidationError as error:
        raise UserError("this message cannot be read: {why}", why=in_words(error)) from None


def in_words(error: ValidationError) -> Text:
    """What is wrong first, in one line, without repeating what was sent."""
    return one_line(error.errors(include_url=False, include_input=False)[0])


WRONG: dict[str, Callable[..., Text]] = {
    "missing": lambda it, **_: Text("{it} is missing", it=it),
    "extra_forbidden": lambda it, **_: Text("{it} is not known here", it=it),
    "json_invalid": lambda it, **_: Text("{it} is no JSON", it=it),
    "model_type": lambda it, **_: Text("{it} must be an object of named fields", it=it),
    "union_tag_not_found": lambda it, **_: Text("{it} has no type", it=it),
    "union_tag_invalid": lambda it, **_: Text("{it} has a type that is not known here", it=it),
    "literal_error": lambda it, expected, **_: Text("{it} must be one of {expected}", it=it, expected=expected),
    "string_too_long": lambda it, max_length, **_: Text("{it} may have at most {n} characters", it=it, n=max_length),
    "string_too_short": lambda it, min_length, **_: Text(
        "{it} must have at least {n} characters", it=it, n=min_length
    ),
    "string_pattern_mismatch": lambda it, **_: Text("{it} is not written as it should be", it=it),
    "too_long": lambda it, max_length, **_: Text("{it} has too many entries: at most {n}", it=it, n=max_length),
    "too_short": lambda it, min_length, **_: Text("{it} has too few entries: at least {n}", it=it, n=min_length),
    "greater_than_equal": lambda it, ge, **_: Text("{it} must be at least {n}", it=it, n=ge),
    "greater_than": lambda it, gt, **_: Text("{it} must be more than {n}", it=it, n=gt),
    "less_than_equal": lambda it, le, **_: Text("{it} must be at most {n}", it=it, n=le),
    "less_than": lambda it, lt, **_: Text("{it} must be less than {n}", it=it, n=lt),
}
"""What is wrong with a field, by Pydantic's name for it."""
KINDS = {
    "int": Text("a whole number"),
    "float": Text("a number"),
    "string": Text("text"),
    "bool": Text("yes or no"),
    "list": Text("a list"),
    "dict": Text("an object of named fields"),
}


def one_line(first: Any) -> Text:
    """A mistake in what was sent, in plain words."""
    it = ".".join(str(part) for part in first["loc"] if part != "body") or Text("it")
    kind = str(first["type"])
    if kind in WRONG:
        try:
            return WRONG[kind](it, **first.get("ctx", {}))
        except TypeError:  # whoever passed it on has left out what the limit is
            return Text("{it} is not within its limits", it=it)
    known = KINDS.get(kind.partition("_")[0])
    return Text("{it} must be {kind}", it=it, kind=known) if known else Text("{it} cannot be understood", it=it)
