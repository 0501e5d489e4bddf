"""What a screen of Dominion is given, against counts of its own over random games."""

import json
from collections import Counter

import numpy as np
import pytest

from hiddenhand.core.event_log import WATCHER, hear, parts_of
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.core.view import own_view
from hiddenhand.games.dominion.cards import NAMES

LONGEST = 250
FIRST = "Adventurer, Bureaucrat, Cellar, Chancellor, Library, Moat, Spy, Thief, Throne Room, Gardens"
SECOND = "Artisan, Bandit, Harbinger, Mine, Moat, Moneylender, Poacher, Sentry, Vassal, Militia"


def random_table(kingdom=FIRST, edition="first", players=2, seed=0):
    """A table, and random plies of it: Actions are bought and played, so that questions come."""
    table = Table(game("dominion", kingdom=kingdom, edition=edition, players=players), seed)
    random = np.random.default_rng(seed)
    yield table
    while not table.over and len(table.history) < LONGEST:
        legal = table.legal_actions()
        table.play(int(random.choice(legal[1:] if len(legal) > 1 and random.random() < 0.8 else legal)))
        yield table


def counts(things):
    found = Counter()
    for thing in things:
        found[thing["card"]] += thing["count"]
    return found


def of_array(array):
    return Counter({NAMES[card]: int(count) for card, count in enumerate(array) if count})


def names_in(picture):
    """All the names in a picture."""
    if isinstance(picture, list):
        return {name for each in picture for name in names_in(each)}
    if isinstance(picture, dict):
        return {name for each in picture.values() for name in names_in(each)} | {picture.get("name")} - {None}
    return set()


@pytest.mark.parametrize(("kingdom", "edition", "players"), [(FIRST, "first", 3), (SECOND, "second", 2)])
def test_points_piles_and_sizes_are_those_of_a_count(kingdom, edition, players):
    worth = {"Estate": 1, "Duchy": 3, "Province": 6, "Curse": -1}
    gardens = 0
    for table in random_table(kingdom, edition, players):
        s = table.state
        for seat in range(players):
            picture = own_view(table.game, s, seat).picture()
            assert {pile["name"]: pile["left"] for pile in picture["piles"]} == {
                NAMES[card]: int(s.supply[card]) for card in s.piles
            }
            assert [player["seat"] for player in picture["players"]] == [(seat + i) % players for i in range(players)]
            for player in picture["players"]:
                owned, who = player["owned"], player["seat"]
                gardens = max(gardens, owned.get("Gardens", 0))
                points = sum(count * worth.get(card, 0) for card, count in owned.items())
                assert player["points"] == points + owned.get("Gardens", 0) * (sum(owned.values()) // 10)
                held = player["hand_size"] + player["deck_size"] + player["discard_size"]
                table_cards = picture["in_play"] + picture["aside"] if who == picture["current"] else []
                assert held + sum(counts(table_cards).values()) == sum(owned.values())
    assert gardens > 0 or kingdom == SECOND


def test_piles_are_laid_out_by_cost_and_say_what_their_cards_do():
    piles = next(random_table())
    picture = own_view(piles.game, piles.state, 0).picture()
    basic = [pile["name"] for pile in picture["piles"] if pile["basic"]]
    assert basic == ["Province", "Duchy", "Estate", "Gold", "Silver", "Copper", "Curse"]
    costs = [pile["cost"] for pile in picture["piles"] if not pile["basic"]]
    assert costs == sorted(costs)
    assert len(costs) == 10
    for pile in picture["piles"]:
        meaning = piles.game.people.meaning(pile["name"])
        assert meaning == f"{pile['name']}, {'-'.join(pile['kinds'])}, costs {pile['cost']}: {pile['text']}"


def test_hands_decks_and_discards_are_one_s_own_and_all_when_nothing_is_hidden():
    for table in random_table(seed=4):
        s = table.state
        for seat in range(2):
            mine, other = own_view(table.game, s, seat).picture()["players"]
            assert counts(mine["hand"]) == of_array(s.hands[seat])
            assert counts(mine["discard"]) == of_array(s.seen[seat] + s.unseen[seat])
            assert counts(other["hand"]) == of_array(s.shown[1 - seat])
            assert other["discard"] == []
            assert mine["deck"] == other["deck"] == {}
            for player in table.game.people.open_picture(s, seat)["players"]:
                who = player["seat"]
                assert counts(player["hand"]) == of_array(s.hands[who])
                everywhere = counts(player["hand"] + player["tops"] + player["discard"]) + Counter(player["deck"])
                if who == s.current:
                    everywhere += of_array(s.in_play) + of_array(s.aside)
                assert everywhere == Counter(player["owned"])


@pytest.mark.parametrize(("kingdom", "edition"), [(FIRST, "first"), (SECOND, "second")])
def test_moves_are_about_things_in_the_picture(kingdom, edition):
    asked = set()
    for seed in range(4):
        for table in random_table(kingdom, edition, seed=seed):
            if table.over:
                continue
            view = table.view()
            picture = view.picture()
            things = names_in(picture)
            assert (picture["question"] is not None) == (table.state.steps > 0)
            if picture["question"] is not None:
                asked.add(picture["question"]["text"])
                parts = {**picture["question"], "target": f"seat {picture['question']['target']}"}
                assert view.screen().endswith(parts.pop("text").format(**parts))
            for move in view.legal_moves():
                assert things.issuperset(move.objects), (move, picture["question"])
                assert move.verb
    assert len(asked) > 6


@pytest.mark.parametrize(("kingdom", "edition"), [(FIRST, "first"), (SECOND, "second")])
def test_others_are_told_no_more_than_they_hear(kingdom, edition):
    """Where somebody hears less than the mover, the verb and the objects do not say more than the words."""
    kept = 0
    for seed in range(6):
        for table in random_table(kingdom, edition, seed=seed):
            if table.over:
                continue
            mover = table.turn
            for action in table.legal_actions():
                for ear in (1 - mover, WATCHER):
                    heard = hear(table.game, table.state, mover, action, ear)
                    verb, objects = parts_of(table.game, table.state, action, ear)
                    if heard in ("", "puts a card on the deck"):
                        kept += 1
                        assert objects == ()
                        assert verb in ("", "put back", "top")
                        assert (verb == "") == (heard == "")
                    else:
                        assert heard.startswith(verb)
                        assert verb
    assert kept > 0


def test_a_question_is_shown_to_the_one_who_is_asked():
    others = 0
    for table in random_table(SECOND, "second", seed=1):
        if table.over or table.state.steps == 0:
            continue
        for seat in range(2):
            picture = own_view(table.game, table.state, seat).picture()
            assert picture["asked"] == table.turn
            assert (picture["question"] is None) == (seat != table.turn)
            others += seat != table.turn
    assert others > 0


def test_a_frame_is_small_json():
    """The picture with all its moves and its text, of four players, when nothing is hidden too."""
    for table in random_table(SECOND, "second", players=4, seed=2):
        for seat in range(4):
            view = own_view(table.game, table.state, seat)
            moves = [move._asdict() for move in view.legal_moves()]
            for picture in (view.picture(), table.game.people.open_picture(table.state, seat)):
                assert len(json.dumps([picture, moves, view.screen()], separators=(",", ":"))) < 8000
