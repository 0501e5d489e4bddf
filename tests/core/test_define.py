"""What `define` refuses, each with its sentence, and what the conformance suite says of wrong declarations."""

import json
import subprocess
import sys

import numpy as np
import pytest

from hiddenhand.author import (
    CHANCE,
    OVER,
    Blanked,
    Encoding,
    PrivateFields,
    Setting,
    Teams,
    UserError,
    below,
    define,
    record_type,
    rule,
)
from hiddenhand.cli.play import new_session
from hiddenhand.core.game import encoded, encoding_of
from hiddenhand.core.resolver import game, games
from hiddenhand.lab.match import match
from hiddenhand.testing import check_chance, check_legal, check_payoffs, check_pictures, check_secrets, check_sides

pytestmark = pytest.mark.fast

# A coin lies under a cup; the other player guesses how. `STATE` and `VIEW` differ in the coin alone.
STATE = record_type([("coin", "i8"), ("guess", "i8"), ("step", "i8")])
VIEW = record_type([("guess", "i8"), ("step", "i8")])
ALL = record_type([("step", "i8"), ("guess", "i8"), ("coin", "i8")])


@rule
def deal(s, rng):
    s.coin = below(rng, 2)
    s.guess = -1
    s.step = 0


@rule
def turn(s):
    return np.int64(s.step) if s.step < 2 else OVER


@rule
def legal(s, out):
    out[0] = 0
    out[1] = 1
    return 2


@rule
def play(s, action, rng):
    if s.step == 0:
        s.guess = action
    s.step += 1


@rule
def payoff(s, out):
    out[0] = 1.0 if s.coin == s.guess else -1.0
    out[1] = -out[0]


@rule
def observe(s, seat, view):
    view.guess = s.guess
    view.step = s.step


@rule
def redeal(s, seat, rng):
    s.coin = below(rng, 2)


@rule
def redael(s, seat, rng):
    s.coin = below(rng, 2)


@rule
def odds(s, out):
    out[0] = 0.5
    out[1] = 0.5


@rule
def measure(s, out):
    out[0] = s.coin


@rule
def side(s, seat):
    return seat


@rule
def encode(view, seat, out):
    out[0] = view.guess


def show(view, seat):
    return f"guess {view.guess}"


def refusal(s, action):
    return ""


OPEN = (deal, turn, legal, play, payoff)
HIDDEN = (*OPEN, observe, redeal)


def cup(rules=HIDDEN, **given):
    """The game under the cup, with these things declared otherwise."""
    declared = {"title": "Cup", "state": STATE, "view": VIEW, "hidden": True, "chance": ("deal",), "rules": rules}
    declared |= {"most_actions": 2, "longest": 2, **given}
    return define("cup", **{name: value for name, value in declared.items() if value is not ...})


def test_the_game_itself_is_right():
    of = cup()
    for check in (check_secrets, check_chance, check_payoffs, check_pictures, check_sides):
        check(of)
    assert of.chance
    assert (of.chance.deals, of.chance.outcomes, of.chance.draws) == (True, False, False)


def test_too_few_most_actions_are_told_with_what_they_must_be():
    with pytest.raises(UserError, match="says most_actions=1; it must be at least 2"):
        check_legal(cup(most_actions=1))


REFUSED = {
    "no observe": ({"rules": (*OPEN, redeal)}, "cup hides something but has no rule observe"),
    "no redeal": ({"rules": (*OPEN, observe)}, "cup hides something but has no rule redeal"),
    "no view": ({"view": ...}, "cup hides something but has no view type of its own"),
    "the state as view": ({"view": STATE}, "its view type is its state type"),
    "a slip of the pen": (
        {"rules": (*OPEN, observe, redael)},
        r"redael is not a rule of the contract; did you mean redeal\?",
    ),
    "unmarked": ({"rules": (*HIDDEN, odds.plain)}, "odds is a rule and must be marked @rule"),
    "a rule twice": ({"rules": (*HIDDEN, deal)}, "deal is given twice"),
    "a rule for people": ({"rules": (*HIDDEN, show)}, r"show is not a rule of the contract: it belongs in people="),
    "people's rule": ({"people": (odds,)}, r"odds is not a function for people: it belongs in rules="),
    "a missing rule": ({"rules": HIDDEN[1:]}, "the game cup has no rule deal"),
    "an argument": ({"hiden": True}, r"hiden is not an argument of define; did you mean hidden\?"),
    "openly hidden": ({"hidden": False}, "cup has a view of its own but hides nothing"),
    "observe, openly": ({"hidden": False, "view": ...}, "cup has a rule observe but hides nothing"),
    "a word for chance": ({"chance": ("dice",)}, r"chance says where chance has a part, some of .*deal.*outcomes"),
    "chance is no flag": ({"chance": True}, "True does not"),
    "chance is no word": ({"chance": "deal"}, "'deal' does not"),
    "no odds": ({"chance": ("outcomes",)}, r"has outcomes of chance .* but no rule odds"),
    "only odds": ({"rules": (*HIDDEN, odds)}, "has a rule odds but no outcomes of chance"),
    "no measure": ({"metrics": ("coin",)}, "has metrics but no rule measure"),
    "only measure": ({"rules": (*HIDDEN, measure)}, "has a rule measure but no metrics"),
    "no side": ({"extras": (Teams(2),)}, "has 2 sides but no rule side"),
    "only side": ({"rules": (*HIDDEN, side)}, "has a rule side but 0 sides"),
    "payoffs": ({"payoffs": (1.0, -1.0)}, r"says payoffs=\(1.0, -1.0\): the lowest comes first"),
    "zero-sum gain": ({"payoffs": (1.0, 2.0)}, "what one wins another loses"),
    "alone": ({"players": 1}, "is zero-sum but for one player"),
    "utility": ({"utility": "selfish"}, "says utility='selfish', which is none of"),
    "together and apart": (
        {"utility": "cooperative", "extras": (Teams(2),), "rules": (*HIDDEN, side)},
        "is cooperative but has sides",
    ),
    "nobody": ({"players": (3, 2)}, "is for 3 to 2 players, which is nobody"),
    "an option": ({"options": {"heaps": Setting(3)}}, "has an option heaps but its state has no such field"),
    "encode": ({"rules": (*HIDDEN, encode)}, "must give the rule encode and say how many numbers it writes"),
    "length": ({"extras": (Encoding(3),)}, "must give the rule encode and say how many numbers it writes"),
    "refusal": ({"people": (refusal,)}, "must give the function refusal and all_actions .* together"),
    "all actions": ({"all_actions": 2}, "must give the function refusal and all_actions .* together"),
    "blanked": ({"extras": (Blanked(["coin"]),)}, "names blanked fields, but its view type is not its state type"),
    "blanks nothing": (
        {"view": STATE, "extras": (Blanked(["con"]),)},
        r"con, which is no field of its state; did you mean coin\?",
    ),
    "no private field": (
        {"extras": (PrivateFields(("con",)),)},
        r"private, which is no field .* did you mean coin\?",
    ),
    "private for all": (
        {"extras": (PrivateFields(("coin",)),)},
        "first dimension of that field does not count the seats",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    declared, sentence = REFUSED[case]
    with pytest.raises(TypeError, match=sentence):
        cup(**declared)


def test_a_file_is_refused_in_one_line(tmp_path):
    text = (
        "from hiddenhand.author import OVER, define, record_type, rule\n"
        "STATE = record_type([('card', 'i8')])\n"
        "deal = turn = legal = play = payoff = rule(lambda s: 0)\n"
        "def redael(s, seat, rng): pass\n"
        "GAME = define('slip', title='Slip', state=STATE, rules=(redael,), most_actions=1, longest=1)\n"
    )
    file = tmp_path / "slip.py"
    file.write_text(text)
    with pytest.raises(UserError, match=r"slip.py cannot be loaded: .*did you mean redeal\?") as raised:
        game(str(file))
    assert "\n" not in str(raised.value)
    run = subprocess.run(
        [sys.executable, "-m", "hiddenhand", "match", str(file), "random", "random"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "redael is not a rule of the contract" in run.stderr


# ---- what only play can show: rules of the same names that do something else


def other_rules():
    """By what is wrong with them; the functions are known by their own names, so they stand in here."""

    @rule
    def observe(s, seat, view):
        view.step = s.step
        view.guess = s.guess
        view.coin = s.coin

    @rule
    def redeal(s, seat, rng):
        pass

    @rule
    def deal(s, rng):
        s.coin = 0
        s.guess = -1
        s.step = 0

    @rule
    def play(s, action, rng):
        s.guess = below(rng, 2)
        s.step += 1

    @rule
    def turn(s):
        return CHANCE if s.step == 0 else np.int64(1) if s.step == 1 else OVER

    @rule
    def payoff(s, out):
        out[0] = 1.0
        out[1] = 1.0

    @rule
    def side(s, seat):
        return 0

    return {function.__name__: function for function in (observe, redeal, deal, play, turn, payoff, side)}


OTHER = other_rules()


def with_other(*names):
    return tuple(OTHER[each.__name__] if each.__name__ in names else each for each in HIDDEN)


@pytest.mark.parametrize("declared", [{"view": ALL}, {"view": STATE, "extras": (Blanked(["coin"]),)}])
def test_a_view_that_tells_everything(declared):
    of = cup(rules=with_other("observe", "redeal"), **declared)
    with pytest.raises(AssertionError, match="nothing is hidden from seat 0: its view tells the whole state"):
        check_secrets(of)


SEEN_IN_PLAY = {
    "the same deal": (
        {"rules": with_other("deal")},
        check_chance,
        "40 deals were all the same",
    ),
    "a shuffle": ({"chance": ()}, check_chance, "deals differ, but the game does not say"),
    "no draw": ({"chance": ("deal", "draws")}, check_chance, "no move drew at random"),
    "a draw": (
        {"rules": with_other("play")},
        check_chance,
        "0 draws at random, but the game does not say",
    ),
    "no outcomes": (
        {"chance": ("deal", "outcomes"), "rules": (*HIDDEN, odds)},
        check_chance,
        "but chance never moved",
    ),
    "outcomes": (
        {"rules": with_other("turn")},
        check_chance,
        "chance has moves of its own, but the game does not say",
    ),
    "not general": ({"utility": "general"}, check_payoffs, "general, but all games were zero-sum"),
    "cooperative": ({"utility": "cooperative"}, check_payoffs, "cooperative, but"),
    "not zero-sum": ({"rules": with_other("payoff")}, check_payoffs, "zero-sum, but"),
    "one side": (
        {"extras": (Teams(2),), "rules": (*HIDDEN, OTHER["side"])},
        check_sides,
        "at the end all seats play for the same side",
    ),
    "encode": (
        {"rules": (*HIDDEN, encode), "extras": (Encoding(3),)},
        check_pictures,
        "encode must write 3 finite numbers, and writes 1",
    ),
}


@pytest.mark.parametrize("case", SEEN_IN_PLAY)
def test_seen_in_play(case):
    declared, check, sentence = SEEN_IN_PLAY[case]
    with pytest.raises(AssertionError, match=sentence):
        check(cup(**declared))


def test_pictures_are_json():
    def picture(view, seat):
        return {"guess": view.guess}  # a number of NumPy's

    with pytest.raises(AssertionError, match="picture cannot be written as JSON"):
        check_pictures(cup(people=(picture,)))


@pytest.mark.parametrize("name", games())
def test_every_picture(name):
    """The picture of every game at its start."""
    of = game(name)
    assert json.loads(json.dumps(of.people.picture(of.deal(1).view(0).record, 0)))


@pytest.mark.parametrize("name", ["blind_tictactoe", "checkers", "ferryman", "tiger"])
def test_a_view_as_numbers(name):
    """Where a game does not say how: its fields one after the other, whatever their types. It compiles slowly."""
    of = game(name)
    record = of.deal(1).view(0).record
    numbers = encoded(of, record, 0)
    assert numbers.shape == (encoding_of(of).length,)
    assert np.isfinite(numbers).all()
    fields = [np.ravel(record[field]) for field in of.rules.view.names if field != "padding"]
    assert numbers.tolist() == np.concatenate(fields).astype(float).tolist()


def test_chance_tells_the_truth():
    chance = {name: list(game(name).chance.where) for name in games()}
    assert {name for name, parts in chance.items() if not parts} == {
        "battleship",
        "blind_tictactoe",
        "checkers",
        "connect_four",
        "dark_hex",
        "goofspiel",
        "reversi",
        "tictactoe",
    }
    assert {name for name, parts in chance.items() if "outcomes" in parts} == {
        "backgammon",
        "kuhn",
        "leduc",
        "liars_dice",
        "tree",
    }
    assert {name for name, parts in chance.items() if "draws" in parts} == {"dominion", "dorban", "ferryman", "tiger"}


# ---- the number of agents decides the number of players


def test_agents_decide_players(bids):
    assert match(bids, ["low"] * 3, games=2).game.players == 3
    assert match(game(bids), ["low"] * 4, games=2).game.players == 4
    assert new_session(game(bids), 1, None, ["low", "low"]).game.players == 3
    assert new_session(game(bids), 1, None, ["low"]).game.players == 2
    with pytest.raises(UserError, match="bids has 2 seats, but 3 agents were given"):
        match(bids, ["low"] * 3, games=2, players=2)
    with pytest.raises(UserError, match="bids is for 2 to 4 players, but 5 agents were given"):
        match(bids, ["low"] * 5, games=2)
    with pytest.raises(UserError, match="goofspiel has 2 seats, but 3 agents were given"):
        match("goofspiel", ["random"] * 3, games=2)
