"""Every agent in every game: legal moves, the same answer twice, reasons for the move, no looking at cards."""

import pytest

import hiddenhand as hh
from hiddenhand.core.agent import Agent
from hiddenhand.core.resolver import agents, game, games
from hiddenhand.core.table import Table
from hiddenhand.kernel import derive, stream

QUICK = {
    "minimax": "minimax:depth=2",
    "maxn": "maxn:depth=2",
    "alphabeta": "alphabeta:depth=3",
    "expectiminimax": "expectiminimax:depth=2",
    "uct": "uct:simulations=60",
    "ismcts": "ismcts:simulations=60",
    "pimc": "pimc:worlds=5,depth=2",
    "cfr": "cfr:iterations=20",
    "search": "search:playouts=40,worlds=10,exact=50",
    "averaging": "averaging:time=0.05",
    "best_reply": "best_reply:worlds=20,particles=100",
    "planner": "planner:depth=2",
    "pomcp": "pomcp:simulations=60",
    "point_based": "point_based:walks=2",
}
QUICK_IN = {("snaps", "pimc"): "pimc:worlds=5"}
CHEATERS = {("hanabi", "cheater"), ("hanabi", "smart_cheater"), ("snaps", "cheater")}
REFUSING = {("blind_tictactoe", "cfr"), ("battleship", "cfr")}

PAIRS = [(name, agent) for name in games() for agent in agents(name) if (name, agent) not in REFUSING]


def quick(name, agent):
    """An agent with little time to think; one that reads a text of its own, with its example."""
    example = getattr(agents(name)[agent], "example", "")
    return f"{agent}:{example}" if example else QUICK_IN.get((name, agent), QUICK.get(agent, agent))


def some_positions(name, every=5, games_played=2):
    """Positions from random games, with a seat to move."""
    chance_free = hh.agent(name, "random")
    for seed in range(games_played):
        table = game(name).deal(seed)
        while not table.over and len(table.actions) < 60:
            if len(table.actions) % every == seed:
                yield table
            table.play(table.ask(chance_free).action)


@pytest.mark.parametrize(("name", "agent"), PAIRS)
def test_decides_and_explains_the_same(name, agent):
    player = hh.agent(name, quick(name, agent))
    for table in some_positions(name):
        decision = table.ask(player)
        assert decision.action in table.legal()
        assert decision.text == table.text(decision.action)
        explained = table.ask(player, explain=True)
        assert explained.action == decision.action
        assert explained.reasons
        assert [a.action for a in explained.alternatives] == table.legal() or agent == "cfr"
        assert str(explained)
        explained.to_json()


@pytest.mark.parametrize(("name", "agent"), [pair for pair in PAIRS if game(pair[0]).hidden])
def test_nobody_sees_through_the_cards(name, agent):
    """A seat whose hidden cards are redealt decides the same."""
    of = game(name)
    player: Agent = hh.agent(of, quick(name, agent))
    assert player.cheats == ((name, agent) in CHEATERS)
    if player.cheats:
        return
    for number, table in enumerate(some_positions(name, every=7)):
        other = Table(of, table.seed, rolls=False)
        for action in table.actions:
            other.play(action)
        of.rules.redeal(other.state, other.turn, stream(derive(5, number)))
        assert other.ask(player).action == table.ask(player).action
        assert other.view(table.turn).to_json() == table.view(table.turn).to_json()
