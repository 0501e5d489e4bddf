"""A trained network at the table, in any game: `network:file=mine.npz`, as `train GAME ppo` or `dmc` writes it.

The view is turned into numbers by the game's rule `encode`; the network answers with a number for every action, as
the rule `relative` counts them, and with the payoff that it expects. It takes the legal action with the highest
number, or draws one: `temperature` says how far the numbers are smoothed before. All this is compiled; nothing else
is needed. What a number means, its learner says: how much the network likes the action (a logit), or the payoff that
it expects of it.

The file says for which game it was made, and with which options: it plays no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Networks
from hiddenhand.core.game import Game, encoded, encoding_of
from hiddenhand.core.policy import NOTHING, Policy
from hiddenhand.core.settings import FILE, Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.kernel import generic, pick
from hiddenhand.kernel.binding import Generic
from hiddenhand.kernel.contract import encode, evaluate, observe, relative
from hiddenhand.learning.network import probabilities, read_network, respond, sizes_of
from hiddenhand.learning.network_reasons import Listening, explain

Array = np.ndarray[Any, Any]

SUMMARY = Text("plays what a network has learned that you trained")
AS_TRAINED = -1.0
WEIGHTS = 2
"""Where the weights begin in the parameters, counted in their size: behind the temperature."""
SETTINGS = {
    "file": Setting("", Text("what `train GAME ppo` wrote; left out: the one that comes with the game"), kind=FILE),
    "temperature": Setting(
        AS_TRAINED,
        Text("0: always the move that it likes best; 1: each as often as it says; -1: as it was trained"),
        low=AS_TRAINED,
    ),
}


# --- compiled -------------------------------------------------------------------------------------


@generic
def network(view, seat, actions, memory, parameters, rng):
    """The policy. parameters: temperature, and `weights`: the network as one flat array (see `network.py`)"""
    if len(actions) == 1:
        return actions[0]
    values = np.empty(len(actions))
    inputs = np.empty(np.int64(parameters.weights[1]))
    encode(view, seat, inputs)
    answers(view, seat, actions, inputs, parameters.weights, values)
    best = np.argmax(values)
    if parameters.temperature <= 0.0:
        return actions[best]
    most = values[best]
    for i in range(len(values)):
        values[i] = np.exp((values[i] - most) / parameters.temperature)
    return actions[pick(rng, values, len(values))]


@generic
def answers(view, seat, actions, inputs, weights, values):
    """Write what the network says of each of these actions; returns the payoff that it expects."""
    outputs = np.empty(np.int64(weights[np.int64(weights[0])]), weights.dtype)
    respond(weights, inputs, outputs)
    for i in range(len(actions)):
        values[i] = outputs[relative(view, actions[i], seat)]
    return np.float64(outputs[len(outputs) - 1])


@generic
def answer_all(views, seat, start, actions, parameters, chances):
    """Write how likely the policy plays each action in many views of a seat (see `Agent.probabilities_at_once`)."""
    inputs = np.empty(np.int64(parameters.weights[1]))
    for i in range(len(views)):
        some, values = actions[start[i] : start[i + 1]], chances[start[i] : start[i + 1]]
        encode(views[i], seat, inputs)
        answers(views[i], seat, some, inputs, parameters.weights, values)
        best = np.argmax(values)
        most, total = values[best], 0.0
        for k in range(len(values)):
            if parameters.temperature > 0.0:
                values[k] = np.exp((values[k] - most) / parameters.temperature)
            else:
                values[k] = np.float64(k == best)
            total += values[k]
        for k in range(len(values)):
            values[k] /= total


@generic
def judge(s, seat, models, workspace):
    """EVAL, and what the network of the seat to move expects on top of it, which is the same for everybody."""
    evaluate(s, workspace.gains)
    if seat < 0:
        return
    view = workspace.views[0]
    observe(s, seat, view)
    weights = models.parameters[seat * models.kinds + workspace.model_choices[seat]].view(np.float32)[WEIGHTS:]
    inputs = np.empty(np.int64(weights[1]))
    encode(view, seat, inputs)
    outputs = np.empty(np.int64(weights[np.int64(weights[0])]), weights.dtype)
    respond(weights, inputs, outputs)
    for each in range(len(workspace.gains)):
        workspace.gains[each] += outputs[len(outputs) - 1]


# --- the agent ------------------------------------------------------------------------------------


class Network(PolicyAgent):
    """A network at the table: from a file, or as it is given."""

    name = "network"
    summary = SUMMARY
    settings = SETTINGS
    needs_file = True

    def __init__(
        self, game: Game, weights: Array | None = None, about: Mapping[str, Any] | None = None, **values: Any
    ) -> None:
        """weights, about: a network that is in no file"""
        self.about: Mapping[str, Any] = about or {}

        def known(of: Game, file: str) -> dict[str, Array]:
            if weights is not None:
                return {"weights": weights}
            found, self.about = read_for(of, file or shipped(of))
            return {"weights": found}

        rules = game.rules.bind(network).function
        super().__init__(game, Policy(rules, self.summary, self.settings, NOTHING, False, known), **values)
        if self.parameters.temperature < 0.0:
            self.parameters.temperature = float(self.about.get("temperature", 0.0))

    @property
    def judge(self) -> Generic | None:
        """Only where all get the same, and its value counts from what is reached (EVAL)."""
        return judge if self.about.get("shaped") and self.game.utility == "cooperative" else None

    def inputs_of(self, record: np.record, seat: int) -> Array:
        return encoded(self.game, record, seat)

    @property
    def answers_payoffs(self) -> bool:
        """Whether its answers are the payoffs of the actions, and not how much it likes them."""
        return self.about.get("answers") == "payoffs"

    def numbers(self, record: np.record, seat: int, actions: list[int], inputs: Array) -> tuple[Array, float]:
        """What the network answers for each action, and the payoff that it expects."""
        values, asked = np.zeros(len(actions)), np.array(actions, np.int64)
        payoff = self.game.rules.bind(answers)(record, seat, asked, inputs, self.parameters.weights, values)
        return values, float(values.max() if self.answers_payoffs else payoff)

    def answer(self, record: np.record, seat: int, actions: list[int], inputs: Array) -> tuple[Array, float]:
        """How likely each action is by the network at temperature 1, and the payoff that it expects."""
        values, payoff = self.numbers(record, seat, actions, inputs)
        return probabilities(values, np.ones(len(values), np.bool_)), payoff

    def chances(self, record: np.record, seat: int, actions: list[int]) -> Array:
        """How likely each action is."""
        return self.answer(record, seat, actions, self.inputs_of(record, seat))[0]

    def probabilities(self, view: View) -> list[float]:
        """How likely it plays each action, at its temperature."""
        actions = view.legal_actions()
        if self.parameters.temperature <= 0.0:
            action = self.decide(view).action
            return [float(each == action) for each in actions]
        values, _ = self.numbers(view.record, view.seat, actions, self.inputs_of(view.record, view.seat))
        chances = probabilities(values / self.parameters.temperature, np.ones(len(values), np.bool_))
        return list(chances.tolist())

    def probabilities_at_once(self, views: Array, seat: int, start: Array, actions: Array) -> Array:
        chances = np.zeros(len(actions))
        numbers = actions.astype(np.int64)
        self.game.rules.bind(answer_all)(views, seat, start, numbers, self.parameters, chances)
        return chances

    def explain(self, view: View) -> Decision:
        record, seat, actions = view.record, view.seat, view.legal_actions()
        inputs = self.inputs_of(record, seat)
        if self.answers_payoffs:
            listening = Listening(
                inputs,
                lambda given: self.numbers(record, seat, actions, given)[0],
                groups_of(self.game),
                lambda value: Text("{value:+.2f}", value=value),
                lambda move, value: Text(
                    'By the games that I have played with myself, I expect a payoff of {value} from "{move}".',
                    move=move,
                    value=value,
                ),
            )
            return explain(view, self.decide(view).action, listening)
        _, payoff = self.answer(record, seat, actions, inputs)
        expects = Text(
            "{payoff:+.2f} on top of what is reached" if self.about.get("shaped") else "{payoff:+.2f} in the end",
            payoff=payoff,
        )

        def opening(move: str, value: str) -> str:
            return Text(
                'My network gives "{move}" a chance of {value} (it is drawn by these chances), and expects {expects}.'
                if self.parameters.temperature > 0.0
                else 'My network gives "{move}" a chance of {value}, and expects {expects}.',
                move=move,
                value=value,
                expects=expects,
            )

        listening = Listening(
            inputs,
            lambda given: self.answer(record, seat, actions, given)[0],
            groups_of(self.game),
            lambda value: Text("{value:.0%}", value=value),
            opening,
            chances=True,
        )
        decision = explain(view, self.decide(view).action, listening)
        decision.value = None if self.about.get("shaped") or len(actions) == 1 else payoff
        return decision


def shipped(game: Game) -> Path:
    """The file of the network that comes with a game, for its number of players."""
    networks = game.extra(Networks)
    path = Path(networks.folder if networks is not None else "") / f"network{game.players}.npz"
    if networks is None or not path.is_file():
        raise UserError("network needs to be told its file: network:file=mine.npz (`train GAME ppo` makes one)")
    return path


def groups_of(game: Game) -> dict[str, Array]:
    """The places of the numbers that are about one thing: as the game names them, or by the fields of the view."""
    if encoding_of(game).groups or "encode" in game.rules.given:
        return {name: np.array(places, np.int64) for name, places in encoding_of(game).groups.items()}
    names = [name for name in game.rules.view.names or () if name != "padding"]
    ends = np.cumsum([int(np.prod(game.rules.view[name].shape)) for name in names])
    return {name: np.arange(start, end) for name, start, end in zip(names, [0, *ends], ends)}


# --- for which game -------------------------------------------------------------------------------


def about_game(game: Game) -> dict[str, Any]:
    """What a file says of the game that its network was trained for."""
    return {
        "game": game.name,
        "version": game.version,
        "players": game.players,
        "options": {name: value for name, value in game.options.items() if name != "players"},
    }


def read_for(game: Game, path: str | Path) -> tuple[Array, dict[str, Any]]:
    """The network of a file; refused if it was trained for another game, or for this one with other options."""
    weights, about = read_network(path)
    here, file = about_game(game), Path(path).name
    if about.get("game") != game.name:
        raise UserError(
            "{file} is a network for {ours}, not for {name}",
            file=file,
            ours=about.get("game", "no game of ours"),
            name=game.name,
        )
    if about.get("version") != game.version:
        raise UserError(
            "{file} was trained for version {version} of {name}, and this is {other_version}",
            file=file,
            version=about.get("version"),
            name=game.name,
            other_version=game.version,
        )
    if about.get("players") != game.players:
        raise UserError(
            "{file} was trained for {players} players, not for {given}",
            file=file,
            players=about.get("players"),
            given=game.players,
        )
    for name, value in here["options"].items():
        trained = about.get("options", {}).get(name)
        if trained != value:
            raise UserError(
                "{file} was trained with {name}={trained}; this game has {name}={value}",
                file=file,
                name=name,
                trained=trained,
                value=value,
            )
    sizes = sizes_of(weights)
    if (sizes[0], sizes[-1]) != (encoding_of(game).length, game.rules.action_count + 1):
        raise UserError(
            "{file} does not fit {name}: it reads {sizes} numbers and has {other_sizes} answers, "
            "where there are {encoded_length} and {action_count}",
            file=file,
            name=game.name,
            sizes=sizes[0],
            other_sizes=sizes[-1],
            encoded_length=encoding_of(game).length,
            action_count=game.rules.action_count + 1,
        )
    return weights, about
