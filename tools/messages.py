"""The catalogues of the package: `python tools/messages.py` adds to them whatever the sources say.

Every template stands in a source as `Text("...")` or `Text.plural("...", "...")`, or in what says that something is
wrong (FAULTS), such as `UserError("...")`. It belongs to the catalogue of its
package, `words/pl.po` and `words/sk.po` in one of CATALOGUES, or in the whole package. Templates that no source says
any more are dropped. With `--check` nothing is written; what is missing is told.

`extract` is a method for Babel too: `pybabel extract -F babel.cfg src`.
"""

from __future__ import annotations

import ast
import io
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "hiddenhand"
LANGUAGES = ("pl", "sk")
FOLDER = "words"
CATALOGUES = (
    *("core", "search", "planning", "learning", "lab", "studies", "cli", "web"),
    *("games", "games/hanabi", "games/snaps", "games/dominion"),
)
"""Folders of the package with catalogues of their own."""
FAULTS = {"UserError", "IllegalAction", "RefusedAction", "RecordError", "Forfeit", "Fault", "fail", "fault"}
"""Exceptions, and functions that raise them, to which a template is given with its values."""
HEAD = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plural}\\n"

"""


class Said(NamedTuple):
    """A template in a source."""

    line: int
    template: str
    several: str = ""


# ---- in one source


def templates(tree: ast.Module) -> Iterator[Said]:
    """All templates of a source, the names of settings, and the first paragraph of `about=__doc__`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from names_of_settings(node)
        if not isinstance(node, ast.Call):
            continue
        if called(node) == "plural" and len(node.args) > 1:
            for one, several in zip(constants(node.args[0]), constants(node.args[1])):
                yield Said(node.lineno, one, several)
        elif called(node) == "Text" and node.args:
            for one in constants(node.args[0]):
                yield Said(node.lineno, one)
        elif called(node) in FAULTS:
            for one in (one for argument in node.args for one in constants(argument)):
                yield Said(node.lineno, one)
        for keyword in node.keywords:
            if keyword.arg == "about" and isinstance(keyword.value, ast.Name) and keyword.value.id == "__doc__":
                yield Said(1, first_paragraph(ast.get_docstring(tree) or ""))


def names_of_settings(node: ast.Dict) -> Iterator[Said]:
    """The names of settings and of their choices, as people read them."""
    for key, value in zip(node.keys, node.values):
        if not (isinstance(value, ast.Call) and called(value) == "Setting" and isinstance(key, ast.Constant)):
            continue
        yield Said(node.lineno, str(key.value).replace("_", " "))
        choices = [keyword.value for keyword in value.keywords if keyword.arg == "choices"]
        for each in choices:
            for choice in each.elts if isinstance(each, ast.Tuple | ast.List) else []:
                yield from (Said(node.lineno, text) for text in constants(choice) if "_" not in text)


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    of = node.func
    return of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""


def constants(node: ast.expr) -> Iterator[str]:
    """The strings that an argument can be: itself, either side of a condition, or any value of a table."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        for value in node.value.values:
            yield from constants(value)


def first_paragraph(text: str) -> str:
    return " ".join(text.strip().partition("\n\n")[0].split())


def extract(file: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[tuple[int, str | None, Any, list]]:
    """The templates of an open source, as Babel asks for them."""
    for said in templates(ast.parse(file.read())):
        if said.several:
            yield said.line, "ngettext", (said.template, said.several), []
        else:
            yield said.line, None, said.template, []


# ---- in all of them


def catalogue_of(source: Path) -> Path:
    """The folder of the catalogue to which a source belongs."""
    own = {SOURCES / name for name in CATALOGUES}
    return next((folder for folder in source.parents if folder in own), SOURCES) / FOLDER


def said_in(folder: Path | None = None) -> dict[Path, dict[str, str]]:
    """By folder of a catalogue: every template, and its form for several things."""
    found: dict[Path, dict[str, str]] = {}
    for source in sorted((folder or SOURCES).rglob("*.py")):
        for said in templates(ast.parse(source.read_text(encoding="utf-8"))):
            if any(map(str.isalpha, bare(said.template))):
                found.setdefault(catalogue_of(source), {}).setdefault(said.template, said.several)
    return found


def bare(template: str) -> str:
    """A template without its places; what is left of some has no words to translate."""
    return "".join(text for text, *_ in string.Formatter().parse(template))


def written(folder: Path, language: str) -> Catalog:
    """A catalogue as it lies there; a new one where there is none."""
    path = folder / f"{language}.po"
    if path.is_file():
        return read_po(io.BytesIO(path.read_bytes()), locale=language)
    return Catalog(locale=language, fuzzy=False)


def missing(folder: Path, language: str, said: dict[str, str]) -> list[str]:
    """The templates that a catalogue does not translate, or whose places it lacks or invents."""
    known = written(folder, language)
    return [template for template, several in said.items() if not translated(known.get(template), several, known)]


def translated(message: Message | None, several: str, of: Catalog) -> bool:
    """Whether a message has all its forms, with the places of the template."""
    if message is None or message.fuzzy or isinstance(message.id, str) == bool(several):
        return False
    forms = [message.string] if isinstance(message.string, str) else list(message.string)
    expected = places(several or (message.id if isinstance(message.id, str) else message.id[0]))
    enough = len(forms) == (of.num_plurals if several else 1)
    return (
        enough and all(form and places(form) <= expected for form in forms) and expected <= places(forms[-1]) | {"n"}
    )


def places(template: str) -> set[str]:
    """The names of the places in a template."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def add(folder: Path, language: str, said: dict[str, str], others: list[Catalog]) -> None:
    """Write a catalogue with exactly these templates; what it or another had translated stays."""
    before, after = written(folder, language), Catalog(locale=language, fuzzy=False)
    for template, several in said.items():
        known = next((found for each in (before, *others) if (found := each.get(template)) and found.string), None)
        kept = known is not None and isinstance(known.id, str) == (not several)
        after.add((template, several) if several else template, known.string if kept and known else None)
    folder.mkdir(exist_ok=True)
    contents = io.BytesIO()
    write_po(contents, after, width=0, omit_header=True, sort_output=True)
    head = HEAD.format(language=language, plural=after.plural_forms)
    (folder / f"{language}.po").write_bytes(head.encode() + contents.getvalue())


def main() -> int:
    lacking = 0
    all_said = said_in()
    before = {language: [written(folder, language) for folder in all_said] for language in LANGUAGES}
    for folder, said in all_said.items():
        for language in LANGUAGES:
            if "--check" not in sys.argv:
                add(folder, language, said, before[language])
            lacks = missing(folder, language, said)
            lacking += len(lacks)
            place = (folder / f"{language}.po").relative_to(ROOT)
            sys.stdout.write(f"{place}: {len(said)} messages, {len(lacks)} not translated\n")
            sys.stdout.writelines(f"    {template}\n" for template in lacks)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
