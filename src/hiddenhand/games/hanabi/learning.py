"""How Reinforced learns: play with itself or beside others, rewards, and a memory of the last rewards of every entry.

The numbers of all that are settings (`hiddenhand train hanabi reinforced --set memory=100`); their defaults are those
of the thesis's program, but for `exploration`: its square root of 2 keeps the learner wandering for too long.
"""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hiddenhand.core.agent import Agent, PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import NOTHING, Policy
from hiddenhand.core.resolver import agent as find_agent
from hiddenhand.core.settings import Setting, read_settings
from hiddenhand.core.text import Text
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
from hiddenhand.games.hanabi.rules import CARDS, DISCARD, HINT, NONE, deal, legal, play, score, turn
from hiddenhand.kernel import OVER, below, new_records, record_type, rule, split, stream, unowned
from hiddenhand.kernel.loop import as_policies, ask, rows_of_bytes
from hiddenhand.kernel.records import copy
from hiddenhand.learning.learner import Learner

REMEMBERED = 400
RECENT_GAMES = 1000
SEATS = 5
MOST_HINTS_ON_A_CARD = 10
MOST_TURNS = 128
MOST_ACTIONS = 60

REWARDS = {
    "played": Setting(0.75, Text("reward of a card played rightly")),
    "misplayed": Setting(-1.25, Text("of a card played wrongly")),
    "misplayed_turn": Setting(-1.0, Text("of the choice to play then")),
    "misplayed_hint": Setting(-0.625, Text("of each hint about a card played wrongly")),
    "led_at_once": Setting(0.75, Text("of a hint about a card that its owner plays rightly in the next turn")),
    "led_soon": Setting(0.45, Text("in the turn after that")),
    "led_later": Setting(0.25, Text("and later")),
    "least_rise": Setting(0.2, Text("so much must such a hint have raised the chance that the card is playable")),
    "useless": Setting(0.253, Text("of discarding a useless card")),
    "last_copy": Setting(-0.5, Text("of discarding the last copy of a card that is still needed")),
    "good_card": Setting(-0.375, Text("of discarding a playable card")),
    "after_game": Setting(0.05, Text("of every choice, for each point above the median of the last thousand games")),
    "after_game_turn": Setting(0.1, Text("likewise, of the choice whether to play, discard or hint")),
}
Rewards = namedtuple(
    "Rewards",
    "played misplayed misplayed_turn misplayed_hint led_at_once led_soon led_later least_rise useless last_copy "
    "good_card after_game after_game_turn",
)
assert Rewards._fields == tuple(REWARDS)
SETTINGS = {
    "partners": Setting(
        "", Text("who sits in the other seats, or several of them by turns: trustful+hat; left out: itself")
    ),
    "exploration": Setting(
        0.5, Text("how much entries attract it that were seldom punished; falls to 0"), low=0.0, high=10.0
    ),
    "epsilon": Setting(
        0.01, Text("the chance that a turn is decided by lot"), low=0.0, high=1.0, formerly="wandering"
    ),
    "memory": Setting(REMEMBERED, Text("rewards that an entry remembers"), low=1, high=REMEMBERED),
    **REWARDS,
}

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


class ActionValues(NamedTuple):
    """What is learned: for every entry its memory, its value, and its score, by which the learner itself decides."""

    memory: Any
    values: Any
    scores: Any
    exploration: float
    length: int
    """How many rewards an entry remembers."""
    rewards: Any


class Company(NamedTuple):
    """Who else plays, by seat, as the match loop has them; a policy of 0 is the learner."""

    policies: Any
    parameters: Any
    memories: Any


class Notes(NamedTuple):
    """The hints on every card in hand, for the time when it is played."""

    hinted: Any
    """int64[seats, slots, hints, 3]: entry, macro and turn of each hint; [..., 0, 0] says how many there are."""
    raised: Any
    """float64[seats, slots, hints]: how far each raised the chance that the card is playable."""


class LearnedGames(NamedTuple):
    """Some games to learn from."""

    epsilon: float
    """The probability with which a move is drawn at random (epsilon-greedy exploration)."""
    middle: Any
    """float64[1]: the median of recent games."""
    points: Any
    """int64[games]: receives the scores."""
    recent: Any
    """int64[RECENT_GAMES]: the scores of the games before, in a ring."""
    companies: Any
    """A Company whose policies and parameters have a row for each that takes its turn."""


@rule
def reward(tables, entry, amount):
    """Remember a reward of an entry: the oldest of 400 weighs 1, the latest 400."""
    m, length = tables.memory[entry], tables.length
    if m.count < length:
        m.ring[m.count] = amount
        m.count += 1
        m.weighted += m.count * amount
        m.total += amount
    else:
        m.weighted += length * amount - m.total
        m.total += amount - m.ring[m.next]
        m.ring[m.next] = amount
        m.next = (m.next + 1) % length
    m.visits += 1
    if amount < 0.0:
        m.penalties += 1
    n = np.int64(m.count)
    value = m.weighted / (n * (n + 1) / 2)
    tables.values[entry] = value
    tables.scores[entry] = value + tables.exploration * np.sqrt(np.log(m.visits + 1.0) / (m.penalties + 1.0))


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
def forget_all(memories):
    """A new game."""
    for seat in range(memories.shape[0]):
        for i in range(memories.shape[1]):
            memories[seat, i] = 0


@rule
def let_partner_move(s, v, turns, notes, tables, company, rng):
    """Somebody else moves, who sees `v`; hints of the learner that led to a play are judged."""
    me = turn(s)
    actions = np.zeros(MOST_ACTIONS, np.int64)
    memories, parameters = unowned(company.memories), unowned(company.parameters)
    count = legal(s, actions)
    action = ask(company.policies[me], v, me, actions[:count], memories[me], parameters[me], rng)
    if action < DISCARD:
        judge_hints(s, action, turns, notes, tables)
    if action < HINT:
        forget_card(notes, me, action % 5)
    play(s, action, rng)


@rule
def learn_game(states, views, seed, tables, lesson, company, rng):
    """Play one game, with itself or in company, and learn from it; returns the score."""
    s, v = states[1], views[0]
    forget_all(company.memories)
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
        if company.policies[me] != 0:
            let_partner_move(s, v, turns, notes, tables, company, rng)
            used[turns, 0] = NONE
            turns += 1
            continue
        choose(v, me, tables.scores, choice)
        if below(rng, 1000000) < lesson.epsilon * 1000000:
            explore(v, choice, rng)
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
    gain = np.float64(points) - lesson.middle[0]
    for i in range(turns):
        if used[i, 0] != NONE:
            reward(tables, used[i, 0], tables.rewards.after_game * gain)
            reward(tables, used[i, 1], tables.rewards.after_game_turn * gain)
    return points


@rule
def explore(v, choice, rng):
    """Choose one of play, discard and hint at random; an impossible choice leaves everything as it was."""
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
    bit, rewards = 1 << np.int64(s.hands[turn(s), slot]), tables.rewards
    if sort == DO_DISCARD:
        amount = 0.0
        if bit & useless_cards(s):
            amount = rewards.useless
        elif bit & critical_cards(s):
            amount = rewards.last_copy
        elif bit & playable_cards(s):
            amount = rewards.good_card
        reward(tables, entry, amount)
        reward(tables, macro, amount)
        return
    right = bit & playable_cards(s) != 0
    reward(tables, entry, rewards.played if right else rewards.misplayed)
    reward(tables, macro, rewards.played if right else rewards.misplayed_turn)


@rule
def judge_hints(s, slot, turns, notes, tables):
    """Reward or punish the hints that pointed at the card that is played."""
    me = turn(s)
    right = (1 << np.int64(s.hands[me, slot])) & playable_cards(s) != 0
    hinted, raised, rewards = notes.hinted, notes.raised, tables.rewards
    for i in range(1, hinted[me, slot, 0, 0] + 1):
        if right:
            if raised[me, slot, i] > rewards.least_rise:
                delay = (turns - hinted[me, slot, i, 2] - 1) // np.int64(s.players)
                amount = rewards.led_at_once if delay == 0 else rewards.led_soon if delay == 1 else rewards.led_later
                reward(tables, hinted[me, slot, i, 0], amount)
                reward(tables, hinted[me, slot, i, 1], amount)
        else:
            reward(tables, hinted[me, slot, i, 0], rewards.misplayed_hint)
            reward(tables, hinted[me, slot, i, 1], rewards.misplayed_hint)


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
    """Learn from games number first, first + 1, ..., as many as the lesson has, in one company after the other."""
    recent, points = lesson.recent, lesson.points
    lesson.middle[0] = median_of(recent, min(first, RECENT_GAMES))
    policies, parameters, memories = lesson.companies
    for g in range(len(points)):
        number = first + g
        if number % 50 == 0:
            lesson.middle[0] = median_of(recent, min(number, RECENT_GAMES))
        turn_of = number % len(policies)
        company = Company(policies[turn_of], parameters[turn_of], memories)
        points[g] = learn_game(states, views, split(seed, number), tables, lesson, company, rng)
        recent[number % RECENT_GAMES] = points[g]


def partners_of(game: Game, text: str) -> list[PolicyAgent]:
    """The agents that a text names, each of which may sit in any seat."""
    found = []
    for name in filter(None, text.split("+")):
        partner = find_agent(game, name)
        if not isinstance(partner, PolicyAgent) or partner.cheats:
            raise UserError("nobody can learn beside {agent}: it is not compiled, or it cheats", agent=name)
        found.append(partner)
    return found


def companies_of(game: Game, partners: Sequence[PolicyAgent]) -> Company:
    """The companies that take turns, each a row: the learner alone; or in one seat after the other, with partners in
    the rest, the first of them another one each time."""
    seats = game.players
    if not partners:
        return Company(as_rows([[0] * seats]), np.zeros((1, seats, 8), np.uint8), np.zeros((seats, 1), np.uint64))
    rows_of = [(mine, first) for first in range(len(partners)) for mine in range(seats)]
    given = rows_of_bytes([partner.parameters for partner in partners])
    memories = rows_of_bytes([np.zeros(1, partner.policy.memory) for partner in partners])
    policies, parameters = [], np.zeros((len(rows_of), seats, given.shape[1]), np.uint8)
    for row, (mine, first) in enumerate(rows_of):
        who = [(first + seat) % len(partners) for seat in range(seats)]
        policies.append([0 if seat == mine else partners[who[seat]].for_loop for seat in range(seats)])
        parameters[row] = given[who]
    return Company(as_rows(policies), parameters, np.zeros((seats, memories.shape[1] // 8), np.uint64))


def as_rows(policies: list[list[Any]]) -> Any:
    """Policies as the loop calls them, a row for each company."""
    return np.array([as_policies(row) for row in policies])


class Reinforced(Learner):
    """A learner that can be stopped at any time and go on later (see `hiddenhand.lab.training`)."""

    name = "reinforced"
    summary = Text("four tables over coarse features, learned by playing")
    games = 250_000
    step = 1000  # games in a lesson
    opponent = ""  # it is played together
    settings = SETTINGS

    def __init__(self, game: Game, seed: int, games: int, **settings: Any) -> None:
        self.chosen = read_settings(settings, SETTINGS, self.name, "setting")
        self.game = game
        self.partners = partners_of(game, self.chosen["partners"])
        self.companies = companies_of(game, self.partners)
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.memory = new_records(MEMORY, ENTRIES)
        self.values = np.zeros(ENTRIES)
        self.scores = np.zeros(ENTRIES)
        self.best = np.zeros(ENTRIES)
        self.best_mean = -1.0
        self.recent = np.zeros(RECENT_GAMES, np.int64)
        self.states = new_records(game.rules.state, 2)
        self.states[0] = blank_state(game)[0]
        self.views = new_records(game.rules.view, 1)

    def learn(self, games: int) -> Any:
        """Learn from this many more games; returns their scores."""
        points = np.zeros(games, np.int64)
        chosen = self.chosen
        exploration = chosen["exploration"] * max(0.0, 1.0 - self.done / (0.7 * self.wanted))
        rewards = Rewards(*(chosen[name] for name in REWARDS))
        tables = ActionValues(self.memory, self.values, self.scores, exploration, chosen["memory"], rewards)
        lesson = LearnedGames(chosen["epsilon"], np.zeros(1), points, self.recent, self.companies)
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

    def after_trial(self, mean: float) -> None:
        """What has been learned was tried out: keep it if it is the best so far, for learning goes up and down."""
        if mean > self.best_mean:
            self.best_mean = mean
            self.best[:] = self.values

    def save(self, path: Path) -> None:
        """Write what a player needs: the best values, or those of now if none were tried yet."""
        values = self.values if self.best_mean < 0.0 else self.best
        np.savez_compressed(path, values=values.astype(np.float32))

    def team(self, player: Agent) -> list[Agent]:
        """With whom what was learned is tried out: those that it learned with."""
        others: Sequence[Agent] = self.partners or [player]
        return [player, *(others[i % len(others)] for i in range(self.game.players - 1))]

    def player(self, best: bool = False) -> PolicyAgent:
        """An agent with what has been learned so far, or with the best of it."""
        values = (self.best if best else self.values).copy()
        rules = reinforced2.rule.plain
        policy = Policy(rules, self.summary, {}, NOTHING, False, lambda game: {"table": values})
        return PolicyAgent(self.game, policy)
