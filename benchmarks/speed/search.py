"""Search and random play against OpenSpiel (extra `bench`)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from hiddenhand.core.resolver import agent, game
from rows import Row, games_per_second, per_second

THEIR_NAMES = {
    "tictactoe": "tic_tac_toe",
    "connect_four": "connect_four",
    "reversi": "othello",
    "backgammon": "backgammon",
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "blind_tictactoe": "phantom_ttt",
    "battleship": "battleship",
}
PLAIN = "alphabeta:deepening=no,ordering=no,table=0,quiescence=0"


def rows() -> Iterator[Row]:
    try:
        import pyspiel
    except ImportError:
        pyspiel = None
    theirs: float | None
    for name, depth, bar in (("tictactoe", 9, 20.0), ("connect_four", 8, 20.0)):
        theirs = their_alphabeta(pyspiel, name, depth) if pyspiel else None
        job = f"alpha-beta, {name}, depth {depth}"
        yield Row(job, "nodes/s", our_alphabeta(name, depth), "OpenSpiel, Python", theirs, bar)
    for name, wanted in (("tictactoe", 3.0), ("connect_four", 3.0), ("reversi", 3.0)):
        theirs = their_mcts(pyspiel, name) if pyspiel else None
        yield Row(f"MCTS, {name}", "simulations/s", our_mcts(name), "OpenSpiel, C++", theirs, wanted)
    bars = {"tictactoe": 20.0, "connect_four": 20.0, "reversi": 20.0, "backgammon": 5.0}
    for name in THEIR_NAMES:
        theirs = their_games(pyspiel, name) if pyspiel else None
        yield Row(f"random games, {name}", "games/s", our_games(name), "OpenSpiel, Python", theirs, bars.get(name))


def our_alphabeta(name: str, depth: int) -> float:
    searcher: Any = agent(name, f"{PLAIN},depth={depth}")
    view = game(name).deal().view()
    searcher.decide(view)
    return per_second(lambda: searcher.decide(view).counts["nodes"])


def their_alphabeta(pyspiel: Any, name: str, depth: int) -> float:
    from open_spiel.python.algorithms import minimax

    theirs = pyspiel.load_game(THEIR_NAMES[name])
    nodes = 0
    inner = minimax._alpha_beta

    def counting(*args: Any, **named: Any) -> Any:
        nonlocal nodes
        nodes += 1
        return inner(*args, **named)

    def search() -> int:
        minimax.alpha_beta_search(theirs, value_function=lambda s: 0.0, maximum_depth=depth, maximizing_player_id=0)
        return nodes

    minimax._alpha_beta = counting  # once, to count its nodes; the timed runs are left alone
    try:
        search()
    finally:
        minimax._alpha_beta = inner
    return per_second(search)


def our_mcts(name: str) -> float:
    searcher = agent(name, "uct:simulations=20000")
    view = game(name).deal().view()
    searcher.decide(view)
    return per_second(lambda: searcher.decide(view).counts["simulations"])


def their_mcts(pyspiel: Any, name: str, simulations: int = 2000) -> float:
    theirs = pyspiel.load_game(THEIR_NAMES[name])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(theirs, evaluator, 1.4, simulations, 1000, False, 1, False)
    state = theirs.new_initial_state()

    def search() -> int:
        bot.step(state)
        return simulations

    return per_second(search)


def our_games(name: str) -> float:
    return games_per_second(game(name), "random")


def their_games(pyspiel: Any, name: str) -> float:
    theirs = pyspiel.load_game(THEIR_NAMES[name])
    choose: Callable[..., Any] = random.Random(1).choice
    choose_weighted = random.Random(2).choices

    def play() -> int:
        state = theirs.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes())
                state.apply_action(choose_weighted(outcomes, odds)[0])
            else:
                state.apply_action(choose(state.legal_actions()))
        return 1

    return per_second(play)
