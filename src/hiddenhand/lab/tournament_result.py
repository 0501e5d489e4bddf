"""The result of a tournament: a cross table, and ratings where somebody can win."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core import html
from hiddenhand.core.game import Game, has_partners
from hiddenhand.core.text import Text
from hiddenhand.lab.curves import Curve, running_mean
from hiddenhand.lab.frames import Columns, columns_of, write_parquet
from hiddenhand.lab.lab_result import LabResult
from hiddenhand.lab.match_result import MatchResult, has_opponents, written_forfeits, written_interval
from hiddenhand.lab.match_runner import Array
from hiddenhand.lab.ratings import NashAverage, Ratings, nash_average, rate
from hiddenhand.lab.statistics import Summary, summarise
from hiddenhand.lab.tables import in_columns, names_of, shortened

RANDOM = "random"
ONLY = 0.995
"""From this weight on an agent is the only one that counts, give or take the noise of the games."""


class TournamentResult(LabResult):
    """Who did how well against whom.

    `cross(i, j)` is the payoff of agent i in the games that it shared with agent j; in a game of more than
    two seats others sat there too. Ratings compare the payoffs of every two agents at a table: the higher
    one won. Partners are not compared.
    """

    def __init__(self, game: Game, agents: list[str], seed: int, games: int, lineups: int) -> None:
        self.game = game
        self.agents = agents
        self.seed = seed
        self.games = games
        """Games of each line-up."""
        self.wanted = games * lineups
        self.lineups: list[tuple[int, ...]] = []
        self.matches: list[MatchResult] = []

    def add(self, lineup: tuple[int, ...], result: MatchResult) -> None:
        self.lineups.append(lineup)
        self.matches.append(result)

    @property
    def played(self) -> int:
        return sum(result.games for result in self.matches)

    def cross(self, row: int, column: int) -> Summary:
        """The payoffs of `row` in the games with `column`."""
        if row == column and has_partners(self.game):
            return self.collect(row, lambda others: False)
        return self.collect(row, lambda others: column in others)

    def overall(self, agent: int) -> Summary:
        """The payoffs of an agent in all its games."""
        return self.collect(agent, lambda others: True)

    def collect(self, agent: int, fits: Callable[[tuple[int, ...]], bool]) -> Summary:
        """The payoffs of an agent in all places in which `fits(the others at the table)` is true."""
        return summarise(*self.payoffs_of(agent, fits))

    def payoffs_of(self, agent: int, fits: Callable[[tuple[int, ...]], bool]) -> tuple[Array, Array]:
        """These payoffs, and what is independent among them.

        All line-ups play the same deals, so one observation is a deal: the mean of all games played with it.
        """
        seats = self.game.players
        games = [np.zeros(0)]
        gains, counts = np.zeros(self.games // seats), np.zeros(self.games // seats)
        for lineup, result in zip(self.lineups, self.matches):
            for place, who in enumerate(lineup):
                if who == agent and fits(lineup[:place] + lineup[place + 1 :]):
                    payoffs = result.payoffs[:, place]
                    games.append(payoffs)
                    np.add.at(gains, result.numbers // seats, payoffs)
                    np.add.at(counts, result.numbers // seats, 1.0)
        played = counts > 0
        return np.concatenate(games), gains[played] / counts[played]

    def progress_curves(self) -> list[Curve]:
        """The mean of each agent as more and more deals are counted."""
        curves = []
        for number, name in enumerate(self.agents):
            points = running_mean(self.payoffs_of(number, lambda others: True)[1], 1)
            curves.append(Curve(name, Text("deals"), Text("mean"), points))
        return [curve for curve in curves if curve.points]

    def headline(self) -> str:
        mean, best = max((self.overall(index).mean, name) for index, name in enumerate(self.agents))
        return Text("{agent} is the best: {mean:.3f}", agent=shortened(best), mean=mean)

    @property
    def records(self) -> list[dict[str, Any]]:
        return [record for match in self.matches for record in match.records]

    def wins(self) -> Array:
        """wins[i, j]: how often i got more than j at the same table, ties counted as halves."""
        wins = np.zeros((len(self.agents), len(self.agents)))
        for lineup, result in zip(self.lineups, self.matches):
            for here, one in enumerate(lineup):
                for there, other in enumerate(lineup):
                    if one != other:
                        mine, theirs = result.payoffs[:, here], result.payoffs[:, there]
                        ties = 0.0 if has_partners(self.game) else 0.5 * np.sum(mine == theirs)
                        wins[one, other] += np.sum(mine > theirs) + ties
        return wins

    def ratings(self) -> Ratings | None:
        """Ratings with `random` at 0, or else their mean; None where nobody plays against anybody."""
        if not has_opponents(self.game) or len(self.agents) < 2:
            return None
        return rate(self.wins(), self.agents.index(RANDOM) if RANDOM in self.agents else None)

    def advantages(self) -> Array:
        """advantages[i, j] = -advantages[j, i]: the mean payoff of i against j where two play for one sum, elsewhere
        the share of their games that i won, less one half."""
        agents = range(len(self.agents))
        if self.game.utility == "zero-sum" and self.game.players == 2:
            means = np.array([[self.cross(i, j).mean if i != j else 0.0 for j in agents] for i in agents])
            found: Array = np.nan_to_num(means - means.T) / 2.0
        else:
            wins = self.wins()
            found = (wins - wins.T) / np.maximum(wins + wins.T, 1.0) / 2.0
        return found

    def nash(self) -> NashAverage | None:
        """The equilibrium of choosing one of the agents, where that says more than an order: where they go in a
        circle, so that no agent is the best answer to all."""
        if not has_opponents(self.game) or len(self.agents) < 3:
            return None
        found = nash_average(self.advantages())
        return found if max(found.weights) < ONLY else None

    def columns(self) -> Columns:
        """What `to_frame` holds: a row for each agent."""
        rows = [dict(row) for row in self.to_json()["agents"]]
        for row in rows:
            for name, of in (("ci95", ""), ("rating95", "rating_")):
                row[f"{of}low"], row[f"{of}high"] = row.pop(name, (None, None))
        return columns_of(rows)

    def to_parquet(self, path: str | Path) -> None:
        """Write every game into a Parquet file, a row for every agent in it; `match` is the number of the line-up."""
        matches = [{"match": np.full(r.payoffs.size, n), **r.columns()} for n, r in enumerate(self.matches)]
        write_parquet({name: np.concatenate([each[name] for each in matches]) for name in matches[0]}, path)

    def __repr__(self) -> str:
        return f"<TournamentResult of {self.game}, {self.played:,} games: {self.headline()}>"

    def _html_parts(self) -> list[str]:
        ratings, overall = self.ratings(), [self.overall(agent) for agent in range(len(self.agents))]
        order = self.order(overall, ratings)
        head, *rows = self.table_rows(order, overall, ratings)
        across, *crossed = self.cross_rows(order)
        return [html.table(head, rows), html.table(across, crossed), html.bullets(filter(None, self.notes(ratings)))]

    def to_json(self) -> dict[str, Any]:
        ratings = self.ratings()
        nash = self.nash()
        agents = range(len(self.agents))
        return {
            "game": self.game.origin.name,
            "version": self.game.version,
            "options": dict(self.game.options),
            "games": self.games,
            "seed": self.seed,
            "played": self.played,
            "seconds": round(sum(result.seconds for result in self.matches), 6),
            "agents": [self.agent_to_json(agent, ratings, nash) for agent in agents],
            "ratings": None if ratings is None else self.ratings_to_json(ratings),
            "cross": [[summary_to_json(self.cross(row, column)) for column in agents] for row in agents],
            "matches": [
                {"agents": [self.agents[i] for i in lineup], **result.to_json()}
                for lineup, result in zip(self.lineups, self.matches)
            ],
        }

    def agent_to_json(self, agent: int, ratings: Ratings | None, nash: NashAverage | None) -> dict[str, Any]:
        line: dict[str, Any] = {"agent": self.agents[agent], **(summary_to_json(self.overall(agent)) or {})}
        if ratings is not None:
            value, margin = ratings.values[agent], ratings.margins[agent]
            line |= {"rating": value, "rating95": [value - margin, value + margin]}
        if nash is not None:
            line["nash"] = nash.weights[agent]
        return line

    def ratings_to_json(self, ratings: Ratings) -> dict[str, Any]:
        anchor = None if ratings.anchor is None else self.agents[ratings.anchor]
        return {"scale": "Elo", "anchor": anchor, "prior": ratings.prior}

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.game.options.items())
        head = Text(
            "{game}{options}: {played:,} games, {games:,} for each line-up, seed {seed}",
            game=self.game.title,
            options=options,
            played=self.played,
            games=self.games,
            seed=str(self.seed),
        )
        ratings = self.ratings()
        overall = [self.overall(agent) for agent in range(len(self.agents))]
        order = self.order(overall, ratings)
        lines = [head, "", *self.table(order, overall, ratings), ""]
        lines += [*self.forfeits(), ""] if self.forfeits() else []
        if self.game.players == 1:
            return Text.joined("\n", lines[:-1])
        what = Text("mean payoff of the row in games with the column, and half its 95 % interval:")
        return Text.joined("\n", [*lines, *self.notes(ratings), what, "", *self.cross_table(order)])

    def order(self, overall: list[Summary], ratings: Ratings | None) -> list[int]:
        """The agents, the strongest first."""
        strength = ratings.values if ratings is not None else [summary.mean for summary in overall]
        return sorted(range(len(self.agents)), key=lambda agent: -np.nan_to_num(strength[agent], nan=-1e300))

    def forfeits(self) -> list[str]:
        """A line for each agent that could not go on in some game."""
        found: dict[str, dict[str, Any]] = {}
        for result in self.matches:
            for forfeit in result.forfeits_to_json():
                games = found.get(forfeit["agent"], {"games": 0})["games"] + forfeit["games"]
                found[forfeit["agent"]] = {
                    "first": forfeit["first"],
                    **found.get(forfeit["agent"], {}),
                    "games": games,
                }
        return written_forfeits([{"agent": agent, **forfeit} for agent, forfeit in found.items()])

    def table(self, order: list[int], overall: list[Summary], ratings: Ratings | None) -> list[str]:
        return in_columns(self.table_rows(order, overall, ratings), "><>>>>>")

    def table_rows(self, order: list[int], overall: list[Summary], ratings: Ratings | None) -> list[tuple[str, ...]]:
        """A head, and a row for each agent."""
        columns = [["", *(str(place) for place, _ in enumerate(order, start=1))]]
        names = names_of(self.agents)
        columns.append(["agent", *(names[i] for i in order)])
        if ratings is not None:
            columns.append(["rating", *(f"{ratings.values[i]:+.0f}" for i in order)])
            columns.append(["95 %", *(f"± {ratings.margins[i]:.0f}" for i in order)])
        columns.append(["mean", *(f"{overall[i].mean:+.4f}" if overall[i].count else "." for i in order)])
        columns.append([Text("95 % interval"), *(written_interval(overall[i]) for i in order)])
        nash = self.nash()
        if nash is not None:
            columns.append(["Nash", *(f"{nash.weights[i]:.3f}" for i in order)])
        return list(zip(*columns))

    def notes(self, ratings: Ratings | None) -> list[str]:
        if ratings is None:
            return []
        zero = Text("the mean") if ratings.anchor is None else self.agents[ratings.anchor]
        note = Text("ratings: Bradley-Terry on the Elo scale, {zero} at 0", zero=zero)
        if ratings.prior:
            note = Text("{note}; one tie was added to every pair, as some results are one-sided", note=note)
        weights = Text(
            "Nash: the weights of the agents in equilibrium; none of them is the best answer to all others"
        )
        return [note, *([] if self.nash() is None else [weights]), ""]

    def cross_table(self, order: list[int]) -> list[str]:
        return in_columns(self.cross_rows(order), "><" + ">" * len(order))

    def cross_rows(self, order: list[int]) -> list[tuple[str, ...]]:
        """A head, and a row for each agent: its payoffs against the others."""
        columns = [["", *(str(place) for place, _ in enumerate(order, start=1))]]
        names = names_of(self.agents)
        columns.append(["", *(names[i] for i in order)])
        for place, column in enumerate(order, start=1):
            columns.append([str(place), *(written_cell(self.cross(row, column)) for row in order)])
        return list(zip(*columns))


def summary_to_json(summary: Summary) -> dict[str, Any] | None:
    if summary.count == 0:
        return None
    return {"games": summary.count, "mean": summary.mean, "sd": summary.sd, "ci95": summary.interval}


def written_cell(summary: Summary) -> str:
    if summary.count == 0:
        return "."
    half = "" if summary.high is None else f" ± {summary.high - summary.mean:.3f}"
    return f"{summary.mean:+.3f}{half}"
