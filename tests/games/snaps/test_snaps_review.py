"""Reviews of snaps: thrown wins, and the share of the deals in which they could be seen."""

import numpy as np

import hiddenhand as hh
from hiddenhand.core.review import review
from hiddenhand.core.session import Deal, Session
from hiddenhand.games.snaps.beliefs.exact import draw_exact
from hiddenhand.games.snaps.beliefs.kinds import belief_of
from hiddenhand.games.snaps.rules import play
from hiddenhand.games.snaps.solver import WIN, new_memory, solve, solve_moves
from hiddenhand.games.snaps.state import PASS, TRICKS
from hiddenhand.games.snaps.win_shares import count_named, count_wins, imagine_hands, shares
from hiddenhand.kernel import new_records, stream


def late_position(seed):
    """Before the fourth trick, where few deals are possible."""
    table = hh.game("snaps").deal(seed=seed)
    agent = hh.agent("snaps", "random")
    while not table.over and not (
        table.state.phase == TRICKS and table.state.plays >= 12 and len(table.legal_actions()) > 1
    ):
        table.play(table.ask(agent).action)
    return table


def test_shares_are_counted_deal_by_deal():
    """Held against every deal that can be, found by drawing until no new one comes."""
    compared = 0
    for seed in range(12):
        table = late_position(seed)
        if table.over:
            continue
        view = table.view()
        belief = belief_of(view)
        drawn = np.zeros((4000, 4), np.int64)
        draw_exact(view.record, view.seat, stream(1), drawn)
        worlds = np.unique(drawn, axis=0)
        if len(worlds) != belief.count() or len(worlds) > 400:
            continue
        compared += 1
        actions = np.array(view.legal_actions(), np.int64)
        state = new_records(table.game.rules.state, 1)
        won = np.zeros(len(actions))
        for hands in worlds:
            imagine_hands(state[0], view.record, hands)
            values = np.zeros(len(actions))
            solve_moves(state[0], actions, len(actions), WIN, new_memory(int(view.record.plays)), values)
            won += values > 0
        np.testing.assert_allclose(shares(view, view.legal_actions()), won / len(worlds))
        few = np.zeros(len(actions), np.int64)
        assert count_wins(view.record, view.seat, actions, 10, view.stream(), few) == min(10, len(worlds))
    assert compared >= 4


def test_thrown_wins_are_marked_with_their_shares():
    marked = 0
    for seed in range(3):
        session = Session(Deal(hh.game("snaps"), seed), ["random"] * 4)
        agent = hh.agent("snaps", "random")
        while not session.over:
            session.play(session.decide(session.table, agent))
        done = review(session)
        for judged in done.moves:
            if judged.mark and judged.played[:2] not in ("pa", "ko"):
                marked += 1
                played, best = judged.shares
                assert 0.0 <= played <= 1.0
                assert 0.0 < best <= 1.0, "in the deal as it was the best move wins"
            else:
                assert judged.shares == ()
    assert marked > 2


def test_a_card_to_name_wins_a_share_of_deals_too():
    """Held against the same deals solved one by one: to name a card of one's own is to play alone."""
    table = hh.game("snaps").deal(seed=2)
    view = table.view()
    own = next(card for card in range(24) if int(view.record.hands[0]) >> card & 1)
    other = next(card for card in range(24) if not int(view.record.hands[0]) >> card & 1)
    hands = np.zeros((30, 4), np.int64)
    wins = np.zeros(2, np.int64)
    count_named(view.record, 0, np.array([own, other]), stream(3), hands, wins)
    expected = [0, 0]
    for deal in hands:
        assert deal[0] == view.record.hands[0]
        for k, card in enumerate((own, other)):
            state = new_records(table.game.rules.state, 1)
            state[0] = table.state
            state[0].hands[:] = deal
            play(state[0], card, stream(0))
            while state[0].phase != TRICKS:
                play(state[0], PASS, stream(0))
            expected[k] += int(solve(state[0], WIN, new_memory(0)) > 0)
            assert (state[0].holder == 0) == (card == own)
    assert wins.tolist() == expected
    assert len(shares(view, [own, other])) == 2


def test_kontra_has_no_shares():
    table = hh.game("snaps").deal(seed=2)
    table.play("name hA")
    view = table.view()
    assert shares(view, view.legal_actions()) == []
