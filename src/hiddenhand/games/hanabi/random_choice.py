"""Choosing by lot, one of several slots or of the legal hints; and how a thesis is read that leaves things open."""

from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.games.hanabi.rules import HINT, MOST_HINTS, NONE, SLOTS
from hiddenhand.kernel import below, rule

READING = Setting(
    "ours",
    Text("what the thesis is taken to say: ours, where it leaves a choice what scores most; published, its letter"),
    choices=("ours", "published"),
)
OURS, PUBLISHED = 0, 1


@rule
def random_bit(mask, rng):
    """The number of one of the bits 0 to 4 that are set (slots, seats, ...), each equally likely; NONE if none is."""
    n = 0
    for bit in range(SLOTS):
        n += (mask >> bit) & 1
    skip = below(rng, n) if n > 1 else 0
    for bit in range(SLOTS):
        if (mask >> bit) & 1:
            if skip == 0:
                return bit
            skip -= 1
    return NONE


@rule
def lowest_bit(mask):
    """The number of the lowest bit that is set, of slots the oldest; NONE if none is."""
    for bit in range(SLOTS):
        if (mask >> bit) & 1:
            return bit
    return NONE


@rule
def first_hint(actions):
    """Where the hints begin among the legal actions; their number if there is none."""
    i = len(actions)
    while i > 0 and actions[i - 1] >= HINT:
        i -= 1
    return i


@rule
def random_hint(actions, rng):
    """One of the legal hints; there must be one."""
    first = first_hint(actions)
    return actions[first + below(rng, len(actions) - first)]


@rule
def can_hint(v):
    """Whether a hint is legal: with a token left there always is a card to name in another hand."""
    return v.hints > 0


@rule
def can_discard(v):
    return v.hints < MOST_HINTS or v.discard_at_8 != 0
