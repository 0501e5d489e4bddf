"""Perfect-information Monte Carlo for snaps: imagine deals, solve each with open cards, play what wins most often.

Where the deals come from is a matter of belief: `exact` (every deal that agrees with all that was seen is equally
likely), `table` (the knowledge base of the thesis), `weighted` (deals in which the rule agent would have played as the
others did count more) or `statistics` (the same with counted habits for a model). Kontra is said when the deals
imagined are won clearly enough on average, since open cards flatter the defenders, who in truth do not know each
other. Where moves are equally good, the rule agent decides.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.games.snaps.beliefs.drawing import draw_worlds
from hiddenhand.games.snaps.beliefs.statistics import statistics_of
from hiddenhand.games.snaps.cards import SEATS
from hiddenhand.games.snaps.pimc.naming import MOST_CANDIDATES, compare_names
from hiddenhand.games.snaps.pimc.reasons import explain
from hiddenhand.games.snaps.pimc.settings import BELIEF, MARGIN, MODEL, SETTINGS, WORLDS
from hiddenhand.games.snaps.pimc.worlds import judge_moves, judge_play
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import CHOOSING, DOST, KONTRA_ROUND, MARRIAGE_AND_CLAIM, PASS, TRICKS
from hiddenhand.kernel import rule

CLOSE = 1e-9


@policy(
    "imagines deals, solves them with open cards, and plays what wins most often",
    settings=SETTINGS,
    knowledge=statistics_of,
)
def pimc(view, seat, actions, memory, parameters, rng):
    if len(actions) == 1:
        return actions[0]
    worlds = np.int64(parameters[WORLDS])
    if view.phase == CHOOSING:
        cards = np.empty(MOST_CANDIDATES, np.int64)
        totals, looks = np.empty(MOST_CANDIDATES), np.empty(MOST_CANDIDATES, np.int64)
        compare_names(view, seat, worlds, rng, cards, totals, looks)
        return cards[0]
    hands = np.empty((worlds, SEATS), np.int64)
    draw_worlds(np.int64(parameters[BELIEF]), view, seat, parameters[MODEL:], rng, hands)
    if view.phase != TRICKS:
        values = np.empty(worlds)
        judge_play(view, hands, values)
        gain = -values.mean() if view.phase == KONTRA_ROUND else values.mean()
        return actions[1] if gain >= parameters[MARGIN] else PASS
    judged = np.empty((worlds, len(actions)))
    judge_moves(view, actions, hands, judged)
    return best_move(view, seat, actions, judged)


@rule
def best_move(view, seat, actions, judged):
    """The action with the highest mean; among equals a claim, then the rule agent's choice."""
    means = np.zeros(len(actions))
    for i in range(len(actions)):
        for w in range(judged.shape[0]):
            means[i] += judged[w, i]
    best = means.max()
    for i in range(len(actions) - 1, -1, -1):
        if means[i] > best - CLOSE and (actions[i] == DOST or actions[i] >= MARRIAGE_AND_CLAIM):
            return actions[i]
    choice = rule_action(view, seat, actions, len(actions))
    first = -1
    for i in range(len(actions)):
        if means[i] > best - CLOSE:
            if actions[i] == choice:
                return choice
            if first < 0:
                first = i
    return actions[first]


pimc.explains(explain)
