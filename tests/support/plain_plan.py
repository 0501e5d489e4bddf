"""A plan and what it leads to, from the definitions alone: beliefs are dicts, every number is a plain recursion.

Nothing here is shared with the planners nor with `planning/explain`: it is there to reckon their numbers again.
"""

TIE = 1e-9


class PlainPlan:
    """Plans in a world, and follows the plan."""

    def __init__(self, world):
        self.world = world
        self.rows = [
            [
                list(zip(rows.indices[a:b].tolist(), rows.data[a:b].tolist()))
                for a, b in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist())
            ]
            for rows in world.transitions
        ]
        self.known = {}

    # --- beliefs ---

    def looks(self, belief):
        return int(self.world.visible_of[next(iter(belief))])

    def uniform(self, visible):
        states = self.world.states_of(visible)
        return {state: 1.0 / len(states) for state in states}

    def after(self, belief, action, visible):
        return self.steps(belief, action)[visible][1]

    def steps(self, belief, action):
        """What may be seen next: {visible: (probability, belief)}."""
        parts = {}
        for state, p in belief.items():
            for target, q in self.rows[action][state]:
                part = parts.setdefault(int(self.world.visible_of[target]), {})
                part[target] = part.get(target, 0.0) + p * q
        sums = {visible: sum(part.values()) for visible, part in parts.items()}
        return {v: (sums[v], {s: p / sums[v] for s, p in sorted(part.items())}) for v, part in parts.items()}

    def remembered(self, key, belief, left, reckon):
        whole = (key, tuple((state, round(p, 10)) for state, p in sorted(belief.items())), left)
        if whole not in self.known:
            self.known[whole] = reckon()
        return self.known[whole]

    # --- the plan ---

    def values(self, belief, left):
        """What every legal action is worth: {action: value}."""
        return self.remembered("values", belief, left, lambda: self.reckoned(belief, left))

    def reckoned(self, belief, left):
        found = {}
        for action in range(len(self.world.actions)):
            if self.world.legal[self.looks(belief), action]:
                found[action] = sum(
                    chance * (float(self.world.payoffs[seen]) + (self.worth(later, left - 1) if left > 1 else 0.0))
                    for seen, (chance, later) in self.steps(belief, action).items()
                )
        return found

    def worth(self, belief, left):
        return max(self.values(belief, left).values(), default=0.0)

    def best(self, belief, left):
        """All actions that are as good as the best, in order."""
        values = self.values(belief, left)
        top = max(values.values())
        return [action for action, value in values.items() if value >= top - TIE * max(1.0, abs(top))]

    def followed(self, key, belief, left, reckon, action=None):
        """A sum over all that the plan leads to; `reckon` says what one step adds and how to go on."""
        if left == 0 or not self.world.legal[self.looks(belief)].any():
            return None
        if action is not None:
            return reckon(action)
        return self.remembered(key, belief, left, lambda: reckon(self.best(belief, left)[0]))

    # --- what it leads to ---

    def pays(self, seen, payoff):
        place = int(self.world.payoff_name_of[seen])
        return place >= 0 and self.world.payoff_names[place] == payoff

    def chance_now(self, belief, action, payoff):
        return sum(p for seen, (p, _) in self.steps(belief, action).items() if self.pays(seen, payoff))

    def tries(self, belief, left, payoff, fact, action=None):
        """First tries: how likely with the fact and how likely these succeed, and the same without it."""

        def reckon(chosen):
            chance = self.chance_now(belief, chosen, payoff)
            if chance > 0.0:
                return (1.0, chance, 0.0, 0.0) if fact.holds(belief) else (0.0, 0.0, 1.0, chance)
            sums = [0.0] * 4
            for p, later in self.steps(belief, chosen).values():
                for i, more in enumerate(self.tries(later, left - 1, payoff, fact)):
                    sums[i] += p * more
            return tuple(sums)

        return self.followed(("tries", payoff, fact), belief, left, reckon, action) or (0.0,) * 4

    def reaches(self, belief, left, fact, action=None):
        """How likely the fact comes true, and that times the steps until then."""

        def reckon(chosen):
            chance = weight = 0.0
            for p, later in self.steps(belief, chosen).values():
                q, steps = (1.0, 0.0) if fact.holds(later) else self.reaches(later, left - 1, fact)
                chance += p * q
                weight += p * (steps + q)
            return chance, weight

        return self.followed(("reaches", fact), belief, left, reckon, action) or (0.0, 0.0)

    def meets(self, belief, left, payoff, action=None):
        """How likely the payoff is met at least once."""

        def reckon(chosen):
            return sum(
                p * (1.0 if self.pays(seen, payoff) else self.meets(later, left - 1, payoff))
                for seen, (p, later) in self.steps(belief, chosen).items()
            )

        return self.followed(("meets", payoff), belief, left, reckon, action) or 0.0


class PlainFact:
    """`variable=>value`, or a hidden variable that is better known than with the given belief."""

    def __init__(self, plan, name, now):
        self.plan = plan
        self.variable, _, self.value = name.partition("=>")
        self.now = 0.0 if self.value else self.most(now)

    def __hash__(self):
        return hash((self.variable, self.value, self.now))

    def __eq__(self, other):
        return (self.variable, self.value, self.now) == (other.variable, other.value, other.now)

    def most(self, belief):
        place = [axis.name for axis in self.plan.world.hidden].index(self.variable)
        sums = {}
        for state, p in belief.items():
            value = self.plan.world.states[state][1][place]
            sums[value] = sums.get(value, 0.0) + p
        return max(sums.values())

    def holds(self, belief):
        if not self.value:
            return self.most(belief) > self.now + 1e-9
        place = [axis.name for axis in self.plan.world.inputs].index(self.variable)
        return self.plan.world.visible_states[self.plan.looks(belief)][place] == self.value
