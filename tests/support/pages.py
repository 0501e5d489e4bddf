"""The pages of the documentation, and the code that stands in them."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """Code in a page; with a title it is a file of that name, which other blocks may use."""

    page: Path
    language: str
    title: str
    text: str


def blocks(*languages):
    """Every block in these languages, from every page."""
    return [block for block in every_block() if block.language in languages]


def every_block():
    for page in PAGES:
        for language, title, text in FENCE.findall(page.read_text(encoding="utf-8")):
            yield Block(page, language, title, text)


def write_files(folder):
    """The blocks with titles, as files."""
    for block in every_block():
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")


def place(path):
    """A page as a test names it: 'games/kuhn'."""
    return str(path.relative_to(ROOT).with_suffix("")).removeprefix("docs/")
