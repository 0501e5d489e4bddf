"""A few plies of every large game, with reasons: what `make check` sees of them, in plain Python."""

import pytest

import hiddenhand as hh
from hiddenhand.author import OVER

pytestmark = pytest.mark.fast

PLIES = 24
TABLES = {
    "hanabi": ("trustful", "distrustful", "hat", "hat"),
    "snaps": ("rules", "risky", "rules", "random"),
    "dominion": ("bigmoney", "menu:Province, Gold, Smithy up to 1, Silver", "evolved"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_few_plies_with_reasons(name):
    game = hh.game(name, **({} if name == "snaps" else {"players": len(TABLES[name])}))
    players = [hh.agent(game, text) for text in TABLES[name]]
    table = game.deal(seed=5)
    for _ in range(PLIES):
        seat = table.turn
        if seat == OVER:
            break
        view = table.view()
        assert view.screen()
        decision = players[seat].explain(view)
        assert decision.action in view.legal_actions()
        assert decision.reasons or players[seat].name == "random"
        table.play(decision.action)
    for seat in range(game.players):
        assert table.view(seat).screen()
