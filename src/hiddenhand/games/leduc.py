"""Leduc hold'em: two rounds of betting, one public card in between. Small, but poker.

The deck has six cards: J, Q, K in two suits. Each of two players puts one chip into the pot and gets one
card. Seat 0 begins both rounds of betting. A player facing a bet folds, calls or raises; otherwise the player
checks or bets. Bets and raises are of 2 chips in the first round and of 4 in the second, at most two of them
a round. After the first round a card is laid open. In the end a pair with the open card wins, otherwise the
higher rank; equal ranks share the pot. Invented by F. Southey and others, "Bayes' bluff: opponent modelling
in poker" (2005).

With more players the pack has one rank more for each of them, and lower ranks can be added. A round begins with
the lowest seat that has not folded, and goes on until all the others have answered the last bet.

An action is FOLD, CALL (check or call) or RAISE (bet or raise). Chance deals from seat 0 on and, between the
rounds, the open card; an outcome is a card: card // 2 is its rank, card % 2 its suit.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Encoding, Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Card, Picture, amounts, cards, hidden_card, shown_card
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.games.kuhn import BEGINNER, HONEST, MORE_PLAYERS, RANKS
from hiddenhand.kernel import CHANCE, OVER, below, copy, copy_shared, record_type, rule

FOLD, CALL, RAISE = 0, 1, 2
ROUNDS = 2
MOST_RAISES = 2
BETS = (2, 4)
MOST_PLAYERS, MOST_RANKS = 5, len(RANKS)
MOST_MOVES = 3 * MOST_PLAYERS - 2  # in one round: all but the last check, a bet, calls, a raise, calls
NONE = -1

PUBLIC = [
    ("players", "i1"),
    ("ranks", "i1"),
    ("dealt", "i1"),  # how many cards the players hold
    ("open", "i1"),
    ("paid", "i1", (MOST_PLAYERS,)),
    ("stake", "i1"),  # the most that anybody has paid
    ("folded", "i1", (MOST_PLAYERS,)),
    ("left", "i1"),  # how many have not folded
    ("moves", "i1", (ROUNDS, MOST_MOVES)),  # in each round, 0 where none was made yet
    ("made", "i1", (ROUNDS,)),  # how many moves in each round
    ("street", "i1"),  # the present round, 0 or 1 ("round" would hide a method of NumPy's records)
    ("raises", "i1"),  # in this round
    ("mover", "i1"),
    ("awaited", "i1"),  # how many must still move in this round, if nobody raises
    ("over", "i1"),
]
STATE = record_type(
    [
        *PUBLIC,
        ("cards", "i1", (MOST_PLAYERS,)),
        ("taken", "i4"),  # a bit for each card that a player holds or that is laid open
    ]
)
VIEW = record_type(
    [
        *PUBLIC,
        ("card", "i1"),  # mine, or NONE before it is dealt
        ("shown", "i1", (MOST_PLAYERS,)),  # those of the others by seat, once they are shown
    ]
)


def ranks_of(options: Mapping[str, Any]) -> int:
    """How many ranks the pack has."""
    ranks, players = int(options["ranks"]), int(options["players"])
    least = players // 2 + 1  # two suits: a card for each player, and the open one
    if 0 < ranks < least:
        raise UserError("{n} players need {least} ranks at least, not {ranks}", n=players, least=least, ranks=ranks)
    return ranks or players + 1


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    s.players = options["players"]
    s.ranks = ranks_of(options)


def adapt(options: Mapping[str, Any]) -> dict[str, Any]:
    players, ranks = int(options["players"]), ranks_of(options)
    moves, encoding = 3 * players - 2, encoding_for(players, ranks)
    return {
        "most_actions": max(2 * ranks, RAISE + 1),
        "longest": players + 1 + ROUNDS * moves,
        "payoffs": (-13.0, 13.0 * (players - 1)),
        "extras": (encoding, TWO_PLAYERS if players == 2 else MORE_PLAYERS),
    }


def encoding_for(players: int, ranks: int) -> Encoding:
    moves = 3 * (3 * players - 2)  # bits for the moves of a round
    first, second = 2 * ranks + 1, 2 * ranks + 1 + moves
    groups: dict[str, range] = {
        Text("my card"): range(ranks),
        Text("the open card"): range(ranks, first),
        Text("the first round"): range(first, second),
        Text("the second round"): range(second, second + moves),
    }
    return Encoding(second + moves, bits=True, groups=groups)


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    for i in range(ROUNDS):
        for j in range(s.made[i]):
            s.moves[i, j] = 0
        s.made[i] = 0
    for seat in range(MOST_PLAYERS):
        s.cards[seat] = NONE
        s.paid[seat] = 1 if seat < s.players else 0
        s.folded[seat] = 0
    s.dealt = 0
    s.taken = 0
    s.open = NONE
    s.stake = 1
    s.left = s.players
    s.street = 0
    s.raises = 0
    s.mover = 0
    s.awaited = s.players
    s.over = 0


@rule
def dealing(s):
    return s.dealt < s.players or (s.street == 1 and s.open == NONE)


@rule
def turn(s):
    if s.over != 0:
        return OVER
    if dealing(s):
        return CHANCE
    return np.int64(s.mover)


@rule
def to_call(s):
    """Whether the mover faces a bet."""
    return s.paid[s.mover] != s.stake


@rule
def legal(s, out):
    n = 0
    if dealing(s):
        taken = np.int64(s.taken)
        for card in range(2 * s.ranks):
            out[n] = card
            n += 1 - (taken >> card & 1)
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
    n = 2 * np.int64(s.ranks) - s.dealt
    share = 1.0 / n
    for i in range(n):
        out[i] = share


@rule
def play(s, action, rng):
    if not dealing(s):
        bet_or_fold(s, action)
        return
    s.taken |= 1 << action
    if s.dealt < s.players:
        s.cards[s.dealt] = action
        s.dealt += 1
    else:
        s.open = action


@rule
def bet_or_fold(s, action):
    s.moves[s.street, s.made[s.street]] = action
    s.made[s.street] += 1
    s.awaited -= 1
    if action == FOLD:
        s.folded[s.mover] = 1
        s.left -= 1
    elif action == CALL:
        s.paid[s.mover] = s.stake
    else:
        s.stake += BETS[s.street]
        s.paid[s.mover] = s.stake
        s.raises += 1
        s.awaited = s.left - 1
    if s.left == 1 or (s.awaited == 0 and s.street == 1):
        s.over = 1
    elif s.awaited == 0:
        s.street = 1
        s.raises = 0
        s.awaited = s.left
        s.mover = first_left(s, 0)
    else:
        s.mover = first_left(s, s.mover + 1)


@rule
def first_left(s, seat):
    """The first from a seat on, or else from seat 0 on, who has not folded."""
    while seat >= s.players or s.folded[seat] != 0:
        seat = 0 if seat >= s.players else seat + 1
    return seat


@rule
def folded(s):
    """Whether the game ended with folds: one player is left."""
    return s.over != 0 and s.left == 1


@rule
def strength(s, seat):
    """The rank of a player's card; with a pair, higher than any without one."""
    rank = s.cards[seat] // 2
    if s.open != NONE and s.open // 2 == rank:
        return rank + s.ranks
    return rank


@rule
def wins(s, seat, best):
    """Whether a player gets the pot, or a share of it, if this is the best strength of those left."""
    return s.folded[seat] == 0 and strength(s, seat) == best


@rule
def pot(s):
    chips = np.int64(0)
    for seat in range(s.players):
        chips += s.paid[seat]
    return chips


@rule
def payoff(s, out):
    best, winners, chips = NONE, 0, 0.0
    for seat in range(s.players):
        out[seat] = -np.float64(s.paid[seat])
        chips += s.paid[seat]
        if s.folded[seat] == 0:
            hand = strength(s, seat)
            if hand > best:
                best, winners = hand, 0
            if hand == best:
                winners += 1
    share = chips / winners
    for seat in range(s.players):
        if wins(s, seat, best):
            out[seat] += share


@rule
def is_shown(s, seat, owner):
    """Whether a seat is shown the card of another."""
    return owner != seat and s.over != 0 and not folded(s) and s.folded[owner] == 0


@rule
def observe(s, seat, view):
    copy_shared(view, s)
    view.card = s.cards[seat]
    for owner in range(MOST_PLAYERS):
        view.shown[owner] = NONE
    if s.over != 0:
        for owner in range(s.players):
            if is_shown(s, seat, owner):
                view.shown[owner] = s.cards[owner]


@rule
def is_hidden(s, seat, owner):
    return owner != seat and owner < s.dealt and not is_shown(s, seat, owner)


@rule
def unseen_by(s, seat):
    """How many cards a seat does not see."""
    n = 2 * np.int64(s.ranks)
    if s.open != NONE:
        n -= 1
    for owner in range(s.dealt):
        if not is_hidden(s, seat, owner):
            n -= 1
    return n


@rule
def worlds(s, seat):
    """The hidden cards of the others are any that the seat does not see, in any order."""
    unseen, count = unseen_by(s, seat), 1
    for owner in range(s.players):
        if is_hidden(s, seat, owner):
            count *= unseen
            unseen -= 1
    return count


@rule
def world(s, seat, number, rng):
    unseen, taken = unseen_by(s, seat), np.int64(s.taken)
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
    s.taken = taken
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
    """By how much a hand is stronger than the others on average, as a part of what each of those left has paid.

    Whoever has folded has lost what he has paid, and those left share it.
    """
    total, lost, least, n = 0, 0, np.int64(s.stake), np.int64(s.left)
    for seat in range(s.players):
        if s.folded[seat] != 0:
            lost += s.paid[seat]
        else:
            total += strength(s, seat)
            least = min(least, np.int64(s.paid[seat]))
    shared, scale = np.float64(lost) / n, 0.0
    if s.dealt == s.players and n > 1:
        scale = least / (2.0 * s.ranks * (n - 1))
    for seat in range(s.players):
        if s.folded[seat] != 0:
            out[seat] = -np.float64(s.paid[seat])
        else:
            out[seat] = shared + (n * strength(s, seat) - total) * scale


@rule
def encode(view, seat, out):
    """Bits: my rank, the open one and whether they are a pair, and for each move which of the three it was."""
    for i in range(len(out)):
        out[i] = 0
    ranks, most = np.int64(view.ranks), 3 * np.int64(view.players) - 2
    if view.card != NONE:
        out[np.int64(view.card) // 2] = 1
    if view.open != NONE:
        out[ranks + np.int64(view.open) // 2] = 1
        out[2 * ranks] = 1 if view.open // 2 == view.card // 2 else 0
    place = 2 * ranks + 1
    for i in range(ROUNDS):
        for j in range(np.int64(view.made[i])):
            out[place + 3 * j + np.int64(view.moves[i, j])] = 1
        place += 3 * most


def rank_name(s: np.record, card: int) -> str:
    """From a view or from the state: J, Q and K, or as many ranks as there are up to the ace."""
    return "JQK"[card // 2] if s.ranks <= 3 else RANKS[len(RANKS) - int(s.ranks) + card // 2]


def card_name(s: np.record, card: int) -> str:
    return rank_name(s, card) + "sh"[card % 2]


def move_name(move: int, answers_bet: bool) -> str:
    if move == FOLD:
        return Text("fold")
    if answers_bet:
        return Text("call") if move == CALL else Text("raise")
    return Text("check") if move == CALL else Text("bet")


def action_name(s: np.record, action: int) -> str:
    return card_name(s, action) if dealing(s) else move_name(action, to_call(s))


def heard(s: np.record, action: int, seat: int) -> str:
    """Everybody hears the moves and the open card; only the player who gets another card hears which one it is."""
    if not dealing(s):
        return action_name(s, action)
    if s.dealt == s.players:
        return Text("{card} is laid open", card=card_name(s, action))
    return Text("you get {card}", card=card_name(s, action)) if seat == s.dealt else ""


def show(view: np.record, seat: int) -> str:
    mine = Text("not dealt yet") if view.card == NONE else card_name(view, view.card)
    lines = [Text("your card: {card}", card=mine)]
    if view.open != NONE:
        lines.append(Text("open card: {card}", card=card_name(view, view.open)))
    for i in range(view.street + 1):
        moves = [int(move) for move in view.moves[i, : view.made[i]]]
        names = [move_name(move, RAISE in moves[:j]) for j, move in enumerate(moves)]
        so_far = Text.joined(" ", names) if names else Text("nothing yet")
        lines.append(Text("round {number}: {moves}", number=i + 1, moves=so_far))
    lines.append(Text("pot: {n}", n=int(pot(view))))
    for owner in range(view.players):
        if view.players > 2 and view.folded[owner]:
            lines.append(Text("{who} has folded", who=Seat(owner)))
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
    return hands(view, held, seat)


def open_picture(s: np.record, seat: int) -> Picture:
    """All cards, those of players who folded too."""
    return hands(s, [int(card) for card in s.cards[: s.players]], seat)


def hands(s: np.record, held: list[int], seat: int) -> Picture:
    """From a view or from the state, with the cards by seat as far as they are seen."""
    laid = [] if s.open == NONE else [face(s, int(s.open))]
    others = [owner for owner in range(s.players) if owner != seat]
    paid: dict[str, int] = {Text("you have paid"): int(s.paid[seat])}
    for owner in others:
        who = Text("the other has paid") if s.players == 2 else Text("{who} has paid", who=Seat(owner))
        paid[who] = int(s.paid[owner])
    shown = {name_of(s, seat, owner): face(s, held[owner], name_of(s, seat, owner)) for owner in range(s.players)}
    return {
        **{name_of(s, seat, i): cards(title_of(s, i), [shown[name_of(s, seat, i)]], i) for i in others},
        "open": cards(Text("the open card"), laid),
        "pot": amounts("", {Text("pot"): int(pot(s)), **paid}),
        "mine": cards(Text("you"), [shown["mine"]], seat),
    }


def title_of(s: np.record, owner: int) -> str:
    if s.players > 2 and s.folded[owner]:
        return Text("{who} has folded", who=Seat(owner))
    return Text("the other")


def name_of(s: np.record, seat: int, owner: int) -> str:
    """What the picture of a seat calls a card."""
    return "mine" if owner == seat else "other" if s.players == 2 else f"other{owner + 1}"


def face(s: np.record, held: int, name: str = "") -> Card:
    if held == NONE:
        return hidden_card(name)
    return shown_card(rank_name(s, held), name, suit="♠♥"[held % 2], red=held % 2 == 1)


def facts(s: np.record, seat: int) -> dict[str, str]:
    return {
        name_of(s, seat, owner): card_name(s, int(s.cards[owner]))
        for owner in range(s.players)
        if is_hidden(s, seat, owner)
    }


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    return ("", []) if dealing(s) else (action_name(s, action), [])


def outcome(s: np.record) -> str:
    if folded(s):
        winner = int(np.argmin(s.folded))
        if s.players > 2:
            return Text("nobody called the bet of {who}; no card was shown", who=Seat(winner))
        return Text.plural(
            "{who} folded and lost {n} chip; no card was shown",
            "{who} folded and lost {n} chips; no card was shown",
            n=s.paid[1 - winner],
            who=Seat(1 - winner),
        )
    best_hand = max(int(strength(s, seat)) for seat in range(s.players) if not s.folded[seat])
    winners = [seat for seat in range(s.players) if wins(s, seat, best_hand)]
    best = winners[0]
    mine, other = card_name(s, s.cards[best]), card_name(s, s.cards[winners[-1] if s.players > 2 else 1 - best])
    if len(winners) > 1:
        return Text("the cards were shown, {a} and {b} are worth the same, and the pot is shared", a=mine, b=other)
    if s.players > 2:
        gain, pairs = int(pot(s) - s.paid[best]), strength(s, best) >= s.ranks
        return won_by_pair(gain, mine, best) if pairs else won_by_rank(gain, mine, best)
    paid = s.paid[1 - best]
    if strength(s, best) >= s.ranks:
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


def won_by_pair(gain: int, card: str, winner: int) -> str:
    """What ended a game of more than two."""
    return Text.plural(
        "the cards were shown, and {card} of {who} pairs the open card and wins {n} chip",
        "the cards were shown, and {card} of {who} pairs the open card and wins {n} chips",
        n=gain,
        card=card,
        who=Seat(winner),
    )


def won_by_rank(gain: int, card: str, winner: int) -> str:
    return Text.plural(
        "the cards were shown, and {card} of {who} wins {n} chip",
        "the cards were shown, and {card} of {who} wins {n} chips",
        n=gain,
        card=card,
        who=Seat(winner),
    )


def refusal(s: np.record, action: int) -> str:
    if action == FOLD and not to_call(s):
        return Text("there is no bet to fold to")
    if action == RAISE and s.raises == MOST_RAISES:
        return Text("there have been two bets and raises in this round, which is the most")
    return ""


TWO_PLAYERS = Opponents(
    (
        BEGINNER,
        HONEST,
        Opponent(Text("Strong"), "cfr", Text("mixes bluffs and honest bets so that nobody can gain much on it")),
    ),
    champion="cfr",
)

GAME = define(
    "leduc",
    title=Text("Leduc hold'em"),
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
        refusal,
    ),
    players=(2, MOST_PLAYERS),
    hidden=True,
    chance=("outcomes",),
    most_actions=6,
    all_actions=RAISE + 1,
    longest=11,
    payoffs=(-13.0, 13.0),
    options={
        "players": Setting(2, Text("how many play"), low=2, high=MOST_PLAYERS),
        "ranks": Setting(
            0, Text("how many ranks the pack has; 0: one more than there are players"), low=0, high=MOST_RANKS
        ),
    },
    extras=(encoding_for(2, 3), SearchDefaults(depth=6), TWO_PLAYERS),
)
