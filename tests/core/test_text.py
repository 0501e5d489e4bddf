"""Texts: sentences that are told in every language, with the names of the players; their catalogues are complete."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from hiddenhand.core.catalogue import best_language, catalogue
from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Reader, Seat, Text, from_data, render, to_data, with_strings

ROOT = Path(__file__).resolve().parents[2]
TAKES = Text("{who:C} takes {card} and {other}", who=Seat(1), card=Text("the {suit} ace", suit="red"), other=7)


def test_a_text_is_its_english_sentence():
    assert TAKES == "Seat 1 takes the red ace and 7"
    assert isinstance(TAKES, str)
    assert hash(TAKES) == hash(str(TAKES))
    assert Text("100 % {{sure}}").render(Reader()) == "100 % {sure}"
    with pytest.raises(KeyError):
        Text("{who} wins")


def test_a_reader_sees_names_and_words_of_its_own():
    assert TAKES.render(Reader(names=["Ada", "jo"])) == "Jo takes the red ace and 7"
    assert TAKES.render(Reader()) == "Player 2 takes the red ace and 7"
    assert TAKES.render(Reader("pl")) == "Gracz 2 takes the red ace and 7"
    words = {TAKES.template: "{card}: to bierze {who}", "the {suit} ace": "as {suit}"}
    assert TAKES.render(Reader("pl", ["Ada", "Jo"], words)) == "as red: to bierze Jo"


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "-1,234.5, 71.4%"), ("pl", "\u22121\xa0234,5, 71,4%"), ("sk", "\u22121\xa0234,5, 71,4\xa0%")],
)
def test_numbers_are_written_as_the_language_does(language, expected):
    assert Text("{a:,.1f}, {b:.1%}", a=-1234.5, b=0.714).render(Reader(language)) == expected


def test_plural_forms(monkeypatch):
    forms = {("{n} world", 1): "{n} świat", ("{n} world", 2): "{n} światy", ("{n} world", 5): "{n} światów"}
    monkeypatch.setattr(catalogue("pl"), "get_plural", lambda one, several, n: forms[one, n])
    texts = [Text.plural("{n} world", "{n} worlds", n=n) for n in (1, 2, 5)]
    assert texts == ["1 world", "2 worlds", "5 worlds"]
    assert [text.render(Reader("pl")) for text in texts] == ["1 świat", "2 światy", "5 światów"]


def test_texts_travel():
    both = Text.joined("; ", [TAKES, "as it is {here}", Text("no {{place}}")])
    assert both == "Seat 1 takes the red ace and 7; as it is {here}; no {place}"
    reader = Reader("pl", ["Ada", "Jo"])
    for copy in (pickle.loads(pickle.dumps(both)), from_data(json.loads(json.dumps(to_data(both))))):
        assert copy == both
        assert copy.render(reader) == both.render(reader) == "Jo takes the red ace and 7; as it is {here}; no {place}"
    told = {"said": [both, 3], "seat": Seat(0)}
    assert from_data(json.loads(json.dumps(to_data(told)))) == told
    assert render(told, reader) == {"said": [both.render(reader), 3], "seat": "Ada"}


def test_what_is_added_to_a_text_keeps_it():
    for both in (TAKES + " {now}", TAKES + Text(" {n}", n="{now}")):
        assert both == "Seat 1 takes the red ace and 7 {now}"
        assert both.render(Reader(names=["Ada", "Jo"])) == "Jo takes the red ace and 7 {now}"
    assert ("first: " + TAKES).render(Reader()) == "first: Player 2 takes the red ace and 7"


def test_strings_in_a_text_can_be_changed():
    """As a server does that leaves folders out of what it says."""
    changed = with_strings(
        Text("{file}: {why}, {n}", file="/a/b", why=Text("no {what} /a/", what="/a/c"), n=1), strip
    )
    assert changed == "b: no c /a/, 1"
    assert changed.template == "{file}: {why}, {n}"
    assert with_strings("/a/b", strip) == "b"


def test_what_is_wrong_is_a_text():
    """A template and its values; a text or a sentence that is there already stays as it is."""
    error = UserError("{n:,} is more than {most}", n=1200, most=Text("a dozen"))
    assert error.text.template == "{n:,} is more than {most}"
    assert str(error) == "1,200 is more than a dozen"
    assert UserError(TAKES).text is TAKES
    assert str(UserError("no {place} is filled")) == "no {place} is filled"
    assert pickle.loads(pickle.dumps(error)).text.values == error.text.values


def strip(text):
    return text.replace("/a/", "")


def test_the_best_language_that_there_is():
    assert [best_language(wanted) for wanted in ("sk-SK,sk;q=0.9", "de, pl;q=0.5", "fr", "")] == [
        "sk",
        "pl",
        "en",
        "en",
    ]


def test_every_message_is_translated():
    """Found in the sources, not by listening: a template without a translation, or with other places, is told."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "messages.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "pl.po" in done.stdout
