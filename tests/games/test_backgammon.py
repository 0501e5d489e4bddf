"""Backgammon: hand-made positions, an independent oracle of legality, and OpenSpiel as a peer."""

import os
import random
import re
from collections import Counter
from importlib import import_module

import numpy as np
import pytest

from hiddenhand.core.event_log import WATCHER, take_step
from hiddenhand.core.game import blank_state
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.games.backgammon import BAR, CHECKERS, GAME, NOBODY, OFF, OPENINGS, PASS, PLACES, ROLLS
from hiddenhand.games.backgammon import rules as backgammon
from hiddenhand.kernel import CHANCE, OVER, assign, new_records, stream

RNG = stream(0)


def position(mine, yours, dice=(0, 0), options=GAME):
    """Seat 0 to move: place -> how many checkers, as each seat counts; those left over are off."""
    s = blank_state(options)[0]
    options.rules.deal(s, RNG)
    for seat, places in enumerate((mine, yours)):
        for place in range(PLACES):
            s.checkers[seat, place] = places.get(place, 0)
        s.checkers[seat, OFF] = CHECKERS - sum(places.values())
    s.mover = 0
    backgammon.take_dice(s, max(dice), min(dice))
    return s


def names(s):
    out = np.zeros(GAME.most_actions, np.int64)
    count = GAME.rules.legal(s, out)
    return {GAME.people.action_name(s, action) for action in out[:count].tolist()}


def play_named(s, *texts):
    for text in texts:
        out = np.zeros(GAME.most_actions, np.int64)
        count = GAME.rules.legal(s, out)
        actions = {GAME.people.action_name(s, action): action for action in out[:count].tolist()}
        GAME.rules.play(s, actions[text], RNG)


# --- dice -----------------------------------------------------------------------------------------


def test_rolls_have_the_odds_of_two_dice():
    s = position({6: 1}, {6: 1})
    odds = np.zeros(GAME.most_actions)
    GAME.rules.odds(s, odds)
    thrown = Counter((max(a, b), min(a, b)) for a in range(1, 7) for b in range(1, 7))
    assert len(ROLLS) == 21
    assert {tuple(roll): round(36 * p) for roll, p in zip(ROLLS.tolist(), odds)} == thrown
    assert odds[:21].sum() == pytest.approx(1.0)


def test_the_opening_roll_has_no_doubles_and_the_higher_die_begins():
    table = Table(GAME, 1, rolls=False)
    assert table.turn == CHANCE
    assert len(table.legal_actions()) == 30
    assert len({table.action_name(outcome) for outcome in table.legal_actions()}) == 30
    odds = np.zeros(GAME.most_actions)
    GAME.rules.odds(table.state, odds)
    assert np.allclose(odds, 1.0 / 30.0)
    for outcome, (mine, yours) in enumerate(OPENINGS.tolist()):
        table = Table(GAME, 1, rolls=False)
        table.play(outcome)
        assert mine != yours
        assert table.turn == (0 if mine > yours else 1)
        assert table.state.dice.tolist() == [max(mine, yours), min(mine, yours)]


def test_first_moves_from_the_start():
    table = Table(GAME, 1, rolls=False)
    table.play("3-1")
    assert {table.action_name(a) for a in table.legal_actions()} == {
        "6/3",
        "6/5",
        "8/5",
        "8/7",
        "13/10",
        "24/21",
        "24/23",
    }
    table.play("8/5")
    assert {table.action_name(a) for a in table.legal_actions()} == {"5/4", "6/5", "8/7", "24/23"}
    table.play("6/5")
    assert table.turn == CHANCE
    table.play("6-6")
    assert table.turn == 1
    for text in ("24/18", "24/18", "13/7", "13/7"):
        assert table.turn == 1
        table.play(text)
    assert table.turn == CHANCE


# --- hand-made positions --------------------------------------------------------------------------


def test_the_bar_comes_first():
    s = position({BAR: 1, 6: 2}, {6: 2}, (3, 1))
    assert names(s) == {"bar/22", "bar/24"}
    play_named(s, "bar/22")
    assert names(s) == {"6/5", "22/21"}


def test_two_on_the_bar_both_enter_before_anything_else_moves():
    s = position({BAR: 2, 6: 2}, {6: 2}, (3, 1))
    play_named(s, "bar/24")
    assert names(s) == {"bar/22"}


def test_a_closed_board_means_pass():
    s = position({BAR: 1, 6: 2}, dict.fromkeys(range(1, 7), 2), (6, 5))
    assert names(s) == {"pass"}
    GAME.rules.play(s, PASS, RNG)
    assert GAME.rules.turn(s) == CHANCE
    assert s.mover == 1


def test_one_enters_and_the_turn_ends_when_the_other_cannot():
    # points 19 to 24 of the mover are points 6 to 1 of the other; only 22 is open
    s = position({BAR: 2}, {1: 2, 2: 2, 4: 2, 5: 2, 6: 2}, (3, 1))
    assert names(s) == {"bar/22"}
    play_named(s, "bar/22")
    assert GAME.rules.turn(s) == CHANCE


def test_a_hit_sends_a_single_checker_to_the_bar():
    s = position({13: 2}, {17: 1, 6: 1}, (5, 1))
    assert "13/8*" in names(s)
    play_named(s, "13/8*")
    assert s.checkers[1, BAR] == 1
    assert s.checkers[1, 17] == 0
    assert s.checkers[0, 8] == 1


def test_no_bearing_off_while_a_checker_is_outside():
    s = position({7: 1, 6: 1}, {1: 2}, (6, 5))
    assert names(s) == {"7/1", "7/2", "6/1"}  # after 6/1 the six is played 7/1
    play_named(s, "7/2")
    assert names(s) == {"6/off"}


def test_bearing_off_with_a_larger_die_only_from_the_highest_point():
    s = position({5: 2, 3: 2}, {1: 2}, (6, 4))
    assert names(s) == {"5/off(6)", "5/1"}
    s = position({4: 1, 2: 2}, {1: 2}, (6, 5))
    assert names(s) == {"4/off(5)", "4/off(6)"}
    s = position({6: 1, 2: 2}, {20: 2}, (5, 3))  # no 2/off by the five while one is on 6
    assert names(s) == {"6/1", "6/3"}


def test_both_dice_must_be_played_if_possible():
    s = position({20: 1, 9: 1}, {11: 2, 17: 2, 21: 2}, (6, 5))  # the other holds 14, 8 and 4
    # by six: 20/14 closed; 9/3, then by five 20/15. By five: 20/15, then 15/9 or 9/3; 9/4 closed.
    assert names(s) == {"9/3", "20/15"}
    s = position({10: 1, 8: 1}, {22: 2, 20: 2}, (6, 4))  # the other holds 3 and 5, which are in nobody's way
    assert names(s) == {"10/4", "8/2", "10/6", "8/4"}


def test_a_first_move_that_wastes_the_other_die_is_illegal():
    s = position({14: 1, 8: 1}, {15: 2, 21: 2, 23: 2}, (4, 2))  # the other holds 10, 4 and 2
    # by four: 14/10 and 8/4 closed. By two: 14/12, then 12/8; but after 8/6 both 14/10 and 6/2 are closed.
    assert names(s) == {"14/12"}
    s = position({14: 1, 6: 1}, {13: 2, 15: 2, 23: 2}, (4, 2))  # the other holds 12, 10 and 2
    # by four: nothing. By two: 14/12 closed; 6/4, and then no four, as 4/off must wait for the checker on 14.
    assert names(s) == {"6/4"}


def test_the_larger_die_if_either_but_not_both():
    s = position({24: 1}, {12: 2}, (6, 5))  # the other holds 13 = 24 - 11
    assert names(s) == {"24/18"}
    s = position({10: 1}, {24: 2}, (6, 3))  # the other holds 1 = 10 - 9
    assert names(s) == {"10/4"}
    s = position({10: 1}, {24: 2, 21: 2}, (6, 3))  # 4 is held as well: only the three is left
    assert names(s) == {"10/7"}


def test_doubles_are_played_four_times_or_as_often_as_possible():
    s = position({24: 2}, {10: 2}, (3, 3))  # the other holds 15 = 24 - 9
    play_named(s, "24/21", "24/21", "21/18")
    assert names(s) == {"21/18"}
    play_named(s, "21/18")
    assert GAME.rules.turn(s) == CHANCE
    s = position({24: 1}, {10: 2}, (3, 3))
    play_named(s, "24/21", "21/18")
    assert GAME.rules.turn(s) == CHANCE


@pytest.mark.parametrize(
    ("loser", "worth"),
    [({OFF: 1, 1: 14}, 1), ({1: 15}, 2), ({1: 14, 18: 1}, 2), ({1: 14, 19: 1}, 3), ({1: 14, BAR: 1}, 3)],
)
def test_gammons(loser, worth):
    for options in (GAME, game("backgammon", gammons="yes")):
        places = {place: count for place, count in loser.items() if place != OFF}
        s = position({1: 1}, places, (6, 2), options)
        play_named(s, "1/off(6)")
        assert GAME.rules.turn(s) == OVER
        out = np.zeros(2)
        GAME.rules.payoff(s, out)
        stake = worth if options is not GAME else 1
        assert out.tolist() == [stake, -stake]
        GAME.rules.measure(s, out)
        assert out.tolist() == [worth >= 2, worth == 3]
        told = GAME.people.outcome(s)
        if worth > 1:
            counts = f"counts {worth}" if stake > 1 else "counts 1, since gammons are not counted here"
            assert told.endswith(f"that is a {('gammon', 'backgammon')[worth - 2]} and {counts}")
        else:
            assert "gammon" not in told


def test_a_move_is_told_by_the_names_of_the_readers_own_picture():
    """Each seat counts the points from its own side; the other's bar and tray are others than one's own."""
    s = position({2: 1, BAR: 1}, {2: 1, 24: 14}, (2, 1))
    entering, bearing_off = (PLACES - 2) * 6 + 1, 6 + 1
    for action, own, others in (
        (entering, ["bar", "23"], ["their bar", "2"]),
        (bearing_off, ["2", "off"], ["23", "their off"]),
    ):
        assert [GAME.people.verb_and_objects(s, action, seat)[1] for seat in (0, 1, WATCHER)] == [own, others, own]
    table = Table(GAME, 1, rolls=False)
    table.play("3-1")
    before = table.state.copy()
    step = take_step(table, table.legal_actions()[0])
    for viewer in (0, 1):  # where nothing is hidden, every seat is told all, in its own words
        start, end = step.entry(0, viewer, revealed=True).objects
        counts = [
            {
                stack["name"]: stack["count"]
                for stack in GAME.people.picture(state, viewer)["stacks"]
                if stack["owner"] == step.mover
            }
            for state in (before, table.state)
        ]
        assert counts[1].get(start, 0) == counts[0][start] - 1
        assert counts[1][end] == counts[0].get(end, 0) + 1


def test_the_screen_is_drawn_from_the_seats_side():
    table = Table(GAME, 1, rolls=False)
    table.play("3-1")
    for seat, mine in enumerate("XO"):
        lines = table.view(seat).screen().splitlines()
        assert lines[0].split() == [*map(str, range(13, 19)), "|", *map(str, range(19, 25))]
        assert lines[11].split()[7] == mine  # point 6
        assert lines[14].startswith(f"{mine}: 167 pips")
    assert "X has thrown 3-1" in lines[-1]


# --- the oracle: every maximal way to play a roll, found the plain way ----------------------------


def single_moves(mine, yours, die):
    """(place, mine, yours) for every checker that this die moves; the two are tuples of 26 counts."""
    waiting = mine[BAR] > 0
    home = sum(mine[7:]) == 0
    for place in range(1, PLACES):
        if mine[place] == 0 or (waiting and place != BAR):
            continue
        target = place - die
        if target <= 0 and not home:
            continue
        if target < 0 and any(mine[place + 1 :]):
            continue
        if target > 0 and yours[25 - target] >= 2:
            continue
        after, theirs = list(mine), list(yours)
        after[place] -= 1
        after[max(target, 0)] += 1
        if target > 0 and yours[25 - target] == 1:
            theirs[25 - target] = 0
            theirs[BAR] += 1
        yield place, tuple(after), tuple(theirs)


def all_plays(mine, yours, dice):
    """{sequence of (place, die): final position} of every way to use these dice in this order until stuck."""
    plays = {}
    if dice:
        for place, after, theirs in single_moves(mine, yours, dice[0]):
            for sequence, final in all_plays(after, theirs, dice[1:]).items():
                plays[((place, dice[0]), *sequence)] = final
    return plays or {(): (mine, yours)}


def lawful_plays(mine, yours, high, low):
    if high == low:
        plays = all_plays(mine, yours, (high,) * 4)
    else:
        plays = {**all_plays(mine, yours, (high, low)), **all_plays(mine, yours, (low, high))}
    most = max(len(sequence) for sequence in plays)
    plays = {sequence: final for sequence, final in plays.items() if len(sequence) == most}
    if most == 1 and any(sequence[0][1] == high for sequence in plays):
        plays = {sequence: final for sequence, final in plays.items() if sequence[0][1] == high}
    return plays


def played_by_engine(s):
    """The same of the engine: every way from here to the end of the turn."""
    me = int(s.mover)
    out = np.zeros(GAME.most_actions, np.int64)
    plays = {}
    for action in out[: GAME.rules.legal(s, out)].tolist():
        after = new_records(GAME.rules.state, 1)[0]
        assign(after, s)
        GAME.rules.play(after, action, RNG)
        move = () if action == PASS else ((action // 6 + 1, action % 6 + 1),)
        if GAME.rules.turn(after) == me:
            for sequence, final in played_by_engine(after).items():
                plays[(*move, *sequence)] = final
        else:
            plays[move] = both_sides(after, me)
    return plays


def both_sides(s, me):
    return tuple(s.checkers[me].tolist()), tuple(s.checkers[1 - me].tolist())


def played_positions(count, seed):
    """Positions with dice thrown, from games between random players."""
    chooser = random.Random(seed)
    number = 0
    while count > 0:
        table = Table(GAME, seed + number, rolls=True)
        number += 1
        while not table.over and count > 0:
            if table.state.unused.tolist() in ([1, 1], [4, 0]) and chooser.random() < 0.3:
                yield table.state
                count -= 1
            table.play(chooser.choice(table.legal_actions()))


def scattered_positions(count, seed):
    """Positions as no game would bring them: blocked, on the bar, bearing off; here the rare rules bite."""
    chooser = random.Random(seed)
    for _ in range(count):
        points = list(range(1, 25))
        chooser.shuffle(points)
        closed = points[: chooser.randint(2, 7)]
        mine, yours = Counter(), Counter()
        for point in closed:
            yours[25 - point] = 2
        free = [p for p in points if p not in closed and p <= chooser.choice((6, 12, 25))]
        for _ in range(chooser.randint(1, 4)):
            mine[chooser.choice([*free, BAR] if chooser.random() < 0.3 or not free else free)] += 1
        for point in points:
            if point not in closed and mine[point] == 0 and chooser.random() < 0.1 and yours.total() < 15:
                yours[25 - point] = 1
        dice = chooser.randint(1, 6), chooser.randint(1, 6)
        s = position(mine, yours, dice)
        yield s


@pytest.mark.parametrize("source", [played_positions, scattered_positions])
def test_every_lawful_play_and_no_other(source):
    doubles = unusual = 0
    for s in source(2500, 7):
        me, (high, low) = int(s.mover), s.dice.tolist()
        if high == low:
            doubles += 1
            if source is played_positions and doubles > 40:
                continue  # thousands of sequences each
        expected = lawful_plays(*both_sides(s, me), high, low)
        assert played_by_engine(s) == expected
        unusual += max(map(len, expected)) < 2
    assert doubles > 40
    assert unusual > 100


# --- OpenSpiel ------------------------------------------------------------------------------------


def read_open_spiel(state, me):
    """Both sides of an OpenSpiel position as tuples of 26 counts, the seat `me` first."""
    off = [int(n) for n in re.search(r"Scores, X: (\d+), O: (\d+)", str(state)).groups()]
    sides = []
    for seat in (me, 1 - me):
        points = [state.board(seat, 24 - p if seat == 0 else p - 1) for p in range(1, 25)]
        sides.append((off[seat], *points, 15 - off[seat] - sum(points)))
    return tuple(sides)


def finals_of_open_spiel(state, me):
    """Every position at the end of this turn; doubles are two half-turns of two checkers there."""
    finals = set()
    for action in state.legal_actions():
        after = state.child(action)
        if not after.is_terminal() and after.current_player() == me:
            finals |= finals_of_open_spiel(after, me)
        else:
            finals.add(read_open_spiel(after, me))
    return finals


def test_the_same_positions_after_a_turn_as_in_open_spiel():
    """The set of positions reachable in a whole turn, on positions from random play, doubles included."""
    pyspiel = import_module("pyspiel") if os.environ.get("CI") else pytest.importorskip("pyspiel")
    chooser = random.Random(5)
    open_spiel = pyspiel.load_game("backgammon")
    compared = doubled = 0
    while compared < 600:
        state = open_spiel.new_initial_state()
        while not state.is_terminal():
            fresh = not state.is_chance_node() and "Extra turn: 0" in str(state)
            if fresh and chooser.random() < 0.15:
                me = state.current_player()
                low, high = sorted(map(int, re.search(r"Dice: (\d)(\d)", str(state)).groups()))
                if high != low or doubled < 30:
                    mine, yours = read_open_spiel(state, me)
                    s = position(dict(enumerate(mine)), dict(enumerate(yours)), (high, low))
                    s.checkers[0, OFF], s.checkers[1, OFF] = mine[OFF], yours[OFF]
                    assert set(played_by_engine(s).values()) == finals_of_open_spiel(state, me)
                    compared += 1
                    doubled += high == low
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(chooser.choices(outcomes, weights)[0])
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
    assert doubled > 20


def test_a_random_game_ends_within_the_limit():
    for seed in range(20):
        chooser = random.Random(seed)
        table = Table(GAME, seed)
        while not table.over:
            table.play(chooser.choice(table.legal_actions()))
        assert table.state.winner != NOBODY
