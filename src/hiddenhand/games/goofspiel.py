"""Goofspiel: both bid a card for each prize at the same time, and only who won it is told.

Each of two players holds the cards 1, 2, 3 and so on, and prizes of the same values come up one after the other:
the highest first, the lowest first, or shuffled (the option `order`). For each prize both choose one of their cards
in secret. The higher card wins the prize; of two equal cards neither does. Then the cards are put away unseen: both
are told who has won, and nothing else. The last card of each is played by itself. Whoever has more points in the end
wins. It is also called the game of pure strategy.

Bids are simultaneous: seat 0 commits itself first, and seat 1 does so without knowing to what. An action is a card,
less one; so is an outcome of chance, which chooses the prizes where they are shuffled.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults, Simultaneous
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, amounts, cards, hidden_card, note, shown_card
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import CHANCE, OVER, copy, count_bits, lowest_bit, record_type, rule, uniform

MOST = 13
NONE = -1
NOBODY = 2
"""Who has won a prize for which the bids were equal."""
ORDERS = ("descending", "ascending", "random")
DESCENDING, ASCENDING, RANDOM = range(3)

PUBLIC = [
    ("count", "i1"),  # of each player's cards
    ("order", "i1"),
    ("made", "i1"),  # how many prizes have been bid for
    ("prizes", "i1", (MOST,)),  # in order; then NONE
    ("winners", "i1", (MOST,)),  # of each prize: a seat or NOBODY; then NONE
    ("points", "i1", (2,)),
]
STATE = record_type([*PUBLIC, ("bids", "i1", (2, MOST))])
VIEW = record_type([*PUBLIC, ("mover", "i1"), ("bids", "i1", (MOST,))])


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    s.count = options["cards"]
    s.order = ORDERS.index(options["order"])


def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
    """Chance has a part where prizes are shuffled; learners see as much as there is."""
    n = options["cards"]
    groups: dict[str, range] = {
        Text("my bids"): range(n * n),
        Text("the prizes"): range(n * n, 2 * n * n),
        Text("who won them"): range(2 * n * n, 2 * n * n + 3 * n),
    }
    return {
        "chance": ("outcomes",) if options["order"] == ORDERS[RANDOM] else (),
        "extras": (Encoding(2 * n * n + 3 * n, bits=True, groups=groups),),
    }


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    s.made = 0
    for i in range(MOST):
        s.prizes[i] = NONE
        s.winners[i] = NONE
        for seat in range(2):
            s.bids[seat, i] = NONE
    for seat in range(2):
        s.points[seat] = 0
    show_prize(s)


@rule
def show_prize(s):
    """The next prize, where the order tells it."""
    if s.order == DESCENDING:
        s.prizes[s.made] = s.count - 1 - s.made
    elif s.order == ASCENDING:
        s.prizes[s.made] = s.made
    elif s.made == s.count - 1:
        s.prizes[s.made] = lowest_bit(left(s, s.prizes))


@rule
def left(s, played):
    """The cards that are not in this list, as a set of bits."""
    cards = (1 << np.int64(s.count)) - 1
    for i in range(s.count):
        if played[i] != NONE:
            cards &= ~(1 << np.int64(played[i]))
    return cards


@rule
def turn(s):
    if s.made == s.count:
        return OVER
    if s.prizes[s.made] == NONE:
        return CHANCE
    return np.int64(0 if s.bids[0, s.made] == NONE else 1)


@rule
def legal(s, out):
    mover = turn(s)
    cards = left(s, s.prizes) if mover == CHANCE else left(s, s.bids[mover])
    n = 0
    for card in range(s.count):
        if cards >> card & 1:
            out[n] = card
            n += 1
    return n


@rule
def odds(s, out):
    n = count_bits(left(s, s.prizes))
    for i in range(n):
        out[i] = 1.0 / n


@rule
def play(s, action, rng):
    mover = turn(s)
    if mover == CHANCE:
        s.prizes[s.made] = action
        return
    s.bids[mover, s.made] = action
    if mover == 1:
        award(s)
        if s.made == s.count - 1:  # the last cards are played by themselves
            for seat in range(2):
                s.bids[seat, s.made] = lowest_bit(left(s, s.bids[seat]))
            award(s)


@rule
def award(s):
    """Both have bid: whoever bid more has the prize, and the next one comes up."""
    winner = compared(s.bids[0, s.made], s.bids[1, s.made])
    s.winners[s.made] = winner
    if winner != NOBODY:
        s.points[winner] += s.prizes[s.made] + 1
    s.made += 1
    if s.made < s.count:
        show_prize(s)


@rule
def compared(first, second):
    """Who wins with these bids of seats 0 and 1."""
    if first == second:
        return NOBODY
    return 0 if first > second else 1


@rule
def payoff(s, out):
    out[0] = np.float64(np.sign(np.int64(s.points[0]) - np.int64(s.points[1])))
    out[1] = 0.0 - out[0]


@rule
def observe(s, seat, view):
    view.count = s.count
    view.order = s.order
    view.made = s.made
    view.mover = turn(s)
    for i in range(MOST):
        view.prizes[i] = s.prizes[i]
        view.winners[i] = s.winners[i]
        view.bids[i] = s.bids[seat, i]
    for each in range(2):
        view.points[each] = s.points[each]


@rule
def bids_made(s, seat):
    return s.made + (1 if s.made < s.count and s.bids[seat, s.made] != NONE else 0)


@rule
def count_orders(s, seat, orders):
    """In how many orders the other of `seat` can have played its cards; returns the number.

    `orders[played]` is how many ways there are to go on from this set of them.
    """
    length = bids_made(s, 1 - seat)
    for played in range(len(orders) - 1, -1, -1):
        number = count_bits(played)
        orders[played] = 1 if number == length else 0
        if number < length:
            for card in range(s.count):
                if played >> card & 1 == 0 and explains(s, seat, number, card):
                    orders[played] += orders[played | 1 << card]
    return orders[0]


@rule
def explains(s, seat, number, card):
    """Whether this card of the other explains who won the prize of this number."""
    if s.winners[number] == NONE:
        return True
    mine = s.bids[seat, number]
    return s.winners[number] == (compared(mine, card) if seat == 0 else compared(card, mine))


@rule
def worlds(s, seat):
    return count_orders(s, seat, np.zeros(1 << np.int64(s.count), np.int64))


@rule
def world(s, seat, number, rng):
    orders = np.zeros(1 << np.int64(s.count), np.int64)
    count_orders(s, seat, orders)
    played = 0
    for i in range(bids_made(s, 1 - seat)):
        for card in range(s.count):
            if played >> card & 1 == 0 and explains(s, seat, i, card):
                ways = orders[played | 1 << card]
                if number < ways:
                    s.bids[1 - seat, i] = card
                    played |= 1 << card
                    break
                number -= ways
    return 1.0


@rule
def redeal(s, seat, rng):
    """Card by card, each with the share of the orders that it leaves: there may be more than `below` can number."""
    orders = np.zeros(1 << np.int64(s.count), np.int64)
    count_orders(s, seat, orders)
    played = 0
    for i in range(bids_made(s, 1 - seat)):
        point = uniform(rng) * orders[played]
        for card in range(s.count):
            if played >> card & 1 == 0 and explains(s, seat, i, card):
                ways = orders[played | 1 << card]
                if ways > 0:
                    s.bids[1 - seat, i] = card
                    if point < ways:
                        break
                    point -= ways
        played |= 1 << np.int64(s.bids[1 - seat, i])


@rule
def rewind(s, first, actions):
    copy(first, s)
    begin(first)
    n = 0
    for i in range(s.count - 1):
        if s.order == RANDOM and s.prizes[i] != NONE:
            actions[n] = s.prizes[i]
            n += 1
        for seat in range(2):
            if s.bids[seat, i] != NONE:
                actions[n] = s.bids[seat, i]
                n += 1
    return n


@rule
def evaluate(s, out):
    """The difference in points, as a share of all there are."""
    points = s.count * (s.count + 1) / 2.0
    out[0] = (np.int64(s.points[0]) - np.int64(s.points[1])) / points
    out[1] = 0.0 - out[0]


@rule
def encode(view, seat, out):
    """Bits: for each prize what I bid, what it was, and whether I won it, the other did, or nobody."""
    count = np.int64(view.count)
    for i in range(len(out)):
        out[i] = 0
    for i in range(count):
        if view.bids[i] != NONE:
            out[count * i + np.int64(view.bids[i])] = 1
        if view.prizes[i] != NONE:
            out[count * (count + i) + np.int64(view.prizes[i])] = 1
        if view.winners[i] != NONE:
            winner = np.int64(view.winners[i])
            out[2 * count * count + 3 * i + (winner if winner == NOBODY else (winner + seat) % 2)] = 1


def action_name(s: np.record, action: int) -> str:
    return str(action + 1)


def heard(s: np.record, action: int, seat: int) -> str:
    """Everybody sees the prizes; only the bidder knows the bid."""
    if turn(s) == CHANCE:
        return Text("the prize is {n}", n=action + 1)
    return str(action + 1) if seat == turn(s) else ""


def news(before: np.record, after: np.record, seat: int) -> list[str]:
    told: list[str] = []
    for i in range(before.made, after.made):
        prize = int(after.prizes[i]) + 1
        if after.winners[i] == NOBODY:
            told.append(Text("the bids for {n} were equal", n=prize))
        else:
            told.append(Text("{who} wins {n}", who=Seat(int(after.winners[i])), n=prize))
    return told


def show(view: np.record, seat: int) -> str:
    sign = {seat: "+", 1 - seat: "-", NOBODY: "="}
    done = [f"{view.bids[i] + 1}{sign[int(view.winners[i])]}{view.prizes[i] + 1}" for i in range(view.made)]
    lines = [
        Text("your cards: {cards}", cards=" ".join(map(str, hand_of(view, view.bids))) or Text("none")),
        Text(
            "your bids, won (+) or lost (-) or equal (=), and the prizes: {bids}", bids=" ".join(done) or Text("none")
        ),
        Text(
            "points: you {mine}, the other {theirs}", mine=int(view.points[seat]), theirs=int(view.points[1 - seat])
        ),
    ]
    if view.made < view.count and view.prizes[view.made] != NONE:
        lines.append(Text("the prize is {n}", n=int(view.prizes[view.made]) + 1))
    return Text.joined("\n", lines)


def hand_of(s: np.record, bids: np.ndarray) -> list[int]:
    """The cards that somebody has not played, from a view or from the state."""
    return [card + 1 for card in range(s.count) if card not in bids[: s.count]]


def picture(view: np.record, seat: int) -> Picture:
    other = int(view.count) - int(view.made) - (view.made < view.count and seat == 1 and view.mover == 1)
    return {
        "other": cards(Text("the other"), [hidden_card() for _ in range(other)], 1 - seat),
        **table_of(view, seat),
        "mine": cards(Text("your cards"), [shown_card(str(n), str(n)) for n in hand_of(view, view.bids)], seat),
    }


def open_picture(s: np.record, seat: int) -> Picture:
    """The bids of both."""
    said = [" ".join(str(bid + 1) for bid in s.bids[each] if bid != NONE) for each in (seat, 1 - seat)]
    return {
        **table_of(s, seat),
        "bids": note(Text("you bid {mine}; the other bid {theirs}", mine=said[0], theirs=said[1])),
    }


def table_of(s: np.record, seat: int) -> Picture:
    """From a view or from the state."""
    prize = [shown_card(str(s.prizes[s.made] + 1))] if s.made < s.count and s.prizes[s.made] != NONE else []
    points: dict[str, int] = {Text("you"): int(s.points[seat]), Text("the other"): int(s.points[1 - seat])}
    return {"prize": cards(Text("the prize"), prize), "points": amounts(Text("points"), points)}


def facts(s: np.record, seat: int) -> dict[str, str]:
    return {f"bid {i + 1}": str(bid + 1) for i, bid in enumerate(s.bids[1 - seat]) if bid != NONE}


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return (Text("bid"), [str(action + 1)]) if seat == turn(s) else ("", [])


def outcome(s: np.record) -> str:
    ahead = int(s.points[0] < s.points[1])
    points = {"n": int(s.points[ahead]), "m": int(s.points[1 - ahead])}
    if points["n"] == points["m"]:
        return Text("the points are equal, {n} to {m}", **points)
    return Text("{who} wins with {n} points to {m}", who=Seat(ahead), **points)


def refusal(s: np.record, action: int) -> str:
    return "" if action + 1 in hand_of(s, s.bids[turn(s)]) else Text("you do not hold that card")


GAME = define(
    "goofspiel",
    title=Text("Goofspiel"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, odds, observe, redeal, worlds, world, rewind, evaluate, encode),
    people=(
        action_name,
        show,
        picture,
        open_picture,
        facts,
        verb_and_objects,
        configure,
        adapt,
        heard,
        news,
        outcome,
        refusal,
    ),
    hidden=True,
    most_actions=MOST,
    all_actions=MOST,
    longest=3 * MOST,
    options={
        "cards": Setting(5, Text("how many cards each player has"), low=3, high=MOST),
        "order": Setting(ORDERS[0], Text("how the prizes come up"), choices=ORDERS),
    },
    extras=(
        Encoding(65, bits=True),
        SearchDefaults(depth=6),
        Simultaneous(),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("bids any card")),
                Opponent(
                    Text("Honest"), "pimc:worlds=20", Text("thinks of the cards you may hold, but is predictable")
                ),
                Opponent(Text("Strong"), "ismcts:simulations=3000", Text("plays thousands of games in its head")),
            )
        ),
    ),
)
