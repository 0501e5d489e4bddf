"""What a game declares beside its rules, by type: `define(extras=(Encoding(18), Opponents(...), ...))`.

Each of these small classes stands for something that some games have and others do not. Whoever uses it asks for it:
`game.extra(Opponents)` is the one object of that class that the game was given, or None. A class that only one method
reads may stand beside that method (`Features` in `core/features.py`), and a package of your own can add its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


def load(place: str) -> Any:
    """What `module:name` stands for."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


# ---- what the rules mean


@dataclass(frozen=True)
class Metrics:
    """The names of what the rule `measure` writes."""

    names: Sequence[str]


@dataclass(frozen=True)
class Teams:
    """How many sides oppose each other, where partners play together; the rule `side` says who plays for which."""

    sides: int


@dataclass(frozen=True)
class Encoding:
    """What the rule `encode` writes for learners."""

    length: int
    """How many numbers."""
    bits: bool = False
    """Whether all of them are 0 or 1."""
    groups: Mapping[str, Any] = field(default_factory=dict)
    """The places of those that are about one thing, by what that is in words: what an explanation is made of."""


@dataclass(frozen=True)
class Blanked:
    """The fields that `observe` blanks, where the view of a hidden game has the type of its state."""

    fields: Sequence[str]


@dataclass(frozen=True)
class PrivateFields:
    """The fields of the state that are private to the seats: one entry a seat, along the first dimension.

    While a seat is to move, `legal` and `play` neither read nor change the entries of other seats; `observe` reads no
    entries but those of its own seat; `turn` reads none. So states that are equal but for the entries of one seat are
    the same to everybody else, and a solver can keep the public part of a state and the entries of each seat apart.
    """

    names: tuple[str, ...]


@dataclass(frozen=True)
class Simultaneous:
    """Players move at the same time: decisions of different seats that follow one another are one round.

    In a round the seats commit themselves in ascending order. What a seat sees and may do does not depend on what
    seats before it in the same round have chosen. Libraries that know simultaneous moves are given whole rounds.
    """


# ---- what searches use


@dataclass(frozen=True)
class SearchDefaults:
    """What searches use in this game unless they are told otherwise."""

    depth: int = 4
    """The cut-off depth."""
    rollout_policy: str = ""
    """The compiled agent by which imagined games are finished; empty: moves by the rule `likely`."""
    network: str = ""
    """What reads a network that rates positions, `module:name`, a function of the path (empty for the game's own)."""


@dataclass(frozen=True)
class EndgameTables:
    """What makes tables of endgames, as `module:name` (see `lab.endgames`); given with the rule `endgame`."""

    maker: str


# ---- whom people play with


@dataclass(frozen=True)
class Opponent:
    """Somebody to play with: an opponent or, where people play together, a partner."""

    name: str
    agent: str
    """The text of the agent."""
    about: str
    """How it plays, in a few words."""


@dataclass(frozen=True)
class Opponents:
    """Whom people may choose to play with, the weakest first, and the strong agent that plays where none is named."""

    levels: Sequence[Opponent] = ()
    champion: str = ""


@dataclass(frozen=True)
class Advisers:
    """Who gives advice and judges finished games, where that is not whoever plays."""

    beside: Mapping[str, str] = field(default_factory=dict)
    """Who gives advice beside partners of a kind, where the kind itself is no good adviser."""
    reviewer: str = ""
    """The agent that judges games afterwards: a solver that looks at all cards, say."""


@dataclass(frozen=True)
class FormerNames:
    """Names that agents had, and those that they have now; records of that time still have the former ones."""

    agents: Mapping[str, str]


# ---- what is loaded when it is asked for


@dataclass(frozen=True)
class ByName:
    """Things by name. Text stands for what is loaded when it is asked for, `module:name`: one thing, or all."""

    declared: Mapping[str, Any] | str

    def loaded(self) -> dict[str, Any]:
        table: Mapping[str, Any] = load(self.declared) if isinstance(self.declared, str) else self.declared
        return {name: load(thing) if isinstance(thing, str) else thing for name, thing in table.items()}


class Learners(ByName):
    """Who learns this game (see `lab.training`)."""


class RecordFormats(ByName):
    """Forms of others in which records are read and written: each a `RecordFormat`."""


class Commands(ByName):
    """Commands that only this game has, `hiddenhand NAME GAME ...`: each a function that Typer reads."""


@dataclass(frozen=True)
class Evolvable(ByName):
    """What can be evolved for this game (see `learning.evolution`)."""

    opponent: str = ""
    """Who is played against unless somebody is named."""
    model: str = ""
    """What is evolved unless a model is named; empty: the first."""


@dataclass(frozen=True)
class Networks:
    """The folder of the networks that come with the game: `network2.npz` for two players (the agent `network`)."""

    folder: str


@dataclass(frozen=True)
class OpponentHistory:
    """What gathers experience with opponents, game by game, in a file, as `module:name`."""

    maker: str


@dataclass(frozen=True)
class AgentTexts:
    """A language of the game's own in which agents are written, so that people can bring such texts to a server."""

    kind: str
    """What such a text is called ("menu")."""
    read: str
    """`module:name`: the agent that follows a text and the options of a game that it can play, or a UserError."""
    examples: str
    """`module:name`: the folder of examples, each a file that ends in the kind."""


# ---- arguments of `define` of before


def of_former_arguments(given: dict[str, Any]) -> list[Any]:
    """The extras that arguments of `define` of before 0.3 stand for, which are taken out of `given`."""

    def taken(*names: str) -> dict[str, Any]:
        return {new: given.pop(old) for old, _, new in (name.partition("=") for name in names) if old in given}

    made = [
        kind(**found)
        for kind, names in (
            (Encoding, ("encoded_length=length", "encoded_bits=bits", "encoded_groups=groups")),
            (Blanked, ("blanked=fields",)),
            (Teams, ("sides=sides",)),
            (Opponents, ("opponents=levels", "champion=champion")),
            (Advisers, ("advisers=beside", "reviewer=reviewer")),
            (FormerNames, ("former_agents=agents",)),
            (SearchDefaults, ("depth=depth", "finisher=rollout_policy", "network=network")),
            (EndgameTables, ("endgames=maker",)),
            (Learners, ("learners=declared",)),
            (RecordFormats, ("formats=declared",)),
            (Evolvable, ("models=declared",)),
            (Networks, ("trained_networks=folder",)),
            (OpponentHistory, ("experience=maker",)),
        )
        if (found := taken(*names))
    ]
    return [*made, *taken("features=features").values()]
