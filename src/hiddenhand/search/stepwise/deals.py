"""PIMC, step by step: deals that are searched with open cards, and the average over them.

The deals are those that `search/pimc.py` imagines, and each is searched as it does.
"""

from __future__ import annotations

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import derive, new_records, stream
from hiddenhand.search.pimc import PIMC
from hiddenhand.search.stepwise.steps import Recorder, Shape, Watched, number_text

MOST_WORLDS = 12
MOST_MOVES = 40
"""That are shown below a deal."""
MOST_AVERAGES = 4
"""That are shown at the root."""
LONGEST = 24
"""Letters that tell a deal from others."""


def watch_pimc(agent: PIMC, view: View) -> Watched:
    """The first deals of PIMC: a big die at the start of the game, and below each deal the values of the moves."""
    rng = stream(derive(view.seed, 1))
    world = new_records(agent.game.rules.state, 1)[0]
    actions = view.legal_actions()[:MOST_MOVES]
    texts = [view.action_name(action) for action in actions]
    worlds = min(agent.worlds, MOST_WORLDS)
    nodes, found = [bare(-1, -1, "", "DEALS")], list[list[float]]()
    for number in range(worlds):
        view.imagine(rng, into=world)
        found.append([float(value) for value in agent.values_in(world, view.seat, actions)])
        nodes.append(bare(0, number, f"{1 / worlds:.3g} {distinguishing_line(agent, view, world)}".strip(), "MAX"))
    for number in range(worlds):
        nodes += [bare(number + 1, action, text, "") for action, text in zip(actions, texts)]
    record = Recorder(nodes)
    record.visited = 1
    record.show(0, "open")
    record.step(
        "enter",
        0,
        Text("What is hidden is drawn anew: {count} deals that agree with all that is known.", count=worlds),
    )
    means = np.zeros(len(actions))
    for number, values in enumerate(found):
        means += np.array(values) / worlds
        tell_world(record, number, texts, values, 1 + worlds + number * len(actions))
    best = int(np.argmax(means))
    leading = sorted(range(len(actions)), key=lambda number: -means[number])[:MOST_AVERAGES]
    averages = Text.joined(
        ", ",
        [
            Text("{move} {value}", move=texts[number], value=number_text(float(means[number])))
            for number in sorted(leading)
        ],
    )
    result = Text(
        "The best on average over the deals: {node}, {value}.",
        node=texts[best],
        value=number_text(float(means[best])),
    )
    record.show(0, "done", number_text(float(means[best])), note=averages)
    line = [0, *(1 + worlds + number * len(actions) + best for number in range(worlds))]
    record.step("done", 0, result, line)
    return Watched(Text("{game}, {agent}", game=agent.game.title, agent=agent), nodes, record.steps, result)


def tell_world(record: Recorder, number: int, texts: list[str], values: list[float], first: int) -> None:
    """One deal: searched with open cards, each move with its value."""
    at, best = number + 1, int(np.argmax(values))
    record.visited += 1 + len(values)
    record.show(at, "done", number_text(values[best]))
    for offset, value in enumerate(values):
        record.show(first + offset, "done", number_text(value))
    says = Text(
        "Deal {count}: with open cards {node} is best, {value}.",
        count=at,
        node=texts[best],
        value=number_text(values[best]),
    )
    record.step("world", at, says, [0, at, first + best])


def distinguishing_line(agent: PIMC, view: View, world: np.record) -> str:
    """What another seat sees in this deal and the searcher does not: the first such line of its screen."""
    game = agent.game
    record = new_records(game.rules.view, 1)[0]
    mine = game.people.show(view.record, view.seat).splitlines()
    for seat in range(game.players):
        if seat != view.seat:
            game.rules.observe(world, seat, record)
            other = [line for line in game.people.show(record, seat).splitlines() if line not in mine]
            if other:
                return other[0].strip()[:LONGEST]
    return ""


def bare(parent: int, action: int, label: str, who: str) -> Shape:
    return {
        "parent": parent,
        "action": action,
        "label": label,
        "who": who,
        "estimated": False,
        "value": "",
        "board": [],
        "columns": 0,
    }
