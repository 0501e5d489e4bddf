"""Beliefs from behaviour: a posterior over the worlds that a seat's knowledge allows, given what the others did.

The others are assumed to act by known policies, their models. A world (a particle) is weighted by its prior times the
likelihood of all moves of the others in it. Where `noise` is the share of moves that are just any legal ones (the
setting `mistakes`), the likelihood of a move is

    (1 - noise) * (share of the model's answers that are this move) + noise / number of legal moves

A model that draws at random is asked several times; the less its answers agree, the nearer this share is taken to
that of any legal move.

A game says how a state came about (the rule `rewind`), so that each world is replayed from the deal, and the model of
each seat is asked at each of its decisions, with a memory of its own. The seat's own decisions carry no information:
they only carry its memory on, which is the same in all worlds. Outcomes of chance are in the priors already.

A seat can have several models: it follows one of them throughout, each equally likely a priori. In every world a
posterior over the models is kept; there the likelihood of a move is its mean over the models.

Where the game lists its worlds (`worlds`, `world`) and there are few enough, all are weighted: the posterior is
exact. Elsewhere they are sampled by `redeal` and replayed together, move by move. When a move leaves few of them with
weight, they are resampled, and each takes a few Metropolis steps (`vary`), which are accepted by the ratio of the
likelihoods of all moves so far (sequential Monte Carlo, where the hidden cards are a static parameter: Chopin 2002).
A game without `rewind` has uniform worlds and fresh memories.

A model is asked only once for the same view after the same history, whatever the world: its answers are cached.
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
from hiddenhand.kernel.rule import Rule

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

Array = np.ndarray[Any, Any]

BELIEF = 0xBE11  # a key: the seed of a belief is split from that of the view
CACHE_BYTES = 1 << 25  # bytes of answers that are kept at most,
ANSWERS = 64  # and so many for each particle: a small table is read faster
NEGLIGIBLE = 1e-8  # a world whose weight is smaller than this beside the likeliest one is dropped
ASKS = 8  # how often a model that draws at random is asked about a move
REJUVENATION_STEPS = 4  # Metropolis steps of each particle after resampling,
MOST_REJUVENATION_ROUNDS = 6  # and at most so many times as many where few of them are accepted


class Models(NamedTuple):
    """By which policies each seat may act: model k of a seat stands at seat * kinds + k."""

    kinds: int  # models of each seat
    policies: Any  # int64[seats * kinds]: addresses (uncompiled: the functions themselves)
    parameters: Array  # uint8[seats * kinds, most]: records as bytes
    mistakes: float  # the share of moves that are just any legal ones
    asks: int  # how often a policy that draws at random is asked about a move
    seed: Any  # uint64: where its answers draw from


class Particles(NamedTuple):
    """n worlds, each with the game replayed in it up to some move. The last place is for trying out a new one."""

    now: Any  # record[n]: as they are now
    states: Any  # record[n]: as they were after `at` moves
    moves: Array  # int64[n, longest]: how they came about
    counts: Array  # int64[n]: how many moves that were
    at: Array  # int64[n]
    memories: Array  # uint64[n, seats, kinds, words]: of the models
    model_probs: Array  # float64[n, seats, kinds]: how likely a seat follows each of its models
    histories: Array  # uint64[n, seats]: a hash of all that a seat has seen and done
    log_likelihood: Array  # float64[n]: of the moves so far, under the models
    log_prior: Array  # float64[n]: the logarithm of the weight without that
    numbers: Array  # int64[n]: which world of the game's list it is; -1: of none, or all of it is known


class ModelCache(NamedTuple):
    """What the models answered, by view and history."""

    keys: Array  # uint64[a power of two]: 0 where free
    likelihoods: Array  # float64[slots, kinds]: of the move that was made
    memories: Array  # uint64[slots, kinds, words]: afterwards
    used: Array  # int64[1]: slots


class AskedMove(NamedTuple):
    """A move about which a model is asked."""

    seat: int
    action: int
    move: int  # how many came before it
    times: int  # how often a model that draws at random is asked


class FilterWorkspace(NamedTuple):
    """Scratch arrays."""

    views: Any  # view record[1]
    actions: Array  # int64[most actions]
    words: Array  # uint64[words]: a memory
    answers: Array  # int64[asks]: what a model that draws at random answered
    cache: ModelCache  # what the models answered so far
    previous: Array  # float64[n]: log-likelihoods before the last move
    weights: Array  # float64[n]
    copies: Array  # int64[n]
    rng: Array  # uint64[1]


class FilterConfig(NamedTuple):
    """How a posterior is computed."""

    me: int  # the seat whose posterior it is
    limit: int  # list all worlds where there are no more than this
    samples: int  # how many worlds to sample otherwise
    rejuvenation_steps: int  # Metropolis steps of each particle after resampling


# --- one world ------------------------------------------------------------------------------------


@generic
def rewind_particle(particles, i, seed):
    """Take world i back to its deal."""
    count = rewind(particles.now[i], particles.states[i], particles.moves[i])
    if count == UNTOLD:
        copy(particles.states[i], particles.now[i])
        count = 0
    particles.counts[i] = count
    particles.at[i] = 0
    particles.log_likelihood[i] = 0.0
    reset_models(particles, i, seed)


@rule
def reset_models(particles, i, seed):
    """Empty all memories and make all models equally likely.

    Histories begin with the seed of the posterior, so that cached answers of an earlier one are never used for it.
    """
    for seat in range(particles.histories.shape[1]):
        particles.histories[i, seat] = seed
        for kind in range(particles.memories.shape[2]):
            particles.model_probs[i, seat, kind] = 1.0 / particles.memories.shape[2]
            for word in range(particles.memories.shape[3]):
                particles.memories[i, seat, kind, word] = np.uint64(0)


@generic
def advance(particles, i, me, mine, models, workspace):
    """Replay the next move of world i. If another seat made it, its likelihood is added to the world's.

    mine   only this seat's own model is asked, about its own moves: its memory goes on
    """
    s, view, move = particles.states[i], workspace.views[0], particles.at[i]
    action, cache = particles.moves[i, move], workspace.cache
    seat = turn(s)
    if seat >= 0 and (seat == me) == mine:
        observe(s, seat, view)
        memories = particles.memories[i, seat]
        key = split(split(particles.histories[i, seat], digest(view, seat)), action) | np.uint64(1)
        slot = slot_of(cache.keys, key)
        if cache.keys[slot] == key:
            for kind in range(models.kinds):
                for word in range(memories.shape[1]):
                    memories[kind, word] = cache.memories[slot, kind, word]
        else:
            slot = free_slot(cache, slot, key)
            for kind in range(models.kinds):
                asked = AskedMove(seat, action, move, 1 if seat == me or models.mistakes == 1.0 else models.asks)
                model = seat * models.kinds + kind
                cache.likelihoods[slot, kind] = likelihood_of(s, asked, model, memories[kind], models, workspace)
                for word in range(memories.shape[1]):
                    cache.memories[slot, kind, word] = memories[kind, word]
        if not mine:
            particles.log_likelihood[i] += np.log(
                update_models(particles.model_probs[i, seat], cache.likelihoods[slot])
            )
        particles.histories[i, seat] = key
    workspace.rng[0] = split(split(models.seed, move), UNTOLD)
    play(s, action, workspace.rng)
    particles.at[i] = move + 1


@rule
def update_models(model_probs, likelihoods):
    """The likelihood of a move of a seat, the mean over its models; `model_probs` becomes their posterior."""
    likelihood = 0.0
    for kind in range(len(model_probs)):
        likelihood += model_probs[kind] * likelihoods[kind]
    if likelihood > 0.0:
        for kind in range(len(model_probs)):
            model_probs[kind] *= likelihoods[kind] / likelihood
    return likelihood


@generic
def likelihood_of(s, asked, model, memory, models, workspace):
    """The likelihood of a move under a model of the seat, whose view is in the workspace; its memory goes on."""
    actions, rng, words, view = workspace.actions, workspace.rng, workspace.words, workspace.views[0]
    count = legal(s, actions)
    for word in range(len(memory)):
        words[word] = memory[word]
    hits = 0
    drew = False
    for number in range(asked.times):
        for word in range(len(memory)):
            memory[word] = words[word]
        start = split(split(models.seed, asked.move), number)
        rng[0] = start
        answer = ask(models.policies[model], view, asked.seat, actions[:count], memory, models.parameters[model], rng)
        workspace.answers[number] = answer
        if answer == asked.action:
            hits += 1
        if rng[0] == start:  # it drew nothing: it would always answer so
            break
        drew = True
    share = np.float64(hits)
    if drew and asked.times > 1:
        sure = agreement(workspace.answers, asked.times, count)
        share = sure * hits / asked.times + (1.0 - sure) / count
    return (1.0 - models.mistakes) * share + models.mistakes / count


@rule
def agreement(answers, asks, count):
    """How much the answers of a model agree: 1 if all are the same, 0 if no more than uniformly random moves would.

    A few answers say little about a policy that may do anything, so the moves that happen to be among them must not
    count as much as the answers of a policy that nearly always does the same.
    """
    same = 0
    for i in range(asks):
        for j in range(i):
            if answers[i] == answers[j]:
                same += 1
    pairs = asks * (asks - 1) / 2.0
    return max(0.0, (same / pairs - 1.0 / count) / (1.0 - 1.0 / count)) if count > 1 else 1.0


@rule
def free_slot(cache, slot, key):
    """Where new answers are kept; when the table is nearly full, it is emptied first."""
    if 4 * cache.used[0] > 3 * len(cache.keys):
        for i in range(len(cache.keys)):
            cache.keys[i] = np.uint64(0)
        cache.used[0] = 0
        slot = slot_of(cache.keys, key)
    cache.used[0] += 1
    cache.keys[slot] = key
    return slot


@rule
def copy_particle(particles, target, source):
    copy(particles.now[target], particles.now[source])
    copy(particles.states[target], particles.states[source])
    for move in range(particles.counts[source]):
        particles.moves[target, move] = particles.moves[source, move]
    for seat in range(particles.histories.shape[1]):
        particles.histories[target, seat] = particles.histories[source, seat]
        for kind in range(particles.memories.shape[2]):
            particles.model_probs[target, seat, kind] = particles.model_probs[source, seat, kind]
            for word in range(particles.memories.shape[3]):
                particles.memories[target, seat, kind, word] = particles.memories[source, seat, kind, word]
    particles.counts[target] = particles.counts[source]
    particles.at[target] = particles.at[source]
    particles.log_likelihood[target] = particles.log_likelihood[source]
    particles.numbers[target] = particles.numbers[source]


# --- all of them ----------------------------------------------------------------------------------


@rule
def weigh(log_likelihood, log_prior, n, weights):
    """Write the weights, scaled so that the largest is 1; returns (their sum, the effective sample size)."""
    most = -np.inf
    for i in range(n):
        most = max(most, log_likelihood[i] + log_prior[i])
    total = 0.0
    squares = 0.0
    for i in range(n):
        weights[i] = np.exp(log_likelihood[i] + log_prior[i] - most) if most > -np.inf else 1.0
        total += weights[i]
        squares += weights[i] * weights[i]
    return total, total * total / squares


@rule
def likelihood_of_last(particles, previous, n):
    """(The likelihood of the last move over all particles, the same divided by its largest in any particle.)"""
    most = -np.inf
    best = 0.0
    for i in range(n):
        most = max(most, previous[i] + particles.log_prior[i])
    then = 0.0
    now = 0.0
    for i in range(n):
        if previous[i] > -np.inf:
            then += np.exp(previous[i] + particles.log_prior[i] - most)
            now += np.exp(particles.log_likelihood[i] + particles.log_prior[i] - most)
            best = max(best, np.exp(particles.log_likelihood[i] - previous[i]))
    return now / then, now / then / best if best > 0.0 else 1.0


@rule
def resample(particles, n, workspace, total):
    """Systematic resampling: n particles drawn in proportion to their weights; afterwards all weigh the same."""
    weights, copies = workspace.weights, workspace.copies
    point = uniform(workspace.rng) * total / n
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
            copy_particle(particles, target, source)
    for i in range(n):
        particles.log_prior[i] = -particles.log_likelihood[i]


@generic
def rejuvenate(particles, n, config, models, workspace, seed):
    """A few Metropolis steps for every particle, so that copies made by resampling become different worlds again.

    A step (`vary`) is accepted by the ratio of the likelihoods of all moves so far. Where few steps are accepted, so
    that many particles are still copies of a few, there are more.
    """
    accepted = 0
    for step in range(MOST_REJUVENATION_ROUNDS * config.rejuvenation_steps):
        if step % config.rejuvenation_steps == 0 and accepted >= n:
            break
        for i in range(n):
            workspace.rng[0] = split(split(seed, i), step)
            needed = particles.log_likelihood[i] + np.log(1.0 - uniform(workspace.rng))
            copy(particles.now[n], particles.now[i])
            vary(particles.now[n], config.me, workspace.rng)
            rewind_particle(particles, n, models.seed)
            last = min(particles.at[i], particles.counts[n])
            while particles.at[n] < last and particles.log_likelihood[n] >= needed:
                advance(particles, n, config.me, False, models, workspace)
            if particles.log_likelihood[n] >= needed:
                particles.numbers[n] = -1
                copy_particle(particles, i, n)
                particles.log_prior[i] = -particles.log_likelihood[i]
                accepted += 1


@generic
def enumerate_worlds(root, config, particles, workspace, seed):
    """Write all worlds of the game's list that the seat's knowledge allows; returns how many, 0 for too many."""
    count = worlds(root, config.me)
    if count > config.limit:
        return 0
    n = 0
    for number in range(count):
        copy(particles.now[n], root)
        workspace.rng[0] = split(seed, number)
        weight = world(particles.now[n], config.me, number, workspace.rng)
        if weight > 0.0:
            particles.numbers[n] = -1 if workspace.rng[0] == split(seed, number) else number
            particles.log_prior[n] = np.log(weight)
            n += 1
    return n


@generic
def sample_worlds(root, config, particles, workspace, seed):
    for i in range(config.samples):
        copy(particles.now[i], root)
        workspace.rng[0] = split(seed, i)
        redeal(particles.now[i], config.me, workspace.rng)
        particles.numbers[i] = -1
        particles.log_prior[i] = 0.0
    return config.samples


@generic
def replay(particles, n, sampled, config, models, workspace, information):
    """Replay all worlds from the deal, move by move, and weight them by the likelihood of the moves."""
    for i in range(n):
        rewind_particle(particles, i, models.seed)
    for move in range(len(information)):
        under_way = False
        for i in range(n):
            workspace.previous[i] = particles.log_likelihood[i]
            if particles.at[i] == move and move < particles.counts[i] and particles.log_likelihood[i] > -np.inf:
                under_way = True
                advance(particles, i, config.me, False, models, workspace)
        if not under_way:
            break
        likelihood, information[move] = likelihood_of_last(particles, workspace.previous, n)
        if likelihood == 0.0:  # impossible in every particle: it carries no information
            for i in range(n):
                particles.log_likelihood[i] = workspace.previous[i]
        total, effective = weigh(particles.log_likelihood, particles.log_prior, n, workspace.weights)
        for i in range(n):
            if workspace.weights[i] < NEGLIGIBLE:
                particles.log_likelihood[i] = -np.inf
        if (
            sampled
            and config.rejuvenation_steps > 0
            and (2.0 * effective < n or likelihood < 2.0 * models.mistakes < 1.0)
        ):
            seed = split(split(models.seed, 3), move)
            workspace.rng[0] = seed
            resample(particles, n, workspace, total)
            rejuvenate(particles, n, config, models, workspace, seed)
    replay_own_memory(particles, n, config.me, models, workspace)


@generic
def replay_own_memory(particles, n, me, models, workspace):
    """The seat's own memory, which is the same in every world, as all that it has seen is."""
    copy(particles.now[n], particles.now[0])
    rewind_particle(particles, n, models.seed)
    while particles.at[n] < particles.counts[n]:
        advance(particles, n, me, True, models, workspace)
    for i in range(n):
        for kind in range(particles.memories.shape[2]):
            for word in range(particles.memories.shape[3]):
                particles.memories[i, me, kind, word] = particles.memories[n, me, kind, word]


@generic
def replay_nothing(particles, n, sampled, config, models, workspace, information):
    """In place of `replay`, where the game has no rule `rewind`: memories are fresh."""
    for i in range(n):
        reset_models(particles, i, models.seed)


@generic
def infer(roots, config, models, particles, workspace, information):
    """Fill `particles` and the workspace's weights; returns the number of worlds, negative if they were sampled.

    information   float64[longest]: the share of the worlds, by weight, that each move has left
    """
    n = enumerate_worlds(roots[0], config, particles, workspace, split(models.seed, 1))
    sampled = n == 0
    if sampled:
        n = sample_worlds(roots[0], config, particles, workspace, split(models.seed, 2))
    replay(particles, n, sampled, config, models, workspace, information)
    weigh(particles.log_likelihood, particles.log_prior, n, workspace.weights)
    return -n if sampled else n


# --- in Python ------------------------------------------------------------------------------------


@dataclass
class Posterior:
    """Possible worlds and their probabilities."""

    states: Any
    """Records[worlds]."""
    weights: Array
    """float64[worlds]: they add up to 1."""
    exact: bool
    """Whether these are all worlds there are."""
    information: Array
    """float64[moves so far]: the share of the worlds, by weight, that each move has left; 1: it told nothing."""
    moves: Array
    """int64[moves so far]: how the likeliest world came about."""
    observation_classes: Array
    """int64[worlds]: worlds have the same number if the other seats cannot tell them apart."""
    particles: Particles
    """The particles themselves; the next posterior of the same filter is written over them."""

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def effective(self) -> float:
        """The effective sample size."""
        return float(1.0 / (self.weights**2).sum())


class ParticleFilter:
    """Computes posteriors over the worlds of one game, given a model of each seat."""

    def __init__(
        self,
        game: Game,
        models: Sequence[PolicyAgent | Sequence[PolicyAgent]],
        worlds: int = 400,
        exact: int = 20_000,
        mistakes: float = 0.001,
        rejuvenation_steps: int = REJUVENATION_STEPS,
    ) -> None:
        """models: one for each seat, or one for all; instead of one agent there may be a sequence of several

        worlds               how many to sample where they cannot be listed
        exact                list all worlds where there are no more than this
        mistakes             the share of the others' moves that are just any legal ones; 1: they tell nothing
        rejuvenation_steps   Metropolis steps of each particle after resampling
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
                raise UserError(
                    "a model of a player is a compiled agent that does not cheat; {agent} is none", agent=agent
                )
        self.pointers, self.compiled = list[Any](), False
        memories = rows_of_bytes([np.zeros(1, agent.policy.memory) for agent in self.agents])
        self.words = memories.shape[1] // 8
        self.parameters = rows_of_bytes([agent.parameters for agent in self.agents])
        self.mistakes = float(mistakes)
        self.samples, self.limit, self.rejuvenation_steps = worlds, exact, rejuvenation_steps
        self.longest = game.longest if "rewind" in game.rules.given else 1
        self.particles = self.new_particles(max(worlds, exact) + 1)
        self.workspace = self.new_workspace(max(worlds, exact) + 1)

    def new_particles(self, n: int) -> Particles:
        game = self.game
        return Particles(
            now=new_records(game.rules.state, n),
            states=new_records(game.rules.state, n),
            moves=np.zeros((n, self.longest), np.int64),
            counts=np.zeros(n, np.int64),
            at=np.zeros(n, np.int64),
            memories=np.zeros((n, game.players, self.kinds, self.words), np.uint64),
            model_probs=np.ones((n, game.players, self.kinds)) / self.kinds,
            histories=np.zeros((n, game.players), np.uint64),
            log_likelihood=np.zeros(n),
            log_prior=np.zeros(n),
            numbers=np.zeros(n, np.int64),
        )

    def new_cache(self, n: int) -> ModelCache:
        most = CACHE_BYTES // (8 * self.kinds * (self.words + 1) + 8)
        slots = 1 << int(np.log2(min(most, ANSWERS * n)))
        return ModelCache(
            np.zeros(slots, np.uint64),
            np.zeros((slots, self.kinds)),
            np.zeros((slots, self.kinds, self.words), np.uint64),
            np.zeros(1, np.int64),
        )

    def new_workspace(self, n: int) -> FilterWorkspace:
        return FilterWorkspace(
            views=new_records(self.game.rules.view, 1),
            actions=np.zeros(self.game.most_actions, np.int64),
            words=np.zeros(self.words, np.uint64),
            answers=np.zeros(ASKS, np.int64),
            cache=self.new_cache(n),
            previous=np.zeros(n),
            weights=np.zeros(n),
            copies=np.zeros(n, np.int64),
            rng=stream(0),
        )

    def models(self, seed: int) -> Models:
        """As compiled code gets them."""
        if not self.compiled:
            found = {agent: agent.for_loop for agent in set(self.agents)}
            self.pointers = [found[agent] for agent in self.agents]
            self.compiled = not any(callable(pointer) for pointer in self.pointers)
        policies = as_policies(self.pointers)
        return Models(self.kinds, policies, self.parameters, self.mistakes, ASKS, np.uint64(seed))

    @property
    def kernel(self) -> Rule:
        """`infer` for this game."""
        tells = "rewind" in self.game.rules.given
        return self.game.rules.bind(infer, None if tells else {replay: replay_nothing})

    def belief(self, view: View) -> Posterior:
        """The posterior of the seat of this view."""
        roots = new_records(self.game.rules.state, 1)
        view.imagine(into=roots[0])
        information = np.ones(self.longest)
        config = FilterConfig(view.seat, self.limit, self.samples if self.game.hidden else 1, self.rejuvenation_steps)
        models = self.models(derive(view.seed, BELIEF))
        n = int(self.kernel(roots, config, models, self.particles, self.workspace, information))
        weights = self.workspace.weights[: abs(n)] / self.workspace.weights[: abs(n)].sum()
        likeliest = int(np.argmax(weights))
        moves = self.particles.moves[likeliest, : self.particles.counts[likeliest]].copy()
        others = [seat for seat in range(self.game.players) if seat != view.seat]
        _, observation_classes = np.unique(self.particles.histories[: abs(n), others], axis=0, return_inverse=True)
        return Posterior(
            self.particles.now[: abs(n)],
            weights,
            n > 0,
            information[: len(moves)],
            moves,
            observation_classes.reshape(-1),
            self.particles,
        )


def belief_from_behaviour(view: View, *models: PolicyAgent | Sequence[PolicyAgent], **settings: Any) -> Posterior:
    """The posterior of the seat of a view, if the others act like these agents: one for all seats, or one for each.

    Instead of one agent there may be several: then a posterior over them is kept as well.

    settings: those of `ParticleFilter`
    """
    return ParticleFilter(view.game, models, **settings).belief(view)
