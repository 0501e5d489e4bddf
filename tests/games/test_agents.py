"""Every agent in every game: legal moves, the same answer twice, reasons for the move, no looking at cards."""

import re

import pytest

import hiddenhand as hh
from hiddenhand.core.agent import Agent
from hiddenhand.core.resolver import agents, game, games
from hiddenhand.core.table import Table
from hiddenhand.kernel import derive, stream

QUICK = {
    "minimax": "minimax:depth=2",
    "maxn": "maxn:depth=2",
    "alphabeta": "alphabeta:depth=3",
    "expectiminimax": "expectiminimax:depth=2",
    "uct": "uct:simulations=60",
    "ismcts": "ismcts:simulations=60",
    "pimc": "pimc:worlds=5,depth=2",
    "cfr": "cfr:iterations=20",
    "search": "search:playouts=40,worlds=10,exact=50",
    "averaging": "averaging:time=0.05",
    "best_reply": "best_reply:worlds=20,particles=100",
    "planner": "planner:depth=2",
    "pomcp": "pomcp:simulations=60",
    "point_based": "point_based:walks=2",
}
QUICK_IN = {("snaps", "pimc"): "pimc:worlds=5"}
CHEATERS = {("hanabi", "cheater"), ("hanabi", "smart_cheater"), ("snaps", "cheater")}
REFUSING = {("blind_tictactoe", "cfr"), ("dark_hex", "cfr"), ("battleship", "cfr")}

PAIRS = [(name, agent) for name in games() for agent in agents(name) if (name, agent) not in REFUSING]


def quick(name, agent):
    """An agent with little time to think; one that reads a text of its own, with its example."""
    example = getattr(agents(name)[agent], "example", "")
    return f"{agent}:{example}" if example else QUICK_IN.get((name, agent), QUICK.get(agent, agent))


def some_positions(name, every=5, games_played=2):
    """Positions from random games, with a seat to move."""
    chance_free = hh.agent(name, "random")
    for seed in range(games_played):
        table = game(name).deal(seed)
        while not table.over and len(table.history) < 60:
            if len(table.history) % every == seed:
                yield table
            table.play(table.ask(chance_free).action)


# Sentences in which an agent names its move, and another one beside it.
NAMED = [
    re.compile(frame.replace("MOVE", "(?P<move>.+?)").replace("OTHER", "(?P<other>.+?)"))
    for frame in (
        r"^MOVE was drawn at random from ",
        r"^(?!The next best, )MOVE is worth [-+\d.e]+(?: to me|,? over |, played for ever)",
        r"^The next best, OTHER, is worth [-+\d.e]+ less\.$",
        r"^Just as good: (?P<others>.+)\. I took the one I looked at first\.$",
        r"^MOVE is part of the best way to play these dice",
        r"^With OTHER I would win ",
        r"searched each with open cards: MOVE brings [-+\d.]+ on average",
        r"^OTHER (?:has the same average; I took the first|comes next, )",
        r"^MOVE, as [^:]+ would play: .+ The nearest, OTHER, is ",
        r"^MOVE instead of OTHER, which .+ would play: ",
        r"^I played \d+ games in my head from here; MOVE was followed in ",
        r"^The best other move, OTHER, brought ",
        r"^I imagined .+ possible futures from what I believe; MOVE began ",
        r"^The next best, OTHER, is worth .+ of them\.$",
        r"^At once MOVE pays [-\d.e]+ on average and OTHER [-\d.e]+;",
        r"^Why not OTHER\? It is worth .+ than MOVE \(",
        r"^The solution of the game mixes its moves here: .+%\. MOVE was drawn",
        r"^The solution of the game \(as good as\) always chooses MOVE here",
        r"^(?!It )MOVE is the only legal (?:move|action)\.",
        r'^My network gives "MOVE" a chance of ',
        r'I expect a payoff of [-+\d.]+ from "MOVE"\.$',
        r'my teacher would choose "MOVE" here with a chance of ',
        r'^Next comes "OTHER" with ',
        r"^MOVE wins [\d.]+ % of \d+ imagined deals",
        r"^First (?:play|discard|hint) was drawn, each sort being equally likely, then MOVE\.$",
        r"^So I MOVE\.$",
        r"^I choose “MOVE”",
        r"^MOVE wins against any defence\.",
    )
]
SEATS = re.compile(r"\bseats? (\d+)\b")


def moves_named(explained):
    """Of each reason that names a move in one of these sentences: the sentence, its move, and the other one."""
    for reason in explained.reasons:
        for frame in NAMED:
            for found in frame.finditer(reason):
                yield reason, found.groupdict()


def check_reasons(name, table, explained):
    """Reasons and move speak of the same action, and what they name is there: other moves, seats, cards in a hand."""
    texts = {table.action_name(action) for action in table.legal_actions()}
    named = 0
    for reason, found in moves_named(explained):
        assert found.get("move", explained.text).replace(" card ", " ") == explained.text, reason
        others = found["others"].split(", ") if "others" in found else [found["other"]] if "other" in found else []
        for other in others:
            assert other in texts - {explained.text}, reason
        named += 1
    for reason in explained.reasons:
        for seat in SEATS.findall(reason):
            assert 0 <= int(seat) < table.game.players, reason
    if name == "hanabi":
        check_hand(table, explained)
    chosen = next((each for each in explained.alternatives if each.action == explained.action), None)
    if chosen is not None:
        assert chosen.text == explained.text
        assert {each.text for each in explained.alternatives} <= texts
        assert not chosen.line or chosen.line[0].endswith(explained.text)
        assert not explained.line or explained.line[0].endswith(explained.text)
        assert not chosen.line or not explained.line or chosen.line == explained.line
    return named


def check_hand(table, explained):
    """In Hanabi: the card that is played or discarded, or the player who is told something, is in the reasons; and
    every card that they name is in a hand."""
    told, hand = " ".join(explained.reasons), (5, 5, 5, 5, 4, 4)[table.game.players]
    for numbers in re.findall(
        r"\b[Cc]ards? ((?:\d+(?:, | and )?)+)(?! (?:in the deck|are possible|is possible))", told
    ):
        assert all(1 <= int(number) <= hand for number in re.findall(r"\d+", numbers)), told
    kind, *rest = explained.text.split()
    if kind in ("play", "discard"):
        assert re.search(rf"\b[Cc]ards? (?:\d+, |\d+ and )*{rest[0]}\b|{explained.text}", told), told
    else:
        any_will_do = "pass" in told or "It says the number" in told  # `hat` tells all the others at once
        assert f"eat {rest[0]}" in told or explained.text in told or any_will_do, told


CARD = re.compile(r"(?:.* )?([alhb])(9|U|O|K|10|A)(?: .*)?")
SUIT_WORDS = {"a": "acorns", "l": "leaves", "h": "hearts", "b": "bells"}
GENERAL = ("habit", "own_rules")
"""Agents of snaps that tell a habit, or a line of a text, and no card."""


def check_card(explained):
    """In snaps: the reasons name the card, or at least its suit."""
    told, card = " ".join(explained.reasons), CARD.fullmatch(explained.text)
    assert explained.text in told or (card is not None and SUIT_WORDS[card[1]] in told), (explained.text, told)


NAMELESS = ("hanabi", "snaps", "dominion")
"""Agents of these games say which rule or which card decides in words of their own."""


@pytest.mark.parametrize(("name", "agent"), PAIRS)
def test_decides_and_explains_the_same(name, agent):
    player = hh.agent(name, quick(name, agent))
    named = positions = 0
    for table in some_positions(name):
        decision = table.ask(player)
        assert decision.action in table.legal_actions()
        assert decision.text == table.action_name(decision.action)
        explained = table.ask(player, explain=True)
        assert explained.action == decision.action
        assert explained.reasons
        assert [a.action for a in explained.alternatives] == table.legal_actions() or agent == "cfr"
        assert str(explained)
        explained.to_json()
        named += check_reasons(name, table, explained)
        positions += len(table.legal_actions()) > 1
        if name == "snaps" and agent not in GENERAL and len(table.legal_actions()) > 1:
            check_card(explained)
    assert named >= positions or name in NAMELESS, "the reasons name no move"


@pytest.mark.parametrize(("name", "agent"), [pair for pair in PAIRS if game(pair[0]).hidden])
def test_nobody_sees_through_the_cards(name, agent):
    """A seat whose hidden cards are redealt decides the same."""
    of = game(name)
    player: Agent = hh.agent(of, quick(name, agent))
    assert player.cheats == ((name, agent) in CHEATERS)
    if player.cheats:
        return
    for number, table in enumerate(some_positions(name, every=7)):
        other = Table(of, table.seed, rolls=False)
        for action in table.history:
            other.play(action)
        of.rules.redeal(other.state, other.turn, stream(derive(5, number)))
        assert other.ask(player).action == table.ask(player).action
        assert other.view(table.turn).to_json() == table.view(table.turn).to_json()
