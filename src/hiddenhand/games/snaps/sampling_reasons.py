"""What imagined deals say of the actions, in words: how many there are, what each action wins in them, and why."""

from dataclasses import dataclass

import numpy as np

from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.kinds import DealBelief, holder_beliefs
from hiddenhand.games.snaps.cards import SEATS, Array
from hiddenhand.games.snaps.state import CHOOSING
from hiddenhand.games.snaps.texts import codes

DECIDED = 0.5  # a value beyond this is won or lost; between, the judges differ


@dataclass
class Imagined:
    """Worlds and what the actions are worth in each."""

    actions: list[int]
    judged: Array
    """float64[worlds, actions]: payoffs."""
    hands: Array
    """int64[worlds, 4]: masks."""
    shares: Array
    """float64[worlds]: the probabilities of the worlds."""

    @property
    def means(self) -> Array:
        return np.round(self.shares @ self.judged, 3)

    @property
    def won(self) -> list[str]:
        """The share of the worlds that each action wins; where the judges differ, half."""
        halves = 0.5 * (self.judged > -DECIDED) + 0.5 * (self.judged > DECIDED)
        return [f"{share:.0%}".replace("%", " %") for share in self.shares @ halves]


def told(view: View, action: int, usual: int, imagined: Imagined, belief: DealBelief, doubt: float) -> Decision:
    """The worlds won by each move, a world in which the choice loses, and who is believed to hold what."""
    means = imagined.means
    chosen = imagined.actions.index(action)
    return Decision(
        action,
        view.text(action),
        float(means[chosen]),
        [alternative(view, a, imagined) for a in view.actions],
        belief=holder_beliefs(view.record, belief.holders()),
        reasons=[
            compared(view, chosen, imagined),
            *plays_alone(view, action),
            against_rules(view, action, usual, imagined, doubt),
            *losing_world(view, chosen, imagined),
            *(sentence(words) for words in belief.words()),
        ],
        counts={"worlds": len(imagined.hands)},
    )


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")


def alternative(view: View, action: int, imagined: Imagined) -> Alternative:
    """One legal action with what the worlds say of it."""
    if action not in imagined.actions:
        return Alternative(action, view.text(action), None, Text("not considered"))
    i = imagined.actions.index(action)
    note = Text("wins {a} of {n} imagined deals", a=imagined.won[i], n=len(imagined.hands))
    return Alternative(action, view.text(action), float(imagined.means[i]), note)


def compared(view: View, chosen: int, imagined: Imagined) -> str:
    """The choice against the best of the others."""
    actions, means, won = imagined.actions, imagined.means, imagined.won
    second = max((i for i in range(len(actions)) if i != chosen), key=lambda i: means[i])
    return Text(
        "{move} wins {a} of {n} imagined deals ({mean:+.2f}); of the others {other} does best: {b} ({second:+.2f}).",
        move=view.text(actions[chosen]),
        a=won[chosen],
        n=len(imagined.hands),
        mean=means[chosen],
        other=view.text(actions[second]),
        b=won[second],
        second=means[second],
    )


def plays_alone(view: View, action: int) -> list[str]:
    """What it means to name a card of one's own."""
    if view.record.phase != CHOOSING or not int(view.record.hands[view.seat]) >> action & 1:
        return []
    return [Text("I hold that card: to name it means to play alone against three, for three times the stake.")]


def against_rules(view: View, action: int, usual: int, imagined: Imagined, doubt: float) -> str:
    """Whether the rules would have played something else, and how sure the difference is."""
    if action == usual:
        return Text("The rules would play it too, and no other move is clearly better.")
    gains = imagined.judged[:, imagined.actions.index(action)] - imagined.judged[:, imagined.actions.index(usual)]
    mean = imagined.shares @ gains
    error = np.sqrt(((imagined.shares * (gains - mean)) ** 2).sum())
    return Text(
        "By the rules the move would be {move}; in the same deals my choice gains {gain:+.2f} on "
        "that, with a standard error of {error:.2f} (I ask for {n:g}).",
        move=view.text(usual),
        gain=mean,
        error=error,
        n=doubt,
    )


def losing_world(view: View, chosen: int, imagined: Imagined) -> list[str]:
    """A likely deal in which the choice loses: preferably one that another move would win."""
    judged, hands = imagined.judged, imagined.hands
    lost = np.flatnonzero(judged[:, chosen] < -DECIDED)
    if not len(lost):
        return [Text("It loses in none of them.")]
    better = lost[judged[lost].max(axis=1) > DECIDED]
    among = better if len(better) else lost
    world = int(among[imagined.shares[among].argmax()])
    seats = [seat for seat in range(SEATS) if seat != view.seat and hands[world, seat]]
    held = ", ".join(f"seat {seat} {codes(hands[world, seat])}" for seat in seats)
    if not len(better):
        return [Text("It loses, for example, if the others hold: {held}; then every move loses.", held=held)]
    saviour = view.text(imagined.actions[int(judged[world].argmax())])
    return [
        Text("It loses, for example, if the others hold: {held}; then {move} would win.", held=held, move=saviour)
    ]
