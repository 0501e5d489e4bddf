"""Kuhn poker: three cards, one bet, and still the weak hand must sometimes bluff.

Each of two players puts one chip into the pot and gets one card of J, Q, K. The players act in turn, seat 0
first. With nothing to answer, a player checks or bets one chip; facing a bet, a player folds or calls it. A
fold gives the pot away unseen; after two checks or a call the cards are shown and the higher one takes the
pot. Best play costs the first player 1/18 of a chip a game: H. W. Kuhn, "A simplified two-person poker"
(1950).

With more players the first bet goes round once: each of the others folds or calls. With more cards than one
for each player and one to spare, lower ones are added. A card is its rank, 0 the lowest.

An action is PASS (check or fold) or BET (bet or call). Chance deals the cards one after the other, from seat 0
on; an outcome is a card: with three of them 0 is the jack, 1 the queen, 2 the king.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Picture, amounts, cards, hidden_card, shown_card
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import CHANCE, OVER, below, copy, copy_shared, record_type, rule

PASS, BET = 0, 1
MOST_PLAYERS, MOST_RANKS = 5, 13
MOST_MOVES = 2 * MOST_PLAYERS - 1
RANKS = "23456789TJQKA"
NONE = -1

PUBLIC = [
    ("players", "i1"),
    ("ranks", "i1"),
    ("dealt", "i1"),  # how many cards
    ("moves", "i1", (MOST_MOVES,)),  # 0 where none was made yet
    ("made", "i1"),  # how many moves
    ("bet", "i1"),  # the number of the move that was the first bet, or NONE
    ("staked", "i1"),  # a bit for each seat that has bet or called
    ("pot", "i1"),
]
STATE = record_type([*PUBLIC, ("cards", "i1", (MOST_PLAYERS,))])
VIEW = record_type(
    [
        *PUBLIC,
        ("card", "i1"),  # mine, or NONE before it is dealt
        ("shown", "i1", (MOST_PLAYERS,)),  # those of the others by seat, once they are shown
    ]
)


def ranks_of(options: Mapping[str, Any]) -> int:
    """How many cards the pack has."""
    ranks, players = int(options["ranks"]), int(options["players"])
    if 0 < ranks < players:
        raise UserError("{n} players need as many cards at least, not {ranks}", n=players, ranks=ranks)
    return ranks or players + 1


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    s.players = options["players"]
    s.ranks = ranks_of(options)


def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
    players, ranks = int(options["players"]), ranks_of(options)
    moves = 2 * players - 1
    groups: dict[str, range] = {
        Text("my card"): range(ranks),
        Text("the moves so far"): range(ranks, ranks + 2 * moves),
    }
    levels = TWO_PLAYERS if players == 2 else MORE_PLAYERS
    return {
        "most_actions": max(ranks, 2),
        "longest": players + moves,
        "payoffs": (-2.0, 2.0 * (players - 1)),
        "extras": (Encoding(ranks + 2 * moves, bits=True, groups=groups), levels),
    }


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    for i in range(s.made):
        s.moves[i] = 0
    for seat in range(MOST_PLAYERS):
        s.cards[seat] = NONE
    s.dealt = 0
    s.made = 0
    s.bet = NONE
    s.staked = 0
    s.pot = s.players


@rule
def dealing(s):
    return s.dealt < s.players


@rule
def turn(s):
    if dealing(s):
        return CHANCE
    if is_over(s):
        return OVER
    return mover(s)


@rule
def mover(s):
    """Whose move is next: nobody makes more than two."""
    made = np.int64(s.made)
    return made if made < s.players else made - s.players


@rule
def is_over(s):
    """After one move of each, or when all the others have answered the first bet."""
    return s.made == s.players if s.bet == NONE else s.made == s.bet + s.players


@rule
def facing_bet(s):
    return s.bet != NONE


@rule
def dealt_cards(s):
    """A bit for each card that a player holds."""
    cards = 0
    for seat in range(s.dealt):
        cards |= 1 << np.int64(s.cards[seat])
    return cards


@rule
def legal(s, out):
    if not dealing(s):
        out[0] = PASS
        out[1] = BET
        return 2
    n, dealt = 0, dealt_cards(s)
    for card in range(s.ranks):
        out[n] = card
        n += 1 - (dealt >> card & 1)
    return n


@rule
def odds(s, out):
    n = np.int64(s.ranks) - s.dealt
    share = 1.0 / n
    for i in range(n):
        out[i] = share


@rule
def play(s, action, rng):
    if dealing(s):
        s.cards[s.dealt] = action
        s.dealt += 1
        return
    if action == BET:
        s.staked |= 1 << mover(s)
        s.pot += 1
        if s.bet == NONE:
            s.bet = s.made
    s.moves[s.made] = action
    s.made += 1


@rule
def paid(s, seat):
    """How many chips a seat has put into the pot."""
    return 1 + (np.int64(s.staked) >> seat & 1)


@rule
def in_hand(s, seat):
    """Whether a seat can still win: it has paid as much as anybody."""
    return s.bet == NONE or paid(s, seat) == 2


@rule
def folded(s):
    """Whether the game ended with folds: nobody has called the bet."""
    return facing_bet(s) and s.pot == s.players + 1


@rule
def payoff(s, out):
    winner, best = NONE, NONE
    for seat in range(s.players):
        out[seat] = -np.float64(paid(s, seat))
        if in_hand(s, seat) and s.cards[seat] > best:
            winner, best = seat, np.int64(s.cards[seat])
    out[winner] += s.pot


@rule
def cards_shown(s):
    return not dealing(s) and is_over(s) and not folded(s)


@rule
def is_shown(s, seat, owner):
    """Whether a seat is shown the card of another."""
    return owner != seat and cards_shown(s) and in_hand(s, owner)


@rule
def observe(s, seat, view):
    copy_shared(view, s)
    view.card = s.cards[seat]
    for owner in range(MOST_PLAYERS):
        view.shown[owner] = NONE
    if cards_shown(s):
        for owner in range(s.players):
            if is_shown(s, seat, owner):
                view.shown[owner] = s.cards[owner]


@rule
def is_hidden(s, seat, owner):
    return owner != seat and owner < s.dealt and not is_shown(s, seat, owner)


@rule
def unseen_by(s, seat):
    """How many cards a seat does not see."""
    n = np.int64(s.ranks)
    for owner in range(s.dealt):
        if not is_hidden(s, seat, owner):
            n -= 1
    return n


@rule
def worlds(s, seat):
    """The hidden cards of the others are any that the seat does not see, in any order."""
    unseen, count = unseen_by(s, seat), 1
    for owner in range(s.dealt):
        if is_hidden(s, seat, owner):
            count *= unseen
            unseen -= 1
    return count


@rule
def world(s, seat, number, rng):
    unseen, taken = unseen_by(s, seat), dealt_cards(s)
    for owner in range(s.dealt):
        if is_hidden(s, seat, owner):
            taken ^= 1 << np.int64(s.cards[owner])
    for owner in range(s.dealt):
        if is_hidden(s, seat, owner):
            skip = number % unseen
            number //= unseen
            unseen -= 1
            card = 0
            while taken >> card & 1 or skip > 0:
                skip -= 1 - (taken >> card & 1)
                card += 1
            s.cards[owner] = card
            taken |= 1 << card
    return 1.0


@rule
def redeal(s, seat, rng):
    world(s, seat, below(rng, worlds(s, seat)), rng)


@rule
def rewind(s, first, actions):
    copy(first, s)
    begin(first)
    n = 0
    for seat in range(s.dealt):
        actions[n] = s.cards[seat]
        n += 1
    for i in range(s.made):
        actions[n] = s.moves[i]
        n += 1
    return n


@rule
def evaluate(s, out):
    """By how much a card is higher than those of the others on average, as a share of the ranks."""
    total = 0
    for seat in range(s.players):
        total += s.cards[seat]
    scale = 0.0 if dealing(s) else 1.0 / ((s.players - 1.0) * (s.ranks - 1.0))
    for seat in range(s.players):
        out[seat] = (np.int64(s.players) * s.cards[seat] - total) * scale


@rule
def encode(view, seat, out):
    """A bit for the card, and one for what each move was."""
    ranks = np.int64(view.ranks)
    for i in range(len(out)):
        out[i] = 0
    if view.card != NONE:
        out[np.int64(view.card)] = 1
    for i in range(np.int64(view.made)):
        out[ranks + 2 * i + np.int64(view.moves[i])] = 1


def card_name(s: np.record, card: int) -> str:
    """From a view or from the state: J, Q and K, or as many ranks as there are up to the ace."""
    return "JQK"[card] if s.ranks <= 3 else RANKS[len(RANKS) - int(s.ranks) + card]


def action_name(s: np.record, action: int) -> str:
    return card_name(s, action) if dealing(s) else move_name(action, facing_bet(s))


def move_name(move: int, answers_bet: bool) -> str:
    if answers_bet:
        return Text("call") if move == BET else Text("fold")
    return Text("bet") if move == BET else Text("check")


def heard(s: np.record, action: int, seat: int) -> str:
    """Everybody hears the moves; only the player who gets a card hears which one it is."""
    if not dealing(s):
        return action_name(s, action)
    return Text("you get {card}", card=action_name(s, action)) if seat == s.dealt else ""


def show(view: np.record, seat: int) -> str:
    made = [int(move) for move in view.moves[: view.made]]
    moves = [move_name(move, BET in made[:i]) for i, move in enumerate(made)]
    lines = [
        Text("your card: {card}", card=Text("not dealt yet") if view.card == NONE else card_name(view, view.card)),
        Text("so far: {moves}", moves=Text.joined(" ", moves) if moves else Text("nothing")),
        Text("pot: {n}", n=int(view.pot)),
    ]
    for owner in range(view.players):
        if view.shown[owner] != NONE:
            card = card_name(view, view.shown[owner])
            alone = view.players == 2
            lines.append(
                Text("the other's card: {card}", card=card)
                if alone
                else Text("{who} shows {card}", who=Seat(owner), card=card)
            )
    return Text.joined("\n", lines)


def picture(view: np.record, seat: int) -> Picture:
    held = [int(view.card) if owner == seat else int(view.shown[owner]) for owner in range(view.players)]
    return hands(view, held, int(view.pot), seat)


def open_picture(s: np.record, seat: int) -> Picture:
    """All cards, those of players who folded too."""
    return hands(s, [int(card) for card in s.cards[: s.players]], int(s.pot), seat)


def hands(s: np.record, held: list[int], chips: int, seat: int) -> Picture:
    """From a view or from the state, with the cards by seat as far as they are seen."""
    shown = {
        owner: hidden_card(name_of(s, seat, owner))
        if card == NONE
        else shown_card(card_name(s, card), name_of(s, seat, owner))
        for owner, card in enumerate(held)
    }
    others = {
        name_of(s, seat, owner): cards(Text("the other"), [shown[owner]], owner) for owner in shown if owner != seat
    }
    return {
        **others,
        "pot": amounts("", {Text("pot"): chips}),
        "mine": cards(Text("you"), [shown[seat]], seat),
    }


def name_of(s: np.record, seat: int, owner: int) -> str:
    """What the picture of a seat calls a card."""
    return "mine" if owner == seat else "other" if s.players == 2 else f"other{owner + 1}"


def facts(s: np.record, seat: int) -> dict[str, str]:
    return {
        name_of(s, seat, owner): card_name(s, int(s.cards[owner]))
        for owner in range(s.players)
        if is_hidden(s, seat, owner)
    }


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return ("", []) if dealing(s) else (heard(s, action, seat), [])


def outcome(s: np.record) -> str:
    winner = max((seat for seat in range(s.players) if in_hand(s, seat)), key=lambda seat: int(s.cards[seat]))
    if folded(s):
        if s.players == 2:
            return Text("{who} folded and lost 1 chip; no card was shown", who=Seat(1 - winner))
        return Text("nobody called the bet of {who}; no card was shown", who=Seat(winner))
    gain = int(s.pot - paid(s, winner))
    best = card_name(s, int(s.cards[winner]))
    if s.players > 2:
        return Text.plural(
            "the cards were shown, and {card} of {who} wins {n} chip",
            "the cards were shown, and {card} of {who} wins {n} chips",
            n=gain,
            card=best,
            who=Seat(winner),
        )
    return Text.plural(
        "the cards were shown, and {winner} beats {loser} for {n} chip",
        "the cards were shown, and {winner} beats {loser} for {n} chips",
        n=gain,
        winner=best,
        loser=card_name(s, int(s.cards[1 - winner])),
    )


BEGINNER = Opponent(Text("Beginner"), "random", Text("bets, calls and folds at random"))
HONEST = Opponent(Text("Honest"), "pimc:worlds=20", Text("thinks of the cards you may hold, but gives its own away"))
TWO_PLAYERS = Opponents(
    (
        BEGINNER,
        HONEST,
        Opponent(Text("Perfect"), "cfr", Text("bluffs exactly as often as it should: nobody can gain on it")),
    ),
    champion="cfr",
)
MORE_PLAYERS = Opponents(
    (
        BEGINNER,
        HONEST,
        Opponent(Text("Strong"), "ismcts:simulations=3000", Text("plays thousands of games in its head")),
    )
)

GAME = define(
    "kuhn",
    title=Text("Kuhn poker"),
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
        outcome,
    ),
    players=(2, MOST_PLAYERS),
    hidden=True,
    chance=("outcomes",),
    most_actions=3,
    longest=5,
    payoffs=(-2.0, 2.0),
    options={
        "players": Setting(2, Text("how many play"), low=2, high=MOST_PLAYERS),
        "ranks": Setting(
            0, Text("how many cards the pack has; 0: one more than there are players"), low=0, high=MOST_RANKS
        ),
    },
    extras=(Encoding(9, bits=True), SearchDefaults(depth=5), TWO_PLAYERS),
)
