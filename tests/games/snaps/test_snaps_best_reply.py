"""Best reply in snaps: what it sees ahead against brute force, its choices, and true reasons."""

import numpy as np
import pytest

from hiddenhand.core import resolver
from hiddenhand.games.snaps.beliefs.kinds import imagine, model_of
from hiddenhand.games.snaps.best_reply import look_ahead, new_tree
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.pimc import result, set_world
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import legal, play
from hiddenhand.games.snaps.state import FINISHED, STATE, TRICKS
from hiddenhand.kernel import assign, new_records, stream

BY_COUNTING = model_of("exact", 100, 0.1)
ALL = 6  # levels: to the end of the deal


def late_tables(games=12, plays=12):
    """Decisions in games by rules, once so many cards have been played."""
    game = resolver.game("snaps")
    rules = resolver.agent(game, "rules")
    for seed in range(games):
        table = game.deal(seed=seed)
        while not table.over:
            if table.state.phase == TRICKS and len(table.legal()) > 1 and table.state.plays >= plays:
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


def best_mean(states, shares, seat):
    """What the best answers bring, one answer for all states that look alike; by plain recursion."""
    finished = sum(w * result(s, seat, np.empty(SEATS)) for s, w in zip(states, shares) if s.phase == FINISHED)
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


def tree_of(view, most):
    actions = np.array(view.actions, np.int64)
    hands, shares = imagine(BY_COUNTING, view.record, view.seat, most, stream(1))
    return actions, hands, shares, new_tree(view.record, actions, hands)


def test_looking_ahead_to_the_end_is_brute_force():
    """Without doubt, and with groups of any size, it is the best strategy against the rules in these worlds."""
    tested = 0
    for table in late_tables():
        view = table.view()
        actions, hands, shares, tree = tree_of(view, 60)
        look_ahead(tree, view.seat, shares, (ALL, 0.0, 0.0), stream(0))
        for i, action in enumerate(actions.tolist()):
            starts = []
            for row in hands:
                s = new_records(STATE, 1)[0]
                set_world(s, view.record, row)
                starts.append(played_on(s, action, view.seat))
            found = shares @ tree.values[0, :, i]
            # an action that is better by next to nothing is not taken instead of the usual one
            assert found == pytest.approx(best_mean(starts, shares, view.seat), abs=0.005)
            tested += len(hands) > 5
    assert tested > 20


def test_without_looking_ahead_the_rules_finish():
    for table in late_tables(games=4, plays=6):
        view = table.view()
        actions, hands, shares, tree = tree_of(view, 10)
        look_ahead(tree, view.seat, shares, (0, 0.0, 0.0), stream(0))
        for w, row in enumerate(hands):
            for i, action in enumerate(actions.tolist()):
                s = new_records(STATE, 1)[0]
                set_world(s, view.record, row)
                s = played_on(s, action, view.seat)
                while s.phase != FINISHED:
                    offered = legal_of(s)
                    s = played_on(s, int(rule_action(s, view.seat, offered, len(offered))), view.seat)
                assert tree.values[0, w, i] == pytest.approx(result(s, view.seat, np.empty(SEATS)))


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
