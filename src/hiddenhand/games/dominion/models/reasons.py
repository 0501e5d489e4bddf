"""Why a strategy of the models chose what it chose: the season, the ranking that applied, and what came before.

Everything is reckoned again from the view, in plain Python; the choice itself is not asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddenhand.core.view import View
from hiddenhand.games.dominion.cards import ACTION, NAMES, TREASURE
from hiddenhand.games.dominion.models.game_end import estimate_game_end
from hiddenhand.games.dominion.models.genome import RANDOM, RANKS, RATIOS
from hiddenhand.games.dominion.models.questions import is_about_playing, takes_best
from hiddenhand.games.dominion.state import ACTIONS_PHASE
from hiddenhand.games.dominion.steps import (
    CHOICE,
    CHOOSE,
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
    STOP,
    YES_OR_NO,
    price,
)

Numbers = np.ndarray[Any, Any]

AGREEMENTS = {
    REVEAL: "A Moat is always shown.",
    FLIP: "A Chancellor always flips the deck: what was bought comes sooner.",
    LEND: "A Moneylender always takes a Copper.",
    PLAY_TOP: "An Action that a Vassal finds is always played.",
    REACT: "A Diplomat is never shown.",
    SCRAP: "A Mining Village is never trashed.",
    SELL_ESTATE: "A Baron always takes an Estate.",
    SELL_TWO: "A Mill always takes two cards.",
}


def explain(view: View, action: int, parameters: Any) -> list[str]:
    record, seat = view.record, view.seat
    cards = [choice - CHOOSE for choice in view.actions if choice != STOP]
    kind = int(record.step_kinds[record.steps - 1]) if record.steps > 0 else -1
    if 0 <= kind <= YES_OR_NO:
        return [agreement(record, kind, seat)]
    if kind == CHOICE:
        return ["Of what a card offers I take the first."]
    playing = is_about_playing(kind) if kind >= 0 else record.phase == ACTIONS_PHASE
    best = takes_best(kind) if kind >= 0 else True
    said, now = season(record, parameters, "playing" if playing else "gaining")
    chooser, numbers = parameters.kind[now], parameters.numbers[now]
    chosen = action - CHOOSE if action != STOP else None
    if chooser == RANDOM:
        name = "Nothing" if chosen is None else NAMES[chosen]
        return [*said, f"{name} is chosen at random: every kind of card is equally likely."]
    if chooser == RATIOS:
        return [*said, *demands(record, seat, cards, chosen, numbers, best)]
    if chooser == RANKS:
        return [*said, *ranks(record, kind, cards, chosen, numbers, best)]
    return [*said, *weights(cards, chosen, numbers, best)]


def agreement(record: Any, kind: int, seat: int) -> str:
    """The reason of a yes or no."""
    if kind == SET_ASIDE:
        return f"A Library keeps Actions while one can be played; I have {int(record.actions)} left."
    if kind != JUDGE:
        return AGREEMENTS[kind]
    target = int(record.step_targets[record.steps - 1])
    card = int(record.tops[target][record.top_sizes[target] - 1])
    useful = "useful" if TREASURE[card] or ACTION[card] else "of no use in play"
    return f"{NAMES[card]} is {useful}, and it is {'mine' if target == seat else 'not mine'}."


def season(record: Any, parameters: Any, context: str) -> tuple[list[str], int]:
    """The sentence on the season that applies, if there are several, and its place."""
    counts = int(parameters.gaining_seasons), int(parameters.playing_seasons)
    first, count = (0, counts[0]) if context == "gaining" else (counts[0], counts[1])
    if count == 1:
        return [], first
    thresholds = parameters.threshold[first : first + count]
    estimate = int(estimate_game_end(record))
    now = next(i for i, threshold in enumerate(thresholds) if estimate >= threshold)
    limits = []
    if now > 0:
        limits.append(f"below {thresholds[now - 1]:g}")
    if now < count - 1:
        limits.append(f"at least {thresholds[now]:g}")
    said = f"{context}{now + 1} applies: the end of the game is {estimate} away, {' and '.join(limits)}."
    return [said], first + now


# ---- ratios


def demands(record: Any, seat: int, cards: list[int], chosen: int | None, numbers: Numbers, best: bool) -> list[str]:
    owned = record.owned[seat].astype(int)
    size = int(owned.sum())

    def wanted(card: int) -> float:
        return float(numbers[card] * size - owned[card])

    def told(card: int) -> str:
        return f"{NAMES[card]} {wanted(card):+.2f} ({numbers[card]:.3f} of my {size} cards, less {owned[card]})"

    order = sorted(cards, key=lambda card: (wanted(card), card), reverse=best)
    if not order:
        return ["There is no card to choose."]
    word = "most" if best else "least"
    if chosen is None:
        return [
            f"No card is chosen: the {word} wanted is {told(order[0])}, which is no {'lack' if best else 'surplus'}."
        ]
    others = [card for card in order if card != chosen]
    said = [f"The demand is {'largest' if best else 'smallest'} for {told(chosen)}."]
    return said + ([f"Next comes {told(others[0])}."] if others else [])


# ---- ranks


def ranks(record: Any, kind: int, cards: list[int], chosen: int | None, numbers: Numbers, best: bool) -> list[str]:
    order = sorted((card for card in range(len(NAMES)) if numbers[card] > 0), key=lambda card: numbers[card])
    unranked = [card for card in cards if numbers[card] == 0]
    listed = ", ".join(NAMES[card] for card in order) or "no card"
    if not best:
        if chosen is None:
            return [f"No card is chosen: all that I could choose are ranked ({listed})."]
        if unranked:
            return [f"{NAMES[chosen]} is not ranked ({listed} are); of {some(unranked)} it was drawn at random."]
        return [f"All are ranked ({listed}), and {NAMES[chosen]} comes last."]
    if chosen is None:
        return [f"No card is chosen: I rank {listed}, and none of them can be had."]
    if numbers[chosen] == 0:
        return [f"I rank {listed}; none of them can be chosen, so it is one of {some(unranked)} at random."]
    said = [f"{NAMES[chosen]} has place {int(numbers[chosen])} of {len(order)} in my ranks."]
    return said + [f"{NAMES[card]} comes before it, but {hindrance(record, kind, card)}." for card in order
                   if numbers[card] < numbers[chosen]]  # fmt: skip


def hindrance(record: Any, kind: int, card: int) -> str:
    """Why a card could not be chosen."""
    if kind < 0 and record.phase != ACTIONS_PHASE:
        if card not in record.piles:
            return "it is not in this kingdom"
        if record.supply[card] == 0:
            return "its pile is empty"
        return f"it costs {int(price(record, card))} and I have {int(record.coins)}"
    if kind < 0:
        return "it is no Action" if not ACTION[card] else "it is not in my hand"
    return "it is not among the choices"


# ---- weights


def weights(cards: list[int], chosen: int | None, numbers: Numbers, best: bool) -> list[str]:
    unused = [card for card in cards if numbers[card] == 0]
    used = [card for card in cards if numbers[card] > 0]
    if chosen is None:
        return [f"No card is chosen: {'none' if best else 'each'} of {some(cards)} has a weight."]
    if best and not used:
        return [f"None of {some(cards)} has a weight: one was drawn at random."]
    if not best and unused:
        return [f"{some(unused)}: without a weight; of these one was drawn at random."]
    shares = {card: numbers[card] if best else 1.0 / numbers[card] for card in used}
    share = shares[chosen] / sum(shares.values())
    return [f"Drawn by weight: {NAMES[chosen]} had a chance of {share:.1%} among {some(used)}."]


def some(cards: list[int]) -> str:
    return ", ".join(NAMES[card] for card in cards) or "no cards"
