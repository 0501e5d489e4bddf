"""Registry: finds games and agents by name. Nothing is listed by hand: a new file is a new game or agent."""

from __future__ import annotations

import hashlib
import importlib.util
import pkgutil
import sys
from dataclasses import replace
from importlib import import_module
from inspect import isclass
from pathlib import Path
from types import ModuleType
from typing import Any

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.game import Game
from hiddenhand.core.policy import Policy
from hiddenhand.core.random_agent import random
from hiddenhand.core.settings import parse_pairs, read_settings

GAMES = "hiddenhand.games"
AGENTS = ("hiddenhand.search",)


def games() -> list[str]:
    """The names of all games in the package."""
    return sorted(module.name for module in pkgutil.iter_modules(import_module(GAMES).__path__))


def game(name: str | Game, **options: Any) -> Game:
    """A game by name, or from a Python file of your own (`./nim.py`), with these options."""
    if isinstance(name, Game):
        return name.with_options(options) if options else name
    return definition(name).with_options(options)


def definition(name: str) -> Game:
    """A game as its file defines it, before any options are chosen."""
    if name.endswith(".py"):
        module = load_file(Path(name))
    elif name in games():
        module = import_module(f"{GAMES}.{name}")
    else:
        known = games()
        raise UserError(f"unknown game {name!r}{did_you_mean(name, known)}; games: {one_of(known)}")
    found = getattr(module, "GAME", None)
    if not isinstance(found, Game):
        raise UserError(f"{name} defines no GAME")
    if found.source:  # another file with the same contents may have been loaded first
        found = replace(found, source=str(Path(name).expanduser().resolve()))
    return found


def load_file(path: Path) -> ModuleType:
    """Import a game's file from outside the package, once.

    The module is named after its contents, as its compiled code is: the next process finds that code by this name.
    """
    full = path.expanduser().resolve()
    if not full.is_file():
        raise UserError(f"there is no game file {path}")
    key = f"hiddenhand_game_{full.stem}_{hashlib.sha256(full.read_bytes()).hexdigest()[:12]}"
    if key not in sys.modules:
        spec = importlib.util.spec_from_file_location(key, full)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[key] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[key]
            raise UserError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return sys.modules[key]


def general_agents() -> dict[str, type[Agent]]:
    """The agents that know no particular game, by name."""
    found: dict[str, type[Agent]] = {}
    for package in AGENTS:
        for info in pkgutil.iter_modules(import_module(package).__path__):
            module = import_module(f"{package}.{info.name}")
            for thing in vars(module).values():
                if isclass(thing) and issubclass(thing, Agent) and thing.name and thing.__module__ == module.__name__:
                    found[thing.name] = thing
    return found


def agents(game_or_name: Game | str) -> dict[str, Policy | type[Agent]]:
    """Every agent that can play this game, by name; a game's own agent comes before a general one of that name."""
    of = game(game_or_name)
    general = {name: kind for name, kind in general_agents().items() if not kind.refuses(of)}
    return {random.name: random, **general, **of.agents, **of.policies}


def agent(game_or_name: Game | str, text: str) -> Agent:
    """An agent from its text: `random`, `alphabeta:depth=6`, `pimc:worlds=100`."""
    of = game(game_or_name)
    name, _, rest = text.partition(":")
    known = agents(of)
    if name not in known:
        reason = general_agents()[name].refuses(of) if name in general_agents() else ""
        if reason:
            raise UserError(f"{name} cannot play {of.name}: {reason}")
        names = sorted(known)
        raise UserError(f"unknown agent {name!r} for {of.name}{did_you_mean(name, names)}; agents: {one_of(names)}")
    kind = known[name]
    if isinstance(kind, Policy) and kind.reads is not None:
        return PolicyAgent(of, kind, source=rest, text=file_or_text(rest, name))
    settings = kind.settings if isinstance(kind, Policy) else kind.settings_for(of)
    values = read_settings(parse_pairs(rest, name, "parameter"), settings, name, "parameter")
    if isinstance(kind, Policy):
        return PolicyAgent(of, kind, **values)
    return kind(of, **values)


def file_or_text(source: str, owner: str) -> str:
    """The text itself, or what the file holds that `@FILE` names."""
    if not source.strip():
        raise UserError(f"{owner} needs a text after the colon, or @FILE")
    if not source.startswith("@"):
        return source
    try:
        return Path(source[1:]).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UserError(f"{source[1:]} cannot be read: {reason}") from None


def champion(of: Game) -> str:
    """A strong agent for this game: the one it names, or the search that suits it."""
    if of.champion:
        return of.champion
    for text in ("alphabeta:time=0.5", "expectiminimax", "ismcts:simulations=3000", "uct:simulations=3000"):
        if not general_agents()[text.partition(":")[0]].refuses(of):
            return text
    return "random"
