"""Kuhn poker and Leduc hold'em: rule for rule the games of OpenSpiel, and what each seat may know."""

import os
from collections import Counter

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import blank_state
from hiddenhand.core.resolver import game
from hiddenhand.core.view import legal_actions
from hiddenhand.kernel import CHANCE, OVER, assign, new_records, stream

if os.environ.get("CI"):
    import pyspiel
else:
    pyspiel = pytest.importorskip("pyspiel")

PEERS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


def walk(ours, peer, s):
    """Both trees side by side; yields every node."""
    yield s, peer
    if ours.rules.turn(s) == OVER:
        return
    for action in legal_actions(ours, s):
        below = new_records(ours.rules.state, 1)[0]
        assign(below, s)
        ours.rules.play(below, action, stream(0))
        yield from walk(ours, peer.child(action), below)


def both(name, players=2, dealt=()):
    """All positions of a game, after these cards, beside those of OpenSpiel's."""
    ours = game(name, players=players) if players > 2 else game(name)
    s, peer = blank_state(ours)[0], pyspiel.load_game(f"{PEERS[name]}(players={players})").new_initial_state()
    ours.rules.deal(s, stream(0))
    for card in dealt:
        ours.rules.play(s, card, stream(0))
        peer.apply_action(card)
    return ours, walk(ours, peer, s)


@pytest.mark.parametrize(
    ("name", "players", "dealt", "nodes"),
    [
        ("kuhn", 2, (), 58),
        ("kuhn", 3, (), 617),
        ("leduc", 2, (), 9457),
        ("leduc", 3, (2, 4, 3), 5451),  # every way to bet, with two equal ranks and a third
    ],
)
def test_same_tree_as_openspiel(name, players, dealt, nodes):
    ours, pairs = both(name, players, dealt)
    seen = 0
    for s, peer in pairs:
        seen += 1
        turn = ours.rules.turn(s)
        assert peer.is_terminal() == (turn == OVER)
        if turn == OVER:
            gains = np.zeros(players)
            ours.rules.payoff(s, gains)
            assert gains.tolist() == peer.returns()
            continue
        assert peer.is_chance_node() == (turn == CHANCE)
        assert legal_actions(ours, s) == peer.legal_actions()
        if turn == CHANCE:
            odds = np.zeros(ours.most_actions)
            ours.rules.odds(s, odds)
            assert odds[: len(peer.legal_actions())].tolist() == pytest.approx([p for _, p in peer.chance_outcomes()])
        else:
            assert turn == peer.current_player()
    assert seen == nodes


@pytest.mark.parametrize(("name", "players"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
def test_views_tell_apart_what_openspiel_tells_apart(name, players):
    ours, pairs = both(name, players)
    view = new_records(ours.rules.view, 1)[0]
    matches = set()
    for s, peer in pairs:
        seat = int(ours.rules.turn(s))
        if seat >= 0:
            ours.rules.observe(s, seat, view)
            matches.add((seat, view.tobytes(), peer.information_state_string(seat)))
    assert len(matches) == len({m[:2] for m in matches}) == len({m[2] for m in matches})


@pytest.mark.parametrize("name", PEERS)
def test_redeal_is_uniform_among_the_unseen_cards(name):
    ours = game(name)
    for seat in range(2):
        table = ours.deal(seed=5)
        if name == "leduc":
            table.play("check")
            table.play("check")
        mine, opened = int(table.state.cards[seat]), int(table.state.open) if name == "leduc" else -1
        unseen = set(range(ours.most_actions)) - {mine, opened}
        world, rng = new_records(ours.rules.state, 1)[0], stream(1)
        tally: Counter[int] = Counter()
        for _ in range(4000):
            assign(world, table.state)
            ours.rules.redeal(world, seat, rng)
            tally[int(world.cards[1 - seat])] += 1
        assert set(tally) == unseen
        expected = 4000 / len(unseen)
        assert sum((n - expected) ** 2 / expected for n in tally.values()) < 20.0  # 99.9% point of 5 degrees


def test_folded_cards_stay_hidden_and_called_ones_are_shown():
    table = game("kuhn").deal(seed=2)
    table.play("bet")
    table.play("fold")
    assert max(table.view(1).record.shown) == -1
    table.undo()
    table.play("call")
    assert table.view(1).record.shown[0] == table.state.cards[0]
    assert "the other's card" in table.view(1).screen()


def test_of_three_only_those_who_paid_show_their_cards():
    table = game("kuhn", players=3).deal(seed=2)
    for move in ("check", "bet", "fold", "call"):
        table.play(move)
    assert table.over
    cards = table.state.cards[:3].tolist()
    assert table.view(2).record.shown[:3].tolist() == [cards[0], cards[1], -1]
    assert table.view(0).record.shown[:3].tolist() == [-1, cards[1], -1]
    assert table.payoffs() == ([3.0, -2.0, -1.0] if cards[0] > cards[1] else [-2.0, 3.0, -1.0])
    assert game("kuhn", players=3, ranks=13).most_actions == 13
    with pytest.raises(UserError, match="3 players need as many cards at least, not 2"):
        game("kuhn", players=3, ranks=2)


def test_folding_to_a_bet_leaves_the_others_in():
    table = game("leduc", players=3).deal(seed=1, rolls=False)
    for move in ("Qs", "Ah", "Qh", "bet", "fold", "call", "Ks", "check", "bet", "call"):
        table.play(move)
    assert table.payoffs() == [0.5, -1.0, 0.5]
    assert table.view(1).record.shown[:3].tolist() == [2, -1, 3]
    assert table.view(0).record.shown[:3].tolist() == [-1, -1, 3]
    assert "seat 1 has folded" in table.view(0).screen()
    shared = "the cards were shown, Qs and Qh are worth the same, and the pot is shared"
    assert table.game.people.outcome(table.state) == shared
    with pytest.raises(UserError, match="4 players need 3 ranks at least, not 2"):
        game("leduc", players=4, ranks=2)


def test_names_follow_the_situation():
    table = game("leduc").deal(seed=1)
    names = []
    for move in ("check", "bet", "raise", "call", "bet", "raise"):
        names.append([table.action_name(a) for a in table.legal_actions()])
        table.play(move)
    assert names[0] == ["check", "bet"]
    assert names[2] == ["fold", "call", "raise"]
    assert names[3] == ["fold", "call"]
    assert [table.action_name(a) for a in table.legal_actions()] == ["fold", "call"]
    table.play("call")
    assert sorted(abs(p) for p in table.payoffs()) in ([0.0, 0.0], [13.0, 13.0])


def test_each_seat_hears_its_own_card_and_all_that_is_open():
    table = game("leduc").deal(seed=1, rolls=False)
    assert table.hear(4, 0) == "you get Ks"
    assert table.hear(4, 1) == ""
    table.play("Ks")
    table.play("Jh")
    assert table.hear(1, 0) == table.hear(1, 1) == "check"
    table.play("check")
    table.play("check")
    assert table.hear(0, 0) == table.hear(0, 1) == "Js is laid open"
