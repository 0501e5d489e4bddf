"""What a page may say over its socket, checked strictly: one class for each kind of message."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from hiddenhand.core.errors import UserError
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
        raise UserError(f"this message cannot be read: {in_words(error)}") from None


def in_words(error: ValidationError) -> str:
    """What is wrong first, in one line, without repeating what was sent."""
    return one_line(error.errors(include_url=False, include_input=False)[0])


WRONG = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "json_invalid": "is no JSON",
    "model_type": "must be an object of named fields",
    "union_tag_not_found": "has no type",
    "union_tag_invalid": "has a type that is not known here",
    "literal_error": "must be one of {expected}",
    "string_too_long": "may have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} characters",
    "string_pattern_mismatch": "is not written as it should be",
    "too_long": "has too many entries: at most {max_length}",
    "too_short": "has too few entries: at least {min_length}",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
}
"""What is wrong with a field, by Pydantic's name for it."""
KINDS = {"int": "a whole number", "float": "a number", "string": "text", "bool": "yes or no", "list": "a list",
         "dict": "an object of named fields"}  # fmt: skip


def one_line(first: Any) -> str:
    """A mistake in what was sent, in plain words."""
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    kind = str(first["type"])
    said = WRONG.get(kind)
    if said is None:
        known = KINDS.get(kind.partition("_")[0])
        said = f"must be {known}" if known else "cannot be understood"
    try:
        text = said.format_map(first.get("ctx", {}))
    except KeyError:  # whoever passed it on has left out what the limit is
        text = "is not within its limits"
    return f"{where} {text}" if where else f"it {text}"
