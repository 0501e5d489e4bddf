"""Best reply in snaps: what it sees ahead against brute force, its second judge, its choices, and true reasons."""

import numpy as np
import pytest

from hiddenhand.core import resolver
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.pimc import stake_of
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, payoff, play
from hiddenhand.games.snaps.solver import WIN, new_memory, solve_moves
from hiddenhand.games.snaps.state import FINISHED, STATE, TRICKS
from hiddenhand.kernel import assign, new_records, stream


def late_tables(games=12, plays=12):
    """Decisions in games by rules, once so many cards have been played."""
    game = resolver.game("snaps")
    rules = resolver.agent(game, "rules")
    for seed in range(games):
        table = game.deal(seed=seed)
        while not table.over:
            if table.state.phase == TRICKS and len(table.legal_actions()) > 1 and table.state.plays >= plays:
                yield table
            table.play(table.ask(rules).action)


def legal_of(s):
    out = np.empty(CARDS, np.int64)
    return out[: legal(s, out)].copy()


def played_on(s, action, seat):
    """The action, then the others by the rules until the seat decides again."""
    after = new_records(STATE, 1)[0]
    assign(after, s)
    play(after, action, stream(0))
    while after.phase != FINISHED and after.mover != seat:
        actions = legal_of(after)
        play(after, rule_action(after, int(after.mover), actions, len(actions)), stream(0))
    return after


def gained(s, seat):
    gains = np.empty(SEATS)
    payoff(s, gains)
    return gains[seat]


def best_mean(states, shares, seat):
    """What the best answers bring, one answer for all states that look alike; by plain recursion."""
    finished = sum(w * gained(s, seat) for s, w in zip(states, shares) if s.phase == FINISHED)
    groups = {}
    for s, w in zip(states, shares):
        if s.phase != FINISHED:
            groups.setdefault((s.played.tobytes(), s.announced.tobytes()), []).append((s, w))
    total = finished
    for group in groups.values():
        weights = [w for _, w in group]
        total += max(
            best_mean([played_on(s, action, seat) for s, _ in group], weights, seat)
            for action in legal_of(group[0][0])
        )
    return total


def compared(settings, **where):
    """Late decisions with few deals, and what best_reply finds at each."""
    player = resolver.agent("snaps", f"best_reply:worlds=2000,particles=60,{settings}")
    for table in late_tables(**where):
        found = player.compare(table.view())
        if found.belief.exact:
            yield table.view(), found


def test_looking_ahead_to_the_end_is_brute_force():
    """All deals that are possible, by what the others did: it is the best strategy against the rules."""
    tested = 0
    for view, found in compared("open=0,ahead=5"):
        for i, action in enumerate(view.legal_actions()):
            starts = [played_on(s, action, view.seat) for s in found.belief.states]
            best = best_mean(starts, found.belief.weights, view.seat)
            assert found.of(i).mean(i) == pytest.approx(best)
        tested += len(found.belief) > 5
    assert tested > 5


def test_without_looking_ahead_the_rules_finish():
    for view, found in compared("open=0", games=4, plays=10):
        for w, start in enumerate(found.belief.states):
            for i, action in enumerate(view.legal_actions()):
                s = played_on(start, action, view.seat)
                while s.phase != FINISHED:
                    offered = legal_of(s)
                    s = played_on(s, int(rule_action(s, view.seat, offered, len(offered))), view.seat)
                assert found.payoffs[i, w] == gained(s, view.seat)


def test_open_cards_have_their_share_of_the_judgement():
    rows = zip(*(compared(f"open={share}", games=6) for share in (0, 0.25, 1)), strict=True)
    memory, differ = new_memory(0), 0
    for (view, played), (_, mixed), (_, solved) in rows:
        actions, values = np.array(view.legal_actions()), np.empty(len(view.legal_actions()))
        for w, world in enumerate(played.belief.states):
            solve_moves(world, actions, len(actions), WIN, memory, values)
            assert solved.payoffs[:, w] == pytest.approx(values * stake_of(world, view.seat))
        assert mixed.payoffs == pytest.approx(0.75 * played.payoffs + 0.25 * solved.payoffs)
        differ += (played.payoffs != solved.payoffs).any()
    assert differ > 3


def test_the_reasons_are_true():
    player = resolver.agent("snaps", "best_reply:worlds=40,particles=200")
    for table in late_tables(games=4, plays=0):
        decision = table.ask(player, explain=True)
        chosen = next(a for a in decision.alternatives if a.action == decision.action)
        assert decision.action == table.ask(player).action
        assert decision.reasons[0].startswith(f"{chosen.text} {chosen.note}")
        assert decision.value == chosen.value
        assert 1 <= decision.counts["worlds"] <= 40
        assert sum(p for _, p in decision.belief) == pytest.approx(1.0)


def test_to_name_a_card_of_ones_own_is_to_play_alone():
    player = resolver.agent("snaps", "best_reply:worlds=40")
    told = []
    for seed in range(12):
        table = resolver.game("snaps").deal(seed=seed)
        decision = table.ask(player, explain=True)
        own = bool(int(table.state.hands[0]) >> decision.action & 1)
        assert any("play alone against three" in reason for reason in decision.reasons) is own
        told.append(own)
    assert len(set(told)) == 2
