"""Our games for OpenSpiel's algorithms.

Importing this module registers every game of the package, its options as parameters:

    pyspiel.load_game("hiddenhand_kuhn")
    pyspiel.load_game("hiddenhand_hanabi(players=3,deals=200)")

`load` does the same for any game, one of your own file too: `load("my_game.py", size=5)`.

Outcomes of chance (Kuhn, Leduc, backgammon) are chance nodes with the odds of the rules, so that everything that
goes through the whole tree is exact. Where the deal is shuffled in one step, or moves draw at random, one chance node
stands at the root: it chooses one of `deals` numbered deals, all equally likely, and the number fixes what is drawn
later too. Deal 17 is the game of our seed 17. To OpenSpiel's algorithms that is a game of its own, the more like
ours the more deals there are.

Where players move at the same time (`Simultaneous`), they commit themselves one after the other, unseen. With the
parameter `simultaneous` the game has nodes at which all of them move:

    pyspiel.load_game("hiddenhand_goofspiel(simultaneous=true)")

An information state is all that a seat has seen and done so far (perfect recall, whatever the game's view keeps): as
text its screen and a short name for the past, as a tensor the fields of its view. An observation is what the seat
sees now: its screen, and as a tensor what the game's `encode` writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from hiddenhand.bridges import Numbers, missing, round_of
from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Simultaneous
from hiddenhand.core.game import Game, blank_state, encoding_of, player_counts
from hiddenhand.core.text import Text
from hiddenhand.core.view import legal_actions
from hiddenhand.kernel import CHANCE, OVER, derive, new_records, stream
from hiddenhand.kernel.records import flatten, numbers_in, record_to_json

try:
    import pyspiel
except ImportError:
    raise missing("OpenSpiel") from None

PREFIX = "hiddenhand_"
DEALS = "deals"
USUAL_DEALS = 1000
AT_ONCE = "simultaneous"
BEFORE = "before the deal"
KEPT = 1 << 16
"""Positions of a game that are remembered."""
TYPE = pyspiel.GameType
UTILITIES = {
    "zero-sum": TYPE.Utility.ZERO_SUM,
    "cooperative": TYPE.Utility.IDENTICAL,
    "general": TYPE.Utility.GENERAL_SUM,
}
SPECIAL = {OVER: int(pyspiel.PlayerId.TERMINAL), CHANCE: int(pyspiel.PlayerId.CHANCE)}


def draws_from_seed(game: Game) -> bool:
    """Whether chance has a part that is no move of its own."""
    return game.chance.deals or game.chance.draws


def parameters_of(game: Game) -> dict[str, Any]:
    """The parameters of a game with their defaults: its options, and what the bridge asks."""
    options = {name: setting.default for name, setting in game.settings.items()}
    deals = {DEALS: USUAL_DEALS} if draws_from_seed(game) else {}
    return {**options, **deals, **({} if game.extra(Simultaneous) is None else {AT_ONCE: False})}


def type_of(game: Game, name: str, at_once: bool = False) -> pyspiel.GameType:
    """What OpenSpiel knows of a game before it is made."""
    return TYPE(
        short_name=name,
        long_name=game.title,
        dynamics=TYPE.Dynamics.SIMULTANEOUS if at_once else TYPE.Dynamics.SEQUENTIAL,
        chance_mode=TYPE.ChanceMode.EXPLICIT_STOCHASTIC if game.chance else TYPE.ChanceMode.DETERMINISTIC,
        information=(TYPE.Information.IMPERFECT_INFORMATION if game.hidden else TYPE.Information.PERFECT_INFORMATION),
        utility=UTILITIES[game.utility],
        reward_model=TYPE.RewardModel.TERMINAL,
        max_num_players=player_counts(game)[1],
        min_num_players=player_counts(game)[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(game),
    )


@dataclass(frozen=True, eq=False, slots=True)
class SharedPosition:
    """A moment of a game. It never changes, so that the states that OpenSpiel copies share it."""

    record: bytes
    """The state record."""
    seed: int
    plies: int
    turn: int
    actions: tuple[int, ...]
    seen: tuple[bytes, ...]
    """The view of each seat."""
    past: tuple[bytes, ...]
    """A short name for all that each seat has seen and done."""

    def __deepcopy__(self, memo: dict[int, object]) -> SharedPosition:
        return self


class Positions:
    """The positions of a game, each made once as long as there are not too many."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.after = lru_cache(KEPT)(self.play)
        self.screen = lru_cache(KEPT)(self.show)
        self.dealt = lru_cache(KEPT)(self.deal)

    def deal(self, seed: int) -> SharedPosition:
        """The game of this seed, before the first ply."""
        records = blank_state(self.game)
        self.game.rules.deal(records[0], stream(derive(seed, 0)))
        nothing = (b"",) * self.game.players
        return self.found(records, SharedPosition(b"", seed, 0, OVER, (), nothing, nothing), 0)

    def play(self, position: SharedPosition, action: int) -> SharedPosition:
        """The same game one ply later."""
        records, now = self.state(position), replace(position, plies=position.plies + 1)
        self.game.rules.play(records[0], action, stream(derive(now.seed, now.plies)))
        return self.found(records, now, action)

    def found(self, records: np.recarray[Any, Any], before: SharedPosition, action: int) -> SharedPosition:
        """The position after an action. A seat that observes nothing new does not know that time has passed."""
        game, seen, past = self.game, list(before.seen), list(before.past)
        for seat in range(game.players):
            views = new_records(game.rules.view, 1)
            game.rules.observe(records[0], seat, views[0])
            if views.tobytes() != seen[seat] or seat == before.turn:
                seen[seat] = views.tobytes()
                did = action.to_bytes(8) if seat == before.turn else b""
                past[seat] = blake2b(past[seat] + did + seen[seat], digest_size=8).digest()
        turn = int(game.rules.turn(records[0]))
        actions = () if turn == OVER else tuple(legal_actions(game, records[0]))
        return SharedPosition(records.tobytes(), before.seed, before.plies, turn, actions, tuple(seen), tuple(past))

    def state(self, position: SharedPosition) -> np.recarray[Any, Any]:
        """The state, as records[1] of its own."""
        return np.frombuffer(bytearray(position.record), self.game.rules.state).view(np.recarray)

    def view(self, position: SharedPosition, seat: int) -> np.record:
        """The view record of a seat."""
        record: np.record = np.frombuffer(bytearray(position.seen[seat]), self.game.rules.view).view(np.recarray)[0]
        return record

    def show(self, position: SharedPosition, seat: int) -> str:
        return f"seat {seat}: {self.game.people.show(self.view(position, seat), seat)}"


class SpielGame(pyspiel.Game):
    """A game of ours, as OpenSpiel sees it; `registered` makes a class of each."""

    definition: Game
    name: str

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        known = parameters_of(self.definition)
        parameters = {**known, **(parameters or {})}
        given = {key: value for key, value in parameters.items() if value != known.get(key)}
        deals, at_once = int(given.pop(DEALS, USUAL_DEALS)), bool(given.pop(AT_ONCE, False))
        if deals < 1:
            raise UserError("{option} must be at least 1, not {deals}", option=DEALS, deals=deals)
        game = self.definition.with_options(given)
        self.ours = game
        self.deals = deals if draws_from_seed(game) else 0
        self.positions = Positions(game)
        fields = {"positions": self.positions, "deals": self.deals, "at_once": at_once}
        self.kind_of_state = type("SpielState", (SpielState,), fields)
        low, high = game.payoffs
        info = pyspiel.GameInfo(
            num_distinct_actions=game.rules.action_count,
            max_chance_outcomes=max(self.deals, game.most_actions, game.rules.action_count) if game.chance else 0,
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if game.utility == "zero-sum" else None,
            max_game_length=game.longest,
        )
        super().__init__(type_of(game, self.name, at_once), info, parameters)

    def new_initial_state(self) -> SpielState:
        found: SpielState = self.kind_of_state(self)
        return found

    def max_chance_nodes_in_history(self) -> int:
        return self.ours.longest + 1 if self.ours.chance else 0

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, parameters: Mapping[str, Any] | None = None
    ) -> Observer:
        return Observer(self.positions, kind is not None and kind.perfect_recall)


class SpielState(pyspiel.State):
    """A state of a game of ours: its position, or None before one of several deals is chosen."""

    positions: Positions
    deals: int
    at_once: bool

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = None if self.deals else self.positions.dealt(0)

    def current_player(self) -> int:
        turn = CHANCE if self.position is None else self.position.turn
        if self.at_once and turn >= 0:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return SPECIAL.get(turn, turn)

    def round(self) -> dict[int, list[int]]:
        """Who is to move and may do what."""
        return {} if self.position is None else round_of(self.positions.game, self.positions.state(self.position)[0])

    def is_terminal(self) -> bool:
        return self.position is not None and self.position.turn == OVER

    def _legal_actions(self, player: int) -> list[int]:
        if self.at_once and player >= 0:
            return self.round().get(player, [])
        return [] if self.position is None else list(self.position.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.position is None:
            return [(number, 1.0 / self.deals) for number in range(self.deals)]
        odds = np.empty(self.positions.game.most_actions)
        self.positions.game.rules.odds(self.positions.state(self.position)[0], odds)
        return list(zip(self.position.actions, odds.tolist()))

    def _apply_action(self, action: int) -> None:
        found = self.position
        self.position = self.positions.dealt(action) if found is None else self.positions.after(found, action)

    def _apply_actions(self, actions: list[int]) -> None:
        for seat in self.round():
            self._apply_action(actions[seat])

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None:
            return f"deal {action}"
        game, state = self.positions.game, self.positions.state(self.position)[0]
        text, names = (
            game.people.action_name(state, action),
            [game.people.action_name(state, each) for each in self._legal_actions(player)],
        )
        return text if names.count(text) < 2 else Text("{what} ({n})", what=text, n=action)

    def returns(self) -> list[float]:
        out = np.zeros(self.positions.game.players)
        if self.position is not None and self.is_terminal():
            self.positions.game.rules.payoff(self.positions.state(self.position)[0], out)
        return out.tolist()

    def to_dict(self) -> dict[str, Any]:
        """Who is to move, the actions so far, and the fields of our state; None before the deal is chosen."""
        found = self.position
        fields = None if found is None else record_to_json(self.positions.state(found)[0])
        return {"current_player": self.current_player(), "history": self.history(), "state": fields}

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict())

    def __str__(self) -> str:
        found = self.position
        if found is None:
            return BEFORE
        return "\n".join(self.positions.screen(found, seat) for seat in range(self.positions.game.players))


class Observer:
    """What a seat sees of a state, as text and as numbers; with `recalls`, all that it has ever seen and done."""

    def __init__(self, positions: Positions, recalls: bool) -> None:
        self.positions = positions
        self.recalls = recalls
        game = positions.game
        self.numbers: Numbers = np.zeros(numbers_in(game.rules.view) if recalls else encoding_of(game).length)
        self.tensor = np.zeros(len(self.numbers), np.float32)
        self.dict = {"view" if recalls else "observation": self.tensor}

    def set_from(self, state: SpielState, seat: int) -> None:
        self.numbers.fill(0.0)
        if state.position is not None:
            view = self.positions.view(state.position, seat)
            if self.recalls:
                flatten.plain(view, self.numbers)
            else:
                self.positions.game.rules.encode(view, seat, self.numbers)
        self.tensor[:] = self.numbers

    def string_from(self, state: SpielState, seat: int) -> str:
        if state.position is None:
            return f"seat {seat}: {BEFORE}"
        past = f"\n{state.position.past[seat].hex()}" if self.recalls else ""
        return self.positions.screen(state.position, seat) + past


def registered(game: Game) -> type[SpielGame]:
    """The class of a game, which OpenSpiel knows from now on. (It outlives Python there, as only a class can.)"""
    name = PREFIX + game.name
    kind = type("SpielGame", (SpielGame,), {"definition": game, "name": name})
    pyspiel.register_game(type_of(game, name), kind)
    return kind


def load(game: str | Game, **parameters: Any) -> SpielGame:
    """A game of ours, by name, from a file or as it is, with these options, as a game of OpenSpiel's."""
    return registered(resolver.game(game))(parameters)


for own in resolver.own_games():
    registered(resolver.definition(own))
