"""Treasure: on one of four islands lies a chest. Both players know a clue; who digs it up wins.

A game of somebody's own, which no screen knows: its picture has a board, a card, chances and a map.
"""

from hiddenhand.author import (
    OVER,
    amounts,
    below,
    board,
    board_cell,
    cards,
    chances,
    define,
    map_mark,
    map_place,
    places,
    record_type,
    rule,
    shown_card,
)

ISLANDS = ("north", "east", "south", "west")
AT = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))
NOWHERE = -1
SEEN = [("clue", "i8"), ("dug", "i1", (4,)), ("mover", "i8"), ("found", "i8")]
STATE = record_type([*SEEN, ("chest", "i8")])
VIEW = record_type(SEEN)


@rule
def deal(s, rng):
    s.chest = below(rng, 4)
    s.clue = s.chest % 2
    for island in range(4):
        s.dug[island] = 0
    s.mover = 0
    s.found = NOWHERE


@rule
def turn(s):
    return OVER if s.found != NOWHERE else s.mover


@rule
def legal(s, out):
    n = 0
    for island in range(4):
        if s.dug[island] == 0:
            out[n] = island
            n += 1
    return n


@rule
def play(s, action, rng):
    s.dug[action] = 1
    if action == s.chest:
        s.found = action
    else:
        s.mover = 1 - s.mover


@rule
def payoff(s, out):
    out[s.mover] = 1.0
    out[1 - s.mover] = -1.0


@rule
def observe(s, seat, view):
    view.clue = s.clue
    view.mover = s.mover
    view.found = s.found
    for island in range(4):
        view.dug[island] = s.dug[island]


@rule
def redeal(s, seat, rng):
    if s.found != NOWHERE:
        return
    left = 0
    for island in range(4):
        if s.dug[island] == 0 and island % 2 == s.clue:
            left += 1
    chosen = below(rng, left)
    for island in range(4):
        if s.dug[island] == 0 and island % 2 == s.clue:
            if chosen == 0:
                s.chest = island
            chosen -= 1


def action_name(s, action):
    return ISLANDS[action]


def show(view, seat):
    return "\n".join(f"{name}: {'dug up' if view.dug[i] else 'untouched'}" for i, name in enumerate(ISLANDS))


def likely(view):
    """How likely the chest is on each island."""
    if view.found != NOWHERE:
        return {name: float(i == view.found) for i, name in enumerate(ISLANDS)}
    open_ones = [i for i in range(4) if not view.dug[i] and i % 2 == view.clue]
    return {name: 1 / len(open_ones) if i in open_ones else 0.0 for i, name in enumerate(ISLANDS)}


def picture(view, seat):
    chance = likely(view)
    signs = ["" if not view.dug[i] else "hit" if view.found == i else "miss" for i in range(4)]
    clue = "a bay to the side" if view.clue else "a bay ahead"
    chests = {name: [map_mark("shield", f"chest {share:.0%}", share)] for name, share in chance.items() if share}
    islands = [map_place(name, AT[i], chests.get(name, [])) for i, name in enumerate(ISLANDS)]
    return {
        "board": board([board_cell(name, signs[i]) for i, name in enumerate(ISLANDS)], 2, "the sand", look="sea"),
        "clue": cards("the clue", [shown_card("A", suit="♠", words=clue)]),
        "chances": chances("where the chest is", chance),
        "map": places("the islands", islands, [("north", "east"), ("south", "west")]),
        "dug": amounts("", {"dug up": int(view.dug.sum())}),
    }


def verb_and_objects(s, action, seat):
    return "dig", [ISLANDS[action]]


GAME = define(
    "treasure",
    title="Treasure",
    about=__doc__,
    state=STATE,
    view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal),
    people=(action_name, show, picture, verb_and_objects),
    hidden=True,
    chance=("deal",),
    most_actions=4,
    longest=4,
)
