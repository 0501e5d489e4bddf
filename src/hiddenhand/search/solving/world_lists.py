"""The sequence form of a game whose histories are too many to walk through: phantom games, and others like them.

What happens in such a game falls into a *world*, what truly happened in public or on the board, and into what every
seat did and learnt in private on the way (`PrivateFields`, which the game declares). Whatever private sequence of seat
0 fits a finished world can come together with whatever sequence of seat 1 fits it, and the payoff depends on the world
alone. So the sum over all finished histories is a sum over worlds of products of two sums,

    payoff = sum over worlds w of payoff(w) * (sum of x0 over the sequences of seat 0 that fit w) * (the same for seat 1)

and blind tic-tac-toe, with 9.8e9 finished histories, has 255,168 finished worlds. (With hands of cards in the place of
sequences this is what M. Johanson and others, "Accelerating best response calculation in large extensive games" (2011),
do on the public tree.)

The sequences that fit a world are a *list*. Worlds share their lists: a list depends only on what its seat did and on
what it met. All worlds are followed step by step, a step being one change of the public part of the state. What an
element of a list can do next is asked of the rules once for each public state and list that come together; a move that
changes nothing in public (a refused attempt) leads to further elements of the same list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import PrivateFields
from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, copy, digest, generic, mix, new_records, rule, stream
from hiddenhand.kernel.contract import legal, observe, payoff, play, turn
from hiddenhand.kernel.records import slot_of
from hiddenhand.search.game_tree import rooted
from hiddenhand.search.solving.sequence_form import (
    UNEQUAL_ACTIONS,
    Arrays,
    SequenceForm,
    by_seat,
    longer,
    put_all,
    rows_of,
)
from hiddenhand.search.solving.sequence_form import FORGETS as FORGETS_VIEW
from hiddenhand.search.solving.sequence_form import fault_of as sequence_fault

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

DONE, FULL, FORGETS, UNEQUAL, NOT_PRIVATE = 0, 1, 2, 3, 4
NEVER = -1


class Scratch(NamedTuple):
    """One state to try moves on, and its bytes, which share its memory."""

    state: Any
    bytes: Bytes  # [1, size of a state]
    private: np.ndarray[Any, Any]  # int64[seats, width]: the places of each seat's private bytes
    before: Bytes  # [width]
    seen: Any
    actions: np.ndarray[Any, Any]
    gains: np.ndarray[Any, Any]
    rng: np.ndarray[Any, Any]
    cursor: np.ndarray[Any, Any]  # int64: see below


class Table(NamedTuple):
    """Numbers by fingerprints."""

    keys: np.ndarray[Any, Any]  # uint64[power of two]
    numbers: np.ndarray[Any, Any]  # int32


class Cores(NamedTuple):
    """Public states: states without anybody's private fields."""

    table: Table
    bytes: Bytes  # [cores, size]
    mover: np.ndarray[Any, Any]  # int8
    pays: np.ndarray[Any, Any]  # float64: what seat 0 gets where the game is over


class Infos(NamedTuple):
    """Information sets and their sequences."""

    table: Table
    keys: np.ndarray[Any, Any]
    owner: np.ndarray[Any, Any]
    above: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    choice: np.ndarray[Any, Any]
    views: Any


class Lists(NamedTuple):
    """Lists of elements: a sequence, and the private bytes that its seat has then."""

    table: Table
    begin: np.ndarray[Any, Any]  # int64[lists + 1]
    sequence: np.ndarray[Any, Any]  # int32[elements]
    private: Bytes  # uint8[elements, width]


class Steps(NamedTuple):
    """Where each pair of a public state and a list leads."""

    begin: np.ndarray[Any, Any]  # int64[pairs + 1]
    core: np.ndarray[Any, Any]  # int32[steps]
    list: np.ndarray[Any, Any]  # int32[steps]


class Work(NamedTuple):
    """Room for one pair: the elements with their silent moves, and what the others lead to, each with its core."""

    sequence: np.ndarray[Any, Any]
    private: Bytes
    core: np.ndarray[Any, Any]
    next_sequence: np.ndarray[Any, Any]
    next_private: Bytes


# places of the cursor
CORES, INFOS, SEQUENCES, LISTS, ELEMENTS, STEPS, FAULT = range(7)


@rule
def compose(scratch, core, seat, private):
    """The state of a public part and of one seat's private bytes; those of others stay empty."""
    for i in range(len(core)):
        scratch.bytes[0, i] = core[i]
    for i in range(len(private)):
        scratch.bytes[0, scratch.private[seat, i]] = private[i]


@rule
def strip(scratch, seat, private):
    """Take the private bytes out of the state: those of the seat are kept, everybody's are emptied."""
    for i in range(len(private)):
        private[i] = scratch.bytes[0, scratch.private[seat, i]]
    for other in range(len(scratch.private)):
        for i in range(len(private)):
            scratch.bytes[0, scratch.private[other, i]] = 0


@generic
def core_number(scratch, cores):
    """The number of the public state that lies in the scratch, which may be new."""
    key = digest(scratch.state[0], 7)
    if key == np.uint64(0):
        key = np.uint64(1)
    place = slot_of(cores.table.keys, key)
    if cores.table.keys[place] == np.uint64(0):
        number = scratch.cursor[CORES]
        cores.table.keys[place] = key
        cores.table.numbers[place] = number
        for i in range(cores.bytes.shape[1]):
            cores.bytes[number, i] = scratch.bytes[0, i]
        mover = turn(scratch.state[0])
        cores.mover[number] = mover
        if mover == OVER:
            payoff(scratch.state[0], scratch.gains)
            cores.pays[number] = scratch.gains[0]
        scratch.cursor[CORES] += 1
    return np.int64(cores.table.numbers[place])


@generic
def info_number(scratch, infos, seat, above, count):
    """The information set that the seat to move sees in the scratch, which may be new; negated, less 1: a fault."""
    observe(scratch.state[0], seat, scratch.seen[0])
    key = digest(scratch.seen[0], seat)
    if key == np.uint64(0):
        key = np.uint64(1)
    place = slot_of(infos.table.keys, key)
    if infos.table.keys[place] == np.uint64(0):
        number, first = scratch.cursor[INFOS], scratch.cursor[SEQUENCES]
        infos.table.keys[place] = key
        infos.table.numbers[place] = number
        infos.keys[number] = key
        infos.owner[number] = seat
        infos.above[number] = above
        infos.first[number] = first
        infos.first[number + 1] = first + count
        for i in range(count):
            infos.choice[first + i] = scratch.actions[i]
        copy(infos.views[number], scratch.seen[0])
        scratch.cursor[INFOS] += 1
        scratch.cursor[SEQUENCES] += count
    number = np.int64(infos.table.numbers[place])
    if infos.above[number] != above:
        return -1 - FORGETS
    first = infos.first[number]
    if infos.first[number + 1] - first != count:
        return -1 - UNEQUAL
    for i in range(count):
        if infos.choice[first + i] != scratch.actions[i]:
            return -1 - UNEQUAL
    return number


@generic
def expand_pairs(pairs, scratch, cores, infos, old, new, steps, work):
    """Where each pair (core, list) leads: new lists for the seat that moves. Goes on from pair FAULT + 1 on; stops where
    some room is full, with that pair not begun."""
    for pair in range(scratch.cursor[FAULT], len(pairs)):
        scratch.cursor[FAULT] = pair
        if no_room(scratch, cores, infos, new, steps, work):
            return FULL
        core, which = pairs[pair, 0], pairs[pair, 1]
        found = follow(core, which, scratch, cores, infos, old, work)
        if found < 0:
            return -1 - found
        steps.begin[pair] = scratch.cursor[STEPS]
        collect(found, scratch, new, steps, work)
        steps.begin[pair + 1] = scratch.cursor[STEPS]
    return DONE


@rule
def no_room(scratch, cores, infos, new, steps, work):
    """Whether another pair might find no room: it has as many elements at most as `work` holds."""
    most, cursor = len(work.sequence), scratch.cursor
    return (
        cursor[INFOS] + most > len(infos.keys)
        or cursor[SEQUENCES] + most * len(scratch.actions) > len(infos.choice)
        or cursor[ELEMENTS] + len(work.core) > len(new.sequence)
        or cursor[LISTS] + len(work.core) > len(new.begin) - 2
        or cursor[STEPS] + len(work.core) > len(steps.core)
        or cursor[CORES] + len(work.core) > len(cores.mover)
    )


@generic
def follow(core, which, scratch, cores, infos, old, work):
    """Ask the rules what every element of a list can do in a core: fills work.core and what stands beside it; returns
    how many, or a fault."""
    seat = np.int64(cores.mover[core])
    count = 0
    if old.begin[which + 1] - old.begin[which] > len(work.sequence):
        return -1 - FULL
    for e in range(old.begin[which], old.begin[which + 1]):
        work.sequence[count] = old.sequence[e]
        work.private[count] = old.private[e]
        count += 1
    at, found = 0, 0
    while at < count:
        compose(scratch, cores.bytes[core], seat, work.private[at])
        if turn(scratch.state[0]) != seat:
            return -1 - NOT_PRIVATE
        n = legal(scratch.state[0], scratch.actions)
        info = info_number(scratch, infos, seat, work.sequence[at], n)
        if info < 0:
            return info
        for i in range(n):
            compose(scratch, cores.bytes[core], seat, work.private[at])
            play(scratch.state[0], scratch.actions[i], scratch.rng)
            strip(scratch, seat, scratch.before)
            next_core = core_number(scratch, cores)
            if count == len(work.sequence) or found == len(work.core):
                return -1 - FULL
            if next_core == core:
                work.sequence[count] = infos.first[info] + i
                work.private[count] = scratch.before
                count += 1
            else:
                work.core[found] = next_core
                work.next_sequence[found] = infos.first[info] + i
                work.next_private[found] = scratch.before
                found += 1
        at += 1
    return found


@rule
def collect(found, scratch, new, steps, work):
    """Put what leads to the same core together, as a list that may be known already."""
    first = scratch.cursor[STEPS]
    for e in range(found):
        known = False
        for step in range(first, scratch.cursor[STEPS]):
            known = known or steps.core[step] == work.core[e]
        if known:
            continue
        core, key, size = work.core[e], np.uint64(0), 0
        for other in range(e, found):
            if work.core[other] == core:
                key += mix(np.uint64(work.next_sequence[other]))
                size += 1
        key = mix(key + np.uint64(size))
        if key == np.uint64(0):
            key = np.uint64(1)
        place = slot_of(new.table.keys, key)
        if new.table.keys[place] == np.uint64(0):
            number, at = scratch.cursor[LISTS], scratch.cursor[ELEMENTS]
            new.table.keys[place] = key
            new.table.numbers[place] = number
            for other in range(e, found):
                if work.core[other] == core:
                    new.sequence[at] = work.next_sequence[other]
                    new.private[at] = work.next_private[other]
                    at += 1
            new.begin[number + 1] = at
            scratch.cursor[ELEMENTS] = at
            scratch.cursor[LISTS] += 1
        steps.core[scratch.cursor[STEPS]] = core
        steps.list[scratch.cursor[STEPS]] = new.table.numbers[place]
        scratch.cursor[STEPS] += 1


# ---- the driver


class Growing:
    """All that is found, in arrays with some room left; the tables have twice as many places as there is room."""

    def __init__(self, game: Game, width: int) -> None:
        self.game, self.width = game, width
        state, view = game.rules.state, game.rules.view
        self.cores = Cores(table_for(1 << 12), np.zeros((1 << 12, state.itemsize), np.uint8), *cores_of(1 << 12))
        size = 1 << 16
        self.infos = Infos(
            table_for(size),
            np.zeros(size, np.uint64),
            np.zeros(size, np.int8),
            np.zeros(size, np.int32),
            np.full(size + 1, game.players, np.int64),
            np.zeros(4 * size, np.int32),
            new_records(view, size),
        )
        self.lists = [new_lists(1 << 10, 1 << 12, width) for _ in range(2)]
        self.steps = Steps(np.zeros(1, np.int64), *np.zeros((2, 1 << 12), np.int32))
        self.work = new_work(1 << 8, width)

    def enlarge(self, scratch: Scratch, new: Lists) -> Lists:
        """Twice the room wherever another pair might find none; returns the new lists."""
        cursor, most, found = scratch.cursor, len(self.work.sequence), len(self.work.core)
        if not no_room(scratch, self.cores, self.infos, new, self.steps, self.work):
            self.work = new_work(2 * most, self.width)
            return new
        if cursor[INFOS] + most > len(self.infos.keys):
            size = 2 * len(self.infos.keys)
            infos = self.infos
            grown = [longer(getattr(infos, name), size) for name in ("keys", "owner", "above")]
            table = table_of(infos.keys[: cursor[INFOS]], size)
            first, views = longer(infos.first, size + 1), longer(infos.views, size)
            self.infos = Infos(table, *grown, first, infos.choice, views)
        if cursor[SEQUENCES] + most * len(scratch.actions) > len(self.infos.choice):
            self.infos = self.infos._replace(choice=longer(self.infos.choice, 2 * len(self.infos.choice)))
        if cursor[CORES] + found > len(self.cores.mover):
            size, cores = 2 * len(self.cores.mover), self.cores
            keys = cores.table.keys[cores.table.keys != 0]
            numbers = cores.table.numbers[cores.table.keys != 0]
            ordered = np.empty_like(keys)
            ordered[numbers] = keys
            grown = [longer(getattr(cores, name), size) for name in ("bytes", "mover", "pays")]
            self.cores = Cores(table_of(ordered, size), *grown)
        if cursor[STEPS] + found > len(self.steps.core):
            size, steps = 2 * len(self.steps.core) + found, self.steps
            self.steps = Steps(steps.begin, longer(steps.core, size), longer(steps.list, size))
        if cursor[ELEMENTS] + found > len(new.sequence):
            size = 2 * len(new.sequence) + found
            new = new._replace(sequence=longer(new.sequence, size), private=longer(new.private, size))
        if cursor[LISTS] + found > len(new.begin) - 2:
            size = 2 * len(new.begin) + found
            keys, numbers = (column[new.table.keys != 0] for column in new.table)
            ordered = np.empty_like(keys)
            ordered[numbers] = keys
            new = new._replace(table=table_of(ordered, size), begin=longer(new.begin, size + 2))
        return new


def table_for(size: int) -> Table:
    """An empty table for so many numbers."""
    places = 1 << (2 * size - 1).bit_length()
    return Table(np.zeros(places, np.uint64), np.zeros(places, np.int32))


def table_of(keys: Any, size: int) -> Table:
    table = table_for(size)
    put_all(table.keys, table.numbers, keys)
    return table


def cores_of(size: int) -> tuple[Any, Any]:
    return np.zeros(size, np.int8), np.zeros(size)


def new_lists(lists: int, elements: int, width: int) -> Lists:
    return Lists(
        table_for(lists),
        np.zeros(lists + 2, np.int64),
        np.zeros(elements, np.int32),
        np.zeros((elements, width), np.uint8),
    )


def new_work(size: int, width: int) -> Work:
    return Work(
        np.zeros(size, np.int32),
        np.zeros((size, width), np.uint8),
        np.zeros(4 * size, np.int32),
        np.zeros(4 * size, np.int32),
        np.zeros((4 * size, width), np.uint8),
    )


def private_places(game: Game) -> np.ndarray[Any, Any]:
    """Where each seat's private bytes lie in a state: int64[seats, width]."""
    names, state = game.extra(PrivateFields).names, game.rules.state
    places: list[list[int]] = [[] for _ in range(game.players)]
    for name in names:
        kind, offset = state.fields[name][:2]
        size = kind.itemsize // game.players
        for seat in range(game.players):
            places[seat] += range(offset + seat * size, offset + (seat + 1) * size)
    return np.array(places, np.int64)


class Worlds:
    """All worlds of a game, level by level."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.private = private_places(game)
        width = self.private.shape[1]
        self.found = Growing(game, width)
        state = new_records(game.rules.state, 1)
        self.scratch = Scratch(
            state,
            state.view(np.uint8).reshape(1, -1),
            self.private,
            np.zeros(width, np.uint8),
            new_records(game.rules.view, 1),
            np.zeros(game.most_actions, np.int64),
            np.zeros(game.players),
            stream(0),
            np.zeros(8, np.int64),
        )
        self.scratch.cursor[SEQUENCES] = game.players
        self.pairs: list[Any] = []
        """The finished worlds, level by level: the numbers of their lists, and what seat 0 gets."""
        self.pays: list[Any] = []
        self.final: list[list[tuple[Any, Any]]] = [[], []]
        """For each seat: the lists of finished worlds, level by level, as lengths and sequences."""
        self.finals = [0, 0]

    def begin(self) -> np.ndarray[Any, Any]:
        """The world before the first move: int32[1, 3], its core and a list of each seat."""
        scratch, width = self.scratch, self.private.shape[1]
        for seat in range(2):
            scratch.state[0] = rooted(self.game)
            lists = new_lists(8, 8, width)
            lists.private[0] = scratch.bytes[0, self.private[seat]]
            lists.sequence[0] = seat
            lists.begin[1] = 1
            self.found.lists[seat] = lists
        scratch.bytes[0, self.private.ravel()] = 0
        self.game.rules.bind(core_number)(scratch, self.found.cores)
        return np.zeros((1, 3), np.int32)

    def expand(self, worlds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The worlds one step later; those that are finished are put aside."""
        movers = self.found.cores.mover[worlds[:, 0]]
        old, children, sources = list(self.found.lists), [], []
        for seat in range(2):
            mine = np.flatnonzero(movers == seat)
            if not len(mine):
                continue
            codes = worlds[mine, 0].astype(np.int64) << 32 | worlds[mine, 1 + seat]
            unique, which = np.unique(codes, return_inverse=True)
            self.expand_pairs(seat, np.stack([unique >> 32, unique & 0xFFFFFFFF], axis=1))
            steps = self.found.steps
            counts = np.diff(steps.begin[: len(unique) + 1])[which]
            source = np.repeat(np.arange(len(mine)), counts)
            step = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts, counts)
            step += steps.begin[which][source]
            after = worlds[mine[source]]
            after[:, 0], after[:, 1 + seat] = steps.core[step], steps.list[step]
            children.append(after)
            sources.append(seat)
        for after, seat in zip(children, sources):
            other = 1 - seat
            if self.found.lists[other] is not old[other]:  # it has moved in other worlds: its lists have new numbers
                after[:, 1 + other] = self.carry(other, old[other], after[:, 1 + other])
        return self.without_finished(np.concatenate(children))

    def expand_pairs(self, seat: int, pairs: np.ndarray[Any, Any]) -> None:
        """Fill the steps of these pairs (core, list), and the lists that the seat has after them."""
        found, scratch, old = self.found, self.scratch, self.found.lists[seat]
        scratch.cursor[[LISTS, ELEMENTS, STEPS, FAULT]] = 0
        new = new_lists(1 << 10, 1 << 12, found.width)
        found.steps = found.steps._replace(begin=np.zeros(len(pairs) + 1, np.int64))
        expanding = self.game.rules.bind(expand_pairs)
        while True:
            room = found.cores, found.infos, old, new, found.steps, found.work
            fault = expanding(pairs, scratch, *room)
            if fault == DONE:
                break
            if fault != FULL:
                raise self.fault_of(int(fault))
            new = found.enlarge(scratch, new)
        found.lists[seat] = new

    def carry(self, seat: int, old: Lists, used: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Take lists of a seat along that has not moved in these worlds; their new numbers."""
        which, back = np.unique(used, return_inverse=True)
        new, cursor = self.found.lists[seat], self.scratch.cursor
        lists, elements = int(np.count_nonzero(new.begin[1:])), int(new.begin.max())
        size = lists + len(which)
        room = elements + int((old.begin[which + 1] - old.begin[which]).sum())
        keys, numbers = (column[new.table.keys != 0] for column in new.table)
        ordered = np.empty_like(keys)
        ordered[numbers] = keys
        begin = longer(new.begin[: lists + 1], size + 2)
        new = Lists(
            table_of(ordered, size), begin, longer(new.sequence[:elements], room), longer(new.private[:elements], room)
        )
        cursor[[LISTS, ELEMENTS]] = lists, elements
        renamed = np.zeros(len(which), np.int32)
        carry_lists(which, old, new, cursor, renamed)
        self.found.lists[seat] = new
        return renamed[back]

    def without_finished(self, worlds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Put the finished worlds aside, with the sequences of their lists."""
        over = self.found.cores.mover[worlds[:, 0]] == OVER
        if not over.any():
            return worlds
        ended = worlds[over]
        self.pays.append(self.found.cores.pays[ended[:, 0]])
        pairs = np.empty((len(ended), 2), np.int32)
        for seat in range(2):
            which, back = np.unique(ended[:, 1 + seat], return_inverse=True)
            lists = self.found.lists[seat]
            first, lengths = lists.begin[which], lists.begin[which + 1] - lists.begin[which]
            places = np.arange(lengths.sum()) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
            self.final[seat].append((lengths, lists.sequence[places]))
            pairs[:, seat] = self.finals[seat] + back
            self.finals[seat] += len(which)
        self.pairs.append(pairs)
        return worlds[~over]

    def fault_of(self, fault: int) -> UserError:
        if fault == NOT_PRIVATE:
            return UserError(
                "{name}: whose turn it is depends on what it calls private to a seat", name=self.game.name
            )
        return sequence_fault(self.game, FORGETS_VIEW if fault == FORGETS else UNEQUAL_ACTIONS)


@rule
def carry_lists(which, old, new, cursor, renamed):
    for i in range(len(which)):
        first, end = old.begin[which[i]], old.begin[which[i] + 1]
        key = np.uint64(0)
        for e in range(first, end):
            key += mix(np.uint64(old.sequence[e]))
        key = mix(key + np.uint64(end - first))
        if key == np.uint64(0):
            key = np.uint64(1)
        place = slot_of(new.table.keys, key)
        if new.table.keys[place] == np.uint64(0):
            number, at = cursor[LISTS], cursor[ELEMENTS]
            new.table.keys[place] = key
            new.table.numbers[place] = number
            for e in range(first, end):
                new.sequence[at] = old.sequence[e]
                new.private[at] = old.private[e]
                at += 1
            new.begin[number + 1] = at
            cursor[LISTS] += 1
            cursor[ELEMENTS] = at
        renamed[i] = new.table.numbers[place]


def build_from_worlds(game: Game, progress: Any = None) -> SequenceForm:
    """The sequence form of a game that declares its private fields."""
    built = Worlds(game)
    worlds = built.begin()
    while len(worlds):
        worlds = built.expand(worlds)
        if progress is not None:
            progress(len(worlds))
    return assembled(built)


def assembled(built: Worlds) -> SequenceForm:
    """The sequence form of all finished worlds."""
    game, infos, cursor = built.game, built.found.infos, built.scratch.cursor
    count, sequences = int(cursor[INFOS]), int(cursor[SEQUENCES])
    order, start, moved, renamed = by_seat(infos.owner[:count], infos.first[: count + 1], game.players, sequences)
    pairs, pays = np.concatenate(built.pairs), np.concatenate(built.pays)
    lengths = [np.concatenate([length for length, _ in built.final[seat]]) for seat in range(2)]
    items = np.concatenate([renamed[each] for seat in range(2) for _, each in built.final[seat]])
    list_bounds = np.cumsum([0, *built.finals])
    pairs[:, 1] += list_bounds[1]
    histories = int((lengths[0][pairs[:, 0]] * lengths[1][pairs[:, 1] - list_bounds[1]]).sum())
    rows = rows_of(pairs, np.ones(len(pairs)), np.stack([pays, -pays], axis=1), int(list_bounds[-1]))
    bounds = np.searchsorted(infos.owner[:count][order], np.arange(game.players + 1))
    begin = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    above = renamed[infos.above[:count][order]]
    actions = np.full(sequences, -1, np.int32)
    actions[game.players :] = infos.choice[moved]
    return SequenceForm(
        game=game,
        arrays=Arrays(bounds, start, above, *rows, list_bounds, begin, items, np.zeros(int(list_bounds[-1]))),
        keys=infos.keys[:count][order],
        actions=actions,
        views=infos.views[:count][order],
        states=new_records(game.rules.state, 0),
        histories=histories,
        zero_sum=True,
    )
