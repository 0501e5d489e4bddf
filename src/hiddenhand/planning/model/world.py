"""World: a specification as tables over its possible states.

The orders are those of the language, because they decide ties: in every product of variables the last one runs
fastest, and values run in the order of the `values` section.

In one point this is not the original program: there, probability that a specification sends to an impossible state
counts for what will be seen and then vanishes from the belief. Here it is kept apart (`lost`), `check` reports it,
and no plan is made with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from hiddenhand.core.catalogue import languages
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.planning.language import syntax
from hiddenhand.planning.language.words import NAME
from hiddenhand.planning.model.pomdp import Pomdp

Names = tuple[str, ...]
Clause = tuple[syntax.Case, syntax.Probability]

SUM_TOLERANCE = 1e-5
"""Probabilities are written with few digits: three times 0.333333 is one."""


@dataclass(frozen=True)
class Axis:
    """One variable: its name and its values, in their global order."""

    name: str
    kind: str
    values: Names


@dataclass(frozen=True, eq=False)
class World:
    """A specification as tables. S possible states in V visible states, A actions."""

    specification: syntax.Specification
    values: Names
    inputs: tuple[Axis, ...]
    hidden: tuple[Axis, ...]
    outputs: tuple[Axis, ...]
    visible_states: list[Names]
    """All V of them, possible or not."""
    states: list[tuple[int, Names]]
    """The possible states: the number of the visible state and the values of the hidden variables."""
    visible_of: NDArray[np.intp]
    """(S,) the visible state of each state, ascending."""
    actions: tuple[Names, ...]
    payoffs: NDArray[np.float64]
    """(V,)"""
    payoff_names: Names
    """The names of the payoffs, each once."""
    payoff_name_of: NDArray[np.int64]
    """(V,) the place of the name of what each visible state pays, or -1 if it pays by no block."""
    legal: NDArray[np.bool_]
    """(V, A)"""
    transitions: tuple[csr_array, ...]
    """For each action a csr_array (S, S), row = state before; empty rows where the action is illegal."""
    clauses: tuple[Clause, ...]
    causes: tuple[NDArray[np.intp], ...]
    """For each action and each stored entry of its transitions the clause that it comes from."""
    lost: NDArray[np.float64]
    """(A, S) the probability that the action sends to impossible states."""
    decided_by: tuple[dict[int, syntax.Case], ...]
    """For each action the case that decides, by state; only cases that do not look at the next state."""
    first: NDArray[np.intp] = field(repr=False)
    """(V + 1,) where the states of each visible state begin."""

    @property
    def possible(self) -> NDArray[np.bool_]:
        """(V,) whether the visible state can occur."""
        return np.diff(self.first) > 0

    def states_of(self, visible: int) -> range:
        """The possible states that look like this."""
        return range(int(self.first[visible]), int(self.first[visible + 1]))

    def uniform(self, visible: int) -> NDArray[np.float64]:
        """(S,) the uniform belief over the possible states of a visible state."""
        belief = np.zeros(len(self.states))
        inside = self.states_of(visible)
        if not inside:
            raise UserError(
                "the visible state {visible} is impossible in {name}",
                visible=self.visible_text(visible),
                name=self.name,
            )
        belief[inside.start : inside.stop] = 1.0 / len(inside)
        return belief

    def all_uniform(self) -> csr_array:
        """The same for every visible state that is possible, a sparse row each."""
        sizes = np.diff(self.first)
        weights = np.repeat(1.0 / np.maximum(sizes, 1), sizes)
        starts = np.append(self.first[:-1][sizes > 0], len(self.states))
        return csr_array((weights, np.arange(len(self.states)), starts), shape=(len(starts) - 1, len(self.states)))

    @property
    def name(self) -> str:
        return Path(self.specification.file).stem

    # --- finding things by name ---

    def visible(self, named: Mapping[str, str] | Sequence[str]) -> int:
        """The number of a visible state, given as {variable: value} or as values in the order of declaration."""
        return number_of(named, self.inputs, Text("visible state"))

    def state(self, visible: int, named: Mapping[str, str] | Sequence[str]) -> int:
        """The number of a possible state, given its visible state and its hidden values."""
        hidden = names_of(named, self.hidden, Text("hidden state"))
        for state in self.states_of(visible):
            if self.states[state][1] == hidden:
                return state
        raise UserError(
            "the state {hidden} is impossible where {visible}",
            hidden=joined(self.hidden, hidden),
            visible=self.visible_text(visible),
        )

    def action(self, named: Mapping[str, str] | Sequence[str]) -> int:
        """The number of an action."""
        return number_of(named, self.outputs, "action")

    # --- naming things ---

    def visible_values(self, visible: int) -> dict[str, str]:
        """The values of the input variables, by name."""
        return dict(zip((axis.name for axis in self.inputs), self.visible_states[visible]))

    def visible_text(self, visible: int) -> str:
        return joined(self.inputs, self.visible_states[visible])

    def state_text(self, state: int) -> str:
        visible, hidden = self.states[state]
        return joined(self.inputs + self.hidden, self.visible_states[visible] + hidden)

    def action_text(self, action: int) -> str:
        return joined(self.outputs, self.actions[action])

    # --- as a model to plan with ---

    def sums(self) -> NDArray[np.float64]:
        """(A, S) all the probability that goes out of a state, to impossible states too."""
        return np.array([np.asarray(rows.sum(axis=1)).ravel() for rows in self.transitions]) + self.lost

    def require_sound(self) -> None:
        """Raise a clear error unless every legal action's probabilities sum to one over possible states."""
        legal = self.legal[self.visible_of].T
        sums = self.sums()
        wrong = np.argwhere(legal & ((np.abs(sums - 1.0) > SUM_TOLERANCE) | (self.lost > SUM_TOLERANCE)))
        if len(wrong):
            action, state = (int(i) for i in wrong[0])
            total, lost = float(sums[action, state]), float(self.lost[action, state])
            raise UserError(
                "{file}: the probabilities of action {action} in state {state} sum to {total:.6g}, {lost:.6g} of "
                "it sent to impossible states, not to 1 (and so in {n} rows in all); check the file"
                if lost > 0.0
                else "{file}: the probabilities of action {action} in state {state} sum to {total:.6g}, not to 1 "
                "(and so in {n} rows in all); check the file",
                file=self.specification.file,
                action=self.action_text(action),
                state=self.state_text(state),
                total=total,
                n=len(wrong),
                **({"lost": lost} if lost > 0.0 else {}),
            )

    def pomdp(self, discount: float = 1.0, visible: int | None = None) -> Pomdp:
        """The general model. What is observed is the visible part of the next state, without noise.

        It begins with the uniform belief in the given visible state, by default the first possible one.
        """
        self.require_sound()
        if visible is None:
            visible = int(np.argmax(self.possible))
        count = len(self.states)
        showing = csr_array(
            (np.ones(count), (np.arange(count), self.visible_of)), shape=(count, len(self.visible_states))
        )
        payoff = self.payoffs[self.visible_of]
        return Pomdp(
            states=tuple(self.state_text(s) for s in range(count)),
            actions=tuple(self.action_text(a) for a in range(len(self.actions))),
            observations=tuple(self.visible_text(v) for v in range(len(self.visible_states))),
            transitions=self.transitions,
            observing=(showing,) * len(self.actions),
            rewards=np.array([rows @ payoff for rows in self.transitions]),
            legal=np.ascontiguousarray(self.legal[self.visible_of].T),
            discount=discount,
            start=self.uniform(visible),
        )


class Tracker:
    """The belief during an episode, updated after every action and observation.

    An observation that the model holds impossible is refused with a clear error that names it, and the belief stays
    as it was.
    """

    def __init__(self, world: World, visible: int) -> None:
        self.world = world
        self.model = world.pomdp()
        self.visible = visible
        """What is visible now."""
        self.belief: NDArray[np.float64] = world.uniform(visible)
        """(S,) over the possible states."""

    def watch(self, action: int, visible: int) -> float:
        """The action was taken, and this is visible now. Returns how likely that was."""
        try:
            belief, chance = self.model.after(self.belief, action, visible)
        except UserError as error:
            raise type(error)(Text("{why}; the belief is kept", why=error)) from None
        self.belief, self.visible = belief, visible
        return chance

    def legal_actions(self) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.world.legal[self.visible])]

    def likely(self, most: int = 10) -> list[tuple[str, float]]:
        """The likeliest hidden states in words, with their probabilities."""
        order = np.argsort(-self.belief, kind="stable")[:most]
        return [
            (self.hidden_text(int(state)), float(self.belief[state])) for state in order if self.belief[state] > 0
        ]

    def hidden_text(self, state: int) -> str:
        names = [axis.name for axis in self.world.hidden]
        values = self.world.states[state][1]
        return one_of([f"{name}=>{value}" for name, value in zip(names, values)])


# --- names ---


def words_of(world: World) -> dict[str, dict[str, str]]:
    """By language what takes the place of the names of a world, for a `Reader`.

    It is what the file's words say (see `language/words.py`), in English too. Names without words are written as
    people do: `growl_left` is "growl left".
    """
    words = world.specification.words
    translated = words.catalogues()
    return {code: {**names_in_words(world, code), **translated.get(code, {})} for code in {*languages(), *translated}}


def names_in_words(world: World, language: str) -> dict[str, str]:
    """The names of variables, values, facts (`variable=>value`), actions and payoffs, as people of a language say."""
    words = world.specification.words

    def shown(name: str) -> str:
        return words.phrase(language, name, NAME) or name.replace("_", " ")

    found = {name: words.phrase(language, f'"{name}"', NAME) or name for name in world.payoff_names}
    for axis in (*world.inputs, *world.hidden, *world.outputs):
        found[axis.name] = shown(axis.name)
        for value in axis.values:
            fact = f"{axis.name}=>{value}"
            found[value] = shown(value)
            found[fact] = words.phrase(language, fact, NAME) or f"{shown(axis.name)}: {shown(value)}"
    for action in world.actions:
        name = " ".join(action)
        found[name] = words.phrase(language, name, NAME) or " ".join(map(shown, action))
    found |= {name.replace("_", " "): said for name, said in found.items() if "_" in name}
    return {name: said for name, said in found.items() if name != said}


def joined(axes: tuple[Axis, ...], names: Names) -> str:
    """`{x=>a, y=>b}`, as the language writes it."""
    return "{" + ", ".join(f"{axis.name}=>{name}" for axis, name in zip(axes, names)) + "}"


def names_of(named: Mapping[str, str] | Sequence[str], axes: tuple[Axis, ...], what: str) -> Names:
    """The values in the order of the variables, checked."""
    wanted = [axis.name for axis in axes]
    if isinstance(named, Mapping):
        for name in named:
            if name not in wanted:
                raise UserError(
                    "a {what} has no variable {name}{hint}; it has: {list}",
                    what=what,
                    name=repr(name),
                    hint=did_you_mean(name, wanted),
                    list=one_of(wanted),
                )
        missing = [name for name in wanted if name not in named]
        if missing:
            raise UserError(
                "a {what} needs a value of every variable; missing: {missing}", what=what, missing=one_of(missing)
            )
        names = tuple(named[name] for name in wanted)
    else:
        names = tuple(named)
        if len(names) != len(wanted):
            raise UserError(
                "a {what} has {n} values ({wanted}), not {given}",
                what=what,
                n=len(wanted),
                wanted=one_of(wanted),
                given=len(names),
            )
    for axis, name in zip(axes, names):
        if name not in axis.values:
            hint = did_you_mean(name, list(axis.values))
            raise UserError(
                "{name} has no value {other}{hint}; it has: {values}",
                name=axis.name,
                other=repr(name),
                hint=hint,
                values=one_of(list(axis.values)),
            )
    return names


def number_of(named: Mapping[str, str] | Sequence[str], axes: tuple[Axis, ...], what: str) -> int:
    """The place of the values in the product of the variables."""
    number = 0
    for axis, name in zip(axes, names_of(named, axes, what)):
        number = number * len(axis.values) + axis.values.index(name)
    return number
