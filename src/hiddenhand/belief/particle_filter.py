"""Beliefs from behaviour: the worlds that a seat's knowledge allows, weighed by what the others did in them.

Others act by a policy that I can imagine. In a world where it would have done what was done, that world keeps its
weight; in a world where it would have done something else, only as much as mistakes are common:

    fit of a move = (1 - mistakes) * (share of its answers that are this move) + mistakes / number of legal moves

One who draws at random is asked several times; the less its answers agree, the nearer the share is taken to that of
any legal move.

A game says how a state came about (the rule `rewind`), so that each world is played again from the deal, and the
model of each seat is asked at each of its decisions, with a memory of its own. My own decisions tell me nothing: they
carry my memory on, which is the same in all worlds. Outcomes of chance are in the worlds' prior weights already.

Of a seat several models can be given: it follows one of them all along, each as likely as the others at first. In
every world its moves tell which: there the fit of a move is the mean over the models, by how likely each is by then.

Where the game lists its worlds (`worlds`, `world`) and there are few enough, all are weighed: the belief is exact.
Elsewhere they are drawn by `redeal` and played again together, move by move. When a move leaves few of them with
weight, they are drawn anew by their weights, and each takes a few random steps (`vary`), which are accepted by how
well all moves so far fit there and here (sequential Monte Carlo, the hidden cards being a parameter that never
changes: Chopin 2002). A game without `rewind` has uniform worlds and fresh memories.

A model is asked once for the same view after the same past, whatever the world: the answers are kept in a table.
Nothing here depends on more than the view and its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.view import View
from hiddenhand.kernel import UNTOLD, copy, derive, digest, generic, new_records, rule, split, stream, uniform
from hiddenhand.kernel.contract import legal, observe, play, redeal, rewind, turn, vary, world, worlds
from hiddenhand.kernel.loop import as_policies, ask, rows_of_bytes
from hiddenhand.kernel.records import slot_of

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

Array = np.ndarray[Any, Any]

BELIEF = 0xBE11  # a key: the seed of a belief is split from that of the view
KEPT = 1 << 25  # bytes of answers that are kept
NEGLIGIBLE = 1e-8  # a world with so small a weight beside the likeliest is given up
STEPS = 4  # random steps of each world after it was drawn anew,
MOST_ROUNDS = 6  # and so many times as many where few of them are taken


class Models(NamedTuple):
    """By which policies each seat may act: model k of a seat stands at seat * kinds + k."""

    kinds: int  # models of each seat
    policies: Any  # int64[seats * kinds]: addresses (uncompiled: the functions themselves)
    parameters: Array  # uint8[seats * kinds, most]: records as bytes
    mistakes: float  # the share of moves that are just any legal ones
    asks: int  # how often a policy that draws at random is asked about a move
    seed: Any  # uint64: where its answers draw from


class Particles(NamedTuple):
    """Worlds, each with the game played again in it as far as it has come. The last place is for trying one."""

    now: Any  # record[n]: as they are now
    states: Any  # record[n]: as they were after `at` moves
    moves: Array  # int64[n, longest]: how they came about
    counts: Array  # int64[n]: so many moves
    at: Array  # int64[n]
    memories: Array  # uint64[n, seats, kinds, words]: of the models
    follows: Array  # float64[n, seats, kinds]: how likely a seat follows each of its models
    pasts: Array  # uint64[n, seats]: a fingerprint of all that a seat has seen and done
    fits: Array  # float64[n]: the logarithm of how well the moves so far fit the models
    priors: Array  # float64[n]: the logarithm of the weight without them
    numbers: Array  # int64[n]: which world of the game's list it is, or -1


class ModelCache(NamedTuple):
    """What the models said, by view and past."""

    keys: Array  # uint64[a power of two]: 0 where free
    fits: Array  # float64[slots, kinds]: of the move that was made
    memories: Array  # uint64[slots, kinds, words]: afterwards
    used: Array  # int64[1]: slots


class FilterWorkspace(NamedTuple):
    """Space to work in."""

    views: Any  # view record[1]
    actions: Array  # int64[most actions]
    words: Array  # uint64[words]: a memory
    replies: Array  # int64[asks]: what a model that draws at random answered
    before: Array  # float64[n]: fits before the last move
    weights: Array  # float64[n]
    copies: Array  # int64[n]
    rng: Array  # uint64[1]


class FilterConfig(NamedTuple):
    """How a belief is made."""

    me: int  # whose it is
    limit: int  # so many worlds are listed at most
    drawn: int  # so many are drawn where they cannot be
    steps: int  # of each after it was drawn anew


# --- one world ------------------------------------------------------------------------------------


@generic
def begin(cases, i, seed):
    """World i back to its deal."""
    count = rewind(cases.now[i], cases.states[i], cases.moves[i])
    if count == UNTOLD:
        copy(cases.states[i], cases.now[i])
        count = 0
    cases.counts[i] = count
    cases.at[i] = 0
    cases.fits[i] = 0.0
    forget(cases, i, seed)


@rule
def forget(cases, i, seed):
    """Nobody remembers anything, and all models are equally likely.

    Fingerprints begin with the seed of the belief: answers of an earlier one are never taken for its own.
    """
    for seat in range(cases.pasts.shape[1]):
        cases.pasts[i, seat] = seed
        for kind in range(cases.memories.shape[2]):
            cases.follows[i, seat, kind] = 1.0 / cases.memories.shape[2]
            for word in range(cases.memories.shape[3]):
                cases.memories[i, seat, kind, word] = np.uint64(0)


@generic
def advance(cases, i, me, mine, models, answers, room):
    """Play the next move of world i again. If it is another's, the world's fit changes by that of the move.

    mine   I am asked about my own moves instead, and nobody else is
    """
    s, view, move = cases.states[i], room.views[0], cases.at[i]
    action = cases.moves[i, move]
    seat = turn(s)
    if seat >= 0 and (seat == me) == mine:
        observe(s, seat, view)
        memories = cases.memories[i, seat]
        key = split(split(cases.pasts[i, seat], digest(view, seat)), action) | np.uint64(1)
        slot = slot_of(answers.keys, key)
        if answers.keys[slot] == key:
            for kind in range(models.kinds):
                for word in range(memories.shape[1]):
                    memories[kind, word] = answers.memories[slot, kind, word]
        else:
            slot = free_slot(answers, slot, key)
            for kind in range(models.kinds):
                memory, model = memories[kind], seat * models.kinds + kind
                answers.fits[slot, kind] = fit_of(s, seat, action, move, me, model, memory, models, room)
                for word in range(len(memory)):
                    answers.memories[slot, kind, word] = memory[word]
        if not mine:
            cases.fits[i] += np.log(told_by(cases.follows[i, seat], answers.fits[slot]))
        cases.pasts[i, seat] = key
    room.rng[0] = split(split(models.seed, move), UNTOLD)
    play(s, action, room.rng)
    cases.at[i] = move + 1


@rule
def told_by(follows, fits):
    """How well a move fits a seat that follows one of its models, and which one it follows by that."""
    fit = 0.0
    for kind in range(len(follows)):
        fit += follows[kind] * fits[kind]
    if fit > 0.0:
        for kind in range(len(follows)):
            follows[kind] *= fits[kind] / fit
    return fit


@generic
def fit_of(s, seat, action, move, me, model, memory, models, room):  # noqa: PLR0913  (borrowed room)
    """How likely a model of the seat whose view is in the room makes this move; its memory goes on."""
    actions, rng, words, view = room.actions, room.rng, room.words, room.views[0]
    count = legal(s, actions)
    asks = 1 if seat == me or models.mistakes == 1.0 else models.asks
    for word in range(len(memory)):
        words[word] = memory[word]
    hits = 0
    drew = False
    for number in range(asks):
        for word in range(len(memory)):
            memory[word] = words[word]
        start = split(split(models.seed, move), number)
        rng[0] = start
        answer = ask(models.policies[model], view, seat, actions[:count], memory, models.parameters[model], rng)
        room.replies[number] = answer
        if answer == action:
            hits += 1
        if rng[0] == start:  # it drew nothing: it would always answer so
            break
        drew = True
    share = np.float64(hits)
    if drew and asks > 1:
        sure = agreement(room.replies, asks, count)
        share = sure * hits / asks + (1.0 - sure) / count
    return (1.0 - models.mistakes) * share + models.mistakes / count


@rule
def agreement(replies, asks, count):
    """0 if answers agree no more often than any of so many moves would, 1 if they are all the same.

    Few answers say little of one who may do anything: which moves happen to be among them must not count as much as
    among those of one who nearly always does the same.
    """
    same = 0
    for i in range(asks):
        for j in range(i):
            if replies[i] == replies[j]:
                same += 1
    pairs = asks * (asks - 1) / 2.0
    return max(0.0, (same / pairs - 1.0 / count) / (1.0 - 1.0 / count)) if count > 1 else 1.0


@rule
def free_slot(answers, slot, key):
    """Where new answers are kept; when the table is nearly full, it is emptied first."""
    if 4 * answers.used[0] > 3 * len(answers.keys):
        for i in range(len(answers.keys)):
            answers.keys[i] = np.uint64(0)
        answers.used[0] = 0
        slot = slot_of(answers.keys, key)
    answers.used[0] += 1
    answers.keys[slot] = key
    return slot


@rule
def copy_world(cases, target, source):
    copy(cases.now[target], cases.now[source])
    copy(cases.states[target], cases.states[source])
    for move in range(cases.counts[source]):
        cases.moves[target, move] = cases.moves[source, move]
    for seat in range(cases.pasts.shape[1]):
        cases.pasts[target, seat] = cases.pasts[source, seat]
        for kind in range(cases.memories.shape[2]):
            cases.follows[target, seat, kind] = cases.follows[source, seat, kind]
            for word in range(cases.memories.shape[3]):
                cases.memories[target, seat, kind, word] = cases.memories[source, seat, kind, word]
    cases.counts[target] = cases.counts[source]
    cases.at[target] = cases.at[source]
    cases.fits[target] = cases.fits[source]
    cases.numbers[target] = cases.numbers[source]


# --- all of them ----------------------------------------------------------------------------------


@rule
def weigh(fits, priors, n, weights):
    """Write the weights, the largest of them 1, and return (their sum, their effective number)."""
    most = -np.inf
    for i in range(n):
        most = max(most, fits[i] + priors[i])
    total = 0.0
    squares = 0.0
    for i in range(n):
        weights[i] = np.exp(fits[i] + priors[i] - most) if most > -np.inf else 1.0
        total += weights[i]
        squares += weights[i] * weights[i]
    return total, total * total / squares


@rule
def fit_of_last(cases, before, n):
    """(How well the last move fits on average, the same as a share of where it fits best.)"""
    most = -np.inf
    best = 0.0
    for i in range(n):
        most = max(most, before[i] + cases.priors[i])
    then = 0.0
    now = 0.0
    for i in range(n):
        if before[i] > -np.inf:
            then += np.exp(before[i] + cases.priors[i] - most)
            now += np.exp(cases.fits[i] + cases.priors[i] - most)
            best = max(best, np.exp(cases.fits[i] - before[i]))
    return now / then, now / then / best if best > 0.0 else 1.0


@rule
def draw_anew(cases, n, room, total):
    """Draw n of the worlds by their weights, evenly spread; afterwards all weigh the same."""
    weights, copies = room.weights, room.copies
    point = uniform(room.rng) * total / n
    reached = 0.0
    for i in range(n):
        copies[i] = 0
        reached += weights[i]
        while point < reached:
            copies[i] += 1
            point += total / n
    source = 0
    for target in range(n):
        if copies[target] == 0:
            while source < n and copies[source] < 2:
                source += 1
            if source == n:  # by rounding, one too few was drawn
                break
            copies[source] -= 1
            copy_world(cases, target, source)
    for i in range(n):
        cases.priors[i] = -cases.fits[i]


@generic
def wander(cases, n, way, models, answers, room, seed):
    """Each world takes a few random steps; one is taken back unless the moves so far fit well enough.

    Where few are taken, so that many worlds are still copies of a few, there are more.
    """
    taken = 0
    for step in range(MOST_ROUNDS * way.steps):
        if step % way.steps == 0 and taken >= n:
            break
        for i in range(n):
            room.rng[0] = split(split(seed, i), step)
            needed = cases.fits[i] + np.log(1.0 - uniform(room.rng))
            copy(cases.now[n], cases.now[i])
            vary(cases.now[n], way.me, room.rng)
            begin(cases, n, models.seed)
            last = min(cases.at[i], cases.counts[n])
            while cases.at[n] < last and cases.fits[n] >= needed:
                advance(cases, n, way.me, False, models, answers, room)
            if cases.fits[n] >= needed:
                cases.numbers[n] = -1
                copy_world(cases, i, n)
                cases.priors[i] = -cases.fits[i]
                taken += 1


@generic
def list_worlds(root, way, cases, room, seed):
    """Write all worlds of the game's list that the seat's knowledge allows; returns how many, 0 for too many."""
    count = worlds(root, way.me)
    if count > way.limit:
        return 0
    n = 0
    for number in range(count):
        copy(cases.now[n], root)
        room.rng[0] = split(seed, number)
        weight = world(cases.now[n], way.me, number, room.rng)
        if weight > 0.0:
            cases.numbers[n] = number
            cases.priors[n] = np.log(weight)
            n += 1
    return n


@generic
def draw_worlds(root, way, cases, room, seed):
    for i in range(way.drawn):
        copy(cases.now[i], root)
        room.rng[0] = split(seed, i)
        redeal(cases.now[i], way.me, room.rng)
        cases.numbers[i] = -1
        cases.priors[i] = 0.0
    return way.drawn


@generic
def play_again(cases, n, drawn, way, models, answers, room, told):  # noqa: PLR0913  (all that a belief is made of)
    """Play all worlds again from the deal, move by move, and weigh them by it."""
    for i in range(n):
        begin(cases, i, models.seed)
    for move in range(len(told)):
        under_way = False
        for i in range(n):
            room.before[i] = cases.fits[i]
            if cases.at[i] == move and move < cases.counts[i] and cases.fits[i] > -np.inf:
                under_way = True
                advance(cases, i, way.me, False, models, answers, room)
        if not under_way:
            break
        fit, told[move] = fit_of_last(cases, room.before, n)
        if fit == 0.0:  # it fits nowhere: it tells nothing
            for i in range(n):
                cases.fits[i] = room.before[i]
        total, effective = weigh(cases.fits, cases.priors, n, room.weights)
        for i in range(n):
            if room.weights[i] < NEGLIGIBLE:
                cases.fits[i] = -np.inf
        if drawn and (2.0 * effective < n or fit < 2.0 * models.mistakes < 1.0):
            seed = split(split(models.seed, 3), move)
            room.rng[0] = seed
            draw_anew(cases, n, room, total)
            wander(cases, n, way, models, answers, room, seed)
    remember(cases, n, way.me, models, answers, room)


@generic
def remember(cases, n, me, models, answers, room):
    """What I remember is the same in every world, as all that I have seen is."""
    copy(cases.now[n], cases.now[0])
    begin(cases, n, models.seed)
    while cases.at[n] < cases.counts[n]:
        advance(cases, n, me, True, models, answers, room)
    for i in range(n):
        for kind in range(cases.memories.shape[2]):
            for word in range(cases.memories.shape[3]):
                cases.memories[i, me, kind, word] = cases.memories[n, me, kind, word]


@generic
def play_nothing(cases, n, drawn, way, models, answers, room, told):  # noqa: PLR0913  (in its place)
    """Where the game does not tell how it came about: memories are fresh."""
    for i in range(n):
        forget(cases, i, models.seed)


@generic
def believe(roots, way, models, cases, answers, room, told):
    """Fill `cases` and the room's weights; returns how many worlds there are, less than 0 if they were drawn.

    told   float64[longest]: what share of the worlds, by weight, each move has left
    """
    n = list_worlds(roots[0], way, cases, room, split(models.seed, 1))
    drawn = n == 0
    if drawn:
        n = draw_worlds(roots[0], way, cases, room, split(models.seed, 2))
    play_again(cases, n, drawn, way, models, answers, room, told)
    weigh(cases.fits, cases.priors, n, room.weights)
    return -n if drawn else n


# --- in Python ------------------------------------------------------------------------------------


@dataclass
class Posterior:
    """Worlds and how likely they are."""

    states: Any
    """Records[worlds]."""
    weights: Array
    """float64[worlds]: they add up to 1."""
    exact: bool
    """Whether these are all worlds there are."""
    told: Array
    """float64[moves so far]: what share of the worlds, by weight, each move has left; 1 where it told nothing."""
    moves: Array
    """int64[moves so far]: how the likeliest world came about."""
    looks: Array
    """int64[worlds]: the same number where a world looks the same to the others up to now."""
    cases: Particles
    """All that is known of them; the next belief of the same believer is written over it."""

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def effective(self) -> float:
        """So many equally likely worlds would be as good."""
        return float(1.0 / (self.weights**2).sum())


class ParticleFilter:
    """Makes beliefs of one game, given a model of each seat."""

    def __init__(
        self,
        game: Game,
        models: Sequence[PolicyAgent | Sequence[PolicyAgent]],
        worlds: int = 400,
        exact: int = 20_000,
        mistakes: float = 0.001,
        asks: int = 8,
        steps: int = STEPS,
    ) -> None:
        """models: one a seat, or one for all; in the place of one agent there may be several

        worlds     drawn where they cannot be listed
        exact      listed at most
        mistakes   the share of the others' moves that are just any legal ones; 1: they tell nothing
        asks       how often a model that draws at random is asked about a move
        steps      random steps of each world after it was drawn anew
        """
        self.game = game
        seats = [[model] if isinstance(model, PolicyAgent) else list(model) for model in models]
        seats = seats * game.players if len(seats) == 1 else seats
        self.kinds = max(len(seat) for seat in seats)
        if any(len(seat) not in (1, self.kinds) for seat in seats):
            raise UserError("every seat has one model, or as many as the others have")
        self.agents = [model for seat in seats for model in (seat if len(seat) > 1 else seat * self.kinds)]
        for agent in self.agents:
            if not isinstance(agent, PolicyAgent) or agent.cheats:
                raise UserError(f"a model of a player is a compiled agent that does not cheat; {agent} is none")
        memories = rows_of_bytes([np.zeros(1, agent.policy.memory) for agent in self.agents])
        self.words = memories.shape[1] // 8
        self.parameters = rows_of_bytes([agent.parameters for agent in self.agents])
        self.mistakes, self.asks = float(mistakes), asks
        self.drawn, self.limit, self.steps = worlds, exact, steps
        self.longest = game.longest if "rewind" in game.rules.given else 1
        self.cases = self.new_worlds(max(worlds, exact) + 1)
        self.answers = self.new_answers()
        self.room = self.new_room(max(worlds, exact) + 1)

    def new_worlds(self, n: int) -> Particles:
        game = self.game
        return Particles(
            now=new_records(game.state, n),
            states=new_records(game.state, n),
            moves=np.zeros((n, self.longest), np.int64),
            counts=np.zeros(n, np.int64),
            at=np.zeros(n, np.int64),
            memories=np.zeros((n, game.players, self.kinds, self.words), np.uint64),
            follows=np.ones((n, game.players, self.kinds)) / self.kinds,
            pasts=np.zeros((n, game.players), np.uint64),
            fits=np.zeros(n),
            priors=np.zeros(n),
            numbers=np.zeros(n, np.int64),
        )

    def new_answers(self) -> ModelCache:
        slots = 1 << int(np.log2(KEPT // (8 * self.kinds * (self.words + 1) + 8)))
        return ModelCache(
            np.zeros(slots, np.uint64),
            np.zeros((slots, self.kinds)),
            np.zeros((slots, self.kinds, self.words), np.uint64),
            np.zeros(1, np.int64),
        )

    def new_room(self, n: int) -> FilterWorkspace:
        return FilterWorkspace(
            views=new_records(self.game.view, 1),
            actions=np.zeros(self.game.most_actions, np.int64),
            words=np.zeros(self.words, np.uint64),
            replies=np.zeros(self.asks, np.int64),
            before=np.zeros(n),
            weights=np.zeros(n),
            copies=np.zeros(n, np.int64),
            rng=stream(0),
        )

    def models(self, seed: int) -> Models:
        """As compiled code gets them."""
        policies = as_policies([agent.for_loop for agent in self.agents])
        return Models(self.kinds, policies, self.parameters, self.mistakes, self.asks, np.uint64(seed))

    @property
    def kernel(self) -> Any:
        """`believe` for this game."""
        tells = "rewind" in self.game.rules.given
        return self.game.bind(believe, None if tells else {play_again: play_nothing})

    def belief(self, view: View) -> Posterior:
        """What the seat of this view may believe."""
        roots = new_records(self.game.state, 1)
        view.imagine(into=roots[0])
        told = np.ones(self.longest)
        way = FilterConfig(view.seat, self.limit, self.drawn if self.game.hidden else 1, self.steps)
        models = self.models(derive(view.seed, BELIEF))
        n = int(self.kernel(roots, way, models, self.cases, self.answers, self.room, told))
        weights = self.room.weights[: abs(n)] / self.room.weights[: abs(n)].sum()
        likeliest = int(np.argmax(weights))
        moves = self.cases.moves[likeliest, : self.cases.counts[likeliest]].copy()
        others = [seat for seat in range(self.game.players) if seat != view.seat]
        _, looks = np.unique(self.cases.pasts[: abs(n), others], axis=0, return_inverse=True)
        return Posterior(
            self.cases.now[: abs(n)], weights, n > 0, told[: len(moves)], moves, looks.reshape(-1), self.cases
        )


def belief_from_behaviour(view: View, *models: PolicyAgent | Sequence[PolicyAgent], **settings: Any) -> Posterior:
    """What the seat of a view may believe, if the others act like these agents: one for all seats, or one for each.
    In the place of one agent there may be several: who follows which, their moves tell.

    settings: those of `ParticleFilter`
    """
    return ParticleFilter(view.game, models, **settings).belief(view)
