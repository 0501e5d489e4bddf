"""The agent that everyone must beat: a uniform choice among the legal moves."""

from typing import Any

from hiddenhand.core.policy import policy
from hiddenhand.core.view import View
from hiddenhand.kernel import below


@policy("chooses uniformly among the legal moves")
def random(view, seat, actions, memory, parameters, rng):
    return actions[below(rng, len(actions))]


@random.explains
def reasons(view: View, action: int, parameters: Any) -> list[str]:
    return [f"{view.text(action)} was drawn at random from {len(view.actions)} legal moves, each equally likely."]
