"""What visitors bring: checked with line and column, kept, played; refused where the owner or a limit says so."""

import json
import time
from dataclasses import replace

import pytest

from hanabi_tables import hanabi_record
from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.games.hanabi.rules import DISCARD
from hiddenhand.planning.worlds import models, world_file
from hiddenhand.web.uploads.kinds import KINDS, read_kinds
from hiddenhand.web.uploads.store import UploadStore
from own_files import NIM, TREE
from web_server import GENEROUS, serving

WORLD = world_file("tiger").read_text()
MODEL = models()["tiger"].read_text()
MENU = "# one Witch\nProvince, Gold, Witch up to 1, Silver\n"


def check(site, kind, text):
    return site.post("/api/own/check", kind=kind, text=text)


def found(site, kind, text):
    """Line, column, severity and message of what is found first."""
    first = check(site, kind, text)["findings"][0]
    return first["line"], first["column"], first["severity"], first["message"]


def lines_of(text):
    return text.split("\n")


# ---- checking


@pytest.mark.parametrize(
    ("kind", "text", "features"),
    [
        ("svarog", WORLD, {"players": "1", "states": "10"}),
        ("pomdp", MODEL, {"states": "tiger-left, tiger-right", "discount": "0.95"}),
        ("tree", TREE, {"players": "2", "nodes": "13", "leaves": "9"}),
        ("menu", MENU, {"game": "Dominion"}),
    ],
)
def test_a_sound_text_is_summed_up(site, kind, text, features):
    checked = check(site, kind, text)
    assert not [one for one in checked["findings"] if one["severity"] == "error"]
    assert features.items() <= {one["what"]: one["text"] for one in checked["features"]}.items()


def test_a_syntax_error_of_a_world_has_its_place(site):
    lines = lines_of(WORLD)
    number = next(i for i, line in enumerate(lines) if "payoff" in line)
    lines[number] = lines[number].replace("payoff", "pay off", 1)
    line, column, severity, message = found(site, "svarog", "\n".join(lines))
    assert (line, severity) == (number + 1, "error")
    assert column == lines[number].index("pay off") + 1
    assert "expected" in message


def test_the_checks_of_a_world_are_found_too(site):
    at = WORLD.index("0.85")
    place = WORLD.count("\n", 0, at) + 1
    wrong = check(site, "svarog", WORLD.replace("0.85", "0.55", 1))["findings"]
    assert wrong[0]["severity"] == "error"
    assert "sum to" in wrong[0]["message"]
    assert abs(wrong[0]["line"] - place) < 5
    unused = WORLD.replace("values {", "values {\n    value unheard_of;", 1)
    line, column, severity, message = found(site, "svarog", unused)
    assert (severity, message) == ("warning", 'the value "unheard_of" is never used')
    assert lines_of(unused)[line - 1][column - 1 :].startswith("unheard_of")


@pytest.mark.parametrize(
    ("kind", "text", "place", "message"),
    [
        ("tree", "(max\n  (min 3 oops)\n  2)", (2, 10), "expected a number, [payoffs] or (, found 'oops'"),
        ("tree", "(A 1 (D 2 3))", (1, 6), "player D moves, but the payoffs are for 2 players"),
        ("tree", "", (1, 1), "expected a number"),
        ("pomdp", "discount: 2\n", (1, 11), "the discount must be from 0 to 1, not 2"),
        ("pomdp", MODEL.replace("0.85 0.15", "0.85 0.05", 1), (14, 1), "sums to 0.9, not to 1"),
        ("menu", "Province,\nGoold", (2, 1), 'there is no card "Goold" (did you mean Gold?)'),
        ("menu", "Province, Sentry, Feast", (1, 1), "both editions"),
        ("record", '{"format": "hiddenhand record",\n "game" 3}', (2, 9), "not valid JSON"),
        ("record", "[" * 5000, (1, 1), "nested too deeply"),
        ("hanab.live", '{"deck": []}', (1, 1), "'players' is missing"),
    ],
)
def test_a_mistake_has_its_line_and_column(site, kind, text, place, message):
    line, column, severity, told = found(site, kind, text)
    assert (line, column) == place
    assert severity == "error"
    assert message in told


def test_what_is_too_large_is_refused_with_a_sentence(site):
    """A short text can describe more than anybody has room for."""
    many = ", ".join(f"v{i}" for i in range(40))
    variables = "".join(f"    input variable x{i}:{{{many}}};\n" for i in range(6))
    world = WORLD.replace("values {", f"values {{ value {many};", 1)
    world = world.replace("variables {\n", f"variables {{\n{variables}", 1)
    assert "more than 4000000 states" in found(site, "svarog", world)[3]
    chain = "discount: 0.9\nstates: 6000\nactions: 1\nobservations: 1\nT: * identity\nO: * uniform\n"
    assert "it is too large to be played here: it has 6,000 states" in found(site, "pomdp", chain)[3]
    model = "discount: 0.9\nstates: 1000000\nactions: 1000\nobservations: 2\nT: * uniform\n"
    assert "needs more than 768 MB of memory" in found(site, "pomdp", model)[3]
    assert not check(site, "tree", TREE)["findings"], "the next text is read as ever"


def test_reading_ends_when_it_takes_too_long(tmp_path):
    slow = "discount: 0.9\nstates: 20000\nactions: 1\nobservations: 1\n" + "T: * identity\n" * 4000
    with serving(tmp_path, limits=replace(GENEROUS, reading=0.5)) as site:
        assert "takes longer than 0.5 s" in found(site, "pomdp", slow)[3]
        assert not check(site, "tree", TREE)["findings"]


def test_the_reader_is_there_before_it_is_needed_and_goes_afterwards(site, monkeypatch):
    checker = site.app.state.uploads.checker
    checker.worker.end()
    site.get("/api/own/examples")
    for _ in range(600):
        if checker.worker.process is not None:
            break
        time.sleep(0.1)
    assert checker.worker.process.is_alive()
    checker.tidy()
    assert checker.worker.process is not None
    monkeypatch.setattr("hiddenhand.web.uploads.worker.UNUSED", 0.0)
    checker.tidy()
    assert checker.worker.process is None
    assert not check(site, "tree", TREE)["findings"]


def test_what_takes_long_to_read_is_not_kept(tmp_path):
    """The server itself would have to read it again."""
    with serving(tmp_path, limits=replace(GENEROUS, opening=0.01)) as site:
        text = world_file("dorban").read_text()
        assert not [one for one in check(site, "svarog", text)["findings"] if one["severity"] == "error"]
        told = site.refused("/api/own", kind="svarog", text=text, name="x")
        assert told == "line 1, column 1: reading it takes longer than 0.01 s; make it smaller"


# ---- bringing


def brought(site, kind, text, name="mine"):
    return site.post("/api/own", kind=kind, text=text, name=name)


@pytest.mark.parametrize(
    ("kind", "text", "bars"), [("svarog", WORLD, True), ("pomdp", MODEL, True), ("tree", TREE, False)]
)
def test_a_game_that_was_brought_is_played(site, kind, text, bars):
    made = brought(site, kind, text, "My own_game")
    assert made["title"] == "My own game"
    assert made["game"].endswith(f"/My_own_game.{kind}")
    assert made["game"] not in [game["name"] for game in site.get("/api/games")], "it is not for everybody"
    info = site.get(f"/api/games/{made['game'].replace('/', '%2F')}")
    assert info["title"] == "My own game"
    if kind == "svarog":  # the page says what it says in the world's own words
        assert info["words"]["pl"]["I listen"] == "Słucham"
    table = site.table(made["game"])
    with site.page(table) as page:
        frame = page.my_turn()
        kinds = {block["kind"] for block in frame["picture"].values()}
        assert ("chances" if bars else "tree") in kinds
        page.say("advice")
        assert page.hear("decision")["decision"]["alternatives"]
        page.play(frame)
        assert page.my_turn()["ply"] > frame["ply"]


def test_a_menu_leads_to_a_table_against_it(site):
    made = brought(site, "menu", MENU)
    assert made["game"] == "dominion"
    assert made["agent"] == "menu:Province, Gold, Witch up to 1, Silver"
    seats = [{"who": "me"}, {"who": "agent", "agent": made["agent"]}]
    table = site.post("/api/tables", game="dominion", options=made["options"], seats=seats)
    assert table["seats"][1]["agent"] == made["agent"]


def test_a_text_with_a_mistake_is_not_kept(site, tmp_path):
    assert site.refused("/api/own", kind="tree", text="(max 1", name="x").startswith("line 1, column 7: expected")


def test_the_owner_decides_what_is_brought(tmp_path):
    with serving(tmp_path, bring=["tree"]) as site:
        assert site.get("/api/own/examples")["kinds"] == ["tree"]
        assert {one["kind"] for one in site.get("/api/own/examples")["examples"]} == {"tree"}
        game = brought(site, "tree", TREE)["game"]
        for kind in set(KINDS) - {"tree"}:
            assert "takes no" in site.refused("/api/own/check", status=403, kind=kind, text="")
            assert "takes no" in site.refused("/api/own", status=403, kind=kind, text="", name="x")
        record = resolver.game("tictactoe").deal(seed=0).record().to_json()
        assert "takes no record" in site.refused("/api/records", status=403, **record)
        assert "takes no hanab.live" in site.refused("/api/records", status=403, deck=[])
    with serving(tmp_path, bring=[]) as site:
        assert "files are not opened here" in site.refused("/api/tables", game=game)


def test_kinds_are_read_as_they_are_written():
    assert read_kinds("tree, svarog") == ("svarog", "tree")
    assert read_kinds("none") == ()
    assert read_kinds(",".join(KINDS)) == KINDS
    with pytest.raises(UserError, match="did you mean svarog"):
        read_kinds("swarog")
    with pytest.raises(UserError, match="say what visitors may bring"):
        read_kinds(" ")
    with pytest.raises(UserError, match="nobody can bring 'py'"):
        read_kinds("py")


def test_a_number_of_thousands_of_digits_is_refused_in_a_sentence(site):
    """Python reads none, and speaks of its own settings."""
    text = '{"format": "hiddenhand record", "seed": ' + 60_000 * "1" + "}"
    told = found(site, "record", text)[3]
    assert told == "this record has a number with too many digits; a seed is the longest number of a record"
    answer = site.ask("POST", "/api/records", content=text, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "limit (4300 digits)" not in answer.text


@pytest.mark.parametrize("name", ["../up", "a/b", "a\\b", ".hidden", "a.py", "", " ", "x" * 41, "a\nb", "\ud800"])
def test_names_are_no_paths(site, name):
    body = json.dumps({"kind": "tree", "text": TREE, "name": name})
    answer = site.ask("POST", "/api/own", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "order",
    [
        {"kind": "tree", "text": "1" * (64 * 1024 + 1)},
        {"kind": "tree", "text": "€" * (30 * 1024)},
        {"kind": "py", "text": NIM},
        {"kind": "tree", "text": "(max 1 \ud800)"},
        {"kind": "tree", "text": 5},
        {"kind": "tree"},
        {"kind": "tree", "text": TREE, "more": 1},
    ],
)
def test_what_is_no_order_is_refused(site, order):
    for path in ("/api/own/check", "/api/own"):
        answer = site.ask("POST", path, content=json.dumps(order), headers={"content-type": "application/json"})
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]


def test_nothing_that_is_brought_is_run(site, tmp_path):
    """A program among the texts stays a text, whatever it is called."""
    trace = tmp_path / "trace"
    program = f"from pathlib import Path\nPath({str(trace)!r}).touch()\n{NIM}"
    for kind in KINDS:
        assert found(site, kind, program)[2] == "error"
        if kind in ("svarog", "pomdp", "tree", "menu"):
            assert site.refused("/api/own", kind=kind, text=program, name="nim")
    assert not trace.exists()


# ---- keeping


def test_a_table_is_playable_after_a_restart(tmp_path):
    with serving(tmp_path) as site:
        table = site.table(brought(site, "svarog", WORLD, "river")["game"])
        with site.page(table) as page:
            page.play(page.my_turn())
            ply = page.my_turn()["ply"]
    resolver.FILE_GAMES.clear()
    with serving(tmp_path) as site, site.page(table) as page:
        frame = page.my_turn()
        assert frame["ply"] == ply
        page.play(frame)
        assert page.my_turn()["ply"] == ply + 1


def texts_in(folder, **limits):
    return UploadStore(folder, ["tree"], **{"most": 3, "most_bytes": 1000, **limits})


def keep(texts, text, used=()):
    game = texts.keep(texts.path("tree", "x", text), text, used)
    time.sleep(0.02)  # files have an age
    return game


def test_texts_are_bounded_in_number_and_the_oldest_unused_go(tmp_path):
    texts = texts_in(tmp_path)
    needed = keep(texts, "(max 1 1)")
    second, third = keep(texts, "(max 1 2)"), keep(texts, "(max 1 3)")
    assert keep(texts, "(max 1 2)") == second, "it lies there already, and is young again"
    fourth = keep(texts, "(max 1 4)", used={needed})
    left = {f"{path.parent.name}/{path.name}" for path in texts.all()}
    assert left == {needed, second, fourth}
    assert third not in left
    with pytest.raises(UserError, match="as many texts of visitors as it can"):
        keep(texts, "(max 1 5)", used=left)


def test_texts_are_bounded_in_bytes(tmp_path):
    texts = texts_in(tmp_path, most_bytes=30)
    keep(texts, "(max 1 1)")
    keep(texts, "(max 2 2)     ")
    keep(texts, "(max 3 3)            ")
    assert sum(path.stat().st_size for path in texts.all()) <= 30
    assert len(texts.all()) == 1


def test_a_table_keeps_its_text(tmp_path):
    with serving(tmp_path, limits=replace(GENEROUS, texts=1)) as site:
        first = brought(site, "tree", TREE)["game"]
        assert brought(site, "tree", "(max 1 2)")["game"] != first
        assert "files are not opened here" in site.refused("/api/tables", game=first), "no table needed it"
        second = brought(site, "tree", "(max 1 2)")["game"]
        site.table(second)
        assert "tables need all of them" in site.refused("/api/own", status=503, kind="tree", text=TREE, name="x")
        site.table(second)


def test_too_often_is_refused(tmp_path):
    from hiddenhand.web.security.limits import Rate

    with serving(tmp_path, limits=replace(GENEROUS, checks=Rate(0.001, 2), creations=Rate(0.001, 1))) as site:
        for _ in range(2):
            check(site, "tree", TREE)
        assert "too many" in site.refused("/api/own/check", status=429, kind="tree", text=TREE)
        brought(site, "tree", TREE)
        assert "too many" in site.refused("/api/own", status=429, kind="tree", text=TREE, name="x")


def test_examples_are_sound(site):
    listed = site.get("/api/own/examples")
    assert listed["kinds"] == list(KINDS)
    assert {one["kind"] for one in listed["examples"]} == {"svarog", "pomdp", "tree", "menu"}
    for one in listed["examples"]:
        errors = [f for f in check(site, one["kind"], one["text"])["findings"] if f["severity"] == "error"]
        assert errors == [], one["name"]


def downloads(site, record):
    """The two downloads of a Hanabi game that was brought."""
    table = site.post("/api/records", **record.to_json())["table"]
    return table, *(site.ask("GET", f"/api/tables/{table}/record{form}") for form in ("", "?form=hanab.live"))


def test_the_downloads_of_a_hanabi_game_are_told_apart(site):
    table, ours, theirs = downloads(site, hanabi_record(rules="strict"))
    assert f'"hanabi-{table}.json"' in ours.headers["content-disposition"]
    assert f'"hanabi-{table}.hanab.live.json"' in theirs.headers["content-disposition"]
    assert check(site, "record", ours.text)["findings"] == []
    assert check(site, "hanab.live", theirs.text)["findings"] == []
    assert site.post("/api/records", **theirs.json())["plies"] == len(ours.json()["actions"])


def test_an_export_that_hanab_live_forbids_says_so(site):
    _, ours, theirs = downloads(site, hanabi_record(first=DISCARD))
    assert ours.status_code == 200
    assert theirs.status_code == 400
    assert theirs.json()["error"] == "hanab.live forbids move 1, a discard with all 8 hint tokens there"
