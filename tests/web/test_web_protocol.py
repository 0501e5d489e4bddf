"""The server as a page meets it: lobby, tables, seats, moves, time, questions, records."""

from typing import get_args

import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.web.schemas.socket import SocketRequest
from hiddenhand.web.tables.handlers import HANDLERS
from web_server import serving


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables"), gallery=tmp_path_factory.mktemp("gallery")) as site:
        yield site


def test_the_lobby_has_all_games(site):
    games = {game["name"]: game for game in site.get("/api/games")}
    assert {"tictactoe", "hanabi", "dominion", "snaps", "backgammon"} <= set(games)
    hanabi = games["hanabi"]
    assert hanabi["players"] == [2, 5]
    assert hanabi["hidden"]
    assert hanabi["champion"] == "trustful"
    assert hanabi["options"]["rules"]["choices"] == ["lenient", "strict"]
    assert any(agent["name"] == "trustful" and agent["summary"] for agent in hanabi["agents"])
    assert "\n" not in hanabi["about"]
    assert site.get("/api/games/hanabi?players=3")["name"] == "hanabi"
    assert "cards" in site.get("/api/games/dominion/words/Smithy")["meaning"].lower()


def test_a_game_from_the_lobby_to_the_end(site):
    made = site.table("tictactoe", "me random")
    assert [seat["kind"] for seat in made["seats"]] == ["person", "agent"]
    with site.page(made) as page:
        frame = page.my_turn()
        assert frame["seat"] == 0
        assert frame["ply"] == 0
        assert len(frame["actions"]) == 9
        assert frame["picture"]
        page.play(frame)
        last = page.play_on()
        assert last["over"]
        assert sum(last["payoffs"]) == 0
        log = [entry for message in page.sent if message["type"] == "log" for entry in message["entries"]]
        assert [entry["ply"] for entry in log] == list(range(last["ply"]))
    about = site.get(f"/api/tables/{made['table']}")
    assert about["over"]
    assert about["plies"] == last["ply"]
    record = site.get(f"/api/tables/{made['table']}/record")
    assert record["agents"] == ["person", "random"]
    assert [entry["text"] for entry in log] == record["moves"]


def test_two_browsers_at_one_table_and_one_comes_back(site):
    made = site.table("connect_four", "me open")
    friend = made["invite"][0]["token"]
    assert made["invite"][0]["link"] == f"/t/{made['table']}?seat={friend}"
    with site.page(made) as mine:
        mine.play(mine.my_turn(), 3)
        with site.page(made, friend) as other:
            assert other.my_turn()["ply"] == 1
            assert other.sent[0]["type"] == "seats"
            other.say("name", name="Božena")
            while mine.hear("seats")["seats"][1]["name"] != "Božena":
                pass
        while mine.hear("seats")["seats"][1]["connected"]:
            pass
        with site.page(made, friend) as other:  # the page was closed and comes back by its token
            frame = other.my_turn()
            assert frame["ply"] == 1
            other.play(frame, 3)
            assert mine.my_turn()["ply"] == 2
    assert site.get(f"/api/tables/{made['table']}")["seats"][1]["name"] == "Božena"


def test_another_deal_for_the_same(site):
    """Whoever asks first makes the table, the others are told of it; everybody moves on by a seat."""
    made = site.table("kuhn", "me open")
    friend = made["invite"][0]["token"]
    path = f"/api/tables/{made['table']}/next"
    assert "when the game is over" in site.refused(path, token=friend)
    with site.page(made) as mine, site.page(made, friend) as other:
        mine.play(mine.my_turn())
        other.play(other.my_turn())
        while not mine.my_turn()["over"]:
            pass
        assert "only who has played here" in site.refused(path, 403)
        again = site.post(path, token=friend)
        assert mine.hear("next")["next"] == again["table"]
    assert site.post(path, token=made["token"])["table"] == again["table"] != made["table"]
    with site.page(again, friend) as other, site.page(again, made["token"]) as mine:
        assert other.my_turn()["seat"] == 0
        assert mine.hear("frame")["seat"] == 1
    assert [len(result) for result in site.get(f"/api/tables/{again['table']}")["series"]] == [2]
    assert [seat["kind"] for seat in again["seats"]] == ["person", "person"]


def test_an_agent_that_has_to_wait_says_for_what(site, monkeypatch):
    answers = iter(["compiling: 1 of 2", ""])
    monkeypatch.setattr(
        "hiddenhand.core.background_compile.Background.ready_for", lambda self, agent: next(answers, "")
    )
    made = site.table("tictactoe", "me minimax:depth=1")
    with site.page(made) as page:
        page.play(page.my_turn())
        assert page.hear("status")["text"] == "compiling: 1 of 2"
        assert page.my_turn()["ply"] == 2


def test_an_agent_that_gave_up_can_be_asked_again(site, monkeypatch):
    """Whatever it was that took too long, the game need not end with it."""
    scheduler = site.app.state.tables.scheduler
    decide, failures = scheduler.decide, [UserError("it took longer than 60 s")]

    async def failing_once(*words):
        if failures:
            raise failures.pop()
        return await decide(*words)

    monkeypatch.setattr(scheduler, "decide", failing_once)
    made = site.table("tictactoe", "me random")
    with site.page(made) as page, site.page(made, "") as watcher:
        page.play(page.my_turn())
        told = page.hear("error")
        assert (told["text"], told["again"]) == ("it took longer than 60 s", True)
        assert watcher.hear("error")["again"]
        watcher.say("again")
        assert watcher.hear("error") == {
            "type": "error",
            "table": None,
            "text": "you only watch here",
            "again": False,
        }
        page.say("again")
        assert page.my_turn()["ply"] == 2


def test_a_watcher_sees_what_everybody_sees(site):
    made = site.table("tictactoe", "me open")
    with site.page(made, "") as watcher:
        frame = watcher.hear("frame")
        assert frame["seat"] is None
        assert frame["picture"]
        assert frame["actions"] == []
        watcher.say("play", ply=0, action=0)
        assert "only watch" in watcher.hear("error")["text"]
    made = site.table("kuhn", "me open")
    with site.page(made, "") as watcher:
        frame = watcher.hear("frame")
        assert frame["picture"] is None
        assert "screen" not in frame
        watcher.say("look", ply=0, seat=0)
        assert "when the game is over" in watcher.hear("error")["text"]


def test_the_past_and_a_branch(site):
    made = site.table("tictactoe", "me random", seed=5)
    with site.page(made) as page:
        last = page.play_on()
        page.say("look", ply=1)
        then = page.hear("frame")
        assert (then["ply"], then["past"], then["actions"]) == (1, True, [])
        assert then["last"]["seat"] == 0
        page.say("look", ply=1, seat=1)
        assert page.hear("frame")["seat"] == 1
        page.say("look", ply=99)
        assert "plies so far" in page.hear("error")["text"]
    branch = site.post(
        f"/api/tables/{made['table']}/branch", ply=2, seats=[{"who": "me"}, {"who": "agent", "agent": "random"}]
    )
    with site.page(branch) as page:
        assert page.my_turn()["ply"] == 2
    assert last["ply"] > 2


def test_advice_reasons_and_the_tree(site):
    made = site.table("tictactoe", "me alphabeta")
    with site.page(made) as page:
        frame = page.my_turn()
        page.say("advice", agent="minimax")
        advice = page.hear("decision")
        assert (advice["asked"], advice["agent"], advice["ply"]) == ("advice", "minimax", 0)
        assert advice["decision"]["alternatives"]
        page.play(frame)
        page.my_turn()
        page.say("why", ply=1)
        answer = page.hear("decision")
        assert answer["asked"] == "why"
        log = [entry for message in page.sent if message["type"] == "log" for entry in message["entries"]]
        assert answer["decision"]["text"] == log[1]["text"]  # the very move that it played
        page.say("tree", ply=2, agent="alphabeta:depth=2")
        assert page.hear("tree")["svg"].startswith("<svg")
        page.say("why", ply=77)
        assert "plies so far" in page.hear("error")["text"]


def test_undo_as_in_the_terminal(site):
    made = site.table("tictactoe", "me random")
    with site.page(made) as page:
        frame = page.my_turn()
        page.say("undo")
        assert "nothing to take back" in page.hear("error")["text"]
        page.play(frame, 4)
        page.my_turn()
        page.say("undo")
        assert page.hear("log")["entries"] == []
        frame = page.hear("frame")
        assert frame["ply"] == 0
        assert len(frame["actions"]) == 9
        page.play(frame, 0)
        assert page.my_turn()["ply"] == 2
    made = site.table("hanabi", "me trustful", seed=3)
    with site.page(made) as page:
        page.play(page.my_turn(), 0)
        page.my_turn()
        page.say("undo")
        assert "your move stands" in page.hear("error")["text"]
    made = site.table("battleship", "me random", seed=3)
    with site.page(made) as page:
        page.play(page.my_turn())
        page.my_turn()
        page.say("undo")  # placing a ship tells nothing: it may be taken back
        assert page.hear("frame")["ply"] == 0


def test_people_do_not_lose_moves_to_the_undo_of_others(site):
    made = site.table("tictactoe", "me open")
    with site.page(made) as mine, site.page(made, made["invite"][0]["token"]) as other:
        mine.play(mine.my_turn(), 0)
        other.play(other.my_turn(), 4)
        mine.my_turn()
        mine.say("undo")
        assert "somebody has moved since" in mine.hear("error")["text"]


def test_one_person_in_every_seat(site):
    made = site.table("kuhn", "me me", seed=1)
    with site.page(made) as page:
        frame = page.my_turn()
        assert frame["seat"] == 0
        page.play(frame)
        frame = page.my_turn()
        assert frame["seat"] == 1
        heard = next(m for m in reversed(page.sent) if m["type"] == "log")
        assert heard["from"] == 0  # as that seat heard it, from the start
        page.play(frame)
        assert page.play_on()["over"]


def test_records_go_out_and_come_in(site):
    made = site.table("connect_four", "random random", seed=4)
    with site.page(made, "") as page:
        while not page.hear("frame")["over"]:
            pass
    record = site.get(f"/api/tables/{made['table']}/record")
    kept = site.post("/api/records", **record)
    assert kept["over"]
    assert site.get(f"/api/tables/{kept['table']}/record")["actions"] == record["actions"]
    half = site.post("/api/records", **{**record, "actions": record["actions"][:5], "payoffs": None})
    with site.page({"table": half["table"]}, "") as page:
        assert page.hear("frame")["ply"] == 5
        page.say("play", ply=5, action=0)
        assert "branch" in page.hear("error")["text"]
    assert "breaks the rules" in site.refused("/api/records", **{**record, "actions": [0] * 30})
    assert "not a hiddenhand record" in site.refused("/api/records", a=1)


def test_hanabi_in_the_form_of_hanab_live(site):
    made = site.table("hanabi", "random random random", seed=11, options={"players": 3, "rules": "strict"})
    with site.page(made, "") as page:
        while not page.hear("frame")["over"]:
            pass
    ours = site.get(f"/api/tables/{made['table']}/record")
    theirs = site.get(f"/api/tables/{made['table']}/record?form=hanab.live")
    assert len(theirs["deck"]) == 50
    kept = site.post("/api/records", **theirs)
    again = site.get(f"/api/tables/{kept['table']}/record")
    assert again["actions"] == ours["actions"]
    assert again["moves"] == ours["moves"]
    assert again["payoffs"] == ours["payoffs"]
    assert site.post("/api/records", **again)["over"]  # with its deck, in our own form
    assert site.get(f"/api/tables/{kept['table']}/record?form=hanab.live")["deck"] == theirs["deck"]
    branch = site.post(f"/api/tables/{kept['table']}/branch", ply=3)
    with site.page(branch) as page:
        assert page.hear("frame")["ply"] == 3
    assert "50 cards" in site.refused("/api/records", **{**theirs, "deck": theirs["deck"][:49]})
    assert "variant" in site.refused("/api/records", **{**theirs, "options": {"variant": "Rainbow (6 Suits)"}})
    assert "breaks the rules" in site.refused("/api/records", **{**theirs, "actions": [{"type": 0, "target": 49}]})


def test_a_test_bench_shows_everything(site):
    made = site.table("kuhn", "me random", open=True)
    with site.page(made) as page:
        frame = page.my_turn()
        page.say("look", ply=frame["ply"], seat=1, open=True)
        shown = page.hear("frame")
        assert shown["picture"]["mine"] != frame["picture"]["mine"]
        assert "Beginner sees" in shown["open_text"]
        page.say("why", ply=0)
        assert "no decision" in page.hear("error")["text"]
    assert int(site.get(f"/api/tables/{made['table']}/record")["seed"]) >= 2**128


def test_secrets_stay_until_the_end(site):
    for game in ("leduc", "backgammon"):  # with the seed, the dice to come would be known
        made = site.table(game, "me random")
        answer = site.ask("GET", f"/api/tables/{made['table']}/record")
        assert answer.status_code == 403
        assert "when the game is over" in answer.json()["error"]
        assert "when the game is over" in site.refused(f"/api/tables/{made['table']}/branch", 403, ply=1)
    made = site.table("hanabi", "me cheater")
    with site.page(made) as page:
        page.my_turn()
        page.say("advice", agent="cheater")
        assert "hidden cards" in page.hear("error")["text"]
        page.say("look", ply=0, seat=1)
        assert "other people's cards" in page.hear("error")["text"]


def test_the_gallery(site):
    folder = site.app.state.gallery
    (folder / "figure_one.svg").write_text("<svg/>")
    (folder / "secret.py").write_text("x")
    (folder / ".hidden.png").write_text("x")
    shown = site.get("/api/lab/gallery")
    assert [(exhibit["name"], exhibit["kind"]) for exhibit in shown] == [("figure_one.svg", "picture")]
    answer = site.ask("GET", shown[0]["href"])
    assert answer.text == "<svg/>"
    assert "sandbox" in answer.headers["content-security-policy"]
    for path in ("secret.py", ".hidden.png", "../tables.sqlite", "%2e%2e/tables.sqlite", "/etc/passwd"):
        assert site.ask("GET", f"/api/lab/gallery/{path}").status_code == 404


def test_the_page_is_served_for_every_address(site):
    for path in ("/", "/t/abc?seat=xyz", "/lab"):
        answer = site.ask("GET", path)
        assert answer.headers["content-type"].startswith("text/html")
        assert "script" not in answer.headers["content-security-policy"]
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert site.ask("GET", "/nothing.js").status_code == 404
    assert site.ask("GET", "/api/nothing").status_code == 404


def test_an_invented_game_is_no_leak_of_files(site):
    assert "unknown game" in site.refused("/api/tables", game="chess960")
    assert "files are not opened" in site.refused("/api/tables", game="tree", options={"file": "/etc/passwd"})
    assert "files are not opened" in site.refused("/api/tables", game="tree", options={"file": "Makefile"})
    assert site.table("tree", options={"file": "coin"})["table"]
    seats = [{"who": "me"}, {"who": "agent", "agent": "menu:@/etc/passwd"}]
    assert "files are not opened" in site.refused("/api/tables", game="dominion", seats=seats)


def test_a_refused_thing_is_answered_with_its_reason(site):
    """Pressing what no move is about now, or writing a move that the rules refuse, tells the reason."""
    made = site.table("connect_four", "me me", seed=1)
    with site.page(made) as page:
        for _ in range(6):
            page.play(page.my_turn(), 3)
        frame = page.my_turn()
        page.say("press", thing="4")
        assert page.hear("error")["text"] == "4 is not legal: the column is full"
        page.say("write", ply=frame["ply"], text="4")
        assert "the column is full" in page.hear("error")["text"]
        page.say("write", ply=frame["ply"], text="5")
        assert page.my_turn()["ply"] == frame["ply"] + 1


def test_mistakes_are_told_in_plain_words(site):
    answer = site.ask("POST", "/api/tables", json={"game": "kuhn", "seed": "x"})
    assert answer.json()["error"] == "seed must be a whole number"
    answer = site.ask("POST", "/api/tables", json={"seats": []})
    assert answer.json()["error"] == "game is missing"


def test_every_request_of_a_page_has_a_handler():
    assert set(HANDLERS) == set(get_args(SocketRequest))
