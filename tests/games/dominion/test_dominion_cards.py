"""Dominion card by card: what each gives and does, and its edge cases. (Attacks and the Throne Room: next door.)

The numbers are written down here once more, from the rulebooks, not taken from the engine.
"""

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
from hiddenhand.games.dominion.cards import ACTION, ATTACK, COST, NAMES, TABLE, TREASURE, VICTORY

# name, cost, kind, +cards, +actions, +buys, +coins
BASIC = """
Copper          0 treasure          0 0 0 1
Silver          3 treasure          0 0 0 2
Gold            6 treasure          0 0 0 3
Estate          2 victory           0 0 0 0
Duchy           5 victory           0 0 0 0
Province        8 victory           0 0 0 0
Curse           0 curse             0 0 0 0
"""
OF_BOTH = """
Cellar          2 action            0 1 0 0
Chapel          2 action            0 0 0 0
Moat            2 action-reaction   2 0 0 0
Village         3 action            1 2 0 0
Workshop        3 action            0 0 0 0
Bureaucrat      4 action-attack     0 0 0 0
Gardens         4 victory           0 0 0 0
Militia         4 action-attack     0 0 0 2
Moneylender     4 action            0 0 0 0
Remodel         4 action            0 0 0 0
Smithy          4 action            3 0 0 0
Throne_Room     4 action            0 0 0 0
Council_Room    5 action            4 0 1 0
Festival        5 action            0 2 1 2
Laboratory      5 action            2 1 0 0
Library         5 action            0 0 0 0
Market          5 action            1 1 1 1
Mine            5 action            0 0 0 0
Witch           5 action-attack     2 0 0 0
"""
OF_THE_FIRST = """
Chancellor      3 action            0 0 0 2
Woodcutter      3 action            0 0 1 2
Feast           4 action            0 0 0 0
Spy             4 action-attack     1 1 0 0
Thief           4 action-attack     0 0 0 0
Adventurer      6 action            0 0 0 0
"""
OF_THE_SECOND = """
Harbinger       3 action            1 1 0 0
Merchant        3 action            1 1 0 0
Vassal          3 action            0 0 0 2
Poacher         4 action            1 1 0 1
Bandit          5 action-attack     0 0 0 0
Sentry          5 action            1 1 0 0
Artisan         6 action            0 0 0 0
"""


OF_INTRIGUE = """
Courtyard       2 action            3 0 0 0
Lurker          2 action            0 1 0 0
Pawn            2 action            0 0 0 0
Masquerade      3 action            2 0 0 0
Shanty_Town     3 action            0 2 0 0
Steward         3 action            0 0 0 0
Swindler        3 action-attack     0 0 0 2
Wishing_Well    3 action            1 1 0 0
Baron           4 action            0 0 1 0
Bridge          4 action            0 0 1 1
Conspirator     4 action            0 0 0 2
Diplomat        4 action-reaction   2 0 0 0
Ironworks       4 action            0 0 0 0
Mill            4 action-victory    1 1 0 0
Mining_Village  4 action            1 2 0 0
Secret_Passage  4 action            2 1 0 0
Courtier        5 action            0 0 0 0
Duke            5 victory           0 0 0 0
Minion          5 action-attack     0 1 0 0
Patrol          5 action            3 0 0 0
Replace         5 action-attack     0 0 0 0
Torturer        5 action-attack     3 0 0 0
Trading_Post    5 action            0 0 0 0
Upgrade         5 action            1 1 0 0
Harem           6 treasure-victory  0 0 0 2
Nobles          6 action-victory    0 0 0 0
"""


def rows(text):
    for line in filter(None, text.splitlines()):
        name, cost, kind, *gives = line.split()
        yield name.replace("_", " "), int(cost), kind, tuple(map(int, gives))


ALL = [*rows(BASIC), *rows(OF_BOTH), *rows(OF_THE_FIRST), *rows(OF_THE_SECOND), *rows(OF_INTRIGUE)]
COST_OF = {name: cost for name, cost, _, _ in ALL}
PLAYED = [
    (edition, name, gives)
    for edition, text in ((FIRST, OF_BOTH + OF_THE_FIRST), (SECOND, OF_BOTH + OF_THE_SECOND))
    for name, _, kind, gives in rows(text)
    if "action" in kind
]


def piles(table):
    return [NAMES[card] for card in table.state.piles if table.state.supply[card] > 0]


def gains(table):
    """The cards that may be gained now; nothing else may be done."""
    assert all(choice.startswith("gain ") for choice in choices(table))
    return {choice.removeprefix("gain ") for choice in choices(table)}


def costing(table, most):
    return {name for name in piles(table) if COST_OF[name] <= most}


# ---- the table of cards


def test_the_cards_are_those_of_the_rulebooks():
    assert {name for name, _, _, _ in ALL} == set(NAMES)
    for name, cost, kind, gives in ALL:
        card = NAMES.index(name)
        assert (COST[card], TABLE[card].kind) == (cost, kind)
        assert tuple(TABLE[card][3:7]) == gives
        assert ("action" in kind, "attack" in kind) == (ACTION[card], ATTACK[card])
        assert ("treasure" in kind, "victory" in kind) == (TREASURE[card], VICTORY[card])


@pytest.mark.parametrize(("edition", "name", "gives"), PLAYED, ids=str)
def test_what_a_card_gives_at_once(edition, name, gives):
    table = position(seat(f"{name}, Curse", below="20 Estate"), seat(), edition=edition)
    play(table, f"play {name}")
    more_cards, more_actions, more_buys, coins = gives
    assert left(table) == (more_actions, 1 + more_buys, coins)
    if name == "Library":
        more_cards = 6  # up to seven
    if name not in ("Remodel", "Feast"):  # they take a card away at once
        assert hand(table) == cards(f"Curse, {more_cards} Estate")
        assert in_play(table) == cards(name)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_simple_cards_do_nothing_to_the_others(players):
    others = [seat("Copper, Estate, Moat", deck="Gold, Silver", discard="Curse")] * (players - 1)
    for name in ("Village", "Smithy", "Festival", "Laboratory", "Market", "Woodcutter"):
        table = position(seat(name, below="9 Estate"), *others)
        play(table, f"play {name}")
        assert table.turn == 0
        for of in range(1, players):
            assert hand(table, of) == cards("Copper, Estate, Moat")
            assert tops(table, of) == ["Gold", "Silver"]
            assert discard(table, of) == cards("Curse")


# ---- Cellar


def test_cellar_discards_first_and_then_draws_as_many():
    table = position(seat("Cellar, 2 Estate, Copper, Moat", deck="Gold, Silver, Province"), seat())
    play(table, "play Cellar", "discard Estate", "discard Estate")
    assert hand(table) == cards("Copper, Moat")
    assert tops(table) == ["Gold", "Silver", "Province"]
    assert discard(table) == cards("2 Estate")
    play(table, "stop")
    assert hand(table) == cards("Copper, Moat, Gold, Silver")
    assert left(table)[0] == 1


def test_cellar_may_discard_nothing():
    table = position(seat("Cellar, Estate, Moat", deck="Gold"), seat())
    play(table, "play Cellar", "stop")
    assert hand(table) == cards("Estate, Moat")
    assert tops(table) == ["Gold"]


def test_cellar_may_discard_the_whole_hand():
    table = position(seat("Cellar, Estate, Curse", deck="Moat, Silver, Gold"), seat())
    play(table, "play Cellar", "discard Estate", "discard Curse")
    assert hand(table) == cards("Moat, Silver")


def test_cellar_may_draw_its_own_discards_again():
    table = position(seat("Cellar, 2 Estate, Moat", deck="Gold"), seat())
    play(table, "play Cellar", "discard Estate", "discard Estate", "stop")
    assert hand(table) == cards("Moat, Gold, Estate")
    assert deck(table) == cards("Estate")
    assert discard(table) == NOTHING


def test_cellar_cannot_discard_itself():
    table = position(seat("Cellar, Estate, Moat"), seat())
    play(table, "play Cellar")
    assert choices(table) == ["stop", "discard Estate", "discard Moat"]
    table = position(seat("2 Cellar, Estate"), seat())
    play(table, "play Cellar", "discard Cellar")
    assert choices(table) == ["stop", "discard Estate"]


# ---- Chapel


def test_chapel_trashes_up_to_four():
    table = position(seat("Chapel, 3 Estate, 3 Copper, Curse", deck="Gold"), seat())
    play(table, "play Chapel")
    assert choices(table) == ["stop", "trash Copper", "trash Estate", "trash Curse"]
    play(table, "trash Estate", "trash Estate", "trash Curse", "trash Copper")
    assert trash(table) == cards("2 Estate, Curse, Copper")
    assert owned(table) == cards("Chapel, Estate, 2 Copper, Gold")
    assert left(table) == (0, 1, 2)  # and buying has begun


def test_chapel_may_stop_at_any_number():
    for number in range(4):
        table = position(seat("Chapel, 5 Estate"), seat())
        play(table, "play Chapel", *["trash Estate"] * number, "stop")
        assert trash(table) == cards(f"{number} Estate")
        assert hand(table) == cards(f"{5 - number} Estate")


def test_chapel_with_an_empty_hand():
    table = position(seat("Chapel"), seat())
    play(table, "play Chapel")
    assert "done" in choices(table)
    assert trash(table) == NOTHING


# ---- Moat, Village and the like: see what a card gives; Moat against attacks: test_dominion_attacks


def test_moat_played_as_an_action_only_draws():
    table = position(seat("Moat", deck="Estate, Gold, Silver"), seat("Moat, 4 Copper"))
    play(table, "play Moat")
    assert hand(table) == cards("Estate, Gold")
    assert table.turn == 0


# ---- Chancellor


def test_chancellor_may_put_the_whole_deck_into_the_discard_pile():
    table = position(seat("Chancellor", deck="Gold, Moat", below="2 Estate", discard="Copper"), seat())
    play(table, "play Chancellor")
    assert choices(table) == ["keep deck", "discard deck"]  # at once: nothing can be bought before
    play(table, "discard deck")
    assert deck(table) == NOTHING
    assert discard(table) == cards("Gold, Moat, 2 Estate, Copper")
    assert left(table) == (0, 1, 2)


def test_chancellor_may_leave_it():
    table = position(seat("Chancellor", deck="Gold", below="2 Estate", discard="Copper"), seat())
    play(table, "play Chancellor", "keep deck")
    assert deck(table) == cards("Gold, 2 Estate")
    assert discard(table) == cards("Copper")


def test_after_chancellor_the_next_draw_shuffles_in_this_turns_gains():
    table = position(seat("Chancellor", below="2 Copper"), seat())
    play(table, "play Chancellor", "discard deck", "buy Estate")
    assert hand(table) == cards("Chancellor, 2 Copper, Estate")


# ---- Workshop and Feast


def test_workshop_gains_a_card_of_at_most_four():
    table = position(seat("Workshop", deck="Gold"), seat(), also="Gardens, Market, Smithy", coins=9)
    play(table, "play Workshop")
    assert gains(table) == costing(table, 4)  # coins do not help, and something must be gained
    assert {"Gardens", "Smithy", "Silver", "Curse"} <= gains(table)
    play(table, "gain Gardens")
    assert discard(table) == cards("Gardens")
    assert supply(table, "Gardens") == 7


def test_an_empty_pile_cannot_be_gained():
    table = position(seat("Workshop"), seat(), supply={"Silver": 0, "Smithy": 0})
    play(table, "play Workshop")
    assert gains(table) == costing(table, 4)
    assert not {"Silver", "Smithy"} & gains(table)


def test_feast_is_trashed_for_a_card_of_at_most_five():
    table = position(seat("Feast, Copper", below="6 Estate"), seat(), also="Laboratory, Witch, Adventurer", coins=9)
    play(table, "play Feast")
    assert gains(table) == costing(table, 5)
    assert {"Duchy", "Laboratory", "Witch"} <= gains(table)
    assert not {"Gold", "Adventurer"} & gains(table)
    play(table, "gain Duchy")
    assert trash(table) == cards("Feast")
    assert in_play(table) == NOTHING
    assert discard(table) == cards("Duchy")
    play(table, "done")
    assert owned(table) == cards("Copper, 6 Estate, Duchy")  # it does not come back at clean-up


# ---- Moneylender


def test_moneylender_of_the_first_edition_trashes_a_copper_for_three_coins():
    table = position(seat("Moneylender, 2 Copper, Moat"), seat(), actions=2)
    play(table, "play Moneylender")
    assert choices(table) == ["buy phase", "play Moat"]  # nothing was asked
    assert trash(table) == cards("Copper")
    assert left(table) == (1, 1, 3)


def test_moneylender_of_the_second_edition_asks():
    for answer, coins in (("trash Copper", 3), ("trash no Copper", 0)):
        table = position(seat("Moneylender, 2 Copper, Moat"), seat(), actions=2, edition=SECOND)
        play(table, "play Moneylender", answer)
        assert trash(table) == (cards("Copper") if coins else NOTHING)
        assert left(table) == (1, 1, coins)


@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_moneylender_without_a_copper_gives_nothing(edition):
    table = position(seat("Moneylender, Silver, Moat"), seat(), actions=2, edition=edition)
    play(table, "play Moneylender")
    assert trash(table) == NOTHING
    assert left(table) == (1, 1, 0)


# ---- Remodel


@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_remodel_must_trash_a_card_and_gain_one_of_at_most_two_more(edition):
    table = position(seat("Remodel, Gold, Estate"), seat(), edition=edition, also="Artisan" * (edition == SECOND))
    play(table, "play Remodel")
    assert choices(table) == ["trash Gold", "trash Estate"]  # not itself, and not nothing
    play(table, "trash Estate")
    assert trash(table) == cards("Estate")
    assert gains(table) == costing(table, 4)
    play(table, "gain Estate")  # the same card, or a cheaper one
    assert discard(table) == cards("Estate")


def test_remodel_makes_gold_a_province_and_a_province_a_province():
    table = position(seat("Remodel, Gold, Estate"), seat(), coins=5)
    play(table, "play Remodel", "trash Gold")
    assert gains(table) == costing(table, 8)
    play(table, "gain Province")
    assert discard(table) == cards("Province")
    table = position(seat("Remodel, Province, Estate"), seat())
    play(table, "play Remodel", "trash Province", "gain Province")
    assert owned(table) == cards("Remodel, Province, Estate")


def test_remodel_of_a_copper():
    table = position(seat("Remodel, Copper"), seat(), coins=5)
    play(table, "play Remodel")  # there is but one card to trash
    assert trash(table) == cards("Copper")
    assert gains(table) == costing(table, 2)


def test_remodel_with_an_empty_hand_does_nothing():
    """A bug that keeps coming back elsewhere."""
    table = position(seat("Remodel", deck="Gold"), seat())
    play(table, "play Remodel")
    assert choices(table)[0] == "done"
    assert trash(table) == NOTHING
    assert owned(table) == cards("Remodel, Gold")


# ---- Council Room


@pytest.mark.parametrize("players", [2, 3, 4])
def test_council_room_lets_everybody_else_draw(players):
    others = [seat("Moat", deck="Gold", below="Estate"), seat("3 Curse", discard="Duchy"), seat("2 Copper")]
    table = position(seat("Council Room", deck="Estate, Gold, Silver, Copper, Duchy"), *others[: players - 1])
    play(table, "play Council Room")
    assert table.turn == 0  # it is no attack: no Moat is asked for
    assert hand(table) == cards("Estate, Gold, Silver, Copper")
    assert left(table)[:2] == (0, 2)
    assert hand(table, 1) == cards("Moat, Gold")
    if players > 2:
        assert hand(table, 2) == cards("3 Curse, Duchy")  # shuffled to draw
    if players > 3:
        assert hand(table, 3) == cards("2 Copper")  # nothing to draw


# ---- Library


def test_library_draws_until_seven():
    table = position(seat("Library, 2 Estate", deck="5 Copper, Gold"), seat())
    play(table, "play Library")
    assert hand(table) == cards("2 Estate, 5 Copper")  # the Library itself has left the hand
    assert tops(table) == ["Gold"]


def test_library_with_seven_in_hand_draws_nothing():
    table = position(seat("Library, 7 Estate", deck="Gold"), seat())
    play(table, "play Library")
    assert hand(table) == cards("7 Estate")


def test_library_may_set_actions_aside_and_discards_them_at_the_end():
    table = position(seat("Library, 4 Estate", deck="Copper, Smithy, Village, Gold, Silver, Duchy"), seat())
    play(table, "play Library")
    assert hand(table) == cards("4 Estate, Copper, Smithy")
    assert choices(table) == ["keep it", "set it aside"]
    play(table, "set it aside")
    assert discard(table) == NOTHING  # not yet
    play(table, "keep it")
    assert hand(table) == cards("4 Estate, Copper, Village, Gold")
    assert discard(table) == cards("Smithy")


def test_library_asks_only_about_actions():
    table = position(seat("Library", deck="Gardens, Curse, Duchy, Silver, Copper, Estate, Gold, Moat"), seat())
    play(table, "play Library")
    assert table.action_name(table.legal_actions()[0]) == "done"
    assert hand(table) == cards("Gardens, Curse, Duchy, Silver, Copper, Estate, Gold")


def test_library_asks_about_the_seventh_card_too():
    table = position(seat("Library, 6 Estate", deck="Moat, Gold"), seat())
    play(table, "play Library", "set it aside")
    assert hand(table) == cards("6 Estate, Gold")
    assert discard(table) == cards("Moat")


def test_what_library_set_aside_is_not_shuffled_in():
    table = position(seat("Library, 4 Estate", deck="Smithy", discard="2 Copper"), seat())
    play(table, "play Library", "set it aside")
    assert hand(table) == cards("4 Estate, 2 Copper")  # and it stopped, for there is no more
    assert discard(table) == cards("Smithy")
    assert deck(table) == NOTHING


def test_library_on_an_empty_deck():
    """A bug that keeps coming back elsewhere."""
    table = position(seat("Library, Estate"), seat())
    play(table, "play Library")
    assert hand(table) == cards("Estate")
    assert choices(table)[0] == "done"


# ---- Mine


def test_mine_of_the_first_edition_must_trash_a_treasure():
    table = position(seat("Mine, Copper, Silver, Estate"), seat())
    play(table, "play Mine")
    assert choices(table) == ["trash Copper", "trash Silver"]
    play(table, "trash Copper")
    assert gains(table) == {"Copper", "Silver"}  # Treasures alone
    play(table, "gain Silver")
    assert trash(table) == cards("Copper")
    assert discard(table) == NOTHING
    assert hand(table) == cards("2 Silver, Estate")  # into the hand
    assert left(table) == (0, 1, 4)  # where it can be played at once


@pytest.mark.parametrize(
    ("trashed", "gained"), [("Silver", {"Copper", "Silver", "Gold"}), ("Gold", {"Copper", "Silver", "Gold"})]
)
def test_mine_gains_a_treasure_of_at_most_three_more(trashed, gained):
    table = position(seat(f"Mine, {trashed}"), seat(), coins=4)
    play(table, "play Mine")
    assert gains(table) == gained
    play(table, "gain Gold")
    assert hand(table) == cards("Gold")


def test_mine_of_the_second_edition_may_trash_nothing():
    table = position(seat("Mine, Copper, Moat"), seat(), edition=SECOND, actions=2)
    play(table, "play Mine")
    assert choices(table) == ["stop", "trash Copper"]
    play(table, "stop")
    assert hand(table) == cards("Copper, Moat")


def test_mine_without_a_treasure_does_nothing():
    table = position(seat("Mine, Estate, Curse"), seat())
    play(table, "play Mine")
    assert choices(table)[0] == "done"
    assert hand(table) == cards("Estate, Curse")


# ---- Adventurer


def test_adventurer_takes_the_next_two_treasures_and_discards_the_rest():
    table = position(seat("Adventurer", deck="Estate, Copper, Moat, Curse, Gold, Silver"), seat())
    play(table, "play Adventurer")
    assert hand(table) == cards("Copper, Gold")
    assert discard(table) == cards("Estate, Moat, Curse")
    assert tops(table) == ["Silver"]


def test_what_adventurer_showed_is_not_shuffled_in():
    table = position(seat("Adventurer", deck="2 Estate, Copper", discard="Moat"), seat())
    play(table, "play Adventurer")
    assert hand(table) == cards("Copper")  # one Treasure was all there was
    assert discard(table) == cards("2 Estate, Moat")
    assert deck(table) == NOTHING


def test_adventurer_shuffles_to_go_on():
    table = position(seat("Adventurer", deck="Copper", discard="Gold"), seat())
    play(table, "play Adventurer")
    assert hand(table) == cards("Copper, Gold")
    assert deck(table) == discard(table) == NOTHING


# ---- Harbinger


def test_harbinger_may_put_a_discarded_card_on_the_deck():
    table = position(seat("Harbinger, Moat", deck="Estate", discard="Gold, Village"), seat(), edition=SECOND)
    play(table, "play Harbinger")
    assert choices(table) == ["stop", "put back Gold", "put back Village"]
    play(table, "put back Gold")
    assert tops(table) == ["Gold"]
    assert discard(table) == cards("Village")
    play(table, "play Moat")
    assert hand(table) == cards("Estate, Gold, Village")


def test_harbinger_may_leave_it_and_draws_first():
    table = position(seat("Harbinger, Moat", discard="Gold, Estate, Village"), seat(), edition=SECOND)
    play(table, "play Harbinger")  # its card is drawn first: the discard pile is shuffled and empty
    assert choices(table)[0] == "buy phase"
    assert deck(table).total() == 2
    table = position(seat("Harbinger, Moat", deck="Estate", discard="Gold"), seat(), edition=SECOND)
    play(table, "play Harbinger", "stop")
    assert discard(table) == cards("Gold")
    assert deck(table) == NOTHING


# ---- Merchant


@pytest.mark.parametrize(
    ("merchants", "silvers", "coins"), [(1, 1, 3), (1, 2, 5), (2, 1, 4), (2, 3, 8), (1, 0, 0), (3, 2, 7)]
)
def test_each_merchant_makes_the_first_silver_worth_one_more(merchants, silvers, coins):
    table = position(seat(f"{merchants} Merchant, {silvers} Silver", deck="3 Estate"), seat(), edition=SECOND)
    play(table, *["play Merchant"] * merchants)
    assert left(table) == (1, 1, coins)


def test_merchant_does_not_help_copper_and_gold():
    table = position(seat("Merchant, Copper, Gold", deck="Estate"), seat(), edition=SECOND)
    play(table, "play Merchant")
    assert left(table) == (1, 1, 4)


# ---- Vassal


def test_vassal_discards_the_top_card():
    table = position(seat("Vassal", deck="Gold, Estate"), seat(), edition=SECOND)
    play(table, "play Vassal")
    assert discard(table) == cards("Gold")
    assert left(table) == (0, 1, 2)


def test_vassal_may_play_an_action_for_nothing():
    table = position(seat("Vassal", deck="Festival, Estate"), seat(), edition=SECOND)
    play(table, "play Vassal")
    assert choices(table) == ["leave it", "play it"]
    play(table, "play it")
    assert in_play(table) == cards("Vassal, Festival")
    assert discard(table) == NOTHING
    assert left(table) == (2, 2, 4)


def test_vassal_may_leave_an_action_discarded():
    table = position(seat("Vassal", deck="Festival"), seat(), edition=SECOND)
    play(table, "play Vassal", "leave it")
    assert discard(table) == cards("Festival")
    assert left(table) == (0, 1, 2)


def test_vassal_plays_a_vassal():
    table = position(seat("Vassal", deck="Vassal, Smithy, Gold, Silver, Estate"), seat(), edition=SECOND)
    play(table, "play Vassal", "play it", "play it")
    assert in_play(table) == cards("2 Vassal, Smithy")
    assert hand(table) == cards("Gold, Silver, Estate")


def test_vassal_without_cards():
    table = position(seat("Vassal"), seat(), edition=SECOND)
    play(table, "play Vassal")
    assert left(table) == (0, 1, 2)


def test_vassal_shuffles_for_its_card():
    table = position(seat("Vassal", discard="Moat"), seat(), edition=SECOND)
    play(table, "play Vassal", "leave it")
    assert discard(table) == cards("Moat")


# ---- Poacher


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_poacher_discards_a_card_for_every_empty_pile(empty):
    piles_gone = dict.fromkeys(["Curse", "Moat"][:empty], 0)
    table = position(
        seat("Poacher, Estate, Copper, Village", deck="Gold, Silver"), seat(), edition=SECOND, supply=piles_gone
    )
    play(table, "play Poacher", *["discard Gold", "discard Estate"][:empty])  # the card drawn may go, too
    assert choices(table) == ["buy phase", "play Village"]
    assert discard(table) == cards(", ".join(["Gold", "Estate"][:empty]))
    assert hand(table).total() == 4 - empty
    assert left(table)[0] == 1


def test_poacher_must_discard():
    table = position(seat("Poacher, Estate, Copper", deck="Gold"), seat(), edition=SECOND, supply={"Curse": 0})
    play(table, "play Poacher")
    assert choices(table) == ["discard Copper", "discard Gold", "discard Estate"]


def test_poacher_discards_no_more_than_is_held():
    table = position(seat("Poacher", deck="Estate"), seat(), edition=SECOND, supply={"Curse": 0, "Moat": 0})
    play(table, "play Poacher")
    assert discard(table) == cards("Estate")
    assert hand(table) == NOTHING
    assert left(table) == (1, 1, 1)


# ---- Sentry


def sentry(deck_cards="Estate, Gold, Curse, Silver", **details):
    """The first card of the deck is drawn, the next two are looked at."""
    return position(seat("Sentry, Moat", deck=deck_cards, **details), seat(), edition=SECOND)


def test_sentry_trashes_both():
    table = sentry()
    play(table, "play Sentry")
    assert hand(table) == cards("Moat, Estate")
    assert choices(table) == ["stop", "trash Gold", "trash Curse"]
    play(table, "trash Curse", "trash Gold")
    assert trash(table) == cards("Curse, Gold")
    assert tops(table) == ["Silver"]
    assert left(table)[0] == 1


def test_sentry_discards_both():
    table = sentry()
    play(table, "play Sentry", "stop", "discard Gold", "discard Curse")
    assert discard(table) == cards("Gold, Curse")
    assert tops(table) == ["Silver"]


def test_sentry_trashes_one_and_discards_the_other():
    table = sentry()
    play(table, "play Sentry", "trash Gold", "stop", "discard Curse")
    assert (trash(table), discard(table)) == (cards("Gold"), cards("Curse"))
    assert tops(table) == ["Silver"]


def test_sentry_trashes_one_and_keeps_the_other():
    table = sentry()
    play(table, "play Sentry", "trash Curse", "stop", "stop")
    assert tops(table) == ["Gold", "Silver"]


def test_sentry_discards_one_and_keeps_the_other():
    table = sentry()
    play(table, "play Sentry", "stop", "discard Gold", "stop")
    assert tops(table) == ["Curse", "Silver"]


@pytest.mark.parametrize(("first", "second"), [("Gold", "Curse"), ("Curse", "Gold")])
def test_sentry_keeps_both_in_any_order(first, second):
    table = sentry()
    play(table, "play Sentry", "stop", "stop")
    assert choices(table) == ["top Gold", "top Curse"]
    play(table, f"top {first}")
    assert tops(table) == [first, second, "Silver"]


def test_sentry_with_two_alike_asks_for_no_order():
    table = sentry("Estate, Gold, Gold, Silver")
    play(table, "play Sentry", "stop", "stop")
    assert choices(table)[0] == "buy phase"
    assert tops(table) == ["Gold", "Gold", "Silver"]


def test_sentry_shuffles_for_its_second_card():
    table = sentry("Estate, Gold", discard="Curse")
    play(table, "play Sentry")
    assert choices(table) == ["stop", "trash Gold", "trash Curse"]
    play(table, "trash Curse", "stop", "stop")
    assert tops(table) == ["Gold"]


def test_sentry_with_one_card_left():
    table = sentry("Estate, Gold")
    play(table, "play Sentry")
    assert choices(table) == ["stop", "trash Gold"]
    play(table, "stop", "discard Gold")
    assert discard(table) == cards("Gold")


def test_sentry_on_an_empty_deck():
    """A bug that keeps coming back elsewhere: nothing to draw, nothing to look at, an empty hand."""
    table = position(seat("Sentry"), seat(), edition=SECOND)
    play(table, "play Sentry")
    assert choices(table)[0] == "done"
    assert (hand(table), deck(table), discard(table), trash(table)) == (NOTHING,) * 4


# ---- Artisan


def test_artisan_gains_into_the_hand_and_puts_a_card_on_the_deck():
    table = position(seat("Artisan, Estate", deck="Gold"), seat(), edition=SECOND, also="Witch", coins=9)
    play(table, "play Artisan")
    assert gains(table) == costing(table, 5)
    play(table, "gain Witch")
    assert hand(table) == cards("Estate, Witch")
    assert choices(table) == ["put back Estate", "put back Witch"]  # it must
    play(table, "put back Estate")
    assert hand(table) == cards("Witch")
    assert tops(table) == ["Estate", "Gold"]


def test_artisan_may_put_back_what_it_gained():
    table = position(seat("Artisan, Estate", deck="Gold"), seat(), edition=SECOND)
    play(table, "play Artisan", "gain Duchy", "put back Duchy")
    assert hand(table) == cards("Estate")
    assert tops(table) == ["Duchy", "Gold"]


def test_artisan_with_an_empty_hand_puts_back_what_it_gained():
    table = position(seat("Artisan"), seat(), edition=SECOND)
    play(table, "play Artisan", "gain Duchy")
    assert hand(table) == NOTHING
    assert tops(table) == ["Duchy"]
