"""The rules by name, and the two kinds of sentences about them."""

from hiddenhand.games.snaps.rule_agent import decide as d
from hiddenhand.games.snaps.rule_agent.risky import PROBABLE_CLAIM, PROBABLE_GIFT
from hiddenhand.games.snaps.screen import card_name

LEADS = (d.SURE_CLAIM, d.PULL, d.ANNOUNCE, d.CASH, d.SHOW, d.ATTACK, d.TOP, d.QUIET)
FOLLOWS = (d.SURE_CLAIM, d.ONLY, d.REACH, d.GIVE, d.TAKE, d.PLAY_TOP, d.TRUST, d.LEAST)
TITLES = {
    d.NAME_OWN: "play alone",
    d.NAME_MISSING: "name the highest trump that I have not",
    d.DOUBLE: "double on a strong hand",
    d.PASS_BY: "pass",
    d.SURE_CLAIM: "claim what is certain",
    d.PULL: "alone, pull trumps",
    d.ANNOUNCE: "announce a marriage",
    d.CASH: "cash a sure winner",
    d.SHOW: "find the partner with a low trump",
    d.ATTACK: "draw the chooser's trumps",
    d.TOP: "lead the highest card left",
    d.QUIET: "lead what costs least",
    d.ONLY: "play the only card allowed",
    d.REACH: "take the trick that makes 66",
    d.GIVE: "give points to a partner's trick",
    d.TAKE: "take a trick that nobody can win back",
    d.PLAY_TOP: "play the highest card left",
    d.TRUST: "trust a seat that may be a partner",
    d.LEAST: "give as little as possible",
    PROBABLE_CLAIM: "claim what is likely",
    PROBABLE_GIFT: "give points to a trick that is likely ours",
}


def the(card):
    return f"the {card_name(int(card))}"


def fired(number, facts):
    return f"Rule {number}, {TITLES[number]}: {facts}."


def skipped(number, facts):
    return f"Not rule {number} ({TITLES[number]}): {facts}."
