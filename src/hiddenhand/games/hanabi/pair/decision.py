"""How `pair` decides: it reads the log, looks at its own cards and goes through its rules in order."""

import numpy as np

from hiddenhand.games.hanabi.deduction import count_unseen
from hiddenhand.games.hanabi.pair.memory import (
    MEMORY,
    name,
    number_of,
    pace_of,
    restart,
    set_kinds,
    settle,
    sure,
    take_away,
)
from hiddenhand.games.hanabi.pair.message import after, hear, risk_of, say
from hiddenhand.games.hanabi.pair.tree import PLAYABLE, USELESS, chance, only_one, set_layers
from hiddenhand.games.hanabi.rules import CARDS, DISCARD, HINT, NONE, RANKS, SLOTS
from hiddenhand.kernel import allocate, rule

# The rules, in the order in which they are tried.
PLAY, WAIT, LIKELY_PLAY, LAST_HINT, LAST_PLAY, HELP, TELL, THROW_AWAY, NOTHING_TRUE = range(1, 10)

LIKELY = np.array([2.0, 2.0, 0.8, 0.7])  # how likely a card must be playable to be played, by lives
SPARE_TOKENS = 2  # from so many on, a hint is better than a discard, whatever it says
GOOD_ENOUGH = 0.1  # no better hint is looked for if a discard is no riskier
NO_PLAY, FIRST_PLAY = 1, 2  # the player hinted has no sure play yet; it gets one


@rule
def fingerprint(digest, action, card):
    return (digest * 1000003 + (action + 1) * 31 + card + 2) & 0x3FFFFFFFFFF  # 42 bits: the next product fits 64


@rule
def read_log(v, memory):
    """Bring the memory up to the present. If the log is not the one that was read before, start again."""
    digest = 0
    for move in range(min(memory.read, np.int64(v.moves_made))):
        digest = fingerprint(digest, np.int64(v.log_action[move]), np.int64(v.log_card[move]))
    if memory.read <= 0 or memory.read > v.moves_made or digest != memory.digest:
        restart(v, memory)
    for move in range(memory.read, np.int64(v.moves_made)):
        read_move(v, memory, move)


@rule
def read_move(v, memory, move):
    actor, action = np.int64(v.log_actor[move]), np.int64(v.log_action[move])
    card, touched = np.int64(v.log_card[move]), np.int64(v.log_touched[move])
    hear(v, memory, actor, np.int64(v.log_hints[move]), action, touched, move)
    if action >= HINT:
        name(memory, (action - HINT) // 10, (action - HINT) % 10, touched)
    else:
        if action < DISCARD and v.log_success[move] != 0:
            memory.piles[card // RANKS] += 1
        else:
            memory.discarded[card] += 1
        take_away(v, memory, actor, action % SLOTS)
    settle(memory)
    memory.read = move + 1
    memory.digest = fingerprint(memory.digest, action, card)


@rule
def own_cards(v, me, memory, cards, layers):
    """Write what my cards can be by all that I know: what everybody knows, less what I see in the other hands."""
    counts = np.zeros(CARDS, np.int64)
    count_unseen(v, me, me, counts)
    none_left = 0
    for card in range(CARDS):
        if counts[card] <= 0:
            none_left |= 1 << card
    for slot in range(SLOTS):
        cards[slot] = memory.can_be[me, slot]
    changed = True
    while changed:
        changed = False
        for slot in range(SLOTS):
            if only_one(cards[slot]):
                continue
            gone = cards[slot] & (none_left | accounted_for(cards, slot, counts))
            if gone != 0:
                cards[slot] &= ~gone
                changed = cards[slot] != 0
                if cards[slot] == 0:  # something said was not true: believe the hints alone
                    cards[slot] = memory.hinted[me, slot]
    for slot in range(SLOTS):
        if cards[slot] != 0 and only_one(cards[slot]):
            counts[number_of(cards[slot])] -= 1
    set_layers(counts, layers)


@rule
def accounted_for(cards, slot, counts):
    """The cards all unseen copies of which are known to be in other slots of the hand."""
    gone = 0
    for other in range(SLOTS):
        if other != slot and cards[other] != 0 and only_one(cards[other]):
            left = counts[number_of(cards[other])]
            for another in range(SLOTS):
                if another != slot and cards[another] == cards[other]:
                    left -= 1
            if left <= 0:
                gone |= cards[other]
    return gone


@rule
def sure_play(memory, me, cards, playable):
    """A card that is surely playable: one of which everybody knows it first, then the lowest rank; or NONE."""
    best, found = -1, NONE
    for slot in range(SLOTS):
        if cards[slot] != 0 and cards[slot] & ~playable == 0:
            lowest = 0
            while (cards[slot] >> lowest) & 1 == 0:
                lowest += 1
            value = RANKS - lowest % RANKS
            if memory.can_be[me, slot] & ~playable == 0:
                value += RANKS
            if value > best:
                best, found = value, slot
    return found


@rule
def likeliest_play(cards, playable, layers):
    """The card with the best chance to be playable (NONE if all have none), and that chance."""
    best, found = 0.0, NONE
    for slot in range(SLOTS):
        yes = chance(cards[slot], playable, layers)
        if yes > best:
            best, found = yes, slot
    return found, best


# ---- the last cards of the deck, two players


@rule
def after_playing(playable, card):
    """The playable cards after one of them was played."""
    following = 0 if card % RANKS == RANKS - 1 else 2 << card
    return playable & ~(1 << card) | following


@rule
def best_two(first, second, playable):
    """How many cards two players with these cards can play in a turn each."""
    best = 1 if second & playable else 0
    for card in range(CARDS):
        if (first & playable) >> card & 1:
            best = max(best, 2 if second & after_playing(playable, card) else 1)
    return best


@rule
def best_three(first, second, playable):
    """How many cards two players with these cards can play in three turns."""
    best = best_two(second, first, playable)
    for card in range(CARDS):
        if (first & playable) >> card & 1:
            best = max(best, 1 + best_two(second, first & ~(1 << card), after_playing(playable, card)))
    return best


@rule
def final_play(v, memory, me, cards, playable):
    """The sure play after which most can be played to the end; and whether more could be if the other drew last."""
    other = (me + 1) % np.int64(v.players)
    mine, theirs = 0, 0
    for slot in range(SLOTS):
        if only_one(cards[slot]):
            mine |= cards[slot]
        if v.hands[other, slot] != NONE:
            theirs |= 1 << np.int64(v.hands[other, slot])
    best, found = -1, NONE
    for slot in range(SLOTS):
        if cards[slot] != 0 and cards[slot] & ~playable == 0:
            later = playable & ~cards[slot]
            if only_one(cards[slot]):
                later = after_playing(playable, number_of(cards[slot]))
            value = 1
            if memory.deck == 1:
                value += best_two(theirs, mine & ~cards[slot], later)
            elif v.turns_left > 1 and theirs & later:
                value += 1
            if value > best:
                best, found = value, slot
    return found, memory.deck == 1 and best_three(theirs, mine, playable) > best


# ---- hints, discards, and the decision


@rule
def is_legal(action, actions):
    for i in range(len(actions)):
        if actions[i] == action:
            return True
    return False


@rule
def best_hint(v, memory, me, actions, playable):
    """A hint (or a discard that stands among them), to the player for whom it does most; and what it does."""
    found, most = NONE, -1
    later = allocate(MEMORY, 1)
    leaf = np.zeros(SLOTS, np.int64)
    players = np.int64(v.players)
    for step in range(1, players):
        if v.hints == 0 or (v.turns_left >= 0 and step >= v.turns_left):
            break
        other = (me + step) % players
        action = say(v, memory, me, HINT + 10 * other, leaf)
        if action == NONE or not is_legal(action, actions):
            continue
        use = 0
        if sure(memory, other, playable) == 0:
            after(v, memory, other, action, leaf, later[0])
            use = FIRST_PLAY if sure(later[0], other, playable) > 0 else NO_PLAY
        if use > most:
            found, most = action, use
    return found, most


@rule
def best_discard(v, memory, me, actions, cards, kinds, layers):
    """The slot that is least risky to discard, among those by which I say nothing untrue; NONE if there is none."""
    found, least = NONE, 9.0
    leaf = np.zeros(SLOTS, np.int64)
    for slot in range(SLOTS):
        if cards[slot] != 0 and is_legal(DISCARD + slot, actions):
            risk = risk_of(cards[slot], kinds, layers)
            if risk < least and say(v, memory, me, DISCARD + slot, leaf) == DISCARD + slot:
                found, least = slot, risk
    return found, least


@rule
def is_time_to_hint(v, memory, risk, useless):
    """Whether a hint that makes nobody play is better than a discard of this risk."""
    careful = v.hints >= SPARE_TOKENS or v.turns_left >= 0 or memory.deck == 1 or risk > GOOD_ENOUGH
    return careful or pace_of(v, memory, useless) <= 1


@rule
def choose(v, me, actions, memory):
    """The action, and the rule that gave it."""
    read_log(v, memory)
    kinds = np.zeros(3, np.int64)
    layers = np.zeros(3, np.int64)
    cards = np.zeros(SLOTS, np.int64)
    leaf = np.zeros(SLOTS, np.int64)
    set_kinds(memory, kinds)
    own_cards(v, me, memory, cards, layers)
    playable = kinds[PLAYABLE]
    slot, wait = sure_play(memory, me, cards, playable), False
    if slot != NONE and memory.deck <= 1 and v.players == 2:
        slot, wait = final_play(v, memory, me, cards, playable)
    if slot != NONE and not (wait and v.hints > 0):
        return say(v, memory, me, slot, leaf), PLAY
    hint, use = best_hint(v, memory, me, actions, playable)
    if slot != NONE:
        return (hint, WAIT) if hint != NONE else (say(v, memory, me, slot, leaf), PLAY)
    slot, likely = likeliest_play(cards, playable, layers)
    if likely >= LIKELY[v.lives]:
        return slot, LIKELY_PLAY
    if v.turns_left >= 0:
        if use == FIRST_PLAY:
            return hint, LAST_HINT
        if slot != NONE and (v.lives > 1 or v.bomb_zero == 0):
            return slot, LAST_PLAY
    thrown, risk = best_discard(v, memory, me, actions, cards, kinds, layers)
    if hint != NONE and (use == FIRST_PLAY or hint < HINT):
        return hint, HELP
    if hint != NONE and (thrown == NONE or is_time_to_hint(v, memory, risk, kinds[USELESS])):
        return hint, TELL
    if thrown != NONE:
        return DISCARD + thrown, THROW_AWAY
    if slot != NONE:
        return slot, NOTHING_TRUE
    return actions[len(actions) - 1], NOTHING_TRUE
