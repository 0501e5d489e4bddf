"""Hanabi's simpler agents: the scores of the thesis, their rules in positions made by hand, honesty, reasons."""

import os
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.seeds import Seeds
from hiddenhand.core.table import Table
from hiddenhand.games.hanabi.cheaters import cheat, cheat_smartly, pass_harms
from hiddenhand.games.hanabi.deduction import by_hints, count_unseen, left_cards, playable_cards, share
from hiddenhand.games.hanabi.random_play import draw_erratically, draw_safely
from hiddenhand.games.hanabi.rules import COPIES, DISCARD, HINT, begin
from hiddenhand.games.hanabi.simple_distrustful import choose
from hiddenhand.games.hanabi.texts import LETTERS
from hiddenhand.kernel import derive, stream

AGENTS = ["cheater", "smart_cheater", "erratic", "stopped_clock", "simple_distrustful"]
CHEATERS = {"cheater", "smart_cheater"}
ALL = [card for card in range(25) for _ in range(COPIES[card % 5])]
ANYTHING = 26.0

# The means of the thesis for 2 to 5 players, and how far below and above them ours may lie. Over 10,000 games the
# means of all five agents lie at least five standard errors inside.
SCORES = {
    "cheater": ([20.50, 22.27, 21.73, 21.94], 0.25, 0.25),
    "smart_cheater": ([24.72, 24.91, 24.89, 24.85], 0.05, ANYTHING),
    "erratic": ([1.45, 1.32, 1.30, 1.34], 0.25, 0.25),
    "stopped_clock": ([5.74, 6.25, 5.31, 4.51], 0.5, 0.5),
    "simple_distrustful": ([13.37, 15.48, 15.06, 14.02], 0.1, ANYTHING),
}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", AGENTS)
def test_scores_as_in_the_thesis(name, players):
    means, below, above = SCORES[name]
    result = hh.match("hanabi", [name] * players, games=10_000, seed=1, players=players)
    assert means[players - 2] - below <= result.payoffs[:, 0].mean() <= means[players - 2] + above


@pytest.mark.parametrize("name", [name for name in AGENTS if name != "erratic"])
@pytest.mark.parametrize("rules", ["thesis", "strict"])
def test_never_loses_a_life(name, rules):
    for players in (2, 5):
        result = hh.match("hanabi", [name] * players, games=300, seed=2, players=players, rules=rules)
        assert result.metrics[:, 1].sum() == 0


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("players", [3, 5])
def test_plays_with_partners_that_play_anything(name, players):
    """Positions of every sort come up, and it finds a legal action in all of them."""
    for rules in ("thesis", "strict"):
        others = ["random"] * (players - 1)
        hh.match("hanabi", [name, *others], games=200, seed=3, players=players, rules=rules)


# --- the same by itself ---------------------------------------------------------------------------


def positions(players, seeds=2, every=4, rules="thesis", player="simple_distrustful"):
    of = game("hanabi", players=players, rules=rules)
    anyone, wild = agent(of, player), agent(of, "erratic")
    for seed in range(seeds):
        table = Table(of, seed)
        while not table.over:
            if len(table.history) % every == seed % every:
                yield table
            table.play(table.ask(wild if len(table.history) % 7 == 6 else anyone).action)


@pytest.mark.parametrize("name", sorted(set(AGENTS) - CHEATERS))
@pytest.mark.parametrize("players", [3, 5])
def test_decides_by_what_it_sees(name, players):
    player = agent(game("hanabi", players=players), name)
    for number, table in enumerate(positions(players)):
        other = Table(table.game, table.seed)
        for action in table.history:
            other.play(action)
        table.game.rules.redeal(other.state, other.turn, stream(derive(6, number)))
        assert other.ask(player, explain=True).to_json() == table.ask(player, explain=True).to_json()


FIRED = {
    "cheater": (cheat, "Rule"),
    "smart_cheater": (cheat_smartly, "Rule"),
    "simple_distrustful": (lambda v, me, actions, rng: choose(v, me, actions, False, rng), "Module"),
}


@pytest.mark.parametrize("name", FIRED)
@pytest.mark.parametrize("rules", ["thesis", "strict"])
def test_reasons_name_the_rule(name, rules):
    decide, word = FIRED[name]
    fired_at_all = set()
    for players in (2, 5):
        player = agent(game("hanabi", players=players, rules=rules), name)
        for table in positions(players, seeds=4, every=1, rules=rules, player=name):
            explained = table.ask(player, explain=True)
            view = table.view(cheats=player.cheats)
            record = view.truth if player.cheats else view.record
            action, fired = decide(record, view.seat, np.array(view.legal_actions()), view.stream())
            assert action == explained.action
            named = re.findall(rf"{word} (\d)", " ".join(explained.reasons))
            assert named == [str(fired)]
            fired_at_all.add(fired)
    assert len(fired_at_all) >= 2


def test_random_agents_say_what_was_drawn():
    players = {name: agent(game("hanabi", players=3), name) for name in ("erratic", "stopped_clock")}
    for table in positions(3, every=1):
        view = table.view()
        actions = np.array(view.legal_actions())
        for name, drawn in (
            ("erratic", draw_erratically(actions, view.stream())),
            ("stopped_clock", draw_safely(view.record, view.seat, actions, view.stream())),
        ):
            explained = table.ask(players[name], explain=True)
            assert explained.action == drawn[0]
            assert ("play", "discard", "hint")[drawn[1]] in " ".join(explained.reasons).lower()


GAMES = f"""
import hiddenhand as hh
for name in {AGENTS}:
    for players in (2, 5):
        result = hh.match("hanabi", [name] * players, games=1, seed=4, players=players)
        print(name, result.payoffs.tolist(), result.metrics.tolist())
"""


def test_plays_the_same_without_compilation():
    def run(**environment):
        done = subprocess.run(
            [sys.executable, "-c", GAMES],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    assert run() == run(NUMBA_DISABLE_JIT="1")


# --- positions made by hand -----------------------------------------------------------------------


def cards(text):
    return [5 * LETTERS.index(word[0]) + int(word[1]) - 1 for word in text.split()]


def table_with(drawn, players, **options):
    """A table where the cards are drawn in this order, seat 0's hand first; the rest follows in order."""
    table = Table(game("hanabi", players=players, **options), 1)
    rest = Counter(ALL)
    rest.subtract(cards(drawn))
    order = cards(drawn) + sorted(rest.elements())
    table.state.deck[:] = order[::-1]
    begin(table.state)
    return table


def answer(table, name):
    return table.ask(agent(table.game, name)).text


def set_cards(table, piles="", discarded="", **fields):
    """Change a position: the tops of piles, what was discarded, and numbers."""
    for card in cards(piles):
        table.state.piles[card // 5] = card % 5 + 1
    for card in cards(discarded):
        table.state.discarded[card] += 1
    for name, value in fields.items():
        table.state[name] = value


def test_cheater_plays_what_is_playable():
    assert answer(table_with("r2 y3 g4 b1 w5", 2), "cheater") == "play 4"
    assert answer(table_with("r2 y3 g4 b2 w5", 2), "cheater").startswith("discard")


def test_cheater_passes_where_it_may_not_discard():
    assert answer(table_with("r2 y3 g4 b2 w5", 2, rules="strict"), "cheater").startswith("hint 1")


def test_smart_cheater_prefers_avalanches_then_low_ranks():
    table = table_with("w1 r2 y3 g4 b1  b2 g5 g3 w5 w4", 2)
    assert answer(table, "smart_cheater") == "play 5"
    table = table_with("y3 r2 b1 w5 g4  b3 g3 w4 w4 y4", 2)
    set_cards(table, piles="r1 y2 g3")
    assert answer(table, "smart_cheater") == "play 1"  # seat 1 goes on with yellow, not with blue
    table = table_with("y3 r2 b1 w5 g4  b3 g3 w4 w4 w3", 2)
    set_cards(table, piles="r1 y2 g3")
    assert answer(table, "smart_cheater") == "play 3"  # the lowest


def test_smart_cheater_discards_in_order():
    table = table_with("r1 r2 y3 g4 w5  g4 b3 y4 w4 b4", 2)
    set_cards(table, piles="r1", hints=0)
    assert answer(table, "smart_cheater") == "play 2"
    table = table_with("r1 r3 y3 g4 w5  g4 b3 y4 w4 b4", 2)
    set_cards(table, piles="r1", hints=0)
    assert answer(table, "smart_cheater") == "discard 1"  # useless
    table = table_with("r5 r3 y3 g4 w5  g4 b3 y4 w4 b4", 2)
    set_cards(table, piles="r1", hints=0)
    assert answer(table, "smart_cheater") == "discard 4"  # seat 1 has the other g4
    table = table_with("r5 r3 y3 g4 w5  g2 b3 y4 w4 b4", 2)
    set_cards(table, piles="r1", discarded="r3 g4", hints=0)
    assert answer(table, "smart_cheater") == "discard 3"  # the others are critical
    table = table_with("r4 r3 y3 g4 w5  g2 b3 y4 w4 b4", 2)
    set_cards(table, piles="r1", discarded="r3 g4 y3 r4", hints=0)
    assert answer(table, "smart_cheater") == "discard 5"  # all critical: the highest


def test_smart_cheater_passes_unless_it_harms():
    """With one token a pass leaves none for seat 1, who has neither a play nor a useless card."""
    table = table_with("r1 r3 y3 g4 w5  g4 b3 y4 w4 b4", 2)
    set_cards(table, piles="r1", hints=2)
    assert not pass_harms(table.state, 0)
    assert answer(table, "smart_cheater").startswith("hint 1")
    set_cards(table, hints=1)
    assert pass_harms(table.state, 0)
    assert answer(table, "smart_cheater") == "discard 1"
    table = table_with("r5 r3 y3 g4 w5  g4 b3 y4 w4 b4", 2)
    set_cards(table, piles="r1", hints=1)
    assert answer(table, "smart_cheater").startswith("hint 1")  # no useless card: it passes all the same


def test_smart_cheater_counts_what_the_others_win_back():
    """Seat 1 discards a useless card, so seat 2 can pass."""
    table = table_with("r5 r3 y3 g4 w5  r1 b3 y4 w4 b4  b3 y4 w4 b4 g2", 3)
    set_cards(table, piles="r1", hints=1)
    assert not pass_harms(table.state, 0)
    table = table_with("r5 r3 y3 g4 w5  b3 y4 w4 b4 g2  r1 b3 y4 w4 b4", 3)
    set_cards(table, piles="r1", hints=1)
    assert pass_harms(table.state, 0)


def test_erratic_draws_the_sort_first():
    """With 30 hints against 10 other actions, a third of its moves are hints."""
    of = game("hanabi", players=5)
    player = agent(of, "erratic")
    counts = Counter(Table(of, seed).ask(player).text.split()[0] for seed in range(1500))
    assert all(abs(counts[sort] - 500) < 95 for sort in ("play", "discard", "hint"))  # 5.2 deviations


def test_stopped_clock_knows_its_cards_before_it_plays():
    """A revealed 1 is played, a 1 of unknown colour is not; the untouched cards are discarded."""
    table = table_with("r1 y1 b4 b4 w5  r2 b3 g5 y1 b1", 2)
    drawn = Counter()
    for hint in ("rank 1", "red", "white"):
        table.play("hint 1 rank 1")
        table.play(f"hint 0 {hint}")
    player = agent(table.game, "stopped_clock")
    for seed in range(300):
        table.seeds = Seeds(seed, table.game.players)
        drawn[table.ask(player).text] += 1
    plays_and_discards = {text for text in drawn if not text.startswith("hint")}
    assert plays_and_discards == {"play 1", "discard 3", "discard 4"}
    assert abs(drawn["play 1"] - 100) < 42


def test_simple_distrustful_plays_what_is_sure():
    table = table_with("w5 r1 y1 b4 b4  r3 b3 g5 y4 b2", 2)
    table.play("hint 1 blue")
    table.play("hint 0 rank 1")
    assert answer(table, "simple_distrustful") == "play 2"


def test_simple_distrustful_hints_low_cards_of_the_nearest_player():
    table = table_with("w5 r4 y4 b4 b3  r3 b3 g2 y4 b5  r1 y1 g1 b1 w1", 3)
    assert answer(table, "simple_distrustful") in ("hint 1 rank 2", "hint 1 green")


def test_simple_distrustful_spares_a_hint_that_its_owner_does_not_need():
    """Seat 1 knows that its 1s are playable: their colours would be wasted words."""
    table = table_with("w5 r4 y4 b4 b3  r1 b1 g1 y1 w3  g5 y5 r3 g4 w2", 3)
    table.play("hint 1 rank 1")
    table.state.mover = 0
    assert answer(table, "simple_distrustful") in ("hint 1 rank 3", "hint 1 white")


def test_simple_distrustful_discards():
    """The oldest untouched card; when all are touched, the oldest that need not be critical."""
    table = table_with("w5 r4 y4 b4 b3  r3 b3 g5 y4 b2  w3", 2)
    table.play("discard 5")
    table.play("hint 0 rank 5")
    set_cards(table, hints=0)
    assert answer(table, "simple_distrustful") == "discard 2"
    set_cards(table, hints=8)
    for hint in ("rank 4", "rank 3"):
        table.play("hint 1 rank 5")
        table.play(f"hint 0 {hint}")
    set_cards(table, hints=0)
    assert answer(table, "simple_distrustful") == "discard 2"
    set_cards(table, discarded="r4 y4 g4 b4 w4")
    assert answer(table, "simple_distrustful") == "discard 5"


def test_simple_distrustful_discards_by_lot_when_all_is_critical():
    table = table_with("w5 r5 y5 b5 g5  r3 b3 g4 y4 b2", 2)
    table.play("hint 1 rank 2")
    table.play("hint 0 rank 5")
    set_cards(table, hints=0)
    drawn = set()
    for seed in range(60):
        table.seeds = Seeds(seed, table.game.players)
        drawn.add(answer(table, "simple_distrustful"))
    assert drawn == {f"discard {i}" for i in range(1, 6)}
    assert "Module 5" in table.ask(agent(table.game, "simple_distrustful"), explain=True).reasons[-1]


def test_simple_distrustful_passes_where_it_may_not_discard():
    """Seat 1 knows all its cards, none of seat 0's is surely playable, and all tokens are there."""
    table = table_with("w5 r4 y4 b4 b3  r3 b3 g3 y3 w3", 2, rules="strict")
    set_cards(table, hints=8)
    table.state.ranks[1] = 1 << 2
    table.state.colours[1] = [1, 8, 4, 2, 16]
    decision = table.ask(agent(table.game, "simple_distrustful"), explain=True)
    assert decision.text.startswith("hint 1")
    assert decision.reasons[-1].startswith("Module 6")


# --- a family of agents, and the letter of the thesis -------------------------------------------------


@pytest.mark.parametrize(("risk_aversion", "least"), [(0.0, 0.0), (0.6, 0.6), (1.0, 1.0)])
def test_inclined_plays_nothing_that_is_less_likely_than_it_asks(risk_aversion, least):
    """The chance of a card by counting, for every card that it plays."""
    player = hh.agent("hanabi", f"inclined:communicativeness=0.3,risk_aversion={risk_aversion}")
    table, plays = Table(game("hanabi"), 3), 0
    while not table.over:
        view, action = table.view(), table.ask(player).action
        if action < DISCARD:
            counts = np.zeros(25, np.int64)
            count_unseen(view.record, view.seat, view.seat, counts)
            cards = int(by_hints(view.record, view.seat, action)) & int(left_cards(counts))
            assert share(cards, playable_cards(view.record), counts) >= least - 1e-9
            plays += 1
        table.play(action)
    assert plays > 2


def test_inclined_hints_as_often_as_it_says():
    for communicativeness in (0.0, 1.0):
        player = hh.agent("hanabi", f"inclined:communicativeness={communicativeness},risk_aversion=1")
        table = Table(game("hanabi"), 1)
        hints = 0
        for _ in range(8):
            action = table.ask(player).action
            hints += action >= HINT
            table.play(action)
        assert (hints > 5) == (communicativeness == 1.0)
        assert (hints == 0) == (communicativeness == 0.0)


@pytest.mark.parametrize(
    ("agent", "printed"),
    [
        ("simple_distrustful", (13.37, 15.48, 15.06, 14.02)),
        ("distrustful", (17.52, 16.49, 15.72, 14.46)),
        ("trustful", (17.94, 20.39, 20.43, 19.03)),
    ],
)
def test_by_the_letter_the_agents_score_about_what_the_thesis_printed(agent, printed):
    """Within a point and a half, and nearer than the reading that scores most; but for trustful in pairs."""
    far, ours = [], []
    for players, mean in zip((2, 3, 4, 5), printed):
        if (agent, players) == ("trustful", 2):
            continue
        for text, gaps in ((f"{agent}:reading=published", far), (agent, ours)):
            got = hh.match("hanabi", [text] * players, games=1000, seed=77, players=players).payoffs[:, 0].mean()
            gaps.append(abs(got - mean))
    assert max(far) < 1.5
    assert sum(far) < sum(ours)
