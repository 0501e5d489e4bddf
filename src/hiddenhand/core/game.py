"""Game: the rules of a game together with its options and what a person needs to read it.

The last statement of a game's file is `GAME = define("nim", rules=(deal, turn, ...), people=(show, ...), ...)`. Each
function is known by its own name. The rules are those of `kernel/contract.py`; `people` are plain Python functions,
all optional:

    action_name(s, action)     the text of an action ("e4", "bet"); left out: its number
    show(view, seat)           the screen of a seat as text; left out: the fields of the view
    picture(view, seat)        what a screen draws, as named data (`core/picture.py`); left out: the text of `show`
    open_picture(s, seat)      the same when nothing is hidden any more, from a seat's side; left out: that picture
    facts(s, seat)             what the hidden things of a seat's picture are in this state, by their names, so that
                               shares of worlds can be told: {"3 b2": "cruiser"}; left out: nothing is told
    verb_and_objects(s, action, seat)   what an action does, in a word, and the names of the things in the picture
                               that it is about, as far as the seat may know: ("mark", ["b2"]); left out: nothing
    configure(s, options)      fills the option fields of a blank state; left out: each option its own field
    heard(s, action, seat)     what a seat is told when this action is played, if anything; left out: its name,
                               or only that somebody moved in a game with hidden information
    news(before, after, seat)  sentences on what a move did that its name does not say, as far as the seat may know
                               (in `heard` and `news`, seat -1 only watches and may know what everybody knows)
    tells_nothing(s, action)   whether an action tells its mover nothing but that it was made, whatever is hidden, so
                               that it may be taken back; left out: no action, where something is hidden
    meaning(word)              what a word of the game means, such as the text of a card; empty if it means nothing
    open_table(s, views, agents)   the open table of the test bench as text, from the state, one View a seat, and the
                               agents by seat (people have none); left out: every seat's screen
    believed(view, agent)      all that an agent in the seat of a View believes, as text for the test bench; without
                               an agent (a person), what can be known
    shares(view, actions)      for each of these actions, in what share of the worlds that the seat of a View could
                               imagine it wins, for a review; empty where that cannot be said
    arrange(s, cards)          deals these cards in this order instead of shuffling, for games recorded elsewhere;
                               refuses a list that is no deal with a UserError
    set_up(s, text)            makes a blank state the position that a text describes, or refuses it with a UserError;
                               the rule `deal` must leave a state alone that was set up. The game then has an
                               option `position` (`core/positions.py`)
    written(s)                 the position as `set_up` reads it
    adapt(options)             arguments of `define` that the options decide, as a dict (such as payoffs and extras)
    outcome(s)                 why the game ended as it did, in a few words, once it is over ("three in a row")
    refusal(s, action)         why the seat to move may not play this action now ("the column is full"), from what it
                               knows alone; empty if it may. `all_actions` says which there are: 0 up to that number
    analysis(view, seat)       what can be said of a position from a seat's view, as sentences
    conserved(s)               something that no move may change, such as the cards; checked by the conformance suite
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload
from warnings import warn

import numpy as np

from hiddenhand.core import html
from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import Encoding, Metrics, SearchDefaults, Teams, of_former_arguments
from hiddenhand.core.features import Features, evaluation
from hiddenhand.core.game_validation import RULES, by_name, nearest, require, require_pairs
from hiddenhand.core.picture import Picture, plain_text
from hiddenhand.core.policy import Policy
from hiddenhand.core.positions import LONGEST, POSITION
from hiddenhand.core.positions import SETTING as POSITION_SETTING
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.core.text import Text
from hiddenhand.guides import ENGLISH, glossary, guide
from hiddenhand.kernel import Rules, new_records
from hiddenhand.kernel.loop import nothing, play_games, ply_seed
from hiddenhand.kernel.records import numbers_in, record_to_json
from hiddenhand.kernel.rng import split
from hiddenhand.kernel.rule import Rule
from hiddenhand.kernel.vector_step import has_outcomes, no, yes

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.table import Table
    from hiddenhand.core.view import View

E = TypeVar("E")
CHANCES = ("deal", "outcomes", "draws")


class Move(NamedTuple):
    """A move that can be made, as a screen offers it."""

    action: int
    text: str
    verb: str
    objects: list[str]


@dataclass(frozen=True)
class Chance:
    """Where chance has a part in a game; false where it has none."""

    where: Sequence[str] = ()
    """In the "deal", which is shuffled or drawn; in "outcomes", moves of its own; in "draws", moves of the players
    that draw at random."""
    name: str = "chance"
    """What people call the moves of chance, such as dice."""

    def __post_init__(self) -> None:
        words = self.where
        if isinstance(words, bool | str) or any(word not in CHANCES for word in words):
            raise TypeError(f"chance says where chance has a part, some of {CHANCES}; {words!r} does not")
        object.__setattr__(self, "where", tuple(word for word in CHANCES if word in words))

    def __bool__(self) -> bool:
        return bool(self.where)

    @property
    def deals(self) -> bool:
        """Whether one deal differs from another: a shuffle is chance too."""
        return "deal" in self.where

    @property
    def outcomes(self) -> bool:
        """Whether chance has moves of its own, which a search can go through."""
        return "outcomes" in self.where

    @property
    def draws(self) -> bool:
        """Whether moves of the players themselves draw at random, which no search can go through."""
        return "draws" in self.where


@dataclass(frozen=True)
class Origin:
    """Where a game comes from."""

    spec: str
    """What the resolver finds it by: its name, or its file if it lives outside the package."""
    outside: bool = False
    """Whether it comes from a file, another library or an installed package, not from this package."""
    contents: str = ""
    """What is in its file, as a short hash."""

    @property
    def name(self) -> str:
        """What records call it: its name, or that of its file, whatever the folder."""
        return PurePath(self.spec).name if self.contents else self.spec


@dataclass(frozen=True)
class People:
    """What a person needs of a game: plain functions, each by its name. The module's docstring says what they do.

    Those that have a plain default are always there; the others are None where the game leaves them out.
    """

    action_name: Callable[[Any, int], str]
    show: Callable[[Any, int], str]
    picture: Callable[[Any, int], Picture]
    open_picture: Callable[[Any, int], Picture]
    facts: Callable[[Any, int], dict[str, str]] | None = None
    verb_and_objects: Callable[[Any, int, int], tuple[str, list[str]]] | None = None
    configure: Callable[[Any, Mapping[str, Any]], None] | None = None
    heard: Callable[[Any, int, int], str] | None = None
    news: Callable[[Any, Any, int], list[str]] | None = None
    meaning: Callable[[str], str] | None = None
    arrange: Callable[[Any, list[int]], None] | None = None
    set_up: Callable[[Any, str], None] | None = None
    written: Callable[[Any], str] | None = None
    adapt: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    conserved: Callable[[Any], Any] | None = None
    open_table: Callable[[Any, list[View], Mapping[int, Agent]], str] | None = None
    believed: Callable[[View, Agent | None], str] | None = None
    shares: Callable[[View, Sequence[int]], list[float]] | None = None
    outcome: Callable[[Any], str] | None = None
    tells_nothing: Callable[[Any, int], bool] | None = None
    refusal: Callable[[Any, int], str] | None = None
    analysis: Callable[[Any, int], list[str]] | None = None

    def move(self, s: np.record, action: int, seat: int) -> Move:
        """An action as a screen shows it to a seat."""
        verb, objects = ("", []) if self.verb_and_objects is None else self.verb_and_objects(s, action, seat)
        return Move(action, self.action_name(s, action), verb, objects)


PEOPLE = tuple(each.name for each in fields(People))


def people_of(functions: Mapping[str, Callable[..., Any]], rules: Rules) -> People:
    """These functions, and plain ones for those that every game needs."""

    def show(view: np.record, seat: int) -> str:
        return "\n".join(f"{name}: {value}" for name, value in record_to_json(view).items())

    def picture(view: np.record, seat: int) -> Picture:
        return {"screen": plain_text(shown(view, seat))}

    def open_picture(s: np.record, seat: int) -> Picture:
        view = new_records(rules.view, 1)[0]
        rules.observe(s, seat, view)
        return drawn(view, seat)

    def action_name(s: np.record, action: int) -> str:
        return str(action)

    shown: Callable[[Any, int], str] = functions.get("show", show)
    drawn: Callable[[Any, int], Picture] = functions.get("picture", picture)
    plain: dict[str, Any] = {"action_name": action_name, "open_picture": open_picture}
    return People(**{**plain, **functions, "show": shown, "picture": drawn})


@dataclass(frozen=True, eq=False)
class Game:
    """A game with its options chosen."""

    name: str
    title: str
    about: str
    version: int
    origin: Origin
    rules: Rules
    people: People
    agents: Mapping[str, Policy | type[Agent]]
    """The game's own agents, by name."""
    hidden: bool
    chance: Chance
    utility: str
    payoffs: tuple[float, float]
    most_actions: int
    longest: int
    settings: Mapping[str, Setting]
    """Which options there are, by name."""
    options: Mapping[str, Any]
    """The options that were chosen."""
    _players: tuple[int, int]
    _extras: Mapping[type, Any] = field(default_factory=dict)
    _given: frozenset[str] = frozenset()
    """The options that somebody chose; the others have their defaults."""

    def __repr__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"Game({self.name}{options})"

    def __str__(self) -> str:
        """The name, and the options that are not as usual: `hanabi(players=3)`."""
        usual = {name: setting.default for name, setting in self.settings.items()}
        chosen = [f"{name}={value}" for name, value in self.options.items() if value != usual.get(name)]
        return self.name + (f"({', '.join(chosen)})" if chosen else "")

    def _repr_html_(self) -> str:
        few, many = self._players
        facts = {
            "players": str(self.players) if few == many or "players" in self._given else f"{few} to {many}",
            "information": "hidden" if self.hidden else "perfect",
            "chance": ", ".join(self.chance.where) or "none",
            "payoffs": f"{self.utility}, {self.payoffs[0]:+g} to {self.payoffs[1]:+g}",
            "agents of its own": ", ".join(sorted(self.agents)) or "none",
            **{name: str(value) for name, value in self.options.items()},
        }
        return html.fragment(f"{self.title}: {self}", html.paragraph(summary_of(self)), html.table((), facts.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled by what it is found by, so that it is the same game in another process."""
        from hiddenhand.core.resolver import game_again, text_of_game

        file = self.origin.contents and self.rules.key
        return game_again, (text_of_game(self), file, dict(self.options), self._given)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    @property
    def players(self) -> int:
        """How many play, or may play at most while that is not chosen."""
        return int(self.options.get("players", self._players[1]))

    @overload
    def extra(self, kind: type[E]) -> E | None: ...
    @overload
    def extra(self, kind: type[E], default: E) -> E: ...
    def extra(self, kind: type[E], default: E | None = None) -> E | None:
        """What the game declares of this type (see `core/extras.py`), or the default."""
        found: E | None = self._extras.get(kind, default)
        return found

    def with_options(self, given: Mapping[str, Any]) -> Game:
        """The same game with these options, checked; the others keep their present values.

        A preset sets the options that are not given beside it.
        """
        preset: dict[str, Any] = {}
        for name in given:
            if name in self.settings and (presets := self.settings[name].presets):
                owner = Text("option {name} of {owner}", name=name, owner=self.name)
                preset |= presets[self.settings[name].read(given[name], owner)]
        chosen = read_settings({**self.options, **preset, **given}, self.settings, self.name, "option")
        chosen = {name: value for name, value in chosen.items() if not self.settings[name].presets}
        if not chosen.get(POSITION):
            chosen.pop(POSITION, None)
        adapted = self.people.adapt(chosen) if self.people.adapt else {}
        game = replace(self, options=chosen, _given=self._given | set(given), **self._adapted(**adapted))
        require(game)
        blank_state(game)  # an option that `configure` refuses is refused here and now
        return game

    def _adapted(
        self,
        players: int | None = None,
        chance: Chance | Sequence[str] | None = None,
        metrics: Sequence[str] = (),
        extras: Iterable[Any] = (),
        **others: Any,
    ) -> dict[str, Any]:
        """The fields that stand for these arguments of `define`."""
        more = by_type([*extras, *([Metrics(tuple(metrics))] if metrics else [])])
        return {
            "_players": self._players if players is None else (players, players),
            "chance": self.chance if chance is None else chance_of(chance),
            "_extras": {**self._extras, **more},
            **others,
        }

    def deal(self, seed: int = 0, rolls: bool = True) -> Table:
        """A table at which a new game has been dealt. `rolls`: chance moves by itself."""
        from hiddenhand.core.table import Table

        return Table(self, seed, rolls=rolls)


# ---- what can be asked of a game


def player_counts(game: Game) -> tuple[int, int]:
    """How many may play it, at least and at most."""
    return game._players


def for_players(game: Game, count: int) -> Game:
    """The same game for so many players, where the option `players` is not given: the agents are its count."""
    if "players" not in game.settings or "players" in game._given:
        return game
    low, high = player_counts(game)
    if not low <= count <= high:
        raise UserError(
            Text.plural(
                "{game} is for {low} to {high} players, but {n} agent was given",
                "{game} is for {low} to {high} players, but {n} agents were given",
                n=count,
                game=game.name,
                low=low,
                high=high,
            )
        )
    return game.with_options({"players": count})


def blank_state(game: Game) -> np.recarray[Any, Any]:
    """Records[1]: a state before the deal, with the options filled in."""
    blank = new_records(game.rules.state, 1)
    if game.people.configure is not None:
        game.people.configure(blank[0], game.options)
    else:
        for name, value in game.options.items():
            if name != POSITION:
                blank[0][name] = value
    if game.people.set_up is not None and POSITION in game.options:
        text = game.options[POSITION]
        if len(text) > LONGEST:
            raise UserError(
                "a position is written in {longest} letters at most, not in {n}", longest=LONGEST, n=len(text)
            )
        game.people.set_up(blank[0], text)
    return blank


def encoding_of(game: Game) -> Encoding:
    """What learners see: what the rule `encode` writes, or all numbers of the view."""
    return game.extra(Encoding) or Encoding(numbers_in(game.rules.view))


def encoded(game: Game, view: np.record, seat: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(length of the encoding,) what a seat sees, as numbers for learners."""
    out = np.zeros(encoding_of(game).length)
    game.rules.encode(view, seat, out)
    return out


def sides_of(game: Game) -> int:
    """How many sides oppose each other; 0: every player is its own."""
    return game.extra(Teams, Teams(0)).sides


def has_partners(game: Game) -> bool:
    """Whether some players play together against others."""
    return 0 < sides_of(game) < game.players


def metrics_of(game: Game) -> tuple[str, ...]:
    """The names of what the rule `measure` writes."""
    return tuple(game.extra(Metrics, Metrics(())).names)


def search_defaults(game: Game) -> SearchDefaults:
    return game.extra(SearchDefaults, SearchDefaults())


def match_loop(game: Game) -> Any:
    """The compiled loop that plays whole games between compiled agents."""
    return game.rules.bind(play_games, seeds_drawn(game))


def stepper(game: Game, algorithm: Any) -> Any:
    """`work_on` or `work_on_games` for this game (see `kernel/vector_step.py`)."""
    return game.rules.bind(algorithm, {**seeds_drawn(game), has_outcomes: yes if game.chance.outcomes else no})


def seeds_drawn(game: Game) -> dict[Any, Any]:
    """Where chance only deals, plies go without seeds."""
    return {ply_seed: split if game.chance.draws or game.chance.outcomes else nothing}


def guide_of(game: Game, language: str = ENGLISH) -> str:
    """How to play, for somebody who never has, as far as it is written in a language: the package's own guide, or
    what the game says about itself."""
    return (not game.origin.outside and guide(game.name, language)) or game.about


def summary_of(game: Game) -> str:
    """The first paragraph of what the game says about itself, as a text."""
    return Text(" ".join(game.about.partition("\n\n")[0].split()).replace("{", "{{").replace("}", "}}"))


def meaning_of(game: Game, word: str) -> str:
    """What a word of the game means, by its guide or by the game's own `meaning`; empty if it means nothing."""
    words = {known.lower(): meaning for known, meaning in glossary(guide_of(game)).items()}
    told = words.get(" ".join(word.lower().split()), "")
    return told or (game.people.meaning(word) if game.people.meaning is not None else "")


def nameable_actions(game: Game) -> range:
    """Every action, legal or not, where the game has a name for each of them: where it says why they are refused."""
    return range(game.rules.action_count if game.people.refusal is not None else 0)


def given_options(game: Game) -> frozenset[str]:
    """The names of the options that somebody chose."""
    return game._given


# ---- making one


def define(  # noqa: PLR0913  (all that a game declares)
    name: str,
    *,
    title: str,
    state: np.dtype[Any],
    rules: Sequence[Callable[..., Any]],
    most_actions: int,
    longest: int,
    about: str | None = "",
    view: np.dtype[Any] | None = None,
    people: Sequence[Callable[..., Any]] = (),
    agents: Sequence[Policy | type[Agent]] = (),
    players: int | tuple[int, int] = 2,
    hidden: bool = False,
    chance: Chance | Sequence[str] = (),
    utility: str = "zero-sum",
    payoffs: tuple[float, float] = (-1.0, 1.0),
    options: Mapping[str, Setting] | None = None,
    metrics: Sequence[str] = (),
    all_actions: int = 0,
    version: int = 1,
    extras: Sequence[Any] = (),
    **unknown: Any,
) -> Game:
    """Make a game of its rules and of what people need; refuse what the contract does not allow, with the reason.

    about          what the game is, and its rules in words: the file's `__doc__`
    rules, people  the functions of the contract, each known by its own name
    agents         the game's own agents: compiled policies, and classes made of `Agent`
    hidden         whether somebody does not know everything; then `view`, `observe` and `redeal` are required
    chance         where chance has a part: "deal", "outcomes" (moves of its own), "draws" (players' moves draw)
    most_actions   the most legal actions, or outcomes of chance, in any state
    all_actions    how many actions there are, legal or not: 0 up to that number; given together with `refusal`
    longest        no game has more plies than this
    payoffs        (lowest, highest) payoff of any seat; EVAL stays within it too
    metrics        names of what `measure` writes
    version        changes whenever the same actions would lead to another game
    extras         what only some games have, one object of a type: whom people play with (`Opponents`), what learners
                   see (`Encoding`), what EVAL counts (`Features`), and so on: see `core/extras.py`
    """
    former = of_former_arguments(unknown)
    if "policies" in unknown or former:
        warn(f"{name}: some arguments of define are extras now; see hiddenhand.core.extras", stacklevel=2)
    for word in set(unknown) - {"policies", "chance_name"}:
        known = [each for each in define.__annotations__ if each not in ("name", "unknown", "return")]
        raise TypeError(f"{word} is not an argument of define{nearest(word, known)}")
    fewest, most = (players, players) if isinstance(players, int) else players
    rule_of = by_name(rules, RULES, "a rule of the contract", {"people": PEOPLE})
    person = by_name(people, PEOPLE, "a function for people", {"rules": RULES})
    for function in rule_of.values():
        if not isinstance(function, Rule):
            raise TypeError(f"{function.__name__} is a rule and must be marked @rule")
    extra = by_type([*extras, *former, *([Metrics(tuple(metrics))] if metrics else [])])
    require_pairs(name, rule_of, extra)
    features = extra.get(Features)
    if features is not None:
        rule_of["evaluate"] = evaluation(rule_of["features"], features)
    settings = {**(options or {}), **implied_settings(options or {}, (fewest, most), person)}
    compiled = Rules(name, rule_of, state, state if view is None else view, all_actions or most_actions)
    game = Game(
        name=name,
        title=title,
        about=(about or "").strip(),
        version=version,
        origin=Origin(name),
        rules=compiled,
        people=people_of(person, compiled),
        agents={each.name: each for each in (*unknown.get("policies", ()), *agents)},
        hidden=hidden,
        chance=Chance(chance_of(chance).where, unknown["chance_name"])
        if "chance_name" in unknown
        else chance_of(chance),
        utility=utility,
        payoffs=payoffs,
        most_actions=most_actions,
        longest=longest,
        settings=settings,
        options={key: each.default for key, each in settings.items() if not each.presets and key != POSITION},
        _players=(fewest, most),
        _extras=extra,
    )
    if view is not None and not hidden:
        raise TypeError(f"{name} has a view of its own but hides nothing: say hidden=True, or leave view out")
    if hidden and view is None:
        raise TypeError(f"{name} hides something but has no view type of its own: give view=record_type([...])")
    if ("refusal" in person) != (all_actions > 0):
        raise TypeError(
            f"{name} must give the function refusal and all_actions (how many there are) together, or neither"
        )
    require(game)
    return game


def chance_of(given: Chance | Sequence[str]) -> Chance:
    return given if isinstance(given, Chance) else Chance(given)


def by_type(extras: Iterable[Any]) -> dict[type, Any]:
    """Extras by their types, of which none is given twice."""
    found: dict[type, Any] = {}
    for each in extras:
        if isinstance(each, type) or type(each).__module__ == "builtins":
            raise TypeError(f"extras are objects such as Opponents(...), not {each!r}")
        if type(each) in found:
            raise TypeError(f"{type(each).__name__} is given twice among the extras")
        found[type(each)] = each
    return found


def implied_settings(
    options: Mapping[str, Setting], players: tuple[int, int], person: Mapping[str, Any]
) -> dict[str, Setting]:
    """The options that a game has without naming them: how many play, and where it begins."""
    fewest, most = players
    implied = {}
    if fewest != most and "players" not in options and "adapt" not in person:
        implied["players"] = Setting(fewest, Text("how many play"), low=fewest, high=most)
    if "set_up" in person:
        implied[POSITION] = POSITION_SETTING
    return implied
