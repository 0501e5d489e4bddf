"""Snaps for people: the names of cards and actions, in English and Slovak, and the screen."""

import numpy as np

from hiddenhand.core.text import Seat, Text
from hiddenhand.games.snaps.cards import CARDS, NONE, RANKS, SEATS, VALUES, trick_winner
from hiddenhand.games.snaps.knowledge import hand_size, holders_by_counting
from hiddenhand.games.snaps.state import (
    CHOOSING,
    CLAIM,
    DOST,
    ENOUGH,
    FINISHED,
    KONTRA,
    LAST_TRICK,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    PASS,
    REKONTRA,
    TRICKS,
    side,
    total_with,
)

SUIT_LETTERS = "hlab"
RANK_LETTERS = ("9", "U", "O", "K", "10", "A")
SUIT_NAMES: tuple[str, ...] = (Text("hearts"), Text("leaves"), Text("acorns"), Text("bells"))
RANK_NAMES: tuple[str, ...] = (Text("nine"), Text("under"), Text("over"), Text("king"), Text("ten"), Text("ace"))
CARD_NAMES: tuple[str, ...] = (
    Text("nine of hearts"), Text("under of hearts"), Text("over of hearts"),
    Text("king of hearts"), Text("ten of hearts"), Text("ace of hearts"),
    Text("nine of leaves"), Text("under of leaves"), Text("over of leaves"),
    Text("king of leaves"), Text("ten of leaves"), Text("ace of leaves"),
    Text("nine of acorns"), Text("under of acorns"), Text("over of acorns"),
    Text("king of acorns"), Text("ten of acorns"), Text("ace of acorns"),
    Text("nine of bells"), Text("under of bells"), Text("over of bells"),
    Text("king of bells"), Text("ten of bells"), Text("ace of bells"),
)  # fmt: skip
SLOVAK_SUITS = (("červená", "červený", "červené"), ("zelená", "zelený", "zelené"),
                ("žaluďová", "žaluďový", "žaluďové"), ("guľová", "guľový", "guľové"))  # fmt: skip
SLOVAK_RANKS = (("deviatka", 0), ("dolník", 1), ("horník", 1), ("kráľ", 1), ("desiatka", 0), ("eso", 2))
NAMING = [
    Text("whoever holds the card you name is your secret partner;"),
    Text("name a card of your own and you play alone against three (sumec)"),
]
WORDS: dict[int, str] = {
    DOST: Text("dost"),
    PASS: Text("pass"),
    KONTRA: Text("kontra"),
    REKONTRA: Text("rekontra"),
}


def card_code(card: int) -> str:
    """hA, l10, aU: the suit's first letter and the rank."""
    return SUIT_LETTERS[card // RANKS] + RANK_LETTERS[card % RANKS]


def card_name(card: int) -> str:
    """ace of hearts"""
    return CARD_NAMES[card]


def together(players: list[str]) -> str:
    """Two players, or more, in one phrase; one alone is named alone."""
    if len(players) < 2:
        return Text.joined("", players)
    return Text("{a} and {b}", a=Text.joined(", ", players[:-1]), b=players[-1])


def seat_text(seat: int) -> str:
    """A seat by itself, as a part of a sentence."""
    return Text("{who}", who=Seat(seat))


def slovak_name(card: int) -> str:
    word, gender = SLOVAK_RANKS[card % RANKS]
    return f"{SLOVAK_SUITS[card // RANKS][gender]} {word}"


def cards_of(mask: int) -> list[int]:
    """The cards of a mask, suit by suit, the highest first."""
    return sorted((c for c in range(CARDS) if int(mask) >> c & 1), key=lambda c: (c // RANKS, -c))


def codes(mask: int) -> str:
    return " ".join(card_code(card) for card in cards_of(mask))


def action_name(s: np.record, action: int) -> str:
    if action in WORDS:
        return WORDS[action]
    if s.phase == CHOOSING and action < CARDS:
        return Text("name {card}", card=card_code(action))
    card = card_code(action % CARDS)
    if action < MARRIAGE:
        return card
    points = 40 if action % CARDS // RANKS == s.named // RANKS else 20
    if action < MARRIAGE_AND_CLAIM:
        return Text("{card} for {points}", card=card, points=points)
    return Text("{card} for {points} and dost", card=card, points=points)


def heard(s: np.record, action: int, seat: int) -> str:
    """Everything said and played is public."""
    return action_name(s, action)


def show(view: np.record, seat: int) -> str:
    lines = [*the_contract(view, seat), "", *tricks_so_far(view), *the_trick(view), standing(view)]
    if view.phase == FINISHED:
        lines += ["", outcome(view)]
    return Text.joined("\n", [*lines, "", *hand_lines(view, seat)])


def the_contract(view: np.record, seat: int) -> list[str]:
    if view.named == NONE:
        return [*what_is_named(view), *(NAMING if seat == view.chooser else [])]
    named, *doubled = what_is_named(view)
    return [named, partner_line(view, seat), *doubled]


def what_is_named(view: np.record) -> list[str]:
    """The trump card and who doubled the stakes: what everybody has heard."""
    if view.named == NONE:
        return [Text("{who} chooses the trump card", who=Seat(view.chooser))]
    card = int(view.named)
    named: str = Text(
        "{who} named {code}, the {card} ({slovak}): {suit} are trumps",
        who=Seat(view.chooser),
        code=card_code(card),
        card=card_name(card),
        slovak=slovak_name(card),
        suit=SUIT_NAMES[card // RANKS],
    )
    if view.doubled_by == NONE:
        return [named]
    if view.redoubled_by == NONE:
        return [named, Text("{who} said kontra", who=Seat(view.doubled_by))]
    redoubled = Text("{who} said kontra, {other} rekontra", who=Seat(view.doubled_by), other=Seat(view.redoubled_by))
    return [named, redoubled]


def partner_line(view: np.record, seat: int) -> str:
    """Who plays with whom, by what this seat knows."""
    holders = [h for h in range(SEATS) if int(holders_by_counting(view, seat)) >> h & 1]
    chooser = int(view.chooser)
    if len(holders) > 1:
        named = [seat_text(h) if h != chooser else Text("the chooser himself") for h in holders]
        return Text("partner unknown: the named card may be with {holders}", holders=Text.joined(", ", named))
    if holders[0] == chooser:
        return Text("{who} plays alone (sumec)", who=Seat(chooser))
    others = [s for s in range(SEATS) if s not in (chooser, holders[0])]
    return Text(
        "{who} and {partner} play against {a} and {b}",
        who=Seat(chooser),
        partner=Seat(holders[0]),
        a=Seat(others[0]),
        b=Seat(others[1]),
    )


def tricks_so_far(view: np.record) -> list[str]:
    """One line a trick: who played what, who took it and with how many points."""
    lines: list[str] = []
    for first in range(0, int(view.plays) & ~3, 4):
        taker = view.played_by[first + trick_winner(view.played, first, view.named // RANKS)]
        points = sum(VALUES[card] for card in view.played[first : first + 4])
        lines.append(
            Text(
                "trick {number}: {cards}  -> {who} takes {points}",
                number=first // 4 + 1,
                cards=trick_text(view, first, first + 4),
                who=Seat(taker),
                points=points,
            )
        )
    return lines


def the_trick(view: np.record) -> list[str]:
    """The trick in progress, if there is one."""
    if view.phase != TRICKS or view.plays % 4 == 0:
        return []
    return [Text("on the table: {cards}", cards=trick_text(view, int(view.plays) & ~3, int(view.plays)))]


def trick_text(view: np.record, first: int, last: int) -> str:
    cards: list[str] = [f"{view.played_by[i]}:{card_code(int(view.played[i])):<3}" for i in range(first, last)]
    cards[-1] = cards[-1].rstrip()
    announced = int(view.announced[first // 4])
    if announced:
        cards[0] = Text("{card} (for {points})", card=cards[0].strip(), points=announced)
    return Text.joined("  ", cards)


def standing(view: np.record) -> str:
    parts = []
    for seat in range(SEATS):
        bonus = f" + {view.bonus[seat]}" if view.bonus[seat] else ""
        parts.append(Text("{who} {points}", who=Seat(seat), points=f"{view.points[seat]}{bonus}"))
    return Text("points: {points}", points=Text.joined(", ", parts))


def outcome(s: np.record) -> str:
    """Who won, and how: the points that decided, or that none did."""
    winners = together([seat_text(seat) for seat in range(SEATS) if side(s, seat) == s.winner])
    mine, theirs = (int(total_with(s, which, s.holder, 0)) for which in (s.winner, 1 - s.winner))
    if s.ending == LAST_TRICK:
        return Text(
            "{winners} won with the last trick: nobody claimed {enough} points, and it stands {mine} to {theirs}",
            winners=winners,
            enough=ENOUGH,
            mine=mine,
            theirs=theirs,
        )
    if s.ending == CLAIM:
        return Text(
            "{winners} won with {mine} points of the {enough} that are needed",
            winners=winners,
            mine=mine,
            enough=ENOUGH,
        )
    needs = Text("the chooser's side has {n} points of the {enough} it needs", n=theirs, enough=ENOUGH)
    if s.winner == 0:
        needs = Text("the chooser's opponents have {n} points of the {enough} they need", n=theirs, enough=ENOUGH)
    return Text(
        "{winners} won because {who} claimed too early: {needs}",
        winners=winners,
        who=Seat(s.claimant),
        needs=needs,
    )


def hand_lines(view: np.record, seat: int) -> list[str]:
    """One's own hand in full; at the end what the others still hold."""
    lines: list[str] = [Text("your hand:")]
    for card in cards_of(view.hands[seat]):
        name = Text("{card:<16}", card=card_name(card))
        lines.append(Text.joined(" ", [f"  {card_code(card):<4}", name, slovak_name(card)]))
    others = [other for other in range(SEATS) if other != seat]
    if view.phase == FINISHED:
        held = [other for other in others if view.hands[other]]
        lines += [Text("{who} holds: {cards}", who=Seat(other), cards=codes(view.hands[other])) for other in held]
    else:
        sizes = [Text("{who}: {n}", who=Seat(other), n=hand_size(view, other)) for other in others]
        lines.append(Text("cards of the others: {sizes}", sizes=Text.joined(", ", sizes)))
    return lines if np.any(view.hands) else lines[1:]
