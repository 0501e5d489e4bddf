"""Coins: each of two players hides a coin; the first says whether both show the same side, or passes."""

from hiddenhand.author import OVER, below, define, record_type, rule

SAME, DIFFERENT, PASS = 0, 1, 2
STATE = record_type([("sides", "i8", (2,)), ("said", "i8"), ("over", "i8")])
VIEW = record_type([("mine", "i8"), ("said", "i8"), ("over", "i8")])


@rule
def deal(s, rng):
    for seat in range(2):
        s.sides[seat] = below(rng, 2)


@rule
def turn(s):
    return OVER if s.over else 0


@rule
def legal(s, out):
    for action in range(3):
        out[action] = action
    return 3


@rule
def play(s, action, rng):
    s.said = action
    s.over = 1


@rule
def payoff(s, out):
    right = (s.sides[0] == s.sides[1]) == (s.said == SAME)
    out[0] = 0.0 if s.said == PASS else 1.0 if right else -1.0
    out[1] = -out[0]


@rule
def observe(s, seat, view):
    view.mine = s.sides[seat]
    view.said = s.said
    view.over = s.over


@rule
def redeal(s, seat, rng):
    s.sides[1 - seat] = below(rng, 2)


def action_name(s, action):
    return ("same", "different", "pass")[action]


def show(view, seat):
    return f"your coin shows {'heads' if view.mine else 'tails'}"


GAME = define(
    "coins",
    title="Coins",
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal),
    people=(action_name, show),
    hidden=True,
    chance=("deal",),
    most_actions=3,
    longest=1,
)
