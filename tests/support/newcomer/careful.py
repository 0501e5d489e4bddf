"""An agent for any game: it takes the last of the legal moves, and says so."""

from hiddenhand.author import Agent, Decision


class Careful(Agent):
    """Takes the last legal move."""

    name = "careful"

    def decide(self, view):
        return Decision(int(view.legal_actions()[-1]), reasons=["the last move of a list is the careful one"])
