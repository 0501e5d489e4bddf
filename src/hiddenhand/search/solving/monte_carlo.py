"""Monte Carlo counterfactual regret minimisation: CFR that looks at a sample of the game in each iteration.

It needs no sequence form and no tree: it plays the game by its rules, and keeps regrets for the information sets
that it has met, in a hash table by what their seat sees. External sampling (`mccfr-external`) tries all actions of
one seat and draws those of chance and of the others; outcome sampling (`mccfr-outcome`) draws a single history, and
weighs what it finds by how likely it was to be drawn. The average of the policies approaches an equilibrium in both,
in expectation. M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo sampling for regret minimization in
extensive games" (2009); the average is updated at the decisions of the seats that are drawn
("stochastically-weighted averaging")."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.kernel import CHANCE, OVER, below, copy, digest, generic, new_records, pick, rule, stream
from hiddenhand.kernel.contract import legal, observe, odds, payoff, play, turn
from hiddenhand.kernel.records import slot_of
from hiddenhand.search.game_tree import rooted
from hiddenhand.search.solving.sequence_form import Floats, Integers

EXPLORATION = 0.6
"""Outcome sampling draws one of its own actions at random with this probability."""


class Regrets(NamedTuple):
    """Regrets and average by information set: a hash table, and one row more for what found no room in it."""

    table: np.ndarray[Any, Any]  # uint64[power of two]: keys, 0 where free
    owner: np.ndarray[Any, Any]  # int8, beside it, as all that follows
    counts: np.ndarray[Any, Any]  # int32: how many actions
    actions: np.ndarray[Any, Any]  # int32[size, most actions]
    regrets: Floats
    average: Floats
    cursor: Integers  # how many information sets, and whether some found no room
    rng: np.ndarray[Any, Any]


class Sampled(NamedTuple):
    """The history that is being sampled; one entry for each ply of it."""

    states: Any
    actions: Integers  # [plies, most actions]
    counts: Integers
    tried: Integers
    movers: Integers
    places: Integers
    values: Floats  # [plies, most actions]
    policy: Floats  # [plies, most actions]
    chances: Floats
    seen: Any
    gains: Floats
    rng: np.ndarray[Any, Any]  # for the rules, which do not use it


@generic
def enter(path, sums, d, mover):
    """Find the information set, or make it; its present policy goes to policy[d].

    Where the table is nearly full a new one is played uniformly and forgotten: there will be room in the next
    iteration."""
    observe(path.states[d], mover, path.seen[0])
    key = digest(path.seen[0], mover)
    if key == np.uint64(0):
        key = np.uint64(1)
    place = slot_of(sums.table, key)
    n = path.counts[d]
    if sums.table[place] == np.uint64(0):
        if 4 * sums.cursor[0] >= 3 * len(sums.table):
            sums.cursor[1] = 1
            path.places[d] = len(sums.table)
            path.policy[d, :n] = 1.0 / n
            return
        sums.table[place] = key
        sums.owner[place] = mover
        sums.counts[place] = n
        for i in range(n):
            sums.actions[place, i] = path.actions[d, i]
        sums.cursor[0] += 1
    path.places[d] = place
    match_regrets(sums.regrets[place], path.policy[d], n)


@rule
def match_regrets(regrets, policy, n):
    """Play in proportion to positive regrets; without any, uniformly."""
    total = 0.0
    for i in range(n):
        policy[i] = regrets[i] if regrets[i] > 0.0 else 0.0
        total += policy[i]
    for i in range(n):
        policy[i] = policy[i] / total if total > 0.0 else 1.0 / n


@generic
def sample_externally(path, sums, iterations):
    """Iterations of external sampling, each for one seat after the other. Returns how many were done before the table
    became too small."""
    for t in range(iterations):
        if sums.cursor[1] == 1:
            return t
        for me in range(len(path.gains)):
            d = go_down(path, sums, 0, me)
            value = path.gains[me]
            while d > 0:
                d -= 1
                if path.movers[d] != me:
                    continue  # the value of a drawn action is that of the node
                path.values[d, path.tried[d]] = value
                path.tried[d] += 1
                if path.tried[d] < path.counts[d]:
                    play_next(path, d)
                    d = go_down(path, sums, d + 1, me)
                    value = path.gains[me]
                else:
                    value = add_regrets(path, sums, d)
    return iterations


@generic
def go_down(path, sums, d, me):
    """On to the end of the game, by drawn actions, of `me` always the first; returns the ply of the end."""
    while turn(path.states[d]) != OVER:
        mover = turn(path.states[d])
        path.movers[d] = mover
        n = path.counts[d] = legal(path.states[d], path.actions[d])
        path.tried[d] = 0
        if mover == CHANCE:
            odds(path.states[d], path.chances)
            path.tried[d] = pick(sums.rng, path.chances, n)
        else:
            enter(path, sums, d, mover)
            if mover != me:
                path.tried[d] = pick(sums.rng, path.policy[d], n)
                for i in range(n):
                    sums.average[path.places[d], i] += path.policy[d, i]
        play_next(path, d)
        d += 1
    payoff(path.states[d], path.gains)
    return d


@generic
def play_next(path, d):
    copy(path.states[d + 1], path.states[d])
    play(path.states[d + 1], path.actions[d, path.tried[d]], path.rng)


@rule
def add_regrets(path, sums, d):
    """The regrets of a decision all of whose actions have been tried; returns what the policy is worth."""
    value = 0.0
    for i in range(path.counts[d]):
        value += path.policy[d, i] * path.values[d, i]
    for i in range(path.counts[d]):
        sums.regrets[path.places[d], i] += path.values[d, i] - value
    return value


@generic
def sample_outcomes(path, sums, iterations, exploration):
    """Iterations of outcome sampling, each for one seat after the other; returns how many were done."""
    states, players = path.states, len(path.gains)
    for t in range(iterations):
        if sums.cursor[1] == 1:
            return t
        for me in range(players):
            d, drawn = 0, 1.0  # how likely this history was to be drawn, by my own choices
            while turn(states[d]) != OVER:
                mover = turn(states[d])
                path.movers[d] = mover
                n = path.counts[d] = legal(states[d], path.actions[d])
                if mover == CHANCE:
                    odds(states[d], path.chances)
                    i = pick(sums.rng, path.chances, n)
                else:
                    enter(path, sums, d, mover)
                    if mover != me:
                        i = pick(sums.rng, path.policy[d], n)
                        for j in range(n):  # seen as often as chance, this seat's policy and `drawn` say
                            sums.average[path.places[d], j] += path.policy[d, j] / drawn
                    else:
                        explores = pick_share(sums.rng, exploration)
                        i = below(sums.rng, n) if explores else pick(sums.rng, path.policy[d], n)
                        drawn *= exploration / n + (1.0 - exploration) * path.policy[d, i]
                path.tried[d] = i
                play_next(path, d)
                d += 1
            payoff(states[d], path.gains)
            # `tail`: how likely the policy itself goes from here to the end by this history
            utility, tail = path.gains[me] / drawn, 1.0
            for e in range(d - 1, -1, -1):
                if path.movers[e] == me:
                    i = path.tried[e]
                    follows = utility * tail
                    tail *= path.policy[e, i]
                    for j in range(path.counts[e]):
                        sums.regrets[path.places[e], j] += (follows if j == i else 0.0) - utility * tail
    return iterations


@rule
def pick_share(rng, share):
    """Whether something happens that has this probability."""
    return below(rng, 1 << 30) < share * (1 << 30)


def new_regrets(size: int, most: int, seed: int = 0) -> Regrets:
    rows = size + 1
    return Regrets(
        np.zeros(size, np.uint64),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int32),
        np.zeros((rows, most), np.int32),
        np.zeros((rows, most)),
        np.zeros((rows, most)),
        np.zeros(2, np.int64),
        stream(seed),
    )


@rule
def move_all(old, new):
    for i in range(len(old.table)):
        if old.table[i] != np.uint64(0):
            place = slot_of(new.table, old.table[i])
            new.table[place] = old.table[i]
            new.owner[place] = old.owner[i]
            new.counts[place] = old.counts[i]
            new.actions[place] = old.actions[i]
            new.regrets[place] = old.regrets[i]
            new.average[place] = old.average[i]
    new.cursor[0] = old.cursor[0]


class MonteCarlo:
    """MCCFR in progress."""

    def __init__(self, game: Game, method: str = "mccfr-external", seed: int = 0) -> None:
        self.game = game
        self.external = method == "mccfr-external"
        self.iteration = 0
        self.sums = new_regrets(1 << 12, game.most_actions, seed)
        plies, most = game.longest + 2, game.most_actions
        self.path = Sampled(
            states=new_records(game.rules.state, plies),
            actions=np.zeros((plies, most), np.int64),
            **{name: np.zeros(plies, np.int64) for name in ("counts", "tried", "movers", "places")},
            values=np.zeros((plies, most)),
            policy=np.zeros((plies, most)),
            chances=np.zeros(most),
            seen=new_records(game.rules.view, 1),
            gains=np.zeros(game.players),
            rng=stream(0),
        )
        self.path.states[0] = rooted(game)

    def run(self, iterations: int) -> None:
        rules, done = self.game.rules, 0
        while done < iterations:
            if self.external:
                done += int(rules.bind(sample_externally)(self.path, self.sums, iterations - done))
            else:
                done += int(rules.bind(sample_outcomes)(self.path, self.sums, iterations - done, EXPLORATION))
            if done < iterations:
                larger = new_regrets(2 * len(self.sums.table), self.game.most_actions)
                larger.rng[:] = self.sums.rng
                move_all(self.sums, larger)
                self.sums = larger
        self.iteration += iterations

    def table(self) -> tuple[Any, Any, Any, Any, Any]:
        """The average policy: of every information set its key, its seat and how many actions it has; of every action
        its number and its probability."""
        met = np.flatnonzero(self.sums.table)
        counts = self.sums.counts[met]
        used = np.arange(self.game.most_actions) < counts[:, None]
        weights = np.where(used, self.sums.average[met], 0.0)
        totals = weights.sum(axis=1, keepdims=True)
        shares = np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), 1.0 / counts[:, None])
        return self.sums.table[met], self.sums.owner[met], counts, self.sums.actions[met][used], shares[used]
