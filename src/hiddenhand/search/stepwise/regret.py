"""CFR+, step by step: the whole tree of a small game with hidden cards, and how regrets turn into probabilities.

A label ends with the number of the information set, in brackets: at nodes with the same number the mover sees and
plays the same. The iterations are those of `search/solving/regret_minimisation.py`, one seat at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.kernel import CHANCE, OVER
from hiddenhand.search.cfr import CFR
from hiddenhand.search.game_tree import GameTree, build_tree, node_values
from hiddenhand.search.solving.regret_minimisation import RegretMinimiser
from hiddenhand.search.solving.sequence_form import evaluate
from hiddenhand.search.solving.strategy import sequence_form
from hiddenhand.search.stepwise.positions import MOST
from hiddenhand.search.stepwise.steps import Recorder, Shape, Watched, number_text

MOST_ITERATIONS = 20
Numbers = np.ndarray[Any, Any]
SEATS = ("MAX", "MIN")


def watch_cfr(agent: CFR) -> Watched:
    """The first iterations; a node shows what seat 0 wins from there on, its note how often the move is played."""
    tree = build_tree(agent.game, MOST)
    form = sequence_form(agent.game)
    infos = [form.number(int(seat), view) for seat, view in zip(tree.owner, tree.views)]
    sequences = np.concatenate([np.arange(form.slots(info).start, form.slots(info).stop) for info in infos])
    solver = RegretMinimiser(form)
    nodes = [shape(tree, node) for node in range(tree.nodes)]
    record = Recorder(nodes)
    record.visited = tree.nodes
    show(record, tree, solver.sums.policy[sequences])
    record.step(
        "enter", 0, Text("{count} information sets; at first every move is played equally often.", count=tree.infos)
    )
    for iteration in range(1, min(agent.iterations, MOST_ITERATIONS) + 1):
        for me in range(2):
            solver.update(me)
            show(record, tree, solver.sums.policy[sequences], solver.sums.regrets[sequences])
            says = Text(
                "Iteration {count}: {who} plays in proportion to its regrets.", count=iteration, who=SEATS[me]
            )
            record.step("learn", 0, says)
        solver.iteration = iteration
    average = solver.strategy()
    gain = evaluate(form, average).exploitability
    show(record, tree, average[sequences])
    result = Text(
        "The average of all strategies: a perfect opponent wins {value} a game from it.",
        value=number_text(round(gain, 4)),
    )
    record.step("done", 0, result)
    return Watched(Text("{game}, {agent}", game=agent.game.title, agent=agent), nodes, record.steps, result)


def shape(tree: GameTree, node: int) -> Shape:
    mover, parent = int(tree.seat[node]), int(tree.parent[node])
    who = "" if mover == OVER else tree.game.chance.name.upper() if mover == CHANCE else SEATS[mover]
    label = ""
    if parent >= 0:
        label = tree.game.people.action_name(tree.state(parent), int(tree.action[node]))
        if int(tree.seat[parent]) == CHANCE:
            label = f"{tree.odds[node]:.3g} {label}"
    if tree.info[node] >= 0:
        label = Text("{what} ({n})", what=label, n=tree.info[node] + 1).strip()
    return {
        "parent": parent,
        "action": int(tree.action[node]),
        "label": label,
        "who": who,
        "estimated": False,
        "value": "",
        "board": [],
        "columns": 0,
    }


def show(record: Recorder, tree: GameTree, strategy: Numbers, regrets: Numbers | None = None) -> None:
    """What the strategy is worth at every node, how often each move is played, and the regrets that it comes from."""
    values = np.empty(tree.nodes)
    node_values(tree.arrays, strategy, values)
    for node in range(tree.nodes):
        slot, note = int(tree.edge[node]), ""
        if slot >= 0:
            note = f"{strategy[slot]:.2f}"
            if regrets is not None and regrets[slot] > 0:
                note += f" r{regrets[slot]:.2f}"
        record.show(node, "done", number_text(round(float(values[node]), 3)), note)
