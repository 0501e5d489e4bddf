"""View: what a seat knows, and nothing else.

A view is made by a table. It holds the view record that the rules wrote for this seat, and one imagined world: a
state from which everything hidden has been redealt, so that the true state never leaves the table. Worlds drawn from
it are uniform among those that the seat's knowledge allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenhand.core import drawing
from hiddenhand.core.errors import IllegalAction, RefusedAction, UserError, one_of
from hiddenhand.core.former_names import FormerName
from hiddenhand.core.game import encoded, nameable_actions
from hiddenhand.core.prefix_match import chosen
from hiddenhand.core.text import Text
from hiddenhand.kernel import assign, derive, new_records, stream
from hiddenhand.kernel.records import record_to_json

if TYPE_CHECKING:
    from hiddenhand.core.game import Game, Move
    from hiddenhand.core.picture import Picture

IMAGINED = 0x1A6E


class View:
    """What one seat may know at one moment.

    >>> import hiddenhand as hh
    >>> view = hh.game("leduc").deal(seed=7).view()
    >>> view
    <View of leduc from seat 0, 2 legal actions>
    >>> {action: view.action_name(action) for action in view.legal_actions()}
    {1: 'check', 2: 'bet'}
    >>> view.information_state_tensor().shape
    (31,)
    """

    def __init__(
        self,
        game: Game,
        state: np.record,
        seat: int,
        seed: int,
        memory: dict[tuple[int, str], np.ndarray[Any, Any]],
        cheats: bool = False,
    ) -> None:
        self.game = game
        self.seat = seat
        self.company: Sequence[str] = ()
        """Who sits where, as texts, if that is known."""
        self.seed = seed
        """Starts this decision's randomness: the same position asked twice gives the same answer."""
        self._memory = memory
        self._worlds = new_records(game.rules.state, 1)
        self._worlds[0] = state
        self.record: Any = new_records(game.rules.view, 1)[0]
        game.rules.observe(state, seat, self.record)
        self.truth: Any = state if cheats else None
        """The true state, for declared cheaters only."""
        if game.hidden and not cheats:
            game.rules.redeal(self._worlds[0], seat, stream(derive(seed, IMAGINED)))
        self.turn = int(game.rules.turn(self._worlds[0]))
        self._legal: list[int] = legal_actions(game, self._worlds[0]) if self.turn == seat else []

    def __repr__(self) -> str:
        count = len(self._legal)
        moves = f"{count} legal action{'s' * (count != 1)}" if count else "not to move"
        return f"<View of {self.game} from seat {self.seat}, {moves}>"

    def __str__(self) -> str:
        return self.screen()

    def _repr_html_(self) -> str:
        return drawing.fragment(repr(self)[1:-1], self.picture(), str(self))

    def stream(self) -> np.ndarray[Any, Any]:
        """A fresh stream of this decision's random numbers."""
        found: np.ndarray[Any, Any] = stream(self.seed)
        return found

    def imagine(self, rng: np.ndarray[Any, Any] | None = None, into: np.record | None = None) -> np.record:
        """A state (a record) that agrees with all this seat knows; with `rng`, drawn anew."""
        world: np.record = new_records(self.game.rules.state, 1)[0] if into is None else into
        assign(world, self._worlds[0])
        if rng is not None and self.game.hidden:
            self.game.rules.redeal(world, self.seat, rng)
        return world

    def memory(self, dtype: np.dtype[Any], owner: str) -> np.record:
        """The record that an agent keeps for this seat from move to move; zeros at first."""
        kept: np.record = self._memory.setdefault((self.seat, owner), new_records(dtype, 1))[0]
        return kept

    def legal_actions(self) -> list[int]:
        """The actions that the seat may play now; none where another seat moves."""
        return list(self._legal)

    def action_name(self, action: int) -> str:
        """An action as people write it."""
        return self.game.people.action_name(self._worlds[0], action)

    def read(self, text: str) -> int:
        """The legal action that is written so."""
        action = read_action(self.game, self._worlds[0], self._legal, text)
        if action is None:
            raise self.illegal(text)
        return action

    def legal_moves(self) -> list[Move]:
        """The legal actions as a screen offers them: each with its name, its verb and the things it is about."""
        return [self.game.people.move(self._worlds[0], action, self.seat) for action in self._legal]

    def information_state_tensor(self) -> np.ndarray[Any, Any]:
        """What learners are fed of this view: float32, as the rule `encode` writes it."""
        found: np.ndarray[Any, Any] = encoded(self.game, self.record, self.seat).astype(np.float32)
        return found

    def picture(self) -> Picture:
        """This view as a screen draws it."""
        return self.game.people.picture(self.record, self.seat)

    def illegal(self, wanted: str | int) -> IllegalAction:
        """Why an action, given as a number or as text, cannot be played, with the game's reason if it has one."""
        game, world = self.game, self._worlds[0]
        known = list(nameable_actions(game))
        action = read_action(game, world, known, wanted) if isinstance(wanted, str) else wanted
        if game.people.refusal is not None and action in known:
            return RefusedAction(
                "{move} is not legal: {why}", move=self.action_name(action), why=game.people.refusal(world, action)
            )
        return IllegalAction(
            "{move} is not legal here; legal: {list}",
            move=repr(str(wanted)),
            list=one_of([self.action_name(a) for a in self._legal]),
        )

    def why_not(self, thing: str) -> str:
        """Why no move can be made with a thing of the picture, if the game says so."""
        game, world = self.game, self._worlds[0]
        if game.people.refusal is not None and game.people.verb_and_objects is not None:
            for action in nameable_actions(game):
                if thing in game.people.verb_and_objects(world, action, self.seat)[1]:
                    reason = game.people.refusal(world, action)
                    if reason:
                        return Text("{move} is not legal: {why}", move=self.action_name(action), why=reason)
        return ""

    def screen(self) -> str:
        """This view as text."""
        return self.game.people.show(self.record, self.seat)

    def __getstate__(self) -> dict[str, Any]:
        """Without what the other seats remember."""
        own = {owner: array for owner, array in self._memory.items() if owner[0] == self.seat}
        return {**vars(self), "_memory": own}

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "seat": self.seat,
            "turn": self.turn,
            "actions": [{"action": a, "text": self.action_name(a)} for a in self._legal],
            "view": record_to_json(self.record),
        }

    actions = FormerName("legal_actions", called=True)
    moves = FormerName("legal_moves")
    text = FormerName("action_name")


def own_view(
    game: Game,
    state: np.record,
    seat: int,
    memory: dict[tuple[int, str], np.ndarray[Any, Any]] | None = None,
    company: Sequence[str] = (),
) -> View:
    """A seat's view whose randomness comes from the view itself, and not from the seed of a table.

    So whatever an adviser says of it, the seat could have worked it out alone.
    """
    digest = blake2b(seen_by(game, state, seat) + bytes([seat]), digest_size=8).digest()
    view = View(game, state, seat, int.from_bytes(digest), {} if memory is None else memory)
    view.company = company
    return view


def seen_by(game: Game, state: np.record, seat: int) -> bytes:
    """The view of a seat, as bytes."""
    view = new_records(game.rules.view, 1)[0]
    game.rules.observe(state, seat, view)
    return bytes_of(view)


TOO_MANY = 256
"""Room for so many actions more than a game declares, so that one that declares too few is told so."""


def legal_actions(game: Game, s: np.record) -> list[int]:
    """The legal actions (or outcomes of chance) of a state.

    A UserError if there are more than the game declares: whoever plays it in compiled code has no room for them.
    """
    out = np.empty(game.most_actions + TOO_MANY, np.int64)
    count = int(game.rules.legal(s, out))
    if count > game.most_actions:
        raise UserError(
            "{name} has {count} legal actions (or outcomes of chance) in a state, but says "
            "most_actions={most_actions}; it must be at least {count}",
            name=game.name,
            count=count,
            most_actions=game.most_actions,
        )
    found: list[int] = out[:count].tolist()
    return found


def read_action(game: Game, s: np.record, actions: list[int], text: str, short: bool = False) -> int | None:
    """That of the actions which is written `text`, or the only one that ends in `text`; capitals do not matter.

    A number that is not the name of any action, legal or not, may stand for itself. With `short` a word may stand for
    the only action that begins so, or of which a part begins so.
    """
    names = names_of(game, s, actions)
    word = " ".join(text.split()).lower()
    if word in names or word in names_of(game, s, nameable_actions(game)):
        return names.get(word)
    if word.lstrip("-").isdigit() and int(word) in actions:
        return int(word)
    endings = [action for name, action in names.items() if word and name.endswith(" " + word)]
    if len(endings) == 1:
        return endings[0]
    if not short or not word[:1].isalpha():
        return None
    place = chosen(word, [game.people.action_name(s, action) for action in actions], "the move")
    return None if place is None else actions[place]


def names_of(game: Game, s: np.record, actions: Iterable[int]) -> dict[str, int]:
    """The actions by their names in small letters; of several with one name the first."""
    names: dict[str, int] = {}
    for action in actions:
        names.setdefault(game.people.action_name(s, action).lower(), action)
    return names


def same(left: np.record, right: np.record) -> bool:
    """Whether all fields of two records are equal."""
    return bytes_of(left) == bytes_of(right)


def bytes_of(record: np.record) -> bytes:
    """The fields of a record as bytes.

    Between aligned fields there may be gaps. NumPy copies a record field by field, so that in a copy the gaps hold
    whatever lay in memory, and compiled code hands them on: here they are zero.
    """
    clean = new_records(record.dtype, 1)
    clean[0] = record
    return bytes(clean.tobytes())
