"""Sequence forms: by a walk through all histories and by lists of sequences, the same numbers."""

from time import time_ns

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import game
from hiddenhand.search import MirrorDescent, RegretMinimiser, evaluate
from hiddenhand.search.solving.history_walk import build_sequence_form, estimated_histories
from hiddenhand.search.solving.strategy import sequence_form
from hiddenhand.search.solving.world_lists import build_from_worlds

# The mover names one of six cells; if the other holds it, only the mover learns that. Two cells side by side in a row
# of three win. In the abrupt game a refusal ends the turn.
PHANTOM = """
import numpy as np
from hiddenhand.core.extras import PrivateFields
from hiddenhand.core.game import define
from hiddenhand.kernel import OVER, record_type, rule

CELLS = 6
STATE = record_type([
    ("marks", "i8", (2,)), ("tried", "i1", (2, CELLS)), ("count", "i1", (2,)), ("mover", "i1"), ("winner", "i1"),
])
VIEW = record_type([("mine", "i8"), ("tried", "i1", (CELLS,)), ("count", "i1"), ("mover", "i1"), ("winner", "i1")])

@rule
def deal(s, rng):
    s.mover = 0
    s.winner = -1
    for seat in range(2):
        s.marks[seat] = 0
        s.count[seat] = 0
        for i in range(CELLS):
            s.tried[seat, i] = 9

@rule
def turn(s):
    if s.winner >= 0 or s.marks[0] + s.marks[1] == 63:
        return OVER
    return np.int64(s.mover)

@rule
def legal(s, out):
    n, me = 0, s.mover
    for cell in range(CELLS):
        known = False
        for i in range(s.count[me]):
            known = known or s.tried[me, i] == cell
        if not known:
            out[n] = cell
            n += 1
    return n

@rule
def play(s, action, rng):
    me = s.mover
    s.tried[me, s.count[me]] = action
    s.count[me] += 1
    if s.marks[1 - me] >> action & 1:
        if ABRUPT:
            s.mover = 1 - me
        return
    s.marks[me] |= 1 << action
    for left in (0, 1, 3, 4):
        if s.marks[me] >> left & 3 == 3:
            s.winner = me
    s.mover = 1 - me

@rule
def payoff(s, out):
    out[0] = 0.0 if s.winner < 0 else 1.0 - 2.0 * s.winner
    out[1] = -out[0]

@rule
def observe(s, seat, view):
    view.mine = s.marks[seat]
    view.count = s.count[seat]
    view.mover = s.mover
    view.winner = s.winner
    for i in range(CELLS):
        view.tried[i] = s.tried[seat, i]

@rule
def redeal(s, seat, rng):
    pass

GAME = define(
    "phantom", title="A small phantom game", state=STATE, view=VIEW,
    rules=(deal, turn, legal, play, payoff, observe, redeal), hidden=True, most_actions=CELLS, longest=12,
    extras=(PrivateFields(("tried", "count")),),
)
"""


def phantom(folder, abrupt):
    path = folder / "phantom.py"
    path.write_text(f"# {time_ns()}\nABRUPT = {abrupt}\n{PHANTOM}")
    return game(str(path))


@pytest.mark.parametrize("abrupt", [False, True])
def test_lists_of_sequences_give_what_the_walk_gives(abrupt, tmp_path):
    of = phantom(tmp_path, abrupt)
    walked, listed = build_sequence_form(of), build_from_worlds(of)
    assert (walked.infos, walked.sequences, walked.histories) == (listed.infos, listed.sequences, listed.histories)
    assert set(walked.keys.tolist()) == set(listed.keys.tolist())
    policy = walked.normalised(np.random.default_rng(8).random(walked.sequences))
    moved = listed.uniform()
    for info in range(walked.infos):
        other = listed.number(walked.seat_of(info), walked.views[info])
        assert np.array_equal(walked.actions[walked.slots(info)], listed.actions[listed.slots(other)])
        moved[listed.slots(other)] = policy[walked.slots(info)]
    one, other = evaluate(walked, policy), evaluate(listed, moved)
    assert one.values == pytest.approx(other.values, abs=1e-12)
    assert one.best == pytest.approx(other.best, abs=1e-12)
    # regret matching breaks ties by the last digit; mirror descent does not
    for method, iterations, gap in ((MirrorDescent, 100, None), (RegretMinimiser, 200, 0.02)):
        solvers = method(walked), method(listed)
        for solver in solvers:
            solver.run(iterations)
        gaps = [evaluate(solver.form, solver.strategy()).exploitability for solver in solvers]
        assert gaps[0] == pytest.approx(gaps[1], abs=1e-9) if gap is None else max(gaps) < gap
    assert sequence_form(of).arrays.listed.size > 0, "a game that declares private fields is built by lists"
    with pytest.raises(UserError, match=r"needs more than the 0\.0 GB of memory"):
        build_from_worlds(of, memory=100_000)


def test_histories_are_estimated():
    form = sequence_form(game("leduc"))
    assert estimated_histories(game("leduc")) == pytest.approx(form.histories, rel=0.1)
    with pytest.raises(UserError, match=r"about \d\.\de\+\d+ finished histories: its sequence form needs about"):
        build_sequence_form(game("battleship"))


def test_an_agent_is_asked_at_every_information_set():
    """`random` says its chances; asked what it plays, it is found out between the two bounds."""
    exact = hh.exploitability("kuhn", "random")
    assert float(exact) == exact.low == exact.high == pytest.approx(11 / 24)
    assert exact.values == pytest.approx([0.125, -0.125])
    assert exact.exact
    assert hh.nash_conv("kuhn", "random") == pytest.approx(11 / 12)
    response = hh.best_response("kuhn", "random")
    assert hh.value("kuhn", [response, "random"])[0] == pytest.approx(exact.best[0])
    assert hh.value("kuhn", ["random", response])[1] == pytest.approx(exact.best[1])
    sampled = [hh.exploitability("kuhn", Coin(hh.game("kuhn")), asked=20, seed=seed) for seed in range(20)]
    assert not any(one.exact for one in sampled)
    means = np.mean([(one.low, one.high) for one in sampled], axis=0)
    assert means[0] < float(exact) < means[1] < float(exact) + 0.1
    with pytest.raises(UserError, match="one agent for all seats, or one for each of the 2 seats"):
        hh.exploitability("kuhn", ["random"] * 3)


def test_a_local_best_response_gains_no_more_than_a_best_response():
    found = hh.exploitability("kuhn", "random", by="local", games=2000)
    assert 0.3 < float(found) < 11 / 24 + 0.05
    assert found.low < float(found) < found.high
    assert "exploitability at least" in str(found)


class Coin(hh.Agent):
    """Like `random`, but it does not say so."""

    name = "coin"

    def decide(self, view):
        actions = view.legal_actions()
        return hh.Decision(actions[int(view.stream()[0]) % len(actions)])


def test_an_agent_with_a_memory_is_led_through_its_earlier_decisions():
    asked = []

    class Counter(hh.Agent):
        """Plays its first action, and counts its decisions in its memory."""

        name = "counter"
        keeps_memory = True

        def decide(self, view):
            kept = view.memory(np.dtype([("times", "i8")]), "counter")
            kept.times += 1
            asked.append((int(view.record.made), int(kept.times)))
            return hh.Decision(view.legal_actions()[0])

    hh.exploitability("kuhn", Counter(hh.game("kuhn")), asked=2)
    assert {(made, times) for made, times in asked} == {(0, 1), (1, 1), (2, 2)}
