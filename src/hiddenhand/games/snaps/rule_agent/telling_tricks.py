"""Why a rule of a leader or of a follower fired, and why one did not: the facts of the position."""

from hiddenhand.games.snaps.cards import CARDS, KING, NONE, RANKS, VALUES, count, suit_mask
from hiddenhand.games.snaps.rule_agent import decide as d
from hiddenhand.games.snaps.rule_agent.facts import (
    certain_points_with_trick,
    may_beat,
    plays_alone_for_certain,
    points_on_table,
)
from hiddenhand.games.snaps.rule_agent.leading import LAST_TWO
from hiddenhand.games.snaps.rule_agent.picking import dearest
from hiddenhand.games.snaps.rule_agent.words import the
from hiddenhand.games.snaps.rules import worth
from hiddenhand.games.snaps.screen import SUIT_NAMES, cards_of
from hiddenhand.games.snaps.sides import after

# ---- who could spoil a trick


def threat(s, f, card):
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


def threat_text(s, f, cards):
    """Why the best of these cards may lose the trick."""
    for card in sorted(cards, key=lambda c: -VALUES[c]):
        found = threat(s, f, card)
        if found:
            return f"{the(card)} may be beaten by seat {found[0]} with {the(found[1])}"
    return "none of my cards would win it"


# ---- leads


def lead_not(number, s, f, sure):
    """Why a rule of a leader does not apply."""
    trumps = int(suit_mask(f.trump))
    side = cards_of(int(f.hand) & ~trumps)
    if number == d.PULL:
        return pull_not(s, f, sure)
    if number == d.ANNOUNCE:
        return "there is no marriage in my hand"
    if number == d.CASH:
        return threat_text(s, f, side) if side else "I hold nothing but trumps"
    if number == d.SHOW:
        if f.me != s.chooser or s.plays > 0:
            return "this is not the chooser's first lead"
        return "I have no nine or under of trumps that can be beaten"
    if number == d.ATTACK:
        return attack_not(s, f)
    return "of no other suit do I hold the highest card left while others have two cards of it"


def pull_not(s, f, sure):
    trumps = int(suit_mask(f.trump))
    if not plays_alone_for_certain(s, f):
        return "I do not play alone"
    if not int(f.unseen) & trumps:
        return "nobody else has a trump"
    if not sure & trumps:
        return "none of my trumps is sure to win" if int(f.hand) & trumps else "I have no trump"
    return "a marriage that surely wins comes first"


def attack_not(s, f):
    if f.attacks:
        return "I am on the chooser's side"
    if s.plays >= LAST_TWO:
        return "with two cards left a trump is kept for the last trick"
    return "I have no trump that can be beaten"


def lead_because(number, s, f, action):
    """The facts behind the rule that led."""
    card = action % CARDS
    if number == d.PULL:
        return f"nobody can beat {the(card)}, and {count(f.unseen & suit_mask(f.trump))} trumps are in other hands"
    if number == d.ANNOUNCE:
        which = "the trick is surely ours, so I lead the king" if card % RANKS == KING else "the over costs less"
        return f"king and over of {SUIT_NAMES[card // RANKS]} are worth {worth(s, card)}; {which}"
    if number == d.CASH:
        return f"nobody who may be against us can beat {the(card)}"
    if number == d.SHOW:
        return f"{the(card)} draws trumps, and the named card is my partner's"
    if number == d.ATTACK:
        return f"{the(card)} must be beaten by whoever can, and high trumps fall"
    if number == d.TOP:
        unseen = count(f.unseen & suit_mask(card // RANKS))
        return f"no higher card is left above {the(card)}, and {unseen} cards of its suit are in other hands"
    return f"{the(card)} costs least to part with"


# ---- follows


def follow_not(number, s, f, cards, ours, taking):
    """Why a rule of a follower does not apply."""
    mine = cards_of(cards)
    if number == d.ONLY:
        return f"{len(mine)} cards are allowed"
    if number == d.REACH:
        card = dearest(ours & taking)
        if card == NONE:
            return "I cannot surely take the trick"
        total = certain_points_with_trick(s, f, points_on_table(s) + VALUES[card])
        return f"with this trick we should have only {total} points for certain"
    if number == d.GIVE:
        return give_not(s, f, cards, taking)
    if number == d.TAKE:
        return threat_text(s, f, cards_of(taking)) if taking else "none of my cards would win it"
    if number == d.PLAY_TOP:
        return "I have no card that is the highest left of the suit led and wins so far"
    return trust_not(f, taking)


def give_not(s, f, cards, taking):
    if taking == cards:
        return "every card that I may play beats the others"
    if not f.friends >> f.owner & 1:
        against = "is" if f.foes >> f.owner & 1 else "may be"
        return f"seat {f.owner}, who wins so far, {against} an opponent"
    return threat_text(s, f, [int(f.best)])


def trust_not(f, taking):
    if f.attacks:
        return "I am on the chooser's side"
    if f.later:
        return "others play after me"
    return "I take the trick myself" if taking else f"seat {f.owner}, who wins, is an opponent"


def follow_because(number, s, f, action):
    """The facts behind the rule that followed."""
    if number == d.ONLY:
        return f"{the(action)} is the only card that I may play"
    if number == d.REACH:
        total = certain_points_with_trick(s, f, points_on_table(s) + VALUES[action])
        return f"nobody can win the trick back, and with it we have at least {total} points"
    if number == d.GIVE:
        return f"seat {f.owner} is my partner and nobody can win the trick back; {the(action)} adds {VALUES[action]}"
    if number == d.TAKE:
        return f"{the(action)} wins, and nobody can win the trick back"
    if number == d.PLAY_TOP:
        return f"no higher card is left above {the(action)}"
    if number == d.TRUST:
        return f"seat {f.owner} wins the trick and need not be an opponent; {the(action)} adds {VALUES[action]}"
    return f"the trick is not surely ours, and {the(action)} costs least to part with"
