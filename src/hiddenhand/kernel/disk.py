"""Where compiled code is kept between processes: one small file for each function and the types of its arguments."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 400_000_000
KEPT = 0.7
"""When the directory is too large, what was not used for longest goes, until this share of it is left."""
SUFFIX = ".code"


def cache_directory() -> Path:
    """The directory for compiled code; made if it is missing, a temporary one if it cannot be made."""
    chosen = os.environ.get("HIDDENHAND_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    person = os.environ.get("USER") or os.environ.get("USERNAME") or "anyone"
    for home in (Path(chosen) / "hiddenhand", Path(tempfile.gettempdir()) / f"hiddenhand-{person}"):
        with suppress(OSError):
            directory = home / "compiled"
            directory.mkdir(parents=True, exist_ok=True)
            if os.access(directory, os.W_OK):
                return directory
    return Path(tempfile.mkdtemp(prefix="hiddenhand-"))


class Disk:
    """Compiled code by key."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.written = 0

    def path(self, key: str) -> Path:
        return self.directory / f"{key}{SUFFIX}"

    def read(self, key: str) -> bytes | None:
        path = self.path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)  # so that what is used is kept
        return data

    def has(self, key: str) -> bool:
        return self.path(key).exists()

    def write(self, key: str, data: bytes) -> None:
        """Put it there whole or not at all; a full disk costs time later, and is no error."""
        with suppress(OSError):
            handle, name = tempfile.mkstemp(dir=self.directory, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, self.path(key))
            self.written += 1
            if self.written % 64 == 1:
                self.tidy()

    def remove(self, key: str) -> None:
        with suppress(OSError):
            self.path(key).unlink()

    def tidy(self) -> None:
        """Keep the directory within bounds."""
        files = [(path, path.stat()) for path in self.directory.glob(f"*{SUFFIX}")]
        total = sum(status.st_size for _, status in files)
        if total <= MOST_BYTES:
            return
        for path, status in sorted(files, key=lambda file: file[1].st_mtime):
            with suppress(OSError):
                path.unlink()
            total -= status.st_size
            if total <= KEPT * MOST_BYTES:
                return
