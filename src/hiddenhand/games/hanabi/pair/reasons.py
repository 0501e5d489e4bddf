"""Why `pair` took an action, in words."""

from typing import Any

import numpy as np

from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.pair import decision
from hiddenhand.games.hanabi.pair.decision import best_hint, choose, likeliest_play, own_cards
from hiddenhand.games.hanabi.pair.memory import MEMORY, pace_of, set_kinds, sure
from hiddenhand.games.hanabi.pair.message import alternatives, say
from hiddenhand.games.hanabi.pair.tree import CRITICAL, MOST, PLAYABLE, USELESS, chance
from hiddenhand.games.hanabi.rules import DISCARD, HINT, NONE, SLOTS
from hiddenhand.games.hanabi.texts import action_name, card_names
from hiddenhand.kernel import new_records

WHY: dict[int, str] = {
    decision.PLAY: Text("Rule 1, sure play."),
    decision.WAIT: Text("Rule 2, wait: it has a sure play, but more can be played if the other draws the last card."),
    decision.LAST_PLAY: Text("Rule 5, last round: a life is worth less now than the chance of a point."),
    decision.NOTHING_TRUE: Text("Rule 9: the code has no true hint or discard here, so it takes its best chance."),
}
"""The rules of which there is nothing more to say."""


def is_what(now: int, before: int, kinds: Any) -> str:
    """What is said of a card that could be one of `before` and is now one of `now`."""
    for kind, word in (
        (PLAYABLE, Text("playable")),
        (USELESS, Text("useless")),
        (CRITICAL, Text("the last copy of a card still needed")),
    ):
        if now & ~kinds[kind] == 0:
            return Text("is {what}: {cards}", what=word, cards=card_names(int(now)))
        if now == before & ~kinds[kind]:
            return Text("is not {what}", what=word)
    return Text("is {cards}", cards=card_names(int(now)))


def message(v: np.record, memory: np.record, me: int, action: int, kinds: Any) -> list[str]:
    """What an action says about a hand, as sentences."""
    items = np.zeros(MOST, np.int64)
    leaf = np.zeros(SLOTS, np.int64)
    count, target = alternatives(v, memory, me, int(v.hints), action, items)
    said = int(say(v, memory, me, action, leaf))
    before = memory.can_be[target]
    parts = [
        Text("card {n} {is_what}", n=slot + 1, is_what=is_what(int(leaf[slot]), int(before[slot]), kinds))
        for slot in range(SLOTS)
        if leaf[slot] != before[slot]
    ]
    if said != action or not parts:
        return [Text("By the code it says nothing more.")]
    hints = sum(1 for item in items[:count] if item >= HINT)
    others = [action_name(v, int(item)) for item in items[:count] if item < HINT]
    if hints:
        ways = Text.plural("{n} class of hints to {who}", "{n} classes of hints to {who}", n=hints, who=Seat(target))
        if v.empty_hints:
            ways = Text.plural("{n} hint to {who}", "{n} hints to {who}", n=hints, who=Seat(target))
        others = [ways, *others]
    among = Text.joined(", ", others)
    return [
        Text(
            "By the code, chosen among {among}, it tells {who} about its hand: {parts}.",
            among=among,
            who=Seat(target),
            parts=Text.joined("; ", parts),
        )
    ]


def rests_on(v: np.record, memory: np.record, me: int, slot: int, part: int) -> list[str]:
    """Where the knowledge about a card of one's own comes from."""
    source = int(memory.source[me, slot])
    sentences: list[str] = []
    if source:
        actor, action = int(v.log_actor[source - 1]), int(v.log_action[source - 1])
        sentences.append(
            Text(
                "The last message about it was move {n}, {who}: {move}.",
                n=source,
                who=Seat(actor),
                move=action_name(v, action),
            )
        )
    if memory.can_be[me, slot] & ~part:
        sentences.append(Text("Part of that it knows only by the cards it sees in other hands."))
    return sentences


def about_own(
    v: np.record, memory: np.record, me: int, action: int, cards: Any, kinds: Any, layers: Any
) -> list[str]:
    """The card played or discarded, as its owner knows it."""
    slot = action % SLOTS
    part = kinds[PLAYABLE] if action < DISCARD else kinds[USELESS]
    word = Text("playable") if action < DISCARD else Text("useless")
    if cards[slot] & ~part == 0:
        return [
            Text("Card {n} is surely {what}: {cards}.", n=slot + 1, what=word, cards=card_names(int(cards[slot]))),
            *rests_on(v, memory, me, slot, part),
        ]
    yes = chance(cards[slot], part, layers)
    lost = chance(cards[slot], kinds[CRITICAL], layers)
    if action < DISCARD:
        return [Text("Card {n} is {what} with a chance of {yes:.0f} %.", n=slot + 1, what=word, yes=100 * yes)]
    return [
        Text(
            "Card {n} is {what} with a chance of {yes:.0f} %, "
            "and the last copy of a card still needed with {lost:.0f} %.",
            n=slot + 1,
            what=word,
            yes=100 * yes,
            lost=100 * lost,
        )
    ]


def without_a_play(cards: Any, kinds: Any, layers: Any) -> str:
    """Why no rule about plays fired."""
    slot, likely = likeliest_play(cards, kinds[PLAYABLE], layers)
    if slot == NONE:
        return Text("None of its cards can be playable.")
    return Text(
        "None of its cards is surely playable; the likeliest, card {n}, has a chance of {chance:.0f} %.",
        n=slot + 1,
        chance=100 * likely,
    )


def rule_reason(view: View, memory: np.record, action: int, fired: int, cards: Any, kinds: Any) -> str:
    """Which rule has decided, and why it applied."""
    v, me = view.record, view.seat
    target = (action - HINT) // 10 if action >= HINT else (me + 1) % int(v.players)
    if fired in WHY:
        return WHY[fired]
    if fired == decision.LIKELY_PLAY:
        return Text("Rule 3, likely play: the chance is good enough with {lives} lives.", lives=int(v.lives))
    if fired == decision.LAST_HINT:
        return Text(
            "Rule 4, last round: the hint gives {who} a card that it then knows to be playable.", who=Seat(target)
        )
    if fired == decision.HELP:
        helps = Text("after it {who} surely knows a playable card, and did not before", who=Seat(target))
        if action < HINT:
            helps = Text("a useless card may be thrown away instead of a hint, which wins a token back")
        return Text("Rule 6, hint that helps: {why}.", why=helps)
    if fired == decision.TELL:
        waiting = sure(memory, target, kinds[PLAYABLE]) == 0
        return Text(
            "Rule 7, hint that tells: {who} knows no playable card, there are {tokens} tokens, "
            "and {discards} discards can be afforded."
            if waiting
            else "Rule 7, hint that tells: {who} knows a playable card already, there are {tokens} tokens, "
            "and {discards} discards can be afforded.",
            who=Seat(target),
            tokens=int(v.hints),
            discards=int(pace_of(v, memory, kinds[USELESS])),
        )
    return Text("Rule 8, discard: {why}.", why=why_discard(view, memory, action, cards, kinds))


def why_discard(view: View, memory: np.record, action: int, cards: Any, kinds: Any) -> str:
    """Why a discard comes now, and no hint."""
    v, me, actions = view.record, view.seat, np.array(view.legal_actions(), np.int64)
    hint, _ = best_hint(v, memory, me, actions, kinds[PLAYABLE])
    why = (
        Text("there is no token for a hint")
        if v.hints == 0
        else Text("the last token is kept for a hint that gives a play")
    )
    if v.hints > 0 and hint == NONE:
        why = Text("the hint that would say the truth by the code cannot be given")
        if 0 <= v.turns_left <= 1:
            why = Text("nobody has a turn left to use a hint")
    if action < HINT and cards[action % SLOTS] & ~kinds[USELESS] == 0:
        return Text("{reason}, and the card is not needed", reason=why)
    return why


def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    """The sentences for an action that `pair` chose."""
    v, me, memory = view.record, view.seat, new_records(MEMORY, 1)[0]  # read from the start: the same
    actions = np.array(view.legal_actions(), np.int64)
    _, fired = choose(v, me, actions, memory)
    kinds, layers, cards = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(SLOTS, np.int64)
    set_kinds(memory, kinds)
    own_cards(v, me, memory, cards, layers)
    sentences = []
    if fired > decision.WAIT:
        sentences.append(without_a_play(cards, kinds, layers))
    sentences.append(rule_reason(view, memory, action, fired, cards, kinds))
    if fired == decision.PLAY and action >= DISCARD:
        sentences.append(
            Text("It has a sure play too; by the code it throws a useless card away first, which wins a token back.")
        )
    if action < HINT:
        sentences += about_own(v, memory, me, action, cards, kinds, layers)
    return sentences + message(v, memory, me, action, kinds)
