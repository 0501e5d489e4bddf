"""What the writer of a game or of an agent needs, and nothing else.

A game is a record (`record_type`), rules (`rule`) and one call of `define`; an agent is a compiled function
(`policy`) or a class made of `Agent`. "Your own game" and "Your own agent" in the documentation begin with

    from hiddenhand.author import OVER, Setting, define, record_type, rule
    from hiddenhand.author import Agent, Alternative, Decision, Setting, View, policy

Inside rules and policies, random numbers come from `below`, `uniform`, `pick` and `shuffle`. `check_game` plays a
game in every way that the conformance suite knows.
"""

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game, define
from hiddenhand.core.opponents import Opponent
from hiddenhand.core.policy import Policy, policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.view import View
from hiddenhand.kernel import (
    CHANCE,
    OVER,
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
    "Agent",
    "Alternative",
    "Decision",
    "Game",
    "Opponent",
    "Policy",
    "Setting",
    "UserError",
    "View",
    "assign",
    "below",
    "check_game",
    "copy",
    "define",
    "derive",
    "did_you_mean",
    "new_records",
    "one_of",
    "pick",
    "policy",
    "record_type",
    "rule",
    "shuffle",
    "split",
    "stream",
    "uniform",
]
