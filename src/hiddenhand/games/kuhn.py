"""Kuhn poker: three cards, one bet, and still the weak hand must sometimes bluff.

Each of two players puts one chip into the pot and gets one card of J, Q, K. The players act in turn, seat 0
first. With nothing to answer, a player checks or bets one chip; facing a bet, a player folds or calls it. A
fold gives the pot away unseen; after two checks or a call the cards are shown and the higher one takes the
pot. Best play costs the first player 1/18 of a chip a game: H. W. Kuhn, "A simplified two-person poker"
(1950).

An action is PASS (check or fold) or BET (bet or call). Chance deals the cards one after the other, to seat 0
and then to seat 1; an outcome is a card: 0 is the jack, 1 the queen, 2 the king.
"""

import numpy as np

from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, amounts, cards, hidden_card, shown_card
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import CHANCE, OVER, below, copy, record_type, rule

PASS, BET = 0, 1
CARDS = 3
MOST_MOVES = 3
NONE = -1

STATE = record_type([("cards", "i1", (2,)), ("moves", "i1", (MOST_MOVES,)), ("made", "i1")])
VIEW = record_type(
    [
        ("card", "i1"),  # mine, or NONE before it is dealt
        ("shown", "i1"),  # the other's, once the cards are shown
        ("moves", "i1", (MOST_MOVES,)),
        ("made", "i1"),  # how many moves
        ("dealt", "i1"),  # how many cards
        ("pot", "i1"),
    ]
)


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    for seat in range(2):
        s.cards[seat] = NONE
    for i in range(MOST_MOVES):
        s.moves[i] = NONE
    s.made = 0


@rule
def turn(s):
    if s.cards[1] == NONE:
        return CHANCE
    if is_over(s):
        return OVER
    return np.int64(s.made % 2)


@rule
def is_over(s):
    """After two moves, unless the second was a bet, which the first player may still answer."""
    if s.made == 2:
        return s.moves[0] == BET or s.moves[1] == PASS
    return s.made == 3


@rule
def facing_bet(s):
    return s.made > 0 and s.moves[s.made - 1] == BET


@rule
def legal(s, out):
    if s.cards[1] != NONE:
        out[0] = PASS
        out[1] = BET
        return 2
    n = 0
    for card in range(CARDS):
        if card != s.cards[0]:
            out[n] = card
            n += 1
    return n


@rule
def odds(s, out):
    n = CARDS if s.cards[0] == NONE else CARDS - 1
    for i in range(n):
        out[i] = 1.0 / n


@rule
def play(s, action, rng):
    if s.cards[0] == NONE:
        s.cards[0] = action
    elif s.cards[1] == NONE:
        s.cards[1] = action
    else:
        s.moves[s.made] = action
        s.made += 1


@rule
def folded(s):
    """Whether the game ended with a fold: a pass that answers a bet."""
    return s.moves[s.made - 1] == PASS and s.moves[s.made - 2] == BET


@rule
def payoff(s, out):
    winner = 0 if s.cards[0] > s.cards[1] else 1
    stake = 1.0
    if folded(s):
        winner = s.made % 2  # not the one who moved last
    elif s.moves[s.made - 1] == BET:
        stake = 2.0
    out[winner] = stake
    out[1 - winner] = -stake


@rule
def cards_shown(s):
    return s.cards[1] != NONE and is_over(s) and not folded(s)


@rule
def observe(s, seat, view):
    view.card = s.cards[seat]
    view.shown = s.cards[1 - seat] if cards_shown(s) else NONE
    view.made = s.made
    view.dealt = 0
    view.pot = 2
    for i in range(2):
        if s.cards[i] != NONE:
            view.dealt += 1
    for i in range(MOST_MOVES):
        view.moves[i] = s.moves[i]
        if s.moves[i] == BET:
            view.pot += 1


@rule
def worlds(s, seat):
    """The other's card, if it has one and has not shown it, is any card but mine."""
    if s.cards[1 - seat] == NONE or cards_shown(s):
        return 1
    return CARDS if s.cards[seat] == NONE else CARDS - 1


@rule
def world(s, seat, number, rng):
    if worlds(s, seat) > 1:
        mine = s.cards[seat]
        s.cards[1 - seat] = number + 1 if mine != NONE and number >= mine else number
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
    for i in range(s.made):
        actions[n] = s.moves[i]
        n += 1
    return n


@rule
def evaluate(s, out):
    """The higher card is worth half the difference in rank."""
    out[0] = 0.0
    if s.cards[1] != NONE:
        out[0] = 0.5 * (s.cards[0] - s.cards[1])
    out[1] = -out[0]


@rule
def encode(view, seat, out):
    """A bit for the card, and one for what each move was."""
    for i in range(len(out)):
        out[i] = 0
    if view.card != NONE:
        out[np.int64(view.card)] = 1
    for i in range(np.int64(view.made)):
        out[CARDS + 2 * i + np.int64(view.moves[i])] = 1


def action_name(s: np.record, action: int) -> str:
    if s.cards[1] == NONE:
        return "JQK"[action]
    return move_name(action, facing_bet(s))


def move_name(move: int, answers_bet: bool) -> str:
    if answers_bet:
        return Text("call") if move == BET else Text("fold")
    return Text("bet") if move == BET else Text("check")


def heard(s: np.record, action: int, seat: int) -> str:
    """Everybody hears the moves; only the player who gets a card hears which one it is."""
    if s.cards[1] != NONE:
        return action_name(s, action)
    receiver = 0 if s.cards[0] == NONE else 1
    return Text("you get {card}", card=action_name(s, action)) if seat == receiver else ""


def show(view: np.record, seat: int) -> str:
    moves = [move_name(view.moves[i], i > 0 and view.moves[i - 1] == BET) for i in range(view.made)]
    lines = [
        Text("your card: {card}", card=Text("not dealt yet") if view.card == NONE else "JQK"[view.card]),
        Text("so far: {moves}", moves=Text.joined(" ", moves) if moves else Text("nothing")),
        Text("pot: {n}", n=view.pot),
    ]
    if view.shown != NONE:
        lines.append(Text("the other's card: {card}", card="JQK"[view.shown]))
    return Text.joined("\n", lines)


def picture(view: np.record, seat: int) -> Picture:
    return hands(int(view.card), int(view.shown), int(view.pot), seat)


def open_picture(s: np.record, seat: int) -> Picture:
    """Both cards, those of a player who folded too."""
    pot = 2 + sum(int(move) == BET for move in s.moves[: s.made])
    return hands(int(s.cards[seat]), int(s.cards[1 - seat]), pot, seat)


def hands(mine: int, other: int, pot: int, seat: int) -> Picture:
    shown = [
        hidden_card(name) if held == NONE else shown_card("JQK"[held], name)
        for name, held in (("other", other), ("mine", mine))
    ]
    return {
        "other": cards(Text("the other"), shown[:1], 1 - seat),
        "pot": amounts("", {Text("pot"): pot}),
        "mine": cards(Text("you"), shown[1:], seat),
    }


def facts(s: np.record, seat: int) -> dict[str, str]:
    held = int(s.cards[1 - seat])
    return {} if held == NONE or cards_shown(s) else {"other": "JQK"[held]}


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return (heard(s, action, seat), []) if s.cards[1] != NONE else ("", [])


def outcome(s: np.record) -> str:
    if folded(s):
        return Text("{who} folded and lost 1 chip; no card was shown", who=Seat(1 - s.made % 2))
    winner, loser = sorted(("JQK"[card] for card in s.cards), key="KQJ".index)
    return Text.plural(
        "the cards were shown, and {winner} beats {loser} for {n} chip",
        "the cards were shown, and {winner} beats {loser} for {n} chips",
        n=2 if s.moves[s.made - 1] == BET else 1,
        winner=winner,
        loser=loser,
    )


GAME = define(
    "kuhn",
    title=Text("Kuhn poker"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, odds, observe, redeal, worlds, world, rewind, evaluate, encode),
    people=(action_name, show, picture, open_picture, facts, verb_and_objects, heard, outcome),
    hidden=True,
    chance=("outcomes",),
    most_actions=CARDS,
    longest=2 + MOST_MOVES,
    payoffs=(-2.0, 2.0),
    extras=(
        Encoding(
            CARDS + 2 * MOST_MOVES,
            bits=True,
            groups={Text("my card"): range(CARDS), Text("the moves so far"): range(CARDS, CARDS + 2 * MOST_MOVES)},
        ),
        SearchDefaults(depth=5),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("bets, calls and folds at random")),
                Opponent(
                    Text("Honest"), "pimc:worlds=20", Text("thinks of the cards you may hold, but gives its own away")
                ),
                Opponent(Text("Perfect"), "cfr", Text("bluffs exactly as often as it should: nobody can gain on it")),
            ),
            champion="cfr",
        ),
    ),
)
