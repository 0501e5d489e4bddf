"""Why a card was named, and why the stakes were doubled or not."""

import math

from hiddenhand.games.snaps.cards import ACE, KING, OVER_KNAVE, SUITS, TEN, count
from hiddenhand.games.snaps.rule_agent import decide as d
from hiddenhand.games.snaps.rule_agent.naming import ALONE, WITH_PARTNER, best_suit, of_suit
from hiddenhand.games.snaps.rule_agent.words import fired, skipped, the
from hiddenhand.games.snaps.screen import SUIT_NAMES
from hiddenhand.games.snaps.state import KONTRA_ROUND


def naming_reasons(s, me, number, action, caution):
    hand = d.cards_seen(s, me)
    together, value = best_suit(hand, WITH_PARTNER)
    lone, alone = best_suit(hand, ALONE)
    with_partner = f"with a partner {holding(hand, together)} should be worth {value / 100:+.2f} stakes"
    by_himself = f"alone {holding(hand, lone)} should be worth {alone / 100:+.2f}"
    if number == d.NAME_OWN:
        return [fired(number, f"{by_himself}, {with_partner}; {the(action)} is my highest trump")]
    if of_suit(hand, lone) == 0:
        by_himself = f"I have seen no card of the suit that scores best alone ({SUIT_NAMES[lone]})"
    more = f", and {caution / 100:+.2f} more is asked for" if caution else ""
    highest = f"{the(action)} is the highest trump that I have not: whoever holds it is my partner"
    return [skipped(d.NAME_OWN, by_himself + more), fired(number, f"{with_partner}; {highest}")]


def holding(hand, trump):
    """ "hearts with 3 trumps (ace, king), 2 other aces and 1 marriage"."""
    trumps = of_suit(hand, trump)
    names = [
        name
        for rank, name in ((ACE, "ace"), (TEN, "ten"), (KING, "king"), (OVER_KNAVE, "over"))
        if trumps >> rank & 1
    ]
    text = f"{SUIT_NAMES[trump]} with {count(trumps)} trump{'s' if count(trumps) != 1 else ''}"
    text += f" ({', '.join(names)})" if names else ""
    others = [of_suit(hand, suit) for suit in range(SUITS) if suit != trump]
    aces = sum(cards >> ACE & 1 for cards in others)
    pairs = sum(cards >> OVER_KNAVE & 3 == 3 for cards in others)
    extra = [f"{aces} other ace{'s' if aces > 1 else ''}"] if aces else []
    extra += [f"{pairs} other marriage{'s' if pairs > 1 else ''}"] if pairs else []
    return text + "".join(f", {part}" for part in extra)


def doubling_reasons(s, me, number, actions, caution):
    if len(actions) == 1:
        side = "I hold the named card" if int(s.hands[me]) >> int(s.named) & 1 else "it is not for my side to double"
        return [fired(d.PASS_BY, f"{side}, so there is nothing else to say")]
    strength, enough = d.doubling_score(s, me)
    facts = f"my hand scores {strength:+d}, and from {enough + caution:+g} on I double"
    if s.phase == KONTRA_ROUND:
        facts = f"my side should win with {odds(strength):.0%}, and from {odds(enough + caution):.0%} on I double"
    if number == d.DOUBLE:
        return [fired(number, facts)]
    return [skipped(d.DOUBLE, facts), fired(number, "the hand is too weak to double")]


def odds(score):
    """The chance that a score in defence stands for: hundredths of log-odds."""
    return 1.0 / (1.0 + math.exp(-score / 100.0))
