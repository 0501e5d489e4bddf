"""The page itself: keyboard alone, names for everything, contrast, phone width, the laboratory, the built bundle."""

import gzip
import subprocess
from pathlib import Path

import pytest

from browsing import Person
from page_sources import SOURCES, node_and_npm
from web_server import serving

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "hiddenhand" / "web" / "static"
PLACES = ("/", "/open", "/lab", "/teach", "/gallery")

NAMELESS = """() => [...document.querySelectorAll('button, a, input, select, [role=button], img')]
    .filter((one) => one.offsetParent !== null || one instanceof SVGElement)
    .filter((one) => {
        const labels = one.labels ? [...one.labels].map((label) => label.textContent).join('') : '';
        const alt = one.querySelector('img[alt]') || one.getAttribute('alt');
        return !(one.getAttribute('aria-label') || one.innerText || one.textContent.trim() || labels || alt !== null);
    }).map((one) => one.outerHTML.slice(0, 200))"""

FAINT = """() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => {
        const bent = (v) => v <= 0.04 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        const [x, y, z] = [r, g, b].map((v) => bent(v / 255));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ground = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const colour = rgb(getComputedStyle(at).backgroundColor);
            if (colour[3] > 250) return colour;
        }
        return [255, 255, 255, 255];
    };
    const aside = ':disabled, .out, .useless, .unseen, .skip, .away, [aria-hidden=true]';
    const texts = [...document.querySelectorAll('#page *')].filter((one) =>
        one.offsetParent !== null && !one.closest(aside) &&
        [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
    return texts.map((one) => {
        const [front, back] = [light(rgb(getComputedStyle(one).color)), light(ground(one))];
        const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
        return [contrast, `${one.className} ${one.textContent.slice(0, 40)}`];
    }).filter(([contrast]) => contrast < 4.5);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables"), gallery=ROOT / "docs" / "images") as found:
        yield found


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_everything_has_a_name_and_can_be_read(browser, site, colours):
    person = Person(browser, site, color_scheme=colours)
    tables = [site.table(*order) for order in (("hanabi", "me trustful"), ("dominion", "me bigmoney"), ("reversi",))]
    for path in [*PLACES, *(f"/t/{made['table']}?seat={made['token']}" for made in tables)]:
        person.go(path)
        person.page.wait_for_selector(".games, .lab-form, .gallery .pictures, .moves, .bring textarea, .stage svg")
        assert person.page.evaluate(NAMELESS) == []
        assert person.page.evaluate(FAINT) == []
    person.close()


def test_nothing_is_wider_than_a_phone(browser, site):
    person = Person(browser, site)
    person.page.set_viewport_size({"width": 375, "height": 800})
    games = ("hanabi", "dominion", "snaps", "connect_four", "reversi", "backgammon", "battleship", "tictactoe")
    tables = [site.table(game, "me random random random" if game == "snaps" else "me random") for game in games]
    for path in [*PLACES, *(f"/t/{made['table']}?seat={made['token']}" for made in tables)]:
        person.go(path)
        person.page.wait_for_selector(".games, .lab-form, .gallery .pictures, .clock, .bring textarea, .stage svg")
        assert person.page.evaluate("() => document.documentElement.scrollWidth") <= 375, path
    person.close()


def test_a_game_with_the_keyboard_alone(browser, site):
    person = Person(browser, site)
    person.sit(site.table("tictactoe", "me random", seed=3))
    person.my_turn()
    person.page.keyboard.press("?")
    person.page.wait_for_selector("dialog kbd")
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("m")
    person.page.keyboard.type("b2")
    person.page.keyboard.press("Enter")
    person.wait_for("() => document.querySelectorAll('.drawing .mark').length === 2")
    person.page.keyboard.press("Escape")
    while person.my_turn():
        person.page.locator(".drawing .cell[tabindex='0']").focus()
        outline = person.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
        person.page.keyboard.press("ArrowRight")
        person.page.keyboard.press("ArrowLeft")
        assert outline != "none" or person.page.evaluate("() => document.activeElement.matches(':focus-visible')")
        before = person.ply()
        person.page.locator(".drawing .cell[data-action]").first.focus()
        person.page.keyboard.press("Enter")
        person.wait_for("([before]) => document.querySelector('.clock output').innerText !== before", before)
    person.close()


def test_a_script_in_a_name_is_only_text(browser, site):
    person = Person(browser, site)
    person.sit(site.table("tictactoe", "me random"))
    person.page.click(".seats button")
    person.page.fill(".seats input", "<img src=x onerror=alert(1)>")
    person.page.keyboard.press("Enter")
    person.page.wait_for_selector(".error")
    assert person.page.query_selector(".seats img") is None
    person.close()


def test_a_match_in_the_laboratory(browser, site):
    person = Person(browser, site)
    person.go("/lab")
    person.page.select_option("#lab-game", "tictactoe")
    person.page.select_option(".lab-agents li:nth-child(1) select", "random")
    person.page.fill("#lab-games", "50")
    person.page.click("text=Run")
    person.page.wait_for_selector(".records a", timeout=600_000)
    assert "50 games" in person.page.inner_text("[aria-label='the experiment']")
    person.page.wait_for_selector(".histogram rect", state="attached")
    person.page.click(".records a >> nth=0")
    person.page.wait_for_selector(".outcome")
    person.close()


def test_the_lobby_asks_for_little(browser, site):
    person = Person(browser, site)
    asked = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.go("/")
    person.page.wait_for_selector(".game-card")
    assert len(asked) <= 6, asked
    person.close()


def test_the_bundle_is_small():
    """What somebody loads who does not read English: the page, and the catalogue of one language."""
    packed = {path.name: len(gzip.compress(path.read_bytes())) for path in STATIC.iterdir()}
    catalogues = [size for name, size in packed.items() if name.startswith("words.")]
    assert len(catalogues) == 2
    assert sum(packed.values()) - sum(catalogues) + max(catalogues) < 150 * 1024


def test_the_bundle_names_no_other_place():
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "https://" not in text
        assert "http://" not in text


def test_the_bundle_is_what_the_sources_build(tmp_path):
    node, npm = node_and_npm()
    subprocess.run([node, "build.mjs", tmp_path], cwd=SOURCES, check=True, timeout=300)
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert built == {path.name: path.read_bytes() for path in STATIC.iterdir()}, "run `make page`"
    checked = subprocess.run([npm, "run", "-s", "check"], cwd=SOURCES, capture_output=True, text=True, timeout=300)
    assert checked.returncode == 0, checked.stdout
