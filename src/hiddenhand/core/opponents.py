"""Opponents: agents by names that people understand, so that nobody has to know what `alphabeta:depth=2` is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Opponent:
    """Somebody to play with: an opponent or, where people play together, a partner."""

    name: str
    agent: str
    """The text of the agent."""
    about: str
    """How it plays, in a few words."""
