"""The rule agents of snaps: every rule in a position of its own, what is certain, what they say, how they do."""

import re
from functools import cache

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.game import metrics_of
from hiddenhand.core.table import Table
from hiddenhand.games.snaps.beliefs.exact import exact_chances
from hiddenhand.games.snaps.cards import CARDS, NONE, SEATS
from hiddenhand.games.snaps.rule_agent import decide as d
from hiddenhand.games.snaps.rule_agent.agents import beat_chance, decide_risky, enough_chance, ours_chance, weigh
from hiddenhand.games.snaps.rule_agent.decide import (
    ALONE,
    DEFENCE,
    PROBABLE_CLAIM,
    PROBABLE_GIFT,
    WITH_PARTNER,
    card_to_name,
    score,
)
from hiddenhand.games.snaps.rule_agent.facts import (
    OPEN,
    OURS,
    THEIRS,
    certain_points,
    certain_points_with_trick,
    facts_for,
    fate,
)
from hiddenhand.games.snaps.rule_agent.reasons import TITLES, threat
from hiddenhand.games.snaps.rules import play
from hiddenhand.games.snaps.state import CHOOSING, TRICKS, begin, side_with, total_with
from hiddenhand.games.snaps.texts import card_code, card_name
from hiddenhand.kernel import assign, new_records, stream
from snaps_positions import Position, legal_actions, random_options, view_of

CODES = {card_code(card): card for card in range(CARDS)}
NAMES = {card_name(card): card for card in range(CARDS)}
PASSES = ["pass"] * 3


def mask(text):
    return sum(1 << CODES[code] for code in text.split())


def table_with(hands, moves, **options):
    """A table at which these hands were dealt to seats 0 to 3 and these moves were made."""
    table = Table(hh.game("snaps", **options), 0)
    for seat in range(SEATS):
        table.state.hands[seat] = mask(hands[seat])
    table.state.seen_first = table.state.hands[table.state.chooser]
    begin(table.state)
    for move in moves:
        table.play(move)
    return table


# Four deals, from seat 0 on.
COMMON = ["hK h9 a10 aK b10 bO", "lO lU l9 bK bU b9", "hO lA lK aA aO a9", "hA h10 hU l10 aU bA"]
STRONG = ["l10 lU a10 aK aO bA", "hU lA lO b10 bK b9", "hA h10 h9 l9 a9 bU", "hK hO lK aA aU bO"]
DOUBLED = ["h10 h9 lK aU a9 bU", "l10 lU aO bK bO b9", "hA lA lO l9 a10 aK", "hK hO hU aA bA b10"]
MARRIED = ["hK hO lA lK a10 bK", "hA lO l9 a9 b10 b9", "l10 aK aO aU bO bU", "h10 hU h9 lU aA bA"]
ALONE_ON_TOP = ["hA h10 hU aA aO a9", "lK lO a10 bA bK bU", "hK hO h9 lA l9 aU", "l10 lU aK b10 bO b9"]
LOW_ALONE = ["lA aO aU a9 bA b9", "h10 hU lK lO b10 bU", "hA l10 aA a10 aK bK", "hK hO h9 lU l9 bO"]

# rule: (hands, moves before, the move it makes, a part of what it says)
POSITIONS = {
    d.NAME_OWN: (STRONG, [], "name a10", "the ten of acorns is my highest trump"),
    d.NAME_MISSING: (COMMON, [], "name aA", "whoever holds it is my partner"),
    d.DOUBLE: (DOUBLED, ["name hA"], "kontra", "my side should win with"),
    d.PASS_BY: (COMMON, ["name aA", "pass"], "pass", "I hold the named card"),
    d.SURE_CLAIM: (MARRIED, ["name hA", "kontra", "hO for 40", "h10", "bU", "hA"], "dost", "at least 66 points"),
    d.PULL: (ALONE_ON_TOP, ["name hA", *PASSES], "hA", "3 trumps are in other hands"),
    d.ANNOUNCE: (MARRIED, ["name hA", "kontra"], "hO for 40", "king and over of hearts are worth 40"),
    d.CASH: (
        ["hA hK hO lO a9 bU", "a10 aK aU bA b10 bO", "lA l10 lU aO bK b9", "h10 hU h9 lK l9 aA"],
        ["name h10", *PASSES, "hK for 40", "h10", "b9", "aU"],
        "aA",
        "nobody who may be against us can beat the ace of acorns",
    ),
    d.SHOW: (DOUBLED, ["name hA", "kontra"], "h9", "the named card is my partner's"),
    d.ATTACK: (COMMON, ["name aA", *PASSES, "h9", "hA", "hO", "bK"], "aU", "high trumps fall"),
    d.TOP: (
        ["l10 lU a10 aK bA bK", "hA hK hO lO l9 aU", "hU h9 aO b10 bO b9", "h10 lA lK aA a9 bU"],
        ["name aA", *PASSES],
        "bA",
        "4 cards of its suit are in other hands",
    ),
    d.QUIET: (COMMON, ["name aA", *PASSES], "h9", "the nine of hearts costs least"),
    d.ONLY: (MARRIED, ["name hA", "kontra", "hO for 40"], "h10", "the only card that I may play"),
    d.REACH: (
        ["h10 h9 aO bK bO b9", "hO lA lO l9 aU bA", "hA hU l10 lU aA a9", "hK lK a10 aK b10 bU"],
        ["name bA", *PASSES, "bO for 40", "b10", "a9", "bA", "lA"],
        "bK",
        "with it we have at least 79 points",
    ),
    d.GIVE: (LOW_ALONE, ["name aO", "pass", "kontra", "a9", "l9", "aK"], "h10", "seat 2 is my partner"),
    d.TAKE: (
        ["h10 hO hU lA aO b10", "lK aA aU bK bO b9", "h9 lO lU l9 aK bA", "hA hK l10 a10 a9 bU"],
        ["name hA", *PASSES, "hU"],
        "hA",
        "nobody can win the trick back",
    ),
    d.PLAY_TOP: (COMMON, ["name aA", *PASSES, "h9"], "hA", "no higher card is left above the ace of hearts"),
    d.TRUST: (STRONG, ["name a10", *PASSES, "aO for 40", "aA", "a9"], "b10", "need not be an opponent"),
    d.LEAST: (DOUBLED, ["name hA", "kontra", "h9"], "hU", "costs least to part with"),
    PROBABLE_CLAIM: (
        ["hO h9 lA lK aK b9", "hA h10 hU bA bK bO", "hK l10 aA aO aU bU", "lO lU l9 a10 a9 b10"],
        ["name hA", *PASSES, *"h9 a9 hK h10".split(), "bO for 20", *"b9 b10 bU l9 l10 hU lA bK hO".split()],
        "dost",
        "is enough",
    ),
    PROBABLE_GIFT: (
        ["lA lK lU bK bO bU", "hA hU a10 aO aU a9", "hK l10 aK bA b10 b9", "h10 hO h9 lO l9 aA"],
        ["name bK", *PASSES, "bO for 40"],
        "h10",
        "the trick is ours with",
    ),
}


@pytest.mark.parametrize("number", sorted(TITLES))
def test_every_rule_in_a_position_of_its_own(number):
    hands, moves, move, part = POSITIONS[number]
    table = table_with(hands, moves)
    agent = agent_called("rules" if number < PROBABLE_CLAIM else "risky")
    decision = table.ask(agent, explain=True)
    assert decision.text == move
    assert decision.reasons[-1].startswith(f"Rule {number}, {TITLES[number]}: ")
    assert part in decision.reasons[-1]


def test_rekontra():
    moves = ["name hA", "pass", "kontra"]
    table = table_with(ALONE_ON_TOP, moves, rekontra=True)
    assert table.ask(agent_called("rules")).text == "rekontra"
    weaker = ["hA hU lU aA aO a9", *ALONE_ON_TOP[1:3], "l10 h10 aK b10 bO b9"]
    assert table_with(weaker, moves, rekontra=True).ask(agent_called("rules")).text == "pass"


def test_scores_of_hands_add_up():
    """By hand from the tables: three trumps with ten, king and over, an ace beside them, no hearts."""
    hand = mask("l10 lU a10 aK aO bA")
    assert score(hand, 2, WITH_PARTNER) == min(56 + 11 + 6 + 4 + 21 + 18 + 3 + 6, 95)
    assert score(hand, 2, ALONE) == -370 + 100 + 30 + 23 + 200 + 170 + 27 + 110
    assert score(hand, 2, DEFENCE) == -145 + 20 + 30 + 25 + 65 + 10 + 15
    assert score(mask("a10 aK aO"), 2, ALONE) == -370 + 100 + 30 + 23 + 200  # unseen suits are not voids


@pytest.mark.parametrize("hand", ["", "hA", "hA h10 hK hO hU h9", "l9 aU b9", "hA lA aA bA h10 l10"])
def test_any_hand_names_a_card(hand):
    card = card_to_name(mask(hand), 0)
    own = mask(hand) >> card & 1
    suit = [code for code in hand.split() if code[0] == card_code(card)[0]]
    higher = [card_code(c) for c in range(card + 1, card // 6 * 6 + 6)]
    assert all((code in suit) != own for code in higher)


OPTIONS = [
    {},
    {"direction": 1, "chooser": 2, "sumec": "announced"},
    {"choose_after": 3, "relax_if_trumped": True, "rekontra": True},
    {"claim": "auto", "schwarz": True},
    {"strict_claim": True, "choose_after": 0},
]


@pytest.mark.parametrize("name", ["rules", "risky", "risky:risk=0", "risky:risk=1"])
def test_legal_whatever_the_others_do(name):
    """A match stops with an error at an illegal action."""
    for options in OPTIONS:
        result = hh.match("snaps", [name, "random", name, "random"], games=400, seed=3, rotate=True, **options)
        assert np.allclose(result.payoffs.sum(axis=1), 0.0)


@cache
def agent_called(name):
    """One agent for all tables: options do not change what it is."""
    return hh.agent("snaps", name)


def decisions_in(games, name="rules", seed=0):
    """(table, legal actions) of every decision in games between the agent and random players, under any options."""
    for number in range(games):
        random = np.random.default_rng(seed + number)
        table = Table(hh.game("snaps", **random_options(random)), seed + number)
        agents = [agent_called(str(random.choice([name, "random"]))) for _ in range(SEATS)]
        while not table.over:
            yield table, np.array(table.legal_actions(), np.int64)
            table.play(table.ask(agents[table.turn]).action)


def test_only_what_the_seat_may_know_is_read():
    """The same action from the true state, from the view, and with everybody else's cards exchanged."""
    world = new_records(hh.game("snaps").rules.state, 1)[0]
    changed = 0
    for table, actions in decisions_in(40):
        s, me = table.state, table.turn
        if s.phase == CHOOSING and s.choose_after < 6:
            continue  # a state in which the chooser's hand is not complete is only in his view
        found = decide_both(s, me, actions)
        assert decide_both(table.view(me).record, me, actions) == found
        assign(world, s)
        table.game.rules.redeal(world, me, stream(7))
        changed += world.holder != s.holder
        assert decide_both(world, me, actions) == found
    assert changed > 100


def decide_both(s, me, actions):
    return d.decide(s, me, actions, len(actions)), decide_risky(s, me, actions, len(actions), 0.5)


def late_decisions(count):
    """Positions with few cards left, in the tricks, and the seat to move."""
    found, seed = 0, 100
    while found < count:
        seed += 1
        random = np.random.default_rng(seed)
        position = Position(random_options(random), seed, int(random.integers(12, 20)))
        if position.state.phase == TRICKS:
            found += 1
            yield position, int(position.state.mover)


def trick_takers(s):
    """Every seat that can take the trick in progress, by any legal play. (At the end the mover is its taker, too.)"""
    if s.plays % 4 == 0:
        return {int(s.mover)}
    found = set()
    for action in legal_actions(s):
        if action < CARDS:
            after = new_records(s.dtype, 1)[0]
            assign(after, s)
            play(after, action, stream(0))
            found |= trick_takers(after)
    return found


def test_what_is_certain_of_a_trick_by_brute_force():
    """In every world that the seat cannot exclude, and whatever is played: OURS is ours, THEIRS is theirs."""
    seen = {OURS: 0, OPEN: 0, THEIRS: 0}
    both = 0
    for position, me in late_decisions(60):
        view = view_of(position.state, me)
        f = facts_for(view, me)
        worlds = position.worlds(me)[:40]
        for card in (action for action in legal_actions(position.state) if action < CARDS):
            ours = set()
            for hands in worlds:
                s = new_records(view.dtype, 1)[0]
                assign(s, position.state)
                s.auto_claim = 0
                s.hands = hands
                s.holder = position.holder_in(hands)
                play(s, card, stream(0))
                mine = side_with(s, me, s.holder)
                ours |= {mine == side_with(s, taker, s.holder) for taker in trick_takers(s)}
            certain = fate(view, f, card)
            seen[certain] += 1
            assert certain == OPEN or ours == {certain == OURS}
            both += certain == OPEN and len(ours) == 2
    assert min(seen.values()) > 20
    assert both > 0.6 * seen[OPEN]  # OPEN is not said too often: hands that must hold something are not counted


def test_certain_points_by_brute_force():
    reached = 0
    for position, me in late_decisions(60):
        view = view_of(position.state, me)
        totals, with_trick = set(), set()
        for hands in position.worlds(me):
            holder = position.holder_in(hands)
            mine = side_with(view, me, holder)
            totals.add(int(total_with(view, mine, holder, 0)))
            friends = [seat for seat in range(SEATS) if side_with(view, seat, holder) == mine]
            with_trick.add(sum(int(view.points[seat] + view.bonus[seat]) for seat in friends) + 7)
        f = facts_for(view, me)
        assert certain_points(view, f, 0) <= min(totals)
        assert certain_points_with_trick(view, f, 7) <= min(with_trick)
        reached += certain_points(view, f, 0) == min(totals) and certain_points_with_trick(view, f, 7) == min(
            with_trick
        )
    assert reached >= 57


def test_chances_against_all_worlds():
    """Of the trick: nearly the share of worlds; of 66 points: exactly."""
    errors = []
    for position, me in late_decisions(80):
        view = view_of(position.state, me)
        f = facts_for(view, me)
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        weigh(view, me, chances, holders)
        worlds = position.worlds(me)
        enough = [total_with(view, side_with(view, me, h), h, 0) >= 66 for h in map(position.holder_in, worlds)]
        assert enough_chance(view, f, holders, 0) == pytest.approx(np.mean(enough))
        if f.led == NONE or f.later == 0:
            continue
        other = (me + int(view.direction)) % SEATS
        beaten = [can_beat(position.state, hands, other, int(f.led), int(f.best), f) for hands in worlds]
        errors.append(abs(min(beat_chance(f, chances, other, f.led, f.best), 1.0) - np.mean(beaten)))
        for card in range(CARDS):
            if view.hands[me] >> card & 1:
                assert -1e-9 <= ours_chance(view, f, chances, holders, card) <= 1 + 1e-9
    assert len(errors) > 20
    assert np.mean(errors) < 0.03


def can_beat(s, hands, other, led, best, f):
    """Whether this hand can beat the best card, the named one left out if it is a partner's for certain."""
    hand = [card for card in range(CARDS) if hands[other] >> card & 1]
    follows = [card for card in hand if card // 6 == led]
    usable = [card for card in hand if not int(f.harmless) >> card & 1]
    higher = [card for card in usable if card // 6 == best // 6 and card > best]
    if best // 6 == f.trump:
        return bool(higher) and (led == f.trump or not follows)
    return bool(higher) or (not follows and any(card // 6 == f.trump for card in usable))


@pytest.mark.parametrize("name", ["rules", "risky"])
def test_reasons_are_those_of_the_move(name):
    """Explained or not, the same move; the last sentence names the rule; who may beat a card may really hold it."""
    agent = agent_called(name)
    numbers, beaters = set(), []
    for table, actions in decisions_in(60, name, seed=500):
        decision = table.ask(agent, explain=True)
        assert decision.action == table.ask(agent).action
        found = re.match(r"Rule (\d+), ", decision.reasons[-1])
        number = int(found.group(1))
        numbers.add(number)
        assert number == decide_both(table.view().record, table.turn, actions)[name == "risky"][1]
        assert all(re.match(r"Not rule \d+ \(", reason) for reason in decision.reasons[:-1])
        beaters += chances_of_beaters(table, decision.reasons)
    assert len(numbers) >= 17
    assert len(beaters) > 100
    assert np.mean(np.array(beaters) > 0.0) > 0.98  # what a hand must hold is not counted out


def chances_of_beaters(table, reasons):
    """For each "the ... may be beaten by seat 2 with the ...", how likely the seat really has that card."""
    chances, found = np.zeros((SEATS, CARDS)), []
    if table.state.phase == TRICKS:
        exact_chances(table.view().record, table.turn, chances)
    trump = int(table.state.named) // 6
    for reason in reasons:
        told = re.search(r": the (.*?) may be beaten by seat (\d) with the (.*?)\.$", reason)
        if told:
            card, seat, higher = NAMES[told.group(1)], int(told.group(2)), NAMES[told.group(3)]
            assert seat != table.turn
            assert higher > card if higher // 6 == card // 6 else higher // 6 == trump
            found.append(chances[seat, higher])
    return found


def test_no_threat_where_a_card_is_sure():
    for table, actions in decisions_in(30, seed=900):
        if table.state.phase == TRICKS:
            view = table.view().record
            f = facts_for(view, table.turn)
            for action in actions:
                if action < CARDS and fate(view, f, action) == OURS and f.owner == NONE:
                    assert threat(view, f, int(action)) is None


def test_risk_moves_the_thresholds():
    """The bold play alone, claim falsely and double more often than the cautious."""
    found = []
    for risk in (0, 0.5, 1):
        result = hh.match("snaps", [f"risky:risk={risk}"] * 4, games=4000, seed=1)
        found.append(dict(zip(metrics_of(hh.game("snaps")), result.metrics.mean(axis=0))))
    for name in ("sumec", "kontra", "false_claim"):
        values = [metrics[name] for metrics in found]
        assert values == sorted(values)
        assert values[0] < values[2]
    assert found[0]["false_claim"] == 0.0


@pytest.mark.parametrize("name", ["rules", "risky"])
def test_beats_random_on_duplicate_deals(name):
    """The mean lies ten standard errors above the bound."""
    result = hh.match("snaps", [name, name, "random", "random"], games=8000, seed=11, duplicate=True)
    deals = result.payoffs[:, :2].mean(axis=1).reshape(-1, SEATS).mean(axis=1)
    assert deals.mean() - 5 * deals.std() / np.sqrt(len(deals)) > 0.3
