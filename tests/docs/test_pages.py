"""The pages of the documentation hang together."""

import re

import pytest

from hiddenhand.core.resolver import games, general_agents
from pages import PAGES, ROOT, place

pytestmark = pytest.mark.fast


def test_every_game_and_method_has_a_page():
    assert {path.stem for path in (ROOT / "docs" / "games").glob("*.md")} >= set(games())
    assert {path.stem for path in (ROOT / "docs" / "methods").glob("*.md")} >= set(general_agents())


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_is_in_the_list_of_the_site():
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert f": {page.relative_to(ROOT / 'docs').as_posix()}\n" in listed, page


def test_a_word_of_the_glossary_has_one_meaning():
    words = re.findall(r"\*\*(.+?)\*\*", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    assert sorted(words) == sorted(set(words))


def test_files_that_the_walks_name_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:src|tests|docs|web-ui)/[\w./-]+", text)
    assert named
    for name in named:
        assert (ROOT / name).exists(), name
