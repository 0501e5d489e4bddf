"""Tables of beliefs and facts: every worked number of the thesis, and what exact reasoning says to the same."""

from itertools import product

import numpy as np
import pytest

from hiddenhand.games.snaps.beliefs.facts import add_fact, agrees_with_facts, play_known
from hiddenhand.games.snaps.beliefs.probability_table import (
    combined,
    exclude,
    is_enough,
    locate,
    raise_until,
    raised,
    set_chance,
    start_table,
    suggest,
    table_type,
)
from hiddenhand.kernel import new_records

JACK, ACE = 7, 11  # two green cards of 18 hidden ones
EVEN = 1 / 3


@pytest.fixture
def table():
    """18 cards in three hands of six, as at the start of snaps."""
    table = new_records(table_type(24, 3, 4), 1)[0]
    start_table(table, (1 << 18) - 1, np.full(3, 6))
    return table


def two_green_cards(jack=(EVEN, EVEN, EVEN), ace=(EVEN, EVEN, EVEN)):
    """A table with two hidden cards and these rows; the hands have other cards too."""
    table = new_records(table_type(24, 3, 4), 1)[0]
    start_table(table, (1 << 18) - 1, np.full(3, 6))
    table.chances[JACK] = jack
    table.chances[ACE] = ace
    table.told = 1 << JACK | 1 << ACE
    return table


GREEN = 1 << JACK | 1 << ACE


def test_the_start_and_a_card_crossed_out(table):
    """Tables 6.1.1 and 6.1.2: 6/18, then 6/17 and 5/17."""
    assert table.chances[:18] == pytest.approx(6 / 18)
    assert not table.chances[18:].any()
    locate(table, 2, 0)
    assert table.chances[2].tolist() == [1, 0, 0]
    others = [card for card in range(18) if card != 2]
    assert table.chances[others] == pytest.approx(np.tile([5 / 17, 6 / 17, 6 / 17], (17, 1)))
    locate(table, 2, 0)
    assert table.room.tolist() == [5, 6, 6]  # known already: nothing is crossed out twice


def test_crossing_out_a_whole_hand_gives_its_probability(table):
    """6/18 * 5/17 * ... * 1/13 = 1 / C(18, 6)."""
    probability = 1.0
    for card in range(6):
        probability *= table.chances[card, 0]
        locate(table, card, 0)
    assert 1 / probability == pytest.approx(18564)
    assert not table.chances[6:18, 0].any()


def test_algorithm_6_1_1():
    row = np.full(3, EVEN)
    set_chance(row, 0, 0.05)
    assert row == pytest.approx([0.05, 0.475, 0.475])
    row = np.array([0.125, 0.75, 0.125])
    set_chance(row, 0, 0.5)
    assert row == pytest.approx([0.5, 6 / 14, 1 / 14])
    row = np.array([1.0, 0.0, 0.0])
    set_chance(row, 0, 0.3)
    assert row.tolist() == [1, 0, 0]  # nobody else can hold it


@pytest.mark.parametrize(
    ("chance", "told", "result"),
    [
        (0.2, 0.45, 0.45),  # 1 I
        (0.2, 0.1, 0.1),  # 1 II
        (0.1, 0.2, 0.1),
        (0.2, EVEN, 0.2),
        (EVEN, 0.45, 0.45),  # 2
        (EVEN, 0.05, 0.05),
        (0.62, 0.2, 0.2),  # 3 I
        (0.62, 0.45, 0.62),  # 3 II
        (0.45, 0.62, 0.62),
        (0.62, EVEN, 0.62),
    ],
)
def test_algorithm_6_1_2(chance, told, result):
    assert combined(chance, told, EVEN) == result


def test_algorithm_6_1_3():
    assert raised(EVEN) == pytest.approx(11 / 27)
    assert raised(0.125) == 0.138671875
    assert raised(EVEN) + raised(0.125) == pytest.approx(0.5461, abs=5e-5)
    chances = np.array([EVEN, 0.125])
    assert raise_until(chances, 1, EVEN) == 5
    assert chances == pytest.approx([0.9133, 0.2333], abs=5e-5)
    assert chances.sum() == pytest.approx(1.1466, abs=1e-4)
    four = np.array([EVEN, 0.125])
    for _ in range(4):
        four = np.array([raised(chance) for chance in four])
    assert four.sum() == pytest.approx(0.980, abs=5e-4)
    assert not is_enough(four, 1, EVEN)
    even = np.array([EVEN, EVEN])
    assert raise_until(even, 1, EVEN) == 2
    assert even == pytest.approx([0.5058, 0.5058], abs=5e-5)


def test_one_chance_must_exceed_a_third():
    assert not is_enough(np.full(4, 0.3), 1, EVEN)
    assert is_enough(np.array([0.34, 0.33, 0.33]), 1, EVEN)


def test_the_step_is_largest_at_two_thirds():
    """The thesis says at one half; that is the maximum of p(1 - p), not of the step p * p(1 - p)."""
    points = np.linspace(0, 1, 3001)
    assert points[np.argmax([raised(p) - p for p in points])] == pytest.approx(2 / 3, abs=1e-3)


def test_a_fact_raises_chances():
    """The thesis's example: player 1 has a green card, jack or ace."""
    table = two_green_cards(ace=(0.125, 0.75, 0.125))
    add_fact(table, 0, GREEN, 1, 1)
    assert table.chances[JACK] == pytest.approx([0.9133, 0.0434, 0.0434], abs=5e-5)
    assert table.chances[ACE] == pytest.approx([0.2333, 0.6572, 0.1095], abs=5e-5)


def exact_given_a_fact(jack, ace):
    """The same by enumeration: rows are independent, and only cases in which hand 0 holds one of the two count."""
    cases = {(j, a): jack[j] * ace[a] for j, a in product(range(3), repeat=2) if 0 in (j, a)}
    total = sum(cases.values())
    rows = [[sum(p for case, p in cases.items() if case[card] == h) / total for h in range(3)] for card in (0, 1)]
    return np.array(rows)


def test_what_exact_reasoning_says():
    """Algorithm 6.1.3 gives 0.913, 0.233, 0.657 and 0.506 where Bayes' rule gives 0.8, 0.3, 0.6 and 0.6."""
    jack, ace = exact_given_a_fact((EVEN, EVEN, EVEN), (0.125, 0.75, 0.125))
    assert jack[0] == pytest.approx(0.80)
    assert ace == pytest.approx([0.30, 0.60, 0.10])
    jack, ace = exact_given_a_fact((EVEN,) * 3, (EVEN,) * 3)
    assert [jack[0], ace[0]] == pytest.approx([0.600, 0.600])


def test_a_fact_becomes_certain_when_one_card_is_left():
    """Player 3 plays the ace, so player 1 has the jack: not 0.5058 but 1."""
    table = two_green_cards()
    add_fact(table, 0, GREEN, 1, 1)
    assert table.chances[[JACK, ACE], 0] == pytest.approx([0.5058, 0.5058], abs=5e-5)
    locate(table, ACE, 2)
    play_known(table, ACE, 2)
    assert table.chances[JACK].tolist() == [1, 0, 0]
    assert not table.fact_least.any()  # the table says it: the fact is gone


def test_a_fulfilled_fact_gives_the_chances_back():
    """Player 1 plays the ace: the jack has its old chance again."""
    table = two_green_cards(jack=(0.3, 0.5, 0.2))
    add_fact(table, 0, GREEN, 1, 1)
    assert table.chances[JACK, 0] > 0.3
    locate(table, ACE, 0)
    play_known(table, ACE, 0)
    assert table.chances[JACK] == pytest.approx([0.3, 0.5, 0.2])
    assert not table.fact_least.any()


def test_a_row_without_evidence_follows_the_crossing_out_again(table):
    add_fact(table, 0, GREEN, 1, 1)
    locate(table, ACE, 0)
    play_known(table, ACE, 0)
    assert table.chances[JACK] == pytest.approx([5 / 17, 6 / 17, 6 / 17])


def test_evidence_that_came_in_between_is_weighed_against_the_old_chance():
    """Lower than a third before and now: the lower stands. On the other side: the old one counts as news."""
    for told, result in ((0.1, 0.1), (0.95, 0.3)):
        table = two_green_cards(jack=(0.3, 0.5, 0.2))
        add_fact(table, 0, GREEN, 1, 1)
        suggest(table, JACK, 0, told)
        locate(table, ACE, 0)
        play_known(table, ACE, 0)
        assert table.chances[JACK, 0] == pytest.approx(result)


def test_an_assumption_makes_nothing_certain_and_can_be_wrong():
    table = two_green_cards()
    add_fact(table, 0, GREEN, 1, 0)
    exclude(table, 1 << ACE, 0)
    locate(table, 0, 1)
    play_known(table, 0, 1)  # after the next card of anybody's the fact has an effect again
    assert table.chances[JACK, 0] == pytest.approx(0.95)
    exclude(table, 1 << JACK, 0)
    play_known(table, 0, 1)
    assert table.chances[JACK, 0] == 0
    assert not table.fact_least.any()


def test_a_fact_about_several_cards(table):
    """At least two of three: when one of them is seen elsewhere, the other two are certain."""
    three = 0b111
    add_fact(table, 2, three, 2, 1)
    assert table.chances[:3, 2].sum() >= 2
    assert agrees_with_facts(table, np.array([0b001, 0, 0b110]))
    assert not agrees_with_facts(table, np.array([0b011, 0, 0b100]))
    locate(table, 0, 1)
    play_known(table, 0, 1)
    assert table.chances[1:3].tolist() == [[0, 0, 1], [0, 0, 1]]
    assert table.room.tolist() == [6, 5, 4]


def test_evidence_leaves_certainties_alone(table):
    exclude(table, 1 << JACK, 0)
    suggest(table, JACK, 0, 0.9)
    assert table.chances[JACK] == pytest.approx([0, 0.5, 0.5])
    exclude(table, 1 << JACK, 1)
    suggest(table, JACK, 2, 0.1)
    assert table.chances[JACK].tolist() == [0, 0, 1]
    assert table.room.tolist() == [6, 6, 5]


def test_evidence_stays_when_other_cards_are_crossed_out(table):
    suggest(table, JACK, 0, 0.05)
    assert table.chances[JACK] == pytest.approx([0.05, 0.475, 0.475])
    locate(table, ACE, 0)
    assert table.chances[JACK] == pytest.approx([0.05, 0.475, 0.475])
    for card in range(6):
        locate(table, card, 1)  # the second hand is known in full, and holds nothing else
    assert table.chances[JACK] == pytest.approx([0.05 / 0.525, 0, 0.475 / 0.525])
