"""The sequence form of a game whose histories are too many to walk through: phantom games, and others like them.

What happens in such a game falls into a *world*, what truly happened in public or on the board, and into what every
seat did and learnt in private on the way (`PrivateFields`, which the game declares). Whatever private sequence of
seat 0 fits a finished world can come together with whatever sequence of seat 1 fits it, and the payoff depends on
the world alone. So the sum over all finished histories is a sum over worlds of products of two sums,

    payoff = sum over worlds w of payoff(w) * (sum of x0 over the sequences of seat 0 that fit w) * (the same for
    seat 1)

and blind tic-tac-toe, with 9.8e9 finished histories, has 255,168 finished worlds. (With hands of cards in the place
of sequences this is what M. Johanson and others, "Accelerating best response calculation in large extensive games"
(2011), do on the public tree.)

The sequences that fit a world are a *list*. Worlds share their lists: a list depends only on what its seat did and
on what it met. All worlds are followed step by step, a step being one change of the public part of the state. What
an element of a list can do next is asked of the rules once for each public state and list that come together; a move
that changes nothing in public (a refused attempt) leads to further elements of the same list."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import PrivateFields
from hiddenhand.core.game import Game
from hiddenhand.kernel import OVER, copy, digest, generic, mix, new_records, rule, stream
from hiddenhand.kernel.contract import legal, observe, payoff, play, turn
from hiddenhand.kernel.records import slot_of, word_at, words_of
from hiddenhand.search.game_tree import rooted
from hiddenhand.search.solving.history_walk import FORGETS as FORGETS_VIEW
from hiddenhand.search.solving.history_walk import (
    UNEQUAL_ACTIONS,
    available_memory,
    by_seat,
    longer,
    put_all,
    rows_of,
)
from hiddenhand.search.solving.history_walk import fault_of as sequence_fault
from hiddenhand.search.solving.sequence_form import FormArrays, SequenceForm

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
    guess: np.ndarray[Any, Any]  # int64: of every action, the core that it led to the last time, or NEVER
    cursor: np.ndarray[Any, Any]  # int64: see below


class KeyTable(NamedTuple):
    """Numbers by fingerprints."""

    keys: np.ndarray[Any, Any]  # uint64[power of two]
    numbers: np.ndarray[Any, Any]  # int32


class Cores(NamedTuple):
    """Public states: states without anybody's private fields."""

    table: KeyTable
    states: Any
    mover: np.ndarray[Any, Any]  # int8
    pays: np.ndarray[Any, Any]  # float64: what seat 0 gets where the game is over


class Infos(NamedTuple):
    """Information sets and their sequences."""

    table: KeyTable
    keys: np.ndarray[Any, Any]
    owner: np.ndarray[Any, Any]
    above: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    choice: np.ndarray[Any, Any]
    views: Any


class Lists(NamedTuple):
    """Lists of elements: a sequence, and the private bytes that its seat has then."""

    table: KeyTable
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
    rows: np.ndarray[Any, Any]  # int64: those that make a list


class Room(NamedTuple):
    """All of these together; `old` are the lists of the seat that moves, `new` those that it has afterwards, `ended`
    those of finished worlds, which need no private bytes."""

    cores: Cores
    infos: Infos
    old: Lists
    new: Lists
    ended: Lists
    steps: Steps
    work: Work


# places of the cursor
CORES, INFOS, SEQUENCES, LISTS, ELEMENTS, LAST_LISTS, LAST_ELEMENTS, STEPS, PAIR = range(9)


@rule
def compose(scratch, core, seat, private):
    """The state of a public part and of one seat's private bytes; those of others stay empty."""
    copy(scratch.state[0], core)
    for i in range(len(private)):
        scratch.bytes[0, scratch.private[seat, i]] = private[i]


@rule
def strip(scratch, seat, private):
    """Take the private bytes of the seat out of the state."""
    for i in range(len(private)):
        place = scratch.private[seat, i]
        private[i] = scratch.bytes[0, place]
        scratch.bytes[0, place] = 0


@rule
def same_bytes(one, other):
    for i in range(words_of(one)):
        if word_at(one, i) != word_at(other, i):
            return False
    return True


@generic
def core_after(scratch, cores, action):
    """The number of the core in the scratch, to which an action has led: nearly always the one of the last time."""
    guess = scratch.guess[action]
    if guess == NEVER or not same_bytes(cores.states[guess], scratch.state[0]):
        guess = core_number(scratch, cores)
        scratch.guess[action] = guess
    return guess


@generic
def core_number(scratch, cores):
    """The number of the core that lies in the scratch, which may be new."""
    key = key_of(scratch.state[0], 7)
    place = slot_of(cores.table.keys, key)
    if cores.table.keys[place] == np.uint64(0):
        number = scratch.cursor[CORES]
        cores.table.keys[place] = key
        cores.table.numbers[place] = number
        copy(cores.states[number], scratch.state[0])
        mover = turn(scratch.state[0])
        cores.mover[number] = mover
        if mover == OVER:
            payoff(scratch.state[0], scratch.gains)
            cores.pays[number] = scratch.gains[0]
        scratch.cursor[CORES] += 1
    return np.int64(cores.table.numbers[place])


@rule
def key_of(record, salt):
    """The fingerprint of a record, which is never 0."""
    key = digest(record, salt)
    return key if key != np.uint64(0) else np.uint64(1)


@generic
def info_number(scratch, infos, seat, above, count):
    """The information set that the seat to move sees in the scratch, which may be new; negated, less 1: a fault."""
    observe(scratch.state[0], seat, scratch.seen[0])
    key = key_of(scratch.seen[0], seat)
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
def expand_pairs(pairs, scratch, room):
    """Where each pair (core, list) leads: new lists for the seat that moves. Begins where it was when some room was
    full."""
    steps = room.steps
    for pair in range(scratch.cursor[PAIR], len(pairs)):
        scratch.cursor[PAIR] = pair
        if no_room(scratch, room):
            return FULL
        core, which = pairs[pair, 0], pairs[pair, 1]
        found = follow(core, which, scratch, room)
        if found < 0:
            return -1 - found
        steps.begin[pair] = scratch.cursor[STEPS]
        collect(found, scratch, room)
        steps.begin[pair + 1] = scratch.cursor[STEPS]
    return DONE


@rule
def no_room(scratch, room):
    """Whether another pair might find no room: it has as many elements at most as `work` holds."""
    most, found, cursor = len(room.work.sequence), len(room.work.core), scratch.cursor
    return (
        cursor[INFOS] + most > len(room.infos.keys)
        or cursor[SEQUENCES] + most * len(scratch.actions) > len(room.infos.choice)
        or cursor[ELEMENTS] + found > len(room.new.sequence)
        or cursor[LISTS] + found > len(room.new.begin) - 2
        or cursor[LAST_ELEMENTS] + found > len(room.ended.sequence)
        or cursor[LAST_LISTS] + found > len(room.ended.begin) - 2
        or cursor[STEPS] + found > len(room.steps.core)
        or cursor[CORES] + found > len(room.cores.mover)
    )


@generic
def follow(core, which, scratch, room):
    """Ask the rules what every element of a list can do in a core: fills work.core and what stands beside it; returns
    how many, or a fault."""
    cores, infos, old, work = room.cores, room.infos, room.old, room.work
    seat = np.int64(cores.mover[core])
    count = 0
    if old.begin[which + 1] - old.begin[which] > len(work.sequence):
        return -1 - FULL
    for e in range(old.begin[which], old.begin[which + 1]):
        work.sequence[count] = old.sequence[e]
        work.private[count] = old.private[e]
        count += 1
    at, found = 0, 0
    for action in range(len(scratch.guess)):
        scratch.guess[action] = NEVER
    while at < count:
        compose(scratch, cores.states[core], seat, work.private[at])
        if turn(scratch.state[0]) != seat:
            return -1 - NOT_PRIVATE
        n = legal(scratch.state[0], scratch.actions)
        info = info_number(scratch, infos, seat, work.sequence[at], n)
        if info < 0:
            return info
        for i in range(n):
            compose(scratch, cores.states[core], seat, work.private[at])
            play(scratch.state[0], scratch.actions[i], scratch.rng)
            strip(scratch, seat, scratch.before)
            next_core = core_after(scratch, cores, scratch.actions[i])
            if count == len(work.sequence) or found == len(work.core):
                return -1 - FULL
            if next_core == core:
                work.sequence[count] = infos.first[info] + i
                work.private[count] = scratch.before
                count += 1
            else:
                work.core[found] = next_core
                work.next_sequence[found] = infos.first[info] + i
                if cores.mover[next_core] != OVER:
                    work.next_private[found] = scratch.before
                found += 1
        at += 1
    return found


@rule
def collect(found, scratch, room):
    """Put what leads to the same core together, as a list that may be known already."""
    steps, work, first = room.steps, room.work, scratch.cursor[STEPS]
    for e in range(found):
        core = work.core[e]
        known = False
        for step in range(first, scratch.cursor[STEPS]):
            known = known or steps.core[step] == core
        if known:
            continue
        size = 0
        for other in range(e, found):
            if work.core[other] == core:
                work.rows[size] = other
                size += 1
        if room.cores.mover[core] == OVER:
            lists, cursor = room.ended, scratch.cursor[LAST_LISTS:]
        else:
            lists, cursor = room.new, scratch.cursor[LISTS:]
        steps.core[scratch.cursor[STEPS]] = core
        steps.list[scratch.cursor[STEPS]] = add_list(
            work.rows[:size], work.next_sequence, work.next_private, lists, cursor
        )
        scratch.cursor[STEPS] += 1


@rule
def add_list(rows, sequences, privates, lists, cursor):
    """The number of the list of these rows, which may be new. The cursor: how many lists and elements there are."""
    key = np.uint64(0)
    for row in rows:
        key += mix(np.uint64(sequences[row]))
    key = mix(key + np.uint64(len(rows)))
    if key == np.uint64(0):
        key = np.uint64(1)
    place = slot_of(lists.table.keys, key)
    if lists.table.keys[place] == np.uint64(0):
        number, at = cursor[0], cursor[1]
        lists.table.keys[place] = key
        lists.table.numbers[place] = number
        for row in rows:
            lists.sequence[at] = sequences[row]
            for i in range(lists.private.shape[1]):
                lists.private[at, i] = privates[row, i]
            at += 1
        lists.begin[number + 1] = at
        cursor[0] += 1
        cursor[1] = at
    return np.int64(lists.table.numbers[place])


@rule
def carry_lists(which, old, new, cursor, renamed):
    """Add lists of another level."""
    for i in range(len(which)):
        rows = np.arange(old.begin[which[i]], old.begin[which[i] + 1])
        renamed[i] = add_list(rows, old.sequence, old.private, new, cursor)


# ---- the driver


def enlarged(scratch: Scratch, room: Room) -> Room:
    """Twice the room wherever another pair might find none."""
    cursor, most, found = scratch.cursor, len(room.work.sequence), len(room.work.core)
    if not no_room(scratch, room):  # it is the work itself that has too little
        return room._replace(work=new_work(2 * most, room.work.private.shape[1]))
    infos, cores, steps = room.infos, room.cores, room.steps
    if cursor[INFOS] + most > len(infos.keys):
        size = 2 * len(infos.keys) + most
        infos = Infos(
            table_of(infos.keys[: cursor[INFOS]], size),
            longer(infos.keys, size),
            longer(infos.owner, size),
            longer(infos.above, size),
            longer(infos.first, size + 1),
            infos.choice,
            longer(infos.views, size),
        )
    if cursor[SEQUENCES] + most * len(scratch.actions) > len(infos.choice):
        infos = infos._replace(choice=longer(infos.choice, 2 * len(infos.choice) + most * len(scratch.actions)))
    if cursor[CORES] + found > len(cores.mover):
        size = 2 * len(cores.mover) + found
        cores = Cores(table_of(in_order(cores.table), size), *(longer(column, size) for column in cores[1:]))
    if cursor[STEPS] + found > len(steps.core):
        size = 2 * len(steps.core) + found
        steps = Steps(steps.begin, longer(steps.core, size), longer(steps.list, size))
    return room._replace(
        cores=cores,
        infos=infos,
        steps=steps,
        new=longer_lists(room.new, cursor[LISTS], cursor[ELEMENTS], found),
        ended=longer_lists(room.ended, cursor[LAST_LISTS], cursor[LAST_ELEMENTS], found),
    )


def longer_lists(lists: Lists, count: int, elements: int, more: int) -> Lists:
    """Lists with twice the room where they have none for so many more."""
    if elements + more > len(lists.sequence):
        size = 2 * len(lists.sequence) + more
        lists = lists._replace(sequence=longer(lists.sequence, size), private=longer(lists.private, size))
    if count + more > len(lists.begin) - 2:
        size = 2 * len(lists.begin) + more
        lists = lists._replace(table=table_of(in_order(lists.table), size), begin=longer(lists.begin, size + 2))
    return lists


def in_order(table: KeyTable) -> np.ndarray[Any, Any]:
    """The keys of a table in the order of their numbers."""
    used = table.keys != 0
    ordered = np.empty(int(used.sum()), np.uint64)
    ordered[table.numbers[used]] = table.keys[used]
    return ordered


def table_for(size: int) -> KeyTable:
    """An empty table for so many numbers."""
    places = 1 << (2 * size - 1).bit_length()
    return KeyTable(np.zeros(places, np.uint64), np.zeros(places, np.int32))


def table_of(keys: Any, size: int) -> KeyTable:
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
        np.zeros(4 * size, np.int64),
    )


def private_places(game: Game) -> np.ndarray[Any, Any]:
    """Where each seat's private bytes lie in a state: int64[seats, width]."""
    names, state = game.extra(PrivateFields, PrivateFields(())).names, game.rules.state
    places: list[list[int]] = [[] for _ in range(game.players)]
    for name in names:
        offset = state.fields[name][1]  # type: ignore[index]
        size = state[name].itemsize // game.players
        for seat in range(game.players):
            places[seat] += range(offset + seat * size, offset + (seat + 1) * size)
    return np.array(places, np.int64)


class Worlds:
    """All worlds of a game, level by level."""

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.memory = memory
        self.private = private_places(game)
        self.width = self.private.shape[1]
        state = new_records(game.rules.state, 1)
        self.scratch = Scratch(
            state,
            state.view(np.uint8).reshape(1, -1),
            self.private,
            np.zeros(self.width, np.uint8),
            new_records(game.rules.view, 1),
            np.zeros(game.most_actions, np.int64),
            np.zeros(game.players),
            stream(0),
            np.zeros(game.rules.action_count, np.int64),
            np.zeros(9, np.int64),
        )
        self.scratch.cursor[SEQUENCES] = game.players
        size = 1 << 12
        infos = Infos(
            table_for(size),
            np.zeros(size, np.uint64),
            np.zeros(size, np.int8),
            np.zeros(size, np.int32),
            np.full(size + 1, game.players, np.int64),
            np.zeros(4 * size, np.int32),
            new_records(game.rules.view, size),
        )
        cores = Cores(table_for(size), new_records(game.rules.state, size), np.zeros(size, np.int8), np.zeros(size))
        none = new_lists(8, 8, 0)
        steps = Steps(np.zeros(1, np.int64), *np.zeros((2, size), np.int32))
        self.lists = [new_lists(8, 8, self.width) for _ in range(2)]
        """The lists of each seat at this level."""
        self.room = Room(cores, infos, self.lists[0], self.lists[0], none, steps, new_work(1 << 8, self.width))
        self.pairs: list[Any] = []
        """The finished worlds, level by level: the numbers of their lists, and what seat 0 gets."""
        self.pays: list[Any] = []
        self.final: list[list[tuple[Any, Any]]] = [[], []]
        """For each seat: the lists of finished worlds, level by level, as lengths and sequences."""
        self.finals = [0, 0]

    def begin(self) -> np.ndarray[Any, Any]:
        """The world before the first move: int32[1, 3], its core and a list of each seat."""
        scratch = self.scratch
        scratch.state[0] = rooted(self.game)
        for seat, lists in enumerate(self.lists):
            lists.private[0] = scratch.bytes[0, self.private[seat]]
            lists.sequence[0] = seat
            lists.begin[1] = 1
        scratch.bytes[0, self.private.ravel()] = 0
        self.game.rules.bind(core_number)(scratch, self.room.cores)
        return np.zeros((1, 3), np.int32)

    def expand(self, worlds: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The worlds one step later; those that are finished are put aside."""
        movers = self.room.cores.mover[worlds[:, 0]]
        old, moved = list(self.lists), []
        for seat in range(2):
            mine = np.flatnonzero(movers == seat)
            if not len(mine):
                continue
            codes = worlds[mine, 0].astype(np.int64) << 32 | worlds[mine, 1 + seat]
            unique, which = np.unique(codes, return_inverse=True)
            self.expand_pairs(seat, np.stack([unique >> 32, unique & 0xFFFFFFFF], axis=1))
            steps = self.room.steps
            counts = np.diff(steps.begin)[which]
            source = np.repeat(np.arange(len(mine)), counts)
            step = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts - steps.begin[which], counts)
            after = worlds[mine[source]]
            after[:, 0], after[:, 1 + seat] = steps.core[step], steps.list[step]
            moved.append((seat, self.without_finished(seat, after, old[1 - seat])))
        for seat, after in moved:
            other = 1 - seat
            if self.lists[other] is not old[other]:  # it has moved in other worlds: its lists have new numbers
                after[:, 1 + other] = self.carry(other, old[other], after[:, 1 + other])
        return np.concatenate([after for _, after in moved])

    def expand_pairs(self, seat: int, pairs: np.ndarray[Any, Any]) -> None:
        """Fill the steps of these pairs (core, list), and the lists that the seat has after them."""
        cursor = self.scratch.cursor
        cursor[[LISTS, ELEMENTS, LAST_LISTS, LAST_ELEMENTS, STEPS, PAIR]] = 0
        self.room = self.room._replace(
            old=self.lists[seat],
            new=new_lists(1 << 10, 1 << 12, self.width),
            ended=new_lists(1 << 10, 1 << 12, 0),
            steps=self.room.steps._replace(begin=np.zeros(len(pairs) + 1, np.int64)),
        )
        expanding = self.game.rules.bind(expand_pairs)
        fault = expanding(pairs, self.scratch, self.room)
        while fault == FULL:
            self.room = enlarged(self.scratch, self.room)
            self.check_memory(pairs)
            fault = expanding(pairs, self.scratch, self.room)
        if fault != DONE:
            raise self.fault_of(int(fault))
        new, lists, elements = self.room.new, int(cursor[LISTS]), int(cursor[ELEMENTS])
        self.lists[seat] = Lists(
            new.table, new.begin[: lists + 1], new.sequence[:elements].copy(), new.private[:elements].copy()
        )

    def check_memory(self, pairs: np.ndarray[Any, Any]) -> None:
        """Refuse a game that needs more memory than there may be."""
        groups: Any = [*self.room, *self.lists, *self.final[0], *self.final[1], self.pairs, self.pays, (pairs,)]
        needed = 2 * sum(array.nbytes for group in groups for array in group if isinstance(array, np.ndarray))
        if needed > self.memory:
            raise UserError(
                "the sequence form of {name} needs more than the {gigabytes:.1f} GB of memory that may be used: "
                "{infos:,} information sets were found until then",
                name=self.game.name,
                gigabytes=self.memory / 1e9,
                infos=int(self.scratch.cursor[INFOS]),
            )

    def carry(self, seat: int, old: Lists, used: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Take lists of a seat along that has not moved in these worlds; their new numbers."""
        which, back = np.unique(used, return_inverse=True)
        new = self.lists[seat]
        lists, elements = len(new.begin) - 1, len(new.sequence)
        size = lists + len(which)
        room = elements + int((old.begin[which + 1] - old.begin[which]).sum())
        new = Lists(
            table_of(in_order(new.table), size),
            longer(new.begin, size + 1),
            longer(new.sequence, room),
            longer(new.private, room),
        )
        counts, renamed = np.array([lists, elements]), np.zeros(len(which), np.int32)
        carry_lists(which, old, new, counts, renamed)
        lists, elements = counts.tolist()
        self.lists[seat] = Lists(new.table, new.begin[: lists + 1], new.sequence[:elements], new.private[:elements])
        return renamed[back]

    def without_finished(self, seat: int, worlds: np.ndarray[Any, Any], others: Lists) -> np.ndarray[Any, Any]:
        """Put the worlds aside that a seat has finished. others: the lists of the other seat, which are left as they
        were."""
        over = self.room.cores.mover[worlds[:, 0]] == OVER
        if not over.any():
            return worlds
        ended, lists = worlds[over], int(self.scratch.cursor[LAST_LISTS])
        self.pays.append(self.room.cores.pays[ended[:, 0]])
        pairs = np.empty((len(ended), 2), np.int32)
        pairs[:, seat] = self.finals[seat] + ended[:, 1 + seat]
        last = self.room.ended
        self.final[seat].append((np.diff(last.begin[: lists + 1]), last.sequence[: last.begin[lists]].copy()))
        self.finals[seat] += lists
        other = 1 - seat
        which, back = np.unique(ended[:, 1 + other], return_inverse=True)
        first, lengths = others.begin[which], others.begin[which + 1] - others.begin[which]
        places = np.arange(lengths.sum()) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
        self.final[other].append((lengths, others.sequence[places]))
        pairs[:, other] = self.finals[other] + back
        self.finals[other] += len(which)
        self.pairs.append(pairs)
        going_on: np.ndarray[Any, Any] = worlds[~over]
        return going_on

    def fault_of(self, fault: int) -> UserError:
        if fault == NOT_PRIVATE:
            return UserError(
                "{name}: whose turn it is depends on what it calls private to a seat", name=self.game.name
            )
        return sequence_fault(self.game, FORGETS_VIEW if fault == FORGETS else UNEQUAL_ACTIONS)


def build_from_worlds(game: Game, memory: int | None = None) -> SequenceForm:
    """The sequence form of a game that declares its private fields."""
    built = Worlds(game, memory or available_memory())
    worlds = built.begin()
    while len(worlds):
        worlds = built.expand(worlds)
    return assembled(built)


def assembled(built: Worlds) -> SequenceForm:
    """The sequence form of all finished worlds."""
    game, infos, cursor = built.game, built.room.infos, built.scratch.cursor
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
        arrays=FormArrays(bounds, start, above, *rows, list_bounds, begin, items, np.zeros(int(list_bounds[-1]))),
        keys=infos.keys[:count][order],
        actions=actions,
        views=infos.views[:count][order],
        states=new_records(game.rules.state, 0),
        histories=histories,
        zero_sum=True,
    )
