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
    adapt(options)             fields of the Game that the options decide, as a dict
    outcome(s)                 why the game ended as it did, in a few words, once it is over ("three in a row")
    refusal(s, action)         why the seat to move may not play this action now ("the column is full"), from what it
                               knows alone; empty if it may. `all_actions` says which there are: 0 up to that number
    analysis(view, seat)       what can be said of a position from a seat's view, as sentences
    conserved(s)               something that no move may change, such as the cards; checked by the conformance suite
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.features import Features, evaluation
from hiddenhand.core.game_validation import PEOPLE, RULES, by_name, nearest, read_chance, require
from hiddenhand.core.opponents import Opponent
from hiddenhand.core.picture import Picture, plain_text
from hiddenhand.core.policy import Policy
from hiddenhand.core.positions import LONGEST, POSITION
from hiddenhand.core.positions import SETTING as POSITION_SETTING
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.core.text import Text
from hiddenhand.core.view import record_to_json
from hiddenhand.guides import ENGLISH, glossary, guide
from hiddenhand.kernel import Rules, bind, new_records
from hiddenhand.kernel.loop import nothing, play_games, ply_seed
from hiddenhand.kernel.records import numbers_in
from hiddenhand.kernel.rng import split
from hiddenhand.kernel.rule import Rule
from hiddenhand.kernel.vector_step import has_outcomes, no, yes

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.table import Table
    from hiddenhand.core.view import View


Declared = Mapping[str, Any] | str
"""Things by name. Text stands for what is loaded when it is asked for, `module:name`: one thing, or all of them."""


class Move(NamedTuple):
    """A move that can be made, as a screen offers it."""

    action: int
    text: str
    verb: str
    objects: list[str]


@dataclass(frozen=True, eq=False)
class Game:
    """A game with its options chosen."""

    name: str
    title: str
    rules: Rules
    state: np.dtype[Any]
    view: np.dtype[Any]
    most_players: int
    fewest_players: int
    hidden: bool
    chance_in: tuple[str, ...]
    """Where chance has a part: in the "deal", which is shuffled or drawn; in "outcomes", moves of its own; in
    "draws", moves of the players that draw at random."""
    utility: str
    most_actions: int
    longest: int
    version: int = 1
    payoffs: tuple[float, float] = (-1.0, 1.0)
    depth: int = 4
    settings: Mapping[str, Setting] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    action_name: Callable[[Any, int], str] | None = None
    show: Callable[[Any, int], str] | None = None
    picture: Callable[[Any, int], Picture] | None = None
    open_picture: Callable[[Any, int], Picture] | None = None
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
    all_actions: int = 0
    """How many actions there are, legal or not, for which `refusal` has a reason."""
    features: Features | None = None
    """What EVAL counts, if the game says so by name."""
    champion: str = ""
    finisher: str = ""
    reviewer: str = ""
    advisers: Mapping[str, str] = field(default_factory=dict)
    """Who gives advice beside partners of a kind, where that is not the kind itself."""
    opponents: tuple[Opponent, ...] = ()
    """Whom people may choose to play with, the weakest first; where there are none, see `Resolver.opponents`."""
    blanked: tuple[str, ...] = ()
    """Where the view has the type of the state: the fields that `observe` blanks."""
    encoded_length: int = 0
    """How many numbers the rule `encode` writes."""
    encoded_bits: bool = False
    """Whether all of them are 0 or 1."""
    encoded_groups: Mapping[str, Any] = field(default_factory=dict)
    """The places of those that are about one thing, by what that is in words: what an explanation is made of."""
    sides: int = 0
    """How many sides oppose each other; 0: every player is its own."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    agents: Mapping[str, type[Agent]] = field(default_factory=dict)
    """The game's own agents that are not compiled policies."""
    former_agents: Mapping[str, str] = field(default_factory=dict)
    """Agents that had other names, then and now; records of that time still have them."""
    learners: Declared = field(default_factory=dict)
    """Who learns this game, by name (see `lab.training`)."""
    models: Declared = field(default_factory=dict)
    """What can be evolved for this game, by name (see `learning.evolution`)."""
    trained_networks: str = ""
    """The folder of the networks that come with this game: `network2.npz` for two players (the agent `network`)."""
    chance_name: str = "chance"
    """What people call the moves of chance, such as dice."""
    experience: str = ""
    """What gathers experience with opponents, game by game, as `module:name` (see `Experience` of snaps)."""
    formats: Declared = field(default_factory=dict)
    """Forms of others in which records are read and written, by name: each a `RecordFormat`."""
    network: str = ""
    """What reads a network that judges positions, as `module:name`: a function of the path; empty for its own."""
    endgames: str = ""
    """What makes its tables of endgames, as `module:name` (see `lab.endgames`)."""
    about: str = ""
    source: str = ""
    """The file that it comes from, or its name among installed packages; empty for a game of the package."""
    contents: str = ""
    """What is in that file, as a short hash."""
    given: frozenset[str] = frozenset()
    """The options that somebody chose; the others have their defaults."""

    def __repr__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"Game({self.name}{options})"

    @property
    def players(self) -> int:
        return int(self.options.get("players", self.most_players))

    @property
    def action_count(self) -> int:
        """How many actions there are, legal or not: all are below this number."""
        return self.all_actions or self.most_actions

    @property
    def chance(self) -> bool:
        """Whether chance has any part in the game: a shuffle is chance too."""
        return bool(self.chance_in)

    @property
    def shuffles(self) -> bool:
        """Whether one deal differs from another."""
        return "deal" in self.chance_in

    @property
    def outcomes(self) -> bool:
        """Whether chance has moves of its own, which a search can go through."""
        return "outcomes" in self.chance_in

    @property
    def draws(self) -> bool:
        """Whether moves of the players themselves draw at random, which no search can go through."""
        return "draws" in self.chance_in

    @property
    def partners(self) -> bool:
        """Whether some players play together against others."""
        return 0 < self.sides < self.players

    @property
    def guide(self) -> str:
        """How to play, for somebody who never has: the package's own guide, or what the game says about itself."""
        return self.guide_in(ENGLISH)

    def guide_in(self, language: str) -> str:
        """The same in another language, as far as it has been written."""
        return (not self.source and guide(self.name, language)) or self.about

    @property
    def summary(self) -> str:
        """The first paragraph of what the game says about itself, as a text."""
        return Text(" ".join(self.about.partition("\n\n")[0].split()).replace("{", "{{").replace("}", "}}"))

    def explains(self, word: str) -> str:
        """What a word of the game means, by its guide or by the game's own `meaning`; empty if it means nothing."""
        words = {known.lower(): meaning for known, meaning in glossary(self.guide).items()}
        told = words.get(" ".join(word.lower().split()), "")
        return told or (self.meaning(word) if self.meaning is not None else "")

    @property
    def spec(self) -> str:
        """What the resolver finds this game by: its name, or its file if it lives outside the package."""
        return self.source or self.name

    def with_options(self, given: Mapping[str, Any]) -> Game:
        """The same game with these options, checked; the others keep their present values.

        A preset sets the options that are not given beside it.
        """
        preset: dict[str, Any] = {}
        for name in given:
            if name in self.settings and (presets := self.settings[name].presets):
                preset |= presets[
                    self.settings[name].read(
                        given[name], Text("option {name} of {owner}", name=name, owner=self.name)
                    )
                ]
        chosen = read_settings({**self.options, **preset, **given}, self.settings, self.name, "option")
        chosen = {name: value for name, value in chosen.items() if not self.settings[name].presets}
        if not chosen.get(POSITION):
            chosen.pop(POSITION, None)
        adapted = self.adapt(chosen) if self.adapt else {}
        game = replace(self, options=chosen, given=self.given | set(given), **adapted)
        require(game)
        game.blank()  # an option that `configure` refuses is refused here and now
        return game

    def for_players(self, count: int) -> Game:
        """The same game for so many players, where the option `players` is not given: the agents are its count."""
        if "players" not in self.settings or "players" in self.given:
            return self
        if not self.fewest_players <= count <= self.most_players:
            raise UserError(
                Text.plural(
                    "{game} is for {low} to {high} players, but {n} agent was given",
                    "{game} is for {low} to {high} players, but {n} agents were given",
                    n=count,
                    game=self.name,
                    low=self.fewest_players,
                    high=self.most_players,
                )
            )
        return self.with_options({"players": count})

    def blank(self) -> Any:
        """Records[1]: a state before the deal, with the options filled in."""
        blank = new_records(self.state, 1)
        if self.configure is not None:
            self.configure(blank[0], self.options)
        else:
            for name, value in self.options.items():
                if name != POSITION:
                    blank[0][name] = value
        if self.set_up is not None and POSITION in self.options:
            text = self.options[POSITION]
            if len(text) > LONGEST:
                raise UserError(
                    Text(
                        "a position is written in {longest} letters at most, not in {n}", longest=LONGEST, n=len(text)
                    )
                )
            self.set_up(blank[0], text)
        return blank

    def deal(self, seed: int = 0, rolls: bool = True) -> Table:
        """A table at which a new game has been dealt. `rolls`: chance moves by itself."""
        from hiddenhand.core.table import Table

        return Table(self, seed, rolls=rolls)

    @property
    def uncompiled(self) -> bool:
        """Whether its rules are run by Python alone."""
        return self.rules.uncompiled

    def bind(self, algorithm: Any, plugs: Mapping[Any, Any] | None = None) -> Any:
        """An algorithm of the kernel or of a search for this game, compiled if its rules can be."""
        return bind(algorithm, self.rules, plugs)

    def loop(self) -> Any:
        """The match loop for this game."""
        return self.bind(play_games, self.plies_drawn)

    def stepper(self, algorithm: Any) -> Any:
        """`work_on` or `work_on_games` for this game (see `kernel/vector_step.py`)."""
        return bind(algorithm, self.rules, {**self.plies_drawn, has_outcomes: yes if self.outcomes else no})

    @property
    def plies_drawn(self) -> dict[Any, Any]:
        """Where chance only deals, plies go without seeds."""
        return {ply_seed: split if self.draws or self.outcomes else nothing}

    def text(self, s: Any, action: int) -> str:
        """An action as a person writes it."""
        return str(action) if self.action_name is None else self.action_name(s, int(action))

    def screen(self, view: Any, seat: int) -> str:
        """What a seat sees, as text."""
        if self.show is not None:
            return self.show(view, seat)
        return "\n".join(f"{name}: {value}" for name, value in record_to_json(view).items())

    def drawn(self, view: Any, seat: int) -> Picture:
        """What a screen draws of what a seat sees."""
        return {"screen": plain_text(self.screen(view, seat))} if self.picture is None else self.picture(view, seat)

    def drawn_openly(self, s: Any, seat: int) -> Picture:
        """What a screen draws when nothing is hidden any more, from a seat's side."""
        if self.open_picture is not None:
            return self.open_picture(s, seat)
        view = new_records(self.view, 1)[0]
        self.rules.observe(s, seat, view)
        return self.drawn(view, seat)

    def move(self, s: Any, action: int, seat: int) -> Move:
        """An action as a screen shows it to a seat."""
        verb, objects = ("", []) if self.verb_and_objects is None else self.verb_and_objects(s, action, seat)
        return Move(action, self.text(s, action), verb, objects)

    def encoded(self, view: Any, seat: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        """(encoded_length,) what a seat sees, as numbers for learners."""
        out = np.zeros(self.encoded_length)
        self.rules.encode(view, seat, out)
        return out

    def describe(self) -> dict[str, Any]:
        """What `hiddenhand games --json` says of this game."""
        return {
            "name": self.name,
            "title": self.title,
            "version": self.version,
            "players": [self.fewest_players, self.most_players],
            "information": "hidden" if self.hidden else "perfect",
            "chance": self.chance,
            "chance_in": list(self.chance_in),
            "utility": self.utility,
            "options": {
                name: {"default": setting.default, "allowed": setting.allowed(), "help": setting.help}
                for name, setting in self.settings.items()
            },
            "agents": sorted({**self.agents, **self.policies}),
        }


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
    blanked: Sequence[str] = (),
    people: Sequence[Callable[..., Any]] = (),
    policies: Sequence[Policy] = (),
    agents: Sequence[type[Agent]] = (),
    players: int | tuple[int, int] = 2,
    hidden: bool = False,
    chance: Sequence[str] = (),
    utility: str = "zero-sum",
    sides: int = 0,
    payoffs: tuple[float, float] = (-1.0, 1.0),
    options: Mapping[str, Setting] | None = None,
    metrics: Sequence[str] = (),
    encoded_length: int | None = None,
    encoded_bits: bool = False,
    encoded_groups: Mapping[str, Any] | None = None,
    depth: int = 4,
    champion: str = "",
    finisher: str = "",
    reviewer: str = "",
    advisers: Mapping[str, str] | None = None,
    opponents: Sequence[Opponent] = (),
    former_agents: Mapping[str, str] | None = None,
    all_actions: int = 0,
    features: Features | None = None,
    learners: Declared | None = None,
    models: Declared | None = None,
    formats: Declared | None = None,
    trained_networks: str = "",
    experience: str = "",
    chance_name: str = "chance",
    network: str = "",
    endgames: str = "",
    version: int = 1,
    **unknown: Any,
) -> Game:
    """Make a game of its rules and of what people need; refuse what the contract does not allow, with the reason.

    about          what the game is, and its rules in words: the file's `__doc__`
    rules, people  the functions of the contract, each known by its own name
    policies       the game's own agents that are compiled
    agents         the game's own Python agents
    hidden         whether somebody does not know everything; then `view`, `observe` and `redeal` are required
    blanked        the fields that `observe` blanks, where a hidden game's view has the type of its state
    chance         where chance has a part: "deal", "outcomes" (moves of its own), "draws" (players' moves draw)
    most_actions   the most legal actions, or outcomes of chance, in any state
    longest        no game has more plies than this
    payoffs        (lowest, highest) payoff of any seat; EVAL stays within it too
    sides          2 where partners play together (and a rule `side` says who with whom)
    metrics        names of what `measure` writes
    encoded_length how many numbers `encode` writes; encoded_bits: all of them are 0 or 1; encoded_groups: the places
                   of those that are about one thing, by what that is in words
    depth          the cut-off depth that search uses unless told otherwise
    champion       the agent that people meet unless they ask for another
    finisher       the compiled agent by which searches finish the games in their heads; left out: by `likely` moves
    reviewer       the agent that judges games afterwards, if that is another: a solver that looks at all cards, say
    advisers       who gives advice beside partners of a kind, where the kind itself is no good adviser
    opponents      whom people may choose to play with, the weakest first: names, agents, and what they do in words
    former_agents  agents that had other names, then and now
    all_actions    how many actions there are, legal or not: 0 up to that number; given together with `refusal`
    features       what EVAL counts, given together with the rule `features` and instead of `evaluate`
    learners       who learns the game, by name: classes, or where they are ("module:name"), loaded when asked for;
                   so are `models` (what can be evolved) and `formats` (records as others write them)
    trained_networks   the folder of networks that come with the game: network2.npz for two players, and so on
    experience     where that is which gathers experience with opponents: `module:name`
    chance_name    what people call the moves of chance, such as dice
    network        where that is which reads a network that judges positions, `module:name`; with the rule `judge`
    endgames       where that is which makes tables of endgames, `module:name`; given together with the rule `endgame`
    version        changes whenever the same actions would lead to another game
    """
    for word in unknown:
        known = [each for each in define.__annotations__ if each not in ("name", "unknown", "return")]
        raise TypeError(f"{word} is not an argument of define{nearest(word, known)}")
    fewest, most = (players, players) if isinstance(players, int) else players
    rule_of = by_name(rules, RULES, "a rule of the contract", {"people": PEOPLE})
    person = by_name(people, PEOPLE, "a function for people", {"rules": RULES})
    for function in rule_of.values():
        if not isinstance(function, Rule):
            raise TypeError(f"{function.__name__} is a rule and must be marked @rule")
    for each, given, words in (
        ("features", features is not None, "what they are (features=)"),
        ("judge", bool(network), "what reads the network (network=)"),
        ("endgame", bool(endgames), "what makes the tables (endgames=)"),
    ):
        if (each in rule_of) != given:
            raise TypeError(f"{name} must give the rule {each} and say {words}, or neither")
    if features is not None:
        if "evaluate" in rule_of:
            raise TypeError(f"{name} has features, of which EVAL is made: leave the rule evaluate out")
        rule_of["evaluate"] = evaluation(rule_of["features"], features)
    settings = {**(options or {}), **implied_settings(options or {}, (fewest, most), person)}
    game = Game(
        name=name,
        title=title,
        rules=Rules(name, rule_of),
        state=state,
        view=state if view is None else view,
        most_players=most,
        fewest_players=fewest,
        hidden=hidden,
        chance_in=read_chance(chance),
        utility=utility,
        most_actions=most_actions,
        longest=longest,
        version=version,
        payoffs=payoffs,
        depth=depth,
        settings=settings,
        options={key: each.default for key, each in settings.items() if not each.presets and key != POSITION},
        metrics=tuple(metrics),
        blanked=tuple(blanked),
        champion=champion,
        finisher=finisher,
        reviewer=reviewer,
        advisers=advisers or {},
        opponents=tuple(opponents),
        former_agents=former_agents or {},
        all_actions=all_actions,
        features=features,
        encoded_length=numbers_in(state if view is None else view) if encoded_length is None else encoded_length,
        encoded_bits=encoded_bits,
        encoded_groups=encoded_groups or {},
        sides=sides,
        policies={each.name: each for each in policies},
        agents={each.name: each for each in agents},
        learners=learners or {},
        models=models or {},
        formats=formats or {},
        trained_networks=trained_networks,
        experience=experience,
        chance_name=chance_name,
        network=network,
        endgames=endgames,
        about=(about or "").strip(),
        **person,
    )
    if ("encode" in rule_of) != (encoded_length is not None):
        raise TypeError(f"{name} must give the rule encode and encoded_length together, or neither")
    if encoded_bits and encoded_length is None:
        raise TypeError(f"{name} says encoded_bits=True but has no rule encode: leave it out")
    if view is not None and not hidden:
        raise TypeError(f"{name} has a view of its own but hides nothing: say hidden=True, or leave view out")
    if hidden and view is None:
        raise TypeError(f"{name} hides something but has no view type of its own: give view=record_type([...])")
    require(game)
    return game


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
