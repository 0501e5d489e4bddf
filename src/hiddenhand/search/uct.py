"""UCT: Monte Carlo tree search. Play thousands of games from here, and trust the moves that did well.

Each simulation starts in the present position and walks down the part of the tree seen so far, choosing at every node
the action with the highest

    mean payoff of the mover + exploration * sqrt(ln(visits of the node) / visits of the action);

the first new node is added, and the game is finished by random moves, or by those that the game calls `likely` (or
EVAL answers at once). The payoffs are then entered along the path, for each mover its own: so it works for any number
of players and any payoffs.

A node is found by the fingerprint of what identifies it: the state here, or what the mover knows in `ismcts`. Chance
is drawn, never searched.
"""

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Alternative, Decision, ranked
from hiddenhand.core.settings import Setting
from hiddenhand.kernel import CHANCE, OVER, below, derive, digest, generic, new_records, pick, rule, stream
from hiddenhand.kernel.contract import evaluate, legal, likely, observe, odds, payoff, play, redeal, turn
from hiddenhand.kernel.records import copy
from hiddenhand.search.clock import Clock, rehearse

# a full tree grows no more, but its numbers go on improving
MOST_NODES = 700_000
MEMORY = 1 << 29  # bytes for the tree at most


@rule
def find(keys, key):
    """The slot of a key, or the free slot where it belongs."""
    slot = key & np.uint64(len(keys) - 1)
    while keys[slot] != key and keys[slot] != np.uint64(0):
        slot = (slot + np.uint64(1)) & np.uint64(len(keys) - 1)
    return np.int64(slot)


@rule
def choose(visits, totals, count, exploration, rng):
    """The number of the action to follow: one never tried, drawn at random, or the best by the formula."""
    untried = 0
    tried = 0
    for i in range(count):
        if visits[i] == 0:
            untried += 1
        tried += visits[i]
    if untried > 0:
        wanted = below(rng, untried)
        for i in range(count):
            if visits[i] == 0:
                if wanted == 0:
                    return i
                wanted -= 1
    logarithm = np.log(np.float64(tried))
    best = 0
    best_score = -np.inf
    for i in range(count):
        score = totals[i] / visits[i] + exploration * np.sqrt(logarithm / visits[i])
        if score > best_score:
            best_score = score
            best = i
    return best


@generic
def identify(s, seat, views, hidden):
    """The fingerprint of the node: of the state, or of the mover's knowledge; never 0, which means free."""
    if hidden:
        observe(s, seat, views[0])
        return digest(views[0], seat) | np.uint64(1)
    return digest(s, 0) | np.uint64(1)


@generic
def finish(s, actions, chances, rng, moves, values):
    """Likely moves to the end of the game, or so many and then EVAL; writes the payoffs."""
    left = moves
    while True:
        seat = turn(s)
        if seat == OVER:
            payoff(s, values)
            return
        if left == 0:
            evaluate(s, values)
            return
        left -= 1
        count = legal(s, actions)
        if seat == CHANCE:
            odds(s, chances)
            action = actions[pick(rng, chances, count)]
        else:
            action = likely(s, seat, actions, count, rng)
        play(s, action, rng)


@generic
def simulate(
    root,  # record[1]: the present position
    states,  # record[1]: room
    views,  # view record[1]: room
    me,  # the seat that searches
    hidden,  # whether to redeal what `me` cannot know, and to tell nodes apart by the mover's knowledge
    simulations,  # how many to run now
    exploration,
    rollout,  # likely moves before EVAL; negative: to the end
    keys,  # uint64[a power of two]: fingerprints of the nodes, 0 where free
    places,  # int64[len(keys)]: the number of the node with that fingerprint
    visits,  # int64[nodes, most actions]
    totals,  # float64[nodes, most actions]: payoffs of the mover
    counters,  # int64[2]: nodes in the tree; deepest path
    path,  # int64[longest + 1, 3]: node, number of the action, mover
    actions,
    chances,
    values,
    rng,
):
    """Run some simulations; the tree grows by at most one node each."""
    s = states[0]
    for _ in range(simulations):
        copy(s, root[0])
        if hidden:
            redeal(s, me, rng)
        steps = 0
        while True:
            seat = turn(s)
            if seat == OVER:
                break
            count = legal(s, actions)
            if seat == CHANCE:
                odds(s, chances)
                play(s, actions[pick(rng, chances, count)], rng)
                continue
            key = identify(s, seat, views, hidden)
            slot = find(keys, key)
            new = keys[slot] != key
            if new:
                if counters[0] >= len(visits):
                    break
                keys[slot] = key
                places[slot] = counters[0]
                for i in range(visits.shape[1]):  # left from an earlier decision
                    visits[counters[0], i] = 0
                    totals[counters[0], i] = 0.0
                counters[0] += 1
            node = places[slot]
            number = choose(visits[node], totals[node], count, exploration, rng)
            path[steps, 0] = node
            path[steps, 1] = number
            path[steps, 2] = seat
            steps += 1
            play(s, actions[number], rng)
            if new:
                break
        counters[1] = max(counters[1], steps)
        finish(s, actions, chances, rng, rollout, values)
        for i in range(steps):
            visits[path[i, 0], path[i, 1]] += 1
            totals[path[i, 0], path[i, 1]] += values[path[i, 2]]


class UCT(Agent):
    """Monte Carlo tree search for games that hide nothing."""

    name = "uct"
    summary = "Monte Carlo tree search: thousands of simulated games, most of them along the best moves"
    hidden = False
    tree = None
    heavy = True
    settings = {
        "simulations": Setting(1000, "simulated games for a decision", low=1),
        "time": Setting(0.0, "seconds for a decision instead; 0: count simulations", low=0.0),
        "exploration": Setting(1.4, "how much untried moves attract, in units of half the range of payoffs", low=0.0),
        "rollout": Setting(-1, "random (or likely) moves before EVAL is asked; -1: play to the end", low=-1),
    }

    def __init__(self, game, **values):
        super().__init__(game, **values)
        if self.time > 0:
            rehearse(self)

    @classmethod
    def refuses(cls, game):
        return "it has hidden information; use ismcts or pimc" if game.hidden else ""

    def rooms(self, simulations):
        """The tree's arrays, and room to work in: kept between decisions, since giving memory back takes time."""
        most = self.game.most_actions
        nodes = min(simulations + 1, MEMORY // (16 * most), MOST_NODES)
        if self.tree is None or len(self.tree["visits"]) != nodes:
            self.tree = self.new_rooms(nodes, most)
        self.tree["keys"].fill(0)
        self.tree["counters"].fill(0)
        return self.tree

    def new_rooms(self, nodes, most):
        slots = 1 << int(np.ceil(np.log2(nodes * 1.4 + 16)))
        return {
            "keys": np.zeros(slots, np.uint64),
            "places": np.zeros(slots, np.int64),
            "visits": np.zeros((nodes, most), np.int64),
            "totals": np.zeros((nodes, most)),
            "counters": np.zeros(2, np.int64),
            "path": np.zeros((self.game.longest + 1, 3), np.int64),
            "actions": np.zeros(most, np.int64),
            "chances": np.zeros(most),
            "values": np.zeros(self.game.players),
        }

    def grow(self, view):
        """Grow a tree from the view; returns its arrays and how many simulations were run."""
        game, clock = self.game, Clock(self.time)
        simulations = 1 << 62 if self.time > 0 else self.simulations
        tree = self.rooms(simulations)
        root, states, views = new_records(game.state, 1), new_records(game.state, 1), new_records(game.view, 1)
        view.imagine(into=root[0])
        low, high = game.payoffs
        exploration = self.exploration * (high - low) / 2
        rng = stream(derive(view.seed, 1))
        kernel = game.bind(simulate)

        def run(amount):
            kernel(
                root, states, views, view.seat, self.hidden, amount, exploration, self.rollout, *tree.values(), rng
            )
            return amount

        done = 0
        while done < simulations and not (done > 0 and clock.expired()):
            done += clock.run(run, most=simulations - done)
        return tree, done

    def decide(self, view):
        tree, done = self.grow(view)
        visits, means = self.at(tree, view.imagine(), view.seat)
        counts = visits[: len(view.actions)]
        best = int(np.argmax(counts))
        action = view.actions[best]
        alternatives = [
            Alternative(a, view.text(a), float(means[i]), f"{counts[i]} of {done} simulations")
            for i, a in enumerate(view.actions)
        ]
        line = self.likely_line(tree, view)
        return Decision(
            action,
            view.text(action),
            float(means[best]),
            alternatives=alternatives,
            line=line,
            counts={"simulations": done, "nodes": int(tree["counters"][0]), "depth": int(tree["counters"][1])},
            reasons=self.reasons(view, action, alternatives, line, done),
        )

    def at(self, tree, state, seat):
        """(visits, mean payoffs) of the actions at a node of the tree; None if it was never reached."""
        views = new_records(self.game.view, 1)
        key = self.game.bind(identify)(state, seat, views, self.hidden)
        slot = find(tree["keys"], np.uint64(key))
        if tree["keys"][slot] != key:
            return None
        node = tree["places"][slot]
        visits = tree["visits"][node]
        return visits, tree["totals"][node] / np.maximum(visits, 1)

    def likely_line(self, tree, view):
        """The moves visited most, as long as the tree knows them and neither chance nor hidden things interfere."""
        state, line = view.imagine(), []
        actions = np.zeros(self.game.most_actions, np.int64)
        while len(line) < 12:
            seat = int(self.game.rules.turn(state))
            node = self.at(tree, state, seat) if seat >= 0 else None
            if node is None or not node[0].any() or (self.hidden and line):
                break
            count = self.game.rules.legal(state, actions)
            action = int(actions[np.argmax(node[0][:count])])
            line.append(self.game.text(state, action))
            self.game.rules.play(state, action, stream(0))
        return line

    def reasons(self, view, action, alternatives, line, done):
        chosen = next(a for a in alternatives if a.action == action)
        others = [a for a in ranked(alternatives) if a.action != action]
        reasons = [
            f"I played {done:,} games in my head from here; {chosen.text} was followed in "
            f"{chosen.note.split(' of ')[0]} of them and brought {chosen.value:+.3f} on average."
        ]
        if len(line) > 1:
            reasons.append(f"The line visited most is {' '.join(line[:8])}.")
        if others:
            rival = others[0]
            reasons.append(f"The best other move, {rival.text}, brought {rival.value:+.3f} ({rival.note}).")
        else:
            reasons.append("It is the only legal move.")
        return reasons
