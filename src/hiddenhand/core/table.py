"""Table: a game in progress. It alone holds the true state; seats get views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core import drawing
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import IllegalAction, UserError, one_of
from hiddenhand.core.event_log import hear
from hiddenhand.core.former_names import FormerName
from hiddenhand.core.game import blank_state, metrics_of
from hiddenhand.core.own_faults import place_of_method, tells_own_faults
from hiddenhand.core.seeds import Seeds
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View, legal_actions, read_action, seen_by
from hiddenhand.kernel import CHANCE, OVER, assign, pick, stream

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.game import Game
    from hiddenhand.core.record import Record

Mark = tuple[int, Any]
"""A moment of a table: how many plies had been played, and the state."""

Memory = dict[tuple[int, str], "np.ndarray[Any, Any]"]
"""What agents keep from move to move, by their seats and their texts."""


LONGEST_MOVE = 8
"""Words that the text of a move may have, where several moves stand in one text."""


class Table:
    """One game from its deal on. The same seed and the same actions give the same game, always.

        >>> import hiddenhand as hh
        >>> table = hh.game("leduc").deal(seed=7)
        >>> table
        <Table of leduc, seed 7, ply 2, seat 0 to move>
        >>> [table.action_name(action) for action in table.legal_actions()]
        ['check', 'bet']
        >>> table.play("bet")
        >>> table.history_names
        ['Jh', 'Kh', 'bet']

    `dealt`: the cards as they lie, instead of a shuffle (where the game can arrange them). `remembers`: the memories
    of agents are kept for every ply, so that an undo gives them back.
    """

    @tells_own_faults
    def __init__(
        self, game: Game, seed: int = 0, rolls: bool = True, dealt: list[int] | None = None, remembers: bool = True
    ) -> None:
        self.game = game
        self.seeds = Seeds(seed, game.players)
        self.rolls = rolls
        self.dealt = dealt
        self.remembers = remembers
        self.company: Sequence[str] = ()
        """Who sits where, as texts, where that is known: everybody at a table sees it."""
        self.history: list[int] = []
        """The actions that were played, those of chance too."""
        self.history_names: list[str] = []
        """The same as people write them."""
        self.movers: list[int] = []
        self.given_up: tuple[int, str] | None = None
        """The seat that could not go on, and why; its side has lost."""
        self.memory: Memory = {}
        self._memories: list[Memory] = []
        self._states = blank_state(game)
        self.state: Any = self._states[0]
        if dealt is None:
            game.rules.deal(self.state, stream(self.seeds.ply(0)))
        elif game.people.arrange is not None:
            game.people.arrange(self.state, dealt)
        else:
            raise UserError("{game} cannot be dealt from a list of cards", game=game.name)
        self._roll()

    def __repr__(self) -> str:
        who = {OVER: "over", CHANCE: "chance to move"}.get(self.turn, f"seat {self.turn} to move")
        paid = ": " + " ".join(f"{payoff:+g}" for payoff in self.payoffs()) if self.over else ""
        return f"<Table of {self.game}, seed {self.seed}, ply {len(self.history)}, {who}{paid}>"

    def __str__(self) -> str:
        """The position as the seat to move sees it; `open_text` shows everything."""
        return self._seen().screen()

    def _repr_html_(self) -> str:
        seen = self._seen()
        picture = self.game.people.open_picture(self.state, seen.seat) if self.over else seen.picture()
        return drawing.fragment(repr(self)[1:-1], picture, str(self))

    def _seen(self) -> View:
        """What the seat to move sees; where none is to move, what the first sees."""
        return self.view(max(self.turn, 0))

    @property
    def seed(self) -> int:
        """The seed of the game, which decides the deal and all that chance does later."""
        return self.seeds.seed

    @property
    def turn(self) -> int:
        """The seat to move, OVER or CHANCE."""
        return OVER if self.given_up is not None else int(self.game.rules.turn(self.state))

    @property
    def over(self) -> bool:
        return self.turn == OVER

    @tells_own_faults
    def legal_actions(self) -> list[int]:
        """The actions that may be played now, or the outcomes that chance may have; none when the game is over."""
        return [] if self.over else legal_actions(self.game, self.state)

    def action_name(self, action: int) -> str:
        """An action as people write it."""
        return self.game.people.action_name(self.state, action)

    def hear(self, action: int, seat: int) -> str:
        """What a seat learns if this action is played now: its text, or less where it is hidden."""
        return hear(self.game, self.state, self.turn, action, seat)

    def read(self, text: str, short: bool = False) -> int:
        """The legal action that is written `text`, or the only one that ends in `text`; capitals do not matter.

        With `short` the beginning of its name is enough, or of a part of it, if no other action has it too.
        """
        action = read_action(self.game, self.state, self.legal_actions(), text, short)
        if action is not None:
            return action
        raise self._illegal(text)

    @tells_own_faults
    def play(self, action: int | str) -> None:
        """Apply an action, given as a number or as text; an illegal one changes nothing."""
        number = self.read(action) if isinstance(action, str) else int(action)
        if number not in self.legal_actions():
            raise self._illegal(number)
        self._apply(number)
        self._roll()

    def play_all(self, moves: str) -> None:
        """Play moves that stand one after the other in a text, with blanks or commas between them. A move may have
        several words: as many are taken as make one that is legal."""
        for part in moves.split(","):
            words = part.split()
            while words:
                ends = range(min(len(words), LONGEST_MOVE), 0, -1)
                legal = self.legal_actions()
                reads = (read_action(self.game, self.state, legal, " ".join(words[:end])) for end in ends)
                found = next(((end, action) for end, action in zip(ends, reads) if action is not None), None)
                if found is None:
                    raise self._illegal(part.strip() if "," in moves else words[0])
                self.play(found[1])
                words = words[found[0] :]

    def roll(self) -> int:
        """Let chance move once; returns the outcome."""
        if self.turn != CHANCE:
            raise UserError("it is not chance's turn")
        outcomes = self.legal_actions()
        odds = np.empty(self.game.most_actions)
        self.game.rules.odds(self.state, odds)
        outcome = outcomes[pick(stream(self._ply_seed()), odds, len(outcomes))]
        self._apply(outcome)
        return int(outcome)

    @tells_own_faults
    def ask(self, agent: Agent, explain: bool = False) -> Decision:
        """What the agent would play for the seat to move."""
        view = self.view(cheats=agent.cheats)
        decision = agent.explain(view) if explain else agent.decide(view)
        if not isinstance(decision, Decision):
            name = "explain" if explain else "decide"
            raise UserError(
                "{name} gave {decision}, not a Decision: Decision(action)",
                name=place_of_method(agent, name),
                decision=repr(decision),
            )
        if (
            not decision.text and decision.action in view.legal_actions()
        ):  # an agent need not say what its action is called
            decision.text = view.action_name(decision.action)
        return decision

    @tells_own_faults
    def view(self, seat: int | None = None, cheats: bool = False) -> View:
        """What a seat knows now; without a seat, the one to move. Cheaters also see the truth."""
        who = self.turn if seat is None else seat
        if not 0 <= who < self.game.players:
            raise UserError("seats are 0 to {players}, not {who}", players=self.game.players - 1, who=who)
        seed = self.seeds.decision(who, len(self.history) + 1)
        view = View(self.game, self.state, who, seed, self.memory, cheats)
        view.company = self.company
        return view

    def information_state_string(self, seat: int | None = None) -> str:
        """All that a seat has seen and done so far, as text: its screen, and a short name for its past.

        Two games have the same if and only if the seat, which forgets nothing, cannot tell them apart. Without a seat
        it is that of the one to move.

            >>> import hiddenhand as hh
            >>> one, other = (hh.game("kuhn").deal(seed) for seed in (1, 2))
            >>> [one.information_state_string(seat) == other.information_state_string(seat) for seat in (0, 1)]
            [True, False]
        """
        again = Table(self.game, self.seed, False, self.dealt, remembers=False)
        who = self.view(seat).seat
        past = seen = b""
        for action in (None, *self.history):
            mover = again.turn
            if action is not None:
                again._apply(action)
            now = seen_by(self.game, again.state, who)
            did = b"" if action is None or mover != who else action.to_bytes(8)
            if did or now != seen:  # a seat that sees nothing new does not know that time has passed
                past = blake2b(past + did + now, digest_size=8).digest()
            seen = now
        return f"seat {who}: {self.view(who).screen()}\n{past.hex()}"

    def information_state_tensor(self, seat: int | None = None) -> np.ndarray[Any, Any]:
        """What learners are fed for a seat, or for the one to move: float32, as the rule `encode` writes it."""
        return self.view(seat).information_state_tensor()

    def open_text(self, agents: Mapping[int, Agent] | None = None) -> str:
        """The open table of a test bench: everything hidden, and what the seats believe if the game can say it."""
        views = [self.view(seat) for seat in range(self.game.players)]
        if self.game.people.open_table is not None:
            return self.game.people.open_table(self.state, views, agents or {})
        if not self.game.hidden:
            return views[0].screen()
        screens = [Text("--- {who} sees\n{screen}", who=Seat(view.seat), screen=view.screen()) for view in views]
        return Text.joined("\n\n", screens)

    def payoffs(self) -> list[float]:
        """One number per seat; the game must be over."""
        if not self.over:
            raise UserError("the game is not over yet")
        if self.given_up is not None:
            return self.forfeited(self.given_up[0])
        out = np.zeros(self.game.players)
        self.game.rules.payoff(self.state, out)
        return out.tolist()

    def give_up(self, seat: int, why: str) -> None:
        """A seat cannot go on: the game is over, and the seat's side has lost it."""
        self.given_up = seat, why

    def forfeited(self, seat: int) -> list[float]:
        """What everybody gets where the side of a seat has lost without playing to the end.

        It loses the most that the game can cost. In a zero-sum game the others share that equally (and the loss is
        smaller where they cannot get so much); in a cooperative game everybody loses; elsewhere the others get the
        most that the game can give.
        """
        game, (low, high) = self.game, self.game.payoffs
        sides = [int(game.rules.side(self.state, each)) for each in range(game.players)]
        lost = [game.utility == "cooperative" or side == sides[seat] for side in sides]
        losers, winners = sum(lost), game.players - sum(lost)
        if game.utility == "zero-sum" and winners:
            loss = min(-low, high * winners / losers)
            low, high = -loss, loss * losers / winners
        return [low if each else high for each in lost]

    def metrics(self) -> dict[str, float]:
        """The game's own measurements, once it is over; zeros where somebody gave up."""
        out = np.zeros(len(metrics_of(self.game)))
        if self.over and self.given_up is None:
            self.game.rules.measure(self.state, out)
        return dict(zip(metrics_of(self.game), out.tolist()))

    def mark(self) -> Mark:
        """This moment, to which `go_back` leads. Agents' memories are no part of it: playing does not change them."""
        return len(self.history), self.state.copy()

    def go_back(self, mark: Mark) -> None:
        """Exactly as it was at an earlier moment of this table."""
        plies, state = mark
        for played in (self.history, self.history_names, self.movers, self._memories):
            del played[plies:]
        self.given_up = None
        assign(self.state, state)

    def remembered(self, seat: int) -> Memory:
        """A copy of what the agents of a seat have kept so far."""
        return {owner: array.copy() for owner, array in self.memory.items() if owner[0] == seat}

    def remember(self, seat: int, memory: Memory) -> None:
        """Let the agents of a seat have kept this, and nothing else."""
        for owner in [owner for owner in self.memory if owner[0] == seat]:
            del self.memory[owner]
        self.memory |= memory

    def undo(self, decisions: int = 1) -> None:
        """Take back the last decisions (and what chance did since)."""
        keep = len(self.history)
        while decisions > 0 and keep > 0:
            keep -= 1
            decisions -= self.movers[keep] >= 0
        again, memories, company = self.history[:keep], self._memories[: keep + 1], self.company
        self.__init__(self.game, self.seed, False, self.dealt, self.remembers)  # type: ignore[misc]
        self.company = company
        for action in again:
            self._apply(action)
        if len(memories) > keep:
            self.memory = memories[keep]
        self.go_on()

    def go_on(self) -> None:
        """From now on, chance moves by itself."""
        self.rolls = True
        self._roll()

    def record(self, agents: list[str] | None = None) -> Record:
        """Everything needed to play this game again."""
        from hiddenhand.core.record import Record

        origin = self.game.origin
        return Record(
            game=origin.name,
            version=self.game.version,
            options=dict(self.game.options),
            seed=self.seed,
            actions=list(self.history),
            moves=list(self.history_names),
            agents=agents,
            payoffs=self.payoffs() if self.over else None,
            dealt=self.dealt,
            given_up=None if self.given_up is None else list(self.given_up),
            rules=self.game.rules.key if origin.contents else None,
            file=origin.spec if origin.contents else None,
        )

    actions = FormerName("history")
    moves = FormerName("history_names")
    legal = FormerName("legal_actions")
    text = FormerName("action_name")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "state"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.state = self._states[0]

    def _apply(self, action: int) -> None:
        rng = stream(self._ply_seed())
        if self.remembers:
            self._memories.append({owner: array.copy() for owner, array in self.memory.items()})
        self.movers.append(self.turn)
        self.history_names.append(self.action_name(action))
        self.game.rules.play(self.state, action, rng)
        self.history.append(action)

    def _roll(self) -> None:
        while self.rolls and self.turn == CHANCE:
            self.roll()

    def _ply_seed(self) -> int:
        return self.seeds.ply(len(self.history) + 1)

    def _illegal(self, wanted: str | int) -> IllegalAction:
        if self.over:
            return IllegalAction("{move} cannot be played: the game is over", move=repr(str(wanted)))
        if self.turn >= 0:
            return self.view().illegal(wanted)
        return IllegalAction(
            "{move} is not legal here; legal: {list}",
            move=repr(str(wanted)),
            list=one_of([self.action_name(a) for a in self.legal_actions()]),
        )
