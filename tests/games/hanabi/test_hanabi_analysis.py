"""A position in words, as section 2.3 of the thesis goes through one: every sentence against the cards themselves."""

import re

import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core.table import Table
from hiddenhand.games.hanabi.analysis import analysis
from hiddenhand.games.hanabi.rules import COPIES
from hiddenhand.games.hanabi.texts import LETTERS


def status(s, card):
    """playable, useless, critical, or nothing of these, by the definitions."""
    colour, rank = divmod(card, 5)
    pile = int(s.piles[colour])
    lost = any(s.discarded[5 * colour + r] == COPIES[5 * colour + r] for r in range(pile, rank + 1))
    found = set()
    if rank == pile:
        found.add("playable")
    if rank < pile or lost:
        found.add("useless")
    elif s.discarded[card] == COPIES[card] - 1:
        found.add("critical")
    return found


@pytest.mark.parametrize("players", [2, 4])
def test_every_card_that_is_named_is_what_it_is_called(players):
    game = hh.game("hanabi", players=players)
    player, named = hh.agent(game, "distrustful"), 0
    for seed in range(3):
        table = Table(game, seed)
        while not table.over:
            s, me = table.state, table.turn
            told = analysis(table.view().record, me)
            for seat in range(players):
                if seat == me:
                    continue
                lines = [line for line in told if line.startswith(f"Seat {seat} holds something ")]
                for word in ("playable", "useless", "critical"):
                    about = " ".join(line for line in lines if f"something {word}," in line)
                    said = {int(slot) - 1 for slot in re.findall(r"card (\d)", about)}
                    true = {
                        slot
                        for slot in range(5)
                        if s.hands[seat, slot] >= 0 and word in status(s, s.hands[seat, slot])
                    }
                    assert said == true
                    named += len(true)
            table.play(table.ask(player).action)
    assert named > 100


def test_a_hint_that_is_called_useful_tells_what_it_says():
    """After `hint ... is useful: seat 1 then knows that card 2 can be played` a newcomer plays a card."""
    game = hh.game("hanabi", players=2)
    useful = 0
    for seed in range(30):
        table = Table(game, seed)
        for line in analysis(table.view().record, 0):
            hint = re.match(r"`(hint 1 .*)` is useful: seat 1 then knows that .* can be played", line)
            if hint:
                other = Table(game, seed)
                other.play(hint[1])
                card = other.ask(hh.agent(game, "simple_distrustful")).action
                assert card < 5
                assert other.state.hands[1, card] % 5 == 0
                useful += 1
    assert useful > 10


def test_in_the_terminal(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    lines = iter(["analyse", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    assert main(["play", "hanabi", "--seed", "1", "--against", "distrustful"]) == 0
    printed = capsys.readouterr().out
    assert f"Playable now: {', '.join(letter + '1' for letter in LETTERS[:4])} and {LETTERS[4]}1." in printed
    lines = iter(["analyse", "quit"])
    assert main(["play", "tictactoe", "--seed", "1", "--against", "random"]) == 0
    assert "Tic-tac-toe has nothing to say of a position" in capsys.readouterr().err
