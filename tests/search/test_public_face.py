"""`hiddenhand.search` is enough: everything below comes from there (and the game from `hiddenhand`)."""

import doctest
import re

import pytest

import hiddenhand as hh
from hiddenhand import search
from hiddenhand.core import resolver
from hiddenhand.search import (
    CFR,
    ISMCTS,
    PIMC,
    UCT,
    AlphaBeta,
    BlueprintSearch,
    Expectiminimax,
    MaxN,
    Minimax,
    TreeSearch,
    evaluate,
    perft,
    sequence_form,
    solve,
    trace,
)

pytestmark = pytest.mark.fast


def test_the_agents_are_those_that_have_names():
    for kind in (AlphaBeta, Expectiminimax, MaxN, Minimax, UCT):
        assert hh.agents("tictactoe")[kind.name] is kind
        assert issubclass(kind, TreeSearch) == (kind is not UCT)
    for kind in (BlueprintSearch, CFR, ISMCTS, PIMC):
        assert hh.agents("kuhn")[kind.name] is kind


def test_a_small_game_from_end_to_end():
    kuhn = hh.game("kuhn")
    form = sequence_form(kuhn)
    found = evaluate(form, form.uniform())
    assert found.exploitability == pytest.approx((sum(found.best) - sum(found.values)) / 2)
    strategy = solve(kuhn, 50)
    assert strategy.exploitability < found.exploitability
    assert len(strategy.table().splitlines()) == form.infos


def test_a_traced_search():
    game = hh.game("tree", file="pruning")
    found = trace(hh.agent(game, "alphabeta:table=0,ordering=no"), game.deal().view())
    assert (found.nodes, found.root.value) == (11, "3")
    assert perft(hh.game("tictactoe"), 2) == 72


def test_the_docstring_is_true():
    assert doctest.testmod(search).failed == 0


def test_who_is_refused_is_told_who_is_not():
    """Whatever search a game refuses, those that are advised instead are not refused."""
    kinds = {kind.name: kind for kind in (AlphaBeta, Expectiminimax, ISMCTS, MaxN, Minimax, PIMC, UCT, CFR)}
    advised = 0
    for name in resolver.games():
        game = hh.game(name)
        for kind in kinds.values():
            for other in re.findall(r"\w+", kind.refuses(game).partition("; use ")[2]):
                if other != "or":
                    advised += 1
                    assert kinds[other].refuses(game) == "", (name, kind.name, other)
    assert advised > 40
