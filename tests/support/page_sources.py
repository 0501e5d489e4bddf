"""The sources of the page with their packages: fetched once, where there is Node."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "web-ui"


def node_and_npm():
    """The programs, with the page's packages in place; skips where they cannot be had, but never in the CI."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        assert not os.environ.get("CI"), "the continuous integration needs Node"
        pytest.skip("there is no Node here")
    with open(Path(tempfile.gettempdir()) / "hiddenhand-page-packages.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one worker fetches them
        if not (SOURCES / "node_modules").is_dir():
            fetched = subprocess.run([npm, "ci", "--ignore-scripts"], cwd=SOURCES, capture_output=True, timeout=600)
            if fetched.returncode and not os.environ.get("CI"):
                pytest.skip("the page's packages cannot be had here")
            assert fetched.returncode == 0, fetched.stderr
    return node, npm
