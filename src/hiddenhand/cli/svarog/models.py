"""`svarog export`, `solve`, `online`, `summary`, `grid` and `map`: worlds as models, models played, plans drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from hiddenhand.cli.options import AsJson
from hiddenhand.cli.output import write_file
from hiddenhand.cli.svarog.sources import FileName, Output, read, report
from hiddenhand.core.errors import UserError

if TYPE_CHECKING:
    from hiddenhand.planning.model.pomdp import Pomdp
    from hiddenhand.planning.model.simulator import Tryable

Discount = Annotated[
    float, typer.Option("--discount", metavar="D", help="What a payoff one step later is worth, from 0 to 1.")
]
Start = Annotated[
    str | None,
    typer.Option("--start", metavar="VALUES", help="The first visible state: its values. [the first possible one]"),
]
Depth = Annotated[int, typer.Option("--depth", "-d", metavar="N", help="How many steps the planner plans ahead.")]
Leaves = Annotated[int, typer.Option("--leaves", metavar="N", help="The most rules that the tree may have.")]
Memory = Annotated[
    float, typer.Option("--memory", metavar="MB", help="The megabytes that beliefs may take; more are refused.")
]
Steps = Annotated[int, typer.Option("--steps", metavar="N", help="How many steps an episode has.")]
States = Annotated[int, typer.Option("--states", metavar="K", help="How many hidden states: 2 or 3.")]
Granularity = Annotated[
    int, typer.Option("--granularity", "-g", metavar="N", help="How fine the grid is; 2 or more.")
]
Basis = Annotated[bool, typer.Option("--basis", help="Only the certainties, as where a grid would be too large.")]
Among = Annotated[
    list[str] | None,
    typer.Option("--among", metavar="VALUES", help="A hidden state; name two or three. [all that are possible]"),
]


def export(
    file: FileName, output: Output, discount: Discount = 0.95, start: Start = None, json: AsJson = False
) -> None:
    """Write a world as a .pomdp file (Cassandra's format), for other people's solvers."""
    from hiddenhand.planning.language.pomdp_writing import write_pomdp
    from hiddenhand.planning.model.world_building import build_world

    world = build_world(read(file))
    visible = None if start is None else world.visible(words(start))
    pomdp = world.pomdp(visible=visible).with_discount(discount)
    write_file(output, write_pomdp(pomdp, f"{world.name}, written by hiddenhand"))
    report({"file": world.specification.file, "output": str(output), **sizes(pomdp)}, f"{output}: {pomdp}", json)


def sizes(pomdp: Pomdp) -> dict[str, Any]:
    return {
        "states": len(pomdp.states),
        "actions": len(pomdp.actions),
        "observations": len(pomdp.observations),
        "discount": pomdp.discount,
    }


def solve(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A .pomdp, .pomdpx or .svarog file, or a world of ours.")
    ],
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", help="The most time to take.")] = 60.0,
    precision: Annotated[float, typer.Option("--precision", metavar="P", help="The gap to end with.")] = 0.001,
    memory: Annotated[float, typer.Option("--memory", metavar="MB", help="The most memory to use.")] = 1000.0,
    discount: Annotated[
        float | None, typer.Option("--discount", metavar="D", help="Instead of the file's; a world has 0.95.")
    ] = None,
    episodes: Annotated[
        int, typer.Option("--episodes", metavar="N", help="Follow the plan so many times, and say what it earned.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The seed of these episodes.")] = 0,
    json: AsJson = False,
) -> None:
    """Bounds on what a discounted model is worth at its first belief, and the first action of a good plan."""
    from hiddenhand.planning.model.conditions import TooManyStates
    from hiddenhand.planning.planners.point_based.policy_evaluation import follow_plan
    from hiddenhand.planning.planners.point_based.solver import solve as narrow

    try:
        pomdp = read_model(file, discount)
    except TooManyStates as error:
        raise UserError("{error}; `svarog online` plays it without writing them down", error=error) from None
    solution = narrow(pomdp, precision=precision, seconds=seconds, memory=memory)
    first_actions = {
        pomdp.first_sight(belief): pomdp.actions[solution.action(belief)] for _, belief in pomdp.beginnings()
    }
    begin = "; ".join(
        action + (f" where {sight} is seen" if sight else "") for sight, action in first_actions.items()
    )
    same = set(first_actions.values())
    took = solution.progress
    document = {
        "file": file,
        **sizes(pomdp),
        "lower": solution.lower,
        "upper": solution.upper,
        "action": same.pop() if len(same) == 1 else None,
        **({"first_actions": first_actions} if pomdp.seen_first is not None else {}),
        "seconds": round(took.seconds, 6),
        "ended": solution.reason,
        "beliefs": took.beliefs,
        "vectors": took.vectors,
    }
    ended = {"seconds": "the time was up", "memory": "the memory was full", "precision": "the bounds meet"}
    text = (
        f"{file}: {pomdp}\n"
        f"worth from {solution.lower:.6g} to {solution.upper:.6g} at the first belief; begin with {begin}\n"
        f"{took.seconds:.2f} s, {took.beliefs} beliefs, {took.vectors} vectors; "
        f"{ended.get(solution.reason, solution.reason)}"
    )
    if episodes:
        earned = follow_plan(solution, episodes, seed)
        document["earned"] = {"mean": earned.mean, "error": earned.error, "episodes": episodes, "rest": earned.rest}
        text += f"\nfollowed {episodes} times it earned {earned.mean:.6g} ± {earned.error:.2g} (95 %)"
    report(document, text, json)


def read_model(name: str, discount: float | None) -> Pomdp:
    """The model of a .pomdp file, or of a world."""
    from hiddenhand.planning.model.pomdp import Pomdp
    from hiddenhand.planning.model.world_building import read_model as read_any

    found = read_any(name)
    if isinstance(found, Pomdp):
        return found if discount is None else found.with_discount(discount)
    return found.pomdp().with_discount(0.95 if discount is None else discount)


def online(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A .pomdpx, .pomdp or .svarog file, or a world of ours.")
    ],
    episodes: Annotated[int, typer.Option("--episodes", metavar="N", help="How many episodes to play.")] = 100,
    simulations: Annotated[
        int, typer.Option("--simulations", metavar="N", help="Courses of events that are imagined for a step.")
    ] = 2000,
    depth: Annotated[int, typer.Option("--depth", "-d", metavar="N", help="How many steps are imagined.")] = 60,
    particles: Annotated[
        int, typer.Option("--particles", metavar="N", help="States that stand for what is believed.")
    ] = 2000,
    steps: Steps = 100,
    discount: Annotated[
        float | None, typer.Option("--discount", metavar="D", help="Instead of the file's; a world has 0.95.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The seed of the episodes.")] = 0,
    json: AsJson = False,
) -> None:
    """Play a model by trying things out at every step (POMCP), and say what that earns.

    Nothing is written down state by state: a .pomdpx file may have more states than could be counted.
    """
    from hiddenhand.planning.planners.pomcp import EpisodeSettings, play_episodes

    for name, value in (("simulations", simulations), ("depth", depth), ("particles", particles), ("steps", steps)):
        if value < 1:
            raise UserError("{name} must be at least 1, not {value}", name=name, value=value)
    model = factored_or_not(file, discount)
    found = play_episodes(model, episodes, EpisodeSettings(simulations, depth, particles, steps, seed))
    document = {
        "file": file,
        "episodes": episodes,
        "simulations": simulations,
        "mean": found.mean,
        "error": found.error,
        "totals": found.totals.tolist(),
    }
    text = f"{file}: {episodes} episodes of at most {steps} steps earned {found.mean:.6g} ± {found.error:.2g} (95 %)"
    report(document, text, json)


def factored_or_not(name: str, discount: float | None) -> Tryable:
    """A .pomdpx file as it is written; any other model as states, or clause by clause where they are too many."""
    from dataclasses import replace

    from hiddenhand.planning.language.pomdp_reading import file_bytes
    from hiddenhand.planning.language.pomdpx_reading import parse_factored
    from hiddenhand.planning.model.clauses import Clauses
    from hiddenhand.planning.model.conditions import TooManyStates

    if not name.lower().endswith(".pomdpx"):
        try:
            return read_model(name, discount)
        except TooManyStates:
            return Clauses(read(name), 0.95 if discount is None else discount)
    model = parse_factored(file_bytes(name), name)
    if discount is not None and not 0.0 <= discount <= 1.0:
        raise UserError("a discount must be a number from 0 to 1, not {discount}", discount=discount)
    return model if discount is None else replace(model, discount=discount)


def summary(
    file: FileName,
    depth: Depth = 8,
    leaves: Leaves = 24,
    steps: Steps = 50,
    memory: Memory = 500.0,
    json: AsJson = False,
) -> None:
    """Print a small decision tree that does nearly what the planner does, and what it loses."""
    from hiddenhand.planning.explain.summary import summarise
    from hiddenhand.planning.model.world_building import build_world

    found = summarise(build_world(read(file)), depth, leaves, steps, memory)
    report(found.to_json(), found.text(), json)


def grid(
    output: Output, states: States = 3, granularity: Granularity = 2, basis: Basis = False, json: AsJson = False
) -> None:
    """Draw the beliefs that are precalculated for two or three hidden states (SVG)."""
    from hiddenhand.planning.explain.belief_drawing import grid_picture

    write_file(output, grid_picture(states, granularity, basis))
    document = {"output": str(output), "states": states, "granularity": granularity, "basis": basis}
    report(document, f"drawn in {output}", json)


def policy_map(
    file: FileName, output: Output, start: Start = None, depth: Depth = 4, among: Among = None, json: AsJson = False
) -> None:
    """Draw what to do by what is believed: a line for two hidden states, a triangle for three (SVG)."""
    import numpy as np

    from hiddenhand.planning.explain.belief_drawing import map_picture
    from hiddenhand.planning.explain.policy_map import policy_map as reckon
    from hiddenhand.planning.model.world_building import build_world

    world = build_world(read(file))
    visible = int(np.argmax(world.possible)) if start is None else world.visible(words(start))
    found = reckon(world, visible, depth, [words(text) for text in among or []])
    write_file(output, map_picture(found))
    lines = [f"{100.0 * s.low:.4g} to {100.0 * s.high:.4g} %: {found.names[s.action]}" for s in found.intervals]
    if lines:
        lines.insert(0, f"by the probability of {found.states[1]}:")
    report({"output": str(output), **found.to_json()}, "\n".join([found.title, *lines, f"drawn in {output}"]), json)


def words(text: str) -> list[str]:
    return text.replace(",", " ").split()
