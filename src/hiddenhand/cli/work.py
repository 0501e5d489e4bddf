"""Long work: a command for each kind, `match`, `train`, `evolve` and the like.

Until a command is given, no more is known of it than its summary; `work_command` makes it of the plan of its kind.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand

from hiddenhand.lab.work_names import work_names

PRECALCULATE = "precalculate"
"""It belongs to `svarog`."""


class LazyCommand(TyperCommand):
    """A command that is made when somebody gives it."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        from hiddenhand.cli.work_command import work_command

        return work_command(str(self.name)).make_context(info_name, args, parent, **extra)


def add_command(app: typer.Typer, name: str) -> None:
    """Add the command of a kind of work."""
    app.command(name, cls=LazyCommand, help=work_names()[name].summary)(lambda: None)


def register(app: typer.Typer) -> None:
    """All kinds of work that are no part of another family of commands."""
    for name in work_names():
        if name != PRECALCULATE:
            add_command(app, name)
