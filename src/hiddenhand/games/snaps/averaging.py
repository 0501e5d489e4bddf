"""Averaging: every deal that agrees with what is known is solved with open cards, and the best average is played.

This is PIMC without chance: if the possible deals are few enough for the time allowed, all of them are solved (34,650
after two tricks). Otherwise it takes an even sample of their list, and says so. How many deals fit into the time is
reckoned with typical costs on one core, not by the clock: the same position gives the same decision on every machine.
Before the first card 17,153,136 deals are possible, so kontra is always decided by an even sample, and the card is
named by deals drawn at random. Among equally good moves it prefers a claim that wins, then the cheapest card. Its
values are payoffs, from the card that is named to the last trick.

The deals are numbered (`beliefs.deals`), so that any range of them can be added up by itself: in another process,
with a break in between, or as an even sample: the list is cut into equal parts, and one deal of each is taken.
"""

from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.decision import Alternative, Decision, ranked
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.deals import numbered_deal
from hiddenhand.games.snaps.beliefs.kinds import holder_beliefs
from hiddenhand.games.snaps.cards import CARDS, SEATS, VALUES, Array
from hiddenhand.games.snaps.knowledge import give, possible_deals, redeal
from hiddenhand.games.snaps.pimc import candidates, stake_of
from hiddenhand.games.snaps.rules import name_card
from hiddenhand.games.snaps.solver import WIN, new_memory, solve, solve_moves
from hiddenhand.games.snaps.state import CHOOSING, DOST, MARRIAGE_AND_CLAIM, PASS, STATE, TRICKS
from hiddenhand.kernel import allocate, below, copy, rule, split

# --- every deal -----------------------------------------------------------------------------------

SAMPLE = 1

# deals `begin` to `end` of an even sample of `worlds`, or of all
DealRange = namedtuple("DealRange", "begin end worlds")

# sums     int64[actions]: what each is worth in the deals added up
# won      int64[actions]: the deals that it wins
# holders  int64[4]: the deals in which a seat has the named card
Totals = namedtuple("Totals", "sums won holders")


@rule
def count_possible(view, seat):
    """How many deals agree with what the seat knows, once a card is named."""
    return np.int64(possible_deals(view, seat).total)


@rule
def number_of(i, worlds, total):
    """The number of deal i in an even sample: a fixed but irregular choice in its part of the list."""
    low, high = i * total // worlds, (i + 1) * total // worlds
    if high - low == 1:
        return low
    rng = np.empty(1, np.uint64)
    rng[0] = split(SAMPLE, i)
    return low + below(rng, high - low)


@rule
def add_values(view, seat, actions, deal_range, totals):
    """Solve these deals for the side of the mover and add up.

    Without actions totals.sums[0] and totals.won[0] are for the play to come.
    """
    deals = possible_deals(view, seat)
    possible = np.int64(deals.total)
    owners = np.empty(CARDS, np.int64)
    values = np.empty(max(1, len(actions)), np.int64)
    memory = new_memory(view.plays)
    world = allocate(STATE, 1)
    copy(world[0], view)
    for i in range(deal_range.begin, deal_range.end):
        number = number_of(i, deal_range.worlds, possible)
        numbered_deal(deals.weights, deals.slots, deals.ways, number, owners)
        give(world[0], seat, deals, owners)
        holder = np.int64(world[0].holder)
        if len(actions) > 0:
            solve_moves(world[0], actions, len(actions), WIN, memory, values)
        else:
            value = solve(world[0], WIN, memory)
            values[0] = value if seat == view.chooser or seat == holder else -value
        for a in range(len(values)):
            totals.sums[a] += values[a]
            totals.won[a] += 1 if values[a] > 0 else 0
        totals.holders[holder] += 1


@dataclass
class Average:
    """The sums so far: the values of the actions in the deals that have been solved."""

    possible: int
    worlds: int
    """How many deals are wanted: all, or an even sample."""
    done: int
    sums: np.ndarray[Any, Any]
    won: np.ndarray[Any, Any]
    holders: np.ndarray[Any, Any]

    @property
    def means(self) -> list[float]:
        found: list[float] = (self.sums / self.done).tolist()
        return found

    def add(self, part: "Average") -> None:
        self.done += part.done
        self.sums += part.sums
        self.won += part.won
        self.holders += part.holders


def new_average(view: np.record, seat: int, actions: Array, most: int | None = None) -> Average:
    """Nothing added up yet, of all possible deals or of an even sample of `most`."""
    possible = int(count_possible(view, seat))
    sums, won = np.zeros((2, max(1, len(actions))), np.int64)
    return Average(
        possible, possible if most is None else min(possible, most), 0, sums, won, np.zeros(SEATS, np.int64)
    )


def part_of_average(view: np.record, seat: int, actions: Array, worlds: int, begin: int, end: int) -> Average:
    """The deals `begin` to `end` alone: what one of several processes adds up. `actions` is int64[n]."""
    part = new_average(view, seat, actions, worlds)
    totals = Totals(part.sums, part.won, part.holders)
    add_values(view, seat, actions, DealRange(begin, end, worlds), totals)
    part.done = end - begin
    return part


def averaging_steps(
    view: np.record, seat: int, actions: Array, most: int | None = None, step: int = 1000
) -> Iterator[Average]:
    """Add up all possible deals (or `most`), `step` at a time: yields the average so far after each step."""
    average = new_average(view, seat, actions, most)
    for begin in range(0, average.worlds, step):
        end = min(begin + step, average.worlds)
        average.add(part_of_average(view, seat, actions, average.worlds, begin, end))
        yield average


# --- the agent ------------------------------------------------------------------------------------

COSTS = np.array([100e-6, 25e-6, 8e-6, 4e-6, 2e-6, 2e-6])  # seconds for a deal after so many tricks, all moves
COST_OF_PLAY = 40e-6  # for a deal before the first card, one value
MOST_SAMPLED = 5000  # deals for naming and kontra: more would change little


@rule
def deals_in(seconds, cost, most):
    """How many deals to solve in that time."""
    return np.int64(max(1, min(most, np.int64(seconds / cost))))


@rule
def deals_for_move(view, seat, seconds):
    return deals_in(seconds, COSTS[view.plays // SEATS], count_possible(view, seat))


@rule
def name_values(view, seat, actions, seconds, rng, cards, totals):
    """Add up what it is worth to name each candidate: cards int64[24], totals float64[24]; (candidates, deals)."""
    n = candidates(view, seat, actions, cards)
    deals = deals_in(seconds, COST_OF_PLAY * n, MOST_SAMPLED)
    for i in range(n):
        totals[i] = 0.0
    add_names(view, seat, cards[:n], deals, rng, totals)
    return n, deals


@rule
def add_names(view, seat, cards, deals, rng, totals):
    """Add to totals[i] what it is worth to name cards[i] in deals drawn at random. Alone, the stake is threefold."""
    world, named = allocate(STATE, 1), allocate(STATE, 1)
    memory = new_memory(0)
    for _ in range(deals):
        copy(world[0], view)
        redeal(world[0], seat, rng)
        for i in range(len(cards)):
            copy(named[0], world[0])
            name_card(named[0], cards[i])
            alone = named[0].holder == seat
            totals[i] += solve(named[0], WIN, memory) * (SEATS - 1 if alone else 1)


@rule
def best_action(actions, sums):
    """The place of the highest sum; among equals a claim if it wins, then the cheapest card."""
    best = 0
    for i in range(1, len(actions)):
        better = sums[i] > sums[best]
        if sums[i] == sums[best]:
            better = preference(actions[i], sums[i]) > preference(actions[best], sums[i])
        if better:
            best = i
    return best


@rule
def preference(action, total):
    if MARRIAGE_AND_CLAIM <= action <= DOST:
        return 100 if total > 0 else -100
    return -VALUES[action % CARDS]


@policy(
    Text("solves every possible deal with open cards and plays what is best on average"),
    heavy=True,
    settings={
        "time": Setting(1.0, Text("seconds for a decision, by typical costs"), low=0.001, high=36000.0, ceiling=10.0)
    },
)
def averaging(view, seat, actions, memory, parameters, rng):
    if len(actions) == 1:
        return actions[0]
    seconds = parameters.time
    if view.phase == CHOOSING:
        cards, values = np.empty(CARDS, np.int64), np.empty(CARDS)
        n, _ = name_values(view, seat, actions, seconds, rng, cards, values)
        return cards[np.argmax(values[:n])]
    sums = np.zeros(len(actions), np.int64)
    totals = Totals(sums, np.zeros(len(actions), np.int64), np.zeros(SEATS, np.int64))
    if view.phase == TRICKS:
        deals = deals_for_move(view, seat, seconds)
        add_values(view, seat, actions, DealRange(np.int64(0), deals, deals), totals)
        return actions[best_action(actions, sums)]
    deals = deals_in(seconds, COST_OF_PLAY, MOST_SAMPLED)
    add_values(view, seat, actions[:0], DealRange(np.int64(0), deals, deals), totals)
    return actions[1] if sums[0] > 0 else PASS


@averaging.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str] | Decision:
    if len(view.legal_actions()) == 1:
        return [Text("{move} is the only legal move.", move=view.action_name(action))]
    seconds = float(parameters.time)
    if view.record.phase == CHOOSING:
        return about_name(view, action, seconds)
    if view.record.phase == TRICKS:
        return about_move(view, action, int(deals_for_move(view.record, view.seat, seconds)))
    return about_double(view, action, int(deals_in(seconds, COST_OF_PLAY, MOST_SAMPLED)))


def averaged(view: View, actions: list[int], deals: int) -> Average:
    """The average over this many deals, computed in steps, so that Ctrl-C can interrupt it."""
    *_, average = averaging_steps(view.record, view.seat, np.array(actions, np.int64), deals)
    return average


def about_move(view: View, action: int, deals: int) -> Decision:
    average = averaged(view, view.legal_actions(), deals)
    unit = int(stake_of(view.record, view.seat))
    alternatives = [
        Alternative(
            a, view.action_name(a), mean * unit, Text("wins {share:.1%} of the deals", share=won / average.done)
        )
        for a, mean, won in zip(view.legal_actions(), average.means, average.won.tolist())
    ]
    chosen = alternatives[view.legal_actions().index(action)]
    decision = Decision(action, chosen.text, chosen.value, alternatives)
    decision.reasons = [told_deals(average), compared(chosen, alternatives)]
    return with_belief(view, decision, average)


def about_double(view: View, action: int, deals: int) -> Decision:
    average = averaged(view, [], deals)
    mean = average.means[0] * int(stake_of(view.record, view.seat))
    alternatives = [
        Alternative(a, view.action_name(a), mean if a == PASS else 2 * mean) for a in view.legal_actions()
    ]
    decision = Decision(action, view.action_name(action), mean if action == PASS else 2 * mean, alternatives)
    decision.reasons = [
        told_deals(average),
        Text(
            "My side wins {share:.1%} of them: to double pays."
            if mean > 0
            else "My side wins {share:.1%} of them: to double costs.",
            share=average.won[0] / average.done,
        ),
    ]
    return with_belief(view, decision, average)


def about_name(view: View, action: int, seconds: float) -> Decision:
    cards, totals = np.empty(CARDS, np.int64), np.empty(CARDS)
    actions = np.array(view.legal_actions(), np.int64)
    n, deals = name_values(view.record, view.seat, actions, seconds, view.stream(), cards, totals)
    hand = int(view.record.hands[view.seat])
    alternatives = [
        Alternative(card, view.action_name(card), note=Text("not considered")) for card in view.legal_actions()
    ]
    for card, total in zip(cards[:n].tolist(), totals[:n].tolist()):
        note = Text("alone against three") if hand >> card & 1 else ""
        alternatives[card] = Alternative(card, view.action_name(card), total / deals, note)
    chosen = alternatives[action]
    return Decision(
        action,
        chosen.text,
        chosen.value,
        alternatives,
        reasons=[
            Text("I solved {n:,} deals drawn at random with open cards, once for each card worth naming.", n=deals),
            compared(chosen, alternatives),
        ],
        counts={"worlds": int(deals)},
    )


def told_deals(average: Average) -> str:
    if average.done == average.possible:
        return Text("I solved all {n:,} deals that agree with what I know, with open cards.", n=average.possible)
    return Text(
        "{n:,} deals agree with what I know, too many for the time allowed: I solved an even "
        "sample of {done:,} with open cards.",
        n=average.possible,
        done=average.done,
    )


def compared(chosen: Alternative, alternatives: list[Alternative]) -> str:
    """The choice against the next best."""
    others = [a for a in ranked(alternatives) if a is not chosen and a.value is not None]
    if not others:
        return Text(
            "{move} brings {value:+.4f} on average; there was no rival.", move=chosen.text, value=chosen.value
        )
    if others[0].value == chosen.value:
        return Text(
            "{move} brings {value:+.4f} on average, and so does {other}.",
            move=chosen.text,
            value=chosen.value,
            other=others[0].text,
        )
    return Text(
        "{move} brings {value:+.4f} on average; {other} is next, {second:+.4f}.",
        move=chosen.text,
        value=chosen.value,
        other=others[0].text,
        second=others[0].value,
    )


def with_belief(view: View, decision: Decision, average: Average) -> Decision:
    """Add who has the named card, by counting deals."""
    decision.belief = holder_beliefs(view.record, average.holders / average.done)
    decision.counts = {"worlds": average.done, "possible": average.possible}
    return decision
