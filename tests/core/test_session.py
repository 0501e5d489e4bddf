"""A live game: who hears what, what may be taken back, who may ask why, and what comes after the last move."""

import json

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import IllegalAction, UserError
from hiddenhand.core.event_log import WATCHER
from hiddenhand.core.game import for_players
from hiddenhand.core.record import read_record
from hiddenhand.core.session import PERSON, Deal, Pace, Session
from hiddenhand.core.view import seen_by
from hiddenhand.kernel import new_records

pytestmark = pytest.mark.fast


def session(game, seats, seed=1, **details):
    """A live game; seats as text, such as `person random`. Options of the game are given as `game`'s own."""
    return Session(Deal(hh.game(game) if isinstance(game, str) else game, seed), seats.split(), **details)


def let_agents_move(live):
    while (seat := live.agent_to_move()) is not None:
        with live.agents.lend(live.game, live.seats[seat]) as agent:
            live.play(live.decide(live.table, agent))


def play_on(live):
    """To the end; people take the first move there is."""
    let_agents_move(live)
    while not live.over:
        live.play(live.table.legal_actions()[0])
        let_agents_move(live)


def explained(live, question, other="", tell=lambda text: None):
    with live.agents.lend(live.game, question.who) as agent:
        return live.answer(question, agent, other, tell)


# ---- moves in words


def test_the_beginning_of_a_move_is_enough_if_no_other_begins_so():
    live = session(hh.game("dorban", start="none place_Gdansk false none false false"), "person")
    live.play_text("g")  # from Gdansk one road leads on
    assert live.table.history_names == ["goto_Warszawa"]
    with pytest.raises(IllegalAction, match="the move 'g' could be goto_Krakow, goto_Gdansk, goto_Poznan"):
        live.play_text("g")
    live.play_text("krak")
    assert live.table.history_names[-1] == "goto_Krakow"
    with pytest.raises(IllegalAction, match="'goto Gdansk' is not legal here"):
        live.play_text("goto Gdansk")


# ---- hearing


def test_everybody_hears_what_is_open():
    live = session("tictactoe", "person random")
    live.play_text("b2")
    let_agents_move(live)
    assert live.log(0) == live.log(1) == live.log(WATCHER)
    assert [entry.text for entry in live.log(0)] == live.table.history_names
    assert live.last_heard(0) == live.log(0)[-1]
    assert live.last_heard(0, before=1).text == "b2"


def test_what_is_hidden_is_heard_by_whom_it_concerns():
    live = session("blind_tictactoe", "person person")
    live.play_text("b2")
    live.play_text("b2")  # refused: only the second player knows
    live.play_text("a1")
    assert [entry.text for entry in live.log(1)] == ["a mark is placed", "b2 is taken", "a1"]
    assert [entry.text for entry in live.log(0)] == ["b2", "a mark is placed"]
    assert [entry.ply for entry in live.log(0)] == [0, 1]
    assert (live.ply_for(0), live.ply_for(1), live.ply_for(WATCHER)) == (2, 3, 2)
    assert [live.true_ply(0, ply) for ply in range(3)] == [0, 1, 3]
    with pytest.raises(UserError, match="the game has 2 plies so far, not 3"):
        live.true_ply(0, 3)
    play_on(live)
    assert live.revealed
    assert len(live.log(0)) == len(live.steps)


def test_several_moves_in_a_line_and_illegal_ones():
    live = session("connect_four", "person person")
    with pytest.raises(IllegalAction, match="'8' is not legal here"):
        live.play_text("8")
    with pytest.raises(IllegalAction, match="your turn was over before '2'"):
        live.play_text("1 2")
    assert live.table.history_names == ["1"]


# ---- undo


def test_where_nothing_is_hidden_my_last_decision_is_taken_back():
    live = session("tictactoe", "person random")
    live.play_text("b2")
    let_agents_move(live)
    live.play_text("a1" if "a1" in map(live.table.action_name, live.table.legal_actions()) else "a2")
    let_agents_move(live)
    live.undo([0])
    assert len(live.steps) == len(live.table.history) == 2
    live.undo([0])
    assert live.table.turn == 0
    with pytest.raises(UserError, match="nothing to take back"):
        live.undo([0])


def test_nobody_loses_a_move_to_the_undo_of_another():
    live = session("tictactoe", "person person")
    live.play_text("b2")
    live.play_text("a1")
    with pytest.raises(UserError, match="somebody has moved since"):
        live.undo([0])
    live.undo([0, 1])  # one person in both seats
    assert live.table.history_names == ["b2"]


def test_a_move_that_told_something_stands():
    live = session("blind_tictactoe", "person person")
    live.play_text("b2")
    live.play_text("b2")  # the umpire says that it is taken
    with pytest.raises(UserError, match="may have shown you something"):
        live.undo([1])
    live = session("kuhn", "person random", seed=3)
    live.play_text("check")
    with pytest.raises(UserError, match="somebody has moved since, or is about to; your move stands"):
        live.undo([0])
    live.play_text("bet")
    with pytest.raises(UserError, match="your move stands"):
        live.undo([0])
    assert live.table.history_names[-2:] == ["check", "bet"]


def test_no_shot_at_battleships_is_taken_back():
    """Not even by one person in both seats; ships that were placed are, until the turn passes."""
    live = session(hh.game("battleship", size=6, ships=2), "person person")
    live.play(live.table.legal_actions()[0])
    live.undo([0])
    assert live.table.history_names == []
    shots = 0
    while not live.over:
        if len(live.table.history_names) > 4:
            shots += 1
            with pytest.raises(UserError, match="your move stands"):
                live.undo([0, 1])
        live.play(live.table.legal_actions()[-1])
    assert shots > 10


def test_open_cards_leave_all_freedom():
    live = session("blind_tictactoe", "person person", open_cards=True)
    live.play_text("b2")
    live.play_text("b2")
    live.undo([1])
    assert live.table.history_names == ["b2"]
    live.undo([0])
    assert live.table.history_names == []


def test_dice_that_another_person_has_seen_are_not_thrown_again():
    live = session("backgammon", "person person", 5)
    first = live.table.turn
    while live.table.turn == first:
        live.play(live.table.legal_actions()[0])
    with pytest.raises(UserError, match="the dice have been thrown since; your move stands"):
        live.undo([first])
    live.undo([0, 1])  # one person in both seats
    alone = session("backgammon", ["random person", "person random"][first == 0], 5)
    while alone.table.turn == first:
        alone.play(alone.table.legal_actions()[0])
    alone.undo([first])
    assert alone.table.turn == first


def test_after_the_end_one_branches_instead():
    live = session("tictactoe", "person random")
    play_on(live)
    with pytest.raises(UserError, match="branch from an earlier moment"):
        live.undo([0])
    other = live.branch(2)
    assert other.table.history == live.table.history[:2]
    assert not other.over
    play_on(other)
    with pytest.raises(UserError, match="the game has"):
        live.branch(99)


def test_undo_gives_agents_their_memories_back():
    """Two games with the same moves, one of them with a detour, go on alike."""
    game = hh.game("hanabi", players=3)
    straight, detour = (session(game, "person trustful trustful", 9, open_cards=True) for _ in range(2))
    for live in (straight, detour):
        for _ in range(2):
            live.play(live.table.legal_actions()[-1])
            let_agents_move(live)
    detour.play(detour.table.legal_actions()[0])
    let_agents_move(detour)
    detour.undo([0])
    for live in (straight, detour):
        live.play(live.table.legal_actions()[-1])
        let_agents_move(live)
    assert straight.table.history_names == detour.table.history_names


# ---- questions


def test_every_move_can_be_asked_why_when_the_game_is_over():
    live = session("kuhn", "person cfr:iterations=20")
    play_on(live)
    theirs = next(ply for ply, step in enumerate(live.steps) if step.mover == 1)
    decision = explained(live, live.ask_why(0, theirs, [0]))
    assert decision.text == live.table.history_names[theirs]  # the very move that it played
    with pytest.raises(UserError, match="no decision at ply 0"):
        live.ask_why(0, 0, [0])  # chance dealt


def test_before_the_end_only_my_own_moves_can_be_asked_about():
    live = session("hanabi", "person random", seed=4)
    live.play(live.table.legal_actions()[-1])
    let_agents_move(live)
    assert live.ask_why(0, 0, [0]).secret
    with pytest.raises(UserError, match="ask when the game is over"):
        live.ask_why(0, 1, [0])
    with pytest.raises(UserError, match="looks at hidden cards"):
        explained(live, live.ask_advice([0], "cheater"))
    with pytest.raises(UserError, match="other people's cards"):
        live.open_text()


def test_why_not_another_move():
    live = session("tictactoe", "person alphabeta")
    live.play_text("b2")
    let_agents_move(live)
    decision = explained(live, live.ask_why(0, 1, [0]), other="b1")
    assert decision.reasons[0].startswith("b1 is worth -1.000, a3 +0.000: 1.000 less; loses")
    with pytest.raises(IllegalAction, match="b2 is not legal: the cell is marked already"):
        explained(live, live.ask_why(0, 1, [0]), other="b2")


@pytest.mark.parametrize(
    ("game", "seats", "adviser"),
    [
        ("tictactoe", "person random", "alphabeta"),
        ("connect_four", "person random", "alphabeta:time=0.5"),
        ("hanabi", "person distrustful", "distrustful"),
        ("hanabi", "person hat hat", "hat"),
        ("hanabi", "person pair", "pair"),
        ("hanabi", "person hat trustful hat", "hat"),
        ("hanabi", "person stopped_clock", "distrustful"),
        ("hanabi", "person random", "distrustful"),
        ("hanabi", "person cheater", "simple_distrustful"),
        ("hanabi", "person person", "trustful"),
    ],
)
def test_advice_knows_the_company(game, seats, adviser):
    live = session(for_players(hh.game(game), len(seats.split())), seats)
    assert live.adviser(0) == adviser
    assert live.ask_advice([0]).who == adviser
    assert live.ask_advice([0], "random").who == "random"


def test_an_agent_that_is_not_ready_waits_and_says_so():
    class Slow(Pace):
        left = 3

        def ready_for(self, agent):
            self.left -= 1
            return f"{agent.name}: {self.left} to go" if self.left else ""

    said = []
    live = session("tictactoe", "random person", pace=Slow())
    with live.agents.lend(live.game, "random") as agent:
        assert live.decide(live.table, agent, said.append) in range(9)
    assert said == ["random: 2 to go", "random: 1 to go"]


# ---- after the last move


@pytest.mark.parametrize("game", ["tictactoe", "kuhn", "blind_tictactoe", "backgammon"])
def test_a_finished_game_is_a_record_that_replays(game):
    live = session(game, "person random", seed=5)
    play_on(live)
    record = read_record(json.loads(json.dumps(live.record().to_json())))
    assert record.agents == [PERSON, "random"]
    again = record.replay()
    assert again.state.tobytes() == live.table.state.tobytes()
    shown = Session(Deal(live.game, record.seed), record.agents, recorded=True, actions=record.actions)
    assert shown.log(WATCHER) == live.log(WATCHER)
    with pytest.raises(UserError, match="this is a record"):
        shown.play(0)


def test_the_end_shows_everything_and_says_how_it_came():
    live = session("kuhn", "person random")
    play_on(live)
    assert "seat 0 sees" in live.open_text()
    assert "seat 1 sees" in live.open_text()
    payoffs = live.table.payoffs()
    assert live.outcome().startswith(f"seat 0 {'won' if payoffs[0] > 0 else 'lost'} ({payoffs[0]:+g}), seat 1")


def test_another_deal_follows_from_this_one():
    live = session("kuhn", "person random")
    play_on(live)
    following, again = live.next_deal(), live.next_deal()
    assert following.deal.seed == again.deal.seed != live.deal.seed
    assert following.seats == live.seats
    assert not following.over
    assert not following.revealed
    assert following.next_deal().deal.seed != following.deal.seed


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("tictactoe", "has three in a row, "),
        ("connect_four", "has four in a row"),
        ("reversi", "seat 0 has "),
        ("backgammon", "has borne off all 15 checkers"),
        ("kuhn", " folded"),
        ("leduc", " folded"),
        ("blind_tictactoe", "has three in a row, "),
    ],
)
def test_the_end_has_its_reason(game, reason):
    for seed in range(1, 30):  # until a game ends so
        live = session(game, "random random", seed)
        let_agents_move(live)
        assert live.reason()
        assert live.outcome().endswith(live.reason())
        if reason in live.reason():
            return
    raise AssertionError(f"no game ended because somebody {reason}")


def test_cards_that_are_compared_give_the_reason():
    live = session("kuhn", "person person")
    live.play_text("check")
    live.play_text("check")
    assert " beats " in live.reason()


def test_what_lies_between_the_fields_of_a_record_tells_nothing():
    """NumPy's copies have rubbish in the gaps between aligned fields; nobody may seem to have noticed it."""
    game = hh.game("snaps")
    table = game.deal(seed=1)
    gaps = np.ones(game.rules.state.itemsize, bool)
    for kind, start, *_ in game.rules.state.fields.values():
        gaps[start : start + kind.itemsize] = False
    assert gaps.any()
    rubbish = new_records(game.rules.state, 1)
    rubbish[0] = table.state
    rubbish.view(np.uint8).reshape(-1)[gaps] = 255
    assert all(seen_by(game, rubbish[0], seat) == seen_by(game, table.state, seat) for seat in range(4))


def test_a_refused_move_is_not_read_word_by_word():
    """`hK for 20` that the rules refuse is not taken for `hK`."""
    live = session("connect_four", "person person", 1)
    for _ in range(6):
        live.play_text("4")
    with pytest.raises(IllegalAction, match="full"):
        live.play_text("4")
    assert len(live.steps) == 6
