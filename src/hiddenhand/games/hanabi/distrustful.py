"""Distrustful believes only what the rules prove; from a thesis on agents for Hanabi (University of Wroclaw, 2020).

It has seven modules. They are tried in the order 1 2 3 4 5 6 7; with all 8 tokens there, 1 2 3 4 6 5 7; with fewer
than three, 1 2 5 3 4 7. The first that finds something acts.

1. Necessary tip: the next player is about to discard a critical card that is playable; a hint tells it of that card.
2. Obvious play: a card that is surely playable, of the lowest rank.
3. Good play tip: with two tokens or more, the hint of the greatest worth, if that is above a mark.
4. Discard tip: with two tokens or more, a hint by which somebody learns that cards are useless, likewise.
5. Obvious discard: a card that is surely useless.
6. Mediocre play tip: as 3, with a lower mark.
7. Guess discard: the oldest card that no hint has touched; or else the oldest that need not be critical; or else the
   oldest.

What the next player is about to do is what these same rules, the first left out, tell it to do, as far as its hand is
known to both. The worth of a play tip is the sum over the cards that it says something new about and that are worth
knowing (not useless, nor known better in another hand, nor playable for their owner as they are). A card counts 1,
times `step` for each card that must be played before it, times `completes` if it becomes surely playable, times
`rank` for each rank below 5; and the whole times `distance` for each seat on the way. A discard tip counts the cards
that it shows to be useless, if their owner knew of none.

The weights are those of the thesis's program. How exactly they enter is our choice, and so is it that an avalanche
counts no more than another play. This scores more than in the thesis.

`reading=published` keeps to the letter: what a card can be follows from the hints and from the cards that lie open,
but not from those in other hands; and in 7 the oldest card goes that is not wholly known, whether a hint has touched
it or not. That scores 16.96, 16.49, 15.80 and 14.70 with two to five players, where the thesis printed 17.52, 16.49,
15.72 and 14.46.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.deduction import critical_cards, playable_cards, single, surely, useless_cards, wasted
from hiddenhand.games.hanabi.hand_knowledge import (
    SEATS,
    deduce_all,
    lowest_within,
    named_cards,
    oldest_within,
    spare_slot,
)
from hiddenhand.games.hanabi.random_choice import PUBLISHED, READING, can_discard
from hiddenhand.games.hanabi.rules import (
    CARDS,
    COLOURS,
    DISCARD,
    HINT,
    MOST_HINTS,
    NONE,
    PLAY,
    RANKS,
    SLOTS,
    hint_action,
    hint_parts,
)
from hiddenhand.games.hanabi.texts import action_name, card_name, card_names, hint_told, hint_told_only
from hiddenhand.kernel import rule

NECESSARY, PLAYS, GOOD, DISCARD_TIP, DISCARDS, MEDIOCRE, GUESS = 1, 2, 3, 4, 5, 6, 7
FEW = 3  # tokens; fewer than these, and one discards rather than hints
ORDERS = np.array([(1, 2, 5, 3, 4, 7, 0), (1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 6, 5, 7)])
TIP_TOKENS = 2  # a tip that is not necessary leaves a token

GOOD_HINT, MEDIOCRE_HINT = Text("good hint what to play"), Text("mediocre hint what to play")
ANY_HINT, DISCARD_HINT = Text("hints what to play"), Text("hint what to discard")
LEAST = Text("given if its worth is above this")
COMPLETES = Text("factor of a card that becomes surely playable")
DISTANCE = Text("factor for each seat on the way")


def weight_text(tip: str, what: str) -> Text:
    """What a weight means for a sort of hint."""
    return Text("{tip}: {what}", tip=tip, what=what)


SETTINGS = {
    "reading": READING,
    "good_pass": Setting(2.0, weight_text(GOOD_HINT, LEAST)),
    "good_completes": Setting(2.3, weight_text(GOOD_HINT, COMPLETES)),
    "mediocre_pass": Setting(1.0, weight_text(MEDIOCRE_HINT, LEAST)),
    "mediocre_completes": Setting(2.0, weight_text(MEDIOCRE_HINT, COMPLETES)),
    "step": Setting(0.5, weight_text(ANY_HINT, Text("factor for each card that must be played before"))),
    "distance": Setting(0.99, weight_text(ANY_HINT, DISTANCE)),
    "rank": Setting(1.1, weight_text(ANY_HINT, Text("factor for each rank below 5"))),
    "discard_pass": Setting(2.5, weight_text(DISCARD_HINT, LEAST)),
    "discard_distance": Setting(0.99, weight_text(DISCARD_HINT, DISTANCE)),
}

# What follows from a view: what everyone knows of each hand, and three sets of cards.
Outlook = namedtuple("Outlook", "players known playable useless critical")
# All that a decision rests on: the agent's parameters, and the outlook.
Scene = namedtuple("Scene", "weights players known playable useless critical")


@rule
def survey(v, me, letter):
    """The outlook of seat `me`."""
    known = np.empty((SEATS, SLOTS), np.int64)
    deduce_all(v, me, letter, np.empty(CARDS, np.int64), known)
    return Outlook(np.int64(v.players), known, playable_cards(v), useless_cards(v), critical_cards(v))


# --- what a hint is worth -------------------------------------------------------------------------


@rule
def power(base, n):
    product = 1.0
    for _ in range(n):
        product *= base
    return product


@rule
def after_hint(cards, card, named):
    """What a card can be after a hint that names these; before it was one of `cards`."""
    return cards & named if (named >> card) & 1 else cards & ~named


@rule
def play_tip_worth(v, s, me, target, hint, completes):
    """The worth of a hint: a number 0 to 4 names a colour, 5 to 9 a rank."""
    named = named_cards(hint // COLOURS, hint % COLOURS)
    total = 0.0
    for slot in range(SLOTS):
        card, cards = np.int64(v.hands[target, slot]), s.known[target, slot]
        if card == NONE or (named & ~s.useless) >> card & 1 == 0 or cards & ~named == 0:
            continue
        if surely(cards, s.playable) or wasted(v, me, target, slot):
            continue
        worth = power(s.weights.step, card % RANKS - np.int64(v.piles[card // RANKS]))
        if surely(cards & named, s.playable):
            worth *= completes
        total += worth * power(s.weights.rank, RANKS - 1 - card % RANKS)
    return total * power(s.weights.distance, (target - me) % s.players)


@rule
def discard_tip_worth(v, s, me, target, hint):
    """How many cards a hint shows to be useless to somebody who knows of none."""
    named = named_cards(hint // COLOURS, hint % COLOURS)
    if oldest_within(s.known[target], s.useless) != NONE:
        return 0.0
    total = 0.0
    for slot in range(SLOTS):
        card = np.int64(v.hands[target, slot])
        if card != NONE and surely(after_hint(s.known[target, slot], card, named), s.useless):
            total += 1.0
    return total * power(s.weights.discard_distance, (target - me) % s.players)


@rule
def touches_any(v, target, hint):
    """Whether a hint touches a card that I see."""
    named = named_cards(hint // COLOURS, hint % COLOURS)
    for slot in range(SLOTS):
        if v.hands[target, slot] != NONE and (named >> np.int64(v.hands[target, slot])) & 1:
            return True
    return False


@rule
def best_tip(v, s, me, module):
    """The hint of the greatest worth, for the nearest player if equal, and that worth; NONE if all are worth 0."""
    best, most = NONE, 0.0
    completes = s.weights.good_completes if module == GOOD else s.weights.mediocre_completes
    for i in range(1, s.players):
        target = (me + i) % s.players
        for hint in range(COLOURS + RANKS):
            if not touches_any(v, target, hint):
                continue
            if module == DISCARD_TIP:
                worth = discard_tip_worth(v, s, me, target, hint)
            else:
                worth = play_tip_worth(v, s, me, target, hint, completes)
            if worth > most:
                best, most = hint_action(target, 0, hint), worth
    return best, most


@rule
def mark(s, module):
    """The worth that a tip must exceed."""
    if module == DISCARD_TIP:
        return s.weights.discard_pass
    return s.weights.good_pass if module == GOOD else s.weights.mediocre_pass


# --- the modules ----------------------------------------------------------------------------------


@rule
def module_at(v, place):
    """The module that comes first (place 0), second and so on; 0 behind the last."""
    return ORDERS[0 if v.hints < FEW else 2 if v.hints == MOST_HINTS else 1, place]


@rule
def fire(v, s, me, module):
    """What a module other than the first does; NONE if it does nothing."""
    if module == PLAYS:
        slot = lowest_within(s.known[me], s.playable)
        return PLAY + slot if slot != NONE else NONE
    if module == DISCARDS:
        slot = oldest_within(s.known[me], s.useless)
        return DISCARD + slot if slot != NONE and can_discard(v) else NONE
    if module == GUESS:
        if not can_discard(v):
            return any_hint(v, me)
        return DISCARD + spare_slot(s.known[me], v.touched[me], s.useless, s.critical, s.weights.reading)
    if v.hints < TIP_TOKENS:
        return NONE
    hint, worth = best_tip(v, s, me, module)
    return hint if hint != NONE and worth > mark(s, module) else NONE


@rule
def any_hint(v, me):
    """The rank of the next player's oldest card: for tables where one may not discard with all tokens there."""
    target = (me + 1) % np.int64(v.players)
    return hint_action(target, 1, np.int64(max(v.hands[target, 0], 0)) % RANKS)


@rule
def plan(v, s, me):
    """What the modules after the first tell a seat to do, and the number of the one that does."""
    for place in range(1, len(ORDERS[0])):
        module = module_at(v, place)
        action = fire(v, s, me, module)
        if action != NONE:
            return action, module
    return NONE, 0


@rule
def endangered(v, s, me):
    """The slot that the next player is about to discard, if its card is critical and playable; NONE."""
    target = (me + 1) % s.players
    action, _ = plan(v, s, target)
    if action < DISCARD or action >= HINT:
        return NONE
    card = np.int64(v.hands[target, action - DISCARD])
    return action - DISCARD if (s.critical & s.playable) >> card & 1 else NONE


@rule
def necessary_tip(v, s, me):
    """The better of the two hints that touch the endangered card; NONE if there is no such card, or no token."""
    slot = endangered(v, s, me) if v.hints > 0 else NONE
    if slot == NONE:
        return NONE
    target = (me + 1) % s.players
    card = np.int64(v.hands[target, slot])
    by_colour, by_rank = card // RANKS, COLOURS + card % RANKS
    completes = s.weights.good_completes
    colour_worth = play_tip_worth(v, s, me, target, by_colour, completes)
    rank_worth = play_tip_worth(v, s, me, target, by_rank, completes)
    return hint_action(target, 0, by_colour if colour_worth > rank_worth else by_rank)


@rule
def decide(v, me, weights):
    """The action, and the number of the module that gave it."""
    o = survey(v, me, weights.reading)
    s = Scene(weights, o.players, o.known, o.playable, o.useless, o.critical)
    hint = necessary_tip(v, s, me)
    if hint != NONE:
        return hint, NECESSARY
    return plan(v, s, me)


@policy(Text("believes only what is proved: safe plays, hints by their worth, guarded discards"), settings=SETTINGS)
def distrustful(view, seat, actions, memory, parameters, rng):
    action, _ = decide(view, seat, parameters)
    return action


# --- the reasons ----------------------------------------------------------------------------------

TIPS = {GOOD: Text("good play tip"), DISCARD_TIP: Text("discard tip"), MEDIOCRE: Text("mediocre play tip")}


@distrustful.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    v, me = view.record, view.seat
    s = Scene(parameters, *survey(v, me, parameters.reading))
    _, fired = decide(v, me, parameters)
    sentences = [] if fired == NECESSARY else [no_danger(v, s, me)]
    for place in range(1, len(ORDERS[0])):
        module = module_at(v, place)
        if NECESSARY in (fired, module) or module == fired:
            break
        sentences.append(why_not(v, s, me, module))
    return [*sentences, *why(v, s, me, action, fired)]


def no_danger(v: np.record, s: Scene, me: int) -> str:
    """Why the first module does nothing."""
    target = (me + 1) % s.players
    slot = endangered(v, s, me)
    if slot != NONE:
        card = card_name(int(v.hands[target, slot]))
        return Text(
            "{who:C} is about to discard {card}, critical and playable, but there is no token to say so.",
            who=Seat(target),
            card=card,
        )
    return Text(
        "{who:C}, the next to move, is not about to discard a critical card that is playable.", who=Seat(target)
    )


def why_not(v: np.record, s: Scene, me: int, module: int) -> str:
    """Why one of the other modules does nothing."""
    if module == PLAYS:
        return Text("By the hints and the cards it sees, it cannot be sure that any card of its hand is playable.")
    if module == DISCARDS:
        if can_discard(v):
            return Text("It cannot be sure that any card of its hand is useless.")
        return Text("With all tokens there it may not discard.")
    if v.hints < TIP_TOKENS:
        return Text("A {tip} would not leave a token for an emergency.", tip=TIPS[module])
    hint, worth = best_tip(v, s, me, module)
    most = Text("all are worth nothing")
    if hint != NONE:
        most = Text("the best, {hint}, is worth {worth:.2f}", hint=action_name(v, hint), worth=worth)
    return Text(
        "No hint is worth more than {asked:g} as a {tip}: {best}.", asked=mark(s, module), tip=TIPS[module], best=most
    )


def why(v: np.record, s: Scene, me: int, action: int, module: int) -> list[str]:
    """What the module that fired has found."""
    if module == NECESSARY:
        slot, target = endangered(v, s, me), hint_parts(action)[0]
        card = card_name(int(v.hands[target, slot]))
        danger = Text(
            "{who} is about to discard its card {n} ({card}), critical and playable",
            who=Seat(target),
            n=slot + 1,
            card=card,
        )
        return [Text("Module 1, necessary tip: {why}.", why=danger), hint_told(v, action)]
    if module == PLAYS:
        can = card_names(int(s.known[me, action]))
        return [Text("Module 2, obvious play: card {n} is {a}, playable in any case.", n=action + 1, a=can)]
    if module == DISCARDS:
        can = card_names(int(s.known[me, action - DISCARD]))
        return [
            Text("Module 5, obvious discard: card {n} is {a}, useless in any case.", n=action - DISCARD + 1, a=can)
        ]
    if module == GUESS:
        how = guess_by_letter if s.weights.reading == PUBLISHED else guess
        return [Text("Module 7, guess discard: {why}", why=how(v, s.known[me], s.critical, me, action))]
    _, worth = best_tip(v, s, me, module)
    return [
        Text(
            "Module {n}, {tip}: of all hints this is worth most, {worth:.2f}; more than {asked:g} is asked.",
            n=module,
            tip=TIPS[module],
            worth=worth,
            asked=mark(s, module),
        ),
        hint_told_only(v, action),
    ]


def guess_by_letter(v: np.record, cards: Any, critical: Any, me: int, action: int) -> str:
    """The last resort where a card counts as revealed once it is wholly known."""
    slot = action - DISCARD
    if action >= HINT or surely(cards[slot], critical):
        return guess(v, cards, critical, me, action)
    if not single(cards[slot]):
        return Text("card {n} is the oldest that it does not wholly know.", n=slot + 1)
    return Text("it knows all of its cards; card {n} is the oldest that need not be critical.", n=slot + 1)


def guess(v: np.record, cards: Any, critical: Any, me: int, action: int) -> str:
    """The last resort, in words."""
    if action >= HINT:
        return Text(
            "with all tokens there it may not discard, so it names the rank of the next player's oldest card."
        )
    slot = action - DISCARD
    if v.touched[me, slot] == 0:
        return Text("card {n} is the oldest that no hint has touched.", n=slot + 1)
    if not surely(cards[slot], critical):
        return Text("hints have touched all cards; card {n} is the oldest that need not be critical.", n=slot + 1)
    return Text("all cards are surely critical; card {n} is the oldest.", n=slot + 1)
