"""The rules of snaps: each phase, each option, and an independent reading of the duties."""

import numpy as np
import pytest

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.table import Table
from hiddenhand.games.snaps.cards import ALL, CARDS, NONE, VALUES, above, count, mate, points_in, suit_mask
from hiddenhand.games.snaps.knowledge import certain_holder
from hiddenhand.games.snaps.state import (
    CLAIM,
    FALSE_CLAIM,
    KONTRA_ROUND,
    LAST_TRICK,
    TRICKS,
    possible_holders,
    side,
    total_with,
    trump_of,
)
from hiddenhand.games.snaps.texts import card_code, card_name, slovak_name
from hiddenhand.testing import check_conserved, check_hidden, check_loop, check_nothing_kept, check_payoffs

CODES = {card_code(card): card for card in range(CARDS)}
OPTIONS = [
    {"claim": "auto"},
    {"claim": "auto", "schwarz": True, "relax_if_trumped": True},
    {"strict_claim": True, "rekontra": True, "direction": 1},
    {"claim": "free", "sumec": "announced", "choose_after": 3, "chooser": 2},
    {"choose_after": 0, "schwarz": True, "rekontra": True},
]


def mask(text):
    return sum(1 << CODES[code] for code in text.split())


def table_with(hands, named=None, passes=True, **options):
    """A table at which seats 0 to 3 hold these cards; the named card is named and nobody doubles."""
    table = Table(resolver.game("snaps", **options), 1)
    for seat, hand in enumerate(hands):
        table.state.hands[seat] = mask(hand)
    assert int(np.bitwise_or.reduce(table.state.hands)) == ALL
    table.state.seen_first = table.state.hands[table.state.chooser]
    if named:
        table.play(f"name {named}")
        while passes and table.state.phase != TRICKS:
            table.play("pass")
    return table


ONE_SUIT_EACH = ["hA h10 hK hO hU h9", "lA l10 lK lO lU l9", "aA a10 aK aO aU a9", "bA b10 bK bO bU b9"]
SHARED = ["hA h10 hK lA l10 lK", "hO hU h9 lO lU l9", "aA a10 aK bA b10 bK", "aO aU a9 bO bU b9"]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_variants_conform(options):
    game = resolver.game("snaps", **options)
    for check in (check_payoffs, check_hidden, check_nothing_kept, check_conserved, check_loop):
        check(game)


def test_the_pack():
    assert VALUES.sum() == 120
    assert points_in(suit_mask(2)) == 30
    assert count(above(CODES["aK"])) == 2, "the ten and the ace outrank the king"
    assert mate(CODES["bK"]) == CODES["bO"]
    assert mate(CODES["bO"]) == CODES["bK"]
    assert (card_name(CODES["l10"]), slovak_name(CODES["l10"])) == ("ten of leaves", "zelená desiatka")
    assert [slovak_name(CODES[c]) for c in ("hU", "aA", "b9")] == [
        "červený dolník",
        "žaluďové eso",
        "guľová deviatka",
    ]


def test_naming_decides_trumps_and_sides():
    table = table_with(SHARED, "aA", passes=False)
    assert trump_of(table.state) == 2
    assert [side(table.state, seat) for seat in range(4)] == [0, 1, 0, 1]
    assert table.view(1).record.holder == NONE, "nobody but the holder knows"
    assert table.view(0).record.holder == NONE
    assert table.view(2).record.holder == 2


def test_play_goes_round_the_table_by_the_direction():
    for direction, order in ((-1, [3, 2, 1]), (1, [1, 2, 3])):
        table = table_with(SHARED, "aA", passes=False, direction=direction)
        asked = []
        while table.state.phase == KONTRA_ROUND:
            asked.append(table.turn)
            table.play("pass")
        assert asked == order
        assert table.turn == 0, "the chooser leads"


def test_only_opponents_may_say_kontra_and_only_once():
    table = table_with(SHARED, "aA", passes=False)
    assert table.turn == 3
    assert [table.action_name(a) for a in table.legal_actions()] == ["pass", "kontra"]
    table.play("pass")
    assert [table.action_name(a) for a in table.legal_actions()] == ["pass"], "seat 2 holds the named card"
    table.play("pass")
    table.play("kontra")
    assert table.state.phase == TRICKS
    assert table.state.doubled_by == 1
    assert certain_holder(table.view(0).record, 0) == NONE
    assert table.view(3).record.lacks[1] >> CODES["aA"] & 1, "everybody knows that seat 1 does not hold it"


def test_rekontra_is_asked_of_all_and_allowed_to_the_choosers_side():
    table = table_with(SHARED, "aA", passes=False, rekontra=True)
    table.play("kontra")
    assert table.turn == 0
    assert [table.action_name(a) for a in table.legal_actions()] == ["pass", "rekontra"]
    table.play("pass")
    assert table.turn == 2, "seat 3, who said kontra, is not asked"
    table.play("rekontra")
    assert table.state.redoubled_by == 2
    assert table.view(1).record.holder == 2, "and everybody knows now"


def test_an_announced_sumec_is_known():
    for named, alone in (("hA", True), ("aA", False)):
        table = table_with(SHARED, named, passes=False, sumec="announced")
        known = table.view(1).record.holder
        assert known == (0 if alone else NONE)
        assert bool(possible_holders(table.view(1).record, 1) & 1) == alone


def test_the_chooser_sees_only_his_first_cards():
    table = Table(resolver.game("snaps", choose_after=2), 5)
    assert count(table.view(0).record.hands[0]) == 2
    assert count(table.view(1).record.hands[1]) == 6
    assert table.view(1).record.seen_first == 0
    table.play(table.legal_actions()[0])
    assert count(table.view(0).record.hands[0]) == 6


def test_marriages_are_announced_by_leaders_and_prove_the_other_card():
    table = table_with(["hK hO lA l10 lK l9", "hA h10 hU h9 lO lU", "aA a10 aK bA b10 bK", "aO aU a9 bO bU b9"], "hA")
    assert [table.action_name(a) for a in table.legal_actions()[6:]] == ["hO for 40", "hK for 40"]
    table.play("hK for 40")
    assert table.state.bonus[0] == 40
    assert total_with(table.state, 0, 1, 0) == 0, "not before the side has a trick"
    assert table.view(2).record.shows[0] == 1 << CODES["hO"]
    assert [table.action_name(a) for a in table.legal_actions()] == ["a9", "aU", "aO", "b9", "bU", "bO"]
    table.play("a9")
    table.play("aK")
    assert [table.action_name(a) for a in table.legal_actions()] == ["h10", "hA"], "seat 1 must beat the king"
    table.play("hA")
    assert table.state.points[1] == 11 + 4 + 4
    assert total_with(table.state, 0, 1, 0) == 19 + 40, "the partner's trick makes it count"


def test_claims():
    hands = ["hA h10 hK lA l10 lK", "hO hU h9 lO lU l9", "aA a10 aK bA b10 bK", "aO aU a9 bO bU b9"]

    def after_two_tricks():
        table = table_with(hands, "aA")
        for move in ("hA", "a9", "aA", "hO"):
            table.play(move)
        assert table.turn == 2, "the trump ace took it"
        for move in ("bA", "lO", "lK", "b9"):
            if table.turn == 0:
                move = "hK"
            table.play(
                move if move in [table.action_name(a) for a in table.legal_actions()] else table.legal_actions()[0]
            )
        return table

    table = after_two_tricks()
    assert "dost" not in [table.action_name(a) for a in table.legal_actions()], (
        "nobody is offered what he knows to be false"
    )
    while not table.over and total_with(table.state, 0, 2, 0) < 66:
        table.play(table.legal_actions()[-1] if table.turn in (0, 2) else table.legal_actions()[0])
    assert not table.over
    while side(table.state, table.turn) != 0:
        table.play(table.legal_actions()[0])
    table.play("dost")
    assert table.state.ending == CLAIM
    assert table.payoffs() == [1, -1, 1, -1]


def test_a_false_claim_loses():
    """Seat 0 has 33 + 20 and hopes that seat 3, who has 14, is the partner; it is seat 1."""
    table = table_with(SHARED, "hO")
    s = table.state
    s.points[0], s.tricks[0] = 53, 1
    s.points[3], s.tricks[3] = 14, 1
    table.play("dost")
    assert s.ending == FALSE_CLAIM
    assert table.payoffs() == [-1, -1, 1, 1]


def test_with_free_claims_dost_may_be_said_and_lost():
    with pytest.raises(UserError, match="cannot have 66 points yet"):
        table_with(SHARED, "hO").play("dost")
    table = table_with(SHARED, "hO", claim="free")
    table.play("dost")
    assert table.state.ending == FALSE_CLAIM
    assert table.payoffs() == [-1, -1, 1, 1]
    for name in ("rules", "cheater"):  # they may, and do not
        table = table_with(SHARED, "hO", claim="free")
        while not table.over:
            table.play(table.ask(resolver.agent(table.game, name)).action)
        assert table.state.ending != FALSE_CLAIM


def test_a_claim_in_the_same_breath_as_a_marriage():
    hands = ["hK hO lA l10 lK l9", "hA h10 hU h9 lO lU", "aA a10 aK bA b10 bK", "aO aU a9 bO bU b9"]
    for strict in (False, True):
        table = table_with(hands, "hA", strict_claim=strict)
        table.state.points[0], table.state.tricks[0] = 30, 1
        names = [table.action_name(a) for a in table.legal_actions()]
        assert ("hK for 40 and dost" in names) is not strict
        if not strict:
            table.play("hK for 40 and dost")
            assert (table.state.ending, table.state.winner) == (CLAIM, 0)


def test_automatic_claims_end_the_deal_and_tell_who_is_not_whose_partner():
    table = table_with(SHARED, "hO", claim="auto")
    s = table.state
    s.points[0], s.tricks[0] = 40, 1
    s.points[3], s.tricks[3] = 14, 1
    assert possible_holders(s, 2) == 0b1011
    for move in ("hA", "a9", "aK", "h9"):
        table.play(move)
    assert s.points[0] == 55
    assert possible_holders(s, 2) == 0b0011, "with seat 3 the deal would be over: 55 + 14"
    for move in ("h10", "aU", "a10", "hU"):
        table.play(move)
    assert (table.over, int(s.winner), int(s.ending)) == (True, 0, CLAIM)
    assert table.payoffs() == [1, 1, -1, -1]


def duty(hand, trick, trump):
    """The cards that may be played, read off the rules' text: cards are (suit, rank)."""
    if not trick:
        return set(hand)
    led = trick[0][0]
    if any(suit == led for suit, _ in hand):
        mine = {card for card in hand if card[0] == led}
        highest = max(rank for suit, rank in trick if suit == led)
        return {card for card in mine if card[1] > highest} or mine
    trumps = {card for card in hand if card[0] == trump}
    if trumps:
        there = [rank for suit, rank in trick if suit == trump]
        return {card for card in trumps if there and card[1] > max(there)} or trumps
    return set(hand)


def taker(trick, trump):
    there = [card for card in trick if card[0] == trump] or [card for card in trick if card[0] == trick[0][0]]
    return trick.index(max(there, key=lambda card: card[1]))


def test_duties_and_tricks_agree_with_a_plain_reading():
    game = resolver.game("snaps")
    rng = np.random.default_rng(3)
    for seed in range(150):
        table = Table(game, seed)
        table.play(int(rng.integers(CARDS)))
        while table.state.phase != TRICKS:
            table.play("pass")
        trump, trick, leader, points = int(table.state.named) // 6, [], 0, np.zeros(4, int)
        while not table.over:
            hand = {(c // 6, c % 6) for c in range(CARDS) if int(table.state.hands[table.turn]) >> c & 1}
            cards = [a for a in table.legal_actions() if a < CARDS]
            assert {(c // 6, c % 6) for c in cards} == duty(hand, trick, trump)
            assert table.turn == (leader - len(trick)) % 4
            card = int(rng.choice(cards))
            trick.append((card // 6, card % 6))
            table.play(card)
            if len(trick) == 4:
                leader = (leader - taker(trick, trump)) % 4
                points[leader] += sum((0, 2, 3, 4, 10, 11)[rank] for _, rank in trick)
                assert table.state.points.tolist() == points.tolist()
                trick = []


def test_what_is_public_is_true():
    """No seat holds a card that it is said to lack, and every seat holds what it is said to show."""
    for options in OPTIONS:
        game = resolver.game("snaps", **options)
        rng = np.random.default_rng(4)
        for seed in range(60):
            table = Table(game, seed)
            while not table.over:
                table.play(int(rng.choice(table.legal_actions())))
                s = table.state
                if not table.over:
                    assert not np.any(s.hands & s.lacks)
                    assert not np.any(s.shows & ~s.hands)


def test_the_last_trick_decides_without_a_claim():
    table = table_with(ONE_SUIT_EACH, "h9", claim="manual")
    while not table.over:
        table.play(next(a for a in table.legal_actions() if a < CARDS))
    assert (table.state.ending, table.state.winner) == (LAST_TRICK, 0)
    assert table.payoffs() == [3, -1, -1, -1], "alone against three"


@pytest.mark.parametrize(("kontra", "expected"), [(False, [9, -3, -3, -3]), (True, [18, -6, -6, -6])])
def test_the_stakes(kontra, expected):
    table = table_with(ONE_SUIT_EACH, "h9", passes=False, schwarz=True)
    table.play("kontra" if kontra else "pass")
    while not table.over:
        names = [table.action_name(a) for a in table.legal_actions()]
        table.play("pass" if "pass" in names else "dost" if "dost" in names else names[0])
    assert table.payoffs() == expected, "no trick for the losers"
