"""Bounds on what a discounted world is worth, found at the beliefs that matter: a point-based solver."""
