"""A session at the terminal: people and agents in turn, commands and advice, and what comes after the last move."""

from __future__ import annotations

import re
import shlex
import sys
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from hiddenhand.cli.options import games_folder
from hiddenhand.cli.output import complain, language, rendered, say, say_all
from hiddenhand.cli.series import Series, compiled, review_lines
from hiddenhand.core.agent_pool import AgentPool
from hiddenhand.core.errors import Forfeit, IllegalAction, UserError
from hiddenhand.core.extras import OpponentHistory, load
from hiddenhand.core.game import guide_of, meaning_of
from hiddenhand.core.record import FORMAT, Record, load_record
from hiddenhand.core.session import PERSON, Session, next_level
from hiddenhand.core.text import Seat, Text

if TYPE_CHECKING:
    from hiddenhand.core.session import Question

HELP = (
    (Text("a move"), Text("as it is written in the list of moves, or the beginning of it; several at once: 8/5 6/5")),
    ("?", Text("what would a good player do, and why?")),
    ("why", Text("why was the last move of an agent played? (where things are hidden: when the game is over)")),
    ("why 7", Text("why was move 7 played?")),
    ("why not MOVE", Text("and why not this one? (of what was asked last; `why 7 not MOVE` asks of move 7)")),
    ("moves", Text("list the legal moves")),
    ("analyse", Text("what more can be said of the position, such as which cards are critical and which hints help")),
    ("log", Text("what has been played so far, with numbers")),
    (
        "undo",
        Text("take my last move back (where things are hidden: only if it told me nothing and nobody moved since)"),
    ),
    ("rules", Text("how to play this game, its aim and its words")),
    ("help WORD", Text("what a word of the game means, such as a card")),
    ("save FILE", Text("save the game so far")),
    ("quit", Text("save and leave; `hiddenhand play --from FILE` goes on")),
)
HELP_BENCH = (
    ("Enter", Text("the next move")),
    ("go", Text("on without stopping; Ctrl-C stops")),
    ("back", Text("one move back; `back 3`: three")),
    ("why", Text("why was the last move played? `why 7`, `why 7 not MOVE`")),
    ("belief 2", Text("all that player 2 believes: every card, what is certain, who plays with whom")),
    ("look", Text("the table again")),
    ("log", Text("what has been played so far, with numbers")),
    ("save FILE", Text("save the game so far")),
    ("quit", Text("save and leave")),
)
HELP_AFTERWARDS = (
    (
        "review",
        Text("go through the game: what every slip cost, and what would have been better; `review 2`: deal 2"),
    ),
    ("score", Text("of the series so far")),
    ("why 7", Text("why was move 7 played? `why 7 not MOVE`: and why not that?")),
    ("log", Text("what has been played, with numbers")),
    ("look 7", Text("the table before move 7, with everybody's cards")),
    ("branch 7", Text("play on from before move 7, as another game")),
    ("next", Text("another deal")),
    ("save FILE", Text("save the game there too")),
    ("rules", Text("how to play this game, its aim and its words")),
    ("help WORD", Text("what a word of the game means, such as a card")),
    ("quit", Text("leave")),
)
WHY = re.compile(r"(?P<number>\d+)?\s*(?:not\s+(?P<other>.+))?")

DEAL = ("game", "version", "options", "seed", "dealt", "opening")
"""The fields of a record that two games must share to be the same deal."""


@dataclass(frozen=True)
class Habits:
    """How somebody likes to play at the terminal."""

    adviser: str | None = None
    save: Path | None = None
    delay: float = 0.0
    deals: int = 1
    """So many in a row, everybody moving on by a seat."""
    step: bool = False
    """A bench: agents wait until they are told to move."""
    experience: Path | None = None
    """The file to which what is seen of the others is added."""
    source: Path | None = None
    """The file of the saved game that is gone on with."""


class Leaving(Exception):
    """The person wants to stop."""


class Terminal:
    """A person's series at the terminal: one session, and when it is over perhaps the next."""

    def __init__(self, session: Session, habits: Habits | None = None) -> None:
        habits = habits or Habits()
        self.adviser = habits.adviser
        """Who answers `?`; otherwise whoever suits the others."""
        self.save_path = habits.save or habits.source
        """Where the game is saved when it ends or the person leaves; otherwise among the user's data."""
        self.delay = habits.delay
        """The fewest seconds that an agent takes for a move."""
        self.patient = sys.stdin.isatty()
        """A person can try again after a slip; a script gets an error."""
        self.series = Series(session, habits.deals)
        self.stepping = habits.step
        """Whether agents wait until they are told to move."""
        self.bench = habits.step
        self.experience = habits.experience
        self.sit_down(session)

    def sit_down(self, session: Session) -> None:
        self.session = session
        self.kept = session.over
        """Whether the whole game is in a file already."""
        self.told: dict[int, int] = {}
        """Up to which ply a seat has been told what happened."""
        self.shown_to: int | None = None
        self.asked: Question | None = None

    def play(self) -> int:
        """Until the person leaves; the exit status."""
        try:
            while True:
                self.introduce()
                while not self.session.over:
                    self.turn()
                self.finish()
                self.sit_down(self.afterwards())
        except Leaving:
            return self.leave(0)
        except KeyboardInterrupt:
            print()
            return self.leave(130)
        except UserError:  # a slip in a script
            self.leave(2)
            raise

    def turn(self) -> None:
        """Somebody moves; on a bench that runs, Ctrl-C stops it."""
        try:
            self.person() if self.session.agent_to_move() is None else self.agent()
        except KeyboardInterrupt:
            if not self.bench or self.stepping:
                raise
            self.stepping = True
            print()

    def introduce(self) -> None:
        """Who plays what."""
        players = [
            Text("{who} {kind}", who=Seat(seat), kind=kind_of(who)) for seat, who in enumerate(self.session.seats)
        ]
        say(Text("{game}: {players}", game=self.session.game.title, players=Text.joined(", ", players)))
        if self.session.people and not self.session.over:
            say(Text("Type a move, ? for advice, help for more."))
        elif self.bench and not self.session.over:
            say(Text("Press Enter for the next move; help says more."))
        if self.watched and self.session.agent_to_move() is not None:
            self.show()

    @property
    def watched(self) -> bool:
        """Whether every move is shown as it is made, and not only when a person is to move."""
        return self.session.open_cards or self.delay > 0.0 or not self.session.people

    @property
    def viewer(self) -> int:
        """The seat whose knowledge the screen shows."""
        return self.shown_to if self.shown_to is not None else (self.session.people or [0])[0]

    # ---- moves

    def agent(self) -> None:
        """Let the agent whose turn it is move, not before its time has passed, nor before it is told to."""
        if self.stepping and not self.wait_for_step():
            return
        session, started = self.session, time.monotonic()
        with session.agents.lend(session.game, session.seats[session.table.turn]) as agent:
            try:
                action = session.decide(session.table, agent, wait)
            except Forfeit as fault:
                session.give_up(str(fault))
                return
        time.sleep(max(0.0, started + self.delay - time.monotonic()))
        session.play(action)
        if self.watched:
            self.report()
            if (session.open_cards or not session.people) and session.agent_to_move() is not None:
                self.show()

    def wait_for_step(self) -> bool:
        """Commands of the bench, until the next move is wanted; False if the game has gone back."""
        before = len(self.session.steps)
        while len(self.session.steps) == before:
            line = self.read_line("step> ")
            word, _, rest = line.partition(" ")
            if word in ("", "step"):
                return True
            if word == "go":
                self.stepping = False
                return True
            try:
                if word == "back":
                    self.go_back(rest)
                elif word == "look":
                    self.show()
                elif not self.command(line):
                    self.slip(IllegalAction("{line} is no command; help lists them", line=repr(line)))
            except IllegalAction:
                raise
            except UserError as error:
                complain(error.text, 0)
        return False

    def go_back(self, rest: str) -> None:
        """Some decisions back; what chance did since is taken back too."""
        session = self.session
        decisions = [ply for ply, step in enumerate(session.steps) if step.mover >= 0]
        count = move_number(rest) if rest else 1
        if count > len(decisions):
            raise UserError(
                Text.plural("only {n} move has been made", "only {n} moves have been made", n=len(decisions))
            )
        session.return_to(session.table_after(decisions[-count]))
        self.told = {viewer: min(ply, len(session.steps)) for viewer, ply in self.told.items()}
        self.show()

    def belief(self, rest: str) -> None:
        """All that a seat believes."""
        if not rest.strip().isdigit():
            raise UserError("say the number of a player, such as `belief 2`")
        say(self.session.belief_text(int(rest) - 1))

    def person(self) -> None:
        """Show what the person sees, and read until a move is made."""
        session, seat = self.session, self.session.table.turn
        if len(session.people) > 1 and not session.revealed and self.shown_to not in (None, seat) and self.patient:
            self.read_line(Text("\n{who}, press Enter when nobody else is looking: ", who=Seat(seat)))
        self.shown_to = seat
        self.report()
        self.show()
        before = len(session.steps)
        while len(session.steps) == before and not session.over:
            line = self.read_line(Text("{who}> ", who=Seat(seat)))
            if line and not self.command(line):
                try:
                    self.play_line(line)
                except IllegalAction as error:
                    self.slip(error)

    def play_line(self, line: str) -> None:
        """Play what was typed: a move as the screen writes it, or as records do, or several in a row."""
        table = self.session.table
        actions = table.legal_actions()
        place = as_shown(line, [rendered(table.action_name(action)) for action in actions])
        if place is None:
            self.session.play_text(line)
        else:
            self.session.play(actions[place])

    def afterwards(self) -> Session:
        """Questions, until another game is wanted; in a series of agents alone the next comes by itself."""
        series = self.series.deals > 1
        if series and not self.series.over and not self.session.people and not self.bench:
            return self.session.next_deal(moving=True)
        while True:
            line = self.read_line("over> ")
            word, _, rest = line.partition(" ")
            if word in ("next", "n") or (series and not word and not self.series.over):
                return self.session.next_deal(moving=series)
            try:
                if word == "branch":
                    return self.session.branch(move_number(rest) - 1)
                if word == "look":
                    say(self.session.replay(self.session.table.history[: move_number(rest) - 1]).open_text())
                elif word == "review":
                    self.review(rest)
                elif word == "score":
                    say_all(self.series.score())
                elif word in ("?", "moves", "undo"):
                    raise UserError("the game is over: `why N` explains a move, `branch N` goes back to one")
                elif word and not self.command(line):
                    self.slip(IllegalAction("{line} is no command; help lists them", line=repr(line)))
            except IllegalAction:
                raise
            except UserError as error:
                complain(error.text, 0)

    def slip(self, error: IllegalAction) -> None:
        if not self.patient:
            raise error
        complain(error.text, 0)

    def read_line(self, prompt: str) -> str:
        try:
            return input(rendered(prompt)).strip()
        except EOFError:
            print()
            raise Leaving from None

    # ---- commands

    def command(self, line: str) -> bool:
        """Do what the line asks for, if it is a command."""
        word, _, rest = line.partition(" ")
        if word in ("quit", "exit", "q"):
            raise Leaving
        commands = {"why": self.why, "log": self.list_log, "help": self.help, "h": self.help, "rules": self.rules}
        if self.session.revealed:
            commands["belief"] = self.belief
        if rest:
            commands["save"] = self.save
        if not self.session.over:
            commands |= {"?": self.advise, "moves": self.list_moves, "undo": self.undo, "analyse": self.analyse}
        if word not in commands:
            return False
        try:
            commands[word](rest)
        except UserError as error:
            complain(error.text, 0)
        return True

    def advise(self, rest: str) -> None:
        """What a good player would do."""
        self.asked = self.session.ask_advice([self.session.table.turn], self.adviser)
        self.answer("")

    def analyse(self, rest: str) -> None:
        """What can be said of the position, from the seat that is to move."""
        view = self.session.table.view(self.session.table.turn)
        if self.session.game.people.analysis is None:
            raise UserError("{game} has nothing to say of a position", game=self.session.game.title)
        say_all(self.session.game.people.analysis(view.record, view.seat))

    def why(self, rest: str) -> None:
        """The reasons for a move: `why`, `why 7`, `why not MOVE`, `why 7 not MOVE`."""
        read = WHY.fullmatch(rest.strip())
        if read is None:
            raise UserError("write `why`, `why 7`, `why not MOVE` or `why 7 not MOVE`")
        number, other = read["number"], read["other"] or ""
        if number is not None or not other or self.asked is None:
            ply, log = self.last_choice() if number is None else int(number) - 1, self.session.log(self.viewer)
            if not 0 <= ply < len(log):
                raise UserError("there is no move {move}: {n} have been made", move=ply + 1, n=len(log))
            if log[ply].seat < 0:
                raise UserError("move {n} was made by chance", n=ply + 1)
            self.asked = self.session.ask_why(self.viewer, ply, self.own_seats())
            say(Text("move {n}, {who}: {move}", n=ply + 1, who=self.who(log[ply].seat), move=log[ply].text))
        self.answer(other)

    def answer(self, other: str) -> None:
        """Let the agent that was asked say why."""
        assert self.asked is not None
        with self.session.agents.lend(self.session.game, self.asked.who) as agent:
            say_all(self.session.answer(self.asked, agent, self.as_recorded(other), wait).lines())

    def as_recorded(self, move: str) -> str:
        """A move that was typed as the screen writes it, as records write it."""
        assert self.asked is not None
        table = self.session.replay(self.asked.actions)
        texts = [table.action_name(action) for action in table.legal_actions()]
        place = as_shown(move, [rendered(text) for text in texts]) if move else None
        return move if place is None else texts[place]

    def last_choice(self) -> int:
        """The last move of an agent, or of anybody if no agent plays, as the viewer counts."""
        session = self.session
        chosen = [ply for ply, step in enumerate(session.steps) if step.mover >= 0 and self.is_agent(step.mover)]
        if not chosen:
            raise UserError("no agent has moved yet")
        return session.ply_for(self.viewer, chosen[-1])

    def is_agent(self, seat: int) -> bool:
        return self.session.seats[seat] != PERSON

    def own_seats(self) -> list[int]:
        """The seats whose past may be asked about now: with several people, of the one who looks."""
        return [self.viewer] if self.session.people else []

    def undo(self, rest: str) -> None:
        """Back to this person's previous decision."""
        session = self.session
        session.undo(session.people if session.revealed else [session.table.turn])
        self.told = {viewer: min(ply, len(session.steps)) for viewer, ply in self.told.items()}
        self.shown_to = session.table.turn  # who is asked now, and is shown the table

    def help(self, word: str) -> None:
        """How to play and the commands, or the meaning of a word of the game."""
        meaning = meaning_of(self.session.game, word) if word else ""
        if word and not meaning:
            raise UserError("nothing is known about {word}", word=repr(word))
        if not word:
            self.rules()
        if meaning:
            say(meaning)
        else:
            commands = HELP_AFTERWARDS if self.session.over else HELP_BENCH if self.bench else HELP
            say_all(Text("  {command:<13} {what}", command=command, what=what) for command, what in commands)

    def rules(self, rest: str = "") -> None:
        """The guide to the game."""
        print(guide_of(self.session.game, language()) + "\n")

    # ---- the screen

    def report(self) -> None:
        """Say what has happened since, as far as the people at this terminal may know."""
        session = self.session
        place = 0 if session.revealed else self.viewer
        since = self.told.get(place, 0)
        for step, entry in session.heard(self.viewer, since):
            if session.open_cards:
                print()
            typed_here = step.mover >= 0 and not self.is_agent(step.mover)
            if entry.text and not typed_here:
                say(Text("{who}: {what}", who=self.who(entry.seat), what=entry.text))
            elif entry.text and entry.text != step.text:
                say(entry.text)  # an umpire's answer
            for sentence in entry.news:
                say(Text("    {what}", what=sentence))
        self.told[place] = len(session.steps)

    def who(self, seat: int) -> str:
        """A mover in words."""
        if seat < 0:
            return Text("chance")
        return Text("{who} ({kind})", who=Seat(seat), kind=kind_of(self.session.seats[seat]))

    def show(self) -> None:
        """What the screen's seat sees, or on the test bench everything; and its moves if it is to move."""
        session, seat = self.session, self.viewer
        print()
        if session.open_cards or (session.over and session.game.hidden):
            say(session.open_text())
        else:
            say(session.table.view(seat).screen())
        if session.table.turn == seat and seat in session.people:
            self.list_moves()

    def list_moves(self, rest: str = "", most: int = 24) -> None:
        names = [self.session.table.action_name(action) for action in self.session.table.legal_actions()]
        shown = Text.joined("  ", names[:most])
        if len(names) > most:
            say(Text("moves: {moves}  ... ({n} in all)", moves=shown, n=len(names)))
        else:
            say(Text("moves: {moves}", moves=shown))

    def list_log(self, rest: str = "") -> None:
        for entry in self.session.log(self.viewer):
            say(Text("{n:4}  {who}: {what}", n=entry.ply + 1, who=self.who(entry.seat), what=entry.text))

    # ---- the end, and leaving

    def finish(self) -> None:
        """The last move, all hands, the result with its reason; and the game is kept."""
        session = self.session
        self.report()
        self.show()
        say(Text("The game is over: {result}.", result=session.outcome()))
        session.tell_result()
        if (better := next_level(session)) is not None:
            level = {"name": better.name, "about": better.about, "agent": better.agent}
            say(Text("Next level: {name} ({about}): --against {agent}", **level))
        if not self.kept:
            self.keep()
        self.gather()
        self.series.add(session)
        if self.series.deals > 1:
            say(Text("\nAfter {n} of {all} deals:", n=len(self.series.played), all=self.series.deals))
            say_all(self.series.score())
            if self.series.over:
                self.review_all()
        say(
            Text(
                "`why N` explains move N of {n}, `next` deals again, `help` says more, `quit` leaves.",
                n=len(session.steps),
            )
        )

    def gather(self) -> None:
        """What was seen of the others is added to the experience, if there is such a file."""
        session = self.session
        history = session.game.extra(OpponentHistory)
        if self.experience is None or history is None:
            return
        gathered = load(history.maker).open(session.game, self.experience)
        if gathered.add([session.record()]):
            gathered.save(self.experience)
            say(Text("noted in {file}", file=self.experience))
        session.agents = AgentPool(session.agents.resolver)  # who reads that file reads it anew

    def review_all(self) -> None:
        """Every deal of the series again."""
        for number in range(len(self.series.played)):
            print()
            self.review(str(number + 1))

    def review(self, rest: str) -> None:
        """Go through a deal of the series, the last one if none is named, and tell what was thrown away."""
        from hiddenhand.core.review import review

        played = self.series.played
        number = move_number(rest) if rest else len(played)
        if number > len(played):
            raise UserError(Text.plural("{n} deal has been played", "{n} deals have been played", n=len(played)))
        session = played[number - 1]
        with compiled():
            done = review(session)
        say_all(review_lines(done, number, session.outcome()))

    def keep(self) -> None:
        """Save the game, finished or not, where it was asked for or among the user's data; no other game is lost."""
        record = self.session.record()
        path = self.save_path
        if path is None:
            name = f"{self.session.game.name}-{time.strftime('%Y%m%d-%H%M%S')}-{record.seed % 2**32:08x}"
            path = games_folder() / f"{name}.json"
        path = free_path(path.expanduser(), record)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.save(str(path))
        except (OSError, UserError) as error:
            complain(Text("the game could not be kept: {why}", why=error), 0)
        else:
            if not self.session.over:
                say(Text("go on with: {command}", command=f"hiddenhand play --from {shlex.quote(str(path))}"))
        self.kept = True

    def save(self, path: str) -> None:
        place, record = Path(path).expanduser(), self.session.record()
        if free_path(place, record) != place:
            raise UserError("{path} is there already, with something else in it: choose another name", path=path)
        try:
            record.save(place)
        except OSError as error:
            raise UserError("cannot save to {path}: {why}", path=path, why=error.strerror) from None
        say(Text("saved in {path}", path=path))

    def leave(self, status: int) -> int:
        """What has been played is not lost."""
        if self.session.steps and not self.kept:
            self.keep()
        return status


def free_path(path: Path, record: Record) -> Path:
    """Where a game can be saved and nothing is lost: the path itself, or the first free of NAME-2, NAME-3, ...

    A file that holds the same game, or the beginning of it, may be replaced.
    """
    for number in count(2):
        if not path.exists() or is_beginning(path, record):
            return path
        stem = path.stem if number == 2 else path.stem.rpartition("-")[0]
        path = path.with_stem(f"{stem}-{number}")
    raise AssertionError


def is_beginning(path: Path, record: Record) -> bool:
    """Whether a file holds this game up to some move of it, in our own form."""
    try:
        earlier = load_record(path)
    except UserError:
        return False
    same = all(getattr(earlier, name) == getattr(record, name) for name in DEAL)
    begun = earlier.actions == record.actions[: len(earlier.actions)] and earlier.given_up in (None, record.given_up)
    return same and begun and FORMAT in path.read_text(encoding="utf-8")


def wait(text: str) -> None:
    """A line for somebody who waits."""
    print("...", rendered(text), file=sys.stderr, flush=True)


def kind_of(who: str) -> str:
    """Who sits in a seat, in a word: an agent by name, or a person."""
    return Text("person") if who == PERSON else who.partition(":")[0]


def as_shown(typed: str, names: list[str]) -> int | None:
    """The place of the only name that a person means who typed this, as it stands on the screen; None if none is."""
    word = " ".join(typed.lower().split())
    exact = [place for place, name in enumerate(names) if " ".join(name.lower().split()) == word]
    return exact[0] if len(exact) == 1 else None


def move_number(text: str) -> int:
    if not text.strip().isdigit() or int(text) < 1:
        raise UserError("say the number of a move, such as 7; `log` lists them")
    return int(text)
