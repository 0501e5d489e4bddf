"""Battleship: the rules, and that redeal draws every fleet that fits the marks equally often."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.games.battleship import NAMES, NOWHERE
from hiddenhand.games.battleship.fleets import FLEET, HIT, LENGTHS, MISS, SUNK, UNKNOWN, draw_fleet
from hiddenhand.kernel import OVER, assign, new_records, stream


def cells(place, ship, width):
    """The cells of a ship, counted the plain way."""
    down, start = divmod(place, width * width)
    row, column = divmod(start, width)
    if down:
        return [(row + i) * width + column for i in range(LENGTHS[ship])]
    return [row * width + column + i for i in range(LENGTHS[ship])]


def all_places(ship, width):
    length = int(LENGTHS[ship])
    across = [row * width + column for row in range(width) for column in range(width - length + 1)]
    down = [width * width + row * width + column for row in range(width - length + 1) for column in range(width)]
    return across + down


def table_with(size, ships, *moves):
    table = Table(game("battleship", size=size, ships=ships), 1)
    for move in moves:
        table.play(move)
    return table


# --- the rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "ships"), [(10, 5), (6, 5), (7, 3), (6, 1)])
def test_ships_stay_on_the_board_and_do_not_overlap(size, ships):
    table = table_with(size, ships)
    for seat in range(2):
        taken = set()
        for ship in range(FLEET - ships, FLEET):
            free = [p for p in all_places(ship, size) if not taken & set(cells(p, ship, size))]
            assert table.turn == seat
            assert table.legal_actions() == sorted(free)
            assert table.action_name(free[0]).startswith(NAMES[ship])
            place = free[(7 * seat + 31 * ship) % len(free)]
            taken |= set(cells(place, ship, size))
            table.play(place)
    assert table.turn == 0
    assert table.legal_actions() == list(range(size * size))


def test_names_of_places_and_shots():
    table = table_with(10, 5, "carrier a1 across", "battleship j1 down", "cruiser a10 across")
    assert table.state.places[0].tolist() == [0, 109, 90, NOWHERE, NOWHERE]
    table = table_with(6, 1, "destroyer a1 down", "destroyer e6 across", "c4")
    assert table.state.marks[1, 3 * 6 + 2] == MISS


def test_the_fleet_is_the_smallest_ships():
    table = table_with(6, 2)
    assert table.action_name(0) == "submarine a1 across"
    table.play(0)
    assert table.action_name(table.legal_actions()[-1]) == "destroyer f5 down"


def test_hits_sinking_and_winning():
    table = table_with(6, 2, "submarine a1 across", "destroyer a2 across", "submarine a1 down", "destroyer b1 down")
    answers = []
    for shot in ("a1", "f6", "c1", "a1", "a3", "b1", "a2", "c1", "b1", "a2", "b2"):
        seat = table.turn
        table.play(shot)
        answers.append(int(table.state.marks[1 - seat, table.history[-1]]))
        assert table.over or table.turn == 1 - seat  # a hit does not give another shot
    sub, destroyer = SUNK + 3, SUNK + 4
    assert answers == [HIT, MISS, MISS, HIT, HIT, HIT, sub, sub, HIT, HIT, destroyer]
    assert table.state.marks[1, [0, 6, 12]].tolist() == [sub] * 3  # the whole outline is known
    assert table.turn == OVER
    assert table.payoffs() == [1.0, -1.0]
    assert table.metrics() == {"shots of the winner": 6.0}


def test_screen_shows_ones_own_fleet_and_only_the_marks_of_the_other():
    table = table_with(6, 1, "destroyer a1 across", "destroyer c3 down", "c3", "b1")
    mine, yours = table.view(0).screen().splitlines(), table.view(1).screen().splitlines()
    assert mine[2].split() == ["1", "D", "x", ".", ".", ".", ".", "1", *"......"]
    assert mine[4].split() == ["3", *"......", "3", *"..x..."]
    assert yours[4].split() == ["3", *"..x...", "3", *"......"]
    assert yours[5].split() == ["4", *"..D...", "4", *"......"]
    table.play("c4")
    assert "You have sunk: destroyer" in table.view(0).screen()
    assert "You have lost: destroyer" in table.view(1).screen()


# --- redeal ---------------------------------------------------------------------------------------


def fitting_fleets(marks, ships, width):
    """Every tuple of places that agrees with the marks, by trying all of them."""
    found = set()
    for places in product(*(all_places(ship, width) for ship in ships)):
        taken = {}
        for ship, place in zip(ships, places):
            for cell in cells(place, ship, width):
                if cell in taken:
                    break
                taken[cell] = ship
        if len(taken) != sum(LENGTHS[ship] for ship in ships):
            continue
        if marked(marks, ships, places, taken, width) == [int(m) for m in marks[: width * width]]:
            found.add(places)
    return found


def marked(marks, ships, places, taken, width):
    """The marks that the same shots would have made on this fleet."""
    made = [UNKNOWN if marks[c] == UNKNOWN else HIT if c in taken else MISS for c in range(width * width)]
    for ship, place in zip(ships, places):
        if all(made[cell] == HIT for cell in cells(place, ship, width)):
            for cell in cells(place, ship, width):
                made[cell] = SUNK + ship
    return made


def chi_square_bound(freedom):
    """What chi-square exceeds once in a million (Wilson and Hilferty's approximation)."""
    return freedom * (1.0 - 2.0 / (9.0 * freedom) + 4.7534 * (2.0 / (9.0 * freedom)) ** 0.5) ** 3


def assert_uniform(counts, possible):
    assert set(counts) <= possible, "a fleet that contradicts the marks"
    expected = sum(counts.values()) / len(possible)
    assert expected >= 5.0
    if len(possible) > 1:
        chi_square = sum((counts[fleet] - expected) ** 2 / expected for fleet in possible)
        assert chi_square < chi_square_bound(len(possible) - 1)


# each: how many ships, the fleet of seat 1, and the shots at it
POSITIONS = {
    "nothing known": (2, ["submarine b2 across", "destroyer d4 down"], []),
    "misses": (2, ["submarine b2 across", "destroyer d4 down"], ["a1", "c3", "f6", "e5", "b5"]),
    "one open hit": (2, ["submarine b2 across", "destroyer d4 down"], ["b2", "a1", "e3"]),
    "two hits of one ship": (2, ["submarine b2 across", "destroyer d4 down"], ["b2", "c2"]),
    "two ships side by side": (2, ["submarine b2 across", "destroyer c3 across"], ["c2", "c3", "f1"]),
    "hits far apart": (2, ["submarine b2 across", "destroyer e5 down"], ["b2", "e5", "e4"]),
    "one sunk": (2, ["submarine b2 across", "destroyer d4 down"], ["d4", "d5", "b5"]),
    "one sunk beside a hit": (2, ["submarine b2 across", "destroyer c3 across"], ["c3", "d3", "c2"]),
    "three ships": (
        3,
        ["cruiser b2 across", "submarine c3 down", "destroyer e5 across"],
        ["b2", "c3", "e5", "a6", "f1", "a3", "d4", "b6"],
    ),
    "three ships in a heap": (
        3,
        ["cruiser b2 across", "submarine b3 across", "destroyer b4 across"],
        ["b2", "c2", "b3", "c3", "b4", "d5", "f3"],
    ),
    "three ships, one sunk": (
        3,
        ["cruiser b2 across", "submarine b3 across", "destroyer b4 across"],
        ["b2", "c3", "b3", "d3", "a5", "e5", "c6", "f2", "e1"],
    ),
}


def position(name):
    """A table where seat 0 has made the shots; seat 1 has always missed."""
    ships, fleet, shots = POSITIONS[name]
    mine = ["cruiser a1 across", "submarine a2 across", "destroyer a3 across"][3 - ships :]
    table = table_with(6, ships, *mine, *fleet)
    wasted = iter(range(35, 17, -1))
    for shot in shots:
        table.play(shot)
        table.play(next(wasted))
    return table


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("tries", [None, 0], ids=["drawn", "listed"])
def test_every_fitting_fleet_is_equally_likely(name, tries):
    """By `redeal`, and once more by the listing of all fleets that it falls back on."""
    table = position(name)
    rules, s = table.game.rules, table.state
    ships = list(range(FLEET - int(s.ships), FLEET))
    possible = fitting_fleets(s.marks[1], ships, 6)
    assert tuple(s.places[1, ships].tolist()) in possible
    draws = max(5000, 20 * len(possible))
    rng = stream(5)
    counts = Counter()
    afloat = np.array([ship for ship in ships if not (s.marks[1] == SUNK + ship).any()])
    places = np.empty(FLEET, np.int64)
    world = new_records(table.game.rules.state, 1)[0]
    assign(world, s)
    for _ in range(draws):
        if tries is None:
            rules.redeal(world, 0, rng)
        else:
            draw_fleet(s.marks[1], np.int64(6), afloat, len(afloat), tries, rng, places)
            world.places[1, afloat] = places[: len(afloat)]
        counts[tuple(world.places[1, ships].tolist())] += 1
    assert_uniform(counts, possible)


def test_while_ships_are_being_placed_those_already_placed_are_redealt():
    table = table_with(6, 2, "submarine b2 across")
    world = new_records(table.game.rules.state, 1)[0]
    assign(world, table.state)
    rng = stream(3)
    counts = Counter()
    for _ in range(4800):
        table.game.rules.redeal(world, 1, rng)
        counts[(int(world.places[0, 3]),)] += 1
        assert world.places[0].tolist().count(NOWHERE) == FLEET - 1
    assert_uniform(counts, {(place,) for place in all_places(3, 6)})


@pytest.mark.parametrize(("size", "ships"), [(10, 5), (6, 5), (8, 4)])
def test_a_redealt_world_never_contradicts_the_marks(size, ships):
    """Through whole games with well aimed shots, so that hits pile up and ships sink."""
    rules = game("battleship", size=size, ships=ships).rules
    chooser = np.random.default_rng(size)
    fleet = list(range(FLEET - ships, FLEET))
    for seed in range(3):
        table = Table(game("battleship", size=size, ships=ships), seed)
        world = new_records(table.game.rules.state, 1)[0]
        while not table.over:
            legal = table.legal_actions()
            action = int(chooser.choice(legal))
            if table.state.placed[1] == ships:
                for seat in range(2):
                    assign(world, table.state)
                    rules.redeal(world, seat, stream(seed))
                    places = world.places[1 - seat, fleet].tolist()
                    taken = [cell for ship, place in zip(fleet, places) for cell in cells(place, ship, size)]
                    marks = table.state.marks[1 - seat]
                    assert len(set(taken)) == len(taken)
                    assert marked(marks, fleet, places, set(taken), size) == marks[: size * size].tolist()
                targets = [
                    cell
                    for ship in fleet
                    for cell in cells(int(table.state.places[1 - table.turn, ship]), ship, size)
                    if cell in legal
                ]
                if chooser.random() < 0.4:
                    action = int(chooser.choice(targets))
            table.play(action)
