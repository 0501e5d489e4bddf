"""Resolver: turns text into games and agents, for every command, in Python, on the page and in other processes.

    kuhn                                                a game of the package, or of an installed package
    my_game.py  my_world.svarog  model.pomdp  x.tree    a game from a file (.pomdpx too)
    open_spiel:hex(board_size=5)  chess                 a game of another library
    trustful  alphabeta:depth=6  reinforced:file=my.npz an agent: its name and its settings
    my_agent.py:Clever:depth=3                          an agent from a file; without the class if there is only one
    bot:./my_bot  bot:./my_bot:time=2                   a program of any language that speaks our protocol

Installed packages offer games and agents by entry points, `hiddenhand.games` and `hiddenhand.agents`. What lies above
this layer (readers of files, the package's games, the searches) is named here by text and loaded when it is asked
for. So are agents of other kinds, which begin with a word of `PREFIXES`.

A resolver opens the files that its `files` allow. The functions of this module are those of `EVERYTHING`, which opens
any: the resolver of a person at a machine of their own. A server makes one that opens what its owner allows, and that
keeps `strangers` below the ceilings of settings.
"""

from __future__ import annotations

import os
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import isclass
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, NamedTuple

from hiddenhand.core.agent import Agent, AgentKind, PolicyAgent, written
from hiddenhand.core.errors import RecordError, TextFault, UserError, did_you_mean, one_of
from hiddenhand.core.extras import FormerNames, Opponent, Opponents, RecordFormats, load
from hiddenhand.core.files import AnyFile, Files, blamed, fingerprint, load_module
from hiddenhand.core.game import Game, Origin
from hiddenhand.core.game_cache import GameCache
from hiddenhand.core.policy import Policy
from hiddenhand.core.random_agent import random
from hiddenhand.core.record import Record, RecordFormat
from hiddenhand.core.settings import Setting, find_files, fingerprints, parse_pairs, read_settings
from hiddenhand.core.text import Text

GAMES = "hiddenhand.games"
"""Every module of this package is a game; installed packages use the same word for their entry points."""
AGENTS = "hiddenhand.agents"
GENERAL = ("hiddenhand.search", "hiddenhand.learning")
"""Their tables `AGENTS` name the agents that know no particular game."""

READERS = {
    ".py": "hiddenhand.core.resolver:game_of_python_file",
    ".svarog": "hiddenhand.planning.play.world_game:game_from_file",
    ".pomdp": "hiddenhand.planning.play.pomdp_game:game_from_file",
    ".pomdpx": "hiddenhand.planning.play.pomdp_game:game_from_file",
    ".tree": "hiddenhand.games.tree:game_from_file",
}
"""Who makes a game of a file, by how its name ends: a function of the path."""

FILES_REMEMBERED, LIBRARIES_REMEMBERED = 128, 128
FILE_GAMES = GameCache(FILES_REMEMBERED, most_bytes=200_000_000)
"""Games of files that are kept in memory; on a server visitors bring any number of them."""

PREFIXES: dict[str, str] = {"bot": "hiddenhand.bridges.bots:bot"}
"""Who makes agents of another kind: a function of the game, what follows the colon, and the files. `bot` is for
programs that speak a protocol of ours."""

LIBRARIES = {"open_spiel": "hiddenhand.bridges.open_spiel_games:game_of", "chess": "hiddenhand.bridges.chess:game_of"}
"""Who makes games of another library: a function of what follows the colon."""

FILE_AGENT = re.compile(r"(?P<file>.*?\.py)(?::(?P<rest>.*))?", re.DOTALL)
SUITABLE = ("alphabeta:time=0.5", "expectiminimax", "ismcts:simulations=3000", "uct:simulations=3000")


class Found(NamedTuple):
    """A kind of agent that was found, by what text, and what is written of its settings."""

    kind: AgentKind
    origin: str
    rest: str


@dataclass(frozen=True)
class Character:
    """What can be said of an agent before it is made, which may take time and memory."""

    game: Game
    name: str
    text: str
    """As the agent itself would be written."""
    heavy: bool
    policy: bool
    """It is a compiled policy."""
    mindful: bool
    """It keeps a memory, so that it has to be asked at every turn to know what it knows."""

    def __str__(self) -> str:
        return self.text


class Resolver:
    """Finds games and agents by their text; opens the files that `files` allow.

    `strangers`: whoever asks does not pay for what an agent costs, so that settings end at their ceilings.
    """

    def __init__(self, files: Files, strangers: bool = False) -> None:
        self.files = files
        self.strangers = strangers

    # ---- games

    def games(self) -> list[str]:
        """The names of all games: of the package, of installed packages, and of files that are offered here."""
        offered = [name for name in self.files.listed() if is_game_file(self.files.find(name))]
        return [*sorted({*own_games(), *installed(GAMES)}), *offered]

    def game(self, text: str | Game, given: Mapping[str, Any] | None = None, /, **more: Any) -> Game:
        """A game by name, or from a file of your own (`./nim.py`), with these options.

        In a program they are written as arguments; what somebody else wrote comes as a mapping, whatever its names.
        """
        options = {**(given or {}), **more}
        found = self.definition(text) if isinstance(text, str) else text
        if isinstance(text, Game) and not options:
            return text
        with self.telling():
            return found.with_options(find_files(options, found.settings, self.files))

    def game_of_record(self, record: Record) -> Game:
        """The game that was played. In a record of a time when presets were options they overruled the others."""
        beside = [] if record.folder is None else [str(record.folder / PurePath(record.game).name)]
        found = self.found_again(record.game, record.rules, [*filter(None, [record.file]), *beside])
        overruled: dict[str, Any] = {}
        for name, setting in found.settings.items():
            if name in record.options and record.options[name] != setting.default:
                overruled |= setting.presets.get(str(record.options[name]), {})
        return self.game(found, {**record.options, **overruled})

    def found_again(self, text: str, rules: str | None = None, places: Iterable[str] = ()) -> Game:
        """A game as it is defined, by what was kept of it.

        rules    the fingerprint that its rules must have, if it is known
        places   further paths where the file may lie that it comes from; then it is looked for by its name here
        """
        if Path(text).suffix not in READERS:
            return self.definition(text)
        other = ""
        for place in (*places, text, PurePath(text).name):
            try:
                self.files.find(place)
            except UserError:
                if place == text and not isinstance(self.files, AnyFile):
                    raise  # strangers are told what may be opened
                continue
            found = self.definition(place)
            if rules in (None, found.rules.key):
                return found
            other = place
        if other:
            raise RecordError(
                "the rules of {file} are no longer those of {rules}: bring back the file as it was, or, if the games "
                'are still the same, take "rules" out of what was kept',
                file=other,
                rules=rules,
            )
        raise RecordError(
            "{name} is neither where it was nor here: put the file into this folder, or beside the record",
            name=PurePath(text).name,
        )

    def definition(self, text: str) -> Game:
        """A game as it is defined, before any options are chosen."""
        library, _, rest = text.partition(":")
        if library in LIBRARIES:
            return self.definition_of(library, rest)
        suffix = Path(text).suffix
        if suffix in READERS:
            path = self.files.find(text)
            with self.telling():
                made = game_of_file(path, fingerprint(path), bounded=self.strangers)
                return replace(made, origin=replace(made.origin, spec=self.files.written(path), outside=True))
        if text in own_games():
            return game_in(import_module(f"{GAMES}.{text}"), text)
        if text in installed(GAMES):
            found = game_in(load_installed(installed(GAMES)[text]), text)
            return replace(found, origin=Origin(text, outside=True))
        if suffix or os.sep in text:
            raise UserError("a game's file ends in {list}; {text} does not", list=one_of(list(READERS)), text=text)
        known = self.games()
        raise UserError(
            "unknown game {text}{hint}; games: {list}",
            text=repr(text),
            hint=did_you_mean(text, known),
            list=one_of(known),
        )

    def definition_of(self, library: str, text: str) -> Game:
        """A game of another library."""
        if self.strangers:
            raise UserError("games of {library} are not played here", library=library)
        spec = f"{library}:{text}" if text else library
        return replace(game_of_library(library, text), origin=Origin(spec, outside=True))

    # ---- agents

    def agents(self, game: Game | str) -> dict[str, AgentKind]:
        """Every agent that can play this game, by name; the game's own come before others of that name."""
        of = self.game(game)
        others: dict[str, AgentKind] = {**installed_agents(), **general_agents()}
        fit = {name: kind for name, kind in others.items() if not kind.refuses(of) and not kind.needs_file}
        return {random.name: random, **fit, **of.agents}

    def agent(self, game: Game | str, text: str) -> Agent:
        """An agent from its text: `random`, `alphabeta:depth=6`, `my_agent.py:Clever:depth=3`."""
        of = self.game(game)
        name, _, rest = text.partition(":")
        if name in PREFIXES:
            result: Agent = load(PREFIXES[name])(of, rest, self.files)
            return result
        found = self.find_kind(of, text)
        with self.blaming(found):
            return self.made(of, found)

    def character(self, game: Game, text: str) -> Character:
        """What can be said of an agent before it is made; refused if its text is wrong."""
        if text.partition(":")[0] in PREFIXES:
            made = self.agent(game, text)
            return Character(game, made.name, str(made), made.heavy, policy=False, mindful=False)
        found = self.find_kind(game, text)
        kind, origin, rest = found
        with self.blaming(found):
            require_suitable(game, found)
            if kind.reads is not None:
                written_so = f"{origin}:{self.file_or_text(rest, owner_of(origin))[0]}"
            else:
                values, known = self.values_of(game, found), kind.settings_for(game)
                written_so = written(origin, {**values, **self.written_files(values, known)}, known)
        policy = isinstance(kind, Policy) or (isclass(kind) and issubclass(kind, PolicyAgent))
        mindful = kind.keeps_memory
        return Character(game, kind.name or origin, written_so, kind.heavy, policy, mindful)

    @contextmanager
    def blaming(self, found: Found) -> Iterator[None]:
        """What goes wrong in an agent's own file is said with the line of it."""
        try:
            with self.telling():
                yield
        except UserError:
            raise
        except Exception as error:
            file = FILE_AGENT.fullmatch(found.origin)
            if file is None:
                raise
            told = self.files.told(blamed(error, self.files.find(file["file"])))
            raise UserError("{owner} cannot be made: {why}", owner=owner_of(found.origin), why=told) from error

    @contextmanager
    def telling(self) -> Iterator[None]:
        """What is wrong with a file is told with its name as whoever asks may know it."""
        try:
            yield
        except UserError as error:
            error.args = tuple(self.files.told(each) if isinstance(each, str) else each for each in error.args)
            if isinstance(error, TextFault):
                error.message = self.files.told(error.message)
            raise

    def find_kind(self, of: Game, text: str) -> Found:
        """The kind of agent that a text names."""
        name, _, rest = text.partition(":")
        kind = find_own(of, name)
        file = FILE_AGENT.fullmatch(text)
        if kind is None and file is not None:
            return self.find_in_file(file["file"], file["rest"] or "")
        if kind is None and name in installed(AGENTS):
            kind = find_installed(name)
        if kind is None:
            names = sorted(self.agents(of))
            raise UserError(
                "unknown agent {name} for {game}{hint}; agents: {list}",
                name=repr(name),
                game=of.name,
                hint=did_you_mean(name, names),
                list=one_of(names),
            )
        return Found(kind, name, rest)

    def find_in_file(self, file: str, rest: str) -> Found:
        """An agent of a Python file: `CLASS:settings`, `CLASS`, `settings` or nothing follows the file's name."""
        path = self.files.find(file)
        with self.telling():
            known = kinds_in(load_module(path))
        first, _, more = rest.partition(":")
        if not known:
            raise UserError("{file} holds no agent: no class made of Agent, and no @policy", file=file)
        if first in known:
            name, settings = first, more
        elif first and "=" not in first:
            names = list(known)
            raise UserError(
                "{file} holds no agent {first}{hint}; it holds: {list}",
                file=file,
                first=repr(first),
                hint=did_you_mean(first, names),
                list=one_of(names),
            )
        elif len(known) > 1:
            raise UserError(
                "{file} holds several agents; say which, such as {file}:{example}: {list}",
                file=file,
                example=next(iter(known)),
                list=one_of(list(known)),
            )
        else:
            name, settings = next(iter(known)), rest
        return Found(known[name], f"{self.files.written(path)}:{name}", settings)

    def knows(self, game: Game, text: str) -> bool:
        """Whether a text names an agent for this game, as far as can be said without running a file."""
        name, file = text.partition(":")[0], FILE_AGENT.fullmatch(text)
        if find_own(game, name) is not None or name in installed(AGENTS):
            return True
        try:
            return file is not None and self.files.find(file["file"]).is_file()
        except UserError:
            return False

    def made(self, of: Game, found: Found) -> Agent:
        """An agent of this kind with these settings."""
        kind, origin, rest = found
        require_suitable(of, found)
        if kind.reads is not None:
            source, text = self.file_or_text(rest, owner_of(origin))
            agent = kind.make(of, source=source, text=text)
        else:
            values = self.values_of(of, found)
            agent = kind.make(of, **values)
            agent.files_as_written = self.written_files(values, kind.settings_for(of))
        agent.origin = origin
        return agent

    def values_of(self, of: Game, found: Found) -> dict[str, Any]:
        """The values of all settings of an agent."""
        known, owner = self.settings_of(found.kind, of), owner_of(found.origin)
        given = find_files(parse_pairs(found.rest, owner, "parameter"), known, self.files)
        for name, text in given.items():
            if name in known and known[name].names_agent(text):
                given[name] = self.agent_within(of, text)
        return read_settings(given, known, owner, "parameter")

    def agent_within(self, of: Game, text: str) -> str:
        """The text of an agent that another one is made with, without the brackets round it.

        Refused if it could not sit down by itself. It is made later, and would not be kept from other files then: so
        it names none where not every file may be opened.
        """
        if text.startswith("(") and text.endswith(")"):
            text = text[1:-1]
        written_so = self.character(of, text).text
        kind, origin, rest = self.find_kind(of, text)
        known = kind.settings_for(of)
        language = kind.reads is not None
        pairs = {} if language else parse_pairs(rest, owner_of(origin), "parameter")
        files = any(known[name].names_file(value) for name, value in pairs.items())
        files = files or FILE_AGENT.fullmatch(origin) is not None or (language and rest.lstrip().startswith("@"))
        if files and not isinstance(self.files, AnyFile):
            raise UserError("an agent within another names no file here, as {text} does", text=repr(text))
        return written_so

    def written_files(self, values: Mapping[str, Any], known: Mapping[str, Setting]) -> dict[str, str]:
        """The files among these values as they are written here."""
        return {
            name: self.files.written(Path(value)) for name, value in values.items() if known[name].names_file(value)
        }

    def settings_of(self, kind: AgentKind, of: Game) -> Mapping[str, Setting]:
        """The settings of a kind of agent, as they are offered here."""
        known = kind.settings_for(of)
        return {name: each.for_strangers() for name, each in known.items()} if self.strangers else known

    def file_or_text(self, source: str, owner: str) -> tuple[str, str]:
        """What an agent with a language of its own is given, and that text: itself, or what `@FILE` holds."""
        if not source.strip():
            raise UserError("{owner} needs a text after the colon, or @FILE", owner=owner)
        if not source.lstrip().startswith("@"):
            return source, source
        path = self.files.find(source.lstrip()[1:])
        try:
            return f"@{self.files.written(path)}", path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else Text("it is not text")
            raise UserError("{path} cannot be read: {why}", path=path, why=reason) from None

    def champion(self, of: Game) -> str:
        """A strong agent for this game: the one it names, or the search that suits it."""
        if named := of.extra(Opponents, Opponents()).champion:
            return named
        for text in SUITABLE:
            kind = find_general(text.partition(":")[0])
            if kind is not None and not kind.refuses(of):
                return text
        return random.name

    def opponents(self, of: Game) -> tuple[Opponent, ...]:
        """Whom people may choose to play with, the weakest first: those that the game names, or the two extremes."""
        beginner = Opponent(Text("Beginner"), random.name, Text("any move that the rules allow, at random"))
        champion = self.champion(of)
        levels = tuple(of.extra(Opponents, Opponents()).levels)
        if levels or champion == random.name:
            return levels or (beginner,)
        return beginner, Opponent(Text("Strong"), champion, Text("the best player that this game has"))

    def usual_opponent(self, of: Game) -> str:
        """Whom people meet unless they choose: the second of the levels, whom somebody who learns the game can beat.

        Where people play together it is the champion, for a partner cannot be too good.
        """
        levels = self.opponents(of)
        if of.utility == "cooperative" or of.players < 2 or len(levels) < 2:
            return self.champion(of)
        return levels[1].agent

    def next_opponent(self, of: Game, text: str) -> Opponent | None:
        """The next stronger level after an agent, if it is one of them and not the last."""
        levels = self.opponents(of)
        agents = [level.agent for level in levels]
        place = agents.index(text) + 1 if text in agents and of.utility != "cooperative" else len(levels)
        return levels[place] if place < len(levels) else None


EVERYTHING = Resolver(AnyFile())
games, game, definition = EVERYTHING.games, EVERYTHING.game, EVERYTHING.definition
agents, agent, champion = EVERYTHING.agents, EVERYTHING.agent, EVERYTHING.champion
opponents, game_of_record = EVERYTHING.opponents, EVERYTHING.game_of_record
usual_opponent, next_opponent = EVERYTHING.usual_opponent, EVERYTHING.next_opponent


def record_format(data: object) -> RecordFormat | None:
    """The form of others in which a record is written, if a game of the package knows it."""
    for name in own_games():
        for form in definition(name).extra(RecordFormats, RecordFormats({})).loaded().values():
            if form.recognises(data):
                found: RecordFormat | None = form
                return found
    return None


# ---- games of the package, and from files


@cache
def own_games() -> tuple[str, ...]:
    """The games of the package."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(import_module(GAMES).__path__)))


def game_in(thing: object, name: str) -> Game:
    """A game that was loaded: itself, or the GAME of a module."""
    found = getattr(thing, "GAME", None) if isinstance(thing, ModuleType) else thing
    if not isinstance(found, Game):
        raise UserError("{name} defines no GAME", name=name)
    return found


def game_of_file(path: Path, contents: str, bounded: bool = False) -> Game:
    """The game of a file with these contents; `bounded`: only if all such games have room in memory."""

    def make() -> Game:
        try:
            made: Game = load(READERS[path.suffix])(path)
        except OSError as error:
            raise UserError("{path} cannot be read: {why}", path=path, why=error.strerror or error) from None
        return replace(made, origin=replace(made.origin, contents=contents))

    return FILE_GAMES.get((path, contents), make, bounded)


@lru_cache(maxsize=LIBRARIES_REMEMBERED)
def game_of_library(library: str, text: str) -> Game:
    made: Game = load(LIBRARIES[library])(text)
    return made


def game_of_python_file(path: Path) -> Game:
    return game_in(load_module(path), path.name)


def is_game_file(path: Path) -> bool:
    """Whether a file is meant to be a game; a Python file is looked at, not run."""
    if path.suffix != ".py":
        return path.suffix in READERS
    return re.search(r"^GAME\b", path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE) is not None


# ---- kinds of agents


def find_own(of: Game, name: str) -> AgentKind | None:
    """A kind of agent that comes with the game or with the package."""
    name = of.extra(FormerNames, FormerNames({})).agents.get(name, name)
    return of.agents.get(name) or (random if name == random.name else find_general(name))


@cache
def find_general(name: str) -> type[Agent] | None:
    """The agent of this name that knows no particular game."""
    place = general_table().get(name)
    return None if place is None else load(place)


def general_agents() -> dict[str, type[Agent]]:
    """The agents of the package that know no particular game, by name."""
    return {name: load(place) for name, place in general_table().items()}


def general_table() -> dict[str, str]:
    """Where they are."""
    return {name: place for package in GENERAL for name, place in import_module(package).AGENTS.items()}


def kinds_in(module: ModuleType) -> dict[str, AgentKind]:
    """The agents that a module defines itself, by their names in it."""
    return {
        name: thing for name, thing in vars(module).items() if is_kind(thing) and thing.__module__ == module.__name__
    }


def is_kind(thing: object) -> bool:
    return isinstance(thing, Policy) or (isclass(thing) and issubclass(thing, Agent) and thing is not Agent)


def require_suitable(of: Game, found: Found) -> None:
    """Refuse an agent that cannot play this game."""
    reason = found.kind.refuses(of)
    if reason:
        raise UserError("{owner} cannot play {game}: {why}", owner=owner_of(found.origin), game=of.name, why=reason)


def owner_of(origin: str) -> str:
    """A kind of agent as people are told of it: without the folder of its file."""
    return origin.rpartition(os.sep)[2]


def kind_of(agent: Agent) -> AgentKind:
    return agent.policy if type(agent) is PolicyAgent else type(agent)


def origin_of(agent: Agent) -> str:
    """By what text the kind of an agent is found that was made in Python; empty if by none."""
    kind = kind_of(agent)
    if find_own(agent.game, agent.name) is kind:
        return agent.name
    module = sys.modules.get(kind.__module__)
    if module is None or module.__name__ == "__main__" or not getattr(module, "__file__", None):
        return ""
    for name, other in kinds_in(module).items():
        if other is kind:
            return f"{Path(str(module.__file__)).resolve()}:{name}"
    return ""


def text_of(agent: Agent) -> str:
    """The text by which another process finds an equal agent, or a UserError: there is none."""
    text, kind = str(agent), kind_of(agent)
    advice = "write its class into a file of its own and name it FILE.py:CLASS"
    if not agent.origin:
        raise UserError(
            "{text} was made in {kind}, where no other process finds it: {advice}",
            text=text,
            kind=kind.__module__,
            advice=advice,
        )
    try:
        again = EVERYTHING.agent(agent.game, text)
    except UserError as error:
        raise UserError("another process cannot make {text} again: {error}", text=text, error=error) from None
    if again.values != agent.values or parameters_of(again) != parameters_of(agent):
        raise UserError(
            "{text} is not all that this agent is, so that no other process can make it: {advice}",
            text=text,
            advice=advice,
        )
    return text


def parameters_of(agent: Agent) -> bytes:
    return agent.parameters.tobytes() if isinstance(agent, PolicyAgent) else b""


def text_of_game(of: Game) -> str:
    """The text by which another process finds this game, or a UserError: there is none."""
    if of.origin.outside or (of.name in own_games() and definition(of.name).rules is of.rules):
        return of.origin.spec
    module = sys.modules.get(of.rules.deal.plain.__module__)
    file = getattr(module, "__file__", None)
    if module is not None and module.__name__ != "__main__" and file and getattr(module, "GAME", None) is not None:
        if module.GAME.rules is of.rules:
            return str(Path(file).resolve())
    raise UserError(
        "{name} was defined where no other process finds it: write it, as GAME, into a file of its own", name=of.name
    )


def game_again(text: str, rules: str, options: Mapping[str, Any], given: frozenset[str]) -> Game:
    """The game that was pickled."""
    found = EVERYTHING.found_again(text, rules or None)
    return found if not options and not given else replace(found.with_options(options), _given=given)


def agent_again(of: Game, text: str) -> Agent:
    """The agent that was pickled."""
    return EVERYTHING.agent(of, text)


def contents_of(agent: Agent) -> dict[str, str]:
    """What is in the files that an agent comes from or is given, by the path or the name of the setting."""
    file = FILE_AGENT.fullmatch(agent.origin)
    own = {} if file is None else {file["file"]: fingerprint(file["file"])}
    if isinstance(agent, PolicyAgent) and agent.policy.reads is not None:
        return own
    return {**own, **fingerprints(agent.values, agent.settings)}


# ---- what is named by text


@cache
def installed(group: str) -> Mapping[str, EntryPoint]:
    """What installed packages offer under this word, by name."""
    return {point.name: point for point in entry_points(group=group)}


def load_installed(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        raise UserError(
            "{name} ({place}) cannot be loaded: {kind}: {error}",
            name=point.name,
            place=point.value,
            kind=type(error).__name__,
            error=error,
        ) from error


def installed_agents() -> dict[str, AgentKind]:
    """The agents of installed packages; whoever asks for one that cannot be loaded is told so."""
    found = {}
    for name in installed(AGENTS):
        with suppress(UserError):
            found[name] = find_installed(name)
    return found


def find_installed(name: str) -> AgentKind:
    """An agent of an installed package."""
    found = load_installed(installed(AGENTS)[name])
    if not is_kind(found):
        raise UserError("{name} ({value}) is no agent", name=name, value=installed(AGENTS)[name].value)
    result: AgentKind = found
    return result
