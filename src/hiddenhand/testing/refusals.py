"""Refused moves have reasons: the part of the conformance suite for `refusal`."""

from __future__ import annotations

from collections.abc import Iterator

from hiddenhand.core.errors import IllegalAction
from hiddenhand.core.game import Game, nameable_actions
from hiddenhand.core.table import Table
from hiddenhand.kernel import derive, stream
from hiddenhand.testing.positions import positions

EVERY = 3  # only every third position is looked at


def check_refusals(game: Game) -> None:
    """Each action is legal, or refused with a reason that depends on nothing but what the mover knows."""
    if game.people.refusal is None:
        return
    for number, table in decisions(game):
        legal = table.legal()
        assert max(legal) < game.rules.action_count, (
            f"action {max(legal)} is legal, but all_actions is {game.rules.action_count}"
        )
        world = table.view().imagine(stream(derive(number, 12)))
        for action in nameable_actions(game):
            reason, name = game.people.refusal(table.state, action), table.text(action)
            assert isinstance(reason, str), f"refusal gives {reason!r} for {name}, which is no text"
            assert action not in legal or not reason, f"{name} is legal, but refused: {reason}"
            assert action in legal or reason, f"{name} is not legal, but refusal gives no reason, after {table.moves}"
            assert game.people.refusal(world, action) == reason, f"the reason for refusing {name} says what is hidden"
            assert game.people.action_name(world, action) == name, f"the name of {name} says what is hidden"
        check_told(game, table, legal)


def decisions(game: Game) -> Iterator[tuple[int, Table]]:
    """Some positions in which a seat is to move."""
    for number, table in enumerate(positions(game, games=3, seed=6)):
        if table.turn >= 0 and number % EVERY == 0:
            yield number, table


def check_told(game: Game, table: Table, legal: list[int]) -> None:
    """Typing the name of an illegal action must give the reason why it is illegal."""
    names = {table.text(action).lower() for action in legal}
    refused = (action for action in nameable_actions(game) if table.text(action).lower() not in names)
    action = next(refused, None)
    if action is None or game.people.refusal is None:
        return
    told = ""
    try:
        table.read(table.text(action))
    except IllegalAction as error:
        told = str(error)
    assert told == f"{table.text(action)} is not legal: {game.people.refusal(table.state, action)}", told
