"""Hat guessing in Hanabi: public knowledge that everyone shares and that is never wrong."""

import numpy as np
import pytest

from hiddenhand.core import registry
from hiddenhand.games.hanabi.hats.board import MEMORY
from hiddenhand.games.hanabi.hats.questions import catch_up


def public(table, seat):
    """What a seat holds to be public, worked out afresh from its view."""
    memory = np.zeros(MEMORY, np.int64)
    catch_up(table.view(seat).record, seat, memory)
    return memory


@pytest.mark.parametrize("players", [3, 4, 5])
def test_public_knowledge_is_shared_and_true(players):
    game = registry.game("hanabi", players=players, empty_hints=False)
    agent = registry.agent(game, "hat")
    for seed in range(6):
        table = game.deal(seed)
        while not table.over:
            seats = [public(table, seat) for seat in range(players)]
            for memory in seats[1:]:
                assert (memory == seats[0]).all()
            sets = seats[0][1:].reshape(5, 5)
            for seat in range(players):
                for slot in range(int(game.options["players"] < 4) + 4):
                    card = int(table.state.hands[seat, slot])
                    assert (sets[seat, slot] == 0) if card < 0 else (sets[seat, slot] >> card & 1)
            table.play(table.ask(agent).action)
