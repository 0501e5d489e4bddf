"""The first lead, learned by watching: the experiment of J. Barič's thesis (2009), section 6.3.

His network had 24 inputs (1 for each card in the hand), 72 hidden units and 24 outputs (the card to lead), and "after
about 60 games was able to make the first step right". Here the same network watches the first leads of a teacher, and
is then asked about deals that it has not seen; the share of its answers that agree with the teacher's is its
accuracy, among the cards it holds. In snaps the chooser has named a card before he leads, which that network does not
see: with `named` it does (24 more inputs), and with `sorted_suits` trumps come first and the other suits in the order
of the cards held, so that what is learned for one suit holds for all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.games.snaps.cards import CARDS, RANKS, SUIT, SUITS, Array
from hiddenhand.games.snaps.rules import play
from hiddenhand.games.snaps.state import TRICKS
from hiddenhand.games.snaps.teacher import begin_again
from hiddenhand.kernel import new_records, rule
from hiddenhand.learning.network import FORBIDDEN, Adam, cross_entropy, layers_of, new_network, pass_forward

HIDDEN = 3 * CARDS
BATCH = 32
STEPS = 1500
RATE = 2e-3
OBSERVED = (10, 20, 60, 200, 1000, 5000)
FRESH = 2000  # deals on which it is tested
VARIANTS = {
    "the hand (as in the thesis)": (False, False),
    "the hand and the named card": (True, False),
    "both, suits sorted": (True, True),
}


@dataclass
class Leads:
    """First leads that were watched."""

    hands: Array
    """bool[games, 24]: the cards of the chooser"""
    named: Array
    """int64[games]"""
    cards: Array
    """int64[games]: what he led"""

    def part(self, first: int, last: int | None) -> "Leads":
        return Leads(self.hands[first:last], self.named[first:last], self.cards[first:last])


@rule
def replay_leads(states, seed, numbers, records, hands, named, leads):
    """Write the chooser's hand (a mask), the named card and the card led first, for each of these games."""
    s = states[1]
    rng = np.zeros(1, np.uint64)
    for g in range(len(numbers)):
        begin_again(states, seed, numbers[g], rng)
        i = 0
        while s.phase != TRICKS:
            play(s, np.int64(records[g, i]), rng)
            i += 1
        hands[g] = s.hands[s.chooser]
        named[g] = s.named
        leads[g] = records[g, i] % CARDS


def leads_of(game: Game, seed: int, records: Array) -> Leads:
    """The first leads in the records of games 0, 1, ... of a teacher."""
    games = len(records)
    masks, named, cards = (np.zeros(games, np.int64) for _ in range(3))
    states = new_records(game.state, 2)
    states[0] = game.blank()[0]
    replay_leads(states, np.uint64(seed), np.arange(games), records, masks, named, cards)
    return Leads((masks[:, None] >> np.arange(CARDS)) & 1 == 1, named, cards)


def sort_suits(leads: Leads) -> Leads:
    """The same leads with trumps as the first suit and the others in the order of the cards held."""
    games = np.arange(len(leads.cards))
    keys = (leads.hands.reshape(-1, SUITS, RANKS) << np.arange(RANKS)).sum(axis=2)
    keys[games, leads.named // RANKS] = SUIT + 1
    order = np.argsort(-keys, axis=1, kind="stable")
    places = np.argsort(order, axis=1)
    hands = leads.hands.reshape(-1, SUITS, RANKS)[games[:, None], order].reshape(-1, CARDS)
    cards = places[games, leads.cards // RANKS] * RANKS + leads.cards % RANKS
    return Leads(hands, leads.named % RANKS, cards)


def inputs_of(leads: Leads, named: bool) -> Array:
    """float32[games, 24], or [games, 48] with the named card."""
    hands = leads.hands.astype(np.float32)
    return np.hstack([hands, np.eye(CARDS, dtype=np.float32)[leads.named]]) if named else hands


def learn_leads(leads: Leads, named: bool = False, seed: int = 1, steps: int = STEPS) -> Array:
    """A network that has learned these leads."""
    inputs = inputs_of(leads, named)
    adam = Adam(new_network((inputs.shape[1], HIDDEN, CARDS), seed))
    random = np.random.default_rng(seed)
    for number in range(steps):
        some = random.integers(len(inputs), size=BATCH)
        adam.descend(inputs[some], loss_of(leads, some), RATE * (1.0 - number / steps))
    return adam.network


def loss_of(leads: Leads, some: Array) -> Callable[[Array], Any]:
    return lambda outputs: cross_entropy(outputs, leads.cards[some], leads.hands[some])


def accuracy(network: Array, leads: Leads, named: bool = False) -> float:
    """How often the network would lead the teacher's card."""
    outputs = pass_forward(layers_of(network), inputs_of(leads, named))[-1]
    return float((np.where(leads.hands, outputs, FORBIDDEN).argmax(axis=1) == leads.cards).mean())


def learning_curves(
    leads: Leads, observed: tuple[int, ...] = OBSERVED, fresh: int = FRESH, seed: int = 1
) -> dict[str, list[float]]:
    """{variant: [accuracy after each number of observed games]}; the last `fresh` leads are for testing."""
    curves = {}
    for name, (named, sorted_suits) in VARIANTS.items():
        known = sort_suits(leads) if sorted_suits else leads
        test = known.part(len(known.cards) - fresh, None)
        curves[name] = [accuracy(learn_leads(known.part(0, n), named, seed), test, named) for n in observed]
    return curves


def curve_rows(curves: dict[str, list[float]], observed: tuple[int, ...] = OBSERVED) -> list[list[str]]:
    """The curves as the rows of a table, a row for each number of games, the names first."""
    rows = [["games observed", *curves]]
    for i, games in enumerate(observed):
        rows.append([f"{games:,}", *(f"{curve[i]:.1%}" for curve in curves.values())])
    return rows
