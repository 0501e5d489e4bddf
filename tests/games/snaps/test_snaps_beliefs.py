"""The beliefs of snaps: exact ones against brute force, the thesis's example, and what they say in words."""

import math

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.game import blank_state
from hiddenhand.games.snaps.beliefs.exact import count_worlds, draw_exact
from hiddenhand.games.snaps.beliefs.kinds import belief_of, card_chances, holder_chances, imagine, model_of
from hiddenhand.games.snaps.beliefs.table import KNOWLEDGE, build_knowledge
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.rules import play
from hiddenhand.games.snaps.state import FINISHED, begin
from hiddenhand.games.snaps.texts import card_code
from hiddenhand.kernel import new_records, stream
from snaps_positions import Position, late_positions, legal_actions, view_of

CODES = {card_code(card): card for card in range(CARDS)}
BY_COUNTING, BY_TABLE = model_of("exact", 0, 0.0), model_of("table", 0, 0.0)


def mask(text):
    return sum(1 << CODES[code] for code in text.split())


def chances_in(worlds):
    """How often each seat holds each card in a list of worlds."""
    hands = np.array(worlds)
    return np.array([[(hands[:, seat] >> card & 1).mean() for card in range(CARDS)] for seat in range(SEATS)])


def chi_square_bound(freedom):
    """A bound that a right sampler exceeds once in a million (Wilson and Hilferty's approximation)."""
    return freedom * (1 - 2 / (9 * freedom) + 4.7534 * math.sqrt(2 / (9 * freedom))) ** 3


def test_at_the_first_card_17153136_deals_are_possible():
    table = hh.game("snaps").deal(seed=5)
    table.play(CODES["hA"])
    for seat in range(SEATS):
        belief = belief_of(table.view(seat))
        holds = int(table.view(seat).record.hands[seat]) >> CODES["hA"] & 1
        assert belief.count() == math.factorial(18) // math.factorial(6) ** 3 == 17_153_136
        assert belief.holders() == pytest.approx(
            [float(s == seat) if holds else (s != seat) / 3 for s in range(SEATS)]
        )


@pytest.mark.parametrize("seen", [0, 3, 6])
def test_before_a_card_is_named(seen):
    """The chooser may not have seen all of his own cards yet."""
    table = hh.game("snaps", choose_after=seen).deal(seed=5)
    left = math.factorial(24 - seen)
    assert belief_of(table.view(0)).count() == left // (math.factorial(6 - seen) * math.factorial(6) ** 3)
    assert belief_of(table.view(1)).count() == 17_153_136
    for seat in (0, 1):
        belief = belief_of(table.view(seat))
        assert belief.chances().sum(axis=0) == pytest.approx(np.ones(CARDS))
        assert belief.chances().sum(axis=1) == pytest.approx(np.full(SEATS, 6))
        assert belief.holders().sum() == 0
        own = int(table.view(seat).record.hands[seat])
        for hands in belief.worlds(50)[0].tolist():
            assert sum(hands) == (1 << CARDS) - 1
            assert [hand.bit_count() for hand in hands] == [6] * SEATS
            assert hands[seat] & own == own


def test_exact_belief_is_brute_force_on_late_positions():
    """Counts, chances of cards and of the holder in 200 positions, whatever the options."""
    partly_known = 0
    for position, seat in late_positions(200):
        worlds = position.worlds(seat)
        view = position.view(seat)
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        holder_chances(BY_COUNTING, view, seat, stream(1), chances, holders)
        assert count_worlds(view, seat) == len(worlds)
        assert chances == pytest.approx(chances_in(worlds))
        expected = np.bincount([position.holder_in(world) for world in worlds], minlength=SEATS)
        assert holders == pytest.approx(expected / len(worlds))
        partly_known += 0 < holders.max() < 1
    assert partly_known >= 15  # so that the partner is often still a question


def test_draws_are_uniform():
    tested = 0
    for position, seat in late_positions(30, 14, 17):
        worlds = [tuple(world) for world in position.worlds(seat)]
        if not 20 <= len(worlds) <= 400 or tested == 4:
            continue
        tested += 1
        draws = 200 * len(worlds)
        hands = np.zeros((draws, SEATS), np.int64)
        draw_exact(position.view(seat), seat, stream(11 + tested), hands)
        tally = dict.fromkeys(worlds, 0)
        for world in map(tuple, hands.tolist()):
            tally[world] += 1  # a world that contradicts what was seen has no entry
        expected = draws / len(worlds)
        assert sum((n - expected) ** 2 / expected for n in tally.values()) < chi_square_bound(len(worlds) - 1)
    assert tested == 4


def test_when_few_worlds_are_left_each_is_there_once():
    for position, seat in late_positions(30, 14, 20):
        worlds = sorted(tuple(world) for world in position.worlds(seat))
        hands, shares = imagine(BY_COUNTING, position.view(seat), seat, len(worlds), stream(1))
        assert sorted(map(tuple, hands.tolist())) == worlds
        assert shares == pytest.approx(np.full(len(worlds), 1 / len(worlds)))


def test_the_table_is_certain_only_of_what_is_certain():
    """Its zeros and ones are those of brute force (it may miss some), and its rows add up to 1."""
    for position, seat in late_positions(60):
        truth = chances_in(position.worlds(seat))
        chances = np.zeros((SEATS, CARDS))
        view = position.view(seat)
        card_chances(BY_TABLE, view, seat, stream(1), chances)
        assert chances.sum(axis=0) == pytest.approx(truth.sum(axis=0))
        assert not truth[chances == 0].any()
        assert (truth[chances == 1] == 1).all()
        for other in range(SEATS):
            if other != seat:
                assert not any(chances[other, card] for card in range(CARDS) if int(view.lacks[other]) >> card & 1)


def test_draws_from_the_table_follow_its_chances():
    """Each world in proportion to the product of the chances of its cards, among those that agree with the facts."""
    tested = 0
    for position, seat in late_positions(60, 13, 17):
        worlds = [tuple(world) for world in position.worlds(seat)]
        if not 20 <= len(worlds) <= 300 or tested == 4:
            continue
        tested += 1
        view = position.view(seat)
        table = new_records(KNOWLEDGE, 1)[0]
        build_knowledge(view, seat, table)
        expected = np.array([product_of_chances(table, seat, world) for world in worlds])
        expected /= expected.sum()
        hands, _ = imagine(BY_TABLE, view, seat, 100_000, stream(tested))
        tally = dict.fromkeys(worlds, 0)
        for world in map(tuple, hands.tolist()):
            tally[world] += 1
        often = np.array(list(tally.values()))
        likely = expected * len(hands) >= 5
        assert often[expected == 0].sum() < 50  # a draw is given up after twenty tries
        rest = [(often[~likely].sum(), expected[~likely].sum() * len(hands))] if not likely.all() else []
        pairs = [*zip(often[likely], expected[likely] * len(hands)), *[pair for pair in rest if pair[1] >= 5]]
        assert sum((n - e) ** 2 / e for n, e in pairs) < chi_square_bound(max(1, len(pairs) - 1))
    assert tested == 4


def product_of_chances(table, seat, world):
    """The weight of a world, card by card; 0 if a fact rules it out."""
    masks = [world[(seat + 1 + hand) % SEATS] for hand in range(3)]
    for fact in range(len(table.fact_least)):
        held = masks[int(table.fact_hand[fact])] & int(table.fact_cards[fact])
        if held.bit_count() < table.fact_least[fact]:
            return 0.0
    cards = [(card, hand) for card in range(CARDS) for hand in range(3) if masks[hand] >> card & 1]
    return float(np.prod([table.chances[card, hand] for card, hand in cards]))


def test_evidence_from_naming_and_leading():
    """The chooser named the ten: he probably has the ace, and at least two trumps; hardly the ten itself."""
    table = hh.game("snaps").deal(seed=8)
    ten = CODES["h10"]
    seat = next(s for s in (1, 2, 3) if not int(table.view(s).record.hands[s]) & mask("hA h10"))
    table.play(ten)
    chances = belief_of(table.view(seat), "table").chances()
    words = belief_of(table.view(seat), "table").words()
    assert chances[0, CODES["hA"]] >= 0.85
    assert chances[0, ten] == pytest.approx(0.15)
    unseen = [c for c in range(6) if c != ten and not int(table.view(seat).record.hands[seat]) >> c & 1]
    assert chances[0, unseen].sum() >= 2
    assert any(told.startswith("seat 0 is assumed to hold at least 2 of hA") for told in words)
    worlds = belief_of(table.view(seat), "table").worlds(1000)[0]
    trumps = [(int(hand) & sum(1 << card for card in unseen)).bit_count() for hand in worlds[:, 0]]
    assert min(trumps) >= 2  # the fact is checked in every world


def test_the_end_leaves_one_world():
    position = Position({}, 3, 24)
    assert position.state.phase == FINISHED
    view = position.view(1)
    chances = np.ones((SEATS, CARDS))
    hands, _ = imagine(BY_COUNTING, view, 1, 2, stream(1))
    card_chances(BY_COUNTING, view, 1, stream(1), chances)
    assert count_worlds(view, 1) == 1
    assert not hands.any()
    assert not chances.any()


def example_3_1(third):
    """The thesis's example 3.1: acorns are trumps, player 1 (seat 0) leads to the fifth trick."""
    s = blank_state(hh.game("snaps"))[0]
    begin(s)
    hands = [mask("hU lA"), mask("aU aA"), mask(f"aK {third}"), mask("b10 b9")]
    for seat in range(SEATS):
        s.hands[seat] = hands[seat]
    s.phase, s.named, s.holder, s.plays, s.mover = 3, CODES["aA"], 1, 16, 0
    gone = [card for card in range(CARDS) if not any(hand >> card & 1 for hand in hands)]
    for i, card in enumerate(gone):
        s.played[i], s.played_by[i] = card, i % 4
        for seat in range(SEATS):
            s.lacks[seat] |= 1 << card
    return s


def cards_offered(s):
    return {card_code(action) for action in legal_actions(s) if action < CARDS}


def test_example_3_1_move_by_move():
    s = example_3_1("h9")
    assert count_worlds(view_of(s, 0), 0) == 90
    assert s.mover == 0
    play(s, CODES["hU"], stream(0))
    assert s.mover == 3
    assert cards_offered(s) == {"b10", "b9"}  # neither hearts nor trumps: anything
    play(s, CODES["b9"], stream(0))
    # the fourth player has shown that he has neither hearts nor acorns: both of his unseen cards can only be bells
    assert count_worlds(view_of(s, 0), 0) == 6
    assert s.mover == 2
    assert cards_offered(s) == {"h9"}
    play(s, CODES["h9"], stream(0))
    assert s.mover == 1
    assert cards_offered(s) == {"aU", "aA"}  # no hearts, and no trump to beat: either
    play(s, CODES["aA"], stream(0))
    assert s.mover == 1  # the highest trump took the trick
    assert count_worlds(view_of(s, 0), 0) == 2


def test_example_3_1_with_a_leaf_instead():
    s = example_3_1("l9")
    play(s, CODES["hU"], stream(0))
    play(s, CODES["b9"], stream(0))
    assert cards_offered(s) == {"aK"}  # without hearts he must trump
    play(s, CODES["aK"], stream(0))
    assert cards_offered(s) == {"aA"}  # and the next one must beat that
    assert "aU" not in cards_offered(s)


def test_words_tell_what_is_certain_and_who_the_partner_is():
    s = example_3_1("h9")
    play(s, CODES["hU"], stream(0))
    play(s, CODES["b9"], stream(0))
    words = belief_of(TableView(s, 0)).words()
    assert "6 deals agree with all that was seen." in words
    assert "seat 3 certainly holds the ten of bells" in words
    assert "the partner is seat 1 with 50 %, seat 2 with 50 %" in words


class TableView:
    """As much of a view as a belief reads."""

    def __init__(self, s, seat):
        self.record = view_of(s, seat)
        self.seat = seat
        self.seed = 7
