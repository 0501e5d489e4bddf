"""Looking up: the document's own example, each rule by hand, and what the rules lose."""

from dataclasses import replace

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.planning.model.world_building import read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import Block, Knowledge, precalculate
from hiddenhand.planning.planners.lookup import (
    PAIRS,
    RULES,
    Entries,
    Lookup,
    inverse_distance,
    nearest,
    nearest_listed,
    probability,
    section_for,
)
from hiddenhand.planning.planners.lookup_losses import compare_rules, some_beliefs
from hiddenhand.planning.worlds import world_file

A, B, C = 0, 1, 2


@pytest.fixture(scope="module")
def dorban():
    return read_world(world_file("dorban"))


@pytest.fixture(scope="module")
def knowledge(dorban):
    return precalculate(dorban, 4, 2)


def entries(beliefs, actions, values, legal=(True, True, True)):
    beliefs = np.array(beliefs, dtype=float)
    return Entries(
        beliefs,
        np.array(actions),
        np.array(values, dtype=float),
        (beliefs > 0).astype(float),
        (beliefs > 0).sum(axis=1) == 1,
        np.array(legal),
    )


DOCUMENT = entries([[0, 1], [1, 0], [0.5, 0.5]], [A, B, B], [10.0, 5.0, 2.0])


def test_the_example_of_the_document():
    """The belief (0.3, 0.7) is nearest to (0.5, 0.5), which says B; the weighted vote says A."""
    belief = np.array([0.3, 0.7])
    found = nearest(DOCUMENT, belief)
    assert (found.entry, found.action, found.value) == (2, B, 2.0)
    found = inverse_distance(DOCUMENT, belief)
    assert found.action == A
    assert found.scores[A] == pytest.approx(10.0 / (0.001 + 0.4242640687119286))
    assert found.scores[B] == pytest.approx(5.0 / (0.001 + 0.9899494936611665) + 2.0 / (0.001 + 0.282842712474619))
    assert found.scores[C] == -np.inf


def test_the_constant_of_the_vote_is_a_setting(dorban, knowledge):
    """Without a constant the scores are those of the document: 23.57 and 12.12. An exact match decides alone."""
    found = inverse_distance(DOCUMENT, np.array([0.3, 0.7]), 0.0)
    assert found.scores[[A, B]] == pytest.approx([23.57022603955158, 12.12183053462653])
    assert inverse_distance(DOCUMENT, np.array([0.5, 0.5]), 0.0).scores.tolist() == [-np.inf, 2.0, -np.inf]
    somewhere = dorban.uniform(next(v for v, block in knowledge.blocks.items() if block.too_complex))
    values = [Lookup(dorban, knowledge, "document", constant).find(somewhere).value for constant in (0.0, 5.0)]
    assert values[0] == pytest.approx(values[1])  # all certainties are equally far from this belief
    for constant in (-1.0, float("nan")):
        with pytest.raises(UserError, match="the constant of the vote must be a number of at least 0"):
            Lookup(dorban, knowledge, "document", constant)


def test_the_program_measures_only_the_states_that_are_listed():
    """Squared: over all states 0.38 and 0.38, so the first; over the listed ones 0.25 and 0.13."""
    stored = entries([[0, 1, 0], [0.5, 0, 0.5]], [A, B], [1.0, 1.0])
    belief = np.array([0.2, 0.5, 0.3])
    assert nearest(stored, belief).action == A
    assert nearest_listed(stored, belief).action == B


def test_the_program_weighs_with_probabilities():
    stored = entries(np.eye(3), [A, B, B], [10.0, 4.0, 7.0])
    found = probability(stored, np.array([0.3, 0.5, 0.2]))
    assert found.scores[[A, B]] == pytest.approx([3.0, 3.4])
    assert found.action == B
    assert found.value == pytest.approx(6.4)


@pytest.mark.parametrize("legal_c", [True, False])
def test_all_values_negative(legal_c):
    """In the program an action that nobody names then wins with 0, legal or not; here only if it is legal."""
    stored = entries(np.eye(2), [A, B], [-10.0, -4.0], legal=(True, True, legal_c))
    found = probability(stored, np.array([0.5, 0.5]))
    assert found.action == (C if legal_c else B)
    assert inverse_distance(stored, np.array([0.5, 0.5])).action == B


def test_equal_distances_go_to_the_first_entry():
    stored = entries([[0.1, 0.9], [0.5, 0.5]], [B, A], [1.0, 2.0])
    assert nearest(stored, np.array([0.3, 0.7])).entry == 0  # 0.2 - 1e-17 or 0.2: rounding must not decide


@pytest.mark.parametrize("rule", [*PAIRS, *RULES])
def test_no_advice_is_ever_illegal(dorban, knowledge, rule):
    """Not even where every stored value is negative and some stored actions are illegal."""
    spoilt = {}
    for visible, block in knowledge.blocks.items():
        actions = block.actions.copy()
        actions[1::3] = int(np.argmin(dorban.legal[visible]))
        spoilt[visible] = replace(block, actions=actions, values=-1.0 - np.abs(block.values))
    lookup = Lookup(dorban, Knowledge(4, 2, spoilt), rule)
    for belief in some_beliefs(dorban, 5, seed=1):
        visible = dorban.visible_of[np.argmax(belief)]
        assert dorban.legal[visible, lookup.find(belief).action]


@pytest.mark.parametrize("rule", [*PAIRS, *RULES])
def test_certainties_are_found_again(dorban, knowledge, rule):
    planner, lookup = ExactPlanner(dorban), Lookup(dorban, knowledge, rule)
    for state in range(0, len(dorban.states), 5):
        belief = np.zeros(len(dorban.states))
        belief[state] = 1.0
        found = lookup.find(belief)
        if rule in ("inverse_distance", "document") and len(dorban.states_of(dorban.visible_of[state])) > 1:
            continue  # other entries vote as well, and together they may win
        assert planner.values(belief, 4)[found.action] == pytest.approx(planner.value(belief, 4))


def test_what_cannot_be_looked_up(dorban, knowledge):
    with pytest.raises(UserError, match=r"no look-up rule 'neares' \(did you mean nearest"):
        Lookup(dorban, knowledge, "neares")
    first, *_ = knowledge.blocks
    partial = Knowledge(4, 2, {first: knowledge.blocks[first]})
    other = int(np.flatnonzero(dorban.possible)[-1])
    with pytest.raises(UserError, match=r"nothing is precalculated for the visible state \{has_dorban"):
        Lookup(dorban, partial).find(dorban.uniform(other))
    with pytest.raises(UserError, match="sum to 1"):
        Lookup(dorban, knowledge).find(np.full(len(dorban.states), 1.0 / len(dorban.states)))
    illegal = int(np.argmin(dorban.legal[first]))
    block = knowledge.blocks[first]
    useless = Block(first, block.too_complex, block.beliefs, np.full(len(block), illegal), block.values)
    with pytest.raises(UserError, match="no stored action is legal"):
        Lookup(dorban, Knowledge(4, 2, {first: useless})).find(dorban.uniform(first))


def test_the_first_section_that_is_deep_enough(knowledge):
    first, second, *_ = knowledge.blocks
    shallow = Knowledge(2, 2, {first: knowledge.blocks[first]})
    deep = Knowledge(5, 2, {first: knowledge.blocks[first]})
    assert section_for([shallow, knowledge, deep], 1, first) is shallow
    assert section_for([shallow, knowledge, deep], 3, first) is knowledge
    assert section_for([shallow, deep, knowledge], 1, second) is knowledge
    assert section_for([shallow, knowledge], 5, first) is None


def test_what_the_rules_lose(dorban, knowledge):
    """On random beliefs over 32 states inverse distance loses 1.1 to 2.8, probability weighting 0.2 to 0.3."""
    comparison = compare_rules(dorban, knowledge, random_beliefs=40, seed=1)
    losses = {(loss.rule, loss.where, loss.states): loss for loss in comparison.losses}
    assert 1.1 < losses["inverse_distance", "random", 32].mean < 2.8
    assert 0.15 < losses["probability", "random", 32].mean < 0.35
    for states in (4, 8, 32):
        for pair in PAIRS:
            assert losses[pair, "random", states].beliefs == 40 * {4: 45, 8: 15, 32: 15}[states]
    # on grids a pair is its first rule, on certainties its second
    assert losses["document", "random", 8] == replace(losses["nearest", "random", 8], rule="document")
    assert losses["svarog", "random", 32] == replace(losses["probability", "random", 32], rule="svarog")
    assert comparison.earned["exact"] == pytest.approx(679, abs=0.5)
    assert comparison.earned["document"] < comparison.earned["svarog"] < 680
    table = comparison.table().splitlines()
    assert len(table) == 2 + 1 + len(PAIRS) + len(RULES)
    assert len({line.count("|") for line in table}) == 1
