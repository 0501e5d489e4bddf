"""What a screen of Hanabi is given, against a count of its own over random games."""

import json
from collections import Counter

import numpy as np
import pytest

from hiddenhand.core.event_log import parts_of
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.core.view import own_view

COLOURS = ["red", "yellow", "green", "blue", "white"]
COPIES = Counter({f"{colour} {rank}": [3, 2, 2, 2, 1][rank - 1] for colour in COLOURS for rank in range(1, 6)})


def face(card):
    return f"{COLOURS[card // 5]} {card % 5 + 1}"


def random_table(players, seed):
    """A table, and random plies of it one after the other."""
    table, random = Table(game("hanabi", players=players), seed), np.random.default_rng(seed)
    yield table
    while not table.over:
        table.play(int(random.choice(table.legal_actions())))
        yield table


def pictures(table):
    return {seat: own_view(table.game, table.state, seat).picture() for seat in range(table.game.players)}


def counted_mark(picture, name):
    """Critical, useless or playable, by counting the discards and the heights."""
    gone = Counter(each["face"]["name"] for each in picture["discarded"])
    heights = {each["name"]: each["height"] for each in picture["fireworks"]}
    colour, rank = name.split()
    before = [f"{colour} {lower}" for lower in range(heights[colour] + 1, int(rank))]
    if int(rank) <= heights[colour] or any(gone[card] == COPIES[card] for card in [*before, name]):
        return "useless"
    if gone[name] == COPIES[name] - 1:
        return "critical"
    return "playable" if int(rank) == heights[colour] + 1 else ""


@pytest.mark.parametrize("players", [2, 5])
def test_marks_and_points_are_those_of_a_count(players):
    seen = Counter()
    for seed in range(3):
        for table in random_table(players, seed):
            for seat, picture in pictures(table).items():
                assert picture["score"] == sum(each["height"] for each in picture["fireworks"])
                for hand in picture["hands"]:
                    for slot, card in enumerate(hand["cards"]):
                        if hand["seat"] != seat:
                            assert card["face"]["name"] == face(table.state.hands[hand["seat"], slot])
                        if card["face"] is not None:
                            seen[card["mark"]] += 1
                            assert card["mark"] == counted_mark(picture, card["face"]["name"])
                for gone in picture["discarded"]:
                    assert gone["needed"] == (counted_mark(picture, gone["face"]["name"]) != "useless")
                able = [card for card in COPIES if int(card[-1]) == 1 + table.state.piles[COLOURS.index(card[:-2])]]
                assert picture["playable"] == able
    assert set(seen) == {"critical", "useless", "playable", ""}


def test_what_a_card_can_be_by_hints_and_by_counting():
    certain = 0
    for seed in range(5):
        for table in random_table(3, seed):
            s = table.state
            for seat, picture in pictures(table).items():
                seen = Counter(each["face"]["name"] for each in picture["discarded"])
                for pile in picture["fireworks"]:
                    seen.update(f"{pile['name']} {rank}" for rank in range(1, pile["height"] + 1))
                for hand in picture["hands"][1:]:
                    seen.update(card["face"]["name"] for card in hand["cards"])
                for slot, card in enumerate(picture["hands"][0]["cards"]):
                    can_be = [
                        name
                        for name in COPIES
                        if seen[name] < COPIES[name]
                        and int(s.colours[seat, slot]) >> COLOURS.index(name.split()[0]) & 1
                        and int(s.ranks[seat, slot]) >> (int(name[-1]) - 1) & 1
                    ]
                    assert card["colours"] == [c for c in COLOURS if any(name.startswith(c) for name in can_be)]
                    assert card["ranks"] == sorted({int(name[-1]) for name in can_be})
                    assert face(s.hands[seat, slot]) in can_be
                    assert card["known"] == (len(can_be) == 1) == (card["face"] is not None)
                    certain += card["known"]
    assert certain > 0


def test_arrows_stay_for_a_round_and_follow_their_cards():
    table = Table(game("hanabi", players=3), 4)
    table.play(table.view().read("hint 1 rank 1"))
    hand = pictures(table)[2]["hands"][2]
    named = [card["number"] for card in hand["cards"] if card["arrow"] == "rank 1"]
    assert named == [card["number"] for card in hand["cards"] if card["face"]["rank"] == 1 and card["hinted"]] != []
    table.play(table.view().read(f"discard {named[0]}"))
    arrows = [card["arrow"] for card in pictures(table)[2]["hands"][2]["cards"]]
    left = [number - 1 for number in named[1:]]
    assert [i + 1 for i, arrow in enumerate(arrows) if arrow] == left
    table.play(table.view().read("discard 1"))
    table.play(table.view().read("discard 1"))
    assert not any(card["arrow"] for card in pictures(table)[2]["hands"][2]["cards"])


def test_the_last_move_is_marked_where_its_card_lies():
    kinds = Counter()
    for seed in range(3):
        for table in random_table(2, seed):
            picture = pictures(table)[0]
            built = [pile["top"] for pile in picture["fireworks"] if pile["last"]]
            lost = [gone["face"]["name"] for gone in picture["discarded"] if gone["last"]]
            move = int(table.state.moves_made) - 1
            card = int(table.state.log_card[move]) if move >= 0 else -1
            if card < 0:
                assert built == lost == []
            else:
                assert [face(card)] == (built if table.state.log_success[move] else lost)
                assert len(built) + len(lost) == 1
            kinds[len(built), len(lost)] += 1
    assert set(kinds) == {(0, 0), (0, 1), (1, 0)}


def test_one_s_own_cards_are_seen_when_nothing_is_hidden_and_facts_tell_them():
    for table in random_table(4, 3):
        for seat, picture in pictures(table).items():
            opened = table.game.people.open_picture(table.state, seat)
            mine = opened["hands"][0]["cards"]
            assert {card["name"]: card["face"]["name"] for card in mine} == table.game.people.facts(table.state, seat)
            assert [card["face"]["name"] for card in mine] == [
                face(card) for card in table.state.hands[seat].tolist() if card >= 0
            ]
            assert [card["name"] for card in mine] == [card["name"] for card in picture["hands"][0]["cards"]]


def names_in(picture):
    """All the names in a picture."""
    if isinstance(picture, list):
        return {name for each in picture for name in names_in(each)}
    if isinstance(picture, dict):
        return {name for each in picture.values() for name in names_in(each)} | {picture.get("name")} - {None}
    return set()


def test_moves_are_about_things_in_the_picture():
    verbs = Counter()
    for table in random_table(3, 8):
        if table.over:
            break
        view = table.view()
        things = names_in(view.picture())
        for move in view.legal_moves():
            verbs[move.verb] += 1
            assert things.issuperset(move.objects)
            told = {parts_of(table.game, table.state, move.action, ear) for ear in (-1, 0, 1, 2)}
            assert told == {(move.verb, tuple(move.objects))}  # every move is public
    assert set(verbs) == {"play", "discard", "hint"}


def test_a_hint_names_the_player_the_value_and_the_cards():
    table = Table(game("hanabi", players=2), 1)
    hand = table.state.hands[1].tolist()
    value = hand[0] // 5
    move = next(each for each in table.view().legal_moves() if each.text == f"hint 1 {COLOURS[value]}")
    touched = [f"1 card {slot + 1}" for slot, card in enumerate(hand[:5]) if card // 5 == value]
    assert move.objects == ["seat 1", COLOURS[value], *touched]


def test_the_picture_is_small_json():
    longest = 0
    for table in random_table(5, 2):
        for picture in pictures(table).values():
            longest = max(longest, len(json.dumps(picture)))
    assert longest < 8000
