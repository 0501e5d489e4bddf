"""CFR+ and best responses: known values, OpenSpiel's numbers, and the games that must be refused."""

import os
from copy import copy
from dataclasses import replace
from time import time_ns

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import agent, agents, game
from hiddenhand.search import (
    best_response,
    build_tree,
    exploitability,
    solve,
    strategy_table,
    strategy_value,
    uniform_strategy,
)
from hiddenhand.search.cfr import solved

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


def bets(solution):
    """How often each seat bets (or calls), by seat, card and what happened before."""
    found = {}
    for info, view in enumerate(solution.tree.views):
        so_far = "".join("pb"[move] for move in view.moves[: view.made])
        found[int(solution.tree.owner[info]), "JQK"[view.card], so_far] = solution.probabilities(info)[1]
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
    assert (solution.tree.nodes, solution.tree.infos) == (9457, 936)
    assert solution.value == pytest.approx(-0.0856, abs=0.002)
    assert solution.exploitability < 0.01


def test_best_responses_against_uniform_play_in_kuhn():
    """Seat 0 by hand: half the bets are called. With K a bet is worth 1/2 (1 + 2) = 3/2. With Q it wins 1 by
    a fold and nothing on average by a call: 1/2, where a check is worth 0. With J it wins 1 or loses 2: -1/2,
    where a check loses 1. Together (3/2 + 1/2 - 1/2) / 3 = 1/2.
    """
    tree = build_tree(game("kuhn"))
    uniform = uniform_strategy(tree)
    assert best_response(tree, uniform, 0)[0] == pytest.approx(1 / 2)
    assert best_response(tree, uniform, 1)[0] == pytest.approx(5 / 12)
    assert exploitability(tree, uniform) == pytest.approx(11 / 24)


def transferred(tree, strategy, name):
    """The same strategy as a policy of OpenSpiel."""
    from open_spiel.python.policy import TabularPolicy

    peer = pyspiel.load_game(PEERS[name])
    policy = TabularPolicy(peer)
    for info in range(tree.infos):
        path, node = [], int(tree.example[info])
        while node:
            path.append(int(tree.action[node]))
            node = int(tree.parent[node])
        state = peer.new_initial_state()
        for action in reversed(path):
            state.apply_action(action)
        row = policy.policy_for_key(state.information_state_string())
        row[:] = 0.0
        slots = slice(tree.start[info], tree.start[info + 1])
        row[tree.choice[slots]] = strategy[slots]
    return peer, policy


@pytest.mark.parametrize("name", PEERS)
def test_exploitability_is_openspiels(name):
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.algorithms import exploitability as their

    tree = build_tree(game(name))
    rng = np.random.default_rng(3)
    shares = rng.random(tree.slots)
    strategy = shares / np.repeat(np.add.reduceat(shares, tree.start[:-1]), np.diff(tree.start))
    peer, policy = transferred(tree, strategy, name)
    theirs = their.exploitability(peer, policy)
    assert exploitability(tree, strategy) == pytest.approx(theirs)
    scores = expected_game_score.policy_value(peer.new_initial_state(), [policy, policy])
    assert strategy_value(tree, strategy) == pytest.approx(scores[0])


def test_agent_plays_the_solution_and_says_why():
    player = agent("kuhn", "cfr:iterations=300")
    assert player.solution is agent("kuhn", "cfr:iterations=300").solution
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

    tree = copy(kuhn.tree)
    tree.game = replace(tree.game, people=replace(tree.game.people, facts=None, show=show))
    blurred = replace(kuhn, tree=tree)
    for info, view in enumerate(blurred.tree.views):
        if view.made == 0 and view.card >= 0:
            belief = dict(blurred.beliefs(info))
            assert sum(belief.values()) == pytest.approx(1.0)
            low = {"the other reads: “your card: a low one”"}
            assert set(belief) == (low if view.card == 2 else low | {"the other reads: “your card: the king”"})


def test_agent_draws_as_the_solution_says():
    player = agent("kuhn", "cfr:iterations=300")
    bluffs, jacks = 0, 0
    for seed in range(1500):
        table = game("kuhn").deal(seed=seed)
        if table.state.cards[0] == 0:
            jacks += 1
            bluffs += table.ask(player).text == "bet"
    share = bets(player.solution)[0, "J", ""]
    assert abs(bluffs - jacks * share) < 4 * (jacks * share * (1 - share)) ** 0.5


def test_belief_follows_from_the_strategy(kuhn):
    """After check, bet: a king always bets, a jack one time in three; a queen faces a king 3 times in 4."""
    for info, view in enumerate(kuhn.tree.views):
        if view.card == 1 and view.made == 2:
            belief = kuhn.beliefs(info)
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
    text = strategy_table(kuhn)
    assert len(text.splitlines()) == 12
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
    tree = build_tree(of)
    assert tree.infos == 2
    uniform = uniform_strategy(tree)
    gain, _ = best_response(tree, uniform, 0)
    assert gain == pytest.approx(0.5)  # the coin lies at 0 in three games of four
    assert best_response(tree, uniform, 1)[0] == pytest.approx(0.0)
    solution = solve(of, 500)
    assert solution.value == pytest.approx(0.0, abs=0.01)
    assert solution.exploitability < 0.01


def test_refusals(tmp_path):
    with pytest.raises(UserError, match="forget"):
        build_tree(small_game(tmp_path, "forgetful", FORGETFUL))
    with pytest.raises(UserError, match="deals at random"):
        build_tree(small_game(tmp_path, "random_deal", HIDDEN_MOVE, deal="s.coin = below(rng, 2)"))
    drawn = HIDDEN_MOVE.replace("s.coin = action", "s.coin = below(rng, 2)")
    with pytest.raises(UserError, match="at random within a move"):
        build_tree(small_game(tmp_path, "random_move", drawn))
    with pytest.raises(UserError, match="zero-sum"):
        build_tree(small_game(tmp_path, "generous", HIDDEN_MOVE, other="out[0]"))
    with pytest.raises(UserError, match="more than 1 plies"):
        build_tree(replace(game("kuhn"), longest=1))
    with pytest.raises(UserError, match="more than 2,000,000 nodes"):
        build_tree(game("blind_tictactoe"))
    with pytest.raises(UserError, match="more than 1,000 nodes"):
        build_tree(game("leduc"), limit=1000)
    with pytest.raises(UserError, match="cfr cannot play tictactoe: nothing is hidden"):
        agent("tictactoe", "cfr")
    assert "cfr" in agents("leduc")
