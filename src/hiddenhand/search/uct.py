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

A node is found by the fingerprint of what identifies it: the state here, or what the mover knows in `ISMCTS`. Where
an action always leads to the same position, its edge remembers the node there, so that a known path is walked without
fingerprints or lists of legal actions. Chance is drawn, never searched.

`ISMCTS`, information-set Monte Carlo tree search, is UCT when things are hidden. Every simulation first redeals what
the searching seat cannot know, so the games are played in worlds that its knowledge allows. And a node is not a state
but what its mover knows: each player, the opponents too, chooses from its own knowledge and never from the cards that
happen to lie on this table. So no plan can rest on seeing through the cards (the flaw of `pimc`).
"""

from functools import cache
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

GROWTH = record_type([("nodes", "i8"), ("edges", "i8"), ("deepest", "i8")])
"""How many nodes and edges the tree has; the length of the longest path in it."""
NODE = record_type([("visits", "i8"), ("first", "i4"), ("count", "i4"), ("seat", "i4"), ("favourite", "i4")])
"""Its edges are `count` from `first` on, one for each legal action. seat: who moves. favourite: the number of the
action that the finisher would choose, or -1."""
EDGE = record_type(
    [("value", "f8"), ("width", "f8"), ("total", "f8"), ("visits", "i8"), ("action", "i4"), ("child", "i4")]
)
"""value: mean payoff of the mover, infinite while none is known; total: the sum. width: 1 / sqrt(visits). child: the
number of the node that the action always leads to, or UNLINKED."""
STEP = record_type([("node", "i4"), ("edge", "i4")])
UNLINKED = -1
TABLED = 1 << 17  # up to so many visits the root of their logarithm is looked up


class UctTree(NamedTuple):
    """What the simulations have found out so far."""

    keys: np.ndarray[Any, Any]  # uint64[a power of two]: fingerprints of the nodes, 0 where free
    places: np.ndarray[Any, Any]  # int64[len(keys)]: the number of the node with that fingerprint
    nodes: Any  # NODE[most nodes]
    edges: Any  # EDGE[most edges]
    growth: Any  # GROWTH[1]


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
    linked: bool  # an action always leads from a node to the same position: its edge remembers the node there
    exploration: float  # in payoffs
    rollout: int  # likely moves before EVAL; negative: to the end
    roots: np.ndarray[Any, Any]  # float64: sqrt(ln(n)) at place n


@cache
def roots_of_logarithms(count: int) -> np.ndarray[Any, Any]:
    """sqrt(ln(n)) for n below `count`; 0 for n = 0."""
    return np.sqrt(np.log(np.maximum(np.arange(count), 1)))


@inlined
def choose(edges, node, config, trust, rng):
    """The edge to follow: one never tried, first the favourite's, or the best by the formula."""
    edge = node.first + node.favourite
    if node.visits < node.count:
        if node.favourite >= 0 and edges[edge].visits == 0:
            return edge
        wanted = below(rng, node.count - node.visits)
        edge = node.first
        while edges[edge].visits != 0 or wanted > 0:
            if edges[edge].visits == 0:
                wanted -= 1
            edge += 1
        return edge
    visits = node.visits
    factor = config.exploration * (
        config.roots[visits] if visits < len(config.roots) else np.sqrt(np.log(np.float64(visits)))
    )
    best = node.first
    best_score = -np.inf
    for i in range(node.first, node.first + node.count):
        score = edges[i].value + factor * edges[i].width
        if score > best_score:
            best = i
            best_score = score
    if node.favourite >= 0:
        score = edges[edge].value + factor * edges[edge].width + trust / (edges[edge].visits + 1)
        if score > best_score:
            best = edge
    return best


@generic
def identify(s, seat, view, hidden):
    """The fingerprint of the node: of the state, or of the mover's knowledge; never 0, which means free."""
    if hidden:
        observe(s, seat, view)
        return digest(view, seat) | np.uint64(1)
    return digest(s, 0) | np.uint64(1)


@rule
def enter(tree, key, actions, count):
    """(The number of the node with this fingerprint, whether it is new); (-1, True) if the tree is full."""
    slot = slot_of(tree.keys, key)
    if tree.keys[slot] == key:
        return tree.places[slot], False
    number = tree.growth[0].nodes
    first = tree.growth[0].edges
    if number >= len(tree.nodes) or first + count > len(tree.edges):
        return -1, True
    tree.growth[0].nodes += 1
    tree.growth[0].edges += count
    tree.keys[slot] = key
    tree.places[slot] = number
    node = tree.nodes[number]
    node.visits = 0
    node.first = first
    node.count = count
    node.favourite = -1
    for i in range(count):
        edge = tree.edges[first + i]
        edge.value = np.inf
        edge.total = 0.0
        edge.visits = 0
        edge.width = 0.0
        edge.action = actions[i]
        edge.child = UNLINKED
    return number, True


@generic
def consult(s, seat, count, finisher, workspace):
    """What the finisher chooses here."""
    view = workspace.views[0]
    observe(s, seat, view)
    memory, own = finisher.memories[seat], finisher.parameters[0]
    return ask(finisher.policies[0], view, seat, workspace.actions[:count], memory, own, workspace.rng)


@generic
def finish(s, moves, finisher, workspace):
    """Play likely moves to the end of the game, or a limited number and then EVAL; writes the payoffs."""
    actions, chances, values, rng = workspace.actions, workspace.chances, workspace.values, workspace.rng
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
                consult(s, seat, count, finisher, workspace)
                if len(finisher.policies) > 0
                else likely(s, seat, actions, count, rng)
            )
        play(s, action, rng)


@generic
def favour(s, node, finisher, workspace):
    """Note what the finisher would choose at a new node."""
    if len(finisher.policies) > 0:
        action = consult(s, turn(s), node.count, finisher, workspace)
        for i in range(node.count):
            if workspace.actions[i] == action:
                node.favourite = i


@generic
def simulate(tree, workspace, finisher, config, simulations):
    """Run some simulations; the tree grows by at most one node each."""
    tree, finisher, config, workspace = unowned(tree), unowned(finisher), unowned(config), unowned(workspace)
    root, states, views, path, actions, chances, values, rng = workspace
    s = states[0]
    view = views[0]
    for _ in range(simulations):
        copy(s, root[0])
        if config.hidden:
            redeal(s, config.me, rng)
        steps = 0
        number = edge = UNLINKED
        while True:
            new = False
            if number == UNLINKED:
                seat = turn(s)
                if seat == OVER:
                    break
                count = legal(s, actions)
                if seat == CHANCE:
                    odds(s, chances)
                    play(s, actions[pick(rng, chances, count)], rng)
                    edge = UNLINKED
                    continue
                number, new = enter(tree, identify(s, seat, view, config.hidden), actions, count)
                if number < 0:
                    break
                if new:
                    tree.nodes[number].seat = seat
                    favour(s, tree.nodes[number], finisher, workspace)
                if config.linked and edge != UNLINKED:
                    tree.edges[edge].child = number
            edge = choose(tree.edges, tree.nodes[number], config, finisher.trust, rng)
            path[steps].node = number
            path[steps].edge = edge
            steps += 1
            play(s, np.int64(tree.edges[edge].action), rng)
            if new:
                break
            number = tree.edges[edge].child
        tree.growth[0].deepest = max(tree.growth[0].deepest, steps)
        finish(s, config.rollout, finisher, workspace)
        for i in range(steps):
            node = tree.nodes[path[i].node]
            step = tree.edges[path[i].edge]
            node.visits += 1
            step.visits += 1
            step.total += values[node.seat]
            step.value = step.total / step.visits
            step.width = 1.0 / np.sqrt(np.float64(step.visits))


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
                "the policy of {name} must be a compiled agent that does not cheat; {other} is none",
                name=self.name,
                other=name,
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
        nodes = min(simulations + 1, MOST_NODES)
        if self.tree is None or len(self.tree.nodes) != nodes:
            slots = 1 << int(np.ceil(np.log2(nodes * 1.4 + 16)))
            self.tree = UctTree(
                keys=np.zeros(slots, np.uint64),
                places=np.zeros(slots, np.int64),
                nodes=new_records(NODE, nodes),
                edges=new_records(EDGE, min(nodes * most, max(most, MEMORY // EDGE.itemsize))),
                growth=new_records(GROWTH, 1),
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

    def config(self, view: View) -> UctConfig:
        low, high = self.game.payoffs
        return UctConfig(
            me=view.seat,
            hidden=self.hidden,
            linked=not (self.hidden or self.game.chance.draws),
            exploration=self.exploration * (high - low) / 2,
            rollout=self.rollout,
            roots=roots_of_logarithms(TABLED),
        )

    def grow(self, view: View) -> tuple[UctTree, int]:
        """A tree grown from the view, and how many simulations were run."""
        clock = Clock(self.time)
        simulations = 1 << 62 if self.time > 0 else self.simulations
        tree, workspace = self.empty_tree(simulations), self.new_workspace(view)
        config = self.config(view)
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
        best = int(np.argmax(visits))
        action = view.legal_actions()[best]
        alternatives = [
            Alternative(a, view.action_name(a), float(means[i]), Text("{a} of {n} simulations", a=visits[i], n=done))
            for i, a in enumerate(view.legal_actions())
        ]
        line = self.likely_line(tree, view)
        return Decision(
            action,
            view.action_name(action),
            float(means[best]),
            alternatives=alternatives,
            line=line,
            counts={"simulations": done, "nodes": int(tree.growth[0].nodes), "depth": int(tree.growth[0].deepest)},
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
        node = tree.nodes[tree.places[slot]]
        edges = tree.edges[node.first : node.first + node.count]
        return edges.visits, np.where(edges.visits > 0, edges.value, 0.0)

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
            self.game.rules.legal(state, actions)
            action = int(actions[np.argmax(node[0])])
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


class ISMCTS(UCT):
    """Monte Carlo tree search over what the players know."""

    name = "ismcts"
    summary = Text("plays games in its head, each in another world that is possible (information-set Monte Carlo)")
    hidden = True

    @classmethod
    def refuses(cls, game: Game) -> str:
        return "" if game.hidden else Text("nothing is hidden in it; use uct")
