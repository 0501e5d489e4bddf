"""Agent: whoever decides. A Python agent implements `decide(view)`; a compiled policy is wrapped into one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.policy import Policy
from hiddenhand.core.settings import AGENT, Setting, read_settings
from hiddenhand.kernel.loop import policy_for_loop

if TYPE_CHECKING:
    from hiddenhand.core.game import Game
    from hiddenhand.core.view import View
    from hiddenhand.kernel.binding import Generic

Array = np.ndarray[Any, Any]


class AgentKind(Protocol):
    """A kind of agent: a compiled policy, or a class made of `Agent`."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def cheats(self) -> bool:
        """Whether it is shown the true state; only a declared cheater is."""

    @property
    def heavy(self) -> bool:
        """Whether it is hopelessly slow uncompiled, so that people wait until it is compiled."""

    @property
    def needs_file(self) -> bool:
        """Whether it plays only what a file says, so that it is offered to nobody who has none."""

    @property
    def reads(self) -> Any:
        """What reads its text, where that is a language of its own and not settings; or None."""

    @property
    def example(self) -> str:
        """With `reads`: a text that every option of the game allows."""

    @property
    def names(self) -> Callable[[Game], list[str]] | None:
        """With `reads`: gives all texts that it can read, where these are names and not a language."""

    @property
    def keeps_memory(self) -> bool:
        """Whether it keeps a record during a game."""

    def refuses(self, game: Game) -> str:
        """Why it cannot play the game; empty if it can."""

    def settings_for(self, game: Game) -> Mapping[str, Setting]:
        """The settings, with the defaults that suit a game."""

    def make(self, game: Game, **values: Any) -> Agent:
        """An agent of this kind."""


class Agent:
    """Decides for a seat from its view alone, and can say why.

    A subclass gives `name`, `summary` and `settings`; its settings become attributes. What it draws at random comes
    from `view.stream()`, so that the same position gives the same decision whenever it is asked.
    """

    name = ""
    summary = ""
    settings: Mapping[str, Setting] = {}
    cheats = False
    """Whether it is shown the true state; only a declared cheater is."""
    heavy = False
    """Whether it is hopelessly slow uncompiled, so that people wait until it is compiled."""
    needs_file = False
    """Whether it plays only what a file says, so that it is offered to nobody who has none."""
    reads: ClassVar = None
    example = ""
    names: ClassVar[Callable[[Game], list[str]] | None] = None
    keeps_memory = False
    files_as_written: Mapping[str, str] = {}
    """The files among its settings as whoever made it writes them, where that is not their whole path."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name in {"decide", "explain"} & set(vars(cls)):
            setattr(cls, name, given_a_view(vars(cls)[name]))

    def __init__(self, game: Game, **values: Any) -> None:
        """An agent for this game; settings that are not given have their defaults."""
        self.game = game
        self.settings = self.settings_for(game)
        self.values = read_settings(values, self.settings, self.name or type(self).__name__, "parameter")
        for name, value in self.values.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self} of {self.game}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        """An agent is pickled by its text, if that is all it is; else by its class and its attributes."""
        from hiddenhand.core.resolver import agent_again, text_of

        try:
            return agent_again, (self.game, text_of(self))
        except UserError:
            if type(self) is PolicyAgent:
                raise
            return super().__reduce_ex__(protocol)

    def __str__(self) -> str:
        """The text by which the resolver finds an equal agent, wherever that can be said in a text."""
        return written(self._kind, {**self.values, **self.files_as_written}, self.settings)

    @cached_property
    def origin(self) -> str:
        """By what text the resolver finds this kind of agent: its name, or FILE.py:CLASS; empty if by none."""
        from hiddenhand.core.resolver import origin_of

        return origin_of(self)

    @property
    def _kind(self) -> str:
        return self.origin or self.name or type(self).__name__

    @classmethod
    def refuses(cls, game: Game) -> str:
        """Why this agent cannot play the game; empty if it can."""
        return ""

    @classmethod
    def settings_for(cls, game: Game) -> Mapping[str, Setting]:
        """The settings, with the defaults that suit this game."""
        return cls.settings

    @classmethod
    def make(cls, game: Game, **values: Any) -> Agent:
        """An agent of this kind."""
        return cls(game, **values)

    def decide(self, view: View) -> Decision:
        """The action to play, quickly."""
        raise NotImplementedError

    def explain(self, view: View) -> Decision:
        """The very action that `decide` gives, with everything the agent can say about it."""
        return self.decide(view)

    def probabilities(self, view: View) -> Sequence[float] | None:
        """How likely it plays each of the legal actions, where it can say; None: whoever wants to know asks again and
        again what it plays."""
        return None

    def probabilities_at_once(
        self, views: Array, seat: int, start: Array, actions: Array
    ) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """How likely it plays each action in many views of a seat, where it can say so for all of them at once.

        In view i these are actions[start[i] : start[i + 1]], all that are legal there.
        """
        return None

    def finished(self, view: View, payoffs: Sequence[float]) -> None:
        """A game that it has played is over: what it sees now, and what every seat got."""


def given_a_view(method: Callable[..., Decision]) -> Callable[..., Decision]:
    """A method that decides from a view, and says so to whoever gives it the table."""

    @wraps(method)
    def decide(self: Agent, view: View) -> Decision:
        if hasattr(view, "view"):
            raise UserError(
                "{name} takes what a seat sees, not the table: write table.ask(agent), or agent.{name}(table.view())",
                name=method.__name__,
            )
        return method(self, view)

    return decide


def written(kind: str, values: Mapping[str, Any], settings: Mapping[str, Setting]) -> str:
    """An agent as text: its kind, and the settings that have not their defaults."""
    given = [
        f"{name}={value_written(value, settings[name])}"
        for name, value in values.items()
        if value != settings[name].default
    ]
    return kind + (":" + ",".join(given) if given else "")


def value_written(value: Any, setting: Setting) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"({value})" if setting.kind == AGENT and "," in value else str(value)


class PolicyAgent(Agent):
    """A compiled policy at a Python table."""

    def __init__(self, game: Game, policy: Policy, **values: Any) -> None:
        self.game = game
        self.policy = policy
        self.name = policy.name
        self.summary = policy.summary
        self.settings = policy.settings
        self.cheats = policy.cheats
        self.heavy = policy.heavy
        reads = policy.reads is not None
        self.values = values if reads else read_settings(values, policy.settings, policy.name, "parameter")
        self.parameters = policy.parameters(game, self.values)

    @property
    def judge(self) -> Generic | None:
        """What judges rollouts by this policy that are broken off (see `search/rollouts.py`); None: EVAL."""
        return None

    @property
    def for_loop(self) -> Any:
        """This policy as the match loop calls it."""
        looks_at = self.game.rules.state if self.cheats else self.game.rules.view
        return policy_for_loop(self.policy.rule, looks_at, self.policy.memory, self.parameters.dtype)

    def __str__(self) -> str:
        return super().__str__() if self.policy.reads is None else f"{self._kind}:{self.values['source']}"

    def decide(self, view: View) -> Decision:
        record = view.truth if self.cheats else view.record
        actions = np.array(view.legal_actions(), np.int64)
        memory = view.memory(self.policy.memory, str(self))
        action = int(self.policy.rule(record, view.seat, actions, memory, self.parameters, view.stream()))
        return Decision(action, view.action_name(action))

    def probabilities(self, view: View) -> Sequence[float] | None:
        return None if self.policy.distribution is None else self.policy.distribution(view, self.parameters)

    def explain(self, view: View) -> Decision:
        decision = self.decide(view)
        decision.alternatives = [Alternative(a, view.action_name(a)) for a in view.legal_actions()]
        if self.policy.explanation is not None:
            told = self.policy.explanation(view, decision.action, self.parameters)
            if isinstance(told, Decision):
                return told
            decision.reasons = told
        return decision
