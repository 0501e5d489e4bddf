"""The laboratory and the gallery in a real browser: every kind of experiment is started, watched and opened again."""

import re

import pytest

from browsing import Person
from lab_game import HIGHER
from web_server import serving

NOTES = """# Notes

Some **bold** and *leaning* words, `code`, <b onclick="x()">a tag</b>, [the numbers](numbers.csv),
[a picture](figures/dot.svg) and [elsewhere](https://example.com/).

- one
  - inside
- two

1. first

| agent | mean |
|---|---|
| `a|b` | 1.5 |

```
# not a heading
```
"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1"/></svg>'


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server with a game that offers everything to the laboratory, and a gallery."""
    files, gallery = tmp_path_factory.mktemp("files"), tmp_path_factory.mktemp("gallery")
    (files / "higher.py").write_text(HIGHER)
    (gallery / "figures").mkdir()
    (gallery / "figures" / "dot.svg").write_text(DOT)
    (gallery / "notes.md").write_text(NOTES)
    (gallery / "numbers.csv").write_text('agent,mean\n"Gold, Silver",1.5\nrandom,-0.5\n')
    (gallery / "facts.json").write_text(
        '{"games": 3, "seats": [{"agent": "a", "wins": 1}, {"agent": "b", "wins": 2}]}'
    )
    with serving(tmp_path_factory.mktemp("data"), allow=[files], gallery=gallery) as found:
        yield found


@pytest.fixture
def person(browser, site):
    someone = Person(browser, site)
    yield someone
    someone.close()


def choose(person, game, kind):
    """The form for such an experiment."""
    person.go("/lab")
    page = person.page
    page.select_option("#lab-game", game)
    page.select_option("#lab-kind", kind)


def run(person, **numbers):
    for name, value in numbers.items():
        person.page.fill(f"#lab-{name}", str(value))
    before = person.page.url
    person.page.click(".lab-form .primary")
    person.wait_for("([before]) => location.href !== before", before)
    job = person.page.url.partition("job=")[2]
    person.page.wait_for_selector(f"[data-job='{job}']")  # another one may have been on the screen until now


def done(person, word="done"):
    person.wait_for(
        "([word]) => document.querySelector(\"[aria-label='the experiment'] h2\")?.innerText.includes(word)",
        word,
    )
    return person.page.inner_text("[aria-label='the experiment']")


def lines(person):
    """What the curves draw: the path of each."""
    return [path.get_attribute("d") for path in person.page.query_selector_all(".curves .line")]


KINDS = {
    "match": ("higher.py", {"games": 60}, "won"),
    "tournament": ("higher.py", {"games": 20}, "rating"),
    "train": ("higher.py", {"games": 2000}, "mean payoff against random"),
    "tune": ("higher.py", {"evaluations": 6, "games": 20}, "bold:boldness="),
    "evolve": ("higher.py", {"generations": 4, "mutants": 2}, "won or shared"),
    "precalculate": ("tiger", {"depth": 2, "granularity": 3}, "visible states"),
    "solve": ("kuhn", {"iterations": 100}, "exploitability"),
}


@pytest.mark.parametrize("game", ["kuhn", "tictactoe"])
def test_a_tournament_can_be_run_as_it_is_proposed(person, game):
    choose(person, game, "tournament")
    run(person, games=2)
    assert "rating" in done(person)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_started_watched_and_opened_again(person, kind):
    game, numbers, words = KINDS[kind]
    choose(person, game, kind)
    if kind == "match":
        person.page.select_option(".lab-agents li:nth-child(1) select", "bold")
    if kind == "evolve":
        person.page.select_option(".lab-agents li:nth-child(1) select", "random")
    run(person, **numbers)
    assert words in done(person)
    drawn = lines(person)
    assert drawn
    assert all("L" in path for path in drawn), "a curve has at least two points"
    link = person.page.url
    assert re.search(r"/lab\?job=[0-9a-f]{12}$", link)
    person.page.reload()
    assert words in done(person)
    assert lines(person) == drawn
    first = person.page.locator(".experiments a").first
    assert link.endswith(first.get_attribute("href"))
    person.page.click("text=Run again…")
    assert person.page.input_value("#lab-kind") == kind
    assert {name: person.page.input_value(f"#lab-{name}") for name in numbers} == {
        name: str(value) for name, value in numbers.items()
    }


def test_a_curve_grows_while_the_work_goes_on(person):
    choose(person, "connect_four", "match")
    person.page.select_option(".lab-agents li:nth-child(1) select", "uct")
    run(person, games=20_000)
    person.wait_for("() => document.querySelector('.curves .line')?.getAttribute('d').includes('L')")
    before = lines(person)
    person.wait_for("([before]) => document.querySelector('.curves .line').getAttribute('d') !== before", before[0])
    assert person.page.query_selector(".curves .band").get_attribute("d"), "its interval is drawn"
    assert "running" in person.page.inner_text("[aria-label='the experiment'] h2")
    person.page.get_by_role("button", name="Stop", exact=True).click()
    assert "games" in done(person, "stopped")


def test_what_was_learned_is_played_with(person, site):
    choose(person, "higher.py", "train")
    run(person, games=1000)
    done(person)
    with person.page.expect_download() as found:
        person.page.click("text=trained.npz")
    assert found.value.suggested_filename.endswith("trained.npz")
    person.page.click("text=A match with it…")
    assert person.page.input_value("#lab-kind") == "match"
    assert "trained.npz" in person.page.inner_text(".lab-agents li:nth-child(1)")
    person.page.click("text=Play with it")
    person.page.wait_for_url("**/t/*")
    table = person.page.url.rpartition("/")[2]
    agents = [seat.get("agent") for seat in site.get(f"/api/tables/{table}")["seats"]]
    assert any(agent and agent.startswith("learned:file=") for agent in agents)


def test_where_nobody_is_played_against_the_score_is_shown(person):
    choose(person, "tiger", "match")
    person.page.select_option(".lab-agents li:nth-child(1) select", "random")
    run(person, games=20)
    told = done(person)
    head = person.page.inner_text(".figures thead")
    assert [word in head for word in ("mean score", "spread", "best", "drawn")] == [True, True, True, False]
    assert "20 games" in told
    with person.page.expect_download() as found:
        person.page.locator(".curves >> text=Figure as SVG").click()
    drawn = found.value.path().read_text()
    assert 'xmlns="http://www.w3.org/2000/svg"' in drawn
    assert 'stroke="rgb(' in drawn, "it needs no style sheet"


def test_agents_that_are_written_in_a_language_of_their_own(person):
    choose(person, "dominion", "match")
    person.page.select_option(".lab-agents li:nth-child(2) select", "ismcts")
    for name, words in (("menu", "Province, Duchy when supply(Province) <= 5"), ("genome", "{gaining1: {Gold:")):
        person.page.select_option(".lab-agents li:nth-child(1) select", name)
        assert words in person.page.inner_text(".lab-agents li:nth-child(1)")
        person.page.locator(".lab-agents li:nth-child(1) .written").click()
        assert person.page.input_value(f"[aria-label='text of {name}']").startswith(words[:8])
        run(person, games=20_000)  # beside one that thinks: it cannot be over before it is stopped
        assert person.page.query_selector("[role=alert]") is None
        person.page.get_by_role("button", name="Stop", exact=True).click()
        done(person, "stopped")
        person.page.locator(".lab-agents li:nth-child(1) .written").click()


def test_a_refusal_is_said(person):
    choose(person, "higher.py", "train")
    person.page.fill("#lab-games", "10")
    person.page.click(".lab-form .primary")
    assert "games must be at least 500" in person.page.inner_text("[role=alert]")
    person.go("/lab?job=abcdef")
    assert "there is no job" in person.page.inner_text("[role=alert]")
    person.troubles.clear()  # the browser itself notes what was refused


def test_markdown_and_tables_are_readable(person):
    person.go("/gallery")
    page = person.page
    page.click("a:has-text('notes')")
    page.wait_for_selector(".prose h2")
    assert page.inner_text(".prose strong") == "bold"
    assert page.inner_text(".prose em") == "leaning"
    assert '<b onclick="x()">a tag</b>' in page.inner_text(".prose p")
    assert page.query_selector(".prose b") is None, "no HTML passes through"
    assert page.inner_text(".prose > ul li ul") == "inside"
    assert page.inner_text(".prose td >> nth=0") == "a|b"
    assert page.inner_text(".prose pre") == "# not a heading"
    inside = {link.inner_text(): link.get_attribute("href") for link in page.query_selector_all(".prose a")}
    assert inside == {"the numbers": "/gallery?show=numbers.csv", "a picture": "/api/lab/gallery/figures/dot.svg"}
    assert "elsewhere (https://example.com/)" in page.inner_text(".prose p")
    page.click("text=the numbers")
    page.wait_for_selector(".shown .figures td:has-text('Gold, Silver')")
    assert page.locator(".shown td").all_inner_texts() == ["Gold, Silver", "1.5", "random", "-0.5"]
    page.go_back()
    page.wait_for_selector(".prose")
    page.click("a:has-text('facts')")
    page.wait_for_selector(".shown .facts")
    assert page.locator(".shown td").all_inner_texts() == ["a", "1", "b", "2"]


def test_it_fits_a_phone(browser, site):
    someone = Person(browser, site)
    someone.page.set_viewport_size({"width": 375, "height": 700})
    jobs = [one["job"] for one in site.get("/api/lab/jobs") if one["state"] == "done"]
    for path in [*(f"/lab?job={job}" for job in jobs), "/gallery?show=notes.md"]:
        someone.go(path)
        someone.page.wait_for_selector("[aria-label='the experiment'], .prose")
        assert someone.page.evaluate("document.documentElement.scrollWidth") <= 375, path
    someone.close()


POLISH = {
    "The laboratory": "Laboratorium",
    "match": "mecz",
    "done": "gotowe",
    "agent {n}": "agent nr {n}",
    "95 % interval": "przedział 95 %",
    "{low} to {high}": "od {low} do {high}",
    "{n} game": ["{n} gra", "{n} gry", "{n} gier"],
    "games": "gry",
    "Reports and tables": "Raporty i tabele",
}


def test_it_speaks_the_language_that_was_chosen(person):
    page = person.page
    page.route("**/words.pl.json", lambda route: route.fulfill(json=POLISH))
    choose(person, "higher.py", "match")
    page.select_option(".language", "pl")
    page.wait_for_selector("h1:has-text('Laboratorium')")
    page.select_option("#lab-game", "higher.py")
    assert page.inner_text("#lab-kind option:checked") == "mecz"
    assert page.query_selector("[aria-label='agent nr 1']")
    run(person, games=60)
    told = done(person, "gotowe")
    assert "mecz: gotowe" in told
    assert "przedział 95 %" in told
    assert re.search(r"od \S?\d,\d{3} do \S?\d,\d{3}", told)
    assert "60 gier, " in told
    assert page.text_content(".curves .axis-name >> nth=0") == "gry"
    person.go("/gallery")
    page.wait_for_selector("h2:has-text('Raporty i tabele')")
