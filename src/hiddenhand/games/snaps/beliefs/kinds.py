"""The four kinds of belief behind one interface, for compiled code and for people.

Compiled: draw worlds, or ask where a card and where the partner is. A `Model` says which belief it is, and for those
that weigh deals by how the others play (like the rule agent, or as was counted) what they need to know.

For people: `belief_of(view, kind)` and what it says in plain sentences.
"""

import numpy as np

from hiddenhand.core.text import Seat, Text
from hiddenhand.core.view import View
from hiddenhand.games.snaps.beliefs.exact import count_worlds, exact_chances, exact_worlds, holders_from
from hiddenhand.games.snaps.beliefs.statistics import for_all, learned_statistics
from hiddenhand.games.snaps.beliefs.table import KNOWLEDGE, build_knowledge, draw_from_table, table_chances
from hiddenhand.games.snaps.beliefs.weighted import EXACT, KINDS, TABLE, Model, weighted_chances, weighted_worlds
from hiddenhand.games.snaps.cards import CARDS, NONE, RANKS, SEATS, SUITS, Array
from hiddenhand.games.snaps.state import CHOOSING, FINISHED
from hiddenhand.games.snaps.texts import RANK_NAMES, SUIT_NAMES, card_name, codes, seat_text
from hiddenhand.kernel import derive, new_records, rule, stream


@rule
def imagine(model, view, seat, most, rng):
    """(hands int64[n, 4], shares float64[n]): worlds that a seat believes in, each the masks of all four hands.

    If there are no more than `most` (for the beliefs that weigh deals: no more than these and the particles), every
    possible world is there, with its probability. Otherwise they are drawn.
    """
    if model.kind == TABLE:
        hands = np.empty((np.int64(most), SEATS), np.int64)
        draw_from_table(view, seat, rng, hands)
        return hands, np.full(len(hands), 1.0 / len(hands))
    if model.kind == EXACT or view.phase == CHOOSING or view.phase == FINISHED:
        return exact_worlds(view, seat, most, rng)
    return weighted_worlds(view, seat, model, most, rng)


@rule
def card_chances(model, view, seat, rng, chances):
    """Write chances float64[4, 24]: the probability that a seat holds a card now (0 for cards that are played)."""
    if model.kind == TABLE:
        table_chances(view, seat, chances)
    elif model.kind != EXACT:
        weighted_chances(view, seat, model, rng, chances)
    else:
        exact_chances(view, seat, chances)


@rule
def holder_chances(model, view, seat, rng, chances, holders):
    """Write holders float64[4]: the probability that a seat was dealt the named card; chances float64[4, 24] too."""
    card_chances(model, view, seat, rng, chances)
    holders_from(view, chances, holders)


# --- for people -----------------------------------------------------------------------------------

BELIEF = 0xBE11EF  # the branch of a view's randomness that beliefs draw from
PROBABLE = 0.6  # from here on a card is worth a sentence


def belief_of(view: View, kind: str = "exact", particles: int = 1000, noise: float = 0.1) -> "DealBelief":
    """What the seat of a view believes; `kind` is exact, table, weighted or statistics."""
    if kind not in KINDS:
        raise ValueError(Text("there is no belief {kind}; there is: {list}", kind=repr(kind), list=", ".join(KINDS)))
    return DealBelief(view.record, view.seat, kind, model_of(kind, particles, noise), derive(view.seed, BELIEF))


def model_of(kind: str, particles: int, noise: float) -> Model:
    """What compiled code wants to know of a belief."""
    statistics = for_all(learned_statistics()) if kind == "statistics" else np.zeros((SEATS, 0))
    return Model(KINDS.index(kind), float(particles), float(noise), statistics)


class DealBelief:
    """One kind of belief at one moment. Asked twice it answers the same."""

    def __init__(self, record: np.record, seat: int, kind: str, model: Model, seed: int) -> None:
        self.record = record
        self.seat = seat
        self.kind = kind
        self.model = model
        self.seed = seed

    def count(self) -> int:
        """How many deals agree with all that was seen."""
        return int(count_worlds(self.record, self.seat))

    def chances(self) -> Array:
        """float64[4, 24]: the probability that a seat holds a card now."""
        chances = np.zeros((SEATS, CARDS))
        card_chances(self.model, self.record, self.seat, stream(self.seed), chances)
        return chances

    def holders(self) -> Array:
        """float64[4]: the probability that a seat was dealt the named card; zeros before it is named."""
        chances, holders = np.zeros((SEATS, CARDS)), np.zeros(SEATS)
        rng = stream(self.seed)
        holder_chances(self.model, self.record, self.seat, rng, chances, holders)
        return holders

    def worlds(self, most: int) -> tuple[Array, Array]:
        """(int64[n, 4], float64[n]): worlds of this belief, the masks of the four hands, and their probabilities.

        All of them if they are no more than `most`; otherwise they are drawn.
        """
        hands, shares = imagine(self.model, self.record, self.seat, most, stream(self.seed))
        return hands, shares

    def words(self) -> list[str]:
        """The belief in plain sentences: what is certain, what is probable, who the partner is."""
        if self.record.phase in (CHOOSING, FINISHED):
            return [Text("{n:,} deals are possible.", n=self.count())] if self.record.phase == CHOOSING else []
        sure = np.zeros((SEATS, CARDS))
        exact_chances(self.record, self.seat, sure)
        chances = self.chances()
        sentences: list[str] = [Text("{n:,} deals agree with all that was seen.", n=self.count())]
        for other in self.others():
            sentences += certain_words(self.record, other, sure) + probable_words(other, sure, chances)
        if self.kind == "table":
            sentences += fact_words(self.record, self.seat)
        return sentences + holder_words(self.record, self.seat, self.holders())

    def others(self) -> list[int]:
        return [(self.seat + i) % SEATS for i in range(1, SEATS)]


def certain_words(record: np.record, other: int, sure: Array) -> list[str]:
    """What a seat certainly has not, and what it certainly holds."""
    unseen = [card for card in range(CARDS) if 0.0 < sure[:, card].max() < 1.0]
    missing = [text for suit in range(SUITS) for text in missing_words(record, suit, unseen, sure[other])]
    held = [card_name(card) for card in range(CARDS) if sure[other, card] == 1.0]
    sentences = [Text("{who} has no {missing}", who=Seat(other), missing=and_no(missing))] if missing else []
    return [*sentences, *(Text("{who} certainly holds the {card}", who=Seat(other), card=name) for name in held)]


def and_no(missing: list[str]) -> str:
    """All that is missing, in one phrase."""
    text = missing[0]
    for more in missing[1:]:
        text = Text("{a} and no {b}", a=text, b=more)
    return text


def missing_words(record: np.record, suit: int, unseen: list[int], sure: Array) -> list[str]:
    """ "leaves", "trump above the king", "ace of hearts": the unseen cards of a suit that a seat cannot hold."""
    of_suit = [card for card in unseen if card // RANKS == suit]
    missing = [card for card in of_suit if sure[card] == 0.0]
    if not missing:
        return []
    trump = suit == record.named // RANKS
    if missing == of_suit:
        return [Text("trumps") if trump else SUIT_NAMES[suit]]
    left = max(card for card in of_suit if card not in missing)
    if min(missing) > left:
        what = Text("trump") if trump else SUIT_NAMES[suit]
        return [Text("{suit} above the {rank}", suit=what, rank=RANK_NAMES[left % RANKS])]
    return [card_name(card) for card in missing]


def fact_words(record: np.record, seat: int) -> list[str]:
    """The facts of the knowledge base that the table itself cannot say."""
    table = new_records(KNOWLEDGE, 1)[0]
    build_knowledge(record, seat, table)
    sentences = []
    for fact in np.flatnonzero(table.fact_least).tolist():
        other = (seat + 1 + int(table.fact_hand[fact])) % SEATS
        sentences.append(
            Text(
                "{who} certainly holds at least {n} of {cards}"
                if table.fact_sure[fact]
                else "{who} is assumed to hold at least {n} of {cards}",
                who=Seat(other),
                n=table.fact_least[fact],
                cards=codes(int(table.fact_cards[fact])),
            )
        )
    return list(sentences)


def probable_words(other: int, sure: Array, chances: Array) -> list[str]:
    """Cards that a seat probably holds, the likeliest first."""
    cards = [card for card in range(CARDS) if sure[other, card] < 1.0 and chances[other, card] >= PROBABLE]
    cards.sort(key=lambda card: -chances[other, card])
    return [
        Text(
            "{who} probably holds the {card} ({chance:.0%})",
            who=Seat(other),
            card=card_name(card),
            chance=chances[other, card],
        )
        for card in cards
    ]


def holder_words(record: np.record, seat: int, holders: Array) -> list[str]:
    """Who plays with the chooser."""
    if record.named == NONE:
        return []
    chooser = int(record.chooser)
    order = sorted(np.flatnonzero(holders > 0.0).tolist(), key=lambda holder: -holders[holder])
    if len(order) == 1:
        if order[0] == chooser:
            return [Text("{who} plays alone", who=Seat(chooser))]
        if order[0] == seat:
            return [Text("I am the partner of {who}", who=Seat(chooser))]
        return [Text("the partner of {who} is {partner}", who=Seat(chooser), partner=Seat(order[0]))]
    parts = [
        Text("{who} with {n:.0f} %", who=Text("nobody") if h == chooser else seat_text(h), n=100 * holders[h])
        for h in order
    ]
    likely = Text.joined(", ", parts)
    if seat == chooser:
        return [Text("the partner is {likely}", likely=likely)]
    return [Text("the partner of {who} is {likely}", who=Seat(chooser), likely=likely)]


def holder_beliefs(record: np.record, chances: Array) -> list[tuple[str, float]]:
    """Who was dealt the named card, as a decision's belief: (words, probability), chances float[4]."""
    chooser = int(record.chooser)
    words = [
        Text("{who} is the partner", who=Seat(seat)) if seat != chooser else Text("the chooser plays alone")
        for seat in range(SEATS)
    ]
    return [(words[seat], float(chances[seat])) for seat in range(SEATS) if chances[seat] > 0.0]
