"""Reading written rules: from text to data, with errors that say where and what is allowed."""

import re
from typing import NoReturn

from hiddenhand.core.errors import did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.core.token_reader import TokenReader
from hiddenhand.games.snaps.cards import CARDS, RANKS
from hiddenhand.games.snaps.own_rules.language import (
    BANDS,
    BEFORE_TRICKS,
    BELIEFS,
    CARD_WORDS,
    CHANCES,
    CLASSES,
    COMPARISONS,
    EQUAL,
    FLAGS,
    HOLDS,
    NAMED_CARD,
    PICKS,
    QUANTITIES,
    THIS_CARD,
    UNEQUAL,
    WHO,
    WORDS,
    RuleCondition,
    RuleQuantity,
    WrittenRule,
    WrittenRules,
)
from hiddenhand.games.snaps.texts import RANK_LETTERS, card_code

SPACE = re.compile(r"(?:[^\S\n]|#[^\n]*)*")
TOKEN = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?(?:\s*/\s*[0-9]+)?\s*%?)(?![A-Za-z])|(?P<word>[A-Za-z][A-Za-z0-9]*|[0-9]+)"
    r"|(?P<sign><=|>=|==|!=|[<>=,;()\n-])"
)
BREAKS = (",", ";", "\n")
CARD_CODES = {card_code(card).lower(): card for card in range(CARDS)}
RANK_WORDS = {letter.lower(): rank for rank, letter in enumerate(RANK_LETTERS)}
MOST = 1000.0


def read_rules(text: str) -> WrittenRules:
    """The rules that a text describes, or a TextFault that names the column."""
    return RulesParser(text).rules()


class RulesParser(TokenReader):
    space, pattern, known_as = SPACE, TOKEN, "rules have"

    def take(self, *words: str) -> str:
        """Go past one of these words if it stands here; the word, or nothing."""
        found = self.word
        if found not in words:
            return ""
        self.i += 1
        return found

    def unknown(self, what: str, names: list[str]) -> NoReturn:
        """The word here is none of these."""
        if self.token.kind != "word":
            self.expected(Text("{what} ({n})", what=what, n=one_of(names)))
        self.fail(
            Text(
                'there is no {what} "{word}"{guess}; there is: {names}',
                what=what,
                word=self.token.text,
                guess=did_you_mean(self.word, names),
                names=one_of(names),
            )
        )

    # ---- lines

    def rules(self) -> WrittenRules:
        belief = self.belief()
        lines = []
        while True:
            while self.take(*BREAKS):
                pass
            if self.token.kind == "end":
                break
            lines.append(self.line())
        if not lines:
            self.fail(Text('a list of rules needs a line, such as "rules"'))
        return WrittenRules(tuple(lines), belief)

    def belief(self) -> str:
        """`belief exact;` in front."""
        while self.take(*BREAKS):
            pass
        if not self.take("belief"):
            return BELIEFS[0]
        if self.word not in BELIEFS:
            self.unknown(Text("belief"), list(BELIEFS))
        return self.take(*BELIEFS)

    def line(self) -> WrittenRule:
        word = self.take(*WORDS)
        if not word:
            self.unknown(Text("rule"), list(WORDS))
        cards = 0
        while self.word in CLASSES:
            if word not in PICKS:
                self.fail(
                    Text(
                        '"{word}" knows by itself which cards; only {names} can be told',
                        word=word,
                        names=one_of(list(PICKS)),
                    )
                )
            cards |= 1 << CLASSES.index(self.take(*CLASSES))
        conditions: list[RuleCondition] = []
        if self.take("when"):
            conditions.append(self.condition(word))
            while self.take("and"):
                conditions.append(self.condition(word))
        if self.token.kind != "end" and self.word not in BREAKS:
            more = ["and"] if conditions else ["when", *(CLASSES if word in PICKS else ())]
            self.expected(Text("{words}, a comma or the end", words=", ".join(repr(each) for each in more)))
        return WrittenRule(WORDS.index(word), cards, tuple(conditions))

    # ---- conditions

    def condition(self, word: str) -> RuleCondition:
        start = self.token
        negated = bool(self.take("not"))
        flag = self.take(*FLAGS)
        if flag:
            condition = RuleCondition(RuleQuantity(QUANTITIES.index(flag)), UNEQUAL if negated else EQUAL)
        elif negated:
            self.unknown(Text('word after "not"'), list(FLAGS))
        else:
            quantity = self.quantity()
            condition = self.band(quantity) if self.take("is") else self.comparison(quantity)
        kind = condition.quantity.kind
        only = BEFORE_TRICKS.get(word)
        if (only is not None and kind != only) or (only is None and kind in BEFORE_TRICKS.values()):
            asked = condition.quantity
            if only is None:
                self.fail(
                    Text('"{word}" has no hand to weigh: "{asked}" cannot be asked there', word=word, asked=asked),
                    start,
                )
            known = QUANTITIES[only]
            self.fail(
                Text(
                    '"{word}" has only "{known}": "{asked}" cannot be asked there',
                    word=word,
                    known=known,
                    asked=asked,
                ),
                start,
            )
        return condition

    def comparison(self, quantity: RuleQuantity) -> RuleCondition:
        sign = "=" if self.word == "==" else self.word
        if sign not in COMPARISONS:
            self.expected(
                Text(
                    'one of {signs}, or "is" and a band, after "{quantity}"',
                    signs=" ".join(COMPARISONS),
                    quantity=quantity,
                )
            )
        self.i += 1
        return RuleCondition(quantity, COMPARISONS.index(sign), self.number(sign))

    def band(self, quantity: RuleQuantity) -> RuleCondition:
        if quantity.kind not in CHANCES:
            self.fail(Text('"{quantity}" is no chance: compare it with a number', quantity=quantity))
        if self.word not in BANDS:
            self.unknown(Text("band"), list(BANDS))
        return RuleCondition(quantity, band=self.take(*BANDS))

    def number(self, sign: str) -> float:
        negative = bool(self.take("-"))
        token = self.token
        if token.kind != "number":
            self.expected(Text('a number such as {example} after "{sign}"', example="75%", sign=sign))
        self.i += 1
        digits, percent, _ = token.text.replace(" ", "").partition("%")
        above, _, below = digits.partition("/")
        if below and float(below) == 0.0:
            self.fail(Text("nothing can be divided by 0"), token)
        number = float(above) / float(below or 1) / (100.0 if percent else 1.0)
        if number > MOST:
            self.fail(Text("numbers go up to {n:g}", n=MOST), token)
        return -number if negative else number

    def quantity(self) -> RuleQuantity:
        word = self.take(*QUANTITIES)
        if not word:
            self.unknown(Text("quantity"), list(QUANTITIES))
        if word != QUANTITIES[HOLDS]:
            return RuleQuantity(QUANTITIES.index(word))
        if not self.take("("):
            self.expected(Text('"(" after "holds"'))
        if self.word not in WHO:
            self.unknown(Text("player"), list(WHO))
        who = WHO.index(self.take(*WHO))
        if not self.take(","):
            self.expected(Text('"," and a card'))
        sort, card = self.card()
        if not self.take(")"):
            self.expected('")"')
        return RuleQuantity(HOLDS, who, sort, card)

    def card(self) -> tuple[int, int]:
        """The sort of a card, and its rank or number."""
        word = self.take(*CARD_WORDS)
        if word:
            sort = CARD_WORDS[word]
            return sort, 0 if sort == NAMED_CARD else self.rank(word)
        if self.word in CARD_CODES:
            return THIS_CARD, CARD_CODES[self.take(*CARD_CODES)]
        self.unknown(Text("card"), [*CARD_WORDS, *(card_code(card) for card in range(0, CARDS, RANKS + 1))])

    def rank(self, word: str) -> int:
        text = self.token.text.strip().lower()
        if text not in RANK_WORDS:
            self.expected(Text('a rank after "{word}" ({ranks})', word=word, ranks=", ".join(RANK_LETTERS)))
        self.i += 1
        return RANK_WORDS[text]
