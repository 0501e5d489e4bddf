#!/usr/bin/env python3
"""A bot in Python that needs nothing but Python: it plays at random, but never folds if it need not.

hiddenhand match leduc bot:examples/bots/at_random.py random --games 100
"""

import json
import random
import sys

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(f"{told['title']}: seat {told['seat']} of {told['seats']}", file=sys.stderr)
    if told["type"] == "decide":
        random.seed(told["seed"])
        moves = [move for move in told["moves"] if move["text"] != "fold"]
        chosen = random.choice(moves)
        reasons = [f"I had {len(moves)} moves without folding and drew {chosen['text']}."]
        print(json.dumps({"move": chosen["move"], "reasons": reasons}), flush=True)
