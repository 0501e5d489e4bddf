"""Thinking on the server: who thinks too long or takes too much is stopped, and nobody waits for others in vain."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.belief import marginals
from hiddenhand.belief.marginals import shares_of_worlds
from hiddenhand.core.agent_pool import AgentPool
from hiddenhand.core.game import for_players
from hiddenhand.core.session import Deal, Question, Session
from hiddenhand.core.table import Table
from hiddenhand.core.text import Reader, render
from hiddenhand.web import app as apps
from hiddenhand.web.tables import registry
from hiddenhand.web.workers import pool, scheduler
from hiddenhand.web.workers.fair_queue import FairQueue
from hiddenhand.web.workers.pool import PoolConfig, Preempted, Requester, WorkerPool
from hiddenhand.web.workers.process import TaskResult, WorkerTask
from hiddenhand.web.workers.threads import ThreadLimiter
from web_server import GENEROUS, Site, serving

HOPELESS = "alphabeta:depth=42,table=0"
"""In connect four: it would take years, and no setting is above its ceiling."""

LARGE = '''
"""Agents that take up memory."""

import numpy as np

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.settings import Setting


class Large(Agent):
    """Keeps what it has thought."""

    settings = {"megabytes": Setting(1, "it keeps", low=1), "number": Setting(0, "which of them")}

    def decide(self, view):
        self.kept = np.ones(self.megabytes << 17)
        return Decision(view.legal_actions()[0])
'''


def until(condition, seconds=600):
    """Wait for something to come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def busy(site):
    """What is being thought about."""
    return [pending for pool in site.app.state.tables.scheduler.pools for pending in pool.busy.values()]


def one_turn(page):
    """Play a move, and wait until it is this page's turn again."""
    page.play(page.my_turn())
    page.my_turn()


# ---- time


def test_hopeless_searches_do_not_hold_up_others(tmp_path):
    with serving(tmp_path) as site, ExitStack() as stack:
        other = site.from_address("127.0.0.2")
        for name in ("random", "alphabeta:depth=2"):
            with other.page(other.table("connect_four", f"me {name}")) as page:
                one_turn(page)
        for number in range(24):
            made = site.table("connect_four", f"{HOPELESS} me")
            if number < 8:
                stack.enter_context(site.page(made))
        until(lambda: busy(site))
        for where in (other, site):
            for name in ("random", "alphabeta:depth=2"):
                with where.page(where.table("connect_four", f"me {name}")) as page:
                    one_turn(page)
                    assert busy(site), "answered while the others are still thought about"


def test_who_thinks_too_long_is_stopped_and_people_hear_why(tmp_path):
    with serving(tmp_path, replace(GENEROUS, decision=4, question=3)) as site:
        made = site.table("connect_four", f"{HOPELESS} me")
        with site.page(made) as page:
            assert f"{HOPELESS} took longer than 4 s" in page.hear("error")["text"]
        with site.page(site.table("connect_four", "me random")) as page:
            page.my_turn()
            page.say("advice", agent=HOPELESS)
            assert "took longer than 3 s" in page.hear("error")["text"]
            page.say("advice", agent="alphabeta:depth=1")
            assert page.hear("decision", "error")["type"] == "decision"


def test_agents_among_themselves_leave_a_place_to_people(tmp_path):
    with serving(tmp_path) as site:
        with site.page(site.table("connect_four", "me alphabeta:depth=2")) as page:
            one_turn(page)
        for _ in range(40):
            site.table("connect_four", "alphabeta:time=9 alphabeta:time=9")
        until(lambda: busy(site))
        with site.page(site.table("connect_four", "me alphabeta:time=0.5")) as page:
            one_turn(page)
        assert sum(len(pool.queue) for pool in site.app.state.tables.scheduler.pools) >= 30


def test_what_nobody_waits_for_is_not_thought_about(tmp_path, monkeypatch):
    monkeypatch.setattr(apps, "TIDY_EVERY", 0.2)
    with serving(tmp_path) as site:
        tables = site.app.state.tables
        made = site.table("connect_four", "me random")
        with site.page(made) as page:
            page.my_turn()
            page.say("advice", agent=HOPELESS)
            until(lambda: busy(site))
        until(lambda: not busy(site))
        made = site.table("connect_four", f"{HOPELESS} me")
        with site.page(made) as page:
            until(lambda: busy(site))
            monkeypatch.setattr(registry, "IDLE", 0.5)
            time.sleep(1.5)
            assert busy(site)  # somebody waits
        until(lambda: not busy(site))
        assert tables.live_tables.get(made["table"]) is None or tables.live_tables[made["table"]].worker is None
        with site.page(made) as page:  # who comes back wakes it again
            until(lambda: busy(site))


def test_a_move_that_is_taken_back_is_not_thought_about(tmp_path):
    with serving(tmp_path) as site, site.page(site.table("connect_four", f"me {HOPELESS}")) as page:
        page.play(page.my_turn())
        until(lambda: busy(site))
        page.say("undo")
        frame = page.my_turn()
        assert frame["ply"] == 0
        until(lambda: not busy(site))
        page.play(frame)
        until(lambda: busy(site))


# ---- memory


def resident(process):
    """Megabytes."""
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def test_memory_is_limited(tmp_path):
    (tmp_path / "large.py").write_text(LARGE)
    with serving(tmp_path / "data", replace(GENEROUS, worker_memory=700), allow=[tmp_path]) as site:
        with site.page(site.table("tictactoe", "me large.py:Large:megabytes=2000")) as page:
            page.play(page.my_turn())
            text = page.hear("error")["text"]
            assert "megabytes=2000 needs more than 700 MB of memory" in text
        for number in range(6):
            with site.page(site.table("tictactoe", f"me large.py:Large:megabytes=100,number={number}")) as page:
                one_turn(page)
        workers = [worker for pool in site.app.state.tables.scheduler.pools for worker in pool.workers]
        running = [worker.process for worker in workers if worker.process is not None]
        until(lambda: all(resident(process) <= 350 for process in running))
        assert not any("Large" in key for key in site.app.state.tables.agents.waiting)


def test_the_oldest_agents_are_given_up_first():
    pool, game = AgentPool(), hh.game("tictactoe")
    for depth in (1, 2, 3):
        with pool.lend(game, f"minimax:depth={depth}"):
            pass
    with pool.lend(game, "minimax:depth=1"):
        pass
    assert pool.give_up_oldest()
    assert [key.rpartition("=")[2] for key, agents in pool.waiting.items() if agents] == ["3", "1"]
    assert pool.give_up_oldest()
    assert pool.give_up_oldest()
    assert not pool.give_up_oldest()


def test_solutions_are_kept_as_far_as_memory_allows(monkeypatch):
    from hiddenhand.search import cfr

    monkeypatch.setattr(cfr, "SOLVED", type(cfr.SOLVED)())
    kuhn = hh.game("kuhn")
    size = cfr.solved(kuhn, 1).size
    monkeypatch.setattr(cfr, "MOST_KEPT", 3 * size)
    for iterations in (2, 3, 1, 4):
        cfr.solved(kuhn, iterations)
    assert [key[2] for key in cfr.SOLVED] == [3, 1, 4]


# ---- ceilings


@pytest.mark.parametrize(
    ("game", "agent", "most"),
    [
        ("connect_four", "uct:simulations=1000000000000000", "to 200000"),
        ("connect_four", "uct:time=3600", "to 10"),
        ("connect_four", "alphabeta:table=26", "to 20"),
        ("kuhn", "cfr:iterations=1000000", "to 10000"),
        ("kuhn", "pimc:worlds=1000000", "to 10000"),
        ("snaps", "averaging:time=3600", "to 10"),
    ],
)
def test_strangers_have_ceilings(site, game, agent, most):
    seats = [{"who": "me"}] + [{"who": "agent", "agent": agent}] * (hh.game(game).players - 1)
    refused = site.refused("/api/tables", game=game, seats=seats)
    assert most in refused
    assert agent.partition(":")[2].partition("=")[0] in refused
    assert most in site.refused("/api/lab/match", game=game, agents=[agent] * hh.game(game).players)
    with site.page(site.table(game, " ".join(["me"] + ["random"] * (hh.game(game).players - 1)))) as page:
        page.hear("frame")
        page.say("advice", agent=agent)
        assert most in page.hear("error")["text"]
    assert hh.agent(game, agent.replace("time=3600", "time=11"))  # on one's own machine


# ---- who is next


def test_each_address_and_each_table_has_its_turn():
    queue = FairQueue()
    for table in "xyz":
        for number in range(2):
            queue.add(f"a{table}{number}", "a", table)
    queue.add("bx0", "b", "x")
    queue.remove("az1")
    assert len(queue) == 6
    taken = [queue.take(lambda thing: True) for _ in range(3)]
    queue.add("cx0", "c", "x")
    taken += [queue.take(lambda thing: True) for _ in range(5)]
    assert taken == ["ax0", "bx0", "ay0", "az0", "cx0", "ax1", "ay1", None]
    queue.add("bx1", "b", "x")
    assert queue.take(lambda thing: thing == "nothing") is None
    assert queue.of


class Stub:
    """A worker that answers when it is told to."""

    def __init__(self, *details):
        self.process, self.known, self.used = None, set(), 0.0
        self.go = threading.Event()
        self.at = None

    def start(self):
        pass

    def exchange(self, order):
        go = self.go = threading.Event()
        self.at = order.table
        go.wait(20)
        if self.go is go:
            self.at = None
        return TaskResult(order.table)

    def end(self, seconds=0.0):
        self.at = None
        self.go.set()


class Scene:
    """Tables that ask a pool of stubs."""

    def __init__(self, monkeypatch, places, share, per_address):
        monkeypatch.setattr(pool, "Worker", Stub)
        self.pool = WorkerPool(PoolConfig(places, share, 0, per_address), None, 0)
        self.tasks = {}
        self.slow = set()
        """Tables whose agents are known to be slow by now."""

    async def come(self, address, table, person=False):
        order = WorkerTask("decide", Question([], 0, "somebody", False), table, "kuhn", {}, "", 0, None, False)
        requester = Requester(address, table, lambda: person)
        asked = self.pool.ask(order, requester, 20, lambda: table not in self.slow)
        self.tasks[table] = asyncio.create_task(asked)
        await asyncio.sleep(0)

    async def thinks(self, *tables):
        """Wait until these are thought about, and no others."""
        async with asyncio.timeout(10):
            while {stub.at for stub in self.pool.workers if stub.at} != set(tables):
                await asyncio.sleep(0.01)

    def finish(self, table):
        next(stub for stub in self.pool.workers if stub.at == table).go.set()


def test_people_first_and_a_place_for_others(monkeypatch):
    async def play():
        scene = Scene(monkeypatch, places=3, share=60, per_address=2)
        for number in range(5):
            await scene.come("1.1.1.1", f"agents {number}")
        await scene.thinks("agents 0", "agents 1")
        await scene.come("2.2.2.2", "other")
        await scene.thinks("agents 0", "agents 1", "other")
        for number in range(2):
            await scene.come("1.1.1.1", f"people {number}", person=True)
        scene.finish("agents 0")
        await scene.thinks("people 0", "agents 1", "other")
        assert (await scene.tasks["agents 0"]).value == "agents 0"
        scene.tasks["people 0"].cancel()  # gone while it is thought about
        await scene.thinks("people 1", "agents 1", "other")
        scene.tasks["agents 2"].cancel()  # gone while it waits
        scene.slow.add("agents 3")
        scene.finish("people 1")
        await scene.thinks("agents 4", "agents 1", "other")
        with pytest.raises(Preempted):
            await scene.tasks["agents 3"]
        scene.pool.close()

    asyncio.run(play())


def test_what_cannot_be_read_is_no_reason_to_wait_for_ever(monkeypatch):
    async def play():
        scene = Scene(monkeypatch, places=1, share=60, per_address=1)
        scene.pool.workers[0].exchange = lambda order: {}["nothing"]
        await scene.come("1.1.1.1", "broken")
        with pytest.raises(KeyError):
            await scene.tasks["broken"]
        del scene.pool.workers[0].exchange
        await scene.come("1.1.1.1", "whole")
        await scene.thinks("whole")
        scene.finish("whole")
        assert (await scene.tasks["whole"]).value == "whole"

    asyncio.run(play())


@pytest.mark.parametrize(("failures", "value"), [(1, "at last"), (2, None)])
def test_who_fails_is_asked_once_more_in_a_fresh_process(monkeypatch, failures, value):
    async def play():
        scene = Scene(monkeypatch, places=1, share=60, per_address=1)
        worker, said = scene.pool.workers[0], []

        def exchange(order):
            said.append(order)
            return TaskResult(failure="a traceback") if said.count(order) <= failures else TaskResult("at last")

        worker.exchange, worker.end = exchange, lambda seconds=0.0: said.append("ended")
        await scene.come("1.1.1.1", "unlucky")
        if value is None:
            with pytest.raises(pool.WorkerFailed):
                await scene.tasks["unlucky"]
        else:
            assert (await scene.tasks["unlucky"]).value == value
        assert said[1] == "ended"
        assert len(said) == 3

    asyncio.run(play())


def test_who_has_had_a_share_gives_way_if_others_wait(monkeypatch):
    async def play():
        scene = Scene(monkeypatch, places=1, share=0.5, per_address=1)
        await scene.come("1.1.1.1", "long")
        await asyncio.sleep(1)
        await scene.thinks("long")  # nobody else wants the place
        await scene.come("1.1.1.1", "short")
        await scene.thinks("short")
        with pytest.raises(Preempted, match=r"somebody took longer than 0.5 s while others waited"):
            await scene.tasks["long"]
        scene.finish("short")
        assert (await scene.tasks["short"]).value == "short"
        scene.pool.close()

    asyncio.run(play())


def test_jobs_of_each_address_have_their_turn(tmp_path):
    with serving(tmp_path, replace(GENEROUS, jobs_per_address=3)) as site:
        other, order = site.from_address("127.0.0.2"), {"game": "tictactoe", "agents": ["random", "random"]}
        first = site.post("/api/lab/match", **{**order, "agents": ["alphabeta:time=0.2"] * 2, "games": 1000})["job"]
        mine = [site.post("/api/lab/match", **order)["job"] for _ in range(2)]
        assert "your jobs are waiting" in site.refused("/api/lab/match", 429, **order)
        theirs = other.post("/api/lab/match", **order)["job"]
        until(lambda: site.get(f"/api/lab/jobs/{first}")["state"] == "running")
        site.ask("DELETE", f"/api/lab/jobs/{first}")
        until(lambda: site.get(f"/api/lab/jobs/{theirs}")["state"] == "done")
        assert site.get(f"/api/lab/jobs/{mine[1]}")["state"] in ("waiting", "running")
        until(lambda: site.get(f"/api/lab/jobs/{mine[1]}")["state"] == "done")


# ---- the same answers as ever


@pytest.mark.parametrize("place", ["in processes", "where it is best"])
@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("hanabi", ["trustful", "trustful", "trustful"]),
        ("hanabi", ["hat", "hat", "hat"]),
        ("leduc", ["cfr:iterations=20", "random"]),
        ("connect_four", ["uct:simulations=50", "alphabeta:depth=3"]),
    ],
)
def test_the_same_moves_and_reasons_as_in_one_process(site, monkeypatch, game, agents, place):
    if place == "in processes":
        monkeypatch.setattr(scheduler, "QUICK", -1.0)
    of = for_players(hh.game(game), len(agents))
    here = Session(Deal(of, 7), agents)
    while not here.over:
        seat = here.agent_to_move()
        with here.agents.lend(of, agents[seat]) as agent:
            here.play(here.decide(here.table, agent))
    made = site.table(game, " ".join(agents), seed=7)
    with site.page(made) as page:
        while not page.hear("frame")["over"]:
            pass
        assert site.get(f"/api/tables/{made['table']}/record")["actions"] == here.table.history
        plies = [ply for ply, step in enumerate(here.steps) if step.mover >= 0][:: max(1, len(here.steps) // 4)]
        names = site.app.state.tables.live_tables[made["table"]].names
        for ply in plies:
            page.say("why", ply=ply)
            question = here.ask_why(-1, ply, [])
            with here.agents.lend(of, question.who) as agent:
                told = here.answer(question, agent).to_json()
            assert page.hear("decision")["decision"] == in_english(told, names)


def in_english(decision, names):
    """A decision as JSON, as somebody at the table reads it."""
    return json.loads(json.dumps(render(decision, Reader("en", names))))


def test_a_hidden_question_is_answered_from_the_seat_alone(site):
    made = site.table("hanabi", "me trustful trustful", seed=9, options={"players": 3})
    with site.page(made) as page:
        one_turn(page)
        page.say("advice")
        told = page.hear("decision")
    live = site.app.state.tables.live_tables[made["table"]]
    question = live.session.ask_advice([0])
    assert question.secret
    with AgentPool().lend(live.game, question.who) as agent:
        answer = live.session.answer(question, agent).to_json()
    assert told["decision"] == in_english(answer, live.names)


def test_beliefs_and_what_an_undo_costs_are_worked_out_in_other_processes(site, monkeypatch):
    """Beliefs take hundreds of times as long as a move, and an undo asks every agent that has a memory again."""
    made = site.table("hanabi", "me trustful trustful", seed=9, options={"players": 3}, open=True)
    with site.page(made) as page:
        for _ in range(2):
            page.play(page.my_turn())
        page.my_turn()
        session = site.app.state.tables.live_tables[made["table"]].session
        position = session.true_ply(0, 3)
        told = shares_of_worlds(session.replay(session.table.history[:position]), 0)
        back = session.table_after(session.undo_ply([0]))
        monkeypatch.setattr(marginals, "own_view", in_this_process)
        monkeypatch.setattr(Table, "ask", in_this_process)
        page.say("belief", ply=3)
        found = {thing["name"]: thing["chances"] for thing in page.hear("belief")["things"]}
        assert found == {
            name: [{"what": what, "words": what, "chance": chance} for what, chance in all_of_it]
            for name, all_of_it in told.items()
        }
        page.say("undo")
        page.my_turn()
        assert session.table.history == back.history
        assert back.memory
        assert session.table.memory.keys() == back.memory.keys()
        assert all(np.array_equal(session.table.memory[key], back.memory[key]) for key in back.memory)


def in_this_process(*words, **details):
    raise AssertionError("that belongs into another process")


def test_in_a_lane_each_address_has_its_turn():
    """Whoever asks for much takes no place from others, and who goes while waiting leaves the lane as it was."""

    async def scenario():
        threads, going, done = ThreadLimiter(2, per_address=1), threading.Event(), []

        def work(name):
            if name.startswith("a"):
                going.wait(20)
            done.append(name)

        many = [asyncio.create_task(threads.run(work, f"a{number}", address="a")) for number in range(4)]
        await asyncio.sleep(0)
        many.pop().cancel()
        await asyncio.wait_for(threads.run(work, "b", address="b"), 10)
        assert done == ["b"]
        going.set()
        await asyncio.gather(*many)
        assert done == ["b", "a0", "a1", "a2"]
        await asyncio.sleep(0)
        assert (threads.free, len(threads.queue), dict(threads.taken)) == (2, 0, {})

    asyncio.run(scenario())


# ---- the end


def children(process):
    """All processes that come from this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            found += [int(path.parent.name), *children(int(path.parent.name))]
    return found


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for in /proc")
def test_a_server_that_is_killed_leaves_no_process(tmp_path):
    command = [
        sys.executable,
        "-m",
        "hiddenhand.cli",
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--data",
        str(tmp_path),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        site = Site(process.stdout.readline().split(":")[2].split("/")[0])
        with site.page(site.table("connect_four", f"me {HOPELESS}")) as page:
            page.play(page.my_turn())
            page.hear("thinking")
            site.post("/api/lab/match", game="connect_four", agents=["alphabeta:time=1"] * 2, games=1000)
            until(lambda: len(children(process.pid)) >= 3)
            time.sleep(3)
            left = children(process.pid)
            for child in left:  # they stand back, in the session of the server: Linux weighs sessions first
                assert os.getsid(child) == os.getsid(process.pid)
                helper = b"resource_tracker" in Path(f"/proc/{child}/cmdline").read_bytes()
                assert helper or os.getpriority(os.PRIO_PROCESS, child) > 0
            os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    until(lambda: not any(map(alive, left)))
