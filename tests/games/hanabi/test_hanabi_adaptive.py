"""The agent that suits itself to the others: the past it imagines, whom it recognises, and what that brings."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.table import Table
from hiddenhand.games.hanabi.adaptive import (
    BY_LOT,
    DISTRUSTFUL,
    HAT,
    MEMORY,
    MOST_DRAWS,
    PAIR,
    TRUSTFUL,
    assume_hand,
    first_state,
    posterior,
    write_cards,
)
from hiddenhand.games.hanabi.knowledge import can_be
from hiddenhand.games.hanabi.rules import HINT, NONE, STATE, held, hint_parts, play
from hiddenhand.kernel import assign, new_records, stream

FIELDS = "hints lives deck_left turns_left mover piles discarded colours ranks touched drawn log_touched".split()


def played(team, seed, moves=1000):
    """A game between these, and copies of the state before each move."""
    names = team.split()
    game = hh.game("hanabi", players=len(names))
    table, states = Table(game, seed), []
    players = [hh.agent(game, name) for name in names]
    while not table.over and len(states) < moves:
        states.append(new_records(STATE, 1)[0])
        assign(states[-1], table.state)
        table.play(table.ask(players[table.turn]).action)
    return table, states


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_past_is_rebuilt_from_the_view_alone(players):
    """Every earlier state is found again, but for one's own cards, of which only the hints' answers are known."""
    table, states = played(" ".join(["distrustful"] * players), 3)
    for me in range(players):
        v = table.view(me).record
        drawn = np.full((5, MOST_DRAWS), NONE, np.int64)
        write_cards(v, me, drawn)
        s = new_records(STATE, 1)[0]
        first_state(v, drawn, s)
        for before, action in zip(states, table.history, strict=True):
            for name in FIELDS:
                assert np.array_equal(before[name], s[name]), name
            others = [seat for seat in range(players) if seat != me]
            assert np.array_equal(before.hands[others], s.hands[others])
            play(s, action, np.zeros(1, np.uint64))


def test_the_hand_that_is_assumed_answers_the_hint_that_follows():
    table, states = played("distrustful distrustful", 5)
    v, hinted = table.view(0).record, 0
    for move, before in enumerate(states):
        then = new_records(STATE, 1)[0]
        assign(then, before)
        assume_hand(v, 0, move, move % 3, then)
        action = table.history[move]
        for slot in range(held(then, 0)):
            card = int(then.hands[0, slot])
            assert can_be(before, 0, slot, card)
            if action >= HINT and hint_parts(action)[0] == 0:
                _, kind, value = hint_parts(action)
                hit = card // 5 == value if kind == 0 else card % 5 == value
                assert hit == bool(int(v.log_touched[move]) >> slot & 1)
                hinted += 1
    assert hinted > 20


def chances_in(memory):
    """(seats, kinds) how likely each kind is for each seat, by what is remembered."""
    chances = np.zeros((5, len(memory.log_likelihood[0])))
    for seat in range(5):
        posterior(memory, seat, chances[seat])
    return chances


@pytest.mark.parametrize(
    ("team", "kind"),
    [
        ("adaptive trustful trustful", TRUSTFUL),
        ("adaptive distrustful distrustful", DISTRUSTFUL),
        ("adaptive hat hat", HAT),
        ("adaptive pair", PAIR),
        ("adaptive stopped_clock stopped_clock", BY_LOT),
    ],
)
def test_it_recognises_its_partners(team, kind):
    """By the end of most games, each of them."""
    right = [
        chances_in(table.view(0).memory(MEMORY, "adaptive"))[seat].argmax() == kind
        for table, _ in (played(team, seed) for seed in range(6))
        for seat in range(1, len(team.split()))
    ]
    assert np.mean(right) > 0.7


def test_what_it_remembers_is_what_it_would_find_afresh():
    """So that it decides alike whenever it is asked."""
    adaptive = hh.agent("hanabi", "adaptive")
    table, _ = played("distrustful trustful stopped_clock", 2, moves=0)
    players = [hh.agent(table.game, name) for name in ("distrustful", "trustful", "stopped_clock")]
    while not table.over:
        if table.turn == 0:
            table.ask(adaptive)
            kept, fresh = table.view(0).memory(MEMORY, "adaptive"), new_records(MEMORY, 1)[0]
            legal = np.array(table.legal_actions())
            adaptive.policy.rule(table.view(0).record, 0, legal, fresh, adaptive.parameters, stream(1))
            assert kept.moves_seen.sum() == fresh.moves_seen.sum() == table.view(0).record.moves_made * 2 // 3
            assert np.array_equal(chances_in(kept), chances_in(fresh))
        table.play(table.ask(players[table.turn]).action)


def test_it_suits_itself_to_the_company():
    """Beside hats and beside a pair, whose conventions ruin everybody else, it comes near to their own kind."""

    def mean(team, **options):
        names = team.split()
        return hh.match("hanabi", names, games=60, seed=4, players=len(names), **options).payoffs[:, 0].mean()

    assert mean("adaptive hat hat") > mean("distrustful hat hat") + 5
    assert mean("adaptive pair") > mean("distrustful pair") + 5
    assert mean("adaptive trustful") > mean("distrustful trustful") + 1
    assert mean("adaptive pair", rules="strict") > 20, "where the first move has to be a hint: 11.45 without care"
    assert mean("pair adaptive", rules="strict") > 17
    assert mean("adaptive adaptive", rules="strict") > 17
