"""Reading a menu: from text to data, with errors that say where and what is allowed."""

import re

from hiddenhand.core.errors import did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.core.token_reader import TokenReader
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.kingdoms import BY_NAME, kingdom_with, plain
from hiddenhand.games.dominion.menus.language import (
    COMPARISONS,
    FLAGS,
    MOST,
    NOTHING_LISTED,
    NUMBER,
    OF_A_CARD,
    PLAIN,
    Entries,
    Menu,
    MenuCondition,
    MenuEntry,
    MenuQuantity,
    cards_named,
)

SECTIONS = ("buy", "play", "play only", "trash", "discard", "gain")
AT_MOST, AT_LEAST = COMPARISONS.index("<="), COMPARISONS.index(">=")
QUANTITIES = [*(f"{word}(Card)" for word in OF_A_CARD), *PLAIN]
SPACE = re.compile(r"(?:\s|#[^\n]*)*")
TOKEN = re.compile(r"(?P<word>[A-Za-z][A-Za-z_'-]*)|(?P<number>[0-9]+)|(?P<sign><=|>=|==|!=|[<>=,;:()])")


def read_menu(text: str) -> Menu:
    """The menu that a text describes, or a TextFault that names the column."""
    return MenuParser(text).menu()


def brought(text: str) -> tuple[str, dict[str, str]]:
    """The agent that follows a menu which somebody has written, and the options of a game that has its cards."""
    menu = read_menu(text)
    return f"menu:{menu}", kingdom_with(cards_named(menu))


class MenuParser(TokenReader):
    space, pattern, known_as = SPACE, TOKEN, "a menu has"

    def take(self, *words: str) -> bool:
        """Go past these words if they stand here."""
        here = [token.text.lower() for token in self.tokens[self.i : self.i + len(words)]]
        if here != list(words):
            return False
        self.i += len(words)
        return True

    # ---- sections

    def menu(self) -> Menu:
        sections: dict[str, Entries] = {}
        flags: list[str] = []
        while True:
            start, word = self.token, self.word
            if word in FLAGS:
                self.i += 1
                if word in flags:
                    self.fail(Text("{what} stands here twice", what=repr(word)), start)
                flags.append(word)
            else:
                name = self.heading()
                key = name.partition(" ")[0]
                if key in (section.partition(" ")[0] for section in sections):
                    self.fail(Text("there are two lists of what to {what}; write one", what=key), start)
                sections[name] = self.entries()
            if not self.take(";"):
                break
        if self.token.kind != "end":
            self.expected(Text("{signs} or the end", signs='";"'))
        if "buy" not in sections:
            self.fail(Text('a menu needs a list of what to buy (perhaps "nothing")'))
        only = "play only" in sections
        play = sections.get("play only") if only else sections.get("play")
        trash, discard, gain = (sections.get(name) for name in ("trash", "discard", "gain"))
        return Menu(sections["buy"], play, trash, discard, gain, only, *(word in flags for word in FLAGS))

    def heading(self) -> str:
        """The name of a section with its colon; left out, it is what to buy."""
        first = end = self.i
        while self.tokens[end].kind == "word":
            end += 1
        if self.tokens[end].text != ":":
            return "buy"
        name = " ".join(token.text.lower() for token in self.tokens[first:end])
        if name not in SECTIONS:
            self.fail(
                Text(
                    'there is no section "{name}"{guess}; sections: {sections}',
                    name=name,
                    guess=did_you_mean(name, list(SECTIONS)),
                    sections=one_of([*SECTIONS, *FLAGS]),
                )
            )
        self.i = end + 1
        return name

    def entries(self) -> Entries:
        if self.take(NOTHING_LISTED):
            return ()
        entries = [self.entry()]
        while self.take(","):
            entries.append(self.entry())
        return tuple(entries)

    # ---- entries

    def entry(self) -> MenuEntry:
        card = self.card("up", "when", "and", "or")
        up_to = None
        conditions: list[MenuCondition] = []
        while True:
            if self.word == "up":
                if up_to is not None:
                    self.fail(Text('"up to" stands twice behind {card}', card=NAMES[card]))
                up_to = self.limit()
            elif self.word == "when":
                if conditions:
                    self.fail(
                        Text('"when" stands twice behind {card}; join conditions by "and" or "or"', card=NAMES[card])
                    )
                self.i += 1
                conditions += self.condition(False)
                while self.word in ("and", "or"):
                    self.i += 1
                    conditions += self.condition(self.tokens[self.i - 1].text.lower() == "or")
            elif self.token.kind == "end" or self.word in (",", ";"):
                return MenuEntry(card, up_to, tuple(conditions))
            else:
                words = '"up to", "and", "or", ",", ";"' if conditions else '"up to", "when", ",", ";"'
                self.expected(Text("{signs} or the end", signs=words))

    def card(self, *stops: str) -> int:
        """The card whose name stands here: all words up to one of the stops."""
        start = self.token
        words = []
        while self.token.kind == "word" and self.word not in stops:
            words.append(self.token.text)
            self.i += 1
        if not words:
            self.expected(Text("a card"))
        name = " ".join(words)
        card = BY_NAME.get(plain(name))
        if card is None:
            guess = did_you_mean(name.title(), list(NAMES))
            self.fail(Text('there is no card "{name}"{guess}', name=name, guess=guess), start)
        return card

    def limit(self) -> int:
        if not self.take("up", "to"):
            self.i += 1
            self.expected(Text('"to" after "up"'))
        return self.number(Text('after "up to"'))

    def number(self, where: str) -> int:
        token = self.token
        if token.kind != "number":
            self.expected(Text("a number {where}", where=where))
        if len(token.text) > len(str(MOST)):
            self.fail(Text("numbers go up to {n}", n=MOST))
        self.i += 1
        return int(token.text)

    # ---- conditions

    def condition(self, otherwise: bool) -> list[MenuCondition]:
        """One condition; two of `turn from 3 to 8`."""
        left = self.quantity()
        sign = "=" if self.word == "==" else self.word
        if sign == "from":
            return self.range(left, otherwise)
        if sign not in COMPARISONS:
            self.expected(Text('one of {signs} or "from" after "{left}"', signs=" ".join(COMPARISONS), left=left))
        self.i += 1
        if self.token.kind == "word":
            right = self.quantity()
        else:
            right = MenuQuantity(NUMBER, self.number(Text('or a quantity after "{sign}"', sign=sign)))
        return [MenuCondition(left, COMPARISONS.index(sign), right, otherwise)]

    def range(self, left: MenuQuantity, otherwise: bool) -> list[MenuCondition]:
        """`from 3 to 8` behind a quantity."""
        start = self.token
        self.i += 1
        low = self.number(Text('after "from"'))
        if not self.take("to"):
            self.expected('"to"')
        high = self.number(Text('after "to"'))
        if low > high:
            self.fail(Text("there is no number from {low} to {high}", low=low, high=high), start)
        return [
            MenuCondition(left, AT_LEAST, MenuQuantity(NUMBER, low), otherwise),
            MenuCondition(left, AT_MOST, MenuQuantity(NUMBER, high)),
        ]

    def quantity(self) -> MenuQuantity:
        word = self.word
        if word in PLAIN:
            self.i += 1
            return MenuQuantity(PLAIN[word])
        if word not in OF_A_CARD:
            self.expected(Text("a quantity ({list})", list=", ".join(QUANTITIES)))
        self.i += 1
        if not self.take("("):
            self.expected(Text('"(" and a card after "{word}"', word=word))
        card = self.card()
        if not self.take(")"):
            self.expected('")"')
        return MenuQuantity(OF_A_CARD[word], card)
