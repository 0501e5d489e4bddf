"""Reasons for a planned decision, in words and as data.

    question = Question(world, planner, belief, depth=4)
    explanation = explain(question)
    print("\\n".join(explanation.sentences()))
    explanation.to_json()

What an explanation holds: a headline, which says what is wanted, by what means, and which number decides; what the
plan reaches on its way; the belief in words; every action's value, the gap to the runner-up, and ties; why not
another action; the likeliest course of events; what the next observation is worth; the smallest change of belief that
would change the advice; whether deeper planning changes it; and the cases and probabilities of the model that were
used. All of it is reckoned with the exact planner and can be checked by planning again.

`summary` is the whole policy instead of one decision: a small decision tree, and what it loses.
"""
