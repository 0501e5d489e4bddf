"""Snaps (šnaps): four players, 24 cards, and a partner whom nobody knows until a card is played.

The pack has four suits (hearts, leaves, acorns, bells) of six cards, from low to high with their points: nine 0,
under 2, over 3, king 4, ten 10, ace 11; 120 points in all. Everybody gets six. The chooser names any card: its suit
is trump, and whoever holds it is the chooser's secret partner for this deal. A chooser who names a card of his own
plays alone against three (sumec), and need not say so. Then, in turn, a player who does not hold the named card may
say kontra, which doubles the stakes and shows that he is an opponent.

The chooser leads to the first of six tricks; play goes from seat 0 to 3, 2, 1. A follower must follow suit and beat
the highest card of the suit led if he can; without that suit he must trump, and beat the highest trump if he can.
The highest trump wins the trick, or else the highest card of the suit led; the winner takes the points and leads. A
leader who holds king and over of a suit may announce their marriage as he leads one of them: 20 points, 40 in
trumps, which count once his side has taken a trick.

At his turn a player may say "dost" (enough): if his side has 66 points it has won, otherwise it has lost. If nobody
does, the last trick decides. Winners get 1 each and losers -1; a chooser alone wins or loses 3. After J. Barič,
"Možnosti rozhodovacích agentov hrajúcich hracie karty" (2009), whose gaps the options fill.

A card is 6 * suit + rank and is written hA, l10, aO (over), bU (under). Actions: 0 to 23 names or plays a card;
24 + card leads it and announces a marriage, 48 + card claims at once as well; 72 is dost, 73 pass, 74 kontra,
75 rekontra. People write: `name hA`, `hK`, `hK for 20`, `hK for 20 and dost`, `dost`, `pass`, `kontra`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.extras import (
    Advisers,
    Blanked,
    Commands,
    Encoding,
    Learners,
    Opponent,
    OpponentHistory,
    Opponents,
    Teams,
)
from hiddenhand.core.game import define
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.snaps.averaging import averaging
from hiddenhand.games.snaps.best_reply import BestReply
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.cheater import cheater
from hiddenhand.games.snaps.deal_history import rewind
from hiddenhand.games.snaps.encoding import INPUTS, encode, relative
from hiddenhand.games.snaps.experienced import Experienced
from hiddenhand.games.snaps.illegal_reasons import refusal
from hiddenhand.games.snaps.knowledge import observe, redeal, vary, world, worlds
from hiddenhand.games.snaps.lead_network import first_lead
from hiddenhand.games.snaps.networks import GROUPS, imitation, self_taught
from hiddenhand.games.snaps.open_table import believed, open_table
from hiddenhand.games.snaps.own_rules import own_rules
from hiddenhand.games.snaps.picture import facts, open_picture, picture, verb_and_objects
from hiddenhand.games.snaps.pimc import pimc
from hiddenhand.games.snaps.predictable_opponent import habit
from hiddenhand.games.snaps.rule_agent.agents import risky
from hiddenhand.games.snaps.rule_agent.agents import rules as rules_agent  # `rules` is the module
from hiddenhand.games.snaps.rules import evaluate, legal, measure, payoff, play, turn
from hiddenhand.games.snaps.state import REKONTRA, STATE, VIEW, configure, deal, side
from hiddenhand.games.snaps.texts import action_name, heard, outcome, show
from hiddenhand.games.snaps.win_shares import shares


def conserved(s: np.record) -> list[int]:
    """Where each card is, in a hand or played: exactly once."""
    held = [card for hand in s.hands for card in range(CARDS) if int(hand) >> card & 1]
    return sorted(held + [int(card) for card in s.played[: s.plays]])


def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
    """The highest stake: a chooser alone, doubled by kontra and rekontra, trebled when one side takes nothing."""
    stake = (SEATS - 1) * (3 if options["schwarz"] else 1) * (4 if options["rekontra"] else 2)
    return {"payoffs": (-float(stake), float(stake))}


GAME = define(
    "snaps",
    title=Text("Snaps"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(
        deal,
        turn,
        legal,
        play,
        payoff,
        observe,
        redeal,
        rewind,
        vary,
        worlds,
        world,
        evaluate,
        side,
        measure,
        encode,
        relative,
    ),
    people=(
        action_name,
        show,
        picture,
        open_picture,
        facts,
        verb_and_objects,
        configure,
        heard,
        outcome,
        refusal,
        open_table,
        believed,
        shares,
        adapt,
        conserved,
    ),
    agents=(
        averaging,
        cheater,
        first_lead,
        habit,
        imitation,
        own_rules,
        pimc,
        risky,
        rules_agent,
        self_taught,
        BestReply,
        Experienced,
    ),
    players=SEATS,
    hidden=True,
    version=2,
    chance=("deal",),
    most_actions=CARDS,
    all_actions=REKONTRA + 1,
    longest=1 + 3 + 3 + CARDS + 1,
    payoffs=(-6.0, 6.0),
    metrics=("chooser_won", "sumec", "kontra", "claimed", "false_claim", "chooser_points"),
    options={
        "chooser": Setting(0, Text("the seat that names the trump card"), low=0, high=3),
        "direction": Setting(
            -1, Text("who plays next: with -1 seat 0 is followed by 3, 2, 1; with 1 by 1, 2, 3"), choices=(-1, 1)
        ),
        "choose_after": Setting(
            6, Text("how many of his six cards the chooser has seen when he names the trump card"), low=0, high=6
        ),
        "sumec": Setting(
            "hidden",
            Text("whether a chooser who named a card of his own, and so plays alone, says so"),
            choices=("hidden", "announced"),
        ),
        "relax_if_trumped": Setting(
            False, Text("once somebody has trumped, the suit led must be followed but need not be beaten")
        ),
        "claim": Setting(
            "manual",
            Text(
                "66 points win when somebody says dost, which nobody may who knows that it is false "
                "(manual), or anybody may and lose (free); or they win at once (auto)"
            ),
            choices=("manual", "free", "auto"),
        ),
        "strict_claim": Setting(False, Text("nobody may say dost in the same breath as a marriage")),
        "schwarz": Setting(False, Text("losers pay double below 33 points, and threefold if they took no trick")),
        "rekontra": Setting(
            False, Text("the chooser's side may answer a kontra, which doubles the stakes once more")
        ),
    },
    extras=(
        Encoding(INPUTS, groups=GROUPS),
        Blanked(("hands", "seen_first", "holder")),
        Teams(2),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("any card that the duties allow")),
                Opponent(Text("Practised"), "rules", Text("plays by a list of rules, on what is certain")),
                Opponent(
                    Text("Strong"),
                    "best_reply",
                    Text("imagines deals by what the others did, and looks ahead in each"),
                ),
            ),
            champion="best_reply",
        ),
        Advisers(reviewer="cheater"),
        Learners("hiddenhand.games.snaps.learning:LEARNERS"),
        OpponentHistory("hiddenhand.games.snaps.experience:Experience"),
        Commands({"experience": "hiddenhand.games.snaps.experience:tell_experience"}),
    ),
)
