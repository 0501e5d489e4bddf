"""Strategies: how often each action is played at every information set of a game; savable, printable, playable.

    >>> import hiddenhand as hh
    >>> strategy = hh.solve("kuhn", iterations=100)
    >>> strategy
    <Solution for kuhn by cfr+: 12 information sets, 100 iterations, exploitability 0.00119>
    >>> print(strategy.table(2))
    seat 0  your card: J, so far: nothing, pot: 2    check  81.3%  bet    18.7%
    seat 0  your card: J, so far: check bet, pot: 3  fold  100.0%  call    0.0%
    ... and 10 more

An information set is found by the fingerprint of what its seat sees, so that a strategy needs neither a tree nor the
sequence form to be played: `match kuhn solved:file=kuhn.npz random`.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core import html, resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import PrivateFields
from hiddenhand.core.game import Game
from hiddenhand.core.text import Seat, Text
from hiddenhand.search.solving.history_walk import build_sequence_form
from hiddenhand.search.solving.sequence_form import (
    Evaluation,
    Floats,
    Integers,
    SequenceForm,
    evaluate,
    find,
    follow_sequences,
)
from hiddenhand.search.solving.world_lists import build_from_worlds

FORMAT = 1
FORMS: OrderedDict[tuple[Any, ...], SequenceForm] = OrderedDict()
MOST_KEPT = 1 << 28
"""Bytes of sequence forms that are kept; those that were not asked for longest go first, the latest stays."""
MOST_NAMED = 1 << 20
"""With more information sets the values of single actions are not worked out."""


def sequence_form(game: Game, memory: int | None = None) -> SequenceForm:
    """The sequence form of a game, made once and shared by all who ask. `memory`: the most bytes that it may take."""
    key = (game.rules.key, tuple(sorted(game.options.items())))
    if key not in FORMS:
        in_private = game.extra(PrivateFields) is not None and game.players == 2 and not game.chance
        FORMS[key] = (build_from_worlds if in_private else build_sequence_form)(game, memory)
        while len(FORMS) > 1 and sum(form.size for form in FORMS.values()) > MOST_KEPT:
            FORMS.popitem(last=False)
    FORMS.move_to_end(key)
    return FORMS[key]


@dataclass(eq=False)
class Strategy:
    """A behaviour strategy for all seats of a game."""

    game: Game
    keys: np.ndarray[Any, np.dtype[np.uint64]]
    """Of every information set: the fingerprint of what its seat sees."""
    owner: np.ndarray[Any, Any]
    """Of every information set: its seat."""
    start: Integers
    """Where the actions of every information set begin, and where the last ones end."""
    actions: np.ndarray[Any, Any]
    probabilities: Floats
    """Of every action."""
    method: str = ""
    iterations: int = 0
    seconds: float = 0.0
    history: Sequence[tuple[int, float]] = field(default_factory=list)
    """(iteration, exploitability) along the way."""

    def __repr__(self) -> str:
        by = f" by {self.method}" if self.method else ""
        after = f", {self.iterations:,} iterations" if self.iterations else ""
        gap = f", exploitability {self.history[-1][1]:.3g}" if self.history else ""
        return f"<{type(self).__name__} for {self.game.name}{by}: {len(self.keys):,} information sets{after}{gap}>"

    def _repr_html_(self) -> str:
        return html.fragment(repr(self), html.preformatted(self.table(40)))

    @classmethod
    def on(cls, form: SequenceForm, policy: Floats, **known: Any) -> Strategy:
        """The strategy that gives every sequence of a form this probability."""
        players, owner = form.players, np.repeat(np.arange(form.players), np.diff(form.arrays.bounds))
        made = cls(
            game=form.game,
            keys=form.keys,
            owner=owner.astype(np.int8),
            start=form.arrays.start - players,
            actions=form.actions[players:],
            probabilities=policy[players:],
            **known,
        )
        made.__dict__["form"] = form
        return made

    @property
    def size(self) -> int:
        """Bytes of memory that its own arrays take."""
        return sum(getattr(self, name).nbytes for name in ("keys", "owner", "start", "actions", "probabilities"))

    @cached_property
    def form(self) -> SequenceForm:
        """The sequence form of the game."""
        return sequence_form(self.game)

    @cached_property
    def ordered(self) -> Any:
        return np.argsort(self.keys, kind="stable")

    @cached_property
    def policy(self) -> Floats:
        """The probability of every sequence of the form; uniform where this strategy knows nothing."""
        form = self.form
        if form.keys is self.keys or np.array_equal(form.keys, self.keys):
            return np.concatenate([np.ones(form.players), self.probabilities])
        policy = form.uniform()
        places = np.searchsorted(self.keys, form.keys, sorter=self.ordered).clip(max=len(self.keys) - 1)
        mine = self.ordered[places]
        for info in np.flatnonzero(self.keys[mine] == form.keys).tolist():
            policy[form.slots(info)] = self.probabilities[self.start[mine[info]] : self.start[mine[info] + 1]]
        return policy

    def number(self, seat: int, view: np.record) -> int:
        """The information set of a seat that sees this."""
        return find(self.game, self.keys, self.ordered, seat, view)

    def knows(self, seat: int, view: np.record) -> bool:
        try:
            self.number(seat, view)
        except UserError:
            return False
        return True

    def probabilities_at(self, info: int) -> dict[int, float]:
        """Each action of an information set, and how often it is played."""
        slots = slice(self.start[info], self.start[info + 1])
        return dict(zip(self.actions[slots].tolist(), self.probabilities[slots].tolist()))

    # ---- what it is worth

    @cached_property
    def evaluation(self) -> Evaluation:
        return evaluate(self.form, self.policy)

    @property
    def value(self) -> float:
        """What seat 0 expects if all seats follow the strategy."""
        return self.evaluation.values[0]

    @property
    def exploitability(self) -> float:
        """What a perfect opponent wins a game from it, averaged over the seats."""
        return self.evaluation.exploitability

    @property
    def nash_conv(self) -> float:
        return self.evaluation.nash_conv

    def best_response(self) -> Strategy:
        """The strategy in which every seat answers the others' part of this one as well as can be."""
        return Strategy.on(self.form, self.evaluation.responses, method="best response")

    @cached_property
    def worth(self) -> tuple[Floats, Floats]:
        """For every sequence: what follows it for its seat if all go on by the strategy, and how likely the others
        let the game come there."""
        form = self.form
        plan, gains, chances = np.empty((3, form.sequences))
        follow_sequences(form.arrays, self.policy, plan, gains, chances)
        return gains, chances

    def action_values(self, seat: int, view: np.record) -> dict[int, float] | None:
        """What each action wins for a seat that sees this, if all go on by the strategy; None where the others never
        let the game come there."""
        slots = self.form.slots(self.form.number(seat, view))
        gains, chances = (sums[slots] for sums in self.worth)
        if chances.max() <= 0.0:
            return None
        return dict(zip(self.form.actions[slots].tolist(), (gains / chances.max()).tolist()))

    # ---- as a table, and in a file

    def rows(self, most: int | None = None) -> list[tuple[Text, str, list[tuple[str, float]]]]:
        """(seat, what it sees, [(action, probability)]) of the information sets, the first `most` of them."""
        form, people = self.form, self.game.people
        if not len(form.states):
            raise UserError("the strategy has {n:,} information sets: too many for a table", n=form.infos)
        found = []
        for info in range(form.infos if most is None else min(most, form.infos)):
            seat, slots = form.seat_of(info), form.slots(info)
            words = ", ".join(people.show(form.views[info], seat).splitlines())
            names = [people.action_name(form.states[info], action) for action in form.actions[slots].tolist()]
            found.append((Text("{who}", who=Seat(seat)), words, list(zip(names, self.policy[slots].tolist()))))
        return found

    def columns(self) -> dict[str, list[Any]]:
        """The strategy as columns: a row for each action of each information set."""
        rows = [(str(who), words, name, share) for who, words, shares in self.rows() for name, share in shares]
        names = ("seat", "information_set", "action", "probability")
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def table(self, most: int | None = None) -> str:
        """The strategy in words: a line for every information set, or for the first `most`."""
        rows = self.rows(most)
        width = max(len(words) for _, words, _ in rows)
        names = max(len(name) for _, _, shares in rows for name, _ in shares)
        lines = [
            f"{who}  {words:<{width}}  " + "  ".join(f"{name:<{names}} {share:6.1%}" for name, share in shares)
            for who, words, shares in rows
        ]
        rest = self.form.infos - len(rows)
        return "\n".join(lines + ([f"... and {rest:,} more"] if rest else []))

    def about(self) -> dict[str, Any]:
        """What is known of it beside its probabilities."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "rules": self.game.rules.key,
            "method": self.method,
            "iterations": self.iterations,
            "history": [list(row) for row in self.history],
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that `Strategy.load` and the agent `solved` read."""
        about = {"hiddenhand": "strategy", "format": FORMAT, **self.about()}
        arrays = {name: getattr(self, name) for name in ("keys", "owner", "start", "actions")}
        with open(path, "wb") as file:  # by a file: by a path, NumPy would add .npz to its name
            np.savez_compressed(file, about=json.dumps(about), probabilities=self.probabilities, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str], game: Game | str | None = None) -> Strategy:
        """What `save` wrote; `game` if it is not one of ours, or to make sure that it is the right one."""
        try:
            with np.load(Path(path), allow_pickle=False) as kept:
                about = json.loads(str(kept["about"]))
                arrays = {name: kept[name] for name in ("keys", "owner", "start", "actions", "probabilities")}
        except (OSError, ValueError, LookupError, zipfile.BadZipFile):
            raise UserError("{file} is no strategy that `solve` wrote", file=path) from None
        if about.get("hiddenhand") != "strategy" or about.get("format") != FORMAT:
            raise UserError("{file} is no strategy that `solve` wrote", file=path)
        of = resolver.game(about["game"] if game is None else game, {} if game else about["options"])
        if of.rules.key != about["rules"] or dict(of.options) != about["options"]:
            options = ", ".join(f"{name}={value}" for name, value in about["options"].items())
            raise UserError(
                "the strategy in {file} was made for {game} {options}, and for other rules than these",
                file=path,
                game=about["game"],
                options=options,
            )
        known = {name: about[name] for name in ("method", "iterations")}
        return cls(of, **arrays, **known, history=[tuple(row) for row in about["history"]])
