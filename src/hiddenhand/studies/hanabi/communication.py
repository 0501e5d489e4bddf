"""Figure 6.4 of the thesis on Hanabi: communicativeness by risk aversion, each agent of a family beside the others.

The figure is of R. Canaan and others (2019); theirs were bred, ours are `inclined` with the two numbers as settings.
Every agent plays in pairs with partners drawn from all others.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

import numpy as np

from hiddenhand.core.resolver import game
from hiddenhand.lab.match import match
from hiddenhand.lab.parts import Found
from hiddenhand.lab.statistics import FAILS, NOT_SHOWN, Interval, Numbers, summarise, verdict
from hiddenhand.studies.html_report import Rows

GRID = tuple(round(0.1 * i, 1) for i in range(10))
PARTNERS = 10
"""How many other agents an agent plays with; they are drawn anew for each agent, and are fewer if there are not
enough games."""
SEED = 64
BEST_OF_THEIRS = (12.55, 0.5, 0.8)
"""The highest mean of the figure, its communicativeness and its risk aversion."""
CAREFUL, RASH, TALKATIVE = 0.8, 0.2, 0.3


def piece_name(talk: float) -> str:
    return f"inclined {talk}, with intervals"


def member(talk: float, caution: float) -> str:
    return f"inclined:communicativeness={talk},risk_aversion={caution}"


def play_row(talk: float, games: int) -> Found:
    """The mean scores of the agents of one communicativeness, by their risk aversion, and half the 95 % interval of
    each, in which partners are drawn."""
    of, row, halves = game("hanabi", players=2), [], []
    everybody = [(a, b) for a in GRID for b in GRID]
    for caution in GRID:
        draw = random.Random(f"{SEED} {talk} {caution}")
        count = min(PARTNERS, max(1, games // PARTNERS))
        others = draw.sample([each for each in everybody if each != (talk, caution)], count)
        each = max(2, games // count)
        scores = [
            match(of, [member(talk, caution), member(*other)], games=each, seed=SEED + number, rotate=True).payoffs[
                :, 0
            ]
            for number, other in enumerate(others)
        ]
        row.append(float(np.concatenate(scores).mean()))
        by_partner = summarise(np.array([each.mean() for each in scores]))
        halves.append(math.inf if by_partner.high is None else by_partner.high - by_partner.mean)
    return {"row": row, "halves": halves}


def rows_of(found: Mapping[str, Found]) -> dict[float, list[float]]:
    """The rows that there are, by communicativeness."""
    return {talk: list(found[piece_name(talk)]["row"]) for talk in GRID if piece_name(talk) in found}


def table(rows: Mapping[float, list[float]]) -> Rows:
    head = ["communicativeness \\ risk aversion", *(f"{caution:.1f}" for caution in GRID)]
    return [head, *([f"{talk:.1f}", *(f"{mean:.2f}" for mean in row)] for talk, row in rows.items())]


def findings(found: Mapping[str, Found]) -> Rows:
    """What section 6.3 says of the figure, and what ours says; as rows of the table of statements."""
    rows = rows_of(found)
    if len(rows) < len(GRID):
        return []
    halves = {talk: np.array(found[piece_name(talk)]["halves"]) for talk in GRID}
    mean, talk, caution = max((mean, talk, GRID[i]) for talk, row in rows.items() for i, mean in enumerate(row))
    alike = [(talk, GRID[i]) for talk in GRID for i in range(len(GRID)) if rows[talk][i] + halves[talk][i] >= mean]
    careful, rash = [i for i, r in enumerate(GRID) if r >= CAREFUL], [i for i, r in enumerate(GRID) if r <= RASH]
    by_caution = {talk: between(rows[talk], halves[talk], careful, rash) for talk in GRID if talk >= TALKATIVE}
    better = sum(low > 0.0 for low, _ in by_caution.values())
    silent, open_ = rows[GRID[0]][-1], max(row[-1] for row in rows.values())
    most = max(GRID, key=lambda talk: rows[talk][-1])
    half = math.hypot(halves[GRID[0]][-1], halves[most][-1])
    theirs = "{:.2f} at {}, {}".format(*BEST_OF_THEIRS)
    return [
        ["6.3", "the best of figure 6.4: its mean, communicativeness and risk aversion", theirs,
         f"{mean:.2f} at {talk}, {caution}; {len(alike)} cells are as good within their intervals",
         NOT_SHOWN if BEST_OF_THEIRS[1:] in alike else FAILS, "", ""],
        ["6.3", "whoever avoids risks does better, if it hints at all", "yes",
         f"{better} of {len(by_caution)} rows", verdict(by_caution.values()), "", ""],
        ["6.3", "... but not at the cost of hinting: silent, and the best of the same risk aversion", "0.00, 12.28",
         f"{silent:.2f}, {open_:.2f}", verdict([(open_ - silent - half, open_ - silent + half)]), "", ""],
    ]  # fmt: skip


def between(row: list[float], halves: Numbers, some: list[int], others: list[int]) -> Interval:
    """By how much the mean of some cells of a row is above that of others, as an interval."""
    difference = float(np.mean([row[i] for i in some]) - np.mean([row[i] for i in others]))
    half = math.hypot(*(float(np.linalg.norm(halves[cells])) / len(cells) for cells in (some, others)))
    return difference - half, difference + half
