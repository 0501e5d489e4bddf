"""Seeing, understanding and looking back in a browser: the pace of moves, replay, hints and chances on the board,
the guide, the review, a series of deals, and the page in another language."""

import pytest

from browsing import Person
from hiddenhand.core.errors import UserError

PACE = "localStorage.setItem('hiddenhand.pace', '{}')"


def paced(browser, site, milliseconds, **details):
    person = Person(browser, site, **details)
    person.context.add_init_script(PACE.format(milliseconds))
    return person


def finish(person):
    person.play_by_clicks(lambda someone: someone.press(".drawing [data-action]"))


def plies_seen(person, until):
    """The plies that were drawn, one after the other, until a condition holds."""
    return person.page.evaluate(
        """async ([until]) => {
            const seen = [];
            for (let i = 0; i < 600; i++) {
                const text = document.querySelector('.clock output').innerText;
                if (text !== seen.at(-1)) seen.push(text);
                if (new RegExp(until).test(text)) return seen;
                await new Promise((done) => setTimeout(done, 20));
            }
            return seen;
        }""",
        [until],
    )


def test_each_move_of_another_is_seen(browser, site):
    person = paced(browser, site, 500)
    person.sit(site.table("hanabi", "me simple_distrustful simple_distrustful", options={"players": 3}, seed=3))
    person.my_turn()
    person.page.locator(".move-list button", has_text="discard 1").click()
    seen = plies_seen(person, "^3 ")
    assert [text.split(" / ")[0] for text in seen][-3:] == ["1", "2", "3"], "no move is skipped"
    person.page.wait_for_selector(".status.mine")
    person.close()


def test_computers_are_watched_from_their_first_move(browser, site):
    made = site.table("connect_four", "random random", seed=5)
    person = paced(browser, site, 200)
    person.go(f"/t/{made['table']}")
    person.page.wait_for_selector(".drawing > *")
    seen = plies_seen(person, "^([0-9]+) / \\1$")
    assert int(seen[0].split(" / ")[0]) < 6
    assert len(seen) > 6
    person.page.wait_for_selector(".outcome")
    bottom = person.page.evaluate("() => document.querySelector('.log-panel').getBoundingClientRect().bottom")
    assert bottom <= 900, "the newest line of the log is within the window"
    person.close()


def test_replay_with_play_and_pause(person, site):
    person.sit(site.table("tictactoe", "me random", seed=5))
    finish(person)
    person.page.evaluate(PACE.format(150))
    person.page.keyboard.press("p")
    person.wait_for("() => /^2 /.test(document.querySelector('.clock output').innerText)")
    person.page.keyboard.press("p")
    where = person.ply()
    person.page.wait_for_timeout(500)
    assert person.ply().split(" / ")[0] in (where.split(" / ")[0], "3")
    person.page.keyboard.press("p")
    person.page.wait_for_selector(".outcome")


def test_a_hint_glows_on_the_board(person, site):
    person.sit(site.table("connect_four", "me alphabeta:depth=2", seed=1))
    person.page.keyboard.press("h")
    person.page.wait_for_selector(".drawing .advised")
    assert person.page.query_selector(".why .verdict")
    person.press(".drawing .advised")
    assert person.page.query_selector(".drawing .advised") is None


@pytest.mark.parametrize(
    ("game", "seats", "options", "mark"),
    [
        ("battleship", "me random", {"size": 6, "ships": 2}, ".heat"),
        ("leduc", "me random", {}, ".bars .bar"),
    ],
)
def test_chances_are_shown_on_the_board(person, site, game, seats, options, mark):
    person.sit(site.table(game, seats, options=options, seed=8))
    for _ in range(2 if game == "battleship" else 0):
        person.my_turn()
        person.press(".drawing [data-action]")
    person.my_turn()
    person.page.keyboard.press("c")
    person.page.wait_for_selector(f".drawing {mark}")


def test_a_game_is_reviewed(person, site):
    """The person throws a won game away; the review says where, and what was best."""
    person.sit(site.table("tictactoe", "me alphabeta", seed=1))
    for cell in ("a1", "b1", "c2"):
        if not person.my_turn():
            break
        person.page.keyboard.press("m")
        person.page.keyboard.type(cell)
        person.page.keyboard.press("Enter")
        person.page.wait_for_timeout(150)
        person.page.keyboard.press("Escape")
    finish(person)
    person.page.keyboard.press("r")
    person.page.wait_for_selector(".review .judged")
    person.wait_for("() => !document.querySelector('.review progress')")
    assert "lost" in person.page.inner_text(".outcome b").lower()
    assert person.page.locator(".judged-line").count()
    assert "best was" in person.page.inner_text(".judged-line >> nth=0")
    person.page.click(".judged-line button >> nth=0")
    assert "Looking back" in person.status()
    judged = int(person.page.inner_text(".judged-line .log-ply >> nth=0"))
    person.page.keyboard.press("End")
    person.wait_for("() => !document.querySelector('.status').innerText.includes('Looking back')")
    person.page.click(".judged-line >> nth=0 >> text=why?")
    person.page.wait_for_selector(".why .verdict")
    assert person.ply().startswith(f"{judged - 1} /"), "the board shows the moment at which it was chosen"


@pytest.mark.parametrize("seats", ["me me", "me random"])
def test_a_double_click_is_one_move(person, site, seats):
    person.sit(site.table("tictactoe", seats, seed=4))
    person.page.dblclick(".drawing [data-name='b2']")
    person.wait_for("() => document.querySelector('.clock output').innerText >= '1'")
    assert person.my_turn()
    assert person.page.locator(".error").count() == 0
    assert person.page.evaluate("() => String(getSelection())") == ""
    person.press(".drawing [data-action]")
    assert person.page.locator(".error").count() == 0


def test_an_opponent_that_gave_up_is_asked_again(person, site, monkeypatch):
    scheduler = site.app.state.tables.scheduler
    decide, failures = scheduler.decide, [UserError("it took longer than 60 s")]

    async def failing_once(*words):
        if failures:
            raise failures.pop()
        return await decide(*words)

    monkeypatch.setattr(scheduler, "decide", failing_once)
    person.sit(site.table("tictactoe", "me random"))
    person.my_turn()
    person.page.click(".drawing [data-name='b2']")
    person.page.click(".error >> text=Ask it again")
    person.wait_for("() => document.querySelector('.clock output').innerText.startsWith('2')")
    assert person.page.locator(".error").count() == 0


def test_a_press_without_a_line_says_that_nothing_was_sent(person, site):
    person.sit(site.table("tictactoe", "me me"))
    person.my_turn()
    state = "Object.defineProperty(WebSocket.prototype, 'readyState', {configurable: true, get: () => 3})"
    person.page.evaluate(f"() => {{ {state} }}")
    person.page.click(".drawing [data-name='a1']")
    assert "nothing was sent" in person.page.inner_text(".error")


def test_how_to_play_is_told_in_place(person, site):
    person.sit(site.table("snaps", "me rules rules rules", seed=2))
    person.page.keyboard.press("g")
    person.page.wait_for_selector(".guide h2, .guide h3")
    text = person.page.inner_text(".guide").lower()
    assert "trumf" in text
    assert "sumec" in text


def test_what_was_hidden_is_shown_at_the_end(person, site):
    person.sit(site.table("battleship", "me random", options={"size": 6, "ships": 1}, seed=4))
    while person.my_turn():
        assert person.page.locator(".board-figure:nth-of-type(2) .has-ship").count() == 0
        person.press(".drawing [data-action]")
    ships = person.page.locator(".board-figure .has-ship, .board-figure .has-hit, .board-figure .has-sunk").count()
    assert ships == 4, "both destroyers"


def test_a_series_keeps_its_score(person, site):
    made = site.table("kuhn", "me random", seed=5)
    person.sit(made)
    finish(person)
    person.page.keyboard.press("n")
    person.page.wait_for_url(lambda url: not url.endswith(made["table"]))
    person.page.wait_for_selector(".series")
    assert "1 deal" in person.page.inner_text(".series")
    finish(person)
    assert "2 deals" in person.page.inner_text(".series")


def test_the_tab_says_whose_turn_it_is(person, site):
    person.sit(site.table("tictactoe", "me random", seed=5))
    person.my_turn()
    assert "Your turn" in person.page.title()


def test_a_refused_server_is_asked_again(person, site):
    person.go("/t/aaaaaaaaaaaa")
    person.page.wait_for_selector(".narrow h1")
    assert "There is no such table" in person.page.inner_text("h1")
    person.troubles.clear()  # the browser itself says that the answer was 404


@pytest.mark.parametrize(
    ("language", "game", "seats", "words"),
    [
        ("pl", "hanabi", "me trustful", ("Wskazówka", "Twój ruch")),
        ("sk", "snaps", "me rules rules rules", ("Rada", "Si na ťahu")),
    ],
)
def test_the_page_in_another_language(browser, site, language, game, seats, words):
    options = {"players": 2} if game == "hanabi" else {}
    person = Person(browser, site, locale=language)
    person.sit(site.table(game, seats, options=options, seed=2))
    person.page.wait_for_selector(".status.mine")
    text = person.page.inner_text("#page")
    for word in words:
        assert word in text
    person.page.select_option("select.language", "en")
    person.wait_for("() => document.querySelector('.status')?.innerText === 'Your turn'")
    assert person.page.get_attribute("html", "lang") == "en"
    person.close()
