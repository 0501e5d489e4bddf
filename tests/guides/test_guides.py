"""Every game of the package has a guide that a newcomer can read in a minute, and that says what the engine plays."""

import re

import pytest

from hiddenhand.core.game import guide_of, meaning_of
from hiddenhand.core.resolver import game, games
from hiddenhand.guides import glossary, guide

HEADINGS = ["How to play", "The aim", "Words"]
FEWEST, MOST = 120, 220
PLAIN = re.compile(
    r"""
    \#\#\ [\w ]+                     # a heading
    | -\ .+ | \d\.\ .+ | \ {2,3}\S.*  # items of lists, and how they go on
    | [^\s#>|<`-].* | `[^`].*        # a paragraph
    """,
    re.VERBOSE,
)


def without_pictures(text):
    return re.sub(r"^```picture\n.*?^```\n", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", games())
def test_a_guide_has_its_headings_and_a_minute_of_text(name):
    text = guide(name)
    assert re.findall(r"^#+ (.+)$", text, re.MULTILINE) == HEADINGS
    minute = without_pictures(text).partition("## The aim")[0].partition("## How to play")[2]
    assert FEWEST <= len(minute.split()) <= MOST


@pytest.mark.parametrize("name", games())
def test_a_tiny_reader_understands_it(name):
    for line in without_pictures(guide(name)).splitlines():
        assert not line or PLAIN.fullmatch(line), line
        assert line.count("**") % 2 == 0, line
        assert line.count("`") % 2 == 0, line


@pytest.mark.parametrize("name", games())
def test_every_line_of_the_glossary_is_a_word_and_its_meaning(name):
    words = guide(name).partition("## Words")[2]
    assert len(glossary(words)) == len(re.findall(r"^- ", words, re.MULTILINE)) >= 5
    assert glossary(guide(name)) == glossary(words)


def test_words_of_the_games():
    assert {"trumf", "dost", "kontra", "rekontra", "sumec", "marriage"} <= glossary(guide("snaps")).keys()
    assert {"critical", "playable", "useless", "touched", "fuse"} <= glossary(guide("hanabi")).keys()
    assert {"payoff", "belief"} <= glossary(guide("dorban")).keys()
    assert {"action", "buy", "coin", "trash", "curse"} <= glossary(guide("dominion")).keys()


def test_a_meaning_may_take_several_lines():
    assert glossary("- **a**: one\n  two\n- **b c**: three\n") == {"a": "one two", "b c": "three"}


def test_what_there_is_no_guide_for():
    assert guide("chess") == ""
    assert guide("../en/kuhn") == ""
    assert guide("kuhn", "tlh") == guide("kuhn", "../en") == guide("kuhn") != ""


def test_a_game_gives_its_guide_or_what_it_says_about_itself(tmp_path):
    assert guide_of(game("kuhn")) == guide("kuhn")
    own = tmp_path / "kuhn.tree"
    own.write_text("(max 1 2)")
    assert guide_of(game(str(own))) == game(str(own)).about == "A tree: kuhn.tree."


def test_a_word_is_explained_by_the_game_or_by_its_guide():
    assert meaning_of(game("dominion"), "Smithy") == "Smithy, action, costs 4: +3 cards"
    assert meaning_of(game("dominion"), "TRASH").startswith("to remove a card")
    assert meaning_of(game("snaps"), " follow  suit ").startswith("to play a card of the suit")
    assert meaning_of(game("snaps"), "smithy") == ""
    assert meaning_of(game("dorban"), "Pregor").startswith("your companion")
    assert meaning_of(game("dorban"), "is_pregor_alive") == "is_pregor_alive: hidden: false, true"
    assert meaning_of(game("tiger"), "growl left") == "growl_left: a value of noticed"
    assert meaning_of(game("tiger"), "lion") == ""
