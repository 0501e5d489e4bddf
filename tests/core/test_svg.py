"""Pictures: what is written into them cannot break them, and a text is never wider than is reckoned."""

from xml.etree import ElementTree

from hiddenhand.core.svg import document, element, path, rect, text, wrapped

HARMFUL = '<script> & "quotes"'


def test_whatever_is_written_stays_text():
    drawn = document(HARMFUL, "", (100, 40.4), [text(HARMFUL, 1, 2.25), rect(0, 0, 1, 1, "box", fill=HARMFUL)])
    root = ElementTree.fromstring(drawn)
    paper, words, box = (root[place] for place in (1, 2, 3))
    assert root.attrib["aria-label"] == words.text == box.attrib["fill"] == HARMFUL
    assert root.attrib["viewBox"] == "0 0 100 40"
    assert paper.attrib["class"] == "paper"
    assert words.attrib == {"x": "1", "y": "2.2"}


def test_attributes_are_written_as_svg_wants_them():
    assert element("g", "inside", stroke_width=1.5, visibility=None) == '<g stroke-width="1.5">inside</g>'
    assert path("M", (1, 2), (3, 4.25), "Z", kind="box") == '<path class="box" d="M 1.0,2.0 3.0,4.2 Z"/>'


def test_a_long_line_is_wrapped():
    assert wrapped("some words in a line", 10.0, 70.0) == ["some words", "in a line"]
    assert wrapped("unbreakable", 10.0, 5.0) == ["unbreakable"]
