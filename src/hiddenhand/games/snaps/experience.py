"""Experience: what was seen of each opponent, game by game, kept in a file between evenings (thesis, section 6.4.1).

Of every opponent, by name, two things are counted in finished games, where all cards lie open at last:

    P(move | situation)   how often he makes which class of moves in which situation (see `beliefs.statistics`)
    P(card | move)        how often he still held a certain card when he made a move of a certain class

The first is what beliefs need: Bayes' rule turns it round (see `experienced`). The second is for people to read.

    hiddenhand experience snaps evenings.json --from my_games      adds games that were saved
    hiddenhand experience snaps evenings.json --who person         shows what is known of somebody
    hiddenhand play snaps --experience evenings.json --against experienced:file=evenings.json
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game
from hiddenhand.core.record import Record
from hiddenhand.core.saved_games import saved_games
from hiddenhand.core.text import Text
from hiddenhand.games.snaps.beliefs.statistics import (
    CLASSES,
    ENTRIES,
    FOLLOW_AT,
    KONTRA_AT,
    LEAD_AT,
    NAMING_AT,
    REKONTRA_AT,
    ROLES,
    SETS,
    SITUATIONS,
    WINNERS,
    class_of,
    entry_of,
)
from hiddenhand.games.snaps.cards import ACE, CARDS, KING, NONE, OVER_KNAVE, RANKS, SEATS, TEN, Array, bit, suit_of
from hiddenhand.games.snaps.imitation_data import OnPaper
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.rules import legal, play, turn
from hiddenhand.games.snaps.state import TRICKS, trump_of
from hiddenhand.kernel import OVER, copy, new_records, rule

FORMAT = "hiddenhand experience"

# --- counting -------------------------------------------------------------------------------------

EVENTS = 2 * CLASSES  # classes of leads, then classes of follows
COLUMNS = ("named card", "trump A", "trump 10", "its A", "its 10", "its K", "its O", "lower")
NAMED_AT, TRUMP_ACE_AT, TRUMP_TEN_AT, ACE_AT, TEN_AT, KING_AT, OVER_AT, LOWER_AT = range(len(COLUMNS))


@rule
def count_game(start, actions, seat, work, moves, held, free):
    """Count the moves of a seat in one game.

    start   records[1]: the game as it was dealt; actions int64[plies]; work: room for a game and for a view
    moves   int64[ENTRIES]: grows by one for every decision between several moves
    held    int64[EVENTS, columns]: how often he held such a card after such a move; free: of how often that was open
    """
    s, view = work[0], work[1]
    copy(s, start[0])
    rng = np.zeros(1, np.uint64)
    offered = np.empty(CARDS + 8, np.int64)
    for i in range(len(actions)):
        if turn(s) == OVER:
            break
        mover = turn(s)
        n = legal(s, offered)
        if mover == seat and n > 1:
            observe(s, mover, view)
            entry, _ = entry_of(view, mover, offered, n, actions[i])
            moves[entry] += 1
            if s.phase == TRICKS and actions[i] < 3 * CARDS:
                event = class_of(view, mover, actions[i]) + (0 if s.plays & 3 == 0 else CLASSES)
                note_cards(s, mover, actions[i] % CARDS, held[event], free[event])
        play(s, actions[i], rng)


@rule
def note_cards(s, seat, card, held, free):
    """Which cards he holds beside the one he plays, of those that have not been seen on the table."""
    left = np.int64(s.hands[seat]) & ~bit(card)
    unseen = np.int64((1 << CARDS) - 1) & ~bit(card)
    for i in range(s.plays):
        unseen &= ~bit(s.played[i])
    suit = suit_of(card)
    note(s.named, left, unseen, held, free, NAMED_AT)
    note(trump_of(s) * RANKS + ACE, left, unseen, held, free, TRUMP_ACE_AT)
    note(trump_of(s) * RANKS + TEN, left, unseen, held, free, TRUMP_TEN_AT)
    note(suit * RANKS + ACE, left, unseen, held, free, ACE_AT)
    note(suit * RANKS + TEN, left, unseen, held, free, TEN_AT)
    note(suit * RANKS + KING, left, unseen, held, free, KING_AT)
    note(suit * RANKS + OVER_KNAVE, left, unseen, held, free, OVER_AT)
    for lower in range(suit * RANKS, card):
        note(lower, left, unseen, held, free, LOWER_AT)


@rule
def note(card, left, unseen, held, free, column):
    if unseen >> card & 1:
        free[column] += 1
        if left >> card & 1:
            held[column] += 1


def moves_on(game: Game, paper: OnPaper) -> Array:
    """int64[ENTRIES]: how often which moves were made in games on paper, by those who are learned from."""
    seen, work = Seen(), new_records(game.rules.state, 2)
    for g in range(len(paper.actions)):
        actions = paper.actions[g][paper.actions[g] != NONE].astype(np.int64)
        for seat in range(SEATS):
            if int(paper.heeded[g]) >> seat & 1:
                count_game(paper.starts[g : g + 1], actions, seat, work, seen.moves, seen.held, seen.free)
    return seen.moves


@dataclass
class Seen:
    """What was seen of one opponent."""

    games: int = 0
    moves: Array = field(default_factory=lambda: np.zeros(ENTRIES, np.int64))
    held: Array = field(default_factory=lambda: np.zeros((EVENTS, len(COLUMNS)), np.int64))
    free: Array = field(default_factory=lambda: np.zeros((EVENTS, len(COLUMNS)), np.int64))

    def to_json(self) -> dict[str, Any]:
        entries = np.flatnonzero(self.moves)
        moves = {str(entry): int(self.moves[entry]) for entry in entries}
        return {"games": self.games, "moves": moves, "held": self.held.tolist(), "free": self.free.tolist()}

    @classmethod
    def from_json(cls, data: Any) -> "Seen":
        seen = cls(int(data["games"]))
        for entry, times in data["moves"].items():
            seen.moves[int(entry)] = int(times)
        seen.held[:], seen.free[:] = np.array(data["held"]), np.array(data["free"])
        if min(seen.games, seen.moves.min(), seen.held.min(), (seen.free - seen.held).min()) < 0:
            raise ValueError("counts are not negative")
        return seen


# --- the file -------------------------------------------------------------------------------------


class Experience:
    """What is known of opponents, by name."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.opponents: dict[str, Seen] = {}
        self.known: set[str] = set()
        """Marks of the games that have been counted: none is counted twice."""
        self.work = new_records(game.rules.state, 2)

    @classmethod
    def open(cls, game: Game, path: str | Path) -> "Experience":
        """What a file holds; nothing if there is no such file yet."""
        experience = cls(game)
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return experience
        except (OSError, UnicodeDecodeError, json.JSONDecodeError):
            raise UserError("{path} cannot be read: it is no file of experience", path=path) from None
        if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("game") != game.name:
            raise UserError("{path} is no experience with {name}", path=path, name=game.name)
        try:
            experience.known = set(map(str, data["known"]))
            experience.opponents = {str(name): Seen.from_json(seen) for name, seen in data["opponents"].items()}
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise UserError("{path} is damaged", path=path) from None
        return experience

    def save(self, path: str | Path) -> None:
        """Write all of it; a file that is there is replaced at once or not at all."""
        opponents = {name: seen.to_json() for name, seen in sorted(self.opponents.items())}
        document = {"format": FORMAT, "game": self.game.name, "known": sorted(self.known), "opponents": opponents}
        beside = Path(path).with_name(Path(path).name + ".new")
        try:
            beside.write_text(json.dumps(document) + "\n", encoding="utf-8")
            os.replace(beside, path)
        except OSError as error:
            raise UserError("{path} cannot be written: {why}", path=path, why=error.strerror) from None

    def add(self, records: Iterable[Record]) -> int:
        """Count these games, except those that were counted before; returns how many were new."""
        new = 0
        for record in records:
            mark = mark_of(record)
            if mark not in self.known and record.agents:
                self.known.add(mark)
                self.count(record)
                new += 1
        return new

    def count(self, record: Record) -> None:
        record.replay()  # refuses what is against the rules
        start = new_records(self.game.rules.state, 1)
        start[0] = record.replay(0).state
        actions = np.array(record.actions, np.int64)
        for name in dict.fromkeys(record.agents or []):
            seen = self.opponents.setdefault(name, Seen())
            seen.games += 1
            for seat in [seat for seat, who in enumerate(record.agents or []) if who == name]:
                count_game(start, actions, seat, self.work, seen.moves, seen.held, seen.free)

    def seen_of(self, name: str) -> Seen | None:
        """What is known of an opponent: by the whole name, or by its kind (`pimc` for `pimc:worlds=50`)."""
        return self.opponents.get(name) or self.opponents.get(name.partition(":")[0])

    # ---- for people

    def lines(self, who: str | None = None) -> list[str]:
        """What is known of somebody as tables; of all, how much that is."""
        if who is None:
            sentences = [
                Text("{name}: {n:,} games", name=name, n=seen.games) for name, seen in sorted(self.opponents.items())
            ]
            return list(sentences) or [Text("nothing is known of anybody yet")]
        seen = self.seen_of(who)
        if seen is None:
            names = sorted(self.opponents)
            known = Text("known are {names}", names=one_of(names)) if names else Text("nobody is known yet")
            raise UserError(
                "nothing is known of {who}{guess}; {known}",
                who=repr(who),
                guess=did_you_mean(who, names),
                known=known,
            )
        return [
            Text("{who}, seen in {n:,} games", who=who, n=seen.games),
            "",
            *card_table(seen),
            "",
            *move_table(seen),
        ]


def mark_of(record: Record) -> str:
    text = json.dumps([record.seed, record.dealt, record.options, record.actions, record.agents], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


LEAD_WORDS = (
    "dost",
    "a marriage",
    "trump 10 or A",
    "a lower trump",
    "an ace",
    "a ten",
    "king or over",
    "under or nine",
)
FOLLOW_WORDS = (
    "dost", "wins, trump 10 or A", "wins, a lower trump", "wins, 10 or A", "wins, lower", "loses 10 or A",
    "loses king or over", "loses under or nine",
)  # fmt: skip
NAMING_WORDS = (
    "his own best of three", "another", "lacks the best, has 1", "has 2", "2, his longest", "has 3", "3, his longest",
    "has 4 or more",
)  # fmt: skip
ROLE_WORDS = ("chooser", "partner", "opponent")


def card_table(seen: Seen) -> list[str]:
    """P(card | move): a row a move, a column a card; "its" is of the suit that he played."""
    rows = [["P(card | move)", "moves", *COLUMNS]]
    for event in range(EVENTS):
        if seen.free[event].any():
            word = f"leads {LEAD_WORDS[event]}" if event < CLASSES else FOLLOW_WORDS[event - CLASSES]
            rows.append([word, *card_cells(seen.held[event], seen.free[event])])
    rows.append(["any move", *card_cells(seen.held.sum(axis=0), seen.free.sum(axis=0))])
    return in_columns(rows)


def card_cells(held: Array, free: Array) -> list[str]:
    chances = [f"{held[i] / free[i]:.0%}" if free[i] else "" for i in range(len(COLUMNS))]
    return [str(int(free[:LOWER_AT].max())), *chances]


def move_table(seen: Seen) -> list[str]:
    """P(move | situation): what he does, by where he is."""
    counts = seen.moves.reshape(SITUATIONS, SETS, CLASSES).sum(axis=1)
    sentences = []
    for words, title, groups in (
        (LEAD_WORDS, "leads", grouped(LEAD_AT, FOLLOW_AT, lambda at: f"as {ROLE_WORDS[at % ROLES]}")),
        (FOLLOW_WORDS, "follows", grouped(FOLLOW_AT, SITUATIONS, follow_words)),
        (NAMING_WORDS, "names", {"the card": [NAMING_AT]}),
        (("pass", "kontra"), "answers", {"kontra": list(range(KONTRA_AT, REKONTRA_AT))}),
    ):
        sentences += shares(title, words, {name: counts[at].sum(axis=0) for name, at in groups.items()})
    return sentences


def grouped(first: int, last: int, name: Any) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at in range(first, last):
        found.setdefault(name(at - first), []).append(at)
    return found


def follow_words(at: int) -> str:
    """By who wins the trick so far."""
    return ("a friend wins", "a foe wins", "unknown wins")[at // (2 * ROLES) % WINNERS]


def shares(title: str, words: tuple[str, ...], rows: dict[str, Array]) -> list[str]:
    """How often each class of moves was made; classes that never were are left out."""
    used = [k for k, word in enumerate(words) if word and any(row[k] for row in rows.values())]
    if not used:
        return []
    table = [[f"P({title} | situation)", "moves", *(words[k] for k in used)]]
    for name, row in rows.items():
        total = sum(int(row[k]) for k in used)
        if total:
            table.append([name, str(total), *(f"{row[k] / total:.0%}" for k in used)])
    return ["", *in_columns(table)] if title != "leads" else in_columns(table)


def in_columns(rows: list[list[str]]) -> list[str]:
    """The first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join([f"{row[0]:<{widths[0]}}", *(f"{text:>{width}}" for text, width in zip(row[1:], widths[1:]))])
        for row in rows
    ]


def tell_experience(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game that experience is gathered of.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where it is kept; begun if it is not there.")],
    from_records: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="RECORDS", help="Saved games to add: a file or a folder; may be repeated."),
    ] = None,
    who: Annotated[
        str | None, typer.Option("--who", metavar="NAME", help="Of whom to tell: an agent, or person. [who is known]")
    ] = None,
) -> None:
    """What is known of opponents from earlier games, as tables; no game is counted twice."""
    if not from_records and not file.is_file():
        raise UserError("there is no file {file}; --from adds games to it", file=file)
    of = resolver.game(game)
    known = Experience.open(of, file)
    if from_records:
        games = saved_games(of, from_records)
        added = known.add(games)
        known.save(file)
        print(f"{added:,} of {len(games):,} games were new; {file} has them now")
    print("\n".join(known.lines(who)))
