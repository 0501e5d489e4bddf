"""Catalogues: the sentences of the package in other languages, and how a language writes numbers.

Every package that speaks to people has a folder `words` with one gettext file for each language (`pl.po`, `sk.po`).
`python tools/messages.py` finds the templates in the sources and adds them there.

An installed package can bring more: further languages, or what its own games say in any language. It names the
package whose folder has such files in an entry point of the group `hiddenhand.words`.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

ENGLISH = "en"
LANGUAGES = {"en": "English", "pl": "Polski", "sk": "Slovenčina"}
"""The languages that come with this package, by their codes."""
ENTRY_POINTS = "hiddenhand.words"
FOLDER = "words"
MOST_KNOWN = 20_000


class Catalogue:
    """What one language calls things.

    A number that Python has written in English is written anew with the signs of the language: "1,234.5%" is
    "1 234,5%" in Polish.
    """

    def __init__(self, language: str) -> None:
        from babel import Locale
        from babel.numbers import get_decimal_symbol, get_group_symbol

        self.language = language
        locale = Locale.parse(language)
        percent = str(locale.percent_formats[None].pattern).lstrip("#,0.")
        self.signs = str.maketrans(
            {".": get_decimal_symbol(locale), ",": get_group_symbol(locale), "%": percent, "-": "\N{MINUS SIGN}"}
        )
        self.known: dict[str, str] = {}
        """What was looked up lately: `messages` are a chain with a link for every package."""
        self.messages = gettext.NullTranslations()
        for path in sources(language):
            more = read_catalogue(path.read_bytes())
            if isinstance(self.messages, gettext.GNUTranslations):
                self.messages.add_fallback(more)
            else:
                self.messages = more

    def get(self, template: str) -> str:
        """A template in this language; in English where there is no translation."""
        found = self.known.get(template)
        if found is None:
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            found = self.known[template] = self.messages.gettext(template) if template else template
        return found

    def get_plural(self, one: str, several: str, n: float) -> str:
        """The form of a template that goes with a number; of numbers that are not whole, the form for two."""
        return self.messages.ngettext(one, several, int(n) if float(n).is_integer() else 2)

    def number(self, written: str) -> str:
        """A number that Python has written, as this language writes it."""
        foreign = self.language != ENGLISH and any(map(str.isdigit, written))
        return written.translate(self.signs) if foreign else written


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language, by its code; of English where there is none."""
    return Catalogue(language if language in languages() else ENGLISH)


@cache
def languages() -> dict[str, str]:
    """The languages that people may choose, by their codes: those of this package and of installed ones."""
    from babel import Locale

    codes = {Path(file.name).stem for folder in installed_words() for file in folder.iterdir() if is_catalogue(file)}
    names = {code: str(Locale.parse(code).get_display_name(code)).capitalize() for code in sorted(codes)}
    return {**LANGUAGES, **{code: name for code, name in names.items() if code not in LANGUAGES}}


def sources(language: str) -> Iterator[Traversable]:
    """The files of a language in all packages."""
    if language != ENGLISH:
        yield from found_in(files("hiddenhand"), f"{language}.po")
        for folder in installed_words():
            yield from (file for file in folder.iterdir() if is_catalogue(file) and file.name == f"{language}.po")


def installed_words() -> list[Traversable]:
    """The folders of gettext files that installed packages name."""
    return [files(point.value) for point in entry_points(group=ENTRY_POINTS)]


def is_catalogue(file: Traversable) -> bool:
    return file.name.endswith(".po") and file.is_file()


def found_in(folder: Traversable, name: str) -> Iterator[Traversable]:
    for each in sorted(folder.iterdir(), key=lambda path: path.name):
        if each.name == FOLDER and each.is_dir():
            if (file := each / name).is_file():
                yield file
        elif each.is_dir() and not each.name.startswith(("_", ".")) and each.name != "static":
            yield from found_in(each, name)


def read_catalogue(contents: bytes) -> gettext.GNUTranslations:
    """What a gettext file says."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(contents)))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def best_language(wanted: str) -> str:
    """The first language of a list (as browsers write it: `pl,en;q=0.8`) that there is; English if there is none."""
    for each in wanted.split(","):
        code = each.partition(";")[0].strip().lower().partition("-")[0].partition("_")[0]
        if code in languages():
            return code
    return ENGLISH
