"""Why a search on a blueprint plays its move: the worlds, how the moves did, where it loses, what the others told."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.event_log import hear
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import CHANCE, new_records, stream

if TYPE_CHECKING:
    from hiddenhand.belief.shares import Shares
    from hiddenhand.search.blueprint import BlueprintSearch, Tried

ALIKE = 1.0 - 1e-9
ALWAYS = 1e-9  # a smaller standard error is none
TELLING = 0.9  # a move that leaves a smaller share of the worlds told something
MOST_TELLING = 3  # are named
FEWEST = 10  # trials with a fact before it is spoken of


def reasons(agent: BlueprintSearch, view: View, tried: Tried) -> list[str]:
    """A headline, then the details."""
    return [
        headline(agent, view, tried),
        worlds_in_words(agent, tried),
        *looked_ahead(tried),
        *what_others_told(view, tried),
        *where_it_loses(view, tried),
    ]


def headline(agent: BlueprintSearch, view: View, tried: Tried) -> str:
    chosen, own = view.text(view.actions[tried.best]), view.text(view.actions[tried.own])
    if len(view.actions) == 1:
        return Text("It is the only legal move.")
    if tried.best != tried.own:
        gap, error = tried.ahead(tried.best)
        n = tried.of(tried.best).trials[tried.best]
        said = f"{chosen} instead of {own}, which {agent.policy} would play"
        if error < ALWAYS:
            return f"{said}: over {n} games played out it is ahead by {gap:.3f}, and chance has no part in that."
        return (
            f"{said}: over {n} games played out it is ahead by {gap:.3f}, which is "
            f"{gap / error:.1f} standard errors; {tried.bound:.1f} were needed, with {len(view.actions) - 1} moves "
            "to compare."
        )
    rivals = [i for i in range(len(view.actions)) if i != tried.own and tried.trials[i] > 0]
    rival = max(rivals, key=lambda i: (tried.of(i) is not tried, tried.trials[i], tried.ahead(i)[0]))
    gap, error = tried.ahead(rival)
    n = tried.of(rival).trials[rival]
    where = f"{gap:.3f} ahead" if gap > 0 else f"{-gap:.3f} behind"
    return (
        f"{own}, as {agent.policy} would play: no other move is better by more than chance. The nearest, "
        f"{view.text(view.actions[rival])}, is {where} over {n} games played out, with a standard "
        f"error of {error:.3f}."
    )


def worlds_in_words(agent: BlueprintSearch, tried: Tried) -> str:
    belief = tried.belief
    said = f"{len(belief):,} worlds that my knowledge allows, drawn at random,"
    if belief.exact and len(belief) == 1:
        return Text("My knowledge allows only one world.")
    if belief.exact:
        said = f"All {len(belief):,} worlds that my knowledge allows"
    if not len(belief.moves):
        return f"{said} count alike: the game does not tell how it came about, or has just begun."
    if (belief.told > ALIKE).all():
        return f"{said} count alike: what the others did says nothing yet."
    models = " / ".join(str(model) for model in agent.models)
    return (
        f"{said} are weighed by what the others did, if they play like {models} but for "
        f"{agent.mistakes:.1%} of their moves: worth {belief.effective:,.0f} equally likely ones."
    )


def looked_ahead(tried: Tried) -> list[str]:
    """How the moves were compared that were left."""
    if tried.further is None:
        return []
    moves, trials = np.count_nonzero(tried.further.trials), tried.further.trials.max()
    return [
        Text(
            "I compared {n} moves in {worlds} worlds looking ahead to my own next decisions as well.",
            n=moves,
            worlds=trials,
        )
    ]


def what_others_told(view: View, tried: Tried) -> list[str]:
    """The moves of others that ruled out most, as this seat heard them."""
    belief, game = tried.belief, view.game
    telling = [int(i) for i in np.argsort(belief.told) if belief.told[i] < TELLING][:MOST_TELLING]
    if not telling:
        return []
    # the likeliest world, played again: what is heard of a move is the same in all
    likeliest = int(np.argmax(belief.weights))
    state, moves = new_records(game.state, 1)[0], np.zeros(game.longest, np.int64)
    count = int(game.rules.rewind(belief.states[likeliest], state, moves))
    said = {}
    for i in range(count):
        mover = int(game.rules.turn(state))
        if i in telling and mover != CHANCE:
            said[i] = f"move {i + 1} of seat {mover}, {hear(game, state, mover, int(moves[i]), view.seat)},"
        game.rules.play(state, int(moves[i]), stream(0))
    return [f"What told most: {said[i]} left {belief.told[i]:.0%} of the worlds." for i in telling if i in said]


def where_it_loses(view: View, tried: Tried) -> list[str]:
    """The fact about the worlds with which the chosen move does worst."""
    n = int(tried.trials[tried.best])
    if view.game.facts is None or n < 2 * FEWEST:
        return []
    got = tried.payoffs[tried.best, :n]
    cases: dict[tuple[str, str], list[float]] = defaultdict(list)
    known: dict[int, Any] = {}
    for trial in range(n):
        i = int(tried.worlds[trial])
        if i not in known:
            known[i] = view.game.facts(tried.belief.states[i], view.seat)
        for fact in known[i].items():
            cases[fact].append(float(got[trial]))
    often = {fact: values for fact, values in cases.items() if FEWEST <= len(values) <= n - FEWEST}
    if not often:
        return []
    (thing, what), values = min(often.items(), key=lambda case: float(np.mean(case[1])))
    mean = float(np.mean(values))
    if mean >= got.mean():
        return []
    rest = (got.sum() - sum(values)) / (n - len(values))
    return [
        Text(
            "It does worst where {thing} is {what}: {mean:.2f} there, {rest:.2f} elsewhere; that is "
            "so in {share:.0%} of the games played out.",
            thing=called(thing, view.seat),
            what=what,
            mean=mean,
            rest=rest,
            share=len(values) / n,
        )
    ]


def likeliest(shares: Shares, seat: int) -> list[tuple[str, float]]:
    """What each hidden thing most probably is, the surest first."""
    told = [(f"{called(thing, seat)}: {facts[0][0]}", facts[0][1]) for thing, facts in shares.items()]
    return sorted(told, key=lambda each: -each[1])


def called(thing: str, seat: int) -> str:
    """A thing of the picture as its seat speaks of it: `0 card 1` is card 1 to seat 0."""
    return thing.removeprefix(f"{seat} ")
