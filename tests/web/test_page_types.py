"""The page's types are those of the server's models; its sources know no rule and read no screen."""

import re
import runpy
from pathlib import Path

from hiddenhand.core import resolver

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "web-ui" / "src").rglob("*.ts*"))


def test_the_types_of_the_page_are_those_of_the_server():
    types = runpy.run_path(str(ROOT / "tools" / "page_types.py"))["types"]
    written = (ROOT / "web-ui" / "src" / "wire_types.ts").read_text(encoding="utf-8")
    assert written == types(), "run tools/page_types.py and build the page again"


def test_the_page_reads_no_screen_text():
    """The text of the table is nowhere taken apart: screens are drawn from pictures and moves."""
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        if path.name != "wire_types.ts":
            assert "screen.split" not in source, path
            assert not re.search(r"\.screen\b", source), path
            assert not re.search(
                r"\.text\.(split|match|startsWith|endsWith|replace)\(", source.replace("move.text", "")
            ), path


def test_a_screen_touches_its_own_folder_and_one_line():
    """Each game with a screen of its own has a folder, and is named nowhere else but in the list of screens."""
    listed = (ROOT / "web-ui" / "src" / "screens" / "index.ts").read_text(encoding="utf-8")
    own = [path.parent.name for path in SOURCES if path.name == "index.tsx" and path.parent.name != "generic"]
    assert {"hanabi", "snaps", "dominion", "backgammon"} == set(own)
    for name in own:
        assert listed.count(f'from "./{name}"') == 1
        assert resolver.definition(name).people.picture is not None
