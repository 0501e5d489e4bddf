"""Battleship: place a fleet in secret, then shoot in turn at a sea you cannot see; first to sink all wins.

Cells are numbered along the rows from a1; there are `size` rows and columns. The fleet is a carrier of 5
cells, a battleship of 4, a cruiser and a submarine of 3 and a destroyer of 2; the option `ships` takes only
so many of the smallest. Ships may touch but not overlap. Seat 0 places all its ships, the largest first,
then seat 1 does; in this order a ship always finds room, even on the smallest board. An action is a place:
the cell of the ship's top left end, plus the number of cells if it lies down rather than across.

Then seat 0 begins to shoot; an action is a cell of the other's sea. The answer is public: a miss, a hit, or
a ship sunk, in which case all its cells are marked with its name. One shot a turn, hit or miss.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hiddenhand.core.extras import Opponent, Opponents, SearchDefaults
from hiddenhand.core.game import define
from hiddenhand.core.picture import Board, Picture, amounts, board, board_cell, note
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.games.battleship.fleets import CELLS, FLEET, HIT, LARGEST, LENGTHS, MISS, SUNK, UNKNOWN, draw_fleet
from hiddenhand.kernel import OVER, copy, record_type, rule

NAMES: tuple[str, ...] = (Text("carrier"), Text("battleship"), Text("cruiser"), Text("submarine"), Text("destroyer"))
ACROSS, DOWN = Text("across"), Text("down")
SEEN = ("", Text("miss"), Text("hit"))
NOBODY = -1
NOWHERE = -1
TRIES = 10000  # to draw a fleet at random, before all are listed
COLUMNS = "abcdefghij"

PUBLIC = [
    ("width", "i1"),
    ("ships", "i1"),
    ("mover", "i1"),
    ("winner", "i1"),
    ("placed", "i1", (2,)),  # how many ships each seat has placed
    ("hits", "i1", (2,)),  # how many cells of each seat's fleet are hit
    ("marks", "i1", (2, CELLS)),  # on each seat's own sea
    ("shots", "i1", (2, CELLS)),  # by each seat, in order; then NOWHERE
    ("fired", "i1", (2,)),  # how many
]
STATE = record_type([*PUBLIC, ("places", "i2", (2, FLEET))])
VIEW = record_type([*PUBLIC, ("places", "i2", (FLEET,))])


def configure(s: np.record, options: Mapping[str, Any]) -> None:
    s.width = options["size"]  # not called size: every NumPy record already has an attribute of that name
    s.ships = options["ships"]


@rule
def deal(s, rng):
    begin(s)


@rule
def begin(s):
    for seat in range(2):
        for ship in range(FLEET):
            s.places[seat, ship] = NOWHERE
        for cell in range(CELLS):
            s.marks[seat, cell] = UNKNOWN
            s.shots[seat, cell] = NOWHERE
        s.fired[seat] = 0
        s.placed[seat] = 0
        s.hits[seat] = 0
    s.mover = 0
    s.winner = NOBODY


@rule
def turn(s):
    if s.winner != NOBODY:
        return OVER
    return np.int64(s.mover)


@rule
def placing(s):
    return s.placed[1] < s.ships


@rule
def next_ship(s, seat):
    """The ship that a seat places next; of the fleet only the smallest `ships` take part."""
    return FLEET - np.int64(s.ships) + np.int64(s.placed[seat])


@rule
def cells_of(place, width):
    """The first cell of a place and the step from each cell to the next."""
    cells = width * width
    if place < cells:
        return place, 1
    return place - cells, width


@rule
def covers(place, ship, cell, width):
    start, step = cells_of(place, width)
    offset = cell - start
    return offset >= 0 and offset % step == 0 and offset // step < LENGTHS[ship]


@rule
def legal(s, out):
    if placing(s):
        return legal_places(s, out)
    width, other = np.int64(s.width), 1 - np.int64(s.mover)
    n = 0
    for cell in range(width * width):
        if s.marks[other, cell] == UNKNOWN:
            out[n] = cell
            n += 1
    return n


@rule
def legal_places(s, out):
    me, width = np.int64(s.mover), np.int64(s.width)
    ship = next_ship(s, me)
    taken = np.zeros(CELLS, np.bool_)
    for earlier in range(ship):
        place = np.int64(s.places[me, earlier])
        if place != NOWHERE:
            start, step = cells_of(place, width)
            for i in range(LENGTHS[earlier]):
                taken[start + i * step] = True
    n = 0
    for down in range(2):
        step = width if down else 1
        beyond = LENGTHS[ship] - 1
        for row in range(width - beyond * down):
            for column in range(width - beyond * (1 - down)):
                start = row * width + column
                free = True
                for i in range(LENGTHS[ship]):
                    if taken[start + i * step]:
                        free = False
                if free:
                    out[n] = down * width * width + start
                    n += 1
    return n


@rule
def play(s, action, rng):
    me = np.int64(s.mover)
    if not placing(s):
        shoot(s, 1 - me, action)
        s.shots[me, s.fired[me]] = action
        s.fired[me] += 1
        s.mover = 1 - me
    else:
        s.places[me, next_ship(s, me)] = action
        s.placed[me] += 1
        if s.placed[me] == s.ships:
            s.mover = 1 - me


@rule
def shoot(s, target, cell):
    """A shot at the sea of seat `target`."""
    s.marks[target, cell] = MISS
    for ship in range(FLEET - np.int64(s.ships), FLEET):
        if covers(np.int64(s.places[target, ship]), ship, cell, np.int64(s.width)):
            s.marks[target, cell] = HIT
            s.hits[target] += 1
            sink_if_all_hit(s, target, ship)
    if s.hits[target] == fleet_cells(s):
        s.winner = 1 - target


@rule
def sink_if_all_hit(s, target, ship):
    start, step = cells_of(np.int64(s.places[target, ship]), np.int64(s.width))
    for i in range(LENGTHS[ship]):
        if s.marks[target, start + i * step] != HIT:
            return
    for i in range(LENGTHS[ship]):
        s.marks[target, start + i * step] = SUNK + ship


@rule
def fleet_cells(s):
    total = 0
    for ship in range(FLEET - np.int64(s.ships), FLEET):
        total += LENGTHS[ship]
    return total


@rule
def payoff(s, out):
    out[s.winner] = 1.0
    out[1 - s.winner] = -1.0


@rule
def observe(s, seat, view):
    view.width = s.width
    view.ships = s.ships
    view.mover = s.mover
    view.winner = s.winner
    for who in range(2):
        view.placed[who] = s.placed[who]
        view.hits[who] = s.hits[who]
        view.fired[who] = s.fired[who]
        for cell in range(CELLS):
            view.marks[who, cell] = s.marks[who, cell]
            view.shots[who, cell] = s.shots[who, cell]
    for ship in range(FLEET):
        view.places[ship] = s.places[seat, ship]


@rule
def evaluate(s, out):
    """Cells of the other's fleet hit, less cells of one's own."""
    out[0] = (s.hits[1] - s.hits[0]) / (fleet_cells(s) + 1.0)
    out[1] = -out[0]


@rule
def measure(s, out):
    loser = 1 - np.int64(s.winner)
    shots = 0
    for cell in range(CELLS):
        if s.marks[loser, cell] != UNKNOWN:
            shots += 1
    out[0] = shots


@rule
def redeal(s, seat, rng):
    """All that is hidden is where the other's ships lie that have not been sunk."""
    other = 1 - seat
    afloat = np.empty(FLEET, np.int64)
    n = ships_afloat(s, other, afloat)
    if n > 0:
        places = np.empty(FLEET, np.int64)
        draw_fleet(s.marks[other], np.int64(s.width), afloat, n, TRIES, rng, places)
        for i in range(n):
            s.places[other, afloat[i]] = places[i]


@rule
def rewind(s, first, actions):
    """All ships of seat 0, the largest first, those of seat 1, and then the shots in turn."""
    copy(first, s)
    begin(first)
    n = 0
    for seat in range(2):
        for ship in range(FLEET):
            if s.places[seat, ship] != NOWHERE:
                actions[n] = s.places[seat, ship]
                n += 1
    for shot in range(s.fired[0] + s.fired[1]):
        actions[n] = s.shots[shot % 2, shot // 2]
        n += 1
    return n


@rule
def ships_afloat(s, seat, out):
    """The ships of a seat that are placed and not sunk."""
    n = 0
    for ship in range(FLEET):
        place = np.int64(s.places[seat, ship])
        if place != NOWHERE:
            start, _ = cells_of(place, np.int64(s.width))
            if s.marks[seat, start] != SUNK + ship:
                out[n] = ship
                n += 1
    return n


def action_name(s: np.record, action: int) -> str:
    width, placed = int(s["width"]), s["placed"].tolist()
    if placed[1] == s["ships"]:
        return cell_name(action, width)
    ship = FLEET - s["ships"] + placed[s["mover"]]
    down, start = divmod(action, width * width)
    return Text("{ship} {cell} {way}", ship=NAMES[ship], cell=cell_name(start, width), way=DOWN if down else ACROSS)


def cell_name(cell: int, width: int) -> str:
    return f"{COLUMNS[cell % width]}{cell // width + 1}"


def heard(s: np.record, action: int, seat: int) -> str:
    """Shots and their answers are public; where a ship is placed is not."""
    mover, target = int(s.mover), 1 - int(s.mover)
    if placing(s):
        return action_name(s, action) if seat == mover else Text("places the {ship}", ship=NAMES[next_ship(s, mover)])
    after = np.array([s]).view(np.recarray)[0]
    shoot(after, target, action)
    mark = int(after.marks[target, action])
    answer = Text("sinks the {ship}", ship=NAMES[mark - SUNK]) if mark >= SUNK else SEEN[mark]
    return Text("{cell}: {answer}", cell=action_name(s, action), answer=answer)


def tells_nothing(s: np.record, action: int) -> bool:
    """A ship that is placed; every shot is answered."""
    return bool(placing(s))


def show(view: np.record, seat: int) -> str:
    """One's own sea beside the other's. A ship is drawn with its first letter, the cruiser with an R."""
    width = int(view.width)
    head = "   " + " ".join(COLUMNS[:width])
    mine, theirs = Text("Your fleet"), Text("The other's")
    between = " " * (2 * width + 6 - len(mine))
    lines: list[str] = [Text.joined("", [mine, between, theirs]), f"{head:<{2 * width + 6}}{head}"]
    for row in range(width):
        cells = range(row * width, row * width + width)
        left = " ".join(own_sign(view, seat, cell) for cell in cells)
        right = " ".join(mark_sign(view.marks[1 - seat, cell]) for cell in cells)
        lines.append(f"{row + 1:>2} {left:<{2 * width + 3}}{row + 1:>2} {right}")
    lines += [
        "",
        Text("o miss, x hit; the other's ships show their letters when sunk, yours small ones"),
        Text(
            "You have sunk: {theirs}. You have lost: {ours}.",
            theirs=sunk(view.marks[1 - seat]),
            ours=sunk(view.marks[seat]),
        ),
    ]
    return Text.joined("\n", lines)


def letter(ship: int) -> str:
    return "R" if NAMES[ship] == "cruiser" else NAMES[ship][0].upper()


def mark_sign(mark: int) -> str:
    return ".ox"[mark] if mark < SUNK else letter(mark - SUNK)


def own_sign(view: np.record, seat: int, cell: int) -> str:
    mark = view.marks[seat, cell]
    if mark != UNKNOWN:
        return mark_sign(mark).lower()
    for ship in range(FLEET):
        if view.places[ship] != NOWHERE and covers(int(view.places[ship]), ship, cell, int(view.width)):
            return letter(ship)
    return "."


def sunk(marks: Any) -> str:
    names = [name for ship, name in enumerate(NAMES) if (marks == SUNK + ship).any()]
    return Text.joined(", ", names) if names else Text("nothing")


def picture(view: np.record, seat: int) -> Picture:
    nowhere = [NOWHERE] * FLEET
    return seas(view, (view.places, nowhere) if seat == 0 else (nowhere, view.places), seat)


def open_picture(s: np.record, seat: int) -> Picture:
    return seas(s, s.places, seat)


def seas(s: np.record, places: Any, seat: int) -> Picture:
    """Both seas, with what is known of the ships; `places` by seat."""
    drawn: Picture = {
        "mine": sea(s, places[seat], seat, Text("your sea")),
        "theirs": sea(s, places[1 - seat], 1 - seat, Text("the other's sea")),
    }
    if placing(s) and s.mover == seat:
        ship = int(next_ship(s, seat))
        drawn["next"] = note(
            Text("Place the {ship}, {n} cells: its top left end.", ship=NAMES[ship], n=LENGTHS[ship])
        )
    else:
        drawn["afloat"] = amounts(
            Text("afloat"), {Text("your ships"): afloat(s, seat), Text("the other's ships"): afloat(s, 1 - seat)}
        )
    return drawn


def sea(s: np.record, places: Any, owner: int, title: str) -> Board:
    width = int(s.width)
    ships: dict[int, int | None] = {}
    for ship, start in enumerate(places):
        if start != NOWHERE:
            first, step = cells_of(int(start), width)
            ships |= {int(first) + i * int(step): ship for i in range(LENGTHS[ship])}
    cells = []
    for i in range(width * width):
        seen = int(s.marks[owner, i])
        shape = "sunk" if seen >= SUNK else ("", "miss", "hit")[seen]
        there_is = ships.get(i, seen - SUNK if seen >= SUNK else None)
        there = Text("water") if there_is is None else NAMES[there_is]
        what = Text("sunk") if seen >= SUNK else SEEN[seen] or there
        words = Text("{sea} {cell}, {what}", sea=title, cell=cell_name(i, width), what=what)
        cells.append(
            board_cell(sea_cell(owner, i, width), shape or ("" if there_is is None else "ship"), owner, words)
        )
    return board(cells, width, title, "sea", COLUMNS[:width], [str(row + 1) for row in range(width)])


def sea_cell(owner: int, i: int, width: int) -> str:
    """The name of a cell among those of both seas."""
    return f"{owner} {cell_name(i, width)}"


def afloat(s: np.record, owner: int) -> str:
    ships = range(FLEET - int(s.ships), FLEET)
    names = [NAMES[ship] for ship in ships if not (s.marks[owner] == SUNK + ship).any()]
    return Text.joined(", ", names) if names else Text("none")


def facts(s: np.record, seat: int) -> dict[str, str]:
    """Where the ships of the other lie that are not sunk."""
    width, other = int(s.width), 1 - seat
    found = {}
    for ship in range(FLEET):
        if s.places[other, ship] != NOWHERE:
            first, step = cells_of(int(s.places[other, ship]), width)
            for i in range(LENGTHS[ship]):
                at = int(first) + i * int(step)
                if s.marks[other, at] == UNKNOWN:
                    found[sea_cell(other, at, width)] = NAMES[ship]
    return found


def verb_and_objects(s: np.record, action: int, seat: int) -> tuple[str, list[str]]:
    """Shots are open; where a ship is placed only its owner knows."""
    mover, width = int(s.mover), int(s.width)
    if not placing(s):
        return Text("shoot"), [sea_cell(1 - mover, action, width)]
    down, start = divmod(action, width * width)
    return (DOWN if down else ACROSS, [sea_cell(mover, start, width)]) if seat == mover else ("", [])


def outcome(s: np.record) -> str:
    loser = 1 - int(s.winner)
    shots = int((s.marks[loser] != UNKNOWN).sum())
    return Text("the whole fleet of {who} is sunk, with {n} shots", who=Seat(loser), n=shots)


def refusal(s: np.record, action: int) -> str:
    width, mover = int(s.width), int(s.mover)
    if placing(s):
        return refused_place(s, action)
    if action >= width * width:
        return Text("the sea has {n} rows", n=width)
    return Text("you have shot there already") if s.marks[1 - mover, action] != UNKNOWN else ""


def refused_place(s: np.record, place: int) -> str:
    """Why the next ship cannot be placed there."""
    width, mover = int(s.width), int(s.mover)
    ship = int(next_ship(s, mover))
    down, start = divmod(place, width * width)
    if down > 1:
        return Text("the sea has {n} rows and columns", n=width)
    row, column = divmod(start, width)
    if (row if down else column) + LENGTHS[ship] > width:
        return Text("the {ship} has {n} cells and would reach beyond the sea", ship=NAMES[ship], n=LENGTHS[ship])
    cells = [start + i * (width if down else 1) for i in range(LENGTHS[ship])]
    for other, name in enumerate(NAMES[:ship]):
        lies = int(s.places[mover, other])
        if lies != NOWHERE and any(covers(lies, other, cell, width) for cell in cells):
            return Text("your {ship} lies there", ship=name)
    return ""


GAME = define(
    "battleship",
    title=Text("Battleships"),
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal, rewind, evaluate, measure),
    people=(
        action_name,
        show,
        picture,
        open_picture,
        facts,
        verb_and_objects,
        configure,
        heard,
        tells_nothing,
        outcome,
        refusal,
    ),
    all_actions=2 * CELLS,
    most_actions=2 * LARGEST * (LARGEST - 1),
    longest=2 * FLEET + 2 * CELLS,
    hidden=True,
    metrics=(Text("shots of the winner"),),
    options={
        "size": Setting(10, Text("rows and columns"), low=6, high=10),
        "ships": Setting(5, Text("how many ships, the smallest of the fleet"), low=1, high=5),
    },
    extras=(
        SearchDefaults(depth=1),
        Opponents(
            (
                Opponent(Text("Beginner"), "random", Text("shoots anywhere")),
                Opponent(Text("Hunter"), "ismcts:simulations=300", Text("imagines where your ships may lie")),
                Opponent(Text("Strong"), "ismcts:simulations=3000", Text("the same, with ten times the patience")),
            )
        ),
    ),
)
