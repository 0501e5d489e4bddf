"""Policies: agents as compiled functions.

In a game's file:

    @policy("always takes the middle if it can")
    def centre(view, seat, actions, memory, parameters, rng):
        ...
        return actions[0]

    @centre.explains
    def reasons(view, action, parameters): ...      # plain Python: a list of sentences, or a Decision
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hiddenhand.core.settings import Setting
from hiddenhand.kernel import rule

if TYPE_CHECKING:
    import numpy as np

    from hiddenhand.core.decision import Decision
    from hiddenhand.core.game import Game
    from hiddenhand.core.view import View

Explanation = Callable[["View", int, "np.ndarray[Any, Any]"], "list[str] | Decision"]
Knowledge = Callable[["Game"], "np.ndarray[Any, Any]"]
Reader = Callable[["Game", str], "np.ndarray[Any, Any]"]


class Policy:
    """A compiled function that decides, with its name and its settings.

    The settings are passed to it as floats, in order; a choice among words as the place of the word.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        summary: str,
        settings: Mapping[str, Setting],
        memory: int,
        cheats: bool,
        knowledge: Knowledge | None,
        reads: Reader | None = None,
        example: str = "",
    ) -> None:
        self.name = function.__name__
        self.function = function
        self.compiled = rule(function)
        self.summary = summary
        self.settings = dict(settings)
        self.memory = memory
        self.cheats = cheats
        self.knowledge = knowledge
        self.reads = reads
        self.example = example
        self.explanation: Explanation | None = None

    def explains(self, function: Explanation) -> Explanation:
        """Decorate the function that says why this policy chose an action: f(view, action, parameters).

        It returns sentences, or a whole Decision (for that very action) where it has values and beliefs to show.
        """
        self.explanation = function
        return function


def policy(
    summary: str,
    *,
    settings: Mapping[str, Setting] | None = None,
    memory: int = 0,
    cheats: bool = False,
    knowledge: Knowledge | None = None,
    reads: Reader | None = None,
    example: str = "",
) -> Callable[[Callable[..., Any]], Policy]:
    """Declare a compiled agent.

    memory      how many int64 it keeps during a game
    cheats      it sees the state
    knowledge   gives the numbers it has learned, which follow its settings in `parameters`
    reads       its text is not settings but a language of its own: turns what follows the colon into `parameters`
    example     with `reads`: a text that it can read, in the game's usual options
    """
    return lambda function: Policy(function, summary, settings or {}, memory, cheats, knowledge, reads, example)
