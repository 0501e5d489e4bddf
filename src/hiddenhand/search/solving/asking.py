"""The strategy of any agent: it is asked at every information set how likely it plays each action.

An agent that can say so (a network, a solution, the random player) is asked once. Any other is asked what it plays,
again and again with other random numbers, and its strategy is estimated by how often it answered what. A best
response to an estimate looks better than it is, since it also exploits the luck of the draw; a best response to one
half of the answers, measured on the other half, does not reach what a best response could. The truth lies between
the two, in expectation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.view import View
from hiddenhand.kernel import derive
from hiddenhand.search.solving.sequence_form import Floats, SequenceForm, evaluate
from hiddenhand.search.solving.strategy import Strategy

ASKED = 100
"""How often an agent that draws is asked at each information set."""


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
    if not len(form.states):
        raise UserError(
            "{name} has {n:,} information sets: too many to ask an agent", name=form.game.name, n=form.infos
        )
    if agent.cheats:
        raise UserError("{agent} looks at what is hidden from it: it has no strategy", agent=agent)
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
