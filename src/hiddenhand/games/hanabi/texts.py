"""Hanabi for people: the names of cards, slots, hints and actions, what is heard of a move, and the screen."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from hiddenhand.core.text import Seat, Text
from hiddenhand.games.hanabi.rules import (
    ANY,
    CARDS,
    COLOUR,
    COLOURS,
    DISCARD,
    HINT,
    MOST_HINTS,
    MOST_LIVES,
    NONE,
    PERFECT,
    RANKS,
    SLOTS,
    held,
    hint_parts,
    touches,
)

COLOUR_NAMES: tuple[str, ...] = (Text("red"), Text("yellow"), Text("green"), Text("blue"), Text("white"))
LETTERS = "rygbw"
VERDICTS = (
    (5, Text("horrible")),
    (10, Text("mediocre")),
    (15, Text("honourable")),
    (20, Text("excellent")),
    (24, Text("amazing")),
    (PERFECT, Text("legendary")),
)
"""The highest score of each sort, and what the rule book says of it."""
WIDE = 13  # a column: the widest entry is [rygb][1234]


class SeatNumber(Seat):
    """A seat in a move as it is typed, by its number alone; people read the name of the player there too."""

    def __str__(self) -> str:
        return str(self.number)


def card_name(card: int) -> str:
    return "none" if card == NONE else f"{LETTERS[card // RANKS]}{card % RANKS + 1}"


def hint_name(kind: int, value: int) -> str:
    return COLOUR_NAMES[value] if kind == COLOUR else Text("rank {n}", n=value + 1)


def action_name(s: np.record, action: int) -> str:
    if action < DISCARD:
        return Text("play {n}", n=action + 1)
    if action < HINT:
        return Text("discard {n}", n=action - DISCARD + 1)
    target, kind, value = hint_parts(action)
    return Text("hint {who} {what}", who=SeatNumber(target), what=hint_name(kind, value))


def heard(s: np.record, action: int, seat: int) -> str:
    """Every move is public, and so is the card that leaves a hand."""
    if action < HINT:
        card = int(s.hands[s.mover, action % SLOTS])
        if action >= DISCARD:
            return Text("discard {card}", card=card_name(card))
        bomb = s.piles[card // RANKS] != card % RANKS
        return Text("play {card}: a bomb" if bomb else "play {card}", card=card_name(card))
    target, kind, value = hint_parts(action)
    mask = touches(s, target, kind, value)
    slots = [str(slot + 1) for slot in range(SLOTS) if mask >> slot & 1]
    cards = Text("no card")
    if slots:
        cards = Text.plural("card {cards}", "cards {cards}", n=len(slots), cards=" ".join(slots))
    return Text("hint {who} {what}: {cards}", who=Seat(target), what=hint_name(kind, value), cards=cards)


def listed(words: Iterable[str]) -> str:
    """a; a and b; a, b and c."""
    *before, last = words
    return Text("{before} and {last}", before=Text.joined(", ", before), last=last) if before else last


def slot_names(slots: int) -> str:
    """Slots (as bits) as people count them: card 1, cards 2 and 4, no card."""
    numbers = [str(slot + 1) for slot in range(SLOTS) if slots >> slot & 1]
    if not numbers:
        return Text("no card")
    return Text.plural("card {cards}", "cards {cards}", n=len(numbers), cards=listed(numbers))


def card_names(cards: int) -> str:
    """A set of cards (as bits): r1, r2 or b5."""
    names = [card_name(card) for card in range(CARDS) if cards >> card & 1]
    if not names:
        return Text("nothing")
    *before, last = names
    return Text("{before} or {last}", before=", ".join(before), last=last) if before else last


def hand_names(v: np.record, seat: int) -> str:
    """The cards of a hand that is seen, oldest first."""
    return " ".join(card_name(int(v.hands[seat, slot])) for slot in range(held(v, seat)))


def hint_told(v: np.record, action: int) -> str:
    """What a hint says, by the rules alone."""
    target, kind, value = hint_parts(action)
    touched = touches(v, target, kind, value)
    names = [card_name(int(v.hands[target, slot])) for slot in range(SLOTS) if touched >> slot & 1]
    if not names:
        return Text(
            "The hint tells {who} that it has no {what} cards.", who=Seat(target), what=hint_name(kind, value)
        )
    if kind == COLOUR:
        return Text.plural(
            "The hint tells {who} that its {slots} ({cards}), and no other, is {colour}.",
            "The hint tells {who} that its {slots} ({cards}), and no other, are {colour}.",
            n=len(names),
            who=Seat(target),
            slots=slot_names(touched),
            cards=" ".join(names),
            colour=COLOUR_NAMES[value],
        )
    return Text.plural(
        "The hint tells {who} that its {slots} ({cards}), and no other, is of rank {rank}.",
        "The hint tells {who} that its {slots} ({cards}), and no other, are of rank {rank}.",
        n=len(names),
        who=Seat(target),
        slots=slot_names(touched),
        cards=" ".join(names),
        rank=value + 1,
    )


def hint_told_only(v: np.record, action: int) -> str:
    """What a hint says, where it says nothing else."""
    return Text("{told} It promises nothing else.", told=hint_told(v, action))


def seen(v: np.record, seat: int, slot: int) -> str:
    """`card 2`, and which card it is if the viewer sees it."""
    card = int(v.hands[seat, slot])
    if card == NONE:
        return Text("card {n}", n=slot + 1)
    return Text("card {n} ({card})", n=slot + 1, card=card_name(card))


def possible(mask: int, letters: str) -> str:
    """? for anything, a letter if only that is left, otherwise what is left in brackets."""
    left = "".join(letter for i, letter in enumerate(letters) if mask >> i & 1)
    return "?" if mask == ANY else left if len(left) == 1 else f"[{left}]"


def knowledge(view: np.record, seat: int, slot: int) -> str:
    """What the owner of a card knows by hints: r3, r?, ?[345]."""
    return possible(int(view.colours[seat, slot]), LETTERS) + possible(int(view.ranks[seat, slot]), "12345")


def row(label: str, entries: Iterable[Any]) -> str:
    cells = "".join(f"{entry:<{WIDE}}" for entry in entries).rstrip()
    return Text("{label:<11}{cells}", label=label, cells=cells)


def outcome(s: np.record) -> str:
    """What ended the game, how many cards were played, and what the rule book says of such a score."""
    played = sum(int(pile) for pile in s.piles)
    scored = 0 if s.bombed and s.bomb_zero else played
    if played == PERFECT:
        cause = Text("all five fireworks are complete, {n} cards", n=PERFECT)
    elif scored < played:
        cause = Text(
            "the last life is lost with {n} of {perfect} cards played, and with it all points",
            n=played,
            perfect=PERFECT,
        )
    elif s.bombed:
        cause = Text("the last life is lost with {n} of {perfect} cards played", n=played, perfect=PERFECT)
    else:
        cause = Text(
            "everybody has had a turn since the last card was drawn with {n} of {perfect} cards played",
            n=played,
            perfect=PERFECT,
        )
    return Text("{cause}; the rule book calls {n} points {verdict}", cause=cause, n=scored, verdict=verdict(scored))


def verdict(scored: int) -> str:
    """What the rule book says of a score."""
    return next(word for most, word in VERDICTS if scored <= most)


def refusal(s: np.record, action: int) -> str:
    mine = held(s, s.mover)
    if action < HINT:
        if action % SLOTS >= mine:
            return Text("you hold {n} cards", n=mine)
        if action >= DISCARD and s.hints == MOST_HINTS and not s.discard_at_8:
            return Text("all {n} hint tokens are there, and by these rules nobody may discard then", n=MOST_HINTS)
        return ""
    target, kind, value = hint_parts(action)
    if target == s.mover:
        return Text("you cannot give yourself a hint")
    if target >= s.players:
        return Text("there is no {who}", who=Seat(target))
    if s.hints == 0:
        return Text("there are no hint tokens left")
    if not s.empty_hints and not touches(s, target, kind, value):
        return Text("{who} has no such card, and by these rules a hint must touch one", who=Seat(target))
    return ""


def show(view: np.record, seat: int) -> str:
    piles = " ".join(f"{LETTERS[c]}{view.piles[c]}" for c in range(COLOURS))
    gone = [card_name(card) for card in range(CARDS) for _ in range(view.discarded[card])]
    deck = Text("{n} in the deck", n=view.deck_left)
    if view.turns_left != NONE:
        deck = Text("the deck is empty, turns left: {n}", n=view.turns_left)
    tokens = Text(
        "{left} of {all}   lives {lives} of {most}",
        left=view.hints,
        all=MOST_HINTS,
        lives=view.lives,
        most=MOST_LIVES,
    )
    lines: list[str] = [
        Text(
            "{label:<11}{piles}   score {score}",
            label=Text("piles"),
            piles=piles,
            score=sum(int(pile) for pile in view.piles),
        ),
        Text("{label:<11}{tokens}   {deck}", label=Text("hints"), tokens=tokens, deck=deck),
        Text("{label:<11}{cards}", label=Text("discarded"), cards=" ".join(gone) or Text("nothing")),
        "",
        row("", range(1, int(view.hand_size) + 1)),
    ]
    for who in range(view.players):
        slots = range(held(view, who))
        known = [knowledge(view, who, slot) for slot in slots]
        if who == seat:
            lines.append(row(Text("you know"), known))
        else:
            cards = [card_name(int(view.hands[who, slot])) for slot in slots]
            lines.append(row(Text("{who}", who=Seat(who)), cards))
            lines.append(row(Text("  knows"), known))
    return Text.joined("\n", lines)
