"""Dominion: the evolutions of a thesis made anew, and how fast games are played."""
