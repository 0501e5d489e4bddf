"""The laboratory over HTTP: every kind of experiment, what is refused, what is kept, what can be taken away."""

import csv
import io
import json
import time

import pytest

from hiddenhand.web.lab.saved import CUT_SHORT, SavedExperiments
from hiddenhand.web.schemas.lab import ExperimentInfo
from hiddenhand.web.tables.store import EXPERIMENTS
from lab_game import HIGHER
from web_server import serving

SECONDS = 1000
"""Until an experiment must be over: code is compiled in its process."""

ORDERS = {
    "match": {"agents": ["bold:boldness=0.9", "random"], "games": 300, "seating": "duplicate"},
    "tournament": {"agents": ["bold", "bold:boldness=1.0", "random"], "games": 60},
    "train": {"learner": "learned", "games": 4000},
    "tune": {"agent": "bold", "evaluations": 8, "games": 20},
    "evolve": {"model": "genes", "opponents": ["random"], "generations": 5, "mutants": 3, "runs": 2},
}
AGENTS = {
    "train": "learned:file={job}/trained.npz",
    "tune": "bold:boldness=",
    "evolve": "gene:",
    "precalculate": "planner:knowledge={job}/knowledge.svarog",
}
"""Who plays what was found."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A server whose owner allows a game that offers everything to the laboratory."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "higher.py").write_text(HIGHER)
    with serving(tmp_path_factory.mktemp("data"), allow=[folder]) as site:
        site.folder = folder
        yield site


def over(site, job):
    """An experiment once it is done with."""
    end = time.monotonic() + SECONDS
    while (told := site.get(f"/api/lab/jobs/{job}"))["state"] in ("waiting", "running"):
        assert time.monotonic() < end, told
        time.sleep(0.1)
    return told


def run(site, kind, **order):
    told = over(site, site.post(f"/api/lab/{kind}", **order)["job"])
    assert told["state"] == "done", told
    return told


@pytest.fixture(scope="module")
def done(lab):
    """One experiment of each kind."""
    found = {kind: run(lab, kind, game="higher.py", seed=1, **order) for kind, order in ORDERS.items()}
    found["precalculate"] = run(lab, "precalculate", game="tiger", depth=3, granularity=3)
    return found


# ---- each kind


@pytest.mark.parametrize("kind", [*ORDERS, "precalculate"])
def test_every_kind_has_a_result_and_curves(lab, done, kind):
    told = done[kind]
    assert told["kind"] == kind
    assert told["result"] is not None
    assert told["headline"]
    assert told["done"] == told["total"]
    for curve in told["curves"]:
        steps = [point[0] for point in curve["points"]]
        assert steps == sorted(steps)
        assert curve["across"]
        assert curve["upwards"]
    assert len(told["curves"][0]["points"]) >= 2
    assert str(lab.folder) not in json.dumps(told)
    assert EXPERIMENTS not in json.dumps(told), "where it lies is nobody's business"


@pytest.mark.parametrize("kind", ["match", "tournament", "train", "tune", "evolve"])
def test_measured_curves_have_intervals(done, kind):
    for _, value, low, high in done[kind]["curves"][0]["points"][1:]:
        assert low <= value <= high


def test_a_match_is_what_the_command_prints(lab, done):
    import hiddenhand as hh

    order = ORDERS["match"]
    printed = hh.match(str(lab.folder / "higher.py"), order["agents"], games=300, seed=1, duplicate=True).to_json()
    result = done["match"]["result"]
    for name in ("seats", "moves", "metrics", "games", "seating"):
        assert result[name] == printed[name]
    mean = result["seats"][0]["mean"]
    last = done["match"]["curves"][0]["points"][-1]
    assert last == pytest.approx([300, mean, *result["seats"][0]["ci95"]])
    assert done["match"]["histogram"]["best"] == [1.0, 1.0]
    assert len(done["match"]["records"]) == 6


def test_training_tuning_and_evolution_find_something(done):
    assert done["train"]["result"]["mean"] > 0.3
    assert done["evolve"]["result"]["wins"] > 0.4
    assert len(done["evolve"]["curves"]) == 2
    tried, best = done["tune"]["curves"]
    assert [point[1] for point in best["points"]][-1] == max(point[1] for point in tried["points"])


@pytest.mark.parametrize("kind", AGENTS)
def test_what_was_found_can_be_played_with(lab, done, kind):
    told = done[kind]
    agent = told["agent"]
    assert agent.startswith(AGENTS[kind].format(job=told["job"]))
    players = 1 if kind == "precalculate" else 2
    seats = [{"who": "agent", "agent": agent}] * players
    made = lab.post("/api/tables", game=told["game"], seats=seats)
    assert EXPERIMENTS not in json.dumps(made), "where it lies is nobody's business"
    again = run(lab, "match", game=told["game"], agents=[agent] * players, games=2, records=1)
    assert EXPERIMENTS not in json.dumps(again)
    assert again["records"][0]["agents"] == [agent] * players


# ---- whose they are


def test_only_who_began_an_experiment_or_the_owner_stops_it(lab):
    order = {"game": "connect_four", "agents": ["alphabeta:time=1"] * 2, "games": 1000}
    visitor, other = lab.from_address("127.0.0.2"), lab.from_address("127.0.0.3")
    first, second = (visitor.post("/api/lab/match", **order) for _ in range(2))
    path = f"/api/lab/jobs/{first['job']}"
    for told in ({}, {"token": second["token"]}):
        answer = other.ask("DELETE", path, json=told)
        assert (answer.status_code, "only who has begun" in answer.text) == (403, True)
    assert visitor.get(path)["state"] in ("waiting", "running")
    assert first["token"] not in json.dumps([other.get(path), other.get("/api/lab/jobs")])
    assert visitor.ask("DELETE", path, json={"token": first["token"]}).json()["state"] == "stopped"
    assert lab.ask("DELETE", f"/api/lab/jobs/{second['job']}").json()["state"] == "stopped"


def test_what_a_visitor_brought_is_not_listed_for_others(lab):
    visitor, other = lab.from_address("127.0.0.2"), lab.from_address("127.0.0.3")
    game = visitor.post("/api/own", kind="tree", text="(max 1 (min 4 2))")["game"]
    job = visitor.post("/api/lab/match", game=game, agents=["random"] * 2, games=2)["job"]
    for _ in range(2):  # while it waits or is worked on, and afterwards
        assert game not in json.dumps(other.get("/api/lab/jobs"))
        assert job in [each["job"] for each in lab.get("/api/lab/jobs")]
        assert over(visitor, job)["state"] == "done"


# ---- what a game offers


def test_only_what_a_game_declares_is_offered(lab):
    offered = lab.get("/api/lab/games/higher.py")
    assert offered["kinds"] == ["match", "tournament", "train", "tune", "evolve", "solve", "exploitability"]
    assert offered["tunable"] == [{"agent": "bold", "parameters": ["boldness"]}]
    assert offered["learners"][0]["step"] == 500
    assert lab.get("/api/lab/games/tictactoe")["kinds"] == ["match", "tournament"]
    assert lab.get("/api/lab/games/tiger")["kinds"] == ["match", "tournament", "precalculate"]
    hanabi = lab.get("/api/lab/games/hanabi?players=2")
    assert [one["name"] for one in hanabi["learners"]] == ["reinforced"]
    assert "trustful" in [one["agent"] for one in hanabi["tunable"]]
    dominion = lab.get("/api/lab/games/dominion")
    assert {"ranks", "seasonal", "menu"} <= {one["name"] for one in dominion["models"]}
    assert dominion["opponent"] == "bigmoney"


@pytest.mark.parametrize(
    ("kind", "order", "words"),
    [
        (
            "train",
            {"game": "tictactoe", "learner": "clever"},
            "has no learner 'clever'; learners: dmc, mmd, nashpg, ppo",
        ),
        ("train", {"game": "higher.py", "learner": "learned", "games": 10}, "games must be at least 500"),
        ("train", {"game": "higher.py", "learner": "learned", "teacher": "random"}, "without a teacher"),
        ("train", {"game": "snaps", "learner": "imitation", "teacher": "nobody"}, "unknown agent 'nobody'"),
        ("train", {"game": "higher.py", "learner": "learned", "games": 10**7}, "at most 500000"),
        ("tune", {"game": "higher.py", "agent": "random"}, "no parameters that could be tuned"),
        ("tune", {"game": "tictactoe", "agent": "minimax"}, "no parameters that could be tuned"),
        ("tune", {"game": "higher.py", "agent": "bold", "evaluations": 1}, "at least 2"),
        ("evolve", {"game": "higher.py", "model": "gems", "opponents": ["random"]}, "did you mean genes?"),
        ("evolve", {"game": "higher.py", "model": "genes", "opponents": []}, "too few entries: at least 1"),
        ("evolve", {"game": "higher.py", "model": "genes", "opponents": ["nobody"]}, "unknown agent 'nobody'"),
        ("evolve", {"game": "higher.py", "model": "genes", "opponents": ["random"], "polish": 1}, "be polished"),
        ("precalculate", {"game": "tictactoe"}, "is no world of the Svarog language"),
        ("precalculate", {"game": "tiger", "depth": 50}, "at most 12"),
        ("match", {"game": "higher.py", "agents": ["learned:file=../../etc/passwd"] * 2}, "there is no file"),
        ("match", {"game": "higher.py", "agents": ["random"] * 2, "surprise": 1}, "surprise is not known here"),
        ("match", {"game": "higher.py", "agents": ["random"] * 2, "games": "7"}, "a whole number"),
    ],
)
def test_orders_that_are_refused(lab, kind, order, words):
    assert words in lab.refused(f"/api/lab/{kind}", **order)


def test_an_unknown_kind(lab):
    assert "does not know 'sorcery'" in lab.refused("/api/lab/sorcery", 404, game="tictactoe")


def test_without_allow_experiments_open_nothing_else(site):
    agents = ["reinforced:file=/etc/passwd", "random"]
    assert "files are not opened here" in site.refused("/api/lab/match", game="hanabi", agents=agents)


# ---- stopping, and the end of the server


LONG = {"game": "connect_four", "agents": ["alphabeta:time=0.2"] * 2, "games": 5000}


def test_an_experiment_that_is_stopped_keeps_what_it_had(lab):
    job = lab.post("/api/lab/match", **LONG)["job"]
    end = time.monotonic() + SECONDS
    while not lab.get(f"/api/lab/jobs/{job}")["result"]:
        assert time.monotonic() < end
        time.sleep(0.2)
    assert lab.ask("DELETE", f"/api/lab/jobs/{job}").json()["state"] == "stopped"
    until_kept(lab, job)
    told = lab.get(f"/api/lab/jobs/{job}")
    assert told["state"] == "stopped"
    assert 0 < told["result"]["games"] < 5000
    assert lab.ask("DELETE", f"/api/lab/jobs/{job}").json()["state"] == "stopped"


def until_kept(site, job):
    end = time.monotonic() + SECONDS
    while job in site.app.state.jobs.jobs:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_experiments_outlive_the_server(tmp_path):
    with serving(tmp_path) as site:
        first = run(site, "match", game="tictactoe", agents=["random", "random"], games=20)
        second = site.post("/api/lab/match", **LONG)["job"]
        end = time.monotonic() + SECONDS
        while site.get(f"/api/lab/jobs/{second}")["state"] != "running":
            assert time.monotonic() < end
            time.sleep(0.05)
        third = site.post("/api/lab/match", **LONG)["job"]
    with serving(tmp_path) as site:
        assert site.get(f"/api/lab/jobs/{first['job']}") == first
        cut = site.get(f"/api/lab/jobs/{second}")
        assert (cut["state"], cut["error"]) == ("stopped", CUT_SHORT)
        assert cut["order"]["agents"] == LONG["agents"], "it can be run again"
        assert site.ask("GET", f"/api/lab/jobs/{third}").status_code == 404, "it had not begun"
        assert [one["job"] for one in site.get("/api/lab/jobs")] == [second, first["job"]]
        again = run(site, "match", **{**first["order"]})
        assert again["result"]["seats"] == first["result"]["seats"]


def kept(job, when, state="done", **more):
    summary = {"job": job, "kind": "match", "game": "tictactoe", "title": "Tic-tac-toe", "when": when, "state": state}
    return ExperimentInfo.model_validate({**summary, "order": {}, **more})


def test_a_killed_server_has_cut_its_work_short(tmp_path):
    before = SavedExperiments(tmp_path)
    before.write(kept("aaaa", 1.0, "running", done=3))
    after = SavedExperiments(tmp_path)
    assert after.read("aaaa").state == "stopped"
    assert after.listed["aaaa"].state == "stopped"


def test_experiments_are_bounded_in_number_and_bytes(tmp_path):
    shelf = SavedExperiments(tmp_path, most=3, most_bytes=20_000)
    for number in range(5):
        shelf.write(kept(f"job{number}", float(number)))
        shelf.enter(kept(f"job{number}", float(number)))
    shelf.tidy(spared=["job0"])
    assert list(shelf.listed) == ["job0", "job3", "job4"]
    (shelf.place("job4") / "trained.npz").write_bytes(b"0" * 20_000)
    shelf.enter(kept("job4", 4.0))
    shelf.tidy(spared=["job4"])
    assert list(shelf.listed) == ["job4"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job4"]


def test_too_large_files_are_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr("hiddenhand.web.lab.saved.MOST_BYTES_OF_ONE", 10)
    shelf = SavedExperiments(tmp_path)
    shelf.write(kept("aaaa", 1.0))
    (tmp_path / "aaaa" / "trained.npz").write_bytes(b"0" * 11)
    assert shelf.files("aaaa") == []
    assert not (tmp_path / "aaaa" / "trained.npz").exists()


def test_a_damaged_account_costs_only_itself(tmp_path):
    shelf = SavedExperiments(tmp_path)
    for job in ("aaaa", "bbbb"):
        shelf.write(kept(job, 1.0))
    (tmp_path / "aaaa" / "experiment.json").write_bytes(b'{"job": "aa')
    assert list(SavedExperiments(tmp_path).listed) == ["bbbb"]


def test_a_full_disk_costs_the_account_and_not_the_result(tmp_path, monkeypatch):
    def full(self, experiment):
        raise OSError(28, "No space left on device")

    with serving(tmp_path) as site:
        monkeypatch.setattr(SavedExperiments, "write", full)
        told = run(site, "match", game="tictactoe", agents=["random", "random"], games=20)
        assert told["result"]["games"] == 20
        assert site.get(f"/api/lab/jobs/{told['job']}")["state"] == "done"


def test_time_ends_for_an_experiment(tmp_path, monkeypatch):
    monkeypatch.setattr("hiddenhand.web.lab.queue.LONGEST", 3.0)
    with serving(tmp_path) as site:
        told = over(site, site.post("/api/lab/match", **LONG)["job"])
    assert told["state"] == "stopped"
    assert "it took longer than" in told["error"]


# ---- taking it away


def test_downloads(lab, done):
    for kind, told in done.items():
        place = f"/api/lab/jobs/{told['job']}"
        whole = lab.ask("GET", f"{place}/experiment.json")
        assert "attachment" in whole.headers["content-disposition"]
        assert whole.json() == told
        rows = list(csv.DictReader(io.StringIO(lab.ask("GET", f"{place}/table.csv").text)))
        assert len(rows) == {"match": 2, "tournament": 3}.get(kind, 1)
        points = list(csv.DictReader(io.StringIO(lab.ask("GET", f"{place}/curves.csv").text)))
        assert len(points) == sum(len(curve["points"]) for curve in told["curves"])
        for file in told["files"]:
            answer = lab.ask("GET", f"{place}/files/{file['name']}")
            assert len(answer.content) == file["size"]
    names = {kind: [file["name"] for file in told["files"]] for kind, told in done.items()}
    assert names["match"] == []
    assert names["train"] == ["trained.csv", "trained.npz", "trained.png"]
    assert "evolved.genome" in names["evolve"]
    assert "knowledge.svarog" in names["precalculate"]


@pytest.mark.parametrize("name", ["experiment.json", "../tables.sqlite", "..%2ftables.sqlite", "nothing", ".part"])
def test_no_other_file_is_given_away(lab, done, name):
    answer = lab.ask("GET", f"/api/lab/jobs/{done['train']['job']}/files/{name}")
    assert answer.status_code == 404
    assert lab.ask("GET", "/api/lab/jobs/abcdef/files/trained.npz").status_code == 404


def test_a_spreadsheet_runs_nothing():
    from hiddenhand.web.lab.routes import as_csv

    text = as_csv([{"agent": "=cmd()", "mean": -1.5}, {"agent": "@x", "mean": None}])
    assert text.splitlines() == ["agent,mean", "'=cmd(),-1.5", "'@x,"]


def test_where_nobody_is_played_against_only_the_score_counts(lab, done):
    assert done["match"]["opponents"]
    alone = run(lab, "match", game="tiger", agents=["planner:depth=2"], games=5)
    assert not alone["opponents"]
    assert alone["histogram"]["best"][0] >= alone["result"]["seats"][0]["mean"]
