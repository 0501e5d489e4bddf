"""Averaging in snaps: all possible deals are listed once each, and their average is what PIMC estimates."""

import itertools

import numpy as np
import pytest

from hiddenhand.core.resolver import agent, game
from hiddenhand.games.snaps.averaging import (
    COSTS,
    DealRange,
    Totals,
    add_values,
    averaging_steps,
    best_action,
    count_possible,
    new_average,
    number_of,
    part_of_average,
)
from hiddenhand.games.snaps.beliefs.deals import numbered_deal
from hiddenhand.games.snaps.beliefs.exact import count_worlds, lay_out
from hiddenhand.games.snaps.cards import ALL, CARDS, bit
from hiddenhand.games.snaps.knowledge import possible_deals
from hiddenhand.games.snaps.solver import WIN, new_memory, solve, solve_moves
from hiddenhand.games.snaps.state import DOST, TRICKS, side
from hiddenhand.kernel import stream


def table_after(plays, seed, **options):
    """A table after so many cards of play that is neither stupid nor clever: every third legal action."""
    table = game("snaps", **options).deal(seed)
    for number in itertools.count():
        if table.over:
            return table_after(plays, seed + 1000, **options)
        if table.state.phase == TRICKS and table.state.plays >= plays and len(table.legal_actions()) > 1:
            return table
        legal = [a for a in table.legal_actions() if a != DOST]
        table.play(legal[number * 3 % len(legal)])


def list_deals(view, seat, begin, end, worlds, hands):
    """Write the deals `begin` to `end` of an even sample of `worlds`: hands int64[end - begin, 4]."""
    deals, owners = possible_deals(view, seat), np.zeros(CARDS, np.int64)
    for i in range(begin, end):
        number = number_of(i, worlds, int(deals.total))
        numbered_deal(deals.weights, deals.slots, deals.ways, number, owners)
        lay_out(view, seat, deals, owners, hands[i - begin])


@pytest.mark.parametrize(("plays", "seed"), [(8, 1), (10, 2), (13, 3), (16, 4), (18, 5)])
def test_every_possible_deal_is_listed_once(plays, seed):
    table = table_after(plays, seed)
    view = table.view()
    s, me = view.record, view.seat
    total = count_possible(s, me)
    assert total == count_worlds(s, me)
    hands = np.zeros((total, 4), np.int64)
    list_deals(s, me, 0, total, total, hands)
    assert len(np.unique(hands, axis=0)) == total
    assert (hands == table.state.hands).all(axis=1).sum() == 1  # the true one is among them
    played = sum(int(bit(card)) for card in s.played[: s.plays])
    assert (hands.sum(axis=1) == ALL - played).all()
    for seat in range(4):
        assert not (hands[:, seat] & s.lacks[seat]).any()
        assert ((hands[:, seat] & s.shows[seat]) == s.shows[seat]).all()


def test_before_the_first_card_there_are_17_million_deals():
    view = table_after(0, 7).view()
    assert count_possible(view.record, view.seat) == 17_153_136


def test_an_even_sample_takes_one_deal_of_each_part():
    view = table_after(8, 1).view()
    s, me = view.record, view.seat
    total = count_possible(s, me)
    everything, some = np.zeros((total, 4), np.int64), np.zeros((100, 4), np.int64)
    list_deals(s, me, 0, total, total, everything)
    list_deals(s, me, 0, 100, 100, some)
    for i in range(100):
        part = everything[i * total // 100 : (i + 1) * total // 100]
        assert (part == some[i]).all(axis=1).any()


def test_the_average_is_that_of_all_worlds():
    """Against the plain sum over the listed deals, solved one by one."""
    table = table_after(12, 9)
    view = table.view()
    s, me, actions = view.record, view.seat, np.array(view.legal_actions(), np.int64)
    *_, average = averaging_steps(s, me, actions, step=37)
    total = average.possible
    assert average.done == total > 37
    hands = np.zeros((total, 4), np.int64)
    list_deals(s, me, 0, total, total, hands)
    sums, values, holders = np.zeros(len(actions)), np.zeros(len(actions), np.int64), np.zeros(4)
    world, memory = table.view().imagine(), new_memory(12)
    for row in hands:
        world.hands[:] = row
        held = [seat for seat in range(4) if row[seat] & bit(s.named)]
        world.holder = held[0] if held else s.played_by[list(s.played).index(s.named)]
        solve_moves(world, actions, len(actions), WIN, memory, values)
        sums += values
        holders[world.holder] += 1
    assert average.means == pytest.approx(sums / total)
    assert average.holders.tolist() == holders.tolist()


def test_parts_add_up_in_any_order():
    view = table_after(12, 4).view()
    s, me, actions = view.record, view.seat, np.array(view.legal_actions(), np.int64)
    *_, whole = averaging_steps(s, me, actions)
    pieces = new_average(s, me, actions)
    for begin in reversed(range(0, whole.worlds, 100)):
        pieces.add(part_of_average(s, me, actions, whole.worlds, begin, min(begin + 100, whole.worlds)))
    assert pieces.done == whole.done
    assert pieces.means == whole.means


def test_pimc_estimates_the_same_averages():
    """Worlds drawn at random: within five standard errors, which fails once in a million."""
    view = table_after(8, 2).view()
    s, me, actions = view.record, view.seat, np.array(view.legal_actions(), np.int64)
    *_, average = averaging_steps(s, me, actions)
    rng, memory, values = stream(5), new_memory(8), np.zeros(len(actions), np.int64)
    worlds, sums = 4000, np.zeros(len(actions))
    world = view.imagine()
    for _ in range(worlds):
        solve_moves(view.imagine(rng, into=world), actions, len(actions), WIN, memory, values)
        sums += values
    for mean, estimate in zip(average.means, sums / worlds):
        assert abs(mean - estimate) <= 5 * np.sqrt((1 - mean**2) / worlds) + 1e-9


def test_kontra_is_decided_by_the_value_of_the_play():
    table = game("snaps").deal(2)
    table.play("name hA")
    view = table.view()
    totals = Totals(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(4, np.int64))
    nothing = np.zeros(0, np.int64)
    add_values(view.record, view.seat, nothing, DealRange(0, 50, 50), totals)
    hands = np.zeros((50, 4), np.int64)
    list_deals(view.record, view.seat, 0, 50, 50, hands)
    world, total = view.imagine(), 0
    for row in hands:
        world.hands[:] = row
        world.holder = next(seat for seat in range(4) if row[seat] & bit(0 * 6 + 5))
        value = solve(world, WIN, new_memory(0))
        total += value if side(world, view.seat) == 0 else -value
    assert totals.sums[0] == total


OPTIONS = [
    {},
    {"claim": "auto", "direction": 1, "schwarz": True},
    {"strict_claim": True, "sumec": "announced", "rekontra": True, "chooser": 2},
    {"choose_after": 3, "relax_if_trumped": True, "schwarz": True},
    {"choose_after": 0, "rekontra": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_it_decides_legally_and_explains_the_same(options):
    player = agent(game("snaps", **options), "averaging:time=0.02")
    table = game("snaps", **options).deal(6)
    exact = 0
    while not table.over:
        decision = table.ask(player, explain=True)
        assert decision.action in table.legal_actions()
        assert decision.action == table.ask(player).action
        if table.state.phase == TRICKS and len(table.legal_actions()) > 1:
            counts = decision.counts
            assert counts["worlds"] == min(counts["possible"], int(0.02 / COSTS[table.state.plays // 4]))
            assert ("all" in decision.reasons[0].split()) == (counts["worlds"] == counts["possible"])
            assert decision.value == max(a.value for a in decision.alternatives)
            exact += counts["worlds"] == counts["possible"]
        table.play(decision.action)
    assert exact > 0


def test_among_equals_it_claims_what_wins_and_spares_points():
    assert best_action(np.array([5, 4, DOST]), np.array([7, 7, 7])) == 2
    assert best_action(np.array([5, 4, DOST]), np.array([-7, -7, -7])) == 1
    assert best_action(np.array([5, 4, 1]), np.array([8, 7, 7])) == 0
