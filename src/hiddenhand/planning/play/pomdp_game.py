"""A model of a `.pomdp` file as a game: `hiddenhand play model.pomdp`.

One plays, for so many steps. What is seen are the observations; the state is hidden, and so are the rewards until
the end, since they would tell of it. What may be believed of the state follows by Bayes' rule from what was done and
seen, and the rules carry it along. The payoff is the sum of the rewards (each the mean for its state and action, as
the model has it); it is not discounted, since an episode has an end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, define
from hiddenhand.core.settings import Setting
from hiddenhand.core.view import View
from hiddenhand.kernel import OVER, Rules, pick, record_type, rule
from hiddenhand.planning.language.pomdp_reading import read_pomdp
from hiddenhand.planning.model.pomdp import Pomdp
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.play.planner_agent import SETTINGS
from hiddenhand.planning.play.world_game import MOST_STEPS, STEPS
from hiddenhand.planning.play.world_rules import drawn

NOTHING = -1
"""Observed before the first step."""
LARGEST = 200_000
"""Numbers that a model's tables may hold: they become constants of compiled code."""
SHOWN = 12
LEAST_SHOWN = 0.0005

MODELS: dict[Rules, Pomdp] = {}
"""The models that games were made of, by the games' rules."""


def game_from_file(path: Path) -> Game:
    """The model of a file as a game."""
    return pomdp_game(read_pomdp(path), path)


def pomdp_game(model: Pomdp, path: Path) -> Game:
    """A model as a game, named after its file."""
    tables = tables_of(model, path)
    state, view = record_types(model)
    rules, hidden = rules_of(tables), len(model.states) > 1
    if not hidden:
        del rules["observe"], rules["redeal"]
    game = define(
        path.stem,
        title=path.stem.replace("_", " ").capitalize(),
        about=f"A model of a .pomdp file: {path.name}.",
        state=state,
        view=view if hidden else None,
        rules=tuple(rules.values()),
        people=functions_of(model),
        players=1,
        hidden=hidden,
        chance=chance_of(model),
        utility="general",
        most_actions=len(model.actions),
        longest=STEPS,
        options={"steps": Setting(STEPS, "how many steps an episode has", low=1, high=MOST_STEPS)},
        payoffs=range_of(model, STEPS),
        champion=ModelPlanner.name,
        agents=(ModelPlanner,),
    )
    MODELS[game.rules] = model
    return game


def chance_of(model: Pomdp) -> tuple[str, ...]:
    """Where chance has a part."""
    draws = any((np.diff(table.indptr) > 1).any() for table in (*model.transitions, *model.observing))
    return (*(["deal"] if np.count_nonzero(model.start) > 1 else []), *(["draws"] if draws else []))


def range_of(model: Pomdp, steps: int) -> tuple[float, float]:
    """The least and the most that so many steps can pay."""
    return steps * min(0.0, float(model.rewards.min())), steps * max(0.0, float(model.rewards.max()))


# ---- rules


@dataclass(frozen=True, eq=False)
class Tables:
    """A model as plain arrays. S states, A actions; row a * S + s is that of action a and state s."""

    start: np.ndarray[Any, Any]
    """(S,) the first belief."""
    rewards: np.ndarray[Any, Any]
    """(A, S)"""
    legal: np.ndarray[Any, Any]
    """(A, S)"""
    steps: np.ndarray[Any, Any]
    """(A * S + 1,) where the states that a row leads to begin, in `targets` and `chances`."""
    targets: np.ndarray[Any, Any]
    chances: np.ndarray[Any, Any]
    sights: np.ndarray[Any, Any]
    """(A * S + 1,) where what is observed in the state reached begins, in `seen` and `odds`."""
    seen: np.ndarray[Any, Any]
    odds: np.ndarray[Any, Any]


def tables_of(model: Pomdp, path: Path) -> Tables:
    tables = Tables(
        np.asarray(model.start, np.float64),
        np.ascontiguousarray(model.rewards, np.float64),
        np.ascontiguousarray(model.legal),
        *joined(model.transitions),
        *joined(model.observing),
    )
    size = sum(array.size for array in vars(tables).values())
    if size > LARGEST:
        raise UserError(
            f"{path} is too large to be played: its tables hold {size:,} numbers, at most {LARGEST:,} can"
        )
    return tables


def joined(rows: tuple[Any, ...]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Sparse tables one below the other: where each row begins, its columns, its numbers."""
    counts = np.concatenate([np.diff(table.indptr) for table in rows])
    return (
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([table.indices for table in rows]).astype(np.int64),
        np.concatenate([table.data for table in rows]).astype(np.float64),
    )


def record_types(model: Pomdp) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The records of the state and of the view."""
    shown = [
        ("steps", "i8"),  # how many there are
        ("step", "i8"),  # how many are over
        ("seen", "i8"),  # what was observed last
        ("belief", "f8", (len(model.states),)),
        ("paid", "f8", (len(model.states),)),  # what was gained on average, if this is the state now
    ]
    return record_type([("truth", "i8"), ("gained", "f8"), *shown]), record_type(shown)


def rules_of(tables: Tables) -> dict[str, Any]:
    """The rules of the contract, by name."""
    start, rewards, allowed = tables.start, tables.rewards, tables.legal
    steps, targets, chances = tables.steps, tables.targets, tables.chances
    sights, seen, odds = tables.sights, tables.seen, tables.odds

    @rule
    def deal(s, rng):
        s.truth = pick(rng, start, len(start))
        s.gained = 0.0
        s.step = 0
        s.seen = NOTHING
        for i in range(len(s.belief)):
            s.belief[i] = start[i]
            s.paid[i] = 0.0

    @rule
    def turn(s):
        """An episode ends with its last step, or where nothing can be done."""
        if s.step < s.steps:
            for action in range(allowed.shape[0]):
                if allowed[action, s.truth]:
                    return 0
        return OVER

    @rule
    def legal(s, out):
        n = 0
        for action in range(allowed.shape[0]):
            if allowed[action, s.truth]:
                out[n] = action
                n += 1
        return n

    @rule
    def play(s, action, rng):
        row = action * len(start)
        s.gained += rewards[action, s.truth]
        s.truth = drawn(steps, targets, chances, row + s.truth, rng)
        s.seen = drawn(sights, seen, odds, row + s.truth, rng)
        s.step += 1
        reached = np.zeros(len(start))
        gained = np.zeros(len(start))  # weighted by how likely it is
        for i in range(len(start)):
            if s.belief[i] > 0.0:
                for entry in range(steps[row + i], steps[row + i + 1]):
                    chance = s.belief[i] * chances[entry]
                    reached[targets[entry]] += chance
                    gained[targets[entry]] += chance * (s.paid[i] + rewards[action, i])
        total = 0.0
        for i in range(len(start)):
            s.paid[i] = gained[i] / reached[i] if reached[i] > 0.0 else 0.0
            likely = 0.0
            if reached[i] > 0.0:
                for entry in range(sights[row + i], sights[row + i + 1]):
                    if seen[entry] == s.seen:
                        likely += odds[entry]
            s.belief[i] = reached[i] * likely
            total += s.belief[i]
        for i in range(len(start)):
            s.belief[i] /= total
            if s.belief[i] == 0.0:
                s.paid[i] = 0.0

    @rule
    def payoff(s, out):
        out[0] = s.gained

    @rule
    def evaluate(s, out):
        """Of what will be gained nothing is known."""
        out[0] = s.gained

    @rule
    def observe(s, seat, view):
        view.steps = s.steps
        view.step = s.step
        view.seen = s.seen
        for i in range(len(s.belief)):
            view.belief[i] = s.belief[i]
            view.paid[i] = s.paid[i]

    @rule
    def redeal(s, seat, rng):
        """A state drawn from the belief. What was gained on the way is its mean, which is all that a plan needs."""
        s.truth = pick(rng, s.belief, len(s.belief))
        s.gained = s.paid[s.truth]

    rules = (deal, turn, legal, play, payoff, evaluate, observe, redeal)
    return {function.__name__: function for function in rules}


# ---- what a person needs


def functions_of(model: Pomdp) -> tuple[Callable[..., Any], ...]:
    def action_name(s: Any, action: int) -> str:
        return model.actions[action]

    def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
        return {"longest": options["steps"], "payoffs": range_of(model, options["steps"])}

    def show(view: Any, seat: int) -> str:
        lines = [f"step {view.step} of {view.steps}"]
        if view.seen != NOTHING:
            lines.append(f"observed: {model.observations[int(view.seen)]}")
        return "\n".join([*lines, "belief:", *(f"  {p:6.1%}  {what}" for what, p in likeliest(model, view.belief))])

    def news(before: Any, after: Any, seat: int) -> list[str]:
        return [f"observed: {model.observations[int(after.seen)]}"]

    def open_table(s: Any, views: list[Any], agents: Mapping[int, Any]) -> str:
        return f"the state is {model.states[int(s.truth)]}, gained so far {s.gained:+g}\n{views[0].screen()}"

    return action_name, adapt, show, news, open_table


def likeliest(model: Pomdp, belief: Any) -> list[tuple[str, float]]:
    """The states that are held possible, the likeliest first."""
    order = np.argsort(-belief, kind="stable")[:SHOWN]
    return [(model.states[int(i)], float(belief[i])) for i in order if belief[i] >= LEAST_SHOWN]


class ModelPlanner(Agent):
    """Acts on the exact plan for its belief."""

    name = "planner"
    summary = "plans exactly, so many steps ahead, with its belief of the hidden state"
    settings = {name: SETTINGS[name] for name in ("depth", "discount")}
    depth: int
    discount: float

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        if game.rules not in MODELS:
            raise UserError(f"{game.name} is no model of a .pomdp file")
        self.model = MODELS[game.rules]
        self.planner = ExactPlanner(self.model, self.discount)

    def decide(self, view: View) -> Decision:
        left = int(view.record.steps - view.record.step)
        plan = self.planner.plan(np.array(view.record.belief), min(left, self.depth))
        best = f"{view.text(plan.action)} is worth {plan.value:+.6g} over the next {plan.depth} steps"
        other = plan.runner_up
        return Decision(
            plan.action,
            view.text(plan.action),
            plan.value,
            alternatives=[
                Alternative(a, view.text(a), float(plan.values[a]), "as good" if a in plan.ties[1:] else "")
                for a in view.actions
            ],
            belief=likeliest(self.model, view.record.belief),
            reasons=[
                f"{best}." if other is None else f"{best}; the next best, {view.text(other)}, {plan.gap:.6g} less."
            ],
            counts={"depth": int(plan.depth or 0), "beliefs": len(self.planner.graph)},
        )
