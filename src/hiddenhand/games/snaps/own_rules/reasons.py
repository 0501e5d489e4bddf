"""Why written rules decided as they did: the line that applied, and why those before it did not."""

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.cards import CARDS, NONE, suit_of
from hiddenhand.games.snaps.own_rules.encoding import END, rules_of
from hiddenhand.games.snaps.own_rules.interpreter import (
    amount,
    by_name,
    cards_wanted,
    compares,
    gain_alone,
    known_to,
    win_chance,
)
from hiddenhand.games.snaps.own_rules.language import (
    ALONE_IF,
    BEFORE_TRICKS,
    CHANCES,
    DEAREST,
    DOST_IF,
    KONTRA_IF,
    LEADING,
    LOWEST,
    QUANTITIES,
    RULES,
    WrittenRule,
)
from hiddenhand.games.snaps.rule_agent.agents import partner_belief
from hiddenhand.games.snaps.rule_agent.decide import cards_among, cards_seen, decide
from hiddenhand.games.snaps.rule_agent.reasons import reasons_for, the
from hiddenhand.games.snaps.state import CHOOSING, DOST, KONTRA_ROUND, MARRIAGE_AND_CLAIM, TRICKS
from hiddenhand.games.snaps.texts import cards_of


def line_reasons(view: View, action: int, decided: int, parameters: np.record) -> Decision:
    """The decision with the lines that led to it; `decided` is END where `rules` had to."""
    s, me = view.record, view.seat
    decision = Decision(
        action,
        view.action_name(action),
        alternatives=[Alternative(a, view.action_name(a)) for a in view.legal_actions()],
    )
    if len(view.legal_actions()) == 1:
        decision.reasons = [Text("It is the only legal action.")]
        return decision
    if s.phase == TRICKS:
        asked = Asked(view, parameters)
        decision.belief = partner_belief(s, me, asked.known.holders)
        sentences = asked.reasons(action, decided)
    else:
        sentences = said_reasons(s, me, decided, rules_of(parameters).lines)
    decision.reasons = [*sentences, *(by_the_rules(view, action) if decided == END else [])]
    return decision


def by_the_rules(view: View, action: int) -> list[str]:
    """What the agent `rules` says of a decision that was left to it."""
    actions = np.array(view.legal_actions(), np.int64)
    _, number = decide(view.record, view.seat, actions, len(actions))
    sentences = reasons_for(view.record, view.seat, actions, number, action)
    return [Text("No line decides; what follows is what the rules do."), sentences[-1]]


# ---- before the tricks


def said_reasons(s: np.record, me: int, decided: int, lines: tuple[WrittenRule, ...]) -> list[str]:
    """Why a card of one's own was named or not, why kontra was said or not."""
    if s.phase == CHOOSING:
        word, value = ALONE_IF, float(gain_alone(cards_seen(s, me)))
    elif s.phase == KONTRA_ROUND:
        word, value = KONTRA_IF, float(win_chance(np.int64(s.hands[me]), suit_of(s.named)))
    else:
        return []
    name = QUANTITIES[BEFORE_TRICKS["alone" if word == ALONE_IF else "kontra"]]
    amounts = Text("{name} is {value:+.2f}", name=name, value=value)
    if word == KONTRA_IF:
        amounts = Text("{name} is {value:.0%}", name=name, value=value)
    sentences: list[str] = []
    for number, line in enumerate(lines):
        if line.word == word:
            if number == decided:
                return [*sentences, fired(number, line, amounts)]
            sentences.append(skipped(number, line, amounts))
    return sentences


def fired(number: int, line: WrittenRule, why: str) -> str:
    return Text('Line {n}, "{line}": {facts}.', n=number + 1, line=line, facts=why)


def skipped(number: int, line: WrittenRule, why: str) -> str:
    return Text('Not line {n}, "{line}": {facts}.', n=number + 1, line=line, facts=why)


# ---- in the tricks


class Asked:
    """One decision in the tricks, and the lines at it."""

    def __init__(self, view: View, parameters: np.record) -> None:
        self.view = view
        self.s = view.record
        self.parameters = parameters
        self.lines = rules_of(parameters).lines
        self.actions = np.array(view.legal_actions(), np.int64)
        self.known = known_to(self.s, view.seat, parameters.exact)

    def reasons(self, action: int, decided: int) -> list[str]:
        last = len(self.lines) if decided == END else decided
        sentences = [skipped(i, self.lines[i], self.why_not(i)) for i in range(last) if self.lines[i].word != RULES]
        if decided == END:
            return sentences
        line = self.lines[decided]
        if line.word == RULES:
            return [*sentences, fired(decided, line, Text("it always applies")), by_the_rules(self.view, action)[-1]]
        first, *rest = self.amounts(decided, action) or [Text("it asks for nothing else")]
        return [*sentences, fired(decided, line, first), *(Text("And {amount}.", amount=amount) for amount in rest)]

    def why_not(self, number: int) -> str:
        """Why a line does not apply: it has nothing to play, or the first comparison that fails."""
        line = self.lines[number]
        candidates = self.candidates(line)
        if not candidates:
            return Text("there is nothing that it could do here")
        return self.failure(number, max(candidates, key=lambda action: self.passed(number, action)))

    def candidates(self, line: WrittenRule) -> list[int]:
        """The actions that a line could take, if its conditions held."""
        if line.word == DOST_IF:
            return [action for action in self.view.legal_actions() if MARRIAGE_AND_CLAIM <= action <= DOST]
        cards = cards_among(self.actions, len(self.actions))
        if DEAREST <= line.word <= LOWEST:
            return cards_of(int(cards_wanted(self.known.facts, cards, line.cards)))
        if line.word > LOWEST:
            return []
        action = int(by_name(self.s, self.known.facts, line.word, cards, self.actions, len(self.actions)))
        return [] if action == NONE else [action]

    def tests(self, number: int) -> range:
        first = int(self.parameters.first_test[number])
        return range(first, first + int(self.parameters.tests[number]))

    def amount(self, at: int, action: int) -> float:
        return float(amount(self.s, self.known, self.parameters, at, action))

    def passed(self, number: int, action: int) -> int:
        """How many comparisons hold before the first that fails."""
        return next(
            (i for i, at in enumerate(self.tests(number)) if not self.fits(at, action)), len(self.tests(number))
        )

    def fits(self, at: int, action: int) -> bool:
        p = self.parameters
        return bool(compares(self.amount(at, action), p.comparison[at], p.number[at]))

    def failure(self, number: int, action: int) -> str:
        at = next((at for at in self.tests(number) if not self.fits(at, action)), None)
        return Text("there is nothing that it could do here") if at is None else self.test_text(number, at, action)

    def amounts(self, number: int, action: int) -> list[str]:
        """What the quantities of a line amount to, each once; what is simply so needs no words."""
        tests = [at for at in self.tests(number) if self.parameters.kind[at] < LEADING]
        return list(dict.fromkeys(self.test_text(number, at, action) for at in tests))

    def test_text(self, number: int, at: int, action: int) -> str:
        """ "ours is 43% with the ten of hearts"."""
        condition = next(
            condition
            for condition in self.lines[number].conditions
            if condition.quantity.kind == self.parameters.kind[at]
        )
        about, value = condition.quantity, self.amount(at, action)
        if about.kind >= LEADING:
            return Text('"{condition}" does not hold', condition=condition)
        amount = Text("{value:.0%}" if about.kind in CHANCES else "{value:g}", value=value)
        if action < DOST:
            return Text("{name} is {amount} with {card}", name=about, amount=amount, card=the(action % CARDS))
        return Text("{name} is {amount}", name=about, amount=amount)
