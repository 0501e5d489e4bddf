"""What the thesis on Hanabi (W. Jarząbek and J. Leja, University of Wrocław, 2020) printed and said, beside ours.

Three of its agents leave choices to whoever reads of them: ours take what scores most, and `reading=published` keeps
to the letter. So each statement is looked at twice. The thesis prints means and standard deviations as numbers;
medians and variances stand in its figures, so that a variance here is the square of a printed deviation.

A statement holds, or does not, if the 95 % interval of every difference that it speaks of lies on one side; else the
games do not show it. Teams of as many players play the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hiddenhand.lab.statistics import FAILS, HOLDS, NOT_SHOWN, ahead, verdict, wider, wilson
from hiddenhand.studies.html_report import Rows

PLAYERS = (2, 3, 4, 5)
UNKNOWN = "-"

# agent: its figure, and the thesis's mean (standard deviation) over 1000 games with 2, 3, 4 and 5 players
THESIS = {
    "cheater": ("4.1", ((20.5, 2.59), (22.27, 2.04), (21.73, 2.07), (21.94, 2.0))),
    "smart_cheater": ("4.2", ((24.72, 0.79), (24.91, 0.41), (24.89, 0.41), (24.85, 0.44))),
    "erratic": ("4.3", ((1.45, 1.5), (1.32, 1.39), (1.3, 1.36), (1.34, 1.34))),
    "stopped_clock": ("4.4", ((5.74, 2.62), (6.25, 2.2), (5.31, 1.91), (4.51, 1.69))),
    "simple_distrustful": ("4.5", ((13.37, 3.0), (15.48, 1.3), (15.06, 1.09), (14.02, 1.0))),
    "distrustful": ("4.6", ((17.52, 1.71), (16.49, 1.13), (15.72, 1.03), (14.46, 0.95))),
    "trustful": ("4.7", ((17.94, 3.41), (20.39, 1.69), (20.43, 1.67), (19.03, 1.61))),
    "bayesian_trustful2": ("4.9", ((19.07, 3.16), (20.49, 1.7), (20.32, 1.66), (18.66, 1.7))),
    "bayesian_trustful4": ("4.10", ((17.25, 3.86), (20.55, 2.0), (20.83, 1.73), (19.26, 1.62))),
    "reinforced2": ("4.11", ((18.94, 2.12), (17.84, 1.62), (16.04, 2.53), (13.92, 1.89))),
    "reinforced4": ("4.12", ((17.94, 3.09), (19.03, 1.37), (18.69, 1.41), (17.42, 1.29))),
}
CHEATERS = ("cheater", "smart_cheater")
READ_TWICE = ("simple_distrustful", "distrustful", "trustful", "bayesian_trustful2", "bayesian_trustful4")
"""The agents that have a reading by the letter."""

# mixed teams, by figure: who sits in seat 0, 1, ...
MIXED = {
    "6.1": ("distrustful stopped_clock", "trustful distrustful", "trustful reinforced4", "distrustful reinforced4"),
    "6.2": (
        "trustful trustful stopped_clock",
        "trustful trustful reinforced4",
        "trustful reinforced4 reinforced4",
        "trustful distrustful reinforced4",
    ),
    "6.3": (
        "trustful trustful distrustful distrustful",
        "trustful distrustful trustful distrustful",
        "trustful trustful trustful reinforced4",
        "trustful trustful trustful distrustful",
    ),
}

Scores = np.ndarray[Any, Any]
Team = tuple[str, ...]
ALMOST = 1.0
"""Two means that a statement calls near each other differ by no more."""
QUICK = 10
"""A game with fewer points than this was lost quickly."""
MANY = 0.2
"""So large a share of the games is called many."""


def by_letter(name: str) -> str:
    """An agent as the thesis printed it."""
    return f"{name}:reading=published" if name in READ_TWICE else name


class TeamScores:
    """The scores of all teams, in one reading."""

    def __init__(self, scores: Mapping[Team, Scores], letter: bool) -> None:
        self.scores = scores
        self.letter = letter

    def team(self, names: str) -> Scores:
        """What a team scored; a KeyError before it has played."""
        return self.scores[tuple(by_letter(name) if self.letter else name for name in names.split())]

    def alone(self, name: str, players: int) -> Scores:
        return self.team(" ".join([name] * players))

    def mean(self, name: str, players: int) -> float:
        return float(self.alone(name, players).mean())

    def best(self, players: int) -> str:
        """Who has the highest mean of those that the thesis has and that do not cheat."""
        honest = [name for name in THESIS if name not in CHEATERS]
        return max(honest, key=lambda name: self.mean(name, players))


Answer = tuple[str, str]
"""What was found, and whether the statement holds: HOLDS, FAILS or NOT_SHOWN."""


@dataclass(frozen=True)
class Statement:
    """A sentence of the thesis that can be looked at."""

    section: str
    text: str
    published: str
    check: Callable[[TeamScores], Answer]


def higher(first: str, second: str, counts: tuple[int, ...] = PLAYERS) -> Callable[[TeamScores], Answer]:
    """Whether one agent's mean is above another's with each of these numbers of players."""

    def check(played: TeamScores) -> Answer:
        pairs = [(played.alone(first, n), played.alone(second, n)) for n in counts]
        found = ", ".join(f"{a.mean():.2f} to {b.mean():.2f}" for a, b in pairs)
        return found, verdict(ahead(a, b) for a, b in pairs)

    return check


def share(
    name: str, wanted: Callable[[Scores], Any], more_than: float = 0.0, never: bool = False
) -> Callable[[TeamScores], Answer]:
    """The share of an agent's games, with any number of players, that are so: above a number, or none at all.

    That something happens is shown by one game, and that it never does holds as long as no game shows it.
    """

    def check(played: TeamScores) -> Answer:
        games = np.concatenate([wanted(played.alone(name, n)) for n in PLAYERS])
        found = float(games.mean())
        low, high = wilson(found, len(games))
        shown = f"{found:.1%} ({100 * low:.1f} to {100 * high:.1f})"
        if never:
            return shown, FAILS if found else HOLDS
        if not more_than:
            return shown, HOLDS if found else NOT_SHOWN
        return shown, verdict([(low - more_than, high - more_than)])

    return check


def more(first: str, second: str) -> Callable[[TeamScores], Answer]:
    """Whether the mean of the first team is above that of the second."""

    def check(played: TeamScores) -> Answer:
        one, two = played.team(first), played.team(second)
        return f"{one.mean():.2f} to {two.mean():.2f}", verdict([ahead(one, two)])

    return check


def near(first: str, second: str) -> Callable[[TeamScores], Answer]:
    """Whether two means differ by no more than ALMOST."""

    def check(played: TeamScores) -> Answer:
        low, high = ahead(played.team(first), played.team(second))
        found = means_of([played.team(first), played.team(second)])
        return found, verdict([(ALMOST - high, ALMOST - low), (ALMOST + low, ALMOST + high)])

    return check


def steadier(first: str, second: str) -> Callable[[TeamScores], Answer]:
    """Whether the scores of the first team deviate less than those of the second."""

    def check(played: TeamScores) -> Answer:
        one, two = played.team(first), played.team(second)
        return f"{one.std(ddof=1):.2f} to {two.std(ddof=1):.2f}", verdict([wider(two, one)])

    return check


def means_of(found: Sequence[Scores]) -> str:
    return ", ".join(f"{scores.mean():.2f}" for scores in found)


def unsteady_in_pairs(played: TeamScores) -> Answer:
    first, *others = [played.alone("trustful", n) for n in PLAYERS]
    shown = ", ".join(f"{scores.std(ddof=1):.2f}" for scores in (first, *others))
    return shown, verdict(wider(first, other) for other in others)


def falls(played: TeamScores) -> Answer:
    found = [played.alone("reinforced2", n) for n in PLAYERS]
    return means_of(found), verdict(ahead(fewer, more) for fewer, more in pairwise(found))


def between(played: TeamScores) -> Answer:
    rows = [[played.alone(name, n) for name in ("distrustful", "reinforced4", "trustful")] for n in PLAYERS[1:]]
    margins = [ahead(better, worse) for row in rows for worse, better in pairwise(row)]
    return means_of([row[1] for row in rows]), verdict(margins)


def best_ones(played: TeamScores) -> Answer:
    """Those with the highest means; and whether the thesis's are above all others that do not cheat."""
    found = [played.best(n) for n in PLAYERS]
    theirs = zip(PLAYERS, ["bayesian_trustful2", *["bayesian_trustful4"] * 3])
    margins = [
        ahead(played.alone(best, n), played.alone(name, n))
        for n, best in theirs
        for name in THESIS
        if name not in (*CHEATERS, best)
    ]
    return ", ".join(found), verdict(margins)


def quick_defeats(played: TeamScores) -> Answer:
    mixed, alike = played.team("trustful trustful stopped_clock") < QUICK, played.alone("trustful", 3) < QUICK
    many, few = (wilson(float(lost.mean()), len(lost)) for lost in (mixed, alike))
    found = f"{mixed.mean():.0%} (three trustful: {alike.mean():.0%})"
    return found, verdict([(many[0] - MANY, many[1] - MANY), (MANY - few[1], MANY - few[0])])


NEIGHBOURS, ALTERNATING, WITH_LEARNER, _ = MIXED["6.3"]

STATEMENTS = (
    Statement("4.2", "smart_cheater scores more than cheater", "4 of 4", higher("smart_cheater", "cheater")),
    Statement("4.2", "there are deals in which smart_cheater has fewer than 20 points", "some",
              share("smart_cheater", lambda points: points < 20)),
    Statement("4.3", "most games of erratic end with 0 or 1 points", "most",
              share("erratic", lambda points: points <= 1, more_than=0.5)),
    Statement("4.4", "stopped_clock never has 25 points", "0 %",
              share("stopped_clock", lambda points: points == 25, never=True)),
    Statement("4.6", "distrustful scores more than simple_distrustful", "4 of 4",
              higher("distrustful", "simple_distrustful")),
    Statement("4.7", "trustful scores more than distrustful", "4 of 4", higher("trustful", "distrustful")),
    Statement("4.7", "trustful now and then has 25 points", "sometimes",
              share("trustful", lambda points: points == 25)),
    Statement("4.7", "trustful is least steady with two players (deviations)", "3.41, 1.69, 1.67, 1.61",
              unsteady_in_pairs),
    Statement("4.8", "tuned for two players it is better with two", "19.07 to 17.94",
              higher("bayesian_trustful2", "trustful", (2,))),
    Statement("4.8", "tuned for two players it is worse with four and five", "20.32 to 20.43, 18.66 to 19.03",
              lambda played: reverse(higher("trustful", "bayesian_trustful2", (4, 5)), played)),
    Statement("4.8", "tuned for four players it is better with three, four and five",
              "20.55 to 20.39, 20.83 to 20.43, 19.26 to 19.03", higher("bayesian_trustful4", "trustful", (3, 4, 5))),
    Statement("4.8", "tuned for four players it is worse with two", "17.25 to 17.94",
              lambda played: reverse(higher("trustful", "bayesian_trustful4", (2,)), played)),
    Statement("4.9", "reinforced2 falls with the number of players", "18.94, 17.84, 16.04, 13.92", falls),
    Statement("4.9", "reinforced2 never has 25 points", "0 %",
              share("reinforced2", lambda points: points == 25, never=True)),
    Statement("4.9", "with three players and more reinforced4 lies between distrustful and trustful",
              "19.03, 18.69, 17.42", between),
    Statement("5", "the best that do not cheat, with 2, 3, 4 and 5 players",
              "bayesian_trustful2, then bayesian_trustful4", best_ones),
    Statement("6.2.1", "distrustful and stopped_clock are steadier than trustful and distrustful (deviations)", "yes",
              steadier("distrustful stopped_clock", "trustful distrustful")),
    Statement("6.2.1", "beside trustful, reinforced4 is worse than distrustful (means)", "yes",
              more("trustful distrustful", "trustful reinforced4")),
    Statement("6.2.1", "distrustful and reinforced4 score about what two distrustful do", "yes",
              near("distrustful reinforced4", "distrustful distrustful")),
    Statement("6.2.2", f"one stopped_clock among three: many games below {QUICK} points", "very many", quick_defeats),
    Statement("6.2.2", "two trustful with a reinforced4, or one with two: about the same", "yes",
              near(*MIXED["6.2"][1:3])),
    Statement("6.2.2", "with distrustful as a third, trustful and reinforced4 do better than alone", "yes",
              more(MIXED["6.2"][3], "trustful reinforced4")),
    Statement("6.2.3", "two trustful side by side score more than with others in between", "yes",
              more(NEIGHBOURS, ALTERNATING)),
    Statement("6.2.3", "... and are steadier (deviations)", "yes",
              steadier(NEIGHBOURS, ALTERNATING)),
    Statement("6.2.3", "a reinforced4 for one of four trustful makes them less steady (deviations)", "yes",
              steadier("trustful trustful trustful trustful", WITH_LEARNER)),
)  # fmt: skip


def reverse(check: Callable[[TeamScores], Answer], played: TeamScores) -> Answer:
    """The same comparison told the other way round, as the thesis's numbers are."""
    text, holds = check(played)
    return ", ".join(" to ".join(reversed(pair.split(" to "))) for pair in text.split(", ")), holds


def statements(scores: Mapping[Team, Scores]) -> Rows:
    """Every statement, what the thesis says, what was found by each reading, and whether it holds."""
    rows = [["section", "statement", "the thesis", "ours", "holds", "by the letter", "holds"]]
    for statement in STATEMENTS:
        cells = []
        for letter in (False, True):
            try:
                found, holds = statement.check(TeamScores(scores, letter))
            except KeyError:  # a team has not played yet
                cells += [UNKNOWN, UNKNOWN]
            else:
                cells += [found, holds]
        rows.append([statement.section, statement.text, statement.published, *cells])
    return rows
