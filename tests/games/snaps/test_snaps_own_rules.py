"""Rules written as text: read, written again, followed, explained, and refused with the place of the mistake."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.core.errors import TextFault, UserError
from hiddenhand.core.policy import record_of
from hiddenhand.games.snaps.beliefs.exact import exact_chances
from hiddenhand.games.snaps.cards import CARDS, RANKS, SEATS, VALUES
from hiddenhand.games.snaps.own_rules.encoding import MOST_LINES, parameters_of, rules_of
from hiddenhand.games.snaps.own_rules.language import (
    COMPARISONS,
    RuleCondition,
    RuleQuantity,
    WrittenRule,
    WrittenRules,
)
from hiddenhand.games.snaps.own_rules.parser import read_rules
from hiddenhand.games.snaps.state import DOST, TRICKS

ALL = "claim, pull, announce, cash, show, attack, top, quiet, reach, give, take, beat, trust, least"
TEXTS = (
    "rules",
    ALL,
    "claim, give, dearest losing when ours >= 70% and following, dost when enough is certain, rules",
    "belief exact; kontra when win >= 2/3, alone when gain > -0.2, cheapest top when holds(next, led A) is unlikely",
    "highest trump winning when holds(chooser, trump 10) < 75% and not last; least when friend is open and trick = 6",
    "lowest when value <= 4 and points != 0\n# nothing here\n\ntake when holds(winner, named) is impossible",
)


@pytest.mark.parametrize("text", TEXTS)
def test_text_data_and_record_are_one(text):
    rules = read_rules(text)
    assert read_rules(str(rules)) == rules
    assert rules_of(record_of(parameters_of(rules))) == rules


def test_what_is_read():
    rules = read_rules(
        "belief exact; dearest losing when ours >= 70% and holds(second, hA) < 1/4, kontra when win is likely"
    )
    assert rules == WrittenRules(
        (
            WrittenRule(
                15,
                16,
                (
                    RuleCondition(RuleQuantity(0), COMPARISONS.index(">="), 0.7),
                    RuleCondition(RuleQuantity(3, 1, 3, 5), 0, 0.25),
                ),
            ),
            WrittenRule(20, 0, (RuleCondition(RuleQuantity(10), band="likely"),)),
        ),
        "exact",
    )


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "a list of rules needs a line"),
        ("clam", 1, 'there is no rule "clam" (did you mean claim?)'),
        ("claim, give trump", 13, '"give" knows by itself which cards'),
        ("dearest when ours", 18, 'expected one of < <= = != >= >, or "is" and a band, after "ours", not the end'),
        ("dearest when ours is maybe", 22, 'there is no band "maybe"'),
        ("dearest when value is likely", 23, '"value" is no chance'),
        ("kontra when ours > 1", 13, '"kontra" has only "win"'),
        ("give when win > 2", 11, '"win" cannot be asked there'),
        ("dearest when holds(next hA)", 25, 'expected "," and a card, not "hA"'),
        ("dearest when holds(next, trump Z)", 32, "expected a rank"),
        ("dearest when not ours", 18, "there is: leading, following"),
        ("dearest when ours > 1/0", 21, "nothing can be divided by 0"),
        ("belief foo; rules", 8, 'there is no belief "foo"'),
        ("dearest, $", 10, "rules have no character '$'"),
    ],
)
def test_a_mistake_has_a_column(text, column, message):
    with pytest.raises(TextFault) as fault:
        read_rules(text)
    assert fault.value.column == column
    assert message in str(fault.value)
    assert "\n" not in str(fault.value)


def test_in_several_lines_the_line_is_named_too():
    with pytest.raises(TextFault, match=r'^line 2, column 22: expected a number such as 75% after ">=", not "x"'):
        read_rules("give\ndearest when ours >= x")
    with pytest.raises(UserError, match=f"{MOST_LINES + 1} lines, and there is room for {MOST_LINES}"):
        parameters_of(read_rules(", ".join(["give"] * (MOST_LINES + 1))))


def positions(games, options=None):
    """Tables before every decision in the tricks of games between random players."""
    game = hh.game("snaps", **(options or {}))
    agent = hh.agent(game, "random")
    for seed in range(games):
        table = game.deal(seed=seed)
        while not table.over:
            if table.state.phase == TRICKS and len(table.legal_actions()) > 1:
                yield table
            table.play(table.ask(agent).action)


def test_all_the_rules_by_name_are_the_rules():
    ours, theirs = hh.agent("snaps", f"own_rules:{ALL}"), hh.agent("snaps", "rules")
    nothing = hh.agent("snaps", "own_rules:least when trick > 6")
    for table in positions(8):
        expected = table.ask(theirs).action
        assert table.ask(ours).action == expected
        assert table.ask(nothing).action == expected


def test_a_line_plays_what_its_words_say():
    """Held against the same choice made in plain Python from the exact belief."""
    agent = hh.agent("snaps", "own_rules:belief exact; dearest side when holds(next, trump A) >= 30% and value >= 3")
    rules = hh.agent("snaps", "rules")
    fired = 0
    for table in positions(20):
        s, seat = table.state, table.turn
        chances = np.zeros((SEATS, CARDS))
        exact_chances(table.view(seat).record, seat, chances)
        trump = int(s.named) // RANKS
        after = (seat + int(s.direction)) % SEATS
        cards = [a for a in table.legal_actions() if a < CARDS and a // RANKS != trump and VALUES[a] >= 3]
        wanted = max(cards, key=lambda card: VALUES[card], default=None)
        decision = table.ask(agent, explain=True)
        assert decision.action == table.ask(agent).action
        if wanted is not None and chances[after, trump * RANKS + RANKS - 1] >= 0.3 - 1e-9:
            fired += 1
            assert decision.action == wanted
            assert decision.reasons[0].startswith('Line 1, "dearest side when holds(next, trump A) >= 30%')
        else:
            assert decision.action == table.ask(rules).action
            assert decision.reasons[0].startswith("Not line 1, ")
            assert "what the rules do" in decision.reasons[1]
    assert fired > 10


def test_chances_decide_what_is_said():
    """A hand is called strong enough as the conditions ask: never, always, or as the rules do."""
    game = hh.game("snaps")
    never, always = (hh.agent(game, f"own_rules:kontra when win {sign} 0%") for sign in ("<", ">="))
    alone, together = (hh.agent(game, f"own_rules:alone when gain {sign} -100") for sign in (">", "<"))
    for seed in range(12):
        table = game.deal(seed=seed)
        hand = int(table.state.hands[0])
        assert hand >> table.ask(alone).action & 1
        assert not hand >> table.ask(together).action & 1
        assert "gain is" in table.ask(alone, explain=True).reasons[0]
        table.play(table.ask(together).action)
        if len(table.legal_actions()) > 1:
            assert table.action_name(table.ask(never).action) == "pass"
            assert table.action_name(table.ask(always).action) == "kontra"
            assert "win is" in table.ask(always, explain=True).reasons[0]


def test_a_claim_by_chance():
    bold = hh.agent("snaps", "own_rules:dost when enough >= 0%")
    claimed = [table.ask(bold).action for table in positions(30) if DOST in table.legal_actions()]
    assert claimed
    assert all(action >= 48 for action in claimed)
