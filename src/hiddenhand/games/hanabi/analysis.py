"""A position in words: what can be played, what can be given up, what must be kept, and which hints are of use.

The questions are those of section 2.3 of a thesis on Hanabi (University of Wroclaw, 2020), where an example is gone
through by hand. The answers are from one seat's view, and rest on what the rules prove.
"""

from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.games.hanabi.deduction import (
    by_hints,
    critical_cards,
    exact_chances,
    playable_cards,
    surely,
    unseen_by,
    useless_cards,
)
from hiddenhand.games.hanabi.distrustful import after_hint
from hiddenhand.games.hanabi.hand_knowledge import named_cards
from hiddenhand.games.hanabi.reinforced import oldest_untouched
from hiddenhand.games.hanabi.rules import (
    CARDS,
    COLOUR,
    COLOURS,
    PERFECT,
    RANKS,
    SLOTS,
    held,
    hint_action,
    reachable,
    score,
    touches,
)
from hiddenhand.games.hanabi.texts import action_name, card_name, listed, slot_names

LIKELY = 0.5
"""A card of one's own is mentioned from this chance on."""


def analysis(view: Any, seat: int) -> list[str]:
    """What a seat can say of a position, a sentence each."""
    return [
        *about_the_piles(view),
        *about_own_cards(view, seat),
        *(line for other in others(view, seat) for line in about_hand(view, seat, other)),
        *about_hints(view, seat),
    ]


def others(view: Any, seat: int) -> list[int]:
    """The other seats, the next to move first."""
    return [(seat + i) % int(view.players) for i in range(1, int(view.players))]


def names_of(cards: int) -> str:
    return listed(card_name(card) for card in range(CARDS) if cards >> card & 1)


def about_the_piles(view: Any) -> list[str]:
    playable, most = int(playable_cards(view)), int(reachable(view))
    lines = [f"Playable now: {names_of(playable)}." if playable else "Nothing can be played any more."]
    if most < PERFECT:
        lines.append(f"At most {most} points can still be reached; there are {int(score(view))}.")
    return lines


def about_own_cards(view: Any, seat: int) -> list[str]:
    """What is certain or likely of one's own cards, by all that is seen and was told."""
    chances = np.zeros((SLOTS, CARDS))
    exact_chances(view, seat, chances)
    lines = []
    for slot in range(held(view, seat)):
        for part, word in ((playable_cards(view), "playable"), (useless_cards(view), "useless")):
            chance = sum(chances[slot, card] for card in range(CARDS) if int(part) >> card & 1)
            if chance > 1.0 - 1e-9:
                lines.append(f"Your card {slot + 1} is {word} for sure.")
            elif chance >= LIKELY:
                lines.append(f"Your card {slot + 1} is {word} with a chance of {chance:.0%}.")
        vital = sum(chances[slot, card] for card in range(CARDS) if int(critical_cards(view)) >> card & 1)
        if vital > 1.0 - 1e-9:
            lines.append(f"Your card {slot + 1} is critical for sure: keep it.")
    return lines or ["Of your own cards nothing is certain."]


def about_hand(view: Any, seat: int, other: int) -> list[str]:
    """The cards of another player that are playable, useless or critical, and whether it knows that."""
    lines = []
    parts = {"playable": playable_cards(view), "useless": useless_cards(view), "critical": critical_cards(view)}
    left = unseen_by(view, other, seat)
    for word, part in parts.items():
        slots = [slot for slot in range(held(view, other)) if int(part) >> int(view.hands[other, slot]) & 1]
        aware = [slot for slot in slots if surely(by_hints(view, other, slot) & left, part)]
        for known, knows in ((True, "and knows it"), (False, "and does not know it")):
            of = [slot for slot in slots if (slot in aware) == known]
            if of:
                cards = listed(
                    Text("card {n} ({card})", n=slot + 1, card=card_name(int(view.hands[other, slot]))) for slot in of
                )
                lines.append(f"Seat {other} holds something {word}, {knows}: {cards}.")
    return lines


def about_hints(view: Any, seat: int) -> list[str]:
    """The hints by which somebody comes to know of a play or of a useless card, or that touch a critical card which
    its owner would discard next."""
    if view.hints == 0:
        return [Text("There is no token left for a hint.")]
    lines = [line for other in others(view, seat) for line in useful_hints(view, seat, other)]
    return lines or ["No hint makes anybody certain of something."]


def useful_hints(view: Any, seat: int, other: int) -> list[str]:
    left, lines = unseen_by(view, other, seat), []
    needs = {"can be played": playable_cards(view), "is useless": useless_cards(view)}
    chop = int(oldest_untouched(view, other))
    for hint in range(COLOURS + RANKS):
        kind, value = hint // COLOURS, hint % COLOURS
        touched = touches(view, other, kind, value)
        if not touched:
            continue
        named, learns = named_cards(kind, value), []
        for words, part in needs.items():
            new = 0
            for slot in range(held(view, other)):
                before = by_hints(view, other, slot) & left
                after = after_hint(before, int(view.hands[other, slot]), named)
                if surely(after, part) and not surely(before, part):
                    new |= 1 << slot
            if new:
                learns.append(f"{slot_names(new)} {words if new & (new - 1) == 0 else plural(words)}")
        if chop >= 0 and touched >> chop & 1 and int(critical_cards(view)) >> int(view.hands[other, chop]) & 1:
            learns.append(f"{slot_names(1 << chop)}, which is critical, is not the next to go")
        if learns:
            text = action_name(view, hint_action(other, COLOUR, hint))
            lines.append(f"`{text}` is useful: seat {other} then knows that {listed(learns)}.")
    return lines


def plural(words: str) -> str:
    return words.replace("is ", "are ", 1)
