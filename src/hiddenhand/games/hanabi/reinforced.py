"""Reinforced: an agent that has learned Hanabi by playing it with itself.

A game has far too many positions to learn each of them, so every choice is looked at through a few coarse features,
and a table says how well such choices have turned out. There are four tables over three kinds of features:

    PLAY, DISCARD   a card of one's own: how much is known of it, the chances that it is playable or useless, and how
                    it was touched by the latest hint that touched it
    HINT            a hint: what the cards it touches are worth, and what its receiver would learn
    MACRO           the turn as a whole: tokens, lives, and the grades of the best play, discard and hint; it decides
                    which of the three is done

A turn is decided in two steps: each of the first three tables names its best card or hint, then MACRO chooses.

Learning (see `learning`): a play or discard is rewarded or punished at once, by what the card turns out to be, and so
are the hints that pointed at it; after the game, all choices are rewarded by how far the score lies above or below
the median of the last thousand games. A table entry is the mean of the last 400 rewards, the younger ones counting
more. While learning, entries that were seldom punished get a bonus, and one turn in a hundred is random.

The scheme is that of W. Jarząbek and J. Leja (University of Wrocław, 2020); the features are our own choice, since
theirs are given in part. The agents `reinforced2` and `reinforced4` have learned with two and with four players, once
where a card may be discarded at 8 hint tokens and once where it may not (`rules=strict`): with the other rule such a
table meets turns that it has never seen. `reinforced:file=mine.npz` plays by the tables that somebody trained
(`hiddenhand train hanabi reinforced`).
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import read_arrays
from hiddenhand.core.game import Game
from hiddenhand.core.policy import policy
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.hanabi.deduction import (
    by_hints,
    count_unseen,
    critical_cards,
    left_cards,
    playable_cards,
    share,
    useless_cards,
)
from hiddenhand.games.hanabi.rules import CARDS, touches
from hiddenhand.kernel import rule

__all__ = ["ENTRIES", "reinforced", "reinforced2", "reinforced4"]

SLOTS = 5
LEARNED = Path(__file__).parent / "learned"

# the tables, one after the other in one array
CARD_STATES = 6 * 4 * 2 * 4 * 4 * 2 * 2 * 2 * 4
HINT_STATES = 3 * 3 * 2 * 3 * 2 * 2 * 3 * 2 * 2 * 2 * 2
MACRO_STATES = 9 * 3 * 2 * 6 * 6 * 6 * 3
PLAY_TABLE = 0
DISCARD_TABLE = CARD_STATES
HINT_TABLE = 2 * CARD_STATES
MACRO_TABLE = 2 * CARD_STATES + HINT_STATES
ENTRIES = MACRO_TABLE + MACRO_STATES

DO_PLAY, DO_DISCARD, DO_HINT = 0, 1, 2
WORST = -1.0e9
CAUTIOUS = (-0.02, -0.01, 0.0)
"""A play, a discard and a hint in a turn that was never met while learning: the less it can cost, the better."""

# the choice made in a turn: the best card to play and to discard, the best hint, their entries, and what is done
CHOICE = 8
PLAY_SLOT, PLAY_ENTRY, DISCARD_SLOT, DISCARD_ENTRY, HINT_ACTION, HINT_ENTRY, DONE, MACRO_ENTRY = range(CHOICE)


@rule
def chance_bin(chance):
    """0 for impossible, 5 for certain, four steps between."""
    if chance <= 0.0:
        return 0
    if chance >= 1.0:
        return 5
    return 1 + min(3, int(chance * 4.0))


@rule
def grade(value):
    """A value of a table as one of six grades."""
    for i, limit in enumerate((-0.4, -0.1, 0.15, 0.4, 0.6)):
        if value < limit:
            return i
    return 5


@rule
def token_group(hints):
    if hints == 0:
        return 0
    if hints < 4:
        return 1
    if hints < 8:
        return 2
    return 3


@rule
def oldest_untouched(v, seat):
    """The slot of a seat's oldest card that no hint has touched, or -1."""
    for slot in range(np.int64(v.hand_size)):
        if v.colours[seat, slot] != 0 and v.touched[seat, slot] == 0:
            return slot
    return -1


class Touches(NamedTuple):
    """What the latest hint on each card of a hand was. int64[SLOTS] each."""

    together: Any
    """How many cards it touched; 0 without a hint."""
    fresh: Any
    """Whether it was given since the seat's last turn."""
    youngest: Any
    """Whether the card is the youngest of those touched."""


class Needs(NamedTuple):
    """What cards are good for now, as sets of cards."""

    playable: int
    useless: int
    critical: int


@rule
def read_touches(v, seat):
    """The latest hint on each card of a seat."""
    together, fresh, youngest = np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64)
    shift = np.arange(SLOTS)  # for each slot as it is now: the slot where the card was then
    since = True
    held = 0
    for slot in range(np.int64(v.hand_size)):
        if v.colours[seat, slot] != 0:
            held += 1
    for i in range(np.int64(v.moves_made) - 1, -1, -1):
        action = np.int64(v.log_action[i])
        if v.log_actor[i] == seat:
            since = False
            if action < 10:  # a card left: those behind it were one place further on
                gone = action % 5
                for slot in range(held):
                    if shift[slot] >= gone:
                        shift[slot] += 1
        elif action >= 10 and (action - 10) // 10 == seat:
            mask = np.int64(v.log_touched[i])
            count, last = touched_by(mask)
            for slot in range(held):
                if together[slot] == 0 and v.drawn[seat, slot] <= i and shift[slot] < SLOTS:
                    if (mask >> shift[slot]) & 1:
                        together[slot] = count
                        fresh[slot] = 1 if since else 0
                        youngest[slot] = 1 if shift[slot] == last else 0
    return Touches(together, fresh, youngest)


@rule
def touched_by(mask):
    """How many cards a hint touched, and the slot of the youngest."""
    count, last = 0, -1
    for slot in range(SLOTS):
        if (mask >> slot) & 1:
            count += 1
            last = slot
    return count, last


@rule
def card_entry(v, me, slot, counts, needs, touched, chop):
    """The number of a card of one's own in the tables PLAY and DISCARD."""
    cards = by_hints(v, me, slot) & left_cards(counts)
    known = 2 * np.int64(v.told_colour[me, slot]) + np.int64(v.told_rank[me, slot])
    lost = share(cards, needs.useless, counts)
    code = chance_bin(share(cards, needs.playable, counts))
    code = code * 4 + (0 if lost <= 0.0 else 3 if lost >= 1.0 else 1 if lost < 0.5 else 2)
    code = code * 2 + (1 if cards & needs.critical != 0 else 0)
    code = code * 4 + known
    code = code * 4 + min(3, touched.together[slot])
    code = code * 2 + touched.fresh[slot]
    code = code * 2 + touched.youngest[slot]
    code = code * 2 + (1 if slot == chop else 0)
    return code * 4 + token_group(np.int64(v.hints))


@rule
def hint_entry(v, me, hint, mask, counts, needs, has_play):
    """The number of a hint in the table HINT.

    hint: its receiver, kind and value; mask: the slots that it touches; counts: what its receiver surely knows to be
    unseen.
    """
    target, kind, value = hint
    playable, useless, critical = needs
    touched, good, lost, vital, new = 0, 0, 0, 0, 0
    certain, focus_good = 0, 0
    chop = oldest_untouched(v, target)
    for slot in range(np.int64(v.hand_size)):
        if (mask >> slot) & 1:
            card = 1 << np.int64(v.hands[target, slot])
            touched += 1
            focus_good = 1 if card & playable else 0
            good += 1 if card & playable else 0
            lost += 1 if card & useless else 0
            vital |= 1 if card & critical else 0
            new += 1 if v.touched[target, slot] == 0 else 0
            after = by_hints(v, target, slot) & left_cards(counts) & same_hint(kind, value)
            if after & ~playable == 0:
                certain = 1
    code = min(3, touched) - 1
    code = code * 3 + min(2, good)
    code = code * 2 + focus_good
    code = code * 3 + min(2, lost)
    code = code * 2 + vital
    code = code * 2 + (1 if chop >= 0 and (mask >> chop) & 1 else 0)
    code = code * 3 + min(2, new)
    code = code * 2 + certain
    code = code * 2 + (0 if (target - me) % np.int64(v.players) == 1 else 1)
    code = code * 2 + kind
    return code * 2 + has_play


@rule
def same_hint(kind, value):
    """The set of cards that a hint names."""
    found = 0
    for card in range(CARDS):
        if (card % 5 if kind == 1 else card // 5) == value:
            found |= 1 << card
    return found


@rule
def surely_plays(v, me, target, counts, playable):
    """Whether a player knows that it can play some card."""
    left = left_cards(counts)
    for slot in range(np.int64(v.hand_size)):
        if v.colours[target, slot] != 0:
            cards = by_hints(v, target, slot) & left
            if cards != 0 and cards & ~playable == 0:
                return 1
    return 0


@rule
def choose(v, me, values, choice):
    """Decide a turn by the tables: fills `choice`."""
    counts = np.zeros(CARDS, np.int64)
    count_unseen(v, me, me, counts)
    needs = Needs(playable_cards(v), useless_cards(v), critical_cards(v))
    touched = read_touches(v, me)
    chop = oldest_untouched(v, me)
    best = np.full(3, WORST)
    for i in range(CHOICE):
        choice[i] = -1
    for slot in range(np.int64(v.hand_size)):
        if v.colours[me, slot] == 0:
            continue
        code = card_entry(v, me, slot, counts, needs, touched, chop)
        value = values[PLAY_TABLE + code]
        if value > best[DO_PLAY]:
            best[DO_PLAY] = value
            choice[PLAY_SLOT] = slot
            choice[PLAY_ENTRY] = PLAY_TABLE + code
        value = values[DISCARD_TABLE + code]
        if value > best[DO_DISCARD]:
            best[DO_DISCARD] = value
            choice[DISCARD_SLOT] = slot
            choice[DISCARD_ENTRY] = DISCARD_TABLE + code
    if v.hints == 8 and v.discard_at_8 == 0:
        best[DO_DISCARD] = WORST
    if v.hints > 0:
        best[DO_HINT] = best_hint(v, me, needs, values, choice)
    choose_macro(v, best, values, choice)


@rule
def best_hint(v, me, needs, values, choice):
    """The value of the best hint, which is written into `choice`; hints that tell nothing are left out."""
    best = WORST
    counts = np.zeros(CARDS, np.int64)
    players = np.int64(v.players)
    for step in range(1, players):
        target = (me + step) % players
        count_unseen(v, target, me, counts)
        has_play = surely_plays(v, me, target, counts, needs.playable)
        for kind in range(2):
            for value in range(5):
                mask = touches(v, target, kind, value)
                if mask == 0 or not tells_something(v, target, kind, mask):
                    continue
                code = hint_entry(v, me, (target, kind, value), mask, counts, needs, has_play)
                worth = values[HINT_TABLE + code]
                if worth > best:
                    best = worth
                    choice[HINT_ACTION] = 10 + 10 * target + 5 * kind + value
                    choice[HINT_ENTRY] = HINT_TABLE + code
    return best


@rule
def tells_something(v, target, kind, mask):
    """Whether some card that the hint touches was not yet told this."""
    for slot in range(np.int64(v.hand_size)):
        if (mask >> slot) & 1:
            already = v.told_rank[target, slot] if kind == 1 else v.told_colour[target, slot]
            if already == 0:
                return True
    return False


@rule
def choose_macro(v, best, values, choice):
    """Play, discard or hint, by the grades of the best of each."""
    code = np.int64(v.hints)
    code = code * 3 + np.int64(v.lives) - 1
    code = code * 2 + (1 if v.deck_left == 0 else 0)
    for sort in range(3):
        code = code * 6 + grade(best[sort])
    top = WORST
    for sort in range(3):
        if best[sort] > WORST:
            entry = MACRO_TABLE + 3 * code + sort
            value = values[entry]
            if value > top:
                top = value
                choice[DONE] = sort
                choice[MACRO_ENTRY] = entry


@rule
def action_of(choice):
    if choice[DONE] == DO_PLAY:
        return choice[PLAY_SLOT]
    if choice[DONE] == DO_DISCARD:
        return 5 + choice[DISCARD_SLOT]
    return choice[HINT_ACTION]


def learned(game: Game, players: int) -> Any:
    """The table learned with this number of players (or with two or four) under the game's rule for 8 tokens."""
    rules = "" if game.options["discard_at_8"] else "_strict"
    return read_table(LEARNED / f"reinforced{players}{rules}.npz")


def read_table(path: str | Path) -> Any:
    """A table that a learner has written, with cautious values for the turns that it has never met."""
    values = read_arrays(path, "values")["values"]
    if values.shape != (ENTRIES,):
        raise UserError(
            "{file} is of another learner: its table has {n} entries, not {entries}",
            file=path,
            n=values.size,
            entries=ENTRIES,
        )
    values = values.astype(np.float64)
    turns = values[MACRO_TABLE:].reshape(-1, 3)
    turns[~turns.any(axis=1)] = CAUTIOUS
    return values


@policy(
    Text("has learned by playing with itself, or plays by what you trained"),
    settings={"file": Setting("", Text("what `train hanabi reinforced` wrote; ours if left out"), kind="file")},
    knowledge=lambda game, file: {"table": read_table(file) if file else learned(game, game.players)},
)
def reinforced(view, seat, actions, memory, parameters, rng):
    choice = np.zeros(CHOICE, np.int64)
    choose(view, seat, parameters.table, choice)
    return action_of(choice)


@policy(Text("has learned by playing in pairs with itself"), knowledge=lambda game: {"table": learned(game, 2)})
def reinforced2(view, seat, actions, memory, parameters, rng):
    choice = np.zeros(CHOICE, np.int64)
    choose(view, seat, parameters.table, choice)
    return action_of(choice)


@policy(Text("has learned by playing in fours with itself"), knowledge=lambda game: {"table": learned(game, 4)})
def reinforced4(view, seat, actions, memory, parameters, rng):
    choice = np.zeros(CHOICE, np.int64)
    choose(view, seat, parameters.table, choice)
    return action_of(choice)


@reinforced.explains
@reinforced2.explains
@reinforced4.explains
def reasons(view: View, action: int, parameters: np.record) -> list[str]:
    """The two steps of a decision in words: the best of each sort, and which of them was preferred."""
    v, me, values = view.record, view.seat, parameters.table
    choice = np.zeros(CHOICE, np.int64)
    choose(v, me, values, choice)
    counts = np.zeros(CARDS, np.int64)
    count_unseen(v, me, me, counts)
    playable, useless = playable_cards(v), useless_cards(v)

    def chances(slot: int) -> str:
        cards = by_hints(v, me, slot) & left_cards(counts)
        return Text(
            "{playable:.0%} playable, {useless:.0%} useless",
            playable=share(cards, playable, counts),
            useless=share(cards, useless, counts),
        )

    play, discard = int(choice[PLAY_SLOT]), int(choice[DISCARD_SLOT])
    acts: dict[int, str] = {
        DO_PLAY: Text("play card {n}", n=play + 1),
        DO_DISCARD: Text("discard card {n}", n=discard + 1),
    }
    sentences: list[str] = [
        Text(
            "My best play: {act} ({chances}), worth {value:+.2f} by what I have learned.",
            act=acts[DO_PLAY],
            chances=chances(play),
            value=values[choice[PLAY_ENTRY]],
        ),
        Text(
            "My best discard: {act} ({chances}), worth {value:+.2f} by what I have learned.",
            act=acts[DO_DISCARD],
            chances=chances(discard),
            value=values[choice[DISCARD_ENTRY]],
        ),
    ]
    if choice[HINT_ACTION] >= 0:
        acts[DO_HINT] = view.action_name(int(choice[HINT_ACTION]))
        sentences.append(
            Text(
                "My best hint: {act}, worth {value:+.2f} by what I have learned.",
                act=acts[DO_HINT],
                value=values[choice[HINT_ENTRY]],
            )
        )
    done = int(choice[DONE])
    first = int(choice[MACRO_ENTRY]) - done
    names = {DO_PLAY: Text("a play"), DO_DISCARD: Text("a discard"), DO_HINT: Text("a hint")}
    worth = [Text("{sort} {value:+.2f}", sort=names[sort], value=values[first + sort]) for sort in acts]
    lesson = Text(
        "In turns like this ({hints} hint tokens, {lives} lives, choices graded like these) "
        "the three sorts are worth: {worth}.",
        hints=int(v.hints),
        lives=int(v.lives),
        worth=Text.joined(", ", worth),
    )
    return [*sentences, lesson, Text("So I {act}.", act=acts[done])]
