"""How Reinforced learns: self-play, rewards, and a memory of the last 400 rewards of every table entry."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.game import Game
from hiddenhand.core.policy import NOTHING, Policy
from hiddenhand.games.hanabi.deduction import (
    by_hints,
    count_unseen,
    critical_cards,
    left_cards,
    playable_cards,
    share,
    useless_cards,
)
from hiddenhand.games.hanabi.knowledge import observe
from hiddenhand.games.hanabi.reinforced import (
    CHOICE,
    DISCARD_ENTRY,
    DO_DISCARD,
    DO_HINT,
    DO_PLAY,
    DONE,
    ENTRIES,
    HINT_ENTRY,
    MACRO_ENTRY,
    PLAY_ENTRY,
    SLOTS,
    action_of,
    choose,
    reinforced2,
    same_hint,
)
from hiddenhand.games.hanabi.rules import CARDS, NONE, deal, play, score, turn
from hiddenhand.kernel import OVER, below, new_records, record_type, rule, split, stream
from hiddenhand.kernel.records import copy

REMEMBERED = 400
RECENT_GAMES = 1000
SEATS = 5
MOST_HINTS_ON_A_CARD = 10
MOST_TURNS = 128

# rewards
PLAYED, MISPLAYED, MISPLAYED_MACRO, MISPLAYED_HINT = 0.75, -1.25, -1.0, -0.625
LED_TO_PLAY = np.array([0.75, 0.45, 0.25])  # for a hint, by how many turns of its receiver went by
LEAST_RISE = 0.2  # of the chance that the card is playable, for a hint to be rewarded
USELESS, LAST_COPY, GOOD_CARD = 0.253, -0.5, -0.375
AFTER_GAME, AFTER_GAME_MACRO = 0.05, 0.1  # for each point above or below the median

# the memory of one entry of the tables: its last rewards in a ring, and what makes their weighted mean cheap
MEMORY = record_type(
    [
        ("ring", "f4", (REMEMBERED,)),
        ("count", "i4"),
        ("next", "i4"),
        ("total", "f8"),
        ("weighted", "f8"),
        ("visits", "i8"),
        ("penalties", "i8"),
    ]
)


class Tables(NamedTuple):
    """What is learned: for every entry its memory, its value, and its score, by which the learner itself decides."""

    memory: Any
    values: Any
    scores: Any
    curiosity: float


class Notes(NamedTuple):
    """The hints on every card in hand, for the time when it is played."""

    hinted: Any
    """int64[seats, slots, hints, 3]: entry, macro and turn of each hint; [..., 0, 0] says how many there are."""
    raised: Any
    """float64[seats, slots, hints]: how far each raised the chance that the card is playable."""


class Lesson(NamedTuple):
    """Some games to learn from."""

    randomness: float
    """How often a move is made by lot."""
    points: Any
    """int64[games]: receives the scores."""
    recent: Any
    """int64[RECENT_GAMES]: the scores of the games before, in a ring."""


@rule
def reward(tables, entry, amount):
    """Remember a reward of an entry: the oldest of 400 weighs 1, the latest 400."""
    m = tables.memory[entry]
    if m.count < REMEMBERED:
        m.ring[m.count] = amount
        m.count += 1
        m.weighted += m.count * amount
        m.total += amount
    else:
        m.weighted += REMEMBERED * amount - m.total
        m.total += amount - m.ring[m.next]
        m.ring[m.next] = amount
        m.next = (m.next + 1) % REMEMBERED
    m.visits += 1
    if amount < 0.0:
        m.penalties += 1
    n = np.int64(m.count)
    value = m.weighted / (n * (n + 1) / 2)
    tables.values[entry] = value
    tables.scores[entry] = value + tables.curiosity * np.sqrt(np.log(m.visits + 1.0) / (m.penalties + 1.0))


@rule
def note_hint(v, actor, action, entry, macro, turn_number, notes):
    """Write a hint down with every card it touches, and how far it raised the chance that the card is playable."""
    hinted, raised = notes.hinted, notes.raised
    target, kind, value = (action - 10) // 10, (action - 10) // 5 % 2, (action - 10) % 5
    counts = np.zeros(CARDS, np.int64)
    count_unseen(v, target, actor, counts)
    left, playable = left_cards(counts), playable_cards(v)
    for slot in range(np.int64(v.hand_size)):
        card = np.int64(v.hands[target, slot])
        if card == NONE or (card % 5 if kind == 1 else card // 5) != value:
            continue
        n = hinted[target, slot, 0, 0]
        if n + 1 >= MOST_HINTS_ON_A_CARD:
            continue
        before = by_hints(v, target, slot) & left
        after = before & same_hint(kind, value)
        hinted[target, slot, 0, 0] = n + 1
        hinted[target, slot, n + 1, 0] = entry
        hinted[target, slot, n + 1, 1] = macro
        hinted[target, slot, n + 1, 2] = turn_number
        raised[target, slot, n + 1] = share(after, playable, counts) - share(before, playable, counts)


@rule
def forget_card(notes, seat, slot):
    """A card has left the hand: what is noted of those behind it moves up."""
    hinted, raised = notes.hinted, notes.raised
    for place in range(slot, SLOTS):
        for i in range(MOST_HINTS_ON_A_CARD):
            for j in range(3):
                hinted[seat, place, i, j] = hinted[seat, place + 1, i, j] if place + 1 < SLOTS else 0
            raised[seat, place, i] = raised[seat, place + 1, i] if place + 1 < SLOTS else 0.0


@rule
def learn_game(states, views, seed, tables, randomness, middle, rng):
    """Play one game with itself and learn from it; returns the score. `middle`: the median of recent games."""
    s, v = states[1], views[0]
    copy(s, states[0])
    rng[0] = split(seed, 0)
    deal(s, rng)
    choice = np.zeros(CHOICE, np.int64)
    used = np.zeros((MOST_TURNS, 2), np.int64)
    notes = Notes(
        np.zeros((SEATS, SLOTS, MOST_HINTS_ON_A_CARD, 3), np.int64), np.zeros((SEATS, SLOTS, MOST_HINTS_ON_A_CARD))
    )
    turns = 0
    while True:
        me = turn(s)
        if me == OVER:
            break
        observe(s, me, v)
        choose(v, me, tables.scores, choice)
        if below(rng, 1000000) < randomness * 1000000:
            wander(v, choice, rng)
        sort = choice[DONE]
        entry = choice[PLAY_ENTRY] if sort == DO_PLAY else choice[DISCARD_ENTRY]
        if sort == DO_HINT:
            entry = choice[HINT_ENTRY]
        used[turns, 0] = entry
        used[turns, 1] = choice[MACRO_ENTRY]
        action = action_of(choice)
        if sort == DO_HINT:
            note_hint(v, me, action, entry, choice[MACRO_ENTRY], turns, notes)
        else:
            judge_card(s, action % 5, sort, entry, choice[MACRO_ENTRY], tables)
            if sort == DO_PLAY:
                judge_hints(s, action % 5, turns, notes, tables)
            forget_card(notes, me, action % 5)
        play(s, action, rng)
        turns += 1
    points = score(s)
    gain = np.float64(points) - middle
    for i in range(turns):
        reward(tables, used[i, 0], AFTER_GAME * gain)
        reward(tables, used[i, 1], AFTER_GAME_MACRO * gain)
    return points


@rule
def wander(v, choice, rng):
    """A random one of play, discard and hint, as far as they are possible."""
    sort = below(rng, 3)
    if sort == DO_HINT and (v.hints == 0 or choice[HINT_ENTRY] < 0):
        return
    if sort == DO_DISCARD and v.hints == 8 and v.discard_at_8 == 0:
        return
    choice[MACRO_ENTRY] += sort - choice[DONE]
    choice[DONE] = sort


@rule
def judge_card(s, slot, sort, entry, macro, tables):
    """Reward or punish a play or discard at once."""
    bit = 1 << np.int64(s.hands[turn(s), slot])
    if sort == DO_DISCARD:
        amount = 0.0
        if bit & useless_cards(s):
            amount = USELESS
        elif bit & critical_cards(s):
            amount = LAST_COPY
        elif bit & playable_cards(s):
            amount = GOOD_CARD
        reward(tables, entry, amount)
        reward(tables, macro, amount)
        return
    right = bit & playable_cards(s) != 0
    reward(tables, entry, PLAYED if right else MISPLAYED)
    reward(tables, macro, PLAYED if right else MISPLAYED_MACRO)


@rule
def judge_hints(s, slot, turns, notes, tables):
    """Reward or punish the hints that pointed at the card that is played."""
    me = turn(s)
    right = (1 << np.int64(s.hands[me, slot])) & playable_cards(s) != 0
    hinted, raised = notes.hinted, notes.raised
    for i in range(1, hinted[me, slot, 0, 0] + 1):
        if right:
            if raised[me, slot, i] > LEAST_RISE:
                delay = min(2, (turns - hinted[me, slot, i, 2] - 1) // np.int64(s.players))
                amount = LED_TO_PLAY[delay]
                reward(tables, hinted[me, slot, i, 0], amount)
                reward(tables, hinted[me, slot, i, 1], amount)
        else:
            reward(tables, hinted[me, slot, i, 0], MISPLAYED_HINT)
            reward(tables, hinted[me, slot, i, 1], MISPLAYED_HINT)


@rule
def median_of(recent, count):
    """The median of the last scores."""
    tally = np.zeros(26, np.int64)
    for i in range(count):
        tally[recent[i]] += 1
    below_half = 0
    for points in range(26):
        below_half += tally[points]
        if 2 * below_half >= count:
            return np.float64(points)
    return 0.0


@rule
def learn(states, views, seed, first, tables, lesson, rng):
    """Learn from games number first, first + 1, ..., as many as the lesson has."""
    recent, points = lesson.recent, lesson.points
    middle = median_of(recent, min(first, RECENT_GAMES))
    for g in range(len(points)):
        number = first + g
        if number % 50 == 0:
            middle = median_of(recent, min(number, RECENT_GAMES))
        points[g] = learn_game(states, views, split(seed, number), tables, lesson.randomness, middle, rng)
        recent[number % RECENT_GAMES] = points[g]


class Reinforced:
    """A learner that can be stopped at any time and go on later (see `hiddenhand.lab.training`)."""

    name = "reinforced"
    summary = "four tables over coarse features, learned by self-play"
    games = 250_000
    step = 1000  # games in a lesson
    opponent = ""  # it is played together
    curiosity = 0.5  # at first; it falls to nothing after 70 % of the games
    randomness = 0.01

    def __init__(self, game: Game, seed: int, games: int) -> None:
        self.game = game
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.memory = new_records(MEMORY, ENTRIES)
        self.values = np.zeros(ENTRIES)
        self.scores = np.zeros(ENTRIES)
        self.best = np.zeros(ENTRIES)
        self.best_mean = -1.0
        self.recent = np.zeros(RECENT_GAMES, np.int64)
        self.states = new_records(game.state, 2)
        self.states[0] = game.blank()[0]
        self.views = new_records(game.view, 1)

    def learn(self, games: int) -> Any:
        """Learn from so many more games; returns their scores."""
        points = np.zeros(games, np.int64)
        curiosity = self.curiosity * max(0.0, 1.0 - self.done / (0.7 * self.wanted))
        tables = Tables(self.memory, self.values, self.scores, curiosity)
        lesson = Lesson(self.randomness, points, self.recent)
        learn(self.states, self.views, np.uint64(self.seed), self.done, tables, lesson, stream(0))
        self.done += games
        return points

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to go on, as arrays: only the entries that were ever used."""
        used = np.flatnonzero(self.memory.visits > 0)
        return {
            "used": used,
            "memory": np.asarray(self.memory[used]).view(np.uint8).reshape(len(used), -1),
            "values": self.values,
            "scores": self.scores,
            "best": self.best,
            "best_mean": np.array([self.best_mean]),
            "recent": self.recent,
            "done": np.array([self.done, self.wanted, self.seed]),
        }

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Go on from a snapshot."""
        self.done, self.wanted, self.seed = (int(n) for n in arrays["done"])
        self.memory[arrays["used"]] = arrays["memory"].reshape(-1).view(MEMORY)
        self.values[:] = arrays["values"]
        self.scores[:] = arrays["scores"]
        self.best[:] = arrays["best"]
        self.best_mean = float(arrays["best_mean"][0])
        self.recent[:] = arrays["recent"]

    def judged(self, mean: float) -> None:
        """What has been learned was tried out: keep it if it is the best so far, for learning goes up and down."""
        if mean > self.best_mean:
            self.best_mean = mean
            self.best[:] = self.values

    def save(self, path: Path) -> None:
        """Write what a player needs: the best values."""
        np.savez_compressed(path, values=self.best.astype(np.float32))

    def player(self, best: bool = False) -> PolicyAgent:
        """An agent with what has been learned so far, or with the best of it."""
        values = (self.best if best else self.values).copy()
        rules = reinforced2.rule.plain
        policy = Policy(rules, self.summary, {}, NOTHING, False, lambda game: {"table": values})
        return PolicyAgent(self.game, policy)
