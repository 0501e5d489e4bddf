"""Beliefs about hidden cards: exact counting and sampling, tables of probabilities, weights."""
