"""The genomes that Peter Fulla published (6.3), each with the share of games it is said to win against Big Money.

By our engine, a shared victory counted as won and seats changing from game to game: 0.38, 0.52, 0.39, 0.47, 0.80 and
0.97. Counting sole victories alone, the first five get 0.02 to 0.04 less, so he seems to have counted every winner.
"""

from typing import NamedTuple

from hiddenhand.core.text import Text


class Published(NamedTuple):
    text: str
    wins: float
    kingdom: str = "First Game"


PUBLISHED = {
    "ranks": Published("{gaining: [Province, Gold, Market, Militia, Silver]}", 0.38),
    "ranks, playing ranks": Published(
        "{gaining: [Province, Gold, Market, Militia, Silver], "
        "playing: [Estate, Woodcutter, Moat, Market, Gold, Militia]}",
        0.52,
    ),
    "weighted": Published(
        "{gaining: weighted {Province: 1.00e+00, Gold: 2.62e-04, Silver: 6.58e-07, Smithy: 5.14e-07}, "
        "playing: [Mine, Duchy]}",
        0.39,
    ),
    "ratios": Published(
        "{gaining: {Province: 3.83e-01, Gold: 2.64e-01, Militia: 1.55e-01, Silver: 1.17e-01, Market: 8.03e-02}, "
        "playing: [Estate, Market, Copper]}",
        0.47,
    ),
    "seasonal": Published(
        "{gaining1: {Gold: 3.13e-01, Market: 2.18e-01, Province: 1.93e-01, Militia: 1.46e-01, Silver: 1.30e-01}, "
        "gaining2: [Province, Duchy, Gold, Market, Mine, Estate, Militia, Remodel, Village], "
        "playing: [Gold, Market, Estate, Militia, Province, Village]}",
        0.80,
    ),
    "seasonal, Size Distortion": Published(
        "{gaining1: {Thief: 4.84e-01, Village: 3.33e-01, Gold: 1.83e-01}, "
        "gaining2: [Duchy, Estate, Gardens, Gold, Workshop, Silver, Copper], "
        "playing: [Witch, Province, Duchy, Gardens, Village, Estate]}",
        0.98,
        Text("Size Distortion"),
    ),
}
