"""The teaching bench in a browser: steps forward and back, a tree changed by hand, a quiz, a link, a large tree."""

import random
from urllib.parse import quote

import pytest

from browsing import Person
from hiddenhand.kernel.rule import Mode, in_mode
from web_server import serving


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server that runs rules as plain Python: a few hundred positions are not worth compiling."""
    with in_mode(Mode.PLAIN), serving(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def lecturer(browser, site):
    someone = Person(browser, site)
    yield someone
    someone.close()


def at_the_bench(person, fragment=""):
    person.go(f"/teach#{fragment}")
    person.page.wait_for_selector(".stage svg")


def says(person, text):
    person.page.wait_for_function("(text) => document.querySelector('.says').innerText.includes(text)", arg=text)


def value(person, node):
    return person.page.text_content(f"#n{node} .value")


def test_steps_forward_and_back_with_their_reasons(lecturer):
    at_the_bench(lecturer)
    page = lecturer.page
    for _ in range(14):
        page.keyboard.press("ArrowRight")
    says(lecturer, "MIN can hold MAX to 2 after A2, and MAX is sure of 3 elsewhere")
    page.wait_for_selector("#n7.cut", state="attached")
    assert (value(lecturer, 7), value(lecturer, 5)) == ("4", "2")
    page.keyboard.press("ArrowLeft")
    says(lecturer, "A21 is worth 2, the best so far")
    page.wait_for_selector("#n7:not(.cut)", state="attached")
    page.keyboard.press("End")
    says(lecturer, "Worth 3, by A1; 11 nodes visited, 2 cut")
    assert page.inner_text("tr[data-order=best] td:nth-child(2)") == "9"
    page.select_option(".order", "best")
    page.click("[title=End]")
    says(lecturer, "Worth 3, by A1; 9 nodes visited, 4 cut")


def test_heads_stand_above_their_numbers_and_only_what_can_be_watched_is_offered(lecturer):
    at_the_bench(lecturer)
    page = lecturer.page
    rights = [
        page.evaluate(f"() => document.querySelector('.counts {cell}:nth-child(2)').getBoundingClientRect().right")
        for cell in ("th", "td")
    ]
    aligned = [
        page.evaluate(f"() => getComputedStyle(document.querySelector('.counts {cell}:nth-child(2)')).textAlign")
        for cell in ("th", "td")
    ]
    assert rights[0] == rights[1]
    assert aligned == ["right", "right"]
    offered = page.eval_on_selector_all(".wish .game option", "all => all.map(one => one.value)")
    assert {"tree", "tictactoe", "kuhn"} <= set(offered)
    assert not {"dorban", "tiger", "ferryman", "dominion"} & set(offered)
    page.evaluate("() => { location.hash = 'game=dorban' }")
    page.reload()
    page.wait_for_selector(".teaching .error")
    assert page.locator(".stage").count() == 0, "the picture of another game"
    assert all("400" in trouble for trouble in lecturer.troubles)
    lecturer.troubles.clear()  # the browser says itself that something was refused


def test_a_tree_is_changed_by_hand_and_shared_by_a_link(lecturer):
    at_the_bench(lecturer, "step=-1")
    page = lecturer.page
    says(lecturer, "Worth 3")
    page.click("#n6")
    page.fill(".leaf-value", "30")
    page.keyboard.press("Enter")
    says(lecturer, "Worth 4, by A2")
    page.click("#n0")
    page.select_option(".mover", "B")
    says(lecturer, "Worth 2")
    page.click("#n12")
    page.click(".add-child")
    page.wait_for_selector("#n14")
    link = page.url
    assert "text=" in link
    lecturer.open()
    lecturer.page.goto(link)
    lecturer.page.wait_for_selector("#n14")
    says(lecturer, "Worth")
    assert value(lecturer, 6) == "30"


def test_a_quiz_hides_the_values_and_checks_answers(lecturer):
    at_the_bench(lecturer)
    page = lecturer.page
    page.click(".quiz-switch")
    page.wait_for_selector(".quiz")
    assert value(lecturer, 1) == "?"
    page.click("#n1")
    page.fill(".answer", "12")
    page.keyboard.press("Enter")
    page.wait_for_selector("#n1.wrong")
    page.fill(".answer", "3")
    page.keyboard.press("Enter")
    page.wait_for_selector("#n1.right")
    assert value(lecturer, 1) == "3"
    assert "1 of 4 nodes are right" in page.inner_text(".verdict")


def test_three_hundred_nodes_and_a_game_with_dice(lecturer):
    rng = random.Random(1)

    def tree(levels, head):
        if levels == 0:
            return str(rng.randint(-9, 9))
        below = "min" if head == "max" else "max"
        return f"({head} {' '.join(tree(levels - 1, below) for _ in range(4))})"

    at_the_bench(lecturer, f"step=-1&text={quote(tree(4, 'max'))}")
    page = lecturer.page
    says(lecturer, "Worth")
    assert page.locator("g[id^=n]").count() == 341
    last = int(page.get_attribute(".clock input", "max"))
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "(text) => document.querySelector('.clock output').innerText === text", arg=f"{last - 20} / {last}"
    )
    page.select_option(".game", "backgammon")
    page.wait_for_function("() => document.querySelector('.stage').textContent.includes('MAX')")
    page.select_option(".method", "expectiminimax:pruning=star1")
    page.locator(".wish input[type=number]").first.fill("3")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.stage').textContent.includes('DICE')")


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ({"agent": "alphabeta", "game": "connect_four"}, "more than 600 nodes"),
        ({"agent": "alphabeta", "options": {"file": "coin"}}, "chance moves in it"),
        ({"agent": "ismcts", "game": "kuhn"}, "cannot be watched"),
        ({"agent": "minimax", "text": "(max 1 two)"}, "line 1, column 8"),
        ({"agent": "minimax", "text": " " * 70_000}, "at most 65536 characters"),
        ({"agent": "minimax", "breadth": -1}, "breadth"),
        ({"agent": "minimax", "game": "tictactoe", "moves": "a1 b1 a2 b2 a3"}, "the game is over"),
        ({"agent": "minimax", "options": {"file": "/etc/passwd"}}, "file"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_one_line(site, order, told):
    answer = site.ask("POST", "/api/watch", json=order)
    assert answer.status_code == 400
    assert told in answer.json()["error"]


def test_a_tree_of_ones_own_needs_the_owners_leave(tmp_path):
    with serving(tmp_path, bring=[]) as strict:
        refused = strict.ask("POST", "/api/watch", json={"agent": "minimax", "text": "(max 1 2)"})
        assert refused.status_code in (400, 403)
        assert "tree" in refused.json()["error"]
