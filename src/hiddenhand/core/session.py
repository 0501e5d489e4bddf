"""Session: a live game between people and agents, from the deal to what is said when it is over.

It says who may know what: the log of each seat, when a move may be taken back, who may ask why, and when everything
is shown. The terminal and the page are two faces of it. What takes time (an agent's move, an answer, the way back)
works on a table of its own, so that a face may do it in another thread.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import InitVar, dataclass, field, replace
from typing import Any

import numpy as np

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.agent_pool import AgentPool
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import IllegalAction, RefusedAction, UserError
from hiddenhand.core.event_log import LogEntry, Ply, take_step
from hiddenhand.core.extras import Advisers, Opponent
from hiddenhand.core.game import Game, has_partners, sides_of
from hiddenhand.core.policy import NOTHING
from hiddenhand.core.random_agent import random
from hiddenhand.core.record import Record
from hiddenhand.core.resolver import find_own
from hiddenhand.core.seeds import CHOSEN, new_secret
from hiddenhand.core.table import Table
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View, own_view
from hiddenhand.kernel import CHANCE, derive

PERSON = "person"
RANDOM = random.name
NEXT_DEAL = 0x4E585444
LOOK_AGAIN = 0.1  # seconds after which an agent that has to wait is looked at again

Tell = Callable[[str], None]
"""Says a line to the people who wait."""


class Pace:
    """When an agent may begin to think: at once, unless whoever knows better says otherwise."""

    def ready_for(self, agent: Agent) -> str:
        """Empty if it may decide now; otherwise what it waits for and how far that is, for people to read."""
        return ""

    def wait_for(self, agent: Agent, tell: Tell) -> None:
        """Until the agent may decide; every new line about it is told."""
        told = ""
        while text := self.ready_for(agent):
            if text != told:
                tell(text)
                told = text
            time.sleep(LOOK_AGAIN)


def in_silence(text: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Deal:
    """How a game began."""

    game: Game
    seed: int
    dealt: list[int] | None = None

    def table(self) -> Table:
        """The table before the first ply; chance waits to be asked."""
        return Table(self.game, self.seed, rolls=False, dealt=self.dealt, remembers=False)


@dataclass(frozen=True)
class Question:
    """Something to ask of an agent at one moment of a game."""

    actions: list[int]
    """All that had been played."""
    seat: int
    who: str
    secret: bool
    """The answer may use what the seat knows, and nothing else."""
    drawn: bool = False
    """The move was not chosen but drawn at random, as part of the opening."""


@dataclass
class Session:
    """A live game.

    seats        for each seat the text of its agent, or PERSON
    open_cards   a test bench, not a game: nothing is kept from anybody
    recorded     a record to look at, in which nobody moves
    opening      so many decisions at the start were drawn at random
    actions      what has been played already
    names        what the players of a record are called, where it says so
    notes        what they noted of the cards (see `Record`)
    given_up     the seat that could not go on then, and why, if the game ended so
    """

    deal: Deal
    seats: list[str]
    open_cards: bool = False
    recorded: bool = False
    opening: int = 0
    agents: AgentPool = field(default_factory=AgentPool)
    pace: Pace = field(default_factory=Pace)
    actions: InitVar[Sequence[int]] = ()
    names: list[str] | None = None
    notes: list[list[str]] | None = None
    given_up: InitVar[Sequence[Any] | None] = None

    def __post_init__(self, actions: Sequence[int], given_up: Sequence[Any] | None) -> None:
        if len(self.seats) != self.game.players:
            raise UserError(
                "{game} has {n} seats, but {given} were given",
                game=self.game.name,
                n=self.game.players,
                given=len(self.seats),
            )
        self.steps: list[Ply] = []
        if actions:
            with self.seated(mindful=True) as agents:
                self.table = self.replay(actions, agents, self.steps)
        else:
            self.table = self.new_table()
        if given_up is not None:
            self.table.give_up(*given_up)
        if not self.recorded:
            self.let_chance_move()

    # ---- what it is

    @property
    def game(self) -> Game:
        return self.deal.game

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, who in enumerate(self.seats) if who == PERSON]

    @property
    def over(self) -> bool:
        return self.table.over

    @property
    def revealed(self) -> bool:
        """Whether nothing needs to be kept from anybody."""
        return not self.game.hidden or self.open_cards or self.recorded or self.over

    @property
    def can_be_copied(self) -> bool:
        """Whether the record may be read: with its seed, everything hidden and the dice to come are known."""
        secret = self.game.hidden or self.game.chance
        return not secret or self.open_cards or self.recorded or self.over

    def record(self) -> Record:
        """Everything needed to play this game again."""
        kept = self.table.record(list(self.seats))
        return replace(kept, opening=self.opening, names=self.names, notes=self.notes)

    # ---- who heard what

    def heard(self, viewer: int, since: int = 0) -> Iterator[tuple[Ply, LogEntry]]:
        """The plies from the true ply `since` on that a viewer noticed, with what the log says of them."""
        revealed, ply = self.revealed, self.ply_for(viewer, since)
        for step in self.steps[since:]:
            if revealed or step.noticed_by(viewer):
                yield step, step.entry(ply, viewer, revealed)
                ply += 1

    def log(self, viewer: int, since: int = 0) -> list[LogEntry]:
        """What a viewer was told from the true ply `since` on."""
        return [entry for _, entry in self.heard(viewer, since)]

    def last_heard(self, viewer: int, before: int | None = None) -> LogEntry | None:
        """The last line of a viewer's log; with `before`, the last one of the plies before that true ply."""
        end = len(self.steps) if before is None else before
        for ply in range(end - 1, -1, -1):
            if self.revealed or self.steps[ply].noticed_by(viewer):
                return self.steps[ply].entry(self.ply_for(viewer, ply), viewer, self.revealed)
        return None

    def ply_for(self, viewer: int, plies: int | None = None) -> int:
        """How many of the first plies (of all by default) a viewer counts."""
        true = len(self.steps) if plies is None else plies
        return true if self.revealed else sum(step.noticed_by(viewer) for step in self.steps[:true])

    def true_ply(self, viewer: int, counted: int) -> int:
        """How many plies had been played when a viewer had noticed `counted` of them."""
        if self.revealed and 0 <= counted <= len(self.steps):
            return counted
        left = counted
        for ply, step in enumerate(self.steps):
            if left == 0:
                return ply
            left -= step.noticed_by(viewer)
        if left != 0:
            raise UserError("the game has {n} plies so far, not {other}", n=self.ply_for(viewer), other=counted)
        return len(self.steps)

    # ---- moves

    def agent_to_move(self) -> int | None:
        """The seat to move, if an agent sits there."""
        turn = self.table.turn
        return None if turn < 0 or self.recorded or self.seats[turn] == PERSON else turn

    def decide(self, table: Table, agent: Agent, tell: Tell = in_silence) -> int:
        """The action that an agent chooses at this session's table (as it was when the agent was called)."""
        self.pace.wait_for(agent, tell)
        action = table.ask(agent).action
        if action not in table.legal_actions():
            raise UserError(
                "{agent} chose the illegal action {action} ({who})", agent=agent, action=action, who=Seat(table.turn)
            )
        return action

    def play(self, action: int) -> list[Ply]:
        """A decision and what chance does after it."""
        if self.recorded:
            raise UserError("this is a record: branch from it to play on")
        if self.over:
            raise UserError("the game is over")
        first = len(self.steps)
        self.steps.append(take_step(self.table, action))
        self.let_chance_move()
        return self.steps[first:]

    def give_up(self, why: str) -> None:
        """Whoever is to move cannot go on, and its side has lost the game."""
        self.table.give_up(self.table.turn, why)

    def tell_result(self) -> None:
        """Let the agents at the table know what came of the game."""
        with self.seated() as agents:
            for seat, agent in agents.items():
                agent.finished(self.table.view(seat), self.table.payoffs())

    def let_chance_move(self) -> None:
        """As long as it is its turn."""
        while self.table.turn == CHANCE:
            self.steps.append(take_step(self.table, None))

    @contextmanager
    def altogether(self) -> Iterator[None]:
        """What is played within it stands only if all that is done within it succeeds; else nothing has changed."""
        plies, mark = len(self.steps), self.table.mark()
        try:
            yield
        except BaseException:
            self.table.go_back(mark)
            del self.steps[plies:]
            raise

    def noticed_by_others(self, action: int) -> bool:
        """Whether anybody but its mover would notice this action."""
        mark = self.table.mark()
        try:
            return take_step(self.table, action).noticed_by_others() or self.revealed
        finally:
            self.table.go_back(mark)

    def play_text(self, line: str) -> None:
        """Play a line as one move, or else as several, as long as they are the same seat's."""
        try:
            self.play(self.table.read(line, short=True))
        except RefusedAction:
            raise
        except IllegalAction as whole:
            seat, before = self.table.turn, len(self.steps)
            for word in line.replace(",", " ").replace(";", " ").split():
                if self.table.turn != seat:
                    raise IllegalAction("your turn was over before {what}", what=repr(word)) from None
                try:
                    self.play(self.table.read(word))
                except IllegalAction:
                    if len(self.steps) == before:
                        raise whole from None
                    raise

    # ---- the way back

    def undo(self, seats: Collection[int]) -> None:
        """Back to the last decision of these seats, which one person holds."""
        self.return_to(self.table_after(self.undo_ply(seats)))

    def undo_ply(self, seats: Collection[int]) -> int:
        """The ply to which an undo by these seats leads; refused if somebody would be cheated."""
        movers = [step.mover for step in self.steps]
        plies = [ply for ply, mover in enumerate(movers) if mover in seats]
        if self.recorded or not plies:
            raise UserError("there is nothing to take back")
        if self.over:
            raise UserError("the game is over: branch from an earlier moment instead")
        last, since = plies[-1], movers[plies[-1] + 1 :]
        if any(mover >= 0 and self.seats[mover] == PERSON and mover not in seats for mover in since):
            raise UserError("somebody has moved since; your move stands")
        if self.open_cards:
            return last
        if self.game.hidden:
            if since or self.table.turn != movers[last]:
                raise UserError("somebody has moved since, or is about to; your move stands")
            if not self.told_nothing(last):
                raise UserError("that move may have shown you something you did not know; it stands")
        elif any(seat not in seats for seat in self.people):
            if CHANCE in since or (self.game.chance.draws and not self.told_nothing(last)):
                raise UserError("the dice have been thrown since; your move stands")
        return last

    def told_nothing(self, ply: int) -> bool:
        """Whether the game declares that the move at this ply told its mover nothing, whatever was hidden."""
        declared, actions = self.game.people.tells_nothing, self.table.history
        return declared is not None and declared(self.replay(actions[:ply]).state, actions[ply])

    def table_after(self, plies: int) -> Table:
        """The table after so many plies, the agents' memories included."""
        with self.seated(mindful=True) as agents:
            return self.replay(self.table.history[:plies], agents)

    def return_to(self, table: Table) -> None:
        """Go on from a table that `table_after` gave: what came later is taken back."""
        self.table = table
        del self.steps[len(table.history) :]

    def replay(
        self, actions: Sequence[int], agents: Mapping[int, Agent] | None = None, steps: list[Ply] | None = None
    ) -> Table:
        """A table of its own after these actions; what everybody noticed of them is added to `steps`.

        Agents that keep a memory are asked again at their turns, so that they have theirs.
        """
        table = self.new_table()
        mindful = {seat: agent for seat, agent in (agents or {}).items() if keeps_memory(agent)}
        for action in actions:
            if table.turn in mindful:
                table.ask(mindful[table.turn])
            if steps is None:
                table.play(action)
            else:
                steps.append(take_step(table, action))
        return table

    def new_table(self) -> Table:
        """The table before the first ply, with those who sit at it."""
        table = self.deal.table()
        table.company = self.seats
        return table

    @contextmanager
    def seated(self, mindful: bool = False) -> Iterator[dict[int, Agent]]:
        """The agents at the table, by seat; `mindful`: those that keep a memory."""
        with ExitStack() as stack:
            yield {
                seat: stack.enter_context(self.agents.lend(self.game, text))
                for seat, text in enumerate(self.seats)
                if text != PERSON and not self.recorded and not (mindful and self.forgets(text))
            }

    def forgets(self, text: str) -> bool:
        """Whether an agent keeps no memory, and is not needed to play a game again."""
        try:
            return not self.agents.resolver.character(self.game, text).mindful
        except UserError:  # made elsewhere: only the pool knows it
            return False

    # ---- questions

    def adviser(self, seat: int) -> str:
        """Who advises a seat unless somebody else is asked for.

        Where people play together, whoever plays as most of the others do, for it knows what their moves mean; or
        whoever the game names for such company. Which of them are partners may be hidden, so all the others count.
        Against everybody else, the champion.
        """
        if self.game.utility == "cooperative" or has_partners(self.game):
            others = [self.suiting(text) for other, text in enumerate(self.seats) if other != seat]
            able = [text for text in others if self.can_advise(text)]
            if able:
                return Counter(able).most_common(1)[0][0]
        return self.agents.resolver.champion(self.game)

    def suiting(self, text: str) -> str:
        """Who suits somebody in a seat: its own kind, unless the game names another."""
        return self.game.extra(Advisers, Advisers()).beside.get(text.partition(":")[0], text)

    def can_advise(self, text: str) -> bool:
        """Whether somebody in a seat knows anything to say that may be said."""
        if text in (PERSON, RANDOM):
            return False
        kind = find_own(self.game, text.partition(":")[0])
        return kind is None or not kind.cheats or self.open_cards or not self.game.hidden

    def ask_advice(self, seats: Collection[int], who: str | None = None) -> Question:
        """What would a good player do now? Asked by somebody who holds these seats."""
        turn = self.table.turn
        if self.over:
            raise UserError("the game is over")
        if turn not in seats and not self.revealed:
            raise UserError("ask when it is your turn")
        return Question(list(self.table.history), turn, who or self.adviser(turn), secret=turn in seats)

    def ask_why(
        self, viewer: int, ply: int, seats: Collection[int], who: str | None = None, now: bool = False
    ) -> Question:
        """Why was this played at the ply that this viewer counts as `ply`?

        now   the question may also be about a move that is still to be made

        Asked of the agent that played it unless another is named.
        """
        true = self.true_ply(viewer, ply)
        if true < len(self.steps):
            seat = self.steps[true].mover
        else:
            seat = self.table.turn if now else -1
        if seat < 0:
            raise UserError("there is no decision at ply {n}", n=ply)
        if not self.revealed and seat not in seats:
            raise UserError("that would show what you may not see; ask when the game is over")
        asked = who or (self.adviser(seat) if self.seats[seat] == PERSON else self.seats[seat])
        drawn = sum(step.mover >= 0 for step in self.steps[:true]) < self.opening
        return Question(self.table.history[:true], seat, asked, not self.revealed, drawn)

    def answer(self, question: Question, agent: Agent, other: str = "", tell: Tell = in_silence) -> Decision:
        """What the agent says, perhaps in another thread; `other`: a move to compare its own with."""
        self.pace.wait_for(agent, tell)
        view = self.view_of(question, agent)
        decision = agent.explain(view)
        if other:
            decision.reasons = [decision.compared_with(view.read(other)), *decision.reasons]
        return decision

    def view_of(self, question: Question, agent: Agent) -> View:
        """What the agent is shown to answer a question, with the memory it would have had in that seat."""
        if not question.secret:
            return self.replay(question.actions, {question.seat: agent}).view(cheats=agent.cheats)
        if agent.cheats and self.game.hidden and not self.open_cards:
            raise UserError("{agent} looks at hidden cards; ask it when the game is over", agent=agent.name)
        table = self.new_table()
        memory: dict[tuple[int, str], np.ndarray[Any, Any]] = {}
        for action in question.actions:
            if table.turn == question.seat and keeps_memory(agent):
                agent.decide(own_view(self.game, table.state, question.seat, memory, self.seats))
            table.play(action)
        return own_view(self.game, table.state, question.seat, memory, self.seats)

    # ---- after the last move

    def reason(self) -> str:
        """Why the game ended as it did, in a few words, if the game says so."""
        if self.table.given_up is not None:
            seat, why = self.table.given_up
            return Text("{who} could not go on: {why}", who=Seat(seat), why=why)
        return (
            self.game.people.outcome(self.table.state) if self.over and self.game.people.outcome is not None else ""
        )

    def outcome(self) -> str:
        """How the game ended, in a sentence: what every seat got, and why."""
        payoffs, game = self.table.payoffs(), self.game
        if game.utility == "cooperative":
            said = Text.plural("{n:g} point", "{n:g} points", n=payoffs[0])
        elif len(payoffs) == 1:  # nobody to win against
            said = Text("{payoff:+g}", payoff=payoffs[0])
        else:
            best = max(payoffs)
            shared = min(payoffs) == best if sides_of(game) else payoffs.count(best) > 1
            said = Text.joined(", ", [result_of(seat, payoff, best, shared) for seat, payoff in enumerate(payoffs)])
        reason = self.reason()
        return Text("{result}: {why}", result=said, why=reason) if reason else said

    def open_text(self) -> str:
        """Everything that was hidden, as text; refused before its time."""
        if not self.revealed:
            raise UserError("other people's cards are shown when the game is over")
        with self.seated() as agents:
            return self.table.open_text(agents)

    def belief_text(self, seat: int) -> str:
        """All that the agent of a seat believes, as text; refused before its time."""
        if not self.revealed:
            raise UserError("what the others believe is shown when the game is over")
        if self.game.people.believed is None:
            raise UserError("nobody can say what is believed in {name}", name=self.game.name)
        if not 0 <= seat < self.game.players:
            raise UserError(
                "{game} has seats 0 to {last}, not {seat}", game=self.game.name, last=self.game.players - 1, seat=seat
            )
        with self.seated() as agents:
            return self.game.people.believed(self.table.view(seat), agents.get(seat))

    def next_deal(self, moving: bool = False) -> Session:
        """Another game between the same; its deal follows from a chosen seed, and is drawn anew otherwise.

        moving   everybody moves on by one seat
        """
        before = self.deal.seed
        deal = Deal(self.game, derive(before, NEXT_DEAL) if before < CHOSEN else new_secret())
        seats = [*self.seats[-1:], *self.seats[:-1]] if moving else self.seats
        return replace(self, deal=deal, seats=seats, recorded=False, opening=0, actions=(), given_up=None)

    def branch(self, ply: int) -> Session:
        """Another game from a moment of this one, in which anything may be played."""
        if not self.can_be_copied:
            raise UserError("a branch would show what is hidden; branch when the game is over")
        if not 0 <= ply <= len(self.steps):
            raise UserError("the game has {n} plies, not {other}", n=len(self.steps), other=ply)
        return replace(self, recorded=False, actions=self.table.history[:ply], given_up=None)


def result_of(seat: int, payoff: float, best: float, shared: bool) -> Text:
    """What a seat got; `shared`: several have got as much as the best."""
    values = {"who": Seat(seat), "payoff": payoff + 0.0}
    if payoff < best:
        return Text("{who} lost ({payoff:+g})", **values)
    return Text("{who} drew ({payoff:+g})" if shared else "{who} won ({payoff:+g})", **values)


def next_level(session: Session) -> Opponent | None:
    """Whom a person may try next who has beaten agents that are all of one level; None after anything else."""
    others = {who for who in session.seats if who != PERSON}
    if not session.over or len(session.people) != 1 or len(others) != 1:
        return None
    payoffs = session.table.payoffs()
    mine, best = payoffs[session.people[0]], max(payoffs)
    if mine < best or min(payoffs) == best:
        return None
    return session.agents.resolver.next_opponent(session.game, others.pop())


def keeps_memory(agent: Agent) -> bool:
    """Whether an agent has to be asked at every turn to know what it knows."""
    return isinstance(agent, PolicyAgent) and agent.policy.memory is not NOTHING
