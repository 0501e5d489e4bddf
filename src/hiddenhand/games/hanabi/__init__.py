"""Hanabi: everyone sees all hands but their own, and together they build five fireworks with few hints.

The deck has five colours (red, yellow, green, blue, white) with three 1s, two 2s, 3s and 4s and one 5 each: 50 cards.
Two or three players hold five cards each, four or five players hold four. They share 8 hint tokens and 3 lives.
Seat 0 begins. A turn is one of these:

- play a card: it goes on the pile of its colour if it is the next rank there, and a 5 wins back a token;
  otherwise a life is lost and the card is discarded;
- discard a card: a token comes back, unless all 8 are there;
- hint, for a token: name a colour or a rank to another player, who learns which cards have it, and which have not.

Whoever played or discarded draws a card while the deck lasts. Once the last card is drawn everyone has one more turn,
the drawer included. The game ends then, or at the third lost life, or when all piles are complete. Everyone gets the
score: the cards on the piles, at most 25. Designed by Antoine Bauza (2010).

Options: `bomb` says what the piles are worth after the third lost life, `empty_hints` whether a hint may touch no
card at all, `discard_at_8` whether one may discard when no token can come back. rules=strict stands for
bomb=zero empty_hints=no discard_at_8=no; what is said beside it holds.

A card is 5 * colour + rank - 1. Slot 0 of a hand is its oldest card; when a card leaves, the younger ones move up,
and the new card comes last. Actions: i plays slot i; 5 + i discards it; 10 + 10 * seat + c names colour c to a seat,
and 15 + 10 * seat + r names rank r + 1. People count cards from 1: `play 1`, `discard 5`, `hint 1 red`,
`hint 0 rank 3`.
"""

from typing import Any

import numpy as np

from hiddenhand.core.extras import Advisers, Learners, Networks, Opponent, Opponents, RecordFormats, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.hanabi.adaptive import adaptive
from hiddenhand.games.hanabi.analysis import analysis
from hiddenhand.games.hanabi.cheaters import cheater, smart_cheater
from hiddenhand.games.hanabi.distrustful import distrustful
from hiddenhand.games.hanabi.encoding import adapt, encode
from hiddenhand.games.hanabi.hats import hat
from hiddenhand.games.hanabi.inclined import inclined
from hiddenhand.games.hanabi.knowledge import observe, redeal, rewind, vary, world, worlds
from hiddenhand.games.hanabi.pair import pair
from hiddenhand.games.hanabi.picture import facts, open_picture, picture, verb_and_objects
from hiddenhand.games.hanabi.random_play import erratic, stopped_clock
from hiddenhand.games.hanabi.reinforced import LEARNED, reinforced, reinforced2, reinforced4
from hiddenhand.games.hanabi.rules import (
    COLOURS,
    HINT,
    LONGEST,
    NONE,
    PERFECT,
    RANKS,
    SEATS,
    STATE,
    VIEW,
    arrange,
    configure,
    deal,
    evaluate,
    legal,
    measure,
    payoff,
    play,
    relative,
    turn,
)
from hiddenhand.games.hanabi.simple_distrustful import simple_distrustful
from hiddenhand.games.hanabi.texts import action_name, heard, outcome, refusal, show
from hiddenhand.games.hanabi.trustful import bayesian_trustful2, bayesian_trustful4, trustful, tuned_trustful


def conserved(s: np.record) -> Any:
    """How often each card is in the game."""
    counts = [int(n) + (card % RANKS < s.piles[card // RANKS]) for card, n in enumerate(s.discarded)]
    for card in [*s.hands.ravel().tolist(), *s.deck[: s.deck_left].tolist()]:
        if card != NONE:
            counts[card] += 1
    return counts


GAME = define(
    "hanabi",
    title=Text("Hanabi"),
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
        measure,
        relative,
        encode,
    ),
    people=(
        action_name,
        show,
        picture,
        open_picture,
        facts,
        verb_and_objects,
        configure,
        adapt,
        heard,
        outcome,
        refusal,
        analysis,
        arrange,
        conserved,
    ),
    agents=(
        adaptive,
        bayesian_trustful2,
        bayesian_trustful4,
        cheater,
        distrustful,
        erratic,
        hat,
        inclined,
        pair,
        reinforced,
        reinforced2,
        reinforced4,
        simple_distrustful,
        smart_cheater,
        stopped_clock,
        trustful,
        tuned_trustful,
    ),
    players=(2, 5),
    hidden=True,
    chance=("deal",),
    utility="cooperative",
    most_actions=60,
    all_actions=HINT + SEATS * (COLOURS + RANKS),
    longest=LONGEST,
    payoffs=(0.0, float(PERFECT)),
    metrics=("perfect", "bombed", "turns"),
    options={
        "rules": Setting(
            "lenient",
            Text(
                "sets those of the next three that you leave alone. strict: no points after the third bomb, hints "
                "must touch a card, no discard with all 8 tokens there; lenient: the opposite"
            ),
            choices=("lenient", "strict"),
            former={"thesis": "lenient"},
            presets={
                "lenient": {"bomb": "piles", "empty_hints": True, "discard_at_8": True},
                "strict": {"bomb": "zero", "empty_hints": False, "discard_at_8": False},
            },
        ),
        "bomb": Setting(
            "piles",
            Text("what counts after the third bomb: the cards on the piles, or zero"),
            choices=("piles", "zero"),
        ),
        "empty_hints": Setting(True, Text("a hint may name a colour or rank of which the player holds no card")),
        "discard_at_8": Setting(True, Text("one may discard with all 8 hint tokens there, and wins none back")),
        "players": Setting(2, Text("how many play"), low=2, high=5),
    },
    extras=(
        *adapt({"players": 2})["extras"],
        SearchDefaults(depth=2),
        Opponents(
            (
                Opponent(
                    Text("Beginner"),
                    "stopped_clock",
                    Text("moves at random, but never plays a card that may be wrong"),
                ),
                Opponent(
                    Text("Careful"),
                    "distrustful",
                    Text("plays only what is certain, and hints so that you can be certain too"),
                ),
                Opponent(
                    Text("Trusting"),
                    "trustful",
                    Text("takes a hint as a promise: the touched cards can be played, oldest first"),
                ),
            ),
            champion="trustful",
        ),
        Advisers(
            {
                **dict.fromkeys(("erratic", "random", "stopped_clock"), "distrustful"),
                **dict.fromkeys(("cheater", "smart_cheater"), "simple_distrustful"),
            }
        ),
        Learners({"reinforced": "hiddenhand.games.hanabi.learning:Reinforced"}),
        RecordFormats({"hanab.live": "hiddenhand.games.hanabi.hanab_live:HANAB_LIVE"}),
        Networks(str(LEARNED)),
    ),
)
