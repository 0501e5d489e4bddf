"""Tournament: every agent against every other, in duplicate play.

    >>> print(hiddenhand.tournament("connect_four", ["random", "alphabeta:depth=4", "uct"], games=200))

Two seats: every pair plays. Four seats and two sides: every pair too, in two seats each. More seats otherwise:
every choice of as many different agents as there are seats; where there are fewer agents than seats, every way to
fill the seats with at least two of them. Cooperative games: every way to fill the seats, an agent beside copies of
itself included. Each of these line-ups plays `games` games, every deal in every cyclic seating, and all line-ups play
the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, combinations_with_replacement
from typing import Annotated, ClassVar

from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, has_partners, sides_of
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.match_plan import MatchPlan, Setup
from hiddenhand.lab.match_result import MatchResult
from hiddenhand.lab.match_runner import DUPLICATE
from hiddenhand.lab.match_work import MatchWork
from hiddenhand.lab.plans import MOST_GAMES, OPENING, SEED, GamePlan, PageField, PlanParameter, agents_parameter
from hiddenhand.lab.runner import GO_ON, Interrupted, Progress, Running, WorkEntry, run
from hiddenhand.lab.store import key_of
from hiddenhand.lab.tournament_result import TournamentResult
from hiddenhand.lab.work_kinds import PageSupport, work

LineUp = tuple[int, ...]


@dataclass(frozen=True)
class TournamentPlan(GamePlan):
    """Who meets whom, and how often."""

    has_games: ClassVar[bool] = True
    agents: Annotated[Sequence[str | Agent], agents_parameter("agents")]
    games: Annotated[
        int,
        PlanParameter(
            "How many games each line-up plays.",
            1,
            MOST_GAMES,
            flags=("--games", "-n"),
            page=PageField(Text("games a line-up"), most=20_000),
        ),
    ] = 100
    seed: Annotated[int, SEED] = 0
    opening: Annotated[int, OPENING] = 0
    records: Annotated[
        int,
        PlanParameter(
            "Keep the records of the first N games.",
            0,
            MOST_GAMES,
            page=PageField(Text("games to look at"), most=5, usual=1),
        ),
    ] = 0

    def match(self, lineup: LineUp) -> MatchPlan:
        """The match of a line-up."""
        agents = [self.agents[index] for index in lineup]
        return MatchPlan(self.game, agents, self.games, self.seed, DUPLICATE, self.opening, self.records)


@work("tournament", TournamentPlan, page=PageSupport(Text("tournament")))
def tournament(plan: TournamentPlan, running: Running, pool: Workers) -> TournamentResult:
    """Let every agent meet every other: cross table and ratings.

    Every pair (in games of more seats, every line-up) plays N games, every deal in every seating. Line-ups are
    matches like any other: with --resume, what the store has is not played again, and agents may be added.
    """
    names = agent_names(plan.game, plan.agents)
    lineups = line_ups(plan.game, len(plan.agents))
    first = Setup(plan.match(lineups[0]))
    result = TournamentResult(plan.game, names, plan.seed, first.games, len(lineups))
    entry = TournamentEntry(plan, result, running)
    try:
        for lineup in lineups:
            setup = Setup(plan.match(lineup))
            entry.add(setup)
            play_line_up(setup, lineup, result, pool, running)
    finally:
        entry.finish()
    return result


class TournamentEntry:
    """What the store has of a tournament: its plan, which matches belong to it, and in the end its result."""

    def __init__(self, plan: TournamentPlan, result: TournamentResult, running: Running) -> None:
        self.result = result
        self.store, self.resume = running.store, running.resume
        kept = {**plan.to_json(), "agents": result.agents, "games": result.games}
        self.entry = WorkEntry("tournament", kept, "", result.wanted)
        self.key = ""

    def add(self, setup: Setup) -> None:
        """The next of its matches, before it is played."""
        if self.store is not None:
            setup.require_texts()
        match = WorkEntry(MatchWork.kind, setup.specification(), "", setup.games)
        with suppress(UserError):  # a store that fails costs no game; that nothing is kept, the matches say
            if self.store is not None:
                self.key = self.key or self.store.begin(self.entry, self.resume)
                self.store.add_pairing(self.key, key_of(match), len(self.result.matches))

    def finish(self) -> None:
        """Note how many games were played, and what came of them if these are all."""
        with suppress(UserError):
            if self.store is not None and self.key:
                seconds = sum(match.seconds for match in self.result.matches)
                self.store.keep(self.key, {}, self.result.played, seconds)
                if self.result.played == self.result.wanted:
                    self.store.finish(self.key, self.result.to_json(), forget=False)


def play_line_up(setup: Setup, lineup: LineUp, result: TournamentResult, workers: Workers, running: Running) -> None:
    """One match of a tournament, added to its result."""
    watch = None if running.watch is None else partial(show_so_far, result, lineup, running.watch)
    report = overall(running.progress, result.played, result.wanted)
    try:
        result.add(lineup, run(MatchWork(setup, workers), replace(running, progress=report, watch=watch)))
    except Interrupted as stop:
        result.add(lineup, stop.result)
        raise Interrupted(interruption_text(result, running), result, stop.signal_number) from None


def line_ups(game: Game, agents: int) -> list[LineUp]:
    """Who sits down together, by numbers of agents."""
    seats, together = game.players, game.utility == "cooperative"
    if agents < 2 and not together:
        raise UserError("a tournament needs at least 2 agents, but {n} were given", n=agents)
    if together:
        return list(combinations_with_replacement(range(agents), seats))
    if has_partners(game) and sides_of(game) == 2 and seats == 4:
        return [(one, one, other, other) for one, other in combinations(range(agents), 2)]
    if agents >= seats:
        return list(combinations(range(agents), seats))
    return [lineup for lineup in combinations_with_replacement(range(agents), seats) if len(set(lineup)) > 1]


def agent_names(game: Game, agents: Sequence[str | Agent]) -> list[str]:
    """The agents as they call themselves, each different from the others."""
    names = [str(resolver.agent(game, agent) if isinstance(agent, str) else agent) for agent in agents]
    for name in names:
        if names.count(name) > 1:
            raise UserError("{name} was given twice: the agents of a tournament must differ", name=name)
    return names


def overall(progress: Progress | None, before: int, wanted: int) -> Progress | None:
    """Progress of a line-up as progress of the tournament."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, wanted)


def show_so_far(
    result: TournamentResult, lineup: LineUp, watch: Callable[[TournamentResult], None], under_way: MatchResult
) -> None:
    """Show the tournament with the match that is being played."""
    result.add(lineup, under_way)
    watch(result)
    result.lineups.pop()
    result.matches.pop()


def interruption_text(result: TournamentResult, running: Running) -> str:
    """What to say after Ctrl-C."""
    so_far = Text("{done:,} of {wanted:,} games done", done=result.played, wanted=result.wanted)
    return so_far if running.store is None else Text("{message}; {how}", message=so_far, how=GO_ON)
