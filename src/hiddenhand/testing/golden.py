"""Golden playthroughs: games written down once, so that a change of the rules without a new version is seen.

    python -m hiddenhand.testing golden nim.py          # writes tests/golden/nim.json
    check_golden("nim.py")                              # plays them again and compares

A file holds games with the options as they are and with each in turn at another value: the actions, a digest of the
state after each, and the payoffs if the game came to an end. Players and chance alike take the legal action whose
place a number drawn from the seed names, so nothing but the rules decides what is in the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.settings import Setting
from hiddenhand.core.table import Table
from hiddenhand.kernel import derive

FOLDER = Path("tests/golden")
SEEDS = (1, 2)
"""The seeds for the game as it is; with an option changed, the first."""
MOST_PLIES = 200
DIGITS = 8


def check_golden(game: Game | str, folder: str | Path = FOLDER) -> None:
    """The rules play the games that were written down for this version."""
    of = resolver.game(game)
    path = golden_file(of, folder)
    assert path.is_file(), (
        f"{of.name} has no golden playthroughs: python -m hiddenhand.testing golden {of.origin.spec}"
    )
    written = json.loads(path.read_text(encoding="utf-8"))
    again = f"write them anew: python -m hiddenhand.testing golden {of.origin.spec}"
    version = written["version"]
    assert version == of.version, (
        f"{of.name} is of version {of.version}, its golden playthroughs of {version}; {again}"
    )
    for then in written["games"]:
        now = playthrough(of.with_options(then["options"]), then["options"], then["seed"])
        fault = difference(then, now)
        assert not fault, (
            f"the rules of {of.name} changed but its version did not: {fault}; give it a new one, and {again}"
        )


def difference(then: dict[str, Any], now: dict[str, Any]) -> str:
    """Where two playthroughs part, in words; empty if they do not."""
    game = f"seed {then['seed']}" + "".join(f", {name}={value}" for name, value in then["options"].items())
    for ply, (old, new) in enumerate(zip(then["plies"].split(), now["plies"].split(), strict=False)):
        old_action, old_state = old.split(":")
        new_action, new_state = new.split(":")
        if old_action != new_action:
            return f"with {game} ply {ply} was action {old_action} and is now {new_action}"
        if old_state != new_state:
            return f"with {game} the state after ply {ply} is another"
    if then["plies"] != now["plies"]:
        return f"with {game} the game had {then['plies'].count(' ')} plies and has now {now['plies'].count(' ')}"
    if then["payoffs"] != now["payoffs"]:
        return f"with {game} the payoffs were {then['payoffs']} and are now {now['payoffs']}"
    return ""


def write_golden(game: Game, folder: str | Path = FOLDER) -> Path:
    """Play the golden games of this version and write them down."""
    path = golden_file(game, folder)
    games = [
        playthrough(game.with_options(options), options, seed)
        for options in option_sets(game)
        for seed in (SEEDS if not options else SEEDS[:1])
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"game": game.name, "version": game.version, "games": games}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def golden_file(game: Game, folder: str | Path) -> Path:
    return Path(folder) / f"{game.name}.json"


def playthrough(game: Game, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """One game, or as much of it as is written down."""
    table = Table(game, seed, rolls=False)
    plies = [f"deal:{digest(table)}"]
    while not table.over and len(table.history) < MOST_PLIES:
        legal = table.legal_actions()
        action = legal[derive(seed, 1000 + len(table.history)) % len(legal)]
        table.play(action)
        plies.append(f"{action}:{digest(table)}")
    payoffs = table.payoffs() if table.over else None
    return {"options": options, "seed": seed, "payoffs": payoffs, "plies": " ".join(plies)}


def digest(table: Table) -> str:
    return hashlib.sha256(table.state.tobytes()).hexdigest()[:DIGITS]


def option_sets(game: Game) -> Iterator[dict[str, Any]]:
    """The game as it is, and with each option in turn at another value."""
    yield {}
    for name, setting in game.settings.items():
        for value in other_values(setting):
            try:
                game.with_options({name: value})
            except UserError:  # a value that does not go with the other options
                continue
            yield {name: value}


def other_values(setting: Setting) -> list[Any]:
    """Values that an option may have besides its default: all choices, or the ends of its range."""
    if isinstance(setting.default, bool):
        return [not setting.default]
    if setting.choices is not None:
        return [choice for choice in setting.choices if choice != setting.default]
    ends = [setting.low, setting.high]
    return [type(setting.default)(end) for end in ends if end is not None and end != setting.default]
