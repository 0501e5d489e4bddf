"""What can go wrong through somebody's input: one clear line, never a traceback on the command line."""

from collections.abc import Sequence

from hiddenhand.core.text import Text, Value, text_of


class UserError(Exception):
    """Says in one line what was wrong and what is allowed: a text, or the template and the values of one.

    raise UserError("{name} has no value {value}", name="door", value="ajar")
    """

    def __init__(self, message: str = "", /, **values: Value) -> None:
        super().__init__(text_of(message, values))

    @property
    def text(self) -> str:
        """What is wrong, as a text that can be rendered if it was made of one."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class TextFault(UserError):
    """A mistake in a text that somebody wrote, with the line and the column where it stands, counted from 1.

    `told` is the whole line for whoever reads nothing else; `message` says what is wrong, without the place.
    """

    def __init__(self, told: str, line: int, column: int, message: str) -> None:
        super().__init__(told)
        self.line, self.column, self.message = line, column, message

    @classmethod
    def in_file(cls, file: str, line: int, column: int, message: str) -> "TextFault":
        """A mistake at `FILE, line 3, column 12`."""
        told = Text("{file}, line {line}, column {column}: {what}", file=file, line=line, column=column, what=message)
        return TextFault(told, line, column, message)


class IllegalAction(UserError):
    """An action that the rules do not allow here; the state is untouched."""


class RefusedAction(IllegalAction):
    """An action of the game that is not legal now, with the game's reason."""


class Forfeit(UserError):
    """An agent cannot go on, and says why: where a game is played to its end, its side loses it."""


class RecordError(UserError):
    """A record that cannot be read, or that the rules contradict."""


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """The line and the column of a place in a text, both counted from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def one_of(names: Sequence[str], most: int = 24) -> str:
    """A readable list of what is allowed."""
    shown = Text.joined(", ", names[:most])
    return shown if len(names) <= most else Text("{names}, ... ({n} in all)", names=shown, n=len(names))


def did_you_mean(word: str, names: list[str]) -> str:
    """The nearest allowed name as a question, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(word, names, n=1)
    return Text(" (did you mean {name}?)", name=near[0]) if near else ""
