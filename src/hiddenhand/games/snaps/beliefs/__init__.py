"""Beliefs in snaps: what a seat thinks of the cards it does not see. Three kinds behind one interface.

exact       every deal that agrees with all that was seen is equally likely
table       the knowledge base of J. Barič's thesis: a table of probabilities, evidence with fixed values, facts
weighted    the deals of `exact`, weighted by how likely the others' moves were in each: by a model of how they play

`drawing` holds the compiled interface (worlds to draw, chances of cards, chances of the partner), `telling` the one
for people. Every belief is a function of the view alone: it goes through the public history from the start.
"""
