"""Named opponents: each can play its game, and the stronger ones are stronger."""

from dataclasses import replace

import pytest

from hiddenhand.core import resolver
from hiddenhand.core.extras import Opponents
from hiddenhand.core.resolver import game, games
from hiddenhand.lab.match import match


@pytest.mark.parametrize("name", games())
def test_every_game_has_some_who_can_play_it(name):
    of = game(name)
    found = resolver.opponents(of)
    assert 2 <= len(found) <= 4
    assert len({opponent.name for opponent in found}) == len({opponent.agent for opponent in found}) == len(found)
    assert resolver.champion(of) in [opponent.agent for opponent in found]
    for opponent in found:
        resolver.EVERYTHING.character(of, opponent.agent)
        assert opponent.about


@pytest.mark.parametrize("name", games())
def test_whom_people_meet_unless_they_choose(name):
    """Levels go up to the champion; people begin at the second, and partners are as good as can be."""
    of = game(name)
    levels = [opponent.agent for opponent in resolver.opponents(of)]
    assert levels[-1] == resolver.champion(of)
    met = resolver.usual_opponent(of)
    assert met == (levels[-1] if of.utility == "cooperative" or of.players == 1 else levels[1])
    following = [resolver.next_opponent(of, agent) for agent in levels]
    together = of.utility == "cooperative"
    assert [each and each.agent for each in following] == [None if together else each for each in [*levels[1:], None]]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_partners_at_hanabi_can_be_any_number(players):
    of = game("hanabi", players=players)
    for opponent in resolver.opponents(of):
        resolver.agent(of, opponent.agent)


def without_levels(champion):
    of = game("kuhn")
    return replace(of, **of._adapted(extras=[Opponents(champion=champion)]))


def test_a_game_that_names_none_has_the_two_extremes():
    of = without_levels("cfr")
    assert [(each.name, each.agent) for each in resolver.opponents(of)] == [("Beginner", "random"), ("Strong", "cfr")]
    assert [each.agent for each in resolver.opponents(without_levels("random"))] == ["random"]


@pytest.mark.parametrize(
    ("name", "weaker", "stronger", "deals"),
    [
        ("tictactoe", "Beginner", "Careful", 40),
        ("connect_four", "Beginner", "Careful", 20),
        ("connect_four", "Careful", "Cunning", 10),
        ("reversi", "Beginner", "Careful", 20),
        ("kuhn", "Beginner", "Perfect", 400),
        ("leduc", "Beginner", "Strong", 300),
        ("dominion", "Beginner", "Saver", 60),
        ("dominion", "Saver", "Strong", 200),
    ],
)
def test_the_stronger_wins(name, weaker, stronger, deals):
    by_name = {opponent.name: opponent for opponent in resolver.opponents(game(name))}
    agents = [by_name[stronger].agent, by_name[weaker].agent]
    opening = 0 if game(name).hidden else 2
    result = match(name, agents, games=deals, seed=3, duplicate=True, opening=opening)
    assert result.payoffs[:, 0].mean() > 0.05


@pytest.mark.parametrize(("weaker", "stronger"), [("Beginner", "Careful"), ("Careful", "Trusting")])
def test_the_better_partners_score_more(weaker, stronger):
    by_name = {opponent.name: opponent for opponent in resolver.opponents(game("hanabi"))}
    teams = [[by_name[name].agent] * 2 for name in (weaker, stronger)]
    scores = [match("hanabi", team, games=60, seed=4).payoffs[:, 0].mean() for team in teams]
    assert scores[0] + 1.0 < scores[1]


def test_planning_further_earns_more():
    by_name = {opponent.name: opponent for opponent in resolver.opponents(game("tiger"))}
    earned = [
        match("tiger", [by_name[name].agent], games=30, seed=5).payoffs[:, 0].mean()
        for name in ("Beginner", "Short-sighted", "Far-sighted")
    ]
    assert earned == sorted(earned)
