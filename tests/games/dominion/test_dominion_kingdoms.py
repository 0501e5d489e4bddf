"""Dominion: kingdoms by name, by list and at random; what is wrong with one is said in a line."""

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import game
from hiddenhand.games.dominion.cards import BASE_SET, FIRST, NAMES, SECOND, TABLE
from hiddenhand.games.dominion.kingdoms import available, find_card, find_kingdom
from hiddenhand.games.dominion.state import BASIC

TEN = "Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Workshop"


RANDOM_7 = [
    "Bandit", "Bureaucrat", "Council Room", "Harbinger", "Laboratory", "Library", "Merchant", "Mine", "Throne Room",
    "Witch",
]  # fmt: skip


def names(text, edition=FIRST):
    return sorted(NAMES[card] for card in find_kingdom(text, edition))


def error(text, edition=FIRST):
    with pytest.raises(UserError) as raised:
        find_kingdom(text, edition)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_set_of_both_rulebooks_is_that_of_the_edition():
    assert names("First Game") == sorted([*TEN.split(", "), "Woodcutter"])
    assert names("First Game", SECOND) == sorted([*TEN.split(", "), "Merchant"])


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("Big Money", "Adventurer Bureaucrat Chancellor Chapel Feast Laboratory Market Mine Moneylender Throne-Room"),
        ("Interaction", "Bureaucrat Chancellor Council-Room Festival Library Militia Moat Spy Thief Village"),
        ("Size Distortion", "Cellar Chapel Feast Gardens Laboratory Thief Village Witch Woodcutter Workshop"),
        ("Village Square", "Bureaucrat Cellar Festival Library Market Remodel Smithy Throne-Room Village Woodcutter"),
    ],
)
def test_the_sets_of_the_first_rulebook(name, cards):
    assert names(name) == sorted(card.replace("-", " ") for card in cards.split())
    assert names(name.upper().replace(" ", "_")) == names(name)


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("Size Distortion", "Artisan Bandit Bureaucrat Chapel Festival Gardens Sentry Throne-Room Witch Workshop"),
        (
            "Deck Top",
            "Artisan Bureaucrat Council-Room Festival Harbinger Laboratory Moneylender Sentry Vassal Village",
        ),
        (
            "Sleight of Hand",
            "Cellar Council-Room Festival Gardens Harbinger Library Militia Poacher Smithy Throne-Room",
        ),
        (
            "Silver and Gold",
            "Bandit Bureaucrat Chapel Harbinger Laboratory Merchant Mine Moneylender Throne-Room Vassal",
        ),
        ("Victory Dance", "Baron Courtier Duke Harem Ironworks Masquerade Mill Nobles Patrol Replace"),
        (
            "The Plot Thickens",
            "Conspirator Ironworks Lurker Mining-Village Pawn Secret-Passage Steward Swindler Torturer Trading-Post",
        ),
        (
            "Best Wishes",
            "Baron Conspirator Courtyard Diplomat Duke Secret-Passage Shanty-Town Torturer Upgrade Wishing-Well",
        ),
        ("Underlings", "Cellar Courtier Diplomat Festival Library Minion Nobles Pawn Sentry Vassal"),
        (
            "Grand Scheme",
            "Artisan Bridge Council-Room Market Militia Mill Mining-Village Patrol Shanty-Town Workshop",
        ),
        ("Deconstruction", "Bandit Diplomat Harem Lurker Mine Remodel Replace Swindler Throne-Room Village"),
        ("Improvements", "Artisan Cellar Market Merchant Mine Moat Moneylender Poacher Remodel Witch"),
    ],
)
def test_the_sets_of_the_second_rulebook(name, cards):
    """As a public collection of kingdoms has them; for one set a second collection agrees."""
    assert names(name, SECOND) == sorted(card.replace("-", " ") for card in cards.split())
    assert names(name.replace(" and ", " & "), SECOND) == names(name, SECOND)


def test_a_list_in_any_order_and_spelling():
    assert names(TEN + ", throne_room") == sorted([*TEN.split(", "), "Throne Room"])
    assert find_card(" COUNCILROOM ") == NAMES.index("Council Room")


def test_a_random_kingdom_is_that_of_its_seed():
    kingdoms = {tuple(names(f"random:{seed}")) for seed in range(40)}
    assert len(kingdoms) > 35
    assert names("random:7") == names(" Random : 7 ")
    assert names("random") == names("random:0")
    for word, edition, cards in (("random", FIRST, 39), ("random", SECOND, 39), ("mixed", SECOND, 65)):
        found = set()
        for seed in range(60):
            kingdom = find_kingdom(f"{word}:{seed}", edition)
            assert len(set(kingdom)) == 10
            assert kingdom == sorted(kingdom)
            found |= set(kingdom)
        assert found == {card for card in range(BASIC, cards) if TABLE[card].editions & edition}


def test_random_kingdoms_are_those_of_saved_games():
    """Cards that came later do not change what a seed gives."""
    assert names("random:7", SECOND) == RANDOM_7


def test_the_editions_have_25_and_26_kingdom_cards():
    assert (len(available(FIRST)), len(available(SECOND, BASE_SET)), len(available(SECOND))) == (25, 26, 26 + 26)
    second = set(available(SECOND, BASE_SET))
    assert {NAMES[card] for card in set(available(FIRST)) - second} == {
        "Adventurer", "Chancellor", "Feast", "Spy", "Thief", "Woodcutter",
    }  # fmt: skip
    assert {NAMES[card] for card in second - set(available(FIRST))} == {
        "Harbinger", "Merchant", "Vassal", "Poacher", "Bandit", "Sentry", "Artisan",
    }  # fmt: skip


def test_an_unknown_card():
    assert "'Smity'" in error(TEN + ", Smity")
    assert "did you mean Smithy?" in error(TEN + ", Smity")


def test_an_unknown_kingdom_names_those_of_the_edition():
    assert "did you mean First Game?" in error("Frist Game")
    assert "Village Square" in error("nothing")
    assert "Improvements" in error("nothing", SECOND)
    assert "Village Square" not in error("nothing", SECOND)
    assert "unknown kingdom 'Big Money'" in error("Big Money", SECOND)  # it has cards of the first


def test_a_wrong_number_of_cards():
    assert "ten cards, not 9" in error(TEN)
    assert "ten cards, not 1" in error("Smithy")
    assert "ten cards, not 11" in error(TEN + ", Chapel, Witch")


def test_a_card_listed_twice():
    assert "Moat is listed twice" in error(TEN + ", moat")


def test_a_basic_card():
    assert "Gold is in every game" in error(TEN + ", Gold")


def test_a_card_of_the_other_edition():
    assert "Merchant is a card of the second edition" in error(TEN + ", Merchant")
    assert "Spy is a card of the first edition" in error(TEN + ", Spy", SECOND)


@pytest.mark.parametrize("seed", ["x", "-1", "1.5", "1 2"])
def test_a_random_kingdom_without_a_whole_number(seed):
    assert "random:SEED" in error(f"random:{seed}")


def test_the_game_refuses_them_when_its_options_are_chosen():
    with pytest.raises(UserError, match="ten cards"):
        game("dominion", kingdom="Smithy")
    with pytest.raises(UserError, match="edition"):
        game("dominion", edition="third")
    for players in (1, 5):
        with pytest.raises(UserError, match="players"):
            game("dominion", players=players)
