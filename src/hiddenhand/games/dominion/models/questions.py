"""Which context a question belongs to, and whether its best or its worst card is the answer."""

from hiddenhand.games.dominion.steps import (
    ARRANGE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    GAIN,
    KEEP,
    NAME,
    PUT_BACK,
    PUT_ON_DECK,
    RECALL,
    SALVAGE,
    SCRAP_PILE,
    SENTRY_DISCARD,
    SENTRY_ORDER,
    STEAL,
    UNVEIL,
)
from hiddenhand.kernel import rule


@rule
def is_about_playing(kind):
    """Whether a question is about using cards, not about owning them."""
    return kind in (
        DISCARD, DISCARD_ANY, PUT_BACK, DOUBLE, PUT_ON_DECK, RECALL, SENTRY_DISCARD, SENTRY_ORDER,
        NAME, UNVEIL, ARRANGE,
    )  # fmt: skip


@rule
def takes_best(kind):
    """Whether a question is answered by the best card, not the worst: to get it, to draw it, or to take it away."""
    return kind in (
        GAIN, KEEP, STEAL, DOUBLE, RECALL, PUT_ON_DECK, SENTRY_ORDER, NAME, UNVEIL, SALVAGE, SCRAP_PILE,
    )  # fmt: skip
