"""No leak: everything that a seat is sent in a whole game can be computed from what that seat knows.

What was really sent is compared with what would have been sent in other worlds that the seat cannot tell from the
true one: a frame must be the same in all of them; a line of the log must be the same wherever the move, or another
one, leaves the seat with the same view.
"""

import json
import random

import numpy as np
import pytest
from pydantic import TypeAdapter

from hiddenhand.belief.marginals import shares_of_worlds
from hiddenhand.core import resolver
from hiddenhand.core.event_log import WATCHER, hear, news_for, parts_of
from hiddenhand.core.session import Deal, Session
from hiddenhand.core.text import Reader, render
from hiddenhand.core.view import own_view, seen_by
from hiddenhand.kernel import CHANCE, assign, derive, new_records, stream
from hiddenhand.planning.play.world_game import own_words
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.tables.frames import entry_sent, frame

SEED = 7315926048  # a number that appears nowhere by chance
WORLDS = 6
HIDDEN = [name for name in resolver.games() if resolver.definition(name).hidden]
SEATED = [(name, seat) for name in HIDDEN for seat in range(min(2, resolver.game(name).players))]
KINDS = TypeAdapter(outgoing.ServerMessage)
SMALLER = {"battleship": {"size": 6, "ships": 3}}
"""The same game on a smaller board: its whole length tells no more."""


def whole_game(site, game, seat, seed=SEED):
    """A game of one person against random agents: what the person and a watcher were sent before the end."""
    seats = " ".join("me" if i == seat else "random" for i in range(resolver.game(game).players))
    made = site.table(game, seats, seed=seed, options=SMALLER.get(game, {}))
    draw, told_in_shares = random.Random(seat), resolver.definition(game).people.facts is not None
    with site.page(made) as page, site.page(made, "") as watcher:
        position = page.my_turn()
        while not position["over"]:
            if draw.random() < 0.2:
                page.say("advice", agent="random")
                page.hear("decision")
            if draw.random() < 0.1 and told_in_shares:
                page.say("belief", ply=position["ply"])
                page.hear("belief")
            page.play(position, draw.choice(position["actions"])["action"])
            position = page.my_turn()
            watcher.read_all()
        while not any(message["type"] == "frame" and message["over"] for message in watcher.sent):
            watcher.hear("frame")
    record = site.get(f"/api/tables/{made['table']}/record")
    return record, before_the_end(page.sent), before_the_end(watcher.sent)


def test_a_game_that_goes_on_is_not_reviewed(site):
    made = site.table("kuhn", "me random", seed=SEED)
    with site.page(made) as page:
        page.my_turn()
        answer = site.ask("GET", f"/api/tables/{made['table']}/review")
        assert answer.status_code == 400
        assert "what is hidden" in answer.json()["error"]


def before_the_end(messages):
    last = max(i for i, message in enumerate(messages) if message["type"] == "frame" and not message["over"])
    return messages[: last + 1]


def positions(record):
    """The game as it went, heard as it was before its end; and (state before, action, step, state after) of all."""
    game = resolver.game(record["game"], **record["options"])
    session = Before(Deal(game, record["seed"]), record["agents"], actions=record["actions"])
    table, plies = session.deal.table(), []
    for action, step in zip(record["actions"], session.steps):
        before = table.state.copy()
        table.play(action)
        plies.append((before, action, step, table.state.copy()))
    return game, plies, session


class Before(Session):
    """A session whose end has not come: what is hidden is still kept from everybody."""

    revealed = False


def worlds(game, state, seat, number):
    """States that the seat cannot tell from this one."""
    for attempt in range(WORLDS):
        world = new_records(game.rules.state, 1)[0]
        assign(world, as_record(game, state))
        game.rules.redeal(world, seat, stream(derive(number, attempt)))
        yield world


def as_record(game, state):
    record = new_records(game.rules.state, 1)
    record[0] = state
    return record[0]


@pytest.mark.parametrize(("game", "seat"), SEATED)
def test_what_a_seat_is_sent_follows_from_what_it_knows(site, game, seat):
    compared = 0
    for seed in range(SEED, SEED + 4):  # random agents may end a game before there is much to compare
        record, mine, watched = whole_game(site, game, seat, seed)
        assert record["seed"] == seed
        rules, plies, session = positions(record)
        check_fields(mine + watched, record)
        check_frames(rules, plies, session, seat, mine)
        check_log(session, seat, mine)
        check_log(session, WATCHER, watched)
        compared += check_hearing(rules, plies, seat)
        if compared > 2:
            break
    assert compared > 2


def check_fields(messages, record):
    """Only the fields that are agreed, and never the seed."""
    for message in messages:
        KINDS.validate_python({"since" if name == "from" else name: value for name, value in message.items()})
    text = json.dumps(messages)
    assert str(record["seed"]) not in text


def check_frames(game, plies, session, seat, messages):
    """Every frame, all advice and all shares of worlds are the same in every world that the seat holds possible."""
    checked = 0
    reader = reader_of(game, messages)
    for number, message in enumerate(messages):
        if message["type"] not in ("frame", "decision", "belief"):
            continue
        true = session.true_ply(seat, message["ply"])
        state = plies[true][0] if true < len(plies) else plies[-1][3]
        table = Deal(game, 1).table()
        for world in worlds(game, state, seat, number):
            if message["type"] == "decision":
                advice = resolver.agent(game, "random").explain(own_view(game, world, seat)).to_json()
                assert message["decision"] == json.loads(json.dumps(render(advice, reader)))
                continue
            assign(table.state, world)
            if message["type"] == "belief":
                told = {each["name"]: each["chances"] for each in message["things"]}
                assert told == {
                    name: [{"what": what, "words": what, "chance": chance} for what, chance in likely]
                    for name, likely in shares_of_worlds(table, seat).items()
                }
                continue
            last = session.last_heard(seat, before=true)
            said = None if last is None else entry_sent(last)
            again = frame(table, seat, said, revealed=False, moves=True)
            sent = outgoing.FrameMessage(table=message["table"], ply=message["ply"], **again)
            assert json.loads(sent.written(reader)) == message
            checked += 1
    assert checked


def reader_of(game, messages):
    """An English reader at the table of these messages."""
    names = next([each["name"] for each in message["seats"]] for message in messages if message["type"] == "seats")
    return Reader("en", names, own_words(game).get("en", {}))


def check_log(session, viewer, messages):
    """The log that was sent is what these ears heard, numbered as they count."""
    sent = {}
    for message in messages:
        if message["type"] == "log":
            sent.update({entry["ply"]: entry for entry in message["entries"]})
    reader = reader_of(session.game, messages)
    heard = [json.loads(entry_sent(entry).written(reader)) for entry in session.log(viewer)]
    assert list(sent) == list(range(len(sent)))
    assert list(sent.values()) == heard[: len(sent)]
    assert len(sent) >= len(heard) - 2  # the last moves are told after the end


def check_hearing(game, plies, seat):
    """Where another world, and perhaps another move, leads to the same view, it is heard alike; returns how often.

    Not where a pile was shuffled on the way: what lay openly on it was seen, and the view has lost it.
    """
    compared = 0
    everybody = range(game.players)
    for number, (before, action, step, after) in enumerate(plies):
        mover = step.mover
        if "shuffles" in " ".join(step.news[seat]):
            continue
        seen = seen_by(game, after, seat)
        turn = game.rules.turn(as_record(game, after))
        for world in worlds(game, before, seat, 10_000 + number):
            for other in [action] if mover == seat else legal(game, world):
                then = as_record(game, world)
                game.rules.play(then, other, stream(derive(number, 99)))
                if game.rules.turn(then) != turn or seen_by(game, then, seat) != seen:
                    continue
                compared += 1
                for viewer in (seat, WATCHER):
                    assert hear(game, world, mover, other, viewer) == step.heard[viewer]
                    assert news_for(game, world, then, viewer) == step.news[viewer]
                    assert parts_of(game, world, other, viewer) == step.parts[viewer]
        assert mover == CHANCE or mover in everybody
    return compared


def legal(game, world, most=10):
    out = np.zeros(game.most_actions, np.int64)
    return out[: game.rules.legal(world, out)].tolist()[:most]


def test_what_goes_unnoticed_is_not_even_counted(site):
    """In blind tic-tac-toe the other's refused move changes nothing one can see: no frame, no entry, no number."""
    made = site.table("blind_tictactoe", "me open", seed=1)
    with site.page(made) as first, site.page(made, made["invite"][0]["token"]) as second:
        first.play(first.my_turn(), 4)
        frame = second.my_turn()
        assert frame["ply"] == 1
        second.play(frame, 4)  # taken, but the second player could not know
        again = second.my_turn()
        assert again["ply"] == 2
        second.play(again, 0)
        mine = first.my_turn()
        assert mine["ply"] == 2
        assert [m["ply"] for m in first.sent if m["type"] == "frame"] == [0, 1, 2]
    assert site.get(f"/api/tables/{made['table']}")["plies"] == 2
