"""The headline of a decision: what is wanted, by what means, and the number that decides. Found from the plan itself.

    I go to Krakow, to have Pregor at my side: with him, I win 80 % of fights instead of 51 %.

The plan is followed to its end, and so is the best plan that begins with the rival: the best action that is worth
less. A *try* is a moment at which the plan does something that may bring a payoff at once. A *fact* is a means if the
advised action makes first tries with that fact more likely than the rival does, and if they go better: that much
more likely times that much better is its weight, and the weightiest fact counts. Its number is how often first tries
succeed with it, beside those without it (the rival's, if it has any, else the plan's own).

An action that may itself bring a payoff at once, more often than the rival does, needs no means. Wanted payoffs come
first, then those to be avoided that make up at least half of the difference. If the best rival has the same means in
mind, and does no more for it at once, the next one is taken. Where no fact makes tries better, one may still be
needed for them, such as to see what one wants to fight: then what decides is how likely it comes about and the payoff
is met at all in the steps that are planned, or how soon. And where that is no different either, it is the value.

A hidden variable can be better known because something was seen, or because the plan itself sets it: only the first
is called knowing it. Where every legal action is worth as much, no purpose is named: others may serve it as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hiddenhand.core.text import Text
from hiddenhand.planning.explain.facts import Fact, facts_of, holds_at, needed_for
from hiddenhand.planning.explain.plan_rollout import PlanRollout, Tries
from hiddenhand.planning.explain.question import PlanQuestion
from hiddenhand.planning.language.words import CONDITION, ENGLISH, NAME, OFTEN, PURPOSE, SENTENCE, Words
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World

LEAST_DIFFERENCE = 0.01
"""Chances that differ by less do not decide."""
LEAST_SOONER = 0.1
"""Nor do steps that differ by less."""
LARGEST_SHARE = 0.5
"""Of the difference in value: a payoff to be avoided has to make up at least this much."""
NOTHING = 1e-9
NEGLIGIBLE = 1e-4


@dataclass(frozen=True)
class Headline:
    """One sentence, and the numbers in it."""

    kind: str
    """Which sentence it is, see `sentence`."""
    action: str
    means: str = ""
    """The fact that is made more likely, `variable=>value`, or a hidden variable that becomes better known."""
    payoff: str = ""
    """The payoff that is wanted or to be avoided."""
    chance: float | None = None
    other_chance: float | None = None
    steps: int = 0
    """How many steps are planned."""
    after: float | None = None
    other_after: float | None = None
    """After how many steps on average the means is reached, by this action and by the rival."""
    rival: str = ""
    """The best action that is worth less; if a plan made in advance was followed against it, the best of all."""
    gap: float | None = None
    """By how much it is worth less, or more."""
    value: float = 0.0
    words: Words = field(default_factory=Words, repr=False)

    def sentence(self) -> Text:
        """The headline; whoever reads it in another language, or with the words of the world, renders it."""
        words = self.words
        deed, rival, gap = deed_text(words, self.action), name_text(words, self.rival), rough(self.gap or 0.0)
        if self.kind == "only":
            return only_text(deed)
        if self.kind == "nothing":
            return nothing_text(deed, rough(self.value))
        if self.kind == "worth":
            return worth_text(deed, rival, gap)
        chance, other = rounded(self.chance, self.other_chance)
        return Text(
            {
                "means": "{deed}, {purpose}: {condition}, {success} instead of {other}.",
                "chance by means": "{deed}, {purpose}: {goal} within {n} steps in {chance} of cases instead of "
                "{other}.",
                "sooner by means": "{deed}, {purpose}: that takes {steps:.1f} steps on average instead of "
                "{longer:.1f}.",
                "worth by means": "{deed}, {purpose}: that is worth {gap} more than the next best, {rival}.",
                "try": "{deed}: {success}; the next best, {rival}, is worth {gap} less.",
                "only try": "{deed}: {success}; nothing else is possible.",
                "tied try": "{deed}: {success}; whatever else I do is worth as much.",
                "chance": "{deed}: {goal} within {n} steps in {chance} of cases instead of {other}.",
                "tied chance": "{deed}: {goal} within {n} steps in {chance} of cases; whatever else I do is worth as "
                "much.",
                "stored": "{deed}, because a plan made in advance says so; “{rival}” would be worth {gap} more.",
            }[self.kind],
            deed=deed,
            purpose=purpose_text(words, self.means),
            condition=condition_text(words, self.means),
            success=success_text(words, self.payoff, chance),
            goal=goal_text(words, self.payoff),
            chance=chance,
            other=other,
            n=self.steps,
            steps=self.after or 0.0,
            longer=self.other_after or 0.0,
            rival=rival,
            gap=gap,
        )

    def to_json(self) -> dict[str, Any]:
        document = {name: value for name, value in vars(self).items() if name != "words"}
        return {"sentence": self.sentence(), **document}


def only_text(deed: Text) -> Text:
    return Text("{deed}: nothing else is possible.", deed=deed)


def nothing_text(deed: Text, value: Text) -> Text:
    return Text("{deed}: whatever I do now is worth {value}.", deed=deed, value=value)


def worth_text(deed: Text, rival: str, gap: Text) -> Text:
    return Text("{deed}: that is worth {gap} more than the next best, {other}.", deed=deed, gap=gap, other=rival)


def spaced(name: str) -> str:
    """A name of the language as people write it."""
    return name.replace("_", " ")


# --- the words of a world, or what stands for them where the file has none ---


def deed_text(words: Words, action: str) -> Text:
    """Somebody who does this says so."""
    own = words.phrase(ENGLISH, action, SENTENCE)
    return Text(own) if own else Text("I choose “{action}”", action=name_text(words, action))


def purpose_text(words: Words, fact: str) -> Text:
    """The purpose of an action: that a fact becomes true, or a variable becomes known."""
    if own := words.phrase(ENGLISH, fact, PURPOSE):
        return Text(own)
    variable, _, value = fact.partition("=>")
    if not value:
        return Text("to know {variable}", variable=name_text(words, variable))
    return Text("so that {variable} is {value}", variable=name_text(words, variable), value=name_text(words, value))


def condition_text(words: Words, fact: str) -> Text:
    own = words.phrase(ENGLISH, fact, CONDITION)
    return Text(own) if own else Text("then")


def success_text(words: Words, payoff: str, chance: Text) -> Text:
    """How often a payoff comes."""
    if own := words.phrase(ENGLISH, f'"{payoff}"', OFTEN):
        return Text.made(own, "", {"chance": chance})
    return Text("“{payoff}” comes in {chance} of tries", payoff=payoff_text(words, payoff), chance=chance)


def goal_text(words: Words, payoff: str) -> Text:
    """That a payoff comes."""
    own = words.phrase(ENGLISH, f'"{payoff}"', SENTENCE)
    return Text(own) if own else Text("“{payoff}” comes", payoff=payoff_text(words, payoff))


def payoff_text(words: Words, payoff: str) -> Text:
    own = words.phrase(ENGLISH, f'"{payoff}"', NAME) or payoff
    return Text(own) if own else Text("a payoff")


def name_text(words: Words, name: str) -> Text:
    """A variable, a value or an action."""
    return Text(words.phrase(ENGLISH, name, NAME) or spaced(name))


# --- numbers ---


def rough(value: float) -> Text:
    """A value in three digits."""
    return Text("{value:.0f}" if abs(value) >= 100.0 else "{value:.3g}", value=value + 0.0)


def rounded(chance: float | None, other: float | None = None) -> tuple[Text, Text]:
    """Chances in percents, with one decimal or as many as it takes to tell them from each other and from 0 and 1."""
    given = [p for p in (chance, other) if p is not None]
    apart = {0.0, 1.0, *(p for p in given if min(p, 1.0 - p) > NEGLIGIBLE)}
    digits = next((d for d in (1, 2) if len({f"{100.0 * p:.{d}f}" for p in apart}) == len(apart)), 3)
    return chance_text(chance, digits), chance_text(other, digits)


def chance_text(chance: float | None, digits: int) -> Text:
    """A chance in percents, without zeros at the end; empty for None."""
    if chance is None:
        return Text("")
    if NOTHING < chance <= NEGLIGIBLE:
        return Text("< {percent:g} %", percent=100.0 * NEGLIGIBLE)
    if NOTHING < 1.0 - chance <= NEGLIGIBLE:
        return Text("> {percent:g} %", percent=100.0 * (1.0 - NEGLIGIBLE))
    shown = len(f"{100.0 * chance:.{digits}f}".rstrip("0").partition(".")[2])
    return Text(f"{{percent:.{shown}f}} %", percent=100.0 * chance)


# --- how it is found ---


class Finder:
    """Looks for the headline of one decision."""

    def __init__(self, question: PlanQuestion, action: int) -> None:
        self.question, self.action = question, action
        self.plan = PlanRollout(question, action)
        self.facts = facts_of(question)
        self.paid = self.plan.paid()
        self.wanted = [payoff for payoff, amount in largest(self.paid) if amount > NOTHING]
        self.rivals = rivals_of(question) if action in question.advice.ties else [question.advice.action]
        self.beside(self.rivals[0] if self.rivals else None)

    def beside(self, rival: int | None) -> None:
        """From now on the action is compared with this one."""
        self.rival = rival
        self.other = None if rival is None else PlanRollout(self.question, rival)

    def find(self) -> Headline:
        if self.action not in self.question.advice.ties:
            return self.headline("stored")
        if found := self.tried_now():
            return found
        if not self.rivals:
            return self.without_rivals()
        better: list[PlanRollout] = []
        for rival in self.rivals:
            self.beside(rival)
            self.facts = [fact for fact in self.facts if not better or self.does_most_for(fact, better[-1])]
            better += [] if self.other is None else [self.other]
            for payoff, sign in [*((payoff, 1.0) for payoff in self.wanted), *self.to_be_avoided()]:
                if found := self.by_means(payoff, sign):
                    return found
        self.beside(self.rivals[0])
        self.facts = facts_of(self.question)
        for payoff in sorted(self.wanted, key=self.advantage, reverse=True):
            if found := self.by_chance(payoff):
                return found
        return self.headline("worth")

    def without_rivals(self) -> Headline:
        """Nothing else is legal, or all that is legal is worth as much."""
        if len(self.question.legal) == 1:
            return self.headline("only")
        for payoff in self.wanted:
            return self.headline("tied chance", payoff=payoff, chance=self.plan.meets(payoff).chance)
        return self.headline("nothing")

    def advantage(self, payoff: int) -> float:
        """How much more this plan earns by a payoff than the rival's, on average."""
        theirs = {} if self.other is None else self.other.paid()
        return self.paid[payoff] - theirs.get(payoff, 0.0)

    def does_most_for(self, fact: Fact, other: PlanRollout) -> bool:
        """Whether the first step does as much for a fact as that of another plan."""
        return self.plan.gains(fact) >= other.gains(fact) - NOTHING

    def to_be_avoided(self) -> list[tuple[int, float]]:
        """Losses of which the rival has more, as far as they make up most of the difference; each with a sign, -1."""
        theirs = {} if self.other is None else self.other.paid()
        saved = {name: self.paid.get(name, 0.0) - amount for name, amount in theirs.items() if amount < 0.0}
        least = LARGEST_SHARE * self.gap if self.gap is not None else np.inf
        return [(name, -1.0) for name, amount in largest(saved) if amount >= least]

    # --- the kinds of headlines ---

    def tried_now(self) -> Headline | None:
        """The action itself may bring a wanted payoff at once, and more often than the rival does; of several the one
        that earns most more."""
        theirs = {} if self.other is None else self.other.at_once()
        best: tuple[float, int, float] | None = None
        for payoff, (chance, amount) in self.plan.at_once().items():
            other_chance, other_amount = theirs.get(payoff, (0.0, 0.0))
            if payoff not in self.wanted or chance - other_chance < (LEAST_DIFFERENCE if theirs else NOTHING):
                continue
            if best is None or amount - other_amount > best[0]:
                best = amount - other_amount, payoff, chance
        if best is None:
            return None
        kind = "only try" if len(self.question.legal) == 1 else "tied try" if self.rival is None else "try"
        return self.headline(kind, payoff=best[1], chance=best[2])

    def by_means(self, payoff: int, sign: float) -> Headline | None:
        """A fact makes the tries go better: more of what is wanted (sign 1), less of what is to be avoided (-1)."""
        mine, theirs = self.tries(payoff)
        best: tuple[float, Fact, float, float] | None = None
        for fact in self.facts:
            with_it, without_it = (holds_at(self.question, fact, tries.nodes) for tries in (mine, theirs))
            more = mine.reached[with_it].sum() - theirs.reached[without_it].sum()
            if more <= NOTHING:
                continue
            otherwise = rate(theirs, ~without_it)
            otherwise = rate(mine, ~with_it) if otherwise is None else otherwise
            chance = rate(mine, with_it)
            if otherwise is None or chance is None or sign * (chance - otherwise) < LEAST_DIFFERENCE:
                continue
            weight = more * sign * (chance - otherwise)
            if best is None or weight > best[0] * (1.0 + NOTHING):
                best = weight, fact, chance, otherwise
        if best is None:
            return None
        fact = best[1]
        if not fact.value and not self.plan.learns(fact, payoff):
            fact = self.set_by_the_plan(fact, mine)
        return self.headline("means", fact=fact, payoff=payoff, chance=best[2], other_chance=best[3])

    def set_by_the_plan(self, fact: Fact, tries: Tries) -> Fact:
        """A hidden variable with the value that it most likely has when it is tried."""
        world = self.question.world
        place = [axis.name for axis in world.hidden].index(fact.variable)
        weights: Floats = np.zeros(len(world.states))
        for node, reached in zip(tries.nodes.tolist(), tries.reached):
            weights += reached * self.question.planner.graph.belief(node)
        sums = dict.fromkeys(world.hidden[place].values, 0.0)
        for state in np.flatnonzero(weights).tolist():
            sums[world.states[state][1][place]] += float(weights[state])
        return Fact(fact.variable, max(sums, key=lambda value: sums[value]))

    def by_chance(self, payoff: int) -> Headline | None:
        """How likely the payoff is met at all; and the fact, if there is one, that every try needs."""
        assert self.other is not None
        fact = next((fact for fact in self.facts if needed_for(self.question.world, payoff, fact)), None)
        chance = self.plan.meets(payoff).chance
        otherwise = self.other.meets(payoff).chance
        more = chance - otherwise >= LEAST_DIFFERENCE
        if fact is not None:
            mine, theirs = self.plan.reaches(fact), self.other.reaches(fact)
            if mine.chance - theirs.chance >= LEAST_DIFFERENCE:
                if more:
                    numbers = {"chance": chance, "other_chance": otherwise}
                    return self.headline("chance by means", fact=fact, payoff=payoff, **numbers)
                return self.headline("worth by means", fact=fact, payoff=payoff)
            if mine.chance > theirs.chance - LEAST_DIFFERENCE and theirs.steps - mine.steps >= LEAST_SOONER:
                numbers = {"after": mine.steps, "other_after": theirs.steps}
                return self.headline("sooner by means", fact=fact, payoff=payoff, **numbers)
        return self.headline("chance", payoff=payoff, chance=chance, other_chance=otherwise) if more else None

    def tries(self, payoff: int) -> tuple[Tries, Tries]:
        nothing = np.zeros(0, dtype=np.intp)
        none = Tries(nothing, np.zeros(0), np.zeros(0), nothing)
        return self.plan.first_tries(payoff), none if self.other is None else self.other.first_tries(payoff)

    @property
    def gap(self) -> float | None:
        values = self.question.advice.values
        return None if self.rival is None else float(values[self.action] - values[self.rival])

    def headline(self, kind: str, fact: Fact | None = None, payoff: int | None = None, **numbers: float) -> Headline:
        question = self.question
        return Headline(
            kind=kind,
            action=question.action_name(self.action),
            means="" if fact is None else fact.name,
            payoff="" if payoff is None else question.world.payoff_names[payoff],
            steps=question.depth,
            rival="" if self.rival is None else question.action_name(self.rival),
            gap=None if self.gap is None else abs(self.gap),
            value=float(question.advice.values[self.action]),
            words=question.world.specification.words,
            **numbers,
        )


def rate(tries: Tries, which: NDArray[np.bool_]) -> float | None:
    """How often tries succeed, of those that are meant; None if there are none."""
    reached = tries.reached[which]
    return float(reached @ tries.chance[which] / reached.sum()) if reached.sum() > NOTHING else None


def largest(paid: Mapping[int, float]) -> list[tuple[int, float]]:
    """Payoffs that have names, the largest first."""
    return sorted(((name, amount) for name, amount in paid.items() if name >= 0), key=lambda pair: -pair[1])


def rivals_of(question: PlanQuestion) -> list[int]:
    """The legal actions that are worth less than the advised one, the best first."""
    values, ties = question.advice.values, question.advice.ties
    others = [action for action in question.legal if action not in ties]
    return sorted(others, key=lambda action: (-float(values[action]), action))


def headline_of(question: PlanQuestion, action: int | None = None) -> Headline:
    """The headline of the advised action, or of another one that was looked up."""
    return Finder(question, question.advice.action if action is None else action).find()


# --- the way there ---


@dataclass(frozen=True)
class PlanPath:
    """What the plan reaches on its way, in the order in which it does, and how likely."""

    steps: int
    reached: list[tuple[str, float]]
    """A fact (`variable=>value`) or a payoff (in quotes), and its chance."""
    words: Words = field(default_factory=Words, repr=False)

    def sentence(self) -> Text:
        parts = [
            Text("{fact}: {chance}", fact=self.name(name), chance=rounded(chance)[0]) for name, chance in self.reached
        ]
        return Text("What the plan reaches within {n} steps: {facts}.", n=self.steps, facts=Text.joined("; ", parts))

    def name(self, name: str) -> Text:
        """What is reached, in words."""
        variable, _, value = name.partition("=>")
        if own := self.words.phrase(ENGLISH, name, NAME):
            return Text(own)
        if not value:
            return Text(name.strip('"'))
        return Text("{variable} = {value}", variable=Text(spaced(variable)), value=Text(spaced(value)))

    def sentences(self) -> list[str]:
        return [self.sentence()] if self.steps > 1 and self.reached else []

    def to_json(self) -> list[dict[str, Any]]:
        return [{"what": name, "chance": chance} for name, chance in self.reached]


def path_of(question: PlanQuestion, action: int | None = None) -> PlanPath:
    """The facts that the world has words for, or that a payoff needs, and the payoffs that are wanted."""
    world, plan = question.world, PlanRollout(question, question.advice.action if action is None else action)
    words = world.specification.words
    wanted = [payoff for payoff, amount in largest(plan.paid()) if amount > NOTHING]
    found = [(plan.meets(payoff), f'"{world.payoff_names[payoff]}"') for payoff in wanted]
    for fact in facts_of(question):
        if fact.value and (words.phrase(ENGLISH, fact.name, PURPOSE) or needed_by(world, wanted, fact)):
            found.append((plan.reaches(fact), fact.name))
    found.sort(key=lambda pair: pair[0].steps)
    reached = [(name, each.chance) for each, name in found if each.chance > NOTHING]
    return PlanPath(question.depth, reached, words)


def needed_by(world: World, payoffs: list[int], fact: Fact) -> bool:
    return any(needed_for(world, payoff, fact) for payoff in payoffs)
