"""The first lead, learned by watching: how often the thesis's network agrees with its teacher.

Its network had 24 inputs (1 for each card in the hand), 72 hidden units and 24 outputs (the card to lead), and "after
about 60 games was able to make the first step right" (J. Barič, 2009, section 6.3). Here the same network watches the
first leads of a teacher, and is then asked about deals that it has not seen; the share of its answers that agree with
the teacher's is its accuracy, among the cards it holds. In snaps the chooser has named a card before he leads, which
that network does not see: with `named` it does (24 more inputs), and with `sorted_suits` trumps come first and the
other suits in the order of the cards held, so that what is learned for one suit holds for all.
"""

import numpy as np

from hiddenhand.games.snaps.cards import RANKS, SUIT, SUITS
from hiddenhand.games.snaps.lead_network import Leads, accuracy, learn_leads

OBSERVED = (10, 20, 60, 200, 1000, 5000)
FRESH = 2000  # deals on which it is tested
VARIANTS = {
    "the hand (as in the thesis)": (False, False),
    "the hand and the named card": (True, False),
    "both, suits sorted": (True, True),
}


def sort_suits(leads: Leads) -> Leads:
    """The same leads with trumps as the first suit and the others in the order of the cards held."""
    games = np.arange(len(leads.cards))
    keys = (leads.hands.reshape(-1, SUITS, RANKS) << np.arange(RANKS)).sum(axis=2)
    keys[games, leads.named // RANKS] = SUIT + 1
    order = np.argsort(-keys, axis=1, kind="stable")
    places = np.argsort(order, axis=1)
    hands = leads.hands.reshape(-1, SUITS, RANKS)[games[:, None], order].reshape(len(games), -1)
    cards = places[games, leads.cards // RANKS] * RANKS + leads.cards % RANKS
    return Leads(hands, leads.named % RANKS, cards)


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
