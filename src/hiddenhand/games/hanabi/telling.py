"""Words for explanations: cards, slots and hints, as the screen writes them."""

from collections.abc import Iterable
from typing import Any

from hiddenhand.games.hanabi.rules import COLOUR, NONE, SLOTS, held, hint_parts, touches
from hiddenhand.games.hanabi.screen import COLOUR_NAMES, card_name


def listed(words: Iterable[str]) -> str:
    """a; a and b; a, b and c."""
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def slot_names(slots: int) -> str:
    """Slots (as bits) as people count them: card 1, cards 2 and 4, no card."""
    numbers = [str(slot + 1) for slot in range(SLOTS) if slots >> slot & 1]
    return f"card{'s' * (len(numbers) > 1)} {listed(numbers)}" if numbers else "no card"


def card_names(cards: int) -> str:
    """A set of cards (as bits): r1, r2 or b5."""
    names = [card_name(card) for card in range(25) if cards >> card & 1]
    return listed(names).replace(" and ", " or ") if names else "nothing"


def hand_names(v: Any, seat: int) -> str:
    """The cards of a hand that is seen, oldest first."""
    return " ".join(card_name(int(v.hands[seat, slot])) for slot in range(held(v, seat)))


def hint_told(v: Any, action: int) -> str:
    """What a hint says, by the rules alone."""
    target, kind, value = hint_parts(action)
    touched = touches(v, target, kind, value)
    names = [card_name(int(v.hands[target, slot])) for slot in range(SLOTS) if touched >> slot & 1]
    if not names:
        return f"The hint tells seat {target} that it has no {hint_name(kind, value)} cards."
    are = "are" if len(names) > 1 else "is"
    what = f"{are} {COLOUR_NAMES[value]}" if kind == COLOUR else f"{are} of rank {value + 1}"
    return f"The hint tells seat {target} that its {slot_names(touched)} ({' '.join(names)}), and no other, {what}."


def hint_name(kind: int, value: int) -> str:
    return COLOUR_NAMES[value] if kind == COLOUR else f"rank {value + 1}"


def seen(v: Any, seat: int, slot: int) -> str:
    """Card 2, and what it is where that is seen."""
    card = int(v.hands[seat, slot])
    return f"card {slot + 1}" + ("" if card == NONE else f" ({card_name(card)})")
