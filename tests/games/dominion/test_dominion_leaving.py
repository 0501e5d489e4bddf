"""Dominion: cards that leave the table while their effect is at work, and cards that come back unseen."""

import random
from collections import Counter

import pytest

from dominion_tables import (
    FIRST,
    SECOND,
    below,
    cards,
    choices,
    count,
    hand,
    in_play,
    left,
    open_tops,
    play,
    position,
    seat,
    tops,
    trash,
)
from hiddenhand.core.resolver import agent
from hiddenhand.games.dominion.cards import ACTION, NAMES, TABLE
from hiddenhand.games.dominion.kingdoms import EDITIONS
from hiddenhand.games.dominion.state import BASIC
from hiddenhand.games.dominion.zones import take_top
from hiddenhand.kernel import stream

# ---- this card has left

LEAVERS = {"Feast": FIRST, "Mining Village": SECOND}
"""The Actions of which a copy may leave the table when it is played, each with an edition that has it."""


def answers(name, times):
    """The moves by which such a card leaves when it is played, so many times."""
    if name == "Feast":
        return ["gain Duchy"] * times
    return ["trash Mining Village"] if times else []


@pytest.mark.parametrize("name", LEAVERS)
@pytest.mark.parametrize("others", [0, 1])
def test_a_card_that_has_left_is_not_asked_for_again(name, others):
    """Not even where another copy lies in play: that one was not played now."""
    held = [f"{1 + others} {name}", "Throne Room", "2 Moat"]
    table = position(seat(", ".join(held), below="9 Copper"), seat("5 Copper"), edition=LEAVERS[name], actions=3)
    stays = cards("")
    if others and name == "Mining Village":
        play(table, "play Mining Village", "keep Mining Village")
        stays = cards("Mining Village")
    coins = left(table)[2]
    play(table, "play Throne Room", f"double {name}", *answers(name, 2 if name == "Feast" else 1))
    assert trash(table) == cards(name)
    assert in_play(table) == cards("Throne Room") + stays
    assert not [text for text in choices(table) if text.startswith("trash")]
    if name == "Mining Village":
        assert left(table)[2] == coins + 2


def test_the_copy_that_stays_may_be_trashed_by_the_second_play():
    table = position(seat("Throne Room, 2 Mining Village", below="9 Copper"), seat(), edition=SECOND, actions=2)
    play(table, "play Mining Village", "keep Mining Village", "play Throne Room", "double Mining Village")
    play(table, "keep Mining Village")
    assert choices(table) == ["keep Mining Village", "trash Mining Village"]
    play(table, "trash Mining Village")
    assert trash(table) == cards("Mining Village")
    assert in_play(table) == cards("Throne Room, Mining Village")


def test_throne_room_on_throne_room_knows_its_copies_apart():
    table = position(seat("2 Throne Room, 2 Mining Village, Moat", below="9 Copper"), seat(), edition=SECOND)
    play(table, "play Throne Room", "double Throne Room", "double Mining Village", "trash Mining Village")
    assert choices(table)[0] == "stop"  # its second play asked nothing; the other Throne Room comes next
    play(table, "double Mining Village", "keep Mining Village", "trash Mining Village")
    assert trash(table) == cards("2 Mining Village")
    assert in_play(table) == cards("2 Throne Room")


def test_a_mining_village_that_a_vassal_plays_may_go_and_the_vassal_still_be_doubled():
    table = position(seat("Throne Room, Vassal", "Mining Village, Copper, Mining Village"), seat(), edition=SECOND)
    play(table, "play Throne Room", "double Vassal", "play it", "trash Mining Village", "play it")
    assert choices(table) == ["keep Mining Village", "trash Mining Village"]
    assert in_play(table) == cards("Throne Room, Vassal, Mining Village")


def walk(table, chance):
    """Answer at random until nothing is asked."""
    while table.state.steps > 0:
        table.play(chance.choice(list(table.legal_actions())))


@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_no_other_copy_ever_leaves_the_table(edition):
    """Every Action, alone and under a Throne Room, while another copy lies in play: one of the two at most goes."""
    mask, chance, gone = EDITIONS[edition], random.Random(7), Counter()
    for card in range(BASIC, len(NAMES)):
        name = NAMES[card]
        if not (ACTION[card] and TABLE[card].editions & mask) or name == "Throne Room":
            continue
        for throne in (False, True) * 3:
            other = "Village" if name == "Moat" else "Moat"
            held = f"{name}, {other}, Throne Room, 2 Estate, 2 Copper, Gold"
            table = position(
                seat(held, below="3 Silver, 3 Copper, 2 Estate"), seat("5 Copper", below="5 Copper"),
                edition=edition, actions=3,
            )  # fmt: skip
            table.state.in_play[card] += 1  # another copy, played before
            table.state.owned[0, card] += 1
            play(table, *(["play Throne Room", f"double {name}"] if throne else [f"play {name}"]))
            walk(table, chance)
            if table.state.current == 0:
                assert table.state.in_play[card] >= 1, name
                gone[name] += trash(table)[name]
                assert trash(table)[name] <= 1, name
    assert set(+gone) <= set(LEAVERS)
    assert +gone


def test_the_default_play_trashes_a_mining_village_once_in_the_ending():
    table = position(
        seat("Throne Room, 2 Mining Village", below="9 Copper"), seat(), edition=SECOND, supply={"Province": 2}
    )
    expert = agent(table.game, "menu:Province, Silver")
    play(table, "play Throne Room", "double Mining Village")
    while table.state.steps > 0:
        table.play(expert.decide(table.view(0)).action)
    assert trash(table) == cards("Mining Village")


# ---- a Library shows what is set aside, and nothing else


def library(answer):
    """Two others look on while an Action is drawn."""
    table = position(seat("Library, 4 Estate", deck="Copper, Smithy, Village, Gold"), seat(), seat(), actions=2)
    play(table, "play Library")
    before = table.view(1)
    play(table, answer)
    return table, before


def test_what_a_library_keeps_is_not_shown():
    table, before = library("keep it")
    assert count(table.state.shown[0]) == cards("")
    kept = {NAMES[card] for card in range(len(NAMES)) if before.record.hand[card]}
    assert not kept & {"Smithy"}
    assert before.record.drawn == 0
    assert table.game.people.heard(table.state, 1, 1) == "set it aside"  # about the Village, without its name
    assert "Village" not in str(table.game.people.picture(table.view(1).record, 1)["question"])


def test_what_a_library_sets_aside_is_seen_by_all():
    table, _ = library("set it aside")
    assert count(table.view(1).record.aside) == cards("Smithy")


def test_who_is_asked_by_a_library_knows_what_he_drew():
    table, _ = library("keep it")
    mine = table.view(0).record
    assert NAMES[mine.drawn - 1] == "Village"
    assert "Library: you drew Village. Set it aside?" in table.game.people.show(mine, 0)


def test_to_the_others_a_library_may_have_drawn_any_action():
    """Each hidden Action is as likely as any other, and the hand has it in every world."""
    table = position(
        seat("Library, 4 Estate", deck="Smithy", below="2 Village, Moat, 4 Copper"), seat(), seat("Copper")
    )
    play(table, "play Library")
    view, rng, found = table.view(1), stream(3), Counter()
    for _ in range(400):
        world = view.imagine(rng)
        drawn = NAMES[world.drawn - 1]
        assert count(world.hands[0])[drawn] >= 1
        found[drawn] += 1
    assert set(found) == {"Smithy", "Village", "Moat"}
    assert 160 < found["Village"] < 240  # two of four


def test_a_card_that_all_knew_on_the_deck_is_known_when_a_library_draws_it():
    table = position(seat("Library, 6 Estate", deck="Smithy", open_deck=True, below="Village, Moat"), seat())
    play(table, "play Library")
    assert count(table.state.shown[0]) == cards("Smithy")
    view, rng = table.view(1), stream(3)
    assert {NAMES[view.imagine(rng).drawn - 1] for _ in range(20)} == {"Smithy"}


# ---- a Secret Passage leads anywhere


def passage(*moves, under="3 Copper"):
    table = position(
        seat("Secret Passage, Moat", "Gold, Silver", below=under), seat(), edition=SECOND, also="Wishing Well"
    )
    play(table, "play Secret Passage", *moves)
    return table


def test_secret_passage_offers_every_place():
    table = passage()
    places = ["on the deck", "under 1 card", "under 2 cards", "at the bottom of the deck"]
    assert choices(table) == places
    for above, place in enumerate(places):
        table = passage(place, "put back Gold")
        assert tops(table)[above] == "Gold"
        assert tops(table)[:above] == ["Copper"] * above
        assert below(table).total() == 3 - above
        assert open_tops(table)[above] == "?"


def test_what_lies_above_is_known_to_nobody():
    table = passage("under 2 cards", "put back Gold", under="Estate, Curse, Duchy")
    for of in (0, 1):
        found = {tuple(tops_of(world)) for world in worlds(table, of, 100)}
        assert {card for world in found for card in world[:2]} >= {"Estate", "Curse", "Duchy"}
        if of == 0:
            assert {world[2] for world in found} == {"Gold"}
            assert len(found) == 6  # the two above it, in any order
    assert "on the deck lie ?, ?, Gold" in table.game.people.show(table.view(0).record, 0)
    assert "on the deck lie ?, ?, ?" in table.game.people.show(table.view(1).record, 1)


def test_a_card_put_under_known_ones_leaves_them_where_they_are():
    table = position(seat("Secret Passage, Moat", "Gold, Silver, Duchy, Curse", open_deck=True, below="Copper"),
                     seat(), edition=SECOND)  # fmt: skip
    play(table, "play Secret Passage", "under 1 card", "put back Moat")
    assert tops(table) == ["Duchy", "Moat", "Curse"]
    assert open_tops(table) == ["Duchy", "?", "Curse"]


def test_a_passage_with_an_empty_deck_or_an_empty_hand_asks_no_place():
    table = position(seat("Secret Passage, Moat"), seat("5 Copper"), edition=SECOND)
    play(table, "play Secret Passage")  # the only card is put back
    assert tops(table) == ["Moat"]
    table = position(seat("Secret Passage"), seat("5 Copper"), edition=SECOND)
    play(table, "play Secret Passage")
    assert choices(table)[0] == "done"


# ---- a Patrol puts its cards back in an order that it tells nobody


def worlds(table, of, number):
    view, rng = table.view(of), stream(5)
    return [view.imagine(rng) for _ in range(number)]


def tops_of(world, of=0):
    return [NAMES[card] for card in world.own_tops[of, : world.top_sizes[of]][::-1]]


def patrolled(*more, players=1):
    table = position(
        seat("Patrol, Moat", "3 Copper, Silver, Gold, Estate, Village", below="9 Curse"), *[seat("Moat")] * players,
        edition=SECOND, actions=2,
    )  # fmt: skip
    play(table, "play Patrol", "put under Gold", "put under Village", *more)
    return table


def test_the_order_of_a_patrol_is_its_players_secret():
    table = patrolled()
    assert tops(table) == ["Silver", "Village", "Gold"]
    assert {tuple(tops_of(world)) for world in worlds(table, 0, 20)} == {("Silver", "Village", "Gold")}
    found = Counter(tuple(tops_of(world)) for world in worlds(table, 1, 600))
    assert {frozenset(world) for world in found} == {frozenset({"Silver", "Village", "Gold"})}
    assert len(found) == 6
    assert max(found.values()) < 150  # of 100 each
    assert "on the deck lie Silver and Gold and Village in some order" in table.game.people.show(
        table.view(1).record, 1
    )
    assert "on the deck lie Silver, Village, Gold" in table.game.people.show(table.view(0).record, 0)
    assert (
        table.game.people.picture(table.view(1).record, 1)["players"][1]["tops"]
        == [{"name": "", "card": "", "count": 1}] * 3
    )


def test_the_order_is_not_heard():
    table = position(seat("Patrol", "3 Copper, Silver, Gold, Moat, Village"), seat(), edition=SECOND)
    play(table, "play Patrol")
    action = table.legal_actions()[0]
    assert table.game.people.heard(table.state, action, 1) == "puts a card on the deck"
    assert table.game.people.verb_and_objects(table.state, action, 1) == ("put under", [])


def test_all_of_them_drawn_at_once_are_known_in_the_hand():
    table = patrolled("buy phase", "done")
    assert tops(table) == []
    assert count(table.state.shown[0]) == cards("Silver, Village, Gold")


def test_some_of_them_drawn_are_known_nowhere():
    table = patrolled("play Moat")
    assert hand(table) == cards("3 Copper, Estate, Silver, Village")
    assert tops(table) == ["Gold"]
    assert open_tops(table) == ["?"]
    assert count(table.state.shown[0]) - cards("Estate") == cards("")


def test_of_those_that_are_shown_one_by_one_the_rest_is_still_known():
    """As a Swindler takes the top card before all eyes."""
    table = patrolled()
    state = table.state
    assert state.mixed_size[0] == 3
    assert NAMES[take_top(state, 0, True, stream(1))] == "Silver"
    state.owned[0, NAMES.index("Silver")] -= 1
    assert state.mixed_size[0] == 2
    assert open_tops(table) == ["Village", "Gold"]
    assert {frozenset(tops_of(world)) for world in worlds(table, 1, 30)} == {frozenset({"Village", "Gold"})}
