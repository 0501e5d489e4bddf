"""Advising: somebody says step by step what is visible, and is told what to believe and what to do. `loop` runs it.

What is visible is said by the values of the input variables, or by the number that stands before it in the list of
what may be seen next; a value can be cut short. It is assumed that the advice is followed, until `did` says
otherwise. `why` gives the reasons, `undo` takes the last step back, `reset` begins anew. What the model holds
impossible is refused with the clauses that say so, and the belief is kept; `accept` goes on with the nearest belief.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hiddenhand.core.errors import UserError, one_of
from hiddenhand.core.prefix_match import chosen, numbered
from hiddenhand.core.text import Text
from hiddenhand.planning.explain.explanation import explain
from hiddenhand.planning.explain.lookup_reasons import LookedUp
from hiddenhand.planning.explain.model_clauses import why_illegal
from hiddenhand.planning.explain.question import PlanQuestion, steps_text
from hiddenhand.planning.model.pomdp import Floats
from hiddenhand.planning.model.world import World
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.lookup import LookupPlanner
from hiddenhand.planning.planners.protocol import Plan, Planner
from hiddenhand.planning.play.contradictions import Contradiction, contradiction, why_never
from hiddenhand.planning.play.listing import belief_document

PROMPT = "svarog> "
LEAST_SHOWN = 0.0005
MOST_CHOICES = 12
HELP = Text("""\
  VALUES        what is visible now: a value of each input variable; the beginning of a value is enough
  2             the second of the things that may be seen
  did ACTION    I did something else than you said: its name, the beginning of it, or its number
  why           why this? `why not ACTION`: and why not that?
  choices       list again what may be seen, and what can be done
  accept        go on with the nearest belief, after something that the model holds impossible
  undo          take my last line back
  reset         begin anew
  quit          leave the loop
""")

Document = dict[str, Any]


class Console(Protocol):
    """The person or script that runs the commands."""

    def ask(self, prompt: str) -> str | None:
        """One line of input, None when there is no more."""

    def say(self, text: str) -> None:
        """Print some text, which carries its own line ends."""

    def refuse(self, message: str) -> None:
        """Say what was wrong with a line of input."""

    def forgive(self) -> None:
        """What was refused last is accepted after all."""


@dataclass(eq=False)
class AdvisedStep:
    """What was visible at one step, what is believed then, what is advised, and what was done."""

    visible: int
    belief: Floats
    plan: Plan
    done: int


class StopAdvising(Exception):
    """The person wants to stop."""


class Advising:
    """One loop. Its steps are kept as data, in the order of the lines that made them."""

    def __init__(self, world: World, console: Console, adviser: Planner, exact: ExactPlanner, depth: int) -> None:
        self.world = world
        self.console = console
        self.adviser = adviser
        self.exact = exact
        self.depth = depth
        self.moments: list[AdvisedStep] = []
        self.offered: tuple[int, Floats] | None = None
        """What was seen against the model, and the nearest belief."""
        self.steps: list[Document] = []

    def run(self) -> list[Document]:
        """Advise until the input ends; every step, and every line that was refused."""
        self.console.say(" ".join(axis.name for axis in self.world.inputs) + "\n")
        while (line := self.console.ask(PROMPT)) is not None:
            if not line.strip():
                continue
            try:
                self.answer(line.split())
            except StopAdvising:
                break
            except UserError as error:
                message = kept(error) if self.moments else error.text
                self.console.refuse(message)
                self.steps.append({"input": line.split(), "refused": message})
        return self.steps

    def answer(self, words: list[str]) -> None:
        """Do what a line says."""
        commands = {
            "help": self.help,
            "?": self.help,
            "did": self.did,
            "why": self.why,
            "choices": self.choices,
            "moves": self.choices,
            "accept": self.accept,
            "undo": self.undo,
            "reset": self.reset,
            "quit": self.leave,
            "exit": self.leave,
        }
        if words[0] in commands and not self.spelt_out(words):
            commands[words[0]](words[1:])
        else:
            self.seen(words)

    def spelt_out(self, words: list[str]) -> bool:
        """Whether the words are values, each written in full: then they are no command."""
        inputs = self.world.inputs
        return len(words) == len(inputs) and all(word in axis.values for word, axis in zip(words, inputs))

    # --- what is visible ---

    def seen(self, words: list[str]) -> None:
        """The next step: this is visible now."""
        visible = self.read_visible(words)
        self.offered = None
        if not self.moments:
            if not self.world.states_of(visible):
                name = self.world.visible_text(visible)
                impossible = Text(
                    "the visible state {visible} is impossible in {name}", visible=name, name=self.world.name
                )
                why = why_never(self.world, visible)
                raise UserError(
                    Text("{what}; {why}", what=impossible, why=Text.joined(" ", why)) if why else impossible
                )
            self.advise(visible, self.world.uniform(visible))
            return
        last = self.moments[-1]
        try:
            following = self.exact.after(last.belief, last.done, visible)
        except UserError as error:
            self.contradicted(words, visible, kept(error))
            return
        self.advise(visible, following)

    def read_visible(self, words: list[str]) -> int:
        world = self.world
        place = numbered(words[0], len(self.expected())) if len(words) == 1 else None
        if place is not None:
            return self.expected()[place][0]
        values = words
        if len(words) == len(world.inputs):
            found = [chosen(word, axis.values, axis.name) for word, axis in zip(words, world.inputs)]
            values = [
                word if place is None else axis.values[place] for word, place, axis in zip(words, found, world.inputs)
            ]
        return world.visible(values)

    def expected(self) -> list[tuple[int, float]]:
        """What may be seen next, with its probability, the likeliest first; at first, whatever can occur."""
        if not self.moments:
            return [(int(visible), 0.0) for visible in np.flatnonzero(self.world.possible)]
        last = self.moments[-1]
        chances = self.exact.model.chances(last.belief, last.done)
        order = np.argsort(-chances, kind="stable")
        return [(int(visible), float(chances[visible])) for visible in order if chances[visible] > 0.0]

    def advise(self, visible: int, belief: Floats) -> None:
        plan = self.adviser.plan(belief, self.depth)
        self.moments.append(AdvisedStep(visible, belief, plan, plan.action))
        self.say_all(told(self.world, belief, plan))
        self.list_expected()
        self.steps.append(document(self.world, visible, belief, plan))

    def list_expected(self) -> None:
        expected = self.expected()
        if len(expected) > MOST_CHOICES:
            return
        names = self.shortened([visible for visible, _ in expected])
        self.say_all([Text("to be seen then:")])
        for number, (name, (_, chance)) in enumerate(zip(names, expected), 1):
            self.say_all([Text("  {number}  {chance:6.1%}  {state}", number=number, chance=chance, state=name)])

    def shortened(self, visible: list[int]) -> list[str]:
        """What is new in each of the visible states, or tells them apart."""
        world = self.world
        states = [world.visible_states[v] for v in (*visible, self.moments[-1].visible)]
        telling = [i for i in range(len(world.inputs)) if len({state[i] for state in states}) > 1]
        shown = telling or range(len(world.inputs))
        return [", ".join(f"{world.inputs[i].name}=>{state[i]}" for i in shown) for state in states[:-1]]

    # --- a contradiction, and the way on ---

    def contradicted(self, words: list[str], visible: int, message: str) -> None:
        last = self.moments[-1]
        found = contradiction(self.world, last.belief, last.done, visible)
        self.console.refuse(message)
        self.say_all(found.reasons)
        step: Document = {"input": words, "refused": message, "because": found.reasons}
        if found.belief is None:
            self.say_all([Text("Is a value wrong? `did ACTION` if something else was done, `undo`, or `reset`.")])
        else:
            self.offered = (visible, found.belief)
            self.say_all(offer(self.world, found))
            step["nearest"] = belief_document(self.world, found.belief)
        self.steps.append(step)

    def accept(self, rest: list[str]) -> None:
        """Go on with the nearest belief."""
        if self.offered is None:
            raise UserError("there is nothing to accept")
        visible, belief = self.offered
        self.offered = None
        self.console.forgive()
        self.advise(visible, belief)
        self.steps[-1]["accepted"] = True

    # --- other lines ---

    def now(self) -> AdvisedStep:
        if not self.moments:
            names = " ".join(axis.name for axis in self.world.inputs)
            raise UserError("say first what is visible: {names}", names=names)
        return self.moments[-1]

    def did(self, rest: list[str]) -> None:
        """Something else was done than was advised."""
        last = self.now()
        action = self.read_action(" ".join(rest), last)
        last.done = action
        self.offered = None
        self.say_all([Text("done: {action}", action=self.world.action_text(action))])
        self.list_expected()
        self.steps.append({"did": self.world.action_text(action)})

    def read_action(self, text: str, moment: AdvisedStep) -> int:
        """A legal action: its number among the legal ones, its name, or the beginning of it."""
        legal = np.flatnonzero(self.world.legal[moment.visible]).tolist()
        names = [" ".join(self.world.actions[action]) for action in legal]
        place = numbered(text, len(legal))
        place = chosen(text, names, Text("the action")) if place is None and text else place
        if place is not None:
            return int(legal[place])
        known = [" ".join(names) for names in self.world.actions]
        if text in known:
            reasons = ", ".join(filter(None, why_illegal(self.world, moment.visible, known.index(text))))
            raise UserError(
                "{text} is illegal here ({reasons}); legal: {names}"
                if reasons
                else "{text} is illegal here; legal: {names}",
                text=text,
                names=one_of(names),
                **({"reasons": reasons} if reasons else {}),
            )
        raise UserError("there is no legal action {text}; legal: {names}", text=repr(text), names=one_of(names))

    def why(self, rest: list[str]) -> None:
        """The reasons for the advice."""
        last = self.now()
        if rest[:1] == ["not"]:
            other = self.read_action(" ".join(rest[1:]), last)
            why_not = " ".join(self.world.actions[other])
        elif rest:
            raise UserError("write `why` or `why not ACTION`")
        else:
            why_not = None
        question = PlanQuestion(self.world, self.exact, last.belief, max(1, self.depth))
        reasons = explain(question, why_not, last.plan.action if last.plan.looked_up_by else None).sentences()
        if isinstance(self.adviser, LookupPlanner) and last.plan.looked_up_by:
            found = self.adviser.found(last.belief, self.depth)
            if found is not None:
                reasons = [*LookedUp(question, found, self.adviser.constant).sentences(), *reasons]
        self.say_all(reasons)
        self.steps.append({"why": reasons})

    def choices(self, rest: list[str]) -> None:
        """What may be seen, and what can be done; at first, the values."""
        if not self.moments:
            self.help_with_values()
            return
        last = self.moments[-1]
        self.list_expected()
        self.say_all([Text("to be done:")])
        for number, action in enumerate(np.flatnonzero(self.world.legal[last.visible]).tolist(), 1):
            name = " ".join(self.world.actions[action])
            advised = action == last.plan.action
            self.say_all(
                [
                    Text(
                        "  {number}  {action}  (advised)" if advised else "  {number}  {action}",
                        number=number,
                        action=name,
                    )
                ]
            )

    def undo(self, rest: list[str]) -> None:
        self.now()
        self.moments.pop()
        self.offered = None
        self.steps.append({"undone": True})
        if not self.moments:
            self.say_all([Text("nothing has been seen yet")])
            return
        last = self.moments[-1]
        self.say_all(told(self.world, last.belief, last.plan))
        self.list_expected()

    def reset(self, rest: list[str]) -> None:
        self.moments.clear()
        self.offered = None
        self.steps.append({"reset": True})
        self.say_all([Text("nothing has been seen yet")])

    def help(self, rest: list[str]) -> None:
        self.console.say(HELP)
        self.help_with_values()

    def help_with_values(self) -> None:
        for axis in self.world.inputs:
            self.console.say(f"{axis.name}: {one_of(list(axis.values))}\n")

    def leave(self, rest: list[str]) -> None:
        raise StopAdvising

    def say_all(self, texts: Sequence[str]) -> None:
        """Print texts, each on a line."""
        self.console.say(Text.joined("", [Text("{line}\n", line=text) for text in texts]))


def kept(error: UserError) -> Text:
    """What was wrong, and that the belief did not change."""
    return Text("{why}; the belief is kept", why=error)


def offer(world: World, found: Contradiction) -> list[Text]:
    """What `accept` would go on with."""
    assert found.belief is not None
    cases = belief_document(world, found.belief, LEAST_SHOWN)[:MOST_CHOICES]
    offered = Text(
        "If it was seen nevertheless, `accept` goes on with the nearest belief: {source}.", source=found.source
    )
    return [offered, *map(case_text, cases)]


def case_text(case: Document) -> Text:
    """A state with its probability."""
    return Text("  {chance:6.1%}  {state}", chance=case["probability"], state=case["state"])


def told(world: World, belief: Floats, plan: Plan) -> list[str]:
    """The belief and the plan in words."""
    cases = [case_text(case) for case in belief_document(world, belief, LEAST_SHOWN)]
    action = Text("optimal action: {action}", action=world.action_text(plan.action))
    return [Text("belief:"), *cases, action, reason(world, plan)]


def reason(world: World, plan: Plan) -> str:
    """What the plan is worth, and how it compares."""
    if plan.looked_up_by:
        rule = Text(plan.looked_up_by.replace("_", " "))
        return Text("worth {value:.6g} as precalculated ({rule})", value=plan.value, rule=rule)
    worth = Text("worth {value:.6g} over {steps}", value=plan.value, steps=steps_text(plan.depth or 0))
    equals = [world.action_text(other) for other in plan.ties if other != plan.action]
    if equals:
        return Text("{worth}; a tie: {others} would be as good", worth=worth, others=Text.joined(", ", equals))
    if plan.runner_up is None:
        return Text("{worth}; nothing else is legal", worth=worth)
    other = world.action_text(plan.runner_up)
    return Text("{worth}; next best {other}, {gap:.6g} less", worth=worth, other=other, gap=plan.gap)


def document(world: World, visible: int, belief: Floats, plan: Plan) -> Document:
    found: Document = {
        "input": list(world.visible_states[visible]),
        "belief": belief_document(world, belief),
        "action": world.action_text(plan.action),
        "value": float(plan.value),
    }
    if plan.looked_up_by:
        return {**found, "rule": plan.looked_up_by}
    legal = np.flatnonzero(world.legal[visible]).tolist()
    values = {world.action_text(action): float(plan.values[action]) for action in legal}
    return {**found, "values": values, "ties": [world.action_text(action) for action in plan.ties]}
