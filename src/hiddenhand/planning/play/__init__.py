"""Worlds as games, the planner that plays them, and the commands of a specification."""
