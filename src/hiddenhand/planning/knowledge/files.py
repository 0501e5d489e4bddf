"""Knowledge files: precalculated knowledge written and read, as text (`knowledge_text`) or compact."""

from __future__ import annotations

from pathlib import Path

from hiddenhand.core.errors import UserError
from hiddenhand.planning.knowledge.blocks import Knowledge
from hiddenhand.planning.knowledge.compact import from_bytes, to_bytes
from hiddenhand.planning.knowledge.text import from_text, whole_text
from hiddenhand.planning.world import World


def write(path: str | Path, world: World, knowledge: Knowledge, compact: bool = False) -> None:
    """Write a file: compact, or the whole specification as text with the knowledge in it."""
    content = to_bytes(world, knowledge) if compact else whole_text(world, knowledge).encode()
    try:
        Path(path).expanduser().write_bytes(content)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror or error}") from None


def read(path: str | Path, world: World) -> list[Knowledge]:
    """All knowledge sections of a file of either form; a compact file has one."""
    try:
        content = Path(path).expanduser().read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from None
    if content[:2] == b"PK":
        return [from_bytes(world, content, str(path))]
    try:
        return from_text(world, content.decode(), str(path))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is neither text nor compact knowledge: byte {error.start} is no UTF-8") from None
