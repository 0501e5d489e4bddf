"""How self_taught learns: it plays against itself and compares what it expected with what came of it.

In every game all four seats are played by the network as it is. Each decision between several actions becomes a
sample: what the player knew, the action, and the payoff he got at the end. After every thousand games the network
learns from the samples of these games, once: the output of the chosen action is drawn towards the payoff (deep
Monte-Carlo learning, as in D. Zha and others, "DouZero", 2021). Only the rules are known: no example, no advice.

To try out something new, actions are drawn in proportion to exp(value / temperature), so that those that look almost
as good are taken almost as often; now and then any action is. The player that comes of it is the average of the
network over its latest steps.
"""

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.policy import Policy
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.features import INPUTS, OUTPUTS, encode, slots_of
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.learned import keep
from hiddenhand.games.snaps.rules import deal, legal, payoff, play, turn
from hiddenhand.games.snaps.self_taught import SIZES, self_taught
from hiddenhand.kernel import OVER, below, new_records, pick, rule, split, stream, uniform
from hiddenhand.kernel.records import copy
from hiddenhand.learning.network import Adam, new_network, respond, square_error

MOST_DECISIONS = 32
BATCH = 256


@rule
def explore(values, n, temperature, boldness, rng):
    """Draw one of n actions: mostly one of the best, rarely any."""
    if uniform(rng) < boldness:
        return below(rng, n)
    best = values[0]
    for i in range(n):
        best = max(best, values[i])
    chances = np.empty(n)
    for i in range(n):
        chances[i] = np.exp((values[i] - best) / temperature)
    return pick(rng, chances, n)


@rule
def play_one(states, views, network, seed, temperature, boldness, inputs, chosen, targets, count, trust, rng):
    """One game; its samples are written from `count` on. Returns how many there are then."""
    s, view = states[1], views[0]
    copy(s, states[0])
    rng[0] = seed
    deal(s, rng)
    actions = np.empty(CARDS, np.int64)
    slots = np.empty(CARDS, np.int64)
    values = np.empty(CARDS)
    outputs = np.empty(OUTPUTS, network.dtype)
    movers = np.empty(MOST_DECISIONS, np.int64)
    guesses = np.empty(MOST_DECISIONS)
    first = count
    while turn(s) != OVER:
        seat = turn(s)
        n = legal(s, actions)
        move = 0
        if n > 1:
            observe(s, seat, view)
            encode(view, seat, inputs[count])
            slots_of(view, seat, actions[:n], slots)
            respond(network, inputs[count], outputs)
            for i in range(n):
                values[i] = outputs[slots[i]]
            move = explore(values, n, temperature, boldness, rng)
            chosen[count] = slots[move]
            movers[count - first] = seat
            guesses[count - first] = values[move]
            count += 1
        play(s, actions[move], rng)
    gains = np.zeros(SEATS)
    payoff(s, gains)
    for i in range(count - 1, first - 1, -1):
        seat = movers[i - first]
        targets[i] = gains[seat]
        gains[seat] = trust * gains[seat] + (1.0 - trust) * guesses[i - first]
    return count


@rule
def play_many(states, views, network, seed, first, games, temperature, boldness, inputs, chosen, targets, trust, rng):
    """Play games number first .. first + games - 1 and write their samples; returns how many."""
    count = 0
    for g in range(games):
        count = play_one(
            states, views, network, split(seed, first + g), temperature, boldness, inputs, chosen, targets, count,
            trust, rng,
        )  # fmt: skip
    return count


class SelfTaught:
    """A learner that can be stopped at any time and go on later (see `hiddenhand.lab.training`)."""

    name = "self_taught"
    summary = "a network that has learned by playing against itself"
    games = 1_500_000
    rate = 1e-3  # of learning, at first; it falls to nothing
    temperature = 0.1
    boldness = 0.02
    trust = 1.0

    def __init__(self, game, seed, games, sizes=SIZES):
        self.game = game
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.adam = Adam(new_network(sizes, seed))
        self.states = new_records(game.state, 2)
        self.states[0] = game.blank()[0]
        self.views = new_records(game.view, 1)
        self.losses = []

    def learn(self, games):
        room = games * MOST_DECISIONS
        if not hasattr(self, 'room') or len(self.room[0]) < room:
            self.room = np.empty((room, INPUTS), np.float32), np.empty(room, np.int64), np.empty(room, np.float32)
        inputs, chosen, targets = self.room
        left = 1.0 - self.done / self.wanted
        count = play_many(
            self.states, self.views, self.adam.network, np.uint64(self.seed), self.done, games,
            self.temperature * max(left, 0.2), self.boldness * left, inputs, chosen, targets, self.trust, stream(0),
        )  # fmt: skip
        order = np.random.default_rng([self.seed, self.done]).permutation(count)
        losses = []
        for at in range(0, count - BATCH + 1, BATCH):
            some = order[at : at + BATCH]
            loss = lambda outputs: square_error(outputs, chosen[some], targets[some])
            losses.append(self.adam.descend(inputs[some], loss, self.rate * left))
        self.losses.append(np.mean(losses) if losses else 0)
        self.done += games
        return count

    def player(self, best=False):
        network = self.adam.mean.astype(np.float64)
        return PolicyAgent(self.game, Policy(self_taught.function, self.summary, {}, 0, False, lambda game: network))
