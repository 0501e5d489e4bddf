"""Where compiled code is kept between processes: one small file for each function and the types of its arguments.

What lies there is run, so it must be ours: the directory is read only if nobody else could have written into it, and
a file only if it is whole and lies under its own name.
"""

import os
import shutil
import stat
import sys
import tempfile
from atexit import register as at_exit
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

MOST_BYTES = 400_000_000
KEPT = 0.7
"""When the directory is too large, what was not used for longest goes, until this share of it is left."""
SUFFIX = ".code"
NOWHERE = Path(os.devnull) / "nowhere"
"""Where nothing can be read or written."""
DIGEST = 16
"""Bytes at the beginning of a file, by which a damaged one is known, and one that belongs under another name."""


def cache_directory() -> Path:
    """The directory for compiled code; made if it is missing. If none is safe, a new one for this process alone."""
    for home in homes():
        with suppress(OSError):
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            directory = home / "compiled"
            directory.mkdir(mode=0o700, exist_ok=True)
            if safe(home) and safe(directory) and os.access(directory, os.W_OK):
                return directory
    print(
        "hiddenhand: compiled code is not kept: the cache directory must be yours, writable and closed to others "
        "(HIDDENHAND_CACHE names another)",
        file=sys.stderr,
    )
    try:
        private = Path(tempfile.mkdtemp(prefix="hiddenhand-"))
    except OSError:
        return NOWHERE
    at_exit(shutil.rmtree, private, ignore_errors=True)
    return private


def homes() -> Iterator[Path]:
    """Where the directory may be."""
    chosen = os.environ.get("HIDDENHAND_CACHE") or os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # somebody without a home
        yield Path(chosen or Path.home() / ".cache") / "hiddenhand"
    person = os.environ.get("USER") or os.environ.get("USERNAME") or "anyone"
    with suppress(OSError):
        yield Path(tempfile.gettempdir()) / f"hiddenhand-{person}"


def safe(directory: Path) -> bool:
    """Whether a directory is ours, and no other user can put files into it or another directory into its place.

    One that was open to others is closed, and emptied of what they may have put there.
    """
    if not hasattr(os, "getuid"):  # Windows: a user's folders are closed to others
        return True
    me, status = os.getuid(), directory.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != me:
        return False
    for parent in directory.resolve().parents:
        above = parent.stat()
        replaceable = above.st_mode & stat.S_IWOTH and not above.st_mode & stat.S_ISVTX
        if above.st_uid not in (0, me) or replaceable:
            return False
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        directory.chmod(0o700)
        for path in directory.glob(f"*{SUFFIX}"):
            path.unlink()
    return True


class Disk:
    """Compiled code by key."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.written = 0

    def path(self, key: str) -> Path:
        return self.directory / f"{key}{SUFFIX}"

    def read(self, key: str) -> bytes | None:
        """What was written there; None if there is nothing, or nothing whole."""
        path = self.path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        data = content[DIGEST:]
        if content[:DIGEST] != digest(key, data):
            self.remove(key)
            return None
        with suppress(OSError):
            os.utime(path)  # so that what is used is kept
        return data

    def has(self, key: str) -> bool:
        return self.path(key).exists()

    def write(self, key: str, data: bytes) -> None:
        """Put it there whole or not at all; a full disk costs time later, and is no error."""
        with suppress(OSError):
            write_whole(self.path(key), digest(key, data) + data)
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


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically: a reader finds either the whole file or none."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def digest(key: str, data: bytes) -> bytes:
    return blake2b(key.encode() + b"\0" + data, digest_size=DIGEST).digest()
