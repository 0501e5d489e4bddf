"""What the results of all work have in common: how they are shown, and that they become data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hiddenhand.core import html
from hiddenhand.lab.curves import Curve
from hiddenhand.lab.frames import Columns, columns_of, to_frame
from hiddenhand.lab.line_chart import line_chart


class LabResult:
    """The result of some work. A subclass says what came of it in a line (`headline`) and in full (`str`)."""

    def headline(self) -> str:
        return str(self).partition("\n")[0]

    def progress_curves(self) -> Sequence[Curve]:
        """The curves that show how the work went."""
        return []

    def columns(self) -> Columns:
        """What `to_frame` tabulates: the points of the curves, each with its 95 % interval."""
        points = [(curve.name, point) for curve in self.progress_curves() for point in curve.points]
        return columns_of([{"curve": str(name), **point._asdict()} for name, point in points])

    def to_frame(self) -> Any:
        """The result as a DataFrame of pandas or Polars, whichever is installed."""
        return to_frame(self.columns())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline()}>"

    def _repr_html_(self) -> str:
        return html.fragment(self.headline(), *self._html_parts())

    def _html_parts(self) -> list[str]:
        """What a notebook shows below the headline."""
        return [html.preformatted(str(self)), line_chart(self.progress_curves())]
