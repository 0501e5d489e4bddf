"""What commands print: results on stdout, complaints on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hiddenhand.core.errors import UserError


def print_json(document: Any) -> None:
    """Exactly one JSON document on stdout."""
    print(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False))


def write_file(path: Path, text: str) -> None:
    """Write a file, or say in one line why it cannot be written."""
    try:
        path.expanduser().write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror or error}") from None


def complain(message: str, status: int, word: str = "error:") -> int:
    """One line on stderr; the exit status to end with."""
    print(word, " ".join(message.split()), file=sys.stderr)
    return status


def print_table(rows: Sequence[tuple[str, ...]], flush: str = "") -> None:
    """Rows in columns, flush left unless told otherwise."""
    from hiddenhand.lab.tables import in_columns

    print("\n".join(in_columns(rows, flush)))
