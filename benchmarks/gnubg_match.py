"""Backgammon against GNU Backgammon: `python benchmarks/gnubg_match.py AGENT [--games N] [--plies N] [--seed S]`.

One program plays the games, this one; gnubg is asked for its moves, as in a match to one point (a win is a win, as in
our game without gammons). It has to be installed (Debian's package gnubg); its own Python, which comes with it, reads
a position and dice on a line of its standard input and answers with a move.
"""

import argparse
import subprocess
import tempfile
from itertools import permutations
from pathlib import Path

from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.resolver import agent, game
from hiddenhand.core.view import legal_actions
from hiddenhand.games.backgammon import BAR, OFF
from hiddenhand.kernel import stream
from hiddenhand.lab.match import match

PROGRAM = "/usr/games/gnubg"
INSIDE = """
import gnubg, sys
cube = gnubg.cubeinfo(1, -1, 0, 1, (0, 0), 0)
context = gnubg.evalcontext(0, PLIES, 1, 1, 0.0)
print("ready", flush=True)
for line in sys.stdin:
    numbers = [int(word) for word in line.split()]
    board = tuple(numbers[:25]), tuple(numbers[25:50])
    move = gnubg.findbestmove(board, cube, context, tuple(numbers[50:52])) or ()
    print("move", *move, flush=True)
"""


class Gnubg(Agent):
    """Asks gnubg at the start of a turn, and plays its answer checker by checker."""

    name = "gnubg"
    summary = "GNU Backgammon"

    def __init__(self, of, plies=0):
        super().__init__(of)
        script = Path(tempfile.mkdtemp()) / "inside.py"
        script.write_text(INSIDE.replace("PLIES", str(plies)))
        self.program = subprocess.Popen(
            [PROGRAM, "-t", "-q", "-p", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.answer("ready")
        self.planned = []

    def answer(self, word):
        for line in self.program.stdout:
            if line.startswith(word):
                return [int(number) for number in line.split()[1:]]
        raise RuntimeError("gnubg has ended")

    def decide(self, view):
        s = view.record
        if s.unused.sum() == (4 if s.dice[0] == s.dice[1] else 2):
            self.planned = self.plan(view)
        action = self.planned.pop(0)
        return Decision(action, view.action_name(action))

    def plan(self, view):
        """The actions of a turn, as gnubg wants it."""
        s, me = view.record, view.seat
        if len(view.legal_actions()) == 1 and view.action_name(view.legal_actions()[0]) == "pass":
            return list(view.legal_actions())
        sides = [[int(s.checkers[seat, place]) for place in range(1, BAR + 1)] for seat in (1 - me, me)]
        asked = [*sides[0], *sides[1], *(int(die) for die in s.dice)]
        print(*asked, file=self.program.stdin, flush=True)
        numbers = self.answer("move")
        steps = [(start, max(end, OFF)) for start, end in zip(numbers[::2], numbers[1::2]) if start]
        for order in sorted(set(permutations(steps)), reverse=True):
            found = self.actions_of(view, order)
            if found:
                return found
        raise RuntimeError(f"gnubg plays {numbers} in {self.game.people.written(s)}")

    def actions_of(self, view, steps):
        """Our actions for these steps in this order; none if one of them cannot be made."""
        state, found = view.imagine(), []
        for start, end in steps:
            fitting = [
                a for a in legal_actions(self.game, state) if a // 6 + 1 == start and max(a // 6 - a % 6, OFF) == end
            ]
            if state.mover != view.seat or not fitting:
                return []
            found.append(fitting[0])
            self.game.rules.play(state, fitting[0], stream(0))
        return found if self.game.rules.turn(state) != view.seat else []


def main():
    given = argparse.ArgumentParser()
    given.add_argument("agent")
    given.add_argument("--games", type=int, default=200)
    given.add_argument("--plies", type=int, default=0)
    given.add_argument("--seed", type=int, default=0)
    asked = given.parse_args()
    of = game("backgammon")
    print(match(of, [agent(of, asked.agent), Gnubg(of, asked.plies)], asked.games, asked.seed, duplicate=True))


if __name__ == "__main__":
    main()
