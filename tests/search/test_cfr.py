"""CFR+ and best responses: known values, OpenSpiel's numbers, and the games that must be refused."""

import os
from dataclasses import replace
from time import time_ns

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import agent, agents, game
from hiddenhand.search import METHODS, Strategy, build_tree, evaluate, sequence_form, solve
from hiddenhand.search.cfr import beliefs, solved
from hiddenhand.search.solving.history_walk import build_sequence_form

if os.environ.get("CI"):
    import pyspiel
else:
    pyspiel = pytest.importorskip("pyspiel")

PEERS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


@pytest.fixture(scope="module")
def kuhn():
    return solve(game("kuhn"), 1000)


def test_kuhn_is_solved(kuhn):
    assert kuhn.value == pytest.approx(-1 / 18, abs=1e-4)
    assert 0.0 <= kuhn.exploitability < 0.001
    assert kuhn.history[-1] == (1000, kuhn.exploitability)
    assert kuhn.history[0][1] > kuhn.history[-1][1]


def bets(strategy):
    """How often each seat bets (or calls), by seat, card and what happened before."""
    found, form = {}, strategy.form
    for info, view in enumerate(form.views):
        so_far = "".join("pb"[move] for move in view.moves[: view.made])
        found[form.seat_of(info), "JQK"[view.card], so_far] = strategy.probabilities_at(info)[1]
    return found


def test_kuhn_equilibria_are_the_known_family(kuhn):
    """Seat 0 bluffs with the jack with a probability alpha up to 1/3; everything else follows from alpha."""
    bet = bets(kuhn)
    alpha = bet[0, "J", ""]
    assert -0.01 <= alpha <= 1 / 3 + 0.01
    expected = {
        (0, "Q", ""): 0.0,
        (0, "K", ""): 3 * alpha,
        (0, "J", "pb"): 0.0,
        (0, "Q", "pb"): alpha + 1 / 3,
        (0, "K", "pb"): 1.0,
        (1, "J", "p"): 1 / 3,
        (1, "Q", "p"): 0.0,
        (1, "K", "p"): 1.0,
        (1, "J", "b"): 0.0,
        (1, "Q", "b"): 1 / 3,
        (1, "K", "b"): 1.0,
    }
    for where, share in expected.items():
        assert bet[where] == pytest.approx(share, abs=0.02), where


def test_leduc_is_solved():
    solution = solve(game("leduc"), 400)
    assert (solution.form.histories, solution.form.infos) == (5520, 936)
    assert build_tree(game("leduc")).nodes == 9457
    assert solution.value == pytest.approx(-0.0856, abs=0.002)
    assert solution.exploitability < 0.01


def test_best_responses_against_uniform_play_in_kuhn():
    """Seat 0 by hand: half the bets are called. With K a bet is worth 1/2 (1 + 2) = 3/2. With Q it wins 1 by
    a fold and nothing on average by a call: 1/2, where a check is worth 0. With J it wins 1 or loses 2: -1/2,
    where a check loses 1. Together (3/2 + 1/2 - 1/2) / 3 = 1/2.
    """
    form = sequence_form(game("kuhn"))
    found = evaluate(form, form.uniform())
    assert found.best == pytest.approx([1 / 2, 5 / 12])
    assert found.exploitability == pytest.approx(11 / 24)
    assert found.nash_conv == pytest.approx(11 / 12)


def transferred(form, policy, name):
    """The same strategy as a policy of OpenSpiel; information sets are found by the way to an example of each."""
    from open_spiel.python.policy import TabularPolicy

    peer = pyspiel.load_game(PEERS[name])
    theirs = TabularPolicy(peer)
    tree = build_tree(form.game)
    for info in range(tree.infos):
        path, node = [], int(tree.example[info])
        while node:
            path.append(int(tree.action[node]))
            node = int(tree.parent[node])
        state = peer.new_initial_state()
        for action in reversed(path):
            state.apply_action(action)
        row = theirs.policy_for_key(state.information_state_string())
        row[:] = 0.0
        slots = form.slots(form.number(int(tree.owner[info]), tree.views[info]))
        row[form.actions[slots]] = policy[slots]
    return peer, theirs


def at_random(form, seed):
    """A strategy with nothing regular about it."""
    return form.normalised(np.random.default_rng(seed).random(form.sequences))


@pytest.mark.parametrize("name", PEERS)
def test_exploitability_is_openspiels(name):
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.algorithms import exploitability as their

    form = sequence_form(game(name))
    policy = at_random(form, 3)
    peer, theirs = transferred(form, policy, name)
    found = evaluate(form, policy)
    assert found.exploitability == pytest.approx(their.exploitability(peer, theirs), abs=1e-9)
    scores = expected_game_score.policy_value(peer.new_initial_state(), [theirs, theirs])
    assert found.values == pytest.approx(list(scores), abs=1e-9)


REACHED = {
    "cfr": 0.01,
    "cfr+": 0.001,
    "linear-cfr": 0.001,
    "dcfr": 0.001,
    "pcfr+": 1e-4,
    "dcfr+": 0.001,
    "pdcfr+": 1e-4,
    "mmd": 0.005,
    "fictitious-play": 0.005,
    "mccfr-external": 0.05,
    "mccfr-outcome": 0.15,
}
"""The exploitability that 1,000 iterations of each method must reach in Kuhn poker."""


@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves_kuhn(method):
    found = solve(game("kuhn"), 1000, method, seed=7)
    assert found.exploitability < REACHED[method]
    assert found.value == pytest.approx(-1 / 18, abs=2 * REACHED[method])
    again = solve(game("kuhn"), 1000, method, seed=7, progress=lambda *_: None)
    assert np.array_equal(again.probabilities, found.probabilities)


def test_cfr_plus_is_openspiels():
    """The same algorithm, iteration by iteration."""
    peer = pyspiel.load_game("leduc_poker")
    theirs = pyspiel.CFRPlusSolver(peer)
    for _ in range(50):
        theirs.evaluate_and_update_policy()
    gap = pyspiel.exploitability(peer, theirs.average_policy())
    assert solve(game("leduc"), 50).exploitability == pytest.approx(gap, abs=1e-9)


def test_games_of_three_are_measured(monkeypatch):
    """NashConv of a game of three by brute force: every pure reply of each seat is played out."""
    form = sequence_form(game("tree", file="three_players"))
    policy = at_random(form, 5)
    found = evaluate(form, policy)
    assert len(found.values) == 3
    for seat in range(3):
        best = max(evaluate(form, reply).values[seat] for reply in pure_replies(form, policy, seat))
        assert found.best[seat] == pytest.approx(best)


def pure_replies(form, policy, seat):
    infos = range(*form.arrays.bounds[seat : seat + 2])
    replies = [policy.copy()]
    for info in infos:
        slots = form.slots(info)
        replies = [changed(reply, slots, s) for reply in replies for s in range(slots.start, slots.stop)]
    return replies


def changed(policy, slots, chosen):
    again = policy.copy()
    again[slots] = 0.0
    again[chosen] = 1.0
    return again


def test_strategies_are_saved_and_read(kuhn, tmp_path):
    path = tmp_path / "kuhn.npz"
    kuhn.save(path)
    again = Strategy.load(path)
    assert again.exploitability == kuhn.exploitability
    assert (
        repr(again)
        == repr(kuhn)
        == "<Strategy for kuhn by cfr+: 12 information sets, 1,000 iterations, exploitability 8.74e-05>"
    )
    with pytest.raises(UserError, match="made for kuhn"):
        Strategy.load(path, game("leduc"))
    (tmp_path / "other.npz").write_bytes(b"nothing")
    with pytest.raises(UserError, match="is no strategy"):
        Strategy.load(tmp_path / "other.npz")
    table, player, other = game("kuhn").deal(seed=1), agent("kuhn", f"solved:file={path}"), agent("kuhn", "cfr")
    assert player.probabilities(table.view()) == other.probabilities(table.view())


def test_agent_plays_the_solution_and_says_why():
    player = agent("kuhn", "cfr:iterations=300")
    assert player.strategy is agent("kuhn", "cfr:iterations=300").strategy
    table = game("kuhn").deal(seed=4)
    while not table.over:
        decision = table.ask(player, explain=True)
        assert decision.action == table.ask(player).action
        assert decision.text in table.action_name(decision.action)
        assert any("per game" in reason for reason in decision.reasons)
        assert sum(a.chance for a in decision.alternatives) == pytest.approx(1.0)
        assert decision.value == pytest.approx(sum(a.chance * a.value for a in decision.alternatives))
        assert [what for what, _ in decision.belief] == [f"the other holds {card}" for card in held(decision)]
        assert sum(chance for _, chance in decision.belief) == pytest.approx(1.0)
        table.play(decision.action)


def held(decision):
    return [what[-1] for what, _ in decision.belief]


def test_what_the_other_reads_is_told_even_if_it_is_what_i_read(kuhn):
    """A game that tells no facts, with cards of which only the king can be told: all worlds are in the belief."""

    def show(view, seat):
        return f"pot: 2\nyour card: {'a low one' if view.card < 2 else 'the king'}"

    tree = build_tree(game("kuhn"))
    tree.game = replace(tree.game, people=replace(tree.game.people, facts=None, show=show))
    policy = on_tree(kuhn, tree)
    for info, view in enumerate(tree.views):
        if view.made == 0 and view.card >= 0:
            belief = dict(beliefs(tree, policy, info))
            assert sum(belief.values()) == pytest.approx(1.0)
            low = {"the other reads: “your card: a low one”"}
            assert set(belief) == (low if view.card == 2 else low | {"the other reads: “your card: the king”"})


def on_tree(strategy, tree):
    """The strategy as one number for each slot of a tree."""
    slots = [strategy.form.slots(strategy.form.number(int(seat), view)) for seat, view in zip(tree.owner, tree.views)]
    return np.concatenate([strategy.policy[each] for each in slots])


def test_agent_draws_as_the_solution_says():
    player = agent("kuhn", "cfr:iterations=300")
    bluffs, jacks = 0, 0
    for seed in range(1500):
        table = game("kuhn").deal(seed=seed)
        if table.state.cards[0] == 0:
            jacks += 1
            bluffs += table.ask(player).text == "bet"
    share = bets(player.strategy)[0, "J", ""]
    assert abs(bluffs - jacks * share) < 4 * (jacks * share * (1 - share)) ** 0.5


def test_belief_follows_from_the_strategy(kuhn):
    """After check, bet: a king always bets, a jack one time in three; a queen faces a king 3 times in 4."""
    tree = build_tree(game("kuhn"))
    for info, view in enumerate(tree.views):
        if view.card == 1 and view.made == 2:
            belief = beliefs(tree, on_tree(kuhn, tree), info)
            assert [what for what, _ in belief] == [
                "the other holds K",
                "the other holds J",
            ]
            assert belief[0][1] == pytest.approx(0.75, abs=0.01)
            return
    raise AssertionError("no such information set")


def test_solutions_are_shared_and_printed(kuhn):
    assert solved(game("kuhn"), 20) is solved(game("kuhn"), 20)
    seen = []
    solve(game("kuhn"), 20, progress=lambda iteration, _: seen.append(iteration))
    assert seen == [1, 2, 3, 5, 7, 10, 20]
    text = kuhn.table()
    assert len(text.splitlines()) == 12
    assert kuhn.table(3).splitlines()[-1] == "... and 9 more"
    assert "your card: K, so far: bet, pot: 3" in text


GAME_FILE = """
import numpy as np
from hiddenhand.core.game import define
from hiddenhand.kernel import CHANCE, OVER, below, record_type, rule

STATE = record_type([("coin", "i8"), ("step", "i8"), ("guess", "i8")])
VIEW = record_type([("nothing", "i8")])

@rule
def deal(s, rng):
    s.coin = 0
    s.guess = 0
    s.step = 0
    DEAL

@rule
def legal(s, out):
    out[0] = 0
    out[1] = 1
    return 2

@rule
def odds(s, out):
    out[0] = 0.5
    out[1] = 0.5

@rule
def observe(s, seat, view):
    view.nothing = 0

@rule
def redeal(s, seat, rng):
    s.coin = below(rng, 2)

@rule
def payoff(s, out):
    out[0] = 1.0 if s.coin == s.guess else -1.0
    out[1] = OTHER

RULES

GAME = define(
    "a_test", title="A test", state=STATE, view=VIEW, rules=(deal, turn, legal, play, payoff, odds, observe, redeal),
    hidden=True, chance=("outcomes",), most_actions=2, longest=9
)
"""

# chance says whether seat 1 may lay the coin or it lies at 0; seat 0, who sees nothing of this, guesses how
# it lies
HIDDEN_MOVE = """
@rule
def turn(s):
    return CHANCE if s.step == 0 else np.int64(1) if s.step == 1 else np.int64(0) if s.step == 2 else OVER

@rule
def play(s, action, rng):
    if s.step == 0:
        s.step = 1 + (action == 0)
    else:
        if s.step == 1:
            s.coin = action
        else:
            s.guess = action
        s.step += 1
"""

# seat 0 lays a coin and then guesses how it lies, having forgotten that it did
FORGETFUL = """
@rule
def turn(s):
    return np.int64(0) if s.step < 2 else OVER

@rule
def play(s, action, rng):
    if s.step == 0:
        s.coin = action
    else:
        s.guess = action
    s.step += 1
"""


def small_game(folder, name, rules, deal="pass", other="-out[0]"):
    path = folder / f"{name}.py"
    text = GAME_FILE.replace("RULES", rules).replace("DEAL", deal).replace("OTHER", other)
    path.write_text(f"# {time_ns()}: new each time, so that no compiled code is found\n{text}")
    return game(str(path))


def test_information_set_at_two_depths(tmp_path):
    of = small_game(tmp_path, "hidden_move", HIDDEN_MOVE)
    form = sequence_form(of)
    assert form.infos == build_tree(of).infos == 2
    # the coin lies at 0 in three games of four
    assert evaluate(form, form.uniform()).best == pytest.approx([0.5, 0.0])
    solution = solve(of, 500)
    assert solution.value == pytest.approx(0.0, abs=0.01)
    assert solution.exploitability < 0.01


@pytest.mark.parametrize("build", [build_tree, build_sequence_form])
def test_refusals(build, tmp_path):
    with pytest.raises(UserError, match="forget"):
        build(small_game(tmp_path, "forgetful", FORGETFUL))
    with pytest.raises(UserError, match="deals at random"):
        build(small_game(tmp_path, "random_deal", HIDDEN_MOVE, deal="s.coin = below(rng, 2)"))
    drawn = HIDDEN_MOVE.replace("s.coin = action", "s.coin = below(rng, 2)")
    with pytest.raises(UserError, match="at random within a move"):
        build(small_game(tmp_path, "random_move", drawn))
    with pytest.raises(UserError, match="more than 1 plies"):
        build(replace(game("kuhn"), longest=1))


def test_games_that_are_not_solved(tmp_path):
    with pytest.raises(UserError, match="zero-sum"):
        solve(small_game(tmp_path, "generous", HIDDEN_MOVE, other="out[0]"))
    with pytest.raises(UserError, match=r"needs about 0\.0 GB of memory, and 0\.0 GB may be used"):
        build_sequence_form(game("leduc"), memory=10_000)
    with pytest.raises(UserError, match="more than 2,000,000 nodes"):
        build_tree(game("blind_tictactoe"))
    with pytest.raises(UserError, match="more than 1,000 nodes"):
        build_tree(game("leduc"), limit=1000)
    with pytest.raises(UserError, match="no method called 'cfr\\+\\+'"):
        solve(game("kuhn"), method="cfr++")
    with pytest.raises(UserError, match="nothing is hidden in tictactoe: a search such as alphabeta is enough"):
        solve(game("tictactoe"))
    with pytest.raises(UserError, match="cfr cannot play tictactoe: nothing is hidden"):
        agent("tictactoe", "cfr")
    assert "cfr" in agents("leduc")
