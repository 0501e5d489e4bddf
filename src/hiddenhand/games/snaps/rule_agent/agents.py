"""The policy `rules`."""

from hiddenhand.core.policy import policy
from hiddenhand.games.snaps.rule_agent.decide import rule_action


@policy("a list of rules with priorities; the first that applies decides")
def rules(view, seat, actions, memory, parameters, rng):
    return rule_action(view, seat, actions, len(actions))
