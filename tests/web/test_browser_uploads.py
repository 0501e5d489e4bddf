"""Bring your own, in a real browser: written, checked while one types, mended, and played with pictures."""

import json
import shutil
from pathlib import Path

import pytest

from browsing import Person
from hanabi_tables import hanabi_record
from hiddenhand.core import resolver
from hiddenhand.core.extras import RecordFormats
from hiddenhand.core.table import Table
from hiddenhand.games.hanabi.rules import DISCARD
from hiddenhand.planning.worlds import world_file
from own_files import TREE
from web_server import serving

WORLD = world_file("tiger").read_text()
CHOSEN = """() => {
    const area = document.querySelector('.editor textarea');
    return area.value.slice(area.selectionStart, area.selectionEnd);
}"""
SUPPORT = Path(__file__).parents[1] / "support"


def at_the_desk(person, kind):
    """The page, with a kind of text chosen."""
    person.go("/open")
    person.page.click(f".kinds [data-kind='{kind}']")
    person.page.wait_for_selector(f".kinds [data-kind='{kind}'][aria-pressed=true]")


def write(person, text):
    person.page.fill(".editor textarea", text)


def play_it(person):
    person.page.locator(".bring-verdict button:enabled").click()
    person.page.wait_for_selector(".drawing > *")


def test_a_world_is_written_mended_and_played(person):
    lines = WORLD.split("\n")
    number = next(i for i, line in enumerate(lines) if "payoff" in line)
    column = lines[number].index("payoff")
    broken = "\n".join([*lines[:number], lines[number].replace("payoff", "payof", 1), *lines[number + 1 :]])
    at_the_desk(person, "svarog")
    write(person, broken)
    person.page.wait_for_selector(f".gutter li.is-error[data-line='{number + 1}']")
    assert person.page.inner_text(".underlay mark.is-error") == "payof"
    assert person.page.is_disabled(".bring-verdict button")
    found = person.page.inner_text(".finding")
    assert f"line {number + 1}, column {column + 1}" in found
    person.page.click(".finding")
    assert person.page.evaluate(CHOSEN) == "payof"
    assert person.page.evaluate("() => document.activeElement.matches('.editor textarea')")
    person.page.keyboard.type("payoff")
    person.page.wait_for_selector(".verdict-line.fresh")
    person.page.wait_for_selector(".features")
    assert person.page.query_selector(".gutter li.is-error") is None
    person.page.fill(".own-name input", "Two doors")
    person.page.reload()
    person.page.wait_for_selector(".features")
    assert person.page.input_value(".editor textarea") == WORLD, "a reload loses nothing"
    assert person.page.input_value(".own-name input") == "Two doors"
    play_it(person)
    assert person.page.inner_text("h1") == "Two doors"
    assert person.page.locator(".drawing .chances .bar").count() >= 2
    before = person.page.locator(".drawing .chances").first.inner_text()
    person.press(".drawing .choices button:has-text('listen')")
    person.wait_for("([before]) => document.querySelector('.drawing .chances').innerText !== before", before)
    person.page.keyboard.press("g")
    person.page.wait_for_selector("dialog .guide")


def test_an_example_and_back_to_what_was_written(person):
    at_the_desk(person, "tree")
    write(person, "(max 1 2)")
    person.page.wait_for_selector(".verdict-line.fresh")
    person.page.select_option("select[aria-label='begin with an example']", label="pruning")
    person.wait_for("() => document.querySelector('.editor textarea').value.includes('min')")
    person.page.click("text=Bring back what I had written")
    assert person.page.input_value(".editor textarea") == "(max 1 2)"


def test_a_tree_is_mended_and_played(person):
    at_the_desk(person, "tree")
    write(person, TREE.replace("12", "twelve"))
    person.page.wait_for_selector(".gutter li.is-error[data-line='1']")
    assert person.page.inner_text(".underlay mark.is-error") == "twelve"
    write(person, TREE)
    play_it(person)
    person.page.wait_for_selector(".move-tree .node.reachable")
    person.press(".move-tree .node.reachable")


def test_a_record_is_opened_from_a_file(person, tmp_path):
    table = Table(resolver.game("tictactoe"), seed=1)
    for action in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        table.play(action)
    file = tmp_path / "kept.json"
    table.record().save(file)
    at_the_desk(person, "svarog")
    person.page.set_input_files(".bring input[type=file]", str(file))
    person.page.wait_for_selector(".kinds [data-kind='record'][aria-pressed=true]")
    play_it(person)
    assert person.ply() == "9 / 9"


def test_a_game_of_hanab_live_is_opened_from_a_file(person, tmp_path):
    form = resolver.game("hanabi").extra(RecordFormats).loaded()["hanab.live"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(form.write(hanabi_record(rules="strict"), ["Ann", "Bob"])))
    at_the_desk(person, "svarog")
    person.page.set_input_files(".bring input[type=file]", str(file))
    person.page.wait_for_selector(".kinds [data-kind='hanab.live'][aria-pressed=true]")
    play_it(person)
    assert "Ann" in person.page.inner_text(".seats")


def test_an_export_that_hanab_live_forbids_says_so(person, site):
    kept = site.post("/api/records", **hanabi_record(first=DISCARD).to_json())
    person.go(f"/t/{kept['table']}")
    person.page.wait_for_selector(".drawing > *")
    person.page.keyboard.press("l")
    person.page.click("dialog button:has-text('hanab.live')")
    told = person.page.locator("dialog .error").inner_text()
    assert told == "hanab.live forbids move 1, a discard with all 8 hint tokens there"
    assert person.page.url.endswith(kept["table"]), "the page stays where it was"
    person.troubles = [one for one in person.troubles if "400" not in one]  # the browser says so too


def test_something_else_is_refused(person, tmp_path):
    file = tmp_path / "game.py"
    file.write_text("print('hello')")
    at_the_desk(person, "svarog")
    person.page.set_input_files(".bring input[type=file]", str(file))
    assert "nothing that can be brought here" in person.page.locator(".bring .error").inner_text()


@pytest.fixture(scope="module")
def open_site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("allowed")
    shutil.copy(SUPPORT / "treasure.py", folder)
    (folder / "doors.svarog").write_text(WORLD)
    with serving(tmp_path_factory.mktemp("tables"), allow=[folder], bring=[]) as found:
        yield found


@pytest.fixture
def guest(browser, open_site):
    someone = Person(browser, open_site)
    yield someone
    someone.close()


def test_a_game_from_a_file_has_pictures(guest, open_site):
    guest.sit(open_site.table("treasure.py", "me random", seed=3))
    for block in (".board .cell", ".card-row", ".chances .bar", "svg.map .place"):
        assert guest.page.locator(f".drawing {block}").count() > 0, block
    guest.my_turn()
    guest.press(".drawing .cell[data-action]")
    guest.play_by_clicks(lambda person: person.press(".drawing .map .place[data-action]"))
    assert guest.page.inner_text(".outcome b")


def test_a_world_from_a_file_has_pictures(guest, open_site):
    guest.sit(open_site.table("doors.svarog", "me", seed=3))
    assert guest.page.locator(".drawing .chances .bar").count() >= 2
    guest.press(".drawing .choices button:has-text('listen')")


def test_a_server_that_takes_nothing_says_so(guest):
    guest.go("/open")
    guest.page.wait_for_selector("text=lets nobody bring anything")
