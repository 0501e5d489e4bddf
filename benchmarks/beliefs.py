"""Beliefs from behaviour, measured: beside all deals gone through, by the number of worlds, and beside the truth.

    python benchmarks/beliefs.py exact --positions 125 --workers 16
    python benchmarks/beliefs.py drawn --positions 40 --workers 16
    python benchmarks/beliefs.py calibration --games 100 --workers 16 --groups groups.json
    python benchmarks/beliefs.py draw --groups groups.json --figure docs/images/beliefs_calibration.svg
    python benchmarks/beliefs.py models snaps best_reply rules "rules | imitation" --mistakes 0.02 0.1 0.3 1

`exact`: in so many positions of Kuhn, of Leduc, late in Hanabi and late in snaps, listed worlds are weighed as they
are when every deal is played again from the start (tests/support/enumeration.py, which shares no code with them).
`drawn`: how far the chances of hidden things by drawn worlds are from those by all worlds, by the number of worlds.
`calibration`: in games of players who are what they are taken for, the chances given to hidden things beside what was
there. `draw`: a picture of that. `models`: which model, and what share of mistakes, tells most about the cards of
players who are nobody's model; `a | b`: one who follows a or b all along. The others print a table each.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

GAMES = ("kuhn", "leduc", "hanabi", "snaps")
MISTAKES = 0.1
SLIPS = 0.3  # how often the players of `exact` do just anything
DRAWN = (50, 200, 800, 3200)
FEWEST_LISTED, MOST_LISTED = 4, 20_000
WORLDS = 400
LEAST = 1.0 / (2 * WORLDS)  # no chance that was given counts as less in the loss

Shares = dict[tuple[str, str], float]


class Company(NamedTuple):
    """Who plays what in a table of results."""

    game: str
    agent: str
    options: dict[str, Any] = {}


ACQUAINTED = (
    Company("kuhn", "teller"),
    Company("leduc", "teller"),
    Company("hanabi", "trustful", {"rules": "strict"}),
    Company("hanabi", "pair", {"rules": "strict"}),
    Company("snaps", "rules"),
)
STRANGERS = (
    Company("battleship", "random", {"size": 6, "ships": 3}),
    Company("blind_tictactoe", "random"),
    Company("dominion", "bigmoney"),
)
"""Games whose states do not tell how they came about: all worlds are equally likely there."""


def seated(company: Company) -> tuple[Any, Any]:
    """The game and the agent of all seats."""
    import hiddenhand as hh
    from tellers import teller

    game = hh.game(company.game, **company.options)
    if company.game == "dominion":
        game = replace(game, people=replace(game.people, facts=dominion_facts))
    return game, teller(game) if company.agent == "teller" else hh.agent(game, company.agent)


def dominion_facts(s: Any, seat: int) -> dict[str, str]:
    """How many of each basic card the others hold. The game itself tells no facts: its page shows no such chances."""
    from hiddenhand.games.dominion.cards import NAMES
    from hiddenhand.games.dominion.state import BASIC

    others = [other for other in range(int(s.players)) if other != seat]
    return {f"{NAMES[kind]}, seat {other}": str(s.hands[other, kind]) for other in others for kind in range(BASIC)}


def shared_out(options: argparse.Namespace, work: Callable[[Any], Any], jobs: list[Any]) -> Iterator[Any]:
    """Do all jobs, in this process or in several; in their order."""
    if options.workers == 1:
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(options.workers) as pool:
        yield from pool.map(work, jobs)


def spread(options: argparse.Namespace, count: int) -> list[range]:
    """The numbers below `count` in pieces, so that every worker has some."""
    pieces = min(count, 4 * options.workers if options.workers > 1 else 1)
    return [range(i, count, pieces) for i in range(pieces)]


def chances(game: Any, belief: Any, seat: int) -> Shares:
    """The chance of each thing being something."""
    from hiddenhand.belief.marginals import shares_of_belief

    return {(name, fact): p for name, facts in shares_of_belief(game, seat, belief).items() for fact, p in facts}


def uniform_chances(table: Any, seat: int) -> Shares:
    from hiddenhand.belief.marginals import shares_of_worlds

    found = shares_of_worlds(table, seat, WORLDS)
    return {(name, fact): p for name, facts in found.items() for fact, p in facts}


# --- exact ----------------------------------------------------------------------------------------


def is_late(table: Any) -> bool:
    """Whether so little is left that all deals can be gone through in Python."""
    s = table.state
    if table.game.name == "hanabi":
        return int(s.deck_left) <= 1
    return table.game.name != "snaps" or 24 - int(s.plays) <= 12


def some_position(game: Any, agent: Any, seed: int) -> Any:
    """A table with somebody to move, late in a game in which some moves are any; any of those that were late."""
    pick = random.Random(seed)
    late: list[int] = []
    while not late:
        table = game.deal(pick.randrange(2**32))
        while not table.over:
            if is_late(table):
                late.append(len(table.history))
            safe = [
                a for a in table.legal_actions() if game.name != "hanabi" or a >= 5
            ] or table.legal_actions()  # keep it going
            table.play(pick.choice(safe) if pick.random() < SLIPS else table.ask(agent).action)
    again, ply = game.deal(table.seed), pick.choice(late)
    for mover, action in zip(table.movers[:ply], table.history[:ply], strict=True):
        if mover >= 0:  # chance rolls as it did
            again.play(action)
    return again


def compare(job: tuple[str, range]) -> list[tuple[int, float, float]]:
    """For each position: worlds, the greatest difference of a chance, and how far behaviour moved the belief."""
    from enumeration import enumerated
    from hiddenhand.belief.particle_filter import ParticleFilter

    name, seeds = job
    game, agent = seated(Company(name, "teller"))
    particle_filter, indifferent = (
        ParticleFilter(game, [agent], mistakes=MISTAKES),
        ParticleFilter(game, [agent], mistakes=1.0),
    )
    results = []
    for seed in seeds:
        table = some_position(game, agent, seed)
        seat = table.turn
        prior = indifferent.belief(table.view()).weights.copy()
        belief = particle_filter.belief(table.view())
        assert belief.exact, "not all worlds were listed"
        expected = enumerated(table, seat, [agent] * game.players, MISTAKES)
        found: dict[Any, float] = {}
        for world, weight in zip(belief.states, belief.weights.tolist(), strict=True):
            facts = frozenset(game.people.facts(world, seat).items())
            found[facts] = found.get(facts, 0.0) + weight
        apart = max(abs(found.get(facts, 0.0) - expected.get(facts, 0.0)) for facts in found | expected)
        results.append((len(belief), apart, float(np.abs(belief.weights - prior).sum() / 2)))
    return results


def exact(options: argparse.Namespace) -> None:
    games = [name for name in GAMES if options.only in ("", name)]
    jobs = [(name, seeds) for name in games for seeds in spread(options, options.positions)]
    found: dict[str, list[tuple[int, float, float]]] = {}
    for (name, _), results in zip(jobs, shared_out(options, compare, jobs), strict=True):
        found.setdefault(name, []).extend(results)
    print("| game | positions | worlds, mean and most | moved by behaviour | greatest difference |")
    print("|---|---|---|---|---|")
    for name, rows in found.items():
        worlds, apart, moved = (np.array(column) for column in zip(*rows, strict=True))
        print(
            f"| {name} | {len(rows)} | {worlds.mean():.0f}, {worlds.max()} | {moved.mean():.2f} | {apart.max():.1e} |"
        )


# --- drawn ----------------------------------------------------------------------------------------


def distance(left: Shares, right: Shares) -> float:
    """Half the sum of all differences, for the mean thing: the total variation of its chances."""
    things = {name for name, _ in left | right}
    apart = sum(abs(left.get(fact, 0.0) - right.get(fact, 0.0)) for fact in left | right)
    return apart / 2 / len(things)


def sampled(belief: Any, worlds: int, seed: int) -> Any:
    """So many worlds drawn from a belief, each by itself: as good as drawn worlds can be."""
    picked = np.random.default_rng(seed).multinomial(worlds, belief.weights)
    return replace(belief, weights=picked / worlds)


def approach(job: tuple[Company, range]) -> list[tuple[int, list[float], list[float], list[float]]]:
    """For each position: its worlds; by the number of worlds drawn, the distance, that of worlds drawn from the exact
    belief, and the effective number."""
    from hiddenhand.belief.particle_filter import ParticleFilter

    company, seeds = job
    game, agent = seated(company)
    listing = ParticleFilter(game, [agent], exact=MOST_LISTED)
    drawing = [ParticleFilter(game, [agent], worlds=worlds, exact=0) for worlds in DRAWN]
    results = []
    for seed in seeds:
        for table in decisions(game, agent, seed):
            seat = table.turn
            if not FEWEST_LISTED <= int(game.rules.worlds(table.state, seat)) <= MOST_LISTED:
                continue
            belief = listing.belief(table.view())
            truth, apart, best, effective = chances(game, belief, seat), [], [], []
            for particle_filter in drawing:
                drawn = particle_filter.belief(table.view())
                apart.append(distance(truth, chances(game, drawn, seat)))
                best.append(distance(truth, chances(game, sampled(belief, particle_filter.drawn, seed), seat)))
                effective.append(drawn.effective)
            results.append((len(belief), apart, best, effective))
            break
    return results


def decisions(game: Any, agent: Any, seed: int) -> Iterator[Any]:
    """Some of the positions of a game in which somebody has something to find out."""
    pick = random.Random(seed)
    table = game.deal(pick.randrange(2**32))
    every = max(1, min(game.longest, 100) // 20)
    skip = pick.randrange(every)
    while not table.over:
        if len(table.history) % every == skip and game.people.facts(table.state, table.turn):
            yield table
        table.play(table.ask(agent).action)


def drawn(options: argparse.Namespace) -> None:
    companies = [company for company in ACQUAINTED if company.game != "kuhn" and options.only in ("", company.game)]
    jobs = [(company, seeds) for company in companies for seeds in spread(options, options.positions)]
    found: dict[str, list[Any]] = {}
    for (company, _), results in zip(jobs, shared_out(options, approach, jobs), strict=True):
        found.setdefault(f"{company.game}, `{company.agent}`", []).extend(results)
    heads = " | ".join(f"{worlds:,} worlds" for worlds in DRAWN)
    print(f"| game, model | positions | worlds listed | | {heads} |\n|---|---|---|---|{'---|' * len(DRAWN)}")
    for name, rows in found.items():
        listed, *columns = zip(*rows, strict=True)
        for what, column in zip(("drawn", "at best", "effective"), columns, strict=True):
            numbers = " | ".join(f"{n:,.0f}" if what == "effective" else f"{n:.3f}" for n in np.mean(column, axis=0))
            print(f"| {name} | {len(rows)} | {np.mean(listed):,.0f} | {what} | {numbers} |")


# --- calibration ----------------------------------------------------------------------------------


def predict(job: tuple[Company, range]) -> list[tuple[list[float], list[float], list[bool], float]]:
    """For each decision: chances by uniform worlds and by behaviour, whether it was so, and the effective worlds."""
    from hiddenhand.belief.particle_filter import ParticleFilter

    company, seeds = job
    game, agent = seated(company)
    told = "rewind" in game.rules.given
    believers = [ParticleFilter(game, [agent], worlds=WORLDS, exact=2000, mistakes=m) for m in (1.0, 0.02) if told]
    results = []
    for seed in seeds:
        for table in decisions(game, agent, seed):
            seat = table.turn
            truth = set(game.people.facts(table.state, seat).items())
            beliefs = [uniform_chances(table, seat)] if not told else []
            effective = float(WORLDS)
            for particle_filter in believers:
                belief = particle_filter.belief(table.view())
                beliefs.append(chances(game, belief, seat))
                effective = belief.effective
            facts = sorted({*beliefs[0], *beliefs[-1], *truth})
            left, right = ([belief.get(fact, 0.0) for fact in facts] for belief in (beliefs[0], beliefs[-1]))
            results.append((left, right, [fact in truth for fact in facts], effective))
    return results


def scores(given: np.ndarray[Any, Any], so: np.ndarray[Any, Any]) -> tuple[float, float, float]:
    """The mean loss (minus the logarithm of the chance given to what was there), the mean squared error, and how far
    chances are from how often it was so, in ten groups."""
    loss = -np.log(np.maximum(given[so], LEAST)).mean()
    return (
        float(loss),
        float(((given - so) ** 2).mean()),
        sum(n * abs(p - often) for p, often, n in groups(given, so)),
    )


def groups(given: np.ndarray[Any, Any], so: np.ndarray[Any, Any]) -> list[tuple[float, float, float]]:
    """Chances in ten groups: their mean, how often it was so, and what share of all they are."""
    number = np.minimum((10 * given).astype(int), 9)
    return [
        (float(given[number == i].mean()), float(so[number == i].mean()), float((number == i).mean()))
        for i in range(10)
        if (number == i).any()
    ]


def calibration(options: argparse.Namespace) -> None:
    companies = [company for company in (*ACQUAINTED, *STRANGERS) if options.only in ("", company.game)]
    jobs = [(company, seeds) for company in companies for seeds in spread(options, options.games)]
    found: dict[Company, list[Any]] = {}
    for (company, _), results in zip(jobs, shared_out(options, predict, jobs), strict=True):
        found.setdefault(f"{company.game}, {company.agent}", []).extend(results)
    print("| game, players | decisions | chances | belief | loss | squared error | off by | effective worlds |")
    print("|---|---|---|---|---|---|---|---|")
    panels, acquainted = {}, {f"{company.game}, {company.agent}" for company in ACQUAINTED}
    for name, rows in found.items():
        even, told, so = (np.concatenate([np.array(row[i]) for row in rows]) for i in range(3))
        kinds = {"uniform": even, "from behaviour": told} if name in acquainted else {"uniform": even}
        panels[name] = {kind: groups(given, so) for kind, given in kinds.items()}
        for kind, given in kinds.items():
            loss, squared, off = scores(given, so)
            effective = f"{np.mean([row[3] for row in rows]):,.0f}" if kind != "uniform" else ""
            numbers = f"{loss:.3f} | {squared:.4f} | {off:.3f} | {effective}"
            print(f"| {name} | {len(rows)} | {len(so):,} | {kind} | {numbers} |")
    if options.groups:
        options.groups.write_text(json.dumps(panels), encoding="utf-8")


def draw(options: argparse.Namespace) -> None:
    from hiddenhand.lab.figures import draw_calibration

    draw_calibration(json.loads(options.groups.read_text(encoding="utf-8")), options.figure)


# --- models ---------------------------------------------------------------------------------------


def losses(job: tuple[argparse.Namespace, range]) -> list[list[float]]:
    """For each decision of the players: by models and mistakes, the mean loss over the hidden things."""
    import hiddenhand as hh
    from hiddenhand.belief.particle_filter import ParticleFilter

    options, seeds = job
    game = hh.game(options.game)
    player = hh.agent(game, options.player)
    models = [[hh.agent(game, text.strip()) for text in names.split("|")] for names in options.models]
    believers = [
        ParticleFilter(game, [kinds], worlds=WORLDS, exact=2000, mistakes=mistakes)
        for kinds in models
        for mistakes in options.mistakes
    ]
    results = []
    for seed in seeds:
        for table in decisions(game, player, seed):
            truth, row = game.people.facts(table.state, table.turn).items(), []
            for particle_filter in believers:
                given = chances(game, particle_filter.belief(table.view()), table.turn)
                row.append(-float(np.mean([np.log(max(given.get(fact, 0.0), LEAST)) for fact in truth])))
            results.append(row)
    return results


def models(options: argparse.Namespace) -> None:
    import hiddenhand as hh

    if hh.game(options.game).people.facts is None:
        raise SystemExit(f"{options.game} does not tell what is hidden in it: it has no `facts`")
    jobs = [(options, seeds) for seeds in spread(options, options.games)]
    found = np.array([row for rows in shared_out(options, losses, jobs) for row in rows])
    mean = found.mean(axis=0).reshape(len(options.models), -1)
    print(f"loss in {len(found)} decisions of {options.player}; `mistakes=1`: what they did tells nothing\n")
    heads = " | ".join(f"mistakes={mistakes:g}" for mistakes in options.mistakes)
    print(f"| model | {heads} |\n|---|{'---|' * len(options.mistakes)}")
    for names, row in zip(options.models, mean, strict=True):
        who = " or ".join(f"`{name.strip()}`" for name in names.split("|"))
        print(f"| {who} | {' | '.join(f'{loss:.3f}' for loss in row)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command, option, usual in ((exact, "positions", 125), (drawn, "positions", 40), (calibration, "games", 100)):
        one = commands.add_parser(command.__name__)
        one.add_argument(f"--{option}", type=int, default=usual)
        one.add_argument("--workers", type=int, default=1)
        one.add_argument("--only", default="", help="one game")
        one.set_defaults(command=command)
    one.add_argument("--groups", type=Path)
    picture = commands.add_parser("draw")
    picture.add_argument("--groups", type=Path, required=True)
    picture.add_argument("--figure", type=Path, required=True)
    picture.set_defaults(command=draw)
    fitting = commands.add_parser("models")
    fitting.add_argument("game")
    fitting.add_argument("player")
    fitting.add_argument("models", nargs="+", metavar="MODEL")
    fitting.add_argument("--mistakes", type=float, nargs="+", default=[0.02, 0.1, 0.3, 0.6, 1.0])
    fitting.add_argument("--games", type=int, default=24)
    fitting.add_argument("--workers", type=int, default=1)
    fitting.set_defaults(command=models)
    options = parser.parse_args()
    options.command(options)


if __name__ == "__main__":
    main()
