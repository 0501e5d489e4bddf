#!/usr/bin/env python3
"""A language model, or any program that answers a text with a text, as a bot.

MODEL="ollama run llama3.2" hiddenhand match kuhn bot:examples/bots/language_model.py:time=300 random --games 10

MODEL is a command. For every decision it is run with the question on its standard input: the rules, what the seat
sees, and the legal moves. The last line of what it writes must be MOVE: and one of these moves, and nothing else. An
answer that is not is sent back with what is wrong with it, ATTEMPTS times at most (3 unless you say otherwise); then
the game is lost. How many answers were refused is told on standard error after every game, and the reasons of a move
say how many it took.
"""

import json
import os
import re
import shlex
import subprocess
import sys

COMMAND = shlex.split(os.environ.get("MODEL", ""))
ATTEMPTS = int(os.environ.get("ATTEMPTS", "3"))
ANSWER = re.compile(r"MOVE: *(.+)")


def question(rules, told):
    """What the model is asked."""
    moves = "\n".join(f"- {move['text']}" for move in told["moves"])
    return (
        f"{rules}\n\nYou play seat {told['seat'] + 1}. This is what you see:\n\n{told['text']}\n\n"
        f"The legal moves are:\n{moves}\n\n"
        "Think if you like. Then write, as the last line, MOVE: and one of these moves exactly as it is written.\n"
    )


def asked(text):
    """What the model answers."""
    return subprocess.run(COMMAND, input=text, capture_output=True, text=True, check=True).stdout.strip()


def read(answer, told):
    """The move of an answer, and what is wrong with the answer if there is none."""
    last = answer.splitlines()[-1] if answer else ""
    found = ANSWER.fullmatch(last.strip())
    if found is None:
        return None, f"Your last line was {last!r}. It must be MOVE: and one of the legal moves, and nothing else."
    for move in told["moves"]:
        if move["text"].lower() == found[1].strip().lower():
            return move, ""
    return None, f"{found[1]} is not one of the legal moves."


def decided(rules, told, counts):
    """The answer to the question of the protocol."""
    text = question(rules, told)
    for attempt in range(1, ATTEMPTS + 1):
        counts["asked"] += 1
        answer = asked(text)
        move, fault = read(answer, told)
        if move is not None:
            thought = " ".join(answer.split()[:60])
            return {"move": move["move"], "reasons": [f"answer {attempt} of at most {ATTEMPTS}: {thought}"]}
        counts["refused"] += 1
        text += f"\nYou answered:\n{answer}\n\n{fault}\n"
    sys.exit(f"{ATTEMPTS} answers named no legal move")


def main():
    if not COMMAND:
        sys.exit('MODEL names the command that answers, such as MODEL="ollama run llama3.2"')
    rules, counts = "", {"asked": 0, "refused": 0}
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "hello":
            options = ", ".join(f"{name}: {value}" for name, value in told["options"].items())
            rules = f"# {told['title']}\n\n{told['rules']}" + (f"\n\nOptions: {options}" if options else "")
        elif told["type"] == "decide":
            print(json.dumps(decided(rules, told, counts)), flush=True)
        else:
            print(f"{counts['refused']} of {counts['asked']} answers were refused", file=sys.stderr, flush=True)


main()
