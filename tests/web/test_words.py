"""The languages of the page: nothing that it says by itself is missing in Polish or Slovak."""

import json
import re

import pytest

from hiddenhand.core import resolver
from hiddenhand.guides import glossary, guide
from page_sources import SOURCES

LANGUAGES = ("pl", "sk")
CATALOGUE = re.compile(
    r'^msgid "(?P<text>.*)"\n(?:msgid_plural "(?P<plural>.*)"\n)?(?P<said>(?:msgstr.*\n?)+)', re.MULTILINE
)


def entries(language):
    """(English, translations) of a catalogue whose texts stand on one line each."""
    text = (SOURCES / "words" / f"{language}.po").read_text(encoding="utf-8")
    for found in CATALOGUE.finditer(text):
        if found["text"]:
            yield (
                json.loads(f'"{found["text"]}"'),
                re.findall(r'^msgstr(?:\[\d\])? "(.*)"', found["said"], re.MULTILINE),
            )


def places(text):
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


def page_texts():
    """All texts that the page's sources say by themselves."""
    found = set()
    for path in sorted((SOURCES / "src").rglob("*.ts*")):
        source = path.read_text(encoding="utf-8")
        for match in re.finditer(r'\bt\(\s*"((?:[^"\\]|\\.)*)"', source):
            found.add(json.loads(f'"{match[1]}"'))
        for match in re.finditer(r'\bcount(?:ed)?\(\s*[^"]*?,\s*"((?:[^"\\]|\\.)*)"', source):
            found.add(json.loads(f'"{match[1]}"'))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_is_complete(language):
    known = dict(entries(language))
    assert len(page_texts()) > 250
    assert sorted(page_texts() - set(known)) == []
    assert [english for english, given in known.items() if not all(given)] == []
    for english, given in known.items():
        assert len(given) in (1, 3), english
        for text in given:
            assert places(text) == places(english) or len(given) == 3, (english, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_its_guide(language):
    for game in resolver.games():
        ours, english = guide(game, language), guide(game)
        assert ours != english
        assert len(re.findall(r"^## ", ours, re.MULTILINE)) == len(re.findall(r"^## ", english, re.MULTILINE)) == 3
        assert len(glossary(ours)) == len(glossary(english)) > 2


def names_of_settings(settings):
    for name, setting in settings.items():
        yield name
        yield from (choice for choice in setting.choices or () if isinstance(choice, str))
        yield from setting.several


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_settings_are_translated(language):
    """The page tells names that programs have for things in words of its own."""
    names = set()
    for name in resolver.games():
        game = resolver.game(name)
        names.update(names_of_settings(game.settings))
        for kind in resolver.agents(game).values():
            names.update(names_of_settings(resolver.EVERYTHING.settings_of(kind, game)))
    known = dict(entries(language))
    words = {name.replace("_", " ") for name in names}
    assert len(words & set(known)) > 100
    assert sorted(word for word in words - set(known) if re.search("[a-z]{3}", word)) == []
