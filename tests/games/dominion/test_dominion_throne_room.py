"""Dominion: the Throne Room, with every card that makes something special of being played twice."""

import pytest

from dominion_tables import (
    FIRST,
    NOTHING,
    SECOND,
    cards,
    choices,
    deck,
    discard,
    hand,
    in_play,
    left,
    owned,
    play,
    position,
    seat,
    supply,
    tops,
    trash,
)

EDITIONS = [FIRST, SECOND]


def test_the_first_edition_must_choose_an_action():
    table = position(seat("Throne Room, Smithy, Village, Copper", below="9 Estate"), seat())
    play(table, "play Throne Room")
    assert choices(table) == ["double Village", "double Smithy"]
    table = position(seat("Throne Room, Smithy, Copper", below="9 Estate"), seat())
    play(table, "play Throne Room")  # the only Action is not asked for
    assert hand(table) == cards("Copper, 6 Estate")


def test_the_second_edition_may_choose_nothing():
    table = position(seat("Throne Room, Smithy, Copper", below="9 Estate"), seat(), edition=SECOND)
    play(table, "play Throne Room")
    assert choices(table) == ["stop", "double Smithy"]
    play(table, "stop")
    assert hand(table) == cards("Smithy, Copper")
    assert in_play(table) == cards("Throne Room")


@pytest.mark.parametrize("edition", EDITIONS)
def test_without_another_action_it_does_nothing(edition):
    table = position(seat("Throne Room, Copper, Gardens"), seat(), edition=edition)
    play(table, "play Throne Room")
    assert choices(table)[0] == "done"
    assert hand(table) == cards("Copper, Gardens")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_market_counts_twice_and_is_one_card(edition):
    table = position(seat("Throne Room, Market, Moat", deck="Gold, Estate"), seat(), edition=edition)
    play(table, "play Throne Room", "double Market")
    assert left(table) == (2, 3, 2)
    assert hand(table) == cards("Moat, Gold, Estate")
    assert in_play(table) == cards("Throne Room, Market")


def test_village_festival_and_laboratory_count_twice():
    for name, actions in (("Village", 4), ("Festival", 4), ("Laboratory", 2)):
        table = position(seat(f"Throne Room, {name}", below="9 Estate"), seat())
        play(table, "play Throne Room")
        assert left(table)[0] == actions


def test_play_one_is_finished_before_play_two_begins():
    table = position(seat("Throne Room, Cellar, Estate, Moat", deck="Curse, Duchy, Gold"), seat())
    play(table, "play Throne Room", "double Cellar", "discard Estate", "stop")
    assert hand(table) == cards("Moat, Curse")  # drawn before the second play
    assert choices(table) == ["stop", "discard Curse", "discard Moat"]  # and nothing else may be played in between
    play(table, "discard Curse", "stop")
    assert hand(table) == cards("Moat, Duchy")
    assert left(table)[0] == 2


def test_throne_room_on_throne_room_doubles_two_cards():
    """Not one card four times."""
    table = position(seat("2 Throne Room, Festival, Market, Smithy", below="9 Estate"), seat())
    play(table, "play Throne Room", "double Throne Room", "double Festival")
    assert choices(table) == ["double Smithy", "double Market"]
    play(table, "double Market")
    assert left(table) == (6, 1 + 2 + 2, 4 + 2)
    assert hand(table) == cards("Smithy, 2 Estate")
    assert in_play(table) == cards("2 Throne Room, Festival, Market")


def test_throne_room_on_throne_room_with_one_action():
    table = position(seat("2 Throne Room, Festival", below="9 Estate"), seat())
    play(table, "play Throne Room", "double Throne Room")
    assert left(table) == (4, 3, 4)  # the second finds no Action


def test_throne_rooms_in_a_long_chain():
    """Each of the four inner ones is played twice: the last doubles two cards, the others one beside the next."""
    table = position(seat("5 Throne Room, 6 Festival"), seat())
    play(table, "play Throne Room", *["double Throne Room"] * 4)
    assert in_play(table) == cards("5 Throne Room, 5 Festival")
    assert left(table) == (5 * 4, 1 + 5 * 2, 5 * 4)
    assert hand(table) == cards("Festival")


def test_throne_room_and_feast():
    """A bug that keeps coming back elsewhere: two gains, and one Feast trashed."""
    table = position(seat("Throne Room, Feast", deck="Estate"), seat())
    play(table, "play Throne Room", "gain Duchy")
    assert trash(table) == cards("Feast")
    play(table, "gain Silver")
    assert trash(table) == cards("Feast")
    assert owned(table) == cards("Throne Room, Estate, Duchy, Silver")
    assert in_play(table) == cards("Throne Room")


def test_two_feasts_and_two_throne_rooms():
    table = position(seat("2 Throne Room, 2 Feast"), seat())
    play(table, "play Throne Room", "double Throne Room", *["gain Duchy"] * 4)
    assert trash(table) == cards("2 Feast")
    assert owned(table) == cards("2 Throne Room, 4 Duchy")


@pytest.mark.parametrize("edition", EDITIONS)
def test_mine_twice_makes_a_copper_a_silver_and_that_a_gold(edition):
    table = position(seat("Throne Room, Mine, Copper"), seat(), edition=edition)
    play(table, "play Throne Room")
    if edition == SECOND:
        play(table, "double Mine", "trash Copper")
    play(table, "gain Silver")
    if edition == SECOND:
        play(table, "trash Silver")
    play(table, "gain Gold")
    assert hand(table) == cards("Gold")
    assert trash(table) == cards("Copper, Silver")


@pytest.mark.parametrize(("coppers", "coins"), [(3, 6), (2, 6), (1, 3), (0, 0)])
def test_moneylender_needs_a_copper_for_each_play(coppers, coins):
    table = position(seat(f"Throne Room, Moneylender, {coppers} Copper"), seat())
    play(table, "play Throne Room")
    left_over = max(coppers - 2, 0)
    assert left(table)[2] == coins + left_over
    assert trash(table) == cards(f"{min(coppers, 2)} Copper")


def test_remodel_cannot_trash_its_first_gain():
    table = position(seat("Throne Room, Remodel, Estate, Copper"), seat())
    play(table, "play Throne Room", "trash Estate", "gain Silver")
    assert trash(table) == cards("Estate, Copper")  # the Copper was all that was left
    play(table, "gain Curse")
    assert discard(table) == cards("Silver, Curse")


def test_remodel_with_one_card_does_nothing_the_second_time():
    table = position(seat("Throne Room, Remodel, Estate"), seat())
    play(table, "play Throne Room", "gain Silver")
    assert choices(table)[0] == "done"
    assert trash(table) == cards("Estate")


def test_chapel_trashes_up_to_four_and_up_to_four_again():
    table = position(seat("Throne Room, Chapel, 9 Estate"), seat())
    play(table, "play Throne Room", *["trash Estate"] * 4, *["trash Estate"] * 4)
    assert trash(table) == cards("8 Estate")
    assert choices(table)[0] == "done"


def test_workshop_gains_twice():
    table = position(seat("Throne Room, Workshop"), seat())
    play(table, "play Throne Room", "gain Silver", "gain Estate")
    assert discard(table) == cards("Silver, Estate")


@pytest.mark.parametrize("edition", EDITIONS)
def test_witch_twice_and_a_moat_for_each_play(edition):
    table = position(seat("Throne Room, Witch", deck="5 Estate"), seat("Moat"), seat("Copper"), edition=edition)
    play(table, "play Throne Room", *["double Witch"] * (edition == SECOND), "show Moat")
    assert table.turn == 1
    assert hand(table) == cards("2 Estate")  # the second play has not begun
    play(table, "show no Moat")
    assert hand(table) == cards("4 Estate")
    assert owned(table, 1) == cards("Moat, Curse")
    assert owned(table, 2) == cards("Copper, 2 Curse")


def test_militia_twice_takes_no_further_card():
    table = position(seat("Throne Room, Militia"), seat("Copper, Silver, Gold, Estate, Duchy"))
    play(table, "play Throne Room", "discard Estate", "discard Duchy")
    assert table.turn == 0
    assert left(table)[2] == 4
    assert hand(table, 1) == cards("Copper, Silver, Gold")


def test_bureaucrat_twice_takes_two_victory_cards_if_there_are():
    table = position(seat("Throne Room, Bureaucrat"), seat("Estate, Duchy, Copper"), seat("Estate, 2 Copper"))
    play(table, "play Throne Room", "put back Duchy")
    assert tops(table) == ["Silver", "Silver"]
    assert supply(table, "Silver") == 38
    assert tops(table, 1) == ["Estate", "Duchy"]
    assert tops(table, 2) == ["Estate"]


def test_thief_twice_keeps_from_each_play_its_own():
    table = position(seat("Throne Room, Thief"), seat(deck="Gold, Estate, Silver, Estate"))
    play(table, "play Throne Room", "stop")
    assert choices(table) == ["stop", "keep Silver"]


def test_spy_twice():
    table = position(seat("Throne Room, Spy, Moat", deck="Copper, Gold, Silver, Duchy"), seat(deck="Estate, Curse"))
    play(table, "play Throne Room", "double Spy", "discard it", "discard it", "leave it", "leave it")
    assert hand(table) == cards("Moat, Copper, Silver")
    assert discard(table) == cards("Gold")
    assert (tops(table, 1), discard(table, 1)) == (["Curse"], cards("Estate"))
    assert left(table)[0] == 2


def test_library_draws_again_only_below_seven():
    table = position(seat("Throne Room, Library, Estate", deck="Copper", below="9 Copper"), seat())
    play(table, "play Throne Room")
    assert hand(table) == cards("Estate, 6 Copper")


def test_adventurer_twice_may_find_what_it_discarded():
    table = position(seat("Throne Room, Adventurer", deck="Estate, Copper, Silver", discard="Gold"), seat())
    play(table, "play Throne Room")
    # the first play discards the Estate; the second shuffles it in with the Gold
    assert hand(table) == cards("Copper, Silver, Gold")
    assert deck(table) == NOTHING
    assert discard(table) == cards("Estate")


def test_council_room_twice():
    table = position(seat("Throne Room, Council Room", below="9 Estate"), seat(deck="Gold, Silver"))
    play(table, "play Throne Room")
    assert hand(table) == cards("8 Estate")
    assert left(table)[1] == 3
    assert hand(table, 1) == cards("Gold, Silver")


def test_chancellor_twice():
    table = position(seat("Throne Room, Chancellor", deck="Gold"), seat())
    play(table, "play Throne Room", "discard deck")  # the second time there is no deck to ask for
    assert left(table) == (0, 1, 4)


# ---- the second edition


def second(hand_cards, **cards_of):
    table = position(seat(f"Throne Room, {hand_cards}", **cards_of), seat(), edition=SECOND)
    play(table, "play Throne Room", f"double {hand_cards.split(',')[0]}")
    return table


def test_merchant_twice_counts_twice():
    table = second("Merchant, 2 Silver", deck="2 Estate")
    assert left(table) == (2, 1, 2 + 2 + 2)


def test_harbinger_twice():
    table = second("Harbinger, Moat", deck="Estate", discard="Gold, Village")
    play(table, "put back Gold")
    assert hand(table) == cards("Moat, Estate, Gold")  # the second play draws it
    play(table, "put back Village")
    assert tops(table) == ["Village"]


def test_vassal_twice():
    table = second("Vassal", deck="Festival, Village, Gold")
    play(table, "play it", "leave it")
    assert in_play(table) == cards("Throne Room, Vassal, Festival")
    assert discard(table) == cards("Village")
    assert left(table) == (2, 2, 6)


def test_sentry_twice():
    table = second("Sentry, Moat", deck="Estate, Gold, Curse, Silver, Copper")
    play(table, "trash Curse", "stop", "stop")  # the Gold stays, and is drawn by the second play
    assert hand(table) == cards("Moat, Estate, Gold")
    assert choices(table) == ["stop", "trash Copper", "trash Silver"]


def test_artisan_twice():
    table = second("Artisan, Estate")
    play(table, "gain Duchy", "put back Estate", "gain Silver", "put back Duchy")
    assert tops(table) == ["Duchy", "Estate"]
    assert hand(table) == cards("Silver")


def test_bandit_twice():
    table = position(
        seat("Throne Room, Bandit"), seat(deck="Silver, Copper, Gold, Estate"), edition=SECOND, also="Moat"
    )
    play(table, "play Throne Room", "double Bandit")
    assert discard(table) == cards("2 Gold")
    assert trash(table) == cards("Silver, Gold")
    assert discard(table, 1) == cards("Copper, Estate")


def test_poacher_twice():
    table = position(
        seat("Throne Room, Poacher, Moat", deck="Estate, Gold"), seat(), edition=SECOND, supply={"Curse": 0}
    )
    play(table, "play Throne Room", "double Poacher", "discard Estate", "discard Gold")
    assert hand(table) == cards("Moat")
    assert left(table) == (2, 1, 2)
