"""Solving games with hidden information: the sequence form, the methods that work on it, and strategies."""
