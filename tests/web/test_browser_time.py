"""Time and reasons in a real browser: replay, branch and return, explanations, two browsers at one table."""

import json

from browsing import Person


def marks(person):
    return person.page.locator(".drawing .mark").count()


def moves(person, count):
    for _ in range(count):
        assert person.my_turn()
        person.press(".drawing [data-action]")
    person.my_turn()


def test_two_clicks_start_a_game(person):
    person.go("/")
    person.page.click("[data-game=connect_four]")
    person.page.click("text=Start")
    person.page.wait_for_selector(".drawing [data-action]")
    assert person.status() == "Your turn"
    assert "seat=" not in person.page.url


def test_replay_branch_and_return(person, site):
    made = site.table("tictactoe", "me random", seed=5)
    person.sit(made)
    moves(person, 2)
    assert marks(person) == 4
    person.page.keyboard.press("Home")
    person.wait_for("() => document.querySelectorAll('.drawing .mark').length === 0")
    assert "Looking back" in person.status()
    assert person.page.query_selector(".move-list") is None
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("ArrowRight")
    person.wait_for("() => document.querySelectorAll('.drawing .mark').length === 2")
    person.page.locator(".log button").nth(0).click()
    person.wait_for("() => document.querySelectorAll('.drawing .mark').length === 1")
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("b")
    person.page.click("dialog .primary")
    person.page.wait_for_url(lambda url: not url.endswith(made["table"]))
    person.page.wait_for_selector(".status.mine")
    assert person.ply() == "2 / 2"
    moves(person, 1)
    person.page.click(".table-head a")
    person.page.wait_for_url(f"**/t/{made['table']}?ply=2")
    person.wait_for("() => document.querySelectorAll('.drawing .mark').length === 2")
    assert person.ply() == "2 / 4"
    person.page.keyboard.press("End")
    person.wait_for("() => document.querySelectorAll('.drawing .mark').length === 4")
    person.play_by_clicks(lambda someone: someone.press(".drawing [data-action]"))


def test_another_deal_is_one_key_away(person, site):
    made = site.table("tictactoe", "me random", seed=5)
    person.sit(made)
    person.play_by_clicks(lambda someone: someone.press(".drawing [data-action]"))
    assert "three in a row" in person.page.text_content(".outcome") or "full" in person.page.text_content(".outcome")
    person.page.keyboard.press("n")
    person.page.wait_for_url(lambda url: not url.endswith(made["table"]))
    person.page.wait_for_selector(".status.mine")
    assert marks(person) == 1, "the other begins this time"
    assert "2 deals" not in person.page.inner_text(".series")
    moves(person, 1)
    assert marks(person) == 3


def test_an_explanation_and_why_not(person, site):
    person.sit(site.table("connect_four", "me alphabeta:depth=4", seed=1))
    moves(person, 1)
    person.page.keyboard.press("w")
    person.page.wait_for_selector(".why .verdict")
    assert "alphabeta:depth=4 chose" in person.page.inner_text(".verdict")
    assert person.page.locator(".reasons li").count() > 0
    assert person.page.locator(".ranking .bar").count() == 7
    other = person.page.locator(".ranking button:not(.best)").first
    name = other.locator(".rank-text").inner_text()
    other.click()
    assert name in person.page.inner_text(".why-not")
    person.page.click(".why .row button >> nth=1")
    person.page.wait_for_selector(".tree-picture img")
    assert person.page.evaluate("() => document.querySelector('.tree-picture img').naturalWidth") > 0
    person.page.keyboard.press("Escape")
    person.page.click("text=why not…?")
    person.page.locator(".move-list button").nth(0).click()
    person.page.wait_for_selector(".why-not")
    assert "A hint" in person.page.inner_text(".why")
    assert "1" in person.page.inner_text(".why-not")
    assert person.ply() == "2 / 2", "to ask about a move is not to play it"


def test_a_hint_in_hanabi_and_empathy(person, site):
    person.sit(site.table("hanabi", "me trustful", options={"players": 2}, seed=7))
    person.page.keyboard.press("h")
    person.page.wait_for_selector(".why .reasons li")
    faces = person.page.locator(".hand:not(.mine) .face").count()
    assert faces == 5
    person.page.keyboard.press("e")
    person.wait_for("() => document.querySelectorAll('.hand:not(.mine) .back').length === 5")
    person.page.keyboard.press("e")
    person.wait_for("() => document.querySelectorAll('.hand:not(.mine) .face').length === 5")


def test_seen_by_another_after_the_game(person, site):
    person.sit(site.table("blind_tictactoe", "me random", seed=2))
    assert person.page.query_selector(".seen-by") is None
    person.play_by_clicks(lambda someone: someone.press(".drawing [data-action]"))
    known = marks(person)
    person.page.keyboard.press("ArrowLeft")
    person.page.select_option(".seen-by select", "1")
    person.wait_for("() => /You are O/.test(document.querySelector('.drawing').innerText)")
    assert marks(person) < known, "at the end all marks are shown, before it those that were known"


def test_two_browsers_at_one_table(browser, site):
    """One leaves in the middle and comes back without the link; a third looks on and learns nothing hidden."""
    made = site.table("leduc", "me open")
    host, friend = Person(browser, site), Person(browser, site)
    host.sit(made)
    host.page.keyboard.press("l")
    host.page.wait_for_selector("dialog[open]")
    host.page.keyboard.press("Escape")
    friend.sit(made, made["invite"][0]["token"])
    assert "seat=" not in friend.page.url
    assert host.my_turn()
    host.press("[data-action]")
    friend.page.wait_for_selector(".status.mine")
    mine = friend.page.inner_text(".card-row:last-of-type .playing-card")
    friend.page.close()
    host.page.wait_for_selector(".seats .away")
    friend.open(f"/t/{made['table']}")
    friend.page.wait_for_selector(".status.mine")
    assert friend.page.inner_text(".card-row:last-of-type .playing-card") == mine
    assert host.page.query_selector(".seats .away") is None
    watcher = Person(browser, site)
    watcher.go(f"/t/{made['table']}")
    watcher.page.wait_for_selector(".watcher")
    assert watcher.page.locator(".playing-card").count() == 0
    while not (host.over() and friend.over()):
        for someone in (host, friend):
            if someone.page.query_selector(".status.mine") and not someone.over():
                someone.press("[data-action]")
        host.page.wait_for_timeout(20)
    assert host.log()[-1].split()[-1] == friend.log()[-1].split()[-1]
    for someone in (host, friend, watcher):
        someone.close()


def test_a_record_is_saved_and_opened_again(person, site, tmp_path):
    person.sit(site.table("tictactoe", "me random", seed=5))
    person.play_by_clicks(lambda someone: someone.press(".drawing [data-action]"))
    person.page.keyboard.press("l")
    with person.page.expect_download() as waiting:
        person.page.click("dialog a[download]")
    path = tmp_path / "record.json"
    waiting.value.save_as(path)
    assert json.loads(path.read_text())["game"] == "tictactoe"
    person.go("/")
    person.page.set_input_files("input[type=file]", str(path))
    person.page.wait_for_url("**/t/*")
    person.page.wait_for_selector(".outcome")
