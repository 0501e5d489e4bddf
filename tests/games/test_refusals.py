"""Why a move is refused: each game names the duty that is broken or the right that is missing."""

from dataclasses import replace

import pytest

from dominion_tables import position, seat
from hanabi_tables import table_with
from hiddenhand.core.errors import IllegalAction
from hiddenhand.core.resolver import game
from hiddenhand.games.snaps.cards import CARDS
from hiddenhand.games.snaps.texts import card_code
from hiddenhand.kernel.binding import Rules
from hiddenhand.testing import check_refusals


def told(table, text):
    """What is said to somebody who types this."""
    with pytest.raises(IllegalAction) as refused:
        table.read(text)
    return str(refused.value)


def after(name, *moves, **options):
    table = game(name, **options).deal(seed=1)
    for move in moves:
        table.play(move)
    return table


# ---- small games


def test_tictactoe():
    assert told(after("tictactoe", "b2"), "B2") == "b2 is not legal: the cell is marked already"


def test_connect_four():
    assert told(after("connect_four", *"444444"), "4") == "4 is not legal: the column is full"


def test_an_action_given_by_its_number_is_told_too():
    with pytest.raises(IllegalAction, match="4 is not legal: the column is full"):
        after("connect_four", *"444444").play(3)


def test_reversi():
    table = after("reversi")
    assert told(table, "pass") == "pass is not legal: you can turn discs over, so you must not pass"
    assert told(table, "d4") == "d4 is not legal: there is a disc already"
    assert told(table, "a1") == "a1 is not legal: it would turn no disc over"


def test_checkers():
    table = after("checkers")
    assert told(table, "1-5") == "1-5 is not legal: there is a piece on 5"
    assert told(table, "21-17") == "21-17 is not legal: you have no piece on 21"
    assert told(table, "9x18") == "9x18 is not legal: there is nothing to jump over"
    table = after("checkers", "11-15", "22-18")
    assert told(table, "9-13") == "9-13 is not legal: who can jump must jump"
    assert told(table, "15-11") == "15-11 is not legal: men move forwards only"


def test_blind_tictactoe():
    table = after("blind_tictactoe", "b2", "b2")
    assert told(table, "b2") == "b2 is not legal: the other's mark is there, as the umpire told you"
    table.play("a1")
    assert told(table, "b2") == "b2 is not legal: your own mark is there"


def test_leduc():
    table = after("leduc")
    assert told(table, "fold") == "fold is not legal: there is no bet to fold to"
    table.play("bet")
    table.play("raise")
    reason = "there have been two bets and raises in this round, which is the most"
    assert told(table, "raise") == f"raise is not legal: {reason}"


def test_battleship():
    table = after("battleship", "cruiser a1 across", ships=3, size=6)
    reach = "the submarine has 3 cells and would reach beyond the sea"
    assert told(table, "submarine e1 across") == f"submarine e1 across is not legal: {reach}"
    assert told(table, "submarine c1 down") == "submarine c1 down is not legal: your cruiser lies there"
    for move in ("submarine a2 across", "destroyer a3 across", "cruiser a1 across", "submarine a2 across"):
        table.play(move)
    for move in ("destroyer a3 across", "f6", "f6"):
        table.play(move)
    assert told(table, "f6") == "f6 is not legal: you have shot there already"
    assert told(table, "a7") == "a7 is not legal: the sea has 6 rows"


# ---- backgammon


def board(mine, yours, dice):
    """A position in which seat 0 is to move: checkers by place, each from its own side."""
    table = game("backgammon").deal(seed=1)
    s = table.state
    s.checkers[:] = 0
    for who, places in enumerate((mine, yours)):
        for place, count in places.items():
            s.checkers[who, place] = count
    s.mover = 0
    s.dice[:] = dice
    s.unused[:] = (4, 0) if dice[0] == dice[1] else (1, 1)
    return table


@pytest.mark.parametrize(
    ("mine", "yours", "dice", "move", "reason"),
    [
        ({24: 2, 13: 13}, {24: 15}, (4, 2), "pass", "the dice can be played, so they must"),
        ({24: 2, 13: 13}, {24: 15}, (4, 2), "13/8", "there is no 5 left to play"),
        ({24: 2, 13: 13}, {24: 15}, (4, 2), "8/4", "you have no checker on point 8"),
        ({24: 2, 13: 13}, {24: 15}, (4, 2), "bar/21", "you have no checker on the bar"),
        ({25: 1, 13: 14}, {24: 15}, (4, 2), "13/9", "your checker on the bar must enter first"),
        ({24: 2, 13: 13}, {16: 15}, (4, 2), "13/9", "the other holds point 9 with two checkers or more"),
        ({13: 1, 4: 14}, {24: 15}, (4, 2), "4/off", "checkers are borne off only when all are at home"),
        (
            {5: 2, 1: 13},
            {24: 15},
            (4, 2),
            "1/off(4)",
            "a die larger than needed bears off from your highest point only",
        ),
        (
            {10: 1, 7: 1},
            {20: 2, 23: 2, 22: 2, 24: 2, 21: 2, 19: 5},
            (2, 1),
            "7/6",
            "the other holds point 6 with two checkers or more",
        ),
    ],
)
def test_backgammon(mine, yours, dice, move, reason):
    assert told(board(mine, yours, dice), move) == f"{move} is not legal: {reason}"


def test_both_dice_must_be_played_or_the_larger():
    table = board({8: 1, 0: 14}, {24: 2, 1: 13}, (6, 1))
    reason = "both dice must be played if they can, or else the larger, and after this move they could not"
    assert told(table, "8/7") == f"8/7 is not legal: {reason}"
    assert table.action_name(table.read("8/2")) == "8/2"


# ---- Hanabi


def test_hanabi():
    table = table_with("r1 r1 r1 r2 r2 b1 b1 b1 b2 b2", 2)
    assert told(table, "hint 0 red") == "hint 0 red is not legal: you cannot give yourself a hint"
    assert told(table, "hint 3 red") == "hint 3 red is not legal: there is no seat 3"
    for _ in range(8):
        table.play(f"hint {1 - table.turn} red")
    assert told(table, "hint 1 blue") == "hint 1 blue is not legal: there are no hint tokens left"


def test_hanabi_by_the_printed_rules():
    table = table_with("r1 r1 r1 r2 r2 b1 b1 b1 b2 b2", 2, rules="strict")
    touch = "seat 1 has no such card, and by these rules a hint must touch one"
    assert told(table, "hint 1 red") == f"hint 1 red is not legal: {touch}"
    tokens = "all 8 hint tokens are there, and by these rules nobody may discard then"
    assert told(table, "discard 1") == f"discard 1 is not legal: {tokens}"


def test_hanabi_without_so_many_cards():
    table = table_with("r1 r1 r1 r2 r2 b1 b1 b1", 4)
    assert told(table, "play 5") == "play 5 is not legal: you hold 4 cards"


# ---- snaps

CODES = {card_code(card): card for card in range(CARDS)}
MIXED = ["hO hK l9 lU a9 bU", "h9 h10 lK aO a10 b10", "aU aA lA l10 bO bA", "hU hA aK lO bK b9"]
TRUMPED = ["hA h10 hK hO hU h9", "l9 aU a9 bA b10 bO", "b9 bK aA a10 aK aO", "bU lA l10 lK lO lU"]


def snaps(hands, *moves, **options):
    table = game("snaps", **options).deal(seed=1)
    for who, hand in enumerate(hands):
        table.state.hands[who] = sum(1 << CODES[code] for code in hand.split())
    table.state.seen_first = table.state.hands[0]
    for move in moves:
        table.play(move)
    return table


PASSED = ("name bA", "pass", "pass", "pass")
SOON = "first everybody is asked whether the stakes are doubled"


@pytest.mark.parametrize(
    ("hands", "moves", "move", "reason"),
    [
        (MIXED, (), "kontra", "the chooser names the trump card first"),
        (MIXED, ("name bA",), "hA", SOON),
        (MIXED, ("name bA",), "dost", SOON),
        (MIXED, ("name bA",), "rekontra", "nobody has said kontra"),
        (
            MIXED,
            ("name bA", "pass"),
            "kontra",
            "you hold the named card, so you play with the chooser and not against him",
        ),
        (MIXED, PASSED, "kontra", "the stakes are doubled before the first trick only"),
        (MIXED, PASSED, "pass", "nobody may pass in a trick"),
        (MIXED, PASSED, "hA", "you do not hold that card"),
        (MIXED, PASSED, "dost", "your side cannot have 66 points yet, as far as you can tell"),
        (MIXED, PASSED, "l9 for 20", "a marriage is announced with its king or its over"),
        (MIXED, PASSED, "hK for 20 and dost", "your side cannot have 66 points yet, as far as you can tell"),
        (MIXED, (*PASSED, "hO"), "aK", "you hold hearts, and must follow suit"),
        (MIXED, (*PASSED, "hO"), "hU", "you can beat the over of hearts, so you must"),
        (MIXED, (*PASSED, "hO"), "hA for 20", "a marriage is announced only when you lead"),
        (MIXED, (*PASSED, "hO", "hA"), "aU", "you have no hearts, so you must trump"),
        (TRUMPED, (*PASSED, "h9", "bU"), "b9", "you can beat the under of bells with a higher trump, so you must"),
        (TRUMPED, (*PASSED, "h9", "bU", "bK", "bA"), "bO for 40", "you do not hold the king of bells as well"),
    ],
)
def test_snaps(hands, moves, move, reason):
    assert told(snaps(hands, *moves), move) == f"{move} is not legal: {reason}"


def test_snaps_with_other_options():
    table = snaps(MIXED, *PASSED, claim="auto")
    assert told(table, "dost").endswith("by these rules 66 points win by themselves, and nobody says dost")
    table = snaps(MIXED, *PASSED, strict_claim=True)
    assert told(table, "hK for 20 and dost").endswith("dost is not said in the same breath as a marriage")
    table = snaps(MIXED, "name bA", "kontra", rekontra=True)
    assert told(table, "kontra") == "kontra is not legal: kontra has been said already"
    table.play("pass")
    assert table.turn == 2
    table.play("pass")
    side = "only the chooser's side may say rekontra, and you do not hold the named card"
    assert told(table, "rekontra") == f"rekontra is not legal: {side}"


# ---- Dominion


@pytest.mark.parametrize(
    ("hand", "moves", "move", "reason"),
    [
        (
            "Smithy, 2 Copper",
            (),
            "play Copper",
            "Treasures are played by themselves when you buy; now you play Actions",
        ),
        ("Smithy, 2 Copper", (), "play Estate", "Estate is no Action"),
        ("Smithy, 2 Copper", (), "play Market", "you have no Market in your hand"),
        ("Copper", (), "buy Silver", "it costs 3, and you have 1 coin"),
        ("2 Copper", (), "buy Gold", "it costs 6, and you have 2 coins"),
        ("2 Copper", (), "buy Witch", "Witch is not among the cards of this game"),
        ("Workshop, Copper", ("play Workshop",), "gain Gold", "it costs 6, and may cost 4 at most"),
        ("Workshop, Copper", ("play Workshop",), "stop", "you must choose a card"),
        ("Throne Room, Market, Smithy, Copper", ("play Throne Room",), "double Copper", "Copper is no Action"),
        ("Mine, Copper, Silver, Estate", ("play Mine",), "trash Estate", "Estate is no Treasure"),
        ("Mine, Copper, Silver", ("play Mine", "trash Copper"), "gain Estate", "Mine gains Treasures only"),
        ("Cellar, Copper, Estate", ("play Cellar",), "discard Gold", "you have no Gold in your hand"),
    ],
)
def test_dominion(hand, moves, move, reason):
    table = position(seat(hand, deck="5 Copper"), seat(), also="Market, Cellar")
    for each in moves:
        table.play(each)
    assert told(table, move) == f"{move} is not legal: {reason}"


# ---- worlds


def test_worlds_name_the_case():
    table = after("dorban", start="none place_Krakow false none false false")
    assert told(table, "goto_Gdansk") == "goto_Gdansk is not legal: no road"
    assert told(table, "attack_vampire") == "attack_vampire is not legal: no vampire here"


def test_something_that_is_no_action_at_all():
    assert told(after("kuhn"), "fold") == "'fold' is not legal here; legal: check, bet"
    assert told(after("tictactoe"), "e9").startswith("'e9' is not legal here; legal: a3, b3")


# ---- the conformance suite


@pytest.mark.parametrize(
    ("name", "refusal", "match"),
    [
        ("tictactoe", lambda s, action: "", "is not legal, but refusal gives no reason"),
        ("tictactoe", lambda s, action: "no", "is legal, but refused: no"),
        ("blind_tictactoe", lambda s, action: reveal(s, action), "says what is hidden"),
    ],
)
def test_bad_reasons_are_caught(name, refusal, match):
    of = game(name)
    wrong = replace(of, people=replace(of.people, refusal=refusal))
    with pytest.raises(AssertionError, match=match):
        check_refusals(wrong)


def reveal(s, action):
    """A reason that tells where the other's marks are."""
    if (s.marks[s.mover] | s.found[s.mover]) >> action & 1:
        return f"taken, and the other has {bin(s.marks[1 - s.mover])}"
    return ""


def test_too_few_actions_are_caught():
    of = game("tictactoe")
    wrong = replace(of, rules=Rules(of.name, of.rules.functions, of.rules.state, of.rules.view, action_count=3))
    with pytest.raises(AssertionError, match="is legal, but all_actions is 3"):
        check_refusals(wrong)
