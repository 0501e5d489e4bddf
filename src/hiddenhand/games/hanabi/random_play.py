"""Agents that play at random: Erratic and StoppedClock, by Jarzabek and Leja (Wroclaw, 2020).

Erratic draws, with equal chances, one of the sorts of actions that are legal now (play, discard, hint), and then one
of the actions of that sort.

StoppedClock does not lose lives. It draws, with equal chances, one of the sorts that it can do:

- play one of the cards that are revealed (hints have fixed both colour and rank) and playable, by lot;
- with fewer than 8 tokens: discard a card, by lot from those of which the fewest parts (colour, rank) are known;
- with a token left: draw a player who does not know both parts of all cards, then one of its unknown cards, then the
  colour or the rank of that card (the other one, if one is known), and name it. If all is known, any hint is a pass.

"Known" means fixed by hints: where hints have excluded all colours but one, the colour is known too. The text leaves
that open.
"""

import numpy as np

from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.deduction import by_hints, parts_known, playable_cards, single
from hiddenhand.games.hanabi.random_choice import can_hint, random_bit, random_hint
from hiddenhand.games.hanabi.rules import (
    COLOUR,
    DISCARD,
    HINT,
    MOST_HINTS,
    NONE,
    PLAY,
    RANK,
    RANKS,
    held,
    hint_action,
)
from hiddenhand.games.hanabi.texts import hint_told, listed, slot_names
from hiddenhand.kernel import below, rule

# ---- Erratic


@rule
def sort_of(action):
    """0: a play, 1: a discard, 2: a hint."""
    return 0 if action < DISCARD else 1 if action < HINT else 2


@rule
def draw_erratically(actions, rng):
    """A sort of action out of those that are legal, then one of that sort; and the sort."""
    counts = np.zeros(3, np.int64)
    for action in actions:
        counts[sort_of(action)] += 1
    sorts = 0
    for sort in range(3):
        if counts[sort] > 0:
            sorts += 1
    skip = below(rng, sorts)
    first = 0
    for sort in range(3):
        if counts[sort] > 0:
            if skip == 0:
                return actions[first + below(rng, counts[sort])], sort
            skip -= 1
        first += counts[sort]
    return actions[0], 0


@policy(Text("plays, discards or hints with equal chances, anything that is legal"))
def erratic(view, seat, actions, memory, parameters, rng):
    action, _ = draw_erratically(actions, rng)
    return action


SORTS: tuple[str, ...] = (Text("play"), Text("discard"), Text("hint"))


@erratic.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    _, sort = draw_erratically(np.array(view.legal_actions(), np.int64), view.stream())
    counts = [sum(sort_of(other) == each for other in view.legal_actions()) for each in range(3)]
    choice = listed(Text("{what} ({n})", what=SORTS[each], n=n) for each, n in enumerate(counts) if n)
    return [
        Text("The sorts of legal actions, and how many there are: {choice}.", choice=choice),
        Text(
            "First {sort} was drawn, each sort being equally likely, then {move}.",
            sort=SORTS[sort],
            move=view.action_name(action),
        ),
    ]


# ---- StoppedClock


@rule
def safe_slots(v, me):
    """Revealed cards that can be played."""
    playable = playable_cards(v)
    slots = 0
    for slot in range(held(v, me)):
        if parts_known(v, me, slot) == 2 and by_hints(v, me, slot) & playable:
            slots |= 1 << slot
    return slots


@rule
def slots_known(v, seat, least, most):
    """The slots of which at least `least` and at most `most` parts are known; the parts are colour and rank."""
    slots = 0
    for slot in range(held(v, seat)):
        if least <= parts_known(v, seat, slot) <= most:
            slots |= 1 << slot
    return slots


@rule
def least_known(v, me):
    """The slots about which the least is known."""
    for known in range(3):
        slots = slots_known(v, me, known, known)
        if slots != 0:
            return slots
    return 0


@rule
def hint_at_random(v, me, actions, rng):
    """Tell a random player that does not know all about a random card that it does not know. None: any hint."""
    seats = 0
    for seat in range(np.int64(v.players)):
        if seat != me and slots_known(v, seat, 0, 1) != 0:
            seats |= 1 << seat
    target = random_bit(seats, rng)
    if target == NONE:
        return random_hint(actions, rng)
    slot = random_bit(slots_known(v, target, 0, 1), rng)
    card = np.int64(v.hands[target, slot])
    kind = COLOUR if below(rng, 2) == 0 else RANK
    if single(np.int64(v.colours[target, slot])):
        kind = RANK
    elif single(np.int64(v.ranks[target, slot])):
        kind = COLOUR
    return hint_action(target, kind, card // RANKS if kind == COLOUR else card % RANKS)


@rule
def possible_sorts(v, me):
    """The sorts of actions (as bits) that cost no life."""
    sorts = 0
    if safe_slots(v, me) != 0:
        sorts |= 1
    if v.hints < MOST_HINTS:
        sorts |= 2
    if can_hint(v):
        sorts |= 4
    return sorts


@rule
def draw_safely(v, me, actions, rng):
    """The action and its sort."""
    sort = random_bit(possible_sorts(v, me), rng)
    if sort == 0:
        return PLAY + random_bit(safe_slots(v, me), rng), 0
    if sort == 1:
        return DISCARD + random_bit(least_known(v, me), rng), 1
    return hint_at_random(v, me, actions, rng), 2


@policy(Text("plays, discards or hints with equal chances, but never loses a life"))
def stopped_clock(view, seat, actions, memory, parameters, rng):
    action, _ = draw_safely(view, seat, actions, rng)
    return action


@stopped_clock.explains
def safe_reasons(view: View, action: int, parameters: np.record) -> list[str]:
    v, me = view.record, view.seat
    _, sort = draw_safely(v, me, np.array(view.legal_actions(), np.int64), view.stream())
    sorts = possible_sorts(v, me)
    possible = [SORTS[each] for each in range(3) if sorts >> each & 1]
    lot = Text("Of what costs no life, it could only {sort}.", sort=SORTS[sort])
    if len(possible) > 1:
        lot = Text("Of what costs no life, {sort} was drawn from {sorts}.", sort=SORTS[sort], sorts=listed(possible))
    sentences: list[str] = [lot]
    if not sorts & 1:
        sentences.append(Text("No card of its hand is both revealed and playable."))
    if not sorts & 2:
        sentences.append(Text("All tokens are there, so a discard wins none back."))
    if not sorts & 4:
        sentences.append(Text("There is no token left for a hint."))
    if sort == 0:
        return [*sentences, Text("Play: card {n} is revealed and playable.", n=action + 1)]
    if sort == 1:
        return [
            *sentences,
            Text(
                "Discard: card {n} was drawn by lot from {cards}, of which it knows least.",
                n=action - DISCARD + 1,
                cards=slot_names(least_known(v, me)),
            ),
        ]
    return [
        *sentences,
        Text(
            "Hint: the player, the card and whether to name colour or rank were drawn by lot. {told}",
            told=hint_told(v, action),
        ),
    ]
