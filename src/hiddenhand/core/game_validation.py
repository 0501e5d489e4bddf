"""What a game declares: which names there are, and what contradicts itself or the rules.

Secrecy fails closed: a game that hides something says what each seat sees and how to redeal the rest, or is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from hiddenhand.core.positions import POSITION
from hiddenhand.kernel import contract

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

UTILITIES = ("zero-sum", "general", "cooperative")
CHANCES = ("deal", "outcomes", "draws")
RULES = tuple(stub.__name__ for stub in (*contract.REQUIRED, *contract.OPTIONAL))
PEOPLE = (
    "action_name",
    "show",
    "picture",
    "open_picture",
    "facts",
    "verb_and_objects",
    "configure",
    "heard",
    "news",
    "meaning",
    "outcome",
    "refusal",
    "analysis",
    "tells_nothing",
    "open_table",
    "believed",
    "shares",
    "arrange",
    "set_up",
    "written",
    "adapt",
    "conserved",
)


def by_name(
    functions: Sequence[Any], allowed: Sequence[str], what: str, elsewhere: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """The functions by their names, all of which must be allowed ones."""
    if callable(functions) or isinstance(functions, Mapping):
        raise TypeError(f"the functions of a game are given in a row, such as (deal, turn), not as {functions!r}")
    found: dict[str, Any] = {}
    for function in functions:
        name = getattr(function, "__name__", repr(function))
        for place, names in elsewhere.items():
            if name in names:
                raise TypeError(f"{name} is not {what}: it belongs in {place}=(...)")
        if name not in allowed:
            raise TypeError(f"{name} is not {what}{nearest(name, allowed)}")
        if name in found:
            raise TypeError(f"{name} is given twice")
        found[name] = function
    return found


def nearest(word: str, names: Sequence[str]) -> str:
    """The nearest of these names as a question, or all of them."""
    near = get_close_matches(word, names, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(names)}"


def read_chance(words: Sequence[str]) -> tuple[str, ...]:
    if isinstance(words, bool | str) or any(word not in CHANCES for word in words):
        raise TypeError(f"chance says where chance has a part, some of {CHANCES}; {words!r} does not")
    return tuple(word for word in CHANCES if word in words)


def require(game: Game) -> None:
    """Raise TypeError if what a game declares contradicts itself or its rules."""
    fault = secrecy_fault(game) or chance_fault(game) or payoff_fault(game) or count_fault(game)
    if fault:
        raise TypeError(f"{game.name} {fault}")


def secrecy_fault(game: Game) -> str:
    """What is wrong with hiding; empty if nothing."""
    for name in ("observe", "redeal"):
        if game.hidden and name not in game.rules.given:
            return f"hides something but has no rule {name}"
        if not game.hidden and name in game.rules.given:
            return f"has a rule {name} but hides nothing: say hidden=True, or leave the rule out"
    if game.hidden and game.view == game.state and not game.blanked:
        return (
            "hides something but its view type is its state type: give it one of its own, or name the fields that "
            "observe blanks, blanked=(...)"
        )
    for name in game.blanked:
        if not game.hidden or game.view != game.state:
            return "names blanked fields, but its view type is not its state type: leave blanked out"
        if name not in (game.state.names or ()):
            return f"blanks {name}, which is no field of its state{nearest(name, game.state.names or ())}"
    return ""


def chance_fault(game: Game) -> str:
    given = "odds" in game.rules.given
    if game.outcomes and not given:
        return 'has outcomes of chance (chance=("outcomes",)) but no rule odds to say how likely they are'
    if given and not game.outcomes and game.adapt is None:
        return 'has a rule odds but no outcomes of chance: say chance=("outcomes",), or leave the rule out'
    return ""


def payoff_fault(game: Game) -> str:
    low, high = game.payoffs
    if game.utility not in UTILITIES:
        return f"says utility={game.utility!r}, which is none of {UTILITIES}"
    if low > high:
        return f"says payoffs={game.payoffs}: the lowest comes first"
    if game.utility == "zero-sum" and game.most_players == 1:
        return "is zero-sum but for one player: say utility='general'"
    if game.utility == "zero-sum" and not low <= 0.0 <= high:
        return f"is zero-sum but says payoffs={game.payoffs}: what one wins another loses"
    if game.utility == "cooperative" and game.sides:
        return "is cooperative but has sides: all win and lose together"
    if game.sides and "side" not in game.rules.given:
        return f"has {game.sides} sides but no rule side to say who plays for which"
    if "side" in game.rules.given and not 2 <= game.sides <= game.most_players:
        return f"has a rule side but says sides={game.sides}: give a number from 2 to {game.most_players}"
    return ""


def count_fault(game: Game) -> str:
    if not 1 <= game.fewest_players <= game.most_players:
        return f"is for {game.fewest_players} to {game.most_players} players, which is nobody"
    for word in ("most_actions", "longest", "encoded_length"):
        if getattr(game, word) < 1:
            return f"says {word}={getattr(game, word)}: it must be at least 1"
    if bool(game.metrics) != ("measure" in game.rules.given):
        lacks = "a rule measure but no metrics" if not game.metrics else "metrics but no rule measure"
        return f"has {lacks}: give both or neither"
    if (game.refusal is not None) != (game.all_actions > 0):
        return "must give the function refusal and all_actions (how many there are) together, or neither"
    for name in game.settings:
        if game.configure is None and name != POSITION and name not in (game.state.names or ()):
            return f"has an option {name} but its state has no such field, and no configure says what the option does"
    return ""
