"""A general model, such as that of a `.pomdp` file, as a game.

One plays. The state is hidden and so are the payoffs; what was observed after the last step is seen. An episode has
so many steps; what it pays is the sum of the payoffs, a later one discounted as the model says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Opponents
from hiddenhand.core.game import Game, define
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.planning.explain.question import steps_text
from hiddenhand.planning.language.pomdp_reading import read_pomdp
from hiddenhand.planning.model.pomdp import Pomdp
from hiddenhand.planning.planners import planner
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.protocol import Plan, Planner
from hiddenhand.planning.play.model_reasons import LEAST_SHOWN, likeliest, told
from hiddenhand.planning.play.pictures import model_pictures
from hiddenhand.planning.play.planner_agent import MEMORY_SETTING, MOST_DEPTH, MOST_REMEMBERED
from hiddenhand.planning.play.pomcp_agent import ModelPomcpAgent
from hiddenhand.planning.play.pomdp_rules import MODELS, NOTHING, model_of, record_types, rules_of

STEPS = 50
MOST_STEPS = 10_000
MOST_MEANINGS = 12
LARGEST = 200_000
"""Numbers that a model's tables may hold: they become constants of compiled code."""


class ModelPlannerAgent(Agent):
    """Acts on the plan of one of the planners for its belief."""

    name = "planner"
    summary = Text("plans with its belief of what is hidden, exactly or by bounds")
    settings: Mapping[str, Setting] = {
        "depth": Setting(4, Text("how many steps it plans ahead"), low=1, high=MOST_DEPTH),
        "method": Setting("exact", Text("which planner it asks"), choices=("exact", "reachable", "point_based")),
        "seconds": Setting(
            10.0,
            Text("the most time that point_based takes before the first move"),
            low=0.1,
            high=3600.0,
            ceiling=10.0,
        ),
        "memory": MEMORY_SETTING,
    }

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.model = model_of(game).with_discount(float(game.options["discount"]))
        self.planner = planner_by(self.model, self.values)

    def plan(self, view: View) -> Plan:
        left = int(view.record.steps - view.record.step)
        if isinstance(self.planner, ExactPlanner) and len(self.planner.graph) > MOST_REMEMBERED:
            self.planner.forget()
        return self.planner.plan(np.array(view.record.belief), min(self.values["depth"], left))

    def decide(self, view: View) -> Decision:
        plan = self.plan(view)
        return Decision(plan.action, view.action_name(plan.action), plan.value)

    def explain(self, view: View) -> Decision:
        return told(self.model, np.array(view.record.belief), self.plan(view))


def planner_by(model: Pomdp, values: Mapping[str, Any]) -> Planner:
    """The planner that the settings of the agent ask for."""
    extra = {"seconds": values["seconds"]} if values["method"] == "point_based" else {}
    return planner(values["method"], model, memory=values["memory"], **extra)


def pomdp_game(name: str, model: Pomdp, *, title: str, about: str = "") -> Game:
    """The game of a model."""
    size = model.rewards.size + 2 * sum(table.nnz for table in (*model.transitions, *model.observing))
    if size > LARGEST:
        raise UserError(
            "{name} is too large to be played: its tables hold {size:,} numbers, at most {most:,} can",
            name=name,
            size=size,
            most=LARGEST,
        )
    state, view = record_types(model)
    game = define(
        name,
        title=title,
        about=about,
        state=state,
        view=view,
        rules=rules_of(model),
        people=people_of(model),
        players=1,
        hidden=True,
        chance=chance_of(model),
        utility="general",
        most_actions=len(model.actions),
        all_actions=len(model.actions),
        longest=STEPS,
        options={
            "steps": Setting(STEPS, Text("how many steps an episode has"), low=1, high=MOST_STEPS),
            "discount": Setting(
                model.discount, Text("what a payoff one step later is worth; at first the model's"), low=0.0, high=1.0
            ),
        },
        payoffs=range_of(model, STEPS, model.discount),
        agents=(ModelPlannerAgent, ModelPomcpAgent),
        extras=(Opponents(champion=ModelPlannerAgent.name),),
    )
    MODELS[game.rules] = model
    return game


def game_from_file(path: Path) -> Game:
    """The model in a file as a game."""
    title = path.stem.replace("_", " ").replace("-", " ").capitalize()
    return pomdp_game(path.stem, read_pomdp(path), title=title, about=Text("The model in {file}.", file=path.name))


def chance_of(model: Pomdp) -> tuple[str, ...]:
    """Where chance has a part: in the first state, and in steps and observations."""
    deals = ("deal",) if np.count_nonzero(model.start) > 1 else ()
    uncertain = any((np.diff(table.indptr) > 1).any() for table in (*model.transitions, *model.observing))
    return (*deals, "draws") if uncertain else deals


def range_of(model: Pomdp, steps: int, discount: float) -> tuple[float, float]:
    """The least and the largest total payoff of `steps` steps."""
    paid = model.rewards[model.legal]
    weight = steps if discount == 1.0 else (1.0 - discount**steps) / (1.0 - discount)
    return weight * min(0.0, float(paid.min(initial=0.0))), weight * max(0.0, float(paid.max(initial=0.0)))


def people_of(model: Pomdp) -> tuple[Callable[..., Any], ...]:
    """What a person needs, for any model."""

    def seen(view: np.record) -> str:
        if view.seen != NOTHING:
            return model.observations[int(view.seen)]
        return model.first_sight(np.asarray(view.belief)) or Text("nothing yet")

    def action_name(s: np.record, action: int) -> str:
        return model.actions[action]

    def configure(s: np.record, options: Mapping[str, Any]) -> None:
        s.steps = options["steps"]
        s.discount = options["discount"]

    def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
        steps = options["steps"]
        return {"longest": steps, "payoffs": range_of(model, steps, options["discount"])}

    def show(view: np.record, seat: int) -> str:
        believed = likeliest(model, view.belief)
        so_far = float(np.dot(view.belief, view.gain)) + 0.0
        done = Text(
            "step {n} of {steps}, payoff so far {payoff:+.6g} on average",
            n=int(view.step),
            steps=int(view.steps),
            payoff=so_far,
        )
        states = [Text("  {chance:6.1%}  {state}", chance=chance, state=state) for state, chance in believed]
        return Text.joined("\n", [done, Text("seen: {what}", what=seen(view)), "", Text("belief:"), *states])

    def news(before: np.record, after: np.record, seat: int) -> list[str]:
        return [Text("seen: {what}", what=seen(after))]

    def refusal(s: np.record, action: int) -> str:
        return "" if model.legal[action, int(s.truth)] else Text("the model does not allow it in any possible state")

    def outcome(s: np.record) -> str:
        return Text("{steps} paid {payoff:+g} in all", steps=steps_text(int(s.step)), payoff=s.gained)

    def open_table(s: np.record, views: list[View], agents: Mapping[int, Any]) -> str:
        truth = Text(
            "the truth is {state}, payoff so far {payoff:+g}", state=model.states[int(s.truth)], payoff=s.gained
        )
        return Text.joined("\n", [truth, views[0].screen()])

    def meaning(word: str) -> str:
        return meaning_in(model, word)

    drawing = model_pictures(model, seen, LEAST_SHOWN)
    return action_name, configure, adapt, show, news, refusal, outcome, meaning, open_table, *drawing


def meaning_in(model: Pomdp, word: str) -> str:
    """What a name of the model is, or all names that hold the word; empty if none does."""
    meanings = {
        **dict.fromkeys(model.states, Text("a state, which is hidden")),
        **dict.fromkeys(model.observations, Text("something that may be seen after a step")),
        **dict.fromkeys(model.actions, Text("something that can be done")),
    }
    wanted = word.strip().lower()
    exact = [name for name in meanings if name.lower() == wanted]
    near = [name for name in meanings if wanted and wanted in name.lower()]
    found = exact or near[:MOST_MEANINGS]
    return Text.joined("\n", [Text("{name}: {meaning}", name=name, meaning=meanings[name]) for name in found])
