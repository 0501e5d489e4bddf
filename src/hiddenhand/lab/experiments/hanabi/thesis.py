"""What the thesis on Hanabi (W. Jarząbek and J. Leja, University of Wrocław, 2020) printed and said, beside ours.

Three of its agents leave choices to whoever reads of them: ours take what scores most, and `reading=published` keeps
to the letter. So each statement is looked at twice. The thesis prints means and standard deviations as numbers;
medians and variances stand in its figures, so that a variance here is the square of a printed deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiddenhand.lab.experiments.page import Rows

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
    "6.1": (
        "distrustful stopped_clock",
        "trustful distrustful",
        "trustful reinforced4",
        "distrustful reinforced4",
    ),
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


def by_letter(name: str) -> str:
    """An agent as the thesis printed it."""
    return f"{name}:reading=published" if name in READ_TWICE else name


class Played:
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

    def spread(self, name: str, players: int) -> float:
        return float(self.alone(name, players).std(ddof=1))

    def best(self, players: int) -> str:
        """Who has the highest mean of those that the thesis has and that do not cheat."""
        honest = [name for name in THESIS if name not in CHEATERS]
        return max(honest, key=lambda name: self.mean(name, players))


Answer = tuple[str, bool]
"""What was found, and whether the statement holds."""


@dataclass(frozen=True)
class Statement:
    """A sentence of the thesis that can be looked at."""

    section: str
    text: str
    published: str
    check: Callable[[Played], Answer]


def higher(first: str, second: str, counts: tuple[int, ...] = PLAYERS) -> Callable[[Played], Answer]:
    """Whether one agent's mean is above another's with each of these numbers of players."""

    def check(played: Played) -> Answer:
        pairs = [(played.mean(first, n), played.mean(second, n)) for n in counts]
        return ", ".join(f"{a:.2f} to {b:.2f}" for a, b in pairs), all(a > b for a, b in pairs)

    return check


def share(name: str, wanted: Callable[[Scores], Any], holds: Callable[[float], bool]) -> Callable[[Played], Answer]:
    """The share of an agent's games, with any number of players, that are so."""

    def check(played: Played) -> Answer:
        found = float(np.mean([wanted(played.alone(name, n)).mean() for n in PLAYERS]))
        return f"{found:.1%}", holds(found)

    return check


def means(*teams: str, holds: Callable[..., bool]) -> Callable[[Played], Answer]:
    """The means of some teams, and what must be true of them."""

    def check(played: Played) -> Answer:
        found = [float(played.team(team).mean()) for team in teams]
        return ", ".join(f"{mean:.2f}" for mean in found), holds(*found)

    return check


def spreads(*teams: str, holds: Callable[..., bool]) -> Callable[[Played], Answer]:
    """Likewise of their standard deviations."""

    def check(played: Played) -> Answer:
        found = [float(played.team(team).std(ddof=1)) for team in teams]
        return ", ".join(f"{spread:.2f}" for spread in found), holds(*found)

    return check


def unsteady_in_pairs(played: Played) -> Answer:
    found = [played.spread("trustful", n) for n in PLAYERS]
    return ", ".join(f"{spread:.2f}" for spread in found), max(found) == found[0]


def falls(played: Played) -> Answer:
    found = [played.mean("reinforced2", n) for n in PLAYERS]
    return ", ".join(f"{mean:.2f}" for mean in found), sorted(found, reverse=True) == found


def between(played: Played) -> Answer:
    rows = [[played.mean(name, n) for name in ("distrustful", "reinforced4", "trustful")] for n in PLAYERS[1:]]
    return ", ".join(f"{mean:.2f}" for _, mean, _ in rows), all(sorted(row) == row for row in rows)


def best_ones(played: Played) -> Answer:
    found = [played.best(n) for n in PLAYERS]
    return ", ".join(found), found == ["bayesian_trustful2", *["bayesian_trustful4"] * 3]


def quick_defeats(played: Played) -> Answer:
    lost = [float((played.team(team) < QUICK).mean()) for team in ("trustful trustful stopped_clock",)]
    among = float((played.alone("trustful", 3) < QUICK).mean())
    return f"{lost[0]:.0%} (three trustful: {among:.0%})", lost[0] > 0.2 > among


def arbiter(played: Played) -> Answer:
    pair, three = (float(played.team(team).mean()) for team in ("trustful reinforced4", MIXED["6.2"][3]))
    return f"{pair:.2f}, {three:.2f}", three > pair


NEIGHBOURS, ALTERNATING, WITH_LEARNER, WITH_DISTRUST = MIXED["6.3"]

STATEMENTS = (
    Statement("4.2", "smart_cheater scores more than cheater", "4 of 4", higher("smart_cheater", "cheater")),
    Statement("4.2", "there are deals in which smart_cheater has fewer than 20 points", "some",
              share("smart_cheater", lambda points: points < 20, lambda found: found > 0.0)),
    Statement("4.3", "most games of erratic end with 0 or 1 points", "most",
              share("erratic", lambda points: points <= 1, lambda found: found > 0.5)),
    Statement("4.4", "stopped_clock never has 25 points", "0 %",
              share("stopped_clock", lambda points: points == 25, lambda found: found == 0.0)),
    Statement("4.6", "distrustful scores more than simple_distrustful", "4 of 4",
              higher("distrustful", "simple_distrustful")),
    Statement("4.7", "trustful scores more than distrustful", "4 of 4", higher("trustful", "distrustful")),
    Statement("4.7", "trustful now and then has 25 points", "sometimes",
              share("trustful", lambda points: points == 25, lambda found: found > 0.0)),
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
              share("reinforced2", lambda points: points == 25, lambda found: found == 0.0)),
    Statement("4.9", "with three players and more reinforced4 lies between distrustful and trustful",
              "19.03, 18.69, 17.42", between),
    Statement("5", "the best that do not cheat, with 2, 3, 4 and 5 players",
              "bayesian_trustful2, then bayesian_trustful4", best_ones),
    Statement("6.2.1", "distrustful and stopped_clock are steadier than trustful and distrustful (deviations)", "yes",
              spreads("distrustful stopped_clock", "trustful distrustful", holds=lambda one, two: one < two)),
    Statement("6.2.1", "beside trustful, reinforced4 is worse than distrustful (means)", "yes",
              means("trustful reinforced4", "trustful distrustful", holds=lambda learned, proof: learned < proof)),
    Statement("6.2.1", "distrustful and reinforced4 score about what two distrustful do", "yes",
              means("distrustful reinforced4", "distrustful distrustful",
                    holds=lambda mixed, alike: abs(mixed - alike) <= ALMOST)),
    Statement("6.2.2", f"one stopped_clock among three: many games below {QUICK} points", "very many", quick_defeats),
    Statement("6.2.2", "two trustful with a reinforced4, or one with two: about the same", "yes",
              means(*MIXED["6.2"][1:3], holds=lambda first, second: abs(first - second) <= ALMOST)),
    Statement("6.2.2", "with distrustful as a third, trustful and reinforced4 do better than alone", "yes", arbiter),
    Statement("6.2.3", "two trustful side by side score more than with others in between", "yes",
              means(NEIGHBOURS, ALTERNATING, holds=lambda near, apart: near > apart)),
    Statement("6.2.3", "... and are steadier (deviations)", "yes",
              spreads(NEIGHBOURS, ALTERNATING, holds=lambda near, apart: near < apart)),
    Statement("6.2.3", "a reinforced4 for one of four trustful makes them less steady (deviations)", "yes",
              spreads(WITH_LEARNER, "trustful trustful trustful trustful", holds=lambda mixed, alike: mixed > alike)),
)  # fmt: skip


def reverse(check: Callable[[Played], Answer], played: Played) -> Answer:
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
                found, holds = statement.check(Played(scores, letter))
            except KeyError:  # a team has not played yet
                cells += [UNKNOWN, UNKNOWN]
            else:
                cells += [found, "yes" if holds else "no"]
        rows.append([statement.section, statement.text, statement.published, *cells])
    return rows
