"""Steps: the stack of things still to be done, and the questions among them.

A card that needs several decisions pushes steps; the topmost is done first. A step is work (START a card, let its
EFFECT happen, HIT one victim, ...) or a question to a seat. `turn`, `legal` and `play` know nothing of cards: they
ask the topmost question and hand over its answer.

An answer is an action: STOP (0) declines or ends a choice, 1 + card chooses that card; YES (1) agrees.
"""

import numpy as np

from hiddenhand.games.dominion.cards import ACTION, COST, FIRST, MINE, SILVER, TREASURE, VICTORY
from hiddenhand.games.dominion.zones import in_discard
from hiddenhand.kernel import rule

STOP = 0
NO, YES = 0, 1
CHOOSE = 1  # CHOOSE + card

# work
START, EFFECT, THREATEN, HIT, DRAW, DRAW_TO_SEVEN = range(6)
# questions answered by yes or no
REVEAL = 6  # show a Moat against the attack?
FLIP = 7  # Chancellor: put the deck into the discard pile?
LEND = 8  # Moneylender of the second edition: trash a Copper?
JUDGE = 9  # Spy: is the target's top card discarded?
SET_ASIDE = 10  # Library: set aside the Action just drawn (the step's card)?
PLAY_TOP = 11  # Vassal: play the Action just discarded (the step's card)?
# questions answered by a card in hand
DISCARD = 12  # the step's count of cards must go
DISCARD_ANY = 13  # Cellar: as many as liked; the count is how many so far
TRASH_ANY = 14  # Chapel: up to the count
PUT_BACK = 15  # Bureaucrat: a Victory card goes on the deck
REPLACE = 16  # Remodel, Mine: trash a card for a better one
DOUBLE = 17  # Throne Room: play an Action twice
PUT_ON_DECK = 18  # Artisan: a card goes on the deck
# questions answered by a card elsewhere
GAIN = 19  # a card of the supply that costs at most the count; with Mine a Treasure
RECALL = 20  # Harbinger: a card of the discard pile goes on the deck
STEAL = 21  # Thief: which of the two Treasures shown is trashed
KEEP = 22  # Thief: gain a trashed Treasure
SURRENDER = 23  # Bandit: which of the two Treasures shown is trashed
SENTRY_TRASH = 24  # of the count of topmost cards
SENTRY_DISCARD = 25
SENTRY_ORDER = 26  # which of the two lies on top

FIRST_QUESTION = REVEAL
YES_OR_NO = PLAY_TOP  # the last of them


@rule
def push(s, kind, card, seat, target, count):
    n = s.steps
    s.step_kinds[n] = kind
    s.step_cards[n] = card
    s.step_seats[n] = seat
    s.step_targets[n] = target
    s.step_counts[n] = count
    s.steps = n + 1


@rule
def may_stop(s, kind):
    """Whether the topmost question may be answered by STOP."""
    if kind in (DISCARD_ANY, TRASH_ANY, RECALL, KEEP):
        return True
    if kind in (SENTRY_TRASH, SENTRY_DISCARD):
        return True
    # the second edition says "you may" for Throne Room and Mine
    return s.edition != FIRST and (kind == DOUBLE or (kind == REPLACE and s.step_cards[s.steps - 1] == MINE))


@rule
def among_tops(s, seat, card, count):
    """Whether the card is one of so many topmost known cards of a deck."""
    n = s.top_sizes[seat]
    for i in range(max(n - count, 0), n):
        if s.own_tops[seat, i] == card:
            return True
    return False


@rule
def may_choose(s, kind, card):
    """Whether the topmost question may be answered by this card."""
    step = s.steps - 1
    seat = s.step_seats[step]
    count = s.step_counts[step]
    if kind == GAIN:
        return s.supply[card] > 0 and COST[card] <= count and (s.step_cards[step] != MINE or TREASURE[card])
    if kind == RECALL:
        return in_discard(s, seat, card) > 0
    if kind == KEEP:
        return TREASURE[card] and s.loot[card] > 0
    if kind == STEAL:
        return TREASURE[card] and among_tops(s, s.step_targets[step], card, count)
    if kind == SURRENDER:
        return TREASURE[card] and card >= SILVER and among_tops(s, seat, card, count)
    if kind in (SENTRY_TRASH, SENTRY_DISCARD, SENTRY_ORDER):
        return among_tops(s, seat, card, count)
    if s.hands[seat, card] == 0:
        return False
    if kind == PUT_BACK:
        return VICTORY[card]
    if kind == REPLACE:
        return s.step_cards[step] != MINE or TREASURE[card]
    if kind == DOUBLE:
        return ACTION[card]
    return True


@rule
def write_answers(s, out):
    """The legal answers to the topmost question, in ascending order; returns how many."""
    kind = s.step_kinds[s.steps - 1]
    if kind <= YES_OR_NO:
        out[0] = NO
        out[1] = YES
        return 2
    n = 0
    if may_stop(s, kind):
        out[n] = STOP
        n += 1
    for i in range(len(s.piles)):
        card = np.int64(s.piles[i])
        if may_choose(s, kind, card):
            out[n] = CHOOSE + card
            n += 1
    return n


@rule
def only_answer(s):
    """The answer to the topmost question if there is but one, STOP if there is none; -1 if it must be asked."""
    kind = s.step_kinds[s.steps - 1]
    if kind <= YES_OR_NO:
        return -1
    stop = may_stop(s, kind)
    answer = STOP
    for i in range(len(s.piles)):
        card = np.int64(s.piles[i])
        if may_choose(s, kind, card):
            if stop or answer != STOP:
                return -1
            answer = CHOOSE + card
    return answer
