"""A deck as it lies: Hanabi dealt from a list of cards, for games that were recorded elsewhere."""

from typing import Any

from hiddenhand.core.errors import UserError
from hiddenhand.core.text import Text
from hiddenhand.games.hanabi.rules import CARDS, COPIES, DECK_SIZE, begin


def arrange(s: Any, cards: list[int]) -> None:
    """Deal these cards, the first one drawn first."""
    counts = [cards.count(card) for card in range(CARDS)]
    if len(cards) != DECK_SIZE or counts != COPIES.tolist():
        raise UserError(Text("a Hanabi deck has 50 cards: of each colour three 1s, two 2s, 3s and 4s, and one 5"))
    s.deck[:] = cards[::-1]
    begin(s)
