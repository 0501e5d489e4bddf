"""Searches that can be watched: they find what the compiled searches find, and visit and cut the same nodes."""

import json
import random
from itertools import pairwise

import pytest

import hiddenhand as hh
from hiddenhand.cli import main
from hiddenhand.core.errors import UserError
from hiddenhand.core.svg import text_width
from hiddenhand.kernel import derive
from hiddenhand.kernel.rule import Mode, in_mode
from hiddenhand.search import trace
from hiddenhand.search.stepwise import watch
from hiddenhand.search.stepwise.orders import counted_in_game, counted_in_random_trees, formulas
from hiddenhand.search.tree_drawing import animated_svg, drawing_of, frame_svg, stage_svg


@pytest.fixture(scope="module", autouse=True)
def uncompiled():
    """Rules and searches as plain Python, which gives the same results: these trees are not worth compiling."""
    with in_mode(Mode.PLAIN):
        yield


PLAIN = "alphabeta:deepening=no,ordering=no,table=0,quiescence=0"


def random_tree(rng, heads, leaf, levels=4):
    """The text of a tree; with chance nodes if `heads` has them."""
    if levels == 0 or (levels < 3 and rng.random() < 0.25):
        return leaf(rng)
    head = rng.choice(heads)
    children = [random_tree(rng, heads, leaf, levels - 1) for _ in range(rng.randint(1, 3))]
    if head != "chance":
        return f"({head} {' '.join(children)})"
    weights = [rng.randint(1, 4) for _ in children]
    odds = [weight / sum(weights) for weight in weights]
    odds[-1] = 1.0 - sum(odds[:-1])
    return f"(chance {' '.join(f'{chance!r} {child}' for chance, child in zip(odds, children))})"


def number(rng):
    return str(rng.randint(-9, 9))


def of_three(rng):
    return f"[{rng.randint(0, 9)} {rng.randint(0, 9)} {rng.randint(0, 9)}]"


def games(heads, leaf, count=25):
    for seed in range(count):
        rng = random.Random(seed)
        text = f"({heads[0]} {random_tree(rng, heads, leaf)} {random_tree(rng, heads, leaf)})"
        yield hh.game("tree", text=text)


def watched(game, text, **how):
    return watch(hh.agent(game, text), game.deal(rolls=False).view(0), **how)


def compiled(game, text):
    agent = hh.agent(game, text)
    return agent.search(game.deal(rolls=False).view(0).imagine(), 0, agent.limit())


def cut_branches(found):
    """Nodes that are cut, their parents not."""
    looks = [change["look"] for change in found.frame(len(found.steps)).shown]
    return sum(look == "cut" != looks[found.nodes[i]["parent"]] for i, look in enumerate(looks))


def branches(branch):
    return branch.cut + sum(branches(child) for child in branch.children)


@pytest.mark.parametrize(
    ("agent", "heads"),
    [
        ("minimax", ["max", "min", "chance"]),
        (PLAIN, ["max", "min"]),
        ("expectiminimax:pruning=none", ["max", "min", "chance"]),
        ("expectiminimax:pruning=star1", ["max", "min", "chance"]),
        ("expectiminimax:pruning=star2", ["max", "min", "chance"]),
        ("maxn", ["A", "B", "C"]),
    ],
)
def test_watched_searches_are_the_compiled_ones(agent, heads):
    pruned = 0
    for game in games(heads, of_three if agent == "maxn" else number):
        found, exact = watched(game, agent), compiled(game, agent)
        root = found.frame(len(found.steps)).shown[0]["value"].strip("()").split()[0]
        assert float(root) == pytest.approx(exact.value, abs=6e-4)
        assert found.steps[-1]["visited"] == exact.nodes
        assert [found.nodes[node]["action"] for node in found.steps[-1]["line"][1:2]] == [exact.action]
        looks = [change["look"] for change in found.frame(len(found.steps)).shown]
        assert set(looks) <= {"done", "cut"}
        assert looks.count("cut") == found.steps[-1]["cut"]
        pruned += looks.count("cut")
        if "star2" not in agent:  # of which a trace shows the probes beside the searches
            drawn = trace(hh.agent(game, agent), game.deal(rolls=False).view(0))
            assert cut_branches(found) == branches(drawn.root)
    assert (pruned > 0) == (agent not in ("minimax", "maxn"))


def test_a_game_to_a_depth_is_searched_alike():
    table = hh.game("tictactoe").deal()
    for move in "b2 a3 a1 c3".split():
        table.play(move)
    found = watch(hh.agent(table.game, f"{PLAIN},depth=3"), table.view())
    decision = hh.agent(table.game, f"{PLAIN},depth=3").decide(table.view())
    assert found.steps[-1]["visited"] == decision.counts["nodes"]
    assert found.nodes[found.steps[-1]["line"][1]]["label"] == decision.text


def test_uct_visits_what_the_compiled_one_visits():
    for game in games(["max", "min", "chance"], number, 8):
        view = game.deal(rolls=False).view(0)
        if not view.legal_actions():
            continue
        found = watch(hh.agent(game, "uct:simulations=40"), view)
        decision = hh.agent(game, "uct:simulations=40").decide(view)
        last = {found.nodes[c["node"]]["action"]: c for c in found.frame(len(found.steps)).shown[1:]
                if found.nodes[c["node"]]["parent"] == 0}  # fmt: skip
        for other in decision.alternatives:
            assert last[other.action]["note"] == f"n={other.note.split(' of ')[0]}"
            assert float(last[other.action]["value"]) == pytest.approx(other.value, abs=6e-4)


def test_pimc_and_cfr_on_kuhn_poker():
    game = hh.game("kuhn")
    table = game.deal(seed=3)
    found = watch(hh.agent(game, "pimc:worlds=8"), table.view())
    decision = hh.agent(game, "pimc:worlds=8").decide(table.view())
    assert f"over the deals: {decision.text}, " in found.result
    averages = found.frame(len(found.steps)).shown[0]["note"].split(", ")
    assert averages == [f"{other.text} {round(other.value, 3) + 0.0:.6g}" for other in decision.alternatives]
    player = hh.agent(game, "cfr:iterations=12")
    found = watch(player, table.view())
    last = found.frame(len(found.steps)).shown
    assert float(last[0]["value"]) == pytest.approx(player.strategy.value, abs=6e-4)
    for node, slot in enumerate(player.tree.edge):
        if slot >= 0:
            assert float(last[node]["note"]) == pytest.approx(player.tree_policy[slot], abs=6e-3)


@pytest.mark.parametrize(("depth", "breadth"), [(3, 3), (4, 2), (5, 2)])
def test_the_best_order_needs_what_the_formula_says_and_the_worst_saves_next_to_nothing(depth, breadth):
    rng = random.Random(depth)
    leaves = iter(rng.sample(range(1000), breadth**depth))

    def tree(levels, head):
        if levels == 0:
            return str(next(leaves))
        below = "min" if head == "max" else "max"
        return f"({head} {' '.join(tree(levels - 1, below) for _ in range(breadth))})"

    game = hh.game("tree", text=tree(depth, "max"))
    nodes = sum(breadth**level for level in range(depth + 1))
    best = [breadth ** -(-m // 2) + breadth ** (m // 2) - 1 for m in range(depth + 1)]
    assert watched(game, PLAIN, order="best").steps[-1]["visited"] == sum(best)
    worst = watched(game, PLAIN, order="worst").steps[-1]["visited"]
    assert 0.9 * nodes < worst <= nodes
    assert sum(best) <= watched(game, PLAIN, order="random").steps[-1]["visited"] <= worst


def test_orders_are_counted_in_random_trees_and_in_a_game():
    found = counted_in_random_trees(3, 5, 5)
    assert found["best"]["leaves"] == formulas(3, 5)["b^ceil(m/2) + b^floor(m/2) - 1"] == 27 + 9 - 1
    assert found["best"]["leaves"] < found["random"]["leaves"] < found["worst"]["leaves"] <= 3**5
    table = hh.game("tictactoe").deal()
    for move in "b2 a3 a1 c3".split():
        table.play(move)
    counted = counted_in_game(table.view(), 0, 5, 2)
    exact = hh.agent(table.game, "minimax").decide(table.view()).counts["nodes"]
    assert counted["best"]["nodes"] < counted["random"]["nodes"] < counted["worst"]["nodes"] <= exact


def test_breadth_makes_a_dice_tree_fit():
    game = hh.game("backgammon")
    agent = hh.agent(game, "expectiminimax:depth=3")
    with pytest.raises(UserError, match="more than 600 nodes"):
        watch(agent, game.deal().view())
    found = watch(agent, game.deal().view(), breadth=2)
    dice = [node for node, shape in enumerate(found.nodes) if shape["who"] == "DICE"]
    assert dice
    chances = [shape["label"] for shape in found.nodes if shape["parent"] == dice[0] and shape["label"]]
    assert sum(float(label.split()[0]) for label in chances) == pytest.approx(1.0)
    assert any(shape["who"] == "MORE" and shape["value"] == "+19" for shape in found.nodes)


def test_no_text_is_wider_than_its_node_and_no_two_nodes_overlap():
    found = watched(hh.game("tree", file="coin"), "expectiminimax:pruning=star2")
    drawing = drawing_of(found)
    for step in found.steps:
        for change in step["changes"]:
            node = drawing.nodes[change["node"]]
            assert text_width(change["value"], 12, bold=True) <= node.width
            assert text_width(change["note"], 10) <= node.slot
    for level in range(len(drawing.rows)):
        row = sorted((n for n in drawing.nodes if n.level == level), key=lambda node: node.x)
        for left, right in pairwise(row):
            assert left.x + left.slot / 2 <= right.x - right.slot / 2
    assert drawing.rows == ["MAX", "CHANCE", "MIN", "PAYOFF"]


def test_pictures_of_every_step_and_all_in_one():
    found = watched(hh.game("tree", file="pruning"), PLAIN)
    last = frame_svg(found, len(found.steps))
    assert last.count('class="node leaf cut"') == 4  # two leaves, and the roads to them
    assert "paint-order" not in last
    assert found.result in last
    moving = animated_svg(found)
    assert all(step["says"].split()[0] in moving for step in found.steps)
    assert moving.count("<animate ") > len(found.steps)
    assert stage_svg(found).count('id="n') == len(found.nodes)


def test_what_cannot_be_watched_is_said():
    game = hh.game("kuhn")
    with pytest.raises(UserError, match="cannot be watched"):
        watch(hh.agent(game, "ismcts"), game.deal(seed=derive(1, 1)).view())
    game = hh.game("tree", file="three_players")
    with pytest.raises(UserError, match="two sides"):
        watched(game, "maxn", order="best")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("watch tree alphabeta -o file=pruning --order silly", "'silly' is no order of moves"),
        ("watch tree alphabeta -o file=pruning --step 99 --out x.svg", "there is no step 99: the search has 26"),
        ("watch tree alphabeta -o file=pruning --out x.png", "a file that ends in .svg"),
        ("watch connect_four alphabeta:depth=9", "more than 600 nodes"),
        ("orders backgammon", "cannot play backgammon: chance moves in it"),
        ("orders --breadth 30 --depth 9", "more than 200,000"),
    ],
)
def test_mistakes_are_told_in_one_line(words, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_pictures_are_written_one_a_step_or_all_in_one(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main("watch tree alphabeta -o file=pruning --out frames".split()) == 0
    assert len(list((tmp_path / "frames").glob("*.svg"))) == 27
    assert main("watch tree alphabeta -o file=pruning --out all.svg".split()) == 0
    assert "<animate " in (tmp_path / "all.svg").read_text()
    assert main("games --svg division.svg".split()) == 0
    drawn = (tmp_path / "division.svg").read_text()
    assert drawn.index("Reversi") < drawn.index("Backgammon") < drawn.index("Blind tic-tac-toe") < drawn.index("Kuhn")
    assert main("watch tree minimax -o file=pruning --json".split()) == 0
    assert json.loads(capsys.readouterr().out.split("\n", 3)[-1])["steps"][0]["kind"] == "enter"
