"""A small game that offers everything to the laboratory: somebody to tune, a learner, a model."""

HIGHER = '''"""Higher: both say 0, 1 or 2 at once; the higher number wins."""

import numpy as np

from hiddenhand.author import OVER, Evolvable, Learners, Setting, define, policy, record_type, rule, uniform
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.policy import record_of
from hiddenhand.learning.evolution import ModelKind

STATE = record_type([("mover", "i8"), ("said", "i8", (2,))])
VIEW = record_type([("mover", "i8"), ("mine", "i8")])


@rule
def deal(s, rng):
    s.mover = 0
    s.said[0] = -1
    s.said[1] = -1


@rule
def turn(s):
    return OVER if s.mover == 2 else s.mover


@rule
def legal(s, out):
    for number in range(3):
        out[number] = number
    return 3


@rule
def play(s, action, rng):
    s.said[s.mover] = action
    s.mover += 1


@rule
def payoff(s, out):
    out[0] = float(np.sign(s.said[0] - s.said[1]))
    out[1] = -out[0]


@rule
def observe(s, seat, view):
    view.mover = s.mover
    view.mine = s.said[seat]


@rule
def redeal(s, seat, rng):
    for other in range(2):
        if other != seat and s.said[other] >= 0:
            s.said[other] = int(3 * uniform(rng))


@rule
def choice(boldness, rng):
    return 2 if uniform(rng) < boldness else 0


@policy("says 2 so often, otherwise 0", settings={"boldness": Setting(0.5, "how often", low=0.0, high=1.0)})
def bold(view, seat, actions, memory, parameters, rng):
    return choice(parameters.boldness, rng)


def read_file(game, file):
    return {"boldness": np.load(file)["boldness"] if file else np.float64(0.0)}


@policy("as it has learned", settings={"file": Setting("", "what it has learned", kind="file")}, knowledge=read_file)
def learned(view, seat, actions, memory, parameters, rng):
    return choice(parameters.boldness, rng)


@policy("as its gene says", reads=lambda game, text: {"boldness": np.float64(text)}, example="0.5")
def gene(view, seat, actions, memory, parameters, rng):
    return choice(parameters.boldness, rng)


class Learner:
    """Becomes bolder with every lesson."""

    name, summary, games, step, opponent = "learned", "becomes bolder", 2000, 500, "random"

    def __init__(self, game, seed, games):
        self.game, self.seed, self.wanted, self.done = game, seed, games, 0

    @property
    def boldness(self):
        return np.float64(self.done / self.wanted)

    def learn(self, games):
        self.done += games

    def snapshot(self):
        return {"done": np.array([self.done])}

    def restore(self, arrays):
        self.done = int(arrays["done"][0])

    def after_trial(self, mean):
        pass

    def save(self, path):
        np.savez(path, boldness=self.boldness)

    def player(self, best=False):
        boldness = self.boldness
        made = policy("so far", knowledge=lambda game: {"boldness": boldness})(learned.rule.plain)
        return PolicyAgent(self.game, made)


class Genes:
    """A genome is one number."""

    agent = "gene"

    def initial(self):
        return 0.0

    def mutate(self, genome, rng):
        return float(np.clip(genome + rng.normal(0.0, 0.2), 0.0, 1.0))

    def text(self, genome, exact=False):
        return repr(genome)

    def read(self, text):
        return float(text)

    def parameters(self, genome):
        return record_of({"boldness": np.float64(genome)})


GAME = define(
    "higher", title="Higher", about=__doc__, state=STATE, view=VIEW, hidden=True,
    rules=(deal, turn, legal, play, payoff, observe, redeal), agents=(bold, learned, gene),
    extras=(Learners({"learned": Learner}), Evolvable({"genes": ModelKind("one number", lambda game: Genes(), {})})),
    most_actions=3, longest=2,
)
'''
