"""Hanabi: the rules case by case, worlds drawn evenly, and every move as OpenSpiel plays it."""

import os
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from math import factorial, sqrt

import numpy as np
import pytest
from scipy.stats import chi2

from hiddenhand.core.errors import IllegalAction, UserError
from hiddenhand.core.game import blank_state, for_players
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.core.view import same
from hiddenhand.games.hanabi import conserved
from hiddenhand.games.hanabi.deduction import count_unseen
from hiddenhand.games.hanabi.knowledge import can_be
from hiddenhand.games.hanabi.rules import (
    ANY,
    COPIES,
    DECK_SIZE,
    DISCARD,
    HAND_SIZES,
    HINT,
    LONGEST,
    NONE,
    RANKS,
    begin,
    held,
    hint_action,
    hint_parts,
    score,
)
from hiddenhand.games.hanabi.texts import LETTERS, card_name
from hiddenhand.kernel import assign, new_records, stream
from hiddenhand.testing import CHECKS

ALL = [card for card in range(25) for _ in range(COPIES[card % RANKS])]


def cards(text):
    return [5 * LETTERS.index(word[0]) + int(word[1]) - 1 for word in text.split()]


def table_with(drawn, **options):
    """A table where the cards are drawn in this order (seat 0's hand first), then the others in order."""
    table = Table(game("hanabi", **options), 1)
    order = cards(drawn)
    rest = Counter(ALL)
    rest.subtract(order)
    assert min(rest.values()) >= 0
    order += sorted(rest.elements())
    table.state.deck[:] = order[::-1]
    begin(table.state)
    return table


def hand(state, seat):
    return " ".join(card_name(int(card)) for card in state.hands[seat] if card != NONE)


def last(state, field):
    return int(state[field][state.moves_made - 1])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "options",
    [{"players": 3}, {"players": 4}, {"players": 5}, {"rules": "strict"}, {"rules": "strict", "players": 5}],
    ids=str,
)
def test_conforms(options, check):
    check(game("hanabi", **options))


# --- the rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "size"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_the_deal(players, size):
    table = Table(game("hanabi", players=players), 5)
    state = table.state
    assert (state.players, state.hand_size, state.hints, state.lives) == (players, size, 8, 3)
    assert [held(state, seat) for seat in range(5)] == [size] * players + [0] * (5 - players)
    assert state.deck_left == 50 - players * size
    assert conserved(state) == [COPIES[card % 5] for card in range(25)]
    assert (state.colours[:players, :size] == ANY).all()
    assert (state.turn_number, state.moves_made, state.turns_left, state.over) == (0, 0, NONE, 0)
    # every hint is legal at first, to everyone but oneself
    assert table.legal_actions() == [*range(size), *range(5, 5 + size), *range(20, 10 + 10 * players)]


def test_a_card_played_rightly_and_a_bomb():
    table = table_with("r1 r1 y3 g4 b5  w1 w2 w3 w4 w5  g1 g2")
    table.play("play 1")
    state = table.state
    assert state.piles.tolist() == [1, 0, 0, 0, 0]
    assert hand(state, 0) == "r1 y3 g4 b5 g1"  # the younger ones moved up, the new one came last
    assert state.drawn[0].tolist() == [0, 0, 0, 0, 1]
    assert (state.lives, state.discarded.sum()) == (3, 0)
    assert (last(state, "log_card"), last(state, "log_success"), last(state, "log_actor")) == (cards("r1")[0], 1, 0)
    table.play("play 2")
    assert state.piles.tolist() == [1, 0, 0, 0, 0]
    assert (state.lives, state.discarded[cards("w2")[0]]) == (2, 1)
    assert (last(state, "log_card"), last(state, "log_success"), last(state, "log_actor")) == (cards("w2")[0], 0, 1)
    table.play("play 1")  # a second r1 is a bomb too
    assert (state.lives, state.turn_number, state.moves_made) == (1, 3, 3)


def test_a_hint_tells_what_cards_are_and_what_they_are_not():
    table = table_with("y1 y2 y3 y4 y5  r1 g1 r3 b1 r5  w1 w2")
    table.play("hint 1 red")
    state = table.state
    red, others = 0b00001, 0b11110
    assert state.colours[1].tolist() == [red, others, red, others, red]
    assert state.ranks[1].tolist() == [ANY] * 5
    assert state.touched[1].tolist() == state.told_colour[1].tolist() == [1, 0, 1, 0, 1]
    assert (state.hints, last(state, "log_hints"), last(state, "log_touched")) == (7, 8, 0b10101)
    assert last(state, "log_card") == NONE
    table.play("discard 1")
    table.play("hint 1 rank 1")
    one, rest = 0b00001, 0b11110
    assert state.ranks[1].tolist() == [one, rest, one, rest, one]  # the hand is now g1 r3 b1 r5 w1
    assert state.told_rank[1].tolist() == [1, 0, 1, 0, 1]
    assert state.touched[1].tolist() == [1, 1, 1, 1, 1]
    table.play("hint 0 green")  # none of them is: that says something too
    assert state.colours[0].tolist() == [0b11011] * 5
    assert last(state, "log_touched") == 0


def test_knowledge_moves_with_the_cards():
    table = table_with("y1 y2 y3 y4 y5  r1 g1 r3 b1 r5  w1")
    for move in ("hint 1 red", "hint 0 rank 3", "play 1", "discard 2"):
        table.play(move)
    state = table.state
    assert hand(state, 0) == "y2 y3 y4 y5 w1"
    assert state.told_rank[0].tolist() == [0, 1, 0, 0, 0]
    assert state.ranks[0].tolist() == [0b11011, 0b00100, 0b11011, 0b11011, ANY]
    assert state.told_colour[1].tolist() == [1, 1, 0, 1, 0]
    assert state.drawn[1].tolist() == [0, 0, 0, 0, 4]


def test_tokens_are_spent_and_come_back():
    table = table_with("r1 r2 r3 r4 r5  y1 y2 y3 y4 y5  g1 g2")
    for tokens in range(7, -1, -1):
        table.play(f"hint {1 - table.turn} rank 1")
        assert table.state.hints == tokens
    assert all(action < HINT for action in table.legal_actions())
    table.play("discard 5")
    assert table.state.hints == 1
    assert table.state.discarded[cards("r5")[0]] == 1


@pytest.mark.parametrize(("tokens", "after"), [(3, 4), (8, 8)])
def test_a_five_wins_back_a_token(tokens, after):
    table = table_with("r5 y1 y2 y3 y4")
    table.state.piles[0] = 4
    table.state.hints = tokens
    table.play("play 1")
    assert table.state.piles[0] == 5
    assert table.state.hints == after


@pytest.mark.parametrize(("options", "points"), [({}, 3), ({"bomb": "zero"}, 0), ({"rules": "strict"}, 0)])
def test_the_third_bomb_ends_the_game(options, points):
    table = table_with("r1 r4 g4 y4 b4  r2 r3 w4 w3 g3", **options)
    for lives in (3, 3, 2, 2, 1, 0):  # r1, r2, a bomb, r3, and two more bombs
        assert not table.over
        table.play("play 1")
        assert table.state.lives == lives
    assert table.over
    assert (table.state.bombed, table.state.lives, score(table.state)) == (1, 0, 3)
    assert table.payoffs() == [points, points]
    assert table.metrics() == {"perfect": 0.0, "bombed": 1.0, "turns": 6.0}


@pytest.mark.parametrize(
    ("options", "allowed"), [({}, True), ({"discard_at_8": False}, False), ({"rules": "strict"}, False)]
)
def test_a_discard_with_all_tokens(options, allowed):
    table = table_with("r1 r2 r3 r4 r5  y1 y2 y3 y4 y5", **options)
    assert (DISCARD in table.legal_actions()) == allowed
    if allowed:
        table.play("discard 1")
        assert table.state.hints == 8
    else:
        with pytest.raises(IllegalAction):
            table.play("discard 1")
        table.play("hint 1 yellow")
        assert DISCARD in table.legal_actions()


@pytest.mark.parametrize(
    ("options", "allowed"), [({}, True), ({"empty_hints": False}, False), ({"rules": "strict"}, False)]
)
def test_a_hint_that_touches_nothing(options, allowed):
    table = table_with("r1 r2 r3 r4 r5  y1 y2 y1 b4 b4", **options)
    hints = {table.action_name(action) for action in table.legal_actions() if action >= HINT}
    good = {"hint 1 yellow", "hint 1 blue", "hint 1 rank 1", "hint 1 rank 2", "hint 1 rank 4"}
    assert (hints == good) != allowed
    assert good <= hints


def holding(of):
    """The rules that are played."""
    state = blank_state(of)[0]
    return int(state.bomb_zero), int(state.empty_hints), int(state.discard_at_8)


def test_the_options_that_are_reported_are_those_that_hold():
    """rules=strict stands for three options; what is said beside it, or later, holds."""
    strict = game("hanabi", rules="strict")
    assert strict.options == {"bomb": "zero", "empty_hints": False, "discard_at_8": False, "players": 2}
    assert holding(strict) == (1, 0, 0)
    assert holding(game("hanabi", rules="strict", bomb="piles")) == (0, 0, 0)
    assert game("hanabi", rules="strict", bomb="piles").options["bomb"] == "piles"
    assert holding(strict.with_options({"discard_at_8": True})) == (1, 0, 1)
    assert holding(for_players(strict, 4)) == (1, 0, 0)
    assert holding(strict.with_options({"rules": "lenient"})) == holding(game("hanabi")) == (0, 1, 1)
    with pytest.raises(UserError, match="option rules of hanabi must be one of lenient, strict, not sloppy"):
        game("hanabi", rules="sloppy")


def test_records_of_the_time_when_strict_overruled_the_other_options():
    then = {"players": 3, "bomb": "piles", "empty_hints": True, "discard_at_8": True}
    record = Table(game("hanabi", players=3, rules="strict"), 4).record([])
    for rules, played in (("strict", (1, 0, 0)), ("lenient", (0, 1, 1)), ("thesis", (0, 1, 1))):
        old = replace(record, options={"rules": rules, **then})
        assert holding(old.replay().game) == played
    assert holding(replace(record, options={"rules": "lenient", **then, "bomb": "zero"}).replay().game) == (1, 1, 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_after_the_last_card_everyone_has_one_turn_and_the_longest_game(players):
    """Hints whenever there is a token, else discards: no game is longer."""
    table = Table(game("hanabi", players=players), 3)
    state = table.state
    drawer = NONE
    final = []
    while not table.over:
        if drawer == NONE:
            assert state.turns_left == NONE
        else:
            assert state.turns_left == players - len(final)
            final.append(table.turn)
        seat, left = table.turn, int(state.deck_left)
        table.play(hint_action((seat + 1) % players, 0, 0) if state.hints > 0 else DISCARD)
        if left == 1 and state.deck_left == 0:
            drawer = seat
    assert final == [(drawer + 1 + i) % players for i in range(players)]
    assert final[-1] == drawer
    assert state.moves_made == 2 * (DECK_SIZE - players * HAND_SIZES[players]) + 7 + players <= LONGEST
    assert players > 2 or state.moves_made == LONGEST
    assert (state.turns_left, state.bombed) == (0, 0)


def test_hands_shrink_in_the_last_round():
    table = Table(game("hanabi"), 3)
    while table.state.turns_left == NONE:
        table.play(DISCARD)
    mover = table.turn
    table.play("discard 5")
    assert held(table.state, mover) == 4
    assert table.state.colours[mover, 4] == table.state.ranks[mover, 4] == 0
    assert (table.state.hands[mover, 4], table.state.drawn[mover, 4]) == (NONE, NONE)
    assert not table.over


@pytest.mark.parametrize("options", [{}, {"rules": "strict"}])
def test_twenty_five_points_end_the_game_at_once(options):
    table = table_with("r5 y1 y2 y3 y4", **options)
    table.state.piles[:] = [4, 5, 5, 5, 5]
    table.play("play 1")
    assert table.over
    assert table.payoffs() == [25.0, 25.0]
    assert table.metrics() == {"perfect": 1.0, "bombed": 0.0, "turns": 1.0}


# --- what is seen and said ------------------------------------------------------------------------


def test_one_sees_all_but_the_own_hand_and_the_deck():
    table = Table(game("hanabi", players=3), 2)
    view = new_records(table.game.rules.view, 1)[0]
    for seat in range(3):
        table.game.rules.observe(table.state, seat, view)
        for who in range(3):
            seen = [NONE] * 5 if who == seat else table.state.hands[who].tolist()
            assert view.hands[who].tolist() == seen
        for name in table.game.rules.view.names:
            if name not in ("hands", "padding"):
                assert np.array_equal(view[name], table.state[name])
    assert set(table.game.rules.state.names) - set(table.game.rules.view.names) <= {"deck", "padding"}


def test_names_and_what_is_heard():
    table = table_with("r1 y2 y3 y4 y5  r1 g1 r3 b1 r5  y1 y1")
    heard = []
    for move in ("play 1", "play 1", "hint 1 red", "hint 0 rank 3", "hint 1 white", "discard 3"):
        action = table.read(move)
        assert table.action_name(action) == move
        assert table.hear(action, 0) == table.hear(action, 1)
        heard.append(table.hear(action, 0))
        table.play(move)
    assert heard == [
        "play r1",
        "play r1: a bomb",
        "hint seat 1 red: cards 2 4",
        "hint seat 0 rank 3: card 2",
        "hint seat 1 white: no card",
        "discard b1",
    ]


def test_the_parts_of_a_hint():
    for action in range(HINT, 60):
        assert hint_action(*hint_parts(action)) == action
    assert hint_parts(10 + 10 * 3 + 5 + 2) == (3, 1, 2)


def test_the_screen():
    table = table_with("r1 y2 y3 y4 y5  r1 g1 r3 b1 r5  w1 w2")
    for move in ("play 1", "hint 0 rank 2", "hint 1 red", "discard 2"):
        table.play(move)
    view = new_records(table.game.rules.view, 1)[0]
    table.game.rules.observe(table.state, 0, view)
    assert table.game.people.show(view, 0).splitlines() == [
        "piles      r1 y0 g0 b0 w0   score 1",
        "hints      7 of 8   lives 3 of 3   38 in the deck",
        "discarded  g1",
        "",
        "           1            2            3            4            5",
        "you know   ?2           ?[1345]      ?[1345]      ?[1345]      ?[1345]",
        "seat 1     r1           r3           b1           r5           w2",
        "  knows    r?           r?           [ygbw]?      r?           ??",
    ]


# --- worlds ---------------------------------------------------------------------------------------


def late_position(mine, deck, colours, ranks):
    """Seat 0 holds `mine`, the deck is `deck`; all else that seat 1 does not hold is discarded."""
    table = table_with("")
    state = table.state
    own, undealt = cards(mine), cards(deck)
    for slot in range(5):
        state.hands[0, slot] = own[slot] if slot < len(own) else NONE
        state.colours[0, slot] = colours[slot] if slot < len(own) else 0
        state.ranks[0, slot] = ranks[slot] if slot < len(own) else 0
    rest = Counter(ALL)
    rest.subtract(own + undealt + cards("w1 w1 w2 w3 w4"))
    state.hands[1] = cards("w1 w1 w2 w3 w4")
    for card in range(25):
        state.discarded[card] = rest[card]
    state.deck[:] = NONE
    state.deck[: len(undealt)] = undealt
    state.deck_left = len(undealt)
    assert conserved(state) == [COPIES[card % 5] for card in range(25)]
    return table


def arrangements(state, mine, deck):
    """Every hand and deck that seat 0 may have, with the number of ways to lay the physical cards so."""
    n = len(mine.split())
    found = Counter()
    for order in permutations(cards(mine) + cards(deck)):
        if all(can_be(state, 0, slot, order[slot]) for slot in range(n)):
            found[order] += 1
    return found


# what seat 0 holds, the deck, and what hints say of its cards; bit 0 is red, or rank 1
LATE = {
    "nothing known": ("r1 r2 r2 g3", "r1 g3 b5", [ANY] * 4, [ANY] * 4),
    "a colour each": ("r1 r2 g3 g1", "r1 r1 g4", [1, 1, 4, 4], [ANY] * 4),
    "only negative": (
        "r1 y1 r2 y2 g5",
        "r1 y2",
        [ANY ^ 2, ANY ^ 1, ANY ^ 2, ANY, ANY],
        [ANY, ANY, ANY ^ 1, ANY, ANY],
    ),
    "all fives": ("r5 y5 g5 b5 w5", "r1", [ANY] * 5, [16] * 5),
    "a staircase": ("r5 y5 g5 b5 w5", "r2 r2", [1, 3, 7, 15, ANY], [16] * 5),
    "one card is settled": ("r1 r1 b2 b3", "r1 b3 y4", [1, ANY, 8, ANY], [1, ANY, 2, ANY]),
    "the deck is empty": ("r1 y2 y2 g4", "", [ANY, ANY ^ 1, ANY, ANY], [ANY, ANY, ANY ^ 8, ANY]),
}


@pytest.mark.parametrize("case", LATE)
def test_every_world_is_equally_likely(case):
    """Chi-square of the drawn worlds; a fair draw exceeds the bound once in a million times."""
    mine, deck, colours, ranks = LATE[case]
    table = late_position(mine, deck, colours, ranks)
    expected = arrangements(table.state, mine, deck)
    ways, draws = sum(expected.values()), 25 * len(expected) + 500
    world, rng = new_records(table.game.rules.state, 1)[0], stream(11)
    assign(world, table.state)
    drawn = Counter()
    n, left = len(cards(mine)), len(cards(deck))
    for _ in range(draws):
        table.game.rules.redeal(world, 0, rng)
        drawn[(*world.hands[0, :n].tolist(), *world.deck[:left].tolist())] += 1
    assert set(drawn) <= set(expected)
    if len(expected) == 1:
        return
    squares = sum(
        (drawn[order] - draws * count / ways) ** 2 / (draws * count / ways) for order, count in expected.items()
    )
    free = len(expected) - 1
    bound = free * (1 - 2 / (9 * free) + 4.753 * sqrt(2 / (9 * free))) ** 3  # Wilson and Hilferty
    assert squares < bound


@pytest.mark.parametrize("case", LATE)
def test_worlds_are_listed_with_their_weights(case):
    """Every hand that seat 0 may have, by all arrangements of the cards: its weight is in proportion."""
    mine, deck, colours, ranks = LATE[case]
    table = late_position(mine, deck, colours, ranks)
    n, rules = len(cards(mine)), table.game.rules
    hands = Counter()
    for order, ways in arrangements(table.state, mine, deck).items():
        hands[order[:n]] += ways
    listed = {}
    world = new_records(table.game.rules.state, 1)[0]
    for number in range(rules.worlds(table.state, 0)):
        assign(world, table.state)
        weight = rules.world(world, 0, number, stream(number))
        if weight > 0.0:
            assert conserved(world) == conserved(table.state)
            listed[tuple(world.hands[0, :n].tolist())] = weight * factorial(len(cards(deck)))
    assert listed == hands


@pytest.mark.parametrize("case", LATE)
def test_steps_from_world_to_world_lead_back_as_often(case):
    """Every hand is reached; from evenly drawn worlds, each step is as frequent as its reverse (chi-square)."""
    mine, deck, colours, ranks = LATE[case]
    table = late_position(mine, deck, colours, ranks)
    n, rules = len(cards(mine)), table.game.rules
    possible = {order[:n] for order in arrangements(table.state, mine, deck)}
    world, rng = new_records(table.game.rules.state, 1)[0], stream(12)
    assign(world, table.state)
    reached, steps = set(), Counter()
    for _ in range(60 * len(possible)):
        rules.vary(world, 0, rng)
        reached.add(tuple(world.hands[0, :n].tolist()))
    assert reached == possible
    assert conserved(world) == conserved(table.state)
    for _ in range(3000):
        rules.redeal(world, 0, rng)
        start = tuple(world.hands[0, :n].tolist())
        rules.vary(world, 0, rng)
        steps[start, tuple(world.hands[0, :n].tolist())] += 1
    there_and_back = [(steps[a, b], steps[b, a]) for a, b in combinations(sorted(possible), 2)]
    seen = [(there - back) ** 2 / (there + back) for there, back in there_and_back if there + back]
    assert not seen or chi2.sf(sum(seen), len(seen)) > 1e-6
    assert len(possible) == 1 or seen


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_worlds_never_contradict_what_is_known(players):
    """Along random games, for every seat: the view stays, all cards are there once, the hints are respected."""
    chosen = game("hanabi", players=players, rules="strict")
    counts = np.zeros(25, np.int64)
    views = new_records(chosen.rules.view, 2)
    world = new_records(chosen.rules.state, 1)[0]
    for seed in range(8):
        table, pick, rng = Table(chosen, seed), random.Random(seed), stream(seed)
        while not table.over:
            # hints and discards, so that games are long and much is known
            careful = [action for action in table.legal_actions() if action >= DISCARD]
            table.play(pick.choice(careful or table.legal_actions()))
            for seat in range(players):
                chosen.rules.observe(table.state, seat, views[0])
                count_unseen(views[0], seat, seat, counts)
                assert counts.sum() == held(table.state, seat) + table.state.deck_left
                assign(world, table.state)
                chosen.rules.redeal(world, seat, rng)
                chosen.rules.observe(world, seat, views[1])
                assert same(views[0], views[1])
                assert conserved(world) == conserved(table.state)
                for slot in range(held(world, seat)):
                    assert can_be(world, seat, slot, int(world.hands[seat, slot]))


# --- OpenSpiel ------------------------------------------------------------------------------------


def openspiel():
    if os.environ.get("CI"):
        import pyspiel

        return pyspiel
    return pytest.importorskip("pyspiel")


def their_name(action, mover, players):
    """Our action in OpenSpiel's words: it counts seats from the mover on."""
    if action < HINT:
        return f"({'Play' if action < DISCARD else 'Discard'} {action % 5})"
    target, kind, value = hint_parts(action)
    away = (target - mover) % players
    what = f"rank {value + 1}" if kind else f"color {LETTERS[value].upper()}"
    return f"(Reveal player +{away} {what})"


def knowledge(colours, ranks, told_colour, told_rank):
    """What hints say of a card, as OpenSpiel prints it: X3|RYGWB3."""
    letters = "".join(c for c in "RYGWB" if colours >> "RYGBW".index(c) & 1)
    numbers = "".join(str(r + 1) for r in range(5) if ranks >> r & 1)
    return f"{letters if told_colour else 'X'}{numbers if told_rank else 'X'}|{letters}{numbers}"


def compare(state, theirs):
    text = str(theirs)
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    assert int(lines["Life tokens"]) == state.lives
    assert int(lines["Info tokens"]) == state.hints
    piles = {f"{letter.upper()}{pile}" for letter, pile in zip(LETTERS, state.piles.tolist())}
    assert set(lines["Fireworks"].split()) == piles
    gone = [card_name(card).upper() for card, n in enumerate(state.discarded.tolist()) for _ in range(n)]
    assert sorted(lines["Discards"].split()) == sorted(gone)
    if state.over:
        return  # they draw no card once the game is over
    assert int(lines["Deck size"]) == state.deck_left
    hands = text.split("Hands:\n")[1].split("Deck size")[0].replace("Cur player\n", "").split("-----\n")
    fields = [state[name].tolist() for name in ("hands", "colours", "ranks", "told_colour", "told_rank")]
    for seat, shown in enumerate(hands):
        ours = [
            f"{card_name(card).upper()} || {knowledge(*known)}"
            for card, *known in zip(*(field[seat] for field in fields))
            if card != NONE
        ]
        assert shown.splitlines() == ours


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_openspiel_plays_the_same_games(players):
    """250 random games each: the same moves are legal, and everything on the table is the same after each."""
    pyspiel = openspiel()
    their_game = pyspiel.load_game("hanabi", {"players": players})
    ours = game("hanabi", players=players, rules="strict")
    state, out, rng = new_records(ours.rules.state, 1)[0], np.zeros(60, np.int64), stream(0)
    deals, last_rounds = {}, 0
    for seed in range(250):
        table, theirs, pick = Table(ours, seed), their_game.new_initial_state(), random.Random(seed)
        assign(state, table.state)
        deals = deals or {theirs.action_to_string(card): card for card in range(25)}
        careful = 0.97 if seed % 2 else 0.0  # every other game seldom plays a card: some reach the last round
        order = [card for seat in range(players) for card in state.hands[seat].tolist() if card != NONE]
        order += state.deck[: state.deck_left].tolist()[::-1]
        drawn = 0
        while True:
            while theirs.is_chance_node():
                theirs.apply_action(deals[f"(Deal {card_name(order[drawn]).upper()})"])
                drawn += 1
            assert theirs.is_terminal() == state.over
            compare(state, theirs)
            if state.over:
                gains = np.zeros(players)
                ours.rules.payoff(state, gains)
                assert theirs.returns() == gains.tolist()
                last_rounds += int(state.turns_left) == 0
                break
            mover = ours.rules.turn(state)
            assert theirs.current_player() == mover
            legal = out[: ours.rules.legal(state, out)].tolist()
            names = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
            assert {their_name(action, mover, players) for action in legal} == set(names)
            good = [action for action in legal if action >= DISCARD] if pick.random() < careful else legal
            action = pick.choice(good or legal)
            theirs.apply_action(names[their_name(action, mover, players)])
            ours.rules.play(state, action, rng)
    assert last_rounds > 10
