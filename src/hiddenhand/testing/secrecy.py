"""What is hidden stays hidden: the part of the conformance suite that catches leaks."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from hiddenhand.core.event_log import hear, news_for, parts_of
from hiddenhand.core.extras import Blanked, PrivateFields, Simultaneous
from hiddenhand.core.game import Game, encoding_of
from hiddenhand.core.table import Table
from hiddenhand.core.view import legal_actions, same, seen_by
from hiddenhand.kernel import CHANCE, OVER, assign, derive, new_records, stream
from hiddenhand.kernel.records import flatten, numbers_in
from hiddenhand.testing.positions import positions

SELDOM = 4  # views in which something hidden may follow from what is known
ACTIONS_TRIED, WORLDS_TRIED = 6, 12  # of each position, where moves tell nothing


def check_hidden(game: Game) -> None:
    """`redeal` neither leaks nor contradicts: it keeps the view, and depends on nothing but the view."""
    for number, table in enumerate(positions(game, games=6)):
        for seat in range(game.players):
            first, second, third = new_records(game.rules.state, 3)
            views = new_records(game.rules.view, 2)
            for world in (first, second, third):
                assign(world, table.state)
            game.rules.redeal(first, seat, stream(derive(3, number)))
            game.rules.observe(table.state, seat, views[0])
            game.rules.observe(first, seat, views[1])
            assert same(views[0], views[1]), f"redeal changes what seat {seat} sees, after {table.history_names}"
            assert game.rules.turn(first) == table.turn, "redeal changes whose turn it is"
            if not game.hidden:
                assert same(first, table.state), "a game of perfect information hides something"
            if table.turn == seat:
                legal = np.zeros(game.most_actions, np.int64)
                count = game.rules.legal(first, legal)
                assert legal[:count].tolist() == table.legal_actions(), (
                    "legal actions depend on what the seat cannot see"
                )
            # from the true world and from an imagined one, the same random numbers must give the same world
            assign(second, first)
            game.rules.redeal(second, seat, stream(derive(4, number)))
            game.rules.redeal(third, seat, stream(derive(4, number)))
            assert same(second, third), f"redeal leaks: its result depends on what seat {seat} cannot see"


def check_nothing_kept(game: Game) -> None:
    """`redeal` keeps nothing that the seat cannot see.

    Whatever part of the state is more than seldom not in the view, and differs from position to position, must
    sometimes change when it is redealt. And where two games, played independently, look the same to a seat, they must
    be redealt the same.
    """
    if not game.hidden:
        return
    redealt: dict[tuple[int, bytes], bytes] = {}
    secret = np.zeros(game.rules.state.itemsize, np.int64)
    changed, varies = (np.zeros(game.rules.state.itemsize, np.bool_) for _ in range(2))
    first: np.ndarray[Any, Any] | None = None
    world, view = new_records(game.rules.state, 1)[0], new_records(game.rules.view, 1)[0]
    in_state, in_view = shown_bytes(game)
    looked: list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] = []
    for number, table in enumerate(positions(game, games=30, seed=2)):
        now = np.frombuffer(table.state.tobytes(), np.uint8)
        first = now if first is None else first
        varies |= now != first
        for seat in range(game.players):
            game.rules.observe(table.state, seat, view)
            looked.append((np.zeros(numbers_in(game.rules.view)), now))
            flatten.plain(view, looked[-1][0])
            told = np.zeros(game.rules.state.itemsize, np.bool_)
            told[in_state] = now[in_state] == np.frombuffer(view.tobytes(), np.uint8)[in_view]
            secret += ~told & (now != first)
            assign(world, table.state)
            game.rules.redeal(world, seat, stream(derive(6, number)))
            changed |= np.frombuffer(world.tobytes(), np.uint8) != now
            assign(world, table.state)
            game.rules.redeal(world, seat, stream(7))
            before = redealt.setdefault((seat, view.tobytes()), world.tobytes())
            assert before == world.tobytes(), f"two worlds that look the same to seat {seat} are redealt differently"
    for name in game.rules.state.names or ():
        kept = (
            numbers_of(game, name, secret > SELDOM)
            & numbers_of(game, name, varies)
            & ~numbers_of(game, name, changed)
        )
        for place in np.flatnonzero(kept).tolist() if name != "padding" else ():
            follows = all(is_told(game, name, place, looked[seat :: game.players]) for seat in range(game.players))
            assert follows, f"redeal never changes {name}, which the view does not show"


def is_told(game: Game, name: str, place: int, looked: list[tuple[np.ndarray[Any, Any], Any]]) -> bool:
    """Whether a number in a field of the state follows from the view: it is a linear function of the view's numbers.

    `looked`: views as numbers and states as bytes, of one seat.
    """
    views = np.array([[1.0, *view] for view, _ in looked])
    if len(views) < 3 * views.shape[1]:  # too few to tell
        return False
    states = [np.frombuffer(state.tobytes(), game.rules.state)[0] for _, state in looked]
    values = np.array([np.ravel(state[name])[place] for state in states], np.float64)
    found = np.linalg.lstsq(views, values, rcond=None)[0]
    return bool(np.abs(views @ found - values).max() < 1e-6)


def shown_bytes(game: Game) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The bytes of a state whose field the view has under the same name, and where these lie in the view."""
    in_state, in_view = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for name in game.rules.state.names or ():
        if name in (game.rules.view.names or ()) and game.rules.state[name] == game.rules.view[name]:
            in_state.append(bytes_of(game.rules.state, name))
            in_view.append(bytes_of(game.rules.view, name))
    return np.concatenate(in_state), np.concatenate(in_view)


def bytes_of(record: np.dtype[Any], name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where the bytes of a field lie in a record."""
    kind, start = record.fields[name][:2]  # type: ignore[index]
    return np.arange(start, start + kind.itemsize)


def numbers_of(game: Game, name: str, marks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Marks of bytes as marks of the numbers in one field of the state."""
    kind, start = game.rules.state.fields[name][:2]  # type: ignore[index]
    return np.array(marks[start : start + kind.itemsize].reshape(-1, kind.base.itemsize).any(axis=1))


def check_view(game: Game) -> None:
    """`observe` writes the whole view: what the record held before does not shine through."""
    for table in positions(game, games=2):
        for seat in range(game.players):
            clean, dirty = new_records(game.rules.view, 2)
            game.rules.observe(table.state, seat, clean)
            filled = np.full(game.rules.view.itemsize, 1, np.uint8).view(game.rules.view).view(np.recarray)
            assign(dirty, filled[0])
            game.rules.observe(table.state, seat, dirty)
            for name in game.rules.view.names or ():
                if name != "padding":
                    assert np.array_equal(clean[name], dirty[name]), f"observe does not write {name}"


def check_secrets(game: Game) -> None:
    """Something is kept from every seat: there are worlds that look the same to it and are not.

    A game that hides something and shows it all the same would pass the other checks.
    """
    if not game.hidden:
        return
    differ = np.zeros((game.players, len(game.rules.state.names or ())), np.bool_)
    blanked = dict.fromkeys(game.extra(Blanked, Blanked(())).fields, False)
    world, view = new_records(game.rules.state, 1)[0], new_records(game.rules.view, 1)[0]
    for number, table in enumerate(positions(game, games=6, seed=3)):
        for seat in range(game.players):
            assign(world, table.state)
            game.rules.redeal(world, seat, stream(derive(8, number)))
            for i, name in enumerate(game.rules.state.names or ()):
                differ[seat, i] |= name != "padding" and not np.array_equal(world[name], table.state[name])
            game.rules.observe(table.state, seat, view)
            for name in blanked:
                blanked[name] |= not np.array_equal(view[name], table.state[name])
    for seat in range(game.players):
        assert differ[seat].any(), (
            f"nothing is hidden from seat {seat}: its view tells the whole state, and redeal never changes it"
        )
    for name, ever in blanked.items():
        assert ever, f"observe never blanks {name}, which every seat therefore sees"


def check_private(game: Game) -> None:
    """Private fields are private: with another seat's entries exchanged, nothing changes for a seat.

    The entries come from any other positions: what the rules do not read cannot matter.
    """
    names = game.extra(PrivateFields, PrivateFields(())).names
    kept: list[np.recarray[Any, Any]] = []
    differed = dict.fromkeys(names, False)
    for number, table in enumerate(positions(game, games=6, seed=9) if names else ()):
        kept.append(new_records(game.rules.state, 1))
        assign(kept[-1][0], table.state)
        for seat in range(game.players):
            other = new_records(game.rules.state, 1)[0]
            assign(other, table.state)
            donor = kept[derive(number, seat) % len(kept)][0]
            for name in names:
                differed[name] |= not np.array_equal(other[name][seat], donor[name][seat])
                other[name][seat] = donor[name][seat]
            check_same_but_for(game, names, seat, table, other)
    for name, ever in differed.items():
        assert ever, f"{name} is said to be private, but never differs"


def check_same_but_for(game: Game, names: tuple[str, ...], seat: int, table: Table, other: np.record) -> None:
    """In another state, which differs in the private entries of a seat alone, all is as it is for the other seats."""
    where = f"the private entries of seat {seat}, after {table.history_names}"
    assert game.rules.turn(other) == table.turn, f"turn reads {where}"
    for each in set(range(game.players)) - {seat}:
        assert seen_by(game, other, each) == seen_by(game, table.state, each), f"observe of seat {each} reads {where}"
    if table.turn in (seat, OVER, CHANCE):
        return
    legal = legal_actions(game, other)
    assert legal == table.legal_actions(), f"legal reads {where}"
    for action in legal[:: max(1, len(legal) // ACTIONS_TRIED)]:
        true, after = (played(game, state, action, 1) for state in (table.state, other))
        for name in names:
            assert np.array_equal(true[name][seat], table.state[name][seat]), f"play changes {where}"
            assert np.array_equal(after[name][seat], other[name][seat]), f"play changes {where}"
            after[name][seat] = true[name][seat]
        assert same(after, true), f"play reads {where}"


def check_simultaneous(game: Game) -> None:
    """Where players move at the same time, nobody sees in a round what those before have chosen."""
    for table in positions(game, games=4, seed=10) if game.extra(Simultaneous) is not None else ():
        others = [seat for seat in range(game.players) if seat != table.turn]
        rounds = set()
        for action in table.legal_actions() if table.turn >= 0 else ():
            after = played(game, table.state, action, 1)
            follower = int(game.rules.turn(after))
            seen = tuple(seen_by(game, after, seat) for seat in others)
            goes_on = follower > table.turn
            rounds.add((follower, seen, tuple(legal_actions(game, after))) if goes_on else None)
        assert len(rounds) < 2, f"somebody sees what seat {table.turn} chose in this round: {table.history_names}"


def check_tells_nothing(game: Game) -> None:
    """A move of which the game says that it tells its mover nothing leaves the same view in every possible world.

    Otherwise what a move told could be had for nothing: moves that tell nothing may be taken back.
    """
    if game.people.tells_nothing is None:
        return
    for number, table in enumerate(positions(game, games=3, seed=5)):
        if table.turn < 0:
            continue
        actions = table.legal_actions()
        view, tried = table.view(), actions[:: max(1, len(actions) // ACTIONS_TRIED)]
        left: dict[int, Any] = dict.fromkeys(tried)
        for attempt in range(WORLDS_TRIED):
            world = view.imagine(stream(derive(number, attempt)))
            for action in tried:
                said, name = bool(game.people.tells_nothing(table.state, action)), table.action_name(action)
                assert bool(game.people.tells_nothing(world, action)) == said, (
                    f"tells_nothing says of {name} what is hidden"
                )
                if said:
                    told = told_by(game, world, table.turn, action, attempt)
                    left[action] = left[action] or told
                    assert told == left[action], f"{name} tells its mover something, after {table.history_names}"


def told_by(game: Game, world: np.record, seat: int, action: int, seed: int) -> Any:
    """All that a seat gets to know by playing an action in a world."""
    after = played(game, world, action, seed)
    heard, news = hear(game, world, seat, action, seat), news_for(game, world, after, seat)
    return seen_by(game, after, seat), int(game.rules.turn(after)), heard, news


def played(game: Game, world: np.record, action: int, seed: int) -> Any:
    """The world after an action."""
    after = new_records(game.rules.state, 1)[0]
    assign(after, world)
    game.rules.play(after, action, stream(derive(seed, 11)))
    return after


def check_pictures(game: Game) -> None:
    """`encode`, `picture` and `relative` are functions of the view: of the same view, the same; whole and sound."""
    worlds, views = new_records(game.rules.state, 1), new_records(game.rules.view, 2)
    for number, table in enumerate(positions(game, games=3, seed=4)):
        for seat in range(game.players):
            assign(worlds[0], table.state)
            game.rules.redeal(worlds[0], seat, stream(derive(9, number)))
            game.rules.observe(table.state, seat, views[0])
            game.rules.observe(worlds[0], seat, views[1])
            before = views[0].tobytes()
            true, imagined = (encoded(game, view, seat) for view in views)
            assert np.array_equal(true, imagined), f"encode differs for seat {seat} in a world that looks the same"
            drawn, redrawn = (pictured(game, view, seat) for view in views)
            assert drawn == redrawn, f"picture differs for seat {seat} in a world that looks the same"
            assert views[0].tobytes() == before, "encode or picture changes the view"
            check_parts(game, table, worlds[0], seat)
            if encoding_of(game).bits:
                assert ((true == 0.0) | (true == 1.0)).all(), "encoded_bits=True, but encode writes other numbers"
            if "relative" in game.rules.given:
                check_numbers(game, views, seat)


def check_numbers(game: Game, views: Any, seat: int) -> None:
    """Seen from a seat's side, every action has a number of its own, the same in two worlds that look the same."""
    first, second = (
        [int(game.rules.relative(view, a, seat)) for a in range(game.rules.action_count)] for view in views
    )
    assert first == second, f"relative differs for seat {seat} in a world that looks the same"
    assert sorted(first) == list(range(game.rules.action_count)), f"relative is no bijection for seat {seat}: {first}"


def check_parts(game: Game, table: Table, world: np.record, seat: int) -> None:
    """What a seat is told of the things that an action is about is the same in a world that looks the same to it,
    before the action and after it."""
    possible = set(legal_actions(game, world)) if table.turn >= 0 else set()
    actions = [action for action in table.legal_actions() if action in possible]
    for action in actions[:: max(1, len(actions) // ACTIONS_TRIED)]:
        after, otherwise = (played(game, state, action, 1) for state in (table.state, world))
        if seen_by(game, after, seat) == seen_by(game, otherwise, seat):
            true, imagined = (parts_of(game, state, action, seat) for state in (table.state, world))
            assert true == imagined, (
                f"verb_and_objects tells seat {seat} what is hidden, of {table.action_name(action)}"
            )


def encoded(game: Game, view: np.record, seat: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The view as numbers, all of them written, none of them beyond the declared length."""
    encoded = np.full(2 * encoding_of(game).length + 64, np.nan)
    game.rules.encode(view, seat, encoded[: encoding_of(game).length])
    written = int(np.isfinite(encoded).sum())
    length = encoding_of(game).length
    assert np.isfinite(encoded[:length]).all(), (
        f"encode must write {length} finite numbers, and writes {written}: is the length of Encoding too large?"
    )
    assert written == length, "encode writes beyond the length of Encoding"
    return encoded[: encoding_of(game).length]


def pictured(game: Game, view: np.record, seat: int) -> str:
    """The picture as JSON."""
    picture = game.people.picture(view, seat)
    assert isinstance(picture, dict), f"picture gives {type(picture).__name__}, not a dict of named data"
    try:
        return json.dumps(picture, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise AssertionError(f"picture cannot be written as JSON: {error}") from None
