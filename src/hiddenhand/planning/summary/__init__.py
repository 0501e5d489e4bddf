"""A whole policy as a small decision tree that a person can read, with what it loses stated.

    summary = summarise(world, depth=8, leaves=24)
    print(summary.text())

The tree asks for values of input variables and for probabilities of hidden ones. It is fitted to the planner's
decisions on every belief that can come about, and what it earns is reckoned exactly, not sampled.
"""

from hiddenhand.planning.summary.summarising import Summary, summarise

__all__ = ["Summary", "summarise"]
