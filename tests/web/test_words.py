"""The languages of the page: nothing that it says, nor what the server says on it, is missing in Polish or Slovak."""

import json
import re
import subprocess

import pytest

import said
from hiddenhand.core import resolver
from hiddenhand.guides import glossary, guide
from page_sources import SOURCES, node_and_npm

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


@pytest.fixture(scope="module")
def texts():
    return said.all_texts()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_server_says_is_translated(texts, language):
    node, _ = node_and_npm()
    assert len(texts) > 1000
    program = [node, "words.mjs", "check", language]
    done = subprocess.run(program, cwd=SOURCES, input=json.dumps(texts), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
