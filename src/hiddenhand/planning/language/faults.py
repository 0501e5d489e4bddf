"""Faults: mistakes in a file, each with the file, the line and the column where it stands."""

from hiddenhand.core.errors import UserError
from hiddenhand.planning.language.syntax import Place


class Fault(UserError):
    """One mistake, as `FILE:LINE:COLUMN: what is wrong`."""

    def __init__(self, file: str, place: Place, message: str) -> None:
        super().__init__(f"{file}:{place.line}:{place.column}: {message}")
        self.file = file
        self.place = place
        self.message = message
