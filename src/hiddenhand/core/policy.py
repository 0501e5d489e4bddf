"""Policies: agents as compiled functions.

In a game's file:

    @policy("always takes the middle if it can")
    def centre(view, seat, actions, memory, parameters, rng):
        ...
        return actions[0]

    @centre.explains
    def reasons(view, action, parameters): ...      # plain Python: a list of sentences, or a Decision

`parameters` is a record with a field for each setting, by its name (a choice among words is the place of the word),
and for each array that the policy has learned. `memory` is a record of the type that the policy declares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.settings import FILE, Setting
from hiddenhand.kernel import Rule, new_records, record_type

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.decision import Decision
    from hiddenhand.core.game import Game
    from hiddenhand.core.view import View

Explanation = Callable[["View", int, Any], "list[str] | Decision"]
Distribution = Callable[["View", Any], Sequence[float]]
Arrays = Mapping[str, "np.ndarray[Any, Any]"]
"""Learned numbers by name; their shapes are the same for all options of a game."""

NOTHING = record_type([("nothing", "i8")])
"""The type of a memory or of parameters that hold nothing."""


class Policy:
    """A compiled function that decides, with its name and its settings."""

    def __init__(  # noqa: PLR0913  (all that a policy declares)
        self,
        function: Callable[..., Any],
        summary: str,
        settings: Mapping[str, Setting],
        memory: np.dtype[Any],
        cheats: bool,
        knowledge: Callable[..., Arrays] | None,
        reads: Callable[[Game, str], Arrays] | None = None,
        example: str = "",
        heavy: bool = False,
        names: Callable[[Game], list[str]] | None = None,
    ) -> None:
        self.name = function.__name__
        self.__module__ = function.__module__
        self.rule = Rule(function, returns="int64")
        self.summary = summary
        self.settings = dict(settings)
        self.memory = memory
        self.keeps_memory = memory is not NOTHING
        self.cheats = cheats
        self.knowledge = knowledge
        self.reads = reads
        self.example = example
        self.heavy = heavy
        self.names = names
        self.explanation: Explanation | None = None
        self.distribution: Distribution | None = None

    needs_file = False

    @staticmethod
    def refuses(game: Game) -> str:
        """Why it cannot play a game: it is declared by the games that it can play."""
        return ""

    def settings_for(self, game: Game) -> Mapping[str, Setting]:
        return self.settings

    def make(self, game: Game, **values: Any) -> Agent:
        """The agent that plays by this policy."""
        from hiddenhand.core.agent import PolicyAgent

        return PolicyAgent(game, self, **values)

    def explains(self, function: Explanation) -> Explanation:
        """Decorate the function that says why this policy chose an action: f(view, action, parameters).

        It returns sentences, or a whole Decision (for that very action) where it has values and beliefs to show.
        """
        self.explanation = function
        return function

    def has_distribution(self, function: Distribution) -> Distribution:
        """Decorate the function that says how likely this policy plays each legal action: f(view, parameters)."""
        self.distribution = function
        return function

    def parameters(self, game: Game, values: Mapping[str, Any]) -> np.record:
        """The record that the policy gets, from the values of its settings and what it has learned."""
        numbers = {name: setting for name, setting in self.settings.items() if setting.kind != FILE}
        given: dict[str, Any] = {name: setting.number(values[name]) for name, setting in numbers.items()}
        if self.reads is not None:
            given |= self.reads(game, values["text"])
        if self.knowledge is not None:
            files = [values[name] for name in self.settings if name not in numbers]
            given |= self.knowledge(game, *files)
        return record_of(given)


def record_of(values: Mapping[str, Any]) -> np.record:
    """A record with these numbers and arrays as its fields, in their order."""
    arrays = {name: np.asarray(value) for name, value in values.items()}
    fields = [(name, array.dtype, array.shape) for name, array in arrays.items()]
    record: np.record = new_records(record_type(fields) if fields else NOTHING, 1)[0]
    for name, array in arrays.items():
        record[name] = array
    return record


def policy(  # noqa: PLR0913  (likewise)
    summary: str,
    *,
    settings: Mapping[str, Setting] | None = None,
    memory: np.dtype[Any] = NOTHING,
    cheats: bool = False,
    knowledge: Callable[..., Arrays] | None = None,
    reads: Callable[[Game, str], Arrays] | None = None,
    example: str = "",
    heavy: bool = False,
    names: Callable[[Game], list[str]] | None = None,
) -> Callable[[Callable[..., Any]], Policy]:
    """Declare a compiled agent.

    memory      the type of the record that it keeps during a game (`record_type`), zeros at first
    cheats      it sees the state
    knowledge   gives the arrays that it has learned, by name: further fields of `parameters`. It is called with the
                game and the value of each setting of kind "file": what a user trained, or empty
    reads       its text is not settings but a language of its own: turns what follows the colon into such arrays
    example     with `reads`: such a text, one that every option of the game allows
    names       with `reads`: all texts that it can read, where these are names and not a language
    heavy       it is hopelessly slow uncompiled: people wait until it is compiled
    """
    return lambda function: Policy(
        function, summary, settings or {}, memory, cheats, knowledge, reads, example, heavy, names
    )
