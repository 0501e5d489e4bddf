"""Beliefs in snaps: what a seat thinks of the cards it does not see. Four kinds behind one interface.

exact       every deal that agrees with all that was seen is equally likely
table       the knowledge base of J. Barič's thesis: a table of probabilities, evidence with fixed values, facts
weighted    the deals of `exact`, weighted by how likely the others' moves were in each, if they play like `rules`
statistics  the same, if they play as was counted in many games

`kinds` is the interface to all of them (worlds to draw, chances of cards, chances of the partner; the same in words
for people). Every belief is a function of the view alone: it goes through the public history from the start.
"""
