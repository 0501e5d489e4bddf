"""Adaptive: an agent that recognises how the others play, and adapts to them.

Section 7.2 of the thesis on agents for Hanabi (Wroclaw, 2020) asks for such an agent: an agent with conventions needs
partners who share them, and the agents of the thesis cannot change theirs.

The agent knows several kinds of players. For every other seat it computes how likely each kind would have made the
moves of that seat, which gives the posterior probability of the kind. To ask what a kind would do, it needs the view
that the seat had at that time. It knows all of this view except its own hand. There it assumes cards that the hints
of that time allow; if the move was a hint about these very cards, it takes the mean over several such hands. A player
who moves at random fits none of the other kinds.

Hats and pairs read numbers in hints, and are misled by every hint that does not follow their code. In its first
turns, as long as it is not clear whether somebody is one of them, the agent therefore discards its oldest card. If
the first move has to be a hint (`discard_at_8=no`) and it has one partner, it moves as a pair would. Later it plays
as the kind that is expected to score best in this company: the table VALUES says how well each kind plays with each
other, and the kinds of the others are weighted by their posterior probabilities. Whatever kind it plays as, it reads
the log from the first move on, as its partners have done; so it understands hat guessing as soon as it has recognised
hats.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy, policy
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.conventions import RECORD
from hiddenhand.games.hanabi.deduction import count_unseen
from hiddenhand.games.hanabi.distrustful import decide as decide_by_proof
from hiddenhand.games.hanabi.distrustful import distrustful
from hiddenhand.games.hanabi.hats import hat
from hiddenhand.games.hanabi.hats.agent import decide as decide_as_hat
from hiddenhand.games.hanabi.hats.board import MEMORY as HAT_MEMORY
from hiddenhand.games.hanabi.knowledge import can_be, observe
from hiddenhand.games.hanabi.pair import pair
from hiddenhand.games.hanabi.pair.decision import choose as choose_as_pair
from hiddenhand.games.hanabi.pair.memory import MEMORY as PAIR_MEMORY
from hiddenhand.games.hanabi.random_choice import can_discard
from hiddenhand.games.hanabi.random_play import possible_sorts, safe_slots
from hiddenhand.games.hanabi.reinforced import CHOICE, action_of, learned, reinforced2, reinforced4
from hiddenhand.games.hanabi.reinforced import choose as choose_as_learned
from hiddenhand.games.hanabi.rules import (
    CARDS,
    COLOUR,
    DECK_SIZE,
    DISCARD,
    HINT,
    NONE,
    RANKS,
    SEATS,
    SLOTS,
    STATE,
    VIEW,
    begin,
    held,
    hint_parts,
    legal,
    play,
)
from hiddenhand.games.hanabi.simple_distrustful import choose as choose_simply
from hiddenhand.games.hanabi.simple_distrustful import simple_distrustful
from hiddenhand.games.hanabi.trustful import trustful
from hiddenhand.games.hanabi.trustful_modules import decide as decide_by_trust
from hiddenhand.kernel import allocate, copy, new_records, record_type, rule

SIMPLE, DISTRUSTFUL, TRUSTFUL, REINFORCED2, REINFORCED4, HAT, PAIR, BY_LOT = range(8)
KINDS = 8
PLAYED = BY_LOT  # it plays as one of the kinds before this

MEMORY = record_type(
    [
        ("done", "i8"),  # moves taken into account
        ("moves_seen", "i8", (SEATS,)),  # moves of each seat among them
        ("hits", "i8", (SEATS, KINDS)),  # how many of these a kind would have made
        ("log_likelihood", "f8", (SEATS, KINDS)),  # of the moves of a seat, if it were of that kind
    ]
)
EMPTY = np.zeros(1, MEMORY)
EMPTY_RECORD, EMPTY_HAT, EMPTY_PAIR = np.zeros(1, RECORD), np.zeros(1, HAT_MEMORY), np.zeros(1, PAIR_MEMORY)

HIT = 0.85  # how surely a kind makes the move that it is thought to make
OTHERS = 20.0  # so many other moves share the rest
SAME_SORT = 0.2  # what it counts for hats and pairs that they would have played, or discarded, another card
FITTING = 0.15  # from such a chance on a move is one that a kind would have made
GUESSES = 6  # hands that are assumed for a hint to me
PATIENCE, CLEAR = 4, 0.1  # so many turns it waits at most until it is clear whether somebody reads numbers in hints
UNSAFE = 0.002  # the chance that those who move by lot play a card that may be wrong
MOST_DRAWS = DECK_SIZE + 1

# Mean scores of the kind of the row beside those of the column, in 300 games each, seats changing, as
# `benchmarks/hanabi_company.py` prints them: by the rules, and with two players or with three.
VALUES = {
    ("lenient", 2): [
        (17.4, 16.7, 8.7, 14.5, 13.3, 5.0, 4.5, 10.1),
        (17.1, 18.9, 15.7, 17.8, 17.2, 7.1, 5.8, 11.5),
        (10.1, 16.0, 22.2, 16.1, 15.4, 4.8, 3.6, 6.6),
        (14.2, 18.0, 16.1, 21.1, 18.5, 4.3, 4.1, 9.7),
        (13.0, 17.0, 15.1, 18.6, 18.8, 4.3, 4.1, 8.7),
        (5.3, 7.3, 5.0, 4.3, 4.6, 21.6, 2.8, 4.6),
        (4.8, 5.5, 3.4, 3.8, 3.8, 2.6, 24.2, 4.1),
    ],
    ("lenient", 3): [
        (16.9, 16.2, 13.4, 16.9, 16.9, 2.7, 8.8, 9.5),
        (16.1, 18.5, 17.1, 17.9, 19.1, 3.1, 6.5, 10.1),
        (14.4, 17.9, 21.9, 17.4, 19.3, 3.0, 5.7, 8.3),
        (16.1, 17.6, 17.4, 19.4, 19.6, 3.6, 6.9, 8.2),
        (15.8, 17.9, 18.6, 18.9, 20.3, 3.1, 6.2, 9.7),
        (5.1, 6.2, 5.7, 5.4, 5.7, 24.9, 3.0, 4.0),
        (7.6, 10.1, 8.4, 6.7, 8.6, 1.9, 24.2, 5.1),
    ],
    ("strict", 2): [
        (17.4, 17.0, 5.1, 11.9, 9.9, 1.4, 0.5, 10.5),
        (17.0, 19.1, 16.3, 18.4, 17.5, 3.4, 2.3, 10.8),
        (5.7, 16.1, 22.3, 14.5, 15.8, 0.7, 0.0, 4.4),
        (12.5, 18.3, 14.2, 21.2, 18.5, 0.2, 0.1, 7.1),
        (8.9, 17.5, 15.6, 18.4, 19.0, 0.4, 0.1, 6.6),
        (1.4, 3.4, 0.9, 0.2, 0.2, 21.8, 0.0, 2.3),
        (0.4, 2.3, 0.1, 0.1, 0.1, 0.0, 23.9, 1.0),
    ],
    ("strict", 3): [
        (16.9, 16.3, 11.8, 16.6, 16.0, 0.0, 3.5, 9.4),
        (15.9, 18.5, 17.5, 18.0, 19.2, 0.1, 3.7, 10.0),
        (13.6, 18.1, 21.9, 16.7, 19.0, 0.0, 1.1, 7.9),
        (15.8, 17.7, 16.9, 19.4, 19.9, 0.0, 2.0, 7.9),
        (15.8, 18.1, 18.3, 19.4, 20.3, 0.0, 0.7, 9.4),
        (0.6, 0.7, 0.8, 0.4, 0.1, 24.9, 0.0, 1.4),
        (2.2, 6.1, 1.3, 1.6, 3.0, 0.0, 23.8, 3.5),
    ],
}


# --- the game as it was ---------------------------------------------------------------------------


@rule
def write_cards(v, me, drawn):
    """drawn[seat, n]: the n-th card that came into a hand, as far as seat `me` knows it now; else NONE."""
    place = np.full((SEATS, SLOTS), NONE, np.int64)  # which of them lies in a slot
    count = np.zeros(SEATS, np.int64)
    size, left = np.int64(v.hand_size), DECK_SIZE - np.int64(v.players) * np.int64(v.hand_size)
    for seat in range(np.int64(v.players)):
        count[seat] = size
        for slot in range(size):
            place[seat, slot] = slot
    for move in range(np.int64(v.moves_made)):
        if v.log_action[move] >= HINT:
            continue
        seat, slot = np.int64(v.log_actor[move]), np.int64(v.log_action[move]) % SLOTS
        drawn[seat, place[seat, slot]] = v.log_card[move]
        for i in range(slot, size - 1):
            place[seat, i] = place[seat, i + 1]
        place[seat, size - 1] = NONE
        if left > 0:
            left -= 1
            place[seat, held_places(place, seat)] = count[seat]
            count[seat] += 1
    for seat in range(np.int64(v.players)):
        for slot in range(size):
            if place[seat, slot] != NONE:
                drawn[seat, place[seat, slot]] = v.hands[seat, slot]
                if seat == me:
                    drawn[seat, place[seat, slot]] = allowed_card(v, me, slot)


@rule
def held_places(place, seat):
    n = 0
    while n < SLOTS and place[seat, n] != NONE:
        n += 1
    return n


@rule
def allowed_card(v, me, slot):
    """A card that the hints allow: it answers all of them as the true one does."""
    for card in range(CARDS):
        if can_be(v, me, slot, card):
            return card
    return 0


@rule
def first_state(v, drawn, s):
    """The game before its first move, if these cards come into the hands in turn."""
    s.players = v.players
    s.hand_size = v.hand_size
    s.bomb_zero = v.bomb_zero
    s.empty_hints = v.empty_hints
    s.discard_at_8 = v.discard_at_8
    count = np.zeros(SEATS, np.int64)
    for i in range(DECK_SIZE):
        s.deck[i] = 0
    top = DECK_SIZE
    for seat in range(np.int64(v.players)):
        for _ in range(np.int64(v.hand_size)):
            top -= 1
            s.deck[top] = drawn[seat, count[seat]]
            count[seat] += 1
    for move in range(np.int64(v.moves_made)):
        if v.log_action[move] < HINT and top > 0:
            top -= 1
            seat = np.int64(v.log_actor[move])
            s.deck[top] = drawn[seat, count[seat]]
            count[seat] += 1
    begin(s)


@rule
def assume_hand(v, me, move, guess, s):
    """Give my hand in `s` cards that I could have thought of when the move had been made, by a guess."""
    kind, value, touched = NONE, NONE, 0
    action = np.int64(v.log_action[move])
    if action >= HINT:
        target, kind, value = hint_parts(action)
        touched = np.int64(v.log_touched[move])
        if target != me:
            kind = NONE
    counts = np.zeros(CARDS, np.int64)
    count_unseen(s, me, me, counts)
    for slot in range(held(s, me)):
        total, some = 0, NONE
        for card in range(CARDS):
            if fits_slot(s, me, slot, card, kind, value, touched):
                total += max(counts[card], 0)
                some = card
        skip = (31 * move + 17 * slot + 13 * guess + 7) % max(total, 1)
        for card in range(CARDS):
            if total > 0 and fits_slot(s, me, slot, card, kind, value, touched):
                skip -= max(counts[card], 0)
                if skip < 0:
                    some = card
                    break
        s.hands[me, slot] = some
        counts[some] -= 1


@rule
def fits_slot(s, me, slot, card, kind, value, touched):
    """Whether a card of mine can be this one, by the hints before and by the one that follows, if any does."""
    if not can_be(s, me, slot, card):
        return False
    if kind == NONE:
        return True
    named = card // RANKS == value if kind == COLOUR else card % RANKS == value
    return named == ((touched >> slot) & 1 == 1)


# --- what a kind does -----------------------------------------------------------------------------


@rule
def move_by_trust(v, seat, parameters):
    memory = allocate(RECORD, 1)
    copy(memory[0], EMPTY_RECORD[0])
    action, _ = decide_by_trust(v, seat, memory[0], parameters)
    return action if len(memory) > 0 else 0  # the array must outlive its element


@rule
def move_as_hat(v, seat):
    memory = allocate(HAT_MEMORY, 1)
    copy(memory[0], EMPTY_HAT[0])
    action, _ = decide_as_hat(v, seat, memory[0])
    return action if len(memory) > 0 else 0


@rule
def move_as_pair(v, seat, actions):
    memory = allocate(PAIR_MEMORY, 1)
    copy(memory[0], EMPTY_PAIR[0])
    action, _ = choose_as_pair(v, seat, actions, memory[0])
    return action if len(memory) > 0 else 0


@rule
def move_as(kind, v, seat, actions, parameters, rng):
    """What a player of this kind does."""
    action = actions[len(actions) - 1]
    if kind == SIMPLE:
        action, _ = choose_simply(v, seat, actions, False, rng)
    elif kind == DISTRUSTFUL:
        action, _ = decide_by_proof(v, seat, parameters.distrustful)
    elif kind == TRUSTFUL:
        action = move_by_trust(v, seat, parameters.trustful)
    elif kind == HAT:
        action = move_as_hat(v, seat)
    elif kind == PAIR:
        action = move_as_pair(v, seat, actions)
    else:
        choice = np.zeros(CHOICE, np.int64)
        choose_as_learned(v, seat, parameters.table2 if kind == REINFORCED2 else parameters.table4, choice)
        action = action_of(choice)
    for i in range(len(actions)):
        if actions[i] == action:
            return np.int64(action)
    return actions[len(actions) - 1]


# --- who the others are ---------------------------------------------------------------------------


@rule
def sort_of(action):
    return 0 if action < DISCARD else 1 if action < HINT else 2


@rule
def hints_among(actions):
    n = 0
    for i in range(len(actions)):
        n += 1 if actions[i] >= HINT else 0
    return n


@rule
def chance_by_lot(view, seat, action, actions):
    """The probability of a move if the player moves at random: first the sort of the move is drawn, then the move."""
    if action < DISCARD and (safe_slots(view, seat) >> action) & 1 == 0:
        return UNSAFE
    sorts = possible_sorts(view, seat)
    drawn = 1.0 / max(1, (sorts & 1) + (sorts >> 1 & 1) + (sorts >> 2 & 1))
    return drawn / (hints_among(actions) if action >= HINT else held(view, seat))


@rule
def chance_of(kind, made, action, actions):
    """How likely a kind makes a move if it makes `made` in the view that is imagined.

    What a hat or a pair says in a hint rests on my hand too, and what they know on what was said before: so it counts
    for them that they hint, or play, or discard, and little what.
    """
    if made == action and (kind < HAT or action < HINT):
        return HIT
    if kind < HAT or sort_of(made) != sort_of(action):
        return (1.0 - HIT) / OTHERS
    return HIT / max(1, hints_among(actions)) if action >= HINT else SAME_SORT


@rule
def move_likelihood(view, seat, action, actions, parameters, chances):
    """Add to the chances how likely each kind makes a move of a seat in the view that it had."""
    own = np.full(1, np.uint64(1 + view.moves_made))
    for kind in range(KINDS):
        if kind == BY_LOT:
            chances[kind] += chance_by_lot(view, seat, action, actions)
        else:
            made = move_as(kind, view, seat, actions, parameters, own)
            chances[kind] += chance_of(kind, made, action, actions)


@rule
def update_likelihoods(v, me, memory, parameters):
    """Take all moves of the others into account that are new."""
    if memory.done > v.moves_made:
        copy(memory, EMPTY[0])
    if memory.done == v.moves_made:
        return
    drawn = np.full((SEATS, MOST_DRAWS), NONE, np.int64)
    write_cards(v, me, drawn)
    now, then, views = allocate(STATE, 1), allocate(STATE, 1), allocate(VIEW, 1)
    first_state(v, drawn, now[0])
    actions, nothing, chances = np.zeros(60, np.int64), np.zeros(1, np.uint64), np.zeros(KINDS)
    for move in range(np.int64(v.moves_made)):
        seat, action = np.int64(v.log_actor[move]), np.int64(v.log_action[move])
        if move >= memory.done and seat != me:
            guesses = GUESSES if action >= HINT and (action - HINT) // 10 == me else 1
            chances[:] = 0.0
            for guess in range(guesses):
                copy(then[0], now[0])
                assume_hand(v, me, move, guess, then[0])
                observe(then[0], seat, views[0])
                count = legal(then[0], actions)
                move_likelihood(views[0], seat, action, actions[:count], parameters, chances)
            add_likelihood(memory, seat, chances, guesses)
        play(now[0], action, nothing)
    memory.done = (
        np.int64(v.moves_made) if len(now) + len(then) + len(views) > 0 else 0
    )  # they outlive their elements


@rule
def add_likelihood(memory, seat, chances, guesses):
    """Add the log likelihood of a move of a seat under each kind of player."""
    memory.moves_seen[seat] += 1
    for kind in range(KINDS):
        memory.log_likelihood[seat, kind] += np.log(chances[kind] / guesses)
        if chances[kind] / guesses >= FITTING:
            memory.hits[seat, kind] += 1


@rule
def posterior(memory, seat, chances):
    """The posterior probability of each kind of player for a seat; before the first move all are equally likely."""
    most = memory.log_likelihood[seat, 0]
    for kind in range(1, KINDS):
        most = max(most, memory.log_likelihood[seat, kind])
    total = 0.0
    for kind in range(KINDS):
        chances[kind] = np.exp(memory.log_likelihood[seat, kind] - most)
        total += chances[kind]
    for kind in range(KINDS):
        chances[kind] /= total


@rule
def best_kind(v, me, memory, values):
    """The kind that is expected to do best in this company."""
    worth, chances = np.zeros(PLAYED), np.zeros(KINDS)
    for seat in range(np.int64(v.players)):
        if seat != me:
            posterior(memory, seat, chances)
            for mine in range(PLAYED):
                for kind in range(KINDS):
                    worth[mine] += chances[kind] * values[mine, kind]
    best = 0
    for kind in range(1, PLAYED):
        if worth[kind] > worth[best]:
            best = kind
    return best


@rule
def unsure(v, me, memory):
    """Whether it has moved little and does not know yet whether somebody reads numbers in hints."""
    mine, chances = 0, np.zeros(KINDS)
    for move in range(np.int64(v.moves_made)):
        mine += 1 if v.log_actor[move] == me else 0
    if mine >= PATIENCE:
        return False
    for seat in range(np.int64(v.players)):
        if seat != me:
            posterior(memory, seat, chances)
            if chances[HAT] + chances[PAIR] > CLEAR and chances[HAT] < 1.0 - CLEAR and chances[PAIR] < 1.0 - CLEAR:
                return True
    return False


def known(game: Game) -> dict[str, Any]:
    """The parameters of distrustful and of trustful, the tables of the two that have learned, and VALUES."""
    return {
        "distrustful": usual_parameters(distrustful, game),
        "trustful": usual_parameters(trustful, game),
        "table2": learned(game, 2),
        "table4": learned(game, 4),
        "values": np.array(VALUES["lenient" if game.options["discard_at_8"] else "strict", min(game.players, 3)]),
    }


def usual_parameters(of: Policy, game: Game) -> Any:
    """The same record of parameters that an agent of this kind has by default, so that its compiled code is used here
    too."""
    return of.parameters(game, {name: setting.default for name, setting in of.settings.items()})


@policy(Text("recognises how the others play, and suits itself to them"), memory=MEMORY, knowledge=known, heavy=True)
def adaptive(view, seat, actions, memory, parameters, rng):
    update_likelihoods(view, seat, memory, parameters)
    if not unsure(view, seat, memory):
        kind = best_kind(view, seat, memory, parameters.values)
    elif begins_as_pair(view):
        kind = PAIR
    elif can_discard(view):
        return DISCARD
    else:
        kind = best_kind(view, seat, memory, parameters.values)
    return move_as(kind, view, seat, actions, parameters, rng)


@rule
def begins_as_pair(v):
    """Whether it moves as a pair would while it is unsure: with one partner, where the first move has to be a hint.

    A pair loses its lives by hints that are not by its code. Hints by that code cost the other kinds a point at most,
    but for hats, which are made for three players and more.
    """
    return v.players == 2 and v.discard_at_8 == 0


# --- the reasons ----------------------------------------------------------------------------------

POLICIES: tuple[Policy, ...] = (simple_distrustful, distrustful, trustful, reinforced2, reinforced4, hat, pair)


@adaptive.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    """Whom it takes the others for, and the reasons of the kind that it plays as."""
    v, me = view.record, view.seat
    memory = new_records(MEMORY, 1)[0]
    actions = np.array(view.legal_actions(), np.int64)
    adaptive.rule(v, me, actions, memory, parameters, view.stream())  # what it remembers is how it judges the others
    undecided = unsure(v, me, memory)
    kind = int(best_kind(v, me, memory, parameters.values))
    first = Text("In this company it plays as {agent} would.", agent=POLICIES[kind].name)
    if undecided and begins_as_pair(v):
        kind = PAIR
        first = Text(
            "It does not know its partner yet. A pair would be misled most easily, so it plays as {agent} would.",
            agent=POLICIES[kind].name,
        )
    elif undecided and can_discard(v):
        given_up = Text("It gives up card {n}, its oldest.", n=action - DISCARD + 1)
        return [Text("It does not know the others yet: a discard misleads nobody, as a hint might."), given_up]
    others = [seat for seat in range(v.players) if seat != me]
    sentences = [about(memory, seat) for seat in others]
    of = {
        DISTRUSTFUL: parameters.distrustful,
        TRUSTFUL: parameters.trustful,
        REINFORCED2: SimpleNamespace(table=parameters.table2),
        REINFORCED4: SimpleNamespace(table=parameters.table4),
    }
    explain = POLICIES[kind].explanation
    assert explain is not None
    more = explain(view, action, of.get(kind, parameters))
    why = more if isinstance(more, list) else more.reasons
    return [first, *sentences, *why]


def about(memory: np.record, seat: int) -> str:
    """Whom a seat is taken for."""
    if memory.moves_seen[seat] == 0:
        return Text("{who:C} has not moved yet: it may be anybody.", who=Seat(seat))
    chances = np.zeros(KINDS)
    posterior(memory, seat, chances)
    kind = int(chances.argmax())
    if kind == BY_LOT:
        return Text(
            "{who:C} seems to move by lot: no kind that it knows makes such moves ({chance:.0%}).",
            who=Seat(seat),
            chance=chances[kind],
        )
    return Text(
        "{who:C} plays most like {agent}, who would have made {made} of {all} of its moves ({chance:.0%}).",
        who=Seat(seat),
        agent=POLICIES[kind].name,
        made=int(memory.hits[seat, kind]),
        all=int(memory.moves_seen[seat]),
        chance=chances[kind],
    )
