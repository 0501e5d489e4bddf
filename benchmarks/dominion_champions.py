"""How good is each shipped champion of Dominion, and who beats it: `dominion_champions.py --keep champions.json`

For every recommended set: the champion (`evolved`) against `bigmoney`, against every reference that the kingdom
allows, and against the best answer that `evolve` finds to it from BigMoney and 60 lists drawn at random, in 15
generations, the worst of three seeds. All shares are of games won alone, on deals that nothing was bred on.

What is measured is kept in the file, set by set, and not measured again while the champion is the same: the command
may be broken off and repeated. `--sets "Deck Top" ...` measures some of them. A quarter of a minute an answer on one
core. `--thorough` looks for the answers with twice as many parents and with rounds of more games; that takes longer,
and what it finds is kept beside.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import hiddenhand as hh
from hiddenhand.core import resolver
from hiddenhand.core.game import Game
from hiddenhand.games.dominion.evolved import learned_menu
from hiddenhand.games.dominion.kingdoms import NAMED, ORDINAL, find_kingdom
from hiddenhand.games.dominion.references import reference_names
from hiddenhand.lab.evolution import EvolutionPlan, EvolutionResult, evolve
from hiddenhand.lab.match import match
from hiddenhand.lab.runner import Running

YARDSTICK_GAMES, REFERENCE_GAMES = 40_000, 10_000
MATCH_SEED = 20_261_118  # new deals: nothing was bred on them
SEEDS = (911, 912, 913)  # of the answers, which no champion was bred with
ANSWER: dict[str, Any] = {"beginners": 60, "generations": 15, "goal": "alone"}
THOROUGH: dict[str, Any] = ANSWER | {
    "population": 10,
    "mutants": 5,
    "rounds": 3,
    "games": 60,
    "recombined": 0.3,
}


def shares(of: Game, opponent: str, games: int) -> tuple[float, float]:
    """How often the champion wins alone and loses, seats changing."""
    seat = match(of, ["evolved", opponent], games=games, seed=MATCH_SEED, rotate=True).to_json()["seats"][0]
    return seat["wins"] / games, (games - seat["wins"] - seat["ties"]) / games


def answer(of: Game, seed: int, search: dict[str, Any]) -> tuple[float, str]:
    """The best answer to the champion that evolution finds: how often it wins alone on new deals, and what it is."""
    plan = EvolutionPlan(of, "menu", ["evolved"], seed=seed, **search)
    with tempfile.TemporaryDirectory() as folder:
        found = evolve.run(plan, Running(output=str(Path(folder) / "answer.menu")))
    assert isinstance(found, EvolutionResult)
    return found.tests[0]["sole_wins"], found.genome


def answers(of: Game, search: dict[str, Any]) -> list[tuple[float, str]]:
    return [answer(of, seed, search) for seed in SEEDS]


def measured(of: Game) -> dict[str, Any]:
    won, lost = shares(of, "bigmoney", YARDSTICK_GAMES)
    references = {name: shares(of, f"reference:{name}", REFERENCE_GAMES) for name in reference_names(of)}
    return {"won": won, "lost": lost, "references": references, "answers": answers(of, ANSWER)}


def row(name: str, edition: str, found: dict[str, Any]) -> str:
    """A line of the table."""
    worst = min(found["references"], key=lambda reference: found["references"][reference][0])
    won, lost = found["references"][worst]
    lost_to = [reference for reference, (won, lost) in found["references"].items() if won <= lost]
    best = ", ".join(
        f"{max(share for share, _ in found[kind]):.3f}" for kind in ("answers", "thorough") if kind in found
    )
    note = f" (loses to {', '.join(lost_to)})" if lost_to else ""
    return f"| {name} | {edition} | {found['won']:.3f} | {worst} {won:.3f} to {lost:.3f}{note} | {best} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--keep", type=Path, default=Path("dominion_champions.json"), help="where the figures are kept"
    )
    parser.add_argument("--sets", nargs="*", default=[], help="only these; with an edition: 'First Game/second'")
    parser.add_argument("--thorough", action="store_true", help="look for better answers too")
    given = parser.parse_args()
    kept: dict[str, Any] = json.loads(given.keep.read_text()) if given.keep.is_file() else {}
    print("| set | edition | won against bigmoney | worst reference: won, lost | best answer wins |")
    print("|---|---|---|---|---|")
    for number, sets in NAMED.items():
        for name in sets:
            edition, key = ORDINAL[number], f"{name}/{ORDINAL[number]}"
            if given.sets and name not in given.sets and key not in given.sets:
                continue
            menu = str(learned_menu(find_kingdom(name, number), number))
            version = resolver.definition("dominion").version
            of = hh.game("dominion", kingdom=name, edition=edition)
            if key not in kept or (kept[key]["menu"], kept[key]["version"]) != (menu, version):
                kept[key] = {"menu": menu, "version": version, **measured(of)}
            if given.thorough and "thorough" not in kept[key]:
                kept[key]["thorough"] = answers(of, THOROUGH)
            given.keep.write_text(json.dumps(kept, indent=1))
            print(row(name, edition, kept[key]), flush=True)


if __name__ == "__main__":
    main()
