"""Evolution: mutations by their stated probabilities, selection, and runs that are stopped and go on."""

import json
import math

import numpy as np
import pytest

from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import agent, game
from hiddenhand.games.dominion.bigmoney import BIG_MONEY
from hiddenhand.lab.evolution import EvolutionPlan, EvolutionWork, evolve
from hiddenhand.lab.evolution import plan as planning
from hiddenhand.lab.evolution.duels import Duels, Score
from hiddenhand.lab.evolution.work import new_run
from hiddenhand.lab.executors import ThisProcess
from hiddenhand.lab.runner import Interrupted, Running
from hiddenhand.lab.runner import run as carry_out
from hiddenhand.lab.store import Store
from hiddenhand.learning.chromosomes import Ranks, Ratios
from hiddenhand.learning.evolution import Evolution, Scheme

ELEMENTS = tuple("abcdefgh")
MANY = 20_000
RANKS = Ranks(ELEMENTS, ("a", "b", "c"))
RATIOS = Ratios(ELEMENTS, (("a", 0.5), ("b", 0.3), ("c", 0.2)))


def near(share, wanted):
    """Within six standard errors of MANY trials, or so."""
    return abs(share - wanted) < 6 * math.sqrt(max(wanted * (1 - wanted), 1e-4) / MANY)


def mutants(chromosome, seed=1, count=MANY):
    rng = np.random.default_rng(seed)
    return [chromosome.mutated(rng) for _ in range(count)]


def names(chromosome):
    return [element if isinstance(element, str) else element[0] for element in chromosome.used]


# ---- chromosomes


@pytest.mark.parametrize("kind", [Ranks, Ratios])
@pytest.mark.parametrize("used", [0, 1, 4, 7, 8])
def test_elements_come_and_go_with_the_stated_probabilities(kind, used):
    first = ELEMENTS[:used]
    start = kind(ELEMENTS, first if kind is Ranks else tuple((element, 1 / used) for element in first))
    sizes = [len(mutant.used) for mutant in mutants(start)]
    grown = 1.0 if used == 0 else 0.0 if used == 8 else 0.5 ** (used / 4)  # exp(-m ln 2 / 4)
    assert near(sizes.count(used + 1) / MANY, 0.5 * grown)
    assert near(sizes.count(used - 1) / MANY, 0.5 * (1 - grown))
    assert near(sizes.count(used) / MANY, 0.5)


@pytest.mark.parametrize("start", [RANKS, RATIOS])
def test_every_unused_element_and_every_used_one_is_equally_likely(start):
    added, removed = [], []
    for mutant in mutants(start):
        before, after = set(names(start)), set(names(mutant))
        added += after - before
        removed += before - after
    for of, elements in ((added, "defgh"), (removed, "abc")):
        for element in elements:
            share = of.count(element) / len(of)
            assert abs(share - 1 / len(elements)) < 0.04
        assert set(of) == set(elements)


def test_a_new_rank_is_anywhere():
    places = [mutant.used.index("d") for mutant in mutants(RANKS) if len(mutant.used) == 4 and "d" in mutant.used]
    counts = np.bincount(places, minlength=4) / len(places)
    assert len(places) > 500
    assert (abs(counts - 0.25) < 6 * math.sqrt(0.25 * 0.75 / len(places))).all()


def test_ranks_are_reordered_by_normal_steps_of_three():
    """Two places apart by 1 change if one moves (half of the time) by 3 x, or both do (a quarter of it)."""

    def below_zero(z):
        return 0.5 * math.erfc(z / math.sqrt(2))

    swapped = 0.5 * below_zero(1 / 3) + 0.25 * below_zero(1 / (3 * math.sqrt(2)))
    kept = [mutant.used for mutant in mutants(Ranks(ELEMENTS, ("a", "b"))) if len(mutant.used) == 2]
    assert set(kept) == {("a", "b"), ("b", "a")}
    assert abs(kept.count(("b", "a")) / len(kept) - swapped) < 6 * math.sqrt(0.25 / len(kept))


def test_ratios_are_scaled_by_the_exponential_of_normal_numbers():
    start = Ratios(ELEMENTS, (("a", 0.6), ("b", 0.4)))
    logs = []
    for mutant in mutants(start):
        if len(mutant.used) == 2:
            values = dict(mutant.used)
            logs.append(math.log(values["a"] / values["b"]) - math.log(0.6 / 0.4))
    changes = np.array(logs)
    assert abs(np.mean(abs(changes) < 1e-12) - 0.25) < 0.03  # neither of them changed
    assert abs(changes.mean()) < 0.06
    assert abs(changes.var() - 1.0) < 0.12  # each has variance 1, half of the time


def test_ratios_add_up_to_one_and_a_new_one_is_uniform():
    shares = []
    for mutant in mutants(Ratios(ELEMENTS, (("a", 1.0),))):
        if mutant.used:
            assert math.isclose(sum(value for _, value in mutant.used), 1.0)
        if len(mutant.used) == 2:
            shares.append(min(value for _, value in mutant.used))
    assert abs(np.mean(shares) - (1 - math.log(2))) < 0.01  # u / (1 + u) for u from 0 to 1
    assert max(shares) <= 0.5


# ---- selection


def climbing(seed, **settings):
    """An evolution of whole numbers that mutate by one."""
    return Evolution(0, lambda genome, rng: genome + int(rng.choice([-1, 1])), seed, Scheme(**settings))


def run(evolution, generations, fitness):
    asked = []
    for _ in range(generations):
        candidates = evolution.candidates()
        assert candidates == evolution.candidates()
        asked.append(len(candidates))
        evolution.advance(evolution.selected(candidates, [fitness(genome) for genome in candidates]))
    return asked


def test_evolution_climbs_and_is_determined_by_its_seed():
    first, again, other = climbing(3), climbing(3), climbing(4)
    for evolution in (first, again, other):
        run(evolution, 20, lambda genome: (-abs(genome - 15), genome))
    assert first.parents == again.parents
    assert first.parents[0] == other.parents[0] == 15
    assert first.fitness[0] == (0, 15)


def test_fitness_is_compared_number_by_number():
    evolution = climbing(1, population=2, mutants=1)
    assert evolution.selected([10, 11, 12, 13], [(1, 9), (2, 0), (1, 10), (2, -1)]) == [(11, (2, 0)), (13, (2, -1))]


def test_parents_are_measured_again_unless_told_otherwise():
    assert run(climbing(1), 3, lambda genome: (genome,)) == [55, 55, 55]
    assert run(climbing(1, measure_again=False), 3, lambda genome: (genome,)) == [55, 50, 50]


@pytest.mark.parametrize("measure_again", [True, False])
def test_a_lucky_parent_stays_only_where_it_is_not_measured_again(measure_again):
    evolution = climbing(1, population=1, mutants=1, measure_again=measure_again)
    evolution.advance([(100, (1000.0,))])
    run(evolution, 1, lambda genome: (float(genome == 0 or genome != 100),))
    assert (evolution.parents == [100]) == (not measure_again)


def test_with_a_comma_parents_are_forgotten():
    comma, plus = (climbing(1, population=1, mutants=3, selection=how) for how in ("comma", "plus"))
    assert run(comma, 4, lambda genome: (-abs(genome),)) == [4, 3, 3, 3]
    assert comma.parents[0] % 2 == 1  # 0 was kept in the first generation; each of three steps leads away or back
    assert run(plus, 4, lambda genome: (-abs(genome),)) == [4, 4, 4, 4]
    assert plus.parents == [0]


def test_mutants_with_two_parents():
    def middle(one, other, rng):
        return (one + other) / 2

    evolution = Evolution(0.0, lambda genome, rng: genome, 1, Scheme(2, 500, recombined=0.4), middle)
    evolution.advance([(0.0, (1,)), (8.0, (1,))])
    found = evolution.candidates()
    assert set(found) == {0.0, 4.0, 8.0}
    assert abs(found.count(4.0) / 1000 - 0.2) < 0.08  # two in five have two parents, and half of those the same twice


def test_beginners_compete_in_the_first_generation_only():
    evolution = Evolution(0, lambda genome, rng: genome, 1, Scheme(2, 1), beginners=[7, 9])
    assert run(evolution, 2, lambda genome: (genome,)) == [6, 4]
    assert evolution.parents == [9, 9]


@pytest.mark.parametrize("kind", [Ranks, Ratios])
def test_mixed_chromosomes_have_what_both_have_and_some_of_the_rest(kind):
    one, other = (
        kind(ELEMENTS, tuple(text) if kind is Ranks else tuple((element, 1 / len(text)) for element in text))
        for text in ("abc", "bcd")
    )
    rng = np.random.default_rng(1)
    found = [frozenset(names(one.mixed(other, rng))) for _ in range(MANY // 10)]
    assert set(found) == {frozenset(text) for text in ("bc", "abc", "bcd", "abcd")}
    for wanted in set(found):
        assert abs(found.count(wanted) / len(found) - 0.25) < 6 * math.sqrt(0.25 * 0.75 / len(found))


def test_of_equals_the_younger_stays():
    evolution = climbing(1, population=1, mutants=1)
    run(evolution, 1, lambda genome: (0,))
    assert evolution.parents != [0]


# ---- in the laboratory


@pytest.fixture
def few_games(monkeypatch):
    monkeypatch.setattr(planning, "MEASURED_GAMES", 40)
    monkeypatch.setattr(planning, "TESTED_GAMES", 100)
    monkeypatch.setattr(planning, "FITNESS_GAMES", 20)


def small(path, **more):
    return evolve("dominion", "seasonal", generations=4, runs=2, mutants=2, seed=5, output=path, **more)


def begun(path, seed=5):
    plan = EvolutionPlan(game("dominion"), "seasonal", ["bigmoney"], runs=2, generations=4, seed=seed, mutants=2)
    return EvolutionWork(plan, path, Duels(plan.duel, ThisProcess()))


def test_a_stopped_evolution_goes_on_as_if_it_had_not_been(few_games, tmp_path, own_store):
    path = tmp_path / "parts.genome"
    whole = begun(tmp_path / "whole.genome")
    result = carry_out(whole, Running())

    def stop(done, wanted):
        if done * 2 == wanted:
            raise KeyboardInterrupt

    with Store(str(own_store)) as store:
        with pytest.raises(Interrupted, match="2 of 4 generations"):
            carry_out(begun(path), Running(store, progress=stop, output=str(path)))
        assert not path.exists()
        again = Running(store, resume=True, output=str(path))
        with pytest.raises(UserError, match="another evolution: seed was 5, not 6"):
            carry_out(begun(path, seed=6), again)
        parts = begun(path)
        rest = carry_out(parts, again)
        assert carry_out(begun(path), again) == rest, "it is finished: nothing is evolved again"
    for run, other in zip(parts.runs, whole.runs):
        assert run.evolution.parents == other.evolution.parents
        assert run.evolution.fitness == other.evolution.fitness
        assert (run.curve, run.best) == (other.curve, other.best)
    assert (rest.genome, rest.wins) == (result.genome, result.wins)
    assert whole.runs[0].evolution.parents != whole.runs[1].evolution.parents
    assert path.with_suffix(".png").stat().st_size > 1000


def test_the_winner_is_a_file_that_plays_as_it_was_measured(few_games, tmp_path):
    found = small(tmp_path / "found.genome")
    lines = (tmp_path / "found.genome").read_text().splitlines()
    assert lines[-1] == found.genome
    assert all(line.startswith("# ") for line in lines[:-1])
    assert "kingdom=First Game" in lines[0]
    assert "seed 5" in lines[1]
    assert f"{found.wins:.3f}" in lines[2]
    of = game("dominion")
    from_file, from_text = agent(of, found.agent), agent(of, f"genome:{found.genome}")
    assert from_file.parameters.tobytes() == from_text.parameters.tobytes()


def test_the_command_prints_json_and_refuses_what_it_does_not_know(few_games, tmp_path, capsys):
    path = str(tmp_path / "ranks.genome")
    assert main(["evolve", "dominion", "--model", "ranks", "--playing", "random", "--generations", "1",
                 "--mutants", "1", "--output", path, "--json"]) == 0  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    assert told["model"] == "ranks:playing=random"
    assert len(told["curves"]) == len(told["curves"][0]) == 1
    for arguments, complaint in (
        (["dominion", "--model", "rank"], "did you mean ranks?"),
        (["dominion", "--playing", "weighted"], "one of random, ranks"),
        (["hanabi"], "hanabi has no model"),
        (["dominion", "--runs", "0"], "runs must be at least 1"),
        (["dominion", "--opponent", "nobody"], "unknown agent 'nobody'"),
        (["dominion", "--resume", "--no-store"], "--no-store and --resume exclude each other"),
    ):
        assert main(["evolve", *arguments]) == 2
        printed = capsys.readouterr().err
        assert complaint in printed
        assert printed.count("\n") == 1


def test_workers_change_nothing(few_games, tmp_path):
    alone, together = small(tmp_path / "1.genome"), small(tmp_path / "2.genome", workers=2)
    assert (alone.curves, alone.genome, alone.wins) == (together.curves, together.genome, together.wins)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"population": 0}, "population must be at least 1, not 0"),
        ({"rounds": 0}, "rounds must be at least 1, not 0"),
        ({"beginners": -1}, "beginners must be at least 0, not -1"),
        ({"beginners": 3}, "genomes of the model seasonal cannot be drawn at random"),
        ({"recombined": 1.5}, "recombined must be from 0 to 1, not 1.5"),
        ({"selection": "best"}, "selection must be plus or comma, not 'best'"),
        ({"goal": "points"}, "goal must be shared or alone, not 'points'"),
        ({"parents": "mine"}, "parents must be model or start, not 'mine'"),
        ({"parents": "start"}, "nothing was given to start from"),
        ({"start": ["{gaining: [Tin]}"]}, "the genome cannot be read: column 12"),
    ],
)
def test_settings_that_do_not_fit_are_refused(given, complaint):
    with pytest.raises(UserError, match=complaint):
        EvolutionPlan(game("dominion"), "seasonal", ["bigmoney"], **given)


@pytest.mark.parametrize(
    ("setting", "complaint"), [("rate=2", "rate"), ("strength=-1", "strength"), ("l=1", "l must")]
)
def test_settings_of_a_model_that_do_not_fit_are_refused(setting, complaint):
    with pytest.raises(UserError, match=complaint):
        EvolutionPlan(game("dominion"), f"seasonal:{setting}", ["bigmoney"])


def test_the_first_parents_may_be_those_of_start_alone():
    """They are improved before they must compete with what the model begins with."""
    texts = ["Province, Gold, Silver", "Witch"]
    of = game("dominion", kingdom="Size Distortion")
    for parents, first in (("model", [str(BIG_MONEY)] * 3), ("start", [*texts, texts[0]])):
        plan = EvolutionPlan(of, "menu", ["bigmoney"], population=3, start=texts, parents=parents)
        assert f"--parents {parents}" in plan.command()
        assert list(map(str, new_run(plan, 0).evolution.parents)) == first


def test_in_several_rounds_the_better_half_plays_on(few_games, tmp_path):
    plan = EvolutionPlan(
        game("dominion"),
        "menu",
        ["bigmoney"],
        generations=1,
        population=2,
        mutants=2,
        beginners=10,
        rounds=3,
        games=4,
    )
    work = EvolutionWork(plan, tmp_path / "any.menu", Duels(plan.duel, ThisProcess()))
    asked = []
    work.totals = lambda groups: (
        asked.append([group[0].games for group in groups])
        or [Score(group[0].row[16] + i, 0.0, i) for i, group in enumerate(groups)]
    )
    work.select()
    assert asked == [[4] * 16, [16] * 8, [64] * 4]  # four mutants, ten beginners and two parents
