"""The open table of snaps: all four hands, and what every seat believes beside the truth.

In the thesis (chapter 7) this is the environment in which the programmer sees everybody's cards and follows what
the agents do. Of each seat it is told how likely it holds each card to be where it really is: 100 % is knowledge, and
the loss, the mean of -log2 of these chances, is 0 bits for a seat that knows everything.
"""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.exact import exact_chances, holders_from
from hiddenhand.games.snaps.beliefs.kinds import belief_of, certain_words, fact_words
from hiddenhand.games.snaps.cards import CARDS, NONE, RANKS, SEATS, SUITS, Array
from hiddenhand.games.snaps.state import CHOOSING, FINISHED, side, side_with
from hiddenhand.games.snaps.texts import (
    RANK_LETTERS,
    SUIT_NAMES,
    card_code,
    cards_of,
    outcome,
    seat_text,
    standing,
    the_trick,
    tricks_so_far,
    what_is_named,
)

EXACT, TABLE, STATISTICS = "exact", "table", "statistics"
OWN_RULES = "own_rules"


@runtime_checkable
class AgentWithBeliefs(Protocol):
    """An agent with a belief of its own making."""

    name: str

    def beliefs(self, view: View) -> tuple[Array, Array]:
        """How likely each seat holds each card, float64[4, 24], and was dealt the named one, float64[4]."""


TRUTH = "*"  # marks what is really so


def open_table(s: np.record, views: list[View], agents: Mapping[int, Agent]) -> str:
    """The whole table as text; `views` and `agents` by seat."""
    lines = [*what_is_named(s), ""]
    lines += hand_rows(s)
    lines += ["", *tricks_so_far(s), *the_trick(s), standing(s)]
    if s.phase == FINISHED:
        return Text.joined("\n", [*lines, "", outcome(s)])
    if s.phase != CHOOSING:
        for view in views:
            lines += ["", *belief_rows(s, view, agents.get(view.seat))]
    return Text.joined("\n", lines)


def hand_rows(s: np.record) -> list[str]:
    """One row a seat: its cards suit by suit, and which side it is on."""
    rows = [["", *SUIT_NAMES, ""]]
    for seat in range(SEATS):
        suits = [
            " ".join(RANK_LETTERS[card % RANKS] for card in of_suit(s.hands[seat], suit)) for suit in range(SUITS)
        ]
        rows.append([seat_text(seat), *(text or "-" for text in suits), role(s, seat)])
    return in_columns(rows, [True] * (SUITS + 2))


def in_columns(rows: list[list[str]], to_the_left: list[bool]) -> list[str]:
    """The rows as lines in columns. The widths are those of the English words."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [one_line(row, widths, to_the_left) for row in rows]


def one_line(row: list[str], widths: list[int], to_the_left: list[bool]) -> str:
    last = max(i for i, text in enumerate(row) if text)
    cells = []
    for text, width, left in zip(row[: last + 1], widths, to_the_left):
        space = " " * (width - len(text))
        cells += [text, space] if left else [space, text]
        cells.append("  ")
    cells.pop()
    return Text.joined("", cells[:-1] if to_the_left[last] else cells)


def of_suit(hand: int, suit: int) -> list[int]:
    return [card for card in cards_of(hand) if card // RANKS == suit]


def role(s: np.record, seat: int) -> str:
    part = part_of(s, seat)
    return Text("{part} <- to move", part=part) if s.phase != FINISHED and seat == s.mover else part


def part_of(s: np.record, seat: int) -> str:
    """What a seat is in this deal: chooser, partner or opponent."""
    if seat == s.chooser:
        return Text("chooser, alone") if s.holder == seat and s.named != NONE else Text("chooser")
    if s.named == NONE:
        return ""
    return Text("partner") if side(s, seat) == 0 else Text("opponent")


def belief_rows(s: np.record, view: View, agent: Agent | None) -> list[str]:
    """What one seat believes, by the agent's own kind of belief if it has one; the exact one otherwise."""
    kind = kind_of(agent)
    chances, holders = beliefs_of(view, agent)
    others = others_of(view.seat)
    given = [chances[other, card] for other in others for card in cards_of(s.hands[other])]
    rows = [
        Text(
            "{who} believes ({kind}, loss {loss:.2f} bits a card): {partner}",
            who=Seat(view.seat),
            kind=kind,
            loss=loss(given),
            partner=partner_text(s, holders),
        )
    ]
    for other in others:
        cards = [f"{card_code(card)} {chances[other, card]:.0%}" for card in cards_of(s.hands[other])]
        held = "  ".join(cards) or Text("nothing")
        rows.append(Text("  {who} really has {cards}", who=Seat(other), cards=held))
    return list(rows)


def others_of(seat: int) -> list[int]:
    return [(seat + i) % SEATS for i in range(1, SEATS)]


def kind_of(agent: Agent | None) -> str:
    """Which kind of belief an agent uses."""
    if agent is None:
        return EXACT
    if isinstance(agent, AgentWithBeliefs):
        return agent.name
    if getattr(agent, "name", "") == OWN_RULES:
        return EXACT if agent.parameters.exact else TABLE  # type: ignore[attr-defined]
    return str(agent.values.get("belief", EXACT))


def beliefs_of(view: View, agent: Agent | None) -> tuple[Array, Array]:
    """(float64[4, 24]: how likely each seat holds each card, float64[4]: how likely it was dealt the named one)."""
    if isinstance(agent, AgentWithBeliefs):
        return agent.beliefs(view)
    kind = kind_of(agent)
    if agent is None or kind == EXACT:  # without waiting until the other kinds are compiled
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        exact_chances(view.record, view.seat, chances)
        holders_from(view.record, chances, holders)
        return chances, holders
    model = {name: agent.values[name] for name in ("particles", "noise") if name in agent.values}
    belief = belief_of(view, kind, **model)
    counted = getattr(getattr(agent, "parameters", None), "statistics", None)
    if kind == STATISTICS and counted is not None:  # those of a file of its own
        belief.model = belief.model._replace(statistics=np.asarray(counted))
    return belief.chances(), belief.holders()


# ---- everything that one seat believes


def believed(view: View, agent: Agent | None) -> str:
    """The thesis's knowledge base of one seat: 24 cards by three players, what is certain, and who plays with whom.

    The chances are those of the agent's own belief.
    """
    s = view.record
    if s.phase in (CHOOSING, FINISHED):
        return Text("{who} has nothing to believe now", who=Seat(view.seat))
    chances, holders = beliefs_of(view, agent)
    kind = kind_of(agent)
    head = Text("{who} believes ({kind})", who=Seat(view.seat), kind=kind)
    lines = [head, *card_rows(s, view.seat, chances), "", Text("Facts:")]
    sure = np.zeros((SEATS, CARDS))
    exact_chances(s, view.seat, sure)
    facts = [words for other in others_of(view.seat) for words in certain_words(s, other, sure)]
    if kind == TABLE:
        facts += fact_words(s, view.seat)
    lines += [Text("  {fact}", fact=words) for words in facts or [Text("nothing but my own cards")]]
    partners = [Text("Partners (1), opponents (-1), not clear yet (0):"), *partner_rows(s, holders)]
    return Text.joined("\n", [*lines, "", *partners])


def card_rows(s: np.record, seat: int, chances: Array) -> list[str]:
    """A row a card, a column each other player; cards that are played or held are named as such."""
    played = {int(s.played[i]): int(s.played_by[i]) for i in range(int(s.plays))}
    rows: list[list[str]] = [[Text("card"), *map(seat_text, others_of(seat)), ""]]
    for card in range(CARDS):
        note: str = Text("mine") if int(s.hands[seat]) >> card & 1 else ""
        if card in played:
            note = Text("played by {who}", who=Seat(played[card]))
        cells = ["-" if note else f"{chances[other, card]:.2f}" for other in others_of(seat)]
        rows.append([card_code(card), *cells, note])
    return in_columns(rows, [*([False] * SEATS), True])


def partner_rows(s: np.record, holders: Array) -> list[str]:
    """A table of 4 by 4 seats: 1 where two certainly play together, -1 where they certainly do not, otherwise 0."""
    possible = [holder for holder in range(SEATS) if holders[holder] > 0.0]
    seats = [seat_text(seat) for seat in range(SEATS)]
    rows: list[str] = [Text("        {a:>8}{b:>8}{c:>8}{d:>8}", a=seats[0], b=seats[1], c=seats[2], d=seats[3])]
    for one in range(SEATS):
        cells = [relation(s, one, other, possible) for other in range(SEATS)]
        rows.append(Text("{who:>8}{cells}", who=seats[one], cells="".join(f"{cell:>8}" for cell in cells)))
    return rows


def relation(s: np.record, one: int, other: int, possible: list[int]) -> str:
    if one == other:
        return "."
    together = [side_with(s, one, holder) == side_with(s, other, holder) for holder in possible]
    return "1" if all(together) else "0" if any(together) else "-1"


def loss(given: list[float]) -> float:
    """The mean of -log2 of the chances given to what is so; 0 where nothing is left to believe."""
    with np.errstate(divide="ignore"):
        return float(np.mean(-np.log2(given))) + 0.0 if given else 0.0


def partner_text(s: np.record, holders: Array) -> str:
    """ "partner seat 1 33%, *seat 2 67%": who may be, and the truth with a star."""
    parts: list[str] = []
    for seat in np.argsort(-holders, kind="stable"):
        if holders[seat] > 0.0 or seat == s.holder:
            who = Text("nobody") if seat == s.chooser else seat_text(int(seat))
            likely = Text("{who} {chance:.0%}", who=who, chance=holders[seat])
            parts.append(Text.joined("", [TRUTH, likely]) if seat == s.holder else likely)
    return Text("partner {parts}", parts=Text.joined(", ", parts))
