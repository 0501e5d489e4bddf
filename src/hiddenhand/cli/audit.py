"""Does a game keep its secrets? `audit`, for our games and for those of OpenSpiel."""

from __future__ import annotations

import json as json_text
import subprocess
import sys
from typing import Annotated, Any

import typer

from hiddenhand.cli.options import AsJson, Options, read_options
from hiddenhand.cli.output import print_json, print_table
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import load

THEIRS = ("open_spiel", "openspiel")
AUDITED, HIDDEN = "hiddenhand.bridges.open_spiel_audit:audited", "hiddenhand.bridges.open_spiel_audit:hidden_games"
GIVEN_UP = 10.0
"""A game that has not ended after so many times the seconds that it was given is left."""


def audit(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="A game, or one of OpenSpiel's: open_spiel:NAME; open_spiel: for all."),
    ],
    states: Annotated[
        int, typer.Option("--states", metavar="N", help="Decisions to look at, in OpenSpiel's games.")
    ] = (5000),
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", help="The most time for one of them.")] = 20.0,
    option: Options = None,
    json: AsJson = False,
) -> None:
    """Whether what a seat is told depends on what it cannot know.

    Of our games (and yours) the part of the conformance suite that looks for leaks is run. Of OpenSpiel's,
    information states, observations and resampling are compared over many positions; what fails is shown by two
    histories. The exit status is 1 if something fails.
    """
    library, colon, name = game.partition(":")
    if colon and library in THEIRS:
        if states < 1 or seconds <= 0:
            raise UserError("--states and --seconds must be above 0")
        found = audit_all(states, seconds) if not name else audit_theirs(name, states, seconds, json)
    else:
        found = audit_ours(game, option, json)
    if found:
        raise typer.Exit(1)


def audit_ours(game: str, option: Options, json: bool) -> bool:
    """Whether a check fails for a game of ours."""
    from hiddenhand.core import resolver
    from hiddenhand.testing import SECRECY

    of = resolver.game(game, read_options(option, game))
    verdicts: dict[str, str] = {}
    for check in SECRECY:
        try:
            check(of)
            verdicts[check.__name__.removeprefix("check_")] = "holds"
        except AssertionError as error:
            verdicts[check.__name__.removeprefix("check_")] = str(error)
    if json:
        print_json({"game": of.origin.spec, "options": dict(of.options), "verdicts": verdicts})
    else:
        print_table([("check", "verdict"), *verdicts.items()])
    return any(verdict != "holds" for verdict in verdicts.values())


def audit_theirs(name: str, states: int, seconds: float, json: bool) -> bool:
    """Whether a check fails for a game of OpenSpiel's."""
    found = load(AUDITED)(name, states, seconds)
    if json:
        print_json(found.to_json())
        return bool(found.failed)
    print_table([("check", "verdict"), *found.verdicts.items()])
    print(f"\n{found.states:,} decisions")
    for check, example in found.to_json()["examples"].items():
        print(f"\n{check}, for player {example['player']}, in these two histories:")
        for history in example["histories"]:
            print("  " + ("; ".join(history) or "the start"))
    return bool(found.failed)


def audit_all(states: int, seconds: float) -> bool:
    """Every game of OpenSpiel's that hides something, each in a process of its own, as a table in Markdown."""
    print("| game | decisions | fails | not offered | example |\n|---|---|---|---|---|", flush=True)
    failed = False
    for name in load(HIDDEN)():
        told = audited_apart(name, states, seconds)
        verdicts = told.get("verdicts", {})
        wrong = [check for check, verdict in verdicts.items() if verdict == "FAILS"]
        lacking = [check for check, verdict in verdicts.items() if verdict == "not offered"]
        failed |= bool(wrong)
        cells = (
            f"`{name}`",
            f"{told.get('states', 0):,}",
            ", ".join(wrong),
            ", ".join(lacking),
            shortest(told, wrong),
        )
        print(f"| {' | '.join(cells)} |", flush=True)
    return failed


def audited_apart(name: str, states: int, seconds: float) -> dict[str, Any]:
    """The audit of one game as JSON, or why there is none, in a process of its own, which may crash."""
    command = [sys.executable, "-m", "hiddenhand", "audit", f"open_spiel:{name}", "--json"]
    command += [f"--states={states}", f"--seconds={seconds}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIVEN_UP * seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"why": f"no end within {GIVEN_UP * seconds:g} seconds"}
    start = done.stdout.find("{")
    try:
        told: dict[str, Any] = json_text.loads(done.stdout[max(start, 0) :])
    except ValueError:
        lines = (done.stderr or done.stdout).strip().splitlines() or [f"ended with status {done.returncode}"]
        return {"why": lines[-1].removeprefix("error: ")}
    return told


def shortest(told: dict[str, Any], wrong: list[str]) -> str:
    """The shortest of the examples, or why there was no audit, as a cell of a table."""
    examples = [(check, told["examples"][check]) for check in wrong]
    if not examples:
        return str(told.get("why", "")).replace("|", "/")[:160]
    check, example = min(examples, key=lambda pair: len(str(pair[1]["histories"])))
    first, second = ("; ".join(history) or "the start" for history in example["histories"])
    said = f"{check}, player {example['player']}: {first} **and** {second}".replace("|", "/").replace("\n", " ")
    return said if len(said) <= 400 else said[:400] + " ..."


def register(app: typer.Typer) -> None:
    app.command()(audit)
