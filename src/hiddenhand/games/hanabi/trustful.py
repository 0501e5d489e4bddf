"""Trustful plays what it is promised; from a thesis on agents for Hanabi (University of Wroclaw, 2020).

Hints are messages or promises (see promises.py); a promised card is played though nothing proves it playable. Ten
modules are tried in an order that depends on the tokens left, and the first that finds something acts: with fewer
than three tokens 1 2 3 9 4 5 10; with three to five 1 2 3 4 5 9 10; with six or seven 1 2 3 4 5 9 6 7 10; with all
eight 1 2 3 4 5 6 7 8 9 10.

1. Necessary tip: if the next player is about to play wrongly, and a card of mine makes that play right, play it.
   Otherwise, if it is about to play wrongly or to discard a critical card: the best hint that makes it play something
   right; or else one that tells it of the card in danger, its rank if possible, and promises nothing false.
2. Obvious play: a card that is surely playable, of the lowest rank; or else one that is with a chance of 95 %.
3. Hinted play: a promised card that can be playable, those of known rank first, then the oldest.
4. Play tip: the hint of the greatest worth (see tips.py) that leads to a play, if it is above the mark.
5. Discard tip: a hint by which somebody who has no play learns that cards are useless, likewise.
6. Risky tip: as 4, with its own weights, which forgive a false promise more easily.
7. Save tip: a message about a critical card that no hint has touched; first to those who have nothing to play, then
   the lowest rank.
8. Information tip: as 4, with its own weights, also if it leads to no play.
9. Obvious discard: a card that is surely useless.
10. Guess discard: the oldest card that no hint has touched; or else the oldest that need not be critical; or else
    the oldest.

Modules 4 to 8 leave a token for an emergency. The weights are those of the thesis's program: `trustful` has those
set by hand; `bayesian_trustful2` and `bayesian_trustful4` those that Bayesian optimisation found for two and four
players; and `tuned_trustful` those that we found for our own reading, by a Gaussian process as the thesis did, for
each number of players. How exactly the weights enter is our choice where the thesis is silent. All of them score more
than in the thesis, above all with two players.

`reading=published` keeps to the letter: hints are read by its rules (see promises.py), what a card can be follows
from hints and open cards but not from other hands, and a hint that undoes a right play is forbidden by nothing but
the weight `already`, which is what tuning found out. That scores 20.36, 21.36, 20.97 and 19.53 with two to five
players, where the thesis printed 17.94, 20.39, 20.43 and 19.03: it gives no formula in which the weights enter.
"""

from typing import Any

import numpy as np

from hiddenhand.core.game import Game
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.conventions import PROMISES, RECORD, SAVES, planned_play, reading
from hiddenhand.games.hanabi.deduction import share, surely
from hiddenhand.games.hanabi.distrustful import guess
from hiddenhand.games.hanabi.hint_value import Scene, imagine_hint, survey
from hiddenhand.games.hanabi.random_choice import READING, can_discard
from hiddenhand.games.hanabi.rules import COLOURS, DISCARD, HINT, NONE, hint_parts, touches
from hiddenhand.games.hanabi.texts import action_name, card_names, hint_told, seen, slot_names
from hiddenhand.games.hanabi.trustful_modules import (
    DISCARD_TIP,
    DISCARDS,
    GUESS,
    HINTED,
    INFORMATION,
    NECESSARY,
    ORDERS,
    PLAY_TIP,
    PLAYS,
    RISKY,
    SAVE,
    SURE,
    TIP_TOKENS,
    best_tip,
    decide,
    endangered,
    mark,
    module_at,
)
from hiddenhand.kernel import new_records

DISCARD_WEIGHTS = {
    "pass": (0.0, 5.0, Text("given if its worth is above this")),
    "false": (-10.0, 0.0, Text("added to its worth if it leads to a wrong play")),
    "distance": (0.7, 1.5, Text("factor for each seat on the way")),
}
PLAY_WEIGHTS = {
    "pass": (0.0, 5.0, Text("given if its worth is above this")),
    "completes": (0.0, 1.0, Text("added to its worth for a card that its owner then knows to be playable")),
    "false": (-10.0, 0.0, Text("added to its worth if it leads to a wrong play")),
    "distance": (0.7, 1.5, Text("factor for each seat on the way")),
    "rank": (0.8, 1.3, Text("factor for each rank below 5")),
    "information": (-0.8, 0.8, Text("added to its worth for each useful card that it says something new of")),
    "already": (-0.5, 1.0, Text("factor if the player has a right play anyway")),
    "chain": (0.9, 2.0, Text("factor of a card if somebody else holds the next")),
}
SORTS = {
    "discard": (DISCARD_WEIGHTS, Text("hint what to discard")),
    "good": (PLAY_WEIGHTS, Text("hint what to play")),
    "risky": (PLAY_WEIGHTS, Text("hint what to play, at some risk")),
    "information": (PLAY_WEIGHTS, Text("hint that informs")),
}


def weights(**given: tuple[float, ...]) -> dict[str, Setting]:
    """The 27 weights as settings, from a tuple for each sort of tip; they may lie where the thesis searched."""
    settings = {"reading": READING}
    for sort, (known, name) in SORTS.items():
        for (weight, (low, high, text)), value in zip(known.items(), given[sort], strict=True):
            settings[f"{sort}_{weight}"] = Setting(
                value, Text("{tip}: {what}", tip=name, what=text), low=low, high=high
            )
    return settings


BY_HAND = weights(
    discard=(1.8, -10.0, 1.01),
    good=(0.9, 0.3, -2.5, 1.01, 1.07, 0.2, 0.5, 1.3),
    risky=(0.9, 0.3, -1.6, 1.01, 1.07, 0.2, 0.5, 1.3),
    information=(0.65, 0.3, -2.5, 1.01, 1.07, 0.7, 1.0, 1.3),
)
TUNED_FOR_2 = weights(
    discard=(3.116, -5.870, 1.036),
    good=(0.727, 0.845, -6.846, 1.270, 1.226, -0.029, 0.031, 1.707),
    risky=(0.578, 0.354, -1.999, 0.853, 0.936, 0.374, 0.199, 1.691),
    information=(4.191, 0.419, -9.258, 0.733, 1.175, 0.282, -0.158, 1.340),
)
TUNED_FOR_4 = weights(
    discard=(3.968, -1.224, 1.106),
    good=(0.697, 0.494, -5.097, 1.180, 1.150, 0.105, 0.060, 1.731),
    risky=(3.981, 0.692, -6.640, 0.996, 1.002, -0.211, -0.032, 1.703),
    information=(2.384, 0.293, -8.867, 1.030, 1.122, 0.488, 0.305, 1.498),
)


TUNED_FOR = {
    2: weights(
        discard=(3.371, -6.421, 0.773),
        good=(0.015, 0.066, -0.411, 1.222, 0.935, 0.8, 0.965, 1.079),
        risky=(0.0, 0.642, -2.96, 1.005, 1.122, -0.074, 0.4, 1.845),
        information=(0.0, 0.089, -6.207, 1.214, 1.3, 0.8, 0.547, 1.265),
    ),
    3: weights(
        discard=(4.869, -10.0, 0.901),
        good=(0.0, 0.002, -3.324, 1.045, 1.097, 0.477, 0.382, 1.701),
        risky=(0.252, 0.464, -7.874, 1.095, 0.99, 0.552, 0.693, 1.522),
        information=(0.879, 0.047, -3.337, 1.165, 1.295, 0.406, 1.0, 1.14),
    ),
    4: weights(
        discard=(2.382, -8.401, 0.782),
        good=(0.0, 0.059, -3.382, 0.929, 1.208, 0.8, 0.745, 1.145),
        risky=(1.567, 0.396, -7.589, 1.335, 0.954, 0.522, 0.609, 1.017),
        information=(0.0, 0.0, -1.603, 0.883, 1.255, 0.8, 0.162, 1.441),
    ),
    5: weights(
        discard=(3.09, -5.563, 0.865),
        good=(0.0, 0.005, -1.725, 0.803, 1.28, 0.8, 0.145, 1.243),
        risky=(0.4, 0.063, -9.07, 1.065, 0.948, 0.515, 0.955, 0.9),
        information=(1.531, 0.315, -3.88, 0.997, 1.3, 0.8, -0.5, 0.973),
    ),
}
"""By the number of players, from `hiddenhand tune hanabi trustful --model gaussian --evaluations 250 --games 1000`
with --players 2 and so on. On 8,000 new deals each: 22.44 (by hand 22.31), 22.31 (21.97), 21.70 (21.31) and 20.24
(19.74). The marks of play tips have gone down to nothing, and a card that a hint says something new of counts up to
four times as much: it pays to hint whenever that leads to a play, and to take the hint that tells most."""


@policy(Text("plays what hints promise it, and hints by the plays they lead to"), settings=BY_HAND, memory=RECORD)
def trustful(view, seat, actions, memory, parameters, rng):
    action, _ = decide(view, seat, memory, parameters)
    return action


@policy(Text("trustful with weights tuned for two players"), settings=TUNED_FOR_2, memory=RECORD)
def bayesian_trustful2(view, seat, actions, memory, parameters, rng):
    action, _ = decide(view, seat, memory, parameters)
    return action


@policy(Text("trustful with weights tuned for four players"), settings=TUNED_FOR_4, memory=RECORD)
def bayesian_trustful4(view, seat, actions, memory, parameters, rng):
    action, _ = decide(view, seat, memory, parameters)
    return action


def tuned_weights(game: Game) -> dict[str, Any]:
    """The weights that were found for as many players."""
    return {name: setting.number(setting.default) for name, setting in TUNED_FOR[game.players].items()}


@policy(
    Text("trustful with weights that we tuned, for each number of players"), memory=RECORD, knowledge=tuned_weights
)
def tuned_trustful(view, seat, actions, memory, parameters, rng):
    action, _ = decide(view, seat, memory, parameters)
    return action


# --- the reasons ----------------------------------------------------------------------------------

TIPS = {
    PLAY_TIP: Text("play tip"),
    DISCARD_TIP: Text("discard tip"),
    RISKY: Text("risky tip"),
    INFORMATION: Text("information tip"),
}
A_TIP = {
    PLAY_TIP: Text("a play tip"),
    DISCARD_TIP: Text("a discard tip"),
    RISKY: Text("a risky tip"),
    INFORMATION: Text("an information tip"),
}


@trustful.explains
@bayesian_trustful2.explains
@bayesian_trustful4.explains
@tuned_trustful.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    v = view.record
    record = new_records(RECORD, 1)[0]
    _, fired = decide(v, view.seat, record, parameters)
    s = Scene(record, parameters, *survey(v, view.seat, record, parameters.reading))
    order = [module_at(v, place) for place in range(len(ORDERS[0]))]
    before = [why_not(v, s, module) for module in order[: order.index(fired)]]
    about = [hint_told(v, action), *how_read(v, s, action)] if action >= HINT else []
    return [*before, why(v, s, action, fired), *about]


def danger(v: np.record, s: Scene) -> str:
    """What the next player is about to do wrong; nothing if it is not."""
    target, slot = (s.me + 1) % s.players, endangered(v, s)
    if slot == NONE:
        return ""
    if s.plans[target] != NONE:
        return Text("{who} is about to play its {card} wrongly", who=Seat(target), card=seen(v, target, slot))
    return Text(
        "{who} may be about to discard its {card}, which is critical", who=Seat(target), card=seen(v, target, slot)
    )


def why_not(v: np.record, s: Scene, module: int) -> str:
    """Why a module does nothing."""
    if module == NECESSARY:
        if not danger(v, s):
            target = (s.me + 1) % s.players
            return Text(
                "{who:C}, the next to move, is not about to play wrongly or to discard a critical card.",
                who=Seat(target),
            )
        help_missing = (
            Text("no hint prevents it without leading to a wrong play") if v.hints > 0 else Text("no token is left")
        )
        return Text("{danger:C}, but {why}.", danger=danger(v, s), why=help_missing)
    if module == PLAYS:
        return Text("No card of its hand is playable for sure, or with a chance of {chance:.0%}.", chance=SURE)
    if module == HINTED:
        return Text(
            "No card of its hand that can be playable was promised to be "
            "by a hint that touched no other card, as it must be on the last life."
            if v.lives == 1
            else "No card of its hand that can be playable was promised to be."
        )
    if module == DISCARDS:
        return Text("It cannot be sure that any card of its hand is useless.") if can_discard(v) else NO_DISCARD
    if v.hints < TIP_TOKENS:
        return Text("A {tip} would not leave a token for an emergency.", tip=TIPS.get(module, Text("save tip")))
    if module == SAVE:
        return Text("There is no critical card, untouched by hints, that a message could tell of.")
    hint, worth = best_tip(v, s, module)
    if hint == NONE:
        return Text("There is no {tip} to give: {why}.", tip=TIPS[module], why=NO_TIP[module])
    asked = mark(s, module)
    best = Text("the best, {hint}, is worth {worth:.2f}", hint=action_name(v, hint), worth=worth)
    return Text(
        "No hint is worth more than {asked:g} as {a_tip}: {best}.", asked=asked, a_tip=A_TIP[module], best=best
    )


NO_DISCARD = Text("With all tokens there it may not discard.")
NO_TIP = {
    PLAY_TIP: Text("no hint leads to a play that would not come anyway"),
    RISKY: Text("no hint leads to a play that would not come anyway"),
    INFORMATION: Text("no hint touches a card"),
    DISCARD_TIP: Text("everybody else has something to play or to throw away"),
}


def why(v: np.record, s: Scene, action: int, module: int) -> str:
    """What the module that fired has found."""
    me, slot = s.me, action % DISCARD
    if module == NECESSARY:
        if action < DISCARD:
            return Text(
                "Module 1, necessary tip: {danger}; after card {n} of its own that play is right.",
                danger=danger(v, s),
                n=action + 1,
            )
        return Text("Module 1, necessary tip: {danger}.", danger=danger(v, s))
    can = card_names(int(s.known[me, slot]))
    if module == PLAYS:
        if surely(s.known[me, slot], s.record.playable):
            return Text("Module 2, obvious play: card {n} is {a}, playable in any case.", n=slot + 1, a=can)
        chance = share(s.known[me, slot], s.record.playable, s.unseen)
        return Text(
            "Module 2, obvious play: card {n} is playable with a chance of {chance:.3f}.", n=slot + 1, chance=chance
        )
    if module == HINTED:
        now = int(s.known[me, slot] & s.record.promise[me, slot] & s.record.playable)
        return Text(
            "Module 3, hinted play: card {n} was promised to be playable; it can be {a}.",
            n=slot + 1,
            a=card_names(now),
        )
    if module == SAVE:
        return Text("Module 7, save tip: the hint tells of a critical card that no hint has touched.")
    if module == DISCARDS:
        return Text("Module 9, obvious discard: card {n} is {a}, useless in any case.", n=slot + 1, a=can)
    if module == GUESS:
        return Text("Module 10, guess discard: {why}", why=guess(v, s.known[me], s.record.critical, me, action))
    _, worth = best_tip(v, s, module)
    asked = mark(s, module)
    return Text(
        "Module {n}, {tip}: this hint is worth most, {worth:.2f}; more than {asked:g} is asked.",
        n=module,
        tip=TIPS[module],
        worth=worth,
        asked=asked,
    )


def how_read(v: np.record, s: Scene, action: int) -> list[str]:
    """How the receiver reads a hint, and what it will play."""
    target, kind, value = hint_parts(action)
    hint, slots = COLOURS * kind + value, touches(v, target, kind, value)
    how, promised, vetoed = reading(s.record, s.players, s.me, target, hint, slots, s.cards)
    sentences = Text("{who:C} reads it as a message; it promises nothing.", who=Seat(target))
    if how == SAVES:
        sentences = Text(
            "{who:C} reads it as a message that saves the card it was about to discard; it promises nothing.",
            who=Seat(target),
        )
    if how == PROMISES:
        sentences = Text(
            "{who:C} reads it as a promise: its {cards} can be played.", who=Seat(target), cards=slot_names(promised)
        )
    imagine_hint(v, s, target, hint)
    slot = planned_play(s.cards, s.promise, s.size, s.then[target], s.record.lives)
    plan = Text("In its next turn {who} will have nothing to play.", who=Seat(target))
    if slot != NONE:
        plan = Text(
            "In its next turn {who} will have its {card} to play.", who=Seat(target), card=seen(v, target, slot)
        )
    veto = [
        Text(
            "It takes back the promise about card {n}, which {who} was about to play.", n=vetoed + 1, who=Seat(target)
        )
    ]
    return [sentences, *(veto if vetoed != NONE else []), plan]
