"""Features: EVAL as a weighted sum of named things that can be counted in a position.

A game of two sides gives a rule `features(s, out)`, which writes how far seat 0 is ahead in each of them, and says in
`define(features=...)` what they are called, what they mean and what each is worth. The sum s of all is turned into
s / (|s| + scale), which stays between -1 and 1 and leaves the order of positions as it is. A search can be given
other weights by the names of the features, and they can be learned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.kernel import Rule, rule
from hiddenhand.kernel.rule import Uncompiled

if TYPE_CHECKING:
    from hiddenhand.core.game import Game


class Feature(NamedTuple):
    """Something that counts."""

    name: str
    weight: float
    meaning: str


class Features(NamedTuple):
    """All that counts in a game, and the sum that counts as half a win."""

    each: Sequence[Feature]
    scale: float

    @property
    def names(self) -> list[str]:
        return [feature.name for feature in self.each]

    @property
    def weights(self) -> np.ndarray[Any, Any]:
        """The weights as they ship, float64."""
        return np.array([feature.weight for feature in self.each])

    @property
    def most(self) -> float:
        """No weight is larger, nor smaller than its negative: where tuning looks."""
        return 10.0 * float(np.abs(self.weights).max())


def evaluation(counted: Rule, features: Features) -> Rule:
    """The rule `evaluate` of a game that has features."""
    weights, scale, count = features.weights, features.scale, len(features.each)

    @rule
    def evaluate(s, out):
        found = np.empty(count)
        counted(s, found)
        squashed(found, weights, scale, out)

    return Uncompiled(evaluate.function) if isinstance(counted, Uncompiled) else evaluate


@rule
def squashed(found, weights, scale, out):
    """The weighted sum of what was found, as payoffs of both sides."""
    total = 0.0
    for i in range(len(weights)):
        total += weights[i] * found[i]
    out[0] = total / (abs(total) + scale)
    out[1] = -out[0]


# ---- files of weights


def write_weights(path: str | Path, game: Game, weights: Mapping[str, float]) -> None:
    """Keep weights for a game."""
    document = {"game": game.name, "weights": {name: round(float(weight), 6) for name, weight in weights.items()}}
    Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def read_weights(path: str | Path, game: Game) -> dict[str, float]:
    """The weights in a file, by feature; refused if they are for another game, or for features that it has not."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError("{path} cannot be read: {why}", path=path, why=error.strerror) from None
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise UserError("{path} is not a file of weights: it is not JSON", path=path) from None
    features = game.extra(Features)
    names = features.names if features is not None else []
    weights = document.get("weights") if isinstance(document, dict) else None
    if not isinstance(weights, dict) or not all(isinstance(weight, int | float) for weight in weights.values()):
        raise UserError('{path} is not a file of weights: it has no "weights" by feature', path=path)
    if document.get("game") != game.name:
        raise UserError(
            "{path} has weights for {get}, not for {name}", path=path, get=document.get("game"), name=game.name
        )
    unknown = [name for name in weights if name not in names]
    if unknown:
        raise UserError(
            "{path} has a weight for {unknown}; the features of {name} are {names}",
            path=path,
            unknown=unknown[0],
            name=game.name,
            names=", ".join(names),
        )
    return {name: float(weight) for name, weight in weights.items()}
