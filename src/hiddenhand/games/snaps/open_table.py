"""The open table of snaps: all four hands, and what every seat believes beside the truth.

In the thesis (chapter 7) this is the environment in which the programmer sees everybody's cards and follows what
the agents do. Of each seat it is told how likely it holds each card to be where it really is: 100 % is knowledge, and
the loss, the mean of -log2 of these chances, is 0 bits for a seat that knows everything.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.exact import exact_chances, holders_from
from hiddenhand.games.snaps.beliefs.kinds import belief_of
from hiddenhand.games.snaps.cards import CARDS, NONE, RANKS, SEATS, SUITS, Array
from hiddenhand.games.snaps.screen import (
    RANK_LETTERS,
    SUIT_NAMES,
    card_code,
    cards_of,
    outcome,
    standing,
    the_trick,
    tricks_so_far,
    what_is_named,
)
from hiddenhand.games.snaps.state import CHOOSING, FINISHED, side

EXACT = "exact"
TRUTH = "*"  # marks what is really so


def open_table(s: Any, views: list[View], agents: Mapping[int, Agent]) -> str:
    """The whole table as text; `views` and `agents` by seat."""
    lines = [*what_is_named(s), ""]
    lines += hand_rows(s)
    lines += ["", *tricks_so_far(s), *the_trick(s), standing(s)]
    if s.phase == FINISHED:
        return "\n".join([*lines, "", outcome(s)])
    if s.phase != CHOOSING:
        for view in views:
            lines += ["", *belief_rows(s, view, agents.get(view.seat))]
    return "\n".join(lines)


def hand_rows(s: Any) -> list[str]:
    """One row a seat: its cards suit by suit, and which side it is on."""
    rows = [["", *SUIT_NAMES, ""]]
    for seat in range(SEATS):
        suits = [
            " ".join(RANK_LETTERS[card % RANKS] for card in of_suit(s.hands[seat], suit)) for suit in range(SUITS)
        ]
        rows.append([f"seat {seat}", *(text or "-" for text in suits), role(s, seat)])
    widths = [max(len(row[i]) for row in rows) for i in range(SUITS + 2)]
    return ["  ".join(f"{text:<{width}}" for text, width in zip(row, widths)).rstrip() for row in rows]


def of_suit(hand: int, suit: int) -> list[int]:
    return [card for card in cards_of(hand) if card // RANKS == suit]


def role(s: Any, seat: int) -> str:
    mover = " <- to move" if s.phase != FINISHED and seat == s.mover else ""
    if s.named == NONE:
        return ("chooser" if seat == s.chooser else "") + mover
    if seat == s.chooser:
        return ("chooser, alone" if s.holder == seat else "chooser") + mover
    return ("partner" if side(s, seat) == 0 else "opponent") + mover


def belief_rows(s: Any, view: View, agent: Agent | None) -> list[str]:
    """What one seat believes, by the agent's own kind of belief if it has one; the exact one otherwise."""
    values = agent.values if agent is not None else {}
    kind = values.get("belief", EXACT)
    chances, holders = beliefs_of(view, kind, values)
    others = [(view.seat + i) % SEATS for i in range(1, SEATS)]
    given = [chances[other, card] for other in others for card in cards_of(s.hands[other])]
    rows = [f"seat {view.seat} believes ({kind}, loss {loss(given):.2f} bits a card): {partner_text(s, holders)}"]
    for other in others:
        cards = [f"{card_code(card)} {chances[other, card]:.0%}" for card in cards_of(s.hands[other])]
        rows.append(f"  seat {other} really has " + ("  ".join(cards) or "nothing"))
    return rows


def beliefs_of(view: View, kind: str, values: Mapping[str, Any]) -> tuple[Array, Array]:
    """(float64[4, 24]: how likely each seat holds each card, float64[4]: how likely it was dealt the named one)."""
    if kind == EXACT:  # without waiting until the other kinds are compiled
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        exact_chances(view.record, view.seat, chances)
        holders_from(view.record, chances, holders)
        return chances, holders
    model = {name: values[name] for name in ("particles", "noise") if name in values}
    belief = belief_of(view, kind, **model)
    return belief.chances(), belief.holders()


def loss(given: list[float]) -> float:
    """The mean of -log2 of the chances given to what is so; 0 where nothing is left to believe."""
    with np.errstate(divide="ignore"):
        return float(np.mean(-np.log2(given))) + 0.0 if given else 0.0


def partner_text(s: Any, holders: Array) -> str:
    """ "partner seat 1 33%, *seat 2 67%": who may be, and the truth with a star."""
    parts = []
    for seat in np.argsort(-holders, kind="stable"):
        if holders[seat] > 0.0 or seat == s.holder:
            who = "nobody" if seat == s.chooser else f"seat {seat}"
            parts.append(f"{TRUTH if seat == s.holder else ''}{who} {holders[seat]:.0%}")
    return "partner " + ", ".join(parts)
