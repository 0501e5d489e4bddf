"""Dominion: attacks card by card, the Moat, and the order of victims, with two to four players."""

import pytest

from dominion_tables import (
    FIRST,
    NOTHING,
    SECOND,
    cards,
    choices,
    count,
    deck,
    discard,
    hand,
    left,
    open_tops,
    owned,
    play,
    position,
    seat,
    supply,
    tops,
    trash,
)

EDITIONS = [FIRST, SECOND]


# ---- Witch


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_witch_gives_everybody_else_a_curse(players, edition):
    table = position(seat("Witch", deck="Gold, Silver, Estate"), *[seat("Copper")] * (players - 1), edition=edition)
    curses = supply(table, "Curse")
    play(table, "play Witch")
    assert hand(table) == cards("Gold, Silver")
    assert discard(table) == NOTHING
    for of in range(1, players):
        assert discard(table, of) == cards("Curse")  # not into the hand
        assert hand(table, of) == cards("Copper")
    assert supply(table, "Curse") == curses - (players - 1)


@pytest.mark.parametrize(
    ("attacker", "left_over", "cursed"),
    [(0, 1, [1]), (2, 1, [3]), (2, 2, [3, 0]), (3, 2, [0, 1]), (1, 3, [2, 3, 0])],
)
def test_the_last_curses_go_round_in_turn_order(attacker, left_over, cursed):
    seats = [seat("Witch", deck="2 Estate") if of == attacker else seat("Copper") for of in range(4)]
    table = position(*seats, current=attacker, supply={"Curse": left_over})
    play(table, "play Witch")
    assert [of for of in range(4) if owned(table, of)["Curse"] > 0] == sorted(cursed)
    assert supply(table, "Curse") == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_witch_with_the_curse_pile_empty_still_draws(edition):
    """A bug that keeps coming back elsewhere."""
    table = position(seat("Witch", deck="Gold, Silver"), seat("Copper"), supply={"Curse": 0}, edition=edition)
    play(table, "play Witch")
    assert hand(table) == cards("Gold, Silver")
    assert owned(table, 1) == cards("Copper")
    assert supply(table, "Curse") == 0


# ---- Militia


@pytest.mark.parametrize("edition", EDITIONS)
def test_militia_leaves_three_cards_of_the_victims_choice(edition):
    table = position(seat("Militia"), seat("2 Copper, Estate, Gold, Silver"), edition=edition)
    play(table, "play Militia")
    assert left(table)[2] == 2
    assert table.turn == 1
    assert choices(table) == ["discard Copper", "discard Silver", "discard Gold", "discard Estate"]
    play(table, "discard Estate", "discard Copper")
    assert table.turn == 0
    assert hand(table, 1) == cards("Copper, Gold, Silver")
    assert discard(table, 1) == cards("Estate, Copper")


@pytest.mark.parametrize("size", range(4))
def test_militia_does_nothing_to_small_hands(size):
    table = position(seat("Militia"), seat(f"{size} Estate"))
    play(table, "play Militia")
    assert table.turn == 0
    assert hand(table, 1) == cards(f"{size} Estate")


def test_militia_after_council_room_still_leaves_three():
    victim = seat("Copper, Silver, Gold, Estate, Duchy", deck="Curse")
    table = position(seat("Council Room, Militia", below="9 Estate"), victim, actions=2)
    play(table, "play Council Room", "play Militia", "discard Curse", "discard Estate", "discard Duchy")
    assert table.turn == 0
    assert hand(table, 1) == cards("Copper, Silver, Gold")


def test_militia_asks_the_victims_in_turn_order():
    table = position(
        seat("Copper, Silver, Gold, Estate"), seat("3 Copper"), seat("Militia"), seat("2 Copper, 3 Estate"), current=2
    )
    play(table, "play Militia")
    assert table.turn == 3
    play(table, "discard Estate")
    assert table.turn == 3
    play(table, "discard Estate")
    assert table.turn == 0
    play(table, "discard Gold")
    assert table.turn == 2
    assert [hand(table, of).total() for of in (0, 1, 3)] == [3, 3, 3]


# ---- Bureaucrat


@pytest.mark.parametrize("edition", EDITIONS)
def test_bureaucrat_gains_a_silver_onto_the_deck(edition):
    table = position(seat("Bureaucrat", deck="Estate"), seat(), edition=edition)
    play(table, "play Bureaucrat")
    assert tops(table) == ["Silver", "Estate"]
    assert discard(table) == NOTHING
    assert supply(table, "Silver") == 39


def test_bureaucrats_silver_may_be_the_only_card_of_the_deck():
    table = position(seat("Bureaucrat", discard="3 Estate"), seat())
    play(table, "play Bureaucrat")
    assert deck(table) == cards("Silver")
    assert discard(table) == cards("3 Estate")  # nothing is shuffled for it


def test_bureaucrat_without_a_silver_still_attacks():
    table = position(seat("Bureaucrat"), seat("Estate, Copper"), supply={"Silver": 0})
    play(table, "play Bureaucrat")
    assert owned(table) == cards("Bureaucrat")
    assert tops(table, 1) == ["Estate"]


def test_bureaucrats_victim_chooses_a_victory_card():
    victim = seat("Estate, Duchy, Province, Gardens, Curse, Copper, Moat", deck="Gold")
    table = position(seat("Bureaucrat"), victim)
    play(table, "play Bureaucrat", "show no Moat")
    assert table.turn == 1
    assert choices(table) == ["put back Estate", "put back Duchy", "put back Province", "put back Gardens"]
    play(table, "put back Duchy")
    assert tops(table, 1) == ["Duchy", "Gold"]
    assert hand(table, 1) == cards("Estate, Province, Gardens, Curse, Copper, Moat")


def test_bureaucrats_victim_draws_that_card_next():
    table = position(seat("Bureaucrat, Council Room", below="9 Copper"), seat("2 Estate", deck="Gold"), actions=2)
    play(table, "play Bureaucrat")
    assert hand(table, 1) == cards("Estate")
    play(table, "play Council Room")
    assert hand(table, 1) == cards("2 Estate")


def test_bureaucrats_victim_without_a_victory_card_shows_the_hand():
    table = position(seat("Bureaucrat"), seat("2 Copper, Curse, Smithy", deck="Gold"))
    play(table, "play Bureaucrat")
    assert table.turn == 0
    assert tops(table, 1) == ["Gold"]
    assert count(table.state.shown[1]) == cards("2 Copper, Curse, Smithy")


def test_bureaucrat_does_not_stop_at_the_first_victim():
    """A bug that keeps coming back elsewhere: neither a hand without Victory cards nor a Moat ends the attack."""
    table = position(
        seat("Bureaucrat"), seat("3 Copper", deck="Gold"), seat("Moat, Estate"), seat("2 Estate", deck="Gold")
    )
    play(table, "play Bureaucrat", "show Moat")
    assert tops(table, 1) == ["Gold"]
    assert tops(table, 2) == []
    assert tops(table, 3) == ["Estate", "Gold"]


# ---- Spy


def test_spy_draws_then_judges_its_own_card_then_the_others_in_turn_order():
    seats = [
        seat("Estate", deck="Curse, Copper"),
        seat("Spy", deck="Gold, Moat, Silver"),
        seat(deck="Province, Gold"),
    ]
    table = position(*seats, current=1)
    play(table, "play Spy")
    assert hand(table, 1) == cards("Gold")
    targets = []
    for answer in ("discard it", "leave it", "discard it"):
        assert table.turn == 1  # the Spy's player decides for everybody
        assert choices(table) == ["leave it", "discard it"]
        targets.append(int(table.state.step_targets[table.state.steps - 1]))
        play(table, answer)
    assert targets == [1, 2, 0]
    assert (tops(table, 1), discard(table, 1)) == (["Silver"], cards("Moat"))
    assert (tops(table, 2), discard(table, 2)) == (["Province", "Gold"], NOTHING)
    assert (tops(table, 0), discard(table, 0)) == (["Copper"], cards("Curse"))
    assert left(table)[:2] == (1, 1)


def test_spy_shuffles_an_empty_deck_and_skips_who_has_no_cards():
    table = position(seat("Spy", deck="Gold"), seat("Copper", discard="Estate"), seat("Copper"))
    play(table, "play Spy")
    assert table.state.step_targets[table.state.steps - 1] == 1  # no card of one's own, and none of seat 2
    assert tops(table, 1) == ["Estate"]
    play(table, "leave it")
    assert choices(table)[0] == "done"
    assert (tops(table, 1), discard(table, 1)) == (["Estate"], NOTHING)


# ---- Thief


def test_thief_trashes_a_treasure_and_may_keep_it():
    table = position(seat("Thief"), seat("Copper", deck="Silver, Estate, Gold"))
    play(table, "play Thief")
    assert trash(table) == cards("Silver")  # there was but one
    assert discard(table, 1) == cards("Estate")
    assert choices(table) == ["stop", "keep Silver"]
    play(table, "keep Silver")
    assert discard(table) == cards("Silver")
    assert trash(table) == NOTHING
    assert tops(table, 1) == ["Gold"]
    assert table.turn == 0
    assert choices(table)[0] == "done"


def test_thief_may_leave_it_in_the_trash():
    table = position(seat("Thief"), seat(deck="Copper, Estate"))
    play(table, "play Thief", "stop")
    assert trash(table) == cards("Copper")  # even a Copper must be trashed
    assert owned(table, 1) == cards("Estate")
    assert owned(table) == cards("Thief")


def test_the_thief_chooses_between_two_treasures():
    table = position(seat("Thief"), seat(deck="Gold, Copper, Estate"))
    play(table, "play Thief")
    assert table.turn == 0
    assert choices(table) == ["trash Copper", "trash Gold"]
    play(table, "trash Copper", "stop")
    assert discard(table, 1) == cards("Gold")
    assert tops(table, 1) == ["Estate"]


def test_thief_trashes_only_one_of_two_alike():
    table = position(seat("Thief"), seat(deck="2 Silver"))
    play(table, "play Thief", "keep Silver")
    assert owned(table) == cards("Thief, Silver")
    assert owned(table, 1) == cards("Silver")
    assert discard(table, 1) == cards("Silver")


def test_thief_without_treasures_discards_both_cards():
    table = position(seat("Thief"), seat(deck="Estate, Moat, Gold"))
    play(table, "play Thief")
    assert discard(table, 1) == cards("Estate, Moat")
    assert trash(table) == NOTHING
    assert choices(table)[0] == "done"


def test_thief_robs_all_before_it_keeps_any():
    table = position(
        seat("Thief"), seat(deck="Gold, Silver"), seat(deck="Copper, Estate"), seat(deck="2 Gold"), also="Moat"
    )
    play(table, "play Thief")
    assert choices(table) == ["trash Silver", "trash Gold"]
    play(table, "trash Gold")
    assert trash(table) == cards("2 Gold, Copper")
    assert choices(table) == ["stop", "keep Copper", "keep Gold"]
    play(table, "keep Gold", "keep Gold")
    assert choices(table) == ["stop", "keep Copper"]
    play(table, "stop")
    assert discard(table) == cards("2 Gold")
    assert trash(table) == cards("Copper")


def test_thief_keeps_only_what_this_play_has_trashed():
    table = position(seat("2 Thief"), seat(deck="Gold, Estate, Silver, Estate"), actions=2)
    play(table, "play Thief", "stop", "play Thief")
    assert choices(table) == ["stop", "keep Silver"]  # the Gold stays in the trash
    play(table, "keep Silver")
    assert trash(table) == cards("Gold")


def test_thief_shuffles_for_the_second_card_without_the_first():
    table = position(seat("Thief"), seat(deck="Estate", discard="Gold"))
    play(table, "play Thief", "keep Gold")
    assert discard(table, 1) == cards("Estate")
    assert deck(table, 1) == NOTHING


@pytest.mark.parametrize(("cards_left", "after"), [("Estate", "Estate"), ("", "")])
def test_thief_shows_what_there_is(cards_left, after):
    table = position(seat("Thief"), seat("Copper", deck=cards_left))
    play(table, "play Thief")
    assert discard(table, 1) == cards(after)
    assert choices(table)[0] == "done"


# ---- Bandit


def test_bandit_gains_a_gold_and_trashes_a_silver():
    table = position(seat("Bandit"), seat(deck="Silver, Copper, Estate"), edition=SECOND)
    play(table, "play Bandit")
    assert discard(table) == cards("Gold")
    assert trash(table) == cards("Silver")
    assert discard(table, 1) == cards("Copper")
    assert tops(table, 1) == ["Estate"]


def test_the_victim_of_a_bandit_chooses():
    """A bug that keeps coming back elsewhere."""
    table = position(seat("Bandit"), seat(deck="Silver, Gold"), seat(deck="Gold, Silver"), edition=SECOND)
    play(table, "play Bandit")
    assert table.turn == 1
    assert choices(table) == ["trash Silver", "trash Gold"]
    play(table, "trash Silver")
    assert table.turn == 2
    play(table, "trash Gold")
    assert table.turn == 0
    assert trash(table) == cards("Silver, Gold")
    assert (discard(table, 1), discard(table, 2)) == (cards("Gold"), cards("Silver"))


def test_bandit_spares_copper():
    table = position(seat("Bandit"), seat(deck="Copper, Copper"), edition=SECOND)
    play(table, "play Bandit")
    assert trash(table) == NOTHING
    assert discard(table, 1) == cards("2 Copper")


def test_bandit_trashes_only_one_of_two_alike():
    table = position(seat("Bandit"), seat(deck="2 Gold"), edition=SECOND)
    play(table, "play Bandit")
    assert trash(table) == cards("Gold")
    assert discard(table, 1) == cards("Gold")


def test_bandit_without_a_gold_still_attacks():
    table = position(seat("Bandit"), seat(deck="Silver, Estate"), edition=SECOND, supply={"Gold": 0})
    play(table, "play Bandit")
    assert owned(table) == cards("Bandit")
    assert trash(table) == cards("Silver")


def test_bandit_shuffles_for_the_second_card():
    table = position(seat("Bandit"), seat(deck="Estate", discard="Silver"), edition=SECOND)
    play(table, "play Bandit")
    assert trash(table) == cards("Silver")
    assert discard(table, 1) == cards("Estate")


# ---- Moat

ATTACKS = [(FIRST, name) for name in ("Witch", "Militia", "Bureaucrat", "Spy", "Thief")]
ATTACKS += [(SECOND, name) for name in ("Witch", "Militia", "Bureaucrat", "Bandit")]


def attacked(edition, name, *others):
    attacker = seat(name, deck="Curse, Curse, Curse, Curse")
    victim = seat("Moat, 2 Estate, 2 Copper", deck="Silver, Gold")
    return position(attacker, victim, *others, edition=edition)


def untouched(table, of):
    return (
        hand(table, of) == cards("Moat, 2 Estate, 2 Copper")
        and tops(table, of) == ["Silver", "Gold"]
        and open_tops(table, of) == ["?", "?"]
        and owned(table, of).total() == 7
    )


@pytest.mark.parametrize(("edition", "name"), ATTACKS)
def test_a_moat_is_shown_before_the_attack_does_anything_and_protects(edition, name):
    table = attacked(edition, name)
    play(table, f"play {name}")
    assert table.turn == 1
    assert choices(table) == ["show no Moat", "show Moat"]
    assert left(table) == (0, 1, 0)
    assert tops(table) == ["Curse"] * 4
    assert supply(table, "Silver") == 40
    play(table, "show Moat")
    if name == "Spy":  # the attacker's own card is judged still
        assert table.state.step_targets[table.state.steps - 1] == 0
        play(table, "leave it")
    assert untouched(table, 1)
    assert table.turn == 0
    assert choices(table)[0] == "done"
    # the attacker has what is his
    assert left(table)[2] == (2 if name == "Militia" else 0)
    assert hand(table).total() == {"Witch": 2, "Spy": 1}.get(name, 0)
    assert owned(table)["Silver"] == (name == "Bureaucrat")
    assert owned(table)["Gold"] == (name == "Bandit")
    if name != "Thief":
        assert trash(table) == NOTHING


@pytest.mark.parametrize(("edition", "name"), ATTACKS)
def test_a_moat_that_is_not_shown_does_not_protect(edition, name):
    table = attacked(edition, name)
    play(table, f"play {name}", "show no Moat")
    answers = {
        "Militia": ["discard Moat", "discard Estate"],
        "Spy": ["leave it", "discard it"],
        "Thief": ["trash Gold", "stop"],
        "Bandit": ["trash Silver"],
    }
    play(table, *answers.get(name, []))
    assert not untouched(table, 1)
    assert choices(table)[0] == "done"


@pytest.mark.parametrize(("edition", "name"), ATTACKS)
def test_a_moat_protects_nobody_else(edition, name):
    other = seat("Estate, 4 Copper", deck="Silver, Curse")
    table = attacked(edition, name, other)
    play(table, f"play {name}")
    assert table.turn == 1
    play(table, "show Moat")
    answers = {"Militia": ["discard Copper", "discard Estate"], "Spy": ["leave it", "discard it"], "Thief": ["stop"]}
    play(table, *answers.get(name, []))
    assert choices(table)[0] == "done"
    assert untouched(table, 1)
    assert (hand(table, 2), discard(table, 2)) != (cards("Estate, 4 Copper"), NOTHING)


def test_each_holder_of_a_moat_is_asked_once_in_turn_order():
    table = position(seat("Moat"), seat("Copper"), seat("Witch", deck="2 Estate"), seat("2 Moat"), current=2)
    play(table, "play Witch")
    assert table.turn == 3
    play(table, "show Moat")
    assert table.turn == 0  # one Moat is enough, and one question
    play(table, "show no Moat")
    assert table.turn == 2
    assert [owned(table, of)["Curse"] for of in range(4)] == [1, 1, 0, 0]


def test_a_moat_is_not_asked_for_again_and_again():
    """A bug that keeps coming back elsewhere."""
    table = position(seat("Militia"), seat("Moat, 4 Copper"))
    play(table, "play Militia", "show Moat")
    assert table.turn == 0
    assert table.state.steps == 0
    assert hand(table, 1) == cards("Moat, 4 Copper")  # it stays in the hand


def test_a_moat_protects_against_one_attack_only_and_may_be_shown_again():
    table = position(seat("3 Witch", below="9 Estate"), seat("Moat"), actions=3)
    play(table, "play Witch", "show Moat", "play Witch", "show no Moat", "play Witch", "show Moat")
    assert owned(table, 1) == cards("Moat, Curse")


def test_the_attackers_own_moat_is_not_asked_for():
    table = position(seat("Spy, Moat", deck="Copper, Gold"), seat(deck="Estate"))
    play(table, "play Spy")
    assert choices(table) == ["leave it", "discard it"]
    assert table.turn == 0


def test_a_moat_in_the_deck_does_not_protect():
    table = position(seat("Witch", deck="2 Estate"), seat("Copper", deck="Moat", discard="Moat"))
    play(table, "play Witch")
    assert owned(table, 1)["Curse"] == 1


def test_a_moat_that_is_not_shown_may_be_discarded_to_the_attack():
    table = position(seat("Militia"), seat("Moat, 3 Copper"))
    play(table, "play Militia", "show no Moat", "discard Moat")
    assert hand(table, 1) == cards("3 Copper")


def test_vassal_that_plays_an_attack_lets_a_moat_be_shown():
    table = position(seat("Vassal", deck="Witch, Gold, Silver"), seat("Moat"), edition=SECOND)
    play(table, "play Vassal", "play it")
    assert table.turn == 1
    play(table, "show Moat")
    assert owned(table, 1) == cards("Moat")
    assert hand(table) == cards("Gold, Silver")
