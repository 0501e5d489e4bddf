"""How hiddenhand compiles: Numba's set-up and where compiled code is kept.

A cached caller does not notice that a function it calls in another file was edited. The cache directory is
therefore named after a hash of every source file that compiled code can come from: an edit means a new, empty
directory. The layers above (lab, cli, web) hold no compiled code and nothing below imports them, so they are left
out of the hash.

Set NUMBA_DISABLE_JIT=1 to run everything as plain Python, NUMBA_BOUNDSCHECK=1 to check every array index.
"""

import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
WITHOUT_COMPILED_CODE = {"lab", "cli", "web"}
DIRECTORIES_KEPT = 8


def source_hash() -> str:
    """A short name for the present text of all sources that compiled code can come from."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        part = path.relative_to(PACKAGE)
        if part.parts[0] not in WITHOUT_COMPILED_CODE:
            digest.update(str(part).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory() -> Path:
    """Where compiled code of exactly these sources is kept; made if it is missing, old ones removed."""
    base = os.environ.get("HIDDENHAND_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else ""
    name = f"compiled-{source_hash()}{checked}"
    for home in (Path(base) / "hiddenhand", Path(tempfile.gettempdir()) / f"hiddenhand-{os.getuid()}"):
        directory = home / name
        try:
            if not directory.exists():
                directory.mkdir(parents=True, exist_ok=True)
                remove_old(home)
            if os.access(directory, os.W_OK):
                return directory
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="hiddenhand-"))


def remove_old(home: Path) -> None:
    """Keep only the directories used most recently."""
    directories = sorted(home.glob("compiled-*"), key=lambda d: d.stat().st_mtime, reverse=True)
    for directory in directories[DIRECTORIES_KEPT:]:
        shutil.rmtree(directory, ignore_errors=True)


os.environ["NUMBA_CACHE_DIR"] = str(cache_directory())

import numba  # noqa: E402  (the cache directory must be named first)

numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]  # for the case that numba was imported before us
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")

COMPILED = not numba.config.DISABLE_JIT


def compiled(function: Callable[..., Any], signature: Any = None) -> Any:
    """Compile `function`: at its first call, or at once where a signature is given."""
    options = {"cache": True, "nogil": True, "error_model": "numpy"}
    if signature is None or not COMPILED:
        return numba.njit(**options)(function)
    return numba.njit(signature, **options)(function)


def rule(function: Callable[..., Any]) -> Any:
    """Mark a function as a rule of a game, or as a part of one: it is compiled at its first call."""
    return compiled(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A rule so small, and called so often, that it is compiled into each of its callers."""
    return numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)(function)
