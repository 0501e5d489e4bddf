"""Plans: what some work is to do, said once.

A plan is a frozen dataclass, and each of its fields is annotated with a `PlanParameter`: what it means, between which
limits it lies, how the command line calls it, and whether a page asks for it. From the plan are made the options of
the command (`cli.work`), the arguments of the Python function (`lab.work_kinds`), and the form and the schema of the
page (`web.schemas.lab`). A field without a PlanParameter can only be given in Python.

    @dataclass(frozen=True)
    class TuningPlan(GamePlan):
        agent: Annotated[str, PlanParameter("The agent whose parameters are tuned.", argument=True)]
        games: Annotated[int, PlanParameter("Games per evaluation.", low=2, flags=("--games", "-n"))] = 600
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from numbers import Integral
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.text import Text

MOST_GAMES = 10**8
MOST_SEED = 2**64 - 1
DRAW = "draw"


def read_seed(text: str) -> int:
    """A seed as it is typed; `draw`: a number that no agent can find by trying small ones."""
    if text == DRAW:
        return secrets.randbits(64)
    try:
        return int(text)
    except ValueError:
        raise UserError("{text} is neither a whole number nor {draw}", text=repr(text), draw=DRAW) from None


@dataclass(frozen=True)
class PageField:
    """How the form of a page asks for a parameter."""

    label: str
    input: str = "number"
    """number, choice, agent, agents, line_up (an agent for each seat), learner, model or tunable."""
    most: float | None = None
    """What somebody who is not the owner of the server may ask for at most."""
    usual: Any = None
    """What the form proposes; left out: the default of the plan."""
    choices: Mapping[str, str] | None = None
    """The choices with their words."""


@dataclass(frozen=True)
class PlanParameter:
    """What is said of one field of a plan."""

    help: str
    low: float | None = None
    high: float | None = None
    choices: Sequence[str] = ()
    argument: bool = False
    """On the command line it stands without the name of an option."""
    flags: Sequence[str] = ()
    """The names of the option; left out: `--` and the name of the field."""
    metavar: str = "N"
    short: Mapping[str, tuple[str, str]] | None = None
    """Flags that stand for a value: name -> (value, help), as `--rotate` for `seating="rotate"`."""
    read: Callable[[str], Any] | None = None
    """Reads what was typed, where that is more than a text or a number."""
    page: PageField | None = None


SEED = PlanParameter(
    f"Determines everything; {DRAW}: nobody can guess it.",
    0,
    MOST_SEED,
    flags=("--seed", "-s"),
    metavar="S",
    read=read_seed,
    page=PageField(Text("seed"), most=MOST_SEED, usual=1),
)
OPENING = PlanParameter(
    "Draw the first N moves of every game at random.", 0, page=PageField(Text("random first moves"), most=100)
)


def agents_parameter(page_input: str) -> PlanParameter:
    """The agents that play; on a page one for each seat (`line_up`), or any number (`agents`)."""
    page = PageField(Text("agents"), page_input)
    return PlanParameter("Agents, such as random or alphabeta:depth=6.", argument=True, metavar="AGENT", page=page)


@dataclass(frozen=True)
class PlanField:
    """A field of a plan with all that is known of it."""

    name: str
    type: Any
    parameter: PlanParameter | None
    default: Any
    """MISSING if it must be given."""

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def many(self) -> bool:
        """Whether several values are given, one after the other."""
        return get_origin(self.type) is not None and issubclass(get_origin(self.type) or object, (Sequence, Mapping))

    @property
    def optional(self) -> bool:
        return type(None) in get_args(self.type)

    @property
    def simple(self) -> type:
        """The type of one value: int, float, bool or str."""
        known = (self.type, *get_args(self.type))
        return next((kind for kind in (bool, int, float) if kind in known), str)


FIELDS: dict[type, tuple[PlanField, ...]] = {}
"""What `plan_fields` has found."""


@dataclass(frozen=True)
class WorkPlan:
    """What some work is to do. A plan that cannot be carried out is refused when it is made."""

    has_games: ClassVar[bool] = False
    """Whether the result holds single games, which its `to_parquet` writes into a file."""

    def __post_init__(self) -> None:
        for field in plan_fields(type(self)):
            value = getattr(self, field.name)
            if field.many and isinstance(value, str):
                self.set(**{field.name: (value,)})
            if field.parameter is not None and not (value is None and field.optional):
                check_limits(field.name, value, field.parameter)

    def to_json(self) -> dict[str, Any]:
        """All that determines the result, for the entry in the store."""
        return {field.name: getattr(self, field.name) for field in plan_fields(type(self))}

    def set(self, **values: Any) -> None:
        """Complete fields of this plan while it is made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class GamePlan(WorkPlan):
    """What some work is to do with a game, whose options are chosen."""

    game: Annotated[Game, PlanParameter("A game, or the path of a game's .py file.", argument=True, metavar="GAME")]

    def __post_init__(self) -> None:
        self.set(game=resolver.game(self.game))
        super().__post_init__()

    @classmethod
    def of_order(cls, game: Game, **fields: Any) -> GamePlan:
        """The plan of what a page has asked for."""
        return cls(game, **fields)

    def to_json(self) -> dict[str, Any]:
        game = self.game
        return {
            **super().to_json(),
            "game": game.origin.name,
            "rules": game.rules.key,
            "version": game.version,
            "options": dict(game.options),
        }


def plan_fields(plan: type[WorkPlan]) -> tuple[PlanField, ...]:
    """The fields of a kind of plans."""
    if plan not in FIELDS:
        FIELDS[plan] = tuple(read_fields(plan))
    return FIELDS[plan]


def read_fields(plan: type[WorkPlan]) -> Iterator[PlanField]:
    hints = get_type_hints(plan, include_extras=True)
    for field in fields(plan):
        hint, parameter = hints[field.name], None
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            parameter = next((note for note in notes if isinstance(note, PlanParameter)), None)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        yield PlanField(field.name, hint, parameter, default)


def check_limits(name: str, value: Any, parameter: PlanParameter) -> None:
    """Refuse a value outside the limits of its parameter."""
    low, high = parameter.low, parameter.high
    if parameter.choices and value not in parameter.choices:
        raise UserError(
            "{what} must be {kind}, not {value}", what=name, kind=" or ".join(parameter.choices), value=repr(value)
        )
    if low is None:
        return
    if isinstance(low, float):
        if high is not None and not low <= value <= high:
            raise UserError(
                "{what} must be from {low:g} to {high:g}, not {value}", what=name, low=low, high=high, value=value
            )
    elif high is not None:
        check_range(name, value, int(low), int(high))
    elif not isinstance(value, Integral) or int(value) < low:
        raise UserError("{name} must be at least {low}, not {value}", name=name, low=low, value=value)


def check_range(what: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, Integral) or not low <= int(value) <= high:
        raise UserError(
            "{what} must be a whole number from {low} to {high}, not {value}",
            what=what,
            low=low,
            high=high,
            value=repr(value),
        )
