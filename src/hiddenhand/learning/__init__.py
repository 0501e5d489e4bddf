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

facade(
    __name__,
    {
        "Adam": "hiddenhand.learning.network:Adam",
        "Evolution": "hiddenhand.learning.evolution:Evolution",
        "Model": "hiddenhand.learning.evolution:Model",
        "ModelKind": "hiddenhand.learning.evolution:ModelKind",
        "Polishable": "hiddenhand.learning.evolution:Polishable",
        "Ranks": "hiddenhand.learning.chromosomes:Ranks",
        "Ratios": "hiddenhand.learning.chromosomes:Ratios",
        "BayesianSearch": "hiddenhand.learning.bayesian:BayesianSearch",
        "cross_entropy": "hiddenhand.learning.network:cross_entropy",
        "new_network": "hiddenhand.learning.network:new_network",
        "probabilities": "hiddenhand.learning.network:probabilities",
        "respond": "hiddenhand.learning.network:respond",
        "square_error": "hiddenhand.learning.network:square_error",
    },
    former={"Search": "BayesianSearch"},
)
