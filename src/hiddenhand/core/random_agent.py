"""The agent that everyone must beat: a uniform choice among the legal moves."""

from hiddenhand.core.policy import policy
from hiddenhand.kernel import below


@policy("chooses uniformly among the legal moves")
def random(view, seat, actions, memory, parameters, rng):
    return actions[below(rng, len(actions))]


@random.explains
def reasons(view, action, parameters):
    return [f"{view.text(action)} was drawn at random from {len(view.actions)} legal moves, each equally likely."]
