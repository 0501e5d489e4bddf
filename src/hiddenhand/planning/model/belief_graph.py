"""The belief graph: beliefs as numbered nodes, and where every legal action leads from each of them.

A node is expanded once, whole layers at a time, in sparse arithmetic: a belief is a short row of states and weights,
and one sparse product gives all that can be observed after all actions, with the beliefs that follow. Beliefs that
agree to twelve decimals are one node. What is written down is bounded in bytes, and so is what is reckoned at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.sparse import csr_array, hstack

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.pomdp import Floats, Pomdp

DECIMALS = 12
MOST_BELIEFS = 2_000_000
MEMORY = 500.0
"""Megabytes for all beliefs and what follows from them, if nothing else is said."""
AT_ONCE = 1_000_000
"""How many entries of the sparse product are computed together: enough for speed, few enough for memory."""
PER_NODE, PER_ENTRY, PER_EDGE, PER_STEP = 250, 32, 32, 48
"""About the bytes of a belief, of a state in it, of something that may follow it, and of a step of the model."""

Nodes = NDArray[np.intp]


@dataclass(frozen=True)
class Edges:
    """What can follow from a list of nodes, ordered by node, action and observation. All (E,)."""

    source: Nodes
    """The place in the list of nodes, not the node itself."""
    action: Nodes
    observation: Nodes
    probability: Floats
    following: Nodes
    """The node of the belief after the observation."""


class GrowingArray:
    """An array that grows at its end."""

    def __init__(self, dtype: DTypeLike, width: int | None = None) -> None:
        self.storage: NDArray[Any] = np.empty((64,) if width is None else (64, width), dtype=dtype)
        self.count = 0

    def append(self, more: NDArray[Any]) -> None:
        wanted = self.count + len(more)
        if wanted > len(self.storage):
            larger = np.empty((max(wanted, 2 * len(self.storage)), *self.storage.shape[1:]), dtype=self.storage.dtype)
            larger[: self.count] = self.all
            self.storage = larger
        self.storage[self.count : wanted] = more
        self.count = wanted

    @property
    def all(self) -> NDArray[Any]:
        return self.storage[: self.count]


@dataclass(frozen=True)
class StepTable:
    """All steps of a model in one sparse array.

    A column stands for an action, an observation and the state reached, in this order of importance. The entry is the
    probability, from the state of the row, of reaching that state and observing that.
    """

    table: csr_array
    """(S, columns)"""
    action: Nodes
    observation: Nodes
    state: Nodes
    """(columns,) what each column stands for."""


class BeliefGraph:
    """All beliefs met so far in a model: at most `most_beliefs` of them, in at most `memory` megabytes."""

    def __init__(self, model: Pomdp, most_beliefs: int = MOST_BELIEFS, memory: float = MEMORY) -> None:
        self.model = model
        self.most_beliefs, self.memory = most_beliefs, memory
        count = entries_of(model)
        if count * PER_STEP > memory * 1e6:
            raise UserError(
                "the model has {count:,} steps, which take about {megabytes:.0f} megabytes; "
                "{memory:g} are allowed (memory)",
                count=count,
                megabytes=count * PER_STEP / 1000000.0,
                memory=memory,
            )
        self.steps = all_steps(model)
        self.lengths = np.diff(self.steps.table.indptr).astype(np.float64)
        """(S,) how many steps lead out of each state."""
        self.illegal = np.ascontiguousarray(~model.legal.T).astype(np.float64)
        """(S, A) one where the action is illegal."""
        self.payoffs = np.ascontiguousarray(model.rewards.T)
        self.forget()

    def forget(self) -> None:
        """Begin from scratch: no beliefs."""
        self.nodes: dict[bytes, int] = {}
        self.starts = GrowingArray(np.intp)  # of the states and weights of each node, and one more for the end
        self.starts.append(np.zeros(1, dtype=np.intp))
        self.states = GrowingArray(np.int64)
        self.weights = GrowingArray(np.float64)
        self.first_edge = GrowingArray(np.intp)  # -1: not expanded yet
        self.edge_count = GrowingArray(np.intp)
        self.rewards = GrowingArray(np.float64, len(self.model.actions))
        """(nodes, A) expected immediate payoff, -inf where illegal; only where expanded."""
        self.edge_action = GrowingArray(np.intp)
        self.edge_observation = GrowingArray(np.intp)
        self.edge_probability = GrowingArray(np.float64)
        self.edge_following = GrowingArray(np.intp)

    def __len__(self) -> int:
        return len(self.nodes)

    # --- beliefs and their nodes ---

    def node(self, belief: ArrayLike) -> int:
        """The node of a belief (S,), which is checked."""
        return int(self.nodes_of([belief])[0])

    def nodes_of(self, beliefs: Sequence[ArrayLike] | Floats | csr_array) -> Nodes:
        """The nodes of beliefs (n, S), which are checked; sparse ones are taken as they are."""
        if isinstance(beliefs, csr_array):
            return self.numbered(beliefs.indptr.astype(np.intp), beliefs.indices.astype(np.intp), beliefs.data)
        rows = np.array([checked(belief, self.model) for belief in beliefs]).reshape(-1, len(self.model.states))
        inside = rows > 0.0
        starts = np.concatenate(([0], np.cumsum(inside.sum(axis=1))))
        return self.numbered(starts, np.nonzero(inside)[1], rows[inside])

    def belief(self, node: int) -> Floats:
        """(S,) the belief of a node."""
        belief = np.zeros(len(self.model.states))
        low, high = self.starts.all[node], self.starts.all[node + 1]
        belief[self.states.all[low:high]] = self.weights.all[low:high]
        return belief

    def numbered(self, starts: Nodes, states: Nodes, weights: Floats) -> Nodes:
        """The nodes of beliefs that are given as rows of states and weights; new ones are taken in."""
        keys = np.empty((len(states), 2), dtype=np.int64)
        keys[:, 0] = states
        keys[:, 1] = np.rint(weights * 10.0**DECIMALS)
        text, size = keys.tobytes(), keys.itemsize * 2
        ends = (starts * size).tolist()
        found = np.empty(len(starts) - 1, dtype=np.intp)
        fresh = []
        for i in range(len(found)):
            key = text[ends[i] : ends[i + 1]]
            number = self.nodes.get(key)
            if number is None:
                number = self.nodes[key] = len(self.nodes)
                fresh.append(i)
            found[i] = number
        more = int((starts[1:] - starts[:-1])[fresh].sum()) if fresh else 0
        full = self.size(more, len(found)) > self.memory * 1e6
        if full or len(self.nodes) > self.most_beliefs:
            for i in fresh:  # leave the graph as it was
                del self.nodes[text[ends[i] : ends[i + 1]]]
            if full:
                raise UserError(
                    "the beliefs that can come about here take more than {memory:g} megabytes; "
                    "plan less deep, or allow more (memory)",
                    memory=self.memory,
                )
            raise UserError(
                "more than {most_beliefs} beliefs can come about here; plan less deep, or allow more beliefs",
                most_beliefs=self.most_beliefs,
            )
        self.take_in(np.array(fresh, dtype=np.intp), starts, states, weights)
        return found

    def size(self, entries: int = 0, edges: int = 0) -> int:
        """About how many bytes all this takes, with so much more."""
        per_node = PER_NODE + 16 * len(self.model.actions)
        return (
            per_node * len(self.nodes)
            + PER_ENTRY * (self.states.count + entries)
            + PER_EDGE * (self.edge_action.count + edges)
        )

    def take_in(self, fresh: Nodes, starts: Nodes, states: Nodes, weights: Floats) -> None:
        lengths = starts[fresh + 1] - starts[fresh]
        places = ranges(starts[fresh], lengths)
        self.starts.append(self.starts.all[-1] + np.cumsum(lengths))
        self.states.append(states[places])
        self.weights.append(weights[places])
        self.first_edge.append(np.full(len(fresh), -1))
        self.edge_count.append(np.zeros(len(fresh), dtype=np.intp))
        self.rewards.append(np.full((len(fresh), len(self.model.actions)), -np.inf))

    # --- what follows from them ---

    def edges(self, nodes: Nodes) -> Edges:
        """All that can be observed after every legal action, and the beliefs that follow."""
        self.expand(nodes)
        counts = self.edge_count.all[nodes]
        places = ranges(self.first_edge.all[nodes], counts)
        return Edges(
            np.repeat(np.arange(len(nodes)), counts),
            self.edge_action.all[places],
            self.edge_observation.all[places],
            self.edge_probability.all[places],
            self.edge_following.all[places],
        )

    def expand(self, nodes: Nodes) -> None:
        new = np.unique(nodes[self.first_edge.all[nodes] < 0])
        rows = self.rows(new)
        work = np.cumsum(csr_array((np.ones(rows.nnz), rows.indices, rows.indptr), shape=rows.shape) @ self.lengths)
        begin, done = 0, 0.0
        while begin < len(new):
            end = max(begin + 1, int(np.searchsorted(work, done + AT_ONCE, side="right")))
            self.expand_new(new[begin:end])
            begin, done = end, float(work[end - 1])

    def expand_new(self, nodes: Nodes) -> None:
        beliefs = self.rows(nodes)
        forbidden = (beliefs > 0.0) @ self.illegal > 0.0
        rewards = np.where(forbidden, -np.inf, beliefs @ self.payoffs)

        reached = csr_array(beliefs @ self.steps.table)
        reached.sort_indices()
        source = np.repeat(np.arange(len(nodes)), np.diff(reached.indptr))
        action = self.steps.action[reached.indices]
        keep = (reached.data > 0.0) & ~forbidden[source, action]
        source, action, weights, column = source[keep], action[keep], reached.data[keep], reached.indices[keep]
        observation = self.steps.observation[column]

        # entries are in order: a run of equal (source, action, observation) is one belief to be
        changes = (np.diff(source) != 0) | (np.diff(action) != 0) | (np.diff(observation) != 0)
        first = np.concatenate(([0], np.flatnonzero(changes) + 1)) if len(source) else np.zeros(0, dtype=np.intp)
        ends = np.append(first, len(source))
        probability = np.add.reduceat(weights, first) if len(first) else np.zeros(0)
        weights = weights / np.repeat(probability, np.diff(ends))
        following = self.numbered(ends, self.steps.state[column], weights)

        counts = np.bincount(source[first], minlength=len(nodes))
        self.rewards.all[nodes] = rewards
        self.edge_count.all[nodes] = counts
        self.first_edge.all[nodes] = self.edge_action.count + np.cumsum(counts) - counts
        self.edge_action.append(action[first])
        self.edge_observation.append(observation[first])
        self.edge_probability.append(probability)
        self.edge_following.append(following)

    def rows(self, nodes: Nodes) -> csr_array:
        """The beliefs of nodes as a sparse (n, S) array."""
        starts = self.starts.all
        lengths = starts[nodes + 1] - starts[nodes]
        places = ranges(starts[nodes], lengths)
        ends = np.concatenate(([0], np.cumsum(lengths)))
        shape = (len(nodes), len(self.model.states))
        return csr_array((self.weights.all[places], self.states.all[places], ends), shape=shape)


def entries_of(model: Pomdp) -> int:
    """How many steps the model has: a state, an action, what is observed then and the state reached."""
    return sum(
        int(np.diff(csr_array(seen).indptr)[csr_array(steps).indices].sum())
        for steps, seen in zip(model.transitions, model.observing)
    )


def all_steps(model: Pomdp) -> StepTable:
    count = len(model.states)
    tables, actions, codes = [], [], []
    for action, (transitions, observing) in enumerate(zip(model.transitions, model.observing)):
        steps = csr_array(transitions)
        seen = csr_array(observing)
        source = np.repeat(np.arange(count), np.diff(steps.indptr))
        shown = np.diff(seen.indptr)[steps.indices]
        places = ranges(seen.indptr[steps.indices].astype(np.intp), shown)
        code = seen.indices[places].astype(np.int64) * count + np.repeat(steps.indices, shown)
        found, column = np.unique(code, return_inverse=True)
        chance = np.repeat(steps.data, shown) * seen.data[places]
        table = csr_array((chance, (np.repeat(source, shown), column)), shape=(count, len(found)))
        table.sum_duplicates()
        tables.append(table)
        actions.append(np.full(len(found), action, dtype=np.intp))
        codes.append(found)
    observation, state = np.divmod(np.concatenate(codes), count)
    table = hstack(tables, format="csr")
    return StepTable(table, np.concatenate(actions), observation.astype(np.intp), state.astype(np.intp))


def ranges(starts: Nodes, lengths: Nodes) -> Nodes:
    """start, start + 1, ... for `length` numbers, one after the other for all pairs."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))


def checked(belief: ArrayLike, model: Pomdp) -> Floats:
    """A belief as it should be: a probability for every state, summing to one exactly."""
    weights = np.asarray(belief, dtype=np.float64)
    if weights.shape != (len(model.states),):
        raise UserError("a belief needs one probability for each of the {n} states", n=len(model.states))
    total = float(weights.sum())
    if not np.isfinite(total) or weights.min() < 0.0 or abs(total - 1.0) > 1e-4:
        raise UserError(
            "the probabilities of a belief must not be negative and must sum to 1, not to {total:.6g}", total=total
        )
    return weights / total
