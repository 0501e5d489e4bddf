"""Hanabi: what can be deduced, against definitions by brute force."""

from collections import Counter
from itertools import permutations
from math import prod

import numpy as np
import pytest

from hiddenhand.core.agent import Agent
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.table import Table
from hiddenhand.games.hanabi.deduction import (
    avalanche,
    by_hints,
    count_unseen,
    critical_cards,
    exact_chances,
    left_cards,
    parts_known,
    playable_cards,
    share,
    sure_slots,
    surely,
    unseen_by,
    useless_cards,
    valuable_slots,
    wasted,
)
from hiddenhand.games.hanabi.rules import COPIES, NONE, begin, hint_action, play_card, touches
from hiddenhand.games.hanabi.texts import LETTERS
from hiddenhand.kernel import assign, new_records

ALL = [card for card in range(25) for _ in range(COPIES[card % 5])]
PLAYERS = [2, 3, 4, 5]


def members(mask):
    return {bit for bit in range(25) if mask >> bit & 1}


def cards(text):
    return [5 * LETTERS.index(word[0]) + int(word[1]) - 1 for word in text.split()]


def a_game(players, seed, player="stopped_clock"):
    """The states of a game, one after the other. StoppedClock plays to the last card and leaves few cards unknown."""
    of = game("hanabi", players=players)
    anyone: Agent = agent(of, player)
    table = Table(of, seed)
    while not table.over:
        yield table.state
        table.play(table.ask(anyone).action)
    yield table.state


def observed(state, seat):
    of = game("hanabi", players=int(state.players))
    view = new_records(of.rules.view, 1)[0]
    of.rules.observe(state, seat, view)
    return view


def in_hands(state, *seats):
    return [int(card) for seat in seats for card in state.hands[seat] if card != NONE]


def alive(state):
    """The cards still in the game and not on a pile: in the hands and in the deck."""
    return Counter(in_hands(state, *range(5)) + state.deck[: state.deck_left].tolist())


# --- the status of cards --------------------------------------------------------------------------


def succeeds(state, card):
    trial = new_records(state.dtype, 1)[0]
    assign(trial, state)
    return play_card(trial, card) == 1


def has_a_future(state, card):
    """Whether all cards from the next one of its colour up to this one are still in the game."""
    colour, rank = divmod(card, 5)
    rest = alive(state)
    return rank >= state.piles[colour] and all(
        rest[5 * colour + each] for each in range(int(state.piles[colour]), rank + 1)
    )


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("player", ["random", "cheater", "simple_distrustful"])
def test_the_status_of_cards(players, player):
    for seed in range(4):
        for state in a_game(players, seed, player):
            useful = {card for card in range(25) if has_a_future(state, card)}
            assert members(playable_cards(state)) == {card for card in range(25) if succeeds(state, card)}
            assert members(useless_cards(state)) == set(range(25)) - useful
            assert members(critical_cards(state)) == {card for card in useful if alive(state)[card] == 1}


@pytest.mark.parametrize("players", PLAYERS)
def test_unseen_cards(players):
    """What two seats do not both see: the deck and their own hands."""
    counts = np.zeros(25, np.int64)
    for state in a_game(players, 3):
        for first in range(players):
            view = observed(state, first)
            for second in range(players):
                count_unseen(view, second, first, counts)
                hidden = in_hands(state, *{first, second}) + state.deck[: state.deck_left].tolist()
                assert counts.tolist() == [hidden.count(card) for card in range(25)]
                assert members(left_cards(counts)) == set(hidden) == members(unseen_by(view, second, first))


def test_the_share_of_a_set():
    counts = np.zeros(25, np.int64)
    counts[:5] = [3, 2, 0, 1, 1]
    assert share(0b11111, 0b00001, counts) == 3 / 7
    assert share(0b00110, 0b00100, counts) == 0.0
    assert share(0b00100, 0b00100, counts) == 0.0
    assert surely(0b00110, 0b01110)
    assert not surely(0b10110, 0b01110)
    assert not surely(0, 0b01110)


# --- exact chances --------------------------------------------------------------------------------


def suits(view, seat, slot, card):
    return view.colours[seat, slot] >> card // 5 & 1 and view.ranks[seat, slot] >> card % 5 & 1


def chances_by_enumeration(view, seat, unseen):
    """Lay every choice of unseen cards into the slots of the hand, and count those that agree with the hints."""
    slots = [slot for slot in range(5) if view.colours[seat, slot]]
    held = np.zeros((5, 25))
    for chosen in permutations(unseen, len(slots)):
        if all(suits(view, seat, slot, card) for slot, card in zip(slots, chosen)):
            for slot, card in zip(slots, chosen):
                held[slot, card] += 1
    return held / held[slots[0]].sum()


def chances_by_counting(view, seat, unseen):
    """The same with equal cards laid together, so that larger positions can be done."""
    slots = [slot for slot in range(5) if view.colours[seat, slot]]
    left = Counter(unseen)
    held = np.zeros((5, 25))

    def fill(i, chosen, weight):
        if i == len(slots):
            for slot, card in zip(slots, chosen):
                held[slot, card] += weight
            return
        for card in sorted(left):
            if left[card] and suits(view, seat, slots[i], card):
                weight_now = weight * left[card]
                left[card] -= 1
                fill(i + 1, [*chosen, card], weight_now)
                left[card] += 1

    fill(0, [], 1)
    return held / held[slots[0]].sum()


def unseen_cards(state, seat):
    return in_hands(state, seat) + state.deck[: state.deck_left].tolist()


def chances_of(view, seat):
    chances = np.full((5, 25), np.nan)
    exact_chances(view, seat, chances)
    return chances


@pytest.mark.parametrize("players", PLAYERS)
def test_exact_chances_at_the_end_of_the_game(players):
    """With few cards in the deck or none, hands of which a card was not replaced included."""
    checked, with_empty_slots = 0, 0
    for seed in range(9):
        for state in a_game(players, seed):
            for seat in range(players):
                unseen = unseen_cards(state, seat)
                if state.deck_left <= 2 and len(in_hands(state, seat)) > 0 and len(unseen) <= 7:
                    view = observed(state, seat)
                    expected = chances_by_enumeration(view, seat, unseen)
                    assert np.abs(chances_of(view, seat) - expected).max() < 1e-9
                    checked += 1
                    with_empty_slots += len(in_hands(state, seat)) < state.hand_size
    assert checked > 50
    assert with_empty_slots > 5


@pytest.mark.parametrize("players", PLAYERS)
def test_exact_chances_with_many_hints(players):
    """In the middle of a game, where hints leave few arrangements."""
    checked = 0
    for seed in range(40):
        for number, state in enumerate(a_game(players, 100 + seed)):
            seat = number % players
            view, unseen = observed(state, seat), unseen_cards(state, seat)
            kinds = [{card for card in unseen if suits(view, seat, slot, card)} for slot in range(state.hand_size)]
            if 50 < prod(map(len, kinds)) <= 1500 and state.deck_left > 2:
                expected = chances_by_counting(view, seat, unseen)
                assert np.abs(chances_of(view, seat) - expected).max() < 1e-9
                checked += 1
        if checked > 60:
            break
    assert checked > 30


def test_exact_chances_of_an_untouched_hand():
    """Without hints every slot has the shares of the unseen cards."""
    state = next(a_game(4, 9))
    unseen = Counter(unseen_cards(state, 0))
    chances = chances_of(observed(state, 0), 0)
    for slot in range(4):
        assert np.abs(chances[slot] - [unseen[card] / unseen.total() for card in range(25)]).max() < 1e-9
    assert not chances[4].any()


@pytest.mark.parametrize("players", [2, 5])
def test_chances_agree_with_what_is_sure(players):
    """What sets of cards make sure has the chance 1; no card outside the sets has a chance."""
    for state in a_game(players, 12):
        view = observed(state, int(state.mover))
        seat = int(state.mover)
        if state.over:
            continue
        chances = chances_of(view, seat)
        left = unseen_by(view, seat, seat)
        for part in (playable_cards(view), useless_cards(view), critical_cards(view)):
            sure = sure_slots(view, seat, left, part)
            for slot in range(state.hand_size):
                known = members(by_hints(view, seat, slot) & left)
                assert (sure >> slot & 1 == 1) == (len(known) > 0 and known <= members(part))
                assert not sure >> slot & 1 or abs(chances[slot, list(members(part))].sum() - 1) < 1e-9
                assert {card for card in range(25) if chances[slot, card] > 1e-12} <= known


# --- hands made by hand ---------------------------------------------------------------------------


def table_with(drawn, players):
    """A table where the cards are drawn in this order, seat 0's hand first; the rest follows in order."""
    table = Table(game("hanabi", players=players), 1)
    rest = Counter(ALL)
    rest.subtract(cards(drawn))
    order = cards(drawn) + sorted(rest.elements())
    table.state.deck[:] = order[::-1]
    begin(table.state)
    return table


def test_hints_touch_what_the_rules_say():
    for state in a_game(3, 4):
        for target in range(3):
            for kind in range(2):
                for value in range(5):
                    assert touches(state, target, kind, value) == touches(state, target, kind, value)


def test_avalanche():
    """A red 1 lets the next two players go on with their 2 and 3; the other way round only one can."""
    state = table_with("r1 b1 g1 w4 w4  r2 b3 g5 y1 y1  r3 b2 g4 y1 w3", 3).state
    assert avalanche(state, 0, cards("r1")[0]) == 2
    assert avalanche(state, 0, cards("b1")[0]) == 1  # the 2 comes last, the 3 before it
    assert avalanche(state, 0, cards("g1")[0]) == 0
    assert avalanche(state, 1, cards("g5")[0]) == 0  # nothing follows a 5
    assert avalanche(state, 2, cards("g4")[0]) == 1
    assert avalanche(observed(state, 1), 2, cards("g4")[0]) == 0  # its own cards are not seen by seat 1


def test_parts_known():
    table = table_with("r1 r1 y1 y1 w4  r2 b3 g5 y1 b1", 2)
    table.play("hint 1 blue")
    table.play("hint 0 rank 1")
    table.play("hint 1 rank 3")
    assert [parts_known(table.state, 1, slot) for slot in range(5)] == [0, 2, 0, 0, 1]
    assert [parts_known(table.state, 0, slot) for slot in range(5)] == [1, 1, 1, 1, 0]


def test_hints_that_are_wasted():
    """X and Y hold a copy; X knows its colour, Y nothing of it: a hint to Y about it is not valuable."""
    table = table_with("w1 w1 w1 w2 w4  r3 b4 g5 y1 b1  r3 g4 g4 b2 y4  y2 y2", 3)
    assert not wasted(table.state, 0, 2, 0)
    table.play("hint 1 red")
    table.play("discard 5")
    table.play("discard 5")
    view, useless = observed(table.state, 0), useless_cards(table.state)
    assert wasted(view, 0, 2, 0)
    assert not wasted(view, 0, 1, 0)
    assert valuable_slots(view, 0, 2, 0, 0, useless) == 0  # red
    assert valuable_slots(view, 0, 2, 1, 2, useless) == 0  # rank 3
    assert valuable_slots(view, 0, 1, 1, 2, useless) == 1  # rank 3 to the one who knows the colour
    assert valuable_slots(view, 0, 1, 0, 0, useless) == 0  # red again
    assert valuable_slots(view, 0, 2, 0, 2, useless) == 0b110  # green: two equal cards, equally known
    assert valuable_slots(view, 0, 2, 0, 2, useless | 1 << cards("g4")[0]) == 0


def test_a_card_of_mine_that_was_revealed_makes_hints_wasted():
    table = table_with("r3 w1 w1 w2 w4  b3 b4 g5 y1 b1  r3 g4 g4 b2 y4", 3)
    table.play("discard 5")
    table.play("hint 0 red")
    table.play("discard 5")
    assert not wasted(observed(table.state, 0), 0, 2, 0)
    table.play("discard 5")
    table.play("hint 0 rank 3")
    assert wasted(observed(table.state, 0), 0, 2, 0)


def test_surely_playable_from_the_first_move_on():
    """All 1s are playable at first, whatever their colour: the example of the thesis."""
    table = table_with("r1 r2 y1 y3 w4  r2 b3 g5 y1 b1", 2)
    table.play(hint_action(1, 0, 4))
    table.play("hint 0 rank 1")
    view = observed(table.state, 0)
    assert sure_slots(view, 0, unseen_by(view, 0, 0), playable_cards(view)) == 0b00101
    assert sure_slots(view, 0, unseen_by(view, 0, 0), critical_cards(view)) == 0
