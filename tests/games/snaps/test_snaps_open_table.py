"""The open table of snaps: all hands, and beliefs beside the truth."""

import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.games.snaps.beliefs.exact import exact_chances, holders_from
from hiddenhand.games.snaps.beliefs.kinds import belief_of
from hiddenhand.games.snaps.cards import CARDS, SEATS
from hiddenhand.games.snaps.state import CHOOSING, FINISHED
from hiddenhand.games.snaps.texts import card_code, codes

CODES = {card_code(card): card for card in range(CARDS)}


def tables(games):
    """Every position of games between rule agents."""
    agent = hh.agent("snaps", "rules")
    for seed in range(games):
        table = hh.game("snaps").deal(seed=seed)
        yield table
        while not table.over:
            table.play(table.ask(agent).action)
            yield table


def test_the_hands_are_those_of_the_state():
    for table in tables(5):
        rows = table.open_text().split("\n\n")[1].splitlines()
        for seat, row in enumerate(rows[1:]):
            assert row.startswith(f"seat {seat} ")
            found = re.findall(r"(?<= )(?:10|[9UOKA-])(?= |$)", row)
            assert [rank for rank in found if rank != "-"] == [
                code[1:] for code in codes(table.state.hands[seat]).split()
            ]
        movers = [row for row in rows if row.endswith("<- to move")]
        assert len(movers) == (0 if table.over else 1)
        assert table.over or movers == [rows[1 + table.turn]]


def test_beliefs_beside_the_truth():
    """The chances are those of the belief, the loss is theirs, the star marks the holder."""
    checked = 0
    for table in tables(4):
        s = table.state
        text = table.open_text()
        if s.phase in (CHOOSING, FINISHED):
            assert "believes" not in text
            continue
        for seat, block in enumerate(text.split("\n\n")[-SEATS:]):
            checked += 1
            head, *rows = block.splitlines()
            view = table.view(seat).record
            chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
            exact_chances(view, seat, chances)
            holders_from(view, chances, holders)
            given = []
            for row in rows:
                other = int(re.match(r"  seat (\d) really has", row).group(1))
                found = re.findall(r"([hlab]\w+) (\d+)%", row)
                assert [code for code, _ in found] == codes(s.hands[other]).split()
                for code, percent in found:
                    given.append(chances[other, CODES[code]])
                    assert f"{given[-1]:.0%}" == f"{percent}%"
            loss = float(re.match(rf"seat {seat} believes \(exact, loss (\S+) bits a card\)", head).group(1))
            assert loss == pytest.approx(-np.log2(given).mean() if given else 0.0, abs=0.006)
            who = "nobody" if s.holder == s.chooser else f"seat {s.holder}"
            assert f"*{who} {holders[s.holder]:.0%}" in head
    assert checked > 200


def test_an_agent_shows_its_own_belief():
    table = hh.game("snaps").deal(seed=4)
    for move in ("name hA", "pass", "pass", "pass"):
        table.play(move)
    agents = {1: SimpleNamespace(values={"belief": "table"}), 2: hh.agent("snaps", "rules")}
    text = table.open_text(agents)
    holders = belief_of(table.view(1), "table").holders()
    assert f"*nobody {holders[0]:.0%}" in text.split("seat 1 believes")[1].splitlines()[0]
    assert "seat 0 believes (exact, " in text
    assert "seat 1 believes (table, " in text
    assert "seat 2 believes (exact, " in text


def test_at_the_terminal(tmp_path):
    command = "play snaps --watch --open --delay 0 --seed 3 --against rules".split()
    done = subprocess.run(
        [sys.executable, "-m", "hiddenhand", *command],
        cwd=tmp_path,
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    printed = done.stdout
    assert printed.count("<- to move") == len(re.findall(r"^player \d \(rules\): ", printed, re.MULTILINE))
    assert re.search(r"player \d and player \d won with|player \d won with|won because", printed)
    assert printed.count("The game is over: ") == 1
    assert "drew" not in printed


def test_everything_that_one_seat_believes():
    """24 cards by three players as its own belief has them, and who certainly plays with whom."""
    own = hh.agent("snaps", "own_rules:belief exact; rules")
    by_table = hh.agent("snaps", "own_rules:rules")
    checked = 0
    for table in tables(2):
        if table.state.phase in (CHOOSING, FINISHED):
            assert "nothing to believe" in table.game.people.believed(table.view(0), own)
            continue
        for seat in range(SEATS):
            view = table.view(seat)
            for agent, kind in ((own, "exact"), (by_table, "table"), (None, "exact")):
                text = table.game.people.believed(view, agent)
                assert text.startswith(f"seat {seat} believes ({kind})\n")
                cards, partners = text.split("\n\nFacts:\n")[0], text.split("not clear yet (0):\n")[1]
                belief = belief_of(view, kind)
                chances, holders = belief.chances(), belief.holders()
                shown = dict(line.split(maxsplit=1) for line in cards.splitlines()[2:])
                assert set(shown) == set(CODES)
                for code, rest in shown.items():
                    if not rest.startswith("-"):
                        expected = [f"{chances[(seat + i) % SEATS, CODES[code]]:.2f}" for i in (1, 2, 3)]
                        assert rest.split() == expected
                        checked += 1
                chooser = int(table.state.chooser)
                for one, line in enumerate(partners.splitlines()[1:]):
                    for other, cell in enumerate(line.split()[2:]):
                        sides = {
                            (one in (chooser, holder)) == (other in (chooser, holder))
                            for holder in np.flatnonzero(holders > 0.0).tolist()
                        }
                        assert cell == (
                            "." if one == other else "0" if len(sides) > 1 else "1" if True in sides else "-1"
                        )
    assert checked > 1000
