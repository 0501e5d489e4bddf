"""The rules of backgammon, and what people read of it; the game itself is described in the package."""

from typing import Any

import numpy as np
from typing_extensions import TypedDict

from hiddenhand.core.errors import UserError
from hiddenhand.core.features import Feature, Features
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import CHANCE, OVER, record_type, rule

OFF, BAR = 0, 25
PLACES = 26
HOME = 6
CHECKERS = 15
NOBODY = -1
PASS = 150
NO_DIE = 0
ROLLS = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
OPENINGS = np.array([(mine, yours) for mine in range(1, 7) for yours in range(1, 7) if mine != yours])
START = {24: 2, 13: 5, 8: 3, 6: 5}
SETUP = np.array([START.get(place, 0) for place in range(PLACES)])

FEATURES = Features(
    (
        Feature("pips", 1.0, Text("a pip less to go")),
        Feature("home_points", 4.0, Text("a point held at home by two checkers or more")),
        Feature("exposed", -0.15, Text("a pip that single checkers have come and would lose if they were hit")),
        Feature("bar", -6.0, Text("a checker on the bar")),
        Feature("blots", 0.0, Text("a single checker that can be hit")),
        Feature("anchors", 0.0, Text("a point held in the other's home")),
        Feature("prime", 0.0, Text("a point more in the longest row of points that are held")),
        Feature("off", 0.0, Text("a checker borne off")),
        Feature("stacked", 0.0, Text("a checker above three on the same point")),
    ),
    scale=40.0,
)

STATE = record_type(
    [
        ("checkers", "i1", (2, PLACES)),
        ("dice", "i1", (2,)),  # the larger first
        ("unused", "i1", (2,)),  # how often each may still be played; doubles are (4, 0)
        ("mover", "i1"),  # who moves, or throws next; NOBODY before the opening
        ("winner", "i1"),
        ("worth", "i1"),  # 1, a gammon 2, a backgammon 3; 0 before the end
        ("gammons", "i1"),
    ]
)


@rule
def deal(s, rng):
    if taken_by(s, 0) != 0:  # set up
        return
    for seat in range(2):
        for place in range(PLACES):
            s.checkers[seat, place] = SETUP[place]
    take_dice(s, NO_DIE, NO_DIE)
    s.mover = NOBODY
    s.winner = NOBODY
    s.worth = 0


@rule
def take_dice(s, high, low):
    s.dice[0] = high
    s.dice[1] = low
    s.unused[0] = 1
    s.unused[1] = 1
    if high == low:
        s.unused[0] = 0 if high == NO_DIE else 4
        s.unused[1] = 0


@rule
def turn(s):
    if s.winner != NOBODY:
        return OVER
    if s.unused[0] == 0 and s.unused[1] == 0:
        return CHANCE
    return np.int64(s.mover)


@rule
def taken_by(s, seat):
    """The places, the bar included, where a seat has checkers still in play."""
    places = 0
    for place in range(1, PLACES):
        if s.checkers[seat, place] > 0:
            places |= 1 << place
    return places


@rule
def closed_to(s, seat):
    """The points, as the seat counts them, that two or more checkers of the other hold.

    They stay the same for a whole turn: only a single checker can be hit, and its point was open before.
    """
    places = 0
    for place in range(1, BAR):
        if s.checkers[1 - seat, 25 - place] > 1:
            places |= 1 << place
    return places


@rule
def movable(mine, closed, die):
    """The places from which a checker can be moved by this die."""
    if mine >> BAR != 0:
        return (mine & ~(closed << die)) >> BAR << BAR
    places = (mine & ~(closed << die)) >> (die + 1) << (die + 1)
    if mine >> (HOME + 1) == 0:  # all are home
        places |= mine & (1 << die)
        if mine >> die == 0:  # a die too large for every checker bears off one from the highest point
            place = die - 1
            while place > 0 and mine >> place == 0:
                place -= 1
            places |= mine & (1 << place)
    return places


@rule
def goes_on(s, me, mine, closed, places, die, other):
    """Those of the places from which a move by `die` leaves a move by the `other` die."""
    kept = 0
    for place in range(1, PLACES):
        if (places >> place) & 1:
            after = mine
            if s.checkers[me, place] == 1:
                after ^= 1 << place
            if place > die:
                after |= 1 << (place - die)
            if movable(after, closed, other) != 0:
                kept |= 1 << place
    return kept


@rule
def legal(s, out):
    if s.unused[0] == 0 and s.unused[1] == 0:
        count = len(OPENINGS) if s.mover == NOBODY else len(ROLLS)
        for i in range(count):
            out[i] = i
        return count
    me, high, low = np.int64(s.mover), np.int64(s.dice[0]), np.int64(s.dice[1])
    mine, closed = taken_by(s, me), closed_to(s, me)
    by_high = movable(mine, closed, high) if s.unused[0] > 0 else 0
    by_low = movable(mine, closed, low) if s.unused[1] > 0 else 0
    if s.unused[0] > 0 and s.unused[1] > 0:
        first_high = goes_on(s, me, mine, closed, by_high, high, low)
        first_low = goes_on(s, me, mine, closed, by_low, low, high)
        if first_high | first_low != 0:
            by_high, by_low = first_high, first_low
        elif by_high != 0:
            by_low = 0
    # Doubles need no such care: every order of play uses equally many dice. Closed points stay closed and
    # all steps are alike, so each checker has a path of its own that the moves of others do not change
    # before bearing off begins. Suppose a turn gets stuck. If a checker is then not yet home, it is stuck
    # there in every order and nothing is ever borne off. If all are home, one is held up above the die, in
    # every order, so that others are borne off by the exact number only. Either way each checker can make a
    # fixed number of steps.
    return write_moves(by_high, by_low, high, low, out)


@rule
def write_moves(by_high, by_low, high, low, out):
    n = 0
    for place in range(1, PLACES):
        if (by_low >> place) & 1:
            out[n] = (place - 1) * 6 + low - 1
            n += 1
        if (by_high >> place) & 1:
            out[n] = (place - 1) * 6 + high - 1
            n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def odds(s, out):
    if s.mover == NOBODY:
        for i in range(len(OPENINGS)):
            out[i] = 1.0 / 30.0
    else:
        for i in range(len(ROLLS)):
            out[i] = 1.0 / 36.0 if ROLLS[i, 0] == ROLLS[i, 1] else 1.0 / 18.0


@rule
def play(s, action, rng):
    if s.unused[0] == 0 and s.unused[1] == 0:
        throw(s, action)
    elif action == PASS:
        end_turn(s)
    else:
        place, die = action // 6 + 1, action % 6 + 1
        move_checker(s, place, die)
        if s.checkers[s.mover, OFF] == CHECKERS:
            win(s)
        elif not can_go_on(s):
            end_turn(s)


@rule
def throw(s, outcome):
    if s.mover != NOBODY:
        take_dice(s, ROLLS[outcome, 0], ROLLS[outcome, 1])
    else:
        mine, yours = OPENINGS[outcome, 0], OPENINGS[outcome, 1]
        s.mover = 0 if mine > yours else 1
        take_dice(s, max(mine, yours), min(mine, yours))


@rule
def move_checker(s, place, die):
    me = np.int64(s.mover)
    target = max(place - die, OFF)
    s.checkers[me, place] -= 1
    s.checkers[me, target] += 1
    if target != OFF and s.checkers[1 - me, 25 - target] == 1:
        s.checkers[1 - me, 25 - target] = 0
        s.checkers[1 - me, BAR] += 1
    if s.dice[0] == die:
        s.unused[0] -= 1
    else:
        s.unused[1] -= 1


@rule
def can_go_on(s):
    if s.unused[0] == 0 and s.unused[1] == 0:
        return False
    me = np.int64(s.mover)
    mine, closed = taken_by(s, me), closed_to(s, me)
    if s.unused[0] > 0 and movable(mine, closed, np.int64(s.dice[0])) != 0:
        return True
    return s.unused[1] > 0 and movable(mine, closed, np.int64(s.dice[1])) != 0


@rule
def end_turn(s):
    take_dice(s, NO_DIE, NO_DIE)
    s.mover = 1 - s.mover


@rule
def win(s):
    s.winner = s.mover
    s.worth = 1
    loser = 1 - np.int64(s.mover)
    if s.checkers[loser, OFF] == 0:
        s.worth = 2
        for place in range(BAR - HOME, PLACES):
            if s.checkers[loser, place] > 0:
                s.worth = 3


@rule
def payoff(s, out):
    stake = np.float64(s.worth) if s.gammons != 0 else 1.0
    out[s.winner] = stake
    out[1 - s.winner] = -stake


@rule
def features(s, out):
    for i in range(len(out)):
        out[i] = 0.0
    for seat in range(2):
        count_side(s, seat, 1.0 if seat == 0 else -1.0, out)


@rule
def count_side(s, seat, sign, out):
    """Add what one seat has of each feature."""
    rearmost = 0  # the other's, as the other counts: only what is in front of it can be hit
    for place in range(1, PLACES):
        if s.checkers[1 - seat, place] > 0:
            rearmost = place
    row, longest = 0, 0
    for place in range(1, BAR):
        count = np.int64(s.checkers[seat, place])
        out[0] -= sign * place * count
        row = row + 1 if count > 1 else 0
        longest = max(longest, row)
        if count > 1 and place <= HOME:
            out[1] += sign
        if count > 1 and place >= BAR - HOME:
            out[5] += sign
        if count == 1 and 25 - place < rearmost:
            out[2] += sign * (25 - place)
            out[4] += sign
        if count > 3:
            out[8] += sign * (count - 3)
    out[0] -= sign * BAR * s.checkers[seat, BAR]
    out[3] += sign * s.checkers[seat, BAR]
    out[6] += sign * longest
    out[7] += sign * s.checkers[seat, OFF]


@rule
def promise(s, action):
    """How good an action looks at first sight: hits, checkers off, points made; no checker left single."""
    me = np.int64(s.mover)
    place, target = action // 6 + 1, action // 6 - action % 6
    score = 0
    if s.checkers[me, place] == 2:
        score -= 1
    if target <= OFF:
        return score + 5
    if s.checkers[1 - me, 25 - target] == 1:
        score += 8
    if s.checkers[me, target] == 1:
        score += 4
    elif s.checkers[me, target] == 0:
        score -= 1
    return score


@rule
def order(s, actions, n):
    """The most promising first."""
    if turn(s) == CHANCE or actions[0] == PASS:
        return
    for i in range(1, n):
        action = actions[i]
        worth = promise(s, action)
        j = i
        while j > 0 and promise(s, actions[j - 1]) < worth:
            actions[j] = actions[j - 1]
            j -= 1
        actions[j] = action


@rule
def measure(s, out):
    out[0] = 1.0 if s.worth >= 2 else 0.0
    out[1] = 1.0 if s.worth == 3 else 0.0


def conserved(s: np.record) -> list[int]:
    return [int(s.checkers[seat].sum()) for seat in range(2)]


def action_name(s: np.record, action: int) -> str:
    """From the mover's side: 8/5, bar/20, 13/8* with a hit; 4/off(6) bears off with a larger die."""
    if turn(s) == CHANCE:
        first, second = (OPENINGS if s.mover == NOBODY else ROLLS)[action]
        return f"{first}-{second}"
    if action == PASS:
        return Text("pass")
    place, die = action // 6 + 1, action % 6 + 1
    if place <= die:
        return Text("{place}/off", place=place) + (f"({die})" if place < die else "")
    hit = "*" if s.checkers[1 - s.mover, 25 - place + die] == 1 else ""
    return f"{'bar' if place == BAR else place}/{place - die}{hit}"


POSITIONS = {"lecture": "X 20:2 6:5 4:4 3:4; O 13:4 8:3 6:5 4:3; X 6-5"}
"""Positions by name. In that of the lecture X has four moves by 6-5: 5-10 and 5-11, 5-11 and 19-24, 5-10 and 10-16,
5-11 and 11-16, the points of X counted from the other end. It names these moves and no others; where the other
checkers stand is our choice."""


EXAMPLE = "X 20:2 6:5 bar:1; O 24:2 13:5; X 6-5"
"""How a position is written."""


def set_up(s: np.record, text: str) -> None:
    """X 20:2 6:5 bar:1; O 24:2 13:5; X 6-5: how many checkers each has where, as it counts (the others are off), then
    who moves, and the dice (left out: who throws next)."""
    parts = [part.split() for part in POSITIONS.get(text.strip(), text).upper().split(";")]
    if len(parts) != 3 or not all(parts) or [part[0] for part in parts[:2]] != ["X", "O"]:
        raise UserError("a position is written {example}: both sides, who moves, the dice", example=EXAMPLE)
    for seat in range(2):
        put_checkers(s, seat, parts[seat][1:])
    for place in range(1, BAR):
        if s.checkers[0, place] and s.checkers[1, BAR - place]:
            raise UserError("both have checkers on point {point} of X", point=place)
    mover, *dice = parts[2]
    if mover not in ("X", "O"):
        raise UserError("who moves is X or O, not {mover}", mover=repr(mover))
    s.mover = "XO".index(mover)
    s.winner = NOBODY
    if dice:
        numbers = [die for die in dice[0].split("-") if die in tuple("123456")]
        if len(dice) != 1 or len(numbers) != 2:
            raise UserError("dice are written 6-5, not {dice}", dice=repr(" ".join(dice)))
        take_dice(s, *(int(die) for die in sorted(numbers, reverse=True)))


def put_checkers(s: np.record, seat: int, places: list[str]) -> None:
    """Put the checkers of a seat where a text says."""
    names = {"BAR": BAR, **{str(place): place for place in range(1, BAR)}}
    for each in places:
        place, _, count = each.partition(":")
        if place not in names or not count.isdecimal():
            raise UserError("checkers are written place:count, such as 6:5 or bar:1, not {word}", word=each)
        s.checkers[seat, names[place]] = min(int(count), CHECKERS + 1)
    left = CHECKERS - int(s.checkers[seat].sum())
    if not 0 <= left < CHECKERS:
        raise UserError(
            "{sign} has 1 to {most} checkers on the board, not {n}", sign="XO"[seat], most=CHECKERS, n=CHECKERS - left
        )
    s.checkers[seat, OFF] = left


def written(s: np.record) -> str:
    sides = [
        " ".join(
            [
                "XO"[seat],
                *(
                    f"{'bar' if place == BAR else place}:{s.checkers[seat, place]}"
                    for place in range(BAR, OFF, -1)
                    if s.checkers[seat, place]
                ),
            ]
        )
        for seat in range(2)
    ]
    dice = f" {s.dice[0]}-{s.dice[1]}" if s.dice[0] != NO_DIE else ""
    return "; ".join([*sides, "XO"[s.mover] + dice])


WINS = ("", Text("the game"), Text("a gammon"), Text("a backgammon"))
"""What somebody has won, by what it counts."""


def show(view: np.record, seat: int) -> str:
    """The board from a seat's side: its home at the bottom right. Seat 0 has X, seat 1 has O."""
    signs = "XO"
    lines = [board_row(f"{place:>2}" for place in range(13, 25))]
    lines += [board_row(cell(view, seat, place, height) for place in range(13, 25)) for height in range(1, 6)]
    lines += [board_row([""] * 12)]
    lines += [board_row(cell(view, seat, place, height) for place in range(12, 0, -1)) for height in range(5, 0, -1)]
    lines += [board_row(f"{place:>2}" for place in range(12, 0, -1)), ""]
    for who in (seat, 1 - seat):
        mine = [int(count) for count in view.checkers[who]]
        pips = sum(place * count for place, count in enumerate(mine))
        lines.append(
            Text(
                "{sign}: {pips} pips to go, {bar} on the bar, {off} off",
                sign=signs[who],
                pips=pips,
                bar=mine[BAR],
                off=mine[OFF],
            )
        )
    if view.winner != NOBODY:
        lines.append(Text("{sign} has won {what}", sign=signs[view.winner], what=WINS[view.worth]))
    elif turn(view) != CHANCE:
        left = [str(die) for die, times in zip(view.dice, view.unused) for _ in range(times)]
        lines.append(
            Text(
                "{sign} has thrown {dice}, still to play: {left}",
                sign=signs[view.mover],
                dice=f"{view.dice[0]}-{view.dice[1]}",
                left=" ".join(left),
            )
        )
    return Text.joined("\n", lines)


def board_row(cells: Any) -> str:
    texts = [f"{text:>2}" for text in cells]
    return ("  ".join(texts[:6]) + "  |  " + "  ".join(texts[6:])).rstrip()


def cell(view: np.record, seat: int, place: int, height: int) -> str:
    """One cell of the picture: a checker, or how many there are where they do not fit."""
    mine, yours = int(view.checkers[seat, place]), int(view.checkers[1 - seat, 25 - place])
    count, sign = (mine, "XO"[seat]) if mine > 0 else (yours, "XO"[1 - seat])
    if height == 5 and count > 5:
        return str(count)
    return sign if count >= height else "."


class Stack(TypedDict):
    """Checkers of one seat in one place."""

    name: str
    """What moves call it: a point as the seat counts it, bar, or off."""
    owner: int
    count: int


class Die(TypedDict):
    value: int
    spent: bool


class BackgammonPicture(TypedDict):
    """The board from a seat's side."""

    seat: int
    stacks: list[Stack]
    dice: list[Die]
    thrown_by: int
    """The seat that threw them; -1 before the first throw."""
    pips: list[int]


def picture(view: np.record, seat: int) -> BackgammonPicture:
    stacks: list[Stack] = [
        {"name": place_name(point, who == seat), "owner": who, "count": int(view.checkers[who, point])}
        for who in range(2)
        for point in range(PLACES)
        if view.checkers[who, point] > 0
    ]
    return {
        "seat": seat,
        "stacks": stacks,
        "dice": pictured_dice(view),
        "thrown_by": int(view.mover),
        "pips": [sum(place * int(count) for place, count in enumerate(view.checkers[who])) for who in range(2)],
    }


def pictured_dice(view: np.record) -> list[Die]:
    high, low = int(view.dice[0]), int(view.dice[1])
    if high == NO_DIE:
        return []
    if high == low:
        return [{"value": high, "spent": bool(i >= view.unused[0])} for i in range(4)]
    return [{"value": die, "spent": bool(left == 0)} for die, left in zip((high, low), view.unused)]


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """From and to, as the mover counts; for another seat, as that one counts. Watchers see the first seat's side."""
    if turn(s) == CHANCE:
        return Text("throw"), []
    if action == PASS:
        return Text("pass"), []
    start, die = action // 6 + 1, action % 6 + 1
    mine = max(seat, 0) == int(s.mover)
    end = max(OFF, start - die)
    return Text("move"), [place_name(start, mine), place_name(end, mine)]


def place_name(point: int, mine: bool) -> str:
    """How a place is called by its owner, or by the other, in whose picture it is another bar and another tray."""
    if point in (BAR, OFF):
        name = "bar" if point == BAR else "off"
        return name if mine else f"their {name}"
    return str(point if mine else BAR - point)


def outcome(s: np.record) -> str:
    loser = 1 - int(s.winner)
    borne_off = Text(
        "{who} has borne off all {all} checkers, {loser} {n}",
        who=Seat(s.winner),
        all=CHECKERS,
        loser=Seat(loser),
        n=int(s.checkers[loser, OFF]) or Text("none"),
    )
    if s.worth == 1:
        return borne_off
    counts = Text("counts 1, since gammons are not counted here")
    if s.gammons:
        counts = Text("counts {points}", points=int(s.worth))
    if s.worth == 2:
        return Text("{borne_off}; that is a gammon and {counts}", borne_off=borne_off, counts=counts)
    return Text(
        "{borne_off}, and has one on the bar or in the winner's home; that is a backgammon and {counts}",
        borne_off=borne_off,
        counts=counts,
    )


def refusal(s: np.record, action: int) -> str:
    out = np.empty(len(OPENINGS), np.int64)
    if action in out[: legal(s, out)]:
        return ""
    if action == PASS:
        return Text("the dice can be played, so they must")
    return refused_move(s, action // 6 + 1, action % 6 + 1)


def refused_move(s: np.record, place: int, die: int) -> str:
    """Why a checker cannot be moved from this place by this die."""
    mine, target = [int(count) for count in s.checkers[s.mover]], place - die
    if not any(times for thrown, times in zip(s.dice, s.unused) if thrown == die):
        return Text("there is no {n} left to play", n=die)
    if mine[place] == 0:
        return (
            Text("you have no checker on the bar")
            if place == BAR
            else Text("you have no checker on point {n}", n=place)
        )
    if mine[BAR] and place != BAR:
        return Text("your checker on the bar must enter first")
    if target > OFF and s.checkers[1 - s.mover, 25 - target] > 1:
        return Text("the other holds point {n} with two checkers or more", n=target)
    if target <= OFF and any(mine[HOME + 1 :]):
        return Text("checkers are borne off only when all are at home")
    if target < OFF and any(mine[place + 1 :]):
        return Text("a die larger than needed bears off from your highest point only")
    return Text("both dice must be played if they can, or else the larger, and after this move they could not")
