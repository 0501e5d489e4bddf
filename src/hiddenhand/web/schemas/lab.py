"""What the laboratory's routes send, as models: the page's types are made from them, and so are the files on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Field, create_model

from hiddenhand.web.schemas.base import IncomingModel, OutgoingModel, Words
from hiddenhand.web.schemas.http import GameName, Options
from hiddenhand.web.schemas.socket import AgentText

if TYPE_CHECKING:
    from hiddenhand.lab.plans import PageField, PlanField
    from hiddenhand.lab.work_kinds import WorkKind

Interval = tuple[float | None, float | None]
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


class OtherReport(LabModel):
    """The result of a kind of work that the page has no picture of: its simple values."""

    values: dict[str, str | int | float | bool | None]


Report = (
    MatchReport
    | TournamentReport
    | TrainingReport
    | TuningReport
    | EvolutionReport
    | PrecalculationReport
    | OtherReport
)


def report_of(kind: str, result: dict[str, Any]) -> dict[str, Any]:
    """What is sent of the result of an experiment of this kind."""
    if kind in REPORTS:
        return REPORTS[kind].model_validate(result).model_dump()
    simple = {name: value for name, value in result.items() if value is None or isinstance(value, (str, int, float))}
    return OtherReport(values=simple).model_dump()


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
    kind: str
    work: Words = ""
    """What is done, in words."""
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
    kinds: list[str]
    learners: list[LearnerInfo]
    models: list[ModelInfo]
    tunable: list[TunableInfo]
    opponent: str
    """Against whom genomes are measured unless somebody else is named."""


class FormField(LabModel):
    """A field of the form for a kind of experiments."""

    name: str
    label: Words
    input: str
    """number, choice, agent, agents, line_up, opponents, learner, teacher, model or tunable."""
    usual: str | int | float | None
    """What the form proposes."""
    choices: list[tuple[str, Words]]


class KindForm(LabModel):
    """The form for a kind of experiments."""

    kind: str
    title: Words
    fields: list[FormField]


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

MOST_AGENTS, MOST_OPPONENTS = 12, 4
Word = Annotated[str, Field(min_length=1, max_length=200)]


class ExperimentBody(IncomingModel):
    """What every experiment has; a kind of work adds the fields of its plan (`order_of`)."""

    game: GameName
    options: Options = Field(default_factory=dict)


def order_of(kind: WorkKind[Any, Any]) -> type[ExperimentBody]:
    """The schema of an order to do work of this kind."""
    if kind.name not in ORDERS:
        fields: dict[str, Any] = {
            field.name: (type_of(field, page), ... if field.required else default_of(field, page))
            for field, page in asked(kind)
        }
        ORDERS[kind.name] = create_model(f"{kind.name.capitalize()}Body", __base__=ExperimentBody, **fields)
    return ORDERS[kind.name]


ORDERS: dict[str, type[ExperimentBody]] = {}
"""The schemas that `order_of` has made."""


def asked(kind: WorkKind[Any, Any]) -> list[tuple[PlanField, PageField]]:
    """The fields of a plan that a page asks for."""
    known = [(field, field.parameter) for field in kind.fields]
    return [(field, told.page) for field, told in known if told is not None and told.page is not None]


def type_of(field: PlanField, page: PageField) -> Any:
    """The type of a field in an order."""
    found: Any
    if page.input == "number":
        assert field.parameter is not None
        low = 1 if field.parameter.low is None else field.parameter.low
        found = Annotated[field.simple, Field(ge=low, le=page.most)]
    elif page.input == "choice":
        found = Literal[tuple(page.choices or ())]
    elif page.input == "opponents":
        found = Annotated[list[AgentText], Field(min_length=1, max_length=MOST_OPPONENTS)]
    elif field.many:
        found = Annotated[list[AgentText], Field(min_length=1, max_length=MOST_AGENTS)]
    else:
        found = Word if page.input in ("learner", "model") else AgentText
    return found | None if field.optional else found


def default_of(field: PlanField, page: PageField) -> Any:
    """What an order means that says nothing of a field: what the form proposes, where that is a number."""
    return page.usual if page.input == "number" and page.usual is not None else field.default


def form_of(kind: WorkKind[Any, Any]) -> KindForm:
    """The form for work of this kind."""
    fields = [
        FormField(
            name=field.name,
            label=page.label,
            input=page.input,
            usual=page.usual if page.usual is not None else None if field.required or field.many else field.default,
            choices=list((page.choices or {}).items()),
        )
        for field, page in asked(kind)
    ]
    assert kind.page is not None
    return KindForm(kind=kind.name, title=kind.page.title, fields=fields)
