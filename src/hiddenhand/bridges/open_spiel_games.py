"""OpenSpiel's games at our tables: `open_spiel:tic_tac_toe`, `open_spiel:kuhn_poker(players=3)`.

The state of such a game is its history; the rules play it in OpenSpiel. They are not compiled, and what is compiled
for a game cannot call them: everybody plays these games as plain Python, our searches too, slowly.

A game that hides nothing needs no more. Of one that does, a seat sees OpenSpiel's text of its information state (or
of its observation, where there is no other), how many plies have been played, and whose turn it is; other worlds it
imagines by OpenSpiel's own resampling. Secrecy fails closed: a hidden game that cannot resample is refused, since
nobody could then think about it without being shown the truth, and so is one whose resampling depends on more than
what the player knows. Both are tried on some games when it is loaded. Refused, too, are games in which several move
at once, and those whose chance does not tell its odds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from hiddenhand.bridges import Numbers, missing
from hiddenhand.core.errors import UserError, did_you_mean
from hiddenhand.core.game import Game, define
from hiddenhand.core.text import Seat, Text
from hiddenhand.kernel import CHANCE, OVER, record_type, uniform
from hiddenhand.kernel.rule import Uncompiled

try:
    import pyspiel
except ImportError:
    raise missing("OpenSpiel") from None

TYPE = pyspiel.GameType
UTILITIES = {TYPE.Utility.ZERO_SUM: "zero-sum", TYPE.Utility.IDENTICAL: "cooperative"}
SPECIAL = {int(pyspiel.PlayerId.TERMINAL): OVER, int(pyspiel.PlayerId.CHANCE): CHANCE}
KEPT = 4096
"""States that are remembered, so that they are not played again from the beginning."""
LONGEST = 1 << 15
LONGEST_TEXT = 1 << 14
"""Bytes of what a seat knows."""
VIEW = record_type([("made", "i4"), ("mover", "i4"), ("length", "i4"), ("text", "u1", (LONGEST_TEXT,))])
MOST_DRAWN = 1000
TRIES, TRIED = 4, 12
"""Resampling is tried out in this many games, and in this many decisions of each."""


class Histories:
    """The states of a game of OpenSpiel's by their histories."""

    def __init__(self, theirs: pyspiel.Game) -> None:
        self.theirs = theirs
        self.known: OrderedDict[bytes, pyspiel.State] = OrderedDict()

    def state(self, s: np.record) -> pyspiel.State:
        """OpenSpiel's state for a state record of ours; it must not be changed."""
        key = s.history[: s.made].tobytes()
        if key not in self.known:
            self.keep(key, after(self.theirs, s.history[: s.made].tolist()))
        self.known.move_to_end(key)
        return self.known[key]

    def keep(self, key: bytes, state: pyspiel.State) -> None:
        self.known[key] = state
        if len(self.known) > KEPT:
            self.known.popitem(last=False)

    def put(self, s: np.record, state: pyspiel.State) -> None:
        """Make the record that of this state."""
        history = np.array(state.history(), np.int32)
        s.history[:] = 0
        s.history[: len(history)] = history
        s.made = len(history)
        self.keep(history.tobytes(), state)


def game_of(text: str) -> Game:
    """A game of OpenSpiel's by what its `load_game` reads."""
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names():
        raise UserError(
            "OpenSpiel has no game {name}{registered_names}",
            name=repr(name),
            registered_names=did_you_mean(name, pyspiel.registered_names()),
        )
    try:
        theirs = pyspiel.load_game(text)
    except Exception as error:
        raise UserError(
            "OpenSpiel cannot load {text}: {split}", text=text, split=" ".join(str(error).split())
        ) from None
    reason = refusal(theirs)
    if reason:
        raise UserError("{text} of OpenSpiel cannot be played here: {reason}", text=text, reason=reason)
    return defined(theirs, text)


def refusal(theirs: pyspiel.Game) -> str:
    """Why a game cannot be played at our tables; empty if it can."""
    kind = theirs.get_type()
    if kind.dynamics != TYPE.Dynamics.SEQUENTIAL:
        return Text("several players move at once in it")
    if kind.chance_mode == TYPE.ChanceMode.SAMPLED_STOCHASTIC:
        return Text("its chance draws by itself and does not tell its odds")
    if longest(theirs) > LONGEST:
        return Text("it may take more than {n:,} plies", n=LONGEST)
    return secrecy_fault(theirs) if hides(theirs) else ""


def hides(theirs: pyspiel.Game) -> bool:
    return bool(theirs.get_type().information != TYPE.Information.PERFECT_INFORMATION)


def longest(theirs: pyspiel.Game) -> int:
    chances = theirs.max_chance_nodes_in_history() if theirs.max_chance_outcomes() > 0 else 0
    return int(theirs.max_game_length() + chances)


def secrecy_fault(theirs: pyspiel.Game) -> str:
    """Why what a player does not know cannot be drawn anew, as far as some games show; empty if it can."""
    for number in range(TRIES):
        state, draw, decisions = theirs.new_initial_state(), np.random.default_rng(number), 0
        while not state.is_terminal() and decisions < TRIED:
            if not state.is_chance_node():
                decisions += 1
                for seat in range(theirs.num_players()):
                    fault = fault_at(state, seat, number)
                    if fault:
                        return fault
            state.apply_action(int(draw.choice(state.legal_actions())))
    return ""


def fault_at(state: pyspiel.State, seat: int, seed: int) -> str:
    """What comes of the same draws may depend on what the seat knows, and on nothing else."""
    try:
        other = resampled(state, seat, np.random.default_rng(seed).random)
        first, second = (resampled(each, seat, np.random.default_rng(seed + 1).random) for each in (state, other))
    except UserError:
        return Text("it hides something, and OpenSpiel cannot resample what a player does not know in it")
    if first.history() != second.history():
        return Text("it hides something, and what OpenSpiel resamples depends on what the player cannot know")
    return ""


def resampled(state: pyspiel.State, seat: int, draw: Callable[[], float]) -> pyspiel.State:
    """A state in which the seat knows just what it knows in this one: drawn until one is found."""
    for _ in range(MOST_DRAWN):
        try:
            other = drawn_anew(state, seat, draw)
        except (RuntimeError, IndexError, ValueError) as error:
            raise UserError("OpenSpiel cannot resample here: {split}", split=" ".join(str(error).split())) from None
        if known_by(other, seat) == known_by(state, seat):
            return other
    raise UserError(
        "of {most:,} states that OpenSpiel has resampled {who} can tell each apart", most=MOST_DRAWN, who=Seat(seat)
    )


def drawn_anew(state: pyspiel.State, seat: int, draw: Callable[[], float]) -> pyspiel.State:
    """By OpenSpiel where somebody decides; while chance moves, from the last decision on, or dealt again."""
    if not state.is_chance_node():
        return state.resample_from_infostate(seat, draw)
    decisions = [ply for ply, step in enumerate(state.full_history()) if step.player >= 0]
    if not decisions:
        return dealt_anew(state, draw)
    last, history = decisions[-1], state.history()
    other = after(state.get_game(), history[:last]).resample_from_infostate(seat, draw)
    for action in history[last:]:
        other.apply_action(action)
    return other


def dealt_anew(state: pyspiel.State, draw: Callable[[], float]) -> pyspiel.State:
    """Before the first decision: the same number of chance moves is dealt again."""
    other = state.get_game().new_initial_state()
    for _ in state.history():
        outcomes, odds = zip(*other.chance_outcomes())
        place = int(np.searchsorted(np.cumsum(odds), draw() * sum(odds), side="right"))
        other.apply_action(outcomes[min(place, len(outcomes) - 1)])
    return other


def after(theirs: pyspiel.Game, history: list[int]) -> pyspiel.State:
    """The state after these actions."""
    state = theirs.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def known_by(state: pyspiel.State, seat: int) -> tuple[str, int, int]:
    """What a seat knows: OpenSpiel's text, how many plies have been played, and whose turn it is."""
    kind = state.get_game().get_type()
    told = state.information_state_string if kind.provides_information_state_string else state.observation_string
    return str(told(seat)), len(state.history()), int(state.current_player())


def defined(theirs: pyspiel.Game, text: str) -> Game:
    """The game in our contract."""
    kind, histories, hidden = theirs.get_type(), Histories(theirs), hides(theirs)
    rules = rules_of(histories, hidden)
    players, low, high = theirs.num_players(), theirs.min_utility(), theirs.max_utility()
    utility = "general" if players == 1 else UTILITIES.get(kind.utility, "general")
    return define(
        text,
        title=f"{kind.long_name} (OpenSpiel)",
        about=f"{kind.long_name}, as OpenSpiel plays it.",
        state=record_type([("made", "i4"), ("history", "i4", (longest(theirs) + 1,))]),
        view=VIEW if hidden else None,
        rules=[Uncompiled(function) for function in rules],
        people=people_of(histories, hidden),
        players=players,
        hidden=hidden,
        chance=("outcomes",) if kind.chance_mode == TYPE.ChanceMode.EXPLICIT_STOCHASTIC else (),
        utility=utility,
        most_actions=max(theirs.num_distinct_actions(), theirs.max_chance_outcomes(), 1),
        longest=longest(theirs),
        payoffs=(min(low, 0.0), max(high, 0.0)) if utility == "zero-sum" else (low, high),
    )


def rules_of(histories: Histories, hidden: bool) -> list[Any]:
    """The rules of the contract, played in OpenSpiel."""

    def deal(s: np.record, rng: Numbers) -> None:
        s.made = 0
        s.history[:] = 0

    def turn(s: np.record) -> int:
        player = int(histories.state(s).current_player())
        return SPECIAL.get(player, player)

    def legal(s: np.record, out: Numbers) -> int:
        actions = histories.state(s).legal_actions()
        out[: len(actions)] = actions
        return len(actions)

    def odds(s: np.record, out: Numbers) -> None:
        chances = dict(histories.state(s).chance_outcomes())
        out[: len(chances)] = [chances[outcome] for outcome in histories.state(s).legal_actions()]

    def play(s: np.record, action: int, rng: Numbers) -> None:
        after = histories.state(s).clone()
        after.apply_action(int(action))
        histories.put(s, after)

    def payoff(s: np.record, out: Numbers) -> None:
        returns = histories.state(s).returns()
        out[: len(returns)] = returns

    def observe(s: np.record, seat: int, view: np.record) -> None:
        text, view.made, view.mover = known_by(histories.state(s), int(seat))
        told = text.encode()
        if len(told) > LONGEST_TEXT:
            raise UserError("what a seat knows here takes more than {most:,} letters", most=LONGEST_TEXT)
        view.text[:] = 0
        view.text[: len(told)] = np.frombuffer(told, np.uint8)
        view.length = len(told)

    def redeal(s: np.record, seat: int, rng: Numbers) -> None:
        histories.put(s, resampled(histories.state(s), int(seat), lambda: float(uniform(rng))))

    always = [deal, turn, legal, play, payoff]
    always += [odds] if histories.theirs.max_chance_outcomes() > 0 else []
    return [*always, observe, redeal] if hidden else always


def people_of(histories: Histories, hidden: bool) -> list[Any]:
    """What people read."""

    def action_name(s: np.record, action: int) -> str:
        state = histories.state(s)
        return str(state.action_to_string(state.current_player(), int(action)))

    def show(view: np.record, seat: int) -> str:
        if hidden:
            return bytes(view.text[: view.length]).decode()
        return str(histories.state(view))

    return [action_name, show]
