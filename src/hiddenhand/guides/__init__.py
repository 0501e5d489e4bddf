"""Guides: what somebody needs to know of a game who has never played it, in a folder for each language.

A guide is `<language>/<game>.md`, with three headings in this order: `How to play`, `The aim`, `Words`. It keeps to
the Markdown that a tiny reader understands: headings, paragraphs, lists, **bold**, *italics*, `code`, and a block
fenced as `picture`, which is drawn as text. The words, in the last part, are a list of `**word**: meaning`. The
terminal, the page and the site of the documentation show the same text.
"""

from __future__ import annotations

import re
from pathlib import Path

ENGLISH = "en"
FOLDER = Path(__file__).parent
WORD = re.compile(r"^- \*\*(?P<word>.+?)\*\*: (?P<meaning>.+(?:\n  .+)*)", re.MULTILINE)


def guide(name: str, language: str = ENGLISH) -> str:
    """The guide to a game of the package, in English if not in this language; empty if there is none."""
    for folder in (language, ENGLISH):
        for path in FOLDER.glob("*/*.md"):
            if (path.parent.name, path.stem) == (folder, name):
                return path.read_text(encoding="utf-8")
    return ""


def glossary(text: str) -> dict[str, str]:
    """The words that a guide explains, each with its meaning."""
    last = text.rpartition("\n## ")[2]
    return {found["word"]: " ".join(found["meaning"].split()) for found in WORD.finditer(last)}
