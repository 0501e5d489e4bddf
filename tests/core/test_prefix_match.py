"""What a person types, as one of several names."""

import pytest

from hiddenhand.core.errors import IllegalAction, UserError
from hiddenhand.core.prefix_match import chosen, numbered

NAMES = ["place_Krakow", "place_Poznan", "attack_vampire", "Ask", "ask_again", "a b"]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("place_Krakow", "place_Krakow"),
        ("PLACE_krakow", "place_Krakow"),
        ("place p", "place_Poznan"),
        ("K", "place_Krakow"),
        ("vamp", "attack_vampire"),
        ("ask", "Ask"),
        ("ask_", "ask_again"),
        ("ask a", "ask_again"),
        ("b", "a b"),
        ("rakow", None),
        ("x", None),
    ],
)
def test_a_name_or_the_beginning_of_one(word, name):
    place = chosen(word, NAMES, "the place")
    assert (None if place is None else NAMES[place]) == name


def test_what_may_mean_several_is_refused():
    with pytest.raises(IllegalAction, match="the place 'place' could be place_Krakow, place_Poznan"):
        chosen("place", NAMES, "the place")


def test_numbers_count_from_one():
    assert numbered("2", 2) == 1
    assert numbered("two", 2) is None
    assert numbered("²", 2) is None
    for word, count in (("0", 2), ("3", 2), ("1", 0)):
        with pytest.raises(UserError, match="there is no"):
            numbered(word, count)
