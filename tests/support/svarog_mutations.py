"""Mutations: small random damage to a text, as a careless editor or a broken disk would do it.

    PYTHONPATH=src python tests/support/svarog_mutations.py 3000

damages so many files and does with each whatever can be done with a file; anything but a clear line is a defect.
"""

import random
import re
import sys
from collections import Counter
from pathlib import Path

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language import read_text, to_text
from hiddenhand.planning.language.checking import check
from hiddenhand.planning.model.world_building import build_world
from hiddenhand.planning.play.commands import SpecificationRun
from hiddenhand.planning.worlds import worlds

TOKEN = re.compile(r"\w+|[^\w\s]+|\s+")
INSERTED = [
    "{", "}", "(", ")", ";", ":", ",", "=>", "==", '"', "#", "<<", "not ", " and ", " or ", "1", "0.5", "-1.0", "0.",
    "1.0e+999", "99999999999", "value ", "terminal ", "initial ", "illegal;", "on belief", "\x00", "\ufeff", "\u017c",
    "\n", "requires ", "case ", "xml ", ".", "-", "e+5", "function f(value x) { return f(x); }", "\\", '\\"', ";;",
    "loop(2);", "test();", "cout << states << eol;", "cout << estimate(2,2) << eol;", "cout << knowledge << eol;",
]  # fmt: skip


def mutated(text: str, draw: random.Random) -> str:
    """The text with one to four places damaged."""
    for _ in range(draw.randint(1, 4)):
        text = draw.choice(WAYS)(text, draw)
    return text


def characters(text: str, draw: random.Random) -> str:
    """Delete, double, replace or insert a few characters."""
    if not text:
        return "x"
    start = draw.randrange(len(text))
    end = min(len(text), start + draw.randint(1, 6))
    new = draw.choice(["", text[start:end] * 2, chr(draw.randint(0, 0x2FF)), text[start:end][::-1]])
    return text[:start] + new + text[end:]


def tokens(text: str, draw: random.Random) -> str:
    """Delete, double, swap or insert a token."""
    found = TOKEN.findall(text)
    if len(found) < 2:
        return text + "x"
    i, j = draw.randrange(len(found)), draw.randrange(len(found))
    way = draw.randrange(5)
    if way == 0:
        found[i] = ""
    elif way == 1:
        found[i] *= 2
    elif way == 2:
        found[i], found[j] = found[j], found[i]
    elif way == 3:
        found[i] = found[j]
    else:
        found.insert(i, draw.choice(INSERTED))
    return "".join(found)


def lines(text: str, draw: random.Random) -> str:
    """Delete, double, swap or cut off lines."""
    found = text.split("\n")
    i, j = draw.randrange(len(found)), draw.randrange(len(found))
    way = draw.randrange(4)
    if way == 0:
        del found[i : i + draw.randint(1, 5)]
    elif way == 1:
        found.insert(i, found[j])
    elif way == 2:
        found[i], found[j] = found[j], found[i]
    elif draw.random() < 0.2:
        found = found[:i]
    return "\n".join(found)


WAYS = [characters, tokens, lines]


# --- all that can be done with a file ---


class Silent:
    """Somebody who types nonsense and something that makes sense, and looks at nothing."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def ask(self, prompt: str) -> str | None:
        return self.lines.pop(0) if self.lines else None

    def say(self, text: str) -> None:
        assert isinstance(text, str)

    def refuse(self, message: str) -> None:
        assert "\n" not in message

    def forgive(self) -> None:
        pass


def tried(text: str) -> str:
    """Read, print, check and run a file; what came of it: `run`, or the first words of what was refused."""
    try:
        specification = read_text(text, "f.svarog")
        assert read_text(to_text(specification)) == specification
        for finding in check(specification):
            assert str(finding).startswith("f.svarog:")
        world = build_world(specification)
        for compat in ("document", "svarog"):
            first = " ".join(world.visible_states[int(world.possible.argmax())])
            lines = [first, "why", "1", "did 1", first, "accept", "undo", "x", "reset", "2"]
            SpecificationRun(world, Silent(lines), compat, keep=False).commands()
    except UserError as error:
        return "refused" if "\n" not in str(error) else "refused with several lines"
    return "run"


def main(count: int) -> None:
    """Try so many damaged files, the smaller worlds more often."""
    files = {name: path.read_text() for name, path in worlds().items()}
    files["three_towns"] = Path(__file__).with_name("three_towns.svarog").read_text()
    names = ["tiger"] * 6 + ["ferryman"] * 3 + ["three_towns"] * 2 + ["dorban"]
    found: Counter[str] = Counter()
    for seed in range(count):
        draw = random.Random(seed)
        name = draw.choice(names)
        try:
            found[tried(mutated(files[name], draw))] += 1
        except BaseException:
            print(f"seed {seed}, {name}", flush=True)
            raise
    print(f"{count} damaged files: {dict(found)}, nothing else")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
