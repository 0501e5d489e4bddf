"""Texts that visitors brought: kept in a folder of the server's, where its resolver finds them from then on.

A text lies under a name made of its contents, `svarog/0f3a.../river.svarog`, and is a game by the name
`0f3a.../river.svarog` for whoever knows it. The folder is bounded: when it is full, texts that no table needs go, the
oldest first.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from hiddenhand.core.text import Text
from hiddenhand.kernel.disk_cache import write_whole
from hiddenhand.web.errors import NotSaved

DIGITS = 16
"""How many digits of the hash are in a name: enough that nobody guesses the name of somebody else's text."""
NAME = re.compile(rf"\b[0-9a-f]{{{DIGITS}}}/")
"""How the name of a text begins as a game."""


class UploadStore:
    """The folder, with a folder for each kind that may be brought.

    most, most_bytes    how many texts may lie there, and how large they are together
    """

    def __init__(self, folder: Path, kinds: Iterable[str], most: int, most_bytes: int) -> None:
        self.folder, self.most, self.most_bytes = folder, most, most_bytes
        self.folders = [folder / kind for kind in kinds]
        for each in self.folders:
            each.mkdir(mode=0o700, parents=True, exist_ok=True)

    def path(self, kind: str, name: str, text: str) -> Path:
        """The path under which a text of this kind is kept."""
        digest = hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
        return self.folder / kind / digest / f"{'_'.join(name.split())}.{kind}"

    def full(self, size: int) -> bool:
        """Whether a text of so many bytes has no room unless another is removed."""
        sizes = [path.stat().st_size for path in self.all()]
        return len(sizes) >= self.most or sum(sizes) + size > self.most_bytes

    def keep(self, path: Path, text: str, used: Collection[str]) -> str:
        """Put a text where it belongs; its name as a game. `used`: the names that tables need."""
        data = text.encode()
        try:
            if path.exists():
                os.utime(path)
            else:
                self.make_room(len(data), used)
                path.parent.mkdir(mode=0o700, exist_ok=True)
                write_whole(path, data)
        except OSError as error:
            raise NotSaved(Text("the server cannot keep this text ({why})", why=error.strerror or error)) from None
        return game_name(path)

    def make_room(self, size: int, used: Collection[str]) -> None:
        """Remove texts that nobody needs, the oldest first, until so many bytes have room."""
        unused = [path for path in self.all() if game_name(path) not in used]
        for path in sorted(unused, key=lambda path: path.stat().st_mtime):
            if not self.full(size):
                return
            with suppress(OSError):
                path.unlink()
                path.parent.rmdir()
        if self.full(size):
            raise NotSaved(Text("this server keeps as many texts of visitors as it can; tables need all of them"))

    def all(self) -> list[Path]:
        """Every text, of kinds that may not be brought any more too."""
        return [path for path in self.folder.glob("*/*/*") if not path.name.endswith(".part")]


def game_name(path: Path) -> str:
    """The name under which the resolver finds a text as a game."""
    return f"{path.parent.name}/{path.name}"
