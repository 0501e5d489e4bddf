"""The definition of planning in plain Python, nothing remembered and nothing shared with the planners.

A belief is a dict from states to probabilities; `Q(belief, action, depth)` is the expected sum of the payoffs of the
visible states reached, when every later action is the best one.
"""


class BruteForce:
    def __init__(self, world):
        self.world = world
        self.rows = [
            {
                s: [(int(t.indices[i]), float(t.data[i])) for i in range(t.indptr[s], t.indptr[s + 1])]
                for s in range(len(world.states))
            }
            for t in world.transitions
        ]

    def legal(self, belief):
        visible = self.world.visible_of[next(iter(belief))]
        return [a for a in range(len(self.world.actions)) if self.world.legal[visible, a]]

    def outcomes(self, belief, action):
        """{visible state: {state: probability}}, not normalised."""
        found = {}
        for state, weight in belief.items():
            for after, chance in self.rows[action][state]:
                part = found.setdefault(int(self.world.visible_of[after]), {})
                part[after] = part.get(after, 0.0) + weight * chance
        return found

    def value(self, belief, action, depth):
        if depth == 0:
            return 0.0
        total = 0.0
        for visible, part in self.outcomes(belief, action).items():
            chance = sum(part.values())
            after = {state: weight / chance for state, weight in part.items()}
            total += chance * (float(self.world.payoffs[visible]) + self.best(after, depth - 1))
        return total

    def best(self, belief, depth):
        if depth == 0:
            return 0.0
        return max(self.value(belief, action, depth) for action in self.legal(belief))
