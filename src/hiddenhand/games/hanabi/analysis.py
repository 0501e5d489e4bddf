"""A position in words: what can be played, what can be given up, what must be kept, and which hints are of use.

The questions are those of section 2.3 of a thesis on Hanabi (University of Wroclaw, 2020), where an example is gone
through by hand. The answers are from one seat's view, and rest on what the rules prove.
"""

import numpy as np

from hiddenhand.core.text import Seat, Text
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


def analysis(view: np.record, seat: int) -> list[str]:
    """What a seat can say of a position, a sentence each."""
    return [
        *about_the_piles(view),
        *about_own_cards(view, seat),
        *(line for other in others(view, seat) for line in about_hand(view, seat, other)),
        *about_hints(view, seat),
    ]


def others(view: np.record, seat: int) -> list[int]:
    """The other seats, the next to move first."""
    return [(seat + i) % int(view.players) for i in range(1, int(view.players))]


def names_of(cards: int) -> str:
    return listed(card_name(card) for card in range(CARDS) if cards >> card & 1)


def about_the_piles(view: np.record) -> list[str]:
    playable, most = int(playable_cards(view)), int(reachable(view))
    lines: list[str] = [
        Text("Playable now: {cards}.", cards=names_of(playable))
        if playable
        else Text("Nothing can be played any more.")
    ]
    if most < PERFECT:
        lines.append(
            Text("At most {most} points can still be reached; there are {n}.", most=most, n=int(score(view)))
        )
    return lines


def about_own_cards(view: np.record, seat: int) -> list[str]:
    """What is certain or likely of one's own cards, by all that is seen and was told."""
    chances = np.zeros((SLOTS, CARDS))
    exact_chances(view, seat, chances)
    lines: list[str] = []
    for slot in range(held(view, seat)):
        for part, word in ((playable_cards(view), Text("playable")), (useless_cards(view), Text("useless"))):
            chance = sum(chances[slot, card] for card in range(CARDS) if int(part) >> card & 1)
            if chance > 1.0 - 1e-9:
                lines.append(Text("Your card {n} is {what} for sure.", n=slot + 1, what=word))
            elif chance >= LIKELY:
                lines.append(
                    Text(
                        "Your card {n} is {what} with a chance of {chance:.0%}.", n=slot + 1, what=word, chance=chance
                    )
                )
        vital = sum(chances[slot, card] for card in range(CARDS) if int(critical_cards(view)) >> card & 1)
        if vital > 1.0 - 1e-9:
            lines.append(Text("Your card {n} is critical for sure: keep it.", n=slot + 1))
    return lines or [Text("Of your own cards nothing is certain.")]


def about_hand(view: np.record, seat: int, other: int) -> list[str]:
    """The cards of another player that are playable, useless or critical, and whether it knows that."""
    lines: list[str] = []
    parts = {
        Text("playable"): playable_cards(view),
        Text("useless"): useless_cards(view),
        Text("critical"): critical_cards(view),
    }
    left = unseen_by(view, other, seat)
    for word, part in parts.items():
        slots = [slot for slot in range(held(view, other)) if int(part) >> int(view.hands[other, slot]) & 1]
        aware = [slot for slot in slots if surely(by_hints(view, other, slot) & left, part)]
        for known, knows in ((True, Text("and knows it")), (False, Text("and does not know it"))):
            of = [slot for slot in slots if (slot in aware) == known]
            if of:
                cards = listed(
                    Text("card {n} ({card})", n=slot + 1, card=card_name(int(view.hands[other, slot]))) for slot in of
                )
                lines.append(
                    Text(
                        "{who:C} holds something {what}, {knows}: {cards}.",
                        who=Seat(other),
                        what=word,
                        knows=knows,
                        cards=cards,
                    )
                )
    return lines


def about_hints(view: np.record, seat: int) -> list[str]:
    """The hints by which somebody comes to know of a play or of a useless card, or that touch a critical card which
    its owner would discard next."""
    if view.hints == 0:
        return [Text("There is no token left for a hint.")]
    lines = [line for other in others(view, seat) for line in useful_hints(view, seat, other)]
    return lines or [Text("No hint makes anybody certain of something.")]


def useful_hints(view: np.record, seat: int, other: int) -> list[str]:
    left = unseen_by(view, other, seat)
    lines: list[str] = []
    parts = (playable_cards(view), useless_cards(view))
    chop = int(oldest_untouched(view, other))
    for hint in range(COLOURS + RANKS):
        kind, value = hint // COLOURS, hint % COLOURS
        touched = touches(view, other, kind, value)
        if not touched:
            continue
        named = named_cards(kind, value)
        learns: list[str] = []
        for part, what_of in zip(parts, (can_be_played, is_useless)):
            new = 0
            for slot in range(held(view, other)):
                before = by_hints(view, other, slot) & left
                after = after_hint(before, int(view.hands[other, slot]), named)
                if surely(after, part) and not surely(before, part):
                    new |= 1 << slot
            if new:
                learns.append(what_of(new))
        if chop >= 0 and touched >> chop & 1 and int(critical_cards(view)) >> int(view.hands[other, chop]) & 1:
            learns.append(Text("{cards}, which is critical, is not the next to go", cards=slot_names(1 << chop)))
        if learns:
            text = action_name(view, hint_action(other, COLOUR, hint))
            lines.append(
                Text(
                    "`{hint}` is useful: {who} then knows that {facts}.",
                    hint=text,
                    who=Seat(other),
                    facts=listed(learns),
                )
            )
    return lines


def can_be_played(slots: int) -> str:
    return Text("{cards} can be played", cards=slot_names(slots))


def is_useless(slots: int) -> str:
    """Of one card or several, as bits."""
    return Text.plural("{cards} is useless", "{cards} are useless", n=slots.bit_count(), cards=slot_names(slots))
