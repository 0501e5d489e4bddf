"""What the laboratory's routes send, as models: the page's types are made from them, and so are the files on disk."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from hiddenhand.web.schemas.base import IncomingModel, OutgoingModel, Words
from hiddenhand.web.schemas.http import GameName, Options, Seed
from hiddenhand.web.schemas.socket import AgentText

Interval = tuple[float | None, float | None]
Kind = Literal["match", "tournament", "train", "tune", "evolve", "precalculate"]
State = Literal["waiting", "running", "done", "failed", "stopped"]


class LabModel(OutgoingModel):
    """Exactly these fields are sent; what else a result has stays here."""

    model_config = ConfigDict(extra="ignore")


# ---- results


class SpreadInfo(LabModel):
    mean: float | None
    sd: float | None


class SeatResult(LabModel):
    seat: int | None
    agent: str
    mean: float | None
    sd: float | None
    ci95: Interval
    wins: int
    ties: int
    losses: int


class MatchReport(LabModel):
    """What `hiddenhand match --json` prints."""

    game: str
    version: int
    options: dict[str, Any]
    games: int
    seed: int
    seating: str
    opening: int
    seconds: float
    games_per_second: float
    seats: list[SeatResult]
    moves: SpreadInfo
    metrics: dict[str, SpreadInfo]


class CrossCell(LabModel):
    games: int
    mean: float
    sd: float | None
    ci95: Interval


class TournamentAgent(LabModel):
    agent: str
    games: int = 0
    mean: float | None = None
    sd: float | None = None
    ci95: Interval | None = None
    rating: float | None = None
    rating95: Interval | None = None


class TournamentReport(LabModel):
    """What `hiddenhand tournament --json` prints, without its single matches."""

    game: str
    version: int
    options: dict[str, Any]
    games: int
    seed: int
    played: int
    seconds: float
    agents: list[TournamentAgent]
    cross: list[list[CrossCell | None]]


class TrainingReport(LabModel):
    game: str
    learner: str
    players: int
    games: int
    seconds: float
    opponent: str
    mean: float
    sd: float
    ci95: Interval
    output: str
    remarks: list[Words]


class TuningReport(LabModel):
    game: str
    options: dict[str, Any]
    agent: str
    evaluations: int
    games: int
    seconds: float
    before: float
    after: float
    sd: float
    text: str
    output: str


class OpponentTest(LabModel):
    opponent: str
    games: int
    wins: float
    ci95: Interval
    sole_wins: float
    sole_ci95: Interval


class EvolutionReport(LabModel):
    game: str
    options: dict[str, Any]
    model: str
    opponent: str
    seed: int
    generations: int
    seconds: float
    genome: str
    wins: float
    ci95: Interval
    tests: list[OpponentTest]
    command: str
    output: str


class PrecalculationReport(LabModel):
    world: str
    depth: int
    granularity: int
    visible_states: int
    too_complex: int
    beliefs: int
    seconds: float
    output: str
    bytes: int


REPORTS: dict[str, type[LabModel]] = {
    "match": MatchReport,
    "tournament": TournamentReport,
    "train": TrainingReport,
    "tune": TuningReport,
    "evolve": EvolutionReport,
    "precalculate": PrecalculationReport,
}
Report = MatchReport | TournamentReport | TrainingReport | TuningReport | EvolutionReport | PrecalculationReport


class HistogramInfo(LabModel):
    """How often each payoff came, for each agent: single values, or bars between edges."""

    agents: list[str]
    values: list[float] | None = None
    edges: list[float] | None = None
    counts: list[list[int]]
    best: list[float]
    """The highest payoff of each agent."""


class CurveInfo(LabModel):
    """One line of the picture of an experiment."""

    name: Words
    across: Words
    upwards: Words
    points: list[tuple[float, float, float | None, float | None]]
    """Step, value, and the ends of its 95 % interval where there is one."""


# ---- experiments


class KeptTable(LabModel):
    """A game of the experiment that can be opened as a table."""

    table: str
    agents: list[str] | None
    payoffs: list[float] | None


class KeptFile(LabModel):
    """A file that the experiment has written."""

    name: str
    size: int


class ExperimentSummary(LabModel):
    """An experiment in the list of all."""

    job: str
    kind: Kind
    game: str
    title: Words
    when: float
    """When it was ordered, in seconds since 1970."""
    state: State
    headline: Words = ""
    """What came of it, in a few words."""


class ExperimentInfo(ExperimentSummary):
    """An experiment with all that is known of it."""

    order: dict[str, Any]
    """As it was asked for, so that the same can be asked for again."""
    done: int = 0
    total: int | None = None
    unit: Words = "games"
    error: Words = ""
    opponents: bool = True
    """Whether somebody can win and lose; elsewhere only the score counts."""
    result: Report | None = None
    histogram: HistogramInfo | None = None
    curves: list[CurveInfo] = Field(default_factory=list)
    records: list[KeptTable] = Field(default_factory=list)
    files: list[KeptFile] = Field(default_factory=list)
    agent: str = ""
    """Who plays as the experiment has found, as text; empty if nobody does."""


# ---- what a game offers to the laboratory


class LearnerInfo(LabModel):
    name: str
    summary: Words
    games: int
    """As many as it thinks right."""
    step: int
    opponent: str
    teacher: str | None


class ModelInfo(LabModel):
    name: str
    summary: Words
    settings: dict[str, list[str]]
    """The choices of each setting."""
    polishable: bool


class TunableInfo(LabModel):
    agent: str
    parameters: list[str]


class LabInfo(LabModel):
    """What the laboratory can do with a game, besides matches and tournaments."""

    game: str
    kinds: list[Kind]
    learners: list[LearnerInfo]
    models: list[ModelInfo]
    tunable: list[TunableInfo]
    opponent: str
    """Against whom genomes are measured unless somebody else is named."""


class Exhibit(LabModel):
    """A figure or a report of the gallery."""

    name: str
    title: str
    kind: Literal["picture", "report", "text", "table"]
    href: str
    size: int


class Started(LabModel):
    job: str
    token: str
    """With it the experiment can be stopped."""


# ---- what a page may ask of the laboratory, checked strictly, with ceilings for strangers

MOST_AGENTS = 12
Games = Annotated[int, Field(ge=1, le=20_000)]
Opening = Annotated[int, Field(ge=0, le=100)]
Agents = Annotated[list[AgentText], Field(min_length=1, max_length=MOST_AGENTS)]
Word = Annotated[str, Field(min_length=1, max_length=200)]


class ExperimentBody(IncomingModel):
    """What every experiment has."""

    game: GameName
    options: Options = Field(default_factory=dict)
    seed: Seed = 0


class MatchBody(ExperimentBody):
    """One agent for each seat."""

    agents: Agents
    games: Games = 100
    opening: Opening = 0
    seating: Literal["fixed", "rotate", "duplicate"] = "fixed"
    records: Annotated[int, Field(ge=0, le=20)] = 6


class TournamentBody(ExperimentBody):
    """Every agent meets every other."""

    agents: Agents
    games: Games = 100
    opening: Opening = 0
    records: Annotated[int, Field(ge=0, le=5)] = 1


class TrainBody(ExperimentBody):
    """A learner of the game learns from so many games."""

    learner: Word
    games: Annotated[int, Field(ge=1, le=500_000)] = 20_000
    teacher: AgentText | None = None


class TuneBody(ExperimentBody):
    """Better numbers for the parameters of an agent."""

    agent: AgentText
    evaluations: Annotated[int, Field(ge=2, le=400)] = 60
    games: Annotated[int, Field(ge=2, le=2000)] = 200


class EvolveBody(ExperimentBody):
    """The genomes of a model evolve."""

    model: Word
    opponents: Annotated[list[AgentText], Field(min_length=1, max_length=4)]
    runs: Annotated[int, Field(ge=1, le=4)] = 1
    generations: Annotated[int, Field(ge=1, le=200)] = 30
    mutants: Annotated[int, Field(ge=1, le=20)] = 10
    games: Annotated[int, Field(ge=1, le=1000)] = 100
    hall: Annotated[int, Field(ge=0, le=10)] = 0
    polish: Annotated[int, Field(ge=0, le=3)] = 0


class PrecalculateBody(ExperimentBody):
    """The best action for a grid of beliefs in every visible state of a world."""

    depth: Annotated[int, Field(ge=1, le=12)] = 4
    granularity: Annotated[int, Field(ge=2, le=10)] = 2


ORDERS: dict[str, type[ExperimentBody]] = {
    "match": MatchBody,
    "tournament": TournamentBody,
    "train": TrainBody,
    "tune": TuneBody,
    "evolve": EvolveBody,
    "precalculate": PrecalculateBody,
}
"""The kinds of experiments."""
