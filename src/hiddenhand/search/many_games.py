"""Search on a blueprint in many games at once, in lockstep: what `search` does at a table, for whole experiments.

The blueprint is a network without a memory. Whoever is to move and searches does this, in all games together:

1. All worlds that agree with what the seat sees, if the game can list them and they are not too many, or else some
   that are dealt (`redeal`), are rewound to their deals and played again move by move. Where another seat moved, a
   world counts the less the less likely the blueprint would have done the same there. By these weights worlds are
   drawn.
2. Every legal move is played out in some of these worlds, the same for all moves, everybody following the blueprint
   from there on. The best few, and the blueprint's own move, are played out in four times as many, and so on.
3. The blueprint's move is replaced by the best one only if that is better by more than a stated number of standard
   errors of the difference.

Others who search too (`searching` with several seats) do not always play the blueprint's move; `mistakes` says how
large a share of their moves is thought to be something else, half of it by the blueprint's chances, half just any.

Needs PyTorch (extra `learn`); on a graphics card it plays a thousand games of Hanabi in some minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.vector import VectorEnv, as_tensor

Tensor = Any  # torch.Tensor: the types are checked without PyTorch
Answer = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""(observation[n, size], legal[n, actions]) -> the logarithm of each action's chance, [n, actions], and by how much
the mover's payoff will exceed EVAL, [n]."""

FORBIDDEN = -1.0e9
LEAST = 1e-6  # no move of another rules a world out altogether
SIZES = 16  # of environments: so much room is wasted at most, and so many are made
LOOK_EVERY = 8  # steps, until it is asked whether all games are over: asking waits for the card


class Effort(NamedTuple):
    """How hard a search works."""

    worlds: int = 1024  # drawn by their weights, in which moves are played out
    exact: int = 8192  # worlds that are weighed at most, all there are
    drawn: int = 4096  # that are dealt and weighed where there are more
    first: int = 64  # worlds in which every move is played out
    finalists: int = 6  # moves that go on from there, beside the blueprint's; half of them next time
    bound: float = 2.0  # standard errors by which a move must be better than the blueprint's
    mistakes: float = 0.01  # see above
    horizon: int = 0  # moves after which a game played out is judged by the network; 0: played to its end


class Searched(NamedTuple):
    """What came out of some games."""

    payoffs: Any  # float64[games, seats]
    moves: int  # decisions that were searched
    changed: int  # and how many of them were not the blueprint's


class ManyGames:
    """Games in which some seats search and all others follow the blueprint."""

    def __init__(self, game: Game, answer: Answer, effort: Effort, places: int, device: str) -> None:
        """places: worlds that are played at once, at most"""
        if game.outcomes or "rewind" not in game.rules.given:
            raise UserError(f"{game.name} cannot be searched so: it has moves of chance, or no rule rewind")
        if effort.horizon and game.utility != "cooperative":
            raise UserError("a horizon is for games in which all get the same: leave it out")
        self.game = game
        self.answer = answer
        self.effort = effort
        self.places = places
        self.device = device
        self.envs: dict[int, VectorEnv] = {}
        self.env: VectorEnv
        self.random = torch.Generator(device)

    def parts(self, count: int) -> Iterator[tuple[Tensor, Tensor]]:
        """So many places in parts that an environment holds: each part, and the same with its last place repeated
        until the environment is full, which is then `env`."""
        for part in torch.arange(count, device=self.device).split(self.places):
            stride = -(-self.places // SIZES)
            size = -(-len(part) // stride) * stride
            if size not in self.envs:
                self.envs[size] = VectorEnv(self.game, size, 0, self.device)
            self.env = self.envs[size]
            yield part, part[torch.arange(size, device=self.device).clamp(max=len(part) - 1)]

    def play(self, games: int, seed: int, searching: Sequence[Sequence[int]]) -> Searched:
        """The first games of the match with this seed; in game i the seats searching[i % len(searching)] search."""
        self.random.manual_seed(seed)
        table = VectorEnv(self.game, games, seed, self.device)
        turn, done, rewards = as_tensor(table.turn), as_tensor(table.done), as_tensor(table.rewards)
        searches = torch.zeros((games, self.game.players), dtype=torch.bool, device=self.device)
        for i, seats in enumerate(searching):
            searches[i :: len(searching), list(seats)] = True
        paid = torch.zeros((games, self.game.players), dtype=torch.float64, device=self.device)
        over = torch.zeros(games, dtype=torch.bool, device=self.device)
        everyone = torch.arange(games, device=self.device)
        ply = moves = changed = 0
        while not bool(over.all()):
            numbers = self.chances(table).argmax(dim=1)
            searched = (~over & searches[everyone, turn]).nonzero()[:, 0]
            if len(searched):
                better = self.decide(table, searched, ply, numbers[searched])
                moves, changed = moves + len(searched), changed + int((better != numbers[searched]).sum())
                numbers[searched] = better
            table.step(numbers)
            ended = done & ~over
            paid[ended] = rewards[ended].double()
            over |= done
            ply += 1
        table.check()
        return Searched(paid.cpu().numpy(), moves, changed)

    def decide(self, table: VectorEnv, some: Tensor, ply: int, own: Tensor) -> Tensor:
        """The moves that are played in these games after so many plies; own: the blueprint's."""
        me, legal = as_tensor(table.turn)[some], as_tensor(table.legal)[some]
        return self.compare(self.believe(as_tensor(table.words)[some], me, ply), me, legal, own, ply)

    # --- what is believed

    def believe(self, words: Tensor, me: Tensor, ply: int) -> Tensor:
        """Worlds of each game, int64[games, worlds, words], each as likely as the others."""
        game, number, likely = self.listed(words, me, ply)
        seeds = self.seeds(len(game))
        for part, which in self.parts(len(game)):
            some = game[which]
            self.set_up(words[some], me[some], number[which], seeds[which], ply)
            likely[part] += self.likelihood(me[some], ply)[: len(part)]
        kept = self.drawn(game, likely, len(words))
        game, number = game[kept], number[kept]
        seeds = torch.where(number >= 0, self.seeds(len(kept)), seeds[kept])  # what nobody has seen is drawn anew
        worlds = torch.empty((len(kept), words.shape[1]), dtype=torch.int64, device=self.device)
        for part, which in self.parts(len(kept)):
            some = game[which]
            self.set_up(words[some], me[some], number[which], seeds[which], ply)
            worlds[part] = as_tensor(self.env.words)[: len(part)]
        return worlds.view(len(words), -1, words.shape[1])

    def listed(self, words: Tensor, me: Tensor, ply: int) -> tuple[Tensor, Tensor, Tensor]:
        """Worlds to be weighed: their games, their numbers in the lists (-1: one is dealt), logarithms of weights."""
        counts = torch.empty(len(words), device=self.device)
        for part, which in self.parts(len(words)):
            self.env.put(words[which], ply)
            counts[part] = as_tensor(self.env.count_worlds(me[which]))[: len(part)].float()
        few = (counts > 0) & (counts <= self.effort.exact)
        sizes = torch.where(few, counts, self.effort.drawn).long()
        game = torch.arange(len(words), device=self.device).repeat_interleave(sizes)
        number = torch.arange(len(game), device=self.device) - (sizes.cumsum(0) - sizes)[game]
        number = torch.where(few[game], number, -1)
        weights = torch.ones(len(game), device=self.device)
        for part, which in self.parts(len(game)):
            some = game[which]
            self.env.put(words[some], ply)
            told = self.env.set_worlds(me[some], number[which], self.seeds(len(which)))
            weights[part] = as_tensor(told)[: len(part)].float()
        possible = weights > 0
        return game[possible], number[possible], weights[possible].log()

    def set_up(self, words: Tensor, me: Tensor, number: Tensor, seeds: Tensor, ply: int) -> None:
        """Put a world into each place: one of the list, or one that is dealt."""
        self.env.put(words, ply)
        self.env.set_worlds(me, number, seeds)

    def likelihood(self, me: Tensor, ply: int) -> Tensor:
        """The logarithm of how likely the others' moves are in the worlds that the environment holds."""
        moves = as_tensor(self.env.rewind())
        likely = torch.zeros(len(moves), device=self.device)
        for k in range(ply):
            likely += self.judged(moves[:, k], me)
            self.env.step(self.numbers(moves[:, k]))
        return likely

    def drawn(self, game: Tensor, likely: Tensor, games: int) -> Tensor:
        """Places of worlds drawn by their weights, game by game, at even distances (systematic resampling)."""
        n, none = self.effort.worlds, torch.zeros(games, dtype=torch.float64, device=self.device)
        most = (none - torch.inf).scatter_reduce(0, game, likely.double(), "amax")
        weights = (likely - most[game]).exp()
        upto = (weights / none.index_add(0, game, weights)[game]).cumsum(0)
        ends = torch.searchsorted(game, torch.arange(games, device=self.device), right=True)
        starts = torch.cat([ends.new_zeros(1), ends[:-1]])
        random = torch.rand(games, generator=self.random, device=self.device, dtype=torch.float64)
        points = (torch.arange(n, device=self.device) + random[:, None]) / n
        points += torch.arange(games, device=self.device)[:, None]
        return torch.searchsorted(upto, points).clamp(starts[:, None], ends[:, None] - 1).flatten()

    def judged(self, actions: Tensor, me: Tensor) -> Tensor:
        """The logarithm of how likely the blueprint does this in each world; 0 for moves of one's own."""
        own = as_tensor(self.env.turn) == me
        if bool(own.all()):
            return torch.zeros(len(own), device=self.device)
        chances = self.chances(self.env)
        numbers = self.numbers(actions)
        share, every = self.effort.mistakes, as_tensor(self.env.legal).sum(dim=1)
        says = (chances.gather(1, numbers[:, None])[:, 0].exp() + 1 / every) / 2
        likely = (1 - share) * (chances.argmax(dim=1) == numbers) + share * says
        return torch.where(own, 0.0, likely.clamp(min=LEAST).log())

    # --- what is best

    def compare(self, worlds: Tensor, me: Tensor, legal: Tensor, own: Tensor, ply: int) -> Tensor:
        """The move of each game: the blueprint's, or one that is better by more than the bound.

        Moves are played out in ever more worlds, and ever fewer of them: those that are best so far, and of these
        only such as may still turn out better than the blueprint's."""
        effort = self.effort
        game, number = legal.nonzero(as_tuple=True)
        results = torch.empty((len(game), 0), device=self.device)
        upto, left = effort.first, effort.finalists
        while len(game):
            more = self.play_out(worlds[:, results.shape[1] : upto], me, game, number, ply)
            results = torch.cat([results, more], dim=1)
            is_own = number == own[game]
            beside = torch.zeros(len(own), dtype=torch.int64, device=self.device)
            beside[game[is_own]] = is_own.nonzero()[:, 0]
            ahead = results - results[beside[game]]
            mean, error = ahead.mean(dim=1), ahead.std(dim=1) / upto**0.5
            if upto == effort.worlds:
                gains = torch.zeros(legal.shape, device=self.device)
                gains[game, number] = torch.where(mean > effort.bound * error, mean, 0.0)
                most, best = gains.max(dim=1)
                return torch.where(most > 0, best, own)
            table = torch.full(legal.shape, FORBIDDEN, device=self.device)
            table[game, number] = torch.where(mean + effort.bound * error > 0, mean, FORBIDDEN).masked_fill(
                is_own, -FORBIDDEN
            )
            least = table.topk(min(1 + left, table.shape[1]), dim=1).values[:, -1].clamp(min=FORBIDDEN / 2)
            kept = table[game, number] >= least[game]
            rivals = torch.zeros_like(beside).index_add(0, game[kept], torch.ones_like(game[kept]))
            kept &= rivals[game] > 1  # where nothing rivals the blueprint's move, it is played
            game, number, results = game[kept], number[kept], results[kept]
            upto, left = min(4 * upto, effort.worlds), max(1, left // 2)
        return own

    def play_out(self, worlds: Tensor, me: Tensor, game: Tensor, number: Tensor, ply: int) -> Tensor:
        """What move number[i] of game[i] brings in each of the worlds: float32[moves, worlds]."""
        each = worlds.shape[1]
        results = torch.empty(len(game) * each, device=self.device)
        for part, which in self.parts(len(results)):
            some = game[which // each]
            self.env.put(worlds[some, which % each], ply)
            results[part] = self.finished(me[some], number[which // each])[: len(part)]
        return results.view(len(game), each)

    def finished(self, me: Tensor, numbers: Tensor) -> Tensor:
        """What each game brings to this seat after this move, everybody following the blueprint."""
        env = self.env
        done, rewards = as_tensor(env.done), as_tensor(env.rewards)
        paid = torch.zeros(env.count, device=self.device)
        over = torch.zeros(env.count, dtype=torch.bool, device=self.device)
        steps = 0
        while True:
            env.step(numbers)
            paid = torch.where(done & ~over, rewards.gather(1, me[:, None])[:, 0], paid)
            over |= done
            steps += 1
            if steps == self.effort.horizon:
                more = self.asked(env)[1]
                return torch.where(over, paid, as_tensor(env.values)[:, 0].float() + more)
            if steps % LOOK_EVERY == 0 and bool(over.all()):
                return paid
            numbers = self.chances(env).argmax(dim=1)

    # --- parts

    def asked(self, env: VectorEnv) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            return self.answer(as_tensor(env.observation), as_tensor(env.legal))

    def chances(self, env: VectorEnv) -> Tensor:
        return self.asked(env)[0]

    def numbers(self, actions: Tensor) -> Tensor:
        """By which numbers the movers know these actions."""
        meant = (as_tensor(self.env.meant) == actions[:, None]) & as_tensor(self.env.legal)
        return meant.to(torch.uint8).argmax(dim=1)

    def seeds(self, count: int) -> Tensor:
        return torch.randint(-(2**62), 2**62, (count,), generator=self.random, device=self.device)
