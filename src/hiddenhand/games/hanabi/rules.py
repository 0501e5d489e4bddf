"""The rules of Hanabi, compiled. The package's own text says how cards, slots and actions are numbered."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.kernel import OVER, record_type, rule, shuffle

NONE = -1
SEATS = 5
SLOTS = 5
COLOURS = 5
RANKS = 5
CARDS = COLOURS * RANKS  # different ones
COPIES = np.array([3, 2, 2, 2, 1] * COLOURS)  # of each card
DECK_SIZE = int(COPIES.sum())
HAND_SIZES = (0, 0, 5, 5, 4, 4)  # by the number of players
MOST_HINTS = 8
MOST_LIVES = 3
PERFECT = COLOURS * RANKS
ANY = 31  # a mask of five bits: nothing is known

PLAY, DISCARD, HINT = 0, 5, 10  # the first action of each sort
COLOUR, RANK = 0, 1  # what a hint names

# The longest game. Let D cards be left after the deal. D plays and discards draw them all; each of these but the last
# can win back one token for a hint before the last card is drawn, so at most 8 + (D - 1) hints come before it. After
# it everybody has one turn.
LONGEST = max(2 * (DECK_SIZE - n * HAND_SIZES[n]) + MOST_HINTS - 1 + n for n in range(2, SEATS + 1))
LOG = 128  # room for the moves of a game
assert LONGEST <= LOG

PUBLIC = [
    ("players", "i1"),
    ("hand_size", "i1"),
    ("bomb_zero", "i1"),  # options: 1 if a third bomb costs all points,
    ("empty_hints", "i1"),  # if a hint may touch no card,
    ("discard_at_8", "i1"),  # if one may discard with all tokens there
    ("mover", "i1"),
    ("hints", "i1"),  # tokens left
    ("lives", "i1"),  # left
    ("deck_left", "i1"),
    ("turns_left", "i1"),  # NONE until the last card is drawn
    ("over", "i1"),
    ("bombed", "i1"),  # 1 once the last life is lost
    ("turn_number", "i2"),  # 0 for the first turn
    ("moves_made", "i2"),
    ("piles", "i1", (COLOURS,)),  # the highest rank of each colour that is played
    ("discarded", "i1", (CARDS,)),  # copies of each card that are out of the game, failed plays included
    ("hands", "i1", (SEATS, SLOTS)),  # in a view one's own row is NONE
    ("colours", "u1", (SEATS, SLOTS)),  # what the card can be by the hints its owner got: bit c for colour c;
    ("ranks", "u1", (SEATS, SLOTS)),  # bit r for rank r + 1; both are 0 where there is no card
    ("touched", "i1", (SEATS, SLOTS)),  # by so many hints
    ("told_colour", "i1", (SEATS, SLOTS)),  # 1 if a hint named its colour
    ("told_rank", "i1", (SEATS, SLOTS)),
    ("drawn", "i2", (SEATS, SLOTS)),  # moves made when it came into the hand: 0 for the deal; NONE for no card
    ("log_actor", "i1", (LOG,)),
    ("log_action", "i1", (LOG,)),
    ("log_card", "i1", (LOG,)),  # the card played or discarded, NONE for a hint
    ("log_touched", "u1", (LOG,)),  # bit i if the hint touched the card that was in slot i then
    ("log_success", "i1", (LOG,)),  # 1 for a card played rightly
    ("log_hints", "i1", (LOG,)),  # tokens before the move
]
STATE = record_type(
    [*PUBLIC, ("deck", "i1", (DECK_SIZE,))]
)  # the card at deck_left - 1 is drawn next; NONE behind it
VIEW = record_type(PUBLIC)


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    s.players = options["players"]
    s.hand_size = HAND_SIZES[options["players"]]
    s.bomb_zero = options["bomb"] == "zero"
    s.empty_hints = options["empty_hints"]
    s.discard_at_8 = options["discard_at_8"]


# --- the deal -------------------------------------------------------------------------------------


@rule
def deal(s, rng):
    n = 0
    for card in range(CARDS):
        s.discarded[card] = 0
        for _ in range(COPIES[card]):
            s.deck[n] = card
            n += 1
    shuffle(rng, s.deck, DECK_SIZE)
    begin(s)


@rule
def begin(s):
    """A new game with the deck as it lies: seat 0 draws its hand first, then seat 1, and so on."""
    s.deck_left = DECK_SIZE
    s.mover = 0
    s.hints = MOST_HINTS
    s.lives = MOST_LIVES
    s.turns_left = NONE
    s.over = 0
    s.bombed = 0
    s.turn_number = 0
    s.moves_made = 0
    for colour in range(COLOURS):
        s.piles[colour] = 0
    for card in range(CARDS):
        s.discarded[card] = 0
    for i in range(LOG):
        s.log_actor[i] = NONE
        s.log_action[i] = NONE
        s.log_card[i] = NONE
        s.log_touched[i] = 0
        s.log_success[i] = 0
        s.log_hints[i] = 0
    for seat in range(SEATS):
        for slot in range(SLOTS):
            empty_slot(s, seat, slot)
    for seat in range(s.players):
        for slot in range(s.hand_size):
            draw_card(s, seat, slot, 0)


@rule
def empty_slot(s, seat, slot):
    s.hands[seat, slot] = NONE
    s.colours[seat, slot] = 0
    s.ranks[seat, slot] = 0
    s.touched[seat, slot] = 0
    s.told_colour[seat, slot] = 0
    s.told_rank[seat, slot] = 0
    s.drawn[seat, slot] = NONE


@rule
def draw_card(s, seat, slot, moves):
    """The top card of the deck goes into an empty slot; `moves` is the number of moves made before."""
    s.deck_left -= 1
    s.hands[seat, slot] = s.deck[s.deck_left]
    s.deck[s.deck_left] = NONE
    s.colours[seat, slot] = ANY
    s.ranks[seat, slot] = ANY
    s.drawn[seat, slot] = moves


# --- questions ------------------------------------------------------------------------------------


@rule
def turn(s):
    if s.over != 0:
        return OVER
    return np.int64(s.mover)


@rule
def score(s):
    total = 0
    for colour in range(COLOURS):
        total += np.int64(s.piles[colour])
    return total


@rule
def held(s, seat):
    """How many cards a seat holds. It can be asked of a view too, and of one's own hand."""
    n = 0
    while n < SLOTS and s.colours[seat, n] != 0:
        n += 1
    return n


@rule
def hint_action(target, kind, value):
    """The action that names a colour, or a rank (0 for the ones), to a seat."""
    return HINT + 10 * target + 5 * kind + value


@rule
def hint_parts(action):
    """The seat, the kind (COLOUR or RANK) and the value of a hint."""
    number = action - HINT
    return number // 10, number // 5 % 2, number % 5


@rule
def matches(card, kind, value):
    return card // RANKS == value if kind == COLOUR else card % RANKS == value


@rule
def touches(s, target, kind, value):
    """The slots of a seat that a hint touches, as a mask."""
    mask = 0
    for slot in range(SLOTS):
        card = np.int64(s.hands[target, slot])
        if card != NONE and matches(card, kind, value):
            mask |= 1 << slot
    return mask


@rule
def named_in(s, target):
    """All the hints that touch a card of this seat, as a mask: bit value for colours, bit 5 + value for ranks."""
    mask = 0
    for slot in range(SLOTS):
        card = np.int64(s.hands[target, slot])
        if card != NONE:
            mask |= (1 << (card // RANKS)) | (1 << (COLOURS + card % RANKS))
    return mask


@rule
def legal(s, out):
    me = np.int64(s.mover)
    mine = held(s, me)
    n = 0
    for slot in range(mine):
        out[n] = PLAY + slot
        n += 1
    if s.hints < MOST_HINTS or s.discard_at_8 != 0:
        for slot in range(mine):
            out[n] = DISCARD + slot
            n += 1
    if s.hints > 0:
        for target in range(s.players):
            if target != me:
                allowed = 1023 if s.empty_hints != 0 else named_in(s, target)
                for number in range(COLOURS + RANKS):
                    if allowed >> number & 1:
                        out[n] = HINT + 10 * target + number
                        n += 1
    return n


@rule
def relative(view, action, seat):
    """The same action with the target of a hint counted from the seat on: the next player first, oneself last of
    those at the table."""
    if action < HINT:
        return np.int64(action)
    target, number = (action - HINT) // 10, (action - HINT) % 10
    if target < view.players:
        target = (target - seat - 1) % view.players
    return np.int64(HINT + 10 * target + number)


# --- a move ---------------------------------------------------------------------------------------


@rule
def play(s, action, rng):
    me, move = np.int64(s.mover), np.int64(s.moves_made)
    s.log_actor[move] = me
    s.log_action[move] = action
    s.log_hints[move] = s.hints
    if action >= HINT:
        s.log_touched[move] = give_hint(s, action)
    elif action >= DISCARD:
        card = take_card(s, me, action - DISCARD)
        s.log_card[move] = card
        s.discarded[card] += 1
        win_back_hint(s)
    else:
        card = take_card(s, me, action - PLAY)
        s.log_card[move] = card
        s.log_success[move] = play_card(s, card)
    s.moves_made += 1
    end_turn(s)


@rule
def give_hint(s, action):
    """Tell a seat about its cards: those that match and, by not naming them, the others. The slots touched."""
    target, kind, value = hint_parts(action)
    s.hints -= 1
    touched = 0
    named, others = 1 << value, ANY ^ (1 << value)
    for slot in range(held(s, target)):
        hit = matches(np.int64(s.hands[target, slot]), kind, value)
        left = named if hit else others
        if hit:
            touched |= 1 << slot
            s.touched[target, slot] += 1
        if kind == COLOUR:
            s.colours[target, slot] = np.int64(s.colours[target, slot]) & left
            if hit:
                s.told_colour[target, slot] = 1
        else:
            s.ranks[target, slot] = np.int64(s.ranks[target, slot]) & left
            if hit:
                s.told_rank[target, slot] = 1
    return touched


@rule
def take_card(s, seat, slot):
    """Take a card out of a hand; younger cards move up, and a new one is drawn while the deck lasts."""
    card = np.int64(s.hands[seat, slot])
    last = held(s, seat) - 1
    for i in range(slot, last):
        s.hands[seat, i] = s.hands[seat, i + 1]
        s.colours[seat, i] = s.colours[seat, i + 1]
        s.ranks[seat, i] = s.ranks[seat, i + 1]
        s.touched[seat, i] = s.touched[seat, i + 1]
        s.told_colour[seat, i] = s.told_colour[seat, i + 1]
        s.told_rank[seat, i] = s.told_rank[seat, i + 1]
        s.drawn[seat, i] = s.drawn[seat, i + 1]
    empty_slot(s, seat, last)
    if s.deck_left > 0:
        draw_card(s, seat, last, s.moves_made + 1)
    return card


@rule
def play_card(s, card):
    """Put a card on its pile, if it is the next one there: 1; otherwise a life is lost: 0."""
    colour, rank = card // RANKS, card % RANKS
    if s.piles[colour] != rank:
        s.discarded[card] += 1
        s.lives -= 1
        return 0
    s.piles[colour] += 1
    if s.piles[colour] == RANKS:
        win_back_hint(s)
    return 1


@rule
def win_back_hint(s):
    if s.hints < MOST_HINTS:
        s.hints += 1


@rule
def end_turn(s):
    s.turn_number += 1
    s.mover = (s.mover + 1) % s.players
    if s.turns_left != NONE:
        s.turns_left -= 1
    elif s.deck_left == 0:
        s.turns_left = s.players  # the last card was drawn just now
    if s.lives == 0:
        s.bombed = 1
    if s.bombed != 0 or s.turns_left == 0 or score(s) == PERFECT:
        s.over = 1


# --- the end --------------------------------------------------------------------------------------


@rule
def points(s):
    """What the game would count if it ended now."""
    if s.bombed != 0 and s.bomb_zero != 0:
        return 0
    return score(s)


@rule
def payoff(s, out):
    for seat in range(s.players):
        out[seat] = np.float64(points(s))


@rule
def measure(s, out):
    out[0] = 1.0 if score(s) == PERFECT else 0.0
    out[1] = np.float64(s.bombed)
    out[2] = np.float64(s.turn_number)


@rule
def highest(s, colour):
    """The highest rank that this pile can still reach."""
    rank = np.int64(s.piles[colour])
    while rank < RANKS and s.discarded[colour * RANKS + rank] < COPIES[rank]:
        rank += 1
    return rank


@rule
def reachable(s):
    """The highest score that the discarded cards still allow."""
    total = 0
    for colour in range(COLOURS):
        total += highest(s, colour)
    return total


@rule
def evaluate(s, out):
    """The cards on the piles, whatever a third bomb makes of them."""
    for seat in range(s.players):
        out[seat] = np.float64(score(s))


def arrange(s: np.record, cards: list[int]) -> None:
    """Deal these cards, the first one drawn first."""
    counts = [cards.count(card) for card in range(CARDS)]
    if len(cards) != DECK_SIZE or counts != COPIES.tolist():
        raise UserError("a Hanabi deck has 50 cards: of each colour three 1s, two 2s, 3s and 4s, and one 5")
    s.deck[:] = cards[::-1]
    begin(s)
