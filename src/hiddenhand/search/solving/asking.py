"""The strategy of any agent: it is asked at every information set how likely it plays each action.

An agent that can say so (a network, a solution, the random player) is asked once. Any other is asked what it plays,
again and again with other random numbers, and its strategy is estimated by how often it answered what. A best
response to an estimate looks better than it is, since it also exploits the luck of the draw; a best response to one
half of the answers, measured on the other half, does not reach what a best response could. The truth lies between
the two, in expectation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.view import View
from hiddenhand.kernel import derive
from hiddenhand.search.solving.history_walk import bytes_needed, estimated_histories
from hiddenhand.search.solving.sequence_form import (
    Floats,
    SequenceForm,
    evaluate,
)
from hiddenhand.search.solving.strategy import Strategy, sequence_form

ASKED = 100
"""How often an agent that draws is asked at each information set."""
SMALL = 1_000_000
"""Finished histories of a game that can be evaluated in passing."""


class AskedPolicy(NamedTuple):
    """The strategy of an agent, as one number for every sequence of a form."""

    policy: Floats
    halves: tuple[Floats, Floats] | None
    """Where it was estimated: from one half of the answers, and from the other."""

    def bounds(self, form: SequenceForm) -> tuple[float, float]:
        """Between what the exploitability of the agent lies, in expectation; twice the same where it is exact."""
        whole = evaluate(form, self.policy)
        if self.halves is None:
            return whole.exploitability, whole.exploitability
        return float(crossed(form, *self.halves).mean()), whole.exploitability


def small_form(game: Game) -> SequenceForm | None:
    """The sequence form of a game that is small enough to evaluate agents in passing; None of any other."""
    if game.players != 2 or game.utility != "zero-sum" or not game.hidden or game.chance.draws:
        return None
    if estimated_histories(game) > SMALL:
        return None
    try:
        form = sequence_form(game, int(bytes_needed(game, SMALL)))
    except UserError:  # such as views that forget
        return None
    return form if form.zero_sum else None


def exploitability_at_once(form: SequenceForm, agent: Agent) -> float | None:
    """The exploitability of an agent that answers in all views of a seat at once; None of any other."""
    seats = [range(form.arrays.bounds[seat], form.arrays.bounds[seat + 1]) for seat in range(form.players)]
    answers = [answered_at_once(form, seat, agent, infos) for seat, infos in enumerate(seats)]
    known = [given[None] for given in answers if given is not None]
    return evaluate(form, asked_from(form, known).policy).exploitability if len(known) == form.players else None


def crossed(form: SequenceForm, one: Floats, other: Floats) -> Floats:
    """What each seat gains by a best response to one half of the answers against the other half, and the other way
    round; the mean of both."""
    gains = np.zeros(form.players)
    for learned, played in ((one, other), (other, one)):
        responses, values = evaluate(form, learned).responses, evaluate(form, played).values
        for seat in range(form.players):
            mixed = played.copy()
            mixed[form.own(seat)] = responses[form.own(seat)]
            gains[seat] += (evaluate(form, mixed).values[seat] - values[seat]) / 2
    return gains


def strategy_of_agents(
    form: SequenceForm, agents: Sequence[Agent | Strategy], asked: int = ASKED, seed: int = 0
) -> AskedPolicy:
    """The strategy in which seat p plays like agent p."""
    answers = []
    for seat, agent in enumerate(agents):
        if isinstance(agent, Strategy):
            answers.append(agent.policy[form.own(seat)][None])
        else:
            infos = range(form.arrays.bounds[seat], form.arrays.bounds[seat + 1])
            answers.append(answers_of(form, seat, agent, infos, asked, seed))
    return asked_from(form, answers)


def asked_from(form: SequenceForm, answers: Sequence[Floats]) -> AskedPolicy:
    """The strategy of what the agents of all seats have answered."""
    whole, halves = form.uniform(), (form.uniform(), form.uniform())
    for seat, given in enumerate(answers):
        own = form.own(seat)
        whole[own], halves[0][own], halves[1][own] = given.mean(0), given[::2].mean(0), given[-1::-2].mean(0)
    return AskedPolicy(whole, halves if any(len(given) > 1 for given in answers) else None)


def answers_of(form: SequenceForm, seat: int, agent: Agent, infos: range, asked: int, seed: int) -> Floats:
    """Of every sequence of these information sets: how likely the agent plays it, [1, sequences], or whether it did,
    [times asked, sequences]."""
    if agent.cheats:
        raise UserError("{agent} looks at what is hidden from it: it has no strategy", agent=agent)
    at_once = answered_at_once(form, seat, agent, infos)
    if at_once is not None:
        return at_once[None]
    if not len(form.states):
        raise UserError(
            "{name} has {n:,} information sets: too many to ask an agent", name=form.game.name, n=form.infos
        )
    first, end = (int(form.arrays.start[info]) for info in (infos.start, infos.stop))
    exact = len(infos) == 0 or agent.probabilities(view_at(form, infos.start, seed)) is not None
    answers = np.zeros((1 if exact else asked, end - first))
    for info in infos:
        slots = slice(form.slots(info).start - first, form.slots(info).stop - first)
        if exact:
            answers[0, slots] = agent.probabilities(view_at(form, info, seed))
            continue
        for time in range(asked):
            action = action_at(form, info, agent, derive(seed, time))
            answers[time, slots] = form.actions[form.slots(info)] == action
    return answers


def answered_at_once(form: SequenceForm, seat: int, agent: Agent, infos: range) -> Floats | None:
    """The same of an agent that answers in many views at once; None of any other."""
    first, end = (int(form.arrays.start[info]) for info in (infos.start, infos.stop))
    start = form.arrays.start[infos.start : infos.stop + 1] - first
    return agent.probabilities_at_once(form.views[infos.start : infos.stop], seat, start, form.actions[first:end])


def view_at(form: SequenceForm, info: int, seed: int) -> View:
    """What a seat sees at an information set."""
    return View(form.game, form.states[info], form.seat_of(info), seed, {})


def action_at(form: SequenceForm, info: int, agent: Agent, seed: int) -> int:
    """What an agent plays at an information set. One that keeps a memory has decided before, on the way there: the
    memory is that of a game in which chance and the others did what leads here."""
    view = view_at(form, info, derive(seed, info))
    if keeps_memory(agent):
        memory: dict[tuple[int, str], np.ndarray[Any, Any]] = {}
        for before in ways_to(form, info):
            agent.decide(View(form.game, form.states[before], view.seat, derive(seed, before), memory))
        view = View(form.game, form.states[info], view.seat, derive(seed, info), memory)
    return agent.decide(view).action


def keeps_memory(agent: Agent) -> bool:
    return agent.policy.keeps_memory if isinstance(agent, PolicyAgent) else agent.keeps_memory


def ways_to(form: SequenceForm, info: int) -> list[int]:
    """The information sets of the same seat above one, the first decision first."""
    found: list[int] = []
    sequence = int(form.arrays.above[info])
    while sequence >= form.players:
        found.append(int(np.searchsorted(form.arrays.start, sequence, side="right")) - 1)
        sequence = int(form.arrays.above[found[-1]])
    return found[::-1]
