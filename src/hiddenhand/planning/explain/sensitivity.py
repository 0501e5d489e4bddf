"""The smallest change of belief that changes the advice: the flip point.

Along every direction the first belief is looked for at which the advised action is no longer among the best, nor is
any action that was as good as it (a tie is no advice for one of them). The nearest of these beliefs counts, measured
by how much probability has to be moved. Nothing is overlooked between the beliefs that are tried: along a line the
value Q of an action is convex. Between two tried beliefs it lies below the straight line that joins them, and above
the straight lines that continue from their neighbours. If in this way one of the advised actions is certain to stay
the best, the stretch is done with; otherwise its middle is tried, until the stretch is very short.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.directions import Direction, directions
from hiddenhand.planning.explain.question import PlanQuestion, amount, percent
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.planners.protocol import TIE, best_actions, plan_by_values

SHORTEST = 1e-6
"""An interval that is shorter than this, as a share of the line, is not divided any more."""
FIRST_INTERVALS = 4
FEW_LINES = 16
"""With this many open lines or fewer, an interval is cut into four at once: planning beliefs together is cheap."""
MOST_TRIED = 400
"""Beliefs tried along one direction."""

Actions = tuple[int, ...]


@dataclass(frozen=True)
class Flip:
    """The nearest belief at which the advice is another one."""

    towards: str
    probability: float
    """Of what becomes more likely, now."""
    needed: float
    """And at the flip point."""
    moved: float
    """The share of probability that has to be moved."""
    action: str
    """The advice there."""
    value: float
    belief: Floats = field(repr=False)
    """(S,) the flip belief."""
    before: Floats = field(repr=False)
    """(S,) the belief just before, at which the advice is still the old one."""
    states: dict[str, float] = field(repr=False)
    """The flip belief in words."""
    before_states: dict[str, float] = field(repr=False)


@dataclass(frozen=True)
class Robustness:
    """How firm the advice is."""

    action: str
    flip: Flip | None
    rivals: int
    """How many legal actions are not as good."""
    equals: int
    """How many others are as good."""
    directions: int
    """How many were tried."""
    certain: bool
    """Whether no stretch had to be given up undecided."""

    def sentences(self) -> list[str]:
        return [self.sentence()]

    def sentence(self) -> Text:
        if not self.rivals and self.equals:
            return Text("With this belief every legal action is worth as much; with another one it may not be.")
        if not self.rivals:
            return Text("Whatever is believed, nothing else is legal.")
        if not self.directions:
            return Text("Only one state is possible here: there is nothing else to believe.")
        if self.flip is None:
            return Text(
                "No change of belief in {n} directions, up to certainty, changes the advice.", n=self.directions
            )
        flip = self.flip
        return Text(
            "The smallest change found that changes the advice: if {towards} had a probability of {needed} "
            "instead of {now} ({moved} moved), I would choose {action} (worth {value} then).",
            towards=flip.towards,
            needed=close(flip.needed, flip.probability),
            now=close(flip.probability, flip.needed),
            moved=percent(flip.moved),
            action=Text(flip.action),
            value=amount(flip.value),
        )

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"directions": self.directions, "certain": self.certain, "flip": None}
        if self.flip is not None:
            flip = self.flip
            document["flip"] = {
                "towards": flip.towards,
                "probability": flip.probability,
                "needed": flip.needed,
                "moved": flip.moved,
                "action": flip.action,
                "value": flip.value,
                "belief": flip.states,
                "before": flip.before_states,
            }
        return document


def close(probability: float, other: float) -> Text:
    """A probability with as many digits as it takes to tell it from another one."""
    different = (d for d in range(1, 9) if f"{100.0 * probability:.{d}f}" != f"{100.0 * other:.{d}f}")
    return Text(f"{{percent:.{next(different, 9)}f}} %", percent=100.0 * probability)


class BeliefLine:
    """One direction: the beliefs tried so far, from now (t = 0) to certainty (t = 1)."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction
        self.times: list[float] = []
        self.values: list[Floats] = []
        """Q of all actions at each time, (A,)."""
        self.done = 0
        """How many intervals, counted from the beginning, are decided."""
        self.certain = True
        self.decided = False

    def belief(self, now: Floats, time: float) -> Floats:
        mixed: Floats = (1.0 - time) * now + time * self.direction.end
        return mixed

    def add(self, time: float, values: Floats) -> None:
        place = int(np.searchsorted(self.times, time))
        self.times.insert(place, time)
        self.values.insert(place, values)

    def moved(self, place: int) -> float:
        return self.times[place] * self.direction.length

    def advance(self, advised: Actions) -> tuple[float, float] | None:
        """The stretch to divide next, or None if the line is decided: `flip` says how."""
        while self.done < len(self.times) - 1:
            low, high = self.times[self.done], self.times[self.done + 1]
            if not any(self.stays_best(action, self.done) for action in advised):
                flips = flipped(self.values[self.done + 1], advised)
                if high - low > SHORTEST and len(self.times) < MOST_TRIED:
                    return low, high
                if flips:
                    break
                self.certain = self.certain and high - low <= SHORTEST
            self.done += 1
        self.decided = True
        return None

    def nearest_known(self, advised: Actions) -> float:
        """What has to be moved for the nearest belief that is known to change the advice."""
        for place in range(self.done + 1, len(self.times)):
            if flipped(self.values[place], advised):
                return self.moved(place)
        return np.inf

    @property
    def flip(self) -> int | None:
        """The place of the flip point among the times, once the line is decided."""
        return self.done + 1 if self.done < len(self.times) - 1 else None

    def stays_best(self, action: int, place: int) -> bool:
        """Whether the action is certain to be the best all along a stretch."""
        low, high = self.times[place], self.times[place + 1]
        at_low, at_high = self.values[place], self.values[place + 1]
        legal = np.isfinite(at_low)
        for time, bound in self.lower_bounds(action, place):
            share = (time - low) / (high - low)
            upper = (1.0 - share) * at_low[legal] + share * at_high[legal]
            best = float(upper.max())
            if bound < best - 0.5 * TIE * max(1.0, abs(best)):
                return False
        return all(action in best_actions(values) for values in (at_low, at_high))

    def lower_bounds(self, action: int, place: int) -> list[tuple[float, float]]:
        """The corners of what Q of the action is at least on a stretch: (time, bound)."""
        low, high = self.times[place], self.times[place + 1]
        first, last = float(self.values[place][action]), float(self.values[place + 1][action])
        slopes = [
            slope(self.times, self.values, action, place - 1),
            slope(self.times, self.values, action, place + 1),
        ]
        corners = [(low, first), (high, last)]
        from_low, to_high = slopes
        if from_low is None and to_high is None:
            return [(low, -np.inf)]
        if from_low is None:
            assert to_high is not None
            return [*corners, (low, last - to_high * (high - low))]
        if to_high is None:
            return [*corners, (high, first + from_low * (high - low))]
        if to_high - from_low <= 0.0:  # the same straight line all the way, but for rounding
            return corners
        meet = (first - from_low * low - last + to_high * high) / (to_high - from_low)
        meet = min(max(meet, low), high)
        bound = max(first + from_low * (meet - low), last - to_high * (high - meet))
        return [*corners, (meet, bound)]


def flipped(values: Floats, advised: Actions) -> bool:
    """Whether none of the advised actions is among the best."""
    return not set(advised) & set(best_actions(values))


def slope(times: list[float], values: list[Floats], action: int, place: int) -> float | None:
    """How Q of the action rises over a stretch; None beyond the ends."""
    if not 0 <= place < len(times) - 1:
        return None
    return float(values[place + 1][action] - values[place][action]) / (times[place + 1] - times[place])


def robustness(question: PlanQuestion) -> Robustness:
    """How much the belief would have to change for another advice."""
    action, advised = question.advice.action, question.advice.ties
    rivals = len(question.legal) - len(advised)
    lines = [BeliefLine(direction) for direction in directions(question)]
    if rivals:
        for line in lines:
            line.add(0.0, question.advice.values)
        for step in range(1, FIRST_INTERVALS + 1):
            try_all(question, lines, [step / FIRST_INTERVALS] * len(lines))
        search(question, lines, advised)
    flips = [(line.moved(line.flip), number) for number, line in enumerate(lines) if line.decided and line.flip]
    nearest = described(question, lines[min(flips)[1]]) if flips else None
    certain = all(line.certain for line in lines)
    return Robustness(question.action_name(action), nearest, rivals, len(advised) - 1, len(lines), certain)


def search(question: PlanQuestion, lines: list[BeliefLine], advised: Actions) -> None:
    """Divide stretches, on all lines at once, until the nearest flip point is known."""
    while True:
        intervals = [line.advance(advised) for line in lines]
        # A line is left alone when even its first undecided stretch begins farther off than a flip on another line.
        limit = min((line.nearest_known(advised) for line in lines), default=np.inf)
        open_lines = [
            (line, interval)
            for line, interval in zip(lines, intervals)
            if interval is not None and line.moved(line.done) < limit
        ]
        if not open_lines:
            return
        cuts = (0.25, 0.5, 0.75) if len(open_lines) <= FEW_LINES else (0.5,)
        tried = [(line, low + cut * (high - low)) for line, (low, high) in open_lines for cut in cuts]
        try_all(question, [line for line, _ in tried], [time for _, time in tried])


def try_all(question: PlanQuestion, lines: list[BeliefLine], times: list[float]) -> None:
    """Plan for one belief on each line, all together."""
    beliefs = [line.belief(question.belief, time) for line, time in zip(lines, times)]
    for line, time, found in zip(lines, times, question.planner.plan_all(beliefs, question.depth)):
        line.add(time, found.values)


def described(question: PlanQuestion, line: BeliefLine) -> Flip:
    place = line.flip
    assert place is not None
    direction, values = line.direction, line.values[place]
    there = plan_by_values(values, question.depth)
    belief, before = (line.belief(question.belief, line.times[p]) for p in (place, place - 1))
    return Flip(
        towards=direction.towards,
        probability=float(question.belief @ direction.holds),
        needed=float(belief @ direction.holds),
        moved=line.moved(place),
        action=question.action_name(there.action),
        value=there.value,
        belief=belief,
        before=before,
        states=in_words(question, belief),
        before_states=in_words(question, before),
    )


def in_words(question: PlanQuestion, belief: Floats) -> dict[str, float]:
    """The probability of every state that is held possible."""
    return {question.hidden(state): float(belief[state]) for state in np.flatnonzero(belief).tolist()}
