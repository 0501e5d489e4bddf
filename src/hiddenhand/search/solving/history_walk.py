"""From the rules of a game to its sequence form: a walk through all its histories.

Depth first, with an explicit stack: every information set is met, and every finished history is noted with the last
sequences of all seats. Perfect recall is checked on the way. What is found grows in arrays that are doubled when they
are full; a game that would need more memory than it may have is refused with the number.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.kernel import CHANCE, OVER, assign, below, copy, digest, generic, new_records, rule, stream
from hiddenhand.kernel.contract import legal, observe, odds, payoff, play, turn
from hiddenhand.kernel.records import slot_of
from hiddenhand.search.game_tree import rooted
from hiddenhand.search.solving.sequence_form import Floats, FormArrays, Integers, SequenceForm

SINGLE_PRECISION_FROM = 1 << 26
"""With so many finished histories their payoffs are kept in single precision, to halve the memory."""
UNKNOWN_MEMORY = 4 << 30
MOST_ESTIMATED = 1e99
FEW = 2_000_000
"""So many finished histories are walked through before it is asked how many there are."""
TRIES = 1000
"""Histories that are drawn for an estimate of their number."""
MOST_ROOTS = 10_000
"""The moves of chance at the beginning are followed one by one while there are fewer states than these."""
MOST_STATES = 1 << 20
"""With more information sets no example of a state is kept for each."""

# what `walk` can come back with
FINISHED, NEEDS_ROOM, HIDDEN_CHANCE, TOO_DEEP, FORGETS, UNEQUAL_ACTIONS = 0, 1, 2, 3, 4, 5


class Path(NamedTuple):
    """The history that the walk stands at; one entry for each ply of it."""

    states: Any
    actions: Integers  # [plies, most actions]
    counts: Integers
    tried: Integers
    movers: Integers
    slots: Integers  # the first sequence of the information set
    reach: Floats  # the odds of chance so far
    last: Integers  # [plies, players]: the last sequence of every seat
    chances: Floats  # [plies, most actions]
    seen: Any  # a view
    gains: Floats
    rng: np.ndarray[Any, Any]
    cursor: Integers  # ply, whether it is new, information sets, sequences, histories, the fault's information set


class WalkResult(NamedTuple):
    """What the walk has found so far. It is enlarged when it is full."""

    table: np.ndarray[Any, Any]  # uint64[power of two]: keys, by their place
    numbers: np.ndarray[Any, Any]  # int32, beside it: the information sets
    keys: np.ndarray[Any, Any]  # of every information set, and so on
    owner: np.ndarray[Any, Any]
    above: np.ndarray[Any, Any]
    first: Integers
    views: Any
    states: Any
    choice: np.ndarray[Any, Any]  # of every sequence: the action
    last: np.ndarray[Any, Any]  # int32[histories, players]
    chance: np.ndarray[Any, Any]  # [histories]
    pays: np.ndarray[Any, Any]  # [histories, players]


DEPTH, ARRIVING, INFOS, SEQUENCES, HISTORIES, FAULT = range(6)


@generic
def count_histories(path, limit):
    """How many finished histories there are; stops beyond `limit`. TOO_DEEP, negated, if one is longer than the
    game says."""
    states, actions, counts, tried = path.states, path.actions, path.counts, path.tried
    total, d = 0, 0
    if turn(states[0]) == OVER:
        return 1
    counts[0] = legal(states[0], actions[0])
    tried[0] = 0
    while d >= 0 and total <= limit:
        if tried[d] == counts[d]:
            d -= 1
            continue
        copy(states[d + 1], states[d])
        play(states[d + 1], actions[d, tried[d]], path.rng)
        tried[d] += 1
        if turn(states[d + 1]) == OVER:
            total += 1
            continue
        if d + 2 == len(states):
            return -TOO_DEEP
        d += 1
        counts[d] = legal(states[d], actions[d])
        tried[d] = 0
    return total


@generic
def estimate_histories(path, tries, rng):
    """How many finished histories there are, about: of a history drawn at random, the product of the numbers of
    actions is right on average (D. Knuth, "Estimating the efficiency of backtrack programs", 1975)."""
    states, total = path.states, 0.0
    for _ in range(tries):
        d, product = 0, 1.0
        while turn(states[d]) != OVER and d + 1 < len(states):
            n = legal(states[d], path.actions[d])
            product *= n
            copy(states[d + 1], states[d])
            play(states[d + 1], path.actions[d, below(rng, n)], path.rng)
            d += 1
        total += product
    return total / tries


@generic
def walk(path, found):
    """Depth first through all histories: every information set, and every finished history with its sequences."""
    states, actions, cursor, untouched = path.states, path.actions, path.cursor, path.rng[0]
    d, arriving = cursor[DEPTH], cursor[ARRIVING] == 1
    while d >= 0:
        if arriving:
            fault = NEEDS_ROOM if full(found, cursor, actions.shape[1]) else arrive(path, found, d)
            if fault != FINISHED:
                cursor[DEPTH] = d
                cursor[ARRIVING] = 1
                return fault
            arriving = False
        i, mover = path.tried[d], path.movers[d]
        if i == path.counts[d]:
            d -= 1
            continue
        path.tried[d] += 1
        if mover == CHANCE and path.chances[d, i] == 0.0:
            continue
        if d + 1 == len(states):
            return TOO_DEEP
        copy(states[d + 1], states[d])
        play(states[d + 1], actions[d, i], path.rng)
        if path.rng[0] != untouched:
            return HIDDEN_CHANCE
        path.reach[d + 1] = path.reach[d] * (path.chances[d, i] if mover == CHANCE else 1.0)
        for seat in range(path.last.shape[1]):
            path.last[d + 1, seat] = path.slots[d] + i if seat == mover else path.last[d, seat]
        d += 1
        arriving = True
    return FINISHED


@generic
def arrive(path, found, d):
    """A node for the first time: who moves, and what can be done there."""
    mover = turn(path.states[d])
    path.movers[d] = mover
    path.tried[d] = 0
    path.counts[d] = 0
    if mover == OVER:
        note_history(path, found, d)
        return FINISHED
    path.counts[d] = legal(path.states[d], path.actions[d])
    if mover == CHANCE:
        odds(path.states[d], path.chances[d])
        return FINISHED
    return note_decision(path, found, d, mover)


@rule
def full(found, cursor, most):
    """Whether another node might find no room."""
    return (
        cursor[INFOS] == len(found.keys)
        or 2 * cursor[INFOS] >= len(found.table)
        or cursor[SEQUENCES] + most > len(found.choice)
        or cursor[HISTORIES] == len(found.chance)
    )


@generic
def note_history(path, found, d):
    """A finished history: its last sequences, its odds and what it pays."""
    n = path.cursor[HISTORIES]
    path.cursor[HISTORIES] += 1
    payoff(path.states[d], path.gains)
    found.chance[n] = path.reach[d]
    for seat in range(len(path.gains)):
        found.last[n, seat] = path.last[d, seat]
        found.pays[n, seat] = path.gains[seat]


@generic
def note_decision(path, found, d, mover):
    """A decision: its information set, which is new, or must be as it was before."""
    observe(path.states[d], mover, path.seen[0])
    key = digest(path.seen[0], mover)
    if key == np.uint64(0):
        key = np.uint64(1)
    place, count = slot_of(found.table, key), path.counts[d]
    if found.table[place] == np.uint64(0):
        info, first = path.cursor[INFOS], path.cursor[SEQUENCES]
        found.table[place] = key
        found.numbers[place] = info
        found.keys[info] = key
        found.owner[info] = mover
        found.above[info] = path.last[d, mover]
        found.first[info] = first
        copy(found.views[info], path.seen[0])
        if info < len(found.states):
            copy(found.states[info], path.states[d])
        for i in range(count):
            found.choice[first + i] = path.actions[d, i]
        path.cursor[INFOS] += 1
        path.cursor[SEQUENCES] += count
        found.first[info + 1] = first + count
    info = np.int64(found.numbers[place])
    path.slots[d] = found.first[info]
    path.cursor[FAULT] = info
    if found.above[info] != path.last[d, mover]:
        return FORGETS
    if found.first[info + 1] - found.first[info] != count:
        return UNEQUAL_ACTIONS
    for i in range(count):
        if found.choice[found.first[info] + i] != path.actions[d, i]:
            return UNEQUAL_ACTIONS
    return FINISHED


def new_path(game: Game) -> Path:
    """Room for the walk, the root in its place."""
    plies, most, players = game.longest + 2, game.most_actions, game.players
    path = Path(
        states=new_records(game.rules.state, plies),
        actions=np.zeros((plies, most), np.int64),
        **{name: np.zeros(plies, np.int64) for name in ("counts", "tried", "movers", "slots")},
        reach=np.ones(plies),
        last=np.zeros((plies, players), np.int64),
        chances=np.zeros((plies, most)),
        seen=new_records(game.rules.view, 1),
        gains=np.zeros(players),
        rng=stream(0),
        cursor=np.array([0, 1, 0, players, 0, -1]),
    )
    path.states[0] = rooted(game)
    path.last[0] = np.arange(players)
    return path


def new_found(game: Game) -> WalkResult:
    infos, histories = 1 << 10, 1 << 12
    return WalkResult(
        table=np.zeros(2 * infos, np.uint64),
        numbers=np.zeros(2 * infos, np.int32),
        keys=np.zeros(infos, np.uint64),
        owner=np.zeros(infos, np.int8),
        above=np.zeros(infos, np.int32),
        first=np.zeros(infos + 1, np.int64),
        views=new_records(game.rules.view, infos),
        states=new_records(game.rules.state, infos),
        choice=np.zeros(infos * 4 + game.most_actions, np.int32),
        last=np.zeros((histories, game.players), np.int32),
        chance=np.zeros(histories),
        pays=np.zeros((histories, game.players)),
    )


def enlarged(found: WalkResult, cursor: Integers, game: Game, expected: int) -> WalkResult:
    """The same with twice the room wherever it is nearly full; for as many histories as are expected."""
    infos, sequences, histories = (int(cursor[i]) for i in (INFOS, SEQUENCES, HISTORIES))
    if 2 * infos >= len(found.table) or infos == len(found.keys):
        size = 2 * len(found.keys)
        table, numbers = np.zeros(2 * size, np.uint64), np.zeros(2 * size, np.int32)
        put_all(table, numbers, found.keys[:infos])
        states = found.states if size > MOST_STATES else longer(found.states, size)
        found = found._replace(
            table=table,
            numbers=numbers,
            states=states,
            first=longer(found.first, size + 1),
            **{name: longer(getattr(found, name), size) for name in ("keys", "owner", "above", "views")},
        )
    if sequences + game.most_actions > len(found.choice):
        found = found._replace(choice=longer(found.choice, 2 * len(found.choice)))
    if histories == len(found.chance):
        size, kind = (expected, number_type(expected)) if expected else (2 * histories, np.float64)
        found = found._replace(
            last=longer(found.last, size),
            chance=longer(found.chance.astype(kind, copy=False), size),
            pays=longer(found.pays.astype(kind, copy=False), size),
        )
    return found


def longer(array: Any, size: int) -> Any:
    """The array with room for more at its end."""
    larger = np.zeros((size, *array.shape[1:]), array.dtype).view(type(array))
    larger[: len(array)] = array
    return larger


@rule
def put_all(table, numbers, keys):
    for i in range(len(keys)):
        place = slot_of(table, keys[i])
        table[place] = keys[i]
        numbers[place] = i


def available_memory() -> int:
    """Bytes that this machine can give to one solver: half of what it has, where it can say that."""
    if not hasattr(os, "sysconf"):
        return UNKNOWN_MEMORY
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def build_sequence_form(game: Game, memory: int | None = None) -> SequenceForm:
    """The sequence form of a game whose chance moves are all explicit, by a walk through all its histories."""
    roots = after_the_deal(game)
    path, found, expected, most = new_path(game), new_found(game), 0, memory or available_memory()
    walking = game.rules.bind(walk)
    for state, chance in roots:
        path.states[0], path.reach[0] = state, chance
        path.cursor[DEPTH], path.cursor[ARRIVING] = 0, 1
        fault = walking(path, found)
        while fault == NEEDS_ROOM:
            met = int(path.cursor[HISTORIES])
            if not expected and (met >= FEW or bytes_needed(game, met) > most):
                expected = expected_histories(game, roots, most)
            found = enlarged(found, path.cursor, game, expected)
            fault = walking(path, found)
        if fault != FINISHED:
            raise fault_of(game, fault)
    return numbered(game, path.cursor, found)


def expected_histories(game: Game, roots: list[tuple[np.record, float]], most: int) -> int:
    """How many finished histories there are; a UserError if they need more than `most` bytes."""
    histories = estimated_histories(game)
    if bytes_needed(game, histories) < 10 * most:
        histories = counted_histories(game, roots, most // 16)
    if bytes_needed(game, histories) > most:
        raise UserError(
            "{name} has about {n:.1e} finished histories: its sequence form needs about {needed:.1f} GB of memory, "
            "and {gigabytes:.1f} GB may be used",
            name=game.name,
            n=float(histories),
            needed=bytes_needed(game, histories) / 1e9,
            gigabytes=most / 1e9,
        )
    return int(histories)


def after_the_deal(game: Game) -> list[tuple[np.record, float]]:
    """The states after the moves of chance with which the game begins, and how likely each is; those that are equal
    are one. With two dice a player, 5-3 and 3-5 need not be walked through twice."""
    front: dict[bytes, tuple[np.record, float]] = {b"": (rooted(game), 1.0)}
    rules, rng = game.rules, stream(0)
    actions, chances = np.zeros(game.most_actions, np.int64), np.zeros(game.most_actions)
    while len(front) < MOST_ROOTS and all(rules.turn(state) == CHANCE for state, _ in front.values()):
        after: dict[bytes, tuple[np.record, float]] = {}
        for state, odds_before in front.values():
            count = int(rules.legal(state, actions))
            rules.odds(state, chances)
            for action, share in zip(actions[:count].tolist(), chances[:count].tolist()):
                if share > 0.0:
                    child = new_records(rules.state, 1)[0]
                    assign(child, state)
                    rules.play(child, action, rng)
                    key = child.tobytes()
                    after[key] = child, after.get(key, (child, 0.0))[1] + odds_before * share
        if rng[0] != stream(0)[0]:
            raise fault_of(game, HIDDEN_CHANCE)
        front = after
    return list(front.values())


def counted_histories(game: Game, roots: list[tuple[np.record, float]], limit: int) -> int:
    """How many finished histories there are from these states on; no more are counted than a few above `limit`."""
    path, total = new_path(game), 0
    for state, _ in roots:
        path.states[0] = state
        counted = int(game.rules.bind(count_histories)(path, limit - total))
        if counted == -TOO_DEEP:
            raise too_deep(game)
        total += counted
        if total > limit:
            break
    return total


def bytes_needed(game: Game, histories: float) -> float:
    """The memory that the finished histories take while the sequence form is built, about: first each with the last
    sequences of all seats, then in rows, once for each seat."""
    number = number_type(histories)().itemsize
    a_history = 4 * game.players + number * (1 + game.players) + game.players * (4 * (game.players - 1) + 2 * number)
    return histories * a_history


def number_type(histories: float) -> type[np.floating[Any]]:
    return np.float64 if histories < SINGLE_PRECISION_FROM else np.float32


def estimated_histories(game: Game) -> float:
    return min(float(game.rules.bind(estimate_histories)(new_path(game), TRIES, stream(1))), MOST_ESTIMATED)


def too_deep(game: Game) -> UserError:
    return UserError(
        "{name} can last more than {longest} plies, the `longest` that it declares",
        name=game.name,
        longest=game.longest,
    )


def fault_of(game: Game, fault: int) -> UserError:
    """Why a game has no sequence form."""
    if fault == HIDDEN_CHANCE:
        return UserError(
            "{name} draws at random within a move: its tree needs every draw as a move of chance", name=game.name
        )
    if fault == FORGETS:
        return UserError(
            "the views of {name} forget what their seat saw or did before (imperfect recall): "
            "its tree cannot be solved",
            name=game.name,
        )
    if fault == UNEQUAL_ACTIONS:
        return UserError("{name}: the legal actions of a seat depend on what it cannot see", name=game.name)
    return too_deep(game)


def numbered(game: Game, cursor: Integers, found: WalkResult) -> SequenceForm:
    """The sequence form of what the walk has found, its information sets in the order of their seats."""
    infos, sequences, histories = (int(cursor[i]) for i in (INFOS, SEQUENCES, HISTORIES))
    players, owner = game.players, found.owner[:infos]
    order, start, moved, renamed = by_seat(owner, found.first[: infos + 1], players, sequences)
    actions = np.full(sequences, -1, np.int32)
    actions[players:] = found.choice[moved]
    pays = found.pays[:histories]
    rows = rows_of(renamed[found.last[:histories]], found.chance[:histories], pays, sequences)
    bounds = np.searchsorted(owner[order], np.arange(players + 1))
    no_lists = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0)
    arrays = FormArrays(bounds, start, renamed[found.above[:infos][order]], *rows, *no_lists)
    kept = order if infos <= len(found.states) else order[:0]
    return SequenceForm(
        game=game,
        arrays=arrays,
        keys=found.keys[:infos][order],
        actions=actions,
        views=found.views[:infos][order],
        states=found.states[kept],
        histories=histories,
        zero_sum=bool(np.abs(pays.sum(axis=1)).max(initial=0.0) < 1e-6),
    )


def by_seat(owner: Any, first: Integers, players: int, sequences: int) -> tuple[Any, Integers, Any, Any]:
    """Information sets in the order of their seats: (that order, where their sequences start, the former number of
    every sequence but the empty ones, the new number of every one)."""
    order = np.argsort(owner, kind="stable")
    sizes = np.diff(first)[order]
    start = np.concatenate([[players], players + np.cumsum(sizes)])
    renamed = np.arange(sequences, dtype=np.int32)
    moved = np.repeat(first[:-1][order] - start[:-1], sizes) + np.arange(players, sequences)
    renamed[moved] = np.arange(players, sequences)
    return order, start, moved, renamed


def rows_of(last: Any, odds_of: Floats, pays: Floats, sequences: int) -> tuple[Integers, Any, Any, Any]:
    """The matrix of payoffs in compressed rows: for each seat, all histories in the order of its own sequences."""
    histories, players = last.shape
    row = np.concatenate([[0], np.cumsum(np.bincount(last.ravel(), minlength=sequences))])
    rows = Rows(
        row[:-1].copy(),
        np.empty((players * histories, players - 1), np.int32),
        *np.empty((2, players * histories), number_type(histories)),
    )
    for seat in range(players):
        fill_rows(seat, last, odds_of, pays, rows)
    return row, rows.others, rows.gain, rows.chance


class Rows(NamedTuple):
    """The matrix of payoffs while it is filled; `place` is where the next entry of each row goes."""

    place: Integers
    others: np.ndarray[Any, Any]
    gain: np.ndarray[Any, Any]
    chance: np.ndarray[Any, Any]


@rule
def fill_rows(seat, last, odds_of, pays, rows):
    for n in range(len(last)):
        at = rows.place[last[n, seat]]
        rows.place[last[n, seat]] += 1
        j = 0
        for other in range(last.shape[1]):
            if other != seat:
                rows.others[at, j] = last[n, other]
                j += 1
        rows.chance[at] = odds_of[n]
        rows.gain[at] = odds_of[n] * pays[n, seat]
