"""Learning methods that know no particular game: evolution, tuning by Bayesian optimisation, small networks.

`hiddenhand.lab` lets them loose on a game: `train`, `tune`, `evolve`.
"""

from typing import TYPE_CHECKING

from hiddenhand.facade import facade

if TYPE_CHECKING:
    from hiddenhand.learning.bayesian import BayesianSearch
    from hiddenhand.learning.chromosomes import Ranks, Ratios
    from hiddenhand.learning.evolution import Evolution, Model, ModelKind, Polishable
    from hiddenhand.learning.network import Adam, cross_entropy, new_network, probabilities, respond, square_error

__all__ = [
    "Adam",
    "BayesianSearch",
    "Evolution",
    "Model",
    "ModelKind",
    "Polishable",
    "Ranks",
    "Ratios",
    "cross_entropy",
    "new_network",
    "probabilities",
    "respond",
    "square_error",
]

AGENTS = {"network": "hiddenhand.learning.network_agent:Network"}
"""The agents as the resolver finds them."""

facade(__name__, former={"Search": "BayesianSearch"})
