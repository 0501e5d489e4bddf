"""The agent `own_rules`: follows the rules that are written behind its name."""

from typing import Any

import numpy as np

from hiddenhand.core.decision import Decision
from hiddenhand.core.game import Game
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.own_rules.encoding import parameters_of
from hiddenhand.games.snaps.own_rules.following import decide_by_lines
from hiddenhand.games.snaps.own_rules.reading import read_rules
from hiddenhand.games.snaps.own_rules.reasons import line_reasons


def read_for(game: Game, text: str) -> dict[str, Any]:
    """The parameters of the rules that a text describes."""
    return parameters_of(read_rules(text))


@policy(
    Text(
        "plays by rules that you write, with chances and priorities, such as `claim, dearest losing when ours >= 70%`"
    ),
    reads=read_for,
    example="claim, give, dearest losing when ours >= 70% and following, dost when enough is certain, rules",
)
def own_rules(view, seat, actions, memory, parameters, rng):
    action, _ = decide_by_lines(view, seat, actions, len(actions), parameters)
    return action


@own_rules.explains
def why_by_lines(view: View, action: int, parameters: Any) -> Decision:
    actions = np.array(view.actions, np.int64)
    _, line = decide_by_lines(view.record, view.seat, actions, len(actions), parameters)
    return line_reasons(view, action, int(line), parameters)
