"""Agents that look at their own cards: Cheater and SmartCheater.

From the thesis of Jarzabek and Leja (Wroclaw, 2020). They show how much of the game is its hidden
information, and how much the deal.

Cheater: plays a playable card; if it has none, discards any card by lot. Where the text does not say which of several
playable cards is played, the lot decides.

SmartCheater:

1. It looks at its cards.
2. If it has a playable card, it plays it: first those that start an avalanche, then the lowest rank, then by lot.
3. If a pass (any hint) does not keep the others from doing one of 2 to 5, it passes. For this the others are imagined
   to move in turn, each playing if it can, otherwise discarding a useless card, otherwise passing.
4. If it has a useless card, it discards it.
5. With a token left, it passes.
6. If it has a card of which another player has a copy, it discards it.
7. If it has a card that is not critical, it discards it.
8. It discards a critical card of the highest rank, by lot.

Of several cards in 4, 6 and 7, which the text leaves open, the lot decides. Neither gives hints for what they say:
a pass is a hint drawn by lot. Where the rules forbid to discard with all tokens there, Cheater passes too.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.deduction import (
    OF_RANKS,
    avalanche,
    critical_cards,
    holds,
    playable_cards,
    useless_cards,
)
from hiddenhand.games.hanabi.random_choice import can_discard, can_hint, lowest_bit, random_bit, random_hint
from hiddenhand.games.hanabi.rules import DISCARD, NONE, PLAY, RANKS, held
from hiddenhand.games.hanabi.texts import hand_names, seen, slot_names
from hiddenhand.kernel import below, rule


@rule
def slots_of(s, seat, cards):
    """The slots (as bits) of a hand that hold one of these cards."""
    slots = 0
    for slot in range(np.int64(s.hand_size)):
        card = np.int64(s.hands[seat, slot])
        if card != NONE and (cards >> card) & 1:
            slots |= 1 << slot
    return slots


# ---- Cheater


@rule
def cheat(s, seat, actions, rng):
    """The action, and the number of the rule that gave it."""
    slots = slots_of(s, seat, playable_cards(s))
    if slots != 0:
        return PLAY + random_bit(slots, rng), 1
    if can_discard(s):
        return DISCARD + below(rng, held(s, seat)), 2
    return random_hint(actions, rng), 3


@policy(Text("looks at its cards: plays what it can, otherwise discards at random"), cheats=True)
def cheater(state, seat, actions, memory, parameters, rng):
    action, _ = cheat(state, seat, actions, rng)
    return action


@cheater.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    s, me = view.truth, view.seat
    _, fired = cheat(s, me, np.array(view.legal_actions(), np.int64), view.stream())
    looked = Text("It looked at its hand: {hand}.", hand=hand_names(s, me))
    if fired == 1:
        slots = slots_of(s, me, playable_cards(s))
        card = seen(s, me, action)
        if slots & (slots - 1):
            drawn = Text(
                "Rule 1, play: {card} is playable, drawn by lot from its playable cards ({cards}).",
                card=card,
                cards=slot_names(slots),
            )
            return [looked, drawn]
        return [looked, Text("Rule 1, play: {card} is playable.", card=card)]
    none = Text("None of its cards is playable.")
    if fired == 2:
        return [
            looked,
            none,
            Text("Rule 2, discard: {card} was drawn by lot from its whole hand.", card=seen(s, me, action - DISCARD)),
        ]
    return [looked, none, Text("Rule 3, pass: with all tokens there it may not discard, so a hint was drawn by lot.")]


# ---- SmartCheater


@rule
def best_play(s, seat, playable, rng):
    """The slot of a playable card. A card with whose colour the next players can go on comes before all others, then
    the lowest rank; among equals one is drawn at random."""
    slots, best = 0, -1
    for slot in range(np.int64(s.hand_size)):
        card = np.int64(s.hands[seat, slot])
        if card != NONE and (playable >> card) & 1:
            worth = RANKS - card % RANKS
            if avalanche(s, seat, card) > 0:
                worth += RANKS
            if worth > best:
                slots, best = 0, worth
            if worth == best:
                slots |= 1 << slot
    return random_bit(slots, rng)


@rule
def pass_harms(s, seat):
    """Whether, after I spend a token, one of the others could neither play nor discard a useless card nor pass.

    They move in turn, each on the piles and with the tokens that those before it leave.
    """
    tokens = np.int64(s.hints) - 1
    playable, useless = playable_cards(s), useless_cards(s)
    for i in range(1, np.int64(s.players)):
        who = (seat + i) % np.int64(s.players)
        slots = slots_of(s, who, playable)
        if slots != 0:
            card = np.int64(s.hands[who, lowest_bit(slots)])
            playable ^= 1 << card
            useless |= 1 << card
            if card % RANKS < RANKS - 1:
                playable |= 1 << (card + 1)
            else:
                tokens += 1
        elif slots_of(s, who, useless) != 0:
            tokens += 1
        elif tokens == 0:
            return True
        else:
            tokens -= 1
    return False


@rule
def held_by_others(s, seat):
    """The cards in my hand of which another player has a copy."""
    found = 0
    for slot in range(np.int64(s.hand_size)):
        card = np.int64(s.hands[seat, slot])
        for i in range(1, np.int64(s.players)):
            if card != NONE and holds(s, (seat + i) % np.int64(s.players), card):
                found |= 1 << card
    return found


@rule
def highest_rank(s, seat):
    """The cards of the highest rank in a hand."""
    rank = 0
    for slot in range(held(s, seat)):
        rank = max(rank, np.int64(s.hands[seat, slot]) % RANKS)
    return OF_RANKS[1 << rank]


@rule
def cheat_smartly(s, seat, actions, rng):
    """The action, and the number of the rule that gave it, as they are numbered above."""
    slot = best_play(s, seat, playable_cards(s), rng)
    if slot != NONE:
        return PLAY + slot, 2
    if can_hint(s) and not pass_harms(s, seat):
        return random_hint(actions, rng), 3
    slots = slots_of(s, seat, useless_cards(s))
    if slots != 0:
        return DISCARD + random_bit(slots, rng), 4
    if can_hint(s):
        return random_hint(actions, rng), 5
    slots = slots_of(s, seat, held_by_others(s, seat))
    if slots != 0:
        return DISCARD + random_bit(slots, rng), 6
    slots = slots_of(s, seat, ~critical_cards(s))
    if slots != 0:
        return DISCARD + random_bit(slots, rng), 7
    slots = slots_of(s, seat, highest_rank(s, seat))
    return DISCARD + random_bit(slots, rng), 8


@policy(
    Text("looks at its cards: plays, passes by a hint as long as that harms nobody, discards what is useless"),
    cheats=True,
)
def smart_cheater(state, seat, actions, memory, parameters, rng):
    action, _ = cheat_smartly(state, seat, actions, rng)
    return action


WHY = {
    3: Text(
        "Rule 3, pass: it has a token for it, and each of the others can still play, discard a useless card or pass."
    ),
    5: Text("Rule 5, pass: it has a token for it."),
}
"""The rules for hints."""


def why_discard(fired: int, card: str) -> str:
    """The rule for a discard that applied."""
    if fired == 4:
        return Text("Rule 4, useless card: {card} can never be played any more.", card=card)
    if fired == 6:
        return Text("Rule 6, copy: another player holds a copy of {card}.", card=card)
    if fired == 7:
        return Text("Rule 7, not critical: {card} is not the last copy.", card=card)
    return Text("Rule 8, the least harm: {card} is of the highest rank in its hand.", card=card)


@smart_cheater.explains
def smart_reasons(view: View, action: int, parameters: np.record) -> list[str]:
    s, me = view.truth, view.seat
    _, fired = cheat_smartly(s, me, np.array(view.legal_actions(), np.int64), view.stream())
    sentences: list[str] = [Text("It looked at its hand: {hand}.", hand=hand_names(s, me))]
    if fired == 2:
        following = avalanche(s, me, int(s.hands[me, action]))
        why = Text("no play lets others go on")
        if following:
            why = Text("{n} of the players after it can go on with its colour", n=following)
        return [*sentences, Text("Rule 2, play: {card} is playable; {why}.", card=seen(s, me, action), why=why)]
    sentences.append(Text("None of its cards is playable."))
    if fired > 3 and can_hint(s):
        sentences.append(Text("After a pass one of the others would have no play, no useless card and no token."))
    elif fired > 3:
        sentences.append(Text("There is no token for a pass."))
    if fired > 4:
        sentences.append(Text("It has no useless card."))
    if fired > 6:
        sentences.append(Text("Nobody else holds a copy of one of its cards."))
    if fired > 7:
        sentences.append(Text("All its cards are critical."))
    return [*sentences, WHY[fired] if fired in WHY else why_discard(fired, seen(s, me, action - DISCARD))]
