"""What is told of a game of Dominion beside the moves: forced discards, and what attacks show."""

from dominion_tables import SECOND, play, position, seat


def told(table, move, ear=0):
    """The news of a move for a seat."""
    before = table.state.copy()
    play(table, move)
    return list(table.game.people.news(before, table.state, ear))


def test_a_discard_that_leaves_no_choice_is_told():
    table = position(seat("Militia"), seat("5 Copper", below="5 Copper"))
    assert told(table, "play Militia") == ["seat 1 must discard 2 Copper"]
    table = position(seat("Militia"), seat("5 Copper", below="5 Copper"))
    assert told(table, "play Militia", 1) == ["you must discard 2 Copper"]


def test_a_discard_that_was_chosen_is_not_told_again():
    table = position(seat("Militia"), seat("3 Copper, 2 Estate", below="5 Copper"))
    assert told(table, "play Militia") == []
    assert told(table, "discard Estate") == []
    table = position(seat("Militia"), seat("4 Copper, Estate", below="5 Copper"))
    play(table, "play Militia")
    assert told(table, "discard Estate") == ["seat 1 must discard Copper, Estate"]  # the second goes by itself


def test_what_a_thief_shows():
    table = position(seat("Thief"), seat("5 Copper", "Copper, Estate", below="5 Copper"))
    news = told(table, "play Thief")
    assert news == [
        "seat 1 must show Copper, Estate",
        "seat 1 loses Copper to the trash",
        "seat 1 must discard Estate",
    ]
    table = position(seat("Thief"), seat("5 Copper", "Silver, Gold", below="5 Copper"))
    assert told(table, "play Thief") == ["seat 1 must show Silver, Gold"]
    assert told(table, "trash Gold") == ["seat 1 loses Gold to the trash", "seat 1 must discard Silver"]
    table = position(seat("Thief"), seat("5 Copper", "2 Estate", below="5 Copper"))
    assert told(table, "play Thief") == ["seat 1 must show 2 Estate", "seat 1 must discard 2 Estate"]


def test_what_a_bandit_shows():
    table = position(seat("Bandit"), seat("5 Copper", "Silver, Estate", below="5 Copper"), edition=SECOND)
    assert told(table, "play Bandit", 1) == [
        "seat 0 gains Gold",
        "you must show Silver, Estate",
        "you lose Silver to the trash",
        "you must discard Estate",
    ]


def test_what_a_spy_shows():
    table = position(seat("Spy", "Copper, Duchy"), seat("5 Copper", "Gold", below="5 Copper"))
    assert told(table, "play Spy") == ["you must show Duchy"]
    assert told(table, "leave it") == ["seat 1 must show Gold"]
    assert told(table, "discard it") == []


def test_a_vassal_and_the_end_of_a_turn():
    table = position(seat("Vassal, Estate", "Gold"), seat("5 Copper", below="5 Copper"), edition=SECOND)
    assert told(table, "play Vassal", 1) == ["seat 0 must discard Gold"]
    assert told(table, "done", 1) == []  # the hand and what was played


def test_what_a_masquerade_passes_is_not_trashed():
    table = position(seat("Masquerade", "2 Copper"), seat("Gold", below="5 Copper"), edition=SECOND)
    assert told(table, "play Masquerade") == [
        "you gain Gold",
        "you pass Copper on",
        "seat 1 gains Copper",
        "seat 1 passes Gold on",
    ]
