"""Breeding against a league, the reference strategies in it, and ways to Provinces that nobody can bar."""

import numpy as np
import pytest

from hiddenhand.core.errors import UserError
from hiddenhand.core.resolver import agent, game
from hiddenhand.games.dominion.cards import FIRST, PROVINCE, SECOND
from hiddenhand.games.dominion.evolved import learned_menu
from hiddenhand.games.dominion.kingdoms import NAMED, ORDINAL, find_kingdom
from hiddenhand.games.dominion.menus import menu_of, read_menu
from hiddenhand.games.dominion.models import MODELS
from hiddenhand.games.dominion.models.menu_steps import bars_provinces
from hiddenhand.games.dominion.references import needed, reference_names, references, references_for
from hiddenhand.games.dominion.state import BASIC
from hiddenhand.lab.evolution import EvolutionPlan
from hiddenhand.lab.evolution import plan as planning
from hiddenhand.lab.evolution.duels import Duels, Lot, Score
from hiddenhand.lab.evolution.league import LeagueWork, smallest
from hiddenhand.lab.executors import ThisProcess
from hiddenhand.lab.match import match
from hiddenhand.lab.runner import Interrupted, Running
from hiddenhand.lab.runner import run as carry_out
from hiddenhand.lab.store import Store

# ---- references


def test_every_reference_can_be_played_in_a_recommended_set_or_a_mixed_one():
    everywhere = {name for edition in NAMED for each in NAMED[edition]
                  for name in references_for(find_kingdom(each, edition))}  # fmt: skip
    assert len(everywhere) > 50
    for name in set(references()) - everywhere:
        kingdom = [*needed(references()[name])]
        assert 1 < len(kingdom) <= 10, name


def test_a_kingdom_allows_those_whose_cards_it_has():
    first = references_for(find_kingdom("First Game", FIRST))
    assert {"smithy", "double_militia", "every_market", "no_province"} <= set(first)
    assert not {"double_witch", "gardens_workshop", "chapel_witch"} & set(first)
    for edition in NAMED:
        for name in NAMED[edition]:
            kingdom = find_kingdom(name, edition)
            allowed = references_for(kingdom)
            assert len(allowed) >= 6
            assert all(needed(menu) <= set(kingdom) for menu in allowed.values())


def test_a_reference_is_played_by_its_name():
    of = game("dominion", kingdom="Size Distortion")
    assert "double_witch" in reference_names(of)
    assert menu_of(agent(of, "reference:double_witch").parameters) == references()["double_witch"]
    told = match(of, ["reference:double_witch", "bigmoney"], games=400, seed=3, rotate=True).to_json()["seats"][0]
    assert told["wins"] > 320
    for name, complaint in (
        ("double_which", "did you mean double_witch"),
        ("smithy", "Smithy is not in this kingdom"),
    ):
        with pytest.raises(UserError, match=complaint):
            agent(of, f"reference:{name}")


# ---- a way to Provinces


@pytest.mark.parametrize(
    ("text", "barred"),
    [
        ("Province when count(Market) >= 4, Gold", True),
        ("Province when money >= 16 and turn >= 9, Gold", True),
        ("Province when count(Market) >= 4 or turn >= 17, Gold", False),
        ("Province when supply(Province) <= 4, Gold", True),  # the other need not buy any
        ("Province when turn <= 9, Gold", True),
        ("Province when money >= 16, Gold, Province", False),
        ("Gardens, Silver", False),  # whoever wants none has none to wait for
    ],
)
def test_a_list_that_others_can_keep_from_provinces(text, barred):
    assert bars_provinces(read_menu(text).buy) == barred


def test_no_mutant_can_be_kept_from_provinces():
    """Nor a simpler list, nor one of two parents, nor one drawn at random."""
    model, rng = MODELS["menu"].of(game("dominion"), start="bigmoney", sections=True), np.random.default_rng(4)
    menu, other, waited = model.initial(), model.drawn(rng), 0
    for _ in range(1500):
        menu = model.mutate(menu, rng)
        found = [menu, model.recombine(menu, other, rng), *model.simpler(menu)]
        assert not any(bars_provinces(each.buy) for each in found), str(menu)
        assert model.read(model.text(menu)) == menu
        waited += any(entry.card == PROVINCE and len(entry.alternatives()) > 1 for entry in menu.buy)
    assert waited > 50
    assert not any(bars_provinces(model.drawn(rng).buy) for _ in range(200))


# ---- the league


def test_the_worst_margin_counts_most():
    values = smallest(np.array([[0.3, -0.1], [0.0, 0.0], [0.5, -0.3], [0.1, 0.1]]))
    assert np.argsort(values).tolist() == [2, 0, 1, 3]
    assert values[1] == pytest.approx(0.0)
    assert -0.1 < values[0] < 0.0  # near the smallest, whatever the others are


@pytest.fixture
def few_games(monkeypatch):
    monkeypatch.setattr(planning, "MEASURED_GAMES", 40)
    monkeypatch.setattr(planning, "TESTED_GAMES", 100)


def begun(path, seed=3, **more):
    given = {"generations": 2, "population": 2, "mutants": 2, "beginners": 3, "games": 4, "rounds": 2}
    given |= {"goal": "alone", "floor": 0.6}
    plan = EvolutionPlan(game("dominion"), "menu", ["bigmoney"], seed=seed, league=1, **(given | more))
    return LeagueWork(plan, path, Duels(plan.duel, ThisProcess()))


def test_a_stopped_league_goes_on_as_if_it_had_not_been(few_games, tmp_path, own_store):
    whole = begun(tmp_path / "whole.menu")
    result = carry_out(whole, Running())
    assert (len(whole.champions), len(whole.answers), whole.done) == (2, 2, 6)
    path = tmp_path / "parts.menu"

    def stop_at(generation, reports):
        told = []

        def stop(done, wanted):
            told.append(done)
            if told.count(generation) == reports:
                raise KeyboardInterrupt

        return stop

    with Store(str(own_store)) as store:
        for generation, reports in ((1, 1), (3, 1), (6, 2), (6, 5)):  # two phases, then while it is simplified
            until = stop_at(generation, reports)
            running = Running(store, resume=generation > 1, progress=until, output=str(path))
            with pytest.raises(Interrupted, match=f"{generation} of 6 generations"):
                carry_out(begun(path), running)
        parts = begun(path)
        again = carry_out(parts, Running(store, resume=True, output=str(path)))
    assert (parts.champions, parts.answers, parts.exploited) == (whole.champions, whole.answers, whole.exploited)
    assert (again.genome, again.tests) == (result.genome, result.tests)
    assert not bars_provinces(read_menu(again.genome).buy)
    text = path.read_text()
    assert again.command in text
    assert "--league 1 --floor 0.6" in again.command
    assert text.splitlines()[-1] == again.genome
    opponents = [test["opponent"] for test in again.tests]
    assert opponents == ["bigmoney", *references_for(find_kingdom("First Game", FIRST)), "answer 1", "answer 2"]


def test_an_answer_is_bred_against_the_champion_and_a_champion_against_the_league(few_games, tmp_path):
    work = begun(tmp_path / "any.menu")
    asked, scores = [], work.duels.scores
    work.duels.scores = lambda lots: asked.append((work.phase.number, lots)) or scores(lots)
    carry_out(work, Running())
    row = work.planned.row
    first = {lot.opponent for number, lots in asked if number == 0 for lot in lots if lot.games == 4 * 4}
    assert first == {row(work.champions[0])}
    bred = {lot.opponent for number, lots in asked if number == 1 for lot in lots if lot.games in (4, 16)}
    assert {0, row(work.answers[0])} <= bred
    assert len(bred) <= 1 + 7 + 1
    assert bred - {0, row(work.answers[0])} <= {row(menu) for menu in work.references.values()}


def test_shared_victories_count_half_against_those_without_a_floor(tmp_path):
    work = begun(tmp_path / "any.menu")
    assert work.margin(Lot(b"", 1, 100, b"x"), Score(55, 0.0, 45)) == 0.0
    assert work.margin(Lot(b"", 1, 100, 0), Score(90, 0.0, 85)) == pytest.approx(0.85 - 0.6)


def test_what_does_not_go_with_a_league_is_refused():
    for more, complaint in (
        ({"hall": 1}, "leave out hall"),
        ({"runs": 2}, "leave out hall"),
        ({"floor": 2.0}, "floor"),
    ):
        with pytest.raises(UserError, match=complaint):
            EvolutionPlan(game("dominion"), "menu", ["bigmoney"], league=1, **more)


def test_no_shipped_champion_can_be_kept_from_provinces():
    for edition in (FIRST, SECOND):
        for name in NAMED[edition]:
            menu = learned_menu(find_kingdom(name, edition), edition)
            assert menu is not None
            assert max(entry.card for entry in menu.buy) >= BASIC
            assert not bars_provinces(menu.buy), (name, ORDINAL[edition])
