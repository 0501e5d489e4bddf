"""ismcts in Dominion: the champion of the kingdom finishes the games in its head."""

import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import search_defaults

GAME = hh.game("dominion")


def positions(count, seed=1):
    """Views of a game that the champion plays against itself."""
    table, champion = GAME.deal(seed), hh.agent(GAME, "evolved")
    for _ in range(count):
        yield table.view()
        table.play(champion.decide(table.view()).action)


def test_the_move_of_the_champion_is_tried_first():
    """With one simulation it is the only one tried; without a champion any move may be."""
    search, champion = hh.agent(GAME, "ismcts:simulations=1"), hh.agent(GAME, "evolved")
    views = list(positions(8))
    assert [search.decide(view).action for view in views] == [champion.decide(view).action for view in views]
    plain = hh.agent(GAME, "ismcts:simulations=1,policy=likely")
    assert [plain.decide(view).action for view in views] != [champion.decide(view).action for view in views]


def test_another_agent_may_finish_the_games():
    search, other = hh.agent(GAME, "ismcts:simulations=1,policy=bigmoney"), hh.agent(GAME, "bigmoney")
    for view in positions(6):
        assert search.decide(view).action == other.decide(view).action


def test_enough_trust_leaves_the_choice_to_the_agent():
    view = next(positions(1))
    search = hh.agent(GAME, "ismcts:simulations=30,trust=1000")
    assert search.decide(view).action == hh.agent(GAME, "evolved").decide(view).action


def test_who_cannot_finish_games_is_refused():
    with pytest.raises(UserError, match="must be a compiled agent that does not cheat"):
        hh.agent(GAME, "ismcts:policy=ismcts")


def test_games_without_a_finisher_are_finished_by_likely_moves():
    kuhn = hh.game("kuhn")
    assert search_defaults(kuhn).rollout_policy == ""
    assert hh.agent(kuhn, "ismcts").finisher is None
