"""Experiments that are kept: each in a folder of its own, with its account and the files that it has written.

An account is written whole or not at all. The oldest experiments go when there are too many, or too much of them.
Nothing here is secret; what an experiment has written may be opened by those who play (`core.files.Allowed`), so no
Python file is ever put here.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from hiddenhand.core.text import Text
from hiddenhand.web.schemas.lab import ExperimentInfo, ExperimentSummary, KeptFile
from hiddenhand.web.uploads.store import NAME

LOG = logging.getLogger("hiddenhand.web")
ACCOUNT = "experiment.json"
MOST = 300
"""Experiments."""
MOST_BYTES = 300_000_000
"""For all experiments together."""
MOST_BYTES_OF_ONE = 30_000_000
"""For the files of one experiment; if they are larger together, they are dropped."""
CUT_SHORT = Text("the server was stopped before it ended")


class SavedExperiments:
    """The folder with all of them, and a list of what is in it."""

    def __init__(self, folder: Path, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder = folder
        self.most = most
        self.most_bytes = most_bytes
        self.listed: dict[str, ExperimentSummary] = {}
        """By id, the oldest first."""
        self.sizes: dict[str, int] = {}
        self.private: set[str] = set()
        """Experiments that name a text which a visitor brought; nobody else is told of them."""
        found = [self.read(path.parent.name) for path in folder.glob(f"*/{ACCOUNT}")]
        for experiment in sorted(filter(None, found), key=lambda each: each.when):
            self.enter(experiment)

    def enter(self, experiment: ExperimentInfo) -> None:
        """List an experiment that was written."""
        self.listed[experiment.job] = ExperimentSummary.model_validate(experiment.model_dump())
        self.sizes[experiment.job] = bytes_in(self.place(experiment.job))
        if is_private(experiment):
            self.private.add(experiment.job)

    def place(self, job: str) -> Path:
        return self.folder / job

    def read(self, job: str) -> ExperimentInfo | None:
        """An experiment as it was kept; None if there is none, or none that can be read."""
        try:
            experiment = ExperimentInfo.model_validate_json((self.place(job) / ACCOUNT).read_bytes())
        except OSError:
            return None
        except ValidationError as error:
            LOG.warning("the experiment %s cannot be read: %s", job, error.errors()[0]["msg"])
            return None
        if experiment.state in ("waiting", "running"):
            return experiment.model_copy(update={"state": "stopped", "error": CUT_SHORT})
        return experiment

    def write(self, experiment: ExperimentInfo) -> None:
        """Write the account of an experiment; OSError if it cannot be written."""
        place = self.place(experiment.job)
        place.mkdir(mode=0o700, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(experiment.model_dump_json().encode())
            os.replace(name, place / ACCOUNT)
        except BaseException:
            os.unlink(name)
            raise

    # ---- the files of an experiment

    def files(self, job: str) -> list[KeptFile]:
        """The files that an experiment has written, in the order of their names; none if they are too large to be
        kept.
        """
        self.place(job).mkdir(mode=0o700, exist_ok=True)
        paths = [path for path in sorted(self.place(job).iterdir()) if self.is_result(path)]
        if sum(path.stat().st_size for path in paths) > MOST_BYTES_OF_ONE:
            for path in paths:
                path.unlink()
            return []
        return [KeptFile(name=path.name, size=path.stat().st_size) for path in paths]

    def file(self, job: str, name: str) -> Path | None:
        """A file that an experiment has written, by its name; None for anything else."""
        if job not in self.listed:
            return None
        return next((path for path in self.place(job).iterdir() if path.name == name and self.is_result(path)), None)

    def is_result(self, path: Path) -> bool:
        return path.is_file() and not path.is_symlink() and path.name != ACCOUNT and path.suffix != ".part"

    # ---- bounds

    def tidy(self, spared: Collection[str]) -> None:
        """Delete the oldest experiments until the folder is within its bounds, except those in `spared`."""
        for job in [job for job in self.listed if job not in spared]:
            if len(self.listed) <= self.most and sum(self.sizes.values()) <= self.most_bytes:
                return
            shutil.rmtree(self.place(job), ignore_errors=True)
            del self.listed[job], self.sizes[job]
            self.private.discard(job)


def is_private(experiment: ExperimentInfo) -> bool:
    """Whether it names a text that a visitor brought, which is a game for whoever knows its name."""
    return NAME.search(json.dumps(experiment.order)) is not None


def bytes_in(folder: Path) -> int:
    total = 0
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                total += path.stat().st_size
    return total
