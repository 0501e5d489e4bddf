"""Snaps: the numbers of a thesis made anew, how good its beliefs are, its opening lead, and how fast all that is."""
