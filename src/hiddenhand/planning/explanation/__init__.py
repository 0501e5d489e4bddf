"""Reasons for a planned decision, in words and as data.

    question = Question(world, Planner(world), belief, depth=4)
    explanation = explain(question)
    print("\\n".join(explanation.sentences()))
    explanation.to_json()

What an explanation holds: the belief in words; every action's value, the gap to the runner-up, and ties; why not
another action; the likeliest course of events; what the next observation is worth; the smallest change of belief that
would change the advice; whether deeper planning changes it; and the cases and probabilities of the model that were
used. All of it is reckoned with the exact planner and can be checked by planning again.
"""

from hiddenhand.planning.explanation.explaining import Explanation, explain
from hiddenhand.planning.explanation.question import Question

__all__ = ["Explanation", "Question", "explain"]
