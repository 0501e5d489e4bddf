"""A game in the terminal: `play`. A person in any seat, agents in the others, advice with reasons."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hiddenhand.cli.options import Options, read_options
from hiddenhand.cli.output import complain
from hiddenhand.core.errors import IllegalAction, UserError

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.table import Table

PERSON = "person"
HELP = """\
  a move        as it is written in the list of moves; several at once: 8/5 6/5
  ?             what would a good player do, and why?
  why           why did my opponent play that? (where nothing is hidden, or when the game is over)
  moves         list the legal moves
  undo          take my last move back
  save FILE     save the game so far
  quit          save and leave; `hiddenhand play --from FILE` goes on"""

GameName = Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game; connect_four if left out.")]
Seats = Annotated[list[int] | None, typer.Option("--seat", metavar="N", help="Your seat; may be repeated. [0]")]
Against = Annotated[
    list[str] | None,
    typer.Option("--against", "-a", metavar="AGENT", help="Who sits in the other seats: one for all, or one each."),
]
Adviser = Annotated[str | None, typer.Option("--adviser", metavar="AGENT", help="Who answers when you type ?")]
Seed = Annotated[int | None, typer.Option("--seed", "-s", metavar="S", help="Determines the deal. [random]")]
From = Annotated[Path | None, typer.Option("--from", metavar="FILE", help="Go on with a saved game.")]
Save = Annotated[Path, typer.Option("--save", metavar="FILE", help="Where the game is saved when you leave.")]
Open = Annotated[bool, typer.Option("--open", help="Show every seat's view: a test bench, not a game.")]


def play(
    game: GameName = None,
    seat: Seats = None,
    against: Against = None,
    adviser: Adviser = None,
    seed: Seed = None,
    option: Options = None,
    from_file: From = None,
    save: Save = Path("hiddenhand-game.json"),
    open_views: Open = False,
) -> None:
    """Play in the terminal. Type ? for advice with reasons."""
    from hiddenhand.core import registry
    from hiddenhand.core.record import load_record
    from hiddenhand.core.table import Table

    if from_file is not None:
        table = load_record(from_file).replay()
        table.go_on()
    else:
        chosen = registry.game(game or "connect_four", **read_options(option, game or "connect_four"))
        table = Table(chosen, fresh_seed() if seed is None else seed)
    people = sorted(set(seat if seat is not None else [0]))
    for number in people:
        if not 0 <= number < table.game.players:
            raise UserError(f"{table.game.name} has seats 0 to {table.game.players - 1}, not {number}")
    agents = opponents(table, people, against or [])
    expert = registry.agent(table.game, adviser or registry.champion(table.game))
    status = Evening(table, people, agents, expert, save, open_views).play()
    if status:
        raise typer.Exit(status)


def fresh_seed() -> int:
    from secrets import randbits

    return randbits(32)


def opponents(table: Table, people: list[int], texts: list[str]) -> dict[int, Agent]:
    """Who sits in the seats that no person has taken."""
    from hiddenhand.core import registry

    free = [seat for seat in range(table.game.players) if seat not in people]
    texts = texts or [registry.champion(table.game)]
    if len(texts) == 1:
        texts = texts * len(free)
    if len(texts) != len(free):
        raise UserError(f"{len(free)} seats are free, but {len(texts)} agents were given")
    return {seat: registry.agent(table.game, text) for seat, text in zip(free, texts)}


class Leaving(Exception):
    """The person wants to stop."""


class Evening:
    """One game between people and agents at this terminal."""

    def __init__(
        self, table: Table, people: list[int], agents: dict[int, Agent], expert: Agent, save: Path, open_views: bool
    ) -> None:
        self.table = table
        self.people = people
        self.agents = agents
        self.expert = expert
        self.save_path = save
        self.open_views = open_views
        self.patient = sys.stdin.isatty()
        """A person can try again after a slip; a script gets an error."""
        self.seen = 0
        self.shown_to: int | None = None

    def play(self) -> int:
        """Until the game is over or the person leaves; the exit status."""
        names = [PERSON if s in self.people else str(self.agents[s]) for s in range(self.table.game.players)]
        print(f"{self.table.game.title}: " + ", ".join(f"seat {s} {name}" for s, name in enumerate(names)))
        print("Type a move, ? for advice, help for more.")
        try:
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
        self.show(self.people[0] if self.people else 0)
        self.result()
        return 0

    # ---- agents

    def agent(self) -> None:
        """Let the agent whose turn it is move."""
        self.table.play(self.table.ask(self.agents[self.table.turn]).action)

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
            print(HELP)
        else:
            return False
        return True

    def moves(self, line: str) -> None:
        """Play the line as one move, or else as several, as long as they are this person's."""
        try:
            self.table.play(line)
        except IllegalAction:
            words = line.replace(",", " ").replace(";", " ").split()
            if len(words) == 1:
                raise
            seat = self.table.turn
            for word in words:
                if self.table.turn != seat:
                    raise IllegalAction(f"your turn was over before {word!r}") from None
                self.table.play(word)

    def undo(self) -> None:
        """Back to this person's previous decision."""
        seat = self.table.turn
        if seat not in self.table.movers:
            complain("there is nothing to take back", 0)
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
        elif table.game.hidden and not table.over:
            complain("that would show what you may not see; ask when the game is over", 0)
        else:
            then = table.record().replay(plies[-1])
            print(then.ask(self.agents[then.turn], explain=True))

    # ---- the screen

    def report(self) -> None:
        """Say what has happened since, as far as the people at this terminal may know."""
        table = self.table
        ears = self.shown_to if self.shown_to is not None else (self.people or [0])[0]
        then = table.record().replay(self.seen) if self.seen < len(table.actions) else None
        while then is not None and self.seen < len(table.actions):
            mover, action = table.movers[self.seen], table.actions[self.seen]
            heard = then.hear(action, ears)
            then.play(action)
            self.seen += 1
            if mover < 0 and heard:
                print(f"chance: {heard}")
            elif mover in self.agents and heard:
                print(f"seat {mover} ({self.agents[mover].name}): {heard}")
            elif mover in self.people and heard != table.moves[self.seen - 1] and heard:
                print(heard)  # an umpire's answer

    def show(self, seat: int) -> None:
        seats = range(self.table.game.players) if self.open_views else [seat]
        for which in seats:
            print("" if not self.open_views else f"\n--- seat {which} sees")
            print(self.table.view(which).screen())
        if self.table.turn == seat:
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
        for seat in self.people or range(len(payoffs)):
            best = max(payoffs)
            word = "lost" if payoffs[seat] < best else "won" if payoffs.count(best) == 1 else "drew"
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


def register(app: typer.Typer) -> None:
    app.command()(play)
