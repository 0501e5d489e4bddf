"""What the server sends: one model for each kind of message and answer. The page's types are made from these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from hiddenhand.search.stepwise.steps import SearchStep, Shape
from hiddenhand.web.schemas.base import AS_IT_IS, DRAWN, NAMES, SHOWN, Line, OutgoingModel, Words
from hiddenhand.web.uploads.kinds import Kind

# ---- a table, as everybody may know it


SeatKind = Literal["person", "open", "agent", "record"]


class SeatInfo(OutgoingModel):
    """Who sits in a seat."""

    seat: int
    name: Words
    kind: SeatKind
    connected: bool
    agent: str | None = None


class TableInfo(OutgoingModel):
    """A table."""

    table: str
    game: str
    title: Words
    options: dict[str, Any]
    seats: list[SeatInfo]
    plies: int
    over: bool
    open: bool
    recorded: bool
    created: float
    series: list[list[float]]
    """What each earlier deal of the same players paid, by their present seats."""


class InvitationInfo(OutgoingModel):
    """A seat that waits for somebody."""

    seat: int
    token: str
    link: str


class NewTableInfo(OutgoingModel):
    """A table that was made; `token` opens the seats of whoever made it."""

    table: str
    token: str = ""
    seats: list[SeatInfo] = []
    invite: list[InvitationInfo] = []


class RecordTableInfo(NewTableInfo):
    """A table that was made of a record."""

    plies: int
    over: bool


# ---- over the socket


class MoveInfo(OutgoingModel):
    """A legal move. Its objects are the names of the things in the picture that it is about."""

    action: int
    text: Words
    verb: str
    """What is done, the same in all languages."""
    verb_words: Words
    """What is done, in words."""
    words: Words
    """The move in words, where its text is a bare name or made for programs; else empty."""
    objects: list[str]


class EntryInfo(OutgoingModel):
    """A ply, as far as its reader was told of it."""

    ply: int
    seat: int
    text: Words
    news: list[Words]
    verb: str
    words: Words
    """The move in words, where its text is a bare name or made for programs; else empty."""
    objects: list[str]


class FrameMessage(OutgoingModel):
    """A moment of a game, as one viewer sees it."""

    type: Literal["frame"] = "frame"
    table: str
    ply: int
    seat: int | None
    """The seat whose knowledge is shown; None for somebody who only watches."""
    turn: int
    """The seat to move; -1 when the game is over, -2 where chance moves."""
    picture: Annotated[dict[str, Any] | None, AS_IT_IS, DRAWN]
    """What to draw; None where nothing may be seen."""
    words: Annotated[dict[str, str], AS_IT_IS, NAMES] = {}
    """What things of the picture are called, by their names there, where that is not the name itself."""
    actions: list[MoveInfo]
    """The legal moves, for the seat that is to move; empty for others."""
    over: bool
    payoffs: list[float] | None
    reason: Words = ""
    """Why the game ended as it did."""
    last: EntryInfo | None
    past: bool = False
    """Whether this answers a request to see the past, or what another seat sees."""
    open_text: Words = ""
    """The open table of the test bench, where it was asked for."""


class LogMessage(OutgoingModel):
    """The log from a ply on; it replaces everything that was sent from there on."""

    model_config = ConfigDict(serialize_by_alias=True)

    type: Literal["log"] = "log"
    table: str
    since: int = Field(serialization_alias="from")
    entries: list[EntryInfo]


class SeatsMessage(OutgoingModel):
    """Who sits where, and which seats are one's own."""

    type: Literal["seats"] = "seats"
    table: str
    seats: list[SeatInfo]
    mine: list[int]


class AlternativeInfo(OutgoingModel):
    """What an agent thinks of a move."""

    action: int
    text: Words
    value: float | None
    note: Words
    line: list[Words]
    chance: float | None = None


class BeliefInfo(OutgoingModel):
    what: Words
    probability: float


class DecisionInfo(OutgoingModel):
    """A move that an agent chose, with its reasons."""

    model_config = ConfigDict(extra="ignore")

    action: int
    text: Words
    value: float | None
    alternatives: list[AlternativeInfo]
    belief: list[BeliefInfo]
    reasons: list[Words]
    line: list[Words]
    counts: dict[str, float]


class DecisionMessage(OutgoingModel):
    """The answer to a question about a move."""

    type: Literal["decision"] = "decision"
    table: str
    ply: int
    agent: str
    asked: Literal["advice", "why"]
    decision: DecisionInfo
    drawn: bool
    """The move was drawn at random, as part of the opening."""


class TreeMessage(OutgoingModel):
    """The tree of a small search."""

    type: Literal["tree"] = "tree"
    table: str
    ply: int
    agent: str
    title: Words
    svg: str
    text: Words


class ChanceInfo(OutgoingModel):
    """How likely a hidden thing is something."""

    what: str
    """As the picture names it."""
    words: Words
    chance: float


class ThingInfo(OutgoingModel):
    """What a hidden thing of the picture may be, the likeliest first."""

    name: str
    chances: list[ChanceInfo]


class BeliefMessage(OutgoingModel):
    """What the hidden things may be: shares of the worlds that agree with everything a seat knows."""

    type: Literal["belief"] = "belief"
    table: str
    ply: int
    worlds: int
    things: list[ThingInfo]


class ThinkingMessage(OutgoingModel):
    """An agent has begun to think; `seat` is None for an adviser."""

    type: Literal["thinking"] = "thinking"
    table: str
    seat: int | None


class StatusMessage(OutgoingModel):
    """What is waited for, in words."""

    type: Literal["status"] = "status"
    table: str
    text: Words


class NextTableMessage(OutgoingModel):
    """The table at which the same play again."""

    type: Literal["next"] = "next"
    table: str
    next: str


class ErrorMessage(OutgoingModel):
    """What could not be done, and why."""

    type: Literal["error"] = "error"
    table: str | None = None
    text: Line
    again: bool = False
    """Whether the agent to move has given up and can be asked once more."""


class PongMessage(OutgoingModel):
    type: Literal["pong"] = "pong"


ServerMessage = Annotated[
    FrameMessage
    | LogMessage
    | SeatsMessage
    | DecisionMessage
    | TreeMessage
    | BeliefMessage
    | ThinkingMessage
    | StatusMessage
    | NextTableMessage
    | ErrorMessage
    | PongMessage,
    Field(discriminator="type"),
]


# ---- the catalogue


class SettingInfo(OutgoingModel):
    """An option of a game, or a parameter of an agent."""

    default: Any
    allowed: Words
    choices: list[Any] | None
    low: float | None
    high: float | None
    help: Words
    suggestions: list[str]
    several: list[str]
    """Names of which several may be given, separated by commas."""
    presets: dict[str, dict[str, Any]]
    """The values of other options for which each of its own stands."""


class AgentInfo(OutgoingModel):
    """Somebody who can play a game."""

    name: str
    summary: Words
    cheats: bool
    example: str
    parameters: dict[str, SettingInfo]


class OpponentInfo(OutgoingModel):
    """Somebody to play with, by a name that people understand."""

    name: Words
    agent: str
    about: Words


class GameInfo(OutgoingModel):
    """A game of the lobby."""

    name: str
    title: Words
    about: Words
    players: tuple[int, int]
    hidden: bool
    shares: bool
    """Whether the server can say how likely each hidden thing is what (`belief`)."""
    chance: bool
    utility: str
    options: dict[str, SettingInfo]
    agents: list[AgentInfo]
    champion: str
    usual: str
    """Whom people meet unless they choose somebody."""
    opponents: list[OpponentInfo]
    words: dict[str, dict[str, str]]
    """What a world of one's own calls things, by language: English words and what takes their place."""


class GuideInfo(OutgoingModel):
    """How to play a game, as Markdown."""

    text: str


# ---- what visitors bring


class FindingInfo(OutgoingModel):
    """Something questionable in a text, at a line and a column counted from 1."""

    line: int
    column: int
    severity: Literal["error", "warning"]
    message: Words


class FeatureInfo(OutgoingModel):
    """Something that a sound text describes: its players, its states, a variable with its values."""

    what: Words
    text: Words


class CheckInfo(OutgoingModel):
    """The result of checking a text: what is wrong with it, and what it describes."""

    findings: list[FindingInfo]
    features: list[FeatureInfo]


class UploadInfo(OutgoingModel):
    """A text that was kept, with all that is needed to make a table of it."""

    game: str
    title: Words
    options: dict[str, Any] = {}
    agent: str = ""
    """The agent that the text describes, if it describes one: it plays against the visitor."""


class ExampleInfo(OutgoingModel):
    """A text to begin with."""

    kind: Kind
    name: str
    text: str


class UploadsInfo(OutgoingModel):
    """What may be brought here, and texts to begin with."""

    kinds: list[Kind]
    examples: list[ExampleInfo]


# ---- reviews


class ReviewedMoveInfo(OutgoingModel):
    """One decision of a game, and what the reviewer says of it."""

    move: int
    """Its number, counted from 1, chance included."""
    seat: int
    played: Words
    best: Words
    value: float | None
    """Of the best move, for the seat that moved."""
    got: float | None
    """Of the move that was played."""
    loss: float | None
    mark: str
    line: list[Words]


class ReviewInfo(OutgoingModel):
    """A game gone through move by move, as far as the review is done."""

    reviewer: str
    stake: float
    done: int
    total: int
    moves: list[ReviewedMoveInfo]


class ErrorInfo(OutgoingModel):
    """Why a request over HTTP was refused."""

    error: Line


# ---- the teaching bench


class TreeInfo(OutgoingModel):
    """A node of a tree that can be changed, with all below it."""

    mover: str
    """max, min, chance, A, B, C or D; empty for a leaf."""
    label: str
    probability: float
    payoffs: list[float]
    estimate: list[float]
    noisy: bool
    children: list[TreeInfo]


class StepSearchInfo(OutgoingModel):
    """A search in steps, and the picture that they change."""

    title: Words
    result: Words
    nodes: Annotated[list[Shape], AS_IT_IS, SHOWN]
    steps: Annotated[list[SearchStep], AS_IT_IS, SHOWN]
    svg: str
    orders: dict[str, tuple[int, int]]
    """For alpha-beta: nodes visited and cut in every order of the moves."""
    tree: TreeInfo | None
    """The tree, where the game is one."""
