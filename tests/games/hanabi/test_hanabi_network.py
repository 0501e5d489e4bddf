"""What a network sees of Hanabi, against plain Python, and the network that comes with the game."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import encoded, encoding_of
from hiddenhand.games.hanabi.rules import COPIES

FIELDS = ("hands", "colours", "ranks", "touched", "told_colour", "told_rank", "drawn")


def views(players, moves, seed=1):
    """The state and the mover's view after some moves at random."""
    game = hh.game("hanabi", players=players, rules="strict")
    table, mover = game.deal(seed), hh.agent(game, "random")
    for _ in range(moves):
        table.play(table.ask(mover).action)
    return game, table, table.view()


def part(game, numbers, name):
    return numbers[list(encoding_of(game).groups[name])]


@pytest.mark.parametrize(("players", "moves"), [(2, 9), (5, 7)])
def test_what_lies_open_and_what_is_left(players, moves):
    game, _, view = views(players, moves)
    record, numbers = view.record, encoded(game, view.record, view.seat)
    assert set(numbers) == {0.0, 1.0}
    assert sum(map(len, encoding_of(game).groups.values())) == len(numbers)
    piles = part(game, numbers, "the piles").reshape(5, 6)
    assert piles.argmax(axis=1).tolist() == record.piles.tolist()
    seen = [int(card) for seat in range(players) if seat != view.seat for card in record.hands[seat] if card >= 0]
    on_piles = [5 * colour + rank for colour in range(5) for rank in range(record.piles[colour])]
    unseen = COPIES - record.discarded - np.bincount([*seen, *on_piles], minlength=25)
    copies = np.split(part(game, numbers, "the cards not seen yet"), np.cumsum(COPIES)[:-1])
    assert [int(each.sum()) for each in copies] == unseen.tolist()
    assert part(game, numbers, "the hint tokens").argmax() == record.hints
    assert part(game, numbers, "the cards left to draw").sum() == record.deck_left
    nearest = "my partner" if players == 2 else "the player 1 after me"
    other = (view.seat + 1) % players
    for slot in range(record.hand_size):
        mine, theirs = (
            part(game, numbers, f"what I know of my card {slot + 1}"),
            part(game, numbers, f"card {slot + 1} of {nearest}"),
        )
        possible = [
            card
            for card in range(25)
            if unseen[card] and record.colours[view.seat, slot] >> card // 5 & 1
            if record.ranks[view.seat, slot] >> card % 5 & 1
        ]
        assert np.flatnonzero(mine[13:38]).tolist() == possible
        assert mine[38] == all(card % 5 == record.piles[card // 5] for card in possible)
        held = int(record.hands[other, slot])
        assert np.flatnonzero(theirs[13:38]).tolist() == [held]
        assert theirs[38] == (held % 5 == record.piles[held // 5])


def test_every_seat_sees_the_same_from_its_side():
    """With all seats moved on by one, the next seat sees what this one saw, and its moves have the same numbers."""
    game, table, view = views(3, 8)
    moved = table.state.copy()
    for name in FIELDS:
        moved[name][:3] = np.roll(table.state[name][:3], 1, axis=0)
    moved.mover = (table.state.mover + 1) % 3
    for i in range(moved.moves_made):
        moved.log_actor[i] = (moved.log_actor[i] + 1) % 3
        if moved.log_action[i] >= 10:
            target, named = divmod(int(moved.log_action[i]) - 10, 10)
            moved.log_action[i] = 10 + 10 * ((target + 1) % 3) + named
    there = np.zeros(1, game.rules.view).view(np.recarray)[0]
    game.rules.observe(moved, int(moved.mover), there)
    np.testing.assert_array_equal(encoded(game, view.record, view.seat), encoded(game, there, int(moved.mover)))
    for action in view.legal_actions():
        same = action if action < 10 else 10 + 10 * ((action // 10 - 1 + 1) % 3) + action % 10
        relative = game.rules.relative
        assert relative(view.record, action, view.seat) == relative(there, same, int(moved.mover))


def test_the_network_that_comes_with_the_game():
    game = hh.game("hanabi", players=2, rules="strict")
    agent = hh.agent(game, "network")
    assert hh.match(game, [agent, agent], games=10, seed=3).payoffs.mean() > 22.0  # 24.4 in the long run
    told = agent.explain(game.deal(4).view())
    assert told.action == agent.decide(game.deal(4).view()).action
    assert "on top of what is reached" in told.reasons[0]
    with pytest.raises(UserError, match="trained with bomb=zero; this game has bomb=piles"):
        hh.agent(hh.game("hanabi", players=2), "network")
    with pytest.raises(UserError, match="needs to be told its file"):
        hh.agent(hh.game("hanabi", players=3), "network")
