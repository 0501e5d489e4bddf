"""Checks of the texts that visitors bring: what is wrong, with line and column, and what a sound text describes.

They run in a process of their own (`uploads.worker`), which is ended when a text takes too much time or memory.
Nothing in a text is run.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from hiddenhand.core.errors import TextFault, UserError, one_of
from hiddenhand.core.extras import AgentTexts, load
from hiddenhand.core.game import Game, given_options
from hiddenhand.core.record import parse_json, read_record
from hiddenhand.core.resolver import EVERYTHING, Resolver, own_games
from hiddenhand.core.text import Text
from hiddenhand.web.schemas.outgoing import CheckInfo, FeatureInfo, FindingInfo
from hiddenhand.web.schemas.socket import LONGEST_AGENT

NAMED = 8
"""How many values, states and the like are named in a summary."""
MOST_STATES = 5_000
MOST_NUMBERS = 100_000
"""In the tables of a world or a model: the server holds them in memory, and compiled code as constants."""
VARIABLES = {"input": Text("input"), "hidden": Text("hidden"), "output": Text("output")}
"""The kinds of variables of a world."""
Features = list[tuple[str, str]]


def check(kind: str, text: str, resolver: Resolver) -> CheckInfo:
    """Check a text of this kind."""
    try:
        return CHECKS[kind](text, resolver)
    except TextFault as fault:
        return wrong(fault.message, fault.line, fault.column)
    except UserError as error:
        return wrong(error.text)
    except RecursionError:
        return wrong(Text("it is nested too deeply"))


def wrong(message: str, line: int = 1, column: int = 1) -> CheckInfo:
    """The result for a text with one mistake; a mistake of the whole text is placed at its beginning."""
    return CheckInfo(findings=[FindingInfo(line=line, column=column, severity="error", message=message)], features=[])


def sound(features: Features, findings: list[FindingInfo] | None = None) -> CheckInfo:
    return CheckInfo(findings=findings or [], features=[FeatureInfo(what=w, text=text) for w, text in features])


# ---- worlds and models


def check_world(text: str, resolver: Resolver) -> CheckInfo:
    from hiddenhand.planning.language.checking import Checker
    from hiddenhand.planning.language.parsing import read_text
    from hiddenhand.planning.play.world_game import world_game

    checker = Checker(read_text(text, Text("this world")))
    findings = [
        FindingInfo(line=f.place.line, column=f.place.column, severity=f.severity, message=f.message)
        for f in checker.in_order()
    ]
    if any(finding.severity == "error" for finding in findings):
        return CheckInfo(findings=findings, features=[])
    world = checker.world
    steps = sum(rows.nnz for rows in world.transitions)
    require_small(len(world.states), world.legal.size + 2 * steps)
    try_out(world_game("world", world, title=Text("World")))
    variables = [
        (Text("{name} ({kind})", name=axis.name, kind=VARIABLES[axis.kind]), one_of(list(axis.values), NAMED))
        for axis in all_axes(world)
    ]
    return sound([(Text("players"), "1"), (Text("states"), str(len(world.states))), *variables], findings)


def all_axes(world: Any) -> list[Any]:
    return [*world.inputs, *world.hidden, *world.outputs]


def require_small(states: int, numbers: int) -> None:
    """Raise a UserError if a game is too large for a server that holds many games."""
    if states > MOST_STATES or numbers > MOST_NUMBERS:
        raise UserError(
            "it is too large to be played here: it has {states:,} states, and its tables "
            "{numbers:,} numbers; at most {a:,} and {b:,} can be brought",
            states=states,
            numbers=numbers,
            a=MOST_STATES,
            b=MOST_NUMBERS,
        )


def check_model(text: str, resolver: Resolver) -> CheckInfo:
    from hiddenhand.planning.language.pomdp_reading import parse_pomdp
    from hiddenhand.planning.play.pomdp_game import pomdp_game

    model = parse_pomdp(text, "this model")
    steps = sum(table.nnz for table in (*model.transitions, *model.observing))
    require_small(len(model.states), model.rewards.size + 2 * steps)
    try_out(pomdp_game("this model", model, title=Text("Model")))
    return sound(
        [
            (Text("players"), "1"),
            (Text("states"), one_of(list(model.states), NAMED)),
            (Text("actions"), one_of(list(model.actions), NAMED)),
            (Text("observations"), one_of(list(model.observations), NAMED)),
            (Text("discount"), Text("{number:g}", number=model.discount)),
        ]
    )


def try_out(game: Game) -> None:
    """Deal the game once, so that a game that cannot be played is found now."""
    game.deal(seed=1).view(0).screen()


# ---- trees, menus, records


def check_tree(text: str, resolver: Resolver) -> CheckInfo:
    from hiddenhand.games import tree

    tree.read_tree(text, Text("this tree"))
    nodes, players = tree.read({"text": text, "file": ""})
    leaves = sum(not node.children for node in nodes)
    return sound([(Text("players"), str(players)), (Text("nodes"), str(len(nodes))), (Text("leaves"), str(leaves))])


@cache
def agent_languages() -> dict[str, tuple[str, AgentTexts]]:
    """The languages in which agents are written, by kind of text: the game that has it, and what it says of it."""
    known = {name: EVERYTHING.game(name).extra(AgentTexts) for name in own_games()}
    return {texts.kind: (name, texts) for name, texts in known.items() if texts is not None}


def table_for(kind: str, text: str, resolver: Resolver) -> tuple[Game, str]:
    """The agent that follows a text, and a game with options that it can play."""
    name, texts = agent_languages()[kind]
    agent, options = load(texts.read)(text)
    if len(agent) > LONGEST_AGENT:
        raise UserError(
            "the {kind} is too long: at most {n} letters without its comments", kind=kind, n=LONGEST_AGENT
        )
    return resolver.game(name, options), agent


def check_agent(kind: str, text: str, resolver: Resolver) -> CheckInfo:
    game, agent = table_for(kind, text, resolver)
    resolver.character(game, agent)
    options = [(Text(name), str(game.options[name])) for name in sorted(given_options(game))]
    return sound([(Text("game"), game.title), *options])


def check_record(text: str, resolver: Resolver) -> CheckInfo:
    try:
        data = parse_json(text, "this record")
    except json.JSONDecodeError as error:
        return wrong(Text("this is not valid JSON: {why}", why=error.msg), error.lineno, error.colno)
    record = read_record(data, "this")
    game = resolver.game_of_record(record)
    record.replay(game=game)
    named = record.names or record.agents
    players = [(Text("agents"), one_of(named, NAMED))] if named else []
    return sound([(Text("game"), game.title), (Text("plies"), str(len(record.actions))), *players])


CHECKS: dict[str, Callable[[str, Resolver], CheckInfo]] = {
    "svarog": check_world,
    "pomdp": check_model,
    "tree": check_tree,
    "menu": partial(check_agent, "menu"),
    "record": check_record,
    "hanab.live": check_record,
}
