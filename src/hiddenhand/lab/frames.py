"""Results as data frames and Parquet files, with the library that is installed: pandas or Polars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError

Columns = Mapping[str, Any]
"""By name, lists or arrays of one length."""

ADVICE = 'pip install "hiddenhand[frames]"'


def to_frame(columns: Columns) -> Any:
    """A DataFrame of pandas, or of Polars where only that is installed."""
    for library in ("pandas", "polars"):
        if find_spec(library):
            return import_module(library).DataFrame(dict(columns))
    raise UserError("a data frame needs pandas or Polars: {advice}", advice=ADVICE)


def require_parquet() -> None:
    """Refuse, before any work, to write a file that no installed library could write."""
    if not any(find_spec(library) for library in ("pyarrow", "polars")):
        raise UserError("a Parquet file needs PyArrow or Polars: {advice}", advice=ADVICE)


def write_parquet(columns: Columns, path: str | Path) -> None:
    """A Parquet file, written by PyArrow, or by Polars where only that is installed."""
    require_parquet()
    try:
        if find_spec("pyarrow"):
            import pyarrow
            from pyarrow import parquet

            parquet.write_table(pyarrow.table(dict(columns)), str(path))
        else:
            import polars

            polars.DataFrame(dict(columns)).write_parquet(path)
    except OSError as error:
        raise UserError("cannot write {path}: {error}", path=path, error=error.strerror or error) from None


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The columns of a table that is given row by row; what a row has not is None."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}
