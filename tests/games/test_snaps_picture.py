"""What a screen of snaps is given, against counts and brute force over random games."""

import json
from collections import Counter

import numpy as np
import pytest

from hiddenhand.core.event_log import parts_of
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.core.view import own_view
from hiddenhand.games.snaps.picture import facts, open_picture, picture
from hiddenhand.games.snaps.state import FINISHED, TRICKS
from hiddenhand.games.snaps.texts import card_name, show
from snaps_positions import Position, late_positions, random_options

WORTH = {"nine": 0, "under": 2, "over": 3, "king": 4, "ten": 10, "ace": 11}
RANKS = list(WORTH)


def positions(count, plays=(0, 24)):
    """Random positions under random options, with a seat."""
    for seed in range(count):
        random = np.random.default_rng(seed)
        yield Position(random_options(random), seed, int(random.integers(*plays))), int(random.integers(4))


def by_seat(drawn):
    return {player["seat"]: player for player in drawn["players"]}


def beats(card, other, trump):
    """Whether a later card beats an earlier one, by their names."""
    (rank, suit), (other_rank, other_suit) = card.split(" of "), other.split(" of ")
    return RANKS.index(rank) > RANKS.index(other_rank) if suit == other_suit else suit == trump


def taker(cards, trump):
    best = cards[0]
    for card in cards[1:]:
        if beats(card["card"], best["card"], trump):
            best = card
    return best["seat"]


def test_points_tricks_and_winners_are_those_of_a_count():
    finished = 0
    for position, seat in positions(40):
        drawn = picture(position.view(seat), seat)
        if drawn["named"] is None:
            continue
        trump = drawn["named"].split(" of ")[1]
        tricks = [each for each in [*drawn["before"], drawn["trick"]] if each["cards"]]
        points, taken, bonus = Counter(), Counter(), Counter()
        for trick in tricks:
            winner = taker(trick["cards"], trump)
            assert [card["seat"] for card in trick["cards"] if card["wins"]] == [winner]
            assert trick["done"] == (len(trick["cards"]) == 4)
            bonus[trick["cards"][0]["seat"]] += trick["cards"][0]["announced"]
            if trick["done"]:
                taken[winner] += 1
                points[winner] += sum(WORTH[card["card"].split()[0]] for card in trick["cards"])
        for who, player in by_seat(drawn).items():
            assert (player["points"], player["tricks"]) == (points[who], taken[who])
            if position.state.phase != FINISHED:  # a marriage that ends the deal is not led any more
                assert player["bonus"] == bonus[who]
            assert player["cards"] == 6 - sum(card["seat"] == who for trick in tricks for card in trick["cards"])
        for side in drawn["sides"]:
            counts = sum(bonus[who] for who in side["seats"]) if any(taken[who] for who in side["seats"]) else 0
            if position.state.phase != FINISHED:
                assert side["points"] == sum(points[who] for who in side["seats"]) + counts
        finished += drawn["trick"]["done"]
    assert finished > 0


def test_a_finished_trick_stays_until_the_next_card_is_led():
    table = Table(game("snaps"), 3)
    table.play(table.view().read("name hA"))
    while table.state.plays < 4:
        table.play(next(action for action in table.legal_actions() if action < 24 or action == 73))
    drawn = own_view(table.game, table.state, 1).picture()
    assert drawn["trick"]["done"]
    assert len(drawn["trick"]["cards"]) == 4
    assert drawn["before"] == []
    table.play(table.legal_actions()[0])
    after = own_view(table.game, table.state, 1).picture()
    assert after["before"] == [drawn["trick"]]
    assert len(after["trick"]["cards"]) == 1


def test_who_may_hold_the_named_card_is_exactly_what_some_possible_deal_allows():
    sizes = Counter()
    for position, seat in late_positions(25):
        drawn = picture(position.view(seat), seat)
        assert drawn["holders"] == sorted({position.holder_in(world) for world in position.worlds(seat)})
        sizes[len(drawn["holders"])] += 1
    assert min(sizes[1], sizes[2]) > 0


def test_counting_excludes_a_holder_that_nothing_else_excludes():
    """Hands that have room for nothing but what they must hold."""
    from hiddenhand.games.snaps.knowledge import has_room_for

    def room_for_the_first(where):
        fitting = tuple(sum(1 << card for card, hands in enumerate(where) if hand in hands) for hand in range(3))
        return [hand for hand in range(3) if has_room_for(1, hand, fitting, (1, 1, 1))]

    assert room_for_the_first([{0, 1, 2}, {0, 1}, {0, 1}]) == [2]
    assert room_for_the_first([{0, 1}, {1, 2}, {2}]) == [0]
    assert room_for_the_first([{0, 1, 2}, {0, 1, 2}, {0, 2}]) == [0, 1, 2]


def test_the_text_says_who_is_the_partner_when_counting_tells():
    told = Counter()
    for position, seat in late_positions(25):
        view = position.view(seat)
        if view.phase != TRICKS:
            continue
        certain = len(picture(view, seat)["holders"]) == 1
        assert ("partner unknown" in show(view, seat)) is not certain
        told[certain] += 1
    assert min(told.values()) > 0


def test_roles_say_who_plays_with_whom():
    seen = Counter()
    for position, seat in positions(60):
        drawn = picture(position.view(seat), seat)
        chooser, certain = drawn["chooser"], len(drawn["holders"]) == 1
        for who, player in by_seat(drawn).items():
            roles = player["roles"]
            seen.update(roles)
            assert ("chooser" in roles) == (who == chooser)
            assert ("partner" in roles) == (certain and who != chooser and who in drawn["holders"])
            assert ("maybe partner" in roles) == (not certain and who != chooser and who in drawn["holders"])
            assert ("kontra" in roles) == (who == position.state.doubled_by)
        if drawn["named"] is not None:
            assert position.state.holder in drawn["holders"]
        assert bool(drawn["sides"]) == certain
    assert {"chooser", "alone", "maybe alone", "partner", "maybe partner", "kontra"} <= set(seen)


def test_the_players_sit_in_the_order_of_play():
    for direction in (-1, 1):
        table = Table(game("snaps", direction=direction), 1)
        players = own_view(table.game, table.state, 2).picture()["players"]
        assert [player["place"] for player in players] == ["south", "west", "north", "east"]
        assert [player["seat"] for player in players] == [(2 + direction * i) % 4 for i in range(4)]


@pytest.mark.parametrize("plays", [0, 9, 22])
def test_hands_are_one_s_own_and_all_of_them_when_nothing_is_hidden(plays):
    position = Position({}, 5, plays)
    hands = [[card_name(c) for c in range(24) if int(hand) >> c & 1] for hand in position.state.hands]
    for seat in range(4):
        drawn, opened = by_seat(picture(position.view(seat), seat)), by_seat(open_picture(position.state, seat))
        assert sorted(drawn[seat]["hand"]) == sorted(hands[seat])
        assert [drawn[who]["hand"] for who in range(4) if who != seat] == [[], [], []]
        assert [sorted(opened[who]["hand"]) for who in range(4)] == [sorted(hand) for hand in hands]


def test_facts_are_where_the_unseen_cards_are_and_who_is_the_partner():
    for position, seat in positions(30):
        told, drawn = facts(position.state, seat), picture(position.view(seat), seat)
        if position.state.phase == FINISHED:
            assert told == {}
            continue
        partner = told.pop("partner", None)
        assert (partner is None) == (drawn["named"] is None)
        assert partner in (None, f"seat {position.state.holder}")
        played = {card["card"] for trick in [*drawn["before"], drawn["trick"]] for card in trick["cards"]}
        assert set(told) == {card["name"] for card in drawn["pack"]} - played - set(by_seat(drawn)[seat]["hand"])
        opened = by_seat(open_picture(position.state, seat))
        for card, holder in told.items():
            assert card in opened[int(holder.removeprefix("seat "))]["hand"]


def test_a_chooser_who_has_not_seen_all_his_cards_may_hold_any_other():
    position = Position({"choose_after": 3}, 2, 0)
    table = Table(game("snaps", choose_after=3), 7)
    told = facts(table.state, 0)
    assert len(told) == 24 - 3
    assert list(told.values()).count("seat 0") == 3
    assert facts(position.state, 0)["partner"] == f"seat {position.state.holder}"


def test_moves_are_about_things_in_the_picture_and_public():
    verbs = Counter()
    for seed in range(25):
        table, random = Table(game("snaps", rekontra=True), seed), np.random.default_rng(seed)
        while not table.over:
            view = table.view()
            things = {card["name"] for card in view.picture()["pack"]}
            for move in view.legal_moves():
                verbs[move.verb] += 1
                assert things.issuperset(move.objects)
                told = {parts_of(table.game, table.state, move.action, ear) for ear in (-1, 0, 1, 2, 3)}
                assert told == {(move.verb, tuple(move.objects))}
                if move.verb.startswith("announce"):
                    assert {name.split()[0] for name in move.objects} == {"king", "over"}
            table.play(int(random.choice(table.legal_actions())))
    assert set(verbs) == {
        "name", "play", "announce", "announce and dost", "dost", "pass", "kontra", "rekontra",
    }  # fmt: skip


def test_the_picture_is_small_json():
    for position, seat in positions(20):
        for drawn in (picture(position.view(seat), seat), open_picture(position.state, seat)):
            assert len(json.dumps(drawn)) < 8000
