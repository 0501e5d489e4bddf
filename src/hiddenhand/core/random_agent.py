"""The agent that everyone must beat: a uniform choice among the legal moves."""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import below


@policy(Text("chooses uniformly among the legal moves"))
def random(view, seat, actions, memory, parameters, rng):
    return actions[below(rng, len(actions))]


@random.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    return [
        Text(
            "{move} was drawn at random from {n} legal moves, each equally likely.",
            move=view.action_name(action),
            n=len(view.legal_actions()),
        )
    ]


@random.has_distribution
def distribution(view: View, parameters: np.record) -> list[float]:
    return [1.0 / len(view.legal_actions())] * len(view.legal_actions())
