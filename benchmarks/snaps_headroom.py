"""What is there to gain on the agent `rules` in snaps, and who finds it: `snaps_headroom.py --deals 150 AGENT ...`

Four `rules` play. At each decision every legal action is tried in thousands of deals, weighed by what the others did,
and finished by the rules in all seats: so it is known how much better the best action is than that of the rules, and
how much of that the action of each named agent is. Summed over the decisions of a deal, that is about what one seat
gains that deviates wherever it pays: just what it gains, if the decisions were those that its own deviations lead to.

Then, where all deals that are left can be gone through, from the third trick on: what the best answer to the rules
gains that plans all of its later decisions together, beside the sum of the gains of single decisions.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import hiddenhand as hh
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.exact import count_worlds
from hiddenhand.games.snaps.beliefs.kinds import imagine
from hiddenhand.games.snaps.beliefs.weighted import WEIGHTED, Model
from hiddenhand.games.snaps.best_reply import BestReply
from hiddenhand.games.snaps.cards import SEATS
from hiddenhand.games.snaps.pimc import play_out_all, set_world
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.state import CHOOSING, STATE, TRICK_COUNT, TRICKS
from hiddenhand.kernel import allocate, rule
from hiddenhand.lab.statistics import summarise

Array = np.ndarray[Any, Any]

NOISE = 0.01  # share of the others' moves that the belief does not take for those of the rules: all of them are
FEW = 5000  # deals that are gone through to the end
LATE = 2  # tricks played before that
STAGES = ("naming", *(f"trick {number + 1}" for number in range(TRICK_COUNT)))


@rule
def model(particles):
    return Model(np.int64(WEIGHTED), np.float64(particles), np.float64(NOISE), np.zeros((SEATS, 0)))


@rule
def values_by_rules(view, seat, actions, worlds, rng):
    """float64[actions]: what each is worth if the rules finish in all seats."""
    hands, shares = imagine(model(2 * worlds), view, seat, worlds, rng)
    world, judged, values = allocate(STATE, 1), np.empty(len(actions)), np.zeros(len(actions))
    for w in range(len(hands)):
        set_world(world[0], view, hands[w])
        play_out_all(world[0], seat, actions, rng, judged)
        for i in range(len(actions)):
            values[i] += shares[w] * judged[i]
    return values


def value_of_best_answer(planner: BestReply, view: View) -> float:
    """What the best action is worth if the seat goes on with the best answer to the rules."""
    found = planner.compare(view)
    return max(found.of(move).mean(move) for move in range(len(view.legal_actions())))


class Choice(NamedTuple):
    """A decision in a deal that four `rules` play."""

    deal: int
    view: Any
    stage: int
    actions: Array
    usual: int  # the place of the rules' action


def choices(deals: int, seed: int) -> Iterator[Choice]:
    game = hh.game("snaps")
    for deal in range(deals):
        table = game.deal(seed + deal)
        while not table.over:
            view = table.view()
            actions = np.array(view.legal_actions(), np.int64)
            action = int(rule_action(view.record, view.seat, actions, len(actions)))
            if len(actions) > 1 and view.record.phase in (CHOOSING, TRICKS):
                stage = 0 if view.record.phase == CHOOSING else 1 + int(view.record.plays) // 4
                yield Choice(deal, view, stage, actions, view.legal_actions().index(action))
            table.play(action)


def main(agents: list[str], deals: int, seed: int, worlds: int) -> None:
    game = hh.game("snaps")
    players = [hh.agent(game, name) for name in agents]
    later = {"ahead": TRICK_COUNT - LATE - 1, "worlds": 100_000, "particles": FEW}
    planner = BestReply(game, **later, noise=NOISE, doubt=0.0, open=0.0)
    gained = np.zeros((1 + len(players), deals, len(STAGES)))  # a seat, the first row by the best action
    together, single, opened = [], {}, set()
    for choice in choices(deals, seed):
        view, usual = choice.view, choice.usual
        values = values_by_rules(view.record, view.seat, choice.actions, worlds, view.stream())
        gaps = (values - values[usual]) / game.players
        gained[0, choice.deal, choice.stage] += gaps.max()
        for number, player in enumerate(players):
            action = player.decide(view).action
            gained[1 + number, choice.deal, choice.stage] += gaps[view.legal_actions().index(action)]
        who = (choice.deal, view.seat)
        if choice.stage > LATE:
            if who not in opened and count_worlds(view.record, view.seat) <= FEW:
                together.append(value_of_best_answer(planner, view) - values[usual])
                single[who] = 0.0
            opened.add(who)
            if who in single:
                single[who] += values.max() - values[usual]
    print(f"gained on `rules`, a seat and deal, {deals} deals (mean and 95 % interval), and by stage:")
    for name, row in zip(["the best action", *agents], gained, strict=True):
        parts = "  ".join(f"{stage} {part:.4f}" for stage, part in zip(STAGES, row.mean(axis=0), strict=True))
        print(f"{name}: {told(row.sum(axis=1))}   {parts}")
    print(f"from trick {LATE + 1} on, {len(together)} times that all deals could be gone through:")
    print(
        f"decisions planned together {told(np.array(together))}, each for itself {told(np.array([*single.values()]))}"
    )


def told(values: Array) -> str:
    found = summarise(values)
    return f"{found.mean:.4f} ({found.low:.4f} to {found.high:.4f})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*")
    parser.add_argument("--deals", type=int, default=150)
    parser.add_argument("--seed", type=int, default=70_000)
    parser.add_argument("--worlds", type=int, default=8000)
    asked = parser.parse_args()
    main(asked.agents, asked.deals, asked.seed, asked.worlds)
