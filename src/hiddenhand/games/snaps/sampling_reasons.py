"""What imagined deals say of the actions, in words: how many there are, what each action wins in them, and why."""

from dataclasses import dataclass

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.kinds import DealBelief, holder_beliefs
from hiddenhand.games.snaps.cards import SEATS, Array
from hiddenhand.games.snaps.state import CHOOSING
from hiddenhand.games.snaps.texts import codes

DECIDED = 0.5  # a value beyond this is won or lost; between, the judges differ


@dataclass
class SampledDeals:
    """Worlds and what the actions are worth in each."""

    actions: list[int]
    action_values: Array
    """float64[worlds, actions]: payoffs; -inf where an action was not tried any more, in the last of the worlds."""
    hands: Array
    """int64[worlds, 4]: masks."""
    shares: Array
    """float64[worlds]: the probabilities of the worlds."""

    @property
    def trials(self) -> Array:
        """int64[actions]: in how many worlds each action was tried."""
        return np.asarray(np.count_nonzero(self.action_values > -np.inf, axis=0))

    def averaged(self, values: Array) -> Array:
        """float64[actions]: the averages of values, float64[worlds, actions], where the actions were tried."""
        shares = self.shares[:, None] * (self.action_values > -np.inf)
        return np.average(np.where(shares > 0.0, values, 0.0), axis=0, weights=shares)

    @property
    def means(self) -> Array:
        return np.round(self.averaged(self.action_values), 3)

    @property
    def won(self) -> list[str]:
        """The share of the worlds that each action wins; where the judges differ, half."""
        halves = 0.5 * (self.action_values > -DECIDED) + 0.5 * (self.action_values > DECIDED)
        return [Text("{n:.0f} %", n=100 * share) for share in self.averaged(halves)]


def decision_by_samples(
    view: View, action: int, usual: int, samples: SampledDeals, belief: DealBelief, doubt: float
) -> Decision:
    """The worlds won by each move, a world in which the choice loses, and who is believed to hold what."""
    means = samples.means
    chosen = samples.actions.index(action)
    return Decision(
        action,
        view.action_name(action),
        float(means[chosen]),
        [alternative(view, a, samples) for a in view.legal_actions()],
        belief=holder_beliefs(view.record, belief.holders()),
        reasons=[
            compared(view, chosen, samples),
            *plays_alone(view, action),
            against_rules(view, action, usual, samples, doubt),
            *losing_world(view, chosen, samples),
            *(sentence(words) for words in belief.words()),
        ],
        counts={"worlds": len(samples.hands)},
    )


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    return Text("{words:C}" if words.endswith(".") else "{words:C}.", words=words)


def alternative(view: View, action: int, samples: SampledDeals) -> Alternative:
    """One legal action with what the worlds say of it."""
    if action not in samples.actions:
        return Alternative(action, view.action_name(action), None, Text("not considered"))
    i = samples.actions.index(action)
    note = Text("wins {a} of {n} imagined deals", a=samples.won[i], n=samples.trials[i])
    return Alternative(action, view.action_name(action), float(samples.means[i]), note)


def compared(view: View, chosen: int, samples: SampledDeals) -> str:
    """The choice against the best of the others."""
    actions, means, won = samples.actions, samples.means, samples.won
    second = max((i for i in range(len(actions)) if i != chosen), key=lambda i: means[i])
    return Text(
        "{move} wins {a} of {n} imagined deals ({mean:+.2f}); of the others {other} does best: {b} ({second:+.2f}).",
        move=view.action_name(actions[chosen]),
        a=won[chosen],
        n=samples.trials[chosen],
        mean=means[chosen],
        other=view.action_name(actions[second]),
        b=won[second],
        second=means[second],
    )


def plays_alone(view: View, action: int) -> list[str]:
    """What it means to name a card of one's own."""
    if view.record.phase != CHOOSING or not int(view.record.hands[view.seat]) >> action & 1:
        return []
    return [Text("I hold that card: to name it means to play alone against three, for three times the stake.")]


def against_rules(view: View, action: int, usual: int, samples: SampledDeals, doubt: float) -> str:
    """Whether the rules would have played something else, and how sure the difference is."""
    if action == usual:
        return Text("The rules would play it too, and no other move is clearly better.")
    gains = (
        samples.action_values[:, samples.actions.index(action)]
        - samples.action_values[:, samples.actions.index(usual)]
    )
    mean = samples.shares @ gains
    error = np.sqrt(((samples.shares * (gains - mean)) ** 2).sum())
    return Text(
        "By the rules the move would be {move}; in the same deals my choice gains {gain:+.2f} on "
        "that, with a standard error of {error:.2f} (I ask for {n:g}).",
        move=view.action_name(usual),
        gain=mean,
        error=error,
        n=doubt,
    )


def losing_world(view: View, chosen: int, samples: SampledDeals) -> list[str]:
    """A likely deal in which the choice loses: preferably one that another move would win."""
    action_values, hands = samples.action_values, samples.hands
    lost = np.flatnonzero(action_values[:, chosen] < -DECIDED)
    if not len(lost):
        return [Text("It loses in none of them.")]
    better = lost[action_values[lost].max(axis=1) > DECIDED]
    among = better if len(better) else lost
    world = int(among[samples.shares[among].argmax()])
    seats = [seat for seat in range(SEATS) if seat != view.seat and hands[world, seat]]
    held = Text.joined(
        ", ", [Text("{who} {cards}", who=Seat(seat), cards=codes(hands[world, seat])) for seat in seats]
    )
    if not len(better):
        return [Text("It loses, for example, if the others hold: {held}; then every move loses.", held=held)]
    saviour = view.action_name(samples.actions[int(action_values[world].argmax())])
    return [
        Text("It loses, for example, if the others hold: {held}; then {move} would win.", held=held, move=saviour)
    ]
