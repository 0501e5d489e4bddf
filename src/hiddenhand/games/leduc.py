"""Leduc hold'em: two rounds of betting, one public card in between. Small, but poker.

The deck has six cards: J, Q, K in two suits. Each of two players puts one chip into the pot and gets one
card. Seat 0 begins both rounds of betting. A player facing a bet folds, calls or raises; otherwise the player
checks or bets. Bets and raises are of 2 chips in the first round and of 4 in the second, at most two of them
a round. After the first round a card is laid open. In the end a pair with the open card wins, otherwise the
higher rank; equal ranks share the pot. Invented by F. Southey and others, "Bayes' bluff: opponent modelling
in poker" (2005).

An action is FOLD, CALL (check or call) or RAISE (bet or raise). Chance deals to seat 0, to seat 1 and,
between the rounds, the open card; an outcome is a card: card // 2 is its rank, card % 2 its suit.
"""

import numpy as np

from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Card, Picture, amounts, cards, hidden_card, shown_card
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import CHANCE, OVER, below, copy, record_type, rule

FOLD, CALL, RAISE = 0, 1, 2
CARDS = 6
ROUNDS = 2
MOST_RAISES = 2
MOST_MOVES = 4  # in one round: check, bet, raise, call
BETS = (2, 4)
PAIR = 3  # a pair with any rank beats every rank without one
RANKS = CARDS // 2
ENCODED = 2 * RANKS + 1 + ROUNDS * MOST_MOVES * 3
NONE = -1

STATE = record_type(
    [
        ("cards", "i1", (2,)),
        ("open", "i1"),
        ("paid", "i1", (2,)),
        ("moves", "i1", (ROUNDS, MOST_MOVES)),
        ("made", "i1", (ROUNDS,)),  # how many moves in each round
        ("street", "i1"),  # the present round, 0 or 1 ("round" would hide a method of NumPy's records)
        ("raises", "i1"),  # in this round
        ("over", "i1"),
    ]
)
VIEW = record_type(
    [
        ("card", "i1"),  # mine, or NONE before it is dealt
        ("shown", "i1"),  # the other's, once the cards are shown
        ("open", "i1"),
        ("dealt", "i1"),  # how many cards the players hold
        ("paid", "i1", (2,)),
        ("moves", "i1", (ROUNDS, MOST_MOVES)),
        ("made", "i1", (ROUNDS,)),
        ("street", "i1"),
        ("raises", "i1"),
        ("over", "i1"),
    ]
)


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    for seat in range(2):
        s.cards[seat] = NONE
        s.paid[seat] = 1
    for i in range(ROUNDS):
        s.made[i] = 0
        for j in range(MOST_MOVES):
            s.moves[i, j] = NONE
    s.open = NONE
    s.street = 0
    s.raises = 0
    s.over = 0


@rule
def dealing(s):
    return s.cards[1] == NONE or (s.street == 1 and s.open == NONE)


@rule
def turn(s):
    if s.over != 0:
        return OVER
    if dealing(s):
        return CHANCE
    return np.int64(s.made[s.street] % 2)


@rule
def to_call(s):
    """Whether the mover faces a bet."""
    return s.paid[0] != s.paid[1]


@rule
def legal(s, out):
    n = 0
    if dealing(s):
        for card in range(CARDS):
            if card != s.cards[0] and card != s.cards[1]:
                out[n] = card
                n += 1
        return n
    if to_call(s):
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    if s.raises < MOST_RAISES:
        out[n] = RAISE
        n += 1
    return n


@rule
def odds(s, out):
    n = CARDS
    for seat in range(2):
        if s.cards[seat] != NONE:
            n -= 1
    share = 1.0 / n
    for i in range(n):
        out[i] = share


@rule
def play(s, action, rng):
    if s.cards[0] == NONE:
        s.cards[0] = action
    elif s.cards[1] == NONE:
        s.cards[1] = action
    elif dealing(s):
        s.open = action
    else:
        bet_or_fold(s, action)


@rule
def bet_or_fold(s, action):
    number = s.made[s.street]
    me = number % 2
    # a call ends the round; so does a check, unless it is the first
    ends = action == CALL and (number > 0 or to_call(s))
    s.moves[s.street, number] = action
    s.made[s.street] += 1
    if action == FOLD:
        s.over = 1
    elif action == CALL:
        s.paid[me] = s.paid[1 - me]
    else:
        s.paid[me] = s.paid[1 - me] + BETS[s.street]
        s.raises += 1
    if ends and s.street == 1:
        s.over = 1
    elif ends:
        s.street = 1
        s.raises = 0


@rule
def folded(s):
    """Whether the game ended with a fold."""
    return s.over != 0 and s.moves[s.street, s.made[s.street] - 1] == FOLD


@rule
def strength(s, seat):
    rank = s.cards[seat] // 2
    if s.open != NONE and s.open // 2 == rank:
        return rank + PAIR
    return rank


@rule
def payoff(s, out):
    lead = strength(s, 0) - strength(s, 1)
    if folded(s):
        lead = -1 if s.made[s.street] % 2 == 1 else 1  # whoever moved last gave up
    out[0] = 0.0
    if lead > 0:
        out[0] = np.float64(s.paid[1])
    elif lead < 0:
        out[0] = -np.float64(s.paid[0])
    out[1] = 0.0 - out[0]  # which is 0.0, not -0.0, when the pot is shared


@rule
def observe(s, seat, view):
    view.card = s.cards[seat]
    view.shown = s.cards[1 - seat] if s.over != 0 and not folded(s) else NONE
    view.open = s.open
    view.street = s.street
    view.raises = s.raises
    view.over = s.over
    view.dealt = 0
    for i in range(2):
        view.paid[i] = s.paid[i]
        if s.cards[i] != NONE:
            view.dealt += 1
    for i in range(ROUNDS):
        view.made[i] = s.made[i]
        for j in range(MOST_MOVES):
            view.moves[i, j] = s.moves[i, j]


@rule
def worlds(s, seat):
    """The other's card, if it has one and has not shown it, is any card that I do not see."""
    if s.cards[1 - seat] == NONE or (s.over != 0 and not folded(s)):
        return 1
    unseen = 0
    for card in range(CARDS):
        if card != s.cards[seat] and card != s.open:
            unseen += 1
    return unseen


@rule
def world(s, seat, number, rng):
    if worlds(s, seat) > 1:
        skip = number
        for card in range(CARDS):
            if card != s.cards[seat] and card != s.open:
                if skip == 0:
                    s.cards[1 - seat] = card
                    break
                skip -= 1
    return 1.0


@rule
def redeal(s, seat, rng):
    world(s, seat, below(rng, worlds(s, seat)), rng)


@rule
def rewind(s, first, actions):
    copy(first, s)
    begin(first)
    n = 0
    for seat in range(2):
        if s.cards[seat] != NONE:
            actions[n] = s.cards[seat]
            n += 1
    for i in range(ROUNDS):
        if i == 1 and s.open != NONE:
            actions[n] = s.open
            n += 1
        for j in range(s.made[i]):
            actions[n] = s.moves[i, j]
            n += 1
    return n


@rule
def evaluate(s, out):
    """The stronger hand wins a part of what both have paid."""
    out[0] = 0.0
    if s.cards[1] != NONE:
        lead = strength(s, 0) - strength(s, 1)
        out[0] = lead * min(s.paid[0], s.paid[1]) / (2.0 * PAIR)
    out[1] = -out[0]


@rule
def encode(view, seat, out):
    """Bits: my rank, the open one and whether they are a pair, and for each move which of the three it was."""
    for i in range(len(out)):
        out[i] = 0
    if view.card != NONE:
        out[np.int64(view.card) // 2] = 1
    if view.open != NONE:
        out[RANKS + np.int64(view.open) // 2] = 1
        out[2 * RANKS] = 1 if view.open // 2 == view.card // 2 else 0
    for i in range(ROUNDS):
        for j in range(np.int64(view.made[i])):
            out[2 * RANKS + 1 + 3 * (MOST_MOVES * i + j) + np.int64(view.moves[i, j])] = 1


def card_name(card: int) -> str:
    return "JQK"[card // 2] + "sh"[card % 2]


def move_name(move: int, answers_bet: bool) -> str:
    if move == FOLD:
        return Text("fold")
    if answers_bet:
        return Text("call") if move == CALL else Text("raise")
    return Text("check") if move == CALL else Text("bet")


def action_name(s: np.record, action: int) -> str:
    return card_name(action) if dealing(s) else move_name(action, to_call(s))


def heard(s: np.record, action: int, seat: int) -> str:
    """Everybody hears the moves and the open card; only the player who gets another card hears which one it is."""
    if not dealing(s):
        return action_name(s, action)
    if s.cards[1] != NONE:
        return Text("{card} is laid open", card=card_name(action))
    receiver = 0 if s.cards[0] == NONE else 1
    return Text("you get {card}", card=card_name(action)) if seat == receiver else ""


def show(view: np.record, seat: int) -> str:
    mine = Text("not dealt yet") if view.card == NONE else card_name(view.card)
    lines = [Text("your card: {card}", card=mine)]
    if view.open != NONE:
        lines.append(Text("open card: {card}", card=card_name(view.open)))
    for i in range(view.street + 1):
        moves = [int(move) for move in view.moves[i, : view.made[i]]]
        names = [move_name(move, RAISE in moves[:j]) for j, move in enumerate(moves)]
        so_far = Text.joined(" ", names) if names else Text("nothing yet")
        lines.append(Text("round {number}: {moves}", number=i + 1, moves=so_far))
    lines.append(Text("pot: {n}", n=int(view.paid[0]) + int(view.paid[1])))
    if view.shown != NONE:
        lines.append(Text("the other's card: {card}", card=card_name(view.shown)))
    return Text.joined("\n", lines)


def picture(view: np.record, seat: int) -> Picture:
    return hands(view, int(view.card), int(view.shown), seat)


def open_picture(s: np.record, seat: int) -> Picture:
    """Both cards, those of a player who folded too."""
    return hands(s, int(s.cards[seat]), int(s.cards[1 - seat]), seat)


def hands(s: np.record, mine: int, other: int, seat: int) -> Picture:
    """From a view or from the state."""
    laid = [] if s.open == NONE else [face(int(s.open))]
    paid: dict[str, int] = {
        Text("you have paid"): int(s.paid[seat]),
        Text("the other has paid"): int(s.paid[1 - seat]),
    }
    return {
        "other": cards(Text("the other"), [face(other, "other")], 1 - seat),
        "open": cards(Text("the open card"), laid),
        "pot": amounts("", {Text("pot"): int(s.paid[0]) + int(s.paid[1]), **paid}),
        "mine": cards(Text("you"), [face(mine, "mine")], seat),
    }


def face(held: int, name: str = "") -> Card:
    if held == NONE:
        return hidden_card(name)
    return shown_card("JQK"[held // 2], name, suit="♠♥"[held % 2], red=held % 2 == 1)


def facts(s: np.record, seat: int) -> dict[str, str]:
    held = int(s.cards[1 - seat])
    return {} if held == NONE or (s.over and not folded(s)) else {"other": card_name(held)}


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return ("", []) if dealing(s) else (action_name(s, action), [])


def outcome(s: np.record) -> str:
    if folded(s):
        loser = (s.made[s.street] - 1) % 2
        return Text.plural(
            "{who} folded and lost {n} chip; no card was shown",
            "{who} folded and lost {n} chips; no card was shown",
            n=s.paid[loser],
            who=Seat(loser),
        )
    best = max(range(2), key=lambda seat: strength(s, seat))
    mine, other = card_name(s.cards[best]), card_name(s.cards[1 - best])
    if strength(s, best) == strength(s, 1 - best):
        return Text("the cards were shown, {a} and {b} are worth the same, and the pot is shared", a=mine, b=other)
    paid = s.paid[1 - best]
    if strength(s, best) >= PAIR:
        return Text.plural(
            "the cards were shown, and {winner} pairs the open card and beats {loser} for {n} chip",
            "the cards were shown, and {winner} pairs the open card and beats {loser} for {n} chips",
            n=paid,
            winner=mine,
            loser=other,
        )
    return Text.plural(
        "the cards were shown, and {winner} beats {loser} for {n} chip",
        "the cards were shown, and {winner} beats {loser} for {n} chips",
        n=paid,
        winner=mine,
        loser=other,
    )


def refusal(s: np.record, action: int) -> str:
    if action == FOLD and not to_call(s):
        return Text("there is no bet to fold to")
    if action == RAISE and s.raises == MOST_RAISES:
        return Text("there have been two bets and raises in this round, which is the most")
    return ""


GAME = define(
    "leduc",
    title=Text("Leduc hold'em"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, odds, observe, redeal, worlds, world, rewind, evaluate, encode),
    people=(action_name, show, picture, open_picture, facts, verb_and_objects, heard, outcome, refusal),
    hidden=True,
    chance=("outcomes",),
    most_actions=CARDS,
    all_actions=RAISE + 1,
    longest=3 + ROUNDS * MOST_MOVES,
    payoffs=(-13.0, 13.0),
    extras=(
        Encoding(
            ENCODED,
            bits=True,
            groups={
                Text("my card"): range(RANKS),
                Text("the open card"): range(RANKS, 2 * RANKS + 1),
                Text("the first round"): range(2 * RANKS + 1, 2 * RANKS + 1 + 3 * MOST_MOVES),
                Text("the second round"): range(2 * RANKS + 1 + 3 * MOST_MOVES, ENCODED),
            },
        ),
        SearchDefaults(depth=6),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("bets, calls and folds at random")),
                Opponent(
                    Text("Honest"), "pimc:worlds=20", Text("thinks of the cards you may hold, but gives its own away")
                ),
                Opponent(
                    Text("Strong"), "cfr", Text("mixes bluffs and honest bets so that nobody can gain much on it")
                ),
            ),
            champion="cfr",
        ),
    ),
)
