"""Agents that play snaps by a list of rules with priorities: `rules`, and `risky`, which also weighs chances."""
