"""UCT: Monte Carlo tree search. Play thousands of games from here, and trust the moves that did well.

Each simulation starts in the present position and walks down the part of the tree seen so far, choosing at every node
the action with the highest

    mean payoff of the mover + exploration * sqrt(ln(visits of the node) / visits of the action);

the first new node is added, and the game is finished by random moves, or by those that the game calls `likely` (or
EVAL answers at once). The payoffs are then entered along the path, for each mover its own: so it works for any number
of players and any payoffs.

A game may be finished by an agent instead, a compiled one, which the game declares (`finisher`) or the user names.
The move that this agent would choose then has `trust / (visits + 1)` added in the formula: another one is preferred
only when it has shown itself to be better.

A node is found by the fingerprint of what identifies it: the state here, or what the mover knows in `ismcts`. Chance
is drawn, never searched.
"""

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.decision import Alternative, Decision, ranked
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, search_defaults
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import (
    CHANCE,
    OVER,
    below,
    copy,
    derive,
    digest,
    generic,
    inlined,
    new_records,
    pick,
    record_type,
    rule,
    stream,
    unowned,
)
from hiddenhand.kernel.contract import evaluate, legal, likely, observe, odds, payoff, play, redeal, turn
from hiddenhand.kernel.loop import as_policies, ask, rows_of_bytes
from hiddenhand.kernel.records import slot_of
from hiddenhand.search.clock import Clock, rehearse
from hiddenhand.search.tree_search import searches_for

# a full tree grows no more, but its numbers go on improving
MOST_NODES = 700_000
MEMORY = 1 << 29  # bytes for the tree at most
LIKELY = "likely"  # no agent finishes the games, but moves that the game calls so

GROWTH = record_type([("nodes", "i8"), ("deepest", "i8")])  # nodes in the tree; length of the longest path in it
STEP = record_type([("node", "i8"), ("number", "i8"), ("seat", "i8")])  # where, which of the actions, who chose it


class UctTree(NamedTuple):
    """What the simulations have found out so far."""

    keys: np.ndarray[Any, Any]  # uint64[a power of two]: fingerprints of the nodes, 0 where free
    places: np.ndarray[Any, Any]  # int64[len(keys)]: the number of the node with that fingerprint
    visits: np.ndarray[Any, Any]  # int64[nodes, most actions]
    totals: np.ndarray[Any, Any]  # float64[nodes, most actions]: payoffs of the mover
    growth: Any  # GROWTH[1]
    favourites: np.ndarray[Any, Any]  # int64[nodes]: the number of the action that the finisher would choose, or -1


class Finisher(NamedTuple):
    """The agent that finishes games, as the match loop knows agents; there may be none."""

    policies: Any  # int64[0 or 1]
    parameters: np.ndarray[Any, Any]  # uint8[1, most]
    memories: np.ndarray[Any, Any]  # uint64[seats, most]
    trust: float


class UctWorkspace(NamedTuple):
    """Where a simulation is played."""

    root: Any  # record[1]: the present position
    states: Any  # record[1]: the position in the simulated game
    views: Any  # view record[1]
    path: Any  # STEP[longest + 1]: through the tree
    actions: np.ndarray[Any, Any]
    chances: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]
    rng: np.ndarray[Any, Any]


class UctConfig(NamedTuple):
    """How to simulate."""

    me: int  # the seat that searches
    hidden: bool  # redeal what `me` cannot know, and tell nodes apart by the mover's knowledge
    exploration: float  # in payoffs
    rollout: int  # likely moves before EVAL; negative: to the end


@rule
def choose(visits, totals, count, exploration, favourite, trust, rng):
    """The number of the action to follow: one never tried, drawn at random, or the best by the formula."""
    if favourite >= 0 and visits[favourite] == 0:
        return favourite
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
        if i == favourite:
            score += trust / (visits[i] + 1)
        if score > best_score:
            best_score = score
            best = i
    return best


@generic
def identify(s, seat, view, hidden):
    """The fingerprint of the node: of the state, or of the mover's knowledge; never 0, which means free."""
    if hidden:
        observe(s, seat, view)
        return digest(view, seat) | np.uint64(1)
    return digest(s, 0) | np.uint64(1)


@inlined
def enter(tree, key):
    """(The number of the node with this fingerprint, whether it is new); (-1, True) if the tree is full."""
    slot = slot_of(tree.keys, key)
    if tree.keys[slot] == key:
        return tree.places[slot], False
    node = tree.growth[0].nodes
    if node >= len(tree.visits):
        return -1, True
    tree.growth[0].nodes += 1
    tree.keys[slot] = key
    tree.places[slot] = node
    tree.favourites[node] = -1
    for i in range(tree.visits.shape[1]):  # left from an earlier decision
        tree.visits[node, i] = 0
        tree.totals[node, i] = 0.0
    return node, True


@generic
def consult(s, seat, view, actions, count, finisher, rng):
    """What the finisher chooses here."""
    observe(s, seat, view)
    memory, own = finisher.memories[seat], finisher.parameters[0]
    return ask(finisher.policies[0], view, seat, actions[:count], memory, own, rng)


@generic
def finish(s, view, actions, chances, values, moves, finisher, rng):  # noqa: PLR0913  (borrowed room)
    """Play likely moves to the end of the game, or a limited number and then EVAL; writes the payoffs."""
    left = moves
    for seat in range(len(finisher.memories)):
        for i in range(finisher.memories.shape[1]):
            finisher.memories[seat, i] = 0
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
            action = (
                consult(s, seat, view, actions, count, finisher, rng)
                if len(finisher.policies) > 0
                else likely(s, seat, actions, count, rng)
            )
        play(s, action, rng)


@generic
def favour(s, view, tree, node, actions, count, finisher, rng):  # noqa: PLR0913  (borrowed room)
    """Note what the finisher would choose at a new node."""
    if len(finisher.policies) > 0:
        action = consult(s, turn(s), view, actions, count, finisher, rng)
        for i in range(count):
            if actions[i] == action:
                tree.favourites[node] = i


@generic
def simulate(tree, workspace, finisher, config, simulations):
    """Run some simulations; the tree grows by at most one node each."""
    root, s, view, path = workspace.root[0], workspace.states[0], workspace.views[0], workspace.path
    actions, chances, values, rng = (
        unowned(workspace.actions),
        unowned(workspace.chances),
        unowned(workspace.values),
        unowned(workspace.rng),
    )
    visits, totals = unowned(tree.visits), unowned(tree.totals)
    tree = UctTree(unowned(tree.keys), unowned(tree.places), visits, totals, tree.growth, unowned(tree.favourites))
    parameters, memories = unowned(finisher.parameters), unowned(finisher.memories)
    finisher = Finisher(finisher.policies, parameters, memories, finisher.trust)
    for _ in range(simulations):
        copy(s, root)
        if config.hidden:
            redeal(s, config.me, rng)
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
            node, new = enter(tree, identify(s, seat, view, config.hidden))
            if node < 0:
                break
            if new:
                favour(s, view, tree, node, actions, count, finisher, rng)
            favourite = tree.favourites[node]
            number = choose(visits[node], totals[node], count, config.exploration, favourite, finisher.trust, rng)
            path[steps].node = node
            path[steps].number = number
            path[steps].seat = seat
            steps += 1
            play(s, actions[number], rng)
            if new:
                break
        tree.growth[0].deepest = max(tree.growth[0].deepest, steps)
        finish(s, view, actions, chances, values, config.rollout, finisher, rng)
        for i in range(steps):
            step = path[i]
            visits[step.node, step.number] += 1
            totals[step.node, step.number] += values[step.seat]


class UCT(Agent):
    """Monte Carlo tree search for games that hide nothing."""

    name = "uct"
    summary = Text("plays games in its head, most of them along the best moves so far (Monte Carlo tree search)")
    hidden = False
    heavy = True
    settings = {
        "simulations": Setting(1000, Text("simulated games for a decision"), low=1, ceiling=200_000),
        "time": Setting(0.0, Text("seconds for a decision instead; 0: count simulations"), low=0.0, ceiling=10.0),
        "exploration": Setting(
            1.4, Text("how much untried moves attract it, in halves of the range of payoffs"), low=0.0
        ),
        "rollout": Setting(
            -1, Text("moves after which a game in its head is evaluated by an estimate; -1: never"), low=-1
        ),
        "policy": Setting(
            "",
            Text(
                "the agent that finishes the games in its head; likely: none; left out: the one that the game names"
            ),
            kind="agent",
            suggestions=(LIKELY,),
        ),
        "trust": Setting(20.0, Text("how much the moves which that agent would choose attract it"), low=0.0),
    }
    simulations: int
    time: float
    exploration: float
    rollout: int
    policy: str
    trust: float
    tree: UctTree | None = None
    """Kept between decisions, since giving memory back takes time."""

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.finisher = self.find_finisher()
        if self.time > 0:
            rehearse(self)

    @classmethod
    def refuses(cls, game: Game) -> str:
        return Text("it has hidden information; use {agent}", agent=searches_for(game)) if game.hidden else ""

    def find_finisher(self) -> PolicyAgent | None:
        """Who finishes the games."""
        name = self.policy or search_defaults(self.game).rollout_policy or LIKELY
        if name == LIKELY:
            return None
        found = resolver.agent(self.game, name)
        if not isinstance(found, PolicyAgent) or found.cheats:
            raise UserError(
                Text(
                    "the policy of {name} must be a compiled agent that does not cheat; {other} is none",
                    name=self.name,
                    other=name,
                )
            )
        return found

    def new_finisher(self) -> Finisher:
        if self.finisher is None:
            none = np.zeros((1, 8), np.uint8)
            return Finisher(as_policies([]), none, np.zeros((self.game.players, 1), np.uint64), 0.0)
        memory = rows_of_bytes([np.zeros(1, self.finisher.policy.memory)])
        low, high = self.game.payoffs
        return Finisher(
            as_policies([self.finisher.for_loop]),
            rows_of_bytes([self.finisher.parameters]),
            np.zeros((self.game.players, memory.shape[1] // 8), np.uint64),
            self.trust * (high - low) / 2,
        )

    def empty_tree(self, simulations: int) -> UctTree:
        """An empty tree for `simulations` simulations, or for fewer if memory does not allow it."""
        most = self.game.most_actions
        nodes = min(simulations + 1, MEMORY // (16 * most), MOST_NODES)
        if self.tree is None or len(self.tree.visits) != nodes:
            slots = 1 << int(np.ceil(np.log2(nodes * 1.4 + 16)))
            self.tree = UctTree(
                keys=np.zeros(slots, np.uint64),
                places=np.zeros(slots, np.int64),
                visits=np.zeros((nodes, most), np.int64),
                totals=np.zeros((nodes, most)),
                growth=new_records(GROWTH, 1),
                favourites=np.full(nodes, -1, np.int64),
            )
        self.tree.keys.fill(0)
        self.tree.growth[0] = 0
        return self.tree

    def new_workspace(self, view: View) -> UctWorkspace:
        game = self.game
        root = new_records(game.rules.state, 1)
        view.imagine(into=root[0])
        return UctWorkspace(
            root=root,
            states=new_records(game.rules.state, 1),
            views=new_records(game.rules.view, 1),
            path=new_records(STEP, game.longest + 1),
            actions=np.zeros(game.most_actions, np.int64),
            chances=np.zeros(game.most_actions),
            values=np.zeros(game.players),
            rng=stream(derive(view.seed, 1)),
        )

    def grow(self, view: View) -> tuple[UctTree, int]:
        """A tree grown from the view, and how many simulations were run."""
        clock = Clock(self.time)
        simulations = 1 << 62 if self.time > 0 else self.simulations
        tree, workspace = self.empty_tree(simulations), self.new_workspace(view)
        low, high = self.game.payoffs
        config = UctConfig(view.seat, self.hidden, self.exploration * (high - low) / 2, self.rollout)
        kernel, finisher = self.game.rules.bind(simulate), self.new_finisher()

        def run(amount: int) -> int:
            kernel(tree, workspace, finisher, config, amount)
            return amount

        done = 0
        while done < simulations and not (done > 0 and clock.expired()):
            done += clock.run(run, most=simulations - done)
        return tree, done

    def decide(self, view: View) -> Decision:
        tree, done = self.grow(view)
        node = self.at(tree, view.imagine(), view.seat)
        assert node is not None  # the first simulation made it
        visits, means = node
        counts = visits[: len(view.actions)]
        best = int(np.argmax(counts))
        action = view.actions[best]
        alternatives = [
            Alternative(a, view.text(a), float(means[i]), Text("{a} of {n} simulations", a=counts[i], n=done))
            for i, a in enumerate(view.actions)
        ]
        line = self.likely_line(tree, view)
        return Decision(
            action,
            view.text(action),
            float(means[best]),
            alternatives=alternatives,
            line=line,
            counts={
                "simulations": done,
                "nodes": int(tree.growth[0].nodes),
                "depth": int(tree.growth[0].deepest),
            },
            reasons=self.reasons(alternatives, best, line, done),
        )

    def at(
        self, tree: UctTree, state: np.record, seat: int
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
        """(visits, mean payoffs) of the actions at a node of the tree; None if it was never reached."""
        view = new_records(self.game.rules.view, 1)[0]
        key = self.game.rules.bind(identify)(state, seat, view, self.hidden)
        slot = slot_of(tree.keys, np.uint64(key))
        if tree.keys[slot] != key:
            return None
        node = tree.places[slot]
        visits = tree.visits[node]
        return visits, tree.totals[node] / np.maximum(visits, 1)

    def likely_line(self, tree: UctTree, view: View) -> list[str]:
        """The moves visited most, as long as the tree knows them and neither chance nor hidden things interfere."""
        state = view.imagine()
        line: list[str] = []
        actions = np.zeros(self.game.most_actions, np.int64)
        while len(line) < 12:
            seat = int(self.game.rules.turn(state))
            node = self.at(tree, state, seat) if seat >= 0 else None
            if node is None or not node[0].any() or (self.hidden and line):
                break
            count = self.game.rules.legal(state, actions)
            action = int(actions[np.argmax(node[0][:count])])
            line.append(self.game.people.action_name(state, action))
            self.game.rules.play(state, action, stream(0))
        return line

    def reasons(self, alternatives: list[Alternative], best: int, line: list[str], done: int) -> list[str]:
        chosen = alternatives[best]
        others = [a for a in ranked(alternatives) if a is not chosen]
        reasons: list[str] = [
            Text(
                "I played {n:,} games in my head from here; {move} was followed in {a} of them and "
                "brought {value:+.3f} on average.",
                n=done,
                move=chosen.text,
                a=chosen.note.split(" of ")[0],
                value=chosen.value,
            )
        ]
        if len(line) > 1:
            reasons.append(Text("The line visited most is {line}.", line=" ".join(line[:8])))
        if others:
            rival = others[0]
            reasons.append(
                Text(
                    "The best other move, {move}, brought {value:+.3f} ({note}).",
                    move=rival.text,
                    value=rival.value,
                    note=rival.note,
                )
            )
        else:
            reasons.append(Text("It is the only legal move."))
        return reasons
