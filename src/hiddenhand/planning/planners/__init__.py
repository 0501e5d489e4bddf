"""Planners: exact, over the reachable beliefs, by bounds at points, and by looking up what was reckoned before."""
