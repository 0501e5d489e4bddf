"""Mutations: small random damage to a text, as a careless editor or a broken disk would do it."""

import random
import re

TOKEN = re.compile(r"\w+|[^\w\s]+|\s+")
INSERTED = [
    "{", "}", "(", ")", ";", ":", ",", "=>", "==", '"', "#", "<<", "not ", " and ", " or ", "1", "0.5", "-1.0", "0.",
    "1.0e+999", "99999999999", "value ", "terminal ", "initial ", "illegal;", "on belief", "\x00", "\ufeff", "\u017c",
    "\n", "requires ", "case ", "xml ", ".", "-", "e+5", "function f(value x) { return f(x); }",
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
