"""What objects say of themselves: one line, the position as text, and HTML for notebooks that gives nothing away."""

import doctest
from collections import defaultdict
from html.parser import HTMLParser
from itertools import permutations

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core import decision, table, view
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.resolver import own_games
from hiddenhand.planning.planners.protocol import plan_by_values
from hiddenhand.search import trace

pytestmark = pytest.mark.fast

VOID = {"input", "meta", "br"}


class Balanced(HTMLParser):
    """Refuses elements that are not closed, and whatever a notebook would have to load or to run."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "iframe", "img")
        assert not any(name.startswith("on") for name, _ in attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("module", [hh, table, view, decision], ids=lambda module: module.__name__)
def test_examples_of_docstrings_work(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("name", own_games())
def test_games_tables_and_views_show_themselves(name):
    game = hh.game(name)
    of = game.deal(seed=3)
    agent = hh.agent(game, "random")
    for _ in range(6):
        if not of.over:
            of.play(of.ask(agent).action)
    seen = of.view(max(of.turn, 0))
    assert str(of) == str(seen) == seen.screen()
    for thing in (game, of, seen):
        assert "\n" not in repr(thing)
        assert name in repr(thing)
        Balanced(thing._repr_html_())


def test_boards_and_cards_are_drawn():
    assert hh.game("tictactoe").deal()._repr_html_().count("<rect") == 9
    assert "<circle" in hh.game("reversi").deal()._repr_html_()
    assert "<svg" in hh.game("kuhn").deal(1)._repr_html_()
    assert "<pre>" in hh.game("hanabi").deal(1)._repr_html_()


def test_what_a_seat_cannot_tell_apart_looks_alike():
    """All of Kuhn poker: what a seat knows is its card and the moves; nothing else is told, and nothing forgotten."""
    game = hh.game("kuhn")
    shown = defaultdict(set)
    strings = defaultdict(set)
    for cards in permutations(range(3), 2):
        waiting = [[]]
        while waiting:
            moves = waiting.pop()
            of = game.deal(0, rolls=False)
            for action in (*cards, *moves):
                of.play(action)
            for seat in (0, 1):
                known = (seat, cards[seat], *moves)
                strings[known].add(of.information_state_string(seat))
                if not of.over:
                    tensor = of.information_state_tensor(seat).tobytes()
                    shown[known].add((repr(of.view(seat)), of.view(seat)._repr_html_(), str(of.view(seat)), tensor))
            waiting += [[*moves, action] for action in ([] if of.over else of.legal_actions())]
    assert {len(each) for each in shown.values()} == {1}
    unfinished = [strings[known] for known in shown]
    assert {len(each) for each in unfinished} == {1}
    assert len(set.union(*unfinished)) == len(unfinished) == 2 * 3 * 4


def test_the_information_state_does_not_depend_on_what_was_taken_back():
    of = hh.game("leduc").deal(5)
    of.play("bet")
    before = [of.information_state_string(seat) for seat in (0, 1)]
    of.play("raise")
    assert of.information_state_string(0) != before[0]
    of.undo()
    assert [of.information_state_string(seat) for seat in (0, 1)] == before


def test_decisions_and_reviews_show_what_they_say():
    said = Decision(
        1,
        "bet",
        0.25,
        [Alternative(1, "bet", 0.25), Alternative(0, "<check>", chance=0.5)],
        [("the other holds <K>", 0.5)],
        ["Because I <b>can</b>."],
    )
    assert repr(said) == "<Decision 1: bet, value +0.250>"
    page = said._repr_html_()
    Balanced(page)
    for shown in ("&lt;check&gt;", "&lt;K&gt;", "&lt;b&gt;can", 'value="0.5000"', "+0.250"):
        assert shown in page
    of = hh.game("tictactoe").deal()
    of.play_all("a1 b2 b1 a2 c1")
    found = hh.review(of, "alphabeta")
    assert repr(found) == "<Review of Tic-tac-toe, judged by alphabeta: 5 moves, 1 blunder, 0 mistakes>"
    assert "blunder" in str(found).splitlines()[4]
    Balanced(found._repr_html_())


def test_the_rest_shows_itself():
    game = hh.game("tree", text="(max (min 3 12 8) (min 2 4 6) (min 14 5 2))")
    found = trace(hh.agent(game, "minimax"), game.deal().view())
    assert repr(found).startswith("<Trace of ")
    assert str(found) == found.text()
    Balanced(found._repr_html_())
    plan = plan_by_values(np.array([1.0, -np.inf, 2.5]), 4)
    assert repr(plan) == "<Plan: action 2, value +2.5, 4 steps ahead>"
    Balanced(plan._repr_html_())
    env = hh.VectorEnv("kuhn", 3, seed=2)
    assert repr(env) == "<VectorEnv of kuhn, 3 games, seed 2, cpu>"
    Balanced(env._repr_html_())
    assert str(hh.game("hanabi", players=3)) == "hanabi(players=3)"


def test_former_names_still_work_and_say_what_is_written_now():
    of = hh.game("tictactoe").deal()
    with pytest.warns(DeprecationWarning, match=r"Table\.legal is called Table\.legal_actions now"):
        assert of.legal() == of.legal_actions()
    with pytest.warns(DeprecationWarning, match=r"View\.actions is called View\.legal_actions\(\) now"):
        assert of.view().actions == of.legal_actions()
    with pytest.warns(DeprecationWarning, match="Table.history now"):
        assert of.actions == []
    with pytest.warns(DeprecationWarning, match="View.legal_moves now"):
        assert len(of.view().moves()) == 9
