"""Statistics of play: in a situation s, how often is a move of class k made? (The thesis's plan, section 6.4.1.)

A situation is a coarse picture of what the mover sees: whether he leads, or follows as the second, third or last; who
is winning the trick, as far as he can tell; whether it is rich; whether he is the chooser, his partner, or neither;
and which classes of moves he has at all. P(k | s) is counted in many games of the agent `rules` and kept in a small
file; Bayes' rule turns it round: a hand in which the move would have been usual becomes likelier.

    hiddenhand train snaps statistics --output src/hiddenhand/games/snaps/learned/statistics.npz

The table is flat: entry [situation, set of classes that are possible, class].
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import read_arrays
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import policy
from hiddenhand.core.text import Text
from hiddenhand.games.snaps.cards import (
    CARDS,
    KING,
    RANKS,
    SEATS,
    SUITS,
    TEN,
    VALUES,
    Array,
    above,
    beats,
    bit,
    count,
    suit_mask,
    suit_of,
)
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, payoff, play, turn
from hiddenhand.games.snaps.state import (
    CHOOSING,
    KONTRA_ROUND,
    MARRIAGE,
    MARRIAGE_AND_CLAIM,
    PASS,
    TRICKS,
    deal,
    possible_holders,
    side_with,
    trump_of,
)
from hiddenhand.kernel import OVER, copy, new_records, pick, rule, split, stream
from hiddenhand.learning.learner import Learner

LEARNED = Path(__file__).parent.parent / "learned" / "statistics.npz"

CLASSES = 8
SETS = 1 << CLASSES
ROLES, STAGES, PLACES, WINNERS = 3, 3, 3, 3
KONTRAS = 4 * 3  # trumps by aces
NAMING_AT, KONTRA_AT = 0, 1
REKONTRA_AT = KONTRA_AT + KONTRAS
LEAD_AT = REKONTRA_AT + 1
FOLLOW_AT = LEAD_AT + ROLES * STAGES
SITUATIONS = FOLLOW_AT + PLACES * WINNERS * 2 * ROLES
ENTRIES = SITUATIONS * SETS * CLASSES
RICH = 10  # points in a trick

SMOOTHING = 10.0  # so many moves of the whole situation are added to those counted with the same classes possible
FAMILIAR = 6.0  # of somebody: so many moves in situations of the same kind are added to those of the situation itself
STRANGER = 8.0  # and so many as everybody plays to those of the kind


# --- situations -----------------------------------------------------------------------------------


@rule
def situation_of(s, seat):
    """The number of the mover's situation, apart from the classes of moves that he has."""
    if s.phase == CHOOSING:
        return NAMING_AT
    hand = np.int64(s.hands[seat])
    if s.phase == KONTRA_ROUND:
        aces = count(hand & ace_mask())
        return KONTRA_AT + 3 * min(count(hand & suit_mask(trump_of(s))), 3) + min(aces, 2)
    if s.phase != TRICKS:
        return REKONTRA_AT
    role = role_of(s, seat)
    place = s.plays & 3
    if place == 0:
        trick = s.plays >> 2
        return LEAD_AT + ROLES * (0 if trick == 0 else 1 if trick < 3 else 2) + role
    best, points = best_so_far(s)
    winner = relation(s, seat, np.int64(s.played_by[best]))
    rich = 1 if points >= RICH else 0
    return FOLLOW_AT + ((np.int64(place - 1) * WINNERS + winner) * 2 + rich) * ROLES + role


@rule
def ace_mask():
    mask = np.int64(0)
    for suit in range(SUITS):
        mask |= bit(suit * RANKS + RANKS - 1)
    return mask


@rule
def role_of(s, seat):
    """0 for the chooser, 1 for his partner, 2 for an opponent."""
    if seat == s.chooser:
        return 0
    return 1 if possible_holders(s, seat) == np.int64(1) << seat else 2


@rule
def best_so_far(s):
    """(number of the card that wins the trick so far, points in the trick)."""
    first = np.int64(s.plays) & ~3
    best = first
    points = 0
    for i in range(first, s.plays):
        points += VALUES[s.played[i]]
        if beats(s.played[i], s.played[best], trump_of(s)):
            best = i
    return best, points


@rule
def relation(s, seat, other):
    """0 if the other seat is certainly on the same side, 1 if certainly on the other, 2 if that is open."""
    holders = possible_holders(s, seat)
    same = 0
    against = 0
    for holder in range(SEATS):
        if holders >> holder & 1:
            if side_with(s, seat, holder) == side_with(s, other, holder):
                same += 1
            else:
                against += 1
    return 0 if against == 0 else 1 if same == 0 else 2


# --- classes of moves -----------------------------------------------------------------------------


@rule
def class_of(s, seat, action):
    """The class of a move: 0 to 7, of another meaning when naming, answering, leading and following."""
    if s.phase == CHOOSING:
        return naming_class(np.int64(s.hands[seat]), action)
    if s.phase != TRICKS:
        return 0 if action == PASS else 1
    if action >= MARRIAGE_AND_CLAIM:
        return 0
    if s.plays & 3 == 0:
        return lead_class(s, action)
    return follow_class(s, action)


@rule
def naming_class(hand, card):
    """An own card: 0 the highest of three or more, 1 another; 1 too: not the best card that one lacks; from 2 on the
    best card that one lacks, by how many one has of the suit."""
    length = count(hand & suit_mask(suit_of(card)))
    if hand >> card & 1:
        return 0 if length >= 3 and above(card) & hand == 0 else 1
    if above(card) & ~hand:
        return 1
    if length <= 1 or length >= 4:
        return 2 if length <= 1 else 7
    longest = 0
    for suit in range(SUITS):
        longest = max(longest, count(hand & suit_mask(suit)))
    return 2 * length - 1 + (1 if length == longest else 0)


@rule
def lead_class(s, action):
    """1: a marriage; trumps: 2 ten or ace, 3 lower; other suits: 4 ace, 5 ten, 6 king or over, 7 lower."""
    if action >= MARRIAGE:
        return 1
    rank = action % RANKS
    if suit_of(action) == trump_of(s):
        return 2 if rank >= TEN else 3
    return 4 if rank > TEN else 5 if rank == TEN else 6 if rank >= KING - 1 else 7


@rule
def follow_class(s, card):
    """Wins the trick so far: 1 with a high trump, 2 with a low one, 3 with a high card led, 4 with a low one; loses:
    5 a ten or ace, 6 king or over, 7 lower."""
    best, _ = best_so_far(s)
    rank = card % RANKS
    if beats(card, s.played[best], trump_of(s)):
        low = 0 if rank >= TEN else 1
        return 1 + low if suit_of(card) == trump_of(s) else 3 + low
    return 5 if rank >= TEN else 6 if rank >= KING - 1 else 7


# --- the chance of a move -------------------------------------------------------------------------


@rule
def entry_of(s, seat, actions, n, action):
    """(place in the table of this move's class, number of legal moves of that class)."""
    wanted = class_of(s, seat, action)
    possible = 0
    alike = 0
    for i in range(n):
        k = class_of(s, seat, actions[i])
        possible |= 1 << k
        if k == wanted:
            alike += 1
    return (situation_of(s, seat) * SETS + possible) * CLASSES + wanted, alike


@rule
def statistics_chance(s, seat, actions, n, action, table):
    """P(action | what the mover sees), for one of the n legal actions: all moves of a class are equally likely."""
    entry, alike = entry_of(s, seat, actions, n, action)
    return table[entry] / alike


def chances_from(counts: Array) -> Array:
    """float64[ENTRIES]: P(class | situation, possible classes) from counts of the same shape, smoothed.

    Where little was counted the frequencies of the whole situation speak, among the classes that are possible.
    """
    counts = np.asarray(counts, np.float64).reshape(SITUATIONS, SETS, CLASSES)
    possible = (np.arange(SETS)[:, None] >> np.arange(CLASSES)) & 1
    counts = counts * possible
    overall = (counts.sum(axis=1)[:, None, :] + 1.0) * possible
    overall /= np.maximum(overall.sum(axis=2, keepdims=True), 1.0)
    chances = (counts + SMOOTHING * overall) / (counts.sum(axis=2, keepdims=True) + SMOOTHING)
    found: Array = chances.reshape(-1)
    return found


def kinds_of_situations() -> Array:
    """int64[SITUATIONS]: which are of one kind: leads, follows by who wins so far, naming, kontra, rekontra."""
    kinds = np.zeros(SITUATIONS, np.int64)
    kinds[KONTRA_AT:REKONTRA_AT] = 1
    kinds[REKONTRA_AT] = 2
    kinds[LEAD_AT:FOLLOW_AT] = 3
    kinds[FOLLOW_AT:] = 4 + np.arange(SITUATIONS - FOLLOW_AT) // (2 * ROLES) % WINNERS
    return kinds


def chances_of(moves: Array) -> Array:
    """float64[ENTRIES]: P(class | situation, possible classes), from counts int64[ENTRIES] of one opponent.

    Where little was seen of him in a situation, what he did in others of its kind speaks; where he was hardly seen at
    all, he is expected to play as was counted of everybody.
    """
    counts = moves.reshape(SITUATIONS, SETS, CLASSES).astype(np.float64)
    usual = learned_statistics().reshape(SITUATIONS, SETS, CLASSES)
    kinds = kinds_of_situations()
    alike = np.stack([counts[kinds == kind].sum(axis=0) for kind in range(kinds.max() + 1)])[kinds]
    alike = alike + STRANGER * usual
    alike /= np.maximum(alike.sum(axis=2, keepdims=True), 1e-9)
    chances = (counts + FAMILIAR * alike) / (counts.sum(axis=2, keepdims=True) + FAMILIAR)
    return np.asarray(chances.reshape(-1))


@cache
def learned_statistics() -> Array:
    """The table that comes with the package."""
    return chances_from(read_counts(LEARNED))


def read_statistics(file: str | Path) -> Array:
    """The table of a file that the learner has written: what was counted and, where that is little, the usual
    frequencies."""
    return chances_of(read_counts(file))


def read_counts(file: str | Path) -> Array:
    """float64[ENTRIES]: what was counted."""
    arrays = read_arrays(file, "entries", "counts")
    entries, counts = arrays["entries"], np.zeros(ENTRIES)
    if len(entries) != len(arrays["counts"]) or (len(entries) and not 0 <= entries.min() <= entries.max() < ENTRIES):
        raise UserError("{file} holds no statistics of snaps", file=file)
    counts[entries] = arrays["counts"]
    return counts


def statistics_of(game: Game, file: str) -> dict[str, Array]:
    """The table of a file, or ours without one, for each seat, as the knowledge of a policy."""
    return {"statistics": for_all(read_statistics(file) if file else learned_statistics())}


def for_all(table: Array) -> Array:
    """float64[4, ENTRIES]: every seat plays by the same table."""
    return np.tile(table, (SEATS, 1))


# --- counting in games of the agent `rules` -------------------------------------------------------


@rule
def watch_games(states, seed, first, games, counts, scores, rng):
    """Watch games number first .. first + games - 1: counts int64[ENTRIES] grow, scores[i] is the chooser's.

    states: the game before the deal, and two to work on.
    """
    s, view = states[1], states[2]
    actions = np.empty(CARDS + 8, np.int64)
    payoffs = np.empty(SEATS)
    for g in range(games):
        copy(s, states[0])
        rng[0] = split(seed, first + g)
        deal(s, rng)
        while turn(s) != OVER:
            mover = turn(s)
            observe(s, mover, view)
            n = legal(s, actions)
            action = rule_action(view, mover, actions, n)
            entry, _ = entry_of(view, mover, actions, n, action)
            counts[entry] += 1
            play(s, action, rng)
        payoff(s, payoffs)
        scores[g] = payoffs[s.chooser]


def play_by_statistics(
    view: np.record, seat: int, actions: Any, memory: np.record, parameters: np.record, rng: Any
) -> Any:
    """A policy that does what was done, as often as it was done."""
    chances = np.empty(len(actions))
    for i in range(len(actions)):
        chances[i] = statistics_chance(view, seat, actions, len(actions), actions[i], parameters.chances)
    return actions[pick(rng, chances, len(actions))]


class Statistics(Learner):
    """A learner that only counts (see `hiddenhand.lab.training`); its player draws moves as they were counted."""

    name = "statistics"
    summary = Text("counts how often each class of moves is made in each situation")
    games = 200_000
    step = 10_000
    opponent = "rules"

    def __init__(self, game: Game, seed: int, games: int) -> None:
        self.game = game
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.counts = np.zeros(ENTRIES, np.int64)
        self.states = new_records(game.rules.state, 3)
        self.states[0] = blank_state(game)[0]

    def learn(self, games: int) -> Array:
        """Watch this many more games; returns what the choosers won."""
        scores = np.zeros(games)
        watch_games(self.states, np.uint64(self.seed), self.done, games, self.counts, scores, stream(0))
        self.done += games
        return scores

    def snapshot(self) -> dict[str, Array]:
        return {"counts": self.counts, "done": np.array([self.done, self.wanted, self.seed])}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        self.done, self.wanted, self.seed = (int(n) for n in arrays["done"])
        self.counts[:] = arrays["counts"]

    def after_trial(self, mean: float) -> None:
        """Counts do not get worse: nothing to keep."""

    def save(self, path: Path) -> None:
        entries = np.flatnonzero(self.counts)
        np.savez_compressed(path, entries=entries.astype(np.int32), counts=self.counts[entries].astype(np.int32))

    def chances(self) -> Array:
        """How likely each class of moves is, by the counts."""
        return chances_from(self.counts)

    def player(self, best: bool = False) -> PolicyAgent:
        chances = self.chances()
        learned = policy(self.summary, knowledge=lambda game: {"chances": chances})(play_by_statistics)
        return PolicyAgent(self.game, learned)
