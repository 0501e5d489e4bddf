"""Dominion: the reason of a move names the card that the move names, and no card that is not in the game."""

import re

import pytest

from hiddenhand.core.resolver import agent, game
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.steps import CHOICE, YES_OR_NO

CARD = re.compile(r"\b(" + "|".join(sorted(NAMES, key=len, reverse=True)) + r")\b")
APPLIES = re.compile(r'"([^"]*)" is the first entry of what to \w+ that applies')
SOME_LISTS = (
    "menu:Province, Gold, Remodel up to 1, Workshop up to 1, Militia up to 1, Market, Silver; gain: Market, Village; "
    "trash: Estate; discard: Estate, Copper; play: Market; cautious; penultimate"
)
GENOMES = (
    "genome:{gaining: {Gold: 0.5, Silver: 0.3, Remodel: 0.2}, playing: [Militia, Remodel]}",
    "genome:{gaining: weighted {Province: 0.8, Gold: 0.1, Workshop: 0.1}}",
)
FIRST_GAME = {"kingdom": "First Game"}
SIZE = {"kingdom": "Size Distortion"}
KINGDOMS = (
    FIRST_GAME,
    SIZE,
    {"kingdom": "Interaction"},
    {"kingdom": "Deconstruction", "edition": "second"},
    {"kingdom": "mixed:4", "edition": "second"},
)
CASES = [
    *((name, options) for name in ("bigmoney", "greedy", "evolved") for options in KINGDOMS),
    (SOME_LISTS, FIRST_GAME),
    *((genome, FIRST_GAME) for genome in GENOMES),
    ("published", FIRST_GAME),
    ("published_size", SIZE),
    ("reference:remodel_village_smithy", FIRST_GAME),
    ("reference:gardens_workshop", SIZE),
]
RICH = ("Remodel", "Workshop", "Feast", "Artisan", "Militia", "Bureaucrat", "Bandit", "Replace", "Swindler")
"""Cards that ask, which everybody gets a copy of: strategies seldom buy them all."""


def decisions(name, options, games=3, moves=160):
    """Decisions of an agent with its reasons, and the table at which they were taken."""
    of = game("dominion", **options)
    decider = agent(of, name)
    for seed in range(games):
        table = of.deal(seed)
        s = table.state
        for seat in range(2):
            for card in (NAMES.index(card) for card in RICH if NAMES.index(card) in s.piles):
                s.decks[seat, s.deck_sizes[seat]] = card
                s.deck_sizes[seat] += 1
                s.owned[seat, card] += 1
        for _ in range(moves):
            if table.over:
                break
            decision = decider.explain(table.view(table.turn))
            yield table, decision
            table.play(decision.action)


@pytest.mark.parametrize(
    ("name", "options"), CASES, ids=[f"{name[:20]}-{options['kingdom']}" for name, options in CASES]
)
def test_the_reason_names_the_card_of_the_move(name, options):
    told = 0
    for table, decision in decisions(name, options):
        s, action, said = table.state, int(decision.action), " ".join(map(str, decision.reasons))
        named = CARD.findall(said)
        assert {NAMES.index(card) for card in named} <= set(s.piles.tolist()), said
        kind = int(s.step_kinds[s.steps - 1]) if s.steps > 0 else -1
        if action == STOP or 0 <= kind <= CHOICE or kind == YES_OR_NO:
            continue
        told += 1
        move = NAMES[action - CHOOSE]
        for entry in APPLIES.findall(said):
            assert CARD.findall(entry)[0] == move, (table.action_name(action), decision.reasons)
        assert move in named, (table.action_name(action), decision.reasons)
    assert told > 100
