"""Following written rules: the first line that applies. Compiled; `encoding` describes the record."""

from collections import namedtuple

import numpy as np

from hiddenhand.games.snaps.beliefs.exact import exact_chances, holders_from
from hiddenhand.games.snaps.beliefs.table import table_chances
from hiddenhand.games.snaps.cards import CARDS, NONE, RANKS, SEATS, VALUES, bit, count, suit_mask, suit_of
from hiddenhand.games.snaps.own_rules.encoding import END
from hiddenhand.games.snaps.own_rules.language import (
    ALONE_IF,
    ANNOUNCE,
    AT_LEAST,
    AT_MOST,
    ATTACK,
    ATTACKING,
    BEAT,
    CASH,
    CHEAPEST,
    CHOOSER,
    CLAIM,
    DEAREST,
    DOST_IF,
    ENOUGH_NOW,
    EQUAL,
    FOLLOWING,
    FRIEND,
    GIVE,
    HIGHEST,
    HOLDS,
    KONTRA_IF,
    LAST,
    LATER,
    LEADING,
    LEAST,
    LED_CARD,
    LESS,
    LOSING,
    LOWEST,
    NAMED_CARD,
    OURS,
    POINTS,
    PULL,
    QUIET,
    REACH,
    RULES,
    SHOW,
    SIDE,
    TAKE,
    TOP,
    TOPS,
    TRICK,
    TRUMP,
    TRUMP_CARD,
    TRUMPS,
    TRUST,
    UNEQUAL,
    UNSEEN,
    VALUE,
    WINNER,
    WINNING,
)
from hiddenhand.games.snaps.rule_agent.agents import enough_chance, friend_chance, ours_chance
from hiddenhand.games.snaps.rule_agent.decide import (
    ALONE,
    DEFENCE,
    WITH_PARTNER,
    answer,
    best_suit,
    card_to_name,
    cards_among,
    cards_seen,
    decide,
    score,
    sure_claim,
)
from hiddenhand.games.snaps.rule_agent.facts import (
    cheapest,
    dearest,
    facts_for,
    highest_left,
    points_on_table,
    surely_ours,
)
from hiddenhand.games.snaps.rule_agent.playing import (
    announce_marriage,
    attack_trumps,
    cash_winner,
    give_points,
    lead_quietly,
    lead_top,
    play_top,
    pull_trumps,
    reach_enough,
    show_partner,
    take_surely,
    taking_cards,
    trust,
)
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import CHOOSING, DOST, KONTRA_ROUND, MARRIAGE_AND_CLAIM, TRICKS, after
from hiddenhand.kernel import rule

# --- what a quantity amounts to -------------------------------------------------------------------


# facts     what a seat knows for certain
# chances   float64[4, 24]: how likely each seat holds each card
# holders   float64[4]: how likely each was dealt the named one
Known = namedtuple("Known", "facts chances holders")


@rule
def known_to(s, me, exact):
    chances = np.zeros((SEATS, CARDS))
    holders = np.zeros(SEATS)
    if exact != 0:
        exact_chances(s, me, chances)
    else:
        table_chances(s, me, chances)
    holders_from(s, chances, holders)
    return Known(facts_for(s, me), chances, holders)


@rule
def seat_meant(s, f, who):
    """The seat that a word means; NONE if nobody."""
    if who == CHOOSER:
        return np.int64(s.chooser)
    if who == WINNER:
        return np.int64(f.owner)
    seat = np.int64(f.me)
    for _ in range(who + 1):
        seat = after(s, seat)
    return seat


@rule
def card_meant(s, f, sort, detail, card):
    """The card that a word means; `card` is the one in question."""
    if sort == NAMED_CARD:
        return np.int64(s.named)
    if sort == TRUMP_CARD:
        return np.int64(f.trump * RANKS + detail)
    if sort == LED_CARD:
        suit = suit_of(card) if f.led == NONE else f.led
        return np.int64(suit * RANKS + detail)
    return np.int64(detail)


@rule
def amount(s, k, parameters, at, action):
    """The value of the quantity in comparison number `at`, for this action."""
    f, chances, holders = k.facts, k.chances, k.holders
    kind = parameters.kind[at]
    card = action % CARDS
    if kind == OURS:
        return ours_chance(s, f, chances, holders, card)
    if kind == ENOUGH_NOW:
        more = worth(s, card) if MARRIAGE_AND_CLAIM <= action < DOST else 0
        return enough_chance(s, f, holders, more)
    if kind == FRIEND:
        return 1.0 if f.owner == NONE else friend_chance(s, f, holders, f.owner)
    if kind == HOLDS:
        seat = seat_meant(s, f, parameters.who[at])
        if seat == NONE:
            return 0.0
        return chances[seat, card_meant(s, f, parameters.which[at], parameters.card[at], card)]
    return np.float64(counted(s, f, kind, card))


@rule
def counted(s, f, kind, card):
    """Quantities that are no chances."""
    if kind == VALUE:
        return VALUES[card]
    if kind == POINTS:
        return points_on_table(s)
    if kind == TRUMPS:
        return count(f.hand & suit_mask(f.trump))
    if kind == UNSEEN:
        return count(f.unseen & suit_mask(f.trump))
    if kind == TRICK:
        return (np.int64(s.plays) >> 2) + 1
    if kind == LATER:
        return f.later
    return 1 if flagged(f, kind) else 0


@rule
def flagged(f, kind):
    if kind == LEADING:
        return f.led == NONE
    if kind == FOLLOWING:
        return f.led != NONE
    if kind == LAST:
        return f.later == 0
    return f.attacks == (kind == ATTACKING)


@rule
def compares(left, comparison, right):
    """Whether a comparison holds; chances that should be equal differ in their last digits."""
    if comparison == LESS:
        return left < right - 1e-9
    if comparison == AT_MOST:
        return left <= right + 1e-9
    if comparison == EQUAL:
        return abs(left - right) <= 1e-9
    if comparison == UNEQUAL:
        return abs(left - right) > 1e-9
    if comparison == AT_LEAST:
        return left >= right - 1e-9
    return left > right + 1e-9


@rule
def holds(s, k, parameters, line, action):
    """Whether all conditions of a line hold for this action."""
    first = parameters.first_test[line]
    for at in range(first, first + parameters.tests[line]):
        left = amount(s, k, parameters, at, action)
        if not compares(left, parameters.comparison[at], parameters.number[at]):
            return False
    return True


# --- lines ----------------------------------------------------------------------------------------


@rule
def by_name(s, f, word, cards, actions, n):
    """What the rule of this name does; NONE if it does nothing here."""
    if word == CLAIM:
        return sure_claim(s, f, actions, n)
    if f.led == NONE:
        return lead_by_name(s, f, word)
    return follow_by_name(s, f, word, cards)


@rule
def lead_by_name(s, f, word):
    sure = surely_ours(s, f, f.hand)
    if word == PULL:
        return pull_trumps(s, f, sure)
    if word == ANNOUNCE:
        return announce_marriage(s, f, sure)
    if word == CASH:
        return cash_winner(s, f, sure)
    if word == SHOW:
        return show_partner(s, f)
    if word == ATTACK:
        return attack_trumps(s, f)
    if word == TOP:
        return lead_top(s, f)
    if word == QUIET:
        return lead_quietly(s, f)
    return np.int64(NONE)


@rule
def follow_by_name(s, f, word, cards):
    ours = surely_ours(s, f, cards)
    taking = taking_cards(f, cards)
    if word == REACH:
        return reach_enough(s, f, ours, taking)
    if word == GIVE:
        return give_points(f, ours, taking)
    if word == TAKE:
        return take_surely(f, ours)
    if word == BEAT:
        return play_top(f, taking)
    if word == TRUST:
        return trust(s, f, cards, taking)
    if word == LEAST:
        return np.int64(cheapest(f, cards))
    return np.int64(NONE)


@rule
def cards_wanted(f, cards, classes):
    """Those of the cards that belong to all these classes."""
    trumps = suit_mask(f.trump)
    if classes & TRUMP:
        cards &= trumps
    if classes & SIDE:
        cards &= ~trumps
    if classes & TOPS:
        cards &= highest_left(f, cards)
    if classes & (WINNING | LOSING):
        taking = cards if f.led == NONE else taking_cards(f, cards)
        if classes & WINNING:
            cards &= taking
        if classes & LOSING:
            cards &= ~taking
    return cards


@rule
def chosen_card(f, word, cards):
    """The card that a line picks of these; NONE of none."""
    if word == DEAREST:
        return np.int64(dearest(cards))
    if word == CHEAPEST:
        return np.int64(cheapest(f, cards))
    if word == HIGHEST:
        return highest_rank(cards)
    return lowest_rank(cards)


@rule
def highest_rank(cards):
    best = np.int64(NONE)
    for card in range(CARDS):
        if cards >> card & 1 and (best == NONE or card % RANKS > best % RANKS):
            best = np.int64(card)
    return best


@rule
def lowest_rank(cards):
    best = np.int64(NONE)
    for card in range(CARDS):
        if cards >> card & 1 and (best == NONE or card % RANKS < best % RANKS):
            best = np.int64(card)
    return best


@rule
def claim_that_holds(s, k, parameters, line, actions):
    """The first claim for which all conditions of a line hold."""
    for i in range(len(actions)):
        action = np.int64(actions[i])
        if MARRIAGE_AND_CLAIM <= action <= DOST and holds(s, k, parameters, line, action):
            return action
    return np.int64(NONE)


@rule
def action_of_line(s, k, parameters, line, actions):
    """What a line does in the tricks; NONE if it does not apply."""
    f, n = k.facts, len(actions)
    word = parameters.word[line]
    if word == DOST_IF:
        return claim_that_holds(s, k, parameters, line, actions)
    cards = cards_among(actions, n)
    if DEAREST <= word <= LOWEST:
        wanted = cards_wanted(f, cards, parameters.cards[line])
        found = np.int64(0)
        for card in range(CARDS):
            if wanted >> card & 1 and holds(s, k, parameters, line, np.int64(card)):
                found |= bit(card)
        return chosen_card(f, word, found)
    action = np.int64(NONE)
    if word == RULES:
        action, _ = decide(s, f.me, actions, n)
    elif word < DEAREST:
        action = by_name(s, f, word, cards, actions, n)
    if action != NONE and not holds(s, k, parameters, line, action):
        action = np.int64(NONE)
    return action


@rule
def line_in_tricks(s, me, actions, n, parameters):
    """(the action, the line that gave it, or END if none did)."""
    k = known_to(s, me, parameters.exact)
    line = 0
    while parameters.word[line] != END:
        action = action_of_line(s, k, parameters, line, actions)
        if action != NONE:
            return action, np.int64(line)
        line += 1
    action, _ = decide(s, me, actions, n)
    return action, np.int64(END)


# --- before the tricks ----------------------------------------------------------------------------


@rule
def win_chance(hand, trump):
    """How likely an opponent of the chooser wins with this hand."""
    return 1.0 / (1.0 + np.exp(-score(hand, trump, DEFENCE) / 100.0))


@rule
def gain_alone(hand):
    """By how many stakes it is better to play alone."""
    _, alone = best_suit(hand, ALONE)
    _, together = best_suit(hand, WITH_PARTNER)
    return (alone - together) / 100.0


@rule
def said_line(parameters, word, value):
    """The first line of this word whose comparisons all hold; END if none. There: whether there is any such line."""
    line = 0
    there = False
    while parameters.word[line] != END:
        if parameters.word[line] == word:
            there = True
            fits = True
            first = parameters.first_test[line]
            for at in range(first, first + parameters.tests[line]):
                fits &= compares(value, parameters.comparison[at], parameters.number[at])
            if fits:
                return np.int64(line), there
        line += 1
    return np.int64(END), there


NEVER = 1.0e6  # a caution that no hand overcomes


@rule
def line_before_tricks(s, me, actions, n, parameters):
    """(the action, the line that gave it, or END if none did)."""
    if s.phase == CHOOSING:
        hand = cards_seen(s, me)
        line, there = said_line(parameters, ALONE_IF, gain_alone(hand))
        if not there:
            return np.int64(card_to_name(hand, 0.0)), np.int64(END)
        return np.int64(card_to_name(hand, -NEVER if line != END else NEVER)), line
    if s.phase == KONTRA_ROUND and n > 1:
        line, there = said_line(parameters, KONTRA_IF, win_chance(np.int64(s.hands[me]), suit_of(s.named)))
        if there:
            return np.int64(actions[1 if line != END else 0]), line
    action, _ = answer(s, me, actions, n, 0)
    return action, np.int64(END)


@rule
def decide_by_lines(s, me, actions, n, parameters):
    """(the action, the line that gave it, or END if `rules` did)."""
    if s.phase == TRICKS:
        return line_in_tricks(s, me, actions, n, parameters)
    return line_before_tricks(s, me, actions, n, parameters)
