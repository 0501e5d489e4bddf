"""A world as a game of the package, made from its specification.

    WORLD = read_world("tiger")
    GAME = world_game("tiger", WORLD, title="The tiger behind the door")

One plays. An episode has so many steps; what it pays is the sum of the payoffs of the visible states that were
reached. The first visible state is drawn among those that can occur, the true state among those that look like it.
What a person reads (`show`, `news`) stands here for every world; the functions that a game gives come before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.extras import Opponent, Opponents
from hiddenhand.core.game import Game, define
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.planning.explain.model_clauses import why_illegal
from hiddenhand.planning.explain.question import steps_text
from hiddenhand.planning.model.world import Axis, Names, World, words_of
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.play.pictures import world_pictures
from hiddenhand.planning.play.planner_agent import PlannerAgent, PointBasedAgent
from hiddenhand.planning.play.pomcp_agent import WorldPomcpAgent
from hiddenhand.planning.play.world_rules import ANYWHERE, WORLDS, record_types, rules_of, tables_of

CHAMPION = f"{PlannerAgent.name}:depth=8"
OPPONENTS = (
    Opponent(Text("Beginner"), "random", Text("does anything that is possible")),
    Opponent(Text("Short-sighted"), f"{PlannerAgent.name}:depth=2", Text("plans two steps ahead")),
    Opponent(Text("Far-sighted"), CHAMPION, Text("plans eight steps ahead")),
)
STEPS = 50
MOST_STEPS = 10_000
LARGEST = 1_000_000
"""Numbers that a world's tables may hold: they become constants of compiled code."""
ANY = "any"
LEAST_SHOWN = 0.0005
MOST_MEANINGS = 12
MEANT = {"input": Text("seen"), "hidden": Text("hidden")}


def world_game(
    name: str, world: World, *, title: str, about: str | None = "", people: Sequence[Callable[..., Any]] = ()
) -> Game:
    """The game of a world; `people` are functions of its own, which come before those of every world."""
    state, view = record_types(world)
    tables = tables_of(world)
    size = 2 * len(tables.targets) + tables.legal.size + len(tables.starts)
    if size > LARGEST:
        raise UserError(
            "{name} is too large to be played: its tables hold {size:,} numbers, at most "
            "{most:,} can; `svarog solve` plans in it",
            name=name,
            size=size,
            most=LARGEST,
        )
    rules = rules_of(tables)
    own = {function.__name__: function for function in people}
    metrics = world.payoff_names
    if not metrics:
        del rules["measure"]
    hidden = hides(world)
    if not hidden:
        del rules["observe"], rules["redeal"]
    game = define(
        name,
        title=title,
        about=about,
        state=state,
        view=view if hidden else None,
        rules=tuple(rules.values()),
        people=tuple({**functions_of(world), **own}.values()),
        players=1,
        hidden=hidden,
        chance=chance_of(world, ANYWHERE),
        utility="general",
        most_actions=len(world.actions),
        all_actions=len(world.actions),
        longest=STEPS,
        metrics=metrics,
        options={
            "steps": Setting(STEPS, Text("how many steps an episode has"), low=1, high=MOST_STEPS),
            "start": Setting(
                ANY,
                Text("what is seen at first: {any}, or the values of all that is seen, with spaces between", any=ANY),
            ),
        },
        payoffs=range_of(world, STEPS),
        agents=(PlannerAgent, WorldPomcpAgent, PointBasedAgent),
        extras=(Opponents(OPPONENTS, champion=CHAMPION),),
    )
    WORLDS[game.rules] = world
    return game


def hides(world: World) -> bool:
    """Whether some visible state can be one of several."""
    return bool((np.diff(world.first) > 1).any())


def chance_of(world: World, start: int) -> tuple[str, ...]:
    """Where chance has a part when an episode starts in this visible state, or anywhere."""
    possible = np.flatnonzero(world.possible) if start == ANYWHERE else np.array([start])
    several = len(possible) > 1 or len(world.states_of(int(possible[0]))) > 1
    return ("deal", "draws") if several else ("draws",)


def game_from_file(path: Path) -> Game:
    """The specification in a file as a game."""
    world = read_world(path)
    title = world.name.replace("_", " ").capitalize()
    return world_game(
        path.stem, world, title=title, about=Text("A world of the Svarog language: {file}.", file=path.name)
    )


def range_of(world: World, steps: int) -> tuple[float, float]:
    """The least and the largest total payoff of `steps` steps."""
    paid = world.payoffs[world.possible]
    return steps * min(0.0, float(paid.min())), steps * max(0.0, float(paid.max()))


def functions_of(world: World) -> dict[str, Callable[..., Any]]:
    """What a person needs, for any world."""

    def action_name(s: np.record, action: int) -> str:
        return Text(" ".join(world.actions[action]))

    def configure(s: np.record, options: Mapping[str, Any]) -> None:
        s.steps = options["steps"]
        s.start = first_state(world, options["start"])

    def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "longest": options["steps"],
            "payoffs": range_of(world, options["steps"]),
            "chance": chance_of(world, first_state(world, options["start"])),
        }

    @cache
    def reports() -> frozenset[int]:
        return reports_of(world)

    def show(view: np.record, seat: int) -> str:
        lines = [value_text(name, value) for name, value in seen(world, view, reports()).items()]
        return Text.joined("\n", [so_far(view), *lines, "", *believed(world, view)])

    def news(before: np.record, after: np.record, seat: int) -> list[str]:
        """What changed, and what the step brought even if it is the same again."""
        was, now = (world.visible_states[int(s.visible)] for s in (before, after))
        changed = [
            value_text(axis.name, value)
            for place, (axis, value) in enumerate(zip(world.inputs, now))
            if value != was[place] or place in reports()
        ]
        seen_now = Text.joined(", ", changed) if changed else Text("all that is seen is as before")
        return [Text.joined("", [seen_now, paid(before, after)])]

    def refusal(s: np.record, action: int) -> str:
        visible = int(s.visible)
        if world.legal[visible, action]:
            return ""
        reasons = [Text(name) for name in why_illegal(world, visible, action) if name]
        return Text.joined(", ", reasons) if reasons else Text("it cannot be done here")

    def outcome(s: np.record) -> str:
        return Text("{payoffs}, in {steps}", payoffs=paid_in_all(world, s), steps=steps_text(int(s.step)))

    def meaning(word: str) -> str:
        return meaning_in(world, word)

    def open_table(s: np.record, views: list[View], agents: Mapping[int, Any]) -> str:
        _, hidden = world.states[int(s.truth)]
        values = [value_text(axis.name, value) for axis, value in zip(world.hidden, hidden)]
        truth = Text.joined(", ", values) if values else Text("what is seen")
        return Text.joined("\n", [Text("the truth is {truth}", truth=truth), views[0].screen()])

    drawing = world_pictures(world, lambda view: seen(world, view, reports()))
    own = (action_name, configure, adapt, show, news, refusal, outcome, meaning, open_table)
    functions: tuple[Callable[..., Any], ...] = (*own, *drawing)
    return {function.__name__: function for function in functions}


def meaning_in(world: World, word: str) -> str:
    """What a variable, a value or an action of the world is, or all whose names hold the word; empty if none does."""
    meanings: dict[str, str] = {
        **{axis.name: variable_meaning(axis) for axis in world.inputs + world.hidden},
        **{" ".join(names): Text("something that can be done") for names in world.actions},
    }
    for axis in world.inputs + world.hidden:
        for value in axis.values:
            meanings.setdefault(value, Text("a value of {variable}", variable=Text(axis.name)))
    wanted = word.strip().lower().replace(" ", "_")
    exact = [name for name in meanings if name.lower() == word.strip().lower()]
    near = [name for name in meanings if wanted and wanted in name.lower().replace(" ", "_")]
    found = exact or near[:MOST_MEANINGS]
    return Text.joined("\n", [Text("{name}: {meaning}", name=Text(name), meaning=meanings[name]) for name in found])


def variable_meaning(axis: Axis) -> Text:
    """What kind of variable it is, and its values."""
    values = one_of([Text(value) for value in axis.values])
    return Text("{kind}: {values}", kind=MEANT[axis.kind], values=values)


def value_text(variable: str, value: str) -> Text:
    """`variable: value`, in the words of the world."""
    return Text("{variable}: {value}", variable=Text(variable), value=Text(value))


def own_words(game: Game) -> dict[str, dict[str, str]]:
    """The words that a world brings, by language; none for other games."""
    return words_of(WORLDS[game.rules]) if game.rules in WORLDS else {}


def first_state(world: World, text: str) -> int:
    """The visible state that the option `start` names."""
    if text == ANY:
        return ANYWHERE
    visible = world.visible(text.replace(",", " ").split())
    world.uniform(visible)  # refuses an impossible one
    return visible


def so_far(view: np.record) -> str:
    return Text(
        "step {n} of {steps}, payoff so far {payoff:+g}", n=int(view.step), steps=int(view.steps), payoff=view.gained
    )


def paid(before: np.record, after: np.record) -> str:
    """What a step paid, if anything."""
    amount = after.gained - before.gained
    return Text(" ({payoff:+g})", payoff=amount) if amount else ""


def paid_in_all(world: World, s: np.record) -> str:
    """How often each payoff came, and what that makes, as far as it makes anything."""
    amounts = dict(zip(world.payoff_name_of.tolist(), world.payoffs.tolist()))
    times = [
        Text.plural(
            "{n} time {payoff} ({amount:+g})",
            "{n} times {payoff} ({amount:+g})",
            n=count,
            payoff=Text(name),
            amount=count * amounts[place],
        )
        for place, (name, count) in enumerate(zip(world.payoff_names, s.tally.tolist()))
        if count and amounts[place]
    ]
    return Text.joined(", ", times) if times else Text("nothing was paid")


def seen(world: World, view: np.record, reports: frozenset[int]) -> dict[str, str]:
    """The visible variables; before the first step there is nothing to report."""
    visible = int(view.visible)
    return {
        axis.name: Text("nothing yet") if nothing_yet(world, view, reports, place) else value
        for place, (axis, value) in enumerate(zip(world.inputs, world.visible_states[visible]))
    }


def nothing_yet(world: World, view: np.record, reports: frozenset[int], place: int) -> bool:
    return view.step == 0 and place in reports and not tells_of_hidden(world, int(view.visible), place)


def believed(world: World, view: np.record) -> list[str]:
    """What may be believed of the hidden variables, the likeliest first."""
    if not world.hidden:
        return [Text("nothing is hidden")]
    states = world.states_of(int(view.visible))
    lines: list[str] = [Text("belief:")]
    for i in np.argsort(-view.belief[: len(states)], kind="stable"):
        if view.belief[i] >= LEAST_SHOWN:
            hidden = world.states[states[int(i)]][1]
            values = [value_text(axis.name, value) for axis, value in zip(world.hidden, hidden)]
            lines.append(Text("  {chance:6.1%}  {state}", chance=view.belief[i], state=Text.joined(", ", values)))
    return lines


# ---- which visible variables only report what the last step brought


def reports_of(world: World) -> frozenset[int]:
    """The places, among the visible variables, of those whose value nothing depends on that can happen next."""
    return frozenset(place for place in range(len(world.inputs)) if only_reports(world, place))


def only_reports(world: World, place: int) -> bool:
    """Whether states that differ in this variable alone lead to the same; there must be such states."""
    following: dict[Any, Any] = {}
    compared = False
    for state, (visible, hidden) in enumerate(world.states):
        alike = (without(world.visible_states[visible], place), hidden)
        ways = tuple(way_on(rows, state) for rows in world.transitions)
        compared |= alike in following
        if following.setdefault(alike, ways) != ways:
            return False
    return compared


def without(names: Names, place: int) -> Names:
    return names[:place] + names[place + 1 :]


def way_on(rows: csr_array, state: int) -> tuple[bytes, bytes]:
    """A row of a sparse table, as something that can be compared."""
    entries = slice(rows.indptr[state], rows.indptr[state + 1])
    return rows.indices[entries].tobytes(), rows.data[entries].tobytes()


def tells_of_hidden(world: World, visible: int, place: int) -> bool:
    """Whether the value of this variable leaves fewer hidden states possible than its other values would."""
    alike = without(world.visible_states[visible], place)
    possible = {hidden for seen, hidden in world.states if without(world.visible_states[seen], place) == alike}
    return len(possible) > len(world.states_of(visible))
