"""Backgammon: race fifteen checkers round the board and bear them off, as the dice allow. One game, no cube.

Each seat counts from its own side: `checkers[seat]` has 26 places, OFF (0), the points 1 to 24, and the BAR
(25), and every checker moves downwards. Point p of one seat is point 25 - p of the other. A set of places
is a number whose bit p stands for place p.

Chance throws the dice: an outcome is one of the 21 distinct ROLLS. At the start each seat throws one die,
and the higher begins with both; equal dice are thrown again. So the outcome there is one of 30 OPENINGS,
the die of seat 0 first.

A seat then moves one checker at a time: action (place - 1) * 6 + (die - 1) moves a checker from that place
by that die. The seat goes on until the dice are used (four times for doubles) or cannot be used any
further. PASS is the only legal action when a roll cannot be played at all. Both dice must be played if that
is possible in some way; if either can be played but not both, the larger.

A win counts 1; with the option `gammons`, 2 if the loser has borne off nothing (a gammon), and 3 if
moreover a checker of the loser is on the bar or in the winner's home board (a backgammon).
"""

from hiddenhand.core.extras import Learners, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import Chance, define
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.backgammon.network import judge, td
from hiddenhand.games.backgammon.rules import (
    BAR,
    CHECKERS,
    FEATURES,
    NOBODY,
    OFF,
    OPENINGS,
    PASS,
    PLACES,
    ROLLS,
    STATE,
    action_name,
    conserved,
    deal,
    features,
    legal,
    measure,
    odds,
    order,
    outcome,
    payoff,
    picture,
    play,
    refusal,
    set_up,
    show,
    turn,
    verb_and_objects,
    written,
)

__all__ = ["BAR", "CHECKERS", "GAME", "NOBODY", "OFF", "OPENINGS", "PASS", "PLACES", "ROLLS"]

GAME = define(
    "backgammon",
    title=Text("Backgammon"),
    about=__doc__,
    state=STATE,
    rules=(deal, turn, legal, play, payoff, odds, features, judge, order, measure),
    people=(action_name, set_up, written, show, picture, verb_and_objects, outcome, conserved, refusal),
    most_actions=30,
    all_actions=PASS + 1,
    longest=20000,
    chance=Chance(("outcomes",), name="dice"),
    payoffs=(-3.0, 3.0),
    agents=(td,),
    metrics=("gammon", "backgammon"),
    options={"gammons": Setting(False, Text("a gammon counts 2 and a backgammon 3"))},
    extras=(
        FEATURES,
        SearchDefaults(depth=2, network="hiddenhand.games.backgammon.network:read_network"),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("any move that the dice allow")),
                Opponent(Text("Careful"), "expectiminimax:depth=1", Text("takes the best next step of one checker")),
                Opponent(Text("Cunning"), "expectiminimax", Text("plans both its dice together")),
                Opponent(
                    Text("Strong"),
                    "td",
                    Text("has learned from a hundred thousand games with itself what positions are worth"),
                ),
            ),
            champion="td",
        ),
        Learners({"td": "hiddenhand.games.backgammon.learning:TDLearner"}),
    ),
)
