"""Search on a blueprint in many games at once, in lockstep: the agent of `policy_improvement.py` by the thousand.

The blueprint is a network without a memory. Whoever is to move and searches does this, in all games together:

1. All worlds that agree with what the seat sees, if the game can list them and they are not too many, or else some
   that are dealt (`redeal`), are rewound to their deals and played again move by move. Where another seat moved, a
   world counts the less the less likely the blueprint would have done the same there. By these weights worlds are
   drawn.
2. Every legal move is played out in some of these worlds, the same for all moves, everybody following the blueprint
   from there on. The best few, and the blueprint's own move, are played out in four times as many, and so on.
3. The blueprint's move is replaced by the best one only if that is better by more than a stated number of standard
   errors of the difference.

Others who search too do not always play the blueprint's move, and what they play instead they have a reason for.
Their search is too long to be imagined in every world; a glance is not: the game goes on for some moves after their
move, and after the blueprint's in its place, and the network evaluates both. The more the move brings by that glance,
and the likelier the network thinks it, the likelier a search is to make it: how likely, is learnt from games in which
one seat searches (`Reading`).

Needs PyTorch (extra `learn`); on a graphics card it plays a thousand games of Hanabi in some minutes: so `match` does
with `--device cuda` (`gpu/search_match.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.vector import VectorEnv, as_tensor
from hiddenhand.search.policy_improvement import BlueprintSearch, spread_over

Tensor = Any  # torch.Tensor: the types are checked without PyTorch
Answer = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""(observation[n, size], legal[n, actions]) -> the logarithm of each action's chance, [n, actions], and by how much
the mover's payoff will exceed EVAL, [n]."""

FORBIDDEN = -1.0e9
LEAST = 1e-6  # the smallest likelihood of a move: no move rules a world out altogether
HOPELESS = 9.0  # worlds whose log-likelihood is this much below the best of their game are not searched any more
SIZES = 16  # how many sizes of environments there are: at most 1/16 of an environment stays unused
FIRST = 8  # of so many worlds, one is in the first round
MOVES = 20  # so many legal moves are thought of where an agent says how many games it plays out, and its bound
FEWEST = 4  # worlds in that round, where an agent asks for few games
LOOK_EVERY = 8  # steps, until it is asked whether all games are over: asking waits for the card


class Effort(NamedTuple):
    """How hard a search works."""

    worlds: int = 1024  # worlds drawn by their weights, in which moves are rolled out
    exact: int = 8192  # list and weight all worlds where there are no more than this
    drawn: int = 4096  # otherwise sample and weight this many
    first: int = 64  # worlds of the first round, in which every move is rolled out
    finalists: int = 6  # moves kept after the first round, besides the blueprint's; half of them after the next
    bound: float = 2.0  # by how many standard errors a move must be better than the blueprint's,
    least: float = 0.0  # and by how many points: a deviation that a partner misreads has a cost
    mistakes: float = 0.01  # the share of moves of a follower of the blueprint that are not the blueprint's
    horizon: int = 0  # moves of a rollout before the network evaluates it; 0: to the end of the game
    glance: int = 4  # the same for the short rollouts that estimate what other searchers would play


def effort_of(agent: BlueprintSearch) -> Effort:
    """The effort that the settings of an agent ask for.

    Its `playouts` are those of a decision between MOVES: all are played out in `first` worlds, then the finalists and
    the blueprint's in four times as many, then half of them in all."""
    for setting in ("others", "time"):
        if getattr(agent, setting):
            raise UserError("search in many games at once has no setting {name}", name=setting)
    if agent.steps > 1:
        raise UserError("search in many games at once improves this decision alone: leave out steps")
    judges, usual = agent.policy.judge is not None, Effort()
    first = max(FEWEST, agent.playouts // (MOVES + 3 * (1 + usual.finalists) + 4 * (1 + usual.finalists // 2)))
    return Effort(
        worlds=FIRST * first,
        exact=agent.exact,
        drawn=agent.worlds,
        first=first,
        bound=spread_over(agent.bound, MOVES - 1),
        least=agent.least,
        mistakes=agent.mistakes,
        horizon=agent.horizon if judges else 0,
        glance=usual.glance if judges else 0,
    )


class Searched(NamedTuple):
    """What came out of some games."""

    payoffs: Any  # float64[games, seats]
    moves: int  # decisions that were searched
    changed: int  # and how many of them were not the blueprint's
    actions: Any  # int64[games, plies]: what was played; -1 after the end


class Reading:
    """How likely one who searches plays the blueprint's move, or another one: by how much that brings at a glance,
    and by how likely the blueprint, whose moves have chances, thinks it."""

    GAINS = (-1.5, -1.0, -0.75, -0.5, -0.375, -0.25, -0.125, 0.0, 0.125, 0.25, 0.5, 0.75)
    CHANCES = (-12.0, -9.0, -7.0, -5.0, -3.0, -1.5)  # logarithms
    DOUBT = 5.0  # a kind of move was seen so often before, and made as often as any

    def __init__(self, device: str) -> None:
        self.edges = [torch.tensor(edges, device=device) for edges in (self.GAINS, self.CHANCES)]
        self.seen = torch.zeros((len(self.GAINS) + 1, len(self.CHANCES) + 1), device=device)
        self.made = torch.zeros_like(self.seen)
        self.moves = self.kept = 0

    def learn(self, gains: Tensor, chances: Tensor, made: Tensor, kept: int) -> None:
        """Moves that were not the blueprint's, and which of them were played; kept: so often the blueprint's was."""
        kinds = self.kinds(gains, chances)
        self.seen.index_put_(kinds, torch.ones_like(gains), accumulate=True)
        self.made.index_put_(kinds, made.float(), accumulate=True)
        self.moves, self.kept = self.moves + kept + int(made.sum()), self.kept + kept

    def kinds(self, gains: Tensor, chances: Tensor) -> tuple[Tensor, Tensor]:
        return torch.bucketize(gains, self.edges[0]), torch.bucketize(chances, self.edges[1])

    def of_the_blueprint(self) -> float:
        return (self.kept + 1) / (self.moves + 2)

    def of_another(self, gains: Tensor, chances: Tensor) -> Tensor:
        usual = self.DOUBT * (self.made.sum() + 1) / (self.seen.sum() + 100)
        return ((self.made + usual) / (self.seen + self.DOUBT))[self.kinds(gains, chances)]


class ManyGames:
    """Games in which some seats search and all others follow the blueprint."""

    def __init__(self, game: Game, answer: Answer, effort: Effort, places: int, device: str) -> None:
        """places: worlds that are played at once, at most"""
        if game.chance.outcomes or "rewind" not in game.rules.given:
            raise UserError("{name} cannot be searched so: it has moves of chance, or no rule rewind", name=game.name)
        if (effort.horizon or effort.glance) and game.utility != "cooperative":
            raise UserError("the network evaluates games in which all get the same: give horizon=0 and glance=0")
        self.game = game
        self.answer = answer
        self.effort = effort
        self.places = places
        self.device = device
        self.envs: dict[tuple[int, bool], VectorEnv] = {}
        self.reading: Reading | None = None  # of the others, if they search; else they follow the blueprint
        self.random = torch.Generator(device)

    def parts(self, count: int, spare: bool = False) -> Iterator[tuple[VectorEnv, Tensor, Tensor]]:
        """So many places in parts that an environment holds: it, each part, and the same with its last place repeated
        until the environment is full. spare: while another environment is in use."""
        for part in torch.arange(count, device=self.device).split(self.places):
            stride = -(-self.places // SIZES)
            size = -(-len(part) // stride) * stride
            if (size, spare) not in self.envs:
                self.envs[size, spare] = VectorEnv(self.game, size, 0, self.device)
            yield self.envs[size, spare], part, part[torch.arange(size, device=self.device).clamp(max=len(part) - 1)]

    def play(
        self,
        games: int,
        seed: int,
        searching: Sequence[Sequence[int]],
        learning: Reading | None = None,
        table: VectorEnv | None = None,
    ) -> Searched:
        """The first games of the match with this seed; in game i the seats searching[i % len(searching)] search.

        learning: what learns from these games how to read one who searches. table: where other games are dealt."""
        self.random.manual_seed(seed)
        table = table or VectorEnv(self.game, games, seed, self.device)
        turn, done, rewards = as_tensor(table.turn), as_tensor(table.done), as_tensor(table.rewards)
        searches = torch.zeros((games, self.game.players), dtype=torch.bool, device=self.device)
        for i, seats in enumerate(searching):
            searches[i :: len(searching), list(seats)] = True
        paid = torch.zeros((games, self.game.players), dtype=torch.float64, device=self.device)
        over = torch.zeros(games, dtype=torch.bool, device=self.device)
        everyone = torch.arange(games, device=self.device)
        moves = changed = 0
        actions: list[Tensor] = []
        while not bool(over.all()):
            ply = len(actions)
            numbers = self.chances(table).argmax(dim=1)
            searched = (~over & searches[everyone, turn]).nonzero()[:, 0]
            if len(searched):
                better = self.decide(table, searched, ply, numbers[searched])
                moves, changed = moves + len(searched), changed + int((better != numbers[searched]).sum())
                if learning:
                    self.teach(learning, table, searched, ply, numbers[searched], better)
                numbers[searched] = better
            meant = as_tensor(table.meant).gather(1, numbers[:, None])[:, 0].long()
            actions.append(torch.where(over, -1, meant))
            table.step(numbers)
            ended = done & ~over
            paid[ended] = rewards[ended].double()
            over |= done
        table.check()
        return Searched(paid.cpu().numpy(), moves, changed, torch.stack(actions, dim=1).cpu().numpy())

    def decide(self, table: VectorEnv, some: Tensor, ply: int, own: Tensor) -> Tensor:
        """The moves that are played in these games after `ply` plies. own: the blueprint's moves."""
        me, legal = as_tensor(table.turn)[some], as_tensor(table.legal)[some]
        return self.compare(self.believe(as_tensor(table.words)[some], me, ply), me, legal, own, ply)

    def teach(self, learning: Reading, table: VectorEnv, some: Tensor, ply: int, own: Tensor, played: Tensor) -> None:
        """Note what a glance says of all moves that were not the blueprint's, and which of them were played."""
        legal = as_tensor(table.legal)[some].clone()
        legal[torch.arange(len(own), device=self.device), own] = False
        game, number = legal.nonzero(as_tuple=True)
        gains = self.glance(as_tensor(table.words)[some][game], ply, number, own[game])
        chances = self.chances(table)[some][game, number]
        learning.learn(gains, chances, number == played[game], int((own == played).sum()))

    # --- what is believed

    def believe(self, words: Tensor, me: Tensor, ply: int) -> Tensor:
        """Worlds of each game, int64[games, worlds, words], each as likely as the others."""
        game, number, likely = self.listed(words, me, ply)
        seeds = self.seeds(len(game))
        for env, part, which in self.parts(len(game)):
            some = game[which]
            env.put(words[some], ply)
            env.set_worlds(me[some], number[which], seeds[which])
            likely[part] += self.likelihood(env, some, me[some], ply)[: len(part)]
        kept = self.drawn(game, likely, len(words))
        game, number = game[kept], number[kept]
        seeds = torch.where(number >= 0, self.seeds(len(kept)), seeds[kept])  # what nobody has seen is drawn anew
        worlds = torch.empty((len(kept), words.shape[1]), dtype=torch.int64, device=self.device)
        for env, part, which in self.parts(len(kept)):
            some = game[which]
            env.put(words[some], ply)
            env.set_worlds(me[some], number[which], seeds[which])
            worlds[part] = as_tensor(env.words)[: len(part)]
        return worlds.view(len(words), -1, words.shape[1])

    def listed(self, words: Tensor, me: Tensor, ply: int) -> tuple[Tensor, Tensor, Tensor]:
        """Worlds to be weighed: their games, their numbers in the lists (-1: one is dealt), logarithms of weights."""
        counts = torch.empty(len(words), device=self.device)
        for env, part, which in self.parts(len(words)):
            env.put(words[which], ply)
            counts[part] = as_tensor(env.count_worlds(me[which]))[: len(part)].float()
        few = (counts > 0) & (counts <= self.effort.exact)
        sizes = torch.where(few, counts, self.effort.drawn).long()
        game = torch.arange(len(words), device=self.device).repeat_interleave(sizes)
        number = torch.arange(len(game), device=self.device) - (sizes.cumsum(0) - sizes)[game]
        number = torch.where(few[game], number, -1)
        weights = torch.ones(len(game), device=self.device)
        for env, part, which in self.parts(len(game)):
            some = game[which]
            env.put(words[some], ply)
            told = env.set_worlds(me[some], number[which], self.seeds(len(which)))
            weights[part] = as_tensor(told)[: len(part)].float()
        possible = weights > 0
        return game[possible], number[possible], weights[possible].log()

    def likelihood(self, env: VectorEnv, game: Tensor, me: Tensor, ply: int) -> Tensor:
        """The logarithm of how likely the others' moves are in the worlds that the environment holds."""
        moves = as_tensor(env.rewind())
        likely = torch.zeros(len(moves), device=self.device)
        for k in range(ply):
            numbers = self.numbers(env, moves[:, k])
            others = as_tensor(env.turn) != me
            if bool(others.any()):
                likelihoods = (
                    self.read(env, numbers, k, likely, game) if self.reading else self.likelihoods(env, numbers)
                )
                likely += torch.where(others, likelihoods.clamp(min=LEAST).log(), 0.0)
            env.step(numbers)
        return likely

    def likelihoods(self, env: VectorEnv, numbers: Tensor) -> Tensor:
        """How likely one who follows the blueprint makes these moves."""
        chances = self.chances(env)
        share, every = self.effort.mistakes, as_tensor(env.legal).sum(dim=1)
        says = (chances.gather(1, numbers[:, None])[:, 0].exp() + 1 / every) / 2
        return (1 - share) * (chances.argmax(dim=1) == numbers) + share * says

    def read(self, env: VectorEnv, numbers: Tensor, ply: int, likely: Tensor, game: Tensor) -> Tensor:
        """How likely one who searches makes these moves; worlds that are all but ruled out are not looked at."""
        assert self.reading
        chances = self.chances(env)
        own = chances.argmax(dim=1)
        most = torch.full((int(game.max()) + 1,), -torch.inf, device=self.device)
        most = most.scatter_reduce(0, game, likely, "amax")
        likelihoods = torch.where(own == numbers, self.reading.of_the_blueprint(), LEAST)
        doubted = ((own != numbers) & (likely > most[game] - HOPELESS)).nonzero()[:, 0]
        if len(doubted):
            words = as_tensor(env.words)[doubted]
            gains = self.glance(words, ply, numbers[doubted], own[doubted])
            likelihoods[doubted] = self.reading.of_another(gains, chances[doubted, numbers[doubted]])
        return likelihoods

    def glance(self, words: Tensor, ply: int, numbers: Tensor, own: Tensor) -> Tensor:
        """How much more these moves seem to bring than the blueprint's, after some moves by the blueprint."""
        count = len(numbers)
        both = torch.cat([numbers, own])
        brings = torch.empty(2 * count, device=self.device)
        for env, part, which in self.parts(2 * count, spare=True):
            env.put(words[which % count], ply)
            me = as_tensor(env.turn).clone()
            brings[part] = self.finished(env, me, both[which], self.effort.glance)[: len(part)]
        return brings[:count] - brings[count:]

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
                gains[game, number] = torch.where(mean > (effort.bound * error).clamp(min=effort.least), mean, 0.0)
                most, best = gains.max(dim=1)
                return torch.where(most > 0, best, own)
            table = torch.full(legal.shape, FORBIDDEN, device=self.device)
            table[game, number] = torch.where(
                mean + effort.bound * error > effort.least, mean, FORBIDDEN
            ).masked_fill(is_own, -FORBIDDEN)
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
        for env, part, which in self.parts(len(results)):
            some = game[which // each]
            env.put(worlds[some, which % each], ply)
            results[part] = self.finished(env, me[some], number[which // each], self.effort.horizon)[: len(part)]
        return results.view(len(game), each)

    def finished(self, env: VectorEnv, me: Tensor, numbers: Tensor, horizon: int) -> Tensor:
        """What each game brings to this seat after this move, everybody following the blueprint; evaluated by the
        network after so many moves, if not 0."""
        done, rewards = as_tensor(env.done), as_tensor(env.rewards)
        paid = torch.zeros(env.count, device=self.device)
        over = torch.zeros(env.count, dtype=torch.bool, device=self.device)
        steps = 0
        while True:
            env.step(numbers)
            paid = torch.where(done & ~over, rewards.gather(1, me[:, None])[:, 0], paid)
            over |= done
            steps += 1
            if steps == horizon:
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

    def numbers(self, env: VectorEnv, actions: Tensor) -> Tensor:
        """By which numbers the movers know these actions."""
        meant = (as_tensor(env.meant) == actions[:, None]) & as_tensor(env.legal)
        return meant.to(torch.uint8).argmax(dim=1)

    def seeds(self, count: int) -> Tensor:
        return torch.randint(-(2**62), 2**62, (count,), generator=self.random, device=self.device)
