"""Reasons for planned decisions on the command line: in a world by itself, and in a saved game of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hiddenhand.cli.output import add_words, print_json, say, say_decision, write_file
from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.text import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hiddenhand.core.agent import Agent
    from hiddenhand.core.settings import Setting
    from hiddenhand.core.view import View
    from hiddenhand.planning.model.pomdp import Pomdp
    from hiddenhand.planning.model.world import World
    from hiddenhand.planning.play.planner_agent import Decider, PlanDecision

PLANNER = "planner"

WhyNot = Annotated[
    str | None,
    typer.Option("--why-not", metavar="ACTION", help="Compare with this action. [a planner: the next best]"),
]
Svg = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="A planner: draw the tree of likely futures into a file.")
]
Start = Annotated[
    str | None,
    typer.Option("--start", metavar="VALUES", help="A world: what is visible at first. [the first possible state]"),
]
Believed = Annotated[
    list[str] | None,
    typer.Option("--belief", metavar="VALUES:P", help="A world: a hidden state and its probability; repeat it."),
]
Then = Annotated[
    list[str] | None,
    typer.Option(
        "--then", metavar="ACTION:VALUES", help="A world: a step, and what was visible after it; repeat it."
    ),
]


def is_world(name: str) -> bool:
    """Whether a name means a world, and not a record."""
    if name.endswith((".svarog", ".pomdp", ".pomdpx")):
        return True
    if "/" in name or name.endswith(".json"):
        return False
    from hiddenhand.planning.worlds import worlds

    return name in worlds()


@dataclass(frozen=True)
class Situation:
    """A world, and what the options say has happened in it."""

    name: str
    start: str | None = None
    belief: list[str] = field(default_factory=list)
    then: list[str] = field(default_factory=list)


def explain_world(situation: Situation, agent: str, why_not: str | None, svg: Path | None, json: bool) -> None:
    """Explain what a planner does in a world, or in a model of a .pomdp file, with a given belief."""
    from hiddenhand.planning.model.world import words_of
    from hiddenhand.planning.model.world_building import read_world

    if situation.name.endswith((".pomdp", ".pomdpx")):
        if svg is not None:
            raise UserError("--svg draws worlds of the Svarog language; a .pomdp file is none")
        explain_model(situation, agent, why_not, json)
        return
    world = read_world(situation.name)
    decider, depth = decider_of(world, agent)
    now = believed(world, decider, situation)
    decision = decider.reasons(now, depth, why_not)
    if svg is not None:
        draw(decider, now, depth, why_not, svg)
    assert decision.explanation is not None
    if json:
        print_json({"world": world.name, "agent": agent, **drawn_in(svg), **decision.to_json()})
        return
    add_words(words_of(world))
    visible = Text.joined(", ", [Text(f"{name}=>{value}") for name, value in decision.explanation.visible.items()])
    say(Text("{world}: {visible}", world=world.name, visible=visible))
    say_decision(agent, decision)
    if svg is not None:
        say(Text("likely futures drawn in {file}", file=svg))


def explain_model(situation: Situation, agent: str, why_not: str | None, json: bool) -> None:
    """Explain what a planner does in a model of a .pomdp file with a given belief."""
    from hiddenhand.planning.language.pomdp_reading import read_pomdp
    from hiddenhand.planning.play.model_reasons import told
    from hiddenhand.planning.play.pomdp_game import ModelPlannerAgent, planner_by

    model = read_pomdp(situation.name)
    values = settings_of(agent, ModelPlannerAgent.settings)
    now = first_belief(model, situation)
    seen_first = model.first_sight(now)
    for text in situation.then:
        action, seen = parted(text, "--then", "ACTION:OBSERVATION, such as 'listen: growl-left'")
        observation = model.observation_named(seen.strip())
        now, _ = model.after(now, model.action_named(action.strip()), observation)
    decision = told(model, now, planner_by(model, values).plan(now, values["depth"]), why_not)
    if json:
        visible = {"seen_first": seen_first} if seen_first else {}
        print_json({"world": Path(situation.name).stem, "agent": agent, **visible, **decision.to_json()})
        return
    print(f"{Path(situation.name).stem}: {model}")
    if seen_first:
        others = [model.first_sight(belief) for _, belief in model.beginnings()]
        choice = "" if len(others) == 1 else Text("; --start takes any of: {list}", list=one_of(others))
        say(Text("seen before the first action: {what}", what=seen_first) + choice)
    say_decision(agent, decision)


def first_belief(model: Pomdp, situation: Situation) -> NDArray[np.float64]:
    """What is believed before the first action: what the options say, else the model's own belief after what is seen
    first, which is the first possible sight if --start names none."""
    import numpy as np

    sight = None if situation.start is None else model.beginning(situation.start)
    if not situation.belief:
        return np.array(model.beginnings()[0][1] if sight is None else sight)
    now = np.zeros(len(model.states))
    for text in situation.belief:
        state, probability = parted(text, "--belief", "STATE:P, such as 'left: 0.85'")
        now += number(probability) * model.belief_in(state.strip())
    now = summed_to_one(now)
    visible = model.first_sight(now)
    if sight is not None and visible != model.first_sight(sight):
        raise UserError(
            "--start says that {sight} is visible, but in the states of --belief {visible} is",
            sight=model.first_sight(sight),
            visible=visible,
        )
    return now


def decider_of(world: World, text: str) -> tuple[Decider, int]:
    """The planner that a text such as `planner:depth=6` means, and its depth."""
    from hiddenhand.planning.play.planner_agent import SETTINGS, Decider

    values = settings_of(text, SETTINGS)
    return Decider(world, **values), values["depth"]


def settings_of(text: str, known: Mapping[str, Setting]) -> dict[str, Any]:
    """The settings in a text such as `planner:depth=6`."""
    from hiddenhand.core.settings import parse_pairs, read_settings

    name, _, rest = text.partition(":")
    if name != PLANNER:
        raise UserError(
            "only {planner} can explain a world by itself, not {name}; try {planner}:depth=6",
            planner=PLANNER,
            name=repr(name),
        )
    return read_settings(parse_pairs(rest, name, "parameter"), known, name, "parameter")


def believed(world: World, decider: Decider, situation: Situation) -> NDArray[np.float64]:
    """The belief after all that the options tell."""
    import numpy as np

    start = situation.start
    visible = int(np.argmax(world.possible)) if start is None else world.visible(words(start))
    now = world.uniform(visible)
    if situation.belief:
        now = np.zeros(len(world.states))
        for text in situation.belief:
            values, probability = parted(text, "--belief", "VALUES:P, such as 'left: 0.85'")
            now[world.state(visible, words(values))] += number(probability)
        now = summed_to_one(now)
    for text in situation.then:
        action, values = parted(text, "--then", "ACTION:VALUES, such as 'listen: growl_left'")
        now = stepped(world, decider, now, world.action(words(action)), world.visible(words(values)))
    return now


def stepped(
    world: World, decider: Decider, belief: NDArray[np.float64], action: int, visible: int
) -> NDArray[np.float64]:
    """The belief after a step; if the model holds it impossible, the error says which of its clauses do."""
    from hiddenhand.core.errors import IllegalAction
    from hiddenhand.planning.play.contradictions import contradiction

    try:
        return decider.exact.after(belief, action, visible)
    except IllegalAction:
        raise
    except UserError as error:
        reasons = contradiction(world, belief, action, visible).reasons
        raise UserError(" ".join([f"{error}.", *reasons])) from None


def summed_to_one(belief: NDArray[np.float64]) -> NDArray[np.float64]:
    if not abs(belief.sum() - 1.0) <= 0.001:
        raise UserError("the probabilities of --belief must sum to 1, not to {sum:g}", sum=belief.sum())
    rounded: NDArray[np.float64] = belief / belief.sum()
    return rounded


def words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def parted(text: str, option: str, form: str) -> tuple[str, str]:
    before, colon, after = text.rpartition(":")
    if not colon:
        raise UserError("{option} is written {form}; {text} is not", option=option, form=form, text=repr(text))
    return before, after


def number(text: str) -> float:
    try:
        probability = float(text)
    except ValueError:
        probability = -1.0
    if not 0.0 <= probability <= 1.0:
        raise UserError("a probability must be a number from 0 to 1, not {strip}", strip=repr(text.strip()))
    return probability


def is_planner(agent: Agent) -> bool:
    from hiddenhand.planning.play.planner_agent import PlannerAgent

    return isinstance(agent, PlannerAgent)


def explain_at(view: View, agent: Agent, why_not: str | None, svg: Path | None) -> PlanDecision:
    """What a planner says of what it sees, compared with an action or drawn."""
    from hiddenhand.planning.play.planner_agent import PlannerAgent
    from hiddenhand.planning.play.world_rules import belief_in

    if not isinstance(agent, PlannerAgent):
        raise UserError("--svg is a question for a planner, and {agent} is none", agent=agent)
    decision = agent.reasons(view, why_not)
    if svg is not None:
        left = int(view.record.steps - view.record.step)
        draw(agent.decider, belief_in(agent.world, view.record), left, why_not, svg)
    return decision


def draw(decider: Decider, belief: NDArray[np.float64], left: int, why_not: str | None, svg: Path) -> None:
    """Draw the futures of what is done, and of the action asked about."""
    from hiddenhand.planning.explain.futures import likely_futures
    from hiddenhand.planning.explain.futures_drawing import picture

    question = decider.question(belief, left)
    other = None if why_not is None else question.action_named(why_not)
    write_file(svg, picture(likely_futures(question, other, chosen=decider.plan(belief, left).action)))


def drawn_in(svg: Path | None) -> dict[str, Any]:
    return {} if svg is None else {"svg": str(svg)}
