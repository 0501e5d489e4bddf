"""Snaps for people: the names of cards and actions, in English and Slovak, and the screen."""

from typing import Any

import numpy as np

from hiddenhand.core.text import Text
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
SUIT_NAMES = ("hearts", "leaves", "acorns", "bells")
RANK_NAMES = ("nine", "under", "over", "king", "ten", "ace")
SLOVAK_SUITS = (("červená", "červený", "červené"), ("zelená", "zelený", "zelené"),
                ("žaluďová", "žaluďový", "žaluďové"), ("guľová", "guľový", "guľové"))  # fmt: skip
SLOVAK_RANKS = (("deviatka", 0), ("dolník", 1), ("horník", 1), ("kráľ", 1), ("desiatka", 0), ("eso", 2))
SIDES = ("the chooser's side has", "the chooser's opponents have")
PRONOUNS = ("it needs", "they need")
NAMING = [
    "whoever holds the card you name is your secret partner;",
    "name a card of your own and you play alone against three (sumec)",
]
WORDS = {DOST: "dost", PASS: "pass", KONTRA: "kontra", REKONTRA: "rekontra"}


def card_code(card: int) -> str:
    """hA, l10, aU: the suit's first letter and the rank."""
    return SUIT_LETTERS[card // RANKS] + RANK_LETTERS[card % RANKS]


def card_name(card: int) -> str:
    return Text("{ply} of {last}", ply=RANK_NAMES[card % RANKS], last=SUIT_NAMES[card // RANKS])


def slovak_name(card: int) -> str:
    word, gender = SLOVAK_RANKS[card % RANKS]
    return f"{SLOVAK_SUITS[card // RANKS][gender]} {word}"


def cards_of(mask: int) -> list[int]:
    """The cards of a mask, suit by suit, the highest first."""
    return sorted((c for c in range(CARDS) if int(mask) >> c & 1), key=lambda c: (c // RANKS, -c))


def codes(mask: int) -> str:
    return " ".join(card_code(card) for card in cards_of(mask))


def action_name(s: Any, action: int) -> str:
    if action in WORDS:
        return WORDS[action]
    if s.phase == CHOOSING and action < CARDS:
        return Text("name {card}", card=card_code(action))
    text = card_code(action % CARDS)
    if action >= MARRIAGE:
        text += f" for {40 if action % CARDS // RANKS == s.named // RANKS else 20}"
    return text + (" and dost" if action >= MARRIAGE_AND_CLAIM else "")


def heard(s: Any, action: int, seat: int) -> str:
    """Everything said and played is public."""
    return action_name(s, action)


def show(view: Any, seat: int) -> str:
    lines = [*the_contract(view, seat), "", *tricks_so_far(view), *the_trick(view), standing(view)]
    if view.phase == FINISHED:
        lines += ["", outcome(view)]
    return "\n".join([*lines, "", *hand_lines(view, seat)])


def the_contract(view: Any, seat: int) -> list[str]:
    if view.named == NONE:
        return [*what_is_named(view), *(NAMING if seat == view.chooser else [])]
    named, *doubled = what_is_named(view)
    return [named, partner_line(view, seat), *doubled]


def what_is_named(view: Any) -> list[str]:
    """The trump card and who doubled the stakes: what everybody has heard."""
    if view.named == NONE:
        return [f"seat {view.chooser} chooses the trump card"]
    card = int(view.named)
    name = f"the {card_name(card)} ({slovak_name(card)})"
    lines = [f"seat {view.chooser} named {card_code(card)}, {name}: {SUIT_NAMES[card // RANKS]} are trumps"]
    if view.doubled_by != NONE:
        lines.append(f"seat {view.doubled_by} said kontra" + rekontra_text(view))
    return lines


def rekontra_text(view: Any) -> str:
    return "" if view.redoubled_by == NONE else f", seat {view.redoubled_by} rekontra"


def partner_line(view: Any, seat: int) -> str:
    """Who plays with whom, as far as this seat can tell."""
    holders = [h for h in range(SEATS) if int(holders_by_counting(view, seat)) >> h & 1]
    chooser = int(view.chooser)
    if len(holders) > 1:
        named = [f"seat {h}" if h != chooser else "the chooser himself" for h in holders]
        return "partner unknown: the named card may be with " + ", ".join(named)
    if holders[0] == chooser:
        return f"seat {chooser} plays alone (sumec)"
    others = [s for s in range(SEATS) if s not in (chooser, holders[0])]
    return f"seats {chooser} and {holders[0]} play against {others[0]} and {others[1]}"


def tricks_so_far(view: Any) -> list[str]:
    """One line a trick: who played what, who took it and with how many points."""
    lines = []
    for first in range(0, int(view.plays) & ~3, 4):
        taker = view.played_by[first + trick_winner(view.played, first, view.named // RANKS)]
        points = sum(VALUES[card] for card in view.played[first : first + 4])
        lines.append(f"trick {first // 4 + 1}: {trick_text(view, first, first + 4)}  -> seat {taker} takes {points}")
    return lines


def the_trick(view: Any) -> list[str]:
    """The trick in progress, if there is one."""
    if view.phase != TRICKS or view.plays % 4 == 0:
        return []
    return ["on the table: " + trick_text(view, int(view.plays) & ~3, int(view.plays))]


def trick_text(view: Any, first: int, last: int) -> str:
    cards = [f"{view.played_by[i]}:{card_code(int(view.played[i])):<3}" for i in range(first, last)]
    announced = int(view.announced[first // 4])
    if announced:
        cards[0] = f"{cards[0].strip()} (for {announced})"
    return "  ".join(cards).rstrip()


def standing(view: Any) -> str:
    parts = []
    for seat in range(SEATS):
        bonus = f" + {view.bonus[seat]}" if view.bonus[seat] else ""
        parts.append(f"seat {seat} {view.points[seat]}{bonus}")
    return "points: " + ", ".join(parts)


def outcome(s: Any) -> str:
    """Who won, and how: the points that decided, or that none did."""
    winners = [f"seat {seat}" for seat in range(SEATS) if side(s, seat) == s.winner]
    return f"{' and '.join(winners)} won {how_won(s)}"


def how_won(s: Any) -> str:
    mine, theirs = (int(total_with(s, which, s.holder, 0)) for which in (s.winner, 1 - s.winner))
    if s.ending == LAST_TRICK:
        return f"with the last trick: nobody claimed {ENOUGH} points, and it stands {mine} to {theirs}"
    if s.ending == CLAIM:
        return f"with {mine} points of the {ENOUGH} that are needed"
    needs = f"{SIDES[1 - s.winner]} {theirs} points of the {ENOUGH} {PRONOUNS[1 - s.winner]}"
    return f"because seat {s.claimant} claimed too early: {needs}"


def hand_lines(view: Any, seat: int) -> list[str]:
    """One's own hand in full; at the end what the others still hold."""
    lines = ["your hand:"]
    for card in cards_of(view.hands[seat]):
        lines.append(f"  {card_code(card):<4} {card_name(card):<16} {slovak_name(card)}")
    if view.phase == FINISHED:
        lines += [f"seat {s} holds: {codes(view.hands[s])}" for s in range(SEATS) if s != seat and view.hands[s]]
    else:
        sizes = [f"seat {s}: {hand_size(view, s)}" for s in range(SEATS) if s != seat]
        lines.append("cards of the others: " + ", ".join(sizes))
    return lines if np.any(view.hands) else lines[1:]
