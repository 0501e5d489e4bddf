"""Our games in OpenSpiel: its own simulations, its solver and its best response, and the same numbers as ours."""

import json
import os

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import encoded
from hiddenhand.search import evaluate, sequence_form

if not os.environ.get("CI"):
    pytest.importorskip("pyspiel")
import pyspiel

from hiddenhand.bridges import open_spiel


@pytest.mark.parametrize("name", ["kuhn", "leduc", "tictactoe"])
def test_openspiel_simulates_the_games_of_the_package(name):
    game = pyspiel.load_game(f"hiddenhand_{name}")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_openspiel_simulates_a_game_from_a_file(bids):
    pyspiel.random_sim_test(open_spiel.load(bids, players=3, deals=5), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["leduc", "blind_tictactoe"])
def test_information_states_are_those_of_our_tables(name):
    rng = np.random.default_rng(2)
    for _ in range(4):
        state, table = open_spiel.load(name).new_initial_state(), hh.game(name).deal(rolls=False)
        while not state.is_terminal():
            action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
            table.play(action)
            for seat in (0, 1):
                assert state.information_state_string(seat) == table.information_state_string(seat)


def test_a_deal_is_the_game_of_its_seed(bids):
    state = open_spiel.load(bids, deals=9).new_initial_state()
    assert state.chance_outcomes() == [(number, 1 / 9) for number in range(9)]
    table = hh.game(bids).deal(seed=7)
    state.apply_action(7)
    for action in (2, 1):
        assert state.current_player() == table.turn
        assert state.legal_actions() == table.legal_actions()
        seen = encoded(table.game, table.view().record, table.turn)
        assert state.observation_tensor(table.turn) == seen.tolist()
        state.apply_action(action)
        table.play(action)
    assert state.is_terminal()
    assert state.returns() == table.payoffs()


def test_a_state_as_json_and_back_by_its_history():
    game = pyspiel.load_game("hiddenhand_leduc(players=3)")
    state = game.new_initial_state()
    for action in (7, 0, 5, 2, 0):
        state.apply_action(action)
    told = json.loads(state.to_json())
    assert (told["current_player"], told["history"]) == (2, [7, 0, 5, 2, 0])
    assert (told["state"]["cards"][:3], told["state"]["folded"][:3]) == ([7, 0, 5], [0, 1, 0])
    again = game.new_initial_state()
    for action in told["history"]:
        again.apply_action(action)
    assert again.clone().to_dict() == told
    assert pyspiel.load_game("hiddenhand_hanabi").new_initial_state().to_dict()["state"] is None


def walked(state, visit):
    """Visit every decision of a game."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        visit(state)
    for action in state.legal_actions():
        walked(state.child(action), visit)


@pytest.mark.parametrize(("name", "its_own", "iterations"), [("kuhn", "kuhn_poker", 50), ("leduc", "leduc_poker", 2)])
def test_openspiel_finds_the_same_exploitability(name, its_own, iterations):
    """Of the uniform strategy, also on OpenSpiel's own version of the game; and of what its solver has found."""
    game, form = pyspiel.load_game(f"hiddenhand_{name}"), sequence_form(hh.game(name))
    uniform = evaluate(form, form.uniform()).exploitability
    theirs = pyspiel.load_game(its_own)
    assert pyspiel.exploitability(theirs, pyspiel.UniformRandomPolicy(theirs)) == pytest.approx(uniform, abs=1e-12)
    assert pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)) == pytest.approx(uniform, abs=1e-12)

    solver = pyspiel.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    found, policy, infos = solver.average_policy(), np.ones(form.sequences), {}

    def enter(state):
        seat = state.current_player()
        text = state.information_state_string(seat)
        info = form.number(seat, state.positions.view(state.position, seat))
        assert infos.setdefault(info, text) == text
        chances = dict(found.action_probabilities(state))
        policy[form.slots(info)] = [chances[action] for action in form.actions[form.slots(info)].tolist()]

    walked(game.new_initial_state(), enter)
    assert len(infos) == len(set(infos.values())) == form.infos
    ours = evaluate(form, policy).exploitability
    assert pyspiel.exploitability(game, found) == pytest.approx(ours, abs=1e-9)
    assert ours < uniform


def test_the_python_algorithms_run_too():
    from open_spiel.python.algorithms import cfr
    from open_spiel.python.algorithms import exploitability as measured

    game = pyspiel.load_game("hiddenhand_kuhn")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert measured.exploitability(game, solver.average_policy()) < 0.02


def test_whoever_notices_nothing_does_not_know_that_time_has_passed():
    """In blind tic-tac-toe an attempt on a taken field is noticed by nobody else."""
    state = pyspiel.load_game("hiddenhand_blind_tictactoe").new_initial_state()
    state.apply_action(4)
    waiting, trying = (state.information_state_string(seat) for seat in range(2))
    state.apply_action(4)
    assert state.current_player() == 1
    assert state.information_state_string(0) == waiting
    assert state.information_state_string(1) != trying


def test_mistakes_are_said_in_one_line():
    with pytest.raises(UserError, match="kuhn has no option 'size'"):
        open_spiel.load("kuhn", size=3)
    with pytest.raises(UserError, match="deals must be at least 1, not 0"):
        open_spiel.load("hanabi", deals=0)


def test_moves_at_the_same_time_are_nodes_of_all_players():
    """As one after the other, and as OpenSpiel's own goofspiel."""
    game = pyspiel.load_game("hiddenhand_goofspiel(cards=4,simultaneous=true)")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    state = game.new_initial_state()
    assert state.is_simultaneous_node()
    assert state.legal_actions(0) == state.legal_actions(1) == [0, 1, 2, 3]
    own = pyspiel.load_game("goofspiel(imp_info=True,num_cards=4,points_order=descending)")
    expected = hh.exploitability("goofspiel", "random", cards=4)
    for each in (game, own):
        serial = pyspiel.convert_to_turn_based(each)
        assert pyspiel.exploitability(serial, pyspiel.UniformRandomPolicy(serial)) == pytest.approx(
            float(expected), abs=1e-9
        )
