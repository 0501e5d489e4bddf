"""Any game as a PettingZoo environment, one agent for each seat.

    env = hiddenhand.bridges.pettingzoo.env("leduc")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

The agents are `seat_0`, `seat_1` and so on. An observation is a dictionary: `observation`, what the seat sees as the
game's `encode` writes it, and `action_mask`, a 1 for each legal action; whoever is not to move has none. Rewards are
the payoffs, when the game is over. A move that is not legal loses the game (see `Table.forfeited`), and the infos say
so as `given_up`. Chance moves by itself.

`parallel_env` is the same game for libraries in which all agents act at every step: the actions of those who are to
move are played, those of the others are not looked at. Where a game says that its players move at the same time
(`Simultaneous`), a step is a whole round; otherwise one seat is to move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hiddenhand.bridges import Numbers, mask_of, missing, round_of, seen
from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, encoding_of
from hiddenhand.core.table import Table

try:
    import pettingzoo
    import pettingzoo.utils.wrappers
    from gymnasium import spaces
except ImportError:
    raise missing("PettingZoo") from None

LARGEST = float(np.finfo(np.float32).max)
MODES = ("ansi", "human")


class Deals:
    """What both kinds of environment do: deals from one seed, and what is seen of them."""

    possible_agents: list[str]
    render_mode: str | None
    table: Table

    def set_up(self, game: str | Game, render_mode: str | None, options: dict[str, Any]) -> None:
        self.game = resolver.game(game, options)
        self.metadata = {
            "render_modes": list(MODES),
            "name": f"{self.game.name}_v{self.game.version}",
            "is_parallelizable": True,
            "render_fps": 1,
        }
        if render_mode is not None and render_mode not in MODES:
            raise UserError("render_mode is ansi or human, not {render_mode}", render_mode=render_mode)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        self.actions = {each: spaces.Discrete(self.game.rules.action_count) for each in self.possible_agents}
        self.observations = {each: self.new_observation_space() for each in self.possible_agents}
        self.random = np.random.default_rng()

    def new_observation_space(self) -> spaces.Space:
        return spaces.Dict(
            {
                "observation": spaces.Box(-LARGEST, LARGEST, (encoding_of(self.game).length,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.game.rules.action_count,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observations[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.actions[agent]

    def deal(self, seed: int | None) -> None:
        """A new game; the seed determines it and those that follow."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.table = self.game.deal(int(self.random.integers(2**62)))

    def seat_of(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def play(self, action: int | np.integer[Any] | None) -> None:
        """The seat to move plays this; what is not legal loses the game."""
        table = self.table
        if action is not None and int(action) in table.legal_actions():
            table.play(int(action))
        else:
            table.give_up(table.turn, str(table.view().illegal(str(action) if action is None else int(action))))
        if self.render_mode == "human":
            print(self.table.open_text())

    def observe(self, agent: str) -> dict[str, Numbers]:
        """What a seat sees, and what it may do."""
        seat = self.seat_of(agent)
        return {"observation": seen(self.table, seat), "action_mask": mask_of(self.game, self.allowed(seat))}

    def allowed(self, seat: int) -> list[int]:
        return self.table.legal_actions() if self.table.turn == seat else []

    def rewards_now(self) -> dict[str, float]:
        payoffs = self.table.payoffs() if self.table.over else [0.0] * self.game.players
        return dict(zip(self.possible_agents, payoffs))

    def info(self) -> dict[str, Any]:
        return {} if self.table.given_up is None else {"given_up": self.table.given_up[1]}

    def render(self) -> str | None:
        """The whole table as text; with render_mode="human" it is printed at every move."""
        return self.table.open_text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


class TurnEnv(Deals, pettingzoo.AECEnv):
    """A game in which one seat after the other moves."""

    def __init__(self, game: str | Game, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.set_up(game, render_mode, options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.select()

    def action_masks(self) -> Numbers:
        """bool[action count]: what the player to move may do, as sb3-contrib's MaskablePPO asks for it."""
        return self.observe(self.agent_selection)["action_mask"].astype(np.bool_)

    def select(self) -> None:
        """The player to move; when the game is over, every player is selected once more to receive the result."""
        self.agent_selection = self.agents[max(self.table.turn, 0)]

    def step(self, action: int | np.integer[Any] | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.play(action)
        self.rewards = self.rewards_now()
        self.terminations = dict.fromkeys(self.agents, self.table.over)
        self.infos = {each: self.info() for each in self.agents}
        self._accumulate_rewards()
        self.select()


class AllAtOnceEnv(Deals, pettingzoo.ParallelEnv):
    """The same game for libraries in which all agents act at every step."""

    def __init__(self, game: str | Game, render_mode: str | None = None, **options: Any) -> None:
        self.set_up(game, render_mode, options)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.deal(seed)
        self.agents = list(self.possible_agents)
        return {each: self.observe(each) for each in self.agents}, {each: {} for each in self.agents}

    def allowed(self, seat: int) -> list[int]:
        return round_of(self.game, self.table.state).get(seat, [])

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        everybody = self.agents
        if not everybody:
            return {}, {}, {}, {}, {}
        for seat in round_of(self.game, self.table.state):
            if self.table.turn == seat:  # unless somebody before it has lost by an illegal move
                self.play(actions.get(self.possible_agents[seat]))
        if self.table.over:
            self.agents = []
        return (
            {each: self.observe(each) for each in everybody},
            self.rewards_now(),
            dict.fromkeys(everybody, self.table.over),
            dict.fromkeys(everybody, False),
            {each: self.info() for each in everybody},
        )


def env(game: str | Game, render_mode: str | None = None, **options: Any) -> pettingzoo.AECEnv:
    """A game with these options as an environment of turns, which says when it is used in the wrong order."""
    return pettingzoo.utils.wrappers.OrderEnforcingWrapper(TurnEnv(game, render_mode, **options))


def parallel_env(game: str | Game, render_mode: str | None = None, **options: Any) -> AllAtOnceEnv:
    """A game with these options as an environment in which all act at once."""
    return AllAtOnceEnv(game, render_mode, **options)
