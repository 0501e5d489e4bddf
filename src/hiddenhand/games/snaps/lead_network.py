"""The network of J. Barič's thesis (2009), section 6.3: it sees a hand and says which card to lead first.

It has 24 inputs (1 for each card in the hand), 72 hidden units and 24 outputs (the card to lead), and has learned by
watching: of each game it sees the chooser's six cards and what he led. It does not see which card he named. "After
about 60 games" it "was able to make the first step right", says the thesis; how often it agrees with its teacher here
is measured in `hiddenhand.studies.snaps.reproduction`.

    hiddenhand train snaps first_lead                       by watching pimc
    hiddenhand train snaps first_lead --teacher rules       so was made what is shipped
    hiddenhand train snaps first_lead --from my_games       by watching you

The agent `first_lead` plays what the network says when it leads to the first trick, and everything else by the rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.decision import Alternative, Decision
from hiddenhand.core.errors import UserError
from hiddenhand.core.files import read_arrays
from hiddenhand.core.game import Game, blank_state
from hiddenhand.core.policy import policy
from hiddenhand.core.record import Record
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.cards import CARDS, Array
from hiddenhand.games.snaps.imitation_data import (
    LONGEST,
    OnPaper,
    dealt_again,
    on_paper,
    teacher_of,
    watch,
    watch_elsewhere,
    whose,
)
from hiddenhand.games.snaps.networks import LEARNED
from hiddenhand.games.snaps.rule_agent.agents import why_by_rules
from hiddenhand.games.snaps.rule_agent.decide import rule_action
from hiddenhand.games.snaps.rules import play
from hiddenhand.games.snaps.state import MARRIAGE, MARRIAGE_AND_CLAIM, TRICKS
from hiddenhand.kernel import copy, new_records, rule
from hiddenhand.learning.learner import Learner
from hiddenhand.learning.network import (
    FORBIDDEN,
    Adam,
    cross_entropy,
    layers_of,
    new_network,
    pass_forward,
    probabilities,
    respond,
    write_network,
)

HIDDEN = 3 * CARDS
SIZES = (CARDS, HIDDEN, CARDS)
BATCH = 32
STEPS = 1500
RATE = 2e-3


# --- leads that were watched ----------------------------------------------------------------------


@dataclass
class Leads:
    """First leads."""

    hands: Array
    """bool[games, 24]: the cards of the chooser"""
    named: Array
    """int64[games]"""
    cards: Array
    """int64[games]: what he led"""

    def part(self, first: int, last: int | None) -> "Leads":
        return Leads(self.hands[first:last], self.named[first:last], self.cards[first:last])


@rule
def replay_leads(paper, work, hands, named, leads):
    """Write the chooser's hand (a mask), the named card and the card led first, for each game that got so far and
    whose chooser is learned from; returns how many. work: room for a game."""
    s = work[0]
    rng = np.zeros(1, np.uint64)
    count = 0
    for g in range(len(paper.actions)):
        copy(s, paper.starts[g])
        i = 0
        while s.phase < TRICKS and paper.actions[g, i] >= 0:
            play(s, np.int64(paper.actions[g, i]), rng)
            i += 1
        action = np.int64(paper.actions[g, i])
        if s.phase == TRICKS and action >= 0 and i >= paper.skipped[g] and paper.heeded[g] >> s.chooser & 1:
            hands[count] = s.hands[s.chooser]
            named[count] = s.named
            leads[count] = action % CARDS
            count += 1
    return count


def leads_on(game: Game, paper: OnPaper) -> Leads:
    """The first leads in these games."""
    masks, named, cards = (np.zeros(len(paper.actions), np.int64) for _ in range(3))
    n = replay_leads(paper, new_records(game.rules.state, 1), masks, named, cards)
    return Leads((masks[:n, None] >> np.arange(CARDS)) & 1 == 1, named[:n], cards[:n])


def leads_of(game: Game, seed: int, records: Array) -> Leads:
    """The first leads in the records of games 0, 1, ... of a teacher."""
    starts = new_records(game.rules.state, len(records))
    return leads_on(game, dealt_again(blank_state(game), np.uint64(seed), np.arange(len(records)), records, starts))


def inputs_of(leads: Leads, named: bool) -> Array:
    """float32[games, 24], or [games, 48] with the named card."""
    hands = leads.hands.astype(np.float32)
    return np.hstack([hands, np.eye(CARDS, dtype=np.float32)[leads.named]]) if named else hands


def learn_leads(leads: Leads, named: bool = False, seed: int = 1, steps: int = STEPS) -> Array:
    """A network that has learned these leads."""
    inputs = inputs_of(leads, named)
    adam = Adam(new_network((inputs.shape[1], HIDDEN, CARDS), seed))
    random = np.random.default_rng(seed)
    for number in range(steps):
        some = random.integers(len(inputs), size=BATCH)
        adam.descend(inputs[some], loss_of(leads, some), RATE * (1.0 - number / steps))
    return adam.network


def loss_of(leads: Leads, some: Array) -> Callable[[Array], Any]:
    return lambda outputs: cross_entropy(outputs, leads.cards[some], leads.hands[some])


def accuracy(network: Array, leads: Leads, named: bool = False) -> float:
    """How often the network would lead the teacher's card."""
    outputs = pass_forward(layers_of(network), inputs_of(leads, named))[-1]
    return float((np.where(leads.hands, outputs, FORBIDDEN).argmax(axis=1) == leads.cards).mean())


# --- the agent ------------------------------------------------------------------------------------


def kept_leads(path: str | Path) -> Array:
    """The network of a file, as float64."""
    arrays = read_arrays(path, "sizes", "weights")
    sizes, weights = arrays["sizes"].tolist(), arrays["weights"].astype(np.float64)
    if tuple(sizes) != SIZES or len(weights) != sum((a + 1) * b for a, b in pairwise(SIZES)):
        raise UserError(
            "{path} is no network for the first lead, of the sizes {wanted}: {sizes}",
            path=path,
            wanted=SIZES,
            sizes=sizes,
        )
    return np.concatenate([np.array([len(sizes), *sizes], np.float64), weights])


def learned_leads(game: Game, file: str) -> dict[str, Array]:
    return {"network": kept_leads(file or LEARNED / "first_lead.npz")}


@rule
def leads_first(view, seat):
    """Whether this is the lead to the first trick."""
    return view.phase == TRICKS and view.plays == 0 and seat == view.chooser


@rule
def card_values(hand, network, values):
    """Write the outputs of the network for all cards: float64[24]."""
    inputs = np.empty(CARDS)
    for card in range(CARDS):
        inputs[card] = np.float64(np.int64(hand) >> card & 1)
    respond(network, inputs, values)


@rule
def lead_card(hand, network):
    """The card held of which the network says most."""
    values = np.empty(CARDS)
    card_values(hand, network, values)
    best = -1
    for card in range(CARDS):
        if np.int64(hand) >> card & 1 and (best < 0 or values[card] > values[best]):
            best = card
    return best


@rule
def fullest(actions, card):
    """The action that leads this card and announces a marriage with it if it may; it does not claim."""
    found = np.int64(card)
    for i in range(len(actions)):
        if actions[i] % CARDS == card and MARRIAGE <= actions[i] < MARRIAGE_AND_CLAIM:
            found = np.int64(actions[i])
    return found


@rule
def lead_or_rules(view, seat, actions, network):
    if not leads_first(view, seat) or len(actions) == 1:
        return rule_action(view, seat, actions, len(actions))
    return fullest(actions, lead_card(view.hands[seat], network))


@policy(
    Text(
        "leads its first card as a small network has learned it from a teacher's hands, and then plays by the rules"
    ),
    settings={"file": Setting("", Text("what `train snaps first_lead` wrote; ours if left out"), kind="file")},
    knowledge=learned_leads,
)
def first_lead(view, seat, actions, memory, parameters, rng):
    return lead_or_rules(view, seat, actions, parameters.network)


@first_lead.explains
def why_this_lead(view: View, action: int, parameters: np.record) -> list[str] | Decision:
    if not leads_first(view.record, view.seat) or len(view.legal_actions()) == 1:
        return why_by_rules(view, action, parameters)
    outputs = np.zeros(CARDS)
    card_values(view.record.hands[view.seat], parameters.network, outputs)
    held = (int(view.record.hands[view.seat]) >> np.arange(CARDS)) & 1 == 1
    chances = probabilities(outputs, held)
    decision = Decision(action, view.action_name(action))
    decision.alternatives = [
        Alternative(a, view.action_name(a), chance=float(chances[a % CARDS]) if a < MARRIAGE_AND_CLAIM else None)
        for a in view.legal_actions()
    ]
    decision.reasons = [
        Text(
            'By the first leads I have watched, my teacher would lead "{move}" with a chance of {value:.0%}.',
            move=view.action_name(action % CARDS),
            value=chances[action % CARDS],
        ),
        Text("I see nothing but my six cards: not even which card was named."),
        Text(
            "These are the estimates of a network: it has learned them and cannot say more about "
            "where they come from."
        ),
    ]
    return decision


# --- the learner ----------------------------------------------------------------------------------

KEPT_BACK = 20  # one lead in so many
LESSONS = 20


def decide(view: np.record, seat: int, actions: Any, memory: np.record, parameters: np.record, rng: Any) -> Any:
    return lead_or_rules(view, seat, actions, parameters.network)


class FirstLead(Learner):
    """Learns the first lead of a teacher or of saved games, anew in every lesson (see `hiddenhand.lab.training`)."""

    name = "first_lead"
    summary = Text("a network that has learned the first lead by watching")
    games = 5000
    step = 20
    opponent = "rules"
    teacher = "pimc"
    takes_workers = True  # the teacher plays in other processes
    learns_from_records = True

    def __init__(
        self, game: Game, seed: int, games: int, teacher: str = teacher, saved: OnPaper | None = None
    ) -> None:
        self.game = game
        self.seed = seed
        self.wanted = games
        self.done = 0
        self.step = games if saved is not None else max(self.step, games // LESSONS)
        self.teacher = teacher
        self.saved = saved
        self.agent = teacher_of(game, teacher) if saved is None else None
        self.records = np.zeros((0, LONGEST), np.int8)
        self.network = new_network(SIZES, seed)

    @classmethod
    def from_records(cls, game: Game, seed: int, records: Sequence[Record], teacher: str | None) -> "FirstLead":
        """A learner of the first leads of saved games."""
        saved = on_paper(game, records, teacher)
        if not len(leads_on(game, saved).cards):
            raise UserError("in none of these games does anybody lead first who can be learned from")
        return cls(game, seed, len(records), whose(game, records, teacher) or "everybody", saved)

    def learn(self, games: int) -> None:
        """Watch this many more games, and learn from all games watched so far."""
        if self.saved is None and games:
            assert self.agent is not None
            if self.workers is None:
                seen = watch(self.game, self.agent, self.seed, self.done, games, until_lead=True)
            else:
                seen = watch_elsewhere(
                    self.workers, self.game, self.teacher, self.seed, self.done, games, until_lead=True
                )
            self.records = np.concatenate([self.records, seen])
        if games:
            self.network = learn_leads(self.split()[0], seed=self.seed)
        self.done += games

    def leads(self) -> Leads:
        """All that were seen."""
        return leads_of(self.game, self.seed, self.records) if self.saved is None else leads_on(self.game, self.saved)

    def split(self) -> tuple[Leads, Leads]:
        """What is learned, and what is kept back; with very few leads nothing is."""
        leads = self.leads()
        numbers = np.arange(len(leads.cards))
        held = (numbers % KEPT_BACK == KEPT_BACK - 1) if len(numbers) >= KEPT_BACK else numbers < 0
        return tuple(Leads(leads.hands[some], leads.named[some], leads.cards[some]) for some in (~held, held))  # type: ignore[return-value]

    def snapshot(self) -> dict[str, Array]:
        known = {"network": self.network, "teacher": np.array([self.teacher]), "records": self.records}
        return {**known, "done": np.array([self.done, self.wanted, self.seed])}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        if arrays["teacher"][0] != self.teacher:
            raise UserError(
                "this training had another teacher: {other}, not {teacher}",
                other=arrays["teacher"][0],
                teacher=self.teacher,
            )
        self.done, self.wanted, self.seed = (int(n) for n in arrays["done"])
        self.network, self.records = arrays["network"], arrays["records"]

    def after_trial(self, mean: float) -> None:
        """Nothing is changed by a trial."""

    def save(self, path: Path) -> None:
        write_network(path, self.network)

    def remarks(self) -> list[str]:
        learned, held = self.split()
        sentences = [f"learned {len(learned.cards):,} first leads of {self.teacher}"]
        if len(held.cards):
            share = accuracy(self.network, held)
            sentences.append(f"leads the same card in {share:.1%} of {len(held.cards):,} deals that were kept back")
        return sentences

    def player(self, best: bool = False) -> PolicyAgent:
        """An agent with what has been learned so far."""
        network = self.network.astype(np.float64)
        return PolicyAgent(self.game, policy(self.summary, knowledge=lambda game: {"network": network})(decide))
