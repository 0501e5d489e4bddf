"""What the writer of a game or of an agent needs, and nothing else.

A game is a record (`record_type`), rules (`rule`) and one call of `define`; an agent is a compiled function
(`policy`) or a class made of `Agent`. "Your own game" and "Your own agent" in the documentation begin with

    from hiddenhand.author import OVER, Setting, define, record_type, rule
    from hiddenhand.author import Agent, Alternative, Decision, Setting, View, policy

What a game declares beside its rules are the small classes of `hiddenhand.core.extras`, such as `Opponents` and
`Encoding`. What a screen draws of a game is made of blocks (`board`, `cards`, `chances`, `places`, `amounts`, `tree`,
`note`, `plain_text`), which a game's `picture` returns by name.

Inside rules and policies, random numbers come from `below`, `uniform`, `pick` and `shuffle`. `check_game` plays a
game in every way that the conformance suite knows.
"""

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.extras import (
    Advisers,
    Blanked,
    Commands,
    Encoding,
    EndgameTables,
    Evolvable,
    FormerNames,
    Learners,
    Networks,
    Opponent,
    Opponents,
    PrivateFields,
    RecordFormats,
    SearchDefaults,
    Simultaneous,
    Teams,
)
from hiddenhand.core.features import Feature, Features
from hiddenhand.core.game import Chance, Game, define
from hiddenhand.core.picture import (
    Picture,
    amounts,
    board,
    board_cell,
    cards,
    chances,
    hidden_card,
    map_mark,
    map_place,
    note,
    places,
    plain_text,
    shown_card,
    tree,
)
from hiddenhand.core.policy import Policy, policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.view import View
from hiddenhand.kernel import (
    CHANCE,
    OVER,
    UNTOLD,
    assign,
    below,
    copy,
    derive,
    new_records,
    pick,
    record_type,
    shuffle,
    split,
    stream,
    uniform,
)
from hiddenhand.kernel.rule import rule
from hiddenhand.testing import check_game

__all__ = [
    "CHANCE",
    "OVER",
    "UNTOLD",
    "Advisers",
    "Agent",
    "Alternative",
    "Blanked",
    "Chance",
    "Commands",
    "Decision",
    "Encoding",
    "EndgameTables",
    "Evolvable",
    "Feature",
    "Features",
    "FormerNames",
    "Game",
    "Learners",
    "Networks",
    "Opponent",
    "Opponents",
    "Picture",
    "Policy",
    "PrivateFields",
    "RecordFormats",
    "SearchDefaults",
    "Setting",
    "Simultaneous",
    "Teams",
    "UserError",
    "View",
    "amounts",
    "assign",
    "below",
    "board",
    "board_cell",
    "cards",
    "chances",
    "check_game",
    "copy",
    "define",
    "derive",
    "did_you_mean",
    "hidden_card",
    "map_mark",
    "map_place",
    "new_records",
    "note",
    "one_of",
    "pick",
    "places",
    "plain_text",
    "policy",
    "record_type",
    "rule",
    "shown_card",
    "shuffle",
    "split",
    "stream",
    "tree",
    "uniform",
]
