"""Looking up: what precalculated knowledge advises for a belief that is not in it.

The rules that have been proposed, side by side. From the document of Svarog: the nearest stored belief by Euclid's
distance; where only certainties are stored ("too complex"), all entries vote with weight 1 / (constant + distance)
times their value; the constant is 0.001 unless it is set. What its program does instead: the squared distance over
those states only that the stored belief lists; and a vote with the belief's own probability of the state. In the
program's vote an action that no entry names scores 0, and can win when all others score less, even if it is illegal;
here an illegal action is never advised.

`document` and `svarog` are the two pairs; each rule can also be used for all visible states alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.knowledge import Block, Knowledge
from hiddenhand.planning.planners.knowledge_files import read
from hiddenhand.planning.planners.protocol import Plan, Planner

CONSTANT = 0.001  # the document's; it keeps the weight of an exact match finite. With 0 such a match decides alone
ROUNDING = 1e-12  # distances and scores that differ by less are equal: the first one counts
SUM_TOLERANCE = 1e-4
NEVER = -np.inf


@dataclass(frozen=True)
class LookupAdvice:
    """What the stored entries advise."""

    action: int
    value: float
    """What the entries say it is worth: that of the nearest, or the weighted mean of all that voted."""
    rule: str
    entry: int | None
    """The nearest entry, for the rules that look for one."""
    scores: Floats
    """(A,) what the vote gave each action (the value, for the nearest); -inf for those that cannot be advised."""
    entries: Entries
    """What was looked through: n entries."""
    distances: Floats
    """(n,) Euclid's, from the belief to each of them; for `nearest_listed` the square over the listed states."""
    weights: Floats
    """(n,) by what each entry's value was multiplied in the vote; where the nearest counts, 1 for it and 0 else."""


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a block whose actions are legal: n of them over k states."""

    beliefs: Floats
    actions: np.ndarray[tuple[int], np.dtype[np.intp]]
    values: Floats
    listed: Floats
    """(n, k) one where the stored belief lists the state."""
    certain: np.ndarray[tuple[int], np.dtype[np.bool_]]
    """(n,) whether the entry is a certainty."""
    legal: np.ndarray[tuple[int], np.dtype[np.bool_]]
    """(A,)"""


Rule = Callable[..., LookupAdvice]
"""Of entries, a belief (k,) and the constant that is added to a distance."""


def nearest(entries: Entries, belief: Floats, constant: float = CONSTANT) -> LookupAdvice:
    """The nearest entry by Euclid's distance (the document)."""
    return the_one(entries, np.square(entries.beliefs - belief).sum(axis=1), "nearest")


def nearest_listed(entries: Entries, belief: Floats, constant: float = CONSTANT) -> LookupAdvice:
    """The nearest entry by squared distance over the states that it lists (the program)."""
    return the_one(entries, (np.square(entries.beliefs - belief) * entries.listed).sum(axis=1), "nearest_listed")


def the_one(entries: Entries, squares: Floats, rule: str) -> LookupAdvice:
    entry = int(np.argmax(squares <= squares.min() + ROUNDING))
    scores = np.full(len(entries.legal), NEVER)
    action, value = int(entries.actions[entry]), float(entries.values[entry])
    scores[action] = value
    weights = (np.arange(len(squares)) == entry).astype(np.float64)
    return LookupAdvice(
        action, value, rule, entry, scores, entries, np.sqrt(squares) if rule == "nearest" else squares, weights
    )


def inverse_distance(entries: Entries, belief: Floats, constant: float = CONSTANT) -> LookupAdvice:
    """All entries vote with 1 / (constant + distance) times their value; only what they name can win (the document).

    With a constant of 0 an entry that is met exactly decides alone.
    """
    distances = distances_to(entries, belief)
    met = distances <= ROUNDING
    if constant <= 0.0 and met.any():
        weights = met.astype(np.float64)
    else:
        weights = 1.0 / (constant + distances)
    return vote(entries, weights, distances, "inverse_distance", others=NEVER)


def probability(entries: Entries, belief: Floats, constant: float = CONSTANT) -> LookupAdvice:
    """Certainties vote with the probability of their state times their value; other actions score 0 (the program)."""
    weights = np.where(entries.certain, entries.beliefs @ belief, 0.0)
    return vote(entries, weights, distances_to(entries, belief), "probability", others=0.0)


def distances_to(entries: Entries, belief: Floats) -> Floats:
    """(n,) Euclid's distances."""
    found: Floats = np.sqrt(np.square(entries.beliefs - belief).sum(axis=1))
    return found


def vote(entries: Entries, weights: Floats, distances: Floats, rule: str, others: float) -> LookupAdvice:
    count = len(entries.legal)
    scores: Floats = np.bincount(entries.actions, weights * entries.values, minlength=count).astype(np.float64)
    named = np.bincount(entries.actions, weights > 0.0, minlength=count) > 0.0
    scores = np.where(named, scores, np.where(entries.legal, others, NEVER))
    top = scores.max()
    action = int(np.argmax(scores >= top - ROUNDING * max(1.0, abs(top))))
    total = float(weights.sum())
    value = float(weights @ entries.values) / total if total > 0.0 else 0.0
    return LookupAdvice(action, value, rule, None, scores, entries, distances, weights)


RULES: dict[str, Rule] = {
    "nearest": nearest,
    "nearest_listed": nearest_listed,
    "inverse_distance": inverse_distance,
    "probability": probability,
}
PAIRS: dict[str, tuple[Rule, Rule]] = {
    "document": (nearest, inverse_distance),
    "svarog": (nearest_listed, probability),
}
"""The rule for a grid, and that for certainties only."""


class Lookup:
    """Plan from precalculated knowledge, by one rule or one of the pairs."""

    def __init__(
        self, world: World, knowledge: Knowledge, rule: str = "document", constant: float = CONSTANT
    ) -> None:
        names = [*PAIRS, *RULES]
        if rule not in names:
            raise UserError(
                "there is no look-up rule {rule}{hint}; rules: {list}",
                rule=repr(rule),
                hint=did_you_mean(rule, names),
                list=one_of(names),
            )
        self.world = world
        self.knowledge = knowledge
        self.constant = checked_constant(constant)
        self.on_grid, self.on_certainties = PAIRS[rule] if rule in PAIRS else (RULES[rule], RULES[rule])
        self.entries: dict[int, Entries] = {}

    def find(self, belief: ArrayLike) -> LookupAdvice:
        """The advice for a belief (S,) over the possible states, all of one visible state."""
        weights = np.asarray(belief, dtype=np.float64)
        visible = int(self.world.visible_of[int(np.argmax(weights))])
        inside = self.world.states_of(visible)
        here = weights[inside.start : inside.stop]
        if not abs(float(here.sum()) - 1.0) <= SUM_TOLERANCE:
            raise UserError("a belief to look up must sum to 1 over the possible states of one visible state")
        return self.find_in(visible, here)

    def find_in(self, visible: int, belief: Floats) -> LookupAdvice:
        """The advice for a belief (k,) over the possible states of a visible state."""
        if visible not in self.entries:
            self.entries[visible] = usable(self.world, self.block(visible))
        rule = self.on_certainties if self.knowledge.blocks[visible].too_complex else self.on_grid
        return rule(self.entries[visible], belief, self.constant)

    def block(self, visible: int) -> Block:
        block = self.knowledge.blocks.get(visible)
        if block is None:
            raise UserError(
                "nothing is precalculated for the visible state {visible}", visible=self.world.visible_text(visible)
            )
        return block


def checked_constant(constant: float) -> float:
    if not (np.isfinite(constant) and constant >= 0.0):
        raise UserError(
            "the constant of the vote must be a number of at least 0, not {constant:g}", constant=constant
        )
    return float(constant)


def usable(world: World, block: Block) -> Entries:
    """The entries that advise something legal."""
    legal = world.legal[block.visible]
    good = legal[block.actions]
    if not good.any():
        raise UserError(
            "no stored action is legal in the visible state {visible}", visible=world.visible_text(block.visible)
        )
    beliefs = block.beliefs[good]
    certain = (beliefs > 0.0).sum(axis=1) == 1
    listed = (beliefs > 0.0).astype(np.float64)
    return Entries(beliefs, block.actions[good], block.values[good], listed, certain, legal)


class LookupPlanner:
    """Plans by looking up, in the first section that is deep enough and has the visible state; else as told to.

    knowledge  precalculated sections, or the file that holds them
    rule       one of `RULES` or `PAIRS`
    otherwise  who plans where nothing is stored; left out: a UserError says so
    constant   what is added to a distance where entries vote by it
    """

    def __init__(
        self,
        world: World,
        knowledge: Sequence[Knowledge] | str | Path,
        rule: str = "document",
        otherwise: Planner | None = None,
        constant: float = CONSTANT,
    ) -> None:
        self.world = world
        self.model = world.pomdp() if otherwise is None else otherwise.model
        self.sections = read(knowledge, world) if isinstance(knowledge, str | Path) else knowledge
        self.rule = rule
        self.constant = checked_constant(constant)
        self.otherwise = otherwise
        self.lookups: dict[int, Lookup] = {}
        """By the id of the section, which `sections` keeps alive."""

    def plan(self, belief: ArrayLike, horizon: int) -> Plan:
        """The plan stored for at least `horizon` steps; that of the other planner where nothing is stored."""
        visible = int(self.world.visible_of[int(np.argmax(belief))])
        section = section_for(self.sections, horizon, visible)
        if section is not None:
            return self.look_up(section, belief)
        if self.otherwise is not None:
            return self.otherwise.plan(belief, horizon)
        raise UserError(
            "nothing is precalculated for {n} steps in the visible state {visible}",
            n=horizon,
            visible=self.world.visible_text(visible),
        )

    def found(self, belief: ArrayLike, horizon: int) -> LookupAdvice | None:
        """The stored entries from which a plan for `horizon` steps is looked up; None where nothing is stored."""
        section = section_for(self.sections, horizon, int(self.world.visible_of[int(np.argmax(belief))]))
        return None if section is None else self.find(section, belief)

    def find(self, section: Knowledge, belief: ArrayLike) -> LookupAdvice:
        if id(section) not in self.lookups:
            self.lookups[id(section)] = Lookup(self.world, section, self.rule, self.constant)
        return self.lookups[id(section)].find(belief)

    def look_up(self, section: Knowledge, belief: ArrayLike) -> Plan:
        found = self.find(section, belief)
        values = np.full(len(self.world.actions), NEVER)
        values[found.action] = found.value
        return Plan(found.action, found.value, section.depth, values, (found.action,), looked_up_by=found.rule)


def section_for(sections: Sequence[Knowledge], depth: int, visible: int) -> Knowledge | None:
    """The section that the original uses: the first one of at least this depth that has the visible state."""
    for section in sections:
        if section.depth >= depth and visible in section.blocks:
            return section
    return None
