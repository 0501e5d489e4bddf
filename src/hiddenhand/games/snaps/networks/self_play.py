"""How self_taught learns: it plays against itself and compares what it expected with what came of it.

In every game all four seats are played by the network as it is. Each decision between several actions becomes a
sample: what the player knew, the action, and a target, the payoff he got at the end mixed with what he expected at
his own later decisions (less depends on luck then: R. S. Sutton's TD(lambda), 1988; with reach = 1 it is the deep
Monte-Carlo learning of D. Zha and others, "DouZero", 2021). After every thousand games the network learns from the
samples of these games, once: the output of the chosen action is drawn towards the target. Only the rules are known:
no example, no advice.

To try out something new, actions are drawn in proportion to exp(value / temperature), so that those that look almost
as good are taken almost as often; now and then any action is. The player that comes of it is the average of the
network over its latest steps.
"""

import numpy as np

from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.encoding import encode
from hiddenhand.games.snaps.features import INPUTS, slots_of
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.networks.learner import NetworkLearner
from hiddenhand.games.snaps.networks.player import SIZES, read_answers
from hiddenhand.games.snaps.rules import legal, play, turn
from hiddenhand.games.snaps.stakes import payoff
from hiddenhand.games.snaps.state import deal
from hiddenhand.kernel import OVER, below, new_records, pick, rule, split, uniform
from hiddenhand.kernel.records import copy
from hiddenhand.learning.network import square_error

MOST_DECISIONS = 32  # in a game


@rule
def explore(values, temperature, boldness, rng):
    """Draw an action: mostly one of the best, with the probability `boldness` any."""
    if uniform(rng) < boldness:
        return below(rng, len(values))
    best = np.max(values)
    chances = np.empty(len(values))
    for i in range(len(values)):
        chances[i] = np.exp((values[i] - best) / temperature)
    return pick(rng, chances, len(values))


@rule
def play_game(states, views, network, temperature, boldness, reach, inputs, chosen, targets, count, rng):
    """Play one game; its samples are written from number `count` on. Returns how many there are then."""
    s, view = states[1], views[0]
    copy(s, states[0])
    deal(s, rng)
    actions = np.empty(CARDS, np.int64)
    slots = np.empty(CARDS, np.int64)
    values = np.empty(CARDS)
    movers = np.empty(MOST_DECISIONS, np.int64)
    expected = np.empty(MOST_DECISIONS)
    first = count
    while turn(s) != OVER:
        seat = turn(s)
        n = legal(s, actions)
        move = 0
        if n > 1:
            observe(s, seat, view)
            encode(view, seat, inputs[count])
            slots_of(view, seat, actions[:n], slots)
            read_answers(inputs[count], slots[:n], network, values)
            move = explore(values[:n], temperature, boldness, rng)
            chosen[count] = slots[move]
            movers[count - first] = seat
            expected[count - first] = values[move]
            count += 1
        play(s, actions[move], rng)
    gains = np.zeros(SEATS)
    payoff(s, gains)
    for i in range(count - 1, first - 1, -1):
        seat = movers[i - first]
        targets[i] = gains[seat]
        gains[seat] = reach * gains[seat] + (1.0 - reach) * expected[i - first]
    return count


@rule
def play_games(states, views, network, seed, first, games, temperature, boldness, reach, inputs, chosen, targets):
    """Play the games first .. first + games - 1 and write their samples; returns how many.

    states record[2]: blank, and room for a game; views record[1]; inputs float32[samples, INPUTS];
    chosen int64[samples]: outputs; targets float32[samples]
    """
    rng = np.zeros(1, np.uint64)
    count = 0
    for g in range(games):
        rng[0] = split(seed, first + g)
        count = play_game(states, views, network, temperature, boldness, reach, inputs, chosen, targets, count, rng)
    return count


class SelfTaught(NetworkLearner):
    """Learns from games against itself."""

    name = "self_taught"
    summary = "a network that has learned by playing against itself"
    games = 1_500_000
    rate = 1e-3  # of learning, at first; it falls to nothing
    temperature = 0.1  # at first; it falls to a fifth
    boldness = 0.02  # at first; it falls to nothing
    reach = 0.6

    def __init__(self, game, seed, games, sizes=SIZES):
        super().__init__(game, seed, games, sizes)
        self.states = new_records(game.state, 2)
        self.states[0] = game.blank()[0]
        self.views = new_records(game.view, 1)
        room = self.step * MOST_DECISIONS
        self.inputs = np.zeros((room, INPUTS), np.float32)
        self.chosen = np.zeros(room, np.int64)
        self.targets = np.zeros(room, np.float32)

    def lesson(self, games):
        left = 1.0 - self.done / self.wanted
        count = play_games(
            self.states, self.views, self.adam.network, np.uint64(self.seed), self.done, games,
            self.temperature * max(left, 0.2), self.boldness * left, self.reach,
            self.inputs, self.chosen, self.targets,
        )  # fmt: skip

        def loss(some):
            return lambda outputs: square_error(outputs, self.chosen[some], self.targets[some])

        self.descend(self.inputs[:count], loss, self.rate * left, [self.seed, self.done])
