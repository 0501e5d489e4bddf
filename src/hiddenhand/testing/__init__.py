"""The conformance suite: what every game must hold, for our games and for yours.

    from hiddenhand.testing import check_game
    check_game("nim.py")                      # raises AssertionError with the broken property

With pytest, a game joins with one line:

    @pytest.mark.parametrize("check", CHECKS)
    def test_nim(check): check(game("nim.py"))

Golden playthroughs show a change of the rules without a new version: see `golden`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import IllegalAction
from hiddenhand.core.game import Game, blank_state, match_loop, metrics_of, nameable_actions, sides_of
from hiddenhand.core.own_faults import tells_own_faults
from hiddenhand.core.record import read_record
from hiddenhand.core.table import Table
from hiddenhand.core.view import same
from hiddenhand.kernel import CHANCE, OVER, assign, derive, new_records, stream
from hiddenhand.kernel.loop import PolicyTable, Results, Seating, as_policies, new_workspace, rows_of_bytes
from hiddenhand.kernel.rule import Mode, in_mode
from hiddenhand.testing.golden import check_golden
from hiddenhand.testing.positions import positions, snapshots
from hiddenhand.testing.secrecy import (
    check_hidden,
    check_nothing_kept,
    check_pictures,
    check_private,
    check_secrets,
    check_simultaneous,
    check_tells_nothing,
    check_view,
)
from hiddenhand.testing.worlds import check_rewind, check_vary, check_worlds

__all__ = [
    "CHECKS",
    "SECRECY",
    "check_chance",
    "check_conserved",
    "check_game",
    "check_golden",
    "check_hidden",
    "check_illegal",
    "check_legal",
    "check_loop",
    "check_names",
    "check_nothing_kept",
    "check_payoffs",
    "check_pictures",
    "check_private",
    "check_refusals",
    "check_replay",
    "check_rewind",
    "check_search_rules",
    "check_secrets",
    "check_sides",
    "check_simultaneous",
    "check_tells_nothing",
    "check_uncompiled",
    "check_vary",
    "check_view",
    "check_worlds",
    "positions",
]

DEALS = 40
LONG = 200
"""Plies of a game after which another one is not played uncompiled: that takes seconds."""


def check_legal(game: Game) -> None:
    """Legal actions come in ascending order, never none, never too many; seats exist; odds sum to one."""
    for table in positions(game):
        turn, legal = table.turn, table.legal_actions()
        if turn == OVER:
            continue
        assert turn == CHANCE or 0 <= turn < game.players, f"turn gives {turn}"
        assert legal, f"no legal action after {table.history_names}"
        assert legal == sorted(set(legal)), f"not ascending: {legal}"
        assert len(legal) <= game.most_actions
        if turn == CHANCE:
            odds = np.full(game.most_actions, np.nan)
            game.rules.odds(table.state, odds)
            assert abs(odds[: len(legal)].sum() - 1.0) < 1e-9, f"odds sum to {odds[: len(legal)].sum()}"
            assert (odds[: len(legal)] > 0.0).all(), "an outcome that cannot happen is listed"


def check_payoffs(game: Game) -> None:
    """Games end; payoffs are in range and add up as declared, and sides are what they are said to be."""
    low, high = game.payoffs
    finished = [table.payoffs() for table in positions(game) if table.over]
    for payoffs in finished:
        assert all(low <= p <= high for p in payoffs), f"payoffs {payoffs} outside {game.payoffs}"
        if game.utility == "zero-sum":
            assert abs(sum(payoffs)) < 1e-9, f"zero-sum, but {payoffs}"
        if game.utility == "cooperative":
            assert len(set(payoffs)) == 1, f"cooperative, but {payoffs}"
    if game.utility == "general" and game.players > 1:
        paid = [payoffs for payoffs in finished if any(payoffs)]
        equal = all(len(set(payoffs)) == 1 for payoffs in paid)
        assert not paid or any(abs(sum(payoffs)) > 1e-9 for payoffs in paid), "general, but all games were zero-sum"
        assert not paid or not equal, "general, but all games paid everybody the same: that is cooperative"


def check_sides(game: Game) -> None:
    """Every seat plays for one of the declared sides, and there are at least two of them in a finished game."""
    if not sides_of(game):
        return
    for table in positions(game, games=4):
        sides = [int(game.rules.side(table.state, seat)) for seat in range(game.players)]
        assert all(0 <= side < sides_of(game) for side in sides), (
            f"side gives {sides}, but there are {sides_of(game)} sides"
        )
        assert not table.over or len(set(sides)) > 1, "at the end all seats play for the same side"


def check_replay(game: Game) -> None:
    """A record, written as JSON and read again, replays to the same state; so does undo."""
    for table in positions(game, games=4):
        if table.over:
            text = json.dumps(table.record().to_json())
            again = read_record(json.loads(text)).replay()
            assert same(again.state, table.state), "the replayed game ends in another state"
            before = Table(game, table.seed, rolls=False)
            for action in table.history[:-1]:
                before.play(action)
            copy = read_record(json.loads(text)).replay()
            copy.undo(1)
            decisions = [i for i, mover in enumerate(table.movers) if mover >= 0]
            if decisions and decisions[-1] == len(table.history) - 1:
                assert same(copy.state, before.state), "undo leads to another state"


def check_illegal(game: Game) -> None:
    """An illegal action raises IllegalAction, names itself and the reason or the legal ones, and changes nothing."""
    for table in positions(game, games=2):
        if table.over:
            continue
        before = table.state.tobytes()
        wrong = max(table.legal_actions()) + 1
        message = ""
        try:
            table.play(wrong)
        except IllegalAction as error:
            message = str(error)
        reasoned = table.turn >= 0 and wrong in nameable_actions(game)
        name, told = (
            (table.action_name(wrong), ":") if reasoned else (str(wrong), table.action_name(table.legal_actions()[0]))
        )
        assert name in message, f"illegal action {wrong} was accepted or not named"
        assert told in message, "neither a reason nor the legal actions are named"
        assert table.state.tobytes() == before, "an illegal action changed the state"


def check_names(game: Game) -> None:
    """Legal actions have distinct names, and a name typed by a person means its action."""
    for table in positions(game, games=4):
        names = [table.action_name(action) for action in table.legal_actions()]
        assert len({name.lower() for name in names}) == len(names), f"two actions share a name: {names}"
        for i in {0, len(names) // 2, len(names) - 1} if names else ():
            assert table.read(f" {names[i].upper()} ") == table.legal_actions()[i]


def check_search_rules(game: Game) -> None:
    """EVAL stays within the payoffs and adds up; ordering only reorders; likely moves are legal."""
    low, high = game.payoffs
    for table in positions(game, games=4):
        values = np.zeros(game.players)
        game.rules.evaluate(table.state, values)
        assert ((values >= low) & (values <= high)).all(), f"EVAL {values} outside {game.payoffs}"
        if game.utility == "zero-sum":
            assert abs(values.sum()) < 1e-9, f"zero-sum, but EVAL gives {values}"
        if not table.over:
            legal = table.legal_actions()
            actions = np.zeros(game.most_actions, np.int64)
            actions[: len(legal)] = legal
            game.rules.order(table.state, actions, len(legal))
            ordered = actions[: len(legal)].tolist()
            assert sorted(ordered) == legal, "order loses or invents actions"
            assert table.turn != CHANCE or ordered == legal, "order changes the outcomes of chance"
            game.rules.quiet(table.state)
            if table.turn != CHANCE:
                likely = game.rules.likely(table.state, table.turn, np.array(legal), len(legal), stream(table.seed))
                assert likely in legal, f"the likely move {likely} is not legal"


def check_chance(game: Game) -> None:
    """Chance has a part where the game says so, and nowhere else."""
    deals = {Table(game, seed, rolls=False).state.tobytes() for seed in range(DEALS)}
    assert game.chance.deals or len(deals) == 1, 'deals differ, but the game does not say chance=("deal", ...)'
    assert not game.chance.deals or len(deals) > 1, f'chance=("deal", ...), but {DEALS} deals were all the same'
    moved = drew = False
    world = new_records(game.rules.state, 1)[0]
    for table in positions(game, games=3):
        moved |= table.turn == CHANCE
        for action in table.legal_actions():
            rng = stream(1)
            assign(world, table.state)
            game.rules.play(world, action, rng)
            drew |= bool(rng[0] != stream(1)[0])
            assert game.chance.draws or not drew, (
                f'{table.action_name(action)} draws at random, but the game does not say chance=("draws", ...)'
            )
    assert game.chance.outcomes or not moved, (
        'chance has moves of its own, but the game does not say chance=("outcomes", ...)'
    )
    assert not game.chance.outcomes or moved, 'chance=("outcomes", ...), but chance never moved'
    assert not game.chance.draws or drew, 'chance=("draws", ...), but no move drew at random'


def check_conserved(game: Game) -> None:
    """What the game says is conserved (its cards, say) is the same in every position of a game."""
    if game.people.conserved is None:
        return
    at_start: dict[int, Any] = {}
    for table in positions(game):
        now = game.people.conserved(table.state)
        assert at_start.setdefault(table.seed, now) == now, f"not conserved after {table.history_names}"


def check_loop(game: Game) -> None:
    """The compiled match loop and the Python table play the same games."""
    games, seats = 6, game.players
    agent = resolver.agent(game, "random")
    assert isinstance(agent, PolicyAgent)
    results = Results(
        np.zeros((games, seats)),
        np.zeros(games, np.int64),
        np.zeros((games, len(metrics_of(game)))),
        np.zeros(4, np.int64),
    )
    players = PolicyTable(
        as_policies([agent.for_loop] * seats),
        np.zeros(seats, np.int64),
        rows_of_bytes([agent.parameters] * seats),
        np.zeros((seats, 1), np.uint64),
    )
    seating = Seating(np.uint64(1), 0, seats, False, 1, 0, game.longest)
    match_loop(game)(
        seating, players, new_workspace(blank_state(game), game.rules.view, seats, game.most_actions), results
    )
    finished = snapshots(game, games)
    assert results.payoffs.tolist() == [table["payoffs"] for table in finished]
    assert results.moves.tolist() == [table["decisions"] for table in finished]


def check_uncompiled(game: Game) -> None:
    """Compiled and uncompiled rules play the same games from the same seed."""
    compiled = snapshots(game, 2)
    games = 1 if len(compiled[0]["actions"]) > LONG else 2
    with in_mode(Mode.PLAIN):
        plain = snapshots(game, games)
    assert plain == compiled[:games], "the uncompiled rules play another game"


# ---- refused moves have reasons

EVERY = 3  # only every third position is looked at


def check_refusals(game: Game) -> None:
    """Each action is legal, or refused with a reason that depends on nothing but what the mover knows."""
    if game.people.refusal is None:
        return
    for number, table in decisions(game):
        legal = table.legal_actions()
        assert max(legal) < game.rules.action_count, (
            f"action {max(legal)} is legal, but all_actions is {game.rules.action_count}"
        )
        world = table.view().imagine(stream(derive(number, 12)))
        for action in nameable_actions(game):
            reason, name = game.people.refusal(table.state, action), table.action_name(action)
            assert isinstance(reason, str), f"refusal gives {reason!r} for {name}, which is no text"
            assert action not in legal or not reason, f"{name} is legal, but refused: {reason}"
            assert action in legal or reason, (
                f"{name} is not legal, but refusal gives no reason, after {table.history_names}"
            )
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
    names = {table.action_name(action).lower() for action in legal}
    refused = (action for action in nameable_actions(game) if table.action_name(action).lower() not in names)
    action = next(refused, None)
    if action is None or game.people.refusal is None:
        return
    told = ""
    try:
        table.read(table.action_name(action))
    except IllegalAction as error:
        told = str(error)
    assert told == f"{table.action_name(action)} is not legal: {game.people.refusal(table.state, action)}", told


CHECKS: tuple[Callable[[Game], None], ...] = (
    check_legal,
    check_payoffs,
    check_sides,
    check_chance,
    check_replay,
    check_illegal,
    check_names,
    check_refusals,
    check_hidden,
    check_nothing_kept,
    check_secrets,
    check_private,
    check_simultaneous,
    check_tells_nothing,
    check_view,
    check_rewind,
    check_worlds,
    check_vary,
    check_pictures,
    check_search_rules,
    check_conserved,
    check_loop,
    check_uncompiled,
)
SECRECY: tuple[Callable[[Game], None], ...] = (
    check_hidden,
    check_nothing_kept,
    check_secrets,
    check_private,
    check_simultaneous,
    check_tells_nothing,
    check_view,
    check_rewind,
    check_worlds,
    check_vary,
    check_pictures,
    check_refusals,
)
"""Those that look for leaks."""


@tells_own_faults
def check_game(game: Game | str, **options: Any) -> None:
    """Every check, one after the other."""
    checked = resolver.game(game, **options)
    for check in CHECKS:
        check(checked)
