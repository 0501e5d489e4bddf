"""The cards of Intrigue, second edition: what each gives and does, and its edge cases, from its rulebook."""

import numpy as np
import pytest

from dominion_tables import (
    NOTHING,
    SECOND,
    below,
    cards,
    choices,
    deck,
    discard,
    hand,
    in_play,
    left,
    open_tops,
    owned,
    play,
    seat,
    supply,
    tops,
    trash,
)
from dominion_tables import position as any_position
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.rules import points


def position(*seats, **more):
    """A table of the second edition; who is not named holds Coppers."""
    others = [seat("5 Copper", below="5 Copper")] * (2 - len(seats))
    return any_position(*seats, *others, edition=SECOND, **more)


def score(table, of=0):
    return points(table.state, of)


# ---- one's own cards


def test_courtyard_puts_a_card_back_unseen():
    table = position(seat("Courtyard, Estate", "Gold, Silver, Copper"))
    play(table, "play Courtyard")
    assert choices(table) == ["put back Copper", "put back Silver", "put back Gold", "put back Estate"]
    play(table, "put back Gold")
    assert tops(table) == ["Gold"]
    assert open_tops(table) == ["?"]
    assert hand(table) == cards("Silver, Copper, Estate")


def test_courtyard_with_nothing_in_hand():
    table = position(seat("Courtyard"))
    play(table, "play Courtyard")
    assert choices(table)[0] == "done"  # nothing is asked: buying has begun


def test_lurker_trashes_from_the_supply_and_gains_from_the_trash():
    table = position(seat("2 Lurker"), also="Nobles", actions=1)
    play(table, "play Lurker", "trash an Action")
    assert "trash Nobles" in choices(table)
    assert not {"trash Gold", "trash Estate"} & set(choices(table))  # Actions only
    play(table, "trash Nobles")
    assert trash(table) == cards("Nobles")
    assert supply(table, "Nobles") == 7
    assert owned(table) == cards("2 Lurker")
    play(table, "play Lurker", "gain an Action")  # the only Action in the trash
    assert discard(table) == cards("Nobles")
    assert trash(table) == NOTHING


def test_lurker_may_find_nothing_and_may_empty_a_pile():
    table = position(seat("Lurker"))
    play(table, "play Lurker", "gain an Action")
    assert discard(table) == NOTHING
    table = position(seat("Lurker"), supply={"Village": 1})
    play(table, "play Lurker", "trash an Action", "trash Village")
    assert table.state.empty_piles == 1


PAWN = {"a card": (0, 1, 0, 0), "an action": (1, 0, 0, 0), "a buy": (0, 0, 1, 0), "a coin": (0, 0, 0, 1)}


@pytest.mark.parametrize("first", PAWN)
@pytest.mark.parametrize("second", PAWN)
def test_pawn_gives_two_different_things(first, second):
    table = position(seat("Pawn, Village", "Estate"))
    play(table, "play Pawn")
    assert choices(table) == list(PAWN)
    play(table, first)
    assert hand(table) == cards("Village")  # nothing happens before both are chosen
    assert first not in choices(table)
    if first == second:
        return
    play(table, second)
    actions, drawn, buys, coins = np.add(PAWN[first], PAWN[second])
    assert left(table) == (actions, 1 + buys, coins)
    assert hand(table) == cards("Village, Estate" if drawn else "Village")


def test_masquerade_passes_all_at_once():
    table = position(seat("Masquerade, Gold", "Copper, Silver"), seat("Province", below="5 Copper"))
    play(table, "play Masquerade", "pass Copper")  # the other's only card is passed without asking
    assert hand(table) == cards("Gold, Silver, Province")
    assert hand(table, 1) == cards("Copper")
    assert owned(table, 1)["Province"] == 0
    assert owned(table)["Province"] == 1
    assert "stop" in choices(table)
    play(table, "trash Province")
    assert trash(table) == cards("Province")


def test_what_a_masquerade_passes_is_not_known_before_everybody_has_chosen():
    table = position(seat("Masquerade, Gold, Estate", "Copper, Silver"), seat("Copper, Estate", below="5 Copper"))
    play(table, "play Masquerade", "pass Gold")
    assert table.turn == 1
    assert hand(table)["Gold"] == 1  # it is still there
    mine, theirs = table.view(0).record, table.view(1).record
    assert mine.my_passing == NAMES.index("Gold") + 1
    assert theirs.my_passing == 0
    play(table, "pass Estate")
    assert hand(table) == cards("Copper, Silver, 2 Estate")
    assert hand(table, 1) == cards("Copper, Gold")
    assert (table.state.passing == 0).all()


def test_masquerade_skips_whoever_holds_nothing():
    three = any_position(
        seat("Masquerade", "Copper, Silver"), seat("", below="5 Copper"), seat("Gold", below="5 Copper"),
        edition=SECOND,
    )  # fmt: skip
    play(three, "play Masquerade", "pass Silver")
    assert hand(three) == cards("Copper, Gold")
    assert hand(three, 1) == NOTHING
    assert hand(three, 2) == cards("Silver")


@pytest.mark.parametrize(("held", "drawn"), [("Copper, Estate", 2), ("Copper, Village", 0)])
def test_shanty_town_draws_without_actions(held, drawn):
    table = position(seat(f"Shanty Town, {held}", "Gold, Silver"))
    play(table, "play Shanty Town")
    assert sum(hand(table).values()) == 2 + drawn
    if not drawn:
        assert left(table)[0] == 2
    shown = table.view(1).record.shown[0]
    assert shown[NAMES.index("Estate" if drawn else "Village")] == 1  # the hand was shown


def test_steward():
    start = seat("Steward, Village, 2 Estate", "Gold, Silver")
    table = position(start)
    play(table, "play Steward")
    assert choices(table) == ["two cards", "two coins", "trash two"]
    play(table, "two cards")
    assert hand(table) == cards("Village, 2 Estate, Gold, Silver")
    table = position(start)
    play(table, "play Steward", "two coins")
    assert left(table)[2] == 2
    table = position(start)
    play(table, "play Steward", "trash two", "trash Estate")
    assert not any(choice == "stop" for choice in choices(table))  # two must go
    play(table, "trash Estate")
    assert trash(table) == cards("2 Estate")


def test_steward_trashes_what_there_is():
    table = position(seat("Steward, Estate"))
    play(table, "play Steward", "trash two")
    assert trash(table) == cards("Estate")


def test_wishing_well_takes_what_was_named():
    start = seat("Wishing Well", "Estate, Gold, Silver")
    table = position(start)
    play(table, "play Wishing Well")
    assert "name Curse" in choices(table)  # any card of the game
    play(table, "name Gold")
    assert hand(table) == cards("Estate, Gold")
    table = position(start)
    play(table, "play Wishing Well", "name Silver")
    assert hand(table) == cards("Estate")
    assert open_tops(table) == ["Gold", "?"]  # it was shown


def test_wishing_well_on_an_empty_deck():
    table = position(seat("Wishing Well", "Estate"))
    play(table, "play Wishing Well", "name Gold")
    assert hand(table) == cards("Estate")


def test_baron():
    table = position(seat("Baron, Estate"))
    play(table, "play Baron", "discard Estate")
    assert left(table) == (0, 2, 4)
    assert discard(table) == cards("Estate")
    table = position(seat("Baron, Estate"))
    play(table, "play Baron", "gain Estate")
    assert left(table)[2] == 0
    assert owned(table) == cards("Baron, 2 Estate")
    table = position(seat("Baron, Copper"))
    play(table, "play Baron")  # no Estate: one is gained
    assert discard(table) == cards("Estate")
    table = position(seat("Baron"), supply={"Estate": 0})
    play(table, "play Baron")
    assert owned(table) == cards("Baron")


def test_bridge_makes_everything_cheaper_for_a_turn():
    table = position(seat("2 Bridge, Remodel, Silver, Estate"), actions=3)
    play(table, "play Bridge")
    assert "buy Gold" not in choices(table)
    play(table, "play Bridge", "play Remodel", "trash Estate")
    gained = {choice.removeprefix("gain ") for choice in choices(table)}
    assert "Silver" in gained  # an Estate costs nothing now, and what may cost 2 more was 4 before
    assert {"Duchy", "Gold"} & gained == set()
    play(table, "gain Silver")
    assert left(table) == (0, 3, 4)
    assert "buy Gold" in choices(table)
    assert "buy Province" not in choices(table)
    play(table, "buy Gold")
    assert left(table)[2] == 0
    assert "buy Copper" in choices(table)  # nothing costs less than nothing
    play(table, "buy Estate", "done")
    assert table.state.bridges == 0


def test_conspirator_counts_every_play():
    table = position(seat("2 Conspirator, Village", "3 Copper"), actions=2)
    play(table, "play Conspirator", "play Village", "play Conspirator")
    assert hand(table) == cards("2 Copper")
    assert left(table)[2] == 4 + 2  # of both Conspirators, and the Coppers
    table = position(seat("Throne Room, Conspirator", "2 Copper"))
    play(table, "play Throne Room", "double Conspirator")  # the third Action is its second play
    assert hand(table)["Copper"] == 1
    table = position(seat("Conspirator", "2 Copper"))
    play(table, "play Conspirator")
    assert hand(table) == NOTHING


@pytest.mark.parametrize(("others", "actions"), [(3, 2), (4, 0)])
def test_diplomat_gives_actions_with_a_small_hand(others, actions):
    table = position(seat(f"Diplomat, {others} Village", "2 Copper"))
    play(table, "play Diplomat")
    assert left(table)[0] == actions


@pytest.mark.parametrize(
    ("card", "actions", "coins", "drawn"),
    [("Village", 1, 0, 0), ("Silver", 0, 1, 0), ("Estate", 0, 0, 1), ("Mill", 1, 0, 1)],
)
def test_ironworks_pays_for_the_kinds_of_the_card(card, actions, coins, drawn):
    table = position(seat("Ironworks, Moat", "Duchy"), also="Village, Mill")
    play(table, "play Ironworks", f"gain {card}")
    assert discard(table) == cards(card)
    assert hand(table) == cards("Moat, Duchy" if drawn else "Moat")
    assert left(table)[2] == coins
    assert left(table)[0] == actions


def test_ironworks_gains_no_dear_card_and_sees_bridges():
    table = position(seat("Bridge, Ironworks"), actions=2)
    play(table, "play Bridge", "play Ironworks")
    assert "gain Duchy" in choices(table)
    assert "gain Gold" not in choices(table)


def test_mill_sells_two_cards_or_none():
    table = position(seat("Mill, Estate, Duchy", "Copper"))
    play(table, "play Mill", "discard two", "discard Estate", "discard Duchy")
    assert left(table)[2] == 2 + 1  # and the Copper
    table = position(seat("Mill, Estate", "Copper"))
    play(table, "play Mill", "keep cards")
    assert discard(table) == NOTHING
    table = position(seat("Mill, Estate"))
    play(table, "play Mill")  # one card cannot be sold
    assert "discard two" not in choices(table)
    assert score(table) == 2  # a Mill is worth a point


def test_mining_village_may_be_trashed_once():
    table = position(seat("Mining Village, Moat", "Estate"))
    play(table, "play Mining Village", "trash Mining Village")
    assert left(table) == (2, 1, 2)
    assert trash(table) == cards("Mining Village")
    table = position(seat("Mining Village, Moat", "Estate"))
    play(table, "play Mining Village", "keep Mining Village")
    assert in_play(table) == cards("Mining Village")
    table = position(seat("Throne Room, Mining Village, Moat", "2 Estate"))
    play(table, "play Throne Room", "double Mining Village", "trash Mining Village")
    assert left(table) == (4, 1, 2)  # the second play cannot trash it again


def test_courtier_gives_a_thing_for_every_kind():
    table = position(seat("Courtier, Copper, Mill"))
    play(table, "play Courtier", "show Copper")
    assert choices(table) == ["an action", "a buy", "three coins", "a Gold"]
    play(table, "three coins")
    assert left(table) == (0, 1, 3 + 1)
    table = position(seat("Courtier, Copper, Mill"))
    play(table, "play Courtier", "show Mill", "an action")  # an Action and a Victory card
    assert choices(table) == ["a buy", "three coins", "a Gold"]
    play(table, "a Gold")
    assert left(table) == (1, 1, 0)
    assert discard(table) == cards("Gold")
    table = position(seat("Courtier"))
    play(table, "play Courtier")  # nothing to show
    assert left(table) == (0, 1, 0)


def test_duke_counts_duchies():
    table = position(seat("2 Duke, 3 Duchy", discard="Duchy"))
    assert score(table) == 4 * 3 + 2 * 4


def test_harem_is_a_treasure_and_a_victory_card():
    table = position(seat("Harem, Copper"))
    assert left(table)[2] == 3
    assert score(table) == 2
    table = position(seat("Mine, Harem", below="5 Copper"))
    play(table, "play Mine")
    assert "trash Harem" in choices(table)
    table = position(seat("Bureaucrat"), seat("Harem, Copper", below="5 Copper"))
    play(table, "play Bureaucrat")  # his only Victory card
    assert tops(table, 1) == ["Harem"]


def test_patrol_takes_victory_cards_and_curses():
    table = position(seat("Patrol", "3 Copper, Estate, Silver, Curse, Gold"))
    play(table, "play Patrol")
    assert hand(table) == cards("3 Copper, Estate, Curse")
    assert choices(table) == ["put under Silver", "put under Gold"]
    play(table, "put under Silver")
    assert tops(table) == ["Gold", "Silver"]
    assert open_tops(table) == ["Gold", "Silver"]


def test_patrol_puts_four_cards_back_in_any_order():
    table = position(seat("Patrol", "3 Copper, Silver, Gold, Moat, Village, Province"))
    play(table, "play Patrol", "put under Gold", "put under Village", "put under Silver")
    assert tops(table) == ["Moat", "Silver", "Village", "Gold", "Province"]


def test_patrol_with_a_short_deck():
    table = position(seat("Patrol", "2 Copper", discard="Duchy, Silver"))
    play(table, "play Patrol")  # the discard pile is shuffled; one card more is drawn, one shown
    assert sum(hand(table).values()) + len(tops(table)) + sum(below(table).values()) == 4
    assert discard(table) == NOTHING


def test_trading_post():
    table = position(seat("Trading Post, Estate, Curse, Moat"))
    play(table, "play Trading Post", "trash Estate", "trash Curse")
    assert trash(table) == cards("Estate, Curse")
    assert hand(table) == cards("Moat, Silver")
    table = position(seat("Trading Post, Estate"))
    play(table, "play Trading Post")  # one card alone goes for nothing
    assert trash(table) == cards("Estate")
    assert hand(table) == NOTHING
    table = position(seat("Trading Post, Estate, Curse"), supply={"Silver": 0})
    play(table, "play Trading Post", "trash Estate")
    assert hand(table) == NOTHING


def test_upgrade_gains_exactly_one_more():
    table = position(seat("Upgrade, Estate", "Copper"), also="Village, Workshop")
    play(table, "play Upgrade", "trash Estate")
    assert all(choice.startswith("gain ") for choice in choices(table))
    assert {"gain Silver", "gain Village"} <= set(choices(table))
    assert "gain Copper" not in choices(table)
    table = position(seat("Upgrade, Copper", "Estate"))
    play(table, "play Upgrade", "trash Copper")  # nothing costs 1
    assert trash(table) == cards("Copper")
    assert discard(table) == NOTHING


def test_nobles():
    table = position(seat("Nobles, Moat", "3 Copper"))
    play(table, "play Nobles", "two actions")
    assert left(table)[0] == 2
    assert score(table) == 2
    table = position(seat("Nobles, Moat", "3 Copper"))
    play(table, "play Nobles", "three cards")
    assert hand(table) == cards("Moat, 3 Copper")


# ---- attacks and reactions


def test_swindler_gives_a_card_of_the_same_cost():
    table = position(seat("Swindler"), seat("5 Copper", "Silver, Gold", below="5 Copper"), also="Village, Workshop")
    play(table, "play Swindler")
    assert trash(table) == cards("Silver")
    assert table.turn == 0
    assert "give Village" in choices(table)
    assert {"give Copper", "give Estate", "give Gold"} & set(choices(table)) == set()
    play(table, "give Village")
    assert discard(table, 1) == cards("Village")
    assert left(table)[2] == 2


def test_swindler_turns_copper_into_a_curse_and_needs_a_deck():
    table = position(seat("Swindler"), seat("5 Copper", "Copper", below="5 Copper"))
    play(table, "play Swindler")
    assert choices(table) == ["give Copper", "give Curse"]
    table = position(seat("Swindler"), seat("5 Copper"))
    play(table, "play Swindler")
    assert trash(table) == NOTHING
    table = position(seat("Swindler"), seat("5 Copper", "Province", below="5 Copper"), supply={"Province": 0})
    play(table, "play Swindler")  # nothing else costs 8
    assert owned(table, 1) == cards("10 Copper")


def test_minion():
    table = position(seat("Minion, Estate", "3 Gold, Silver"), seat("5 Copper", "4 Estate"))
    play(table, "play Minion", "two coins")
    assert left(table)[2] == 2
    assert hand(table, 1) == cards("5 Copper")
    table = position(seat("Minion, Estate", "3 Gold, Silver"), seat("5 Copper", "4 Estate"))
    play(table, "play Minion", "a new hand")
    assert hand(table) == cards("3 Gold, Silver")
    assert discard(table) == cards("Estate")
    assert hand(table, 1) == cards("4 Estate")
    assert discard(table, 1) == cards("5 Copper")
    table = position(seat("Minion", "4 Gold"), seat("4 Copper", "4 Estate"))
    play(table, "play Minion", "a new hand")  # four cards are too few to lose
    assert hand(table, 1) == cards("4 Copper")


def test_replace():
    start = seat("Replace, Silver, Estate")
    table = position(start, also="Village")
    play(table, "play Replace", "trash Estate", "gain Village")
    assert tops(table) == ["Village"]
    assert owned(table, 1)["Curse"] == 0
    table = position(start, also="Village")
    play(table, "play Replace", "trash Silver", "gain Duchy")
    assert discard(table) == cards("Duchy")
    assert discard(table, 1) == cards("Curse")
    table = position(seat("Replace, Gold"), also="Mill")
    play(table, "play Replace")
    play(table, "gain Mill")  # both: on the deck, and a Curse for the other
    assert tops(table) == ["Mill"]
    assert discard(table, 1) == cards("Curse")
    table = position(seat("Replace"))
    play(table, "play Replace")  # an empty hand
    assert trash(table) == NOTHING


def test_torturer_lets_the_victim_choose():
    table = position(seat("Torturer", "3 Copper"), seat("2 Estate, 3 Copper", below="5 Copper"))
    play(table, "play Torturer")
    assert table.turn == 1
    assert choices(table) == ["discard two", "gain a Curse"]
    play(table, "gain a Curse")
    assert hand(table, 1)["Curse"] == 1
    table = position(seat("Torturer", "3 Copper"), seat("2 Estate, 3 Copper", below="5 Copper"))
    play(table, "play Torturer", "discard two", "discard Estate", "discard Estate")
    assert hand(table, 1) == cards("3 Copper")


def test_torturer_may_be_answered_by_what_cannot_be_done():
    table = position(seat("Torturer"), seat("Estate, Copper", below="5 Copper"), supply={"Curse": 0})
    play(table, "play Torturer", "gain a Curse")
    assert owned(table, 1) == cards("Estate, 6 Copper")
    table = position(seat("Torturer"), seat("Estate", below="5 Copper"))
    play(table, "play Torturer", "discard two")
    assert hand(table, 1) == NOTHING


def test_a_moat_spares_one_the_attacks_of_intrigue():
    for card, after in (("Swindler", ()), ("Torturer", ()), ("Minion", ("a new hand",)), ("Replace", ())):
        table = position(seat(f"{card}, Silver", "4 Gold"), seat("Moat, 4 Copper", "5 Estate"), also="Mill")
        play(table, f"play {card}", "show Moat", *after)
        if card == "Replace":
            play(table, "gain Duchy")
        assert owned(table, 1) == cards("Moat, 4 Copper, 5 Estate")
        assert hand(table, 1) == cards("Moat, 4 Copper")


def test_a_diplomat_is_shown_before_the_attack():
    table = position(seat("Militia"), seat("Diplomat, 4 Estate", "2 Gold", below="Copper"))
    play(table, "play Militia")
    assert choices(table) == ["show no Diplomat", "show Diplomat"]
    play(table, "show Diplomat")
    assert hand(table, 1) == cards("Diplomat, 4 Estate, 2 Gold")
    play(table, "discard Estate", "discard Estate", "discard Estate")
    assert table.turn == 1  # now the Militia, with four cards left
    play(table, "discard Estate")
    assert hand(table, 1) == cards("Diplomat, 2 Gold")


def test_a_diplomat_needs_five_cards_and_may_be_shown_again():
    table = position(seat("Militia"), seat("Diplomat, 3 Estate", "2 Gold", below="Copper"))
    play(table, "play Militia")
    assert "show Diplomat" not in choices(table)
    table = position(seat("Militia"), seat("Diplomat, 5 Estate", "6 Gold"))
    play(table, "play Militia", "show Diplomat", *["discard Estate"] * 3)
    assert "show Diplomat" in choices(table)  # five cards are left
    play(table, "show no Diplomat")
    assert choices(table)[0].startswith("discard ")


def test_a_diplomat_may_find_a_moat():
    table = position(seat("Militia"), seat("Diplomat, 4 Estate", "Moat, Gold", below="Copper"))
    play(table, "play Militia", "show Diplomat", *["discard Estate"] * 3, "show Moat")
    assert hand(table, 1) == cards("Diplomat, Estate, Moat, Gold")


def test_a_declined_diplomat_is_not_heard_of():
    table = position(seat("Militia"), seat("Diplomat, 4 Estate", below="3 Copper"))
    play(table, "play Militia")
    assert table.game.people.heard(table.state, 0, 0) == ""
    assert table.game.people.heard(table.state, 0, 1) == "show no Diplomat"


def test_the_deck_and_the_whole_of_a_players_cards_are_counted():
    table = position(seat("Secret Passage, Copper", "Gold, Silver"))
    play(table, "play Secret Passage", "put back Silver")
    assert deck(table) == cards("Silver")
