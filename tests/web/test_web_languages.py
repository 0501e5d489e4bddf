"""The server answers in the language of whoever asks, with the names of the players at the table."""

import json
from contextlib import contextmanager

import pytest
from websockets.sync.client import connect

from hiddenhand.core.text import Reader, Seat, Text
from hiddenhand.web.errors import for_strangers
from hiddenhand.web.schemas.base import drawn, words_of
from hiddenhand.web.schemas.lab import ExperimentInfo
from web_server import serving


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables")) as site:
        yield site


@contextmanager
def page_in(site, made, language):
    """What a page is sent that has joined a table in a language, by the types of the messages."""
    with connect(f"ws://{site.address}/ws?language={language}") as wire:
        wire.send(json.dumps({"type": "join", "table": made["table"], "token": made["token"]}))
        yield wire


def hear(wire, kind):
    while (message := json.loads(wire.recv(60)))["type"] != kind:
        pass
    return message


@pytest.mark.parametrize(("language", "title"), [("en", "Tic-tac-toe"), ("pl", "Kółko i krzyżyk")])
def test_the_lobby(site, language, title):
    for details in ({"headers": {"accept-language": f"{language},en;q=0.5"}}, {"params": {"language": language}}):
        games = site.ask("GET", "/api/games", **details).json()
        assert next(game["title"] for game in games if game["name"] == "tictactoe") == title


def test_a_game_with_options_in_a_language(site):
    game = site.ask("GET", "/api/games/hanabi?players=4&language=pl").json()
    assert game["name"] == "hanabi"
    english = site.get("/api/games/hanabi?players=4")
    assert game["about"] != english["about"]


def test_what_is_wrong(site):
    told = {
        language: site.ask("GET", "/api/tables/nosuchtable", params={"language": language}).json()["error"]
        for language in ("en", "pl", "sk")
    }
    assert told["en"] == "there is no table 'nosuchtable'"
    assert len(set(told.values())) == 3
    wrong = site.ask("POST", "/api/tables", json={"game": "kuhn", "colour": 1}, headers={"accept-language": "pl"})
    assert "colour" in wrong.json()["error"]
    assert "is not known here" not in wrong.json()["error"]


def test_two_people_at_a_table_read_two_languages(site):
    made = site.table("tictactoe", "me me")
    with page_in(site, made, "pl") as polish, page_in(site, made, "sk") as slovak:
        assert [seat["name"] for seat in hear(polish, "seats")["seats"]] == ["Gracz 1", "Gracz 2"]
        assert [seat["name"] for seat in hear(slovak, "seats")["seats"]] == ["Hráč 1", "Hráč 2"]
        hear(polish, "frame"), hear(slovak, "frame")
        polish.send(json.dumps({"type": "play", "table": made["table"], "ply": 0, "action": 4}))
        told = [hear(wire, "log")["entries"][0] for wire in (polish, slovak)]
        assert told[0]["verb"] == told[1]["verb"] == "mark"
        assert told[0]["objects"] == told[1]["objects"] == ["b2"]
        assert told[0]["words"] != told[1]["words"]
        polish.send(json.dumps({"type": "play", "table": made["table"], "ply": 7, "action": 4}))
        assert hear(polish, "error")["text"].startswith("za późno")


def test_a_move_may_be_written_as_it_is_shown(site):
    made = site.table("kuhn", "me me", seed=2)
    with page_in(site, made, "pl") as wire:
        frame = hear(wire, "frame")
        move = frame["actions"][0]
        assert move["text"] != move["verb"]
        wire.send(
            json.dumps({"type": "write", "table": made["table"], "ply": frame["ply"], "text": move["text"].upper()})
        )
        assert hear(wire, "log")["entries"][-1]["verb"] == move["verb"]


def test_a_picture_keeps_the_names_of_its_things():
    picture = {"cards": [{"name": Text("your sea"), "words": Text("your sea"), "mark": ""}]}

    class Info:
        context = Reader("pl")
        mode = "json"

    shown = drawn(picture, Info)["cards"][0]
    assert shown["name"] == "your sea"
    assert type(shown["name"]) is str
    assert shown["words"] == dict(words_of(picture))["your sea"].render(Reader("pl")) != "your sea"


def test_an_experiment_keeps_its_templates_on_disk():
    known = {"job": "a1b2c3", "kind": "match", "game": "kuhn", "when": 0.0, "state": "done", "order": {}}
    before = ExperimentInfo(title="Kuhn poker", headline="of before", **known)
    assert ExperimentInfo.model_validate_json(before.model_dump_json()) == before
    headline = Text("{agent} is the best: {mean:.3f}", agent="cfr", mean=0.5)
    found = ExperimentInfo.model_validate_json(ExperimentInfo(title="", headline=headline, **known).model_dump_json())
    assert found.headline == headline
    assert json.loads(found.written(Reader("pl")))["headline"] != str(headline)


def test_what_names_files_is_a_text_all_the_same():
    class Files:
        def told(self, text):
            return text.replace("/home/ann/", "")

    error = Text("{path} cannot be read: {why}", path="/home/ann/a.svarog", why=Text("it is not text"))
    told = for_strangers(Files(), error)
    assert told == "a.svarog cannot be read: it is not text"
    assert told.render(Reader("pl")) != told
    assert for_strangers(Files(), Text("{who} waits", who=Seat(1))).values["who"] == Seat(1)
