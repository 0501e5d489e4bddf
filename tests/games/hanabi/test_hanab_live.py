"""Games of Hanabi in the form of hanab.live: there and back, and what their rules do not allow."""

import json

import pytest

from hanabi_tables import table_with
from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.record import read_record
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.review import opened
from hiddenhand.games.hanabi.hanab_live import HANAB_LIVE
from hiddenhand.games.hanabi.rules import DISCARD, HINT, MOST_HINTS


def played(seed, players=2, **options):
    """A game of trustful players, who neither bomb nor discard with all tokens there on these deals."""
    of = game("hanabi", players=players, **options)
    table, player = of.deal(seed), agent(of, "trustful")
    while not table.over:
        table.play(table.ask(player).action)
    return table


def there_and_back(table):
    names = [f"player {seat}" for seat in range(table.game.players)]
    return read_record(HANAB_LIVE.write(table.record(), names)).replay()


def keeps_their_rules(table):
    """Whether hanab.live would have allowed this game, whatever its options say."""
    again = table.record().replay(0)
    for action in table.history:
        if DISCARD <= action < HINT and again.state.hints == MOST_HINTS:
            return False
        again.play(action)
    return not table.state.bombed


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_game_by_our_default_rules_comes_back_as_it_was(players):
    tables = [table for table in (played(seed, players) for seed in range(4)) if keeps_their_rules(table)]
    assert tables
    for table in tables:
        again = there_and_back(table)
        assert again.history == table.history
        assert again.history_names == table.history_names
        assert again.payoffs() == table.payoffs()
        for field in ("hands", "piles", "discarded", "hints", "lives", "colours", "ranks", "empty_hints"):
            assert (again.state[field] == table.state[field]).all(), field


def test_by_the_printed_rules_any_game_comes_back_with_its_options():
    table = played(1, rules="strict")
    again = there_and_back(table)
    assert again.history == table.history
    for field in ("bomb_zero", "empty_hints", "discard_at_8"):
        assert again.state[field] == table.state[field]


def test_a_hint_that_touches_nothing_is_allowed_with_their_option():
    table = table_with("r1 r1 r1 r2 r2 b1 b1 b1 b2 b2", 2)
    theirs = arranged_record(table, "hint 1 white")
    assert theirs["options"] == {"variant": "No Variant", "emptyClues": True}
    assert read_record(theirs).moves == ["hint 1 white"]


def arranged_record(table, *moves):
    """A record in their form, of a table whose cards were laid by hand."""
    s = table.state
    order = [*s.hands[:2].ravel().tolist(), *s.deck[: s.deck_left][::-1].tolist()]
    for move in moves:
        table.play(move)
    record = table.record()
    record.dealt = order
    return HANAB_LIVE.write(record, ["Ann", "Bob"])


def test_a_discard_with_all_tokens_is_refused():
    table = table_with("r1 r1 r1 r2 r2 b1 b1 b1 b2 b2", 2)
    with pytest.raises(UserError, match=r"hanab\.live forbids move 2, a discard with all 8 hint tokens there"):
        arranged_record(table, "play 1", "discard 1")


def test_points_after_the_third_bomb_are_refused():
    drawn = "r2 r3 r4 r2 r3 b1 b2 b3 b4 b5"
    bombs = ("play 1", "play 1", "play 1", "play 1", "play 1")
    with pytest.raises(UserError, match=r"hanab.live gives no points after the third bomb, and .* the piles count"):
        arranged_record(table_with(drawn, 2), *bombs)
    theirs = arranged_record(table_with(drawn, 2, bomb="zero"), *bombs)
    assert read_record(theirs).replay().payoffs() == [0.0, 0.0]


def begun_by(theirs, begins):
    """The same game in which the player with this number begins: players, hands and targets are moved on."""
    players, size = len(theirs["players"]), 5
    seat_of = [(begins + seat) % players for seat in range(players)]
    hand = [card for seat in range(players) for card in range(seat_of[seat] * size, seat_of[seat] * size + size)]
    places = [*hand, *range(len(hand), 50)]

    def moved(given, numbers):
        found = list(given)
        for ours, number in enumerate(numbers):
            found[number] = given[ours]
        return found

    actions = [
        {**each, "target": (places if each["type"] < 2 else seat_of)[each["target"]]} for each in theirs["actions"]
    ]
    return {
        "players": moved(theirs["players"], seat_of),
        "deck": moved(theirs["deck"], places),
        "actions": actions,
        "options": {**theirs["options"], "startingPlayer": begins},
        "notes": moved([moved(each, places) for each in theirs["notes"]], seat_of),
    }


def test_whoever_begins_sits_in_our_first_seat_and_notes_are_kept():
    table = next(table for table in (played(seed, 3) for seed in range(8)) if keeps_their_rules(table))
    notes = [["", "a one", *[""] * 48], [""] * 50, ["chop", *[""] * 48, "the last card"]]
    record = table.record()
    record.notes = notes
    theirs = HANAB_LIVE.write(record, ["Ann", "Bob", "Cy"])
    assert theirs["notes"] == notes
    for given in (theirs, begun_by(theirs, 1), begun_by(theirs, 2)):
        again = read_record(json.loads(json.dumps(given)))
        assert again.actions == table.history
        assert again.replay().payoffs() == table.payoffs()
        assert (again.names, again.agents, again.notes) == (["Ann", "Bob", "Cy"], None, notes)
        assert read_record(again.to_json()).notes == notes
        assert opened(again).record().notes == notes
    assert begun_by(theirs, 1)["players"] == ["Cy", "Ann", "Bob"]
    with pytest.raises(UserError, match="startingPlayer must be the number of one of the players, not 3"):
        read_record({**theirs, "options": {"startingPlayer": 3}})


def test_a_play_from_the_deck_is_refused_and_the_option_alone_is_not():
    theirs = arranged_record(table_with("r1 r1 r1 r2 r2 b1 b1 b1 b2 b2", 2), "hint 1 blue")
    theirs["options"]["deckPlays"] = True
    assert read_record(theirs).moves == ["hint 1 blue"]
    theirs["actions"].append({"type": 0, "target": 10})
    with pytest.raises(UserError, match=r"move 2 .* games in which somebody plays from the deck \(deckPlays\)"):
        read_record(theirs)


def test_players_are_no_agents(tmp_path, capsys):
    """The names of the players are those of people: whoever suits the game explains and reviews."""
    table = next(table for table in (played(seed) for seed in range(8)) if keeps_their_rules(table))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(HANAB_LIVE.write(table.record(), ["Ann", "Bob"])))
    assert main(["explain", str(file), "--move", "2"]) == 0
    told = capsys.readouterr().out
    assert "played by Bob" in told
    assert "trustful says: " in told
    assert main(["review", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["reviewer"] == "trustful"
    assert {judged["best"] == judged["played"] for judged in found["moves"]} == {True}
