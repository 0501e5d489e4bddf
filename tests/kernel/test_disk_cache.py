"""Compiled code on disk: only what is ours and whole is run; without a place for it everything still works."""

import os
import resource
import stat
import subprocess
import sys

import pytest

from hiddenhand.kernel import disk_cache
from hiddenhand.kernel.disk_cache import Disk, cache_directory


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """No home that could be used: what is left is the temporary folder, which is this one."""
    blocked = tmp_path / "file"
    blocked.touch()
    for name in ("HIDDENHAND_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(blocked))
    monkeypatch.setenv("USER", "somebody")
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setattr(disk_cache.tempfile, "gettempdir", lambda: str(shared))
    return shared / "hiddenhand-somebody"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_directory_is_closed_to_others(monkeypatch, tmp_path):
    monkeypatch.setenv("HIDDENHAND_CACHE", str(tmp_path))
    before = os.umask(0)
    try:
        found = cache_directory()
    finally:
        os.umask(before)
    assert found == tmp_path / "hiddenhand" / "compiled"
    assert mode(found) == mode(found.parent) == 0o700


def test_a_directory_that_was_open_is_emptied_and_closed(monkeypatch, tmp_path):
    monkeypatch.setenv("HIDDENHAND_CACHE", str(tmp_path))
    found = cache_directory()
    (found / "planted.code").write_bytes(b"whatever")
    found.chmod(0o777)
    assert cache_directory() == found
    assert mode(found) == 0o700
    assert not list(found.iterdir())


def test_a_folder_of_somebody_else_is_not_used(nowhere, monkeypatch, capsys):
    """Another user has put a folder of compiled code where ours would be."""
    (nowhere / "compiled").mkdir(parents=True)
    monkeypatch.setattr(disk_cache.os, "getuid", lambda: os.geteuid() + 1)  # as somebody else sees it
    found = cache_directory()
    assert nowhere not in found.parents
    assert mode(found) == 0o700
    assert "compiled code is not kept" in capsys.readouterr().err


def test_a_link_is_not_followed(nowhere, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    nowhere.symlink_to(tmp_path / "elsewhere")
    assert "elsewhere" not in str(cache_directory().resolve())


def test_a_folder_in_a_place_that_others_can_replace_is_not_used(monkeypatch, tmp_path):
    loose = tmp_path / "loose"
    loose.mkdir()
    loose.chmod(0o777)
    monkeypatch.setenv("HIDDENHAND_CACHE", str(loose))
    assert loose not in cache_directory().parents


def test_what_is_not_whole_is_not_read(tmp_path):
    store = Disk(tmp_path)
    store.write("key", b"compiled code")
    assert store.read("key") == b"compiled code"
    whole = store.path("key").read_bytes()
    for damaged in (b"", whole[:-1], whole[:20], bytes([*whole[:-1], whole[-1] ^ 1]), b"\0" * 100):
        store.path("key").write_bytes(damaged)
        assert store.read("key") is None
        assert not store.has("key")  # so that it is written anew


def test_what_lies_under_the_name_of_another_is_not_read(tmp_path):
    store = Disk(tmp_path)
    for key in ("one", "other"):
        store.write(key, f"code of {key}".encode())
    one, other = store.path("one").read_bytes(), store.path("other").read_bytes()
    store.path("one").write_bytes(other)
    store.path("other").write_bytes(one)
    assert (store.read("one"), store.read("other")) == (None, None)
    store.write("one", b"code of one")
    assert store.read("one") == b"code of one"


COMPILED = """
import numpy as np
from hiddenhand.kernel import new_records, record_type, rule
@rule
def inner(s, n): s.total += n; return np.arange(n)
@rule
def outer(s, n): return inner(s, n).sum() + inner(s, 2 * n).sum()
s = new_records(record_type([("total", "i8")]), 1)[0]
print(outer(s, 5), inner(s, 4).tolist(), s.total)
"""


def run(*arguments, **more):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def test_a_damaged_cache_is_mended(tmp_path):
    environment = {**os.environ, "HIDDENHAND_CACHE": str(tmp_path)}
    first = run("-c", COMPILED, env=environment)
    assert first == ("55 [0, 1, 2, 3] 19\n", "")
    files = sorted((tmp_path / "hiddenhand" / "compiled").iterdir())
    assert len(files) == 4  # two parts, and an entry of each
    for number, path in enumerate(files):
        content = path.read_bytes()
        path.write_bytes((b"", content[: len(content) // 2], b"x" * len(content))[number % 3])
    assert run("-c", COMPILED, env=environment) == first
    whole = [path.read_bytes() for path in files]
    for path, content in zip(files, whole[1:] + whole[:1], strict=True):
        path.write_bytes(content)
    assert run("-c", COMPILED, env=environment) == first, "whole files under the names of others are compiled anew"


def test_a_full_disk_costs_only_what_would_have_been_kept(tmp_path):
    """Nothing can be written anywhere: rules are compiled and matches played all the same, with a line about it."""

    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    environment = {**os.environ, "HIDDENHAND_CACHE": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    environment.pop("HIDDENHAND_STORE", None)
    printed, _ = run("-c", COMPILED, env=environment, preexec_fn=no_room)
    assert printed == "55 [0, 1, 2, 3] 19\n"
    environment["NUMBA_DISABLE_JIT"] = "1"
    command = "-m hiddenhand match kuhn random random --games 50".split()
    printed, error = run(*command, env=environment, preexec_fn=no_room)
    assert "kept" in error
    assert "50 games" in printed
