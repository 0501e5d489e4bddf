"""Reasons of a search on a blueprint: the worlds, the comparison of the moves, and what others' moves tell."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.event_log import hear
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.kernel import CHANCE, new_records, stream

if TYPE_CHECKING:
    from hiddenhand.belief.marginals import Shares
    from hiddenhand.search.policy_improvement import BlueprintSearch, RolloutComparison

ALIKE = 1.0 - 1e-9
ALWAYS = 1e-9  # a smaller standard error is none
TELLING = 0.9  # a move that leaves a smaller share of the worlds told something
MOST_TELLING = 3  # are named
FEWEST = 10  # trials with a fact before it is spoken of


def reasons(agent: BlueprintSearch, view: View, result: RolloutComparison) -> list[str]:
    """A headline, then the details."""
    return [
        headline(agent, view, result),
        worlds_in_words(agent, result),
        *who_judged(agent),
        *deeper_reasons(result),
        *what_others_told(view, result),
        *where_it_loses(view, result),
    ]


def headline(agent: BlueprintSearch, view: View, result: RolloutComparison) -> str:
    chosen, own = (
        view.action_name(view.legal_actions()[result.best]),
        view.action_name(view.legal_actions()[result.own]),
    )
    if len(view.legal_actions()) == 1:
        return Text("It is the only legal move.")
    if result.best != result.own:
        gap, error = result.ahead(result.best)
        n = result.of(result.best).trials[result.best]
        if error < ALWAYS:
            return Text(
                "{move} instead of {own}, which {agent} would play: over {n} games played out it is ahead by "
                "{gap:.3f}, and chance has no part in that.",
                move=chosen,
                own=own,
                agent=agent.policy,
                n=n,
                gap=gap,
            )
        return Text(
            "{move} instead of {own}, which {agent} would play: over {n} games played out it is ahead by {gap:.3f}, "
            "which is {errors:.1f} standard errors; {bound:.1f} were needed, with {moves} moves to compare.",
            move=chosen,
            own=own,
            agent=agent.policy,
            n=n,
            gap=gap,
            errors=gap / error,
            bound=result.bound,
            moves=len(view.legal_actions()) - 1,
        )
    rivals = [i for i in range(len(view.legal_actions())) if i != result.own and result.trials[i] > 0]
    rival = max(rivals, key=lambda i: (result.of(i) is not result, result.trials[i], result.ahead(i)[0]))
    gap, error = result.ahead(rival)
    return Text(
        "{own}, as {agent} would play: no other move is better by more than chance. The nearest, {move}, is "
        "{gap:.3f} ahead over {n} games played out, with a standard error of {error:.3f}."
        if gap > 0
        else "{own}, as {agent} would play: no other move is better by more than chance. The nearest, {move}, is "
        "{gap:.3f} behind over {n} games played out, with a standard error of {error:.3f}.",
        own=own,
        agent=agent.policy,
        move=view.action_name(view.legal_actions()[rival]),
        gap=abs(gap),
        n=result.of(rival).trials[rival],
        error=error,
    )


def worlds_in_words(agent: BlueprintSearch, result: RolloutComparison) -> str:
    belief = result.belief
    if belief.exact and len(belief) == 1:
        return Text("My knowledge allows only one world.")
    if belief.exact:
        worlds = Text("All {n:,} worlds that my knowledge allows", n=len(belief))
    else:
        worlds = Text("{n:,} worlds that my knowledge allows, drawn at random,", n=len(belief))
    if not len(belief.moves):
        return Text(
            "{worlds} count alike: the game does not tell how it came about, or has just begun.", worlds=worlds
        )
    if (belief.information > ALIKE).all():
        return Text("{worlds} count alike: what the others did says nothing yet.", worlds=worlds)
    return Text(
        "{worlds} are weighed by what the others did, if they play like {agents} but for {share:.1%} of their moves: "
        "worth {n:,.0f} equally likely ones.",
        worlds=worlds,
        agents=" / ".join(str(model) for model in agent.models),
        share=agent.mistakes,
        n=belief.effective,
    )


def who_judged(agent: BlueprintSearch) -> list[str]:
    """How games ended that were not played to the end."""
    if not agent.horizon:
        return []
    if agent.policy.judge is None:
        return [Text("Each game was broken off after {n} moves and then estimated.", n=agent.horizon)]
    return [Text("Each game was broken off after {n} moves; {agent} judged it.", n=agent.horizon, agent=agent.policy)]


def deeper_reasons(result: RolloutComparison) -> list[str]:
    """How the moves were compared that were left."""
    if result.deeper is None:
        return []
    moves, trials = np.count_nonzero(result.deeper.trials), result.deeper.trials.max()
    return [
        Text(
            "I compared {n} moves in {worlds} worlds looking ahead to my own next decisions as well.",
            n=moves,
            worlds=trials,
        )
    ]


def what_others_told(view: View, result: RolloutComparison) -> list[str]:
    """The moves of others that ruled out most, as this seat heard them."""
    belief, game = result.belief, view.game
    telling = [int(i) for i in np.argsort(belief.information) if belief.information[i] < TELLING][:MOST_TELLING]
    if not telling:
        return []
    # the likeliest world, played again: what is heard of a move is the same in all
    likeliest = int(np.argmax(belief.weights))
    state, moves = new_records(game.rules.state, 1)[0], np.zeros(game.longest, np.int64)
    count = int(game.rules.rewind(belief.states[likeliest], state, moves))
    said = {}
    for i in range(count):
        mover = int(game.rules.turn(state))
        if i in telling and mover != CHANCE:
            said[i] = Text(
                "What told most: move {number} of {who}, {move}, left {share:.0%} of the worlds.",
                number=i + 1,
                who=Seat(mover),
                move=hear(game, state, mover, int(moves[i]), view.seat),
                share=belief.information[i],
            )
        game.rules.play(state, int(moves[i]), stream(0))
    return [said[i] for i in telling if i in said]


def where_it_loses(view: View, result: RolloutComparison) -> list[str]:
    """The fact about the worlds with which the chosen move does worst."""
    n = int(result.trials[result.best])
    if view.game.people.facts is None or n < 2 * FEWEST:
        return []
    got = result.payoffs[result.best, :n]
    cases: dict[tuple[str, str], list[float]] = defaultdict(list)
    known: dict[int, Any] = {}
    for trial in range(n):
        i = int(result.worlds[trial])
        if i not in known:
            known[i] = view.game.people.facts(result.belief.states[i], view.seat)
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
    each = [
        (Text("{thing}: {what}", thing=called(thing, seat), what=facts[0][0]), facts[0][1])
        for thing, facts in shares.items()
    ]
    return sorted(each, key=lambda fact: -fact[1])


def called(thing: str, seat: int) -> str:
    """A thing of the picture as its seat speaks of it: `0 card 1` is card 1 to seat 0."""
    return thing.removeprefix(f"{seat} ")
