"""Dominion: everybody builds a deck while playing it, and nobody sees what the others draw.

Each of two to four players starts with 7 Coppers and 3 Estates and draws five cards. A turn has three parts. Actions:
play one Action card from your hand (more, if cards allow it). Buying: your Treasures give coins for one card of the
supply (more, with more buys), which goes to your discard pile. Clean-up: everything you played and held goes there
too, and you draw five new cards; when your deck runs out, the discard pile is shuffled to be the deck. The supply has
Treasures, Victory cards, Curses and ten kinds of kingdom cards, which make every kingdom another game.

The game ends after a turn when the Provinces are gone, or any three piles. Most points win; of equals, who had fewer
turns. Losers pay 1, which the winners share. Designed by Donald X. Vaccarino (2008).

Strategies are written as a list of what to buy (see `menus` for the language, `default_play` for the rest), or as the
genomes of Peter Fulla's thesis "Automatický hráč hry Dominion" (2012), which are in `models`.

Treasures are played by themselves when buying begins. An action is 0 (stop, no, nothing more) or 1 + card; the cards
are numbered in `cards`. People write: `play Smithy`, `buy phase`, `buy Gold`, `done`, `discard Estate`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.extras import AgentTexts, Evolvable, FormerNames, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.text import Text
from hiddenhand.games.dominion.bigmoney import bigmoney, likely
from hiddenhand.games.dominion.cards import CARDS
from hiddenhand.games.dominion.evolved import evolved
from hiddenhand.games.dominion.greedy import greedy
from hiddenhand.games.dominion.illegal_reasons import refusal
from hiddenhand.games.dominion.kingdoms import OPTIONS, configure
from hiddenhand.games.dominion.knowledge import observe, redeal
from hiddenhand.games.dominion.menus import menu
from hiddenhand.games.dominion.models import genome, published, published_size
from hiddenhand.games.dominion.picture import open_picture, picture, verb_and_objects
from hiddenhand.games.dominion.references import reference
from hiddenhand.games.dominion.rules import deal, evaluate, legal, measure, payoff, play, turn
from hiddenhand.games.dominion.state import SEATS, STATE, VIEW
from hiddenhand.games.dominion.texts import action_name, heard, meaning, news, outcome, show, tells_nothing


def conserved(s: np.record) -> Any:
    """How often each card is in the game, wherever it lies; and that the players' own counts agree."""
    total = s.supply.astype(int) + s.trash
    for seat in range(s.players):
        cards = s.hands[seat].astype(int) + s.seen[seat] + s.unseen[seat]
        for card in [*s.decks[seat, : s.deck_sizes[seat]], *s.own_tops[seat, : s.top_sizes[seat]]]:
            cards[card] += 1
        if seat == s.current:
            cards += s.in_play + s.aside
        assert cards.tolist() == s.owned[seat].tolist()
        assert cards.sum() == s.owned[seat].sum()
        assert s.hands[seat].sum() == s.hand_sizes[seat]
        assert s.seen[seat].sum() + s.unseen[seat].sum() == s.discard_sizes[seat]
        assert (s.unseen[seat] >= 0).all()
        assert (s.shown[seat] <= s.hands[seat]).all()
        total += cards
    return total.tolist()


def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
    """Payoffs and measurements for this number of players."""
    players = options["players"]
    points = tuple(f"points_{seat}" for seat in range(players))
    return {"payoffs": (-1.0, players - 1.0), "metrics": ("turns", "three_piles", *points)}


GAME = define(
    "dominion",
    version=2,
    title=Text("Dominion"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal, evaluate, likely, measure),
    people=(
        action_name,
        show,
        picture,
        open_picture,
        verb_and_objects,
        configure,
        heard,
        news,
        tells_nothing,
        meaning,
        outcome,
        refusal,
        adapt,
        conserved,
    ),
    agents=(bigmoney, evolved, genome, greedy, menu, published, published_size, reference),
    players=(2, SEATS),
    hidden=True,
    chance=("deal", "draws"),
    most_actions=1 + CARDS,
    all_actions=1 + CARDS,
    longest=100_000,
    metrics=("turns", "three_piles", "points_0", "points_1"),
    options=OPTIONS,
    extras=(
        SearchDefaults(depth=2, rollout_policy="evolved"),
        Opponents(
            (
                Opponent(Text("Beginner"), "greedy", Text("buys and plays the dearest card it can")),
                Opponent(Text("Saver"), "bigmoney", Text("buys Treasures, then Provinces, and no Actions")),
                Opponent(Text("Strong"), "evolved", Text("follows a plan that was bred for these cards")),
            ),
            champion="evolved",
        ),
        FormerNames({"thesis": "published", "thesis_size": "published_size"}),
        AgentTexts(
            "menu", "hiddenhand.games.dominion.menus.parser:brought", "hiddenhand.games.dominion.evolved:LEARNED"
        ),
        Evolvable("hiddenhand.games.dominion.models:MODELS", opponent="bigmoney", model="seasonal"),
    ),
)
