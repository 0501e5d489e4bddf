"""The conformance suite: what every game must hold, for our games and for yours.

    from hiddenhand.testing import check_game
    check_game("nim.py")                      # raises AssertionError with the broken property

With pytest, a game joins with one line:

    @pytest.mark.parametrize("check", CHECKS)
    def test_nim(check): check(game("nim.py"))
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hiddenhand.core import resolver
from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import IllegalAction
from hiddenhand.core.game import Game
from hiddenhand.core.record import read_record
from hiddenhand.core.table import Table
from hiddenhand.core.view import same
from hiddenhand.kernel import CHANCE, OVER, assign, derive, game_seed, new_records, stream
from hiddenhand.kernel.loop import Players, Results, Seating, as_policies, new_room, rows_of_bytes

GAMES = 12


def positions(game: Game, games: int = GAMES, seed: int = 1) -> Iterator[Table]:
    """Every position, chance's included, of some games between random players."""
    agent = resolver.agent(game, "random")
    for number in range(games):
        table = Table(game, int(game_seed(np.uint64(seed), number)), rolls=False)
        while True:
            yield table
            if table.over:
                break
            assert len(table.actions) < game.longest, f"no end after {game.longest} plies: is `longest` too small?"
            if table.turn == CHANCE:
                table.roll()
            else:
                table.play(table.ask(agent).action)


def check_legal(game: Game) -> None:
    """Legal actions come in ascending order, never none, never too many; seats exist; odds sum to one."""
    for table in positions(game):
        turn, legal = table.turn, table.legal()
        if turn == OVER:
            continue
        assert turn == CHANCE or 0 <= turn < game.players, f"turn gives {turn}"
        assert legal, f"no legal action after {table.moves}"
        assert legal == sorted(set(legal)), f"not ascending: {legal}"
        assert len(legal) <= game.most_actions
        if turn == CHANCE:
            assert game.outcomes, "chance moves in a game declared without chance"
            odds = np.full(game.most_actions, np.nan)
            game.rules.odds(table.state, odds)
            assert abs(odds[: len(legal)].sum() - 1.0) < 1e-9, f"odds sum to {odds[: len(legal)].sum()}"
            assert (odds[: len(legal)] > 0.0).all(), "an outcome that cannot happen is listed"


def check_payoffs(game: Game) -> None:
    """Games end; payoffs are in range and add up as declared."""
    low, high = game.payoffs
    for table in positions(game):
        if table.over:
            payoffs = table.payoffs()
            assert all(low <= p <= high for p in payoffs), f"payoffs {payoffs} outside {game.payoffs}"
            if game.utility == "zero-sum":
                assert abs(sum(payoffs)) < 1e-9, f"zero-sum, but {payoffs}"
            if game.utility == "cooperative":
                assert len(set(payoffs)) == 1, f"cooperative, but {payoffs}"


def check_replay(game: Game) -> None:
    """A record, written as JSON and read again, replays to the same state; so does undo."""
    for table in positions(game, games=4):
        if table.over:
            text = json.dumps(table.record().to_json())
            again = read_record(json.loads(text)).replay()
            assert same(again.state, table.state), "the replayed game ends in another state"
            before = Table(game, table.seed, rolls=False)
            for action in table.actions[:-1]:
                before.play(action)
            copy = read_record(json.loads(text)).replay()
            copy.undo(1)
            decisions = [i for i, mover in enumerate(table.movers) if mover >= 0]
            if decisions and decisions[-1] == len(table.actions) - 1:
                assert same(copy.state, before.state), "undo leads to another state"


def check_illegal(game: Game) -> None:
    """An illegal action raises IllegalAction, names itself and the legal ones, and changes nothing."""
    for table in positions(game, games=2):
        if table.over:
            continue
        before = table.state.tobytes()
        wrong = max(table.legal()) + 1
        message = ""
        try:
            table.play(wrong)
        except IllegalAction as error:
            message = str(error)
        assert str(wrong) in message, f"illegal action {wrong} was accepted or not named"
        assert table.text(table.legal()[0]) in message, "the legal actions are not named"
        assert table.state.tobytes() == before, "an illegal action changed the state"


def check_names(game: Game) -> None:
    """Legal actions have distinct names, and a name typed by a person means its action."""
    for table in positions(game, games=4):
        names = [table.text(action) for action in table.legal()]
        assert len({name.lower() for name in names}) == len(names), f"two actions share a name: {names}"
        for i in {0, len(names) // 2, len(names) - 1} if names else ():
            assert table.read(f" {names[i].upper()} ") == table.legal()[i]


def check_hidden(game: Game) -> None:
    """`redeal` neither leaks nor contradicts: it keeps the view, and depends on nothing but the view."""
    for number, table in enumerate(positions(game, games=6)):
        for seat in range(game.players):
            first, second, third = new_records(game.state, 3)
            views = new_records(game.view, 2)
            for world in (first, second, third):
                assign(world, table.state)
            game.rules.redeal(first, seat, stream(derive(3, number)))
            game.rules.observe(table.state, seat, views[0])
            game.rules.observe(first, seat, views[1])
            assert same(views[0], views[1]), f"redeal changes what seat {seat} sees, after {table.moves}"
            assert game.rules.turn(first) == table.turn, "redeal changes whose turn it is"
            if not game.hidden:
                assert same(first, table.state), "a game of perfect information hides something"
            if table.turn == seat:
                legal = np.zeros(game.most_actions, np.int64)
                count = game.rules.legal(first, legal)
                assert legal[:count].tolist() == table.legal(), "legal actions depend on what the seat cannot see"
            # from the true world and from an imagined one, the same random numbers must give the same world
            assign(second, first)
            game.rules.redeal(second, seat, stream(derive(4, number)))
            game.rules.redeal(third, seat, stream(derive(4, number)))
            assert same(second, third), f"redeal leaks: its result depends on what seat {seat} cannot see"


def check_nothing_kept(game: Game) -> None:
    """`redeal` keeps nothing that the seat cannot see.

    Whatever part of the state is not in the view, and differs from position to position, must sometimes change when
    it is redealt. And where two games, played independently, look the same to a seat, they must be redealt the same.
    """
    if not game.hidden:
        return
    redealt: dict[tuple[int, bytes], bytes] = {}
    secret, changed, varies = (np.zeros(game.state.itemsize, np.bool_) for _ in range(3))
    first: np.ndarray[Any, Any] | None = None
    world, view = new_records(game.state, 1)[0], new_records(game.view, 1)[0]
    for number, table in enumerate(positions(game, games=40, seed=2)):
        now = np.frombuffer(table.state.tobytes(), np.uint8)
        first = now if first is None else first
        varies |= now != first
        for seat in range(game.players):
            game.rules.observe(table.state, seat, view)
            secret |= not_shown(game, table.state, view)
            assign(world, table.state)
            game.rules.redeal(world, seat, stream(derive(6, number)))
            changed |= np.frombuffer(world.tobytes(), np.uint8) != now
            assign(world, table.state)
            game.rules.redeal(world, seat, stream(7))
            before = redealt.setdefault((seat, view.tobytes()), world.tobytes())
            assert before == world.tobytes(), f"two worlds that look the same to seat {seat} are redealt differently"
    for name in game.state.names or ():
        kept = numbers_of(game, name, secret) & numbers_of(game, name, varies) & ~numbers_of(game, name, changed)
        assert name == "padding" or not kept.any(), f"redeal never changes {name}, which the view does not show"


def not_shown(game: Game, state: Any, view: Any) -> np.ndarray[Any, Any]:
    """Which bytes of a state the view does not show under the same name."""
    secret = np.ones(game.state.itemsize, np.bool_)
    for name in game.state.names or ():
        if name in (game.view.names or ()) and game.state[name] == game.view[name]:
            mine, shown = (np.frombuffer(np.asarray(r[name]).tobytes(), np.uint8) for r in (state, view))
            start = game.state.fields[name][1]  # type: ignore[index]
            secret[start : start + len(mine)] = mine != shown
    return secret


def numbers_of(game: Game, name: str, marks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Marks of bytes as marks of the numbers in one field of the state."""
    kind, start = game.state.fields[name][:2]  # type: ignore[index]
    return np.array(marks[start : start + kind.itemsize].reshape(-1, kind.base.itemsize).any(axis=1))


def check_view(game: Game) -> None:
    """`observe` writes the whole view: what the record held before does not shine through."""
    for table in positions(game, games=2):
        for seat in range(game.players):
            clean, dirty = new_records(game.view, 2)
            game.rules.observe(table.state, seat, clean)
            filled = np.full(game.view.itemsize, 1, np.uint8).view(game.view).view(np.recarray)
            assign(dirty, filled[0])
            game.rules.observe(table.state, seat, dirty)
            for name in game.view.names or ():
                if name != "padding":
                    assert np.array_equal(clean[name], dirty[name]), f"observe does not write {name}"


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
            legal = table.legal()
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


def check_draws(game: Game) -> None:
    """Moves draw at random only in a game that says so (and deals are part of `deal`)."""
    world = new_records(game.state, 1)[0]
    for table in positions(game, games=3):
        if table.over or game.draws:
            continue
        for action in table.legal():
            rng = stream(1)
            assign(world, table.state)
            game.rules.play(world, action, rng)
            assert rng[0] == stream(1)[0], f"{table.text(action)} draws at random: the game must say `draws=True`"


def check_conserved(game: Game) -> None:
    """What the game says is conserved (its cards, say) is the same in every position of a game."""
    if game.conserved is None:
        return
    at_start: dict[int, Any] = {}
    for table in positions(game):
        now = game.conserved(table.state)
        assert at_start.setdefault(table.seed, now) == now, f"not conserved after {table.moves}"


def check_loop(game: Game) -> None:
    """The compiled match loop and the Python table play the same games."""
    games, seats = 6, game.players
    agent = resolver.agent(game, "random")
    assert isinstance(agent, PolicyAgent)
    results = Results(
        np.zeros((games, seats)),
        np.zeros(games, np.int64),
        np.zeros((games, len(game.metrics))),
        np.zeros(4, np.int64),
    )
    players = Players(
        as_policies([agent.for_loop] * seats),
        np.zeros(seats, np.int64),
        rows_of_bytes([agent.parameters] * seats),
        np.zeros((seats, 8), np.uint8),
    )
    seating = Seating(np.uint64(1), 0, seats, False, 1, 0, game.longest)
    game.loop()(seating, players, new_room(game.blank(), game.view, seats, game.most_actions), results)
    finished = snapshots(game, games)
    assert results.payoffs.tolist() == [table["payoffs"] for table in finished]
    assert results.moves.tolist() == [table["decisions"] for table in finished]


def snapshots(game: Game, games: int) -> list[dict[str, Any]]:
    """Some whole games between random players, as plain data."""
    return [
        {
            "actions": list(table.actions),
            "payoffs": table.payoffs(),
            "decisions": sum(mover >= 0 for mover in table.movers),
            "state": table.state.tobytes().hex(),
        }
        for table in positions(game, games=games)
        if table.over
    ]


def check_uncompiled(game: Game) -> None:
    """Compiled and uncompiled rules play the same games from the same seed."""
    command = [sys.executable, "-m", "hiddenhand.testing", game.spec, json.dumps(dict(game.options))]
    plain = subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False
    )
    assert plain.returncode == 0, plain.stderr[-2000:]
    assert json.loads(plain.stdout) == snapshots(game, 2), "the uncompiled rules play another game"


CHECKS: tuple[Callable[[Game], None], ...] = (
    check_legal,
    check_payoffs,
    check_replay,
    check_illegal,
    check_names,
    check_hidden,
    check_nothing_kept,
    check_view,
    check_search_rules,
    check_draws,
    check_conserved,
    check_loop,
    check_uncompiled,
)


def check_game(game: Game | str, **options: Any) -> None:
    """Every check, one after the other."""
    checked = resolver.game(game, **options)
    for check in CHECKS:
        check(checked)


if __name__ == "__main__":  # plays without compilation, for check_uncompiled
    print(json.dumps(snapshots(resolver.game(sys.argv[1], **json.loads(sys.argv[2])), 2)))
