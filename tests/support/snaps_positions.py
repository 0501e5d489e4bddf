"""Positions of snaps for tests: random games under random options, and all worlds of a position by brute force."""

from itertools import combinations

import numpy as np

from hiddenhand.core.game import blank_state
from hiddenhand.core.resolver import game
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.knowledge import observe
from hiddenhand.games.snaps.rules import legal, play
from hiddenhand.games.snaps.state import FINISHED, TRICKS, begin, deal
from hiddenhand.kernel import assign, new_records, rule, stream

CLAIMS = range(48, 73)


def random_options(random):
    """Any option of the game that is not about the score."""
    return {
        "chooser": int(random.integers(4)),
        "direction": int(random.choice([-1, 1])),
        "choose_after": int(random.choice([0, 3, 6])),
        "sumec": str(random.choice(["hidden", "announced"])),
        "relax_if_trumped": bool(random.integers(2)),
        "claim": str(random.choice(["manual", "auto"])),
        "rekontra": bool(random.integers(2)),
    }


class Position:
    """A game played at random, up to a number of cards; nobody claims. `actions` holds all that was done."""

    def __init__(self, options, seed, plays):
        self.game = game("snaps", **options)
        self.state = new_records(self.game.rules.state, 1)[0]
        assign(self.state, blank_state(self.game)[0])
        random = np.random.default_rng(seed)
        deal(self.state, stream(seed))
        self.first_hands = [int(hand) for hand in self.state.hands]
        self.actions = []
        while self.state.phase != FINISHED and not (self.state.phase == TRICKS and self.state.plays >= plays):
            choice = [action for action in legal_actions(self.state) if action not in CLAIMS]
            self.actions.append(int(random.choice(choice)))
            play(self.state, self.actions[-1], stream(0))

    def view(self, seat):
        return view_of(self.state, seat)

    def worlds(self, seat):
        """Every deal in which the same actions are legal and the seat sees the same: its hands now, as a list."""
        found = []
        seen_now = self.view(seat).tobytes()
        seen = self.first_hands[seat]
        mine = [card for card in range(CARDS) if seen >> card & 1]
        played = [(int(self.state.played_by[i]), int(self.state.played[i])) for i in range(int(self.state.plays))]
        left = [card for card in range(CARDS) if card not in mine and card not in [card for _, card in played]]
        others = [other for other in range(SEATS) if other != seat]
        known = {other: [card for by, card in played if by == other] for other in others}
        for hands in splits(left, [6 - len(known[other]) for other in others]):
            start = [0] * SEATS
            start[seat] = seen
            for other, hand in zip(others, hands):
                start[other] = sum(1 << card for card in [*hand, *known[other]])
            world = self.replay(start)
            if world is not None and view_of(world, seat).tobytes() == seen_now:
                found.append([int(hand) for hand in world.hands])
        return found

    def holder_in(self, world):
        """Who was dealt the named card, if these are the hands now."""
        named = int(self.state.named)
        for i in range(int(self.state.plays)):
            if self.state.played[i] == named:
                return int(self.state.played_by[i])
        return next(seat for seat in range(SEATS) if world[seat] >> named & 1)

    def replay(self, first_hands):
        """The state after the same actions from other hands; None if one of them was not legal."""
        s = new_records(self.game.rules.state, 1)[0]
        assign(s, blank_state(self.game)[0])
        for seat in range(SEATS):
            s.hands[seat] = first_hands[seat]
        return s if retrace(s, np.array(self.actions), stream(0)) else None


@rule
def retrace(s, actions, rng):
    """Play the actions from the hands of a state; False if one was not legal."""
    begin(s)
    offered = np.empty(CARDS + 8, np.int64)
    for action in actions:
        found = False
        for i in range(legal(s, offered)):
            found |= offered[i] == action
        if not found:
            return False
        play(s, action, rng)
    return True


def legal_actions(s):
    out = np.empty(CARDS + 8, np.int64)
    return out[: legal(s, out)].tolist()


def view_of(s, seat):
    view = new_records(s.dtype, 1)[0]
    observe(s, seat, view)
    return view


def splits(cards, sizes):
    """All ways to deal cards into hands of these sizes."""
    if len(sizes) == 1:
        yield (tuple(cards),)
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in splits(rest, sizes[1:]):
            yield (hand, *others)


def late_positions(count, fewest=13, most=20, seed=0):
    """Positions in which brute force is quick, under random options, none of them over, each with a seat."""
    found = []
    while len(found) < count:
        seed += 1
        random = np.random.default_rng(seed)
        position = Position(random_options(random), seed, int(random.integers(fewest, most + 1)))
        if position.state.phase != FINISHED:
            found.append((position, int(random.integers(SEATS))))
    return found
