"""The agents of snaps that have learned: one by playing against itself, one by watching a stronger player.

`shipped` keeps networks in files, `player` lets one decide, `reasons` explains it and `agents` declares both agents.
`self_play` and `imitation` are how they learn (`hiddenhand train snaps self_taught`), `teacher` observes games;
`first_lead` repeats the experiment of J. Barič (2009).
"""
