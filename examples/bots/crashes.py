#!/usr/bin/env python3
"""A bot with a mistake in it: it breaks down at its second move of every game."""

import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        plan = ["first"]
    if told["type"] == "decide":
        plan.pop()
        print(json.dumps({"move": told["moves"][0]["move"]}), flush=True)
