"""Rules of play written as text, tried from left to right: bands of probability with priorities.

J. Barič's thesis (2009), section 6.3.3, wants rules such as "if a player holds this card with at least 75 %, then
...", tells apart likely, open and unlikely (more than 2/3, between, less than 1/3), and lets the first rule decide
whose conditions all hold. So does the agent `own_rules`:

    own_rules:claim, give, dearest losing when ours >= 70%, take, dost when enough is likely

Lines are separated by commas or semicolons, or stand one below the other in a file (`own_rules:@FILE`). A line is a
word for what to do, and `when` with conditions joined by `and`. What no line decides, the agent `rules` decides.

    what `rules` does, by name    claim  pull  announce  cash  show  attack  top  quiet           (leading)
                                  reach  give  take  beat  trust  least                           (following)
                                  rules                                                           (all of it)
    a card of my own choice       dearest  cheapest  highest  lowest, and perhaps which cards: trump  side  top
                                  winning  losing
    what is said                  dost, kontra, alone (name a card of my own)

A condition is a quantity, one of < <= = != >= > and a number (75%, 0.75, 3/4); or a quantity, `is` and a band:
impossible, unlikely, open, likely, certain; or one of these words, perhaps after `not`: leading, following, last (to
play), attacking (on the chooser's side), defending.

    ours                 how likely my side takes the trick, with the card in question
    enough               how likely my side has 66 points
    friend               how likely whoever wins the trick so far is on my side
    holds(WHO, CARD)     how likely somebody holds a card: WHO is next, second, third (after me), chooser or winner
                         (so far); CARD is named, trump A, led K (of the suit led), or a card such as h10
    value, points        of the card in question; on the table
    trumps, unseen       how many I hold; how many are in other hands
    trick, later         its number; how many play after me in it
    win                  for kontra: how likely my hand wins against the chooser
    gain                 for alone: by how many stakes it is better than with a partner

The chances are those of the thesis's knowledge base; with `belief exact;` in front, exact ones.

`language` has the rules as data, `parser` makes them of text, `encoding` turns them into the record that the
compiled `interpreter` obeys, and `reasons` says which line decided and why those before it did not.
"""

from typing import Any

import numpy as np

from hiddenhand.core.decision import Decision
from hiddenhand.core.game import Game
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.own_rules.encoding import parameters_of
from hiddenhand.games.snaps.own_rules.interpreter import decide_by_lines
from hiddenhand.games.snaps.own_rules.parser import read_rules
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
def why_by_lines(view: View, action: int, parameters: np.record) -> Decision:
    actions = np.array(view.legal_actions(), np.int64)
    _, line = decide_by_lines(view.record, view.seat, actions, len(actions), parameters)
    return line_reasons(view, action, int(line), parameters)
