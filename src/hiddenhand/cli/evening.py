"""One game at the terminal: people and agents in turn, commands and advice, and the open table of the test bench."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hiddenhand.cli.output import complain
from hiddenhand.core.errors import IllegalAction, UserError

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.table import Table

PERSON = "person"
HELP = """\
  a move        as it is written in the list of moves; several at once: 8/5 6/5
  ?             what would a good player do, and why?
  why           why did my opponent play that? (where nothing is hidden, on the bench, or when the game is over)
  moves         list the legal moves
  undo          take my last move back (where things are hidden: only if it told me nothing and nobody moved since)
  help WORD     what a word of the game means, such as a card
  save FILE     save the game so far
  quit          save and leave; `hiddenhand play --from FILE` goes on"""


class Leaving(Exception):
    """The person wants to stop."""


class Evening:
    """One game between people and agents at this terminal."""

    def __init__(
        self,
        table: Table,
        people: list[int],
        agents: dict[int, Agent],
        expert: Agent,
        save: Path,
        open_cards: bool = False,
        delay: float = 0.0,
    ) -> None:
        self.table = table
        self.people = people
        self.agents = agents
        self.expert = expert
        self.save_path = save
        self.open_cards = open_cards
        self.delay = delay
        """The fewest seconds that an agent takes for a move."""
        self.patient = sys.stdin.isatty()
        """A person can try again after a slip; a script gets an error."""
        self.seen = 0
        self.shown_to: int | None = None

    def play(self) -> int:
        """Until the game is over or the person leaves; the exit status."""
        names = [PERSON if s in self.people else str(self.agents[s]) for s in range(self.table.game.players)]
        print(f"{self.table.game.title}: " + ", ".join(f"seat {s} {name}" for s, name in enumerate(names)))
        if self.people:
            print("Type a move, ? for advice, help for more.")
        try:
            if self.watched and self.table.turn in self.agents:
                self.show(self.ears)
            while not self.table.over:
                if self.table.turn in self.people:
                    self.person()
                else:
                    self.agent()
        except Leaving:
            return self.leave(0)
        except KeyboardInterrupt:
            print()
            return self.leave(130)
        self.report()
        self.show(self.ears)
        self.result()
        return 0

    @property
    def watched(self) -> bool:
        """Whether every move is shown as it is made, and not only when a person is to move."""
        return self.open_cards or self.delay > 0.0 or not self.people

    @property
    def ears(self) -> int:
        """The seat whose knowledge the screen shows."""
        return self.shown_to if self.shown_to is not None else (self.people or [0])[0]

    # ---- agents

    def agent(self) -> None:
        """Let the agent whose turn it is move, not before its time has passed."""
        started = time.monotonic()
        action = self.table.ask(self.agents[self.table.turn]).action
        time.sleep(max(0.0, started + self.delay - time.monotonic()))
        self.table.play(action)
        if self.watched:
            self.report()
            if (self.open_cards or not self.people) and self.table.turn in self.agents:
                self.show(self.ears)

    # ---- people

    def person(self) -> None:
        """Show what the person sees, and read until a move is made."""
        seat = self.table.turn
        if len(self.people) > 1 and self.table.game.hidden and self.shown_to not in (None, seat) and self.patient:
            self.read_line(f"\nseat {seat}, press Enter when nobody else is looking: ")
        self.shown_to = seat
        self.report()
        self.show(seat)
        before = len(self.table.actions)
        while len(self.table.actions) == before and not self.table.over:
            line = self.read_line(f"seat {seat}> ").strip()
            if line and not self.command(line):
                try:
                    self.moves(line)
                except IllegalAction as error:
                    if not self.patient:
                        raise
                    complain(str(error), 0)

    def read_line(self, prompt: str) -> str:
        try:
            return input(prompt)
        except EOFError:
            print()
            raise Leaving from None

    def command(self, line: str) -> bool:
        """Do what the line asks for, if it is a command."""
        word, _, rest = line.partition(" ")
        if line == "?":
            print(self.table.ask(self.expert, explain=True))
        elif word == "why":
            self.why()
        elif word == "moves":
            print(self.list_moves())
        elif word == "undo":
            self.undo()
        elif word == "save" and rest:
            self.save(Path(rest))
        elif word in ("quit", "exit", "q"):
            raise Leaving
        elif word in ("help", "h"):
            self.help(rest)
        else:
            return False
        return True

    def help(self, word: str) -> None:
        """The commands, or the meaning of a word of the game."""
        meaning = self.table.game.meaning(word) if word and self.table.game.meaning is not None else ""
        if word and not meaning:
            complain(f"nothing is known about {word!r}", 0)
        else:
            print(meaning or HELP)

    def moves(self, line: str) -> None:
        """Play the line as one move, or else as several, as long as they are this person's."""
        try:
            self.table.play(line)
        except IllegalAction as whole:
            seat, before = self.table.turn, len(self.table.actions)
            for word in line.replace(",", " ").replace(";", " ").split():
                if self.table.turn != seat:
                    raise IllegalAction(f"your turn was over before {word!r}") from None
                try:
                    self.table.play(word)
                except IllegalAction:
                    if len(self.table.actions) == before:
                        raise whole from None
                    raise

    def undo(self) -> None:
        """Back to this person's previous decision."""
        seat = self.table.turn
        if seat not in self.table.movers:
            complain("there is nothing to take back", 0)
            return
        if self.table.game.hidden and not self.open_cards:
            if self.table.movers[-1] != seat:
                complain("somebody has moved since; your move stands", 0)
                return
            if self.table.told_something(seat):
                complain("that move showed you something you did not know; it stands", 0)
                return
        back = 0
        for mover in reversed(self.table.movers):
            back += mover >= 0
            if mover == seat:
                break
        self.table.undo(back)
        self.seen = min(self.seen, len(self.table.actions))
        self.show(seat)

    def why(self) -> None:
        """The reasons of the agent that moved last."""
        table = self.table
        plies = [i for i, mover in enumerate(table.movers) if mover in self.agents]
        if not plies:
            complain("no agent has moved yet", 0)
        elif table.game.hidden and not table.over and not self.open_cards:
            complain("that would show what you may not see; ask when the game is over", 0)
        else:
            then = table.record().replay(plies[-1])
            print(then.ask(self.agents[then.turn], explain=True))

    # ---- the screen

    def report(self) -> None:
        """Say what has happened since, as far as the people at this terminal may know."""
        table = self.table
        then = table.record().replay(self.seen) if self.seen < len(table.actions) else None
        while then is not None and self.seen < len(table.actions):
            mover, action = table.movers[self.seen], table.actions[self.seen]
            heard = table.moves[self.seen] if self.open_cards else then.hear(action, self.ears)
            before = then.state.copy()
            then.play(action)
            self.seen += 1
            if self.open_cards:
                print()
            if mover < 0 and heard:
                print(f"chance: {heard}")
            elif mover in self.agents and heard:
                print(f"seat {mover} ({self.agents[mover].name}): {heard}")
            elif mover in self.people and heard != table.moves[self.seen - 1] and heard:
                print(heard)  # an umpire's answer
            if table.game.news is not None:
                for sentence in table.game.news(before, then.state, self.ears):
                    print(f"    {sentence}")

    def show(self, seat: int) -> None:
        """What a seat sees, or on the test bench everything; and its moves if it is to move."""
        print()
        if self.open_cards:
            print(self.table.open_text(self.agents))
        else:
            print(self.table.view(seat).screen())
        if self.table.turn == seat and seat in self.people:
            print(self.list_moves())

    def list_moves(self, most: int = 24) -> str:
        names = [self.table.text(action) for action in self.table.legal()]
        shown = "  ".join(names[:most])
        return f"moves: {shown}" + (f"  ... ({len(names)} in all)" if len(names) > most else "")

    def result(self) -> None:
        payoffs = self.table.payoffs()
        if self.table.game.utility == "cooperative":
            print(f"The game is over: {payoffs[0]:g} points.")
            return
        if len(payoffs) == 1:  # nobody to win against
            print(f"The game is over: {payoffs[0]:+g}.")
            return
        best = max(payoffs)
        shared = min(payoffs) == best if self.table.game.sides else payoffs.count(best) > 1
        for seat in self.people or range(len(payoffs)):
            word = "lost" if payoffs[seat] < best else "drew" if shared else "won"
            print(f"The game is over: seat {seat} {word} ({payoffs[seat]:+g}).")

    # ---- leaving

    def save(self, path: Path) -> None:
        names = [PERSON if s in self.people else str(self.agents[s]) for s in range(self.table.game.players)]
        try:
            self.table.record(names).save(path)
        except OSError as error:
            raise UserError(f"cannot save to {path}: {error.strerror}") from None
        print(f"saved in {path}")

    def leave(self, status: int) -> int:
        if self.table.actions:
            self.save(self.save_path)
            print(f"go on with: hiddenhand play --from {self.save_path}")
        return status
