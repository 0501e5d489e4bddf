"""Why a strategy of the models chose what it chose: the season, the ranking that applied, and what came before.

Everything is reckoned again from the view, in plain Python; the choice itself is not asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.dominion.cards import ACTION, NAMES, TREASURE, price
from hiddenhand.games.dominion.models.game_end import estimate_game_end
from hiddenhand.games.dominion.models.genome import RANDOM, RANKS, RATIOS
from hiddenhand.games.dominion.models.questions import is_about_playing, takes_best
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.state import ACTIONS_PHASE
from hiddenhand.games.dominion.steps import (
    CHOICE,
    FLIP,
    JUDGE,
    LEND,
    PLAY_TOP,
    REACT,
    REVEAL,
    SCRAP,
    SELL_ESTATE,
    SELL_TWO,
    SET_ASIDE,
    YES_OR_NO,
)

Numbers = np.ndarray[Any, Any]

AGREEMENTS = {
    REVEAL: Text("A Moat is always shown."),
    FLIP: Text("A Chancellor always flips the deck: what was bought comes sooner."),
    LEND: Text("A Moneylender always takes a Copper."),
    PLAY_TOP: Text("An Action that a Vassal finds is always played."),
    REACT: Text("A Diplomat is never shown."),
    SCRAP: Text("A Mining Village is never trashed."),
    SELL_ESTATE: Text("A Baron always takes an Estate."),
    SELL_TWO: Text("A Mill always takes two cards."),
}


def explain(view: View, action: int, parameters: np.record) -> list[str]:
    record, seat = view.record, view.seat
    cards = [choice - CHOOSE for choice in view.legal_actions() if choice != STOP]
    kind = int(record.step_kinds[record.steps - 1]) if record.steps > 0 else -1
    if 0 <= kind <= YES_OR_NO:
        return [agreement(record, kind, seat)]
    if kind == CHOICE:
        return [Text("Of what a card offers I take the first.")]
    playing = is_about_playing(kind) if kind >= 0 else record.phase == ACTIONS_PHASE
    best = takes_best(kind) if kind >= 0 else True
    said, now = season(record, parameters, "playing" if playing else "gaining")
    chooser, numbers = parameters.kind[now], parameters.numbers[now]
    chosen = action - CHOOSE if action != STOP else None
    if chooser == RANDOM:
        name = Text("Nothing") if chosen is None else NAMES[chosen]
        return [*said, Text("{card} is chosen at random: every kind of card is equally likely.", card=name)]
    if chooser == RATIOS:
        return [*said, *demands(record, seat, cards, chosen, numbers, best)]
    if chooser == RANKS:
        return [*said, *ranks(record, kind, cards, chosen, numbers, best)]
    return [*said, *weights(cards, chosen, numbers, best)]


def agreement(record: np.record, kind: int, seat: int) -> str:
    """The reason of a yes or no."""
    if kind == SET_ASIDE:
        return Text("A Library keeps Actions while one can be played; I have {n} left.", n=int(record.actions))
    if kind != JUDGE:
        return AGREEMENTS[kind]
    target = int(record.step_targets[record.steps - 1])
    card = int(record.tops[target][record.top_sizes[target] - 1])
    useful = Text("useful") if TREASURE[card] or ACTION[card] else Text("of no use in play")
    return Text(
        "{card} is {useful}, and it is mine." if target == seat else "{card} is {useful}, and it is not mine.",
        card=NAMES[card],
        useful=useful,
    )


def season(record: np.record, parameters: np.record, context: str) -> tuple[list[str], int]:
    """The sentence on the season that applies, if there are several, and its place."""
    counts = int(parameters.gaining_seasons), int(parameters.playing_seasons)
    first, count = (0, counts[0]) if context == "gaining" else (counts[0], counts[1])
    if count == 1:
        return [], first
    thresholds = parameters.threshold[first : first + count]
    estimate = int(estimate_game_end(record))
    now = next(i for i, threshold in enumerate(thresholds) if estimate >= threshold)
    below = Text("below {n:g}", n=thresholds[now - 1])
    at_least = Text("at least {n:g}", n=thresholds[now])
    limits = below if now == count - 1 else at_least
    if 0 < now < count - 1:
        limits = Text("{a} and {b}", a=below, b=at_least)
    said = Text(
        "{season} applies: the end of the game is {estimate} away, {limits}.",
        season=f"{context}{now + 1}",
        estimate=estimate,
        limits=limits,
    )
    return [said], first + now


# ---- ratios


def demands(
    record: np.record, seat: int, cards: list[int], chosen: int | None, numbers: Numbers, best: bool
) -> list[str]:
    owned = record.owned[seat].astype(int)
    size = int(owned.sum())

    def wanted(card: int) -> float:
        return float(numbers[card] * size - owned[card])

    def shown(card: int) -> str:
        return Text(
            "{card} {demand:+.2f} ({share:.3f} of my {n} cards, less {owned})",
            card=NAMES[card],
            demand=wanted(card),
            share=numbers[card],
            n=size,
            owned=owned[card],
        )

    order = sorted(cards, key=lambda card: (wanted(card), card), reverse=best)
    if not order:
        return [Text("There is no card to choose.")]
    if chosen is None:
        return [
            Text(
                "No card is chosen: the most wanted is {card}, which is no lack."
                if best
                else "No card is chosen: the least wanted is {card}, which is no surplus.",
                card=shown(order[0]),
            )
        ]
    others = [card for card in order if card != chosen]
    said = Text(
        "The demand is largest for {card}." if best else "The demand is smallest for {card}.", card=shown(chosen)
    )
    return [said, *([Text("Next comes {what}.", what=shown(others[0]))] if others else [])]


# ---- ranks


def ranks(
    record: np.record, kind: int, cards: list[int], chosen: int | None, numbers: Numbers, best: bool
) -> list[str]:
    order = sorted((card for card in range(len(NAMES)) if numbers[card] > 0), key=lambda card: numbers[card])
    unranked = [card for card in cards if numbers[card] == 0]
    listed = ", ".join(NAMES[card] for card in order) or Text("no card")
    if not best:
        if chosen is None:
            return [Text("No card is chosen: all that I could choose are ranked ({list}).", list=listed)]
        if unranked:
            return [
                Text(
                    "{card} is not ranked ({list} are); of {others} it was drawn at random.",
                    card=NAMES[chosen],
                    list=listed,
                    others=some(unranked),
                )
            ]
        return [Text("All are ranked ({list}), and {card} comes last.", list=listed, card=NAMES[chosen])]
    if chosen is None:
        return [Text("No card is chosen: I rank {list}, and none of them can be had.", list=listed)]
    if numbers[chosen] == 0:
        return [
            Text(
                "I rank {list}; none of them can be chosen, so it is one of {others} at random.",
                list=listed,
                others=some(unranked),
            )
        ]
    said: list[str] = [
        Text("{card} has place {a} of {n} in my ranks.", card=NAMES[chosen], a=int(numbers[chosen]), n=len(order))
    ]
    before = [card for card in order if numbers[card] < numbers[chosen]]
    return said + [
        Text("{card} comes before it, but {why}.", card=NAMES[card], why=hindrance(record, kind, card))
        for card in before
    ]


def hindrance(record: np.record, kind: int, card: int) -> str:
    """Why a card could not be chosen."""
    if kind < 0 and record.phase != ACTIONS_PHASE:
        if card not in record.piles:
            return Text("it is not in this kingdom")
        if record.supply[card] == 0:
            return Text("its pile is empty")
        return Text("it costs {cost} and I have {n}", cost=int(price(record, card)), n=int(record.coins))
    if kind < 0:
        return Text("it is no Action") if not ACTION[card] else Text("it is not in my hand")
    return Text("it is not among the choices")


# ---- weights


def weights(cards: list[int], chosen: int | None, numbers: Numbers, best: bool) -> list[str]:
    unused = [card for card in cards if numbers[card] == 0]
    used = [card for card in cards if numbers[card] > 0]
    if chosen is None:
        return [
            Text(
                "No card is chosen: none of {cards} has a weight."
                if best
                else "No card is chosen: each of {cards} has a weight.",
                cards=some(cards),
            )
        ]
    if best and not used:
        return [Text("None of {list} has a weight: one was drawn at random.", list=some(cards))]
    if not best and unused:
        return [Text("{list}: without a weight; of these one was drawn at random.", list=some(unused))]
    shares = {card: numbers[card] if best else 1.0 / numbers[card] for card in used}
    share = shares[chosen] / sum(shares.values())
    return [
        Text(
            "Drawn by weight: {card} had a chance of {share:.1%} among {list}.",
            card=NAMES[chosen],
            share=share,
            list=some(used),
        )
    ]


def some(cards: list[int]) -> str:
    return ", ".join(NAMES[card] for card in cards) or Text("no cards")
