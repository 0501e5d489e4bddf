"""Why a rule agent did what it did: the rule that fired, the facts behind it, and why the earlier ones did not fire.

Every sentence is made from the same compiled functions that decided.
"""

import math

import numpy as np

import hiddenhand.games.snaps.rule_agent.decide as d
from hiddenhand.core.text import Seat, Text
from hiddenhand.games.snaps.cards import (
    ACE,
    CARDS,
    KING,
    NONE,
    OVER_KNAVE,
    RANKS,
    SUITS,
    TEN,
    VALUES,
    Array,
    count,
    of_suit,
    suit_mask,
)
from hiddenhand.games.snaps.rule_agent.decide import ALONE, PROBABLE_CLAIM, PROBABLE_GIFT, WITH_PARTNER, best_suit
from hiddenhand.games.snaps.rule_agent.facts import (
    Facts,
    certain_points,
    certain_points_with_trick,
    dearest,
    facts_for,
    may_beat,
    plays_alone_for_certain,
    points_on_table,
    surely_ours,
)
from hiddenhand.games.snaps.rule_agent.playing import LAST_TWO, taking_cards
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.state import CHOOSING, DOST, ENOUGH, KONTRA_ROUND, TRICKS, after
from hiddenhand.games.snaps.texts import RANK_NAMES, SUIT_NAMES, card_name, cards_of

LEADS = (d.SURE_CLAIM, d.PULL, d.ANNOUNCE, d.CASH, d.SHOW, d.ATTACK, d.TOP, d.QUIET)
FOLLOWS = (d.SURE_CLAIM, d.ONLY, d.REACH, d.GIVE, d.TAKE, d.PLAY_TOP, d.TRUST, d.LEAST)
TITLES = {
    d.NAME_OWN: Text("play alone"),
    d.NAME_MISSING: Text("name the highest trump that I have not"),
    d.DOUBLE: Text("double on a strong hand"),
    d.PASS_BY: Text("pass"),
    d.SURE_CLAIM: Text("claim what is certain"),
    d.PULL: Text("alone, pull trumps"),
    d.ANNOUNCE: Text("announce a marriage"),
    d.CASH: Text("cash a sure winner"),
    d.SHOW: Text("find the partner with a low trump"),
    d.ATTACK: Text("draw the chooser's trumps"),
    d.TOP: Text("lead the highest card left"),
    d.QUIET: Text("lead what costs least"),
    d.ONLY: Text("play the only card allowed"),
    d.REACH: Text("take the trick that makes 66"),
    d.GIVE: Text("give points to a partner's trick"),
    d.TAKE: Text("take a trick that nobody can win back"),
    d.PLAY_TOP: Text("play the highest card left"),
    d.TRUST: Text("trust a seat that may be a partner"),
    d.LEAST: Text("give as little as possible"),
    PROBABLE_CLAIM: Text("claim what is likely"),
    PROBABLE_GIFT: Text("give points to a trick that is likely ours"),
}


def the(card: int) -> str:
    return Text("the {card}", card=card_name(int(card)))


def fired(number: int, facts: str) -> str:
    return Text("Rule {n}, {title}: {facts}.", n=number, title=TITLES[number], facts=facts)


def skipped(number: int, facts: str) -> str:
    return Text("Not rule {n} ({title}): {facts}.", n=number, title=TITLES[number], facts=facts)


# --- why a card was named, and why the stakes were doubled or not ---------------------------------


def naming_reasons(s: np.record, me: int, number: int, action: int, caution: float) -> list[str]:
    hand = d.cards_seen(s, me)
    together, value = best_suit(hand, WITH_PARTNER)
    lone, alone = best_suit(hand, ALONE)
    with_partner = Text(
        "with a partner {what} should be worth {value:+.2f} stakes", what=holding(hand, together), value=value / 100
    )
    by_himself = Text("alone {what} should be worth {value:+.2f}", what=holding(hand, lone), value=alone / 100)
    if number == d.NAME_OWN:
        facts = Text(
            "{alone}, {partner}; {card} is my highest trump",
            alone=by_himself,
            partner=with_partner,
            card=the(action),
        )
        return [fired(number, facts)]
    if of_suit(hand, lone) == 0:
        by_himself = Text("I have seen no card of the suit that scores best alone ({suit})", suit=SUIT_NAMES[lone])
    if caution:
        by_himself = Text("{alone}, and {value:+.2f} more is asked for", alone=by_himself, value=caution / 100)
    highest = Text(
        "{partner}; {card} is the highest trump that I have not: whoever holds it is my partner",
        partner=with_partner,
        card=the(action),
    )
    return [skipped(d.NAME_OWN, by_himself), fired(number, highest)]


def holding(hand: int, trump: int) -> str:
    """ "hearts with 3 trumps (ace, king), 2 other aces and 1 marriage"."""
    trumps = of_suit(hand, trump)
    names = [
        name
        for rank, name in ((rank, RANK_NAMES[rank]) for rank in (ACE, TEN, KING, OVER_KNAVE))
        if trumps >> rank & 1
    ]
    text = Text.plural(
        "{suit} with {n} trump", "{suit} with {n} trumps", n=int(count(trumps)), suit=SUIT_NAMES[trump]
    )
    if names:
        text = Text("{trumps} ({names})", trumps=text, names=Text.joined(", ", names))
    others = [of_suit(hand, suit) for suit in range(SUITS) if suit != trump]
    aces = sum(cards >> ACE & 1 for cards in others)
    pairs = sum(cards >> OVER_KNAVE & 3 == 3 for cards in others)
    parts = [text]
    if aces:
        parts.append(Text.plural("{n} other ace", "{n} other aces", n=aces))
    if pairs:
        parts.append(Text.plural("{n} other marriage", "{n} other marriages", n=pairs))
    return Text.joined(", ", parts)


def doubling_reasons(s: np.record, me: int, number: int, actions: Array, caution: float) -> list[str]:
    if len(actions) == 1:
        mine = int(s.hands[me]) >> int(s.named) & 1
        side = Text("I hold the named card") if mine else Text("it is not for my side to double")
        return [fired(d.PASS_BY, Text("{why}, so there is nothing else to say", why=side))]
    strength, enough = d.doubling_score(s, me)
    facts = Text("my hand scores {a:+d}, and from {b:+g} on I double", a=strength, b=enough + caution)
    if s.phase == KONTRA_ROUND:
        facts = Text(
            "my side should win with {a:.0%}, and from {b:.0%} on I double",
            a=odds(strength),
            b=odds(enough + caution),
        )
    if number == d.DOUBLE:
        return [fired(number, facts)]
    return [skipped(d.DOUBLE, facts), fired(number, Text("the hand is too weak to double"))]


def odds(score: float) -> float:
    """The chance that a score in defence stands for: hundredths of log-odds."""
    return 1.0 / (1.0 + math.exp(-score / 100.0))


# --- who could spoil a trick ----------------------------------------------------------------------


def threat(s: np.record, f: Facts, card: int) -> tuple[int, int] | None:
    """(seat, card) that may beat this card later in the trick and is not surely a friend's; None if there is none."""
    led = card // RANKS if f.led == NONE else int(f.led)
    seat = f.me
    for _ in range(f.later):
        seat = int(after(s, seat))
        if not f.friends >> seat & 1 and may_beat(f, seat, led, card):
            could = int(f.could[seat]) & ~int(f.harmless)
            higher = [c for c in cards_of(could & int(suit_mask(card // RANKS))) if c > card]
            trumps = cards_of(could & int(suit_mask(f.trump)))
            return seat, higher[0] if higher else trumps[0]
    return None


def threat_text(s: np.record, f: Facts, cards: list[int]) -> str:
    """Why the best of these cards may lose the trick."""
    for card in sorted(cards, key=lambda c: -VALUES[c]):
        found = threat(s, f, card)
        if found:
            return Text(
                "{card} may be beaten by {who} with {other}", card=the(card), who=Seat(found[0]), other=the(found[1])
            )
    return Text("none of my cards would win it")


# --- why a rule of a leader applied or did not ----------------------------------------------------


def lead_not(number: int, s: np.record, f: Facts, sure: int) -> str:
    """Why a rule of a leader does not apply."""
    trumps = int(suit_mask(f.trump))
    side = cards_of(int(f.hand) & ~trumps)
    if number == d.PULL:
        return pull_not(s, f, sure)
    if number == d.ANNOUNCE:
        return Text("there is no marriage in my hand")
    if number == d.CASH:
        return threat_text(s, f, side) if side else Text("I hold nothing but trumps")
    if number == d.SHOW:
        if f.me != s.chooser or s.plays > 0:
            return Text("this is not the chooser's first lead")
        return Text("I have no nine or under of trumps that can be beaten")
    if number == d.ATTACK:
        return attack_not(s, f)
    return Text("of no other suit do I hold the highest card left while others have two cards of it")


def pull_not(s: np.record, f: Facts, sure: int) -> str:
    trumps = int(suit_mask(f.trump))
    if not plays_alone_for_certain(s, f):
        return Text("I do not play alone")
    if not int(f.unseen) & trumps:
        return Text("nobody else has a trump")
    if not sure & trumps:
        return Text("none of my trumps is sure to win") if int(f.hand) & trumps else Text("I have no trump")
    return Text("a marriage that surely wins comes first")


def attack_not(s: np.record, f: Facts) -> str:
    if f.attacks:
        return Text("I am on the chooser's side")
    if s.plays >= LAST_TWO:
        return Text("with two cards left a trump is kept for the last trick")
    return Text("I have no trump that can be beaten")


def lead_because(number: int, s: np.record, f: Facts, action: int) -> str:
    """The facts behind the rule that led."""
    card = action % CARDS
    if number == d.PULL:
        trumps = int(count(f.unseen & suit_mask(f.trump)))
        return Text("nobody can beat {card}, and {n} trumps are in other hands", card=the(card), n=trumps)
    if number == d.ANNOUNCE:
        which = (
            Text("the trick is surely ours, so I lead the king")
            if card % RANKS == KING
            else Text("the over costs less")
        )
        return Text(
            "king and over of {suit} are worth {points}; {which}",
            suit=SUIT_NAMES[card // RANKS],
            points=worth(s, card),
            which=which,
        )
    if number == d.CASH:
        return Text("nobody who may be against us can beat {card}", card=the(card))
    if number == d.SHOW:
        return Text("{card} draws trumps, and the named card is my partner's", card=the(card))
    if number == d.ATTACK:
        return Text("{card} must be beaten by whoever can, and high trumps fall", card=the(card))
    if number == d.TOP:
        unseen = int(count(f.unseen & suit_mask(card // RANKS)))
        return Text(
            "no higher card is left above {card}, and {n} cards of its suit are in other hands",
            card=the(card),
            n=unseen,
        )
    return Text("{card} costs least to part with", card=the(card))


# --- why a rule of a follower applied or did not --------------------------------------------------


def follow_not(number: int, s: np.record, f: Facts, cards: int, ours: int, taking: int) -> str:
    """Why a rule of a follower does not apply."""
    mine = cards_of(cards)
    if number == d.ONLY:
        return Text("{n} cards are allowed", n=len(mine))
    if number == d.REACH:
        card = dearest(ours & taking)
        if card == NONE:
            return Text("I cannot surely take the trick")
        total = certain_points_with_trick(s, f, points_on_table(s) + VALUES[card])
        return Text("with this trick we should have only {n} points for certain", n=total)
    if number == d.GIVE:
        return give_not(s, f, cards, taking)
    if number == d.TAKE:
        return threat_text(s, f, cards_of(taking)) if taking else Text("none of my cards would win it")
    if number == d.PLAY_TOP:
        return Text("I have no card that is the highest left of the suit led and wins so far")
    return trust_not(f, taking)


def give_not(s: np.record, f: Facts, cards: int, taking: int) -> str:
    if taking == cards:
        return Text("every card that I may play beats the others")
    if not f.friends >> f.owner & 1:
        return Text(
            "{who}, who wins so far, is an opponent"
            if f.foes >> f.owner & 1
            else "{who}, who wins so far, may be an opponent",
            who=Seat(f.owner),
        )
    return threat_text(s, f, [int(f.best)])


def trust_not(f: Facts, taking: int) -> str:
    if f.attacks:
        return Text("I am on the chooser's side")
    if f.later:
        return Text("others play after me")
    return Text("I take the trick myself") if taking else Text("{who}, who wins, is an opponent", who=Seat(f.owner))


def follow_because(number: int, s: np.record, f: Facts, action: int) -> str:
    """The facts behind the rule that followed."""
    if number == d.ONLY:
        return Text("{card} is the only card that I may play", card=the(action))
    if number == d.REACH:
        total = certain_points_with_trick(s, f, points_on_table(s) + VALUES[action])
        return Text("nobody can win the trick back, and with it we have at least {n} points", n=total)
    if number == d.GIVE:
        return Text(
            "{who} is my partner and nobody can win the trick back; {card} adds {n}",
            who=Seat(f.owner),
            card=the(action),
            n=VALUES[action],
        )
    if number == d.TAKE:
        return Text("{card} wins, and nobody can win the trick back", card=the(action))
    if number == d.PLAY_TOP:
        return Text("no higher card is left above {card}", card=the(action))
    if number == d.TRUST:
        return Text(
            "{who} wins the trick and need not be an opponent; {card} adds {n}",
            who=Seat(f.owner),
            card=the(action),
            n=VALUES[action],
        )
    return Text("the trick is not surely ours, and {card} costs least to part with", card=the(action))


# --- any decision ---------------------------------------------------------------------------------


def play_reasons(s: np.record, me: int, actions: Array, number: int, action: int) -> list[str]:
    """The rules up to the one that fired, for a decision in the tricks."""
    f = facts_for(s, me)
    if number == d.SURE_CLAIM:
        bonus = worth(s, action % CARDS) if action < DOST else 0
        return [
            fired(number, Text("whoever is the partner, we have at least {n} points", n=certain_points(s, f, bonus)))
        ]
    sentences = [claim_not(s, f)] if s.auto_claim == 0 else []
    if f.led == NONE:
        return sentences + lead_reasons(s, f, number, action)
    return sentences + follow_reasons(s, f, d.cards_among(actions, len(actions)), number, action)


def lead_reasons(s: np.record, f: Facts, number: int, action: int) -> list[str]:
    sure = int(surely_ours(s, f, f.hand))
    sentences = [skipped(earlier, lead_not(earlier, s, f, sure)) for earlier in before(LEADS, number)]
    return [*sentences, fired(number, lead_because(number, s, f, action))] if number in LEADS else sentences


def follow_reasons(s: np.record, f: Facts, cards: int, number: int, action: int) -> list[str]:
    ours, taking = int(surely_ours(s, f, cards)), int(taking_cards(f, cards))
    sentences = [
        skipped(earlier, follow_not(earlier, s, f, cards, ours, taking)) for earlier in before(FOLLOWS, number)
    ]
    return [*sentences, fired(number, follow_because(number, s, f, action))] if number in FOLLOWS else sentences


def before(order: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The rules that were tried in vain, the claim left out; for a rule of chance, those of certainty before it."""
    last = {PROBABLE_CLAIM: order[1], PROBABLE_GIFT: d.TAKE}.get(number, number)
    return order[1 : order.index(last)]


def claim_not(s: np.record, f: Facts) -> str:
    return skipped(
        d.SURE_CLAIM,
        Text("for certain we have only {n} points of {enough}", n=certain_points(s, f, 0), enough=ENOUGH),
    )


def reasons_for(
    s: np.record,
    me: int,
    actions: Array,
    number: int,
    action: int,
    name_caution: float = 0,
    double_caution: float = 0,
) -> list[str]:
    """Sentences for any decision."""
    if s.phase == CHOOSING:
        return naming_reasons(s, me, number, action, name_caution)
    if s.phase != TRICKS:
        return doubling_reasons(s, me, number, actions, double_caution)
    return play_reasons(s, me, actions, number, action)
