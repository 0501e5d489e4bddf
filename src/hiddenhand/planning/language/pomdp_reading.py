"""Reads `.pomdp` files: the text format of A. R. Cassandra's pomdp-solve, which most published problems use.

    discount: 0.95
    values: reward                       (or cost: what is read is then negated)
    states: tiger-left tiger-right       (or a number)
    actions: listen open-left open-right
    observations: 2
    start: uniform                       (or probabilities, states, `start include: ...`, `start exclude: ...`)
    T: listen identity                   (or uniform, reset, numbers; for an action, a row, or one entry)
    O: listen : tiger-left 0.85 0.15
    R: listen : * : * : * -1             (`*` stands for all; a later line overrides an earlier one)

Whatever is not given is zero, and every row of T and O must sum to one. A row that was rounded when it was written
is scaled to sum to one exactly. Line breaks mean nothing; `#` begins a comment. A word after the colon of T, O or R
is a name, even if it is one of these words: `T: R : * uniform` is about an action R.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from scipy.sparse import csr_array

from hiddenhand.core.errors import TextFault, UserError, did_you_mean, line_and_column, one_of
from hiddenhand.core.text import Text, Value, text_of
from hiddenhand.planning.language.pomdp_rewards import Rewards
from hiddenhand.planning.model.pomdp import ROUNDED, Array, Pomdp

MOST_NAMES = 1_000_000
LARGEST_FILE = 300_000_000
KEYS = r"T|O|R|discount|values|states|actions|observations|start(?:\s+(?:include|exclude))?"
STATEMENT = re.compile(rf"(?<![\w.-])({KEYS})\s*:")
NAME = re.compile(r"[A-Za-z_][\w.+-]*\Z")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
WORD = re.compile(r"[^\s:]+|:")
VISIBLE = re.compile(r"\S")
RESERVED = {"uniform", "identity", "reset", "reward", "cost"}

Row = dict[int, float] | Array


def read_pomdp(path: Path | str) -> Pomdp:
    """The model in a file, `.pomdp` or `.pomdpx`."""
    return parse_pomdp(file_bytes(path), str(path))


def file_bytes(path: Path | str) -> bytes:
    """What a model's file holds."""
    try:
        size = Path(path).stat().st_size
        if size > LARGEST_FILE:
            raise UserError(
                "{path} has {size:,} bytes; a model's file may have {most:,}", path=path, size=size, most=LARGEST_FILE
            )
        return Path(path).read_bytes()
    except OSError as error:
        raise UserError("cannot read {path}: {why}", path=path, why=error.strerror or error) from None


def parse_pomdp(text: str | bytes, name: str = "<text>") -> Pomdp:
    """The model in a text, of either format: XML is that of `.pomdpx`. `name` is what errors call it."""
    from hiddenhand.planning.language.pomdpx_reading import parse_pomdpx

    data = text.encode() if isinstance(text, str) else text
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return parse_pomdpx(data, name)
    return PomdpReader(data.decode("utf-8-sig", errors="replace"), name).read()


class PomdpReader:
    """One pass over the statements of a text."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        # comments become blanks, so that every place in the text stays what it was
        self.text = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), text)
        self.discount: float | None = None
        self.sign = 1.0
        self.names: dict[str, tuple[str, ...]] = {}
        self.places: dict[str, dict[str, int]] = {}
        self.start: Array | None = None
        self.moves: ProbabilityTable | None = None
        self.sights: ProbabilityTable | None = None
        self.rewards: Rewards | None = None

    def read(self) -> Pomdp:
        keys = self.statements()
        end = keys[0].start() if keys else len(self.text)
        if self.text[:end].strip():
            self.fail(self.first_word(0), "expected a statement such as 'discount: 0.95'")
        for key, following in zip(keys, [*keys[1:], None]):
            end = following.start() if following else len(self.text)
            self.statement(" ".join(key[1].split()), key.start(), key.end(), end)
        return self.model()

    def statements(self) -> list[re.Match[str]]:
        """Where statements begin; not where a name in the heading of one looks as if it did."""
        found: list[re.Match[str]] = []
        for key in STATEMENT.finditer(self.text):
            table = bool(found) and found[-1][1] in ("T", "O", "R")
            if not (table and self.text[: key.start()].rstrip().endswith(":")):
                found.append(key)
        return found

    def statement(self, key: str, place: int, begin: int, end: int) -> None:
        if key == "T":
            self.probabilities(begin, end, place, self.tables()[0], ("action", "state", "state"))
        elif key == "O":
            self.probabilities(begin, end, place, self.tables()[1], ("action", "state", "observation"))
        elif key == "R":
            self.reward(begin, end, place)
        elif key == "discount":
            self.discount = self.one_number(begin, end, Text("the discount"))
            if not 0.0 <= self.discount <= 1.0:
                self.fail(self.first_word(begin), "the discount must be from 0 to 1, not {n:g}", n=self.discount)
        elif key == "values":
            self.kind_of_values(begin, end)
        elif key.startswith("start"):
            self.first_belief(key, begin, end)
        else:
            self.listing(key[:-1], begin, end)

    # --- the preamble

    def kind_of_values(self, begin: int, end: int) -> None:
        word = self.text[begin:end].strip()
        if word not in ("reward", "cost"):
            self.fail(self.first_word(begin), "values must be 'reward' or 'cost', not {word}", word=repr(word[:40]))
        self.sign = -1.0 if word == "cost" else 1.0

    def listing(self, what: str, begin: int, end: int) -> None:
        """The names of the states, actions or observations, or how many there are."""
        if self.moves is not None:
            self.fail(self.first_word(begin), "{what}s must be listed before the first T, O or R", what=what)
        words = self.text[begin:end].split()
        if len(words) == 1 and re.fullmatch(r"\d+", words[0]):
            count = int(words[0])
            if not 0 < count <= MOST_NAMES:
                self.fail(
                    self.first_word(begin),
                    "the number of {what}s must be from 1 to {most}",
                    what=what,
                    most=MOST_NAMES,
                )
            names = tuple(str(number) for number in range(count))
        else:
            names = tuple(words)
            for place, word in self.words(begin, end):
                if not NAME.match(word) or word in RESERVED:
                    self.fail(place, "{word} cannot be the name of {what}", word=repr(word[:40]), what=a(what))
        if not names:
            self.fail(begin, "expected the names of the {what}s, or how many there are", what=what)
        places = {name: number for number, name in enumerate(names)}
        if len(places) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            self.fail(self.first_word(begin), "the {what} {name} is listed twice", what=what, name=repr(twice))
        self.names[what], self.places[what] = names, places

    def first_belief(self, key: str, begin: int, end: int) -> None:
        count = self.count("state", begin)
        words = self.text[begin:end].split()
        belief = np.zeros(count)
        listed = len(words) > 1 and not any(map(NUMBER.match, words))  # states by name, as others write it too
        if key != "start" or listed:
            if not words:
                self.fail(begin, "expected states")
            for place, word in self.words(begin, end):
                belief[self.one("state", word, place)] = 1.0
            if key == "start exclude":
                belief = 1.0 - belief
            if not belief.any():
                self.fail(self.first_word(begin), "no state is left to start in")
            belief /= belief.sum()
        elif words == ["uniform"]:
            belief[:] = 1.0 / count
        elif len(words) == 1 and (count > 1 or words[0] in self.places["state"]):
            belief[self.one("state", words[0], self.first_word(begin))] = 1.0
        else:
            belief = self.numbers(begin, end, count, Text("the start belief"))
            self.check_sum(belief, self.first_word(begin), Text("the start belief"))
            belief = belief / belief.sum()
        self.start = belief

    # --- T, O and R

    def tables(self) -> tuple[ProbabilityTable, ProbabilityTable]:
        if self.moves is None or self.sights is None:
            states, actions = self.count("state", 0), self.count("action", 0)
            self.moves = ProbabilityTable(actions, states, states)
            self.sights = ProbabilityTable(actions, states, self.count("observation", 0))
            self.rewards = Rewards((actions, states, states, self.count("observation", 0)))
        return self.moves, self.sights

    def heading(self, begin: int, end: int, kinds: tuple[str, ...]) -> tuple[list[int | None], int]:
        """The places before the numbers, None for `*`, and where the numbers begin."""
        found: list[int | None] = []
        while True:
            word = WORD.match(self.text, self.first_word(begin), end)
            if word is None or word[0] == ":":
                self.fail(self.first_word(begin), "expected {what} or *", what=a(kinds[len(found)]))
            kind = kinds[len(found)]
            found.append(None if word[0] == "*" else self.one(kind, word[0], word.start()))
            begin = word.end()
            colon = self.first_word(begin)
            if colon >= end or self.text[colon] != ":":
                return found, begin
            if len(found) == len(kinds):
                self.fail(colon, "expected a number: {kinds} is all there is before it", kinds=" : ".join(kinds))
            begin = colon + 1

    def probabilities(
        self, begin: int, end: int, place: int, table: ProbabilityTable, kinds: tuple[str, ...]
    ) -> None:
        heading, begin = self.heading(begin, end, kinds)
        action, state = heading[0], heading[1] if len(heading) > 1 else None
        if len(heading) == 3:
            chance = self.one_number(begin, end, Text("the probability"))
            if not 0.0 <= chance <= 1.0 + ROUNDED:
                self.fail(self.first_word(begin), "a probability must be from 0 to 1, not {n:g}", n=chance)
            table.set_entry(action, state, heading[2], chance, place)
            return
        word = self.text[begin:end].strip()
        if word == "uniform":
            table.set_rows(action, state, np.full((1, table.columns), 1.0 / table.columns), place)
        elif word == "identity" and len(heading) == 1 and table is self.moves:
            table.set_identity(action, place)
        elif word == "reset" and table is self.moves:
            start = np.full(table.rows, 1.0 / table.rows) if self.start is None else self.start
            table.set_rows(action, state, start[None, :], place)
        else:
            rows = table.rows if len(heading) == 1 else 1
            numbers = self.numbers(begin, end, rows * table.columns, Text("the probabilities"))
            if numbers.min() < 0.0 or numbers.max() > 1.0 + ROUNDED:
                wrong = int(np.flatnonzero((numbers < 0.0) | (numbers > 1.0 + ROUNDED))[0])
                where = self.words(begin, end)[wrong][0]
                self.fail(where, "a probability must be from 0 to 1, not {n:g}", n=numbers[wrong])
            table.set_rows(action, state, numbers.reshape(rows, table.columns), place)

    def reward(self, begin: int, end: int, place: int) -> None:
        self.tables()
        assert self.rewards is not None
        heading, begin = self.heading(begin, end, ("action", "state", "state", "observation"))
        if len(heading) == 1:
            self.fail(self.first_word(begin), "expected ': state' after the action of a reward")
        shape = self.rewards.shape[len(heading) :]
        if len(heading) == 4:
            self.rewards.add(heading, self.one_number(begin, end, Text("the reward")))
        else:
            numbers = self.numbers(begin, end, int(np.prod(shape)), Text("the rewards"))
            self.rewards.add_block(heading, numbers.reshape(shape))

    # --- words and numbers

    def count(self, what: str, place: int) -> int:
        if what not in self.names:
            self.fail(place, "the {what}s must be listed first: '{what}s: ...'", what=what)
        return len(self.names[what])

    def one(self, what: str, word: str, place: int) -> int:
        """The place of a name, or of a number, in the list of its kind."""
        found = self.places[what].get(word)
        if found is not None:
            return found
        count = len(self.names[what])
        if word.isdecimal():
            if int(word) < count:
                return int(word)
            self.fail(
                place,
                "{what} {word} does not exist: they are numbered from 0 to {n}",
                what=what,
                word=word[:40],
                n=count - 1,
            )
        names = list(self.names[what])
        self.fail(
            place,
            "there is no {what} {word}{hint}; {what}s: {list}",
            what=what,
            word=repr(word[:40]),
            hint=did_you_mean(word, names),
            list=one_of(names, 12),
        )

    def one_number(self, begin: int, end: int, what: str) -> float:
        word = self.text[begin:end].strip()
        if not NUMBER.match(word):
            words = self.words(begin, end)
            if words and NUMBER.match(words[0][1]):
                self.fail(
                    words[1][0],
                    "expected the next statement after {what}, not {word}",
                    what=what,
                    word=repr(words[1][1][:40]),
                )
            found = Text(", not {word}", word=repr(words[0][1][:40])) if words else ""
            self.fail(self.first_word(begin), "expected {what} as a number{found}", what=what, found=found)
        if not np.isfinite(float(word)):
            self.fail(self.first_word(begin), "{what} must be a finite number, not {word}", what=what, word=word[:40])
        return float(word)

    def numbers(self, begin: int, end: int, count: int, what: str) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # text that is no number
            try:
                result = np.fromstring(self.text[begin:end], sep=" ")
            except (DeprecationWarning, ValueError):
                for place, word in self.words(begin, end):
                    if not NUMBER.match(word):
                        self.fail(
                            place,
                            "expected {what} as {n} numbers; {word} is none",
                            what=what,
                            n=count,
                            word=repr(word[:40]),
                        )
                raise
        if len(result) != count:
            self.fail(
                self.first_word(begin),
                "expected {what} as {wanted} numbers, found {n}",
                what=what,
                wanted=count,
                n=len(result),
            )
        if not np.isfinite(result).all():
            self.fail(self.first_word(begin), "{what} must be finite numbers", what=what)
        return result

    def words(self, begin: int, end: int) -> list[tuple[int, str]]:
        return [(word.start(), word[0]) for word in WORD.finditer(self.text, begin, end)]

    def first_word(self, begin: int) -> int:
        found = VISIBLE.search(self.text, begin)
        return found.start() if found else len(self.text)

    # --- what came of it

    def model(self) -> Pomdp:
        end = len(self.text)
        if self.discount is None:
            self.fail(end, "the discount is missing: 'discount: 0.95'")
        for what in ("state", "action", "observation"):
            if what not in self.names:
                self.fail(end, "the {what}s are missing: '{what}s: ...'", what=what)
        moves, sights = self.tables()
        assert self.rewards is not None
        transitions = tuple(self.checked(moves, action, "T") for action in range(moves.actions))
        observing = tuple(self.checked(sights, action, "O") for action in range(moves.actions))
        count = moves.rows
        start = np.full(count, 1.0 / count) if self.start is None else self.start
        return Pomdp(
            states=self.names["state"],
            actions=self.names["action"],
            observations=self.names["observation"],
            transitions=transitions,
            observing=observing,
            rewards=self.sign * self.rewards.expected(transitions, observing) + 0.0,
            legal=np.ones((moves.actions, count), dtype=bool),
            start=start,
            discount=self.discount,
        )

    def checked(self, table: ProbabilityTable, action: int, key: str) -> csr_array:
        """The sparse array of an action, its rows summing to one."""
        result = table.sparse(action)
        sums = np.asarray(result.sum(axis=1))
        wrong = np.flatnonzero(np.abs(sums - 1.0) > ROUNDED)
        if len(wrong):
            state = int(wrong[0])
            row = f"{key}: {self.names['action'][action]} : {self.names['state'][state]}"
            place = table.where[action][state]
            if place < 0:
                self.fail(len(self.text), "the row {row} is missing", row=row)
            self.fail(place, "the row {row} sums to {n:g}, not to 1", row=row, n=sums[state])
        result.data /= np.repeat(sums, np.diff(result.indptr))
        return result

    def check_sum(self, row: Array, place: int, what: str) -> None:
        if (row < 0.0).any():
            self.fail(place, "{what} has a negative probability", what=what)
        if abs(row.sum() - 1.0) > ROUNDED:
            self.fail(place, "{what} sums to {n:g}, not to 1", what=what, n=row.sum())

    def fail(self, place: int, message: str, /, **values: Value) -> NoReturn:
        raise TextFault.in_file(self.name, *line_and_column(self.text, place), text_of(message, values))


class ProbabilityTable:
    """The probabilities of T or of O as they are being read: the last word on every entry counts."""

    def __init__(self, actions: int, rows: int, columns: int) -> None:
        self.actions, self.rows, self.columns = actions, rows, columns
        self.content: list[list[Row]] = [[{} for _ in range(rows)] for _ in range(actions)]
        self.where = [[-1] * rows for _ in range(actions)]

    def chosen(self, action: int | None, row: int | None) -> tuple[Any, Any]:
        """What `*` stands for."""
        return (range(self.actions) if action is None else (action,), range(self.rows) if row is None else (row,))

    def set_entry(self, action: int | None, row: int | None, column: int | None, chance: float, place: int) -> None:
        actions, rows = self.chosen(action, row)
        for a_ in actions:
            content, where = self.content[a_], self.where[a_]
            for r in rows:
                where[r] = place
                if column is not None:
                    content[r][column] = chance
                else:
                    content[r] = np.full(self.columns, chance) if chance else {}

    def set_rows(self, action: int | None, row: int | None, values: Array, place: int) -> None:
        """One row for the chosen rows, or one for each."""
        actions, rows = self.chosen(action, row)
        for a_ in actions:
            for r in rows:
                self.content[a_][r] = values[r if len(values) > 1 else 0].copy()
                self.where[a_][r] = place

    def set_identity(self, action: int | None, place: int) -> None:
        for a_ in self.chosen(action, 0)[0]:
            self.content[a_] = [{row: 1.0} for row in range(self.rows)]
            self.where[a_] = [place] * self.rows

    def sparse(self, action: int) -> csr_array:
        columns, values, starts = [], [], [0]
        for row in self.content[action]:
            if isinstance(row, dict):
                places = np.fromiter(row.keys(), dtype=np.int64, count=len(row))
                chances = np.fromiter(row.values(), dtype=float, count=len(row))
            else:
                places = np.flatnonzero(row)
                chances = row[places]
            columns.append(places)
            values.append(chances)
            starts.append(starts[-1] + len(places))
        result = csr_array(
            (np.concatenate(values), np.concatenate(columns), np.array(starts)), shape=(self.rows, self.columns)
        )
        result.eliminate_zeros()
        result.sort_indices()
        return result


def a(what: str) -> str:
    """The word with its article."""
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"
