"""reproduce dominion: its tables, its page, and evolutions that are kept one by one."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from hiddenhand.cli import main
from hiddenhand.core.resolver import game
from hiddenhand.games.dominion.kingdoms import OF_THE_FIRST_EDITION
from hiddenhand.lab.evolution import EvolutionPlan
from hiddenhand.lab.runner import Interrupted, Running
from hiddenhand.lab.store import Store
from hiddenhand.studies import ReproductionPlan, reproduce
from hiddenhand.studies.dominion import evolutions, thesis
from hiddenhand.studies.dominion import reproduction as dominion
from hiddenhand.studies.dominion.evolutions import (
    CHANGED,
    CHANGES,
    EXPERIMENTS,
    SETS,
    EvolutionExperiment,
    EvolutionOutcome,
    evolve_experiment,
)


def outcome(*curves, wins=0.5):
    return EvolutionOutcome(
        [list(curve) for curve in curves], "{gaining: [Province]}", wins, [wins - 0.01, wins + 0.01], 2.0
    )


@pytest.fixture
def evolved(monkeypatch):
    """Nothing is played; which models were evolved is noted. The n-th of them wins n of 100 games."""
    asked = []

    def evolve(plan, running, workers):
        asked.append((plan.model, plan.game.options["kingdom"]))
        if running.progress is not None:
            running.progress(10, 10)
        found = outcome(*[[0.01 * len(asked)] * plan.generations] * plan.runs, wins=0.01 * len(asked))
        return SimpleNamespace(to_json=lambda: vars(found))

    monkeypatch.setattr(evolutions, "evolve", SimpleNamespace(run=evolve))
    monkeypatch.setattr(dominion, "mirror", lambda games: [["quantity", "ours"], ["turns", "20.5"]])
    monkeypatch.setattr(dominion, "published", lambda games: [["genome", "ours"], ["ranks", "0.38"]])
    return asked


def test_the_experiments_are_those_of_the_thesis():
    assert len(set(EXPERIMENTS)) == 12 + 4
    assert len({experiment.model for experiment in EXPERIMENTS}) == 12
    assert set(SETS) == set(OF_THE_FIRST_EDITION)
    assert {figure.experiment for figure in thesis.FIGURES} < set(EXPERIMENTS)
    assert [figure.wins for figure in thesis.FIGURES] == [0.38, 0.52, 0.39, 0.47, 0.80, 0.98]


def test_a_changed_setting_is_one_of_the_evolution_or_of_the_model():
    assert len(set(CHANGED)) == 14
    of = {experiment.change: experiment for experiment in CHANGED}
    assert (of["population=10"].model, of["population=10"].numbers) == ("seasonal:playing=ranks", {"population": 10})
    assert of["selection=comma"].numbers == {"selection": "comma"}
    assert (of["l=-0.3466"].model, of["l=-0.3466"].numbers) == ("seasonal:playing=ranks,l=-0.3466", {})
    for experiment in CHANGED:  # each of them is understood
        plan = EvolutionPlan(game("dominion"), experiment.model, ["bigmoney"], 1, 1, **experiment.numbers)
        assert plan.genomes.initial() is not None


def test_one_page_holds_everything(evolved, tmp_path):
    seen = []
    running = Running(progress=lambda now, all: seen.append((now, all)))
    done = reproduce.run(ReproductionPlan("dominion", runs=3, generations=2), replace(running, output=str(tmp_path)))
    page = (tmp_path / "dominion.html").read_text(encoding="utf-8")
    assert all(title in page for title in done.parts)
    assert page.count("<img") == 7
    figures = [f"figure_6_{i}_dominion.png" for i in range(1, 7)]
    assert sorted(path.name for path in tmp_path.glob("*.png")) == [*figures, "settings_dominion.png"]
    assert sorted(set(seen)) == [(n, 62) for n in (0, 1, 2, *range(4, 63, 2))]
    assert seen == sorted(seen)
    twelve = done.parts["Twelve models on First Game"]
    assert twelve[-1][:4] == ["seasonal", "ranks", "0.80", "0.120"]
    five = {row[0]: row for row in done.parts["The seasonal model, playing by ranks, on five sets"]}
    assert five["Big Money"][1:3] == ["0.59, the lowest", "0.130"]
    assert "What the thesis says\n" in str(done)
    changed = done.parts["The settings of the evolution, one changed at a time"]
    assert [row[0] for row in changed] == ["changed", "nothing", *CHANGES]
    assert [row[1] for row in changed[1:]] == ["0.120", *(f"{0.17 + 0.01 * i:.3f}" for i in range(14))]


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(evolved, tmp_path, own_store):
    def stop(done, wanted):
        if done == 6:
            raise KeyboardInterrupt

    with Store(str(own_store)) as store:
        with pytest.raises(Interrupted, match="5 of 32 steps") as stopped:
            reproduce.run(
                ReproductionPlan("dominion", runs=1, generations=1),
                replace(Running(store, progress=stop), output=str(tmp_path)),
            )
        twelve = stopped.value.result.parts["Twelve models on First Game"]
        assert [row[-1] == "-" for row in twelve[1:]] == [False] * 3 + [True] * 9
        assert (tmp_path / "dominion.html").is_file()
        before = len(evolved)
        again = Running(store, resume=True)
        done = reproduce.run(
            ReproductionPlan("dominion", runs=1, generations=1), replace(again, output=str(tmp_path))
        )
        assert len(evolved) - before == 27, "the first three are read from the store"
        assert all("-" not in row[2:] for row in done.parts["Twelve models on First Game"][1:] if row[2] != "-")
        reproduce.run(ReproductionPlan("dominion", runs=1, generations=1), replace(again, output=str(tmp_path)))
        assert len(evolved) - before == 27
        reproduce.run(ReproductionPlan("dominion", runs=2, generations=1), replace(again, output=str(tmp_path)))
        assert len(evolved) - before == 27 + 30, "with more runs it is another evolution"


def test_what_the_thesis_says_is_counted():
    ratios = outcome([0.2] * 24 + [0.36], [0.2] * 49 + [0.4], [0.3] * 60 + [0.5], [0.35] * 100)
    ranks = outcome([0.1, 0.2, 0.37, 0.38, 0.3], [0.0, 0.0, 0.36, 0.2, 0.39])
    outcomes = {experiment: outcome([0.5], wins=0.5) for experiment in EXPERIMENTS}
    outcomes[EvolutionExperiment("ratios", "ranks")] = ratios
    outcomes[EvolutionExperiment("ranks", "random")] = ranks
    outcomes[EvolutionExperiment("seasonal-ranks", "random")] = outcome([0.9], wins=0.9)
    outcomes[EvolutionExperiment("weighted", "random")] = outcome([0.1], wins=0.1)
    outcomes[EvolutionExperiment("seasonal", "ranks", "Interaction")] = outcome([0.3], wins=0.3)
    ours = {row[0]: row[2] for row in thesis.statements(outcomes)}
    assert ours["6.1: the highest share of any run"] == "0.390"
    assert ours["6.1: the generation in which a run first came near it"] == "3"
    assert ours["6.4: runs above 0.35 by generation 25"] == "1 of 4"
    assert ours["6.4: runs above 0.35 by generation 50"] == "2 of 4"
    assert ours["6.4: runs above 0.35 at any time"] == "3 of 4"
    assert ours["weights, ranks, ratios: playing by ranks beats random"] == "1 of 3"
    assert ours["models with seasons that beat those without"] == "2 of 6"
    assert ours["the best of the twelve models"] == "seasonal-ranks, random"
    assert ours["the set on which the seasonal model does worst"] == "Interaction"
    holds = {row[0]: row[3] for row in thesis.statements(outcomes)}
    assert holds["the best of the twelve models"] == "does not hold"
    assert holds["weights, ranks, ratios: playing by ranks beats random"] == "not shown", "two of three are equal"
    assert holds["models with seasons that beat those without"] == "not shown"
    assert {(row[2], row[3]) for row in thesis.statements({})[1:]} == {("-", "-")}


def test_numbers_that_do_not_fit_are_refused(tmp_path, capsys):
    for arguments, complaint in (
        (["hanabi", "--runs", "2"], "the reproduction of hanabi has no runs to choose"),
        (["dominion", "--runs", "0"], "runs must be at least 1, not 0"),
        (["dominion", "--generations", "-1"], "generations must be at least 1, not -1"),
    ):
        assert main(["reproduce", *arguments, "--folder", str(tmp_path)]) == 2
        printed = capsys.readouterr().err
        assert complaint in printed
        assert printed.count("\n") == 1


def test_the_reference_game_and_the_published_genomes():
    ours = {row[0]: row[2] for row in dominion.mirror(games=2000)}
    assert abs(float(ours["turns of the first player, mean"]) - 20.7) < 0.5  # five standard errors
    assert abs(float(ours["games won by the first player"].rstrip("%")) - 51.6) < 6.0
    _, *rows = dominion.published(games=400)
    assert len(rows) == 6
    for _, _, theirs, here, _, alone in rows:
        assert abs(float(theirs) - float(here)) < 0.13
        assert float(alone) <= float(here)


def test_an_evolution_that_was_stopped_goes_on(tmp_path, own_store):
    experiment = EvolutionExperiment("ranks", "random")
    seen = []

    def stop(done, wanted):
        if done:
            raise KeyboardInterrupt

    with Store(str(own_store)) as store:
        with pytest.raises(Interrupted):
            evolve_experiment(experiment, 1, 2, tmp_path, 1, Running(store, progress=stop))
        running = Running(store, resume=True, progress=lambda done, wanted: seen.append(done / wanted))
        parts = evolve_experiment(experiment, 1, 2, tmp_path, 1, running)
    assert seen[:2] == [0.5, 1.0], "the first generation is not evolved again"
    whole = evolve_experiment(experiment, 1, 2, tmp_path / "anew", 1, Running())
    assert [parts[name] for name in ("curves", "genome", "wins")] == [
        whole[name] for name in ("curves", "genome", "wins")
    ]
