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

WHY = {
    decision.PLAY: Text("Rule 1, sure play."),
    decision.WAIT: Text("Rule 2, wait: it has a sure play, but more can be played if the other draws the last card."),
    decision.LIKELY_PLAY: "Rule 3, likely play: the chance is good enough with {lives} lives.",
    decision.LAST_HINT: "Rule 4, last round: the hint gives seat {target} a card that it then knows to be playable.",
    decision.LAST_PLAY: Text("Rule 5, last round: a life is worth less now than the chance of a point."),
    decision.HELP: "Rule 6, hint that helps: {help}.",
    decision.TELL: "Rule 7, hint that tells: {tell}.",
    decision.THROW_AWAY: "Rule 8, discard: {discard}.",
    decision.NOTHING_TRUE: Text("Rule 9: the code has no true hint or discard here, so it takes its best chance."),
}


def is_what(now: int, before: int, kinds: Any) -> str:
    """What is said of a card that could be one of `before` and is now one of `now`."""
    for kind, word in (
        (PLAYABLE, "playable"),
        (USELESS, "useless"),
        (CRITICAL, "the last copy of a card still needed"),
    ):
        if now & ~kinds[kind] == 0:
            return f"is {word}: {card_names(int(now))}"
        if now == before & ~kinds[kind]:
            return f"is not {word}"
    return f"is {card_names(int(now))}"


def message(v: Any, memory: Any, me: int, action: int, kinds: Any) -> list[str]:
    """What an action says about a hand, as sentences."""
    items = np.zeros(MOST, np.int64)
    leaf = np.zeros(SLOTS, np.int64)
    count, target = alternatives(v, memory, me, int(v.hints), action, items)
    said = int(say(v, memory, me, action, leaf))
    before = memory.can_be[target]
    parts = [
        f"card {slot + 1} {is_what(int(leaf[slot]), int(before[slot]), kinds)}"
        for slot in range(SLOTS)
        if leaf[slot] != before[slot]
    ]
    if said != action or not parts:
        return [Text("By the code it says nothing more.")]
    hints = sum(1 for item in items[:count] if item >= HINT)
    others = [action_name(v, int(item)) for item in items[:count] if item < HINT]
    kinds_of_hints = [f"{hints} {'hints' if v.empty_hints else 'classes of hints'} to seat {target}"] if hints else []
    among = ", ".join(kinds_of_hints + others)
    return [
        Text(
            "By the code, chosen among {among}, it tells {who} about its hand: {parts}.",
            among=among,
            who=Seat(target),
            parts="; ".join(parts),
        )
    ]


def rests_on(v: Any, memory: Any, me: int, slot: int, part: int) -> list[str]:
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


def about_own(v: Any, memory: Any, me: int, action: int, cards: Any, kinds: Any, layers: Any) -> list[str]:
    """The card played or discarded, as its owner knows it."""
    slot = action % SLOTS
    part = kinds[PLAYABLE] if action < DISCARD else kinds[USELESS]
    word = "playable" if action < DISCARD else "useless"
    if cards[slot] & ~part == 0:
        return [
            f"Card {slot + 1} is surely {word}: {card_names(int(cards[slot]))}.",
            *rests_on(v, memory, me, slot, part),
        ]
    yes = chance(cards[slot], part, layers)
    lost = chance(cards[slot], kinds[CRITICAL], layers)
    sentences = f"Card {slot + 1} is {word} with a chance of {100 * yes:.0f} %"
    if action >= DISCARD:
        sentences += f", and the last copy of a card still needed with {100 * lost:.0f} %"
    return [sentences + "."]


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


def filled_in(v: Any, memory: Any, me: int, actions: Any, action: int, cards: Any, kinds: Any) -> dict[str, Any]:
    """What the sentences about the rules leave open."""
    target = (action - HINT) // 10 if action >= HINT else (me + 1) % int(v.players)
    waiting = sure(memory, target, kinds[PLAYABLE]) == 0
    helps = Text("after it {who} surely knows a playable card, and did not before", who=Seat(target))
    if action < HINT:
        helps = Text("a useless card may be thrown away instead of a hint, which wins a token back")
    tell = f"seat {target} " + ("knows no playable card" if waiting else "knows a playable card already")
    tell += (
        f", there are {int(v.hints)} tokens, and {int(pace_of(v, memory, kinds[USELESS]))} discards can be afforded"
    )
    hint, _ = best_hint(v, memory, me, actions, kinds[PLAYABLE])
    discard = (
        Text("there is no token for a hint")
        if v.hints == 0
        else Text("the last token is kept for a hint that gives a play")
    )
    if v.hints > 0 and hint == NONE:
        discard = Text("the hint that would say the truth by the code cannot be given")
        if 0 <= v.turns_left <= 1:
            discard = Text("nobody has a turn left to use a hint")
    if action < HINT and cards[action % SLOTS] & ~kinds[USELESS] == 0:
        discard = Text("{reason}, and the card is not needed", reason=discard)
    return {"target": target, "help": helps, "tell": tell, "discard": discard, "lives": int(v.lives)}


def reasons(view: View, action: int, parameters: Any) -> list[str]:
    """The sentences for an action that `pair` chose."""
    v, me, memory = view.record, view.seat, new_records(MEMORY, 1)[0]  # read from the start: the same
    actions = np.array(view.actions, np.int64)
    _, fired = choose(v, me, actions, memory)
    kinds, layers, cards = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(SLOTS, np.int64)
    set_kinds(memory, kinds)
    own_cards(v, me, memory, cards, layers)
    sentences = []
    if fired > decision.WAIT:
        sentences.append(without_a_play(cards, kinds, layers))
    sentences.append(WHY[fired].format(**filled_in(v, memory, me, actions, action, cards, kinds)))
    if fired == decision.PLAY and action >= DISCARD:
        sentences.append(
            Text("It has a sure play too; by the code it throws a useless card away first, which wins a token back.")
        )
    if action < HINT:
        sentences += about_own(v, memory, me, action, cards, kinds, layers)
    return sentences + message(v, memory, me, action, kinds)
