"""Perfect-information Monte Carlo for snaps: imagine deals, judge every move in each, play what wins most often.

Where the deals come from is a matter of belief: `exact` (every deal that agrees with all that was seen is equally
likely), `table` (the knowledge base of the thesis), `weighted` (deals count more in which the rule agent would have
played as the others did) or `statistics` (the same with counted habits for a model).
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.games.snaps.beliefs.drawing import draw_worlds
from hiddenhand.games.snaps.beliefs.statistics import statistics_of
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.pimc.choice import candidates, choose, doubt_at, place_of
from hiddenhand.games.snaps.pimc.reasons import explain
from hiddenhand.games.snaps.pimc.settings import BELIEF, DOUBT, MODEL, SETTINGS, WORLDS
from hiddenhand.games.snaps.pimc.worlds import judge
from hiddenhand.games.snaps.rule_agent.decide import rule_action


@policy(
    "imagines deals, judges every move in each, and plays what wins most often",
    settings=SETTINGS,
    knowledge=lambda game: {"statistics": statistics_of(game)},
    numbered=True,
)
def pimc(view, seat, actions, memory, parameters, rng):
    if len(actions) == 1:
        return actions[0]
    found = np.empty(CARDS, np.int64)
    found = found[: candidates(view, seat, actions, found)]
    hands = np.empty((np.int64(parameters.numbers[WORLDS]), SEATS), np.int64)
    draw_worlds(np.int64(parameters.numbers[BELIEF]), view, seat, parameters.numbers[MODEL:], rng, hands)
    judged = np.empty((len(hands), len(found)))
    judge(view, seat, found, hands, rng, judged)
    usual = place_of(found, rule_action(view, seat, actions, len(actions)))
    return found[choose(found, judged, usual, doubt_at(view, parameters.numbers[DOUBT]))]


pimc.explains(explain)
