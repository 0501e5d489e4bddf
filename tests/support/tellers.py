"""Players whose moves tell what they see, without drawing anything at random: models for tests of beliefs."""

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.policy import policy
from hiddenhand.kernel import record_type

ASKED = record_type([("times", "i8")])


@policy("its card and how often it was asked decide", memory=ASKED)
def poker_teller(view, seat, actions, memory, parameters, rng):
    memory.times += 1
    return actions[(view.card + memory.times) % len(actions)]


@policy("names the rank of the other's first card that can be played; plays what was touched last", memory=ASKED)
def hanabi_teller(view, seat, actions, memory, parameters, rng):
    memory.times += 1
    last, other = view.moves_made - 1, (seat + 1) % view.players
    if last >= 0 and view.log_touched[last] != 0 and view.log_action[last] // 10 == 1 + seat:
        for slot in range(view.hand_size):
            if view.log_touched[last] >> slot & 1:
                return slot
    if view.hints > 0:
        for slot in range(view.hand_size):
            card = view.hands[other, slot]
            if card >= 0 and view.piles[card // 5] == card % 5:
                return 15 + 10 * other + card % 5
    if view.hints == 8:
        return actions[len(actions) - 1]
    return 5 + memory.times % 2  # one of the two oldest cards goes


@policy("plays the highest card that it may, or the lowest if it holds a nine", memory=ASKED)
def snaps_teller(view, seat, actions, memory, parameters, rng):
    memory.times += 1
    nines = 0b000001_000001_000001_000001
    if view.hands[seat] & nines != 0:
        return actions[0]
    return actions[len(actions) - 1]


TELLERS = {"kuhn": poker_teller, "leduc": poker_teller, "hanabi": hanabi_teller, "snaps": snaps_teller}


def teller(game):
    return PolicyAgent(game, TELLERS[game.name])
