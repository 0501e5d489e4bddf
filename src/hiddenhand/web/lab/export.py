"""Experiments as tables that a spreadsheet reads: what came of them, and their curves."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from hiddenhand.web.schemas.lab import Experiment, Sent, TournamentReport

Row = dict[str, Any]


def table_of(experiment: Experiment) -> list[Row]:
    """One row for each agent or opponent; where there is neither, one row."""
    result = experiment.result
    if result is None:
        return []
    if isinstance(result, TournamentReport):
        return [
            {
                **flat(agent),
                **{f"against {other.agent}": cell and cell.mean for other, cell in zip(result.agents, row)},
            }
            for agent, row in zip(result.agents, result.cross)
        ]
    for many in ("seats", "tests"):
        if hasattr(result, many):
            return [flat(each) for each in getattr(result, many)]
    return [flat(result)]


def flat(thing: Sent) -> Row:
    """Its numbers and texts; the two ends of an interval by themselves."""
    row: Row = {}
    for name, value in thing.model_dump().items():
        if isinstance(value, tuple):
            row |= {f"{name}_low": value[0], f"{name}_high": value[1]}
        elif not isinstance(value, (dict, list)):
            row[name] = value
    return row


def curves_of(experiment: Experiment) -> list[Row]:
    """One row for each point."""
    return [
        {"curve": curve.name, curve.across: step, curve.upwards: value, "ci95_low": low, "ci95_high": high}
        for curve in experiment.curves
        for step, value, low, high in curve.points
    ]


def as_csv(rows: Sequence[Row]) -> str:
    """A header and the rows. What a spreadsheet would take for a formula is marked as text."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(map(harmless, names))
    writer.writerows([harmless(row.get(name)) for name in names] for row in rows)
    return written.getvalue()


def harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
