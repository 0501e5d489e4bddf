"""Do OpenSpiel's games keep their secrets? The checks behind `hiddenhand audit open_spiel:NAME`.

Positions of a game are gone through, the first ones level by level and others in games at random. At every decision
the player to move is told an information state and an observation. Six things must hold of them:

    legal         with the same information state, the same actions are legal
    recall        with the same information state, the player has seen and done the same before (perfect recall)
    observation   the same information state goes with the same observation: an observation tells nothing more
    tensor        the same text of the information state goes with the same tensor: numbers tell nothing more
    unseen        after the same observations and own actions, the information state is the same: it tells nothing
                  that the player has not been shown (how much time passed while nothing was seen is not shown)
    resampling    what `resample_from_infostate` draws looks the same to the player, and does not depend on the truth

A check that fails has an example: two histories, the shortest that were met. `unseen` may also fail because the
observations show too little; which of the two is wrong a person has to say. Resampling is tried from two worlds of
one information state: if they are drawn with different probabilities from each, the truth has been handed on.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import fisher_exact

from hiddenhand.bridges import missing
from hiddenhand.bridges.open_spiel_games import after, hides
from hiddenhand.core.errors import UserError, did_you_mean

try:
    import pyspiel
except ImportError:
    raise missing("OpenSpiel") from None

TYPE = pyspiel.GameType
CHECKS = ("legal", "recall", "observation", "tensor", "unseen", "resampling")
HOLDS, FAILS, NOT_OFFERED = "holds", "FAILS", "not offered"
RESAMPLED, DRAWS = 20, 40
"""In how many positions resampling is tried, and how often from each world."""
TOO_RARE = 1e-7
WIDEST = 32
"""So many actions are followed where all positions are gone through; of more of them, some."""
MOST_OUTCOMES = 60


class ShownState(NamedTuple):
    """What a player has been shown and has done until a moment, as a short name; and the last observation."""

    name: int = 0
    last: str = ""

    def action(self, action: int) -> ShownState:
        return ShownState(hash((self.name, action)), self.last)

    def observation(self, seen: str) -> ShownState:
        return self if seen == self.last else ShownState(hash((self.name, seen)), seen)


class HistoryNode(NamedTuple):
    """A moment of a game, and what led each player to it."""

    state: Any
    past: tuple[int, ...]
    """Short names for the information states at one's own decisions, and own actions."""
    shown: tuple[ShownState, ...]


@dataclass
class Example:
    """Two histories that show what is wrong, and for whom."""

    player: int
    first: list[int]
    second: list[int]

    def __len__(self) -> int:
        return len(self.first) + len(self.second)


@dataclass
class Audit:
    """What was found of one game."""

    name: str
    states: int = 0
    verdicts: dict[str, str] = field(default_factory=lambda: dict.fromkeys(CHECKS, NOT_OFFERED))
    examples: dict[str, Example] = field(default_factory=dict)

    @property
    def failed(self) -> list[str]:
        return [check for check, verdict in self.verdicts.items() if verdict == FAILS]

    def to_json(self) -> dict[str, Any]:
        theirs = loaded(self.name)
        told = {
            check: {"player": each.player, "histories": [in_words(theirs, each.first), in_words(theirs, each.second)]}
            for check, each in self.examples.items()
        }
        return {"game": self.name, "states": self.states, "verdicts": self.verdicts, "examples": told}


def audited(name: str, states: int = 5000, seconds: float = 20.0) -> Audit:
    """The audit of a game by what OpenSpiel's `load_game` reads: so many states, or as many as there is time for."""
    theirs = loaded(name)
    auditor = Auditor(theirs, Audit(name))
    limit = time.monotonic() + seconds
    for node in walked(theirs, auditor, states):
        auditor.look(node)
        if time.monotonic() > limit:
            break
    auditor.try_resampling(limit + seconds)
    return auditor.audit


def hidden_games() -> list[str]:
    """The names of OpenSpiel's own games of turns, or of moves at the same time, that hide something."""
    kinds = (TYPE.Dynamics.SEQUENTIAL, TYPE.Dynamics.SIMULTANEOUS)
    return [
        kind.short_name
        for kind in pyspiel.registered_games()
        if kind.dynamics in kinds and kind.information == TYPE.Information.IMPERFECT_INFORMATION
    ]


def loaded(name: str) -> pyspiel.Game:
    """A game in which one player after the other moves, and something is hidden."""
    if name.partition("(")[0] not in pyspiel.registered_names():
        near = did_you_mean(name, pyspiel.registered_names())
        raise UserError("OpenSpiel has no game {name}{registered_names}", name=repr(name), registered_names=near)
    try:
        theirs = pyspiel.load_game(name)
    except Exception as error:
        why = " ".join(str(error).split())
        raise UserError("OpenSpiel cannot load {text}: {split}", text=name, split=why) from None
    kind = theirs.get_type()
    if kind.dynamics == TYPE.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    elif kind.dynamics != TYPE.Dynamics.SEQUENTIAL:
        raise UserError("{name} of OpenSpiel is no game of turns", name=name)
    if not hides(theirs):
        raise UserError("{name} of OpenSpiel hides nothing", name=name)
    if not theirs.get_type().provides_information_state_string:
        raise UserError("{name} of OpenSpiel has no information states", name=name)
    return theirs


def in_words(theirs: pyspiel.Game, history: list[int]) -> list[str]:
    """The actions of a history as OpenSpiel writes them, each with who made it."""
    state, told = theirs.new_initial_state(), []
    for action in history:
        who = "chance" if state.is_chance_node() else f"player {state.current_player()}"
        told.append(f"{who}: {state.action_to_string(state.current_player(), action)}")
        state.apply_action(action)
    return told


# ---- through the positions


def walked(theirs: pyspiel.Game, auditor: Auditor, states: int) -> Iterator[HistoryNode]:
    """Positions: half of them level by level from the start, the others in games at random."""
    players = theirs.num_players()
    root = auditor.observed(HistoryNode(theirs.new_initial_state(), (0,) * players, (ShownState(),) * players))
    level: deque[tuple[HistoryNode, int | None]] = deque([(root, None)])
    for _ in range(states // 2):
        if not level:
            break
        before, action = level.popleft()
        node = before if action is None else auditor.followed(before, action)
        yield node
        if not node.state.is_terminal():
            actions = node.state.legal_actions()
            level.extend((node, each) for each in actions[:: 1 + len(actions) // WIDEST])
    draw, node = np.random.default_rng(1), root
    for _ in range(states // 2):
        yield node
        over = node.state.is_terminal()
        node = root if over else auditor.followed(node, drawn(node.state, draw))


def drawn(state: pyspiel.State, draw: np.random.Generator) -> int:
    """A legal action, or an outcome of chance by its odds."""
    if not state.is_chance_node():
        return int(draw.choice(state.legal_actions()))
    outcomes, odds = zip(*state.chance_outcomes())
    return int(draw.choice(outcomes, p=np.array(odds) / sum(odds)))


# ---- what is compared


class Auditor:
    """Remembers what went with what, and finds where it does not."""

    def __init__(self, theirs: pyspiel.Game, audit: Audit) -> None:
        self.theirs, self.audit = theirs, audit
        kind = theirs.get_type()
        self.has_tensor = bool(kind.provides_information_state_tensor)
        self.has_observation = bool(kind.provides_observation_string)
        self.known: dict[tuple[str, int, Hashable], tuple[Hashable, list[int]]] = {}
        self.worlds: dict[tuple[int, str], list[list[int]]] = {}
        """By player and information state: a history, and another one if there is one."""

    def followed(self, node: HistoryNode, action: int) -> HistoryNode:
        """The moment after an action."""
        mover, state = int(node.state.current_player()), node.state.clone()
        past, shown = list(node.past), list(node.shown)
        if mover >= 0:
            past[mover] = hash((past[mover], node.state.information_state_string(mover), action))
            shown[mover] = shown[mover].action(action)
        state.apply_action(action)
        return self.observed(HistoryNode(state, tuple(past), tuple(shown)))

    def observed(self, node: HistoryNode) -> HistoryNode:
        """All players see what there is to be seen now; nobody is asked while chance moves or when all is over."""
        if not self.has_observation or node.state.is_terminal() or node.state.is_chance_node():
            return node
        seen = [str(node.state.observation_string(player)) for player in range(len(node.shown))]
        return node._replace(shown=tuple(shown.observation(each) for shown, each in zip(node.shown, seen)))

    def look(self, node: HistoryNode) -> None:
        """Compare this position, if somebody decides there, with those before."""
        if node.state.is_terminal() or node.state.is_chance_node():
            return
        self.audit.states += 1
        state, player = node.state, int(node.state.current_player())
        text, history = str(state.information_state_string(player)), list(state.history())
        self.expect("legal", player, text, tuple(state.legal_actions()), history)
        self.expect("recall", player, text, node.past[player], history)
        if self.has_tensor:
            tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
            self.expect("tensor", player, text, hash(tensor), history)
        if self.has_observation:
            self.expect("observation", player, text, hash(str(state.observation_string(player))), history)
            self.expect("unseen", player, node.shown[player].name, hash(text), history)
        found = self.worlds.setdefault((player, text), [])
        if len(found) < 2 and history not in found:
            found.append(history)

    def expect(self, check: str, player: int, same: Hashable, value: Hashable, history: list[int]) -> None:
        """Where `same` is the same, `value` must be."""
        before, first = self.known.setdefault((check, player, same), (value, history))
        if self.audit.verdicts[check] == NOT_OFFERED:
            self.audit.verdicts[check] = HOLDS
        if before != value:
            self.fail(check, Example(player, first, history))

    def fail(self, check: str, example: Example) -> None:
        self.audit.verdicts[check] = FAILS
        if check not in self.audit.examples or len(example) < len(self.audit.examples[check]):
            self.audit.examples[check] = example

    # ---- resampling

    def try_resampling(self, limit: float) -> None:
        """From two worlds of one information state, the same worlds must be drawn equally often."""
        for (player, text), histories in list(self.worlds.items())[:RESAMPLED]:
            true = after(self.theirs, histories[0])
            try:
                first = draws(true, player)
            except Exception:  # whatever kind of error a library in another language makes of "not implemented"
                return
            if self.audit.verdicts["resampling"] == NOT_OFFERED:
                self.audit.verdicts["resampling"] = HOLDS
            for other in first:
                if str(other.information_state_string(player)) != text:
                    self.fail("resampling", Example(player, histories[0], list(other.history())))
            self.compare_draws(player, text, first, histories)
            if time.monotonic() > limit:
                return

    def compare_draws(self, player: int, text: str, first: list[Any], histories: list[list[int]]) -> None:
        secret = hidden_from(after(self.theirs, histories[0]), player)
        others = [*first, *(after(self.theirs, each) for each in histories[1:])]
        found = (each for each in others if hidden_from(each, player) != secret)
        other = next(found, None) or another_world(self.theirs, histories[0], player, text)
        if other is None or str(other.information_state_string(player)) != text:
            return
        hits = [sum(hidden_from(each, player) == secret for each in group) for group in (first, draws(other, player))]
        if fisher_exact([[n, DRAWS - n] for n in hits]).pvalue < TOO_RARE:
            self.fail("resampling", Example(player, histories[0], list(other.history())))


def draws(state: pyspiel.State, player: int) -> list[Any]:
    """Some states that OpenSpiel holds possible for a player."""
    draw = np.random.default_rng(len(state.history()))
    return [state.resample_from_infostate(player, draw.random) for _ in range(DRAWS)]


def hidden_from(state: pyspiel.State, player: int) -> tuple[str, ...]:
    """What a player does not know: the information states of the others."""
    players = range(state.num_players())
    return tuple(str(state.information_state_string(each)) for each in players if each != player)


def another_world(theirs: pyspiel.Game, history: list[int], player: int, text: str) -> Any:
    """A world in which something else has come by chance, and all that this player knows is the same; None if none is
    found. An outcome takes the place of another, which, if it came later, takes its own."""
    state = theirs.new_initial_state()
    for ply, action in enumerate(history):
        for outcome in state.legal_actions()[:MOST_OUTCOMES] if state.is_chance_node() else ():
            rest = [{outcome: action, action: outcome}.get(each, each) for each in history[ply:]]
            for changed in (rest, [outcome, *history[ply + 1 :]]):
                other = replayed(state, changed)
                if other is not None and hidden_from(other, player) != hidden_from(after(theirs, history), player):
                    if str(other.information_state_string(player)) == text:
                        return other
        state.apply_action(action)
    return None


def replayed(state: pyspiel.State, actions: list[int]) -> Any:
    """The state after these actions; None if one of them is not legal, or the game is over or chance moves then."""
    now = state.clone()
    for action in actions:
        if now.is_terminal() or action not in now.legal_actions():
            return None
        now.apply_action(action)
    return None if now.is_terminal() or now.is_chance_node() else now
