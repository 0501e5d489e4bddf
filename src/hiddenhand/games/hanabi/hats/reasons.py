"""The agent `hat` in words: what a hint told to whom, and which knowledge a play rests on."""

from typing import Any

import numpy as np

from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.deduction import playable_cards, share, useless_cards
from hiddenhand.games.hanabi.hats import agent
from hiddenhand.games.hanabi.hats.agent import hat
from hiddenhand.games.hanabi.hats.board import MEMORY, apply_hint, begin, board_at, settle
from hiddenhand.games.hanabi.hats.coded_answers import catch_up, take_in, tell
from hiddenhand.games.hanabi.hats.numbers import free_discards, number_of_discard, number_of_hint
from hiddenhand.games.hanabi.rules import CARDS, DISCARD, HINT, MOST_HINTS, SLOTS, hint_parts, touches
from hiddenhand.games.hanabi.texts import card_name
from hiddenhand.kernel import new_records

MOST_NAMED = 8


def cards_in(cards: int) -> list[int]:
    return [card for card in range(CARDS) if int(cards) >> card & 1]


def named(cards: int) -> str:
    """A set of cards in words: r3; one of r1 y1; not one of b4 b5; one of 11 cards."""
    inside, outside = cards_in(cards), [card for card in range(CARDS) if not int(cards) >> card & 1]
    if len(inside) == 1:
        return card_name(inside[0])
    if len(inside) <= MOST_NAMED:
        return Text("one of {cards}", cards=" ".join(card_name(card) for card in inside))
    if len(outside) <= MOST_NAMED:
        return Text("none of {cards}", cards=" ".join(card_name(card) for card in outside))
    return Text("one of {n} cards", n=len(inside))


def kind_of(cards: int, v: np.record) -> str:
    """The same, with what it means now: a playable r3; useless, one of r1 y1."""
    if cards & ~playable_cards(v) == 0:
        return Text("playable, {what}", what=named(cards))
    if cards & ~useless_cards(v) == 0:
        return Text("useless, {what}", what=named(cards))
    if cards & playable_cards(v) == 0:
        return Text("not playable now, {what}", what=named(cards))
    return named(cards)


def gained(before: np.record, after: np.record, v: np.record) -> list[str]:
    """What became known of one hand."""
    return [
        Text("its card {n} is {what}", n=slot + 1, what=kind_of(int(after[slot]), v))
        for slot in range(SLOTS)
        if after[slot] != before[slot]
    ]


def message_reasons(v: np.record, board: Any, me: int, number: int, total: int, action: int) -> list[str]:
    """What a hint or a free discard of mine tells each of the others."""
    before = board.possible.copy()
    tell(board, me, me, 0, total)
    if action >= HINT:
        target, kind, value = hint_parts(action)
        apply_hint(board, action, touches(v, target, kind, value))
    settle(board)
    lines: list[str] = [
        Text(
            "It says the number {number} of {total}: there are {total} hints that can always be told apart."
            if action >= HINT
            else "It says the number {number} of {total}: there are {total} useless cards to choose from.",
            number=number + 1,
            total=total,
        )
    ]
    for step in range(1, board.players):
        who = (me + step) % board.players
        news = gained(before[who], board.possible[who], v)
        facts = Text.joined("; ", news) if news else Text("nothing new")
        lines.append(Text("{who:C} learns from it: {news}.", who=Seat(who), news=facts))
    return lines


def history(v: np.record, me: int, slot: int) -> list[tuple[int, int, int, int]]:
    """The moves that told me something of a card, and what: [(move, actor, what it said), ...]."""
    memory = new_records(MEMORY, 1)[0]
    board = board_at(v, me, memory, 0)
    begin(board)
    where = -1  # the slot it was in, once it was drawn
    found = []
    for move in range(int(v.moves_made)):
        if move == int(v.drawn[me, slot]):
            where = first_slot(v, me, slot, move)
        before = int(board.possible[me, where]) if where >= 0 else 0
        actor, action = int(v.log_actor[move]), int(v.log_action[move])
        take_in(board, v, me, move)
        if where >= 0 and actor == me and action < HINT:
            where -= action % SLOTS < where
        elif where >= 0 and int(board.possible[me, where]) != before:
            found.append((move, actor, action, int(board.possible[me, where])))
    return found


def first_slot(v: np.record, me: int, slot: int, move: int) -> int:
    """In which slot the card that is now in `slot` was after the first `move` moves."""
    for later in range(int(v.moves_made) - 1, move - 1, -1):
        if v.log_actor[later] == me and v.log_action[later] < HINT and v.log_action[later] % SLOTS <= slot:
            slot += 1
    return slot


def sources(v: np.record, me: int, slot: int) -> list[str]:
    """Who told me about a card."""
    lines = []
    for move, actor, action, cards in history(v, me, slot)[-3:]:
        lines.append(
            Text(
                "After the {what} of {who} at turn {turn} everyone knew that it is {cards}.",
                what=Text("hint") if action >= HINT else Text("discard") if action >= DISCARD else Text("play"),
                who=Seat(actor),
                turn=move + 1,
                cards=named(cards),
            )
        )
    return list(lines)


def play_reasons(v: np.record, board: Any, me: int, mine: np.ndarray[Any, Any], slot: int) -> list[str]:
    lines = [Text("Card {n} is surely playable: it is {what}.", n=slot + 1, what=named(mine[slot]))]
    if board.possible[me, slot] & ~playable_cards(v) == 0:
        lines.append(Text("Everyone knows that."))
    else:
        lines.append(
            Text(
                "Publicly it is {what}; the hands that I see rule out the rest.", what=named(board.possible[me, slot])
            )
        )
    return lines + sources(v, me, slot)


def gamble_reasons(v: np.record, mine: np.ndarray[Any, Any], counts: np.ndarray[Any, Any], slot: int) -> list[str]:
    odds = share(mine[slot], playable_cards(v), counts)
    why = Text("{chance:.0%} is enough now", chance=agent.bar(v))
    if v.turns_left == 1:
        why = Text("this is the last turn")
    return [
        Text("No card is surely playable."),
        Text(
            "Card {n} is {what} and playable with a chance of {chance:.0%}; "
            "{why}, and with {lives} lives a mistake does not end the game.",
            n=slot + 1,
            what=named(mine[slot]),
            chance=odds,
            why=why,
            lives=v.lives,
        ),
    ]


def time_reason(v: np.record) -> str:
    """Whether there is time for a discard."""
    points, deck = int(agent.points_to_make(v)), int(v.deck_left)
    if deck >= points:
        return Text(
            "There is time for a discard: {deck} cards in the deck for {n} points still to make.", deck=deck, n=points
        )
    if not agent.someone_can_play(v, playable_cards(v)):
        return Text("I see no playable card in any hand, so what we wait for must come from the deck.")
    return Text(
        "There is no time to waste on discards: {deck} cards in the deck for {n} points still to make.",
        deck=deck,
        n=points,
    )


def no_play(mine: np.ndarray[Any, Any], counts: np.ndarray[Any, Any], v: np.record) -> str:
    _, odds = agent.likeliest_play(mine, counts, playable_cards(v))
    return Text("No card is surely playable; the likeliest is playable with a chance of {chance:.0%}.", chance=odds)


def discard_reasons(
    v: np.record,
    board: Any,
    me: int,
    mine: np.ndarray[Any, Any],
    counts: np.ndarray[Any, Any],
    module: int,
    slot: int,
) -> list[str]:
    lines = [no_play(mine, counts, v)]
    if module == agent.FREE:
        lines += [
            Text(
                "Everyone knows that card {n} is useless: it is {what}.",
                n=slot + 1,
                what=named(board.possible[me, slot]),
            )
        ]
        lines += [time_reason(v) if v.hints > 0 else Text("There is no token for a hint.")]
        number, total = number_of_discard(board, me, slot)
        return lines + (message_reasons(v, board, me, number, total, DISCARD + slot) if total > 1 else [])
    lines.append(
        Text("No card of mine is publicly useless.")
        if free_discards(board, me) == 0
        else Text("A discard wins no token.")
    )
    if module == agent.SAFE:
        lines += [
            time_reason(v),
            Text("With {n} tokens left a discard comes before a hint if it will not be missed.", n=v.hints),
        ]
    else:
        lines.append(
            Text("There is no token for a hint.") if v.hints == 0 else Text("No hint says the right number.")
        )
    return [
        *lines,
        Text("Card {n} will be missed least: it is {what}.", n=slot + 1, what=kind_of(int(mine[slot]), v)),
    ]


def why_no_discard(v: np.record, mine: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> str:
    """Why a hint comes first although there is time for a discard."""
    if v.hints == MOST_HINTS:
        return Text("But all tokens are there: a discard would win none.")
    if agent.cheapest_discard(v, mine, counts)[1] < agent.NOT_MISSED:
        return Text("But no card of mine is publicly useless, and with {n} tokens a hint comes first.", n=v.hints)
    return Text("But no card of mine is publicly useless or safe to discard.")


def hint_reasons(
    v: np.record, board: Any, me: int, mine: np.ndarray[Any, Any], counts: np.ndarray[Any, Any], action: int
) -> list[str]:
    lines = [no_play(mine, counts, v), time_reason(v)]
    if v.deck_left >= agent.points_to_make(v) or not agent.someone_can_play(v, playable_cards(v)):
        lines.append(why_no_discard(v, mine, counts))
    target, kind, value = hint_parts(action)
    number, total = number_of_hint(board, me, action, touches(v, target, kind, value))
    return lines + message_reasons(v, board, me, number, total, action)


@hat.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    v, me = view.record, view.seat
    memory = new_records(MEMORY, 1)[0]
    chosen, module = agent.decide(v, me, memory)
    if chosen != action:
        return [Text("Somebody does not keep to the agreement; this is the last legal action.")]
    board = catch_up(v, me, memory)
    mine = np.zeros(SLOTS, np.int64)
    counts = np.zeros(CARDS, np.int64)
    agent.privately(board, v, me, mine, counts)
    slot = action % SLOTS
    if module == agent.PLAY:
        return play_reasons(v, board, me, mine, slot)
    if module == agent.GAMBLE:
        return gamble_reasons(v, mine, counts, slot)
    if module == agent.HINT:
        return hint_reasons(v, board, me, mine, counts, action)
    return discard_reasons(v, board, me, mine, counts, module, slot)
