"""Explanations are true: every number in them is found again by planning anew, in ways that share nothing with them.

EXPLAINED_BELIEFS=200 checks more random beliefs than the suite has time for.
"""

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core import resolver
from hiddenhand.core.errors import IllegalAction, UserError
from hiddenhand.lab.match import match
from hiddenhand.planning.explain.directions import directions
from hiddenhand.planning.explain.explanation import explain
from hiddenhand.planning.explain.futures import likely_futures
from hiddenhand.planning.explain.futures_drawing import picture
from hiddenhand.planning.explain.question import PlanQuestion, amount
from hiddenhand.planning.explain.summary import summarise
from hiddenhand.planning.language import read_text
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.planners.knowledge import precalculate
from hiddenhand.planning.planners.knowledge_files import write
from hiddenhand.planning.planners.lookup_losses import some_beliefs
from hiddenhand.planning.planners.reachable import from_all_starts
from hiddenhand.planning.worlds import world_file
from plain_planner import PlainPlanner

COUNT = int(os.environ.get("EXPLAINED_BELIEFS", "16"))
WORLDS = ("dorban", "tiger", "ferryman")
TOGETHER = ("none", "place_Krakow", "true", "true", "true", "true")
LAMP = """
values { value start, high, low; value none, some; value press, up, down; }
variables { input variable lamp:{start, high, low}; hidden variable wire:{none, some};
            output variable deed:{press, up, down}; }
knowledge {
  payoff "":1.0 { requires initial value lamp == start; }
  action {deed=>press}:{
    case "" { requires not initial value lamp == start; illegal; }
    case "" { probability "":0.5 { requires terminal value lamp == high; requires terminal value wire == none; }
              probability "":0.5 { requires terminal value lamp == low; requires terminal value wire == none; } } }
  action {deed=>up}:{
    case "" { requires not initial value lamp == low; illegal; }
    case "" { probability "":1.0 { requires terminal value lamp == start; requires terminal value wire == none; } } }
  action {deed=>down}:{
    case "" { requires not initial value lamp == high; illegal; }
    case "" { probability "":1.0 { requires terminal value lamp == start; requires terminal value wire == none; } } }
}
"""
ALONE = ("none", "place_Warszawa", "false", "none", "true", "false")


@cache
def world(name):
    return read_world(world_file(name))


def asked(name, belief, depth):
    return PlanQuestion(world(name), ExactPlanner(world(name)), belief, depth)


def random_questions():
    """Random beliefs of all worlds, most of them of Dorban; half of them sparse, some the starting ones."""
    rng = np.random.default_rng(11)
    for number in range(COUNT):
        name = WORLDS[(number % 4) % 3]
        of = world(name)
        if number % 5 == 4:
            belief = of.uniform(int(rng.choice(np.flatnonzero(of.possible & of.legal.any(axis=1)))))
        else:
            drawn = some_beliefs(of, 1, int(rng.integers(1 << 30)))
            belief = drawn[int(rng.integers(len(drawn)))]
            if number % 2:
                belief = np.where(rng.random(len(belief)) < 0.5, belief, 0.0) + 1e-3 * belief
                belief[belief < 1e-3 * belief.max()] = 0.0
                belief /= belief.sum()
        yield pytest.param(name, belief, (4, 3, 3, 2)[number % 4], id=f"{number}: {name}")


def named(of, text):
    """The number of an action as the explanation names it."""
    return [" ".join(values) for values in of.actions].index(text)


def belief_of(of, visible, states):
    """The belief that an explanation names, read back from its words."""
    belief = np.zeros(len(of.states))
    for text, probability in states.items():
        belief[of.state(visible, dict(part.split("=>") for part in text.strip("{}").split(", ")))] = probability
    return belief


@pytest.mark.parametrize(("name", "belief", "depth"), list(random_questions()))
def test_everything_that_is_stated_is_found_by_planning_anew(name, belief, depth):
    of, question = world(name), asked(name, belief, depth)
    told = explain(question)
    again = PlainPlanner(of) if depth < 3 or len(of.states) < 20 else ExactPlanner(of)
    visible = question.visible
    check_values(of, told, again.plan(belief, depth), visible)
    check_contrast(told)
    check_information(of, told, belief, depth, again)
    check_flip(of, told, again, visible, depth)
    check_that_nothing_nearer_flips(of, told, question)
    check_course(of, told, belief, depth)
    check_grounds(of, told, belief)
    check_depths(of, told, belief)
    json.dumps(told.to_json(), allow_nan=False)


def check_values(of, told, advice, visible):
    assert of.legal[visible, named(of, told.action)]
    assert named(of, told.action) == advice.action
    assert told.value == pytest.approx(advice.value, abs=1e-9)
    assert [named(of, tie) for tie in told.ties] == list(advice.ties)
    assert [named(of, action) for action in told.values] == np.flatnonzero(of.legal[visible]).tolist()
    for action, value in told.values.items():
        assert value == pytest.approx(advice.values[named(of, action)], abs=1e-9)
    words = told.verdict()
    assert amount(told.value) in words
    assert ("tie" in words) == (len(advice.ties) > 1)
    if advice.runner_up is None:
        assert told.gap is None
        assert "nothing else is legal" in words
    else:
        assert told.gap == pytest.approx(advice.gap, abs=1e-9)
        assert len(advice.ties) > 1 or amount(told.gap) in words


def check_contrast(told):
    if told.contrast is None:
        return
    other = told.contrast
    document = other.to_json()
    assert sum(d.difference for d in other.by_observation) == pytest.approx(other.gap, abs=1e-9)
    for shares, value in ((other.shares, other.value), (other.other_shares, other.other_value)):
        assert sum(s.probability for s in shares) == pytest.approx(1.0)
        assert sum(s.contribution for s in shares) == pytest.approx(value, abs=1e-9)
    for side, value in (("action", other.value), ("other", other.other_value)):
        assert document["at_once"][side] + document["later"][side] == pytest.approx(value, abs=1e-9)
    assert other.other not in told.ties
    assert told.values[other.other] == max(value for name, value in told.values.items() if name not in told.ties)


def check_information(of, told, belief, depth, again):
    """Without the observation: one next action for all that may be seen, legal in all of it."""
    action = named(of, told.action)
    reached = np.asarray(belief @ of.transitions[action])
    everywhere = np.flatnonzero(of.legal[of.visible_of[reached > 0.0]].all(axis=0))
    if depth == 1:
        assert told.information.worth == 0.0
        return
    plain = PlainPlanner(of)
    later = [plain.value(reached, int(a), min(depth - 1, 2)) for a in everywhere]
    if depth - 1 > 2:  # too deep for the plain one
        later = [a_value(of, again, reached, int(a), depth - 1) for a in everywhere]
    at_once = reached @ of.payoffs[of.visible_of]
    assert told.information.unused == pytest.approx(at_once + max(later), abs=1e-9)
    assert told.information.worth == pytest.approx(told.value - at_once - max(later), abs=1e-9)
    assert told.information.worth >= 0.0


def a_value(of, planner, belief, action, depth):
    """Q from its definition, one step by hand."""
    reached = np.asarray(belief @ of.transitions[action])
    total = 0.0
    for visible in np.unique(of.visible_of[reached > 0.0]).tolist():
        part = np.where(of.visible_of == visible, reached, 0.0)
        total += part.sum() * (of.payoffs[visible] + planner.plan(part / part.sum(), depth - 1).value)
    return total


def check_flip(of, told, again, visible, depth):
    """The named belief does flip the advice, the one just before does not."""
    flip = told.robustness.flip
    if flip is None:
        return
    document = told.to_json()["change_of_belief"]["flip"]
    there, before = (belief_of(of, visible, document[key]) for key in ("belief", "before"))
    assert there.sum() == pytest.approx(1.0)
    assert before.sum() == pytest.approx(1.0)
    assert np.abs(there - before).sum() < 1e-5
    advice = again.plan(there, depth)
    good = {named(of, tie) for tie in told.ties}
    assert named(of, flip.action) == advice.action
    assert flip.value == pytest.approx(advice.value, abs=1e-9)
    assert not good & set(advice.ties)
    assert good & set(again.plan(before, depth).ties)
    assert any(flip.action in sentence for sentence in told.robustness.sentences())


def check_that_nothing_nearer_flips(of, told, question):
    """Along all the directions, up to the flip point, the advice stays as it is."""
    flip = told.robustness.flip
    limit = np.inf if flip is None else flip.moved - 2e-6
    assert told.robustness.certain
    beliefs = []
    for direction in directions(question):
        end = min(1.0, limit / direction.length)
        for share in np.linspace(0.0, 1.0, 12) if end > 0.0 else ():
            beliefs.append((1.0 - share * end) * question.belief + share * end * direction.end)
    if beliefs and len(question.legal) > 1:
        for advice in ExactPlanner(of).plan_all(beliefs, question.depth):
            assert set(advice.ties) & set(question.advice.ties)


def check_course(of, told, belief, depth):
    """Against all sequences of observations."""
    planner = ExactPlanner(of)

    def best(now, left):
        if left == 0 or not planner.model.legal_actions(now):
            return 1.0
        action = planner.plan(now, left).action
        return max(f.probability * best(f.belief, left - 1) for f in planner.futures(now, action))

    assert told.trajectory.probability == pytest.approx(
        best(belief, min(depth, 3)) if depth <= 3 else best(belief, depth)
    )
    assert told.trajectory.probability == pytest.approx(
        np.prod([event.probability for event in told.trajectory.events])
    )
    now = belief
    for event in told.trajectory.events:
        seen, action = of.visible(event.visible), named(of, event.action)
        now, chance = planner.model.after(now, action, seen)
        assert chance == pytest.approx(event.probability)
        assert event.payoff == of.payoffs[seen]
    assert told.trajectory.events[0].action == told.action


def check_grounds(of, told, belief):
    """The clauses account for all that can happen, and the payoffs for what is paid at once."""
    clauses, payoffs = told.model_clauses.clauses, told.model_clauses.payoffs
    assert sum(clause.weight for clause in clauses) == pytest.approx(1.0)
    lines = Path(of.specification.file).read_text(encoding="utf-8").splitlines()
    for clause in clauses:
        assert f'probability "{clause.name}":' in lines[clause.line - 1]
        assert float(lines[clause.line - 1].split('":')[1].split()[0]) == clause.probability
    reached = np.asarray(belief @ of.transitions[named(of, told.action)])
    paid = sum(p.amount * p.probability for p in payoffs)
    assert paid == pytest.approx(reached @ of.payoffs[of.visible_of], abs=1e-9)


def check_depths(of, told, belief):
    planner = ExactPlanner(of)
    for at in told.depth_sensitivity.depths:
        advice = planner.plan(belief, at.depth)
        assert (named(of, at.action), at.value) == (advice.action, pytest.approx(advice.value, abs=1e-9))
    deeper = [at for at in told.depth_sensitivity.depths if at.depth > told.depth and told.action not in at.ties]
    assert told.depth_sensitivity.changes_at == (deeper[0].depth if deeper else None)


# --- known situations ---


def test_everyone_together():
    told = explain(asked("dorban", world("dorban").uniform(world("dorban").visible(TOGETHER)), 4))
    assert (told.action, f"{told.value:.3f}") == ("attack_vampire", "198.967")
    assert told.runner_up == "goto_Warszawa"
    assert told.belief.states == 1
    assert {(clause.name, clause.probability) for clause in told.model_clauses.clauses} == {
        ("won", 0.8),
        ("lost, and Pregor has had enough", 0.15),
        ("lost, and Pregor is dead", 0.05),
    }
    assert [event.action for event in told.trajectory.events] == ["attack_vampire"] * 4
    assert told.trajectory.probability == pytest.approx(0.8**4)


def test_the_tiger_by_hand():
    """With one step to go a door is worth more than listening if 10 p - 100 (1 - p) > -1: p > 0.9."""
    told = explain(asked("tiger", world("tiger").uniform(0), 1))
    assert (told.action, told.value) == ("listen", -1.0)
    assert told.gap == pytest.approx(44.0)
    assert told.information.worth == 0.0
    flip = told.robustness.flip
    assert flip.needed == pytest.approx(0.9, abs=2e-6)
    assert flip.moved == pytest.approx(0.4, abs=2e-6)
    assert flip.towards in ("tiger=>left", "tiger=>right")
    assert flip.action == {"tiger=>left": "open_right", "tiger=>right": "open_left"}[flip.towards]
    assert told.robustness.directions == 2


def test_what_a_growl_is_worth_by_hand():
    """After one growl nobody opens yet: worth nothing. Where one more growl decides, it is worth what it decides."""
    told = explain(asked("tiger", world("tiger").uniform(0), 2))
    assert (told.value, told.information.unused) == (-2.0, -2.0)
    belief = np.zeros(10)
    belief[:2] = 0.9, 0.1  # a growl on the same side makes it 0.981: open, 7.88; otherwise listen, -1
    told = explain(asked("tiger", belief, 2))
    right = 0.9 * 0.85 / (0.9 * 0.85 + 0.1 * 0.15)
    open_door = 10.0 * right - 100.0 * (1.0 - right)
    assert told.action == "listen"
    assert told.value == pytest.approx(-1.0 + 0.78 * open_door - 0.22)
    assert told.information.worth == pytest.approx(0.78 * open_door - 0.22 - -1.0)


def test_why_not():
    question = asked("dorban", world("dorban").uniform(world("dorban").visible(ALONE)), 4)
    told = explain(question, why_not="attack_vampire")
    assert told.contrast.other == "attack_vampire"
    assert told.contrast.gap == pytest.approx(9.9125 - 8.0)
    assert any("Why not attack_vampire? It is worth 8, 1.9125 less" in line for line in told.sentences())
    same = explain(question, why_not="{optimal_action=>attack_vampire}")
    assert same.contrast.to_json() == told.contrast.to_json()
    assert explain(question, why_not="goto_Krakow").contrast.other == "attack_vampire"
    with pytest.raises(IllegalAction, match=r'goto_Wroclaw is not legal here \("no road"\); legal: attack_vampire'):
        explain(question, why_not="goto_Wroclaw")
    with pytest.raises(UserError, match=r"has no value 'goto_Rome'"):
        explain(question, why_not="goto_Rome")


def test_an_observation_that_cannot_be_left_unused():
    """After pressing either only `up` or only `down` is legal: nothing can be planned without looking."""
    of = build_world(read_text(LAMP, "lamp"))
    told = explain(PlanQuestion(of, ExactPlanner(of), of.uniform(of.visible(["start"])), 2))
    assert (told.value, told.gap, told.information.worth) == (1.0, None, None)
    assert "cannot be left unused" in told.information.sentences()[0]


def test_a_discount_is_part_of_every_number():
    of = world("tiger")
    question = PlanQuestion(of, ExactPlanner(of, 0.95), of.uniform(0), 3)
    told = explain(question)
    assert told.discount == 0.95
    assert sum(share.contribution for share in told.contrast.shares) == pytest.approx(told.value)
    assert "discount 0.95" in told.verdict()


def test_what_makes_no_sense_is_refused():
    of = world("dorban")
    with pytest.raises(UserError, match="at least 1 step"):
        asked("dorban", of.uniform(of.visible(TOGETHER)), 0)
    with pytest.raises(UserError, match="one visible state"):
        asked("dorban", np.full(len(of.states), 1.0 / len(of.states)), 2)


def test_the_picture_shows_likely_futures():
    question = asked("dorban", world("dorban").uniform(world("dorban").visible(ALONE)), 4)
    futures = likely_futures(question, question.action_named("attack_vampire"), least=0.1)
    advised, other = futures.branches
    assert (advised.advised, other.advised) == (True, False)
    for branch in futures.branches:
        check_moments(branch.following, branch.left_out, 1.0)
    drawn = picture(futures)
    assert drawn.startswith("<svg ")
    assert "goto_Krakow" in drawn
    assert "51.0 %, +100" in drawn
    json.dumps(futures.to_json())


def check_moments(moments, left_out, reached):
    assert sum(moment.probability for moment in moments) + left_out == pytest.approx(1.0)
    for moment in moments:
        assert moment.reached == pytest.approx(reached * moment.probability)
        assert moment.reached >= 0.1
        if moment.action:
            check_moments(moment.following, moment.left_out, moment.reached)


# --- the agent ---


def test_the_planner_earns_what_it_should():
    """679.12 on average: four steps ahead, or as many as are left, reckoned exactly over the reachable beliefs."""
    reachable = from_all_starts(ExactPlanner(world("dorban")), world("dorban"))
    policy, worth = reachable.replanning(4), reachable.values(4)
    for _ in range(46):
        worth = reachable.step(policy, worth)
    expected = worth[reachable.starts].mean()
    assert expected == pytest.approx(679.1, abs=0.5)
    summary = match("dorban", ["planner:depth=4"], games=60, seed=3).summary(0)
    assert abs(summary.mean - expected) < 6.0 * summary.sd / np.sqrt(60)


@pytest.mark.parametrize("name", WORLDS)
def test_the_planner_is_the_champion_and_explains_what_it_does(name):
    of = hh.game(name)
    assert resolver.champion(of) == "planner:depth=8"
    assert sorted(of.agents) == ["planner", "point_based", "pomcp"]
    agent = hh.agent(of, "planner:depth=3")
    table = of.deal(5)
    for _ in range(4):
        decision = table.ask(agent)
        told = table.ask(agent, explain=True)
        assert told.action == decision.action
        assert told.to_json()["explanation"]["action"] == told.text == table.action_name(told.action)
        assert told.value == pytest.approx(max(a.value for a in told.alternatives))
        table.play(decision.action)


def test_nobody_plans_beyond_the_end():
    table = hh.game("tiger", steps=2, start="silence").deal(1)
    agent = hh.agent(table.game, "planner:depth=4")
    assert table.ask(agent, explain=True).counts["depth"] == 2
    table.play("listen")
    assert table.ask(agent, explain=True).counts["depth"] == 1


def test_precalculated_knowledge_is_looked_up(tmp_path):
    file = tmp_path / "dorban22.svarog"
    write(file, world("dorban"), precalculate(world("dorban"), 4, 2), compact=True)
    for rule in ("document", "svarog"):
        agent = hh.agent("dorban", f"planner:knowledge={file},lookup={rule}")
        losses = 0
        for seed in range(12):
            table = hh.game("dorban", start="none place_Krakow false none false false").deal(seed)
            table.play("goto_Wroclaw")
            decision = table.ask(agent)
            assert decision.action in table.legal_actions()
            told = table.ask(agent, explain=True)
            assert told.action == decision.action
            best = max(a.value for a in told.alternatives)
            check_that_reasons_are_of_the_action(told)
            if "exact plan agrees" in told.reasons[1]:
                assert told.value == pytest.approx(best)
            else:
                losses += 1
                assert f"{best - told.value:.6g} better" in told.reasons[1]
                assert f"{amount(best - told.value)} less than the best" in told.explanation.verdict()
                assert told.explanation.contrast.other == told.explanation.ties[0]
                assert any(f"{amount(best - told.value)} more than {told.text} (" in line for line in told.reasons)
        assert rule == "svarog" or losses
    with pytest.raises(UserError, match="there is no file nowhere"):
        hh.agent("dorban", "planner:knowledge=nowhere.svarog")
    with pytest.raises(UserError, match="must be one of document, svarog"):
        hh.agent("dorban", "planner:lookup=guess")
    with pytest.raises(UserError, match="unknown agent 'planner' for kuhn"):
        hh.agent("kuhn", "planner")


def check_that_reasons_are_of_the_action(told):
    """The headline, the verdict, the comparison, the course and what follows at once speak of what is done."""
    of, said = told.explanation, told.explanation.headline
    assert {of.action, said.action, of.contrast.action, told.line[0]} == {told.text}
    assert told.reasons[0] == said.sentence()
    assert told.reasons[1].startswith("I looked it up")
    assert told.text in told.reasons[1].split(".")[0]
    assert told.explanation.verdict().startswith(f"{told.text} is worth {amount(told.value)} ")
    assert told.explanation.verdict() in told.reasons
    assert of.information.action == told.text
    assert {clause.action for clause in of.model_clauses.clauses} == {told.text}


def test_what_was_looked_up_may_be_the_second_of_equals():
    """Krakow, Gdansk and Poznan are equal; the plan made in advance says Gdansk."""
    question = asked("dorban", world("dorban").uniform(world("dorban").visible(ALONE)), 4)
    told = explain(question, chosen=question.action_named("goto_Gdansk"))
    assert told.headline.sentence().startswith("I go to Gdansk, to have Pregor at my side")
    assert "goto_Krakow, goto_Poznan would be just as good; what was looked up is chosen" in told.verdict()
    assert told.trajectory.events[0].action == "goto_Gdansk"
    worse = explain(question, chosen=question.action_named("attack_vampire"))
    assert worse.headline.sentence() == (
        "I attack the vampire, because a plan made in advance says so; “go to Krakow” would be worth 1.91 more."
    )
    assert (
        explain(question, "attack_vampire", question.action_named("attack_vampire")).contrast.other == "goto_Krakow"
    )


def test_where_every_legal_action_is_as_good():
    """From Krakow, with Pregor out of sight and three steps to go, Warszawa and Wroclaw are worth as much."""
    of = world("dorban")
    told = explain(asked("dorban", of.uniform(of.visible("none place_Krakow false none false false".split())), 3))
    assert len(told.ties) == len(told.values) == 2
    met = dict(told.path.reached)['"a fight won"']
    assert told.headline.sentence() == (
        f"I go to Warszawa: I win a fight within 3 steps in {100 * met:.1f} % of cases; "
        "whatever else I do is worth as much."
    )
    assert told.robustness.sentences() == [
        "With this belief every legal action is worth as much; with another one it may not be."
    ]
    alone = explain(asked("dorban", of.uniform(of.visible("none place_Gdansk false none false false".split())), 3))
    assert alone.robustness.sentences() == ["Whatever is believed, nothing else is legal."]


# --- the command line ---


def test_explain_a_world(capsys, tmp_path):
    words = ["explain", "dorban", "--start", " ".join(ALONE), "--why-not", "attack_vampire"]
    picture_file = tmp_path / "futures.svg"
    assert main([*words, "--json", "--svg", str(picture_file)]) == 0
    document = json.loads(capsys.readouterr().out)
    told = document["explanation"]
    assert set(told) >= {
        "belief",
        "values",
        "gap",
        "ties",
        "why_not",
        "likeliest_course",
        "next_observation",
        "change_of_belief",
        "other_depths",
        "model",
    }
    assert told["why_not"]["other"] == "attack_vampire"
    assert document["reasons"]
    assert picture_file.read_text().startswith("<svg ")
    assert main(words) == 0
    assert "Why not attack the vampire?" in capsys.readouterr().out


def test_explain_a_world_after_some_steps(capsys):
    steps = ["--then", "listen: growl_left", "--then", "listen: growl_left", "--agent", "planner:depth=6"]
    assert main(["explain", "tiger", "--json", *steps]) == 0
    listened = json.loads(capsys.readouterr().out)
    likely = 0.85**2 / (0.85**2 + 0.15**2)
    assert listened["explanation"]["belief"]["marginals"]["tiger"]["left"] == pytest.approx(likely)
    given = ["--start", "growl_left", "--belief", f"left: {likely}", "--belief", f"right: {1.0 - likely}"]
    assert main(["explain", "tiger", "--json", *given, "--agent", "planner:depth=6"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(listened["value"])


def test_explain_a_planner_in_a_record(capsys, tmp_path):
    table = hh.game("tiger", start="silence").deal(1)
    table.play("listen")
    table.record(["planner:depth=3"]).save(tmp_path / "game.json")
    record = str(tmp_path / "game.json")
    assert main(["explain", record, "--why-not", "open_left", "--svg", str(tmp_path / "a.svg")]) == 0
    assert "Why not open the left door?" in capsys.readouterr().out
    assert (tmp_path / "a.svg").exists()
    assert main(["explain", record, "--agent", "random", "--why-not", "listen"]) == 0
    assert "listen is " in capsys.readouterr().out
    assert main(["explain", record, "--agent", "random", "--svg", str(tmp_path / "b.svg")]) == 2
    assert "a question for a planner" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tiger", "--then", "listen: treasure"], "the observation {noticed=>treasure} is impossible"),
        (["tiger", "--then", "listen"], "--then is written ACTION:VALUES"),
        (["tiger", "--belief", "left: 0.6"], "must sum to 1, not to 0.6"),
        (["tiger", "--belief", "left: much"], "a probability must be a number from 0 to 1, not 'much'"),
        (["tiger", "--start", "noise"], "noticed has no value 'noise'"),
        (["tiger", "--agent", "random"], "only planner can explain a world by itself"),
        (["tiger", "--agent", "planner:depth=0"], "parameter depth of planner must be"),
        (["tiger", "--move", "3"], "--move is for records"),
        (["a.json", "--start", "silence"], "are for worlds"),
        (["dorban", "--why-not", "attack_vampire"], 'attack_vampire is not legal here ("no vampire here")'),
    ],
)
def test_wrong_questions_get_one_line(words, message, capsys):
    assert main(["explain", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


# --- the summary of a whole policy ---


@pytest.mark.parametrize(("name", "leaves", "most_lost"), [("tiger", 3, 0.0), ("dorban", 24, 25.0)])
def test_a_summary_says_what_it_loses(name, leaves, most_lost):
    of = world(name)
    summary = summarise(of, depth=8, leaves=leaves)
    assert summary.leaves <= leaves
    assert summary.loss <= most_lost + 1e-9
    reachable = from_all_starts(ExactPlanner(of), of)
    assert len(reachable) == summary.beliefs
    tree = summary.to_json()["tree"]
    policy = np.array([followed(of, tree, reachable.belief(place)) for place in range(len(reachable))])
    assert policy.tolist() == summary.policy.tolist()
    assert forward_mean(reachable, policy, 50) == pytest.approx(summary.earned)
    assert forward_mean(reachable, reachable.replanning(8), 50) == pytest.approx(summary.planner)
    assert f"a loss of {summary.loss:.2f}" in summary.text()


def followed(of, tree, belief):
    """The action that the printed tree gives."""
    visible = int(of.visible_of[int(np.argmax(belief))])
    while "ask" in tree:
        if tree["ask"].startswith("P("):
            what, least = tree["ask"][2:].split(") >= ")
            variable, value = what.split("=>")
            place = [axis.name for axis in of.hidden].index(variable)
            chance = sum(p for p, (_, hidden) in zip(belief, of.states) if hidden[place] == value)
            yes = chance >= float(least)
        else:
            variable, value = tree["ask"].split("=>")
            yes = of.visible_states[visible][[axis.name for axis in of.inputs].index(variable)] == value
        tree = tree["yes" if yes else "no"]
    return next(named(of, name) for name in tree["actions"] if of.legal[visible, named(of, name)])


def forward_mean(reachable, policy, steps):
    """What a policy earns, reckoned forwards from the starts."""
    count = len(reachable)
    here = np.bincount(reachable.starts, minlength=count) / len(reachable.starts)
    rows = reachable.steps[np.arange(count) * reachable.actions + policy]
    total = 0.0
    for _ in range(steps):
        total += here @ reachable.rewards[np.arange(count), policy]
        here = rows.T @ here
    return total


def test_svarog_summary(capsys):
    assert main(["svarog", "summary", "tiger", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["leaves"] == 3
    assert main(["svarog", "summary", "tiger", "--leaves", "0"]) == 2
    assert "leaves must be a whole number from 1" in capsys.readouterr().err
