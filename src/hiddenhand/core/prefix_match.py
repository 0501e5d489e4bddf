"""Choices: what a person types, read as one of several names: its number, itself, or the only one that begins so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hiddenhand.core.errors import IllegalAction, UserError, one_of
from hiddenhand.core.text import Text


def chosen(word: str, names: Sequence[str], what: str) -> int | None:
    """The place of the name that the word means; None if it means none. An error if it may mean several.

    The name itself comes first; then names that begin so; then names of which a later part begins so. Capitals do not
    matter unless they alone make the difference, and a blank is as good as `_`.
    """
    if word in names:
        return names.index(word)
    wanted, *spelt = (" ".join(re.split("[_ ]+", text.lower())) for text in (word, *names))
    ways = (
        [i for i, name in enumerate(spelt) if name == wanted],
        [i for i, name in enumerate(spelt) if name.startswith(wanted)],
        [i for i, name in enumerate(spelt) if f" {wanted}" in name],
    )
    for found in ways:
        if len(found) == 1:
            return found[0]
        if found:
            raise IllegalAction(
                "{what} {word} could be {found}", what=what, word=repr(word), found=one_of([names[i] for i in found])
            )
    return None


def numbered(word: str, count: int) -> int | None:
    """The place that a number from 1 to `count` means; None if it is no number."""
    if not (word.isascii() and word.isdigit()):
        return None
    if not 1 <= int(word) <= count:
        raise UserError(
            Text("there is no choice {word}; there are {count}", word=word, count=count)
            if count
            else Text("there is no choice yet")
        )
    return int(word) - 1
