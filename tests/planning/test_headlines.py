"""Headlines are true: all that stand in the documentation are found again, and every number in them is reckoned anew.

The second reckoning (`plain_plan`) shares nothing with the first: beliefs are dicts, sums are plain recursions.
"""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core.catalogue import LANGUAGES
from hiddenhand.core.text import Reader, render
from hiddenhand.planning.explain.headline import headline_of, path_of, rounded
from hiddenhand.planning.explain.question import PlanQuestion
from hiddenhand.planning.language import read_text
from hiddenhand.planning.language.checking import check
from hiddenhand.planning.language.words import SENTENCE, words_in
from hiddenhand.planning.model.world import words_of
from hiddenhand.planning.model.world_building import build_world, read_world
from hiddenhand.planning.planners.exact import ExactPlanner
from hiddenhand.planning.worlds import world_file
from plain_plan import PlainFact, PlainPlan

DOCS = Path(__file__).parents[2] / "docs"
DEPTHS = {"dorban": 8, "tiger": 6, "ferryman": 8}
COUNTS = {"dorban": 20, "tiger": 6, "ferryman": 8}
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@cache
def planned(name):
    world = read_world(name)
    return world, ExactPlanner(world), PlainPlan(world)


def rows_of(name):
    """The situations that the page of a world tells: what was seen and done, and the headline."""
    text = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("|") and len(cells) == 3 and cells[2].startswith("I "):
            yield pytest.param(name, re.findall(r"`(.*?)`", cells[1]), cells[2], id=f"{name}: {cells[0]}")


def beliefs_after(name, steps):
    """The belief after what was seen and done, for the planner and for the plain plan."""
    world, planner, plain = planned(name)
    visible = world.visible(steps[0].split())
    belief, same = world.uniform(visible), plain.uniform(visible)
    for step in steps[1:]:
        action, _, seen = step.partition(": ")
        number, visible = world.action([action]), world.visible(seen.split())
        belief, same = planner.after(belief, number, visible), plain.after(same, number, visible)
    return belief, same


@pytest.mark.parametrize("name", list(COUNTS))
def test_the_pages_tell_enough(name):
    assert len(list(rows_of(name))) == COUNTS[name]


@pytest.mark.parametrize(("name", "steps", "sentence"), [row for name in COUNTS for row in rows_of(name)])
def test_every_number_of_a_headline_is_found_again(name, steps, sentence):
    world, planner, plain = planned(name)
    belief, same = beliefs_after(name, steps)
    assert {state: pytest.approx(p) for state, p in same.items()} == {
        int(state): float(belief[state]) for state in np.flatnonzero(belief)
    }
    headline = headline_of(PlanQuestion(world, planner, belief, DEPTHS[name]))
    assert headline.sentence() == sentence
    assert [float(text) for text in NUMBER.findall(sentence)] == [
        float(text) for text in numbers_of(world, plain, headline, same, DEPTHS[name])
    ]


def numbers_of(world, plain, headline, belief, depth):
    """The numbers that the sentence should have, as they are written, in order."""
    action, rival = (
        None if not name else [" ".join(values) for values in world.actions].index(name)
        for name in (headline.action, headline.rival)
    )
    values = plain.values(belief, depth)
    assert action in plain.best(belief, depth)
    assert rival is None or (rival in values and rival not in plain.best(belief, depth))
    fact = PlainFact(plain, headline.means, belief) if headline.means else None
    if headline.kind == "means":
        chances = rates(plain, headline, belief, depth, (action, rival), fact)
        return [f"{100.0 * p:.1f}" for p in chances]
    if headline.kind in ("try", "only try", "tied try"):
        chance = f"{100.0 * plain.chance_now(belief, action, headline.payoff):.1f}"
        return [chance] if rival is None else [chance, f"{values[action] - values[rival]:.3g}"]
    if headline.kind == "sooner by means":
        mine, theirs = (plain.reaches(belief, depth, fact, each) for each in (action, rival))
        assert mine[0] > theirs[0] - 0.01
        return [f"{mine[1] / mine[0]:.1f}", f"{theirs[1] / theirs[0]:.1f}"]
    if "chance" in headline.kind:
        met = [plain.meets(belief, depth, headline.payoff, each) for each in (action, rival) if each is not None]
        return [str(depth), *(f"{100.0 * p:.1f}" for p in met)]
    if headline.kind == "only":
        assert list(values) == [action]
        return []
    assert headline.kind in ("worth", "worth by means")
    return [f"{values[action] - values[rival]:.3g}"]


def rates(plain, headline, belief, depth, actions, fact):
    """How often first tries succeed with the fact and without it; and it is the action that makes it likelier."""
    action, rival = actions
    mine = plain.tries(belief, depth, headline.payoff, fact, action)
    theirs = (0.0,) * 4 if rival is None else plain.tries(belief, depth, headline.payoff, fact, rival)
    assert mine[0] > theirs[0]
    without = theirs if theirs[2] > 1e-9 else mine
    return mine[1] / mine[0], without[3] / without[2]


def test_the_way_there():
    """Alone before the vampire, four steps: a living Pregor is in Krakow with 1/8, and follows with 0.85."""
    world, planner, plain = planned("dorban")
    belief, same = beliefs_after("dorban", ["none place_Warszawa false none true false"])
    way = path_of(PlanQuestion(world, planner, belief, 4))
    assert dict(way.reached) == {
        "can_dorban_see_pregor_is_alive=>true": pytest.approx(0.125),
        "is_pregor_following_dorban=>true": pytest.approx(0.125 * 0.85),
        '"a fight won"': pytest.approx(plain.meets(same, 4, "a fight won", plain.best(same, 4)[0])),
    }
    assert way.sentence() in (DOCS / "methods" / "planning.md").read_text(encoding="utf-8")


def test_the_chance_within_the_steps_is_told_beside_that_of_a_try():
    """Nearly all doors that are opened are right ones, but within four steps it does not always come to that."""
    world, planner, plain = planned("tiger")
    belief, same = beliefs_after("tiger", ["silence", "listen: growl_left", "listen: growl_right"])
    question = PlanQuestion(world, planner, belief, 4)
    met = plain.meets(same, 4, "the treasure", plain.best(same, 4)[0])
    assert met < headline_of(question).chance - 0.3
    assert "of the doors that I open" in headline_of(question).sentence()
    assert path_of(question).sentences() == [
        f"What the plan reaches within 4 steps: the treasure: {100 * met:.1f} %."
    ]


# --- words ---

MUSHROOM = (
    (DOCS / "your_own_world.md").read_text(encoding="utf-8").partition('mushroom.svarog"\n')[2].partition("```")[0]
)


def headline_in(text):
    """Of a mushroom that was just found."""
    world = build_world(read_text(text, "mushroom"))
    planner = ExactPlanner(world)
    found = planner.after(world.uniform(0), world.action(["leave"]), world.visible(["nothing"]))
    return headline_of(PlanQuestion(world, planner, found, 4))


def test_a_world_without_words():
    """Seven in ten are good; if it smells sweet, 0.7 * 0.8 of 0.62."""
    plain = "\n".join(line for line in MUSHROOM.splitlines() if not line.startswith("#:"))
    headline = headline_in(plain)
    assert (headline.kind, headline.means, headline.payoff) == ("means", "mushroom", "a meal")
    assert headline.chance == pytest.approx(0.7 * 0.8 / 0.62)
    assert headline.sentence() == (
        "I choose “smell”, to know mushroom: then, “a meal” comes in 90.3 % of tries instead of 70 %."
    )
    said = render(headline.sentence(), Reader("pl"))
    assert said.startswith("Wybieram „smell”, żeby poznać mushroom: wtedy „a meal” zdarza się w 90,3")


LIFT = """
values { value start, low, high; value idle; value stay, up; }
variables { input variable floor:{start, low, high}; hidden variable cable:{idle}; output variable deed:{stay, up}; }
knowledge {
  payoff "one":1.0 { requires initial value floor == low; }
  payoff "three":3.0 { requires initial value floor == high; }
  action {deed=>stay}:{ case "" { probability "":1.0 { requires terminal value floor == low; } } }
  action {deed=>up}:{ case "" { probability "":0.5 { requires terminal value floor == low; }
                                probability "":0.5 { requires terminal value floor == high; } } }
}
"""

SWITCH = """
values { value dark, bright, nothing; value left, right; value press, glance, enter; }
variables { input variable door:{nothing, bright, dark, left, right}; hidden variable points:{left, right};
            output variable deed:{press, glance, enter}; }
knowledge {
  payoff "home":10.0 { requires initial value door == bright; }
  payoff "lost":-14.0 { requires initial value door == dark; }
  action {deed=>press}:{ case "" {
    probability "":1.0 { requires terminal value points == PRESSED; requires terminal value door == nothing; } } }
  action {deed=>glance}:{ case "" { probability "":1.0 {
    requires terminal value points == initial value points; requires terminal value door == SHOWN; } } }
  action {deed=>enter}:{
    case "home" { requires initial value points == left; probability "":1.0 {
      requires terminal value door == bright; requires terminal value points == left; } }
    case "lost" { requires not initial value points == left; probability "":1.0 {
      requires terminal value door == dark; requires terminal value points == right; } } }
}
"""


def first_headline(text, depth):
    world = build_world(read_text(text, "made"))
    return headline_of(PlanQuestion(world, ExactPlanner(world), world.uniform(0), depth))


def test_a_payoff_that_the_rival_brings_as_often_is_no_reason():
    """Both ways lead low; only one of them leads high too."""
    assert first_headline(LIFT, 1).sentence() == (
        "I choose “up”: “three” comes in 50 % of tries; the next best, stay, is worth 1 less."
    )


def test_what_an_action_sets_is_not_learnt():
    """To press moves the points to the left and shows nothing: where they are is known then, but was not learnt."""
    headline = first_headline(SWITCH.replace("SHOWN", "nothing").replace("PRESSED", "left"), 2)
    assert (headline.action, headline.means) == ("press", "points=>left")
    assert headline.sentence() == (
        "I choose “press”, so that points is left: then, “home” comes in 100 % of tries instead of 50 %."
    )
    here = "initial value points"
    assert first_headline(SWITCH.replace("SHOWN", here).replace("PRESSED", here), 2).sentence() == (
        "I choose “glance”, to know points: then, “home” comes in 100 % of tries instead of 50 %."
    )


def test_words_come_from_comments():
    assert "#: language en" in MUSHROOM
    sentence = headline_in(MUSHROOM).sentence()
    told = " ".join((DOCS / "your_own_world.md").read_text(encoding="utf-8").split())
    assert f'"{sentence}"' in told
    assert render(headline_in(MUSHROOM).sentence(), Reader("xx")) == sentence  # a language without words: English
    words = words_in(
        'x\n  #: language pl\n#:  a=>b  =  one | | three \n#: "p" = q\n#: no words\n#: language en\n#: a = b'
    )
    assert words.languages == {"pl": {"a=>b": ("one", "", "three"), '"p"': ("q",)}, "en": {"a": ("b",)}}
    assert words.phrase("pl", "a=>b", 1) == ""
    assert words.phrase("pl", "a", 0) == "b"
    assert words.lines == {"a=>b": 3, '"p"': 4, "a": 7}


def test_words_for_what_is_not_there_are_reported():
    wrong = (
        MUSHROOM
        + '\n#: language en\n#:   mushrom = a mushroom\n#:   "a feast" = a feast\n#:   noticed=>blue = blue\n'
    )
    found = [str(finding) for finding in check(read_text(wrong, "m")) if finding.kind == "words"]
    assert len(found) == 3
    assert "warning: there are words for mushrom, which the file does not name (did you mean mushroom?)" in found[0]
    assert not [finding for finding in check(read_text(MUSHROOM, "m")) if finding.kind == "words"]


@pytest.mark.parametrize("name", list(DEPTHS))
def test_our_worlds_have_words_in_all_languages(name):
    words = words_in(world_file(name).read_text(encoding="utf-8"))
    assert list(words.languages) == list(LANGUAGES)
    for language, phrases in words.languages.items():
        assert list(phrases) == list(words.languages["en"])
        for key, given in phrases.items():
            assert [bool(text) for text in given] == [bool(text) for text in words.languages["en"][key]], (
                language,
                key,
            )
            assert ["{chance}" in text for text in given] == [
                "{chance}" in text for text in words.languages["en"][key]
            ], (language, key)
    assert not [finding for finding in check(read_world(name).specification) if finding.kind == "words"]


def test_the_words_of_a_file_are_a_catalogue_for_the_page():
    words = words_in(
        """
        #: language en
        #:   eat_it = eat it | I eat it
        #:   "a meal" = a meal | | I get {chance} of meals
        #: language pl
        #:   eat_it = zjeść go | Jem go
        #:   "a meal" = posiłek | Mam posiłek | Mam {chance} posiłków
        #:   forest = las | żeby znać las
        """
    )
    assert words.catalogues() == {
        "pl": {
            **dict.fromkeys(["eat it", "eat_it"], "zjeść go"),
            "I eat it": "Jem go",
            "a meal": "posiłek",
            "I get {chance} of meals": "Mam {chance} posiłków",
            "forest": "las",
        }
    }


@pytest.mark.parametrize("language", ["pl", "sk"])
@pytest.mark.parametrize("name", list(DEPTHS))
def test_headlines_are_told_in_the_words_of_the_world(name, language):
    """Every phrase of the sentence is that of the language; no name of the file is left."""
    world = read_world(name)
    planner, words = ExactPlanner(world), world.specification.words.languages
    headline = headline_of(PlanQuestion(world, planner, world.uniform(int(np.argmax(world.possible))), 4))
    said = render(headline.sentence(), Reader(language, words=words_of(world)[language]))
    assert said.startswith(words[language][headline.action][SENTENCE])
    assert not any(phrase in said for phrases in words["en"].values() for phrase in phrases if len(phrase) > 4)
    assert not set("_{") & set(said)


def test_names_without_words_are_split():
    """Also in English, for whoever reads; in the data they stay what they are."""
    plain = "\n".join(line for line in MUSHROOM.splitlines() if not line.startswith("#:"))
    world = build_world(read_text(plain.replace("smell", "smell_at_it"), "mushroom"))
    words = words_of(world)
    assert words["en"]["smell_at_it"] == words["pl"]["smell_at_it"] == "smell at it"
    assert words["en"]["mushroom=>good"] == "mushroom: good"
    tiger = words_of(read_world("tiger"))
    assert tiger["en"]["open_left"] == "open the left door"
    question = PlanQuestion(world, ExactPlanner(world), world.uniform(0), 2)
    assert question.action_name(question.advice.action) == str(question.action_text(question.advice.action))


@pytest.mark.parametrize(
    ("chances", "texts"),
    [
        ((0.8, 0.51), ("80 %", "51 %")),
        ((0.125, None), ("12.5 %", "")),
        ((0.9698, 0.5), ("97 %", "50 %")),
        ((0.9996, 0.9999), ("99.96 %", "> 99.99 %")),
        ((0.50001, 0.5), ("50.001 %", "50 %")),
        ((1.0, 0.00001), ("100 %", "< 0.01 %")),
    ],
)
def test_chances_are_never_rounded_to_each_other(chances, texts):
    assert rounded(*chances) == texts


# --- where it is told ---


@pytest.mark.parametrize("name", list(DEPTHS))
def test_the_headline_is_the_first_reason(name):
    table = hh.game(name).deal(3)
    agent = hh.agent(table.game, "planner:depth=3")
    told = table.ask(agent, explain=True)
    assert told.reasons[0] == told.explanation.headline.sentence()
    assert told.to_json()["explanation"]["headline"]["sentence"] == told.reasons[0]


def test_explain_in_other_languages(capsys):
    assert main(["explain", "tiger", "--start", "silence", "--language", "pl"]) == 0
    assert "Słucham, żeby wiedzieć, gdzie jest tygrys: wtedy znajduję skarb" in capsys.readouterr().out
    assert main(["explain", "tiger", "--start", "silence", "--language", "de"]) == 2
    assert "there is no language de; there are: en (English), pl (Polski), sk (Slovenčina)" in capsys.readouterr().err
