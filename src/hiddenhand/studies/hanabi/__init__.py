"""Hanabi: the agents of a thesis played anew, and how fast ours play."""
