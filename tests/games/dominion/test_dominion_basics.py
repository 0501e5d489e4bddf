"""Dominion: set-up, turns, shuffles, the end of a game and the winners; and a whole game reckoned independently."""

import random
from collections import Counter
from math import sqrt

import numpy as np
import pytest

from dominion_tables import (
    NOTHING,
    SECOND,
    below,
    cards,
    choices,
    count,
    deck,
    discard,
    hand,
    in_play,
    left,
    owned,
    play,
    position,
    seat,
    supply,
)
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import IllegalAction
from hiddenhand.core.policy import policy
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.games.dominion.cards import DUCHY, ESTATE, GOLD, PROVINCE, SILVER
from hiddenhand.lab.match_runner import MatchRunner
from hiddenhand.testing import CHECKS

MANY_QUESTIONS = [
    ("first", 3, "Adventurer, Bureaucrat, Cellar, Library, Militia, Moat, Spy, Thief, Throne Room, Witch"),
    ("second", 2, "Artisan, Bandit, Harbinger, Library, Merchant, Moat, Poacher, Sentry, Throne Room, Vassal"),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("edition", "players", "kingdom"), MANY_QUESTIONS, ids=["first", "second"])
def test_conforms(edition, players, kingdom, check):
    check(game("dominion", edition=edition, players=players, kingdom=kingdom))


# ---- set-up


@pytest.mark.parametrize(
    ("players", "victory", "curses", "coppers"), [(2, 8, 10, 46), (3, 12, 20, 39), (4, 12, 30, 32)]
)
@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_supply(players, edition, victory, curses, coppers):
    table = Table(game("dominion", players=players, edition=edition, kingdom="Size Distortion"), 3)
    piles = count(table.state.supply)
    basic = {
        "Copper": coppers,
        "Silver": 40,
        "Gold": 30,
        "Estate": victory,
        "Duchy": victory,
        "Province": victory,
        "Curse": curses,
    }
    assert {name: piles[name] for name in basic} == basic
    kingdom = {name: number for name, number in piles.items() if name not in basic}
    assert len(kingdom) == 10
    assert {name: number for name, number in kingdom.items() if name != "Gardens"} == {
        name: 10 for name in kingdom if name != "Gardens"
    }
    assert kingdom["Gardens"] == victory  # a Victory card of the kingdom has as many as the others


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_starts_with_ten_cards_and_draws_five(players):
    table = Table(game("dominion", players=players), 4)
    s = table.state
    for of in range(players):
        assert owned(table, of) == cards("7 Copper, 3 Estate")
        assert hand(table, of) + deck(table, of) == cards("7 Copper, 3 Estate")
        assert hand(table, of).total() == below(table, of).total() == 5
        assert discard(table, of) == NOTHING
    assert not s.owned[players:].any()
    assert (table.turn, s.turns.tolist()) == (0, [1, 0, 0, 0])
    assert left(table)[:2] == (1, 1)


def test_the_first_two_hands_split_the_coppers_as_they_should():
    """Seven Coppers among ten cards: 5 and 2 (either way round) once in six games, else 4 and 3."""
    of, deals = game("dominion"), 1500
    coppers = [int(Table(of, seed).state.hands[1, 0]) for seed in range(deals)]
    assert set(coppers) == {2, 3, 4, 5}
    split = sum(number in (2, 5) for number in coppers) / deals
    assert abs(split - 1 / 6) < 4 * sqrt(1 / 6 * 5 / 6 / deals)


# ---- the turn


def test_without_an_action_the_turn_begins_with_buying_and_every_treasure_is_played():
    table = position(seat("2 Copper, Silver, Gold, Estate"), seat())
    assert left(table) == (1, 1, 7)
    assert count(table.state.hands[0]) == cards("Estate")
    assert count(table.state.in_play) == cards("2 Copper, Silver, Gold")
    assert "buy Gold" in choices(table)
    assert "buy Province" not in choices(table)


def test_one_action_a_turn():
    table = position(seat("2 Woodcutter, Copper"), seat())
    assert choices(table) == ["buy phase", "play Woodcutter"]
    play(table, "play Woodcutter")
    assert choices(table)[0] == "done"  # the second one cannot be played
    assert hand(table) == cards("Woodcutter, Copper")
    assert left(table) == (0, 2, 3)


def test_a_player_may_leave_his_actions_unplayed():
    table = position(seat("Smithy, Copper", deck="3 Gold"), seat())
    play(table, "buy phase")
    assert left(table) == (1, 1, 1)
    assert not any(choice.startswith("play") for choice in choices(table))


def test_several_buys_share_the_coins_and_each_needs_a_buy():
    table = position(seat("Silver, Gold", below="5 Copper"), seat(), buys=2)
    play(table, "buy Silver")
    assert left(table) == (1, 1, 2)
    assert "buy Estate" in choices(table)
    assert "buy Silver" not in choices(table)
    play(table, "buy Copper")  # costs nothing, but a buy
    assert table.turn == 1
    assert owned(table) == cards("2 Silver, Gold, 6 Copper")


def test_a_purchase_goes_to_the_discard_pile():
    table = position(seat("Gold", below="Estate"), seat(), buys=2)
    play(table, "buy Silver")
    assert discard(table) == cards("Silver")
    assert supply(table, "Silver") == 39


def test_nobody_must_buy():
    table = position(seat("Gold", below="5 Copper"), seat("Copper"), buys=2)
    play(table, "done")
    assert table.turn == 1
    assert owned(table) == cards("Gold, 5 Copper")


def test_a_curse_and_a_copper_can_be_bought_for_nothing():
    table = position(seat("Estate"), seat())
    assert choices(table) == ["done", "buy Copper", "buy Curse"]


def test_an_empty_pile_cannot_be_bought():
    table = position(seat("2 Gold"), seat(), supply={"Gold": 0})
    assert "buy Silver" in choices(table)
    with pytest.raises(IllegalAction):
        table.play("buy Gold")


def test_clean_up_discards_hand_and_play_and_draws_five():
    table = position(seat("Smithy, Moat, Estate, Gold", deck="3 Copper", below="6 Silver"), seat())
    play(table, "play Smithy", "buy Silver")
    assert hand(table) == cards("5 Silver")
    assert deck(table) == cards("Silver")
    assert discard(table) == cards("Smithy, Moat, Estate, Gold, 3 Copper, Silver")
    assert in_play(table) == NOTHING


def test_actions_buys_coins_and_merchants_are_not_carried_over():
    table = position(
        seat("Merchant, 2 Festival", deck="Estate, 5 Copper"), seat("Silver", deck="5 Copper"), edition=SECOND
    )
    play(table, "play Festival", "play Festival", "play Merchant")
    assert left(table) == (3, 3, 4)
    play(table, "done")
    assert table.turn == 1
    assert left(table) == (1, 1, 2)  # and no coin of the other's Merchant
    play(table, "done")
    assert left(table) == (1, 1, 5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_round(players):
    table = position(*[seat("Estate", below="9 Copper")] * players)
    seats = []
    for _ in range(2 * players + 1):
        seats.append(table.turn)
        play(table, "done")
    assert seats == [*range(players), *range(players), 0]


# ---- shuffles


def test_the_rest_of_the_deck_comes_before_the_shuffle():
    table = position(seat("Smithy, Moat", deck="Gold, Silver", discard="Copper, 3 Estate"), seat(), actions=2)
    play(table, "play Smithy")
    assert hand(table) >= cards("Moat, Gold, Silver")
    assert hand(table).total() == 4
    assert deck(table).total() == 3
    assert discard(table) == NOTHING


def test_a_deck_that_is_just_used_up_is_not_refilled():
    table = position(seat("Smithy, Moat", deck="Gold, Silver, Estate", discard="4 Copper"), seat(), actions=2)
    play(table, "play Smithy")
    assert deck(table) == NOTHING
    assert discard(table) == cards("4 Copper")


def test_cards_in_play_and_in_hand_are_not_shuffled_in():
    table = position(seat("Village, Smithy, Estate", deck="Gold", discard="Copper"), seat())
    play(table, "play Village", "play Smithy")
    assert hand(table) == cards("Estate, Gold, Copper")  # that is all there was
    assert deck(table) == discard(table) == NOTHING
    assert in_play(table) == cards("Village, Smithy")


def test_with_too_few_cards_one_draws_what_there_is():
    table = position(seat("Smithy, Moat", deck="Gold"), seat(), actions=2)
    play(table, "play Smithy")
    assert hand(table) == cards("Moat, Gold")


def test_clean_up_may_shuffle_in_what_was_just_played_and_bought():
    table = position(seat("Gold, Estate"), seat())
    play(table, "buy Silver")
    assert hand(table) == cards("Gold, Estate, Silver")
    assert deck(table) == discard(table) == NOTHING


def test_every_card_of_the_deck_is_equally_likely_to_be_drawn():
    drawn = Counter()
    games = 600
    for seed in range(games):
        table = position(seat("Village, Moat", below="Gold, Silver, Estate"), seat(), seed=seed)
        play(table, "play Village")
        drawn += hand(table) - cards("Moat")
    for name in ("Gold", "Silver", "Estate"):
        assert abs(drawn[name] - games / 3) < 4 * sqrt(games * 2 / 9)


# ---- the end


def ending(*seats, **details):
    """A table at which the Provinces are gone and the current player has just finished."""
    table = position(*seats, supply={"Province": 0}, **details)
    while not table.over:
        play(table, choices(table)[0])
    return table


def points(table):
    return [int(value) for name, value in table.metrics().items() if name.startswith("points")]


def test_the_last_province_ends_the_game_after_the_turn():
    table = position(seat("6 Gold", below="5 Copper"), seat(), buys=3, supply={"Province": 1})
    play(table, "buy Province")
    assert not table.over
    play(table, "buy Duchy")
    assert not table.over
    play(table, "buy Duchy")
    assert table.over
    assert table.metrics()["three_piles"] == 0
    assert points(table) == [12, 0]


@pytest.mark.parametrize("piles", [("Copper", "Curse", "Estate"), ("Smithy", "Village", "Gold")])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_three_empty_piles_end_the_game(piles, players):
    table = position(*[seat("2 Gold", below="9 Copper")] * players, supply=dict(zip(piles, (0, 0, 1))))
    play(table, "done")
    assert not table.over
    play(table, f"buy {piles[2]}")
    assert table.over
    assert table.metrics()["three_piles"] == 1


def test_two_empty_piles_do_not_end_the_game():
    table = position(seat("Gold", below="9 Copper"), seat(), supply={"Copper": 0, "Silver": 1})
    play(table, "buy Silver")
    assert not table.over


def test_three_piles_emptied_in_the_action_phase_end_the_game_only_after_the_turn():
    table = position(
        seat("Workshop, Gold", below="5 Estate"), seat(), supply={"Copper": 0, "Curse": 0, "Silver": 1}, buys=2
    )
    play(table, "play Workshop", "gain Silver")
    assert not table.over
    play(table, "buy Estate", "done")
    assert table.over
    assert owned(table) == cards("Workshop, Gold, 6 Estate, Silver")


def test_every_card_counts_wherever_it_is():
    table = ending(
        seat("Estate, Duchy", deck="Province", below="Curse, Estate", discard="Duchy, 2 Curse, Gold"), seat("Curse")
    )
    assert points(table) == [1 + 3 + 6 - 1 + 1 + 3 - 2, -1]
    assert table.payoffs() == [1.0, -1.0]


def test_no_card_but_victory_cards_and_curses_has_points():
    names = "Copper, Silver, Gold, Cellar, Chapel, Moat, Village, Workshop"
    assert points(ending(seat(names), seat("Market, Mine, Witch, Library"), current=1)) == [0, 0]


@pytest.mark.parametrize(("size", "each"), [(9, 0), (10, 1), (19, 1), (20, 2), (39, 3), (40, 4)])
def test_gardens_are_worth_a_point_for_every_ten_cards(size, each):
    """Of any kind: Gardens, Curses, Coppers."""
    table = ending(seat("2 Gardens", deck="Curse", below=f"{size - 3} Copper"), seat())
    assert points(table) == [2 * each - 1, 0]


def test_more_points_win():
    assert ending(seat("Estate"), seat("Duchy")).payoffs() == [-1.0, 1.0]
    assert ending(seat("Duchy"), seat("Estate")).payoffs() == [1.0, -1.0]


def test_of_equal_points_fewer_turns_win():
    assert ending(seat("Duchy"), seat("3 Estate")).payoffs() == [-1.0, 1.0]


def test_equal_points_and_turns_are_a_draw():
    assert ending(seat("Duchy"), seat("3 Estate"), current=1).payoffs() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("points_of", "current", "payoffs"),
    [
        ((3, 3, 0), 0, [-1, 2, -1]),  # seat 0 had a turn more
        ((3, 3, 0), 1, [0.5, 0.5, -1]),
        ((3, 3, 3), 1, [-1, -1, 2]),
        ((3, 3, 3), 2, [0, 0, 0]),
        ((0, 3, 3), 2, [-1, 0.5, 0.5]),
        ((0, 3, 3), 1, [-1, -1, 2]),
        ((3, 3, 3, 1), 3, [1 / 3, 1 / 3, 1 / 3, -1]),
        ((1, 3, 3, 0), 1, [-1, -1, 3, -1]),
        ((4, 3, 3, 0), 0, [3, -1, -1, -1]),
    ],
)
def test_ties_of_several(points_of, current, payoffs):
    table = ending(*[seat(f"{number} Estate") for number in points_of], current=current)
    assert points(table) == list(points_of)
    assert table.payoffs() == pytest.approx(payoffs)


def test_negative_points_lose_to_none():
    assert ending(seat("2 Curse"), seat("Curse"), current=1).payoffs() == [-1.0, 1.0]


def test_a_game_in_which_nobody_buys_ends_after_three_hundred_turns_each():
    table = position(seat("Estate", below="9 Estate"), seat("Estate", below="9 Estate"), current=1)
    table.state.turns[:2] = 299
    play(table, "done", "done")
    assert not table.over
    assert table.state.turns.tolist()[:2] == [300, 300]
    play(table, "done")
    assert table.over
    assert table.payoffs() == [0.0, 0.0]
    assert table.metrics()["turns"] == 300


def test_an_agent_shared_by_both_seats_keeps_nothing_between_them():
    """The same agent object in both seats decides as two of them do."""
    of = game("dominion")
    shared, other = PolicyAgent(of, big_money), PolicyAgent(of, big_money)
    one = MatchRunner(of, [shared, shared], 5).chunk(0, 40)
    two = MatchRunner(of, [shared, other], 5).chunk(0, 40)
    assert one.metrics.tolist() == two.metrics.tolist()


# ---- Big Money, reckoned independently


@policy("buys Provinces, late Duchies and Estates, Gold and Silver")
def big_money(view, seat, actions, memory, parameters, rng):
    provinces = view.supply[PROVINCE]
    if view.coins >= 8:
        return 1 + PROVINCE
    if view.coins >= 5 and provinces <= 5 and view.supply[DUCHY] > 0:
        return 1 + DUCHY
    if view.coins >= 2 and provinces <= 2 and view.supply[ESTATE] > 0:
        return 1 + ESTATE
    if view.coins >= 6 and view.supply[GOLD] > 0:
        return 1 + GOLD
    if view.coins >= 3 and view.supply[SILVER] > 0:
        return 1 + SILVER
    return 0


COINS_OF = {"Copper": 1, "Silver": 2, "Gold": 3}
POINTS_OF = {"Estate": 1, "Duchy": 3, "Province": 6}


def plain_purchase(coins, piles):
    """The same rule, written for lists."""
    for name, price, provinces in (
        ("Province", 8, 8),
        ("Duchy", 5, 5),
        ("Estate", 2, 2),
        ("Gold", 6, 8),
        ("Silver", 3, 8),
    ):
        if coins >= price and piles["Province"] <= provinces and piles[name] > 0:
            return name
    return None


def plain_game(rng):
    """A game of Big Money with itself: the turns of the first player, and who won (0.5: nobody)."""
    piles = {"Silver": 40, "Gold": 30, "Estate": 8, "Duchy": 8, "Province": 8}
    decks, discards, hands, turns = [[], []], [[], []], [[], []], [0, 0]
    for who in (0, 1):
        decks[who] = ["Copper"] * 7 + ["Estate"] * 3
        rng.shuffle(decks[who])
        hands[who], decks[who] = decks[who][:5], decks[who][5:]
    who = 1
    while piles["Province"] > 0 and sum(number == 0 for number in piles.values()) < 3:
        who = 1 - who
        turns[who] += 1
        bought = plain_purchase(sum(COINS_OF.get(name, 0) for name in hands[who]), piles)
        discards[who] += hands[who]
        if bought:
            piles[bought] -= 1
            discards[who].append(bought)
        hands[who] = []
        while len(hands[who]) < 5:
            if not decks[who]:
                decks[who], discards[who] = discards[who], []
                rng.shuffle(decks[who])
            hands[who].append(decks[who].pop())
    totals = [sum(POINTS_OF.get(name, 0) for name in decks[i] + discards[i] + hands[i]) for i in (0, 1)]
    standing = [(totals[i], -turns[i]) for i in (0, 1)]
    return turns[0], 0.5 if standing[0] == standing[1] else float(standing[1] > standing[0])


def near(share, expected, games, spread=None):
    """Within four standard errors of what is expected."""
    deviation = sqrt(expected * (1 - expected)) if spread is None else spread
    return abs(share - expected) < 4 * deviation / sqrt(games)


def engine_games(games):
    of = game("dominion")
    agent = PolicyAgent(of, big_money)
    return MatchRunner(of, [agent, agent], 11).chunk(0, games)


def test_big_money_against_itself_takes_the_turns_and_wins_the_games_it_should():
    """The known numbers: 20.70 turns with a deviation of 4.18; 51.6 % first wins, 40.7 % second, the rest draws."""
    games = 20_000
    chunk = engine_games(games)
    turns, first = chunk.metrics[:, 0], chunk.payoffs[:, 0]
    assert near(turns.mean(), 20.70, games, spread=4.18)
    assert abs(turns.std() - 4.18) < 0.12
    assert near(np.mean(first == 1.0), 0.516, games)
    assert near(np.mean(first == -1.0), 0.407, games)


def test_big_money_is_the_same_as_in_a_simulator_with_lists():
    games = 3000
    rng = random.Random(7)
    turns, winners = zip(*[plain_game(rng) for _ in range(games)])
    chunk = engine_games(10 * games)
    assert near(np.mean(turns), chunk.metrics[:, 0].mean(), games, spread=4.4)
    assert near(np.mean(np.array(winners) == 0.0), np.mean(chunk.payoffs[:, 0] == 1.0), games)
    assert near(np.mean(np.array(winners) == 1.0), np.mean(chunk.payoffs[:, 0] == -1.0), games)
