"""Game: the rules of a game together with its options and what a person needs to read it.

The last statement of a game's file is `GAME = define(globals(), ...)`: the rules are found by their names, and so are
ten optional plain Python functions:

    action_name(s, action)     the text of an action ("e4", "bet"); left out: its number
    show(view, seat)           the screen of a seat as text; left out: the fields of the view
    configure(s, options)      fills the option fields of a blank state; left out: each option its own field
    heard(s, action, seat)     what a seat is told when this action is played, if anything; left out: its name,
                               or only that somebody moved in a game with hidden information
    news(before, after, seat)  sentences on what a move did that its name does not say, as far as the seat may know
                               (in `heard` and `news`, seat -1 only watches and may know what everybody knows)
    meaning(word)              what a word of the game means, such as the text of a card; empty if it means nothing
    open_table(s, views, agents)   the open table of the test bench as text, from the state, one View a seat, and the
                               agents by seat (people have none); left out: every seat's screen
    arrange(s, cards)          deals these cards in this order instead of shuffling, for games recorded elsewhere;
                               refuses a list that is no deal with a UserError
    adapt(options)             fields of the Game that the options decide, as a dict
    conserved(s)               something that no move may change, such as the cards; checked by the conformance suite
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core.policy import Policy
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.kernel import Rules, bind, new_records
from hiddenhand.kernel.loop import play_games

if TYPE_CHECKING:
    from hiddenhand.core.agent import Agent
    from hiddenhand.core.table import Table
    from hiddenhand.core.view import View

PACKAGE = Path(__file__).resolve().parent.parent
UTILITIES = ("zero-sum", "general", "cooperative")


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
    chance: bool
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
    configure: Callable[[Any, Mapping[str, Any]], None] | None = None
    heard: Callable[[Any, int, int], str] | None = None
    news: Callable[[Any, Any, int], list[str]] | None = None
    meaning: Callable[[str], str] | None = None
    arrange: Callable[[Any, list[int]], None] | None = None
    adapt: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    conserved: Callable[[Any], Any] | None = None
    open_table: Callable[[Any, list[View], Mapping[int, Agent]], str] | None = None
    champion: str = ""
    draws: bool = False
    """Whether moves themselves draw at random; where chance only moves by outcomes of its own, they do not."""
    sides: int = 0
    """How many sides oppose each other; 0: every player is its own."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    agents: Mapping[str, type[Agent]] = field(default_factory=dict)
    """The game's own agents that are not compiled policies."""
    about: str = ""
    source: str = ""
    """The file that it comes from, or its name among installed packages; empty for a game of the package."""
    contents: str = ""
    """What is in that file, as a short hash."""

    def __repr__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"Game({self.name}{options})"

    @property
    def players(self) -> int:
        return int(self.options.get("players", self.most_players))

    @property
    def partners(self) -> bool:
        """Whether some players play together against others."""
        return 0 < self.sides < self.players

    @property
    def spec(self) -> str:
        """What the resolver finds this game by: its name, or its file if it lives outside the package."""
        return self.source or self.name

    def with_options(self, given: Mapping[str, Any]) -> Game:
        """The same game with these options, checked; the others keep their present values."""
        chosen = read_settings({**self.options, **given}, self.settings, self.name, "option")
        game = replace(self, options=chosen, **(self.adapt(chosen) if self.adapt else {}))
        game.blank()  # an option that `configure` refuses is refused here and now
        return game

    def blank(self) -> Any:
        """Records[1]: a state before the deal, with the options filled in."""
        blank = new_records(self.state, 1)
        if self.configure is not None:
            self.configure(blank[0], self.options)
        else:
            for name, value in self.options.items():
                blank[0][name] = value
        return blank

    def deal(self, seed: int = 0, rolls: bool = True) -> Table:
        """A table at which a new game has been dealt. `rolls`: chance moves by itself."""
        from hiddenhand.core.table import Table

        return Table(self, seed, rolls=rolls)

    def bind(self, algorithm: Any) -> Any:
        """An algorithm of the kernel or of a search, compiled for this game."""
        return bind(algorithm, self.rules)

    def loop(self) -> Any:
        """The match loop for this game."""
        return bind(play_games, self.rules)

    def text(self, s: Any, action: int) -> str:
        """An action as a person writes it."""
        return str(action) if self.action_name is None else self.action_name(s, int(action))

    def screen(self, view: Any, seat: int) -> str:
        """What a seat sees, as text."""
        if self.show is not None:
            return self.show(view, seat)
        names = [n for n in view.dtype.names if n != "padding"]
        return "\n".join(f"{name}: {np.asarray(view[name]).tolist()}" for name in names)

    def describe(self) -> dict[str, Any]:
        """What `hiddenhand games --json` says of this game."""
        return {
            "name": self.name,
            "title": self.title,
            "version": self.version,
            "players": [self.fewest_players, self.most_players],
            "information": "hidden" if self.hidden else "perfect",
            "chance": self.chance,
            "utility": self.utility,
            "options": {
                name: {"default": setting.default, "allowed": setting.allowed(), "help": setting.help}
                for name, setting in self.settings.items()
            },
            "agents": sorted({**self.agents, **self.policies}),
        }


def define(
    names: Mapping[str, Any],
    *,
    title: str,
    state: np.dtype[Any],
    most_actions: int,
    longest: int,
    players: int | tuple[int, int] = 2,
    view: np.dtype[Any] | None = None,
    hidden: bool = False,
    chance: bool = False,
    utility: str = "zero-sum",
    options: Mapping[str, Setting] | None = None,
    **details: Any,
) -> Game:
    """Make a game of the functions in `names` (a module's `globals()`).

    most_actions   the most legal actions, or outcomes of chance, in any state
    longest        no game has more plies than this
    payoffs        (lowest, highest) payoff of any seat; EVAL stays within it too
    depth          the cut-off depth that search uses unless told otherwise
    metrics        names of what `measure` writes
    draws          whether `play` uses randomness: searches that need every outcome of chance as a move then refuse
    sides          2 where partners play together (and a rule `side` says who with whom)
    champion       the agent that people meet unless they ask for another
    agents         the game's own Python agents, by name
    """
    if utility not in UTILITIES:
        raise TypeError(f"utility is one of {UTILITIES}, not {utility!r}")
    file = Path(names["__file__"]).resolve()
    name = file.parent.name if file.stem == "__init__" else file.stem
    inside = file.is_relative_to(PACKAGE)
    key = name if inside else f"{name}-{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
    fewest, most = (players, players) if isinstance(players, int) else players
    settings = dict(options or {})
    if fewest != most and "players" not in settings and "adapt" not in names:
        settings["players"] = Setting(fewest, "how many play", low=fewest, high=most)
    game = Game(
        name=name,
        title=title,
        rules=Rules(key, names),
        state=state,
        view=state if view is None else view,
        most_players=most,
        fewest_players=fewest,
        hidden=hidden,
        chance=chance,
        utility=utility,
        most_actions=most_actions,
        longest=longest,
        settings=settings,
        options={name: setting.default for name, setting in settings.items()},
        action_name=names.get("action_name"),
        show=names.get("show"),
        configure=names.get("configure"),
        heard=names.get("heard"),
        news=names.get("news"),
        meaning=names.get("meaning"),
        arrange=names.get("arrange"),
        adapt=names.get("adapt"),
        conserved=names.get("conserved"),
        open_table=names.get("open_table"),
        policies={thing.name: thing for thing in names.values() if isinstance(thing, Policy)},
        about=(names.get("__doc__") or "").strip(),
        source="" if inside else str(file),
        **details,
    )
    return game
