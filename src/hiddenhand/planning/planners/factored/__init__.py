"""Factored models, one hidden variable at a time: their subproblems, a plan for each, and the order of the plans."""
