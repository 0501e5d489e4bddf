"""Search on a blueprint: it finds what a best response finds, and is the same however it is run."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Allowed
from hiddenhand.core.game import encoding_of
from hiddenhand.core.resolver import Resolver, text_of
from hiddenhand.kernel import assign, new_records, stream
from hiddenhand.learning.network import new_network
from hiddenhand.learning.network_agent import Network
from hiddenhand.search import BlueprintSearch
from hiddenhand.search.policy_improvement import spread_over


def positions(game, moves=3, games=6):
    for seed in range(games):
        table = game.deal(seed)
        while not table.over and len(table.movers) < moves + 2:
            yield table
            table.play(table.legal_actions()[seed % len(table.legal_actions())])


def test_on_a_uniform_blueprint_it_is_harder_to_exploit():
    """At every information set of Kuhn it finds a best response to the blueprint: 1/3 instead of 11/24."""
    assert float(hh.exploitability("kuhn", "random")) == pytest.approx(11 / 24)
    found = hh.exploitability("kuhn", "search:blueprint=random,playouts=400,bound=0", asked=2)
    assert float(found) == pytest.approx(1 / 3)


def test_a_change_must_be_sure():
    """With a bound that nothing reaches, it plays the blueprint."""
    leduc = hh.game("leduc")
    timid = hh.agent(leduc, "search:blueprint=random,playouts=60,bound=20")
    for table in positions(leduc):
        tried = timid.compare(table.view())
        assert tried.best == tried.own
        assert tried.trials[tried.own] == tried.trials.max()
    assert spread_over(2.0, 1) == pytest.approx(2.0)
    assert spread_over(2.0, 20) == pytest.approx(3.05, abs=0.01)


def test_threads_change_nothing():
    leduc = hh.game("leduc")
    alone = hh.agent(leduc, "search:blueprint=random,playouts=300,steps=2")
    together = hh.agent(leduc, "search:blueprint=random,playouts=300,steps=2,workers=8")
    further = 0
    for table in positions(leduc, games=3):
        one, many = alone.compare(table.view()), together.compare(table.view())
        assert one.best == many.best
        assert (one.payoffs == many.payoffs).all()
        if one.deeper is not None:
            assert (one.deeper.payoffs == many.deeper.payoffs).all()
            further += 1
    assert further > 0


def test_by_time():
    leduc = hh.game("leduc")
    table = leduc.deal(2)
    decision = table.ask(hh.agent(leduc, "search:blueprint=random,time=0.05"), explain=True)
    assert decision.action in table.legal_actions()
    assert decision.counts["playouts"] >= 16
    assert "random" in decision.reasons[0]
    assert decision.belief


def test_blueprints_as_text():
    """An agent within an agent: in brackets where it has commas of its own."""
    leduc = hh.game("leduc")
    agent = hh.agent(leduc, "search:blueprint=(random),playouts=20")
    assert isinstance(agent, BlueprintSearch)
    assert (str(agent), text_of(agent)) == ("search:blueprint=random,playouts=20",) * 2
    hanabi = hh.game("hanabi")
    nested = "search:blueprint=(bayesian_trustful2:discard_pass=1,good_pass=2.0),worlds=3"
    assert str(hh.agent(hanabi, nested)) == nested.replace("=1,", "=1.0,")
    assert str(hh.agent("snaps", "search").policy) == "rules"  # its champion would think for minutes
    with pytest.raises(UserError, match="compiled agent"):
        hh.agent(leduc, "search:blueprint=ismcts")
    with pytest.raises(UserError, match="does not cheat"):
        hh.agent(hanabi, "search:blueprint=cheater")
    with pytest.raises(UserError, match="unknown agent 'nobody'"):
        hh.agent(leduc, "search:blueprint=nobody")
    with pytest.raises(UserError, match="nothing is hidden"):
        hh.agent("tictactoe", "search")


def test_strangers_reach_no_file_through_it(tmp_path):
    (tmp_path / "own.py").write_text("raise SystemExit")
    door = Resolver(Allowed([]), strangers=True)
    for text in (f"search:blueprint={tmp_path}/own.py", "ismcts:policy=(network:file=/etc/hostname)"):
        with pytest.raises(UserError, match="file"):
            door.agent(hh.game("leduc"), text)


def test_a_change_must_be_worth_it():
    """With a least gain that no payoff reaches, it plays the blueprint."""
    leduc = hh.game("leduc")
    for table in positions(leduc, games=3):
        tried = hh.agent(leduc, "search:blueprint=random,playouts=60,bound=0,least=27").compare(table.view())
        assert tried.best == tried.own


def test_the_network_of_the_blueprint_judges_rollouts_that_are_broken_off():
    """A hint, which nothing hidden follows: EVAL, and what the network expects of the seat that moves next."""
    game = hh.game("hanabi", players=2)
    network = new_network([encoding_of(game).length, 8, game.rules.action_count + 1], 4)
    blueprint = Network(game, network, {"shaped": True})
    agent = BlueprintSearch(game, blueprint="random", cut=1, playouts=40, worlds=20)
    agent.policy, agent.models = blueprint, [blueprint]
    table = game.deal(seed=3)
    view, result = table.view(), agent.compare(table.view())
    hints = [i for i, action in enumerate(view.legal_actions()) if "hint" in view.action_name(action)]
    assert hints
    estimate, state = np.zeros(2), new_records(game.rules.state, 1)[0]
    for hint in hints:
        for trial in range(result.trials[hint]):
            assign(state, result.belief.states[result.worlds[trial]])
            game.rules.play(state, view.legal_actions()[hint], stream(0))
            game.rules.evaluate(state, estimate)
            partner = new_records(game.rules.view, 1)[0]
            game.rules.observe(state, 1, partner)
            legal = np.zeros(game.most_actions, np.int64)
            count = game.rules.legal(state, legal)
            inputs = blueprint.inputs_of(partner, 1)
            expected = estimate[0] + blueprint.answer(partner, 1, list(legal[:count]), inputs)[1]
            assert result.payoffs[hint, trial] == pytest.approx(expected, abs=1e-5)


def test_only_a_network_that_counts_from_eval_judges_a_game_in_which_all_get_the_same():
    hanabi, leduc = hh.game("hanabi", players=2), hh.game("leduc")
    for game, shaped, judges in ((hanabi, True, True), (hanabi, False, False), (leduc, True, False)):
        network = new_network([encoding_of(game).length, 4, game.rules.action_count + 1], 4)
        assert (Network(game, network, {"shaped": shaped}).judge is not None) == judges
    usual, given = hh.agent(leduc, "search:blueprint=random"), hh.agent(leduc, "search:blueprint=random,cut=3")
    assert (usual.horizon, given.horizon) == (0, 3)
