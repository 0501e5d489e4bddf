"""Bounds on what a discounted model is worth, found at the beliefs that matter: a point-based solver."""
