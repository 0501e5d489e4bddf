"""Files that a user brings: which of them may be opened, and Python files as modules."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import with_strings

MODULE = "hiddenhand_file_"
"""How the modules of users' files are called: this, the name of the file, and a hash of its contents."""

LOADING = threading.RLock()


def data_folder() -> Path:
    """The folder in which everything is kept that a user has not named a place for."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "hiddenhand"


class Files(Protocol):
    """Which files may be opened, and how they are written."""

    def find(self, text: str) -> Path:
        """The whole path of a file that is there and may be opened, or a UserError."""

    def written(self, path: Path) -> str:
        """How a file that was found is written, so that it is found again."""

    def told(self, text: str) -> str:
        """A sentence that may name files, for whoever asks: they are named there as `written` writes them."""

    def listed(self) -> list[str]:
        """The files that can be offered to whoever asks, as they write them."""

    def program(self, text: str) -> Path:
        """The whole path of a program that is there and may be run, or a UserError."""


class AnyFile:
    """For users at their own machine: every file, written as for any other command."""

    def find(self, text: str) -> Path:
        try:
            path = Path(text).expanduser().resolve()
            if path.is_file():
                return path
        except (OSError, ValueError, RuntimeError):  # such as a name that is too long
            pass
        raise UserError("there is no file {name}", name=text)

    def written(self, path: Path) -> str:
        return str(path)

    def told(self, text: str) -> str:
        return text

    def listed(self) -> list[str]:
        return []

    def program(self, text: str) -> Path:
        return self.find(text)


class Allowed:
    """For strangers: the files inside some folders, and no others; without a folder, none.

    A path is written from one of the folders on, or whole. What leads out of the folder, by `..` or by a link, is not
    there for strangers. Nothing outside is even looked at, so that no answer says what exists there.

    own   folders of the program itself, for what it has written; their files may be opened but are not offered
    """

    def __init__(self, folders: Iterable[str | Path] = (), own: Iterable[str | Path] = ()) -> None:
        self.own = [Path(folder).resolve() for folder in own]
        self.folders: list[Path] = []
        for given in folders:
            folder = Path(given).expanduser().resolve()
            if not folder.is_dir():
                raise UserError("there is no folder {name}", name=given)
            self.folders.append(folder)

    def find(self, text: str) -> Path:
        for folder in self.places:
            path = Path(os.path.normpath(folder / text))
            try:
                if path.is_relative_to(folder) and path.resolve().is_relative_to(folder) and path.is_file():
                    return path.resolve()
            except (OSError, ValueError, RuntimeError):
                continue
        if not self.folders:
            raise UserError("files are not opened here, and {text} names one", text=repr(text))
        raise UserError("there is no file {name} in what may be opened here", name=repr(text))

    @property
    def places(self) -> list[Path]:
        """Every folder whose files may be opened."""
        return [*self.folders, *self.own]

    def written(self, path: Path) -> str:
        """From its folder on: strangers need not know where that is."""
        return next(path.relative_to(folder).as_posix() for folder in self.places if path.is_relative_to(folder))

    def told(self, text: str) -> str:
        """The sentence without the folders: whatever reads files names them whole, whoever asked."""
        return with_strings(text, self.without_folders)

    def without_folders(self, text: str) -> str:
        for folder in self.places:
            text = text.replace(f"{folder}{os.sep}", "")
        return text

    def listed(self) -> list[str]:
        """Every file that lies in one of the folders; those in folders below can be opened but are not looked for."""
        names = {path.name for folder in self.folders for path in folder.iterdir() if not path.name.startswith(".")}
        return [name for name in sorted(names) if self.has(name)]

    def program(self, text: str) -> Path:
        """None: what a program takes of time and memory could not be limited here."""
        raise UserError("programs are not run here, and {text} names one", text=repr(text))

    def has(self, name: str) -> bool:
        try:
            return self.find(name).is_file()
        except UserError:
            return False


def fingerprint(path: str | Path) -> str:
    """A short name for the contents of a file."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise UserError("{path} cannot be read: {why}", path=path, why=error.strerror or error) from None


def read_arrays(path: str | Path, *names: str, perhaps: Iterable[str] = ()) -> dict[str, Any]:
    """The arrays of these names in an .npz file, such as `train` writes; a UserError if it is no such file.

    perhaps   names of further ones that need not be there
    """
    import zipfile

    import numpy as np

    try:
        with np.load(path) as arrays:
            return {name: arrays[name] for name in (*names, *(name for name in perhaps if name in arrays))}
    except KeyError as error:
        raise UserError(
            "{path} was written by somebody else: it has no {what}", path=path, what=error.args[0].split()[0]
        ) from None
    except (OSError, ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile):
        raise UserError("{path} cannot be read: it is no .npz file", path=path) from None


def load_module(path: Path) -> ModuleType:
    """Run a Python file from outside the package, once.

    The module is named after its contents, as its compiled code is: the next process finds that code by this name.
    """
    with LOADING:
        name = f"{MODULE}{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}_{fingerprint(path)}"
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except Exception as error:
                del sys.modules[name]
                raise UserError("{path} cannot be loaded: {why}", path=path, why=blamed(error, path)) from error
        return sys.modules[name]


def blamed(error: Exception, path: Path) -> str:
    """What went wrong in a file, with the line of it, in one line."""
    if isinstance(error, SyntaxError):
        where = f"line {error.lineno}: " if error.filename == str(path) else ""
        return f"{where}{error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    where = f"line {lines[-1]}: " if lines else ""
    told = " ".join(str(error).split())
    return where + (told if isinstance(error, UserError) else f"{type(error).__name__}: {told}")
