"""Search on a blueprint in many games at once, in lockstep: what `search` does at a table, for whole experiments.

The blueprint is a network without a memory. Whoever is to move and searches does this, in all games together:

1. Worlds that agree with what the seat sees are dealt (`redeal`), rewound to their deals and played again move by
   move. Where another seat moved, a world counts the less the less likely the blueprint would have done the same
   there. When the weights have become uneven, the worlds are drawn anew by their weights, and each takes a step to a
   similar world (`vary`), kept with the probability that makes the whole a fair sample (Metropolis).
2. Every legal move is played out in some of these worlds, the same for all moves, everybody following the blueprint
   from there on. The best few, and the blueprint's own move, are played out in four times as many, and so on.
3. The blueprint's move is replaced by the best one only if that is better by more than a stated number of standard
   errors of the difference.

Others who search too (`searching` with several seats) do not always play the blueprint's move; `mistakes` says how
large a share of their moves is thought to be drawn by the blueprint's chances instead of being its best.

Needs PyTorch (extra `learn`); on a graphics card it plays a thousand games of Hanabi in some minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.vector import VectorEnv

Tensor = Any  # torch.Tensor: the types are checked without PyTorch
Answer = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""(observation[n, size], legal[n, actions]) -> the logarithm of each action's chance, [n, actions], and by how much
the mover's payoff will exceed EVAL, [n]."""

FORBIDDEN = -1.0e9
LEAST = 1e-6  # no move of another rules a world out altogether
STRIDE = 8  # games: worlds are played in environments of such sizes, so that there are few
LOOK_EVERY = 8  # steps, until it is asked whether all games are over: asking waits for the card


class Effort(NamedTuple):
    """How hard a search works."""

    worlds: int = 1024  # that stand for a belief
    tries: int = 3  # steps to a similar world in the end; on the way there is one, each time they were drawn anew
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
    varied: float  # the share of the steps to similar worlds that were kept


class ManyGames:
    """Games in which some seats search and all others follow the blueprint."""

    def __init__(self, game: Game, answer: Answer, effort: Effort, places: int, device: str) -> None:
        """places: worlds that are played at once"""
        if game.outcomes or "rewind" not in game.rules.given:
            raise UserError(f"{game.name} cannot be searched so: it has moves of chance, or no rule rewind")
        if effort.horizon and game.utility != "cooperative":
            raise UserError("a horizon is for games in which all get the same: leave it out")
        self.game = game
        self.answer = answer
        self.effort = effort
        self.together = max(1, places // effort.worlds)
        """Games whose worlds are played at once, at most."""
        self.device = device
        self.envs: dict[int, VectorEnv] = {}
        self.env = self.env_for(1)
        self.random = torch.Generator(device)
        self.steps = self.kept = 0.0  # steps to similar worlds, and the shares of them that were kept

    def env_for(self, games: int) -> VectorEnv:
        """Room for the worlds of so many games, or for a few more of them."""
        size = min(self.together, -(-games // STRIDE) * STRIDE) * self.effort.worlds
        if size not in self.envs:
            self.envs[size] = VectorEnv(self.game, size, 0, self.device)
        return self.envs[size]

    def play(self, games: int, seed: int, searching: Sequence[Sequence[int]]) -> Searched:
        """The first games of the match with this seed; in game i the seats searching[i % len(searching)] search."""
        self.random.manual_seed(seed)
        self.steps = self.kept = 0.0
        table = VectorEnv(self.game, games, seed, self.device)
        turn, done, rewards = window(table.turn), window(table.done), window(table.rewards)
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
            for some in searched.split(self.together) if len(searched) else ():
                better = self.decide(table, some, ply, numbers[some])
                moves, changed = moves + len(some), changed + int((better != numbers[some]).sum())
                numbers[some] = better
            table.step(numbers if self.device == "cuda" else numbers.numpy())
            ended = done & ~over
            paid[ended] = rewards[ended].double()
            over |= done
            ply += 1
        table.check()
        return Searched(paid.cpu().numpy(), moves, changed, self.kept / max(1.0, self.steps))

    def decide(self, table: VectorEnv, some: Tensor, ply: int, own: Tensor) -> Tensor:
        """The moves that are played in these games after so many plies; own: the blueprint's."""
        self.env = self.env_for(len(some))
        me, legal = window(table.turn)[some], window(table.legal)[some]
        games = self.env.count // self.effort.worlds
        filled = torch.arange(games, device=self.device).clamp(max=len(some) - 1)  # no place stays empty
        worlds = self.believe(window(table.words)[some[filled]], me[filled], ply)[: len(some)]
        return self.compare(worlds, me, legal, own, ply)

    # --- what is believed

    def believe(self, words: Tensor, me: Tensor, ply: int) -> Tensor:
        """Worlds of each game, int64[games, worlds, words], each as likely as the others."""
        env, n = self.env, self.effort.worlds
        me = me.repeat_interleave(n)
        put(env, words.repeat_interleave(n, dim=0), ply)
        env.redeal(give(me), give(self.seeds()))
        now = window(env.words).clone()
        moves = window(env.rewind().moves)
        likely = torch.zeros(len(now), device=self.device)
        weights = likely.clone()
        for k in range(ply):
            gain = self.judged(moves[:, k], me)
            self.go_on(moves[:, k])
            likely, weights = likely + gain, weights + gain
            if self.uneven(weights) or (k == ply - 1 and bool((weights != 0).any())):
                kept = self.drawn(weights)
                now, moves, likely, weights = now[kept], moves[kept], likely[kept], torch.zeros_like(weights)
                there = window(env.words)[kept]
                for _ in range(self.effort.tries if k == ply - 1 else 1):
                    now, there, moves, likely = self.varied((now, there, moves, likely), me, ply, k + 1)
                put(env, there, k + 1)
        return now.view(-1, n, now.shape[1])

    def varied(
        self, each: tuple[Tensor, Tensor, Tensor, Tensor], me: Tensor, ply: int, upto: int
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Each world, or a similar one instead, by the likelihood of the first so many moves in both.

        each: the worlds as they are now, as they were after those moves, all moves, and the likelihoods"""
        env = self.env
        put(env, each[0], ply)
        env.vary(give(me), give(self.seeds()))
        now = window(env.words).clone()
        moves = window(env.rewind().moves)
        likely = torch.zeros_like(each[3])
        for k in range(upto):
            likely += self.judged(moves[:, k], me)
            self.go_on(moves[:, k])
        better = self.drawn_numbers(len(likely)).log() < likely - each[3]
        self.steps, self.kept = self.steps + 1, self.kept + float(better.float().mean())
        new = now, window(env.words), moves, likely
        return tuple(torch.where(better.view(-1, *[1] * (a.ndim - 1)), a, b) for a, b in zip(new, each, strict=True))

    def judged(self, actions: Tensor, me: Tensor) -> Tensor:
        """The logarithm of how likely the blueprint does this in each world; 0 for moves of one's own."""
        own = window(self.env.turn) == me
        if bool(own.all()):
            return torch.zeros(len(own), device=self.device)
        chances = self.chances(self.env)
        numbers = self.numbers(actions)
        share = self.effort.mistakes
        says = chances.gather(1, numbers[:, None])[:, 0].exp()
        likely = (1 - share) * (chances.argmax(dim=1) == numbers) + share * says
        return torch.where(own, 0.0, likely.clamp(min=LEAST).log())

    def uneven(self, weights: Tensor) -> bool:
        """Whether in a quarter of the games fewer than a quarter of the worlds count."""
        shares = weights.view(-1, self.effort.worlds).softmax(dim=1)
        effective = 1 / (shares**2).sum(dim=1)
        return bool((effective < self.effort.worlds / 4).float().mean() > 0.25)

    def drawn(self, weights: Tensor) -> Tensor:
        """Places of worlds drawn by their weights, game by game, at even distances (systematic resampling)."""
        n = self.effort.worlds
        upto = weights.view(-1, n).double().softmax(dim=1).cumsum(dim=1)
        start = self.drawn_numbers(len(upto)).double()[:, None]
        points = (torch.arange(n, device=self.device) + start) / n
        places = torch.searchsorted(upto, points).clamp(max=n - 1)
        return (places + torch.arange(len(upto), device=self.device)[:, None] * n).flatten()

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
        for part in torch.arange(len(results), device=self.device).split(self.env.count):
            filled = part[torch.arange(self.env.count, device=self.device).clamp(max=len(part) - 1)]
            which = game[filled // each]
            put(self.env, worlds[which, filled % each], ply)
            results[part] = self.finished(me[which], number[filled // each])[: len(part)]
        return results.view(len(game), each)

    def finished(self, me: Tensor, numbers: Tensor) -> Tensor:
        """What each game brings to this seat after this move, everybody following the blueprint."""
        env = self.env
        done, rewards = window(env.done), window(env.rewards)
        paid = torch.zeros(env.count, device=self.device)
        over = torch.zeros(env.count, dtype=torch.bool, device=self.device)
        steps = 0
        while True:
            env.step(give(numbers))
            paid = torch.where(done & ~over, rewards.gather(1, me[:, None])[:, 0], paid)
            over |= done
            steps += 1
            if steps == self.effort.horizon:
                with torch.no_grad():
                    more = self.answer(window(env.observation), window(env.legal))[1]
                return torch.where(over, paid, window(env.values)[:, 0].float() + more)
            if steps % LOOK_EVERY == 0 and bool(over.all()):
                return paid
            numbers = self.chances(env).argmax(dim=1)

    # --- parts

    def chances(self, env: VectorEnv) -> Tensor:
        with torch.no_grad():
            return self.answer(window(env.observation), window(env.legal))[0]

    def numbers(self, actions: Tensor) -> Tensor:
        """By which numbers the movers know these actions."""
        meant = (window(self.env.meant) == actions[:, None]) & window(self.env.legal)
        return meant.to(torch.uint8).argmax(dim=1)

    def go_on(self, actions: Tensor) -> None:
        self.env.step(give(self.numbers(actions)))

    def seeds(self) -> Tensor:
        return torch.randint(-(2**62), 2**62, (self.env.count,), generator=self.random, device=self.device)

    def drawn_numbers(self, count: int) -> Tensor:
        return torch.rand(count, generator=self.random, device=self.device)


def put(env: VectorEnv, words: Tensor, ply: int) -> None:
    env.put(give(words), ply)


def window(array: Any) -> Tensor:
    """What an environment shows, as a tensor that follows its steps."""
    return array if isinstance(array, torch.Tensor) else torch.from_numpy(array)


def give(tensor: Tensor) -> Any:
    """A tensor as an environment of the same device takes it."""
    return tensor if tensor.is_cuda else tensor.numpy()
