"""The gallery: figures and reports that lie in one folder, as `hiddenhand reproduce` writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

KINDS = {
    ".png": "picture",
    ".svg": "picture",
    ".html": "report",
    ".md": "text",
    ".txt": "text",
    ".csv": "table",
    ".json": "table",
}
MOST = 500
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""What lies there is shown; nothing in it is run."""


def exhibits(folder: Path | None) -> list[dict[str, Any]]:
    """What there is to see, in the order of names."""
    found: list[dict[str, Any]] = []
    if folder is None or not folder.is_dir():
        return found
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in KINDS and len(found) < MOST and inside(folder, path):
            name = path.relative_to(folder).as_posix()
            title = path.stem.replace("_", " ").replace("-", " ")
            kind, size = KINDS[path.suffix], path.stat().st_size
            found.append(
                {"name": name, "title": title, "kind": kind, "href": f"/api/lab/gallery/{name}", "size": size}
            )
    return found


def find(folder: Path | None, name: str) -> Path | None:
    """The file of an exhibit; None for anything that is not one."""
    if folder is None:
        return None
    path = folder / name
    return path if path.suffix in KINDS and inside(folder, path) and path.is_file() else None


def inside(folder: Path, path: Path) -> bool:
    """Whether a file lies in the folder, links followed, and nothing on the way is hidden."""
    try:
        part = path.resolve().relative_to(folder.resolve())
    except (OSError, ValueError):
        return False
    return not any(name.startswith(".") for name in part.parts)
