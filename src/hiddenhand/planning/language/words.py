"""The words of a world: how people call its variables, values, actions and payoffs, in several languages.

They stand in comments, so that every program of the language reads the file as before:

    #: language en
    #:   tiger         = the tiger | to know where the tiger is | then
    #:   open_left     = open the left door | I open the left door
    #:   deck=>traveller = a traveller on board | to get a traveller on board | with a traveller on board
    #:   "the treasure"  = the treasure | I find it | I find it behind {chance} of the doors that I open

What stands before `=` is a name of the file, a fact (`variable=>value`), an action as a player writes it, or the name
of a payoff in quotes. What follows are phrases, with `|` between them; which phrase is which says `KINDS`. A phrase
may be left out. Without words the names of the file are used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

MARK = "#:"
LANGUAGE = re.compile(r"language\s+(\w+)$")
ENGLISH = "en"
KINDS = {
    "variable": ("its name", "what somebody does who wants to know it", "and when it is known"),
    "fact": ("its name", "what somebody does who wants it to be so", "and when it is so"),
    "action": ("its name", "a sentence of somebody who does it"),
    "value": ("its name",),
    "payoff": ("its name", "a sentence of somebody who gets it", "the same with how often: {chance}"),
}
NAME, PURPOSE, CONDITION = 0, 1, 2
SENTENCE, OFTEN = 1, 2
"""The places of the phrases."""


@dataclass(frozen=True)
class Words:
    """The words of one file: for every language the phrases of each name, in the order of the file."""

    languages: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of the file in which a name is given words first."""

    def phrase(self, language: str, name: str, place: int) -> str:
        """One phrase of a name, in the language or else in English; empty if there is none."""
        for code in (language, ENGLISH):
            phrases = self.languages.get(code, {}).get(name, ())
            if place < len(phrases) and phrases[place]:
                return phrases[place]
        return ""

    def catalogues(self) -> dict[str, dict[str, str]]:
        """For every other language what takes the place of the English words and, where there are none, of the names
        of the file."""
        english = self.languages.get(ENGLISH, {})
        found: dict[str, dict[str, str]] = {}
        for code, phrases in self.languages.items():
            if code == ENGLISH:
                continue
            words = found.setdefault(code, {})
            for name, translated in phrases.items():
                bare = name.strip('"')
                said = english.get(name, ())
                for place, phrase in enumerate(translated):
                    known = said[place] if place < len(said) else ""
                    if phrase and known:
                        words[known] = phrase
                    if phrase and place == NAME and "=>" not in name:
                        words[bare] = words[bare.replace("_", " ")] = phrase
        return found

    @property
    def names(self) -> list[str]:
        """All that has words, in the order of the file."""
        return list(dict.fromkeys(name for phrases in self.languages.values() for name in phrases))


def words_in(text: str) -> Words:
    """The words that the comments of a file give."""
    languages: dict[str, dict[str, tuple[str, ...]]] = {}
    lines: dict[str, int] = {}
    code = ENGLISH
    for number, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        if not said.startswith(MARK):
            continue
        said = said.removeprefix(MARK).strip()
        if found := LANGUAGE.match(said):
            code = found[1]
            continue
        name, equals, phrases = said.partition(" = ")
        if equals:
            name = " ".join(name.split())
            languages.setdefault(code, {})[name] = tuple(part.strip() for part in phrases.split("|"))
            lines.setdefault(name, number)
    return Words(languages, lines)
