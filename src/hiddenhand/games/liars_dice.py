"""Liar's dice: bids on all dice, of which one sees only one's own, until somebody calls the last bid a lie.

Each of two players rolls some dice in secret. Seat 0 begins. A bid says that at least so many of all dice show a
face, "2x5" that at least two show a five; it must be higher than the bid before: more dice of any face, or as many
of a higher face. Instead of bidding a player may say "liar". Then all dice are shown: if the last bid was true, the
player who made it wins, otherwise the one who doubted it. The highest face is wild and counts as every face.

An action is a bid, 6 (quantity - 1) + (face - 1), or LIAR. Chance rolls the dice one after the other, those of seat 0
first; an outcome is a face, less one. A hand is kept in ascending order: which of its dice was rolled first does not
matter to anybody. As each bid is higher than those before, the set of the bids tells their order.
"""

import numpy as np

from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Card, Picture, cards, hidden_card, note, shown_card
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import (
    CHANCE,
    OVER,
    below,
    copy,
    count_bits,
    highest_of,
    lowest_bit,
    record_type,
    rule,
    write_bits,
)

MOST_DICE, MOST_FACES = 3, 6
LIAR = 2 * MOST_DICE * MOST_FACES
NONE = -1

PUBLIC = [
    ("dice", "i1"),  # of each player
    ("faces", "i1"),
    ("rolled", "i1"),  # how many dice
    ("called", "i1"),  # whether the last bid was called a lie
    ("bids", "i8"),  # as a set of bits
]
STATE = record_type([*PUBLIC, ("hands", "i1", (2, MOST_DICE))])
VIEW = record_type(
    [
        *PUBLIC,
        ("hand", "i1", (MOST_DICE,)),  # mine; NONE where no die is, or none has been rolled
        ("shown", "i1", (MOST_DICE,)),  # the other's, once they are shown
    ]
)


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    s.rolled = 0
    s.called = 0
    s.bids = 0
    for seat in range(2):
        for i in range(MOST_DICE):
            s.hands[seat, i] = NONE


@rule
def rolling(s):
    return s.rolled < 2 * s.dice


@rule
def turn(s):
    if rolling(s):
        return CHANCE
    return OVER if s.called != 0 else count_bits(s.bids) % 2


@rule
def last_bid(s):
    """NONE before the first."""
    return lowest_bit(highest_of(s.bids)) if s.bids != 0 else NONE


@rule
def exists(s, bid):
    return bid % MOST_FACES < s.faces and bid // MOST_FACES < 2 * s.dice


@rule
def legal(s, out):
    n = 0
    if rolling(s):
        for face in range(s.faces):
            out[n] = face
            n += 1
        return n
    for bid in range(last_bid(s) + 1, LIAR):
        if exists(s, bid):
            out[n] = bid
            n += 1
    if s.bids != 0:
        out[n] = LIAR
        n += 1
    return n


@rule
def odds(s, out):
    for face in range(s.faces):
        out[face] = 1.0 / s.faces


@rule
def play(s, action, rng):
    if rolling(s):
        put(s.hands[s.rolled // s.dice], s.rolled % s.dice, action)
        s.rolled += 1
    elif action == LIAR:
        s.called = 1
    else:
        s.bids |= 1 << action


@rule
def put(hand, count, face):
    """Put one more die into a hand of so many, which stays in ascending order."""
    while count > 0 and hand[count - 1] > face:
        hand[count] = hand[count - 1]
        count -= 1
    hand[count] = face


@rule
def matching(s, face):
    """How many of all dice count as this face."""
    n = 0
    for seat in range(2):
        for i in range(s.dice):
            if s.hands[seat, i] == face or s.hands[seat, i] == s.faces - 1:
                n += 1
    return n


@rule
def is_true(s, bid):
    return matching(s, bid % MOST_FACES) > bid // MOST_FACES


@rule
def payoff(s, out):
    caller = count_bits(s.bids) % 2
    out[caller] = -1.0 if is_true(s, last_bid(s)) else 1.0
    out[1 - caller] = -out[caller]


@rule
def observe(s, seat, view):
    view.dice = s.dice
    view.faces = s.faces
    view.rolled = s.rolled
    view.called = s.called
    view.bids = s.bids
    for i in range(MOST_DICE):
        view.hand[i] = s.hands[seat, i]
        view.shown[i] = s.hands[1 - seat, i] if s.called != 0 else NONE


@rule
def unknown(s, seat):
    """How many dice there are that the seat does not see."""
    if s.called != 0:
        return np.int64(0)
    return max(np.int64(0), min(np.int64(s.dice), np.int64(s.rolled) - np.int64(s.dice) * (1 - seat)))


@rule
def worlds(s, seat):
    """Every order in which the other's dice can have been rolled."""
    return np.int64(s.faces) ** unknown(s, seat)


@rule
def world(s, seat, number, rng):
    faces = np.int64(s.faces)
    for i in range(unknown(s, seat)):
        put(s.hands[1 - seat], i, number % faces)
        number //= faces
    return 1.0


@rule
def redeal(s, seat, rng):
    world(s, seat, below(rng, worlds(s, seat)), rng)


@rule
def rewind(s, first, actions):
    copy(first, s)
    begin(first)
    n = 0
    for i in range(s.rolled):
        actions[n] = s.hands[i // s.dice, i % s.dice]
        n += 1
    for bid in range(LIAR):
        if s.bids >> bid & 1:
            actions[n] = bid
            n += 1
    if s.called != 0:
        actions[n] = LIAR
        n += 1
    return n


@rule
def evaluate(s, out):
    """Whoever made the last bid is ahead if it is true."""
    out[0] = 0.0
    if not rolling(s) and s.bids != 0:
        bidder = (count_bits(s.bids) - 1) % 2
        out[0] = 0.5 if is_true(s, last_bid(s)) == (bidder == 0) else -0.5
    out[1] = 0.0 - out[0]


@rule
def encode(view, seat, out):
    """A bit for the face of each die, and one for each bid."""
    for i in range(len(out)):
        out[i] = 0
    for i in range(MOST_DICE):
        if view.hand[i] != NONE:
            out[MOST_FACES * i + np.int64(view.hand[i])] = 1
    write_bits(view.bids, LIAR, out, MOST_DICE * MOST_FACES)


def action_name(s: np.record, action: int) -> str:
    if rolling(s):
        return str(action + 1)
    return Text("liar") if action == LIAR else bid_name(action)


def bid_name(bid: int) -> str:
    return f"{bid // MOST_FACES + 1}x{bid % MOST_FACES + 1}"


def heard(s: np.record, action: int, seat: int) -> str:
    """Everybody hears the bids; only the player who rolls a die sees which face it shows."""
    if not rolling(s):
        return action_name(s, action)
    return Text("you roll {face}", face=str(action + 1)) if seat == s.rolled // s.dice else ""


def bids_of(s: np.record) -> list[int]:
    """From a view or from the state."""
    return [bid for bid in range(LIAR) if int(s.bids) >> bid & 1]


def faces_of(hand: np.ndarray) -> str:
    return " ".join(str(face + 1) for face in hand if face != NONE)


def show(view: np.record, seat: int) -> str:
    lines = [
        Text("your dice: {dice}", dice=faces_of(view.hand) or Text("not rolled yet")),
        Text("bids: {bids}", bids=" ".join(map(bid_name, bids_of(view))) or Text("none yet")),
    ]
    if view.called:
        lines.append(Text("the other's dice: {dice}", dice=faces_of(view.shown)))
    return Text.joined("\n", lines)


def picture(view: np.record, seat: int) -> Picture:
    return table_of(view, view.hand, view.shown, seat)


def open_picture(s: np.record, seat: int) -> Picture:
    return table_of(s, s.hands[seat], s.hands[1 - seat], seat)


def table_of(s: np.record, mine: np.ndarray, other: np.ndarray, seat: int) -> Picture:
    """From a view or from the state."""
    bids = " ".join(map(bid_name, bids_of(s))) or Text("none yet")
    return {
        "other": cards(Text("the other's dice"), dice_of(s, other, "other"), 1 - seat),
        "bids": note(Text("bids: {bids}", bids=bids)),
        "mine": cards(Text("your dice"), dice_of(s, mine, "mine"), seat),
    }


def dice_of(s: np.record, hand: np.ndarray, name: str) -> list[Card]:
    return [
        hidden_card(f"{name}{i + 1}", Text("a hidden die"))
        if face == NONE
        else shown_card(str(face + 1), f"{name}{i + 1}")
        for i, face in enumerate(hand[: s.dice])
    ]


def facts(s: np.record, seat: int) -> dict[str, str]:
    if s.called:
        return {}
    return {f"other{i + 1}": str(face + 1) for i, face in enumerate(s.hands[1 - seat]) if face != NONE}


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return ("", []) if rolling(s) else (action_name(s, action), [])


def outcome(s: np.record) -> str:
    bid, count = last_bid(s), int(s.bids).bit_count()
    shown = matching(s, bid % MOST_FACES)
    return Text.plural(
        "the bid was {bid}, and {n} die counts for it: {who} wins",
        "the bid was {bid}, and {n} dice count for it: {who} wins",
        n=int(shown),
        bid=bid_name(bid),
        who=Seat((count - 1) % 2 if is_true(s, bid) else count % 2),
    )


def refusal(s: np.record, action: int) -> str:
    if action == LIAR:
        return "" if s.bids else Text("there is no bid yet that could be a lie")
    if action // MOST_FACES >= 2 * s.dice:
        return Text("there are only {n} dice", n=2 * int(s.dice))
    if action % MOST_FACES >= s.faces:
        return Text("the highest face is {n}", n=int(s.faces))
    if action <= last_bid(s):
        return Text("a bid must be higher than {bid}", bid=bid_name(last_bid(s)))
    return ""


GAME = define(
    "liars_dice",
    title=Text("Liar's dice"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, odds, observe, redeal, worlds, world, rewind, evaluate, encode),
    people=(action_name, show, picture, open_picture, facts, verb_and_objects, heard, outcome, refusal),
    hidden=True,
    chance=("outcomes",),
    most_actions=LIAR + 1,
    all_actions=LIAR + 1,
    longest=2 * MOST_DICE + LIAR + 1,
    options={
        "dice": Setting(1, Text("how many dice each player has"), low=1, high=MOST_DICE),
        "faces": Setting(6, Text("how many faces a die has"), low=2, high=MOST_FACES),
    },
    extras=(
        Encoding(
            MOST_DICE * MOST_FACES + LIAR,
            bits=True,
            groups={
                Text("my dice"): range(MOST_DICE * MOST_FACES),
                Text("the bids so far"): range(MOST_DICE * MOST_FACES, MOST_DICE * MOST_FACES + LIAR),
            },
        ),
        SearchDefaults(depth=6),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("bids and doubts at random")),
                Opponent(Text("Honest"), "pimc:worlds=20", Text("thinks of the dice you may have, but never bluffs")),
                Opponent(Text("Strong"), "ismcts:simulations=3000", Text("plays thousands of games in its head")),
            )
        ),
    ),
)
