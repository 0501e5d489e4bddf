"""What a game declares: which names there are, and what contradicts itself or the rules.

Secrecy fails closed: a game that hides something says what each seat sees and how to redeal the rest, or is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from hiddenhand.core.extras import Blanked, Encoding, EndgameTables, Metrics, PrivateFields, SearchDefaults, Teams
from hiddenhand.core.features import Features
from hiddenhand.core.positions import POSITION
from hiddenhand.kernel import contract

if TYPE_CHECKING:
    from hiddenhand.core.game import Game

UTILITIES = ("zero-sum", "general", "cooperative")
RULES = tuple(stub.__name__ for stub in (*contract.REQUIRED, *contract.OPTIONAL))


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


def require_pairs(name: str, rules: Mapping[str, Any], extras: Mapping[type, Any]) -> None:
    """Raise TypeError if a rule is given without the extra that belongs to it, or the extra without its rule."""
    for rule, given, words in (
        ("features", Features in extras, "what they are (Features)"),
        ("encode", Encoding in extras, "how many numbers it writes (Encoding)"),
        (
            "judge",
            bool(extras.get(SearchDefaults, SearchDefaults()).network),
            "what reads the network (SearchDefaults)",
        ),
        ("endgame", EndgameTables in extras, "what makes the tables (EndgameTables)"),
    ):
        if (rule in rules) != given:
            raise TypeError(f"{name} must give the rule {rule} and say {words}, or neither")
    if Features in extras and "evaluate" in rules:
        raise TypeError(f"{name} has features, of which EVAL is made: leave the rule evaluate out")


def require(game: Game) -> None:
    """Raise TypeError if what a game declares contradicts itself or its rules."""
    fault = secrecy_fault(game) or chance_fault(game) or payoff_fault(game) or count_fault(game)
    if fault:
        raise TypeError(f"{game.name} {fault}")


def secrecy_fault(game: Game) -> str:
    """What is wrong with hiding; empty if nothing."""
    given, state, same = game.rules.given, game.rules.state, game.rules.view == game.rules.state
    blanked = game.extra(Blanked, Blanked(())).fields
    for name in ("observe", "redeal"):
        if game.hidden and name not in given:
            return f"hides something but has no rule {name}"
        if not game.hidden and name in given:
            return f"has a rule {name} but hides nothing: say hidden=True, or leave the rule out"
    if game.hidden and same and not blanked:
        return (
            "hides something but its view type is its state type: give it one of its own, or name the fields that "
            "observe blanks, extras=(Blanked([...]),)"
        )
    for name in blanked:
        if not game.hidden or not same:
            return "names blanked fields, but its view type is not its state type: leave Blanked out"
        if name not in (state.names or ()):
            return f"blanks {name}, which is no field of its state{nearest(name, state.names or ())}"
    for name in game.extra(PrivateFields, PrivateFields(())).names:
        if name not in (state.names or ()):
            return f"says that {name} is private, which is no field of its state{nearest(name, state.names or ())}"
        if state[name].shape[:1] != (game._players[1],):
            return f"says that {name} is private, but the first dimension of that field does not count the seats"
    return ""


def chance_fault(game: Game) -> str:
    given = "odds" in game.rules.given
    if game.chance.outcomes and not given:
        return 'has outcomes of chance (chance=("outcomes",)) but no rule odds to say how likely they are'
    if given and not game.chance.outcomes and game.people.adapt is None:
        return 'has a rule odds but no outcomes of chance: say chance=("outcomes",), or leave the rule out'
    return ""


def payoff_fault(game: Game) -> str:
    low, high = game.payoffs
    most = game._players[1]
    sides = game.extra(Teams, Teams(0)).sides
    if game.utility not in UTILITIES:
        return f"says utility={game.utility!r}, which is none of {UTILITIES}"
    if low > high:
        return f"says payoffs={game.payoffs}: the lowest comes first"
    if game.utility == "zero-sum" and most == 1:
        return "is zero-sum but for one player: say utility='general'"
    if game.utility == "zero-sum" and not low <= 0.0 <= high:
        return f"is zero-sum but says payoffs={game.payoffs}: what one wins another loses"
    if game.utility == "cooperative" and sides:
        return "is cooperative but has sides: all win and lose together"
    if sides and "side" not in game.rules.given:
        return f"has {sides} sides but no rule side to say who plays for which"
    if "side" in game.rules.given and not 2 <= sides <= most:
        return f"has a rule side but {sides} sides: give Teams(n) with a number from 2 to {most}"
    return ""


def count_fault(game: Game) -> str:
    fewest, most = game._players
    if not 1 <= fewest <= most:
        return f"is for {fewest} to {most} players, which is nobody"
    for word, value in (
        ("most_actions", game.most_actions),
        ("longest", game.longest),
        ("Encoding.length", game.extra(Encoding, Encoding(1)).length),
    ):
        if value < 1:
            return f"says {word}={value}: it must be at least 1"
    if (Metrics in game._extras) != ("measure" in game.rules.given):
        lacks = "metrics but no rule measure" if Metrics in game._extras else "a rule measure but no metrics"
        return f"has {lacks}: give both or neither"
    for name in game.settings:
        if game.people.configure is None and name != POSITION and name not in (game.rules.state.names or ()):
            return f"has an option {name} but its state has no such field, and no configure says what the option does"
    return ""
