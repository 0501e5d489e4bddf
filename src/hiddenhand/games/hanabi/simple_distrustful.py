"""SimpleDistrustful, a newcomer who takes no risks, by Jarzabek and Leja (thesis, Wroclaw, 2020).

It believes only what the rules make certain: a hint says which cards are red, and not which card to play.

1. If it can infer that a card of its hand is playable, it plays it.
2. With a token left, it takes the nearest player to whom it can give a valuable hint, and gives it the one that tells
   of the lowest ranks.
3. If it has a card that no hint has touched, it discards the oldest of these.
4. If it has a card that it cannot infer to be critical, it discards the oldest of these.
5. It discards a card drawn by lot.

(6. Where the rules forbid to discard with all tokens there, it gives a hint drawn by lot instead of 3 to 5.)

The text leaves open which of several cards is meant in 1, 3 and 4: it is the oldest. It says in 3 "a card that is not
revealed"; to count half-known cards among them costs about a point. A hint is valuable if it names the colour or the
rank, not known yet, of a card that is not useless, of which nobody holds a copy that is known better, and which its
owner could not play anyway; of two such hints that begin with equally many cards of the lowest rank, the next rank
decides. This scores more than in the thesis, above all with two players.

`reading=published` keeps to the letter: in 3 a card is revealed if its colour and its rank are both told, a card is
drawn by lot in 3 and 4, and a hint about a card that its owner could play anyway is valuable too. With two and three
players that scores about what the thesis printed (13.56 for 13.37, 15.27 for 15.48), with four and five less (14.03
for 15.06, 13.41 for 14.02); what else the text could mean, as far as we tried it, is no nearer.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.deduction import (
    critical_cards,
    parts_known,
    playable_cards,
    sure_slots,
    unseen_by,
    useless_cards,
    valuable_slots,
)
from hiddenhand.games.hanabi.random_choice import (
    PUBLISHED,
    READING,
    can_discard,
    can_hint,
    lowest_bit,
    random_bit,
    random_hint,
)
from hiddenhand.games.hanabi.rules import COLOURS, DISCARD, NONE, PLAY, RANKS, held, hint_action, hint_parts
from hiddenhand.games.hanabi.texts import hint_told_only, slot_names
from hiddenhand.kernel import rule

PLAYS, HINTS, UNREVEALED, NOT_CRITICAL, BY_LOT, PASSES = 1, 2, 3, 4, 5, 6
MORE_THAN_A_HAND = 6


@rule
def worth_of(v, target, slots):
    """How good it is to tell of these slots: one card of a rank is worth more than a hand of higher ones."""
    worth = 0
    for slot in range(np.int64(v.hand_size)):
        if (slots >> slot) & 1:
            worth += MORE_THAN_A_HAND ** (RANKS - 1 - np.int64(v.hands[target, slot]) % RANKS)
    return worth


@rule
def best_hint(v, me, target, letter):
    """The valuable hint for this player that tells of the lowest ranks; NONE if there is none."""
    useless = useless_cards(v)
    ready = 0 if letter else sure_slots(v, target, unseen_by(v, target, me), playable_cards(v))
    best, found = 0, NONE
    for kind in range(2):
        for value in range(COLOURS):
            worth = worth_of(v, target, valuable_slots(v, me, target, kind, value, useless) & ~ready)
            if worth > best:
                best, found = worth, hint_action(target, kind, value)
    return found


@rule
def nearest_hint(v, me, letter):
    """The best hint for the first player after me who can use one; NONE if nobody can."""
    for i in range(1, np.int64(v.players)):
        found = best_hint(v, me, (me + i) % np.int64(v.players), letter)
        if found != NONE:
            return found
    return NONE


@rule
def unrevealed_slots(v, me, letter):
    """My cards that no hint has touched; by the letter, those whose colour or rank was not told."""
    slots = 0
    for slot in range(held(v, me)):
        if v.touched[me, slot] == 0 or (letter and parts_known(v, me, slot) < 2):
            slots |= 1 << slot
    return slots


@rule
def one_of(slots, letter, rng):
    """The oldest of some slots; in the literal reading of the thesis, one of them at random."""
    return random_bit(slots, rng) if letter else lowest_bit(slots)


@rule
def choose(v, me, actions, letter, rng):
    """The action, and the number of the module that gave it."""
    left = unseen_by(v, me, me)
    sure = sure_slots(v, me, left, playable_cards(v))
    if sure != 0:
        return PLAY + lowest_bit(sure), PLAYS
    if can_hint(v):
        hint = nearest_hint(v, me, letter)
        if hint != NONE:
            return hint, HINTS
    if not can_discard(v):
        return random_hint(actions, rng), PASSES
    unrevealed = unrevealed_slots(v, me, letter)
    if unrevealed != 0:
        return DISCARD + one_of(unrevealed, letter, rng), UNREVEALED
    hand = (1 << held(v, me)) - 1
    loose = hand & ~sure_slots(v, me, left, critical_cards(v))
    if loose != 0:
        return DISCARD + one_of(loose, letter, rng), NOT_CRITICAL
    return DISCARD + random_bit(hand, rng), BY_LOT


@policy(
    Text("plays what it is sure of, hints what the nearest player can use, otherwise discards"),
    settings={"reading": READING},
)
def simple_distrustful(view, seat, actions, memory, parameters, rng):
    action, _ = choose(view, seat, actions, parameters.reading == PUBLISHED, rng)
    return action


NO_PLAY = Text("By the hints and the cards it sees, it cannot be sure that any card of its hand is playable.")
NO_HINT = Text(
    "No hint is valuable: every colour and rank that could be named is known already, or is that "
    "of a card that is useless, better known in another hand, or playable for its owner as it is."
)
PASS = Text("Module 6, pass: with all tokens there it may not discard, so it gives a hint drawn by lot.")


@simple_distrustful.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    v, me = view.record, view.seat
    letter = bool(parameters.reading == PUBLISHED)
    _, module = choose(v, me, np.array(view.legal_actions(), np.int64), letter, view.stream())
    if module == PLAYS:
        sure = sure_slots(v, me, unseen_by(v, me, me), playable_cards(v))
        play = Text("Module 1, sure play: whatever card {n} can still be, it is playable.", n=action + 1)
        if sure & (sure - 1):
            return [
                Text(
                    "{play} It is the oldest of its surely playable cards ({cards}).",
                    play=play,
                    cards=slot_names(sure),
                )
            ]
        return [play]
    if module == HINTS:
        return [NO_PLAY, *about_hint(v, me, action)]
    if module == PASSES:
        return [NO_PLAY, NO_HINT, PASS]
    before = [NO_PLAY, NO_HINT if can_hint(v) else Text("There is no token left for a hint.")]
    slots, number = slot_names(unrevealed_slots(v, me, letter)), action - DISCARD + 1
    if module == UNREVEALED and letter:
        unrevealed = Text(
            "Module 3, unrevealed card: it does not know all of {cards}; card {n} was drawn by lot.",
            cards=slots,
            n=number,
        )
        return [*before, unrevealed]
    if module == UNREVEALED:
        untouched = Text(
            "Module 3, untouched card: no hint has touched {cards}; card {n} is the oldest such card.",
            cards=slots,
            n=number,
        )
        return [*before, untouched]
    before.append(
        Text("It knows all of each of its cards.") if letter else Text("A hint has touched each of its cards.")
    )
    if module == NOT_CRITICAL and letter:
        drawn = Text(
            "Module 4, not surely critical: card {n}, drawn by lot, "
            "need not be the last copy of a card still to be played.",
            n=number,
        )
        return [*before, drawn]
    if module == NOT_CRITICAL:
        oldest = Text(
            "Module 4, not surely critical: card {n} is the oldest "
            "that need not be the last copy of a card still to be played.",
            n=number,
        )
        return [*before, oldest]
    lost = Text("Each of its cards is surely the last copy of a card still to be played.")
    return [*before, lost, Text("Module 5, by lot: card {n} was drawn.", n=action - DISCARD + 1)]


def about_hint(v: np.record, me: int, action: int) -> list[str]:
    """The nearest player that can use a hint, who was passed over, and what the hint says."""
    target, _, _ = hint_parts(action)
    skipped = [Text("{who}", who=Seat(int((me + i) % v.players))) for i in range(1, (target - me) % v.players)]
    if not skipped:
        hint = Text(
            "Module 2, valuable hint: {who} is the nearest player who can use one, "
            "and of its hints this one tells of the lowest ranks.",
            who=Seat(target),
        )
    else:
        hint = Text(
            "Module 2, valuable hint: {who} is the nearest player who can use one (there is none for {others}), "
            "and of its hints this one tells of the lowest ranks.",
            who=Seat(target),
            others=any_of(skipped),
        )
    return [hint, hint_told_only(v, action)]


def any_of(players: list[Text]) -> Text:
    """seat 1; seat 1 or seat 2; ..."""
    text = players[0]
    for other in players[1:]:
        text = Text("{a} or {b}", a=text, b=other)
    return text
