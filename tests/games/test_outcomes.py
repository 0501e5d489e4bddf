"""Why a game ended as it did: the reason in plain words, with the number that decided."""

import numpy as np
import pytest

from dominion_tables import position, seat
from hanabi_tables import table_with
from hiddenhand.core.resolver import game, games
from hiddenhand.games.hanabi.texts import verdict
from hiddenhand.games.snaps.state import CLAIM, FALSE_CLAIM, FINISHED, LAST_TRICK


@pytest.mark.parametrize("name", games())
def test_every_game_says_why_it_ended(name):
    assert game(name).people.outcome is not None


def ended(name, *moves, **options):
    """The reason why a game ended with these moves, chance's included."""
    table = game(name, **options).deal(seed=1, rolls=False)
    for move in moves:
        table.play(move)
    assert table.over
    return table.game.people.outcome(table.state)


def test_small_games():
    assert (
        ended("tictactoe", *"b2 a3 a1 c3 b3 b1 a2 c2 c1".split()) == "the board is full and nobody has three in a row"
    )
    assert ended("tictactoe", *"a1 a2 b1 b2 c1".split()) == "seat 0 has three in a row, a1 b1 c1"
    assert ended("connect_four", *"1212121") == "seat 0 has four in a row after 7 moves"


def test_poker():
    assert ended("kuhn", "Q", "K", "bet", "fold") == "seat 1 folded and lost 1 chip; no card was shown"
    assert ended("kuhn", "Q", "K", "bet", "call") == "the cards were shown, and K beats Q for 2 chips"
    assert ended("kuhn", "Q", "J", "check", "check") == "the cards were shown, and Q beats J for 1 chip"
    assert ended("leduc", "Qs", "Ks", "bet", "raise", "fold") == "seat 0 folded and lost 3 chips; no card was shown"
    pair = "the cards were shown, and Qs pairs the open card and beats Ks for 3 chips"
    assert ended("leduc", "Qs", "Ks", "bet", "call", "Qh", "check", "check") == pair
    shared = "the cards were shown, Ks and Kh are worth the same, and the pot is shared"
    assert ended("leduc", "Ks", "Kh", "check", "check", "Qh", "check", "check") == shared
    alone = "nobody called the bet of seat 2; no card was shown"
    assert ended("leduc", "Ks", "Kh", "Qs", "check", "check", "bet", "fold", "fold", players=3) == alone
    moves = ("check", "check", "check", "Qh", "bet", "call", "call")
    pair = "the cards were shown, and Qs of seat 2 pairs the open card and wins 10 chips"
    assert ended("leduc", "Ks", "Kh", "Qs", *moves, players=3) == pair
    high = "the cards were shown, and Ah of seat 1 wins 10 chips"
    assert ended("leduc", "Ks", "Ah", "Qs", "check", "check", "check", "Js", *moves[4:], players=3) == high


@pytest.mark.parametrize(
    ("mine", "yours", "said"),
    [
        ({1: 1, 0: 14}, {10: 8, 0: 7}, "seat 0 has borne off all 15 checkers, seat 1 7"),
        (
            {1: 1, 0: 14},
            {10: 15},
            "seat 0 has borne off all 15 checkers, seat 1 none; "
            "that is a gammon and counts 1, since gammons are not counted here",
        ),
        (
            {1: 1, 0: 14},
            {10: 14, 25: 1},
            "seat 0 has borne off all 15 checkers, seat 1 none, and has one on the bar or in the winner's home; "
            "that is a backgammon and counts 1, since gammons are not counted here",
        ),
    ],
)
def test_backgammon(mine, yours, said):
    table = game("backgammon").deal(seed=1)
    s = table.state
    s.checkers[:] = 0
    for who, places in enumerate((mine, yours)):
        for place, count in places.items():
            s.checkers[who, place] = count
    s.mover = 0
    s.dice[:] = (2, 1)
    s.unused[:] = (1, 1)
    table.play(table.legal_actions()[0])
    assert table.game.people.outcome(s) == said


def test_battleship_counts_the_shots():
    place = ["destroyer a1 across", "destroyer f1 down"]
    said = ended("battleship", *place, "a6", "a6", "f1", "b6", "f2", size=6, ships=1)
    assert said == "the whole fleet of seat 1 is sunk, with 3 shots"


def test_trees_say_the_path():
    text = "(max left: (chance heads: 0.5 (min 2 4) tails: 0.5 7) right: 1)"
    assert ended("tree", "left", "heads", "2", text=text) == (
        "the path left, heads, 2 leads to a leaf that pays player A 4"
    )


def test_worlds_add_up_what_was_paid():
    table = game("tiger", steps=2, start="silence").deal(seed=4)
    table.play("listen")
    table.play("open_left")
    name, amount = ("the treasure", "+10") if table.payoffs() == [9.0] else ("the tiger", "-100")
    said = f"1 time listening takes time (-1), 1 time {name} ({amount}), in 2 steps"
    assert table.game.people.outcome(table.state) == said


# ---- Hanabi


def test_hanabi_says_the_cause_and_the_verdict():
    table = table_with("r2 r3 r4 r2 r3 b1 b2 b3 b4 b5", 2)
    for move in ("play 1", "play 1", "play 1", "play 1", "play 1"):
        table.play(move)
    assert table.over
    played = "the last life is lost with 2 of 25 cards played"
    assert table.game.people.outcome(table.state) == f"{played}; the rule book calls 2 points horrible"
    table.state.bomb_zero = 1
    lost = f"{played}, and with it all points; the rule book calls 0 points horrible"
    assert table.game.people.outcome(table.state) == lost


def test_hanabi_to_the_last_card():
    table = table_with("", 2)
    table.state.over, table.state.piles[:] = 1, (5, 5, 4, 3, 1)
    last = "everybody has had a turn since the last card was drawn with 18 of 25 cards played"
    assert table.game.people.outcome(table.state) == f"{last}; the rule book calls 18 points excellent"
    table.state.piles[:] = 5
    assert table.game.people.outcome(table.state) == (
        "all five fireworks are complete, 25 cards; the rule book calls 25 points legendary"
    )


def test_the_verdicts_of_the_rule_book():
    words = [verdict(score) for score in range(26)]
    assert words == ["horrible"] * 6 + ["mediocre"] * 5 + ["honourable"] * 5 + ["excellent"] * 5 + ["amazing"] * 4 + [
        "legendary"
    ]


# ---- snaps


@pytest.mark.parametrize(
    ("winner", "ending", "said"),
    [
        (
            1,
            FALSE_CLAIM,
            "seat 1 and seat 3 won because seat 0 claimed too early: "
            "the chooser's side has 61 points of the 66 it needs",
        ),
        (0, CLAIM, "seat 0 and seat 2 won with 61 points of the 66 that are needed"),
        (
            1,
            LAST_TRICK,
            "seat 1 and seat 3 won with the last trick: nobody claimed 66 points, and it stands 59 to 61",
        ),
    ],
)
def test_snaps(winner, ending, said):
    table = game("snaps").deal(seed=1)
    s = table.state
    s.named, s.holder, s.claimant, s.phase = 0, 2, 0, FINISHED
    s.points[:], s.tricks[:] = (40, 39, 21, 20), 1
    s.winner, s.ending = winner, ending
    assert table.game.people.outcome(s) == said


# ---- Dominion


def over(points, turns, empty=()):
    """A finished game of two, with so many points in Estates."""
    table = position(seat("Copper"), seat("Copper"))
    s = table.state
    s.over, s.turns[:2] = 1, turns
    for who, estates in enumerate(points):
        s.owned[who] = 0
        s.owned[who, 3] = estates
    for card in empty:
        s.supply[card] = 0
    s.empty_piles = len(empty)
    return table.game.people.outcome(s)


def test_dominion():
    provinces = over((3, 1), (20, 20), empty=[5])
    assert provinces == "seat 0 has 3 points, seat 1 has 1 point; the Provinces are gone"
    piles = over((3, 3), (20, 19), empty=[0, 3, 6])
    level = "seat 0 has 3 points, seat 1 has 3 points, and of equals seat 1 had fewer turns, 19"
    assert piles == f"{level}; 3 piles are empty: Copper, Estate, Curse"
    assert over((2, 2), (300, 300)).endswith("2 points; the last turn has been played, number 300")


def test_numbers_are_plain_in_texts():
    """No text shows NumPy's way of writing a number."""
    for name in ("kuhn", "leduc", "reversi", "backgammon", "battleship", "snaps", "dorban"):
        table = game(name).deal(seed=2)
        random = np.random.default_rng(1)
        while not table.over:
            table.play(int(random.choice(table.legal_actions())))
        assert "np." not in table.game.people.outcome(table.state)
