"""What visitors may bring: texts of these kinds, as far as the server's owner allows. Nothing in them is run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from hiddenhand.core.errors import UserError, did_you_mean, one_of
from hiddenhand.core.text import Text
from hiddenhand.web.errors import Forbidden

Kind = Literal["svarog", "pomdp", "tree", "menu", "record", "hanab.live"]
KINDS: tuple[Kind, ...] = get_args(Kind)
GAMES: tuple[Kind, ...] = ("svarog", "pomdp", "tree")
"""Those that are games, each by the ending of its files."""
NONE = "none"


def read_kinds(text: str) -> tuple[Kind, ...]:
    """The kinds that `svarog,tree` names, or none of them."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    if words == [NONE]:
        return ()
    for word in words:
        if word not in KINDS:
            names = [*KINDS, NONE]
            raise UserError(
                "nobody can bring {word}{suggestion}; kinds: {kinds}",
                word=repr(word),
                suggestion=did_you_mean(word, names),
                kinds=one_of(names),
            )
    if not words:
        raise UserError("say what visitors may bring: {kinds}", kinds=one_of([*KINDS, NONE]))
    return tuple(kind for kind in KINDS if kind in words)


def require_allowed(kind: str, allowed: Sequence[str]) -> None:
    """Refuse what the server's owner does not let visitors bring."""
    if kind not in allowed:
        raise Forbidden(
            Text("this server takes no {kind} from visitors; its owner decides that (serve --bring)", kind=kind)
        )
