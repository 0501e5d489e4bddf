"""Tree searches: the pruned ones give exactly what minimax gives, from fewer nodes; the lecture's numbers hold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hiddenhand as hh
from hiddenhand.search import UCT, trace

MANY = 300

whole = st.integers(-9, 9).map(str)
zero_sum_of_four = st.integers(-9, 9).map(lambda v: f"[{v} {-v} {v} {-v}]")
free_for_three = st.tuples(*[st.integers(0, 9)] * 3).map(lambda v: f"[{v[0]} {v[1]} {v[2]}]")


def trees(heads, leaf, leaves=40):
    """Texts of random trees whose inner nodes begin with one of `heads` and whose leaves are drawn from `leaf`."""

    def node(children):
        return st.tuples(st.sampled_from(heads), st.lists(children, min_size=1, max_size=4)).map(write)

    return st.recursive(leaf, node, max_leaves=leaves).map(lambda text: f"({heads[0]} {text} {text})")


def write(parts):
    head, children = parts
    if head != "chance":
        return f"({head} {' '.join(children)})"
    weights = list(range(1, len(children) + 1))
    odds = [w / sum(weights) for w in weights]
    odds[-1] = 1.0 - sum(odds[:-1])
    return f"(chance {' '.join(f'{p!r} {c}' for p, c in zip(odds, children))})"


def search(game, text):
    """(value, nodes, value of the chosen action by minimax) of a fresh search of the whole tree."""
    agent = hh.agent(game, text)
    view = game.deal(rolls=False).view(0)
    outcome = agent.search(view.imagine(), 0, 64)
    return outcome


PLAIN = "alphabeta:deepening=no,ordering=no,table=0,quiescence=0"
FULL = "alphabeta:deepening=yes,ordering=yes,table=8,quiescence=0"


@settings(max_examples=MANY, deadline=None)
@given(trees(["max", "min"], whole))
def test_alphabeta_equals_minimax(text):
    game = hh.game("tree", text=text)
    exact = search(game, "minimax")
    for agent in (PLAIN, FULL):
        pruned = search(game, agent)
        assert pruned.value == exact.value
        assert pruned.nodes <= exact.nodes
    assert search(game, PLAIN).action == exact.action


@settings(max_examples=MANY, deadline=None)
@given(trees(["max", "min", "chance"], whole))
def test_star1_and_star2_equal_plain_expectiminimax(text):
    game = hh.game("tree", text=text)
    exact = search(game, "minimax")
    plain = search(game, "expectiminimax:pruning=none")
    star1 = search(game, "expectiminimax:pruning=star1")
    star2 = search(game, "expectiminimax:pruning=star2")
    assert plain.value == pytest.approx(exact.value, abs=1e-9)
    assert star1.value == pytest.approx(exact.value, abs=1e-9)
    assert star2.value == pytest.approx(exact.value, abs=1e-9)
    assert plain.nodes <= exact.nodes
    assert star1.nodes <= plain.nodes


@settings(max_examples=MANY, deadline=None)
@given(trees(["A", "B", "C", "D"], zero_sum_of_four))
def test_two_team_alphabeta_equals_maxn_with_shared_payoffs(text):
    game = hh.game("tree", text=text, teams=True)
    exact = search(game, "maxn")
    pruned = search(game, PLAIN)
    assert pruned.value == exact.value
    assert pruned.action == exact.action
    assert pruned.nodes <= exact.nodes


@settings(max_examples=MANY, deadline=None)
@given(trees(["A", "B", "C"], free_for_three))
def test_maxn_equals_its_definition(text):
    game = hh.game("tree", text=text)
    table = game.deal()

    def value(state):
        seat = game.rules.turn(state)
        if seat == -1:
            return tuple(table_payoffs(game, state))
        children = [value(after(game, state, action)) for action in range(int(state.children[state.node]))]
        return max(children, key=lambda values: values[seat])  # the first of several

    assert search(game, "maxn").value == value(table.state)[0]


def after(game, state, action):
    from hiddenhand.kernel import assign, new_records, stream

    copy = new_records(game.rules.state, 1)[0]
    assign(copy, state)
    game.rules.play(copy, action, stream(0))
    return copy


def table_payoffs(game, state):
    import numpy as np

    out = np.zeros(game.players)
    game.rules.payoff(state, out)
    return out


@pytest.mark.parametrize(("file", "value", "move"), [("coin", 3.0, "left"), ("pruning", 3.0, "A1")])
def test_worked_trees(file, value, move):
    game = hh.game("tree", file=file)
    for name in ("minimax", "expectiminimax", "maxn"):
        decision = hh.agent(game, name).explain(game.deal().view())
        assert (decision.value, decision.text, decision.counts["depth"]) == (value, move, 2)
    if file == "coin":
        assert [a.value for a in decision.alternatives] == [3.0, -1.0]


def test_the_exercise_with_three_players_has_a_solution():
    """Of the course: one number makes two lists equal for B, and what A gets depends on which of them B takes."""
    leaves = [[1, 2, 6], [4, 3, 2], [6, 1, 2], [7, 4, 1], [5, 1, 1], [1, 5, 2], [7, 7, 1], [5, 4, 5]]
    text = "(A (B (C {} {}) (C {} {})) (B (C {} {}) (C {} {})))"

    def written(lists):
        return text.format(*(str(payoffs).replace(",", "") for payoffs in lists))

    def value(lists):
        game = hh.game("tree", text=written(lists))
        return trace(hh.agent(game, "maxn"), game.deal().view()).root.value

    def outcomes(lists):
        """What A may get, whichever of equal lists everybody takes."""
        level, mover = [[tuple(payoffs)] for payoffs in lists], 2
        while len(level) > 1:
            level = [choices(one, two, mover) for one, two in zip(level[::2], level[1::2])]
            mover -= 1
        return {payoffs[0] for payoffs in level[0]}

    def choices(one, two, mover):
        return list(
            {a if a[mover] > b[mover] else b if b[mover] > a[mover] else c for a in one for b in two for c in (a, b)}
        )

    assert value(leaves) == "(1 2 6)"
    assert outcomes(leaves) == {1}
    changed = [*leaves[:2], [6, 2, 2], *leaves[3:]]
    assert outcomes(changed) == {1, 6}
    assert value(changed) in ("(1 2 6)", "(6 2 2)")


def test_alphabeta_cuts_the_textbook_branches():
    game = hh.game("tree", file="pruning")
    found = trace(hh.agent(game, PLAIN), game.deal().view())
    assert found.nodes == 11
    assert [child.label for child in found.root.children[1].children if child.cut] == ["A22", "A23"]
    assert "A22: (cut)" in found.text()
    assert found.svg().count('class="node leaf cut"') == 2 * 2  # each with the road that leads to it


def test_an_outcome_that_star2_probed_is_drawn_once():
    """It is searched twice; what is drawn has all odds once, and a value that rests on a probe as a bound."""
    game = hh.game("tree", file="coin")
    root = trace(hh.agent(game, "expectiminimax:pruning=star2"), game.deal().view()).root
    left, right = root.children
    for chance in (left, right):
        assert [(child.label, child.probability) for child in chance.children] == [("heads", 0.5), ("tails", 0.5)]
    assert [(child.value, [leaf.value for leaf in child.children]) for child in left.children] == [
        ("2", ["2", "4"]),
        ("4", ["7", "4"]),
    ]
    assert [child.value for child in right.children] == ["0", "≤ 5"]
    assert [leaf.how for leaf in right.children[1].children] == ["", "cut"]


def values_of(file):
    game = hh.game("tree", file=file)
    decision = hh.agent(game, "minimax").explain(game.deal().view())
    return decision.text, [a.value for a in decision.alternatives]


def test_with_chance_only_linear_scaling_keeps_the_decision():
    assert values_of("small_scale") == ("A1", [pytest.approx(2.1), pytest.approx(1.3)])
    assert values_of("large_scale") == ("A2", [pytest.approx(21.0), pytest.approx(40.9)])


@settings(max_examples=MANY, deadline=None)
@given(trees(["max", "min"], whole))
def test_without_chance_any_monotone_scaling_keeps_the_decision(text):
    import re

    def stretch(match):
        v = int(match.group())
        return str(v**3 + 5 * v + 100)

    plain = search(hh.game("tree", text=text), "minimax")
    stretched = search(hh.game("tree", text=re.sub(r"-?\d+", stretch, text)), "minimax")
    assert stretched.action == plain.action
    assert stretched.value == plain.value**3 + 5 * plain.value + 100


def test_horizon_effect_and_quiescence():
    game = hh.game("tree", file="horizon")
    view = game.deal().view()
    assert hh.agent(game, "alphabeta:depth=2,quiescence=0").decide(view).text == "greedy"
    assert hh.agent(game, "alphabeta:depth=2,quiescence=2").decide(view).text == "solid"
    assert hh.agent(game, "alphabeta:depth=9,quiescence=0").decide(view).text == "solid"


def test_the_lectures_estimate_of_backgammon():
    assert 20 * (21 * 20) ** 3 == 1_481_760_000  # the lecture says 1.2e9


def nodes_and_value(game, agent):
    decision = hh.agent(game, agent).decide(hh.game(game).deal().view())
    return decision.counts["nodes"], decision.value


def test_tictactoe_nodes():
    assert nodes_and_value("tictactoe", "minimax") == (549_946, 0.0)
    assert nodes_and_value("tictactoe", PLAIN) == (18_297, 0.0)
    assert nodes_and_value("tictactoe", "alphabeta")[0] < 18_297


@pytest.mark.parametrize("moves", ["", "4 4 4", "1 2 3 4 5", "4 4 3 3"])
def test_alphabeta_equals_minimax_in_connect_four(moves):
    table = hh.game("connect_four").deal()
    for move in moves.split():
        table.play(move)
    exact = hh.agent("connect_four", "minimax:depth=6").decide(table.view())
    for agent in (PLAIN + ",depth=6", "alphabeta:depth=6,quiescence=0"):
        pruned = hh.agent("connect_four", agent).decide(table.view())
        assert pruned.value == exact.value
        assert pruned.counts["nodes"] < exact.counts["nodes"]


def test_a_move_is_told_with_one_line():
    """Two lines of the same value may begin with the move; the reasons, the moves and the decision name one."""
    game = hh.game("connect_four")
    agent, table = hh.agent(game, "alphabeta:depth=7"), game.deal()
    for move in ("4", "4", "3"):
        decision = agent.explain(table.view())
        mine = next(each for each in decision.alternatives if each.action == decision.action)
        assert mine.line == decision.line == agent.decide(table.view()).line
        assert any(" ".join(mine.line) in reason for reason in decision.reasons)
        table.play(move)


def test_connect_four_endgames_are_solved_exactly():
    """From ten free cells on, search to the end agrees with plain minimax whatever is switched on."""
    agent = hh.agent("connect_four", "random")
    solved = 0
    for seed in range(200):
        table = hh.game("connect_four").deal(seed)
        while not table.over and len(table.history) < 33:
            table.play(table.ask(agent).action)
        if table.over:
            continue
        solved += 1
        view = table.view()
        exact = hh.agent("connect_four", "minimax:depth=42").decide(view)
        assert hh.agent("connect_four", "alphabeta:depth=42").decide(view).value == exact.value
    assert solved >= 5


def test_a_win_in_three_is_found_and_said():
    table = hh.game("connect_four").deal()
    for move in "4 1 5 1".split():
        table.play(move)
    decision = hh.agent("connect_four", "alphabeta:depth=4").explain(table.view())
    assert decision.text in ("3", "6")
    assert decision.value == 1.0
    assert "wins against any defence" in " ".join(decision.reasons)


def test_star2_visits_fewer_nodes_than_star1_in_backgammon():
    pytest.importorskip("hiddenhand.games.backgammon")
    game = hh.game("backgammon")
    counts = {"none": 0, "star1": 0, "star2": 0}
    values = {}
    agent = hh.agent(game, "random")
    for seed in range(4):
        table = game.deal(seed)
        for _ in range(12):
            table.play(table.ask(agent).action)
        for pruning in counts:
            decision = hh.agent(game, f"expectiminimax:depth=3,pruning={pruning}").decide(table.view())
            counts[pruning] += decision.counts["nodes"]
            values.setdefault(seed, []).append(decision.value)
    assert all(v == pytest.approx(row[0], abs=1e-9) for row in values.values() for v in row)
    assert counts["star2"] < counts["star1"] < counts["none"]


def test_perfect_play_never_loses_tictactoe():
    result = hh.match("tictactoe", ["alphabeta", "random"], games=60, seed=3, rotate=True)
    assert result.to_json()["seats"][0]["losses"] == 0


def test_uct_finds_the_win_and_the_block():
    table = hh.game("connect_four").deal()
    for move in "4 1 4 1 4".split():
        table.play(move)
    assert hh.agent("connect_four", "uct:simulations=2000").decide(table.view()).text == "4"
    table.play("7")
    assert hh.agent("connect_four", "uct:simulations=2000").decide(table.view()).text == "4"


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "backgammon"])
def test_uct_finds_the_same_nodes_by_links_and_by_fingerprints(name):
    class Unlinked(UCT):
        def config(self, view):
            return super().config(view)._replace(linked=False)

    game = hh.game(name)
    view = game.deal(seed=4).view()
    decisions = [kind(game, simulations=2000).decide(view) for kind in (UCT, Unlinked)]
    assert decisions[0].alternatives == decisions[1].alternatives
    assert decisions[0].counts == decisions[1].counts


def test_every_simulation_of_uct_is_in_its_tree_once():
    game = hh.game("tictactoe")
    agent = UCT(game, simulations=3000)
    tree, done = agent.grow(game.deal().view())
    nodes = tree.nodes[: tree.growth[0].nodes]
    assert nodes[0].visits == done == 3000
    for node in nodes:
        edges = tree.edges[node.first : node.first + node.count]
        tried = edges[edges.visits > 0]
        assert edges.visits.sum() == node.visits
        assert tried["value"] * tried.visits == pytest.approx(tried.total)
        assert tried.width**-2 == pytest.approx(tried.visits)
