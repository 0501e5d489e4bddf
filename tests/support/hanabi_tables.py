"""Hanabi tables for tests: positions made by hand, and positions from games."""

from collections import Counter

from hiddenhand.core.resolver import agent, game
from hiddenhand.core.table import Table
from hiddenhand.games.hanabi.rules import COPIES, begin
from hiddenhand.games.hanabi.texts import LETTERS

ALL = [card for card in range(25) for _ in range(COPIES[card % 5])]


def cards(text):
    """r1 b5: their numbers."""
    return [5 * LETTERS.index(word[0]) + int(word[1]) - 1 for word in text.split()]


def set_of(text):
    return sum(1 << card for card in set(cards(text)))


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


def why(table, name):
    """The reasons, as one text."""
    return " ".join(table.ask(agent(table.game, name), explain=True).reasons)


def positions(name, players, seeds=2, every=4, rules="thesis"):
    """Tables in the course of games of an agent with itself; each seventh move is drawn at random."""
    of = game("hanabi", players=players, rules=rules)
    player, wild = agent(of, name), agent(of, "random")
    for seed in range(seeds):
        table = Table(of, seed)
        while not table.over:
            if len(table.history) % every == seed % every:
                yield table
            table.play(table.ask(wild if len(table.history) % 7 == 6 else player).action)


def hanabi_record(first=None, **options):
    """The record of a whole game of two, played without much thought, from a certain first action on."""
    table = game("hanabi", players=2, **options).deal(seed=4)
    if first is not None:
        table.play(first)
    while not table.over:
        actions = table.legal_actions()
        table.play(actions[len(actions) // 2])
    return table.record()
