"""One seat of a game as a Gymnasium environment; agents of ours, or bots, sit in the others.

    env = hiddenhand.bridges.gymnasium.make("leduc", opponents=["cfr:iterations=100"])
    observation, info = env.reset(seed=7)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

An observation is what the seat sees, as the game's `encode` writes it. The reward is the payoff, when the game is
over, and 0 before. `info` has `action_mask`, a 1 for each action that is legal, and `seat`; when the game is over
`payoffs` of all seats too. `action_masks()` gives the mask by itself, for sb3-contrib. A move that is not legal loses
the game (see `Table.forfeited`), and `info["given_up"]` says why.

Importing this module registers every game of the package: `gymnasium.make("hiddenhand/leduc")` takes the same
arguments as `make`, and `gymnasium.make_vec` makes many at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hiddenhand.bridges import Numbers, mask_of, missing, seen
from hiddenhand.core import resolver
from hiddenhand.core.agent import Agent
from hiddenhand.core.errors import Forfeit, UserError
from hiddenhand.core.game import Game, encoding_of, for_players
from hiddenhand.core.table import Table

try:
    import gymnasium
except ImportError:
    raise missing("Gymnasium") from None

LARGEST = float(np.finfo(np.float32).max)
MODES = ("ansi", "human")


class SeatEnv(gymnasium.Env):
    """One seat of a game, from deal to deal.

    opponents   who sits in the other seats: one for all, or one each
    seat        the seat to play in; None: drawn anew for each game
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        opponents: Sequence[str | Agent] = ("random",),
        seat: int | None = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = resolver.game(game, options)
        if len(opponents) > 1:
            self.game = for_players(self.game, 1 + len(opponents))
        others = self.game.players - 1
        if len(opponents) == 1:
            opponents = list(opponents) * others
        if len(opponents) != others:
            raise UserError(
                "{name} has {others} other seats, but {n} opponents were given",
                name=self.game.name,
                others=others,
                n=len(opponents),
            )
        if seat is not None and not 0 <= seat < self.game.players:
            raise UserError(
                "{name} has seats 0 to {others}, not {seat}", name=self.game.name, others=others, seat=seat
            )
        if render_mode is not None and render_mode not in MODES:
            raise UserError("render_mode is ansi or human, not {render_mode}", render_mode=render_mode)
        self.opponents = [resolver.agent(self.game, each) if isinstance(each, str) else each for each in opponents]
        self.chosen_seat = seat
        self.render_mode = render_mode
        shape = (encoding_of(self.game).length,)
        self.observation_space = gymnasium.spaces.Box(-LARGEST, LARGEST, shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.game.rules.action_count)
        self.seat = seat or 0
        self.table: Table | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """A new deal, up to the first decision of the seat."""
        super().reset(seed=seed)
        if self.chosen_seat is None:
            self.seat = int(self.np_random.integers(self.game.players))
        while True:
            self.table = self.game.deal(int(self.np_random.integers(2**62)))
            self.let_others_play(self.table)
            if not self.table.over:  # in some games the others can end a game before the seat has moved
                return self.shown(self.table)

    def step(self, action: int | np.integer[Any]) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """The seat plays; then the others do, up to its next decision or to the end."""
        table = self.table
        if table is None or table.over:
            raise UserError("the game is over: reset the environment")
        if int(action) in table.legal_actions():
            table.play(int(action))
        else:
            table.give_up(self.seat, str(table.view().illegal(int(action))))
        self.let_others_play(table)
        if self.render_mode == "human":
            print(self.screen(table))
        observation, info = self.shown(table)
        return observation, table.payoffs()[self.seat] if table.over else 0.0, table.over, False, info

    def action_masks(self) -> Numbers:
        """bool[action count]: what the seat may do now, as sb3-contrib's MaskablePPO asks for it."""
        return mask_of(self.game, self.table.legal_actions() if self.table is not None else []).astype(np.bool_)

    def let_others_play(self, table: Table) -> None:
        while not table.over and table.turn != self.seat:
            mover = table.turn
            try:
                table.play(table.ask(self.opponents[mover - (mover > self.seat)]).action)
            except Forfeit as fault:
                table.give_up(mover, str(fault))

    def shown(self, table: Table) -> tuple[Numbers, dict[str, Any]]:
        """What the seat sees, and what it may do."""
        info: dict[str, Any] = {"action_mask": mask_of(self.game, table.legal_actions()), "seat": self.seat}
        if table.over:
            info["payoffs"] = np.array(table.payoffs())
        if table.given_up is not None:
            info["given_up"] = table.given_up[1]
        return seen(table, self.seat), info

    def render(self) -> str | None:
        """The screen of the seat as text; with render_mode="human" it is printed at every step."""
        return self.screen(self.table) if self.render_mode == "ansi" and self.table is not None else None

    def screen(self, table: Table) -> str:
        return table.view(self.seat).screen()


def make(game: str | Game, opponents: Sequence[str | Agent] = ("random",), **arguments: Any) -> SeatEnv:
    """One seat of a game against these; other arguments are those of `SeatEnv` and the options of the game."""
    return SeatEnv(game, opponents, **arguments)


def make_vec(
    game: str | Game, count: int, opponents: Sequence[str | Agent] = ("random",), **arguments: Any
) -> gymnasium.vector.VectorEnv:
    """`count` environments as a Gymnasium vector environment, stepped one after the other in this process."""
    return gymnasium.vector.SyncVectorEnv([lambda: SeatEnv(game, opponents, **arguments)] * count)


for name in resolver.own_games():
    gymnasium.register(f"hiddenhand/{name}", entry_point=SeatEnv, kwargs={"game": name})
